import { dayOf, hoursOf, isCompactDate, isMissing, numberIn, READERS } from "./cells.js";
import { DELIMITERS, recordsOf } from "./delimited.js";

// The dialect of a table: what its program used as delimiter, decimal sign and sign of thousands, and whether the day or
// the month comes first. It is a guess from the cells; the reader can change each part.

const SAMPLE = 400; // rows

const LOOSE = [
  { decimal: ".", thousands: "," },
  { decimal: ",", thousands: "." },
];

/** Whether a cell can be a value in some dialect. @param {string} text */
export const isValue = (text) =>
  LOOSE.some((dialect) => numberIn(text, dialect)) ||
  !Number.isNaN(dayOf(text, "dmy")) ||
  !Number.isNaN(dayOf(text, "mdy")) ||
  !Number.isNaN(hoursOf(text));

/** The first lines, and some of the last. */
function sampleOf(text) {
  const lines = text.slice(0, 200_000).split(/\r\n?|\n/);
  return lines.length > SAMPLE ? lines.slice(0, SAMPLE).join("\n") : text;
}

/** The delimiter under which the most cells are values, in rows of the same length. */
export function guessDelimiter(text) {
  const sample = sampleOf(text);
  const scores = Object.keys(DELIMITERS).map((delimiter) => ({ delimiter, score: scoreOf(sample, delimiter) }));
  const best = scores.reduce((one, other) => (other.score > one.score + 1e-9 ? other : one));
  return best.score > 0 ? best.delimiter : ",";
}

function scoreOf(sample, delimiter) {
  const records = recordsQuietly(sample, delimiter).filter((record) => record.some(Boolean));
  const width = modeOf(records.map((record) => record.length));
  if (width < 2) return 0;
  const regular = records.filter((record) => record.length === width),
    cells = regular.slice(-100).flat();
  const readable = cells.filter((cell) => isMissing(cell) || isValue(cell)).length / cells.length;
  return regular.length / records.length + readable;
}

/** Records of a sample, which may end inside quotation marks. */
function recordsQuietly(sample, delimiter) {
  try {
    return recordsOf(sample, delimiter);
  } catch {
    return sample.split(/\r\n?|\n/).map((line) => line.split(delimiter));
  }
}

/** The most frequent number, and of several the largest. @param {number[]} numbers */
export function modeOf(numbers) {
  const counts = new Map();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].reduce(
    (best, one) => (one[1] > best[1] || (one[1] === best[1] && one[0] > best[0]) ? one : best),
    [0, 0],
  )[0];
}

const bareOf = (cell) =>
  cell
    .replace(/^[^\d.,]+|[^\d]+$/g, "")
    .replace(/[ '’\u00a0\u2007\u2009\u202f]/g, "")
    .replace(/e[+-]?\d+$/i, "");

/** What a cell says about the decimal sign: "," or ".", or "" if it says nothing; `?` before a sign that may be either. */
function voteOf(cell) {
  const digits = bareOf(cell);
  if (!/^[\d.,]*\d$/.test(digits) || !/[.,]/.test(digits)) return "";
  const signs = digits.replace(/\d/g, ""),
    last = signs.at(-1),
    first = signs[0];
  if (last !== first) return signs.indexOf(last) === signs.length - 1 ? last : "";
  const other = last === "," ? "." : ",";
  if (signs.length > 1) return /^\d{1,3}([.,]\d{2,3})*[.,]\d{3}$/.test(digits) ? other : "";
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? `?${last}` : last;
}

/** The decimal sign of a table, from its columns of cells. @param {string[][]} columns @param {string} delimiter */
export function guessDecimal(columns, delimiter) {
  const votes = columns.map((cells) => cells.map(voteOf)),
    count = (vote) => votes.flat().filter((each) => each === vote).length;
  const [points, commas] = [count("."), count(",")];
  if (points !== commas) return points > commas ? "." : ",";
  const isThousands = (sign) => columns.some((cells, c) => hasWholeBeside(cells, votes[c], `?${sign}`));
  if (count("?.") && isThousands(".")) return ",";
  if (count("?,")) return delimiter === ";" && !isThousands(",") ? "," : ".";
  return delimiter === ";" && !count("?.") && points === 0 && commas > 0 ? "," : ".";
}

/** Whether whole numbers of three digits stand in one column with 1.002, which therefore is a thousand and two. */
const hasWholeBeside = (cells, votes, unsure) => {
  const whole = cells.filter((cell) => /^[+-]?\d+$/.test(cell)).map((cell) => Math.abs(Number(cell)));
  return votes.includes(unsure) && whole.length > 0 && whole.every((number) => number >= 100 && number < 1000);
};

/** Whether the day or the month comes first in 1/2/2024; `sure` if some date settles it. */
export function guessOrder(cells, { delimiter, decimal }) {
  const valid = (order) => cells.filter((cell) => !Number.isNaN(dayOf(cell, order))).length;
  const [dmy, mdy] = [valid("dmy"), valid("mdy")];
  if (dmy !== mdy) return { order: dmy > mdy ? "dmy" : "mdy", sure: true };
  return { order: delimiter === ";" || decimal === "," ? "dmy" : "mdy", sure: false };
}

/** The kind of a column by most of its cells: number, date, compact, time, month, or text. */
export function kindOf(cells, dialect) {
  const known = cells.filter((cell) => !isMissing(cell)),
    step = Math.max(1, Math.floor(known.length / 300));
  const some = known.filter((_cell, i) => i % step === 0);
  if (some.length && some.every(isCompactDate)) return "compact";
  const counts = ["number", "date", "time", "month"].map((kind) => ({
    kind,
    count: some.filter((cell) => READERS[kind](cell, dialect)).length,
  }));
  const best = counts.reduce((one, other) => (other.count > one.count ? other : one));
  return best.count > 0 && 2 * best.count >= some.length ? best.kind : "text";
}
