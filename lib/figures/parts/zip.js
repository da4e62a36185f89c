import { InvalidInput } from "./problem.js";

// Reading zip archives: stored and deflated entries of the central directory.

const END = 0x06054b50,
  ENTRY = 0x02014b50,
  LOCAL = 0x04034b50; // signatures
const END_LENGTH = 22,
  LONGEST_COMMENT = 65_535,
  MOST_ENTRIES = 20_000;

/** Whether to ignore an entry of an archive: folders, and files that operating systems add. @param {string} path */
export const isClutter = (path) => /\/$|(^|\/)(__MACOSX\/|\.(?!\.?\/)|Thumbs\.db$|desktop\.ini$)/i.test(path);

const viewOf = (/** @type {Uint8Array} */ bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * The entries of an archive, each with its path, or with the reason why it cannot be read. Nothing is unpacked.
 * @param {Uint8Array} bytes
 * @returns {{ path: string, size: number, why?: string, method: number, packed: number, start: number }[]}
 */
export function entriesOf(bytes) {
  const view = viewOf(bytes),
    end = endOf(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count === 0xffff || at === 0xffffffff) throw new InvalidInput("Expected an ordinary zip archive, got a zip64.");
  if (count > MOST_ENTRIES) {
    throw new InvalidInput(`Expected at most 20,000 files in an archive, got ${count.toLocaleString("en-GB")}.`);
  }
  return Array.from({ length: count }, () => {
    if (at + 46 > end || view.getUint32(at, true) !== ENTRY) throw truncated();
    const entry = entryAt(view, bytes, at);
    at += 46 + [28, 30, 32].reduce((sum, place) => sum + view.getUint16(at + place, true), 0);
    return entry;
  });
}

const truncated = () => new InvalidInput("Expected a complete zip archive, got one that is truncated or damaged.");

/** The place of the record at the end of an archive. @param {DataView} view */
function endOf(view) {
  const last = view.byteLength - END_LENGTH;
  for (let at = last; at >= Math.max(last - LONGEST_COMMENT, 0); at -= 1) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw truncated();
}

/** @param {DataView} view @param {Uint8Array} bytes @param {number} at */
function entryAt(view, bytes, at) {
  const [flags, method] = [8, 10].map((place) => view.getUint16(at + place, true)),
    [packed, size] = [20, 24].map((place) => view.getUint32(at + place, true));
  const name = bytes.subarray(at + 46, at + 46 + view.getUint16(at + 28, true));
  const path = new TextDecoder(flags & 0x800 ? "utf-8" : "windows-1252").decode(name).replaceAll("\\", "/");
  const why = flags & 1 ? "encrypted" : method !== 0 && method !== 8 ? "an unusual compression" : undefined;
  return { path, size, why, method, packed, start: view.getUint32(at + 42, true) };
}

/**
 * Unpack an entry; undefined if it is damaged or larger than declared.
 * @param {Uint8Array<ArrayBuffer>} bytes of the archive
 * @param {{ size: number, method: number, packed: number, start: number }} entry
 */
export async function unpacked(bytes, { size, method, packed, start }) {
  const view = viewOf(bytes);
  if (start + 30 > bytes.length || view.getUint32(start, true) !== LOCAL) return undefined;
  const from = start + 30 + view.getUint16(start + 26, true) + view.getUint16(start + 28, true);
  const content = bytes.subarray(from, from + packed);
  if (content.length < packed) return undefined;
  if (method === 0) return content.length === size ? content : undefined;
  return inflated(content, size);
}

/** Inflate to exactly this size, and stop as soon as there is more. @param {Uint8Array} content @param {number} size */
async function inflated(content, size) {
  const source = new ReadableStream({
    start(controller) {
      controller.enqueue(content);
      controller.close();
    },
  });
  const reader = source.pipeThrough(new DecompressionStream("deflate-raw")).getReader(),
    all = new Uint8Array(size);
  let length = 0;
  try {
    for (let { value } = await reader.read(); value; { value } = await reader.read()) {
      if (length + value.length > size) {
        await reader.cancel();
        return undefined;
      }
      all.set(value, length);
      length += value.length;
    }
  } catch {
    return undefined;
  }
  return length === size ? all : undefined;
}
