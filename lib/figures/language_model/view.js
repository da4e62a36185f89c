import { n_next as N_NEXT, position_bandwidth as POSITION_BANDWIDTH } from "../../constants.json";
import { indexOfLargest, indicesOfLargest } from "../parts/numbers.js";
import { NO_NAME } from "../methods/heads.js";
import { headLogits } from "../methods/language_model.js";
import { keysForShare, softmax } from "../methods/weights.js";

// The view of the language model figure: numbers from the worker's response, for one setting.

const N_ADDED = 3,
  N_MARKED = 3, // number of marked heads, those with the fewest keys
  FEW_WORDS = 4, // maximal number of words for a head to count as concentrated
  SHORT = 3, // up to this position there are too few words to call a head wide
  STRONG = 5; // rounded percentage from which a word counts as strongly attended

const DIGITS = 10; // published decimals; Python and the browser may differ beyond them

export const TRAINED = "dot product"; // the kernel that the heads were trained with

/**
 * @typedef {import("./language_model.js").Data} Data
 * @typedef {import("./language_model.js").Answers} Answers
 * @typedef {import("./language_model.js").Wanted} Wanted
 * @typedef {import("./worker.js").Ran} Ran
 * @typedef {import("./worker.js").Table} Table
 * @typedef {import("./worker.js").Answer} Answer
 * @typedef {import("../parts/next_tokens.js").Next} Next
 * @typedef {{ block: number, head: number }} Place Of a head.
 * @typedef {{ rows: number[][][], loss: number | null }} Shown The weights of one query by block and head.
 * @typedef {{ names: string[][], adds: Record<number, Record<number, { word: string, logit: number }[]>>, next: Next[],
 *   follows: number[] | null, swapped: Shown, trained: Shown }} Numbers
 * @typedef {OfText<Numbers>} View
 * @typedef {Text & Numbers} Read The view of a text with words.
 * @typedef {{ setting: Wanted, tokens: number[], words: string[], dropped: number }} Text
 */
/**
 * What is known about a text; the numbers are missing if it has no words.
 * @template Known
 * @typedef {(Text & Known) | (Text & { [name in keyof Known]?: undefined })} OfText
 */

/** @type {Pick<Wanted, "kernel" | "scope" | "temperature" | "hidden">} */
export const AS_TRAINED = { kernel: TRAINED, scope: "this head", temperature: 1, hidden: [] };

/** @param {View} view @returns {view is Read} */
export const hasWords = (view) => view.words.length > 0;

export const isSwapped = (
  /** @type {Pick<Wanted, "kernel" | "temperature" | "hidden">} */ { kernel, temperature, hidden },
) => (kernel === "mask" ? hidden.length > 0 : kernel !== TRAINED || temperature !== 1);

/**
 * Whether to show the heads and kernels: initially, on demand, or because a setting that is not from a guess
 * refers to them.
 * @type {(data: Data, view: View, answers: Answers) => boolean}
 */
export function isUnfolded({ unfolded, defaults }, { setting }, answers) {
  const { block, head } = setting,
    isOther = String(block) !== String(defaults.block) || String(head) !== String(defaults.head);
  const wasChosen = answers.chosen?.block === String(block) && answers.chosen.head === String(head);
  const isReferredTo = (isSwapped(setting) && !setting.guess) || (isOther && !wasChosen);
  return Boolean(unfolded || answers.unfolded || isReferredTo);
}

export const hasTemperature = (/** @type {{ kernel: string }} */ { kernel }) =>
  kernel !== "uniform" && kernel !== "mask";

// ---- From the response to the view --------------------------------------------------------------------------------

/**
 * Select the next words to display: half of them the likeliest now, half the likeliest as trained, then more of
 * the former.
 * @type {(now: Float64Array, trained: Float64Array, words: string[]) => Next[]}
 */
function expectation(now, trained, words) {
  const half = N_NEXT / 2,
    first = indicesOfLargest(now, N_NEXT);
  const likeliest = [...first.slice(0, half), ...indicesOfLargest(trained, half), ...first.slice(half)];
  const shown = [...new Set(likeliest)].slice(0, N_NEXT).sort((a, b) => now[b] - now[a] || a - b);
  return shown.map((token) => ({ word: words[token], probability: now[token], trained: trained[token] }));
}

/** @type {(logits: Float64Array, row: number, size: number) => Float64Array} */
const probabilitiesAt = (logits, row, size) => softmax(logits.subarray(row * size, (row + 1) * size));

/** @type {(logits: Float64Array, row: number, table: Table) => number} */
export const likeliestAt = (logits, row, { words: { length: size } }) =>
  indexOfLargest(logits.subarray(row * size, (row + 1) * size));

export const likeliestAsTrained = (/** @type {Next[]} */ next) =>
  next.reduce((best, each) => (each.trained > best.trained ? each : best));

/**
 * How much the output of one head alone raises the logit of each token at one position.
 * @type {(run: Ran, table: Table, place: number, at: Place) => Float64Array}
 */
function raisedBy({ estimates, weights }, { embedding, width, maps }, place, { block, head }) {
  const parts = { embedding, output_maps: maps[block], width };
  return headLogits(parts, estimates[block], place, head, width / weights[block].length);
}

/**
 * The words that the output of one head raises most at one position.
 * @type {(run: Ran, table: Table, place: number, at: Place) => { word: string, logit: number }[]}
 */
function additions(run, table, place, at) {
  const logits = raisedBy(run, table, place, at);
  return indicesOfLargest(logits, N_ADDED).map((token) => ({ word: table.words[token], logit: logits[token] }));
}

/**
 * The view for one query: its weights per head, the words that the head raises, and the next words.
 * @type {(answer: Answer, query: number, table: Table) => View}
 */
export function viewOf(answer, query, table) {
  const { setting, tokens, words, dropped } = answer,
    n = tokens.length,
    last = Math.min(query, n - 1);
  if (!answer.swapped) return { setting: { ...setting, query: 0 }, tokens, words, dropped };
  const { names, swapped, trained } = answer;
  /** @type {(run: Ran) => Shown} */
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
    next: expectation(both[0], both[1], table.words),
    follows: following === undefined ? null : both.map((probabilities) => probabilities[following]),
    swapped: shown(swapped),
    trained: shown(trained),
  };
}

/** Round numbers to the decimals on which Python and the browser agree. */
const published = (/** @type {object} */ value) =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "number" ? Number(each.toFixed(DIGITS)) : each)));

/** The published state. @param {Data} data @param {import("./language_model.js").Figure["now"]} now */
export function state({ head_dimension: d }, { view }) {
  const { setting, tokens, words, dropped, next = [] } = view;
  const { temperature, kernel, block, head } = setting;
  const bandwidth =
    kernel === "position" ? POSITION_BANDWIDTH * Math.sqrt(temperature) : Math.sqrt(2 * Math.sqrt(d) * temperature);
  const known = { ...setting, tokens, words, dropped, bandwidth, next };
  if (!hasWords(view)) return { ...known, weights: [], names: [], loss: null, estimate: null, keys_for_90_percent: 0 };
  const { names, adds, follows, swapped, trained } = view;
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

/** @type {Record<string, string>} */
const NAMES = { position: "near", uniform: "wide" }; // names of heads whose kernel does not depend on the content

/**
 * The name of a head by its metrics, or by its kernel if this is content-independent. Empty if there is no text.
 * @type {(view: View, i: number, k: number) => string}
 */
export function nameOf({ setting: { kernel, scope, block, head }, names }, i, k) {
  if (!names) return "";
  const isSet = scope === "all heads" || (i === block && k === head);
  return (isSet && NAMES[kernel]) || names[i][k] || NO_NAME;
}

/**
 * Whether a head's weights for this query match the name that it has for the whole text. "fixed query" is about
 * several queries and cannot be checked here, and neither can a head without a name.
 * @type {(view: Read, block: number, head: number, name: string) => boolean}
 */
export function doesAsNamed({ setting: { query }, tokens, swapped }, block, head, name) {
  const row = swapped.rows[block][head],
    most = indexOfLargest(row),
    sum = (/** @type {number[]} */ places) => places.reduce((all, j) => all + row[j], 0);
  const [count, way] = name.split(" ");
  if (way === "back") return most === query - BACK[count];
  /** @type {Record<string, () => boolean>} */
  const rules = {
    "first word": () => most === 0,
    "this word": () => most === query,
    wide: () => isWide(row, query) || (query <= SHORT && row[most] < 0.5) || query === 0,
    "same word": () => most !== query && tokens[most] === tokens[query],
    near: () =>
      query - most <= FEW_WORDS && sum([...row.keys()].slice(Math.max(query - FEW_WORDS, 0), query + 1)) > 0.5,
  };
  return rules[name]?.() ?? true;
}

/** @type {Record<string, number>} */
const BACK = { one: 1, two: 2, three: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8 };

/**
 * The most informative head for the next word: among the heads with 90 % of their weight on few words (or on the
 * fewest), the one that ranks the most likely next word highest. Ties go to the head that attends to fewer words.
 * @param {number[]} tokens @param {Ran} trained @param {Table} table
 */
export function tellingHead(tokens, trained, table) {
  const n = tokens.length,
    place = n - 1;
  const likeliest = likeliestAt(trained.logits, place, table);
  const heads = trained.weights.flatMap((all, block) =>
    all.map((weights, head) => ({ block, head, keys: keysForShare(weights.subarray(place * n), 0.9) })),
  );
  const limit = Math.max(FEW_WORDS, Math.min(...heads.map(({ keys }) => keys)));
  const ranked = heads
    .filter(({ keys }) => keys <= limit)
    .map((at) => {
      const logits = raisedBy(trained, table, place, at);
      return { ...at, rank: logits.filter((logit) => logit > logits[likeliest]).length };
    });
  const { block, head } = ranked.sort((a, b) => a.rank - b.rank || a.keys - b.keys)[0];
  return { block: String(block), head: String(head) };
}

const entropy = (/** @type {number[]} */ row) =>
  row.reduce((sum, weight) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0);

/** The heads with the most concentrated weights for this query; none if all are equal. @param {number[][][]} rows */
export function narrowest(rows) {
  const all = rows.flat().map(entropy),
    mean = all.reduce((a, b) => a + b, 0) / all.length;
  const fewer = [...all.keys()].filter((k) => all[k] < mean - 1e-6);
  return fewer.sort((a, b) => all[a] - all[b] || a - b).slice(0, N_MARKED);
}

/**
 * Whether a row of weights is spread over most visible words, with no word receiving half the weight.
 * @type {(row: number[], query: number) => boolean}
 */
export const isWide = (row, query) => query > SHORT && Math.max(...row) < 0.5 && 2 * keysForShare(row, 0.9) > query + 1;

/**
 * The words that the selected head strongly attends to, except the query itself; if no weight reaches the threshold,
 * the heaviest ones.
 * @param {View} view
 */
export function stronglyAttended({ setting: { query, block, head }, trained }) {
  const shares = (trained?.rows[block][head] ?? []).slice(0, query).map((weight) => Math.round(100 * weight));
  const least = Math.min(STRONG, Math.max(...shares, 1));
  return [...shares.keys()].filter((j) => shares[j] >= least);
}

/**
 * The key of the tooltip: the one last pointed at, otherwise the heaviest.
 * @param {View} view @param {number} tooltipKey
 */
export function keyToRead({ words, swapped, setting: { block, head } }, tooltipKey) {
  return tooltipKey < words.length ? tooltipKey : indexOfLargest(swapped?.rows[block][head] ?? [0]);
}
