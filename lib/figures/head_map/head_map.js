import { defineFigure, memo } from "../contract/figure.js";
import { arrowKeys, focus, pageKeys } from "../parts/drag.js";
import { decodeBytes, decodeDoubles } from "../methods/base64.js";
import { clamp, format, indexOfLargest, percent, role } from "../parts/numbers.js";
import { axes, describe, drawParts, html, lay, legend, resize, scale, set, svg, setText } from "../parts/plot.js";
import { showTooltip } from "../parts/tooltip.js";
import { meaningOf, NO_NAME } from "../methods/heads.js";
import { CHIP, drawTokens, measureIn, quoted, stepFrom, tokenAt, tokenParts, wrapped } from "../parts/tokens.js";
import { keysForShare } from "../methods/weights.js";
import { loadLazy, onNearViewport } from "../parts/workers.js";

// Left: a dot per head, by how much of its weight position alone (x) and one fixed query (y) explain. Right: the
// weights of the selected head on a sentence that all three models read.

const REACH = 16, // pixels within which the pointer selects a dot
  MARGIN = { left: 40, right: 10, top: 8, bottom: 40 };
const MARKS = ["square", "round", "angled"]; // by model
const NOTE = 80; // pixels above the sentence, for the head's name and description
/** @type {Record<string, string>} */
const NAMES = { "first word": "first word (sink)" }; // displayed names that differ from those in lib

// ---- The heads ------------------------------------------------------------------------------------------------

/** List all heads. Featured heads are described by their button's label. @param {Given} constants */
function withDots(constants) {
  const stories = new Map(Object.entries(constants.examples).map(([words, dot]) => [dot, words]));
  const dots = constants.models.flatMap((model, m) =>
    model.heads.map(([block, head], i) => ({
      model: m,
      i,
      block,
      head,
      x: model.position_overlap[i],
      y: model.fixed_query_overlap[i],
      name: model.names[i],
      description: "",
      isSink: model.first_key[i] > constants.first_key_limit,
    })),
  );
  dots.forEach((dot, k) => {
    const name = NAMES[dot.name] ?? (dot.name || NO_NAME),
      story = stories.get(k);
    dot.description = story && !story.startsWith(name) ? story : name;
  });
  return { ...constants, dots };
}

/**
 * Extract the weights (n, n) of one head from a flat array.
 * @param {string} text @param {string} unit @param {number} n @param {number} i
 */
function weightsOf(text, unit, n, i) {
  const all = unit === "u1" ? decodeBytes(text) : decodeDoubles(text);
  return [...all.subarray(i * n * n, (i + 1) * n * n)].map((weight) => (unit === "u1" ? weight / 100 : weight));
}

/** @param {Data} data @param {Setting} setting @param {Answers} answers */
function compute(data, setting, answers) {
  const dot = data.dots[setting.dot],
    model = data.models[dot.model],
    { n } = model;
  const isHere = !!answers.weights || data.first.dot === setting.dot;
  const weights = answers.weights
    ? answers.weights(dot.model, dot.i)
    : isHere && weightsOf(data.first.weights, model.unit, n, 0);
  const query = setting.query >= n ? model.last : setting.query;
  const row = weights ? weights.slice(query * n, (query + 1) * n) : Array(n).fill(0);
  return { dot, model, query, row, isHere, last: model.last };
}

/** @param {Data} _data @param {Figure["now"]} now */
function state(_data, { setting, dot, model, query, row }) {
  const { block, head, name, i } = dot;
  /** @type {("position_overlap" | "fixed_query_overlap" | "position_bandwidth" | "position_offset" | "first_key")[]} */
  const numbers = ["position_overlap", "fixed_query_overlap", "position_bandwidth", "position_offset", "first_key"];
  return {
    dot: setting.dot,
    query,
    model: model.name,
    block,
    head,
    name,
    ...Object.fromEntries(numbers.map((each) => [each, model[each][i]])),
    bandwidth: model.position_bandwidth[i],
    tokens: model.words,
    weights: row,
    estimate: row[indexOfLargest(row)],
    keys_for_90_percent: keysForShare(row, 0.9),
  };
}

const titleOf = (/** @type {HeadModel} */ model, /** @type {{ block: number, head: number }} */ { block, head }) =>
  `${model.name}, head ${block}, ${head}`;

/** @param {Data} _data @param {Figure["now"]} now */
function sentence(_data, { dot, model, query, row, isHere }) {
  const { i } = dot,
    heaviest = indexOfLargest(row);
  const numbers =
    `position alone explains ${role("weight", percent(model.position_overlap[i]))} of its weight, ` +
    `one fixed query ${role("weight", percent(model.fixed_query_overlap[i]))}`;
  const looks = isHere
    ? ` Here ${role("query", quoted(model.words[query]))} attends most to ` +
      `${role("key", quoted(model.words[heaviest]))}, with ${role("weight", percent(row[heaviest]))}.`
    : "";
  return `${titleOf(model, dot)}, ${dot.description}: ${numbers}.${looks}`;
}

// ---- The drawing ----------------------------------------------------------------------------------------------

/** @param {number} width */
function layout(width) {
  const narrow = width < 560,
    side = narrow ? width : Math.min(width * 0.52, 400),
    height = narrow ? 290 : 350;
  const plot = { left: MARGIN.left, right: side - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
  const text = narrow ? { x: 0, y: 0, width } : { x: side + 20, y: 0, width: width - side - 20 };
  return { width, narrow, height, side, plot, text };
}

/** @param {number} x @param {number} y @param {number} r */
const circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 -${2 * r} 0z`;
/** @type {Record<string, Outline>} The mark of a model. */
const OUTLINES = {
  square: (x, y) => `M${x - 3.5} ${y - 3.5}h7v7h-7z`,
  round: (x, y) => circle(x, y, 3.5),
  angled: (x, y) => `M${x} ${y - 4.5}l4.4 7.6h-8.8z`,
};
/** @type {Outline} */
const cross = (x, y) => `M${x - 3} ${y}h6M${x} ${y - 3}v6`;
/** @type {Outline} */
const slanted = (x, y) => `M${x - 2} ${y - 2}l4 4m-4 0l4 -4`;
const whole = (/** @type {number} */ pixel) => Math.round(pixel * 10) / 10;

/** @param {HTMLElement} stage @param {Data} data @param {Figure["change"]} change */
function elements(stage, { models, examples }, change) {
  const parts = drawParts(stage, (add) => ({
    axes: add("g", "axes"),
    shuffled: add("path", "shuffled"),
    random: add("path", "random"),
    dots: MARKS.map((mark) => ({ full: add("path", `dot ${mark}`), sinks: add("path", `dot sink ${mark}`) })),
    chosen: add("path", "chosen"),
    title: add("text", "title"),
    does: add("text", "does"),
    meaning: add("text", "meaning"),
    ...tokenParts(add),
    legend: add("g", "legend"),
  }));
  const slider = { role: "slider", tabindex: 0 };
  const dotHandle = html("div", { class: "dot-handle handle", "aria-label": "Head", ...slider }, stage);
  const queryHandle = html("div", { class: "query-handle handle", "aria-label": "Query", ...slider }, stage);
  const stories = html("div", { class: "stories", role: "group", "aria-label": "Featured heads" }, stage);
  const storyButtons = Object.entries(examples).map(([words, dot]) => {
    const button = html("button", { type: "button", text: words }, stories);
    button.addEventListener("click", () => change({ dot }));
    return { button, dot };
  });
  return { ...parts, dotHandle, queryHandle, stories, storyButtons, names: models.map(({ name }) => name) };
}

/**
 * Draw everything that depends only on the width: axes, dots and legend.
 * @param {Parts} parts
 * @param {{ plot: ReturnType<typeof layout>["plot"], x: import("../parts/plot.js").Scale, y:
 *   import("../parts/plot.js").Scale }} at
 * @param {Data} data
 */
function drawPlot(parts, at, { dots, random_heads: random, shuffled_heads: shuffled }) {
  const { plot } = at,
    draw = axes(parts.axes);
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    draw.level(plot, at.y(share), `${100 * share}`);
    draw.stop(at.x(share), plot.bottom, `${100 * share}`);
  }
  draw.label("axis", (plot.left + plot.right) / 2, plot.bottom + 36, "explained by position alone, in %");
  set(svg("text", { class: "axis", text: "explained by one fixed query, in %" }, parts.axes), {
    transform: `translate(11 ${(plot.top + plot.bottom) / 2}) rotate(-90)`,
  });
  const outline = (/** @type {Outline} */ mark) => (/** @type {Dot} */ dot) =>
    mark(whole(at.x(dot.x)), whole(at.y(dot.y)));
  const marks = (/** @type {[number, number][]} */ heads, /** @type {Outline} */ mark) =>
    heads.map(([x, y]) => mark(whole(at.x(x)), whole(at.y(y)))).join("");
  set(parts.random, { d: marks(random, cross) });
  set(parts.shuffled, { d: marks(shuffled, slanted) });
  parts.dots.forEach(({ full, sinks }, m) => {
    const own = dots.filter(({ model }) => model === m),
      mark = outline(OUTLINES[MARKS[m]]);
    const path = (/** @type {Dot[]} */ some) => some.map(mark).join("");
    set(full, { d: path(own.filter(({ isSink }) => !isSink)) });
    set(sinks, { d: path(own.filter(({ isSink }) => isSink)) });
  });
}

/** @param {string[]} names */
const LEGEND = (names) => [
  ...names.map((words, m) => ({ name: `dot ${MARKS[m]}`, text: words, d: OUTLINES[MARKS[m]](8, -4) })),
  { name: "dot sink round", text: NAMES["first word"], d: circle(8, -4, 3.5) },
  { name: "random", text: "random heads", d: cross(8, -4) },
  { name: "shuffled", text: "shuffled keys", d: slanted(8, -4) },
];

/**
 * @param {Parts} parts
 * @param {Data} data
 * @param {(text: string) => number} measure
 * @param {HeadModel} model
 * @param {number} width
 */
function arrange(parts, data, measure, model, width) {
  const at = layout(width);
  const entries = { y: at.height + 14, gap: 34, label: { x: 18 }, width: at.side, line: 20 };
  const lastLine = legend(parts.legend, LEGEND(parts.names), entries);
  const text = at.narrow ? { ...at.text, y: lastLine + 24 } : at.text;
  const lines = wrapped(model.words, measure, { ...text, y: text.y + NOTE });
  const x = scale([0, 1], [at.plot.left, at.plot.right]),
    y = scale([0, 1], [at.plot.bottom, at.plot.top]);
  lay(parts.stories, { x: text.x, y: lines.bottom + 6, width: text.width, height: 0 });
  parts.stories.style.height = "";
  const height = Math.max(lastLine + 6, lines.bottom + 10 + parts.stories.offsetHeight);
  const arranged = { ...at, text, x, y, lines, height };
  resize(parts.canvas, width, height);
  drawPlot(parts, arranged, data);
  return arranged;
}

/** @param {Parts} parts @param {Layout} at @param {Figure["now"]} now */
function drawHead(parts, at, now) {
  const { dot, model, query, row, setting } = now;
  const [x, y] = [at.x(dot.x), at.y(dot.y)];
  set(parts.chosen, { d: circle(whole(x), whole(y), 8) });
  set(parts.title, { x: at.text.x, y: at.text.y + 14 });
  setText(parts.title, titleOf(model, dot));
  set(parts.does, { x: at.text.x, y: at.text.y + 33 });
  setText(parts.does, dot.description);
  set(parts.meaning, { x: at.text.x, y: at.text.y + 51 });
  setText(parts.meaning, meaningOf(dot.name || NO_NAME).replace("the whole text", "tales"));
  drawTokens(parts, at.lines.places, {
    tokens: model.words,
    query,
    row,
    unseen: (j) => model.is_causal && j > query,
  });
  for (const { button, dot: own } of parts.storyButtons) set(button, { "aria-pressed": String(own === setting.dot) });
}

/** @param {Parts} parts @param {Layout} at @param {Figure["now"]} now @param {Dot[]} dots */
function layHandles(parts, at, { dot, model, query, setting }, dots) {
  lay(parts.dotHandle, { x: at.x(dot.x) - 12, y: at.y(dot.y) - 12, width: 24, height: 24 });
  describe(parts.dotHandle, setting.dot, [0, dots.length - 1], dotInWords(model, dot));
  lay(parts.queryHandle, { ...at.lines.places[query], height: CHIP });
  describe(parts.queryHandle, query, [0, model.n - 1], `${quoted(model.words[query])}, token ${query} of ${model.n}`);
}

const dotInWords = (/** @type {HeadModel} */ model, /** @type {Dot} */ dot) =>
  `${titleOf(model, dot)}: position ${percent(dot.x)}, fixed query ${percent(dot.y)}; ${dot.description}`;

// ---- Input handlers ---------------------------------------------------------------------------------------------

/**
 * The dot nearest to a point of the stage, and its distance.
 * @param {Dot[]} dots @param {Layout} at @param {number} x @param {number} y
 */
function nearestDot(dots, at, x, y) {
  const distance = (/** @type {Dot} */ dot) => Math.hypot(at.x(dot.x) - x, at.y(dot.y) - y);
  const k = dots.reduce((best, dot, i) => (distance(dot) < distance(dots[best]) ? i : best), 0);
  return { k, distance: distance(dots[k]) };
}

/**
 * Move by some steps among the heads of one model, sorted by x or y.
 * @param {Dot[]} dots @param {number} from @param {"x" | "y"} axis @param {number} steps
 */
function stepAlong(dots, from, axis, steps) {
  const own = [...dots.keys()].filter((k) => dots[k].model === dots[from].model);
  own.sort((a, b) => dots[a][axis] - dots[b][axis] || a - b);
  return own[clamp(own.indexOf(from) + steps, 0, own.length - 1)];
}

/** @param {Layout} at @param {number} x @param {number} y */
const isInPlot = ({ plot }, x, y) =>
  x > plot.left - REACH && x < plot.right + REACH && y > plot.top - REACH && y < plot.bottom + REACH;
/** @param {Layout} at @param {number} x @param {number} y */
const isInWords = ({ text, lines }, x, y) => x >= text.x && y >= text.y + NOTE - 6 && y < lines.bottom;

/** @param {Figure} figure @param {Parts} parts @param {() => Layout} places */
function bindGestures(figure, parts, places) {
  const { data, stage, change } = figure;
  /** @param {PointerEvent} event @returns {[number, number]} */
  const placeIn = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const namely = (/** @type {number} */ token) => (token === figure.now.last ? data.ranges.query[1] : token);

  /** @type {import("../parts/drag.js").Grab} */
  function grab(event) {
    const [x0, y0] = placeIn(event);
    if (event.target.closest(".stories")) return undefined;
    if (isInWords(places(), x0, y0)) {
      focus(parts.queryHandle);
      return (e) => change({ query: namely(tokenAt(places().lines.places, ...placeIn(e))) });
    }
    const isHeld = event.target === parts.dotHandle;
    if (!isHeld && !(isInPlot(places(), x0, y0) && nearestDot(data.dots, places(), x0, y0).distance < REACH))
      return undefined;
    focus(parts.dotHandle);
    return (e) => change({ dot: nearestDot(data.dots, places(), ...placeIn(e)).k });
  }

  figure.drag(stage, grab);
  arrowKeys(parts.dotHandle, (right, up) => {
    const { dot } = figure.setting();
    change({ dot: stepAlong(data.dots, dot, right ? "x" : "y", right || up) });
  });
  pageKeys(parts.dotHandle, (step) => {
    const { model } = data.dots[figure.setting().dot];
    const next = (model + step + data.models.length) % data.models.length;
    change({ dot: data.dots.findIndex((dot) => dot.model === next) });
  });
  arrowKeys(parts.queryHandle, (right, up) =>
    change({ query: namely(stepFrom(places().lines.places, figure.now.query, right, up)) }),
  );
  showTooltip(figure, {
    find(x, y) {
      const at = places(),
        { model, row } = figure.now;
      if (isInWords(at, x, y)) return ofWord(at, model, row, tokenAt(at.lines.places, x, y));
      if (!isInPlot(at, x, y)) return undefined;
      const { k, distance } = nearestDot(data.dots, at, x, y);
      return distance < REACH ? ofDot(at, data, k) : undefined;
    },
    focused: (element) => (element === parts.dotHandle ? ofDot(places(), data, figure.setting().dot) : undefined),
  });
}

/** @param {Layout} at @param {Data} data @param {number} k */
const ofDot = (at, { dots, models }, k) => {
  const dot = dots[k];
  return { x: at.x(dot.x), y: at.y(dot.y) - 6, text: dotInWords(models[dot.model], dot) };
};

/** @param {Layout} at @param {HeadModel} model @param {number[]} row @param {number} j */
const ofWord = (at, { words }, row, j) => {
  const { x, y, width } = at.lines.places[j];
  return {
    x: x + width / 2,
    y,
    text: `Key ${quoted(words[j])}, token ${j}: weight ${format(100 * row[j], 0)}\u00a0%`,
  };
};

// ---- The figure -----------------------------------------------------------------------------------------------

/**
 * @typedef {{ name: string, heads: [number, number][], names: string[], words: string[], n: number, last: number,
 *   unit: string, is_causal: boolean,
 *   position_overlap: number[], fixed_query_overlap: number[], position_bandwidth: number[], position_offset:
 *   number[], first_key: number[] }} HeadModel
 * @typedef {{ dot: number, query: number }} Setting
 * @typedef {Data["dots"][number]} Dot
 * @typedef {(x: number, y: number) => string} Outline The path of a mark around a point.
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof arrange>} Layout
 * @typedef {import("../contract/figure.js").Constants & { models: HeadModel[], random_heads: [number, number][],
 *   shuffled_heads: [number, number][], examples: Record<string, number>, first: { dot: number, weights: string },
 *   first_key_limit: number, ranges: Record<string, import("../parts/numbers.js").Grid> }} Given
 * @typedef {ReturnType<typeof withDots>} Data
 * @typedef {{ weights: ((model: number, head: number) => number[]) | undefined, problem: string }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
function view(figure) {
  const { data, root, stage } = figure;
  const parts = elements(stage, data, figure.change),
    measure = measureIn(stage);
  const arranged = memo((/** @type {HeadModel} */ model, /** @type {number} */ width) =>
    arrange(parts, data, measure, model, width),
  );
  /** @type {Layout} */
  let at;

  async function open() {
    try {
      const { models } = await loadLazy(figure.model, "weights_lazy");
      if (figure.signal.aborted) return;
      figure.answer({
        weights: memo((/** @type {number} */ m, /** @type {number} */ i) =>
          weightsOf(models[m], data.models[m].unit, data.models[m].n, i),
        ),
      });
    } catch {
      figure.answer({ problem: "The weights could not be loaded here." });
    }
  }

  const stopWaiting = onNearViewport(root, open);
  figure.signal.addEventListener("abort", stopWaiting);

  /** @type {Draw} */
  const draw = (now, { width }) => {
    const { problem } = now.answers;
    figure.setPending(!now.isHere && !problem);
    at = arranged(now.model, width);
    drawHead(parts, at, now);
    if (!now.isHere && problem) setText(parts.meaning, problem);
    layHandles(parts, at, now, data.dots);
  };
  bindGestures(figure, parts, () => at);
  return draw;
}

export default defineFigure("head-map", {
  hint: "Click a dot or a word. Keyboard: Tab, arrows; Page Up and Down change the model.",
  data: withDots,
  answers: () => ({ weights: undefined, problem: "" }), // from the file with the weights
  compute,
  state,
  sentence,
  view,
});
