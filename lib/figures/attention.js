import {
  arrowKeys, average, choiceSetting, draggable, format, html, keysForShare, liveFigure, numberSetting, onGrid, path,
  repeat, scale, set, softmax, svg, ticks,
} from "./core.js";

// Left, the matrix of weights: a row a query, a column a key. Right, the chosen row: the weight of each key, and above
// it the values with the estimate of every query.

const LEVELS = 32;  // shades of weight
const DIAMOND = "M0 -6.5L6.5 0L0 6.5L-6.5 0Z";
const percent = (share) => `${format(100 * share, share < 0.0995 ? 1 : 0)}\u00a0%`;
const place = (x, y) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;

/** The log-weights of one query: q·k/τ, and −∞ where the mask hides a key. */
export function rowLogWeights(query, keys, temperature, visible) {
  return keys.map((key, j) => (visible(j) ? query.reduce((sum, x, c) => sum + x * key[c], 0) / temperature : -Infinity));
}

/** W t of a token of sines and cosines: each pair is turned back by so many positions, then stretched. */
export function mappedPairs(token, frequencies, stretches, back) {
  return frequencies.flatMap((frequency, p) => {
    const [sine, cosine] = [Math.sin(frequency * back), Math.cos(frequency * back)];
    const [s, c] = [token[2 * p], token[2 * p + 1]];
    return [stretches[p] * (s * cosine - c * sine), stretches[p] * (c * cosine + s * sine)];
  });
}

/** The cells of the matrix, a shade a path: a few elements, however many weights it has. */
function shades(matrix, largest) {
  const paths = Array.from({ length: LEVELS + 1 }, () => "");
  matrix.forEach((row, i) => row.forEach((weight, j) => {
    const level = Math.ceil((LEVELS * Math.min(weight / largest, 1)) - 0.5);
    if (level > 0) paths[level] += `M${j} ${i}h1v1h-1z`;
  }));
  return paths.slice(1);
}

/** The median of the rows' largest weights: one row with a single key must not make all others pale. */
function typicalLargest(matrix) {
  const largest = matrix.map((row) => Math.max(...row)).sort((a, b) => a - b);
  return largest[Math.floor(largest.length / 2)];
}

/** A shade of weight, from 0 to 1: paper to the colour of weights in two thirds, then on towards ink. */
const shade = (level) => ({
  "fill-opacity": Math.min(1.5 * level, 1),
  style: level > 2 / 3 ? `fill: color-mix(in srgb, var(--figure-ink) ${Math.round(150 * level - 100)}%, var(--figure-weight))` : "",
});

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
    curve: add("path", "curve"),
    queryLine: add("line", "query-line"),
    reference: add("path", "reference"),
    stems: add("path", "stems"),
    diamond: add("path", "diamond", { d: DIAMOND }),
    nothing: add("text", "note nothing", { text: "no key to attend to" }),
    weightTick: add("text", "tick left"),
    legend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight" }),
    keyTitle: add("text", "title key", { text: "key" }),
  };
  parts.cells = add("g", "cells", {}, parts.matrix);
  // What the hand holds is HTML: Chromium knows no touch-action of shapes.
  parts.queryHandle = html("div", { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query", "aria-orientation": "vertical" }, stage);
  return parts;
}

function render({ model, el }) {
  const [queryGrid, temperatureGrid, masks, labels, values, targets, reference] =
    ["query_grid", "temperature_grid", "masks", "frame_labels", "data_values", "targets", "reference"].map((name) => model.get(name));
  const { queries: allQueries, keys: allKeys } = model.get("frames");
  const frameName = model.get("frame_name");
  const [frequencies, stretchGrid, backGrid] = ["frequencies", "stretch_grid", "back_grid"].map((name) => model.get(name));
  const hasMaps = frequencies.length > 0;
  const frameGrid = [0, labels.length - 1, 1];
  const [nQueries, nKeys] = [allQueries[0].length, allKeys[0].length];
  const sameLength = nQueries === nKeys;
  const figure = liveFigure({
    model, el, name: "attention",
    hint: labels.length > 1
      ? `Press on a row, or drag it. Keyboard: Tab, then up and down choose the row, left and right the ${frameName}.`
      : "Press on a row, or drag it. Keyboard: Tab, then up and down.",
    settings: {
      query: numberSetting("query", queryGrid),
      [frameName]: choiceSetting("frame_index", labels),
      temperature: numberSetting("temperature", temperatureGrid),
      mask: choiceSetting("mask_index", masks),
      ...(hasMaps && {
        wq1: numberSetting("query_fast", stretchGrid), wq2: numberSetting("query_slow", stretchGrid),
        wk1: numberSetting("key_fast", stretchGrid), wk2: numberSetting("key_slow", stretchGrid),
        back: numberSetting("look_back", backGrid),
      }),
    },
  });
  const parts = elements(figure.stage);
  const valueText = (value) => format(value, 2);
  let at, x, y, before, computed, drawn;

  /** What the sliders say about W_q and W_k, where there are such sliders. */
  function currentMaps() {
    if (!hasMaps) return {};
    const stretches = (...traits) => traits.map((trait) => onGrid(model.get(trait), stretchGrid));
    return {
      query_stretches: stretches("query_fast", "query_slow"), key_stretches: stretches("key_fast", "key_slow"),
      look_back: onGrid(model.get("look_back"), backGrid),
    };
  }

  function current() {
    return {
      ...currentMaps(),
      query: onGrid(model.get("query"), queryGrid),
      frame_index: Math.min(model.get("frame_index"), labels.length - 1),
      temperature: onGrid(model.get("temperature"), temperatureGrid),
      mask: sameLength ? masks[model.get("mask_index")] : "none",
    };
  }

  /** All weights, and which one is drawn darkest; once for each temperature, mask and pair of maps. */
  function compute({ temperature, mask, query_stretches, key_stretches, look_back }) {
    const name = JSON.stringify([temperature, mask, query_stretches, key_stretches, look_back]);
    if (computed?.name === name) return computed;
    const visible = (i) => (mask === "causal" ? (j) => j <= i : () => true);
    const map = (token, stretches, back) => (hasMaps ? mappedPairs(token, frequencies, stretches, back) : token);
    const matrices = allQueries.map((queries, frame) => {
      const keys = allKeys[frame].map((token) => map(token, key_stretches, 0));
      return queries.map((token, i) => softmax(rowLogWeights(map(token, query_stretches, look_back), keys, temperature, visible(i))));
    });
    return (computed = { name, matrices, darkest: Math.max(...matrices.map(typicalLargest)) });
  }

  // ---- Drawing ----

  function draw(width) {
    if (width !== at?.width) put(width);
    const setting = current();
    const { name, matrices, darkest } = compute(setting);
    const weights = matrices[setting.frame_index];
    const estimates = weights.map((each) => average(each, values));
    const unmoved = `${width} ${setting.frame_index} ${name}`;
    if (drawn !== unmoved) drawMatrix(weights, estimates, darkest);
    drawn = unmoved;
    const row = weights[setting.query], answer = estimates[setting.query];
    const apart = reference.length ? reference[setting.query].reduce((sum, w, j) => sum + Math.abs(w - row[j]), 0) / 2 : undefined;
    drawRow(setting.query, row, answer);
    const heaviest = row.indexOf(Math.max(...row));
    const keys_for_90_percent = keysForShare(row, 0.9);
    const { frame_index, ...published } = setting;
    return {
      state: {
        ...published, [frameName]: labels[frame_index], estimate: answer, keys_for_90_percent, heaviest_key: heaviest,
        ...(apart !== undefined && { total_variation: apart }),
      },
      sentence: sentence(setting, row, answer, heaviest, keys_for_90_percent, apart),
    };
  }

  /** What depends on the width alone. */
  function put(width) {
    at = layout(width);
    const { matrix } = at;
    set(parts.canvas, { width, height: at.height, viewBox: `0 0 ${width} ${at.height}` });
    const place = { x: matrix.x, y: matrix.y, width: matrix.side, height: matrix.side };
    set(parts.matrix, { ...place, viewBox: `0 0 ${nKeys} ${nQueries}`, preserveAspectRatio: "none" });
    set(parts.frame, place);
    set(parts.matrixTitle, { x: 0, y: 18 });
    set(parts.matrixKeyTitle, { x: matrix.x + matrix.side, y: matrix.y + matrix.side + 34 });
    set(parts.keyTitle, { x: at.right, y: at.weights.bottom + 36 });
    set(parts.weightTitle, { x: at.left - 44, y: at.weights.top - 8 });
    set(parts.weightTick, { x: at.left - 8, y: at.weights.top + 10 });
    x = scale([0, nKeys - 1 || 1], [at.left + 4, at.right - 4]);
    const shown = [...values, ...targets];
    const margin = 0.1 * (Math.max(...shown) - Math.min(...shown)) || 1;
    at.valueRange = [Math.min(...shown) - margin, Math.max(...shown) + margin];
    y = scale(at.valueRange, [at.values.bottom, at.values.top]);
    drawAxes();
    drawLegend();
    repeat(parts.dots, "circle", nKeys, (dot, j) => set(dot, { cx: x(j), cy: y(values[j]), r: nKeys > 30 && at.narrow ? 2.5 : 3.5 }));
    set(parts.targets, { d: path(sameLength ? targets.map((target, i) => [x(i), y(target)]) : []) });
  }

  function drawAxes() {
    parts.axes.replaceChildren();
    const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 }, parts.axes);
    const label = (name, x, y, text) => svg("text", { class: name, x, y, text }, parts.axes);
    const { matrix } = at;
    const whole = (count, n) => ticks([0, n - 1], count).filter(({ value }) => Number.isInteger(value));
    for (const { value, text } of whole(5, nKeys)) {
      label("tick", matrix.x + (matrix.side * (value + 0.5)) / nKeys, matrix.y + matrix.side + 17, text);
      line("base", x(value), at.weights.bottom, x(value), at.weights.bottom + 5);
      label("tick", x(value), at.weights.bottom + 19, text);
    }
    for (const { value, text } of whole(5, nQueries)) {
      label("tick left row", matrix.x - 7, matrix.y + (matrix.side * (value + 0.5)) / nQueries + 4, text);
    }
    for (const { value, text } of ticks(at.valueRange, 4)) {
      line("grid", at.left, y(value), at.right, y(value));
      label("tick left", at.left - 8, y(value) + 4, text);
    }
    line("base", at.left, at.weights.bottom, at.right, at.weights.bottom);
  }

  /** A row of shapes and their names above the values. */
  function drawLegend() {
    parts.legend.replaceChildren();
    let left = at.left;
    const entry = (name, shape, attributes, text) => {
      const group = svg("g", { class: name, transform: place(left, at.values.top - 12) }, parts.legend);
      svg(shape, attributes, group);
      svg("text", { class: "title", x: 22, text }, group);
      left += 22 + 7.3 * text.length + 14;
    };
    entry("value", "circle", { cx: 8, cy: -4.5, r: 4 }, "value");
    entry("estimate", "path", { d: "M0 -4.5H16" }, "estimate");
    if (targets.length) entry("target", "path", { d: "M0 -4.5H17" }, model.get("target_label"));
  }

  /** In one scale for all frames, so that they can be compared. */
  function drawMatrix(weights, estimates, darkest) {
    const paths = shades(weights, darkest);
    repeat(parts.cells, "path", paths.length, (cell, level) => set(cell, { d: paths[level], ...shade((level + 1) / LEVELS) }));
    set(parts.curve, { d: sameLength ? path(estimates.map((estimate, i) => [x(i), y(estimate)])) : "" });
  }

  function drawRow(query, row, answer) {
    const { matrix } = at;
    const height = matrix.side / nQueries, middle = matrix.y + (query + 0.5) * height;
    const frame = Math.max(height, 3);
    set(parts.rowFrame, { x: matrix.x - 1, width: matrix.side + 2, y: middle - frame / 2, height: frame });
    set(parts.rowPill, { y: middle - 10 });
    set(parts.rowLabel, { y: middle + 4.5 });
    parts.rowLabel.textContent = String(query);
    for (const tick of parts.axes.querySelectorAll(".row")) {
      set(tick, { visibility: Math.abs(tick.getAttribute("y") - 4 - middle) < 17 ? "hidden" : "visible" });
    }
    const grip = Math.max(height, 32);
    Object.assign(parts.queryHandle.style, { left: "0", top: `${middle - grip / 2}px`, width: `${matrix.x + matrix.side}px`, height: `${grip}px` });
    set(parts.queryHandle, { "aria-valuemin": "0", "aria-valuemax": String(nQueries - 1), "aria-valuenow": String(query) });
    const compared = reference.length ? reference[query] : [];
    const top = [1, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01].findLast((level) => level >= (Math.max(...row, ...compared) || 1));
    const z = scale([0, top], [at.weights.bottom, at.weights.top + 6]);
    parts.weightTick.textContent = percent(top).replace(".0", "");
    set(parts.stems, { d: row.map((weight, j) => (weight > 0 ? `M${x(j).toFixed(1)} ${at.weights.bottom}V${z(weight).toFixed(1)}` : "")).join("") });
    parts.stems.style.strokeWidth = `${Math.min(Math.max(0.5 * (x(1) - x(0)), 2), 8)}px`;
    set(parts.reference, { d: path(compared.map((weight, j) => [x(j), z(weight)])) });
    set(parts.queryLine, {
      x1: x(query), x2: x(query), y1: at.values.top, y2: at.weights.bottom, visibility: sameLength ? "visible" : "hidden",
    });
    const nothing = Number.isNaN(answer);
    set(parts.nothing, { visibility: nothing ? "visible" : "hidden", x: (at.left + at.right) / 2, y: (at.values.top + at.values.bottom) / 2 });
    set(parts.diamond, {
      visibility: nothing ? "hidden" : "visible", ...(!nothing && { transform: place(sameLength ? x(query) : at.left, y(answer)) }),
    });
  }

  function sentence({ query, frame_index, temperature, mask, query_stretches, key_stretches, look_back }, row, answer, heaviest, count, apart) {
    const role = (name, words) => `<b class="${name}">${words}</b>`;
    const list = (stretches) => `(${stretches.map((each) => format(each, 1)).join(", ")})`;
    const maps = hasMaps ? `W_q ${list(query_stretches)}, W_k ${list(key_stretches)}, looks back ${format(look_back, 0)}, ` : "";
    const shown = maps + (labels.length > 1 ? `${frameName} ${labels[frame_index]}, ` : "");
    const opening = `${shown}τ = ${format(temperature, 2)}${mask === "none" ? "" : `, ${mask} mask`}. ${role("query", `Query ${query}`)}`;
    const capital = opening[0].toUpperCase() + opening.slice(1);
    const many = count === 1 ? "1 key" : `${count} of ${row.filter((weight) => weight > 0).length} keys`;
    const closing = apart === undefined ? "" : ` ${role("weight", percent(apart))} of the weight differs from the dotted line.`;
    return `${capital} takes 90\u00a0% of its weight from ${role("weight", many)}; the heaviest is ${role("key", `key ${heaviest}`)} `
      + `with ${role("weight", percent(row[heaviest]))}. ${role("estimate", `Estimate ${valueText(answer)}`)}.${closing}`;
  }

  // ---- Hands and keys ----

  const moveQuery = (query) => figure.change({ query: onGrid(query, queryGrid) });

  function grab(event) {
    const { left, top } = figure.stage.getBoundingClientRect();
    const { matrix } = at;
    const rowAt = (e) => Math.floor(((e.clientY - top - matrix.y) / matrix.side) * nQueries);
    const across = event.clientX - left, down = event.clientY - top;
    const onMatrix = across <= matrix.x + matrix.side && down >= matrix.y && down <= matrix.y + matrix.side;
    if (!onMatrix && event.target !== parts.queryHandle) return undefined;
    before = current().query;
    parts.queryHandle.focus({ preventScroll: true });
    return (e) => moveQuery(rowAt(e));
  }

  draggable(figure.stage, { grab, release: (cancelled) => cancelled && figure.change({ query: before }) });
  arrowKeys(parts.queryHandle, (right, up) => {
    const { query, frame_index } = current();
    if (!Number.isFinite(right)) return moveQuery(right < 0 ? 0 : nQueries - 1);
    figure.change({
      query: onGrid(query - up, queryGrid),
      frame_index: labels.length > 1 ? onGrid(frame_index + Math.sign(right), frameGrid) : 0,
    });
  });

  return figure.start(draw);
}

export default { render };
