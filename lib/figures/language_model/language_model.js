import { defineFigure, memo } from "../contract/figure.js";
import { textSetting, wellFormed } from "../contract/settings.js";
import { arrowKeys, focus, hasKeys, positionIn } from "../parts/drag.js";
import { clamp } from "../parts/numbers.js";
import { measureIn, stepFrom, textAsFarAs, toggled, tokenAt } from "../parts/tokens.js";
import { showTooltip } from "../parts/tooltip.js";
import {
  arrange,
  drawAdds,
  drawFold,
  drawHeads,
  drawNext,
  drawNote,
  drawnOf,
  drawWords,
  elements,
  headAt,
  layButtons,
  layHandles,
  partAt,
} from "./drawing.js";
import { modelOf, viewsFrom } from "./model.js";
import { headInWords, keyInWords, questioner, sentence } from "./text.js";
import { drawnWord, toolsIn, unfoldButton, writer, writingPlace } from "./tools.js";
import { AS_TRAINED, hasWords, isSwapped, isUnfolded, keyToRead, state, tellingHead } from "./view.js";

// The language model figure. The model runs in a worker (worker.js), and the figure draws the worker's latest response;
// until the first interaction it draws the initial view from Python. view.js computes the numbers, drawing.js draws,
// text.js writes the sentence, and tools.js creates the controls.

const CHOICE_PAUSE = 200; // milliseconds after the last keystroke, shorter than the delay of announcements

/** Extend the constants by the initial view from Python, for use until the model responds. @param {Given} constants */
function withAnswers(constants) {
  const { rows } = constants.first.swapped;
  const first = { ...constants.first, trained: constants.first.trained ?? constants.first.swapped };
  return {
    ...constants,
    first,
    nBlocks: rows.length,
    nHeads: rows[0].length,
    viewFor: viewsFrom(first),
    asks: questioner(),
  };
}

/**
 * Convert the current setting to the worker's request.
 * @param {Setting} setting
 * @returns {Wanted}
 */
const wantedBy = ({ block, head, features, ...setting }) => ({
  ...setting,
  block: Number(block),
  head: Number(head),
  features: Number(features),
});

/**
 * The latest view, which stays until the worker responds.
 * @param {Data} data
 * @param {Setting} setting
 * @param {Answers} answers
 */
function compute({ viewFor }, setting, answers) {
  const wanted = wantedBy(setting);
  return { wanted, ...viewFor(wanted, answers) };
}

/** The setting for positions of tokens, `3.7` in the URL. @param {number} shown */
const placesSetting = (shown) => ({
  write: (/** @type {number[]} */ places) => places.join("."),
  read: (/** @type {string} */ text) => {
    const places = text.split(".").map(Number);
    return places.every((place) => Number.isInteger(place) && place >= 0 && place < shown) ? places : undefined;
  },
});

/**
 * Keep the reader's own text and the selected head when the reader guesses.
 * @param {Data} data
 * @param {Setting} setting
 */
const keeps = ({ defaults, shown }, { text, block, head }) =>
  text === defaults.text ? {} : { text, block, head, query: shown - 1 };

/** Select the most informative head for a new text, until the reader selects one: `own()`. @param {Figure} figure */
function headChooser({ redraw, change, setting, answer, signal }) {
  let isOwn = false,
    isDue = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  function choose() {
    isDue = !isOwn && !signal.aborted;
    if (isDue) redraw();
  }
  return {
    choose,
    own() {
      isOwn = true;
      isDue = false;
      answer({ chosen: undefined });
    },
    /** The reader is typing: select a head after a pause. @param {boolean} isAnother */
    typed(isAnother) {
      isOwn &&= !isAnother;
      isDue = false;
      clearTimeout(pause);
      pause = setTimeout(choose, CHOICE_PAUSE);
    },
    /** A setting was drawn. Keep the head if only this head has a swapped kernel. @param {Figure["now"]} now */
    drawn({ isNow, answers: { answer: run, table } }) {
      if (!isDue || !isNow || !run) return;
      isDue = false;
      const mayMove = !isSwapped(setting()) || setting().scope === "all heads";
      const { tokens, trained } = run;
      if (!mayMove || !trained || !table) return;
      const found = tellingHead(tokens, trained, table);
      answer({ chosen: { ...found, text: setting().text } });
      change(found);
    },
  };
}

/**
 * Let the pointer and the arrow keys select the query, the head and the key of the tooltip. `places()` returns the
 * layout, `tooltipKey()` the key of the tooltip, and `lookAt` changes it. `toggle(token)` masks or unmasks a word;
 * every click on a word does so while `hides()` is true. `own()` is called when the reader selects a head.
 * @param {Figure} figure
 * @param {Parts} parts
 * @param {KeyOfTooltip & { lookAt: (key: number) => void, toggle: (token: number) => void, hides: () => boolean,
 *   own: () => void }} acts
 */
function bindGestures(figure, parts, { places, tooltipKey, lookAt, toggle, hides, own }) {
  const { data, stage, change } = figure,
    shown = () => figure.now.view;
  /** @type {number | undefined} */
  let pressed; // the word to mask on pointerup, since a touch may start to scroll
  /**
   * Convert a token's index to a setting. The last token has the largest value, so that it stays the last in any
   * text.
   */
  const namely = (/** @type {number} */ token) => (token === shown().words.length - 1 ? data.shown - 1 : token);
  const inWords = (/** @type {Place} */ { block, head }) => ({ block: String(block), head: String(head) });

  /** @type {import("../parts/drag.js").Grab} */
  function grab(event) {
    const at = places(),
      [x0, y0] = positionIn(stage, event);
    const where = partAt(at, x0, y0);
    if (!where || event.target.closest(".tools, .next-buttons")) return undefined;
    pressed = where === "words" && (event.shiftKey || hides()) ? tokenAt(at.lines.places, x0, y0) : undefined;
    if (pressed !== undefined) return () => {};
    focus(where === "words" ? parts.queryHandle : parts.headHandle);
    if (where === "heads") own();
    return (e) => {
      const [x, y] = positionIn(stage, e);
      if (!shown().words.length) return;
      change(
        where === "words" ? { query: namely(tokenAt(places().lines.places, x, y)) } : inWords(headAt(places(), x, y)),
      );
    };
  }

  figure.drag(stage, grab, () => pressed !== undefined && toggle(pressed));
  arrowKeys(parts.queryHandle, (right, up) => {
    const { words, setting } = shown();
    if (words.length) change({ query: namely(stepFrom(places().lines.places, setting.query, right, up)) });
  });
  arrowKeys(parts.keyHandle, (right, up) => {
    if (!shown().words.length) return;
    lookAt(stepFrom(places().lines.places, keyToRead(shown(), tooltipKey()), right, up));
  });
  parts.keyHandle.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle(keyToRead(shown(), tooltipKey()));
  });
  arrowKeys(parts.headHandle, (right, up) => {
    const { block, head } = wantedBy(figure.setting());
    own();
    change(inWords({ block: clamp(block - up, 0, data.nBlocks - 1), head: clamp(head + right, 0, data.nHeads - 1) }));
  });
}

/**
 * Show tooltips for the hovered word or head, or for the focused word. The selected head has none, because the sentence
 * describes it.
 * @param {Figure} figure @param {Parts} parts @param {KeyOfTooltip} acts
 */
function bindTooltip(figure, parts, { places, tooltipKey }) {
  const shown = () => figure.now.view;
  /** @param {Read} view @param {number} j */
  const overWord = (view, j) => {
    const { x, y, width } = places().lines.places[j];
    return { x: x + width / 2, y, text: keyInWords(view, j) };
  };
  /** @param {Read} view @param {Place} where */
  const overHead = (view, { block, head }) => {
    const { x, y } = places().heads.cellOf(block, head);
    return { x: x + places().heads.cellWidth / 2, y, text: headInWords(view, block, head) };
  };
  showTooltip(figure, {
    find(x, y) {
      const view = shown();
      if (!hasWords(view)) return undefined;
      const where = partAt(places(), x, y);
      if (where === "words") return overWord(view, tokenAt(places().lines.places, x, y));
      const { block, head } = view.setting,
        one = where === "heads" ? headAt(places(), x, y) : undefined;
      return one && (one.block !== block || one.head !== head) ? overHead(view, one) : undefined;
    },
    focused(element) {
      const view = shown();
      return hasWords(view) && element === parts.keyHandle ? overWord(view, keyToRead(view, tooltipKey())) : undefined;
    },
  });
}

/**
 * @typedef {import("./drawing.js").Parts} Parts
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {import("./view.js").Read} Read
 * @typedef {import("./view.js").Place} Place
 * @typedef {{ places: () => Layout, tooltipKey: () => number }} KeyOfTooltip
 * @typedef {{ text: string, query: number, kernel: string, scope: string, temperature: number, features: string,
 *   hidden: number[], block: string, head: string, sampling: string, guess?: string }} Setting
 * @typedef {Omit<Setting, "block" | "head" | "features"> & { block: number, head: number, features: number }} Wanted
 * @typedef {import("../contract/figure.js").Constants & { first: Omit<Read, "trained"> & { trained?:
 *   Read["trained"] }, shown: number, longest_text: number, head_dimension: number, kernel_names: Record<string,
 *   string>, worker_code: string, unfolded: boolean, ranges: { scope: string[], features: string[], sampling:
 *   string[], temperature: number[] }, defaults: { text: string, block: number, head: number } }} Given
 * @typedef {ReturnType<typeof withAnswers>} Data
 * @typedef {{ answer: import("./worker.js").Answer | undefined, table: import("./worker.js").Table | undefined,
 *   chosen: { block: string, head: string, text: string } | undefined, unfolded: boolean, writing: boolean }}
 *   Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** Functions that change the text. @param {Figure} figure */
function createEdits(figure) {
  const { data, change, setting } = figure;

  /** Change the text and clear the guess, which was about the previous text.
   * @param {string} text @param {object} more */
  const rewrite = (text, more = {}) =>
    change({ text, query: data.shown - 1, ...("guess" in setting() && { guess: "" }), ...more });

  /** Append a word if there is room, and return whether there is. @param {string} word */
  function append(word, before = setting().text) {
    const text = before + word,
      hasRoom = text.length <= data.longest_text;
    if (hasRoom) rewrite(text);
    return hasRoom;
  }

  /** Append next word i after the query; the rest of the text is cut. @param {number} i */
  function press(i) {
    const { view, answers } = figure.now,
      { table } = answers,
      { text } = setting();
    if (!view.next) return;
    const lengths = table && view.tokens.map((token) => table.lengths[token]);
    const before = textAsFarAs(text, view.words, view.setting.query, lengths);
    append(view.next[i].word, view.setting.text === text ? before : text);
  }

  return { rewrite, append, press };
}

/**
 * Let the reader write; `typed` is called with whether the text is another one. Returns a function that shows a text.
 * @param {HTMLTextAreaElement} field
 * @param {Figure["setting"]} setting
 * @param {(text: string, more: object) => void} rewrite
 * @param {(isAnother: boolean) => void} typed
 */
function bindField(field, setting, rewrite, typed) {
  field.addEventListener("input", () => {
    const text = wellFormed(field.value),
      { text: before, guess } = setting();
    const isAnother = !text.startsWith(before);
    // Positions of masked words do not apply to a new text, and a swapped kernel would reveal the next answer.
    rewrite(text, isAnother ? (guess ? AS_TRAINED : { hidden: [] }) : {});
    typed(isAnother);
  });
  return (/** @type {string} */ text) => {
    if (field.value === text || wellFormed(field.value) === text) return;
    const isLonger = field.value !== "" && text.startsWith(field.value);
    field.value = text;
    if (isLonger) field.scrollTop = field.scrollHeight; // scroll to the appended text
  };
}

/**
 * Call `act` with the target before anything else that a pointer or a key does in an element.
 * @param {HTMLElement} root
 * @param {(target: EventTarget | null) => void} act
 */
function onTouch(root, act) {
  for (const type of ["pointerdown", "keydown"])
    root.addEventListener(type, ({ target }) => act(target), { capture: true });
}

/**
 * Continue the text word by word while the button is on; afterwards choose the head for it.
 * @param {Figure} figure @param {HTMLButtonElement} button
 * @param {ReturnType<typeof createEdits>["append"]} append @param {ReturnType<typeof headChooser>} choice
 */
function createWriting(figure, button, append, choice) {
  const { data, change, setting } = figure;
  return writer(button, {
    draw: () => drawnWord(figure.now, Number(setting().sampling)),
    append,
    begin() {
      figure.answer({ writing: true });
      if (figure.now.view.setting.query < figure.now.view.words.length - 1) change({ query: data.shown - 1 });
      else figure.redraw();
    },
    end() {
      figure.answer({ writing: false });
      choice.choose();
    },
  });
}

/**
 * @param {ReturnType<typeof elements>} parts
 * @param {Layout} at
 * @param {Figure["now"]["view"]} view
 * @param {boolean} hasHeads
 */
function drawView(parts, at, view, hasHeads) {
  drawWords(parts, at, view);
  drawNext(parts, at, view);
  drawFold(parts, at);
  if (!hasHeads) return;
  drawAdds(parts, at, view);
  drawHeads(parts, at, view);
}

/** @param {Figure} figure */
function view(figure) {
  const { data, root, stage, change, setting } = figure;
  const { field, write, sampling } = writingPlace(stage, data, change);
  const parts = elements(stage),
    measure = measureIn(stage);
  const tools = toolsIn(stage, data, change);
  const unfold = unfoldButton(stage, () => {
    figure.answer({ unfolded: true });
    focus(parts.headHandle);
  });
  const arranged = memo(
    /** @type {(words: string[], width: number, drawn: string, toolsHeight: number) => Layout} */ (
      (words, width, drawn) => arrange(parts, tools.element, data, measure, words, width, drawn, unfold)
    ),
  );
  const choice = headChooser(figure),
    { rewrite, append, press } = createEdits(figure);
  const showText = bindField(field, setting, rewrite, choice.typed);
  /** @type {Layout} */
  let at;
  let tooltipKey = Infinity, // index of the key that the tooltip describes; Infinity until one is pointed at
    problem = "";

  const writing = createWriting(figure, write, append, choice);
  const model = modelOf(figure, {
    showProblem(words) {
      problem = words;
      writing.stop();
    },
  });

  /** @type {Draw} */
  function draw(now, { width }) {
    const { wanted, isNow, view, answers } = now;
    model.askFor(now, problem);
    showText(wanted.text);
    sampling.value = wanted.sampling;
    tools.show(wanted, view);
    const hasHeads = isUnfolded(data, view, answers);
    stage.classList.toggle("folded", !hasHeads);
    const below = hasHeads ? tools.element.offsetHeight : 0; // measuring forces a layout
    at = arranged(view.words, width, drawnOf(view, hasHeads), below);
    drawView(parts, at, view, hasHeads);
    layButtons(parts, at, view, (i) => {
      press(i);
      choice.choose();
    });
    layHandles(parts, at, view, keyToRead(view, tooltipKey));
    drawNote(parts, at, problem || (model.isComing(answers) ? "The model is loading …" : ""));
    if (isNow && answers.answer) writing.goOn(now);
    choice.drawn(now);
  }

  onTouch(root, (target) => target !== write && writing.stop());
  const lookAt = (/** @type {number} */ key) => {
    tooltipKey = key;
    figure.redraw();
  };
  bindGestures(figure, parts, {
    places: () => at,
    tooltipKey: () => tooltipKey,
    lookAt,
    toggle: (token) => change(toggled(setting(), token)),
    hides: tools.hides,
    own: choice.own,
  });
  bindTooltip(figure, parts, { places: () => at, tooltipKey: () => tooltipKey });
  figure.signal.addEventListener("abort", writing.stop);
  return draw;
}

export default defineFigure("language-model", {
  hint: () =>
    `Click a word, head or next word. ` +
    (hasKeys() ? "Shift masks. Keyboard: Tab, arrows, Enter." : "To mask one: “Mask …”, then tick."),
  data: withAnswers,
  settings: (/** @type {Data} */ { longest_text, shown }) => ({
    text: textSetting(longest_text),
    hidden: placesSetting(shown),
  }),
  compute,
  state,
  sentence,
  answers: () => ({
    answer: undefined, // the latest run of the model
    table: undefined, // words and embeddings of the tokens
    chosen: undefined, // the head selected automatically for a new text
    unfolded: false, // whether the reader asked for the heads
    writing: false, // whether the model is continuing the text
  }),
  asks: (/** @type {Data} */ data, now, offered) => data.asks(data, now, offered),
  keeps,
  view,
});
