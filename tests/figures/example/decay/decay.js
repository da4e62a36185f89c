import { defineFigure } from "../contract/figure.js";
import { logKernel } from "../methods/weights.js";
import { arrowKeys, focus } from "../parts/drag.js";
import { format, percent, role } from "../parts/numbers.js";
import { describe, drawing, html, lay, resize, scale, set, setText } from "../parts/plot.js";

// A bar as long as the weight of a key, and below it the key's distance from the query, which is dragged.

const LINE = 48; // from the top, in pixels

/**
 * What Python gives, the setting, and the computed numbers. `defineFigure` checks the definition against these types.
 * @typedef {import("../contract/figure.js").Constants & { unit: string,
 *   ranges: { distance: import("../parts/numbers.js").Grid, kernel: string[] } }} Data
 * @typedef {{ distance: number, kernel: "gaussian" | "boxcar" }} Setting
 * @typedef {{ weight: number }} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, {}>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure @returns {Draw} */
function view(figure) {
  const { data, stage, change, setting } = figure,
    grid = data.ranges.distance;
  const { canvas, add } = drawing(stage);
  const bar = add("path", "bar"),
    ghost = add("path", "ghost"),
    line = add("path", "base"),
    dot = add("circle", "dot", { cy: LINE, r: 7 }),
    label = add("text", "label", { x: 0, y: 84 });
  const handle = html("div", { class: "handle", role: "slider", tabindex: 0, "aria-label": "distance" }, stage);
  let x = scale(grid, [0, 1]); // from distances to pixels, laid out by the first drawing

  figure.drag(handle, (event) => {
    focus(handle);
    const offset = x(setting().distance) - event.clientX; // the dot keeps its place under the pointer
    return (moved) => change({ distance: x.invert(moved.clientX + offset) });
  });
  arrowKeys(handle, (right, up) => change({ distance: setting().distance + grid[2] * (right + up) }));

  return ({ setting: { distance }, weight }, { width, ghost: before }) => {
    x = scale(grid, [8, width - 8]);
    resize(canvas, width, 90);
    set(bar, { d: `M0 16H${weight * width}` });
    if (before) set(ghost, { d: `M${before.weight * width} 5V27` });
    set(line, { d: `M${x(grid[0])} ${LINE}H${x(grid[1])}` });
    set(dot, { cx: x(distance) });
    setText(label, `distance ${format(distance, 2)} ${data.unit}`);
    lay(handle, { x: x(distance) - 22, y: LINE - 22, width: 44, height: 44 });
    describe(handle, distance, grid, `${format(distance, 2)} ${data.unit}, weight ${percent(weight)}`);
  };
}

export default defineFigure("decay", {
  hint: "Drag the dot. Keyboard: Tab, arrow keys.",
  compute: (_data, { distance, kernel }) => ({ weight: Math.exp(logKernel(0, [distance], 1, kernel)[0]) }),
  state: (_data, { setting, weight }) => ({ ...setting, estimate: weight }), // what `data-state` holds
  sentence: (data, { setting: { distance }, weight }) =>
    `At ${role("query", `${format(distance, 2)} ${data.unit}`)} the weight is ${role("weight", percent(weight))}.`,
  view,
});
