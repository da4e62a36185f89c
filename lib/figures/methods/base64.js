// Decoding of base64 arrays from Python.

/** @typedef {{ height: number, width: number, planes: Float64Array[] }} Image Planes in row-major order. */
/** @typedef {[row: number, column: number]} Pixel */

/** Decode bytes. @param {string} text */
export function decodeBytes(text) {
  const characters = atob(text),
    bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

/** Decode single-precision numbers. @param {string} text */
export const decodeFloats = (text) => Float64Array.from(new Float32Array(decodeBytes(text).buffer));

/** Decode double-precision numbers. @param {string} text */
export const decodeDoubles = (text) => new Float64Array(decodeBytes(text).buffer);
