import { defineFigure, memo } from "../contract/figure.js";
import { textSetting } from "../contract/settings.js";
import { keysForShare } from "../methods/weights.js";
import { arrowKeys, focus } from "../parts/drag.js";
import { html, setText } from "../parts/plot.js";
import { createProblem, InvalidInput } from "../parts/problem.js";
import { pngOf, saveFile, saveText, svgOf } from "../parts/save.js";
import { createTakeAway } from "../parts/take_away.js";
import { measureIn, stepFrom } from "../parts/tokens.js";
import { showTooltip } from "../parts/tooltip.js";
import { codeFor, lossesCsv, TEXT_FILE, weightsCsv } from "./code.js";
import { shadeControls, textControls } from "./controls.js";
import {
  arrange,
  drawHeads,
  drawLosses,
  drawNext,
  drawWords,
  elements,
  layHandles,
  partAt,
  placeOf,
  scrolled,
  wordAt,
} from "./drawing.js";
import { modelOf } from "./model.js";
import { checkedText } from "./reading.js";
import { headInWords, noteOn, sentence, tokenInWords } from "./text.js";
import { startOf } from "./windows.js";

// The reader's own text, read by the course's language model in a worker (lazy_worker.js). Until the first interaction
// the figure draws the initial view from Python.

const DIGITS = 8; // published decimals; Python and the browser may differ beyond them

// ---- Settings ---------------------------------------------------------------------------------------------------

/** The text in the URL, if it is short. @param {any} data */
const shortText = ({ longest, in_url }) => ({
  write: (text) => (text.length <= in_url ? textSetting(in_url).write(text) : ""),
  read(text) {
    if (text.length > in_url) return undefined;
    try {
      return checkedText(text, longest);
    } catch {
      return undefined;
    }
  },
});

/** A token, or null for the last. */
const tokenOrNull = {
  write: (token) => (token === null ? "" : String(token)),
  read: (text) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined),
};

// ---- Numbers ----------------------------------------------------------------------------------------------------

/**
 * The state to draw: of the latest window that the model has read, or the first view. Until a new text is read, the former
 * one stays; `latest` is a token that can be shown without the model.
 * @param {Data} data
 * @param {Setting} setting
 * @param {Answers} answers
 */
function compute({ first, context }, setting, { reading, losses }) {
  const known = reading ?? { ...first, start: 0 },
    { text, words } = known,
    last = words.length - 1,
    latest = reading ? reading.start + reading.next.length - 1 : first.query;
  const isText = text === setting.text,
    asked = isText ? Math.min(setting.query ?? last, last) : latest,
    query = reading ? asked : latest,
    start = startOf(query, context);
  const isRead = start === known.start,
    rows = isRead ? rowsOf(known, query) : undefined;
  const isShort = last < context,
    isDone = isShort || losses?.text === text,
    following = isShort ? known.following : isDone ? losses.following : [];
  return {
    ...{ text, words, query, start, latest, rows, following, hasLosses: isDone },
    isNow: isText && isRead && query === asked,
    row: rows?.[setting.block][setting.head] ?? [],
    next: !isRead ? [] : reading ? reading.next[query - start] : first.next,
    mean: last > 0 && following.length === last ? following.reduce((a, b) => a + b) / last : undefined,
  };
}

/**
 * The weights of every head from the query to the tokens of its window.
 * @param {Reading & { start: number }} reading
 * @param {number} query
 */
function rowsOf({ rows, weights, start }, query) {
  if (rows) return rows;
  const n = Math.sqrt(weights[0][0].length),
    i = query - start;
  return weights.map((heads) => heads.map((all) => [...all.subarray(i * n, (i + 1) * n)]));
}

const rounded = (value) =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "number" ? Number(each.toFixed(DIGITS)) : each)));

/** @param {unknown} _constants @param {Figure["now"]} now */
function state(_constants, { setting, words, query, start, row, next, following, mean }) {
  const { text, block, head, shade } = setting;
  return rounded({
    ...{ text, query, block, head, shade, start },
    next: next.map(({ word, probability }) => ({ word, probability })),
    n_tokens: words.length,
    weights: row,
    keys_for_90_percent: keysForShare(row, 0.9),
    ...(mean !== undefined && { loss: mean }),
    ...(following[query] !== undefined && { follows: Math.exp(-following[query]) }),
    ...(next.length && { estimate: next[0].probability }),
  });
}

// ---- View -------------------------------------------------------------------------------------------------------

/**
 * @typedef {{ word: string, probability: number }} Next
 * @typedef {{ text: string, words: string[], rows?: number[][][], weights?: Float32Array[][], following: number[] }} Reading
 * @typedef {{ text: string, query: number | null, block: number, head: number, shade: string }} Setting
 * @typedef {import("../contract/figure.js").Constants & { first: Reading & { query: number, next: Next[] }, context: number, longest: number, in_url: number, n_vocabulary: number }} Data
 * @typedef {{ reading: (Reading & { start: number, next: Next[][] }) | undefined, losses: { text: string, following: number[] } | undefined, isGivenUp: boolean }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
function view(figure) {
  const { stage, data, change } = figure;
  const rows = [0, 1].map(() => html("div", { class: "lf-input" })),
    place = html("div");
  stage.before(...rows, place);
  const problem = createProblem(place),
    note = html("p", { class: "lf-note about" });
  const showText = textControls(figure, problem, rows[0], (text) => change({ text, query: null }));
  const showShade = shadeControls(figure, rows[1]);
  rows[1].append(note);
  const parts = elements(stage),
    measure = measureIn(stage);
  const askFor = modelOf(figure, problem, parts.loading);
  const arranged = memo((words, width) => arrange(parts, words, measure, width));
  let at,
    looked, // the token of the tooltip
    top = 0; // the first line that is drawn

  /** @type {Draw} */
  function draw(now, { width }) {
    askFor(now);
    at = arranged(now.words, width);
    top = scrolled(at, now.query, top);
    const origin = showText(now.setting.text);
    setText(note, noteOn(data, now, origin));
    showShade(now);
    drawWords(parts, at, now, top);
    drawNext(parts, at, now);
    drawLosses(parts, at, now, data);
    drawHeads(parts, at, now);
    layHandles(parts, at, now, top, keyToRead(now, looked));
  }

  bindGestures(figure, parts, {
    places: () => ({ at, top }),
    looked: () => keyToRead(figure.now, looked),
    look(token) {
      looked = token;
      figure.redraw();
    },
  });
  bindTakeAway(figure, parts, problem);
  return draw;
}

/** The token of the tooltip: the one last pointed at, otherwise the heaviest. */
const keyToRead = ({ words, query, row, start }, looked) =>
  looked < words.length ? looked : row.length ? start + row.indexOf(Math.max(...row)) : query;

/**
 * Let the pointer and the arrow keys select the query, the head and the token of the tooltip. `places()` returns the
 * layout and the first drawn line, `looked()` the token of the tooltip, and `look` changes it.
 * @param {Figure} figure
 */
function bindGestures(figure, parts, { places, looked, look }) {
  const { stage, change } = figure;
  const pixelOf = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  /** Convert a token to a setting, in which the last one is the last of every text. */
  const namely = (token) => (token === figure.now.words.length - 1 ? null : token);

  function grab(event) {
    const isOnButton = event.target.closest(".lf-job"),
      where = partAt(places().at, ...pixelOf(event));
    if (!where || isOnButton) return undefined;
    if (where !== "heads") focus(parts.queryHandle);
    return (e) => change(settingAt(where, ...pixelOf(e)));
  }

  function settingAt(where, x, y) {
    const { at, top } = places();
    if (where === "heads") return at.heads.headAt(x, y);
    return { query: namely(where === "words" ? wordAt(at, top, x, y) : at.losses.tokenAt(x)) };
  }

  figure.drag(stage, grab);
  arrowKeys(parts.queryHandle, (right, up) =>
    change({ query: namely(stepFrom(places().at.lines.places, figure.now.query, right, up)) }),
  );
  arrowKeys(parts.keyHandle, (right, up) => look(stepFrom(places().at.lines.places, looked(), right, up)));
  bindTooltip(figure, parts, { places, looked });
}

/** Show tooltips for tokens, losses and heads. @param {Figure} figure */
function bindTooltip(figure, parts, { places, looked }) {
  function overWord(token) {
    const { at, top } = places(),
      { x, y, width } = placeOf(at, top, token);
    return { x: x + width / 2, y, text: tokenInWords(figure.now, token) };
  }

  function overLoss(token) {
    const { losses } = places().at;
    return { x: losses.edge(token + 0.5), y: losses.top, text: tokenInWords(figure.now, token, "losses") };
  }

  function overHead({ block, head }) {
    const { heads } = places().at,
      { x, y } = heads.cellOf(Number(block), Number(head));
    return { x: x + heads.cellWidth / 2, y, text: headInWords(figure.now, block, head) };
  }

  showTooltip(figure, {
    find(x, y) {
      const { at, top } = places(),
        where = partAt(at, x, y);
      if (where === "words") return overWord(wordAt(at, top, x, y));
      if (where === "losses") return overLoss(at.losses.tokenAt(x));
      return where && figure.now.rows ? overHead(at.heads.headAt(x, y)) : undefined;
    },
    focused: (element) => (element === parts.keyHandle ? overWord(looked()) : undefined),
  });
}

/** Offer the picture, the numbers, the text and the code. @param {Figure} figure */
function bindTakeAway(figure, { canvas }, problem) {
  const title = () => figure.root.querySelector(".lf-sentence").textContent,
    readState = createReadState(figure);
  createTakeAway(
    figure,
    {
      saves: {
        "Figure (SVG)": () => saveText("your_text.svg", svgOf(canvas, title()), "image/svg+xml"),
        "Figure (PNG)": async () => saveFile("your_text.png", await pngOf(canvas)),
        "Weights (CSV)": async () => saveText("your_text_weights.csv", weightsCsv(await readState()), "text/csv"),
        "Losses (CSV)": async () => saveText("your_text_losses.csv", lossesCsv(await readState()), "text/csv"),
        "Text (TXT)": () => saveText(TEXT_FILE, figure.now.text),
      },
      code: () => codeFor(figure.now, figure.data),
      note: () => linkNote(figure),
    },
    problem,
  );
}

/** Return a function that waits until the model has read the text, and returns the drawn state. @param {Figure} figure */
function createReadState(figure) {
  const waiting = [];
  figure.afterDraw(() => waiting.splice(0).forEach((resolve) => resolve()));
  const isRead = ({ isNow, hasLosses, answers }) => isNow && hasLosses && answers.reading;
  return async function readState() {
    while (!isRead(figure.now) && !figure.now.answers.isGivenUp) await new Promise((resolve) => waiting.push(resolve));
    const { now } = figure;
    if (!isRead(now) || (now.words.length > 1 && !now.following.length))
      throw new InvalidInput("The model has not read the whole text.");
    return now;
  };
}

/** Say what “Share” holds, and what the code needs. */
function linkNote({ data: { in_url: short }, now: { text } }) {
  const isShort = text.length <= short;
  const link = isShort
    ? "The link (“Share”) holds the settings and the text."
    : `The link (“Share”) holds the settings only, because the text has more than ${short} characters: send the text file with it.`;
  return `${link} The code needs this course's package${isShort ? "" : ", and “Text (TXT)” in the same folder"}.`;
}

export default defineFigure("your-text", {
  hint: "Write or drop a text. Click a token, a bar or a head. Keyboard: Tab, arrows.",
  settings: (data) => ({ text: shortText(data), query: tokenOrNull }),
  answers: () => ({
    reading: undefined, // the latest window that the model has read
    losses: undefined, // of a text that is longer than a window
    isGivenUp: false, // whether the latest attempt to read failed
  }),
  compute,
  state,
  sentence,
  view,
});
