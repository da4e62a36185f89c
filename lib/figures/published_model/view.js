import { keysForShare } from "../methods/weights.js";
import { isSwapped, runOf } from "./model.js";
import { rowOf, storedView } from "./stored.js";

// The numbers of the published model's figure for one setting: from the worker's latest result or, until the model is
// open, from the stored answers.

const DIGITS = 6; // published decimals

/**
 * @typedef {import("./published_model.js").Figure["now"]} Now
 * @typedef {ReturnType<typeof viewOf>} View
 * @typedef {import("./stored.js").Row} Row
 * @typedef {import("../parts/next_tokens.js").Next} Next
 * @typedef {{ words: string[], tokens: number[], dropped: number, shape: [number, number], names: string[], row:
 *   Row, rowTrained: Row,
 *   nextAt: (query: number) => Next[] | undefined, isExample: boolean, loss: number | undefined, lossTrained:
 *   number | undefined,
 *   ran: import("./model.js").Asked, needs?: "text" | "kernel" }} From
 */

/** @param {import("./worker.js").Result} result @returns {From} */
function resultOf({ words, tokens, dropped, shape, names, next, loss, lossTrained, weights, weightsTrained, setting }) {
  /** @type {(all: Float32Array | undefined) => Row} */
  const rows = (all) => (at, query) => all && rowOf(all, tokens.length, at, query);
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
    rowTrained: rows(weightsTrained),
    nextAt: (query) => next?.[query] ?? [],
  };
}

/**
 * The view of a setting: words, names of all heads, and the weights of the selected head for the selected query.
 * What is not stored `needs` the model: "text", "kernel", or "row", the weights of this head for this query.
 * @param {import("./published_model.js").Data} data
 * @param {import("./published_model.js").Setting} setting
 * @param {import("./published_model.js").Answers} answers
 */
export function viewOf(data, setting, { stored, result, isOpen }) {
  const shape = result?.shape ?? data.example.shape,
    [block, head] = [Math.min(setting.block, shape[0] - 1), Math.min(setting.head, shape[1] - 1)];
  const from = result ? resultOf(result) : storedView(data, stored, { ...setting, block, head });
  const n = from.words.length,
    query = Math.max(Math.min(setting.query, n - 1), 0),
    at = block * shape[1] + head;
  const row = n ? from.row(at, query) : [];
  /** @type {"text" | "kernel" | "row" | undefined} */
  const needs = result || isOpen ? undefined : (from.needs ?? (row ? undefined : "row"));
  const isNow = !!result && runOf(result.setting) === runOf({ ...setting, block, head }),
    zeros = /** @type {number[]} */ (Array(n).fill(0));
  return {
    ...from,
    block,
    head,
    query,
    row: row ?? zeros,
    before: (row && n && from.rowTrained(at, query)) || row || zeros,
    next: (n && from.nextAt(query)) || [],
    needs,
    isNow,
    isCurrent: result ? isNow : !from.needs, // whether the loss belongs to this setting
    isSwapped: isSwapped(result?.setting ?? setting),
    mostAttended: row ? row.indexOf(Math.max(...row)) : -1,
  };
}

const rounded = (/** @type {object} */ value) =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "number" ? Number(each.toFixed(DIGITS)) : each)));

/** The published state. @param {unknown} _data @param {Now} now */
export function state(_data, { setting, view }) {
  const { words, tokens, dropped, shape, names, block, head, query, row, before, next, isCurrent } = view,
    known = (loss = NaN) => (isCurrent && Number.isFinite(loss) ? loss : -1);
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
