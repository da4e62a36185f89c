import { n_next as N_NEXT } from "../../constants.json";
import { hasWords, isSwapped, nameOf, narrowest } from "./view.js";
import { headInWords, keyInWords } from "./text.js";
import { format, onGrid } from "../parts/numbers.js";
import {
  createHandle,
  describe,
  drawParts,
  fontSize,
  html,
  lay,
  legend,
  repeat,
  resize,
  set,
  setText,
  svg,
  translate,
} from "../parts/plot.js";
import { CHIP, drawTokens, isPartOfCharacter, quoted, quotedNext, tokenParts, wrapped } from "../parts/tokens.js";
import { drawNextTokens, layNextButtons, NEXT_ROW } from "../parts/next_tokens.js";
import { shadedPaths } from "../parts/shades.js";

// The drawing of the language model figure. Left: the words with the weights of one head, the words that this head
// favours, and an overview of all heads with their names. Right: the most likely next words. Each part is a function of
// the elements, the layout and the view.

const N_CELL_SHADES = 16;

const TITLE = 22,
  ARCS = 10, // space for arcs above the first line
  CELL = 12,
  HEAD_ROW = 28,
  LEGEND_ROW = 20, // heights
  NEXT = TITLE + N_NEXT * NEXT_ROW; // of the list of next words

/**
 * @typedef {import("./view.js").View} View
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof arrange>} Layout
 */

// ---- Layout -------------------------------------------------------------------------------------------------------

/**
 * Return the layout, in pixels, for this width. The words are laid out later, because they must be measured.
 * @param {number} width
 */
function layout(width) {
  const narrow = width < 560;
  const side = { width: narrow ? width : 264 };
  const words = { x: 0, y: TITLE + ARCS, width: narrow ? width : width - side.width - 20 };
  const heads = { x: narrow ? 16 : 52, gap: narrow ? 6 : 10, width: words.width };
  return { width, narrow, side, words, heads };
}

/**
 * Lay out everything that depends on the width, the words and the legend entries `drawn`, and place the tools. On a
 * phone the heads are between the words and the next words.
 * @param {Parts} parts
 * @param {HTMLElement} tools
 * @param {{ nBlocks: number, nHeads: number }} data
 * @param {(text: string) => number} measure
 * @param {string[]} words
 * @param {number} width
 * @param {string} drawn
 * @param {HTMLElement} unfold
 */
export function arrange(parts, tools, { nBlocks, nHeads }, measure, words, width, drawn, unfold) {
  const { narrow, ...plan } = layout(width);
  set(parts.canvas, { width }); // font sizes depend on it
  const lines = wrapped(words, measure, plan.words),
    addsLine = lines.bottom;
  const { x, gap } = plan.heads,
    larger = fontSize(parts.adds) / 13, // larger than 1 on slides
    row = HEAD_ROW * larger,
    isFolded = !drawn.includes("heads"),
    y = addsLine + (isFolded ? 10 : 34 + 24 * larger);
  const cellWidth = (plan.heads.width - x - 4 - gap * (nHeads - 1)) / nHeads;
  const cellOf = (/** @type {number} */ block, /** @type {number} */ head) => ({
    x: x + head * (cellWidth + gap),
    y: y + block * row,
  });
  const heads = { x, y, cellWidth, cellOf, nBlocks, nHeads, gap, larger, row, width: plan.heads.width, isFolded };
  const legendLine = y + (isFolded ? 0 : nBlocks * row) + 10,
    lastLine = drawLegend(parts, { y: legendLine, width: plan.heads.width }, drawn);
  const headsBottom = narrow ? Math.max(lastLine, legendLine + LEGEND_ROW) + 8 : lastLine + 6; // the buttons keep their position
  const side = { ...plan.side, x: narrow ? 0 : width - plan.side.width, y: narrow ? headsBottom + 8 : 0 };
  const nextBottom = side.y + NEXT + 22;
  lay(tools, { x: side.x, y: nextBottom, width: side.width, height: 0 });
  tools.style.height = "";
  lay(unfold, { x: side.x, y: nextBottom, width: side.width, height: NEXT_ROW + 6 });
  const height = Math.max(headsBottom, nextBottom + Math.max(tools.offsetHeight, unfold.offsetHeight));
  const at = { ...plan, narrow, lines, addsLine, side, heads, of: words, height };
  resize(parts.canvas, width, at.height);
  drawNames(parts, at);
  return at;
}

/** @param {Layout} at @param {number} x @param {number} y */
export function headAt({ heads: { x: left, y: top, cellWidth, gap, row, nBlocks, nHeads } }, x, y) {
  return {
    block: onGrid(Math.floor((y - top + 6) / row), [0, nBlocks - 1, 1]),
    head: onGrid(Math.floor((x - left + gap / 2) / (cellWidth + gap)), [0, nHeads - 1, 1]),
  };
}

/**
 * The part at a point of the stage: "words", "heads" or undefined.
 * @param {Layout} at
 * @param {number} x
 * @param {number} y
 */
export function partAt({ heads, words, lines, of }, x, y) {
  const isInWords = of.length && y >= words.y - 6 && y < lines.bottom && x <= words.width + 6;
  const right = heads.x + heads.nHeads * (heads.cellWidth + heads.gap);
  const isInHeads =
    !heads.isFolded && y >= heads.y - 6 && y < heads.y + heads.nBlocks * heads.row && x >= heads.x - 6 && x < right;
  return isInWords ? "words" : isInHeads ? "heads" : undefined;
}

// ---- Elements -----------------------------------------------------------------------------------------------------

/** Create the elements of the drawing. @param {Element} stage */
export function elements(stage) {
  const parts = drawParts(stage, (add) => ({
    wordsTitle: add("text", "title weight-title", { y: 14 }),
    ...tokenParts(add),
    empty: add("text", "empty", { text: "Write a sentence above." }),
    adds: add("text", "adds"),
    nextTitle: add("text", "title next-title"),
    next: add("g", "next"),
    loss: add("text", "loss"),
    headsTitle: add("text", "title heads-title"),
    headNames: add("g", "head-names"),
    grounds: add("g", "grounds"),
    cells: add("g", "cells"),
    names: add("g", "names"),
    marks: add("g", "marks"),
    queryMarks: add("path", "query-marks"),
    headFrame: add("rect", "head-frame", { rx: 2 }),
    legend: add("g", "legend"),
  }));
  // Handles are HTML elements because Chromium ignores touch-action on SVG shapes.
  const queryHandle = createHandle("query", "Query", stage),
    keyHandle = createHandle("look", "Key", stage),
    headHandle = createHandle("head", "Block and head", stage);
  const buttons = html("div", { class: "next-buttons", role: "group", "aria-label": "Append a next word" }, stage);
  const note = html("p", { class: "note" }, stage);
  return { ...parts, queryHandle, keyHandle, headHandle, buttons, note };
}

// ---- Parts of the drawing -----------------------------------------------------------------------------------------

/** Shorten a word for a title, so that it fits on a phone. */
const brief = (/** @type {string} */ word) => {
  if (isPartOfCharacter(word)) return "“\ufffd”";
  return word.length > 14 ? `${quoted(word).slice(0, 13)}…”` : quoted(word);
};

/** @param {Parts} parts @param {Layout} at @param {View} view */
export function drawWords(parts, at, { words, setting, swapped, trained }) {
  const { query, block, head } = setting;
  const row = swapped?.rows[block][head] ?? [];
  drawTokens(parts, at.lines.places, {
    tokens: words,
    query,
    row,
    before: trained?.rows[block][head],
    unseen: (j) => j > query,
    hidden: setting.kernel === "mask" ? setting.hidden.filter((j) => j !== query) : [], // a query always attends to itself
  });
  set(parts.empty, { x: 0, y: at.words.y + 17, visibility: words.length ? "hidden" : "visible" });
  const from = words.length ? ` from ${brief(words[query])}` : "";
  const share = at.narrow ? "in\u00a0%" : "%\u00a0of weight";
  setText(parts.wordsTitle, `Head ${block}, ${head} attends${from} to (${share})`);
}

/**
 * Draw one row: the next words that the head's output alone favours.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {View} view
 */
export function drawAdds(parts, at, { setting: { block, head }, adds }) {
  const added = adds?.[block]?.[head];
  set(parts.adds, { x: 0, y: at.addsLine + 14 });
  parts.adds.replaceChildren();
  const say = (/** @type {string} */ text, /** @type {string} */ kind) =>
    svg("tspan", { class: kind, text }, parts.adds);
  if (!added) return;
  say(at.narrow ? "its output favours " : "its output favours as next word ", "plain");
  added.forEach(({ word }, i) => {
    if (i) say(", ", "plain");
    say(quotedNext(word), "word");
  });
}

/**
 * Draw the list of likely next words. If a kernel is swapped, each has two bars: as trained, and now.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {View} view
 */
export function drawNext(parts, at, { next = [], words, setting, swapped, trained }) {
  const { x, y, width } = at.side,
    isPaired = isSwapped(setting);
  set(parts.nextTitle, { x, y: y + 14 });
  titled(parts.nextTitle, next.length ? `Next word after ${brief(words[setting.query])}` : "", PIECES);
  set(parts.next, { transform: translate(x, y + TITLE - 2) });
  drawNextTokens(parts.next, next, width, isPaired);
  set(parts.loss, { x, y: y + NEXT + 12 });
  const usual = isPaired ? `, as trained ${format(trained?.loss ?? 0, 2)}` : "";
  const loss =
    swapped?.loss == null ? "" : `Loss ${format(swapped.loss, 2)} nats${isPaired ? "" : " per token"}${usual}`;
  titled(parts.loss, loss, LOSS);
}

/**
 * Write a note below the next words, in place of the loss, which is out of date while a note is shown.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {string} words
 */
export function drawNote(parts, { side: { x, y, width } }, words) {
  setText(parts.note, words);
  lay(parts.note, { x, y: y + NEXT - 4, width, height: 20 });
  set(parts.loss, { visibility: words ? "hidden" : "visible" });
}

const PIECES = "The vocabulary consists of tokens: whole words, beginnings of words or, with “…”, the rest of a word.";
const LOSS = "The mean of −ln p, where p is the probability that the model gave to each next token of this text.";

/**
 * Set an element's text, and a title for tooltips and screen readers.
 * @type {(element: Element, text: string, title: string) => void}
 */
function titled(element, text, title) {
  if (element.textContent === text + (text && title)) return;
  element.textContent = text;
  if (text) svg("title", { text: title }, element);
}

/**
 * Place a button over each next word, which appends it. If the query is not the last word, the text is cut after the
 * query first.
 * @param {Parts} parts @param {Layout} at @param {View} view @param {(index: number) => void} append
 */
export function layButtons(parts, at, { next = [], words, setting }, append) {
  const isCut = setting.query < words.length - 1;
  const from = isCut ? `Cut the text after ${quoted(words[setting.query])} and append` : "Append";
  const { x, y, width } = at.side;
  layNextButtons(parts.buttons, { x, y: y + TITLE - 2, width }, next, from, append);
}

const UNFOLDS = "adds loss headsTitle headNames grounds cells names marks queryMarks headFrame"; // by attribute, for the still picture

/** Show or hide everything about heads other than the selected one. @param {Parts} parts @param {Layout} at */
export function drawFold(parts, at) {
  const all = /** @type {Record<string, Element>} */ (parts);
  for (const name of UNFOLDS.split(" ")) set(all[name], { display: at.heads.isFolded ? "none" : "inline" });
}

/**
 * Draw a row of weights per head, all with the same scale, and its name.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {View} view
 */
export function drawHeads(parts, at, view) {
  const { swapped, words, setting } = view,
    { cellWidth, cellOf, nBlocks, nHeads, larger } = at.heads,
    n = Math.max(words.length, 1),
    step = cellWidth / n;
  const boxes = Array.from({ length: nBlocks * nHeads }, (_, i) => cellOf(Math.floor(i / nHeads), i % nHeads));
  const weights = swapped ? swapped.rows.flat(2) : [];
  const wide = step.toFixed(1);
  const cell = (/** @type {number} */ k) => {
    const { x, y } = boxes[Math.floor(k / n)];
    return `M${(x + (k % n) * step).toFixed(1)} ${y}h${wide}v${CELL}h-${wide}z`;
  };
  const paths = shadedPaths(weights.map(Math.sqrt), cell, N_CELL_SHADES);
  repeat(parts.grounds, "rect", boxes.length, (rect, i) => set(rect, { ...boxes[i], width: cellWidth, height: CELL }));
  repeat(parts.cells, "path", paths.length, (path, level) =>
    set(path, { d: paths[level], "fill-opacity": (level + 1) / N_CELL_SHADES }),
  );
  const marked = swapped ? narrowest(swapped.rows) : [];
  repeat(parts.names, "text", boxes.length, (text, i) => {
    const isMarked = marked.includes(i);
    set(text, {
      x: boxes[i].x + (isMarked ? 11 : 0),
      y: boxes[i].y + CELL + 11 * larger,
      class: isMarked ? "marked" : "",
    });
    const name = nameOf(view, Math.floor(i / nHeads), i % nHeads);
    setText(text, at.narrow ? name.replace("one ", "1 ") : name);
  });
  repeat(parts.marks, "circle", marked.length, (circle, k) => {
    const { x, y } = boxes[marked[k]];
    set(circle, { cx: x + 4, cy: y + CELL + 7 * larger, r: 3.5 });
  });
  const mark = (setting.query + 0.5) * step;
  set(parts.queryMarks, {
    d: words.length ? boxes.map(({ x, y }) => `M${(x + mark).toFixed(1)} ${y + CELL}v4`).join("") : "",
  });
  const { x, y } = cellOf(setting.block, setting.head);
  set(parts.headFrame, { x: x - 2, y: y - 2, width: cellWidth + 4, height: CELL + 4 });
}

/** Draw the names of blocks and heads, which depend only on the layout. @param {Parts} parts @param {Layout} at */
function drawNames(parts, at) {
  const { cellOf, cellWidth, nBlocks, nHeads, larger, y } = at.heads;
  set(parts.headsTitle, { x: 0, y: y - 24 * larger });
  const where = at.narrow ? "" : " on the whole text";
  setText(parts.headsTitle, `All ${nBlocks * nHeads} heads (block, head): what each does${where}`);
  parts.headNames.replaceChildren();
  /** @type {(x: number, top: number, text: string, kind: string) => SVGElement} */
  const name = (x, top, text, kind) => svg("text", { class: `tick ${kind}`, x, y: top, text }, parts.headNames);
  for (let head = 0; head < nHeads; head += 1) name(cellOf(0, head).x + cellWidth / 2, y - 8, `head ${head}`, "across");
  for (let block = 0; block < nBlocks; block += 1)
    name(cellOf(block, 0).x - 7, cellOf(block, 0).y + 11, at.narrow ? String(block) : `block ${block}`, "left");
}

const LEGEND = [
  { name: "query", text: "query", shape: "rect", x: 1, y: -11, width: 14, height: 13, rx: 3 },
  { name: "weight", text: "weight", shape: "rect", x: 0, y: -12, width: 16, height: 15, rx: 3 },
  { name: "before", text: "as trained", shape: "rect", x: 0, y: -6, width: 16, height: 4 },
  { name: "marked", text: "most concentrated", shape: "circle", cx: 9, cy: -4, r: 3.5 },
];

/**
 * The legend entries, as one string so that the layout can be memoised: "as trained" only if a kernel is swapped, and
 * marked heads only if the heads differ and are unfolded.
 * @param {View} view @param {boolean} hasHeads
 */
export const drawnOf = ({ setting, swapped }, hasHeads) =>
  [
    "query",
    "weight",
    isSwapped(setting) && "before",
    hasHeads && swapped && narrowest(swapped.rows).length && "marked",
    hasHeads && "heads",
  ]
    .filter(Boolean)
    .join(" ");

/**
 * Draw the legend; returns the y coordinate of its last line.
 * @param {Parts} parts
 * @param {{ y: number, width: number }} place
 * @param {string} drawn
 */
function drawLegend(parts, { y, width }, drawn) {
  const names = drawn.split(" ");
  const entries = LEGEND.filter(({ name }) => names.includes(name));
  return legend(parts.legend, entries, { y, gap: 36, width, line: LEGEND_ROW });
}

/**
 * Place the handles and set their values for screen readers.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {View} view
 * @param {number} key
 */
export function layHandles(parts, at, view, key) {
  const {
      setting: { query, block, head },
      words,
    } = view,
    { nBlocks, nHeads, cellOf, cellWidth } = at.heads;
  const overWord = (/** @type {HTMLElement} */ handle, /** @type {number} */ j) => {
    lay(handle, words.length ? { ...at.lines.places[j], height: CHIP } : { x: 0, y: 0, width: 0, height: 0 });
    handle.style.display = words.length ? "" : "none";
  };
  overWord(parts.queryHandle, query);
  overWord(parts.keyHandle, key);
  const { x, y } = cellOf(block, head);
  lay(parts.headHandle, { x: x - 4, y: y - 4, width: cellWidth + 8, height: CELL + 8 });
  const headWords = hasWords(view) ? headInWords(view, block, head) : `head ${block}, ${head}`;
  describe(parts.headHandle, block * nHeads + head, [0, nBlocks * nHeads - 1], headWords);
  if (!hasWords(view)) return;
  const last = words.length - 1;
  describe(parts.queryHandle, query, [0, last], `${quoted(words[query])}, token ${query} of ${words.length}`);
  describe(parts.keyHandle, key, [0, last], keyInWords(view, key));
}
