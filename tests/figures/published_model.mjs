// Run the published model on a file, for test_published_model_methods.py: node published_model.mjs FILE LANGUAGE <
// request, with products in WebAssembly or in JavaScript. Prints logits, weights, losses and names of one text, or the
// error, as JSON.

import fs from "node:fs";
import { compile } from "../../lib/figures/methods/products.js";
import {
  logProbability,
  loss,
  openModel,
  patternNamer,
  runSwapped,
  runTrained,
} from "../../lib/figures/methods/published_model.js";

function finish(run) {
  let step = run.next();
  while (!step.done) step = run.next();
  return step.value;
}

function answer({ text, split, kernels }) {
  const model = openModel(new Uint8Array(fs.readFileSync(process.argv[2]))),
    tokens = model.encode(text),
    start = split ? finish(runTrained(model, tokens.slice(0, split))) : undefined,
    trained = finish(runTrained(model, tokens, start)),
    name = patternNamer(tokens),
    swapped = finish(
      runSwapped(
        model,
        trained,
        model.blocks.map((_, b) => Array.from({ length: model.nHeads }, (_, h) => kernels[`${b}, ${h}`] ?? kernels.all)),
      ),
    );
  const probabilities = (run) =>
    tokens.map((_, i) => Array.from({ length: 264 }, (_, token) => logProbability(model, run, i, token)));
  const of = (run) => ({
    weights: run.blocks.map(({ weights }) => weights.map((own) => [...own])),
    loss: loss(model, run),
    probabilities: probabilities(run),
    top: [...run.last.top],
  });
  const names = trained.blocks.map(({ weights }) => weights.map(name));
  return { tokens, decoded: model.decode(tokens), names, trained: of(trained), swapped: of(swapped) };
}

if (process.argv[3] === "WebAssembly" && !compile(Buffer.from(globalThis.PRODUCTS, "base64")))
  throw new Error("WebAssembly is not available.");
const request = JSON.parse(fs.readFileSync(0, "utf8"));
try {
  console.log(JSON.stringify(request.map(answer)));
} catch (error) {
  console.log(JSON.stringify({ error: error.message }));
}
