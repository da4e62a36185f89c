// A chapter's live figure stands after the first paragraph while that part of the page is on the screen, and else in its
// place in the text. There is one figure: it keeps what the reader has set. Until it is drawn its room is kept free.
(async () => {
  const opening = document.querySelector(".opening");

  /** The element that matches, as soon as there is one. */
  function drawn(selector) {
    const article = document.querySelector("article");
    return new Promise((found) => {
      const look = () => {
        const element = article.querySelector(selector);
        if (!element) return;
        observer.disconnect();
        found(element);
      };
      const observer = new MutationObserver(look);
      observer.observe(article, { childList: true, subtree: true, attributeFilter: ["data-state"] });
      look();
    });
  }

  if (opening.style.getPropertyValue("--wide") === "0px") return; // a figure that stays in its place
  const figure = await drawn(`.live-figure[data-address="${opening.dataset.figure}"][data-state]`);
  const area = figure.closest(".widget-subarea");
  const home = area.parentElement;
  const next = area.nextSibling;

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
