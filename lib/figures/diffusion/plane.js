import { averagePicture, denoiseWeights } from "../methods/diffusion.js";
import { arrowKeys, focus, positionIn } from "../parts/drag.js";
import { clamp, format, onGrid } from "../parts/numbers.js";
import { describe, html, lay, path, repeat, repeatMade, set } from "../parts/plot.js";
import { N_SHADES, shadedPaths } from "../parts/shades.js";

// The plane of points, which are images of two pixels: density, score, trajectories, and the draggable training points.

const REACH = 2.2; // the plane shows [−REACH, REACH] vertically

const CELL = 5; // cell size of the density, in pixels

export const COORDINATE = /** @type {import("../parts/numbers.js").Grid} */ ([-2, 2, 0.01]);

/** Draw the plane: the density at this noise, the score as arrows, the trajectories, and the training points. */
export function drawPlane(parts, { plane }, now, others) {
  const { width, height } = plane,
    unit = height / 2 / REACH;
  const map = {
    ...{ width, height },
    toPixels: (point) => [width / 2 + unit * point[0], height / 2 - unit * point[1]],
    toPoint: ([right, down]) => [(right - width / 2) / unit, (height / 2 - down) / unit],
  };
  set(parts.plane, plane);
  drawDensity(parts.density, map, now);
  drawArrows(parts.arrows, map, now);
  drawWalks(parts, map, now.step, [now.walk, ...others]);
  drawPoints(parts, map, plane, now);
}

/** The centres of cells that fill the plane, row by row. @returns {any[]} */
function cellsOf({ width, height }, cell) {
  const columns = Math.ceil(width / cell);
  const middle = (_, k) => [((k % columns) + 0.5) * cell, (Math.floor(k / columns) + 0.5) * cell];
  return Array.from({ length: columns * Math.ceil(height / cell) }, middle);
}

/** Draw the density of noisy points (eq:noisy_density), relative to its maximum. */
function drawDensity(group, map, { known: { pictures }, noiseStd }) {
  const cells = cellsOf(map, CELL);
  const hill = ([x, y], [first, second]) => Math.exp(-((x - first) ** 2 + (y - second) ** 2) / (2 * noiseStd ** 2));
  const density = cells.map(map.toPoint).map((point) => pictures.reduce((sum, each) => sum + hill(point, each), 0));
  const highest = Math.max(...density);
  const paths = shadedPaths(
    density.map((each) => each / highest),
    (k) => `M${cells[k][0] - CELL / 2} ${cells[k][1] - CELL / 2}h${CELL}v${CELL}h-${CELL}z`,
  );
  repeat(group, "path", N_SHADES, (path, k) => set(path, { d: paths[k], "fill-opacity": (0.5 * (k + 1)) / N_SHADES }));
}

/** Draw the direction of the score: from each point to its best guess. */
function drawArrows(group, map, { known: { pictures }, noiseStd }) {
  const arrows = cellsOf(map, 40).map((place) => {
    const guess = averagePicture(denoiseWeights(map.toPoint(place), pictures, noiseStd), pictures);
    return arrow(place, map.toPixels(guess));
  });
  repeat(group, "path", 1, (path) => set(path, { d: arrows.join("") }));
}

/** The path of an arrow from one point towards another, short enough not to reach the next arrow. */
function arrow([x, y], [toX, toY]) {
  const far = Math.hypot(toX - x, toY - y);
  if (far < 1) return "";
  const length = clamp(0.4 * far, 4, 18) / far;
  const [u, v] = [(toX - x) * length, (toY - y) * length];
  const line = (right, down) => `l${right.toFixed(1)} ${down.toFixed(1)}`;
  const wing = (side) => `${line(-0.35 * u - 0.25 * side * v, -0.35 * v + 0.25 * side * u)}`;
  const tip = `M${(x + u).toFixed(1)} ${(y + v).toFixed(1)}`;
  return `M${x.toFixed(1)} ${y.toFixed(1)}${line(u, v)}${tip}${wing(1)}${tip}${wing(-1)}`;
}

/** Draw the trajectories up to this step; the first is the highlighted one. */
function drawWalks({ walks, walkers }, { toPixels }, step, all) {
  const ways = all.map(({ steps }) => steps.slice(0, step + 1).map(({ noisy }) => toPixels(noisy)));
  const kind = (j) => (j ? "other" : "own");
  repeat(walks, "path", all.length, (each, j) => set(each, { d: path(ways[j]), class: kind(j) }));
  repeat(walkers, "circle", all.length, (each, j) => {
    const [cx, cy] = ways[j][step];
    set(each, { cx, cy, r: j ? 3.5 : 6, class: kind(j) });
  });
}

/** Draw the training points, sized by their weights in the highlighted guess, and place their handles. */
function drawPoints({ points, handles }, { toPixels }, { x, y }, { known: { pictures }, weights }) {
  repeat(points, "circle", pictures.length, (each, k) => {
    const [cx, cy] = toPixels(pictures[k]);
    set(each, { cx, cy, r: 5 + 6 * Math.sqrt(weights[k]) });
  });
  const make = (k) =>
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

/** Let the pointer and the keyboard move the training points. */
export function letPointerMovePoints(figure, parts) {
  const { change, setting } = figure;
  const moved = (k, place) => ({
    points: setting().points.map((point, i) => (i === k ? place.map((value) => onGrid(value, COORDINATE)) : point)),
  });
  figure.drag(parts.handles, (event) => {
    const k = [...parts.handles.children].indexOf(event.target);
    if (k < 0) return undefined;
    focus(event.target);
    const [first, second] = setting().points[k];
    const unit = parts.at.plane.height / 2 / REACH;
    const [x, y] = positionIn(figure.stage, event);
    return (e) => {
      const [right, down] = positionIn(figure.stage, e);
      change(moved(k, [first + (right - x) / unit, second - (down - y) / unit]));
    };
  });
  parts.handles.addEventListener("focusin", ({ target }) => {
    if (target.isBound) return;
    target.isBound = true;
    arrowKeys(target, (right, up) => {
      const k = [...parts.handles.children].indexOf(target);
      const [first, second] = setting().points[k];
      change(moved(k, [first + 0.05 * right, second + 0.05 * up]));
    });
  });
}
