// The sliders below a figure, which ipywidgets draws: its names stand here and in widgets.css alone.

import { symbolic } from "../parts/numbers.js";
import { set } from "../parts/plot.js";

/** The handle of a setting's slider, if it has one. @param {Element} root the figure @param {string} name @returns {any} */
export const sliderOf = (root, name) => root.closest(".live-panel")?.querySelector(`.${name} .noUi-handle`);

/**
 * ipywidgets leaves the handles of its sliders, and their numbers to type over, without a name: each gets its label.
 * Says whether there is a panel with sliders.
 */
export function nameSliders(root, signal) {
  const panel = root.closest(".live-panel");
  if (!panel) return false;
  const name = () => {
    for (const slider of panel.querySelectorAll(".widget-slider")) {
      const shown = slider.querySelector(".widget-label");
      if (/_\w/.test(shown?.textContent)) shown.innerHTML = symbolic(shown.textContent);
      const label = shown?.textContent;
      if (!label) continue;
      slider.querySelectorAll(".noUi-handle").forEach((handle) => set(handle, { "aria-label": label }));
      const typed = { role: "textbox", "aria-label": `${label}: type a number` };
      slider.querySelectorAll(".widget-readout").forEach((readout) => set(readout, typed));
    }
  };
  name();
  const beside = ({ target }) => !root.contains(target);
  const observer = new MutationObserver((changes) => changes.some(beside) && name()); // a slider may appear after its figure
  observer.observe(panel, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  return true;
}
