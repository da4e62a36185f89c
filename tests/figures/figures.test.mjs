// Pure functions of the live figures: text, pixels, and cases that no figure shows. Browser tests compare numbers with `lib`.

import assert from "node:assert/strict";
import { test } from "node:test";
import { featuresOf } from "../../lib/figures/random_features/random_features.js";
import { product } from "../../lib/figures/methods/random_features.js";
import { decimalsOf, format, onGrid, percent } from "../../lib/figures/parts/numbers.js";
import { ticks } from "../../lib/figures/parts/plot.js";
import { N_SHADES, shadedPaths } from "../../lib/figures/parts/shades.js";
import { sweep } from "../../lib/figures/prediction/prediction.js";
import { InvalidInput } from "../../lib/figures/parts/problem.js";
import { csvOf } from "../../lib/figures/parts/save.js";
import { spelled, wrapped } from "../../lib/figures/parts/tokens.js";
import { dayOf, firstColumns, pointsOf, tableOf, textOf } from "../../lib/figures/your_points/table.js";
import { estimateAt, fitKeys } from "../../lib/figures/methods/regression.js";
import * as weighing from "../../lib/figures/methods/weights.js";

test("a number snaps to its grid and shows all decimals of the step", () => {
  for (const [step, decimals] of [[10, 0], [1.5, 1], [1, 0], [0.5, 1], [0.25, 2], [0.05, 2], [0.014, 3], [1e-9, 9]]) {
    const grid = [-step, 7 * step, step];
    assert.equal(decimalsOf(grid), decimals);
    for (const [place, nearest] of [[-9, -1], [-0.6, -1], [0.6, 1], [3.4, 3], [7.4, 7], [99, 7]]) {
      assert.ok(Math.abs(onGrid(place * step, grid) / step - nearest) < 1e-9);
    }
  }
});

test("whitespace in a token has a sign, and a token that ends a line breaks it", () => {
  for (const [word, shown] of [[" frog", "frog"], ["\n   ", "↵␣␣␣"], [" ", "␣"], ["\t", "→"], [" the King", "the King"], ["a\u0001", "a�"]])
    assert.equal(spelled(word), shown);
  const { places } = wrapped(["a", "\n   ", " b", "c"], () => 10, { x: 0, y: 0, width: 500 });
  assert.deepEqual(places.map(({ y }) => y > 0), [false, false, true, true]);
});

test("displayed numbers have a true minus sign and few decimals", () => {
  assert.equal(format(-1.25, 1), "−1.3");
  assert.equal(percent(0.0994), "9.9\u00a0%");
  assert.equal(percent(0.0996), "10\u00a0%");
  assert.equal(percent(-0.05), "−5.0\u00a0%");
});

test("ticks are round numbers in the range, of about the requested count", () => {
  for (const [range, count] of [[[-0.13, 5.02], 9], [[0, 1], 4], [[1e6, 1e6 + 7], 5], [[-3e-4, 2e-4], 5]]) {
    const found = ticks(range, count);
    assert.ok(found.length >= count / 2.5 && found.length <= 1.5 * count + 1);
    for (const { value, text } of found) {
      assert.ok(value >= range[0] - 1e-9 && value <= range[1] + 1e-9);
      assert.ok(Math.abs(Number(text.replace("−", "-")) - value) <= 1e-9 * Math.max(1, Math.abs(value)));
    }
  }
});

test("a sweep from one column to a different one fills those in between", () => {
  assert.deepEqual(sweep([9, 9, 9, 9, 9], [0, 1], [3, 4]), [9, 2, 3, 4, 9]);
  assert.deepEqual(sweep([9, 9, 9, 9, 9], [3, 4], [1, 0]), [9, 0, 2, 9, 9]);
  assert.deepEqual(sweep([9, 9], [1, 5], [1, 6]), [9, 6]);
});

test("shades increase with the level, and the lightest cells are not drawn", () => {
  const paths = shadedPaths([0, 0.01, 0.5, 1, 1], (k) => `<${k}>`);
  assert.equal(paths.length, N_SHADES);
  assert.equal(paths.at(-1), "<3><4>");
  assert.equal(paths[N_SHADES / 2 - 1], "<2>");
  assert.equal(paths.join(""), "<2><3><4>");
});

test("ten equal weights need nine keys for 90 %, and zero weights need none", () => {
  assert.equal(weighing.keysForShare(Array(10).fill(0.1), 0.9), 9);
  assert.equal(weighing.keysForShare(weighing.softmax(Array(10).fill(-Infinity)), 0.9), 0);
  assert.deepEqual(weighing.softmax([-800, -Infinity]), [1, 0]);
});

test("features depend on the norm of a token, although the figure's tokens have the same", () => {
  const last = (map) => featuresOf([[0.5, 2]], [[0.3, 0.2]], map).at(-1)[0][0];
  assert.equal(last("positive"), Math.exp(-4.25 / 2) * Math.exp(0.55));
  assert.equal(last("hyperbolic"), Math.exp(-4.25 / 2) * Math.exp(-0.55));
  assert.equal(last("trigonometric"), Math.exp(4.25 / 2) * Math.sin(0.55));
});

test("a matrix product of odd sizes", () => {
  const [x, map] = [35, 77].map((size) => Array.from({ length: size }, (_, i) => ((7 * i) % 13) - 6));
  product(x, map, 7).forEach((found, at) => {
    const [i, j] = [Math.floor(at / 11), at % 11];
    assert.equal(found, x.slice(7 * i, 7 * i + 7).reduce((sum, each, c) => sum + each * map[7 * j + c], 0));
  });
});

// ---- The reader's own tables --------------------------------------------------------------------------------------

const bytesOf = (content) => (typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content));

function read(content) {
  const table = tableOf(textOf(bytesOf(content)));
  return pointsOf(table, firstColumns(table));
}

const utf16 = (text) => [0xff, 0xfe, ...[...text].flatMap((character) => [character.charCodeAt(0), 0])];
const rows = (count, line) => Array.from({ length: count }, (_, i) => line(i)).join("\n");
const FOUR = "1,5\n2,6\n3,8\n4,7";

const READABLE = {
  "no header": [FOUR, [1, 2, 3, 4], [5, 6, 8, 7]],
  "a header": [`x,y\n${FOUR}`, [1, 2, 3, 4], [5, 6, 8, 7]],
  "a byte-order mark and Windows line ends": [`\uFEFFx,y\r\n${FOUR.replaceAll("\n", "\r\n")}\r\n`, [1, 2, 3, 4], [5, 6, 8, 7]],
  "line ends of old Macs": [FOUR.replaceAll("\n", "\r"), [1, 2, 3, 4], [5, 6, 8, 7]],
  "semicolons and decimal commas": ["x;y\n1,5;2,25\n2;3\n3;-4e-1\n4;,5", [1.5, 2, 3, 4], [2.25, 3, -0.4, 0.5]],
  "tabs": [FOUR.replaceAll(",", "\t"), [1, 2, 3, 4], [5, 6, 8, 7]],
  "columns of spaces": [FOUR.replaceAll(",", "   "), [1, 2, 3, 4], [5, 6, 8, 7]],
  "UTF-16": [utf16(FOUR), [1, 2, 3, 4], [5, 6, 8, 7]],
  "Windows-1252": [[0xb5, 0x2c, 0x79, 0x0a, ...bytesOf(FOUR)], [1, 2, 3, 4], [5, 6, 8, 7]],
  "keys out of order": ["3,8\n1,5\n4,7\n2,6", [1, 2, 3, 4], [5, 6, 8, 7]],
  "missing values": [`${FOUR}\n5,\n,6\nNaN,1\n7,NA`, [1, 2, 3, 4], [5, 6, 8, 7]],
  "comments and empty lines": [`# from the lab\n\n${FOUR}\n\n`, [1, 2, 3, 4], [5, 6, 8, 7]],
  "a column of names": ["a,1,5\nb,2,6\nc,3,8\nd,4,7", [1, 2, 3, 4], [5, 6, 8, 7]],
  "quoted fields with separators and line breaks": ['"x, ""m""\n","y"\n"1","5"\n"2","6"\n3,8\n4,7', [1, 2, 3, 4], [5, 6, 8, 7]],
  "repeated keys and equal values": ["1,5\n1,5\n2,5\n2,5", [1, 1, 2, 2], [5, 5, 5, 5]],
  "dates": ["1970-01-02,5\n1970-01-03,6\n1970-02-01,8\n1971-01-01,7", [1, 2, 31, 365], [5, 6, 8, 7]],
  "right-to-left and emoji headers": [`מפתח,🌡️\n${FOUR}`, [1, 2, 3, 4], [5, 6, 8, 7]],
  "rows of different lengths": ["1,5,9\n2,6\n3,8,9,9\n4,7", [1, 2, 3, 4], [5, 6, 8, 7]],
};

for (const [name, [content, keys, values]] of Object.entries(READABLE)) {
  test(`a table with ${name} is read`, () => {
    const points = read(content);
    assert.deepEqual(points.keys, keys);
    assert.deepEqual(points.values, values);
  });
}

const HOSTILE = {
  "a PDF named .csv": ["%PDF-1.7\n1,2", /got a PDF/],
  "an Excel sheet": [[0x50, 0x4b, 3, 4, 20, 0], /Excel file or a zip archive; save the sheet as CSV/],
  "an old Excel sheet": [[0xd0, 0xcf, 0x11, 0xe0, 0xa1], /old Excel file/],
  "a PNG image": [[0x89, 0x50, 0x4e, 0x47, 13, 10], /got a PNG image/],
  "a JPEG image": [[0xff, 0xd8, 0xff, 0xe0], /got a JPEG image/],
  "a gzip archive": [[0x1f, 0x8b, 8, 0], /got a gzip archive/],
  "a binary file": [[1, 2, 3, 0, 0, 44, 5], /got a binary file/],
  "zeros alone": [[0, 0, 0, 0], /got a binary file/],
  "blank space": [" \n\t\n ", /only blank space/],
  "a byte-order mark alone": [[0xef, 0xbb, 0xbf], /only blank space/],
  "prose": ["It was a dark and stormy night.\nThe rain fell.", /Expected a number or a date .* got “/],
  "one column": ["1\n2\n3\n4", /Expected two columns of numbers, got one/],
  "one row": ["1,2", /at least 4 rows with two numbers, got 1/],
  "a header alone": ["x,y", /Expected a number or a date/],
  "three rows": ["1,2\n2,3\n3,4", /at least 4 rows .* got 3/],
  "all values missing": ["x,y\n1,\n2,\n3,\n4,", /Expected two columns of numbers, got one/],
  "text in a number column": ["x,y\n1,5\n2,six\n3,8\n4,7", /in “y”, got “six” in row 3/],
  "infinity": [`${FOUR}\n5,inf`, /got “inf” in row 5/],
  "1e300": [`${FOUR}\n5,1e300`, /at most 1e\+100 in “column 2”, got “1e300” in row 5/],
  "a number that overflows": [`${FOUR}\n1e999,5`, /got “1e999”/],
  "equal keys": ["2,1\n2,3\n2,4\n2,5", /Expected different numbers in “column 1”, got 2 in every row/],
  "keys that differ by rounding": [rows(4, (i) => `${1e15 + i / 8},${i}`), /Expected different numbers/],
  "two hundred thousand rows": [rows(200_000, (i) => `${i},1`), /at most 100,000 rows, got 200,000/],
  "a million rows": [rows(1_000_000, (i) => `${i},1`), /at most 100,000 rows, got 1,000,000/],
  "a quotation mark that never closes": ['x,y\n1,"5\n2,6\n3,8', /closing quotation mark/],
  "markup": [rows(4, () => "<img src=x onerror=alert(1)>,2"), /got “<img src=x onerror=alert…” in row 1/],
  "a hundred thousand characters in a field": [`x,y\n1,${"9x".repeat(50_000)}\n2,3`, /got “9x9x9x9x9x9x9x9x9x9x9x9x…”/],
  "emoji": ["🙂,🙃\n🙂,🙃", /got “🙂” in row 1/],
  "right-to-left text": ["שלום,עולם\nשלום,עולם", /got “שלום”/],
  "days that do not exist": ["2023-02-30,1\n2023-02-31,2\n2023-13-01,3\n2023-01-01,4", /got “2023-02-30” in row 1/],
  "JSON": ['{"x": [1, 2], "y": [3, 4]}', /Expected/],
  "mixed separators": ["1;2\n3,4\n5;6\n7,8", /Expected/],
};

for (const [name, [content, sentence]] of Object.entries(HOSTILE)) {
  test(`${name} is rejected in one sentence`, () => {
    assert.throws(() => read(content), (error) => {
      assert.ok(error instanceof InvalidInput, error.stack);
      assert.match(error.message, sentence);
      assert.match(error.message, /^Expected [^\n]{5,160}\.$/);
      return true;
    });
  });
}

test("dates with times, in three orders, are days since 1970", () => {
  for (const text of ["1970-01-02 06:00", "1970/1/2 6:00", "2.1.1970 06:00:00", "1970-01-02T06:00:00Z"]) {
    assert.equal(dayOf(text), 1.25);
  }
  assert.equal(dayOf("1970-02"), 31);
  assert.ok(Number.isNaN(dayOf("31.4.2020")) && Number.isNaN(dayOf("2020-01-01 25:00")));
});

test("a column of eight digits is one of dates if all of it is", () => {
  const kinds = (column) => tableOf(rows(3, (i) => `${column[i]},${i}`)).columns.map(({ kind }) => kind);
  assert.deepEqual(kinds(["19580329", "19580405", "20011229"]), ["date", "number"]);
  assert.deepEqual(kinds(["19580329", "19580405", "19580431"]), ["number", "number"]);
  assert.deepEqual([...tableOf(rows(3, (i) => `1970010${i + 1},${i}`)).columns[0].values], [0, 1, 2]);
});

test("a CSV file quotes what would break it, and keeps all digits", () => {
  assert.equal(csvOf([["a,b", 'c"d'], [0.1 + 0.2, NaN]]), '"a,b","c""d"\n0.30000000000000004,\n');
});

test("a local line keeps its digits where one key has nearly all the weight", () => {
  const keys = Float64Array.of(0, 1.1, 2.3, 3.7, 40),
    values = keys.map((key) => key + 100);
  for (let query = 0; query <= 31; query += 0.2) {
    const { estimate } = estimateAt(query, { keys, values }, "local-linear", 0.988);
    assert.ok(Math.abs(estimate - query - 100) < 1e-9, `${estimate} at ${query}`);
  }
  const { fitted, left } = fitKeys({ keys, values }, "local-linear", 0.988);
  fitted.forEach((value, i) => assert.ok(Math.abs(value - values[i]) < 1e-9));
  left.slice(0, 4).forEach((value, i) => assert.ok(Math.abs(value - values[i]) < 1e-9));
  const equal = { keys: Float64Array.of(0, 0.3, 0.1 + 0.2), values: Float64Array.of(9, 1, 2) };
  assert.ok(Math.abs(estimateAt(0.5, equal, "local-linear", 0.01).estimate - 1.5) < 1e-12);
});
