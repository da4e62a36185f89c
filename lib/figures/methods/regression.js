// Kernel regression on a line, as in lib/regression.py: weights, estimates, leave-one-out, AICc and the band, for keys
// in ascending order.

import { POLYNOMIALS, search, windowSums } from "./compact_support.js";
import { smoothSums } from "./gauss_transform.js";
import { logKernel, softmax } from "./weights.js";

/**
 * `keys` in ascending order; `shares`, if given, multiply the kernel's weights of the points. Positional encodings are of
 * the range of the keys, or of `encoded`.
 * @typedef {{ keys: Float64Array, values: Float64Array, shares?: Float64Array, encoded?: Float64Array }} Data
 */

export const POSITIONS = 50,
  DIMENSION = 16,
  BASE = 100; // of the positional encoding: the keys' range becomes the positions 0 to 49
const FREQUENCIES = Array.from({ length: DIMENSION / 2 }, (_, i) => BASE ** ((-2 * i) / DIMENSION));
const CURVATURE = FREQUENCIES.reduce((sum, omega) => sum + omega ** 2, 0);
const NEGLIGIBLE = 80; // a log-weight that much below the largest one changes no digit
const TIES = 1 + 1e-9; // neighbours whose distances differ by rounding are equally near
const SMALLEST_SHARE = 5e-4; // of the summed keys; below it, sums have lost too many digits
const FEW_PAIRS = 2e6; // computed one by one
const MOST_GROUPS = 1500; // of equal keys, whose pairs are computed one by one
const MANY = 3000; // keys, for which fewer candidates are compared

/** The name of a method's parameter; the constant kernel has none. @param {string} method */
export const parameterOf = (method) =>
  method === "constant" ? "" : ({ nearest: "neighbours", attention: "temperature" }[method] ?? "bandwidth");

const sumOf = (numbers) => numbers.reduce((a, b) => a + b, 0);
const spanOf = (keys) => keys[keys.length - 1] - keys[0];

/** The scores of attention on positional encodings, PE(q)·PE(k)/τ, up to a constant: a function of the difference. */
function attentionLog(keys, temperature) {
  const unit = (POSITIONS - 1) / spanOf(keys);
  return (difference) =>
    FREQUENCIES.reduce((sum, omega) => sum + Math.cos(omega * unit * difference) - 1, 0) / temperature;
}

// ---- One query --------------------------------------------------------------------------------------------------

/** The indices [first, last) of the keys that may have weight. */
function windowOf(query, { keys }, method, parameter, skip) {
  if (method === "constant" || method === "attention") return [0, keys.length];
  if (method === "nearest") return nearestWindow(query, keys, parameter + (skip < 0 ? 0 : 1));
  if (POLYNOMIALS[method]) return [search(keys, query - parameter), search(keys, query + parameter, true)];
  const after = search(keys, query);
  const near = [after - 2, after - 1, after, after + 1].filter((i) => i !== skip && i in keys);
  const nearest = Math.min(...near.map((i) => Math.abs(keys[i] - query)));
  const reach = parameter * Math.hypot(nearest / parameter, Math.sqrt(NEGLIGIBLE));
  const sides = near.map((i) => keys[i]); // with all keys that are equal to them
  return [search(keys, Math.min(query - reach, ...sides)), search(keys, Math.max(query + reach, ...sides), true)];
}

/** The window of the nearest `count` keys, and of those that are as near as the last of them. */
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

/** The log-weights of one query and some keys. */
function logsOf(query, keys, all, method, parameter) {
  if (method === "attention") {
    const log = attentionLog(all, parameter);
    return keys.map((key) => log(key - query));
  }
  const kernel = { "local-linear": "gaussian", nearest: "constant" }[method] ?? method;
  return logKernel(query, keys, parameter, kernel);
}

/**
 * The weights of one query: those of the keys from `first` on; all others have none. They sum to 1, or are zero where no
 * key is within reach. Those of a local line may be negative; it also has `slopes`, the weights of the values in its slope.
 * The key `skip` is left out.
 * @param {number} query
 * @param {Data} data
 * @param {string} method
 * @param {number} parameter
 */
export function weightsAt(query, data, method, parameter, skip = -1) {
  const [first, last] = windowOf(query, data, method, parameter, skip),
    keys = data.keys.subarray(first, last);
  const logs = logsOf(query, keys, data.encoded ?? data.keys, method, parameter);
  if (data.shares) logs.forEach((log, j) => (logs[j] = log + Math.log(data.shares[first + j])));
  if (skip >= first && skip < last) logs[skip - first] = -Infinity;
  return { first, ...weightsOfValues(query, keys, softmax(logs), method) };
}

/** The weights of the values, given those of the keys. @returns {{ weights: any, slopes?: any }} */
const weightsOfValues = (query, keys, weights, method) =>
  method === "local-linear" ? lineWeights(query, keys, weights) : { weights };

/**
 * The weights of the values in the weighted least-squares line at the query: w (1 + (q − k̄)(k − k̄)/s²), and in its slope:
 * w (k − k̄)/s². Positions are taken from the heaviest key, which preserves their digits; keys that are equal up to rounding
 * count as equal.
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

/** The slope of a local line at a query, from its weights; undefined for other methods. @param {{ first: any, slopes?: any }} row @param {Data} data @returns {number | undefined} */
export function slopeOf({ first, slopes }, { values }) {
  return slopes?.reduce((sum, weight, i) => sum + weight * (values[first + i] - values[first]), 0);
}

/** The estimate Σ wᵢ vᵢ, NaN without any weight, and ‖w‖ = √Σ wᵢ², which scales the band; of a local line the slope too. */
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
 */
export function fitKeys(data, method, parameter) {
  const n = data.keys.length,
    found = { fitted: new Float64Array(n), left: new Float64Array(n), own: new Float64Array(n) };
  const groups =
    method === "nearest" || data.shares
      ? undefined
      : tiesOf(data.keys, method === "attention" ? MOST_GROUPS / 5 : MOST_GROUPS);
  if (groups) return fitGroups(data, groups, method, parameter, found);
  const isSure = hasFewPairs(data, method, parameter) ? () => false : bySums(data, method, parameter, found);
  for (let i = 0; i < n; i += 1) {
    if (isSure(i)) continue;
    const { first, weights } = weightsAt(data.keys[i], data, method, parameter);
    let sum = 0;
    for (let j = 0; j < weights.length; j += 1) sum += weights[j] * data.values[first + j];
    found.fitted[i] = sum;
    found.own[i] = weights[i - first];
    found.left[i] = estimateAt(data.keys[i], data, method, parameter, i).estimate;
  }
  return found;
}

/** The first index of each distinct key, and the number of keys; undefined unless equal keys save work. */
function tiesOf(keys, most) {
  const starts = [];
  for (let i = 0; i < keys.length; i += 1) if (i === 0 || keys[i] !== keys[i - 1]) starts.push(i);
  const isWorth = 2 * starts.length <= keys.length && starts.length <= most;
  return isWorth ? Int32Array.from([...starts, keys.length]) : undefined;
}

/** Fit equal keys together: a key counts as often as it stands there, and its value is the mean. */
function fitGroups({ keys, values }, starts, method, parameter, found) {
  const counts = Float64Array.from(starts.subarray(1), (end, g) => end - starts[g]),
    totals = counts.map((_, g) => sumOf(values.subarray(starts[g], starts[g + 1])));
  const data = { keys: counts.map((_, g) => keys[starts[g]]), values: totals.map((total, g) => total / counts[g]) };
  data.keys.forEach((key, g) => {
    const all = groupWeights(key, data, counts, method, parameter, -1),
      fitted = averageOf(all, data.values),
      rest = groupWeights(key, data, counts, method, parameter, g);
    const own = rest.weights[g - rest.first] ?? 0,
      others = averageOf(rest, data.values, g);
    for (let i = starts[g]; i < starts[g + 1]; i += 1) {
      found.fitted[i] = fitted;
      found.own[i] = all.weights[g - all.first] / counts[g];
      found.left[i] = own === 0 ? others : others + (own * (totals[g] - values[i])) / (counts[g] - 1);
    }
  });
  return found;
}

/** The weights of groups at a query, each for all its keys; the group `less` has one key less. */
function groupWeights(query, data, counts, method, parameter, less) {
  const isSingle = less >= 0 && counts[less] === 1,
    [first, last] = windowOf(query, data, method, parameter, isSingle ? less : -1);
  const keys = data.keys.subarray(first, last),
    logs = logsOf(query, keys, data.keys, method, parameter);
  const weights = softmax(logs.map((log, j) => log + Math.log(counts[first + j] - (first + j === less ? 1 : 0))));
  return { first, ...weightsOfValues(query, keys, weights, method) };
}

/** Σ wᵢ vᵢ without one index, NaN without any weight. */
function averageOf({ first, weights }, values, skip = -1) {
  let [sum, isEmpty] = [0, true];
  for (let j = 0; j < weights.length; j += 1) {
    if (weights[j] !== 0) isEmpty = false;
    if (first + j !== skip) sum += weights[j] * values[first + j];
  }
  return isEmpty ? NaN : sum;
}

/** Whether the pairs of keys within reach are so few that computing them one by one costs less than sums. */
function hasFewPairs({ keys }, method, parameter) {
  const n = keys.length,
    radii = POLYNOMIALS[method] ? 1 : Math.sqrt(NEGLIGIBLE);
  const reach = parameterOf(method) === "bandwidth" ? radii * parameter : Infinity,
    most = Math.max(FEW_PAIRS, 300 * n);
  let [pairs, first] = [0, 0];
  for (let i = 0; i < n && pairs <= most; i += 1) {
    while (keys[i] - keys[first] > reach) first += 1;
    pairs += 2 * (i - first) + 1;
  }
  return pairs <= most;
}

/** Fill in the estimates from sums in linear time. Returns whether those of a key are accurate. */
function bySums(data, method, parameter, found) {
  const middle = data.values[data.values.length >> 1],
    shares = data.shares ?? data.values.map(() => 1),
    values = data.values.map((value, i) => shares[i] * (value - middle));
  const sumsOf = { nearest: neighbourSums, "local-linear": lineSums }[method] ?? averageSums;
  const isSure = sumsOf(data.keys, shares, values, method, parameter, found);
  for (const name of ["fitted", "left"]) found[name].forEach((value, i, all) => (all[i] = value + middle));
  return isSure;
}

function averageSums(keys, shares, values, method, parameter, { fitted, left, own }) {
  const [weight, product] = kernelSums(keys, [shares, values], method, parameter);
  weight.forEach((sum, i) => {
    fitted[i] = product[i] / sum;
    left[i] = sum - shares[i] > 0 ? (product[i] - values[i]) / (sum - shares[i]) : NaN;
    own[i] = shares[i] / sum;
  });
  return (i) => weight[i] - shares[i] > SMALLEST_SHARE;
}

/** Σ K c at all keys for the kernels that average; K is 1 at the query. */
function kernelSums(keys, columns, method, parameter) {
  if (method === "constant")
    return columns.map((column) =>
      column.map(
        (
          (total) => () =>
            total
        )(sumOf(column)),
      ),
    );
  if (POLYNOMIALS[method]) return windowSums(keys, columns, parameter, method);
  if (method === "attention") {
    const log = attentionLog(keys, parameter),
      width = (spanOf(keys) / (POSITIONS - 1)) * Math.sqrt((2 * Math.min(parameter, 1)) / CURVATURE);
    return smoothSums(keys, width, Infinity, [{ kernel: (difference) => Math.exp(log(difference)), columns }])[0];
  }
  const kernel = (/** @type {number} */ difference) => Math.exp(-((difference / parameter) ** 2));
  return smoothSums(keys, parameter, Math.sqrt(42) * parameter, [{ kernel, columns }])[0];
}

function lineSums(keys, shares, values, _, h, { fitted, left, own }) {
  const bell = (power) => (difference) => Math.exp(-((difference / h) ** 2)) * (difference / h) ** power;
  const both = [shares, values];
  const parts = [both, both, [shares]].map((columns, power) => ({ kernel: bell(power), columns }));
  const [[weight, value], [key, product], [square]] = smoothSums(keys, h, Math.sqrt(42) * h, parts);
  const extent = Math.min(1, spanOf(keys) / h);
  const lineAt = (i, sum, total) => {
    const mean = key[i] / sum,
      variance = square[i] / sum - mean ** 2;
    const slope = (product[i] / sum - (mean * total) / sum) / variance;
    return { height: total / sum - mean * slope, variance, mean };
  };
  const isSure = shares.map((share, i) => {
    const whole = lineAt(i, weight[i], value[i]),
      rest = lineAt(i, weight[i] - share, value[i] - values[i]);
    fitted[i] = whole.height;
    left[i] = rest.height;
    own[i] = (share * (1 + whole.mean ** 2 / whole.variance)) / weight[i];
    return weight[i] - share > 10 * SMALLEST_SHARE && Math.min(whole.variance, rest.variance) > 0.02 * extent ** 2
      ? 1
      : 0;
  });
  return (i) => isSure[i] === 1;
}

function neighbourSums(keys, shares, values, _, count, { fitted, left, own }) {
  const [weight, total] = [shares, values].map(runningSums);
  let first, last, from, to;
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
  return (i) => isOne || own[i] < shares[i] / SMALLEST_SHARE;
}

/** The sums of the first 0, 1, 2, … numbers. @param {Float64Array} numbers */
function runningSums(numbers) {
  const sums = new Float64Array(numbers.length + 1);
  numbers.forEach((number, i) => (sums[i + 1] = sums[i] + number));
  return sums;
}

// ---- Choosing the parameter, and the band -----------------------------------------------------------------------

/** The mean squared error of predicting each value from all others; NaN if one of them cannot be predicted. */
export function leaveOneOutError({ values }, { left }) {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += (values[i] - left[i]) ** 2;
  return sum / values.length;
}

/** AICc, the log of the training error plus a penalty; infinite for n − 2 or more degrees of freedom. */
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
  const [low, high] = {
    neighbours: [1, n - 1],
    temperature: [0.05, 50],
    bandwidth: [span / Math.min(Math.max(2 * n, 200), 1e4), 2 * span],
  }[parameterOf(method)];
  const steps = n > MANY ? 30 : 60;
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
  const fits = (candidate, i) => {
    progress(i / candidates.length);
    const fit = fitKeys(data, method, candidate);
    return [leaveOneOutError(data, fit), correctedAic(data, fit)];
  };
  const scores = candidates.map(fits);
  return { "leave-one-out": scores.map(([error]) => error), AICc: scores.map(([, aic]) => aic) };
}

/** The candidate with the smallest finite score, or −∞; undefined if there is none. */
export function bestOf(candidates, scores) {
  let best;
  scores.forEach((score, i) => {
    if (score < Infinity && !(scores[best] <= score)) best = i;
  });
  return candidates[best];
}
