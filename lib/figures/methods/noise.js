// Normal noise that is identical in the browser and in Python, as in lib/noise.py.

/** Hash an integer to a number in (0, 1). @param {number} counter */
function uniform(counter) {
  let bits = Math.imul(counter, 0x9e3779b9);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (((bits ^ (bits >>> 16)) >>> 0) + 0.5) / 2 ** 32;
}

/** Number i of the normal numbers for a seed. @param {number} seed @param {number} i */
export function normalAt(seed, i) {
  const counter = 65536 * seed + 2 * i;
  return Math.sqrt(-2 * Math.log(uniform(counter))) * Math.cos(2 * Math.PI * uniform(counter + 1));
}

/** Normal numbers for a seed, as `lib.noise.box_muller_noise`. @param {number} seed @param {number} size */
export function boxMullerNoise(seed, size) {
  const numbers = new Float64Array(size);
  for (let i = 0; i < size; i += 1) numbers[i] = normalAt(seed, i);
  return numbers;
}
