import { defineFigure } from "../contract/figure.js";
import { onSite } from "../contract/url_state.js";
import { boxMullerNoise } from "../methods/noise.js";
import { lines, windowKeys } from "../methods/filters.js";
import { average, keysForShare } from "../methods/weights.js";
import { createMethods } from "../methods/years.js";
import { prefersReducedMotion } from "../parts/drag.js";
import { createFileInput, LARGEST_PHOTOGRAPH } from "../parts/file_input.js";
import { handOver } from "../parts/handed_file.js";
import { indicesOfLargest, percent, role } from "../parts/numbers.js";
import {
  describeQuery,
  dragQuery,
  inside,
  paint,
  pixelSetting,
  unpack,
  unpackPhotograph,
  withNoise,
} from "../parts/photograph.js";
import { playButton } from "../parts/play.js";
import { escaped, html, set, setText } from "../parts/plot.js";
import { createProblem, InvalidInput } from "../parts/problem.js";
import { quoted } from "../parts/tokens.js";
import { compose, drawLens, elements, fadedColors, layPhotograph, photographAt } from "./drawing.js";
import { drawFold, drawWords, foldParts, placeWords } from "./fold.js";
import { createDrift, createFold, createMorph } from "./motion.js";

// A noisy photograph with a lens: inside its ring the photograph is cleaned with the method of a year. A loupe
// shows the pixels that the method averages for the one in the middle of the ring, and a line of code says which
// are alike. At the last stop the loupe becomes a sentence, in which a language model averages words by the code
// of the last year.

const WORDS = "words"; // the last stop

const HINT = "Drag the ring (or arrow keys).",
  HINT_FOR_FINGERS = "Drag the ring.",
  HINT_AT_WORDS = "Choose a year: the words fold back into the eye.";

// ---- The photograph and its weights -----------------------------------------------------------------------

/**
 * Cache the weights of the latest query for each year.
 * @param {ReturnType<typeof createMethods>} weightsOf
 * @returns {typeof weightsOf}
 */
function cached(weightsOf) {
  let at = "";
  /** @type {Record<number, number[]>} */
  let found = {};
  return (year, query) => {
    if (String(query) !== at) [at, found] = [String(query), {}];
    found[year] ??= weightsOf(year, query);
    return found[year];
  };
}

/** @param {Given} constants */
function prepare(constants) {
  const { photograph, noise_std, noise_seed, radius, methods } = constants;
  const clean = unpackPhotograph(photograph),
    size = clean.height * clean.width;
  const noise = boxMullerNoise(noise_seed, 3 * size);
  const planes = [0, 1, 2].map((c) => noise.subarray(c * size, (c + 1) * size));
  const noisy = withNoise(clean, { ...clean, planes }, noise_std);
  const given = { ...constants, maps: unpack(constants.maps).planes };
  return {
    ...constants,
    noisy,
    grid: { ...lines(noisy, radius), radius },
    methodOf: (/** @type {string} */ year) =>
      methods.find((method) => String(method.year) === year) ?? methods[methods.length - 1],
    weightsAt: cached(createMethods(noisy, given)),
  };
}

/** The colours of the pixels in a query's window. @type {(data: Data, query: Pixel) => number[][]} */
function colorsAround({ grid }, query) {
  return Array.from(windowKeys(grid, query), (key) => grid.lines.map((line) => line[key]));
}

/** @param {Data} data @param {Setting} setting */
function compute(data, setting) {
  const query = inside(data.noisy, setting.query),
    method = data.methodOf(setting.year);
  const weights = data.weightsAt(method.year, query),
    colors = colorsAround(data, query);
  const estimate = colors[0].map((_, c) =>
    average(
      weights,
      colors.map((color) => color[c]),
    ),
  );
  return { query, method, weights, estimate, count: keysForShare(weights, 0.9) };
}

/** @type {(data: Data, now: Figure["now"]) => object} */
const state = ({ sentence }, { query, method, setting, estimate, count }) =>
  setting.year === WORDS
    ? { query, year: WORDS, clean: setting.clean, ...sentence }
    : { query, year: method.year, clean: setting.clean, estimate, keys_for_90_percent: count };

const linkTo = (/** @type {string} */ chapter) =>
  `<a href="${chapter}${onSite() ? ".html" : ".ipynb"}">Chapter ${Number(chapter.match(/\d+/)?.[0])}</a>`;

/** @param {Data} data @param {Figure["now"]} now */
function sentence({ sentence }, { setting, method, weights, count }) {
  if (setting.year === WORDS) return wordSentence(sentence);
  return (
    `<b class="name">${method.name}.</b> ` +
    `${role("weight", `${count} of ${weights.length} pixels`)} carry 90\u00a0% of the weight. ${linkTo(method.chapter)}`
  );
}

/** Describe the words to which the last word of the sentence attends most. @param {Given["sentence"]} sentence */
function wordSentence({ words, weights, chapter }) {
  const [first, second] = indicesOfLargest(weights, 2);
  const key = (/** @type {number} */ j) =>
    `${role("key", escaped(quoted(words[j])))} (${role("weight", percent(weights[j]))})`;
  return (
    `${role("query", escaped(quoted(words[words.length - 1])))} attends to ` +
    `${key(first)} and ${key(second)}. ${linkTo(chapter)}`
  );
}

// ---- The picture ------------------------------------------------------------------------------------------

/**
 * The weighted average of the weights of several years, by their shares.
 * @type {(data: Data, shares: number[], query: Pixel) => number[]}
 */
function mixed({ methods, weightsAt }, shares, query) {
  const seen = methods.filter((_, k) => shares[k] > 0).map(({ year }) => weightsAt(year, query));
  const parts = shares.filter((share) => share > 0);
  return seen[0].map((_, j) => parts.reduce((sum, share, k) => sum + share * seen[k][j], 0));
}

/** The names of the stops of the slider: the years, and the words. @param {Data} data */
const stopsOf = ({ methods, sentence }) => [
  ...methods.map(({ year, short }) => ({ year: String(year), text: String(year), short })),
  { year: WORDS, text: "Words", short: sentence.short },
];

/** Create Play and a button per year below the photograph. @param {Figure} figure */
function yearButtons(figure) {
  const row = html("div", { class: "years" }),
    stops = stopsOf(figure.data);
  figure.stage.after(row);
  const frames = () => stops.map(({ year }) => ({ year }));
  playButton(figure, { title: "From the first year to the last", frames, hasSlider: true }, row);
  const group = html("div", { class: "stops", role: "group", "aria-label": "Years" }, row);
  const buttons = stops.map(({ year, text, short }, k) => {
    const style = `left: ${(100 * k) / (stops.length - 1)}%`;
    const button = html("button", { type: "button", text, style }, group);
    html("small", { text: short }, button);
    button.addEventListener("click", () => figure.change({ year }));
    return button;
  });
  return (/** @type {string} */ now) =>
    buttons.forEach((button, k) => set(button, { "aria-pressed": String(stops[k].year === now) }));
}

/**
 * Create the three lines of code. Only the term of the year changes, letter by letter.
 * @param {Element | null} below
 */
function codeLines(below) {
  const code = html("pre", { class: "code" });
  below?.after(code);
  const first = html("code", { text: "log_weights = " }, code);
  const term = html("span", { class: "term" }, first);
  html("code", { text: "weights     = softmax(log_weights)" }, code);
  html("code", { text: "estimate    = average(weights, values)" }, code);
  return (/** @type {string} */ text, /** @type {number} */ passed) =>
    setText(term, text.slice(0, Math.ceil(passed * text.length)));
}

/** A button that cleans the whole photograph, or only what the ring surrounds. @param {Figure} figure */
function cleanButton(figure) {
  const button = html("button", { type: "button", class: "clean", text: "Clean everything" });
  figure.root.querySelector(".lf-foot .lf-actions")?.prepend(button);
  button.addEventListener("click", () =>
    figure.change({ clean: figure.setting().clean === "everything" ? "lens" : "everything" }),
  );
  return (/** @type {boolean} */ isWhole, /** @type {boolean} */ isThere) => {
    set(button, { "aria-pressed": String(isWhole) });
    button.style.visibility = isThere ? "visible" : "hidden";
  };
}

const OWN_PAGE = "pages/your_data.html#a-photograph";

/** On the front page, dropping a photograph on the cat opens it on the page “Your data”. @param {Figure} figure */
function ownPhotograph(figure) {
  const place = html("div");
  figure.root.querySelector(".lf-foot")?.before(place);
  /** @param {File[]} files */
  async function take([file]) {
    if (!file.type.startsWith("image/")) throw new InvalidInput("Expected a photograph, got something else.");
    await handOver(file).catch(() => {
      const advice = "open the page for your own data, and drop it there";
      throw new InvalidInput(`This browser hands no file from page to page: ${advice}.`);
    });
    location.href = OWN_PAGE;
  }
  const input = { label: "Your photograph", accept: "image/*", largest: LARGEST_PHOTOGRAPH, take };
  createFileInput(figure, input, createProblem(place), place).remove(); // the page has a link in place of the button
}

/** Hide the marks on the photograph while the loupe is a sentence. @param {Parts} parts @param {number} folded */
function hideEye({ eye, loupe }, folded) {
  eye.style.opacity = String(Math.max(1 - 6 * folded, 0));
  const isCalm = prefersReducedMotion();
  loupe.style.visibility = folded > 0 && !isCalm ? "hidden" : "visible";
  loupe.style.opacity = String(isCalm ? 1 - folded : 1);
}

/**
 * @typedef {{ year: number, short: string, term: string, name: string, chapter: string, kernel:
 *   import("../methods/filters.js").Setting }} Method
 * @typedef {import("../parts/photograph.js").Pixel} Pixel
 * @typedef {import("./drawing.js").Parts} Parts
 * @typedef {{ query: Pixel, year: string, clean: "lens" | "everything" }} Setting
 * @typedef {{ now: Figure["now"], at: import("./drawing.js").Layout, laid?: ReturnType<typeof placeWords>, place:
 *   [number, number], weights: number[], folded: number }} Seen what the reader sees while it moves
 * @typedef {import("../contract/figure.js").Constants & { photograph: Parameters<typeof unpackPhotograph>[0],
 *   copies: string[], methods: Method[], noise_std: number, noise_seed: number, disk: number[][], radius: number,
 *   patch_radius: number, maps: Parameters<typeof unpack>[0], moment: number[], drift: [number, number], sentence:
 *   { words: string[], weights: number[], short: string, chapter: string } }} Given
 * @typedef {ReturnType<typeof prepare>} Data
 * @typedef {{}} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/**
 * The photograph cleaned with each method. `draw` mixes the methods by their shares, and tells whether all files
 * have arrived; each file redraws the figure.
 * @param {Figure} figure
 * @param {HTMLCanvasElement} canvas
 */
function cleanedPhotographs(figure, canvas) {
  const pictures = figure.data.copies.map((src) => Object.assign(new Image(), { src }));
  let composed = ""; // the shares that are drawn
  for (const each of pictures) {
    const isLoaded = () => figure.now && !figure.signal.aborted && figure.redraw();
    each.decode().then(isLoaded, isLoaded);
  }
  return {
    settled: Promise.allSettled(pictures.map((each) => each.decode())),
    draw(/** @type {number[]} */ shares) {
      if (String(shares) !== composed) compose(canvas, pictures, shares);
      composed = pictures.every((each) => each.complete) ? String(shares) : "";
      return !!composed;
    },
  };
}

/**
 * Draw the lens, and the loupe or the sentence into which it folds.
 * @param {Figure} figure
 * @param {Parts} parts
 * @param {ReturnType<typeof foldParts>} words
 * @param {Seen} seen
 */
function drawEye({ data }, parts, words, { now, at, laid, place, weights, folded }) {
  const faded = fadedColors(colorsAround(data, inside(data.noisy, place.map(Math.round))), weights),
    count = keysForShare(weights, 0.9),
    isWhole = now.setting.clean === "everything";
  const box = drawLens(parts, at, {
    query: place,
    atRest: now.query,
    radius: data.radius,
    faded,
    weights,
    count,
    isWhole,
  });
  hideEye(parts, folded);
  drawFold(words, { sentence: data.sentence, laid, at, box, faded, weights }, folded, prefersReducedMotion());
}

/** @param {Figure} figure */
function view(figure) {
  const { data, root, stage, signal } = figure,
    { noisy, methods } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, noisy, 2 * data.radius + 1);
  const words = foldParts(stage, parts);
  if (document.body.dataset.page === "intro") ownPhotograph(figure);
  const pressYear = yearButtons(figure);
  const type = codeLines(root.querySelector(".years"));
  /** @type {ReturnType<typeof cleanButton> | undefined} */
  let pressClean;
  paint(parts.photo, noisy);
  const watch = { passes: () => drawMotion(), arrives: figure.redraw };
  const morph = createMorph(methods.length, watch);
  const drift = createDrift({ ...watch, stopped: () => figure.change({ query: seenPixel() }) }, signal);
  const fold = createFold(watch);
  for (const each of [morph, fold]) signal.addEventListener("abort", each.end);
  const cleaned = cleanedPhotographs(figure, parts.cleaned);
  const isAsGiven = () => String(figure.setting().query) === String(data.defaults.query);
  cleaned.settled.then(() => !signal.aborted && isAsGiven() && drift.begin());
  let /** @type {Figure["now"]} */ now,
    /** @type {import("./drawing.js").Layout} */ at,
    /** @type {ReturnType<typeof placeWords> | undefined} */ laid;
  let isSeen = false; // before its first frame the figure takes the setting of its link at once
  requestAnimationFrame(() => (isSeen = true));

  /** The query as drawn, which moves while the lens drifts. @returns {[number, number]} */
  function seenQuery() {
    const [row, column] = now.query,
      [down, right] = data.drift;
    return [row + drift.now() * down, column + drift.now() * right];
  }

  const seenPixel = () => inside(noisy, seenQuery().map(Math.round));

  /** Draw the animated parts, which move while the setting stays the same. */
  function drawMotion() {
    const shares = morph.shares();
    const isMoving = morph.isMoving() || drift.now() > 0 || fold.isMoving();
    const isComplete = cleaned.draw(shares);
    const weights = isMoving ? mixed(data, shares, seenPixel()) : now.weights;
    drawEye(figure, parts, words, { now, at, laid, place: seenQuery(), weights, folded: fold.now() });
    type(now.method.term, morph.passed());
    figure.setPending(isMoving || !isComplete);
  }

  dragQuery(figure, {
    handle: parts.queryHandle,
    pictures: [parts.grip],
    image: () => noisy,
    move: (place) => figure.change({ query: inside(noisy, place) }),
  });

  /** @type {Draw} */
  function draw(drawn, { width }) {
    now = drawn;
    at = photographAt(width, noisy);
    pressClean ??= cleanButton(figure);
    const isWhole = now.setting.clean === "everything",
      isWords = now.setting.year === WORDS;
    layPhotograph(parts, at, isWhole);
    describeQuery(parts.queryHandle, noisy, now.query, `average of ${now.count} pixels`);
    if (isWords) {
      laid = placeWords(data.sentence, at, words.measure);
      drawWords(words, data.sentence, laid);
    }
    for (const each of [parts.queryHandle, parts.grip]) each.hidden = isWords;
    pressYear(now.setting.year);
    pressClean(isWhole, !isWords);
    morph.towards(methods.indexOf(now.method), !isSeen);
    fold.towards(Number(isWords), !isSeen);
    drawMotion();
  }

  return draw;
}

export default defineFigure("years", {
  hint: (_, now) => {
    if (now?.setting.year === WORDS) return HINT_AT_WORDS;
    return matchMedia("(pointer: coarse)").matches ? HINT_FOR_FINGERS : HINT;
  },
  data: prepare,
  settings: ({ noisy }) => ({ query: pixelSetting(noisy) }),
  compute,
  state,
  sentence,
  view,
});
