// Previews of equations, citations and glossary terms beside their links: on hover, on focus, or after a first tap.
// Escape closes the card, the pointer may move onto it (WCAG 1.4.13), and clicking the link follows it as usual. A page
// opened from disk may not read other pages, so such links have no preview.

import { article as ARTICLE } from "./private_api/theme.json";
import { element, targetOf } from "./shared/page.js";

(() => {
  const LINKS = 'a:is([href*="#equation-"], [href*="glossary.html#term-"], [href*="references.html#"])';
  const PATIENCE = 250; // milliseconds that a pointer rests before a card comes, or goes
  /** @type {Map<string, Promise<Document>>} */
  const pages = new Map();
  const card = element("div", { id: "preview", className: "preview", hidden: true });
  card.setAttribute("role", "tooltip");
  /** @type {HTMLAnchorElement | null} */
  let link = null; // the link of the open card
  let clock = 0;

  // Return the element that a URL refers to, on this page or another.
  const target = async (/** @type {HTMLAnchorElement} */ { href }) => {
    const { pathname, hash, origin } = new URL(href);
    const name = decodeURIComponent(hash.slice(1));
    if (pathname === location.pathname) return document.getElementById(name);
    let page = pages.get(pathname);
    if (!page) {
      const text = fetch(origin + pathname).then((answer) => (answer.ok ? answer.text() : ""));
      page = text.then((text) => new DOMParser().parseFromString(text, "text/html"));
      page.catch(() => pages.delete(pathname)); // offline: the next attempt fetches again
      pages.set(pathname, page);
    }
    return (await page).getElementById(name);
  };

  // Show a term's explanation, which the next term may share; for an equation the equation itself, for a reference
  // its text.
  const meaning = (/** @type {Element | null} */ element) => {
    const copies = [];
    while (element) {
      copies.push(/** @type {Element} */ (element.cloneNode(true)));
      element = element.localName === "dt" ? element.nextElementSibling : null;
    }
    for (const copy of copies) {
      copy.querySelectorAll(".headerlink, .tested, .backrefs").forEach((mark) => mark.remove());
      [copy, ...copy.querySelectorAll("[id]")].forEach((one) => one.removeAttribute("id"));
      copy.querySelectorAll("[tabindex]").forEach((one) => one.removeAttribute("tabindex"));
      copy.querySelectorAll("a").forEach((one) => one.replaceWith(...one.childNodes));
    }
    return copies;
  };

  const place = (/** @type {Element} */ link) => {
    const box = link.getBoundingClientRect();
    const above = box.bottom + card.offsetHeight + 12 > innerHeight && box.top > card.offsetHeight + 70;
    const left = Math.min(box.left, document.documentElement.clientWidth - card.offsetWidth - 8);
    card.style.left = `${Math.max(8, left) + scrollX}px`;
    card.style.top = `${(above ? box.top - card.offsetHeight - 6 : box.bottom + 6) + scrollY}px`;
  };

  const open = async (/** @type {HTMLAnchorElement} */ wanted) => {
    if (wanted === link) return;
    close();
    link = wanted;
    const found = await target(wanted).catch(() => null);
    if (!found || link !== wanted) return;
    card.replaceChildren(...meaning(found));
    card.hidden = false;
    place(wanted);
    wanted.setAttribute("aria-describedby", card.id);
  };

  const close = () => {
    link?.removeAttribute("aria-describedby");
    link = null;
    card.hidden = true;
  };

  const soon = (/** @type {() => void} */ what) => {
    clearTimeout(clock);
    clock = setTimeout(what, PATIENCE);
  };
  /** @type {(event: Event) => HTMLAnchorElement | null} */
  const linkAt = (event) => targetOf(event)?.closest(LINKS) ?? null;
  /** @type {HTMLElement | null} */
  const article = document.querySelector(ARTICLE);
  if (!article) return;
  document.body.append(card);
  // The card replaces the title attribute, which is not available by keyboard or touch.
  article.querySelectorAll('a[href*="references.html#"][title]').forEach((one) => one.removeAttribute("title"));

  addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const wanted = article.contains(targetOf(event)) && linkAt(event);
    if (card.contains(targetOf(event))) clearTimeout(clock);
    else if (wanted) soon(() => open(wanted));
    else if (!link?.matches(":focus-visible")) soon(close); // the mouse does not close a card opened by keyboard
  });
  article.addEventListener("focusin", (event) => {
    const wanted = linkAt(event);
    if (wanted?.matches(":focus-visible")) open(wanted);
  });
  article.addEventListener("focusout", close);
  addEventListener("keydown", (event) => event.key === "Escape" && close());
  addEventListener("resize", close);

  // The first tap shows the preview, the second follows the link.
  article.addEventListener("click", (event) => {
    const wanted = linkAt(event);
    if (!wanted || event.pointerType !== "touch" || wanted === link) return;
    if (location.protocol === "file:" && new URL(wanted.href).pathname !== location.pathname) return;
    event.preventDefault();
    open(wanted);
  });
  addEventListener(
    "pointerdown",
    (event) => link && !card.contains(targetOf(event)) && linkAt(event) !== link && close(),
  );
})();
