import { clamp, decimalsOf, format, percent } from "../parts/numbers.js";
import {
  BEFORE,
  axes,
  describe,
  diamond,
  drawing,
  html,
  legend,
  repeat,
  resize,
  scale,
  set,
  setText,
  ticks,
  translate,
} from "../parts/plot.js";

// Elements, layout and drawing.

/**
 * @typedef {import("./attention_vs_gaussian.js").Data} Data
 * @typedef {import("./attention_vs_gaussian.js").Figure["now"]} Now
 * @typedef {import("../parts/plot.js").Scale} Scale
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof layout> & { toPixel: Scale, tallest: number, x: Scale, y: Scale }} Layout
 */

const DEGREE = Math.PI / 180;

const METHODS = /** @type {const} */ (["gaussian", "attention"]);

const COLUMN = { gaussian: 7, attention: 11 }; // widths in pixels

/** @type {(vector: number[]) => number} */
export const angleOf = ([x, y]) => (((Math.atan2(y, x) / DEGREE) % 360) + 360) % 360;

/** @type {(angle: number, length: number) => number[]} */
export const polar = (angle, length) => [length * Math.cos(angle * DEGREE), length * Math.sin(angle * DEGREE)];

/**
 * Return the layout, in pixels, for this width: the plane, and the values beside or below it.
 * @param {number} width
 */
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

/** Create the elements of the drawing, from back to front. @param {HTMLElement} stage @param {number} nKeys */
export function elements(stage, nKeys) {
  const { canvas, add } = drawing(stage);
  const group = add("g", "plane"),
    frame = add("rect", "frame", {}, group),
    clip = add("svg", "inside", {}, group),
    free = add("svg", "columns", {}, group); // can extend beyond the frame
  const inside = (/** @type {string} */ tag, /** @type {string} */ name, /** @type {object} */ attributes = {}) =>
    add(tag, name, attributes, clip);
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
    keyTitle: add("text", "title key", { text: "angle of the key in degrees" }),
  };
  return { ...parts, ...handlesIn(stage, nKeys) };
}

/**
 * Create the handles: HTML elements, because Chromium ignores touch-action on SVG shapes. The query and the
 * selected key are focusable.
 * @param {HTMLElement} stage @param {number} nKeys
 */
function handlesIn(stage, nKeys) {
  const reachable = { role: "slider", tabindex: 0 };
  const keyHandle = (/** @type {object} */ attributes) => html("div", { class: "key-handle", ...attributes }, stage);
  return {
    keyHandles: Array.from({ length: nKeys }, () => keyHandle({ "aria-hidden": "true" })),
    chosenKey: keyHandle(reachable),
    handle: html("div", { class: "query-handle", ...reachable, "aria-label": "Query" }, stage),
  };
}

/**
 * Lay out everything that depends only on the width: positions, scales and axes.
 * @param {Parts} parts @param {Data} data @param {number} width @returns {Layout}
 */
export function arrange(parts, { ranges, valueRange }, width) {
  const at = layout(width),
    { plane, apart, axis, values } = at,
    { side } = plane;
  const toPixel = scale([0, ranges.length[1]], [0, 0.41 * side]); // leave space for columns on the outermost keys
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

/** @param {Parts["plane"]} parts @param {{ x: number, y: number, side: number }} box */
function arrangePlane(parts, { x, y, side }) {
  const box = { width: side, height: side, viewBox: `${-side / 2} ${-side / 2} ${side} ${side}` };
  set(parts.group, { transform: translate(x, y) });
  set(parts.frame, { width: side, height: side, rx: 6 });
  for (const part of [parts.clip, parts.free]) set(part, box);
  set(parts.axes, { d: `M${-side / 2} 0H${side / 2}M0 ${-side / 2}V${side / 2}` });
}

/** @param {Parts} parts @param {number[]} valueRange @param {Layout} at */
function drawAxes(parts, valueRange, { axis, values, x, y }) {
  const drawn = axes(parts.axes);
  drawn.base(axis, values.bottom);
  for (const { value, text } of ticks(valueRange, 3)) drawn.level(axis, y(value), text);
  for (const angle of [0, 90, 180, 270, 360]) drawn.stop(x(angle), values.bottom, String(angle));
}

/**
 * Convert a vector to pixels of the plane, with the origin in the centre.
 * @param {{ toPixel: Scale }} at
 * @param {number[]} vector
 */
export const planePixel = ({ toPixel }, [x, y]) => [toPixel(x), -toPixel(y)];

/**
 * Draw the keys, the query and, for attention, the query rotated by W_q.
 * @param {Parts} parts @param {Layout} at @param {Data} data @param {Now} now
 */
export function drawPlane({ plane, lines }, at, { ranges }, now) {
  const { query, keys } = now,
    { bandwidth } = now.setting,
    { toPixel } = at;
  const pixels = keys.map((key) => planePixel(at, key));
  const meanNorm = keys.reduce((sum, key) => sum + Math.hypot(...key), 0) / keys.length;
  const decimals = decimalsOf(ranges.bandwidth),
    [cx, cy] = planePixel(at, query);
  const temperature = format(bandwidth ** 2 / 2, 2 * decimals > 3 ? 3 : 2);
  setText(lines[0].words, `Gaussian kernel, h = ${format(bandwidth, decimals)}`);
  setText(lines[1].words, `softmax of dot products, τ = h²/2 = ${temperature}`);
  set(plane.ring, { r: toPixel(meanNorm) });
  set(plane.reach, { cx, cy, r: toPixel(bandwidth) });
  repeat(plane.dots, "circle", keys.length, (circle, k) => set(circle, { cx: pixels[k][0], cy: pixels[k][1], r: 3 }));
  drawTurn(plane, at, now);
}

/** @param {Parts["plane"]} plane @param {Layout} at @param {Now} now */
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

/**
 * Place the handles over the query and the keys.
 * @param {Parts} parts @param {Layout} at @param {Data} data @param {Now} now @param {number} chosen
 */
export function layHandles(parts, at, { ranges }, { query, keys, setting }, chosen) {
  const { x, y, side } = at.plane;
  const over = (/** @type {HTMLElement} */ handle, /** @type {number[]} */ vector, /** @type {number} */ reach) => {
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
  set(parts.chosenKey, {
    "aria-label": `Key ${chosen + 1} of ${keys.length}. Page Up and Page Down select a different key`,
  });
  describe(parts.chosenKey, angle, [0, 359], `${angle} degrees, length ${length}`);
}

/** @param {Parts} parts @param {Layout} at @param {number} apart */
export function drawApart(parts, { apart: { left, right } }, apart) {
  setText(parts.apartText, apart < 1e-12 ? "0 %: the same" : percent(apart));
  set(parts.apartBar, { width: apart < 1e-12 ? 0 : Math.max(apart * (right - left), 2) });
}

/**
 * The path of a column that starts at a key and points away from the origin.
 * @param {Layout} at @param {number[]} key @param {number} width @param {number} share
 */
function columnPath(at, key, width, share) {
  const [px, py] = planePixel(at, key),
    norm = Math.hypot(px, py);
  const [ux, uy] = [px / norm, py / norm],
    [wx, wy] = [-uy * width, ux * width],
    [hx, hy] = [ux * share * at.tallest, uy * share * at.tallest];
  const move = (/** @type {number[]} */ ...numbers) => numbers.map((number) => number.toFixed(2)).join(" ");
  return `M${move(px - wx / 2, py - wy / 2)}l${move(hx, hy)}l${move(wx, wy)}l${move(-hx, -hy)}z`;
}

/**
 * Draw the weights of both methods and those before the gesture, all with the same scale.
 * @param {Parts} parts @param {Layout} at @param {Now} now @param {Now} [ghost]
 */
export function drawBars(parts, at, { keys, weights, setting }, ghost) {
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

/** @param {Parts} parts @param {Layout} at @param {number[]} values @param {Now} now */
export function drawAnswers(parts, at, values, { keys, setting, estimates }) {
  const x = (/** @type {number} */ k) => at.x(angleOf(keys[k]));
  repeat(parts.dots, "circle", keys.length, (dot, k) => set(dot, { cx: x(k), cy: at.y(values[k]), r: 3.5 }));
  estimates.forEach((answer, i) =>
    set(parts.estimates[i], { transform: translate(at.x(setting.angle), at.y(answer)) }),
  );
}
