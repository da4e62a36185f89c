// The sentence in large type with arcs above its lines, and below it the scores and weights of the query as bars.

import { clamp, format } from "../parts/numbers.js";
import {
  drawParts,
  html,
  lay,
  legend,
  BEFORE,
  repeat,
  repeatMade,
  resize,
  scale,
  set,
  stem,
  setText,
} from "../parts/plot.js";
import { shadeOf } from "../parts/tokens.js";

const NARROW = 560, // pixels
  PAD = 4, // on both sides of a token
  ROW = 26, // height of a row of bars
  FINGER = 44, // height of a touch target
  LEAST = 0.05, // smallest weight with an arc
  WIDEST = 9; // width of an arc with weight 1
const SMALLER = [1, 0.92, 0.84]; // shares of the type's size, tried before a second line

const whole = (/** @type {number} */ share) => `${format(100 * share, 0)}\u00a0%`;

/**
 * @typedef {{ x: number, width: number, line: number }} Place Of a word, in pixels.
 * @typedef {{ text: string, spaced: boolean, token?: number }} Part Of the sentence; `spaced` after a space.
 * @typedef {ReturnType<typeof elements>} Drawn
 * @typedef {ReturnType<typeof arrange>} Layout
 * @typedef {import("./sentence.js").Figure["now"]} Now
 */

/**
 * Sizes in pixels: of the type, of the room for arcs above a line, and of a line with the percentages below it.
 * @param {number} width
 */
const sizesFor = (width) =>
  width < NARROW ? { type: 21, arcs: 26, line: 78, narrow: true } : { type: 28, arcs: 38, line: 98, narrow: false };

/**
 * The parts of a sentence: plain words, and tokens with their index; `spaced` after a space.
 * @param {string[]} pieces @param {string[]} words @returns {Part[]}
 */
export function partsOf(pieces, words) {
  const plain = (/** @type {string} */ piece) =>
    piece
      .split(/(?<= )/)
      .filter((text) => text.trim())
      .map((text) => ({ text: text.trim() }));
  const ends = (/** @type {string} */ piece) => piece === "" || piece.endsWith(" ");
  return pieces.flatMap((piece, i) => {
    const [first, ...rest] = plain(piece);
    const texts = [
      ...(first ? [{ ...first, spaced: i === 0 || piece.startsWith(" ") }] : []),
      ...rest.map((part) => ({ ...part, spaced: true })),
    ];
    return i in words ? [...texts, { text: words[i], token: i, spaced: ends(piece) }] : texts;
  });
}

/**
 * Break the parts into lines; a part without a space before it stays with the previous one.
 * @param {Part[]} parts
 * @param {(text: string) => number} measure
 * @param {number} left
 * @param {number} width
 * @returns {Place[]}
 */
function placed(parts, measure, left, width) {
  const wide = parts.map(({ text, token }) => measure(text) + (token === undefined ? 0 : 2 * PAD));
  const space = measure(" ");
  let [x, line] = [left, 0];
  return parts.map(({ spaced }, i) => {
    const glued = parts[i + 1] && !parts[i + 1].spaced ? wide[i + 1] : 0;
    if (spaced && x > left) x += space;
    if (spaced && x > left && x + wide[i] + glued > width) [x, line] = [left, line + 1];
    const place = { x, width: wide[i], line };
    x += wide[i];
    return place;
  });
}

/** The line of the last word. @param {Place[]} places */
const lastLine = (places) => places[places.length - 1].line;

/**
 * Lay out the sentence and the bars for a width.
 * @param {{ allScores: number[] }} data
 * @param {Part[]} parts
 * @param {(size: number) => (text: string) => number} measureAt
 * @param {number} width
 */
export function arrange(data, parts, measureAt, width) {
  const size = sizesFor(width);
  const isOneLine = (/** @type {number} */ type) => lastLine(placed(parts, measureAt(type), 0, width)) === 0;
  size.type = SMALLER.map((share) => share * size.type).find(isOneLine) ?? size.type;
  const measure = measureAt(size.type);
  let places = placed(parts, measure, 0, width);
  const isBroken = lastLine(places) > 0;
  if (isBroken) places = placed(parts, measure, 12, width); // a margin for arcs between two lines
  const top = (/** @type {number} */ line) => size.arcs + line * size.line;
  const bars = top(lastLine(places) + 1) - size.arcs + 34;
  const tokens = places.filter((_, i) => parts[i].token !== undefined);
  const names = size.narrow ? 58 : 90,
    half = (width - names) / 2;
  const all = data.allScores,
    score = scale([Math.min(0, ...all), Math.max(...all) || 1], [names, names + half - 56]);
  const weight = scale([0, 1], [names + half, width - 56]);
  return { ...size, parts, places, tokens, top, bars, width, score, weight, height: bars + tokens.length * ROW + 8 };
}

/** @param {HTMLElement} stage */
export function elements(stage) {
  const parts = drawParts(stage, (add) => ({
    arcs: add("g", "arcs"),
    chips: add("g", "chips"),
    words: add("g", "words"),
    shares: add("g", "shares"),
    queryFrame: add("rect", "query-frame", { rx: 4 }),
    names: add("g", "names"),
    lines: add("path", "bar-lines"),
    scores: add("g", "scores"),
    weights: add("g", "weights"),
    before: add("path", "ghost"),
    numbers: add("g", "bar-numbers"),
    scoreTitle: add("text", "title score-title"),
    weightTitle: add("text", "title weight"),
    legend: add("g", "legend"),
  }));
  const handles = html("div", { class: "token-handles", role: "radiogroup", "aria-label": "Query" }, stage);
  return { ...parts, handles };
}

/** @param {Drawn} drawn @param {Layout} at @param {Now} now */
export function drawSentence(drawn, at, { words, query, weights }) {
  const { parts, places, tokens, top, type } = at;
  resize(drawn.canvas, at.width, at.height);
  drawn.canvas.style.setProperty("--size", `${type}px`);
  const box = (/** @type {number} */ i) => ({
    x: tokens[i].x,
    y: top(tokens[i].line),
    width: tokens[i].width,
    height: type + 12,
  });
  repeat(drawn.chips, "rect", tokens.length, (rect, i) =>
    set(rect, { ...box(i), rx: 4, "fill-opacity": shadeOf(weights[i]) }),
  );
  repeat(drawn.words, "text", parts.length, (text, i) => {
    const { x, line } = places[i];
    set(text, { x: x + (parts[i].token === undefined ? 0 : PAD), y: top(line) + type + 1 });
    setText(text, parts[i].text);
  });
  repeat(drawn.shares, "text", tokens.length, (text, i) => {
    set(text, { x: tokens[i].x + tokens[i].width / 2, y: top(tokens[i].line) + type + 29 });
    setText(text, whole(weights[i]));
  });
  set(drawn.queryFrame, box(query));
  drawArcs(drawn.arcs, at, query, weights);
  placeHandles(drawn.handles, at, words, box);
}

/**
 * Place a touch target over each token; Tab focuses the selected one.
 * @param {HTMLElement} group
 * @param {Layout} at
 * @param {string[]} words
 * @param {(i: number) => import("../parts/plot.js").Box} box
 */
function placeHandles(group, { top, tokens, line: pitch }, words, box) {
  group.style.height = `${top(lastLine(tokens)) + pitch}px`;
  const make = () => html("div", { class: "token-handle", role: "radio" }, group);
  repeatMade(group, make, words.length, (handle, i) => {
    const { x, y, width, height } = box(i);
    lay(handle, { x, y: y - (FINGER - height) / 2, width, height: FINGER });
    set(handle, { "aria-label": words[i] });
  });
}

/** @param {Element} group @param {Layout} at @param {number} query @param {number[]} weights */
function drawArcs(group, at, query, weights) {
  const keys = [...weights.keys()].filter((key) => key !== query && weights[key] >= LEAST);
  repeat(group, "path", keys.length, (arc, k) =>
    set(arc, { d: arcBetween(at, query, keys[k]), "stroke-width": Math.max(WIDEST * weights[keys[k]], 1) }),
  );
}

/**
 * The path of an arc: above the words of a line, or through the gap above each line and along the left margin.
 * @param {Layout} at @param {number} query @param {number} key
 */
function arcBetween({ tokens, top, arcs }, query, key) {
  const [one, other] = [tokens[query], tokens[key]];
  const [from, to] = [one, other].map(({ x, width }) => x + width / 2);
  const [start, end] = [top(one.line), top(other.line)];
  if (one.line === other.line) {
    const high = start - Math.min(10 + Math.abs(to - from) / 5, 1.25 * arcs);
    return `M${from} ${start}C${from} ${high} ${to} ${high} ${to} ${end}`;
  }
  const [leave, arrive] = [start - 10, end - 10],
    turn = Math.sign(arrive - leave) * 6;
  return (
    `M${from} ${start}Q${from} ${leave} ${from - 10} ${leave}H10Q4 ${leave} 4 ${leave + turn}` +
    `V${arrive - turn}Q4 ${arrive} 10 ${arrive}H${to - 10}Q${to} ${arrive} ${to} ${end}`
  );
}

/**
 * @param {Drawn} drawn
 * @param {Layout} at
 * @param {Now} now
 * @param {Now | undefined} ghost
 * @param {string} scoreName
 */
export function drawBars(drawn, at, { words, scores, weights }, ghost, scoreName) {
  const { score, weight, bars, width } = at,
    y = (/** @type {number} */ i) => bars + i * ROW;
  const row = (/** @type {number} */ i) => ({ y: y(i) + 5, height: ROW - 8 });
  repeat(drawn.names, "text", words.length, (text, i) => {
    set(text, { x: score(0) - 10, y: y(i) + 19 });
    setText(text, words[i]);
  });
  const bar = (/** @type {import("../parts/plot.js").Scale} */ toPixel, /** @type {number} */ value) => ({
    x: Math.min(toPixel(0), toPixel(value)),
    width: Math.abs(toPixel(value) - toPixel(0)),
  });
  repeat(drawn.scores, "rect", words.length, (rect, i) => set(rect, { ...row(i), ...bar(score, scores[i]) }));
  repeat(drawn.weights, "rect", words.length, (rect, i) => set(rect, { ...row(i), ...bar(weight, weights[i]) }));
  const end = y(words.length);
  set(drawn.lines, { d: stem(score(0), bars, end) + stem(weight(0), bars, end) });
  repeat(drawn.numbers, "text", 2 * words.length, (text, k) => {
    const i = k % words.length,
      isWeight = k >= words.length;
    const right = isWeight ? weight(weights[i]) : Math.max(score(scores[i]), score(0));
    set(text, { x: right + 6, y: y(i) + 19 });
    setText(text, isWeight ? whole(weights[i]) : format(scores[i], 1));
  });
  if (ghost)
    set(drawn.before, { d: ghost.weights.map((share, i) => stem(weight(share), y(i) + 3, y(i) + ROW - 1)).join("") });
  set(drawn.scoreTitle, { x: score(0), y: bars - 8 });
  setText(drawn.scoreTitle, scoreName);
  set(drawn.weightTitle, { x: weight(0), y: bars - 8 });
  setText(drawn.weightTitle, at.narrow ? "weight" : "weight, after softmax");
  legend(drawn.legend, ghost ? [BEFORE] : [], { x: width - 70, y: bars - 8, gap: 30 });
}

/**
 * The token nearest to a point: on the nearest line with tokens, the horizontally nearest.
 * @param {Layout} at @param {number} x @param {number} y
 */
export function tokenNear({ tokens, top, line: pitch, arcs }, x, y) {
  const lines = tokens.map(({ line }) => line);
  const pointed = clamp(Math.floor((y - top(0) + arcs) / pitch), Math.min(...lines), Math.max(...lines));
  const distance = (/** @type {Place} */ { x: left, width, line }) =>
    Math.abs(left + width / 2 - x) + 1e4 * Math.abs(line - pointed);
  return tokens.reduce((best, token, i) => (distance(token) < distance(tokens[best]) ? i : best), 0);
}
