// The elements around a figure, and how wide its stage is.

import { html } from "../parts/plot.js";
import { nameSliders } from "./sliders.js";

/** @typedef {ReturnType<typeof createFrame>} Frame */

/**
 * A question, a stage to draw on, a sentence, a hint. Its classes begin with `lf-`, so that no figure has one of them.
 * @param {Element} el
 * @param {{ name: string, address: string, question: string, hint: string }} texts
 */
export function createFrame(el, { name, address, question, hint }) {
  /** @type {HTMLElement} */
  const root = html(
    "div",
    {
      class: `live-figure ${name}-figure`,
      "data-figure": name,
      "data-address": address,
      role: "group",
      "aria-label": question,
      "data-lm-suppress-shortcuts": "true", // JupyterLab leaves the arrow keys to the figure
    },
    el,
  );
  /** @type {HTMLElement} */
  const bar = html("div", { class: "lf-bar" }, root);
  /** @type {HTMLElement} */
  const asked = html("p", { class: "lf-question", text: question }, bar);
  /** @type {HTMLElement} */
  const actions = html("div", { class: "lf-actions" }, bar);
  /** @type {HTMLElement} */
  const stage = html("div", { class: "lf-stage" }, root);
  /** @type {HTMLElement} */
  const sentence = html("p", { class: "lf-sentence", "aria-live": "polite" }, root);
  keepHeight(sentence);
  /** @type {HTMLElement} */
  const foot = html("div", { class: "lf-foot" }, root);
  html("p", { class: "lf-hint", text: hint }, foot);
  return { root, bar, asked, actions, stage, sentence, foot };
}

/**
 * What stands below a text stays where it is: the text keeps the greatest height that it has had at this width.
 * @param {HTMLElement} element
 */
function keepHeight(element) {
  /** @type {number | undefined} */
  let width;
  const grown = new ResizeObserver(() => {
    if (element.clientWidth !== width) element.style.minHeight = "";
    width = element.clientWidth;
    element.style.minHeight = getComputedStyle(element).height;
  });
  grown.observe(element);
}

/**
 * The width of the stage, 0 while it is not shown. It is measured when it changes, not for each drawing: to ask would
 * lay the page out. Then `changed` draws again.
 * @param {Frame} frame
 * @param {AbortSignal} signal
 */
export function observeWidth({ root, bar, stage }, signal) {
  let width = 0,
    isNamed = false;
  /** @param {() => void} changed */
  const follow = (changed) => {
    const resized = new ResizeObserver(() => {
      const before = width;
      width = stage.clientWidth;
      if (width !== before) changed();
      if (!isNamed) isNamed = nameSliders(root, signal); // when the figure has come to its place
    });
    resized.observe(bar); // as wide as the stage, and its height does not follow from what is drawn
    signal.addEventListener("abort", () => resized.disconnect());
  };
  return { now: () => (width ||= stage.clientWidth), follow };
}
