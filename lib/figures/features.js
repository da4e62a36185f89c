import {
  arrowKeys, average, choiceSetting, draggable, format, html, keysForShare, liveFigure, numberSetting, onGrid, path,
  repeat, scale, set, softmax, svg, ticks,
} from "./core.js";

// Exact attention beside its estimate from random features. Above: values, and the estimates of all queries. Below:
// the weights of one query. Beside them, on a phone under them: how the error falls as features are added.

const SHARES = [0.01, 0.1, 1];  // ticks of the error
const LARGEST_SHARE = 4;  // the end of its axis
const LEVELS = [1, 0.7, 0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01];  // ends of the weights' axis
const DIAMOND = "M0 -7.5L7.5 0L0 7.5L-7.5 0Z";

const shift = (right, down) => `translate(${right.toFixed(1)} ${down.toFixed(1)})`;
const percent = (share) => `${format(100 * share, Math.abs(share) < 0.0995 ? 1 : 0)}\u00a0%`;

// ---- The maps of lib/random_features ---------------------------------------------------------------------

/** A feature is exp(sign ‖x‖²/2) f(ω·x); the factor 1/√m of all features cancels in the weights. */
export const FEATURE_MAPS = {
  positive: { sign: -1, functions: [Math.exp] },
  hyperbolic: { sign: -1, functions: [Math.exp, (u) => Math.exp(-u)] },
  trigonometric: { sign: 1, functions: [Math.cos, Math.sin] },
};

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}

/** Features of all tokens: for each function, one Float64Array a frequency. */
export function featuresOf(tokens, frequencies, map) {
  const { sign, functions } = FEATURE_MAPS[map];
  const factors = tokens.map((token) => Math.exp((sign * dot(token, token)) / 2));
  return functions.map((f) => frequencies.map((frequency) => {
    const row = new Float64Array(tokens.length);
    for (let j = 0; j < row.length; j += 1) row[j] = factors[j] * f(dot(frequency, tokens[j]));
    return row;
  }));
}

/** Estimated weights of one query after each of the `counts` of features: Σ φ(q)φ(k), normalised. */
export function estimatedWeights(features, query, counts) {
  const sums = new Float64Array(features[0][0].length);
  let used = 0;
  return counts.map((count) => {
    for (; used < count; used += 1) {
      for (const feature of features) {
        const row = feature[used], own = row[query];
        for (let j = 0; j < sums.length; j += 1) sums[j] += own * row[j];
      }
    }
    const total = sums.reduce((a, b) => a + b, 0);
    return Array.from(sums, (sum) => sum / total);
  });
}

export function exactWeights(tokens, query) {
  return softmax(tokens.map((token) => dot(tokens[query], token)));
}

/** The share of weight that lies on the wrong keys. Negative weights can make it more than all. */
export const misplaced = (weights, exact) =>
  weights.reduce((sum, weight, j) => sum + Math.abs(weight - exact[j]), 0) / 2;

/** Frequencies that Python packed as text: for each coupling and draw, a list of vectors. */
function unpack({ shape: [couplings, draws, count, dimension], data }) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const numbers = new Float64Array(bytes.buffer);
  const list = (length, make) => Array.from({ length }, (_, i) => make(i));
  return list(couplings, (c) => list(draws, (d) => list(count, (l) => {
    const first = ((c * draws + d) * count + l) * dimension;
    return numbers.subarray(first, first + dimension);
  })));
}

// ---- The picture ------------------------------------------------------------------------------------------

/** Where things are, in pixels, for a figure of this width. */
function layout(width) {
  const narrow = width < 560;
  const left = 44, dataTop = 60;
  const right = narrow ? width - 14 : Math.round(width * 0.61);
  const dataBottom = dataTop + (narrow ? 150 : 170);
  const weightTop = dataBottom + 38;
  const weightBottom = weightTop + (narrow ? 120 : 130);
  const errorLeft = narrow ? left : right + 70;
  const errorTop = narrow ? weightBottom + 84 : dataTop;
  const errorBottom = narrow ? errorTop + 150 : weightBottom;
  const height = errorBottom + 46;
  return {
    width, height, narrow, left, right, dataTop, dataBottom, weightTop, weightBottom,
    errorLeft, errorRight: width - 14, errorTop, errorBottom,
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
  parts.curve = inside("dataPanel", "path", "curve");
  parts.dots = inside("dataPanel", "g", "dots");
  parts.zero = inside("weightPanel", "line", "base");
  parts.stems = inside("weightPanel", "path", "stems");
  parts.exactHalo = inside("weightPanel", "path", "exact-halo");
  parts.exactWeights = inside("weightPanel", "path", "exact");
  parts.otherDraws = inside("errorPanel", "path", "other-draws");
  parts.alike = inside("errorPanel", "line", "alike");
  parts.thisDraw = inside("errorPanel", "path", "this-draw");
  parts.exactDiamond = svg("path", { class: "exact-diamond", d: DIAMOND }, parts.answer);
  parts.diamond = svg("path", { class: "diamond", d: DIAMOND }, parts.answer);
  parts.pill = svg("rect", { class: "pill", y: 28, height: 24, rx: 12 }, parts.queryHandle);
  parts.pillLabel = svg("text", { class: "pill-label", y: 44.5 }, parts.queryHandle);
  parts.countLine = svg("line", { class: "count-line" }, parts.countHandle);
  parts.countDot = svg("circle", { class: "count-dot", r: 7 }, parts.countHandle);
  parts.countLabel = svg("text", { class: "count-label" }, parts.countHandle);
  return parts;
}

function render({ model, el }) {
  const [tokenGrid, normGrid] = ["token_grid", "norm_grid"].map((name) => model.get(name));
  const [maps, couplings, counts] = ["feature_maps", "couplings", "counts"].map((name) => model.get(name));
  const directions = model.get("directions"), values = model.get("data_values");
  const frequencies = unpack(model.get("frequencies"));
  const drawGrid = [1, frequencies[0].length, 1];
  const everyToken = values.map((_, i) => i);
  const figure = liveFigure({
    model, el, name: "features",
    hint: "Drag the query, or the point on the curve of errors. Keyboard: Tab, then arrows.",
    settings: {
      query: numberSetting("query", tokenGrid),
      features: choiceSetting("count_index", counts.map(String)),
      norm: numberSetting("norm", normGrid),
      map: choiceSetting("map_index", maps),
      coupling: choiceSetting("coupling_index", couplings),
      draw: numberSetting("draw", drawGrid),
    },
  });
  const parts = elements(figure.stage, model.get("token_label"));
  let at, x, y, xError, yError, computed = {}, drawnData, before;

  const again = html("button", { type: "button", text: "Draw again", title: "Other random frequencies" });
  again.addEventListener("click", () => figure.change({ draw: (current().draw % drawGrid[1]) + 1 }));
  figure.root.querySelector(".actions").prepend(again);

  const current = () => ({
    query: onGrid(model.get("query"), tokenGrid),
    n_features: counts[model.get("count_index")],
    map: maps[model.get("map_index")],
    coupling: couplings[model.get("coupling_index")],
    norm: onGrid(model.get("norm"), normGrid),
    draw: onGrid(model.get("draw"), drawGrid),
  });

  // ---- Computing ----

  /** What does not change with the query or the count: tokens of this norm and their features in every draw. */
  function compute({ norm, map, coupling }) {
    const name = [norm, map, coupling].join();
    if (computed.name !== name) {
      const root = directions[0].length ** 0.25;  // temperature √d, half for the query and half for the key
      const tokens = directions.map((direction) => direction.map((entry) => (norm * entry) / root));
      const features = frequencies[couplings.indexOf(coupling)].map((draw) => featuresOf(tokens, draw, map));
      const exact = everyToken.map((query) => exactWeights(tokens, query));
      computed = { name, features, exact, exactCurve: exact.map((weights) => average(weights, values)) };
    }
    return computed;
  }

  // ---- Drawing ----

  function draw(width) {
    if (width !== at?.width) place(width);
    const setting = current();
    const { features, exact, exactCurve } = compute(setting);
    const rows = features.map((feature) => estimatedWeights(feature, setting.query, counts));
    const weights = rows[setting.draw - 1][model.get("count_index")];
    const exactRow = exact[setting.query];
    const errors = rows.map((row) => row.map((each) => misplaced(each, exactRow)));
    const results = {
      estimate: average(weights, values),
      exact_estimate: exactCurve[setting.query],
      error: misplaced(weights, exactRow),
      error_of_equal_weights: misplaced(exactRow.map(() => 1 / exactRow.length), exactRow),
      keys_for_90_percent: keysForShare(weights, 0.9),
      exact_keys_for_90_percent: keysForShare(exactRow, 0.9),
    };
    const unmoved = JSON.stringify([width, { ...setting, query: undefined }]);
    if (unmoved !== drawnData) drawCurves(setting, features[setting.draw - 1], exactCurve);
    drawnData = unmoved;
    drawWeights(weights, exactRow);
    drawErrors(errors, setting, results);
    drawQuery(setting, results);
    return { state: { ...setting, ...results }, sentence: sentence(setting, results, weights) };
  }

  /** What depends on the width alone. */
  function place(width) {
    at = layout(width);
    const low = Math.min(...values), high = Math.max(...values), margin = 0.12 * (high - low || 1);
    x = scale(tokenGrid, [at.left, at.right]);
    y = scale([low - margin, high + margin], [at.dataBottom, at.dataTop]);
    const decades = scale([Math.log(counts[0]), Math.log(counts.at(-1))], [at.errorLeft, at.errorRight]);
    const shares = scale([Math.log(SHARES[0]), Math.log(LARGEST_SHARE)], [at.errorBottom, at.errorTop]);
    xError = Object.assign((count) => decades(Math.log(count)), { invert: (pixel) => Math.exp(decades.invert(pixel)) });
    yError = (share) => shares(Math.log(Math.max(share, SHARES[0] / 2)));
    set(parts.canvas, { width, height: at.height, viewBox: `0 0 ${width} ${at.height}` });
    const panel = (name, left, top, right, bottom) => set(parts[name], {
      x: left, y: top, width: right - left, height: bottom - top,
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
    drawAxes();
    drawLegend();
  }

  function drawAxes() {
    parts.axes.replaceChildren();
    const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 }, parts.axes);
    const label = (name, x, y, text) => svg("text", { class: name, x, y, text }, parts.axes);
    for (const { value, text } of ticks([y.invert(at.dataBottom), y.invert(at.dataTop)], 4)) {
      line("grid", at.left, y(value), at.right, y(value));
      label("tick left", at.left - 10, y(value) + 4, text);
    }
    for (const { value, text } of ticks(tokenGrid, 6)) {
      line("base", x(value), at.weightBottom, x(value), at.weightBottom + 5);
      label("tick", x(value), at.weightBottom + 19, text);
    }
    for (const share of SHARES) {
      line("grid", at.errorLeft, yError(share), at.errorRight, yError(share));
      label("tick left", at.errorLeft - 6, yError(share) + 4, percent(share).replace(".0", ""));
    }
    for (const count of counts.filter((each) => Number.isInteger(Math.log2(each) / 2))) {
      line("base", xError(count), at.errorBottom, xError(count), at.errorBottom + 5);
      label("tick", xError(count), at.errorBottom + 19, String(count));
    }
    line("base", at.errorLeft, at.errorBottom, at.errorRight, at.errorBottom);
    line("base", at.left, at.weightBottom, at.right, at.weightBottom);
  }

  function drawLegend() {
    parts.legend.replaceChildren();
    let left = 0;
    const entry = (name, shape, attributes, text) => {
      const group = svg("g", { class: name, transform: shift(left, 14) }, parts.legend);
      svg(shape, attributes, group);
      svg("text", { class: "title", x: 22, text }, group);
      left += 22 + 7.3 * text.length + 18;
    };
    entry("value", "circle", { cx: 8, cy: -4.5, r: 3.5 }, model.get("value_label"));
    entry("estimate", "path", { d: "M0 -4.5H17" }, "from features");
    entry("reference", "path", { d: "M0 -4.5H17" }, "exact");
  }

  /** The estimates of all queries, exact and from this draw. */
  function drawCurves({ n_features }, features, exactCurve) {
    const estimates = everyToken.map((query) => average(estimatedWeights(features, query, [n_features])[0], values));
    const curve = (each) => path(everyToken.map((i) => [x(i), clipped(y(each[i]))]));
    set(parts.curve, { d: curve(estimates) });
    set(parts.exactCurve, { d: curve(exactCurve) });
    repeat(parts.dots, "circle", values.length, (circle, i) => set(circle, { cx: x(i), cy: y(values[i]), r: 3 }));
  }

  /** A wild estimate leaves the panel, and not the range of numbers. */
  const clipped = (pixel) => Math.min(Math.max(pixel, -1e4), 1e4);

  function drawWeights(weights, exact) {
    const level = (size) => LEVELS.findLast((each) => each >= Math.min(size, 1));
    const top = level(Math.max(...weights, ...exact));
    const least = Math.min(...weights);
    const low = least < -1e-12 ? -level(-least) : 0;
    const z = scale([low, top], [at.weightBottom, at.weightTop + 6]);
    const stem = (weight, j) => `M${x(j).toFixed(1)} ${z(0).toFixed(1)}V${clipped(z(weight)).toFixed(1)}`;
    set(parts.stems, { d: weights.map(stem).join("") });
    const exactPath = path(exact.map((weight, j) => [x(j), z(weight)]));
    [parts.exactHalo, parts.exactWeights].forEach((part) => set(part, { d: exactPath }));
    set(parts.zero, { x1: at.left, x2: at.right, y1: z(0), y2: z(0) });
    const marks = [top, 0, low].filter((mark, i, all) => all.indexOf(mark) === i);
    repeat(parts.weightTicks, "text", marks.length, (text, i) => {
      set(text, { class: "tick left", x: at.left - 10, y: z(marks[i]) + 4 });
      text.textContent = percent(marks[i]).replace(".0", "");
    });
  }

  function drawErrors(errors, { n_features, draw }, { error, error_of_equal_weights: alike }) {
    const curve = (each) => path(each.map((share, i) => [xError(counts[i]), clipped(yError(share))]));
    set(parts.thisDraw, { d: curve(errors[draw - 1]) });
    set(parts.otherDraws, { d: errors.filter((_, i) => i !== draw - 1).map(curve).join("") });
    set(parts.alike, { x1: at.errorLeft, x2: at.errorRight, y1: yError(alike), y2: yError(alike) });
    set(parts.alikeLabel, { x: at.errorRight, y: yError(alike) - 6 });
    const [px, py] = [xError(n_features), Math.max(yError(error), at.errorTop)];
    set(parts.countLine, { x1: px, x2: px, y1: py, y2: at.errorBottom });
    set(parts.countDot, { cx: px, cy: py });
    const leftward = px > (at.errorLeft + at.errorRight) / 2;
    set(parts.countLabel, {
      x: px + (leftward ? -8 : 8), y: at.errorBottom - 9, "text-anchor": leftward ? "end" : "start",
    });
    parts.countLabel.textContent = `m = ${n_features}`;
    set(parts.countHandle, {
      "aria-valuemin": "0", "aria-valuemax": String(counts.length - 1), "aria-valuenow": String(counts.indexOf(n_features)),
      "aria-valuetext": `${n_features} frequencies, ${percent(error)} of the weight on wrong keys`,
    });
  }

  function drawQuery({ query }, { estimate, exact_estimate }) {
    const pixel = x(query);
    const text = `query ${query}`;
    const width = 7.3 * text.length + 26;
    const pillX = Math.min(Math.max(pixel - width / 2, 1), at.right - width + 12);
    set(parts.queryLine, { x1: pixel, x2: pixel });
    set(parts.pill, { x: pillX, width });
    set(parts.pillLabel, { x: pillX + width / 2 });
    parts.pillLabel.textContent = text;
    set(parts.queryHandle, {
      "aria-valuemin": String(tokenGrid[0]), "aria-valuemax": String(tokenGrid[1]), "aria-valuenow": String(query),
      "aria-valuetext": `${query}, estimate ${format(estimate, 2)}, exactly ${format(exact_estimate, 2)}`,
    });
    const inPanel = (value) => Math.min(Math.max(y(value), at.dataTop), at.dataBottom);
    set(parts.diamond, { transform: shift(pixel, inPanel(estimate)) });
    set(parts.exactDiamond, { transform: shift(pixel, inPanel(exact_estimate)) });
  }

  function sentence({ query, n_features, map, coupling, norm, draw }, results, weights) {
    const role = (name, words) => `<b class="${name}">${words}</b>`;
    const kind = map[0].toUpperCase() + map.slice(1);
    const share = role("weight", percent(results.error));
    const negative = weights.filter((weight) => weight < 0).length;
    const below = negative ? ` ${role("weight", `${negative} weights are negative.`)}` : "";
    return `${kind} features of ${n_features} ${coupling} frequencies, draw ${draw} of ${drawGrid[1]}, norm ${format(norm, 1)}. `
      + `${role("query", `Query ${query}`)} has ${share} of its weight on wrong keys; `
      + `were all keys alike, it would have ${percent(results.error_of_equal_weights)}.${below} `
      + `90\u00a0% lie on ${role("weight", `${results.keys_for_90_percent} of ${values.length} keys`)}, `
      + `exactly on ${results.exact_keys_for_90_percent}. `
      + `${role("estimate", `Estimate ${format(results.estimate, 2)}`)}, exactly ${format(results.exact_estimate, 2)}.`;
  }

  // ---- Hands and keys ----

  const moveQuery = (query) => figure.change({ query: onGrid(query, tokenGrid) });
  const choose = (index) => figure.change({ count_index: Math.min(Math.max(index, 0), counts.length - 1) });
  const nearestCount = (count) => {
    const apart = counts.map((each) => Math.abs(Math.log(each / count)));
    return apart.indexOf(Math.min(...apart));
  };

  function grab(event) {
    const { left, top } = parts.canvas.getBoundingClientRect();
    const column = (e) => e.clientX - left;
    before = { query: model.get("query"), count_index: model.get("count_index") };
    const beside = at.narrow ? event.clientY - top > at.weightBottom + 30 : column(event) > at.right + 30;
    if (beside || parts.countHandle.contains(event.target)) {
      parts.countHandle.focus({ preventScroll: true });
      return (e) => choose(nearestCount(xError.invert(column(e))));
    }
    parts.queryHandle.focus({ preventScroll: true });
    const off = parts.queryHandle.contains(event.target) ? x(current().query) - column(event) : 0;
    return (e) => moveQuery(x.invert(column(e) + off));
  }

  draggable(parts.canvas, { grab, release: (cancelled) => cancelled && figure.change(before) });
  arrowKeys(parts.queryHandle, (right, up) => moveQuery(current().query + right + up));
  arrowKeys(parts.countHandle, (right, up) => choose(model.get("count_index") + right + up));

  return figure.start(draw);
}

export default { render };
