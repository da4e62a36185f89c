// An animated GIF (GIF89a, LZW), written frame by frame. A frame stores only the pixels that have changed.

/** @typedef {{ width: number, height: number, data: Uint8ClampedArray }} Pixels RGBA, as from a canvas */

const COLORS = 255, // and one index that keeps the pixel of the previous frame
  KEPT = 255,
  BINS = 1 << 18; // colours with 6 bits per channel

/** @param {Uint8ClampedArray} data @param {number} i the pixel's index */
const binOf = (data, i) => ((data[4 * i] >> 2) << 12) | ((data[4 * i + 1] >> 2) << 6) | (data[4 * i + 2] >> 2);
/** @param {number} bin */
const channelsOf = (bin) => [12, 6, 0].map((shift) => (bin >> shift) & 63);
/** @param {number} level from 0 to 63 */
const byteOf = (level) => (level << 2) | (level >> 4);

/** @typedef {{ bins: number[], channel: number, spread: number }} Box of colours; it is widest in this channel */

/** @param {number[]} bins @returns {Box} */
function boxOf(bins) {
  const levels = bins.map(channelsOf);
  const spreads = [0, 1, 2].map((channel) => {
    let [low, high] = [63, 0];
    for (const level of levels) [low, high] = [Math.min(low, level[channel]), Math.max(high, level[channel])];
    return high - low;
  });
  const spread = Math.max(...spreads);
  return { bins, channel: spreads.indexOf(spread), spread };
}

/** Divide a box at the median of its pixels. @param {Box} box @param {Uint32Array} counts */
function halves({ bins, channel }, counts) {
  const sorted = [...bins].sort((a, b) => channelsOf(a)[channel] - channelsOf(b)[channel]);
  const half = sorted.reduce((sum, bin) => sum + counts[bin], 0) / 2;
  let at = 0;
  for (let sum = 0; at < sorted.length - 1 && sum + counts[sorted[at]] <= half; at += 1) sum += counts[sorted[at]];
  at = Math.max(at, 1);
  return [boxOf(sorted.slice(0, at)), boxOf(sorted.slice(at))];
}

/**
 * The colour of a box: that of most of its pixels, so that flat areas keep theirs exactly.
 * @param {Box} box
 * @param {Uint32Array} counts
 */
function colorOf({ bins }, counts) {
  const bin = bins.reduce((best, each) => (counts[each] > counts[best] ? each : best));
  return channelsOf(bin).map(byteOf);
}

/**
 * Choose at most 255 colours for these frames by median cut (Heckbert 1982).
 * @param {Pixels[]} frames
 * @returns {number[][]}
 */
export function paletteOf(frames) {
  const counts = new Uint32Array(BINS);
  for (const { data } of frames) for (let i = 0; i < data.length / 4; i += 1) counts[binOf(data, i)] += 1;
  const used = [...counts.keys()].filter((bin) => counts[bin]);
  const boxes = [boxOf(used)];
  while (boxes.length < COLORS) {
    const widest = boxes.reduce((best, box, k) => (box.spread > boxes[best].spread ? k : best), 0);
    if (!boxes[widest].spread) break;
    boxes.splice(widest, 1, ...halves(boxes[widest], counts));
  }
  return boxes.map((box) => colorOf(box, counts));
}

/** Return a function that gives the index of the nearest colour of a palette for a bin. @param {number[][]} palette */
function createLookup(palette) {
  const known = new Int16Array(BINS).fill(-1);
  return (/** @type {number} */ bin) => {
    if (known[bin] < 0) {
      const color = channelsOf(bin).map(byteOf);
      const distances = palette.map((each) => each.reduce((sum, value, c) => sum + (value - color[c]) ** 2, 0));
      known[bin] = distances.indexOf(Math.min(...distances));
    }
    return known[bin];
  };
}

/**
 * Compress indices of 8 bits by LZW, in blocks of at most 255 bytes.
 * @param {Uint8Array} indices
 * @param {number[]} out
 */
function compress(indices, out) {
  const CLEAR = 256,
    END = 257;
  /** @type {number[]} */
  const bytes = [];
  let bits = 0,
    filled = 0,
    size = 9;
  const write = (/** @type {number} */ code) => {
    bits |= code << filled;
    for (filled += size; filled >= 8; filled -= 8) {
      bytes.push(bits & 255);
      bits >>>= 8;
    }
  };
  let codes = new Map(),
    next = END + 1,
    prefix = indices[0];
  write(CLEAR);
  for (let i = 1; i < indices.length; i += 1) {
    const key = (prefix << 8) | indices[i],
      code = codes.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    write(prefix);
    prefix = indices[i];
    if (next === 4096) {
      write(CLEAR);
      [codes, next, size] = [new Map(), END + 1, 9];
    } else {
      codes.set(key, next);
      if (next === 1 << size) size += 1;
      next += 1;
    }
  }
  write(prefix);
  write(END);
  if (filled) bytes.push(bits & 255);
  for (let i = 0; i < bytes.length; i += 255) {
    const block = bytes.slice(i, i + 255);
    out.push(block.length, ...block);
  }
  out.push(0);
}

/** @param {number} value */
const short = (value) => [value & 255, value >> 8];
/** @param {string} text */
const ascii = (text) => [...text].map((character) => character.charCodeAt(0));

/**
 * The rectangle in which two frames differ.
 * @param {Uint8Array} now
 * @param {Uint8Array} before
 * @param {number} width
 */
function changedIn(now, before, width) {
  let [left, right, top, bottom] = [width, -1, -1, -1];
  for (let i = 0; i < now.length; i += 1) {
    if (now[i] === before[i]) continue;
    const x = i % width;
    bottom = Math.floor(i / width);
    if (top < 0) top = bottom;
    [left, right] = [Math.min(left, x), Math.max(right, x)];
  }
  if (right < 0) [left, right, top, bottom] = [0, 0, 0, 0]; // a frame has at least one pixel
  return { left, top, width: right - left + 1, height: bottom - top + 1 };
}

/**
 * Begin a GIF that repeats forever. `add(pixels, duration)` appends a frame that is shown for some milliseconds.
 * @param {number} width
 * @param {number} height
 * @param {number[][]} palette at most 255 colours
 */
export function createGif(width, height, palette) {
  const table = Array.from({ length: 256 }, (_, k) => palette[k] ?? [0, 0, 0]).flat();
  const indexOf = createLookup(palette);
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  const keep = (/** @type {number[]} */ bytes) => parts.push(Uint8Array.from(bytes));
  /** @type {Uint8Array | undefined} */
  let before;
  let shown = 0; // milliseconds so far
  keep([...ascii("GIF89a"), ...short(width), ...short(height), 0xf7, 0, 0, ...table]);
  keep([0x21, 0xff, 11, ...ascii("NETSCAPE2.0"), 3, 1, 0, 0, 0]);
  return {
    /** @param {Pixels} pixels @param {number} duration */
    add({ data }, duration) {
      const now = new Uint8Array(width * height);
      for (let i = 0; i < now.length; i += 1) now[i] = indexOf(binOf(data, i));
      const area = before ? changedIn(now, before, width) : { left: 0, top: 0, width, height };
      const stored = new Uint8Array(area.width * area.height);
      for (let i = 0; i < stored.length; i += 1) {
        const from = (area.top + Math.floor(i / area.width)) * width + area.left + (i % area.width);
        stored[i] = now[from] === before?.[from] ? KEPT : now[from];
      }
      before = now;
      const hundredths = Math.round((shown + duration) / 10) - Math.round(shown / 10); // their sum is exact
      shown += duration;
      const out = [0x21, 0xf9, 4, 0b101, ...short(hundredths), KEPT, 0];
      out.push(0x2c, ...[area.left, area.top, area.width, area.height].flatMap(short), 0, 8);
      compress(stored, out);
      keep(out);
    },
    size: () => parts.reduce((sum, part) => sum + part.length, 0),
    file: () => new Blob([...parts, Uint8Array.of(0x3b)], { type: "image/gif" }),
  };
}
