// Reset, and links to a setting: one to copy, those in the text beside the figure, and the page's own address.

import { urlWith, replaceUrl, onSite, readState } from "./url_state.js";
import { prefersReducedMotion } from "../parts/drag.js";
import { html } from "../parts/plot.js";

/** Below the figure: a newcomer needs neither. */
export function addButtons({ foot, address, settings }, forget) {
  const group = html("div", { class: "actions" }, foot);
  const button = (text, title) => html("button", { type: "button", text, title }, group);
  button("Reset", "Back to the first setting").addEventListener("click", () => {
    settings.reset();
    forget();
  });
  if (onSite()) {
    copyButton(button("Copy link", "Copy a link to this setting"), () => urlWith(address, settings.write()));
  }
}

function copyButton(button, link) {
  const name = button.textContent;
  button.addEventListener("click", async () => {
    replaceUrl(link());
    const written = navigator.clipboard?.writeText(new URL(link(), location.href).href);
    const copied = await written?.then(
      () => true,
      () => false,
    );
    button.textContent = copied ? "Copied" : "It is in the address bar";
    setTimeout(() => (button.textContent = name), 2000);
  });
}

/** Take the setting from the address, now and when it changes, and from links beside the figure. */
export function followUrl({ root, address, settings, begin, glide, signal }, forget) {
  function take() {
    if (!settings.read(readState(address))) return;
    forget();
    bringIntoView(root);
  }

  /** A link in the text beside the figure sets it, and its reader stays. From farther away it leads here. */
  function follow(event) {
    const link = event.target.closest?.(`a[href^="#${address}="]`);
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const [here, there] = [root, link].map((element) => element.getBoundingClientRect());
    if (there.top > here.bottom + innerHeight || there.bottom < here.top - innerHeight) return;
    event.preventDefault();
    begin();
    glide();
    settings.read(readState(address, link.hash));
    if (!isWhole(root)) root.scrollIntoView({ behavior: prefersReducedMotion() ? "auto" : "smooth" });
  }

  const heed = (event, act) => addEventListener(event, act, { capture: true, signal });
  heed("hashchange", take);
  heed("click", follow);
  heed("pointerdown", begin);
  heed("focusin", begin);
  take();
}

/** Whether a figure and its sliders are in sight. */
function isWhole(root) {
  const [{ top }, { bottom }] = [root, root.closest(".live-panel") ?? root].map((one) => one.getBoundingClientRect());
  const { scrollPaddingTop } = getComputedStyle(document.documentElement), // of a page with a header
    { scrollMarginTop } = getComputedStyle(root);
  return top >= (parseFloat(scrollPaddingTop) || 0) + parseFloat(scrollMarginTop) && bottom <= innerHeight;
}

function bringIntoView(root) {
  const reach = () => root.scrollIntoView();
  reach();
  // Figures above may still be drawn and move this one. A reader who has moved on is left alone.
  const moved = new AbortController();
  for (const hand of ["wheel", "pointerdown", "keydown", "touchstart"]) {
    addEventListener(hand, () => moved.abort(), { once: true, passive: true, signal: moved.signal });
  }
  /** @type {any} */ (window).figuresShown?.catch(() => {}).then(() => moved.signal.aborted || reach());
}
