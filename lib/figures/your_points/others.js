import { parameterOf } from "../methods/regression.js";
import { clamp } from "../parts/numbers.js";
import { path, repeatGroups, set, setText, svg } from "../parts/plot.js";
import { queriesOver } from "./fit.js";
import { parameterText } from "./text.js";

// The curves of the other methods, as thin lines that are labelled at their ends.

export const LABEL_ROOM = 98; // pixels beside the panel
const LINE = 14, // pixels between two labels
  REACH = 8;

/**
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {{ method: string, text: string, x: number, y: number }} Label
 */

/** A short name of a method: Gaussian, Nearest, Attention. @param {string} label */
const shortName = (label) => label.replace(/ (kernel|neighbours|on .*)$/, "");

/**
 * Move labels apart until none overlaps the next, and all are between two heights. The heights ascend.
 * @param {number[]} heights
 * @param {number[]} limits
 */
function spread(heights, [top, bottom]) {
  const /** @type {number[]} */ moved = [];
  for (const height of heights) moved.push(Math.max(height, top, (moved.at(-1) ?? -Infinity) + LINE));
  for (let i = moved.length - 1, below = bottom + LINE; i >= 0; i -= 1) {
    moved[i] = Math.min(moved[i], below - LINE);
    below = moved[i];
  }
  return moved;
}

/**
 * Draw the other methods, and return their labels for the pointer.
 * @param {import("./drawing.js").Parts} parts @param {Layout} at @param {import("./your_points.js").Figure["now"]}
 *   now @param {Record<string, string>} labels
 * @returns {Label[]}
 */
export function drawOthers(parts, at, { others, setting, data }, labels) {
  const { x, y, right, dataTop, dataBottom } = at,
    queries = queriesOver(data.keys);
  const shown = Object.entries(others ?? {})
    .filter(([method]) => method !== setting.method)
    .map(([method, { parameter, estimates }]) => {
      const heights = Array.from(estimates, (estimate) => clamp(y(estimate), dataTop, dataBottom));
      const end = heights.findLast((height) => !Number.isNaN(height)) ?? dataBottom;
      return {
        method,
        heights,
        end,
        text: [labels[method], parameter && parameterText(parameterOf(method), parameter)].filter(Boolean).join(", "),
      };
    })
    .toSorted((one, other) => one.end - other.end);
  const levels = spread(
    shown.map(({ end }) => end),
    [dataTop, dataBottom],
  );
  repeatGroups(parts.others, shown.length, buildOther, ({ curve, leader, name }, i, group) => {
    const { method, heights, end } = shown[i];
    group.setAttribute("data-method", method);
    set(curve, { d: path(Array.from(queries, (query, k) => [x(query), heights[k]])) });
    set(leader, {
      d: `M${x(queries[queries.length - 1]).toFixed(1)} ${end.toFixed(1)}L${right + 4} ${levels[i].toFixed(1)}`,
    });
    set(name, { x: right + 7, y: levels[i] + 4 });
    setText(name, shortName(labels[method]));
  });
  return shown.map(({ method, text }, i) => ({ method, text, x: right + LABEL_ROOM / 2, y: levels[i] }));
}

const buildOther = (/** @type {Element} */ group) => ({
  curve: svg("path", { class: "other-curve" }, group),
  leader: svg("path", { class: "leader" }, group),
  name: svg("text", { class: "other-name" }, group),
});

/** The label under a pixel, if any. @param {Label[]} labels @param {Layout} at @param {number[]} pixel */
export const labelAt = (labels, { right }, [px, py]) =>
  px < right + 2 ? undefined : labels.find(({ y }) => Math.abs(y - py) < REACH);
