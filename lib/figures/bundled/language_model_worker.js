// lib/constants.json
var norm_epsilon = 1e-6;
var place_bandwidth = 2;
var ruler = { bandwidths: [0.5, 256, 16], farthest: 8 };
var head_names = { first_key: 0.5, place: 0.6, sharp: 1.2, near: 0.4, narrow: 3, above_equal: 0.1, equal: 0.5, same_token: 0.3, one_query: 0.6 };

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

// lib/figures/methods/heads.js
var [NARROWEST, WIDEST, N_BANDWIDTHS] = ruler.bandwidths;
function causalWeights(n, logWeight) {
  const weights = new Float64Array(n * n);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) weights[i * n + j] = logWeight(i, j);
    weights.set(softmax(weights.subarray(i * n, i * n + i + 1)), i * n);
  }
  return weights;
}
function smoothersOf(n) {
  const all = [];
  for (let offset = -ruler.farthest; offset <= 0; offset += 1) {
    for (let k = 0; k < N_BANDWIDTHS; k += 1) {
      const bandwidth = NARROWEST * (WIDEST / NARROWEST) ** (k / (N_BANDWIDTHS - 1));
      all.push({ offset, bandwidth, weights: causalWeights(n, (i, j) => -(((j - i - offset) / bandwidth) ** 2)) });
    }
  }
  return all;
}
function overlap(weights, others, n) {
  let moved = 0;
  for (let i = 0; i < n; i += 1) {
    for (let k = i * n; k <= i * n + i; k += 1) moved += Math.abs(weights[k] - others[k]);
  }
  return 1 - moved / 2 / n;
}
var earlierPlaces = (tokens) => tokens.map((token, i) => [...tokens.keys()].filter((j) => j < i && tokens[j] === token));
function rulers() {
  let n = -1, smoothers, equal;
  return (tokens) => {
    if (tokens.length !== n) {
      n = tokens.length;
      smoothers = smoothersOf(n);
      equal = causalWeights(n, () => 0);
    }
    const earlier = earlierPlaces(tokens), rows = [...Array(n).keys()];
    const mean = (numberOf) => rows.reduce((sum, i) => sum + numberOf(i), 0) / n;
    const saidAgain = mean((i) => earlier[i].length ? 1 : 0);
    return (weights, oneQuery) => {
      let best = { place_overlap: -1 };
      for (const { offset, bandwidth, weights: others } of smoothers) {
        const place_overlap = overlap(weights, others, n);
        if (place_overlap > best.place_overlap)
          best = { place_overlap, place_offset: offset, place_bandwidth: bandwidth };
      }
      return {
        ...best,
        equal_overlap: overlap(weights, equal, n),
        one_query_overlap: overlap(weights, oneQuery, n),
        first_key: mean((i) => weights[i * n]),
        same_token: mean((i) => earlier[i].reduce((sum, j) => sum + weights[i * n + j], 0)),
        said_again: saidAgain
      };
    };
  };
}
function nameOfHead(numbers) {
  const { place_overlap: place, place_bandwidth: bandwidth, said_again: again } = numbers;
  const aboveEqual = place - numbers.equal_overlap > head_names.above_equal;
  if (numbers.first_key > head_names.first_key) return "first word";
  if (place > head_names.place && bandwidth < head_names.sharp) return nameOfPlace(-numbers.place_offset);
  if (numbers.equal_overlap > head_names.equal) return "wide";
  if (again > 0 && numbers.same_token > head_names.same_token * again) return "same word";
  if (place > head_names.near && bandwidth < head_names.narrow && aboveEqual) return "near";
  return numbers.one_query_overlap > head_names.one_query ? "one question" : "";
}
var nameOfPlace = (back) => back === 0 ? "this word" : `${["one", "two", "three"][back - 1] ?? back} back`;
var NO_NAME = "no name";
var MEANINGS = {
  "first word": "on the whole text it rests on the first word (a sink)",
  "this word": "on the whole text it looks at the word itself",
  wide: "on the whole text it spreads its weight nearly evenly",
  "same word": "on the whole text it looks for the same word",
  near: "on the whole text it looks at near words",
  "one question": "on the whole text it prefers the same words, whoever asks",
  [NO_NAME]: "on the whole text it does nothing that has a name here"
};

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
function keyExponents(keys, frequencies, d) {
  const exponents = product(keys, frequencies, d), m = frequencies.length / d;
  for (let j = 0; j * d < keys.length; j += 1) {
    const half = inner(keys, j * d, keys, j * d, d) / 2;
    for (let l = j * m; l < (j + 1) * m; l += 1) exponents[l] -= half;
  }
  return exponents;
}
function weightsOfFeatures(asked, exponents, m) {
  const peaks = new Float64Array(m).fill(-Infinity);
  for (let row = 0; row < exponents.length; row += m) {
    for (let l = 0; l < m; l += 1) peaks[l] = Math.max(peaks[l], exponents[row + l]);
  }
  const queries = new Float64Array(asked.length), keys = new Float64Array(exponents.length);
  for (let row = 0; row < keys.length; row += m) {
    for (let l = 0; l < m; l += 1) keys[row + l] = Math.exp(exponents[row + l] - peaks[l]);
  }
  for (let row = 0; row < asked.length; row += m) {
    let top = -Infinity;
    for (let l = 0; l < m; l += 1) top = Math.max(top, asked[row + l] + peaks[l]);
    for (let l = 0; l < m; l += 1) queries[row + l] = Math.exp(asked[row + l] + peaks[l] - top);
  }
  return product(queries, keys, m);
}

// lib/figures/methods/base64.js
function decodeBytes(text) {
  const characters = atob(text), bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
var decodeFloats = (text) => Float64Array.from(new Float32Array(decodeBytes(text).buffer));
var decodeDoubles = (text) => new Float64Array(decodeBytes(text).buffer);

// lib/figures/methods/language_model.js
function vocabulary({ merges, pieces }) {
  const ranks = new Map(merges.map(([first, second], m) => [pairName(first, second), 256 + m]));
  const spelled = Array.from({ length: 256 }, (_, byte) => [byte]);
  merges.forEach(([first, second]) => spelled.push([...spelled[first], ...spelled[second]]));
  const bytes = new TextEncoder(), reader = new TextDecoder("utf-8", { ignoreBOM: true });
  return {
    encode: (text) => (text.match(new RegExp(pieces, "gu")) ?? []).flatMap((piece) => merged([...bytes.encode(piece)], ranks)),
    words: spelled.map((word) => reader.decode(Uint8Array.from(word))),
    lengths: spelled.map((word) => word.length)
  };
}
var pairName = (first, second) => 65536 * first + second;
function merged(tokens, ranks) {
  for (; ; ) {
    let lowest = Infinity, at = -1;
    for (let i = 0; i + 1 < tokens.length; i += 1) {
      const rank = ranks.get(pairName(tokens[i], tokens[i + 1])) ?? Infinity;
      if (rank < lowest) [lowest, at] = [rank, i];
    }
    if (at < 0) return tokens;
    tokens.splice(at, 2, lowest);
  }
}
function addTo(x, y) {
  for (let i = 0; i < x.length; i += 1) x[i] += y[i];
}
function norm(x, width) {
  const all = new Float64Array(x.length);
  for (let row = 0; row < x.length; row += width) {
    const scale = 1 / Math.sqrt(inner(x, row, x, row, width) / width + norm_epsilon);
    for (let c = row; c < row + width; c += 1) all[c] = x[c] * scale;
  }
  return all;
}
function rotate(x, d, base) {
  const half = d / 2;
  for (let place = 0; place * d < x.length; place += 1) {
    for (let a = 0; a < half; a += 1) {
      const angle = place * base ** (-a / half), first = place * d + a, second = first + half;
      const cosine = Math.cos(angle), sine = Math.sin(angle);
      [x[first], x[second]] = [x[first] * cosine - x[second] * sine, x[first] * sine + x[second] * cosine];
    }
  }
  return x;
}
function columns(x, width, first, d) {
  const some = new Float64Array(x.length / width * d);
  for (let i = 0; i * width < x.length; i += 1) some.set(x.subarray(i * width + first, i * width + first + d), i * d);
  return some;
}
var HEAD_KERNELS = {
  "dot product": (queries, keys, d, { factor }) => {
    const temperature = Math.sqrt(d) * factor;
    return (i, j) => inner(queries, i * d, keys, j * d, d) / temperature;
  },
  gaussian: (queries, keys, d, { factor }) => {
    const square = 2 * Math.sqrt(d) * factor;
    const scale = balancedScale(queries, keys);
    return (i, j) => {
      let distance = 0;
      for (let c = 0; c < d; c += 1) distance += (queries[i * d + c] * scale - keys[j * d + c] / scale) ** 2;
      return -distance / square;
    };
  },
  place: (_queries, _keys, _d, { bandwidth }) => (i, j) => -((i - j) ** 2) / bandwidth ** 2,
  uniform: () => () => 0,
  hide: (queries, keys, d, { hidden }) => {
    const scores = HEAD_KERNELS["dot product"](queries, keys, d, { factor: 1 });
    return (i, j) => j !== i && hidden.includes(j) ? -Infinity : scores(i, j);
  },
  performer: (queries, keys, d, { factor, frequencies }) => {
    const n = queries.length / d, scale = (Math.sqrt(d) * factor) ** -0.5;
    const weights = causalPerformerWeights(
      queries.map((x) => x * scale),
      keys.map((x) => x * scale),
      d,
      frequencies
    );
    return (i, j) => Math.log(weights[i * n + j]);
  }
};
function balancedScale(queries, keys) {
  const [asked, answers] = [queries, keys].map((x) => inner(x, 0, x, 0, x.length));
  return (answers / asked) ** 0.25;
}
function causalPerformerWeights(queries, keys, d, frequencies) {
  const n = queries.length / d, m = frequencies.length / d;
  const asked = product(queries, frequencies, d), exponents = keyExponents(keys, frequencies, d);
  const weights = weightsOfFeatures(asked, exponents, m);
  for (let i = 0; i < n; i += 1) {
    if (weights.subarray(i * n, i * n + i + 1).reduce((a, b) => a + b) > 1e-200) continue;
    weights.set(weightsOfFeatures(asked.subarray(i * m, (i + 1) * m), exponents.subarray(0, (i + 1) * m), m), i * n);
  }
  return weights;
}
function headWeights(queries, keys, d, { name, ...setting }) {
  const n = queries.length / d, weights = new Float64Array(n * n);
  const logWeight = HEAD_KERNELS[name](queries, keys, d, setting);
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) weights[i * n + j] = logWeight(i, j);
    weights.set(softmax(weights.subarray(i * n, i * n + i + 1)), i * n);
  }
  return weights;
}
function averageInto(all, width, first, weights, values, d) {
  const n = values.length / d;
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j <= i; j += 1) {
      const weight = weights[i * n + j];
      for (let c = 0; c < d; c += 1) all[i * width + first + c] += weight * values[j * d + c];
    }
  }
}
function weightsOfOneQuery(queries, turnedKeys, d, base) {
  const n = queries.length / d, asked = new Float64Array(queries.length);
  for (let k = 0; k < queries.length; k += 1) asked[k % d] += queries[k] / n;
  for (let i = 1; i < n; i += 1) asked.copyWithin(i * d, 0, d);
  return headWeights(rotate(asked, d, base), turnedKeys, d, TRAINED);
}
var TRAINED = { name: "dot product", factor: 1 };
function heads(block, stream, width, base, kernels) {
  const d = width / kernels.length, x = norm(stream, width);
  const [asked, answers, said] = [block.query_maps, block.key_maps, block.value_maps].map(
    (maps) => product(x, maps, width)
  );
  const estimates = new Float64Array(x.length);
  const oneQuery = [];
  const weights = kernels.map((kernel, h) => {
    const [queries, keys, values] = [asked, answers, said].map((all) => columns(all, width, h * d, d));
    oneQuery.push(weightsOfOneQuery(queries, rotate(keys, d, base), d, base));
    const own = headWeights(rotate(queries, d, base), keys, d, kernel);
    averageInto(estimates, width, h * d, own, values, d);
    return own;
  });
  return { added: product(estimates, block.output_maps, width), weights, oneQuery, estimates };
}
function feedForward(block, stream, width) {
  const hidden = product(norm(stream, width), block.first_layer, width);
  for (let i = 0; i < hidden.length; i += 1) hidden[i] = Math.max(hidden[i], 0) ** 2;
  return product(hidden, block.second_layer, hidden.length / (stream.length / width));
}
function run({ embedding, blocks, width, rotary_base: base }, tokens, kernels, known) {
  const same = blocks.findIndex((_, b) => !known || kernels[b].some((kernel, h) => kernel !== known.kernels[b][h]));
  const start = same < 0 ? blocks.length : same;
  if (start === blocks.length) return known;
  const [weights, oneQuery, estimates, streams] = ["weights", "oneQuery", "estimates", "streams"].map(
    (name) => known ? known[name].slice(0, start) : []
  );
  const stream = known ? known.streams[start].slice() : embedded(embedding, tokens, width);
  for (let b = start; b < blocks.length; b += 1) {
    streams.push(stream.slice());
    const { added, ...own } = heads(blocks[b], stream, width, base, kernels[b]);
    addTo(stream, added);
    addTo(stream, feedForward(blocks[b], stream, width));
    weights.push(own.weights);
    oneQuery.push(own.oneQuery);
    estimates.push(own.estimates);
  }
  return { logits: product(norm(stream, width), embedding, width), weights, oneQuery, estimates, streams, kernels };
}
function embedded(embedding, tokens, width) {
  const rows = new Float64Array(tokens.length * width);
  tokens.forEach((token, i) => rows.set(embedding.subarray(token * width, (token + 1) * width), i * width));
  return norm(rows, width);
}
function loss(logits, tokens) {
  const size = logits.length / tokens.length;
  let sum = 0;
  for (let i = 0; i + 1 < tokens.length; i += 1) {
    const probabilities = softmax(logits.subarray(i * size, (i + 1) * size));
    sum -= Math.log(probabilities[tokens[i + 1]]);
  }
  return sum / (tokens.length - 1);
}
function whole({ data, scale }) {
  const numbers = new Int8Array(decodeBytes(data).buffer), scales = decodeFloats(scale);
  const all = new Float64Array(numbers.length), d = numbers.length / scales.length;
  for (let i = 0; i < all.length; i += 1) all[i] = numbers[i] * scales[Math.floor(i / d)];
  return all;
}
function openModel({ maps, n_blocks: nBlocks, n_heads: nHeads, width, rotary_base, frequencies }) {
  const { embedding, ...others } = Object.fromEntries(Object.entries(maps).map(([name, map]) => [name, whole(map)]));
  const part = (map, b) => map.subarray(b * map.length / nBlocks, (b + 1) * map.length / nBlocks);
  const blocks = Array.from({ length: nBlocks }, (_, b) => {
    const block = Object.fromEntries(Object.entries(others).map(([name, map]) => [name, part(map, b)]));
    return { ...block, output_maps: sideBySide(block.output_maps, nHeads, width) };
  });
  const drawn = Object.fromEntries(Object.entries(frequencies).map(([m, text]) => [m, decodeDoubles(text)]));
  return { embedding, blocks, width, rotary_base, nHeads, frequencies: drawn };
}
function sideBySide(maps, nHeads, width) {
  const d = maps.length / nHeads / width, all = new Float64Array(maps.length);
  for (let h = 0; h < nHeads; h += 1) {
    for (let row = 0; row < width; row += 1) {
      const from = (h * width + row) * d;
      all.set(maps.subarray(from, from + d), (row * nHeads + h) * d);
    }
  }
  return all;
}

// lib/figures/language_model/worker.js
var model;
var tokensOf;
var words;
var lengths;
var context;
var trained = { text: void 0 };
var rulerFor = rulers();
function kernelsOf({ kernel, scope, temperature, features, hidden, block, head }) {
  const frequencies = model.frequencies[features];
  const swapped = {
    name: kernel,
    factor: temperature,
    bandwidth: place_bandwidth * Math.sqrt(temperature),
    frequencies,
    hidden
  };
  const isMeant = {
    "this head": (l, h) => l === block && h === head,
    "the other heads": (l, h) => l !== block || h !== head,
    "all heads": () => true
  }[scope];
  return trained.kernels.map((row, l) => row.map((own, h) => isMeant(l, h) ? swapped : own));
}
function readText(text) {
  if (text === trained.text) return;
  const all = tokensOf(text), tokens = all.slice(-context);
  const own = { name: "dot product", factor: 1 };
  const kernels = model.blocks.map(() => Array(model.nHeads).fill(own));
  trained = {
    text,
    tokens,
    dropped: all.length - tokens.length,
    kernels,
    run: tokens.length ? run(model, tokens, kernels) : void 0
  };
  trained.loss = tokens.length ? loss(trained.run.logits, tokens) : NaN;
}
function namesOf({ weights, oneQuery }, tokens) {
  const measure = rulerFor(tokens);
  return weights.map((heads2, l) => heads2.map((own, h) => nameOfHead(measure(own, oneQuery[l][h]))));
}
function answer(setting) {
  readText(setting.text);
  const { tokens, dropped } = trained;
  if (!tokens.length) return { setting, tokens, words: [], dropped };
  const isTrained = setting.kernel === "dot product" && setting.temperature === 1;
  const now = isTrained ? trained.run : run(model, tokens, kernelsOf(setting), trained.run);
  const shown = ({ logits, weights, estimates }, lossOf) => ({ logits, weights, estimates, loss: lossOf });
  return {
    setting,
    tokens,
    dropped,
    words: tokens.map((token) => words[token]),
    names: namesOf(now, tokens),
    swapped: shown(now, isTrained ? trained.loss : loss(now.logits, tokens)),
    trained: shown(trained.run, trained.loss)
  };
}
self.onmessage = ({ data: { open, setting } }) => {
  if (open) {
    model = openModel(open);
    context = open.shown;
    ({ encode: tokensOf, words, lengths } = vocabulary(open));
    const { embedding, blocks, width } = model;
    postMessage({ table: { words, lengths, embedding, width, maps: blocks.map((block) => block.output_maps) } });
  } else {
    postMessage({ result: answer(setting) });
  }
};
