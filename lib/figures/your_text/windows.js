import { n_next as N_NEXT } from "../../constants.json";
import { openModel, run, vocabulary } from "../methods/language_model.js";
import { softmax } from "../methods/weights.js";

// Reading a text of any length with a model that takes `context` tokens at once: in windows that overlap by half. Each
// token belongs to the first window that contains it, so that it sees at least half a window of earlier tokens.

/**
 * @typedef {{ word: string, probability: number }} Next
 *
 * What the model reads in the window that starts at a token: the text and all its tokens, and for each token in
 * the window the weights of every head, the likeliest next tokens, and the loss of the token that follows.
 * @typedef {{ text: string, words: string[], start: number, weights: Float64Array[][], next: Next[][], following:
 *   number[] }} Reading
 * @typedef {{ text: string, following: number[] }} Losses
 * @typedef {Parameters<typeof openModel>[0] & Parameters<typeof vocabulary>[0]} Stored
 */

/** The index of the first token in the window of a token. @param {number} token @param {number} context */
export const startOf = (token, context) =>
  Math.max(0, Math.ceil((token - context + 1) / (context / 2))) * (context / 2);

/** The starts of all windows of n tokens. @param {number} n @param {number} context */
const startsOf = (n, context) =>
  Array.from({ length: startOf(n - 1, context) / (context / 2) + 1 }, (_, k) => (k * context) / 2);

/**
 * The likeliest tokens, in descending order; ties in the order of the vocabulary.
 * @param {Float64Array} probabilities
 */
function likeliest(probabilities) {
  /** @type {number[]} */
  const found = [];
  for (let k = 0; k < N_NEXT; k += 1) {
    let best = -1;
    for (let token = 0; token < probabilities.length; token += 1) {
      if (!(probabilities[token] <= probabilities[best]) && !found.includes(token)) best = token;
    }
    found.push(best);
  }
  return found;
}

/**
 * Open the stored model. `windowAt` reads the window of one token, by default the last; `lossesOf` reads all windows.
 * `following[i]` is −ln p of the token after token i: its loss, in nats.
 * @param {Stored} stored @param {number} context
 */
export function createReader(stored, context) {
  const model = openModel(stored),
    { encode, words } = vocabulary(stored);
  const trained = { name: "dot product", factor: 1 },
    kernels = model.blocks.map(() => Array(model.nHeads).fill(trained));

  /** The weights of all heads in the window that starts here, and the probabilities after each of its tokens.
   * @param {number[]} tokens @param {number} start */
  function read(tokens, start) {
    const seen = tokens.slice(start, start + context),
      { logits, weights } = run(model, seen, kernels);
    const size = logits.length / seen.length,
      rows = seen.map((_token, i) => /** @type {Float64Array} */ (softmax(logits.subarray(i * size, (i + 1) * size))));
    return { rows, weights };
  }

  const lossAt = (/** @type {Float64Array} */ row, /** @type {number} */ token) => -Math.log(row[token]);

  /** @param {string} text @param {number | null} query @returns {Reading} */
  function windowAt(text, query) {
    const tokens = encode(text),
      start = startOf(Math.min(query ?? Infinity, tokens.length - 1), context);
    const { rows, weights } = read(tokens, start);
    const next = rows.map((row) => likeliest(row).map((token) => ({ word: words[token], probability: row[token] })));
    const following = rows.flatMap((row, i) =>
      start + i + 1 < tokens.length ? [lossAt(row, tokens[start + i + 1])] : [],
    );
    return { text, words: tokens.map((token) => words[token]), start, weights, next, following };
  }

  /** @param {string} text @param {(share: number) => void} progress @returns {Losses} */
  function lossesOf(text, progress) {
    const tokens = encode(text),
      starts = startsOf(tokens.length, context),
      following = /** @type {number[]} */ ([]);
    starts.forEach((start, k) => {
      const { rows } = read(tokens, start);
      for (let i = following.length; i < Math.min(start + context, tokens.length - 1); i += 1)
        following.push(lossAt(rows[i - start], tokens[i + 1]));
      progress((k + 1) / starts.length);
    });
    return { text, following };
  }

  return { windowAt, lossesOf };
}
