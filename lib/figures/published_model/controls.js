import { prefersReducedMotion } from "../parts/drag.js";
import { html, set, setText } from "../parts/plot.js";
import { isPartOfCharacter } from "../parts/tokens.js";

// Controls of the published model's figure: the text, the model's file, the experiments, and the kernels of the heads.

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" }; // keep JupyterLab from handling keys

/**
 * @typedef {import("./published_model.js").Data} Data
 * @typedef {import("./published_model.js").Setting} Setting
 * @typedef {import("./published_model.js").Figure["change"]} Change
 * @typedef {import("./model.js").Model} Model
 * @typedef {import("./model.js").Status} Status
 */

/** @type {(text: string, parent: Element, act: () => void, properties?: object) => HTMLButtonElement} */
const button = (text, parent, act, properties = {}) => {
  const element = html("button", { type: "button", text, ...properties }, parent);
  element.addEventListener("click", act);
  return element;
};

/** Create the text field and the button that continues the text. @param {Element} stage @param {Data} data */
export function createWriting(stage, { longest_text: longest }) {
  const group = html("div", { class: "writing" });
  stage.before(group);
  /** @type {HTMLTextAreaElement} */
  const field = html(
    "textarea",
    { ...OWN_KEYS, "aria-label": "Your text", rows: 2, maxlength: longest, spellcheck: "false", dir: "auto" },
    group,
  );
  /** @type {HTMLButtonElement} */
  const write = html("button", { type: "button", class: "write", text: "Continue the text" }, group);
  return { field, write };
}

const UNSTORED = "This browser did not store the whole file: your next visit downloads the rest again.";

/**
 * Create the buttons that open, cancel and delete the model; `show(status)` updates them.
 * @param {Element} stage
 * @param {Data} data
 * @param {Model} model
 */
export function createOpener(stage, { size, memory: [usual, most] }, model) {
  const group = html("div", { class: "opener" });
  stage.before(group);
  const open = button("", group, model.open, { class: "open" });
  const own = html("label", { class: "own" }, group),
    ownText = html("span", {}, own);
  const input = html("input", { type: "file", accept: ".gguf", "aria-label": "A GGUF file from disk" }, own);
  const bar = html("progress", { max: 1, "aria-label": "Download" }, group);
  const cancel = button("Cancel", group, model.cancel);
  const forget = button("Delete the stored copy", group, model.forget);
  const note = html("p", { class: "note" }, group);
  input.addEventListener("change", () => {
    const [file] = input.files;
    if (file) model.openFile(file);
    input.value = "";
  });
  const where = { none: `${size} MB`, some: `${size} MB, partly stored`, all: "stored in this browser" };
  return function show(/** @type {Status} */ { phase, stored, isUnstored, share, note: words, problem }) {
    setText(open, `Open SmolLM2 (${where[stored]})`);
    set(open, {
      title: `It runs in this browser, and needs about ${usual} MB of memory, for the longest texts ${most} MB.`,
    });
    open.hidden = phase !== "closed";
    own.hidden = phase === "loading";
    setText(ownText, phase === "open" ? "Open a different GGUF file" : "or a GGUF file from disk");
    bar.hidden = cancel.hidden = phase !== "loading";
    bar.value = share;
    forget.hidden = phase === "loading" || stored === "none";
    const loading = share < 1 ? `${Math.round(100 * share)} % of ${size} MB` : "Opening …";
    const kept = phase === "open" && isUnstored ? UNSTORED : "";
    setText(note, problem || (phase === "loading" ? loading : words || kept));
  };
}

/**
 * Create the notice that what the reader asked for needs the model, with the button that opens it. `dismiss` is
 * called when the reader prefers not to; `show(text, status)` updates the notice, and hides it without a text.
 * @param {Element} stage @param {Data} data @param {Model} model @param {() => void} dismiss
 */
export function createNotice(stage, { size }, model, dismiss) {
  /** @type {HTMLElement} */
  const element = html("div", { class: "notice", hidden: true }, stage);
  const words = html("p", {}, element);
  const open = button("", element, model.open, { class: "open" });
  /** @type {HTMLElement | null} */
  let before; // the focused element, which gets the focus back
  button("Not now", element, () => {
    dismiss();
    before?.focus({ preventScroll: true });
  });
  /** @type {(text: string | undefined, status: Status) => void} */
  const show = (text, { phase, stored, share, problem }) => {
    if (text && element.hidden) before = /** @type {HTMLElement | null} */ (document.activeElement);
    element.hidden = !text;
    setText(words, problem || (text ?? ""));
    open.disabled = phase === "loading";
    const ready = stored === "all" ? "Open it" : `Download it (${size} MB)`;
    setText(open, phase === "loading" ? `${Math.round(100 * share)} % of ${size} MB` : ready);
  };
  return { element, show };
}

/**
 * Create a button for each experiment; its settings replace the present ones, and `asked` is called.
 * `show(setting)` marks the experiment that is shown, with any query.
 * @param {Element} stage @param {Data} data @param {Change} change @param {() => void} asked
 */
export function createQuestions(stage, { questions, defaults }, change, asked) {
  const group = html("div", { class: "questions", role: "group", "aria-label": "Experiments" });
  stage.before(group);
  const { text } = defaults;
  const start = { text, query: Infinity, kernel: "dot product", scope: "this head", hidden: [] };
  const experiments = questions.map(([name, setting]) => {
    const whole = { ...start, ...setting };
    const act = () => {
      asked();
      change(whole);
    };
    return { element: button(name, group, act), whole };
  });
  return function show(/** @type {Record<string, unknown>} */ now) {
    for (const { element, whole } of experiments) {
      const isShown = Object.entries(whole).every(
        ([name, value]) => name === "query" || String(value) === String(now[name]),
      );
      set(element, { "aria-pressed": String(isShown) });
    }
  };
}

/**
 * Create a menu; `chosen(name)` is called when the reader selects an entry.
 * @type {(label: string, words: Record<string, string>, parent: Element, chosen: (name: string) => void) =>
 *   HTMLSelectElement}
 */
function menu(label, words, parent, chosen) {
  const row = html("label", { class: "menu", text: label }, parent);
  const select = html("select", OWN_KEYS, row);
  Object.entries(words).forEach(([name, text]) => html("option", { value: name, text }, select));
  select.addEventListener("change", () => chosen(select.value));
  return select;
}

/**
 * Create the menus of the kernel and the heads that have it; `show(setting)` updates them.
 * @param {Element} stage @param {Data} data @param {Change} change @param {() => number[]} attended
 */
export function createTools(stage, { kernel_names: names, ranges }, change, attended) {
  /** @type {HTMLElement} */
  const tools = html("div", { class: "tools", role: "group", "aria-label": "Kernel of the heads" }, stage);
  const kernel = menu("kernel", names, tools, (name) =>
    change({ kernel: name, ...(name === "mask" && { hidden: attended() }) }),
  );
  const named = Object.fromEntries(ranges.scope.map((name) => [name, name]));
  const scope = menu("applied to", named, tools, (name) => change({ scope: name }));
  const show = (/** @type {Setting} */ setting) => {
    kernel.value = setting.kernel;
    scope.value = setting.scope;
  };
  return { element: tools, show };
}

const MOST_WRITTEN = 40; // tokens per click

/**
 * Let a button continue the text: one token after each result, until a pointer or key press stops it. `append(word)`
 * returns whether there was space.
 * @param {Element} write @param {(word: string) => boolean} append
 */
export function createWriter(write, append) {
  let left = 0;
  function stop() {
    left = 0;
    setText(write, "Continue the text");
  }
  return {
    stop,
    start() {
      if (left) return stop();
      left = prefersReducedMotion() ? 1 : MOST_WRITTEN;
      setText(write, "Stop");
      return undefined;
    },
    /** After a result is drawn, append the likeliest next token that consists of complete characters.
     * @param {import("./view.js").View} view */
    goOn({ next, query, words }) {
      if (!left || query < words.length - 1) return;
      left -= 1;
      const word = next.find((each) => !isPartOfCharacter(each.word))?.word;
      if (!word || !append(word) || !left) stop();
    },
  };
}
