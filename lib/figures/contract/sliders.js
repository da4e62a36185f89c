// The ipywidgets sliders below a figure. Only this file and widgets.css use ipywidgets' class names.

import { draggable, focus } from "../parts/drag.js";
import { clamp, plainNumber, symbolic } from "../parts/numbers.js";
import { html, set } from "../parts/plot.js";

const TYPED = ".widget-readout[contenteditable=true]";

/**
 * The handle of a setting's slider, or null.
 * @param {Element} root the figure
 * @param {string} name
 * @returns {HTMLElement | null | undefined}
 */
export const sliderOf = (root, name) => root.closest(".live-panel")?.querySelector(`.${name} :is(.noUi-handle, input)`);

/**
 * Prepare the sliders of a figure's panel for screen readers, touch and typed numbers. Returns whether there
 * is a panel with sliders.
 * @param {HTMLElement} root
 * @param {AbortSignal} signal
 */
export function prepareSliders(root, signal) {
  /** @type {HTMLElement | null} */
  const panel = root.closest(".live-panel");
  if (!panel) return false;
  name(panel);
  const beside = (/** @type {MutationRecord} */ { target }) => !root.contains(target);
  const observer = new MutationObserver((changes) => changes.some(beside) && name(panel)); // a slider may appear after its figure
  observer.observe(panel, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
  letFingersScroll(panel);
  checkNumbers(panel);
  return true;
}

/**
 * Label the slider handles and the editable numbers for screen readers, which ipywidgets does not do.
 * @param {Element} panel
 */
function name(panel) {
  for (const slider of panel.querySelectorAll(".widget-slider")) {
    const shown = slider.querySelector(".widget-label");
    if (!shown?.textContent) continue;
    if (/_\w/.test(shown.textContent)) shown.innerHTML = symbolic(shown.textContent);
    const label = shown.textContent;
    slider.querySelectorAll(".noUi-handle").forEach((handle) => set(handle, { "aria-label": label }));
    const typed = { role: "textbox", "aria-label": `${label}: type a number` };
    slider.querySelectorAll(TYPED).forEach((number) => set(number, typed));
  }
}

/**
 * Let a finger scroll the page from a slider: the slider moves only when the finger moves sideways or taps. noUiSlider
 * moves at once, and keeps the page from scrolling; so it receives no touch events.
 * @param {HTMLElement} panel
 */
function letFingersScroll(panel) {
  const sliderAt = (/** @type {any} */ event) => event.target.closest(".noUi-target");
  panel.addEventListener("touchstart", (event) => sliderAt(event) && event.stopPropagation(), true);
  /** @param {PointerEvent} event */
  function grab(event) {
    const slider = sliderAt(event);
    if (!slider || event.pointerType !== "touch") return undefined;
    const { left, width } = slider.getBoundingClientRect();
    const { min, max } = slider.noUiSlider.options.range;
    const handle = slider.querySelector(".noUi-handle");
    const off = handle.contains(event.target) ? middleOf(handle) - event.clientX : 0;
    focus(handle);
    return (/** @type {PointerEvent} */ { clientX }) =>
      slider.noUiSlider.set(min + clamp((clientX + off - left) / width, 0, 1) * (max - min));
  }
  draggable(panel, { grab, release() {} });
}

/** @param {Element} element */
function middleOf(element) {
  const { left, width } = element.getBoundingClientRect();
  return left + width / 2;
}

/**
 * Check typed numbers before ipywidgets reads them: it would read “0,7” as 0 and “1.5h” as 1.5. What is not a number is
 * rejected with a message, and the slider keeps its value.
 * @param {HTMLElement} panel
 */
function checkNumbers(panel) {
  /** @type {HTMLElement | undefined} */
  let note;
  /** @param {Event} event */
  function check({ target }) {
    const field = /** @type {HTMLElement} */ (target);
    if (!field.matches(TYPED)) return;
    const text = field.textContent ?? "";
    const number = plainNumber(text);
    field.textContent = number ?? ""; // ipywidgets restores the value of an empty field
    if (number === undefined) {
      note?.remove();
      note = html("span", { class: "lf-rejected", role: "alert", text: `“${text.trim()}” is not a number` });
      field.after(/** @type {HTMLElement} */ (note));
    }
  }
  panel.addEventListener("keydown", (event) => event.key === "Enter" && check(event), true);
  panel.addEventListener("focusout", (event) => {
    check(event);
    const isField = /** @type {Element} */ (event.target).matches(TYPED);
    if (isField) event.target?.dispatchEvent(new FocusEvent("blur", { bubbles: true })); // ipywidgets misses the browser's, which does not bubble
  });
  for (const next of ["input", "focusin", "pointerdown"]) panel.addEventListener(next, () => note?.remove());
}
