// Numbers: grids and formatting.

/** @typedef {[low: number, high: number, step: number]} Grid The values low, low + step, …, high. */

/** Clamp a number to [low, high]. @type {(value: number, low: number, high: number) => number} */
export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** The number of decimals of a grid's values. @param {Grid} grid */
export function decimalsOf([, , step]) {
  const off = (/** @type {number} */ number) => Math.abs(number - Math.round(number));
  let decimals = 0;
  while (off(step * 10 ** decimals) > 1e-9 * step * 10 ** decimals) decimals += 1;
  return decimals;
}

/**
 * Round to the nearest value of a grid, so that slider, drag and arrow keys agree to the last digit.
 * @param {number} value
 * @param {Grid} grid
 */
export function onGrid(value, grid) {
  const [low, high, step] = grid;
  const index = Math.round((clamp(value, low, high) - low) / step);
  return Number((low + index * step).toFixed(decimalsOf(grid)));
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A typed number as JavaScript writes it, or undefined; the decimal mark may be a comma. @param {string} text */
export function plainNumber(text) {
  const plain = text.replace(/\s/g, "").replace("−", "-").replace(",", ".");
  return NUMBER.test(plain) ? plain : undefined;
}

/** Format a number with fixed decimals and a real minus sign. @type {(value: number, decimals: number) => string} */
export const format = (value, decimals) => value.toFixed(decimals).replace("-", "−");

/** Format a share in percent, with one decimal if it is small. @type {(share: number) => string} */
export const percent = (share) => `${format(100 * share, Math.abs(share) < 0.0995 ? 1 : 0)}\u00a0%`;

/** Format a share in percent without decimals, for the round numbers of an axis. @type {(share: number) => string} */
export const roundPercent = (share) => percent(share).replace(".0", "");

/** The index of the largest number. @type {(numbers: number[] | Float64Array) => number} */
export const indexOfLargest = (numbers) => numbers.indexOf(Math.max(...numbers));

/**
 * The indices of the `count` largest numbers, the largest first; of equal ones the first. A typed array sorts
 * faster than the indices.
 * @param {ArrayLike<number>} numbers
 * @param {number} count
 */
export function indicesOfLargest(numbers, count) {
  const least = Float64Array.from(numbers).sort().at(-count) ?? -Infinity;
  const indices = Array.from(numbers, (number, i) => (number >= least ? i : -1)).filter((i) => i >= 0);
  return indices.sort((a, b) => numbers[b] - numbers[a] || a - b).slice(0, count);
}

/** Mark up text in the colour of a role. @type {(name: string, text: string) => string} */
export const role = (name, text) => `<b class="${name}">${text}</b>`;

/** Mark up a symbol such as h_x with its subscript. @param {string} symbol */
export const symbolic = (symbol) => symbol.replace(/_(\w)/, "<sub>$1</sub>");

/** Return a formatter with the decimals of a grid. @param {Grid} grid */
export const textOn = (grid) => (/** @type {number} */ value) => format(value, decimalsOf(grid));
