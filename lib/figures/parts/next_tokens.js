import { percent } from "./numbers.js";
import { html, lay, repeatGroups, repeatMade, set, setText, svg, translate } from "./plot.js";
import { asNext, isPartOfCharacter, quotedNext } from "./tokens.js";

// The list of likely next tokens, each with one bar or, if a kernel is swapped, with two: as trained, and now.

/**
 * @typedef {{ word: string, probability: number, trained: number }} Next A token, and its probability now and as
 *   trained.
 */

export const NEXT_ROW = 24; // height of a row, the minimum of a touch target
const LEFT = 86; // where the bars start

/**
 * Draw the list. While the bars move from one probability to the other, `moved` is the share of the way.
 * @param {Element} list
 * @param {Next[]} next
 * @param {number} width
 * @param {boolean} isSwapped
 */
export function drawNextTokens(list, next, width, isSwapped, moved = 1) {
  const room = width - LEFT - (isSwapped ? 92 : 50),
    most = Math.max(...next.flatMap((each) => [each.probability, isSwapped ? each.trained : 0]), 1e-9),
    wide = (/** @type {number} */ probability) => Math.max((room * probability) / most, 1);
  const build = (/** @type {Element} */ group) => ({
    word: svg("text", { class: "word", x: LEFT - 6, y: 16 }, group),
    before: svg("rect", { class: "before", x: LEFT, y: 4, height: 7 }, group),
    bar: svg("rect", { class: "now", x: LEFT }, group),
    number: svg("text", { class: "number", y: 16 }, group),
  });
  repeatGroups(list, next.length, build, ({ word, before, bar, number }, i, group) => {
    const { trained } = next[i],
      probability = moved * next[i].probability + (1 - moved) * trained;
    set(group, { transform: translate(0, i * NEXT_ROW) });
    set(bar, { width: wide(probability), y: isSwapped ? 12 : 5, height: isSwapped ? 7 : 14 });
    set(before, { width: wide(trained), visibility: isSwapped ? "visible" : "hidden" });
    set(number, { x: LEFT + wide(isSwapped ? Math.max(trained, probability) : probability) + 5 });
    setText(word, asNext(next[i].word).slice(0, 10));
    const usual = isSwapped ? `${percent(trained).replace(/\s?%/, "")} → ` : "";
    setText(number, usual + percent(probability));
  });
}

/**
 * Place a button over each token of the list, which appends it; `verb` begins its name.
 * @param {Element} parent
 * @param {{ x: number, y: number, width: number }} list
 * @param {Next[]} next
 * @param {string} verb
 * @param {(index: number) => void} append
 */
export function layNextButtons(parent, { x, y, width }, next, verb, append) {
  const make = (/** @type {number} */ i) =>
    html("button", { type: "button", class: "next-word" }, parent).addEventListener("click", () => append(i));
  repeatMade(parent, make, next.length, (button, i) => {
    lay(button, { x, y: y + i * NEXT_ROW, width, height: NEXT_ROW });
    const name = `${verb} ${quotedNext(next[i].word)}`;
    set(button, { "aria-label": name, title: name });
    button.disabled = isPartOfCharacter(next[i].word);
  });
}
