import { csvOf } from "../parts/save.js";

// What the reader takes away: the numbers as CSV, and lines of Python that reproduce them.

/** @typedef {import("./your_text.js").Figure["now"]} Now */

export const TEXT_FILE = "your_text.txt";

/** The losses of a text with more tokens than the model reads at once: each window adds the rows that are new. */
const windowed = (/** @type {number} */ context) => [
  `for first in range(0, len(tokens) - ${context / 2}, ${context / 2}):  # windows that overlap by half`,
  `    rows = np.arange(first + ${context / 2} * (first > 0), min(first + ${context}, len(tokens) - 1))`,
  `    p = softmax(model.run(tokens[first : first + ${context}]).logits)[rows - first]`,
  "    losses[rows + 1] = -np.log(p[np.arange(len(rows)), tokens[rows + 1]])",
];

const AT_ONCE = ["losses[1:] = -np.log(probabilities[np.arange(len(tokens) - 1), tokens[1:]])"];

const SHOWN = {
  weights: "print(weights[query])",
  losses: "print(losses, np.nanmean(losses))",
};

/** Python code for the drawn state. @param {Now} now @param {{ context: number, in_url: number }} data */
export function codeFor({ setting: { block, head, shade }, text, words, query, start }, { context, in_url: short }) {
  const isLong = words.length > context,
    read = text.length <= short ? JSON.stringify(text) : `Path("${TEXT_FILE}").read_text("utf-8")`;
  return [
    ...(text.length <= short ? [] : ["from pathlib import Path", ""]),
    "import numpy as np",
    "from lib.language_model import load  # the package of this course",
    "from lib.weights import softmax",
    "",
    "model = load()",
    `tokens = model.encode(${read})`,
    `start, query = ${start}, ${query - start}  # the window, and the token in it`,
    `run = model.run(tokens[start : start + ${context}])`,
    `weights = run.weights[${block}, ${head}]  # row i: the weights of token i over the tokens`,
    "probabilities = softmax(run.logits)  # row i: of every token of the vocabulary, after token i",
    "losses = np.full(len(tokens), np.nan)  # in nats; the first token has none",
    ...(isLong ? windowed(context) : AT_ONCE),
    'for token in np.argsort(-probabilities[query], kind="stable")[:6]:',
    "    print(repr(model.decode([token])), probabilities[query, token])",
    SHOWN[shade],
    "",
  ].join("\n");
}

/**
 * The weights of one head in the window: a row per pair of a token and a token that it sees.
 * @param {Now} now
 * @param {import("./windows.js").Reading} reading
 */
export function weightsCsv({ setting: { block, head }, words, start }, { weights }) {
  const all = weights[Number(block)][Number(head)],
    n = Math.sqrt(all.length),
    rows = [];
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1)
      rows.push([start + i, words[start + i], start + j, words[start + j], all[i * n + j]]);
  }
  return csvOf([["query", "query_token", "key", "key_token", "weight"], ...rows]);
}

/** The loss of each token; the first has none. @param {Now} now */
export const lossesCsv = ({ words, following }) =>
  csvOf([["token", "text", "loss"], ...words.map((word, j) => [j, word, j ? following[j - 1] : NaN])]);
