// lib/figures/matrices.js
function product(x, map, d) {
  const n = x.length / d, m = map.length / d;
  const all = new Float64Array(n * m);
  const four = m - m % 4, two = n - n % 2;
  for (let j = 0; j < four; j += 4) {
    for (let i = 0; i < two; i += 2) eightSums(x, i * d, map, j * d, d, all, i * m + j, m);
  }
  for (let i = 0; i < n; i += 1) {
    for (let j = i < two ? four : 0; j < m; j += 1) all[i * m + j] = inner(x, i * d, map, j * d, d);
  }
  return all;
}
function eightSums(x, a, map, p, d, all, at, m) {
  const b = a + d, q = p + d, r = q + d, s = r + d, below = at + m;
  let ap = 0, aq = 0, ar = 0, as = 0, bp = 0, bq = 0, br = 0, bs = 0;
  for (let c = 0; c < d; c += 1) {
    const one = x[a + c], other = x[b + c];
    const mp = map[p + c], mq = map[q + c], mr = map[r + c], ms = map[s + c];
    ap += one * mp;
    aq += one * mq;
    ar += one * mr;
    as += one * ms;
    bp += other * mp;
    bq += other * mq;
    br += other * mr;
    bs += other * ms;
  }
  all[at] = ap;
  all[at + 1] = aq;
  all[at + 2] = ar;
  all[at + 3] = as;
  all[below] = bp;
  all[below + 1] = bq;
  all[below + 2] = br;
  all[below + 3] = bs;
}
function inner(x, a, y, b, d) {
  let sum = 0;
  for (let c = 0; c < d; c += 1) sum += x[a + c] * y[b + c];
  return sum;
}

// lib/figures/weights.js
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

// lib/figures/window.js
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

// lib/figures/methods.js
var RADIUS = 7;
var SIDE = 2 * RADIUS + 1;
var PATCH_RADIUS = 2;
var N_PATCH = (2 * PATCH_RADIUS + 1) ** 2;
var ONE = N_PATCH + 1;
var NEAR = N_PATCH + 2;
var SELF = N_PATCH + 3;
var KEPT = 4e3;
var SQUARES = Array.from({ length: SIDE * SIDE }, (_, j) => {
  const [row, column] = [Math.floor(j / SIDE) - RADIUS, j % SIDE - RADIUS];
  return row * row + column * column;
});
var RINGS = [...new Set(SQUARES)];
var RING_OF = SQUARES.map((square) => RINGS.indexOf(square));
function openImage(noisy, given) {
  const grey = { ...lines(noisy, RADIUS + PATCH_RADIUS), radius: RADIUS };
  return { ...given, noisy, grey, centre: meanToken(grey), steering: steeringPlanes(noisy, given.disk) };
}
function withBandwidth(opened, bandwidth) {
  const { noisy, steering: steering2, methods, frequencies, moment, keyMap } = opened;
  const scaled = ({ bandwidth_space, bandwidth_value, ...kernel }) => ({
    ...kernel,
    bandwidth_space: bandwidth * bandwidth_space,
    bandwidth_value: bandwidth * bandwidth_value
  });
  const windows = methods.filter(({ kernel }) => "radius" in kernel);
  const d = moment.length;
  const column = (c) => Float64Array.from(moment, (_, row) => keyMap[row * d + c] / bandwidth);
  const [near, self2] = [column(NEAR), column(SELF)];
  const offsets = RINGS.map((square) => near.map((n, c) => square ? -square / RADIUS ** 2 * n : self2[c]));
  const spread = spreadFrequencies(
    frequencies,
    moment.map((square) => square / bandwidth ** 2)
  );
  const ofRings = offsets.map((offset) => powers(product(offset, spread.frequencies, d), 150));
  return {
    ...opened,
    bandwidth,
    kernels: windows.map(({ name, kernel }) => [name, windowKernel(noisy, steering2, scaled(kernel))]),
    offsets,
    ringFeatures: Float64Array.from(ofRings.flatMap(({ numbers }) => [...numbers])),
    overOfRings: ofRings.map(({ over }) => over),
    spread,
    shared: store(opened, spread.logWeights.length)
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
function patchToken({ lines: [line], step }, place) {
  const token = new Float64Array(SELF + 1);
  let norm = 0;
  for (let k = 0; k < N_PATCH; k += 1) {
    const [row, column] = [Math.floor(k / 5) - PATCH_RADIUS, k % 5 - PATCH_RADIUS];
    token[k] = line[place + row * step + column] - 0.5;
    norm += token[k] ** 2;
  }
  token[N_PATCH] = norm / 5;
  token[ONE] = 1;
  return token;
}
function meanToken(grey) {
  const sum = new Float64Array(SELF + 1);
  let count = 0;
  for (let place = grey.first; place < grey.stop; place += 7, count += 1) {
    patchToken(grey, place).forEach((number, c) => sum[c] += number);
  }
  return sum.map((number) => number / count);
}
function powers(exponents, limit) {
  const over = Math.max(exponents.reduce((a, b) => Math.max(a, b)) - limit, 0);
  return { over, numbers: exponents.map((exponent) => Math.exp(exponent - over)) };
}
function store({ grey, moment }, m) {
  const rowOf = new Int32Array(grey.lines[0].length).fill(-1);
  const d = moment.length;
  const room = [KEPT * d, KEPT * m, KEPT, RINGS.length * m].map((n) => new Float64Array(n));
  const [keys, features, overs, askedOnRings] = room;
  return { rowOf, used: 0, d, m, keys, features, overs, askedOnRings };
}
function storedRows(prepared2, places) {
  const { shared } = prepared2;
  if (shared.used + places.length > KEPT) {
    shared.rowOf.fill(-1);
    shared.used = 0;
  }
  for (const place of places) if (shared.rowOf[place] < 0) keep(prepared2, place);
  return places.map((place) => shared.rowOf[place]);
}
function keep({ grey, centre, keyMap, bandwidth, spread, shared }, place) {
  const { d, m, used, keys, features, overs, rowOf } = shared;
  const token = patchToken(grey, place).map((number, c) => number - centre[c]);
  for (let c = 0; c < d; c += 1) keys[used * d + c] = inner(token, 0, keyMap, c * d, d) / bandwidth;
  const { over, numbers } = powers(product(keys.subarray(used * d, (used + 1) * d), spread.frequencies, d), 350);
  features.set(numbers, used * m);
  overs[used] = over;
  rowOf[place] = used;
  shared.used += 1;
}
function weightsOf(prepared2, pixel) {
  const { grey, queryMap, bandwidth, kernels } = prepared2;
  const places = windowKeys(grey, pixel);
  const token = patchToken(grey, places[places.length >> 1]);
  token[SELF] = 1;
  const query = product(token, queryMap, token.length).map((number) => number / bandwidth);
  const rows = storedRows(prepared2, places);
  const ofWindows = kernels.map(([name, kernel]) => [name, softmax(windowLogWeights(kernel, pixel))]);
  return {
    ...Object.fromEntries(ofWindows),
    attention: softmax(attentionLogWeights(prepared2, query, rows)),
    performer: softmax(performerLogWeights(prepared2, query, rows))
  };
}
function attentionLogWeights({ offsets, shared: { keys, d } }, query, rows) {
  const ofOffsets = offsets.map((offset) => inner(query, 0, offset, 0, d));
  return rows.map((row, j) => inner(query, 0, keys, row * d, d) + ofOffsets[RING_OF[j]]);
}
function performerLogWeights({ offsets, ringFeatures, overOfRings, spread, shared }, query, rows) {
  const { d, m, features, overs } = shared;
  const { norms, mean } = centred(shared, offsets, rows);
  const fromMean = query.map((number, c) => number - mean[c]);
  const exponents = product(fromMean, spread.frequencies, d).map((exponent, l) => exponent + spread.logWeights[l]);
  const asked = powers(exponents, 200).numbers;
  const { askedOnRings } = shared;
  for (let ring = 0; ring < askedOnRings.length; ring += m) {
    for (let l = 0; l < m; l += 1) askedOnRings[ring + l] = ringFeatures[ring + l] * asked[l];
  }
  return rows.map((row, j) => {
    const sum = longInner(features, row * m, askedOnRings, RING_OF[j] * m, m);
    return Math.log(sum || Number.MIN_VALUE) + overs[row] + overOfRings[RING_OF[j]] - norms[j] / 2;
  });
}
function longInner(x, a, y, b, n) {
  let [p, q, r, s] = [0, 0, 0, 0];
  for (let i = 0; i < n; i += 4) {
    p += x[a + i] * y[b + i];
    q += x[a + i + 1] * y[b + i + 1];
    r += x[a + i + 2] * y[b + i + 2];
    s += x[a + i + 3] * y[b + i + 3];
  }
  return p + q + r + s;
}
function centred({ keys, d }, offsets, rows) {
  const mean = new Float64Array(d), norms = new Float64Array(rows.length);
  for (let j = 0; j < rows.length; j += 1) {
    const offset = offsets[RING_OF[j]];
    for (let c = 0; c < d; c += 1) mean[c] += (keys[rows[j] * d + c] + offset[c]) / rows.length;
  }
  for (let j = 0; j < rows.length; j += 1) {
    const offset = offsets[RING_OF[j]];
    for (let c = 0; c < d; c += 1) norms[j] += (keys[rows[j] * d + c] + offset[c] - mean[c]) ** 2;
  }
  return { mean, norms };
}
var valuesOf = ({ grey }, pixel) => windowKeys(grey, pixel).map((place) => grey.lines[0][place]);
function estimatesOf(prepared2, pixel) {
  const [weights, values] = [weightsOf(prepared2, pixel), valuesOf(prepared2, pixel)];
  return prepared2.methods.map(({ name }) => average(weights[name], values));
}

// lib/figures/hero_worker.js
var image;
var prepared;
self.onmessage = ({ data: { run, open, bandwidth, pixels } }) => {
  if (open) [image, prepared] = [openImage(open.noisy, open.given), void 0];
  if (bandwidth !== prepared?.bandwidth) prepared = withBandwidth(image, bandwidth);
  const { width } = image.noisy;
  const estimates = pixels.map((place) => estimatesOf(prepared, [Math.floor(place / width), place % width]));
  postMessage({ run, bandwidth, pixels, estimates });
};
