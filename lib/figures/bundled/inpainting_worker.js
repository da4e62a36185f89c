// lib/constants.json
var grey_levels = 255;
var pilot = { bandwidth: 0.5, radius: 2 };
var steering = { analysis_radius: 5, sensitivity: 0.5, elongation: 1, regularization: 1e-7 };

// lib/figures/methods/filters.js
function mirrored(index, length) {
  const period = Math.max(2 * (length - 1), 1);
  const folded = Math.abs(index) % period;
  return Math.min(folded, period - folded) % length;
}
var { sensitivity: SENSITIVITY, elongation: REGULARIZATION, regularization: FLAT } = steering;
var PILOT = Array.from({ length: 2 * pilot.radius + 1 }, (_, k) => k - pilot.radius);
function steeringMatrix([row, mixed, column], along, area, sensitivity = SENSITIVITY) {
  const middle = (row + column) / 2, difference = (row - column) / 2;
  const half = Math.hypot(difference, mixed);
  const [cosine, sine] = half > 0 ? [difference / half, mixed / half] : [1, 0];
  const s1 = Math.sqrt(middle + half);
  let s2 = Math.sqrt(Math.max(middle - half, 0));
  if (s2 < 0.01 * s1) s2 = along(Math.atan2(sine, cosine) / 2);
  const scale = ((s1 * s2 + FLAT) / area) ** sensitivity;
  const elongation = (s1 + REGULARIZATION) / (s2 + REGULARIZATION);
  const both = scale * (elongation + 1 / elongation) / 2, long = scale * (elongation - 1 / elongation) / 2;
  return [both + long * cosine, long * sine, both - long * cosine, Math.log(scale)];
}

// lib/figures/methods/irregular.js
var LEAST = 0.8 * -1022 * Math.LN2;
var RIDGE = 1 + 1e-10;
var CIRCLE = [1, 0, 1, 0];
function openSamples({ height, width, values, known }, { radius, disk, sensitivity }, bandwidth) {
  const reach = disk.length >> 1, area = disk.flat().reduce((a, b) => a + b, 0);
  const slopes = [], metrics = [];
  const border = Math.max(radius, reach);
  const folded = (length) => Int32Array.from({ length: length + 2 * border }, (_, i) => mirrored(i - border, length));
  const [rowAt, columnAt] = [folded(height), folded(width)];
  function around(place, reach2, see) {
    const row = Math.floor(place / width), column = place - row * width;
    for (let down = -reach2; down <= reach2; down += 1) {
      const first = width * rowAt[row + down + border];
      for (let right = -reach2; right <= reach2; right += 1) see(first + columnAt[column + right + border], down, right);
    }
  }
  const slopeAt = (place) => slopes[place] ??= planeAt(place, bandwidth, circle).slope;
  function metricAt(place) {
    const gradients = [];
    let [rows, mixed, columns] = [0, 0, 0];
    around(place, reach, (near, down, right) => {
      const share = disk[down + reach][right + reach];
      if (share === 0) return;
      const slope = slopeAt(near), a = grey_levels * share * slope[0], b = grey_levels * share * slope[1];
      gradients.push([a, b]);
      rows += a * a;
      mixed += a * b;
      columns += b * b;
    });
    const along = (angle) => Math.hypot(...gradients.map(([a, b]) => Math.cos(angle) * b - Math.sin(angle) * a));
    return steeringMatrix([rows, mixed, columns], along, area, sensitivity);
  }
  const circle = () => CIRCLE, ellipse = (place) => metrics[place] ??= metricAt(place);
  function planeAt(place, h, metric) {
    const weights = [];
    let [cc, cr, c, rr, r, n, vc, vr, v] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
    around(place, radius, (key, row, column) => {
      if (!known[key]) return weights.push(0);
      const matrix = metric(key);
      const squared = matrix[0] * row * row + 2 * matrix[1] * row * column + matrix[2] * column * column;
      const weight = Math.exp(Math.max(matrix[3] - squared / (2 * h * h), LEAST));
      weights.push(weight);
      cc += weight * column * column;
      cr += weight * column * row;
      c += weight * column;
      rr += weight * row * row;
      r += weight * row;
      n += weight;
      vc += weight * column * values[key];
      vr += weight * row * values[key];
      v += weight * values[key];
    });
    return { ...solved([cc, cr, c, rr, r, n], [vc, vr, v]), weights };
  }
  return { planeAt: (place, h, kernel) => planeAt(place, h, kernel === "circles" ? circle : ellipse) };
}
function solved([cc, cr, c, rr, r, n], [vc, vr, v]) {
  const column = cc * RIDGE;
  const [row, rowOne, rowValue] = [rr * RIDGE - cr / column * cr, r - cr / column * c, vr - cr / column * vc];
  const [one, oneValue] = [n - c / column * c, v - c / column * vc];
  const height = (oneValue - rowOne / row * rowValue) / (one - rowOne / row * rowOne);
  const down = (rowValue - rowOne * height) / row;
  return { height, slope: [down, (vc - cr * down - c * height) / column] };
}

// lib/figures/inpainting/worker.js
self.onmessage = ({ data: { samples, fit, bandwidths } }) => {
  const { planeAt } = openSamples(samples, fit, bandwidths.circles);
  const filled = (kernel) => Float64Array.from(samples.values, (_, i) => planeAt(i, bandwidths[kernel], kernel).height);
  postMessage({ circles: filled("circles"), ellipses: filled("ellipses") });
};
