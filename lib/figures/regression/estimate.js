import { average, logKernel, softmax } from "../methods/weights.js";

// The log-weights and the estimate of one query.

/** The log-weights of one query and all keys. */
export function logWeights(query, keys, { kernel, bandwidth, temperature }) {
  if (kernel === "softmax-dot") return keys.map((key) => (query * key) / temperature);
  return logKernel(query, keys, bandwidth, kernel);
}

export function estimate(query, setting) {
  return average(softmax(logWeights(query, setting.keys, setting)), setting.values);
}
