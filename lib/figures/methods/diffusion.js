// Regression on training images, line by line as in lib/diffusion.py. An image is a flat array; the noisy image is the
// query, and the training images are keys and values.

import { softmax } from "./weights.js";

/**
 * The size of an image in pixels; the colours of a pixel follow each other.
 * @typedef {{ height: number, width: number, channels?: number }} Shape
 */

/**
 * The pixels of the patch around one pixel, cropped at the border.
 * @param {Shape} shape
 * @param {number} pixel
 * @param {number} radius
 */
export function patchAround({ height, width }, pixel, radius) {
  const [row, column] = [Math.floor(pixel / width), pixel % width];
  const isNear = (/** @type {number} */ i) =>
    Math.max(Math.abs(Math.floor(i / width) - row), Math.abs((i % width) - column)) <= radius;
  return [...Array(height * width).keys()].filter(isNear);
}

/**
 * The weight of each training image (eq:denoise_weights).
 * @param {ArrayLike<number>} noisy
 * @param {ArrayLike<number>[]} pictures
 * @param {number} noiseStd
 * @param {number[]} [compared] the indices of the compared pixels, if not all
 */
export function denoiseWeights(noisy, pictures, noiseStd, compared) {
  const logWeights = pictures.map((picture) => -squaredDistance(noisy, picture, compared) / (2 * noiseStd ** 2));
  return softmax(logWeights);
}

/** @param {ArrayLike<number>} noisy @param {ArrayLike<number>} picture @param {number[]} [compared] */
function squaredDistance(noisy, picture, compared) {
  let sum = 0;
  if (compared) for (const i of compared) sum += (noisy[i] - picture[i]) ** 2;
  else for (let i = 0; i < picture.length; i += 1) sum += (noisy[i] - picture[i]) ** 2;
  return sum;
}

/** The average of the training images (eq:denoise). @param {number[]} weights @param {ArrayLike<number>[]} pictures */
export function averagePicture(weights, pictures) {
  const size = pictures[0].length,
    sum = new Float64Array(size);
  for (let k = 0; k < pictures.length; k += 1) {
    const weight = weights[k],
      picture = pictures[k];
    if (weight > 0) for (let i = 0; i < size; i += 1) sum[i] += weight * picture[i];
  }
  return sum;
}

/**
 * The patch denoiser: the best guess with separate weights for each pixel, from the patches around it
 * (eq:patch_denoise), like `denoiseWeights` for all patches at once. It iterates over the images and keeps, per pixel,
 * the largest log-weight so far, the sum of the weights relative to it, and their average.
 * @param {Float64Array} noisy
 * @param {ArrayLike<number>[]} pictures
 * @param {number} noiseStd
 * @param {number} radius
 * @param {Shape} shape
 */
export function denoisePatches(noisy, pictures, noiseStd, radius, { height, width, channels = 1 }) {
  const size = height * width;
  const largest = new Float64Array(size).fill(-Infinity),
    total = new Float64Array(size),
    sum = new Float64Array(noisy.length);
  for (const picture of pictures) {
    const squares = patchSums(squaresOf(noisy, picture, channels), radius, { height, width });
    for (let i = 0; i < size; i += 1) {
      const logWeight = -squares[i] / (2 * noiseStd ** 2),
        shrunk = logWeight > largest[i] ? Math.exp(largest[i] - logWeight) : 1;
      largest[i] = Math.max(largest[i], logWeight);
      const weight = Math.exp(logWeight - largest[i]);
      total[i] = total[i] * shrunk + weight;
      for (let c = i * channels; c < (i + 1) * channels; c += 1) sum[c] = sum[c] * shrunk + weight * picture[c];
    }
  }
  return sum.map((value, c) => value / total[Math.floor(c / channels)]);
}

/**
 * The squared differences of two images, summed over the colours of each pixel.
 * @param {ArrayLike<number>} image @param {ArrayLike<number>} other @param {number} channels
 */
function squaresOf(image, other, channels) {
  const squares = new Float64Array(image.length / channels);
  for (let c = 0; c < image.length; c += 1) squares[Math.floor(c / channels)] += (image[c] - other[c]) ** 2;
  return squares;
}

/**
 * The sums over the patch around each pixel: along the rows, then along the columns.
 * @param {Float64Array} values @param {number} radius @param {Shape} shape
 */
function patchSums(values, radius, { height, width }) {
  /**
   * @param {Float64Array} numbers @param {number} count @param {number} length @param {number} step @param
   *   {number} next
   */
  const along = (numbers, count, length, step, next) => {
    const sums = new Float64Array(numbers.length);
    for (let line = 0; line < count; line += 1) {
      for (let i = 0; i < length; i += 1) {
        const end = Math.min(i + radius, length - 1);
        let sum = 0;
        for (let j = Math.max(i - radius, 0); j <= end; j += 1) sum += numbers[line * next + j * step];
        sums[line * next + i * step] = sum;
      }
    }
    return sums;
  };
  return along(along(values, height, width, 1, width), width, height, width, 1);
}

/**
 * One step of the trajectory: towards the guess, in proportion to the decrease of the noise (eq:walk).
 * @param {ArrayLike<number>} noisy
 * @param {Float64Array} guess
 * @param {number} noiseStd
 * @param {number} next
 */
export const stepTowards = (noisy, guess, noiseStd, next) =>
  guess.map((value, i) => value + (next / noiseStd) * (noisy[i] - value));

/**
 * The training image nearest to a guess, and its RMS distance. An image that is farther is not compared to its end.
 * @param {ArrayLike<number>} guess @param {ArrayLike<number>[]} pictures
 */
export function nearestTo(guess, pictures) {
  let [nearest, least] = [0, Infinity];
  pictures.forEach((picture, k) => {
    let sum = 0;
    for (let i = 0; i < picture.length && sum < least; i += 1) sum += (guess[i] - picture[i]) ** 2;
    if (sum < least) [nearest, least] = [k, sum];
  });
  return { nearest, distance: Math.sqrt(least / guess.length) };
}
