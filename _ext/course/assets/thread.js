// The reading position: the current section in the contents and, in a chapter, a progress bar and the minutes left on
// the core path. The minutes of each section are computed at build time (`chapter_head.py`).

import { article, "contents-list" as contentsList, header, "header-start" as headerStart } from "./private_api/theme.json";
import { element, remember, remembered } from "./shared/page.js";

(() => {
  const KEY = "course-code";
  const READING = 150; // pixels from the top of the window to the line that counts as being read
  const contents = document.querySelector(contentsList);
  contents?.removeAttribute("id"); // the theme would also mark sections, incorrectly after a jump
  const line = document.querySelector("p.thread");
  const sections = [...document.querySelectorAll(`${article} > section > section`)];

  // The contents list sections. Nested sections are measured only in the current section, because reading a position
  // forces layout.
  const links = [...(contents?.querySelectorAll("a") ?? [])].flatMap((link) => {
    const section = document.getElementById(decodeURIComponent(link.hash.slice(1)));
    return section ? [{ link, section }] : [];
  });
  const top = (section) => section.getBoundingClientRect().top;
  const isBegun = ({ section }) => top(section) < READING;

  function current() {
    const asked = links.find(({ link }) => link.hash === location.hash);
    const atEnd = innerHeight + scrollY > document.documentElement.scrollHeight - 4;
    if (asked && atEnd && top(asked.section) > 0 && top(asked.section) < innerHeight) return asked;
    const outer = links.filter(({ section }) => sections.includes(section)).findLast(isBegun);
    return links.filter(({ section }) => outer?.section !== section && outer?.section.contains(section)).findLast(isBegun) ?? outer;
  }

  function showPlace() {
    const here = current()?.link;
    for (const { link } of links) {
      const holds = link.parentElement.contains(here);
      link.parentElement.classList.toggle("active", holds);
      link.classList.toggle("active", link === here);
      if (link === here) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
  }

  const minutes = Number(line?.dataset.minutes);
  const core = sections.filter((section) => !section.matches('[id^="further-"], #exercises'));
  const left = element("span", { className: "minutes-left" });
  const grown = element("span", { className: "thread-grown", ariaHidden: "true" });

  /** Return the share of the core path that is left, from 1 at the top of the page to 0. */
  function shareLeft() {
    const reading = Math.min(READING, scrollY);
    const boxes = core.map((section) => section.getBoundingClientRect());
    const ahead = ({ bottom, height }) => Math.min(height, Math.max(0, bottom - reading));
    const sum = (numbers) => numbers.reduce((sum, each) => sum + each, 0);
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

  /** Create the switch that shows all code of the page except solutions; its state is stored. */
  function addCodeSwitch(button) {
    const folds = [...document.querySelectorAll(".cell:not(.tag_solution) > details.hide")];
    const set = (shown) => {
      for (const fold of folds) fold.open = shown;
      button.textContent = shown ? "Hide code" : "Show code";
    };
    if (remembered(KEY) === "shown") set(true);
    button.addEventListener("click", () => {
      const shown = button.textContent === "Show code";
      set(shown);
      remember(KEY, shown && "shown"); // without storage, it applies to this page only
    });
  }

  if (line) {
    document.querySelector(headerStart)?.append(left);
    document.querySelector(header)?.append(grown);
    addCodeSwitch(line.querySelector("button"));
  }
  if (!line && !links.length) return;
  for (const event of ["scroll", "resize", "hashchange"]) addEventListener(event, soon, { passive: true });
  addEventListener("load", async () => {
    await window.figuresShown;
    soon();
  });
})();
