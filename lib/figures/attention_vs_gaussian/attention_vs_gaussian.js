import { defineFigure, memo } from "../contract/figure.js";
import { arrowKeys, focus, pageKeys } from "../parts/drag.js";
import { clamp, decimalsOf, format, onGrid, percent, role, symbolic } from "../parts/numbers.js";
import { playButton } from "../parts/play.js";
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
} from "../parts/plot.js";
import { showTooltip } from "../parts/tooltip.js";
import { listSetting } from "../contract/settings.js";
import { average, keysForShare, logKernel, softmax, totalVariation } from "../methods/weights.js";

// A plane with keys and a query. On each key stand two columns, its weight by the Gaussian kernel, filled, and by softmax of
// dot products, an outline around it: where the two agree, the outline fits. Beside it, what comes of the values. Query
// and keys can be moved.

const DEGREE = Math.PI / 180;
const METHODS = ["gaussian", "attention"];
const COLUMN = { gaussian: 7, attention: 11 }; // widths in pixels

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

/** Where things are, in pixels, for a figure of this width: the plane, and beside or below it the values. */
function layout(width) {
  const isBeside = width >= 600;
  const side = isBeside ? clamp(width - 468, 240, 400) : Math.min(width, 340);
  const plane = { x: isBeside ? 0 : (width - side) / 2, y: 0, side };
  const axis = { left: (isBeside ? side + 36 : 0) + 44, right: width - 14 };
  const top = isBeside ? 0 : side + 10;
  const apart = { y: top + 74, left: axis.left - 44, right: axis.right };
  const values = { top: top + 116, bottom: Math.max(top + 186, side - 46) };
  return { width, plane, axis, lines: [top + 13, top + 33], apart, values, height: values.bottom + 46 };
}

/** The elements of the picture, from back to front. */
function elements(stage, nKeys) {
  const { canvas, add } = drawing(stage);
  const group = add("g", "plane"),
    frame = add("rect", "frame", {}, group),
    clip = add("svg", "inside", {}, group),
    free = add("svg", "columns", {}, group); // may rise beyond the frame
  const inside = (tag, name, attributes) => add(tag, name, attributes, clip);
  const plane = {
    group,
    frame,
    clip,
    free,
    reach: inside("circle", "reach"),
    ring: inside("circle", "mean-norm"),
    axes: inside("path", "grid"),
    bars: METHODS.map((method) => add("g", `bars ${method}`, {}, free)),
    ghostBars: add("path", "ghost", {}, free),
    dots: add("g", "keys", {}, free),
    turn: add("path", "turn", {}, free),
    arrow: add("path", "arrow", {}, free),
    asked: add("circle", "asked", { r: 6 }, free),
    query: add("circle", "query-dot", { r: 6 }, free),
  };
  const parts = {
    canvas,
    plane,
    lines: METHODS.map((method) => {
      const line = add("g", `line ${method}`);
      add("rect", "", { y: -10, width: COLUMN[method], height: 12, x: 8 - COLUMN[method] / 2 }, line);
      add("path", `answer ${method}`, { d: diamond(6.5), transform: translate(28, -4) }, line);
      return { line, words: add("text", "", { x: 42 }, line) };
    }),
    apartTitle: add("text", "title", { text: "Weight on other keys" }),
    apartText: add("text", "apart-text"),
    apartTrack: add("rect", "apart-track", { height: 8, rx: 4 }),
    apartBar: add("rect", "apart-bar", { height: 8, rx: 4 }),
    axes: add("g", "axes"),
    queryLine: add("line", "query-line"),
    valueTitle: add("text", "title value", { text: "value" }),
    dots: add("g", "value-dots"),
    ghostAnswers: add("path", "ghost"),
    legend: add("g", "legend was"),
    estimates: METHODS.map((method) => add("path", `answer ${method}`, { d: diamond(6.5) })),
    keyTitle: add("text", "title key", { text: "angle of the key, in degrees" }),
  };
  return { ...parts, ...handlesIn(stage, nKeys) };
}

/** Handles are HTML, since Chromium ignores touch-action on shapes. The query and one key have the keyboard. */
function handlesIn(stage, nKeys) {
  const reachable = { role: "slider", tabindex: 0 };
  const keyHandle = (attributes) => html("div", { class: "key-handle", ...attributes }, stage);
  return {
    keyHandles: Array.from({ length: nKeys }, () => keyHandle({ "aria-hidden": "true" })),
    chosenKey: keyHandle(reachable),
    handle: html("div", { class: "query-handle", ...reachable, "aria-label": "Query" }, stage),
  };
}

/** What depends on the width alone: places, scales and axes. */
function arrange(parts, { ranges, valueRange }, width) {
  const at = layout(width),
    { plane, apart, axis, values } = at,
    { side } = plane;
  const toPixel = scale([0, ranges.length[1]], [0, 0.41 * side]); // columns stand on the outermost keys
  const x = scale([0, 360], [axis.left, axis.right]),
    y = scale(valueRange, [values.bottom, values.top]);
  resize(parts.canvas, width, at.height);
  arrangePlane(parts.plane, plane);
  parts.lines.forEach(({ line }, i) => set(line, { transform: translate(apart.left, at.lines[i]) }));
  set(parts.apartTitle, { x: apart.left, y: apart.y - 8 });
  set(parts.apartText, { x: apart.right, y: apart.y - 8 });
  for (const part of [parts.apartTrack, parts.apartBar]) set(part, { x: apart.left, y: apart.y });
  set(parts.apartTrack, { width: apart.right - apart.left });
  set(parts.valueTitle, { x: apart.left, y: values.top - 10 });
  legend(parts.legend, [BEFORE], { x: axis.left + 16, y: values.top - 10, gap: 0 });
  set(parts.keyTitle, { x: axis.right, y: values.bottom + 38 });
  set(parts.queryLine, { y1: values.top, y2: values.bottom });
  const places = { ...at, toPixel, tallest: 0.16 * side, x, y };
  drawAxes(parts, valueRange, places);
  return places;
}

function arrangePlane(parts, { x, y, side }) {
  const box = { width: side, height: side, viewBox: `${-side / 2} ${-side / 2} ${side} ${side}` };
  set(parts.group, { transform: translate(x, y) });
  set(parts.frame, { width: side, height: side, rx: 6 });
  for (const part of [parts.clip, parts.free]) set(part, box);
  set(parts.axes, { d: `M${-side / 2} 0H${side / 2}M0 ${-side / 2}V${side / 2}` });
}

function drawAxes(parts, valueRange, { axis, values, x, y }) {
  const drawn = axes(parts.axes);
  drawn.base(axis, values.bottom);
  for (const { value, text } of ticks(valueRange, 3)) drawn.level(axis, y(value), text);
  for (const angle of [0, 90, 180, 270, 360]) drawn.stop(x(angle), values.bottom, String(angle));
}

/** From a vector to pixels of its plane, whose origin is in the middle. @param {any} at @param {number[]} vector */
const planePixel = ({ toPixel }, [x, y]) => [toPixel(x), -toPixel(y)];

/** The keys, the query and, for attention, where W_q turns it. */
function drawPlane({ plane, lines }, at, { ranges }, now) {
  const { query, keys } = now,
    { bandwidth } = now.setting,
    { toPixel } = at;
  const pixels = keys.map((key) => planePixel(at, key));
  const meanNorm = keys.reduce((sum, key) => sum + Math.hypot(...key), 0) / keys.length;
  const decimals = decimalsOf(ranges.bandwidth),
    [cx, cy] = planePixel(at, query);
  const temperature = format(bandwidth ** 2 / 2, 2 * decimals > 3 ? 3 : 2);
  lines[0].words.textContent = `Gaussian kernel, h = ${format(bandwidth, decimals)}`;
  lines[1].words.textContent = `softmax of dot products, τ = h²/2 = ${temperature}`;
  set(plane.ring, { r: toPixel(meanNorm) });
  set(plane.reach, { cx, cy, r: toPixel(bandwidth) });
  repeat(plane.dots, "circle", keys.length, (circle, k) => set(circle, { cx: pixels[k][0], cy: pixels[k][1], r: 3 }));
  drawTurn(plane, at, now);
}

function drawTurn(plane, at, { query, asked, setting: { angle, length, rotation } }) {
  const turned = rotation !== 0,
    visibility = turned ? "visible" : "hidden";
  /** @type {(pixel: number[]) => string} */
  const point = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [qx, qy] = planePixel(at, query),
    [ax, ay] = planePixel(at, asked);
  const radius = at.toPixel(length).toFixed(1);
  const end = planePixel(at, polar(angle + rotation, length));
  set(plane.arrow, { d: `M0 0L${point([ax, ay])}` });
  set(plane.asked, { cx: ax, cy: ay, visibility });
  set(plane.turn, {
    d: `M${point([qx, qy])}A${radius} ${radius} 0 0 ${rotation > 0 ? 0 : 1} ${point(end)}`,
    visibility,
  });
  set(plane.query, { cx: qx, cy: qy, class: turned ? "query-dot left-behind" : "query-dot" });
}

/** The handles, over the query and the keys. */
function layHandles(parts, at, { ranges }, { query, keys, setting }, chosen) {
  const { x, y, side } = at.plane;
  const over = (handle, vector, reach) => {
    const [right, down] = planePixel(at, vector);
    Object.assign(handle.style, { left: `${x + side / 2 + right - reach}px`, top: `${y + side / 2 + down - reach}px` });
  };
  over(parts.handle, query, 22);
  parts.keyHandles.forEach((handle, k) => over(handle, keys[k], 12));
  const words = `${setting.angle} degrees, length ${format(setting.length, decimalsOf(ranges.length))}`;
  describe(parts.handle, setting.angle, ranges.angle, words);
  over(parts.chosenKey, keys[chosen], 12);
  const angle = Math.round(angleOf(keys[chosen])) % 360,
    length = format(Math.hypot(...keys[chosen]), 2);
  set(parts.chosenKey, { "aria-label": `Key ${chosen + 1} of ${keys.length}. Page Up and Page Down choose another` });
  describe(parts.chosenKey, angle, [0, 359], `${angle} degrees, length ${length}`);
}

function drawApart(parts, { apart: { left, right } }, apart) {
  parts.apartText.textContent = apart < 1e-12 ? "0 %: the same" : percent(apart);
  set(parts.apartBar, { width: apart < 1e-12 ? 0 : Math.max(apart * (right - left), 2) });
}

/** A column that stands on a key and points away from the origin. */
function columnPath(at, key, width, share) {
  const [px, py] = planePixel(at, key),
    norm = Math.hypot(px, py);
  const [ux, uy] = [px / norm, py / norm],
    [wx, wy] = [-uy * width, ux * width],
    [hx, hy] = [ux * share * at.tallest, uy * share * at.tallest];
  const move = (...numbers) => numbers.map((number) => number.toFixed(2)).join(" ");
  return `M${move(px - wx / 2, py - wy / 2)}l${move(hx, hy)}l${move(wx, wy)}l${move(-hx, -hy)}z`;
}

/** The weights of both methods and those before the gesture, in one scale. */
function drawBars(parts, at, { keys, weights, setting }, ghost) {
  const { bars, ghostBars } = parts.plane;
  const top = Math.max(...weights.flat(), ...(ghost?.weights.flat() ?? []));
  METHODS.forEach((method, i) =>
    repeat(bars[i], "path", keys.length, (bar, k) =>
      set(bar, { d: columnPath(at, keys[k], COLUMN[method], weights[i][k] / top) }),
    ),
  );
  set(parts.queryLine, { x1: at.x(setting.angle), x2: at.x(setting.angle) });
  if (!ghost) return;
  const before = ghost.weights.flatMap((row, i) =>
    row.map((weight, k) => columnPath(at, ghost.keys[k], COLUMN[METHODS[i]] + 4, weight / top)),
  );
  const paths = ghost.estimates.map((answer) => {
    const [x, y] = [at.x(ghost.setting.angle), at.y(answer)].map((pixel) => pixel.toFixed(1));
    return `M${x} ${y}m0 -7.5l7.5 7.5l-7.5 7.5l-7.5 -7.5z`;
  });
  set(ghostBars, { d: before.join("") });
  set(parts.ghostAnswers, { d: paths.join("") });
}

// ---- Values to read ---------------------------------------------------------------------------------------

/** Key k where it lies in the plane. */
function keyMark(at, values, { keys, weights }, k) {
  const { x, y, side } = at.plane,
    [right, down] = planePixel(at, keys[k]);
  const [gaussian, attention] = weights.map((row) => percent(row[k]));
  const place = `key at ${Math.round(angleOf(keys[k])) % 360}°, length ${format(Math.hypot(...keys[k]), 2)}`;
  const words = `${place}: Gaussian ${gaussian}, softmax ${attention}, value ${format(values[k], 2)}`;
  return { x: x + side / 2 + right, y: y + side / 2 + down, text: words };
}

/** What is under the pointer: a key in the plane, or among the values. */
function markAt(at, values, now, px, py) {
  const beside = now.keys.map((key) => Math.abs(at.x(angleOf(key)) - px));
  const nearest = beside.indexOf(Math.min(...beside));
  if (py > at.values.top - 10 && px > at.axis.left - 10) {
    return py < at.values.bottom && beside[nearest] < 10
      ? { ...keyMark(at, values, now, nearest), x: px, y: py }
      : undefined;
  }
  return now.keys.map((_, k) => keyMark(at, values, now, k)).find(({ x, y }) => Math.hypot(x - px, y - py) < 10);
}

function drawAnswers(parts, at, values, { keys, setting, estimates }) {
  const x = (k) => at.x(angleOf(keys[k]));
  repeat(parts.dots, "circle", keys.length, (dot, k) => set(dot, { cx: x(k), cy: at.y(values[k]), r: 3.5 }));
  estimates.forEach((answer, i) =>
    set(parts.estimates[i], { transform: translate(at.x(setting.angle), at.y(answer)) }),
  );
}

/** How far the norms of the keys are spread: not at all, as those of the keys themselves, or between. */
const normsInWords = (spread) =>
  ({ 0: "norms equal", 1: "the keys’ own norms" })[spread] ?? `${percent(spread)} of the norms’ spread`;

function sentence({ ranges }, { setting, weights, estimates, apart }) {
  const { angle, length, bandwidth, spread, rotation } = setting;
  const heaviest = weights.map((each) => percent(Math.max(...each)));
  const [first, second] = estimates.map((answer) => format(answer, 2));
  const opening =
    `${role("query", `Query at ${angle}°`)}, length ${format(length, decimalsOf(ranges.length))}; ` +
    `h = ${format(bandwidth, decimalsOf(ranges.bandwidth))}, τ = h²/2; ${normsInWords(spread)}, ` +
    `${rotation === 0 ? `${symbolic("W_q")} = ${symbolic("W_k")}` : `${symbolic("W_q")} turns by ${format(rotation, 0)}°`}.`;
  if (apart < 1e-12) {
    return `${opening} The weights are ${role("weight", "the same")}: heaviest ${heaviest[0]}, ${role("estimate", `estimate ${first}`)}.`;
  }
  return (
    `${opening} ${role("weight", `${percent(apart)} of the dot products’ weight`)} lies on other keys than the Gaussian’s: heaviest ${heaviest[0]} and ${heaviest[1]}, ` +
    `${role("estimate", `estimates ${first} and ${second}`)}.`
  );
}

// ---- Computing --------------------------------------------------------------------------------------------

/** As far as a drag can move a key, with room for its rounding, and off the origin. */
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
  const estimates = weights.map((each) => average(each, values));
  return { query, asked, keys, temperature, weights, estimates, apart: totalVariation(weights[0], weights[1]) };
}

function state({ values }, { setting, query, keys, temperature, weights, estimates, apart }) {
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
    estimate: estimates[1],
    keys_for_90_percent: keysForShare(weights[1], 0.9),
    gaussian_estimate: estimates[0],
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
    drawPlane(parts, at, data, now);
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

  /** What a drag has grabbed, as a function that moves it: a key or, elsewhere in the plane, the query. */
  function grab(event) {
    const { left, top } = stage.getBoundingClientRect();
    const [px, py] = [event.clientX - left, event.clientY - top];
    const { x, y, side } = at.plane,
      { query, keys } = figure.now;
    const held = event.target === parts.handle;
    if (!held && !(px >= x && px <= x + side && py >= y && py <= y + side)) return undefined;
    const vectorAt = (e) => [
      at.toPixel.invert(e.clientX - left - x - side / 2),
      -at.toPixel.invert(e.clientY - top - y - side / 2),
    ];
    const key = event.target === parts.chosenKey ? chosen : parts.keyHandles.indexOf(event.target),
      start = vectorAt(event);
    const grip = key >= 0 ? keys[key] : held ? query : start; // in an empty place the query jumps to the pointer
    if (key >= 0) choose(key);
    focus(key >= 0 ? parts.chosenKey : parts.handle);
    return (e) => {
      if (e === event && (key >= 0 || held)) return; // a mere click must not round what it holds
      const [u, v] = vectorAt(e);
      const moved = [u + grip[0] - start[0], v + grip[1] - start[1]];
      if (key >= 0) moveKey(key, moved);
      else moveTo(moved);
    };
  }

  figure.drag(stage, grab);
  arrowKeys(parts.handle, (right, up) => {
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

  showTooltip(figure, {
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

export default defineFigure("attention-vs-gaussian", {
  hint: "Drag the query, whose disc reaches as far as h, or a key. Keyboard: Tab, arrows, Page Up and Down.",
  data: (/** @type {any} */ constants) => ({ ...constants, valueRange: withMargin(constants.values, 0.12) }),
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
