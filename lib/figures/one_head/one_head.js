import { defineFigure, memo } from "../contract/figure.js";
import { textSetting, wellFormed } from "../contract/settings.js";
import { arrowKeys, focus } from "../parts/drag.js";
import { percent, role } from "../parts/numbers.js";
import { describe, drawing, escaped, html, lay, resize } from "../parts/plot.js";
import {
  CHIP,
  drawTokens,
  isPartOfCharacter,
  measureIn,
  quoted,
  quotedNext,
  stepFrom,
  textAsFarAs,
  tokenAt,
  tokenParts,
  wrapped,
} from "../parts/tokens.js";
import { createQueue, loadLazy } from "../parts/workers.js";
import { bottomWithNext, drawNextWord, nextWordParts } from "./next_word.js";

// A text. The word under the pointer is the query, and the words before it are shaded by its attention weights in
// one head. Behind the text stands the word that the whole model expects after the query; a click appends it. The
// model runs in a worker (lazy_worker.js), which is loaded when the reader types or appends.

const TOP = 18, // room for arcs above the first line
  NOTABLE = 0.1; // smallest weight that the sentence names

/** @param {Given} constants */
const prepare = (constants) => ({ ...constants, defaultText: /** @type {string} */ (constants.defaults.text) });

/**
 * The words of a text, their weights and the next words. Until the model has read this text, they belong to an
 * earlier one.
 * @param {Data} data @param {string} text @param {Answers["read"]} read
 */
function reading({ first, defaultText }, text, read) {
  if (text === defaultText) return { isNow: true, dropped: 0, ...first };
  return read ? { isNow: read.text === text, ...read } : { isNow: false, dropped: 0, ...first };
}

/** @param {Data} data @param {Setting} setting @param {Answers} answers */
function compute(data, { text, query }, { read, pointed }) {
  const { next, ...now } = reading(data, text, read),
    last = now.words.length - 1;
  const at = Math.min(pointed ?? query, last);
  return { ...now, query: at, row: now.rows[at] ?? [], next: next[at] };
}

/** @type {(data: Data, now: Figure["now"]) => object} */
const state = (_, { setting, words, query, row, next }) => ({
  text: setting.text,
  words,
  query,
  weights: row,
  next: next ?? null,
});

/** Whether a text has room for its next word. @param {Data} data @param {Figure["now"]} now */
const hasRoom = ({ longest_text }, { setting: { text }, next }) =>
  text.length + (next?.word.length ?? Infinity) <= longest_text;

/** @param {Data} data @param {Figure["now"]} now */
function sentence(data, now) {
  const { answers, words, query, row, next, dropped, isNow } = now;
  if (answers.problem) return answers.problem;
  if (!isNow && !answers.read) return "The model is loading …";
  if (!words.length) return "There is no word yet. Type a sentence.";
  const largest = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, 2);
  const named = largest.filter((j, k) => k === 0 || row[j] >= NOTABLE);
  const key = (/** @type {number} */ j) =>
    `${role("key", j === query ? "itself" : escaped(quoted(words[j])))} (${role("weight", percent(row[j]))})`;
  const cut = dropped ? `These are the last ${data.shown} tokens of the text. ` : "";
  const foreign = words.some(isPartOfCharacter) ? "Characters outside the vocabulary appear as bytes. " : "";
  return `${cut}${foreign}${role("query", escaped(quoted(words[query])))} attends most to ${named.map(key).join(" and ")}. ${nextInWords(data, now, next)}`;
}

/** @param {Data} data @param {Figure["now"]} now @param {Next} next */
function nextInWords(data, now, next) {
  const expected = `Next comes ${escaped(quotedNext(next.word))} with ${percent(next.probability)}`;
  return hasRoom(data, now) ? `${role("estimate", expected)}.` : "The text has no room for more words.";
}

/** Below the text: a field for the reader's own, and Undo. @param {HTMLElement} stage @param {number} longest */
function ownText(stage, longest) {
  const row = html("div", { class: "own" });
  stage.after(row);
  const attributes = {
    ...{ type: "text", class: "own-text", "aria-label": "Your own sentence", placeholder: "Type your own sentence" },
    ...{ maxlength: longest, spellcheck: "false", autocomplete: "off", "data-lm-suppress-shortcuts": "true" },
  };
  const field = html("input", attributes, row);
  const undo = html("button", { type: "button", text: "Undo", title: "Take back the last appended word" }, row);
  return { field, undo };
}

/** @param {HTMLElement} stage @param {number} longest @param {() => void} append */
function elements(stage, longest, append) {
  const own = ownText(stage, longest),
    { canvas, add } = drawing(stage);
  const queryHandle = html("div", { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query" }, stage);
  return { ...own, canvas, ...tokenParts(add), queryHandle, nextWord: nextWordParts(stage, add, append) };
}

/** Append next words to the text, and take them back. @param {Figure} figure */
function writer(figure) {
  const { data, change } = figure;
  const /** @type {{ before: Setting, after: string }[]} */ past = []; // the settings before and the texts after each word
  const canUndo = (/** @type {Figure["now"]} */ { setting }) => past.at(-1)?.after === setting.text;
  return {
    canUndo,
    append() {
      const { setting, words, lengths, query, next, isNow } = figure.now;
      if (!isNow || !hasRoom(data, figure.now)) return;
      const { text } = setting,
        after = textAsFarAs(text, words, query, lengths) + next.word;
      past.push({ before: { text, query: setting.query }, after });
      change({ text: after, query: data.shown - 1 });
    },
    undo: () => canUndo(figure.now) && change(past.pop()?.before ?? {}),
  };
}

/**
 * Let the reader select a word: temporarily by pointing, permanently by a click or the arrow keys.
 * @param {Figure} figure
 * @param {Parts} parts
 * @param {() => Place[]} places
 */
function bindPointer(figure, { queryHandle }, places) {
  const { stage, data, change, answer } = figure;
  const wordAt = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const { left, top } = stage.getBoundingClientRect();
    return tokenAt(places(), clientX - left, clientY - top);
  };
  const isOnButton = (/** @type {PointerEvent} */ { target }) => !!(/** @type {Element} */ (target).closest("button"));
  const namely = (/** @type {number} */ token) => (token === figure.now.words.length - 1 ? data.shown - 1 : token);
  const point = (/** @type {PointerEvent} */ event) => {
    if (event.pointerType !== "mouse" || event.buttons || !places().length) return;
    const isOnWord = event.type !== "pointerleave" && !isOnButton(event);
    const pointed = isOnWord ? wordAt(event) : undefined;
    if (pointed !== figure.now.answers.pointed) answer({ pointed });
  };
  stage.addEventListener("pointermove", point);
  stage.addEventListener("pointerleave", point);
  figure.drag(stage, (event) => {
    if (!places().length || isOnButton(event)) return undefined;
    focus(queryHandle);
    answer({ pointed: undefined });
    return (event) => change({ query: namely(wordAt(event)) });
  });
  arrowKeys(queryHandle, (right, up) => {
    answer({ pointed: undefined });
    change({ query: namely(stepFrom(places(), figure.now.query, right, up)) });
  });
}

/**
 * @typedef {import("../parts/tokens.js").Place} Place
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {{ word: string, probability: number }} Next
 * @typedef {{ text?: string, words: string[], rows: number[][], next: Next[], lengths?: number[], dropped?: number
 *   }} Reading
 * @typedef {{ text: string, query: number }} Setting
 * @typedef {import("../contract/figure.js").Constants & { first: Reading, longest_text: number, shown: number,
 *   place: object }} Given
 * @typedef {ReturnType<typeof prepare>} Data
 * @typedef {{ read?: Reading & { text: string }, pointed?: number, problem?: string }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** Ask the model in a worker to read texts; it is loaded by the first text, or by `open`. @param {Figure} figure */
function createReader(figure) {
  const { data, answer } = figure;
  let isComing = false,
    /** @type {ReturnType<typeof createQueue> | undefined} */ reader,
    /** @type {string | undefined} */ asked; // the text that the reader is asked for

  const fail = () => answer({ problem: "The model could not be loaded." });
  async function open() {
    if (isComing) return;
    isComing = true;
    try {
      const files = ["model_lazy", "worker_lazy"].map((part) => loadLazy(figure.model, part));
      const [stored, code] = await Promise.all(files);
      if (figure.signal.aborted) return;
      reader = createQueue(code, { listen: (read) => answer({ read }), fail });
      asked = figure.setting().text;
      reader.ask({ ...data.place, stored, text: asked });
    } catch {
      fail();
    }
  }

  /** Ask the model to read a text, unless it has been asked already. @param {string} text */
  function ask(text) {
    if (!reader) return void open();
    if (asked !== text) reader.ask({ text });
    asked = text;
  }

  figure.signal.addEventListener("abort", () => reader?.end());
  return { open, ask };
}

/** @param {Figure} figure */
function view(figure) {
  const { data, stage, change } = figure;
  const { append, undo, canUndo } = writer(figure);
  const parts = elements(stage, data.longest_text, append),
    measure = measureIn(stage);
  const laid = memo((/** @type {string[]} */ words, /** @type {number} */ width) =>
    wrapped(words, measure, { x: 0, y: TOP, width }),
  );
  let /** @type {Place[]} */ places = [];
  const { open, ask } = createReader(figure);
  parts.field.addEventListener("focus", open);
  parts.nextWord.button.addEventListener("pointerenter", open);
  parts.undo.addEventListener("click", undo);
  parts.field.addEventListener("input", () => {
    const text = wellFormed(parts.field.value);
    change({ text: text || data.defaultText, query: data.shown - 1 });
  });
  bindPointer(figure, parts, () => places);

  /** @type {Draw} */
  return function draw(now, { width }) {
    const { setting, words, query, row, isNow, answers } = now;
    if (!isNow) ask(setting.text);
    figure.setPending(!isNow && !answers.problem);
    const typed = setting.text === data.defaultText ? "" : setting.text;
    if (wellFormed(parts.field.value) !== typed) {
      parts.field.value = typed;
      parts.field.scrollLeft = parts.field.scrollWidth; // to the appended word
    }
    parts.undo.disabled = !canUndo(now);
    const { places: found, bottom } = laid(words, width);
    places = found;
    resize(parts.canvas, width, bottomWithNext(places, bottom, width));
    drawTokens(parts, places, { tokens: words, query, row, unseen: (j) => j > query });
    drawNextWord(parts.nextWord, places, now, { width, hasRoom: hasRoom(data, now) });
    parts.queryHandle.hidden = !words.length;
    if (!words.length) return;
    lay(parts.queryHandle, { ...places[query], height: CHIP });
    describe(
      parts.queryHandle,
      query,
      [0, words.length - 1],
      `${quoted(words[query])}, token ${query} of ${words.length}`,
    );
  };
}

export default defineFigure("one-head", {
  hint: "Point at a word; click the dashed one. Keyboard: Tab, arrow keys, Enter.",
  data: prepare,
  settings: ({ longest_text }) => ({ text: textSetting(/** @type {any} */ (longest_text)) }),
  answers: () => ({
    read: undefined, // the latest text that the model has read
    pointed: undefined, // the word under the mouse
    problem: "",
  }),
  compute,
  state,
  sentence,
  view,
});
