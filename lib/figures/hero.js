import {
  average, format, html, inJupyter, keysForShare, liveFigure, numberSetting, onGrid, set, softmax, svg,
} from "./core.js";
import { lines, steeringPlanes, windowKernel, windowKeys, windowLogWeights } from "./window.js";
import {
  color, cross, describeQuery, holdQuery, inside, lay, paint, percent, pixelSetting, place, QUERY_HANDLE, role, unpack,
  weightMap, withNoise,
} from "./picture.js";

// Left, the noisy photograph with the query, and its window enlarged. Right, a panel a method: the weights that it gives
// the pixels of that window, and the estimate beside the true value.

const RADIUS = 7, PATCH_RADIUS = 2;  // of lib/patch_attention.py

// ---- Attention and its estimate: lib/patch_attention.py, lib/random_features ------------------------------

/** The inner product of d numbers of a, from place p, and of b, from place q. */
function dot(a, p, b, q, d) {
  let sum = 0;
  for (let k = 0; k < d; k += 1) sum += a[p + k] * b[q + k];
  return sum;
}

/** a bᵀ for rows of d numbers, a (n, d) and b (m, d), each in one array: (n, m). */
function product(a, b, d) {
  const n = a.length / d, m = b.length / d;
  const all = new Float64Array(n * m);
  for (let i = 0; i < n; i += 1) {
    let j = 0;
    for (; j + 3 < m; j += 4) {  // four sums at a time, since an addition must wait for the one before: twice as fast
      const p = i * d, q = j * d;
      let first = 0, second = 0, third = 0, fourth = 0;
      for (let k = 0; k < d; k += 1) {
        const x = a[p + k];
        first += x * b[q + k];
        second += x * b[q + d + k];
        third += x * b[q + 2 * d + k];
        fourth += x * b[q + 3 * d + k];
      }
      const at = i * m + j;
      all[at] = first;
      all[at + 1] = second;
      all[at + 2] = third;
      all[at + 3] = fourth;
    }
    for (; j < m; j += 1) all[i * m + j] = dot(a, i * d, b, j * d, d);
  }
  return all;
}

/** The tokens of a window's keys, [patch, ‖patch‖²/5, 1, −‖Δx‖²/R², Δx = 0], one after the other. */
function windowTokens({ lines: [line], step }, keys) {
  const side = 2 * RADIUS + 1, tokens = [];
  keys.forEach((key, j) => {
    const row = Math.floor(j / side) - RADIUS, column = (j % side) - RADIUS;
    let norm = 0;
    for (let r = -PATCH_RADIUS; r <= PATCH_RADIUS; r += 1) {
      for (let c = -PATCH_RADIUS; c <= PATCH_RADIUS; c += 1) {
        const value = line[key + r * step + c] - 0.5;
        norm += value * value;
        tokens.push(value);
      }
    }
    const square = row * row + column * column;
    tokens.push(norm / 5, 1, -square / RADIUS ** 2, square === 0 ? 1 : 0);
  });
  return Float64Array.from(tokens);
}

/** Each row of d numbers less the mean of the rows. */
function centred(rows, d) {
  const n = rows.length / d;
  const mean = Array.from({ length: d }, (_, k) => {
    let sum = 0;
    for (let i = k; i < rows.length; i += d) sum += rows[i];
    return sum / n;
  });
  return rows.map((value, i) => value - mean[i % d]);
}

/** Frequencies (m, d) spread to fit the second moments of q + k, one an axis, and what keeps the estimate unbiased. */
function spreadFrequencies(frequencies, moments) {
  const d = moments.length;
  const variances = moments.map((l) => (3 + 2 * l + Math.sqrt((2 * l + 1) ** 2 + 8 * l)) / 4);
  const logWeights = new Float64Array(frequencies.length / d);
  const spread = frequencies.map((frequency, i) => {
    const variance = variances[i % d];
    logWeights[Math.floor(i / d)] += (Math.log(variance) - (variance - 1) * frequency ** 2) / 2;
    return frequency * Math.sqrt(variance);
  });
  return { frequencies: spread, logWeights };
}

/** The weights of softmax attention, estimated with positive features. Every feature is in units of its own peak. */
function estimatedWeights(query, keys, { frequencies, logWeights }) {
  const d = query.length, n = keys.length / d, m = logWeights.length;
  const exponents = product(keys, frequencies, d);
  const peaks = new Float64Array(m).fill(-Infinity);
  for (let j = 0; j < n; j += 1) {
    let half = 0;
    for (let k = j * d; k < (j + 1) * d; k += 1) half += keys[k] ** 2 / 2;
    for (let l = 0, at = j * m; l < m; l += 1, at += 1) {
      exponents[at] -= half;
      if (exponents[at] > peaks[l]) peaks[l] = exponents[at];
    }
  }
  const logs = product(query, frequencies, d).map((projection, l) => projection + logWeights[l] + peaks[l]);
  const top = logs.reduce((a, b) => Math.max(a, b));
  const features = logs.map((log) => Math.exp(log - top));
  const sums = Float64Array.from({ length: n }, (_, j) => {
    let sum = 0;
    for (let l = 0; l < m; l += 1) sum += features[l] * Math.exp(exponents[j * m + l] - peaks[l]);
    return sum;
  });
  const total = sums.reduce((a, b) => a + b);
  return sums.map((sum) => sum / total);
}

// ---- The picture ------------------------------------------------------------------------------------------

const HEAD = 40, FOOT = 36, GAP = 18, LEGEND = 20, TITLE = 22;  // heights, and the room between panels

/** Where things are, in pixels, for a figure of this width: { start, photo, window, panels, columns, side }. */
function layout(width, image, count) {
  const longest = Math.max(image.height, image.width);
  const isNarrow = width < 600;
  const across = isNarrow ? 0.57 * width : width < 700 ? 0.28 * width : 2 * longest;  // whole pixels where they fit
  const scale = across / longest;
  const photo = { x: 0, y: isNarrow ? TITLE : HEAD, scale, width: scale * image.width, height: scale * image.height };
  if (isNarrow) {
    const window = { x: across + 14, y: 0, head: TITLE, width: width - across - 14 };
    const side = (width - GAP) / 2;
    const start = { width, height: TITLE + across };
    return { isNarrow, photo, window, start, side, panels: grid(width, side, count, 2, GAP) };
  }
  const room = width - across - 28, side = (room - 2 * GAP) / 3;
  const gap = Math.max(24, HEAD + across + 12 - (HEAD + side + FOOT));
  const panels = grid(room, side, count, 3, gap);
  const window = { x: 0, y: panels.places[3].y, head: HEAD, width: Math.min(side, across) };
  return { isNarrow, photo, window, start: { width: across, height: panels.height }, side, panels };
}

/** The corners of panels in columns, and the size of them all. */
function grid(width, side, count, columns, gap) {
  const places = Array.from({ length: count }, (_, i) => ({
    x: (i % columns) * (side + GAP), y: Math.floor(i / columns) * (HEAD + side + FOOT + gap),
  }));
  return { places, width, height: places[count - 1].y + HEAD + side + FOOT + 12 + LEGEND * (columns < 3 ? 2 : 1) };
}

/** A bar of two halves and the number below it: what was found, and the true value. */
function comparison(parent) {
  const group = svg("g", { class: "comparison" }, parent);
  const [found, truth] = ["found", "true"].map((name) => svg("rect", { class: name, height: 12 }, group));
  const number = svg("text", { class: "number", y: 28 }, group), note = svg("text", { class: "note", y: 28 }, group);
  return function draw({ x, y, width }, value, trueValue) {
    set(group, { transform: place({ x, y }) });
    set(found, { width: width / 2, fill: color([value]) });
    set(truth, { x: width / 2, width: width / 2, fill: color([trueValue]) });
    number.textContent = format(value, 3);
    set(note, { x: width });
    const off = value - trueValue;
    note.textContent = `${off < 0 ? "−" : "+"}${Math.abs(off).toFixed(3)}`;
  };
}

/** A method's panel: its year, its name, which leads to its chapter, what changed, and its weights. */
function panel(parent, { name, year, title, change, chapter }) {
  const group = svg("g", { class: `method ${name}` }, parent);
  svg("text", { class: "year", y: 14, text: year }, group);
  const link = svg("a", { href: chapter + (inJupyter() ? ".ipynb" : ".html") }, group);
  svg("text", { class: "title", x: 37, y: 14, text: `${title}\u00a0›` }, link);
  svg("text", { class: "change", y: 31, text: change }, group);
  const drawWeights = weightMap(group), compare = comparison(group);
  return function draw({ x, y }, side, { weights, count, estimate, truth }) {
    set(group, { transform: place({ x, y }) });
    drawWeights(weights, count, { x: 0, y: HEAD, width: side });
    compare({ x: 0, y: HEAD + side + 6, width: side }, estimate, truth);
  };
}

/** The elements of the picture. */
function elements(stage, image, methods) {
  const start = html("div", { class: "start" }, stage);
  const photo = html("canvas", { class: "photo", ...image, "aria-hidden": "true" }, start);
  const canvas = svg("svg", { class: "canvas" }, start);
  const panels = svg("svg", { class: "canvas panels" }, stage);
  const add = (tag, name, parent, attributes) => svg(tag, { class: name, ...attributes }, parent);
  const parts = { start, photo, canvas, panels };
  parts.photoTitle = add("text", "title", canvas, { y: 14, text: "The photograph" });
  parts.photoNote = add("text", "change", canvas, { y: 31, text: "With noise, σ = 25/255" });
  parts.photoPanel = add("svg", "panel", canvas);
  parts.window = add("g", "window", parts.photoPanel);
  parts.frames = ["halo", "frame"].map((name) => add("rect", name, parts.window));
  parts.crosses = ["cross-halo", "cross"].map((name) => add("path", name, parts.photoPanel));
  parts.grip = add("rect", "grip", canvas);
  parts.windowGroup = add("g", "seen", canvas);
  add("text", "title", parts.windowGroup, { y: 14, text: "The keys" });
  parts.windowNote = add("text", "change", parts.windowGroup, { y: 31, text: "15 × 15 noisy pixels" });
  parts.pixels = html("canvas", { class: "pixels", width: 2 * RADIUS + 1, height: 2 * RADIUS + 1, "aria-hidden": "true" });
  start.insertBefore(parts.pixels, canvas);
  parts.pixelFrame = add("rect", "ground", parts.windowGroup);
  parts.self = add("rect", "self", parts.windowGroup);
  parts.compare = comparison(parts.windowGroup);
  parts.methods = methods.map((method) => panel(panels, method));
  parts.legend = add("g", "legend", panels);
  parts.queryHandle = html("div", QUERY_HANDLE, start);
  return parts;
}

const LEGEND_WORDS = [
  ["weight", "M1 -11h13v13h-13z", "weight"],
  ["most", "M1 -11h13v13h-13z", "90\u00a0% of it"],
  ["query", "M1 -11h13v13h-13z", "query"],
  ["halves", "M0 -10h18v11h-18zM9 -10v11", "left: estimate, right: true"],
];

function render({ model, el }) {
  const clean = unpack(model.get("clean"));
  const noisy = withNoise(clean, unpack(model.get("noise")), model.get("noise_std"));
  const { height, width: across } = clean;
  const [queryMap, keyMap] = unpack(model.get("maps")).planes;
  const frequencies = unpack(model.get("frequencies")).planes[0], moment = model.get("moment");
  const methods = model.get("methods"), bandwidthGrid = model.get("bandwidth_grid");
  const figure = liveFigure({
    model, el, name: "hero",
    hint: "Drag the cross, or press on a pixel. Keyboard: Tab, arrow keys; with Shift, ten pixels at a time.",
    settings: { query: pixelSetting("query", clean), bandwidth: numberSetting("bandwidth", bandwidthGrid) },
  });
  figure.root.classList.add("picture-figure");
  const parts = elements(figure.stage, { height, width: across }, methods);
  const steering = steeringPlanes(noisy, model.get("disk"));
  const grey = lines(noisy, RADIUS + PATCH_RADIUS);
  paint(parts.photo, noisy);
  let at, prepared;

  // ---- Computing ----

  /** What depends on the bandwidth alone: the kernels of the window, and the Performer's frequencies. */
  function prepare(bandwidth) {
    if (bandwidth === prepared?.bandwidth) return;
    const scaled = ({ bandwidth_space, bandwidth_value, ...kernel }) => ({
      ...kernel, bandwidth_space: bandwidth * bandwidth_space, bandwidth_value: bandwidth * bandwidth_value,
    });
    const windows = methods.filter(({ kernel }) => "radius" in kernel);
    prepared = {
      bandwidth,
      kernels: windows.map(({ name, kernel }) => [name, windowKernel(noisy, steering, scaled(kernel))]),
      spread: spreadFrequencies(frequencies, moment.map((square) => square / bandwidth ** 2)),
    };
  }

  /** The weights of every method for the keys of one pixel's window, by name. */
  function weightsOf(pixel, keys) {
    const { bandwidth, kernels, spread } = prepared, d = moment.length;
    const ofWindows = kernels.map(([name, kernel]) => [name, softmax(windowLogWeights(kernel, pixel))]);
    const tokens = windowTokens(grey, keys), own = (tokens.length - d) / 2;
    const project = (token, map) => product(token, map, d).map((number) => number / bandwidth);
    const queries = project(tokens.subarray(own, own + d), queryMap);
    const answers = centred(project(tokens, keyMap), d);
    return {
      ...Object.fromEntries(ofWindows),
      attention: softmax(product(queries, answers, d)),
      performer: estimatedWeights(queries, answers, spread),
    };
  }

  // ---- Drawing ----

  function draw(width) {
    if (width !== at?.width) arrange(width);
    const bandwidth = onGrid(model.get("bandwidth"), bandwidthGrid);
    const query = inside(clean, model.get("query"));
    prepare(bandwidth);
    const keys = windowKeys({ ...grey, radius: RADIUS }, query);
    const weights = weightsOf(query, keys), values = keys.map((key) => grey.lines[0][key]);
    const each = (find) => Object.fromEntries(methods.map(({ name }) => [name, find(weights[name])]));
    const [observed, truth] = [noisy, clean].map(({ planes: [plane] }) => plane[query[0] * across + query[1]]);
    const estimate = each((of) => average(of, values)), keys_for_90_percent = each((of) => keysForShare(of, 0.9));
    const misplaced = weights.attention.reduce((sum, w, j) => sum + Math.abs(w - weights.performer[j]), 0) / 2;
    methods.forEach(({ name }, i) => parts.methods[i](at.panels.places[i], at.side, {
      weights: weights[name], count: keys_for_90_percent[name], estimate: estimate[name], truth,
    }));
    drawQuery(query, observed);
    drawWindow(values, observed, truth);
    return {
      state: {
        query, bandwidth, estimate, keys_for_90_percent, n_keys: keys.length, noisy: observed, clean: truth, misplaced,
      },
      sentence: sentence(query, observed, truth, estimate, keys_for_90_percent, misplaced),
    };
  }

  /** What depends on the width alone. */
  function arrange(width) {
    at = { ...layout(width, clean, methods.length), width };
    const { photo, window, start, panels } = at;
    figure.root.classList.toggle("narrow", at.isNarrow);
    Object.assign(parts.start.style, { width: `${start.width}px`, height: `${start.height}px` });
    set(parts.canvas, { ...start, viewBox: `0 0 ${start.width} ${start.height}` });
    set(parts.panels, { width: panels.width, height: panels.height, viewBox: `0 0 ${panels.width} ${panels.height}` });
    lay(parts.photo, photo);
    const { x, y, width: wide, height: high } = photo;
    [parts.photoPanel, parts.grip].forEach((each) => set(each, { x, y, width: wide, height: high }));
    [parts.photoNote, parts.windowNote].forEach((note) => set(note, { visibility: at.isNarrow ? "hidden" : "visible" }));
    set(parts.windowGroup, { transform: place(window) });
    set(parts.pixelFrame, { y: window.head, width: window.width, height: window.width });
    const cell = window.width / (2 * RADIUS + 1);
    set(parts.self, { x: RADIUS * cell, y: window.head + RADIUS * cell, width: cell, height: cell });
    lay(parts.pixels, { x: window.x, y: window.y + window.head, width: window.width, height: window.width });
    drawLegend();
  }

  function drawLegend() {
    parts.legend.replaceChildren();
    const { width, height } = at.panels;
    let x = 0, y = height - 4 - (at.isNarrow ? LEGEND : 0);
    for (const [name, d, words] of LEGEND_WORDS) {
      const wide = 38 + 6 * words.length;
      if (x + wide > width + 14) [x, y] = [0, y + LEGEND];
      const group = svg("g", { class: name, transform: place({ x, y }) }, parts.legend);
      svg("path", { d }, group);
      svg("text", { x: 24, text: words }, group);
      x += wide;
    }
  }

  function drawQuery([row, column], observed) {
    const { x, y, scale } = at.photo, side = 2 * RADIUS + 1;
    const corner = { x: (column - RADIUS) * scale, y: (row - RADIUS) * scale };
    const middle = { x: (column + 0.5) * scale, y: (row + 0.5) * scale };
    const { d, hold } = cross((RADIUS + 0.5) * scale);
    set(parts.window, { transform: `${place(corner)} scale(${scale})` });
    parts.frames.forEach((frame) => set(frame, { width: side, height: side }));
    parts.crosses.forEach((each) => set(each, { d, transform: place(middle) }));
    lay(parts.queryHandle, { x: x + middle.x - hold, y: y + middle.y - hold, width: 2 * hold, height: 2 * hold });
    describeQuery(parts.queryHandle, clean, [row, column], `noisy ${format(observed, 3)}`);
  }

  function drawWindow(values, observed, truth) {
    const side = 2 * RADIUS + 1;
    paint(parts.pixels, { height: side, width: side, planes: [values] });
    parts.compare({ x: 0, y: at.window.head + at.window.width + 6, width: at.window.width }, observed, truth);
  }

  function sentence([row, column], observed, truth, estimate, counts, misplaced) {
    const nearestFirst = methods.map(({ name, title }) => ({ name, title }))
      .sort((a, b) => Math.abs(estimate[a.name] - truth) - Math.abs(estimate[b.name] - truth));
    const inWords = ({ name, title }) => `${title}, ${role("estimate", format(estimate[name], 3))}, with 90\u00a0% of its `
      + `weight on ${role("weight", `${counts[name]} of 225 keys`)}`;
    return `${role("query", `Query: row ${row}, column ${column}`)}, ${role("value", `noisy ${format(observed, 3)}`)}, `
      + `true ${format(truth, 3)}. Nearest comes ${inWords(nearestFirst[0])}; farthest is ${inWords(nearestFirst.at(-1))}. `
      + `The Performer has ${role("weight", percent(misplaced))} of its weight on other keys than attention.`;
  }

  holdQuery({
    stage: figure.stage, handle: parts.queryHandle, pictures: [parts.grip], image: clean,
    query: () => model.get("query"),
    move: (pixel) => figure.change({ query: inside(clean, pixel) }),
  });
  return figure.start(draw);
}

export default { render };
