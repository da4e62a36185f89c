// The widget runtime of a static page: the models and views of ipywidgets and anywidget as they are, under a manager
// that has no kernel to talk to. Bundled when the site is built.
import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";
import { MessageLoop } from "@lumino/messaging";
import { Widget } from "@lumino/widgets";
import { "widget-area" as widgetArea } from "../assets/private_api/ipywidgets.json";
import "@lumino/widgets/style/index.css";
import "@jupyter-widgets/controls/css/widgets.css";

// At each step a slider asks whether its number is wider than its box, to shade it. No number of these pages is, and
// the question has the sections laid out that are far below.
controls.BaseIntSliderView.prototype.readout_overflow = () => false;

const modules = { "@jupyter-widgets/base": base, "@jupyter-widgets/controls": controls };

// anywidget comes as an AMD module, and asks for it by this name.
export const define = (names, factory) => {
  modules.anywidget = factory(...names.map((name) => modules[name]));
};

class Manager extends ManagerBase {
  async loadClass(name, module) {
    const found = modules[module]?.[name];
    if (!found) throw new Error(`expected a widget of ${Object.keys(modules).join(", ")}, got ${name} of ${module}`);
    return found;
  }

  // Nobody listens at the other end.
  async _create_comm() {
    return { on_close() {}, on_msg() {}, close() {}, send() {} };
  }

  async _get_comm_info() {
    return {};
  }
}

// What is long stands in files that pages share: the state names them, and `window.figureParts` holds them. What is
// wanted later only, its figure fetches itself. A figure whose file did not come fails alone.
const inPlace = (_, value) => (value?.part ? window.figureParts?.[value.part] : value);
const parse = (script) => JSON.parse(script.textContent, inPlace);
const scripts = (kind) => [...document.querySelectorAll(`script[type="application/vnd.jupyter.${kind}+json"]`)];

/** Draw the widget of this name into a new area, for which `place` finds a place on the page. */
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

/** The room at the head of a chapter, once it is read, or null on a page without one. */
const roomAtHead = async () => {
  while (!document.querySelector(".opening + *") && !isRead()) await otherTasks();
  return document.querySelector(".opening");
};

/** The name of the panel around the figure of this address, if the page has it. */
const panelOf = (widgets, address) => {
  const [figure] = Object.entries(widgets).find(([, { state }]) => state.address === address) ?? [];
  return Object.keys(widgets).find((id) => widgets[id].state.children?.includes(`IPY_MODEL_${figure}`));
};

// The figure at the head is drawn while the browser still reads the page; opening.js brings it to its place in the text.
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
    await show(manager, id, (area) => script.before(area)).catch(console.error); // its neighbours do without it
    await otherTasks(); // the first figure can be moved while the others are drawn
  }
};
