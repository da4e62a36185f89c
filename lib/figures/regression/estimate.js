import { average, logKernel, softmax } from "../methods/weights.js";

// The log-weights and the estimate of one query.

/** The setting of a curve. @typedef {Omit<import("./regression.js").Setting, "query">} Curve */

/**
 * The log-weights of one query and all keys.
 * @param {number} query @param {number[]} keys @param {Pick<Curve, "kernel" | "bandwidth" | "temperature">}
 *   setting @returns {number[]}
 */
export function logWeights(query, keys, { kernel, bandwidth, temperature }) {
  if (kernel === "softmax-dot") return keys.map((key) => (query * key) / temperature);
  return logKernel(query, keys, bandwidth, kernel);
}

/** @param {number} query @param {Curve} setting */
export function estimate(query, setting) {
  return average(softmax(logWeights(query, setting.keys, setting)), setting.values);
}
