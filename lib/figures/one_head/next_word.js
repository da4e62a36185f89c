import { percent } from "../parts/numbers.js";
import { html, lay, set, setText, translate } from "../parts/plot.js";
import { asNext, CHIP, LINE, measureIn, quoted, quotedNext, spelled } from "../parts/tokens.js";

// The word that the model expects after the query, in a dashed frame behind the text, with a button over it.

/** @typedef {import("../parts/tokens.js").Place} Place */

const GAP = 8, // pixels before the frame
  PAD = 6, // inside it
  RESERVED = 250, // width that is kept free for it behind the text, so that nothing moves when it changes
  LONGEST = 14; // letters of the query that it follows

/**
 * Create the elements; a click calls `append()`.
 * @param {HTMLElement} stage
 * @param {ReturnType<typeof import("../parts/plot.js").drawing>["add"]} add
 * @param {() => void} append
 */
export function nextWordParts(stage, add, append) {
  const group = add("g", "next-word");
  const part = (/** @type {string} */ tag, /** @type {string} */ name, /** @type {object} */ attributes) =>
    add(tag, name, attributes, group);
  const parts = {
    group,
    frame: part("rect", "frame", { rx: 4, height: CHIP - 1, y: 0.5 }),
    after: part("text", "after", { x: PAD, y: 16 }),
    word: part("text", "word", { y: 16 }),
    share: part("text", "share", { y: 16 }),
    button: html("button", { type: "button", class: "next-button" }, stage),
    measure: measureIn(stage),
    measureShare: measureIn(stage, 13),
  };
  parts.button.addEventListener("click", append);
  return parts;
}

/**
 * The height that the text needs with a next word behind it.
 * @param {Place[]} places @param {number} bottom @param {number} width
 */
export function bottomWithNext(places, bottom, width) {
  const last = places[places.length - 1];
  return last && last.x + last.width + GAP + RESERVED > width ? bottom + LINE : bottom;
}

/**
 * Draw the next word after the last word of the text. If the query is an earlier word, say which one it follows.
 * @param {ReturnType<typeof nextWordParts>} parts
 * @param {Place[]} places
 * @param {Pick<import("./one_head.js").Numbers, "words" | "query" | "next">} now
 * @param {{ width: number, hasRoom: boolean }} room
 */
export function drawNextWord(parts, places, { words, query, next }, { width, hasRoom }) {
  const isThere = !!next && hasRoom;
  set(parts.group, { visibility: isThere ? "visible" : "hidden" });
  parts.button.hidden = !isThere;
  if (!isThere) return;
  const isEnd = query === words.length - 1,
    texts = { after: isEnd ? "" : `after “${spelled(words[query]).slice(0, LONGEST)}”: `, word: asNext(next.word) };
  const share = percent(next.probability),
    wide = { after: parts.measure(texts.after), word: parts.measure(texts.word) };
  const own = 2 * PAD + wide.after + wide.word + 5 + parts.measureShare(share);
  const { x, y } = placeAfter(places[places.length - 1], own, width);
  set(parts.group, { transform: translate(x, y) });
  set(parts.frame, { width: own });
  set(parts.word, { x: PAD + wide.after });
  set(parts.share, { x: PAD + wide.after + wide.word + 5 });
  setText(parts.after, texts.after);
  setText(parts.word, texts.word);
  setText(parts.share, share);
  lay(parts.button, { x, y, width: own, height: CHIP });
  const rest = isEnd ? "" : `, and leave out what follows ${quoted(words[query])}`;
  set(parts.button, { "aria-label": `Append ${quotedNext(next.word)}, ${share}${rest}` });
}

/** On the line of the last word, or on the next one. @param {Place} last @param {number} own @param {number} width */
function placeAfter({ x, y, width: used }, own, width) {
  const at = x + used + GAP;
  return at + own <= width ? { x: at, y } : { x: 0, y: y + LINE };
}
