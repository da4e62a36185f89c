import constants from "../constants.json" with { type: "json" };
import { defineFigure, memo } from "./figure.js";
import { arrowKeys, focus, isStill } from "./hands.js";
import { clamp, format, indexOfLargest, onGrid, percent, role } from "./numbers.js";
import { describe, drawing, html, lay, legend, repeat, repeatGroups, resize, set, svg, translate } from "./plot.js";
import { tellValues } from "./readout.js";
import { meaningOf } from "./ruler.js";
import { textSetting, wellFormed } from "./settings.js";
import {
  asNext,
  CHIP,
  drawTokens,
  isPartOfLetter,
  measureIn,
  quoted,
  stepFrom,
  tokenAt,
  tokenParts,
  wrapped,
} from "./tokens.js";
import { headLogits } from "./transformer.js";
import { keysForShare, shadedPaths, softmax } from "./weights.js";
import { later, whenTouched, workerOf } from "./workers.js";

// Left, the words with the weights of one head, what this head adds, and all heads at a glance with their names. Right,
// the likeliest next words, and what one can take from the heads. The model runs in a worker
// (language_model_worker.js), whose last answer the figure draws; until a hand touches it, what Python saw first.

const N_CELL_SHADES = 16;
const TITLE = 22,
  ARCS = 10, // over the first line
  BAR = 24, // as high as a finger needs
  CELL = 12,
  HEAD_ROW = 28; // heights
const WRITE_PAUSE = 350,
  MOST_WRITTEN = 60, // milliseconds between two tokens, and how many at one press
  CHOICE_PAUSE = 200; // milliseconds after the last letter, less than those after which screen readers speak
const N_ADDED = 3,
  N_MARKED = 3, // heads with the fewest keys
  FEW = 4, // words that one can take in at a glance
  DARK = 5; // per cent, as they are shown: a word with so much is hidden with the dark ones
const DIGITS = 10; // of what the page publishes: the browser's sums and Python's part behind them
const { n_next: N_NEXT, place_bandwidth: PLACE_BANDWIDTH } = constants;
const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
const TRAINED = "dot product"; // the kernel that the heads were trained with
const NAMES = { place: "near", uniform: "wide" }; // of a head that does not ask for anything
const isSwapped = ({ kernel, temperature, hidden }) =>
  kernel === "hide" ? hidden.length > 0 : kernel !== TRAINED || temperature !== 1;
const AS_TRAINED = { kernel: TRAINED, scope: "this head", temperature: 1, hidden: [] };
const hasTemperature = ({ kernel }) => kernel !== "uniform" && kernel !== "hide";

// ---- From the worker's answer to what is shown ----------------------------------------------------------------

const largest = (numbers) => [...numbers.keys()].sort((a, b) => numbers[b] - numbers[a] || a - b);

/** The next words that are shown, with their two probabilities: half of them from each list, then more of now. */
function expectation(now, trained, words) {
  const half = N_NEXT / 2,
    first = largest(now);
  const likeliest = [...first.slice(0, half), ...largest(trained).slice(0, half), ...first.slice(half, N_NEXT)];
  const shown = [...new Set(likeliest)].slice(0, N_NEXT).sort((a, b) => now[b] - now[a] || a - b);
  return shown.map((token) => ({ word: words[token], probability: now[token], trained: trained[token] }));
}

const probabilitiesAt = (logits, row, size) => softmax(logits.subarray(row * size, (row + 1) * size));

const likeliestAt = (logits, row, { words: { length: size } }) =>
  indexOfLargest(logits.subarray(row * size, (row + 1) * size));

/** By how much the output of one head alone raises each token at one place. */
function raisedBy({ estimates, weights }, { embedding, width, maps }, place, { layer, head }) {
  const parts = { embedding, output_maps: maps[layer], width };
  return headLogits(parts, estimates[layer], place, head, width / weights[layer].length);
}

/** What one head adds at one place: the words that it raises most. */
function additions(run, table, place, at) {
  const logits = raisedBy(run, table, place, at);
  return largest(logits)
    .slice(0, N_ADDED)
    .map((token) => ({ word: table.words[token], logit: logits[token] }));
}

/**
 * The head that tells most about the word that comes next: of those with 90 % of their weight on a few words, or on
 * the fewest, the one that puts the likeliest next word highest. Of two such, the one that looks at fewer.
 */
function tellingHead({ tokens, trained }, table) {
  const n = tokens.length,
    place = n - 1;
  const likeliest = likeliestAt(trained.logits, place, table);
  const heads = trained.weights.flatMap((all, layer) =>
    all.map((weights, head) => ({ layer, head, keys: keysForShare(weights.subarray(place * n), 0.9) })),
  );
  const limit = Math.max(FEW, Math.min(...heads.map(({ keys }) => keys)));
  const ranked = heads
    .filter(({ keys }) => keys <= limit)
    .map((at) => {
      const logits = raisedBy(trained, table, place, at);
      return { ...at, rank: logits.filter((logit) => logit > logits[likeliest]).length };
    });
  const { layer, head } = ranked.sort((a, b) => a.rank - b.rank || a.keys - b.keys)[0];
  return { layer: String(layer), head: String(head) };
}

/** What the ruler calls a head, or where that does not ask for anything, what its kernel does. */
function nameOf({ setting: { kernel, scope, layer, head }, names }, i, k) {
  const isSet = scope === "all heads" || (i === layer && k === head);
  return (isSet && NAMES[kernel]) || names?.[i][k];
}

/** The answer as it is shown for one query: its row of weights per head, what the head adds, the next words. */
function viewOf({ setting, tokens, words, dropped, names, swapped, trained }, query, table) {
  const n = tokens.length,
    last = Math.min(query, n - 1);
  if (n === 0) return { setting: { ...setting, query: 0 }, tokens, words, dropped };
  const shown = ({ weights, loss }) => ({
    rows: weights.map((heads) => heads.map((all) => [...all.subarray(last * n, (last + 1) * n)])),
    loss: Number.isNaN(loss) ? null : loss,
  });
  const size = table.words.length,
    both = [swapped, trained].map(({ logits }) => probabilitiesAt(logits, last, size));
  const following = tokens[last + 1],
    { layer, head } = setting;
  const adds = additions(swapped, table, last, setting);
  return {
    setting: { ...setting, query: last },
    tokens,
    words,
    dropped,
    names,
    adds: { [layer]: { [head]: adds } },
    next: expectation(...both, table.words),
    follows: following === undefined ? null : both.map((probabilities) => probabilities[following]),
    swapped: shown(swapped),
    trained: shown(trained),
  };
}

/** A worker with the model in it. `ask` keeps the newest question only; `listen` gets each answer. */
function modelInWorker(code, stored, { listen, fail }) {
  let table,
    waiting,
    isBusy = true; // with opening the model
  const next = () => {
    isBusy = waiting !== undefined;
    if (isBusy) worker.post({ setting: waiting });
    waiting = undefined;
  };
  const hear = (data) => {
    table ??= data.table;
    next();
    if (data.result) listen(data.result, table);
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
  const side = { width: narrow ? width : 264 };
  const words = { x: 0, y: TITLE + ARCS, width: narrow ? width : width - side.width - 20 };
  const heads = { x: narrow ? 16 : 52, gap: narrow ? 6 : 10, width: words.width };
  return { width, narrow, side, words, heads };
}

const handle = (name, label, stage) =>
  html("div", { class: `${name}-handle handle`, role: "slider", tabindex: 0, "aria-label": label }, stage);

/** The elements of the picture. */
function elements(stage) {
  const { canvas, add } = drawing(stage);
  const parts = {
    canvas,
    wordsTitle: add("text", "title weight-title", { y: 14 }),
    ...tokenParts(add),
    empty: add("text", "empty", { text: "Write a sentence above." }),
    adds: add("text", "adds"),
    nextTitle: add("text", "title next-title"),
    next: add("g", "next"),
    loss: add("text", "loss"),
    headsTitle: add("text", "title heads-title"),
    headNames: add("g", "head-names"),
    grounds: add("g", "grounds"),
    cells: add("g", "cells"),
    names: add("g", "names"),
    marks: add("g", "marks"),
    queryMarks: add("path", "query-marks"),
    headFrame: add("rect", "head-frame", { rx: 2 }),
    legend: add("g", "legend"),
  };
  // What the hand holds is HTML: Chromium knows no touch-action of shapes.
  const queryHandle = handle("query", "Query", stage),
    keyHandle = handle("look", "Key to read", stage),
    headHandle = handle("head", "Block and head", stage);
  const buttons = html("div", { class: "next-buttons", role: "group", "aria-label": "Append a next word" }, stage);
  const note = html("p", { class: "note" }, stage);
  return { ...parts, queryHandle, keyHandle, headHandle, buttons, note };
}

const button = (text, parent, properties = {}) => html("button", { type: "button", text, ...properties }, parent);

const OWN_KEYS = { "data-lm-suppress-shortcuts": "true" }; // JupyterLab leaves the arrow keys to an element that has this itself

/** A menu of names: `chosen(name)` hears of a choice. */
function menu(label, words, parent, chosen) {
  const row = html("label", { class: "menu", text: label }, parent);
  const select = html("select", OWN_KEYS, row);
  Object.entries(words).forEach(([name, text]) => html("option", { value: name, text }, select));
  select.addEventListener("change", () => chosen(select.value));
  return { row, select };
}

const SAMPLES = { 0: "the likeliest, T = 0", 0.7: "drawn at T = 0.7", 1.5: "drawn at T = 1.5" };

/** The text field, and beside it the button that writes on and the temperature of what it writes. */
function writingPlace(stage, { longest_text: longest, ranges }, change) {
  const group = html("div", { class: "writing" });
  stage.before(group);
  const words = { "aria-label": "Your text", placeholder: "Write a sentence" };
  const field = html(
    "textarea",
    { ...words, rows: 2, maxlength: longest, spellcheck: "false", autocomplete: "off" },
    group,
  );
  const beside = html("div", {}, group);
  const write = button("Write on", beside, { class: "write", title: "Append next words, one at a time" });
  const samples = Object.fromEntries(ranges.sampling.map((T) => [T, SAMPLES[T]]));
  const { select } = menu("", samples, beside, (sampling) => change({ sampling }));
  set(select, { "aria-label": "next word" });
  return { field, write, sampling: select };
}

/** What one can take from the heads: two questions as buttons, the kernel, where it is used, its number. */
function toolsIn(stage, { kernel_names, ranges }, { change, darkWords }) {
  const tools = html("div", { class: "tools", role: "group", "aria-label": "What the heads may look at" }, stage);
  const named = (names) => Object.fromEntries(names.map((name) => [name, name]));
  const places = button("", tools);
  const hide = button("", tools);
  const kernel = menu("kernel", kernel_names, tools, (name) =>
    change({ kernel: name, ...(name === "hide" && { hidden: darkWords() }) }),
  );
  const scope = menu("used by", named(ranges.scope), tools, (name) => change({ scope: name }));
  const row = html("label", { class: "menu", text: "τ in heads" }, tools);
  const [min, max, step] = ranges.temperature;
  const slider = html(
    "input",
    { ...OWN_KEYS, type: "range", min, max, step, "aria-label": "τ in the heads, times √d" },
    row,
  );
  const number = html("output", {}, row);
  const features = menu("features", named(ranges.features), tools, (name) => change({ features: name }));
  const onlyPlaces = { ...AS_TRAINED, kernel: "place", scope: "all heads" };
  const isPlaces = ({ kernel: name, scope: where }) => name === "place" && where === "all heads";
  let now;
  slider.addEventListener("input", () => change({ temperature: Number(slider.value) }));
  places.addEventListener("click", () => change(isPlaces(now) ? AS_TRAINED : onlyPlaces));
  hide.addEventListener("click", () =>
    change(now.kernel === "hide" ? AS_TRAINED : { ...AS_TRAINED, kernel: "hide", hidden: darkWords() }),
  );
  function show(setting) {
    now = setting;
    kernel.select.value = setting.kernel;
    scope.select.value = setting.scope;
    features.select.value = String(setting.features);
    slider.value = setting.temperature;
    number.textContent = setting.kernel === "place" ? placeBandwidth(setting) : `${format(setting.temperature, 1)} √d`;
    slider.setAttribute("aria-valuetext", number.textContent);
    row.hidden = !hasTemperature(setting);
    features.row.hidden = setting.kernel !== "performer";
    places.classList.toggle("on", isPlaces(setting));
    places.textContent = isPlaces(setting) ? "All heads as trained again" : "Let all heads look only at places";
    hide.classList.toggle("on", setting.kernel === "hide");
    hide.textContent = setting.kernel === "hide" ? "Show the words again" : "Hide the words it looks at most";
    const isTrained = setting.kernel === TRAINED;
    hide.disabled = setting.kernel !== "hide" && !(isTrained && darkWords().length);
    hide.title = hide.disabled ? (isTrained ? "It looks only at itself" : "Of heads as trained only") : "";
  }
  return { element: tools, show };
}

// ---- Parts of the drawing: functions of the elements, of where things are and of what is shown -----------------

/** A word in a title, which a phone holds, too. */
const brief = (word) => {
  if (isPartOfLetter(word)) return "“\ufffd”";
  return word.length > 14 ? `${quoted(word).slice(0, 13)}…”` : quoted(word);
};

function drawWords(parts, at, { words, setting, swapped, trained }) {
  const { query, layer, head } = setting;
  const row = swapped?.rows[layer][head] ?? [];
  drawTokens(parts, at.lines.places, {
    tokens: words,
    query,
    row,
    before: trained?.rows[layer][head],
    unseen: (j) => j > query,
    hidden: setting.kernel === "hide" ? setting.hidden : [],
  });
  set(parts.empty, { x: 0, y: at.words.y + 17, visibility: words.length ? "hidden" : "visible" });
  const from = words.length ? ` from ${brief(words[query])}` : "";
  const [which, share] = at.narrow
    ? [`Head ${layer}, ${head}`, "in\u00a0%"]
    : [`Block ${layer}, head ${head}`, "%\u00a0of weight"];
  parts.wordsTitle.textContent = `${which} looks${from} at (${share})`;
}

/** One row: the words that the head raises by itself, as next ones. */
function drawAdds(parts, at, { setting: { layer, head }, adds }) {
  const added = adds?.[layer]?.[head];
  set(parts.adds, { x: 0, y: at.addsLine + 14 });
  parts.adds.replaceChildren();
  const say = (text, kind) => svg("tspan", { class: kind, text }, parts.adds);
  if (!added) return;
  say(at.narrow ? "alone it favours " : "alone, it favours as next word ", "plain");
  added.forEach(({ word }, i) => {
    if (i) say(", ", "plain");
    say(asNext(word), "word");
  });
}

/** One list of likely next words. When something is swapped, each has two bars: as trained, and now. */
function drawNext(parts, at, { next = [], words, setting, swapped, trained }) {
  const { x, y, width } = at.side,
    isPaired = isSwapped(setting);
  const most = Math.max(...next.map((each) => Math.max(each.probability, isPaired ? each.trained : 0)));
  const left = 86,
    room = width - left - (isPaired ? 88 : 50);
  const wide = (probability) => Math.max((room * probability) / most, 1);
  set(parts.nextTitle, { x, y: y + 14 });
  parts.nextTitle.textContent = next.length ? `What comes after ${brief(words[setting.query])}` : "";
  set(parts.next, { transform: translate(x, y + TITLE - 2) });
  const build = (group) => ({
    word: svg("text", { class: "word", x: left - 6, y: 16 }, group),
    before: svg("rect", { class: "before", x: left, y: 4, height: 7 }, group),
    bar: svg("rect", { class: "now", x: left }, group),
    number: svg("text", { class: "number", y: 16 }, group),
  });
  repeatGroups(parts.next, next.length, build, ({ word, before, bar, number }, i, group) => {
    const { word: token, probability, trained: usual } = next[i];
    set(group, { transform: translate(0, i * BAR) });
    set(bar, { width: wide(probability), y: isPaired ? 12 : 5, height: isPaired ? 7 : 14 });
    set(before, { width: wide(usual), visibility: isPaired ? "visible" : "hidden" });
    set(number, { x: left + wide(isPaired ? Math.max(usual, probability) : probability) + 5 });
    word.textContent = asNext(token).slice(0, 10);
    number.textContent = isPaired
      ? `${percent(usual).replace(/\s?%/, "")} → ${percent(probability)}`
      : percent(probability);
  });
  set(parts.loss, { x, y: y + TITLE + next.length * BAR + 12 });
  const usual = isPaired ? `, as trained ${format(trained?.loss ?? 0, 2)}` : "";
  parts.loss.textContent =
    swapped?.loss == null ? "" : `Loss ${format(swapped.loss, 2)} nats${isPaired ? "" : " per token"}${usual}`;
}

/** A button over each next word: a press appends it. */
function layButtons(parts, at, { next = [] }, append) {
  const { x, y, width } = at.side;
  while (parts.buttons.children.length > next.length) parts.buttons.lastChild.remove();
  while (parts.buttons.children.length < next.length) {
    const i = parts.buttons.children.length;
    button("", parts.buttons, { class: "next-word" }).addEventListener("click", () => append(i));
  }
  [...parts.buttons.children].forEach((each, i) => {
    lay(each, { x, y: y + TITLE - 2 + i * BAR, width, height: BAR });
    set(each, { "aria-label": `Append ${quoted(next[i].word)}` });
    each.disabled = isPartOfLetter(next[i].word);
  });
}

const entropy = (row) => row.reduce((sum, weight) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0);

/** The heads that look at the fewest words from this query; none where all look alike. @param {number[][][]} rows */
function narrowest(rows) {
  const all = rows.flat().map(entropy),
    mean = all.reduce((a, b) => a + b, 0) / all.length;
  const fewer = [...all.keys()].filter((k) => all[k] < mean - 1e-6);
  return fewer.sort((a, b) => all[a] - all[b] || a - b).slice(0, N_MARKED);
}

/** A row of weights per head, all in one scale, and its name. */
function drawHeads(parts, at, view) {
  const { swapped, words, setting } = view,
    { cellWidth, cellOf, nLayers, nHeads } = at.heads,
    n = Math.max(words.length, 1),
    step = cellWidth / n;
  const boxes = Array.from({ length: nLayers * nHeads }, (_, i) => cellOf(Math.floor(i / nHeads), i % nHeads));
  const weights = swapped ? swapped.rows.flat(2) : [];
  const wide = step.toFixed(1);
  const cell = (k) => {
    const { x, y } = boxes[Math.floor(k / n)];
    return `M${(x + (k % n) * step).toFixed(1)} ${y}h${wide}v${CELL}h-${wide}z`;
  };
  const paths = shadedPaths(weights.map(Math.sqrt), cell, N_CELL_SHADES);
  repeat(parts.grounds, "rect", boxes.length, (rect, i) => set(rect, { ...boxes[i], width: cellWidth, height: CELL }));
  repeat(parts.cells, "path", paths.length, (path, level) =>
    set(path, { d: paths[level], "fill-opacity": (level + 1) / N_CELL_SHADES }),
  );
  const marked = swapped ? narrowest(swapped.rows) : [];
  repeat(parts.names, "text", boxes.length, (text, i) => {
    const isMarked = marked.includes(i);
    set(text, { x: boxes[i].x + (isMarked ? 11 : 0), y: boxes[i].y + CELL + 11, class: isMarked ? "marked" : "" });
    const name = nameOf(view, Math.floor(i / nHeads), i % nHeads) ?? "";
    text.textContent = at.narrow ? name.replace("one ", "1 ") : name;
  });
  repeat(parts.marks, "circle", marked.length, (circle, k) => {
    const { x, y } = boxes[marked[k]];
    set(circle, { cx: x + 4, cy: y + CELL + 7, r: 3.5 });
  });
  const mark = (setting.query + 0.5) * step;
  set(parts.queryMarks, {
    d: words.length ? boxes.map(({ x, y }) => `M${(x + mark).toFixed(1)} ${y + CELL}v4`).join("") : "",
  });
  const { x, y } = cellOf(setting.layer, setting.head);
  set(parts.headFrame, { x: x - 2, y: y - 2, width: cellWidth + 4, height: CELL + 4 });
}

/** Names of blocks and heads: what depends on the places alone. */
function drawNames(parts, at) {
  const { cellOf, cellWidth, nLayers, nHeads, y } = at.heads;
  set(parts.headsTitle, { x: 0, y: y - 24 });
  const where = at.narrow ? [` in ${nLayers} blocks`, ""] : ["", " on the whole text"];
  parts.headsTitle.textContent = `All ${nLayers * nHeads} heads${where[0]}, and what each does${where[1]}`;
  parts.headNames.replaceChildren();
  const name = (x, top, text, kind) => svg("text", { class: `tick ${kind}`, x, y: top, text }, parts.headNames);
  for (let head = 0; head < nHeads; head += 1) name(cellOf(0, head).x + cellWidth / 2, y - 8, `head ${head}`, "across");
  for (let layer = 0; layer < nLayers; layer += 1)
    name(cellOf(layer, 0).x - 7, cellOf(layer, 0).y + 11, at.narrow ? layer : `block ${layer}`, "left");
}

/** The legend of what is drawn: nothing is as trained where all is, and no head is marked where all look alike. */
function drawLegend(parts, at, isPaired, hasMarks) {
  const drawn = { before: isPaired, marked: hasMarks };
  const entries = LEGEND.filter(({ name }) => drawn[name] ?? true);
  legend(parts.legend, entries, { y: at.legendLine, gap: 36, width: at.heads.width, line: 20 });
}

const LEGEND = [
  { name: "query", words: "query", shape: "rect", x: 1, y: -11, width: 14, height: 13, rx: 3 },
  { name: "weight", words: "weight", shape: "rect", x: 0, y: -12, width: 16, height: 15, rx: 3 },
  { name: "before", words: "as trained", shape: "rect", x: 0, y: -6, width: 16, height: 4 },
  { name: "marked", words: "looks at the fewest words from here", shape: "circle", cx: 9, cy: -4, r: 3.5 },
];

// ---- The sentence -------------------------------------------------------------------------------------------------

const placeBandwidth = ({ temperature }) => `h = ${format(PLACE_BANDWIDTH * Math.sqrt(temperature), 2)}`;

/** The kernel's number, where it has one that is not as trained. */
function tuning({ kernel, temperature, features }) {
  if (kernel === "place") return ` with ${placeBandwidth({ temperature })}`;
  const many = kernel === "performer" ? ` with ${features} features` : "";
  return many + (!hasTemperature({ kernel }) || temperature === 1 ? "" : ` at τ = ${format(temperature, 1)} √d`);
}

/** What the heads do that is not as trained. */
function changeInWords(setting, words, kernelNames) {
  if (!isSwapped(setting)) return "";
  const { kernel, scope, hidden } = setting;
  const own = hidden.filter((j) => j < words.length).map((j) => escaped(quoted(words[j])));
  const what =
    kernel === "hide" ? `${own.join(", ")} hidden from` : `${escaped(kernelNames[kernel])}${tuning(setting)} in`;
  return `Now ${what} ${scope}. `;
}

function sentence({ kernel_names, shown, chosen }, { view }) {
  const { setting, words, dropped, next, follows, swapped } = view;
  if (!words.length) return "There is no word yet. Write a sentence.";
  const { query, layer, head } = setting,
    row = swapped.rows[layer][head];
  const told =
    (dropped ? `The text is longer: these are its last ${shown} tokens. ` : "") +
    (words.some(isPartOfLetter) ? "This model has read English tales only; of other letters it sees bytes. " : "");
  const name = nameOf(view, layer, head),
    isOtherHere = name === "wide" && !isWide(row, query);
  const looks =
    `${role("query", `From ${escaped(quoted(words[query]))}`)}, head ${layer}, ${head} looks ` +
    `${keysInWords(row, query, words)}. ${capital(meaningOf(name))}${isOtherHere ? ", but not here" : ""}. ` +
    (isChosen(chosen, setting) ? "It is shown since it tells most about the next word. " : "");
  const really =
    follows == null ? "" : `; what follows, ${escaped(quoted(words[query + 1]))}, has ${percent(follows[0])}`;
  return `${told}${changeInWords(setting, words, kernel_names)}${looks}${nextInWords(next, setting)}${really}.${elsewhere(swapped, setting)}`;
}

/** Whether a setting shows the head that was chosen for its text. */
const isChosen = (chosen, { text, layer, head }) =>
  chosen?.text === text && chosen.layer === String(layer) && chosen.head === String(head);

/** The likeliest next word, and where another one is so as trained, that one. */
function nextInWords(next, setting) {
  const [first] = next,
    before = likeliestAsTrained(next);
  const now = role("estimate", `Next comes ${escaped(quoted(first.word))} with ${percent(first.probability)}`);
  if (!isSwapped(setting)) return now;
  if (first === before) return `${now}, as trained with ${percent(first.trained)}`;
  const fell = `with ${percent(before.trained)}, now ${percent(before.probability)}`;
  return `${now}; as trained it is ${escaped(quoted(before.word))} ${fell}`;
}

const likeliestAsTrained = (next) => next.reduce((best, each) => (each.trained > best.trained ? each : best));
const capital = (words) => words[0].toUpperCase() + words.slice(1);
const isWide = (row, query) => query > 3 && 2 * keysForShare(row, 0.9) > query + 1;

/** The one or two words that a head looks at most, and how far back they are. */
function keysInWords(row, query, words) {
  const seen = row.slice(0, query + 1);
  if (query && Math.max(...seen) - Math.min(...seen) < 1e-9) return `at all ${query + 1} pieces alike`;
  const back = (j) => (j === query ? "itself" : `${query - j} back`);
  const key = (j) => `${role("key", escaped(quoted(words[j])))} (${role("weight", percent(row[j]))}, ${back(j)})`;
  const [first, second] = largest(row);
  const both = row[second] >= 0.1 ? ` and ${key(second)}` : "";
  return `${isWide(row, query) ? "nearly everywhere, most" : "most"} at ${key(first)}${both}`;
}

/** Where to look, if the chosen head looks nearly everywhere. */
function elsewhere({ rows }, { query, layer, head }) {
  const marked = narrowest(rows).map((k) => [Math.floor(k / rows[0].length), k % rows[0].length].join(", "));
  return isWide(rows[layer][head], query) && marked.length
    ? ` Head ${marked[0]} looks at fewer words: press on it.`
    : "";
}

/** What became of the likeliest next word: the answer less likely, more likely, or another, and why. */
function fateOf({ next }, [lessLikely, moreLikely, another]) {
  const [first] = next,
    before = likeliestAsTrained(next);
  const fell = `${escaped(quoted(before.word))} has ${percent(before.probability)}, as trained ${percent(before.trained)}.`;
  if (first !== before) return { right: another, because: `${escaped(quoted(first.word))} is first, and ${fell}` };
  if (first.probability === first.trained) return {};
  return { right: first.probability < first.trained ? lessLikely : moreLikely, because: fell };
}

/** Of another text than the first the question is another; its answer is known when all is as it asks. */
function asks(data, { wanted, isNow, view }, { answers, then, ...offered }) {
  if (wanted.text === data.defaults.text) return offered;
  if (!data.answer || data.answer.setting.text !== wanted.text) return data.asked ?? offered; // still on its way
  const { tokens, trained } = data.answer,
    last = tokens.length - 1;
  if (last < 0) return { question: "Write a sentence. What will come next?" };
  if (data.asked?.text !== wanted.text) {
    const word = data.table.words[likeliestAt(trained.logits, last, data.table)];
    data.asked = {
      text: wanted.text,
      question: `${quoted(word)} comes next. What if all heads only looked at places?`,
    };
  }
  const isAsAsked = Object.entries(then).every(([name, value]) => wanted[name] === value);
  if (isAsAsked && isNow && view.setting.query === last) Object.assign(data.asked, fateOf(view, answers));
  return data.asked;
}

/** Who guesses what becomes of a text of his own keeps it. */
const keeps = ({ defaults, shown }, { text, layer, head }) =>
  text === defaults.text ? {} : { text, layer, head, query: shown - 1 };

/** Numbers without the digits in which the browser and Python may differ. */
const published = (value) =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "number" ? Number(each.toFixed(DIGITS)) : each)));

/** What the page publishes. */
function state({ head_dimension: d }, { view }) {
  const { setting, tokens, words, dropped, names, adds, next = [], follows, swapped, trained } = view;
  const { temperature, kernel, layer, head } = setting;
  const bandwidth =
    kernel === "place" ? PLACE_BANDWIDTH * Math.sqrt(temperature) : Math.sqrt(2 * Math.sqrt(d) * temperature);
  const known = { ...setting, tokens, words, dropped, bandwidth, next };
  if (!swapped) return { ...known, weights: [], names: [], loss: null, estimate: null, keys_for_90_percent: 0 };
  const row = swapped.rows[layer][head];
  return published({
    ...known,
    names,
    narrowest: narrowest(swapped.rows),
    adds: adds[layer]?.[head],
    weights: row,
    weights_trained: trained.rows[layer][head],
    follows: follows?.[0],
    follows_trained: follows?.[1],
    loss: swapped.loss,
    loss_trained: trained.loss,
    estimate: next[0].probability,
    keys_for_90_percent: keysForShare(row, 0.9),
  });
}

// ---- What is read, by eye and by screen readers --------------------------------------------------------------

/** The key whose weight is read: the one pointed at, else the heaviest. */
function keyToRead({ words, swapped, setting: { layer, head } }, looked) {
  return looked < words.length ? looked : indexOfLargest(swapped?.rows[layer][head] ?? [0]);
}

function keyInWords({ setting, words, swapped, trained }, j) {
  const { query, layer, head } = setting;
  if (j > query) return `${quoted(words[j])}, token ${j}, comes after the query, which cannot see it`;
  const [now, before] = [swapped, trained].map(({ rows }) => percent(rows[layer][head][j]));
  return `Key ${quoted(words[j])}, token ${j}: weight ${now}${isSwapped(setting) ? `, as trained ${before}` : ""}`;
}

function headInWords(view, layer, head) {
  const { setting, words, swapped } = view,
    row = swapped.rows[layer][head],
    heaviest = indexOfLargest(row);
  const most = `most from ${quoted(words[setting.query])} at ${quoted(words[heaviest])}, ${percent(row[heaviest])}`;
  return `Head ${layer}, ${head} looks ${most}; ${meaningOf(nameOf(view, layer, head))}`;
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
  const headWords = swapped ? headInWords(view, layer, head) : `head ${layer}, ${head}`;
  describe(parts.headHandle, layer * nHeads + head, [0, nLayers * nHeads - 1], headWords);
  if (!words.length) return;
  const last = words.length - 1;
  describe(parts.queryHandle, query, [0, last], `${quoted(words[query])}, token ${query} of ${words.length}`);
  describe(parts.keyHandle, key, [0, last], keyInWords(view, key));
}

/**
 * Places, which depend on the width and on the words. The tools have a place of their own. On a phone the heads come
 * between the words and the next ones.
 */
function arrange(parts, tools, { nLayers, nHeads }, measure, words, width) {
  const { narrow, ...plan } = layout(width);
  const lines = wrapped(words, measure, plan.words),
    addsLine = lines.bottom;
  const { x, gap } = plan.heads,
    y = addsLine + 58;
  const cellWidth = (plan.heads.width - x - 4 - gap * (nHeads - 1)) / nHeads;
  const cellOf = (layer, head) => ({ x: x + head * (cellWidth + gap), y: y + layer * HEAD_ROW });
  const heads = { x, y, cellWidth, cellOf, nLayers, nHeads, gap, width: plan.heads.width };
  const legendLine = y + nLayers * HEAD_ROW + 10,
    headsBottom = legendLine + (narrow ? 28 : 6);
  const side = { ...plan.side, x: narrow ? 0 : width - plan.side.width, y: narrow ? headsBottom + 8 : 0 };
  const nextBottom = side.y + TITLE + N_NEXT * BAR + 22;
  lay(tools, { x: side.x, y: nextBottom, width: side.width, height: 0 });
  tools.style.height = "";
  const height = Math.max(headsBottom, nextBottom + tools.offsetHeight);
  const at = { ...plan, narrow, lines, addsLine, side, heads, legendLine, of: words, height };
  resize(parts.canvas, width, at.height);
  drawNames(parts, at);
  return at;
}

// ---- Where the hand is ----------------------------------------------------------------------------------------

function headAt({ heads: { x: left, y: top, cellWidth, gap, nLayers, nHeads } }, x, y) {
  return {
    layer: onGrid(Math.floor((y - top + 6) / HEAD_ROW), [0, nLayers - 1, 1]),
    head: onGrid(Math.floor((x - left + gap / 2) / (cellWidth + gap)), [0, nHeads - 1, 1]),
  };
}

/** What is at a place of the stage: the "words", the "heads", or nothing. */
function partAt({ heads, words, lines, of }, x, y) {
  const isInWords = of.length && y >= words.y - 6 && y < lines.bottom && x <= words.width + 6;
  const right = heads.x + heads.nHeads * (heads.cellWidth + heads.gap);
  const isInHeads = y >= heads.y - 6 && y < heads.y + heads.nLayers * HEAD_ROW && x >= heads.x - 6 && x < right;
  return isInWords ? "words" : isInHeads ? "heads" : undefined;
}

function placeOf(stage, event) {
  const { left, top } = stage.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

// ---- Writing on -----------------------------------------------------------------------------------------------

/** The next word at a temperature of sampling: the likeliest at 0, else drawn. A part of a letter is no word. */
function drawnWord(data, T) {
  const { view, answer, table } = data;
  if (T === 0 || !answer) return view.next?.find(({ word }) => !isPartOfLetter(word))?.word;
  const size = table.words.length,
    last = answer.tokens.length - 1;
  const logits = answer.swapped.logits.subarray(last * size, (last + 1) * size);
  const weights = softmax(logits.map((logit, token) => (isPartOfLetter(table.words[token]) ? -Infinity : logit / T)));
  let left = Math.random();
  const drawn = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return table.words[drawn < 0 ? indexOfLargest([...weights]) : drawn];
}

/**
 * Let the model write on at the press of a button: one token after each answer, until a hand or a key stops it.
 * `view()` is what is shown, `draw()` the next word, `append(word)` writes it and says whether there was room for it,
 * `begin()` brings the query to the last token, and `end()` hears that it has stopped.
 */
function writer(button, { view, draw, append, begin, end }) {
  let isWriting = false,
    written = 0,
    pause;
  function stop() {
    if (isWriting) end();
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
    const word = draw();
    if (!word || document.hidden || !append(word)) return stop();
    written += 1;
    if (isStill() || written === MOST_WRITTEN) stop();
  }

  /** After each answer: the next token, after a while; the first one at once. */
  function goOn() {
    const { setting, words } = view();
    if (!isWriting || setting.query < words.length - 1) return;
    clearTimeout(pause);
    pause = setTimeout(writeOne, written ? WRITE_PAUSE : 0);
  }

  button.addEventListener("click", () => (isWriting ? stop() : start()));
  return { stop, goOn };
}

// ---- Which head is shown --------------------------------------------------------------------------------------

/** Of a new text the telling head is shown, until its reader chooses one: `own()`. */
function headChooser({ data, redraw, change, setting, signal }) {
  let isOwn = false,
    isDue = false,
    pause;
  function choose() {
    isDue = !isOwn && !signal.aborted;
    if (isDue) redraw();
  }
  return {
    choose,
    own() {
      isOwn = true;
      isDue = false;
      data.chosen = undefined;
    },
    /** Letters were typed: choose when they rest. */
    typed(isAnother) {
      isOwn &&= !isAnother;
      isDue = false;
      clearTimeout(pause);
      pause = setTimeout(choose, CHOICE_PAUSE);
    },
    /** A setting was drawn. Where one head has a kernel of its own, it stays. */
    drawn(isNow) {
      if (!isDue || !isNow || !data.answer) return;
      isDue = false;
      const mayMove = !isSwapped(setting()) || setting().scope === "all heads";
      if (!mayMove || !data.answer.tokens.length) return;
      const found = tellingHead(data.answer, data.table);
      data.chosen = { ...found, text: setting().text };
      change(found);
    },
  };
}

// ---- The setting ----------------------------------------------------------------------------------------------

/** What does not change, and what the worker has answered: until then, what Python saw first. */
function withAnswers(facts) {
  const { rows } = facts.first.swapped;
  const first = { ...facts.first, trained: facts.first.trained ?? facts.first.swapped };
  return {
    ...facts,
    first,
    nLayers: rows.length,
    nHeads: rows[0].length,
    view: first, // what is shown
    answer: undefined,
    table: undefined, // of tokens: their words and their embeddings
    chosen: undefined, // the head that is shown of a new text, while its reader has chosen none
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

/** What of a setting the model's run depends on: the query never, a head only where its kernel differs from others'. */
function runOf(setting) {
  const { text, kernel, temperature, scope, features: m, hidden, layer, head } = setting;
  if (!isSwapped(setting)) return JSON.stringify([text]);
  const where = scope === "all heads" ? scope : [scope, layer, head];
  const own = { performer: m, hide: hidden }[kernel];
  return JSON.stringify([text, kernel, hasTemperature(setting) && temperature, where, own]);
}

/** The newest view there is, and whether it shows the setting that is wanted. */
function viewFor(wanted, { answer, table, first, view }) {
  const run = runOf(wanted);
  if (answer) {
    const isNow = runOf(answer.setting) === run,
      setting = isNow ? wanted : answer.setting;
    return { isNow, view: viewOf({ ...answer, setting }, wanted.query, table) };
  }
  const isFirst =
    runOf(first.setting) === run && Math.min(wanted.query, first.words.length - 1) === first.setting.query;
  return { isNow: isFirst, view: isFirst ? { ...first, setting: { ...wanted, query: first.setting.query } } : view };
}

/** Places of tokens, as `3.7` in the address. */
const placesSetting = (shown) => ({
  write: (places) => places.join("."),
  read: (text) => {
    const places = text.split(".").map(Number);
    return places.every((place) => Number.isInteger(place) && place >= 0 && place < shown) ? places : undefined;
  },
});

// ---- The figure -----------------------------------------------------------------------------------------------

/**
 * Let hands and arrow keys choose the query, the head and the word that is read. `places()` says where things are,
 * `looked()` which key is read, which `lookAt` changes; `toggle(token)` hides a word or shows it again; `own()` hears
 * that the reader has chosen a head.
 */
function handsOn(figure, parts, { places, looked, lookAt, toggle, own }) {
  const { data, stage, change } = figure;
  /** As a setting: the last token is the last of every text. */
  const namely = (token) => (token === data.view.words.length - 1 ? data.shown - 1 : token);
  const inWords = ({ layer, head }) => ({ layer: String(layer), head: String(head) });

  function grab(event) {
    const at = places(),
      [x0, y0] = placeOf(stage, event);
    const where = partAt(at, x0, y0);
    if (!where || event.target.closest(".tools, .next-buttons")) return undefined;
    if (where === "words" && event.shiftKey) {
      toggle(tokenAt(at.lines.places, x0, y0));
      return undefined;
    }
    focus(where === "words" ? parts.queryHandle : parts.headHandle);
    if (where === "heads") own();
    return (e) => {
      const [x, y] = placeOf(stage, e);
      if (!data.view.words.length) return;
      change(
        where === "words" ? { query: namely(tokenAt(places().lines.places, x, y)) } : inWords(headAt(places(), x, y)),
      );
    };
  }

  figure.drag(stage, grab);
  arrowKeys(parts.queryHandle, (right, up) => {
    const { words, setting } = data.view;
    if (words.length) change({ query: namely(stepFrom(places().lines.places, setting.query, right, up)) });
  });
  arrowKeys(parts.keyHandle, (right, up) => {
    if (!data.view.words.length) return;
    lookAt(stepFrom(places().lines.places, keyToRead(data.view, looked()), right, up));
  });
  parts.keyHandle.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle(keyToRead(data.view, looked()));
  });
  arrowKeys(parts.headHandle, (right, up) => {
    const { layer, head } = wantedBy(figure.setting());
    own();
    change(inWords({ layer: clamp(layer - up, 0, data.nLayers - 1), head: clamp(head + right, 0, data.nHeads - 1) }));
  });
}

/** The values to read: of the word or the head that is pointed at, or that has the focus. */
function tell(figure, parts, { places, looked }) {
  const { data } = figure;
  const overWord = (j) => {
    const { x, y, width } = places().lines.places[j];
    return { x: x + width / 2, y, words: keyInWords(data.view, j) };
  };
  const overHead = ({ layer, head }) => {
    const { x, y } = places().heads.cellOf(layer, head);
    return { x: x + places().heads.cellWidth / 2, y, words: headInWords(data.view, layer, head) };
  };
  tellValues(figure, {
    find(x, y) {
      const where = data.view.words.length && partAt(places(), x, y);
      if (where === "words") return overWord(tokenAt(places().lines.places, x, y));
      return where === "heads" ? overHead(headAt(places(), x, y)) : undefined;
    },
    focused(element) {
      if (!data.view.words.length) return undefined;
      if (element === parts.keyHandle) return overWord(keyToRead(data.view, looked()));
      return element === parts.headHandle ? overHead(data.view.setting) : undefined;
    },
  });
}

/**
 * The words that the chosen head looks at, besides the query, which sees itself: those with a share worth hiding, or
 * the heaviest, if there is one.
 */
function darkWords({ setting: { query, layer, head }, trained }) {
  const shares = (trained?.rows[layer][head] ?? []).slice(0, query).map((weight) => Math.round(100 * weight));
  const least = Math.min(DARK, Math.max(...shares, 1));
  return [...shares.keys()].filter((j) => shares[j] >= least);
}

/** The model, which comes when a hand first touches the figure, or when it is set to what is not known yet. */
function modelOf(figure, { showProblem }) {
  const { data, stage } = figure;
  let worker,
    isComing = false,
    asked; // the run that the worker is at

  async function open() {
    if (isComing) return;
    isComing = true;
    figure.redraw();
    try {
      const stored = await later(figure.model, "model_later");
      if (figure.signal.aborted) return;
      worker = modelInWorker(data.worker_code, stored, { listen, fail });
      figure.redraw();
    } catch {
      fail();
    }
  }

  function listen(result, table) {
    [data.answer, data.table] = [result, table];
    figure.redraw();
  }

  function fail() {
    showProblem("The model could not be loaded here.");
    figure.redraw();
  }

  const stopWaiting = whenTouched(figure.root, open);
  figure.signal.addEventListener("abort", () => {
    stopWaiting();
    worker?.end();
  });

  return {
    open,
    isComing: () => isComing && !data.answer,
    /** Ask for what is wanted, if it is not shown; then the figure is stale. */
    askFor(wanted, isNow, problem) {
      if (!isNow && !isComing) return void open();
      const isReady = isNow && (data.answer || !isComing);
      const run = isReady ? undefined : runOf(wanted);
      if (worker && run !== undefined && asked !== run) worker.ask(wanted);
      if (worker) asked = run;
      stage.classList.toggle("stale", !isReady && !problem);
    },
  };
}

function view(figure) {
  const { data, root, stage, change } = figure,
    { shown, longest_text } = data,
    last = shown - 1; // the last token, whatever its number
  const { field, write, sampling } = writingPlace(stage, data, change);
  const parts = elements(stage),
    measure = measureIn(stage);
  const tools = toolsIn(stage, data, { change, darkWords: () => darkWords(data.view) });
  const arranged = memo((words, width, _tools) => arrange(parts, tools.element, data, measure, words, width));
  const choice = headChooser(figure);
  const withLegend = memo((places, isPaired, hasMarks) => drawLegend(parts, places, isPaired, hasMarks));
  let at,
    looked,
    problem = "";

  /** A guess was about the text as it was. */
  const rewrite = (text, more = {}) =>
    change({ text, query: last, ...("guess" in figure.setting() && { guess: "" }), ...more });

  function append(word) {
    const text = figure.setting().text + word,
      hasRoom = text.length <= longest_text;
    if (hasRoom) rewrite(text);
    return hasRoom;
  }

  function press(i) {
    append(data.view.next[i].word);
    choice.choose();
  }

  function toggle(token) {
    const { kernel, hidden } = figure.setting(),
      now = kernel === "hide" ? hidden : [];
    const others = now.filter((each) => each !== token);
    change({ kernel: "hide", hidden: now.includes(token) ? others : [...others, token].sort((a, b) => a - b) });
  }

  const writing = writer(write, {
    view: () => data.view,
    draw: () => drawnWord(data, Number(figure.setting().sampling)),
    append,
    begin: () => (data.view.setting.query < data.view.words.length - 1 ? change({ query: last }) : figure.redraw()),
    end: choice.choose,
  });
  const model = modelOf(figure, {
    showProblem(words) {
      problem = words;
      writing.stop();
    },
  });

  function drawNote() {
    parts.note.textContent = problem || (model.isComing() ? "The model is loading …" : "");
  }

  function draw({ wanted, isNow, view }, { width }) {
    model.askFor(wanted, isNow, problem);
    if (wellFormed(field.value) !== wanted.text) {
      const isLonger = field.value !== "" && wanted.text.startsWith(field.value);
      field.value = wanted.text;
      if (isLonger) field.scrollTop = field.scrollHeight; // what was appended is seen
    }
    sampling.value = wanted.sampling;
    tools.show(wanted);
    at = arranged(view.words, width, tools.element.offsetHeight);
    drawWords(parts, at, view);
    drawAdds(parts, at, view);
    drawNext(parts, at, view);
    layButtons(parts, at, view, press);
    drawHeads(parts, at, view);
    withLegend(at, isSwapped(view.setting), Boolean(view.swapped && narrowest(view.swapped.rows).length));
    layHandles(parts, at, view, keyToRead(view, looked));
    drawNote();
    if (isNow && data.answer) writing.goOn();
    choice.drawn(isNow);
  }

  const touched = (event) => event.target !== write && writing.stop();
  root.addEventListener("pointerdown", touched, { capture: true });
  root.addEventListener("keydown", touched, { capture: true });
  field.addEventListener("input", () => {
    const text = wellFormed(field.value),
      { text: before, guess } = figure.setting();
    const isAnother = !text.startsWith(before);
    // The places of other words are others; and what a guess has shown would give the next one away.
    rewrite(text, isAnother && (guess ? AS_TRAINED : { hidden: [] }));
    choice.typed(isAnother);
  });
  const lookAt = (key) => {
    looked = key;
    figure.redraw();
  };
  handsOn(figure, parts, { places: () => at, looked: () => looked, lookAt, toggle, own: choice.own });
  tell(figure, parts, { places: () => at, looked: () => looked });
  figure.signal.addEventListener("abort", writing.stop);
  return draw;
}

const hasKeys = () => !matchMedia("(hover: none)").matches;

export default defineFigure("language-model", {
  hint: () =>
    `Press a word, head or next word (“…ly” joins). ${hasKeys() ? "Shift hides. Keys: Tab, arrows, Enter." : ""}`,
  data: withAnswers,
  settings: ({ longest_text, shown }) => ({ text: textSetting(longest_text), hidden: placesSetting(shown) }),
  compute,
  state,
  sentence,
  asks,
  keeps,
  view,
});
