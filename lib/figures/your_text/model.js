import { Cancelled, createJobs } from "../parts/job.js";
import { InvalidInput } from "../parts/problem.js";
import { loadLazy, onFirstInteraction } from "../parts/workers.js";

// The model in its workers, which the page fetches on the first interaction.

/**
 * Fetch the model, and say so meanwhile.
 * @param {import("./your_text.js").Figure} figure
 * @param {HTMLElement} loading
 */
async function loadModel({ model }, loading) {
  loading.hidden = false;
  const stored = await loadLazy(model, "model_lazy").catch(() => undefined);
  loading.hidden = true;
  if (!stored) throw new InvalidInput("The model could not be loaded.");
  return stored;
}

/**
 * Ask workers for the window of the query and, of a longer text, for all losses. If the reader
 * cancels or the model cannot be loaded, the figure returns to the latest window that was read.
 * @param {import("./your_text.js").Figure} figure
 * @param {{ show(message: string): void }} problem
 * @param {HTMLElement} loading
 */
export function modelOf(figure, problem, loading) {
  const { data, change, answer, setPending } = figure;
  const [windowJobs, lossJobs] = [createJobs(figure), createJobs(figure)];
  /** @type {string | undefined} */
  let asked; // what the worker reads
  /** @type {string | undefined} */
  let askedLosses;
  let isUsed = false; // whether the reader has touched the figure

  /** @param {ReturnType<typeof createJobs>} jobs @param {object} message @param {string} label */
  async function run(jobs, message, label) {
    const stored = await loadModel(figure, loading);
    return jobs.run({ ...message, stored, context: data.context }, label);
  }

  const isReplaced = (/** @type {unknown} */ error) =>
    figure.signal.aborted || (error instanceof Cancelled && error.isReplaced);

  /** Say what failed, unless the reader cancelled. @param {unknown} error */
  const report = (error) => error instanceof Cancelled || problem.show(/** @type {Error} */ (error).message);

  /** @param {{ text: string, query: number | null }} setting @param {string} name */
  async function askWindow({ text, query }, name) {
    if (asked === name) return;
    asked = name;
    try {
      answer({ reading: await run(windowJobs, { text, query }, "reading"), isGivenUp: false });
    } catch (error) {
      if (isReplaced(error)) return;
      report(error);
      isUsed = false;
      asked = undefined;
      answer({ isGivenUp: true });
      change({ text: figure.now.text, query: figure.now.latest });
    }
  }

  /** @param {string} text */
  async function askLosses(text) {
    if (askedLosses === text) return;
    askedLosses = text;
    try {
      answer({ losses: await run(lossJobs, { text, isWhole: true }, "reading all windows") });
    } catch (error) {
      if (isReplaced(error)) return;
      report(error);
      answer({ losses: { text, following: [] } });
    }
  }

  const stopWaiting = onFirstInteraction(figure.root, () => {
    isUsed = true;
    figure.redraw();
  });
  figure.signal.addEventListener("abort", stopWaiting);

  return function askFor(/** @type {import("./your_text.js").Figure["now"]} */ now) {
    const { setting, isNow, text, start, hasLosses, answers } = now;
    const isReady = isNow && (answers.reading || !isUsed);
    if (isReady) {
      windowJobs.drop();
      asked = undefined;
    } else askWindow(setting, text === setting.text ? `${start} ${text}` : setting.text);
    if (setting.text !== askedLosses) {
      lossJobs.drop();
      askedLosses = undefined;
    }
    if (isNow && !hasLosses) askLosses(text);
    setPending(!isReady || !hasLosses);
  };
}
