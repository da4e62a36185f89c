// The reader guesses before the figure shows: answers as buttons under its question.

import { html, set } from "../parts/plot.js";

/**
 * Buttons with answers to the figure's question, of which one is right. Who presses one is led to `then`, the settings
 * that the question asks about: `choose(settings, isAnother)`, after a first guess with true. What became of a guess
 * stands in the place of the figure's sentence, or on a phone, where that is far below, under the buttons.
 * @param {any} frame @param {any} offered @param {(settings: object, isAnother: boolean) => void} choose
 */
export function createGuesses({ root, asked, actions }, { answers, then }, choose) {
  const first = asked.textContent;
  const group = html("div", { class: "guesses", role: "group" });
  const verdict = html("p", { class: "guess-verdict", "aria-live": "polite" });
  actions.before(group, verdict);
  const chips = answers.map((text) => html("button", { type: "button", text }, group));
  let shown = "",
    told;
  chips.forEach((chip, i) => chip.addEventListener("click", () => choose({ ...then, guess: answers[i] }, !!shown)));

  function ask(question, isOpen) {
    group.style.visibility = isOpen ? "" : "hidden"; // nothing below moves
    if (asked.textContent !== question) asked.textContent = question;
    set(root, { "aria-label": question });
    set(group, { "aria-label": `Guess: ${question}` });
  }

  function mark(guess, right) {
    chips.forEach((chip, i) => {
      chip.setAttribute("aria-pressed", String(answers[i] === guess));
      chip.classList.toggle("right", guess !== "" && answers[i] === right);
    });
  }

  function judge(words, isAsAsked, isNone) {
    verdict.classList.toggle("past", !isAsAsked); // it keeps its room: what a hand holds must not move
    if (words !== told && (isAsAsked || isNone)) {
      verdict.innerHTML = words;
      told = words;
    }
    shown = isAsAsked ? words : "";
    return shown;
  }

  /**
   * Show the question and the guess. Returns what became of it, as HTML, while no setting has `moved` but those that
   * are asked about or `free`.
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

function verdictOn(guess, right, because) {
  const judged = guess === right ? "You are right:" : `You guessed “${guess}”, and the answer is`;
  return guess && right ? `${judged} “${right}”. ${because} ` : "";
}
