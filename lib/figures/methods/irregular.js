// A plane through the known pixels around a pixel, with the same numbers as in lib/filters/_irregular.py. Slopes and
// metrics are computed on demand and cached: a query needs only those around it, a whole image all of them.

import { white as WHITE } from "../../constants.json";
import { mirrored, steeringMatrix } from "./filters.js";

const LEAST = 0.8 * -1022 * Math.LN2, // smaller log-weights are clipped to this, as in lib/engine/window.py
  RIDGE = 1 + 1e-10;
const CIRCLE = [1, 0, 1, 0]; // C₁₁, C₁₂, C₂₂, log √det C

/**
 * Return a function that visits the pixels of a square in an image, mirrored at its border.
 * @param {{ height: number, width: number }} image
 * @param {number} border the largest reach of a square
 */
function squaresOf({ height, width }, border) {
  const folded = (/** @type {number} */ length) =>
    Int32Array.from({ length: length + 2 * border }, (_, i) => mirrored(i - border, length));
  const [rowAt, columnAt] = [folded(height), folded(width)];

  /**
   * Call `see(pixel, row, column)` for each pixel of a square, with its offset.
   * @param {number} place
   * @param {number} reach
   * @param {(pixel: number, row: number, column: number) => void} see
   */
  return function around(place, reach, see) {
    const row = Math.floor(place / width),
      column = place - row * width;
    for (let down = -reach; down <= reach; down += 1) {
      const first = width * rowAt[row + down + border];
      for (let right = -reach; right <= reach; right += 1) see(first + columnAt[column + right + border], down, right);
    }
  };
}

/**
 * Prepare to fill in an image with local planes: circular kernels, or elliptical ones computed from their slopes.
 * @param {{ height: number, width: number, values: ArrayLike<number>, known: ArrayLike<number> }} samples in
 *   row-major order
 * @param {{ radius: number, disk: number[][], sensitivity: number }} fit
 * @param {number} bandwidth of the circles
 */
export function openSamples({ height, width, values, known }, { radius, disk, sensitivity }, bandwidth) {
  const reach = disk.length >> 1,
    area = disk.flat().reduce((a, b) => a + b, 0);
  const /** @type {number[][]} */ slopes = [],
    /** @type {number[][]} */ metrics = [];

  const around = squaresOf({ height, width }, Math.max(radius, reach));
  const slopeAt = (/** @type {number} */ place) => (slopes[place] ??= planeAt(place, bandwidth, circle).slope);

  /** The metric of a key, from the slopes in the disk around it. @param {number} place @returns {number[]} */
  function metricAt(place) {
    /** @type {number[][]} */
    const gradients = [];
    let [rows, mixed, columns] = [0, 0, 0];
    around(place, reach, (near, down, right) => {
      const share = disk[down + reach][right + reach];
      if (share === 0) return;
      const slope = slopeAt(near),
        a = WHITE * share * slope[0],
        b = WHITE * share * slope[1];
      gradients.push([a, b]);
      rows += a * a;
      mixed += a * b;
      columns += b * b;
    });
    const along = (/** @type {number} */ angle) =>
      Math.hypot(...gradients.map(([a, b]) => Math.cos(angle) * b - Math.sin(angle) * a));
    return steeringMatrix([rows, mixed, columns], along, area, sensitivity);
  }

  const circle = () => CIRCLE,
    ellipse = (/** @type {number} */ place) => (metrics[place] ??= metricAt(place));

  /**
   * Height and slope of the plane at a pixel, and the weights of its window, 0 for missing pixels.
   * @param {number} place
   * @param {number} h
   * @param {(key: number) => number[]} metric
   * @returns {{ height: number, slope: number[], weights: number[] }}
   */
  function planeAt(place, h, metric) {
    /** @type {number[]} */
    const weights = [];
    let [cc, cr, c, rr, r, n, vc, vr, v] = [0, 0, 0, 0, 0, 0, 0, 0, 0]; // Σ w column², Σ w column·row, …, Σ w value
    around(place, radius, (key, row, column) => {
      if (!known[key]) return weights.push(0);
      const matrix = metric(key);
      const squared = matrix[0] * row * row + 2 * matrix[1] * row * column + matrix[2] * column * column;
      const weight = Math.exp(Math.max(matrix[3] - squared / (2 * h * h), LEAST));
      weights.push(weight);
      cc += weight * column * column;
      cr += weight * column * row;
      c += weight * column;
      rr += weight * row * row;
      r += weight * row;
      n += weight;
      vc += weight * column * values[key];
      vr += weight * row * values[key];
      v += weight * values[key];
    });
    return { ...solved([cc, cr, c, rr, r, n], [vc, vr, v]), weights };
  }

  return {
    planeAt: (/** @type {number} */ place, /** @type {number} */ h, /** @type {string} */ kernel) =>
      planeAt(place, h, kernel === "circles" ? circle : ellipse),
  };
}

/**
 * Solve the normal equations by elimination: the column first, the constant last.
 * @param {number[]} matrix @param {number[]} moments
 */
function solved([cc, cr, c, rr, r, n], [vc, vr, v]) {
  const column = cc * RIDGE;
  const [row, rowOne, rowValue] = [rr * RIDGE - (cr / column) * cr, r - (cr / column) * c, vr - (cr / column) * vc];
  const [one, oneValue] = [n - (c / column) * c, v - (c / column) * vc];
  const height = (oneValue - (rowOne / row) * rowValue) / (one - (rowOne / row) * rowOne);
  const down = (rowValue - rowOne * height) / row;
  return { height, slope: [down, (vc - cr * down - c * height) / column] };
}
