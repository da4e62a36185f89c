import { defineFigure, memo } from "./figure.js";
import { arrowKeys, focus, pageKeys } from "./hands.js";
import { decimalsOf, format, onGrid, percent, role, symbolic } from "./numbers.js";
import { playButton } from "./play.js";
import {
  axes,
  BEFORE,
  describe,
  drawing,
  diamond,
  html,
  legend,
  repeat,
  resize,
  scale,
  set,
  ticks,
  translate,
  withMargin,
} from "./plot.js";
import { tellValues } from "./readout.js";
import { listSetting } from "./settings.js";
import { average, keysForShare, logKernel, softmax, totalVariation } from "./weights.js";

// Two planes with the same keys and the same query: Gaussian kernel, softmax of dot products. Below, their weights as
// bars that point away from each other, over the keys' angles, and what comes of the values. Query and keys can be moved.

const DEGREE = Math.PI / 180;
const HALO = 13; // radius, in pixels, of the heaviest key's
const METHODS = ["gaussian", "attention"];

const polar = (angle, length) => [length * Math.cos(angle * DEGREE), length * Math.sin(angle * DEGREE)];
/** @type {(vector: number[]) => number} */
const angleOf = ([x, y]) => (((Math.atan2(y, x) / DEGREE) % 360) + 360) % 360;

/** The keys with their norms brought towards the mean norm. */
export function keysAt(spread, keys) {
  const norms = keys.map(([x, y]) => Math.hypot(x, y));
  const mean = norms.reduce((a, b) => a + b, 0) / norms.length;
  return keys.map(([x, y], i) => {
    const factor = (mean + spread * (norms[i] - mean)) / norms[i];
    return [factor * x, factor * y];
  });
}

/** −‖q − k‖²/h². */
export function gaussianLogWeights(query, keys, bandwidth) {
  return logKernel(
    0,
    keys.map(([x, y]) => Math.hypot(query[0] - x, query[1] - y)),
    bandwidth,
    "gaussian",
  );
}

/** (W_q q)·k/τ. @param {number[]} query @param {number[][]} keys @param {number} temperature */
export function dotLogWeights([x, y], keys, temperature) {
  return keys.map((key) => (x * key[0] + y * key[1]) / temperature);
}

/** Where things are, in pixels, for a figure of this width: the planes, and their weights beside or below them. */
function layout(width) {
  const narrow = width < 520,
    isBeside = width >= 640;
  const across = isBeside ? Math.min(0.63 * width, 616) : width; // of the planes
  const half = (across - 16) / 2,
    side = Math.min(half, 300);
  const planes = METHODS.map((_, i) => ({ x: i * (half + 16) + (half - side) / 2, y: 44, side }));
  const apart = { y: 44 + side + 34, width: isBeside ? across : width - 14 };
  const axis = { left: isBeside ? across + 52 : 44, right: width - 14 };
  const bar = narrow ? 56 : 68;
  const zero = (isBeside ? 0 : apart.y) + bar + 30;
  const top = zero + bar + (isBeside ? 44 : 34),
    values = { top, bottom: top + (narrow ? 70 : 84) };
  const height = Math.max(values.bottom + 44, apart.y + 14);
  return { width, narrow, planes, apart, axis, zero, bar, values, height };
}

/** The elements of the picture, from back to front. */
function elements(stage, nKeys) {
  const { canvas, add } = drawing(stage);
  const planes = METHODS.map((method) => {
    const group = add("g", `plane ${method}`);
    const title = add("text", "title", { y: -28 }, group),
      note = add("text", "note", { y: -10 }, group);
    const frame = add("rect", "frame", {}, group),
      clip = add("svg", "inside", {}, group);
    const inside = (tag, name, attributes) => add(tag, name, attributes, clip);
    return {
      group,
      title,
      note,
      frame,
      clip,
      reach: inside("circle", "reach"),
      ring: inside("circle", "mean-norm"),
      axes: inside("path", "grid"),
      halos: inside("g", "halos"),
      dots: inside("g", "keys"),
      turn: inside("path", "turn"),
      arrow: inside("path", "arrow"),
      asked: inside("circle", "asked", { r: 6 }),
      query: inside("circle", "query-dot", { r: 6 }),
    };
  });
  const parts = {
    canvas,
    planes,
    apartTitle: add("text", "title", { x: 0 }),
    apartText: add("text", "apart-text"),
    apartTrack: add("rect", "apart-track", { height: 8, rx: 4 }),
    apartBar: add("rect", "apart-bar", { height: 8, rx: 4 }),
    axes: add("g", "axes"),
    queryLine: add("line", "query-line"),
    bars: add("g", "bars"),
    ghostBars: add("path", "ghost"),
    barTitles: METHODS.map((method) => add("text", `note bar-${method}`)),
    valueTitle: add("text", "title value", { text: "value" }),
    dots: add("g", "value-dots"),
    ghostAnswers: add("path", "ghost"),
    legend: add("g", "legend was"),
    answers: METHODS.map((method) => add("path", `answer ${method}`, { d: diamond(6.5) })),
    keyTitle: add("text", "title key", { text: "angle of the key, in degrees" }),
  };
  return { ...parts, ...handlesIn(stage, nKeys) };
}

/** What the hand holds is HTML: Chromium knows no touch-action of shapes. The left query and one key have the keyboard. */
function handlesIn(stage, nKeys) {
  const hidden = { "aria-hidden": "true" },
    reachable = { role: "slider", tabindex: 0 };
  const keyHandle = (attributes) => html("div", { class: "key-handle", ...attributes }, stage);
  const queryHandle = (method, attributes) => html("div", { class: `query-handle ${method}`, ...attributes }, stage);
  return {
    keyHandles: METHODS.map(() => Array.from({ length: nKeys }, () => keyHandle(hidden))),
    chosenKey: keyHandle(reachable),
    handles: METHODS.map((method, i) =>
      queryHandle(method, i === 0 ? { ...reachable, "aria-label": "Query" } : hidden),
    ),
  };
}

/** What depends on the width alone: places, scales and axes. */
function arrange(parts, { ranges, valueRange }, width) {
  const at = layout(width),
    { apart, axis, zero, bar, values, narrow } = at;
  const toPixel = scale([0, ranges.length[1]], [0, at.planes[0].side / 2 - 4]);
  const x = scale([0, 360], [axis.left, axis.right]),
    y = scale(valueRange, [values.bottom, values.top]);
  resize(parts.canvas, width, at.height);
  const titles = narrow ? ["Gaussian", "Softmax of dots"] : ["Gaussian kernel", "Softmax of dot products"];
  parts.planes.forEach((plane, i) => arrangePlane(plane, at.planes[i], titles[i]));
  set(parts.apartTitle, { y: apart.y - 10 });
  set(parts.apartText, { y: apart.y - 10, x: apart.width });
  for (const part of [parts.apartTrack, parts.apartBar]) set(part, { x: 0, y: apart.y });
  set(parts.apartTrack, { width: apart.width });
  set(parts.barTitles[0], { x: axis.right, y: zero - bar - 2 });
  set(parts.barTitles[1], { x: axis.right, y: zero + bar + 12 });
  parts.barTitles.forEach((part, i) => {
    part.textContent = `weight, ${["Gaussian", "softmax of dot products"][i]}`;
  });
  set(parts.valueTitle, { x: axis.left - 44, y: values.top - 10 });
  legend(parts.legend, [BEFORE], { x: axis.left + 16, y: values.top - 10, gap: 0 });
  set(parts.keyTitle, { x: axis.right, y: values.bottom + 38 });
  set(parts.queryLine, { y1: zero - bar, y2: values.bottom });
  const places = { ...at, toPixel, x, y };
  drawAxes(parts, valueRange, places);
  return places;
}

function arrangePlane(plane, { x, y, side }, title) {
  set(plane.group, { transform: translate(x, y) });
  plane.title.textContent = title;
  set(plane.frame, { width: side, height: side, rx: 6 });
  set(plane.clip, { width: side, height: side, viewBox: `${-side / 2} ${-side / 2} ${side} ${side}` });
  set(plane.axes, { d: `M${-side / 2} 0H${side / 2}M0 ${-side / 2}V${side / 2}` });
}

function drawAxes(parts, valueRange, { axis, zero, values, x, y }) {
  const drawn = axes(parts.axes);
  drawn.base(axis, zero);
  drawn.base(axis, values.bottom);
  for (const { value, text } of ticks(valueRange, 3)) drawn.level(axis, y(value), text);
  for (const angle of [0, 90, 180, 270, 360]) drawn.stop(x(angle), values.bottom, String(angle));
}

/** From a vector to pixels of its plane, whose origin is in the middle. @param {any} at @param {number[]} vector */
const planePixel = ({ toPixel }, [x, y]) => [toPixel(x), -toPixel(y)];

/** One plane: its keys with halos of their weights, the query and, for attention, where W_q turns it. */
function drawPlane(plane, at, data, isAttention, now, weights) {
  const { query, keys } = now,
    { bandwidth } = now.setting,
    { toPixel } = at;
  const pixels = keys.map((key) => planePixel(at, key)),
    largest = Math.max(...weights);
  const meanNorm = keys.reduce((sum, key) => sum + Math.hypot(...key), 0) / keys.length;
  const decimals = decimalsOf(data.ranges.bandwidth),
    [cx, cy] = planePixel(at, query);
  plane.note.textContent = isAttention
    ? `τ = h²/2 = ${format(bandwidth ** 2 / 2, 2 * decimals > 3 ? 3 : 2)}`
    : `h = ${format(bandwidth, decimals)}`;
  set(plane.ring, { r: toPixel(meanNorm) });
  set(plane.reach, { cx, cy, r: toPixel(bandwidth), visibility: isAttention ? "hidden" : "visible" });
  const circles = (group, radius) =>
    repeat(group, "circle", keys.length, (circle, k) =>
      set(circle, { cx: pixels[k][0], cy: pixels[k][1], r: radius(k) }),
    );
  circles(plane.halos, (k) => HALO * Math.sqrt(weights[k] / largest));
  circles(plane.dots, () => (at.narrow ? 2.5 : 3.5));
  drawTurn(plane, at, isAttention, now);
}

function drawTurn(plane, at, isAttention, { query, asked, setting: { angle, length, rotation } }) {
  const turned = isAttention && rotation !== 0,
    visibility = turned ? "visible" : "hidden";
  /** @type {(pixel: number[]) => string} */
  const point = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [qx, qy] = planePixel(at, query),
    [ax, ay] = planePixel(at, asked);
  const radius = at.toPixel(length).toFixed(1);
  const end = planePixel(at, polar(angle + rotation, length));
  set(plane.arrow, { d: `M0 0L${point([ax, ay])}`, visibility: isAttention ? "visible" : "hidden" });
  set(plane.asked, { cx: ax, cy: ay, visibility });
  set(plane.turn, {
    d: `M${point([qx, qy])}A${radius} ${radius} 0 0 ${rotation > 0 ? 0 : 1} ${point(end)}`,
    visibility,
  });
  set(plane.query, { cx: qx, cy: qy, class: turned ? "query-dot left-behind" : "query-dot" });
}

/** What the hand holds, over the query and the keys of both planes. */
function layHandles(parts, at, { ranges }, { query, keys, setting }, chosen) {
  const over = (handle, { x, y, side }, vector, reach) => {
    const [right, down] = planePixel(at, vector);
    Object.assign(handle.style, { left: `${x + side / 2 + right - reach}px`, top: `${y + side / 2 + down - reach}px` });
  };
  at.planes.forEach((plane, i) => {
    over(parts.handles[i], plane, query, 22);
    parts.keyHandles[i].forEach((handle, k) => over(handle, plane, keys[k], 12));
  });
  const words = `${setting.angle} degrees, length ${format(setting.length, decimalsOf(ranges.length))}`;
  describe(parts.handles[0], setting.angle, ranges.angle, words);
  over(parts.chosenKey, at.planes[0], keys[chosen], 12);
  const angle = Math.round(angleOf(keys[chosen])) % 360,
    length = format(Math.hypot(...keys[chosen]), 2);
  set(parts.chosenKey, { "aria-label": `Key ${chosen + 1} of ${keys.length}. Page Up and Page Down choose another` });
  describe(parts.chosenKey, angle, [0, 359], `${angle} degrees, length ${length}`);
}

function drawApart(parts, { narrow, apart: { width } }, apart) {
  parts.apartTitle.textContent = narrow ? "How far apart" : "How far apart, in total variation";
  parts.apartText.textContent = apart < 1e-12 ? "0: the same" : apart < 0.0005 ? "less than 0.001" : format(apart, 3);
  set(parts.apartBar, { width: apart < 1e-12 ? 0 : Math.max(apart * width, 2) });
}

/** A bar from the line of zero: of the Gaussian upwards, of softmax downwards. */
function barPath(at, x, method, share, extra = 0) {
  const width = (at.narrow ? 4 : 6) + extra,
    height = share * (at.bar - 6) * (method === 0 ? -1 : 1);
  return `M${(x - width / 2).toFixed(1)} ${at.zero}v${height.toFixed(2)}h${width}v${(-height).toFixed(2)}z`;
}

/** The weights of both methods and those before the gesture, in one scale. */
function drawBars(parts, at, { keys, weights, setting }, ghost) {
  const top = Math.max(...weights.flat(), ...(ghost?.weights.flat() ?? []));
  const path = (keys, all, method, k, extra) =>
    barPath(at, at.x(angleOf(keys[k])), method, all[method][k] / top, extra);
  repeat(parts.bars, "path", 2 * keys.length, (bar, i) => {
    const method = i < keys.length ? 0 : 1;
    set(bar, { class: METHODS[method], d: path(keys, weights, method, i % keys.length) });
  });
  set(parts.queryLine, { x1: at.x(setting.angle), x2: at.x(setting.angle) });
  if (!ghost) return;
  const before = ghost.weights.flatMap((row, method) =>
    row.map((_, k) => path(ghost.keys, ghost.weights, method, k, 5)),
  );
  const answers = ghost.answers.map((answer) => {
    const [x, y] = [at.x(ghost.setting.angle), at.y(answer)].map((pixel) => pixel.toFixed(1));
    return `M${x} ${y}m0 -7.5l7.5 7.5l-7.5 7.5l-7.5 -7.5z`;
  });
  set(parts.ghostBars, { d: before.join("") });
  set(parts.ghostAnswers, { d: answers.join("") });
}

// ---- Values to read ---------------------------------------------------------------------------------------

/** Key k where it lies in a plane. */
function keyMark(at, values, { keys, weights }, k, { x, y, side } = at.planes[0]) {
  const [right, down] = planePixel(at, keys[k]);
  const [gaussian, attention] = weights.map((row) => percent(row[k]));
  const place = `key at ${Math.round(angleOf(keys[k])) % 360}°, length ${format(Math.hypot(...keys[k]), 2)}`;
  const words = `${place}: Gaussian ${gaussian}, softmax ${attention}, value ${format(values[k], 2)}`;
  return { x: x + side / 2 + right, y: y + side / 2 + down, words };
}

/** What is under the pointer: a key in one of the planes, or among bars and values. */
function markAt(at, values, now, px, py) {
  const beside = now.keys.map((key) => Math.abs(at.x(angleOf(key)) - px));
  const nearest = beside.indexOf(Math.min(...beside));
  if (py > at.zero - at.bar && px > at.axis.left - 10) {
    return py < at.values.bottom && beside[nearest] < 10
      ? { ...keyMark(at, values, now, nearest), x: px, y: py }
      : undefined;
  }
  for (const plane of at.planes) {
    const marks = now.keys.map((_, k) => keyMark(at, values, now, k, plane));
    const found = marks.find(({ x, y }) => Math.hypot(x - px, y - py) < 10);
    if (found) return found;
  }
  return undefined;
}

function drawAnswers(parts, at, values, { keys, setting, answers }) {
  const x = (k) => at.x(angleOf(keys[k]));
  repeat(parts.dots, "circle", keys.length, (dot, k) => set(dot, { cx: x(k), cy: at.y(values[k]), r: 3.5 }));
  answers.forEach((answer, i) => set(parts.answers[i], { transform: translate(at.x(setting.angle), at.y(answer)) }));
}

function sentence({ ranges }, { setting, weights, answers, apart }) {
  const { angle, length, bandwidth, spread, rotation } = setting;
  const heaviest = weights.map((each) => percent(Math.max(...each)));
  const [first, second] = answers.map((answer) => format(answer, 2));
  const opening =
    `${role("query", `Query at ${angle}°`)}, length ${format(length, decimalsOf(ranges.length))}; ` +
    `h = ${format(bandwidth, decimalsOf(ranges.bandwidth))}, τ = h²/2; norms ${spread === 0 ? "equal" : `spread by ${format(spread, 2)}`}, ` +
    `${rotation === 0 ? `${symbolic("W_q")} = ${symbolic("W_k")}` : `${symbolic("W_q")} turns by ${format(rotation, 0)}°`}.`;
  if (apart < 1e-12) {
    return `${opening} The weights are ${role("weight", "the same")}: heaviest ${heaviest[0]}, ${role("estimate", `estimate ${first}`)}.`;
  }
  return (
    `${opening} ${role("weight", `${percent(apart)} of the weight`)} lies elsewhere: heaviest ${heaviest[0]} and ${heaviest[1]}, ` +
    `${role("estimate", `estimates ${first} and ${second}`)}.`
  );
}

// ---- Computing --------------------------------------------------------------------------------------------

/** As far as a hand can move a key, with room for its rounding, and off the origin. */
const isLengthOfKey = (length, [, longest]) => length > longest / 1e4 && length < 1.01 * longest;

/** Query, keys and their weights by either method. `asked` is W_q q. */
function compute({ values }, { angle, length, bandwidth, spread, rotation, keys: given }) {
  const query = polar(angle, length);
  const asked = rotation === 0 ? query : polar(angle + rotation, length);
  const keys = keysAt(spread, given),
    temperature = bandwidth ** 2 / 2;
  const weights = [
    softmax(gaussianLogWeights(query, keys, bandwidth)),
    softmax(dotLogWeights(asked, keys, temperature)),
  ];
  const answers = weights.map((each) => average(each, values));
  return { query, asked, keys, temperature, weights, answers, apart: totalVariation(weights[0], weights[1]) };
}

function state({ values }, { setting, query, keys, temperature, weights, answers, apart }) {
  const { angle, length, bandwidth, spread, rotation } = setting;
  return {
    query,
    query_angle: angle,
    query_length: length,
    bandwidth,
    temperature,
    spread,
    rotation,
    keys,
    values,
    total_variation: apart,
    estimate: answers[1],
    keys_for_90_percent: keysForShare(weights[1], 0.9),
    gaussian_estimate: answers[0],
    gaussian_keys_for_90_percent: keysForShare(weights[0], 0.9),
  };
}

/**
 * The change that moves a key. From then on the keys are as they are shown, at spread 1, and this one is free. It stays
 * in the plane, `longest`, and off the origin.
 */
function movedKey({ setting: { spread, keys: given }, keys }, k, [x, y], longest) {
  const length = Math.hypot(x, y);
  if (length < longest / 50) return {};
  const shrink = Math.min(1, longest / length);
  const rounded = (vector) => vector.map((number) => Number(number.toFixed(3)));
  const others = spread === 1 ? given : keys.map(rounded);
  return { keys: others.with(k, rounded([shrink * x, shrink * y])), spread: 1 };
}

/** The key whose handle this is, or −1. */
const keyOf = ({ keyHandles }, handle) => Math.max(...keyHandles.map((handles) => handles.indexOf(handle)));

// ---- The figure -------------------------------------------------------------------------------------------

function view(figure) {
  const { data, change, setting, stage } = figure,
    { values } = data,
    { angle: angleGrid, length: lengthGrid, spread: spreadGrid } = data.ranges;
  const parts = elements(stage, values.length);
  const arranged = memo((width) => arrange(parts, data, width));
  let at,
    chosen = 0;

  function draw(now, { width, ghost }) {
    at = arranged(width);
    parts.planes.forEach((plane, i) => drawPlane(plane, at, data, i === 1, now, now.weights[i]));
    drawApart(parts, at, now.apart);
    drawBars(parts, at, now, ghost);
    drawAnswers(parts, at, values, now);
    layHandles(parts, at, data, now, chosen);
  }

  const turned = (angle) => ((Math.round(angle) % 360) + 360) % 360;
  const moveTo = (vector) =>
    change({
      // At the origin it keeps its angle.
      ...(Math.hypot(...vector) > lengthGrid[2] / 2 && { angle: turned(angleOf(vector)) }),
      length: Math.hypot(...vector),
    });
  // Several moves may come before a frame: each begins where the last one led.
  const moveKey = (k, place) => {
    const now = setting();
    change(movedKey({ setting: now, keys: keysAt(now.spread, now.keys) }, k, place, lengthGrid[1]));
  };

  const choose = (k) => {
    chosen = k;
    figure.redraw();
  };

  /** What a hand has taken hold of, as a function that moves it: a key or, elsewhere in a plane, the query. */
  function grab(event) {
    const { left, top } = stage.getBoundingClientRect();
    const [px, py] = [event.clientX - left, event.clientY - top];
    const held = parts.handles.indexOf(event.target);
    const inside = ({ x, y, side }) => px >= x && px <= x + side && py >= y && py <= y + side;
    const i = held >= 0 ? held : at.planes.findIndex(inside);
    if (i < 0) return undefined;
    const { query, keys } = figure.now,
      { x, y, side } = at.planes[i];
    const vectorAt = (e) => [
      at.toPixel.invert(e.clientX - left - x - side / 2),
      -at.toPixel.invert(e.clientY - top - y - side / 2),
    ];
    const key = event.target === parts.chosenKey ? chosen : keyOf(parts, event.target),
      start = vectorAt(event);
    const grip = key >= 0 ? keys[key] : held >= 0 ? query : start; // in an empty place the query comes to the hand
    if (key >= 0) choose(key);
    focus(key >= 0 ? parts.chosenKey : parts.handles[0]);
    return (e) => {
      if (e === event && (key >= 0 || held >= 0)) return; // a mere click must not round what it holds
      const [u, v] = vectorAt(e);
      const moved = [u + grip[0] - start[0], v + grip[1] - start[1]];
      if (key >= 0) moveKey(key, moved);
      else moveTo(moved);
    };
  }

  figure.drag(stage, grab);
  arrowKeys(parts.handles[0], (right, up) => {
    const { angle, length } = setting();
    const turn = Number.isFinite(right) ? turned(angle - right) : right < 0 ? angleGrid[0] : angleGrid[1];
    change({ angle: turn, length: length + up * lengthGrid[2] });
  });
  arrowKeys(parts.chosenKey, (right, up) => {
    if (!Number.isFinite(right)) return;
    const { spread, keys } = setting(),
      key = keysAt(spread, keys)[chosen];
    moveKey(chosen, polar(angleOf(key) - right, Math.hypot(...key) + up * lengthGrid[2]));
  });
  pageKeys(parts.chosenKey, (step) => choose((chosen + step + values.length) % values.length));

  tellValues(figure, {
    find: (x, y) => markAt(at, values, figure.now, x, y),
    focused: (element) => (element === parts.chosenKey ? keyMark(at, values, figure.now, chosen) : undefined),
  });
  const [low, high] = spreadGrid;
  playButton(figure, {
    title: "Let the norms of the keys spread",
    pause: 60,
    frames: () => Array.from({ length: 51 }, (_, k) => ({ spread: onGrid(low + (k / 50) * (high - low), spreadGrid) })),
  });
  return draw;
}

export default defineFigure("same", {
  hint:
    "Drag the query or a key in either plane. Keyboard: Tab, then left and right turn it, up and down change its length; " +
    "on a key, Page Up and Page Down choose another.",
  data: (facts) => ({ ...facts, valueRange: withMargin(facts.values, 0.12) }),
  settings: ({ ranges, defaults }) => ({
    keys: listSetting(defaults.full_spread_keys, ([x, y]) =>
      isLengthOfKey(Math.hypot(x, y), ranges.length) ? [x, y] : undefined,
    ),
  }),
  compute,
  state,
  sentence,
  view,
});
