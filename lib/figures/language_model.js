import {
  arrowKeys, choiceSetting, draggable, format, html, keysForShare, later, liveFigure, numberSetting, onGrid, repeat, set,
  svg, textSetting, wellFormed, whenNear,
} from "./core.js";

// Above, the words with the weights of one head, and the likeliest next words. Below, all heads at a glance: a row of
// weights each. The model runs in a worker (language_model_worker.js), whose last answer the figure draws.

const LEVELS = 24, TOP = 0.55;  // shades of weight; the darkest still carries text
const CHIP = 24, LINE = 48, BAR = 22, TITLE = 30, CELL = 20;  // heights
const WRITE_PAUSE = 350, MOST_WRITTEN = 60;  // milliseconds between two tokens, and how many at one press
const N_NEXT = 5;
const percent = (share) => `${format(100 * share, share < 0.0995 ? 1 : 0)}\u00a0%`;
const place = (x, y) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
const role = (name, words) => `<b class="${name}">${words}</b>`;
const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const shadeOf = (weight) => TOP * Math.sqrt(weight);

/** What is drawn for a token: no space before a word, and signs for what has no shape. */
function spelled(word) {
  if (word.length > 1 && word[0] === " ") return word.slice(1);
  return { " ": "␣", "\n": "↵" }[word] ?? word.replace(/[\u0000-\u001f\u007f-\u009f]/g, "�");
}

/** As one of the next words: what continues a word begins with dots. */
const asNext = (word) => (/^[A-Za-z]/.test(word) ? `…${word}` : spelled(word));
const quoted = (word) => (word.includes("\ufffd") ? "a part of a letter" : `“${spelled(word)}”`);

// ---- From the worker's answer to what is shown ----------------------------------------------------------------

/** Softmax of one row of logits, the likeliest next words, and the probability of the one that follows. */
function expectation(logits, row, size, words, following) {
  const own = logits.subarray(row * size, (row + 1) * size);
  const top = own.reduce((a, b) => Math.max(a, b));
  const exps = own.map((logit) => Math.exp(logit - top)), total = exps.reduce((a, b) => a + b);
  const likeliest = [...exps.keys()].sort((a, b) => exps[b] - exps[a] || a - b).slice(0, N_NEXT);
  return {
    next: likeliest.map((token) => ({ word: words[token], probability: exps[token] / total })),
    follows: following === undefined ? null : exps[following] / total,
  };
}

/** The answer as it is shown for one query: its row of weights per head, the next words, the loss. */
function viewOf({ setting, tokens, words, dropped, swapped, trained }, query, vocabulary) {
  const n = tokens.length, last = Math.min(query, n - 1);
  const shown = ({ logits, weights, loss }) => ({
    rows: weights.map((heads) => heads.map((all) => [...all.subarray(last * n, (last + 1) * n)])),
    probabilities: expectation(logits, last, vocabulary.length, vocabulary, tokens[last + 1]),
    loss: Number.isNaN(loss) ? null : loss,
  });
  if (n === 0) return { setting: { ...setting, query: 0 }, tokens, words, dropped };
  return { setting: { ...setting, query: last }, tokens, words, dropped, swapped: shown(swapped), trained: shown(trained) };
}

/** A worker with the model in it. `ask` keeps the newest question only; `listen` gets each answer. */
function modelInWorker(code, stored, { listen, fail }) {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address);
  let vocabulary, waiting, isBusy = true;  // with opening the model
  const next = () => {
    isBusy = waiting !== undefined;
    if (isBusy) worker.postMessage({ setting: waiting });
    waiting = undefined;
  };
  worker.onmessage = ({ data }) => {
    vocabulary ??= data.vocabulary;
    next();
    if (data.result) listen(data.result, vocabulary);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail();
  };
  worker.postMessage({ open: stored });
  return {
    ask(setting) {
      waiting = setting;
      if (!isBusy) next();
    },
    end() {
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
}

// ---- The picture ------------------------------------------------------------------------------------------------

/** Where things are, in pixels, for a figure of this width. Words know their places only when they are measured. */
function layout(width) {
  const narrow = width < 560;
  const next = { width: narrow ? width : 236 };
  const words = { x: 0, y: TITLE, width: narrow ? width : width - next.width - 28 };
  const heads = { x: narrow ? 22 : 60, gap: narrow ? 6 : 10 };
  return { width, narrow, next, words, heads };
}

/** The words in lines: { x, y, width } each, and the height of all. */
function wrapped(words, measure, { x: left, y: top, width }) {
  let x = left, y = top;
  const places = words.map((word) => {
    const wide = Math.min(Math.max(measure(spelled(word)) + 6, 12), width - 18);
    const gap = x === left ? 0 : /^[ \n]/.test(word) ? 4 : 1;
    const room = word === "\n" ? width : width - 18;  // the sign of a new line stays in its line
    if (x + gap + wide > left + room) [x, y] = [left, y + LINE];
    else x += gap;
    const own = { x, y, width: wide };
    x += wide;
    if (word.endsWith("\n")) [x, y] = [left, y + LINE];
    return own;
  });
  return { places, bottom: (places.at(-1)?.y ?? top) + LINE };
}

const handle = (name, label, stage) => html("div", { class: `${name}-handle handle`, role: "slider", tabindex: 0, "aria-label": label }, stage);

/** The elements of the picture. */
function elements(stage) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes, parent = canvas) => svg(tag, { class: name, ...attributes }, parent);
  const parts = {
    canvas,
    wordsTitle: add("text", "title weight-title", { y: 14 }),
    chips: add("g", "chips"),
    strips: add("g", "strips"),
    words: add("g", "words"),
    numbers: add("g", "numbers"),
    queryFrame: add("rect", "query-frame", { rx: 4, height: CHIP }),
    empty: add("text", "empty", { text: "Write a sentence above." }),
    next: add("g", "next"),
    headsTitle: add("text", "title heads-title", { text: "All heads at a glance" }),
    headNames: add("g", "head-names"),
    grounds: add("g", "grounds"),
    cells: add("g", "cells"),
    queryMarks: add("path", "query-marks"),
    headFrame: add("rect", "head-frame", { rx: 2 }),
    legend: add("g", "legend"),
  };
  parts.note = html("p", { class: "note" }, stage);
  // What the hand holds is HTML: Chromium knows no touch-action of shapes.
  parts.queryHandle = handle("query", "Query", stage);
  parts.keyHandle = handle("look", "Key to read", stage);
  parts.headHandle = handle("head", "Layer and head", stage);
  return parts;
}

/** The text field and the button beside it, between the question and the picture. */
function writingPlace(stage, longest) {
  const group = html("div", { class: "writing" });
  stage.before(group);
  const label = html("label", { text: "Your text" }, group);
  const field = html("textarea", { rows: 2, maxlength: longest, spellcheck: "false", autocomplete: "off" }, label);
  const button = html("button", { type: "button", class: "write", text: "Write on", title: "Append the likeliest next word, one at a time" }, group);
  return { field, button };
}

/** Widths of texts in the figure's own font. */
function measureIn(element) {
  const context = document.createElement("canvas").getContext("2d");
  const known = new Map();
  return (text) => {
    if (!known.has(text)) {
      context.font = `16px ${getComputedStyle(element).fontFamily}`;
      known.set(text, context.measureText(text).width);
    }
    return known.get(text);
  };
}

/** Rectangles of equal shade as one path: a few elements, however many weights there are. */
function shadedPaths(rectangles) {
  const paths = Array.from({ length: LEVELS + 1 }, () => "");
  for (const { x, y, width, height, weight } of rectangles) {
    const level = Math.ceil(LEVELS * Math.sqrt(weight) - 0.5);
    if (level > 0) paths[level] += `M${x.toFixed(2)} ${y.toFixed(2)}h${width.toFixed(2)}v${height}h${(-width).toFixed(2)}z`;
  }
  return paths.slice(1);
}

// ---- Parts of the drawing: functions of the elements, of where things are and of what is shown -----------------

function drawWords(parts, at, { words, setting, swapped, trained }) {
  const { query, layer, head } = setting;
  const row = swapped?.rows[layer][head] ?? [], before = trained?.rows[layer][head] ?? [];
  const isSwapped = row.some((weight, j) => Math.abs(weight - before[j]) > 5e-4);
  const { places } = at.lines;
  repeat(parts.chips, "rect", words.length, (rect, j) => set(rect, {
    x: places[j].x, y: places[j].y, width: places[j].width, height: CHIP, rx: 4, "fill-opacity": row[j] > 0 ? shadeOf(row[j]) : 0,
  }));
  repeat(parts.strips, "rect", isSwapped ? words.length : 0, (rect, j) => set(rect, {
    x: places[j].x, y: places[j].y + CHIP + 1, width: places[j].width, height: 4, "fill-opacity": Math.sqrt(before[j]),
  }));
  repeat(parts.words, "text", words.length, (text, j) => {
    set(text, { x: places[j].x + 3, y: places[j].y + 17, class: j > query ? "unseen" : "seen" });
    text.textContent = spelled(words[j]);
  });
  repeat(parts.numbers, "text", words.length, (text, j) => {
    const isShown = row[j] >= 0.0095 && places[j].width >= 13;
    set(text, { x: places[j].x + places[j].width / 2, y: places[j].y + CHIP + 16, visibility: isShown ? "visible" : "hidden" });
    text.textContent = isShown ? String(Math.round(100 * row[j])) : "";
  });
  const own = places[query];
  set(parts.queryFrame, own ? { x: own.x, y: own.y, width: own.width, visibility: "visible" } : { visibility: "hidden" });
  set(parts.empty, { x: 0, y: at.words.y + 17, visibility: words.length ? "hidden" : "visible" });
  parts.wordsTitle.textContent = `Weights of layer ${layer}, head ${head}, in %`;
}

/** Two lists of likely next words: as trained, and with the kernel that is now in place. */
function drawNext(parts, at, { swapped, trained, words, setting }, names) {
  const { x, y, width } = at.next;
  set(parts.next, { transform: place(x, y) });
  const lists = swapped ? [["As trained", trained], [names.swapped, swapped]] : [];
  const largest = Math.max(...lists.flatMap(([, { probabilities }]) => probabilities.next.map(({ probability }) => probability)));
  const left = 86, room = width - left - 44;
  repeat(parts.next, "g", lists.length, (group, k) => {
    if (!group.firstChild) ["text", "g"].forEach((tag) => svg(tag, {}, group));
    const [title, bars] = group.children, [name, { probabilities }] = lists[k];
    set(group, { class: k ? "swapped" : "trained", transform: place(0, k * (TITLE + N_NEXT * BAR + 6)) });
    set(title, { class: "title", y: 14 });
    title.textContent = k ? name : `After ${quoted(words[setting.query])}, as trained`;
    repeat(bars, "g", probabilities.next.length, (bar, i) => {
      if (!bar.firstChild) ["text", "rect", "text"].forEach((tag) => svg(tag, {}, bar));
      const [word, rect, number] = bar.children, { word: token, probability } = probabilities.next[i];
      const wide = Math.max((room * probability) / largest, 1);
      set(bar, { transform: place(0, TITLE - 6 + i * BAR) });
      set(word, { class: "word", x: left - 6, y: 14 });
      set(rect, { x: left, y: 4, width: wide, height: 12 });
      set(number, { class: "number", x: left + wide + 5, y: 14 });
      word.textContent = asNext(token).slice(0, 10);
      number.textContent = percent(probability);
    });
  });
}

/** A row of weights per head, all in one scale. */
function drawHeads(parts, at, { swapped, words, setting }) {
  const { cellWidth, cellOf, nLayers, nHeads } = at.heads, n = Math.max(words.length, 1), step = cellWidth / n;
  const boxes = [], rectangles = [];
  for (let layer = 0; layer < nLayers; layer += 1) {
    for (let head = 0; head < nHeads; head += 1) {
      const { x, y } = cellOf(layer, head);
      boxes.push({ x, y });
      swapped?.rows[layer][head].forEach((weight, j) => rectangles.push({ x: x + j * step, y, width: step, height: CELL, weight }));
    }
  }
  const paths = shadedPaths(rectangles);
  repeat(parts.grounds, "rect", boxes.length, (rect, i) => set(rect, { ...boxes[i], width: cellWidth, height: CELL }));
  repeat(parts.cells, "path", paths.length, (path, level) => set(path, { d: paths[level], "fill-opacity": (level + 1) / LEVELS }));
  const mark = (setting.query + 0.5) * step;
  set(parts.queryMarks, { d: words.length ? boxes.map(({ x, y }) => `M${(x + mark).toFixed(1)} ${y + CELL}v4`).join("") : "" });
  const { x, y } = cellOf(setting.layer, setting.head);
  set(parts.headFrame, { x: x - 2, y: y - 2, width: cellWidth + 4, height: CELL + 4 });
}

/** Names of layers and heads, and the legend: what depends on the places alone. */
function drawNames(parts, at) {
  const { cellOf, cellWidth, nLayers, nHeads, y } = at.heads;
  set(parts.headsTitle, { y: y - 28 });
  parts.headNames.replaceChildren();
  const name = (x, top, text, kind) => svg("text", { class: `tick ${kind}`, x, y: top, text }, parts.headNames);
  for (let head = 0; head < nHeads; head += 1) name(cellOf(0, head).x + cellWidth / 2, y - 8, at.narrow ? head : `head ${head}`, "across");
  for (let layer = 0; layer < nLayers; layer += 1) name(cellOf(layer, 0).x - 8, cellOf(layer, 0).y + 14, at.narrow ? layer : `layer ${layer}`, "left");
  parts.legend.replaceChildren();
  let x = 0;
  for (const [kind, shape, attributes, words] of [
    ["query", "rect", { x: 1, y: -11, width: 14, height: 13, rx: 3 }, "query"],
    ["weight", "rect", { x: 0, y: -12, width: 16, height: 15, rx: 3 }, "weight"],
    ["before", "rect", { x: 0, y: -6, width: 16, height: 4 }, "as trained"],
  ]) {
    const group = svg("g", { class: kind, transform: place(x, at.height - 6) }, parts.legend);
    svg(shape, attributes, group);
    svg("text", { x: 22, text: words }, group);
    x += 40 + 6.6 * words.length;
  }
}

// ---- The sentence -------------------------------------------------------------------------------------------------

/** The kernel's number, where it has one that is not as trained. */
function tuning({ kernel, temperature, features }) {
  if (kernel === "place") return ` with h = ${format(2 * Math.sqrt(temperature), 2)}`;
  const many = kernel === "performer" ? ` with ${features} features` : "";
  return many + (kernel === "uniform" || temperature === 1 ? "" : ` at τ = ${format(temperature, 1)} √d`);
}

function sentenceOf({ setting, words, dropped, swapped, trained }, isSwapped, kernelName, shown) {
  if (!words.length) return "There is no word yet. Write a sentence.";
  const { query, layer, head } = setting, row = swapped.rows[layer][head];
  const count = keysForShare(row, 0.9), heaviest = row.indexOf(Math.max(...row));
  const told = dropped ? `The text is longer: these are its last ${shown} tokens. ` : "";
  const where = !isSwapped ? "as trained" : `${kernelName}${tuning(setting)}, used by ${setting.scope}`;
  const [best] = swapped.probabilities.next, [usual] = trained.probabilities.next;
  const next = `${role("estimate", `Next comes ${escaped(quoted(best.word))} with ${percent(best.probability)}`)}`
    + (isSwapped ? `; as trained, ${escaped(quoted(usual.word))} with ${percent(usual.probability)}` : "");
  const { follows } = swapped.probabilities;
  const really = follows === null ? "" : `. What really follows, ${escaped(quoted(words[query + 1]))}, has ${percent(follows)}`;
  const loss = swapped.loss === null ? "" : ` Loss: ${format(swapped.loss, 2)} nats per token`
    + `${isSwapped ? `, as trained ${format(trained.loss, 2)}` : ""}.`;
  return `${told}${role("query", `Query ${escaped(quoted(words[query]))}, token ${query}`)}; layer ${layer}, head ${head}, ${escaped(where)}. `
    + `It takes 90\u00a0% of its weight from ${role("weight", `${count} of ${query + 1} keys`)}; the heaviest is `
    + `${role("key", escaped(quoted(words[heaviest])))}, token ${heaviest}, with ${role("weight", percent(row[heaviest]))}. ${next}${really}.${loss}`;
}

/** What the page publishes. */
function stateOf({ setting, tokens, words, dropped, swapped, trained }, d) {
  const { temperature, kernel, layer, head } = setting;
  const bandwidth = kernel === "place" ? 2 * Math.sqrt(temperature) : Math.sqrt(2 * Math.sqrt(d) * temperature);
  if (!swapped) {
    const nothing = { weights: [], next: [], next_trained: [], loss: null, loss_trained: null, estimate: null, keys_for_90_percent: 0 };
    return { ...setting, tokens, words, dropped, bandwidth, ...nothing };
  }
  const row = swapped.rows[layer][head];
  return {
    ...setting, tokens, words, dropped, bandwidth,
    weights: row, weights_trained: trained.rows[layer][head],
    next: swapped.probabilities.next, next_trained: trained.probabilities.next,
    follows: swapped.probabilities.follows, follows_trained: trained.probabilities.follows,
    loss: swapped.loss, loss_trained: trained.loss,
    estimate: swapped.probabilities.next[0].probability, keys_for_90_percent: keysForShare(row, 0.9),
  };
}

// ---- The figure -----------------------------------------------------------------------------------------------------

function render({ model, el }) {
  const [kernels, kernelNames, scopes, features, temperatureGrid, shown, longest, first] = [
    "kernels", "kernel_names", "scopes", "features", "temperature_grid", "shown", "longest_text", "first",
  ].map((name) => model.get(name));
  const nLayers = first.swapped.rows.length, nHeads = first.swapped.rows[0].length;
  const queryGrid = [0, shown - 1, 1], layerGrid = [0, nLayers - 1, 1], headGrid = [0, nHeads - 1, 1];
  const figure = liveFigure({
    model, el, name: "language-model",
    hint: "Press on a word, or drag across the words; press on a head below. Keyboard: Tab, then arrow keys, Home and End.",
    settings: {
      text: textSetting("text", longest),
      query: numberSetting("query", queryGrid),
      layer: numberSetting("layer", layerGrid),
      head: numberSetting("head", headGrid),
      kernel: choiceSetting("kernel_index", kernels),
      scope: choiceSetting("scope_index", scopes),
      temperature: numberSetting("temperature", temperatureGrid),
      features: choiceSetting("features_index", features.map(String)),
    },
  });
  const { field, button } = writingPlace(figure.stage, longest);
  const parts = elements(figure.stage), measure = measureIn(figure.stage);
  let at, worker, answer, vocabulary, asked, view = first, looked, problem = "";
  let written = 0, pause;  // how many tokens are written at this press, and the wait for the next
  const last = shown - 1;  // the last token, whatever its number
  let stopWaiting = () => {};

  // ---- The model ----

  function current() {
    return {
      text: model.get("text"),
      query: onGrid(model.get("query"), queryGrid),
      layer: onGrid(model.get("layer"), layerGrid),
      head: onGrid(model.get("head"), headGrid),
      kernel: kernels[model.get("kernel_index")],
      scope: scopes[model.get("scope_index")],
      temperature: onGrid(model.get("temperature"), temperatureGrid),
      features: features[model.get("features_index")],
    };
  }

  const isSwapped = ({ kernel, temperature }) => kernel !== kernels[0] || temperature !== 1;

  /** What of a setting the model's run depends on: the query never, a head only where its kernel alone is swapped. */
  function runOf(setting) {
    const { text, kernel, temperature, scope, features: m, layer, head } = setting;
    if (!isSwapped(setting)) return JSON.stringify([text]);
    return JSON.stringify([text, kernel, temperature, scope === scopes[0] && [layer, head], kernel === "performer" && m]);
  }

  async function open() {
    figure.stage.classList.add("stale");
    try {
      const stored = await later(model, "model_later");
      worker = modelInWorker(model.get("worker_code"), stored, { listen, fail });
      figure.redraw();
    } catch {
      fail();
    }
  }

  function listen(result, words) {
    [answer, vocabulary] = [result, words];
    figure.redraw();
  }

  function fail() {
    problem = "The model could not be loaded here.";
    figure.stage.classList.remove("stale");
    stopWriting();
    drawNote();
  }

  /** The newest view there is; whether it shows the setting that is wanted. */
  function look(wanted) {
    const run = runOf(wanted);
    if (answer) {
      const isWanted = runOf(answer.setting) === run;
      view = viewOf({ ...answer, setting: isWanted ? wanted : answer.setting }, wanted.query, vocabulary);
      return isWanted;
    }
    const isFirst = runOf(first.setting) === run && Math.min(wanted.query, first.words.length - 1) === first.setting.query;
    if (isFirst) view = { ...first, setting: { ...wanted, query: first.setting.query } };
    return false;
  }

  /** Ask the worker, unless it was asked. */
  function ask(wanted) {
    if (!worker || asked === runOf(wanted)) return;
    asked = runOf(wanted);
    worker.ask(wanted);
  }

  // ---- Drawing ----

  function draw(width) {
    const wanted = current(), isNow = look(wanted);
    if (isNow) asked = undefined;
    else ask(wanted);
    if (worker) figure.stage.classList.toggle("stale", !isNow && !problem);
    if (wellFormed(field.value) !== wanted.text) field.value = wanted.text;
    arrange(width);
    const swapped = isSwapped(view.setting), kernelName = kernelNames[kernels.indexOf(view.setting.kernel)];
    drawWords(parts, at, view);
    drawNext(parts, at, view, { swapped: swapped ? `With ${kernelName}` : "Swapped: nothing yet" });
    drawHeads(parts, at, view);
    layHandles();
    drawNote();
    if (isNow) continueWriting();
    return {
      state: stateOf(view, model.get("head_dimension")),
      sentence: sentenceOf(view, swapped, kernelName, shown),
    };
  }

  /** Places, which depend on the width and on the words. */
  function arrange(width) {
    if (at?.width === width && at.of === view.words) return;
    at = { ...layout(width), of: view.words };
    at.lines = wrapped(view.words, measure, at.words);
    at.next = { ...at.next, x: at.narrow ? 0 : width - at.next.width, y: at.narrow ? at.lines.bottom + 6 : 0 };
    const nextBottom = at.next.y + 2 * (TITLE + N_NEXT * BAR + 6);
    const { x, gap } = at.heads, y = Math.max(at.lines.bottom, nextBottom) + 52;
    const cellWidth = (width - x - 3 - gap * (nHeads - 1)) / nHeads;
    const cellOf = (layer, head) => ({ x: x + head * (cellWidth + gap), y: y + layer * (CELL + 12) });
    at.heads = { x, y, cellWidth, cellOf, nLayers, nHeads, gap };
    at.height = y + nLayers * (CELL + 12) + 26;
    set(parts.canvas, { width, height: at.height, viewBox: `0 0 ${width} ${at.height}` });
    drawNames(parts, at);
  }

  function lay(element, { x, y, width, height }, isShown = true) {
    Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`, display: isShown ? "" : "none" });
  }

  /** The handles lie over what they hold, and say its value. */
  function layHandles() {
    const { setting, words, swapped } = view, { places } = at.lines;
    const chip = (j) => (words.length ? { ...places[j], height: CHIP } : { x: 0, y: 0, width: 0, height: 0 });
    const describe = (element, now, highest, text) =>
      set(element, { "aria-valuemin": "0", "aria-valuemax": String(highest), "aria-valuenow": String(now), "aria-valuetext": text });
    const key = keyToRead(), { layer, head } = setting;
    lay(parts.queryHandle, chip(setting.query), words.length);
    lay(parts.keyHandle, chip(key), words.length);
    const cell = at.heads.cellOf(layer, head);
    lay(parts.headHandle, { x: cell.x - 4, y: cell.y - 4, width: at.heads.cellWidth + 8, height: CELL + 8 });
    describe(parts.headHandle, layer * nHeads + head, nLayers * nHeads - 1, swapped ? headInWords(layer, head) : `layer ${layer}, head ${head}`);
    if (!words.length) return;
    describe(parts.queryHandle, setting.query, words.length - 1, `${quoted(words[setting.query])}, token ${setting.query} of ${words.length}`);
    describe(parts.keyHandle, key, words.length - 1, keyInWords(key));
  }

  /** The key whose weight is read: the one pointed at, else the heaviest. */
  function keyToRead() {
    if (looked?.token < view.words.length) return looked.token;
    const row = view.swapped?.rows[view.setting.layer][view.setting.head] ?? [0];
    return row.indexOf(Math.max(...row));
  }

  function keyInWords(j) {
    const { setting: { query, layer, head }, words, swapped, trained } = view;
    if (j > query) return `${quoted(words[j])}, token ${j}, comes after the query, which cannot see it`;
    const [now, before] = [swapped, trained].map(({ rows }) => percent(rows[layer][head][j]));
    return `Key ${quoted(words[j])}, token ${j}: weight ${now}${isSwapped(view.setting) ? `, as trained ${before}` : ""}`;
  }

  function headInWords(layer, head) {
    const row = view.swapped.rows[layer][head], heaviest = row.indexOf(Math.max(...row));
    return `Layer ${layer}, head ${head}: ${keysForShare(row, 0.9)} of ${view.setting.query + 1} keys carry 90\u00a0%, `
      + `${quoted(view.words[heaviest])} the most, ${percent(row[heaviest])}`;
  }

  function drawNote() {
    const isReading = looked?.token < view.words.length || (looked?.layer !== undefined && view.words.length > 0);
    const waits = !vocabulary && figure.stage.classList.contains("stale");
    parts.note.textContent = problem || (waits ? "The model is loading …"
      : !isReading ? "Point at a word or at a head to read its weights."
        : looked.token === undefined ? headInWords(looked.layer, looked.head) : keyInWords(looked.token));
  }

  // ---- Writing on ----

  let isWriting = false;
  const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  function stopWriting() {
    isWriting = false;
    clearTimeout(pause);
    button.textContent = "Write on";
  }

  function startWriting() {
    [isWriting, written, pause] = [true, 0, undefined];
    if (!isCalm()) button.textContent = "Stop";
    if (view.setting.query < view.words.length - 1) figure.change({ query: last });
    else figure.redraw();
  }

  /** After each answer: the next token, after a while; the first one at once. */
  function continueWriting() {
    if (!isWriting || view.setting.query < view.words.length - 1) return;
    clearTimeout(pause);
    pause = setTimeout(writeOne, written ? WRITE_PAUSE : 0);
  }

  function writeOne() {
    const token = view.swapped?.probabilities.next.find(({ word }) => !word.includes("\ufffd"));
    const text = token && model.get("text") + token.word;
    if (!token || text.length > longest || document.hidden) return stopWriting();
    written += 1;
    figure.change({ text, query: last });
    if (isCalm() || written === MOST_WRITTEN) stopWriting();
  }

  button.addEventListener("click", () => (isWriting ? stopWriting() : startWriting()));
  const touched = (event) => event.target !== button && stopWriting();
  figure.root.addEventListener("pointerdown", touched, { capture: true });
  figure.root.addEventListener("keydown", touched, { capture: true });

  // ---- Hands and keys ----

  field.addEventListener("input", () => figure.change({ text: wellFormed(field.value), query: last }));

  /** The token nearest to a point of the stage: in the line at this height, the nearest across. */
  function tokenAt(x, y) {
    const { places } = at.lines, line = at.words.y + LINE * Math.floor((y - at.words.y) / LINE);
    const height = Math.min(Math.max(line, places[0].y), places.at(-1).y);
    const middle = (j) => places[j].x + places[j].width / 2;
    const inLine = [...places.keys()].filter((j) => places[j].y === height);
    return inLine.reduce((a, b) => (Math.abs(middle(b) - x) < Math.abs(middle(a) - x) ? b : a), inLine[0] ?? places.length - 1);
  }

  /** As a setting: the last token is the last of every text. */
  const namely = (token) => (token === view.words.length - 1 ? last : token);

  function headAt(x, y) {
    const { x: left, y: top, cellWidth, gap } = at.heads;
    return {
      layer: onGrid(Math.floor((y - top + 6) / (CELL + 12)), layerGrid),
      head: onGrid(Math.floor((x - left + gap / 2) / (cellWidth + gap)), headGrid),
    };
  }

  /** Where a pointer is: over the "words", over the "heads", or nowhere. */
  function whereIs(event) {
    const { left, top } = figure.stage.getBoundingClientRect();
    const x = event.clientX - left, y = event.clientY - top;
    const inWords = view.words.length && y >= at.words.y - 6 && y < at.lines.bottom && x <= at.words.width + 6;
    const inHeads = y >= at.heads.y - 6 && y < at.heads.y + nLayers * (CELL + 12) && x >= at.heads.x - 6;
    return { x, y, where: inWords ? "words" : inHeads ? "heads" : undefined };
  }

  let before;
  function grab(event) {
    const { where } = whereIs(event);
    if (!where) return undefined;
    before = { query: model.get("query"), layer: model.get("layer"), head: model.get("head") };
    (where === "words" ? parts.queryHandle : parts.headHandle).focus({ preventScroll: true });
    return (e) => {
      const { x, y } = whereIs(e);
      figure.change(where === "words" ? { query: namely(tokenAt(x, y)) } : headAt(x, y));
    };
  }

  function point(event) {
    const { x, y, where } = whereIs(event);
    looked = where === "words" ? { token: tokenAt(x, y) } : where === "heads" ? headAt(x, y) : undefined;
    drawNote();
  }

  draggable(figure.stage, { grab, release: (cancelled) => cancelled && figure.change(before) });
  figure.stage.addEventListener("pointermove", point);
  figure.stage.addEventListener("pointerleave", () => {
    looked = undefined;
    drawNote();
  });

  /** One step among the tokens: left and right, up and down a line, all the way. */
  function stepFrom(token, right, up) {
    const { places } = at.lines;
    if (right) return Math.min(Math.max(token + right, 0), places.length - 1);
    const { x, y, width } = places[token];
    return tokenAt(x + width / 2, y + 1 - LINE * up);
  }

  arrowKeys(parts.queryHandle, (right, up) => view.words.length && figure.change({ query: namely(stepFrom(view.setting.query, right, up)) }));
  arrowKeys(parts.keyHandle, (right, up) => {
    if (!view.words.length) return;
    looked = { token: stepFrom(keyToRead(), right, up) };
    layHandles();
    drawNote();
  });
  arrowKeys(parts.headHandle, (right, up) => {
    const { layer, head } = current();
    figure.change({ layer: onGrid(layer - up, layerGrid), head: onGrid(Math.min(Math.max(head + right, 0), nHeads - 1), headGrid) });
  });
  parts.keyHandle.addEventListener("focus", () => {
    looked = { token: keyToRead() };
    drawNote();
  });
  parts.headHandle.addEventListener("focus", () => {
    looked = { layer: view.setting.layer, head: view.setting.head };
    drawNote();
  });

  const end = figure.start(draw);
  stopWaiting = whenNear(figure.root, open);
  return () => {
    stopWriting();
    stopWaiting();
    worker?.end();
    end();
  };
}

export default { render };
