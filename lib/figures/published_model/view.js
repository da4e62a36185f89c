import { keysForShare } from "../methods/weights.js";
import { isSwapped, runOf } from "./model.js";

// The numbers of the published model's figure for one setting: from the worker's latest result or, until the model is
// open, from the stored example.

const DIGITS = 6; // published decimals

const start = (i) => (i * (i + 1)) / 2;

/** The row of one query in the packed weights of one head, with zeros for later keys. */
function rowOf(weights, n, head, query, unit = 1) {
  const first = head * start(n) + start(query),
    row = Array(n).fill(0);
  for (let j = 0; j <= query; j += 1) row[j] = weights[first + j] * unit;
  return row;
}

/** The stored example: the weights of the first head are part of the page, those of the others arrive later. */
function exampleOf({ example }, stored, { block, head }) {
  const { words, shape, names, next, first } = example,
    isFirst = first.head[0] === block && first.head[1] === head;
  const weights = stored ?? (isFirst ? first.weights : undefined);
  return {
    words,
    tokens: [],
    dropped: 0,
    shape,
    names,
    isExample: true,
    ...{ loss: undefined, lossTrained: undefined }, // it is not stored
    row: (at, query) => (weights ? rowOf(weights, words.length, stored ? at : 0, query, 0.01) : words.map(() => 0)),
    nextAt: (query) => (query === words.length - 1 ? next.map((each) => ({ ...each, trained: each.probability })) : []),
  };
}

function resultOf({ words, tokens, dropped, shape, names, next, loss, lossTrained, weights, weightsTrained, setting }) {
  const rows = (all) => (at, query) => rowOf(all, tokens.length, at, query);
  return {
    words,
    tokens,
    dropped,
    shape,
    names: names ?? [],
    isExample: false,
    loss,
    lossTrained,
    ran: setting,
    row: rows(weights),
    rowTrained: weightsTrained && rows(weightsTrained),
    nextAt: (query) => next?.[query] ?? [],
  };
}

/**
 * @typedef {{ words: string[], tokens: number[], dropped: number, shape: [number, number], names: string[], row: (at: number, query: number) => number[],
 *   nextAt: (query: number) => Next[], isExample: boolean, loss: number | undefined, lossTrained: number | undefined, ran?: Record<string, any>,
 *   rowTrained?: (at: number, query: number) => number[] }} From
 * @typedef {{ word: string, probability: number, trained: number }} Next
 */

/**
 * The view of a setting: words, names of all heads, and the weights of the selected head for the selected query.
 * @param {any} data
 * @param {{ block: number, head: number, query: number }} setting
 * @param {{ stored?: Uint8Array, result?: any }} answers
 */
export function viewOf(data, setting, { stored, result }) {
  const shape = result?.shape ?? data.example.shape,
    [block, head] = [Math.min(setting.block, shape[0] - 1), Math.min(setting.head, shape[1] - 1)];
  /** @type {From} */
  const from = result ? resultOf(result) : exampleOf(data, stored, { block, head });
  const n = from.words.length,
    query = Math.max(Math.min(setting.query, n - 1), 0),
    at = block * shape[1] + head;
  const row = n ? from.row(at, query) : [];
  return {
    ...from,
    block,
    head,
    query,
    row,
    before: n && from.rowTrained ? from.rowTrained(at, query) : row,
    next: n ? from.nextAt(query) : [],
    isNow: !!result && runOf(result.setting) === runOf({ ...setting, block, head }),
    isSwapped: !!result && isSwapped(result.setting),
    mostAttended: row.indexOf(Math.max(...row)),
  };
}

const rounded = (value) =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "number" ? Number(each.toFixed(DIGITS)) : each)));

/** The published state. */
export function state(_data, { setting, view }) {
  const { words, tokens, dropped, shape, names, block, head, query, row, before, next, loss, lossTrained } = view;
  return rounded({
    ...setting,
    block,
    head,
    query,
    words,
    tokens,
    dropped,
    shape,
    names,
    weights: row,
    weights_trained: before,
    next,
    estimate: next[0]?.probability ?? 0,
    loss: Number.isFinite(loss) ? loss : -1,
    loss_trained: Number.isFinite(lossTrained) ? lossTrained : -1,
    is_example: view.isExample,
    keys_for_90_percent: keysForShare(row, 0.9),
  });
}
