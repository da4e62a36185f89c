import { InvalidInput } from "../parts/problem.js";

// Text from a file, a paste or the field. Each error is one sentence that says what was expected and what came.

/** How well-known files begin that are no plain text. @type {Record<string, string>} */
const SIGNATURES = {
  "a PDF": "%PDF",
  "a Word document or a zip archive; save it as plain text": "PK\x03\x04",
  "an old Word document; save it as plain text": "\xd0\xcf\x11\xe0",
  "an RTF document; save it as plain text": "{\\rtf",
  "a PNG image": "\x89PNG",
  "a JPEG image": "\xff\xd8\xff",
  "a GIF image": "GIF8",
  "a gzip archive": "\x1f\x8b",
};

/**
 * Decode a file: by its byte-order mark, as UTF-16 if every other byte is zero, as UTF-8, or, if it is not valid, as
 * Windows-1252. Returns the text and the name of the encoding.
 * @param {Uint8Array} bytes
 */
export function decodedText(bytes) {
  const head = String.fromCharCode(...bytes.subarray(0, 5)),
    kind = Object.keys(SIGNATURES).find((name) => head.startsWith(SIGNATURES[name]));
  if (kind) throw new InvalidInput(`Expected plain text, got ${kind}.`);
  const encoding = encodingOf(bytes);
  try {
    return { encoding, text: new TextDecoder(encoding, { fatal: true }).decode(bytes) };
  } catch {
    if (encoding !== "UTF-8") throw new InvalidInput(`Expected text in ${encoding}, got bytes that are not.`);
    return { encoding: "Windows-1252", text: new TextDecoder("windows-1252").decode(bytes) };
  }
}

/**
 * The encoding by the byte-order mark or, in text of European languages, by the zeros of UTF-16.
 * @param {Uint8Array} bytes
 */
function encodingOf(bytes) {
  const mark = bytes[0] * 256 + bytes[1];
  if (mark === 0xfffe) return "UTF-16LE";
  if (mark === 0xfeff) return "UTF-16BE";
  const pairs = Math.min(bytes.length, 2000) >> 1,
    zeros = [0, 1].map(
      (odd) => Array.from({ length: pairs }, (_, i) => bytes[2 * i + odd]).filter((b) => b === 0).length,
    );
  if (zeros[1] > 0.7 * pairs && zeros[0] === 0) return "UTF-16LE";
  return zeros[0] > 0.7 * pairs && zeros[1] === 0 ? "UTF-16BE" : "UTF-8";
}

/**
 * A text that the model can read, with line feeds as line ends and without lone surrogates.
 * @param {string} text
 * @param {number} longest in bytes of UTF-8
 */
export function checkedText(text, longest) {
  if (/[\0-\x08\x0e-\x1f]/.test(text)) throw new InvalidInput("Expected plain text, got a binary file.");
  const plain = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (!plain.trim()) throw new InvalidInput(`Expected a text, got ${plain ? "only blank space" : "nothing"}.`);
  const bytes = new TextEncoder().encode(plain);
  if (bytes.length > longest) throw tooLong(bytes.length, longest);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

/**
 * Marks of typography, of which each costs three tokens, and those of the vocabulary.
 * @type {Record<string, string>}
 */
const PLAIN = { "‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "…": "..." };

/** The text with straight quotes, hyphens for dashes and three dots. @param {string} text */
export const withPlainMarks = (text) => text.replace(/[‘’“”–—…]/g, (mark) => PLAIN[mark]);

const tooLong = (/** @type {number} */ length, /** @type {number} */ longest) =>
  new InvalidInput(
    `Expected at most ${longest.toLocaleString("en")} bytes, about three pages, got ${length.toLocaleString("en")}.`,
  );
