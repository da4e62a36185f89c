// Standard normal numbers that the page and Python draw alike, so that no page has to load them: `page_noise` in methods.py.

/** A whole number of 32 bits from another, by multiplication and shifts. */
function hashed(number) {
  let x = Math.imul(number ^ (number >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

const uniform = (number) => (hashed(number) + 0.5) / 2 ** 32;

/** So many whole 4096ths, counted from `first`, by Box and Muller's formula. */
export function pageNoise(count, first = 1) {
  const normal = (_, i) => {
    const [one, other] = [uniform(first + 2 * i), uniform(first + 2 * i + 1)];
    return Math.round(4096 * Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other)) / 4096;
  };
  return Float64Array.from({ length: count }, normal);
}
