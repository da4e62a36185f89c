import { prefersReducedMotion } from "../parts/drag.js";
import { animate, eased } from "../parts/motion.js";

// What moves by itself: the cross-fade from one year to another, the loupe that becomes a sentence, and the lens that
// drifts once. Each calls `passes` for its frames and `arrives` for the last one.

/** @typedef {{ passes(): void, arrives(): void }} Watcher */

const MORPH = 450, // milliseconds
  FOLD = 1800,
  CROSS_FADE = 400,
  DRIFT = 1500;

/**
 * The share of each year in the drawing. `towards(year)` begins to move all shares to this year, or moves them at
 * once if `isAtOnce`.
 * @param {number} count of years
 * @param {Watcher} watcher
 */
export function createMorph(count, { passes, arrives }) {
  let shares = /** @type {number[]} */ ([]), // none before the first year
    target = -1,
    passed = 1;
  let stop = () => {};
  const only = (/** @type {number} */ year) => Array.from({ length: count }, (_, k) => Number(k === year));
  /** @param {number} year */
  function towards(year, isAtOnce = false) {
    if (year === target) return;
    const from = shares,
      end = only(year);
    target = year;
    stop();
    passed = 1;
    if (!from.length || isAtOnce || prefersReducedMotion()) shares = end;
    else
      stop = animate(MORPH, (now) => {
        passed = now;
        shares = from.map((share, k) => share + eased(now) * (end[k] - share));
        if (now < 1) passes();
        else arrives();
      });
    if (shares !== end) passed = 0;
  }
  return { towards, shares: () => shares, passed: () => passed, isMoving: () => passed < 1, end: () => stop() };
}

/**
 * The progress of the loupe towards the sentence, from 0 to 1, forwards or back at the same speed. With reduced motion
 * this is a cross-fade.
 * @param {Watcher} watcher
 */
export function createFold({ passes, arrives }) {
  /** @type {number | undefined} */
  let target;
  let now = 0;
  let stop = () => {};
  /** @param {number} end */
  function towards(end, isAtOnce = false) {
    if (end === target) return;
    const from = isAtOnce || target === undefined ? end : now;
    [target, now] = [end, from];
    stop();
    if (from === end) return;
    const duration = prefersReducedMotion() ? CROSS_FADE : FOLD;
    stop = animate(duration * Math.abs(end - from), (passed) => {
      now = from + passed * (end - from);
      if (passed < 1) passes();
      else arrives();
    });
  }
  return { towards, now: () => now, isMoving: () => now !== target, end: () => stop() };
}

/**
 * Let the lens drift once, out and back: `now()` is how far it is on its way. Whatever the reader does before it
 * begins keeps it from beginning; later this stops it and calls `stopped` with the last value.
 * @param {Watcher & { stopped(): void }} watcher
 * @param {AbortSignal} signal
 */
export function createDrift({ passes, arrives, stopped }, signal) {
  let now = 0;
  let stop = () => {};
  const life = new AbortController();
  function end() {
    stop();
    life.abort();
    if (now) stopped();
    now = 0;
  }
  function begin() {
    if (prefersReducedMotion() || life.signal.aborted) return;
    stop = animate(DRIFT, (passed) => {
      now = passed < 1 ? Math.sin(Math.PI * eased(passed)) : 0;
      if (passed < 1) return passes();
      life.abort();
      arrives();
    });
  }
  for (const gesture of ["pointerdown", "keydown", "wheel", "touchstart"])
    addEventListener(gesture, end, { capture: true, passive: true, signal: life.signal });
  signal.addEventListener("abort", end);
  return { begin, now: () => now };
}
