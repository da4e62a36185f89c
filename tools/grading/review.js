// The page that shows a class. It takes all text from the table of data below it, and writes it as text, never as HTML.

/**
 * A submission, as `review.py` writes it; points, full points and answers by name of the question.
 * @typedef {{ file: string, student: string, assignment: string, points: number, out_of: number, counts: string,
 *   questions: Record<string, number>, full: Record<string, number>, answers: Record<string, string>,
 *   solution: string, remarks: string[], feedback: string[] }} Row
 */

/** Return the element that a selector names; the page has all of them. @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/** @type {{ rows: Row[], expected: Record<string, Record<string, string>> }} The answers by solution and question. */
const { rows, expected } = JSON.parse(find("#data").textContent);
const filters = /** @type {HTMLFormElement & { elements: Record<string, HTMLInputElement | HTMLSelectElement> }} */ (
  find("form")
);
const body = find("tbody");
const detail = find("#detail");

/**
 * An element with a text, or with other elements.
 * @param {string} name
 * @param {string | Node | (string | Node)[]} [content]
 * @param {Record<string, string>} [attributes]
 */
function create(name, content = "", attributes = {}) {
  const element = document.createElement(name);
  element.append(...[content].flat());
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  return element;
}

const list = (/** @type {string[]} */ texts) =>
  create(
    "ul",
    texts.map((text) => create("li", text)),
  );

/** One question: its points, what the student is told, and the two answers. @param {Row} row @param {string} name */
function createQuestion(row, name) {
  const told = row.feedback.filter((text) => text.startsWith(`${name}: `));
  /** @param {string} title @param {string | undefined} text */
  const answer = (title, text) => create("div", [create("h4", title), create("pre", create("code", text || "none"))]);
  return create("section", [
    create("h3", `${name}: ${row.questions[name]} of ${row.full[name]} points`),
    list(told),
    create("div", [answer("Answer", row.answers[name]), answer("Expected", expected[row.solution]?.[name])], {
      class: "pair",
    }),
  ]);
}

/** @param {Row} row @param {HTMLElement} button */
function open(row, button) {
  for (const other of body.querySelectorAll("button")) {
    other.setAttribute("aria-current", String(other === button));
  }
  const names = Object.keys(row.questions);
  const others = row.feedback.filter((text) => !names.some((name) => text.startsWith(`${name}: `)));
  const heading = create("h2", `${row.student || "no id"}, ${row.file}`, { tabindex: "-1" });
  const back = create("button", "Back to the table", { type: "button" });
  back.addEventListener("click", () => button.focus());
  detail.replaceChildren(
    heading,
    list([...row.remarks, ...others]),
    ...names.map((name) => createQuestion(row, name)),
    back,
  );
  heading.focus();
}

function createRow(/** @type {Row} */ row) {
  const button = create("button", row.student || "no id", { type: "button", "aria-current": "false" });
  button.addEventListener("click", () => open(row, button));
  const cells = [row.file, row.assignment, `${row.points} of ${row.out_of}`, row.counts, row.remarks.join(" | ")];
  return create("tr", [create("th", button, { scope: "row" }), ...cells.map((text) => create("td", text))]);
}

/** @type {Record<string, (row: Row) => boolean>} */
const KINDS = {
  all: () => true,
  lost: (row) => row.points < row.out_of,
  remarks: (row) => row.remarks.length > 0,
  undecided: (row) => row.counts === "no" || row.remarks.some((text) => text.includes("same id as")),
};

function draw() {
  const wanted = filters.elements.text.value.toLowerCase();
  const { value: assignment } = filters.elements.assignment;
  const shown = rows.filter(
    (row) =>
      KINDS[filters.elements.kind.value](row) &&
      (!assignment || row.assignment === assignment) &&
      JSON.stringify([row.student, row.file, row.remarks, row.feedback]).toLowerCase().includes(wanted),
  );
  body.replaceChildren(...shown.map(createRow));
  find("#count").textContent = `${shown.length} of ${rows.length} files`;
}

for (const name of [...new Set(rows.map((row) => row.assignment))].filter(Boolean).sort()) {
  filters.elements.assignment.append(create("option", name, { value: name }));
}
filters.addEventListener("input", draw);
filters.addEventListener("submit", (event) => event.preventDefault());
draw();
