// What one cell says: a number with its unit, a date, a clock time or a month, in the forms that programs write.

const DAY = 86_400_000, // milliseconds
  LARGEST_NUMBER = 1e100;

const MISSING = [
  "[$€£¥]? ?[-–—]+|\\?|\\*+|\\.{1,3}|\\.[a-z]|:", // .a of Stata
  "na|n\\/a|n\\.a\\.|<na>|nd|n\\.d\\.|k\\. ?a\\.|[+-]?nan|nat|-?1\\.#(qnan|ind|inf)\\d*",
  "\\\\n|null|\\(null\\)|<null>|none|nil|missing",
  "#(n\\/a|num!|div\\/0!|value!|ref!|name\\?|null!|nv|zahl!|wert!|bezug!)",
];
const IS_MISSING = new RegExp(`^(${MISSING.join("|")})?$`, "i");

/**
 * @typedef {{ decimal: string, thousands: string }} Signs
 * @typedef {"dmy" | "mdy" | "ymd"} Order of day, month and year
 * @typedef {Signs & { order: Order }} Dialect
 * @typedef {{ value: number, unit: string }} Value
 */

/** Whether a cell says that its value is missing. @param {string} text */
export const isMissing = (text) => IS_MISSING.test(text);

// ---- Numbers ----------------------------------------------------------------------------------------------------

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const CURRENCY = "[A-Z]{0,2}[$€£¥₹]|CHF|EUR|USD|GBP|JPY|CNY|INR|CAD|AUD|BRL|PLN|SEK|NOK|DKK";
const NUMBER = new RegExp(
  `^([+-]?)\\s*(?:${CURRENCY})?\\s*([+-]?)\\s*((?:\\d[\\d.,'’ ]*|[.,]\\d+))(e[+-]?\\d+|d[+-]\\d+)?(-?)\\s*(%|‰|[\\p{L}°µ$€£¥₹/²³]{1,8})?$`,
  "iu",
);
const BRACKETS = new RegExp(`^(?:(?:${CURRENCY})\\s*)?\\((.+)\\)(\\s*%)?$`),
  IS_CURRENCY = new RegExp(`^(?:${CURRENCY})$`, "i");

const ZEROS = [0x660, 0x6f0, 0x966, 0xff10]; // Arabic, Persian, Devanagari and full-width digits
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g;
/** @param {string} digit */
const asciiDigit = (digit) =>
  String(digit.charCodeAt(0) - Math.max(...ZEROS.filter((zero) => zero <= digit.charCodeAt(0))));

/** Unicode's digits, minus signs and blanks as those of ASCII. @param {string} text */
const plain = (text) =>
  text
    .replace(OTHER_DIGITS, asciiDigit)
    .replace(/\u066b/g, ",")
    .replace(/[\u00a0\u2007\u2009\u202f]/g, " ")
    .replace(/^([($€£¥ ]*)[−–‒﹣－]\s?(?=[\d.,$€£¥])/, "$1-")
    .replace(/^'(?=[+-]?\d)/, "") // Excel's mark of a text
    .replace(
      /(\d) ?[×x·*] ?10\^?([+−-]?\d+|[⁻⁰¹²³⁴-⁹]+)$/,
      (_, digit, power) => `${digit}e${power.normalize("NFKC").replace("−", "-")}`,
    );

/**
 * The digits of a number without a sign, in a dialect: groups of thousands, and a decimal sign.
 * @type {Record<string, { pattern: RegExp, groups: RegExp }>}
 */
const bodies = {};
/** @param {Signs} dialect */
function bodyOf({ decimal, thousands }) {
  const group = `[ '’${thousands === "none" ? "" : thousands}]`;
  bodies[decimal + thousands] ??= {
    pattern: new RegExp(`^(?:\\d+|\\d{1,3}(${group})(?:\\d{2,3}\\1)*\\d{3})?(?:[${decimal}]\\d*)?$`),
    groups: new RegExp(group, "g"),
  };
  return bodies[decimal + thousands];
}

/**
 * Read a number: 1,234.5 · 12 % · (5) · 5- · −6 · $3 · 1.5D+03. The unit is what follows it.
 * @param {string} text @param {Signs} dialect @returns {Value | undefined}
 */
export function numberIn(text, dialect) {
  if (dialect.decimal === "." && PLAIN.test(text)) return bounded(Number(text), "");
  const clean = plain(text),
    inner = BRACKETS.exec(clean);
  const parts = NUMBER.exec(inner ? inner[1] + (inner[2] ?? "") : clean);
  if (!parts) return undefined;
  const [, before, sign, digits, exponent = "", after, unit = ""] = parts,
    { pattern, groups } = bodyOf(dialect),
    body = digits.trim();
  if (/^uhr$/i.test(unit)) return undefined; // 10.30 Uhr
  const isDay = after && /^\p{L}+$/u.test(unit) && !IS_CURRENCY.test(unit); // 5-Jan
  if (isDay || !pattern.test(body) || [before, sign, after, inner].filter(Boolean).length > 1) return undefined;
  const size = Number(body.replace(groups, "").replace(dialect.decimal, ".") + exponent.replace(/d/i, "e"));
  return bounded(inner || [before, sign, after].includes("-") ? -size : size, IS_CURRENCY.test(unit) ? "" : unit);
}

/** @param {number} value @param {string} unit */
const bounded = (value, unit) => (Math.abs(value) <= LARGEST_NUMBER ? { value, unit } : undefined);

// ---- Dates ------------------------------------------------------------------------------------------------------

const MONTHS = [
  ["jan", "ene", "gen", "янв"],
  ["feb", "fév", "fev", "фев"],
  ["mar", "mär", "mrz", "maa", "мар"],
  ["apr", "avr", "abr", "апр"],
  ["may", "mai", "mag", "mei", "maj", "май"],
  ["jun", "juin", "giu", "июн"],
  ["jul", "juil", "lug", "июл"],
  ["aug", "aoû", "aou", "ago", "авг"],
  ["sep", "set", "сен"],
  ["oct", "okt", "ott", "out", "окт"],
  ["nov", "ноя"],
  ["dec", "dez", "déc", "dic", "дек"],
];

/** The number of a month by its name in ten languages, 0 if it is none. @param {string} name */
function monthOf(name) {
  const lower = name.toLowerCase();
  const starts = (/** @type {string} */ prefix) => lower.startsWith(prefix);
  return MONTHS.findIndex((names) => names.some(starts)) + 1;
}

/** @param {string} digits */
const yearOf = (digits) => (digits.length > 2 ? Number(digits) : Number(digits) + (Number(digits) < 69 ? 2000 : 1900));

/**
 * Year, month and day of three numbers; only a year of two digits comes first.
 * @type {(one: string, other: string, last: string, order?: Order) => string[]}
 */
const byOrder = (one, other, last, order) =>
  order === "ymd" && last.length < 3 ? [one, other, last] : order === "mdy" ? [last, one, other] : [last, other, one];

/** The date of a day of the year, as 2024-031. @param {string[]} parts */
function ordinal([year, day]) {
  const date = new Date(Date.UTC(Number(year), 0, Number(day)));
  return Number(day) <= 366 ? [year, date.getUTCMonth() + 1, date.getUTCDate()] : [year, 0, 0];
}

/**
 * Forms of a date: a pattern, and year, month and day from its groups.
 * @type {[RegExp, (groups: string[], order?: Order) => (string | number)[]][]}
 */
const FORMS = [
  [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/, ([year, , month, day]) => [year, month, day]],
  [/^(\d{4})[年년] ?(\d{1,2})[月월](?: ?(\d{1,2})[日일])?$/, ([year, month, day]) => [year, month, day ?? 1]],
  [/^(\d{4})-(\d{3})$/, ordinal],
  [/^(\d{4})[-/](\d{1,2})$/, ([year, month]) => [year, month, 1]],
  [
    /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/,
    ([one, other, last], order) => byOrder(one, other, last, order === "ymd" ? order : "dmy"),
  ],
  [/^(\d{1,2})([-/])(\d{1,2})\2(\d{4}|\d{2})$/, ([one, , other, last], order) => byOrder(one, other, last, order)],
  [/^(\d{1,2})[-/](\d{4})$/, ([month, year]) => [year, month, 1]],
  [
    /^(\d{1,2})(?:st|nd|rd|th|\.)?[-/ ]*(\p{L}{3,10})\.?[-/, ]*(\d{4}|\d{2})$/iu,
    ([day, name, year]) => [year, monthOf(name), day],
  ],
  [
    /^(\p{L}{3,10})(?:\.? +|[-/])(\d{1,2})(?:st|nd|rd|th)?(?:,? +|[-/])(\d{4})$/iu,
    ([name, day, year]) => [year, monthOf(name), day],
  ],
  [/^(\p{L}{3,10})\.?[-/ ]*['’]?(\d{4}|\d{2})$/u, ([name, year]) => [year, monthOf(name), 1]],
  [/^(\d{4})[-/ ]*(\p{L}{3,10})\.?(?:[-/ ]*(\d{1,2}))?$/u, ([year, name, day]) => [year, monthOf(name), day ?? 1]],
  [/^(\d{4})[-/ ]*q([1-4])$/i, ([year, quarter]) => [year, 3 * Number(quarter) - 2, 1]],
  [/^q([1-4])[-/ ]*['’]?(\d{4}|\d{2})$/i, ([quarter, year]) => [year, 3 * Number(quarter) - 2, 1]],
  [/^([1-4])q[-/ ]*['’]?(\d{4}|\d{2})$/i, ([quarter, year]) => [year, 3 * Number(quarter) - 2, 1]],
  [/^(\d{4})[-/ ]*m(\d{1,2})$/i, ([year, month]) => [year, month, 1]],
  [/^(\d{4})[-/ ]*[hs]([12])$/i, ([year, half]) => [year, 6 * Number(half) - 5, 1]],
];

const CLOCK =
  /^(.*?)(?:^|[T ,:]| at )\s*(\d{1,3}):(\d{2})(?::(\d{2}(?:[.,]\d+|:\d{3})?))?\s*([ap])?\.?m?\.?\s*(Z|[A-Z]{3,4}|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Hours from UTC, by the name of a time zone. @type {Record<string, number>} */
const ZONES = { z: 0, utc: 0, gmt: 0, wet: 0, west: 1, bst: 1, cet: 1, cest: 2, eet: 2, eest: 3, msk: 3, jst: 9 };
Object.assign(ZONES, { est: -5, edt: -4, cst: -6, cdt: -5, mst: -7, mdt: -6, pst: -8, pdt: -7, aest: 10, aedt: 11 });

/** Hours from UTC of a time zone by its name or as +02:00, NaN for an unknown one. @param {string} zone */
function offsetOf(zone) {
  if (!/^[+-]/.test(zone)) return zone ? (ZONES[zone.toLowerCase()] ?? NaN) : 0;
  return Number(zone.slice(0, 3)) + Number(zone[0] + (zone.slice(3).replace(":", "") || "0")) / 60;
}

/**
 * Hours of a clock time, its offset from UTC, and the text before it; the hours are NaN if the time is impossible.
 * @param {string} text
 */
function clockIn(text) {
  const parts = CLOCK.exec(text);
  if (!parts) return { head: text, hours: 0, offset: 0 };
  const [, head, hour, minute, written = "0", half, zone = ""] = parts,
    second = Number(written.replace(/[,:]/, "."));
  const isReal = minute < "60" && second < 61 && (!half || (Number(hour) >= 1 && Number(hour) <= 12));
  const day = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
  return {
    head: head.trim(),
    hours: isReal ? day + (Number(minute) + second / 60) / 60 : NaN,
    offset: offsetOf(zone),
    isClock: true,
    day,
  };
}

/** Wed Jan 31 10:12:13 CET 2024, as C and Java write it: the year stands behind the time. */
const YEAR_LAST = /^(?:\p{L}{2,4} )?(\p{L}{3} +\d{1,2}) (\d{1,2}:\d{2}(?::\d{2})?(?: [A-Z]{3,4})?) (\d{4})$/u;

/** Read a date as days since 1970, NaN if it is none. @param {string} text @param {Order} [order] of 1/2/24 */
export function dayOf(text, order = "dmy") {
  const { head, hours, offset, day } = clockIn(text.replace(YEAR_LAST, "$1 $3 $2").replace(/\s*\(.*\)$/, "")),
    bare = head.replace(/^\p{L}{2,9}\.?,\s*(?=\d)|^(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*,? +/iu, "");
  if (!(day === undefined || day <= 24) || !/\d/.test(bare)) return NaN;
  for (const [pattern, read] of FORMS) {
    const parts = pattern.exec(bare);
    if (parts) return daysSince(read(parts.slice(1), order)) + (hours - offset) / 24;
  }
  return weekOf(bare) + (hours - offset) / 24;
}

/** @param {(string | number)[]} date year, month and day */
function daysSince([year, month, day]) {
  const date = new Date(0);
  date.setUTCFullYear(yearOf(String(year)), Number(month) - 1, Number(day));
  const isReal = Number(month) >= 1 && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return isReal ? date.getTime() / DAY : NaN;
}

/** The Monday of a week by ISO 8601, as 2024-W05. @param {string} text */
function weekOf(text) {
  const parts = /^(\d{4})-?w(\d{1,2})(?:-([1-7]))?$/i.exec(text);
  if (!parts || parts[2] > "53" || Number(parts[2]) < 1) return NaN;
  const fourth = daysSince([parts[1], 1, 4]); // always in the first week
  return fourth - ((fourth + 3) % 7) + 7 * (Number(parts[2]) - 1) + Number(parts[3] ?? 1) - 1;
}

/**
 * Hours of a clock time, in its own zone, or a duration without a date: 07:30, 10.30 Uhr, 10h30, 1 days 02:00:00.
 * @param {string} text
 */
export function hoursOf(text) {
  const clock = text.replace(/^(\d{1,2})(?:[.:](\d\d) ?Uhr|h(\d\d))$/i, "$1:$2$3"),
    { head, hours, isClock } = clockIn(clock);
  const days = /^(-?\d+) days?$/.exec(head)?.[1];
  return isClock && (!head || days) ? 24 * Number(days ?? 0) + hours : NaN;
}

/** A season such as 2008-09 or 2008/2009, as its first year; NaN for other cells. @param {string} text */
export function seasonOf(text) {
  const [, first, next] = /^([12]\d{3})[-/–](\d{2}|\d{4})$/.exec(text) ?? [];
  return first && Number(next) === (Number(first) + 1) % 10 ** next.length ? Number(first) : NaN;
}

const isMonthName = (/** @type {string} */ text) => /^\p{L}{3,10}\.?$/u.test(text) && monthOf(text) > 0;

/** The readers of a cell by kind. @type {Record<string, (text: string, dialect: Dialect) => Value | undefined>} */
export const READERS = {
  number: numberIn,
  date: (text, { order }) => found(dayOf(text, order)),
  compact: (text) => found(isCompactDate(text, true) ? dayOf(dashed(text)) : NaN),
  time: (text) => found(hoursOf(text), "h"),
  month: (text) => found(isMonthName(text) ? monthOf(text) : NaN, "month"),
  season: (text) => found(seasonOf(text)),
};

const found = (/** @type {number} */ value, unit = "") => (Number.isNaN(value) ? undefined : { value, unit });

const dashed = (/** @type {string} */ text) =>
  text.replace(
    /^(\d{4})(\d\d)(\d\d)?(?:T?(\d\d)(\d\d)?(\d\d)?Z?)?$/i,
    (_, y, m, d = "01", h = "00", min = "00", s = "00") => `${y}-${m}-${d} ${h}:${min}:${s}`,
  );

/**
 * Whether this has the form 19580329, 19580329T0630, 1958032906 or 19580329063000, which is a date if its whole
 * column is; 195803 only if the column's name says so.
 * @param {string} text
 */
export const isCompactDate = (text, isNamed = false) =>
  (/^((1[5-9]|20)\d{6}(T\d{4}(\d\d)?Z?)?|(19|20)\d{8}(\d\d){0,2})$/i.test(text) ||
    (isNamed && /^(19|20)\d{4}$/.test(text))) &&
  !Number.isNaN(dayOf(dashed(text)));
