// The reader of GGUF files in lib/published_model/gguf.py. Matrices stay in the file's encoding and are decoded row by
// row, because the whole model in single precision would take more than 500 MB.

/** @typedef {{ name: string, encoding: Encoding, bytes: Uint8Array, n_rows: number, width: number }} Matrix */
/** @typedef {Record<string, any>} Settings By name: numbers, texts, and lists of them, as the file has them. */
/**
 * @typedef {{ name: string, length: number, size: number, decode(bytes: Uint8Array, at: number, row: Float32Array,
 *   to: number): void }} Encoding
 */

export const BLOCK = 32; // numbers that share a scale

/** The value of each half-precision number, by its bits. */
export const HALVES = Float32Array.from({ length: 65536 }, (_, bits) => {
  const sign = bits & 0x8000 ? -1 : 1,
    exponent = (bits >> 10) & 31,
    fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
});

const halfAt = (/** @type {Uint8Array} */ bytes, /** @type {number} */ at) => HALVES[bytes[at] | (bytes[at + 1] << 8)];

const singles = new DataView(new ArrayBuffer(4));

/** @param {Uint8Array} bytes @param {number} at */
function singleAt(bytes, at) {
  for (let i = 0; i < 4; i += 1) singles.setUint8(i, bytes[at + i]);
  return singles.getFloat32(0, true);
}

/**
 * Decode sixteen bytes to 32 numbers: the low halves of the bytes, then the high ones.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @param {Float32Array} row
 * @param {number} to
 * @param {number} scale
 * @param {number} least
 */
function decodeNibbles(bytes, at, row, to, scale, least) {
  for (let i = 0; i < BLOCK / 2; i += 1) {
    const byte = bytes[at + i];
    row[to + i] = scale * (byte & 15) + least;
    row[to + 16 + i] = scale * (byte >> 4) + least;
  }
}

/**
 * An encoding in blocks of `BLOCK` numbers.
 * @param {string} name
 * @param {number} size
 * @param {Encoding["decode"]} decode
 * @returns {Encoding}
 */
const blocks = (name, size, decode) => ({ name, length: BLOCK, size, decode });

/** @type {Record<number, Encoding>} By the file's number; `decode` writes one block. */
const ENCODINGS = {
  0: { name: "F32", length: 1, size: 4, decode: (bytes, at, row, to) => (row[to] = singleAt(bytes, at)) },
  1: { name: "F16", length: 1, size: 2, decode: (bytes, at, row, to) => (row[to] = halfAt(bytes, at)) },
  2: blocks("Q4_0", 18, (bytes, at, row, to) => {
    const scale = halfAt(bytes, at);
    decodeNibbles(bytes, at + 2, row, to, scale, -8 * scale);
  }),
  3: blocks("Q4_1", 20, (bytes, at, row, to) =>
    decodeNibbles(bytes, at + 4, row, to, halfAt(bytes, at), halfAt(bytes, at + 2)),
  ),
  8: blocks("Q8_0", 34, (bytes, at, row, to) => {
    const scale = halfAt(bytes, at);
    for (let i = 0; i < BLOCK; i += 1) row[to + i] = scale * ((bytes[at + 2 + i] << 24) >> 24);
  }),
};

/** Decode row i of a matrix into `row`. @param {Matrix} matrix @param {number} i @param {Float32Array} row */
export function decodeRow({ encoding, bytes, width }, i, row) {
  const { length, size, decode } = encoding;
  for (let c = 0, at = ((i * width) / length) * size; c < width; c += length, at += size) decode(bytes, at, row, c);
  return row;
}

/** Decode a whole matrix, such as a vector of gains. @param {Matrix} matrix */
export function decodeAll(matrix) {
  const { n_rows, width } = matrix,
    all = new Float32Array(n_rows * width);
  for (let i = 0; i < n_rows; i += 1) decodeRow(matrix, i, all.subarray(i * width, (i + 1) * width));
  return all;
}

/**
 * Read numbers, texts and lists one after another. Reading beyond the end throws a RangeError.
 * @param {Uint8Array} bytes
 */
function reader(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    texts = new TextDecoder();
  let at = 0;
  const number = (/** @type {string} */ method, /** @type {number} */ size) => () => {
    at += size;
    return Number(/** @type {any} */ (view)[method](at - size, true));
  };
  const [count, long] = [number("getUint32", 4), number("getBigUint64", 8)];
  const text = () => {
    const length = long();
    if (length > bytes.length - at) throw new RangeError();
    at += length;
    return texts.decode(bytes.subarray(at - length, at));
  };
  const methods = "Uint8 Int8 Uint16 Int16 Uint32 Int32 Float32 Uint8 _ _ BigUint64 BigInt64 Float64".split(" ");
  const sizes = [1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8];
  const numbers = methods.map((name, kind) => number(`get${name}`, sizes[kind]));
  /** @param {number} kind @returns {any} */
  const value = (kind) => {
    if (kind === 8) return text();
    if (kind === 9) {
      const [own, length] = [count(), long()];
      return Array.from({ length: Math.min(length, bytes.length) }, () => value(own));
    }
    if (!sizes[kind]) throw new Error(`The file has a setting of the unknown type ${kind}.`);
    return numbers[kind]();
  };
  return { count, long, text, value, at: () => at };
}

/**
 * Read the settings and the matrices of a GGUF file. Throws an error that says what was expected and what was found.
 * @param {Uint8Array} bytes
 */
export function readGguf(bytes) {
  try {
    return read(bytes);
  } catch (error) {
    if (error instanceof RangeError) throw new Error(`This GGUF file ends too early, after ${bytes.length} bytes.`);
    throw error;
  }
}

/** @param {Uint8Array} bytes */
function read(bytes) {
  const { count, long, text, value, at } = reader(bytes);
  const isGguf = new TextDecoder().decode(bytes.subarray(0, 4)) === "GGUF";
  if (!isGguf) throw new Error("Expected a GGUF file, got a different kind of file.");
  count();
  const version = count();
  if (version !== 2 && version !== 3)
    throw new Error(`Expected a GGUF file of version 2 or 3, got version ${version}.`);
  const nMatrices = long(),
    nSettings = long(),
    /** @type {Settings} */ settings = {};
  for (let i = 0; i < nSettings; i += 1) {
    const name = text();
    settings[name] = value(count());
  }
  const entries = [];
  for (let i = 0; i < nMatrices; i += 1) entries.push(entry(count, long, text));
  const alignment = settings["general.alignment"] ?? 32,
    start = Math.ceil(at() / alignment) * alignment;
  return { settings, matrices: Object.fromEntries(entries.map((each) => [each.name, matrix(bytes, start, each)])) };
}

/**
 * The name, shape, encoding and offset of one matrix; the file lists the last axis first.
 * @param {() => number} count @param {() => number} long @param {() => string} text
 */
function entry(count, long, text) {
  const name = text(),
    shape = Array.from({ length: Math.min(count(), 4) }, long),
    kind = count(),
    offset = long();
  if (!ENCODINGS[kind]) {
    const names = Object.values(ENCODINGS).map((each) => each.name);
    throw new Error(`Expected matrices encoded as ${names.join(", ")}, got type ${kind} for ${name}.`);
  }
  const [width, ...others] = shape;
  return { name, width, n_rows: others.reduce((a, b) => a * b, 1), encoding: ENCODINGS[kind], offset };
}

/** @returns {Matrix} @param {Uint8Array} bytes @param {number} start @param {ReturnType<typeof entry>} entry */
function matrix(bytes, start, { name, width, n_rows, encoding, offset }) {
  const size = ((n_rows * width) / encoding.length) * encoding.size;
  if (start + offset + size > bytes.length) throw new RangeError();
  return { name, encoding, width, n_rows, bytes: bytes.subarray(start + offset, start + offset + size) };
}
