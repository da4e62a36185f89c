import { createFileInput } from "../parts/file_input.js";
import { createJobs, resultOf } from "../parts/job.js";
import { html, set, setText } from "../parts/plot.js";
import { InvalidInput } from "../parts/problem.js";
import { parameterText } from "./text.js";
import { DELIMITERS } from "./delimited.js";
import { accountOf, firstColumns, isArchive, LARGEST_FILE, pointsOf, tableOf, textOf, usable } from "./table.js";

// The controls above the drawing: where the points come from, the method, and how its parameter is chosen.

/**
 * @typedef {import("./your_points.js").Figure} Figure
 * @typedef {import("./your_points.js").Points} Points
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./table.js").Chosen} Chosen
 * @typedef {ReturnType<typeof menu>} Menu
 *
 * A table as the reader opened it, with the chosen dialect and columns; of a workbook, one sheet.
 * @typedef {{ name: string, source: string | import("./table.js").Cells, bytes?: Uint8Array, sheets?: string[],
 *   sheet?: number, chosen?: Chosen, columns?: number[] }} Source
 *
 * The same when it is read.
 * @typedef {Source & { chosen: Chosen, table: Table }} Opened
 */

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" }; // keep JupyterLab from handling keys

const TABLE_FILE = {
  label: "Open a table",
  accept: ".csv,.tsv,.txt,.dat,.json,.xlsx,.xlsm,text/csv,text/plain,application/json",
  largest: LARGEST_FILE,
  kind: /** @type {const} */ ("table"),
};

/**
 * A menu with a label; `chosen(name)` is called when the reader selects an entry, and `fill(words)` changes the
 * entries.
 * @type {(label: string, words: Record<string, string>, parent: Element, chosen: (name: string) => void) => { row:
 *   HTMLElement, select: HTMLSelectElement, fill: (offered: Record<string, string>) => void }}
 */
function menu(label, words, parent, chosen) {
  const row = html("label", { text: label }, parent),
    select = html("select", OWN_KEYS, row);
  let filled = "";
  /** Offer these words; a menu that offers them already stays open. @param {Record<string, string>} offered */
  function fill(offered) {
    if (filled === JSON.stringify(offered)) return;
    filled = JSON.stringify(offered);
    select.replaceChildren(...Object.entries(offered).map(([value, text]) => html("option", { value, text })));
  }
  fill(words);
  select.addEventListener("change", () => chosen(select.value));
  return { row, select, fill };
}

/**
 * Return the ways to read a table: a file, a sheet of a workbook, or a source that is already text or cells. Each calls
 * `draw` with the table and a function that chooses two columns.
 * @param {Figure} figure @param {import("./your_points.js").Problem} problem
 * @param {(opened: Opened, columnsOf: (table: Table) => number[]) => void} draw
 */
function createReader(figure, problem, draw) {
  const jobs = createJobs(figure);

  async function read(/** @type {File[]} */ [file]) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (isArchive(bytes)) await openSheet({ name: file.name, bytes });
    else adopt({ name: file.name, source: textOf(bytes) });
  }

  /** Read a sheet of a workbook in the worker. @param {Pick<Source, "name" | "bytes">} file @param {number} [index] */
  async function openSheet({ name, bytes }, index) {
    const found = await resultOf(jobs.run({ workbook: bytes, sheet: index }, "reading the workbook"), problem);
    if (!found) return; // cancelled, or no workbook
    const form = `sheet “${found.names[found.sheet].slice(0, 24)}”`;
    adopt({ name, bytes, sheets: found.names, sheet: found.sheet, source: { cells: found.cells, form } });
  }

  /**
   * Read a table and show two columns: those shown before if they hold numbers, or the first two that do.
   * @param {Source} opened
   */
  function adopt({ chosen = {}, columns: before, ...opened }) {
    if (typeof opened.source === "string" && !opened.source.trim())
      throw new InvalidInput("Expected two columns of numbers, got nothing.");
    draw({ ...opened, chosen, table: tableOf(opened.source, chosen) }, (table) =>
      before && areUsable(table, before) ? before : firstColumns(table),
    );
  }

  return { read, openSheet, adopt };
}

/**
 * Create the controls of the data. `take(points)` is called with points that are valid. A table that is not leaves the
 * drawing as it was, and keeps its menus, so that the reader can correct how it is read. Returns a function that shows
 * the drawn points.
 * @param {Figure} figure @param {import("./your_points.js").Problem} problem @param {HTMLElement} parent @param
 *   {(points: Points) => void} take
 */
export function dataControls(figure, problem, parent, take) {
  const { examples } = figure.data;
  let /** @type {Opened & { points: Points } | undefined} */ own, // the latest table that could be drawn
    /** @type {Opened & { beside: Points } | undefined} */ rejected; // a later one that could not
  const latest = () => rejected ?? own;
  const { read, openSheet, adopt } = createReader(figure, problem, draw);
  /** Read the latest table in another way. @param {(opened: Opened) => unknown} act */
  const again = (act) =>
    problem.attempt(() => {
      const opened = latest();
      return opened && act(opened);
    });
  createFileInput(figure, { ...TABLE_FILE, take: read }, problem, parent);
  const words = Object.fromEntries(Object.keys(examples).map((name) => [name, `example: ${name}`]));
  const from = menu("data", words, parent, leave);
  const sheet = menu("sheet", {}, parent, (index) => again((opened) => openSheet(opened, Number(index))));
  const columns = ["x", "y"].map((name) => menu(name, {}, parent, () => again(choose)));
  createTyped(parent, (text) => problem.attempt(() => adopt({ name: "pasted", source: text })));
  const account = dialectControls(figure.stage, (chosen) =>
    again((opened) => adopt({ ...opened, chosen: { ...opened.chosen, ...chosen } })),
  );
  /** @param {Opened} opened @param {(table: Table) => number[]} columnsOf */
  function draw(opened, columnsOf) {
    rejected = { ...opened, columns: undefined, beside: figure.setting().points };
    try {
      const chosen = columnsOf(opened.table);
      rejected.columns = chosen;
      own = { ...rejected, points: pointsOf(opened.table, chosen) };
      rejected = undefined;
      take(own.points);
    } finally {
      figure.redraw(); // also if the points are those that are drawn
    }
  }

  function choose(/** @type {Opened} */ opened) {
    const chosen = columns.map(({ select }) => Number(select.value));
    draw(opened, () => chosen);
  }

  /** Show an example, or the reader's points again, instead of a table that could not be drawn. */
  function leave(/** @type {string} */ name) {
    const points = examples[name] ?? own?.points;
    rejected = undefined;
    problem.show("");
    if (points) take(points);
    figure.redraw();
  }

  return function show(/** @type {Points} */ points) {
    if (rejected && !isSame(rejected.beside, points)) rejected = undefined;
    const shown = rejected ?? (own && isSame(own.points, points) ? own : undefined),
      example = Object.keys(examples).find((name) => isSame(examples[name], points)),
      named = latest();
    const label = named && `${rejected ? "not drawn" : "your data"}: ${named.name.slice(0, 24)}`;
    from.fill({ ...words, ...(label && { own: label }) });
    from.select.value = shown ? "own" : (example ?? (own ? "own" : from.select.value));
    showColumns(columns, shown);
    sheet.row.hidden = !shown?.sheets || shown.sheets.length < 2;
    sheet.fill(Object.fromEntries((shown?.sheets ?? []).map((name, i) => [i, name.slice(0, 24)])));
    sheet.select.value = String(shown?.sheet);
    account(shown, !!rejected);
  };
}

/**
 * Show the columns of a table that hold numbers, and which two are drawn or were tried.
 * @param {Menu[]} menus
 * @param {Opened | undefined} shown
 */
function showColumns(menus, shown) {
  const tried = shown?.columns,
    names = shown && Object.fromEntries(usable(shown.table).map(({ i, name }) => [i, name.slice(0, 24)]));
  menus.forEach(({ row, fill, select }, i) => {
    row.hidden = !tried;
    if (!tried || !names) return;
    fill(names);
    select.value = String(tried[i]);
  });
}

/** @param {Table} table @param {number[]} columns */
const areUsable = (table, columns) => columns.every((column) => usable(table).some(({ i }) => i === column));

/**
 * Create the field into which a table is typed or pasted.
 * @param {HTMLElement} parent
 * @param {(text: string) => void} take
 */
function createTyped(parent, take) {
  const fold = html("details", { class: "lf-fold typed" }, parent);
  html("summary", { text: "Paste" }, fold);
  const field = html(
    "textarea",
    { ...OWN_KEYS, rows: 4, "aria-label": "Two columns of numbers", placeholder: "x, y" },
    fold,
  );
  html("button", { type: "button", text: "Use these" }, fold).addEventListener("click", () => take(field.value));
}

/** @type {[keyof Chosen, Record<string, string>][]} */
const READINGS = [
  ["delimiter", DELIMITERS],
  ["decimal", { ".": "point", ",": "comma" }],
  ["thousands", { ",": "comma", ".": "point", none: "none" }],
  ["order", { dmy: "day/month/year", mdy: "month/day/year", ymd: "year/month/day" }],
];

/**
 * The line under the figure that accounts for a table, with menus that change how it is read; they are open for a table
 * that was rejected. Returns a function that shows a table, or nothing.
 * @param {HTMLElement} stage @param {(chosen: Chosen) => void} change
 */
function dialectControls(stage, change) {
  const fold = html("details", { class: "lf-fold lf-account", hidden: "" });
  stage.after(fold);
  const line = html("summary", {}, fold),
    row = html("div", { class: "lf-input" }, fold);
  const menus = READINGS.map(([name, words]) => ({
    name,
    ...menu(name === "order" ? "1/2/2024" : name, words, row, (value) => change({ [name]: value })),
  }));
  let /** @type {Opened | undefined} */ latest;
  return function show(/** @type {Opened | undefined} */ opened, /** @type {boolean} */ isRejected) {
    fold.hidden = !opened;
    if (!opened) return;
    setText(line, accountOf(opened.table, isRejected ? undefined : opened.columns, DELIMITERS));
    for (const { name, select, row: label } of menus) {
      select.value = opened.table.dialect[name];
      label.hidden = name === "delimiter" && !!opened.table.dialect.form;
    }
    if (isRejected && latest !== opened) fold.open = true;
    latest = opened;
  };
}

/** @param {Points} one @param {Points} other */
const isSame = (one, other) =>
  one === other ||
  (one.keys.length === other.keys.length &&
    one.keys.every((key, i) => key === other.keys[i] && one.values[i] === other.values[i]));

/**
 * Create the controls of the method. Returns a function that shows the drawn state.
 * @param {Figure} figure
 * @param {HTMLElement} parent
 */
export function methodControls({ data: { method_labels, by_labels, panel_labels }, change }, parent) {
  const method = menu("method", method_labels, parent, (name) => change({ method: name }));
  const row = html("label", { class: "parameter" }, parent),
    label = html("output", {}, row);
  const slider = html("input", { ...OWN_KEYS, type: "range", min: 0, step: 1 }, row);
  const by = menu("by", by_labels, parent, (name) => change({ by: name, ...(name === "hand" && shown) }));
  const far = html("label", { class: "reach", text: "reach" }, parent),
    reach = html("input", { ...OWN_KEYS, type: "number", min: 0, step: "any" }, far);
  reach.addEventListener("change", () => change({ reach: Number(reach.value) > 0 ? Number(reach.value) : null }));
  const panel = menu("below", panel_labels, parent, (name) => change({ panel: name }));
  let /** @type {Figure["now"]} */ now, /** @type {object} */ shown; // the drawn state, and its parameter as a setting
  const switches = /** @type {const} */ (["robust", "compare"]).map((name) => {
    const box = html("input", { ...OWN_KEYS, type: "checkbox" }, html("label", { text: name }, parent));
    box.addEventListener("change", () => change({ [name]: box.checked ? "yes" : "no" }));
    return { name, box };
  });
  slider.addEventListener("input", () => change({ by: "hand", [now.name]: now.candidates[Number(slider.value)] }));
  return function show(/** @type {Figure["now"]} */ drawn) {
    const { setting, name, parameter, candidates } = drawn;
    now = drawn;
    shown = name ? { [name]: parameter } : {};
    method.select.value = setting.method;
    by.select.value = setting.by;
    panel.select.value = setting.panel;
    for (const { name, box } of switches) box.checked = setting[name] === "yes";
    for (const part of [row, by.row]) part.hidden = !name;
    far.hidden = !name || !drawn.reach;
    if (!far.hidden && Number(reach.value) !== drawn.reach) reach.value = String(drawn.reach);
    if (!name) return;
    const distances = candidates.map((candidate) => Math.abs(Math.log(candidate / parameter)));
    slider.max = String(candidates.length - 1);
    slider.value = String(distances.indexOf(Math.min(...distances)));
    setText(label, parameterText(name, parameter));
    set(slider, { "aria-label": name, "aria-valuetext": label.textContent });
  };
}
