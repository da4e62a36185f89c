// Convert the number of a cell to what its format shows. ECMA-376 part 1, 18.8.30 numbers the formats and defines
// how they are spelled.

const DAY = 86_400_000, // milliseconds
  EPOCH_1900 = 25_569, // days from 1899-12-30 to 1970
  EPOCH_1904 = 24_107, // days from 1904-01-01 to 1970
  LEAP_1900 = 60, // the serial number of 29 February 1900, which Excel counts and the calendar has not
  A_YEAR = 366;

/** @typedef {"number" | "date" | "time" | "percent"} Meaning */

/** The meaning of a built-in format, which has no code. @param {number} id @returns {Meaning} */
function builtIn(id) {
  const within = (/** @type {number[][]} */ ...ranges) => ranges.some(([low, high]) => id >= low && id <= high);
  if (within([18, 21], [32, 35], [45, 47])) return "time";
  if (within([14, 17], [22, 22], [27, 36], [50, 58])) return "date";
  return within([9, 10]) ? "percent" : "number";
}

/** The meaning of a number format. @param {number} id @param {string} [code] as yyyy\-mm\-dd @returns {Meaning} */
export function meaningOf(id, code) {
  if (code === undefined) return builtIn(id);
  const [bare] = code.replace(/"[^"]*"|\\.|[_*]./g, "").split(";"),
    letters = bare.replace(/\[[^\]]*\]/g, "");
  if (/\[(h+|m+|s+)\]/i.test(bare)) return "time"; // elapsed
  if (/[yd]/i.test(letters)) return "date";
  if (/[hs]/i.test(letters)) return "time";
  if (/m/i.test(letters)) return "date";
  return letters.includes("%") ? "percent" : "number";
}

/**
 * A serial number of days as a date, with its time if it has one; the number itself beyond all dates.
 * @param {number} serial
 * @param {boolean} is1904
 */
function dateText(serial, is1904) {
  const early = serial >= 0 && serial < LEAP_1900 ? 1 : 0,
    days = is1904 ? serial - EPOCH_1904 : serial - EPOCH_1900 + early;
  const date = new Date(Math.round(days * DAY)),
    text = Number.isNaN(date.getTime()) ? "" : date.toISOString();
  if (!/^\d{4}-/.test(text)) return serial;
  return text.endsWith("T00:00:00.000Z") ? text.slice(0, 10) : text.slice(0, 23).replace("T", " ");
}

const rounded = (/** @type {number} */ value) => Number(value.toPrecision(14));

/**
 * The value of a cell as it is displayed: a number, a number with a unit (hours, percent) or a date as text.
 * @param {number} number @param {Meaning} meaning @param {boolean} is1904 whether days are counted from 1904
 */
export function displayed(number, meaning, is1904) {
  if (meaning === "percent") return { value: rounded(100 * number), unit: "%" };
  if (meaning === "date" || (meaning === "time" && number >= A_YEAR)) return dateText(number, is1904);
  return meaning === "time" ? { value: rounded(24 * number), unit: "h" } : number;
}
