// The ipywidgets sliders below a figure. Only this file and widgets.css use ipywidgets' class names.

import { symbolic } from "../parts/numbers.js";
import { set } from "../parts/plot.js";

/**
 * The handle of a setting's slider, or null.
 * @param {Element} root the figure
 * @param {string} name
 * @returns {HTMLElement | null | undefined}
 */
export const sliderOf = (root, name) => root.closest(".live-panel")?.querySelector(`.${name} .noUi-handle`);

/**
 * Label the slider handles and the editable numbers for screen readers, which ipywidgets does not do. Returns whether
 * there is a panel with sliders.
 * @param {HTMLElement} root
 * @param {AbortSignal} signal
 */
export function nameSliders(root, signal) {
  const panel = root.closest(".live-panel");
  if (!panel) return false;
  const name = () => {
    for (const slider of panel.querySelectorAll(".widget-slider")) {
      const shown = slider.querySelector(".widget-label");
      if (!shown?.textContent) continue;
      if (/_\w/.test(shown.textContent)) shown.innerHTML = symbolic(shown.textContent);
      const label = shown.textContent;
      slider.querySelectorAll(".noUi-handle").forEach((handle) => set(handle, { "aria-label": label }));
      const typed = { role: "textbox", "aria-label": `${label}: type a number` };
      slider.querySelectorAll(".widget-readout").forEach((number) => set(number, typed));
    }
  };
  name();
  const beside = (/** @type {MutationRecord} */ { target }) => !root.contains(target);
  const observer = new MutationObserver((changes) => changes.some(beside) && name()); // a slider may appear after its figure
  observer.observe(panel, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  return true;
}
