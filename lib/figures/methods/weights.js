// Weights, line by line as in lib/weights.py and lib/kernels.py: from log-weights to weights and averages, and the
// distance between two rows of weights.

/**
 * Positive weights that sum to 1. If all log-weights are −∞ the weights are zero, since there is nothing to attend to.
 * @param {any} logWeights an array or a typed array
 */
export function softmax(logWeights) {
  const largest = logWeights.reduce((/** @type {number} */ a, /** @type {number} */ b) => Math.max(a, b), -Infinity);
  const origin = Number.isFinite(largest) ? largest : 0;
  return normalized(logWeights.map((/** @type {number} */ logWeight) => Math.exp(logWeight - origin)));
}

/** Weights divided by their sum; zeros stay zeros. @param {any} weights */
export function normalized(weights) {
  const total = weights.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b, 0);
  return weights.map((/** @type {number} */ weight) => weight / (total || 1));
}

/**
 * The weighted average of the values; NaN where no key has weight.
 * @param {number[]} weights
 * @param {number[]} values
 */
export function average(weights, values) {
  if (!weights.some((weight) => weight > 0)) return NaN;
  return weights.reduce((sum, weight, i) => sum + weight * values[i], 0);
}

/**
 * The scores of one query: q·k/τ for each key, and −∞ for masked keys.
 * @param {number[]} query
 * @param {number[][]} keys
 * @param {number} temperature
 * @param {(key: number) => boolean} isVisible
 */
export function scores(query, keys, temperature, isVisible = () => true) {
  const product = (/** @type {number[]} */ key) => query.reduce((sum, x, c) => sum + x * key[c], 0);
  return keys.map((key, j) => (isVisible(j) ? product(key) / temperature : -Infinity));
}

/** Whether a key is nearer than h: at distance h it has no weight, despite rounding. @param {number} s */
const isInside = (s) => s < 1 - Math.sqrt(Number.EPSILON);

/**
 * Logarithms of kernels, as functions of the squared distance in units of the bandwidth.
 * @type {Record<string, (s: number) => number>}
 */
const LOG_KERNELS = {
  gaussian: (s) => -s,
  boxcar: (s) => (isInside(s) ? 0 : -Infinity),
  triangular: (s) => (isInside(s) ? Math.log(1 - Math.sqrt(s)) : -Infinity),
  epanechnikov: (s) => (isInside(s) ? Math.log(1 - s) : -Infinity),
  constant: () => 0,
};

/**
 * The log-weights of one query and all keys, in one dimension.
 * @param {number} query
 * @param {any} keys an array or a typed array
 * @param {number} bandwidth
 * @param {string} kernel
 */
export function logKernel(query, keys, bandwidth, kernel) {
  return keys.map((/** @type {number} */ key) => LOG_KERNELS[kernel]((query - key) ** 2 / bandwidth / bandwidth));
}

/**
 * The smallest number of keys that together have this share of the weight; 0 if all weights are zero.
 * @param {ArrayLike<number>} weights
 * @param {number} share
 */
export function keysForShare(weights, share) {
  const heaviestFirst = Float64Array.from(weights).sort().reverse();
  let carried = 0;
  // Tolerate rounding: with ten weights of 0.1, nine keys have 90 %, although their floating-point sum is smaller.
  const index = heaviestFirst.findIndex((weight) => {
    carried += weight;
    return carried >= share - 1e-12;
  });
  return index + 1;
}

/** Divide numbers by their sum; uniform if the sum is zero. @param {number[]} heights */
export function shares(heights) {
  const total = heights.reduce((a, b) => a + b, 0);
  return heights.map((height) => (total > 0 ? height / total : 1 / heights.length));
}

/**
 * The total variation distance, the share of weight on different keys. With negative weights it can exceed 1.
 * @param {number[]} weights
 * @param {number[]} others
 */
export const totalVariation = (weights, others) =>
  weights.reduce((sum, weight, i) => sum + Math.abs(weight - others[i]), 0) / 2;
