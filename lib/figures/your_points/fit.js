import { bestOf, candidatesFor, estimateAt, fitKeys, noiseStd, parameterOf, scoresOf } from "../methods/regression.js";
import { errorsBeyond } from "../methods/reach.js";
import { fittedAt, robustNoiseStd, withShares } from "../methods/robust.js";

// The fitted curve with its band, and the residuals, for one method and parameter. It runs in the page for few
// points and in a worker for many.

/**
 * @typedef {import("../methods/regression.js").Data} Data
 * @typedef {Record<string, number[]>} Scores of the candidates by each criterion
 * @typedef {ReturnType<typeof fitOf>} Fit
 * @typedef {{ methods: string[], criterion: string, isRobust: boolean, reach: number }} Compared
 * @typedef {ReturnType<typeof curvesOf>} Curves
 * @typedef {(share: number) => void} Progress
 */

export const N_QUERIES = 201,
  TWO_SIDED = 1.96; // standard deviations that cover 95 % of a normal distribution

/** Evenly spaced queries over the range of the keys, rounded as NumPy's linspace does. @param {Float64Array} keys */
export function queriesOver(keys) {
  const [low, high] = [keys[0], keys[keys.length - 1]];
  const step = (high - low) / (N_QUERIES - 1);
  return Float64Array.from({ length: N_QUERIES }, (_, i) => (i < N_QUERIES - 1 ? i * step + low : high));
}

/** The noise's standard deviation, for a robust fit from a median. @param {Data} data @param {boolean} isRobust */
export const sigmaOf = (data, isRobust) => (isRobust ? robustNoiseStd(data) : noiseStd(data));

/**
 * The estimates, half-widths of the band and slopes at the queries, and the fitted values at the keys; of a robust
 * fit the points' shares, too.
 * @param {Data} given @param {string} method @param {number} parameter @param {boolean} [isRobust] @param
 *   {Progress} [progress]
 */
export function fitOf(given, method, parameter, isRobust = false, progress = () => {}) {
  const data = isRobust ? withShares(given, method, parameter, progress) : given,
    sigma = sigmaOf(data, isRobust);
  const found = Array.from(queriesOver(data.keys), (query) => estimateAt(query, data, method, parameter));
  return {
    sigma,
    estimates: Float64Array.from(found, ({ estimate }) => estimate),
    halves: Float64Array.from(found, ({ norm }) => TWO_SIDED * sigma * norm),
    slopes: method === "local-linear" ? Float64Array.from(found, ({ slope }) => slope ?? NaN) : undefined,
    fitted: isRobust ? fittedAt(data, method, parameter) : fitKeys(data, method, parameter).fitted,
    shares: data.shares,
  };
}

export const BEYOND = "leave-neighbours-out";

/** The criterion by which parameters are compared. @param {string} by */
export const criterionOf = (by) => (by === "hand" ? "leave-one-out" : by);

/**
 * The scores of the candidates by each criterion; with a reach, by the one that leaves neighbours out.
 * @type {(data: Data, method: string, candidates: number[], reach: number, progress?: Progress) => Scores}
 */
export const criteriaOf = (data, method, candidates, reach, progress) =>
  reach
    ? { [BEYOND]: errorsBeyond(data, method, candidates, reach, progress) }
    : scoresOf(data, method, candidates, progress);

/**
 * The curve of each method, with the parameter that a criterion chooses, NaN for a method without one.
 * @param {Data} data @param {Compared} asked @param {Progress} progress
 * @returns {Record<string, { parameter: number, estimates: Float64Array }>}
 */
export function curvesOf(data, { methods, criterion, isRobust, reach }, progress) {
  const curveOf = (/** @type {string} */ method, /** @type {number} */ i) => {
    const candidates = candidatesFor(data, method),
      scores = criteriaOf(data, method, candidates, reach, (share) => progress((i + share) / methods.length)),
      parameter = parameterOf(method) ? (bestOf(candidates, scores[criterion]) ?? middleOf(candidates)) : NaN;
    const fitted = isRobust ? withShares(data, method, parameter) : data,
      at = (/** @type {number} */ query) => estimateAt(query, fitted, method, parameter).estimate;
    return [method, { parameter, estimates: queriesOver(data.keys).map(at) }];
  };
  return Object.fromEntries(methods.map(curveOf));
}

/** The candidate to use where a criterion chooses none. @param {number[]} candidates */
export const middleOf = (candidates) => candidates[candidates.length >> 1];
