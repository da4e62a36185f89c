import constants from "../constants.json" with { type: "json" };
import { defineFigure, memo } from "./figure.js";
import { arrowKeys, focus, isStill } from "./hands.js";
import { clamp, format, indexOfLargest, onGrid, percent, role } from "./numbers.js";
import { describe, drawing, html, lay, legend, repeat, repeatGroups, resize, set, svg, translate } from "./plot.js";
import { textSetting, wellFormed } from "./settings.js";
import { keysForShare, shadedPaths, softmax } from "./weights.js";
import { later, whenNear, workerOf } from "./workers.js";

// Above, the words with the weights of one head, and the likeliest next words. Below, all heads at a glance: a row of
// weights each. The model runs in a worker (language_model_worker.js), whose last answer the figure draws.

const N_CELL_SHADES = 24,
  TOP = 0.55; // shades of weight; the darkest word still carries text
const CHIP = 24,
  LINE = 48,
  BAR = 22,
  TITLE = 30,
  CELL = 20; // heights
const WRITE_PAUSE = 350,
  MOST_WRITTEN = 60; // milliseconds between two tokens, and how many at one press
const { n_next: N_NEXT, place_bandwidth: PLACE_BANDWIDTH } = constants;
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

/** Of one row of logits the likeliest next words, and the probability of the one that follows. */
function expectation(logits, row, size, words, following) {
  const probabilities = softmax(logits.subarray(row * size, (row + 1) * size));
  const likeliest = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a] || a - b);
  return {
    next: likeliest.slice(0, N_NEXT).map((token) => ({ word: words[token], probability: probabilities[token] })),
    follows: following === undefined ? null : probabilities[following],
  };
}

/** The answer as it is shown for one query: its row of weights per head, the next words, the loss. */
function viewOf({ setting, tokens, words, dropped, swapped, trained }, query, vocabulary) {
  const n = tokens.length,
    last = Math.min(query, n - 1);
  const shown = ({ logits, weights, loss }) => ({
    rows: weights.map((heads) => heads.map((all) => [...all.subarray(last * n, (last + 1) * n)])),
    probabilities: expectation(logits, last, vocabulary.length, vocabulary, tokens[last + 1]),
    loss: Number.isNaN(loss) ? null : loss,
  });
  if (n === 0) return { setting: { ...setting, query: 0 }, tokens, words, dropped };
  return {
    setting: { ...setting, query: last },
    tokens,
    words,
    dropped,
    swapped: shown(swapped),
    trained: shown(trained),
  };
}

/** A worker with the model in it. `ask` keeps the newest question only; `listen` gets each answer. */
function modelInWorker(code, stored, { listen, fail }) {
  let vocabulary,
    waiting,
    isBusy = true; // with opening the model
  const next = () => {
    isBusy = waiting !== undefined;
    if (isBusy) worker.post({ setting: waiting });
    waiting = undefined;
  };
  const hear = (data) => {
    vocabulary ??= data.vocabulary;
    next();
    if (data.result) listen(data.result, vocabulary);
  };
  const worker = workerOf(code, { listen: hear, fail });
  worker.post({ open: stored });
  return {
    ask(setting) {
      waiting = setting;
      if (!isBusy) next();
    },
    end: worker.end,
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
  let x = left,
    y = top;
  const places = words.map((word) => {
    const wide = Math.min(Math.max(measure(spelled(word)) + 6, 12), width - 18);
    const gap = x === left ? 0 : /^[ \n]/.test(word) ? 4 : 1;
    const room = word === "\n" ? width : width - 18; // the sign of a new line stays in its line
    if (x + gap + wide > left + room) [x, y] = [left, y + LINE];
    else x += gap;
    const own = { x, y, width: wide };
    x += wide;
    if (word.endsWith("\n")) [x, y] = [left, y + LINE];
    return own;
  });
  return { places, bottom: (places.at(-1)?.y ?? top) + LINE };
}

const handle = (name, label, stage) =>
  html("div", { class: `${name}-handle handle`, role: "slider", tabindex: 0, "aria-label": label }, stage);

/** The elements of the picture. */
function elements(stage) {
  const { canvas, add } = drawing(stage);
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
  const field = html("textarea", { rows: 3, maxlength: longest, spellcheck: "false", autocomplete: "off" }, label);
  const button = html(
    "button",
    { type: "button", class: "write", text: "Write on", title: "Append the likeliest next word, one at a time" },
    group,
  );
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

// ---- Parts of the drawing: functions of the elements, of where things are and of what is shown -----------------

function drawWords(parts, at, { words, setting, swapped, trained }) {
  const { query, layer, head } = setting;
  const row = swapped?.rows[layer][head] ?? [],
    before = trained?.rows[layer][head] ?? [];
  const hasMoved = row.some((weight, j) => Math.abs(weight - before[j]) > 5e-4);
  const { places } = at.lines;
  repeat(parts.chips, "rect", words.length, (rect, j) =>
    set(rect, {
      x: places[j].x,
      y: places[j].y,
      width: places[j].width,
      height: CHIP,
      rx: 4,
      "fill-opacity": row[j] > 0 ? shadeOf(row[j]) : 0,
    }),
  );
  repeat(parts.strips, "rect", hasMoved ? words.length : 0, (rect, j) =>
    set(rect, {
      x: places[j].x,
      y: places[j].y + CHIP + 1,
      width: places[j].width,
      height: 4,
      "fill-opacity": Math.sqrt(before[j]),
    }),
  );
  repeat(parts.words, "text", words.length, (text, j) => {
    set(text, { x: places[j].x + 3, y: places[j].y + 17, class: j > query ? "unseen" : "seen" });
    text.textContent = spelled(words[j]);
  });
  repeat(parts.numbers, "text", words.length, (text, j) => {
    const isShown = row[j] >= 0.0095 && places[j].width >= 13;
    set(text, {
      x: places[j].x + places[j].width / 2,
      y: places[j].y + CHIP + 16,
      visibility: isShown ? "visible" : "hidden",
    });
    text.textContent = isShown ? String(Math.round(100 * row[j])) : "";
  });
  const own = places[query];
  set(
    parts.queryFrame,
    own ? { x: own.x, y: own.y, width: own.width, visibility: "visible" } : { visibility: "hidden" },
  );
  set(parts.empty, { x: 0, y: at.words.y + 17, visibility: words.length ? "hidden" : "visible" });
  parts.wordsTitle.textContent = `Weights of layer ${layer}, head ${head}, in %`;
}

/** Two lists of likely next words: as trained, and with the kernel that is now in place. */
function drawNext(parts, at, { swapped, trained, words, setting }, swappedName) {
  const { x, y, width } = at.next;
  set(parts.next, { transform: translate(x, y) });
  const lists = swapped
    ? [
        ["As trained", trained],
        [swappedName, swapped],
      ]
    : [];
  const largest = Math.max(
    ...lists.flatMap(([, { probabilities }]) => probabilities.next.map(({ probability }) => probability)),
  );
  const left = 86,
    room = width - left - 44;
  const buildList = (group) => ({ title: svg("text", { class: "title", y: 14 }, group), bars: svg("g", {}, group) });
  const buildBar = (group) => ({
    word: svg("text", { class: "word", x: left - 6, y: 14 }, group),
    bar: svg("rect", { x: left, y: 4, height: 12 }, group),
    number: svg("text", { class: "number", y: 14 }, group),
  });
  repeatGroups(parts.next, lists.length, buildList, ({ title, bars }, k, list) => {
    const [name, { probabilities }] = lists[k];
    set(list, { class: k ? "swapped" : "trained", transform: translate(0, k * (TITLE + N_NEXT * BAR + 6)) });
    title.textContent = k ? name : `After ${quoted(words[setting.query])}, as trained`;
    repeatGroups(bars, probabilities.next.length, buildBar, ({ word, bar, number }, i, group) => {
      const { word: token, probability } = probabilities.next[i];
      const wide = Math.max((room * probability) / largest, 1);
      set(group, { transform: translate(0, TITLE - 6 + i * BAR) });
      set(bar, { width: wide });
      set(number, { x: left + wide + 5 });
      word.textContent = asNext(token).slice(0, 10);
      number.textContent = percent(probability);
    });
  });
}

/** A row of weights per head, all in one scale. */
function drawHeads(parts, at, { swapped, words, setting }) {
  const { cellWidth, cellOf, nLayers, nHeads } = at.heads,
    n = Math.max(words.length, 1),
    step = cellWidth / n;
  const boxes = Array.from({ length: nLayers * nHeads }, (_, i) => cellOf(Math.floor(i / nHeads), i % nHeads));
  const weights = swapped ? swapped.rows.flat(2) : [];
  const wide = step.toFixed(2);
  const cell = (k) => {
    const { x, y } = boxes[Math.floor(k / n)];
    return `M${(x + (k % n) * step).toFixed(2)} ${y.toFixed(2)}h${wide}v${CELL}h-${wide}z`;
  };
  const paths = shadedPaths(weights.map(Math.sqrt), cell, N_CELL_SHADES);
  repeat(parts.grounds, "rect", boxes.length, (rect, i) => set(rect, { ...boxes[i], width: cellWidth, height: CELL }));
  repeat(parts.cells, "path", paths.length, (path, level) =>
    set(path, { d: paths[level], "fill-opacity": (level + 1) / N_CELL_SHADES }),
  );
  const mark = (setting.query + 0.5) * step;
  set(parts.queryMarks, {
    d: words.length ? boxes.map(({ x, y }) => `M${(x + mark).toFixed(1)} ${y + CELL}v4`).join("") : "",
  });
  const { x, y } = cellOf(setting.layer, setting.head);
  set(parts.headFrame, { x: x - 2, y: y - 2, width: cellWidth + 4, height: CELL + 4 });
}

/** Names of layers and heads, and the legend: what depends on the places alone. */
function drawNames(parts, at) {
  const { cellOf, cellWidth, nLayers, nHeads, y } = at.heads;
  set(parts.headsTitle, { y: y - 28 });
  parts.headNames.replaceChildren();
  const name = (x, top, text, kind) => svg("text", { class: `tick ${kind}`, x, y: top, text }, parts.headNames);
  for (let head = 0; head < nHeads; head += 1)
    name(cellOf(0, head).x + cellWidth / 2, y - 8, at.narrow ? head : `head ${head}`, "across");
  for (let layer = 0; layer < nLayers; layer += 1)
    name(cellOf(layer, 0).x - 8, cellOf(layer, 0).y + 14, at.narrow ? layer : `layer ${layer}`, "left");
  legend(parts.legend, LEGEND_WORDS, { y: at.height - 6, gap: 40 });
}

const LEGEND_WORDS = [
  { name: "query", words: "query", shape: "rect", x: 1, y: -11, width: 14, height: 13, rx: 3 },
  { name: "weight", words: "weight", shape: "rect", x: 0, y: -12, width: 16, height: 15, rx: 3 },
  { name: "before", words: "as trained", shape: "rect", x: 0, y: -6, width: 16, height: 4 },
];

// ---- The sentence -------------------------------------------------------------------------------------------------

/** The kernel's number, where it has one that is not as trained. */
function tuning({ kernel, temperature, features }) {
  if (kernel === "place") return ` with h = ${format(PLACE_BANDWIDTH * Math.sqrt(temperature), 2)}`;
  const many = kernel === "performer" ? ` with ${features} features` : "";
  return many + (kernel === "uniform" || temperature === 1 ? "" : ` at τ = ${format(temperature, 1)} √d`);
}

function sentence({ kernel_names, shown }, { view: { setting, words, dropped, swapped, trained } }) {
  if (!words.length) return "There is no word yet. Write a sentence.";
  const { query, layer, head } = setting,
    row = swapped.rows[layer][head];
  const count = keysForShare(row, 0.9),
    heaviest = row.indexOf(Math.max(...row));
  const isNew = isSwapped(setting);
  const told = dropped ? `The text is longer: these are its last ${shown} tokens. ` : "";
  const where = !isNew ? "as trained" : `${kernel_names[setting.kernel]}${tuning(setting)}, used by ${setting.scope}`;
  const [best] = swapped.probabilities.next,
    [usual] = trained.probabilities.next;
  const next =
    `${role("estimate", `Next comes ${escaped(quoted(best.word))} with ${percent(best.probability)}`)}` +
    (isNew ? `; as trained, ${escaped(quoted(usual.word))} with ${percent(usual.probability)}` : "");
  const { follows } = swapped.probabilities;
  // Where nothing follows there is no probability: null, or undefined from Python in the browser.
  const really =
    follows == null ? "" : `. What really follows, ${escaped(quoted(words[query + 1]))}, has ${percent(follows)}`;
  const loss =
    swapped.loss == null
      ? ""
      : ` Loss: ${format(swapped.loss, 2)} nats per token` +
        `${isNew ? `, as trained ${format(trained.loss, 2)}` : ""}.`;
  return (
    `${told}${role("query", `Query ${escaped(quoted(words[query]))}, token ${query}`)}; layer ${layer}, head ${head}, ${escaped(where)}. ` +
    `It takes 90\u00a0% of its weight from ${role("weight", `${count} of ${query + 1} keys`)}; the heaviest is ` +
    `${role("key", escaped(quoted(words[heaviest])))}, token ${heaviest}, with ${role("weight", percent(row[heaviest]))}. ${next}${really}.${loss}`
  );
}

/** What the page publishes. */
function state({ head_dimension: d }, { view: { setting, tokens, words, dropped, swapped, trained } }) {
  const { temperature, kernel, layer, head } = setting;
  const bandwidth =
    kernel === "place" ? PLACE_BANDWIDTH * Math.sqrt(temperature) : Math.sqrt(2 * Math.sqrt(d) * temperature);
  if (!swapped) {
    const nothing = {
      weights: [],
      next: [],
      next_trained: [],
      loss: null,
      loss_trained: null,
      estimate: null,
      keys_for_90_percent: 0,
    };
    return { ...setting, tokens, words, dropped, bandwidth, ...nothing };
  }
  const row = swapped.rows[layer][head];
  return {
    ...setting,
    tokens,
    words,
    dropped,
    bandwidth,
    weights: row,
    weights_trained: trained.rows[layer][head],
    next: swapped.probabilities.next,
    next_trained: trained.probabilities.next,
    follows: swapped.probabilities.follows,
    follows_trained: trained.probabilities.follows,
    loss: swapped.loss,
    loss_trained: trained.loss,
    estimate: swapped.probabilities.next[0].probability,
    keys_for_90_percent: keysForShare(row, 0.9),
  };
}

// ---- What is read, by eye and by screen readers --------------------------------------------------------------

/** The key whose weight is read: the one pointed at, else the heaviest. */
function keyToRead({ words, swapped, setting: { layer, head } }, looked) {
  return looked?.token < words.length ? looked.token : indexOfLargest(swapped?.rows[layer][head] ?? [0]);
}

function keyInWords({ setting, words, swapped, trained }, j) {
  const { query, layer, head } = setting;
  if (j > query) return `${quoted(words[j])}, token ${j}, comes after the query, which cannot see it`;
  const [now, before] = [swapped, trained].map(({ rows }) => percent(rows[layer][head][j]));
  return `Key ${quoted(words[j])}, token ${j}: weight ${now}${isSwapped(setting) ? `, as trained ${before}` : ""}`;
}

function headInWords({ setting, words, swapped }, layer, head) {
  const row = swapped.rows[layer][head],
    heaviest = indexOfLargest(row);
  return (
    `Layer ${layer}, head ${head}: ${keysForShare(row, 0.9)} of ${setting.query + 1} keys carry 90\u00a0%, ` +
    `${quoted(words[heaviest])} the most, ${percent(row[heaviest])}`
  );
}

/** What is said of the word or the head that is pointed at. */
function noteOf(view, looked) {
  if (looked?.token < view.words.length) return keyInWords(view, looked.token);
  if (looked?.layer !== undefined && view.words.length) return headInWords(view, looked.layer, looked.head);
  return "Point at a word or at a head to read its weights.";
}

/** The handles lie over what they hold, and say its value. */
function layHandles(parts, at, view, key) {
  const {
      setting: { query, layer, head },
      words,
      swapped,
    } = view,
    { nLayers, nHeads, cellOf, cellWidth } = at.heads;
  const overWord = (handle, j) => {
    lay(handle, words.length ? { ...at.lines.places[j], height: CHIP } : { x: 0, y: 0, width: 0, height: 0 });
    handle.style.display = words.length ? "" : "none";
  };
  overWord(parts.queryHandle, query);
  overWord(parts.keyHandle, key);
  const { x, y } = cellOf(layer, head);
  lay(parts.headHandle, { x: x - 4, y: y - 4, width: cellWidth + 8, height: CELL + 8 });
  const headWords = swapped ? headInWords(view, layer, head) : `layer ${layer}, head ${head}`;
  describe(parts.headHandle, layer * nHeads + head, [0, nLayers * nHeads - 1], headWords);
  if (!words.length) return;
  const last = words.length - 1;
  describe(parts.queryHandle, query, [0, last], `${quoted(words[query])}, token ${query} of ${words.length}`);
  describe(parts.keyHandle, key, [0, last], keyInWords(view, key));
}

/** Places, which depend on the width and on the words. */
function arrange(parts, { nLayers, nHeads }, measure, words, width) {
  const { narrow, ...plan } = layout(width);
  const lines = wrapped(words, measure, plan.words);
  const next = { ...plan.next, x: narrow ? 0 : width - plan.next.width, y: narrow ? lines.bottom + 6 : 0 };
  const { x, gap } = plan.heads,
    y = Math.max(lines.bottom, next.y + 2 * (TITLE + N_NEXT * BAR + 6)) + 52;
  const cellWidth = (width - x - 3 - gap * (nHeads - 1)) / nHeads;
  const cellOf = (layer, head) => ({ x: x + head * (cellWidth + gap), y: y + layer * (CELL + 12) });
  const heads = { x, y, cellWidth, cellOf, nLayers, nHeads, gap };
  const at = { ...plan, narrow, lines, next, heads, of: words, height: y + nLayers * (CELL + 12) + 26 };
  resize(parts.canvas, width, at.height);
  drawNames(parts, at);
  return at;
}

// ---- Where the hand is ----------------------------------------------------------------------------------------

/** The token nearest to a point of the stage: in the line at this height, the nearest across. */
function tokenAt({ lines: { places }, words }, x, y) {
  const line = words.y + LINE * Math.floor((y - words.y) / LINE);
  const height = clamp(line, places[0].y, places.at(-1).y);
  const middle = (j) => places[j].x + places[j].width / 2;
  const inLine = [...places.keys()].filter((j) => places[j].y === height);
  return inLine.reduce(
    (a, b) => (Math.abs(middle(b) - x) < Math.abs(middle(a) - x) ? b : a),
    inLine[0] ?? places.length - 1,
  );
}

/** One step among the tokens: left and right, up and down a line, all the way. */
function stepFrom(at, token, right, up) {
  const { places } = at.lines;
  if (right) return clamp(token + right, 0, places.length - 1);
  const { x, y, width } = places[token];
  return tokenAt(at, x + width / 2, y + 1 - LINE * up);
}

function headAt({ heads: { x: left, y: top, cellWidth, gap, nLayers, nHeads } }, x, y) {
  return {
    layer: onGrid(Math.floor((y - top + 6) / (CELL + 12)), [0, nLayers - 1, 1]),
    head: onGrid(Math.floor((x - left + gap / 2) / (cellWidth + gap)), [0, nHeads - 1, 1]),
  };
}

/** Where a pointer is: over the "words", over the "heads", or nowhere. */
function whereIs(at, stage, event) {
  const { left, top } = stage.getBoundingClientRect(),
    { heads, words, lines } = at;
  const x = event.clientX - left,
    y = event.clientY - top;
  const inWords = at.of.length && y >= words.y - 6 && y < lines.bottom && x <= words.width + 6;
  const inHeads = y >= heads.y - 6 && y < heads.y + heads.nLayers * (CELL + 12) && x >= heads.x - 6;
  return { x, y, where: inWords ? "words" : inHeads ? "heads" : undefined };
}

// ---- Writing on -----------------------------------------------------------------------------------------------

/**
 * Let the model write on at the press of a button: one token after each answer, until a hand or a key stops it.
 * `shown()` is the view that is shown, `append(token)` writes its word and says whether there was room for it, and
 * `begin()` brings the query to the last token.
 */
function writer(button, { shown, append, begin }) {
  let isWriting = false,
    written = 0,
    pause;
  function stop() {
    isWriting = false;
    clearTimeout(pause);
    button.textContent = "Write on";
  }

  function start() {
    [isWriting, written, pause] = [true, 0, undefined];
    if (!isStill()) button.textContent = "Stop";
    begin();
  }

  function writeOne() {
    const token = shown().swapped?.probabilities.next.find(({ word }) => !word.includes("\ufffd"));
    if (!token || document.hidden || !append(token.word)) return stop();
    written += 1;
    if (isStill() || written === MOST_WRITTEN) stop();
  }

  /** After each answer: the next token, after a while; the first one at once. */
  function goOn() {
    const { setting, words } = shown();
    if (!isWriting || setting.query < words.length - 1) return;
    clearTimeout(pause);
    pause = setTimeout(writeOne, written ? WRITE_PAUSE : 0);
  }

  button.addEventListener("click", () => (isWriting ? stop() : start()));
  return { stop, goOn };
}

// ---- The setting ----------------------------------------------------------------------------------------------

/** What does not change, and what the worker has answered: until then, what Python saw first. */
function withAnswers(facts) {
  const { rows } = facts.first.swapped;
  return {
    ...facts,
    nLayers: rows.length,
    nHeads: rows[0].length,
    view: facts.first, // what is shown
    answer: undefined,
    vocabulary: undefined,
  };
}

/** What is set now, in numbers: what the worker is asked for. */
const wantedBy = ({ layer, head, features, ...setting }) => ({
  ...setting,
  layer: Number(layer),
  head: Number(head),
  features: Number(features),
});

/** The newest view there is, and whether it shows the setting that is wanted. */
function compute(data, setting) {
  const wanted = wantedBy(setting);
  const { isNow, view } = viewFor(wanted, data);
  data.view = view;
  return { wanted, isNow, view };
}

const TRAINED = "dot product"; // the kernel that the heads were trained with

const isSwapped = ({ kernel, temperature }) => kernel !== TRAINED || temperature !== 1;

/** What of a setting the model's run depends on: the query never, a head only where its kernel alone is swapped. */
function runOf(setting) {
  const { text, kernel, temperature, scope, features: m, layer, head } = setting;
  if (!isSwapped(setting)) return JSON.stringify([text]);
  const where = scope === "this head" && [layer, head];
  return JSON.stringify([text, kernel, temperature, where, kernel === "performer" && m]);
}

/** The newest view there is, and whether it shows the setting that is wanted. */
function viewFor(wanted, { answer, vocabulary, first, view }) {
  const run = runOf(wanted);
  if (answer) {
    const isNow = runOf(answer.setting) === run,
      setting = isNow ? wanted : answer.setting;
    return { isNow, view: viewOf({ ...answer, setting }, wanted.query, vocabulary) };
  }
  const isFirst =
    runOf(first.setting) === run && Math.min(wanted.query, first.words.length - 1) === first.setting.query;
  return { isNow: false, view: isFirst ? { ...first, setting: { ...wanted, query: first.setting.query } } : view };
}

// ---- The figure -----------------------------------------------------------------------------------------------

/**
 * Let hands and arrow keys choose the query, the head and the word that is read. `places()` says where things are,
 * `looked()` what is read, which `lookAt` changes.
 */
function handsOn(figure, parts, { places, looked, lookAt }) {
  const { data, stage, change } = figure;
  /** As a setting: the last token is the last of every text. */
  const namely = (token) => (token === data.view.words.length - 1 ? data.shown - 1 : token);
  const inWords = ({ layer, head }) => ({ layer: String(layer), head: String(head) });

  function grab(event) {
    const { where } = whereIs(places(), stage, event);
    if (!where) return undefined;
    focus(where === "words" ? parts.queryHandle : parts.headHandle);
    return (e) => {
      const { x, y } = whereIs(places(), stage, e);
      change(where === "words" ? { query: namely(tokenAt(places(), x, y)) } : inWords(headAt(places(), x, y)));
    };
  }

  function point(event) {
    const { x, y, where } = whereIs(places(), stage, event);
    lookAt(
      where === "words" ? { token: tokenAt(places(), x, y) } : where === "heads" ? headAt(places(), x, y) : undefined,
    );
  }

  figure.drag(stage, grab);
  stage.addEventListener("pointermove", point);
  stage.addEventListener("pointerleave", () => lookAt(undefined));
  arrowKeys(parts.queryHandle, (right, up) => {
    const { words, setting } = data.view;
    if (words.length) change({ query: namely(stepFrom(places(), setting.query, right, up)) });
  });
  arrowKeys(parts.keyHandle, (right, up) => {
    if (!data.view.words.length) return;
    lookAt({ token: stepFrom(places(), keyToRead(data.view, looked()), right, up) });
    layHandles(parts, places(), data.view, keyToRead(data.view, looked()));
  });
  arrowKeys(parts.headHandle, (right, up) => {
    const { layer, head } = wantedBy(figure.setting());
    change(inWords({ layer: clamp(layer - up, 0, data.nLayers - 1), head: clamp(head + right, 0, data.nHeads - 1) }));
  });
  parts.keyHandle.addEventListener("focus", () => lookAt({ token: keyToRead(data.view, looked()) }));
  parts.headHandle.addEventListener("focus", () => {
    const { layer, head } = data.view.setting;
    lookAt({ layer, head });
  });
}

function view(figure) {
  const { data, root, stage, change } = figure,
    { kernel_names, shown, longest_text } = data;
  const { field, button } = writingPlace(stage, longest_text);
  const parts = elements(stage),
    measure = measureIn(stage),
    last = shown - 1; // the last token, whatever its number
  const arranged = memo((words, width) => arrange(parts, data, measure, words, width));
  let at,
    worker,
    asked, // the run that the worker is at
    looked,
    problem = "";

  const writing = writer(button, {
    shown: () => data.view,
    begin: () => (data.view.setting.query < data.view.words.length - 1 ? change({ query: last }) : figure.redraw()),
    append(word) {
      const text = figure.setting().text + word,
        hasRoom = text.length <= longest_text;
      if (hasRoom) change({ text, query: last });
      return hasRoom;
    },
  });

  async function open() {
    stage.classList.add("stale");
    try {
      const stored = await later(figure.model, "model_later");
      if (figure.signal.aborted) return;
      worker = modelInWorker(data.worker_code, stored, { listen, fail });
      figure.redraw();
    } catch {
      fail();
    }
  }

  function listen(result, words) {
    [data.answer, data.vocabulary] = [result, words];
    figure.redraw();
  }

  function fail() {
    problem = "The model could not be loaded here.";
    stage.classList.remove("stale");
    writing.stop();
    drawNote();
  }

  function askFor(wanted, isNow) {
    const run = isNow ? undefined : runOf(wanted);
    if (!isNow && asked !== run) worker.ask(wanted);
    asked = run;
    stage.classList.toggle("stale", !isNow && !problem);
  }

  function draw({ wanted, isNow, view }, { width }) {
    if (worker) askFor(wanted, isNow);
    if (wellFormed(field.value) !== wanted.text) field.value = wanted.text;
    at = arranged(view.words, width);
    drawWords(parts, at, view);
    drawNext(
      parts,
      at,
      view,
      isSwapped(view.setting) ? `With ${kernel_names[view.setting.kernel]}` : "Swapped: nothing yet",
    );
    drawHeads(parts, at, view);
    layHandles(parts, at, view, keyToRead(view, looked));
    drawNote();
    if (isNow) writing.goOn();
  }

  function drawNote() {
    const waits = !data.vocabulary && stage.classList.contains("stale");
    parts.note.textContent = problem || (waits ? "The model is loading …" : noteOf(data.view, looked));
  }

  function lookAt(place) {
    looked = place;
    drawNote();
  }

  const touched = (event) => event.target !== button && writing.stop();
  root.addEventListener("pointerdown", touched, { capture: true });
  root.addEventListener("keydown", touched, { capture: true });
  field.addEventListener("input", () => change({ text: wellFormed(field.value), query: last }));
  handsOn(figure, parts, { places: () => at, looked: () => looked, lookAt });

  const stopWaiting = whenNear(root, open);
  figure.signal.addEventListener("abort", () => {
    writing.stop();
    stopWaiting();
    worker?.end();
  });
  return draw;
}

export default defineFigure("language-model", {
  hint: "Press on a word, or drag across the words; press on a head below. Keyboard: Tab, then arrow keys, Home and End.",
  data: withAnswers,
  settings: ({ longest_text }) => ({ text: textSetting(longest_text) }),
  compute,
  state,
  sentence,
  view,
});
