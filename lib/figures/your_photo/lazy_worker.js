import { BEYOND, cleanBox } from "../methods/years.js";
import { answerJobs } from "../parts/job.js";
import { planesIn, relative, widened } from "./pixels.js";

// Web worker that cleans parts of a picture, tile by tile, so that the memory does not grow with the picture.

/**
 * @typedef {import("../methods/years.js").Box} Box
 * @typedef {{ year: number, box: Box }} Part
 * @typedef {{ data: Uint8ClampedArray, size: import("./opening.js").Size, given:
 *   import("../methods/years.js").Given }} Picture
 */

/** Pixels of a side; the keys of these two take more memory. @type {Record<number, number>} */
const TILE = { 2017: 64, 2020: 48 };
const OTHER = 256;

/** The tiles of a box. @param {Box} box @param {number} side */
function* tilesOf({ top, left, height, width }, side) {
  for (let row = top; row < top + height; row += side) {
    for (let column = left; column < left + width; column += side) {
      yield {
        top: row,
        left: column,
        height: Math.min(side, top + height - row),
        width: Math.min(side, left + width - column),
      };
    }
  }
}

/**
 * Clean a box of a picture, and call `done(pixels)` after each tile. Returns RGBA pixels.
 * @param {Picture} picture
 * @param {Part} part
 * @param {(pixels: number) => void} done
 */
function cleaned({ data, size, given }, { year, box }, done) {
  const result = new Uint8ClampedArray(4 * box.height * box.width);
  for (const tile of tilesOf(box, TILE[year] ?? OTHER)) {
    const seen = widened(size, tile, given.radius + BEYOND);
    const planes = cleanBox(planesIn(data, size.width, seen), relative(tile, seen), year, given);
    for (let i = 0; i < tile.height * tile.width; i += 1) {
      const { top, left } = relative(tile, box),
        at = 4 * ((top + Math.floor(i / tile.width)) * box.width + left + (i % tile.width));
      for (let c = 0; c < 3; c += 1) result[at + c] = Math.round(255 * planes[c][i]);
      result[at + 3] = 255;
    }
    done(tile.height * tile.width);
  }
  return result;
}

answerJobs((/** @type {Picture & { boxes: Part[] }} */ { boxes, ...picture }, progress) => {
  const total = boxes.reduce((sum, { box }) => sum + box.height * box.width, 0);
  let finished = 0;
  return boxes.map((each) => {
    const begun = performance.now();
    const pixels = cleaned(picture, each, (done) => {
      finished += done;
      progress(finished / total);
    });
    return { pixels, seconds: (performance.now() - begun) / 1000 };
  });
});
