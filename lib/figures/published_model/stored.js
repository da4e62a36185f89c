import { decodeBytes } from "../methods/base64.js";
import { isSwapped, runOf, TRAINED } from "./model.js";

// The stored answers to the questions, which the figure shows until the reader opens the model. An answer contains the
// weights of all heads for the last token, and those of one head for all tokens; the example, the sentence as trained,
// contains all weights. Whatever else the reader asks for needs the model.

const start = (i) => (i * (i + 1)) / 2;

/** The row of one query in the packed weights of one head, with zeros for later keys. */
export function rowOf(weights, n, head, query, unit = 1) {
  const first = head * start(n) + start(query),
    row = Array(n).fill(0);
  for (let j = 0; j <= query; j += 1) row[j] = weights[first + j] * unit;
  return row;
}

const PERCENT = 0.01, // of the example
  BYTE = 1 / 255; // of the answers

/** Decode the value of the trait `example_lazy`. */
export const decodeStored = ({ weights, answers }) => ({
  weights: decodeBytes(weights),
  answers: answers.map((each) => ({ ...each, last: decodeBytes(each.last), own: decodeBytes(each.own) })),
});

/** The weights of a head for a query in the example; undefined until all have been fetched. */
function rowOfExample({ words, shape, first }, stored, at, query) {
  if (stored) return rowOf(stored.weights, words.length, at, query, PERCENT);
  return first.head[0] * shape[1] + first.head[1] === at
    ? rowOf(first.weights, words.length, 0, query, PERCENT)
    : undefined;
}

/** The weights of a head for a query in a stored answer; undefined if they are not stored. */
function rowOfAnswer({ words, setting, last, own }, nHeads, at, query) {
  const n = words.length;
  if (query === n - 1) return Array.from(last.subarray(at * n, (at + 1) * n), (weight) => weight * BYTE);
  return setting.block * nHeads + setting.head === at ? rowOf(own, n, 0, query, BYTE) : undefined;
}

const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/**
 * What is known about a setting without the model. `needs` says what is not: the text, the kernel on this text, or
 * undefined if everything but some rows of weights is stored.
 * @returns {import("./view.js").From}
 */
export function storedView({ example }, stored, setting) {
  const trained = { ...setting, kernel: TRAINED },
    isExample = (of) => !isSwapped(of) && of.text === example.text;
  const find = (of) =>
    stored?.answers.find((each) => runOf(each.setting) === runOf(of)) ?? (isExample(of) ? example : undefined);
  const [found, usual] = [find(setting), find(trained)],
    { shape } = example;
  const row = (of, answer) => (at, query) =>
    isExample(of) ? rowOfExample(example, stored, at, query) : answer && rowOfAnswer(answer, shape[1], at, query);
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

const asNextToken = ([word, probability, trained]) => ({ word, probability, trained });
