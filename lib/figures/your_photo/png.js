// PNG files of 16 bits: browsers cut each number to its upper byte, here it is rounded.

/** Of grey, colour, grey with alpha and colour with alpha. @type {Record<number, number>} */
const CHANNELS = { 0: 1, 2: 3, 4: 2, 6: 4 };
const MANAGED = ["tRNS", "gAMA", "iCCP", "cICP"]; // chunks that the browser applies: it reads the file then

/** The chunks of a file: name and content of each. @param {Uint8Array} bytes */
function* chunksOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const content = bytes.subarray(at + 8, at + 8 + view.getUint32(at));
    yield { name: String.fromCharCode(...bytes.subarray(at + 4, at + 8)), content };
  }
}

/**
 * Reverse the filters of the rows in place (PNG specification, section 9).
 * @type {(bytes: Uint8Array, step: number, length: number, height: number) => void}
 */
function unfilter(bytes, step, length, height) {
  for (let row = 0; row < height; row += 1) {
    const start = row * (length + 1) + 1,
      filter = bytes[start - 1];
    if (!filter) continue;
    for (let i = start; i < start + length; i += 1) {
      const left = i - start < step ? 0 : bytes[i - step],
        above = row ? bytes[i - length - 1] : 0,
        corner = row && i - start >= step ? bytes[i - length - 1 - step] : 0;
      bytes[i] += [0, left, above, (left + above) >> 1, filter === 4 ? paeth(left, above, corner) : 0][filter];
    }
  }
}

/** The neighbour nearest to left + above − corner. @type {(left: number, above: number, corner: number) => number} */
function paeth(left, above, corner) {
  const [a, b, c] = [left, above, corner].map((each) => Math.abs(left + above - corner - each));
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

/**
 * Read a PNG of 16 bits with each number rounded to 8; undefined if it is interlaced, colour-managed or damaged.
 * @param {Uint8Array} bytes
 * @returns {Promise<ImageData | undefined>}
 */
export async function roundedPng(bytes) {
  const chunks = [...chunksOf(bytes)],
    head = new DataView(bytes.buffer, bytes.byteOffset + 16, 13);
  const [width, height, channels] = [head.getUint32(0), head.getUint32(4), CHANNELS[head.getUint8(9)]];
  if (head.getUint8(12) || !channels || chunks.some(({ name }) => MANAGED.includes(name))) return undefined;
  const packed = new Blob(chunks.filter(({ name }) => name === "IDAT").map(({ content }) => new Uint8Array(content)));
  const stream = packed.stream().pipeThrough(new DecompressionStream("deflate")),
    content = await new Response(stream).arrayBuffer().catch(() => new ArrayBuffer(0)),
    length = 2 * channels * width;
  if (content.byteLength !== (length + 1) * height) return undefined;
  const rows = new Uint8Array(content);
  unfilter(rows, 2 * channels, length, height);
  return coloursOf(rows, { width, height, channels, length });
}

/** @param {Uint8Array} rows @param {{ width: number, height: number, channels: number, length: number }} header */
function coloursOf(rows, { width, height, channels, length }) {
  const image = new ImageData(width, height),
    isGrey = channels < 3,
    hasAlpha = channels % 2 === 0;
  for (let i = 0; i < width * height; i += 1) {
    const at = Math.floor(i / width) * (length + 1) + 1 + (i % width) * 2 * channels;
    const of = (/** @type {number} */ channel) =>
      Math.round((256 * rows[at + 2 * channel] + rows[at + 2 * channel + 1]) / 257);
    for (let c = 0; c < 3; c += 1) image.data[4 * i + c] = of(isGrey ? 0 : c);
    image.data[4 * i + 3] = hasAlpha ? of(channels - 1) : 255;
  }
  return image;
}
