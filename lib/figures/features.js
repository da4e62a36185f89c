import { choiceSetting, liveFigure, numberSetting, role, traitsOf } from "./core.js";
import { arrowKeys, draggable, focus } from "./hands.js";
import { inner } from "./matrices.js";
import { clamp, floatsOf, format, onGrid, percent, roundPercent } from "./numbers.js";
import { playButton } from "./play.js";
import {
  axes,
  BEFORE,
  clipped,
  describe,
  diamond,
  html,
  layPill,
  legend,
  path,
  repeat,
  resize,
  scale,
  set,
  stem,
  svg,
  ticks,
  translate,
  withMargin,
} from "./plot.js";
import { reader, tellValues } from "./readout.js";
import { average, axisEnd, keysForShare, softmax, totalVariation } from "./weights.js";

// Exact attention beside its estimate from random features. Above: values, and the estimates of all queries. Below:
// the weights of one query. Beside them, on a phone under them: how the error falls as features are added.

const SHARES = [0.01, 0.1, 1]; // ticks of the error
const LARGEST_SHARE = 4; // the end of its axis
const FINE_ENDS = [1, 0.7, 0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01]; // ends of the weights' axis

// ---- The maps of lib/random_features ---------------------------------------------------------------------

/** A feature is exp(sign ‖x‖²/2) f(ω·x); the factor 1/√m of all features cancels in the weights. */
export const FEATURE_MAPS = {
  positive: { sign: -1, functions: [Math.exp] },
  hyperbolic: { sign: -1, functions: [Math.exp, (u) => Math.exp(-u)] },
  trigonometric: { sign: 1, functions: [Math.cos, Math.sin] },
};

/** Features of all tokens: for each function, one Float64Array per frequency. */
export function featuresOf(tokens, frequencies, map) {
  const { sign, functions } = FEATURE_MAPS[map];
  const factors = tokens.map((token) => Math.exp((sign * inner(token, 0, token, 0, token.length)) / 2));
  return functions.map((f) =>
    frequencies.map((frequency) => {
      const row = new Float64Array(tokens.length);
      for (let j = 0; j < row.length; j += 1)
        row[j] = factors[j] * f(inner(frequency, 0, tokens[j], 0, frequency.length));
      return row;
    }),
  );
}

/** Estimated weights of one query after each of the `counts` of features: Σ φ(q)φ(k), normalised. */
export function weightsAfter(features, query, counts) {
  const sums = new Float64Array(features[0][0].length);
  let used = 0;
  return counts.map((count) => {
    for (; used < count; used += 1) {
      for (const feature of features) {
        const row = feature[used],
          own = row[query];
        for (let j = 0; j < sums.length; j += 1) sums[j] += own * row[j];
      }
    }
    const total = sums.reduce((a, b) => a + b, 0);
    return Array.from(sums, (sum) => sum / total);
  });
}

export function exactWeights(tokens, query) {
  return softmax(tokens.map((token) => inner(tokens[query], 0, token, 0, token.length)));
}

/** Frequencies that Python packed as text: for each coupling and draw, a list of vectors. */
function frequenciesOf({ shape: [couplings, draws, count, dimension], data }) {
  const numbers = floatsOf(data);
  const list = (length, make) => Array.from({ length }, (_, i) => make(i));
  return list(couplings, (c) =>
    list(draws, (d) =>
      list(count, (l) => {
        const first = ((c * draws + d) * count + l) * dimension;
        return numbers.subarray(first, first + dimension);
      }),
    ),
  );
}

// ---- The picture ------------------------------------------------------------------------------------------

/** Where things are, in pixels, for a figure of this width. */
function layout(width) {
  const narrow = width < 560;
  const left = 44,
    dataTop = 60;
  const right = narrow ? width - 14 : Math.round(width * 0.61);
  const dataBottom = dataTop + (narrow ? 150 : 170);
  const weightTop = dataBottom + 38;
  const weightBottom = weightTop + (narrow ? 120 : 130);
  const errorLeft = narrow ? left : right + 70;
  const errorTop = narrow ? weightBottom + 84 : dataTop;
  const errorBottom = narrow ? errorTop + 150 : weightBottom;
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

/** The elements of the picture, from back to front. */
function elements(stage, tokenLabel) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes) => svg(tag, { class: name, ...attributes }, canvas);
  const parts = {
    canvas,
    axes: add("g", "axes"),
    dataPanel: add("svg", "panel"),
    weightPanel: add("svg", "panel"),
    errorPanel: add("svg", "panel"),
    weightTicks: add("g", "weight-ticks"),
    alikeLabel: add("text", "note", { text: "all keys alike" }),
    queryLine: add("line", "query-line"),
    answer: add("g", "answer"),
    queryHandle: add("g", "query-handle", { role: "slider", tabindex: 0, "aria-label": "Query" }),
    countHandle: add("g", "count-handle", { role: "slider", tabindex: 0, "aria-label": "Number of frequencies" }),
    legend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight", x: 0 }),
    tokenTitle: add("text", "title key", { text: tokenLabel }),
    errorTitle: add("text", "title weight", { text: "weight on wrong keys" }),
    countTitle: add("text", "title axis", { text: "number of frequencies" }),
  };
  const inside = (panel, tag, name) => svg(tag, { class: name }, parts[panel]);
  parts.exactCurve = inside("dataPanel", "path", "exact");
  parts.ghostCurve = inside("dataPanel", "path", "ghost");
  parts.curve = inside("dataPanel", "path", "curve");
  parts.dots = inside("dataPanel", "g", "dots");
  parts.zero = inside("weightPanel", "line", "base");
  parts.stems = inside("weightPanel", "path", "stems");
  parts.exactHalo = inside("weightPanel", "path", "exact-halo");
  parts.exactWeights = inside("weightPanel", "path", "exact");
  parts.ghostWeights = inside("weightPanel", "path", "ghost");
  parts.otherDraws = inside("errorPanel", "path", "other-draws");
  parts.alike = inside("errorPanel", "line", "alike");
  parts.thisDraw = inside("errorPanel", "path", "this-draw");
  parts.ghostDiamond = svg("path", { class: "ghost" }, parts.answer);
  parts.exactDiamond = svg("path", { class: "exact-diamond", d: diamond(7.5) }, parts.answer);
  parts.diamond = svg("path", { class: "diamond", d: diamond(7.5) }, parts.answer);
  parts.pill = svg("rect", { class: "pill", y: 28, height: 24, rx: 12 }, parts.queryHandle);
  parts.pillLabel = svg("text", { class: "pill-label", y: 44.5 }, parts.queryHandle);
  parts.countLine = svg("line", { class: "count-line" }, parts.countHandle);
  parts.countDot = svg("circle", { class: "count-dot", r: 7 }, parts.countHandle);
  parts.countLabel = svg("text", { class: "count-label" }, parts.countHandle);
  return parts;
}

/** What depends on the width alone: places, scales and axes. */
function arrange(parts, { values, tokenGrid, counts, valueLabel }, width) {
  const at = layout(width);
  const x = scale(tokenGrid, [at.left, at.right]);
  const y = scale(withMargin(values, 0.12), [at.dataBottom, at.dataTop]);
  const decades = scale([Math.log(counts[0]), Math.log(counts.at(-1))], [at.errorLeft, at.errorRight]);
  const errors = scale([Math.log(SHARES[0]), Math.log(LARGEST_SHARE)], [at.errorBottom, at.errorTop]);
  const xError = Object.assign((count) => decades(Math.log(count)), {
    invert: (pixel) => Math.exp(decades.invert(pixel)),
  });
  const yError = (share) => errors(Math.log(Math.max(share, SHARES[0] / 2)));
  resize(parts.canvas, width, at.height);
  const panel = (name, left, top, right, bottom) =>
    set(parts[name], {
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      viewBox: `${left} ${top} ${right - left} ${bottom - top}`,
    });
  panel("dataPanel", at.left - 6, at.dataTop, at.right + 6, at.dataBottom);
  panel("weightPanel", at.left - 6, at.weightTop, at.right + 6, at.weightBottom);
  panel("errorPanel", at.errorLeft, at.errorTop, at.errorRight, at.errorBottom);
  set(parts.weightTitle, { y: at.weightTop - 10 });
  set(parts.tokenTitle, { x: at.right, y: at.weightBottom + 40 });
  set(parts.errorTitle, { x: at.narrow ? 0 : at.errorLeft - 34, y: at.errorTop - 14 });
  set(parts.countTitle, { x: at.errorRight, y: at.errorBottom + 40 });
  set(parts.queryLine, { y1: 52, y2: at.weightBottom });
  const places = { ...at, x, y, xError, yError };
  drawAxes(parts, tokenGrid, counts, places);
  legend(parts.legend, legendOf(valueLabel), { y: 14, gap: at.narrow ? 31 : 40, label: { class: "title", x: 22 } });
  return places;
}

const legendOf = (valueLabel) => [
  { name: "value", words: valueLabel, shape: "circle", cx: 8, cy: -4.5, r: 3.5 },
  { name: "estimate", words: "from features", d: "M0 -4.5H17" },
  { name: "reference", words: "exact", d: "M0 -4.5H17" },
  BEFORE,
];

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

const curveOf = ({ x, y }, estimates) => path(estimates.map((estimate, i) => [x(i), clipped(y(estimate))]));

/** The estimates of all queries, exact and from this draw. */
function drawCurves(parts, at, values, estimates, exact) {
  const { x, y } = at;
  set(parts.curve, { d: curveOf(at, estimates) });
  set(parts.exactCurve, { d: curveOf(at, exact) });
  repeat(parts.dots, "circle", values.length, (circle, i) => set(circle, { cx: x(i), cy: y(values[i]), r: 3 }));
}

function drawWeights(parts, { x, left, right, weightTop, weightBottom }, weights, exact, before = []) {
  const level = (size) => axisEnd(Math.min(size, 1), FINE_ENDS);
  const top = level(Math.max(...weights, ...exact, ...before));
  const least = Math.min(...weights, ...before);
  const low = least < -1e-12 ? -level(-least) : 0;
  const z = scale([low, top], [weightBottom, weightTop + 6]);
  set(parts.stems, { d: weights.map((weight, j) => stem(x(j), z(0), clipped(z(weight)))).join("") });
  const exactPath = path(exact.map((weight, j) => [x(j), z(weight)]));
  [parts.exactHalo, parts.exactWeights].forEach((part) => set(part, { d: exactPath }));
  set(parts.ghostWeights, { d: path(before.map((weight, j) => [x(j), clipped(z(weight))])) });
  set(parts.zero, { x1: left, x2: right, y1: z(0), y2: z(0) });
  const marks = [top, 0, low].filter((mark, i, all) => all.indexOf(mark) === i);
  repeat(parts.weightTicks, "text", marks.length, (text, i) => {
    set(text, { class: "tick left", x: left - 10, y: z(marks[i]) + 4 });
    text.textContent = roundPercent(marks[i]);
  });
}

function drawErrors(parts, at, counts, errors, { n_features, draw }, { error, error_of_equal_weights: alike }) {
  const { xError, yError, errorLeft, errorRight, errorTop, errorBottom } = at;
  const curve = (each) => path(each.map((share, i) => [xError(counts[i]), clipped(yError(share))]));
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
  parts.countLabel.textContent = `m = ${n_features}`;
  const words = `${n_features} frequencies, ${percent(error)} of the weight on wrong keys`;
  describe(parts.countHandle, counts.indexOf(n_features), [0, counts.length - 1], words);
}

/** The estimates as they were. */
function drawGhost(parts, at, { query, estimates, estimate }) {
  set(parts.ghostCurve, { d: curveOf(at, estimates) });
  const level = clamp(at.y(estimate), at.dataTop, at.dataBottom);
  set(parts.ghostDiamond, { d: diamond(8), transform: translate(at.x(query), level) });
}

// ---- Values to read ---------------------------------------------------------------------------------------

/** A token as a key of the query, on the curve of estimates. */
const tokenMark = ({ values }, at, { weights, exact, estimates }, j) => ({
  x: at.x(j),
  y: clamp(at.y(estimates[j]), at.dataTop, at.dataBottom),
  words: `${j}: weight ${percent(weights[j])}, exactly ${percent(exact[j])}; value ${format(values[j], 2)}, estimate ${format(estimates[j], 2)}`,
});

/** What is under the pointer: a token, or a number of frequencies. */
function markAt(data, at, now, px, py, nearestCount) {
  if (px > at.errorLeft && py > at.errorTop && py < at.errorBottom && px < at.errorRight + 6) {
    const i = nearestCount(at.xError.invert(px));
    const words = `m = ${data.counts[i]}: ${percent(now.errors[i])} on wrong keys`;
    return { x: at.xError(data.counts[i]), y: Math.max(at.yError(now.errors[i]), at.errorTop), words };
  }
  const token = Math.round(at.x.invert(px));
  if (px < at.left - 6 || !(token in now.weights) || py < at.dataTop || py > at.weightBottom) return undefined;
  const mark = tokenMark(data, at, now, token);
  return py > at.dataBottom ? { ...mark, y: py } : mark;
}

function drawQuery(parts, at, tokenGrid, query, { estimate, exact_estimate }) {
  const pixel = at.x(query);
  set(parts.queryLine, { x1: pixel, x2: pixel });
  layPill(parts, `query ${query}`, pixel, at.right + 12);
  const words = `${query}, estimate ${format(estimate, 2)}, exactly ${format(exact_estimate, 2)}`;
  describe(parts.queryHandle, query, tokenGrid, words);
  const inPanel = (value) => clamp(at.y(value), at.dataTop, at.dataBottom);
  set(parts.diamond, { transform: translate(pixel, inPanel(estimate)) });
  set(parts.exactDiamond, { transform: translate(pixel, inPanel(exact_estimate)) });
}

function sentence({ values, drawGrid }, { query, n_features, map, coupling, norm, draw }, results, weights) {
  const kind = map[0].toUpperCase() + map.slice(1);
  const share = role("weight", percent(results.error));
  const negative = weights.filter((weight) => weight < 0).length;
  const below = negative ? ` ${role("weight", `${negative} weights are negative.`)}` : "";
  return (
    `${kind} features of ${n_features} ${coupling} frequencies, draw ${draw} of ${drawGrid[1]}, norm ${format(norm, 1)}. ` +
    `${role("query", `Query ${query}`)} has ${share} of its weight on wrong keys; ` +
    `were all keys alike, it would have ${percent(results.error_of_equal_weights)}.${below} ` +
    `90\u00a0% lie on ${role("weight", `${results.keys_for_90_percent} of ${values.length} keys`)}, ` +
    `exactly on ${results.exact_keys_for_90_percent}. ` +
    `${role("estimate", `Estimate ${format(results.estimate, 2)}`)}, exactly ${format(results.exact_estimate, 2)}.`
  );
}

// ---- The setting, and what comes of it ----------------------------------------------------------------------

/** What does not change. */
function dataOf(model) {
  const [tokenGrid, normGrid, maps, couplings, counts] = traitsOf(
    model,
    "token_grid",
    "norm_grid",
    "feature_maps",
    "couplings",
    "counts",
  );
  const [directions, values, valueLabel] = traitsOf(model, "directions", "data_values", "value_label");
  const frequencies = frequenciesOf(model.get("frequencies"));
  const drawGrid = [1, frequencies[0].length, 1];
  return { tokenGrid, normGrid, drawGrid, maps, couplings, counts, directions, values, valueLabel, frequencies };
}

const settingsOf = ({ tokenGrid, normGrid, drawGrid, maps, couplings, counts }) => ({
  query: numberSetting("query", tokenGrid),
  features: choiceSetting("count_index", counts.map(String)),
  norm: numberSetting("norm", normGrid),
  map: choiceSetting("map_index", maps),
  coupling: choiceSetting("coupling_index", couplings),
  draw: numberSetting("draw", drawGrid),
});

/** What is set now. */
const currentSetting = (model, { tokenGrid, normGrid, drawGrid, maps, couplings, counts }) => ({
  query: onGrid(model.get("query"), tokenGrid),
  n_features: counts[model.get("count_index")],
  map: maps[model.get("map_index")],
  coupling: couplings[model.get("coupling_index")],
  norm: onGrid(model.get("norm"), normGrid),
  draw: onGrid(model.get("draw"), drawGrid),
});

/** What does not change with the query or the count: tokens of this norm, their features in every draw, exact weights. */
function prepared({ directions, frequencies, couplings, values }, { norm, map, coupling }) {
  const root = directions[0].length ** 0.25; // temperature √d, half for the query and half for the key
  const tokens = directions.map((direction) => direction.map((entry) => (norm * entry) / root));
  const features = frequencies[couplings.indexOf(coupling)].map((draw) => featuresOf(tokens, draw, map));
  const exact = tokens.map((_, query) => exactWeights(tokens, query));
  return { features, exact, exactCurve: exact.map((weights) => average(weights, values)) };
}

/** What is shown of one query's weights, estimated and exact. */
const resultsOf = (values, weights, exact) => ({
  estimate: average(weights, values),
  exact_estimate: average(exact, values),
  error: totalVariation(weights, exact),
  error_of_equal_weights: totalVariation(
    exact.map(() => 1 / exact.length),
    exact,
  ),
  keys_for_90_percent: keysForShare(weights, 0.9),
  exact_keys_for_90_percent: keysForShare(exact, 0.9),
});

// ---- The figure -------------------------------------------------------------------------------------------

function render({ model, el }) {
  const data = dataOf(model),
    { tokenGrid, drawGrid, counts, values } = data;
  const figure = liveFigure({
    model,
    el,
    name: "features",
    hint: "Drag the query, or the point on the curve of errors. Keyboard: Tab, then arrows.",
    settings: settingsOf(data),
  });
  const parts = elements(figure.stage, model.get("token_label"));
  const current = () => currentSetting(model, data);
  let at, now, computed, drawnData, before;

  const again = html("button", { type: "button", text: "Draw again", title: "Other random frequencies" });
  again.addEventListener("click", () => figure.change({ draw: (current().draw % drawGrid[1]) + 1 }));
  figure.root.querySelector(".actions").prepend(again);

  function draw(width, ghost, isNewGhost) {
    if (width !== at?.width) at = arrange(parts, data, width);
    const setting = current(),
      { query, n_features, norm, map, coupling } = setting;
    const name = [norm, map, coupling].join();
    if (computed?.name !== name) computed = { name, ...prepared(data, setting) };
    const { features, exact, exactCurve } = computed;
    const rows = features.map((feature) => weightsAfter(feature, query, counts));
    const weights = rows[setting.draw - 1][model.get("count_index")],
      exactRow = exact[query];
    const errors = rows.map((row) => row.map((each) => totalVariation(each, exactRow)));
    const results = resultsOf(values, weights, exactRow);
    const unmoved = JSON.stringify([width, { ...setting, query: undefined }]);
    let estimates = now?.estimates;
    if (unmoved !== drawnData) {
      const estimateOf = (_, i) => average(weightsAfter(features[setting.draw - 1], i, [n_features])[0], values);
      estimates = values.map(estimateOf);
      drawCurves(parts, at, values, estimates, exactCurve);
    }
    if (isNewGhost) drawGhost(parts, at, ghost);
    drawnData = unmoved;
    const { estimate } = results;
    now = { query, weights, exact: exactRow, estimates, estimate, errors: errors[setting.draw - 1] };
    drawWeights(parts, at, weights, exactRow, ghost?.weights);
    drawErrors(parts, at, counts, errors, setting, results);
    drawQuery(parts, at, tokenGrid, query, results);
    return { state: { ...setting, ...results }, sentence: sentence(data, setting, results, weights), mark: now };
  }

  const moveQuery = (query) => figure.change({ query: onGrid(query, tokenGrid) });
  const choose = (index) => figure.change({ count_index: clamp(index, 0, counts.length - 1) });
  const nearestCount = (count) => {
    const apart = counts.map((each) => Math.abs(Math.log(each / count)));
    return apart.indexOf(Math.min(...apart));
  };

  function grab(event) {
    const { left, top } = parts.canvas.getBoundingClientRect(),
      { x, xError } = at;
    const column = (e) => e.clientX - left;
    before = { query: model.get("query"), count_index: model.get("count_index") };
    const beside = at.narrow ? event.clientY - top > at.weightBottom + 30 : column(event) > at.right + 30;
    if (beside || parts.countHandle.contains(event.target)) {
      focus(parts.countHandle);
      return (e) => choose(nearestCount(xError.invert(column(e))));
    }
    focus(parts.queryHandle);
    const off = parts.queryHandle.contains(event.target) ? x(current().query) - column(event) : 0;
    return (e) => moveQuery(x.invert(column(e) + off));
  }

  draggable(parts.canvas, { grab, release: (cancelled) => cancelled && figure.change(before) });
  arrowKeys(parts.queryHandle, (right, up) => moveQuery(current().query + right + up));
  arrowKeys(parts.countHandle, (right, up) => choose(model.get("count_index") + right + up));

  const mark = (j) => tokenMark(data, at, now, j);
  const tokens = reader(figure, { label: "Keys of the query", count: () => values.length, mark });
  tellValues(figure, {
    find: (x, y) => markAt(data, at, now, x, y, nearestCount),
    focused: (element) => (element === tokens.element ? tokens.mark() : undefined),
  });
  const frames = () => counts.map((_, count_index) => ({ count_index }));
  playButton(figure, { title: "Add features: from 1 frequency to 256", pause: 300, frames });
  return figure.start(draw);
}

export default { render };
