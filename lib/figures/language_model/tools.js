import { onRangeInput, prefersReducedMotion } from "../parts/drag.js";
import { AS_TRAINED, TRAINED, hasTemperature, stronglyAttended } from "./view.js";
import { positionBandwidth } from "./text.js";
import { format, indexOfLargest } from "../parts/numbers.js";
import { html, set, setText } from "../parts/plot.js";
import { isPartOfCharacter } from "../parts/tokens.js";
import { softmax } from "../methods/weights.js";

// Controls of the language model figure: the text field, the button that continues the text, and the kernels of the
// heads.

const WRITE_PAUSE = 350; // milliseconds between two tokens
const MOST_WRITTEN = 60; // tokens per click

/**
 * @typedef {import("./language_model.js").Data} Data
 * @typedef {import("./language_model.js").Wanted} Wanted
 * @typedef {import("./language_model.js").Figure["now"]} Now
 * @typedef {import("./language_model.js").Figure["change"]} Change
 */

/** @type {(text: string, parent: Element, properties?: object) => HTMLButtonElement} */
export const button = (text, parent, properties = {}) =>
  html("button", { type: "button", text, ...properties }, parent);

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" }; // keep JupyterLab from handling keys; it checks only the element itself

/**
 * Create a menu; `chosen(name)` is called when the reader selects an entry.
 * @type {(label: string, words: Record<string, string>, parent: Element, chosen: (name: string) => void) => { row:
 *   HTMLElement, select: HTMLSelectElement }}
 */
function menu(label, words, parent, chosen) {
  const row = html("label", { class: "menu", text: label }, parent);
  const select = html("select", OWN_KEYS, row);
  Object.entries(words).forEach(([name, text]) => html("option", { value: name, text }, select));
  select.addEventListener("change", () => chosen(select.value));
  return { row, select };
}

/** @type {Record<string, string>} */
const SAMPLES = { 0: "most likely, T = 0", 0.7: "sampled, T = 0.7", 1.5: "sampled, T = 1.5" };

/**
 * Create the text field, and beside it the button that continues the text and the sampling temperature.
 * @param {Element} stage
 * @param {Data} data
 * @param {Change} change
 */
export function writingPlace(stage, { longest_text: longest, ranges }, change) {
  const group = html("div", { class: "writing" });
  stage.before(group);
  const words = { "aria-label": "Your text", placeholder: "Write a sentence" };
  /** @type {HTMLTextAreaElement} */
  const field = html(
    "textarea",
    { ...words, rows: 2, maxlength: longest, spellcheck: "false", autocomplete: "off" },
    group,
  );
  const beside = html("div", {}, group);
  const write = button("Continue", beside, { class: "write", title: "Append next words at the end, one at a time" });
  const samples = Object.fromEntries(ranges.sampling.map((T) => [T, SAMPLES[T]]));
  const { select } = menu("", samples, beside, (sampling) => change({ sampling }));
  set(select, { "aria-label": "next word" });
  return { field, write, sampling: select };
}

const KERNEL =
  "The similarity of query and key: the first of a head's three lines. The Gaussian is at the balanced scale.";
const SLIDERS = {
  scores: {
    name: "τ in heads",
    title: "The scores of a head are divided by τ. A smaller τ puts the weight on fewer words. Training used τ = √d.",
  },
  position: {
    name: "h in heads",
    title: "The bandwidth h in tokens. With a smaller h a head attends to nearer words.",
  },
};

/**
 * Create the controls of the kernels: two buttons, the kernel, the heads that use it, and its parameters.
 * @param {Element} stage
 * @param {Data} data
 * @param {Change} change
 */
export function toolsIn(stage, { kernel_names, ranges }, change) {
  /** @type {HTMLElement} */
  const tools = html("div", { class: "tools", role: "group", "aria-label": "What the heads can attend to" }, stage);
  const named = (/** @type {string[]} */ names) => Object.fromEntries(names.map((name) => [name, name]));
  const position = button("", tools);
  const mask = button("", tools);
  const kernel = menu("kernel", kernel_names, tools, (name) =>
    change({ kernel: name, ...(name === "mask" && { hidden: attended }) }),
  );
  const scope = menu("applied to", named(ranges.scope), tools, (name) => change({ scope: name }));
  const row = html("label", { class: "menu" }, tools);
  const rowName = html("span", {}, row);
  const [min, max, step] = ranges.temperature;
  const slider = html("input", { ...OWN_KEYS, type: "range", min, max, step }, row);
  const number = html("output", {}, row);
  const each = html("label", { class: "menu each", title: "Otherwise a click on a word moves the query to it" }, tools);
  const hides = html("input", { type: "checkbox" }, each);
  html("span", { text: "click a word to mask or unmask it" }, each);
  set(kernel.row, { title: KERNEL });
  const features = menu("features", named(ranges.features), tools, (name) => change({ features: name }));
  const positionOnly = { ...AS_TRAINED, kernel: "position", scope: "all heads" };
  const isPositionOnly = (/** @type {Wanted} */ { kernel: name, scope: where }) =>
    name === "position" && where === "all heads";
  /** @type {Wanted} */
  let now; // the current setting
  /** @type {number[]} */
  let attended; // the strongly attended words
  onRangeInput(slider, () => change({ temperature: Number(slider.value) }));
  position.addEventListener("click", () => change(isPositionOnly(now) ? AS_TRAINED : positionOnly));
  mask.addEventListener("click", () =>
    change(now.kernel === "mask" ? AS_TRAINED : { ...AS_TRAINED, kernel: "mask", hidden: attended }),
  );
  /** @param {Wanted} setting @param {Now["view"]} view */
  function show(setting, view) {
    [now, attended] = [setting, stronglyAttended(view)];
    kernel.select.value = setting.kernel;
    scope.select.value = setting.scope;
    features.select.value = String(setting.features);
    slider.value = setting.temperature;
    const isPosition = setting.kernel === "position";
    setText(number, isPosition ? positionBandwidth(setting) : `${format(setting.temperature, 1)} √d`);
    const { name, title } = SLIDERS[isPosition ? "position" : "scores"];
    setText(rowName, name);
    set(slider, { "aria-label": name, "aria-valuetext": number.textContent });
    for (const one of [row, slider]) set(one, { title });
    row.hidden = !hasTemperature(setting);
    each.hidden = setting.kernel !== "mask";
    features.row.hidden = setting.kernel !== "performer";
    position.classList.toggle("on", isPositionOnly(setting));
    setText(position, isPositionOnly(setting) ? "Restore all heads" : "Use position alone in all heads");
    mask.classList.toggle("on", setting.kernel === "mask");
    setText(mask, setting.kernel === "mask" ? "Unmask the words" : "Mask the most attended words");
    const isTrained = setting.kernel === TRAINED;
    mask.disabled = setting.kernel !== "mask" && !(isTrained && attended.length);
    mask.title = mask.disabled ? (isTrained ? "It attends only to itself" : "Only for heads as trained") : "";
  }
  return { element: tools, show, hides: () => now.kernel === "mask" && hides.checked };
}

/**
 * Create the button that unfolds the heads, their kernels and the loss.
 * @type {(stage: Element, unfold: () => void) => HTMLButtonElement}
 */
export const unfoldButton = (stage, unfold) => {
  const one = button("Show all heads and kernels", stage, { class: "unfold", "aria-expanded": "false" });
  one.addEventListener("click", unfold);
  return one;
};

// ---- Continuing the text -------------------------------------------------------------------------------------------

/**
 * Sample the next word at temperature T; at 0, take the most likely one. Skip tokens with partial characters.
 * @param {Now} now
 * @param {number} T
 * @returns {string | undefined}
 */
export function drawnWord({ view, answers: { answer, table } }, T) {
  if (T === 0 || !answer?.swapped || !table) return view.next?.find(({ word }) => !isPartOfCharacter(word))?.word;
  const size = table.words.length,
    last = answer.tokens.length - 1;
  const logits = answer.swapped.logits.subarray(last * size, (last + 1) * size);
  /** @type {Float64Array} */
  const weights = softmax(
    logits.map((logit, token) => (isPartOfCharacter(table.words[token]) ? -Infinity : logit / T)),
  );
  let left = Math.random();
  const drawn = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return table.words[drawn < 0 ? indexOfLargest(weights) : drawn];
}

/**
 * Let a button continue the text: one token after each response, until a pointer or key press stops it. `draw()`
 * returns the next word, `append(word)` appends it and returns whether there was space, `begin()` moves the query to
 * the last token, and `end()` is called after it stops.
 * @param {HTMLElement} button
 * @param {{ draw: () => string | undefined, append: (word: string) => boolean, begin: () => void, end: () => void
 *   }} acts
 */
export function writer(button, { draw, append, begin, end }) {
  let isWriting = false,
    written = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  function stop() {
    if (isWriting) end();
    isWriting = false;
    clearTimeout(pause);
    setText(button, "Continue");
  }

  function start() {
    [isWriting, written, pause] = [true, 0, undefined];
    if (!prefersReducedMotion()) setText(button, "Stop");
    begin();
  }

  function writeOne() {
    const word = draw();
    if (!word || document.hidden || !append(word)) return stop();
    written += 1;
    if (prefersReducedMotion() || written === MOST_WRITTEN) stop();
  }

  /** After each response, append the next token: the first one immediately, later ones after a pause.
   * @param {Now} now */
  function goOn({ view: { setting, words } }) {
    if (!isWriting || setting.query < words.length - 1) return;
    clearTimeout(pause);
    pause = setTimeout(writeOne, written ? WRITE_PAUSE : 0);
  }

  button.addEventListener("click", () => (isWriting ? stop() : start()));
  return { stop, goOn };
}
