// The reading position: the current section in the lists of sections and of pages and, in a chapter, a progress bar and
// the minutes left on the core path. The minutes of each section are computed at build time (`chapter_head.py`).

import { article, header } from "./private_api/theme.json";
import { element, getElement, remember, remembered, targetOf } from "./shared/page.js";

(() => {
  const KEY = "course-code";
  const READING = 150; // pixels from the top of the window to the line that counts as being read
  const contents = document.querySelector("#sections");
  /** @type {HTMLElement | null} */
  const line = document.querySelector("p.thread");
  const sections = [...document.querySelectorAll(`${article} > section > section`)];

  // The contents list sections. Nested sections are measured only in the current section, because reading a position
  // forces layout.
  const links = [...(contents?.querySelectorAll("a") ?? [])].flatMap((link) => {
    const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return section ? [{ link, section }] : [];
  });
  const top = (/** @type {Element} */ section) => section.getBoundingClientRect().top;
  const isBegun = (/** @type {{ section: Element }} */ { section }) => top(section) < READING;

  function current() {
    const asked = links.find(({ link }) => link.hash === location.hash);
    const atEnd = innerHeight + scrollY > document.documentElement.scrollHeight - 4;
    if (asked && atEnd && top(asked.section) > 0 && top(asked.section) < innerHeight) return asked;
    const outer = links.filter(({ section }) => sections.includes(section)).findLast(isBegun);
    return (
      links.filter(({ section }) => outer?.section !== section && outer?.section.contains(section)).findLast(isBegun) ??
      outer
    );
  }

  function showPlace() {
    const here = current()?.link;
    for (const { link } of links) {
      if (link === here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    if (now) now.textContent = here?.textContent ?? "";
  }

  const minutes = Number(line?.dataset.minutes);
  const core = sections.filter((section) => !section.matches('[id^="further-"], #exercises'));
  const left = getElement(".minutes-left");
  const now = document.querySelector(".section-now");
  const grown = element("span", { className: "thread-grown", ariaHidden: "true" });

  /** Return the share of the core path that is left, from 1 at the top of the page to 0. */
  function shareLeft() {
    const reading = Math.min(READING, scrollY);
    const boxes = core.map((section) => section.getBoundingClientRect());
    const ahead = (/** @type {DOMRect} */ { bottom, height }) => Math.min(height, Math.max(0, bottom - reading));
    const sum = (/** @type {number[]} */ numbers) => numbers.reduce((sum, each) => sum + each, 0);
    return sum(boxes.map(ahead)) / sum(boxes.map(({ height }) => height));
  }

  function showMinutes() {
    const share = shareLeft();
    const rest = share * minutes;
    const number = sections.findLastIndex((section) => isBegun({ section }));
    const beyond = sections[number]?.id.startsWith("further-") ? "further" : "core read";
    left.textContent = rest < 0.5 ? beyond : `${Math.round(rest)} min left`;
    grown.style.transform = `scaleX(${1 - share})`;
  }

  function show() {
    waiting = false;
    showPlace();
    if (line) showMinutes();
  }
  let waiting = false;
  const soon = () => {
    if (!waiting) requestAnimationFrame(show);
    waiting = true;
  };

  /** Create the switch that shows all code of the page except solutions; its state is stored.
   * @param {Element} button */
  function addCodeSwitch(button) {
    /** @type {NodeListOf<HTMLDetailsElement>} */
    const folds = document.querySelectorAll(".cell:not(.tag_solution) > details.hide");
    const set = (/** @type {boolean} */ shown) => {
      for (const fold of folds) fold.open = shown;
      button.textContent = shown ? "Hide code" : "Show code";
    };
    if (remembered(KEY) === "shown") set(true);
    button.addEventListener("click", () => {
      const shown = button.textContent === "Show code";
      set(shown);
      remember(KEY, shown ? "shown" : ""); // without storage, it applies to this page only
    });
  }

  if (line) {
    document.querySelector(header)?.append(grown);
    addCodeSwitch(getElement("p.thread button"));
  }
  // An opened list shows where the reader is, and closes when a link on the same page is followed.
  /** @type {NodeListOf<HTMLElement>} */
  const lists = document.querySelectorAll("nav[popover]");
  for (const list of lists) {
    list.addEventListener("toggle", () =>
      list.querySelector(".current, [aria-current]")?.scrollIntoView({ block: "nearest" }),
    );
    list.addEventListener("click", (event) => targetOf(event)?.closest('a[href^="#"]') && list.hidePopover());
  }
  if (!line && !links.length) return;
  for (const event of ["scroll", "resize", "hashchange"]) addEventListener(event, soon, { passive: true });
  addEventListener("load", async () => {
    await window.figuresShown;
    soon();
  });
})();
