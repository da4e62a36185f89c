import { paintPicture } from "../diffusion/drawing.js";
import { arrowKeys, focus } from "../parts/drag.js";
import { clamp } from "../parts/numbers.js";
import { describe, html, lay } from "../parts/plot.js";

// A strip of a few states on the way from the noise to the image. The chosen one is shown large.

const BETWEEN = 6; // pixels

/** The side length of a state's image in a strip of this width. @type {(width: number, count: number) => number} */
export const stateSide = (width, count) => (width - (count - 1) * BETWEEN) / count;

/**
 * Create the strip; it calls `choose(k)` with the state that the reader selects by pointer or keys.
 * @param {import("./ring.js").Figure} figure
 * @param {{ height: number, width: number }} shape
 * @param {number} count
 * @param {(k: number) => void} choose
 */
export function createStrip(figure, { height, width }, count, choose) {
  const strip = html("div", { class: "strip", role: "slider", tabindex: 0, "aria-label": "Step" }, figure.stage);
  /** @type {HTMLCanvasElement[]} */
  const canvases = Array.from({ length: count }, () => html("canvas", { width, height, "aria-hidden": "true" }, strip));
  /** @type {(Float64Array | undefined)[]} */
  const painted = [];
  let chosen = count - 1;
  const select = (/** @type {number} */ k) => choose(clamp(k, 0, count - 1));
  const at = (/** @type {PointerEvent} */ { clientX }) => {
    const { left, width: whole } = strip.getBoundingClientRect();
    return Math.floor(((clientX - left) * count) / whole);
  };
  figure.drag(strip, () => {
    focus(strip);
    return (event) => select(at(event));
  });
  arrowKeys(strip, (right, up) => select(chosen + right + up));

  /**
   * Show the states computed so far in this box, and hide the others.
   * @param {Float64Array[]} states @param {number} now the chosen one @param {import("../parts/plot.js").Box} box
   *   @param {string} text
   */
  return function show(states, now, box, text) {
    chosen = now;
    lay(strip, box);
    const side = stateSide(box.width, count);
    canvases.forEach((canvas, k) => {
      lay(canvas, { x: k * (side + BETWEEN), y: 0, width: side, height: box.height });
      canvas.classList.toggle("chosen", k === now);
      canvas.style.visibility = states[k] ? "visible" : "hidden";
      if (states[k] && painted[k] !== states[k]) paintPicture(canvas, { height, width }, states[k]);
      painted[k] = states[k];
    });
    describe(strip, now, [0, count - 1], text);
  };
}
