import { arrowKeys, focus } from "./drag.js";
import { clamp } from "./numbers.js";
import { cells, QUERY_HANDLE, weightMap } from "./photograph.js";
import { describe, drawing, html, lay, repeat, set, translate } from "./plot.js";
import { N_SHADES } from "./shades.js";

// A photograph that a line divides: noisy left of it, and cleaned right of it. The weights of the pixel in the
// ring lie over the photograph and, enlarged, in a loupe.

/** @typedef {Record<string, any>} Parts The elements of the picture, by name. */

/**
 * The layout, in pixels, for a photograph of this width on the page.
 * @param {number} width
 * @param {{ height: number, width: number }} image
 */
export function photographAt(width, { height: rows, width: columns }) {
  const scale = width / columns;
  return { scale, width, height: rows * scale, loupe: clamp(0.26 * width, 84, 150) };
}

/**
 * The corner of the loupe: at the lower left, unless the query is there.
 * @param {ReturnType<typeof photographAt>} at
 * @param {{ x: number, y: number }} query
 */
function loupeAt({ width, height, loupe }, { x, y }) {
  const gap = 10,
    low = height - loupe - gap;
  const isNear = x < loupe + 4 * gap && y > low - 3 * gap;
  return { x: isNear ? width - loupe - gap : gap, y: low, width: loupe };
}

/**
 * The elements of the picture, from back to front.
 * @param {HTMLElement} stage
 * @param {{ height: number, width: number }} image
 */
export function dividedElements(stage, { height, width }) {
  const photo = html("canvas", { class: "photo colour", width, height, "aria-hidden": "true" }, stage);
  const { canvas, add } = drawing(stage);
  const parts = /** @type {any} */ ({ photo, canvas });
  parts.line = ["line-halo", "line"].map((name) => add("path", name));
  parts.sides = ["noisy", "cleaned"].map((text) => add("text", "side", { y: 22, text }));
  parts.painted = add("g", "shades painted");
  parts.rings = ["ring-halo", "ring"].map((name) => add("circle", name));
  parts.ties = ["tie-halo", "tie"].map((name) => add("path", name));
  parts.knob = add("g", "knob");
  add("circle", "", { r: 15 }, parts.knob);
  add("path", "", { d: "M-4 -5L-9 0L-4 5M4 -5L9 0L4 5" }, parts.knob);
  parts.drawWeights = weightMap(add("g", "loupe"));
  parts.grip = html("div", { class: "grip" }, stage);
  parts.queryHandle = html("div", QUERY_HANDLE, stage);
  const line = { class: "line-handle", role: "slider", tabindex: 0, "aria-label": "Line between noisy and cleaned" };
  parts.lineHandle = html("div", line, stage);
  return parts;
}

/**
 * Draw a vertical line at the position `line` of an axis from 0 to `end`.
 * @param {Parts} parts
 * @param {{ height: number, width: number }} at
 * @param {number} line
 * @param {number} end
 */
export function drawLine(parts, { width, height }, line, end) {
  const x = (line / end) * width;
  parts.line.forEach((/** @type {Element} */ each) => set(each, { d: `M${x} 0V${height}` }));
  set(parts.knob, { transform: translate(x, 0.5 * height) });
  lay(parts.lineHandle, { x: x - 16, y: 0, width: 32, height });
  describe(parts.lineHandle, line, [0, end]);
  const [noisy, cleaned] = parts.sides;
  set(noisy, { x: x - 10, "text-anchor": "end", visibility: x > 60 ? "visible" : "hidden" });
  set(cleaned, { x: x + 10, visibility: width - x > 70 ? "visible" : "hidden" });
}

/**
 * Draw the weights of the window around the query over the photograph, and enlarged in the loupe.
 * @param {Parts} parts
 * @param {ReturnType<typeof photographAt>} at
 * @param {{ query: import("./photograph.js").Pixel, radius: number, weights: number[], count: number }} now
 */
export function drawWindow(parts, at, { query: [row, column], radius, weights, count }) {
  const { scale } = at,
    side = 2 * radius + 1;
  const paths = cells(weights.map(Math.sqrt), side);
  repeat(parts.painted, "path", N_SHADES, (path, k) => set(path, { d: paths[k], "fill-opacity": (k + 1) / N_SHADES }));
  set(parts.painted, {
    transform: `${translate((column - radius) * scale, (row - radius) * scale)} scale(${scale})`,
  });
  const [x, y] = [(column + 0.5) * scale, (row + 0.5) * scale],
    r = Math.max(1.45 * (radius + 0.5) * scale, 16);
  parts.rings.forEach((/** @type {Element} */ ring) => set(ring, { cx: x, cy: y, r }));
  const loupe = loupeAt(at, { x, y });
  parts.drawWeights(weights, count, loupe);
  parts.ties.forEach((/** @type {Element} */ tie) => set(tie, { d: between({ x, y, r }, loupe) }));
  const hold = Math.max(r, 22);
  lay(parts.queryHandle, { x: x - hold, y: y - hold, width: 2 * hold, height: 2 * hold });
}

/**
 * A line from the ring to the upper edge of the loupe, if there is room for one.
 * @param {{ x: number, y: number, r: number }} ring
 * @param {{ x: number, y: number, width: number }} loupe
 */
function between({ x, y, r }, { x: left, y: top, width }) {
  const end = clamp(x, left, left + width);
  const distance = Math.hypot(end - x, top - y);
  if (top < y || distance < r + 4) return "";
  return `M${x + ((end - x) * r) / distance} ${y + ((top - y) * r) / distance}L${end} ${top}`;
}

/**
 * Let the pointer and the arrow keys move the line, in `end` steps.
 * @param {import("./drag.js").Draggable & { setting(): any }} figure
 * @param {Parts} parts
 * @param {number} end
 */
export function dragLine(figure, { lineHandle, grip }, end) {
  figure.drag(lineHandle, (/** @type {PointerEvent} */ event) => {
    const { left, width } = grip.getBoundingClientRect();
    const step = (/** @type {PointerEvent} */ e) => ((e.clientX - left) * end) / width;
    const off = figure.setting().line - step(event);
    focus(lineHandle);
    return (/** @type {PointerEvent} */ e) => figure.change({ line: step(e) + off });
  });
  arrowKeys(lineHandle, (right, up) => figure.change({ line: figure.setting().line + (right || up) }));
}
