// Kernel regression on a line, as in lib/regression.py: weights, estimates, leave-one-out, AICc and the band, for keys
// in ascending order.

import { POLYNOMIALS, search } from "./compact_support.js";
import { NEGLIGIBLE, SMALLEST_SHARE, smoothSumsOfOthers, sumsOfOthers } from "./key_sums.js";
import { logKernel, softmax } from "./weights.js";

/**
 * `keys` in ascending order; `shares`, if given, multiply the kernel's weights of the points. Positional encodings
 * are of the range of the keys, or of `encoded`.
 * @typedef {{ keys: Float64Array, values: Float64Array, shares?: Float64Array, encoded?: Float64Array }} Data
 * @typedef {{ first: number, weights: Float64Array, slopes?: Float64Array }} Row Weights of the keys from `first` on.
 * @typedef {ReturnType<typeof groupsOf>} Groups
 * @typedef {{ fitted: Float64Array, left: Float64Array, own: Float64Array }} Fit
 * @typedef {import("./key_sums.js").Sums} Sums
 * @typedef {(group: number, share: number, value: number) => { height: number, own: number, isSure: boolean }} Estimate
 * @typedef {"bandwidth" | "neighbours" | "temperature"} ParameterName
 */

/** @type {Record<string, ParameterName | "">} */
const PARAMETERS = { constant: "", nearest: "neighbours", attention: "temperature" };
/** The kernel of a method that is not named after it. @type {Record<string, string>} */
const KERNEL_OF_METHOD = { "local-linear": "gaussian", nearest: "constant" };

export const POSITIONS = 50,
  DIMENSION = 16,
  BASE = 100; // of the positional encoding: the keys' range becomes the positions 0 to 49
const FREQUENCIES = Array.from({ length: DIMENSION / 2 }, (_, i) => BASE ** ((-2 * i) / DIMENSION));
const CURVATURE = FREQUENCIES.reduce((sum, omega) => sum + omega ** 2, 0);
const UNDERFLOW = 750; // e^−x is 0 from here on; a line through one heavy key takes its slope from the others, however light
const TIES = 1 + 1e-9; // neighbours whose distances differ by rounding are equally near
const MANY_KEYS = 3000; // keys; with more, fewer candidates are compared

/** The name of a method's parameter; the constant kernel has none. @param {string} method */
export const parameterOf = (method) => PARAMETERS[method] ?? "bandwidth";

const spanOf = (/** @type {Float64Array} */ keys) => keys[keys.length - 1] - keys[0];

/**
 * The scores of attention on positional encodings, PE(q)·PE(k)/τ, up to a constant: a function of the difference.
 * @param {Float64Array} keys @param {number} temperature
 */
function attentionLog(keys, temperature) {
  const unit = (POSITIONS - 1) / spanOf(keys);
  return (/** @type {number} */ difference) =>
    FREQUENCIES.reduce((sum, omega) => sum + Math.cos(omega * unit * difference) - 1, 0) / temperature;
}

// ---- One query --------------------------------------------------------------------------------------------------

/**
 * The indices [first, last) of the keys that may have weight.
 * @param {number} query
 * @param {Pick<Data, "keys">} data
 * @param {string} method
 * @param {number} parameter
 * @param {number} skip
 */
function windowOf(query, { keys }, method, parameter, skip) {
  if (method === "constant" || method === "attention") return [0, keys.length];
  if (method === "nearest") return nearestWindow(query, keys, parameter + (skip < 0 ? 0 : 1));
  if (POLYNOMIALS[method]) return [search(keys, query - parameter), search(keys, query + parameter, true)];
  const after = search(keys, query);
  const near = [after - 2, after - 1, after, after + 1].filter((i) => i !== skip && i in keys);
  const nearest = Math.min(...near.map((i) => Math.abs(keys[i] - query)));
  const exponent = method === "local-linear" ? UNDERFLOW : NEGLIGIBLE;
  const reach = parameter * Math.hypot(nearest / parameter, Math.sqrt(exponent));
  const sides = near.map((i) => keys[i]); // with all keys that are equal to them
  return [search(keys, Math.min(query - reach, ...sides)), search(keys, Math.max(query + reach, ...sides), true)];
}

/**
 * The window of the nearest `count` keys, and of those that are as near as the last of them.
 * @param {number} query @param {Float64Array} keys @param {number} count
 */
function nearestWindow(query, keys, count) {
  let [low, high] = [0, Math.max(keys.length - count, 0)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (query - keys[middle] > keys[middle + count] - query) low = middle + 1;
    else high = middle;
  }
  const last = Math.min(low + count, keys.length) - 1;
  const reach = TIES * Math.max(query - keys[low], keys[last] - query);
  let [first, end] = [low, last + 1];
  while (first > 0 && query - keys[first - 1] <= reach) first -= 1;
  while (end < keys.length && keys[end] - query <= reach) end += 1;
  return [first, end];
}

/**
 * The log-weights of one query and some keys.
 * @param {number} query
 * @param {Float64Array} keys
 * @param {Float64Array} all
 * @param {string} method
 * @param {number} parameter
 * @returns {Float64Array}
 */
function logsOf(query, keys, all, method, parameter) {
  if (method === "attention") {
    const log = attentionLog(all, parameter);
    return keys.map((key) => log(key - query));
  }
  return logKernel(query, keys, parameter, KERNEL_OF_METHOD[method] ?? method);
}

/**
 * The weights of one query: those of the keys from `first` on; all others have none. They sum to 1, or are zero
 * where no key is within reach. Those of a local line may be negative; it also has `slopes`, the weights of the
 * values in its slope. The key `skip` is left out.
 * @param {number} query
 * @param {Data} data
 * @param {string} method
 * @param {number} parameter
 */
export function weightsAt(query, data, method, parameter, skip = -1) {
  const [first, last] = windowOf(query, data, method, parameter, skip),
    keys = data.keys.subarray(first, last);
  const logs = logsOf(query, keys, data.encoded ?? data.keys, method, parameter);
  const { shares } = data;
  if (shares) logs.forEach((log, j) => (logs[j] = log + Math.log(shares[first + j])));
  if (skip >= first && skip < last) logs[skip - first] = -Infinity;
  return { first, ...weightsOfValues(query, keys, softmax(logs), method) };
}

/**
 * The weights of the values, given those of the keys.
 * @type {(query: number, keys: Float64Array, weights: Float64Array, method: string) => { weights: Float64Array,
 *   slopes?: Float64Array }}
 */
const weightsOfValues = (query, keys, weights, method) =>
  method === "local-linear" ? lineWeights(query, keys, weights) : { weights };

/**
 * The weights of the values in the weighted least-squares line at the query: w (1 + (q − k̄)(k − k̄)/s²), and in
 * its slope: w (k − k̄)/s². Positions are taken from the heaviest key, which preserves their digits; keys that are
 * equal up to rounding count as equal.
 * @param {number} query @param {Float64Array} keys @param {Float64Array} weights
 */
function lineWeights(query, keys, weights) {
  const origin = keys[weights.reduce((best, weight, i) => (weight > weights[best] ? i : best), 0)],
    from = keys.map((key) => (Math.abs(key - origin) <= 1e3 * Number.EPSILON * Math.abs(key) ? 0 : key - origin));
  let [mean, square] = [0, 0];
  weights.forEach((weight, i) => (mean += weight * from[i]));
  weights.forEach((weight, i) => (square += weight * (from[i] - mean) ** 2));
  if (square === 0) square = Infinity; // all the weight is at one point: slope 0
  const slopes = weights.map((weight, i) => (weight * (from[i] - mean)) / square);
  return { weights: weights.map((weight, i) => weight + (query - origin - mean) * slopes[i]), slopes };
}

/**
 * The slope of a local line at a query, from its weights; undefined for other methods.
 * @param {{ first: number, slopes?: Float64Array }} row
 * @param {Data} data
 * @returns {number | undefined}
 */
export function slopeOf({ first, slopes }, { values }) {
  return slopes?.reduce((sum, weight, i) => sum + weight * (values[first + i] - values[first]), 0);
}

/**
 * The estimate Σ wᵢ vᵢ, NaN without any weight, and ‖w‖ = √Σ wᵢ², which scales the band; of a local line the slope too.
 * @param {number} query @param {Data} data @param {string} method @param {number} parameter
 */
export function estimateAt(query, data, method, parameter, skip = -1) {
  const row = weightsAt(query, data, method, parameter, skip),
    { first, weights } = row;
  let [sum, squares] = [0, 0];
  for (let i = 0; i < weights.length; i += 1) {
    sum += weights[i] * data.values[first + i];
    squares += weights[i] ** 2;
  }
  if (!(squares > 0)) return { estimate: NaN, norm: NaN };
  return { estimate: sum, norm: Math.sqrt(squares), slope: slopeOf(row, data) };
}

// ---- All keys ---------------------------------------------------------------------------------------------------

/**
 * For each key the estimate there, the estimate from all other keys, and the key's own weight.
 * @param {Data} data
 * @param {string} method
 * @param {number} parameter
 * @param {Groups} [groups] of the data
 */
export function fitKeys(data, method, parameter, groups = groupsOf(data)) {
  const n = data.keys.length,
    found = { fitted: new Float64Array(n), left: new Float64Array(n), own: new Float64Array(n) };
  if (method === "nearest") fitNeighbours(data, groups, parameter, found);
  else fitGroups(groups, data, method, parameter, found);
  return found;
}

/**
 * Equal keys as one, with the sum of their shares and of their shares times values, from `middle`; group g has the
 * points from starts[g] to starts[g + 1].
 * @param {Data} data
 */
function groupsOf({ keys, values, shares = new Float64Array(keys.length).fill(1) }) {
  const /** @type {number[]} */ first = [],
    middle = values[values.length >> 1];
  for (let i = 0; i < keys.length; i += 1) if (i === 0 || keys[i] !== keys[i - 1]) first.push(i);
  const starts = Int32Array.from([...first, keys.length]),
    summed = (/** @type {(i: number) => number} */ term) =>
      Float64Array.from(first, (start, g) => {
        let sum = 0;
        for (let i = start; i < starts[g + 1]; i += 1) sum += term(i);
        return sum;
      });
  return {
    keys: Float64Array.from(first, (i) => keys[i]),
    weights: summed((i) => shares[i]),
    totals: summed((i) => shares[i] * (values[i] - middle)),
    starts,
    middle,
    shares,
  };
}

/**
 * Fit the points of each group from the sums over all other groups; where these are not accurate, weight by weight.
 * @param {Groups} groups
 * @param {Data} data
 * @param {string} method
 * @param {number} parameter
 * @param {Fit} found
 */
function fitGroups(groups, data, method, parameter, found) {
  const { weights, totals, starts, middle, shares } = groups,
    sums = groupSums(groups, method, parameter),
    estimate =
      method === "local-linear"
        ? lineFrom(/** @type {Required<Sums>} */ (sums), Math.min(1, spanOf(data.keys) / parameter))
        : averageFrom(sums);
  for (let g = 0; g < weights.length; g += 1) {
    const whole = estimate(g, weights[g], totals[g]);
    for (let i = starts[g]; i < starts[g + 1]; i += 1) {
      const share = shares[i],
        rest = estimate(g, weights[g] - share, totals[g] - share * (data.values[i] - middle));
      found.fitted[i] = whole.height + middle;
      found.left[i] = rest.height + middle;
      found.own[i] = share * whole.own;
      if (whole.isSure && rest.isSure) continue;
      fitPoint(groups, g, i, data, share, method, parameter, found);
    }
  }
}

/** @param {Groups} groups @param {string} method @param {number} parameter */
function groupSums(groups, method, parameter) {
  if (method !== "attention") return sumsOfOthers(groups, method, parameter);
  const log = attentionLog(groups.keys, parameter),
    width = (spanOf(groups.keys) / (POSITIONS - 1)) * Math.sqrt((2 * Math.min(parameter, 1)) / CURVATURE);
  return smoothSumsOfOthers(groups, (difference) => Math.exp(log(difference)), width);
}

/**
 * The average at a key, from the sums over the other keys and what is at the key itself; `own` is its weight for a
 * share of 1.
 * @type {(sums: Sums) => Estimate}
 */
const averageFrom =
  ({ weight, total, least }) =>
  (g, share, value) => {
    const sum = weight[g] + share;
    return { height: sum > 0 ? (total[g] + value) / sum : NaN, own: 1 / sum, isSure: sum > least };
  };

/**
 * The height of the local line at a key; `extent` of all keys in bandwidths, of which they must spread over a
 * part.
 * @type {(sums: Required<Sums>, extent: number) => Estimate}
 */
const lineFrom =
  ({ weight, total, key, product, square, least }, extent) =>
  (g, share, value) => {
    const sum = weight[g] + share,
      mean = key[g] / sum,
      variance = square[g] / sum - mean ** 2;
    const level = (total[g] + value) / sum,
      slope = (product[g] / sum - mean * level) / variance;
    const isSure = sum > least && variance > 0.02 * extent ** 2;
    return { height: level - mean * slope, own: (1 + mean ** 2 / variance) / sum, isSure };
  };

/**
 * Fit point i of group g with the weights of all groups.
 * @param {Groups} groups
 * @param {number} g
 * @param {number} i
 * @param {Data} data
 * @param {number} share
 * @param {string} method
 * @param {number} parameter
 * @param {Fit} found
 */
function fitPoint(groups, g, i, { values }, share, method, parameter, found) {
  const { keys, weights, totals, middle } = groups,
    skip = weights[g] === share ? g : -1;
  const all = groupWeights(keys[g], keys, weights, method, parameter);
  found.fitted[i] = averageOf(all, totals, weights) + middle;
  found.own[i] = (all.weights[g - all.first] * share) / weights[g];
  const kept = [weights[g], totals[g]];
  weights[g] -= share;
  totals[g] -= share * (values[i] - middle);
  found.left[i] = averageOf(groupWeights(keys[g], keys, weights, method, parameter, skip), totals, weights) + middle;
  [weights[g], totals[g]] = kept;
}

/**
 * The weights of groups at a query, each for all its points; the group `skip` is left out.
 * @param {number} query
 * @param {Float64Array} keys
 * @param {Float64Array} weights
 * @param {string} method
 * @param {number} parameter
 * @returns {Row}
 */
function groupWeights(query, keys, weights, method, parameter, skip = -1) {
  const [first, last] = windowOf(query, { keys }, method, parameter, skip),
    near = keys.subarray(first, last);
  const logs = logsOf(query, near, keys, method, parameter);
  for (let j = 0; j < logs.length; j += 1) logs[j] += Math.log(weights[first + j]);
  return { first, ...weightsOfValues(query, near, softmax(logs), method) };
}

/**
 * Σ w t / n over the groups of a window, NaN without any weight.
 * @param {Row} row @param {Float64Array} totals @param {Float64Array} counts
 */
function averageOf({ first, weights }, totals, counts) {
  let [sum, isEmpty] = [0, true];
  for (let j = 0; j < weights.length; j += 1) {
    if (weights[j] === 0) continue;
    isEmpty = false;
    sum += (weights[j] * totals[first + j]) / counts[first + j];
  }
  return isEmpty ? NaN : sum;
}

/**
 * Fill in the means of neighbours from running sums; where shares are too small for these, weight by weight.
 * @param {Data} data @param {Groups} groups @param {number} count @param {Fit} found
 */
function fitNeighbours(data, { shares, middle }, count, found) {
  const values = data.values.map((value, i) => shares[i] * (value - middle)),
    isSure = neighbourSums(data.keys, shares, values, count, found);
  for (const all of [found.fitted, found.left]) all.forEach((value, i) => (all[i] = value + middle));
  for (let i = 0; i < data.keys.length; i += 1) {
    if (isSure(i)) continue;
    const row = weightsAt(data.keys[i], data, "nearest", count);
    found.fitted[i] = row.weights.reduce((sum, weight, j) => sum + weight * data.values[row.first + j], 0);
    found.own[i] = row.weights[i - row.first];
    found.left[i] = estimateAt(data.keys[i], data, "nearest", count, i).estimate;
  }
}

/**
 * @param {Float64Array} keys
 * @param {Float64Array} shares
 * @param {Float64Array} values
 * @param {number} count
 * @param {Fit} fit
 */
function neighbourSums(keys, shares, values, count, { fitted, left, own }) {
  const [weight, total] = [shares, values].map(runningSums);
  let [first, last, from, to] = [0, 0, 0, 0];
  for (let i = 0; i < keys.length; i += 1) {
    if (keys[i] !== keys[i - 1]) {
      [first, last] = nearestWindow(keys[i], keys, count);
      [from, to] = nearestWindow(keys[i], keys, count + 1);
    }
    const sum = weight[last] - weight[first];
    fitted[i] = (total[last] - total[first]) / sum;
    left[i] = (total[to] - total[from] - values[i]) / (weight[to] - weight[from] - shares[i]);
    own[i] = shares[i] / sum;
  }
  const isOne = shares.every((share) => share === 1); // sums of ones are exact
  return (/** @type {number} */ i) => isOne || own[i] < shares[i] / SMALLEST_SHARE;
}

/** The sums of the first 0, 1, 2, … numbers. @param {Float64Array} numbers */
function runningSums(numbers) {
  const sums = new Float64Array(numbers.length + 1);
  numbers.forEach((number, i) => (sums[i + 1] = sums[i] + number));
  return sums;
}

// ---- Choosing the parameter, and the band -----------------------------------------------------------------------

/**
 * The mean squared error of predicting each value from all others; NaN if one of them cannot be predicted.
 * @param {Pick<Data, "values">} data @param {Pick<Fit, "left">} fit
 */
export function leaveOneOutError({ values }, { left }) {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += (values[i] - left[i]) ** 2;
  return sum / values.length;
}

/**
 * AICc, the log of the training error plus a penalty; infinite for n − 2 or more degrees of freedom.
 * @param {Pick<Data, "values">} data @param {Pick<Fit, "fitted" | "own">} fit
 */
export function correctedAic({ values }, { fitted, own }) {
  const n = values.length;
  let [freedom, error] = [0, 0];
  for (let i = 0; i < n; i += 1) {
    freedom += own[i];
    error += (values[i] - fitted[i]) ** 2;
  }
  return freedom >= n - 2 ? Infinity : Math.log(error / n) + 1 + (2 * (freedom + 1)) / (n - freedom - 2);
}

/** The noise's standard deviation from differences of neighbouring values (Rice, 1984). @param {Data} data */
export function noiseStd({ values }) {
  let sum = 0;
  for (let i = 1; i < values.length; i += 1) sum += (values[i] - values[i - 1]) ** 2;
  return Math.sqrt(sum / (values.length - 1) / 2);
}

const rounded = (/** @type {number} */ value) => Number(value.toPrecision(3));

/** Candidates for the parameter of a method, in ascending order. @param {Data} data @param {string} method */
export function candidatesFor({ keys }, method) {
  const n = keys.length,
    span = spanOf(keys);
  if (method === "constant") return [];
  /** @type {Record<string, number[]>} */
  const ranges = {
    neighbours: [1, n - 1],
    temperature: [0.05, 50],
    bandwidth: [span / Math.min(Math.max(2 * n, 200), 1e4), 2 * span],
  };
  const [low, high] = ranges[parameterOf(method)];
  const steps = n > MANY_KEYS ? 30 : 60;
  const all = Array.from({ length: steps + 1 }, (_, i) => rounded(low * (high / low) ** (i / steps)));
  return method === "nearest" ? [...new Set(all.map(Math.round))] : all;
}

/**
 * The leave-one-out error and AICc of each candidate.
 * @param {Data} data
 * @param {string} method
 * @param {number[]} candidates
 * @param {(share: number) => void} [progress]
 */
export function scoresOf(data, method, candidates, progress = () => {}) {
  const groups = groupsOf(data);
  const fits = (/** @type {number} */ candidate, /** @type {number} */ i) => {
    progress(i / candidates.length);
    const fit = fitKeys(data, method, candidate, groups);
    return [leaveOneOutError(data, fit), correctedAic(data, fit)];
  };
  const scores = candidates.map(fits);
  return { "leave-one-out": scores.map(([error]) => error), AICc: scores.map(([, aic]) => aic) };
}

/**
 * The candidate with the smallest finite score, or −∞; undefined if there is none.
 * @param {number[]} candidates @param {number[]} scores @returns {number | undefined}
 */
export function bestOf(candidates, scores) {
  let best = -1;
  scores.forEach((score, i) => {
    if (score < Infinity && !(scores[best] <= score)) best = i;
  });
  return candidates[best];
}
