import { onGrid } from "../parts/numbers.js";
import {
  createHandle,
  describe,
  drawParts,
  html,
  lay,
  legend,
  resize,
  set,
  svg,
  translate,
  setText,
} from "../parts/plot.js";
import { CHIP, drawTokens, quoted, tokenParts, wrapped } from "../parts/tokens.js";
import { drawNextTokens, layNextButtons, NEXT_ROW } from "../parts/next_tokens.js";
import { headInWords, keyInWords, lossInWords } from "./text.js";

// The drawing of the published model's figure. Left: the text with the weights of one head, and a map of all heads
// with a mark for what each does on this text. Right: the likely next tokens. Each part is a function of elements,
// layout and view.

const TITLE = 22,
  ARCS = 10, // space for arcs above the first line
  NOTICE = 90, // space for the notice when there are no words
  LEFT = 22, // space for the names of the rows
  LARGEST_CELL = 15;

/**
 * @typedef {import("./published_model.js").Data} Data
 * @typedef {import("./view.js").View} View
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof arrange>} Layout
 * @typedef {{ x: number, y: number, cell: number, row: number, nBlocks: number, nHeads: number }} HeadMap
 */

/**
 * The mark of each pattern, of half-width s around a point: distinguishable without colour.
 * @type {Record<string, (x: number, y: number, s: number) => string>}
 */
const MARKS = {
  induction: (x, y, s) => `M${x - s} ${y - s}h${2 * s}v${2 * s}h${-2 * s}z`,
  same: (x, y, s) => `M${x - s} ${y}a${s} ${s} 0 1 0 ${2 * s} 0a${s} ${s} 0 1 0 ${-2 * s} 0z`,
  previous: (x, y, s) => `M${x + s} ${y - s}v${2 * s}L${x - s} ${y}z`,
  first: (x, y, s) => `M${x - s / 2} ${y - s}h${s / 2}v${2 * s}h${-s / 2}z`,
  broad: (x, y, s) => `M${x - s} ${y - s / 4}h${2 * s}v${s / 2}h${-2 * s}z`,
  "": (x, y, s) => `M${x - s / 4} ${y - s / 4}h${s / 2}v${s / 2}h${-s / 2}z`,
};
const SHORT = {
  induction: "induction",
  same: "same token",
  previous: "previous token",
  first: "first token",
  broad: "broad",
  "": "none of these",
};

/** @param {Element} stage */
export function elements(stage) {
  const parts = drawParts(stage, (add) => ({
    wordsTitle: add("text", "title weight-title", { y: 14 }),
    ...tokenParts(add),
    empty: add("text", "empty", { text: "Write a sentence above." }),
    headsTitle: add("text", "title heads-title"),
    axis: add("g", "axis"),
    field: add("rect", "field"),
    marks: Object.fromEntries(Object.keys(MARKS).map((name) => [name, add("path", `mark ${name || "none"}`)])),
    headFrame: add("rect", "head-frame", { rx: 2 }),
    legend: add("g", "legend"),
    nextTitle: add("text", "title next-title"),
    next: add("g", "next"),
    loss: add("text", "loss"),
  }));
  const handles = {
    queryHandle: createHandle("query", "Query", stage),
    keyHandle: createHandle("look", "Key", stage),
    headHandle: createHandle("head", "Block and head", stage),
  };
  const buttons = html("div", { class: "next-buttons", role: "group", "aria-label": "Append a next token" }, stage);
  return { ...parts, ...handles, buttons };
}

/**
 * Lay out everything that depends on width, words and the number of heads; `tools` stands below the next tokens.
 * @param {Parts} parts
 * @param {HTMLElement} tools
 * @param {number} nNext
 * @param {(text: string) => number} measure
 * @param {string[]} words
 * @param {[number, number]} shape
 * @param {number} width
 */
export function arrange(parts, tools, nNext, measure, words, [nBlocks, nHeads], width) {
  const isNarrow = width < 560,
    side = { width: isNarrow ? width : 232, x: isNarrow ? 0 : width - 232 },
    room = isNarrow ? width : width - side.width - 20;
  const { places, bottom: end } = wrapped(words, measure, { x: 0, y: TITLE + ARCS, width: room });
  const lines = { places, bottom: words.length ? end : TITLE + ARCS + NOTICE };
  const top = lines.bottom + 24,
    cell = Math.min((room - LEFT) / nBlocks, LARGEST_CELL),
    row = Math.max(cell, 12);
  const heads = { x: LEFT, y: top, cell, row, nBlocks, nHeads };
  const legendLine = top + nHeads * row + 38;
  const bottom = drawMapFrame(parts, heads, legendLine, room) + 10;
  const sideTop = isNarrow ? bottom : 0,
    nextBottom = sideTop + TITLE + nNext * NEXT_ROW + 24;
  lay(tools, { x: side.x, y: nextBottom, width: side.width, height: 0 });
  tools.style.height = "";
  resize(parts.canvas, width, Math.max(bottom, nextBottom + tools.offsetHeight));
  return { width, isNarrow, lines, heads, side: { ...side, y: sideTop }, words: { width: room, count: words.length } };
}

/**
 * Draw the map's title, axes and legend, which depend only on the layout; returns the bottom of the legend.
 * @param {Parts} parts
 * @param {HeadMap} heads
 * @param {number} legendLine
 * @param {number} width
 */
function drawMapFrame(parts, { x, y, cell, row, nBlocks, nHeads }, legendLine, width) {
  set(parts.headsTitle, { x: 0, y: y - 12 });
  setText(parts.headsTitle, `What each of the ${nBlocks * nHeads} heads does on this text`);
  set(parts.field, { x, y, width: nBlocks * cell, height: nHeads * row });
  parts.axis.replaceChildren();
  /** @type {(name: string, attributes: object, text: string) => SVGElement} */
  const label = (name, attributes, text) => svg("text", { class: name, text, ...attributes }, parts.axis);
  for (let h = 0; h < nHeads; h += 1) label("tick left", { x: x - 5, y: y + (h + 0.5) * row + 4 }, String(h));
  for (let b = 0; b < nBlocks; b += 5) label("tick", { x: x + (b + 0.5) * cell, y: y + nHeads * row + 14 }, String(b));
  label("tick", { x: x + nBlocks * cell - 16, y: y + nHeads * row + 14 }, "block");
  const entries = Object.entries(SHORT).map(([name, text]) => ({
    name: `mark ${name || "none"}`,
    text,
    d: MARKS[name](6, -4, 5),
  }));
  return legend(parts.legend, entries, { y: legendLine, gap: 28, label: { x: 16 }, width, line: 18 });
}

/** @type {(heads: HeadMap, block: number, head: number) => [number, number]} */
const centre = ({ x, y, cell, row }, block, head) => [x + (block + 0.5) * cell, y + (head + 0.5) * row];

/** @param {Layout} at @param {number} x @param {number} y */
export function headAt({ heads }, x, y) {
  const { cell, row, nBlocks, nHeads } = heads;
  return {
    block: onGrid(Math.floor((x - heads.x) / cell), [0, nBlocks - 1, 1]),
    head: onGrid(Math.floor((y - heads.y) / row), [0, nHeads - 1, 1]),
  };
}

/**
 * The part at a point of the stage: "words", "heads" or undefined.
 * @param {Layout} at
 * @param {number} x
 * @param {number} y
 */
export function partAt({ heads, lines, words }, x, y) {
  const { cell, row, nBlocks, nHeads } = heads;
  if (words.count && y >= TITLE && y < lines.bottom && x <= words.width + 6) return "words";
  const isInHeads = y >= heads.y && y < heads.y + nHeads * row && x >= heads.x && x < heads.x + nBlocks * cell;
  return isInHeads ? "heads" : undefined;
}

/** @param {Element} stage @param {PointerEvent} event */
export function placeOf(stage, event) {
  const { left, top } = stage.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

/** @param {Parts} parts @param {Layout} at @param {View} view @param {number[]} hidden */
export function drawWords(parts, at, { words, query, row, before, block, head, needs }, hidden) {
  drawTokens(parts, at.lines.places, {
    tokens: words,
    query,
    row,
    before,
    unseen: (j) => j > query,
    hidden: hidden.filter((j) => j !== query && j < words.length),
  });
  set(parts.empty, { x: 0, y: TITLE + ARCS + 17, visibility: words.length || needs ? "hidden" : "visible" });
  const unit = at.isNarrow ? "in\u00a0%" : "%\u00a0of weight";
  setText(parts.wordsTitle, `Head ${block}, ${head}${needs ? "" : ` attends to (${unit})`}`);
}

/** @param {Parts} parts @param {Layout} at @param {View} view */
export function drawMap(parts, { heads }, { names, block, head }) {
  const size = Math.min(heads.cell, heads.row) * 0.36,
    paths = Object.fromEntries(Object.keys(MARKS).map((name) => [name, ""]));
  names.forEach((name, i) => {
    const [x, y] = centre(heads, Math.floor(i / heads.nHeads), i % heads.nHeads);
    paths[name] += MARKS[name](Math.round(10 * x) / 10, Math.round(10 * y) / 10, Math.round(10 * size) / 10);
  });
  Object.entries(paths).forEach(([name, d]) => set(parts.marks[name], { d }));
  const { x, y, cell, row } = heads;
  set(parts.headFrame, { x: x + block * cell, y: y + head * row, width: cell, height: row });
}

/**
 * Draw the likely next tokens.
 * @param {Parts} parts @param {Layout} at @param {View} view
 * @param {number} [moved] the share of the way, while the bars move from as trained to now
 */
export function drawNext(parts, at, view, moved) {
  const { next, isSwapped, words, query } = view,
    { x, y, width } = at.side;
  set(parts.nextTitle, { x, y: y + 14 });
  const after = words.length && next.length ? quoted(words[query]) : "";
  setText(parts.nextTitle, after ? `Next token after ${after.length > 14 ? `${after.slice(0, 12)}…”` : after}` : "");
  set(parts.next, { transform: translate(x, y + TITLE - 2) });
  drawNextTokens(parts.next, next, width, isSwapped, moved);
  set(parts.loss, { x, y: y + TITLE + next.length * NEXT_ROW + 14 });
  setText(parts.loss, lossInWords(view));
}

/**
 * Place a button over each next token, which appends it at the end of the text.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {View} view
 * @param {(index: number) => void} append
 */
export function layButtons(parts, at, { next, query, words }, append) {
  const { x, y, width } = at.side,
    isLast = query === words.length - 1;
  layNextButtons(parts.buttons, { x, y: y + TITLE - 2, width }, isLast ? next : [], "Append", append);
}

/**
 * Place the notice where the reader asked for what is not stored: at the text, the words and the map, or the menus.
 * @param {HTMLElement} notice @param {Layout} at @param {View} view @param {boolean} isAtHeads
 */
export function layNotice(notice, at, { needs, ran }, isAtHeads) {
  const { lines, side, words } = at,
    isAtMap = needs === "row" || (needs === "kernel" && (isAtHeads || ran.kernel === "mask"));
  if (needs === "kernel" && !isAtMap) lay(notice, { x: side.x, y: side.y + TITLE, width: side.width, height: 0 });
  else lay(notice, { x: 0, y: isAtMap ? lines.bottom : TITLE, width: words.width, height: 0 });
  notice.style.height = "";
}

/** @param {Parts} parts @param {Layout} at @param {Data} data @param {View} view @param {number} key */
export function layHandles(parts, at, data, view, key) {
  const { query, words, block, head, shape } = view;
  const over = (/** @type {HTMLElement} */ element, /** @type {number} */ j) => {
    const place = at.lines.places[j];
    element.hidden = !place;
    if (place) lay(element, { ...place, height: CHIP });
  };
  over(parts.queryHandle, query);
  over(parts.keyHandle, key);
  const { x, y, cell, row } = at.heads;
  lay(parts.headHandle, { x: x + block * cell, y: y + head * row, width: cell, height: row });
  describe(
    parts.headHandle,
    block * shape[1] + head,
    [0, shape[0] * shape[1] - 1],
    headInWords(data, view, block, head),
  );
  if (!words.length) return;
  describe(
    parts.queryHandle,
    query,
    [0, words.length - 1],
    `${quoted(words[query])}, token ${query} of ${words.length}`,
  );
  describe(parts.keyHandle, key, [0, words.length - 1], keyInWords(view, key));
}

export const markOfHead = (
  /** @type {Layout} */ { heads },
  /** @type {number} */ block,
  /** @type {number} */ head,
) => {
  const [x, y] = centre(heads, block, head);
  return { x, y: y - heads.row / 2 };
};
