import {
  arrowKeys, average, choiceSetting, decimalsOf, draggable, format, keysForShare, listSetting, liveFigure,
  logKernel, numberSetting, onGrid, path, repeat, scale, set, softmax, svg, ticks,
} from "./core.js";

// Two panels over one axis of keys. Above: the values, the fitted curve and the estimate. Below: the weight that
// the query gives to each key. The query is one line through both.

const HIT = { mouse: 10, touch: 16 };  // how near to a point counts as on it
const MOVED_BY_HAND = ["query", "bandwidth", "data_keys", "data_values"];
const DIAMOND = "M0 -7.5L7.5 0L0 7.5L-7.5 0Z";

const shift = (right, down) => `translate(${right.toFixed(1)} ${down.toFixed(1)})`;
const percent = (share) => `${format(100 * share, share < 0.0995 ? 1 : 0)}\u00a0%`;

/** The log-weights of one query and all keys. */
export function logWeights(query, keys, { kernel, bandwidth, temperature }) {
  if (kernel === "softmax-dot") return keys.map((key) => (query * key) / temperature);
  return logKernel(query, keys, bandwidth, kernel);
}

export function estimate(query, setting) {
  return average(softmax(logWeights(query, setting.keys, setting)), setting.values);
}

/** Where things are, in pixels, for a figure of this width. */
function layout(width) {
  const narrow = width < 520;
  const left = 44, right = width - 14, dataTop = 60;
  const dataBottom = dataTop + (narrow ? 210 : 270);
  const weightTop = dataBottom + 38;
  const weightBottom = weightTop + (narrow ? 84 : 96);
  const columns = [];  // every pixel of the plot
  for (let pixel = left; pixel <= right; pixel += 1) columns.push(pixel);
  const height = weightBottom + 46;
  return { width, height, narrow, left, right, dataTop, dataBottom, weightTop, weightBottom, columns };
}

/** The elements of the picture, from back to front. */
function elements(stage, keyLabel) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes) => svg(tag, { class: name, ...attributes }, canvas);
  const parts = {
    canvas,
    band: add("rect", "band"),
    axes: add("g", "axes"),
    halos: add("g", "halos"),
    truth: add("path", "truth"),
    curve: add("path", "curve"),
    dots: add("g", "dots"),
    rug: add("path", "rug"),
    weightPanel: add("svg", "weight-panel"),
    weightTick: add("text", "tick left"),
    reachLine: add("path", "reach-line"),
    reachLabel: add("text", "note"),
    queryLine: add("line", "query-line"),
    answer: add("g", "answer"),
    nothing: add("text", "note nothing", { text: "no key in reach" }),
    reachHandle: add("circle", "reach-handle", { r: 6 }),
    hits: add("g", "hits"),
    queryHandle: add("g", "query-handle", { role: "slider", tabindex: 0, "aria-label": "Query" }),
    keyHandle: add("g", "key-handle", { role: "slider", tabindex: 0 }),
    legend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight", x: 0 }),
    keyTitle: add("text", "title key", { text: keyLabel }),
  };
  parts.answerLine = svg("line", { class: "answer-line" }, parts.answer);
  parts.diamond = svg("path", { class: "diamond", d: DIAMOND }, parts.answer);
  parts.answerPill = svg("rect", { class: "answer-pill", x: 0, height: 20, rx: 10 }, parts.answer);
  parts.answerLabel = svg("text", { class: "answer-label" }, parts.answer);
  parts.profile = svg("path", { class: "profile" }, parts.weightPanel);
  parts.stems = svg("path", { class: "stems" }, parts.weightPanel);
  parts.pill = svg("rect", { class: "pill", y: 28, height: 24, rx: 12 }, parts.queryHandle);
  parts.pillLabel = svg("text", { class: "pill-label", y: 44.5 }, parts.queryHandle);
  svg("circle", { class: "ring", r: 10 }, parts.keyHandle);
  return parts;
}

function render({ model, el }) {
  const [keyGrid, valueGrid, bandwidthGrid, temperatureGrid] =
    ["key_grid", "value_grid", "bandwidth_grid", "temperature_grid"].map((name) => model.get(name));
  const kernels = model.get("kernels");
  const defaults = model.get("defaults");
  const figure = liveFigure({
    model, el, name: "regression",
    hint: "Drag the query, a point, or the ring at h. Keyboard: Tab, arrows, Page Up and Down for other points.",
    settings: {
      query: numberSetting("query", keyGrid),
      bandwidth: numberSetting("bandwidth", bandwidthGrid),
      temperature: numberSetting("temperature", temperatureGrid),
      kernel: choiceSetting("kernel_index", kernels),
      keys: listSetting("data_keys", keyGrid, defaults.data_keys),
      values: listSetting("data_values", valueGrid, defaults.data_values),
    },
  });
  const parts = elements(figure.stage, model.get("key_label"));
  const text = (grid) => (value) => format(value, decimalsOf(grid));
  const keyText = text(keyGrid), valueText = text(valueGrid);
  const bandwidthText = (bandwidth) => `h = ${text(bandwidthGrid)(bandwidth)}`;
  const temperatureText = (temperature) => `τ = ${text(temperatureGrid)(temperature)}`;
  let at, x, y, drawnData, before, chosen = 0;

  const current = () => ({
    query: onGrid(model.get("query"), keyGrid),
    bandwidth: onGrid(model.get("bandwidth"), bandwidthGrid),
    temperature: onGrid(model.get("temperature"), temperatureGrid),
    kernel: kernels[model.get("kernel_index")],
    keys: model.get("data_keys"),
    values: model.get("data_values"),
  });
  const sliderValue = (value, words) => ({
    "aria-valuemin": String(keyGrid[0]), "aria-valuemax": String(keyGrid[1]), "aria-valuenow": String(value),
    "aria-valuetext": words,
  });
  const hasReach = (kernel) => kernel !== "softmax-dot" && kernel !== "constant";

  // ---- Drawing ----

  function draw(width) {
    if (width !== at?.width) place(width);
    const setting = current();
    const logs = logWeights(setting.query, setting.keys, setting);
    const weights = softmax(logs);
    const answer = average(weights, setting.values);
    const heaviest = weights.indexOf(Math.max(...weights));
    const keys_for_90_percent = keysForShare(weights, 0.9);
    const unmoved = JSON.stringify([width, { ...setting, query: undefined }]);
    if (unmoved !== drawnData) drawData(setting);
    drawnData = unmoved;
    drawHalos(weights, weights[heaviest]);
    drawWeights(setting, weights, weights[heaviest], logs[heaviest]);
    drawReach(setting);
    drawQuery(setting.query, answer);
    drawChosenKey(setting, weights);
    figure.root.dataset.kernel = setting.kernel;
    return {
      state: { ...setting, estimate: answer, keys_for_90_percent },
      sentence: sentence(setting, weights, answer, heaviest, keys_for_90_percent),
    };
  }

  /** What depends on the width alone. */
  function place(width) {
    at = layout(width);
    x = scale(keyGrid, [at.left, at.right]);
    y = scale(valueGrid, [at.dataBottom, at.dataTop]);
    set(parts.canvas, { width, height: at.height, viewBox: `0 0 ${width} ${at.height}` });
    set(parts.weightPanel, { x: 0, y: at.weightTop, width, height: at.weightBottom - at.weightTop });
    set(parts.weightTick, { x: at.left - 8, y: at.weightTop + 10 });
    set(parts.weightTitle, { y: at.weightTop - 10 });
    set(parts.keyTitle, { x: at.right, y: at.height - 6 });
    set(parts.queryLine, { y1: 52, y2: at.weightBottom });
    drawAxes();
    drawTruth();
    drawLegend();
  }

  function drawAxes() {
    parts.axes.replaceChildren();
    const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 }, parts.axes);
    const label = (name, x, y, text) => svg("text", { class: name, x, y, text }, parts.axes);
    for (const { value, text } of ticks(valueGrid, at.narrow ? 4 : 5)) {
      line("grid", at.left, y(value), at.right, y(value));
      label("tick left", at.left - 8, y(value) + 4, text);
    }
    for (const { value, text } of ticks(keyGrid, at.narrow ? 5 : 9)) {
      line("base", x(value), at.weightBottom, x(value), at.weightBottom + 5);
      label("tick", x(value), at.weightBottom + 19, text);
    }
    line("base", at.left, at.weightBottom, at.right, at.weightBottom);
    line("grid", at.left, at.weightTop + 6, at.right, at.weightTop + 6);
  }

  function drawTruth() {
    const truth = model.get("truth");
    const points = truth.map((value, i) => [at.left + (i / (truth.length - 1)) * (at.right - at.left), y(value)]);
    set(parts.truth, { d: path(points) });
  }

  /** A row of shapes and their names; the axes' titles name the rest. */
  function drawLegend() {
    parts.legend.replaceChildren();
    let left = 0;
    const entry = (name, shape, attributes, text) => {
      const group = svg("g", { class: name, transform: shift(left, 14) }, parts.legend);
      svg(shape, attributes, group);
      svg("text", { class: "title", x: 22, text }, group);
      left += 22 + 7.3 * text.length + 22;
    };
    entry("value", "circle", { cx: 8, cy: -4.5, r: 4 }, model.get("value_label"));
    entry("estimate", "path", { d: "M-8 0H8M0 -5L5 0L0 5L-5 0Z", transform: "translate(8 -4.5)" }, "estimate");
    if (model.get("truth").length) entry("truth", "path", { d: "M0 -4.5H17" }, "truth");
  }

  /** All but the query: the curve through every query, the points and the keys under them. */
  function drawData(setting) {
    const { keys, values } = setting;
    const everySecond = at.columns.filter((_, i) => i % 2 === 0);
    set(parts.curve, { d: path(everySecond.map((pixel) => [pixel, y(estimate(x.invert(pixel), setting))])) });
    set(parts.rug, { d: keys.map((key) => `M${x(key).toFixed(1)} ${at.dataBottom + 5}v9`).join("") });
    for (const [group, r] of [[parts.halos, 0], [parts.dots, 4], [parts.hits, HIT.mouse]]) {
      repeat(group, "circle", keys.length, (circle, i) => set(circle, { cx: x(keys[i]), cy: y(values[i]), r }));
    }
  }

  /** The area of a halo shows the weight, relative to the largest; so does the filling of the point. */
  function drawHalos(weights, largest) {
    weights.forEach((weight, i) => {
      const radius = Math.sqrt(weight / (largest || 1));
      set(parts.halos.children[i], { r: 13 * radius });
      set(parts.dots.children[i], { "fill-opacity": radius });
    });
  }

  /** A stem a key, under the kernel itself: what a key would weigh wherever it stood. */
  function drawWeights(setting, weights, largest, largestLog) {
    const top = [1, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01].findLast((level) => level >= (largest || 1));
    const height = at.weightBottom - at.weightTop;
    const z = scale([0, top], [height, 6]);
    parts.weightTick.textContent = percent(top).replace(".0", "");
    const stem = (key, i) => (weights[i] > 0 ? `M${x(key).toFixed(1)} ${height}V${z(weights[i]).toFixed(1)}` : "");
    set(parts.stems, { d: setting.keys.map(stem).join("") });
    const logs = logWeights(setting.query, at.columns.map(x.invert), setting);
    const above = 2 * top;  // far from all keys the kernel shoots out of the panel, and out of the numbers
    const heights = logs.map((log) => (largest > 0 ? z(Math.min(largest * Math.exp(log - largestLog), above)) : NaN));
    set(parts.profile, { d: path(at.columns.map((pixel, i) => [pixel, heights[i]])) });
  }

  /** The stretch within one bandwidth of the query, and the end of it that can be pulled. */
  function drawReach({ query, bandwidth, kernel }) {
    const inside = (pixel) => Math.min(Math.max(pixel, at.left), at.right);
    const [low, high] = [inside(x(query - bandwidth)), inside(x(query + bandwidth))];
    const leftward = query > (keyGrid[0] + keyGrid[1]) / 2;
    const end = leftward ? low : high;
    const level = at.dataBottom + 26;
    const outer = leftward ? end - 12 : end + 12;
    const fits = leftward ? outer - 60 > at.left : outer + 60 < at.right;  // else the label goes across the query
    set(parts.band, { x: low, width: high - low, y: at.dataTop, height: at.weightBottom - at.dataTop });
    set(parts.reachLine, { d: `M${x(query)} ${level}H${end}` });
    set(parts.reachHandle, { cx: end, cy: level });
    const labelX = fits ? outer : x(query) + (leftward ? 8 : -8);
    set(parts.reachLabel, { x: labelX, y: level + 4, "text-anchor": fits === leftward ? "end" : "start" });
    parts.reachLabel.textContent = bandwidthText(bandwidth);
    const visibility = hasReach(kernel) ? "visible" : "hidden";
    [parts.band, parts.reachLine, parts.reachHandle, parts.reachLabel].forEach((part) => set(part, { visibility }));
  }

  function drawQuery(query, answer) {
    const pixel = x(query);
    const text = `query ${keyText(query)}`;
    const width = 7.3 * text.length + 26;
    const pillX = Math.min(Math.max(pixel - width / 2, 1), at.width - width - 1);
    set(parts.queryLine, { x1: pixel, x2: pixel });
    set(parts.pill, { x: pillX, width });
    set(parts.pillLabel, { x: pillX + width / 2 });
    parts.pillLabel.textContent = text;
    set(parts.queryHandle, sliderValue(query, keyText(query)));
    const nothing = Number.isNaN(answer);
    set(parts.answer, { visibility: nothing ? "hidden" : "visible" });
    const noteX = Math.min(Math.max(pixel, at.left + 52), at.right - 52);
    set(parts.nothing, { visibility: nothing ? "visible" : "hidden", x: noteX, y: (at.dataTop + at.dataBottom) / 2 });
    if (!nothing) drawAnswer(pixel, y(answer), valueText(answer));
  }

  /** The estimate, read from the query's line across to the axis. */
  function drawAnswer(pixel, level, text) {
    const width = Math.max(7.3 * text.length + 14, at.left - 2);
    set(parts.answerLine, { x1: width, x2: pixel, y1: level, y2: level });
    set(parts.diamond, { transform: shift(pixel, level) });
    set(parts.answerPill, { y: level - 10, width });
    set(parts.answerLabel, { x: width / 2, y: level + 4.5 });
    parts.answerLabel.textContent = text;
    for (const tick of parts.axes.querySelectorAll(".left")) {
      set(tick, { visibility: Math.abs(tick.getAttribute("y") - 4 - level) < 16 ? "hidden" : "visible" });
    }
  }

  function drawChosenKey({ keys, values }, weights) {
    chosen = Math.min(chosen, keys.length - 1);
    const words = `key ${keyText(keys[chosen])}, value ${valueText(values[chosen])}, weight ${percent(weights[chosen])}`;
    set(parts.keyHandle, {
      transform: shift(x(keys[chosen]), y(values[chosen])),
      "aria-label": `Point ${chosen + 1} of ${keys.length}. Page Up and Page Down choose another`,
      ...sliderValue(keys[chosen], words),
    });
  }

  function sentence({ query, kernel, bandwidth, temperature, keys }, weights, answer, heaviest, count) {
    const role = (name, words) => `<b class="${name}">${words}</b>`;
    const nearest = keys.reduce((best, key) => (Math.abs(key - query) < Math.abs(best - query) ? key : best));
    const seen = weights.filter((weight) => weight > 0);
    const widths = { "softmax-dot": `, ${temperatureText(temperature)}`, constant: "" };
    const width = widths[kernel] ?? `, ${bandwidthText(bandwidth)}`;
    const name = model.get("kernel_labels")[kernels.indexOf(kernel)];
    const opening = `${name}${width}. ${role("query", `Query ${keyText(query)}`)}`;
    if (seen.length === 0) {
      return `${opening} has no key within h: no weights, no estimate, and a gap in the curve.`;
    }
    const closing = role("estimate", `Estimate ${valueText(answer)}`);
    const keysOf = (number) => role("weight", `${number} of ${keys.length} keys`);
    const most = role("weight", percent(weights[heaviest]));
    if (seen.every((weight) => weight === seen[0])) {
      return `${opening} weighs ${keysOf(seen.length)} the same, ${most} each. ${closing}.`;
    }
    const heaviestKey = role("key", `key ${keyText(keys[heaviest])}`);
    const passedOver = keys[heaviest] === nearest ? "" : `, not the nearest, ${role("key", keyText(nearest))}`;
    return `${opening} takes 90\u00a0% of its weight from ${keysOf(count)}; `
      + `the heaviest is ${heaviestKey} with ${most}${passedOver}. ${closing}.`;
  }

  // ---- Hands and keys ----

  const moveQuery = (query) => figure.change({ query: onGrid(query, keyGrid) });
  const moveBandwidth = (bandwidth) => figure.change({ bandwidth: onGrid(bandwidth, bandwidthGrid) });
  const movePoint = (i, key, value) => {
    const { keys, values } = current();
    figure.change({
      data_keys: keys.with(i, onGrid(key, keyGrid)), data_values: values.with(i, onGrid(value, valueGrid)),
    });
  };

  const choose = (point) => {
    chosen = point;
    figure.redraw();
  };

  /** The point nearest to a pixel, if it is within reach of the hand. */
  function pointAt([px, py], radius) {
    const { keys, values } = current();
    const distances = keys.map((key, i) => Math.hypot(x(key) - px, y(values[i]) - py));
    const nearest = distances.indexOf(Math.min(...distances));
    return distances[nearest] <= radius ? nearest : undefined;
  }

  /** What a hand has taken hold of, as a function that moves it: the end of h, a point, or else the query. */
  function grab(event) {
    const { left, top } = parts.canvas.getBoundingClientRect();
    const pixel = (e) => [e.clientX - left, e.clientY - top];
    const [px, py] = pixel(event);
    const { query, keys, values } = current();
    before = Object.fromEntries(MOVED_BY_HAND.map((trait) => [trait, model.get(trait)]));
    if (event.target === parts.reachHandle) {
      const off = event.target.getAttribute("cx") - px;
      return (e) => moveBandwidth(Math.abs(x.invert(pixel(e)[0] + off) - query));
    }
    const onQuery = parts.queryHandle.contains(event.target);
    const point = onQuery ? undefined : pointAt([px, py], event.pointerType === "touch" ? HIT.touch : HIT.mouse);
    if (point === undefined) {
      parts.queryHandle.focus({ preventScroll: true });
      const off = onQuery ? x(query) - px : 0;  // elsewhere the query comes to the hand
      return (e) => moveQuery(x.invert(pixel(e)[0] + off));
    }
    choose(point);
    parts.keyHandle.focus({ preventScroll: true });
    const [offX, offY] = [x(keys[point]) - px, y(values[point]) - py];
    // A mere click must not round the point to the grid.
    return (e) => e !== event && movePoint(point, x.invert(pixel(e)[0] + offX), y.invert(pixel(e)[1] + offY));
  }

  draggable(parts.canvas, { grab, release: (cancelled) => cancelled && figure.change(before) });
  arrowKeys(parts.queryHandle, (right, up) => moveQuery(current().query + (right + up) * keyGrid[2]));
  arrowKeys(parts.keyHandle, (right, up) => {
    const { keys, values } = current();
    movePoint(chosen, keys[chosen] + right * keyGrid[2], values[chosen] + up * valueGrid[2]);
  });
  parts.keyHandle.addEventListener("keydown", (event) => {
    const step = { PageUp: -1, PageDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const { keys } = current();
    const order = keys.map((_, i) => i).sort((a, b) => keys[a] - keys[b]);
    choose(order[(order.indexOf(chosen) + step + order.length) % order.length]);
  });

  return figure.start(draw);
}

export default { render };
