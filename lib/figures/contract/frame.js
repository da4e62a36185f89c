// The elements around a figure, and the width of its stage.

import { hasKeys } from "../parts/drag.js";
import { html, setText } from "../parts/plot.js";
import { prepareSliders } from "./sliders.js";

/** @typedef {ReturnType<typeof createFrame>} Frame */

/**
 * Create a question, a stage to draw on, a sentence and a hint. Their classes begin with `lf-`, which no figure uses.
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
      "data-lm-suppress-shortcuts": "true", // keep JupyterLab from handling the arrow keys
    },
    el,
  );
  /** @type {HTMLElement} */
  const bar = html("div", { class: "lf-bar" }, root);
  /** @type {HTMLElement} */
  const asked = html("p", { class: "lf-question", text: question.replaceAll(" %", "\u00a0%") }, bar);
  /** @type {HTMLElement} */
  const actions = html("div", { class: "lf-actions" }, bar);
  /** @type {HTMLElement} */
  const stage = html("div", { class: "lf-stage" }, root);
  /** @type {HTMLElement} */
  const sentence = html("p", { class: "lf-sentence", "aria-live": "polite" }, root);
  keepHeight(sentence);
  /** @type {HTMLElement} */
  const foot = html("div", { class: "lf-foot" }, root);
  const hinted = html("p", { class: "lf-hint" }, foot);
  const setHint = (/** @type {string} */ text) => {
    setText(hinted, hasKeys() ? text : text.replace(/ ?Keyboard: [^.]*\./, ""));
  };
  setHint(hint);
  return { root, bar, asked, actions, stage, sentence, foot, setHint };
}

/**
 * Keep the layout below a text stable: the text keeps the greatest height that it has had at this width.
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
 * Observe the width of the stage, 0 while it is hidden. It is measured when it changes and not for each drawing, which
 * would force a layout. `changed` redraws the figure.
 * @param {Frame} frame
 * @param {AbortSignal} signal
 */
export function observeWidth({ root, bar, stage }, signal) {
  let width = 0,
    isPrepared = false;
  /** @param {() => void} changed */
  const follow = (changed) => {
    const resized = new ResizeObserver(() => {
      const before = width;
      width = stage.clientWidth;
      if (width !== before) changed();
      if (!isPrepared) isPrepared = prepareSliders(root, signal); // once the figure is in its panel
    });
    resized.observe(bar); // it has the stage's width, but its height does not depend on the drawing
    signal.addEventListener("abort", () => resized.disconnect());
  };
  /** Measure the width again before the next drawing. */
  const forget = () => (width = 0);
  return { now: () => (width ||= stage.clientWidth), forget, follow };
}

/**
 * The height of a figure with its sliders in a panel of a different width, in the font of the figures' own pages.
 * It is drawn there and back before the page is painted.
 * @param {Frame} frame
 * @param {ReturnType<typeof observeWidth>} width
 * @param {() => void} redraw
 * @param {number} pixels
 */
export function measureAt({ root, sentence }, width, redraw, pixels) {
  const panel = /** @type {HTMLElement} */ (root.closest(".live-panel") ?? root),
    before = [panel.style.cssText, sentence.style.minHeight];
  const draw = (/** @type {string} */ look, /** @type {string} */ minHeight) => {
    panel.style.cssText = look;
    sentence.style.minHeight = minHeight;
    width.forget();
    redraw();
  };
  draw(`${before[0]}; width: ${pixels}px; max-width: none; --serif: initial`, "");
  const { height } = panel.getBoundingClientRect();
  draw(before[0], before[1]);
  return height;
}
