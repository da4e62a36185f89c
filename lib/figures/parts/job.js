// Long computations in a worker, with their progress and a button to cancel them.

import { html } from "./plot.js";
import { InvalidInput } from "./problem.js";
import { createWorker, loadLazy } from "./workers.js";

const PATIENT = 300; // milliseconds; a shorter computation shows no progress

/** The error of a computation that was stopped: by the reader or, if `isReplaced`, by a newer computation. */
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
  /** Stop an unfinished computation whose result is no longer needed. */
  const drop = () => current && end(new Cancelled(true));
  return { run, drop };
}

/**
 * The result of a computation, or null if the reader cancelled it or it failed, which `problem` then says. If a
 * newer one replaced it, the promise stays open.
 * @param {Promise<any>} computation
 * @param {{ show(message: string): void }} problem
 */
export const resultOf = (computation, problem) =>
  computation.catch((error) => {
    if (error instanceof Cancelled && error.isReplaced) return new Promise(() => {});
    if (!(error instanceof Cancelled)) problem.show(error.message);
    return null;
  });

/** Whether two lists have the same elements. @param {any[] | undefined} one @param {any[]} other */
export const isSame = (one, other) => one?.length === other.length && one.every((each, i) => Object.is(each, other[i]));

/**
 * Create `ask(of, message, label)`, which asks a worker for what the page does not compute itself. `of` lists what
 * the answer depends on; it is undefined if nothing is missing. `figure.answer` receives the function `name`,
 * which returns the latest answer for its own `of`, null if there is none, and undefined for any other.
 * @param {any} figure
 * @param {{ show(message: string): void }} problem
 * @param {string} name
 */
export function createAsker(figure, problem, name) {
  const jobs = createJobs(figure);
  /** @type {any[] | undefined} */
  let asked;
  return function ask(
    /** @type {any[] | undefined} */ of,
    /** @type {() => any} */ message,
    /** @type {string} */ label,
  ) {
    if (of && isSame(asked, of)) return;
    asked = of;
    if (!of) {
      jobs.drop();
      return;
    }
    resultOf(jobs.run(message(), label), problem).then((found) =>
      figure.answer({ [name]: (/** @type {any[]} */ ...those) => (isSame(those, of) ? found : undefined) }),
    );
  };
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
