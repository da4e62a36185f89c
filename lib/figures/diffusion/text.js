import { format, role } from "../parts/numbers.js";

/**
 * @typedef {import("./walk.js").Data} Data
 * @typedef {import("./walk.js").Figure["now"]} Now
 * @typedef {import("./walk.js").Found} Found
 */

// The published state and the sentence.

export const SAME = 0.01; // images at a smaller RMS distance count as identical

const NEW = 0.1; // a larger RMS distance counts as a new image

const published = (/** @type {number} */ number) => Number(number.toPrecision(10)); // Python and the browser may differ in further digits

const ENGLISH = new Intl.NumberFormat("en-GB"); // creating one takes longer than formatting

/** @param {number} number */
export const counted = (number) => ENGLISH.format(number);

/** @param {Data} _ @param {Now} now */
export const state = (_, { setting, step, noiseStd, radius, pixel, isPlane, found }) => ({
  noise_std: noiseStd,
  step,
  patch_radius: radius,
  view: setting.view,
  start: setting.start,
  pixel,
  strokes: setting.brush,
  ...(isPlane && { points: setting.points }),
  ...(found && {
    weights: found.heaviest.map((index) => ({ index, weight: published(found.weights[index]) })),
    keys_for_90_percent: found.count,
    nearest: found.nearest,
    distance_to_nearest: published(found.distance),
  }),
});

/** @param {{ noun: string }} data @param {boolean} isPlane */
const nameOf = ({ noun }, isPlane) => (isPlane ? "point" : noun);

/**
 * Describe the distance between the best guess and the nearest training image.
 * @param {Data} data
 * @param {Now} now
 * @param {Found} found
 */
function verdict(data, { step, isPlane }, { nearest, distance }) {
  const noun = nameOf(data, isPlane),
    number = isPlane ? nearest + 1 : nearest;
  const away = `at RMS distance ${format(distance, 2)} from the nearest training ${noun}, number ${number}`;
  if (distance < SAME) return `is training ${noun} number ${number}${isPlane ? "" : ", to the last grey level"}`;
  const isEnd = step === data.levels.length - 1;
  return isEnd ? `is ${away}: ${distance > NEW ? "a new one" : "nearly the same"}` : `is ${away}: still a mixture`;
}

/** @param {Data} data @param {Now} now */
export function sentence(data, now) {
  const { setting, radius, step, found, isPlane, answers } = now;
  if (answers.problem) return answers.problem;
  if (!found) return `The training ${data.noun}s are loading.`;
  const { known, isThere, count, weights } = found;
  if (!isThere) return `Comparing the patches of ${counted(known.pictures.length)} training ${data.noun}s.`;
  const isEnd = step === data.levels.length - 1,
    noun = nameOf(data, isPlane);
  const gloss = isEnd || radius !== null ? "" : " (posterior mean)"; // outside the bold words, which do not break
  const subject = `${role("estimate", isEnd ? "the result" : "the best guess")}${gloss}`;
  const noise = `${role("query", `Noise σ = ${setting.noise}`)}, step ${step + 1} of ${data.levels.length}: `;
  return (
    `${noise}${subject} ${verdict(data, now, found)}. ` +
    `90\u00a0% of the weight${radius === null ? "" : " of the marked patch"} lies on ` +
    `${role("weight", `${counted(count)} of ${counted(weights.length)}`)} training ${noun}s.${isPlane ? " Each arrow points from a noisy point towards its best guess." : ""}`
  );
}
