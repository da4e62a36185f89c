import { defineFigure, memo } from "../contract/figure.js";
import { textSetting, wellFormed } from "../contract/settings.js";
import { decodeBytes } from "../methods/base64.js";
import { arrowKeys, focus } from "../parts/drag.js";
import { clamp } from "../parts/numbers.js";
import { measureIn, stepFrom, tokenAt } from "../parts/tokens.js";
import { showTooltip } from "../parts/tooltip.js";
import { loadLazy, onNearViewport } from "../parts/workers.js";
import { createOpener, createQuestions, createTools, createWriter, createWriting } from "./controls.js";
import {
  arrange,
  drawMap,
  drawNext,
  drawWords,
  elements,
  headAt,
  layButtons,
  layHandles,
  markOfHead,
  partAt,
  placeOf,
} from "./drawing.js";
import { createModel } from "./model.js";
import { headInWords, keyInWords, sentence } from "./text.js";
import { state, viewOf } from "./view.js";

// The published model's figure. Until the reader opens the model it shows a stored example. The model runs in a worker
// (worker.js). file.js downloads and stores its file; view.js computes the numbers, drawing.js draws, text.js writes the
// sentence, and controls.js creates the controls.

/** @param {Data} data @param {Setting} setting @param {Answers} answers */
const compute = (data, setting, answers) => ({ view: viewOf(data, setting, answers) });

/** The setting of the text. A text that is too long for a link is left out of the URL. */
function ownText({ longest_link: longest, defaults }) {
  const text = textSetting(longest);
  return { ...text, write: (stored) => text.write(stored.length <= longest ? stored : defaults.text) };
}

/** Positions of tokens, `3.7` in the URL. */
const positions = (shown) => ({
  write: (hidden) => hidden.join("."),
  read(text) {
    const all = text.split(".").map(Number);
    return all.every((each) => Number.isInteger(each) && each >= 0 && each < shown) ? all : undefined;
  },
});

/** Let the pointer and the arrow keys select the query and the head, and mask words. @param {Figure} figure */
function bindGestures(figure, parts, { places, key, lookAt, toggle }) {
  const { data, stage, change } = figure,
    view = () => figure.now.view;
  let pressed; // the word to mask on pointerup, since a touch may start to scroll
  const namely = (token) => (token === view().words.length - 1 ? data.shown - 1 : token);

  function grab(event) {
    const [x0, y0] = placeOf(stage, event),
      where = partAt(places(), x0, y0);
    if (!where || event.target.closest(".tools, .next-buttons")) return undefined;
    pressed = where === "words" && event.shiftKey ? tokenAt(places().lines.places, x0, y0) : undefined;
    if (pressed !== undefined) return () => {};
    focus(where === "words" ? parts.queryHandle : parts.headHandle);
    return (e) => {
      const [x, y] = placeOf(stage, e);
      if (where === "heads") change(headAt(places(), x, y));
      else if (view().words.length) change({ query: namely(tokenAt(places().lines.places, x, y)) });
    };
  }

  figure.drag(stage, grab, () => pressed !== undefined && toggle(pressed));
  const step = (token, right, up) => stepFrom(places().lines.places, token, right, up);
  arrowKeys(parts.queryHandle, (right, up) => {
    if (view().words.length) change({ query: namely(step(view().query, right, up)) });
  });
  arrowKeys(parts.keyHandle, (right, up) => view().words.length && lookAt(step(key(view()), right, up)));
  parts.keyHandle.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle(key(view()));
  });
  arrowKeys(parts.headHandle, (right, up) => {
    const { block, head, shape } = view();
    change({ block: clamp(block + right, 0, shape[0] - 1), head: clamp(head - up, 0, shape[1] - 1) });
  });
}

/** @param {Figure} figure */
function bindTooltip(figure, parts, { places, key }) {
  const view = () => figure.now.view;
  const overWord = (j) => {
    const { x, y, width } = places().lines.places[j];
    return { x: x + width / 2, y, text: keyInWords(view(), j) };
  };
  const overHead = ({ block, head }) => ({
    ...markOfHead(places(), block, head),
    text: headInWords(figure.data, view(), block, head),
  });
  showTooltip(figure, {
    find(x, y) {
      const where = partAt(places(), x, y);
      if (where === "words") return overWord(tokenAt(places().lines.places, x, y));
      return where === "heads" ? overHead(headAt(places(), x, y)) : undefined;
    },
    focused: (element) => (view().words.length && element === parts.keyHandle ? overWord(key(view())) : undefined),
  });
}

/**
 * @typedef {{ text: string, query: number, block: number, head: number, kernel: string, scope: string, hidden: number[] }} Setting
 * @typedef {import("../contract/figure.js").Constants & { example: object, questions: Record<string, object>, kernel_names: Record<string, string>, memory: [number, number], size: number, worker_code: string, shown: number, n_next: number, longest_text: number, longest_link: number, defaults: { text: string } }} Data
 * @typedef {{ stored: Uint8Array | undefined, result: any }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
function view(figure) {
  const { data, root, stage, change } = figure,
    last = data.shown - 1; // the last token of any text
  const { field, write } = createWriting(stage, data);
  const model = createModel(figure, () => showStatus(model.status));
  const showStatus = createOpener(stage, data, model);
  createQuestions(stage, data, change);
  const parts = elements(stage),
    measure = measureIn(stage);
  const shown = () => figure.now.view;
  const tools = createTools(stage, data, change, () => [shown().mostAttended]);
  const arranged = memo((words, shape, width) =>
    arrange(parts, tools.element, data.n_next, measure, words, shape, width),
  );
  let at, looked;

  const key = ({ words, mostAttended }) => (looked < words.length ? looked : Math.max(mostAttended, 0));

  function append(word) {
    const text = figure.setting().text + word,
      hasSpace = text.length <= data.longest_text;
    if (hasSpace) change({ text, query: last });
    return hasSpace;
  }
  const writer = createWriter(write, append);

  function toggle(token) {
    const { kernel, hidden } = figure.setting(),
      now = kernel === "mask" ? hidden : [];
    const others = now.filter((each) => each !== token);
    change({ kernel: "mask", hidden: now.includes(token) ? others : [...others, token].sort((a, b) => a - b) });
  }

  async function loadExample() {
    try {
      const { weights } = await loadLazy(figure.model, "example_lazy");
      if (!figure.signal.aborted) figure.answer({ stored: decodeBytes(weights) });
    } catch {
      // The weights of the first head, and the names of all, are part of the page.
    }
  }

  /** @type {Draw} */
  function draw(now, { width }) {
    const { view: drawn, setting } = now;
    model.askFor({ ...setting, block: drawn.block, head: drawn.head }, drawn.isNow);
    if (wellFormed(field.value) !== setting.text) field.value = setting.text;
    write.disabled = model.status.phase !== "open";
    tools.show(setting);
    at = arranged(drawn.words, drawn.shape, width);
    drawWords(parts, at, drawn, drawn.ran?.kernel === "mask" ? drawn.ran.hidden : []);
    drawMap(parts, at, drawn);
    drawNext(parts, at, drawn);
    layButtons(parts, at, drawn, (i) => append(shown().next[i].word));
    layHandles(parts, at, data, drawn, key(drawn));
    if (drawn.isNow) writer.goOn(drawn);
  }

  write.addEventListener("click", () => {
    writer.start();
    change({ query: last });
    figure.redraw();
  });
  const touched = (event) => event.target !== write && writer.stop();
  root.addEventListener("pointerdown", touched, { capture: true });
  root.addEventListener("keydown", touched, { capture: true });
  field.addEventListener("input", () => {
    const text = wellFormed(field.value),
      isLonger = text.startsWith(figure.setting().text);
    change({ text, query: last, ...(!isLonger && { hidden: [] }) }); // positions do not apply to a new text
  });
  const lookAt = (token) => {
    looked = token;
    figure.redraw();
  };
  bindGestures(figure, parts, { places: () => at, key, lookAt, toggle });
  bindTooltip(figure, parts, { places: () => at, key });
  const stopWaiting = onNearViewport(root, loadExample);
  figure.signal.addEventListener("abort", () => {
    stopWaiting();
    writer.stop();
  });
  showStatus(model.status);
  return draw;
}

const hasKeys = () => !matchMedia("(hover: none)").matches;

export default defineFigure("published-model", {
  hint: () => `Click a word or a head. ${hasKeys() ? "Shift-click masks a word. Keyboard: Tab, arrows, Enter." : ""}`,
  settings: (data) => ({ text: ownText(data), hidden: positions(data.shown) }),
  compute,
  state,
  sentence,
  answers: () => ({
    stored: undefined, // the weights of all heads in the stored example
    result: undefined, // the latest run of the model
  }),
  view,
});
