import { clamp } from "../parts/numbers.js";
import { contextOf } from "../parts/photograph.js";
import { html } from "../parts/plot.js";
import { pngFile } from "../parts/save.js";

// Pictures on canvases.

/** @typedef {import("./training_set.js").Shape} Shape */

/**
 * Paint a picture on a canvas of its size. The value `contrast` is white, `-contrast` is black.
 * @param {HTMLCanvasElement} canvas @param {Shape} shape @param {ArrayLike<number>} picture
 */
export function paintPicture(canvas, { height, width, channels }, picture, contrast = 1) {
  const pixels = new ImageData(width, height);
  for (let i = 0; i < height * width; i += 1) {
    for (let c = 0; c < 3; c += 1) {
      const level = picture[i * channels + (c % channels)] / contrast;
      pixels.data[4 * i + c] = Math.round(127.5 * (clamp(level, -1, 1) + 1));
    }
    pixels.data[4 * i + 3] = 255;
  }
  Object.assign(canvas, { width, height });
  contextOf(canvas).putImageData(pixels, 0, 0);
  return canvas;
}

/** @param {ArrayLike<number>} picture @param {Shape} shape */
export const pictureCanvas = (picture, shape) => paintPicture(html("canvas"), shape, picture);

/**
 * Pictures enlarged side by side, in rows of `columns`, as a PNG file.
 * @param {ArrayLike<number>[]} pictures
 * @param {Shape} shape
 * @param {number} columns
 */
export function sheetPng(pictures, shape, columns, scale = 8) {
  const gap = pictures.length > 1 ? scale : 0,
    [right, down] = [shape.width * scale + gap, shape.height * scale + gap];
  const canvas = html("canvas", {
    width: columns * right - gap,
    height: Math.ceil(pictures.length / columns) * down - gap,
  });
  const pen = canvas.getContext("2d");
  pen.imageSmoothingEnabled = false;
  pictures.forEach((picture, i) => {
    const [x, y] = [(i % columns) * right, Math.floor(i / columns) * down];
    pen.drawImage(pictureCanvas(picture, shape), x, y, shape.width * scale, shape.height * scale);
  });
  return pngFile(canvas);
}
