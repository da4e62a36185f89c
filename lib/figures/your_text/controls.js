import { createFileInput } from "../parts/file_input.js";
import { html, set } from "../parts/plot.js";
import { checkedText, decodedText, withPlainMarks } from "./reading.js";

// The controls above the drawing: the text, the head, and what the shades show.

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" }, // keep JupyterLab from handling keys
  LARGEST_FILE = 4e6, // bytes
  PAUSE = 250, // milliseconds after the last keystroke
  OWN = "your text";

const TEXT_FILE = {
  label: "Open a text file",
  accept: ".txt,.md,.text,text/plain,text/markdown",
  largest: LARGEST_FILE,
  kind: /** @type {const} */ ("text"),
};

/**
 * @typedef {import("./your_text.js").Figure} Figure
 * @typedef {ReturnType<typeof import("../parts/problem.js").createProblem>} Problem
 */

/**
 * A menu with a label; `chosen(name)` is called when the reader selects an entry.
 * @type {(label: string, words: Record<string, string>, parent: Element, chosen: (name: string) => void) =>
 *   HTMLSelectElement}
 */
function menu(label, words, parent, chosen) {
  const row = html("label", { text: label }, parent),
    select = html("select", OWN_KEYS, row);
  fill(select, words);
  select.addEventListener("change", () => chosen(select.value));
  return select;
}

const fill = (/** @type {HTMLSelectElement} */ select, /** @type {Record<string, string>} */ words) =>
  select.replaceChildren(...Object.entries(words).map(([value, text]) => html("option", { value, text })));

/** Where the text of a file is from; nothing for pasted text. @param {File} file @param {string} encoding */
function originOf({ name, type }, encoding) {
  if (type && name === "pasted text") return "";
  return `“${name.slice(0, 40)}”${encoding === "UTF-8" ? "" : `, read as ${encoding}`}: `;
}

/**
 * Create the field of the text, with examples and files. `take(text)` is called with a valid text; one that is not
 * leaves the drawing as it was. Returns a function that shows the text of the setting, and says where it comes
 * from.
 * @param {Figure} figure @param {Problem} problem @param {HTMLElement} parent @param {(text: string) => void} take
 */
export function textControls(figure, problem, parent, take) {
  const { examples, longest } = figure.data;
  const names = Object.fromEntries(Object.keys(examples).map((name) => [name, name]));
  let own = { text: "", origin: "" }; // the latest text of the reader, and the file that it is from
  /** @type {string | undefined} */
  let drawn;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause;
  /** @type {HTMLTextAreaElement} */
  const field = html("textarea", { ...OWN_KEYS, rows: 2, "aria-label": "Your text", spellcheck: "false" }, parent);
  field.placeholder = "Write, paste or drop a text";
  const beside = html("div", { class: "beside" }, parent);
  createFileInput(figure, { ...TEXT_FILE, take: open }, problem, beside);
  const from = menu("text", names, beside, (name) =>
    problem.attempt(() => adopt(examples[name] ?? own.text, name in examples ? "" : own.origin)),
  );
  set(from, { "aria-label": "Which text" });
  const plain = html("button", { type: "button", text: "Use plain quotes and dashes", hidden: "" }, beside);
  plain.addEventListener("click", () =>
    problem.attempt(() => adopt(withPlainMarks(figure.setting().text), from.value === OWN ? own.origin : "")),
  );

  /** @param {File[]} files */
  async function open([file]) {
    const { text, encoding } = decodedText(new Uint8Array(await file.arrayBuffer()));
    adopt(text, originOf(file, encoding));
  }

  /** Read a text and show it; nothing changes if it is not valid. @param {string} text */
  function adopt(text, origin = "") {
    const valid = checkedText(text, longest);
    own = Object.values(examples).includes(valid) ? own : { text: valid, origin };
    drawn = undefined; // the field shows the text, even if it has not changed
    take(valid);
    figure.redraw();
  }

  function typed() {
    clearTimeout(pause);
    problem.attempt(() => {
      const valid = checkedText(field.value, longest);
      own = { text: valid, origin: "" };
      drawn = valid; // the field keeps what is typed
      take(valid);
    });
  }

  field.addEventListener("input", () => {
    clearTimeout(pause);
    pause = setTimeout(typed, PAUSE);
  });
  figure.signal.addEventListener("abort", () => clearTimeout(pause));

  return function show(/** @type {string} */ text) {
    if (text !== drawn) field.value = text;
    drawn = text;
    plain.hidden = withPlainMarks(text) === text;
    const name = Object.keys(examples).find((each) => examples[each] === text);
    if (!name && own.text !== text) own = { text, origin: "" };
    const offered = own.text ? { ...names, [OWN]: OWN } : names;
    if (from.options.length !== Object.keys(offered).length) fill(from, offered);
    from.value = name ?? OWN;
    return name ? "" : own.origin;
  };
}

/**
 * Create the menus of the head and of the shades. Returns a function that shows the drawn state.
 * @param {Figure} figure
 * @param {Element} parent
 */
export function shadeControls({ data, change }, parent) {
  const { ranges, shade_labels } = data;
  const names = ranges.block.flatMap((block) =>
    ranges.head.map((head) => [`${block},${head}`, `block ${block}, head ${head}`]),
  );
  const heads = menu("head", Object.fromEntries(names), parent, (name) => {
    const [block, head] = name.split(",");
    change({ block, head });
  });
  const shades = menu("shade", shade_labels, parent, (shade) => change({ shade }));
  return function show(/** @type {Figure["now"]} */ { setting: { block, head, shade } }) {
    heads.value = `${block},${head}`;
    shades.value = shade;
  };
}
