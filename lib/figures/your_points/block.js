import { dayOf, isMissing } from "./cells.js";
import { isValue, modeOf } from "./dialect.js";

// The table among the lines of a file: notes above and below, comments, a header of one or two rows, names of rows, and
// times as names of columns.

const SAMPLE = 300, // rows
  LEAST_TIMES = 4,
  MOST_TURNED = 500; // rows of a table with times as names of columns

/**
 * `odd` says why the fields of a line are not those of the columns.
 * @typedef {{ row: number | string, fields: string[], odd?: string }} Line
 * @typedef {{ names: string[], body: Line[], notes: number, turned: string }} Block
 */

/** @param {Line} line */
const isComment = ({ fields }) => /^(#(?!n\/a|nv$|[\da-f]{6}$)|%|\/\/)/i.test(fields[0]);

/** Whether a line only rules off others, as |---|:--| in Markdown. @param {Line} line */
const isRule = ({ fields }) => fields.every((field) => /^(\|?[+:]*[-=_]{3,}[-=_+:|]*)?$/.test(field));

/**
 * Whether a line below the names holds the types of the columns, as a tibble, Polars and Julia print them.
 * @param {Line} line
 */
const areTypes = ({ fields }) =>
  fields.some((field) => /^<\w+>$|\d/.test(field)) &&
  fields.every((field) => /^(<\w+>|\||[iuf]\d+|U?Int\d+\??|Float\d+\??|String\d*\??|str|bool|date|)$/.test(field));

/**
 * Find the table. Rows keep the numbers that they have in the file.
 * @param {string[][]} records @param {boolean} inBlanks whether blanks separate fields, and so the words of a name
 * @returns {Block}
 */
export function blockOf(records, inBlanks) {
  const /** @type {Line[]} */ all = records.map((fields, i) => ({ row: i + 1, fields })),
    filled = all.filter(({ fields }) => fields.some(Boolean)),
    usual = modeOf(filled.map(({ fields }) => fields.length));
  const isNumberSign = (/** @type {Line} */ { fields }) =>
    !inBlanks && usual > 1 && fields[0] === "#" && fields.length === usual; // a name
  const lines = filled.filter(
    (line) => (isNumberSign(line) || !isComment(line)) && !isRule(line) && !(line !== filled[0] && areTypes(line)),
  );
  const { first, last, header: above } = limitsOf(lines);
  if (first < 0) return { names: [], body: lines, notes: filled.length - lines.length, turned: "" };
  const body = lines.slice(first, last + 1).map(inBlanks ? withoutComment : (line) => line),
    width = modeOf(body.map(({ fields }) => trimmedLength(fields)));
  const lone = inBlanks && width === 2 ? loneName(lines[first - 1], body[0]) : [],
    header = inBlanks && above.some(({ fields }) => fields.length > width) ? lone : above.length ? above : lone,
    names = header.length ? joined(header) : (commentNames(filled, lines[first]) ?? []);
  const notes = filled.length - body.length - header.length;
  const hasRowNames =
    names.length > 0 && names.length === width - 1 && body.every(({ fields }) => fields.length >= width);
  const whole = hasRowNames ? ["row name", ...names] : names;
  const marked = body.map(inBlanks ? exactly(width) : atMost(hasRowNames ? width : Math.max(names.length, width)));
  return (
    turned(whole, body, notes) ??
    transposed(whole, body, notes) ?? {
      names: whole,
      body: names.length || inBlanks ? marked : body,
      notes,
      turned: "",
    }
  );
}

const trimmedLength = (/** @type {string[]} */ fields) => fields.findLastIndex(Boolean) + 1;

/** A line between blanks without the comment at its end. @param {Line} line @returns {Line} */
function withoutComment({ row, fields }) {
  const at = fields.findIndex((field, i) => i > 0 && field.startsWith("#"));
  return { row, fields: at < 0 ? fields : fields.slice(0, at) };
}

/**
 * The name of the only column beside dates, as pandas prints them.
 * @param {Line | undefined} line
 * @param {Line} next
 */
const loneName = (line, { fields }) =>
  line?.fields.length === 1 && !Number.isNaN(dayOf(fields[0])) && !isValue(line.fields[0]) ? [line] : [];

/** @type {(line: Line, found: number, expected: number) => Line} */
const counted = (line, found, expected) => ({ ...line, odd: `${found} fields instead of ${expected}` });

/**
 * Mark a line between blanks that has more or fewer fields: it is not known which is missing.
 * @type {(width: number) => (line: Line) => Line}
 */
const exactly = (width) => (line) => (line.fields.length === width ? line : counted(line, line.fields.length, width));

/**
 * Mark a line with more fields than names: a sign inside a field was not quoted.
 * @type {(width: number) => (line: Line) => Line}
 */
const atMost = (width) => (line) =>
  trimmedLength(line.fields) > width ? counted(line, trimmedLength(line.fields), width) : line;

/** The first and the last row of values, and the rows of the header. @param {Line[]} lines */
function limitsOf(lines) {
  const columns = valueColumns(lines);
  const known = (/** @type {Line} */ { fields }) =>
      columns.filter((c) => isMissing(fields[c] ?? "") || isValue(fields[c])).length,
    hasValue = (/** @type {Line} */ { fields }) =>
      columns.some((c) => !isMissing(fields[c] ?? "") && isValue(fields[c]));
  const isData = (/** @type {Line} */ line) =>
    line && 2 * known(line) >= columns.length && hasValue(line) && line.fields.length >= Math.min(2, columns.length);
  const whole = lines.findIndex((line) => isData(line) && known(line) === columns.length);
  let first = columns.length ? (whole < 0 ? lines.findIndex(isData) : whole) : -1;
  while (first > 0 && isData(lines[first - 1])) first -= 1; // a row with one bad cell, not a note further above
  if (first < 0) return { first, last: -1, header: [] };
  const last = lines.findLastIndex(isData);
  if (isHeader(lines[first], lines[first + 1], columns)) return { first: first + 1, last, header: [lines[first]] };
  const least = Math.min(2, columns.length);
  const above = lines
    .slice(Math.max(0, first - 2), first)
    .filter(({ fields }) => fields.filter(Boolean).length >= least);
  const hasUnits =
    above.length === 2 &&
    Number(above[0].row) === Number(above[1].row) - 1 &&
    trimmedLength(above[0].fields) >= trimmedLength(above[1].fields) &&
    areUnits(above[1].fields, above[0].fields);
  return { first, last, header: hasUnits ? above : above.slice(-1) };
}

/** The columns in which at least half of the cells are values. @param {Line[]} lines */
function valueColumns(lines) {
  const width = modeOf(lines.map(({ fields }) => fields.length)),
    step = Math.max(1, Math.floor(lines.length / SAMPLE));
  const some = lines.filter(({ fields }, i) => fields.length === width && i % step === 0);
  const share = (/** @type {number} */ c) => {
    const known = some.filter(({ fields }) => !isMissing(fields[c]));
    return known.filter(({ fields }) => isValue(fields[c])).length / known.length;
  };
  return Array.from({ length: width }, (_, c) => c).filter((c) => share(c) >= 0.5);
}

/** @param {string[]} fields @param {RegExp} pattern */
const every = (fields, pattern) => fields.filter(Boolean).every((field) => pattern.test(field));

const UNIT =
  /^([munpkMGμµh]?(m|s|g|V|A|W|K|Hz|Pa|mol|[lL]|J|N|bar)([²³]|\^?-?\d)?(\/.*)?|°[CFK]?|%|min|h|d|sec|deg|ppm|ppb|dB|AU)$/;

/**
 * Whether a row below names holds their units: known ones, in brackets, or short below longer names.
 * @param {string[]} fields
 * @param {string[]} names
 */
const areUnits = (fields, names) =>
  every(fields, UNIT) ||
  every(fields, /^[[(].*[\])]$/) ||
  (every(fields, /^([[(].*[\])]|\D{1,4})$/) && !every(names, /^\D{1,4}$/));

/**
 * Whether a row of values is the header after all: times beside a name, or two words above columns of values.
 * @param {Line} line
 * @param {Line | undefined} next
 * @param {number[]} columns
 */
function isHeader({ fields }, next, columns) {
  if (!next) return false;
  const times = fields.map(timeOf).filter((time) => time !== undefined),
    words = columns.filter((c) => !isMissing(fields[c] ?? "") && !isValue(fields[c]));
  const isOther = fields.some((field) => timeOf(field) === undefined);
  const nextTimes = next.fields.map(timeOf).filter((time) => time !== undefined);
  const isWide =
    times.length > 1 &&
    2 * times.length >= fields.filter(Boolean).length &&
    isOther &&
    isMonotone(times) &&
    !(nextTimes.length === times.length && isMonotone(nextTimes));
  return isWide || words.length > 1 || isNumbered(fields, next.fields);
}

/**
 * Whether a row numbers the columns 1, 2, 3, …, beside names of rows, as those of a microplate.
 * @param {string[]} fields
 * @param {string[]} next
 */
const isNumbered = ([corner, ...numbers], [name]) =>
  numbers.length > 2 &&
  ![corner, name].some(isValue) &&
  numbers.every((number, i) => Number(number) === Number(numbers[0]) + i) &&
  /^[01]$/.test(numbers[0]);

/** A year, as in 2019, X2019 or 2019 [YR2019], or a date in days; undefined if it is neither. @param {string} [name] */
function timeOf(name = "") {
  const year = /^[XxYy]?((?:1[5-9]|20)\d\d)(?:\s*\[.*\])?$/.exec(name)?.[1];
  if (year) return Number(year);
  return [dayOf(name, "mdy"), dayOf(name, "dmy")].find((each) => !Number.isNaN(each));
}

const isMonotone = (/** @type {number[]} */ numbers) => {
  const signs = new Set(numbers.slice(1).map((number, i) => Math.sign(number - numbers[i])));
  return signs.size === 1 && !signs.has(0);
};

/**
 * A table with times as names of columns, turned so that they are its first column; undefined for other tables.
 * @type {(names: string[], body: Line[], notes: number) => Block | undefined}
 */
function turned(names, body, notes) {
  const times = names.map((name) => timeOf(name)),
    at = [...names.keys()].filter((c) => times[c] !== undefined);
  if (at.length < LEAST_TIMES || 2 * at.length < names.length || body.length > MOST_TURNED) return undefined;
  if (!isMonotone(times.filter((time) => time !== undefined))) return undefined;
  const label = (/** @type {Line} */ { fields, row }) =>
    names.map((_name, c) => (at.includes(c) ? "" : fields[c])).find((field) => field) ?? `row ${row}`;
  const cleaned = (/** @type {string} */ name) => name.replace(/^[XxYy](?=\d{4})/, "").replace(/\s*\[.*\]$/, "");
  const isEurostat = names.some((name) => /\\time/i.test(name)); // which marks its numbers with letters
  const cellOf = (field = "") => (isEurostat ? field.replace(/(?<=[\d:]) ?[a-z]{1,3}$/, "") : field);
  const rows = at.map((c) => ({
    row: `column “${names[c]}”`,
    fields: [cleaned(names[c]), ...body.map(({ fields }) => cellOf(fields[c]))],
  }));
  const how = isEurostat ? "turned, and letters behind numbers left out" : "turned";
  return { names: ["time", ...body.map(label)], body: rows, notes, turned: how };
}

/**
 * A table whose first row holds the times of its numbered columns, as plate readers write it; undefined for other
 * tables.
 * @type {(names: string[], body: Line[], notes: number) => Block | undefined}
 */
function transposed(names, body, notes) {
  const isTime = body.length > 1 && /^(time|zeit|temps|tiempo|tempo)\b/i.test(body[0].fields[0]);
  if (!isTime || !isNumbered(names, body[0].fields)) return undefined;
  const rows = names.slice(1).map((name, c) => ({
    row: `column “${name}”`,
    fields: body.map(({ fields }) => fields[c + 1] ?? ""),
  }));
  return { names: body.map(({ fields }) => fields[0]), body: rows, notes, turned: "transposed" };
}

/** Names of the columns from two rows, the second with units. @param {Line[]} header */
const joined = (header) =>
  header[0].fields.map((_field, c) =>
    header
      .map(({ fields }) => fields[c] ?? "")
      .filter(Boolean)
      .join(" "),
  );

/**
 * The names that a comment directly above the values gives, as NumPy and gnuplot write them.
 * @param {Line[]} filled
 * @param {Line} first
 */
function commentNames(filled, first) {
  const above = filled[filled.indexOf(first) - 1];
  if (!above || !isComment(above)) return undefined;
  const [head, ...rest] = above.fields,
    start = head.replace(/^(#+|%+|\/\/)\s*/, "");
  const names = start || rest.length >= first.fields.length ? [start, ...rest] : rest;
  return [names, rest].find((list) => list.length === first.fields.length && !list.some(isValue));
}
