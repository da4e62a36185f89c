import { inner, product } from "./matrices.js";
import { average, softmax } from "./weights.js";
import { lines, steeringPlanes, windowKernel, windowKeys, windowLogWeights } from "./window.js";

// The weights that six methods give the 15 × 15 pixels around one pixel, fast enough to clean a photograph under the hand.
//
// Attention and the Performer (lib/patch_attention.py, lib/random_features) score tokens [patch, ‖patch‖²/5, 1,
// −‖Δx‖²/R², Δx = 0]. A key is a part of its pixel alone, which many windows share, and a part of the offset alone. The same
// vector added to all keys changes no weight: the keys' tokens are counted from a mean, which keeps the features small.

export const RADIUS = 7,
  SIDE = 2 * RADIUS + 1;
const PATCH_RADIUS = 2, // of lib/patch_attention.py
  N_PATCH = (2 * PATCH_RADIUS + 1) ** 2,
  ONE = N_PATCH + 1,
  NEAR = N_PATCH + 2,
  SELF = N_PATCH + 3,
  KEPT = 4000; // pixels whose keys and features are kept at once: 18 MB

/** The squared distances of a window's keys from its middle, and the rings of keys that have the same. */
const SQUARES = Array.from({ length: SIDE * SIDE }, (_, j) => {
  const [row, column] = [Math.floor(j / SIDE) - RADIUS, (j % SIDE) - RADIUS];
  return row * row + column * column;
});
const RINGS = [...new Set(SQUARES)];
const RING_OF = SQUARES.map((square) => RINGS.indexOf(square));

/**
 * What is fixed for a noisy image. `given` holds the methods and what attention was trained to.
 * @param {import("./picture.js").Image} noisy
 * @param {{ methods: any[], queryMap: Float64Array, keyMap: Float64Array, frequencies: Float64Array, moment: number[],
 *   disk: number[][] }} given
 */
export function openImage(noisy, given) {
  const grey = { ...lines(noisy, RADIUS + PATCH_RADIUS), radius: RADIUS };
  return { ...given, noisy, grey, centre: meanToken(grey), steering: steeringPlanes(noisy, given.disk) };
}

/** What a bandwidth fixes besides: the kernels of the windows, the Performer's frequencies, the parts of an offset. */
export function withBandwidth(opened, bandwidth) {
  const { noisy, steering, methods, frequencies, moment, keyMap } = opened;
  const scaled = ({ bandwidth_space, bandwidth_value, ...kernel }) => ({
    ...kernel,
    bandwidth_space: bandwidth * bandwidth_space,
    bandwidth_value: bandwidth * bandwidth_value,
  });
  const windows = methods.filter(({ kernel }) => "radius" in kernel);
  const d = moment.length;
  const column = (c) => Float64Array.from(moment, (_, row) => keyMap[row * d + c] / bandwidth);
  const [near, self] = [column(NEAR), column(SELF)];
  const offsets = RINGS.map((square) => near.map((n, c) => (square ? (-square / RADIUS ** 2) * n : self[c])));
  const spread = spreadFrequencies(
    frequencies,
    moment.map((square) => square / bandwidth ** 2),
  );
  const ofRings = offsets.map((offset) => powers(product(offset, spread.frequencies, d), 150));
  return {
    ...opened,
    bandwidth,
    kernels: windows.map(({ name, kernel }) => [name, windowKernel(noisy, steering, scaled(kernel))]),
    offsets,
    ringFeatures: Float64Array.from(ofRings.flatMap(({ numbers }) => [...numbers])),
    overOfRings: ofRings.map(({ over }) => over),
    spread,
    shared: store(opened, spread.logWeights.length),
  };
}

/** Frequencies (m, d) spread to fit the second moments of q + k, one an axis, and what keeps the estimate unbiased. */
function spreadFrequencies(frequencies, moments) {
  const d = moments.length;
  const variances = moments.map((l) => (3 + 2 * l + Math.sqrt((2 * l + 1) ** 2 + 8 * l)) / 4);
  const logWeights = new Float64Array(frequencies.length / d);
  const spread = frequencies.map((frequency, i) => {
    const variance = variances[i % d];
    logWeights[Math.floor(i / d)] += (Math.log(variance) - (variance - 1) * frequency ** 2) / 2;
    return frequency * Math.sqrt(variance);
  });
  return { frequencies: spread, logWeights };
}

/** The token of the pixel at this place of the lines, without what depends on an offset. */
function patchToken({ lines: [line], step }, place) {
  const token = new Float64Array(SELF + 1);
  let norm = 0;
  for (let k = 0; k < N_PATCH; k += 1) {
    const [row, column] = [Math.floor(k / 5) - PATCH_RADIUS, (k % 5) - PATCH_RADIUS];
    token[k] = line[place + row * step + column] - 0.5;
    norm += token[k] ** 2;
  }
  token[N_PATCH] = norm / 5;
  token[ONE] = 1;
  return token;
}

/** The mean token of every seventh pixel or so. */
function meanToken(grey) {
  const sum = new Float64Array(SELF + 1);
  let count = 0;
  for (let place = grey.first; place < grey.stop; place += 7, count += 1) {
    patchToken(grey, place).forEach((number, c) => (sum[c] += number));
  }
  return sum.map((number) => number / count);
}

/** e to these exponents less `over`, which is 0 unless one exceeds the limit. A key, a ring and a query multiply to a number. */
function powers(exponents, limit) {
  const over = Math.max(exponents.reduce((a, b) => Math.max(a, b)) - limit, 0);
  return { over, numbers: exponents.map((exponent) => Math.exp(exponent - over)) };
}

/** Room for the keys and features of pixels that windows share, row by row, and in which row a pixel has its own. */
function store({ grey, moment }, m) {
  const rowOf = new Int32Array(grey.lines[0].length).fill(-1);
  const d = moment.length;
  const room = [KEPT * d, KEPT * m, KEPT, RINGS.length * m].map((n) => new Float64Array(n));
  const [keys, features, overs, askedOnRings] = room;
  return { rowOf, used: 0, d, m, keys, features, overs, askedOnRings };
}

/** The rows in the store of the pixels at these places: the parts of their keys, and e^(ω·key) for each frequency ω. */
function storedRows(prepared, places) {
  const { shared } = prepared;
  if (shared.used + places.length > KEPT) {
    shared.rowOf.fill(-1);
    shared.used = 0;
  }
  for (const place of places) if (shared.rowOf[place] < 0) keep(prepared, place);
  return places.map((place) => shared.rowOf[place]);
}

function keep({ grey, centre, keyMap, bandwidth, spread, shared }, place) {
  const { d, m, used, keys, features, overs, rowOf } = shared;
  const token = patchToken(grey, place).map((number, c) => number - centre[c]);
  for (let c = 0; c < d; c += 1) keys[used * d + c] = inner(token, 0, keyMap, c * d, d) / bandwidth;
  const { over, numbers } = powers(product(keys.subarray(used * d, (used + 1) * d), spread.frequencies, d), 350);
  features.set(numbers, used * m);
  overs[used] = over;
  rowOf[place] = used;
  shared.used += 1;
}

/** The weights of every method for the keys of one pixel [row, column], by name. */
export function weightsOf(prepared, pixel) {
  const { grey, queryMap, bandwidth, kernels } = prepared;
  const places = windowKeys(grey, pixel);
  const token = patchToken(grey, places[places.length >> 1]);
  token[SELF] = 1;
  const query = product(token, queryMap, token.length).map((number) => number / bandwidth);
  const rows = storedRows(prepared, places);
  const ofWindows = kernels.map(([name, kernel]) => [name, softmax(windowLogWeights(kernel, pixel))]);
  return {
    ...Object.fromEntries(ofWindows),
    attention: softmax(attentionLogWeights(prepared, query, rows)),
    performer: softmax(performerLogWeights(prepared, query, rows)),
  };
}

function attentionLogWeights({ offsets, shared: { keys, d } }, query, rows) {
  const ofOffsets = offsets.map((offset) => inner(query, 0, offset, 0, d));
  return rows.map((row, j) => inner(query, 0, keys, row * d, d) + ofOffsets[RING_OF[j]]);
}

/** With positive features, φ(q)·φ(k), of keys less their mean. */
function performerLogWeights({ offsets, ringFeatures, overOfRings, spread, shared }, query, rows) {
  const { d, m, features, overs } = shared;
  const { norms, mean } = centred(shared, offsets, rows);
  const fromMean = query.map((number, c) => number - mean[c]);
  const exponents = product(fromMean, spread.frequencies, d).map((exponent, l) => exponent + spread.logWeights[l]);
  const asked = powers(exponents, 200).numbers; // what all keys share changes no weight
  const { askedOnRings } = shared; // 150 kB: not anew for every pixel
  for (let ring = 0; ring < askedOnRings.length; ring += m) {
    for (let l = 0; l < m; l += 1) askedOnRings[ring + l] = ringFeatures[ring + l] * asked[l];
  }
  return rows.map((row, j) => {
    const sum = longInner(features, row * m, askedOnRings, RING_OF[j] * m, m);
    return Math.log(sum || Number.MIN_VALUE) + overs[row] + overOfRings[RING_OF[j]] - norms[j] / 2;
  });
}

/** As `inner`, of a multiple of four numbers: an addition must wait for the one before, unless there are four sums. */
function longInner(x, a, y, b, n) {
  let [p, q, r, s] = [0, 0, 0, 0];
  for (let i = 0; i < n; i += 4) {
    p += x[a + i] * y[b + i];
    q += x[a + i + 1] * y[b + i + 1];
    r += x[a + i + 2] * y[b + i + 2];
    s += x[a + i + 3] * y[b + i + 3];
  }
  return p + q + r + s;
}

/** The mean of a window's keys, and the squared length of each without it. */
function centred({ keys, d }, offsets, rows) {
  const mean = new Float64Array(d),
    norms = new Float64Array(rows.length);
  for (let j = 0; j < rows.length; j += 1) {
    const offset = offsets[RING_OF[j]];
    for (let c = 0; c < d; c += 1) mean[c] += (keys[rows[j] * d + c] + offset[c]) / rows.length;
  }
  for (let j = 0; j < rows.length; j += 1) {
    const offset = offsets[RING_OF[j]];
    for (let c = 0; c < d; c += 1) norms[j] += (keys[rows[j] * d + c] + offset[c] - mean[c]) ** 2;
  }
  return { mean, norms };
}

/** The keys' values: the noisy pixels of the window. */
export const valuesOf = ({ grey }, pixel) => windowKeys(grey, pixel).map((place) => grey.lines[0][place]);

/** What every method makes of a pixel, in the order of the methods. */
export function estimatesOf(prepared, pixel) {
  const [weights, values] = [weightsOf(prepared, pixel), valuesOf(prepared, pixel)];
  return prepared.methods.map(({ name }) => average(weights[name], values));
}
