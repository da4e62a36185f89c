import { format, percent } from "../parts/numbers.js";
import {
  cells,
  cross,
  describeQuery,
  inside,
  layPhotographs,
  legendWith,
  paint,
  QUERY_HANDLE,
  weightMap,
} from "../parts/photograph.js";
import { drawing, html, lay, legend, repeat, resize, set, setText, translate } from "../parts/plot.js";
import { N_SHADES } from "../parts/shades.js";

// Elements, layout and drawing.

/**
 * @typedef {import("../parts/photograph.js").Image} Image
 * @typedef {import("../parts/photograph.js").Pixel} Pixel
 * @typedef {Image & { psnr?: number | null, std?: number }} Shown
 * @typedef {import("./pixel.js").Figure["now"]} Now
 * @typedef {{ height: number, width: number }} Size
 * @typedef {import("../parts/plot.js").Box & { scale: number }} Scaled
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof layout>} Layout
 */

/** @param {number | null | undefined} value */
const decibels = (value) => (typeof value === "number" && Number.isFinite(value) ? `${format(value, 1)}\u00a0dB` : "");

const TITLE = 26,
  LEGEND = 28,
  NAME = 16, // height of the name above an enlarged crop, and of its value below
  CROP = 9; // side in pixels

/** Return the layout, in pixels, for this width and image shape. @param {number} width @param {Size} image */
function layout(width, image) {
  const at = (width < 680 ? narrow : wide)(width, image, Math.max(image.height, image.width));
  const bottom = Math.max(...Object.values(at).map(({ y, height }) => y + height));
  return { ...at, width, bottom, height: bottom + (width < 680 ? 2 : 1) * LEGEND };
}

/** @param {number} x @param {number} y @param {number} scale @param {Size} size @returns {Scaled} */
const box = (x, y, scale, { height, width }) => ({ x, y, scale, width: scale * width, height: scale * height });

/** The layout with three panels in a row. @param {number} width @param {Size} image @param {number} longest */
function wide(width, image, longest) {
  const room = (width + 16) / 3;
  const whole = Math.floor(room / longest) * longest;
  const side = whole > 0.94 * room ? whole : room; // an integer scale if it nearly fits
  const photo = box(0, TITLE, side / longest, image);
  const filtered = { ...photo, x: width - photo.width };
  const below = 26; // how far the centre panel may extend below the photographs
  const across = Math.min(side / 3, 0.09 * width),
    crop = across - 8;
  const down = crop + 2 * NAME,
    heatSide = side + below - down - 12;
  const heat = { x: (width - heatSide) / 2, y: TITLE, width: heatSide, height: heatSide };
  const x = (width - 3 * across + 8) / 2;
  const values = { x, y: TITLE + heatSide + 12, height: down, across, down: 0, width: crop, number: [0, down - 2] };
  return { photo, filtered, heat, values };
}

/**
 * The layout with image and values above, and weights and filtered image below.
 * @param {number} width @param {Size} image @param {number} longest
 */
function narrow(width, image, longest) {
  const photo = box(0, TITLE, Math.min(0.63 * width, 288) / longest, image);
  const x = photo.width + 16,
    down = photo.height / 3,
    crop = Math.max(down - NAME - 8, 40);
  const values = {
    x,
    y: TITLE,
    height: 3 * down,
    across: 0,
    down,
    width: crop,
    number: [crop + 6, NAME + crop / 2 + 4],
  };
  const lower = 2 * TITLE + Math.max(photo.height, values.height) + 10;
  const side = Math.min((width - 16) / 2, 288);
  const heat = { x: 0, y: lower, width: side, height: side };
  const filtered = box(width - (side / longest) * image.width, lower, side / longest, image);
  return { photo, filtered, heat, values };
}

/** Create the elements of the drawing, from back to front. @param {HTMLElement} stage @param {Size} size */
export function elements(stage, { height, width }) {
  const picture = (/** @type {string} */ name, /** @type {number | undefined} */ side = undefined) =>
    html("canvas", { class: name, width: side ?? width, height: side ?? height, "aria-hidden": "true" }, stage);
  const photo = picture("photo"),
    filtered = picture("filtered");
  const { canvas, add } = drawing(stage);
  const named = (/** @type {string} */ name) => ({
    title: add("text", `title ${name}`, { text: name }),
    note: add("text", "note"),
  });
  const names = { photo: named("photo"), weight: named("weight"), filtered: named("filtered") };
  const panel = add("svg", "panel"),
    window = add("g", "window", {}, panel);
  const parts = {
    ...{ photo, filtered, canvas, names, panel, window },
    painted: add("g", "shades painted", {}, window),
    frames: ["halo", "frame"].map((name) => add("rect", name, {}, window)),
    self: add("rect", "self", { width: 1, height: 1 }, window),
    crosses: ["cross-halo", "cross"].map((name) => add("path", name, {}, panel)),
    drawWeights: weightMap(canvas),
    grips: { photo: add("rect", "grip"), filtered: add("rect", "grip") },
    mark: add("g", "mark"),
  };
  for (const name of ["mark-halo", "mark-ring"]) add("circle", name, { r: 6 }, parts.mark);
  const values = add("g", "values");
  const crops = ["value noisy", "estimate estimate", "truth true"].map((words) => {
    const [name, text] = words.split(" "),
      group = add("g", name, {}, values);
    add("text", "", { y: 10, text }, group);
    return {
      group,
      crop: stage.insertBefore(picture("crop", CROP), canvas),
      frame: add("rect", "crop-frame", { y: NAME }, group),
      self: add("rect", "self", {}, group),
      number: add("text", "", {}, group),
    };
  });
  const key = add("g", "legend"),
    queryHandle = html("div", QUERY_HANDLE, stage);
  return { ...parts, values: crops, legend: key, queryHandle };
}

const LEGEND_WORDS = legendWith({ name: "key", text: "its keys", d: "M1 -12h14v14h-14z" });

/**
 * Update everything that depends only on the width.
 * @param {Parts} parts @param {Size} image @param {number} width
 */
export function arrange(parts, image, width) {
  const at = layout(width, image);
  resize(parts.canvas, width, at.height);
  layPhotographs(parts, { photo: at.photo, filtered: at.filtered });
  const { photo, weight, filtered } = parts.names;
  for (const { name, box } of [
    { name: photo, box: at.photo },
    { name: weight, box: at.heat },
    { name: filtered, box: at.filtered },
  ]) {
    set(name.title, { x: box.x, y: box.y - 10 });
    set(name.note, { x: box.x + box.width, y: box.y - 10 });
  }
  legend(parts.legend, LEGEND_WORDS, { y: at.bottom + 23, gap: 38, width, line: 20 });
  return at;
}

/** The filtered image, once there is one. @param {Now["filtered"]} filtered */
const imageOf = (filtered) => (filtered.planes ? /** @type {Image} */ (filtered) : undefined);

/**
 * Draw the selected view, `shown`, and the filtered image; a pending image is dimmed.
 * @param {Parts} parts
 * @param {{ noisy: Shown & { std: number }, filtered: Now["filtered"] }} images
 * @param {Shown} shown
 * @param {string} view
 */
export function drawPhotos(parts, { noisy, filtered }, shown, view) {
  paint(parts.photo, shown);
  paint(parts.filtered, imageOf(filtered) ?? noisy);
  setText(parts.names.photo.title, view === "noisy" && !noisy.std ? "noisy, σ = 0" : view);
  setText(parts.names.photo.note, decibels(shown.psnr));
  setText(parts.names.filtered.note, decibels(filtered.psnr) || "…");
}

/**
 * Draw the weights of the window, once over the photograph and once enlarged.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {number} radius
 * @param {Pixel} query
 * @param {number[]} weights
 * @param {number} count
 * @param {{ weights: number[], count: number }} [ghost]
 */
export function drawWindow(parts, at, radius, [row, column], weights, count, ghost) {
  const { scale } = at.photo,
    side = 2 * radius + 1;
  const paths = cells(weights, side);
  repeat(parts.painted, "path", N_SHADES, (path, k) => set(path, { d: paths[k], "fill-opacity": (k + 1) / N_SHADES }));
  const corner = translate((column - radius) * scale, (row - radius) * scale);
  set(parts.window, { transform: `${corner} scale(${scale})` });
  parts.frames.forEach((frame) => set(frame, { width: side, height: side }));
  set(parts.self, { x: radius, y: radius });
  parts.drawWeights(weights, count, at.heat, ghost);
  setText(parts.names.weight.note, `up to ${percent(Math.max(...weights))}`);
}

/**
 * @param {Parts} parts
 * @param {Layout} at
 * @param {Size} image
 * @param {number} radius
 * @param {Pixel} query
 * @param {number[]} estimate
 */
export function drawQuery(parts, at, image, radius, [row, column], estimate) {
  const centre = (/** @type {{ x: number, y: number, scale: number }} */ { x, y, scale }) => [
    x + (column + 0.5) * scale,
    y + (row + 0.5) * scale,
  ];
  const { d, hold } = cross((radius + 0.5) * at.photo.scale);
  const [x, y] = centre(at.photo),
    [right, down] = centre({ ...at.photo, x: 0, y: 0 });
  parts.crosses.forEach((each) => set(each, { d, transform: translate(right, down) }));
  const [markX, markY] = centre(at.filtered);
  set(parts.mark, { transform: translate(markX, markY) });
  lay(parts.queryHandle, { x: x - hold, y: y - hold, width: 2 * hold, height: 2 * hold });
  describeQuery(parts.queryHandle, image, [row, column], `estimate ${inWords(estimate)}`);
}

/**
 * Crop the neighbourhood of a pixel, extending the border; the pixel itself can have different values.
 * @param {Image} image @param {Pixel} pixel @param {number[]} own
 */
function cropAround(image, [row, column], own) {
  const planes = image.planes.map((plane, c) =>
    Float64Array.from({ length: CROP * CROP }, (_, i) => {
      const place = [row + Math.floor(i / CROP) - (CROP >> 1), column + (i % CROP) - (CROP >> 1)];
      const [r, k] = inside(image, place);
      return r === row && k === column ? own[c] : plane[r * image.width + k];
    }),
  );
  return { height: CROP, width: CROP, planes };
}

/**
 * Draw the noisy, estimated and true neighbourhood of the query, with its value or, in colour, its error.
 * @param {Parts} parts @param {Layout} at @param {Now} now
 */
export function drawValues(parts, at, { noisy: noisyImage, filtered, clean: cleanImage, query, values }) {
  const { noisy, estimate, clean } = values,
    { x, y, across, down, width, number: numberAt } = at.values;
  const images = [noisyImage, imageOf(filtered) ?? noisyImage, cleanImage];
  const off = (/** @type {number[]} */ values) => format(Math.hypot(...values.map((value, c) => value - clean[c])), 2);
  const inColor = (/** @type {number[]} */ values) => (values === clean ? "" : `${off(values)} off`);
  [noisy, estimate, clean].forEach((values, i) => {
    const { group, crop, frame, self, number } = parts.values[i];
    const place = { x: x + i * across, y: y + i * down },
      cell = width / CROP;
    set(group, { transform: translate(place.x, place.y) });
    lay(crop, { x: place.x, y: place.y + NAME, width, height: width });
    paint(crop, cropAround(images[i], query, values));
    set(frame, { width, height: width });
    set(self, { x: (CROP >> 1) * cell, y: NAME + (CROP >> 1) * cell, width: cell, height: cell });
    set(number, { x: numberAt[0], y: numberAt[1] });
    setText(number, values.length === 1 ? format(values[0], 3) : inColor(values));
  });
  parts.values[1].crop.classList.toggle("pending", filtered.psnr === null);
}

/** Write the previous estimate into the legend. @param {Parts} parts @param {number[]} estimate */
export function nameGhost(parts, estimate) {
  setText(parts.legend.querySelector(".was text"), `before: ${inWords(estimate)}`);
}

/** @param {number[]} values */
export const inWords = (values) =>
  values.length === 1 ? format(values[0], 3) : `(${values.map((value) => format(value, 2)).join(", ")})`;
