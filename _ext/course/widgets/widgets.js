// The widget runtime of a static page: the unmodified models and views of ipywidgets and anywidget, with a manager that
// has no kernel. Bundled when the site is built, with only the kinds of widgets that a page may contain.
import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as bool from "@jupyter-widgets/controls/lib/widget_bool";
import * as box from "@jupyter-widgets/controls/lib/widget_box";
import * as description from "@jupyter-widgets/controls/lib/widget_description";
import * as float from "@jupyter-widgets/controls/lib/widget_float";
import * as int from "@jupyter-widgets/controls/lib/widget_int";
import * as link from "@jupyter-widgets/controls/lib/widget_link";
import * as selection from "@jupyter-widgets/controls/lib/widget_selection";
import * as string from "@jupyter-widgets/controls/lib/widget_string";
import { MessageLoop } from "@lumino/messaging";
import { Widget } from "@lumino/widgets";
import { "widget-area" as widgetArea } from "../assets/private_api/ipywidgets.json";
import "@jupyter-widgets/controls/css/widgets.css";

/** @typedef {{ state: Record<string, any> }} State The state of a widget. */

// At each step a slider checks whether its number is wider than its box, to shade it. No number on these pages is, and
// the check forces layout of off-screen sections.
int.BaseIntSliderView.prototype.readout_overflow = () => false;

const controls = { ...bool, ...box, ...description, ...float, ...int, ...link, ...selection, ...string };
/** @type {Record<string, Record<string, any>>} */
const modules = { "@jupyter-widgets/base": base, "@jupyter-widgets/controls": controls };

// anywidget is an AMD module and requires this name.
/** @param {string[]} names @param {(...modules: object[]) => object} factory */
export const define = (names, factory) => {
  modules.anywidget = factory(...names.map((name) => modules[name]));
};

class Manager extends ManagerBase {
  /** @param {string} name @param {string} module */
  async loadClass(name, module) {
    const found = modules[module]?.[name];
    if (!found) throw new Error(`expected a widget of ${Object.keys(modules).join(", ")}, got ${name} of ${module}`);
    return found;
  }

  /** There is no kernel to receive messages. @returns {Promise<any>} */
  async _create_comm() {
    return { on_close() {}, on_msg() {}, close() {}, send() {} };
  }

  async _get_comm_info() {
    return {};
  }
}

// Long values are in files that pages share: the state contains their names, and `window.figureParts` their content. A
// figure fetches its lazy values itself. A figure whose file is missing fails without affecting others.
/** @param {string} _ @param {any} value */
const inPlace = (_, value) => (value?.part ? window.figureParts?.[value.part] : value);
const parse = (/** @type {Element} */ script) => JSON.parse(script.textContent, inPlace);
const selectorOf = (/** @type {string} */ kind) => `script[type="application/vnd.jupyter.${kind}+json"]`;
const scripts = (/** @type {string} */ kind) => [...document.querySelectorAll(selectorOf(kind))];
const VIEW = selectorOf("widget-view");

/**
 * Draw the widget with this ID into a new area, which `place` inserts into the page.
 * @param {Manager} manager
 * @param {string} id
 * @param {(area: HTMLElement) => void} place
 */
const show = async (manager, id, place) => {
  const view = await manager.create_view(await manager.get_model(id));
  const area = document.createElement("div");
  area.className = widgetArea.slice(1);
  area.dataset.model = id;
  place(area);
  Widget.attach(view.luminoWidget, area);
  window.addEventListener("resize", () => MessageLoop.postMessage(view.luminoWidget, Widget.ResizeMessage.UnknownSize));
};

const otherTasks = () => new Promise((done) => setTimeout(done));
const isRead = () => document.readyState !== "loading";

/**
 * Return the place of the page's first figure once it is parsed: the top of a chapter, or the figure's own.
 * @returns {Promise<HTMLElement | null>}
 */
const firstPlace = async () => {
  while (!document.querySelector(`.opening + *, ${VIEW}`) && !isRead()) await otherTasks();
  return document.querySelector(`.opening, ${VIEW}`);
};

/**
 * Return the ID of the panel around the figure with this address, if the page has it.
 * @param {Record<string, State>} widgets
 * @param {string} address
 */
const panelOf = (widgets, address) => {
  const [figure] = Object.entries(widgets).find(([, { state }]) => state.address === address) ?? [];
  return Object.keys(widgets).find((id) => widgets[id].state.children?.includes(`IPY_MODEL_${figure}`));
};

const referredBy = (/** @type {State} */ { state }) =>
  [...JSON.stringify(state).matchAll(/IPY_MODEL_(\w+)/g)].map(([, id]) => id);

/**
 * Return the IDs of a panel, of all that it contains, and of the links between them.
 * @param {Record<string, State>} widgets
 * @param {string} panel
 */
const withParts = (widgets, panel) => {
  const inside = new Set([panel]);
  for (const id of inside) for (const part of referredBy(widgets[id])) inside.add(part);
  return Object.keys(widgets).filter(
    (id) => inside.has(id) || referredBy(widgets[id]).some((part) => inside.has(part)),
  );
};

// Draw the first figure while the browser still parses the page. opening.js moves a chapter's opening figure to its
// position in the text. An error in one figure does not affect the others.
export const start = async () => {
  const place = await firstPlace();
  if (!place) return;
  const manager = new Manager();
  const { state: widgets, ...version } = parse(scripts("widget-state")[0]);
  const load = (/** @type {string[]} */ ids) =>
    manager
      .set_state({ ...version, state: Object.fromEntries(ids.map((id) => [id, widgets[id]])) })
      .catch(console.error);
  const isOpening = place.matches(".opening");
  const first = isOpening ? panelOf(widgets, place.dataset.figure ?? "") : parse(place).model_id;
  const own = withParts(widgets, first);
  await load(own);
  await show(manager, first, (area) => (isOpening ? place.prepend(area) : place.before(area))).catch(console.error);
  while (!isRead()) await otherTasks();
  await load(Object.keys(widgets).filter((id) => !own.includes(id)));
  for (const script of scripts("widget-view")) {
    const id = parse(script).model_id;
    if (id === first) continue;
    await show(manager, id, (area) => script.before(area)).catch(console.error);
    await otherTasks(); // the first figure is interactive while the others are drawn
  }
};
