// Which square of the loupe shades which word of the sentence.

/**
 * How many squares shade each word: one the query, the others in proportion to their width.
 * @param {number[]} widths
 * @param {number} query
 * @param {number} count of squares
 */
export function squaresPerWord(widths, query, count) {
  const counts = widths.map((_, j) => Number(j === query));
  const total = widths.reduce((sum, width, j) => sum + (j === query ? 0 : width), 0);
  let passed = 0,
    given = 0;
  widths.forEach((width, j) => {
    if (j === query) return;
    passed += width;
    counts[j] = Math.round(((count - 1) * passed) / total) - given;
    given += counts[j];
  });
  return counts;
}

const descending = (/** @type {number[]} */ numbers) => [...numbers.keys()].sort((a, b) => numbers[b] - numbers[a]);

/**
 * A word of the sentence, the rank of a square in it, and how many squares it has.
 * @typedef {{ word: number, rank: number, of: number }} Target
 */

/**
 * Assign the squares of a window to words, the heaviest to the words with the largest weights. Returns the target of
 * each square.
 * @param {number[]} weights of the squares
 * @param {number[]} row weights of the words
 * @param {number[]} counts of squares, by word
 * @param {number} query the word that asks
 */
export function assignSquares(weights, row, counts, query) {
  const centre = weights.length >> 1;
  /** @type {Target[]} */
  const targets = [];
  targets[centre] = { word: query, rank: 0, of: 1 };
  const squares = descending(weights).filter((square) => square !== centre);
  for (const word of descending(row).filter((word) => word !== query)) {
    const own = squares.splice(0, counts[word]).sort((a, b) => a - b);
    own.forEach((square, rank) => (targets[square] = { word, rank, of: own.length }));
  }
  return targets;
}
