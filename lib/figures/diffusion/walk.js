import { memo } from "../contract/figure.js";
import { decodeBytes } from "../methods/base64.js";
import { averagePicture, denoiseWeights, nearestTo, patchAround, stepTowards } from "../methods/diffusion.js";
import { boxMullerNoise } from "../methods/noise.js";
import { keysForShare } from "../methods/weights.js";
import { clamp, indicesOfLargest } from "../parts/numbers.js";
import { inside } from "../parts/photograph.js";
import { loadLazy } from "../parts/workers.js";

// The sampling trajectory from noise to an image: what is computed for a setting.

/**
 * @typedef {import("../parts/photograph.js").Pixel} Pixel
 * @typedef {{ height: number, width: number }} Shape
 * @typedef {{ pictures: Float64Array[], shape: Shape, all: number[] }} Known The training images, and the indices of their pixels.
 * @typedef {{ noisy: Float64Array, guess: Float64Array, weights?: Float64Array | number[] }} Step
 * @typedef {ReturnType<typeof walkFrom>} Walk
 * @typedef {{ noise: string, compare: string, view: "pictures" | "points", start: number, pixel: Pixel, brush: number[], points: number[][] }} Setting
 * @typedef {{ known: Known | undefined, problem: string }} Answers
 * @typedef {{ step: number, start: number, nearest: number, distance: number, count: number, scales: number[], pixels: string, heaviest: number[], weights: number[] }} FirstView
 * @typedef {import("../contract/figure.js").Constants & { first: FirstView, shape: [number, number], levels: number[], n_pictures: number, noun: string, worker_code: string, ranges: { noise: string[], view: string[] } }} Given
 * @typedef {ReturnType<typeof withWalks>} Data
 * @typedef {{ step: number, noiseStd: number, radius: number | null, isPlane: boolean, pixel: Pixel, known: Known, walk: Walk, isThere: boolean,
 *   noisy: Float64Array, guess: Float64Array, weights: ArrayLike<number>, heaviest: number[], count: number, nearest: number, distance: number }} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 */

export const N_SHOWN = 10; // training images with the largest weights

const N_WALKERS = 24; // further trajectories in the plane

/** The pixels covered by a round brush at one pixel. */
const brushAt = ({ height, width }, pixel, reach) => {
  const [row, column] = [Math.floor(pixel / width), pixel % width];
  const covered = [];
  for (let y = Math.max(row - reach, 0); y <= Math.min(row + reach, height - 1); y += 1) {
    for (let x = Math.max(column - reach, 0); x <= Math.min(column + reach, width - 1); x += 1) {
      if (Math.hypot(y - row, x - column) <= reach) covered.push(y * width + x);
    }
  }
  return covered;
};

/** Apply strokes to a noisy image: brighter by two standard deviations, and darker by one around them. */
function stroked(noisy, dabs, noiseStd, shape) {
  if (!dabs.length) return noisy;
  const covered = (reach) => new Set(dabs.flatMap((pixel) => brushAt(shape, pixel, reach)));
  const [stroke, around] = [covered(1), covered(3)];
  return noisy.map((value, i) => value + noiseStd * (stroke.has(i) ? 2 : around.has(i) ? -1 : 0));
}

/** The first step at which two lists of strokes differ. A stroke is step · n_pixels + pixel. */
function firstDifference(strokes, others, size) {
  const without = (list, other) => list.filter((stroke) => !other.includes(stroke));
  return Math.floor(Math.min(...without(strokes, others), ...without(others, strokes), Infinity) / size);
}

/**
 * Create a trajectory over the levels. It reuses the steps of the previous trajectory that are identical.
 * @param {Known} known
 * @param {number | null} radius of the compared patches, or null for whole images
 * @param {number} seed
 * @param {number[]} strokes
 * @param {number[]} levels
 * @param {{ known: Known, radius: number | null, seed: number, strokes: number[], steps: Step[] }} [before]
 */
export function walkFrom(known, radius, seed, strokes, levels, before) {
  const { pictures, shape } = known,
    size = pictures[0].length;
  const isSame = before && before.known === known && before.radius === radius && before.seed === seed;
  /** @type {Step[]} */
  const steps = isSame ? before.steps.slice(0, firstDifference(strokes, before.strokes, size)) : [];
  const dabs = (step) => strokes.filter((stroke) => Math.floor(stroke / size) === step).map((stroke) => stroke % size);

  /** The noisy image of the next step. */
  function next() {
    const step = steps.length,
      last = steps[step - 1];
    const noisy = last
      ? stepTowards(last.noisy, last.guess, levels[step - 1], levels[step])
      : boxMullerNoise(seed, size).map((value) => levels[0] * value);
    return stroked(noisy, dabs(step), levels[step], shape);
  }

  /** For whole images: compute up to this step. */
  function go(step) {
    while (steps.length <= step) {
      const noisy = next();
      const weights = denoiseWeights(noisy, pictures, levels[steps.length]);
      steps.push({ noisy, weights, guess: averagePicture(weights, pictures) });
    }
  }

  return { known, radius, seed, strokes, steps, next, go };
}

/** @param {any[]} pictures @param {Shape} shape @returns {Known} */
const knownSet = (pictures, shape) => ({ pictures, shape, all: [...pictures[0].keys()] });

/** Unpack the images from Python. */
async function unpackPictures({ levels, places }, n, shape) {
  const stream = new Blob([decodeBytes(places)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = shape.height * shape.width;
  const picture = (_, k) => Float64Array.from(bytes.subarray(k * size, (k + 1) * size), (place) => levels[place]);
  return knownSet(Array.from({ length: n }, picture), shape);
}

/**
 * Load the training images into the figure's answers, or call `fail`.
 * @param {Pick<Figure, "model" | "signal" | "answer"> & { data: { n_pictures: number, shape: Shape } }} figure
 * @param {() => void} fail
 */
export async function loadPictures({ model, signal, data, answer }, fail) {
  try {
    const packed = await loadLazy(model, "pictures_lazy");
    const known = await unpackPictures(packed, data.n_pictures, data.shape);
    if (!signal.aborted) answer({ known });
  } catch {
    fail();
  }
}

/** The initial view from Python, in the format of `compute`. It contains only the training images that are shown. */
function firstView({ scales, pixels, heaviest, weights, ...numbers }, n, shape) {
  const levels = new Int8Array(decodeBytes(pixels).buffer),
    size = levels.length / scales.length;
  const shown = scales.map((scale, k) =>
    Float64Array.from(levels.subarray(k * size, (k + 1) * size), (x) => scale * x),
  );
  const [noisy, guess, nearest, ...others] = shown;
  const all = Object.assign(Array(n), { [numbers.nearest]: nearest });
  const shares = Array(n);
  heaviest.forEach((index, k) => {
    all[index] = others[k];
    shares[index] = weights[k];
  });
  const known = { pictures: all, shape, all: [...noisy.keys()] };
  return { ...numbers, noisy, guess, heaviest, weights: shares, known, walk: { steps: [] }, isThere: true };
}

/** Extend the constants by memoised functions for trajectories and weights. @param {Given} constants */
export function withWalks(constants) {
  const [height, width] = constants.shape;
  /** @type {Walk | undefined} */
  let before;
  return {
    ...constants,
    shape: { height, width },
    first: firstView(constants.first, constants.n_pictures, { height, width }),
    pointsOf: memo((points) => knownSet(points, { height: 1, width: 2 })),
    walkOf: memo((known, radius, seed, strokes) => {
      before = walkFrom(known, radius, seed, strokes, constants.levels, before);
      return before;
    }),
    others: memo((known, seed) =>
      Array.from({ length: N_WALKERS }, (_, j) => {
        const walk = walkFrom(known, null, 1000 * (j + 1) + seed, [], constants.levels);
        walk.go(constants.levels.length - 1);
        return walk;
      }),
    ),
    nearest: memo(nearestTo),
    patch: memo(
      (known, pixel, radius) => new Set(radius === null ? known.all : patchAround(known.shape, pixel, radius)),
    ),
    patchWeights: memo((noisy, known, noiseStd, radius, pixel) =>
      denoiseWeights(noisy, known.pictures, noiseStd, patchAround(known.shape, pixel, radius)),
    ),
  };
}

/** The numbers of a setting; without training images, only those in `now`. @param {Data} data @param {Setting} setting @param {Answers} answers @returns {Numbers} */
export function compute(data, setting, answers) {
  const { levels, ranges, shape } = data;
  const isPlane = setting.view === "points",
    radius = isPlane || setting.compare === "whole" ? null : Number(setting.compare);
  const step = levels.length - 1 - ranges.noise.indexOf(setting.noise),
    noiseStd = levels[step];
  const pixel = inside(shape, setting.pixel);
  const known = isPlane ? data.pointsOf(setting.points) : answers.known;
  const now = { step, noiseStd, radius, isPlane, pixel, known };
  if (!known)
    return /** @type {any} */ (radius === null && isFirst(data.first, setting, step) ? { ...now, ...data.first } : now);
  const walk = data.walkOf(known, radius, setting.start, isPlane ? NO_STROKES : setting.brush);
  if (radius === null) walk.go(step);
  const { steps } = walk,
    isThere = steps.length > step;
  const at = steps[Math.min(step, steps.length - 1)] ?? beforeAll(walk);
  const level = levels[clamp(steps.length - 1, 0, step)];
  const weights = at.weights ?? data.patchWeights(at.noisy, known, level, radius, pixel[0] * shape.width + pixel[1]);
  const heaviest = indicesOfLargest(weights, N_SHOWN);
  const { nearest, distance } = data.nearest(at.guess, known.pictures);
  return { ...now, walk, isThere, ...at, weights, heaviest, count: keysForShare(weights, 0.9), nearest, distance };
}

const NO_STROKES = [];

const isFirst = (first, { start, brush }, step) => step === first.step && start === first.start && !brush.length;

/** Before the first guess is computed: the noise, and the mean of all training images. */
const beforeAll = ({ known: { pictures }, next }) => ({
  weights: undefined,
  noisy: next(),
  guess: averagePicture(Array(pictures.length).fill(1 / pictures.length), pictures),
});
