// Animations that a clock drives: a slow machine skips frames.

import { clamp } from "./numbers.js";

/** Begin and end slowly. @param {number} passed from 0 to 1 */
export const eased = (passed) => passed * passed * (3 - 2 * passed);

/**
 * Call `step(passed)` for each frame of a time in milliseconds, with 0 < passed ≤ 1. Returns a function that stops it.
 * @param {number} duration
 * @param {(passed: number) => void} step
 */
export function animate(duration, step) {
  const begun = performance.now();
  let frame = requestAnimationFrame(function next(now) {
    const passed = clamp((now - begun) / duration, 0, 1);
    if (passed < 1) frame = requestAnimationFrame(next);
    step(passed);
  });
  return () => cancelAnimationFrame(frame);
}
