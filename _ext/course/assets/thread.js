// Where the reader is: the section in the contents beside the text, and on a chapter a line that grows and the minutes
// that are left of its core path. The minutes of each section were counted when the site was built (`chapter_head.py`).

import { article, "contents-list" as contentsList, header, "header-start" as headerStart } from "./private_api/theme.json";
import { element, remember, remembered } from "./shared/page.js";

(() => {
  const KEY = "course-code";
  const READING = 150; // pixels from the top of the window to the line that counts as being read
  const contents = document.querySelector(contentsList);
  contents?.removeAttribute("id"); // the theme would mark places there too, and does not know them after a jump
  const line = document.querySelector("p.thread");
  const sections = [...document.querySelectorAll(`${article} > section > section`)];

  // The contents name sections. Those inside a section are looked at only while it is the current one: to ask for a
  // place has the browser lay it out.
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

  /** How much of the core path lies below the line that is being read, from 1 at the head of the page to 0. */
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

  /** One switch for all code of the page but the solutions. This browser remembers it. */
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
      remember(KEY, shown && "shown"); // where that is not allowed it holds for this page
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
