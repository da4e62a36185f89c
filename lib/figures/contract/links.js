// Reset, and links to a setting: in the text, and the page's own URL.

import { prefersReducedMotion } from "../parts/drag.js";
import { html } from "../parts/plot.js";
import { addShare } from "./share.js";
import { onSite, readState, replaceUrl } from "./url_state.js";

/** @typedef {import("./settings.js").Settings} Settings */

/**
 * Add the buttons Reset and Share below the figure, since new readers need neither.
 * @param {HTMLElement} foot
 * @param {import("./share.js").Shared} figure
 * @param {() => void} forget
 */
export function addButtons(foot, figure, forget) {
  const group = html("div", { class: "lf-actions" }, foot);
  const reset = html("button", { type: "button", text: "Reset", title: "Back to the first setting" }, group);
  reset.addEventListener("click", () => {
    figure.settings.reset();
    forget();
  });
  addShare(group, figure);
}

/**
 * Apply the setting from the URL, initially and when it changes, and from links in the text.
 * @param {{ root: HTMLElement, address: string, settings: Settings, url: { take(): boolean }, begin(): void,
 *   transition(): void, signal: AbortSignal }} figure
 * @param {() => void} forget
 */
export function followUrl({ root, address, settings, url, begin, transition, signal }, forget) {
  function take() {
    if (!url.take()) return false;
    forget();
    bringIntoView(root);
    return true;
  }

  /** After Back or Forward to a URL without settings of this figure, show its first setting. */
  function travel() {
    if (take() || !isVisited()) return;
    settings.reset();
    forget();
  }

  /** Apply a link in the text. Scroll only if the figure is not fully visible. @param {MouseEvent} event */
  function follow(event) {
    const target = /** @type {Element} */ (event.target);
    const link = /** @type {HTMLAnchorElement | null} */ (target.closest?.(`a[href^="#${address}="]`));
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const [here, there] = [root, link].map((element) => element.getBoundingClientRect());
    if (there.top > here.bottom + innerHeight || there.bottom < here.top - innerHeight) return;
    event.preventDefault();
    begin();
    transition();
    settings.read(readState(address, link.hash));
    if (!isWhole(root)) root.scrollIntoView({ behavior: prefersReducedMotion() ? "auto" : "smooth" });
  }

  const options = { capture: true, signal };
  addEventListener("hashchange", travel, options);
  addEventListener("click", follow, options);
  addEventListener("pointerdown", begin, options);
  addEventListener("focusin", begin, options);
  take();
  if (onSite()) markVisited(signal);
}

const VISITED = "figuresVisited"; // in the state of an entry of the browser's history

/** Whether the reader comes back to this entry of the history. A link to a section creates a new one. */
const isVisited = () => !!history.state?.[VISITED];

/**
 * Mark this entry of the history, and each later one after every figure has followed it.
 * @param {AbortSignal} signal
 */
function markVisited(signal) {
  const mark = () => isVisited() || replaceUrl(location.href, { ...history.state, [VISITED]: true });
  mark();
  addEventListener("hashchange", () => setTimeout(mark), { signal });
}

/** Whether a figure and its sliders are fully visible. @param {HTMLElement} root */
function isWhole(root) {
  const [{ top }, { bottom }] = [root, root.closest(".live-panel") ?? root].map((one) => one.getBoundingClientRect());
  const { scrollPaddingTop } = getComputedStyle(document.documentElement), // leaves space for the page's header
    { scrollMarginTop } = getComputedStyle(root);
  return top >= (parseFloat(scrollPaddingTop) || 0) + parseFloat(scrollMarginTop) && bottom <= innerHeight;
}

/** @param {HTMLElement} root */
function bringIntoView(root) {
  const reach = () => root.scrollIntoView();
  reach();
  // Figures above may still render and shift this one. Stop following it once the reader scrolls or types.
  const moved = new AbortController();
  for (const gesture of ["wheel", "pointerdown", "keydown", "touchstart"]) {
    addEventListener(gesture, () => moved.abort(), { once: true, passive: true, signal: moved.signal });
  }
  const page = /** @type {{ figuresShown?: Promise<unknown> }} */ (/** @type {unknown} */ (window));
  page.figuresShown?.catch(() => {}).then(() => moved.signal.aborted || reach());
}
