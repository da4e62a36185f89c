// A robust fit, as in LOWESS (Cleveland, 1979) with the loss of eq:robust of chapter 2: points with large
// residuals count less, e^(−r²/h²), and the fit is repeated.

import { fitKeys } from "./regression.js";

/** @typedef {import("./regression.js").Data} Data */

export const REPEATS = 3,
  SCALE = 4.43, // times the median of |r|: 95 % efficiency for normal noise
  LARGEST_EXPONENT = 30, // so that a point far from all others still has weight
  SMALLEST_SCALE = 1e-9, // of the values' range
  NORMAL_MEDIAN = 0.6745; // of |x| for standard normal x

/** The median of some numbers. @param {Float64Array} numbers */
export function medianOf(numbers) {
  const sorted = Float64Array.from(numbers).sort(),
    middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The same data with `shares`, by which the kernel's weights of the points are multiplied.
 * @param {Data} data
 * @param {string} method
 * @param {number} parameter
 * @param {(share: number) => void} [progress]
 * @returns {Data}
 */
export function withShares(data, method, parameter, progress = () => {}) {
  let shares = data.values.map(() => 1);
  for (let i = 0; i < REPEATS; i += 1) {
    progress(i / (REPEATS + 1));
    const fitted = fittedAt({ ...data, shares }, method, parameter);
    shares = sharesOf(data.values, fitted);
  }
  return { ...data, shares };
}

/** @param {Float64Array} values @param {Float64Array} fitted */
function sharesOf(values, fitted) {
  const residuals = values.map((value, i) => Math.abs(value - fitted[i])),
    range = values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  const scale = SCALE * Math.max(medianOf(residuals), SMALLEST_SCALE * (range || 1));
  return residuals.map((residual) => Math.exp(-Math.min((residual / scale) ** 2, LARGEST_EXPONENT)));
}

/**
 * The fitted values at the keys. Equal keys are merged, except for nearest neighbours, which counts them.
 * @param {Data} data
 * @param {string} method
 * @param {number} parameter
 */
export function fittedAt(data, method, parameter) {
  if (method === "nearest") return fitKeys(data, method, parameter).fitted;
  const { merged, groups } = mergedTies(data),
    { fitted } = fitKeys(merged, method, parameter);
  return data.keys.map((_, i) => fitted[groups[i]]);
}

/**
 * One point for each distinct key, with the sum of the shares and the weighted mean of the values.
 * @param {Data} data
 */
function mergedTies({ keys, values, shares = keys.map(() => 1) }) {
  const groups = new Int32Array(keys.length);
  for (let i = 1; i < keys.length; i += 1) groups[i] = groups[i - 1] + (keys[i] === keys[i - 1] ? 0 : 1);
  const zeros = () => new Float64Array(groups[groups.length - 1] + 1),
    merged = { keys: zeros(), values: zeros(), shares: zeros() };
  groups.forEach((group, i) => {
    merged.keys[group] = keys[i];
    merged.shares[group] += shares[i];
    merged.values[group] += shares[i] * values[i];
  });
  merged.values.forEach((sum, group) => (merged.values[group] = sum / merged.shares[group]));
  return { merged, groups };
}

/** The noise's standard deviation from the median difference of neighbouring values. @param {Data} data */
export function robustNoiseStd({ values }) {
  const steps = values.subarray(1).map((value, i) => Math.abs(value - values[i]));
  return medianOf(steps) / NORMAL_MEDIAN / Math.SQRT2;
}
