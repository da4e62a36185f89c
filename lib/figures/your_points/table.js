import { InvalidInput } from "../parts/problem.js";
import { dayOf, isMissing, READERS } from "./cells.js";
import { namedDelimiter, plainMarks, recordsOf } from "./delimited.js";
import { guessDecimal, guessDelimiter, guessOrder, hasThreeDigits, kindOf, modeOf } from "./dialect.js";
import { blockOf } from "./block.js";
import { isBracketed, isJson, jsonCells, linesOfLists } from "./json.js";

// A table, from decoding to points: text that is delimited (delimited.js) in some dialect (dialect.js), or cells
// of JSON or of a workbook (workbook.js), with notes around them (block.js). Each row is read or counted with the
// reason; each error is one sentence.

export const MOST_ROWS = 100_000,
  LARGEST_FILE = 32e6, // bytes
  LEAST_ROWS = 4;
const MOST_COLUMNS = 500;

/**
 * @typedef {import("./your_points.js").Points} Points
 * @typedef {import("./block.js").Line} Line
 *
 * Cells, and where they are from.
 * @typedef {{ cells: import("./workbook.js").Cell[][], form: string }} Cells
 *
 * A text or cells as records, and what is known of the dialect.
 * @typedef {{ records: string[][], delimiter: string, decimal?: string, form?: string }} Split
 *
 * Parts of the dialect that the reader has set.
 * @typedef {{ delimiter?: string, decimal?: string, thousands?: string, order?: import("./cells.js").Order }} Chosen
 * @typedef {{ name: string, texts: string[], isUnnamed: boolean }} Texts
 *
 * A column: how many cells are missing, which cannot be read, and the first of these; `mark` stands for a missing
 * number.
 * @typedef {{ name: string, kind: string, values: Float64Array, missing: number, bad: Set<number>, wrong?: Wrong,
 *   parts?: Column[], mark?: number, isUnnamed?: boolean }} Column
 * @typedef {{ row: number, text: string }} Wrong
 * @typedef {ReturnType<typeof tableOf>} Table
 */

const codeOf = (/** @type {string} */ character) => character.charCodeAt(0);

/** How well-known files begin that are no text. @type {Record<string, number[]>} */
const SIGNATURES = {
  "a PDF": [0x25, 0x50, 0x44, 0x46],
  "an old Excel file; save the sheet as .xlsx or CSV": [0xd0, 0xcf, 0x11, 0xe0],
  "a PNG image": [0x89, 0x50, 0x4e, 0x47],
  "a JPEG image": [0xff, 0xd8, 0xff],
  "a gzip archive": [0x1f, 0x8b],
  "an SPSS file; export it as CSV": [..."$FL2"].map(codeOf),
  "a Stata file; export it as CSV": [..."<stata_dta>"].map(codeOf),
  "a MATLAB file; write it with writematrix": [..."MATLAB 5.0"].map(codeOf),
  "a Parquet file; write it as CSV": [..."PAR1"].map(codeOf),
  "a NumPy file; write it with np.savetxt": [0x93, ...[..."NUMPY"].map(codeOf)],
  "an HDF5 file; write its table as CSV": [0x89, 0x48, 0x44, 0x46],
};

const startsWith = (/** @type {Uint8Array} */ bytes, /** @type {number[]} */ signature) =>
  signature.every((byte, i) => bytes[i] === byte);

/** Whether a file is a zip archive, and may be a workbook. @param {Uint8Array} bytes */
export const isArchive = (bytes) => startsWith(bytes, [0x50, 0x4b]) && bytes[2] < 9;

/** Whether an old Excel file is an encrypted workbook, which names its content in UTF-16. @param {Uint8Array} bytes */
const isEncrypted = (bytes) => new TextDecoder("latin1").decode(bytes).includes([..."EncryptedPackage"].join("\0"));

/** Decode a file by its byte-order mark, as UTF-8 or, if it is not valid, as Windows-1252. @param {Uint8Array} bytes */
export function textOf(bytes) {
  const kind = Object.keys(SIGNATURES).find((name) => startsWith(bytes, SIGNATURES[name]));
  if (kind?.startsWith("an old Excel") && isEncrypted(bytes))
    throw new InvalidInput("Expected a workbook (.xlsx), got one with a password; save it without one.");
  if (kind) throw new InvalidInput(`Expected a table as text (CSV), got ${kind}.`);
  const text = decoded(bytes);
  if (/^\s*<(!doctype html|html|table)/i.test(text))
    throw new InvalidInput(
      "Expected a table as text (CSV), got a web page (HTML); open it in a spreadsheet and save it as CSV.",
    );
  if (/^\s*<(\?xml|gpx|kml)/i.test(text))
    throw new InvalidInput("Expected a table as text (CSV), got XML; export it as CSV.");
  if (/^##XYDATA= *\(X\+\+/m.test(text))
    throw new InvalidInput(
      "Expected two columns of numbers, got JCAMP-DX with several values a line; export it as CSV.",
    );
  if (/[\0-\x08\x0e-\x1f]/.test(text)) throw new InvalidInput("Expected a table as text (CSV), got a binary file.");
  if (!text.trim()) throw new InvalidInput("Expected a table, got only blank space.");
  return text;
}

/**
 * The encoding by the byte-order mark or, without one, by the zeros of UTF-16 between bytes of ASCII.
 * @param {Uint8Array} bytes
 */
function encodingOf(bytes) {
  const [one, two, three, four] = bytes;
  if (one === 0xff && two === 0xfe) return "utf-16le";
  if (one === 0xfe && two === 0xff) return "utf-16be";
  if (one && two === 0 && three && four === 0) return "utf-16le";
  return one === 0 && two && three === 0 && four ? "utf-16be" : "utf-8";
}

/** @param {Uint8Array} bytes */
function decoded(bytes) {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * Read a table. Each column has a kind; what is missing or cannot be read is NaN and counted.
 * @param {string | Cells} source @param {Chosen} [chosen]
 */
export function tableOf(source, chosen = {}) {
  const { records, ...split } = typeof source === "string" ? splitIn(source, chosen) : writtenOut(source, chosen);
  const { names, body, notes, turned } = blockOf(records, split.delimiter === " ");
  if (body.length > MOST_ROWS) throw tooMany(body.length);
  if (split.delimiter === "," && !chosen.delimiter) checkCommas(names, body);
  const { cells, beyond } = columnsOf(names, body);
  const dialect = dialectOf(cells, split, chosen);
  const columns = withDateTimes(withDates(cells.map((column) => columnOf(column, dialect))));
  const odd = body.map(({ odd: why }) => why);
  return { columns, dialect, rows: body.map(({ row }) => row), notes, turned, odd, beyond };
}

/**
 * Reject a table whose decimal commas separate fields, too: each number has become two.
 * @param {string[]} names
 * @param {Line[]} body
 */
function checkCommas(names, body) {
  const isSplit = (/** @type {Line} */ { fields }) =>
    fields.length === 2 * names.length && fields.every((field, i) => i % 2 === 0 || /^\d+$/.test(field));
  if (names.length > 1 && body.every(isSplit))
    throw new InvalidInput(
      `Expected ${names.length} fields in each row, as names, got ${2 * names.length}: ` +
        "numbers with decimal commas need quotation marks, or semicolons between them.",
    );
}

/** @param {string} text @param {Chosen} chosen @returns {Split} */
function splitIn(text, chosen) {
  checkLines(text);
  if (isJson(text)) return writtenOut(jsonCells(text), chosen);
  const named = namedDelimiter(plainMarks(isBracketed(text) ? linesOfLists(text) : text)),
    delimiter = chosen.delimiter ?? named.delimiter ?? guessDelimiter(named.text);
  return { records: recordsOf(named.text, delimiter), delimiter };
}

/**
 * Write cells as records, numbers with the decimal sign of the texts beside them. A number of a workbook or of JSON
 * says itself what it is, so that 1.234 is never a thousand.
 * @param {Cells} source @param {Chosen} chosen @returns {Split}
 */
function writtenOut({ cells, form }, chosen) {
  const textsOf = (/** @type {number} */ c) =>
      cells
        .slice(0, 2000)
        .map((row) => row[c])
        .filter((cell) => typeof cell === "string"),
    width = cells.reduce((most, row) => Math.max(most, row.length), 0);
  const texts = Array.from({ length: Math.min(width, 60) }, (_, c) => textsOf(c));
  const decimal = chosen.decimal ?? guessDecimal(texts, "");
  const written = (/** @type {number} */ number) => String(number).replace(".", decimal);
  const fieldOf = (/** @type {import("./workbook.js").Cell} */ cell) =>
    typeof cell === "number" ? written(cell) : typeof cell === "string" ? cell : written(cell.value) + cell.unit;
  return { records: cells.map((row) => row.map(fieldOf)), delimiter: "", decimal, form };
}

/** How a row of totals or means is called, which is no point. */
const TOTAL =
  /^((grand |sub)?totals?|sum|mean|average|median|gesamt|summe|insgesamt|mittelwert|moyenne|somme|suma|totale)[:.]?$/i;

/** What stands in all columns of a row that is no row of the table: its name, or why. @param {Line} line */
const insteadOf = ({ fields, odd }) => odd ?? fields.slice(0, 2).find((field) => TOTAL.test(field));

/**
 * The cells of each column that has a name or a value, and how many columns are beyond the most that are read.
 * @param {string[]} names
 * @param {Line[]} body
 */
function columnsOf(names, body) {
  const width = Math.max(modeOf(body.map(({ fields }) => fields.length)), names.length),
    instead = body.map(insteadOf);
  const all = Array.from({ length: Math.min(width, MOST_COLUMNS) }, (_, c) => {
    const name = names[c]?.replace(/\s+/g, " ").trim() ?? "",
      texts = body.map(({ fields }, i) => instead[i] ?? fields[c] ?? "");
    const isEmpty = !name && body.every(({ fields }) => !fields[c]);
    return { name: name || `column ${c + 1}`, texts, isEmpty, isUnnamed: !name && names.length > 0 };
  });
  return { cells: all.filter(({ isEmpty }) => !isEmpty), beyond: width - Math.min(width, MOST_COLUMNS) };
}

/**
 * The dialect: what the reader has set, and guesses for the rest.
 * @param {Texts[]} columns @param {Omit<Split, "records">} split @param {Chosen} chosen
 */
function dialectOf(columns, { delimiter, form, decimal: known }, chosen) {
  const samples = columns.slice(0, 60).map(({ texts }) => texts.filter(Boolean).slice(0, 2000));
  const decimal = known ?? chosen.decimal ?? guessDecimal(samples, delimiter);
  const thousands = chosen.thousands ?? (decimal === "," ? "." : ",");
  const dates = samples
    .map((cells) => cells.filter((cell) => /^\d{1,2}([-/.])\d{1,2}\1\d/.test(cell)))
    .filter((cells) => cells.length);
  const couldBe = known || chosen.decimal || !hasThreeDigits(samples) ? "" : decimal;
  const { order, sure } = chosen.order
    ? { order: chosen.order, sure: true }
    : guessOrder(dates, { delimiter, decimal });
  const hasThousands = samples
    .flat()
    .some((cell) => thousands !== "none" && /\d/.test(cell) && cell.includes(thousands));
  const hasOrder = order === "ymd" || dates.flat().some((cell) => /^\d+[-/]/.test(cell));
  return { delimiter, form, decimal, thousands, order, sure, hasThousands, hasOrder, couldBe };
}

const tooMany = (/** @type {number} */ count) =>
  new InvalidInput(`Expected at most ${MOST_ROWS.toLocaleString("en")} rows, got ${count.toLocaleString("en")}.`);

/** Reject a text with far too many lines before it is split. @param {string} text */
function checkLines(text) {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  if (lines > 2 * MOST_ROWS) throw tooMany(lines);
}

/** Read one column. @param {Texts} texts @param {import("./cells.js").Dialect} dialect @returns {Column} */
function columnOf({ name, texts, isUnnamed }, dialect) {
  const kind = kindOf(name, texts, dialect),
    read = READERS[kind] ?? READERS.number;
  const found = texts.map((text) => (isMissing(text) ? undefined : (read(text, dialect) ?? null)));
  const unit = mainUnit(found);
  const isBad = (/** @type {typeof found[number]} */ cell) =>
    cell === null || (cell && cell.unit !== unit && cell.value !== 0);
  const bad = [...found.keys()].filter((i) => isBad(found[i]));
  const values = Float64Array.from(found, (cell) => (cell && !isBad(cell) ? cell.value : NaN)),
    mark = kind === "number" ? markOf(values) : undefined;
  values.forEach((value, i) => (values[i] = value === mark ? NaN : value));
  return {
    mark,
    isUnnamed,
    name: unit && kind !== "text" && !name.includes(unit) ? `${name} (${unit})` : name,
    kind: kind === "compact" ? "date" : kind,
    values,
    missing: values.filter(Number.isNaN).length - bad.length,
    bad: new Set(bad),
    wrong: bad.length ? { row: bad[0], text: texts[bad[0]] } : undefined,
  };
}

/**
 * The number that stands for a missing value, such as −999 or −99.9: nines below all other values, of which none
 * is half as small.
 * @param {Float64Array} values
 */
function markOf(values) {
  const known = values.filter((value) => !Number.isNaN(value)),
    least = known.reduce((a, b) => Math.min(a, b), 0);
  const isMark = /^-(9{3,}(\.9+)?|99\.9+)$/.test(String(least));
  return isMark && known.some((value) => value > least) && known.every((value) => value === least || value > least / 2)
    ? least
    : undefined;
}

const PARTS_OF_DATES = [
  /^(year|yr|jahr|année|annee|año|anno)$/i,
  /^(month|mon|mo|monat|mois|mes|mese)$/i,
  /^(day|dy|tag|jour|día|dia|giorno)$/i,
];

/**
 * Put a column of dates before neighbouring columns of years, months and, if there are any, days.
 * @param {Column[]} columns
 */
function withDates(columns) {
  const isNamed = (/** @type {Column} */ column, /** @type {number} */ part) =>
    column?.kind === "number" && PARTS_OF_DATES[part].test(column.name);
  const at = columns.findIndex((column, i) => isNamed(column, 0) && isNamed(columns[i + 1], 1));
  if (at < 0) return columns;
  const parts = columns.slice(at, at + (isNamed(columns[at + 2], 2) ? 3 : 2)),
    digits = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const values = Float64Array.from(parts[0].values, (_, i) =>
    dayOf(parts.map((part) => digits(part.values[i])).join("-")),
  );
  if (values.some((value, i) => Number.isNaN(value) && parts.every((part) => !Number.isNaN(part.values[i]))))
    return columns;
  const bad = new Set(parts.flatMap((part) => [...part.bad])),
    missing = values.filter(Number.isNaN).length - bad.size,
    wrong = parts.find((part) => part.wrong)?.wrong;
  const name = parts.map((part) => part.name).join(" ");
  return columns.toSpliced(at, 0, { name, kind: "date", values, missing, bad, wrong, parts });
}

/** Put a column of dates with their clock times before the two columns that hold them. @param {Column[]} columns */
function withDateTimes(columns) {
  const at = columns.findIndex(({ kind }, i) => kind === "date" && columns[i + 1]?.kind === "time");
  if (at < 0 || columns[at].values.some((day) => day % 1)) return columns;
  const [day, time] = [columns[at], columns[at + 1]];
  const values = day.values.map((value, i) => value + time.values[i] / 24),
    name = `${day.name} ${time.name.replace(" (h)", "")}`;
  const bad = new Set([...day.bad, ...time.bad]);
  const missing = values.filter(Number.isNaN).length - bad.size;
  const joined = { name, kind: "date", values, missing, bad, wrong: day.wrong ?? time.wrong, parts: [day, time] };
  return columns.toSpliced(at, 0, joined);
}

/** The unit of most cells. @param {(import("./cells.js").Value | null | undefined)[]} cells */
function mainUnit(cells) {
  const /** @type {Map<string, number>} */ counts = new Map();
  for (const cell of cells) if (cell) counts.set(cell.unit, (counts.get(cell.unit) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ["", 0])[0];
}

/** @param {Column} column */
const isUsable = ({ kind, bad, missing, values }) => kind !== "text" && missing + bad.size < values.length;

/** The columns that hold numbers or dates, with their indices. @param {Table} table */
export const usable = ({ columns }) => columns.map((column, i) => ({ ...column, i })).filter(isUsable);

/**
 * Whether a column without a name of its own only counts the rows, or selected ones; such years are no count.
 * @param {Column} column
 */
function isCounter({ name, kind, values, isUnnamed }) {
  if (!/^(column \d+|row ?names?|row|unnamed: ?\d+|index|#)$/i.test(name) || kind !== "number") return false;
  const counts = values.length > 1 && values[0] >= 0 && values[0] <= 1;
  if (counts && values.every((value, i) => value === values[0] + i)) return true;
  const areYears = values.every((value) => value >= 1500 && value < 2100);
  const isSelected = isUnnamed || name === "row name";
  return (
    isSelected &&
    !areYears &&
    new Set(values).size === values.length &&
    values.every((value) => value >= 0 && value % 1 === 0)
  );
}

/** Whether a column has enough values, not all equal, and does not count rows. @param {Column} column */
function isTelling(column) {
  const known = column.values.filter((value) => !Number.isNaN(value));
  return known.length >= LEAST_ROWS && known.some((value) => value !== known[0]) && !isCounter(column);
}

/**
 * The two columns to begin with: the first two that tell something. A column of dates becomes the keys of one of
 * numbers. If there are no two columns, an error says why.
 * @param {Table} table
 */
export function firstColumns(table) {
  const found = usable(table),
    joined = found.find(({ parts }) => parts)?.parts ?? [];
  const own = found.filter(({ name }) => !joined.some((part) => part.name === name)).filter(isTelling);
  if (found.length > 1) return ordered(own.length > 1 ? own : found).map(({ i }) => i);
  const column = table.columns.find(({ wrong }) => wrong);
  if (!column?.wrong)
    throw new InvalidInput(`Expected two columns of numbers, got ${found.length === 1 ? "one" : "none"}.`);
  throw new InvalidInput(
    `Expected a number or a date (1,234.5 · 12% · 2024-03-31 · 31 Mar 2024 · 2024Q1 · 07:30) in “${shortened(column.name)}”, ` +
      `got ${cellText(column.wrong, table)}.`,
  );
}

/**
 * The first two columns, or a column of dates or of clock times before the first of numbers if they are not both
 * numbers.
 * @param {ReturnType<typeof usable>} columns
 */
function ordered(columns) {
  const [one, two] = columns,
    isDate = (/** @type {Column} */ { kind }) => kind === "date",
    isTime = (/** @type {Column} */ { kind }) => kind === "time";
  if (isTime(one) && isTime(two)) return [one, columns.find((column) => !isTime(column) && !isDate(column)) ?? two];
  if (!isDate(one) && !isDate(two)) return [one, two];
  const number = columns.find((column) => !isDate(column));
  return number ? [isDate(one) ? one : two, number] : [one, two];
}

const shortened = (/** @type {string} */ text) => (text.length > 24 ? `${[...text].slice(0, 24).join("")}…` : text);

/** @param {Wrong} cell @param {Table} table */
const cellText = ({ row, text }, { rows }) =>
  `“${shortened(text)}” in ${typeof rows[row] === "string" ? rows[row] : `row ${rows[row]}`}`;

/**
 * The points of two columns, sorted by key, without the rows in which one of them is missing or cannot be read.
 * @param {Table} table
 * @param {number[]} chosen indices of the columns of keys and values
 */
export function pointsOf(table, chosen) {
  const [x, y] = chosen.map((c) => table.columns[c]);
  const rows = [...x.values.keys()].filter((i) => !Number.isNaN(x.values[i]) && !Number.isNaN(y.values[i]));
  rows.sort((a, b) => x.values[a] - x.values[b]);
  const points = {
    keys: rows.map((i) => x.values[i]),
    values: rows.map((i) => y.values[i]),
    key_label: shortened(x.name),
    value_label: shortened(y.name),
    dates: x.kind === "date",
    value_dates: y.kind === "date",
  };
  const why = droppedText(table, [x, y]);
  return checkedPoints(points, why && ` of ${counted(table.rows.length)}: ${why}`);
}

/**
 * Check that there are enough points, and that their keys differ. `why` says what was dropped.
 * @param {Points} points
 */
export function checkedPoints(points, why = "") {
  const { keys } = points,
    [first, last] = [keys[0], keys[keys.length - 1]],
    largest = Math.max(Math.abs(first), Math.abs(last));
  if (keys.length < LEAST_ROWS) {
    throw new InvalidInput(`Expected at least ${LEAST_ROWS} rows with two numbers, got ${keys.length}${why}.`);
  }
  if (!(last - first > Math.max(1e-12 * largest, 1e-90))) {
    throw new InvalidInput(`Expected different numbers in “${points.key_label}”, got ${first} in every row.`);
  }
  return points;
}

// ---- What was done with the table -------------------------------------------------------------------------------

const counted = (/** @type {number} */ number) => number.toLocaleString("en");

/**
 * Why rows were dropped: how many have a missing value, and how many a cell that is no value, with the first.
 * @param {Table} table
 * @param {Column[]} columns
 */
function droppedText(table, columns) {
  const all = table.rows.map((_row, i) => i);
  const isBad = (/** @type {number} */ i) => columns.some(({ bad }) => bad.has(i)),
    isGone = (/** @type {number} */ i) => columns.some(({ values }) => Number.isNaN(values[i]));
  const unread = all.filter(isBad),
    missing = all.filter((i) => isGone(i) && !isBad(i)).length;
  const first = columns.find(({ bad }) => bad.has(unread[0]));
  const odd = table.odd[unread[0]],
    cell = odd
      ? `row ${table.rows[unread[0]]} with ${odd}`
      : first?.wrong && `${cellText(first.wrong, table)} of “${shortened(first.name)}”`;
  return [
    missing && `${counted(missing)} without a value`,
    unread.length && (unread.length === 1 ? cell : `${counted(unread.length)} unreadable, first ${cell}`),
  ]
    .filter(Boolean)
    .join(", ");
}

const turnedText = (/** @type {string} */ how) =>
  how === "transposed"
    ? "its rows were turned into columns"
    : `its header of times was turned into the first column${how.replace("turned", "")}`;

/** Whether clock times begin again. @param {Column} column */
const passesMidnight = ({ values }) => values.some((hour, i) => values[i - 1] - hour > 12);

const SIGNS = /** @type {Record<string, string>} */ ({ ",": "comma", ".": "point" }),
  ORDER_NAMES = { dmy: "day/month/year", mdy: "month/day/year", ymd: "year/month/day" };

/** @param {Table["dialect"]} dialect @param {Record<string, string>} names of delimiters */
function dialectText({ delimiter, form, decimal, thousands, order, sure, hasThousands, hasOrder, couldBe }, names) {
  const day = ORDER_NAMES[order];
  return [
    form ?? names[delimiter] ?? `delimiter ${delimiter}`,
    (!form || decimal === ",") && `decimal ${SIGNS[decimal]}`,
    hasThousands && `thousands ${SIGNS[thousands]}`,
    couldBe && `1${hasThousands ? thousands : decimal}234 read as ${hasThousands ? "1234" : `1${decimal}234`}`,
    hasOrder && (sure ? day : `${day} (could be ${order === "dmy" ? "month" : "day"} first)`),
  ].filter(Boolean);
}

/**
 * One line that accounts for a table: its dialect, the rows read and dropped, the columns left out, the notes. Of
 * a table that cannot be drawn no columns are chosen.
 * @param {Table} table @param {number[] | undefined} chosen @param {Record<string, string>} delimiterNames
 */
export function accountOf(table, chosen, delimiterNames) {
  const columns = (chosen ?? []).map((c) => table.columns[c]),
    rows = table.rows.length;
  const gone = table.rows.filter((_row, i) => columns.some(({ values }) => Number.isNaN(values[i]))).length;
  const out = table.columns.filter((column) => !isUsable(column));
  const named = out
    .slice(0, 3)
    .map((column) => `“${shortened(column.name)}” (${column.wrong ? cellText(column.wrong, table) : "empty"})`);
  const sentences = [
    [
      ...dialectText(table.dialect, delimiterNames),
      `${chosen ? `${counted(rows - gone)} of ` : ""}${counted(rows)} ${rows === 1 ? "row" : "rows"}`,
    ].join(", "),
    gone && `dropped: ${droppedText(table, columns)}`,
    ...columns.filter(({ mark }) => mark).map(({ name, mark }) => `${mark} in “${shortened(name)}” taken as missing`),
    out.length && `left out: ${named.join(", ")}${out.length > 3 ? ` and ${counted(out.length - 3)} more` : ""}`,
    table.beyond && `${counted(table.beyond)} more columns not read`,
    table.turned && turnedText(table.turned),
    columns[0]?.kind === "time" && passesMidnight(columns[0]) && "clock times without a date: midnight comes first",
    table.notes && `${counted(table.notes)} ${table.notes === 1 ? "line" : "lines"} of notes or comments`,
  ];
  return `${chosen ? "" : "Not drawn, but can be read differently: "}${sentences.filter(Boolean).join("; ")}.`;
}
