// Sums of compactly supported kernels on a line, as in lib/engine/compact_support.py: sorted keys, and running sums of
// their moments that start again in each box, so that no digits are lost in a difference of large sums.

/** K = Σ_j a_j s^j for a distance of s < 1 bandwidths. @type {Record<string, number[]>} */
export const POLYNOMIALS = { boxcar: [1], triangular: [1, -1], epanechnikov: [1, 0, -1] };

/** The radius of these kernels in bandwidths: a key at distance h has no weight, despite rounding. */
const EDGE = Math.sqrt(1 - Math.sqrt(Number.EPSILON));

/** A kernel of the distance in bandwidths. @param {string} kernel @returns {(d: number) => number} */
export function compactKernel(kernel) {
  const [constant, linear = 0, quadratic = 0] = POLYNOMIALS[kernel];
  return (d) => (Math.abs(d) < EDGE ? constant + linear * Math.abs(d) + quadratic * d * d : 0);
}

/**
 * The first index whose key is at least `least`, or greater than `least` if `isAfter`.
 * @param {ArrayLike<number>} keys @param {number} least
 */
export function search(keys, least, isAfter = false) {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle] < least || (isAfter && keys[middle] === least)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Running sums of c, uc and u²c within each box; u is the distance from the box's centre in bandwidths.
 * @param {Float64Array} u @param {Float64Array} boxes @param {Float64Array} column
 */
function runningSums(u, boxes, column) {
  const sums = [0, 1, 2].map(() => new Float64Array(u.length));
  for (let i = 0; i < u.length; i += 1) {
    const place = u[i] - boxes[i] - 0.5,
      isInside = i > 0 && boxes[i] === boxes[i - 1];
    for (let r = 0, term = column[i]; r < 3; r += 1, term *= place) sums[r][i] = term + (isInside ? sums[r][i - 1] : 0);
  }
  return sums;
}

/** For each key, the index after the last key of its box. @param {Float64Array} boxes */
function boxEnds(boxes) {
  const ends = new Int32Array(boxes.length);
  for (let i = boxes.length - 1; i >= 0; i -= 1) ends[i] = boxes[i + 1] === boxes[i] ? ends[i + 1] : i + 1;
  return ends;
}

/**
 * A running sum between two indices of the same box; −1 is its beginning.
 * @param {Float64Array} sums @param {number} stop @param {number} before
 */
const between = (sums, stop, before) => sums[stop - 1] - (before < 0 ? 0 : sums[before]);

/**
 * Σ_k K(q, k) c_k at all keys q, for each column.
 * @param {Float64Array} keys sorted
 * @param {Float64Array[]} columns
 * @param {number} bandwidth
 * @param {string} kernel
 */
export function windowSums(keys, columns, bandwidth, kernel) {
  const [constant, linear = 0, quadratic = 0] = POLYNOMIALS[kernel];
  const u = keys.map((key) => (key - keys[0]) / bandwidth),
    boxes = u.map(Math.floor),
    ends = boxEnds(boxes);
  return columns.map((column) => {
    const running = runningSums(u, boxes, column),
      sums = new Float64Array(keys.length);
    let [first, last] = [0, 0];
    for (let i = 0; i < keys.length; i += 1) {
      while (u[first] <= u[i] - EDGE) first += 1;
      while (last < keys.length && u[last] < u[i] + EDGE) last += 1;
      sums[i] = side(u[i], first, i, -1) + side(u[i], i, last, 1);
    }
    return sums;

    /**
     * The sum over the keys [from, to) to the left (−1) or right (1) of a query, box by box.
     * @param {number} query @param {number} from @param {number} to @param {number} sign
     */
    function side(query, from, to, sign) {
      let total = 0;
      for (let start = from, stop; start < to; start = stop) {
        stop = Math.min(to, ends[start]);
        const before = start > 0 && boxes[start - 1] === boxes[start] ? start - 1 : -1,
          shift = boxes[start] + 0.5 - query;
        const zero = between(running[0], stop, before),
          one = between(running[1], stop, before),
          two = between(running[2], stop, before);
        total += constant * zero + sign * linear * (one + shift * zero);
        total += quadratic * (two + shift * (2 * one + shift * zero));
      }
      return total;
    }
  });
}
