import { onRangeInput } from "../parts/drag.js";
import { createFileInput, sizeText } from "../parts/file_input.js";
import { playButton } from "../parts/play.js";
import { html, set, setText } from "../parts/plot.js";
import { InvalidInput } from "../parts/problem.js";
import { createFolderInput } from "./folder.js";
import { levelText } from "./text.js";
import { FEWEST } from "./training_set.js";

// The controls above the drawing: where the pictures come from, and what is computed.

const LARGEST = 500e6, // bytes of all files together
  MOST_FILES = 20_000;
const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" }; // keep JupyterLab from handling keys

/**
 * @typedef {import("./your_pictures.js").Figure} Figure
 * @typedef {import("./folder.js").Found} Found
 */

/** Read a file here, because a worker of a page that was opened from disk may not. @param {Found} found */
const contentOf = async ({ file, path }) => ({ path, bytes: new Uint8Array(await file.arrayBuffer()) });

/**
 * A menu with a label; `chosen(name)` is called when the reader selects an entry.
 * @type {(label: string, words: Record<string, string>, parent: Element, chosen: (name: string) => void) => { row:
 *   HTMLElement, select: HTMLSelectElement }}
 */
function menu(label, words, parent, chosen) {
  const row = html("label", { text: label }, parent),
    select = html("select", OWN_KEYS, row);
  for (const [value, text] of Object.entries(words)) html("option", { value, text }, select);
  select.addEventListener("change", () => chosen(select.value));
  return { row, select };
}

/**
 * Create the controls of the training set. `read(files)` resolves with a set and a note, or throws `InvalidInput`.
 * Returns a function that shows the drawn state.
 * @param {Figure} figure
 * @param {ReturnType<typeof import("../parts/problem.js").createProblem>} problem
 * @param {Element} parent
 * @param {(files: import("./read.js").Content[]) => Promise<{ set: import("./training_set.js").PictureSet, note:
 *   string } | undefined>} read
 */
export function setControls(figure, problem, parent, read) {
  const { data, change, setting } = figure,
    { examples, kind_labels } = data;
  const input = {
    label: "Open pictures",
    accept: "image/*,.zip",
    largest: LARGEST,
    most: MOST_FILES,
    kind: /** @type {const} */ ("pictures"),
  };
  const receive = (/** @type {File[]} */ files) => open(files.map((file) => ({ file, path: file.name })));
  createFileInput(figure, { ...input, take: receive }, problem, parent);
  createFolderInput(figure, (files) => problem.attempt(async () => open(await files)), parent);
  const words = Object.fromEntries(Object.keys(examples).map((name) => [name, `example: ${name}`]));
  const from = menu("set", words, parent, choose);
  const kind = menu("as", kind_labels, parent, (name) => change({ kind: name }));
  const button = html("button", { type: "button", text: "Remove", title: "Remove the ringed image" }, parent);
  button.addEventListener("click", remove);

  /** Show an example in its own kind. @param {string} name */
  function choose(name) {
    change({ set: name, removed: [], picture: 0, ...(name in examples && { kind: examples[name].kind }) });
  }

  /** Read files into the training set; nothing changes if that fails. @param {Found[]} files */
  async function open(files) {
    const size = files.reduce((sum, { file }) => sum + file.size, 0);
    if (size > LARGEST) throw new InvalidInput(`Expected at most ${sizeText(LARGEST)}, got ${sizeText(size)}.`);
    const found = await read(await Promise.all(files.map(contentOf)));
    if (!found) return; // cancelled
    if (!from.select.querySelector("[value=own]")) html("option", { value: "own", text: "your pictures" }, from.select);
    figure.answer({ own: found.set });
    change({ set: "own", removed: [], picture: 0 });
    problem.show(found.note);
  }

  function remove() {
    problem.attempt(() => {
      const { known, picture } = figure.now,
        n = known.kept.length;
      if (n === FEWEST) throw new InvalidInput(`Expected at least ${FEWEST} pictures, got ${n - 1}: none was removed.`);
      const removed = [...setting().removed, known.kept[picture]].sort((a, b) => a - b);
      change({ removed, picture: Math.min(picture, n - 2) });
    });
  }

  /** @param {Figure["now"]} now */
  function show({ setName, setting: { kind: name } }) {
    from.select.value = setName;
    kind.select.value = name;
  }
  return { show, remove };
}

/**
 * Create the controls of what is computed. Returns a function that shows the drawn state.
 * @param {Figure} figure
 * @param {Element} parent
 */
export function taskControls({ data, change }, parent) {
  const { task_labels, compare_labels } = data;
  const task = menu("show", task_labels, parent, (name) => change({ task: name }));
  const compare = menu("compare", compare_labels, parent, (name) => change({ compare: name }));
  return function show(/** @type {Figure["now"]} */ { setting }) {
    task.select.value = setting.task;
    compare.select.value = setting.compare;
  };
}

/**
 * Create the controls of the noise: Play, the level, and the seed. Returns a function that shows the drawn state.
 * @param {Figure} figure
 * @param {HTMLElement} parent
 */
export function noiseControls(figure, parent) {
  const { noise } = figure.data.ranges,
    { change, setting } = figure,
    last = noise.length - 1;
  const frames = () => noise.map((_, k) => ({ noise: noise[last - k] }));
  playButton(figure, { title: "Lower the noise step by step", frames, hasSlider: true }, parent);
  const row = html("label", { class: "noise" }, parent),
    label = html("output", {}, row);
  const slider = html(
    "input",
    { ...OWN_KEYS, type: "range", min: 0, max: last, step: 1, "aria-label": "Noise σ" },
    row,
  );
  onRangeInput(slider, () => change({ noise: noise[Number(slider.value)] }));
  const again = html("button", { type: "button", text: "New noise" }, parent);
  again.addEventListener("click", () => change({ start: (setting().start + 1) % 1000 }));
  return function show(/** @type {Figure["now"]} */ { noiseStd }) {
    slider.value = String(noise.indexOf(setting().noise));
    setText(label, `σ = ${levelText(noiseStd)}`);
    set(slider, { "aria-valuetext": label.textContent });
  };
}
