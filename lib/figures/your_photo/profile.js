// What the browser converts to sRGB, because a file names its colours otherwise: an ICC profile, or the gamma of a PNG.

const SRGB_GAMMA = 45_455; // 1/2.2 in a PNG

/** @param {Uint8Array} bytes */
const textOf = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

/**
 * A note on the colours of a file, if the browser converts them.
 * @param {Uint8Array} bytes
 * @param {string} kind
 * @returns {string[]}
 */
export function profileNotes(bytes, kind) {
  const name = READERS[kind]?.(bytes);
  if (name === undefined || /sRGB/i.test(name)) return [];
  const known = name
    .replace(/^icc.?profile$/i, "")
    .replace(/[^\p{L}\p{N} ().,_-]/gu, "")
    .trim();
  return [`its colour profile${known ? ` (${known.slice(0, 32)})` : ""} is converted to sRGB`];
}

/** The name of a PNG's profile or its gamma, by the chunks before its pixels. @param {Uint8Array} bytes */
function ofPng(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  /** @type {Record<string, Uint8Array>} */
  const found = {};
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const kind = textOf(bytes.subarray(at + 4, at + 8));
    if (kind === "IDAT") break;
    found[kind] ??= bytes.subarray(at + 8, at + 8 + view.getUint32(at));
  }
  const { iCCP, sRGB, gAMA, cICP } = found;
  if (cICP) return cICP[0] === 1 ? undefined : "cICP";
  if (iCCP) return textOf(iCCP.subarray(0, iCCP.indexOf(0)));
  if (sRGB || !gAMA) return undefined;
  const gamma = new DataView(gAMA.buffer, gAMA.byteOffset).getUint32(0);
  return Math.abs(gamma - SRGB_GAMMA) < 500 ? undefined : `gamma ${(gamma / 1e5).toFixed(3)}`;
}

/** The first part of a JPEG's profile, which is in its segments APP2. @param {Uint8Array} bytes */
function ofJpeg(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 2; at + 18 < bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda; ) {
    const end = at + 2 + view.getUint16(at + 2);
    if (bytes[at + 1] === 0xe2 && textOf(bytes.subarray(at + 4, at + 15)) === "ICC_PROFILE")
      return iccName(bytes.subarray(at + 18, end));
    at = end;
  }
  return undefined;
}

/** The profile of an extended WebP follows its header. */
const ofWebp = (/** @type {Uint8Array} */ bytes) =>
  textOf(bytes.subarray(30, 34)) === "ICCP" ? iccName(bytes.subarray(38)) : undefined;

/** The profile in an AVIF's box `colr`. @param {Uint8Array} bytes */
function ofAvif(bytes) {
  const at = textOf(bytes.subarray(0, 4096)).indexOf("colrprof");
  return at < 0 ? undefined : iccName(bytes.subarray(at + 8));
}

/** @type {Record<string, (bytes: Uint8Array) => string | undefined>} */
const READERS = { PNG: ofPng, JPEG: ofJpeg, WebP: ofWebp, AVIF: ofAvif };

/**
 * The description in an ICC profile (ICC.1, `desc`): ASCII in version 2, UTF-16 in version 4.
 * @param {Uint8Array} profile
 */
function iccName(profile) {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength),
    at = (/** @type {number} */ place) => (place + 4 <= profile.length ? view.getUint32(place) : 0);
  for (let i = 0, tag = 132; i < Math.min(at(128), 100); i += 1, tag += 12) {
    if (textOf(profile.subarray(tag, tag + 4)) !== "desc") continue;
    const start = at(tag + 4);
    if (textOf(profile.subarray(start, start + 4)) !== "mluc")
      return textOf(profile.subarray(start + 12, start + 11 + at(start + 8)));
    const text = start + at(start + 24);
    return new TextDecoder("utf-16be").decode(profile.subarray(text, text + at(start + 20)));
  }
  return "";
}
