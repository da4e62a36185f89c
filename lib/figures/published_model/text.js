import { format, percent, role } from "../parts/numbers.js";
import { escaped } from "../parts/plot.js";
import { quoted, quotedNext } from "../parts/tokens.js";

// Texts of the published model's figure: the sentence, and the tooltips of keys and heads.

/**
 * @typedef {import("./published_model.js").Data} Data
 * @typedef {import("./published_model.js").Figure["now"]} Now
 * @typedef {import("./view.js").View} View
 */

const NO_PATTERN = "none of the named patterns";

const patternInWords = (/** @type {Data} */ { patterns }, /** @type {string} */ name) =>
  name ? `attends to ${patterns[name]}` : `fits ${NO_PATTERN}`;

const back = (/** @type {number} */ j, /** @type {number} */ query) => (j === query ? "itself" : `${query - j} back`);

/** Describe the swapped kernel and the heads that have it. @param {Data} data @param {View} view */
function changeInWords({ kernel_names: names }, { words, ran }) {
  const { kernel, scope, hidden } = ran;
  const masked = hidden.filter((j) => j < words.length).map((j) => escaped(quoted(words[j]))),
    which = masked.length > 3 ? `${masked.length} words` : masked.join(", ");
  return kernel === "mask"
    ? `Now ${which} masked in ${scope}. `
    : `Now the kernel “${escaped(names[kernel])}” in ${scope}. `;
}

/** What is not stored, by the name in `view.needs`; "continue" is for the button that continues the text. */
export const NEEDS = {
  text: "Your text needs the model, which runs in this browser.",
  kernel: "The answer for this kernel is not stored: it needs the model.",
  row: "The weights of this head for this token are not stored: they need the model.",
  continue: "To continue the text, open the model.",
};

/** @param {Data} data @param {Now} now */
function notes(data, { view }) {
  return view.dropped ? `The text is longer: these are its last ${data.shown} tokens. ` : "";
}

/** @param {View} view */
function nextInWords({ next, isSwapped: hasChanged }) {
  const [first] = next;
  if (!first) return "";
  const now = role("estimate", `Next comes ${escaped(quotedNext(first.word))} with ${percent(first.probability)}`);
  return hasChanged ? ` ${now}, as trained with ${percent(first.trained)}.` : ` ${now}.`;
}

/** @param {Data} data @param {Now} now */
export function sentence(data, now) {
  const { view } = now,
    { words, query, row, block, head, mostAttended: j } = view;
  if (view.needs) return now.answers.stored === undefined ? "The stored answers are on their way." : NEEDS[view.needs];
  if (!words.length && view.isExample) return "The model computes your text.";
  if (!words.length) return "There is no word yet. Write a sentence.";
  const looks = row.some(Boolean)
    ? `${role("query", `From ${escaped(quoted(words[query]))}`)}, head ${block}, ${head} attends most to ` +
      `${role("key", escaped(quoted(words[j])))} (${role("weight", percent(row[j]))}, ${back(j, query)}). `
    : `Head ${block}, ${head}. `;
  const pattern = `On this text it ${patternInWords(data, view.names[block * view.shape[1] + head])}.`;
  return `${notes(data, now)}${view.isSwapped ? changeInWords(data, view) : ""}${looks}${pattern}${nextInWords(view)}`;
}

/** @param {View} view */
export function lossInWords({ loss = NaN, lossTrained = NaN, isSwapped: hasChanged, isCurrent }) {
  if (!isCurrent || !Number.isFinite(loss)) return "";
  return hasChanged
    ? `Loss ${format(loss, 2)} nats, as trained ${format(lossTrained, 2)}`
    : `Loss ${format(loss, 2)} nats per token`;
}

/** @param {View} view @param {number} j */
export function keyInWords({ words, query, row, before, needs, isSwapped: hasChanged }, j) {
  if (needs) return `${quoted(words[j])}, token ${j}: its weight needs the model`;
  if (j > query) return `${quoted(words[j])}, token ${j}, comes after the query and is masked`;
  return `Key ${quoted(words[j])}, token ${j}: weight ${percent(row[j])}${hasChanged ? `, as trained ${percent(before[j])}` : ""}`;
}

/** @type {(data: Data, view: View, block: number, head: number) => string} */
export const headInWords = (data, { names, shape }, block, head) =>
  names.length
    ? `Head ${block}, ${head} ${patternInWords(data, names[block * shape[1] + head])}`
    : `Head ${block}, ${head}: what it does on this text needs the model`;
