import { memo } from "../contract/figure.js";
import { format, percent } from "../parts/numbers.js";
import { greyPixel, paintPixels } from "../parts/photograph.js";
import {
  drawing,
  fontSize,
  html,
  lay,
  repeat,
  resize,
  set,
  setText,
  svg,
  textWidth,
  translate,
} from "../parts/plot.js";
import { SAME } from "./text.js";
import { N_SHOWN } from "./walk.js";

// Elements, layout, and the images with the patch and the brush.

/**
 * @typedef {import("./walk.js").Data} Data
 * @typedef {import("./walk.js").Shape} Shape
 * @typedef {import("./walk.js").Figure["now"]} Now
 * @typedef {import("./walk.js").Found} Found
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof arrange>} Layout
 */

const PICTURES = /** @type {const} */ (["noisy", "guess", "nearest"]);

const FAINT = 0.0005; // a weight that is printed as 0

const TITLE = 26,
  ROW = 28,
  GAP = 24,
  BOLD = 1.2; // times as wide as regular text

/** Return the layout, in pixels, for this width and image shape. @param {number} width @param {Shape} shape */
function layout(width, { height, width: across }) {
  const longest = Math.max(height, across),
    narrow = width < 620;
  const side = narrow ? Math.min(0.66 * width, 280) : 280;
  const scale = side / longest;
  /** @type {(x: number, y: number, scale: number) => import("../parts/plot.js").Box & { scale: number }} */
  const box = (x, y, scale) => ({ x, y, scale, width: scale * across, height: scale * height });
  const noisy = box(0, TITLE, scale);
  const small = Math.min((side - TITLE - 6) / 2, width - side - (narrow ? 14 : GAP)) / longest;
  const x = side + (narrow ? 14 : GAP);
  const guess = box(x, TITLE, small),
    nearest = box(x, TITLE + side - small * longest, small);
  const right = x + small * longest;
  const list = narrow
    ? { x: 0, y: side + 2 * TITLE + 18, width, columns: 2, columnWidth: (width - 16) / 2 }
    : { x: right + GAP, y: TITLE, width: width - right - GAP, columns: 1, columnWidth: width - right - GAP };
  const bottom = narrow ? list.y + (ROW * N_SHOWN) / list.columns : TITLE + Math.max(side, ROW * N_SHOWN);
  const plane = { x: 0, y: TITLE, width, height: Math.min(bottom - TITLE, width) };
  return { narrow, noisy, guess, nearest, list, plane, side, height: bottom + 6 };
}

/** Create the elements of the drawing, from back to front. @param {HTMLElement} stage @param {{ shape: Shape }} data */
export function elements(stage, { shape: { height, width } }) {
  const picture = (/** @type {string} */ name) =>
    html("canvas", { class: name, width, height, "aria-hidden": "true" }, stage);
  const [noisy, guess, nearest] = PICTURES.map((name) => picture(`${name} whole`));
  const thumbs = Array.from({ length: N_SHOWN }, () => thumbOn(picture("thumb"), { height, width }));
  const { canvas, add } = drawing(stage);
  const title = (/** @type {string} */ name) => add("text", `title ${name}`);
  const titles = { noisy: title("noisy"), guess: title("guess"), nearest: title("nearest"), list: title("list") };
  const notes = { noisy: add("text", "note"), list: add("text", "note weight") };
  const waiting = add("rect", "waiting", { height: 3 }),
    plane = add("svg", "plane");
  const [density, arrows, walks, walkers, points] = ["density", "arrows", "walks", "walkers", "points"].map((name) =>
    add("g", name, {}, plane),
  );
  const handle = { class: "pixel-handle", role: "slider", tabindex: 0, "aria-label": "Brush", "aria-valuenow": 0 };
  return {
    ...{ pictures: { noisy, guess, nearest }, thumbs, canvas, titles, notes, waiting },
    ...{ plane, density, arrows, walks, walkers, points },
    rows: add("g", "rows"),
    frames: add("g", "frames"),
    drawing: html("div", { class: "brush-grip", title: "Draw here" }, stage),
    looking: html("div", { class: "pixel-grip" }, stage),
    handle: html("div", handle, stage),
    handles: html("div", { class: "point-handles" }, stage),
  };
}

/**
 * Paint an image on a canvas; the value `contrast` is white.
 * @param {HTMLCanvasElement} canvas @param {Shape} shape @param {ArrayLike<number>} picture
 */
export function paintPicture(canvas, shape, picture, contrast = 1) {
  const pixels = new Uint32Array(picture.length);
  paintPixels(
    canvas,
    shape,
    pixels.map((_, i) => greyPixel((picture[i] / contrast + 1) / 2)),
  );
}

/** Return a thumbnail; pixels outside the patch are faded. @param {HTMLCanvasElement} canvas @param {Shape} shape */
const thumbOn = (canvas, shape) => ({
  canvas,
  paint: memo((/** @type {Float64Array} */ picture, /** @type {Set<number>} */ patch) =>
    paintPicture(
      canvas,
      shape,
      picture.map((value, i) => (patch.has(i) ? value : 0.25 * value - 0.15)),
    ),
  ),
});

/**
 * Draw the three images and the frame of the patch.
 * @param {Parts} parts @param {Layout} at @param {Now} now @param {Found} found @param {Data} data
 */
export function drawPictures(parts, at, { noiseStd, step, radius, pixel }, found, { levels, shape }) {
  const { noisy, guess, known, nearest, distance, walk } = found;
  paintPicture(parts.pictures.noisy, shape, noisy, Math.hypot(1, 2 * noiseStd));
  paintPicture(parts.pictures.guess, shape, guess);
  paintPicture(parts.pictures.nearest, shape, known.pictures[nearest]);
  const isEnd = step === levels.length - 1;
  const away = distance < SAME ? "the same" : `RMS ${format(distance, 2)} away`;
  const done = walk.steps.length / levels.length;
  setText(parts.titles.guess, isEnd && (radius === null || done === 1) ? "result" : "best guess");
  const title = `nearest: ${away}`,
    room = at.nearest.width + (at.narrow ? 0 : GAP);
  const names = [title, away, `RMS ${format(distance, 2)}`];
  setText(parts.titles.nearest, names.find((name) => BOLD * textWidth(name, at.letter) < room) ?? names[2]);
  set(parts.waiting, { width: radius === null || done === 1 ? 0 : done * at.noisy.width });
  const frame = (/** @type {Layout["noisy"]} */ box) => frameOf(pixel, radius ?? 0, shape, box);
  const shown = radius === null ? [] : [at.noisy, at.guess, at.nearest].map(frame);
  repeat(parts.frames, "rect", shown.length, (rect, i) => set(rect, shown[i]));
}

/**
 * The outline of a patch in an image in this box.
 * @type {(pixel: number[], radius: number, shape: Shape, box: Layout["noisy"]) => object}
 */
function frameOf([row, column], radius, { height, width }, { x, y, scale }) {
  const [left, top] = [Math.max(column - radius, 0), Math.max(row - radius, 0)];
  const [right, bottom] = [Math.min(column + radius + 1, width), Math.min(row + radius + 1, height)];
  return { x: x + left * scale, y: y + top * scale, width: (right - left) * scale, height: (bottom - top) * scale };
}

/**
 * Draw the training images with the largest weights: thumbnail, number, and weight as a bar.
 * @param {Parts} parts @param {Layout} at @param {Now} now @param {Found} found @param {Data} data
 */
export function drawList(parts, { list }, { radius, pixel }, { weights, heaviest, known }, data) {
  const { shape } = data,
    bar = list.columnWidth - 72 - 54,
    nRows = N_SHOWN / list.columns,
    unit = (ROW - 2) / Math.max(shape.height, shape.width);
  const place = (/** @type {number} */ i) => [
    list.x + Math.floor(i / nRows) * (list.columnWidth + 16),
    list.y + (i % nRows) * ROW,
  ];
  const patch = data.patch(known, radius === null ? 0 : pixel[0] * shape.width + pixel[1], radius);
  parts.thumbs.forEach(({ canvas, paint }, i) => {
    canvas.hidden = i >= heaviest.length;
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
    setText(number, String(index));
    set(rect, { width: Math.max(bar * weights[index], 1) });
    setText(share, percent(weights[index]));
    set(share, { x: 74 + Math.max(bar * weights[index], 1) + 6 });
  });
}

/** @param {Parts} parts @param {Data} data @param {boolean} isPlane @param {number} width */
export function arrange(parts, { shape, noun }, isPlane, width) {
  set(parts.canvas, { width }); // the font size depends on it
  const at = { ...layout(width, shape), letter: fontSize(parts.titles.nearest) },
    { noisy, guess, list } = at;
  resize(parts.canvas, width, at.height);
  for (const name of PICTURES) lay(parts.pictures[name], at[name]);
  for (const name of /** @type {const} */ ([...PICTURES, "list"]))
    set(parts.titles[name], { x: at[name].x, y: at[name].y - 8 });
  set(parts.notes.noisy, { x: isPlane ? at.plane.width : noisy.width, y: noisy.y - 8 });
  set(parts.notes.list, { x: list.x + list.width, y: list.y - 8 });
  set(parts.waiting, { x: noisy.x, y: noisy.y + noisy.height + 2 });
  lay(parts.drawing, noisy);
  lay(parts.looking, guess);
  const words = isPlane
    ? { key: "training points", query: ", this walk", other: ", other walks" }
    : { plain: "noisy image" };
  const title = Object.entries(words).map(([name, text]) => svg("tspan", { class: name, text }));
  parts.titles.noisy.replaceChildren(...title);
  const averaged = list.width < 240 ? "averaged" : `training ${noun}s, by weight`;
  setText(parts.titles.list, averaged);
  return at;
}
