import { defineFigure, memo } from "../contract/figure.js";
import { MOVING_NUMBERS } from "../contract/reveal.js";
import { listSetting } from "../contract/settings.js";
import { average, keysForShare, logKernel, softmax, totalVariation } from "../methods/weights.js";
import { arrowKeys, focus, pageKeys, positionIn } from "../parts/drag.js";
import { decimalsOf, format, onGrid, percent, role, symbolic } from "../parts/numbers.js";
import { playButton } from "../parts/play.js";
import { withMargin } from "../parts/plot.js";
import { showTooltip } from "../parts/tooltip.js";
import {
  arrange,
  drawAnswers,
  drawApart,
  drawBars,
  drawPlane,
  elements,
  layHandles,
  planePixel,
  polar,
  angleOf,
} from "./drawing.js";

// A plane with keys and a query. Each key has two columns: a filled one for its Gaussian weight, and an outline for its
// softmax weight; where the two agree, the outline fits. Beside the plane are the values and both estimates. The query
// and the keys can be dragged.

/** Move the norms of the keys towards the mean norm. @param {number} spread @param {number[][]} keys */
function keysAt(spread, keys) {
  const norms = keys.map(([x, y]) => Math.hypot(x, y));
  const mean = norms.reduce((a, b) => a + b, 0) / norms.length;
  return keys.map(([x, y], i) => {
    const factor = (mean + spread * (norms[i] - mean)) / norms[i];
    return [factor * x, factor * y];
  });
}

/** −‖q − k‖²/h². @param {number[]} query @param {number[][]} keys @param {number} bandwidth @returns {number[]} */
function gaussianLogWeights(query, keys, bandwidth) {
  return logKernel(
    0,
    keys.map(([x, y]) => Math.hypot(query[0] - x, query[1] - y)),
    bandwidth,
    "gaussian",
  );
}

/** (W_q q)·k/τ. @param {number[]} query @param {number[][]} keys @param {number} temperature */
function dotLogWeights([x, y], keys, temperature) {
  return keys.map((key) => (x * key[0] + y * key[1]) / temperature);
}

/**
 * The mark of key k in the plane.
 * @param {Layout} at @param {number[]} values @param {Numbers} now @param {number} k
 */
function keyMark(at, values, { keys, weights }, k) {
  const { x, y, side } = at.plane,
    [right, down] = planePixel(at, keys[k]);
  const [gaussian, attention] = weights.map((row) => percent(row[k]));
  const place = `key at ${Math.round(angleOf(keys[k])) % 360}°, length ${format(Math.hypot(...keys[k]), 2)}`;
  const words = `${place}: Gaussian ${gaussian}, softmax ${attention}, value ${format(values[k], 2)}`;
  return { x: x + side / 2 + right, y: y + side / 2 + down, text: words };
}

/**
 * Find the mark under the pointer: a key in the plane, or among the values.
 * @param {Layout} at @param {number[]} values @param {Numbers} now @param {number} px @param {number} py
 */
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

/** @type {Record<number, string>} */
const NORMS = { 0: "equal norms", 1: "original norms" };

/** Describe the spread of the norms: equal, as given, or in between. @param {number} spread */
const normsInWords = (spread) => NORMS[spread] ?? `${percent(spread)} of the original spread of norms`;

/** @param {Data} data @param {Figure["now"]} now */
function sentence({ ranges }, { setting, weights, estimates, apart }) {
  const { angle, length, bandwidth, spread, rotation } = setting;
  const heaviest = weights.map((each) => percent(Math.max(...each)));
  const [first, second] = estimates.map((answer) => format(answer, 2));
  const opening =
    `${role("query", `Query at ${angle}°`)}, length ${format(length, decimalsOf(ranges.length))}; ` +
    `h = ${format(bandwidth, decimalsOf(ranges.bandwidth))}, τ = h²/2; ${normsInWords(spread)}, ` +
    `${rotation === 0 ? `${symbolic("W_q")} = ${symbolic("W_k")}` : `${symbolic("W_q")} rotates by ${format(rotation, 0)}°`}.`;
  if (apart < 1e-12) {
    return `${opening} The weights are ${role("weight", "the same")}: heaviest ${heaviest[0]}, ${role("estimate", `estimate ${first}`)}.`;
  }
  return (
    `${opening} ${role("weight", `${percent(apart)} of the attention weight`)} lies on other keys than the Gaussian weight: heaviest keys ${heaviest[0]} and ${heaviest[1]}, ` +
    `${role("estimate", `estimates ${first} and ${second}`)}.`
  );
}

/**
 * Whether a key can have this length: off the origin, and within the plane up to rounding.
 * @param {number} length
 * @param {import("../parts/numbers.js").Grid} grid
 */
const isLengthOfKey = (length, [, longest]) => length > longest / 1e4 && length < 1.01 * longest;

/**
 * Compute query, keys and the weights of both methods. `asked` is W_q q.
 * @param {Data} data
 * @param {Setting} setting
 * @returns {Numbers}
 */
function compute({ values }, { angle, length, bandwidth, spread, rotation, keys: given }) {
  const query = polar(angle, length);
  const asked = rotation === 0 ? query : polar(angle + rotation, length);
  const keys = keysAt(spread, given),
    temperature = bandwidth ** 2 / 2;
  /** @type {number[][]} */
  const weights = [
    softmax(gaussianLogWeights(query, keys, bandwidth)),
    softmax(dotLogWeights(asked, keys, temperature)),
  ];
  const estimates = weights.map((each) => average(each, values));
  return { query, asked, keys, temperature, weights, estimates, apart: totalVariation(weights[0], weights[1]) };
}

/** @param {Data} data @param {Figure["now"]} now */
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
 * Return the settings after moving a key: all keys as they are shown, at spread 1, except the moved one. Its length is
 * at most `longest` and above zero.
 * @param {{ setting: Setting, keys: number[][] }} now
 * @param {number} k
 * @param {number[]} place
 * @param {number} longest
 */
function movedKey({ setting: { spread, keys: given }, keys }, k, [x, y], longest) {
  const length = Math.hypot(x, y);
  if (length < longest / 50) return {};
  const shrink = Math.min(1, longest / length);
  const rounded = (/** @type {number[]} */ vector) => vector.map((number) => Number(number.toFixed(3)));
  const others = spread === 1 ? given : keys.map(rounded);
  return { keys: others.with(k, rounded([shrink * x, shrink * y])), spread: 1 };
}

/**
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {{ angle: number, length: number, bandwidth: number, spread: number, rotation: number, keys: number[][]
 *   }} Setting
 * @typedef {import("../contract/figure.js").Constants & { values: number[], ranges: Record<string,
 *   import("../parts/numbers.js").Grid> }} Given
 * @typedef {Given & { valueRange: number[] }} Data
 * @typedef {{ query: number[], asked: number[], keys: number[][], temperature: number, weights: number[][],
 *   estimates: number[],
 *   apart: number }} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, {}>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** An angle in degrees, from 0 to 359. */
const turned = (/** @type {number} */ angle) => ((Math.round(angle) % 360) + 360) % 360;

/**
 * Let the pointer and the keys move the query and the keys, and point at what the tooltip describes.
 * @param {Figure} figure @param {ReturnType<typeof elements>} parts @param {() => Layout} places
 */
function bindGestures(figure, parts, places) {
  const { data, change, setting, stage } = figure,
    { values } = data,
    { angle: angleGrid, length: lengthGrid } = data.ranges;
  const moveTo = (/** @type {number[]} */ vector) =>
    change({
      // At the origin the angle is undefined, so keep the current one.
      ...(Math.hypot(...vector) > lengthGrid[2] / 2 && { angle: turned(angleOf(vector)) }),
      length: Math.hypot(...vector),
    });
  // Several moves may precede a frame, so start each from the current setting and not from the drawn state.
  const moveKey = (/** @type {number} */ k, /** @type {number[]} */ place) => {
    const now = setting();
    change(movedKey({ setting: now, keys: keysAt(now.spread, now.keys) }, k, place, lengthGrid[1]));
  };

  const choose = (/** @type {number} */ key) => figure.select({ key }),
    chosen = () => figure.selection().key;

  /** Return a function that moves the dragged object: a key or, elsewhere in the plane, the query.
   * @type {import("../parts/drag.js").Grab} */
  function grab(event) {
    const [px, py] = positionIn(stage, event);
    const { toPixel, plane } = places(),
      { x, y, side } = plane,
      { query, keys } = figure.now;
    const held = event.target === parts.handle;
    if (!held && !(px >= x && px <= x + side && py >= y && py <= y + side)) return undefined;
    const vectorAt = (/** @type {PointerEvent} */ e) => {
      const [right, down] = positionIn(stage, e);
      return [toPixel.invert(right - x - side / 2), -toPixel.invert(down - y - side / 2)];
    };
    const key = event.target === parts.chosenKey ? chosen() : parts.keyHandles.indexOf(event.target),
      start = vectorAt(event);
    const grip = key >= 0 ? keys[key] : held ? query : start; // elsewhere in the plane the query jumps to the pointer
    if (key >= 0) choose(key);
    focus(key >= 0 ? parts.chosenKey : parts.handle);
    return (e) => {
      if (e === event && (key >= 0 || held)) return; // a click alone must not round the position
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
      key = keysAt(spread, keys)[chosen()];
    moveKey(chosen(), polar(angleOf(key) - right, Math.hypot(...key) + up * lengthGrid[2]));
  });
  pageKeys(parts.chosenKey, (step) => choose((chosen() + step + values.length) % values.length));

  showTooltip(figure, {
    find: (x, y) => markAt(places(), values, figure.now, x, y),
    focused: (element) => (element === parts.chosenKey ? keyMark(places(), values, figure.now, chosen()) : undefined),
  });
}

/** @param {Figure} figure */
function view(figure) {
  const { data, stage } = figure,
    { values, ranges } = data;
  const parts = elements(stage, values.length);
  figure.reveal = MOVING_NUMBERS;
  const arranged = memo((/** @type {number} */ width) => arrange(parts, data, width));
  /** @type {Layout} */
  let at;

  /** @type {Draw} */
  function draw(now, { width, ghost }) {
    at = arranged(width);
    drawPlane(parts, at, data, now);
    drawApart(parts, at, now.apart);
    drawBars(parts, at, now, ghost);
    drawAnswers(parts, at, values, now);
    layHandles(parts, at, data, now, now.selection.key);
  }

  bindGestures(figure, parts, () => at);
  const [low, high] = ranges.spread;
  playButton(figure, {
    title: "Increase the spread of the key norms",
    frames: () =>
      Array.from({ length: 51 }, (_, k) => ({ spread: onGrid(low + (k / 50) * (high - low), ranges.spread) })),
  });
  return draw;
}

export default defineFigure("attention-vs-gaussian", {
  hint: "Drag the query (its disc has radius h) or a key. Keyboard: Tab, arrows, Page Up and Down.",
  data: (/** @type {Given} */ constants) => ({
    ...constants,
    valueRange: withMargin(constants.values, 0.12),
  }),
  settings: ({ ranges, defaults }) => ({
    keys: listSetting(/** @type {number[][]} */ (defaults.full_spread_keys), ([x, y]) =>
      isLengthOfKey(Math.hypot(x, y), ranges.length) ? [x, y] : undefined,
    ),
  }),
  selection: { key: 0 }, // with the keyboard
  compute,
  state,
  sentence,
  view,
});
