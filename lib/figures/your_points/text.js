import { format, role } from "../parts/numbers.js";
import { ticks } from "../parts/plot.js";
import { criterionOf } from "./fit.js";

// Texts of the figure: numbers and dates of any size, ticks, and the sentence.

const DAY = 86_400_000;

/**
 * @typedef {(value: number) => string} Write
 * @typedef {import("../methods/regression.js").ParameterName} ParameterName
 */

/** Write numbers of a range with about a thousandth of its length. @param {number[]} range @returns {Write} */
export function numberText([low, high]) {
  const size = Math.floor(Math.log10(high - low)),
    largest = Math.max(Math.abs(low), Math.abs(high));
  if (largest >= 1e7 || size < -6) return (value) => value.toPrecision(4).replaceAll("-", "−");
  return (value) => format(value, Math.min(Math.max(3 - size, 0), 12));
}

/** Write days since 1970 as a date, with the time if the range is short. @param {number[]} range @returns {Write} */
export function dateText([low, high]) {
  const length = high - low < 4 ? 16 : 10;
  return (day) => {
    const date = new Date(day * DAY);
    return Number.isNaN(date.getTime()) ? day.toPrecision(4) : date.toISOString().slice(0, length).replace("T", " ");
  };
}

/** About `count` ticks of numbers of any size. @param {number[]} range @param {number} count */
export function numberTicks(range, count) {
  const size = Math.floor(Math.log10(range[1] - range[0])),
    largest = Math.max(...range.map(Math.abs));
  if (largest < 1e7 && size >= -6) return ticks(range, count);
  const unit = 10 ** size;
  return ticks(
    range.map((end) => end / unit),
    count,
  ).map(({ value }) => ({
    value: value * unit,
    text: Number((value * unit).toPrecision(12))
      .toPrecision(3)
      .replaceAll("-", "−"),
  }));
}

/** Ticks at the first days of years or months, or at days. @param {number[]} range @param {number} count */
export function dateTicks([low, high], count) {
  const years = (high - low) / 365.25 / count,
    from = new Date(low * DAY).getUTCFullYear();
  const monthly = years < 0.8,
    step = monthly ? Math.max(1, Math.round(12 * years)) : Number(years.toPrecision(1));
  if (years * 12 < 0.8)
    return ticks([low, high], count).map(({ value }) => ({ value, text: dateText([low, high])(value).slice(5) }));
  const at = (/** @type {number} */ i) => Date.UTC(from, monthly ? i * step : 0) / DAY;
  const of = (/** @type {number} */ i) =>
    monthly
      ? { value: at(i), text: new Date(at(i) * DAY).toISOString().slice(0, 7) }
      : yearTick(Math.ceil(from / step) * step + i * step);
  return Array.from({ length: 60 }, (_, i) => of(i)).filter(({ value }) => value >= low && value <= high);
}

const yearTick = (/** @type {number} */ year) => ({
  value: Date.UTC(Math.round(year), 0) / DAY,
  text: String(Math.round(year)),
});

export const PARAMETERS = { bandwidth: "h", neighbours: "m", temperature: "τ" };

/** Write a parameter with its letter: h = 7.27. @type {(name: ParameterName | "", value: number) => string} */
export const parameterText = (name, value) => (name ? `${PARAMETERS[name]} = ${Number(value.toPrecision(6))}` : "");

/** How many points count less than half in a robust fit. @param {Float64Array} shares */
export const doubtedIn = (shares) => shares.reduce((count, share) => count + (share < 0.5 ? 1 : 0), 0);

/**
 * The slope of a local line; empty for other methods.
 * @param {number | undefined} slope
 * @param {{ dates: boolean }} points
 */
export const slopeText = (slope, { dates }) =>
  slope === undefined
    ? ""
    : `, slope ${String(Number(slope.toPrecision(4))).replaceAll("-", "−")} per ${dates ? "day" : "unit of the key"}`;

/**
 * The description of the drawn state; nothing in it comes from a file but numbers.
 * @param {import("./your_points.js").Data} data
 * @param {import("./your_points.js").Figure["now"]} now
 */
export function sentence({ method_labels }, now) {
  const {
    setting,
    others,
    parameter,
    name,
    query,
    estimate,
    half,
    slope,
    reach,
    fit,
    points,
    keys_for_90_percent,
    data,
    scores,
    keyText,
    valueText,
    halfText,
  } = now;
  const beside = Object.keys(others ?? {}).length
    ? ` The thin lines are the other methods, each with the parameter that ${criterionOf(setting.by)} chooses.`
    : "";
  const robust = fit?.shares
    ? `, robust (${doubtedIn(fit.shares)} of ${data.keys.length} points count less than half)`
    : "";
  const width = name ? `, ${parameterText(name, parameter)}` : "";
  const chosen =
    name && scores && setting.by !== "hand" ? `, chosen by ${setting.by}${reach ? ` (reach ${reach})` : ""}` : "";
  const opening = `${method_labels[setting.method]}${width}${chosen}${robust}. ${role("query", `Query ${keyText(query)}`)}`;
  if (Number.isNaN(estimate))
    return `${opening} has no key within h: no weights, no estimate, and a gap in the curve.${beside}`;
  const most = role("weight", `${keys_for_90_percent} of ${data.keys.length} keys`);
  const closing = role("estimate", `Estimate ${valueText(estimate)} ± ${halfText(half)}${slopeText(slope, points)}`);
  return (
    `${opening} puts 90\u00a0% of its weight on ${most}. ${closing} (95\u00a0%, for independent ` +
    `noise of the same variance; without the bias).${beside}`
  );
}
