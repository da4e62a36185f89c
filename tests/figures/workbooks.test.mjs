// The reader of workbooks (.xlsx): what spreadsheet programs store, and the tables that it means.

import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32, deflateRawSync } from "node:zlib";
import { InvalidInput } from "../../lib/figures/parts/problem.js";
import { DELIMITERS } from "../../lib/figures/your_points/delimited.js";
import { meaningOf } from "../../lib/figures/your_points/number_format.js";
import { accountOf, firstColumns, isArchive, pointsOf, tableOf } from "../../lib/figures/your_points/table.js";
import { workbookOf } from "../../lib/figures/your_points/workbook.js";
import { attributesOf, scan } from "../../lib/figures/your_points/xml.js";

// ---- Writing --------------------------------------------------------------------------------------------------------

/** A record of a zip archive: fields of two bytes (small) and of four, and what follows. */
function record(fields, ...rest) {
  const bytes = fields.map(([size, value]) => {
    const field = Buffer.alloc(size);
    field.writeUIntLE(value, 0, size);
    return field;
  });
  return Buffer.concat([...bytes, ...rest]);
}

/** A zip archive of these texts by path, deflated or stored; `flags` of 1 marks all as encrypted. */
function zipOf(files, { isStored = false, flags = 0 } = {}) {
  const [parts, entries] = [[], []];
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    const name = Buffer.from(path),
      content = Buffer.from(text),
      packed = isStored ? content : deflateRawSync(content);
    const shared = [[2, 20], [2, flags], [2, isStored ? 0 : 8], [4, 0], [4, crc32(content)], [4, packed.length], [4, content.length], [2, name.length], [2, 0]];
    const part = record([[4, 0x04034b50], ...shared], name, packed);
    entries.push(record([[4, 0x02014b50], [2, 20], ...shared, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]], name));
    parts.push(part);
    at += part.length;
  }
  const directory = Buffer.concat(entries);
  const end = record([[4, 0x06054b50], [4, 0], [2, entries.length], [2, entries.length], [4, directory.length], [4, at], [2, 0]]);
  return new Uint8Array(Buffer.concat([...parts, directory, end]));
}

const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const relations = (list) =>
  `<?xml version="1.0" encoding="UTF-8"?><Relationships>${list
    .map(([id, kind, target]) => `<Relationship Id="${id}" Type="${OFFICE}/${kind}" Target="${target}"/>`)
    .join("")}</Relationships>`;

/** The parts of a workbook. A sheet is a name and its rows as XML; `p` is a prefix of all elements, as "x:". */
function partsOf({ sheets, strings = [], formats = [], codes = {}, settings = "", p = "", states = [] }) {
  const names = Object.keys(sheets);
  const list = names.map((name, i) => `<${p}sheet name="${name}" sheetId="${i + 1}" state="${states[i] ?? "visible"}" r:id="rId${i + 1}"/>`);
  const known = Object.entries(codes).map(([id, code]) => `<${p}numFmt numFmtId="${id}" formatCode="${code}"/>`);
  return {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations([["rId1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `<${p}workbook><${p}workbookPr ${settings}/><${p}sheets>${list.join("")}</${p}sheets></${p}workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ...names.map((_name, i) => [`rId${i + 1}`, "worksheet", i % 2 ? `/xl/worksheets/sheet${i + 1}.xml` : `worksheets/sheet${i + 1}.xml`]),
      ["rId98", "sharedStrings", "sharedStrings.xml"],
      ["rId99", "styles", "styles.xml"],
    ]),
    "xl/sharedStrings.xml": `<${p}sst>${strings.map((text) => `<${p}si>${text}</${p}si>`).join("")}</${p}sst>`,
    "xl/styles.xml": `<${p}styleSheet><${p}numFmts>${known.join("")}</${p}numFmts><${p}cellStyleXfs><${p}xf numFmtId="14"/></${p}cellStyleXfs><${p}cellXfs>${["0", ...formats].map((id) => `<${p}xf numFmtId="${id}"/>`).join("")}</${p}cellXfs></${p}styleSheet>`,
    ...Object.fromEntries(names.map((name, i) => [`xl/worksheets/sheet${i + 1}.xml`, `<${p}worksheet><${p}sheetData>${sheets[name]}</${p}sheetData><${p}extLst><${p}f>A1</${p}f></${p}extLst></${p}worksheet>`])),
  };
}

const bookOf = (parts, options) => zipOf(partsOf(parts), options);
const cell = (at, value, more = "") => `<c r="${at}"${more}><v>${value}</v></c>`;
const text = (at, words) => `<c r="${at}" t="inlineStr"><is><t>${words}</t></is></c>`;
const row = (number, ...cells) => `<row r="${number}">${cells.join("")}</row>`;
/** Rows below a header: each a list of the contents of columns A, B… */
const rowsOf = (rows, first = 2) =>
  rows.map((fields, i) => row(first + i, ...fields.map((field, c) => field(`${"ABC"[c]}${first + i}`)))).join("");
const number = (value, style) => (at) => cell(at, value, style ? ` s="${style}"` : "");
const HEADER = row(1, text("A1", "x"), text("B1", "y"));
const FOUR = HEADER + rowsOf([1, 2, 3, 4].map((i) => [number(i), number(10 * i)]));

async function read(bytes, chosen) {
  const { cells, names, sheet } = await workbookOf(bytes, chosen);
  const table = tableOf({ cells, form: `sheet “${names[sheet]}”` }),
    columns = firstColumns(table);
  return { names, points: pointsOf(table, columns), account: accountOf(table, columns, DELIMITERS) };
}

// ---- Reading --------------------------------------------------------------------------------------------------------

for (const [how, options] of Object.entries({ deflated: {}, stored: { isStored: true } })) {
  test(`a ${how} workbook becomes points with its names`, async () => {
    const bytes = bookOf({ sheets: { Data: FOUR } }, options);
    assert.ok(isArchive(bytes));
    const { points, account } = await read(bytes);
    assert.deepEqual([points.key_label, points.keys, points.values], ["x", [1, 2, 3, 4], [10, 20, 30, 40]]);
    assert.equal(account, "sheet “Data”, 4 of 4 rows.");
  });
}

test("shared strings are rich text without marks of pronunciation", async () => {
  const strings = ["<t>x</t>", '<r><t xml:space="preserve">height </t></r><r><t>in m</t></r><rPh><t>ta</t></rPh>', "<t>a &amp; b_x000D_</t>", "<t/>"];
  const shared = (at, i) => cell(at, i, ' t="s"');
  const rows = row(1, shared("A1", 0), shared("B1", 1)) + rowsOf([1, 2, 3, 4, 5].map((i) => [number(i), i === 3 ? (at) => shared(at, 2) : number(i)]));
  const { points, account } = await read(bookOf({ sheets: { Data: rows }, strings }));
  assert.deepEqual([points.value_label, points.values], ["height in m", [1, 2, 4, 5]]);
  assert.match(account, /4 of 5 rows; dropped: “a & b” in row 4 of “height in m”/);
});

/** Formats by id and code, and what 45000.25 or a share of a day means in them. */
const MEANINGS = [
  [0, undefined, "number"], [2, undefined, "number"], [9, undefined, "percent"], [14, undefined, "date"], [20, undefined, "time"], [22, undefined, "date"], [46, undefined, "time"],
  [164, "yyyy\\-mm\\-dd", "date"], [165, "[$-409]d\\-mmm\\-yy;@", "date"], [166, "mmmm", "date"], [167, "[hh]:mm:ss", "time"], [168, "h:mm AM/PM", "time"],
  [169, "0.0%", "percent"], [170, '#,##0.00 "days"', "number"], [171, "[Red]0.00", "number"], [172, "General", "number"], [173, "0.00E+00", "number"], [174, '0" h";-0', "number"], [175, "#,##0\\ \\m", "number"],
];

test("a number format says what a number means", () => {
  for (const [id, code, meaning] of MEANINGS) assert.equal(meaningOf(id, code), meaning, `${id} ${code}`);
});

const dated = (serials, settings = "") =>
  read(bookOf({ sheets: { Data: HEADER + rowsOf(serials.map((serial, i) => [number(serial, 1), number(i)])) }, formats: [14], settings }));

test("dates count from 1900 as Excel does, or from 1904", async () => {
  const { points } = await dated([1, 59, 61, 45000.25]);
  assert.deepEqual([points.keys, points.dates], [[-25567, -25509, -25508, 19431.25], true]);
  const later = await dated([0, 1, 59, 43538.25], 'date1904="1"');
  assert.deepEqual(later.points.keys, [-24107, -24106, -24048, 19431.25]);
  const before = await dated([-2, -1, 61, 62]);
  assert.deepEqual(before.points.keys, [-25571, -25570, -25508, -25507]);
});

test("percent and clock times are what the sheet displays", async () => {
  const rows = HEADER + rowsOf([0.25, 0.5, 1.5, 0.3125].map((day, i) => [number(day, 1), number([0.07, 0.125, -0.5, 0][i], 2)]));
  const { points } = await read(bookOf({ sheets: { Data: rows }, formats: [46, 10] }));
  assert.deepEqual([points.keys, points.values], [[6, 7.5, 12, 36], [7, 0, 12.5, -50]]);
  assert.deepEqual([points.key_label, points.value_label], ["x (h)", "y (%)"]);
});

test("formulas are their stored values, and themselves without one", async () => {
  const formula = (stored) => (at) => `<c r="${at}"><f>A1*2</f>${stored === undefined ? "<v/>" : `<v>${stored}</v>`}</c>`;
  const rows = (values) => HEADER + rowsOf(values.map((value, i) => [number(i), formula(value)]));
  const { points } = await read(bookOf({ sheets: { Data: rows([5, 6, 8, 7]) } }));
  assert.deepEqual(points.values, [5, 6, 8, 7]);
  await assert.rejects(read(bookOf({ sheets: { Data: rows([5, 6, 8, undefined]) } })), /got 3 of 4: “=A1\*2” in row 5 of “y”/);
});

test("numbers of cells keep their decimals beside texts with commas", async () => {
  const rows = HEADER + rowsOf([1.234, 500, 600, 700.125].map((value, i) => [number(value), (at) => text(at, `1.00${i},5`)]));
  const { points, account } = await read(bookOf({ sheets: { Data: rows } }));
  assert.deepEqual([points.keys, points.values], [[1.234, 500, 600, 700.125], [1000.5, 1001.5, 1002.5, 1003.5]]);
  assert.match(account, /decimal comma, thousands point/);
  const json = tableOf('[{"x":1.234,"y":1},{"x":500,"y":2},{"x":600,"y":3}]');
  assert.deepEqual([...json.columns[0].values], [1.234, 500, 600]);
});

test("errors, booleans and gaps are missing or named, in their rows", async () => {
  const rows = `${row(1, text("A1", "title"))}${row(3, text("A3", "x"), text("B3", "y"))}${rowsOf([1, 2, 3, 4].map((i) => [number(i), number(i)]), 4)}${row(9, cell("A9", 5), cell("B9", "#N/A", ' t="e"'))}${row(10, cell("A10", 6), cell("B10", 1, ' t="b"'))}`;
  const { points, account } = await read(bookOf({ sheets: { Data: rows } }));
  assert.deepEqual(points.keys, [1, 2, 3, 4]);
  assert.match(account, /4 of 6 rows; dropped: 1 without a value, “TRUE” in row 10 of “y”; 1 line of notes/);
});

test("cells without references, and elements with a prefix, are read", async () => {
  const rows = [["x", "y"], [1, 5], [2, 6], [3, 8], [4, 7]].map((fields) =>
    `<x:row>${fields.map((field) => (typeof field === "number" ? `<x:c><x:v>${field}</x:v></x:c>` : `<x:c t="str"><x:v>${field}</x:v></x:c>`)).join("")}</x:row>`);
  const { points } = await read(bookOf({ sheets: { Data: rows.join("") }, p: "x:" }));
  assert.deepEqual([points.key_label, points.values], ["x", [5, 6, 8, 7]]);
});

test("the first sheet with cells is read, and others by choice", async () => {
  const other = FOUR.replaceAll("<v>10</v>", "<v>99</v>");
  const bytes = bookOf({ sheets: { Empty: "", "A &amp; B": FOUR, Hidden: FOUR, Last: other }, states: ["visible", "visible", "hidden"] });
  const first = await read(bytes);
  assert.deepEqual([first.names, first.points.values[0]], [["Empty", "A & B", "Last"], 10]);
  assert.match(first.account, /sheet “A & B”/);
  assert.equal((await read(bytes, 2)).points.values[0], 99);
  await assert.rejects(read(bytes, 0), /Expected two columns of numbers, got none/);
});

const WHOLE = partsOf({ sheets: { Data: FOUR } });
const BROKEN = {
  "truncated": [zipOf(WHOLE).slice(0, 700), /truncated or damaged/],
  "with a part without content": [zipOf({ ...WHOLE, "xl/worksheets/sheet1.xml": "" }), /truncated or damaged/],
  "with a sheet that stops": [zipOf({ ...WHOLE, "xl/worksheets/sheet1.xml": "<worksheet><sheetData><row>" }), /truncated or damaged/],
  "with damaged compression": [zipOf(WHOLE).map((byte, i) => (i > 60 && i < 120 ? 255 : byte)), /truncated or damaged/],
  "without its main part": [zipOf({ "_rels/.rels": WHOLE["_rels/.rels"] }), /truncated or damaged/],
  "with encrypted parts": [zipOf(WHOLE, { flags: 1 }), /one with a password; save it without one/],
  "of empty sheets": [bookOf({ sheets: { One: "", Two: "" } }), /sheets are all empty/],
  "as a binary workbook": [zipOf({ "_rels/.rels": relations([["rId1", "officeDocument", "xl/workbook.bin"]]), "xl/workbook.bin": "x" }), /binary workbook \(\.xlsb\)/],
  "as an OpenDocument sheet": [zipOf({ mimetype: "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<a/>" }, { isStored: true }), /OpenDocument sheet \(\.ods\)/],
  "as a text document": [zipOf({ "_rels/.rels": relations([["rId1", "officeDocument", "word/document.xml"]]), "word/document.xml": "<a/>" }), /text document \(\.docx\)/],
  "as a zip archive of something else": [zipOf({ "a.txt": "1,2" }), /zip archive without one/],
  "with too many rows": [bookOf({ sheets: { Data: HEADER + row(1_048_576, cell("A1048576", 1)) } }), /at most 100,000 rows, got one with the number 1,048,576/],
};

for (const [name, [bytes, sentence]] of Object.entries(BROKEN)) {
  test(`a workbook ${name} is rejected in one sentence`, async () => {
    await assert.rejects(read(bytes), (error) => {
      assert.ok(error instanceof InvalidInput, error.stack);
      assert.match(error.message, sentence);
      assert.match(error.message, /^Expected [^\n]{5,200}\.$/);
      return true;
    });
  });
}

test("XML is scanned with entities, comments and quoted brackets", () => {
  const found = [];
  const xml = `\uFEFF<?xml version="1.0"?><!-- <no> --><a:top q='">"' b="&lt;&#65;&#x42;&no;"><t>1 &amp; <![CDATA[<2>]]></t><e/></a:top>\n`;
  const isWhole = scan(xml.replace("\uFEFF", ""), { open: (name, rest) => found.push([name, attributesOf(rest)]), close: (name, words) => found.push([name, words]) });
  assert.ok(isWhole);
  assert.deepEqual(found, [["top", { q: '">"', b: "<AB&no;" }], ["t", {}], ["t", "1 & <2>"], ["e", {}], ["e", ""], ["top", ""]]);
  for (const part of ["", "<a>", "<a><b></a>", "<a", "</a>", "<a></a><"]) assert.ok(!scan(part, {}), part);
});
