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
 * @typedef {{ pictures: Float64Array[], shape: Shape, all: number[] }} Known The training images, and the indices
 *   of their pixels.
 * @typedef {{ noisy: Float64Array, guess: Float64Array, weights?: number[] }} Step
 * @typedef {{ known: Known, radius: number | null, seed: number, strokes: number[], steps: Step[] }} Walked A
 *   trajectory as far as it is computed.
 * @typedef {ReturnType<typeof walkFrom>} Walk
 * @typedef {{ noise: string, compare: string, view: "pictures" | "points", start: number, pixel: Pixel, brush:
 *   number[], points: number[][] }} Setting
 * @typedef {{ known: Known | undefined, compared: Walked | undefined, problem: string }} Answers
 * @typedef {{ step: number, start: number, nearest: number, distance: number, count: number, scales: number[],
 *   pixels: string, heaviest: number[], weights: number[] }} FirstView
 * @typedef {import("../contract/figure.js").Constants & { first: FirstView, shape: [number, number], levels:
 *   number[], n_pictures: number, noun: string, worker_code: string, ranges: { noise: string[], view: string[] }
 *   }} Given
 * @typedef {ReturnType<typeof withWalks>} Data
 * @typedef {{ known: Known, walk: Walk, isThere: boolean, noisy: Float64Array, guess: Float64Array, weights: number[],
 *   heaviest: number[], count: number, nearest: number, distance: number }} Found What needs the training images.
 * @typedef {{ step: number, noiseStd: number, radius: number | null, isPlane: boolean, pixel: Pixel, found: Found
 *   | undefined }} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 */

export const N_SHOWN = 10; // training images with the largest weights

const N_WALKERS = 24; // further trajectories in the plane

/**
 * The pixels covered by a round brush at one pixel.
 * @type {(shape: Shape, pixel: number, reach: number) => number[]}
 */
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

/**
 * Apply strokes to a noisy image: brighter by two standard deviations, and darker by one around them.
 * @type {(noisy: Float64Array, dabs: number[], noiseStd: number, shape: Shape) => Float64Array}
 */
function stroked(noisy, dabs, noiseStd, shape) {
  if (!dabs.length) return noisy;
  const covered = (/** @type {number} */ reach) => new Set(dabs.flatMap((pixel) => brushAt(shape, pixel, reach)));
  const [stroke, around] = [covered(1), covered(3)];
  return noisy.map((value, i) => value + noiseStd * (stroke.has(i) ? 2 : around.has(i) ? -1 : 0));
}

/**
 * The first step at which two lists of strokes differ. A stroke is step · n_pixels + pixel.
 * @type {(strokes: number[], others: number[], size: number) => number}
 */
function firstDifference(strokes, others, size) {
  const without = (/** @type {number[]} */ list, /** @type {number[]} */ other) =>
    list.filter((stroke) => !other.includes(stroke));
  return Math.floor(Math.min(...without(strokes, others), ...without(others, strokes), Infinity) / size);
}

/**
 * Create a trajectory over the levels. It reuses the steps of the previous trajectory that are identical.
 * @param {Known} known
 * @param {number | null} radius of the compared patches, or null for whole images
 * @param {number} seed
 * @param {number[]} strokes
 * @param {number[]} levels
 * @param {Walked} [before]
 */
export function walkFrom(known, radius, seed, strokes, levels, before) {
  const { pictures, shape } = known,
    size = shape.height * shape.width;
  const isSame = before && before.known === known && before.radius === radius && before.seed === seed;
  /** @type {Step[]} */
  const steps = isSame ? before.steps.slice(0, firstDifference(strokes, before.strokes, size)) : [];
  const dabs = (/** @type {number} */ step) =>
    strokes.filter((stroke) => Math.floor(stroke / size) === step).map((stroke) => stroke % size);

  /** The noisy image of the next step. */
  function next() {
    const step = steps.length,
      last = steps[step - 1];
    const noisy = last
      ? stepTowards(last.noisy, last.guess, levels[step - 1], levels[step])
      : boxMullerNoise(seed, size).map((value) => levels[0] * value);
    return stroked(noisy, dabs(step), levels[step], shape);
  }

  /** For whole images: compute up to this step. @param {number} step */
  function go(step) {
    while (steps.length <= step) {
      const noisy = next();
      const weights = denoiseWeights(noisy, pictures, levels[steps.length]);
      steps.push({ noisy, weights, guess: averagePicture(weights, pictures) });
    }
  }

  return { known, radius, seed, strokes, steps, next, go };
}

/** @param {Float64Array[]} pictures @param {Shape} shape @returns {Known} */
const knownSet = (pictures, shape) => ({ pictures, shape, all: [...pictures[0].keys()] });

/**
 * Unpack the images from Python.
 * @param {{ levels: number[], places: string }} packed
 * @param {number} n
 * @param {Shape} shape
 */
async function unpackPictures({ levels, places }, n, shape) {
  const stream = new Blob([decodeBytes(places)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = shape.height * shape.width;
  const picture = (/** @type {unknown} */ _, /** @type {number} */ k) =>
    Float64Array.from(bytes.subarray(k * size, (k + 1) * size), (place) => levels[place]);
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

/**
 * The initial view from Python, in the format of `compute`. It contains only the training images that are shown.
 * @param {FirstView} first @param {number} n @param {Shape} shape
 */
function firstView({ step, start, scales, pixels, heaviest, weights, ...numbers }, n, shape) {
  const levels = new Int8Array(decodeBytes(pixels).buffer),
    size = levels.length / scales.length;
  const shown = scales.map((scale, k) =>
    Float64Array.from(levels.subarray(k * size, (k + 1) * size), (x) => scale * x),
  );
  const [noisy, guess, nearest, ...others] = shown;
  const all = Object.assign(Array(n), { [numbers.nearest]: nearest });
  const shares = /** @type {number[]} */ (Array(n));
  heaviest.forEach((index, k) => {
    all[index] = others[k];
    shares[index] = weights[k];
  });
  const known = { pictures: all, shape, all: [...noisy.keys()] };
  const walk = walkFrom(known, null, start, NO_STROKES, []);
  return { step, start, found: { ...numbers, noisy, guess, heaviest, weights: shares, known, walk, isThere: true } };
}

/** Extend the constants by memoised functions for trajectories and weights. @param {Given} constants */
export function withWalks(constants) {
  const [height, width] = constants.shape;
  /** @type {Walked | undefined} */
  let before; // of whole images
  return {
    ...constants,
    shape: { height, width },
    first: firstView(constants.first, constants.n_pictures, { height, width }),
    pointsOf: memo((/** @type {number[][]} */ points) =>
      knownSet(
        points.map((point) => Float64Array.from(point)),
        { height: 1, width: 2 },
      ),
    ),
    wholeWalkOf: memo((/** @type {Known} */ known, /** @type {number} */ seed, /** @type {number[]} */ strokes) => {
      const walk = walkFrom(known, null, seed, strokes, constants.levels, before);
      before = walk;
      return walk;
    }),
    others: memo((/** @type {Known} */ known, /** @type {number} */ seed) =>
      Array.from({ length: N_WALKERS }, (_, j) => {
        const walk = walkFrom(known, null, 1000 * (j + 1) + seed, [], constants.levels);
        walk.go(constants.levels.length - 1);
        return walk;
      }),
    ),
    nearest: memo(nearestTo),
    patch: memo(
      (/** @type {Known} */ known, /** @type {number} */ pixel, /** @type {number | null} */ radius) =>
        new Set(radius === null ? known.all : patchAround(known.shape, pixel, radius)),
    ),
    patchWeights:
      /** @type {(noisy: Float64Array, known: Known, noiseStd: number, radius: number, pixel: number) => number[]} */ (
        memo((noisy, known, noiseStd, radius, pixel) =>
          denoiseWeights(noisy, known.pictures, noiseStd, patchAround(known.shape, pixel, radius)),
        )
      ),
  };
}

/**
 * The numbers of a setting; `found` is missing without training images, unless the setting is the first.
 * @param {Data} data
 * @param {Setting} setting
 * @param {Answers} answers
 * @returns {Numbers}
 */
export function compute(data, setting, answers) {
  const { levels, ranges, shape } = data;
  const isPlane = setting.view === "points",
    radius = isPlane || setting.compare === "whole" ? null : Number(setting.compare);
  const step = levels.length - 1 - ranges.noise.indexOf(setting.noise),
    noiseStd = levels[step];
  const pixel = inside(shape, setting.pixel),
    now = { step, noiseStd, radius, isPlane, pixel };
  const known = isPlane ? data.pointsOf(setting.points) : answers.known,
    strokes = isPlane ? NO_STROKES : setting.brush;
  if (!known)
    return { ...now, found: radius === null && isFirst(data.first, setting, step) ? data.first.found : undefined };
  const walk =
    radius === null
      ? data.wholeWalkOf(known, setting.start, strokes)
      : walkFrom(known, radius, setting.start, strokes, levels, answers.compared);
  if (radius === null) walk.go(step);
  const { steps } = walk,
    isThere = steps.length > step;
  const at = steps[Math.min(step, steps.length - 1)] ?? beforeAll(walk);
  const level = levels[clamp(steps.length - 1, 0, step)];
  const weights =
    at.weights ?? data.patchWeights(at.noisy, known, level, radius ?? 0, pixel[0] * shape.width + pixel[1]);
  const heaviest = indicesOfLargest(weights, N_SHOWN);
  const nearest = data.nearest(at.guess, known.pictures);
  const found = { known, walk, isThere, ...at, weights, heaviest, count: keysForShare(weights, 0.9), ...nearest };
  return { ...now, found };
}

/** @type {number[]} */
const NO_STROKES = [];

/** @type {(first: Data["first"], setting: Setting, step: number) => boolean} */
const isFirst = (first, { start, brush }, step) => step === first.step && start === first.start && !brush.length;

/**
 * Before the first guess is computed: the noise, and the mean of all training images.
 * @param {Walk} walk
 * @returns {Step}
 */
const beforeAll = ({ known: { pictures }, next }) => ({
  noisy: next(),
  guess: averagePicture(Array(pictures.length).fill(1 / pictures.length), pictures),
});
