import {
  axes,
  axisEnd,
  describe,
  diamond,
  drawParts,
  hideTicksNear,
  layPill,
  legend,
  path,
  resize,
  scale,
  set,
  setText,
  stem,
  svg,
  translate,
} from "../parts/plot.js";
import { clamp, roundPercent } from "../parts/numbers.js";
import { BEYOND, criterionOf } from "./fit.js";
import { LABEL_ROOM } from "./others.js";
import { dateTicks, numberTicks } from "./text.js";

// Elements, layout and drawing: the points with the curve above; the errors, the weights or the residuals below.

const MOST_DOTS = 3000; // drawn; of more points every second, third … is drawn

/**
 * @typedef {import("./your_points.js").Points} Points
 * @typedef {import("./your_points.js").Columns} Columns
 * @typedef {import("./your_points.js").Figure["now"]} Now
 * @typedef {import("../parts/plot.js").Scale} Scale
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof arrange>} Layout
 *
 * The candidate at a pixel.
 * @typedef {((pixel: number) => number) | undefined} ParameterAt
 */

/** @param {number} width @param {number} room for labels beside the panel */
function layout(width, room) {
  const narrow = width < 520,
    left = narrow ? 48 : 60,
    right = width - room,
    dataTop = 56;
  const dataBottom = dataTop + (narrow ? 180 : 140),
    lowTop = dataBottom + 48,
    lowBottom = lowTop + 62;
  return { width, height: lowBottom + 24, narrow, left, right, dataTop, dataBottom, lowTop, lowBottom };
}

/** @param {HTMLElement} stage */
export function elements(stage) {
  const parts = drawParts(stage, (add) => ({
    axes: add("g", "axes"),
    lowAxes: add("g", "axes"),
    band: add("path", "band"),
    dots: add("path", "dots"),
    others: add("g", "others"),
    near: add("path", "near"),
    curve: add("path", "curve"),
    low: add("path", "low"),
    scores: add("path", "scores"),
    now: add("path", "now"),
    queryLine: add("line", "query-line"),
    answer: add("g", "answer"),
    nothing: add("text", "note nothing", { text: "no key in reach" }),
    queryHandle: add("g", "query-handle", { role: "slider", tabindex: 0, "aria-label": "Query" }),
    pointHandle: add("g", "point-handle", { role: "slider", tabindex: 0 }),
    legend: add("g", "legend"),
    lowTitle: add("text", "title low-title", { x: 0 }),
    keyTitle: add("text", "title key"),
  }));
  const { answer, queryHandle, pointHandle } = parts;
  svg("circle", { class: "ring", r: 8 }, pointHandle);
  return {
    ...parts,
    diamond: svg("path", { class: "diamond", d: diamond(7.5) }, answer),
    answerPill: svg("rect", { class: "answer-pill", x: 0, height: 20, rx: 10 }, answer),
    answerLabel: svg("text", { class: "answer-label" }, answer),
    pill: svg("rect", { class: "pill", y: 26, height: 24, rx: 12 }, queryHandle),
    pillLabel: svg("text", { class: "pill-label", y: 42.5 }, queryHandle),
  };
}

const rangeOf = (/** @type {Float64Array} */ numbers) => {
  let [low, high] = [Infinity, -Infinity];
  for (const number of numbers) {
    if (number < low) low = number;
    if (number > high) high = number;
  }
  return [low, high];
};

/** A range with a margin, also if all numbers are equal. @param {number[]} range @param {number} share */
export function widened([low, high], share) {
  const margin = share * (high - low) > 1e-12 * Math.abs(high) ? share * (high - low) : Math.abs(high) / 10 || 1;
  return [low - margin, high + margin];
}

/**
 * Lay out everything that depends on the width and the points.
 * @param {Parts} parts @param {number} width @param {Points} points @param {Columns} data @param {boolean} hasLabels
 */
export function arrange(parts, width, points, data, hasLabels) {
  const at = layout(width, hasLabels ? LABEL_ROOM : 14),
    keyRange = widened(rangeOf(data.keys), 0.04),
    valueRange = widened(rangeOf(data.values), 0.08);
  const x = scale(keyRange, [at.left, at.right]),
    y = scale(valueRange, [at.dataBottom, at.dataTop]);
  resize(parts.canvas, width, at.height);
  const axis = axes(parts.axes);
  for (const { value, text } of (points.value_dates ? dateTicks : numberTicks)(valueRange, 4))
    axis.level(at, y(value), text);
  const keyTicks = (points.dates ? dateTicks : numberTicks)(keyRange, at.narrow ? 3 : 6);
  for (const { value, text } of keyTicks) axis.stop(x(value), at.dataBottom, text);
  axis.base(at, at.dataBottom);
  set(parts.keyTitle, { x: at.right, y: at.dataBottom + 36 });
  setText(parts.keyTitle, points.key_label);
  set(parts.lowTitle, { y: at.lowTop - 12 });
  set(parts.queryLine, { y1: 50, y2: at.dataBottom });
  drawLegend(parts, points, data, at);
  set(parts.dots, { d: dotted(data, x, y) });
  return { ...at, x, y, keyTicks };
}

/** @param {Parts} parts @param {Points} points @param {Columns} data @param {ReturnType<typeof layout>} at */
function drawLegend(parts, points, data, { narrow, width }) {
  const step = stepOf(data.keys.length),
    drawn = step > 1 ? `, 1 in ${step} drawn` : "";
  const label = narrow ? points.value_label.slice(0, 14) : points.value_label;
  const entries = [
    { name: "value", text: label + drawn, shape: "circle", cx: 8, cy: -4.5, r: 3 },
    { name: "estimate", text: "estimate", d: "M0 -4.5H17" },
    ...(narrow ? [] : [{ name: "band", text: "95\u00a0% band", d: "M0 -11H17V1H0Z" }]),
  ];
  legend(parts.legend, entries, { y: 14, gap: narrow ? 36 : 44, width, line: 0, label: { class: "title", x: 22 } });
}

const stepOf = (/** @type {number} */ count) => Math.ceil(count / MOST_DOTS);

/** Dots as one path of points with round ends. @param {Columns} data @param {Scale} x @param {Scale} y */
function dotted({ keys, values }, x, y) {
  const step = stepOf(keys.length),
    dots = [];
  for (let i = 0; i < keys.length; i += step) dots.push(`M${x(keys[i]).toFixed(1)} ${y(values[i]).toFixed(1)}h0`);
  return dots.join("");
}

/**
 * Draw the curve and its band, with gaps where there is no estimate; nothing if there is no fit.
 * @param {Parts} parts @param {Layout} at @param {Now["fit"]} fit @param {Float64Array} queries
 */
export function drawFit(parts, { x, y, dataTop, dataBottom }, fit, queries) {
  if (!fit) return [parts.curve, parts.band].forEach((part) => set(part, { d: "" }));
  const { estimates, halves } = fit,
    inside = (/** @type {number} */ pixel) => clamp(pixel, dataTop, dataBottom); // a band may be much wider than the panel
  const of = (/** @type {number} */ sign) =>
    Array.from(queries, (query, i) => [x(query), inside(y(estimates[i] + sign * halves[i]))]);
  set(parts.curve, { d: path(Array.from(queries, (query, i) => [x(query), inside(y(estimates[i]))])) });
  set(parts.band, { d: bandPath(of(1), of(-1)) });
}

/** A closed path for each run of points without NaN. @param {number[][]} above @param {number[][]} below */
function bandPath(above, below) {
  const /** @type {number[][]} */ runs = [];
  above.forEach(([, y], i) => {
    if (Number.isNaN(y)) return;
    if (i === 0 || Number.isNaN(above[i - 1][1])) runs.push([]);
    runs[runs.length - 1].push(i);
  });
  const closed = (/** @type {number[]} */ run) =>
    `${path([...run.map((i) => above[i]), ...run.toReversed().map((i) => below[i])])}Z`;
  return runs
    .filter((run) => run.length > 1)
    .map(closed)
    .join("");
}

/** @param {Parts} parts @param {Layout} at @param {Now} now */
export function drawQuery(parts, at, { query, estimate, keyText, valueText, data }) {
  const pixel = at.x(query),
    isNothing = Number.isNaN(estimate),
    level = isNothing ? 0 : clamp(at.y(estimate), at.dataTop, at.dataBottom);
  set(parts.queryLine, { x1: pixel, x2: pixel });
  layPill(parts, `query ${keyText(query)}`, pixel, at.width - 1);
  describe(parts.queryHandle, query, [data.keys[0], data.keys[data.keys.length - 1]], keyText(query));
  set(parts.nothing, {
    visibility: isNothing ? "visible" : "hidden",
    x: clamp(pixel, at.left + 52, at.right - 52),
    y: (at.dataTop + at.dataBottom) / 2,
  });
  set(parts.answer, { visibility: isNothing ? "hidden" : "visible" });
  if (isNothing) return;
  const text = valueText(estimate),
    width = Math.max(7.3 * text.length + 14, at.left - 4);
  set(parts.diamond, { transform: translate(pixel, level) });
  set(parts.answerPill, { y: level - 10, width });
  set(parts.answerLabel, { x: width / 2, y: level + 4.5 });
  setText(parts.answerLabel, text);
  hideTicksNear(parts.axes.querySelectorAll(".left"), level, 16);
}

/**
 * Draw the points with 90 % of the weight of the query in full colour.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {Now} now
 */
export function drawNear(parts, { x, y }, { data, row: { first, weights }, keys_for_90_percent: count }) {
  const step = stepOf(count);
  const heaviest = [...weights.keys()].sort((a, b) => weights[b] - weights[a]).slice(0, count);
  const dots = heaviest.filter((_, i) => i % step === 0).map((i) => first + i);
  set(parts.near, { d: dots.map((i) => `M${x(data.keys[i]).toFixed(1)} ${y(data.values[i]).toFixed(1)}h0`).join("") });
}

/**
 * Draw the lower panel, and return where a candidate is in it, for dragging.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {Now} now
 * @returns {ParameterAt}
 */
export function drawLow(parts, at, now) {
  set(parts.scores, { d: "" });
  set(parts.now, { d: "" });
  set(parts.low, { d: "" });
  const { panel } = now.setting;
  return { errors: drawErrors, weights: drawWeights, residuals: drawResiduals }[panel](parts, at, now);
}

/** @type {Record<string, string>} */
const LOW_TITLES = {
  "leave-one-out": "leave-one-out error",
  AICc: "AICc",
  [BEYOND]: "error without the neighbours",
};

/** @param {Parts} parts @param {Layout} at @param {Now} now @returns {ParameterAt} */
function drawErrors(parts, at, now) {
  const { candidates, scores, parameter, name, setting } = now,
    axis = axes(parts.lowAxes);
  const criterion = criterionOf(setting.by);
  setText(parts.lowTitle, name ? LOW_TITLES[criterion] : "no parameter to choose");
  axis.base(at, at.lowBottom);
  if (!name) return undefined;
  const across = scale([candidates[0], candidates[candidates.length - 1]].map(Math.log), [at.left, at.right]);
  const stops = at.narrow ? 3 : 5;
  for (let k = 0; k <= stops; k += 1) {
    const value = candidates[Math.round((k * (candidates.length - 1)) / stops)];
    axis.stop(across(Math.log(value)), at.lowBottom, String(value).replaceAll("-", "−"));
  }
  const found = scores?.[criterion] ?? [],
    finite = found.filter(Number.isFinite);
  const level = finite.length ? scoreScale(finite, at) : undefined;
  if (level)
    set(parts.scores, {
      d: path(
        candidates.map((value, i) => [across(Math.log(value)), Number.isFinite(found[i]) ? level(found[i]) : NaN]),
      ),
    });
  set(parts.now, { d: stem(across(Math.log(parameter)), at.lowTop - 4, at.lowBottom) });
  return (pixel) => Math.exp(across.invert(clamp(pixel, at.left, at.right)));
}

/**
 * A scale for the errors up to four times the way from the smallest to the median, where the choice is made.
 * @param {number[]} scores
 * @param {Layout} at
 */
function scoreScale(scores, at) {
  const sorted = [...scores].sort((a, b) => a - b),
    [low, highest] = [sorted[0], sorted[sorted.length - 1]],
    high = Math.min(highest, low + 4 * (sorted[sorted.length >> 1] - low) || highest);
  const level = scale(widened([low, high], 0.05), [at.lowBottom, at.lowTop]);
  return (/** @type {number} */ score) => clamp(level(score), at.lowTop - 6, at.lowBottom);
}

/** @param {Parts} parts @param {Layout} at @param {Now} now */
function drawWeights(parts, at, { row: { first, weights }, data }) {
  const axis = axes(parts.lowAxes),
    largest = weights.reduce((a, b) => Math.max(a, b), 0),
    least = weights.reduce((a, b) => Math.min(a, b), 0);
  const top = largest > 0.01 ? axisEnd(largest) : largest || 1,
    level = scale([Math.min(least, 0), top], [at.lowBottom, at.lowTop]);
  setText(parts.lowTitle, "weight of each point");
  axis.level(at, level(top), top > 0.009 ? roundPercent(top) : `${(100 * top).toPrecision(1)} %`);
  axis.base(at, level(0));
  const shown = [...weights.keys()].filter((i) => Math.abs(weights[i]) > 1e-4 * largest),
    step = stepOf(shown.length);
  const stems = shown
    .filter((_, k) => k % step === 0)
    .map((i) => stem(at.x(data.keys[first + i]), level(0), level(weights[i])));
  set(parts.low, { d: stems.join("") });
  return undefined;
}

/** @param {Parts} parts @param {Layout} at @param {Now} now */
function drawResiduals(parts, at, { fit, data }) {
  const axis = axes(parts.lowAxes);
  setText(parts.lowTitle, "value − estimate");
  if (!fit) return undefined;
  const residuals = data.values.map((value, i) => value - fit.fitted[i]),
    largest = residuals.reduce((a, b) => Math.max(a, Math.abs(b) || 0), 0) || 1;
  const level = scale([-1.05 * largest, 1.05 * largest], [at.lowBottom, at.lowTop]);
  for (const { value, text } of numberTicks([-largest, largest], 2)) axis.level(at, level(value), text);
  const step = stepOf(residuals.length),
    stems = [];
  for (let i = 0; i < residuals.length; i += step) {
    if (!Number.isNaN(residuals[i])) stems.push(stem(at.x(data.keys[i]), level(0), level(residuals[i])));
  }
  set(parts.low, { d: stems.join("") });
  return undefined;
}

/**
 * Draw the ring on the selected point.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {Now} now
 * @param {number} chosen
 */
export function drawPoint(parts, at, { data, keyText, valueText }, chosen) {
  const [key, value] = [data.keys[chosen], data.values[chosen]],
    n = data.keys.length;
  const label = `Point ${chosen + 1} of ${n}. Page Up and Page Down select a different point, Delete removes it`;
  set(parts.pointHandle, { transform: translate(at.x(key), at.y(value)), "aria-label": label });
  describe(parts.pointHandle, key, [data.keys[0], data.keys[n - 1]], `${keyText(key)}, value ${valueText(value)}`);
}
