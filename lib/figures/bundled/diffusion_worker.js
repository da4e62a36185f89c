// lib/figures/methods/diffusion.js
function denoisePatches(noisy, pictures2, noiseStd, radius, shape2) {
  const size = noisy.length;
  const largest = new Float64Array(size).fill(-Infinity), total = new Float64Array(size), sum = new Float64Array(size);
  for (const picture of pictures2) {
    const squares = patchSums(
      Float64Array.from(picture, (value, i) => (noisy[i] - value) ** 2),
      radius,
      shape2
    );
    for (let i = 0; i < size; i += 1) {
      const logWeight = -squares[i] / (2 * noiseStd ** 2);
      if (logWeight > largest[i]) {
        const shrunk = Math.exp(largest[i] - logWeight);
        [total[i], sum[i], largest[i]] = [total[i] * shrunk, sum[i] * shrunk, logWeight];
      }
      const weight = Math.exp(logWeight - largest[i]);
      total[i] += weight;
      sum[i] += weight * picture[i];
    }
  }
  return sum.map((value, i) => value / total[i]);
}
function patchSums(values, radius, { height, width }) {
  const along = (numbers, count, length, step, next) => {
    const sums = new Float64Array(numbers.length);
    for (let line = 0; line < count; line += 1) {
      for (let i = 0; i < length; i += 1) {
        const end = Math.min(i + radius, length - 1);
        let sum = 0;
        for (let j = Math.max(i - radius, 0); j <= end; j += 1) sum += numbers[line * next + j * step];
        sums[line * next + i * step] = sum;
      }
    }
    return sums;
  };
  return along(along(values, height, width, 1, width), width, height, width, 1);
}

// lib/figures/diffusion/worker.js
var pictures;
var shape;
self.onmessage = ({ data: { open, walk, step, noisy, noiseStd, radius } }) => {
  if (open) ({ pictures, shape } = open);
  else postMessage({ walk, step, guess: denoisePatches(noisy, pictures, noiseStd, radius, shape) });
};
