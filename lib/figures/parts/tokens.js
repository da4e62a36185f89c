// Drawing the tokens of a text: boxes in lines, without gaps inside a word, shaded by the weights of one head, with
// arcs from the query to the tokens that it attends to.

import { clamp } from "./numbers.js";
import { repeat, set, setText } from "./plot.js";

/** @typedef {{ x: number, y: number, width: number }} Place Position of one token, in pixels. */

export const CHIP = 22,
  LINE = 42; // heights
const SPACE = 7, // pixels between words
  TOP = 0.55, // largest opacity, so that the text stays legible
  ARC = 0.05, // smallest weight with an arc
  LEAST_NUMBER = 0.0095, // smallest weight with a number
  DIGIT = 7.5, // width in pixels
  WIDEST = 7, // width of an arc with weight 1
  BESIDE = 5, // pixels from the lines to an arc on their left
  LANE = 3.5, // from the words of a line to an arc along it
  APART = 2.5, // half the distance between two arcs side by side
  TURN = 7; // radius of their corners

export const shadeOf = (/** @type {number} */ weight) => TOP * Math.sqrt(weight);

/**
 * The displayed text of a token: without a leading space, and with symbols for whitespace and control characters.
 * @param {string} word
 * @returns {string}
 */
export function spelled(word) {
  if (/^ \S/.test(word)) return spelled(word.slice(1));
  /** @type {Record<string, string>} */
  const signs = { " ": word.trim() ? " " : "␣", "\n": "↵", "\t": "→" };
  return word.replace(/[ \u0000-\u001f\u007f-\u009f]/g, (sign) => signs[sign] ?? "�");
}

/** Whether a token contains incomplete UTF-8, decoded as U+FFFD. @param {string} word */
export const isPartOfCharacter = (word) => word.includes("\ufffd");

export const quoted = (/** @type {string} */ word) =>
  isPartOfCharacter(word) ? "part of a character" : `“${spelled(word)}”`;

/**
 * The text up to a token, with complete characters only.
 * @param {string} text that ends with these words
 * @param {string[]} words
 * @param {number} token
 * @param {number[]} [lengths] of the words in bytes, for those that are parts of characters
 */
export function textAsFarAs(text, words, token, lengths) {
  const rest = words.slice(token + 1).join("");
  if (!isPartOfCharacter(rest) || !lengths) return text.slice(0, text.length - rest.length);
  const bytes = new TextEncoder().encode(text),
    cut = lengths.slice(token + 1).reduce((sum, length) => sum + length, 0);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, bytes.length - cut), { stream: true });
}

/**
 * The text of a next token; an ellipsis marks a piece: the rest of a word, or a first letter that is no word.
 * @param {string} word
 */
export function asNext(word) {
  if (/^[A-Za-z]/.test(word)) return `…${word}`;
  return /^ [b-zB-HJ-NP-Z]$/.test(word) ? `${spelled(word)}…` : spelled(word);
}

export const quotedNext = (/** @type {string} */ word) =>
  isPartOfCharacter(word) ? quoted(word) : `“${asNext(word)}”`;

/**
 * Return a function that measures text in the figure's font.
 * @param {Element} element
 * @param {number} size in pixels
 */
export function measureIn(element, size = 16) {
  const context = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
  const known = new Map();
  return (/** @type {string} */ text) => {
    if (!known.has(text)) {
      context.font = `${size}px ${getComputedStyle(element).fontFamily}`;
      known.set(text, context.measureText(text).width);
    }
    return known.get(text);
  };
}

/**
 * Group tokens into words. A word begins with a space or a newline, or follows a newline.
 * @param {string[]} tokens
 * @param {(token: string) => boolean} begins
 */
function words(tokens, begins) {
  /** @type {number[][]} */
  const all = [];
  tokens.forEach((token, j) => {
    if (j === 0 || begins(token) || tokens[j - 1] === "\n") all.push([]);
    all[all.length - 1].push(j);
  });
  return all;
}

/**
 * Lay out the tokens in lines; returns their positions and the bottom. Words that fit into a line are not broken.
 * @param {string[]} tokens
 * @param {(text: string) => number} measure
 * @param {{ x: number, y: number, width: number }} room
 * @param {(token: string) => boolean} begins whether a token starts a word
 * @returns {{ places: Place[], bottom: number }}
 */
export function wrapped(tokens, measure, { x: left, y: top, width }, begins = (token) => /^[ \n]/.test(token)) {
  const room = width - 18; // leave space for the newline symbol
  const wide = tokens.map((token) => Math.min(Math.max(measure(spelled(token)) + 6, 12), room));
  /** @type {Place[]} */
  const places = [];
  let x = left,
    y = top;
  const newLine = () => ([x, y] = [left, y + LINE]);
  for (const word of words(tokens, begins)) {
    const whole = word.reduce((/** @type {number} */ sum, /** @type {number} */ j) => sum + wide[j], 0);
    const isSign = tokens[word[0]] === "\n";
    if (x > left && !isSign) x += SPACE;
    if (x > left && !isSign && x + Math.min(whole, room) > left + room) newLine();
    for (const j of word) {
      if (x > left && x + wide[j] > left + (isSign ? width : room)) newLine();
      places[j] = { x, y, width: wide[j] };
      x += wide[j];
      if (/\n\s*$/.test(tokens[j])) newLine();
    }
  }
  return { places, bottom: (places.at(-1)?.y ?? top) + LINE };
}

/** Create the elements of the tokens, from back to front. */
export const tokenParts = (/** @type {ReturnType<typeof import("./plot.js").drawing>["add"]} */ add) => ({
  arcs: add("g", "arcs"),
  chips: add("g", "chips"),
  strips: add("g", "strips"),
  words: add("g", "words"),
  numbers: add("g", "numbers"),
  queryFrame: add("rect", "query-frame", { rx: 4, height: CHIP }),
});

/**
 * Draw tokens with the weights of one query, and below them the previous weights if they differ.
 * @param {any} parts
 * @param {Place[]} places
 * @param {{ tokens: string[], query: number, row: number[], before?: number[], unseen: (j: number) => boolean,
 *   hidden?: number[] }} shown
 */
export function drawTokens(parts, places, { tokens, query, row, before = row, unseen, hidden = [] }) {
  const hasMoved = row.some((weight, j) => Math.abs(weight - before[j]) > 5e-4);
  repeat(parts.chips, "rect", tokens.length, (rect, j) => {
    const { x, y, width } = places[j];
    set(rect, { x: x + 0.5, y: y + 0.5, width: width - 1, height: CHIP - 1, rx: 3 });
    set(rect, { "fill-opacity": row[j] > 0 ? shadeOf(row[j]) : 0, class: hidden.includes(j) ? "hidden" : "" });
  });
  repeat(parts.strips, "rect", hasMoved ? tokens.length : 0, (rect, j) => {
    const { x, y, width } = places[j];
    set(rect, { x, y: y + CHIP + 1, width, height: 4, "fill-opacity": Math.sqrt(before[j]) });
  });
  repeat(parts.words, "text", tokens.length, (text, j) => {
    const names = [unseen(j) ? "unseen" : "seen", hidden.includes(j) ? "struck" : ""];
    set(text, { x: places[j].x + 3, y: places[j].y + 16, class: names.join(" ").trim() });
    setText(text, spelled(tokens[j]));
  });
  drawNumbers(parts.numbers, places, row, LEAST_NUMBER, (weight) => String(Math.round(100 * weight)));
  drawArcs(parts.arcs, places, query, row);
  const own = places[query];
  set(
    parts.queryFrame,
    own ? { x: own.x, y: own.y, width: own.width, visibility: "visible" } : { visibility: "hidden" },
  );
}

/**
 * Print numbers below the tokens, from `least` on: in descending order, skipping those that would overlap a larger one.
 * @param {Element} group
 * @param {Place[]} places
 * @param {number[]} numbers
 * @param {number} least
 * @param {(number: number) => string} textOf
 */
export function drawNumbers(group, places, numbers, least, textOf) {
  /** @type {{ words: string, middle: number, y: number, half: number }[]} */
  const shown = [];
  for (const j of [...numbers.keys()].sort((a, b) => numbers[b] - numbers[a])) {
    if (!(numbers[j] >= least)) break;
    const { x, y, width } = places[j],
      words = textOf(numbers[j]),
      middle = x + width / 2,
      half = 2 + (DIGIT / 2) * words.length;
    const touches = (/** @type {{ y: number, middle: number, half: number }} */ one) =>
      one.y === y && Math.abs(one.middle - middle) < one.half + half;
    if (!shown.some(touches)) shown.push({ words, middle, y, half });
  }
  repeat(group, "text", shown.length, (text, k) => {
    const { words, middle, y } = shown[k];
    set(text, { x: middle, y: y + CHIP + 15 });
    setText(text, words);
  });
}

/**
 * Draw arcs from the query to each key with enough weight; the width shows the weight. Each gap between two lines
 * has two lanes: the outer arc, to the farthest line, has its own, so that it does not merge with the others.
 * @param {Element} group
 * @param {Place[]} places
 * @param {number} query
 * @param {number[]} row
 */
function drawArcs(group, places, query, row) {
  const keys = [...row.keys()].filter((j) => j !== query && row[j] >= ARC - 1e-12);
  const linesTo = (/** @type {number} */ j) => Math.abs(places[j].y - places[query].y);
  const outside = keys.filter(linesTo).sort((i, j) => linesTo(j) - linesTo(i) || places[i].x - places[j].x);
  const left = Math.min(...places.map(({ x }) => x)) - BESIDE;
  repeat(group, "path", keys.length, (arc, k) => {
    const key = keys[k],
      apart = outside.length < 2 ? 0 : key === outside[0] ? -APART : APART;
    const points = linesTo(key) ? wayBetween(places[query], places[key], left, key === outside[0], apart) : undefined;
    const d = points ? rounded(points) : arcAbove(places[query], places[key]);
    set(arc, { d, "stroke-width": Math.max(WIDEST * row[key], 1) });
  });
}

const at = (/** @type {number} */ x, /** @type {number} */ y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
const centre = (/** @type {Place} */ { x, width }) => x + width / 2;

/** The path of an arc above the words of a line. @param {Place} query @param {Place} key */
function arcAbove(query, key) {
  const [from, to] = [query, key].map(centre);
  const high = query.y - Math.min(4 + Math.abs(to - from) / 8, 15);
  return `M${at(from, query.y)}C${at(from, high)} ${at(to, high)} ${at(to, key.y)}`;
}

/**
 * The corners of an arc to a different line, never through words: in the gap between two neighbouring lines, or past
 * further lines on their left. The outer arc is next to the words of the query and of the key, above and below the
 * numbers; the others are in the other lane of each gap.
 * @param {Place} query
 * @param {Place} key
 * @param {number} left
 * @param {boolean} isOuter
 * @param {number} apart how far from the centre of the query the arc begins
 * @returns {[number, number][]}
 */
function wayBetween(query, key, left, isOuter, apart) {
  const [from, to] = [centre(query) + apart, centre(key)];
  const down = Math.sign(key.y - query.y);
  const [start, end] = down < 0 ? [query.y, key.y + CHIP] : [query.y + CHIP, key.y];
  const lane = down * (isOuter ? LANE : LINE - CHIP - LANE);
  if (Math.abs(key.y - query.y) <= LINE)
    return [
      [from, start],
      [from, start + lane],
      [to, start + lane],
      [to, end],
    ];
  const side = left - (isOuter && apart ? 2 * APART : 0);
  const [leave, arrive] = [start + lane, end - lane];
  return [
    [from, start],
    [from, leave],
    [side, leave],
    [side, arrive],
    [to, arrive],
    [to, end],
  ];
}

/** A path through these points with rounded corners. @param {[number, number][]} points */
function rounded(points) {
  const ahead = (/** @type {[number, number]} */ [x, y], /** @type {[number, number]} */ [toX, toY]) => {
    const far = Math.hypot(toX - x, toY - y) || 1,
      share = Math.min(TURN / far, 0.5);
    return at(x + share * (toX - x), y + share * (toY - y));
  };
  const corners = points.slice(1, -1).map((point, k) => {
    const [before, after] = [points[k], points[k + 2]];
    return `L${ahead(point, before)}Q${at(...point)} ${ahead(point, after)}`;
  });
  return `M${at(...points[0])}${corners.join("")}L${at(...points[points.length - 1])}`;
}

// ---- Hit testing -------------------------------------------------------------------------------------------------

/**
 * The setting that masks a token or, if it is masked, unmasks it.
 * @param {{ kernel: string, hidden: number[] }} setting
 * @param {number} token
 */
export function toggled({ kernel, hidden }, token) {
  const now = kernel === "mask" ? hidden : [],
    others = now.filter((each) => each !== token);
  return { kernel: "mask", hidden: now.includes(token) ? others : [...others, token].sort((a, b) => a - b) };
}

/**
 * The token nearest to a point of the stage: on its line, the horizontally nearest.
 * @param {Place[]} places
 * @param {number} x
 * @param {number} y
 */
export function tokenAt(places, x, y) {
  const top = places[0].y;
  const height = clamp(top + LINE * Math.floor((y - top) / LINE), top, places[places.length - 1].y);
  const middle = (/** @type {number} */ j) => places[j].x + places[j].width / 2;
  const inLine = [...places.keys()].filter((j) => places[j].y === height);
  return inLine.reduce(
    (a, b) => (Math.abs(middle(b) - x) < Math.abs(middle(a) - x) ? b : a),
    inLine[0] ?? places.length - 1,
  );
}

/**
 * Move among the tokens: horizontally by tokens, vertically by lines.
 * @param {Place[]} places
 * @param {number} token
 * @param {number} right
 * @param {number} up
 */
export function stepFrom(places, token, right, up) {
  if (right) return clamp(token + right, 0, places.length - 1);
  const { x, y, width } = places[token];
  return tokenAt(places, x + width / 2, y + 1 - LINE * up);
}
