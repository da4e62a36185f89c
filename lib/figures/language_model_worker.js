import constants from "../constants.json" with { type: "json" };
import { loss, openModel, run, vocabulary } from "./transformer.js";

// The model at work beside the page, so that typing never waits. First comes the stored model, then settings; each is
// answered with what the figure shows of it.

let model, tokensOf, words, context;
let trained = { text: undefined }; // the last text, its tokens and its run as trained

/** One kernel per layer and head: the swapped one where the setting wants it. */
function kernelsOf({ kernel, scope, temperature, features, layer, head }) {
  const frequencies = model.frequencies[features];
  const swapped = {
    name: kernel,
    factor: temperature,
    bandwidth: constants.place_bandwidth * Math.sqrt(temperature),
    frequencies,
  };
  const everywhere = scope === "all heads";
  return trained.kernels.map((row, l) =>
    row.map((own, h) => (everywhere || (l === layer && h === head) ? swapped : own)),
  );
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

function answer(setting) {
  readText(setting.text);
  const { tokens, dropped } = trained;
  if (!tokens.length) return { setting, tokens, words: [], dropped };
  const isTrained = setting.kernel === "dot product" && setting.temperature === 1;
  const now = isTrained ? trained.run : run(model, tokens, kernelsOf(setting), trained.run);
  const shown = ({ logits, weights }, lossOf) => ({ logits, weights, loss: lossOf });
  return {
    setting,
    tokens,
    dropped,
    words: tokens.map((token) => words[token]),
    swapped: shown(now, isTrained ? trained.loss : loss(now.logits, tokens)),
    trained: shown(trained.run, trained.loss),
  };
}

self.onmessage = ({ data: { open, setting } }) => {
  if (open) {
    model = openModel(open);
    context = open.shown;
    ({ encode: tokensOf, words } = vocabulary(open));
    postMessage({ vocabulary: words });
  } else {
    postMessage({ result: answer(setting) });
  }
};
