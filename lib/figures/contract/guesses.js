// Guesses: possible answers as buttons below the figure's question.

import { html, set, setText } from "../parts/plot.js";

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

/** Create the paragraph of the verdict below the bar. @param {HTMLElement} root @param {HTMLElement} bar */
function createVerdict(root, bar) {
  /** @type {HTMLElement} */
  const verdict = html("p", { class: "verdict", "aria-live": "polite" });
  bar.after(verdict);
  let shown = "",
    written = "";
  /** @type {HTMLElement | undefined} */
  let pressed; // until the verdict appears

  /** Scroll until the verdict is visible, unless the reader has scrolled away from the button.
   * @param {DOMRect} button */
  function reveal({ top, bottom }) {
    pressed = undefined;
    if (bottom > 0 && top < innerHeight) verdict.scrollIntoView({ block: "nearest" });
  }

  return {
    isShown: () => !!shown,
    /** Make room for the verdict when its button is pressed, so that nothing moves when it comes.
     * @param {HTMLElement} button @param {string} text */
    expect(button, text) {
      pressed = button;
      if (shown) return;
      verdict.style.minHeight = "";
      verdict.innerHTML = text;
      verdict.style.minHeight = `${verdict.offsetHeight}px`;
      verdict.innerHTML = written = "";
    },
    /** @param {string} text @param {boolean} isAsAsked @param {boolean} isNone */
    show(text, isAsAsked, isNone) {
      verdict.classList.toggle("past", !isAsAsked); // keep its height, so that the layout does not shift during a drag
      if (text !== written && (isAsAsked || isNone)) {
        verdict.innerHTML = text;
        written = text;
      }
      shown = isAsAsked ? text : "";
      if (isNone) verdict.style.minHeight = "";
      root.classList.toggle("lf-judged", !!shown);
      if (shown && pressed) reveal(pressed.getBoundingClientRect());
    },
  };
}

/**
 * Create one button per answer to the figure's question. A click calls `choose(settings, isAnother)` with the settings
 * `then`; `isAnother` is true after a first guess. The verdict is shown under the buttons and replaces the
 * figure's sentence, which may be below the window.
 * @param {import("./frame.js").Frame} frame
 * @param {Guesses} offered
 * @param {(settings: object, isAnother: boolean) => void} choose
 */
export function createGuesses({ root, bar, asked }, { answers, then }, choose) {
  const first = asked.textContent ?? "";
  /** @type {HTMLElement} */
  const group = html("div", { class: "lf-guesses", role: "group" });
  asked.after(group);
  const verdict = createVerdict(root, bar);
  /** @type {HTMLElement[]} */
  const chips = answers.map((text) => html("button", { type: "button", text }, group));
  let isReached = false; // the settings of the question, and their result, have been shown since the guess
  /** @type {Asked} */
  let latest = {};
  chips.forEach((chip, i) =>
    chip.addEventListener("click", () => {
      const isAnother = verdict.isShown();
      isReached &&= isAnother;
      verdict.expect(chip, verdictOn(answers[i], latest.right, latest.because));
      choose({ ...then, guess: answers[i] }, isAnother);
    }),
  );

  /** @param {string} question @param {boolean} isOpen */
  function ask(question, isOpen) {
    group.style.visibility = isOpen ? "" : "hidden"; // keep the layout below
    setText(asked, question);
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

  /**
   * Show the question, the guess, and the verdict as long as only settings of the question, or `free` ones, have
   * `moved`. The verdict does not come before the result, which may be pending.
   * @param {Record<string, unknown>} setting
   * @param {Asked} now
   * @param {object} moved
   * @param {object} free
   */
  return function show(setting, { question = first, right, because, isOpen = true }, moved, free) {
    const { guess } = setting;
    latest = { right, because };
    ask(question, isOpen);
    const isThen = Object.entries(then).every(([name, value]) => setting[name] === value);
    const isAsAsked = isThen && Object.keys(moved).every((name) => name in { ...then, ...free, guess });
    isReached ||= isAsAsked && !root.hasAttribute("data-pending");
    mark(guess, isReached ? right : undefined);
    verdict.show(verdictOn(guess, right, because), isAsAsked && isReached, !guess);
  };
}

/** @param {unknown} guess @param {string} [right] @param {string} [because] */
function verdictOn(guess, right, because) {
  const judged = guess === right ? "You are right:" : `You guessed “${guess}”, and the answer is`;
  return guess && right ? `${judged} “${right}”. ${because} ` : "";
}
