// The runtime of a page with one figure: a model without a kernel, native controls in place of ipywidgets, the
// theme and the height. It needs neither the widget runtime nor a server, so a saved page is small and works from
// disk.
import { symbolic } from "../../../lib/figures/parts/numbers.js";
import { html } from "../../../lib/figures/parts/plot.js";
import { getElement, targetOf } from "../assets/shared/page.js";
import { Model } from "./model.js";

export { wholePage } from "./whole_page.js";

/**
 * A slider, a menu or a box, as `embed_pages.py` describes it. Each kind has some of the properties.
 * @typedef {{ kind: keyof typeof MAKERS, label: string, classes: string[], trait: string,
 *   min: number, max: number, step: number, decimals: number, names: string[] }} Control
 */

/**
 * Draw the figure with this address; `figureParts` contains its description, its code and its data.
 * @param {string} address
 */
export async function start(address) {
  followTheme();
  const { state, controls, caption, home } = inPlace(window.figureParts[`embed/${address}`]);
  const main = getElement("main"),
    panel = html("div", { class: "live-panel" }, main),
    model = new Model(state);
  for (const text of [state._css, window.figureParts["embed.css"]]) html("style", { text }, document.head);
  const figure = await import(URL.createObjectURL(new Blob([state._esm], { type: "text/javascript" })));
  const el = html("div", {}, panel);
  const group = html("div", { class: "controls" }, panel);
  controls.forEach((/** @type {Control} */ control) => addControl(group, control, model));
  if (!controls.length) group.remove();
  if (caption) html("div", { class: "caption" }, panel).innerHTML = caption;
  figure.default.render({ model, el });
  main.addEventListener("click", (event) => leadHome(targetOf(event), home), true);
  announceHeight(main); // a frame out of sight observes nothing until it is seen
  new ResizeObserver(([{ target }]) => announceHeight(target)).observe(main);
}

/** Replace the names of long values by their content. @param {object} entry */
const inPlace = (entry) =>
  JSON.parse(JSON.stringify(entry), (_, value) => (value?.part ? window.figureParts[value.part] : value));

/**
 * Tell the page around the frame how high the figure is. It contains no other information, so any page may read
 * it.
 * @param {Element} main
 */
function announceHeight(main) {
  const height = Math.ceil(main.getBoundingClientRect().height);
  if (parent !== window) parent.postMessage({ figure: document.body.dataset.figure, height }, "*");
}

/**
 * Open a link to a page of the course, which is relative to the figure's page there, outside the frame.
 * @param {Element | null} clicked
 * @param {string} home
 */
function leadHome(clicked, home) {
  /** @type {HTMLAnchorElement | null | undefined} */
  const link = clicked?.closest("a[href]");
  const target = link?.getAttribute("href");
  if (!link || !target || target.startsWith("#") || link.target) return;
  link.href = new URL(target, new URL(home, location.href)).href;
  Object.assign(link, { target: "_blank", rel: "noopener" });
}

/** Light or dark as the URL states (`?theme=dark`), otherwise as the reader's system or the frame's page. */
function followTheme() {
  const stated = new URLSearchParams(location.search).get("theme") ?? "",
    night = matchMedia("(prefers-color-scheme: dark)"),
    { dataset } = document.documentElement;
  const show = () => (dataset.theme = ["light", "dark"].includes(stated) ? stated : night.matches ? "dark" : "light");
  night.addEventListener("change", show);
  show();
}

const MAKERS = { number: addSlider, stops: addStops, menu: addMenu, unfold: addUnfold };

/** @param {Element} group @param {Control} control @param {Model} model */
function addControl(group, control, model) {
  const row = html("label", { class: ["embed-row", "jupyter-widgets", ...control.classes].join(" ") }, group);
  if (control.kind !== "unfold") html("span", { class: "widget-label" }, row).innerHTML = symbolic(control.label);
  MAKERS[control.kind](row, control, model);
}

/**
 * Connect a control to a trait: `show` displays the trait's value, and `read` returns the control's.
 * @param {Element} input
 * @param {Control} control
 * @param {Model} model
 * @param {() => void} show
 * @param {() => number} read
 */
function connect(input, { trait }, model, show, read) {
  input.addEventListener("input", () => {
    model.set(trait, read());
    model.save_changes();
  });
  model.on(`change:${trait}`, show);
  show();
}

/**
 * @param {Element} row
 * @param {Control} control
 * @param {Model} model
 * @param {{ min: number, max: number, step: number }} limits
 * @param {(value: number) => string} textOf
 */
function addRange(row, control, model, limits, textOf) {
  const input = html("input", { type: "range", "aria-label": plain(control.label), ...limits }, row),
    output = html("output", { class: "widget-readout" }, row);
  const show = () => {
    const value = /** @type {number} */ (model.get(control.trait));
    input.value = String(value);
    const text = textOf(value);
    input.setAttribute("aria-valuetext", text);
    output.textContent = text;
  };
  connect(input, control, model, show, () => Number(input.value));
}

/** @param {Element} row @param {Control} control @param {Model} model */
function addSlider(row, control, model) {
  const { min, max, step, decimals } = control;
  addRange(row, control, model, { min, max, step }, (value) => value.toFixed(decimals).replace("-", "−"));
}

/** @param {Element} row @param {Control} control @param {Model} model */
function addStops(row, control, model) {
  const { names } = control;
  addRange(row, control, model, { min: 0, max: names.length - 1, step: 1 }, (index) => names[index]);
}

/** @param {Element} row @param {Control} control @param {Model} model */
function addMenu(row, control, model) {
  const menu = html("select", { "aria-label": plain(control.label) }, row);
  control.names.forEach((text) => html("option", { text }, menu));
  connect(
    menu,
    control,
    model,
    () => (menu.selectedIndex = model.get(control.trait)),
    () => menu.selectedIndex,
  );
}

/**
 * A box that shows the further settings; widgets.css hides them until it is ticked.
 * @param {Element} row
 * @param {Control} control
 */
function addUnfold(row, { label }) {
  html("input", { type: "checkbox" }, row);
  row.append(label);
}

const plain = (/** @type {string} */ label) => label.replace("_", "");
