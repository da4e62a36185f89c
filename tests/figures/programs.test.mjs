// Small files as programs, instruments, banks and phones write them: the columns that are drawn first, with what they mean.

import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateAt } from "../../lib/figures/methods/regression.js";
import { InvalidInput } from "../../lib/figures/parts/problem.js";
import { DELIMITERS } from "../../lib/figures/your_points/delimited.js";
import { accountOf, firstColumns, pointsOf, tableOf, textOf } from "../../lib/figures/your_points/table.js";

const DAY = 86_400_000; // milliseconds

/** The content, and the names, keys and values that it means. */
const FILES = {
  "LibreOffice German, quoted text": ["\"Datum\";\"Temperatur\";\"Bemerkung\"\n01.01.2024;3,5;\"kalt; nass\"\n02.01.2024;4,25;\n03.01.2024;-1,0;\"Frost\"\n04.01.2024;0;\n", "Datum; Temperatur; 2024-01-01 2024-01-02 2024-01-03 2024-01-04; 3.5 4.25 -1 0"],
  "R write.csv2": ["\"\";\"speed\";\"dist\"\n\"1\";4,5;2\n\"2\";4,7;10,5\n\"3\";7;4\n\"4\";7;22\n", "speed; dist; 4.5 4.7 7 7; 2 10.5 4 22"],
  "R print of a data frame": ["  speed dist\n1     4    2\n2     4   10\n3     7    4\n4     7   22\n5     8   16\n", "speed; dist; 4 4 7 7 8; 2 10 4 22 16"],
  "R factor levels and NA": ["\"group\",\"x\",\"y\"\n\"a\",1,NA\n\"b\",2,3.5\n\"a\",3,4\n\"b\",4,6\n\"b\",5,7\n", "x; y; 2 3 4 5; 3.5 4 6 7"],
  "SPSS export to CSV (European)": ["﻿id;age;score;sex\n1;23,00;4,50;male\n2;31,00;3,75;female\n3;27,00;,50;male\n4;45,00;5,00;female\n", "id; age; 1 2 3 4; 23 31 27 45"],
  "SPSS with user-missing dots": ["age,score\n23,4.5\n31,.\n27,3.5\n45,5\n50,6\n", "age; score; 23 27 45 50; 4.5 3.5 5 6"],
  "SPSS tab .dat with value labels": ["age\tincome\tregion\n23\t 1,250\tNorth\n31\t 2,400\tSouth\n27\t   900\tNorth\n45\t10,100\tWest\n", "age; income; 23 27 31 45; 1250 900 2400 10100"],
  "Stata export delimited": ["make,price,mpg,rep78\nAMC Concord,4099,22,3\nAMC Pacer,4749,17,3\nAMC Spirit,3799,22,.\nBuick Century,4816,20,3\n", "price; mpg; 3799 4099 4749 4816; 22 22 17 20"],
  "Stata quarterly dates": ["qdate,gdp\n1999q1,100.5\n1999q2,101\n1999q3,102.5\n1999q4,103\n", "qdate; gdp; 1999-01-01 1999-04-01 1999-07-01 1999-10-01; 100.5 101 102.5 103"],
  "SAS DATETIME": ["when,level\n01JAN2024:08:00:00,1.5\n01JAN2024:09:00:00,2.5\n01JAN2024:10:00:00,3\n01JAN2024:11:30:00,2\n", "when; level; 2024-01-01T08:00 2024-01-01T09:00 2024-01-01T10:00 2024-01-01T11:30; 1.5 2.5 3 2"],
  "SAS date9 with dollars": ["date,amount\n01JAN2024,\"$1,234.50\"\n02JAN2024,$999.00\n03JAN2024,\"$2,000.00\"\n04JAN2024,($15.25)\n", "date; amount; 2024-01-01 2024-01-02 2024-01-03 2024-01-04; 1234.5 999 2000 -15.25"],
  "Tektronix oscilloscope": ["Record Length,2.500000e+03,,-0.005000000000,   0.00400,\nSample Interval,4.000000e-06,,-0.004996000000,   0.00400,\nTrigger Point,1.250000e+03,,-0.004992000000,   0.00800,\n,,,-0.004988000000,   0.00400,\n,,,-0.004984000000,   0.00500,\n,,,-0.004980000000,   0.00600,\n", "column 4; column 5; -0.005 -0.004996 -0.004992 -0.004988 -0.004984 -0.00498; 0.004 0.004 0.008 0.004 0.005 0.006"],
  "Keysight header": ["x-axis,1\nsecond,Volt\n-1.0E-03,+5.0E-02\n-5.0E-04,+6.0E-02\n+0.0E+00,+7.5E-02\n+5.0E-04,+6.0E-02\n", "second; Volt; -0.001 -0.0005 0 0.0005; 0.05 0.06 0.075 0.06"],
  "Agilent spectrum with units row": ["Wavelength,Absorbance\nnm,AU\n400,0.12\n410,0.15\n420,0.19\n430,0.25\n", "Wavelength nm; Absorbance AU; 400 410 420 430; 0.12 0.15 0.19 0.25"],
  "Bruker/OriginLab two header rows and comments": ["Time\tSignal\ns\tmV\n\tSample A\n0.0\t1.2\n0.1\t1.3\n0.2\t1.6\n0.3\t1.9\n", "s; mV; 0 0.1 0.2 0.3; 1.2 1.3 1.6 1.9"],
  "weather station DWD": ["STATIONS_ID;MESS_DATUM;QN_3;  FX;TMK;eor\n     44;20240101;   10;  12.3;   4.5;eor\n     44;20240102;   10;  -999;   5.0;eor\n     44;20240103;   10;   9.1;   3.5;eor\n     44;20240104;   10;   8.0;   2.5;eor\n", "MESS_DATUM; FX; 2024-01-01 2024-01-02 2024-01-03 2024-01-04; 12.3 -999 9.1 8"],
  "bank statement German (Sparkasse)": ["\"Auftragskonto\";\"Buchungstag\";\"Verwendungszweck\";\"Betrag\";\"Waehrung\"\n\"DE12\";\"02.01.24\";\"Miete, Jan; Rest\";\"-850,00\";\"EUR\"\n\"DE12\";\"03.01.24\";\"Gehalt\";\"2.500,00\";\"EUR\"\n\"DE12\";\"05.01.24\";\"REWE\";\"-45,90\";\"EUR\"\n\"DE12\";\"08.01.24\";\"Strom\";\"-1.080,10\";\"EUR\"\n", "Buchungstag; Betrag; 2024-01-02 2024-01-03 2024-01-05 2024-01-08; -850 2500 -45.9 -1080.1"],
  "bank statement DKB with preamble": ["﻿\"Girokonto\";\"DE12345\"\n\"\"\n\"Kontostand vom 31.01.2024:\";\"1.234,56 €\"\n\"\"\n\"Buchungsdatum\";\"Status\";\"Betrag (€)\"\n\"02.01.24\";\"Gebucht\";\"-850,00\"\n\"03.01.24\";\"Gebucht\";\"2.500\"\n\"05.01.24\";\"Gebucht\";\"-45,9\"\n\"08.01.24\";\"Gebucht\";\"-80,10\"\n", "Buchungsdatum; Betrag (€); 2024-01-02 2024-01-03 2024-01-05 2024-01-08; -850 2500 -45.9 -80.1"],
  "bank statement US (Chase)": ["Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #\nDEBIT,01/31/2024,\"COFFEE, NYC\",-4.50,DEBIT_CARD,1200.25,,\nCREDIT,01/30/2024,PAYROLL,2000.00,ACH_CREDIT,1204.75,,\nDEBIT,01/29/2024,RENT,-1500.00,ACH_DEBIT,-795.25,,\nDEBIT,01/13/2024,FOOD,-20.00,DEBIT_CARD,704.75,,\n", "Posting Date; Amount; 2024-01-13 2024-01-29 2024-01-30 2024-01-31; -20 -1500 2000 -4.5"],
  "PayPal": ["\"Date\",\"Time\",\"TimeZone\",\"Net\",\"Balance\"\n\"31/01/2024\",\"10:02:00\",\"Europe/Berlin\",\"-1,234.00\",\"50.25\"\n\"30/01/2024\",\"11:02:00\",\"Europe/Berlin\",\"20.00\",\"1,284.25\"\n\"29/01/2024\",\"12:02:00\",\"Europe/Berlin\",\"5.25\",\"1,264.25\"\n\"28/01/2024\",\"12:02:00\",\"Europe/Berlin\",\"5.25\",\"1,259.00\"\n", "Date Time; Net; 2024-01-28T12:02 2024-01-29T12:02 2024-01-30T11:02 2024-01-31T10:02; 5.25 5.25 20 -1234"],
  "phone: Apple Health steps": ["startDate,endDate,value\n2024-01-01 08:00:00 +0100,2024-01-01 08:10:00 +0100,512\n2024-01-01 09:00:00 +0100,2024-01-01 09:10:00 +0100,120\n2024-01-01 10:00:00 +0100,2024-01-01 10:10:00 +0100,800\n2024-01-01 11:00:00 +0100,2024-01-01 11:10:00 +0100,90\n", "startDate; value; 2024-01-01T07:00 2024-01-01T08:00 2024-01-01T09:00 2024-01-01T10:00; 512 120 800 90"],
  "phone: phyphox": ["\"Time (s)\",\"Acceleration x (m/s^2)\",\"Acceleration y (m/s^2)\"\n0.000000000E0,1.234567E-1,9.81E0\n5.000000000E-3,1.3E-1,9.80E0\n1.000000000E-2,1.4E-1,9.79E0\n1.500000000E-2,1.1E-1,9.82E0\n", "Time (s); Acceleration x (m/s^2); 0 0.005 0.01 0.015; 0.1234567 0.13 0.14 0.11"],
  "phone: phyphox German": ["\"Time (s)\"\t\"Acceleration x (m/s^2)\"\n0,000000000E0\t1,234567E-1\n5,000000000E-3\t1,3E-1\n1,000000000E-2\t1,4E-1\n1,500000000E-2\t1,1E-1\n", "Time (s); Acceleration x (m/s^2); 0 0.005 0.01 0.015; 0.1234567 0.13 0.14 0.11"],
  "phone: Samsung Health": ["com.samsung.health.weight,6230000,4\nweight,create_time,deviceuuid,\n70.5,2024-01-01 08:00:00.000,abc,\n70.2,2024-01-02 08:00:00.000,abc,\n70.1,2024-01-03 08:00:00.000,abc,\n69.9,2024-01-05 08:00:00.000,abc,\n", "create_time; weight; 2024-01-01T08:00 2024-01-02T08:00 2024-01-03T08:00 2024-01-05T08:00; 70.5 70.2 70.1 69.9"],
  "phone: GPS track with ISO and Z": ["time,lat,lon,ele\n2024-01-01T08:00:00Z,47.1,8.5,400.5\n2024-01-01T08:00:01Z,47.2,8.6,401\n2024-01-01T08:00:02Z,47.3,8.7,402.5\n2024-01-01T08:00:03Z,47.4,8.8,403\n", "time; lat; 2024-01-01T08:00 2024-01-01T08:00 2024-01-01T08:00 2024-01-01T08:00; 47.1 47.2 47.3 47.4"],
  "unix seconds": ["timestamp,value\n1704067200,5\n1704067260,6\n1704067320,8\n1704067380,7\n", "timestamp; value; 1704067200 1704067260 1704067320 1704067380; 5 6 8 7"],
  "Excel copied with merged title": ["\tSales report\t\n\t\t\nMonth\tNorth\tSouth\nJan-24\t1,200\t900\nFeb-24\t1,250\t950\nMar-24\t1,300\t-\nApr-24\t980\t1,010\nTotal\t4,730\t2,860\n", "Month; North; 2024-01-01 2024-02-01 2024-03-01 2024-04-01; 1200 1250 1300 980"],
  "Google Sheets Swiss": ["Jahr\tBetrag\n2019\t1'234.50\n2020\t1'300.00\n2021\t999.90\n2022\t12'000.00\n", "Jahr; Betrag; 2019 2020 2021 2022; 1234.5 1300 999.9 12000"],
  "Excel with #DIV/0! and percent": ["Year,Growth,Rate\n2019,5%,#DIV/0!\n2020,-2.5%,1.5\n2021,3%,1.75\n2022,4%,2\n2023,1%,2.25\n", "Year; Growth (%); 2019 2020 2021 2022 2023; 5 -2.5 3 4 1"],
  "Google Trends": ["Category: All categories\n\nWeek,coffee: (Worldwide)\n2024-01-07,85\n2024-01-14,90\n2024-01-21,<1\n2024-01-28,88\n2024-02-04,91\n", "Week; coffee: (Worldwide); 2024-01-07 2024-01-14 2024-01-28 2024-02-04; 85 90 88 91"],
  "Eurostat TSV": ["freq,geo\\TIME_PERIOD\t2019 \t2020 \t2021 \t2022 \nA,AT\t5.1 b\t6.0 \t: \t4.8 p\nA,DE\t3.0 \t3.6 \t3.6 \t3.1 \n", "time; A,DE; 2019 2020 2021 2022; 3 3.6 3.6 3.1"],
  "below detection limit": ["depth,conc\n1,<0.5\n2,0.7\n3,1.2\n4,2.5\n5,3.1\n", "depth; conc; 2 3 4 5; 0.7 1.2 2.5 3.1"],
  "markdown table": ["| x | y |\n|---|---|\n| 1 | 5 |\n| 2 | 6 |\n| 3 | 8 |\n| 4 | 7 |\n", "x; y; 1 2 3 4; 5 6 8 7"],
  "LaTeX table": ["x & y \\\\\n\\hline\n1 & 5.0 \\\\\n2 & 6.5 \\\\\n3 & 8.0 \\\\\n4 & 7.5 \\\\\n", "x; y; 1 2 3 4; 5 6.5 8 7.5"],
  "ARFF of Weka": ["@RELATION a\n@ATTRIBUTE x NUMERIC\n@ATTRIBUTE y NUMERIC\n@DATA\n1,5\n2,6\n3,8\n4,7\n", "column 1; column 2; 1 2 3 4; 5 6 8 7"],
  "GeoJSON-like nested": ["{\"type\":\"FeatureCollection\",\"features\":[{\"properties\":{\"x\":1,\"y\":5}},{\"properties\":{\"x\":2,\"y\":6}},{\"properties\":{\"x\":3,\"y\":8}},{\"properties\":{\"x\":4,\"y\":7}}]}", "properties.x; properties.y; 1 2 3 4; 5 6 8 7"],
  "years BC or Roman": ["year,y\n-500,5\n-400,6\n-300,8\n-200,7\n", "year; y; -500 -400 -300 -200; 5 6 8 7"],
  "Arabic digits": ["x,y\n١,٥\n٢,٦\n٣,٨\n٤,٧\n", "x; y; 1 2 3 4; 5 6 8 7"],
  "full-width digits": ["x,y\n１,５\n２,６\n３,８\n４,７\n", "x; y; 1 2 3 4; 5 6 8 7"],
  "several blocks (two tables)": ["x,y\n1,5\n2,6\n3,8\n4,7\n\nx,z\n1,50\n2,60\n3,80\n4,70\n", "x; y; 1 1 2 2 3 3 4 4; 5 50 6 60 8 80 7 70"],
  "currency codes after": ["x;y\n1;5,00 EUR\n2;6,50 EUR\n3;1.200,00 EUR\n4;7,00 EUR\n", "x; y; 1 2 3 4; 5 6.5 1200 7"],
  "date-time am/pm US phone": ["Date,Steps\n\"Jan 3, 2024, 8:05 AM\",100\n\"Jan 3, 2024, 9:05 PM\",200\n\"Jan 4, 2024, 8:05 AM\",150\n\"Jan 5, 2024, 8:05 AM\",170\n", "Date; Steps; 2024-01-03T08:05 2024-01-03T21:05 2024-01-04T08:05 2024-01-05T08:05; 100 200 150 170"],
  "Spanish decimal with tabs": ["tiempo\tvalor\n0,5\t1.234,5\n1,0\t1.300,25\n1,5\t999,75\n2,0\t2.000,5\n", "tiempo; valor; 0.5 1 1.5 2; 1234.5 1300.25 999.75 2000.5"],
  "caret comments of SOFT": ["!header\n^DATABASE\nx\ty\n1\t5\n2\t6\n3\t8\n4\t7\n", "x; y; 1 2 3 4; 5 6 8 7"],
  "SPSS syntax numbers F8.2 with dot only .50": ["x y\n.50 1.5\n1.25 .75\n2.00 3.10\n3.00 4.00\n", "x; y; 0.5 1.25 2 3; 1.5 0.75 3.1 4"],
  "accounting dash for zero": ["x,y\n1,\"1,200\"\n2,-\n3,\"1,300\"\n4,\"1,250\"\n5,900\n", "x; y; 1 3 4 5; 1200 1300 1250 900"],
  "Davis logger": ["Date\tTime\tOut\n01/03/24\t23:30\t5.1\n02/03/24\t00:00\t5\n02/03/24\t00:30\t4.8\n31/03/24\t01:00\t4.7\n", "Date Time; Out; 2024-03-01T23:30 2024-03-02 2024-03-02T00:30 2024-03-31T01:00; 5.1 5 4.8 4.7"],
  "LabVIEW": ["LabVIEW Measurement\t\nSeparator\tTab\n***End_of_Header***\t\n\t\nX_Value\tVoltage\n0,000000\t1,034000\n0,100000\t1,134000\n0,200000\t1,234000\n0,300000\t1,334000\n0,400000\t1,434000\n0,500000\t1,534000\n", "X_Value; Voltage; 0 0.1 0.2 0.3 0.4 0.5; 1.034 1.134 1.234 1.334 1.434 1.534"],
  "bank with debit and credit": ["Date,Description,Debit,Credit,Balance\n2024-01-02,Rent,850.00,,150.00\n2024-01-03,Pay,,2500.00,2650.00\n2024-01-05,Shop,45.90,,2604.10\n2024-01-08,Power,80.10,,2524.00\n2024-01-09,Phone,20,,2504\n", "Date; Debit; 2024-01-02 2024-01-05 2024-01-08 2024-01-09; 850 45.9 80.1 20"],
  "Longley's data, with numbers like years": ["\"Obs\",\"TOTEMP\",\"GNP\",\"UNEMP\",\"YEAR\"\n1,60323,234289,1590,1947\n2,61122,259426,2325,1948\n3,60171,258054,3682,1949\n4,61187,284599,3351,1950\n5,63221,328975,2099,1951\n", "Obs; TOTEMP; 1 2 3 4 5; 60323 61122 60171 61187 63221"],
  "statsmodels' elec_equip": ["DATE,N1111\nJan-1-1995,79.35\nFeb-1-1995,75.78\nMar-1-1995,86.32\nApr-1-1995,72.6\n", "DATE; N1111; 1995-01-01 1995-02-01 1995-03-01 1995-04-01; 79.35 75.78 86.32 72.6"],
  "names of several words between blanks": ["Station Sample Weight  CO2 conc.\n code   date          (ppmv)\n\nMLO    1   4      316.10\nMLO    2   6      317.30\nMLO    3   4      317.60\nMLO    4   7      317.5\n", "column 3; column 4; 4 4 6 7; 316.1 317.6 317.3 317.5"],
  "clock times past midnight": ["time,y\n22:00,5\n23:00,6\n00:00,8\n01:00,7\n", "time (h); y; 0 1 22 23; 8 7 5 6"],
};

/** Files that are rejected, and what the sentence must name. */
const REJECTED = {
  "a web page saved as .xls": ["<html><table><tr><td>1</td><td>5</td></tr></table></html>", /a web page \(HTML\); open it/],
  "values with uncertainties": ["x,y\n1,5.1±0.2\n2,6.0±0.3\n3,7.2±0.2\n4,8.1±0.4\n", /got “5.1±0.2” in row 2/],
  "ranges as keys": ["age,rate\n0-9,5\n10-19,6\n20-29,8\n30-39,7\n", /in “age”, got “0-9” in row 2/],
  "degrees and minutes": ["lat,temp\n47°30',5.5\n48°15',5.1\n49°00',4.5\n50°10',4\n", /in “lat”, got “47°30'” in row 2/],
  "two units in a column": ["x;y\n1;500 mg\n2;1 g\n3;700 mg\n4;800 mg\n5;2 g\n", /got 3 of 5: 2 unreadable, first “1 g” in row 3/],
  "a list of Stata": ["  +-------------+\n  | price   mpg |\n  |-------------|\n  1. | 4,099    22 |\n  2. | 4,749    17 |\n", /got “/],
};

/** Losses that the line under the figure must name. */
const SAID = {
  "Google Trends": /4 of 5 rows; dropped: “<1” in row 6/,
  "below detection limit": /dropped: “<0.5” in row 2 of “conc”/,
  "several blocks (two tables)": /8 of 9 rows; dropped: “x” in row 7/,
  "bank with debit and credit": /4 of 5 rows; dropped: 1 without a value; left out: “Description”/,
  "Excel copied with merged title": /4 of 5 rows; dropped: “Total” in row 8 of “Month”/,
  "Eurostat TSV": /turned into the first column, and letters behind numbers left out/,
  "clock times past midnight": /clock times without a date: midnight comes first/,
};

const dateText = (day) => new Date(Math.round((day * DAY) / 1000) * 1000).toISOString().slice(0, 16).replace("T00:00", "");

function read(content) {
  const table = tableOf(textOf(new TextEncoder().encode(content))),
    columns = firstColumns(table),
    points = pointsOf(table, columns);
  const texts = (numbers, areDates) => numbers.map(areDates ? dateText : String).join(" ");
  const meaning = [
    points.key_label,
    points.value_label,
    texts(points.keys, points.dates),
    texts(points.values, points.value_dates),
  ].join("; ");
  return { meaning, account: accountOf(table, columns, DELIMITERS) };
}

/** The faults among named files; `faultOf(name, …file)` gives one as text. */
const faults = (files, faultOf) =>
  Object.entries(files)
    .map(([name, file]) => [name, faultOf(name, ...file)])
    .filter(([, fault]) => fault);

test("files of programs mean what their programs mean", () => {
  assert.ok(Object.keys(FILES).length > 50);
  const wrong = faults(FILES, (name, content, meant) => {
    const { meaning, account } = read(content);
    if (meaning !== meant) return `${meaning}, not ${meant}`;
    return SAID[name] && !SAID[name].test(account) ? account : "";
  });
  assert.deepEqual(wrong, []);
});

test("files that cannot be read are rejected with the cell that is the trouble", () => {
  const wrong = faults(REJECTED, (_name, content, sentence) => {
    try {
      return `read as ${read(content).meaning}`;
    } catch (error) {
      return error instanceof InvalidInput && sentence.test(error.message) ? "" : error.message;
    }
  });
  assert.deepEqual(wrong, []);
});

test("UTF-16 without a mark is read", () => {
  const text = [..."x,y\n1,5\n2,6\n3,8\n4,7\n"];
  for (const pair of [(code) => [code, 0], (code) => [0, code]])
    assert.match(textOf(Uint8Array.from(text.flatMap((one) => pair(one.charCodeAt(0))))), /^x,y\n1,5/);
});

test("a local line takes all of equal keys far from the query", () => {
  const data = { keys: Float64Array.of(1, 1, 1, 2, 2, 3), values: Float64Array.of(2, 3, 4, 5, 1, 8) };
  assert.ok(Math.abs(estimateAt(1.6, data, "local-linear", 0.04).estimate - 3) < 1e-9, "both means are 3");
});
