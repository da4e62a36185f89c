// lib/figures/methods/random_features.js
function product(x, map, d) {
  const n = x.length / d, m = map.length / d;
  const all = new Float64Array(n * m);
  const four = m - m % 4;
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < four; j += 4) fourInner(x, i * d, map, j * d, d, all, i * m + j);
    for (let j = four; j < m; j += 1) all[i * m + j] = inner(x, i * d, map, j * d, d);
  }
  return all;
}
function fourInner(x, a, map, p, d, all, at) {
  const q = p + d, r = q + d, s = r + d;
  let [ofP, ofQ, ofR, ofS] = [0, 0, 0, 0];
  for (let c = 0; c < d; c += 1) {
    const number = x[a + c];
    ofP += number * map[p + c];
    ofQ += number * map[q + c];
    ofR += number * map[r + c];
    ofS += number * map[s + c];
  }
  all[at] = ofP;
  all[at + 1] = ofQ;
  all[at + 2] = ofR;
  all[at + 3] = ofS;
}
function inner(x, a, y, b, d) {
  let sum = 0;
  for (let c = 0; c < d; c += 1) sum += x[a + c] * y[b + c];
  return sum;
}

// lib/figures/methods/weights.js
function softmax(logWeights) {
  const largest = logWeights.reduce((a, b) => Math.max(a, b), -Infinity);
  const origin = Number.isFinite(largest) ? largest : 0;
  return normalized(logWeights.map((logWeight) => Math.exp(logWeight - origin)));
}
function normalized(weights) {
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / (total || 1));
}
function average(weights, values) {
  if (!weights.some((weight) => weight > 0)) return NaN;
  return weights.reduce((sum, weight, i) => sum + weight * values[i], 0);
}

// lib/constants.json
var brightness = [0.299, 0.587, 0.114];
var grey_levels = 255;
var pilot = { bandwidth: 0.5, radius: 2 };
var steering = { analysis_radius: 5, sensitivity: 0.5, elongation: 1, regularization: 1e-7 };

// lib/figures/methods/filters.js
function mirrored(index, length) {
  const period = Math.max(2 * (length - 1), 1);
  const folded = Math.abs(index) % period;
  return Math.min(folded, period - folded) % length;
}
function lines({ height, width, planes }, border) {
  const step = width + 2 * border;
  const rows = Array.from({ length: height + 2 * border }, (_, r) => width * mirrored(r - border, height));
  const columns = Array.from({ length: step }, (_, c) => mirrored(c - border, width));
  const first = border * step + border;
  return {
    height,
    width,
    step,
    first,
    stop: first + (height - 1) * step + width,
    lines: planes.map(
      (plane) => Float64Array.from(
        { length: rows.length * step },
        (_, i) => plane[rows[Math.floor(i / step)] + columns[i % step]]
      )
    )
  };
}
function cropped({ height, width, step }, line) {
  const plane = new Float64Array(height * width);
  for (let r = 0; r < height; r += 1) plane.set(line.subarray(r * step, r * step + width), r * width);
  return plane;
}
var { sensitivity: SENSITIVITY, elongation: REGULARIZATION, regularization: FLAT } = steering;
var PILOT = Array.from({ length: 2 * pilot.radius + 1 }, (_, k) => k - pilot.radius);
function pilotGradient({ height, width, planes }) {
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const brightness2 = planes.length === 1 ? planes[0] : planes[0].map((_, i) => sum(brightness.map((share, c) => share * planes[c][i])));
  const weights = PILOT.map((offset) => Math.exp(-((offset / pilot.bandwidth) ** 2) / 2));
  const blur = weights.map((weight) => weight / sum(weights));
  const moment = sum(weights.map((weight, k) => weight * PILOT[k] ** 2));
  const slope = weights.map((weight, k) => grey_levels * weight * PILOT[k] / moment);
  const grid = lines({ height, width, planes: [brightness2] }, PILOT.length >> 1);
  const { step } = grid;
  const derivative = (down, right) => cropped(grid, tapped(tapped(grid.lines[0], down, step), right, 1));
  return { height, width, planes: [derivative(slope, blur), derivative(blur, slope)] };
}
function tapped(line, taps, step) {
  const sums = new Float64Array(line.length - (taps.length - 1) * step);
  taps.forEach((tap, k) => {
    for (let i = 0; i < sums.length; i += 1) sums[i] += tap * line[i + k * step];
  });
  return sums;
}
function steeringPlanes(image2, disk) {
  const gradient = lines(pilotGradient(image2), disk.length >> 1);
  const shares = diskShares(disk, gradient.step);
  const area = disk.flat().reduce((a, b) => a + b, 0);
  const [rows, mixed, columns] = tensors(gradient, shares);
  const logScale = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) {
    const along = (angle) => gradientAlong(angle, i, gradient, shares);
    [rows[i], mixed[i], columns[i], logScale[i]] = steeringMatrix([rows[i], mixed[i], columns[i]], along, area);
  }
  return { height: image2.height, width: image2.width, planes: [rows, mixed, columns, logScale] };
}
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
function diskShares(disk, step) {
  const radius = disk.length >> 1;
  const all = disk.flatMap((row, r) => row.map((share, c) => [(r - radius) * step + c - radius, share ** 2]));
  return all.filter(([, square]) => square > 0);
}
function tensors(gradient, shares) {
  const {
    first,
    stop,
    lines: [down, right]
  } = gradient;
  const sums = [0, 1, 2].map(() => new Float64Array(stop - first));
  for (const [shift, square] of shares) {
    for (let i = 0, at = first + shift; i < stop - first; i += 1, at += 1) {
      const a = down[at], b = right[at];
      sums[0][i] += square * a * a;
      sums[1][i] += square * a * b;
      sums[2][i] += square * b * b;
    }
  }
  return sums.map((line) => cropped(gradient, line));
}
function gradientAlong(angle, pixel, { width, step, first, lines: [down, right] }, shares) {
  const at = first + Math.floor(pixel / width) * step + pixel % width;
  return Math.sqrt(
    shares.reduce((sum, [shift, square]) => {
      const along = Math.cos(angle) * right[at + shift] - Math.sin(angle) * down[at + shift];
      return sum + square * along * along;
    }, 0)
  );
}
function patchTaps(radius, kind) {
  const offsets = Array.from({ length: 2 * radius + 1 }, (_, k) => k - radius);
  return offsets.map((offset) => kind === "gaussian" ? Math.exp(-2 * (offset / Math.max(radius, 1)) ** 2) : 1);
}
function windowKernel(image2, steering2, setting) {
  const { position_block, value_block, bandwidth_space, bandwidth_value, radius, patch_radius } = setting;
  const isPatch = value_block === "patch";
  const margin = isPatch ? patch_radius : 0;
  const taps = patchTaps(margin, setting.patch_weights);
  const unit = isPatch ? image2.planes.length * taps.reduce((a, b) => a + b, 0) ** 2 : 1;
  const values = lines(image2, radius + margin);
  let metric;
  if (position_block === "steering") {
    const [rows, mixed, columns, logScale] = steering2.planes;
    const scaled = [rows, mixed, columns].map((plane) => plane.map((c) => c / (2 * bandwidth_space ** 2)));
    metric = lines({ ...steering2, planes: [...scaled, logScale] }, radius + margin).lines;
  }
  return {
    ...values,
    radius,
    margin,
    taps,
    metric,
    perPixel: position_block === "gaussian" ? 1 / bandwidth_space ** 2 : 0,
    perValue: value_block === "none" ? 0 : 1 / (unit * bandwidth_value ** 2),
    floor: isPatch ? setting.forgiven / bandwidth_value ** 2 : 0
  };
}
function positionPart({ metric, perPixel }, key, row, column) {
  if (!metric) return -perPixel * (row * row + column * column);
  const [rows, mixed, columns, logScale] = metric;
  return logScale[key] - (rows[key] * row * row + 2 * mixed[key] * row * column + columns[key] * column * column);
}
function patchDistance({ lines: channels, step, margin, taps }, query, key) {
  let distance = 0;
  for (const line of channels) {
    for (let r = 0; r < taps.length; r += 1) {
      for (let c = 0; c < taps.length; c += 1) {
        const k = (r - margin) * step + c - margin;
        distance += taps[r] * taps[c] * (line[query + k] - line[key + k]) ** 2;
      }
    }
  }
  return distance;
}
function windowKeys({ first, step, radius }, [row, column]) {
  const side = 2 * radius + 1;
  const corner = first + (row - radius) * step + column - radius;
  return Array.from({ length: side * side }, (_, k) => corner + Math.floor(k / side) * step + k % side);
}
function windowLogWeights(kernel, pixel) {
  const { radius, perValue, floor } = kernel;
  const side = 2 * radius + 1;
  const keys = windowKeys(kernel, pixel);
  const query = keys[keys.length >> 1];
  return keys.map(
    (key, k) => positionPart(kernel, key, Math.floor(k / side) - radius, k % side - radius) - (perValue && Math.max(perValue * patchDistance(kernel, query, key) - floor, 0))
  );
}

// lib/figures/one_query/methods.js
var KEPT = 4e3;
function ringsOf(radius) {
  const side = 2 * radius + 1;
  const squares = Array.from({ length: side * side }, (_, j) => {
    const [row, column] = [Math.floor(j / side) - radius, j % side - radius];
    return row * row + column * column;
  });
  const rings = [...new Set(squares)];
  return { rings, ringOf: squares.map((square) => rings.indexOf(square)) };
}
function openImage(noisy, given) {
  const { disk, radius, patch_radius } = given;
  const grey = { ...lines(noisy, radius + patch_radius), radius };
  const steering2 = steeringPlanes(noisy, disk);
  return { noisy, given, grey, steering: steering2, centre: meanToken(grey, patch_radius), ...ringsOf(radius) };
}
function withBandwidth(photo, bandwidth) {
  const at = atBandwidth(photo, bandwidth);
  return { photo, at, scratch: scratchFor(photo, at.spread.logWeights.length) };
}
function atBandwidth({ noisy, steering: steering2, given, rings }, bandwidth) {
  const { methods, frequencies, moment, keyMap, radius, patch_radius } = given, { near, self: self2 } = placesAfter(patch_radius);
  const scaled = ({ bandwidth_space, bandwidth_value, ...kernel }) => ({
    ...kernel,
    bandwidth_space: bandwidth * bandwidth_space,
    bandwidth_value: bandwidth * bandwidth_value
  });
  const windows = methods.filter(({ kernel }) => "radius" in kernel);
  const d = moment.length;
  const column = (c) => Float64Array.from(moment, (_, row) => keyMap[row * d + c] / bandwidth);
  const [ofNear, ofSelf] = [column(near), column(self2)];
  const offsets = rings.map((square) => ofNear.map((n, c) => square ? -square / radius ** 2 * n : ofSelf[c]));
  const spread = spreadFrequencies(
    frequencies,
    moment.map((square) => square / bandwidth ** 2)
  );
  const ofRings = offsets.map((offset) => powers(product(offset, spread.frequencies, d), 150));
  return {
    bandwidth,
    kernels: windows.map(({ name, kernel }) => [name, windowKernel(noisy, steering2, scaled(kernel))]),
    offsets,
    ringFeatures: Float64Array.from(ofRings.flatMap(({ numbers }) => [...numbers])),
    overOfRings: ofRings.map(({ over }) => over),
    spread
  };
}
function spreadFrequencies(frequencies, moments) {
  const d = moments.length;
  const variances = moments.map((l) => (3 + 2 * l + Math.sqrt((2 * l + 1) ** 2 + 8 * l)) / 4);
  const logWeights = new Float64Array(frequencies.length / d);
  const spread = frequencies.map((frequency, i) => {
    const variance = variances[i % d];
    logWeights[Math.floor(i / d)] += (Math.log(variance) - (variance - 1) * frequency ** 2) / 2;
    return frequency * Math.sqrt(variance);
  });
  return { frequencies: spread, logWeights };
}
function placesAfter(patchRadius) {
  const norm = (2 * patchRadius + 1) ** 2;
  return { norm, one: norm + 1, near: norm + 2, self: norm + 3 };
}
function patchToken({ lines: [line], step }, patchRadius, place) {
  const side = 2 * patchRadius + 1, { norm, one, self: self2 } = placesAfter(patchRadius);
  const token = new Float64Array(self2 + 1);
  let sum = 0;
  for (let k = 0; k < norm; k += 1) {
    const [row, column] = [Math.floor(k / side) - patchRadius, k % side - patchRadius];
    token[k] = line[place + row * step + column] - 0.5;
    sum += token[k] ** 2;
  }
  token[norm] = sum / side;
  token[one] = 1;
  return token;
}
function meanToken(grey, patchRadius) {
  const sum = new Float64Array(placesAfter(patchRadius).self + 1);
  let count = 0;
  for (let place = grey.first; place < grey.stop; place += 7, count += 1) {
    patchToken(grey, patchRadius, place).forEach((number, c) => sum[c] += number);
  }
  return sum.map((number) => number / count);
}
function powers(exponents, limit) {
  const over = Math.max(exponents.reduce((a, b) => Math.max(a, b)) - limit, 0);
  return { over, numbers: exponents.map((exponent) => Math.exp(exponent - over)) };
}
function scratchFor({ grey, given: { moment }, rings }, m) {
  const rowOf = new Int32Array(grey.lines[0].length).fill(-1);
  const d = moment.length;
  const room = [KEPT * d, KEPT * m, KEPT, rings.length * m].map((n) => new Float64Array(n));
  const [keys, features, overs, askedOnRings] = room;
  return { rowOf, used: 0, d, m, keys, features, overs, askedOnRings };
}
function storedRows(prepared2, places) {
  const { scratch } = prepared2;
  if (scratch.used + places.length > KEPT) {
    scratch.rowOf.fill(-1);
    scratch.used = 0;
  }
  for (const place of places) if (scratch.rowOf[place] < 0) keep(prepared2, place);
  return places.map((place) => scratch.rowOf[place]);
}
function keep({ photo: { grey, centre, given }, at: { bandwidth, spread }, scratch }, place) {
  const { d, m, used, keys, features, overs, rowOf } = scratch;
  const token = patchToken(grey, given.patch_radius, place).map((number, c) => number - centre[c]);
  const key = product(token, given.keyMap, d).map((number) => number / bandwidth);
  const { over, numbers } = powers(product(key, spread.frequencies, d), 350);
  keys.set(key, used * d);
  features.set(numbers, used * m);
  overs[used] = over;
  rowOf[place] = used;
  scratch.used += 1;
}
function weightsOf(prepared2, pixel) {
  const { grey, given } = prepared2.photo, { bandwidth, kernels } = prepared2.at;
  const places = windowKeys(grey, pixel);
  const token = patchToken(grey, given.patch_radius, places[places.length >> 1]);
  token[placesAfter(given.patch_radius).self] = 1;
  const query = product(token, given.queryMap, token.length).map((number) => number / bandwidth);
  const rows = storedRows(prepared2, places);
  const ofWindows = kernels.map(([name, kernel]) => [name, softmax(windowLogWeights(kernel, pixel))]);
  return {
    ...Object.fromEntries(ofWindows),
    attention: softmax(attentionLogWeights(prepared2, query, rows)),
    performer: softmax(performerLogWeights(prepared2, query, rows))
  };
}
function attentionLogWeights({ photo: { ringOf }, at: { offsets }, scratch: { keys, d } }, query, rows) {
  const ofOffsets = offsets.map((offset) => inner(query, 0, offset, 0, d));
  return rows.map((row, j) => inner(query, 0, keys, row * d, d) + ofOffsets[ringOf[j]]);
}
function performerLogWeights({ photo: { ringOf }, at, scratch }, query, rows) {
  const { offsets, ringFeatures, overOfRings, spread } = at, { d, m, features, overs, askedOnRings } = scratch;
  const { norms, mean } = centred(scratch, offsets, ringOf, rows);
  const fromMean = query.map((number, c) => number - mean[c]);
  const exponents = product(fromMean, spread.frequencies, d).map((exponent, l) => exponent + spread.logWeights[l]);
  const asked = powers(exponents, 200).numbers;
  for (let ring = 0; ring < askedOnRings.length; ring += m) {
    for (let l = 0; l < m; l += 1) askedOnRings[ring + l] = ringFeatures[ring + l] * asked[l];
  }
  return rows.map((row, j) => {
    const sum = inner(features, row * m, askedOnRings, ringOf[j] * m, m);
    return Math.log(sum || Number.MIN_VALUE) + overs[row] + overOfRings[ringOf[j]] - norms[j] / 2;
  });
}
function centred({ keys, d }, offsets, ringOf, rows) {
  const mean = new Float64Array(d), norms = new Float64Array(rows.length);
  for (let j = 0; j < rows.length; j += 1) {
    const offset = offsets[ringOf[j]];
    for (let c = 0; c < d; c += 1) mean[c] += (keys[rows[j] * d + c] + offset[c]) / rows.length;
  }
  for (let j = 0; j < rows.length; j += 1) {
    const offset = offsets[ringOf[j]];
    for (let c = 0; c < d; c += 1) norms[j] += (keys[rows[j] * d + c] + offset[c] - mean[c]) ** 2;
  }
  return { mean, norms };
}
var valuesOf = ({ photo: { grey } }, pixel) => windowKeys(grey, pixel).map((place) => grey.lines[0][place]);
function estimatesOf(prepared2, pixel) {
  const [weights, values] = [weightsOf(prepared2, pixel), valuesOf(prepared2, pixel)];
  return prepared2.photo.given.methods.map(({ name }) => average(weights[name], values));
}

// lib/figures/one_query/worker.js
var image;
var prepared;
self.onmessage = ({ data: { run, open, bandwidth, pixels } }) => {
  if (open) [image, prepared] = [openImage(open.noisy, open.given), void 0];
  if (bandwidth !== prepared?.at.bandwidth) prepared = withBandwidth(image, bandwidth);
  const { width } = image.noisy;
  const estimates = pixels.map((place) => estimatesOf(prepared, [Math.floor(place / width), place % width]));
  postMessage({ run, bandwidth, pixels, estimates });
};
