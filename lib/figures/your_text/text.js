import { format, percent, role } from "../parts/numbers.js";
import { escaped } from "../parts/plot.js";
import { isPartOfCharacter, quoted, quotedNext } from "../parts/tokens.js";

// Texts of the figure: the sentence, the notes on the text, and the tooltips. What comes from the reader is
// escaped where it becomes HTML.

/**
 * @typedef {import("./your_text.js").Data} Data
 * @typedef {import("./your_text.js").Figure["now"]} Now
 */

/** The one or two tokens that the head attends to most, and how far back they are. @param {Now} now */
function keysInWords({ row, start, query, words }) {
  const order = [...row.keys()].sort((a, b) => row[b] - row[a] || a - b),
    back = (/** @type {number} */ j) => (j === query ? "itself" : `${query - j} back`);
  const key = (/** @type {number} */ i) =>
    `${role("key", escaped(quoted(words[start + i])))} (${role("weight", percent(row[i]))}, ${back(start + i)})`;
  const [first, second] = order;
  return row[second] >= 0.1 ? `${key(first)} and ${key(second)}` : key(first);
}

/** The description of the drawn state. @param {Data} data @param {Now} now */
export function sentence({ n_vocabulary: size }, now) {
  const { words, query, next, following, mean, setting } = now,
    { block, head } = setting;
  const from = `${role("query", `From ${escaped(quoted(words[query]))}`)}, head ${block}, ${head}`;
  if (!next.length) return `${from} …`; // the model is reading
  const continued = nextInWords(next, words[query + 1], following[query]);
  return `${from} attends most to ${keysInWords(now)}. ${continued}${lossInWords(mean, size)}`;
}

/**
 * The likeliest next token, and the probability of the token that follows in the text.
 * @type {(next: Now["next"], following: string, loss: number | undefined) => string}
 */
function nextInWords([first], following, loss) {
  const expected = role("estimate", `Next comes ${escaped(quotedNext(first.word))} with ${percent(first.probability)}`);
  if (loss === undefined) return `${expected}. `;
  if (following === first.word) return `${expected}, and so it does. `;
  return `${expected}; the text goes on with ${escaped(quotedNext(following))}, which had ${percent(Math.exp(-loss))}. `;
}

const lossInWords = (/** @type {number | undefined} */ mean, /** @type {number} */ size) =>
  mean === undefined
    ? ""
    : `Mean loss ${format(mean, 2)}\u00a0nats per token; with equal probabilities ${format(Math.log(size), 2)}.`;

const number = (/** @type {number} */ value) => value.toLocaleString("en");

/**
 * What the model reads: how much, in which windows, and what its vocabulary lacks.
 * @param {Data} data
 * @param {Now} now
 * @param {string} origin
 */
export function noteOn({ context }, { text, words, query, start }, origin) {
  const isLong = words.length > context;
  const size = `${origin}${number([...text].length)} characters, ${number(words.length)} tokens.`;
  const windows = isLong
    ? ` The model reads ${context} tokens at once: windows overlap by half, and ${quoted(words[query])} sees tokens ${start} to ${query}.`
    : "";
  return size + windows + unknownIn(text, words);
}

/** What happens to the characters that the vocabulary lacks. @param {string} text @param {string[]} words */
function unknownIn(text, words) {
  const parts = words.filter(isPartOfCharacter).length;
  if (!parts) return "";
  const known = words.join(""),
    missing = [...text].find((character) => character > "\x7f" && !known.includes(character)) ?? "\ufffd";
  return ` ${number(parts)} tokens are bytes of characters that are not in the model's vocabulary, such as “\u2068${missing}\u2069”.`;
}

/** The tooltip of a token: its weight or its loss. @param {Now} now @param {number} j */
export function tokenInWords({ setting, words, query, start, row, following }, j, shade = setting.shade) {
  const name = `${quoted(words[j])}, token ${j}`;
  if (shade === "losses") {
    const loss = following[j - 1];
    return loss === undefined
      ? `${name}: no loss`
      : `${name}: loss ${format(loss, 2)} nats, p = ${percent(Math.exp(-loss))}`;
  }
  if (j > query) return `${name}, comes after the query and is masked`;
  if (j < start) return `${name}, is before the window`;
  return row.length ? `Key ${name}: weight ${percent(row[j - start])}` : name;
}

/** The tooltip of a head. @param {Now} now @param {number[][][]} rows @param {number} block @param {number} head */
export function headInWords({ words, start, query }, rows, block, head) {
  const row = rows[block][head],
    most = row.indexOf(Math.max(...row));
  return `Head ${block}, ${head}: most from ${quoted(words[query])} to ${quoted(words[start + most])}, ${percent(row[most])}`;
}
