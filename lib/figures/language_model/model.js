import { createQueue, loadLazy, onFirstInteraction } from "../parts/workers.js";
import { hasTemperature, isSwapped, viewOf } from "./view.js";

// The model in its worker, and the latest view.

/** The settings on which a run of the model depends. The query is never one of them; the head is one only if its kernel is swapped. */
function runOf(setting) {
  const { text, kernel, temperature, scope, features: m, hidden, block, head } = setting;
  if (!isSwapped(setting)) return JSON.stringify([text]);
  const where = scope === "all heads" ? scope : [scope, block, head];
  const own = { performer: m, mask: hidden }[kernel];
  return JSON.stringify([text, kernel, hasTemperature(setting) && temperature, where, own]);
}

/** Return a function that gives the latest view, and whether it shows the requested setting. */
export function viewsFrom(first) {
  let newest = first; // until the first response
  return (wanted, { answer, table }) => {
    const run = runOf(wanted);
    if (answer) {
      const isNow = runOf(answer.setting) === run,
        setting = isNow ? wanted : answer.setting;
      return { isNow, view: viewOf({ ...answer, setting }, wanted.query, table) };
    }
    const { query } = first.setting;
    const isNow = runOf(first.setting) === run && Math.min(wanted.query, first.words.length - 1) === query;
    if (isNow) newest = { ...first, setting: { ...wanted, query } };
    return { isNow, view: newest };
  };
}

/** Load the model on the first interaction, or when a setting needs it. */
export function modelOf(figure, { showProblem }) {
  const { data } = figure;
  let worker,
    isComing = false,
    asked; // the run that the worker is computing

  async function open() {
    if (isComing) return;
    isComing = true;
    figure.redraw();
    try {
      const stored = await loadLazy(figure.model, "model_lazy");
      if (figure.signal.aborted) return;
      worker = createQueue(data.worker_code, { listen, fail });
      worker.ask({ open: stored });
      figure.redraw();
    } catch {
      fail();
    }
  }

  const listen = ({ table, result }) => figure.answer(table ? { table } : { answer: result });

  function fail() {
    showProblem("The model could not be loaded.");
    figure.redraw();
  }

  const stopWaiting = onFirstInteraction(figure.root, open);
  figure.signal.addEventListener("abort", () => {
    stopWaiting();
    worker?.end();
  });

  return {
    open,
    isComing: ({ answer }) => isComing && !answer,
    /** Request the setting if it is not shown; the figure is then pending. */
    askFor({ wanted, isNow, answers }, problem) {
      if (!isNow && !isComing) return void open();
      const isReady = isNow && (answers.answer || !isComing);
      const run = isReady ? undefined : runOf(wanted);
      if (worker && run !== undefined && asked !== run) worker.ask({ setting: wanted });
      if (worker) asked = run;
      figure.setPending(!isReady && !problem);
    },
  };
}
