// Weights, the same lines as in lib/weights.py and lib/kernels.py: from log-weights to weights and averages, and how far
// two rows of weights are apart.

/**
 * Positive weights that sum to 1. Only −∞ gives zeros: there is nothing to attend to.
 * @param {any} logWeights an array, or one of numbers that lie flat
 */
export function softmax(logWeights) {
  const largest = logWeights.reduce((a, b) => Math.max(a, b), -Infinity);
  const origin = Number.isFinite(largest) ? largest : 0;
  return normalized(logWeights.map((logWeight) => Math.exp(logWeight - origin)));
}

/** Weights divided by their sum; zeros stay zeros. @param {any} weights */
export function normalized(weights) {
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / (total || 1));
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

/** Logarithms of kernels, as functions of the squared distance in bandwidths. */
const LOG_KERNELS = {
  gaussian: (s) => -s,
  boxcar: (s) => (s < 1 - Math.sqrt(Number.EPSILON) ? 0 : -Infinity), // rounding must not let in a key at h
  triangular: (s) => Math.log(Math.max(1 - Math.sqrt(s), 0)),
  epanechnikov: (s) => Math.log(Math.max(1 - s, 0)),
  constant: () => 0,
};

/**
 * The log-weights of one query and all keys, in one dimension.
 * @param {number} query
 * @param {number[]} keys
 * @param {number} bandwidth
 * @param {string} kernel
 */
export function logKernel(query, keys, bandwidth, kernel) {
  return keys.map((key) => LOG_KERNELS[kernel]((query - key) ** 2 / bandwidth / bandwidth));
}

/**
 * The smallest number of keys that together carry this share of the weight; 0 where no key has any.
 * @param {number[]} weights
 * @param {number} share
 */
export function keysForShare(weights, share) {
  const heaviestFirst = Float64Array.from(weights).sort().reverse();
  let carried = 0;
  // Ten weights of 0.1 must need nine keys for 90 %, although their sum in binary falls short by a rounding.
  const index = heaviestFirst.findIndex((weight) => {
    carried += weight;
    return carried >= share - 1e-12;
  });
  return index + 1;
}

/** Numbers as shares of their sum; all alike where there is nothing. @param {number[]} heights */
export function shares(heights) {
  const total = heights.reduce((a, b) => a + b, 0);
  return heights.map((height) => (total > 0 ? height / total : 1 / heights.length));
}

/**
 * Total variation: the share of weight that lies elsewhere. Negative weights can make it more than all.
 * @param {number[]} weights
 * @param {number[]} others
 */
export const totalVariation = (weights, others) =>
  weights.reduce((sum, weight, i) => sum + Math.abs(weight - others[i]), 0) / 2;
