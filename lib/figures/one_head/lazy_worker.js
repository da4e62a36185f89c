import { openModel, run, TRAINED, vocabulary } from "../methods/language_model.js";
import { softmax } from "../methods/weights.js";
import { isPartOfCharacter } from "../parts/tokens.js";

// Web worker that runs the whole model. The first message contains the stored model, and each one a text; the
// response has the words of the text, their weights in one head, and the most likely word after each of them.

/** @typedef {Parameters<typeof openModel>[0] & Parameters<typeof vocabulary>[0] & { shown: number }} Stored */

/** @type {ReturnType<typeof openModel>} */
let model;
/** @type {ReturnType<typeof vocabulary>} */
let tokenizer;
/** @type {{ block: number, head: number, shown: number }} */
let place;

/** @param {{ stored: Stored, block: number, head: number }} message */
function open({ stored, block, head }) {
  model = openModel(stored);
  tokenizer = vocabulary(stored);
  place = { block, head, shown: stored.shown };
}

/** The most likely word that consists of complete characters. @param {Float64Array} probabilities */
function likeliest(probabilities) {
  const { words } = tokenizer;
  let best = -1;
  probabilities.forEach((probability, token) => {
    const isBetter = best < 0 || probability > probabilities[best];
    if (isBetter && !isPartOfCharacter(words[token])) best = token;
  });
  return { word: words[best], probability: probabilities[best] };
}

/** @param {string} text */
function read(text) {
  const { encode, words, lengths } = tokenizer,
    all = encode(text),
    tokens = all.slice(-place.shown),
    n = tokens.length,
    size = words.length;
  const kernels = model.blocks.map(() => Array(model.nHeads).fill(TRAINED));
  const { weights, logits } = run(model, tokens, kernels),
    own = weights[place.block][place.head];
  return {
    text,
    words: tokens.map((token) => words[token]),
    lengths: tokens.map((token) => lengths[token]),
    dropped: all.length - n,
    rows: tokens.map((_, i) => [...own.subarray(i * n, i * n + i + 1)]),
    next: tokens.map((_, i) => likeliest(softmax(logits.subarray(i * size, (i + 1) * size)))),
  };
}

self.onmessage = ({ data }) => {
  if (data.stored) open(data);
  postMessage(read(data.text));
};
