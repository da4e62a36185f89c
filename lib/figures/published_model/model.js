import { decodeDoubles } from "../methods/base64.js";
import { createWorker, loadLazy } from "../parts/workers.js";
import { deleteStored, download, fromDisk, Problem, storedParts } from "./file.js";

// Opening the model and running it in a worker. What the reader should know is in `status`.

export const TRAINED = "dot product";

export const isSwapped = (/** @type {Pick<Setting, "kernel" | "hidden">} */ { kernel, hidden }) =>
  kernel === "mask" ? hidden.length > 0 : kernel !== TRAINED;

/**
 * The settings on which a run of the model depends. The query is never one of them; the head is one only if its
 * kernel is swapped.
 * @param {Asked} setting
 */
export function runOf(setting) {
  const { text, kernel, scope, block, head, hidden } = setting;
  if (!isSwapped(setting)) return JSON.stringify([text]);
  /** @type {Record<string, number[]>} */
  const where = { "this head": [block, head], "its block": [block] };
  return JSON.stringify([text, kernel, scope, where[scope] ?? [], kernel === "mask" ? hidden : 0]);
}

/**
 * @typedef {import("./published_model.js").Figure} Figure
 * @typedef {import("./published_model.js").Setting} Setting
 * @typedef {Omit<Setting, "query">} Asked What the worker computes.
 * @typedef {ReturnType<typeof createModel>} Model
 * @typedef {{
 *   phase: "closed" | "loading" | "open", stored: "none" | "some" | "all", isUnstored: boolean, share: number,
 *   note: string,
 *   problem: string
 * }} Status
 */

/**
 * The options of the worker that opens the model.
 * @param {import("./published_model.js").Data} data
 * @param {string} frequencies
 */
function optionsOf({ shown, n_next: nNext, position_bandwidth: bandwidth, dimension, copying, example }, frequencies) {
  const copied = { heads: copying, shape: example.shape };
  return { shown, nNext, bandwidth, dimension, copied, frequencies: decodeDoubles(frequencies) };
}

/**
 * The worker that runs the model, once it is open; it computes the run of the newest setting.
 * @param {{ code: string, listen: (message: import("./worker.js").Message) => void, fail: () => void }} worker
 */
function createRunner({ code, listen, fail }) {
  /** @type {ReturnType<typeof createWorker> | undefined} */
  let worker;
  /** @type {string | undefined} */
  let asked; // the run that the worker is computing
  function end() {
    worker?.end();
    worker = asked = undefined;
  }
  return {
    /** @param {ArrayBuffer} file @param {ReturnType<typeof optionsOf>} options */
    open(file, options) {
      end();
      worker = createWorker(code, { listen, fail });
      worker.post({ file, ...options }, [file]);
    },
    end,
    isAsked: (/** @type {Asked} */ setting) => runOf(setting) === asked,
    /** Request the run of a setting. @param {Asked} setting */
    ask(setting) {
      asked = runOf(setting);
      worker?.post({ setting });
    },
    /** The shown run is that of the setting: nothing is requested. */
    rest() {
      asked = undefined;
    },
  };
}

/**
 * The model of a figure: `open`, `openFile`, `cancel`, `forget`, `askFor`, and the `status` that `changed`
 * announces.
 * @param {Figure} figure
 * @param {() => void} changed
 */
export function createModel(figure, changed) {
  const { data } = figure;
  /** @type {Status} */
  const status = { phase: "closed", stored: "none", isUnstored: false, share: 0, note: "", problem: "" };
  const fail = () => close("The model stopped. Open it again.");
  const runner = createRunner({ code: data.worker_code, listen, fail });
  /** @type {AbortController | undefined} */
  let loading;

  /** @param {Partial<Status>} more */
  function update(more) {
    Object.assign(status, more);
    changed();
  }

  /** @param {string} problem */
  function close(problem) {
    runner.end();
    figure.setPending(false);
    figure.answer({ result: undefined, isOpen: false });
    update({ phase: "closed", note: "", problem });
  }

  /** Handle a message from the worker. @param {import("./worker.js").Message} message */
  function listen({ opened, rejected, progress, result, problem, setting }) {
    if (rejected) return close(rejected);
    if (opened) {
      update({ phase: "open", note: "", problem: "" });
      figure.answer({ isOpen: true });
    }
    if (progress) update({ note: progress });
    if (problem && setting && runner.isAsked(setting)) update({ note: "", problem });
    if (!result) return figure.redraw();
    update({ note: "", problem: "" });
    figure.answer({ result });
  }

  /** @param {(signal: AbortSignal) => Promise<ArrayBuffer>} read */
  async function start(read) {
    loading = new AbortController();
    const { signal } = loading;
    update({ phase: "loading", isUnstored: false, share: 0, problem: "", note: "" });
    try {
      const file = await read(signal),
        { frequencies } = await loadLazy(figure.model, "frequencies_lazy");
      if (signal.aborted || figure.signal.aborted) return;
      runner.open(file, optionsOf(data, frequencies));
    } catch (error) {
      if (signal.aborted) return;
      close(error instanceof Problem ? error.message : "The model could not be opened here.");
    } finally {
      await lookForStored();
    }
  }

  const lookForStored = async () => update({ stored: await storedParts() });

  /** Download the model; `isUnstored` tells the reader that the browser stored none or only a part of it. */
  async function open() {
    await start((signal) => download(signal, (share) => update({ share })));
    update({ isUnstored: status.stored !== "all" });
  }

  const { signal } = figure;
  document.addEventListener("visibilitychange", lookForStored, { signal }); // another tab may have changed it

  figure.signal.addEventListener("abort", () => {
    loading?.abort();
    runner.end();
  });
  lookForStored();

  return {
    status,
    open,
    openFile: (/** @type {File} */ file) => start(() => fromDisk(file)),
    cancel() {
      loading?.abort();
      close("");
    },
    async forget() {
      await deleteStored();
      await lookForStored();
    },
    /** Request the setting if it is not shown; the figure is then pending.
     * @param {Asked} setting @param {boolean} isNow */
    askFor(setting, isNow) {
      if (status.phase !== "open") return;
      if (isNow) runner.rest();
      else if (!runner.isAsked(setting)) {
        status.problem = "";
        runner.ask(setting);
      }
      figure.setPending(!isNow && !status.problem);
    },
  };
}
