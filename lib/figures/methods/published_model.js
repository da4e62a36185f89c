// The published model of lib/published_model, line by line: text to tokens, blocks of heads with swappable
// kernels, next tokens, loss, and what each head does. A run is a generator that yields after each block, so that
// the worker can report progress and stop. Arrays are flat, in row-major order; the weights of a head are a packed
// triangle, in which row i begins at i(i + 1)/2.

import { byteTokenizer } from "./byte_tokenizer.js";
import { decodeAll, decodeRow, readGguf } from "./gguf.js";
import { headWeights, rotateRows, weightsOfFixedQuery } from "./language_model.js";
import { product } from "./products.js";
import { inner } from "./random_features.js";
import { checkModel, need } from "./supported.js";

/**
 * @typedef {import("./gguf.js").Matrix} Matrix
 * @typedef {import("./language_model.js").HeadKernel} HeadKernel
 * @typedef {ReturnType<typeof openModel>} Model
 * @typedef {Record<"query" | "key" | "value" | "output" | "gate" | "up" | "down", Matrix> & Record<"attentionGain"
 *   | "layerGain", Float32Array>} Block
 * @typedef {{ keys: Float64Array[], values: Float64Array[], weights: Float32Array[] }} Past Of the heads of a block.
 * @typedef {{ streams: Float32Array, logSums: Float64Array, top: Int32Array }} Last
 * @typedef {{ tokens: number[], blocks: Past[], streams: Float32Array[], last: Last }} Run
 */

const N_TOP = 8; // stored next tokens per position

const SPECIAL = 3; // the type of tokens such as <|im_start|>

// ---- Rows ---------------------------------------------------------------------------------------------------

/**
 * Normalise each row to a root mean square of 1, and multiply by the gains.
 * @param {Float32Array} x @param {Float32Array} gain @param {number} epsilon
 */
function norm(x, gain, epsilon) {
  const width = gain.length,
    all = new Float32Array(x.length);
  for (let row = 0; row < x.length; row += width) {
    const scale = 1 / Math.sqrt(inner(x, row, x, row, width) / width + epsilon);
    for (let c = 0; c < width; c += 1) all[row + c] = x[row + c] * scale * gain[c];
  }
  return all;
}

/** @param {Float32Array} x @param {Float32Array} y */
function addTo(x, y) {
  for (let i = 0; i < x.length; i += 1) x[i] += y[i];
}

/**
 * Concatenate two typed arrays of the same type.
 * @template {Float32Array | Float64Array | Int32Array} Row @param {Row | undefined} first @param {Row} second
 *   @returns {Row}
 */
function joined(first, second) {
  if (!first?.length) return second;
  const all = new /** @type {any} */ (second.constructor)(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

const triangle = (/** @type {number} */ n) => (n * (n + 1)) / 2;

// ---- The model ----------------------------------------------------------------------------------------------

/**
 * Read a model of the Llama family, as `lib.published_model.load`. Throws an error that says what was expected.
 * @param {Uint8Array} bytes
 */
export function openModel(bytes) {
  const { settings, matrices } = readGguf(bytes);
  const { nHeads, nGroups, width, d } = checkModel(settings, matrices);
  const of = (/** @type {string} */ name) => need(settings, `llama.${name}`);
  const matrix = (/** @type {string} */ name) => need(matrices, `${name}.weight`);
  const blocks = Array.from({ length: of("block_count") }, (_, i) => {
    const own = (/** @type {string} */ name) => matrix(`blk.${i}.${name}`);
    const maps = { query: "attn_q", key: "attn_k", value: "attn_v", output: "attn_output" };
    const layers = { gate: "ffn_gate", up: "ffn_up", down: "ffn_down" };
    const entries = Object.entries({ ...maps, ...layers }).map(([name, stored]) => [name, own(stored)]);
    const gains = { attentionGain: decodeAll(own("attn_norm")), layerGain: decodeAll(own("ffn_norm")) };
    return /** @type {Block} */ ({ ...Object.fromEntries(entries), ...gains });
  });
  const /** @type {string[]} */ words = need(settings, "tokenizer.ggml.tokens"),
    kinds = settings["tokenizer.ggml.token_type"] ?? [],
    special = words.filter((_, i) => kinds[i] === SPECIAL);
  return {
    embedding: matrix("token_embd"),
    unembedding: matrices["output.weight"] ?? matrix("token_embd"),
    blocks,
    gain: decodeAll(matrix("output_norm")),
    ...byteTokenizer(words, need(settings, "tokenizer.ggml.merges"), special),
    nHeads,
    nGroups,
    d,
    width,
    base: settings["llama.rope.freq_base"] ?? 10000,
    epsilon: of("attention.layer_norm_rms_epsilon"),
  };
}

/**
 * Copy one head's d columns of x (n, m), and rotate them by position if `base` is given. The file rotates the pairs
 * (2a, 2a + 1), the course (a, a + d/2).
 * @param {Float32Array} x
 * @param {number} m
 * @param {number} head
 * @param {number} d
 * @param {boolean} isPaired
 */
function columnsOf(x, m, head, d, isPaired) {
  const n = x.length / m,
    own = new Float64Array(n * d);
  for (let i = 0; i < n; i += 1) {
    for (let c = 0; c < d; c += 1) {
      const to = isPaired ? (c % 2) * (d / 2) + (c >> 1) : c;
      own[i * d + to] = x[i * m + head * d + c];
    }
  }
  return own;
}

/**
 * The packed weights of a head as trained, for queries from position `from` on.
 * @param {Float64Array} queries @param {Float64Array} keys @param {number} d @param {number} from
 */
function trainedWeights(queries, keys, d, from) {
  const n = keys.length / d,
    all = new Float32Array(triangle(n) - triangle(from)),
    temperature = Math.sqrt(d);
  let at = 0;
  for (let i = from; i < n; i += 1) {
    let largest = -Infinity,
      total = 0;
    for (let j = 0; j <= i; j += 1) {
      const score = inner(queries, (i - from) * d, keys, j * d, d) / temperature;
      all[at + j] = score;
      largest = Math.max(largest, score);
    }
    for (let j = 0; j <= i; j += 1) total += all[at + j] = Math.exp(all[at + j] - largest);
    for (let j = 0; j <= i; j += 1) all[at + j] /= total;
    at += i + 1;
  }
  return all;
}

/**
 * The packed weights of a head with a swapped kernel: a setting of `headWeights`, or { name: "fixed query" }.
 * @param {Float64Array} unrotated
 * @param {Float64Array} queries
 * @param {Float64Array} keys
 * @param {number} d
 * @param {number} base
 * @param {HeadKernel} kernel
 */
function swappedWeights(unrotated, queries, keys, d, base, kernel) {
  const n = keys.length / d,
    all = new Float32Array(triangle(n));
  const square =
    kernel.name === "fixed query"
      ? weightsOfFixedQuery(unrotated, keys, d, base)
      : headWeights(queries, keys, d, kernel);
  for (let i = 0; i < n; i += 1) all.set(square.subarray(i * n, i * n + i + 1), triangle(i));
  return all;
}

/**
 * Write the averages of one head's values into its columns of `all` (m, nHeads·d), for queries from `from` on.
 * @param {Float32Array} all
 * @param {number} columns
 * @param {number} first
 * @param {Float32Array} weights
 * @param {Float64Array} values
 * @param {number} d
 * @param {number} from
 */
function averageInto(all, columns, first, weights, values, d, from) {
  const n = values.length / d;
  let at = 0;
  for (let i = from; i < n; i += 1) {
    const row = (i - from) * columns + first;
    for (let j = 0; j <= i; j += 1) {
      const weight = weights[at + j];
      for (let c = 0; c < d; c += 1) all[row + c] += weight * values[j * d + c];
    }
    at += i + 1;
  }
}

/**
 * Add what the heads of a block contribute to the new rows of the stream, in place. `past` has the block's keys, values
 * and weights for the earlier rows; the result has them for all rows. `kernels` contains the swapped kernels by head.
 * @param {Model} model
 * @param {Block} block
 * @param {Float32Array} stream
 * @param {Past} past
 * @param {(HeadKernel | undefined)[]} kernels
 * @returns {Past}
 */
function attend(model, block, stream, past, kernels) {
  const { nHeads, nGroups, d, base, epsilon } = model,
    x = norm(stream, block.attentionGain, epsilon),
    m = stream.length / model.width,
    [asked, answers, said] = [block.query, block.key, block.value].map((matrix) => product(x, matrix)),
    from = (past.keys[0]?.length ?? 0) / d;
  const grouped = (/** @type {Float32Array} */ all, /** @type {boolean} */ isPaired) =>
    Array.from({ length: nGroups }, (_, g) => columnsOf(all, nGroups * d, g, d, isPaired));
  const keys = grouped(answers, true).map((own, g) => joined(past.keys[g], rotateRows(own, d, base, from)));
  const values = grouped(said, false).map((own, g) => joined(past.values[g], own));
  const estimates = new Float32Array(m * nHeads * d);
  const weights = Array.from({ length: nHeads }, (_, h) => {
    const unrotated = columnsOf(asked, nHeads * d, h, d, true),
      queries = rotateRows(unrotated.slice(), d, base, from),
      group = Math.floor((h * nGroups) / nHeads);
    const own = kernels[h]
      ? swappedWeights(unrotated, queries, keys[group], d, base, kernels[h])
      : trainedWeights(queries, keys[group], d, from);
    averageInto(estimates, nHeads * d, h * d, own, values[group], d, from);
    return joined(past.weights[h], own);
  });
  addTo(stream, product(estimates, block.output));
  return { keys, values, weights };
}

/**
 * Add the output of the gated feed-forward network to the stream, in place.
 * @param {Model} model @param {Block} block @param {Float32Array} stream
 */
function feedForward({ epsilon }, block, stream) {
  const x = norm(stream, block.layerGain, epsilon),
    hidden = product(x, block.gate),
    up = product(x, block.up);
  for (let i = 0; i < hidden.length; i += 1) hidden[i] = (hidden[i] / (1 + Math.exp(-hidden[i]))) * up[i];
  addTo(stream, product(hidden, block.down));
}

/** @type {Past} */
const NOTHING = { keys: [], values: [], weights: [] };

/**
 * The first rows of an earlier run, for tokens that begin in the same way.
 * @param {Run} run @param {number} n @param {Model} model
 */
function firstRows({ blocks, streams, last }, n, { d, width }) {
  /** @template {Float32Array | Float64Array | Int32Array} Row @param {Row} all @param {number} size */
  const rows = (all, size) => /** @type {Row} */ (all.subarray(0, n * size));
  return {
    blocks: blocks.map(({ keys, values, weights }) => ({
      keys: keys.map((all) => rows(all, d)),
      values: values.map((all) => rows(all, d)),
      weights: weights.map((all) => all.subarray(0, triangle(n))),
    })),
    streams: streams.map((stream) => rows(stream, width)),
    last: { streams: rows(last.streams, width), logSums: rows(last.logSums, 1), top: rows(last.top, N_TOP) },
  };
}

/**
 * Run the model as trained. `known` is an earlier run, reused for the tokens with which both texts begin. A run
 * has `tokens`, `streams` before each block, `blocks` with keys, values and weights, and `last`: the normalised
 * last stream, the logarithm of the sum of exponentiated logits, and the likeliest next tokens, per position.
 * @param {Model} model
 * @param {number[]} tokens
 * @param {Run} [known]
 * @returns {Generator<number, Run, void>}
 */
export function* runTrained(model, tokens, known) {
  const n = known?.tokens.findIndex((token, i) => token !== tokens[i]) ?? 0;
  const shared = known && n < 0 ? known.tokens.length : n;
  if (known && shared === tokens.length) return { ...firstRows(known, shared, model), tokens };
  const past = known && shared ? firstRows(known, shared, model) : undefined;
  const stream = new Float32Array((tokens.length - shared) * model.width);
  tokens
    .slice(shared)
    .forEach((token, i) => decodeRow(model.embedding, token, stream.subarray(i * model.width, (i + 1) * model.width)));
  const /** @type {Past[]} */ blocks = [],
    /** @type {Float32Array[]} */ streams = [];
  for (const [b, block] of model.blocks.entries()) {
    streams.push(joined(past?.streams[b], stream.slice()));
    blocks.push(attend(model, block, stream, past?.blocks[b] ?? NOTHING, []));
    feedForward(model, block, stream);
    yield b;
  }
  return { tokens, blocks, streams, last: predictions(model, stream, past?.last) };
}

/**
 * Run the model with swapped kernels, by block and head, reusing the blocks before the first of them.
 * @param {Model} model
 * @param {Run} trained
 * @param {(HeadKernel | undefined)[][]} kernels
 * @returns {Generator<number, Run, void>}
 */
export function* runSwapped(model, trained, kernels) {
  const start = kernels.findIndex((own) => own.some(Boolean));
  if (start < 0) return trained;
  const blocks = trained.blocks.slice(0, start),
    stream = trained.streams[start].slice();
  for (let b = start; b < model.blocks.length; b += 1) {
    blocks.push(attend(model, model.blocks[b], stream, NOTHING, kernels[b]));
    feedForward(model, model.blocks[b], stream);
    yield b;
  }
  return { ...trained, blocks, last: predictions(model, stream) };
}

// ---- Next tokens --------------------------------------------------------------------------------------------

const ROWS_AT_ONCE = 16; // of logits, 200 kB each

/**
 * The last stream, normalised, with the likeliest next tokens and the logarithm of the sum of exponentiated logits.
 * @param {Model} model
 * @param {Float32Array} stream
 * @param {Last} [past]
 * @returns {Last}
 */
function predictions(model, stream, past) {
  const { width, unembedding } = model,
    size = unembedding.n_rows,
    streams = norm(stream, model.gain, model.epsilon),
    n = streams.length / width,
    logSums = new Float64Array(n),
    top = new Int32Array(n * N_TOP);
  for (let start = 0; start < n; start += ROWS_AT_ONCE) {
    const logits = product(streams.subarray(start * width, (start + ROWS_AT_ONCE) * width), unembedding);
    for (let i = 0; i * size < logits.length; i += 1) {
      const row = logits.subarray(i * size, (i + 1) * size);
      top.set(largest(row, N_TOP), (start + i) * N_TOP);
      logSums[start + i] = logSumExp(row);
    }
  }
  return {
    streams: joined(past?.streams, streams),
    logSums: joined(past?.logSums, logSums),
    top: joined(past?.top, top),
  };
}

/** @param {Float32Array} row */
function logSumExp(row) {
  let most = -Infinity,
    sum = 0;
  for (const each of row) most = Math.max(most, each);
  for (const each of row) sum += Math.exp(each - most);
  return most + Math.log(sum);
}

/** The indices of the `count` largest numbers, largest first. @param {Float32Array} row @param {number} count */
function largest(row, count) {
  /** @type {number[]} */
  const found = [];
  for (let k = 0; k < row.length; k += 1) {
    if (found.length === count && row[k] <= row[found[count - 1]]) continue;
    const at = found.findIndex((each) => row[k] > row[each]);
    found.splice(at < 0 ? found.length : at, 0, k);
    found.length = Math.min(found.length, count);
  }
  return found;
}

/**
 * The logarithm of the probability of a token after position i.
 * @param {Pick<Model, "unembedding" | "width">} model
 * @param {{ last: Last }} run
 * @param {number} i
 * @param {number} token
 */
export function logProbability({ unembedding, width }, { last }, i, token) {
  const row = decodeRow(unembedding, token, new Float32Array(width));
  return inner(last.streams, i * width, row, 0, width) - last.logSums[i];
}

/**
 * Mean nats per token of predicting each token from those before it; NaN for fewer than two. Equation eq:surprise.
 * @param {Model} model @param {Run} run
 */
export function loss(model, run) {
  const { tokens } = run;
  let sum = 0;
  for (let i = 0; i + 1 < tokens.length; i += 1) sum -= logProbability(model, run, i, tokens[i + 1]);
  return sum / (tokens.length - 1);
}

/** The likeliest tokens after position i. @param {{ last: Last }} run @param {number} i */
export const likeliest = ({ last }, i) => [...last.top.subarray(i * N_TOP, (i + 1) * N_TOP)];

// ---- Patterns -----------------------------------------------------------------------------------------------

/**
 * The smallest share for which a head is named after a pattern; the first that fits names it, as in
 * lib/published_model/patterns.py.
 * @type {Record<string, number>}
 */
const LEAST = { induction: 0.3, same: 0.3, previous: 0.3, first: 0.5, broad: 0.5 };

/**
 * For each pattern, the keys of each query i from 2 on; only queries that have such a key.
 * @param {number[]} tokens
 */
function keysOfPatterns(tokens) {
  const queries = [...tokens.keys()].slice(2);
  const earlier = (/** @type {number} */ i) => [...tokens.keys()].slice(0, i);
  /** @type {Record<string, (i: number) => number[]>} */
  const keys = {
    induction: (i) => earlier(i).filter((j) => j > 0 && tokens[j - 1] === tokens[i]),
    same: (i) => earlier(i).filter((j) => j > 0 && tokens[j] === tokens[i]),
    previous: (i) => [i - 1],
    first: () => [0],
  };
  const pairs = (/** @type {(i: number) => number[]} */ of) =>
    queries.map((i) => ({ i, all: of(i) })).filter(({ all }) => all.length);
  return Object.fromEntries(Object.entries(keys).map(([name, of]) => [name, pairs(of)]));
}

/**
 * Return a function that names a head by its packed weights on this text, or returns an empty string.
 * @param {number[]} tokens
 */
export function patternNamer(tokens) {
  const keys = keysOfPatterns(tokens);
  const share = (/** @type {Float32Array} */ weights, /** @type {{ i: number, all: number[] }[]} */ pairs) =>
    pairs.reduce((sum, { i, all }) => sum + all.reduce((own, j) => own + weights[triangle(i) + j], 0), 0) /
    (pairs.length || 1);
  return (/** @type {Float32Array} */ weights) => {
    const shares = Object.fromEntries(Object.entries(keys).map(([name, pairs]) => [name, share(weights, pairs)]));
    /** @type {Record<string, number>} */
    const all = { ...shares, broad: uniformOverlap(weights, tokens.length) };
    return Object.keys(LEAST).find((name) => all[name] >= LEAST[name]) ?? "";
  };
}

/**
 * The overlap with uniform weights, averaged over the queries from 2 on.
 * @param {Float32Array} weights @param {number} n
 */
function uniformOverlap(weights, n) {
  let sum = 0;
  for (let i = 2; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) sum += Math.min(weights[triangle(i) + j], 1 / (i + 1));
  }
  return n > 2 ? sum / (n - 2) : 0;
}
