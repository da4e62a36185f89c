import { dayOf, hoursOf, isCompactDate, isMissing, numberIn, READERS, seasonOf } from "./cells.js";
import { DELIMITERS, recordsOf } from "./delimited.js";

// The dialect of a table: what its program used as delimiter, decimal sign and sign of thousands, and whether the
// day or the month comes first. It is a guess from the cells; the reader can change each part.

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

/** The first lines, and some of the last. @param {string} text */
function sampleOf(text) {
  const lines = text.slice(0, 200_000).split(/\r\n?|\n/);
  return lines.length > SAMPLE ? lines.slice(0, SAMPLE).join("\n") : text;
}

/** The delimiter under which the most cells are values, in rows of the same length. @param {string} text */
export function guessDelimiter(text) {
  const sample = sampleOf(text);
  const scores = Object.keys(DELIMITERS).map((delimiter) => ({ delimiter, score: scoreOf(sample, delimiter) }));
  const best = scores.reduce((one, other) => (other.score > one.score + 1e-9 ? other : one));
  return best.score > 0 ? best.delimiter : ",";
}

/** @param {string} sample @param {string} delimiter */
function scoreOf(sample, delimiter) {
  const records = recordsQuietly(sample, delimiter).filter((record) => record.some(Boolean));
  const width = modeOf(records.map((record) => record.length));
  if (width < 2) return 0;
  const regular = records.filter((record) => record.length === width),
    cells = regular.slice(-100).flat();
  const readable = cells.filter((cell) => isMissing(cell) || isValue(cell)).length / cells.length;
  return regular.length / records.length + readable;
}

/** Records of a sample, which may end inside quotation marks. @param {string} sample @param {string} delimiter */
function recordsQuietly(sample, delimiter) {
  try {
    return recordsOf(sample, delimiter);
  } catch {
    return sample.split(/\r\n?|\n/).map((line) => line.split(delimiter));
  }
}

/** The most frequent number, and of several the largest. @param {number[]} numbers */
export function modeOf(numbers) {
  const /** @type {Map<number, number>} */ counts = new Map();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].reduce(
    (best, one) => (one[1] > best[1] || (one[1] === best[1] && one[0] > best[0]) ? one : best),
    [0, 0],
  )[0];
}

const bareOf = (/** @type {string} */ cell) =>
  cell
    .replace(/^[^\d.,]+|[^\d]+$/g, "")
    .replace(/[ '’\u00a0\u2007\u2009\u202f]/g, "")
    .replace(/e[+-]?\d+$/i, "");

/**
 * What a cell says about the decimal sign: "," or ".", or "" if it says nothing; `?` before a sign that may be
 * either.
 * @param {string} cell
 */
function voteOf(cell) {
  const digits = bareOf(cell);
  if (!/^[\d.,]*\d$/.test(digits) || !/[.,]/.test(digits)) return "";
  const signs = digits.replace(/\d/g, ""),
    last = signs[signs.length - 1],
    first = signs[0];
  if (last !== first) return signs.indexOf(last) === signs.length - 1 ? last : "";
  const other = last === "," ? "." : ",";
  if (signs.length > 1) return /^\d{1,3}([.,]\d{2,3})*[.,]\d{3}$/.test(digits) ? other : "";
  return /^[1-9]\d{0,2}[.,]\d{3}$/.test(digits) ? `?${last}` : last;
}

/** The decimal sign of a table, from its columns of cells. @param {string[][]} columns @param {string} delimiter */
export function guessDecimal(columns, delimiter) {
  const votes = columns.map((cells) => cells.map(voteOf)),
    count = (/** @type {string} */ vote) => votes.flat().filter((each) => each === vote).length;
  const [points, commas] = [count("."), count(",")];
  if (points !== commas) return points > commas ? "." : ",";
  const isThousands = (/** @type {string} */ sign) =>
    columns.some((cells, c) => hasWholeBeside(cells, votes[c], `?${sign}`));
  if (count("?.") && isThousands(".")) return ",";
  if (count("?,")) return delimiter === ";" && !isThousands(",") ? "," : ".";
  return delimiter === ";" && !count("?.") && points === 0 && commas > 0 ? "," : ".";
}

/**
 * Whether all signs in the numbers of a table stand before three digits, as in 1,234, and no whole number tells
 * more.
 * @param {string[][]} columns
 */
export function hasThreeDigits(columns) {
  const votes = columns.map((cells) => cells.map(voteOf)),
    some = votes.flat().filter(Boolean);
  const isTold = columns.some((cells, c) => ["?.", "?,"].some((unsure) => hasWholeBeside(cells, votes[c], unsure)));
  return some.length > 0 && some.every((vote) => vote.startsWith("?")) && !isTold;
}

/**
 * Whether whole numbers below a thousand stand in one column with 1.002, which therefore is a thousand and two; if
 * some have fewer than three digits, beside two such numbers.
 * @param {string[]} cells @param {string[]} votes @param {string} unsure
 */
const hasWholeBeside = (cells, votes, unsure) => {
  const whole = cells.filter((cell) => /^[+-]?\d+$/.test(cell)).map((cell) => Math.abs(Number(cell)));
  const count = votes.filter((vote) => vote === unsure).length,
    least = count > 1 ? 0 : 100;
  return count > 0 && whole.length > 0 && whole.every((number) => number >= least && number < 1000);
};

const ORDERS = /** @type {const} */ (["dmy", "mdy", "ymd"]);

/** Whether numbers ascend or descend, and are not all equal. @param {number[]} numbers */
const isOrdered = (numbers) => {
  const signs = new Set(numbers.slice(1).map((number, i) => Math.sign(number - numbers[i])));
  return signs.size > 0 && !(signs.has(1) && signs.has(-1));
};

/**
 * Whether the day, the month or a year of two digits comes first in 1/2/24; `sure` if some date settles it, or if
 * the rows are in order under one of them only.
 * @param {string[][]} columns @param {{ delimiter: string, decimal: string }} dialect
 * @returns {{ order: import("./cells.js").Order, sure: boolean }}
 */
export function guessOrder(columns, { delimiter, decimal }) {
  const valid = (/** @type {import("./cells.js").Order} */ order) =>
      columns.flat().filter((cell) => !Number.isNaN(dayOf(cell, order))).length,
    counts = ORDERS.map(valid);
  const possible = ORDERS.filter((_order, i) => counts[i] === Math.max(...counts));
  const inOrder = possible.filter((order) =>
    columns.every((cells) => isOrdered(cells.map((cell) => dayOf(cell, order)).filter((day) => !Number.isNaN(day)))),
  );
  const left = inOrder.length ? inOrder : possible;
  if (left.includes("ymd") && (left.length === 1 || isYearFirst(columns))) return { order: "ymd", sure: true };
  const [order, other] = left.filter((each) => each !== "ymd");
  if (!other) return { order, sure: true };
  return { order: delimiter === ";" || decimal === "," ? "dmy" : "mdy", sure: false };
}

/**
 * Return whether all dates begin with the same two digits, below 28: 24-01-10 and 24-02-10 begin with the year, but
 * 31-01-24 and 31-03-24 with the last day of a month.
 * @param {string[][]} columns
 */
const isYearFirst = (columns) =>
  columns.length > 0 &&
  columns.every((cells) =>
    cells.every((cell) => /^\d\d-/.test(cell) && cell.slice(0, 2) === columns[0][0].slice(0, 2)),
  ) &&
  columns[0][0].slice(0, 2) < "28";

const NAMED_MONTH = /month|date|period|yyyymm|time|monat|mois|datum/i,
  DAY_WITHOUT_YEAR = /^\p{L}{3,10}\.?[ -]?\d$/u;

/**
 * The kind of a column by most of its cells: number, date, compact, time, month, season, or text.
 * @param {string} name @param {string[]} cells @param {import("./cells.js").Dialect} dialect
 */
export function kindOf(name, cells, dialect) {
  const known = cells.filter((cell) => !isMissing(cell)),
    step = Math.max(1, Math.floor(known.length / 300));
  const some = known.filter((_cell, i) => i % step === 0);
  if (some.length && some.every((cell) => isCompactDate(cell, NAMED_MONTH.test(name)))) return "compact";
  if (some.length > 1 && some.every((cell) => !Number.isNaN(seasonOf(cell)))) return "season";
  const counts = ["number", "date", "time", "month"].map((kind) => ({
    kind,
    count: some.filter((cell) => READERS[kind](cell, dialect)).length,
  }));
  const best = counts.reduce((one, other) => (other.count > one.count ? other : one));
  if (best.kind === "date" && some.some((cell) => DAY_WITHOUT_YEAR.test(cell))) return "text"; // Jan 8, Jan 9, Jan 10
  return best.count > 0 && 2 * best.count >= some.length ? best.kind : "text";
}
