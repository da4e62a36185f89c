// The weights of the pixels in a window, as in lib/filters and lib/unified, with selectable blocks of the metric. For
// the query pixel i and the key pixel j = i + d, d = (row, column), a log-weight is the sum of
//
//   position block   none 0 | gaussian −‖d‖²/h_x² | steering log √det Cⱼ − dᵀCⱼd/(2 h_x²)
//   value block      none 0 | pixel −‖yᵢ − yⱼ‖²/h_y² | patch −max(Σₖ Gₖ (yᵢ₊ₖ − yⱼ₊ₖ)² − forgiven, 0)/h_y²
//
// An image is { height, width, planes } with one Float64Array per channel. All loops run along *lines*: planes padded
// with a mirrored border and flattened in row-major order, so that a shift in the plane is a shift along the line.

import { white as SCALE, brightness as SHARES, pilot, steering } from "../../constants.json";

/** @typedef {import("./base64.js").Image} Image */
/** @typedef {ReturnType<typeof lines>} Grid */
/**
 * @typedef {{ position_block: string, value_block: string, bandwidth_space: number, bandwidth_value: number,
 *   radius: number, patch_radius: number, patch_weights: string, forgiven: number }} Setting
 */
/** @typedef {ReturnType<typeof windowKernel>} Kernel */

/**
 * Mirror the index of a row or column beyond the border, as np.pad(mode="reflect").
 * @param {number} index @param {number} length
 */
export function mirrored(index, length) {
  const period = Math.max(2 * (length - 1), 1);
  const folded = Math.abs(index) % period;
  return Math.min(folded, period - folded) % length;
}

/**
 * Convert the planes of an image to lines with a border of this width; also return the offset of the image.
 * @param {Image} image @param {number} border
 */
export function lines({ height, width, planes }, border) {
  const step = width + 2 * border;
  const rows = Array.from({ length: height + 2 * border }, (_, r) => width * mirrored(r - border, height));
  const columns = Array.from({ length: step }, (_, c) => mirrored(c - border, width));
  const first = border * step + border;
  return {
    height,
    width,
    step,
    first,
    stop: first + (height - 1) * step + width,
    lines: planes.map((plane) => {
      const line = new Float64Array(rows.length * step);
      let i = 0;
      for (const row of rows) for (const column of columns) line[i++] = plane[row + column];
      return line;
    }),
  };
}

/**
 * Convert a line that begins at the image's first pixel back to a plane.
 * @param {{ height: number, width: number, step: number }} grid @param {Float64Array} line
 */
function cropped({ height, width, step }, line) {
  const plane = new Float64Array(height * width);
  for (let r = 0; r < height; r += 1) plane.set(line.subarray(r * step, r * step + width), r * width);
  return plane;
}

// ---- Steering matrices: lib/filters/_lark.py ---------------------------------------------------------------

const { sensitivity: SENSITIVITY, elongation: REGULARIZATION, regularization: FLAT } = steering; // the toolbox's
const PILOT = Array.from({ length: 2 * pilot.radius + 1 }, (_, k) => k - pilot.radius); // offsets of the gradient

/** The brightness of a colour image, or its only plane. @param {{ planes: Float64Array[] }} image */
export function brightnessOf({ planes }) {
  if (planes.length === 1) return planes[0];
  return planes[0].map((_, i) => SHARES.reduce((sum, share, c) => sum + share * planes[c][i], 0));
}

/**
 * The gradient of the brightness, two planes, by fitting a parabola to the 5 × 5 pixels around every pixel.
 * @param {Image} image
 */
function pilotGradient(image) {
  const { height, width } = image;
  const brightness = brightnessOf(image);
  const sum = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0);
  const weights = PILOT.map((offset) => Math.exp(-((offset / pilot.bandwidth) ** 2) / 2));
  const blur = weights.map((weight) => weight / sum(weights));
  const moment = sum(weights.map((weight, k) => weight * PILOT[k] ** 2));
  const slope = weights.map((weight, k) => (SCALE * weight * PILOT[k]) / moment);
  const grid = lines({ height, width, planes: [brightness] }, PILOT.length >> 1);
  const { step } = grid;
  const derivative = (/** @type {number[]} */ down, /** @type {number[]} */ right) =>
    cropped(grid, tapped(tapped(grid.lines[0], down, step), right, 1));
  return { height, width, planes: [derivative(slope, blur), derivative(blur, slope)] };
}

/** Σ taps[k] line[i + k·step]. @param {Float64Array} line @param {number[]} taps @param {number} step */
function tapped(line, taps, step) {
  const sums = new Float64Array(line.length - (taps.length - 1) * step);
  taps.forEach((tap, k) => {
    for (let i = 0; i < sums.length; i += 1) sums[i] += tap * line[i + k * step];
  });
  return sums;
}

/**
 * C at every pixel, as planes C₁₁, C₁₂, C₂₂, log √det C. `disk` contains the weight of each gradient in the disk.
 * @param {Image} image @param {number[][]} disk
 */
export function steeringPlanes(image, disk) {
  const gradient = lines(pilotGradient(image), disk.length >> 1);
  const shares = diskShares(disk, gradient.step);
  const area = disk.flat().reduce((a, b) => a + b, 0);
  const [rows, mixed, columns] = tensors(gradient, shares);
  const logScale = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) {
    const along = (/** @type {number} */ angle) => gradientAlong(angle, i, gradient, shares);
    [rows[i], mixed[i], columns[i], logScale[i]] = steeringMatrix([rows[i], mixed[i], columns[i]], along, area);
  }
  return { height: image.height, width: image.width, planes: [rows, mixed, columns, logScale] };
}

/**
 * C₁₁, C₁₂, C₂₂ and log √det C from T₁₁, T₁₂, T₂₂. `along(angle)` is s₂ from the gradients themselves.
 * @param {number[]} tensor
 * @param {(angle: number) => number} along
 * @param {number} area
 */
export function steeringMatrix([row, mixed, column], along, area, sensitivity = SENSITIVITY) {
  const middle = (row + column) / 2,
    difference = (row - column) / 2;
  const half = Math.hypot(difference, mixed);
  const [cosine, sine] = half > 0 ? [difference / half, mixed / half] : [1, 0]; // of twice the angle of v₁
  const s1 = Math.sqrt(middle + half);
  let s2 = Math.sqrt(Math.max(middle - half, 0));
  if (s2 < 1e-2 * s1) s2 = along(Math.atan2(sine, cosine) / 2);
  const scale = ((s1 * s2 + FLAT) / area) ** sensitivity;
  const elongation = (s1 + REGULARIZATION) / (s2 + REGULARIZATION);
  const both = (scale * (elongation + 1 / elongation)) / 2,
    long = (scale * (elongation - 1 / elongation)) / 2;
  return [both + long * cosine, long * sine, both - long * cosine, Math.log(scale)];
}

/** The pixels of the disk: [shift along the line, squared weight]. @param {number[][]} disk @param {number} step */
function diskShares(disk, step) {
  const radius = disk.length >> 1;
  const all = disk.flatMap((row, r) => row.map((share, c) => [(r - radius) * step + c - radius, share ** 2]));
  return all.filter(([, square]) => square > 0);
}

/**
 * Σ K² g₁², Σ K² g₁g₂, Σ K² g₂² over the disk around every pixel.
 * @param {Grid} gradient @param {number[][]} shares
 */
function tensors(gradient, shares) {
  const {
    first,
    stop,
    lines: [down, right],
  } = gradient;
  const sums = [0, 1, 2].map(() => new Float64Array(stop - first));
  for (const [shift, square] of shares) {
    for (let i = 0, at = first + shift; i < stop - first; i += 1, at += 1) {
      const a = down[at],
        b = right[at];
      sums[0][i] += square * a * a;
      sums[1][i] += square * a * b;
      sums[2][i] += square * b * b;
    }
  }
  return sums.map((line) => cropped(gradient, line));
}

/**
 * s₂ from the gradients themselves, √Σ K² (v₂·g)², for use when cancellation makes its square inaccurate.
 * @param {number} angle
 * @param {number} pixel
 * @param {Grid} gradient
 * @param {number[][]} shares
 */
function gradientAlong(angle, pixel, { width, step, first, lines: [down, right] }, shares) {
  const at = first + Math.floor(pixel / width) * step + (pixel % width);
  return Math.sqrt(
    shares.reduce((sum, [shift, square]) => {
      const along = Math.cos(angle) * right[at + shift] - Math.sin(angle) * down[at + shift];
      return sum + square * along * along;
    }, 0),
  );
}

// ---- The kernel -------------------------------------------------------------------------------------------

/**
 * One factor of the separable G, with 1 in the centre: a Gaussian of standard deviation radius/2, or constant.
 * @param {number} radius @param {string} kind
 */
function patchTaps(radius, kind) {
  const offsets = Array.from({ length: 2 * radius + 1 }, (_, k) => k - radius);
  return offsets.map((offset) => (kind === "gaussian" ? Math.exp(-2 * (offset / Math.max(radius, 1)) ** 2) : 1));
}

/**
 * Prepare the log-weights of an image. `steering` is the result of `steeringPlanes`, used only by the steering block;
 * `forgiven` is the part of a patch distance that is due to noise alone, 2σ², or 0.
 * @param {Image} image
 * @param {Image | false | undefined} steering
 * @param {Setting} setting
 */
export function windowKernel(image, steering, setting) {
  const { position_block, value_block, bandwidth_space, bandwidth_value, radius, patch_radius } = setting;
  const isPatch = value_block === "patch";
  const margin = isPatch ? patch_radius : 0;
  const taps = patchTaps(margin, setting.patch_weights);
  const unit = isPatch ? image.planes.length * taps.reduce((a, b) => a + b, 0) ** 2 : 1; // sums become means
  const values = lines(image, radius + margin);
  /** @type {Float64Array[] | undefined} */
  let metric;
  if (position_block === "steering" && steering) {
    const [rows, mixed, columns, logScale] = steering.planes;
    const scaled = [rows, mixed, columns].map((plane) => plane.map((c) => c / (2 * bandwidth_space ** 2)));
    metric = lines({ ...steering, planes: [...scaled, logScale] }, radius + margin).lines;
  }
  return {
    ...values,
    radius,
    margin,
    taps,
    metric,
    perPixel: position_block === "gaussian" ? 1 / bandwidth_space ** 2 : 0,
    perValue: value_block === "none" ? 0 : 1 / (unit * bandwidth_value ** 2),
    floor: isPatch ? setting.forgiven / bandwidth_value ** 2 : 0,
  };
}

/**
 * The position block's part of a log-weight, for the key at this index of the line.
 * @param {{ metric?: Float64Array[], perPixel: number }} kernel
 * @param {number} key
 * @param {number} row
 * @param {number} column
 */
function positionPart({ metric, perPixel }, key, row, column) {
  if (!metric) return -perPixel * (row * row + column * column);
  const [rows, mixed, columns, logScale] = metric;
  return logScale[key] - (rows[key] * row * row + 2 * mixed[key] * row * column + columns[key] * column * column);
}

/**
 * Σ G (yᵢ₊ₖ − yⱼ₊ₖ)² over the patches around two indices of the lines, summed over the channels.
 * @param {Kernel} kernel @param {number} query @param {number} key
 */
function patchDistance({ lines: channels, step, margin, taps }, query, key) {
  let distance = 0;
  for (const line of channels) {
    for (let r = 0; r < taps.length; r += 1) {
      for (let c = 0; c < taps.length; c += 1) {
        const k = (r - margin) * step + c - margin;
        distance += taps[r] * taps[c] * (line[query + k] - line[key + k]) ** 2;
      }
    }
  }
  return distance;
}

/**
 * The indices on the lines of the keys of one pixel [row, column], row by row.
 * @param {{ first: number, step: number, radius: number }} grid
 * @param {number[]} pixel
 */
export function windowKeys({ first, step, radius }, [row, column]) {
  const side = 2 * radius + 1;
  const corner = first + (row - radius) * step + column - radius;
  return Array.from({ length: side * side }, (_, k) => corner + Math.floor(k / side) * step + (k % side));
}

/**
 * The log-weights of the window around one pixel [row, column], row by row.
 * @param {Kernel} kernel @param {number[]} pixel
 */
export function windowLogWeights(kernel, pixel) {
  const { radius, perValue, floor } = kernel;
  const side = 2 * radius + 1;
  const keys = windowKeys(kernel, pixel);
  const query = keys[keys.length >> 1];
  return keys.map(
    (key, k) =>
      positionPart(kernel, key, Math.floor(k / side) - radius, (k % side) - radius) -
      (perValue && Math.max(perValue * patchDistance(kernel, query, key) - floor, 0)),
  );
}

// ---- The filtered image -----------------------------------------------------------------------------------

/**
 * The averages around every pixel by a Gaussian of the positions alone. It is separable, so that rows are averaged
 * first, then columns.
 * @param {Image} image @param {{ radius: number, bandwidth_space: number }} setting
 */
export function positionAverages(image, { radius, bandwidth_space }) {
  const weights = Array.from({ length: 2 * radius + 1 }, (_, k) => Math.exp(-(((k - radius) / bandwidth_space) ** 2))),
    total = weights.reduce((a, b) => a + b, 0),
    taps = weights.map((weight) => weight / total);
  const grid = lines(image, radius);
  return grid.lines.map((line) => cropped(grid, tapped(tapped(line, taps, 1), taps, grid.step)));
}

/**
 * The weighted average around every pixel, as a generator that yields after each offset of the window and returns the
 * planes. As in lib/engine/window.py the outer loop is over offsets, and terms common to both pixels of a pair are
 * computed once. A pair at offset d is query begin + k and key first + k, for k from 0; for the opposite offset the two
 * swap roles. If neither of them is a pixel of the image, the sums are meaningless.
 * @param {Kernel} kernel
 */
export function* filterInSteps(kernel) {
  const { lines: channels, first, stop, step, radius, metric } = kernel;
  const line = () => new Float64Array(channels[0].length);
  const weightSum = line(),
    sums = channels.map(line);
  const values = line(),
    spare = line(),
    forward = line();
  const backward = metric ? line() : forward;

  exponentiate(kernel, [0, 0], first, stop - first, values, forward);
  addAll(weightSum, sums, first, forward, channels, first, stop - first);
  for (const [row, column] of halfWindow(radius)) {
    const shift = row * step + column,
      begin = first - shift,
      count = stop - begin;
    valueParts(kernel, begin, shift, count, values, spare);
    exponentiate(kernel, [row, column], first, count, values, forward);
    if (metric) exponentiate(kernel, [row, column], begin, count, values, backward);
    addAll(weightSum, sums, begin, forward, channels, first, count);
    addAll(weightSum, sums, first, backward, channels, begin, count);
    yield;
  }
  const average = (/** @type {Float64Array} */ sum) => sum.map((total, i) => total / weightSum[i]).subarray(first);
  return sums.map((sum) => cropped(kernel, average(sum)));
}

/**
 * Add weights, and weights times values, to the sums of consecutive queries.
 * @param {Float64Array} weightSum
 * @param {Float64Array[]} sums
 * @param {number} queries
 * @param {Float64Array} weights
 * @param {Float64Array[]} channels
 * @param {number} keys
 * @param {number} count
 */
function addAll(weightSum, sums, queries, weights, channels, keys, count) {
  for (let k = 0; k < count; k += 1) weightSum[queries + k] += weights[k];
  for (let c = 0; c < sums.length; c += 1) addProducts(sums[c], queries, weights, channels[c], keys, count);
}

/**
 * @param {Float64Array} sum
 * @param {number} queries
 * @param {Float64Array} weights
 * @param {Float64Array} values
 * @param {number} keys
 * @param {number} count
 */
function addProducts(sum, queries, weights, values, keys, count) {
  for (let k = 0; k < count; k += 1) sum[queries + k] += weights[k] * values[keys + k];
}

/**
 * Weights of consecutive keys, all at the same offset from their queries.
 * @param {Kernel} kernel
 * @param {number[]} offset
 * @param {number} keys
 * @param {number} count
 * @param {Float64Array} values
 * @param {Float64Array} weights
 */
function exponentiate({ metric, perPixel }, [row, column], keys, count, values, weights) {
  const rowSquare = row * row,
    product = 2 * row * column,
    columnSquare = column * column;
  if (!metric) {
    const near = -perPixel * (rowSquare + columnSquare);
    for (let k = 0; k < count; k += 1) weights[k] = Math.exp(near - values[k]);
    return;
  }
  const [rows, mixed, columns, logScale] = metric;
  for (let k = 0, j = keys; k < count; k += 1, j += 1) {
    const steered = rowSquare * rows[j] + product * mixed[j] + columnSquare * columns[j];
    weights[k] = Math.exp(logScale[j] - steered - values[k]);
  }
}

/**
 * The negated value block's part of the log-weights of the pairs (begin + k, begin + k + shift).
 * @param {Kernel} kernel
 * @param {number} begin
 * @param {number} shift
 * @param {number} count
 * @param {Float64Array} parts
 * @param {Float64Array} spare
 */
function valueParts({ lines: channels, step, margin, taps, perValue, floor }, begin, shift, count, parts, spare) {
  if (!perValue) return; // the array is initialised with zeros
  const reach = margin * (step + 1),
    wide = count + 2 * reach;
  parts.fill(0, 0, wide);
  for (let c = 0; c < channels.length; c += 1) addSquares(parts, channels[c], begin - reach, shift, wide);
  if (margin > 0) {
    symmetricSum(parts, taps, step, spare, count + 2 * margin);
    symmetricSum(spare, taps, 1, parts, count);
  }
  for (let k = 0; k < count; k += 1) parts[k] = Math.max(perValue * parts[k] - floor, 0);
}

/**
 * @param {Float64Array} sum
 * @param {Float64Array} line
 * @param {number} begin
 * @param {number} shift
 * @param {number} count
 */
function addSquares(sum, line, begin, shift, count) {
  for (let k = 0, i = begin; k < count; k += 1, i += 1) {
    const difference = line[i + shift] - line[i];
    sum[k] += difference * difference;
  }
}

/**
 * Σ taps[k] line[i + k·step], for symmetric taps: the two ends of each pair of equal taps are added first.
 * @param {Float64Array} line
 * @param {number[]} taps
 * @param {number} step
 * @param {Float64Array} out
 * @param {number} count
 */
function symmetricSum(line, taps, step, out, count) {
  const radius = taps.length >> 1;
  for (let i = 0; i < count; i += 1) out[i] = taps[radius] * line[i + radius * step];
  for (let k = 0; k < radius; k += 1) addPair(taps[k], line, k * step, (2 * radius - k) * step, out, count);
}

/**
 * @param {number} tap
 * @param {Float64Array} line
 * @param {number} one
 * @param {number} other
 * @param {Float64Array} out
 * @param {number} count
 */
function addPair(tap, line, one, other, out, count) {
  for (let i = 0; i < count; i += 1) out[i] += tap * (line[i + one] + line[i + other]);
}

/** One offset [row, column] of each pair ±offset. @param {number} radius */
function halfWindow(radius) {
  const side = Array.from({ length: 2 * radius + 1 }, (_, k) => k - radius);
  const offsets = side.flatMap((row) => side.map((column) => [row, column]));
  return offsets.filter(([row, column]) => row > 0 || (row === 0 && column > 0));
}
