import { csvOf } from "../parts/save.js";

// What the reader takes away: arrays, the weights as CSV, and lines of Python that reproduce them.

/** @typedef {import("./your_pictures.js").Figure["now"]} Now */

export const SET_FILE = "your_pictures.npy",
  RESULT_FILE = "your_result.npy",
  WEIGHTS_FILE = "your_weights.csv";

/**
 * An array in NumPy's file format.
 * @param {Uint8Array | Float64Array} array
 * @param {number[]} shape
 */
export function npyOf(array, shape) {
  const type = array instanceof Uint8Array ? "|u1" : "<f8";
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.join(", ")}${shape.length === 1 ? "," : ""}), }`;
  const header = `${text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11)}\n`; // the data begin at a multiple of 64
  const start = Uint8Array.from([0x93, ..."NUMPY"].map((one) => (typeof one === "string" ? one.charCodeAt(0) : one)));
  const length = Uint8Array.from([1, 0, header.length & 255, header.length >> 8]);
  return new Blob([start, length, header, /** @type {BlobPart} */ (array)]);
}

/** The shape of one picture, as in NumPy. @param {import("./training_set.js").Shape} shape */
export const shapeOf = ({ height, width, channels }) => [height, width, ...(channels > 1 ? [channels] : [])];

/** The weights of the keys: of whole pictures, or of the marked patch. @param {Now} now */
export function weightsCsv({ keys, weights, known }) {
  return csvOf([["picture", "file", "weight"], ...keys.map((key, k) => [key, known.names[key], weights[k]])]);
}

/** The patch around the pixel as a NumPy index, cropped at the border. @param {Now} now @param {number} radius */
function patchIndex({ pixel, known: { shape } }, radius) {
  const along = (/** @type {number} */ at, /** @type {number} */ length) =>
    `${Math.max(at - radius, 0)}:${Math.min(at + radius + 1, length)}`;
  return `${along(pixel[0], shape.height)}, ${along(pixel[1], shape.width)}`;
}

/** @param {Now} now @param {string} compared */
const walkLines = ({ levels, step }, compared) => [
  `levels = noise_levels(${levels.length}, ${levels[0]}, ${levels[levels.length - 1]})`,
  `denoiser = lambda noisy, noise_std: denoise(noisy, pictures, noise_std${compared})`,
  "steps = list(walk(levels[0] * noise, levels, denoiser))",
  `noise_std, noisy, estimate = steps[${step}]`,
];

/** @param {Now} now @param {string} compared */
const noisyLines = ({ noiseStd, picture, task }, compared) => [
  `noise_std = ${noiseStd}`,
  `noisy = pictures[${picture}] + noise_std * noise`,
  ...(task === "unknown" ? [`pictures = np.delete(pictures, ${picture}, axis=0)  # the others`] : []),
  `estimate = denoise(noisy, pictures, noise_std${compared})`,
];

/** Python code for the drawn state. @param {Now} now */
export function codeFor(now) {
  const { known, radius, setting, task } = now,
    isWalk = task === "walk",
    shape = shapeOf(known.shape);
  const compared = radius === null ? "" : `, patch_radius=${radius}`,
    patch = radius === null ? "" : patchIndex(now, radius);
  return [
    "import numpy as np",
    `from lib.diffusion import denoise, denoise_weights${isWalk ? ", noise_levels, walk" : ""}`,
    "from lib.noise import box_muller_noise",
    "",
    `pictures = np.load("${SET_FILE}") / 127.5 - 1  # (${[known.kept.length, ...shape].join(", ")}), black is −1, white 1`,
    `noise = box_muller_noise(${setting.start}, pictures.shape[1:])`,
    ...(isWalk ? walkLines : noisyLines)(now, compared),
    patch
      ? `weights = denoise_weights(noisy[${patch}], pictures[:, ${patch}], noise_std)  # of the marked patch`
      : "weights = denoise_weights(noisy, pictures, noise_std)",
    `distances = np.sqrt(((pictures - estimate) ** 2).mean(axis=${shape.length === 2 ? "(1, 2)" : "(1, 2, 3)"}))`,
    'print(f"nearest: number {distances.argmin()}, RMS difference {distances.min()} per pixel")',
    "",
  ].join("\n");
}
