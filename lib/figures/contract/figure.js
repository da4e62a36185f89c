// What every live figure is.
//
// The contract: a figure is a `Definition`, functions that say what it computes, draws and tells. They get `data`, which
// does not change, and `now`, which is the setting and what `compute` makes of it. From them, and from the settings that
// Python declares, follows the rest, which no figure writes: its frame (frame.js), settings (settings.js), the ghost and
// speech (gesture.js), reset and links (links.js), guesses (guesses.js). `view` is called once. It lets hands change the
// setting, by `figure.change({ name: value })`, and returns what draws `now`. Whoever changes a setting, a hand, a
// slider, a link or Play, the figure is drawn once before the next frame is painted.

import { urlWith, replaceUrl, onSite } from "./url_state.js";
import { createFrame, observeWidth } from "./frame.js";
import { createGhost, createTransition, createAnnouncer } from "./gesture.js";
import { createGuesses } from "./guesses.js";
import { draggable } from "../parts/drag.js";
import { addButtons, followUrl } from "./links.js";
import { html, set } from "../parts/plot.js";
import { guessSetting, settingsOf } from "./settings.js";

/**
 * @typedef {ReturnType<typeof partsOf>} Figure What `view` is given.
 *
 * @typedef {object} Definition
 * @property {string | ((data: any) => string)} hint how to move the figure
 * @property {(constants: any) => any} [data] what does not change, from Python's constants and `ranges`: each setting's grid or names
 * @property {(data: any, model: import("./settings.js").Model) => Record<string, import("./settings.js").Kind>} [settings] those that are neither number nor choice
 * @property {(data: any, setting: any) => any} compute the numbers of a setting
 * @property {(data: any, now: any) => object} state what the page publishes of `now`, the setting and its numbers
 * @property {(data: any, now: any) => string} sentence the same in words, as HTML
 * @property {(data: any, now: any, guesses: any) => any} [asks] where the reader can change what is asked about: of the
 *   guesses that Python offers, what is as follows now. `question` is another one, `right` may not be known, and where
 *   `isOpen` is false there is nothing to guess
 * @property {(now: any, before: any) => boolean} [compares] whether `before` the present gesture is worth a look beside `now`
 * @property {(data: any, setting: any) => object} [keeps] what of a setting stays when the reader guesses
 * @property {(figure: any) => (now: any, drawing: { width: number, ghost: any }) => void} view makes the elements and
 *   lets hands move them. It returns what draws `now`, and in elements of the class `ghost` how it was before the
 *   present gesture.
 */

/** A module for anywidget. @param {string} name @param {Definition} definition */
export const defineFigure = (name, definition) => ({
  render: ({ model, el }) => begin(model, el, name, definition).end,
});

/**
 * `compute` of the newest arguments; called again only when one of them is another.
 * @template {(...now: any[]) => any} F
 * @param {F} compute
 * @returns {F}
 */
export function memo(compute) {
  let at, found;
  const remembering = (...now) => {
    if (!at || now.some((value, i) => !Object.is(value, at[i]))) found = compute(...now);
    at = now;
    return found;
  };
  return /** @type {F} */ (remembering);
}

/** What Python says of a figure that does not change, and each setting's grid or names as `ranges`. */
function constantsOf(model) {
  const constants = model.get("constants").map((name) => [name, model.get(name)]);
  const ranges = Object.entries(model.get("settings")).map(([name, { grid, names }]) => [name, grid ?? names]);
  return { ...Object.fromEntries(constants), ranges: Object.fromEntries(ranges), defaults: model.get("defaults") };
}

// ---- From the definition to a figure that lives -----------------------------------------------------------

/** @param {import("./settings.js").Model} model @param {Element} el @param {string} name @param {Definition} definition */
function begin(model, el, name, definition) {
  const figure = { ...partsOf(model, el, name, definition), redraw };
  const { root, address, data, settings, ghost, speech, width, guesses } = figure;
  const verdictOn = guesses ? guessing(figure, definition) : (_now) => "";
  const draw = definition.view(figure);

  function redraw() {
    const drawnWidth = width.now();
    if (!drawnWidth) return; // not shown
    const setting = settings.now();
    const now = { setting, ...definition.compute(data, setting) };
    const before = ghost.beside(now);
    draw(now, { width: drawnWidth, ghost: before });
    figure.now = now;
    const guess = guesses && { guess: setting.guess || null };
    root.dataset.state = JSON.stringify({ ...definition.state(data, now), ...guess });
    const verdict = verdictOn(now);
    showGhosts(figure, !!before);
    root.dispatchEvent(new Event("drawn"));
    speech.say(inWords(verdict, definition.sentence(data, now)));
  }

  function forget() {
    ghost.forget();
    redraw();
    ghost.begin();
  }

  function changing() {
    ghost.before(figure.now);
    speech.hush();
  }

  addButtons(figure, forget);
  followSettings(figure, changing, redraw);
  redraw();
  followUrl(figure, forget);
  width.follow(redraw);
  html("style", { text: `img[src*="live-${address}."] { display: none; }` }, root); // the still picture has served
  return figure;
}

/**
 * What a figure is made of. A `view` needs `data`, the elements, `now`, and what reads and changes the setting.
 * @param {import("./settings.js").Model} model @param {Element} el @param {string} name @param {Definition} definition
 */
function partsOf(
  model,
  el,
  name,
  { hint, data: prepare = (constants) => constants, settings: own = () => ({}), compares },
) {
  const [address, question, guesses] = ["address", "question", "guesses"].map((trait) => model.get(trait));
  const data = prepare(constantsOf(model));
  const settings = settingsOf(model, { ...own(data, model), ...(guesses && { guess: guessSetting(guesses.answers) }) });
  const frame = createFrame(el, name, address, question, typeof hint === "string" ? hint : hint(data));
  const life = new AbortController(); // ends when the figure is taken away
  const keep = () => onSite() && replaceUrl(urlWith(address, settings.write()));
  const ghost = createGhost(compares),
    speech = createAnnouncer(frame, keep, life.signal);
  return {
    ...frame,
    model,
    address,
    guesses,
    data,
    settings,
    setting: settings.now,
    change: settings.change,
    reset: settings.reset,
    drag: dragger(settings),
    now: undefined, // what is drawn: the setting and its numbers
    afterGuess: undefined, // a figure can play how it comes to what the question is about
    ghost,
    begin: ghost.begin,
    glide: createTransition(frame.root),
    speech,
    rest: speech.rest,
    width: observeWidth(frame, life.signal),
    signal: life.signal,
    end: () => life.abort(),
  };
}

/** Lets hands move what `grab(event)` says, `release` it, and takes back what a cancelled gesture did. */
function dragger({ stored, restore }) {
  return (element, grab, release = () => {}) => {
    let before;
    const grip = (event) => {
      before = stored();
      return grab(event);
    };
    draggable(element, { grab: grip, release: (cancelled) => (cancelled ? restore(before) : release()) });
  };
}

/** Lets the reader guess. Returns what says, as HTML, what became of the guess. @param {Figure} figure @param {Definition} definition */
function guessing(figure, { asks, keeps }) {
  const { guesses, data, settings, ghost } = figure;
  const kept = (setting) => keeps?.(data, setting);
  /** From the first setting to the one that the question asks about. */
  const choose = (setting, isAnother) => {
    if (isAnother)
      ghost.keep(); // a guess about what is shown already
    else ghost.begin();
    figure.glide();
    const stays = kept(settings.now());
    settings.reset();
    settings.change({ ...stays, ...setting });
    figure.afterGuess?.();
  };
  const show = createGuesses(figure, guesses, choose);
  return (now) => show(now.setting, asks?.(data, now, guesses) ?? guesses, settings.write(), kept(now.setting));
}

/** Several traits may change in one event: `changing` hears of each, `changed` once, before the next frame is painted. */
function followSettings({ model, settings: { traits }, signal }, changing, changed) {
  let pending = false;
  const tell = () => {
    pending = false;
    changed();
  };
  const hear = () => {
    changing();
    if (!pending) queueMicrotask(tell);
    pending = true;
  };
  traits.forEach((trait) => model.on(`change:${trait}`, hear));
  signal.addEventListener("abort", () => traits.forEach((trait) => model.off(`change:${trait}`, hear)));
}

function showGhosts({ stage }, isThere) {
  const visibility = isThere ? "visible" : "hidden";
  for (const each of stage.querySelectorAll(".ghost, .was")) set(each, { visibility });
}

const inWords = (verdict, told) =>
  verdict ? `<span class="said">${verdict}</span><span class="told">${told}</span>` : told;
