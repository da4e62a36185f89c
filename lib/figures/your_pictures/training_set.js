import { decodeBytes } from "../methods/base64.js";

// Training sets: bytes of pictures in two kinds, and how one is scaled to the other.

/**
 * @typedef {{ height: number, width: number, channels: number }} Shape
 * @typedef {"grey" | "colour"} Kind
 * @typedef {{ kind: Kind, n: number, bytes: string }} Example
 * @typedef {{ n: number, names: string[] } & Record<Kind, Uint8Array>} PictureSet
 * @typedef {ReturnType<typeof trainingSet>} Known
 */

export const FEWEST = 10,
  MOST_PICTURES = 2000; // pictures

/** @type {Record<Kind, Shape>} */
export const SHAPES = {
  grey: { height: 28, width: 28, channels: 1 },
  colour: { height: 16, width: 16, channels: 3 },
};

export const sizeOf = (/** @type {Shape} */ { height, width, channels }) => height * width * channels;

/**
 * For each of `to` cells, the numbers of `from` cells that it covers and the share of each in it.
 * @type {(from: number, to: number) => [cell: number, share: number][][]}
 */
function coverage(from, to) {
  return Array.from({ length: to }, (_, i) => {
    const [start, end] = [(i * from) / to, ((i + 1) * from) / to];
    /** @type {[cell: number, share: number][]} */
    const cells = [];
    for (let j = Math.floor(start); j < Math.min(Math.ceil(end - 1e-9), from); j += 1) {
      cells.push([j, (Math.min(j + 1, end) - Math.max(j, start)) / (end - start)]);
    }
    return cells;
  });
}

/**
 * Scale a square picture: each new pixel is the average over the area that it covers.
 * @type {(side: number, pixels: ArrayLike<number>, from: number, channels: number) => Float64Array}
 */
export function scaledTo(side, pixels, from, channels) {
  const cells = coverage(from, side),
    scaled = new Float64Array(side * side * channels);
  for (let y = 0; y < side; y += 1) {
    for (let x = 0; x < side; x += 1) {
      for (const [row, down] of cells[y]) {
        for (const [column, right] of cells[x]) {
          for (let c = 0; c < channels; c += 1) {
            scaled[(y * side + x) * channels + c] += down * right * pixels[(row * from + column) * channels + c];
          }
        }
      }
    }
  }
  return scaled;
}

/** The luma of red, green and blue (ITU-R BT.601). @param {ArrayLike<number>} colours */
const greyOf = (colours) =>
  Float64Array.from(
    { length: colours.length / 3 },
    (_, i) => 0.299 * colours[3 * i] + 0.587 * colours[3 * i + 1] + 0.114 * colours[3 * i + 2],
  );

const colourOf = (/** @type {ArrayLike<number>} */ greys) =>
  Float64Array.from({ length: 3 * greys.length }, (_, i) => greys[Math.floor(i / 3)]);

const rounded = (/** @type {ArrayLike<number>} */ values) => Uint8Array.from(values, (value) => Math.round(value));

/**
 * A square picture of this side, red, green and blue from 0 to 255, as bytes of both kinds.
 * @param {ArrayLike<number>} colours
 * @param {number} side
 */
export const bothKinds = (colours, side) => ({
  grey: rounded(scaledTo(SHAPES.grey.width, greyOf(colours), side, 1)),
  colour: rounded(scaledTo(SHAPES.colour.width, colours, side, 3)),
});

/** An example of Python as a set with both kinds. @param {Example} example @returns {PictureSet} */
export function unpackSet({ kind, n, bytes }) {
  const own = decodeBytes(bytes),
    size = sizeOf(SHAPES[kind]);
  const pictures = Array.from({ length: n }, (_, k) => own.subarray(k * size, (k + 1) * size));
  const both = pictures.map((one) => bothKinds(kind === "grey" ? colourOf(one) : one, SHAPES[kind].width));
  const of = (/** @type {Kind} */ name) => (name === kind ? own : joined(both.map((one) => one[name])));
  return { n, names: pictures.map(() => ""), grey: of("grey"), colour: of("colour") };
}

/** Several arrays of bytes as one. @param {Uint8Array[]} parts */
export function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  for (const part of parts) {
    all.set(part, end);
    end += part.length;
  }
  return all;
}

/**
 * Return the pictures with the indices `kept` as the training set: black is −1, white 1.
 * @param {PictureSet} set
 * @param {Kind} kind
 * @param {number[]} kept
 */
export function trainingSet(set, kind, kept) {
  const shape = SHAPES[kind],
    size = sizeOf(shape);
  const bytes = joined(kept.map((k) => set[kind].subarray(k * size, (k + 1) * size)));
  return { shape, bytes, names: kept.map((k) => set.names[k]), kept, pictures: picturesOf(bytes, size) };
}

/** The numbers of each picture, in [−1, 1]. @param {Uint8Array} bytes @param {number} size */
export const picturesOf = (bytes, size) =>
  Array.from({ length: bytes.length / size }, (_, k) =>
    Float64Array.from(bytes.subarray(k * size, (k + 1) * size), (byte) => byte / 127.5 - 1),
  );
