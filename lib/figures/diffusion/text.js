import { format, role } from "../parts/numbers.js";

// The published state and the sentence.

export const SAME = 0.01; // images at a smaller RMS distance count as identical

const NEW = 0.1; // a larger RMS distance counts as a new image

const published = (number) => Number(number.toPrecision(10)); // Python and the browser may differ in further digits

const ENGLISH = new Intl.NumberFormat("en-GB"); // creating one takes longer than formatting

/** @param {number} number */
export const counted = (number) => ENGLISH.format(number);

export const state = (
  _,
  { setting, step, noiseStd, radius, pixel, weights, heaviest, count, nearest, distance, isPlane },
) => ({
  noise_std: noiseStd,
  step,
  patch_radius: radius,
  view: setting.view,
  start: setting.start,
  pixel,
  strokes: setting.brush,
  ...(isPlane && { points: setting.points }),
  ...(weights && {
    weights: heaviest.map((index) => ({ index, weight: published(weights[index]) })),
    keys_for_90_percent: count,
    nearest,
    distance_to_nearest: published(distance),
  }),
});

const nameOf = ({ noun }, { isPlane }) => (isPlane ? "point" : noun);

/** Describe the distance between the best guess and the nearest training image. */
function verdict(data, { nearest, distance, step, isPlane }) {
  const noun = nameOf(data, { isPlane }),
    number = isPlane ? nearest + 1 : nearest;
  const away = `at RMS distance ${format(distance, 2)} from the nearest training ${noun}, number ${number}`;
  if (distance < SAME) return `is training ${noun} number ${number}${isPlane ? "" : ", to the last grey level"}`;
  const isEnd = step === data.levels.length - 1;
  return isEnd ? `is ${away}: ${distance > NEW ? "a new one" : "nearly the same"}` : `is ${away}: still a mixture`;
}

export function sentence(data, now) {
  const { setting, radius, step, weights, count, known, isThere, isPlane, answers } = now;
  if (answers.problem) return answers.problem;
  if (!known) return `The training ${data.noun}s are loading.`;
  if (!isThere) return `Comparing the patches of ${counted(known.pictures.length)} training ${data.noun}s.`;
  const isEnd = step === data.levels.length - 1,
    noun = nameOf(data, now);
  const gloss = isEnd || radius !== null ? "" : " (posterior mean)"; // outside the bold words, which do not break
  const subject = `${role("estimate", isEnd ? "the result" : "the best guess")}${gloss}`;
  const noise = `${role("query", `Noise σ = ${setting.noise}`)}, step ${step + 1} of ${data.levels.length}: `;
  return (
    `${noise}${subject} ${verdict(data, now)}. ` +
    `90\u00a0% of the weight${radius === null ? "" : " of the marked patch"} lies on ` +
    `${role("weight", `${counted(count)} of ${counted(weights.length)}`)} training ${noun}s.${isPlane ? " Each arrow points from a noisy point towards its best guess." : ""}`
  );
}
