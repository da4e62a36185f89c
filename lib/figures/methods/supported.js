// The check of lib/published_model/supported.py: reject files with features that published_model.js does not compute.

/** @typedef {import("./gguf.js").Matrix} Matrix */
/** @typedef {import("./gguf.js").Settings} Settings */

const PIECES_OF = "smollm"; // the name of the tokenizer's patterns in a GGUF file
const COUNTS = ["block_count", "context_length", "embedding_length", "attention.head_count", "attention.head_count_kv"];
/** Settings of features, and the value that is the same as no setting. */
const ABSENT = {
  "rope.scaling.type": "none",
  "rope.scaling.factor": 1,
  "rope.scale_linear": 1,
  "attention.sliding_window": 0,
  "attention.causal": 1,
  expert_count: 0,
  logit_scale: 1,
};

/** @param {string} name @param {string | number} expected @param {string | number} found */
function check(name, expected, found) {
  if (`${found}` !== `${expected}`) throw new Error(`Expected a model with ${name} “${expected}”, got “${found}”.`);
}

/**
 * The entry of this name, or an error that says that it is missing. @template T @param {Record<string, T>} all
 * @param {string} name @returns {T}
 */
export function need(all, name) {
  if (all[name] === undefined) throw new Error(`Expected a model with ${name}, but this file has none.`);
  return all[name];
}

/** The numbers of heads and of key–value heads, the width, and the dimension of a head. @param {Settings} settings */
function sizesOf(settings) {
  for (const name of COUNTS) {
    const count = need(settings, `llama.${name}`);
    if (!Number.isInteger(count) || count < 1)
      throw new Error(`Expected a model with llama.${name} of at least 1, got ${count}.`);
  }
  const [nHeads, nGroups, width] = ["attention.head_count", "attention.head_count_kv", "embedding_length"].map(
    (name) => settings[`llama.${name}`],
  );
  if (width % (2 * nHeads) || nHeads % nGroups)
    throw new Error(
      "Expected heads of equal, even dimension that share keys equally, " +
        `got width ${width}, ${nHeads} heads and ${nGroups} key–value heads.`,
    );
  return { nHeads, nGroups, width, d: width / nHeads };
}

/**
 * The rows and columns of all matrices by name; a vector has one row, and the matrix of the logits is optional.
 * @param {Settings} settings
 * @param {Record<string, Matrix>} matrices
 * @param {number} ofQueries
 * @param {number} ofKeys
 * @param {number} width
 * @returns {Record<string, number[]>}
 */
function shapesOf(settings, matrices, ofQueries, ofKeys, width) {
  const hidden = need(matrices, "blk.0.ffn_up.weight").n_rows,
    vocabulary = [need(settings, "tokenizer.ggml.tokens").length, width];
  const block = Object.entries({
    attn_q: [ofQueries, width],
    attn_k: [ofKeys, width],
    attn_v: [ofKeys, width],
    attn_output: [width, ofQueries],
    ffn_gate: [hidden, width],
    ffn_up: [hidden, width],
    ffn_down: [width, hidden],
    attn_norm: [1, width],
    ffn_norm: [1, width],
  });
  const ofBlock = (/** @type {unknown} */ _, /** @type {number} */ i) =>
    block.map(([name, shape]) => [`blk.${i}.${name}.weight`, shape]);
  return {
    ...Object.fromEntries(Array.from({ length: settings["llama.block_count"] }, ofBlock).flat()),
    "token_embd.weight": vocabulary,
    "output_norm.weight": [1, width],
    ...(matrices["output.weight"] && { "output.weight": vocabulary }),
  };
}

/**
 * Check settings, and names and shapes of matrices; returns the sizes. Throws an error that says what was expected.
 * @param {Settings} settings @param {Record<string, Matrix>} matrices
 */
export function checkModel(settings, matrices) {
  for (const [name, expected] of Object.entries({ "general.architecture": "llama", "tokenizer.ggml.pre": PIECES_OF }))
    check(name, expected, settings[name] ?? "none");
  for (const [name, neutral] of Object.entries(ABSENT))
    check(`llama.${name}`, neutral, settings[`llama.${name}`] ?? neutral);
  const sizes = sizesOf(settings),
    { nHeads, nGroups, width, d } = sizes;
  for (const name of ["rope.dimension_count", "attention.key_length", "attention.value_length"])
    check(`llama.${name}`, d, settings[`llama.${name}`] ?? d);
  const shapes = shapesOf(settings, matrices, nHeads * d, nGroups * d, width);
  for (const [name, [rows, columns]] of Object.entries(shapes)) {
    const found = need(matrices, name);
    check(`${name} of shape`, `${rows} × ${columns}`, `${found.n_rows} × ${found.width}`);
  }
  const other = Object.keys(matrices).find((name) => !(name in shapes));
  if (other) throw new Error(`Expected a model without ${other}.`);
  return sizes;
}
