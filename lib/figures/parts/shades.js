// Weights as shades of one colour.

export const N_SHADES = 32;

/**
 * Cells as one path per shade: a few elements, however many weights there are. A level is from 0 to 1, and `cell(k)`
 * is the outline of the k-th.
 * @param {number[]} levels
 * @param {(k: number) => string} cell
 */
export function shadedPaths(levels, cell, count = N_SHADES) {
  const paths = Array.from({ length: count + 1 }, () => "");
  levels.forEach((level, k) => {
    const shade = Math.ceil(count * level - 0.5);
    if (shade > 0) paths[shade] += cell(k);
  });
  return paths.slice(1);
}

/** The look of a level: from paper to the colour of weights in two thirds, then on towards ink. @param {number} level */
export function shade(level) {
  const ink = Math.round(150 * level - 100);
  const style = `fill: color-mix(in srgb, var(--figure-ink) ${ink}%, var(--figure-weight))`;
  return { "fill-opacity": Math.min(1.5 * level, 1), ...(ink > 0 && { style }) };
}
