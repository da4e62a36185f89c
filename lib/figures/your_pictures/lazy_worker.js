import { answerJobs } from "../parts/job.js";
import { readPictures } from "./read.js";
import { picturesOf, sizeOf } from "./training_set.js";
import { walkOf } from "./walk.js";

// Web worker that reads pictures and computes long walks, so that the page stays alive.

/** @typedef {Omit<import("./walk.js").Job, "pictures"> & { bytes: Uint8Array, seeds: number[] }} Asked */

/**
 * Walk from each seed; of several, only the last estimates are needed.
 * @param {Asked} asked
 * @param {(share: number) => void} progress
 */
function walks({ bytes, seeds, ...job }, progress) {
  const whole = { ...job, pictures: picturesOf(bytes, sizeOf(job.shape)) };
  const all = seeds.map((seed, k) => walkOf(whole, seed, (share) => progress((k + share) / seeds.length)));
  return seeds.length > 1 ? all.map((steps) => steps[steps.length - 1].guess) : all[0];
}

answerJobs(({ files, walk }, progress) => (files ? readPictures(files, progress) : walks(walk, progress)));
