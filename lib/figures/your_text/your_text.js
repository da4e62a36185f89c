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

/** The text in the URL, if it is short. @param {Data} data */
const shortText = ({ longest, in_url }) => ({
  write: (/** @type {string} */ text) => (text.length <= in_url ? textSetting(in_url).write(text) : ""),
  read(/** @type {string} */ text) {
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
  write: (/** @type {number | null} */ token) => (token === null ? "" : String(token)),
  read: (/** @type {string} */ text) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined),
};

// ---- Numbers ----------------------------------------------------------------------------------------------------

/**
 * The state to draw: of the latest window that the model has read, or the first view. Until a new text is read,
 * the former one stays; `latest` is a token that can be shown without the model.
 * @param {Data} data
 * @param {Setting} setting
 * @param {Answers} answers
 */
function compute({ first, context }, setting, { reading, losses }) {
  const known = reading ?? first,
    { text, words } = known,
    last = words.length - 1,
    latest = reading ? reading.start + reading.next.length - 1 : first.query;
  const isText = text === setting.text,
    asked = isText ? Math.min(setting.query ?? last, last) : latest,
    query = reading ? asked : latest,
    start = startOf(query, context);
  const isRead = start === (reading?.start ?? 0),
    rows = !isRead ? undefined : reading ? rowsOf(reading, query) : first.rows;
  const isShort = last < context,
    following = isShort ? known.following : losses?.text === text ? losses.following : undefined;
  return {
    ...{ text, words, query, start, latest, rows, following: following ?? [], hasLosses: !!following },
    isNow: isText && isRead && query === asked,
    row: rows?.[Number(setting.block)][Number(setting.head)] ?? [],
    next: !isRead ? [] : reading ? reading.next[query - start] : first.next,
    mean: last > 0 && following?.length === last ? following.reduce((a, b) => a + b) / last : undefined,
  };
}

/**
 * The weights of every head from the query to the tokens of its window.
 * @param {Reading} reading
 * @param {number} query
 */
function rowsOf({ weights, start }, query) {
  const n = Math.sqrt(weights[0][0].length),
    i = query - start;
  return weights.map((heads) => heads.map((all) => [...all.subarray(i * n, (i + 1) * n)]));
}

const rounded = (/** @type {object} */ value) =>
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
 * @typedef {import("./windows.js").Next} Next
 * @typedef {import("./windows.js").Reading} Reading
 * @typedef {import("./drawing.js").Parts} Parts
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {import("./controls.js").Problem} Problem
 * @typedef {{ text: string, query: number | null, block: string, head: string, shade: "weights" | "losses" }} Setting
 *
 * The view of a text that is read at once, from Python: only of one query.
 * @typedef {{ text: string, words: string[], query: number, rows: number[][][], next: Next[], following: number[]
 *   }} First
 * @typedef {import("../contract/figure.js").Constants & { first: First, context: number, longest: number, in_url:
 *   number, n_vocabulary: number, examples: Record<string, string>, shade_labels: Record<string, string>, ranges:
 *   { block: string[], head: string[] } }} Data
 * @typedef {{ reading: Reading | undefined, losses: import("./windows.js").Losses | undefined, isGivenUp: boolean
 *   }} Answers
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
  const arranged = memo((/** @type {string[]} */ words, /** @type {number} */ width) =>
    arrange(parts, words, measure, width),
  );
  /** @type {Layout} */
  let at;
  let tooltipToken = Infinity, // index of the token that the tooltip describes; Infinity until one is pointed at
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
    layHandles(parts, at, now, top, keyToRead(now, tooltipToken));
  }

  bindGestures(figure, parts, {
    places: () => ({ at, top }),
    tooltipToken: () => keyToRead(figure.now, tooltipToken),
    look(token) {
      tooltipToken = token;
      figure.redraw();
    },
  });
  bindTakeAway(figure, parts, problem);
  return draw;
}

/**
 * The token of the tooltip: the one last pointed at, otherwise the heaviest.
 * @type {(now: Figure["now"], tooltipToken: number) => number}
 */
const keyToRead = ({ words, query, row, start }, tooltipToken) =>
  tooltipToken < words.length ? tooltipToken : row.length ? start + row.indexOf(Math.max(...row)) : query;

/**
 * Let the pointer and the arrow keys select the query, the head and the token of the tooltip. `places()` returns the
 * layout and the first drawn line, `tooltipToken()` the token of the tooltip, and `look` changes it.
 * @param {Figure} figure
 * @param {Parts} parts
 * @param {{ places: () => { at: Layout, top: number }, tooltipToken: () => number, look: (token: number) => void
 *   }} where
 */
function bindGestures(figure, parts, { places, tooltipToken, look }) {
  const { stage, change } = figure;
  /** @param {PointerEvent} event @returns {[number, number]} */
  const pixelOf = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  /** Convert a token to a setting, in which the last one is the last of every text. */
  const namely = (/** @type {number} */ token) => (token === figure.now.words.length - 1 ? null : token);

  /** @type {import("../parts/drag.js").Grab} */
  function grab(event) {
    const isOnButton = event.target.closest(".lf-job"),
      where = partAt(places().at, ...pixelOf(event));
    if (!where || isOnButton) return undefined;
    if (where !== "heads") focus(parts.queryHandle);
    return (e) => change(settingAt(where, ...pixelOf(e)));
  }

  /** @param {ReturnType<typeof partAt>} where @param {number} x @param {number} y */
  function settingAt(where, x, y) {
    const { at, top } = places();
    if (where === "heads") {
      const { block, head } = at.heads.headAt(x, y);
      return { block: String(block), head: String(head) };
    }
    return { query: namely(where === "words" ? wordAt(at, top, x, y) : at.losses.tokenAt(x)) };
  }

  figure.drag(stage, grab);
  arrowKeys(parts.queryHandle, (right, up) =>
    change({ query: namely(stepFrom(places().at.lines.places, figure.now.query, right, up)) }),
  );
  arrowKeys(parts.keyHandle, (right, up) => look(stepFrom(places().at.lines.places, tooltipToken(), right, up)));
  bindTooltip(figure, parts, { places, tooltipToken });
}

/**
 * Show tooltips for tokens, losses and heads.
 * @param {Figure} figure @param {Parts} parts
 * @param {{ places: () => { at: Layout, top: number }, tooltipToken: () => number }} where
 */
function bindTooltip(figure, parts, { places, tooltipToken }) {
  /** @param {number} token */
  function overWord(token) {
    const { at, top } = places(),
      { x, y, width } = placeOf(at, top, token);
    return { x: x + width / 2, y, text: tokenInWords(figure.now, token) };
  }

  /** @param {number} token */
  function overLoss(token) {
    const { losses } = places().at;
    return { x: losses.edge(token + 0.5), y: losses.top, text: tokenInWords(figure.now, token, "losses") };
  }

  /** @param {number[][][]} rows @param {{ block: number, head: number }} where */
  function overHead(rows, { block, head }) {
    const { heads } = places().at,
      { x, y } = heads.cellOf(block, head);
    return { x: x + heads.cellWidth / 2, y, text: headInWords(figure.now, rows, block, head) };
  }

  showTooltip(figure, {
    find(x, y) {
      const { at, top } = places(),
        where = partAt(at, x, y);
      if (where === "words") return overWord(wordAt(at, top, x, y));
      if (where === "losses") return overLoss(at.losses.tokenAt(x));
      const { rows } = figure.now;
      return where && rows ? overHead(rows, at.heads.headAt(x, y)) : undefined;
    },
    focused: (element) => (element === parts.keyHandle ? overWord(tooltipToken()) : undefined),
  });
}

/**
 * Offer the picture, the numbers, the text and the code.
 * @param {Figure} figure
 * @param {Parts} parts
 * @param {Problem} problem
 */
function bindTakeAway(figure, { canvas }, problem) {
  const title = () => figure.root.querySelector(".lf-sentence")?.textContent ?? "",
    readState = createReadState(figure);
  createTakeAway(
    figure,
    {
      saves: {
        "Figure (SVG)": () => saveText("your_text.svg", svgOf(canvas, title()), "image/svg+xml"),
        "Figure (PNG)": async () => saveFile("your_text.png", await pngOf(canvas)),
        "Weights (CSV)": async () => saveText("your_text_weights.csv", weightsCsv(...(await readState())), "text/csv"),
        "Losses (CSV)": async () => saveText("your_text_losses.csv", lossesCsv((await readState())[0]), "text/csv"),
        "Text (TXT)": () => saveText(TEXT_FILE, figure.now.text),
      },
      code: () => codeFor(figure.now, figure.data),
      note: () => linkNote(figure),
    },
    problem,
  );
}

/**
 * Return a function that waits until the model has read the text, and returns the drawn state and the reading.
 * @param {Figure} figure
 */
function createReadState(figure) {
  /** @type {(() => void)[]} */
  const waiting = [];
  figure.afterDraw(() => waiting.splice(0).forEach((resolve) => resolve()));
  const reading = () => (figure.now.isNow && figure.now.hasLosses ? figure.now.answers.reading : undefined);
  return async function readState() {
    while (!reading() && !figure.now.answers.isGivenUp)
      await new Promise((resolve) => waiting.push(() => resolve(undefined)));
    const { now } = figure,
      read = reading();
    if (!read || (now.words.length > 1 && !now.following.length))
      throw new InvalidInput("The model has not read the whole text.");
    return /** @type {const} */ ([now, read]);
  };
}

/** Say what “Share” holds, and what the code needs. @param {Figure} figure */
function linkNote({ data: { in_url: short }, now: { text } }) {
  const isShort = text.length <= short;
  const link = isShort
    ? "The link (“Share”) holds the settings and the text."
    : `The link (“Share”) holds the settings only, because the text has more than ${short} characters: send the text file with it.`;
  return `${link} The code needs this course's package${isShort ? "" : ", and “Text (TXT)” in the same folder"}.`;
}

export default defineFigure("your-text", {
  hint: "Write or drop a text. Click a token, a bar or a head. Keyboard: Tab, arrows.",
  settings: (/** @type {Data} */ data) => ({ text: shortText(data), query: tokenOrNull }),
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
