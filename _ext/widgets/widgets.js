// The widget runtime of a static page: the models and views of ipywidgets and anywidget as they are, under a manager
// that has no kernel to talk to. Bundled when the site is built.
import * as base from "@jupyter-widgets/base";
import { ManagerBase } from "@jupyter-widgets/base-manager";
import * as controls from "@jupyter-widgets/controls";
import { MessageLoop } from "@lumino/messaging";
import { Widget } from "@lumino/widgets";
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

const show = async (manager, script) => {
  const view = await manager.create_view(await manager.get_model(parse(script).model_id));
  const area = document.createElement("div");
  area.className = "widget-subarea";
  script.before(area);
  Widget.attach(view.luminoWidget, area);
  window.addEventListener("resize", () => MessageLoop.postMessage(view.luminoWidget, Widget.ResizeMessage.UnknownSize));
};

const otherTasks = () => new Promise((done) => setTimeout(done));

export const start = async () => {
  const manager = new Manager();
  for (const state of scripts("widget-state")) await manager.set_state(parse(state)).catch(console.error);
  for (const script of scripts("widget-view")) {
    await show(manager, script).catch(console.error); // its neighbours and the formulas do without it
    await otherTasks(); // the first figure can be moved while the others are drawn
  }
};
