// What a file is, from its first bytes: a picture that browsers read, or the reason why not.

const LARGEST_AREA = 50e6, // pixels
  LEAST_SIDE = 4;

/** @param {Uint8Array} bytes @param {string} text */
const startsWith = (bytes, text, at = 0) => [...text].every((one, i) => bytes[at + i] === one.charCodeAt(0));

const viewOf = (/** @type {Uint8Array} */ bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Formats: a test of the first bytes, and a reader of the width and height if the header contains them.
 * @type {[isIt: (bytes: Uint8Array) => boolean, size: (view: DataView) => number[] | undefined][]}
 */
const READABLE = [
  [(bytes) => startsWith(bytes, "\x89PNG\r\n\x1a\n"), (view) => [view.getUint32(16), view.getUint32(20)]],
  [(bytes) => startsWith(bytes, "GIF8"), (view) => [view.getUint16(6, true), view.getUint16(8, true)]],
  [(bytes) => startsWith(bytes, "BM"), (view) => [view.getInt32(18, true), Math.abs(view.getInt32(22, true))]],
  [(bytes) => startsWith(bytes, "\xff\xd8\xff"), sizeOfJpeg],
  [(bytes) => startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8), sizeOfWebp],
  [(bytes) => startsWith(bytes, "ftypavi", 4), () => undefined],
];

/** @type {Record<string, (bytes: Uint8Array) => boolean>} */
const OTHERS = {
  "HEIC, which browsers do not read": (bytes) => /^ftyp(hei|hev|mif1|msf1)/.test(textAt(bytes, 4, 8)),
  "a zip in a zip": (bytes) => isZip(bytes),
  "SVG, which is not made of pixels": (bytes) => /^\s*<(\?xml|svg|!doctype svg)/i.test(textAt(bytes, 0, 16)),
  "a PDF": (bytes) => startsWith(bytes, "%PDF"),
  "TIFF, which browsers do not read": (bytes) => startsWith(bytes, "II*\0") || startsWith(bytes, "MM\0*"),
};

/** @type {(bytes: Uint8Array, at: number, length: number) => string} */
const textAt = (bytes, at, length) => String.fromCharCode(...bytes.subarray(at, at + length));

/** Also an empty archive, and the later part of a split one. @param {Uint8Array} bytes */
export const isZip = (bytes) => ["\x03\x04", "\x05\x06", "\x07\x08"].some((kind) => startsWith(bytes, `PK${kind}`));

/** Why a file is no usable picture; undefined if it may be one. @param {Uint8Array} bytes */
export function reasonAgainst(bytes) {
  if (!bytes.length) return "empty";
  const format = READABLE.find(([isIt]) => isIt(bytes));
  if (!format) return Object.keys(OTHERS).find((name) => OTHERS[name](bytes)) ?? "not a picture";
  /** @type {number[] | undefined} */
  let size;
  try {
    size = format[1](viewOf(bytes));
    if (format === READABLE[0] && !hasEnd(bytes)) return "truncated";
  } catch {
    return "truncated"; // the header ends too early
  }
  return size && reasonAgainstSize(size);
}

/** @param {number[]} size */
export function reasonAgainstSize([width, height]) {
  if (width * height > LARGEST_AREA) return `${Math.round((width * height) / 1e6)} megapixels, more than 50`;
  return Math.min(width, height) < LEAST_SIDE ? `only ${width} × ${height} pixels` : undefined;
}

/** Whether the chunks of a PNG file are complete. @param {Uint8Array} bytes */
function hasEnd(bytes) {
  const view = viewOf(bytes);
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    if (startsWith(bytes, "IEND", at + 4)) return true;
  }
  return false;
}

/** Follow the markers of a JPEG file to the start of the frame. @param {DataView} view */
function sizeOfJpeg(view) {
  for (let at = 2; ; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) return [view.getUint16(at + 7), view.getUint16(at + 5)];
    if (marker < 0xff01) return undefined; // not where a marker should be: let the browser decide
  }
}

/** @param {DataView} view */
function sizeOfWebp(view) {
  const kind = String.fromCharCode(view.getUint8(15));
  if (kind === "X") return [24, 27].map((at) => 1 + view.getUint16(at, true) + 65_536 * view.getUint8(at + 2));
  if (kind === " ") return [26, 28].map((at) => view.getUint16(at, true) & 0x3fff);
  const bits = view.getUint32(21, true);
  return [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)];
}
