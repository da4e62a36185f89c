import { normalAt } from "../methods/noise.js";
import { estimatedNoiseStd, WIDEST } from "../methods/years.js";
import { clamp } from "../parts/numbers.js";
import { contextOf } from "../parts/photograph.js";

// The pixels of a picture: parts of it, noise that the reader adds, and the noise that is in it. Values are 8-bit
// levels, and the methods take them divided by 255.

/** @typedef {import("../methods/years.js").Box} Box */

/**
 * @typedef {import("./opening.js").Size} Size
 * @typedef {{ canvas: HTMLCanvasElement } & Size} Picture
 * @typedef {{ levels: number, seed: number }} Noise
 */

/**
 * A box with this corner, moved into a picture.
 * @param {Size} picture
 * @param {number[]} corner
 * @param {Size} size
 * @returns {Box}
 */
export function boxIn(picture, corner, size) {
  const [top, left] = corner;
  const [height, width] = [Math.min(size.height, picture.height), Math.min(size.width, picture.width)];
  return {
    top: clamp(Math.round(top), 0, picture.height - height),
    left: clamp(Math.round(left), 0, picture.width - width),
    height,
    width,
  };
}

/** A box extended on all sides, within the picture. @type {(picture: Size, box: Box, reach: number) => Box} */
export function widened(picture, { top, left, height, width }, reach) {
  const [first, start] = [Math.max(top - reach, 0), Math.max(left - reach, 0)];
  const [last, end] = [Math.min(top + height + reach, picture.height), Math.min(left + width + reach, picture.width)];
  return { top: first, left: start, height: last - first, width: end - start };
}

/** A box in coordinates relative to the corner of another box. @param {Box} box @param {Box} other */
export const relative = (box, other) => ({ ...box, top: box.top - other.top, left: box.left - other.left });

/**
 * The pixels in a box, with added noise of this many levels. A pixel has the same noise in every box.
 * @param {Picture} picture @param {Box} box @param {Noise} noise
 */
export function pixelsIn({ canvas, ...size }, box, noise) {
  const pixels = contextOf(canvas).getImageData(box.left, box.top, box.width, box.height);
  if (noise.levels) addNoise(pixels.data, size, box, noise);
  return pixels;
}

/** @type {(data: Uint8ClampedArray, picture: Size, box: Box, noise: Noise) => void} */
function addNoise(data, { height, width }, { top, left, width: across }, { levels, seed }) {
  for (let i = 0; i < data.length / 4; i += 1) {
    const at = (top + Math.floor(i / across)) * width + left + (i % across);
    for (let c = 0; c < 3; c += 1) {
      data[4 * i + c] = Math.round(data[4 * i + c] + levels * normalAt(seed, c * height * width + at)); // it clamps
    }
  }
}

/**
 * The channels of a box of RGBA pixels, scaled to [0, 1]; `step` is the width of the whole picture.
 * @param {Uint8ClampedArray} data
 * @param {number} step
 * @param {Box} box
 */
export function planesIn(data, step, { top, left, height, width }) {
  const planes = [0, 1, 2].map(() => new Float64Array(height * width));
  for (let r = 0; r < height; r += 1) {
    let at = 4 * ((top + r) * step + left);
    for (let i = r * width; i < (r + 1) * width; i += 1, at += 4) {
      for (let c = 0; c < 3; c += 1) planes[c][i] = data[at + c] / 255;
    }
  }
  return { height, width, planes };
}

/**
 * The noise in a picture, from its central pixels if it is large: lib.years.estimated_noise_std.
 * @param {Picture} picture
 * @param {Noise} noise
 */
export function noiseStdOf(picture, noise) {
  const [height, width] = [picture.height, picture.width].map((length) => Math.min(length, WIDEST));
  const [top, left] = [(picture.height - height) >> 1, (picture.width - width) >> 1];
  return estimatedNoiseStd(pixelsIn(picture, { top, left, height, width }, noise));
}

/**
 * The peak signal-to-noise ratio of RGBA pixels, in dB, ignoring alpha.
 * @param {Uint8ClampedArray} data
 * @param {Uint8ClampedArray} clean
 */
export function decibels(data, clean) {
  let sum = 0;
  for (let i = 0; i < data.length; i += 1) if (i % 4 < 3) sum += (data[i] - clean[i]) ** 2;
  return 10 * Math.log10(255 ** 2 / (sum / (0.75 * data.length)));
}
