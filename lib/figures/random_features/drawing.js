import { clamp, format, percent, roundPercent } from "../parts/numbers.js";
import {
  BEFORE,
  axes,
  axisEnd,
  clipped,
  describe,
  diamond,
  drawing,
  layPill,
  legend,
  path,
  repeat,
  resize,
  scale,
  set,
  setText,
  svg,
  ticks,
  translate,
  withMargin,
} from "../parts/plot.js";

// Elements, layout and drawing.

/**
 * @typedef {import("./random_features.js").Data} Data
 * @typedef {import("./random_features.js").Figure["now"]} Now
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof arrange>} Layout
 * @typedef {import("../parts/plot.js").Scale} Scale
 */

const SHARES = [0.01, 0.1, 1]; // ticks of the error

export const ERROR_ENDS = [1.2, 2, 4]; // ends of its axis: with negative weights the error can exceed 1

const LEAST_SHARE = 0.005;

const FINE_ENDS = [1, 0.7, 0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01]; // ends of the weights' axis

/** Return the layout, in pixels, for this width. @param {number} width */
function layout(width) {
  const narrow = width < 560;
  const left = 44,
    dataTop = 56;
  const right = narrow ? width - 14 : Math.round(width * 0.61);
  const tall = clamp(0.5 * width - 284, 92, 170); // slides have more space
  const dataBottom = dataTop + (narrow ? 130 : tall);
  const weightTop = dataBottom + 36;
  const weightBottom = weightTop + (narrow ? 130 : tall);
  const errorLeft = narrow ? left : right + 70;
  const errorTop = narrow ? weightBottom + 80 : dataTop;
  const errorBottom = narrow ? errorTop + 140 : weightBottom;
  const height = errorBottom + 46;
  return {
    width,
    height,
    narrow,
    left,
    right,
    dataTop,
    dataBottom,
    weightTop,
    weightBottom,
    errorLeft,
    errorRight: width - 14,
    errorTop,
    errorBottom,
  };
}

/**
 * Create the elements of the drawing, from back to front; the figure's address makes the id of the hatch unique.
 * @param {HTMLElement} stage @param {{ token_label: string }} data @param {string} address
 */
export function elements(stage, { token_label }, address) {
  const { canvas, add } = drawing(stage),
    hatchId = `hatch-${address}`;
  const hatch = svg("pattern", { id: hatchId, width: 5, height: 5, patternUnits: "userSpaceOnUse" }, add("defs", ""));
  svg("path", { class: "hatch", d: "M-1 6L6 -1M-1 1L1 -1M4 6L6 4" }, hatch);
  const parts = {
    canvas,
    axes: add("g", "axes"),
    dataPanel: add("svg", "panel"),
    weightPanel: add("svg", "panel"),
    errorPanel: add("svg", "panel"),
    weightTicks: add("g", "weight-ticks"),
    alikeLabel: add("text", "note alike-label", { text: "all keys alike" }),
    queryLine: add("line", "query-line"),
    answer: add("g", "answer"),
    queryHandle: add("g", "query-handle", { role: "slider", tabindex: 0, "aria-label": "Query" }),
    countHandle: add("g", "count-handle", { role: "slider", tabindex: 0, "aria-label": "Number of frequencies" }),
    legend: add("g", "legend"),
    weightLegend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight", x: 0 }),
    tokenTitle: add("text", "title key", { text: token_label }),
    errorTitle: add("text", "title weight", { text: "weight on wrong keys" }),
    countTitle: add("text", "title axis", { text: "number of frequencies" }),
  };
  const { dataPanel, weightPanel, errorPanel, answer, queryHandle, countHandle } = parts;
  return {
    ...parts,
    exactCurve: svg("path", { class: "exact" }, dataPanel),
    ghostCurve: svg("path", { class: "ghost" }, dataPanel),
    curve: svg("path", { class: "curve" }, dataPanel),
    dots: svg("g", { class: "dots" }, dataPanel),
    zero: svg("line", { class: "base" }, weightPanel),
    columns: svg("path", { class: "columns" }, weightPanel),
    wrong: svg("path", { class: "wrong", fill: `url(#${hatchId})` }, weightPanel),
    exactWeights: svg("path", { class: "exact-weights" }, weightPanel),
    ghostWeights: svg("path", { class: "ghost" }, weightPanel),
    otherDraws: svg("path", { class: "other-draws" }, errorPanel),
    alike: svg("line", { class: "alike" }, errorPanel),
    thisDraw: svg("path", { class: "this-draw" }, errorPanel),
    ghostDiamond: svg("path", { class: "ghost" }, answer),
    exactDiamond: svg("path", { class: "exact-diamond", d: diamond(7.5) }, answer),
    diamond: svg("path", { class: "diamond", d: diamond(7.5) }, answer),
    pill: svg("rect", { class: "pill", y: 28, height: 24, rx: 12 }, queryHandle),
    pillLabel: svg("text", { class: "pill-label", y: 44.5 }, queryHandle),
    countLine: svg("line", { class: "count-line" }, countHandle),
    countDot: svg("circle", { class: "count-dot", r: 7 }, countHandle),
    countLabel: svg("text", { class: "count-label" }, countHandle),
  };
}

/**
 * Lay out everything that depends only on the width: positions, scales and axes.
 * @param {Parts} parts
 * @param {Data} data
 * @param {number} width
 * @param {number} end
 */
export function arrange(parts, { values, ranges: { query: tokenGrid }, counts, value_label }, width, end) {
  const at = layout(width);
  const x = scale(tokenGrid, [at.left, at.right]);
  const y = scale(withMargin(values, 0.12), [at.dataBottom, at.dataTop]);
  const decades = scale([Math.log(counts[0]), Math.log(counts[counts.length - 1])], [at.errorLeft, at.errorRight]);
  const errors = scale([Math.log(LEAST_SHARE), Math.log(end)], [at.errorBottom, at.errorTop]);
  const xError = Object.assign((/** @type {number} */ count) => decades(Math.log(count)), {
    invert: (/** @type {number} */ pixel) => Math.exp(decades.invert(pixel)),
  });
  const yError = (/** @type {number} */ share) => errors(Math.log(Math.max(share, LEAST_SHARE / 2)));
  resize(parts.canvas, width, at.height);
  /** @type {(panel: Element, left: number, top: number, right: number, bottom: number) => void} */
  const place = (panel, left, top, right, bottom) =>
    set(panel, {
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      viewBox: `${left} ${top} ${right - left} ${bottom - top}`,
    });
  place(parts.dataPanel, at.left - 6, at.dataTop, at.right + 6, at.dataBottom);
  place(parts.weightPanel, at.left - 6, at.weightTop, at.right + 6, at.weightBottom);
  place(parts.errorPanel, at.errorLeft, at.errorTop - 2, at.errorRight, at.errorBottom);
  set(parts.weightTitle, { y: at.weightTop - 10 });
  set(parts.tokenTitle, { x: at.right, y: at.weightBottom + 40 });
  set(parts.errorTitle, { x: at.narrow ? 0 : at.errorLeft - 34, y: at.errorTop - 14 });
  set(parts.countTitle, { x: at.errorRight, y: at.errorBottom + 40 });
  set(parts.queryLine, { y1: 52, y2: at.weightBottom });
  const places = { ...at, x, y, xError, yError };
  drawAxes(parts, tokenGrid, counts, places);
  const weightLegend = { x: 64, y: at.weightTop - 10, gap: at.narrow ? 24 : 34, label: { class: "note", x: 20 } };
  legend(parts.weightLegend, weightEntries(parts), weightLegend);
  legend(parts.legend, legendOf(value_label), { y: 14, gap: at.narrow ? 28 : 40, label: { class: "title", x: 22 } });
  return places;
}

const legendOf = (/** @type {string} */ valueLabel) => [
  { name: "value", text: valueLabel, shape: "circle", cx: 8, cy: -4.5, r: 3.5 },
  { name: "estimate", text: "from features", d: "M0 -4.5H17" },
  { name: "reference", text: "exact", d: "M0 -4.5H17" },
  BEFORE,
];

const SWATCH = "M0 -10h14v11h-14z";

const weightEntries = (/** @type {Parts} */ parts) => [
  { name: "from-features", text: "from features", d: SWATCH },
  { name: "outline", text: "exact", d: SWATCH },
  { name: "on-wrong", text: "on wrong keys", d: SWATCH, fill: parts.wrong.getAttribute("fill") },
];

/**
 * @param {Parts} parts
 * @param {import("../parts/numbers.js").Grid} tokenGrid
 * @param {number[]} counts
 * @param {ReturnType<typeof layout> & { x: Scale, y: Scale, xError: Scale, yError: (share: number) => number }} at
 */
function drawAxes(parts, tokenGrid, counts, at) {
  const { x, y, xError, yError } = at,
    errorPanel = { left: at.errorLeft, right: at.errorRight, gap: 6 };
  const axis = axes(parts.axes);
  for (const { value, text } of ticks([y.invert(at.dataBottom), y.invert(at.dataTop)], 4)) {
    axis.level({ left: at.left, right: at.right, gap: 10 }, y(value), text);
  }
  for (const { value, text } of ticks(tokenGrid, 6)) axis.stop(x(value), at.weightBottom, text);
  for (const share of SHARES) axis.level(errorPanel, yError(share), roundPercent(share));
  for (const count of counts.filter((each) => Number.isInteger(Math.log2(each) / 2))) {
    axis.stop(xError(count), at.errorBottom, String(count));
  }
  axis.base(errorPanel, at.errorBottom);
  axis.base(at, at.weightBottom);
}

const curveOf = (/** @type {Layout} */ { x, y }, /** @type {number[]} */ estimates) =>
  path(estimates.map((estimate, i) => [x(i), clipped(y(estimate))]));

/**
 * Draw the estimates of all queries, exact and from this draw.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {number[]} values
 * @param {number[]} estimates
 * @param {number[]} exact
 */
export function drawCurves(parts, at, values, estimates, exact) {
  const { x, y } = at;
  set(parts.curve, { d: curveOf(at, estimates) });
  set(parts.exactCurve, { d: curveOf(at, exact) });
  repeat(parts.dots, "circle", values.length, (circle, i) => set(circle, { cx: x(i), cy: y(values[i]), r: 3 }));
}

/**
 * @param {Parts} parts
 * @param {Layout} at
 * @param {number[]} weights
 * @param {number[]} exact
 * @param {number[]} [before]
 */
export function drawWeights(parts, { x, left, right, weightTop, weightBottom }, weights, exact, before = []) {
  const level = (/** @type {number} */ size) => axisEnd(Math.min(size, 1), FINE_ENDS);
  const top = level(Math.max(...weights, ...exact, ...before));
  const least = Math.min(...weights, ...before);
  const low = least < -1e-12 ? -level(-least) : 0;
  const z = scale([low, top], [weightBottom, weightTop + 6]);
  const half = (x(1) - x(0)) / 2,
    edge = (/** @type {number} */ j) => Math.max(x(j) - half, left - 6).toFixed(1),
    y = (/** @type {number} */ weight) => clipped(z(weight)).toFixed(1);
  const steps = (/** @type {number[]} */ each) =>
    each.map((weight, j) => `${j === 0 ? "M" : "L"}${edge(j)} ${y(weight)}H${edge(j + 1)}`).join("");
  const stretch = (/** @type {number} */ j, /** @type {number} */ from, /** @type {number} */ to) =>
    `M${edge(j)} ${y(from)}H${edge(j + 1)}V${y(to)}H${edge(j)}z`;
  set(parts.columns, { d: weights.map((weight, j) => stretch(j, 0, weight)).join("") });
  set(parts.wrong, { d: weights.map((weight, j) => stretch(j, weight, exact[j])).join("") });
  set(parts.exactWeights, { d: steps(exact) });
  set(parts.ghostWeights, { d: steps(before) });
  set(parts.zero, { x1: left, x2: right, y1: z(0), y2: z(0) });
  const marks = [top, 0, low].filter((mark, i, all) => all.indexOf(mark) === i);
  repeat(parts.weightTicks, "text", marks.length, (text, i) => {
    set(text, { class: "tick left", x: left - 10, y: z(marks[i]) + 4 });
    setText(text, roundPercent(marks[i]));
  });
}

/**
 * @param {Parts} parts
 * @param {Layout} at
 * @param {number[]} counts
 * @param {number[][]} errors
 * @param {number} draw
 * @param {number} n_features
 * @param {Now["results"]} results
 */
export function drawErrors(parts, at, counts, errors, draw, n_features, { error, error_of_equal_weights: alike }) {
  const { xError, yError, errorLeft, errorRight, errorTop, errorBottom } = at;
  const curve = (/** @type {number[]} */ each) =>
    path(each.map((share, i) => [xError(counts[i]), clipped(yError(share))]));
  set(parts.thisDraw, { d: curve(errors[draw - 1]) });
  set(parts.otherDraws, {
    d: errors
      .filter((_, i) => i !== draw - 1)
      .map(curve)
      .join(""),
  });
  set(parts.alike, { x1: errorLeft, x2: errorRight, y1: yError(alike), y2: yError(alike) });
  set(parts.alikeLabel, { x: errorRight, y: yError(alike) - 6 });
  const [px, py] = [xError(n_features), Math.max(yError(error), errorTop)];
  set(parts.countLine, { x1: px, x2: px, y1: py, y2: errorBottom });
  set(parts.countDot, { cx: px, cy: py });
  const leftward = px > (errorLeft + errorRight) / 2;
  const x = px + (leftward ? -8 : 8);
  set(parts.countLabel, { x, y: errorBottom - 9, "text-anchor": leftward ? "end" : "start" });
  setText(parts.countLabel, `m = ${n_features}`);
  const words = `${n_features} frequencies, ${percent(error)} of the weight on wrong keys`;
  describe(parts.countHandle, counts.indexOf(n_features), [0, counts.length - 1], words);
}

/** Draw the previous estimates. @param {Parts} parts @param {Layout} at @param {Now} now */
export function drawGhost(parts, at, { setting: { query }, estimates, results: { estimate } }) {
  set(parts.ghostCurve, { d: curveOf(at, estimates) });
  const level = clamp(at.y(estimate), at.dataTop, at.dataBottom);
  set(parts.ghostDiamond, { d: diamond(8), transform: translate(at.x(query), level) });
}

/**
 * @param {Parts} parts
 * @param {Layout} at
 * @param {Data} data
 * @param {number} query
 * @param {Now["results"]} results
 */
export function drawQuery(parts, at, { ranges }, query, { estimate, exact_estimate }) {
  const pixel = at.x(query);
  set(parts.queryLine, { x1: pixel, x2: pixel });
  layPill(parts, `query ${query}`, pixel, at.right + 12);
  const words = `${query}, estimate ${format(estimate, 2)}, exact ${format(exact_estimate, 2)}`;
  describe(parts.queryHandle, query, ranges.query, words);
  const inPanel = (/** @type {number} */ value) => clamp(at.y(value), at.dataTop, at.dataBottom);
  set(parts.diamond, { transform: translate(pixel, inPanel(estimate)) });
  set(parts.exactDiamond, { transform: translate(pixel, inPanel(exact_estimate)) });
}
