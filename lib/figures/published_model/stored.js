import { decodeBytes } from "../methods/base64.js";
import { isSwapped, runOf, TRAINED } from "./model.js";

// The stored answers to the questions, which the figure shows until the reader opens the model. An answer contains the
// weights of all heads for the last token, and those of one head for all tokens; the example, the sentence as trained,
// contains all weights. Whatever else the reader asks for needs the model.

/**
 * @typedef {import("./model.js").Asked} Asked
 * @typedef {[word: string, probability: number, trained: number]} Token
 * @typedef {{ tokens: number[], words: string[], names: string[], next: Token[][], losses: number[] }} Known
 * @typedef {Known & { text: string, shape: [number, number], first: { head: [number, number], weights: number[] }
 *   }} Example With the weights of one head.
 * @typedef {Known & { setting: Asked, last: Uint8Array, own: Uint8Array }} Answer
 * @typedef {ReturnType<typeof decodeStored>} Stored
 * @typedef {(at: number, query: number) => number[] | undefined} Row The weights of head `at` for a query.
 */

const start = (/** @type {number} */ i) => (i * (i + 1)) / 2;

/**
 * The row of one query in the packed weights of one head, with zeros for later keys.
 * @param {ArrayLike<number>} weights
 * @param {number} n
 * @param {number} head
 * @param {number} query
 */
export function rowOf(weights, n, head, query, unit = 1) {
  const first = head * start(n) + start(query),
    row = /** @type {number[]} */ (Array(n).fill(0));
  for (let j = 0; j <= query; j += 1) row[j] = weights[first + j] * unit;
  return row;
}

const PERCENT = 0.01, // of the example
  BYTE = 1 / 255; // of the answers

/**
 * Decode the value of the trait `example_lazy`.
 * @param {{ weights: string, answers: (Known & { setting: Asked, last: string, own: string })[] }} lazy
 */
export const decodeStored = ({ weights, answers }) => ({
  weights: decodeBytes(weights),
  answers: answers.map((each) => ({ ...each, last: decodeBytes(each.last), own: decodeBytes(each.own) })),
});

/**
 * The weights of a head for a query in the example; undefined until all have been fetched.
 * @type {(example: Example, stored: Stored | null | undefined, at: number, query: number) => number[] | undefined}
 */
function rowOfExample({ words, shape, first }, stored, at, query) {
  if (stored) return rowOf(stored.weights, words.length, at, query, PERCENT);
  return first.head[0] * shape[1] + first.head[1] === at
    ? rowOf(first.weights, words.length, 0, query, PERCENT)
    : undefined;
}

/**
 * The weights of a head for a query in a stored answer; undefined if they are not stored.
 * @type {(answer: Answer, nHeads: number, at: number, query: number) => number[] | undefined}
 */
function rowOfAnswer({ words, setting, last, own }, nHeads, at, query) {
  const n = words.length;
  if (query === n - 1) return Array.from(last.subarray(at * n, (at + 1) * n), (weight) => weight * BYTE);
  return setting.block * nHeads + setting.head === at ? rowOf(own, n, 0, query, BYTE) : undefined;
}

const mean = (/** @type {number[]} */ numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/**
 * What is known about a setting without the model. `needs` says what is not: the text, the kernel on this text, or
 * undefined if everything but some rows of weights is stored.
 * @param {{ example: Example }} data @param {Stored | null | undefined} stored @param {Asked} setting
 * @returns {import("./view.js").From}
 */
export function storedView({ example }, stored, setting) {
  const trained = { ...setting, kernel: TRAINED },
    isExample = (/** @type {Asked} */ of) => !isSwapped(of) && of.text === example.text;
  /** @type {(of: Asked) => Example | Answer | undefined} */
  const find = (of) =>
    stored?.answers.find((each) => runOf(each.setting) === runOf(of)) ?? (isExample(of) ? example : undefined);
  const [found, usual] = [find(setting), find(trained)],
    { shape } = example;
  /** @type {(of: Asked, answer: Example | Answer | undefined) => Row} */
  const row = (of, answer) => (at, query) => {
    if (isExample(of)) return rowOfExample(example, stored, at, query);
    return answer && "own" in answer ? rowOfAnswer(answer, shape[1], at, query) : undefined;
  };
  return {
    words: usual?.words ?? [],
    tokens: usual?.tokens ?? [],
    dropped: 0,
    shape,
    names: found?.names ?? [],
    isExample: true,
    loss: found && mean(found.losses),
    lossTrained: usual && mean(usual.losses),
    ran: setting,
    needs: found ? undefined : usual ? "kernel" : "text",
    row: row(setting, found),
    rowTrained: row(trained, usual),
    nextAt: (query) => found?.next.at(query - found.words.length)?.map(asNextToken),
  };
}

const asNextToken = (/** @type {Token} */ [word, probability, trained]) => ({ word, probability, trained });
