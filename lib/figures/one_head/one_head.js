import { defineFigure, memo } from "../contract/figure.js";
import { textSetting, wellFormed } from "../contract/settings.js";
import { oneHead } from "../methods/language_model.js";
import { arrowKeys, focus } from "../parts/drag.js";
import { percent, role } from "../parts/numbers.js";
import { describe, drawing, html, lay, resize } from "../parts/plot.js";
import {
  CHIP,
  drawTokens,
  escaped,
  isPartOfCharacter,
  measureIn,
  quoted,
  stepFrom,
  tokenAt,
  tokenParts,
  wrapped,
} from "../parts/tokens.js";
import { loadLazy } from "../parts/workers.js";

// A text. The word under the pointer is the query, and the words before it are shaded by its attention weights in one head.

const TOP = 18, // room for arcs above the first line
  NOTABLE = 0.1; // smallest weight that the sentence names

const prepare = (constants) => ({ ...constants, defaultText: constants.defaults.text });

/** The words of a text and their weights. Until the head is loaded, those of the initial text. */
function reading({ first, defaultText }, text, weightsOf) {
  if (text === defaultText) return { isNow: true, dropped: 0, ...first };
  return weightsOf ? { isNow: true, ...weightsOf(text) } : { isNow: false, dropped: 0, ...first };
}

function compute(data, { text, query }, { weightsOf, pointed }) {
  const read = reading(data, text, weightsOf),
    last = read.words.length - 1;
  const at = Math.min(pointed ?? query, last);
  return { ...read, query: at, row: read.rows[at] ?? [] };
}

const state = (_, { setting, words, query, row }) => ({ text: setting.text, words, query, weights: row });

function sentence({ shown }, { answers, words, query, row, dropped, isNow }) {
  if (answers.problem) return answers.problem;
  if (!isNow) return "The head is loading …";
  if (!words.length) return "There is no word yet. Type a sentence.";
  const largest = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, 2);
  const named = largest.filter((j, k) => k === 0 || row[j] >= NOTABLE);
  const key = (j) =>
    `${role("key", j === query ? "itself" : escaped(quoted(words[j])))} (${role("weight", percent(row[j]))})`;
  const cut = dropped ? `These are the first ${shown} tokens of the text. ` : "";
  const foreign = words.some(isPartOfCharacter) ? "Characters outside the vocabulary appear as bytes. " : "";
  return `${cut}${foreign}${role("query", escaped(quoted(words[query])))} attends most to ${named.map(key).join(" and ")}.`;
}

function elements(stage, longest) {
  const field = html("input", {
    ...{ type: "text", class: "own-text", "aria-label": "Your own sentence", placeholder: "Type your own sentence" },
    ...{ maxlength: longest, spellcheck: "false", autocomplete: "off", "data-lm-suppress-shortcuts": "true" },
  });
  stage.after(field);
  const { canvas, add } = drawing(stage);
  const queryHandle = html("div", { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query" }, stage);
  return { field, canvas, ...tokenParts(add), queryHandle };
}

/** Let the pointer select a word, for as long as it is there or with a click, and the arrow keys. */
function bindPointer(figure, { queryHandle }, places) {
  const { stage, data, change, answer } = figure;
  const wordAt = ({ clientX, clientY }) => {
    const { left, top } = stage.getBoundingClientRect();
    return tokenAt(places(), clientX - left, clientY - top);
  };
  const namely = (token) => (token === figure.now.words.length - 1 ? data.shown - 1 : token);
  const point = (/** @type {PointerEvent} */ event) => {
    if (event.pointerType !== "mouse" || event.buttons || !places().length) return;
    const pointed = event.type === "pointerleave" ? undefined : wordAt(event);
    if (pointed !== figure.now.answers.pointed) answer({ pointed });
  };
  stage.addEventListener("pointermove", point);
  stage.addEventListener("pointerleave", point);
  figure.drag(stage, () => {
    if (!places().length) return undefined;
    focus(queryHandle);
    answer({ pointed: undefined });
    return (event) => change({ query: namely(wordAt(event)) });
  });
  arrowKeys(queryHandle, (right, up) => {
    answer({ pointed: undefined });
    change({ query: namely(stepFrom(places(), figure.now.query, right, up)) });
  });
}

/** @param {import("../contract/figure.js").Figure<any, any, any, any>} figure */
function view(figure) {
  const { data, stage, change, answer } = figure;
  const parts = elements(stage, data.longest_text),
    measure = measureIn(stage);
  const laid = memo((words, width) => wrapped(words, measure, { x: 0, y: TOP, width }));
  let places = [],
    isComing = false;

  async function open() {
    if (isComing) return;
    isComing = true;
    try {
      const weightsOf = memo(oneHead(await loadLazy(figure.model, "head_lazy"), data.shown));
      if (!figure.signal.aborted) answer({ weightsOf });
    } catch {
      answer({ problem: "The head could not be loaded." });
    }
  }

  parts.field.addEventListener("focus", open);
  parts.field.addEventListener("input", () => {
    const text = wellFormed(parts.field.value);
    change({ text: text || data.defaultText, query: data.shown - 1 });
  });
  bindPointer(figure, parts, () => places);

  return function draw({ setting, words, query, row, isNow, answers }, { width }) {
    if (!isNow) open();
    figure.setPending(!isNow && !answers.problem);
    const typed = setting.text === data.defaultText ? "" : setting.text;
    if (wellFormed(parts.field.value) !== typed) parts.field.value = typed;
    const { places: now, bottom } = laid(words, width);
    places = now;
    resize(parts.canvas, width, bottom);
    drawTokens(parts, places, { tokens: words, query, row, unseen: (j) => j > query });
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
  hint: "Point at a word. Keyboard: Tab, arrow keys.",
  data: prepare,
  settings: ({ longest_text }) => ({ text: textSetting(/** @type {any} */ (longest_text)) }),
  answers: () => ({
    weightsOf: undefined, // the words and weights of a text, once the head is loaded
    pointed: undefined, // the word under the mouse
    problem: "",
  }),
  compute,
  state,
  sentence,
  view,
});
