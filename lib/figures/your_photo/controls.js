import { createFileInput, LARGEST_PHOTOGRAPH } from "../parts/file_input.js";
import { takeHanded } from "../parts/handed_file.js";
import { html, set, setText } from "../parts/plot.js";
import { readPicture } from "./opening.js";
import { bandwidthText, pictureNote } from "./text.js";

// The controls above the photograph: where it comes from, added noise, strength, and what is shown.

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" }; // keep JupyterLab from handling keys

/**
 * @typedef {import("./your_photo.js").Figure} Figure
 * @typedef {import("./opening.js").Picture} Picture
 */

/**
 * Create the controls of the picture; `take(picture)` is called with one that is valid. Returns a function that draws.
 * @param {Figure} figure @param {import("./your_photo.js").Problem} problem @param {HTMLElement} row
 * @param {(picture: Picture) => void} take
 */
export function pictureControls(figure, problem, row, take) {
  const place = html("p", { class: "lf-note picture-note", hidden: "" });
  row.after(place);
  /** @type {File | undefined} */
  let large; // a file that can be opened scaled

  /** @param {File} file */
  async function read(file, isScaled = false) {
    hideOffer();
    const offer = (/** @type {import("./opening.js").Size} */ size) => {
      large = file;
      setText(scaled, `Open it scaled to ${size.width}\u00a0×\u00a0${size.height}`);
      scaled.hidden = false;
    };
    take(await readPicture(file, { isScaled, offer }));
  }

  const input = {
    label: "Open a photograph",
    accept: "image/*",
    largest: LARGEST_PHOTOGRAPH,
    kind: /** @type {const} */ ("photograph"),
    take: (/** @type {File[]} */ [file]) => read(file),
  };
  createFileInput(figure, input, problem, row);
  takeHanded().then((file) => {
    if (file && !figure.signal.aborted) problem.attempt(() => read(file));
  });
  const button = (/** @type {string} */ text, /** @type {() => void} */ act) => {
    const made = html("button", { type: "button", text, hidden: "" }, row);
    made.addEventListener("click", act);
    return made;
  };
  const scaled = button("", () => problem.attempt(() => large && read(large, true)));
  const back = button("Example", () => {
    const { example } = figure.now.answers;
    problem.show("");
    hideOffer();
    if (example) take(example);
  });
  function hideOffer() {
    large = undefined;
    scaled.hidden = true;
  }

  return function show(/** @type {Figure["now"]} */ { picture, answers }) {
    const isOwn = picture !== answers.example && picture !== figure.data.placeholder;
    back.hidden = !isOwn || !answers.example;
    place.hidden = !isOwn;
    setText(place, isOwn ? pictureNote(picture) : "");
  };
}

/**
 * Create the controls of noise and strength. Returns a function that shows the drawn state.
 * @param {Figure} figure
 * @param {HTMLElement} row
 */
export function methodControls({ data: { ranges }, change }, row) {
  const noise = html("select", OWN_KEYS, html("label", { text: "add noise" }, row));
  const words = (/** @type {string} */ name) => (name === "0" ? "none" : `σ = ${name}`);
  noise.append(...ranges.noise.map((name) => html("option", { value: name, text: words(name) })));
  noise.addEventListener("change", () => change({ noise: noise.value }));
  const label = html("label", { class: "strength", text: "strength" }, row),
    number = html("output", {});
  const [low, high] = ranges.strength.map(Math.log2);
  const slider = html("input", { ...OWN_KEYS, type: "range", min: low, max: high, step: 0.25 }, label);
  label.append(number);
  slider.addEventListener("input", () => change({ strength: 2 ** Number(slider.value) }));
  return function show(/** @type {Figure["now"]} */ { setting, method, bandwidth }) {
    noise.value = setting.noise;
    slider.value = String(Math.log2(setting.strength));
    number.innerHTML = bandwidthText(method.symbol, bandwidth);
    set(slider, { "aria-label": "strength", "aria-valuetext": `${setting.strength} times, ${number.textContent}` });
  };
}
