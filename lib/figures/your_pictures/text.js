import { format, role } from "../parts/numbers.js";

// The published state and the sentence. Names of files are in neither.

const SAME = 0.01, // pictures at a smaller RMS difference count as equal
  NEW = 0.1; // a result at a larger one counts as new

/** @typedef {import("./your_pictures.js").Figure["now"]} Now */

/** A noise level with two digits. @param {number} level */
export const levelText = (level) => String(Number(level.toPrecision(2)));

export const counted = (/** @type {number} */ number) => number.toLocaleString("en-GB");

const published = (/** @type {number} */ number) => Number(number.toPrecision(10));

/** Return how far the estimate is from the nearest picture of the training set, for titles. @param {number} distance */
export const awayText = (distance) => (distance < SAME ? "the same" : `RMS ${format(distance, 2)}`);

/** @param {unknown} _ @param {Now} now */
export const state = (_, now) => ({
  noise_std: now.noiseStd,
  step: now.step,
  n_steps: now.levels.length,
  patch_radius: now.radius,
  task: now.task,
  set: now.setName,
  kind: now.setting.kind,
  start: now.setting.start,
  n_pictures: now.known.kept.length,
  picture: now.picture,
  pixel: now.pixel,
  is_there: !!now.walk,
  weights: now.heaviest.map((k) => ({ index: now.keys[k], weight: published(now.weights[k]) })),
  keys_for_90_percent: now.count,
  nearest: now.nearest,
  distance_to_nearest: published(now.distance),
});

/** Return which picture the estimate equals or is nearest to, and how far it is. @param {Now} now */
function verdict({ distance, nearest, isEnd, task }) {
  const size = distance < 0.001 ? "below 0.001" : format(distance, 3),
    unit = `RMS ${size} per pixel; black is −1, white 1`;
  if (distance < SAME) return `equals training image ${nearest} (${unit})`;
  const what = task !== "walk" || !isEnd ? "" : distance > NEW ? ": a new image" : ": nearly the same";
  return `is nearest to training image ${nearest} (${unit})${what}`;
}

/** @type {Record<Now["task"], (now: Now) => string>} */
const OPENINGS = {
  walk: ({ step, levels }) => `Step ${step + 1} of ${levels.length}`,
  denoise: ({ picture }) => `Image ${picture} with noise`,
  unknown: ({ picture }) => `Image ${picture} with noise, left out of the training set`,
};

/** The description of the drawn state, as HTML. @param {unknown} _ @param {Now} now */
export function sentence(_, now) {
  const { setting, task, noiseStd, walk, weights, count, radius, isEnd, known, answers } = now;
  const opening = `${OPENINGS[task](now)}, ${role("query", `σ = ${levelText(noiseStd)}`)}: `;
  if (walk === null) return `${opening}the computation was cancelled. Change a setting to start it again.`;
  if (!walk) return `${opening}comparing ${counted(known.kept.length)} images.`;
  const subject = task === "walk" && isEnd ? "the result" : radius === null ? "the posterior mean" : "the estimate";
  const missing = setting.set === "own" && !answers.own ? " (The link was made with other pictures: open them.)" : "";
  return (
    `${opening}${role("estimate", subject)} ${verdict(now)}. 90\u00a0% of the weight` +
    `${radius === null ? "" : " of the marked patch"} lies on ` +
    `${role("weight", `${counted(count)} of ${counted(weights.length)}`)} images.${missing}`
  );
}
