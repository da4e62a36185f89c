import { n_next as N_NEXT, position_bandwidth as POSITION_BANDWIDTH } from "../../constants.json";
import { indexOfLargest } from "../parts/numbers.js";
import { NO_NAME } from "../methods/heads.js";
import { headLogits } from "../methods/language_model.js";
import { keysForShare, softmax } from "../methods/weights.js";

// What the language model's figure shows: numbers of the worker's answer, for one setting.

const N_ADDED = 3,
  N_MARKED = 3, // heads with the fewest keys
  FEW = 4, // words that one can take in at a glance
  SHORT = 3, // up to this place, few words are all there are
  DARK = 5; // per cent, as they are shown: a word with so much is hidden with the dark ones

const DIGITS = 10; // of what the page publishes: the browser's sums and Python's part behind them

export const TRAINED = "dot product"; // the kernel that the heads were trained with

export const AS_TRAINED = { kernel: TRAINED, scope: "this head", temperature: 1, hidden: [] };

export const isSwapped = ({ kernel, temperature, hidden }) =>
  kernel === "hide" ? hidden.length > 0 : kernel !== TRAINED || temperature !== 1;

export const hasTemperature = ({ kernel }) => kernel !== "uniform" && kernel !== "hide";

// ---- From the answer to what is shown -----------------------------------------------------------------------------

export const largest = (numbers) => [...numbers.keys()].sort((a, b) => numbers[b] - numbers[a] || a - b);

/** The next words that are shown, with their two probabilities: half of them from each list, then more of now. */
function expectation(now, trained, words) {
  const half = N_NEXT / 2,
    first = largest(now);
  const likeliest = [...first.slice(0, half), ...largest(trained).slice(0, half), ...first.slice(half, N_NEXT)];
  const shown = [...new Set(likeliest)].slice(0, N_NEXT).sort((a, b) => now[b] - now[a] || a - b);
  return shown.map((token) => ({ word: words[token], probability: now[token], trained: trained[token] }));
}

const probabilitiesAt = (logits, row, size) => softmax(logits.subarray(row * size, (row + 1) * size));

export const likeliestAt = (logits, row, { words: { length: size } }) =>
  indexOfLargest(logits.subarray(row * size, (row + 1) * size));

export const likeliestAsTrained = (next) => next.reduce((best, each) => (each.trained > best.trained ? each : best));

/** By how much the output of one head alone raises each token at one place. */
function raisedBy({ estimates, weights }, { embedding, width, maps }, place, { block, head }) {
  const parts = { embedding, output_maps: maps[block], width };
  return headLogits(parts, estimates[block], place, head, width / weights[block].length);
}

/** What one head adds at one place: the words that it raises most. */
function additions(run, table, place, at) {
  const logits = raisedBy(run, table, place, at);
  return largest(logits)
    .slice(0, N_ADDED)
    .map((token) => ({ word: table.words[token], logit: logits[token] }));
}

/** The answer as it is shown for one query: its row of weights per head, what the head adds, the next words. */
export function viewOf({ setting, tokens, words, dropped, names, swapped, trained }, query, table) {
  const n = tokens.length,
    last = Math.min(query, n - 1);
  if (n === 0) return { setting: { ...setting, query: 0 }, tokens, words, dropped };
  const shown = ({ weights, loss }) => ({
    rows: weights.map((heads) => heads.map((all) => [...all.subarray(last * n, (last + 1) * n)])),
    loss: Number.isNaN(loss) ? null : loss,
  });
  const size = table.words.length,
    both = [swapped, trained].map(({ logits }) => probabilitiesAt(logits, last, size));
  const following = tokens[last + 1],
    { block, head } = setting;
  const adds = additions(swapped, table, last, setting);
  return {
    setting: { ...setting, query: last },
    tokens,
    words,
    dropped,
    names,
    adds: { [block]: { [head]: adds } },
    next: expectation(...both, table.words),
    follows: following === undefined ? null : both.map((probabilities) => probabilities[following]),
    swapped: shown(swapped),
    trained: shown(trained),
  };
}

/** Numbers without the digits in which the browser and Python may differ. */
const published = (value) =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "number" ? Number(each.toFixed(DIGITS)) : each)));

/** What the page publishes. */
export function state({ head_dimension: d }, { view }) {
  const { setting, tokens, words, dropped, names, adds, next = [], follows, swapped, trained } = view;
  const { temperature, kernel, block, head } = setting;
  const bandwidth =
    kernel === "place" ? POSITION_BANDWIDTH * Math.sqrt(temperature) : Math.sqrt(2 * Math.sqrt(d) * temperature);
  const known = { ...setting, tokens, words, dropped, bandwidth, next };
  if (!swapped) return { ...known, weights: [], names: [], loss: null, estimate: null, keys_for_90_percent: 0 };
  const row = swapped.rows[block][head];
  return published({
    ...known,
    names,
    narrowest: narrowest(swapped.rows),
    adds: adds[block]?.[head],
    weights: row,
    weights_trained: trained.rows[block][head],
    follows: follows?.[0],
    follows_trained: follows?.[1],
    loss: swapped.loss,
    loss_trained: trained.loss,
    estimate: next[0].probability,
    keys_for_90_percent: keysForShare(row, 0.9),
  });
}

// ---- Heads --------------------------------------------------------------------------------------------------------

const NAMES = { place: "near", uniform: "wide" }; // of a head that does not ask for anything

/** What the ruler calls a head, or where that does not ask for anything, what its kernel does. Without a text, nothing. */
export function nameOf({ setting: { kernel, scope, block, head }, names }, i, k) {
  if (!names) return "";
  const isSet = scope === "all heads" || (i === block && k === head);
  return (isSet && NAMES[kernel]) || names[i][k] || NO_NAME;
}

/**
 * Whether a head does from this query what its name says of the whole text, as a reader of this row sees it. What "one
 * question" says is about several queries, and a head without a name does nothing that can be missed.
 */
export function doesAsNamed({ setting: { query }, tokens, swapped }, block, head, name) {
  const row = swapped.rows[block][head],
    most = indexOfLargest(row),
    sum = (places) => places.reduce((all, j) => all + row[j], 0);
  const [count, way] = name.split(" ");
  if (way === "back") return most === query - BACK[count];
  const rules = {
    "first word": () => most === 0,
    "this word": () => most === query,
    wide: () => isWide(row, query) || (query <= SHORT && row[most] < 0.5) || query === 0,
    "same word": () => most !== query && tokens[most] === tokens[query],
    near: () => query - most <= FEW && sum([...row.keys()].slice(Math.max(query - FEW, 0), query + 1)) > 0.5,
  };
  return rules[name]?.() ?? true;
}

const BACK = { one: 1, two: 2, three: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8 };

/**
 * The head that tells most about the word that comes next: of those with 90 % of their weight on a few words, or on
 * the fewest, the one that puts the likeliest next word highest. Of two such, the one that looks at fewer.
 */
export function tellingHead({ tokens, trained }, table) {
  const n = tokens.length,
    place = n - 1;
  const likeliest = likeliestAt(trained.logits, place, table);
  const heads = trained.weights.flatMap((all, block) =>
    all.map((weights, head) => ({ block, head, keys: keysForShare(weights.subarray(place * n), 0.9) })),
  );
  const limit = Math.max(FEW, Math.min(...heads.map(({ keys }) => keys)));
  const ranked = heads
    .filter(({ keys }) => keys <= limit)
    .map((at) => {
      const logits = raisedBy(trained, table, place, at);
      return { ...at, rank: logits.filter((logit) => logit > logits[likeliest]).length };
    });
  const { block, head } = ranked.sort((a, b) => a.rank - b.rank || a.keys - b.keys)[0];
  return { block: String(block), head: String(head) };
}

const entropy = (row) => row.reduce((sum, weight) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0);

/** The heads that look at the fewest words from this query; none where all look alike. @param {number[][][]} rows */
export function narrowest(rows) {
  const all = rows.flat().map(entropy),
    mean = all.reduce((a, b) => a + b, 0) / all.length;
  const fewer = [...all.keys()].filter((k) => all[k] < mean - 1e-6);
  return fewer.sort((a, b) => all[a] - all[b] || a - b).slice(0, N_MARKED);
}

/** Whether a row lies on most of the words that it may see, and on none of them with half of its weight. */
export const isWide = (row, query) => query > SHORT && Math.max(...row) < 0.5 && 2 * keysForShare(row, 0.9) > query + 1;

/**
 * The words that the chosen head looks at, besides the query, which sees itself: those with a share worth hiding, or
 * the heaviest, if there is one.
 */
export function darkWords({ setting: { query, block, head }, trained }) {
  const shares = (trained?.rows[block][head] ?? []).slice(0, query).map((weight) => Math.round(100 * weight));
  const least = Math.min(DARK, Math.max(...shares, 1));
  return [...shares.keys()].filter((j) => shares[j] >= least);
}

/** The key whose weight is read: the one pointed at, else the heaviest. */
export function keyToRead({ words, swapped, setting: { block, head } }, looked) {
  return looked < words.length ? looked : indexOfLargest(swapped?.rows[block][head] ?? [0]);
}
