// The weights that the method of each year gives the window of one pixel, as in methods.py.

import { brightnessOf, lines, steeringPlanes, windowKernel, windowKeys, windowLogWeights } from "../methods/filters.js";
import { keyExponents, product, weightsOfFeatures } from "../methods/random_features.js";
import { normalized, softmax } from "../methods/weights.js";

const BEYOND = 7; // pixels around a window that its weights depend on: the disk of the steering matrices and their gradient

/**
 * What computes weights: `(year, pixel)` → weights of the window's keys.
 * @param {import("../parts/photograph.js").Image} noisy
 * @param {any} given what Python says of the methods
 * @returns {(year: number, pixel: import("../parts/photograph.js").Pixel) => number[]}
 */
export function createMethods(noisy, given) {
  const spread = spreadFrequencies(given.frequencies, given.moment);
  const learned = { 2017: attention, 2020: performer };
  return (year, pixel) => {
    const { image, here } = cropAround(noisy, pixel, given.radius + BEYOND);
    if (year in learned) return Array.from(learned[year](vectorsOf(image, here, given), spread));
    const { kernel } = given.methods.find((method) => method.year === year);
    const steering = kernel.position_block === "steering" && steeringPlanes(image, given.disk);
    return softmax(windowLogWeights(windowKernel(image, steering, kernel), here));
  };
}

/** The part of an image that reaches so far around a pixel, or to the border, and where the pixel is in it. */
function cropAround({ height, width, planes }, [row, column], reach) {
  const [top, left] = [row, column].map((middle) => Math.max(middle - reach, 0));
  const rows = Math.min(row + reach + 1, height) - top,
    columns = Math.min(column + reach + 1, width) - left;
  const cropped = (plane) =>
    Float64Array.from(
      { length: rows * columns },
      (_, i) => plane[(top + Math.floor(i / columns)) * width + left + (i % columns)],
    );
  return { image: { height: rows, width: columns, planes: planes.map(cropped) }, here: [row - top, column - left] };
}

/** One trained head on patches of brightness. */
const attention = ({ query, keys, d }) => softmax(product(query, keys, d));

/** The same from random features: keys less their mean, frequencies spread to fit the photograph. */
function performer({ query, keys, d }, { frequencies, logWeights }) {
  const asked = product(query, frequencies, d).map((exponent, l) => exponent + logWeights[l]);
  const exponents = keyExponents(centred(keys, d), frequencies, d);
  return normalized(weightsOfFeatures(asked, exponents, logWeights.length));
}

/** A pixel's query and the keys of its window: projections of their tokens. */
function vectorsOf(image, pixel, { radius, patch_radius, moment, maps: [queryMap, keyMap] }) {
  const grey = { ...image, planes: [brightnessOf(image)] };
  const tokens = windowTokens(grey, pixel, radius, patch_radius),
    d = moment.length;
  const first = d * ((tokens.length / d) >> 1);
  return { query: product(tokens.slice(first, first + d), queryMap, d), keys: product(tokens, keyMap, d), d };
}

/** lib.patch_attention.window_tokens: [patch, ‖patch‖²/5, 1, −‖Δx‖²/R², Δx = 0] of each key of a pixel's window. */
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

/** Vectors (n, d) less their mean. */
function centred(vectors, d) {
  const mean = new Float64Array(d),
    n = vectors.length / d;
  vectors.forEach((number, i) => (mean[i % d] += number / n));
  return vectors.map((number, i) => number - mean[i % d]);
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
