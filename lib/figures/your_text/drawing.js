import { clamp, format, percent } from "../parts/numbers.js";
import {
  axes,
  createHandle,
  describe,
  drawParts,
  html,
  lay,
  repeat,
  repeatGroups,
  resize,
  scale,
  set,
  setText,
  svg,
  translate,
} from "../parts/plot.js";
import { shadedPaths } from "../parts/shades.js";
import { asNext, CHIP, drawNumbers, drawTokens, LINE, quoted, tokenAt, tokenParts, wrapped } from "../parts/tokens.js";
import { tokenInWords } from "./text.js";

// The drawing. Above: the lines of the text around the query, shaded by the weights of one head or by the losses.
// Below: the weights of all heads, the losses of the whole text, and the likeliest next tokens.

const WORDS = 32, // top of the first line
  LINES = { wide: 4, narrow: 6 }, // of the text that are drawn at once
  PANEL = 126, // height
  GAP = 22,
  CELL = 14, // height of a head's weights
  BAR = 17, // height of a next word's row
  LEAST_BAR = 1.5, // pixels; of more tokens, a bar is a mean
  HIGHEST = 8, // nats on the axis, at least
  DARKEST = 10, // nats of the darkest shade
  N_SHADES = 16;

/**
 * @typedef {import("./your_text.js").Data} Data
 * @typedef {import("./your_text.js").Figure["now"]} Now
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof arrange>} Layout
 * @typedef {{ x: number, y: number, width: number }} Panel
 */

// ---- Layout -----------------------------------------------------------------------------------------------------

/**
 * Lay out everything that depends on the width and the text.
 * @param {Parts} parts @param {string[]} words @param {(text: string) => number} measure @param {number} width
 */
export function arrange(parts, words, measure, width) {
  const narrow = width < 640,
    lines = wrapped(words, measure, { x: 0, y: WORDS, width });
  const nLines = Math.round((lines.bottom - WORDS) / LINE),
    shown = Math.min(nLines, narrow ? LINES.narrow : LINES.wide),
    below = WORDS + shown * LINE + 6;
  const [heads, losses, next] = narrow
    ? [2, 1, 0].map((row) => ({ x: 0, y: below + row * (PANEL + GAP), width }))
    : columns(width).map((box) => ({ ...box, y: below }));
  const height = below + (narrow ? 3 * PANEL + 2 * GAP : PANEL);
  resize(parts.canvas, width, height);
  return { width, narrow, lines, nLines, shown, next, heads: headCells(heads), losses: lossAxis(losses, words.length) };
}

/** The three panels side by side. @param {number} width */
function columns(width) {
  const [heads, next] = [236, 196];
  return [
    { x: 0, width: heads },
    { x: heads + GAP, width: width - heads - next - 2 * GAP },
    { x: width - next, width: next },
  ];
}

/** @param {Panel} panel */
function headCells({ x, y, width }) {
  const [left, gap, row] = [x + 50, 6, 22],
    cellWidth = (width - 50 - 3 * gap) / 4;
  const cellOf = (/** @type {number} */ block, /** @type {number} */ head) => ({
    x: left + head * (cellWidth + gap),
    y: y + 38 + block * row,
  });
  /** The head at a pixel. @param {number} px @param {number} py */
  const headAt = (px, py) => ({
    block: clamp(Math.floor((py - y - 34) / row), 0, 3),
    head: clamp(Math.floor((px - left + gap / 2) / (cellWidth + gap)), 0, 3),
  });
  return { x, y, width, left, cellWidth, cellOf, headAt, bottom: y + 38 + 4 * row };
}

/** @param {Panel} panel @param {number} n */
function lossAxis({ x, y, width }, n) {
  const left = x + 24,
    right = x + width - 2,
    step = (right - left) / n;
  return {
    ...{ x, y, left, right, step, top: y + 30, bottom: y + PANEL - 24 },
    tokenAt: (/** @type {number} */ px) => clamp(Math.floor((px - left) / step), 0, n - 1),
    /** The pixel where a token begins. */
    edge: (/** @type {number} */ token) => left + token * step,
  };
}

const lineOf = (/** @type {Layout} */ at, /** @type {number} */ token) =>
  Math.round((at.lines.places[token].y - WORDS) / LINE);

/**
 * The first line to draw: the latest one, unless the query is not in its lines.
 * @param {Layout} at
 * @param {number} query
 * @param {number} top
 */
export function scrolled(at, query, top) {
  const line = lineOf(at, query);
  return clamp(clamp(top, line - at.shown + 1, line), 0, at.nLines - at.shown);
}

/**
 * The part at a pixel of the stage: "words", "losses", "heads" or undefined.
 * @param {Layout} at
 * @param {number} x
 * @param {number} y
 */
export function partAt({ shown, losses, heads }, x, y) {
  if (y >= WORDS - 6 && y < WORDS + shown * LINE) return "words";
  if (x >= losses.left && x <= losses.right && y >= losses.top && y <= losses.bottom + 12) return "losses";
  const isInHeads = x >= heads.left && x <= heads.x + heads.width && y >= heads.y + 34 && y < heads.bottom;
  return isInHeads ? "heads" : undefined;
}

/** The drawn token nearest to a pixel. @type {(at: Layout, top: number, x: number, y: number) => number} */
export const wordAt = ({ lines, shown }, top, x, y) =>
  tokenAt(lines.places, x, clamp(y, WORDS, WORDS + shown * LINE - 1) + top * LINE);

/** A token's place in the stage. @param {Layout} at @param {number} top @param {number} token */
export const placeOf = (at, top, token) => ({ ...at.lines.places[token], y: at.lines.places[token].y - top * LINE });

/** @type {(at: Layout, top: number, token: number) => boolean} */
const isDrawn = (at, top, token) => lineOf(at, token) >= top && lineOf(at, token) < top + at.shown;

// ---- Elements ---------------------------------------------------------------------------------------------------

/** @param {HTMLElement} stage */
export function elements(stage) {
  const parts = drawParts(stage, (add) => ({
    wordsTitle: add("text", "title words-title", { x: 0, y: 14 }),
    beyond: add("text", "beyond", { y: 14 }),
    ...tokenParts(add),
    headsTitle: add("text", "title heads-title", { text: "All heads from this token" }),
    headNames: add("g", "head-names"),
    grounds: add("g", "grounds"),
    cells: add("g", "cells"),
    headFrame: add("rect", "head-frame", { rx: 2 }),
    lossTitle: add("text", "title loss-title"),
    lossAxes: add("g", "axes"),
    bars: add("path", "bars"),
    ownBar: add("path", "own-bar"),
    equal: add("line", "equal"),
    mean: add("line", "mean"),
    window: add("rect", "window", { height: 4, rx: 2 }),
    queryLine: add("line", "query-line"),
    lossNote: add("text", "loss-note"),
    nextTitle: add("text", "title next-title"),
    next: add("g", "next"),
  }));
  const queryHandle = createHandle("query", "Token", stage),
    keyHandle = createHandle("look", "Earlier token", stage);
  const loading = html("p", { class: "loading", text: "The model is loading …", hidden: "" }, stage);
  return { ...parts, queryHandle, keyHandle, loading };
}

// ---- The text ---------------------------------------------------------------------------------------------------

/** Shorten a token for a title, so that it fits on a phone. */
const brief = (/** @type {string} */ word) => (word.length > 12 ? `${quoted(word).slice(0, 11)}…”` : quoted(word));

/** Draw the lines from `top` on. @param {Parts} parts @param {Layout} at @param {Now} now @param {number} top */
export function drawWords(parts, at, now, top) {
  const { words, query, start, row, following, setting } = now,
    { block, head, shade } = setting;
  const drawn = [...words.keys()].filter((j) => isDrawn(at, top, j)),
    first = drawn[0],
    places = drawn.map((j) => placeOf(at, top, j)),
    isLosses = shade === "losses";
  drawTokens(parts, places, {
    tokens: drawn.map((j) => words[j]),
    query: query - first,
    row: isLosses ? [] : drawn.map((j) => row[j - start] ?? 0),
    unseen: (k) => !isLosses && (first + k > query || first + k < start),
  });
  if (isLosses)
    drawShades(
      parts,
      places,
      drawn.map((j) => following[j - 1] ?? -1),
    );
  for (const part of [parts.chips, parts.numbers]) part.classList.toggle("losses", isLosses);
  set(parts.wordsTitle, { class: `title words-title ${shade}` });
  setText(
    parts.wordsTitle,
    isLosses ? "Loss of each token in nats" : `Head ${block}, ${head}: weights from ${brief(words[query])} in\u00a0%`,
  );
  set(parts.beyond, { x: at.width });
  setText(parts.beyond, beyond(at, now, top, first));
}

/**
 * Shade the tokens by their losses.
 * @param {Parts} parts
 * @param {import("../parts/tokens.js").Place[]} places
 * @param {number[]} losses
 */
function drawShades(parts, places, losses) {
  [...parts.chips.children].forEach((chip, k) => set(chip, { "fill-opacity": 0.5 * clamp(losses[k] / DARKEST, 0, 1) }));
  drawNumbers(parts.numbers, places, losses, 0, (loss) => format(loss, 1));
}

/**
 * Which lines are drawn of a longer text, and how much of the weight is on earlier ones.
 * @type {(at: Layout, now: Now, top: number, first: number) => string}
 */
function beyond({ nLines, shown, narrow }, { row, start, setting }, top, first) {
  if (nLines === shown) return "";
  const above = row.slice(0, Math.max(first - start, 0)).reduce((sum, weight) => sum + weight, 0);
  const hasMore = !narrow && setting.shade === "weights" && above > 0.005;
  return `${hasMore ? `${percent(above)} on earlier lines · ` : ""}lines ${top + 1}–${top + shown} of ${nLines}`;
}

/**
 * Place the handles and set their values for screen readers.
 * @param {Parts} parts @param {Layout} at @param {Now} now @param {number} top @param {number} key
 */
export function layHandles(parts, at, now, top, key) {
  const last = now.words.length - 1;
  const over = (/** @type {HTMLElement} */ element, /** @type {number} */ token) => {
    const isVisible = isDrawn(at, top, token);
    lay(element, { ...placeOf(at, top, token), height: CHIP });
    element.style.visibility = isVisible ? "" : "hidden";
  };
  over(parts.queryHandle, now.query);
  over(parts.keyHandle, isDrawn(at, top, key) ? key : now.query);
  describe(
    parts.queryHandle,
    now.query,
    [0, last],
    `${quoted(now.words[now.query])}, token ${now.query} of ${last + 1}`,
  );
  describe(parts.keyHandle, key, [0, last], tokenInWords(now, key));
}

// ---- The panels -------------------------------------------------------------------------------------------------

/**
 * Draw the weights of every head from the query, as a strip over the tokens up to the query.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {Now} now
 */
export function drawHeads(parts, at, { rows, start, query, setting }) {
  const { x, y, cellOf, cellWidth } = at.heads,
    all = [...Array(16).keys()].map((k) => /** @type {const} */ ([k >> 2, k % 4]));
  set(parts.headsTitle, { x, y: y + 14 });
  parts.headNames.replaceChildren();
  /** @type {(left: number, level: number, text: string, kind: string) => SVGElement} */
  const name = (left, level, text, kind) =>
    svg("text", { class: `tick ${kind}`, x: left, y: level, text }, parts.headNames);
  for (let k = 0; k < 4; k += 1) {
    name(cellOf(0, k).x + cellWidth / 2, y + 32, `head ${k}`, "across");
    name(cellOf(k, 0).x - 7, cellOf(k, 0).y + 11, `block ${k}`, "left");
  }
  repeat(parts.grounds, "rect", 16, (rect, k) => set(rect, { ...cellOf(...all[k]), width: cellWidth, height: CELL }));
  const n = Math.min(query - start + 1, Math.floor(cellWidth / LEAST_BAR)),
    step = cellWidth / n;
  const levels = rows ? all.flatMap(([block, head]) => binned(rows[block][head].slice(0, query - start + 1), n)) : [];
  const outline = (/** @type {number} */ k) => {
    const cell = cellOf(...all[Math.floor(k / n)]);
    return `M${(cell.x + (k % n) * step).toFixed(1)} ${cell.y}h${step.toFixed(1)}v${CELL}h-${step.toFixed(1)}z`;
  };
  const paths = shadedPaths(levels.map(Math.sqrt), outline, N_SHADES);
  repeat(parts.cells, "path", paths.length, (path, level) =>
    set(path, { d: paths[level], "fill-opacity": (level + 1) / N_SHADES }),
  );
  const own = cellOf(Number(setting.block), Number(setting.head));
  set(parts.headFrame, { x: own.x - 2, y: own.y - 2, width: cellWidth + 4, height: CELL + 4 });
}

/** Sums of the numbers in n bins. @param {number[]} numbers @param {number} n */
function binned(numbers, n) {
  const sums = /** @type {number[]} */ (Array(n).fill(0));
  numbers.forEach((number, i) => (sums[Math.floor((i * n) / numbers.length)] += number));
  return sums.map((sum) => Math.min(sum, 1));
}

/**
 * Draw the loss of each token, or means of several, with the query and the tokens that it sees.
 * @param {Parts} parts @param {Layout} at @param {Now} now @param {Data} data
 */
export function drawLosses(parts, at, now, { n_vocabulary: size }) {
  const { x, y, left, right, top, bottom, step } = at.losses,
    { words, following, mean, hasLosses } = now,
    perBar = Math.ceil(LEAST_BAR / step),
    means = meansOf(following, perBar);
  const level = scale([0, Math.max(HIGHEST, 4 * Math.ceil(Math.max(0, ...means) / 4))], [bottom, top]);
  set(parts.lossTitle, { x, y: y + 14 });
  setText(parts.lossTitle, `Loss in nats${mean === undefined ? "" : `, mean ${format(mean, 2)}`}`);
  drawAxes(parts.lossAxes, at.losses, level, words.length, perBar);
  drawBars(parts, at.losses, now, { perBar, means, level });
  lineAt(parts.equal, level(Math.log(size)), [left, right], true);
  lineAt(parts.mean, level(mean ?? 0), [left, right], mean !== undefined);
  set(parts.lossNote, { x: (left + right) / 2, y: (top + bottom) / 2 });
  const isEmpty = words.length > 1 && !following.length;
  setText(parts.lossNote, isEmpty ? (hasLosses ? "cancelled" : "reading …") : "");
}

/** The means of every `count` numbers. @param {number[]} numbers @param {number} count */
function meansOf(numbers, count) {
  const starts = Array.from({ length: Math.ceil(numbers.length / count) }, (_, k) => k * count),
    some = starts.map((start) => numbers.slice(start, start + count));
  return some.map((each) => each.reduce((a, b) => a + b) / each.length);
}

/**
 * Draw the bars, the token that follows the query in a darker one, and below them the tokens that the query sees.
 * @param {Parts} parts @param {Layout["losses"]} axis @param {Now} now
 * @param {{ perBar: number, means: number[], level: (loss: number) => number }} drawn
 */
function drawBars(parts, { top, bottom, edge, step }, { words, following, query, start }, { perBar, means, level }) {
  const gap = step > 4 ? 1 : 0;
  const bar = (/** @type {number} */ from, /** @type {number} */ to, /** @type {number} */ loss) => {
    const across = (Math.min(to, words.length) - from) * step - gap;
    return `M${(edge(from) + gap / 2).toFixed(1)} ${bottom}V${level(loss).toFixed(1)}h${across.toFixed(2)}V${bottom}z`;
  };
  const bars = means.map((loss, k) => bar(1 + k * perBar, 1 + (k + 1) * perBar, loss)),
    hasOwn = perBar === 1 && following[query] !== undefined;
  set(parts.bars, { d: bars.join("") });
  set(parts.ownBar, { d: hasOwn ? bar(query + 1, query + 2, following[query]) : "" });
  set(parts.window, { x: edge(start), y: bottom + 2, width: Math.max((query + 1 - start) * step, 2) });
  const middle = edge(query + 0.5);
  set(parts.queryLine, { x1: middle, x2: middle, y1: top, y2: bottom + 8 });
}

/** @type {(line: Element, y: number, ends: number[], isVisible: boolean) => void} */
function lineAt(line, y, [x1, x2], isVisible) {
  set(line, { x1, x2, y1: y, y2: y, visibility: isVisible ? "visible" : "hidden" });
}

/**
 * @type {(group: Element, axis: Layout["losses"], level: import("../parts/plot.js").Scale, n: number, perBar:
 *   number) => void}
 */
function drawAxes(group, { left, right, top, bottom }, level, n, perBar) {
  const axis = axes(group),
    highest = level.invert(top),
    between = [4, 5, 10].find((nats) => highest <= 3.5 * nats) ?? 20;
  for (let value = 0; value <= highest + 1e-6; value += between)
    axis.level({ left, right, gap: 6 }, level(value), String(value));
  axis.base({ left, right }, bottom);
  axis.label("tick begin", left, bottom + 20, perBar > 1 ? `token 0, ${perBar} per bar` : "token 0");
  if (n > 1) axis.label("tick left", right, bottom + 20, String(n - 1));
}

/**
 * Draw the likeliest next tokens; the one that follows in the text is marked.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {Now} now
 */
export function drawNext(parts, at, { next, words, query }) {
  const { x, y, width } = at.next,
    most = next[0]?.probability ?? 1,
    left = 84;
  const wide = (/** @type {number} */ probability) => Math.max(((width - left - 50) * probability) / most, 1);
  set(parts.nextTitle, { x, y: y + 14 });
  setText(parts.nextTitle, `Next after ${brief(words[query])}`);
  set(parts.next, { transform: translate(x, y + 22) });
  const build = (/** @type {SVGElement} */ group) => ({
    word: svg("text", { class: "word", x: left - 6, y: 13 }, group),
    bar: svg("rect", { class: "now", x: left, y: 3, height: 11 }, group),
    number: svg("text", { class: "number", y: 13 }, group),
  });
  repeatGroups(parts.next, next.length, build, ({ word, bar, number }, i, group) => {
    const { word: token, probability } = next[i];
    set(group, { transform: translate(0, i * BAR), class: token === words[query + 1] ? "actual" : "" });
    set(bar, { width: wide(probability) });
    set(number, { x: left + wide(probability) + 5 });
    setText(word, asNext(token).slice(0, 10));
    setText(number, percent(probability));
  });
}
