// What every live figure is.
//
// The contract: a figure is a `Definition`, functions that say what it computes, draws and describes. They get `data`,
// which does not change, and `now`: the setting, the answers that have come, and what `compute` makes of them. From
// them, and from the settings that Python declares, follows the rest, which no figure writes: its frame (frame.js),
// settings (settings.js), the ghost and announcements (gesture.js), reset and links (links.js), guesses (guesses.js).
// `view` is called once. It lets the pointer change the setting, by `figure.change({ name: value })`, and returns what
// draws `now`. Whatever changes a setting, a drag, a slider, a link or Play, the figure is drawn once before the next
// frame is painted.

import { draggable } from "../parts/drag.js";
import { html, set } from "../parts/plot.js";
import { createFrame, observeWidth } from "./frame.js";
import { createAnnouncer, createGhost, createTransition } from "./gesture.js";
import { createGuesses } from "./guesses.js";
import { addButtons, followUrl } from "./links.js";
import { guessSetting, settingsOf } from "./settings.js";
import { onSite, replaceUrl, urlWith } from "./url_state.js";

/**
 * @typedef {import("./settings.js").Model} Model
 * @typedef {import("./guesses.js").Guesses} Guesses
 *
 * Python's constants by name, each setting's grid or names, and the first values of the traits.
 * @typedef {{ ranges: Record<string, number[] | string[]>, defaults: Record<string, unknown> }} Given
 * @typedef {Record<string, unknown> & Given} Constants
 */

/**
 * What is drawn: a setting, the answers that had come, and the numbers that follow.
 * @template Setting, Numbers, Answers
 * @typedef {Numbers & { setting: Setting, answers: Answers }} Now
 */

/**
 * What a figure says of itself.
 * @template Data, Setting, Numbers, Answers
 * @typedef {object} Definition
 * @property {string | ((data: Data) => string)} hint how to move the figure
 * @property {(constants: Constants) => Data} [data] what does not change; by default Python's constants
 * @property {(data: Data, model: Model) => Record<string, import("./settings.js").Kind>} [settings] those that are neither number nor choice
 * @property {(data: Data) => Answers} [answers] what is there before a worker or a file has answered; see `figure.answer`
 * @property {(data: Data, setting: Setting, answers: Answers) => Numbers} compute the numbers of a setting
 * @property {(data: Data, now: Now<Setting, Numbers, Answers>) => object} state what the page publishes of `now`
 * @property {(data: Data, now: Now<Setting, Numbers, Answers>) => string} sentence the same as text, in HTML
 * @property {(data: Data, now: Now<Setting, Numbers, Answers>, guesses: Guesses) => import("./guesses.js").Asked} [asks]
 *   where the reader can change what is asked about: of the guesses that Python offers, what is as follows now.
 *   `question` may be a different one, `right` may not be known, and where `isOpen` is false there is nothing to guess
 * @property {(now: Now<Setting, Numbers, Answers>, before: Now<Setting, Numbers, Answers>) => boolean} [compares] whether
 *   `before` the present gesture is worth a look beside `now`
 * @property {(data: Data, setting: Setting) => object} [keeps] what of a setting stays when the reader guesses
 * @property {(figure: Figure<Data, Setting, Numbers, Answers>) => Draw<Now<Setting, Numbers, Answers>>} view makes the
 *   elements and lets the pointer move them. It returns what draws `now`, and in elements of the class `ghost` how it
 *   was before the present gesture
 */

/**
 * @template N
 * @typedef {(now: N, drawing: { width: number, ghost: N | undefined }) => void} Draw
 */

/**
 * What `view` is given.
 * @template Data, Setting, Numbers, Answers
 * @typedef {object} Figure
 * @property {HTMLElement} root
 * @property {HTMLElement} stage where to draw
 * @property {HTMLElement} actions where buttons stand, beside the question
 * @property {Model} model
 * @property {Data} data
 * @property {Now<Setting, Numbers, Answers>} now what is drawn
 * @property {() => Setting} setting
 * @property {(values: object) => void} change some settings, by name
 * @property {() => void} reset
 * @property {(element: HTMLElement, grab: import("../parts/drag.js").Grab, release?: () => void) => void} drag
 * @property {() => void} redraw
 * @property {(answers: object) => void} answer keep what a worker or a file has answered; then the figure is drawn
 * @property {(act: () => void) => void} afterDraw call `act` after each drawing
 * @property {() => void} begin a gesture: what is drawn now becomes the ghost of what follows
 * @property {(isPending: boolean) => void} setPending while a result is on its way, nothing is announced
 * @property {(isPlaying: boolean) => void} setPlaying while the figure moves by itself, nothing is announced
 * @property {(() => void) | undefined} afterGuess set by a figure that plays how it comes to what the question is about
 * @property {AbortSignal} signal aborts when the figure is removed
 */

/**
 * A module for anywidget.
 * @template Data, Setting, Numbers, Answers
 * @param {string} name
 * @param {Definition<Data, Setting, Numbers, Answers>} definition
 */
export const defineFigure = (name, definition) => ({
  /** @param {{ model: Model, el: Element }} place */
  render: ({ model, el }) => begin(model, el, name, definition),
});

/**
 * `compute` of the newest arguments; called again only when one of them is different.
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

/** What calls `act` once before the next frame is painted, however often it is called. @param {() => void} act */
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

// ---- From the definition to a figure that lives -----------------------------------------------------------

/**
 * Draw a figure and keep it drawn. Returns what removes it.
 * @template Data, Setting, Numbers, Answers
 * @param {Model} model
 * @param {Element} el
 * @param {string} name
 * @param {Definition<Data, Setting, Numbers, Answers>} definition
 */
function begin(model, el, name, definition) {
  const address = /** @type {string} */ (model.get("address")),
    offered = /** @type {Guesses | null} */ (model.get("guesses"));
  const constants = constantsOf(model);
  const data = definition.data ? definition.data(constants) : /** @type {Data} */ (/** @type {unknown} */ (constants));
  const kinds = { ...definition.settings?.(data, model), ...(offered && { guess: guessSetting(offered.answers) }) };
  const settings = settingsOf(model, kinds);
  const hint = typeof definition.hint === "string" ? definition.hint : definition.hint(data);
  const frame = createFrame(el, { name, address, question: String(model.get("question")), hint });
  const { root, stage } = frame;
  const life = new AbortController(); // ends when the figure is removed
  const ghost = createGhost(definition.compares);
  const keepInUrl = () => onSite() && replaceUrl(urlWith(address, settings.write()));
  const announcer = createAnnouncer(frame.sentence, keepInUrl, life.signal);
  const width = observeWidth(frame, life.signal);
  const transition = createTransition(root);
  const redrawSoon = onceBeforePaint(redraw);
  /** @type {(() => void)[]} */
  const afterDrawing = [];
  let answers = definition.answers?.(data) ?? /** @type {Answers} */ ({});
  /** @type {Now<Setting, Numbers, Answers>} */
  let drawn;

  /** @type {Figure<Data, Setting, Numbers, Answers>} */
  const figure = {
    root,
    stage,
    actions: frame.actions,
    model,
    data,
    get now() {
      return drawn;
    },
    setting: () => /** @type {Setting} */ (settings.now()),
    change: settings.change,
    reset: settings.reset,
    drag: dragger(settings),
    redraw,
    answer(more) {
      answers = { ...answers, ...more };
      redrawSoon();
    },
    afterDraw: (act) => afterDrawing.push(act),
    begin: ghost.begin,
    setPending(isPending) {
      root.toggleAttribute("data-pending", !!isPending);
      announcer.waitFor("answer", isPending);
    },
    setPlaying(isPlaying) {
      root.toggleAttribute("data-playing", isPlaying);
      announcer.waitFor("play", isPlaying);
    },
    afterGuess: undefined,
    signal: life.signal,
  };
  const verdictOn = offered && guessing(figure, definition, { offered, frame, settings, ghost, transition });
  const draw = definition.view(figure);

  function redraw() {
    const drawnWidth = width.now();
    if (!drawnWidth) return; // not shown
    const setting = figure.setting();
    const now = { setting, answers, ...definition.compute(data, setting, answers) };
    const before = ghost.beside(now);
    draw(now, { width: drawnWidth, ghost: before });
    drawn = now;
    const guess = offered && { guess: settings.now().guess || null };
    root.dataset.state = JSON.stringify({ ...definition.state(data, now), ...guess });
    const verdict = verdictOn?.(now);
    showGhosts(stage, !!before);
    afterDrawing.forEach((act) => act());
    announcer.say(withVerdict(verdict, definition.sentence(data, now)));
  }

  function forget() {
    ghost.forget();
    redraw();
    ghost.begin();
  }

  function changing() {
    ghost.before(drawn);
    announcer.wait();
    redrawSoon();
  }

  addButtons({ foot: frame.foot, address, settings }, forget);
  followSettings(model, settings.traits, changing, life.signal);
  redraw();
  followUrl({ root, address, settings, begin: ghost.begin, transition, signal: life.signal }, forget);
  width.follow(redraw);
  html("style", { text: `img[src*="live-${address}."] { display: none; }` }, root); // the still picture has served
  return () => life.abort();
}

/**
 * Lets the pointer move what `grab(event)` says, `release` it, and takes back what a cancelled gesture did.
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
 * Lets the reader guess. Returns what says, as HTML, what became of the guess.
 * @template Data, Setting, Numbers, Answers
 * @param {Figure<Data, Setting, Numbers, Answers>} figure
 * @param {Definition<Data, Setting, Numbers, Answers>} definition
 * @param {{ offered: Guesses, frame: import("./frame.js").Frame, settings: import("./settings.js").Settings,
 *   ghost: import("./gesture.js").Ghost<Now<Setting, Numbers, Answers>>, transition: () => void }} parts
 */
function guessing(figure, { asks, keeps }, { offered, frame, settings, ghost, transition }) {
  /** @param {Setting} setting */
  const kept = (setting) => keeps?.(figure.data, setting) ?? {};
  /** From the first setting to the one that the question asks about. @param {object} setting @param {boolean} isAnother */
  const choose = (setting, isAnother) => {
    if (isAnother)
      ghost.keep(); // a guess about what is shown already
    else ghost.begin();
    transition();
    const stays = kept(figure.setting());
    settings.reset();
    settings.change({ ...stays, ...setting });
    figure.afterGuess?.();
  };
  const show = createGuesses(frame, offered, choose);
  return (/** @type {Now<Setting, Numbers, Answers>} */ now) =>
    show(settings.now(), asks?.(figure.data, now, offered) ?? offered, settings.write(), kept(now.setting));
}

/**
 * Several traits may change in one event: `changing` is called for each.
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

/** @param {string | undefined} verdict @param {string} sentence */
const withVerdict = (verdict, sentence) =>
  verdict
    ? `<span class="lf-said-verdict">${verdict}</span><span class="lf-said-sentence">${sentence}</span>`
    : sentence;
