// Shades of one colour for weights.

export const N_SHADES = 32;

/**
 * Draw cells as one path per shade, so that the number of elements does not grow with the number of weights. A level is
 * in [0, 1], and `cell(k)` is the outline of cell k.
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

/** The style of a level: up to 2/3 from paper to the colour of weights, then towards ink. @param {number} level */
export function shade(level) {
  const ink = Math.round(150 * level - 100);
  const style = `fill: color-mix(in srgb, var(--figure-ink) ${ink}%, var(--figure-weight))`;
  return { "fill-opacity": Math.min(1.5 * level, 1), ...(ink > 0 && { style }) };
}
