// What lib/heads.py says of a head, in the same numbers: overlaps with smoothers of places, with equal weights and with
// one question, and the name that follows. Weights (n, n) lie flat; the heads are causal.

import { head_names as AT_LEAST, head_metrics as METRICS } from "../../constants.json";
import { softmax } from "./weights.js";

const [NARROWEST, WIDEST, N_BANDWIDTHS] = METRICS.bandwidths;

/** Rows of a causal kernel, each as it sums to 1. @param {(i: number, j: number) => number} logWeight */
function causalWeights(n, logWeight) {
  const weights = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) weights[i * n + j] = logWeight(i, j);
    weights.set(softmax(weights.subarray(i * n, i * n + i + 1)), i * n);
  }
  return weights;
}

/** The smoothers of places with which heads are compared, for a text of n tokens. */
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

/** 1 − ½ Σ_j |w_ij − w'_ij|, as a mean over the queries. */
function overlap(weights, others, n) {
  let moved = 0;
  for (let i = 0; i < n; i += 1) {
    for (let k = i * n; k <= i * n + i; k += 1) moved += Math.abs(weights[k] - others[k]);
  }
  return 1 - moved / 2 / n;
}

/** Which places hold the token of an earlier one: for each its earlier places. */
const earlierPlaces = (tokens) =>
  tokens.map((token, i) => [...tokens.keys()].filter((j) => j < i && tokens[j] === token));

/**
 * Rulers for texts: `rulerFor(tokens)` keeps what depends on the length alone, and gives
 * (weights, weights of one question) ↦ the numbers of one head.
 */
export function headMetrics() {
  let n = -1,
    smoothers,
    equal;
  return (tokens) => {
    if (tokens.length !== n) {
      n = tokens.length;
      smoothers = smoothersOf(n);
      equal = causalWeights(n, () => 0);
    }
    const earlier = earlierPlaces(tokens),
      rows = [...Array(n).keys()];
    const mean = (numberOf) => rows.reduce((sum, i) => sum + numberOf(i), 0) / n;
    const repeatedFraction = mean((i) => (earlier[i].length ? 1 : 0));
    return (weights, fixedQuery) => {
      let best = { position_overlap: -1 };
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

/** The name of a head, or none: as `lib.heads.name_heads`. */
export function nameOfHead(numbers) {
  const { position_overlap: place, position_bandwidth: bandwidth, repeated_fraction: again } = numbers;
  const aboveEqual = place - numbers.uniform_overlap > AT_LEAST.above_uniform;
  if (numbers.first_key > AT_LEAST.first_key) return "first word";
  if (place > AT_LEAST.position && bandwidth < AT_LEAST.sharp) return nameOfPlace(-numbers.position_offset);
  if (numbers.uniform_overlap > AT_LEAST.uniform) return "wide";
  if (again > 0 && numbers.same_token > AT_LEAST.same_token * again) return "same word";
  if (place > AT_LEAST.near && bandwidth < AT_LEAST.narrow && aboveEqual) return "near";
  return numbers.fixed_query_overlap > AT_LEAST.fixed_query ? "one question" : "";
}

const nameOfPlace = (back) => (back === 0 ? "this word" : `${["one", "two", "three"][back - 1] ?? back} back`);

export const NO_NAME = "no name"; // of a head for which no name holds

/** What a name says, in a sentence for who points at it. */
export const MEANINGS = {
  "first word": "on the whole text it rests on the first word (a sink)",
  "this word": "on the whole text it looks at the word itself",
  wide: "on the whole text it spreads its weight nearly evenly",
  "same word": "on the whole text it looks for the same word",
  near: "on the whole text it looks at near words",
  "one question": "on the whole text it prefers the same words, whoever asks",
  [NO_NAME]: "on the whole text it does nothing that has a name here",
};

/** The same for "one back" and its like, which count pieces. @param {string} name */
export function meaningOf(name) {
  const [count, way] = name.split(" ");
  return MEANINGS[name] ?? `on the whole text it looks ${count} ${count === "one" ? "piece" : "pieces"} ${way}`;
}
