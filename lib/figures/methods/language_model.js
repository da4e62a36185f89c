// The transformer of lib/language_model, line by line: text to tokens, blocks of heads with swappable kernels, logits,
// loss. Arrays are flat, in row-major order: x (n, width) has x[i * width + c]. This module does not use the DOM.

import { norm_epsilon as EPSILON } from "../../constants.json";
import { inner, keyExponents, product, weightsOfFeatures } from "./random_features.js";
import { decodeBytes, decodeDoubles, decodeFloats } from "./base64.js";
import { softmax } from "./weights.js";

/** @typedef {import("./random_features.js").Numbers} Numbers */
/** @typedef {(i: number, j: number) => number} LogWeight */
/**
 * @typedef {{ factor: number, bandwidth: number, frequencies: Numbers, hidden: number[] }} Options Each kernel
 *   reads some of them.
 */
/** @typedef {{ name: string } & Partial<Options>} HeadKernel */
/**
 * @typedef {Record<"query_maps" | "key_maps" | "value_maps" | "output_maps" | "first_layer" | "second_layer",
 *   Float64Array>} Block
 */
/** @typedef {ReturnType<typeof openModel>} Model */
/**
 * @typedef {{ logits: Float64Array, weights: Float64Array[][], fixedQuery: Float64Array[][], estimates:
 *   Float64Array[], streams: Float64Array[],
 *   kernels: HeadKernel[][] }} Run
 */

// ---- Text and tokens --------------------------------------------------------------------------------------

/**
 * Return `encode`, which converts a text to tokens, and the text (`words`) and number of bytes of each token.
 * @param {{ merges: number[][], pieces: string }} learned
 */
export function vocabulary({ merges, pieces }) {
  const ranks = new Map(merges.map(([first, second], m) => [pairName(first, second), 256 + m]));
  const spelled = Array.from({ length: 256 }, (_, byte) => [byte]);
  merges.forEach(([first, second]) => spelled.push([...spelled[first], ...spelled[second]]));
  const bytes = new TextEncoder(),
    reader = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    encode: (/** @type {string} */ text) =>
      (text.match(new RegExp(pieces, "gu")) ?? []).flatMap((piece) => merged([...bytes.encode(piece)], ranks)),
    words: spelled.map((word) => reader.decode(Uint8Array.from(word))),
    lengths: spelled.map((word) => word.length),
  };
}

const pairName = (/** @type {number} */ first, /** @type {number} */ second) => 65536 * first + second;

/**
 * Merge the bytes of one piece in the order in which the pairs were learned.
 * @param {number[]} tokens @param {Map<number, number>} ranks
 */
function merged(tokens, ranks) {
  for (;;) {
    let lowest = Infinity,
      at = -1;
    for (let i = 0; i + 1 < tokens.length; i += 1) {
      const rank = ranks.get(pairName(tokens[i], tokens[i + 1])) ?? Infinity;
      if (rank < lowest) [lowest, at] = [rank, i];
    }
    if (at < 0) return tokens;
    tokens.splice(at, 2, lowest);
  }
}

// ---- Rows ---------------------------------------------------------------------------------------------------

/** @param {Float64Array} x @param {Float64Array} y */
function addTo(x, y) {
  for (let i = 0; i < x.length; i += 1) x[i] += y[i];
}

/**
 * Normalise each row to a root mean square of 1: x/√(mean x² + 10⁻⁶).
 * @param {Float64Array} x @param {number} width
 */
export function norm(x, width) {
  const all = new Float64Array(x.length);
  for (let row = 0; row < x.length; row += width) {
    const scale = 1 / Math.sqrt(inner(x, row, x, row, width) / width + EPSILON);
    for (let c = row; c < row + width; c += 1) all[c] = x[c] * scale;
  }
  return all;
}

/** Rotate pair (a, a + d/2) of the row at position p by the angle p·base^(−2a/d), in place; equation eq:rotary. */
export const rotate = (/** @type {Float64Array} */ x, /** @type {number} */ d, /** @type {number} */ base) =>
  rotateRows(x, d, base, 0);

/**
 * Rotate like `rotate`, for rows that begin at position `from`.
 * @param {Float64Array} x @param {number} d @param {number} base @param {number} from
 */
export function rotateRows(x, d, base, from) {
  const half = d / 2;
  for (let place = 0; place * d < x.length; place += 1) {
    for (let a = 0; a < half; a += 1) {
      const angle = (from + place) * base ** (-a / half),
        first = place * d + a,
        second = first + half;
      const cosine = Math.cos(angle),
        sine = Math.sin(angle);
      [x[first], x[second]] = [x[first] * cosine - x[second] * sine, x[first] * sine + x[second] * cosine];
    }
  }
  return x;
}

/**
 * Copy `d` columns of x (n, width), starting at `first`.
 * @param {Float64Array} x @param {number} width @param {number} first @param {number} d
 */
function columns(x, width, first, d) {
  const some = new Float64Array((x.length / width) * d);
  for (let i = 0; i * width < x.length; i += 1) some.set(x.subarray(i * width + first, i * width + first + d), i * d);
  return some;
}

// ---- The log-weights of one head ----------------------------------------------------------------------------

/**
 * The kernels by name: functions of queries and keys (n, d) and of a setting { factor, bandwidth, frequencies, hidden }
 * that return (i, j) ↦ log-weight for j ≤ i. `factor` multiplies the temperature √d.
 * @type {Record<string, (queries: Float64Array, keys: Float64Array, d: number, options: Options) => LogWeight>}
 */
const HEAD_KERNELS = {
  "dot product": (queries, keys, d, { factor }) => {
    const temperature = Math.sqrt(d) * factor;
    return (i, j) => inner(queries, i * d, keys, j * d, d) / temperature;
  },
  gaussian: (queries, keys, d, { factor }) => {
    const square = 2 * Math.sqrt(d) * factor; // h² = 2τ
    const scale = balancedScale(queries, keys);
    return (i, j) => {
      let distance = 0;
      for (let c = 0; c < d; c += 1) distance += (queries[i * d + c] * scale - keys[j * d + c] / scale) ** 2;
      return -distance / square;
    };
  },
  position:
    (_queries, _keys, _d, { bandwidth }) =>
    (i, j) =>
      -((i - j) ** 2) / bandwidth ** 2,
  uniform: () => () => 0,
  mask: (queries, keys, d, { hidden, ...others }) => {
    const scores = HEAD_KERNELS["dot product"](queries, keys, d, { ...others, hidden, factor: 1 });
    return (i, j) => (j !== i && hidden.includes(j) ? -Infinity : scores(i, j));
  },
  performer: (queries, keys, d, { factor, frequencies }) => {
    const n = queries.length / d,
      scale = (Math.sqrt(d) * factor) ** -0.5;
    const weights = causalPerformerWeights(
      queries.map((x) => x * scale),
      keys.map((x) => x * scale),
      d,
      frequencies,
    );
    return (i, j) => Math.log(weights[i * n + j]);
  },
};

/**
 * The factor for queries, and divisor for keys, that gives both the same root mean square: eq:balanced_gaussian.
 * @param {Float64Array} queries @param {Float64Array} keys
 */
function balancedScale(queries, keys) {
  const [asked, answers] = [queries, keys].map((x) => inner(x, 0, x, 0, x.length));
  return (answers / asked) ** 0.25;
}

/**
 * φ(q)·φ(k) for all pairs (n, n), up to a factor per query: positive and causal, as in lib/random_features.
 * @param {Float64Array} queries
 * @param {Float64Array} keys
 * @param {number} d
 * @param {Numbers} frequencies
 */
function causalPerformerWeights(queries, keys, d, frequencies) {
  const n = queries.length / d,
    m = frequencies.length / d;
  const asked = product(queries, frequencies, d),
    exponents = keyExponents(keys, frequencies, d);
  const weights = weightsOfFeatures(asked, exponents, m);
  for (let i = 0; i < n; i += 1) {
    if (weights.subarray(i * n, i * n + i + 1).reduce((a, b) => a + b) > 1e-200) continue;
    // A later key determined the peaks, so that all visible weights underflowed: repeat without the later keys.
    weights.set(weightsOfFeatures(asked.subarray(i * m, (i + 1) * m), exponents.subarray(0, (i + 1) * m), m), i * n);
  }
  return weights;
}

/**
 * The weights (n, n) of one head: a word attends to itself and to earlier words; equation eq:head_weights.
 * @param {Float64Array} queries
 * @param {Float64Array} keys
 * @param {number} d
 * @param {HeadKernel} kernel
 */
export function headWeights(queries, keys, d, { name, ...setting }) {
  const n = queries.length / d,
    weights = new Float64Array(n * n);
  const logWeight = HEAD_KERNELS[name](queries, keys, d, /** @type {Options} */ (setting));
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) weights[i * n + j] = logWeight(i, j);
    weights.set(softmax(weights.subarray(i * n, i * n + i + 1)), i * n);
  }
  return weights;
}

// ---- The model ----------------------------------------------------------------------------------------------

/**
 * The weighted averages of one head's values, written into its columns of `all` (n, width).
 * @param {Float64Array} all
 * @param {number} width
 * @param {number} first
 * @param {Float64Array} weights
 * @param {Float64Array} values
 * @param {number} d
 */
function averageInto(all, width, first, weights, values, d) {
  const n = values.length / d;
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      const weight = weights[i * n + j];
      for (let c = 0; c < d; c += 1) all[i * width + first + c] += weight * values[j * d + c];
    }
  }
}

/**
 * The weights of a head with its mean query at every position, as in `lib.heads`. `queries` are not rotated.
 * @param {Float64Array} queries
 * @param {Float64Array} turnedKeys
 * @param {number} d
 * @param {number} base
 */
export function weightsOfFixedQuery(queries, turnedKeys, d, base) {
  const n = queries.length / d,
    asked = new Float64Array(queries.length);
  for (let k = 0; k < queries.length; k += 1) asked[k % d] += queries[k] / n;
  for (let i = 1; i < n; i += 1) asked.copyWithin(i * d, 0, d);
  return headWeights(rotate(asked, d, base), turnedKeys, d, TRAINED);
}

export const TRAINED = { name: "dot product", factor: 1 };

/**
 * The output that the heads of a block add to the residual stream, their weights, the weights with a fixed query, and
 * their concatenated averages. `kernels` contains one setting per head.
 * @param {Block} block
 * @param {Float64Array} stream
 * @param {number} width
 * @param {number} base
 * @param {HeadKernel[]} kernels
 */
function heads(block, stream, width, base, kernels) {
  const d = width / kernels.length,
    x = norm(stream, width);
  const [asked, answers, said] = [block.query_maps, block.key_maps, block.value_maps].map((maps) =>
    product(x, maps, width),
  );
  const estimates = new Float64Array(x.length);
  /** @type {Float64Array[]} */
  const fixedQuery = [];
  const weights = kernels.map((kernel, h) => {
    const [queries, keys, values] = [asked, answers, said].map((all) => columns(all, width, h * d, d));
    fixedQuery.push(weightsOfFixedQuery(queries, rotate(keys, d, base), d, base));
    const own = headWeights(rotate(queries, d, base), keys, d, kernel);
    averageInto(estimates, width, h * d, own, values, d);
    return own;
  });
  return { added: product(estimates, block.output_maps, width), weights, fixedQuery, estimates };
}

/**
 * The output that the feed-forward network of a block adds to the residual stream, for each position separately.
 * @param {Block} block @param {Float64Array} stream @param {number} width
 */
function feedForward(block, stream, width) {
  const hidden = product(norm(stream, width), block.first_layer, width);
  for (let i = 0; i < hidden.length; i += 1) hidden[i] = Math.max(hidden[i], 0) ** 2;
  return product(hidden, block.second_layer, hidden.length / (stream.length / width));
}

/**
 * Run the model: { logits (n, vocabulary), weights and fixedQuery [block][head] (n, n), estimates [block] (n, width),
 * streams }, `streams` before each block.
 *
 * `kernels` contains one setting per block and head. `known` is an earlier run of the same tokens; the blocks before
 * the first one with different kernels are reused from it.
 * @param {Pick<Model, "embedding" | "blocks" | "width" | "rotary_base">} model
 * @param {number[]} tokens
 * @param {HeadKernel[][]} kernels
 * @param {Run} [known]
 * @returns {Run}
 */
export function run({ embedding, blocks, width, rotary_base: base }, tokens, kernels, known) {
  const same = blocks.findIndex((_, b) => !known || kernels[b].some((kernel, h) => kernel !== known.kernels[b][h]));
  const start = same < 0 ? blocks.length : same;
  if (known && start === blocks.length) return known;
  const weights = known?.weights.slice(0, start) ?? [],
    fixedQuery = known?.fixedQuery.slice(0, start) ?? [],
    estimates = known?.estimates.slice(0, start) ?? [],
    streams = known?.streams.slice(0, start) ?? [];
  const stream = known ? known.streams[start].slice() : embedded(embedding, tokens, width);
  for (let b = start; b < blocks.length; b += 1) {
    streams.push(stream.slice());
    const { added, ...own } = heads(blocks[b], stream, width, base, kernels[b]);
    addTo(stream, added);
    addTo(stream, feedForward(blocks[b], stream, width));
    weights.push(own.weights);
    fixedQuery.push(own.fixedQuery);
    estimates.push(own.estimates);
  }
  return { logits: product(norm(stream, width), embedding, width), weights, fixedQuery, estimates, streams, kernels };
}

/**
 * The contribution of one head's output to each token's logit at one position; equation eq:head_logits. `estimates`
 * (n, width) are the concatenated averages of its block.
 * @param {{ embedding: Numbers, output_maps: Numbers, width: number }} maps
 * @param {Numbers} estimates
 * @param {number} place
 * @param {number} head
 * @param {number} d
 */
export function headLogits({ embedding, output_maps: maps, width }, estimates, place, head, d) {
  const added = new Float64Array(width);
  for (let c = 0; c < width; c += 1)
    added[c] = inner(maps, c * width + head * d, estimates, place * width + head * d, d);
  return product(added, embedding, width);
}

/** @param {Float64Array} embedding @param {number[]} tokens @param {number} width */
function embedded(embedding, tokens, width) {
  const rows = new Float64Array(tokens.length * width);
  tokens.forEach((token, i) => rows.set(embedding.subarray(token * width, (token + 1) * width), i * width));
  return norm(rows, width);
}

/**
 * Mean nats per token of predicting each token from those before it; NaN for fewer than two. Equation eq:surprise.
 * @param {Float64Array} logits @param {number[]} tokens
 */
export function loss(logits, tokens) {
  const size = logits.length / tokens.length;
  let sum = 0;
  for (let i = 0; i + 1 < tokens.length; i += 1) {
    const probabilities = softmax(logits.subarray(i * size, (i + 1) * size));
    sum -= Math.log(probabilities[tokens[i + 1]]);
  }
  return sum / (tokens.length - 1);
}

// ---- Stored weights -----------------------------------------------------------------------------------------

/**
 * Decode integers with one scale per row, as `lib.language_model.load` does, to a flat array.
 * @param {{ data: string, scale: string }} stored
 */
function whole({ data, scale }) {
  const numbers = new Int8Array(decodeBytes(data).buffer),
    scales = decodeFloats(scale);
  const all = new Float64Array(numbers.length),
    d = numbers.length / scales.length;
  for (let i = 0; i < all.length; i += 1) all[i] = numbers[i] * scales[Math.floor(i / d)];
  return all;
}

/**
 * Decode the model from the format of `lib.figures.language_model`.
 * @param {{ maps: Record<string, { data: string, scale: string }>, n_blocks: number, n_heads: number, width: number,
 * rotary_base: number, frequencies: Record<string, string> }} stored
 */
export function openModel({ maps, n_blocks: nBlocks, n_heads: nHeads, width, rotary_base, frequencies }) {
  const { embedding, ...others } = Object.fromEntries(Object.entries(maps).map(([name, map]) => [name, whole(map)]));
  const part = (/** @type {Float64Array} */ map, /** @type {number} */ b) =>
    map.subarray((b * map.length) / nBlocks, ((b + 1) * map.length) / nBlocks);
  const blocks = Array.from({ length: nBlocks }, (_, b) => {
    const block = Object.fromEntries(Object.entries(others).map(([name, map]) => [name, part(map, b)]));
    return /** @type {Block} */ ({ ...block, output_maps: sideBySide(block.output_maps, nHeads, width) });
  });
  const drawn = Object.fromEntries(Object.entries(frequencies).map(([m, text]) => [m, decodeDoubles(text)]));
  return { embedding, blocks, width, rotary_base, nHeads, frequencies: drawn };
}

/**
 * Concatenate W_o of all heads (n_heads, width, d) to one projection (width, n_heads·d).
 * @param {Float64Array} maps @param {number} nHeads @param {number} width
 */
function sideBySide(maps, nHeads, width) {
  const d = maps.length / nHeads / width,
    all = new Float64Array(maps.length);
  for (let h = 0; h < nHeads; h += 1) {
    for (let row = 0; row < width; row += 1) {
      const from = (h * width + row) * d;
      all.set(maps.subarray(from, from + d), (row * nHeads + h) * d);
    }
  }
  return all;
}
