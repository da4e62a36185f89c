import { InvalidInput } from "../parts/problem.js";

// A table of text: comma, semicolon or tab, decimal point or comma, with or without a header, UTF-8 or UTF-16. Each error
// is one sentence that says what was expected and what came.

export const MOST_ROWS = 100_000,
  LARGEST_FILE = 32e6, // bytes
  LEAST_ROWS = 4;
const LARGEST_NUMBER = 1e100,
  DAY = 86_400_000; // milliseconds

/** How well-known files begin that are no text. */
const SIGNATURES = {
  "a PDF": [0x25, 0x50, 0x44, 0x46],
  "an Excel file or a zip archive; save the sheet as CSV": [0x50, 0x4b, 0x03, 0x04],
  "an old Excel file; save the sheet as CSV": [0xd0, 0xcf, 0x11, 0xe0],
  "a PNG image": [0x89, 0x50, 0x4e, 0x47],
  "a JPEG image": [0xff, 0xd8, 0xff],
  "a gzip archive": [0x1f, 0x8b],
};

/** Decode a file by its byte-order mark, as UTF-8 or, if it is not valid, as Windows-1252. @param {Uint8Array} bytes */
export function textOf(bytes) {
  const kind = Object.keys(SIGNATURES).find((name) => SIGNATURES[name].every((byte, i) => bytes[i] === byte));
  if (kind) throw new InvalidInput(`Expected a table as text (CSV), got ${kind}.`);
  const mark = bytes[0] * 256 + bytes[1];
  const encoding = { 65534: "utf-16le", 65279: "utf-16be" }[mark] ?? "utf-8";
  const text = decoded(bytes, encoding);
  if (/[\0-\x08\x0e-\x1f]/.test(text)) throw new InvalidInput("Expected a table as text (CSV), got a binary file.");
  if (!text.trim()) throw new InvalidInput("Expected a table, got only blank space.");
  return text;
}

function decoded(bytes, encoding) {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/** The separator that splits the first rows into the same number of fields, the most fields first. */
function separatorOf(text) {
  const sample = text.split(/\r\n?|\n/, 40).filter((line) => line.trim() && !line.startsWith("#"));
  const counts = ["\t", ";", ","].map((separator) => {
    const numbers = sample.map((line) => line.replace(/"[^"]*"/g, "").split(separator).length);
    return { separator, least: Math.min(...numbers), isEven: new Set(numbers).size === 1 };
  });
  const found = counts.find(({ least, isEven }) => least > 1 && isEven) ?? counts.find(({ least }) => least > 1);
  return found?.separator ?? (sample.every((line) => /^\s*\S+(\s+\S+)+\s*$/.test(line)) ? " " : ",");
}

/** Split text into rows of fields; a field in quotes may hold separators, line breaks and doubled quotes. */
function fieldsOf(text, separator) {
  if (!text.includes('"')) {
    const split = separator === " " ? (line) => line.trim().split(/\s+/) : (line) => line.split(separator);
    return text.split(/\r\n?|\n/).map(split);
  }
  const rows = [[""]],
    put = (character) => (rows.at(-1)[rows.at(-1).length - 1] += character);
  let isQuoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i];
    if (isQuoted) {
      if (character !== '"') put(character);
      else if (text[i + 1] === '"') {
        put('"');
        i += 1;
      } else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === separator) rows.at(-1).push("");
    else if (character === "\n" || character === "\r") {
      if (character === "\r" && text[i + 1] === "\n") i += 1;
      rows.push([""]);
    } else put(character);
  }
  if (isQuoted) throw new InvalidInput("Expected a closing quotation mark, got the end of the file.");
  return rows;
}

const POINT = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const COMMA = /^[+-]?(\d+,?\d*|,\d+)(e[+-]?\d+)?$/i;

/** Read a number, NaN if it is none. @param {string} text @param {boolean} hasComma */
const numberOf = (text, hasComma) => ((hasComma ? COMMA : POINT).test(text) ? Number(text.replace(",", ".")) : NaN);

const DATES = [
  {
    pattern: /^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?Z?)?$/,
    order: [0, 1, 2],
  },
  { pattern: /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?$/, order: [2, 1, 0] },
];

/** Read a date as days since 1970, NaN if it is none: 2024-03-01, 2024/03, 1.3.2024, with or without a time. */
export function dayOf(text) {
  for (const { pattern, order } of DATES) {
    const parts = pattern.exec(text)?.slice(1);
    if (!parts) continue;
    const [year, month, day] = order.map((i) => Number(parts[i] ?? 1)),
      [hour, minute, second] = parts.slice(3).map((part) => Number(part ?? 0));
    const date = new Date(0);
    date.setUTCFullYear(year, month - 1, day);
    const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60;
    return isReal ? date.getTime() / DAY + (hour + (minute + second / 60) / 60) / 24 : NaN;
  }
  return NaN;
}

const isNothing = (text) => /^(|na|n\/a|nan|null|none|-|\?)$/i.test(text);

const dashed = (text) => text.replace(/^(\d{4})(\d\d)(\d\d)$/, "$1-$2-$3");

/** Whether this is a date of the form 19580329, if its whole column is. */
const isCompactDate = (text) => /^(1[5-9]|20)\d{6}$/.test(text) && !Number.isNaN(dayOf(dashed(text)));

/** Read one column as numbers or dates: its kind, and its first value that is neither. */
function columnOf(name, texts, decimalComma) {
  const isCompact = texts.every((text) => isNothing(text) || isCompactDate(text));
  const readers = {
    number: (text) => (isCompact ? NaN : numberOf(text, decimalComma)),
    date: (text) => dayOf(isCompact ? dashed(text) : text),
  };
  const first = texts.find((text) => !isNothing(text)) ?? "";
  const kind = Number.isNaN(readers.number(first)) && !Number.isNaN(readers.date(first)) ? "date" : "number";
  const values = new Float64Array(texts.length);
  let [wrong, missing] = [-1, 0];
  texts.forEach((text, i) => {
    values[i] = isNothing(text) ? NaN : readers[kind](text);
    if (isNothing(text)) missing += 1;
    else if (wrong < 0 && !(Math.abs(values[i]) <= LARGEST_NUMBER)) wrong = i;
  });
  return { name, kind, values, missing, wrong: wrong < 0 ? undefined : { row: wrong, text: texts[wrong] } };
}

/**
 * Read a table. Missing values are NaN. A column that is neither numbers nor dates keeps its first wrong value.
 * @param {string} text
 */
export function tableOf(text) {
  checkLines(text);
  const separator = separatorOf(text);
  const rows = fieldsOf(text.replace(/^\uFEFF/, ""), separator).map((row) => row.map((field) => field.trim()));
  const kept = rows.filter((row) => row.some((field) => field) && !row[0].startsWith("#"));
  const decimalComma =
    separator !== "," && kept.some((row) => row.some((field) => COMMA.test(field) && field.includes(",")));
  const isValue = (field) => !Number.isNaN(numberOf(field, decimalComma)) || !Number.isNaN(dayOf(field));
  const hasHeader = kept.length > 1 && !kept[0].some(isValue) && kept.slice(1, 9).some((row) => row.some(isValue));
  const names = hasHeader ? kept[0] : [],
    body = hasHeader ? kept.slice(1) : kept;
  if (body.length > MOST_ROWS) throw tooMany(body.length);
  const width = Math.min(Math.max(...body.slice(0, 1000).map((row) => row.length), names.length), 200);
  const columns = Array.from({ length: width }, (_, c) =>
    columnOf(
      names[c]?.replace(/\s+/g, " ") || `column ${c + 1}`,
      body.map((row) => row[c] ?? ""),
      decimalComma,
    ),
  );
  return { columns, firstRow: hasHeader ? 2 : 1, nRows: body.length };
}

const tooMany = (count) =>
  new InvalidInput(`Expected at most ${MOST_ROWS.toLocaleString("en")} rows, got ${count.toLocaleString("en")}.`);

/** Reject a text with far too many lines before it is split. */
function checkLines(text) {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  if (lines > 2 * MOST_ROWS) throw tooMany(lines);
}

const isUsable = ({ wrong, missing, values }) => !wrong && missing < values.length;

/** The names of the columns that hold numbers or dates, by index. */
export const usable = ({ columns }) => columns.map((column, i) => ({ ...column, i })).filter(isUsable);

/** The two columns to begin with: the first two usable ones. If there are none, an error says why. */
export function firstColumns(table) {
  const found = usable(table).map(({ i }) => i);
  if (found.length > 1) return found.slice(0, 2);
  const wrong = table.columns.find((column) => column.wrong);
  if (!wrong) throw new InvalidInput(`Expected two columns of numbers, got ${found.length === 1 ? "one" : "none"}.`);
  throw wrongValue(wrong, table.firstRow);
}

const shortened = (text) => (text.length > 24 ? `${[...text].slice(0, 24).join("")}…` : text);

const wrongValue = ({ name, wrong: { row, text } }, firstRow) =>
  new InvalidInput(
    `Expected a number or a date of at most ${LARGEST_NUMBER} in “${shortened(name)}”, got “${shortened(text)}” in row ${row + firstRow}.`,
  );

/**
 * The points of two columns, sorted by key, without the rows in which one of them is missing.
 * @param {ReturnType<typeof tableOf>} table
 * @param {number[]} chosen indices of the columns of keys and values
 */
export function pointsOf(table, chosen) {
  const [x, y] = chosen.map((c) => table.columns[c]);
  for (const column of [x, y]) if (column.wrong) throw wrongValue(column, table.firstRow);
  const rows = [...x.values.keys()].filter((i) => !Number.isNaN(x.values[i]) && !Number.isNaN(y.values[i]));
  rows.sort((a, b) => x.values[a] - x.values[b]);
  const points = {
    keys: rows.map((i) => x.values[i]),
    values: rows.map((i) => y.values[i]),
    key_label: shortened(x.name),
    value_label: shortened(y.name),
    dates: x.kind === "date",
  };
  return checkedPoints(points);
}

/** Check that there are enough points, and that their keys differ. */
export function checkedPoints(points) {
  const { keys } = points,
    largest = Math.max(Math.abs(keys[0]), Math.abs(keys.at(-1)));
  if (keys.length < LEAST_ROWS) {
    throw new InvalidInput(`Expected at least ${LEAST_ROWS} rows with two numbers, got ${keys.length}.`);
  }
  if (!(keys.at(-1) - keys[0] > Math.max(1e-12 * largest, 1e-90))) {
    throw new InvalidInput(`Expected different numbers in “${points.key_label}”, got ${keys[0]} in every row.`);
  }
  return points;
}
