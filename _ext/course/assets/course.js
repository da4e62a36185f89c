import { article, "wide-table" as wideTable } from "./private_api/theme.json";
import { element, targetOf } from "./shared/page.js";

// The button that runs a chapter in the browser needs a server: browsers load no Python from disk.
if (location.protocol === "file:") {
  addEventListener("click", (event) => {
    if (!targetOf(event)?.closest('a[href*="lite/notebooks/"]')) return;
    event.preventDefault();
    alert(
      "Python cannot start in pages opened from disk. Run serve.py, beside index.html, and open the address it prints.",
    );
  });
}

// Elements wider than the page scroll: make them, and only them, focusable, and fade the sides that continue.
//
// A chapter is long. When a reader opens it at its top, the browser first lays out only nearby content (course.css);
// then one section after the other gets its final height while the browser is idle.
(() => {
  const WIDE = `div.math > mjx-container, pre, .cell_output > .output, ${wideTable}`;
  const FAR = `html.from-the-top ${article} > section > section:nth-of-type(n + 2):not(.laid-out)`;
  /** @type {Record<string, string>} */
  const KINDS = { pre: "code, ", "mjx-container": "formula, " };
  const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ work) => setTimeout(work, 50));
  // A focused element is announced by its role and name.
  const makeFocusable = (/** @type {HTMLElement} */ one) => {
    one.tabIndex = 0;
    one.role = "group";
    one.ariaLabel = `${KINDS[one.localName] ?? ""}scrolls sideways`;
  };
  // Measure all elements before changing the first, so that the browser lays out only once.
  const reach = (/** @type {Iterable<HTMLElement>} */ wide) => {
    const measured = [...wide].map((one) => ({ one, hidden: one.scrollWidth - one.clientWidth, seen: one.scrollLeft }));
    for (const { one, hidden, seen } of measured) {
      if (hidden > 0) makeFocusable(one);
      else if (!one.closest(".live-figure")) one.removeAttribute("tabindex"); // a figure's code stays focusable
      one.classList.toggle("more", hidden - seen > 2);
    }
  };
  /** Return the elements that may be wider than the page. @type {(parent: ParentNode | null) => HTMLElement[]} */
  const within = (parent) => Array.from(parent?.querySelectorAll(WIDE) ?? []);
  const reachAll = () => {
    const far = [...document.querySelectorAll(FAR)];
    const isNear = (/** @type {Element} */ one) => !far.some((section) => section.contains(one));
    reach(within(document).filter(isNear));
  };
  const layOut = (/** @type {Element} */ section) => {
    section.classList.add("laid-out");
    reach(within(section));
  };
  const layOutNext = () => {
    const section = document.querySelector(FAR);
    if (!section) return document.documentElement.classList.add("all-laid-out");
    layOut(section);
    idle(layOutNext);
  };
  const layOutAll = () => document.querySelectorAll(FAR).forEach(layOut);

  const text = document.querySelector("article") ?? document.body;
  /** @type {number | undefined} */
  let width;
  const reachAnew = () => {
    if (width === text.offsetWidth) return;
    width = text.offsetWidth;
    reachAll();
  };

  addEventListener("load", async () => {
    await window.figuresShown;
    idle(reachAnew);
    // The title is as wide as the text. Observing the text would cause a loop: a figure's own observer changes its
    // height.
    idle(() => new ResizeObserver(reachAnew).observe(text.querySelector("h1") ?? text));
    idle(layOutNext);
  });
  for (const jump of ["beforeprint", "hashchange"]) addEventListener(jump, layOutAll);
  addEventListener("click", (event) => targetOf(event)?.closest('a[href*="#"]') && layOutAll());
  document.addEventListener("toggle", (event) => reach(within(targetOf(event))), true);
  document.addEventListener(
    "scroll",
    (event) => {
      const one = targetOf(event);
      if (one?.matches(WIDE)) reach([/** @type {HTMLElement} */ (one)]);
    },
    true,
  );
})();

// Halfway through a page, prefetch the files of the next one.
(() => {
  /** @type {HTMLMetaElement | null} */
  const meta = document.querySelector('meta[name="next-scripts"]');
  const scripts = meta?.content.split(" ") ?? [];
  const look = () => {
    if (scrollY + innerHeight < document.documentElement.scrollHeight / 2) return;
    removeEventListener("scroll", look);
    for (const href of scripts) {
      document.head.append(element("link", { rel: "prefetch", as: "script", href }));
    }
  };
  if (meta) addEventListener("scroll", look, { passive: true });
})();

// Copied formulas become TeX.
document.addEventListener("copy", (event) => {
  const selection = getSelection();
  const { clipboardData } = event;
  if (!selection || selection.isCollapsed || !clipboardData) return;
  const copied = element("div");
  for (let i = 0; i < selection.rangeCount; i++) copied.append(selection.getRangeAt(i).cloneContents());
  /** @type {NodeListOf<HTMLElement>} */
  const formulas = copied.querySelectorAll(".math[data-tex]");
  if (!formulas.length) return;
  for (const formula of formulas) {
    const mark = formula.localName === "div" ? "$$" : "$";
    formula.textContent = mark + formula.dataset.tex + mark;
  }
  event.preventDefault();
  copied.style = "position: fixed; white-space: pre-wrap;"; // must be laid out, so that paragraphs stay separate
  document.body.append(copied);
  clipboardData.setData("text/plain", copied.innerText);
  clipboardData.setData("text/html", copied.innerHTML);
  copied.remove();
});
