// Long computations in a worker, with their progress and a button to cancel them.

import { html } from "./plot.js";
import { InvalidInput } from "./problem.js";
import { createWorker, loadLazy } from "./workers.js";

const PATIENT = 300; // milliseconds; a shorter computation shows no progress

/** The reason why a computation was given up: the reader cancelled it, or, if `isReplaced`, a newer one replaced it. */
export class Cancelled extends Error {
  /** @param {boolean} isReplaced */
  constructor(isReplaced) {
    super("cancelled");
    this.isReplaced = isReplaced;
  }
}

/**
 * Create a worker when it is first needed; the trait `worker_lazy` holds its code. `run(message, label)` computes one
 * message at a time and resolves with the result; a newer message ends an unfinished computation, which rejects with
 * `Cancelled`. The worker's script calls `answerJobs`.
 * @param {{ stage: HTMLElement, model: { get(trait: string): unknown }, signal: AbortSignal }} figure
 */
export function createJobs({ stage, model, signal }) {
  const place = html("div", { class: "lf-job", hidden: "" }, stage);
  const name = html("span", {}, place),
    bar = html("progress", { max: 1 }, place);
  const button = html("button", { type: "button", text: "Cancel" }, place);
  /** @type {any} */
  let worker;
  /** @type {{ listen(data: any): void, reject(error: Error): void } | undefined} */
  let current;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let shown;

  function finish() {
    current = undefined;
    clearTimeout(shown);
    place.hidden = true;
  }

  /** @param {Error} error */
  function end(error) {
    worker?.end();
    worker = undefined;
    const ended = current;
    finish();
    ended?.reject(error);
  }

  /** @param {string} label */
  function begin(label) {
    name.textContent = label;
    bar.removeAttribute("value");
    shown = setTimeout(() => (place.hidden = false), PATIENT);
  }

  /** @param {any} message @param {string} label @returns {Promise<any>} */
  function run(message, label) {
    if (current) end(new Cancelled(true));
    return new Promise((resolve, reject) => {
      const job = { reject, listen };
      /** @param {any} data */
      function listen({ progress, result, problem }) {
        if (progress !== undefined) {
          bar.value = progress;
          return;
        }
        finish();
        if (problem !== undefined) reject(new InvalidInput(problem));
        else resolve(result);
      }
      current = job;
      begin(label);
      open().then(() => current === job && worker.post(message), end);
    });
  }

  async function open() {
    if (worker) return;
    const code = /** @type {string} */ (await loadLazy(model, "worker_lazy"));
    if (signal.aborted) throw new Cancelled(true);
    worker ??= createWorker(code, {
      listen: (data) => current?.listen(data),
      fail: () => end(new Error("the computation failed")),
    });
  }

  button.addEventListener("click", () => end(new Cancelled(false)));
  signal.addEventListener("abort", () => end(new Cancelled(true)));
  /** End an unfinished computation that nobody waits for any more. */
  const drop = () => current && end(new Cancelled(true));
  return { run, drop };
}

/**
 * The worker's side: answer each message with `compute(message, progress)`, which may be asynchronous, may report its
 * progress from 0 to 1 and may throw `InvalidInput`.
 * @param {(message: any, progress: (share: number) => void) => any} compute
 */
export function answerJobs(compute) {
  self.onmessage = async ({ data }) => {
    try {
      postMessage({ result: await compute(data, (progress) => postMessage({ progress })) });
    } catch (error) {
      if (error instanceof InvalidInput) postMessage({ problem: error.message });
      else
        setTimeout(() => {
          throw error; // outside of the promise, so that the page's `onerror` hears of it
        });
    }
  };
}
