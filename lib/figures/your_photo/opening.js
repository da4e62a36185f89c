import { html } from "../parts/plot.js";
import { InvalidInput } from "../parts/problem.js";
import { roundedPng } from "./png.js";
import { profileNotes } from "./profile.js";

// Convert a file to a picture: an opaque canvas, and notes about it. The first bytes of a file decide its format,
// not its name.

/** @typedef {{ canvas: HTMLCanvasElement, height: number, width: number, name: string, notes: string[] }} Picture */
/** @typedef {{ width: number, height: number }} Size */

export const MOST_PIXELS = 12e6;
const FEWEST = 16, // pixels of a side
  HUGE = 200e6, // pixels that no browser decodes safely
  LONGEST = 32_767; // pixels of a side
const HEAD = 4096; // bytes that tell the kind of a file

/**
 * What a header says; the size is unknown for some types.
 * @typedef {{ width?: number, height?: number, notes: string[] }} Header
 */

/** @type {[string, RegExp][]} */
const KINDS = [
  ["JPEG", /^\xff\xd8\xff/],
  ["PNG", /^\x89PNG\r\n\x1a\n/],
  ["GIF", /^GIF8/],
  ["WebP", /^RIFF.{4}WEBP/s],
  ["BMP", /^BM.{4}\0\0\0\0/s],
  ["AVIF", /^.{4}ftypavi[fs]/s], // avis is a sequence
  ["HEIC", /^.{4}ftyp(hei|hev|mif|msf)/s],
  ["a video", /^.{4}ftyp/s],
  ["a PDF", /^%PDF/],
  ["TIFF or a raw photograph", /^(II\*\0|MM\0\*)/],
  ["a zip file", /^PK\x03\x04/],
  ["SVG, which has no pixels", /^(\ufeff|\xef\xbb\xbf)?\s*(<\?xml.*<svg|<!DOCTYPE svg|<svg)/is],
];
const READ = ["JPEG", "PNG", "GIF", "WebP", "BMP", "AVIF"];
const FIRST_FRAME = "the first frame of an animation",
  REDUCED = "16 bits are reduced to 8",
  ROUNDED = "16 bits are rounded to 8";
const EXPECTED = "Expected a photograph as JPEG, PNG, WebP, AVIF, GIF or BMP, got";

/** The file type according to the first bytes. @param {Uint8Array} bytes */
export function kindOf(bytes) {
  const head = Array.from(bytes.subarray(0, HEAD), (byte) => String.fromCharCode(byte)).join("");
  const [kind] = KINDS.find(([, pattern]) => pattern.test(head)) ?? [];
  return kind ?? (bytes.subarray(0, HEAD).includes(0) ? "a file of an unknown kind" : "text");
}

/** The header of a file. @param {Uint8Array} bytes */
export function headerOf(bytes, kind = kindOf(bytes)) {
  if (!READ.includes(kind)) {
    const advice = kind === "HEIC" ? ", which cannot be read here: export it as JPEG" : "";
    throw new InvalidInput(`${EXPECTED} ${kind}${advice}.`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const { notes, ...size } = READERS[kind]?.(view, bytes) ?? { notes: [] };
  return { kind, ...size, notes: [...notes, ...profileNotes(bytes, kind)] };
}

/** @param {DataView} view @param {Uint8Array} bytes */
function ofPng(view, bytes) {
  const isWhole = bytes.length > 45 && String.fromCharCode(...bytes.subarray(-8, -4)) === "IEND";
  if (!isWhole) throw cutOff("PNG");
  const notes = [...(view.getUint8(24) === 16 ? [REDUCED] : []), ...(isAnimated(view) ? [FIRST_FRAME] : [])];
  return { width: view.getUint32(16), height: view.getUint32(20), notes };
}

/** Whether a PNG declares frames (acTL) before its image. @param {DataView} view */
function isAnimated(view) {
  let at = 8;
  for (; at + 12 < view.byteLength; at += 12 + view.getUint32(at)) {
    const name = view.getUint32(at + 4);
    if (name === 0x49444154) return false; // IDAT
    if (name === 0x6163544c) return view.getUint32(at + 8) > 1; // acTL
  }
  return false;
}

const cutOff = (/** @type {string} */ kind) =>
  new InvalidInput(`Expected a whole ${kind} file, got one that is cut off or damaged.`);

/** Walk along the segments of a JPEG to the start of its frame. @param {DataView} view */
function ofJpeg(view) {
  let at = 2;
  while (at + 9 < view.byteLength && view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const notes =
        view.getUint8(at + 9) === 4 ? ["four printing colours (CMYK) are converted to red, green, blue"] : [];
      return { width: view.getUint16(at + 7), height: view.getUint16(at + 5), notes };
    } else at += 2 + view.getUint16(at + 2);
  }
  throw cutOff("JPEG");
}

/** @param {DataView} view @param {Uint8Array} bytes */
function ofGif(view, bytes) {
  if (bytes.length < 14) throw cutOff("GIF");
  const notes = framesOf(bytes) > 1 ? [FIRST_FRAME] : [];
  return { width: view.getUint16(6, true), height: view.getUint16(8, true), notes };
}

/** Count the images of a GIF, at most two, along its blocks. @param {Uint8Array} bytes */
function framesOf(bytes) {
  const colours = (/** @type {number} */ flags) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let at = 13 + colours(bytes[10]),
    frames = 0;
  while (frames < 2 && (bytes[at] === 0x21 || bytes[at] === 0x2c)) {
    const isImage = bytes[at] === 0x2c;
    frames += isImage ? 1 : 0;
    at += isImage ? 11 + colours(bytes[at + 9]) : 2;
    while (bytes[at]) at += bytes[at] + 1; // blocks of data, each with its length
    at += 1;
  }
  return frames;
}

/** @param {DataView} _view @param {Uint8Array} bytes */
const ofAvif = (_view, bytes) => ({ notes: bytes[11] === 0x73 ? [FIRST_FRAME] : [] }); // the s of avis

/** @param {DataView} view @param {Uint8Array} bytes */
function ofWebp(view, bytes) {
  const isExtended = bytes.length > 30 && String.fromCharCode(...bytes.subarray(12, 16)) === "VP8X";
  return { notes: isExtended && view.getUint8(20) & 2 ? [FIRST_FRAME] : [] };
}

/** @type {Record<string, (view: DataView, bytes: Uint8Array) => Header>} */
const READERS = { PNG: ofPng, JPEG: ofJpeg, GIF: ofGif, WebP: ofWebp, AVIF: ofAvif };

const megapixels = (/** @type {Size} */ { width, height }) =>
  `${(width * height) / 1e6 < 10 ? ((width * height) / 1e6).toFixed(1) : Math.round((width * height) / 1e6)}\u00a0megapixels`;

/** The largest size of the same shape with as many pixels as a picture may have. @param {Size} size @returns {Size} */
export function scaledSize({ width, height }) {
  const factor = Math.min(1, Math.sqrt(MOST_PIXELS / (width * height)));
  return { width: Math.floor(width * factor), height: Math.floor(height * factor) };
}

/** Throws if a picture has too few pixels, or far too many. @param {Size} size */
export function checkSize({ width, height }) {
  const size = `${width}\u00a0×\u00a0${height}`;
  if (Math.min(width, height) < FEWEST) {
    throw new InvalidInput(`Expected a photograph of at least ${FEWEST}\u00a0×\u00a0${FEWEST} pixels, got ${size}.`);
  }
  if (width * height > HUGE || Math.max(width, height) > LONGEST) {
    throw new InvalidInput(
      `Expected at most ${HUGE / 1e6}\u00a0megapixels and ${LONGEST} pixels of a side, got ${megapixels({ width, height })}, ${size}.`,
    );
  }
}

/**
 * Read a file. A picture with too many pixels is scaled if `isScaled`; otherwise `offer(size)` is called with the
 * size that it would have, and an error says so.
 * @param {File} file
 * @param {{ isScaled: boolean, offer: (size: Size) => void }} how
 * @returns {Promise<Picture>}
 */
export async function readPicture(file, { isScaled, offer }) {
  const bytes = new Uint8Array(await file.arrayBuffer()),
    header = headerOf(bytes);
  const known = header.width ? /** @type {Size} */ (header) : undefined;
  if (known) checkSize(known);
  const refuse = (/** @type {Size} */ size) => {
    if (isScaled || size.width * size.height <= MOST_PIXELS) return;
    offer(scaledSize(size));
    throw new InvalidInput(
      `Expected at most ${MOST_PIXELS / 1e6}\u00a0megapixels, got ${megapixels(size)}. It can be opened scaled down.`,
    );
  };
  if (known) refuse(known);
  const isSmall = known && known.width * known.height <= MOST_PIXELS,
    rounded = isSmall && header.notes.includes(REDUCED) ? await roundedPng(bytes) : undefined;
  const bitmap = await createImageBitmap(rounded ?? file, { imageOrientation: "from-image" }).catch(() => {
    throw cutOff(header.kind);
  });
  checkSize(bitmap);
  refuse(bitmap);
  const size = scaledSize(bitmap),
    notes = header.notes.map((note) => (note === REDUCED && rounded ? ROUNDED : note));
  if (size.width < bitmap.width) notes.push(`scaled from ${bitmap.width}\u00a0×\u00a0${bitmap.height} pixels`);
  const canvas = drawn(bitmap, size, notes);
  bitmap.close();
  return { canvas, ...size, name: file.name, notes };
}

/** Draw a bitmap on white. @type {(bitmap: ImageBitmap, size: Size, notes: string[]) => HTMLCanvasElement} */
function drawn(bitmap, { width, height }, notes) {
  const canvas = html("canvas", { width, height }),
    context = canvas.getContext("2d", { willReadFrequently: true });
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  const seen = opacity(context, width, height);
  if (seen === 0) throw new InvalidInput("Expected a photograph that can be seen, got one that is fully transparent.");
  if (seen < 255) {
    notes.push("transparent parts are white");
    context.globalCompositeOperation = "destination-over";
    context.fillStyle = "#FFFFFF";
    context.fillRect(0, 0, width, height);
  }
  return canvas;
}

/**
 * 0 if all pixels are transparent, 255 if none is, otherwise 1. The pixels are read in strips to save memory.
 * @type {(context: CanvasRenderingContext2D, width: number, height: number) => number}
 */
function opacity(context, width, height) {
  let [least, most] = [255, 0];
  for (let top = 0; top < height; top += 256) {
    const { data } = context.getImageData(0, top, width, Math.min(256, height - top));
    for (let i = 3; i < data.length; i += 4) {
      if (data[i] < least) least = data[i];
      if (data[i] > most) most = data[i];
    }
  }
  return least === 255 ? 255 : Math.min(most, 1);
}
