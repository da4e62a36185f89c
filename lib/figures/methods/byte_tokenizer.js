// The tokenizer of lib/published_model/tokenizer.py: byte-pair encoding on bytes that are written as characters.

const DIGITS = /\p{N}|\P{N}+/gu; // each digit is a piece
const PIECES =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

/** The character that represents each byte: itself if it is printable, otherwise one from 256 on. */
const ALPHABET = (() => {
  const isPrintable = (/** @type {number} */ byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let others = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : others++));
})();
const BYTES = new Map(ALPHABET.map((character, byte) => [character, byte]));

const escaped = (/** @type {string} */ word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");

/**
 * Return `encode` and `decode`. A byte that the vocabulary lacks is left out.
 * @param {string[]} words
 * @param {string[]} merges
 * @param {string[]} special tokens such as <|im_start|>, whose name in a text is the token itself
 */
export function byteTokenizer(words, merges, special = []) {
  const numbers = new Map(words.map((word, i) => [word, i])),
    ranks = new Map(merges.map((pair, rank) => [pair, rank])),
    named = new RegExp(`(${["(?!)", ...special.map(escaped)].join("|")})`),
    bytes = new TextEncoder();
  const spelled = (/** @type {string} */ piece) =>
    Array.from(bytes.encode(piece), (byte) => ALPHABET[byte]).filter((c) => numbers.has(c));
  const pieces = (/** @type {string} */ text) => (text.match(DIGITS) ?? []).flatMap((run) => run.match(PIECES) ?? []);
  const parts = (/** @type {string} */ text, /** @type {number} */ i) =>
    i % 2 ? [text] : pieces(text).flatMap((piece) => merged(spelled(piece), ranks));
  const read = (/** @type {number[]} */ tokens) =>
    Uint8Array.from(tokens.flatMap((token) => [...words[token]].map((character) => BYTES.get(character) ?? 63)));
  return {
    encode: (/** @type {string} */ text) =>
      text
        .split(named) // the special tokens have odd indices
        .flatMap(parts)
        .map((part) => /** @type {number} */ (numbers.get(part))),
    decode: (/** @type {number[]} */ tokens) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(read(tokens)),
  };
}

/**
 * Merge the characters of one piece, the earliest learned pair first, then the first one in the text. A heap holds the
 * pairs of neighbours; `after` and `before` link each part with its neighbours.
 * @param {string[]} parts
 * @param {Map<string, number>} ranks
 */
function merged(parts, ranks) {
  const n = parts.length,
    after = parts.map((_, i) => i + 1),
    before = parts.map((_, i) => i - 1),
    heap = createHeap();
  const offer = (/** @type {number} */ i) => {
    const pair = i >= 0 && after[i] < n ? `${parts[i]} ${parts[after[i]]}` : "",
      rank = ranks.get(pair);
    if (rank !== undefined) heap.push({ key: rank * n + i, i, pair });
  };
  for (let i = 0; i < n; i += 1) offer(i);
  for (let first = heap.pop(); first; first = heap.pop()) {
    const { i, pair } = first,
      j = after[i];
    if (j === n || `${parts[i]} ${parts[j]}` !== pair) continue; // one of the two has been merged in the meantime
    [parts[i], parts[j], after[i]] = [parts[i] + parts[j], "", after[j]];
    if (after[j] < n) before[after[j]] = i;
    offer(before[i]);
    offer(i);
  }
  return parts.filter(Boolean);
}

/** @typedef {{ key: number, i: number, pair: string }} Entry */

/** A binary heap, whose `pop` returns the entry with the smallest key, or undefined. */
function createHeap() {
  /** @type {Entry[]} */
  const all = [];
  const swap = (/** @type {number} */ i, /** @type {number} */ j) => ([all[i], all[j]] = [all[j], all[i]]);
  const isLess = (/** @type {number} */ i, /** @type {number} */ j) => i < all.length && all[i].key < all[j].key;
  return {
    push(/** @type {Entry} */ entry) {
      let i = all.push(entry) - 1;
      for (let up = (i - 1) >> 1; i > 0 && isLess(i, up); up = (i - 1) >> 1) {
        swap(i, up);
        i = up;
      }
    },
    pop() {
      if (all.length < 2) return all.pop();
      swap(0, all.length - 1);
      const first = all.pop();
      for (let i = 0; ; ) {
        const down = isLess(2 * i + 2, 2 * i + 1) ? 2 * i + 2 : 2 * i + 1;
        if (!isLess(down, i)) return first;
        swap(down, i);
        i = down;
      }
    },
  };
}
