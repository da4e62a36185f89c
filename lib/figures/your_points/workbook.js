import { InvalidInput } from "../parts/problem.js";
import { entriesOf, unpacked } from "../parts/zip.js";
import { displayed, meaningOf } from "./number_format.js";
import { attributesOf, scan } from "./xml.js";

// Workbooks (.xlsx, Office Open XML, ECMA-376): the cells of one sheet as numbers and texts, and the names of all
// sheets. Formulas are not computed; their stored values are read. It runs in the worker.

const LARGEST_PART = 256e6, // bytes of an unpacked part
  MOST_ROWS = 200_000, // with notes and blank rows; table.js counts those of the table
  MOST_COLUMNS = 16_384; // of any workbook; table.js counts those that it does not read

/**
 * A cell: a number, a number with a unit, or a text.
 * @typedef {number | string | import("./cells.js").Value} Cell
 * @typedef {ReturnType<typeof archiveOf>} Archive
 * @typedef {{ strings: string[], meanings: import("./number_format.js").Meaning[], is1904: boolean }} Book
 *
 * A cell as the sheet writes it.
 * @typedef {{ type?: string, style: number, text: string, inline: string, formula: string | undefined }} Written
 */

const invalid = (/** @type {string} */ got) => new InvalidInput(`Expected a workbook (.xlsx), got ${got}.`);
const damaged = () => invalid("one that is truncated or damaged");

/**
 * The parts of an archive: `part(path)` unpacks one as text, undefined if there is none.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
function archiveOf(bytes) {
  const entries = new Map(entriesQuietly(bytes).map((entry) => [entry.path.toLowerCase(), entry]));
  async function part(/** @type {string} */ path) {
    const entry = entries.get(path.toLowerCase());
    if (!entry) return undefined;
    if (entry.why === "encrypted") throw invalid("one with a password; save it without one");
    if (entry.size > LARGEST_PART) throw invalid("one with a part of more than 256 MB unpacked");
    const content = entry.why ? undefined : await unpacked(bytes, entry);
    if (!content) throw damaged();
    return decoded(content);
  }
  return { part, has: (/** @type {string} */ path) => entries.has(path.toLowerCase()) };
}

/** @param {Uint8Array} bytes */
function entriesQuietly(bytes) {
  try {
    return entriesOf(bytes);
  } catch {
    throw damaged();
  }
}

/** @param {Uint8Array} content */
function decoded(content) {
  const mark = content[0] * 256 + content[1];
  return new TextDecoder(mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8").decode(content);
}

/** Scan a part that must be complete. @param {string} xml @param {import("./xml.js").Listener} listener */
function scanWhole(xml, listener) {
  if (!scan(xml, listener)) throw damaged();
}

/** The elements of a part that have a name, each with its attributes. @param {string} xml @param {string} name */
function elementsNamed(xml, name) {
  const /** @type {Record<string, string>[]} */ found = [];
  scanWhole(xml, { open: (each, attributes) => each === name && found.push(attributesOf(attributes)) });
  return found;
}

/** The parts that a part refers to: id, kind and path of each. @param {Archive} archive @param {string} path */
async function relationsOf({ part }, path) {
  const [folder, file] = [path.slice(0, path.lastIndexOf("/") + 1), path.slice(path.lastIndexOf("/") + 1)];
  const xml = await part(`${folder}_rels/${file}.rels`);
  return elementsNamed(xml ?? "<none/>", "Relationship").map(({ Id, Type = "", Target = "" }) => ({
    id: Id,
    kind: Type.slice(Type.lastIndexOf("/") + 1),
    path: decodeURIComponent(new URL(Target, `file:///${folder}`).pathname.slice(1)),
  }));
}

/** Describe an archive that contains no workbook of this kind. @param {Archive} archive */
async function otherKind({ part, has }) {
  if ((await part("mimetype"))?.includes("opendocument.spreadsheet"))
    return "an OpenDocument sheet (.ods); save it as .xlsx or CSV";
  if (has("xl/workbook.bin")) return "a binary workbook (.xlsb); save it as .xlsx or CSV";
  if (has("word/document.xml")) return "a text document (.docx)";
  return "a zip archive without one";
}

/**
 * The worksheets that are not hidden, and whether their days are counted from 1904.
 * @param {Archive} archive
 * @param {string} path
 */
async function sheetsOf(archive, path) {
  const xml = await archive.part(path),
    relations = await relationsOf(archive, path);
  if (!xml) throw damaged();
  /** @param {string} kind @param {string} [id] */
  const pathOf = (kind, id) => relations.find((one) => one.kind === kind && (!id || one.id === id))?.path;
  const all = elementsNamed(xml, "sheet")
    .map(({ name, state, id }) => ({ name, state, path: pathOf("worksheet", id) ?? "" }))
    .filter((sheet) => sheet.path);
  const shown = all.filter(({ state }) => !/hidden/i.test(state ?? ""));
  const is1904 = elementsNamed(xml, "workbookPr").some(({ date1904 }) => /^(1|true)$/.test(date1904 ?? ""));
  return { sheets: shown.length ? shown : all, is1904, pathOf };
}

/**
 * The texts that cells share: rich text without its format, and without the marks of pronunciation.
 * @param {string} xml
 */
function stringsOf(xml) {
  const /** @type {string[]} */ strings = [];
  let phonetic = false;
  scanWhole(xml, {
    open(name) {
      if (name === "si") strings.push("");
      if (name === "rPh") phonetic = true;
    },
    close(name, text) {
      if (name === "t" && !phonetic) strings[strings.length - 1] += text;
      if (name === "rPh") phonetic = false;
    },
  });
  return strings.map(plain);
}

/** Excel writes control characters as _x000D_. @param {string} text */
const plain = (text) => text.replace(/_x([\da-f]{4})_/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16))).trim();

/** The meaning of each cell format. @param {string} xml */
function meaningsOf(xml) {
  const codes = Object.fromEntries(
    elementsNamed(xml, "numFmt").map(({ numFmtId, formatCode }) => [numFmtId, formatCode]),
  );
  const /** @type {Book["meanings"]} */ meanings = [];
  let isCells = false;
  scanWhole(xml, {
    open(name, attributes) {
      if (name === "cellXfs") isCells = true;
      if (name !== "xf" || !isCells) return;
      const { numFmtId = "0" } = attributesOf(attributes);
      meanings.push(meaningOf(Number(numFmtId), codes[numFmtId]));
    },
    close(name) {
      if (name === "cellXfs") isCells = false;
    },
  });
  return meanings;
}

/** The index of a column by its letters: A is 0, AA is 26. @param {string} reference */
const columnOf = (reference) =>
  [...reference.split(/[^A-Z]/i)[0].toUpperCase()].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0) - 1;

/**
 * The value of a cell; of a formula without a stored one, the formula.
 * @param {Written} cell
 * @param {Book} book
 * @returns {Cell}
 */
function valueIn({ type = "n", style, text, inline, formula }, { strings, meanings, is1904 }) {
  if (type === "inlineStr") return plain(inline);
  if (type === "s") return strings[Number(text)] ?? "";
  if (type === "b") return text === "1" ? "TRUE" : "FALSE";
  if (type !== "n") return plain(text);
  if (!text.trim()) return formula === undefined ? "" : `=${formula || "…"}`;
  const number = Number(text);
  return Number.isNaN(number) ? text : displayed(number, meanings[style] ?? "number", is1904);
}

/** The cells of a sheet, row by row. @param {string} xml @param {Book} book */
function cellsOf(xml, book) {
  const /** @type {Cell[][]} */ rows = [];
  let row = -1,
    column = -1;
  let /** @type {Written | undefined} */ cell;
  /** @type {Record<string, (attributes: string) => void>} */
  const opened = {
    row(attributes) {
      const { r } = attributesOf(attributes);
      row = r ? Number(r) - 1 : row + 1;
      if (row >= MOST_ROWS)
        throw new InvalidInput(
          `Expected at most 100,000 rows, got one with the number ${(row + 1).toLocaleString("en")}.`,
        );
      column = -1;
    },
    c(attributes) {
      const { r, t, s } = attributesOf(attributes);
      column = r ? columnOf(r) : column + 1;
      cell = { type: t, style: Number(s ?? 0), text: "", inline: "", formula: undefined };
    },
  };
  /** @type {Record<string, (own: Written, text: string) => void>} */
  const closed = {
    v: (own, text) => (own.text = text),
    t: (own, text) => (own.inline += text),
    f: (own, text) => (own.formula = text),
    c(own) {
      const value = valueIn(own, book);
      cell = undefined;
      if (value === "" || column >= MOST_COLUMNS) return;
      rows[row] ??= [];
      rows[row][column] = value;
    },
  };
  scanWhole(xml, {
    open: (name, attributes) => opened[name]?.(attributes),
    close: (name, text) => cell && closed[name]?.(cell, text),
  });
  return Array.from(rows, (fields) => Array.from(fields ?? [], (field) => field ?? ""));
}

/**
 * Read one sheet of a workbook.
 * @param {Uint8Array<ArrayBuffer>} bytes of the file
 * @param {number} [chosen] index of the sheet among those not hidden; by default the first that is not empty
 * @returns {Promise<{ names: string[], sheet: number, cells: Cell[][] }>} names of the sheets, the one read, and
 *   its cells
 */
export async function workbookOf(bytes, chosen) {
  const archive = archiveOf(bytes),
    main = (await relationsOf(archive, "")).find(({ kind }) => kind === "officeDocument")?.path;
  if (!main?.endsWith(".xml") || !/workbook/i.test(main)) throw invalid(await otherKind(archive));
  const { sheets, is1904, pathOf } = await sheetsOf(archive, main);
  async function partOf(/** @type {string} */ kind) {
    const path = pathOf(kind);
    return (path && (await archive.part(path))) ?? "<none/>";
  }
  const book = {
    strings: stringsOf(await partOf("sharedStrings")),
    meanings: meaningsOf(await partOf("styles")),
    is1904,
  };
  const names = sheets.map(({ name }) => name);
  for (const sheet of chosen === undefined ? sheets.keys() : [chosen]) {
    const cells = cellsOf((await archive.part(sheets[sheet].path)) ?? "<none/>", book);
    if (cells.length || chosen !== undefined) return { names, sheet, cells };
  }
  throw invalid("one whose sheets are all empty");
}
