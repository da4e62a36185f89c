import { defineFigure, memo } from "../contract/figure.js";
import { MOVING_NUMBERS } from "../contract/reveal.js";
import { listSetting, numberOn } from "../contract/settings.js";
import { sliderOf } from "../contract/sliders.js";
import { average, keysForShare, softmax } from "../methods/weights.js";
import { arrowKeys, focus, pageKeys, positionIn } from "../parts/drag.js";
import { indexOfLargest, onGrid, percent, role, textOn } from "../parts/numbers.js";
import { growing, playButton } from "../parts/play.js";
import { showTooltip } from "../parts/tooltip.js";
import {
  arrange,
  drawChosenKey,
  drawData,
  drawGhost,
  drawHalos,
  drawQuery,
  drawReach,
  drawWeights,
  elements,
  HIT,
} from "./drawing.js";
import { estimate, logWeights } from "./estimate.js";

// Two panels with a shared axis of keys. Top: the values, the fitted curve and the estimate. Bottom: the weight that
// the query gives to each key. The query is a vertical line through both.

/** The mark of point i. @param {Data} data @param {Layout} at @param {Figure["now"]} now @param {number} i */
const pointMark = ({ keyText, valueText }, { x, y }, { setting: { keys, values }, weights }, i) => ({
  x: x(keys[i]),
  y: y(values[i]),
  text: `key ${keyText(keys[i])}, value ${valueText(values[i])}, weight ${percent(weights[i])}`,
});

/**
 * Find the mark under the pointer: a point, a stem, or the curve.
 * @param {Data} data
 * @param {Layout} at
 * @param {Figure["now"]} now
 * @param {number[]} pixel
 * @param {number} [point]
 */
function markAt(data, at, now, [px, py], point) {
  const { keys } = now.setting;
  const beside = keys.map((key) => Math.abs(at.x(key) - px));
  const nearest = beside.indexOf(Math.min(...beside));
  if (point !== undefined) return pointMark(data, at, now, point);
  if (py > at.weightTop) return beside[nearest] < 8 ? { ...pointMark(data, at, now, nearest), y: py } : undefined;
  const answer = estimate(at.x.invert(px), now.setting);
  if (px < at.left || px > at.right || py < at.dataTop || py > at.dataBottom || Number.isNaN(answer)) return undefined;
  return { x: px, y: at.y(answer), text: `at ${data.keyText(at.x.invert(px))}: ${data.valueText(answer)}` };
}

/** @param {Data} data @param {Figure["now"]} now */
function sentence(data, { setting, weights, estimate, keys_for_90_percent }) {
  const { query, kernel, bandwidth, temperature, keys } = setting;
  const { keyText, valueText, bandwidthText, temperatureText, kernel_labels } = data;
  const heaviest = indexOfLargest(weights);
  const nearest = keys.reduce((best, key) => (Math.abs(key - query) < Math.abs(best - query) ? key : best));
  const seen = weights.filter((weight) => weight > 0);
  /** @type {Record<string, string>} */
  const widths = { "softmax-dot": `, ${temperatureText(temperature)}`, constant: "" };
  const width = widths[kernel] ?? `, ${bandwidthText(bandwidth)}`;
  const opening = `${kernel_labels[kernel]}${width}. ${role("query", `Query ${keyText(query)}`)}`;
  if (seen.length === 0) {
    return `${opening} has no key within h: no weights, no estimate, and a gap in the curve.`;
  }
  const closing = role("estimate", `Estimate ${valueText(estimate)}`);
  const keysOf = (/** @type {number} */ number) => role("weight", `${number} of ${keys.length} keys`);
  const most = role("weight", percent(weights[heaviest]));
  if (seen.every((weight) => weight === seen[0])) {
    return `${opening} gives ${keysOf(seen.length)} the same weight, ${most} each. ${closing}.`;
  }
  const heaviestKey = role("key", `key ${keyText(keys[heaviest])}`);
  const passedOver = keys[heaviest] === nearest ? "" : `, not the nearest, ${role("key", keyText(nearest))}`;
  return (
    `${opening} puts 90\u00a0% of its weight on ${keysOf(keys_for_90_percent)}; ` +
    `the heaviest is ${heaviestKey} with ${most}${passedOver}. ${closing}.`
  );
}

/** Add number formatters to the constants. */
const withWords = (/** @type {Given} */ constants) => ({
  ...constants,
  keyText: textOn(constants.key_grid),
  valueText: textOn(constants.value_grid),
  bandwidthText: (/** @type {number} */ bandwidth) => `h = ${textOn(constants.ranges.bandwidth)(bandwidth)}`,
  temperatureText: (/** @type {number} */ temperature) => `τ = ${textOn(constants.ranges.temperature)(temperature)}`,
});

/** @param {unknown} _ @param {Setting} setting @returns {Numbers} */
function compute(_, setting) {
  const logs = logWeights(setting.query, setting.keys, setting),
    weights = softmax(logs);
  return { logs, weights, estimate: average(weights, setting.values), keys_for_90_percent: keysForShare(weights, 0.9) };
}

/**
 * @typedef {{ keys: number[], values: number[], query: number, kernel: string, bandwidth: number, temperature:
 *   number }} Setting
 * @typedef {{ key_grid: import("../parts/numbers.js").Grid, value_grid: import("../parts/numbers.js").Grid,
 *   kernel_labels: Record<string, string>, key_label: string, value_label: string,
 *   truth: number[], ranges: Record<"bandwidth" | "temperature", import("../parts/numbers.js").Grid> } &
 *   import("../contract/figure.js").Constants} Given
 * @typedef {{ logs: number[], weights: number[], estimate: number, keys_for_90_percent: number }} Numbers
 * @typedef {ReturnType<typeof withWords>} Data
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, {}>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/**
 * Let the pointer and the keys move the query, a point or the end of h, and point at what the tooltip describes.
 * @param {Figure} figure @param {ReturnType<typeof elements>} parts @param {() => Layout} places
 */
function bindGestures(figure, parts, places) {
  const { data, change, setting } = figure,
    { key_grid, value_grid } = data;
  const movePoint = (/** @type {number} */ i, /** @type {number} */ key, /** @type {number} */ value) => {
    const { keys, values } = setting();
    change({ keys: keys.with(i, onGrid(key, key_grid)), values: values.with(i, onGrid(value, value_grid)) });
  };

  /** The point nearest to a pixel, if it is within reach of the pointer.
   * @param {number[]} pixel @param {number} radius */
  function pointAt([px, py], radius) {
    const { keys, values } = setting(),
      { x, y } = places();
    const distances = keys.map((key, i) => Math.hypot(x(key) - px, y(values[i]) - py));
    const nearest = distances.indexOf(Math.min(...distances));
    return distances[nearest] <= radius ? nearest : undefined;
  }

  /** Return a function that moves the dragged object: the end of h, a point, or else the query.
   * @type {import("../parts/drag.js").Grab} */
  function grab(event) {
    const { x, y } = places();
    const pixel = (/** @type {PointerEvent} */ e) => positionIn(parts.canvas, e);
    const [px, py] = pixel(event);
    const { query, keys, values } = setting();
    if (event.target === parts.reachHandle) {
      const off = event.target.getAttribute("cx") - px;
      const slider = sliderOf(figure.root, "bandwidth");
      if (slider) focus(slider); // continue with the arrow keys
      return (e) => change({ bandwidth: Math.abs(x.invert(pixel(e)[0] + off) - query) });
    }
    const onQuery = parts.queryHandle.contains(event.target);
    const point = onQuery ? undefined : pointAt([px, py], event.pointerType === "touch" ? HIT.touch : HIT.mouse);
    if (point === undefined) {
      focus(parts.queryHandle);
      const off = onQuery ? x(query) - px : 0; // elsewhere the query jumps to the pointer
      return (e) => change({ query: x.invert(pixel(e)[0] + off) });
    }
    figure.select({ point });
    focus(parts.keyHandle);
    const [offX, offY] = [x(keys[point]) - px, y(values[point]) - py];
    // A click alone must not round the point to the grid.
    return (e) => e !== event && movePoint(point, x.invert(pixel(e)[0] + offX), y.invert(pixel(e)[1] + offY));
  }

  figure.drag(parts.canvas, grab);
  arrowKeys(parts.queryHandle, (right, up) => change({ query: setting().query + (right + up) * key_grid[2] }));
  arrowKeys(parts.keyHandle, (right, up) => {
    const { keys, values } = setting(),
      { point } = figure.selection();
    movePoint(point, keys[point] + right * key_grid[2], values[point] + up * value_grid[2]);
  });
  pageKeys(parts.keyHandle, (step) => {
    const { keys } = setting();
    const order = keys.map((_, i) => i).sort((a, b) => keys[a] - keys[b]);
    const place = order.indexOf(figure.selection().point) + step;
    figure.select({ point: order[(place + order.length) % order.length] });
  });
  showTooltip(figure, {
    find: (x, y) => markAt(data, places(), figure.now, [x, y], pointAt([x, y], HIT.mouse)),
    focused: (element) =>
      element === parts.keyHandle ? pointMark(data, places(), figure.now, figure.selection().point) : undefined,
  });
}

/** @param {Figure} figure */
function view(figure) {
  const { data } = figure;
  const parts = elements(figure.stage, data);
  figure.reveal = MOVING_NUMBERS;
  const arranged = memo((/** @type {number} */ width) => arrange(parts, data, width));
  /**
   * @type {(at: Layout, keys: number[], values: number[], kernel: string, bandwidth: number, temperature: number)
   *   => void}
   */
  const drawAllButQuery = memo((at, keys, values, kernel, bandwidth, temperature) =>
    drawData(parts, at, { keys, values, kernel, bandwidth, temperature }),
  );
  /** @type {(at: Layout, ghost: Figure["now"] | undefined) => void} */
  const drawGhostAt = memo((at, ghost) => ghost && drawGhost(parts, at, ghost));
  /** @type {Layout} */
  let at;

  /** @type {Draw} */
  function draw(now, { width, ghost }) {
    at = arranged(width);
    const { keys, values, kernel, bandwidth, temperature, query } = now.setting;
    drawAllButQuery(at, keys, values, kernel, bandwidth, temperature);
    drawGhostAt(at, ghost);
    drawHalos(parts, now);
    drawWeights(parts, at, now, ghost);
    drawReach(parts, data, at, now.setting);
    drawQuery(parts, data, at, query, now.estimate);
    drawChosenKey(
      parts,
      data,
      at,
      now.setting,
      pointMark(data, at, now, now.selection.point).text,
      now.selection.point,
    );
    figure.root.dataset.kernel = kernel;
  }

  bindGestures(figure, parts, () => at);
  playButton(figure, {
    title: "Increase the bandwidth, or the temperature, from its smallest to its largest value",
    frames() {
      const name = figure.setting().kernel === "softmax-dot" ? "temperature" : "bandwidth";
      return growing(data.ranges[name], 50).map((value) => ({ [name]: value }));
    },
  });
  return draw;
}

export default defineFigure("regression", {
  hint: "Drag the query, a point or the ring at h. Circled: 90\u00a0% of the weight. Keyboard: Tab, arrows.",
  data: withWords,
  settings: ({ key_grid, value_grid, defaults }) => ({
    keys: listSetting(/** @type {number[]} */ (defaults.data_keys), numberOn(key_grid)),
    values: listSetting(/** @type {number[]} */ (defaults.data_values), numberOn(value_grid)),
  }),
  selection: { point: 0 }, // with the keyboard
  compute,
  state: (_, { setting, estimate, keys_for_90_percent }) => ({ ...setting, estimate, keys_for_90_percent }),
  sentence,
  view,
});
