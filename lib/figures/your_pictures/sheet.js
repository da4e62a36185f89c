import { memo } from "../contract/figure.js";
import { arrowKeys, focus } from "../parts/drag.js";
import { clamp } from "../parts/numbers.js";
import { describe, html, lay } from "../parts/plot.js";
import { pictureCanvas } from "./paint.js";

// The training set as a sheet of thumbnails: those that carry 90 % of the weight in full, the others faint.

const SMALLEST = 22,
  LARGEST = 48, // pixels of a cell
  FAINT = 0.25;

/**
 * @typedef {import("./your_pictures.js").Figure} Figure
 * @typedef {import("./training_set.js").Known} Known
 * @typedef {{ clientX: number, clientY: number }} Pointed
 */

/**
 * Columns and size of the cells for `n` pictures in a box; more than fit are scrolled.
 * @param {number} n
 * @param {{ width: number, height: number }} box
 */
export function gridOf(n, { width, height }) {
  let cell = LARGEST;
  while (cell > SMALLEST && Math.ceil(n / Math.floor(width / cell)) * cell > height) cell -= 1;
  const columns = Math.floor(width / cell);
  return { cell, columns, rows: Math.ceil(n / columns) };
}

/**
 * Return a function that paints the training set into cells of one size, the images of `heavy` in full.
 * @param {ReturnType<typeof html>} canvas
 */
function thumbnailsOn(canvas) {
  const thumbs = memo((/** @type {Known} */ { pictures, shape }) =>
    pictures.map((picture) => pictureCanvas(picture, shape)),
  );
  /** @type {(known: Known, columns: number, rows: number, heavy: string) => void} */
  const paint = (known, columns, rows, heavy) => {
    const pen = canvas.getContext("2d"),
      size = known.shape.width + 1,
      inFull = new Set(heavy.split(".").map(Number));
    Object.assign(canvas, { width: columns * size, height: rows * size });
    thumbs(known).forEach((thumb, i) => {
      pen.globalAlpha = inFull.has(i) ? 1 : FAINT;
      pen.drawImage(thumb, (i % columns) * size, Math.floor(i / columns) * size);
    });
  };
  return memo(paint);
}

/**
 * The picture at a position in the sheet, in pixels; the nearest one outside of it.
 * @type {(grid: ReturnType<typeof gridOf>, count: number, position: number[]) => number}
 */
function pictureAt({ cell, columns, rows }, count, [x, y]) {
  const column = clamp(Math.floor(x / cell), 0, columns - 1),
    row = clamp(Math.floor(y / cell), 0, rows - 1);
  return Math.min(row * columns + column, count - 1);
}

/**
 * The position of the pointer in the sheet, in pixels of the page.
 * @type {(canvas: HTMLElement, event: Pointed) => [x: number, y: number]}
 */
function positionIn(canvas, { clientX, clientY }) {
  const { left, top } = canvas.getBoundingClientRect();
  return [clientX - left, clientY - top];
}

/**
 * Let the arrow keys, Home and End move the ring, and Delete remove its picture.
 * @param {HTMLElement} ring
 * @param {(right: number, up: number) => void} move
 * @param {() => void} remove
 */
function bindKeys(ring, move, remove) {
  arrowKeys(ring, move);
  ring.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    remove();
  });
}

/**
 * Create the sheet on the stage. Its handle is the ring around one picture.
 * @param {Figure} figure
 * @param {{ remove(): void }} actions
 */
export function createSheet(figure, { remove }) {
  const box = html("div", { class: "sheet" }, figure.stage),
    all = html("div", { class: "sheet-all" }, box),
    canvas = html("canvas", { class: "sheet-canvas", "aria-hidden": "true" }, all);
  const handle = { class: "picture-handle", role: "slider", tabindex: 0 };
  const ring = html("div", { ...handle, "aria-label": "Image of the training set; Delete removes it" }, all);
  const paint = thumbnailsOn(canvas);
  let at = gridOf(1, { width: 100, height: 100 }),
    count = 1;

  /** @param {Figure["now"]} now @param {import("../parts/plot.js").Box} place */
  function draw({ known, keys, heaviest90, picture, weightOf }, place) {
    lay(box, place);
    count = known.kept.length;
    at = gridOf(count, place);
    const { cell, columns, rows } = at;
    lay(canvas, { x: 0, y: 0, width: columns * cell, height: rows * cell });
    Object.assign(all.style, { width: `${columns * cell}px`, height: `${rows * cell}px` });
    paint(known, columns, rows, heaviest90.map((k) => keys[k]).join("."));
    const [x, y] = [(picture % columns) * cell, Math.floor(picture / columns) * cell];
    lay(ring, { x, y, width: cell - 1, height: cell - 1 });
    describe(ring, picture, [0, count - 1], wordsOf(known, picture, weightOf));
  }

  /** Scroll to the ringed picture. @param {number} picture */
  function reach(picture) {
    const y = Math.floor(picture / at.columns) * at.cell;
    box.scrollTop = clamp(box.scrollTop, y + at.cell - box.clientHeight, y);
  }

  const choose = (/** @type {number} */ picture) => {
    const found = clamp(picture, 0, count - 1);
    figure.change({ picture: found });
    reach(found);
  };
  bindKeys(ring, (right, up) => choose(figure.now.picture + right - up * at.columns), remove);
  const positionOf = (/** @type {Pointed} */ event) => positionIn(canvas, event);

  /** Drag over the pictures to choose one. @param {PointerEvent} event */
  function grab(event) {
    if (event.target !== canvas && event.target !== ring) return undefined;
    focus(ring);
    return (/** @type {PointerEvent} */ moved) => figure.change({ picture: pictureAt(at, count, positionOf(moved)) });
  }

  /** The mark under a point of the stage, for the tooltip. @param {number} x @param {number} y */
  function find(x, y) {
    const stage = figure.stage.getBoundingClientRect(),
      inside = box.getBoundingClientRect();
    const [px, py] = positionOf({ clientX: x + stage.left, clientY: y + stage.top });
    const isOver = y + stage.top >= inside.top && y + stage.top < inside.bottom && px >= 0 && px < at.columns * at.cell;
    const place = Math.floor(py / at.cell) * at.columns + Math.floor(px / at.cell);
    return isOver && py >= 0 && place < count ? markOf(place) : undefined;
  }

  /** @param {number} picture */
  function markOf(picture) {
    const { known, weightOf } = figure.now,
      stage = figure.stage.getBoundingClientRect(),
      { left, top } = canvas.getBoundingClientRect();
    const x = left - stage.left + ((picture % at.columns) + 0.5) * at.cell,
      y = top - stage.top + Math.floor(picture / at.columns) * at.cell;
    return { x, y, text: wordsOf(known, picture, weightOf) };
  }
  const focused = (/** @type {Element} */ element) => (element === ring ? markOf(figure.now.picture) : undefined);
  return { box, canvas, draw, grab, find, focused };
}

/**
 * Number, file and weight of a picture; it is never used as HTML.
 * @type {(known: Known, picture: number, weightOf: (k: number) => string) => string}
 */
function wordsOf({ names }, picture, weightOf) {
  const name = names[picture] ? `, ${names[picture].slice(0, 40)}` : "";
  return `number ${picture}${name}, weight ${weightOf(picture)}`;
}
