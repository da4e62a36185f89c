import { decodeBytes } from "../methods/base64.js";
import { compile } from "../methods/products.js";
import {
  likeliest,
  logProbability,
  loss,
  openModel,
  patternNamer,
  runSwapped,
  runTrained,
} from "../methods/published_model.js";
import { isSwapped } from "./model.js";

// Web worker that runs the published model. The first message contains the file, each later one a setting. A newer
// setting interrupts the run of an older one after the current block.

compile(decodeBytes(/** @type {any} */ (globalThis).PRODUCTS)); // tools/build/bundle_figures.py inserts it

let model, options, wanted;
let isBusy = false;
let trained; // the last run as trained, whose beginning the next text may share

/** @type {(message: object, transferred: ArrayBuffer[]) => void} */
const send = self.postMessage.bind(self);

const channel = new MessageChannel();

/** Let the next message arrive. Unlike setTimeout, this takes less than a millisecond. */
const pause = () =>
  new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });

/** Finish a run and report its progress; undefined if there is a newer setting. */
async function finish(run, of) {
  for (let step = run.next(); ; step = run.next()) {
    if (step.done) return step.value;
    postMessage({ progress: `${of}: block ${step.value + 1} of ${model.blocks.length}` });
    await pause();
    if (wanted) return undefined;
  }
}

const parameters = {
  gaussian: () => ({ factor: 1 }),
  position: () => ({ bandwidth: options.bandwidth }),
  uniform: () => ({}),
  "fixed query": () => ({}),
  performer: () => ({ factor: 1, frequencies: options.frequencies }),
  mask: ({ hidden }) => ({ hidden }),
};

/** The swapped kernels by block and head; undefined for heads as trained. */
function kernelsOf(setting) {
  const { kernel, scope, block, head } = setting,
    swapped = parameters[kernel] && { name: kernel, ...parameters[kernel](setting) };
  const isMeant = {
    "this head": (b, h) => b === block && h === head,
    "its block": (b) => b === block,
    "six copying heads": (b, h) => options.copied.heads.some(([itsBlock, itsHead]) => itsBlock === b && itsHead === h),
  };
  const inScope = isMeant[scope] ?? (() => true);
  return model.blocks.map((_, b) =>
    Array.from({ length: model.nHeads }, (_, h) => (inScope(b, h) ? swapped : undefined)),
  );
}

/** The likely next tokens after each position, with their probabilities now and as trained. */
function nextOf(now, before) {
  const half = options.nNext / 2;
  const probability = (run, i, token) => Math.exp(logProbability(model, run, i, token));
  const at = (_, i) => {
    const [first, usual] = [likeliest(now, i), likeliest(before, i)];
    const tokens = [...new Set([...first.slice(0, half), ...usual.slice(0, half), ...first])].slice(0, options.nNext);
    return tokens
      .map((token) => ({
        word: model.decode([token]),
        probability: probability(now, i, token),
        trained: probability(before, i, token),
      }))
      .sort((a, b) => b.probability - a.probability);
  };
  return now.tokens.map(at);
}

/** All heads' packed weights in one array. */
function packed({ blocks }) {
  const all = blocks.flatMap(({ weights }) => weights),
    size = all[0].length,
    joined = new Float32Array(all.length * size);
  all.forEach((weights, i) => joined.set(weights, i * size));
  return joined;
}

async function answer(setting) {
  const all = model.encode(setting.text),
    tokens = all.slice(-options.shown);
  const result = { setting, tokens, words: tokens.map((token) => model.decode([token])) };
  result.dropped = all.length - tokens.length;
  result.shape = [model.blocks.length, model.nHeads];
  if (!tokens.length) return result;
  if (setting.kernel === "performer" && model.d !== options.dimension)
    throw new Error(`The random features are for heads of dimension ${options.dimension}; here it is ${model.d}.`);
  if (isSwapped(setting) && setting.scope === "six copying heads" && `${result.shape}` !== `${options.copied.shape}`)
    throw new Error("The six copying heads are those of SmolLM2 with 135 million parameters.");
  const before = await finish(runTrained(model, tokens, trained), "As trained");
  if (!before) return undefined;
  trained = before;
  const now = await finish(runSwapped(model, before, kernelsOf(setting)), "Swapped kernel");
  if (!now) return undefined;
  const nameOf = patternNamer(tokens);
  return {
    ...result,
    names: now.blocks.flatMap(({ weights }) => weights.map(nameOf)),
    next: nextOf(now, before),
    loss: loss(model, now),
    lossTrained: loss(model, before),
    weights: packed(now),
    weightsTrained: now === before ? undefined : packed(before),
  };
}

/** The arrays of a result, up to 70 MB together, which are moved to the page, not copied. @param {any} result */
const buffersOf = ({ weights, weightsTrained }) => [weights, weightsTrained].filter(Boolean).map((all) => all.buffer);

/** The message of an error for the reader; an array that does not fit into the memory throws a RangeError. */
const inWords = (error) =>
  error instanceof RangeError ? "There is too little memory in this browser for this model and text." : error.message;

async function work() {
  isBusy = true;
  while (wanted) {
    const setting = wanted;
    wanted = undefined;
    try {
      const result = await answer(setting);
      if (result) send({ result }, buffersOf(result));
    } catch (error) {
      trained = undefined;
      postMessage({ problem: inWords(error), setting });
    }
  }
  isBusy = false;
}

function open({ file, ...rest }) {
  options = rest;
  try {
    model = openModel(new Uint8Array(file));
    postMessage({ opened: [model.blocks.length, model.nHeads] });
  } catch (error) {
    postMessage({ rejected: inWords(error) });
  }
}

self.onmessage = ({ data }) => {
  if (data.file) return open(data);
  wanted = data.setting;
  if (!isBusy) work();
};
