// The widget runtime of a static page: the unmodified models and views of ipywidgets and anywidget, with a manager that
// has no kernel. Bundled when the site is built.
import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";
import { MessageLoop } from "@lumino/messaging";
import { Widget } from "@lumino/widgets";
import { "widget-area" as widgetArea } from "../assets/private_api/ipywidgets.json";
import "@lumino/widgets/style/index.css";
import "@jupyter-widgets/controls/css/widgets.css";

// At each step a slider checks whether its number is wider than its box, to shade it. No number on these pages is, and
// the check forces layout of off-screen sections.
controls.BaseIntSliderView.prototype.readout_overflow = () => false;

const modules = { "@jupyter-widgets/base": base, "@jupyter-widgets/controls": controls };

// anywidget is an AMD module and requires this name.
export const define = (names, factory) => {
  modules.anywidget = factory(...names.map((name) => modules[name]));
};

class Manager extends ManagerBase {
  async loadClass(name, module) {
    const found = modules[module]?.[name];
    if (!found) throw new Error(`expected a widget of ${Object.keys(modules).join(", ")}, got ${name} of ${module}`);
    return found;
  }

  // There is no kernel to receive messages.
  async _create_comm() {
    return { on_close() {}, on_msg() {}, close() {}, send() {} };
  }

  async _get_comm_info() {
    return {};
  }
}

// Long values are in files that pages share: the state contains their names, and `window.figureParts` their content. A
// figure fetches its lazy values itself. A figure whose file is missing fails without affecting others.
const inPlace = (_, value) => (value?.part ? window.figureParts?.[value.part] : value);
const parse = (script) => JSON.parse(script.textContent, inPlace);
const scripts = (kind) => [...document.querySelectorAll(`script[type="application/vnd.jupyter.${kind}+json"]`)];

/** Draw the widget with this ID into a new area, which `place` inserts into the page. */
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

/** Return the container at the top of a chapter once it is parsed, or null if there is none. */
const roomAtHead = async () => {
  while (!document.querySelector(".opening + *") && !isRead()) await otherTasks();
  return document.querySelector(".opening");
};

/** Return the ID of the panel around the figure with this address, if the page has it. */
const panelOf = (widgets, address) => {
  const [figure] = Object.entries(widgets).find(([, { state }]) => state.address === address) ?? [];
  return Object.keys(widgets).find((id) => widgets[id].state.children?.includes(`IPY_MODEL_${figure}`));
};

// Draw the opening figure while the browser still parses the page; opening.js moves it to its position in the text.
export const start = async () => {
  const room = await roomAtHead();
  const manager = new Manager();
  const states = scripts("widget-state").map(parse);
  for (const state of states) await manager.set_state(state).catch(console.error);
  const first = room && panelOf(states[0].state, room.dataset.figure);
  if (first) await show(manager, first, (area) => room.prepend(area)).catch(console.error);
  while (!isRead()) await otherTasks();
  for (const script of scripts("widget-view")) {
    const id = parse(script).model_id;
    if (id === first) continue;
    await show(manager, id, (area) => script.before(area)).catch(console.error); // the other figures are unaffected
    await otherTasks(); // the first figure is interactive while the others are drawn
  }
};
