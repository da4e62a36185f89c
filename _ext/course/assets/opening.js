// A chapter's live figure stands after the first paragraph while that part of the page is on the screen, and else in its
// place in the text. There is one figure: it keeps what the reader has set. Until it is drawn its room is kept free.

import { "widget-area" as widgetArea } from "./private_api/ipywidgets.json";

(async () => {
  const opening = document.querySelector(".opening");

  /** The figure of this page's head in the area of its own, as soon as it is drawn. */
  function drawn() {
    return new Promise((found) => {
      const look = () => {
        const figure = opening.querySelector(".live-figure[data-state]");
        if (!figure) return;
        observer.disconnect();
        found(figure.closest(widgetArea));
      };
      const observer = new MutationObserver(look);
      observer.observe(opening, { childList: true, subtree: true, attributeFilter: ["data-state"] });
      look();
    });
  }

  const area = await drawn();
  const views = document.querySelectorAll('script[type="application/vnd.jupyter.widget-view+json"]');
  const next = [...views].find((view) => view.textContent.includes(area.dataset.model));
  const home = next.parentElement;
  home.style.minHeight = `${area.offsetHeight}px`;
  home.classList.add("away");

  let near = false; // whether the head of the page is on the screen
  let printing = false; // on paper the figure is in the text

  /** Put the figure into one of its two rooms. The room that it leaves keeps its height, so that no text moves. */
  function settle() {
    const room = near && !printing ? opening : home;
    if (area.parentElement === room || area.matches(":active")) return;
    const focused = area.contains(document.activeElement) ? document.activeElement : null;
    const left = area.parentElement;
    left.style.minHeight = `${left.offsetHeight}px`;
    room.insertBefore(area, room === home ? next : room.firstChild);
    room.style.minHeight = "";
    home.classList.toggle("away", room !== home);
    focused?.focus({ preventScroll: true });
  }

  // On a busy machine several crossings come at once: the last one holds.
  new IntersectionObserver((crossings) => {
    near = crossings.at(-1).isIntersecting;
    settle();
  }).observe(opening);
  addEventListener("beforeprint", () => {
    printing = true;
    settle();
  });
  addEventListener("afterprint", () => {
    printing = false;
    setTimeout(settle); // when the page is as wide as the screen again
  });
  // A figure that is held stays where it is. It is free only after the event that ends the hold.
  for (const end of ["pointerup", "pointercancel", "keyup"]) addEventListener(end, () => setTimeout(settle));
})();
