import { clamp } from "../parts/numbers.js";
import { contextOf, outline, QUERY_HANDLE } from "../parts/photograph.js";
import { drawing, html, lay, resize, set, setText, translate } from "../parts/plot.js";

// The photograph, noisy everywhere; inside the ring, a lens, its cleaned copy; and in a corner the loupe: the
// pixels of the query's window, enlarged, each faded towards paper by its weight.

const PAPER = [250, 250, 247], // as bright at night as by day, like the photograph
  FAINTEST = 0.16, // of a pixel without weight
  FULL = 2 / 3, // of the largest weight, from which on a pixel is not faded
  GAP = 10;

/**
 * @typedef {{ height: number, width: number }} Size
 * @typedef {{ x: number, y: number, width: number }} Square
 * @typedef {ReturnType<typeof photographAt>} Layout
 * @typedef {ReturnType<typeof elements>} Parts
 */

/** The layout, in pixels, for a photograph of this width on the page. @param {number} width @param {Size} photograph */
export function photographAt(width, { height: rows, width: columns }) {
  const scale = width / columns;
  return {
    scale,
    width,
    height: rows * scale,
    lens: clamp(0.15 * width, 40, 86),
    loupe: clamp(0.26 * width, 84, 150),
  };
}

/**
 * The corner of the loupe: at the lower left, unless the lens is there.
 * @type {(at: Layout, query: { x: number, y: number }) => Square}
 */
function loupeAt({ width, height, lens, loupe }, { x, y }) {
  const top = height - loupe - GAP,
    right = GAP + loupe;
  const isNear = Math.hypot(Math.max(x - right, 0), Math.max(top - y, 0)) < lens + GAP;
  return { x: isNear ? width - loupe - GAP : GAP, y: top, width: loupe };
}

/**
 * The elements of the picture, from back to front.
 * @param {HTMLElement} stage
 * @param {Size} photograph
 * @param {number} side of the window
 */
export function elements(stage, { height, width }, side) {
  const layer = (/** @type {string} */ name, /** @type {Size} */ size) =>
    html("canvas", { class: name, "aria-hidden": "true", ...size }, stage);
  const layers = {
    photo: layer("photo colour", { height, width }),
    cleaned: layer("cleaned colour", { height, width }),
    loupe: layer("loupe", { height: side, width: side }),
  };
  const { canvas, add } = drawing(stage);
  const eye = add("g", "eye");
  const pair = (/** @type {string} */ tag, /** @type {string} */ name) =>
    [`${name}-halo`, name].map((each) => /** @type {SVGElement} */ (add(tag, each, {}, eye)));
  const drawn = {
    side: add("text", "side", { y: 22, "text-anchor": "end" }, eye),
    ties: pair("path", "tie"),
    windows: pair("rect", "window"),
    rings: pair("circle", "ring"),
    enlarged: add("g", "enlarged", {}, eye),
  };
  const most = add("path", "most", {}, drawn.enlarged);
  add("rect", "self", { x: side >> 1, y: side >> 1, width: 1, height: 1 }, drawn.enlarged);
  add("rect", "border", { width: side, height: side }, drawn.enlarged);
  const grip = html("div", { class: "grip" }, stage),
    queryHandle = html("div", QUERY_HANDLE, stage);
  return { ...layers, canvas, add, eye, ...drawn, most, grip, queryHandle };
}

/**
 * Lay out the photograph, which is noisy or cleaned as a whole.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {boolean} isWhole
 */
export function layPhotograph({ canvas, photo, cleaned, grip, side }, { width, height }, isWhole) {
  resize(canvas, width, height);
  for (const each of [photo, cleaned, grip]) lay(each, { x: 0, y: 0, width, height });
  set(side, { x: width - 10 });
  setText(side, isWhole ? "cleaned" : "noisy");
}

/**
 * Draw the cleaned copies over one another, each with its share as opacity.
 * @param {HTMLCanvasElement} canvas @param {HTMLImageElement[]} copies @param {number[]} shares
 */
export function compose(canvas, copies, shares) {
  const context = contextOf(canvas);
  let seen = 0;
  copies.forEach((copy, k) => {
    if (!shares[k] || !copy.complete) return;
    seen += shares[k];
    context.globalAlpha = shares[k] / seen;
    context.drawImage(copy, 0, 0);
  });
}

/**
 * The colours of a window's pixels, each faded towards paper by its weight.
 * @type {(colors: number[][], weights: number[]) => number[][]} of 0 to 255
 */
export function fadedColors(colors, weights) {
  const largest = Math.max(...weights);
  return colors.map((color, j) => {
    const seen = Math.min(FAINTEST + ((1 - FAINTEST) * weights[j]) / largest / FULL, 1);
    return color.map((level, c) => PAPER[c] + seen * (255 * clamp(level, 0, 1) - PAPER[c]));
  });
}

/**
 * Draw the lens and its loupe for a query [row, column], which may lie between two pixels. The loupe keeps the
 * corner that suits the query `atRest`. Returns the loupe's box.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {{ query: number[], atRest: number[], radius: number, faded: number[][], weights: number[], count:
 *   number, isWhole: boolean }} now
 */
export function drawLens(parts, at, { query, atRest, radius, faded, weights, count, isWhole }) {
  const { scale, lens } = at,
    centre = (/** @type {number[]} */ [row, column]) => ({ x: (column + 0.5) * scale, y: (row + 0.5) * scale }),
    { x, y } = centre(query);
  parts.cleaned.style.clipPath = isWhole ? "none" : `circle(${lens}px at ${x}px ${y}px)`;
  parts.rings.forEach((ring) => set(ring, { cx: x, cy: y, r: lens }));
  const reach = (radius + 0.5) * scale,
    box = loupeAt(at, centre(atRest));
  parts.windows.forEach((each) => set(each, { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach }));
  parts.ties.forEach((tie) => set(tie, { d: tangents({ x, y, reach }, box) }));
  paintLoupe(parts.loupe, faded);
  lay(parts.loupe, { ...box, height: box.width });
  set(parts.enlarged, { transform: `${translate(box.x, box.y)} scale(${box.width / (2 * radius + 1)})` });
  set(parts.most, { d: outline(weights, 2 * radius + 1, count) });
  lay(parts.queryHandle, { x: x - lens, y: y - lens, width: 2 * lens, height: 2 * lens });
  return box;
}

/** @param {HTMLCanvasElement} canvas @param {number[][]} faded */
function paintLoupe(canvas, faded) {
  const pixels = new ImageData(canvas.width, canvas.height);
  faded.forEach((color, j) => pixels.data.set([...color.map(Math.round), 255], 4 * j));
  contextOf(canvas).putImageData(pixels, 0, 0);
}

/**
 * The two lines that connect corners of the window with corners of its loupe and leave both squares on one side.
 * @type {(window: { x: number, y: number, reach: number }, loupe: Square) => string}
 */
function tangents({ x, y, reach }, { x: left, y: top, width }) {
  const half = width / 2,
    [across, down] = [left + half - x, top + half - y];
  /** @type {[number, number][]} */
  const corners = [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ];
  const away = (across ** 2 + down ** 2) / (half - reach); // of the point where both lines meet
  const turn = (/** @type {number[]} */ [right, low]) =>
    (across * low - down * right) / (away + across * right + down * low);
  const [first, , , last] = corners.sort((a, b) => turn(a) - turn(b));
  const line = (/** @type {number[]} */ [right, low]) =>
    `M${(x + right * reach).toFixed(1)} ${(y + low * reach).toFixed(1)}` +
    `L${(x + across + right * half).toFixed(1)} ${(y + down + low * half).toFixed(1)}`;
  return line(first) + line(last);
}
