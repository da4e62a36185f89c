import { color } from "../parts/photograph.js";
import { format, role, symbolic } from "../parts/numbers.js";

// Texts of the figure.

/** A standard deviation or value in [0, 1] as levels of 255. @param {number} value */
export const levels = (value) => format(255 * value, 1);

const swatch = (/** @type {number[]} */ values) => `<i class="swatch" style="background: ${color(values)}"></i>`;

/** A bandwidth with its symbol, as HTML: h_y = 0.07. @type {(symbol: string, bandwidth: number) => string} */
export const bandwidthText = (symbol, bandwidth) => `${symbolic(symbol)} = ${Number(bandwidth.toPrecision(3))}`;

/**
 * The description of the drawn state; nothing in it comes from a file but numbers.
 * @param {unknown} _data
 * @param {import("./your_photo.js").Figure["now"]} now
 */
export function sentence(_data, { method, bandwidth, noiseStd, observed, estimate, count, weights, query }) {
  const [row, column] = query;
  return (
    `<b>${method.year}, ${method.name},</b> ${bandwidthText(method.symbol, bandwidth)}. ${method.alike} ` +
    `${role("query", `The pixel in row ${row}, column ${column}`)} ${swatch(observed)} takes 90\u00a0% of its average ` +
    `${role("estimate", swatch(estimate))} from ${role("weight", `${count} of ${weights.length} pixels`)}. ` +
    `The noise is estimated as ${role("value", `σ = ${levels(noiseStd)} of 255 levels`)}, from the finest details.`
  );
}

/** Describe the picture, and any conversion of its file. @param {import("./opening.js").Picture} picture */
export function pictureNote({ name, width, height, notes }) {
  return [`${name}, ${width}\u00a0×\u00a0${height} pixels`, ...notes].join("; ");
}

/** A duration for a label. @param {number} seconds */
export function durationText(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))}\u00a0s`;
  return `${Math.round(seconds / 60)}\u00a0min`;
}

/**
 * The text of the bar over a photograph to which noise was added.
 * @param {number} noiseStd
 * @param {number} added
 * @param {number} [psnr]
 */
export function noiseText(noiseStd, added, psnr) {
  const before =
    psnr === undefined
      ? ""
      : ` PSNR around the ring: ${format(psnr, 1)}\u00a0dB with noise, and by each method as its image says.`;
  return `This photograph has little noise (σ = ${levels(noiseStd)} of 255 levels), so noise of σ = ${added} was added.${before}`;
}
