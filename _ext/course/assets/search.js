// Search over sections: a result opens the matching section. The texts are in `search_sections.js`.

import { element, getElement } from "./shared/page.js";

/** @typedef {Window["courseSections"][number]} Section */

// Search terms of readers that the section's title does not contain
/** @type {Record<string, string>} */
const ALSO = {
  "chapters/01_nadaraya_watson.html#nadarayawatson-regression": "kernel smoothing smoother playground",
  "chapters/01_nadaraya_watson.html#the-equation": "gaussian bandwidth kernel",
  "chapters/01_nadaraya_watson.html#weights-as-a-matrix": "heatmap heat map",
  "chapters/03_nonlocal_means.html#non-local-means": "nlm nl",
  "chapters/04_lark.html#steering-kernels-lark": "skr",
  "chapters/06_attention.html#attention": "qkv",
  "chapters/06_attention.html#heads-values-and-masks": "multi head multihead",
  "chapters/06_attention.html#positional-encoding": "positional encoding",
  "chapters/06_attention.html#further-norms-as-features-and-mercer-s-condition": "kernel trick feature map",
  "chapters/07_performer.html#random-features-for-softmax": "kernel trick feature map rff fourier",
  "chapters/08_language_model.html#a-language-model-opened": "transformer gpt chatgpt llm",
  "chapters/08_language_model.html#from-text-to-tokens": "tokens tokenizer embedding",
  "chapters/08_language_model.html#further-rotary-positions": "rope rotary position embedding",
  "chapters/08_language_model.html#further-the-kv-cache-gqa-and-cross-attention": "kv cache cross attention",
  "chapters/09_diffusion.html#a-picture-from-noise": "diffusion ddpm score generative",
  "chapters/09_diffusion.html#tweedie-s-formula": "score tweedie s formula",
  "pages/elsewhere.html#convert-a-parameter": "convert sigma bw gamma bandwidth conversion",
  "pages/glossary.html#term-heat-map": "heatmap",
  "pages/methods.html#six-decades-in-one-table": "component mapping comparison key insights",
};
// The weight of a page: chapters most, a list of sources least
/** @type {[start: string, weight: number][]} */
const PAGES = [
  ["chapters/gallery", 0.6],
  ["chapters/further", 0.6],
  ["chapters/", 1],
  ["pages/glossary", 0.9],
  ["pages/notation", 0.7],
  ["pages/elsewhere", 0.7],
  ["pages/methods", 0.7],
  ["pages/references", 0.1],
  ["", 0.4],
];
const API = "pages/api";
const MOST_SECTIONS = 30;
const plain = (/** @type {string} */ text) =>
  text
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[-–_’'(]/g, " ");
const wordsOf = (/** @type {string} */ query) =>
  plain(query)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
const stem = (/** @type {string} */ word) => word.replace(/(?<=\p{L}{4})(ing|e|es|s)$/u, "");

/**
 * Return whether a glossary or chapter title has all these words: functions should not come first then.
 * @param {Section[]} sections
 * @param {string[]} words
 */
const isNamed = (sections, words) =>
  sections.some(
    ([page, , pageTitle, title]) =>
      (page.startsWith("pages/glossary") || (page.startsWith("chapters/") && title === pageTitle)) &&
      words.every((word) => ` ${plain(title)}`.includes(` ${stem(word)}`)),
  );

/**
 * Return `found`, the best sections, and `isAll`, whether they match all words. If no section does, `found` are
 * those that match most of them.
 * @param {Section[]} sections
 * @param {string} query
 * @returns {{found: Section[], isAll: boolean}}
 */
function find(sections, query) {
  const words = wordsOf(query);
  const ofApi = isNamed(sections, words) ? 0.1 : 0.3;
  for (let count = words.length; count > 0; count -= 1) {
    const scored = sections
      .map((section) => ({ section, points: score(section, words, count, ofApi) }))
      .filter(({ points }) => points > 0);
    const best = scored
      .sort((a, b) => b.points - a.points)
      .slice(0, MOST_SECTIONS)
      .map(({ section }) => section);
    if (best.length) return { found: best, isAll: count === words.length };
  }
  return { found: [], isAll: true };
}

/**
 * Return the score: titles count more than text, chapter titles most.
 * @param {Section} section
 * @param {string[]} words
 * @param {number} count
 * @param {number} ofApi
 */
function score([page, anchor, pageTitle, title, text, sources], words, count, ofApi) {
  const isPage = title === pageTitle;
  const inTitle = ` ${plain(title)} ${ALSO[`${page}#${anchor}`] ?? ""} `;
  const inText = ` ${plain(text)} ${sources} `;
  const all = inTitle + inText + plain(pageTitle);
  if (words.filter((word) => all.includes(` ${stem(word)}`)).length < count) return 0;
  let points = 0;
  for (const word of words.map((word) => ` ${stem(word)}`)) {
    points += (isPage ? 90 : 40) * Number(inTitle.includes(word)) + 6 * Math.log2(inText.split(word).length);
  }
  const asked = ` ${words.join(" ")}`;
  if (plain(title).replace(/^\d+\. /, "") === asked.trim()) points += 100;
  else if (words.length > 1 && (inTitle + inText).includes(asked)) points += 60;
  if (/^(Exercise|Further)/.test(title)) points *= 0.7;
  const ofPage = PAGES.find(([start]) => page.startsWith(start))?.[1] ?? 0;
  return points * (page.startsWith(API) ? ofApi : ofPage);
}

/** Return the text around the first match. @param {string} text @param {string[]} words */
function excerpt(text, words) {
  const places = words.map((word) => ` ${plain(text)}`.indexOf(` ${stem(word)}`)).filter((place) => place >= 0);
  const from = places.length ? Math.max(0, text.lastIndexOf(" ", Math.max(0, Math.min(...places) - 60))) : 0;
  const part = text.slice(from, from + 220).trim();
  const goesOn = from + 220 < text.length;
  return `${from ? "… " : ""}${goesOn ? part.replace(/\s\S*$/, " …") : part}`;
}

/** @param {Section} section @param {string[]} words */
function result([page, anchor, pageTitle, title, text], words) {
  const name = title === pageTitle ? title : `${title} · ${pageTitle}`;
  const link = element("a", { href: `${page}#${anchor}`, textContent: name });
  return element("li", {}, link, element("p", { className: "context", textContent: excerpt(text, words) }));
}

/** List the best sections for a query. @param {string} query */
function showSections(query) {
  const { found, isAll } = find(window.courseSections, query);
  const words = wordsOf(query);
  const many =
    found.length === MOST_SECTIONS
      ? `The best ${MOST_SECTIONS} sections`
      : `${found.length} section${found.length === 1 ? "" : "s"}`;
  const some = isAll ? `${many} for “${query}”.` : `No section has all of “${query}”. These match most of its words.`;
  const say = found.length ? some : `No section has “${query}”. Try a different word.`;
  getElement("#search-results").append(
    element("p", { className: "search-summary", role: "status", textContent: say }),
    element("ul", { className: "search" }, ...found.map((section) => result(section, words))),
  );
}

const query = new URLSearchParams(location.search).get("q") ?? "";
/** @type {NodeListOf<HTMLInputElement>} */
const fields = document.querySelectorAll('input[name="q"]');
fields.forEach((field) => {
  field.value = query;
});
if (query) showSections(query);
