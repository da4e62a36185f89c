import { compactKernel, POLYNOMIALS, windowSums } from "./compact_support.js";
import { smoothSums } from "./gauss_transform.js";

// Sums over all other keys at each of many distinct, sorted keys, in linear time: pair by pair where few keys are
// near, and from boxes elsewhere.

/**
 * For each key, sums over the others: K w, K t and, for local lines, K d w, K d t and K d² w, where d is the
 * distance to the right in bandwidths. `least` is the smallest Σ K w that is accurate.
 * @typedef {{ weight: Float64Array, total: Float64Array, key?: Float64Array, product?: Float64Array, square?:
 *   Float64Array, least: number }} Sums
 * @typedef {{ keys: Float64Array, weights: Float64Array, totals: Float64Array }} Groups
 */

const NEAR_PAIRS = 200; // for each key; below it, computing pairs costs less than boxes
const FEW_PAIRS = 2e5;
export const SMALLEST_SHARE = 5e-4; // of the summed keys; below it, a difference of sums has lost too many digits
export const NEGLIGIBLE = 80; // a log-weight that much below the largest one changes no digit
const LARGEST = Math.sqrt(42); // bandwidths; sums neglect the keys farther away
const ORDER = 14, // polynomials per box for e^(−d²)
  LINE_ORDER = 17; // and for its first two derivatives

/** The Gaussian of a distance in bandwidths. @param {number} d */
const gaussian = (d) => Math.exp(-d * d);

/**
 * @param {Groups} groups
 * @param {string} kernel a kernel, `constant`, or `local-linear` with the Gaussian
 * @param {number} h the bandwidth
 * @returns {Sums}
 */
export function sumsOfOthers(groups, kernel, h) {
  if (kernel === "constant") return without(groups, constantSums(groups), 0);
  const isCompact = kernel in POLYNOMIALS,
    isLine = kernel === "local-linear";
  const reach = isCompact ? h : Math.sqrt(NEGLIGIBLE) * h;
  if (hasFewPairs(groups.keys, reach)) {
    const sums = pairSums(groups, isCompact ? compactKernel(kernel) : gaussian, h, reach, isLine);
    return { ...sums, least: isCompact ? -1 : Math.exp(-NEGLIGIBLE / 2) };
  }
  const columns = [groups.weights, groups.totals];
  if (isCompact) return without(groups, windowSums(groups.keys, columns, h, kernel), SMALLEST_SHARE);
  const smooth = (/** @type {any[]} */ parts) =>
    smoothSums(groups.keys, h, LARGEST * h, (d) => gaussian(d / h), parts, isLine ? LINE_ORDER : ORDER);
  if (!isLine) return without(groups, smooth(columns.map((column) => ({ column }))).flat(), SMALLEST_SHARE);
  const [[weight, key, square], [total, product]] = smooth(
    columns.map((column, i) => ({ column, derivatives: 2 - i })),
  );
  for (let i = 0; i < weight.length; i += 1) {
    key[i] *= h / 2; // (K)' = 2 d K / h
    product[i] *= h / 2;
    square[i] = (square[i] * h * h) / 4 + weight[i] / 2; // (K)'' = (4 d² − 2) K / h²
  }
  return { ...without(groups, [weight, total], 10 * SMALLEST_SHARE), key, product, square };
}

/**
 * The sums of a kernel of the difference that is smooth within a width and nowhere negligible.
 * @param {Groups} groups
 * @param {(difference: number) => number} kernel
 * @param {number} width
 * @returns {Sums}
 */
export function smoothSumsOfOthers({ keys, weights, totals }, kernel, width) {
  const parts = [weights, totals].map((column) => ({ column }));
  return without({ keys, weights, totals }, smoothSums(keys, width, Infinity, kernel, parts).flat(), SMALLEST_SHARE);
}

/**
 * Subtract each key's own contribution from the sums; its kernel is 1.
 * @param {Groups} groups
 * @param {Float64Array[]} sums
 * @param {number} least
 * @returns {Sums}
 */
function without({ weights, totals }, [weight, total], least) {
  for (let i = 0; i < weight.length; i += 1) {
    weight[i] -= weights[i];
    total[i] -= totals[i];
  }
  return { weight, total, least };
}

/** @param {Groups} groups */
const constantSums = ({ weights, totals }) =>
  [weights, totals].map((column) => new Float64Array(column.length).fill(column.reduce((a, b) => a + b, 0)));

/** @param {Float64Array} keys @param {number} reach */
function hasFewPairs(keys, reach) {
  const most = Math.max(FEW_PAIRS, NEAR_PAIRS * keys.length);
  let [pairs, first] = [0, 0];
  for (let i = 0; i < keys.length && pairs <= most; i += 1) {
    while (keys[i] - keys[first] > reach) first += 1;
    pairs += 2 * (i - first);
  }
  return pairs <= most;
}

/**
 * Add each pair to the sums of both of its keys.
 * @param {Groups} groups
 * @param {(d: number) => number} kernel of a distance in bandwidths
 * @param {number} h
 * @param {number} reach
 * @param {boolean} isLine
 */
function pairSums({ keys, weights, totals }, kernel, h, reach, isLine) {
  const n = keys.length,
    [weight, total, key, product, square] = Array.from({ length: isLine ? 5 : 2 }, () => new Float64Array(n));
  for (let i = 0; i < n; i += 1) {
    for (let j = i + 1; j < n && keys[j] - keys[i] <= reach; j += 1) {
      const d = (keys[j] - keys[i]) / h,
        near = kernel(d);
      weight[i] += near * weights[j];
      weight[j] += near * weights[i];
      total[i] += near * totals[j];
      total[j] += near * totals[i];
      if (!isLine) continue;
      const first = near * d,
        second = first * d;
      key[i] += first * weights[j];
      key[j] -= first * weights[i];
      product[i] += first * totals[j];
      product[j] -= first * totals[i];
      square[i] += second * weights[j];
      square[j] += second * weights[i];
    }
  }
  return { weight, total, key, product, square };
}
