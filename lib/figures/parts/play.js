// The Play button, which animates a figure.

import { onRangeInput, prefersReducedMotion } from "./drag.js";
import { onGrid } from "./numbers.js";
import { html, set, setText } from "./plot.js";

/**
 * About `count` geometrically spaced values of a grid of positive numbers.
 * @param {import("./numbers.js").Grid} grid
 * @param {number} count
 */
export function growing(grid, count) {
  const [low, high] = grid;
  const values = Array.from({ length: count }, (_, k) => onGrid(low * (high / low) ** (k / (count - 1)), grid));
  return [...new Set(values)];
}

const DURATION = 8000; // milliseconds that all frames take together, so that the numbers can be read

/**
 * Add a button that animates the figure through changes of settings, and a scrubber that shows any of these frames. Any
 * pointer or key press stops the animation; Play then continues, unless the frame has been left. With reduced motion
 * only the last frame is shown.
 * @param {{ root: HTMLElement, actions: HTMLElement, begin(): void, change(values: object): void, setting(): any,
 *   setPlaying(isPlaying: boolean): void, afterDraw(act: () => void): void, frames?: () => Record<string,
 *   unknown>[] }} figure
 * @param {{ title: string, frames: () => Record<string, unknown>[], first?: () => number, hasSlider?: boolean }} story
 *   `first` is the frame at which Play starts. Frames with a slider right below the drawing need no scrubber.
 * @param {HTMLElement} parent of the button
 */
export function playButton(figure, { title, frames, first = () => 0, hasSlider = false }, parent = figure.actions) {
  const { root, begin, change, setPlaying } = figure;
  const button = html("button", { type: "button", class: "lf-play", text: "Play", title }, parent);
  /** @typedef {Record<string, unknown>} Frame */
  let left = /** @type {Frame | undefined} */ (undefined); // where the animation was stopped, or what the reader chose
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let clock;
  /** @type {AbortController | undefined} */
  let gestures;
  figure.frames = frames;
  if (!hasSlider)
    createScrubber(figure, frames, parent, (/** @type {Frame} */ frame) => {
      left = frame;
    });

  function stop() {
    clearTimeout(clock);
    gestures?.abort();
    gestures = undefined;
    setText(button, "Play");
    setPlaying(false);
  }

  /** Show the frames from this one on; a slow machine skips some. @param {Frame[]} all @param {number} from */
  function run(all, from) {
    const pause = DURATION / all.length,
      begun = performance.now();
    const step = () => {
      const passed = performance.now() - begun;
      const place = Math.min(from + Math.floor(passed / pause), all.length - 1);
      if (!root.isConnected || !all.length) return stop();
      change(all[place]);
      left = place < all.length - 1 ? all[place] : undefined;
      if (left) clock = setTimeout(step, Math.ceil(pause - (passed % pause)));
      else stop();
    };
    step();
  }

  /** @param {number} from */
  function play(from) {
    begin();
    const all = frames();
    if (prefersReducedMotion()) return all.slice(-1).forEach(change);
    gestures = new AbortController();
    const presses = (/** @type {any} */ { target, key }) =>
      target === button && [undefined, "Enter", " "].includes(key);
    const touched = (/** @type {Event} */ event) => presses(event) || stop(); // the button has its own click handler
    for (const gesture of ["pointerdown", "keydown"]) {
      addEventListener(gesture, touched, { capture: true, signal: gestures.signal });
    }
    setText(button, "Stop");
    setPlaying(true);
    run(all, from);
  }

  function start() {
    const all = frames();
    const stopped = left;
    const place = stopped ? all.findIndex((frame) => isShown(frame, figure.setting()) && isShown(frame, stopped)) : -1;
    play(place >= 0 && place < all.length - 1 ? place : first());
  }

  button.addEventListener("click", () => (gestures ? stop() : start()));
}

/** @param {Record<string, unknown>} frame @param {Record<string, unknown>} setting */
const isShown = (frame, setting) => Object.entries(frame).every(([name, value]) => setting[name] === value);

/** The name of the setting that the frames change. @param {Record<string, unknown>} frame */
const subjectOf = (frame) =>
  Object.keys(frame ?? {})[0]
    ?.replace(/^bandwidth_.*/, "bandwidth")
    .replaceAll("_", " ") ?? "";

/**
 * Create a slider over the frames, labelled by what they change. It calls `choose` with the frame that the reader
 * chooses.
 * @param {Parameters<typeof playButton>[0]} figure
 * @param {() => Record<string, unknown>[]} frames
 * @param {HTMLElement} parent
 * @param {(frame: Record<string, unknown>) => void} choose
 */
function createScrubber({ change, setting, afterDraw }, frames, parent, choose) {
  const label = html("label", { class: "lf-scrubbed" }, parent);
  const moved = html("span", {}, label);
  const scrubber = html("input", { type: "range", class: "lf-scrubber", min: 0, step: 1 }, label);
  onRangeInput(scrubber, () => {
    const frame = frames()[Number(scrubber.value)];
    choose(frame);
    change(frame);
  });
  // Between two frames, as after a drag, show the earlier one; numbers may rise or fall.
  const isReached = (/** @type {Record<string, any>} */ frame, /** @type {number} */ _, /** @type {any[]} */ all) =>
    Object.entries(frame).every(([name, value]) => {
      if (typeof value !== "number") return value === setting()[name];
      return all[0][name] <= all[all.length - 1][name] ? value <= setting()[name] : value >= setting()[name];
    });
  afterDraw(() => {
    const all = frames(),
      place = Math.max(all.findLastIndex(isReached), 0);
    scrubber.disabled = all.length < 2;
    setText(moved, subjectOf(all[0]));
    set(scrubber, { "aria-label": `Frame of Play: ${moved.textContent}` });
    set(scrubber, { max: Math.max(all.length - 1, 1), "aria-valuetext": `${place + 1} of ${all.length}` });
    if (scrubber.value !== String(place)) scrubber.value = String(place);
  });
}
