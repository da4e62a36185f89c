import { choiceSetting, liveFigure, numberSetting, role, symbolic, traitsOf } from "./core.js";
import { arrowKeys, draggable, focus } from "./hands.js";
import { clamp, format, indexOfLargest, onGrid, percent, roundPercent } from "./numbers.js";
import { playButton } from "./play.js";
import {
  axes,
  BEFORE,
  describe,
  diamond,
  html,
  lay,
  legend,
  makeRoom,
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
import { average, axisEnd, keysForShare, N_SHADES, shade, shadedPaths, softmax, totalVariation } from "./weights.js";

// Left, the matrix of weights: one row per query, one column per key. Right, the chosen row: the weight of each key, and above
// it the values with the estimate of every query.

// ---- Computing --------------------------------------------------------------------------------------------

/** The log-weights of one query: q·k/τ, and −∞ where the mask hides a key. */
export function rowLogWeights(query, keys, temperature, visible) {
  return keys.map((key, j) =>
    visible(j) ? query.reduce((sum, x, c) => sum + x * key[c], 0) / temperature : -Infinity,
  );
}

/** W t of a token of sines and cosines: each pair is turned back by so many positions, then stretched. */
export function mappedPairs(token, frequencies, stretches, back) {
  return frequencies.flatMap((frequency, p) => {
    const [sine, cosine] = [Math.sin(frequency * back), Math.cos(frequency * back)];
    const [s, c] = [token[2 * p], token[2 * p + 1]];
    return [stretches[p] * (s * cosine - c * sine), stretches[p] * (c * cosine + s * sine)];
  });
}

/** All weights of every frame, and which one is drawn darkest. @param {any} setting */
function weightsOf({ queries, keys, frequencies }, setting) {
  const { temperature, mask, query_stretches, key_stretches, look_back } = setting;
  const visible = (i) => (mask === "causal" ? (j) => j <= i : () => true);
  const map = (token, stretches, back) => (stretches ? mappedPairs(token, frequencies, stretches, back) : token);
  const matrices = queries.map((tokens, frame) => {
    const mapped = keys[frame].map((token) => map(token, key_stretches, 0));
    return tokens.map((token, i) =>
      softmax(rowLogWeights(map(token, query_stretches, look_back), mapped, temperature, visible(i))),
    );
  });
  return { matrices, darkest: Math.max(...matrices.map(typicalLargest)) };
}

/** The median of the rows' largest weights: one row with a single key must not make all others pale. */
function typicalLargest(matrix) {
  const largest = matrix.map((row) => Math.max(...row)).sort((a, b) => a - b);
  return largest[Math.floor(largest.length / 2)];
}

/** What does not change: data, grids and names. */
function dataOf(model) {
  const [queryGrid, temperatureGrid, stretchGrid, backGrid, frequencies] = traitsOf(
    model,
    "query_grid",
    "temperature_grid",
    "stretch_grid",
    "back_grid",
    "frequencies",
  );
  const [frameName, labels, masks, values, targets, reference] = traitsOf(
    model,
    "frame_name",
    "frame_labels",
    "masks",
    "data_values",
    "targets",
    "reference",
  );
  const { queries, keys } = model.get("frames");
  const [nQueries, nKeys] = [queries[0].length, keys[0].length];
  return {
    queryGrid,
    temperatureGrid,
    stretchGrid,
    backGrid,
    frequencies,
    frameName,
    labels,
    masks,
    values,
    targets,
    reference,
    queries,
    keys,
    nQueries,
    nKeys,
    hasMaps: frequencies.length > 0,
    sameLength: nQueries === nKeys,
    targetLabel: model.get("target_label"),
  };
}

function settingsOf({ queryGrid, temperatureGrid, stretchGrid, backGrid, frameName, labels, masks, hasMaps }) {
  return {
    query: numberSetting("query", queryGrid),
    [frameName]: choiceSetting("frame_index", labels),
    temperature: numberSetting("temperature", temperatureGrid),
    mask: choiceSetting("mask_index", masks),
    ...(hasMaps && {
      wq1: numberSetting("query_fast", stretchGrid),
      wq2: numberSetting("query_slow", stretchGrid),
      wk1: numberSetting("key_fast", stretchGrid),
      wk2: numberSetting("key_slow", stretchGrid),
      back: numberSetting("look_back", backGrid),
    }),
  };
}

/** What is set now. */
function currentSetting(
  model,
  { queryGrid, temperatureGrid, stretchGrid, backGrid, labels, masks, hasMaps, sameLength },
) {
  const stretches = (...names) => traitsOf(model, ...names).map((value) => onGrid(value, stretchGrid));
  return {
    ...(hasMaps && {
      query_stretches: stretches("query_fast", "query_slow"),
      key_stretches: stretches("key_fast", "key_slow"),
      look_back: onGrid(model.get("look_back"), backGrid),
    }),
    query: onGrid(model.get("query"), queryGrid),
    frame_index: Math.min(model.get("frame_index"), labels.length - 1),
    temperature: onGrid(model.get("temperature"), temperatureGrid),
    mask: sameLength ? masks[model.get("mask_index")] : "none",
  };
}

// ---- The picture ------------------------------------------------------------------------------------------

/** Where things are, in pixels, for a figure of this width. */
function layout(width) {
  const narrow = width < 560;
  const matrix = { x: 40, y: 30, side: narrow ? width - 54 : Math.min(0.46 * width, 330) };
  const left = narrow ? 44 : matrix.x + matrix.side + 70;
  const top = narrow ? matrix.y + matrix.side + 84 : matrix.y;
  const height = narrow ? 230 : matrix.side;
  const values = { top, bottom: top + 0.52 * height };
  const weights = { top: values.bottom + 34, bottom: top + height };
  return { width, narrow, matrix, left, right: width - 12, values, weights, height: weights.bottom + 46 };
}

/** The elements of the picture, from back to front. */
function elements(stage) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes, parent = canvas) => svg(tag, { class: name, ...attributes }, parent);
  const parts = {
    canvas,
    matrixTitle: add("text", "title query-title", { text: "query" }),
    matrixKeyTitle: add("text", "title key", { text: "key" }),
    matrix: add("svg", "matrix"),
    frame: add("rect", "frame"),
    axes: add("g", "axes"),
    rowFrame: add("rect", "row-frame"),
    rowPill: add("rect", "row-pill", { height: 20, rx: 10, width: 32, x: 0 }),
    rowLabel: add("text", "row-label", { x: 16 }),
    targets: add("path", "targets"),
    dots: add("g", "value-dots"),
    ghostCurve: add("path", "ghost"),
    curve: add("path", "curve"),
    queryLine: add("line", "query-line"),
    reference: add("path", "reference"),
    stems: add("path", "stems"),
    ghostRow: add("path", "ghost"),
    ghostDiamond: add("path", "ghost"),
    diamond: add("path", "diamond", { d: diamond(6.5) }),
    nothing: add("text", "note nothing", { text: "no key to attend to" }),
    weightTick: add("text", "tick left"),
    legend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight" }),
    keyTitle: add("text", "title key", { text: "key" }),
  };
  parts.cells = add("g", "cells", {}, parts.matrix);
  // What the hand holds is HTML: Chromium knows no touch-action of shapes.
  parts.queryHandle = html(
    "div",
    { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query", "aria-orientation": "vertical" },
    stage,
  );
  return parts;
}

/** What depends on the width alone: places, scales, axes and the values. */
function arrange(parts, data, width) {
  const { values, targets, nQueries, nKeys, sameLength } = data;
  const at = layout(width),
    { matrix } = at;
  const valueRange = withMargin([...values, ...targets], 0.1);
  const x = scale([0, nKeys - 1 || 1], [at.left + 4, at.right - 4]);
  const y = scale(valueRange, [at.values.bottom, at.values.top]);
  resize(parts.canvas, width, at.height);
  const place = { x: matrix.x, y: matrix.y, width: matrix.side, height: matrix.side };
  set(parts.matrix, { ...place, viewBox: `0 0 ${nKeys} ${nQueries}`, preserveAspectRatio: "none" });
  set(parts.frame, place);
  set(parts.matrixTitle, { x: 0, y: 18 });
  set(parts.matrixKeyTitle, { x: matrix.x + matrix.side, y: matrix.y + matrix.side + 34 });
  set(parts.keyTitle, { x: at.right, y: at.weights.bottom + 36 });
  set(parts.weightTitle, { x: at.left - 44, y: at.weights.top - 8 });
  set(parts.weightTick, { x: at.left - 8, y: at.weights.top + 10 });
  const places = { ...at, x, y, valueRange };
  drawAxes(parts, data, places);
  drawLegend(parts, data, at);
  const r = nKeys > 30 && at.narrow ? 2.5 : 3.5;
  repeat(parts.dots, "circle", nKeys, (dot, j) => set(dot, { cx: x(j), cy: y(values[j]), r }));
  set(parts.targets, { d: path(sameLength ? targets.map((target, i) => [x(i), y(target)]) : []) });
  return places;
}

function drawAxes(parts, { nQueries, nKeys }, { matrix, weights, left, right, x, y, valueRange }) {
  const axis = axes(parts.axes);
  const whole = (n) => ticks([0, n - 1], 5).filter(({ value }) => Number.isInteger(value));
  for (const { value, text } of whole(nKeys)) {
    axis.label("tick", matrix.x + (matrix.side * (value + 0.5)) / nKeys, matrix.y + matrix.side + 17, text);
    axis.stop(x(value), weights.bottom, text);
  }
  for (const { value, text } of whole(nQueries)) {
    axis.label("tick left row", matrix.x - 7, matrix.y + (matrix.side * (value + 0.5)) / nQueries + 4, text);
  }
  for (const { value, text } of ticks(valueRange, 4)) axis.level({ left, right }, y(value), text);
  axis.base({ left, right }, weights.bottom);
}

function drawLegend(parts, { targets, targetLabel }, { left, values, narrow }) {
  const line = { d: "M0 -4.5H17" };
  const entries = [
    { name: "value", words: "value", shape: "circle", cx: 8, cy: -4.5, r: 4 },
    { name: "estimate", words: "estimate", d: "M0 -4.5H16" },
    ...(targets.length ? [{ name: "target", words: targetLabel, ...line }] : []),
    BEFORE,
  ];
  legend(parts.legend, entries, {
    x: narrow ? 0 : left,
    y: values.top - 12,
    gap: 36,
    label: { class: "title", x: 22 },
  });
}

/** The matrix in one scale for all frames, so that they can be compared, and the estimates of all queries. */
function drawMatrix(parts, { nKeys, sameLength }, { x, y }, weights, estimates, darkest) {
  const levels = weights.flat().map((weight) => Math.min(weight / darkest, 1));
  const paths = shadedPaths(levels, (k) => `M${k % nKeys} ${Math.floor(k / nKeys)}h1v1h-1z`);
  repeat(parts.cells, "path", N_SHADES, (cell, k) => set(cell, { d: paths[k], ...shade((k + 1) / N_SHADES) }));
  set(parts.curve, { d: sameLength ? path(estimates.map((estimate, i) => [x(i), y(estimate)])) : "" });
}

/** The frame around the query's row, its number, and what the hand holds there. */
function drawRowFrame(parts, { nQueries }, { matrix }, query) {
  const height = matrix.side / nQueries,
    middle = matrix.y + (query + 0.5) * height;
  const frame = Math.max(height, 3);
  set(parts.rowFrame, { x: matrix.x - 1, width: matrix.side + 2, y: middle - frame / 2, height: frame });
  set(parts.rowPill, { y: middle - 10 });
  set(parts.rowLabel, { y: middle + 4.5 });
  parts.rowLabel.textContent = String(query);
  makeRoom(parts.axes.querySelectorAll(".row"), middle, 17);
  const grip = Math.max(height, 32);
  lay(parts.queryHandle, { x: 0, y: middle - grip / 2, width: matrix.x + matrix.side, height: grip });
  describe(parts.queryHandle, query, [0, nQueries - 1]);
}

/** The weights of the query's keys, beside those it is compared with and those before the gesture. */
function drawWeights(parts, { weights, x }, row, compared, before = []) {
  const top = axisEnd(Math.max(...row, ...compared, ...before) || 1);
  const z = scale([0, top], [weights.bottom, weights.top + 6]);
  parts.weightTick.textContent = roundPercent(top);
  set(parts.stems, { d: row.map((weight, j) => (weight > 0 ? stem(x(j), weights.bottom, z(weight)) : "")).join("") });
  parts.stems.style.strokeWidth = `${clamp(0.5 * (x(1) - x(0)), 2, 8)}px`;
  const profile = (each) => path(each.map((weight, j) => [x(j), z(weight)]));
  set(parts.reference, { d: profile(compared) });
  set(parts.ghostRow, { d: profile(before) });
}

/** The estimates as they were. */
function drawGhost(parts, { sameLength }, { x, y, left }, { query, estimates }) {
  const nothing = Number.isNaN(estimates[query]);
  set(parts.ghostCurve, { d: sameLength ? path(estimates.map((estimate, i) => [x(i), y(estimate)])) : "" });
  set(parts.ghostDiamond, { d: nothing ? "" : diamond(7.5) });
  if (!nothing) set(parts.ghostDiamond, { transform: translate(sameLength ? x(query) : left, y(estimates[query])) });
}

// ---- Values to read ---------------------------------------------------------------------------------------

/** Key j of the chosen row, over its value. */
const keyMark = ({ values }, { x, y }, { row }, j) => ({
  x: x(j),
  y: y(values[j]),
  words: `key ${j}: weight ${percent(row[j])}, value ${format(values[j], 2)}`,
});

/** What is under the pointer: a cell of the matrix, or a key of the chosen row. */
function markAt(data, at, now, px, py) {
  const { matrix, left, right, values, weights, x } = at,
    { nQueries, nKeys } = data;
  const [i, j] = [
    Math.floor(((py - matrix.y) / matrix.side) * nQueries),
    Math.floor(((px - matrix.x) / matrix.side) * nKeys),
  ];
  if (i in now.matrix && j in now.matrix[i]) {
    return { x: px, y: py, words: `query ${i}, key ${j}: weight ${percent(now.matrix[i][j])}` };
  }
  const key = Math.round(x.invert(px));
  if (px < left || px > right || py < values.top || py > weights.bottom || !(key in now.row)) return undefined;
  const mark = keyMark(data, at, now, key);
  return py > values.bottom ? { ...mark, y: py } : mark;
}

function drawAnswer(parts, { sameLength }, { values, weights, left, right, x, y }, query, answer) {
  const visibility = sameLength ? "visible" : "hidden";
  set(parts.queryLine, { x1: x(query), x2: x(query), y1: values.top, y2: weights.bottom, visibility });
  const middle = { x: (left + right) / 2, y: (values.top + values.bottom) / 2 };
  if (Number.isNaN(answer)) {
    set(parts.nothing, { visibility: "visible", ...middle });
    set(parts.diamond, { visibility: "hidden" });
  } else {
    set(parts.nothing, { visibility: "hidden", ...middle });
    set(parts.diamond, { visibility: "visible", transform: translate(sameLength ? x(query) : left, y(answer)) });
  }
}

function sentence(
  { hasMaps, labels, frameName },
  setting,
  row,
  { estimate, keys_for_90_percent, heaviest_key, total_variation },
) {
  const { query, frame_index, temperature, mask, query_stretches, key_stretches, look_back } = setting;
  const list = (stretches) => `(${stretches.map((each) => format(each, 1)).join(", ")})`;
  const maps = hasMaps
    ? `${symbolic("W_q")} ${list(query_stretches)}, ${symbolic("W_k")} ${list(key_stretches)}, looks back ${format(look_back, 0)}, `
    : "";
  const shown = maps + (labels.length > 1 ? `${frameName} ${labels[frame_index]}, ` : "");
  const opening = `${shown}τ = ${format(temperature, 2)}${mask === "none" ? "" : `, ${mask} mask`}. ${role("query", `Query ${query}`)}`;
  const capital = opening[0].toUpperCase() + opening.slice(1);
  const seen = row.filter((weight) => weight > 0).length;
  const many = keys_for_90_percent === 1 ? "1 key" : `${keys_for_90_percent} of ${seen} keys`;
  const closing =
    total_variation === undefined
      ? ""
      : ` ${role("weight", percent(total_variation))} of the weight differs from the dotted line.`;
  return (
    `${capital} takes 90\u00a0% of its weight from ${role("weight", many)}; the heaviest is ${role("key", `key ${heaviest_key}`)} ` +
    `with ${role("weight", percent(row[heaviest_key]))}. ${role("estimate", `Estimate ${format(estimate, 2)}`)}.${closing}`
  );
}

// ---- The figure -------------------------------------------------------------------------------------------

const hintOf = ({ labels, frameName }) =>
  labels.length > 1
    ? `Press on a row, or drag it. Keyboard: Tab, then up and down choose the row, left and right the ${frameName}.`
    : "Press on a row, or drag it. Keyboard: Tab, then up and down.";

function render({ model, el }) {
  const data = dataOf(model),
    { values, reference, labels, frameName } = data;
  const figure = liveFigure({ model, el, name: "attention", hint: hintOf(data), settings: settingsOf(data) });
  const parts = elements(figure.stage);
  const current = () => currentSetting(model, data);
  let at, now, before, computed, drawn;

  /** All weights, once for each temperature, mask and pair of maps. */
  function compute({ query, frame_index, ...setting }) {
    const name = JSON.stringify(setting);
    if (computed?.name !== name) computed = { name, ...weightsOf(data, setting) };
    return computed;
  }

  function draw(width, ghost, isNewGhost) {
    if (width !== at?.width) at = arrange(parts, data, width);
    const setting = current(),
      { query } = setting,
      { frame_index, ...published } = setting;
    const { name, matrices, darkest } = compute(setting);
    const weights = matrices[frame_index],
      row = weights[query];
    const estimates = weights.map((each) => average(each, values));
    const unmoved = `${width} ${frame_index} ${name}`;
    if (drawn !== unmoved) drawMatrix(parts, data, at, weights, estimates, darkest);
    if (isNewGhost) drawGhost(parts, data, at, ghost);
    drawn = unmoved;
    now = { query, matrix: weights, row, estimates };
    drawRowFrame(parts, data, at, query);
    drawWeights(parts, at, row, reference.length ? reference[query] : [], ghost?.row);
    drawAnswer(parts, data, at, query, estimates[query]);
    const results = {
      estimate: estimates[query],
      keys_for_90_percent: keysForShare(row, 0.9),
      heaviest_key: indexOfLargest(row),
      ...(reference.length && { total_variation: totalVariation(reference[query], row) }),
    };
    return {
      state: { ...published, [frameName]: labels[frame_index], ...results },
      sentence: sentence(data, setting, row, results),
      mark: now,
    };
  }

  const moveQuery = (query) => figure.change({ query: onGrid(query, data.queryGrid) });

  function grab(event) {
    const { left, top } = figure.stage.getBoundingClientRect(),
      { matrix } = at;
    const rowAt = (e) => Math.floor(((e.clientY - top - matrix.y) / matrix.side) * data.nQueries);
    const across = event.clientX - left,
      down = event.clientY - top;
    const onMatrix = across <= matrix.x + matrix.side && down >= matrix.y && down <= matrix.y + matrix.side;
    if (!onMatrix && event.target !== parts.queryHandle) return undefined;
    before = current().query;
    focus(parts.queryHandle);
    return (e) => moveQuery(rowAt(e));
  }

  draggable(figure.stage, { grab, release: (cancelled) => cancelled && figure.change({ query: before }) });
  arrowKeys(parts.queryHandle, (right, up) => {
    const { query, frame_index } = current();
    if (!Number.isFinite(right)) return moveQuery(right < 0 ? 0 : data.nQueries - 1);
    figure.change({
      query: onGrid(query - up, data.queryGrid),
      frame_index: labels.length > 1 ? onGrid(frame_index + Math.sign(right), [0, labels.length - 1, 1]) : 0,
    });
  });

  const mark = (j) => keyMark(data, at, now, j);
  const keys = reader(figure, { label: "Keys of the query", count: () => data.nKeys, mark });
  tellValues(figure, {
    find: (x, y) => markAt(data, at, now, x, y),
    focused: (element) => (element === keys.element ? keys.mark() : undefined),
  });
  if (frameName === "step") {
    const frames = () => labels.map((_, frame_index) => ({ frame_index }));
    playButton(figure, { title: "Train: show the steps one after the other", pause: 700, frames });
  }
  return figure.start(draw);
}

export default { render };
