import { position_bandwidth as POSITION_BANDWIDTH } from "../../constants.json";
import {
  hasTemperature,
  hasWords,
  isSwapped,
  doesAsNamed,
  isWide,
  likeliestAsTrained,
  likeliestAt,
  nameOf,
  narrowest,
} from "./view.js";
import { format, indexOfLargest, indicesOfLargest, percent, role } from "../parts/numbers.js";
import { meaningOf } from "../methods/heads.js";
import { escaped } from "../parts/plot.js";
import { isPartOfCharacter, quoted, quotedNext } from "../parts/tokens.js";

// Texts of the language model figure: the sentence, the verdict on a guess, and the tooltips of keys and heads.

/**
 * @typedef {import("./language_model.js").Data} Data
 * @typedef {import("./language_model.js").Answers} Answers
 * @typedef {import("./language_model.js").Wanted} Wanted
 * @typedef {import("./view.js").Read} Read
 * @typedef {{ wanted: Wanted, isNow: boolean, view: import("./view.js").View, answers: Answers }} Now
 * @typedef {import("../contract/guesses.js").Asked} Asked
 */

const capital = (/** @type {string} */ words) => words[0].toUpperCase() + words.slice(1);

export const positionBandwidth = (/** @type {{ temperature: number }} */ { temperature }) =>
  `h = ${format(POSITION_BANDWIDTH * Math.sqrt(temperature), 2)}\u00a0tokens`;

/** Describe the kernel's parameters that differ from those of the trained kernel. @param {Wanted} setting */
function tuning({ kernel, temperature, features }) {
  if (kernel === "position") return ` with ${positionBandwidth({ temperature })}`;
  const many = kernel === "performer" ? ` with ${features} features` : "";
  return many + (!hasTemperature({ kernel }) || temperature === 1 ? "" : ` at τ = ${format(temperature, 1)} √d`);
}

/**
 * Describe the swapped kernels.
 * @param {Wanted} setting
 * @param {string[]} words
 * @param {Data["kernel_names"]} kernelNames
 */
function changeInWords(setting, words, kernelNames) {
  if (!isSwapped(setting)) return "";
  const { kernel, scope, hidden, query } = setting;
  const own = hidden.filter((j) => j < words.length).map((j) => escaped(quoted(words[j]))),
    which = own.length > 3 ? `${own.length} words` : own.join(", ");
  const itself = kernel === "mask" && hidden.includes(query) ? "; a word always attends to itself" : "";
  const what = kernel === "mask" ? `${which} masked` : `the kernel “${escaped(kernelNames[kernel])}”${tuning(setting)}`;
  return `Now ${what} in ${scope}${itself}. `;
}

/** @param {Data} data @param {Now} now */
export function sentence({ kernel_names, shown }, { view, answers: { chosen } }) {
  if (!hasWords(view)) return "There is no word yet. Write a sentence.";
  const { setting, words, dropped, next, follows, swapped } = view;
  const { query, block, head } = setting,
    row = swapped.rows[block][head];
  const notes =
    (dropped ? `The text is longer: these are its last ${shown} tokens. ` : "") +
    (words.some(isPartOfCharacter)
      ? "This model was trained on English tales only; it sees any other characters as raw bytes. "
      : "");
  const looks =
    `${role("query", `From ${escaped(quoted(words[query]))}`)}, head ${block}, ${head} attends ` +
    `${keysInWords(row, query, words)}. ${capital(doesInWords(view, block, head))}. ` +
    (isChosen(chosen, view) ? "It was selected because it attends to few words. " : "");
  const really =
    follows == null
      ? ""
      : `; the actual next word, ${escaped(quotedNext(words[query + 1]))}, has ${percent(follows[0])}`;
  return `${notes}${changeInWords(setting, words, kernel_names)}${looks}${nextInWords(next, setting)}${really}.${elsewhere(swapped, setting)}`;
}

/**
 * Describe what a head does on the whole text, and whether it does the same for this query.
 * @type {(view: Read, block: number, head: number) => string}
 */
function doesInWords(view, block, head) {
  const name = nameOf(view, block, head);
  return `${meaningOf(name)}${doesAsNamed(view, block, head, name) ? "" : ", but not here"}`;
}

/**
 * Whether the head that was selected automatically is still shown with its original setting.
 * @param {Answers["chosen"]} chosen
 * @param {Read} view
 */
function isChosen(chosen, { setting, words, swapped }) {
  const { text, block, head, query } = setting;
  const isShown = chosen?.text === text && chosen.block === String(block) && chosen.head === String(head);
  const isAsChosen = query === words.length - 1 && !isSwapped(setting);
  return isShown && isAsChosen && !isWide(swapped.rows[block][head], query);
}

/**
 * Describe the most likely next word, and the most likely one as trained if it differs.
 * @param {Read["next"]} next
 * @param {Wanted} setting
 */
function nextInWords(next, setting) {
  const [first] = next,
    before = likeliestAsTrained(next);
  const now = role("estimate", `Next comes ${escaped(quotedNext(first.word))} with ${percent(first.probability)}`);
  if (!isSwapped(setting)) return now;
  if (first === before) return `${now}, as trained with ${percent(first.trained)}`;
  const fell = `with ${percent(before.trained)}, now ${percent(before.probability)}`;
  return `${now}; as trained it is ${escaped(quotedNext(before.word))} ${fell}`;
}

/**
 * Describe the one or two words that a head attends to most, and how far back they are.
 * @param {number[]} row
 * @param {number} query
 * @param {string[]} words
 */
function keysInWords(row, query, words) {
  const seen = row.slice(0, query + 1);
  if (query && Math.max(...seen) - Math.min(...seen) < 1e-9) return `to all ${query + 1} tokens equally`;
  const back = (/** @type {number} */ j, /** @type {string} */ unit) =>
    j === query ? "itself" : `${query - j}${unit} back`;
  const key = (/** @type {number} */ j, unit = "") =>
    `${role("key", escaped(quoted(words[j])))} (${role("weight", percent(row[j]))}, ${back(j, unit)})`;
  const [first, second] = indicesOfLargest(row, 2);
  const both = row[second] >= 0.1 ? ` and ${key(second)}` : "";
  const heaviest = key(first, query - first === 1 ? " token" : " tokens");
  return `${isWide(row, query) ? "nearly everywhere, most" : "most"} to ${heaviest}${both}`;
}

/**
 * Suggest a more concentrated head if the selected head, as trained, attends nearly everywhere.
 * @param {Read["swapped"]} swapped
 * @param {Wanted} setting
 */
function elsewhere({ rows }, setting) {
  if (isSwapped(setting)) return "";
  const { query, block, head } = setting;
  const marked = narrowest(rows).map((k) => [Math.floor(k / rows[0].length), k % rows[0].length].join(", "));
  return isWide(rows[block][head], query) && marked.length
    ? ` Head ${marked[0]} attends to fewer words: click it.`
    : "";
}

/**
 * The right answer about the most likely next word (less likely, more likely, or a different one), and the reason.
 * @param {Read} view
 * @param {string[]} answers
 * @returns {Asked}
 */
function fateOf({ next }, [lessLikely, moreLikely, another]) {
  const [first] = next,
    before = likeliestAsTrained(next);
  const fell = `${escaped(quotedNext(before.word))} has ${percent(before.probability)}, as trained ${percent(before.trained)}.`;
  if (first !== before) return { right: another, because: `${escaped(quotedNext(first.word))} is first, and ${fell}` };
  if (first.probability === first.trained) return {};
  return { right: first.probability < first.trained ? lessLikely : moreLikely, because: fell };
}

/**
 * Return the figure's `asks`. Each new text gets its own question; the right answer is available as soon as that
 * setting has been drawn.
 */
export function questioner() {
  /** @type {Asked & { text?: string } | undefined} */
  let asked;
  /** @type {(data: Pick<import("./language_model.js").Given, "defaults">, now: Now, guesses:
   *   import("../contract/guesses.js").Guesses) => Asked} */
  return function asks(
    { defaults },
    { wanted, isNow, view, answers: { answer, table, writing } },
    { answers, then, ...offered },
  ) {
    if (wanted.text === defaults.text) return offered;
    if (writing) return asked ?? offered; // the headline stays while the model continues the text
    if (!answer || !table || answer.setting.text !== wanted.text) return asked ?? offered; // still pending
    if (!answer.swapped) return { question: "Write a sentence. What will come next?", isOpen: false };
    const { tokens, trained } = answer,
      last = tokens.length - 1;
    if (asked?.text !== wanted.text) {
      const word = table.words[likeliestAt(trained.logits, last, table)];
      asked = {
        text: wanted.text,
        question: `${quotedNext(word)} comes next. What if all heads used position alone?`,
      };
    }
    const own = /** @type {Record<string, unknown>} */ (wanted);
    const isAsAsked = Object.entries(then).every(([name, value]) => own[name] === value);
    if (isAsAsked && isNow && hasWords(view) && view.setting.query === last)
      asked = { ...asked, ...fateOf(view, answers) };
    return asked;
  };
}

/** @param {Read} view @param {number} j */
export function keyInWords({ setting, words, swapped, trained }, j) {
  const { query, block, head } = setting;
  if (j > query) return `${quoted(words[j])}, token ${j}, comes after the query and is masked`;
  const [now, before] = [swapped, trained].map(({ rows }) => percent(rows[block][head][j]));
  return `Key ${quoted(words[j])}, token ${j}: weight ${now}${isSwapped(setting) ? `, as trained ${before}` : ""}`;
}

/** @param {Read} view @param {number} block @param {number} head */
export function headInWords(view, block, head) {
  const { setting, words, swapped } = view,
    row = swapped.rows[block][head],
    heaviest = indexOfLargest(row);
  const most = `most from ${quoted(words[setting.query])} to ${quoted(words[heaviest])}, ${percent(row[heaviest])}`;
  return `Head ${block}, ${head} attends ${most}; ${doesInWords(view, block, head)}`;
}
