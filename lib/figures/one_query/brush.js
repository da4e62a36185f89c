import { brush as BRUSH } from "../../constants.json";

// The brush: a grid of dabs.

/** A brush for an image: it paints disks whose middles lie on a grid, so that few numbers say what is painted. */
export function brushFor({ height, width }) {
  const { radii_per_side, steps_per_radius } = BRUSH;
  const radius = Math.round(Math.max(height, width) / radii_per_side),
    step = Math.ceil(radius / steps_per_radius);
  const columns = Math.ceil(width / step),
    count = columns * Math.ceil(height / step);
  const dabAt = ([row, column]) => Math.floor(row / step) * columns + Math.floor(column / step);

  /** The dabs, and those along the line from one pixel to another. */
  function along(dabs, from, to) {
    const pixels = Math.max(...from.map((start, k) => Math.abs(to[k] - start)), 1);
    const line = Array.from({ length: pixels + 1 }, (_, i) =>
      dabAt(from.map((start, k) => Math.round(start + ((to[k] - start) * i) / pixels))),
    );
    return [...new Set([...dabs, ...line])];
  }

  /** 1 where a pixel is painted. */
  function painted(dabs) {
    const mask = new Uint8Array(height * width);
    for (const dab of dabs.filter((each) => each < count)) {
      const row = Math.floor(dab / columns) * step + (step >> 1),
        column = (dab % columns) * step + (step >> 1);
      for (let r = Math.max(row - radius, 0); r <= Math.min(row + radius, height - 1); r += 1) {
        const reach = Math.floor(Math.sqrt(radius ** 2 - (r - row) ** 2));
        mask.fill(1, r * width + Math.max(column - reach, 0), r * width + Math.min(column + reach + 1, width));
      }
    }
    return mask;
  }

  return { count, along, painted };
}

/** Dabs in the address, by their numbers. */
export const dabSetting = ({ count }) => ({
  write: (dabs) => dabs.join("."),
  read: (text) => {
    const dabs = text === "" ? [] : text.split(".").map(Number);
    return dabs.every((dab) => Number.isInteger(dab) && dab >= 0 && dab < count) ? [...new Set(dabs)] : undefined;
  },
});
