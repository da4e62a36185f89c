import { estimateAt } from "../methods/regression.js";
import { html, set } from "../parts/plot.js";
import { dayOf, numberIn } from "./cells.js";
import { TWO_SIDED } from "./fit.js";
import { slopeText } from "./text.js";

// Estimates at keys that the reader types.

const MOST_KEYS = 50; // keys

/**
 * The keys in a text, between semicolons, blanks or commas followed by a blank; dates between semicolons. A key
 * that cannot be read is a text.
 * @param {string} text @param {boolean} dates
 * @returns {(number | string)[]}
 */
export function keysIn(text, dates) {
  const parts = text
    .split(dates ? /[;\n]/ : /[;\s]+|,(?=\s)/)
    .map((part) => part.trim())
    .filter(Boolean);
  return parts.slice(0, MOST_KEYS).map((part) => {
    const key = dates ? dayOf(part) : numberIn(part, { decimal: ".", thousands: "none" })?.value;
    return key === undefined || Number.isNaN(key) ? part : key;
  });
}

/**
 * What to say of each key: its estimate, band and slope, or that it cannot be read.
 * @param {(number | string)[]} keys @param {import("./your_points.js").Figure["now"]} now
 */
export function predictionsOf(
  keys,
  { points, data, weighted, setting: { method }, parameter, sigma, keyText, valueText, halfText },
) {
  const [low, high] = [data.keys[0], data.keys[data.keys.length - 1]];
  return keys.map((key) => {
    if (typeof key === "string") return `“${key.slice(0, 24)}” is no key`;
    const { estimate, norm, slope } = estimateAt(key, weighted, method, parameter),
      outside = key < low || key > high ? ", outside the keys" : "";
    if (Number.isNaN(estimate)) return `${keyText(key)}: no key in reach`;
    return `${keyText(key)}: ${valueText(estimate)} ± ${halfText(TWO_SIDED * sigma * norm)}${slopeText(slope, points)}${outside}`;
  });
}

/**
 * Add a field for keys below an element; the estimates at them follow the drawn state.
 * @param {import("./your_points.js").Figure} figure
 * @param {HTMLElement} element
 */
export function createPredictions(figure, element) {
  const row = html("div", { class: "lf-input predictions" });
  element.after(row);
  const field = html("input", { "data-lm-suppress-shortcuts": "true" }, html("label", { text: "estimate at" }, row)),
    output = html("output", {}, row);
  function show() {
    const { points } = figure.now;
    set(field, { placeholder: points.dates ? "2024-03-31; 2024-04-01" : "1.5; 2.25" });
    output.textContent = predictionsOf(keysIn(field.value, points.dates), figure.now).join("; ");
  }
  field.addEventListener("input", show);
  figure.afterDraw(show);
}
