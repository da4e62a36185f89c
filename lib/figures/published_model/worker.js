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

compile(decodeBytes(/** @type {typeof globalThis & { PRODUCTS: string }} */ (globalThis).PRODUCTS)); // tools/build/bundle_figures.py inserts it

/**
 * @typedef {import("../methods/published_model.js").Run} Run
 * @typedef {import("../methods/language_model.js").HeadKernel} HeadKernel
 * @typedef {import("./model.js").Asked} Asked
 * @typedef {[number, number]} Pair Of a block and a head, or of their numbers.
 * @typedef {{ shown: number, nNext: number, bandwidth: number, dimension: number, copied: { heads: Pair[], shape:
 *   Pair }, frequencies: Float64Array }} Options
 * @typedef {{ setting: Asked, tokens: number[], words: string[], dropped: number, shape: Pair }} Read
 * @typedef {{ names: string[], next: import("../parts/next_tokens.js").Next[][], loss: number, lossTrained:
 *   number, weights: Float32Array<ArrayBuffer>,
 *   weightsTrained: Float32Array<ArrayBuffer> | undefined }} Numbers
 * @typedef {Read & Partial<Numbers>} Result Without numbers if there is no text.
 * @typedef {Partial<{ opened: Pair, rejected: string, progress: string, result: Result, problem: string, setting:
 *   Asked }>} Message
 */

/** @type {ReturnType<typeof openModel>} */
let model;
/** @type {Options} */
let options;
/** @type {Asked | undefined} */
let wanted;
let isBusy = false;
/** @type {Run | undefined} */
let trained; // the last run as trained, whose beginning the next text may share

/** `postMessage` of a worker, which TypeScript takes for that of a window. */
const send = /** @type {(message: Message, transferred?: ArrayBuffer[]) => void} */ (
  /** @type {unknown} */ (self.postMessage.bind(self))
);

const channel = new MessageChannel();

/** Let the next message arrive. Unlike setTimeout, this takes less than a millisecond. */
const pause = () =>
  new Promise((resolve) => {
    channel.port1.onmessage = resolve;
    channel.port2.postMessage(null);
  });

/**
 * Finish a run and report its progress; undefined if there is a newer setting.
 * @param {Generator<number, Run, void>} run
 * @param {string} of
 */
async function finish(run, of) {
  for (let step = run.next(); ; step = run.next()) {
    if (step.done === true) return step.value;
    send({ progress: `${of}: block ${step.value + 1} of ${model.blocks.length}` });
    await pause();
    if (wanted) return undefined;
  }
}

/** @type {Record<string, (setting: Asked) => Omit<HeadKernel, "name">>} */
const parameters = {
  gaussian: () => ({ factor: 1 }),
  position: () => ({ bandwidth: options.bandwidth }),
  uniform: () => ({}),
  "fixed query": () => ({}),
  performer: () => ({ factor: 1, frequencies: options.frequencies }),
  mask: ({ hidden }) => ({ hidden }),
};

/** The swapped kernels by block and head; undefined for heads as trained. @param {Asked} setting */
function kernelsOf(setting) {
  const { kernel, scope, block, head } = setting,
    swapped = parameters[kernel] && { name: kernel, ...parameters[kernel](setting) };
  /** @type {Record<string, (b: number, h: number) => boolean>} */
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

/**
 * The likely next tokens after each position, with their probabilities now and as trained.
 * @param {Run} now
 * @param {Run} before
 */
function nextOf(now, before) {
  const half = options.nNext / 2;
  /** @type {(run: Run, i: number, token: number) => number} */
  const probability = (run, i, token) => Math.exp(logProbability(model, run, i, token));
  const at = (/** @type {number} */ _, /** @type {number} */ i) => {
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

/** All heads' packed weights in one array. @param {Run} run */
function packed({ blocks }) {
  const all = blocks.flatMap(({ weights }) => weights),
    size = all[0].length,
    joined = new Float32Array(all.length * size);
  all.forEach((weights, i) => joined.set(weights, i * size));
  return joined;
}

/** @param {Asked} setting @returns {Promise<Result | undefined>} */
async function answer(setting) {
  const all = model.encode(setting.text),
    tokens = all.slice(-options.shown);
  /** @type {Read} */
  const result = {
    setting,
    tokens,
    words: tokens.map((token) => model.decode([token])),
    dropped: all.length - tokens.length,
    shape: [model.blocks.length, model.nHeads],
  };
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

/** The arrays of a result, up to 70 MB together, which are moved to the page, not copied. @param {Result} result */
const buffersOf = ({ weights, weightsTrained }) =>
  [weights, weightsTrained].flatMap((all) => (all ? [all.buffer] : []));

/** The message of an error for the reader; an array that does not fit into the memory throws a RangeError. */
const inWords = (/** @type {Error} */ error) =>
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
      send({ problem: inWords(/** @type {Error} */ (error)), setting });
    }
  }
  isBusy = false;
}

/** @param {Options & { file: ArrayBuffer }} message */
function open({ file, ...rest }) {
  options = rest;
  try {
    model = openModel(new Uint8Array(file));
    send({ opened: [model.blocks.length, model.nHeads] });
  } catch (error) {
    send({ rejected: inWords(/** @type {Error} */ (error)) });
  }
}

self.onmessage = ({ data }) => {
  if (data.file) return open(data);
  wanted = data.setting;
  if (!isBusy) work();
};
