// Move a chapter's live figure below the first paragraph while that part of the page is visible, and back to its
// position in the text otherwise. It is the same figure, so it keeps its state. Space is reserved until it is
// drawn.

import { "widget-area" as widgetArea } from "./private_api/ipywidgets.json";
import { getElement } from "./shared/page.js";

(async () => {
  const opening = getElement(".opening");

  /** Return the page's opening figure in its own widget area, as soon as it is drawn.
   * @returns {Promise<HTMLElement>} */
  function drawn() {
    return new Promise((found) => {
      const look = () => {
        const figure = opening.querySelector(".live-figure[data-state]");
        if (!figure) return;
        observer.disconnect();
        found(/** @type {HTMLElement} */ (figure.closest(widgetArea)));
      };
      const observer = new MutationObserver(look);
      observer.observe(opening, { childList: true, subtree: true, attributeFilter: ["data-state"] });
      look();
    });
  }

  const area = await drawn();
  const views = document.querySelectorAll('script[type="application/vnd.jupyter.widget-view+json"]');
  const isOwn = (/** @type {Element} */ view) => view.textContent.includes(String(area.dataset.model));
  const next = /** @type {Element} */ ([...views].find(isOwn));
  const home = /** @type {HTMLElement} */ (next.parentElement);
  home.style.minHeight = `${area.offsetHeight}px`;
  home.classList.add("away");

  let near = false; // whether the top of the page is visible
  let printing = false; // in print, the figure is in the text

  /** Move the figure into one of its two containers. The other keeps its height, so that the text does not move. */
  function settle() {
    const room = near && !printing ? opening : home;
    const left = area.parentElement;
    if (!left || left === room || area.matches(":active")) return;
    const focused = /** @type {HTMLElement | null} */ (
      area.contains(document.activeElement) ? document.activeElement : null
    );
    left.style.minHeight = `${left.offsetHeight}px`;
    room.insertBefore(area, room === home ? next : room.firstChild);
    room.style.minHeight = "";
    home.classList.toggle("away", room !== home);
    focused?.focus({ preventScroll: true });
  }

  // On a busy machine several crossings arrive at once: use the last one.
  new IntersectionObserver((crossings) => {
    near = crossings[crossings.length - 1].isIntersecting;
    settle();
  }).observe(opening);
  addEventListener("beforeprint", () => {
    printing = true;
    settle();
  });
  addEventListener("afterprint", () => {
    printing = false;
    setTimeout(settle); // after the page has its screen width again
  });
  // Do not move a figure during a drag, which ends only after this event.
  for (const end of ["pointerup", "pointercancel", "keyup"]) addEventListener(end, () => setTimeout(settle));
})();
