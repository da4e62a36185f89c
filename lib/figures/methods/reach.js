import { search } from "./compact_support.js";
import { estimateAt } from "./regression.js";

// Leave-one-out for correlated errors (Chu and Marron, 1991): each value is predicted from the keys farther away
// than the correlation reaches.

/** @typedef {import("./regression.js").Data} Data */

const MANY_KEYS = 3000, // keys, of which fewer are predicted
  JUDGED = 300,
  TIES = 1 + 1e-9; // keys whose distance differs from the reach by rounding are left out

/**
 * The mean squared error of each candidate; NaN if a value cannot be predicted.
 * @param {Data} data
 * @param {string} method
 * @param {number[]} candidates
 * @param {number} reach
 * @param {(share: number) => void} [progress]
 */
export function errorsBeyond(data, method, candidates, reach, progress = () => {}) {
  const { keys, values } = data,
    step = keys.length > MANY_KEYS ? keys.length / JUDGED : 1,
    judged = Array.from({ length: Math.ceil(keys.length / step) }, (_, i) => Math.floor(i * step));
  const sums = candidates.map(() => 0);
  judged.forEach((i, count) => {
    progress(count / judged.length);
    const rest = beyond(data, keys[i], reach);
    candidates.forEach((candidate, c) => {
      const { estimate } = rest.keys.length ? estimateAt(keys[i], rest, method, candidate) : { estimate: NaN };
      sums[c] += (values[i] - estimate) ** 2;
    });
  });
  return sums.map((sum) => sum / judged.length);
}

/**
 * The points farther than `reach` from a key.
 * @param {Data} data
 * @param {number} key
 * @param {number} reach
 * @returns {Data}
 */
function beyond({ keys, values }, key, reach) {
  const first = search(keys, key - TIES * reach),
    last = search(keys, key + TIES * reach, true);
  function cut(/** @type {Float64Array} */ column) {
    const rest = new Float64Array(column.length - (last - first));
    rest.set(column.subarray(0, first));
    rest.set(column.subarray(last), first);
    return rest;
  }
  return { keys: cut(keys), values: cut(values), encoded: keys };
}
