import { InvalidInput } from "../parts/problem.js";

// Find the longest table in a JSON text, at any depth: a list of objects or of lists, an object of lists or of
// objects, or one object in each line.

/**
 * @typedef {null | boolean | number | string | Json[] | JsonObject} Json
 * @typedef {{ [name: string]: Json }} JsonObject
 */

/** Whether a text is JSON rather than a table. @param {string} text */
export const isJson = (text) => /^\s*(\{|\[\s*[[{])/.test(text) && !isBracketed(text);

/** Whether a text is lists of numbers as NumPy and Python print them, which is no JSON. @param {string} text */
export const isBracketed = (text) => /^\s*\[\s*[[(][\d\s.,e+\-()[\]]*$/i.test(text) && !isComplete(text);

/** Lists of numbers in brackets as lines. @param {string} text */
export const linesOfLists = (text) => text.replace(/[)\]][\s,]*[([]/g, "\n").replace(/[()[\]]/g, " ");

/**
 * The cells of JSON; numbers stay numbers.
 * @param {string} text
 */
export function jsonCells(text) {
  const { rows, path } = tableIn(parsed(text), ""),
    flat = rows.map((row) => (Array.isArray(row) ? row : isObject(row) ? flattened(row) : {}));
  const names = [...new Set(flat.slice(0, 1000).flatMap((row) => (Array.isArray(row) ? [] : Object.keys(row))))];
  const cells = flat.map((row) => (Array.isArray(row) ? row : names.map((name) => row[name])).map(jsonCell));
  return { cells: names.length ? [names, ...cells] : cells, form: path ? `JSON “${path.slice(0, 24)}”` : "JSON" };
}

/** @param {Json} value @returns {value is JsonObject} */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** @param {Json} value @returns {value is null | boolean | number | string} */
const isScalar = (value) => value === null || typeof value !== "object";

/**
 * The longest table in a value, and the names that lead to it.
 * @param {Json} value
 * @param {string} path
 * @returns {{ rows: Json[], path: string }}
 */
function tableIn(value, path) {
  const own = rowsOf(value),
    parts = isScalar(value) || own.length > 1 ? [] : Object.entries(value);
  const inner = parts
    .filter(([, part]) => !isScalar(part))
    .map(([name, part]) => tableIn(part, [path, Array.isArray(value) ? "" : name].filter(Boolean).join(".")));
  return [{ rows: own, path }, ...inner].reduce((best, one) => (one.rows.length > best.rows.length ? one : best));
}

/** The rows of a value that is itself a table; empty if it is none. @param {Json} value @returns {Json[]} */
function rowsOf(value) {
  if (isScalar(value)) return [];
  if (Array.isArray(value)) return isListOfTables(value) ? [] : value.some((row) => !isScalar(row)) ? value : [];
  const { columns, data } = value;
  if (Array.isArray(columns) && Array.isArray(data)) return [columns, ...data];
  return columnsAsRows(value);
}

/**
 * Whether the elements of a list are tables themselves, as the traces of Plotly and the entities of Home
 * Assistant.
 * @param {Json[]} list
 */
const isListOfTables = (list) =>
  list.every((part) => (Array.isArray(part) ? part.some(isObject) : isObject(part) && columnsAsRows(part).length > 3));

/**
 * An object of lists, of objects or of numbers as rows: `{"x": [1, 2], "y": [3, 4]}`, `{"x": {"0": 1, "1": 2},
 * …}`.
 * @param {JsonObject} object
 * @returns {Json[]}
 */
function columnsAsRows(object) {
  const entries = Object.entries(object),
    lists = /** @type {[string, Json[]][]} */ (
      entries.filter(([, part]) => Array.isArray(part) && part.every(isScalar))
    ),
    objects = /** @type {[string, JsonObject][]} */ (
      entries.filter(([, part]) => isObject(part) && Object.values(part).every(isScalar))
    );
  if (lists.length > 1) {
    const length = Math.max(...lists.map(([, list]) => list.length));
    return Array.from({ length }, (_, i) => Object.fromEntries(lists.map(([name, list]) => [name, list[i]])));
  }
  if (entries.length > 1 && objects.length === entries.length) return rowsOfObjects(objects);
  const isSeries = entries.length > 3 && entries.every(([name, part]) => /^\d/.test(name) && isScalar(part));
  return isSeries ? entries : [];
}

/**
 * Rows by their index, or columns by theirs: an index is a number or a date.
 * @param {[string, JsonObject][]} objects
 * @returns {JsonObject[]}
 */
function rowsOfObjects(objects) {
  const isIndex = (/** @type {string} */ name) => /^\d/.test(name);
  if (objects.every(([name]) => isIndex(name))) return objects.map(([index, row]) => ({ index, ...row }));
  const keys = Object.keys(objects[0][1]);
  if (!keys.every(isIndex)) return [];
  return keys.map((index) => ({
    index,
    ...Object.fromEntries(objects.map(([name, column]) => [name, column[index]])),
  }));
}

/**
 * The fields of an object and of what is in it, as `properties.depth` and `coordinates.0`.
 * @param {JsonObject | Json[]} row
 * @returns {JsonObject}
 */
function flattened(row, prefix = "") {
  /** @param {Json} cell @returns {cell is number[]} */
  const isPosition = (cell) => Array.isArray(cell) && cell.length <= 4 && cell.every((one) => typeof one === "number");
  const parts = Object.entries(row).map(([name, cell]) =>
    isObject(cell) || isPosition(cell) ? flattened(cell, `${prefix}${name}.`) : { [prefix + name]: cell },
  );
  return Object.assign({}, ...parts);
}

/** @param {Json} cell */
function jsonCell(cell) {
  if (typeof cell === "number") return cell;
  return cell === null || cell === undefined ? "" : typeof cell === "object" ? JSON.stringify(cell) : String(cell);
}

/** @param {string} text */
function isComplete(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A number that Python writes into JSON, and JSON does not know. @param {string} text */
const withoutNan = (text) => text.replace(/([[,:]\s*)(NaN|-?Infinity)(?=\s*[,\]}])/g, "$1null");

/** @param {string} given @returns {Json} */
function parsed(given) {
  const text = withoutNan(given);
  if (isComplete(text)) return JSON.parse(text);
  const lines = text.trim().split(/\s*\n\s*/);
  if (lines.every(isComplete)) return lines.map((line) => JSON.parse(line));
  throw new InvalidInput("Expected a table, or JSON with a list of objects, got JSON that is not complete.");
}
