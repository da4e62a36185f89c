import { clamp, roundPercent } from "../parts/numbers.js";
import {
  BEFORE,
  axes,
  axisEnd,
  describe,
  diamond,
  drawParts,
  fontSize,
  hideTicksNear,
  layPill,
  legend,
  path,
  repeat,
  resize,
  scale,
  set,
  setText,
  stem,
  svg,
  textWidth,
  ticks,
  translate,
} from "../parts/plot.js";
import { estimate, logWeights } from "./estimate.js";

// Elements, layout and drawing.

/**
 * @typedef {import("./regression.js").Data} Data
 * @typedef {import("./regression.js").Setting} Setting
 * @typedef {import("./estimate.js").Curve} Curve
 * @typedef {import("./regression.js").Figure["now"]} Now
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof layout> & { x: import("../parts/plot.js").Scale, y: import("../parts/plot.js").Scale
 *   }} Layout
 */

export const HIT = { mouse: 10, touch: 16 }; // pixels within which the pointer selects a point

/** Return the layout, in pixels, for this width. @param {number} width */
function layout(width) {
  const narrow = width < 520;
  const left = 44,
    right = width - 14,
    dataTop = 60;
  const dataBottom = dataTop + (narrow ? 210 : clamp(width - 576, 160, 270)); // slides have more space
  const weightTop = dataBottom + 38;
  const weightBottom = weightTop + (narrow ? 84 : 74);
  const /** @type {number[]} */ columns = []; // every pixel of the plot
  for (let pixel = left; pixel <= right; pixel += 1) columns.push(pixel);
  const height = weightBottom + 46;
  return { width, height, narrow, left, right, dataTop, dataBottom, weightTop, weightBottom, columns };
}

/**
 * Create the elements of the drawing, from back to front.
 * @param {HTMLElement} stage @param {{ key_label: string }} data
 */
export function elements(stage, { key_label }) {
  const parts = drawParts(stage, (add) => ({
    band: add("rect", "band"),
    axes: add("g", "axes"),
    halos: add("g", "halos"),
    truth: add("path", "truth"),
    ghostCurve: add("path", "ghost"),
    curve: add("path", "curve"),
    dots: add("g", "dots"),
    rug: add("path", "rug"),
    weightPanel: add("svg", "weight-panel"),
    weightTick: add("text", "tick left"),
    reachLine: add("path", "reach-line"),
    reachLabel: add("text", "note"),
    queryLine: add("line", "query-line"),
    ghostDiamond: add("path", "ghost", { d: diamond(8) }),
    answer: add("g", "answer"),
    nothing: add("text", "note nothing", { text: "no key in reach" }),
    reachHandle: add("circle", "reach-handle", { r: 6 }),
    hits: add("g", "hits"),
    queryHandle: add("g", "query-handle", { role: "slider", tabindex: 0, "aria-label": "Query" }),
    keyHandle: add("g", "key-handle", { role: "slider", tabindex: 0 }),
    legend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight", x: 0 }),
    keyTitle: add("text", "title key", { text: key_label }),
  }));
  const { answer, weightPanel, queryHandle, keyHandle } = parts;
  svg("circle", { class: "ring", r: 10 }, keyHandle);
  return {
    ...parts,
    answerLine: svg("line", { class: "answer-line" }, answer),
    diamond: svg("path", { class: "diamond", d: diamond(7.5) }, answer),
    answerPill: svg("rect", { class: "answer-pill", x: 0, height: 20, rx: 10 }, answer),
    answerLabel: svg("text", { class: "answer-label" }, answer),
    profile: svg("path", { class: "profile" }, weightPanel),
    stems: svg("path", { class: "stems" }, weightPanel),
    ghostProfile: svg("path", { class: "ghost" }, weightPanel),
    pill: svg("rect", { class: "pill", y: 28, height: 24, rx: 12 }, queryHandle),
    pillLabel: svg("text", { class: "pill-label", y: 44.5 }, queryHandle),
  };
}

/**
 * Lay out everything that depends only on the width: positions, scales and axes.
 * @param {Parts} parts @param {Data} data @param {number} width @returns {Layout}
 */
export function arrange(parts, data, width) {
  const at = layout(width);
  const x = scale(data.key_grid, [at.left, at.right]),
    y = scale(data.value_grid, [at.dataBottom, at.dataTop]);
  resize(parts.canvas, width, at.height);
  set(parts.weightPanel, { x: 0, y: at.weightTop, width, height: at.weightBottom - at.weightTop });
  set(parts.weightTick, { x: at.left - 8, y: at.weightTop + 10 });
  set(parts.weightTitle, { y: at.weightTop - 10 });
  set(parts.keyTitle, { x: at.right, y: at.height - 6 });
  set(parts.queryLine, { y1: 52, y2: at.weightBottom });
  const places = { ...at, x, y };
  drawAxes(parts, data, places);
  drawTruth(parts, data, places);
  drawLegend(parts, data, at.narrow);
  return places;
}

/** @param {Parts} parts @param {Data} data @param {Layout} at */
function drawAxes(parts, { key_grid, value_grid }, at) {
  const axis = axes(parts.axes);
  for (const { value, text } of ticks(value_grid, at.narrow ? 4 : 5)) axis.level(at, at.y(value), text);
  for (const { value, text } of ticks(key_grid, at.narrow ? 5 : 9)) axis.stop(at.x(value), at.weightBottom, text);
  axis.base(at, at.weightBottom);
  axis.line("grid", at.left, at.weightTop + 6, at.right, at.weightTop + 6);
}

/** @param {Parts} parts @param {Data} data @param {Layout} at */
function drawTruth(parts, { truth }, { left, right, y }) {
  const points = truth.map((value, i) => [left + (i / (truth.length - 1)) * (right - left), y(value)]);
  set(parts.truth, { d: path(points) });
}

/**
 * Draw the legend; the axis titles name the rest.
 * @param {Parts} parts @param {Data} data @param {boolean} isNarrow
 */
function drawLegend(parts, { truth, value_label }, isNarrow) {
  const entries = [
    { name: "value", text: value_label, shape: "circle", cx: 8, cy: -4.5, r: 4 },
    { name: "estimate", text: "estimate", d: "M-8 0H8M0 -5L5 0L0 5L-5 0Z", transform: "translate(8 -4.5)" },
    ...(truth.length ? [{ name: "truth", text: "truth", d: "M0 -4.5H17" }] : []),
    BEFORE,
  ];
  legend(parts.legend, entries, { y: 14, gap: isNarrow ? 40 : 44, label: { class: "title", x: 22 } });
}

/** The path of the estimates for all queries. @param {Layout} at @param {Curve} setting */
function curveOf({ x, y, columns }, setting) {
  const everySecond = columns.filter((_, i) => i % 2 === 0);
  return path(everySecond.map((pixel) => [pixel, y(estimate(x.invert(pixel), setting))]));
}

/**
 * Draw everything except the query: the fitted curve, the points and the keys below them.
 * @param {Parts} parts @param {Layout} at @param {Curve} setting
 */
export function drawData(parts, at, setting) {
  const { x, y, dataBottom } = at,
    { keys, values } = setting;
  set(parts.curve, { d: curveOf(at, setting) });
  set(parts.rug, { d: keys.map((key) => `M${x(key).toFixed(1)} ${dataBottom + 5}v9`).join("") });
  for (const { group, r } of [
    { group: parts.halos, r: 0 },
    { group: parts.dots, r: 4 },
    { group: parts.hits, r: HIT.mouse },
  ]) {
    repeat(group, "circle", keys.length, (circle, i) => set(circle, { cx: x(keys[i]), cy: y(values[i]), r }));
  }
}

/**
 * Show the relative weights by halo area and point opacity; outline the points with 90 % of the weight.
 * @param {Parts} parts @param {{ weights: number[], keys_for_90_percent: number }} now
 */
export function drawHalos(parts, { weights, keys_for_90_percent }) {
  const largest = Math.max(...weights),
    heaviest = [...weights.keys()].sort((a, b) => weights[b] - weights[a]).slice(0, keys_for_90_percent);
  weights.forEach((weight, i) => {
    const radius = Math.sqrt(weight / (largest || 1));
    set(parts.halos.children[i], { r: 13 * radius, class: heaviest.includes(i) ? "counted" : "" });
    set(parts.dots.children[i], { "fill-opacity": radius });
  });
}

/**
 * Draw a stem per key under the kernel, and the kernel before the gesture.
 * @param {Parts} parts @param {Layout} at @param {Now} now @param {Now} [ghost]
 */
export function drawWeights(parts, { x, columns, weightTop, weightBottom }, now, ghost) {
  const largest = Math.max(...now.weights, ...(ghost?.weights ?? []));
  const top = axisEnd(largest || 1),
    height = weightBottom - weightTop;
  const z = scale([0, top], [height, 6]);
  setText(parts.weightTick, roundPercent(top));
  const stems = now.setting.keys.map((key, i) => (now.weights[i] > 0 ? stem(x(key), height, z(now.weights[i])) : ""));
  set(parts.stems, { d: stems.join("") });
  const above = 2 * top; // far from all keys the kernel exceeds the panel and may overflow
  const shape = (/** @type {Now} */ mark) => {
    const heights = profile(columns.map(x.invert), mark);
    return path(columns.map((pixel, i) => [pixel, z(Math.min(heights[i], above))]));
  };
  set(parts.profile, { d: shape(now) });
  if (ghost) set(parts.ghostProfile, { d: shape(ghost) });
}

/**
 * The weight that a key would have at each location; NaN if no key has weight.
 * @param {number[]} places @param {Now} now
 */
function profile(places, { setting, logs, weights }) {
  const largest = Math.max(...weights),
    largestLog = logs[weights.indexOf(largest)];
  return logWeights(setting.query, places, setting).map((log) =>
    largest > 0 ? largest * Math.exp(log - largestLog) : NaN,
  );
}

const hasReach = (/** @type {string} */ kernel) => kernel !== "softmax-dot" && kernel !== "constant";

/**
 * Draw the interval within one bandwidth of the query, and its draggable end.
 * @param {Parts} parts @param {Data} data @param {Layout} at @param {Setting} setting
 */
export function drawReach(parts, { key_grid, bandwidthText }, at, { query, bandwidth, kernel }) {
  const inside = (/** @type {number} */ key) => clamp(at.x(key), at.left, at.right);
  const [low, high] = [inside(query - bandwidth), inside(query + bandwidth)];
  const leftward = query > (key_grid[0] + key_grid[1]) / 2;
  const end = leftward ? low : high;
  const level = at.dataBottom + 26;
  const outer = leftward ? end - 12 : end + 12;
  const fits = leftward ? outer - 60 > at.left : outer + 60 < at.right; // otherwise the label goes to the other side of the query
  set(parts.band, { x: low, width: high - low, y: at.dataTop, height: at.weightBottom - at.dataTop });
  set(parts.reachLine, { d: `M${at.x(query)} ${level}H${end}` });
  set(parts.reachHandle, { cx: end, cy: level });
  const labelX = fits ? outer : at.x(query) + (leftward ? 8 : -8);
  set(parts.reachLabel, { x: labelX, y: level + 4, "text-anchor": fits === leftward ? "end" : "start" });
  setText(parts.reachLabel, bandwidthText(bandwidth));
  const visibility = hasReach(kernel) ? "visible" : "hidden";
  [parts.band, parts.reachLine, parts.reachHandle, parts.reachLabel].forEach((part) => set(part, { visibility }));
}

/** @param {Parts} parts @param {Data} data @param {Layout} at @param {number} query @param {number} answer */
export function drawQuery(parts, { key_grid, keyText, valueText }, at, query, answer) {
  const pixel = at.x(query);
  set(parts.queryLine, { x1: pixel, x2: pixel });
  layPill(parts, `query ${keyText(query)}`, pixel, at.width - 1);
  describe(parts.queryHandle, query, key_grid, keyText(query));
  const nothing = Number.isNaN(answer);
  set(parts.answer, { visibility: nothing ? "hidden" : "visible" });
  const noteX = clamp(pixel, at.left + 52, at.right - 52);
  set(parts.nothing, { visibility: nothing ? "visible" : "hidden", x: noteX, y: (at.dataTop + at.dataBottom) / 2 });
  if (!nothing) drawAnswer(parts, at, pixel, at.y(answer), valueText(answer));
}

/**
 * Draw the estimate, with a line from the query to the axis.
 * @param {Parts} parts @param {Layout} at @param {number} pixel @param {number} level @param {string} text
 */
function drawAnswer(parts, { left }, pixel, level, text) {
  const width = Math.max(textWidth(text, fontSize(parts.answerLabel)) + 14, left - 2);
  set(parts.answerLine, { x1: width, x2: pixel, y1: level, y2: level });
  set(parts.diamond, { transform: translate(pixel, level) });
  set(parts.answerPill, { y: level - 10, width });
  set(parts.answerLabel, { x: width / 2, y: level + 4.5 });
  setText(parts.answerLabel, text);
  hideTicksNear(parts.axes.querySelectorAll(".left"), level, 16);
}

/** Draw the previous curve and estimate. @param {Parts} parts @param {Layout} at @param {Now} now */
export function drawGhost(parts, at, { setting, estimate }) {
  const nothing = Number.isNaN(estimate);
  set(parts.ghostCurve, { d: curveOf(at, setting) });
  set(parts.ghostDiamond, { d: nothing ? "" : diamond(8) });
  if (!nothing) set(parts.ghostDiamond, { transform: translate(at.x(setting.query), at.y(estimate)) });
}

/**
 * Draw the ring on the point that the arrow keys move.
 * @param {Parts} parts
 * @param {Data} data
 * @param {Layout} at
 * @param {Setting} setting
 * @param {string} words
 * @param {number} chosen
 */
export function drawChosenKey(parts, { key_grid }, { x, y }, { keys, values }, words, chosen) {
  set(parts.keyHandle, {
    transform: translate(x(keys[chosen]), y(values[chosen])),
    "aria-label": `Point ${chosen + 1} of ${keys.length}. Page Up and Page Down select a different point`,
  });
  describe(parts.keyHandle, keys[chosen], key_grid, words);
}
