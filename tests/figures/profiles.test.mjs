// Colour profiles of photographs: which ones the note below the picture names.

import assert from "node:assert/strict";
import { test } from "node:test";
import { profileNotes } from "../../lib/figures/your_photo/profile.js";

const bytesOf = (...parts) =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? Array.from(part, (one) => one.charCodeAt(0)) : [...part])));
const four = (number) => [number >>> 24, (number >> 16) & 255, (number >> 8) & 255, number & 255];
const zeros = (count) => new Uint8Array(count);

/** The least of an ICC profile, of version 4 (UTF-16) or 2 (ASCII): a header and its name. */
function iccOf(name, version = 4) {
  const wide = [...name].flatMap((one) => [0, one.charCodeAt(0)]);
  const text = version === 4 ? bytesOf("mluc", four(0), four(1), four(12), "enUS", four(wide.length), four(28), wide) : bytesOf("desc", four(0), four(name.length + 1), name, [0]);
  return bytesOf(zeros(128), four(1), "desc", four(144), four(text.length), text);
}

const jpeg = (icc) => bytesOf([255, 216, 255, 0xe2], [0, 16 + icc.length], "ICC_PROFILE\0", [1, 1], icc, [255, 0xda], zeros(20));
const png = (name, content) => bytesOf(zeros(8), four(13), "IHDR", zeros(13), four(0), four(content.length), name, content, four(0), four(0), "IDAT", four(0));

const FILES = {
  "a JPEG in Display P3": ["JPEG", jpeg(iccOf("Display P3")), " (Display P3)"],
  "a JPEG with a profile of version 2": ["JPEG", jpeg(iccOf("Adobe RGB", 2)), " (Adobe RGB)"],
  "a JPEG in sRGB": ["JPEG", jpeg(iccOf("sRGB built-in")), undefined],
  "a JPEG with markup as name": ["JPEG", jpeg(iccOf("<b>P3</b>")), " (bP3b)"],
  "a JPEG without a profile": ["JPEG", bytesOf([255, 216, 255, 0xe0, 0, 4, 0, 0, 255, 0xda], zeros(20)), undefined],
  "a PNG with a named profile": ["PNG", png("iCCP", bytesOf("Adobe RGB\0\0")), " (Adobe RGB)"],
  "a PNG with a profile that only says that it is one": ["PNG", png("iCCP", bytesOf("ICC Profile\0\0")), ""],
  "a PNG of linear light": ["PNG", png("gAMA", four(100_000)), " (gamma 1.000)"],
  "a PNG with the gamma of sRGB": ["PNG", png("gAMA", four(45_455)), undefined],
  "a WebP in Display P3": ["WebP", bytesOf("RIFF....WEBPVP8X", zeros(14), "ICCP", four(0), iccOf("Display P3")), " (Display P3)"],
  "an AVIF in Display P3": ["AVIF", bytesOf("....ftypavif....colrprof", iccOf("Display P3")), " (Display P3)"],
  "a profile that is cut off": ["JPEG", jpeg(iccOf("Display P3").slice(0, 140)), ""],
};

for (const [name, [kind, bytes, called]] of Object.entries(FILES)) {
  test(`colours are said: ${name}`, () => {
    assert.deepEqual(profileNotes(bytes, kind), called === undefined ? [] : [`its colour profile${called} is converted to sRGB`]);
  });
}
