import { defineFigure, memo } from "../contract/figure.js";
import { MOVING_NUMBERS } from "../contract/reveal.js";
import { arrowKeys, focus, positionIn } from "../parts/drag.js";
import { clamp, format, indexOfLargest, percent, role, roundPercent, symbolic } from "../parts/numbers.js";
import { playButton } from "../parts/play.js";
import {
  BEFORE,
  axes,
  axisEnd,
  describe,
  drawParts,
  diamond,
  hideTicksNear,
  html,
  lay,
  legend,
  path,
  repeat,
  resize,
  scale,
  set,
  setText,
  stem,
  svg,
  ticks,
  translate,
  withMargin,
} from "../parts/plot.js";
import { createValueSlider, showTooltip } from "../parts/tooltip.js";
import { average, keysForShare, scores, softmax, totalVariation } from "../methods/weights.js";
import { N_SHADES, shade, shadedPaths } from "../parts/shades.js";

// Left: the matrix of weights, with one row per query and one column per key. Right: the weights of the selected row,
// and above them the values with the estimates of all queries.

// ---- Computing --------------------------------------------------------------------------------------------

/**
 * Project a sine-cosine token: rotate each pair back by `back` positions, then scale it.
 * @param {number[]} token
 * @param {number[]} frequencies
 * @param {number[]} stretches
 * @param {number} back
 */
export function mappedPairs(token, frequencies, stretches, back) {
  return frequencies.flatMap((frequency, p) => {
    const [sine, cosine] = [Math.sin(frequency * back), Math.cos(frequency * back)];
    const [s, c] = [token[2 * p], token[2 * p + 1]];
    return [stretches[p] * (s * cosine - c * sine), stretches[p] * (c * cosine + s * sine)];
  });
}

/**
 * Compute the weights of every frame, and the weight that gets the strongest shade.
 * @param {Given} data
 * @param {number} temperature
 * @param {string} mask
 * @param {number} [wq1]
 */
function weightsOf(
  { frames: { queries, keys }, frequencies },
  temperature,
  mask,
  wq1,
  wq2 = 1,
  wk1 = 1,
  wk2 = 1,
  back = 0,
) {
  const visible = (/** @type {number} */ i) => (mask === "causal" ? (/** @type {number} */ j) => j <= i : () => true);
  const map = (/** @type {number[]} */ token, /** @type {number[]} */ stretches, /** @type {number} */ turn) =>
    wq1 === undefined ? token : mappedPairs(token, frequencies, stretches, turn);
  const matrices = queries.map((tokens, frame) => {
    const mapped = keys[frame].map((token) => map(token, [wk1, wk2], 0));
    return tokens.map((token, i) =>
      softmax(scores(map(token, [wq1 ?? 1, wq2], back), mapped, temperature, visible(i))),
    );
  });
  return { matrices, darkest: Math.max(...matrices.map(typicalLargest)) };
}

/**
 * The median of the rows' largest weights, so that a row with a single key does not make all others pale.
 * @param {number[][]} matrix
 */
function typicalLargest(matrix) {
  const largest = matrix.map((row) => Math.max(...row)).sort((a, b) => a - b);
  return largest[Math.floor(largest.length / 2)];
}

/** Extend the constants by a memoised function for the weights. @param {Given} constants */
function withWeights(constants) {
  const [{ length: nQueries }] = constants.frames.queries,
    [{ length: nKeys }] = constants.frames.keys;
  return {
    ...constants,
    nQueries,
    nKeys,
    sameLength: nQueries === nKeys,
    /** @type {(...setting: Kernel) => ReturnType<typeof weightsOf>} */
    weightsOf: memo((...setting) => weightsOf(constants, ...setting)),
  };
}

/**
 * The weights between a frame and the next one.
 * @param {number[][][]} matrices
 * @param {number} frame
 * @param {number} share of the way
 */
function between(matrices, frame, share) {
  const [from, to] = [matrices[frame], matrices[frame + 1]];
  if (!share || !to) return from;
  return from.map((row, i) => row.map((weight, j) => weight + share * (to[i][j] - weight)));
}

/**
 * Move through the frames, with the weights between them.
 * @param {Figure} figure @returns {import("../contract/reveal.js").Reveal}
 */
function movingFrames({ data: { frame_labels, frame_name }, answer }) {
  const frameOf = (/** @type {Record<string, any>} */ setting) => frame_labels.indexOf(setting[frame_name]);
  return {
    duration: 3000,
    moves: (then) => frame_name in then,
    at(passed, before, then) {
      const place = frameOf(before) + passed * (frameOf(then) - frameOf(before));
      answer({ share: place % 1 });
      return { ...then, [frame_name]: frame_labels[Math.floor(place)] };
    },
  };
}

/** @param {Data} data @param {Setting} setting @param {Answers} answers */
function compute({ values, reference, frame_labels, frame_name, weightsOf }, setting, { share }) {
  const { query, temperature, mask = "none", wq1, wq2, wk1, wk2, back } = setting;
  const frame = Math.max(frame_labels.indexOf(setting[frame_name]), 0);
  const { matrices, darkest } = weightsOf(temperature, mask, wq1, wq2, wk1, wk2, back);
  const matrix = between(matrices, frame, share),
    row = matrix[query];
  const estimates = matrix.map((each) => average(each, values));
  return {
    query,
    frame,
    mask,
    matrix,
    darkest,
    row,
    estimates,
    results: {
      estimate: estimates[query],
      keys_for_90_percent: keysForShare(row, 0.9),
      heaviest_key: indexOfLargest(row),
      ...(reference.length && { total_variation: totalVariation(reference[query], row) }),
    },
  };
}

/** @param {Data} data @param {Figure["now"]} now */
function state({ frame_name, frame_labels, frequencies }, { setting, frame, mask, results }) {
  const { query, temperature, wq1, wq2, wk1, wk2, back } = setting;
  const maps = { query_stretches: [wq1, wq2], key_stretches: [wk1, wk2], look_back: back };
  return {
    ...(frequencies.length && maps),
    query,
    temperature,
    mask,
    [frame_name]: frame_labels[frame],
    ...results,
  };
}

// ---- The drawing ------------------------------------------------------------------------------------------

/** Return the layout, in pixels, for this width. @param {number} width */
function layout(width) {
  const narrow = width < 560;
  const matrix = { x: 40, y: 30, side: narrow ? width - 54 : clamp(width - 524, 200, 330) }; // slides have more space
  const left = narrow ? 44 : matrix.x + matrix.side + 70;
  const top = narrow ? matrix.y + matrix.side + 84 : matrix.y;
  const height = narrow ? 230 : matrix.side;
  const values = { top, bottom: top + 0.52 * height };
  const weights = { top: values.bottom + 34, bottom: top + height };
  return { width, narrow, matrix, left, right: width - 12, values, weights, height: weights.bottom + 46 };
}

/** Create the elements of the drawing, from back to front. @param {HTMLElement} stage */
function elements(stage) {
  const parts = drawParts(stage, (add) => ({
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
  }));
  const cells = svg("g", { class: "cells" }, parts.matrix);
  // Handles are HTML elements because Chromium ignores touch-action on SVG shapes.
  const queryHandle = html(
    "div",
    { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query", "aria-orientation": "vertical" },
    stage,
  );
  return { ...parts, cells, queryHandle };
}

/**
 * Lay out everything that depends only on the width: positions, scales, axes and values.
 * @param {Parts} parts @param {Data} data @param {number} width @returns {Layout}
 */
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

/** @param {Parts} parts @param {Data} data @param {Layout} at */
function drawAxes(parts, { nQueries, nKeys }, { matrix, weights, left, right, x, y, valueRange }) {
  const axis = axes(parts.axes);
  const whole = (/** @type {number} */ n) => ticks([0, n - 1], 5).filter(({ value }) => Number.isInteger(value));
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

/** @param {Parts} parts @param {Data} data @param {ReturnType<typeof layout>} at */
function drawLegend(parts, { targets, target_label }, { left, values, narrow }) {
  const line = { d: "M0 -4.5H17" };
  const entries = [
    { name: "value", text: "value", shape: "circle", cx: 8, cy: -4.5, r: 4 },
    { name: "estimate", text: "estimate", d: "M0 -4.5H16" },
    ...(targets.length ? [{ name: "target", text: target_label, ...line }] : []),
    BEFORE,
  ];
  legend(parts.legend, entries, {
    x: narrow ? 0 : left,
    y: values.top - 12,
    gap: 30,
    label: { class: "title", x: 22 },
  });
}

/**
 * Draw the matrix, with the same scale for all frames so that they are comparable, and the estimates of all queries.
 * @param {Parts} parts @param {Data} data @param {Layout} at @param {number[][]} matrix @param {number} darkest
 */
function drawMatrix(parts, { nKeys, values, sameLength }, { x, y }, matrix, darkest) {
  const estimates = matrix.map((row) => average(row, values));
  const levels = matrix.flat().map((weight) => Math.min(weight / darkest, 1));
  const paths = shadedPaths(levels, (k) => `M${k % nKeys} ${Math.floor(k / nKeys)}h1v1h-1z`);
  repeat(parts.cells, "path", N_SHADES, (cell, k) => set(cell, { d: paths[k], ...shade((k + 1) / N_SHADES) }));
  set(parts.curve, { d: sameLength ? path(estimates.map((estimate, i) => [x(i), y(estimate)])) : "" });
}

/**
 * Draw the frame around the query's row, its number and its handle.
 * @param {Parts} parts @param {Data} data @param {Layout} at @param {number} query
 */
function drawRowFrame(parts, { nQueries }, { matrix }, query) {
  const height = matrix.side / nQueries,
    middle = matrix.y + (query + 0.5) * height;
  const frame = Math.max(height, 3);
  set(parts.rowFrame, { x: matrix.x - 1, width: matrix.side + 2, y: middle - frame / 2, height: frame });
  set(parts.rowPill, { y: middle - 10 });
  set(parts.rowLabel, { y: middle + 4.5 });
  setText(parts.rowLabel, String(query));
  hideTicksNear(parts.axes.querySelectorAll(".row"), middle, 17);
  const grip = Math.max(height, 32);
  lay(parts.queryHandle, { x: 0, y: middle - grip / 2, width: matrix.x + matrix.side, height: grip });
  describe(parts.queryHandle, query, [0, nQueries - 1]);
}

/**
 * Draw the weights of the query's keys, the reference weights, and the weights before the gesture.
 * @param {Parts} parts @param {Layout} at @param {number[]} row @param {number[]} compared @param {number[]} [before]
 */
function drawWeights(parts, { weights, x }, row, compared, before = []) {
  const top = axisEnd(Math.max(...row, ...compared, ...before) || 1);
  const z = scale([0, top], [weights.bottom, weights.top + 6]);
  setText(parts.weightTick, roundPercent(top));
  set(parts.stems, { d: row.map((weight, j) => (weight > 0 ? stem(x(j), weights.bottom, z(weight)) : "")).join("") });
  parts.stems.style.strokeWidth = `${clamp(0.5 * (x(1) - x(0)), 2, 8)}px`;
  const profile = (/** @type {number[]} */ each) => path(each.map((weight, j) => [x(j), z(weight)]));
  set(parts.reference, { d: profile(compared) });
  set(parts.ghostRow, { d: profile(before) });
}

/**
 * Draw the previous estimates.
 * @param {Parts} parts @param {Data} data @param {Layout} at @param {Figure["now"]} now
 */
function drawGhost(parts, { sameLength }, { x, y, left }, { query, estimates }) {
  const nothing = Number.isNaN(estimates[query]);
  set(parts.ghostCurve, { d: sameLength ? path(estimates.map((estimate, i) => [x(i), y(estimate)])) : "" });
  set(parts.ghostDiamond, { d: nothing ? "" : diamond(7.5) });
  if (!nothing) set(parts.ghostDiamond, { transform: translate(sameLength ? x(query) : left, y(estimates[query])) });
}

// ---- Tooltips ---------------------------------------------------------------------------------------------

/**
 * The mark of key j of the selected row, at its value.
 * @param {Data} data
 * @param {Layout} at
 * @param {Figure["now"]} now
 * @param {number} j
 */
const keyMark = ({ values }, { x, y }, { row }, j) => ({
  x: x(j),
  y: y(values[j]),
  text: `key ${j}: weight ${percent(row[j])}, value ${format(values[j], 2)}`,
});

/**
 * Find the mark under the pointer: a cell of the matrix, or a key of the chosen row.
 * @param {Data} data
 * @param {Layout} at
 * @param {Figure["now"]} now
 * @param {number} px
 * @param {number} py
 */
function markAt(data, at, now, px, py) {
  const { matrix, left, right, values, weights, x } = at,
    { nQueries, nKeys } = data;
  const [i, j] = [
    Math.floor(((py - matrix.y) / matrix.side) * nQueries),
    Math.floor(((px - matrix.x) / matrix.side) * nKeys),
  ];
  if (i in now.matrix && j in now.matrix[i]) {
    return { x: px, y: py, text: `query ${i}, key ${j}: weight ${percent(now.matrix[i][j])}` };
  }
  const key = Math.round(x.invert(px));
  if (px < left || px > right || py < values.top || py > weights.bottom || !(key in now.row)) return undefined;
  const mark = keyMark(data, at, now, key);
  return py > values.bottom ? { ...mark, y: py } : mark;
}

/** @param {Parts} parts @param {Data} data @param {Layout} at @param {number} query @param {number} answer */
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

/** @param {Data} data @param {Figure["now"]} now */
function sentence({ frequencies, frame_labels, frame_name }, { setting, frame, mask, row, results }) {
  const { query, temperature, wq1, wq2, wk1, wk2, back } = setting,
    { estimate, keys_for_90_percent, heaviest_key, total_variation } = results;
  const list = (/** @type {(number | undefined)[]} */ ...stretches) =>
    `(${stretches.map((each = 1) => format(each, 1)).join(", ")})`;
  const maps = frequencies.length
    ? `${symbolic("W_q")} ${list(wq1, wq2)}, ${symbolic("W_k")} ${list(wk1, wk2)}, rotated back by ${format(back ?? 0, 0)} positions, `
    : "";
  const shown = maps + (frame_labels.length > 1 ? `${frame_name} ${frame_labels[frame]}, ` : "");
  const opening = `${shown}τ = ${format(temperature, 2)}${mask === "none" ? "" : `, ${mask} mask`}. ${role("query", `Query ${query}`)}`;
  const capital = opening[0].toUpperCase() + opening.slice(1);
  const seen = row.filter((weight) => weight > 0).length;
  const many = keys_for_90_percent === 1 ? "1 key" : `${keys_for_90_percent} of ${seen} keys`;
  const closing =
    total_variation === undefined
      ? ""
      : ` ${role("weight", percent(total_variation))} of the weight differs from the dotted line.`;
  return (
    `${capital} puts 90\u00a0% of its weight on ${role("weight", many)}; the heaviest is ${role("key", `key ${heaviest_key}`)} ` +
    `with ${role("weight", percent(row[heaviest_key]))}. ${role("estimate", `Estimate ${format(estimate, 2)}`)}.${closing}`
  );
}

// ---- The figure -------------------------------------------------------------------------------------------

/**
 * @typedef {Record<string, any> & { query: number, temperature: number, mask?: "none" | "causal", wq1?: number,
 *   wq2?: number, wk1?: number, wk2?: number, back?: number }} Setting
 * @typedef {import("../contract/figure.js").Constants & { values: number[], targets: number[], target_label:
 *   string, reference: number[][], frequencies: number[], frames: { queries: number[][][], keys: number[][][] },
 *   frame_labels: string[], frame_name: string }} Given
 * @typedef {ReturnType<typeof withWeights>} Data
 * @typedef {[temperature: number, mask: string, wq1?: number, wq2?: number, wk1?: number, wk2?: number, back?:
 *   number]} Kernel
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {import("../parts/plot.js").Scale} Scale
 * @typedef {ReturnType<typeof layout> & { x: Scale, y: Scale, valueRange: number[] }} Layout
 * @typedef {{ share: number }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
function view(figure) {
  const { data, change, setting, stage } = figure,
    { frame_labels, frame_name, reference, nQueries } = data;
  const parts = elements(stage);
  figure.reveal = frame_labels.length > 1 ? movingFrames(figure) : MOVING_NUMBERS;
  const arranged = memo((/** @type {number} */ width) => arrange(parts, data, width));
  /** @type {(at: Layout, matrix: number[][], darkest: number) => void} */
  const drawMatrixAt = memo((at, matrix, darkest) => drawMatrix(parts, data, at, matrix, darkest));
  /** @type {(at: Layout, ghost: Figure["now"] | undefined) => void} */
  const drawGhostAt = memo((at, ghost) => ghost && drawGhost(parts, data, at, ghost));
  /** @type {Layout} */
  let at;

  /** @type {Draw} */
  function draw({ query, matrix, darkest, row, estimates }, { width, ghost }) {
    at = arranged(width);
    drawMatrixAt(at, matrix, darkest);
    drawGhostAt(at, ghost);
    drawRowFrame(parts, data, at, query);
    drawWeights(parts, at, row, reference.length ? reference[query] : [], ghost?.row);
    drawAnswer(parts, data, at, query, estimates[query]);
  }

  /** @type {import("../parts/drag.js").Grab} */
  function grab(event) {
    const { matrix } = at,
      [across, down] = positionIn(stage, event);
    const rowAt = (/** @type {PointerEvent} */ e) =>
      Math.floor(((positionIn(stage, e)[1] - matrix.y) / matrix.side) * nQueries);
    const onMatrix = across <= matrix.x + matrix.side && down >= matrix.y && down <= matrix.y + matrix.side;
    if (!onMatrix && event.target !== parts.queryHandle) return undefined;
    focus(parts.queryHandle);
    return (e) => change({ query: rowAt(e) });
  }

  figure.drag(stage, grab);
  arrowKeys(parts.queryHandle, (right, up) => {
    if (!Number.isFinite(right)) return change({ query: right < 0 ? 0 : nQueries - 1 });
    const frame = clamp(figure.now.frame + Math.sign(right), 0, frame_labels.length - 1);
    change({
      query: setting().query - up,
      ...(frame_labels.length > 1 && { [frame_name]: frame_labels[frame] }),
    });
  });

  const mark = (/** @type {number} */ j) => keyMark(data, at, figure.now, j);
  const keys = createValueSlider(figure, { label: "Keys of the query", count: () => data.nKeys, mark });
  showTooltip(figure, {
    find: (x, y) => markAt(data, at, figure.now, x, y),
    focused: (element) => (element === keys.element ? keys.mark() : undefined),
  });
  if (frame_name === "step") {
    const frames = () => frame_labels.map((label) => ({ [frame_name]: label }));
    playButton(figure, { title: "Show the training steps one after the other", frames });
  }
  return draw;
}

export default defineFigure("attention", {
  hint: ({ frame_labels, frame_name }) =>
    frame_labels.length > 1
      ? `Click or drag a row. Keyboard: Tab, then up and down select the row, left and right the ${frame_name}.`
      : "Click or drag a row. Keyboard: Tab, then up and down.",
  data: withWeights,
  answers: () => ({ share: 0 }), // of the way to the next frame
  compute,
  state,
  sentence,
  view,
});
