import { defineFigure, memo } from "../contract/figure.js";
import { textSetting, wellFormed } from "../contract/settings.js";
import { arrowKeys, focus, hasKeys, prefersReducedMotion } from "../parts/drag.js";
import { animate, eased } from "../parts/motion.js";
import { clamp } from "../parts/numbers.js";
import { measureIn, stepFrom, toggled, tokenAt } from "../parts/tokens.js";
import { showTooltip } from "../parts/tooltip.js";
import { loadLazy, onNearViewport } from "../parts/workers.js";
import { createNotice, createOpener, createQuestions, createTools, createWriter, createWriting } from "./controls.js";
import {
  arrange,
  drawMap,
  drawNext,
  drawWords,
  elements,
  headAt,
  layButtons,
  layHandles,
  layNotice,
  markOfHead,
  partAt,
  placeOf,
} from "./drawing.js";
import { createModel } from "./model.js";
import { decodeStored } from "./stored.js";
import { headInWords, keyInWords, NEEDS, sentence } from "./text.js";
import { state, viewOf } from "./view.js";

// The published model's figure. Until the reader opens the model it shows stored answers (stored.js). The model
// runs in a worker (worker.js). file.js downloads and stores its file; view.js computes the numbers, drawing.js
// draws, text.js writes the sentence, and controls.js creates the controls.

/** @param {Data} data @param {Setting} setting @param {Answers} answers */
const compute = (data, setting, answers) => ({ view: viewOf(data, setting, answers) });

/** The setting of the text. A text that is too long for a link is left out of the URL. @param {Data} data */
function ownText({ longest_link: longest, defaults }) {
  const text = textSetting(longest);
  return {
    ...text,
    write: (/** @type {string} */ stored) => text.write(stored.length <= longest ? stored : defaults.text),
  };
}

/** Positions of tokens, `3.7` in the URL. @param {number} shown */
const positions = (shown) => ({
  write: (/** @type {number[]} */ hidden) => hidden.join("."),
  read(/** @type {string} */ text) {
    const all = text.split(".").map(Number);
    return all.every((each) => Number.isInteger(each) && each >= 0 && each < shown) ? all : undefined;
  },
});

/**
 * Let the pointer and the arrow keys select the query and the head, and mask words.
 * @param {Figure} figure
 * @param {Parts} parts
 * @param {{ places: () => Layout, key: (view: View) => number, lookAt: (token: number) => void, toggle: (token:
 *   number) => void }} where
 */
function bindGestures(figure, parts, { places, key, lookAt, toggle }) {
  const { data, stage, change } = figure,
    view = () => figure.now.view;
  /** @type {number | undefined} */
  let pressed; // the word to mask on pointerup, since a touch may start to scroll
  const namely = (/** @type {number} */ token) => (token === view().words.length - 1 ? data.shown - 1 : token);

  /** @type {import("../parts/drag.js").Grab} */
  function grab(event) {
    const [x0, y0] = placeOf(stage, event),
      where = partAt(places(), x0, y0);
    if (!where || event.target.closest(".tools, .next-buttons, .notice")) return undefined;
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
  /** @type {(token: number, right: number, up: number) => number} */
  const step = (token, right, up) => stepFrom(places().lines.places, token, right, up);
  arrowKeys(parts.queryHandle, (right, up) => {
    if (view().words.length) change({ query: namely(step(view().query, right, up)) });
  });
  arrowKeys(parts.keyHandle, (right, up) => view().words.length && lookAt(step(key(view()), right, up)));
  parts.keyHandle.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle(key(view()));
  });
  arrowKeys(parts.headHandle, (right, up) => {
    const { block, head, shape } = view();
    change({ block: clamp(block + right, 0, shape[0] - 1), head: clamp(head - up, 0, shape[1] - 1) });
  });
}

/** @param {Figure} figure @param {Parts} parts @param {{ places: () => Layout, key: (view: View) => number }} where */
function bindTooltip(figure, parts, { places, key }) {
  const view = () => figure.now.view;
  const overWord = (/** @type {number} */ j) => {
    const { x, y, width } = places().lines.places[j];
    return { x: x + width / 2, y, text: keyInWords(view(), j) };
  };
  const overHead = (/** @type {ReturnType<typeof headAt>} */ { block, head }) => ({
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
 * @typedef {import("./drawing.js").Parts} Parts
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./stored.js").Stored} Stored
 * @typedef {import("./view.js").View} View
 * @typedef {{ text: string, query: number, block: number, head: number, kernel: string, scope: string, hidden:
 *   number[] }} Setting
 * @typedef {import("../contract/figure.js").Constants & { example: import("./stored.js").Example, questions:
 *   [string, Partial<Setting>][], kernel_names: Record<string, string>, patterns: Record<string, string>, memory:
 *   [number, number], size: number, worker_code: string, shown: number, n_next: number, longest_text: number,
 *   longest_link: number, copying: [number, number][], dimension: number, position_bandwidth: number, ranges: {
 *   scope: string[] }, defaults: { text: string } }} Data
 * @typedef {{ stored: Stored | null | undefined, result: import("./worker.js").Result | undefined, isOpen: boolean
 *   }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** Load the stored answers when the figure is near the viewport. @param {Figure} figure */
function followStored({ model, root, signal, answer }) {
  async function load() {
    try {
      const lazy = await loadLazy(model, "example_lazy");
      if (!signal.aborted) answer({ stored: decodeStored(lazy) });
    } catch {
      answer({ stored: null }); // the answer to the first head on the sentence is part of the page
    }
  }
  signal.addEventListener("abort", onNearViewport(root, load));
}

const MOVING = 900; // milliseconds in which the bars move

/**
 * After `press()`, of a button, let the bars move from the probabilities as trained to those with the swapped
 * kernel, as soon as these are drawn. `show(view, passed)` draws the bars, and `shown()` is the drawn view.
 * @param {(view: View, passed: number) => void} show @param {() => View} shown
 */
function createBars(show, shown) {
  let mayMove = false,
    stop = () => {};
  return {
    press: () => (mayMove = true),
    drawn(/** @type {View} */ view) {
      if (!mayMove || !view.isCurrent) return;
      mayMove = false;
      stop();
      if (!view.isSwapped || prefersReducedMotion()) return;
      show(view, 0);
      stop = animate(MOVING, (passed) => show(shown(), eased(passed)));
    },
    end: () => stop(),
  };
}

/**
 * Follow what the reader asks for, and show a notice if it needs the model.
 * @param {Figure} figure
 * @param {Model} model
 */
function createNeeds(figure, model) {
  const notice = createNotice(figure.stage, figure.data, model, dismiss);
  /** @type {Setting | undefined} */
  let answered; // the latest setting with a stored answer
  /** @type {Setting | undefined} */
  let latest; // the latest setting
  let isAtHeads = false, // whether the reader has just selected a different head
    wantsMore = false; // to continue the text

  /** @param {Figure["now"]} now */
  function show({ view, answers }) {
    const needs = view.needs ?? (wantsMore && view.isExample ? "continue" : undefined);
    notice.show(needs && answers.stored !== undefined ? NEEDS[needs] : undefined, model.status);
  }

  /** Return to what is stored. */
  function dismiss() {
    const { needs } = figure.now.view;
    wantsMore = false;
    if (needs && answered) figure.change(answered);
    else if (needs) figure.reset();
    else show(figure.now);
  }

  return {
    show,
    lay: (/** @type {Layout} */ at, /** @type {View} */ drawn) => layNotice(notice.element, at, drawn, isAtHeads),
    /** Whether to continue the text needs the model; the notice says so. */
    toContinue() {
      wantsMore = model.status.phase !== "open";
      if (wantsMore) show(figure.now);
      return wantsMore;
    },
    /** Remember what the reader has changed, and whether there is a stored answer.
     * @param {Setting} setting @param {View} drawn */
    follow(setting, drawn) {
      if (latest && JSON.stringify(latest) !== JSON.stringify(setting)) {
        isAtHeads = latest.block !== setting.block || latest.head !== setting.head;
        wantsMore = false;
      }
      latest = setting;
      if (drawn.isExample && !drawn.needs) answered = setting;
    },
  };
}

/**
 * Let the reader write, and the model continue the text. `append(word)` returns whether there was space.
 * @param {Figure} figure
 * @param {ReturnType<typeof createWriting>} controls
 * @param {ReturnType<typeof createNeeds>} needs
 * @param {(word: string) => boolean} append
 */
function bindWriting(figure, { field, write }, needs, append) {
  const { root, change, data } = figure,
    query = data.shown - 1; // the last token of any text
  const writer = createWriter(write, append);
  write.addEventListener("click", () => {
    if (needs.toContinue()) return;
    writer.start();
    change({ query });
    figure.redraw();
  });
  const touched = (/** @type {Event} */ event) => event.target !== write && writer.stop();
  root.addEventListener("pointerdown", touched, { capture: true });
  root.addEventListener("keydown", touched, { capture: true });
  field.addEventListener("input", () => {
    const text = wellFormed(field.value),
      isLonger = text.startsWith(figure.setting().text);
    change({ text, query, ...(!isLonger && { hidden: [] }) }); // positions do not apply to a new text
  });
  figure.signal.addEventListener("abort", writer.stop);
  return writer;
}

/**
 * Append a word to the text if there is room, and return whether there is.
 * @param {Figure} figure
 * @param {string} word
 */
function appended({ data, change, setting }, word) {
  const text = setting().text + word,
    hasSpace = text.length <= data.longest_text;
  if (hasSpace) change({ text, query: data.shown - 1 });
  return hasSpace;
}

/** @param {Figure} figure */
function view(figure) {
  const { data, stage, change } = figure,
    shown = () => figure.now.view;
  const bars = createBars((drawn, passed) => drawNext(parts, at, drawn, passed), shown);
  const showQuestion = createQuestions(stage, data, change, bars.press);
  const writing = createWriting(stage, data),
    { field } = writing;
  const model = createModel(figure, () => {
    showStatus(model.status);
    if (figure.now) needs.show(figure.now);
  });
  const showStatus = createOpener(stage, data, model);
  const parts = elements(stage),
    measure = measureIn(stage);
  const tools = createTools(stage, data, change, () => [Math.max(shown().mostAttended, 0)]);
  const needs = createNeeds(figure, model);
  const arranged = memo(
    (/** @type {string[]} */ words, /** @type {[number, number]} */ shape, /** @type {number} */ width) =>
      arrange(parts, tools.element, data.n_next, measure, words, shape, width),
  );
  /** @type {Layout} */
  let at;
  let tooltipToken = Infinity; // index of the token that the tooltip describes; Infinity until one is pointed at

  const key = (/** @type {View} */ { words, mostAttended }) =>
    tooltipToken < words.length ? tooltipToken : Math.max(mostAttended, 0);

  const append = (/** @type {string} */ word) => appended(figure, word);
  const writer = bindWriting(figure, writing, needs, append);

  /** @type {Draw} */
  function draw(now, { width }) {
    const { view: drawn, setting } = now;
    needs.follow(setting, drawn);
    model.askFor({ ...setting, block: drawn.block, head: drawn.head }, drawn.isNow);
    if (wellFormed(field.value) !== setting.text) field.value = setting.text;
    tools.show(setting);
    showQuestion(setting);
    at = arranged(drawn.words, drawn.shape, width);
    drawWords(parts, at, drawn, drawn.ran.kernel === "mask" ? drawn.ran.hidden : []);
    drawMap(parts, at, drawn);
    drawNext(parts, at, drawn);
    layButtons(parts, at, drawn, (i) => append(shown().next[i].word));
    layHandles(parts, at, data, drawn, key(drawn));
    needs.lay(at, drawn);
    needs.show(now);
    bars.drawn(drawn);
    if (drawn.isNow) writer.goOn(drawn);
  }

  const lookAt = (/** @type {number} */ token) => {
    tooltipToken = token;
    figure.redraw();
  };
  const toggle = (/** @type {number} */ token) => change(toggled(figure.setting(), token));
  bindGestures(figure, parts, { places: () => at, key, lookAt, toggle });
  bindTooltip(figure, parts, { places: () => at, key });
  followStored(figure);
  figure.signal.addEventListener("abort", bars.end);
  showStatus(model.status);
  return draw;
}

export default defineFigure("published-model", {
  hint: () => `Click a word or a head. ${hasKeys() ? "Shift-click masks a word. Keyboard: Tab, arrows, Enter." : ""}`,
  settings: (/** @type {Data} */ data) => ({ text: ownText(data), hidden: positions(data.shown) }),
  compute,
  state,
  sentence,
  answers: () => ({
    stored: undefined, // the stored answers, null if they could not be fetched
    result: undefined, // the latest run of the model
    isOpen: false,
  }),
  view,
});
