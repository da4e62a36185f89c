// The head metrics of lib/heads: overlaps with position-only smoothers, with uniform attention and with a fixed query,
// and the resulting name. Weights (n, n) are flat arrays; the heads are causal.

import { head_names as AT_LEAST, head_metrics as METRICS } from "../../constants.json";
import { softmax } from "./weights.js";

const [NARROWEST, WIDEST, N_BANDWIDTHS] = METRICS.bandwidths;

/** Normalised weights of a causal kernel. @param {number} n @param {(i: number, j: number) => number} logWeight */
function causalWeights(n, logWeight) {
  const weights = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) weights[i * n + j] = logWeight(i, j);
    weights.set(softmax(weights.subarray(i * n, i * n + i + 1)), i * n);
  }
  return weights;
}

/** The position-only smoothers with which heads are compared, for a text of n tokens. @param {number} n */
function smoothersOf(n) {
  const all = [];
  for (let offset = -METRICS.farthest; offset <= 0; offset += 1) {
    for (let k = 0; k < N_BANDWIDTHS; k += 1) {
      const bandwidth = NARROWEST * (WIDEST / NARROWEST) ** (k / (N_BANDWIDTHS - 1));
      all.push({ offset, bandwidth, weights: causalWeights(n, (i, j) => -(((j - i - offset) / bandwidth) ** 2)) });
    }
  }
  return all;
}

/**
 * 1 − ½ Σ_j |w_ij − w'_ij|, averaged over the queries.
 * @param {ArrayLike<number>} weights @param {ArrayLike<number>} others @param {number} n
 */
function overlap(weights, others, n) {
  let moved = 0;
  for (let i = 0; i < n; i += 1) {
    for (let k = i * n; k <= i * n + i; k += 1) moved += Math.abs(weights[k] - others[k]);
  }
  return 1 - moved / 2 / n;
}

/** For each position, the earlier positions of the same token. @param {ArrayLike<number>} tokens */
const earlierPlaces = (tokens) =>
  Array.from(tokens, (token, i) => Array.from({ length: i }, (_, j) => j).filter((j) => tokens[j] === token));

/**
 * Return a function that, for the tokens of a text, returns (weights, weights with a fixed query) ↦ the metrics of one
 * head. It caches everything that depends only on the length of the text.
 */
export function headMetrics() {
  let n = -1,
    smoothers = smoothersOf(0),
    equal = new Float64Array();
  return (/** @type {ArrayLike<number>} */ tokens) => {
    if (tokens.length !== n) {
      n = tokens.length;
      smoothers = smoothersOf(n);
      equal = causalWeights(n, () => 0);
    }
    const earlier = earlierPlaces(tokens),
      rows = [...Array(n).keys()];
    const mean = (/** @type {(i: number) => number} */ numberOf) => rows.reduce((sum, i) => sum + numberOf(i), 0) / n;
    const repeatedFraction = mean((i) => (earlier[i].length ? 1 : 0));
    return (/** @type {ArrayLike<number>} */ weights, /** @type {ArrayLike<number>} */ fixedQuery) => {
      let best = { position_overlap: -1, position_offset: 0, position_bandwidth: 0 };
      for (const { offset, bandwidth, weights: others } of smoothers) {
        const position_overlap = overlap(weights, others, n);
        if (position_overlap > best.position_overlap)
          best = { position_overlap, position_offset: offset, position_bandwidth: bandwidth };
      }
      return {
        ...best,
        uniform_overlap: overlap(weights, equal, n),
        fixed_query_overlap: overlap(weights, fixedQuery, n),
        first_key: mean((i) => weights[i * n]),
        same_token: mean((i) => earlier[i].reduce((sum, j) => sum + weights[i * n + j], 0)),
        repeated_fraction: repeatedFraction,
      };
    };
  };
}

/**
 * The name of a head, or an empty string, as in `lib.heads.name_heads`.
 * @param {ReturnType<ReturnType<ReturnType<typeof headMetrics>>>} numbers
 */
export function nameOfHead(numbers) {
  const { position_overlap: place, position_bandwidth: bandwidth, repeated_fraction: again } = numbers;
  const aboveEqual = place - numbers.uniform_overlap > AT_LEAST.above_uniform;
  if (numbers.first_key > AT_LEAST.first_key) return "first word";
  if (place > AT_LEAST.position && bandwidth < AT_LEAST.sharp) return nameOfPlace(-numbers.position_offset);
  if (numbers.uniform_overlap > AT_LEAST.uniform) return "wide";
  if (again > 0 && numbers.same_token > AT_LEAST.same_token * again) return "same word";
  if (place > AT_LEAST.near && bandwidth < AT_LEAST.narrow && aboveEqual) return "near";
  return numbers.fixed_query_overlap > AT_LEAST.fixed_query ? "fixed query" : "";
}

const nameOfPlace = (/** @type {number} */ back) =>
  back === 0 ? "this word" : `${["one", "two", "three"][back - 1] ?? back} back`;

export const NO_NAME = "no name"; // for heads without a name

/** Descriptions of the names, for tooltips and the sentence. @type {Record<string, string>} */
export const MEANINGS = {
  "first word": "on the whole text it attends to the first word (a sink)",
  "this word": "on the whole text it attends to the word itself",
  wide: "on the whole text it spreads its weight nearly evenly",
  "same word": "on the whole text it attends to the same word",
  near: "on the whole text it attends to nearby words",
  "fixed query": "on the whole text it prefers the same words for every query",
  [NO_NAME]: "on the whole text it fits none of the named patterns",
};

/** The description of a name, including names such as "one back", which count tokens. @param {string} name */
export function meaningOf(name) {
  const [count, way] = name.split(" ");
  return MEANINGS[name] ?? `on the whole text it attends ${count} ${count === "one" ? "token" : "tokens"} ${way}`;
}
