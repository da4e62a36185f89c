import { defineFigure, memo } from "../contract/figure.js";
import { movingAlong } from "../contract/reveal.js";
import { decodeFloats } from "../methods/base64.js";
import { inner } from "../methods/random_features.js";
import { average, keysForShare, normalized, softmax, totalVariation } from "../methods/weights.js";
import { arrowKeys, focus, positionIn } from "../parts/drag.js";
import { clamp, format, percent, role } from "../parts/numbers.js";
import { playButton } from "../parts/play.js";
import { html } from "../parts/plot.js";
import { createValueSlider, showTooltip } from "../parts/tooltip.js";
import { arrange, drawCurves, drawErrors, drawGhost, drawQuery, drawWeights, elements, ERROR_ENDS } from "./drawing.js";

// Exact attention and its estimate from random features. Top: values, and the estimates of all queries. Bottom: the
// weights of one query. Beside them, or below them on a phone: the error as a function of the number of features.

/** @typedef {Float64Array[][]} Features For each function, the features of all tokens by frequency. */

/** A feature is exp(sign ‖x‖²/2) f(ω·x); the factor 1/√m of all features cancels in the weights. */
const FEATURE_MAPS = {
  positive: { sign: -1, functions: [Math.exp] },
  hyperbolic: { sign: -1, functions: [Math.exp, (/** @type {number} */ u) => Math.exp(-u)] },
  trigonometric: { sign: 1, functions: [Math.cos, Math.sin] },
};

/**
 * Features of all tokens: for each function, one Float64Array per frequency.
 * @param {number[][]} tokens
 * @param {import("../methods/random_features.js").Numbers[]} frequencies
 * @param {keyof typeof FEATURE_MAPS} map
 * @returns {Features}
 */
export function featuresOf(tokens, frequencies, map) {
  const { sign, functions } = FEATURE_MAPS[map];
  const factors = tokens.map((token) => Math.exp((sign * inner(token, 0, token, 0, token.length)) / 2));
  return functions.map((f) =>
    frequencies.map((frequency) => {
      const row = new Float64Array(tokens.length);
      for (let j = 0; j < row.length; j += 1)
        row[j] = factors[j] * f(inner(frequency, 0, tokens[j], 0, frequency.length));
      return row;
    }),
  );
}

/**
 * Estimated weights of one query after each of the `counts` of features: Σ φ(q)φ(k), normalised.
 * @param {Features} features @param {number} query @param {number[]} counts @returns {number[][]}
 */
function weightsAfter(features, query, counts) {
  const sums = new Float64Array(features[0][0].length);
  let used = 0;
  return counts.map((count) => {
    for (; used < count; used += 1) {
      for (const feature of features) {
        const row = feature[used],
          own = row[query];
        for (let j = 0; j < sums.length; j += 1) sums[j] += own * row[j];
      }
    }
    return normalized([...sums]);
  });
}

/** @param {number[][]} tokens @param {number} query @returns {number[]} */
function exactWeights(tokens, query) {
  return softmax(tokens.map((token) => inner(tokens[query], 0, token, 0, token.length)));
}

/**
 * Decode the frequencies from Python: for each coupling and draw, a list of vectors.
 * @param {{ shape: [number, number, number, number], data: string }} packed
 */
function frequenciesOf({ shape: [couplings, draws, count, dimension], data }) {
  const numbers = decodeFloats(data);
  /** @template T @param {number} length @param {(index: number) => T} make */
  const list = (length, make) => Array.from({ length }, (_, i) => make(i));
  return list(couplings, (c) =>
    list(draws, (d) =>
      list(count, (l) => {
        const first = ((c * draws + d) * count + l) * dimension;
        return numbers.subarray(first, first + dimension);
      }),
    ),
  );
}

/**
 * The mark of a token as a key, on the curve of estimates.
 * @param {Data} data
 * @param {Layout} at
 * @param {Numbers} now
 * @param {number} j
 */
const tokenMark = ({ values }, at, { weights, exact, estimates }, j) => ({
  x: at.x(j),
  y: clamp(at.y(estimates[j]), at.dataTop, at.dataBottom),
  text: `${j}: weight ${percent(weights[j])}, exact ${percent(exact[j])}; value ${format(values[j], 2)}, estimate ${format(estimates[j], 2)}`,
});

/**
 * Find the mark under the pointer: a token, or a number of frequencies.
 * @param {Data} data
 * @param {Layout} at
 * @param {Numbers} now
 * @param {number} px
 * @param {number} py
 * @param {(count: number) => number} nearestCount
 */
function markAt(data, at, now, px, py, nearestCount) {
  if (px > at.errorLeft && py > at.errorTop && py < at.errorBottom && px < at.errorRight + 6) {
    const i = nearestCount(at.xError.invert(px));
    const words = `m = ${data.counts[i]}: ${percent(now.ownErrors[i])} on wrong keys`;
    return { x: at.xError(data.counts[i]), y: Math.max(at.yError(now.ownErrors[i]), at.errorTop), text: words };
  }
  const token = Math.round(at.x.invert(px));
  if (px < at.left - 6 || !(token in now.weights) || py < at.dataTop || py > at.weightBottom) return undefined;
  const mark = tokenMark(data, at, now, token);
  return py > at.dataBottom ? { ...mark, y: py } : mark;
}

/** @param {Data} data @param {Figure["now"]} now */
function sentence({ values, ranges }, { setting, count, results, weights }) {
  const { query, map, coupling, norm, draw } = setting;
  const features = [`1 ${map} feature`, `2 ${map} features`][FEATURE_MAPS[map].functions.length - 1];
  const share = role("weight", percent(results.error));
  const negative = weights.filter((weight) => weight < 0).length;
  const below = negative ? ` ${role("weight", `${negative} weights are negative.`)}` : "";
  return (
    `${count} ${coupling} frequencies, ${features} each, draw ${draw} of ${ranges.draw[1]}, norm ${format(norm, 1)}. ` +
    `${role("query", `Query ${query}`)} has ${share} of its weight on wrong keys.${below} ` +
    `90\u00a0% of the weight is on ${role("weight", `${results.keys_for_90_percent} of ${values.length} keys`)}, ` +
    `with exact weights on ${results.exact_keys_for_90_percent}. ` +
    `${role("estimate", `Estimate ${format(results.estimate, 2)}`)}, exact ${format(results.exact_estimate, 2)}.`
  );
}

/**
 * Extend the constants by memoised functions: `ofKind` for everything that depends neither on the query nor on the
 * number of features (tokens of this norm, their features in every draw, exact weights), and the estimates of all
 * queries from one draw.
 */
function withFeatures(/** @type {Given} */ constants) {
  const { directions, values, ranges } = constants,
    frequencies = frequenciesOf(constants.frequencies);
  const root = directions[0].length ** 0.25; // temperature √d, half for the query and half for the key
  /** @type {(norm: number, map: keyof typeof FEATURE_MAPS, coupling: string) => { features: Features[], exact:
   *   number[][], exactCurve: number[] }} */
  const ofKind = memo((norm, map, coupling) => {
    const tokens = directions.map((direction) => direction.map((entry) => (norm * entry) / root));
    const features = frequencies[ranges.coupling.indexOf(coupling)].map((draw) => featuresOf(tokens, draw, map));
    const exact = tokens.map((_, query) => exactWeights(tokens, query));
    return { features, exact, exactCurve: exact.map((weights) => average(weights, values)) };
  });
  /** @type {(features: Features, count: number) => number[]} */
  const estimatesOf = memo((features, count) =>
    values.map((_, i) => average(weightsAfter(features, i, [count])[0], values)),
  );
  return { ...constants, counts: ranges.features.map(Number), ofKind, estimatesOf };
}

/**
 * The displayed results for one query, from its estimated and exact weights.
 * @param {number[]} values
 * @param {number[]} weights
 * @param {number[]} exact
 */
const resultsOf = (values, weights, exact) => ({
  estimate: average(weights, values),
  exact_estimate: average(exact, values),
  error: totalVariation(weights, exact),
  error_of_equal_weights: totalVariation(
    exact.map(() => 1 / exact.length),
    exact,
  ),
  keys_for_90_percent: keysForShare(weights, 0.9),
  exact_keys_for_90_percent: keysForShare(exact, 0.9),
});

/** @param {Data} data @param {Setting} setting @returns {Numbers} */
function compute({ counts, values, ofKind, estimatesOf }, { query, features: m, norm, map, coupling, draw }) {
  const { features, exact: all, exactCurve } = ofKind(norm, map, coupling),
    exact = all[query],
    count = Number(m);
  const rows = features.map((feature) => weightsAfter(feature, query, counts));
  const errors = rows.map((row) => row.map((each) => totalVariation(each, exact)));
  const weights = rows[draw - 1][counts.indexOf(count)],
    estimates = estimatesOf(features[draw - 1], count);
  const results = resultsOf(values, weights, exact);
  return { count, weights, exact, exactCurve, estimates, errors, ownErrors: errors[draw - 1], results };
}

/**
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {{ query: number, features: string, norm: number, map: keyof typeof FEATURE_MAPS, coupling: string,
 *   draw: number }} Setting
 * @typedef {import("../contract/figure.js").Constants & { directions: number[][], values: number[], frequencies: {
 *   shape: [number, number, number, number], data: string },
 *   token_label: string, value_label: string, ranges: { query: import("../parts/numbers.js").Grid, features:
 *   string[], coupling: string[], draw: import("../parts/numbers.js").Grid } }} Given
 * @typedef {ReturnType<typeof withFeatures>} Data
 * @typedef {{ count: number, weights: number[], exact: number[], exactCurve: number[], estimates: number[],
 *   errors: number[][],
 *   ownErrors: number[], results: ReturnType<typeof resultsOf> }} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, {}>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
function view(figure) {
  const { data, change, setting } = figure,
    { counts, values, ranges } = data;
  figure.reveal = movingAlong("features", ranges.features, 1200);
  const parts = elements(figure.stage, data, /** @type {string} */ (figure.model.get("address")));
  const arranged = memo((/** @type {number} */ width, /** @type {number} */ end) => arrange(parts, data, width, end));
  /** @type {(at: Layout, estimates: number[], exactCurve: number[]) => void} */
  const drawCurvesAt = memo((at, estimates, exactCurve) => drawCurves(parts, at, values, estimates, exactCurve));
  /** @type {(at: Layout, ghost: Figure["now"] | undefined) => void} */
  const drawGhostAt = memo((at, ghost) => ghost && drawGhost(parts, at, ghost));
  /** @type {Layout} */
  let at;

  const again = html("button", { type: "button", text: "Draw again", title: "Draw new random frequencies" });
  again.addEventListener("click", () => change({ draw: (setting().draw % ranges.draw[1]) + 1 }));
  figure.actions.prepend(again);

  /** @type {Draw} */
  function draw(now, { width, ghost }) {
    const largest = Math.max(...now.errors.flat());
    at = arranged(width, ERROR_ENDS.find((end) => largest <= end) ?? ERROR_ENDS[ERROR_ENDS.length - 1]);
    drawCurvesAt(at, now.estimates, now.exactCurve);
    drawGhostAt(at, ghost);
    drawWeights(parts, at, now.weights, now.exact, ghost?.weights);
    drawErrors(parts, at, counts, now.errors, now.setting.draw, now.count, now.results);
    drawQuery(parts, at, data, now.setting.query, now.results);
  }

  const choose = (/** @type {number} */ index) =>
    change({ features: ranges.features[clamp(index, 0, counts.length - 1)] });
  const nearestCount = (/** @type {number} */ count) => {
    const apart = counts.map((each) => Math.abs(Math.log(each / count)));
    return apart.indexOf(Math.min(...apart));
  };

  /** @type {import("../parts/drag.js").Grab} */
  function grab(event) {
    const { x, xError } = at;
    const column = (/** @type {PointerEvent} */ e) => positionIn(parts.canvas, e)[0];
    const beside = at.narrow
      ? positionIn(parts.canvas, event)[1] > at.weightBottom + 30
      : column(event) > at.right + 30;
    if (beside || parts.countHandle.contains(event.target)) {
      focus(parts.countHandle);
      return (e) => choose(nearestCount(xError.invert(column(e))));
    }
    focus(parts.queryHandle);
    const off = parts.queryHandle.contains(event.target) ? x(setting().query) - column(event) : 0;
    return (e) => change({ query: x.invert(column(e) + off) });
  }

  figure.drag(parts.canvas, grab);
  arrowKeys(parts.queryHandle, (right, up) => change({ query: setting().query + right + up }));
  arrowKeys(parts.countHandle, (right, up) => choose(ranges.features.indexOf(setting().features) + right + up));

  const mark = (/** @type {number} */ j) => tokenMark(data, at, figure.now, j);
  const tokens = createValueSlider(figure, { label: "Keys of the query", count: () => values.length, mark });
  showTooltip(figure, {
    find: (x, y) => markAt(data, at, figure.now, x, y, nearestCount),
    focused: (element) => (element === tokens.element ? tokens.mark() : undefined),
  });
  const frames = () => ranges.features.map((features) => ({ features }));
  playButton(figure, { title: "Add features, from 1 frequency to 256", frames });
  return draw;
}

export default defineFigure("random-features", {
  hint: "Drag the query, or the point on the error curve. Keyboard: Tab, then arrows.",
  data: withFeatures,
  compute,
  state(_, { setting: { features, ...setting }, count, results }) {
    return { ...setting, n_features: count, ...results };
  },
  sentence,
  view,
});
