import { eased } from "../parts/motion.js";
import { clamp } from "../parts/numbers.js";
import { contextOf } from "../parts/photograph.js";
import { html, lay, set } from "../parts/plot.js";
import { CHIP, drawTokens, measureIn, shadeOf, tokenParts, wrapped } from "../parts/tokens.js";
import { assignSquares, squaresPerWord } from "./squares.js";

// The loupe that becomes a sentence. It comes forward, its squares slide apart and settle as the shading of the
// words: the square of the query in the frame of the word that asks, the heaviest squares in the words with the
// largest weights.

/**
 * @typedef {import("../parts/plot.js").Box} Box
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {import("./drawing.js").Square} Square
 * @typedef {import("./squares.js").Target} Target
 * @typedef {{ words: string[], weights: number[] }} Sentence
 * @typedef {ReturnType<typeof foldParts>} Parts
 * @typedef {ReturnType<typeof placeWords>} Laid
 *
 * What the two ends look like: the words and their places; the photograph, the box of its loupe, and the squares in it.
 * @typedef {{ sentence: Sentence, laid: Laid | undefined, at: Layout, box: Square, faded: number[][], weights:
 *   number[] }} Shown
 */

const SIZES = [1.4, 1.3, 1.2, 1.1, 1, 0.9, 0.8, 0.7], // of the words, the largest that fits
  MARGIN = 18, // pixels
  NOTE = 48, // pixels below the words
  FORWARD = 0.3, // moments of the way from 0, the loupe, to 1, the sentence: the loupe has come forward,
  APART = 0.2, // the first square leaves it,
  SLIDE = 0.5, // how long each slides,
  SETTLED = 0.9, // the last has settled
  WORDS = 0.75; // and the words appear

const NOTE_TEXT =
  "In a language model, queries, keys and values come from learned projections, and each word sees only itself and the words before it.";

/**
 * The elements over the picture, from back to front.
 * @param {HTMLElement} stage
 * @param {import("./drawing.js").Parts} parts
 */
export function foldParts(stage, { canvas, add }) {
  const veil = html("div", { class: "veil", "aria-hidden": "true" });
  const squares = html("canvas", { class: "squares", "aria-hidden": "true", width: 1, height: 1 });
  canvas.before(veil, squares);
  const group = add("g", "sentence-words");
  return {
    veil,
    squares,
    group,
    tokens: tokenParts((tag, name, attributes) => add(tag, name, attributes, group)),
    note: html("p", { class: "differs", text: NOTE_TEXT }, stage),
    measure: measureIn(stage),
  };
}

/**
 * Lay out the words in the largest type that fits into the picture.
 * @param {Sentence} sentence @param {Layout} at @param {Parts["measure"]} measure
 */
export function placeWords({ words }, { width, height }, measure) {
  const room = { width: width - 2 * MARGIN, height: height - NOTE - 2 * MARGIN };
  const laid = (/** @type {number} */ size) => ({
    size,
    ...wrapped(words, measure, { x: 0, y: 0, width: room.width / size }),
  });
  const fits = (/** @type {ReturnType<typeof laid>} */ { size, bottom }) => size * bottom <= room.height;
  const { size, places, bottom } = SIZES.map(laid).find(fits) ?? laid(SIZES[SIZES.length - 1]);
  return { size, places, x: MARGIN, y: MARGIN + Math.max(room.height - size * bottom, 0) / 2 };
}

const between = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ share) =>
  from + share * (to - from);

/** The box of a word's share: a strip of its shading. @type {(laid: Laid, target: Target) => Box} */
function stripAt({ size, places, x, y }, { word, rank, of }) {
  const place = places[word];
  const width = (size * place.width) / of;
  return { x: x + size * place.x + rank * width, y: y + size * place.y, width, height: size * CHIP };
}

/** The box of a square in the loupe. @type {(loupe: Square, square: number, side: number) => Box} */
function cellAt({ x, y, width }, square, side) {
  const cell = width / side;
  return { x: x + (square % side) * cell, y: y + Math.floor(square / side) * cell, width: cell, height: cell };
}

/** @type {(from: Box, to: Box, share: number) => Box} */
const mixedBox = (from, to, share) => ({
  x: between(from.x, to.x, share),
  y: between(from.y, to.y, share),
  width: between(from.width, to.width, share),
  height: between(from.height, to.height, share),
});

const share = (/** @type {number} */ now, /** @type {number} */ from, /** @type {number} */ to) =>
  eased(clamp((now - from) / (to - from), 0, 1));

/** The loupe's box on its way to the centre of the picture. @type {(box: Square, at: Layout, now: number) => Square} */
function forwardLoupe(box, { width, height }, now) {
  const large = Math.max(0.62 * Math.min(width, height), box.width);
  const centred = { x: (width - large) / 2, y: (height - NOTE - large) / 2, width: large, height: large };
  return mixedBox({ ...box, height: box.width }, centred, share(now, 0, FORWARD));
}

/** The colours of the page as [red, green, blue]. @param {Element} element */
function colorsOf(element) {
  const { backgroundColor, color } = getComputedStyle(element);
  return [backgroundColor, color].map((each) => (each.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number));
}

/**
 * Which word each square of the loupe shades.
 * @type {(sentence: Sentence, laid: Laid, weights: number[]) => Target[]}
 */
function targetsOf(sentence, laid, weights) {
  const query = sentence.words.length - 1;
  const widths = laid.places.map(({ width }) => width);
  return assignSquares(weights, sentence.weights, squaresPerWord(widths, query, weights.length), query);
}

/**
 * Paint the squares at a moment, 0 < now < 1; the first words leave first.
 * @param {Parts} parts
 * @param {Shown} shown
 * @param {Laid} laid
 * @param {number} now
 */
function paintSquares({ squares, veil }, { sentence, at, box, faded, weights }, laid, now) {
  const side = Math.sqrt(faded.length),
    loupe = forwardLoupe(box, at, now),
    [paper, ink] = colorsOf(veil),
    context = denseContextOf(squares, at);
  const strips = targetsOf(sentence, laid, weights).map((target, square) => {
    const begins = APART + ((SETTLED - SLIDE - APART) * target.word) / sentence.words.length;
    const gone = share(now, begins, begins + SLIDE),
      shade = shadeOf(sentence.weights[target.word]);
    const color = faded[square].map((level, c) => between(level, between(paper[c], ink[c], shade), gone));
    const { x, y, width, height } = mixedBox(cellAt(loupe, square, side), stripAt(laid, target), gone);
    context.fillStyle = `rgb(${color.map(Math.round)})`;
    context.fillRect(x, y, width, height);
    return { x, y, width, height };
  });
  frame(context, strips[faded.length >> 1], getComputedStyle(squares).color);
}

/** @param {HTMLCanvasElement} canvas @param {Layout} at */
function denseContextOf(canvas, { width, height }) {
  const dense = devicePixelRatio || 1;
  Object.assign(canvas, { width: Math.round(width * dense), height: Math.round(height * dense) });
  const context = contextOf(canvas);
  context.scale(dense, dense);
  return context;
}

/** @param {CanvasRenderingContext2D} context @param {Box} box @param {string} color */
function frame(context, { x, y, width, height }, color) {
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.strokeRect(x, y, width, height);
}

/** Draw the words in their final places. @param {Parts} parts @param {Sentence} sentence @param {Laid} laid */
export function drawWords(parts, { words, weights }, laid) {
  const query = words.length - 1;
  drawTokens(parts.tokens, laid.places, { tokens: words, query, row: weights, unseen: () => false });
  set(parts.group, { transform: `translate(${laid.x} ${laid.y}) scale(${laid.size})` });
}

/**
 * Draw a moment between the loupe (0) and the sentence (1). If `calm`, the sentence only fades in.
 * @param {Parts} parts
 * @param {Shown} shown
 * @param {number} now
 * @param {boolean} calm
 */
export function drawFold(parts, shown, now, calm) {
  const isOnTheWay = now > 0 && now < 1 && !calm,
    words = calm ? now : share(now, WORDS, 1);
  parts.veil.style.opacity = String(calm ? now : share(now, 0, FORWARD));
  parts.group.style.opacity = parts.note.style.opacity = String(words);
  set(parts.group, { visibility: now > 0 ? "visible" : "hidden" }); // hidden parts are left out of still pictures
  for (const each of [parts.veil, parts.note]) each.style.visibility = now > 0 ? "visible" : "hidden";
  parts.squares.style.visibility = isOnTheWay ? "visible" : "hidden";
  parts.squares.style.opacity = String(1 - share(now, SETTLED, 1));
  for (const each of [parts.veil, parts.squares])
    lay(each, { x: 0, y: 0, width: shown.at.width, height: shown.at.height });
  if (isOnTheWay && shown.laid) paintSquares(parts, shown, shown.laid, now);
}
