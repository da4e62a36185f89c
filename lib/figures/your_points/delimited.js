import { InvalidInput } from "../parts/problem.js";

// Splitting a text into records of fields, by the grammar of RFC 4180 with what programs add to it: other delimiters,
// runs of blanks, the line `sep=;`, and quotation marks inside a field, which stay what they are (1" tube).

/** The delimiters and their names. @type {Record<string, string>} */
export const DELIMITERS = { "\t": "tab", ";": "semicolon", "|": "bar", ",": "comma", " ": "blanks" };

/**
 * The delimiter that the first line names (`sep=;`, as Excel writes it), and the text after that line.
 * @param {string} text
 */
export function namedDelimiter(text) {
  const bare = text.replace(/^\uFEFF/, ""),
    found = /^"?sep=(.)"?[^\S\t\r\n]*(?:\r\n?|\n)/i.exec(bare);
  return { delimiter: found?.[1], text: bare.slice(found?.[0].length ?? 0) };
}

/**
 * A text without invisible characters, and with quotation marks for ="5" of Excel, '5' and lines that draw boxes.
 * @param {string} text
 */
export const plainMarks = (text) =>
  text
    .replace(/[\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/(^|[,;\t|])=("[^"\r\n]*")/gm, "$1$2")
    .replace(/(^|[,;\t])'([^'"\r\n]*)'(?=[,;\t\r\n]|$)/gm, '$1"$2"')
    .replace(/[│┆║┃]/g, "|")
    .replace(/[─━═╌┄]/g, "-")
    .replace(/[┌┬┐├┼┤└┴┘╞╪╡╔╦╗╠╬╣╚╩╝╭╮╰╯]/g, "+");

/**
 * Split a text into records, one for each row, also for blank ones, so that numbers of rows are those of the file.
 * @param {string} text @param {string} delimiter one character; a blank stands for runs of blanks and tabs
 */
export function recordsOf(text, delimiter) {
  const inBlanks = delimiter === " ";
  if (text.includes('"')) return quotedRecords(text, delimiter, inBlanks);
  const fieldsOf = (/** @type {string} */ line) =>
    inBlanks ? line.trim().split(/[ \t]+/) : line.split(delimiter).map((field) => field.trim());
  return text.split(/\r\n?|\n/).map(fieldsOf);
}

/**
 * The state machine: outside quotation marks, or between them. Only a field's first character opens them.
 * @param {string} text
 * @param {string} delimiter
 * @param {boolean} inBlanks
 */
function quotedRecords(text, delimiter, inBlanks) {
  const /** @type {string[][]} */ records = [];
  let /** @type {string[]} */ record = [],
    at = 0;
  while (at <= text.length) {
    while (inBlanks && (text[at] === " " || text[at] === "\t")) at += 1;
    const { field, end } = fieldAt(text, at, delimiter, inBlanks, records.length + 1);
    const isEnd = end >= text.length || text[end] === "\n" || text[end] === "\r";
    if (!(inBlanks && isEnd && !field && record.length)) record.push(field);
    if (isEnd) {
      records.push(record);
      record = [];
    }
    at = end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
  }
  return records;
}

/**
 * The field that begins at a place, and where it ends.
 * @param {string} text @param {number} start @param {string} delimiter @param {boolean} inBlanks @param {number} row
 */
function fieldAt(text, start, delimiter, inBlanks, row) {
  const isStop = (/** @type {string | undefined} */ character) =>
    character === undefined ||
    character === delimiter ||
    character === "\n" ||
    character === "\r" ||
    (inBlanks && character === "\t");
  const open = inBlanks ? start : start + text.slice(start, start + 40).search(/[\S\r\n\t]|$/);
  if (text[open] === '"') return quotedField(text, open, isStop, row);
  let end = start;
  while (!isStop(text[end])) end += 1;
  return { field: text.slice(start, end).trim(), end };
}

/**
 * A closing quotation mark stands before a delimiter or the end of the row; others belong to the field.
 * @param {string} text @param {number} open @param {(character: string | undefined) => boolean} isStop @param
 *   {number} row
 */
function quotedField(text, open, isStop, row) {
  let field = "",
    isLoose = false, // marks inside the field are not doubled
    at = open + 1;
  for (;;) {
    const mark = text.indexOf('"', at);
    if (mark < 0)
      throw new InvalidInput(`Expected a closing quotation mark after the one in row ${row}, got the end of the file.`);
    field += text.slice(at, mark);
    let end = mark + 1;
    while (text[end] === " " && !isStop(" ")) end += 1;
    if (isStop(text[end])) return { field: field.trim(), end };
    field += '"';
    const isDouble = text[mark + 1] === '"';
    if (isLoose && isDouble && isStop(text[mark + 2])) return { field: field.trim(), end: mark + 2 };
    isLoose ||= !isDouble;
    at = mark + (isDouble ? 2 : 1);
  }
}
