import { averagePicture, denoiseWeights } from "../methods/diffusion.js";
import { arrowKeys, focus, positionIn } from "../parts/drag.js";
import { clamp, format, onGrid } from "../parts/numbers.js";
import { describe, html, lay, path, repeat, repeatMade, set } from "../parts/plot.js";
import { N_SHADES, shadedPaths } from "../parts/shades.js";

// The plane of points, which are images of two pixels: density, score, trajectories, and the draggable training points.

/**
 * @typedef {import("./drawing.js").Parts} Parts
 * @typedef {import("./walk.js").Figure} Figure
 * @typedef {import("./walk.js").Found} Found
 * @typedef {import("./walk.js").Walk} Walk
 * @typedef {import("../parts/plot.js").Box} Box
 * @typedef {ReturnType<typeof scaleOf>} Scale
 */

const REACH = 2.2; // the plane shows [−REACH, REACH] vertically

const CELL = 5; // cell size of the density, in pixels

export const COORDINATE = /** @type {import("../parts/numbers.js").Grid} */ ([-2, 2, 0.01]);

/** From points to pixels of the plane, and back. @param {Box} plane */
function scaleOf({ width, height }) {
  const unit = height / 2 / REACH;
  return {
    ...{ width, height },
    toPixels: (/** @type {ArrayLike<number>} */ point) => [width / 2 + unit * point[0], height / 2 - unit * point[1]],
    toPoint: (/** @type {number[]} */ [right, down]) => [(right - width / 2) / unit, (height / 2 - down) / unit],
  };
}

/**
 * Draw the plane: the density at this noise, the score as arrows, the trajectories, and the training points.
 * @param {Parts} parts @param {Box} plane @param {Figure["now"]} now @param {Found} found @param {Walk[]} others
 */
export function drawPlane(parts, plane, { step, noiseStd }, { known: { pictures }, weights, walk }, others) {
  const map = scaleOf(plane);
  set(parts.plane, plane);
  drawDensity(parts.density, map, pictures, noiseStd);
  drawArrows(parts.arrows, map, pictures, noiseStd);
  drawWalks(parts, map, step, [walk, ...others]);
  drawPoints(parts, map, plane, pictures, weights);
}

/**
 * The centres of cells that fill the plane, row by row.
 * @type {(plane: { width: number, height: number }, cell: number) => number[][]}
 */
function cellsOf({ width, height }, cell) {
  const columns = Math.ceil(width / cell);
  const middle = (/** @type {unknown} */ _, /** @type {number} */ k) => [
    ((k % columns) + 0.5) * cell,
    (Math.floor(k / columns) + 0.5) * cell,
  ];
  return Array.from({ length: columns * Math.ceil(height / cell) }, middle);
}

/**
 * Draw the density of noisy points (eq:noisy_density), relative to its maximum.
 * @type {(group: Element, map: Scale, pictures: Float64Array[], noiseStd: number) => void}
 */
function drawDensity(group, map, pictures, noiseStd) {
  const cells = cellsOf(map, CELL);
  const hill = (/** @type {number[]} */ [x, y], /** @type {Float64Array} */ [first, second]) =>
    Math.exp(-((x - first) ** 2 + (y - second) ** 2) / (2 * noiseStd ** 2));
  const density = cells.map(map.toPoint).map((point) => pictures.reduce((sum, each) => sum + hill(point, each), 0));
  const highest = Math.max(...density);
  const paths = shadedPaths(
    density.map((each) => each / highest),
    (k) => `M${cells[k][0] - CELL / 2} ${cells[k][1] - CELL / 2}h${CELL}v${CELL}h-${CELL}z`,
  );
  repeat(group, "path", N_SHADES, (path, k) => set(path, { d: paths[k], "fill-opacity": (0.5 * (k + 1)) / N_SHADES }));
}

/**
 * Draw the direction of the score: from each point to its best guess.
 * @type {(group: Element, map: Scale, pictures: Float64Array[], noiseStd: number) => void}
 */
function drawArrows(group, map, pictures, noiseStd) {
  const arrows = cellsOf(map, 40).map((place) => {
    const guess = averagePicture(denoiseWeights(map.toPoint(place), pictures, noiseStd), pictures);
    return arrow(place, map.toPixels(guess));
  });
  repeat(group, "path", 1, (path) => set(path, { d: arrows.join("") }));
}

/**
 * The path of an arrow from one point towards another, short enough not to reach the next arrow.
 * @type {(from: number[], to: number[]) => string}
 */
function arrow([x, y], [toX, toY]) {
  const far = Math.hypot(toX - x, toY - y);
  if (far < 1) return "";
  const length = clamp(0.4 * far, 4, 18) / far;
  const [u, v] = [(toX - x) * length, (toY - y) * length];
  const line = (/** @type {number} */ right, /** @type {number} */ down) => `l${right.toFixed(1)} ${down.toFixed(1)}`;
  const wing = (/** @type {number} */ side) => line(-0.35 * u - 0.25 * side * v, -0.35 * v + 0.25 * side * u);
  const tip = `M${(x + u).toFixed(1)} ${(y + v).toFixed(1)}`;
  return `M${x.toFixed(1)} ${y.toFixed(1)}${line(u, v)}${tip}${wing(1)}${tip}${wing(-1)}`;
}

/**
 * Draw the trajectories up to this step; the first is the highlighted one.
 * @type {(parts: Parts, map: Scale, step: number, all: Walk[]) => void}
 */
function drawWalks({ walks, walkers }, { toPixels }, step, all) {
  const ways = all.map(({ steps }) => steps.slice(0, step + 1).map(({ noisy }) => toPixels(noisy)));
  const kind = (/** @type {number} */ j) => (j ? "other" : "own");
  repeat(walks, "path", all.length, (each, j) => set(each, { d: path(ways[j]), class: kind(j) }));
  repeat(walkers, "circle", all.length, (each, j) => {
    const [cx, cy] = ways[j][step];
    set(each, { cx, cy, r: j ? 3.5 : 6, class: kind(j) });
  });
}

/**
 * Draw the training points, sized by their weights in the highlighted guess, and place their handles.
 * @param {Parts} parts @param {Scale} map @param {Box} plane @param {Float64Array[]} pictures @param {number[]} weights
 */
function drawPoints({ points, handles }, { toPixels }, { x, y }, pictures, weights) {
  repeat(points, "circle", pictures.length, (each, k) => {
    const [cx, cy] = toPixels(pictures[k]);
    set(each, { cx, cy, r: 5 + 6 * Math.sqrt(weights[k]) });
  });
  const make = (/** @type {number} */ k) =>
    html(
      "div",
      { class: "point-handle", role: "slider", tabindex: 0, "aria-label": `Training point ${k + 1}` },
      handles,
    );
  repeatMade(handles, make, pictures.length, (handle, k) => {
    const [first, second] = pictures[k],
      [right, down] = toPixels([first, second]);
    lay(handle, { x: x + right - 16, y: y + down - 16, width: 32, height: 32 });
    describe(handle, first, COORDINATE, `first pixel ${format(first, 2)}, second ${format(second, 2)}`);
  });
}

/**
 * Let the pointer and the keyboard move the training points.
 * @param {Figure} figure
 * @param {Parts} parts
 * @param {() => number} height of the plane
 */
export function letPointerMovePoints({ stage, change, drag, setting }, { handles }, height) {
  const placeOf = (/** @type {EventTarget | null} */ target) => [...handles.children].indexOf(target);
  /** @param {number} k @param {number[]} place */
  const move = (k, place) => {
    const moved = place.map((value) => onGrid(value, COORDINATE));
    change({ points: setting().points.map((point, i) => (i === k ? moved : point)) });
  };
  drag(handles, (event) => {
    const k = placeOf(event.target);
    if (k < 0) return undefined;
    focus(event.target);
    const [first, second] = setting().points[k];
    const unit = height() / 2 / REACH;
    const [x, y] = positionIn(stage, event);
    return (e) => {
      const [right, down] = positionIn(stage, e);
      move(k, [first + (right - x) / unit, second - (down - y) / unit]);
    };
  });
  arrowKeys(handles, (right, up) => {
    const k = placeOf(document.activeElement),
      [first, second] = setting().points[k];
    move(k, [first + 0.05 * right, second + 0.05 * up]);
  });
}
