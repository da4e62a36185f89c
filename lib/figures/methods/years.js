// The methods from 1964 to 2020 on a colour photograph, as in lib/years.py: the weights that each gives
// the window of one pixel, and the photograph that they clean.

import {
  brightnessOf,
  filterInSteps,
  lines,
  positionAverages,
  steeringPlanes,
  windowKernel,
  windowKeys,
  windowLogWeights,
} from "./filters.js";
import { keyExponents, product, weightsOfFeatures } from "./random_features.js";
import { normalized, softmax } from "./weights.js";

/** @typedef {import("./base64.js").Image} Image */
/** @typedef {import("./base64.js").Pixel} Pixel */
/** @typedef {{ top: number, left: number, height: number, width: number }} Box */
/**
 * @typedef {{ at: number, noise_power: number, power: number, least: number }} Bandwidth How a bandwidth depends
 *   on noise and strength.
 */
/**
 * @typedef {(row: number, column: number, weights: Float64Array) => void} Weigh It writes weights that need not
 *   sum to 1.
 */
/**
 * What Python says of the methods: `radius` of the window and `patch_radius` of the tokens, the projections `maps`
 * of queries and keys, and the second moments that scale the frequencies.
 * @typedef {{ radius: number, patch_radius: number, disk: number[][], moment: number[], maps: Float64Array[],
 *   frequencies?: Float64Array,
 *   temperatures?: Record<number, number>, methods: { year: number, kernel: import("./filters.js").Setting }[] }} Given
 */

const NORMAL_QUARTILE = 0.6744897501960817; // the median of |z| for a standard normal z

export const WIDEST = 1024, // pixels of each side from which the noise is estimated
  BEYOND = 7; // pixels around a window that its weights depend on: the disk of the steering matrices and their gradient

// ---- Noise and bandwidths ---------------------------------------------------------------------------------

/**
 * The estimated standard deviation of the noise, as lib.images.estimate_noise_std, in units of 255 levels: from
 * RGBA pixels. Differences of 8-bit levels are integers, so a table of their counts has the median.
 * @param {{ data: ArrayLike<number>, height: number, width: number }} pixels
 */
export function estimatedNoiseStd({ data, height, width }) {
  const counts = new Float64Array(2 * 510 + 1),
    below = 4 * width;
  for (let row = 0; row < height - 1; row += 1) {
    for (let at = row * below; at < (row + 1) * below - 4; at += 4) {
      for (let i = at; i < at + 3; i += 1) {
        counts[Math.abs(data[i] - data[i + 4] - data[i + below] + data[i + below + 4])] += 1;
      }
    }
  }
  return medianOf(counts, 3 * (height - 1) * (width - 1)) / 2 / 255 / NORMAL_QUARTILE;
}

/**
 * The median of integers with these counts: the mean of the two middle numbers.
 * @param {Float64Array} counts
 * @param {number} total
 */
function medianOf(counts, total) {
  const at = (/** @type {number} */ rank) => {
    let seen = 0;
    return counts.findIndex((count) => {
      seen += count;
      return seen > rank;
    });
  };
  return (at(Math.floor((total - 1) / 2)) + at(Math.floor(total / 2))) / 2;
}

/**
 * The bandwidth, or temperature, of a method for this noise, as lib.years.bandwidth; `usual` is the noise of the
 * example.
 * @param {Bandwidth} method @param {number} noiseStd @param {number} strength @param {number} usual
 */
export function bandwidthFor({ at, noise_power, power, least }, noiseStd, strength, usual) {
  const ratio = Math.max(noiseStd, 1 / 255) / usual;
  return Number(Math.max(at * ratio ** noise_power * strength ** power, least).toPrecision(4));
}

// ---- Weights ----------------------------------------------------------------------------------------------

/**
 * Return a function `(year, pixel)` → weights of the keys in the pixel's window.
 * @param {Image} noisy
 * @param {Given} given
 * @returns {(year: number, pixel: Pixel) => number[]}
 */
export function createMethods(noisy, given) {
  /** @type {Record<number, (vectors: Vectors, spread: Spread) => Float64Array>} */
  const learned = { 2017: attention, 2020: performer };
  const headAt = Object.fromEntries([2017, 2020].map((year) => [year, withTemperature(given, year)]));
  const spread = given.frequencies && spreadFrequencies(given.frequencies, headAt[2020].moment);
  return (year, pixel) => {
    const { image, here } = cropAround(noisy, pixel, given.radius + BEYOND);
    if (year in learned)
      return Array.from(learned[year](vectorsOf(image, here, headAt[year]), /** @type {Spread} */ (spread)));
    const kernel = kernelOf(given, year);
    const steering = kernel.position_block === "steering" && steeringPlanes(image, given.disk);
    return softmax(windowLogWeights(windowKernel(image, steering, kernel), here));
  };
}

/** @param {Given} given @param {number} year */
const kernelOf = ({ methods }, year) =>
  /** @type {Given["methods"][number]} */ (methods.find((method) => method.year === year)).kernel;

/**
 * The projections scaled for the temperature of a year, in units of √29; by default 1.
 * @param {Given} given @param {number} year
 */
function withTemperature(given, year) {
  const temperature = given.temperatures?.[year] ?? 1;
  const maps = given.maps.map((map) => map.map((number) => number / Math.sqrt(temperature)));
  return { ...given, maps, moment: given.moment.map((number) => number / temperature) };
}

/**
 * Crop an image to this reach around a pixel, or to the border. Returns the crop and the pixel's position in it.
 * @param {Image} image
 * @param {Pixel} pixel
 * @param {number} reach
 * @returns {{ image: Image, here: Pixel }}
 */
function cropAround({ height, width, planes }, [row, column], reach) {
  const [top, left] = [row, column].map((middle) => Math.max(middle - reach, 0));
  const rows = Math.min(row + reach + 1, height) - top,
    columns = Math.min(column + reach + 1, width) - left;
  const cropped = (/** @type {Float64Array} */ plane) =>
    Float64Array.from(
      { length: rows * columns },
      (_, i) => plane[(top + Math.floor(i / columns)) * width + left + (i % columns)],
    );
  return { image: { height: rows, width: columns, planes: planes.map(cropped) }, here: [row - top, column - left] };
}

/** @typedef {ReturnType<typeof vectorsOf>} Vectors */
/** @typedef {ReturnType<typeof spreadFrequencies>} Spread */

/** One trained head on patches of brightness. @param {Vectors} vectors @returns {Float64Array} */
const attention = ({ query, keys, d }) => softmax(product(query, keys, d));

/**
 * The same with random features: keys are centred, and the frequencies are scaled to fit the photograph.
 * @param {Vectors} vectors @param {Spread} spread @returns {Float64Array}
 */
function performer({ query, keys, d }, { frequencies, logWeights }) {
  const asked = product(query, frequencies, d).map((exponent, l) => exponent + logWeights[l]);
  const exponents = keyExponents(centred(keys, d), frequencies, d);
  return normalized(weightsOfFeatures(asked, exponents, logWeights.length));
}

/**
 * A pixel's query and the keys of its window: projections of their tokens.
 * @param {Image} image @param {Pixel} pixel @param {Given} given
 */
function vectorsOf(image, pixel, { radius, patch_radius, moment, maps: [queryMap, keyMap] }) {
  const grey = { ...image, planes: [brightnessOf(image)] };
  const tokens = windowTokens(grey, pixel, radius, patch_radius),
    d = moment.length;
  const first = d * ((tokens.length / d) >> 1);
  return { query: product(tokens.slice(first, first + d), queryMap, d), keys: product(tokens, keyMap, d), d };
}

/**
 * lib.patch_attention.window_tokens: [patch, ‖patch‖²/5, 1, −‖Δx‖²/R², Δx = 0] of each key of a pixel's window.
 * @param {Image} image @param {Pixel} pixel @param {number} radius @param {number} patchRadius
 */
function windowTokens(image, pixel, radius, patchRadius) {
  const grid = lines(image, radius + patchRadius),
    [line] = grid.lines;
  const side = 2 * patchRadius + 1,
    norm = side * side,
    d = norm + 4;
  const keys = windowKeys({ ...grid, radius }, pixel),
    across = 2 * radius + 1;
  const tokens = new Float64Array(keys.length * d);
  keys.forEach((key, j) => {
    const [row, column] = [Math.floor(j / across) - radius, (j % across) - radius];
    const square = row * row + column * column;
    let sum = 0;
    for (let k = 0; k < norm; k += 1) {
      const at = key + (Math.floor(k / side) - patchRadius) * grid.step + (k % side) - patchRadius;
      tokens[j * d + k] = line[at] - 0.5;
      sum += (line[at] - 0.5) ** 2;
    }
    tokens.set([sum / 5, 1, -square / radius ** 2, Number(square === 0)], j * d + norm);
  });
  return tokens;
}

/** Vectors (n, d) minus their mean. @param {Float64Array} vectors @param {number} d */
function centred(vectors, d) {
  const mean = new Float64Array(d),
    n = vectors.length / d;
  vectors.forEach((number, i) => (mean[i % d] += number / n));
  return vectors.map((number, i) => number - mean[i % d]);
}

/**
 * Frequencies (m, d), scaled per axis to match the second moments of q + k, and the importance weights that keep
 * the estimate unbiased.
 * @param {Float64Array} frequencies @param {number[]} moments
 */
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

// ---- The cleaned photograph -------------------------------------------------------------------------------

/**
 * The estimates in a box of an image, as planes. The image must contain everything that the windows cover, except
 * beyond a border, which is mirrored.
 * @param {Image} image
 * @param {{ top: number, left: number, height: number, width: number }} box
 * @param {number} year
 * @param {Given} given
 */
export function cleanBox(image, box, year, given) {
  if (year === 2017 || year === 2020) {
    const own = withTemperature(given, year),
      head = headOf(image, box, own);
    return averagesIn(image, box, given, year === 2017 ? headWeights(head) : featureWeights(head, own));
  }
  const kernel = kernelOf(given, year);
  if (kernel.position_block === "gaussian" && kernel.value_block === "none")
    return positionAverages(image, kernel).map((plane) => part(plane, image.width, box));
  const steering = kernel.position_block === "steering" && steeringPlanes(image, given.disk);
  const steps = filterInSteps(windowKernel(image, steering, kernel));
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value.map((plane) => part(plane, image.width, box));
}

/** A box of a plane. @param {Float64Array} plane @param {number} step @param {Box} box */
function part(plane, step, { top, left, height, width }) {
  const box = new Float64Array(height * width);
  for (let r = 0; r < height; r += 1) {
    const from = (top + r) * step + left;
    box.set(plane.subarray(from, from + width), r * width);
  }
  return box;
}

/**
 * Average the colours of each window in a box; `weigh(row, column, weights)` writes weights that need not sum to 1.
 * @param {Image} image @param {Box} box @param {{ radius: number }} given @param {Weigh} weigh
 */
function averagesIn(image, { top, left, height, width }, { radius }, weigh) {
  const grid = { ...lines(image, radius), radius },
    averages = grid.lines.map(() => new Float64Array(height * width));
  const keys = windowKeys(grid, [top, left]),
    weights = new Float64Array(keys.length);
  for (let i = 0; i < height * width; i += 1) {
    const [row, column] = [Math.floor(i / width), i % width],
      shift = row * grid.step + column;
    weigh(row, column, weights);
    const total = weights.reduce((a, b) => a + b, 0);
    grid.lines.forEach((line, c) => {
      let sum = 0;
      for (let k = 0; k < keys.length; k += 1) sum += weights[k] * line[keys[k] + shift];
      averages[c][i] = sum / total;
    });
  }
  return averages;
}

/**
 * Queries of the pixels in a box, and keys of these and of all pixels in their windows. A key depends on the query
 * only by what is added for its offset: `near` times −‖Δx‖²/R², and `self` at Δx = 0.
 * @param {Image} image
 * @param {Box} box
 * @param {Given} given
 */
function headOf(image, { top, left, height, width }, { radius, patch_radius, moment, maps: [queryMap, keyMap] }) {
  const d = moment.length,
    wide = { height: height + 2 * radius, width: width + 2 * radius };
  const grid = lines({ ...image, planes: [brightnessOf(image)] }, radius + patch_radius);
  const corner = grid.first + (top - radius) * grid.step + left - radius;
  const tokens = new Float64Array(wide.height * wide.width * d);
  for (let i = 0; i < wide.height * wide.width; i += 1) {
    const at = corner + Math.floor(i / wide.width) * grid.step + (i % wide.width);
    tokens.set(patchToken(grid, at, patch_radius), i * d);
  }
  const column = (/** @type {Float64Array} */ map, /** @type {number} */ c) =>
    Float64Array.from({ length: d }, (_, r) => map[r * d + c]);
  const queries = product(tokens, queryMap, d),
    selfQuery = column(queryMap, d - 1);
  return {
    ...{ d, radius, wide },
    queries: queries.map((number, i) => number + selfQuery[i % d]),
    keys: product(tokens, keyMap, d),
    near: column(keyMap, d - 2),
    self: column(keyMap, d - 1),
    offsets: windowOffsets(radius),
  };
}

/**
 * The first features of a token, those that do not depend on the query: [patch, ‖patch‖²/5, 1].
 * @param {{ step: number, lines: Float64Array[] }} grid @param {number} at @param {number} radius
 */
function patchToken({ step, lines: [line] }, at, radius) {
  const side = 2 * radius + 1,
    /** @type {number[]} */ patch = [];
  for (let k = 0; k < side * side; k += 1) {
    patch.push(line[at + (Math.floor(k / side) - radius) * step + (k % side) - radius] - 0.5);
  }
  return [...patch, patch.reduce((sum, number) => sum + number * number, 0) / 5, 1];
}

/** @typedef {ReturnType<typeof windowOffsets>[number]} Offset */
/** @typedef {ReturnType<typeof headOf>} Head */

/** The offsets of a window's keys, row by row, with −‖Δx‖²/R². @param {number} radius */
function windowOffsets(radius) {
  const side = 2 * radius + 1;
  return Array.from({ length: side * side }, (_, k) => {
    const [row, column] = [Math.floor(k / side) - radius, (k % side) - radius],
      square = row * row + column * column;
    return { row, column, square, near: -square / radius ** 2 };
  });
}

/**
 * The inner product of d numbers of x from index a and of y from index b, as four independent sums.
 * @param {Float64Array} x
 * @param {number} a
 * @param {Float64Array} y
 * @param {number} b
 * @param {number} d
 */
function innerOf(x, a, y, b, d) {
  let p = 0,
    q = 0,
    r = 0,
    s = 0,
    c = 0;
  for (; c < d - 3; c += 4) {
    p += x[a + c] * y[b + c];
    q += x[a + c + 1] * y[b + c + 1];
    r += x[a + c + 2] * y[b + c + 2];
    s += x[a + c + 3] * y[b + c + 3];
  }
  for (; c < d; c += 1) p += x[a + c] * y[b + c];
  return p + q + (r + s);
}

/** The attention weights of the pixel in this row and column of the box. @param {Head} head */
function headWeights({ d, radius, wide, queries, keys, near, self, offsets }) {
  /** @type {Weigh} */
  return (row, column, weights) => {
    const at = (row + radius) * wide.width + column + radius,
      perNear = innerOf(queries, at * d, near, 0, d);
    let largest = -Infinity;
    for (let k = 0; k < offsets.length; k += 1) {
      const offset = offsets[k],
        key = at + offset.row * wide.width + offset.column;
      weights[k] = innerOf(queries, at * d, keys, key * d, d) + perNear * offset.near;
      if (offset.square === 0) weights[k] += innerOf(queries, at * d, self, 0, d);
      if (weights[k] > largest) largest = weights[k];
    }
    for (let k = 0; k < offsets.length; k += 1) weights[k] = Math.exp(weights[k] - largest);
  };
}

/**
 * The weights of the Performer. exp(ω·k) is a product of three factors: one of the pixel, which all windows share;
 * one of the offset, which depends only on ‖Δx‖; and one of the window's mean, which depends only on the query.
 * @param {Head} head
 * @param {Given} given
 */
function featureWeights(head, given) {
  const { d, radius, wide, queries, offsets } = head,
    spread = spreadFrequencies(/** @type {Float64Array} */ (given.frequencies), given.moment);
  const { frequencies, logWeights } = spread,
    m = logWeights.length;
  const keys = centred(head.keys, d),
    shared = product(keys, frequencies, d).map(Math.exp);
  const added = addedTo(head),
    byOffset = new Map([...added].map(([square, vector]) => [square, product(vector, frequencies, d).map(Math.exp)]));
  const asked = product(queries, frequencies, d);
  const mean = new Float64Array(d),
    own = new Float64Array(m),
    halves = new Float64Array(offsets.length);
  const products = new Map([...added.keys()].map((square) => [square, new Float64Array(m)]));

  /** @type {Weigh} */
  return (row, column, weights) => {
    const at = (row + radius) * wide.width + column + radius,
      keyAt = (/** @type {Offset} */ { row: down, column: right }) => at + down * wide.width + right;
    mean.fill(0);
    for (const offset of offsets) {
      const key = keyAt(offset) * d,
        more = entry(added, offset.square);
      for (let c = 0; c < d; c += 1) mean[c] += (keys[key + c] + more[c]) / offsets.length;
    }
    const ofMean = product(mean, frequencies, d);
    let peak = -Infinity,
      least = Infinity;
    for (let l = 0; l < m; l += 1) {
      own[l] = asked[at * m + l] + logWeights[l] - ofMean[l];
      if (own[l] > peak) peak = own[l];
    }
    for (let l = 0; l < m; l += 1) own[l] = Math.exp(own[l] - peak);
    for (const [square, numbers] of products) {
      const factor = entry(byOffset, square);
      for (let l = 0; l < m; l += 1) numbers[l] = own[l] * factor[l];
    }
    offsets.forEach((offset, k) => {
      const key = keyAt(offset) * d,
        more = entry(added, offset.square);
      let squares = 0;
      for (let c = 0; c < d; c += 1) squares += (keys[key + c] + more[c] - mean[c]) ** 2;
      halves[k] = squares / 2;
      if (halves[k] < least) least = halves[k];
    });
    for (let k = 0; k < offsets.length; k += 1) {
      const features = innerOf(entry(products, offsets[k].square), 0, shared, keyAt(offsets[k]) * m, m);
      weights[k] = features * Math.exp(least - halves[k]);
    }
    const total = weights.reduce((a, b) => a + b, 0);
    if (total > 1e-200 && total < 1e200) return;
    const window = Float64Array.from({ length: offsets.length * d }, (_, i) => {
      const offset = offsets[Math.floor(i / d)];
      return keys[keyAt(offset) * d + (i % d)] + entry(added, offset.square)[i % d];
    });
    weights.set(performer({ query: queries.slice(at * d, at * d + d), keys: window, d }, spread)); // no overflow, but slow
  };
}

/**
 * The entry of an offset, which every map by ‖Δx‖² has.
 * @template T
 * @param {Map<number, T>} map
 * @param {number} square
 */
const entry = (map, square) => /** @type {T} */ (map.get(square));

/**
 * The term that an offset adds to a key's log-weight, as a function of ‖Δx‖².
 * @param {Pick<Head, "d" | "near" | "self" | "offsets">} head
 */
function addedTo({ d, near, self, offsets }) {
  const vector = (/** @type {Offset} */ offset) =>
    Float64Array.from({ length: d }, (_, c) => offset.near * near[c] + (offset.square === 0 ? self[c] : 0));
  return new Map(offsets.map((offset) => [offset.square, vector(offset)]));
}
