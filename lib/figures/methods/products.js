// Products with the matrices of a GGUF file, in WebAssembly (products.wat) where the browser compiles it, otherwise in
// JavaScript. The two differ only by rounding.

import { BLOCK, decodeRow, HALVES } from "./gguf.js";

/** @typedef {import("./gguf.js").Matrix} Matrix */

const ROWS_AT_ONCE = 64; // decoded from one copy in WebAssembly's memory

/** @type {any} The functions of products.wat; undefined until `compile` succeeds. */
let compiled;

/** Use WebAssembly if possible, and return whether it is. @param {BufferSource} code */
export function compile(code) {
  try {
    compiled = new WebAssembly.Instance(new WebAssembly.Module(code)).exports;
    new Float32Array(compiled.memory.buffer).set(HALVES);
  } catch {
    compiled = undefined; // an old browser, or a page that forbids it
  }
  return Boolean(compiled);
}

/** x matrixᵀ for x (n, width) of at least one row: (n, n_rows). @param {Float32Array} x @param {Matrix} matrix */
export const product = (x, matrix) => (compiled && matrix.width % BLOCK === 0 ? fast : plain)(x, matrix);

// ---- In WebAssembly -----------------------------------------------------------------------------------------

/** Views of WebAssembly's memory, after it has grown to this size in bytes. @param {number} size */
function memoryOf(size) {
  const { memory } = compiled,
    missing = size - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  return { bytes: new Uint8Array(memory.buffer), numbers: new Float32Array(memory.buffer) };
}

/**
 * The memory contains HALVES, a decoded row, x, the products with some rows, and these rows as encoded.
 * @param {Float32Array} x @param {Matrix} matrix
 */
function fast(x, matrix) {
  const { width, n_rows: m, encoding } = matrix,
    n = x.length / width,
    size = matrix.bytes.length / m, // of an encoded row
    atRow = HALVES.byteLength,
    atX = atRow + 4 * width,
    atProducts = atX + x.byteLength,
    atRows = atProducts + 4 * n * ROWS_AT_ONCE,
    { bytes, numbers } = memoryOf(atRows + size * ROWS_AT_ONCE),
    row = numbers.subarray(atRow / 4, atX / 4),
    all = new Float32Array(n * m),
    decode = compiled[encoding.name];
  numbers.set(x, atX / 4);
  for (let start = 0; start < m; start += ROWS_AT_ONCE) {
    const end = Math.min(start + ROWS_AT_ONCE, m);
    bytes.set(matrix.bytes.subarray(start * size, end * size), atRows);
    for (let j = start; j < end; j += 1) {
      if (decode) decode(atRows + (j - start) * size, width / encoding.length, atRow);
      else decodeRow(matrix, j, row);
      compiled.multiply(atRow, 4 * width, atX, n, atProducts + 4 * n * (j - start));
    }
    for (let i = 0; i < n; i += 1)
      for (let j = start; j < end; j += 1) all[i * m + j] = numbers[atProducts / 4 + (j - start) * n + i];
  }
  return all;
}

// ---- In JavaScript ------------------------------------------------------------------------------------------

/** Each row is decoded once, and used for four rows of x at a time. @param {Float32Array} x @param {Matrix} matrix */
function plain(x, matrix) {
  const { width, n_rows: m } = matrix,
    n = x.length / width,
    all = new Float32Array(n * m),
    row = new Float32Array(width);
  for (let j = 0; j < m; j += 1) {
    decodeRow(matrix, j, row);
    let i = 0;
    for (; i + 3 < n; i += 4) fourInner(x, i * width, row, width, all, i * m + j, m);
    for (; i < n; i += 1) all[i * m + j] = oneInner(x, i * width, row, width);
  }
  return all;
}

/**
 * The inner product of a row of x with a row of a matrix, in four independent sums.
 * @param {Float32Array} x @param {number} a @param {Float32Array} row @param {number} width
 */
function oneInner(x, a, row, width) {
  let first = 0,
    second = 0,
    third = 0,
    fourth = 0,
    k = 0;
  for (; k + 3 < width; k += 4) {
    first += x[a + k] * row[k];
    second += x[a + k + 1] * row[k + 1];
    third += x[a + k + 2] * row[k + 2];
    fourth += x[a + k + 3] * row[k + 3];
  }
  for (; k < width; k += 1) first += x[a + k] * row[k];
  return first + second + third + fourth;
}

/**
 * Write the inner products of four rows of x with one row; four independent sums are faster than one.
 * @param {Float32Array} x
 * @param {number} a
 * @param {Float32Array} row
 * @param {number} width
 * @param {Float32Array} all
 * @param {number} at
 * @param {number} step
 */
function fourInner(x, a, row, width, all, at, step) {
  const b = a + width,
    c = b + width,
    d = c + width;
  let ofA = 0,
    ofB = 0,
    ofC = 0,
    ofD = 0;
  for (let k = 0; k < width; k += 1) {
    const number = row[k];
    ofA += x[a + k] * number;
    ofB += x[b + k] * number;
    ofC += x[c + k] * number;
    ofD += x[d + k] * number;
  }
  all[at] = ofA;
  all[at + step] = ofB;
  all[at + 2 * step] = ofC;
  all[at + 3 * step] = ofD;
}
