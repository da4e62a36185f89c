// The reader of tables: files of many programs, with the numbers that each of them means.

import assert from "node:assert/strict";
import { test } from "node:test";
import { InvalidInput } from "../../lib/figures/parts/problem.js";
import { dayOf } from "../../lib/figures/your_points/cells.js";
import { DELIMITERS } from "../../lib/figures/your_points/delimited.js";
import { accountOf, firstColumns, pointsOf, tableOf, textOf } from "../../lib/figures/your_points/table.js";

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
  "an old Excel sheet": [[0xd0, 0xcf, 0x11, 0xe0, 0xa1], /old Excel file; save the sheet as \.xlsx or CSV/],
  "a workbook with a password": [[0xd0, 0xcf, 0x11, 0xe0, 0xa1, ...utf16("EncryptedPackage")], /got one with a password/],
  "a PNG image": [[0x89, 0x50, 0x4e, 0x47, 13, 10], /got a PNG image/],
  "a JPEG image": [[0xff, 0xd8, 0xff, 0xe0], /got a JPEG image/],
  "a gzip archive": [[0x1f, 0x8b, 8, 0], /got a gzip archive/],
  "a file of SPSS": [[...bytesOf("$FL2@(#) SPSS"), 0], /got an SPSS file; export it as CSV/],
  "a file of Stata": [[...bytesOf("<stata_dta>"), 0], /got a Stata file/],
  "a file of MATLAB": [[...bytesOf("MATLAB 5.0 MAT-file"), 0], /got a MATLAB file/],
  "a Parquet file": [[...bytesOf("PAR1"), 0], /got a Parquet file/],
  "a NumPy file": [[0x93, ...bytesOf("NUMPY"), 1, 0], /got a NumPy file/],
  "an HDF5 file": [[0x89, ...bytesOf("HDF"), 13, 10], /got an HDF5 file/],
  "a binary file": [[1, 2, 3, 0, 0, 44, 5], /got a binary file/],
  "zeros alone": [[0, 0, 0, 0], /got a binary file/],
  "blank space": [" \n\t\n ", /only blank space/],
  "a byte-order mark alone": [[0xef, 0xbb, 0xbf], /only blank space/],
  "prose": ["It was a dark and stormy night.\nThe rain fell.", /Expected a number or a date .* got “/],
  "one column": ["1\n2\n3\n4", /Expected two columns of numbers, got one/],
  "one row": ["1,2", /at least 4 rows with two numbers, got 1/],
  "a header alone": ["x,y", /Expected a number or a date/],
  "text in one of four rows": ["x,y\n1,5\n2,six\n3,8\n4,7", /at least 4 rows .* got 3 of 4: “six” in row 3 of “y”/],
  "text in every row": ["x,y\n1,one\n2,two\n3,three\n4,four", /\(1,234\.5 · 12% · .*in “y”, got “one” in row 2/],
  "three rows": ["1,2\n2,3\n3,4", /at least 4 rows .* got 3/],
  "all values missing": ["x,y\n1,\n2,\n3,\n4,", /Expected two columns of numbers, got one/],
  "equal keys": ["2,1\n2,3\n2,4\n2,5", /Expected different numbers in “column 1”, got 2 in every row/],
  "keys that differ by rounding": [rows(4, (i) => `${1e15 + i / 8},${i}`), /Expected different numbers/],
  "two hundred thousand rows": [rows(200_000, (i) => `${i},1`), /at most 100,000 rows, got 200,000/],
  "a million rows": [rows(1_000_000, (i) => `${i},1`), /at most 100,000 rows, got 1,000,000/],
  "a quotation mark that never closes": ['x,y\n1,"5\n2,6\n3,8', /closing quotation mark/],
  "markup": [rows(4, () => "<img src=x onerror=alert(1)>,2"), /got “<img src=x onerror=alert…” in row 1/],
  "a hundred thousand characters in a field": [`x,y\n1,${"9x".repeat(50_000)}\n2,3`, /at least 4 rows .*“9x9x9x9x9x9x9x9x9x9x9x9x…” in row 2/],
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
      assert.match(error.message, /^Expected [^\n]{5,200}\.$/);
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


// ---- Files of many programs -----------------------------------------------------------------------------------------

const KEYS = [1, 2, 3, 4, 5],
  VALUES = [950.5, 1002.25, 12345.75, 1234567, -250.125];

/** A number as a program with these signs writes it. */
function written(number, { decimal, thousands }) {
  const [whole, part] = String(Math.abs(number)).split(".");
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  return (number < 0 ? "-" : "") + grouped + (part ? decimal + part : "");
}

/** What stands around the values: the names, and what is above and below them. */
const FRAMES = {
  "no header": () => [[], []],
  "a header": (line) => [[line("x", "y")], []],
  "a row of units": (line) => [[line("length", "weight"), line("[m]", "[kg]")], []],
  "a comment as header": (line) => [[`# ${line("x", "y")}`], []],
  "notes above and below": (line) => [["Report of the laboratory", "", line("x", "y")], ["", "Source: laboratory"]],
};

const QUOTES = { bare: (field) => field, quoted: (field) => `"${field}"` };

/**
 * Every combination of delimiter, decimal sign, sign of thousands, quotation marks and frame that is one table
 * only.
 */
function* dialects() {
  for (const delimiter of Object.keys(DELIMITERS))
    for (const decimal of [".", ","])
      for (const thousands of ["", decimal === "." ? "," : ".", " ", "’"])
        for (const [quotes, quote] of Object.entries(QUOTES))
          for (const [frame, around] of Object.entries(FRAMES)) {
            const splits = [decimal, thousands].includes(delimiter) && quotes === "bare";
            if (splits || (quotes === "quoted" && frame === "a comment as header")) continue;
            const line = (...fields) => fields.map(quote).join(delimiter);
            const body = KEYS.map((key, i) => line(String(key), written(VALUES[i], { decimal, thousands })));
            const [above, below] = around(line);
            const name = `${DELIMITERS[delimiter]}, decimal ${decimal}, thousands “${thousands}”, ${quotes}, ${frame}`;
            yield { name, text: [...above, ...body, ...below].join("\n") };
          }
}

const FILES = [...dialects()];

test("files in all dialects mean the same numbers, and every row is accounted for", () => {
  assert.ok(FILES.length >= 200, String(FILES.length));
  for (const { name, text } of FILES) {
    const table = tableOf(text),
      columns = firstColumns(table),
      points = pointsOf(table, columns);
    assert.deepEqual([points.keys, points.values], [KEYS, VALUES], `${name}\n${text}`);
    assert.match(accountOf(table, columns, DELIMITERS), /5 of 5 rows|5 of 6 rows; dropped: /, name);
  }
});

/** 1 and 31 March, 1 and 31 May 2024. */
const DATES = {
  "ISO 8601": ["2024-03-01", "2024-03-31", "2024-05-01", "2024-05-31"],
  "slashes, year first": ["2024/3/1", "2024/3/31", "2024/5/1", "2024/5/31"],
  "points, year first": ["2024.03.01", "2024.03.31", "2024.05.01", "2024.05.31"],
  "German": ["1.3.2024", "31.3.2024", "1.5.2024", "31.5.2024"],
  "German, two digits": ["01.03.24", "31.03.24", "01.05.24", "31.05.24"],
  "British": ["01/03/2024", "31/03/2024", "01/05/2024", "31/05/2024"],
  "American": ["3/1/2024", "3/31/2024", "5/1/2024", "5/31/2024"],
  "American, two digits": ["03/01/24", "03/31/24", "05/01/24", "05/31/24"],
  "hyphens, day first": ["01-03-2024", "31-03-2024", "01-05-2024", "31-05-2024"],
  "Stata and Oracle": ["01mar2024", "31mar2024", "01may2024", "31may2024"],
  "SPSS": ["01-MAR-2024", "31-MAR-2024", "01-MAY-2024", "31-MAY-2024"],
  "matplotlib's msft.csv": ["1-Mar-24", "31-Mar-24", "1-May-24", "31-May-24"],
  "words": ["1 March 2024", "31 March 2024", "1 May 2024", "31 May 2024"],
  "American words": ['"March 1, 2024"', '"March 31, 2024"', '"May 1, 2024"', '"May 31, 2024"'],
  "German words": ["1. März 2024", "31. März 2024", "1. Mai 2024", "31. Mai 2024"],
  "French words": ["1 mars 2024", "31 mars 2024", "1 mai 2024", "31 mai 2024"],
  "weekdays": ['"Fri, 01 Mar 2024"', '"Sun, 31 Mar 2024"', '"Wed, 01 May 2024"', '"Fri, 31 May 2024"'],
  "no separators": ["20240301", "20240331", "20240501", "20240531"],
  "midnight": ["2024-03-01 00:00:00", "2024-03-31 00:00:00", "2024-05-01 00:00:00", "2024-05-31 00:00:00"],
  "midnight in UTC": ["2024-03-01T00:00:00.000Z", "2024-03-31T00:00:00.000Z", "2024-05-01T00:00:00.000Z", "2024-05-31T00:00:00.000Z"],
  "an offset": ["2024-03-01T02:00+02:00", "2024-03-31T02:00+02:00", "2024-05-01T02:00+02:00", "2024-05-31T02:00+02:00"],
  "twelve hours": ["3/1/2024 12:00 AM", "3/31/2024 12:00 AM", "5/1/2024 12:00 AM", "5/31/2024 12:00 AM"],
};

for (const [name, days] of Object.entries(DATES)) {
  test(`dates are read: ${name}`, () => {
    const points = pointsOf(...withColumns(`day,y\n${days.map((day, i) => `${day},${i}`).join("\n")}`));
    assert.deepEqual([points.keys, points.values, points.dates], [[19783, 19813, 19844, 19874], [0, 1, 2, 3], true]);
  });
}

const withColumns = (text) => {
  const table = tableOf(text);
  return [table, firstColumns(table)];
};

/** What else stands in columns: four cells, and what they mean. */
const CELLS = {
  "percent signs": [["19.0%", "5%", "12.5 %", "-1%"], [19, 5, 12.5, -1]],
  "brackets for negatives": [["(5)", "(1,234.50)", "6", "7"], [-5, -1234.5, 6, 7]],
  "minus signs behind": [["5-", "6", "7-", "8"], [-5, 6, -7, 8]],
  "Unicode's minus": [["−6.0", "−7", "8", "9"], [-6, -7, 8, 9]],
  "currencies": [["$5.00", "$1,200.50", "-$3", "$0"], [5, 1200.5, -3, 0]],
  "units": [["5 kg", "6 kg", "7.5 kg", "8 kg"], [5, 6, 7.5, 8]],
  "clock times": [["07:00", "07:30", "13:15", "24:00"], [7, 7.5, 13.25, 24]],
  "clock times of twelve hours": [["7:00 am", "12:30 PM", "1:15 pm", "12:00 am"], [7, 12.5, 13.25, 0]],
  "durations": [["00:30:00", "01:00:36", "75:00:00", "02:00:00"], [0.5, 1.01, 75, 2]],
  "quarters": [["2019Q1", "2019-Q2", "2019 Q3", "Q4 2019"], [17897, 17987, 18078, 18170]],
  "months": [["Jan 2019", "Feb 2019", "March 2019", "Apr-19"], [17897, 17928, 17956, 17987]],
  "months of Eurostat": [["2019M01", "2019M02", "2019M03", "2019M04"], [17897, 17928, 17956, 17987]],
  "weeks": [["2019-W01", "2019-W02", "2020-W01", "2021-W01"], [17896, 17903, 18260, 18631]],
  "names of months": [["Jan", "Feb", "Mar", "Dec"], [1, 2, 3, 12]],
  "Fortran's exponents": [["1.5D+03", "2.0D+00", "1D-01", "0D+00"], [1500, 2, 0.1, 0]],
  "Indian groups": [["1,00,000", "12,34,567", "999", "1,000"], [100000, 1234567, 999, 1000]],
};

for (const [name, [cells, meant]] of Object.entries(CELLS)) {
  test(`cells are read: ${name}`, () => {
    const [table] = withColumns(cells.map((cell, i) => `${i}\t${cell}`).join("\n"));
    assert.deepEqual([...table.columns[1].values], meant);
  });
}

const line = (text) => {
  const [table, columns] = withColumns(text);
  return { points: pointsOf(table, columns), account: accountOf(table, columns, DELIMITERS) };
};

/** Whole files: the labels, keys and values that they mean, and what the line under the figure must say. */
const WHOLE = {
  "R's write.table": ['"speed" "dist"\n"1" 4 2\n"2" 4 10\n"3" 7 4\n"4" 8 16\n', "speed", [4, 4, 7, 8], [2, 10, 4, 16], /blanks/],
  "R's names of rows": ['"mpg" "cyl"\n"Mazda RX4" 21 6\n"Datsun" 22.8 4\n"Duster" 14.3 8\n"Fiat" 32 4\n', "mpg", [14.3, 21, 22.8, 32], [8, 6, 4, 4], /left out: “row name” \(“Mazda RX4” in row 2\)/],
  "pandas's index": [",mpg,cyl\n0,21,6\n1,22,4\n2,18,8\n3,19,8", "mpg", [18, 19, 21, 22], [8, 8, 6, 4], /4 of 4 rows/],
  "Excel's sep=": ["sep=;\nx;y\n1;2\n2;3\n3;4\n4;5", "x", [1, 2, 3, 4], [2, 3, 4, 5], /semicolon/],
  "inch marks": ['a,x,y\n1" tube,1,10\n2" tube,2,20\n3" tube,3,30\n4" tube,4,40', "x", [1, 2, 3, 4], [10, 20, 30, 40], /“a” \(“1" tube” in row 2\)/],
  "thousands from a spreadsheet": ["x\ty\n1\t950\n2\t1,002\n3\t1,051\n4\t1,120", "x", [1, 2, 3, 4], [950, 1002, 1051, 1120], /thousands comma/],
  "German thousands": ["x;y\n1;950\n2;1.002\n3;1.051\n4;1.120", "x", [1, 2, 3, 4], [950, 1002, 1051, 1120], /thousands point/],
  "three decimals": ["x\ty\n1\t0.950\n2\t1.002\n3\t1.051\n4\t1.120", "x", [1, 2, 3, 4], [0.95, 1.002, 1.051, 1.12], /decimal point/],
  "years as header": ["country,2016,2017,2018,2019\nDE,5,6,7,8\nFR,1,2,3,4", "time", [2016, 2017, 2018, 2019], [5, 6, 7, 8], /turned/],
  "years of the World Bank": ['"Country","2015 [YR2015]","2016 [YR2016]","2017 [YR2017]","2018 [YR2018]","2019 [YR2019]"\n"DE",5,6,7,..,8\n"FR",1,2,3,4,5\n"IT",1,1,1,1,1\n', "time", [2015, 2016, 2017, 2019], [5, 6, 7, 8], /4 of 5 rows; dropped: 1 without a value; .*turned/],
  "two years": ["id,2019,2020\n1,5,6\n2,5,7\n3,8,9\n4,8,9", "id", [1, 2, 3, 4], [5, 5, 8, 8], /4 of 4 rows/],
  "scikit-learn's iris": ["150,4,setosa,versicolor,virginica\n5.1,3.5,1.4,0.2,0\n4.9,3.0,1.4,0.2,0\n4.7,3.2,1.3,.2,0\n4,2,3,4,5", "150", [4, 4.7, 4.9, 5.1], [2, 3.2, 3, 3.5], /4 of 4 rows/],
  "a bad cell": ["x,y\n1,5\n2,six\n3,8\n4,7\n5,9", "x", [1, 3, 4, 5], [5, 8, 7, 9], /4 of 5 rows; dropped: “six” in row 3 of “y”/],
  "infinity": [`${FOUR}\n5,inf`, "column 1", [1, 2, 3, 4], [5, 6, 8, 7], /4 of 5 rows; dropped: “inf” in row 5/],
  "a number beyond 1e100": [`${FOUR}\n5,1e300`, "column 1", [1, 2, 3, 4], [5, 6, 8, 7], /dropped: “1e300”/],
  "missing values": [`x,y\n${FOUR}\n5,NA\n,6\n7,#N/A`, "x", [1, 2, 3, 4], [5, 6, 8, 7], /4 of 7 rows; dropped: 3 without a value/],
  "a column of words": ["x,flag,y\n1,A,5\n2,B,6\n3,A,8\n4,,7", "x", [1, 2, 3, 4], [5, 6, 8, 7], /left out: “flag” \(“A” in row 2\)/],
  "a source below": ["Year,Births,Deaths\n2001,5,6\n2002,6,7\n2003,6,8\n2004,9,9\nSource: office,,", "Year", [2001, 2002, 2003, 2004], [5, 6, 6, 9], /1 line of notes/],
  "a total below": ["x,y\n1,5\n2,6\n3,8\n4,7\nTotal,26", "x", [1, 2, 3, 4], [5, 6, 8, 7], /dropped: “Total” in row 6 of “x”/],
  "NumPy's savetxt": ["# x,y\n1,5\n2,6\n3,8\n4,7", "x", [1, 2, 3, 4], [5, 6, 8, 7], /comma/],
  "an instrument": ["Model;DS1054\nChannel;1\n\nTime;Volt\n[s];[V]\n0,0;1,5\n0,5;2,5\n1,0;3,5\n1,5;-0,5\n", "Time [s]", [0, 0.5, 1, 1.5], [1.5, 2.5, 3.5, -0.5], /semicolon, decimal comma, 4 of 4 rows; 2 lines of notes/],
  "JSON records": ['[{"x":1,"y":5},{"x":2,"y":6},{"x":3,"y":8},{"x":4,"y":7},{"x":5,"y":null}]', "x", [1, 2, 3, 4], [5, 6, 8, 7], /JSON, .*4 of 5 rows/],
  "JSON records and a text": ['[{"x":1,"y":5},{"x":2,"y":6},{"x":3,"y":8},{"x":4,"y":7},"end"]', "x", [1, 2, 3, 4], [5, 6, 8, 7], /JSON, 4 of 4 rows\.$/],
  "JSON lists": ["[[1,5],[2,6],[3,8],[4,7]]", "column 1", [1, 2, 3, 4], [5, 6, 8, 7], /JSON/],
  "JSON columns": ['{"x":[1,2,3,4],"y":[5,6,8,7]}', "x", [1, 2, 3, 4], [5, 6, 8, 7], /JSON/],
  "JSON lines": ['{"x":1,"y":5}\n{"x":2,"y":6}\n{"x":3,"y":8}\n{"x":4,"y":7}\n', "x", [1, 2, 3, 4], [5, 6, 8, 7], /JSON/],
  "dates that may be either": ["d,y\n01/02/2024,1\n02/02/2024,2\n03/02/2024,3\n04/02/2024,4", "d", [19724, 19755, 19784, 19815], [1, 2, 3, 4], /month\/day\/year \(could be day first\)/],
};

for (const [name, [text, label, keys, values, says]] of Object.entries(WHOLE)) {
  test(`a file is read and accounted for: ${name}`, () => {
    const { points, account } = line(text);
    assert.deepEqual([points.key_label, points.keys, points.values], [label, keys, values]);
    assert.match(account, says);
  });
}

test("columns beyond the most are counted", () => {
  const wide = rows(5, (i) => Array.from({ length: 700 }, (_, c) => (i ? c + i * i : `c${c}`)).join(","));
  const { points, account } = line(wide);
  assert.deepEqual([points.key_label, points.values], ["c0", [2, 5, 10, 17]]);
  assert.match(account, /4 of 4 rows; 200 more columns not read\./);
});

test("the reader's own choice of a dialect replaces the guess", () => {
  const text = "d;y\n01/02/2024;1,002\n02/02/2024;1,051\n03/02/2024;1,120\n04/02/2024;1,3";
  const values = (chosen) => tableOf(text, chosen).columns.map((column) => column.values[0]);
  assert.deepEqual(values({}), [19754, 1.002]);
  assert.deepEqual(values({ order: "mdy" }), [19724, 1.002]);
  assert.deepEqual(values({ decimal: "." }), [19754, 1002]);
  assert.equal(tableOf(text, { delimiter: "," }).dialect.delimiter, ",");
});
