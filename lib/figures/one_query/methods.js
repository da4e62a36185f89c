import { inner, product } from "../methods/random_features.js";
import { average, softmax } from "../methods/weights.js";
import { lines, steeringPlanes, windowKernel, windowKeys, windowLogWeights } from "../methods/filters.js";

// The weights that six methods give the 15 × 15 pixels around one pixel, fast enough to clean a photograph while the brush moves.
//
// Attention and the Performer (lib/patch_attention.py, lib/random_features) score tokens [patch, ‖patch‖²/5, 1,
// −‖Δx‖²/R², Δx = 0]. A key is a part of its pixel alone, which many windows share, and a part of the offset alone. The same
// vector added to all keys changes no weight: the keys' tokens are counted from a mean, which keeps the features small.

const KEPT = 4000; // pixels whose keys and features are kept at once: 18 MB

/** The rings of a window's keys: squared distances from its middle, and in which of them each key is. */
function ringsOf(radius) {
  const side = 2 * radius + 1;
  const squares = Array.from({ length: side * side }, (_, j) => {
    const [row, column] = [Math.floor(j / side) - radius, (j % side) - radius];
    return row * row + column * column;
  });
  const rings = [...new Set(squares)];
  return { rings, ringOf: squares.map((square) => rings.indexOf(square)) };
}

/**
 * What is fixed for a noisy image. `given` holds the methods, what attention was trained to, and how far its windows and
 * patches reach.
 * @param {import("../parts/photograph.js").Image} noisy
 * @param {{ methods: any[], queryMap: Float64Array, keyMap: Float64Array, frequencies: Float64Array, moment: number[],
 *   disk: number[][], radius: number, patch_radius: number }} given
 */
export function openImage(noisy, given) {
  const { disk, radius, patch_radius } = given;
  const grey = { ...lines(noisy, radius + patch_radius), radius };
  const steering = steeringPlanes(noisy, disk);
  return { noisy, given, grey, steering, centre: meanToken(grey, patch_radius), ...ringsOf(radius) };
}

/**
 * A photograph at a bandwidth, as three records: the `photo`, what the bandwidth fixes, and room for what its pixels
 * share, which alone changes.
 */
export function withBandwidth(photo, bandwidth) {
  const at = atBandwidth(photo, bandwidth);
  return { photo, at, scratch: scratchFor(photo, at.spread.logWeights.length) };
}

/** The kernels of the windows, the Performer's frequencies, the parts of an offset. */
function atBandwidth({ noisy, steering, given, rings }, bandwidth) {
  const { methods, frequencies, moment, keyMap, radius, patch_radius } = given,
    { near, self } = placesAfter(patch_radius);
  const scaled = ({ bandwidth_space, bandwidth_value, ...kernel }) => ({
    ...kernel,
    bandwidth_space: bandwidth * bandwidth_space,
    bandwidth_value: bandwidth * bandwidth_value,
  });
  const windows = methods.filter(({ kernel }) => "radius" in kernel);
  const d = moment.length;
  const column = (c) => Float64Array.from(moment, (_, row) => keyMap[row * d + c] / bandwidth);
  const [ofNear, ofSelf] = [column(near), column(self)];
  const offsets = rings.map((square) => ofNear.map((n, c) => (square ? (-square / radius ** 2) * n : ofSelf[c])));
  const spread = spreadFrequencies(
    frequencies,
    moment.map((square) => square / bandwidth ** 2),
  );
  const ofRings = offsets.map((offset) => powers(product(offset, spread.frequencies, d), 150));
  return {
    bandwidth,
    kernels: windows.map(({ name, kernel }) => [name, windowKernel(noisy, steering, scaled(kernel))]),
    offsets,
    ringFeatures: Float64Array.from(ofRings.flatMap(({ numbers }) => [...numbers])),
    overOfRings: ofRings.map(({ over }) => over),
    spread,
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

/** Where a token's numbers after the patch stand. */
function placesAfter(patchRadius) {
  const norm = (2 * patchRadius + 1) ** 2;
  return { norm, one: norm + 1, near: norm + 2, self: norm + 3 };
}

/** The token of the pixel at this place of the lines, without what depends on an offset. */
function patchToken({ lines: [line], step }, patchRadius, place) {
  const side = 2 * patchRadius + 1,
    { norm, one, self } = placesAfter(patchRadius);
  const token = new Float64Array(self + 1);
  let sum = 0;
  for (let k = 0; k < norm; k += 1) {
    const [row, column] = [Math.floor(k / side) - patchRadius, (k % side) - patchRadius];
    token[k] = line[place + row * step + column] - 0.5;
    sum += token[k] ** 2;
  }
  token[norm] = sum / side;
  token[one] = 1;
  return token;
}

/** The mean token of every seventh pixel or so. */
function meanToken(grey, patchRadius) {
  const sum = new Float64Array(placesAfter(patchRadius).self + 1);
  let count = 0;
  for (let place = grey.first; place < grey.stop; place += 7, count += 1) {
    patchToken(grey, patchRadius, place).forEach((number, c) => (sum[c] += number));
  }
  return sum.map((number) => number / count);
}

/** e to these exponents less `over`, which is 0 unless one exceeds the limit. A key, a ring and a query multiply to a number. */
function powers(exponents, limit) {
  const over = Math.max(exponents.reduce((a, b) => Math.max(a, b)) - limit, 0);
  return { over, numbers: exponents.map((exponent) => Math.exp(exponent - over)) };
}

/** Room for the keys and features of pixels that windows share, row by row, and in which row a pixel has its own. */
function scratchFor({ grey, given: { moment }, rings }, m) {
  const rowOf = new Int32Array(grey.lines[0].length).fill(-1);
  const d = moment.length;
  const room = [KEPT * d, KEPT * m, KEPT, rings.length * m].map((n) => new Float64Array(n));
  const [keys, features, overs, askedOnRings] = room;
  return { rowOf, used: 0, d, m, keys, features, overs, askedOnRings };
}

/** The rows in the scratch of the pixels at these places: the parts of their keys, and e^(ω·key) for each frequency ω. */
function storedRows(prepared, places) {
  const { scratch } = prepared;
  if (scratch.used + places.length > KEPT) {
    scratch.rowOf.fill(-1);
    scratch.used = 0;
  }
  for (const place of places) if (scratch.rowOf[place] < 0) keep(prepared, place);
  return places.map((place) => scratch.rowOf[place]);
}

function keep({ photo: { grey, centre, given }, at: { bandwidth, spread }, scratch }, place) {
  const { d, m, used, keys, features, overs, rowOf } = scratch;
  const token = patchToken(grey, given.patch_radius, place).map((number, c) => number - centre[c]);
  const key = product(token, given.keyMap, d).map((number) => number / bandwidth);
  const { over, numbers } = powers(product(key, spread.frequencies, d), 350);
  keys.set(key, used * d);
  features.set(numbers, used * m);
  overs[used] = over;
  rowOf[place] = used;
  scratch.used += 1;
}

/** The weights of every method for the keys of one pixel [row, column], by name. */
export function weightsOf(prepared, pixel) {
  const { grey, given } = prepared.photo,
    { bandwidth, kernels } = prepared.at;
  const places = windowKeys(grey, pixel);
  const token = patchToken(grey, given.patch_radius, places[places.length >> 1]);
  token[placesAfter(given.patch_radius).self] = 1;
  const query = product(token, given.queryMap, token.length).map((number) => number / bandwidth);
  const rows = storedRows(prepared, places);
  const ofWindows = kernels.map(([name, kernel]) => [name, softmax(windowLogWeights(kernel, pixel))]);
  return {
    ...Object.fromEntries(ofWindows),
    attention: softmax(attentionLogWeights(prepared, query, rows)),
    performer: softmax(performerLogWeights(prepared, query, rows)),
  };
}

function attentionLogWeights({ photo: { ringOf }, at: { offsets }, scratch: { keys, d } }, query, rows) {
  const ofOffsets = offsets.map((offset) => inner(query, 0, offset, 0, d));
  return rows.map((row, j) => inner(query, 0, keys, row * d, d) + ofOffsets[ringOf[j]]);
}

/** With positive features, φ(q)·φ(k), of keys less their mean. */
function performerLogWeights({ photo: { ringOf }, at, scratch }, query, rows) {
  const { offsets, ringFeatures, overOfRings, spread } = at,
    { d, m, features, overs, askedOnRings } = scratch; // 150 kB: not anew for every pixel
  const { norms, mean } = centred(scratch, offsets, ringOf, rows);
  const fromMean = query.map((number, c) => number - mean[c]);
  const exponents = product(fromMean, spread.frequencies, d).map((exponent, l) => exponent + spread.logWeights[l]);
  const asked = powers(exponents, 200).numbers; // what all keys share changes no weight
  for (let ring = 0; ring < askedOnRings.length; ring += m) {
    for (let l = 0; l < m; l += 1) askedOnRings[ring + l] = ringFeatures[ring + l] * asked[l];
  }
  return rows.map((row, j) => {
    const sum = inner(features, row * m, askedOnRings, ringOf[j] * m, m);
    return Math.log(sum || Number.MIN_VALUE) + overs[row] + overOfRings[ringOf[j]] - norms[j] / 2;
  });
}

/** The mean of a window's keys, and the squared length of each without it. */
function centred({ keys, d }, offsets, ringOf, rows) {
  const mean = new Float64Array(d),
    norms = new Float64Array(rows.length);
  for (let j = 0; j < rows.length; j += 1) {
    const offset = offsets[ringOf[j]];
    for (let c = 0; c < d; c += 1) mean[c] += (keys[rows[j] * d + c] + offset[c]) / rows.length;
  }
  for (let j = 0; j < rows.length; j += 1) {
    const offset = offsets[ringOf[j]];
    for (let c = 0; c < d; c += 1) norms[j] += (keys[rows[j] * d + c] + offset[c] - mean[c]) ** 2;
  }
  return { mean, norms };
}

/** The keys' values: the noisy pixels of the window. */
export const valuesOf = ({ photo: { grey } }, pixel) => windowKeys(grey, pixel).map((place) => grey.lines[0][place]);

/** What every method makes of a pixel, in the order of the methods. */
export function estimatesOf(prepared, pixel) {
  const [weights, values] = [weightsOf(prepared, pixel), valuesOf(prepared, pixel)];
  return prepared.photo.given.methods.map(({ name }) => average(weights[name], values));
}
