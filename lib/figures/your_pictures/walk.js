import { averagePicture, denoisePatches, denoiseWeights, stepTowards } from "../methods/diffusion.js";
import { boxMullerNoise } from "../methods/noise.js";

// Walks from noise, and the noisy picture as a walk of one step. They run in the page or in a worker.

/**
 * @typedef {object} Job
 * @property {Float64Array[]} pictures the keys
 * @property {import("./training_set.js").Shape} shape
 * @property {number[]} levels
 * @property {number | null} radius of the patches; null compares whole pictures
 * @property {Float64Array | undefined} clean the picture that gets noise of the first level; undefined for none
 *
 * @typedef {{ noisy: Float64Array, guess: Float64Array }} Step
 */

/** The noisy picture at the first level. @param {Job} job @param {number} seed */
export function startOf({ pictures, levels, clean }, seed) {
  const noise = boxMullerNoise(seed, pictures[0].length);
  return noise.map((value, i) => (clean ? clean[i] : 0) + levels[0] * value);
}

/** Each step's noisy picture and estimate (eq:walk). @param {Job} job @param {number} seed @returns {Step[]} */
export function walkOf(job, seed, progress = (/** @type {number} */ _share) => {}) {
  const { levels } = job;
  let noisy = startOf(job, seed);
  return levels.map((level, k) => {
    const guess = denoised(noisy, job, level),
      step = { noisy, guess };
    if (k + 1 < levels.length) noisy = stepTowards(noisy, guess, level, levels[k + 1]);
    progress((k + 1) / levels.length);
    return step;
  });
}

/** @type {(noisy: Float64Array, job: Job, noiseStd: number) => Float64Array} */
function denoised(noisy, { pictures, shape, radius }, noiseStd) {
  if (radius !== null) return denoisePatches(noisy, pictures, noiseStd, radius, shape);
  return averagePicture(denoiseWeights(noisy, pictures, noiseStd, [...noisy.keys()]), pictures);
}

/** Return about how many operations a walk takes. @param {Job} job */
export const costOf = ({ pictures, levels, radius }) =>
  pictures.length * pictures[0].length * levels.length * (radius === null ? 1 : 4 * radius + 8);
