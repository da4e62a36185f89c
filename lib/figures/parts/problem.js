// The one place where a figure says what is wrong with an input.

import { html } from "./plot.js";

/** An input that a figure cannot use. The message is one sentence for the reader: what was expected, and what came. */
export class InvalidInput extends Error {}

/**
 * Create the place of an error's sentence, announced when it appears. `attempt(act)` clears it, awaits `act()` and
 * shows the error that this throws; the figure keeps its last valid state, because `act` changes it only at its
 * end. The text is never interpreted as HTML.
 * @param {Element} parent
 */
export function createProblem(parent) {
  /** @type {HTMLElement} */
  const element = html("p", { class: "lf-problem", role: "alert", hidden: "" }, parent);

  /** @param {string} text */
  function show(text) {
    element.textContent = text;
    element.hidden = !text;
  }

  /** @template T @param {() => T | Promise<T>} act @returns {Promise<T | undefined>} */
  async function attempt(act) {
    show("");
    try {
      return await act();
    } catch (error) {
      show(
        error instanceof InvalidInput
          ? error.message
          : `This could not be used: ${/** @type {any} */ (error)?.message ?? error}.`,
      );
    }
  }

  return { show, attempt };
}
