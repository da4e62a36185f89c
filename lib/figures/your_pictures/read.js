import { decodeBytes } from "../methods/base64.js";
import { InvalidInput } from "../parts/problem.js";
import { isZip, reasonAgainst, reasonAgainstSize } from "./picture_file.js";
import { bothKinds, FEWEST, joined, MOST_PICTURES } from "./training_set.js";
import { entriesOf, isClutter, unpacked } from "../parts/zip.js";

// From files and zip archives to a training set. It runs in the worker.

const LARGEST_ENTRY = 50e6, // bytes of an unpacked picture
  LARGEST_TOTAL = 500e6, // of all in an archive
  ROUGH = 224, // pixels: larger pictures are first reduced by the browser
  N_NAMED = 3; // files that a sentence names

/**
 * @typedef {import("./training_set.js").Kind} Kind
 *
 * A file that the page has read.
 * @typedef {{ bytes: Uint8Array<ArrayBuffer>, path: string }} Content
 *
 * A file that may be a picture. `load()` returns bytes, or a reason why it cannot; `why` is a reason not to load it.
 * @typedef {{ path: string, why?: string, load(): Promise<Uint8Array<ArrayBuffer> | string> }} Candidate
 * @typedef {{ name: string, why: string }} Left
 * @typedef {{ name: string } & Record<Kind, Uint8Array>} Read
 */

const nameOf = (/** @type {string} */ path) => path.slice(path.lastIndexOf("/") + 1);

/**
 * The pictures among files, in the order of their paths.
 * @param {Content[]} files
 * @returns {Candidate[]}
 */
function candidatesOf(files) {
  const all = files
    .filter(({ path }) => !isClutter(path))
    .map((file) => (isZip(file.bytes) ? inArchive(file.bytes) : [one(file)]));
  return all.flat().sort((a, b) => a.path.localeCompare(b.path, "en", { numeric: true }));
}

const one = (/** @type {Content} */ { bytes, path }) => ({ path, why: undefined, load: async () => bytes });

/** @param {Uint8Array<ArrayBuffer>} bytes @returns {Candidate[]} */
function inArchive(bytes) {
  const entries = entriesOf(bytes).filter(({ path }) => !isClutter(path));
  if (!entries.length) throw new InvalidInput("Expected pictures in the zip archive, got an empty one.");
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > LARGEST_TOTAL) {
    const found = Math.round(total / 1e6).toLocaleString("en-GB");
    throw new InvalidInput(`Expected at most 500 MB of unpacked pictures in the archive, got ${found} MB.`);
  }
  return entries.map((entry) => ({
    path: entry.path,
    why: entry.why ?? (entry.size > LARGEST_ENTRY ? "more than 50 MB unpacked" : undefined),
    load: async () => (await unpacked(bytes, entry)) ?? "damaged",
  }));
}

const DOT = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"; // a picture of one pixel

/** Whether workers decode pictures here; on a page that was opened from disk, WebKit's do not. */
const canDecode = () =>
  createImageBitmap(new Blob([decodeBytes(DOT)])).then(
    () => true,
    () => false,
  );

/**
 * The pixels of a picture in grey and in colour, or the reason why it cannot be read.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function decoded(bytes) {
  const why = reasonAgainst(bytes);
  if (why) return why;
  /** @type {ImageBitmap} */
  let bitmap;
  try {
    bitmap = await createImageBitmap(new Blob([bytes]));
  } catch {
    return (await canDecode()) ? "damaged" : "this browser reads it only on a page from a server";
  }
  const { width, height } = bitmap,
    square = Math.min(width, height),
    side = Math.min(square, ROUGH);
  const canvas = new OffscreenCanvas(side, side),
    pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: true }));
  pen.fillStyle = "white"; // behind what is transparent
  pen.fillRect(0, 0, side, side);
  pen.imageSmoothingQuality = "high";
  pen.drawImage(bitmap, (width - square) / 2, (height - square) / 2, square, square, 0, 0, side, side);
  bitmap.close();
  const { data } = pen.getImageData(0, 0, side, side);
  const colours = Float64Array.from({ length: 3 * side * side }, (_, i) => data[4 * Math.floor(i / 3) + (i % 3)]);
  return reasonAgainstSize([width, height]) ?? bothKinds(colours, side);
}

/**
 * Read the first `MOST_PICTURES` pictures. Returns the set and a sentence on what was left out.
 * @param {Content[]} files
 * @param {(share: number) => void} progress
 */
export async function readPictures(files, progress) {
  if (!self.OffscreenCanvas)
    throw new InvalidInput("Expected a browser of 2023 or later, which reads pictures in a worker.");
  const candidates = candidatesOf(files),
    read = /** @type {Read[]} */ ([]),
    left = /** @type {Left[]} */ ([]);
  let done = 0;
  for (const { path, why, load } of candidates) {
    if (read.length === MOST_PICTURES) break;
    const found = why ?? (await load()),
      picture = typeof found === "string" ? found : await decoded(found);
    if (typeof picture === "string") left.push({ name: nameOf(path), why: picture });
    else read.push({ name: nameOf(path), ...picture });
    done += 1;
    progress(done / candidates.length);
  }
  check(read, left);
  const of = (/** @type {Kind} */ kind) => joined(read.map((one) => one[kind]));
  const set = { n: read.length, names: read.map(({ name }) => name), grey: of("grey"), colour: of("colour") };
  return { set, note: noteOn(left, candidates.length - done) };
}

/** @param {Read[]} read @param {Left[]} left */
function check(read, left) {
  if (read.length < FEWEST) {
    const what = left.length ? ` ${leftOut(left)}` : "";
    throw new InvalidInput(`Expected at least ${FEWEST} pictures, got ${read.length || "none"}.${what}`);
  }
  const isSame = (/** @type {Read} */ { colour, grey }) =>
    colour.every((byte, i) => byte === read[0].colour[i]) && grey.every((byte, i) => byte === read[0].grey[i]);
  if (read.every(isSame)) throw new InvalidInput(`Expected pictures that differ, got ${read.length} copies of one.`);
}

const short = (/** @type {string} */ name) => (name.length > 28 ? `${name.slice(0, 27)}…` : name);

/** Count and name the files that could not be read. @param {Left[]} left */
function leftOut(left) {
  const named = left.slice(0, N_NAMED).map(({ name, why }) => `${short(name)} (${why})`),
    more = left.length > N_NAMED ? ` and ${(left.length - N_NAMED).toLocaleString("en-GB")} more` : "";
  return `Left out ${left.length === 1 ? "one file" : `${left.length.toLocaleString("en-GB")} files`}: ${named.join(", ")}${more}.`;
}

/** @param {Left[]} left @param {number} beyond */
function noteOn(left, beyond) {
  const many = beyond ? [`Expected at most 2,000 pictures, got more: the first 2,000 are used.`] : [];
  return [...many, ...(left.length ? [leftOut(left)] : [])].join(" ");
}
