// Guesses: possible answers as buttons below the figure's question.

import { html, set } from "../parts/plot.js";

/**
 * @typedef {object} Guesses The guesses from Python.
 * @property {string[]} answers
 * @property {string} right
 * @property {Record<string, number | string>} then the settings that the question describes
 * @property {string} because
 *
 * The current question, by default the figure's own, and the right answer if it is known.
 * @typedef {{ question?: string, right?: string, because?: string, isOpen?: boolean }} Asked
 */

/**
 * Create one button per answer to the figure's question. A click calls `choose(settings, isAnother)` with the settings
 * `then`; `isAnother` is true after a first guess. The verdict replaces the figure's sentence; on a phone, where the
 * sentence is far below, it is shown under the buttons.
 * @param {import("./frame.js").Frame} frame
 * @param {Guesses} offered
 * @param {(settings: object, isAnother: boolean) => void} choose
 */
export function createGuesses({ root, asked, actions }, { answers, then }, choose) {
  const first = asked.textContent ?? "";
  /** @type {HTMLElement} */
  const group = html("div", { class: "lf-guesses", role: "group" });
  /** @type {HTMLElement} */
  const verdict = html("p", { class: "lf-verdict", "aria-live": "polite" });
  actions.before(group, verdict);
  /** @type {HTMLElement[]} */
  const chips = answers.map((text) => html("button", { type: "button", text }, group));
  let shown = "",
    written = "";
  chips.forEach((chip, i) => chip.addEventListener("click", () => choose({ ...then, guess: answers[i] }, !!shown)));

  /** @param {string} question @param {boolean} isOpen */
  function ask(question, isOpen) {
    group.style.visibility = isOpen ? "" : "hidden"; // keep the layout below
    if (asked.textContent !== question) asked.textContent = question;
    set(root, { "aria-label": question });
    set(group, { "aria-label": `Guess: ${question}` });
  }

  /** @param {unknown} guess @param {string} [right] */
  function mark(guess, right) {
    chips.forEach((chip, i) => {
      chip.setAttribute("aria-pressed", String(answers[i] === guess));
      chip.classList.toggle("lf-right", guess !== "" && answers[i] === right);
    });
  }

  /** @param {string} text @param {boolean} isAsAsked @param {boolean} isNone */
  function judge(text, isAsAsked, isNone) {
    verdict.classList.toggle("lf-past", !isAsAsked); // keep its height, so that the layout does not shift during a drag
    if (text !== written && (isAsAsked || isNone)) {
      verdict.innerHTML = text;
      written = text;
    }
    shown = isAsAsked ? text : "";
    return shown;
  }

  /**
   * Show the question and the guess. Returns the verdict as HTML as long as only settings of the question, or `free`
   * ones, have `moved`.
   * @param {Record<string, unknown>} setting
   * @param {Asked} now
   * @param {object} moved
   * @param {object} free
   */
  return function show(setting, { question = first, right, because, isOpen = true }, moved, free) {
    const { guess } = setting;
    ask(question, isOpen);
    mark(guess, right);
    const isThen = Object.entries(then).every(([name, value]) => setting[name] === value);
    const isAsAsked = isThen && Object.keys(moved).every((name) => name in { ...then, ...free, guess });
    return judge(verdictOn(guess, right, because), isAsAsked, !guess);
  };
}

/** @param {unknown} guess @param {string} [right] @param {string} [because] */
function verdictOn(guess, right, because) {
  const judged = guess === right ? "You are right:" : `You guessed “${guess}”, and the answer is`;
  return guess && right ? `${judged} “${right}”. ${because} ` : "";
}
