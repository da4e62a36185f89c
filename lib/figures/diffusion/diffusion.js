import {
  averagePicture,
  denoiseWeights,
  nearestTo,
  patchAround,
  standardNoise,
  stepTowards,
} from "../methods/diffusion.js";
import { defineFigure, memo } from "../contract/figure.js";
import { arrowKeys, focus } from "../parts/drag.js";
import { decodeBytes } from "../methods/base64.js";
import { clamp, format, onGrid, percent, role } from "../parts/numbers.js";
import { greyPixel, inside, paintPixels, pixelSetting } from "../parts/photograph.js";
import { playButton } from "../parts/play.js";
import {
  describe,
  drawing,
  html,
  lay,
  fontSize,
  path,
  repeat,
  repeatMade,
  resize,
  set,
  svg,
  translate,
  textWidth,
} from "../parts/plot.js";
import { listSetting } from "../contract/settings.js";
import { keysForShare } from "../methods/weights.js";
import { N_SHADES, shadedPaths } from "../parts/shades.js";
import { loadLazy, onFirstInteraction, createWorker } from "../parts/workers.js";

// Left, the noisy picture, into which one draws; beside it the best guess and the known picture nearest to it; right,
// the known pictures with the largest weights. Points in a plane are pictures of two pixels: the same numbers, drawn
// as a map.

const N_SHOWN = 10, // known pictures with the largest weights
  N_WALKERS = 24, // points that walk in the plane
  SAME = 0.01,
  NEW = 0.1, // root mean square: nearer than this is the same picture, farther than that a new one
  FAINT = 0.0005, // a weight that reads as nothing
  FINE = 0.5, // noise of the last steps, from which a line drawn by a button goes back to the first
  PAUSE = 90; // milliseconds between two steps of Play
const REACH = 2.2, // of the plane, up and down
  CELL = 5; // of its density, in pixels
const COORDINATE = /** @type {import("../parts/numbers.js").Grid} */ ([-2, 2, 0.01]);
const published = (number) => Number(number.toPrecision(10)); // Python's sums and the browser's differ behind
const counted = (number) => number.toLocaleString("en-GB");

// ---- The walk ---------------------------------------------------------------------------------------------

/** The pixels of a brush at one pixel, and those around them. */
const brushAt = ({ height, width }, pixel, reach) => {
  const [row, column] = [Math.floor(pixel / width), pixel % width];
  const covered = [];
  for (let y = Math.max(row - reach, 0); y <= Math.min(row + reach, height - 1); y += 1) {
    for (let x = Math.max(column - reach, 0); x <= Math.min(column + reach, width - 1); x += 1) {
      if (Math.hypot(y - row, x - column) <= reach) covered.push(y * width + x);
    }
  }
  return covered;
};

/** The noisy picture after strokes: brighter by two standard deviations, and around them darker by one. */
function stroked(noisy, dabs, noiseStd, shape) {
  if (!dabs.length) return noisy;
  const covered = (reach) => new Set(dabs.flatMap((pixel) => brushAt(shape, pixel, reach)));
  const [stroke, around] = [covered(1), covered(3)];
  return noisy.map((value, i) => value + noiseStd * (stroke.has(i) ? 2 : around.has(i) ? -1 : 0));
}

/** The first step at which strokes differ. A stroke is step · pixels + pixel. */
function firstDifference(strokes, others, size) {
  const without = (list, other) => list.filter((stroke) => !other.includes(stroke));
  return Math.floor(Math.min(...without(strokes, others), ...without(others, strokes), Infinity) / size);
}

/** A walk down the levels. It keeps the steps of the one before, as far as they are the same. */
function walkFrom(known, radius, seed, strokes, levels, before) {
  const { pictures, shape } = known,
    size = pictures[0].length;
  const isSame = before && before.known === known && before.radius === radius && before.seed === seed;
  const steps = isSame ? before.steps.slice(0, firstDifference(strokes, before.strokes, size)) : [];
  const dabs = (step) => strokes.filter((stroke) => Math.floor(stroke / size) === step).map((stroke) => stroke % size);

  /** The noisy picture of the step that follows those that are known. */
  function next() {
    const step = steps.length,
      last = steps[step - 1];
    const noisy = last
      ? stepTowards(last.noisy, last.guess, levels[step - 1], levels[step])
      : standardNoise(seed, size).map((value) => levels[0] * value);
    return stroked(noisy, dabs(step), levels[step], shape);
  }

  /** With whole pictures: on to this step. */
  function go(step) {
    while (steps.length <= step) {
      const noisy = next();
      const weights = denoiseWeights(noisy, pictures, levels[steps.length], known.all);
      steps.push({ noisy, weights, guess: averagePicture(weights, pictures) });
    }
  }

  return { known, radius, seed, strokes, steps, next, go };
}

/** Pictures to compare with, and the places of their pixels. */
const knownSet = (pictures, shape) => ({ pictures, shape, all: [...pictures[0].keys()] });

/** The pictures that Python packed. */
async function unpackPictures({ levels, places }, n, shape) {
  const stream = new Blob([decodeBytes(places)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = shape.height * shape.width;
  const picture = (_, k) => Float64Array.from(bytes.subarray(k * size, (k + 1) * size), (place) => levels[place]);
  return knownSet(Array.from({ length: n }, picture), shape);
}

/** What Python saw first, as `compute` gives it: of the known pictures there are those that are shown. */
function firstView({ scales, pixels, heaviest, weights, ...numbers }, n, shape) {
  const levels = new Int8Array(decodeBytes(pixels).buffer),
    size = levels.length / scales.length;
  const shown = scales.map((scale, k) =>
    Float64Array.from(levels.subarray(k * size, (k + 1) * size), (x) => scale * x),
  );
  const [noisy, guess, nearest, ...others] = shown;
  const all = Object.assign(Array(n), { [numbers.nearest]: nearest });
  const shares = Array(n);
  heaviest.forEach((index, k) => {
    all[index] = others[k];
    shares[index] = weights[k];
  });
  const known = { pictures: all, shape, all: [...noisy.keys()] };
  return { ...numbers, noisy, guess, heaviest, weights: shares, known, walk: { steps: [] }, isThere: true };
}

/** The constants, and the walks that settings ask for. */
function withWalks(constants) {
  const [height, width] = constants.shape;
  let before;
  return {
    ...constants,
    shape: { height, width },
    first: firstView(constants.first, constants.n_pictures, { height, width }),
    pointsOf: memo((points) => knownSet(points, { height: 1, width: 2 })),
    walkOf: memo((known, radius, seed, strokes) => {
      before = walkFrom(known, radius, seed, strokes, constants.levels, before);
      return before;
    }),
    others: memo((known, seed) =>
      Array.from({ length: N_WALKERS }, (_, j) => {
        const walk = walkFrom(known, null, 1000 * (j + 1) + seed, [], constants.levels);
        walk.go(constants.levels.length - 1);
        return walk;
      }),
    ),
    nearest: memo(nearestTo),
    patch: memo(
      (known, pixel, radius) => new Set(radius === null ? known.all : patchAround(known.shape, pixel, radius)),
    ),
    patchWeights: memo((noisy, known, noiseStd, radius, pixel) =>
      denoiseWeights(noisy, known.pictures, noiseStd, patchAround(known.shape, pixel, radius)),
    ),
  };
}

function compute(data, setting, answers) {
  const { levels, ranges, shape } = data;
  const isPlane = setting.view === "points",
    radius = isPlane || setting.compare === "whole" ? null : Number(setting.compare);
  const step = levels.length - 1 - ranges.noise.indexOf(setting.noise),
    noiseStd = levels[step];
  const pixel = inside(shape, setting.pixel);
  const known = isPlane ? data.pointsOf(setting.points) : answers.known;
  const now = { step, noiseStd, radius, isPlane, pixel, known };
  if (!known) return radius === null && isFirst(data.first, setting, step) ? { ...now, ...data.first } : now;
  const walk = data.walkOf(known, radius, setting.start, isPlane ? NO_STROKES : setting.brush);
  if (radius === null) walk.go(step);
  const { steps } = walk,
    isThere = steps.length > step;
  const at = steps[Math.min(step, steps.length - 1)] ?? beforeAll(walk);
  const level = levels[clamp(steps.length - 1, 0, step)];
  const weights = at.weights ?? data.patchWeights(at.noisy, known, level, radius, pixel[0] * shape.width + pixel[1]);
  const heaviest = heaviestOf(weights);
  const { nearest, distance } = data.nearest(at.guess, known.pictures);
  return { ...now, walk, isThere, ...at, weights, heaviest, count: keysForShare(weights, 0.9), nearest, distance };
}

/** The keys with the largest weights, the largest first. */
function heaviestOf(weights) {
  const least = Float64Array.from(weights).sort().at(-N_SHOWN) ?? 0; // numbers alone sort fast
  const keys = [...weights.keys()].filter((k) => weights[k] >= least);
  return keys.sort((a, b) => weights[b] - weights[a] || a - b).slice(0, N_SHOWN);
}

const NO_STROKES = [];
const isFirst = (first, { start, brush }, step) => step === first.step && start === first.start && !brush.length;

/** Before the first guess is there: the noise, and the mean of all. */
const beforeAll = ({ known: { pictures }, next }) => ({
  noisy: next(),
  guess: averagePicture(Array(pictures.length).fill(1 / pictures.length), pictures),
});

const state = (
  _,
  { setting, step, noiseStd, radius, pixel, weights, heaviest, count, nearest, distance, isPlane },
) => ({
  noise_std: noiseStd,
  step,
  patch_radius: radius,
  view: setting.view,
  start: setting.start,
  pixel,
  strokes: setting.brush,
  ...(isPlane && { points: setting.points }),
  ...(weights && {
    weights: heaviest.map((index) => ({ index, weight: published(weights[index]) })),
    keys_for_90_percent: count,
    nearest,
    distance_to_nearest: published(distance),
  }),
});

// ---- As text ----------------------------------------------------------------------------------------------

const nameOf = ({ noun }, { isPlane }) => (isPlane ? "point" : noun);

/** Same or new: what the best guess is beside the known pictures. */
function verdict(data, { nearest, distance, step, isPlane }) {
  const noun = nameOf(data, { isPlane }),
    number = isPlane ? nearest + 1 : nearest;
  const away = `${format(distance, 2)} from the nearest known ${noun}, number ${number}`;
  if (distance < SAME) return `is number ${number} of the known ${noun}s${isPlane ? "" : ", to the last grey level"}`;
  const isEnd = step === data.levels.length - 1;
  return isEnd ? `is ${away}: ${distance > NEW ? "a new one" : "nearly the same"}` : `is ${away}: a mixture so far`;
}

function sentence(data, now) {
  const { setting, radius, step, weights, count, known, isThere, isPlane, answers } = now;
  if (answers.problem) return answers.problem;
  if (!known) return `The known ${data.noun}s are on their way.`;
  if (!isThere) return `The patches of ${counted(known.pictures.length)} ${data.noun}s are being compared.`;
  const isEnd = step === data.levels.length - 1,
    noun = nameOf(data, now);
  const subject = role("estimate", `${isEnd ? "what came out" : "the best guess"}`);
  const noise = `${role("query", `Noise σ = ${setting.noise}`)}, step ${step + 1} of ${data.levels.length}: `;
  return (
    `${noise}${subject} ${verdict(data, now)}. ` +
    `90\u00a0% of the weight${radius === null ? "" : " of the marked patch"} lies on ` +
    `${role("weight", `${counted(count)} of ${counted(weights.length)}`)} known ${noun}s.${isPlane ? " Arrows point to the best guess at each place." : ""}`
  );
}

// ---- The picture ------------------------------------------------------------------------------------------

const TITLE = 26,
  ROW = 28,
  GAP = 24;

/** Where things are, in pixels, for a figure of this width and pictures of this shape. */
function layout(width, { height, width: across }) {
  const longest = Math.max(height, across),
    narrow = width < 620;
  const side = narrow ? Math.min(0.66 * width, 280) : 280;
  const scale = side / longest;
  const box = (x, y, unit) => ({ x, y, scale: unit, width: unit * across, height: unit * height });
  const noisy = box(0, TITLE, scale);
  const small = Math.min((side - TITLE - 6) / 2, width - side - (narrow ? 14 : GAP)) / longest;
  const x = side + (narrow ? 14 : GAP);
  const guess = box(x, TITLE, small),
    nearest = box(x, TITLE + side - small * longest, small);
  const right = x + small * longest;
  const list = narrow
    ? { x: 0, y: side + 2 * TITLE + 18, width, columns: 2, columnWidth: (width - 16) / 2 }
    : { x: right + GAP, y: TITLE, width: width - right - GAP, columns: 1, columnWidth: width - right - GAP };
  const plane = { x: 0, y: TITLE, width: narrow ? width : right, height: side };
  const bottom = narrow ? list.y + (ROW * N_SHOWN) / list.columns : TITLE + Math.max(side, ROW * N_SHOWN);
  return { narrow, noisy, guess, nearest, list, plane, side, height: bottom + 6 };
}

/** The elements of the picture, from back to front. */
function elements(stage, { shape: { height, width } }) {
  const picture = (name) => html("canvas", { class: name, width, height, "aria-hidden": "true" }, stage);
  const pictures = Object.fromEntries(["noisy", "guess", "nearest"].map((name) => [name, picture(`${name} whole`)]));
  const thumbs = Array.from({ length: N_SHOWN }, () => thumbOn(picture("thumb"), { height, width }));
  const { canvas, add } = drawing(stage);
  const title = (name) => add("text", `title ${name}`);
  /** @type {any} */
  const parts = {
    ...{ pictures, thumbs, canvas },
    titles: Object.fromEntries(["noisy", "guess", "nearest", "list"].map((name) => [name, title(name)])),
    notes: { noisy: add("text", "note"), list: add("text", "note weight") },
    waiting: add("rect", "waiting", { height: 3 }),
    plane: add("svg", "plane"),
    rows: add("g", "rows"),
    frames: add("g", "frames"),
  };
  for (const name of ["density", "arrows", "walks", "walkers", "own", "points"]) {
    parts[name] = svg("g", { class: name }, parts.plane);
  }
  parts.drawing = html("div", { class: "brush-grip", title: "Draw here" }, stage);
  parts.looking = html("div", { class: "pixel-grip" }, stage);
  const handle = { class: "pixel-handle", role: "slider", tabindex: 0, "aria-label": "Brush", "aria-valuenow": 0 };
  parts.handle = html("div", handle, stage);
  parts.handles = html("div", { class: "point-handles" }, stage);
  return parts;
}

/** A picture on a canvas; `contrast` is what stands for white. */
function paintPicture(canvas, shape, picture, contrast = 1) {
  const pixels = new Uint32Array(picture.length);
  paintPixels(
    canvas,
    shape,
    pixels.map((_, i) => greyPixel((picture[i] / contrast + 1) / 2)),
  );
}

/** A small picture, whose pixels outside of a patch are veiled. */
const thumbOn = (canvas, shape) => ({
  canvas,
  paint: memo((picture, patch) =>
    paintPicture(
      canvas,
      shape,
      picture.map((value, i) => (patch.has(i) ? value : 0.25 * value - 0.15)),
    ),
  ),
});

/** The three pictures, the frame of the patch, the brush. */
function drawPictures(
  parts,
  at,
  { noisy, guess, known, noiseStd, nearest, distance, step, walk, radius, pixel },
  data,
) {
  const { levels, shape } = data;
  paintPicture(parts.pictures.noisy, shape, noisy, Math.hypot(1, 2 * noiseStd));
  if (!known) return;
  paintPicture(parts.pictures.guess, shape, guess);
  paintPicture(parts.pictures.nearest, shape, known.pictures[nearest]);
  const isEnd = step === levels.length - 1;
  const away = distance < SAME ? "the same" : `${format(distance, 2)} away`;
  const done = walk.steps.length / levels.length;
  parts.titles.guess.textContent = isEnd && (radius === null || done === 1) ? "what came out" : "best guess";
  const title = `nearest: ${away}`,
    room = at.nearest.width + (at.narrow ? 0 : GAP);
  parts.titles.nearest.textContent = textWidth(title, at.letter) < room ? title : away;
  set(parts.waiting, { width: radius === null || done === 1 ? 0 : done * at.noisy.width });
  const frame = ({ x, y, scale }) => frameOf(pixel, radius ?? 0, shape, scale, x, y);
  const shown = radius === null ? [] : [at.noisy, at.guess, at.nearest].map(frame);
  repeat(parts.frames, "rect", shown.length, (rect, i) => set(rect, shown[i]));
}

/** The outline of a patch in a picture of this scale at (x, y). */
function frameOf([row, column], radius, { height, width }, scale, x, y) {
  const [left, top] = [Math.max(column - radius, 0), Math.max(row - radius, 0)];
  const [right, bottom] = [Math.min(column + radius + 1, width), Math.min(row + radius + 1, height)];
  return { x: x + left * scale, y: y + top * scale, width: (right - left) * scale, height: (bottom - top) * scale };
}

/** The known pictures with the largest weights: each small, its number, its share as a bar. */
function drawList(parts, { list }, { weights, heaviest, known, isPlane, radius, pixel }, data) {
  const { shape } = data,
    bar = list.columnWidth - 72 - 54,
    nRows = N_SHOWN / list.columns,
    unit = (ROW - 2) / Math.max(shape.height, shape.width);
  const place = (i) => [list.x + Math.floor(i / nRows) * (list.columnWidth + 16), list.y + (i % nRows) * ROW];
  const patch = data.patch(known, radius === null ? null : pixel[0] * shape.width + pixel[1], radius);
  parts.thumbs.forEach(({ canvas, paint }, i) => {
    canvas.hidden = isPlane || i >= heaviest.length;
    if (canvas.hidden) return;
    const [x, y] = place(i);
    lay(canvas, { x, y, width: unit * shape.width, height: unit * shape.height });
    paint(known.pictures[heaviest[i]], patch);
    canvas.classList.toggle("faint", weights[heaviest[i]] < FAINT);
  });
  repeat(parts.rows, "g", heaviest.length, (group, i) => {
    const [x, y] = place(i),
      index = heaviest[i];
    group.parts ??= {
      number: svg("text", { class: "number", x: 66, y: 18 }, group),
      bar: svg("rect", { class: "bar", x: 74, y: 6, height: 15 }, group),
      share: svg("text", { class: "share", y: 18 }, group),
    };
    const { number, bar: rect, share } = group.parts;
    set(group, { transform: translate(x, y), class: weights[index] < FAINT ? "faint" : "" });
    number.textContent = isPlane ? `point ${index + 1}` : String(index);
    set(rect, { width: Math.max(bar * weights[index], 1) });
    share.textContent = percent(weights[index]);
    set(share, { x: 74 + Math.max(bar * weights[index], 1) + 6 });
  });
}

/** The plane: the density at this noise, the arrows of the score, the walks and their points, the known points. */
function drawPlane(parts, { plane }, now, others) {
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

/** The middles of cells that fill the plane, row after row. @returns {any[]} */
function cellsOf({ width, height }, cell) {
  const columns = Math.ceil(width / cell);
  const middle = (_, k) => [((k % columns) + 0.5) * cell, (Math.floor(k / columns) + 0.5) * cell];
  return Array.from({ length: columns * Math.ceil(height / cell) }, middle);
}

/** How likely noisy points are (eq:noisy_density), as a share of the largest. */
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

/** The score points from each place to its best guess. */
function drawArrows(group, map, { known: { pictures, all }, noiseStd }) {
  const arrows = cellsOf(map, 40).map((place) => {
    const guess = averagePicture(denoiseWeights(map.toPoint(place), pictures, noiseStd, all), pictures);
    return arrow(place, map.toPixels(guess));
  });
  repeat(group, "path", 1, (path) => set(path, { d: arrows.join("") }));
}

/** An arrow from here towards there, shorter than the way to the next one. */
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

/** How each walk came to its place at this step; the first is the marked one. */
function drawWalks({ walks, walkers }, { toPixels }, step, all) {
  const ways = all.map(({ steps }) => steps.slice(0, step + 1).map(({ noisy }) => toPixels(noisy)));
  const kind = (j) => (j ? "other" : "own");
  repeat(walks, "path", all.length, (each, j) => set(each, { d: path(ways[j]), class: kind(j) }));
  repeat(walkers, "circle", all.length, (each, j) => {
    const [cx, cy] = ways[j][step];
    set(each, { cx, cy, r: j ? 3.5 : 6, class: kind(j) });
  });
}

/** The known points, as large as their weights in the guess of the marked one, and what holds them. */
function drawPoints({ points, handles }, { toPixels }, { x, y }, { known: { pictures }, weights }) {
  repeat(points, "circle", pictures.length, (each, k) => {
    const [cx, cy] = toPixels(pictures[k]);
    set(each, { cx, cy, r: 5 + 6 * Math.sqrt(weights[k]) });
  });
  const make = (k) =>
    html("div", { class: "point-handle", role: "slider", tabindex: 0, "aria-label": `Known point ${k + 1}` }, handles);
  repeatMade(handles, make, pictures.length, (handle, k) => {
    const [first, second] = pictures[k],
      [right, down] = toPixels([first, second]);
    lay(handle, { x: x + right - 16, y: y + down - 16, width: 32, height: 32 });
    describe(handle, first, COORDINATE, `first pixel ${format(first, 2)}, second ${format(second, 2)}`);
  });
}

// ---- The figure -------------------------------------------------------------------------------------------

/** Which steps have strokes, and where. */
const strokeSetting = (longest) => ({
  write: (strokes) => strokes.join("."),
  read: (text) => {
    if (!/^\d+(\.\d+)*$/.test(text)) return undefined;
    return [...new Set(text.split(".").map(Number))].filter((stroke) => stroke < longest).slice(0, 3000);
  },
});

const settings = ({ levels, shape, defaults }) => ({
  pixel: pixelSetting(/** @type {any} */ (shape)),
  brush: strokeSetting(levels.length * shape.height * shape.width),
  points: listSetting(defaults.points, (numbers) =>
    numbers.length === 2 && numbers.every(Number.isFinite)
      ? numbers.map((value) => onGrid(value, COORDINATE))
      : undefined,
  ),
});

/** A group of buttons: what each says, and what a press does. */
function buttonsIn(parent, className, label, entries) {
  const group = html("div", { class: className, role: "group", "aria-label": label }, parent);
  return entries.map(([text, press]) => {
    const button = html("button", { type: "button", text }, group);
    button.addEventListener("click", press);
    return button;
  });
}

/** Lines to draw drawn by a button, as pixels of a picture. */
const PRESETS = {
  ring: ({ height, width }) =>
    Array.from({ length: 40 }, (_, k) => [
      height * (0.5 + 0.25 * Math.sin((k * Math.PI) / 20)),
      width * (0.5 + 0.21 * Math.cos((k * Math.PI) / 20)),
    ]),
  bar: ({ height, width }) => Array.from({ length: 40 }, (_, k) => [height * (0.2 + 0.015 * k), width / 2]),
};

/** Pixels on the straight line between two. */
function between([row, column], [toRow, toColumn]) {
  const n = Math.max(Math.abs(toRow - row), Math.abs(toColumn - column), 1);
  return Array.from({ length: n }, (_, k) => [
    Math.round(row + ((toRow - row) * (k + 1)) / n),
    Math.round(column + ((toColumn - column) * (k + 1)) / n),
  ]);
}

/** Let pointer and keys draw into the noise and choose the pixel whose patch is looked up. */
function letPointerDraw(figure, parts) {
  const { change, setting, data } = figure,
    { shape } = data,
    size = shape.height * shape.width;
  let pressed;

  /** Strokes at a step, the one that is shown; what was drawn at later ones is gone. */
  function draw(pixels, step = figure.now.step) {
    const dabs = pixels
      .map((place) => inside(shape, place))
      .map(([row, column]) => step * size + row * shape.width + column);
    const kept = setting().brush.filter((stroke) => stroke < (step + 1) * size);
    change({ brush: [...new Set([...kept, ...dabs])], pixel: inside(shape, pixels.at(-1)) });
  }
  function grab(event) {
    const target = [parts.drawing, parts.looking].find((each) => each === event.target);
    pressed = undefined;
    if (!target) return undefined;
    const { left, top, width, height } = target.getBoundingClientRect();
    const place = (e) =>
      inside(shape, [((e.clientY - top) * shape.height) / height, ((e.clientX - left) * shape.width) / width]);
    focus(parts.handle);
    if (target === parts.looking) return (e) => change({ pixel: place(e) });
    let from = place(event);
    pressed = from; // a press that moves nowhere is a dot
    return (e) => {
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
  /** A line drawn by a button. Near the end of the walk it is drawn into the first noise. */
  const drawLine = (line) => () => {
    const isEnd = figure.now.noiseStd < FINE;
    draw(line(shape), isEnd ? 0 : figure.now.step);
    if (isEnd) change({ noise: data.ranges.noise.at(-1) });
  };
  return {
    ring: drawLine(PRESETS.ring),
    bar: drawLine(PRESETS.bar),
    wipe: () => change({ brush: [] }),
  };
}

/** Let pointer and keys move the known points of the plane. */
function letHandsMove(figure, parts) {
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
    return (e) => {
      const [right, down] = [e.clientX - event.clientX, e.clientY - event.clientY];
      change(moved(k, [first + right / unit, second - down / unit]));
    };
  });
  parts.handles.addEventListener("focusin", ({ target }) => {
    if (target.heard) return;
    target.heard = true;
    arrowKeys(target, (right, up) => {
      const k = [...parts.handles.children].indexOf(target);
      const [first, second] = setting().points[k];
      change(moved(k, [first + 0.05 * right, second + 0.05 * up]));
    });
  });
}

/** The patches of a walk, compared in a worker, a step at a time; `go` asks for what is missing. */
function patchesInWorker(figure, { code, fail }) {
  const { data } = figure,
    { levels } = data;
  let worker, asked, known;
  function go({ walk, radius }) {
    if (!walk || radius === null || walk.steps.length === levels.length || (asked && asked === walk)) return;
    if (asked) return; // it answers soon, and then comes this walk
    worker ??= createWorker(code, { listen, fail });
    if (known !== walk.known) worker.post({ open: { pictures: walk.known.pictures, shape: walk.known.shape } });
    known = walk.known;
    asked = walk;
    const step = walk.steps.length;
    asked.noisy = walk.next();
    worker.post({ step, noisy: asked.noisy, noiseStd: levels[step], radius });
  }
  function listen({ step, guess }) {
    if (asked.steps.length === step) asked.steps.push({ noisy: asked.noisy, guess });
    asked = undefined;
    figure.redraw();
  }
  return { go, end: () => worker?.end() };
}

function arrange(parts, { shape, noun }, isPlane, width) {
  const at = { ...layout(width, shape), letter: fontSize(parts.titles.nearest) },
    { noisy, guess, nearest, list } = at;
  resize(parts.canvas, width, at.height);
  for (const [name, canvas] of Object.entries(parts.pictures)) lay(canvas, at[name]);
  const titled = { noisy, guess, nearest, list };
  for (const [name, { x, y }] of Object.entries(titled)) set(parts.titles[name], { x, y: y - 8 });
  set(parts.notes.noisy, { x: isPlane ? at.plane.width : noisy.width, y: noisy.y - 8 });
  set(parts.notes.list, { x: list.x + list.width, y: list.y - 8 });
  set(parts.waiting, { x: noisy.x, y: noisy.y + noisy.height + 2 });
  lay(parts.drawing, noisy);
  lay(parts.looking, guess);
  const words = isPlane
    ? { key: "known points", query: ", this walk", other: ", other walks" }
    : { plain: "noisy picture" };
  const title = Object.entries(words).map(([name, text]) => svg("tspan", { class: name, text }));
  parts.titles.noisy.replaceChildren(...title);
  const averaged = list.width < 240 ? "averaged" : `known ${noun}s, by weight`;
  parts.titles.list.textContent = isPlane ? "the guess averages" : averaged;
  return at;
}

function view(figure) {
  const { data, root, stage, change, setting } = figure,
    { levels, shape, ranges } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, data);
  const hands = letPointerDraw(figure, parts);
  letHandsMove(figure, parts);
  const patches = patchesInWorker(figure, { code: data.worker_code, fail });
  const arranged = memo((isPlane, width) => (parts.at = arrange(parts, data, isPlane, width)));
  const noiseAt = (step) => ranges.noise[levels.length - 1 - step];

  const tools = html("div", { class: "tools" }, stage);
  const frames = () => {
    const last = levels.length - 1,
      from = figure.now.step % last; // from the end it begins anew
    return Array.from({ length: last + 1 - from }, (_, k) => ({ noise: noiseAt(from + k) }));
  };
  const story = { title: "From noise to a picture", frames, pause: PAUSE };
  const { play } = playButton(figure, story, tools);
  buttonsIn(tools, "start", "Noise", [
    ["New start", () => change({ start: (setting().start + 1) % 1000, brush: [], noise: noiseAt(0) })],
  ]);
  const drawings = buttonsIn(tools, "strokes", "Draw into the noise", [
    ["Draw a ring", hands.ring],
    ["Draw a bar", hands.bar],
    ["Wipe", hands.wipe],
  ]);
  const views = buttonsIn(
    tools,
    "views",
    "What is drawn",
    ranges.view.map((name) => [name, () => change({ view: name })]),
  );

  figure.afterGuess = async () => {
    change({ noise: noiseAt(0) });
    await open();
    figure.redraw();
    play(frames());
  };

  function fail() {
    figure.answer({ problem: "The known pictures could not be compared here." });
  }

  let opened;
  const open = () => (opened ??= fetchPictures());

  async function fetchPictures() {
    try {
      const packed = await loadLazy(figure.model, "pictures_lazy");
      const known = await unpackPictures(packed, data.n_pictures, shape);
      if (!figure.signal.aborted) figure.answer({ known });
    } catch {
      fail();
    }
  }

  function draw(now, { width }) {
    const { isPlane, known, walk, radius, pixel, isThere } = now;
    const at = arranged(isPlane, width);
    root.classList.toggle("is-plane", isPlane);
    root.classList.toggle("has-patches", radius !== null);
    figure.setPending(!now.answers.problem && !(known && isThere));
    views.forEach((button, k) => set(button, { "aria-pressed": String(now.setting.view === ranges.view[k]) }));
    drawings[2].disabled = !now.setting.brush.length;
    parts.notes.noisy.textContent = `σ = ${now.setting.noise}`;
    if (!known) {
      open();
      return;
    }
    parts.notes.list.textContent = `${counted(now.count)} ${now.count === 1 ? "carries" : "carry"} 90\u00a0%`;
    if (isPlane) drawPlane(parts, at, now, data.others(known, now.setting.start));
    else drawPictures(parts, at, now, data);
    drawList(parts, at, now, data);
    const { x, y, scale } = at.noisy;
    lay(parts.handle, { x: x + pixel[1] * scale, y: y + pixel[0] * scale, width: scale, height: scale });
    const words = `row ${pixel[0]}, column ${pixel[1]}; Space draws here`;
    describe(parts.handle, pixel[0] * shape.width + pixel[1], [0, shape.height * shape.width - 1], words);
    patches.go({ walk, radius });
  }

  const stopWaiting = onFirstInteraction(root, open);
  figure.signal.addEventListener("abort", () => {
    stopWaiting();
    patches.end();
  });
  return draw;
}

export default defineFigure("diffusion", {
  hint: "Draw into the noisy picture, also with arrow keys and Space. The slider leads back to the noise.",
  data: withWalks,
  settings,
  answers: () => ({ known: undefined, problem: "" }), // of the file with the pictures
  compute,
  state,
  sentence,
  keeps: (_, { start }) => ({ start }),
  view,
});
