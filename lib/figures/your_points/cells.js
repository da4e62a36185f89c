// What one cell says: a number with its unit, a date, a clock time or a month, in the forms that programs write.

const DAY = 86_400_000, // milliseconds
  LARGEST_NUMBER = 1e100;

/** Whether a cell says that its value is missing. */
export const isMissing = (text) =>
  /^(|[-–—]+|\?|\.{1,3}|:|na|n\/a|n\.a\.|<na>|nan|null|none|nil|missing|#(n\/a|num!|div\/0!|value!|ref!|name\?|null!))$/i.test(
    text,
  );

// ---- Numbers ----------------------------------------------------------------------------------------------------

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const CURRENCY = "[$€£¥₹]|CHF|EUR|USD|GBP";
const NUMBER = new RegExp(
  `^([+-]?)\\s*(?:${CURRENCY})?\\s*([+-]?)\\s*((?:\\d[\\d.,'’ ]*|[.,]\\d+))(e[+-]?\\d+|d[+-]\\d+)?(-?)\\s*(%|‰|[\\p{L}°µ$€£¥₹/²³]{1,8})?$`,
  "iu",
);

const ZEROS = [0x660, 0x6f0, 0x966, 0xff10]; // Arabic, Persian, Devanagari and full-width digits
const OTHER_DIGITS = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\uff10-\uff19]/g;
const asciiDigit = (digit) => String(digit.charCodeAt(0) - ZEROS.findLast((zero) => zero <= digit.charCodeAt(0)));

/** Unicode's digits, minus signs and blanks as those of ASCII. */
const plain = (text) =>
  text
    .replace(OTHER_DIGITS, asciiDigit)
    .replace(/\u066b/g, ",")
    .replace(/[\u00a0\u2007\u2009\u202f]/g, " ")
    .replace(/^([($€£¥ ]*)[−–‒﹣－]\s?(?=[\d.,$€£¥])/, "$1-");

/** The digits of a number without a sign, in a dialect: groups of thousands, and a decimal sign. */
const bodies = {};
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
 * @param {string} text @param {{ decimal: string, thousands: string }} dialect
 * @returns {{ value: number, unit: string } | undefined}
 */
export function numberIn(text, dialect) {
  if (dialect.decimal === "." && PLAIN.test(text)) return bounded(Number(text), "");
  const clean = plain(text),
    inner = /^\((.+)\)(\s*%)?$/.exec(clean);
  const parts = NUMBER.exec(inner ? inner[1] + (inner[2] ?? "") : clean);
  if (!parts) return undefined;
  const [, before, sign, digits, exponent = "", after, unit = ""] = parts,
    { pattern, groups } = bodyOf(dialect),
    body = digits.trim();
  if (!pattern.test(body) || [before, sign, after, inner].filter(Boolean).length > 1) return undefined;
  const size = Number(body.replace(groups, "").replace(dialect.decimal, ".") + exponent.replace(/d/i, "e"));
  return bounded(
    inner || [before, sign, after].includes("-") ? -size : size,
    unit.replace(/[$€£¥₹]|CHF|EUR|USD|GBP/, ""),
  );
}

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

/** The number of a month by its name in ten languages, 0 if it is none. */
function monthOf(name) {
  const lower = name.toLowerCase();
  const starts = (prefix) => lower.startsWith(prefix);
  return MONTHS.findIndex((names) => names.some(starts)) + 1;
}

const yearOf = (digits) => (digits.length > 2 ? Number(digits) : Number(digits) + (Number(digits) < 69 ? 2000 : 1900));

const byOrder = (one, other, order) => (order === "mdy" ? [one, other] : [other, one]);

/**
 * Forms of a date: a pattern, and year, month and day from its groups.
 * @type {[RegExp, (groups: any, order?: string) => any[]][]}
 */
const FORMS = [
  [/^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/, ([year, , month, day]) => [year, month, day]],
  [/^(\d{4})[-/](\d{1,2})$/, ([year, month]) => [year, month, 1]],
  [/^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/, ([day, month, year]) => [year, month, day]],
  [/^(\d{1,2})([-/])(\d{1,2})\2(\d{4}|\d{2})$/, ([one, , other, year], order) => [year, ...byOrder(one, other, order)]],
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
  [/^(\d{4})[-/ ]*q([1-4])$/i, ([year, quarter]) => [year, 3 * quarter - 2, 1]],
  [/^q([1-4])[-/ ]*['’]?(\d{4}|\d{2})$/i, ([quarter, year]) => [year, 3 * quarter - 2, 1]],
  [/^([1-4])q[-/ ]*['’]?(\d{4}|\d{2})$/i, ([quarter, year]) => [year, 3 * quarter - 2, 1]],
  [/^(\d{4})[-/ ]*m(\d{1,2})$/i, ([year, month]) => [year, month, 1]],
  [/^(\d{4})[-/ ]*[hs]([12])$/i, ([year, half]) => [year, 6 * half - 5, 1]],
];

const CLOCK =
  /^(.*?)(?:^|[T ,:]| at )\s*(\d{1,3}):(\d{2})(?::(\d{2}(?:[.,]\d+)?))?\s*([ap])?\.?m?\.?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Hours of a clock time, with the offset from UTC taken off, and the text before it; NaN if the time is impossible. */
function clockIn(text) {
  const parts = CLOCK.exec(text);
  if (!parts) return { head: text, hours: 0 };
  const [, head, hour, minute, second = "0", half, zone = ""] = parts,
    offset = /^[+-]/.test(zone)
      ? Number(zone.slice(0, 3)) + Number(zone[0] + (zone.slice(3).replace(":", "") || "0")) / 60
      : 0;
  const isReal =
    minute < "60" && Number(second.replace(",", ".")) < 61 && (!half || (Number(hour) >= 1 && Number(hour) <= 12));
  const day = half ? (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0) : Number(hour);
  return {
    head: head.trim(),
    hours: isReal ? day + (Number(minute) + Number(second.replace(",", ".")) / 60) / 60 - offset : NaN,
    isClock: true,
    day,
  };
}

/** Read a date as days since 1970, NaN if it is none. @param {string} text @param {"dmy" | "mdy"} [order] of 1/2/2024 */
export function dayOf(text, order = "dmy") {
  const { head, hours, day } = clockIn(text.replace(/\s*\(.*\)$/, "")),
    bare = head.replace(/^\p{L}{2,9}\.?,\s*(?=\d)|^(?:mon|tue|wed|thu|fri|sat|sun)\p{L}*,? +/iu, "");
  if (!(day === undefined || day <= 24) || !/\d/.test(bare)) return NaN;
  for (const [pattern, read] of FORMS) {
    const parts = pattern.exec(bare);
    if (parts) return daysSince(read(parts.slice(1), order)) + hours / 24;
  }
  return weekOf(bare) + hours / 24;
}

/** @param {any[]} date year, month and day */
function daysSince([year, month, day]) {
  const date = new Date(0);
  date.setUTCFullYear(yearOf(String(year)), Number(month) - 1, Number(day));
  const isReal = Number(month) >= 1 && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return isReal ? date.getTime() / DAY : NaN;
}

/** The Monday of a week by ISO 8601, as 2024-W05. */
function weekOf(text) {
  const parts = /^(\d{4})-?w(\d{1,2})(?:-([1-7]))?$/i.exec(text);
  if (!parts || parts[2] > "53" || Number(parts[2]) < 1) return NaN;
  const fourth = daysSince([parts[1], 1, 4]); // always in the first week
  return fourth - ((fourth + 3) % 7) + 7 * (Number(parts[2]) - 1) + Number(parts[3] ?? 1) - 1;
}

/** Hours of a clock time or a duration without a date. */
export function hoursOf(text) {
  const { head, hours, isClock } = clockIn(text);
  return isClock && !head ? hours : NaN;
}

const isMonthName = (text) => /^\p{L}{3,10}\.?$/u.test(text) && monthOf(text) > 0;

/** The readers of a cell by kind. Each gives a value and a unit, or undefined. */
export const READERS = {
  number: numberIn,
  date: (text, { order }) => found(dayOf(text, order)),
  compact: (text) => found(isCompactDate(text) ? dayOf(dashed(text)) : NaN),
  time: (text) => found(hoursOf(text), "h"),
  month: (text) => found(isMonthName(text) ? monthOf(text) : NaN, "month"),
};

const found = (value, unit = "") => (Number.isNaN(value) ? undefined : { value, unit });

const dashed = (text) =>
  text.replace(
    /^(\d{4})(\d\d)(\d\d)(T(\d\d)(\d\d)(\d\d)?Z?)?$/i,
    (_, y, m, d, time, h, min, s = "00") => `${y}-${m}-${d}${time ? ` ${h}:${min}:${s}` : ""}`,
  );

/** Whether this has the form 19580329 or 19580329T0630, which is a date if its whole column is. */
export const isCompactDate = (text) =>
  /^(1[5-9]|20)\d{6}(T\d{4}(\d\d)?Z?)?$/i.test(text) && !Number.isNaN(dayOf(dashed(text)));
