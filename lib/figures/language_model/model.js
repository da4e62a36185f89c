import { createWorker, loadLazy, onFirstInteraction } from "../parts/workers.js";
import { hasTemperature, isSwapped, viewOf } from "./view.js";

// The model in its worker, and the newest view that it gives.

/** What of a setting the model's run depends on: the query never, a head only where its kernel differs from others'. */
function runOf(setting) {
  const { text, kernel, temperature, scope, features: m, hidden, block, head } = setting;
  if (!isSwapped(setting)) return JSON.stringify([text]);
  const where = scope === "all heads" ? scope : [scope, block, head];
  const own = { performer: m, hide: hidden }[kernel];
  return JSON.stringify([text, kernel, hasTemperature(setting) && temperature, where, own]);
}

/** What gives the newest view there is, and says whether it shows the setting that is wanted. */
export function viewsFrom(first) {
  let newest = first; // while there is no answer
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

/** A worker with the model in it. `ask` keeps the newest question only; `listen` gets each answer. */
function modelInWorker(code, stored, { listen, fail }) {
  let table,
    waiting,
    isBusy = true; // with opening the model
  const next = () => {
    isBusy = waiting !== undefined;
    if (isBusy) worker.post({ setting: waiting });
    waiting = undefined;
  };
  const hear = (data) => {
    table ??= data.table;
    next();
    if (data.result) listen(data.result, table);
  };
  const worker = createWorker(code, { listen: hear, fail });
  worker.post({ open: stored });
  return {
    ask(setting) {
      waiting = setting;
      if (!isBusy) next();
    },
    end: worker.end,
  };
}

/** The model, which comes when a hand first touches the figure, or when it is set to what is not known yet. */
export function modelOf(figure, { showProblem }) {
  const { data } = figure;
  let worker,
    isComing = false,
    asked; // the run that the worker is at

  async function open() {
    if (isComing) return;
    isComing = true;
    figure.redraw();
    try {
      const stored = await loadLazy(figure.model, "model_lazy");
      if (figure.signal.aborted) return;
      worker = modelInWorker(data.worker_code, stored, { listen, fail });
      figure.redraw();
    } catch {
      fail();
    }
  }

  const listen = (answer, table) => figure.answer({ answer, table });

  function fail() {
    showProblem("The model could not be loaded here.");
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
    /** Ask for what is wanted, if it is not shown; then the figure is pending. */
    askFor({ wanted, isNow, answers }, problem) {
      if (!isNow && !isComing) return void open();
      const isReady = isNow && (answers.answer || !isComing);
      const run = isReady ? undefined : runOf(wanted);
      if (worker && run !== undefined && asked !== run) worker.ask(wanted);
      if (worker) asked = run;
      figure.setPending(!isReady && !problem);
    },
  };
}
