import { format, role } from "../parts/numbers.js";

// What the figure publishes and says.

export const SAME = 0.01; // root mean square: nearer than this is the same picture

const NEW = 0.1; // farther than this, a new one

const published = (number) => Number(number.toPrecision(10)); // Python's sums and the browser's differ behind

export const counted = (number) => number.toLocaleString("en-GB");

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

/** Same or new: what the best guess is beside the known pictures. */
function verdict(data, { nearest, distance, step, isPlane }) {
  const noun = nameOf(data, { isPlane }),
    number = isPlane ? nearest + 1 : nearest;
  const away = `${format(distance, 2)} from the nearest known ${noun}, number ${number}`;
  if (distance < SAME) return `is number ${number} of the known ${noun}s${isPlane ? "" : ", to the last grey level"}`;
  const isEnd = step === data.levels.length - 1;
  return isEnd ? `is ${away}: ${distance > NEW ? "a new one" : "nearly the same"}` : `is ${away}: a mixture so far`;
}

export function sentence(data, now) {
  const { setting, radius, step, weights, count, known, isThere, isPlane, answers } = now;
  if (answers.problem) return answers.problem;
  if (!known) return `The known ${data.noun}s are on their way.`;
  if (!isThere) return `The patches of ${counted(known.pictures.length)} ${data.noun}s are being compared.`;
  const isEnd = step === data.levels.length - 1,
    noun = nameOf(data, now);
  const subject = role("estimate", `${isEnd ? "what came out" : "the best guess"}`);
  const noise = `${role("query", `Noise σ = ${setting.noise}`)}, step ${step + 1} of ${data.levels.length}: `;
  return (
    `${noise}${subject} ${verdict(data, now)}. ` +
    `90\u00a0% of the weight${radius === null ? "" : " of the marked patch"} lies on ` +
    `${role("weight", `${counted(count)} of ${counted(weights.length)}`)} known ${noun}s.${isPlane ? " Arrows point to the best guess at each place." : ""}`
  );
}
