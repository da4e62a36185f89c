// The browser part of `make pdf`: extract the text of each built page, then assemble the book.

const SCREEN_ONLY = `script, noscript, button, input, details:not([open], .chapter-card), .chapter-card > summary, .thread,
  .headerlink, .copybtn, .visually-hidden, .tested,
  .only-dark, .genindex-jumpbox, mjx-assistive-mml, p:has(+ .converter), .converter, .converter + p`;
const LONG_BOX = 420; // pixels, less than half a sheet
const LOOKED_UP = /^#pages\/(glossary|references|ledger)/; // links to explanations of terms need no page number

/**
 * Return the element that a selector names, where there is always one.
 * @param {string} selector
 * @param {ParentNode} [parent]
 */
const find = (selector, parent = document) => /** @type {HTMLElement} */ (parent.querySelector(selector));

/**
 * Return this page's text for the book: without screen-only elements, with IDs and links of a single document.
 * @param {string} name
 * @param {string[]} names
 * @param {string} root
 * @param {string} site
 */
function takePage(name, names, root, site) {
  const article = /** @type {HTMLElement} */ (find("article.bd-article").cloneNode(true));
  article.querySelectorAll("details:has(.eqno)").forEach(unfold); // on paper no number of an equation is missing
  article.querySelectorAll(SCREEN_ONLY).forEach((one) => one.remove());
  article.querySelectorAll(".chapter-card").forEach((card) => card.replaceWith(...card.childNodes));
  article.querySelectorAll("[id]").forEach((one) => (one.id = `${name}--${one.id}`));
  article
    .querySelectorAll("a[href]")
    .forEach((link) => link.setAttribute("href", bookAddress(target(link), names, root, site)));
  for (const image of article.querySelectorAll("img")) {
    Object.assign(image, { src: image.src, loading: "eager" });
    if (image.src.includes("/live-")) image.after(element("small", "live-address", `Live at ${site}${name}.html`));
  }
  for (const cell of article.querySelectorAll(".cell")) {
    if (!cell.textContent.trim() && !cell.querySelector("img, svg")) cell.remove();
  }
  for (const output of article.querySelectorAll(".cell_output")) {
    if (output.textContent.trim().startsWith("Exercise ")) output.remove(); // the output of an unanswered exercise
  }
  if (name === "genindex") article.querySelectorAll("td > ul > li").forEach(shortenEntry);
  return {
    title: element("h1", "", find("h1", article).textContent).textContent,
    text: article.innerHTML,
    sheets: [...document.styleSheets].flatMap((sheet) => sheet.href ?? []),
  };
}

/** Replace a collapsible section by its title and its content. @param {Element} fold */
function unfold(fold) {
  const title = element("p", "");
  title.append(element("strong", "", find("summary", fold).textContent.trim()));
  find("summary", fold).replaceWith(title);
  fold.replaceWith(...fold.childNodes);
}

/** Return what a link refers to; links in SVG have a different kind of `href`. @param {Element} link */
const hrefOf = (link) => link.getAttribute("href") ?? "";

/** Return the URL of a link. @param {Element} link */
const target = (link) => new URL(hrefOf(link), document.baseURI).href;

/**
 * Return a link's target in the book: inside it, on the published site or elsewhere.
 * @param {string} address
 * @param {string[]} names
 * @param {string} root
 * @param {string} site
 */
function bookAddress(address, names, root, site) {
  const [page, place] = address.replace(root, "").split("#");
  const name = page.replace(/\.html$/, "");
  const isSetting = place?.includes("="); // of a live figure
  if (isSetting || !names.includes(name)) return address.replace(root, site);
  return `#${name}${place ? `--${decodeURIComponent(place)}` : ""}`;
}

/** Reduce an index entry to its term and page numbers. @param {Element} entry */
function shortenEntry(entry) {
  const links = [...entry.querySelectorAll("a[href^='#']")];
  entry.replaceChildren(element("span", "", links[0].textContent), ...links.map((link) => pageNumber(hrefOf(link))));
}

/**
 * @template {keyof HTMLElementTagNameMap} Kind
 * @param {Kind} kind
 * @param {string} name
 * @param {string} [text]
 * @returns {HTMLElementTagNameMap[Kind]}
 */
function element(kind, name, text = "") {
  return Object.assign(document.createElement(kind), { className: name, textContent: text });
}

/** Return a placeholder for the page number of a target; `setPageNumbers` fills it in. @param {string} address */
function pageNumber(address) {
  const link = element("a", "page-number", "000");
  link.setAttribute("href", address);
  return link;
}

/** Add print elements: a table of contents, page numbers beside links, URLs in notes, formulas that fit. */
function finishBook() {
  /** @type {HTMLElement[]} */
  const pages = Array.from(document.querySelectorAll("section.page"));
  /** @type {NodeListOf<HTMLElement>} */
  const boxes = document.querySelectorAll(".cell_input, table");
  /** @type {NodeListOf<HTMLElement>} */
  const formulas = document.querySelectorAll("mjx-container[display]");
  pages.forEach(listAddresses);
  pages.forEach(numberLinks);
  for (const name of document.querySelectorAll("table code .pre"))
    name.innerHTML = name.innerHTML.replaceAll("_", "_<wbr>");
  for (const box of boxes) box.classList.toggle("long", box.offsetHeight > LONG_BOX);
  find("#contents").append(...pages.slice(1).flatMap(contentsOf));
  for (const formula of formulas) {
    const ratio = formula.clientWidth / formula.scrollWidth;
    if (ratio < 1) formula.style.fontSize = `${Math.floor(parseFloat(formula.style.fontSize || "100") * ratio)}%`;
  }
}

/** Number the external links of a page, and list their URLs at its end. @param {Element} page */
function listAddresses(page) {
  if (page.id === "ledger") return; // its hundreds of links refer to lines of code, which the text names
  /** @type {string[]} */
  const addresses = [];
  /** @type {NodeListOf<HTMLAnchorElement>} */
  const links = page.querySelectorAll("a[href^='http']:not(td *)"); // skip table cells
  for (const link of links) {
    if (/^(https?:|doi:|arXiv:)/.test(link.textContent)) continue; // the text already shows the URL
    if (!addresses.includes(link.href)) addresses.push(link.href);
    link.after(element("sup", "note", String(addresses.indexOf(link.href) + 1)));
  }
  if (!addresses.length) return;
  const list = element("ol", "");
  list.append(...addresses.map((address) => element("li", "", address)));
  page.append(element("p", "addresses", "Addresses"), list);
}

/** Write the page number beside each link to a different page of the course. @param {Element} page */
function numberLinks(page) {
  for (const link of page.querySelectorAll("a[href^='#']:not(.page-number)")) {
    const address = hrefOf(link);
    if (address.startsWith(`#${page.id}--`) || LOOKED_UP.test(address)) continue;
    link.after(" (p. ", pageNumber(address), ")");
  }
}

/**
 * Return a page's lines of the table of contents: the part that it begins, its title, a chapter's sections.
 * @param {HTMLElement} page
 */
function contentsOf(page) {
  const lines = page.dataset.part ? [element("h3", "", page.dataset.part)] : [];
  const depth = page.id.startsWith("chapters/") ? "h1, h2" : "h1";
  for (const heading of page.querySelectorAll(depth)) {
    const line = element("p", heading.localName === "h1" ? "line chapter" : "line section");
    const title = element("span", "");
    title.append(...heading.cloneNode(true).childNodes);
    const place = (heading.localName === "h1" ? null : heading.closest("section")) ?? page;
    line.append(title, element("i", ""), pageNumber(`#${place.id}`));
    lines.push(line);
  }
  return lines;
}

/**
 * Fill in the page numbers: `pages` maps each ID to its page. Index entries list a page once.
 * @param {Record<string, number>} pages
 */
function setPageNumbers(pages) {
  for (const link of document.querySelectorAll(".page-number")) {
    link.textContent = String(pages[hrefOf(link).slice(1)] ?? "");
  }
  for (const entry of document.querySelectorAll("#genindex li:has(.page-number)")) {
    const links = [...entry.querySelectorAll(".page-number")].sort(
      (one, other) => Number(one.textContent) - Number(other.textContent),
    );
    const once = links.filter((link, place) => link.textContent !== links[place - 1]?.textContent);
    entry.replaceChildren(find("span", entry), ...once.flatMap((link) => [", ", link]));
  }
}

/** Reduce a page's spacing, because its last sheet has little text. @param {string} id */
function tighten(id) {
  const { style } = /** @type {HTMLElement} */ (document.getElementById(id));
  style.setProperty("--tighter", String(1 + Number(style.getPropertyValue("--tighter"))));
}

// The names by which pdf.py calls these functions
Object.assign(window, { takePage, finishBook, setPageNumbers, tighten });
