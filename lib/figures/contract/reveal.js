// After a guess, the settings of the question are reached by an animation; the verdict waits for its end.

import { prefersReducedMotion } from "../parts/drag.js";
import { animate, eased } from "../parts/motion.js";
import { onGrid } from "../parts/numbers.js";

/**
 * An animation of `duration` milliseconds. `at(passed, before, then)` returns the settings when a share `passed` of it
 * is over; at 0 they are `before`, or where the animation starts, and at 1 `then`. Without `moves(then)` nothing lies
 * between the two. The animation begins when `open()`, which loads what it shows, has ended.
 * @typedef {{ duration: number, open?: () => Promise<unknown>, moves(then: Record<string, any>): boolean,
 *   at(passed: number, before: Record<string, any>, then: Record<string, any>): object }} Reveal
 */

/** The numbers move from one setting to the other. @type {Reveal} */
export const MOVING_NUMBERS = {
  duration: 1200,
  moves: (then) => Object.values(then).some(Number.isFinite),
  at: (passed, before, then) =>
    Object.fromEntries(
      Object.entries(then).map(([name, end]) => [
        name,
        typeof end === "number" ? before[name] + passed * (end - before[name]) : end,
      ]),
    ),
};

/**
 * One setting passes through the names between, in their order.
 * @param {string} setting
 * @param {string[]} names
 * @param {number} duration
 * @returns {Reveal}
 */
export const movingAlong = (setting, names, duration) => ({
  duration,
  moves: (then) => setting in then,
  at(passed, before, then) {
    const [from, to] = [before, then].map((settings) => names.indexOf(settings[setting]));
    return { ...then, [setting]: names[Math.round(from + passed * (to - from))] };
  },
});

/**
 * The settings through which Play leads from the first setting to that of a question, at most `most` of them. Each
 * number passes along its grid, and each choice along its names.
 * @param {Record<string, number[] | string[]>} ranges
 * @param {Record<string, any>} first
 * @param {Record<string, number | string>} then
 * @returns {Record<string, number | string>[]}
 */
export function framesBetween(ranges, first, then, most = 30) {
  const ways = Object.entries(then).map(([name, end]) => ({ name, way: wayBetween(ranges[name], first[name], end) }));
  const count = Math.min(Math.max(...ways.map(({ way }) => way.length)), most);
  const along = (/** @type {(number | string)[]} */ way, /** @type {number} */ k) =>
    way[Math.round((k * (way.length - 1)) / Math.max(count - 1, 1))];
  return Array.from({ length: count }, (_, k) =>
    Object.fromEntries(ways.map(({ name, way }) => [name, along(way, k)])),
  );
}

/**
 * The values between two ends, on a grid or in a list of names.
 * @param {any[]} range
 * @param {any} from
 * @param {any} to
 */
function wayBetween(range, from, to) {
  const isGrid = typeof range[0] === "number",
    [low, , step] = range;
  const placeOf = (/** @type {any} */ value) => (isGrid ? Math.round((value - low) / step) : range.indexOf(value));
  const [begin, end] = [placeOf(from), placeOf(to)];
  return Array.from({ length: Math.abs(end - begin) + 1 }, (_, k) => {
    const place = begin + Math.sign(end - begin) * k;
    return isGrid
      ? onGrid(low + place * step, /** @type {import("../parts/numbers.js").Grid} */ (range))
      : range[place];
  });
}

/**
 * Return a function that plays an animation. Any pointer or key press shows its end at once; so does reduced motion.
 * @param {{ setPlaying(isPlaying: boolean): void, signal: AbortSignal }} figure
 */
export function createPlayer({ setPlaying, signal }) {
  let finish = () => {};
  let stop = () => {};
  signal.addEventListener("abort", () => stop());

  /** @param {Pick<Reveal, "duration" | "open">} reveal @param {(passed: number) => void} show */
  return function play({ duration, open }, show) {
    finish();
    if (prefersReducedMotion()) return show(1);
    const gestures = new AbortController();
    const end = () => {
      finish = () => {};
      gestures.abort();
      setPlaying(false);
    };
    const run = () => {
      stop = animate(duration, (passed) => {
        show(eased(passed));
        if (passed === 1) end();
      });
    };
    setPlaying(true);
    show(0);
    let isStopped = false;
    stop = () => {
      isStopped = true;
    };
    if (open) open().then(() => isStopped || run());
    else run();
    finish = () => {
      stop();
      show(1);
      end();
    };
    for (const gesture of ["pointerdown", "keydown"])
      addEventListener(gesture, () => finish(), { capture: true, signal: gestures.signal });
  };
}

const STEPS = 100;

/**
 * Return a function that lists the settings through which a figure moves to the answer of its question, or
 * undefined if it does not move.
 * @param {Reveal | undefined} reveal
 * @param {import("./guesses.js").Guesses | null} offered
 * @param {import("./settings.js").Settings} settings
 */
export function revealed(reveal, offered, settings) {
  if (!reveal || !offered || !reveal.moves(offered.then)) return undefined;
  const at = (/** @type {number} */ k) => reveal.at(eased(k / STEPS), settings.first(), offered.then);
  return () => Array.from({ length: STEPS + 1 }, (_, k) => /** @type {Record<string, unknown>} */ (at(k)));
}
