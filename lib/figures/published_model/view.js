import { keysForShare } from "../methods/weights.js";
import { isSwapped, runOf } from "./model.js";
import { rowOf, storedView } from "./stored.js";

// The numbers of the published model's figure for one setting: from the worker's latest result or, until the model is
// open, from the stored answers.

const DIGITS = 6; // published decimals

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
 * @typedef {{ words: string[], tokens: number[], dropped: number, shape: [number, number], names: string[],
 *   row: (at: number, query: number) => number[] | undefined, nextAt: (query: number) => Next[] | undefined,
 *   isExample: boolean, loss: number | undefined, lossTrained: number | undefined, ran?: Record<string, any>,
 *   needs?: "text" | "kernel", rowTrained?: (at: number, query: number) => number[] | undefined }} From
 * @typedef {{ word: string, probability: number, trained: number }} Next
 */

/**
 * The view of a setting: words, names of all heads, and the weights of the selected head for the selected query. What is
 * not stored `needs` the model: "text", "kernel", or "row", the weights of this head for this query.
 * @param {any} data
 * @param {{ block: number, head: number, query: number }} setting
 * @param {{ stored?: any, result?: any, isOpen?: boolean }} answers
 */
export function viewOf(data, setting, { stored, result, isOpen }) {
  const shape = result?.shape ?? data.example.shape,
    [block, head] = [Math.min(setting.block, shape[0] - 1), Math.min(setting.head, shape[1] - 1)];
  /** @type {From} */
  const from = result ? resultOf(result) : storedView(data, stored, { ...setting, block, head });
  const n = from.words.length,
    query = Math.max(Math.min(setting.query, n - 1), 0),
    at = block * shape[1] + head;
  const row = n ? from.row(at, query) : [],
    needs = result || isOpen ? undefined : (from.needs ?? (row ? undefined : "row")),
    isNow = !!result && runOf(result.setting) === runOf({ ...setting, block, head }),
    zeros = Array(n).fill(0);
  return {
    ...from,
    block,
    head,
    query,
    row: row ?? zeros,
    before: (row && n && from.rowTrained?.(at, query)) || row || zeros,
    next: (n && from.nextAt(query)) || [],
    needs,
    isNow,
    isCurrent: result ? isNow : !from.needs, // whether the loss belongs to this setting
    isSwapped: isSwapped(result?.setting ?? setting),
    mostAttended: row ? row.indexOf(Math.max(...row)) : -1,
  };
}

const rounded = (value) =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "number" ? Number(each.toFixed(DIGITS)) : each)));

/** The published state. */
export function state(_data, { setting, view }) {
  const { words, tokens, dropped, shape, names, block, head, query, row, before, next, isCurrent } = view,
    known = (loss) => (isCurrent && Number.isFinite(loss) ? loss : -1);
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
    loss: known(view.loss),
    loss_trained: known(view.lossTrained),
    is_example: view.isExample,
    needs: view.needs ?? "",
    keys_for_90_percent: keysForShare(row, 0.9),
  });
}
