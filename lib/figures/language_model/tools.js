import { prefersReducedMotion } from "../parts/drag.js";
import { AS_TRAINED, TRAINED, darkWords, hasTemperature } from "./view.js";
import { placeBandwidth } from "./text.js";
import { format, indexOfLargest } from "../parts/numbers.js";
import { html, set } from "../parts/plot.js";
import { isPartOfCharacter } from "../parts/tokens.js";
import { softmax } from "../methods/weights.js";

// What stands around the drawing of the language model's figure: the text field, the button that writes on, and what one
// can take from the heads.

const WRITE_PAUSE = 350,
  MOST_WRITTEN = 60; // milliseconds between two tokens, and how many at one press

export const button = (text, parent, properties = {}) =>
  html("button", { type: "button", text, ...properties }, parent);

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" }; // JupyterLab leaves the arrow keys to an element that has this itself

/** A menu of names: `chosen(name)` hears of a choice. */
function menu(label, words, parent, chosen) {
  const row = html("label", { class: "menu", text: label }, parent);
  const select = html("select", OWN_KEYS, row);
  Object.entries(words).forEach(([name, text]) => html("option", { value: name, text }, select));
  select.addEventListener("change", () => chosen(select.value));
  return { row, select };
}

const SAMPLES = { 0: "the likeliest, T = 0", 0.7: "drawn at T = 0.7", 1.5: "drawn at T = 1.5" };

/** The text field, and beside it the button that writes on and the temperature of what it writes. */
export function writingPlace(stage, { longest_text: longest, ranges }, change) {
  const group = html("div", { class: "writing" });
  stage.before(group);
  const words = { "aria-label": "Your text", placeholder: "Write a sentence" };
  const field = html(
    "textarea",
    { ...words, rows: 2, maxlength: longest, spellcheck: "false", autocomplete: "off" },
    group,
  );
  const beside = html("div", {}, group);
  const write = button("Write on", beside, { class: "write", title: "Append next words at the end, one at a time" });
  const samples = Object.fromEntries(ranges.sampling.map((T) => [T, SAMPLES[T]]));
  const { select } = menu("", samples, beside, (sampling) => change({ sampling }));
  set(select, { "aria-label": "next word" });
  return { field, write, sampling: select };
}

const KERNEL =
  "How alike a query and a key are: the first of a head's three lines. The Gaussian is at the balanced scale.";
const SLIDERS = {
  scores: {
    name: "τ in heads",
    title:
      "All scores of a head are divided by τ. A smaller τ leaves weight to fewer words. The heads learned with √d.",
  },
  place: {
    name: "h in heads",
    title: "The bandwidth h says how many pieces back a head looks. A smaller h looks at nearer words.",
  },
};

/** What one can take from the heads: two questions as buttons, the kernel, where it is used, its number. */
export function toolsIn(stage, { kernel_names, ranges }, change) {
  const tools = html("div", { class: "tools", role: "group", "aria-label": "What the heads may look at" }, stage);
  const named = (names) => Object.fromEntries(names.map((name) => [name, name]));
  const places = button("", tools);
  const hide = button("", tools);
  const kernel = menu("kernel", kernel_names, tools, (name) =>
    change({ kernel: name, ...(name === "hide" && { hidden: dark }) }),
  );
  const scope = menu("used by", named(ranges.scope), tools, (name) => change({ scope: name }));
  const row = html("label", { class: "menu" }, tools);
  const rowName = html("span", {}, row);
  const [min, max, step] = ranges.temperature;
  const slider = html("input", { ...OWN_KEYS, type: "range", min, max, step }, row);
  const number = html("output", {}, row);
  const each = html("label", { class: "menu each", title: "Else a press on a word moves the query to it" }, tools);
  const hides = html("input", { type: "checkbox" }, each);
  html("span", { text: "a press on a word hides or shows it" }, each);
  set(kernel.row, { title: KERNEL });
  const features = menu("features", named(ranges.features), tools, (name) => change({ features: name }));
  const onlyPlaces = { ...AS_TRAINED, kernel: "place", scope: "all heads" };
  const isPlaces = ({ kernel: name, scope: where }) => name === "place" && where === "all heads";
  let now, dark; // the setting that is shown, and the strongly attended words
  slider.addEventListener("input", () => change({ temperature: Number(slider.value) }));
  places.addEventListener("click", () => change(isPlaces(now) ? AS_TRAINED : onlyPlaces));
  hide.addEventListener("click", () =>
    change(now.kernel === "hide" ? AS_TRAINED : { ...AS_TRAINED, kernel: "hide", hidden: dark }),
  );
  function show(setting, view) {
    [now, dark] = [setting, darkWords(view)];
    kernel.select.value = setting.kernel;
    scope.select.value = setting.scope;
    features.select.value = String(setting.features);
    slider.value = setting.temperature;
    number.textContent = setting.kernel === "place" ? placeBandwidth(setting) : `${format(setting.temperature, 1)} √d`;
    slider.setAttribute("aria-valuetext", number.textContent);
    const { name, title } = SLIDERS[setting.kernel === "place" ? "place" : "scores"];
    rowName.textContent = name;
    set(slider, { "aria-label": name });
    for (const one of [row, slider]) set(one, { title });
    row.hidden = !hasTemperature(setting);
    each.hidden = setting.kernel !== "hide";
    features.row.hidden = setting.kernel !== "performer";
    places.classList.toggle("on", isPlaces(setting));
    places.textContent = isPlaces(setting) ? "All heads as trained again" : "Let all heads look only at places";
    hide.classList.toggle("on", setting.kernel === "hide");
    hide.textContent = setting.kernel === "hide" ? "Show the words again" : "Hide the words it looks at most";
    const isTrained = setting.kernel === TRAINED;
    hide.disabled = setting.kernel !== "hide" && !(isTrained && dark.length);
    hide.title = hide.disabled ? (isTrained ? "It looks only at itself" : "Of heads as trained only") : "";
  }
  return { element: tools, show, hides: () => now.kernel === "hide" && hides.checked };
}

// ---- Writing on ---------------------------------------------------------------------------------------------------

/** The next word at a temperature of sampling: the likeliest at 0, else drawn. A part of a character is no word. */
export function drawnWord({ view, answers: { answer, table } }, T) {
  if (T === 0 || !answer) return view.next?.find(({ word }) => !isPartOfCharacter(word))?.word;
  const size = table.words.length,
    last = answer.tokens.length - 1;
  const logits = answer.swapped.logits.subarray(last * size, (last + 1) * size);
  const weights = softmax(
    logits.map((logit, token) => (isPartOfCharacter(table.words[token]) ? -Infinity : logit / T)),
  );
  let left = Math.random();
  const drawn = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return table.words[drawn < 0 ? indexOfLargest([...weights]) : drawn];
}

/**
 * Let the model write on at the press of a button: one token after each answer, until a pointer or a key stops it.
 * `draw()` is the next word, `append(word)` writes it and says whether there was room for it,
 * `begin()` brings the query to the last token, and `end()` is called when it has stopped.
 */
export function writer(button, { draw, append, begin, end }) {
  let isWriting = false,
    written = 0,
    pause;
  function stop() {
    if (isWriting) end();
    isWriting = false;
    clearTimeout(pause);
    button.textContent = "Write on";
  }

  function start() {
    [isWriting, written, pause] = [true, 0, undefined];
    if (!prefersReducedMotion()) button.textContent = "Stop";
    begin();
  }

  function writeOne() {
    const word = draw();
    if (!word || document.hidden || !append(word)) return stop();
    written += 1;
    if (prefersReducedMotion() || written === MOST_WRITTEN) stop();
  }

  /** After each answer, when it is shown: the next token, after a while; the first one at once. */
  function goOn({ view: { setting, words } }) {
    if (!isWriting || setting.query < words.length - 1) return;
    clearTimeout(pause);
    pause = setTimeout(writeOne, written ? WRITE_PAUSE : 0);
  }

  button.addEventListener("click", () => (isWriting ? stop() : start()));
  return { stop, goOn };
}
