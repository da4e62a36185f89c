// The reader's progress, by number of chapter ("1") or exercise ("1.2"), with the date. It is stored only in this
// browser until it is erased.

import { element, remember, remembered, targetOf } from "./shared/page.js";

/** @typedef {Record<string, string>} Done The date of each chapter and exercise. */

const KEY = "course-progress";

/** @returns {Done} */
const read = () => {
  try {
    const found = JSON.parse(remembered(KEY) ?? "null");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {}; // the stored value is not a list of dates
  }
};

/**
 * Store progress and return whether this browser allows it; if not, show a message below `place`.
 * @param {Done} done
 * @param {Element | null} [place]
 */
const write = (done, place) => {
  const isKept = remember(KEY, Object.keys(done).length ? JSON.stringify(done) : "");
  if (!isKept) say("This browser does not let the page store anything.", place);
  return isKept;
};

const message = element("p", { id: "progress-message", ariaLive: "polite" });
/** @param {string} words @param {Element | null} [place] */
const say = (words, place) => {
  place?.after(message);
  message.textContent = words;
};

/** @returns {HTMLInputElement[]} */
const boxes = () => Array.from(document.querySelectorAll("input[data-progress]"));
const show = () => {
  const done = read();
  boxes().forEach((box) => {
    box.checked = String(box.dataset.progress) in done;
  });
  const count = document.querySelector("#progress-count");
  if (count) count.textContent = `${boxes().filter((box) => box.checked).length} of ${boxes().length} done.`;
};

/** Add a checkbox to each exercise of a chapter, and one to its recap. */
function addBoxes() {
  /** @param {Element} heading @param {string} key @param {string} words */
  const add = (heading, key, words) => {
    const box = element("input", { type: "checkbox" });
    box.dataset.progress = key;
    heading.after(element("label", { className: "progress-box" }, box, ` ${words}`));
  };
  for (const heading of document.querySelectorAll("article h3")) {
    const number = heading.textContent.match(/^Exercise (\d\.\d) /)?.[1];
    if (number) add(heading, number, `I have done exercise ${number}`);
  }
  const chapter = document.querySelector("article h1")?.textContent.match(/^(\d)\./)?.[1];
  const recap = document.querySelector("#recap > h2");
  if (chapter && recap) add(recap, chapter, `I have read chapter ${chapter}`);
}

/** List all checkboxes, using the search index of the chapters' sections. @param {Element} list */
function fill(list) {
  /** @param {string} key @param {string} words @param {string} address */
  const item = (key, words, address) => {
    const box = element("input", { type: "checkbox" });
    box.dataset.progress = key;
    const open = element("a", { href: `../${address}`, textContent: "open", ariaLabel: `Open: ${words}` });
    return element("li", {}, element("label", {}, box, ` ${words}`), " ", open);
  };
  /** @type {Element | undefined} */
  let items;
  for (const [page, anchor, chapter, title] of window.courseSections) {
    const number = chapter.match(/^(\d)\. /)?.[1];
    const exercise = title.match(/^Exercise (\d\.\d) /)?.[1];
    if (number && title === chapter) {
      items = element("ul", {}, item(number, "The chapter", page));
      list.append(element("h2", { textContent: title }), items);
    } else if (number && exercise) items?.append(item(exercise, title, `${page}#${anchor}`));
  }
}

function takeOut() {
  const file = new Blob([JSON.stringify(read(), null, 1)], { type: "application/json" });
  const link = element("a", { href: URL.createObjectURL(file), download: "course-progress.json" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 40_000); // a browser may first ask where to save the file
}

async function putIn(/** @type {HTMLInputElement} */ input) {
  const file = input.files?.[0];
  if (!file) return;
  try {
    const found = Object.entries(JSON.parse(await file.text())).filter(([key]) => /^[1-9]\d?(\.[1-9]\d?)?$/.test(key));
    const days = Object.fromEntries(found.map(([key, day]) => [key, String(day).slice(0, 10)]));
    if (write({ ...read(), ...days })) say(`${found.length} entries read from ${file.name}.`);
  } catch {
    say(`Expected a file saved by this page, got ${file.name}.`);
  }
  input.value = "";
  show();
}

function addButtons(/** @type {Element} */ list) {
  /** @param {string} words @param {() => void} action */
  const button = (words, action) => {
    const made = element("button", { type: "button", textContent: words });
    made.addEventListener("click", action);
    return made;
  };
  const file = element("input", { type: "file", accept: ".json,application/json" });
  file.addEventListener("change", () => putIn(file));
  list.before(
    element("p", { id: "progress-count" }),
    element(
      "p",
      { className: "progress-buttons" },
      button("Save as a file", takeOut),
      element("label", {}, "Read a file", file),
      button("Erase all", () => {
        if (confirm("Erase what this browser has stored of your progress?")) write({});
        show();
      }),
    ),
    message,
  );
}

const list = document.querySelector("#progress");
if (list) {
  addButtons(list);
  fill(list);
} else addBoxes();
show();
addEventListener("storage", show);
document.addEventListener("change", (event) => {
  const box = targetOf(event);
  if (!(box instanceof HTMLInputElement) || !box.dataset.progress) return;
  const done = read();
  if (box.checked) done[box.dataset.progress] = new Date().toISOString().slice(0, 10);
  else delete done[box.dataset.progress];
  write(done, list ? null : box.closest("label"));
  show();
});
