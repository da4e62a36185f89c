import { defineFigure, memo } from "../contract/figure.js";
import { scores as scoresOf, softmax } from "../methods/weights.js";
import { arrowKeys, focus } from "../parts/drag.js";
import { clamp, format, indexOfLargest, percent, role } from "../parts/numbers.js";
import { escaped, html, set, setText } from "../parts/plot.js";
import { measureIn } from "../parts/tokens.js";
import { arrange, drawBars, drawSentence, elements, partsOf, tokenNear } from "./drawing.js";

// A sentence. The selected word, or the one under the mouse, is the query; the other words are shaded by its attention
// weights. Below it, the scores before and the weights after the softmax.

/** Add the scores of all queries and keys, for an axis that does not change. @param {Given} constants */
function prepare(constants) {
  const { query_vectors: queries, key_vectors: keys, temperature } = constants;
  const allKeys = Object.values(keys);
  return {
    ...constants,
    allScores: Object.values(queries).flatMap((query) => scoresOf(query, allKeys, temperature)),
  };
}

/** @param {Data} data @param {Setting} setting @param {Answers} answers */
function compute({ query_vectors, key_vectors, temperature }, { query: selected, words }, { pointed }) {
  const query = pointed ?? selected;
  const scores = scoresOf(
    query_vectors[words[query]],
    words.map((word) => key_vectors[word]),
    temperature,
  );
  const /** @type {number[]} */ weights = softmax(scores);
  return { query, words, scores, weights };
}

/** @type {(data: Data, now: Figure["now"]) => object} */
const state = (_, { query, words, scores, weights }) => ({ query, words, scores, weights });

/** @param {unknown} _ @param {Figure["now"]} now */
function sentence(_, { query, words, scores, weights }) {
  const quoted = (/** @type {number} */ i) => `“${escaped(words[i])}”`;
  const asking = role("query", quoted(query));
  const [first, second] = [...scores].sort((a, b) => b - a);
  if (first - Math.min(...scores) < 1e-9)
    return `${asking} attends to all words equally: every score is ${format(first, 1)}, and every weight ${role("weight", percent(weights[0]))}.`;
  const key = indexOfLargest(scores);
  return (
    `${asking} attends most to ${role("key", quoted(key))}. The score ${format(first, 1)}, against ${format(second, 1)} ` +
    `for the next word, gives a weight of ${role("weight", percent(weights[key]))}.`
  );
}

/**
 * Words that differ from the initial ones, such as `bus.wide`; a word belongs to the token that has it as an option.
 * @param {{ options: string[][] }} data
 */
const wordSetting = ({ options }) => {
  const first = options.map(([word]) => word);
  return {
    write: (/** @type {string[]} */ words) => words.filter((word, i) => word !== first[i]).join("."),
    read(/** @type {string} */ text) {
      const chosen = text.split(".");
      return options.map((words) => words.find((word) => chosen.includes(word)) ?? words[0]);
    },
  };
};

/** One button per token with other words, which replaces it by the next one. @param {Figure} figure */
function swapButtons({ data: { options }, actions, begin, change, setting }) {
  const after = (/** @type {number} */ i) => {
    const words = options[i];
    return words[(words.indexOf(setting().words[i]) + 1) % words.length];
  };
  const swappable = [...options.keys()].filter((i) => options[i].length > 1);
  const buttons = swappable.map((i) => {
    const button = html("button", { type: "button", class: "swap" }, actions);
    button.addEventListener("click", () => {
      begin();
      change({ words: setting().words.with(i, after(i)) });
    });
    return button;
  });
  return (/** @type {Figure["now"]} */ { words }) =>
    buttons.forEach((button, k) => {
      const text = `${words[swappable[k]]} → ${after(swappable[k])}`;
      setText(button, text);
    });
}

/**
 * Let the reader select a word: temporarily by pointing, permanently by a click, a tap, a drag or the arrow keys.
 * @param {Figure} figure
 * @param {Drawn} drawn
 * @param {() => Layout} layout
 */
function bindInput(figure, { handles }, layout) {
  const { change, answer } = figure;
  const tokenAt = (/** @type {PointerEvent} */ { clientX, clientY }) => {
    const { left, top } = handles.getBoundingClientRect();
    return tokenNear(layout(), clientX - left, clientY - top);
  };
  const point = (/** @type {PointerEvent} */ event) => {
    if (event.pointerType !== "mouse" || event.buttons) return;
    const isOnToken = /** @type {Element} */ (event.target).closest(".token-handle");
    const pointed = event.type === "pointerleave" || !isOnToken ? undefined : tokenAt(event);
    if (pointed !== figure.now.answers.pointed) answer({ pointed });
  };
  handles.addEventListener("pointermove", point);
  handles.addEventListener("pointerleave", point);
  const select = (/** @type {number} */ query) => {
    if (figure.now.answers.pointed !== undefined) answer({ pointed: undefined });
    change({ query });
    focus(/** @type {HTMLElement} */ (handles.children[query]));
  };
  figure.drag(handles, () => (event) => select(tokenAt(event)));
  arrowKeys(handles, (right, up) => {
    const { query, words } = figure.setting();
    select(clamp(query + right - up, 0, words.length - 1));
  });
}

/**
 * @typedef {import("./drawing.js").Drawn} Drawn
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {{ query: number, words: string[] }} Setting
 * @typedef {import("../contract/figure.js").Constants & { pieces: string[], options: string[][], query_vectors:
 *   Record<string, number[]>, key_vectors: Record<string, number[]>, temperature: number }} Given
 * @typedef {ReturnType<typeof prepare>} Data
 * @typedef {{ pointed: number | undefined }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
function view(figure) {
  const { data, stage } = figure;
  const drawn = elements(stage),
    drawButtons = swapButtons(figure);
  const measureAt = memo((/** @type {number} */ size) => measureIn(stage, size));
  const arranged = memo((/** @type {string[]} */ words, /** @type {number} */ width) =>
    arrange(data, partsOf(data.pieces, words), measureAt, width),
  );
  const scoreName = `score q·k/√${format(data.temperature ** 2, 0)}`;
  /** @type {Layout} */
  let at;
  bindInput(figure, drawn, () => at);
  /** @type {Draw} */
  return function draw(now, { width, ghost }) {
    at = arranged(now.words, width);
    drawSentence(drawn, at, now);
    drawBars(drawn, at, now, ghost, scoreName);
    drawButtons(now);
    [...drawn.handles.children].forEach((handle, i) => {
      const isSelected = i === now.setting.query;
      set(handle, { "aria-checked": isSelected, tabindex: isSelected ? 0 : -1 });
    });
  };
}

export default defineFigure("sentence", {
  hint: "Tap a word, or swap one. Keyboard: Tab, arrow keys.",
  data: prepare,
  settings: (data) => ({ words: wordSetting(/** @type {any} */ (data)) }),
  answers: () => ({ pointed: undefined }), // the word under the mouse
  compute,
  state,
  sentence,
  compares: (now, before) => now.query === before.query,
  view,
});
