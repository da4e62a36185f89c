// The elements around a figure, and how wide its stage is.

import { html } from "../parts/plot.js";
import { nameSliders } from "./sliders.js";

/** Its question, a stage to draw on, a sentence, a hint. */
export function createFrame(el, name, address, question, hint) {
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
  const bar = html("div", { class: "bar" }, root);
  const asked = html("p", { class: "question", text: question }, bar);
  const actions = html("div", { class: "actions" }, bar);
  const stage = html("div", { class: "stage" }, root);
  const sentence = html("p", { class: "sentence", "aria-live": "polite" }, root);
  holdHeight(sentence);
  const foot = html("div", { class: "foot" }, root);
  html("p", { class: "hint", text: hint }, foot);
  return { root, bar, asked, actions, stage, sentence, foot };
}

/** What stands below a text stays where it is: the text keeps the greatest height that it has had at this width. */
function holdHeight(element) {
  let width;
  const grown = new ResizeObserver(() => {
    if (element.clientWidth !== width) element.style.minHeight = "";
    width = element.clientWidth;
    element.style.minHeight = getComputedStyle(element).height;
  });
  grown.observe(element);
}

/**
 * The width of the stage, 0 while nobody sees it. It is measured when it changes, not for each drawing: to ask would
 * lay the page out. Then `changed` draws again.
 */
export function observeWidth({ root, bar, stage }, signal) {
  let width,
    isNamed = false;
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
