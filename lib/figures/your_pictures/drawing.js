import { percent } from "../parts/numbers.js";
import {
  describe,
  drawing,
  html,
  lay,
  repeat,
  repeatGroups,
  resize,
  set,
  setText,
  svg,
  textWidth,
  translate,
} from "../parts/plot.js";
import { paintPicture } from "./paint.js";
import { awayText, counted, levelText } from "./text.js";

// Elements, layout and drawing below the sheet: the noisy picture, its estimate, the nearest picture, and the weights.

export const N_SHOWN = 6; // pictures with the largest weights

const TITLE = 24,
  GAP = 16,
  PICTURE = 168,
  LEAST = 0.0005; // smaller weights are printed as 0

/**
 * @typedef {import("../parts/plot.js").Box} Box
 * @typedef {import("./your_pictures.js").Figure["now"]} Now
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof layout>} Layout
 */

const PICTURES = /** @type {const} */ (["noisy", "guess", "nearest"]);

/** @type {(x: number, y: number, side: number) => Box} */
const square = (x, y, side) => ({ x, y, width: side, height: side });

/** @param {number} width */
function layout(width) {
  const narrow = width < 620,
    side = narrow ? Math.min((width - GAP) / 2, 200) : PICTURE;
  const sheet = { x: 0, y: TITLE, width, height: narrow ? 112 : 84 };
  const top = sheet.y + sheet.height + TITLE + 4;
  const [noisy, guess] = [square(0, top, side), square(side + GAP, top, side)];
  const below = top + side + TITLE + 4,
    small = narrow ? Math.min(0.36 * width, 140) : side;
  const nearest = narrow ? square(0, below, small) : square(2 * (side + GAP), top, side);
  const x = nearest.x + small + GAP,
    list = { x, y: nearest.y, width: width - x, row: small / N_SHOWN };
  return { narrow, sheet, noisy, guess, nearest, list, height: nearest.y + small + 4 };
}

/** @param {HTMLElement} stage */
export function elements(stage) {
  const picture = (/** @type {string} */ name) => html("canvas", { class: name, "aria-hidden": "true" }, stage);
  const pictures = Object.fromEntries(PICTURES.map((name) => [name, picture(`${name} whole`)]));
  const thumbs = Array.from({ length: N_SHOWN }, () => picture("thumb"));
  const { canvas, add } = drawing(stage);
  const named = (/** @type {string} */ kind, /** @type {string[]} */ names) =>
    Object.fromEntries(names.map((name) => [name, add("text", `${kind} ${name}`)]));
  const parts = {
    ...{ pictures, thumbs, canvas },
    titles: named("title", ["set", "noisy", "guess", "nearest", "list"]),
    notes: named("note", ["full", "level", "count"]),
    rows: add("g", "rows"),
    frames: add("g", "frames"),
    grips: ["noisy", "guess"].map(() => html("div", { class: "pixel-grip" }, stage)),
    handle: html(
      "div",
      { class: "pixel-handle", role: "slider", tabindex: 0, "aria-label": "Centre of the patch" },
      stage,
    ),
  };
  setText(parts.titles.noisy, "noisy image");
  setText(parts.titles.list, "averaged");
  return parts;
}

/** Lay out everything that depends only on the width. @param {Parts} parts @param {number} width */
export function arrange(parts, width) {
  const at = layout(width),
    { sheet, noisy, guess, nearest, list } = at;
  resize(parts.canvas, width, at.height);
  for (const name of PICTURES) lay(parts.pictures[name], at[name]);
  const titled = { set: sheet, noisy, guess, nearest, list };
  for (const [name, { x, y }] of Object.entries(titled)) set(parts.titles[name], { x, y: y - 8 });
  const noted = { full: sheet, level: noisy, count: list };
  for (const [name, { x, y, width: across }] of Object.entries(noted))
    set(parts.notes[name], { x: x + across, y: y - 8 });
  parts.grips.forEach((grip, i) => lay(grip, [noisy, guess][i]));
  return at;
}

/** @param {Parts} parts @param {Layout} at @param {Now} now */
export function drawTitles(parts, { nearest, narrow }, now) {
  const { known, noiseStd, count, distance, isEnd, task, walk } = now;
  setText(parts.titles.set, `training set: ${counted(known.kept.length)} images`);
  setText(parts.notes.full, narrow ? "in full: 90\u00a0%" : "in full: 90\u00a0% of the weight");
  setText(parts.notes.level, `σ = ${levelText(noiseStd)}`);
  setText(parts.notes.count, `${counted(count)} ${count === 1 ? "carries" : "carry"} 90\u00a0%`);
  setText(parts.titles.guess, walk && task === "walk" && isEnd ? "result" : "best guess");
  const long = `nearest: ${awayText(distance)}`;
  setText(parts.titles.nearest, 1.1 * textWidth(long) < nearest.width ? long : "nearest");
}

/** Draw the three pictures, and the patch in the first two. @param {Parts} parts @param {Layout} at @param {Now} now */
export function drawPictures(parts, { noisy, guess }, now) {
  const { known, radius, pixel } = now,
    { shape } = known;
  paintPicture(parts.pictures.noisy, shape, now.noisy, Math.hypot(1, 2 * now.noiseStd));
  paintPicture(parts.pictures.guess, shape, now.guess);
  paintPicture(parts.pictures.nearest, shape, known.pictures[now.nearest]);
  parts.pictures.guess.classList.toggle("faint", !now.walk);
  const unit = guess.width / shape.width;
  const [row, column] = pixel;
  const reach = radius ?? 0,
    around = (/** @type {number} */ at, /** @type {number} */ length) => [
      Math.max(at - reach, 0),
      Math.min(at + reach + 1, length),
    ];
  const [[top, bottom], [left, right]] = [around(row, shape.height), around(column, shape.width)];
  const size = { width: (right - left) * unit, height: (bottom - top) * unit };
  const frame = (/** @type {Box} */ { x, y }) => ({ x: x + left * unit, y: y + top * unit, ...size });
  const shown = radius === null ? [] : [noisy, guess].map(frame);
  repeat(parts.frames, "rect", shown.length, (rect, i) => set(rect, shown[i]));
  lay(parts.handle, { x: guess.x + column * unit, y: guess.y + row * unit, width: unit, height: unit });
  const range = [0, shape.height * shape.width - 1];
  describe(parts.handle, row * shape.width + column, range, `row ${row}, column ${column}`);
}

const buildRow = (/** @type {SVGElement} */ group) => ({
  number: svg("text", { class: "number" }, group),
  bar: svg("rect", { class: "bar", height: 14 }, group),
  share: svg("text", { class: "share" }, group),
});

/**
 * Draw the pictures with the largest weights: thumbnail, number, and weight as a bar.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {Now} now
 */
export function drawList(parts, { list: { x, y, width, row } }, { known, keys, heaviest, weights }) {
  const side = row - 2,
    right = side + 42,
    room = width - right - 54,
    middle = row / 2 - 1;
  parts.thumbs.forEach((canvas, i) => {
    canvas.hidden = !(weights[heaviest[i]] >= LEAST);
    if (canvas.hidden) return;
    lay(canvas, square(x, y + i * row, side));
    paintPicture(canvas, known.shape, known.pictures[keys[heaviest[i]]]);
  });
  const shown = heaviest.filter((k) => weights[k] >= LEAST);
  repeatGroups(parts.rows, shown.length, buildRow, ({ number, bar, share }, i, group) => {
    const weight = weights[heaviest[i]],
      length = Math.max(room * weight, 1);
    set(group, { transform: translate(x, y + i * row) });
    setText(number, String(keys[heaviest[i]]));
    set(number, { x: right - 6, y: middle + 4.5 });
    set(bar, { x: right, y: middle - 7, width: length });
    setText(share, percent(weight));
    set(share, { x: right + length + 6, y: middle + 4.5 });
  });
}
