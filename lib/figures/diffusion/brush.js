import { arrowKeys, focus } from "../parts/drag.js";
import { inside } from "../parts/photograph.js";

// Drawing into the noise, with the pointer, the keyboard and buttons.

/**
 * @typedef {import("../methods/diffusion.js").Shape} Shape
 * @typedef {import("../parts/photograph.js").Pixel} Pixel
 *
 * What the brush needs of a figure: the step and the pixel at which it draws, and the names of the noise levels.
 * @typedef {import("../parts/drag.js").Draggable & { setting(): { brush: number[] }, now: { step: number,
 *   noiseStd: number, pixel: Pixel },
 *   data: { shape: Shape, ranges: Record<string, number[] | string[]> } }} Canvas
 */

const FINE = 0.5; // below this noise, the buttons draw into the noise of the first step

/** The setting of the brush strokes, each encoded as step · n_pixels + pixel. @param {number} longest */
export const strokeSetting = (longest) => ({
  write: (/** @type {number[]} */ strokes) => strokes.join("."),
  read: (/** @type {string} */ text) => {
    if (!/^\d+(\.\d+)*$/.test(text)) return undefined;
    return [...new Set(text.split(".").map(Number))].filter((stroke) => stroke < longest).slice(0, 3000);
  },
});

/** The lines that the buttons draw, as pixels of an image. */
const ring =
  (/** @type {number} */ tall) =>
  (/** @type {Shape} */ { height, width }) =>
    Array.from({ length: 40 }, (_, k) => [
      height * (0.5 + tall * Math.sin((k * Math.PI) / 20)),
      width * (0.5 + 0.21 * Math.cos((k * Math.PI) / 20)),
    ]);
const bar = (/** @type {Shape} */ { height, width }) =>
  Array.from({ length: 40 }, (_, k) => [height * (0.2 + 0.015 * k), width / 2]);

/** The pixels on the straight line between two pixels. @param {number[]} pixel @param {number[]} end */
function between([row, column], [toRow, toColumn]) {
  const n = Math.max(Math.abs(toRow - row), Math.abs(toColumn - column), 1);
  return Array.from({ length: n }, (_, k) => [
    Math.round(row + ((toRow - row) * (k + 1)) / n),
    Math.round(column + ((toColumn - column) * (k + 1)) / n),
  ]);
}

/**
 * Let the pointer and the keyboard draw into the noise and select the pixel at the centre of the patch.
 * @param {Canvas} figure
 * @param {{ drawing: Element, looking?: Element, handle: HTMLElement }} parts
 */
export function letPointerDraw(figure, parts) {
  const { change, setting, data } = figure,
    { shape } = data,
    size = shape.height * shape.width;
  /** @type {number[] | undefined} */
  let pressed;

  /** Draw at a step, by default the current one. Strokes at later steps are removed. @param {number[][]} pixels */
  function draw(pixels, step = figure.now.step) {
    const dabs = pixels
      .map((place) => inside(shape, place))
      .map(([row, column]) => step * size + row * shape.width + column);
    const kept = setting().brush.filter((stroke) => stroke < (step + 1) * size);
    change({ brush: [...new Set([...kept, ...dabs])], pixel: inside(shape, pixels[pixels.length - 1]) });
  }
  /** @param {PointerEvent} event */
  function grab(event) {
    const target = [parts.drawing, parts.looking].find((each) => each === event.target);
    pressed = undefined;
    if (!target) return undefined;
    const { left, top, width, height } = target.getBoundingClientRect();
    const place = (/** @type {PointerEvent} */ e) =>
      inside(shape, [((e.clientY - top) * shape.height) / height, ((e.clientX - left) * shape.width) / width]);
    focus(parts.handle);
    if (target === parts.looking) return (/** @type {PointerEvent} */ e) => change({ pixel: place(e) });
    /** @type {number[]} */
    let from = place(event);
    pressed = from; // a click without movement draws a dot
    return (/** @type {PointerEvent} */ e) => {
      if (e === event) return;
      const to = place(e);
      draw(pressed ? [from, ...between(from, to)] : between(from, to));
      [from, pressed] = [to, undefined];
    };
  }
  figure.drag(figure.stage, grab, () => pressed && draw([pressed]));
  arrowKeys(parts.handle, (right, up) => {
    const [row, column] = figure.now.pixel;
    change({ pixel: inside(shape, [row - up, column + right]) });
  });
  parts.handle.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    draw([figure.now.pixel]);
  });
  /**
   * Draw the line of a button. Near the end of the trajectory, add it to the noise image of the first step
   * instead.
   * @param {(shape: Shape) => number[][]} line
   */
  const drawLine = (line) => () => {
    const isEnd = figure.now.noiseStd < FINE;
    draw(line(shape), isEnd ? 0 : figure.now.step);
    if (isEnd) change({ noise: data.ranges.noise.at(-1) });
  };
  return {
    ring: drawLine(ring(0.25)),
    tallRing: drawLine(ring(0.27)),
    bar: drawLine(bar),
    wipe: () => change({ brush: [] }),
  };
}
