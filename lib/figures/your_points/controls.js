import { createFileInput } from "../parts/file_input.js";
import { html, set } from "../parts/plot.js";
import { InvalidInput } from "../parts/problem.js";
import { parameterText } from "./text.js";
import { DELIMITERS } from "./delimited.js";
import { accountOf, firstColumns, LARGEST_FILE, pointsOf, tableOf, textOf, usable } from "./table.js";

// The controls above the drawing: where the points come from, the method, and how its parameter is chosen.

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" }; // keep JupyterLab from handling keys

/** A menu with a label; `chosen(name)` is called when the reader selects an entry. */
function menu(label, words, parent, chosen) {
  const row = html("label", { text: label }, parent),
    select = html("select", OWN_KEYS, row);
  fill(select, words);
  select.addEventListener("change", () => chosen(select.value));
  return { row, select };
}

const fill = (select, words) =>
  select.replaceChildren(...Object.entries(words).map(([value, text]) => html("option", { value, text })));

/**
 * Create the controls of the data. `take(points)` is called with points that are valid; a table that is not leaves
 * everything as it was. Returns a function that shows the drawn points.
 */
export function dataControls(figure, problem, parent, take) {
  const { examples } = figure.data;
  let own; // the latest table of the reader: its name, text, dialect as set, columns and points
  const input = {
    label: "Open a CSV file",
    accept: ".csv,.tsv,.txt,.dat,.json,text/csv,text/plain,application/json",
    largest: LARGEST_FILE,
    take: read,
  };
  createFileInput(figure, input, problem, parent);
  const words = Object.fromEntries(Object.keys(examples).map((name) => [name, `example: ${name}`]));
  const from = menu("data", words, parent, (name) => take(examples[name] ?? own.points));
  const [x, y] = ["x", "y"].map((name) => menu(name, {}, parent, () => problem.attempt(choose)));
  const fold = html("details", { class: "lf-fold typed" }, parent);
  html("summary", { text: "Paste" }, fold);
  const field = html(
    "textarea",
    { ...OWN_KEYS, rows: 4, "aria-label": "Two columns of numbers", placeholder: "x, y" },
    fold,
  );
  const use = html("button", { type: "button", text: "Use these" }, fold);
  use.addEventListener("click", () => problem.attempt(() => adopt("pasted", field.value)));

  const account = dialectControls(figure.stage, (chosen) =>
    problem.attempt(() => adopt(own.name, own.text, { ...own.chosen, ...chosen })),
  );

  async function read([file]) {
    adopt(file.name, textOf(new Uint8Array(await file.arrayBuffer())));
  }

  /** Read a table and show two columns, the first ones or those chosen before; nothing changes if it is not valid. */
  function adopt(name, text, chosen = {}) {
    if (!text.trim()) throw new InvalidInput("Expected two columns of numbers, got nothing.");
    const table = tableOf(text, chosen),
      columns = firstColumns(table);
    own = { name, text, chosen, table, columns, points: pointsOf(table, columns) };
    fill(from.select, { ...words, own: `your data: ${name.slice(0, 24)}` });
    const named = Object.fromEntries(usable(table).map(({ i, name: column }) => [i, column.slice(0, 24)]));
    for (const { select } of [x, y]) fill(select, named);
    take(own.points);
    figure.redraw(); // also if the points are those that are drawn
  }

  function choose() {
    const columns = [x, y].map(({ select }) => Number(select.value));
    const points = pointsOf(own.table, columns);
    own = { ...own, columns, points };
    take(points);
  }

  return function show(points) {
    const isOwn = !!own && isSame(own.points, points),
      example = Object.keys(examples).find((name) => isSame(examples[name], points));
    from.select.value = isOwn ? "own" : (example ?? (own ? "own" : from.select.value));
    for (const { row } of [x, y]) row.hidden = !isOwn;
    if (isOwn) [x, y].forEach(({ select }, i) => (select.value = String(own.columns[i])));
    account(isOwn ? own : undefined);
  };
}

const READINGS = {
  delimiter: DELIMITERS,
  decimal: { ".": "point", ",": "comma" },
  thousands: { ",": "comma", ".": "point", none: "none" },
  order: { dmy: "day/month/year", mdy: "month/day/year" },
};

/**
 * The line under the figure that accounts for a table, with menus that change how it is read. Returns a function that
 * shows a table, or nothing.
 */
function dialectControls(stage, change) {
  const fold = html("details", { class: "lf-fold lf-account", hidden: "" });
  stage.after(fold);
  const line = html("summary", {}, fold),
    row = html("div", { class: "lf-input" }, fold);
  const menus = Object.entries(READINGS).map(([name, words]) => ({
    name,
    ...menu(name === "order" ? "1/2/2024" : name, words, row, (value) => change({ [name]: value })),
  }));
  return function show(own) {
    fold.hidden = !own;
    if (!own) return;
    line.textContent = accountOf(own.table, own.columns, DELIMITERS);
    for (const { name, select } of menus) select.value = own.table.dialect[name];
  };
}

const isSame = (one, other) =>
  one === other ||
  (one.keys.length === other.keys.length &&
    one.keys.every((key, i) => key === other.keys[i] && one.values[i] === other.values[i]));

/** Create the controls of the method. Returns a function that shows the drawn state. */
export function methodControls({ data: { method_labels, by_labels, panel_labels }, change }, parent) {
  const method = menu("method", method_labels, parent, (name) => change({ method: name }));
  const row = html("label", { class: "parameter" }, parent),
    label = html("output", {}, row);
  const slider = html("input", { ...OWN_KEYS, type: "range", min: 0, step: 1 }, row);
  const by = menu("by", by_labels, parent, (name) => change({ by: name, ...(name === "hand" && shown) }));
  const panel = menu("below", panel_labels, parent, (name) => change({ panel: name }));
  let now, shown; // the drawn state, and its parameter as a setting
  slider.addEventListener("input", () => change({ by: "hand", [now.name]: now.candidates[Number(slider.value)] }));
  return function show(drawn) {
    const { setting, name, parameter, candidates } = drawn;
    now = drawn;
    shown = name && { [name]: parameter };
    method.select.value = setting.method;
    by.select.value = setting.by;
    panel.select.value = setting.panel;
    for (const part of [row, by.row]) part.hidden = !name;
    if (!name) return;
    const distances = candidates.map((candidate) => Math.abs(Math.log(candidate / parameter)));
    slider.max = String(candidates.length - 1);
    slider.value = String(distances.indexOf(Math.min(...distances)));
    label.textContent = parameterText(name, parameter);
    set(slider, { "aria-label": name, "aria-valuetext": label.textContent });
  };
}
