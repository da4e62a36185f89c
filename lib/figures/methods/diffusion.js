// Regression on known pictures, the same lines as in lib/diffusion.py. A picture is a row of numbers; the noisy one is
// the query, the known ones are keys and values.

import { softmax } from "./weights.js";

/** How many pixels stand above and beside each other. @typedef {{ height: number, width: number }} Shape */

/** The pixels of the patch around one, as far as they lie in the picture. @param {Shape} shape @param {number} pixel */
export function patchAround({ height, width }, pixel, radius) {
  const [row, column] = [Math.floor(pixel / width), pixel % width];
  const isNear = (_, i) => Math.max(Math.abs(Math.floor(i / width) - row), Math.abs((i % width) - column)) <= radius;
  return [...Array(height * width).keys()].filter((i) => isNear(0, i));
}

/**
 * The weight of each known picture (eq:denoise_weights).
 * @param {ArrayLike<number>} noisy
 * @param {ArrayLike<number>[]} pictures
 * @param {number} noiseStd
 * @param {number[]} compared the pixels that are compared: all, or those of a patch
 */
export function denoiseWeights(noisy, pictures, noiseStd, compared) {
  const logWeights = pictures.map((picture) => -squaredDistance(noisy, picture, compared) / (2 * noiseStd ** 2));
  return softmax(logWeights);
}

function squaredDistance(noisy, picture, compared) {
  let sum = 0;
  for (const i of compared) sum += (noisy[i] - picture[i]) ** 2;
  return sum;
}

/** The average of the known pictures (eq:denoise). @param {number[]} weights @param {ArrayLike<number>[]} pictures */
export function averagePicture(weights, pictures) {
  const sum = new Float64Array(pictures[0].length);
  weights.forEach((weight, k) => {
    if (weight > 0) for (let i = 0; i < sum.length; i += 1) sum[i] += weight * pictures[k][i];
  });
  return sum;
}

/**
 * The best guess with weights for each pixel, by the patches around it (eq:patch_denoise): `denoiseWeights` of all
 * patches at once. It goes through the pictures and keeps, per pixel, the largest log-weight so far, the sum of the
 * weights relative to it, and their average.
 */
export function denoisePatches(noisy, pictures, noiseStd, radius, shape) {
  const size = noisy.length;
  const largest = new Float64Array(size).fill(-Infinity),
    total = new Float64Array(size),
    sum = new Float64Array(size);
  for (const picture of pictures) {
    const squares = patchSums(
      Float64Array.from(picture, (value, i) => (noisy[i] - value) ** 2),
      radius,
      shape,
    );
    for (let i = 0; i < size; i += 1) {
      const logWeight = -squares[i] / (2 * noiseStd ** 2);
      if (logWeight > largest[i]) {
        const shrunk = Math.exp(largest[i] - logWeight);
        [total[i], sum[i], largest[i]] = [total[i] * shrunk, sum[i] * shrunk, logWeight];
      }
      const weight = Math.exp(logWeight - largest[i]);
      total[i] += weight;
      sum[i] += weight * picture[i];
    }
  }
  return sum.map((value, i) => value / total[i]);
}

/** The sums over the patch around each pixel: along the rows, then along the columns. */
function patchSums(values, radius, { height, width }) {
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

/** One step of the walk: towards the guess as far as the noise falls (eq:walk). */
export const stepTowards = (noisy, guess, noiseStd, next) =>
  guess.map((value, i) => value + (next / noiseStd) * (noisy[i] - value));

/** Root mean square of the differences of two pictures. */
export function rootMeanSquare(picture, other) {
  let sum = 0;
  for (let i = 0; i < picture.length; i += 1) sum += (picture[i] - other[i]) ** 2;
  return Math.sqrt(sum / picture.length);
}

/** The known picture nearest to a guess, and how far it is. */
export function nearestTo(guess, pictures) {
  const distances = pictures.map((picture) => rootMeanSquare(guess, picture));
  const distance = Math.min(...distances);
  return { nearest: distances.indexOf(distance), distance };
}

/** A number in (0, 1) that follows from a whole one, as `_uniform` of diffusion.py mixes its bits. */
function uniform(counter) {
  let bits = Math.imul(counter, 0x9e3779b9);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (((bits ^ (bits >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}

/** Normal numbers of this seed, by Box and Muller: `box_muller_noise` of diffusion.py. */
export const standardNoise = (seed, size) =>
  Float64Array.from({ length: size }, (_, i) => {
    const counter = 65536 * seed + 2 * i;
    return Math.sqrt(-2 * Math.log(uniform(counter))) * Math.cos(2 * Math.PI * uniform(counter + 1));
  });
