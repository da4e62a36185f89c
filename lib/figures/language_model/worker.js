import { position_bandwidth as POSITION_BANDWIDTH } from "../../constants.json";
import { nameOfHead, headMetrics } from "../methods/heads.js";
import { loss, openModel, run, vocabulary } from "../methods/language_model.js";

// Web worker that runs the model, so that typing never waits. The first message contains the stored model, each later
// one a setting; the response is the run of the model.

/**
 * @typedef {import("../methods/language_model.js").Run} Run
 * @typedef {import("../methods/language_model.js").HeadKernel} HeadKernel
 * @typedef {import("./language_model.js").Wanted} Wanted
 * @typedef {Parameters<typeof openModel>[0] & Parameters<typeof vocabulary>[0] & { shown: number }} Stored
 * @typedef {{ words: string[], lengths: number[], embedding: Float64Array, width: number, maps: Float64Array[] }} Table
 * @typedef {Pick<Run, "logits" | "weights" | "estimates"> & { loss: number }} Ran
 * @typedef {import("./view.js").OfText<{ names: string[][], swapped: Ran, trained: Ran }>} Answer
 * @typedef {{ text: string, tokens: number[], dropped: number, kernels: HeadKernel[][], run: Run | undefined,
 *   loss: number }} Trained
 */

/** @type {ReturnType<typeof openModel>} */
let model;
/** @type {(text: string) => number[]} */
let tokensOf;
/** @type {string[]} */
let words;
/** @type {number[]} */
let lengths;
/** @type {number} */
let context;
/** @type {Trained | undefined} */
let newest; // the last text with its tokens and its run as trained
const metricsFor = headMetrics();

/**
 * One kernel per block and head: the swapped kernel for the heads in the scope.
 * @param {Wanted} setting
 * @param {HeadKernel[][]} trained
 */
function kernelsOf({ kernel, scope, temperature, features, hidden, block, head }, trained) {
  const frequencies = model.frequencies[features];
  const swapped = {
    name: kernel,
    factor: temperature,
    bandwidth: POSITION_BANDWIDTH * Math.sqrt(temperature),
    frequencies,
    hidden,
  };
  /** @type {Record<string, (l: number, h: number) => boolean>} */
  const isMeant = {
    "this head": (l, h) => l === block && h === head,
    "the other heads": (l, h) => l !== block || h !== head,
    "all heads": () => true,
  };
  return trained.map((row, l) => row.map((own, h) => (isMeant[scope](l, h) ? swapped : own)));
}

/** @param {string} text @returns {Trained} */
function readText(text) {
  if (text === newest?.text) return newest;
  const all = tokensOf(text),
    tokens = all.slice(-context);
  const own = { name: "dot product", factor: 1 };
  const kernels = model.blocks.map(() => Array(model.nHeads).fill(own));
  const usual = tokens.length ? run(model, tokens, kernels) : undefined;
  newest = {
    text,
    tokens,
    dropped: all.length - tokens.length,
    kernels,
    run: usual,
    loss: usual ? loss(usual.logits, tokens) : NaN,
  };
  return newest;
}

/** The names of all heads on this text. @param {Run} run @param {number[]} tokens */
function namesOf({ weights, fixedQuery }, tokens) {
  const measure = metricsFor(tokens);
  return weights.map((heads, l) => heads.map((own, h) => nameOfHead(measure(own, fixedQuery[l][h]))));
}

/** @param {Wanted} setting @returns {Answer} */
function answer(setting) {
  const { tokens, dropped, kernels, run: usual, loss: usualLoss } = readText(setting.text);
  if (!usual) return { setting, tokens, words: [], dropped };
  const isTrained = setting.kernel === "dot product" && setting.temperature === 1;
  const now = isTrained ? usual : run(model, tokens, kernelsOf(setting, kernels), usual);
  /** @type {(run: Run, loss: number) => Ran} */
  const shown = ({ logits, weights, estimates }, lossOf) => ({ logits, weights, estimates, loss: lossOf });
  return {
    setting,
    tokens,
    dropped,
    words: tokens.map((token) => words[token]),
    names: namesOf(now, tokens),
    swapped: shown(now, isTrained ? usualLoss : loss(now.logits, tokens)),
    trained: shown(usual, usualLoss),
  };
}

self.onmessage = (/** @type {MessageEvent<{ open?: Stored, setting: Wanted }>} */ { data: { open, setting } }) => {
  if (open) {
    model = openModel(open);
    context = open.shown;
    ({ encode: tokensOf, words, lengths } = vocabulary(open));
    const { embedding, blocks, width } = model;
    /** @type {Table} */
    const table = { words, lengths, embedding, width, maps: blocks.map((block) => block.output_maps) };
    postMessage({ table });
  } else {
    postMessage({ result: answer(setting) });
  }
};
