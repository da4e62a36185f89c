import { createQueue, loadLazy, onFirstInteraction } from "../parts/workers.js";
import { hasTemperature, isSwapped, viewOf } from "./view.js";

// The model in its worker, and the latest view.

/**
 * @typedef {import("./language_model.js").Answers} Answers
 * @typedef {import("./language_model.js").Figure} Figure
 * @typedef {import("./language_model.js").Wanted} Wanted
 * @typedef {import("./view.js").Read} Read
 */

/**
 * The settings on which a run of the model depends. The query is never one of them; the head is one only if its
 * kernel is swapped.
 * @param {Wanted} setting
 */
function runOf(setting) {
  const { text, kernel, temperature, scope, features: m, hidden, block, head } = setting;
  if (!isSwapped(setting)) return JSON.stringify([text]);
  const where = scope === "all heads" ? scope : [scope, block, head];
  /** @type {Record<string, unknown>} */
  const own = { performer: m, mask: hidden };
  return JSON.stringify([text, kernel, hasTemperature(setting) && temperature, where, own[kernel]]);
}

/** Return a function that gives the latest view, and whether it shows the requested setting. @param {Read} first */
export function viewsFrom(first) {
  let newest = first; // until the first response
  /** @type {(wanted: Wanted, answers: Answers) => { isNow: boolean, view: import("./view.js").View }} */
  return (wanted, { answer, table }) => {
    const run = runOf(wanted);
    if (answer && table) {
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

/**
 * Load the model on the first interaction, or when a setting needs it.
 * @param {Figure} figure
 * @param {{ showProblem: (words: string) => void }} owner
 */
export function modelOf(figure, { showProblem }) {
  const { data } = figure;
  /** @type {ReturnType<typeof createQueue> | undefined} */
  let worker;
  let isComing = false;
  /** @type {string | undefined} */
  let asked; // the run that the worker is computing

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

  /** @type {(message: { table?: import("./worker.js").Table, result?: import("./worker.js").Answer }) => void} */
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
    isComing: (/** @type {Answers} */ { answer }) => isComing && !answer,
    /** Request the setting if it is not shown; the figure is then pending.
     * @param {Figure["now"]} now @param {string} problem */
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
