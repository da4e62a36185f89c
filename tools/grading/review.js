// The page that shows a class. It takes all text from the table of data below it, and writes it as text, never as HTML.
const { rows, expected } = JSON.parse(document.getElementById("data").textContent);
const filters = document.querySelector("form");
const body = document.querySelector("tbody");
const detail = document.getElementById("detail");

/** An element with a text, or with other elements. */
function create(name, content = "", attributes = {}) {
  const element = document.createElement(name);
  element.append(...[content].flat());
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  return element;
}

const list = (texts) => create("ul", texts.map((text) => create("li", text)));

/** One question: its points, what the student is told, and the two answers. */
function createQuestion(row, name) {
  const told = row.feedback.filter((text) => text.startsWith(`${name}: `));
  const answer = (title, text) => create("div", [create("h4", title), create("pre", create("code", text || "none"))]);
  return create("section", [
    create("h3", `${name}: ${row.questions[name]} of ${row.full[name]} points`),
    list(told),
    create("div", [answer("Answer", row.answers[name]), answer("Expected", expected[row.solution]?.[name])], { class: "pair" }),
  ]);
}

function open(row, button) {
  for (const other of body.querySelectorAll("button")) {
    other.setAttribute("aria-current", String(other === button));
  }
  const names = Object.keys(row.questions);
  const others = row.feedback.filter((text) => !names.some((name) => text.startsWith(`${name}: `)));
  const heading = create("h2", `${row.student || "no id"}, ${row.file}`, { tabindex: "-1" });
  const back = create("button", "Back to the table", { type: "button" });
  back.addEventListener("click", () => button.focus());
  detail.replaceChildren(heading, list([...row.remarks, ...others]), ...names.map((name) => createQuestion(row, name)), back);
  heading.focus();
}

function createRow(row) {
  const button = create("button", row.student || "no id", { type: "button", "aria-current": "false" });
  button.addEventListener("click", () => open(row, button));
  const cells = [row.file, row.assignment, `${row.points} of ${row.out_of}`, row.counts, row.remarks.join(" | ")];
  return create("tr", [create("th", button, { scope: "row" }), ...cells.map((text) => create("td", text))]);
}

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
  document.getElementById("count").textContent = `${shown.length} of ${rows.length} files`;
}

for (const name of [...new Set(rows.map((row) => row.assignment))].filter(Boolean).sort()) {
  filters.elements.assignment.append(create("option", name, { value: name }));
}
filters.addEventListener("input", draw);
filters.addEventListener("submit", (event) => event.preventDefault());
draw();
