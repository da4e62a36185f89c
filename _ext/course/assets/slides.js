// Slides: Reveal without its scaling, in the reader's theme; only live figures are enlarged. Key presses go to a
// figure while it has the focus, and the URL fragment belongs to its state. S opens a synchronised window with the
// speaker's notes and a clock.

import { "widget-area" as widgetArea } from "./private_api/ipywidgets.json";
import { element, getElement, remembered, targetOf } from "./shared/page.js";

(() => {
  const root = document.documentElement;
  const deck = getElement(".reveal");
  /** @type {HTMLElement[]} */
  const slides = Array.from(deck.querySelectorAll(".slides > section"));

  function setTheme() {
    const mode = remembered("mode") || "auto";
    root.dataset.theme = mode === "auto" ? (dark.matches ? "dark" : "light") : mode;
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", setTheme);
  setTheme();

  // Figures are laid out for slides of 1024 by 576 pixels.
  const fit = () =>
    root.style.setProperty("--scale", String(Math.max(1, Math.min(innerWidth / 1024, innerHeight / 576))));
  addEventListener("resize", fit);
  fit();

  // ---- The speaker's window -------------------------------------------------------------------------------

  const clock = (/** @type {number} */ seconds) =>
    `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

  /** @type {Record<string, number>} */
  const STEPS = { ArrowRight: 1, PageDown: 1, " ": 1, ArrowLeft: -1, PageUp: -1 };

  function showNotes() {
    /** @type {number[]} */
    const until = [];
    for (const slide of slides) until.push((until.at(-1) ?? 0) + Number(slide.dataset.timing));
    document.body.classList.add("notes-view");
    const time = element("p", { className: "notes-time" });
    const text = element("p", { className: "notes-text", ariaLive: "polite" });
    document.body.replaceChildren(time, text);
    let at = 0;
    /** @type {number | undefined} */
    let begun;
    const show = () => {
      const passed = begun ? (Date.now() - begun) / 1000 : 0;
      time.textContent = `Slide ${at + 1} of ${slides.length} · ${clock(passed)} gone · this one ends at ${clock(until[at])}`;
      text.textContent = slides[at].querySelector(".notes")?.textContent ?? "";
    };
    addEventListener("message", ({ source, data }) => {
      if (source !== opener || !slides[data?.slide]) return;
      if (data.slide > 0) begun ??= Date.now();
      at = data.slide;
      show();
    });
    addEventListener("keydown", ({ key }) => {
      const step = STEPS[key];
      if (step) opener?.postMessage({ slide: at + step }, "*");
    });
    setInterval(show, 1000);
    show();
    opener?.postMessage({ ready: true }, "*");
  }

  // ---- The slides -----------------------------------------------------------------------------------------

  function showSlides() {
    /** @type {Window | null | undefined} */
    let view;
    const tell = () => view?.postMessage({ slide: Reveal.getIndices().h }, "*");
    document.querySelectorAll(`.live-panel, ${widgetArea}, .cell_output`).forEach((place) => {
      place.setAttribute("data-prevent-swipe", "");
    });
    deck.append(
      element("a", {
        className: "way-back",
        href: deck.dataset.chapter,
        textContent: "To the chapter (press S for the speaker's notes)",
      }),
    );
    const ofFigure = ".live-panel, input, select, button, [role=slider], [role=radio]";
    Reveal.initialize({
      disableLayout: true,
      slideNumber: "c/t",
      transition: "none",
      center: false,
      keyboardCondition: (event) => !targetOf(event)?.closest(ofFigure),
    });
    // Reveal calls the deck an "application", in which screen readers find no headings.
    Reveal.on("ready", () => deck.removeAttribute("role"));
    Reveal.addKeyBinding({ keyCode: 83, key: "S", description: "Speaker's notes" }, () => {
      view = open(`${location.pathname}?notes`, "notes", "width=760,height=420");
    });
    Reveal.on("slidechanged", tell);
    addEventListener("message", ({ source, data }) => {
      if (source !== view) return;
      if (data?.ready) tell();
      else if (slides[data?.slide]) Reveal.slide(data.slide);
    });
  }

  if (location.search === "?notes") showNotes();
  else showSlides();
})();
