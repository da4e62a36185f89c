import { drawLine, drawWindow, dividedElements, photographAt } from "../parts/divided_photograph.js";
import { contextOf, describeQuery } from "../parts/photograph.js";
import { format } from "../parts/numbers.js";
import { html, lay, repeat, resize, set, setText, svg } from "../parts/plot.js";

// Elements, layout and drawing: the photograph, and beside it the surroundings of the query as each method cleans them.

export const TILE = { height: 30, width: 36 }; // pixels of the picture in a close-up of the query
const GAP = 10,
  LABEL = 19,
  TALLEST = 384; // of the photograph beside the tiles

/**
 * @typedef {import("../parts/divided_photograph.js").Parts} Parts
 * @typedef {import("./your_photo.js").Method} Method
 * @typedef {import("./opening.js").Size} Size
 */

/**
 * The layout: the tiles are beside the photograph, or below it on a narrow page.
 * @param {number} width
 * @param {Size} size
 */
export function layout(width, size) {
  const isWide = width >= 560,
    [across, down] = isWide ? [2, 3] : [3, 2];
  const room = isWide ? { width: 0.64 * width, height: TALLEST } : { width, height: 300 };
  const photo = photographAt(Math.min(room.width, (room.height * size.width) / size.height), size);
  const tileWidth = isWide ? Math.min((0.34 * width - GAP) / 2, 120) : (width - 2 * GAP) / 3;
  const left = isWide ? width - 2 * tileWidth - GAP : 0,
    top = isWide ? 0 : photo.height + 12;
  const tile = { width: tileWidth, height: (tileWidth * TILE.height) / TILE.width };
  const tiles = Array.from({ length: 6 }, (_, k) => ({
    x: left + (k % across) * (tile.width + GAP),
    y: top + Math.floor(k / across) * (tile.height + LABEL + GAP),
    ...tile,
  }));
  const height = Math.max(photo.height, top + down * (tile.height + LABEL + GAP) - GAP);
  return { ...photo, tiles, stage: { width, height } };
}

/** @param {HTMLElement} stage @param {Method[]} methods @returns {Parts} */
export function elements(stage, methods) {
  const parts = dividedElements(stage, { width: 1, height: 1 });
  parts.tiles = methods.map(() => html("canvas", { class: "colour tile", "aria-hidden": "true", ...TILE }));
  parts.photo.after(...parts.tiles);
  parts.frames = svg("g", { class: "tile-frames" }, parts.canvas);
  parts.years = svg("g", { class: "tile-years" }, parts.canvas);
  parts.names = svg("g", { class: "tile-names" }, parts.canvas);
  const group = html("div", { role: "group", "aria-label": "Methods" }, stage);
  parts.buttons = methods.map(({ year, name }) =>
    html("button", { type: "button", class: "tile-button", "aria-label": `${year}, ${name}` }, group),
  );
  return parts;
}

/**
 * Draw the line, the window of the query and the tiles' frames.
 * @param {Parts} parts @param {ReturnType<typeof layout>} at @param {import("./your_photo.js").Figure["now"]} now
 *   @param {Method[]} methods
 */
export function drawFrame(parts, at, now, methods) {
  const { stage, width, height } = at,
    { setting, shown, query, psnr } = now;
  resize(parts.canvas, stage.width, stage.height);
  for (const each of [parts.photo, parts.grip]) lay(each, { x: 0, y: 0, width, height });
  drawLine(parts, at, setting.line, 100);
  drawWindow(parts, at, { ...now, query: [query[0] - shown.top, query[1] - shown.left] });
  describeQuery(parts.queryHandle, now.picture, query, `average of ${now.count} pixels`);
  const chosen = methods.findIndex(({ year }) => year === now.year);
  repeat(parts.frames, "rect", methods.length, (frame, k) =>
    set(frame, { ...at.tiles[k], class: k === chosen ? "chosen" : "" }),
  );
  repeat(parts.years, "text", methods.length * (psnr ? 2 : 1), (text, i) => {
    const k = i % methods.length,
      { x, y, width: across, height: down } = at.tiles[k];
    if (i < methods.length) set(text, { x: x + 6, y: y + 16 });
    else set(text, { x: x + across - 5, y: y + down - 6, class: "psnr" });
    setText(text, i < methods.length ? String(methods[k].year) : `${format(psnr?.[k + 1] ?? 0, 1)} dB`);
  });
  repeat(parts.names, "text", methods.length, (text, k) => {
    set(text, { x: at.tiles[k].x, y: at.tiles[k].y + at.tiles[k].height + 14, class: k === chosen ? "chosen" : "" });
    setText(text, methods[k].name);
  });
  methods.forEach((_, k) => {
    lay(parts.buttons[k], { ...at.tiles[k], height: at.tiles[k].height + LABEL });
    set(parts.buttons[k], { "aria-pressed": String(k === chosen) });
    lay(parts.tiles[k], at.tiles[k]);
  });
}

/**
 * Show the close-up: the original pixels left of the line, the cleaned ones right of it.
 * @param {HTMLCanvasElement} canvas @param {ImageData} pixels @param {ImageData | undefined} cleaned @param
 *   {number} line
 */
export function paintPart(canvas, pixels, cleaned, line) {
  sized(canvas, pixels);
  const context = contextOf(canvas),
    from = Math.round((line / 100) * pixels.width);
  context.putImageData(pixels, 0, 0);
  if (cleaned) context.putImageData(cleaned, 0, 0, from, 0, pixels.width - from, pixels.height);
}

/**
 * A canvas scaled down.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @returns {HTMLCanvasElement}
 */
export function scaledTo(canvas, width, height) {
  const small = html("canvas", { width, height }),
    context = small.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(canvas, 0, 0, width, height);
  return small;
}

/**
 * Show the whole picture, original left of the line and cleaned right of it, scaled to the page.
 * @param {HTMLCanvasElement} canvas @param {HTMLCanvasElement} before @param {HTMLCanvasElement | undefined} after
 *   @param {number} line
 */
export function paintWhole(canvas, before, after, line) {
  sized(canvas, before);
  const context = contextOf(canvas),
    from = Math.round((line / 100) * canvas.width),
    { height } = canvas;
  context.drawImage(before, 0, 0);
  if (!after || from === canvas.width) return;
  const right = canvas.width - from;
  context.drawImage(after, from, 0, right, height, from, 0, right, height);
}

/** @param {HTMLCanvasElement} canvas @param {Size} size */
function sized(canvas, { width, height }) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
}
