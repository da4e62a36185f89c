// The framework of the live figures.
//
// A figure is a `Definition`: functions that compute, draw and describe. They receive `data`, which does not change,
// and `now`: the current setting, the selection, the answers received so far, and the result of `compute`. From it, and
// from the settings that Python declares, the framework derives everything else: the frame (frame.js), settings
// (settings.js), the ghost and announcements (gesture.js), reset and links (links.js), and guesses (guesses.js).
// `view` is called once. It attaches the input handlers, which call `figure.change({ name: value })`, and returns a
// function that draws `now`. Whatever changes a setting (dragging, a slider, a link or Play), the figure is redrawn
// once before the next paint.

import { draggable } from "../parts/drag.js";
import { html, set } from "../parts/plot.js";
import { createFrame, measureAt, observeWidth } from "./frame.js";
import { createAnnouncer, createGhost, createTransition } from "./gesture.js";
import { createGuesses } from "./guesses.js";
import { addButtons, followUrl } from "./links.js";
import { createPlayer, revealed } from "./reveal.js";
import { guessSetting, settingsOf } from "./settings.js";
import { createUrlState } from "./url_state.js";

/**
 * @typedef {import("./settings.js").Model} Model
 * @typedef {import("./guesses.js").Guesses} Guesses
 *
 * Python's constants by name, the grid or names of each setting, and the default values of the traits.
 * @typedef {{ ranges: Record<string, number[] | string[]>, defaults: Record<string, unknown> }} Given
 * @typedef {Record<string, unknown> & Given} Constants
 *
 * What the reader has selected and the keyboard moves, such as one of several points: neither a setting nor in the URL.
 * @typedef {Record<string, number>} Selection
 */

/**
 * The drawn state: a setting, the answers received so far, the selection, and the computed numbers.
 * @template Setting, Numbers, Answers
 * @typedef {Numbers & { setting: Setting, answers: Answers, selection: Selection }} Now
 */

/**
 * The definition of a figure.
 * @template Data, Setting, Numbers, Answers
 * @typedef {object} Definition
 * @property {string | ((data: Data, now?: Now<Setting, Numbers, Answers>) => string)} hint how to use the figure
 * @property {(constants: never) => Data} [data] constant data, from the constants that the figure declares; by
 *   default all of Python's
 * @property {(data: Data, model: Model) => Record<string, import("./settings.js").Kind>} [settings] kinds of the
 *   settings that are neither numbers nor choices
 * @property {(data: Data) => Answers} [answers] answers before a worker or a file responds; see `figure.answer`
 * @property {Selection} [selection] what is selected at first; see `figure.select`
 * @property {(data: Data, setting: Setting, answers: Answers) => Numbers} compute the numbers for a setting
 * @property {(data: Data, now: Now<Setting, Numbers, Answers>) => object} state the part of `now` that the page
 *   exposes in `data-state`
 * @property {(data: Data, now: Now<Setting, Numbers, Answers>) => string} sentence a description of `now`, as HTML
 * @property {(data: Data, now: Now<Setting, Numbers, Answers>, guesses: Guesses) => import("./guesses.js").Asked}
 *   [asks]
 *   overrides the guesses from Python when the reader can change the subject of the question: a different `question`, a
 *   `right` answer that may be unknown, and `isOpen: false` if there is nothing to guess
 * @property {(now: Now<Setting, Numbers, Answers>, before: Now<Setting, Numbers, Answers>) => boolean} [compares]
 *   whether
 *   the state `before` the current gesture is comparable with `now`
 * @property {(data: Data, setting: Setting) => object} [keeps] the part of the setting to keep when the reader guesses
 * @property {(figure: Figure<Data, Setting, Numbers, Answers>) => Draw<Now<Setting, Numbers, Answers>>} view creates
 *   the elements and attaches the input handlers. It returns a function that draws `now`, and in elements of the class
 *   `ghost` the state before the current gesture
 */

/**
 * @template N
 * @typedef {(now: N, drawing: { width: number, ghost: N | undefined }) => void} Draw
 */

/**
 * The argument of `view`.
 * @template Data, Setting, Numbers, Answers
 * @typedef {object} Figure
 * @property {HTMLElement} root
 * @property {HTMLElement} stage where to draw
 * @property {HTMLElement} actions container for buttons, beside the question
 * @property {Model} model
 * @property {Data} data
 * @property {Now<Setting, Numbers, Answers>} now the drawn state
 * @property {() => Setting} setting
 * @property {() => Setting} first the setting after a reset
 * @property {() => Selection} selection
 * @property {(values: Selection) => void} select change the selection, and redraw
 * @property {(values: object) => void} change some settings, by name
 * @property {() => void} reset
 * @property {(element: HTMLElement, grab: import("../parts/drag.js").Grab, release?: () => void) => void} drag
 * @property {() => void} redraw
 * @property {(answers: object) => void} answer store the response of a worker or a file, then redraw
 * @property {(act: () => void) => void} afterDraw call `act` after each drawing
 * @property {() => void} begin a gesture: the drawn state becomes the ghost
 * @property {(isPending: boolean) => void} setPending suppress announcements, and the verdict on a guess, while a
 *   result is pending
 * @property {(isPlaying: boolean) => void} setPlaying suppress announcements during an animation
 * @property {import("./reveal.js").Reveal | undefined} reveal set by figures that move to the answer of a guess
 * @property {(() => Record<string, unknown>[]) | undefined} frames set by figures with a button Play: the settings
 *   it shows
 * @property {AbortSignal} signal aborts when the figure is removed
 */

/**
 * Return an anywidget module.
 * @template Data, Setting, Numbers, Answers
 * @param {string} name
 * @param {Definition<Data, Setting, Numbers, Answers>} definition
 */
export const defineFigure = (name, definition) => ({
  /** @param {{ model: Model, el: Element }} place */
  render: ({ model, el }) => begin(model, el, name, definition),
  /** The figure without a page, as tests run it: its settings, state and sentence. @param {Model} model */
  describe(model) {
    const { data, settings } = prepare(model, definition),
      answers = definition.answers?.(data) ?? /** @type {Answers} */ ({}),
      now = computed(definition, data, /** @type {Setting} */ (settings.now()), answers, definition.selection ?? {});
    return { settings, state: definition.state(data, now), sentence: definition.sentence(data, now) };
  },
});

/**
 * Memoise `compute` for its latest arguments; it is called again only when an argument changes.
 * @template {Function} F
 * @param {F} compute
 */
export function memo(compute) {
  /** @type {{ at: unknown[], found: unknown } | undefined} */
  let newest;
  const remembering = (/** @type {unknown[]} */ ...now) => {
    if (!newest || now.some((value, i) => !Object.is(value, newest?.at[i])))
      newest = { at: now, found: compute(...now) };
    return newest.found;
  };
  return /** @type {F} */ (/** @type {unknown} */ (remembering));
}

/** Return a function that schedules `act`, at most once before the next paint. @param {() => void} act */
function onceBeforePaint(act) {
  let isDue = false;
  const flush = () => {
    isDue = false;
    act();
  };
  return () => {
    if (!isDue) queueMicrotask(flush);
    isDue = true;
  };
}

/** @param {Model} model */
function constantsOf(model) {
  const names = /** @type {string[]} */ (model.get("constants"));
  const declared = /** @type {Record<string, { grid?: number[], names?: string[] }>} */ (model.get("settings"));
  const ranges = Object.entries(declared).map(([name, { grid, names }]) => [name, grid ?? names]);
  const constants = Object.fromEntries(names.map((name) => [name, model.get(name)]));
  return /** @type {Constants} */ ({
    ...constants,
    ranges: Object.fromEntries(ranges),
    defaults: model.get("defaults"),
  });
}

/**
 * The constant data of a figure, its settings, and the guesses that it offers.
 * @template Data, Setting, Numbers, Answers
 * @param {Model} model
 * @param {Definition<Data, Setting, Numbers, Answers>} definition
 */
function prepare(model, definition) {
  const offered = /** @type {Guesses | null} */ (model.get("guesses")),
    constants = constantsOf(model);
  const data = Object.freeze(
    definition.data?.(/** @type {never} */ (constants)) ?? /** @type {Data} */ (/** @type {unknown} */ (constants)),
  );
  const kinds = { ...definition.settings?.(data, model), ...(offered && { guess: guessSetting(offered.answers) }) };
  return { data, settings: settingsOf(model, kinds), offered };
}

/**
 * @template Data, Setting, Numbers, Answers
 * @param {Definition<Data, Setting, Numbers, Answers>} definition
 * @param {Data} data @param {Setting} setting @param {Answers} answers @param {Selection} selection
 * @returns {Now<Setting, Numbers, Answers>}
 */
function computed(definition, data, setting, answers, selection) {
  return { setting, answers, selection, ...definition.compute(data, setting, answers) };
}

// ---- Rendering --------------------------------------------------------------------------------------------

/**
 * What a figure receives besides its setting.
 * @template Data, Setting, Numbers, Answers
 * @typedef {{ answers: Answers, selection: Selection, drawn: Now<Setting, Numbers, Answers> }} State
 */

/**
 * The argument of `view`. Its methods change `state`.
 * @template Data, Setting, Numbers, Answers
 * @param {State<Data, Setting, Numbers, Answers>} state
 * @param {{ model: Model, data: Data, settings: import("./settings.js").Settings, frame: import("./frame.js").Frame,
 *   announcer: ReturnType<typeof createAnnouncer>, signal: AbortSignal }} parts
 * @param {{ begin: () => void, redraw: () => void, redrawSoon: () => void, afterDrawing: (() => void)[] }} acts
 * @returns {Figure<Data, Setting, Numbers, Answers>}
 */
function figureOf(
  state,
  { model, data, settings, frame, announcer, signal },
  { begin, redraw, redrawSoon, afterDrawing },
) {
  const { root, stage, actions } = frame;
  return {
    root,
    stage,
    actions,
    model,
    data,
    signal,
    begin,
    redraw,
    afterDraw: (act) => afterDrawing.push(act),
    get now() {
      return state.drawn;
    },
    setting: () => /** @type {Setting} */ (settings.now()),
    first: () => /** @type {Setting} */ (settings.first()),
    selection: () => state.selection,
    select(values) {
      state.selection = { ...state.selection, ...values };
      redraw();
    },
    change: settings.change,
    reset: settings.reset,
    drag: dragger(settings),
    answer(more) {
      state.answers = { ...state.answers, ...more };
      redrawSoon();
    },
    setPending(isPending) {
      root.toggleAttribute("data-pending", !!isPending);
      announcer.waitFor("answer", isPending);
    },
    setPlaying(isPlaying) {
      root.toggleAttribute("data-playing", isPlaying);
      announcer.waitFor("play", isPlaying);
    },
    reveal: undefined,
    frames: undefined,
  };
}

/**
 * Draw a figure and keep it up to date. Returns a function that removes it.
 * @template Data, Setting, Numbers, Answers
 * @param {Model} model
 * @param {Element} el
 * @param {string} name
 * @param {Definition<Data, Setting, Numbers, Answers>} definition
 */
function begin(model, el, name, definition) {
  const [address, question] = [String(model.get("address")), String(model.get("question"))];
  const { data, settings, offered } = prepare(model, definition);
  const hintFor = (/** @type {Now<Setting, Numbers, Answers> | undefined} */ now) =>
    typeof definition.hint === "string" ? definition.hint : definition.hint(data, now);
  const frame = createFrame(el, { name, address, question, hint: hintFor(undefined) });
  const { root, stage } = frame;
  const life = new AbortController(); // ends when the figure is removed
  const ghost = createGhost(definition.compares);
  const url = createUrlState(address, settings);
  const announcer = createAnnouncer(frame.sentence, () => url.keep(), life.signal);
  const width = observeWidth(frame, life.signal);
  const transition = createTransition(root);
  const redrawSoon = onceBeforePaint(redraw);
  /** @type {(() => void)[]} */
  const afterDrawing = [];
  const state = /** @type {State<Data, Setting, Numbers, Answers>} */ ({
    answers: definition.answers?.(data) ?? {},
    selection: definition.selection ?? {},
  });
  const acts = { begin: ghost.begin, redraw, redrawSoon, afterDrawing };
  const figure = figureOf(state, { model, data, settings, frame, announcer, signal: life.signal }, acts);
  const judge = offered && guessing(figure, definition, { offered, frame, settings, ghost, transition });
  const draw = definition.view(figure);

  function redraw() {
    const drawnWidth = width.now();
    if (!drawnWidth) return; // hidden
    const now = computed(definition, data, figure.setting(), state.answers, state.selection);
    const before = ghost.beside(now);
    draw(now, { width: drawnWidth, ghost: before });
    state.drawn = now;
    const guess = offered && { guess: settings.now().guess || null };
    root.dataset.state = JSON.stringify({ ...definition.state(data, now), ...guess });
    judge?.(now);
    frame.setHint(hintFor(now));
    showGhosts(stage, !!before);
    afterDrawing.forEach((act) => act());
    announcer.say(definition.sentence(data, now));
  }

  function forget() {
    ghost.forget();
    redraw();
    ghost.begin();
  }

  function changing() {
    ghost.before(state.drawn);
    announcer.wait();
    redrawSoon();
  }

  const heightAt = (/** @type {number} */ pixels) => measureAt(frame, width, redraw, pixels);
  const story = figure.frames ?? revealed(figure.reveal, offered, settings);
  addButtons(frame.foot, { root, address, question, settings, heightAt, story, setPlaying: figure.setPlaying }, forget);
  followSettings(model, settings.traits, changing, life.signal);
  redraw();
  followUrl({ root, address, settings, url, begin: ghost.begin, transition, signal: life.signal }, forget);
  width.follow(redraw);
  html("style", { text: `img[src*="live-${address}."] { display: none; }` }, root); // hide the still image
  return () => life.abort();
}

/**
 * Return `figure.drag`: drags what `grab(event)` returns, and restores the settings if the gesture is cancelled.
 * @param {import("./settings.js").Settings} settings
 * @returns {(element: HTMLElement, grab: import("../parts/drag.js").Grab, release?: () => void) => void}
 */
function dragger({ stored, restore }) {
  return (element, grab, release = () => {}) => {
    let before = stored();
    draggable(element, {
      grab(event) {
        before = stored();
        return grab(event);
      },
      release: (cancelled) => (cancelled ? restore(before) : release()),
    });
  };
}

/**
 * Let the reader guess. Returns a function that shows the verdict on the guess.
 * @template Data, Setting, Numbers, Answers
 * @param {Figure<Data, Setting, Numbers, Answers>} figure
 * @param {Definition<Data, Setting, Numbers, Answers>} definition
 * @param {{ offered: Guesses, frame: import("./frame.js").Frame, settings: import("./settings.js").Settings,
 *   ghost: import("./gesture.js").Ghost<Now<Setting, Numbers, Answers>>, transition: () => void }} parts
 */
function guessing(figure, { asks, keeps }, { offered, frame, settings, ghost, transition }) {
  /** @param {Setting} setting */
  const kept = (setting) => keeps?.(figure.data, setting) ?? {};
  /** Reset the settings, then apply those of the question. @param {object} setting @param {boolean} isAnother */
  const choose = (setting, isAnother) => {
    if (isAnother)
      ghost.keep(); // the settings of the question are already shown
    else ghost.begin();
    const { reveal } = figure,
      stays = kept(figure.setting());
    settings.reset();
    const { guess, ...then } = /** @type {Record<string, unknown>} */ (setting);
    if (reveal?.moves(then) && !isAnother) {
      const before = settings.now();
      settings.change({ ...stays, guess });
      play(reveal, (passed) => settings.change(reveal.at(passed, before, then)));
    } else {
      transition();
      settings.change({ ...stays, ...setting });
    }
  };
  const play = createPlayer(figure);
  const show = createGuesses(frame, offered, choose);
  return (/** @type {Now<Setting, Numbers, Answers>} */ now) =>
    show(settings.now(), asks?.(figure.data, now, offered) ?? offered, settings.write(), kept(now.setting));
}

/**
 * Call `changing` for each trait that changes; one event may change several.
 * @param {Model} model
 * @param {string[]} traits
 * @param {() => void} changing
 * @param {AbortSignal} signal
 */
function followSettings(model, traits, changing, signal) {
  traits.forEach((trait) => model.on(`change:${trait}`, changing));
  signal.addEventListener("abort", () => traits.forEach((trait) => model.off(`change:${trait}`, changing)));
}

/** @param {Element} stage @param {boolean} isThere */
function showGhosts(stage, isThere) {
  const visibility = isThere ? "visible" : "hidden";
  for (const each of stage.querySelectorAll(".ghost, .was")) set(each, { visibility });
}
