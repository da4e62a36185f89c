import { inJupyter, liveFigure, numberSetting, role, traitsOf } from "./core.js";
import { keyExponents, product, weightsOfFeatures } from "./matrices.js";
import { format, onGrid, percent } from "./numbers.js";
import {
  color,
  cross,
  describeQuery,
  holdQuery,
  inside,
  paint,
  pixelSetting,
  QUERY_HANDLE,
  unpack,
  weightMap,
  withNoise,
} from "./picture.js";
import { html, lay, legend, resize, set, svg, translate } from "./plot.js";
import { average, keysForShare, shares, softmax, totalVariation } from "./weights.js";
import { lines, steeringPlanes, windowKernel, windowKeys, windowLogWeights } from "./window.js";

// Left, the noisy photograph with the query, and its window enlarged. Right, one panel per method: the weights that it gives
// the pixels of that window, and the estimate beside the true value.

const RADIUS = 7,
  SIDE = 2 * RADIUS + 1,
  PATCH_RADIUS = 2; // of lib/patch_attention.py

// ---- Attention and its estimate: lib/patch_attention.py, lib/random_features ------------------------------

/** The tokens of a window's keys, [patch, ‖patch‖²/5, 1, −‖Δx‖²/R², Δx = 0], one after the other. */
function windowTokens({ lines: [line], step }, keys) {
  const tokens = [];
  keys.forEach((key, j) => {
    const row = Math.floor(j / SIDE) - RADIUS,
      column = (j % SIDE) - RADIUS;
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

/** The weights of softmax attention, estimated with positive features. */
function performerWeights(query, keys, { frequencies, logWeights }) {
  const d = query.length,
    m = logWeights.length;
  const asked = product(query, frequencies, d).map((projection, l) => projection + logWeights[l]);
  return [...shares([...weightsOfFeatures(asked, keyExponents(keys, frequencies, d), m)])];
}

// ---- The picture ------------------------------------------------------------------------------------------

const HEAD = 40,
  FOOT = 36,
  GAP = 18,
  LEGEND = 20,
  TITLE = 22; // heights, and the room between panels

/** Where things are, in pixels, for a figure of this width: { start, photo, window, panels, columns, side }. */
function layout(width, image, count) {
  const longest = Math.max(image.height, image.width);
  const isNarrow = width < 600;
  const across = isNarrow ? 0.57 * width : width < 700 ? 0.28 * width : 2 * longest; // whole pixels where they fit
  const scale = across / longest;
  const photo = { x: 0, y: isNarrow ? TITLE : HEAD, scale, width: scale * image.width, height: scale * image.height };
  if (isNarrow) {
    const window = { x: across + 14, y: 0, head: TITLE, width: width - across - 14 };
    const side = (width - GAP) / 2;
    const start = { width, height: TITLE + across };
    return { isNarrow, photo, window, start, side, panels: grid(width, side, count, 2, GAP) };
  }
  const room = width - across - 28,
    side = (room - 2 * GAP) / 3;
  const gap = Math.max(24, HEAD + across + 12 - (HEAD + side + FOOT));
  const panels = grid(room, side, count, 3, gap);
  const window = { x: 0, y: panels.places[3].y, head: HEAD, width: Math.min(side, across) };
  return { isNarrow, photo, window, start: { width: across, height: panels.height }, side, panels };
}

/** The corners of panels in columns, and the size of them all. */
function grid(width, side, count, columns, gap) {
  const places = Array.from({ length: count }, (_, i) => ({
    x: (i % columns) * (side + GAP),
    y: Math.floor(i / columns) * (HEAD + side + FOOT + gap),
  }));
  return { places, width, height: places[count - 1].y + HEAD + side + FOOT + 12 + LEGEND * (columns < 3 ? 2 : 1) };
}

/** A bar of two halves and the number below it: what was found, and the true value. */
function comparison(parent) {
  const group = svg("g", { class: "comparison" }, parent);
  const [found, truth] = ["found", "true"].map((name) => svg("rect", { class: name, height: 12 }, group));
  const number = svg("text", { class: "number", y: 28 }, group),
    note = svg("text", { class: "note", y: 28 }, group);
  return function draw({ x, y, width }, value, trueValue) {
    set(group, { transform: translate(x, y) });
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
  const drawWeights = weightMap(group),
    compare = comparison(group);
  return function draw({ x, y }, side, { weights, count, estimate, truth }) {
    set(group, { transform: translate(x, y) });
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
  parts.pixels = html("canvas", { class: "pixels", width: SIDE, height: SIDE, "aria-hidden": "true" });
  start.insertBefore(parts.pixels, canvas);
  parts.pixelFrame = add("rect", "ground", parts.windowGroup);
  parts.self = add("rect", "self", parts.windowGroup);
  parts.compare = comparison(parts.windowGroup);
  parts.methods = methods.map((method) => panel(panels, method));
  parts.legend = add("g", "legend", panels);
  parts.queryHandle = html("div", QUERY_HANDLE, start);
  return parts;
}

const SQUARE = "M1 -11h13v13h-13z";
const LEGEND_WORDS = [
  { name: "weight", words: "weight", d: SQUARE },
  { name: "most", words: "90\u00a0% of it", d: SQUARE },
  { name: "query", words: "query", d: SQUARE },
  { name: "halves", words: "left: estimate, right: true", d: "M0 -10h18v11h-18zM9 -10v11" },
];

/** What depends on the width alone. */
function arrange(root, parts, image, count, width) {
  const at = { ...layout(width, image, count), width };
  const { photo, window, start, panels } = at;
  root.classList.toggle("narrow", at.isNarrow);
  Object.assign(parts.start.style, { width: `${start.width}px`, height: `${start.height}px` });
  resize(parts.canvas, start.width, start.height);
  resize(parts.panels, panels.width, panels.height);
  lay(parts.photo, photo);
  const { x, y, width: wide, height: high } = photo;
  [parts.photoPanel, parts.grip].forEach((each) => set(each, { x, y, width: wide, height: high }));
  [parts.photoNote, parts.windowNote].forEach((note) => set(note, { visibility: at.isNarrow ? "hidden" : "visible" }));
  set(parts.windowGroup, { transform: translate(window.x, window.y) });
  set(parts.pixelFrame, { y: window.head, width: window.width, height: window.width });
  const cell = window.width / SIDE;
  set(parts.self, { x: RADIUS * cell, y: window.head + RADIUS * cell, width: cell, height: cell });
  lay(parts.pixels, { x: window.x, y: window.y + window.head, width: window.width, height: window.width });
  const lowest = panels.height - 4 - (at.isNarrow ? LEGEND : 0);
  const room = { width: panels.width + 14, line: LEGEND };
  legend(parts.legend, LEGEND_WORDS, { y: lowest, gap: 38, letter: 6, label: { x: 24 }, ...room });
  return at;
}

function drawQuery(parts, { photo: { x, y, scale } }, image, [row, column], observed) {
  const corner = translate((column - RADIUS) * scale, (row - RADIUS) * scale);
  const middle = { x: (column + 0.5) * scale, y: (row + 0.5) * scale };
  const { d, hold } = cross((RADIUS + 0.5) * scale);
  set(parts.window, { transform: `${corner} scale(${scale})` });
  parts.frames.forEach((frame) => set(frame, { width: SIDE, height: SIDE }));
  parts.crosses.forEach((each) => set(each, { d, transform: translate(middle.x, middle.y) }));
  lay(parts.queryHandle, { x: x + middle.x - hold, y: y + middle.y - hold, width: 2 * hold, height: 2 * hold });
  describeQuery(parts.queryHandle, image, [row, column], `noisy ${format(observed, 3)}`);
}

function drawWindow(parts, { window }, values, observed, truth) {
  paint(parts.pixels, { height: SIDE, width: SIDE, planes: [values] });
  parts.compare({ x: 0, y: window.head + window.width + 6, width: window.width }, observed, truth);
}

function sentence(methods, { query: [row, column], noisy, clean, estimate, keys_for_90_percent, misplaced }) {
  const nearestFirst = methods
    .map(({ name, title }) => ({ name, title }))
    .sort((a, b) => Math.abs(estimate[a.name] - clean) - Math.abs(estimate[b.name] - clean));
  const inWords = ({ name, title }) =>
    `${title}, ${role("estimate", format(estimate[name], 3))}, with 90\u00a0% of its ` +
    `weight on ${role("weight", `${keys_for_90_percent[name]} of 225 keys`)}`;
  return (
    `${role("query", `Query: row ${row}, column ${column}`)}, ${role("value", `noisy ${format(noisy, 3)}`)}, ` +
    `true ${format(clean, 3)}. Nearest comes ${inWords(nearestFirst[0])}; farthest is ${inWords(nearestFirst.at(-1))}. ` +
    `The Performer has ${role("weight", percent(misplaced))} of its weight on other keys than attention.`
  );
}

// ---- The weights of all methods ---------------------------------------------------------------------------

/** What does not change: the photograph with its noise, the maps of attention, the methods. */
function dataOf(model) {
  const [clean, noise, maps, frequencies] = traitsOf(model, "clean", "noise", "maps", "frequencies").map(unpack);
  const [noiseStd, moment, methods, bandwidthGrid, disk] = traitsOf(
    model,
    "noise_std",
    "moment",
    "methods",
    "bandwidth_grid",
    "disk",
  );
  const noisy = withNoise(clean, noise, noiseStd),
    [queryMap, keyMap] = maps.planes;
  return {
    clean,
    noisy,
    queryMap,
    keyMap,
    frequencies: frequencies.planes[0],
    moment,
    methods,
    bandwidthGrid,
    steering: steeringPlanes(noisy, disk),
    grey: lines(noisy, RADIUS + PATCH_RADIUS),
  };
}

/** What depends on the bandwidth alone: the kernels of the window, and the Performer's frequencies. */
function prepared({ noisy, steering, methods, frequencies, moment }, bandwidth) {
  const scaled = ({ bandwidth_space, bandwidth_value, ...kernel }) => ({
    ...kernel,
    bandwidth_space: bandwidth * bandwidth_space,
    bandwidth_value: bandwidth * bandwidth_value,
  });
  const windows = methods.filter(({ kernel }) => "radius" in kernel);
  return {
    bandwidth,
    kernels: windows.map(({ name, kernel }) => [name, windowKernel(noisy, steering, scaled(kernel))]),
    spread: spreadFrequencies(
      frequencies,
      moment.map((square) => square / bandwidth ** 2),
    ),
  };
}

/** The weights of every method for the keys of one pixel's window, by name. */
function weightsOf({ grey, moment, queryMap, keyMap }, { bandwidth, kernels, spread }, pixel, keys) {
  const d = moment.length;
  const ofWindows = kernels.map(([name, kernel]) => [name, softmax(windowLogWeights(kernel, pixel))]);
  const tokens = windowTokens(grey, keys),
    own = (tokens.length - d) / 2;
  const project = (token, map) => product(token, map, d).map((number) => number / bandwidth);
  const queries = project(tokens.subarray(own, own + d), queryMap);
  const answers = centred(project(tokens, keyMap), d);
  return {
    ...Object.fromEntries(ofWindows),
    attention: softmax([...product(queries, answers, d)]),
    performer: performerWeights(queries, answers, spread),
  };
}

/** What is shown of one query. */
function resultsOf({ clean, noisy, methods }, query, values, weights) {
  const each = (find) => Object.fromEntries(methods.map(({ name }) => [name, find(weights[name])]));
  const [observed, truth] = [noisy, clean].map(({ planes: [plane] }) => plane[query[0] * clean.width + query[1]]);
  return {
    estimate: each((of) => average(of, values)),
    keys_for_90_percent: each((of) => keysForShare(of, 0.9)),
    n_keys: values.length,
    noisy: observed,
    clean: truth,
    misplaced: totalVariation(weights.attention, weights.performer),
  };
}

// ---- The figure -------------------------------------------------------------------------------------------

function render({ model, el }) {
  const data = dataOf(model),
    { clean, noisy, methods, bandwidthGrid } = data;
  const figure = liveFigure({
    model,
    el,
    name: "hero",
    hint: "Drag the cross, or press on a pixel. Keyboard: Tab, arrow keys; with Shift, ten pixels at a time.",
    settings: { query: pixelSetting("query", clean), bandwidth: numberSetting("bandwidth", bandwidthGrid) },
  });
  figure.root.classList.add("picture-figure");
  const parts = elements(figure.stage, { height: clean.height, width: clean.width }, methods);
  paint(parts.photo, noisy);
  let at, kernels;

  function draw(width) {
    if (width !== at?.width) at = arrange(figure.root, parts, clean, methods.length, width);
    const bandwidth = onGrid(model.get("bandwidth"), bandwidthGrid),
      query = inside(clean, model.get("query"));
    if (bandwidth !== kernels?.bandwidth) kernels = prepared(data, bandwidth);
    const keys = windowKeys({ ...data.grey, radius: RADIUS }, query),
      values = keys.map((key) => data.grey.lines[0][key]);
    const weights = weightsOf(data, kernels, query, keys);
    const results = resultsOf(data, query, values, weights),
      { estimate, keys_for_90_percent } = results;
    methods.forEach(({ name }, i) =>
      parts.methods[i](at.panels.places[i], at.side, {
        weights: weights[name],
        count: keys_for_90_percent[name],
        estimate: estimate[name],
        truth: results.clean,
      }),
    );
    drawQuery(parts, at, clean, query, results.noisy);
    drawWindow(parts, at, values, results.noisy, results.clean);
    const state = { query, bandwidth, ...results };
    return { state, sentence: sentence(methods, state) };
  }

  holdQuery({
    stage: figure.stage,
    handle: parts.queryHandle,
    pictures: [parts.grip],
    image: clean,
    query: () => model.get("query"),
    move: (pixel) => figure.change({ query: inside(clean, pixel) }),
  });
  return figure.start(draw);
}

export default { render };
