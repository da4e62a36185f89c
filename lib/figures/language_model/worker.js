import { position_bandwidth as POSITION_BANDWIDTH } from "../../constants.json";
import { nameOfHead, headMetrics } from "../methods/heads.js";
import { loss, openModel, run, vocabulary } from "../methods/language_model.js";

// Web worker that runs the model, so that typing never waits. The first message contains the stored model, each later
// one a setting; the response is the run of the model.

let model, tokensOf, words, lengths, context;
let trained = { text: undefined }; // the last text with its tokens and its run as trained
const metricsFor = headMetrics();

/** One kernel per block and head: the swapped kernel for the heads in the scope. */
function kernelsOf({ kernel, scope, temperature, features, hidden, block, head }) {
  const frequencies = model.frequencies[features];
  const swapped = {
    name: kernel,
    factor: temperature,
    bandwidth: POSITION_BANDWIDTH * Math.sqrt(temperature),
    frequencies,
    hidden,
  };
  const isMeant = {
    "this head": (l, h) => l === block && h === head,
    "the other heads": (l, h) => l !== block || h !== head,
    "all heads": () => true,
  }[scope];
  return trained.kernels.map((row, l) => row.map((own, h) => (isMeant(l, h) ? swapped : own)));
}

function readText(text) {
  if (text === trained.text) return;
  const all = tokensOf(text),
    tokens = all.slice(-context);
  const own = { name: "dot product", factor: 1 };
  const kernels = model.blocks.map(() => Array(model.nHeads).fill(own));
  trained = {
    text,
    tokens,
    dropped: all.length - tokens.length,
    kernels,
    run: tokens.length ? run(model, tokens, kernels) : undefined,
  };
  trained.loss = tokens.length ? loss(trained.run.logits, tokens) : NaN;
}

/** The names of all heads on this text. */
function namesOf({ weights, fixedQuery }, tokens) {
  const measure = metricsFor(tokens);
  return weights.map((heads, l) => heads.map((own, h) => nameOfHead(measure(own, fixedQuery[l][h]))));
}

function answer(setting) {
  readText(setting.text);
  const { tokens, dropped } = trained;
  if (!tokens.length) return { setting, tokens, words: [], dropped };
  const isTrained = setting.kernel === "dot product" && setting.temperature === 1;
  const now = isTrained ? trained.run : run(model, tokens, kernelsOf(setting), trained.run);
  const shown = ({ logits, weights, estimates }, lossOf) => ({ logits, weights, estimates, loss: lossOf });
  return {
    setting,
    tokens,
    dropped,
    words: tokens.map((token) => words[token]),
    names: namesOf(now, tokens),
    swapped: shown(now, isTrained ? trained.loss : loss(now.logits, tokens)),
    trained: shown(trained.run, trained.loss),
  };
}

self.onmessage = ({ data: { open, setting } }) => {
  if (open) {
    model = openModel(open);
    context = open.shown;
    ({ encode: tokensOf, words, lengths } = vocabulary(open));
    const { embedding, blocks, width } = model;
    postMessage({ table: { words, lengths, embedding, width, maps: blocks.map((block) => block.output_maps) } });
  } else {
    postMessage({ result: answer(setting) });
  }
};
