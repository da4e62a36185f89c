import { defineFigure, memo } from "../contract/figure.js";
import { arrowKeys, focus, positionIn } from "../parts/drag.js";
import { clamp, format, indexOfLargest, onGrid, role } from "../parts/numbers.js";
import {
  axes,
  describe,
  drawParts,
  html,
  lay,
  repeat,
  repeatMade,
  resize,
  scale,
  set,
  setText,
  svg,
  ticks,
} from "../parts/plot.js";
import { showTooltip } from "../parts/tooltip.js";
import { listSetting, numberOn } from "../contract/settings.js";
import { shares, totalVariation } from "../methods/weights.js";
import { drawPlane } from "./plane.js";

// Predict, then compare. The reader sketches a column for each name, or chooses the largest one; a button then shows
// the truth. Only the distance between the two is computed here.

const FINGER = 44; // height of a touch target

/**
 * Interpolate the heights of columns that a fast pointer skipped between two events.
 * @param {number[]} heights
 * @param {number[]} before a column and its height
 * @param {number[]} after
 */
export function sweep(heights, [from, start], [to, end]) {
  const swept = [...heights];
  const steps = Math.abs(to - from);
  for (let k = 1; k <= steps; k += 1) swept[from + Math.sign(to - from) * k] = start + ((end - start) * k) / steps;
  swept[to] = end;
  return swept;
}

/**
 * Lay out the columns, and a plane of vectors beside them or, on a phone, above them.
 * @param {number} width @param {boolean} hasPlane
 */
function layout(width, hasPlane) {
  const isBeside = hasPlane && width >= 600;
  const plane = { left: 0, top: 0, width: isBeside ? 0.42 * width : width, height: isBeside ? 240 : 190 };
  const left = 46 + (isBeside ? plane.width : 0),
    right = width - 6,
    top = 34 + (hasPlane && !isBeside ? plane.height : 0),
    bottom = top + 180;
  return { width, plane, left, right, top, bottom, height: bottom + 48 };
}

/** @param {HTMLElement} stage @param {Data} data */
function elements(stage, { choosing, name_label, height_label }) {
  const parts = drawParts(stage, (add) => ({
    axes: add("g", "axes"),
    truths: add("g", "truths"),
    sketches: add("g", "sketches"),
    numbers: add("g", "numbers"),
    names: add("g", "names"),
    heightTitle: add("text", "title weight", { text: height_label }),
    nameTitle: add("text", "title key", { text: name_label }),
    legend: add("g", "legend"),
    plane: add("g", "plane"),
  }));
  for (const name of ["arrows", "names"]) svg("g", { class: name }, parts.plane);
  const group = choosing
    ? { role: "radiogroup", "aria-label": "Your choice" }
    : { role: "group", "aria-label": "Your sketch" };
  const handles = html("div", { class: "column-handles", ...group }, stage);
  const show = html("button", { type: "button", class: "show" });
  stage.after(show);
  return { ...parts, handles, show };
}

/**
 * Lay out everything that depends only on the width: positions, scale and axes.
 * @param {Parts} parts @param {Data} data @param {number} width
 */
function arrange(parts, { names, height_grid, text, vectors }, width) {
  const at = layout(width, Boolean(vectors)),
    { left, right, top, bottom } = at;
  if (vectors) drawPlane(parts.plane, { ...vectors, names }, at.plane);
  const y = scale([0, height_grid[1]], [bottom, at.top]);
  const columnWidth = (right - left) / names.length,
    columnLeft = (/** @type {number} */ i) => left + i * columnWidth;
  resize(parts.canvas, width, at.height);
  set(parts.nameTitle, { x: right, y: at.height - 6 });
  set(parts.heightTitle, { x: left - 46, y: top - 20 });
  const axis = axes(parts.axes);
  for (const { value } of ticks([0, height_grid[1]], 4))
    axis.level(at, y(value), text(value), value === 0 ? "base" : "grid");
  repeat(parts.names, "text", names.length, (label, i) => {
    set(label, { class: "tick", x: columnLeft(i) + columnWidth / 2, y: bottom + 18 });
    setText(label, names[i]);
  });
  return { ...at, y, columnWidth, columnLeft };
}

/**
 * Draw the truth filled and the reader's sketch as an outline, so that they can overlap.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {Data} data
 * @param {Numbers} now
 * @param {number[]} drawn
 */
function drawColumns(parts, at, { choosing, names, truth, height_grid }, { chosen, shown }, drawn) {
  const { y, columnWidth, columnLeft, bottom } = at;
  const wide = Math.min(columnWidth - 4, 56),
    x = (/** @type {number} */ i) => columnLeft(i) + (columnWidth - wide) / 2;
  const column = (/** @type {number} */ i, /** @type {number} */ height) => ({
    x: x(i),
    width: wide,
    y: y(height),
    height: bottom - y(height),
  });
  repeat(parts.truths, "rect", shown ? names.length : 0, (rect, i) => set(rect, column(i, truth[i])));
  repeat(parts.sketches, "path", names.length, (line, i) => {
    const top = y(choosing ? height_grid[1] : drawn[i]).toFixed(1),
      right = (x(i) + wide).toFixed(1);
    const d = `M${x(i).toFixed(1)} ${bottom}V${top}H${right}V${bottom}${choosing ? "z" : ""}`;
    set(line, { class: choosing && i !== chosen ? "empty" : "own", d });
  });
}

/** @param {Parts} parts @param {Layout} at @param {Data} data @param {Numbers} now @param {number[]} drawn */
function drawNumbers(parts, at, { kind, choosing, names, truth, text }, { shown }, drawn) {
  const numbered = shown || kind === "curve"; // before normalisation, heights are not weights
  repeat(parts.numbers, "text", numbered ? names.length : 0, (label, i) => {
    const height = shown ? truth[i] : drawn[i],
      own = at.y(drawn[i]);
    let y = at.y(height) - 6;
    const isHit = shown && !choosing && own > y - 14 && own < y + 4; // the label would overlap the reader's outline
    if (isHit) y = own - 6;
    set(label, { class: shown ? "truth" : "mine", x: at.columnLeft(i) + at.columnWidth / 2, y });
    setText(label, at.columnWidth < 40 ? text(height).replace("\u00a0%", "") : text(height));
  });
}

/**
 * The mark of a column: the reader's value, and the truth once it is shown.
 * @param {Layout} at @param {Data} data @param {Numbers} now @param {number} i
 */
function columnMark(at, { choosing, weighing, names, truth, text }, { sketch, shown }, i) {
  const own = choosing ? [] : [`yours ${text((weighing ? shares(sketch) : sketch)[i])}`];
  const all = [...own, ...(shown ? [`computed ${text(truth[i])}`] : [])];
  if (all.length === 0) return undefined;
  const top = Math.min(at.y(choosing ? truth[i] : sketch[i]), at.bottom - 20);
  return { x: at.columnLeft(i) + at.columnWidth / 2, y: top, text: `${names[i]}: ${all.join(", ")}` };
}

/**
 * Place the handles: the top of each column or, if the reader chooses, the whole column.
 * @param {Parts} parts
 * @param {Layout} at
 * @param {Data} data
 * @param {Numbers} now
 * @param {number[]} drawn
 * @param {number} column
 */
function drawHands(parts, at, { choosing, names, height_grid, text }, { chosen, shown }, drawn, column) {
  const make = () => html("div", { class: "column-handle", role: choosing ? "radio" : "slider" }, parts.handles);
  const reachable = choosing ? Math.max(chosen, 0) : column;
  repeatMade(parts.handles, make, names.length, (handle, i) => {
    const y = choosing ? at.top : at.y(drawn[i]) - FINGER / 2;
    const height = choosing ? at.bottom + 24 - at.top : FINGER;
    lay(handle, { x: at.columnLeft(i), y, width: at.columnWidth, height });
    set(handle, { tabindex: i === reachable ? 0 : -1, "aria-label": names[i], "aria-disabled": shown });
    if (choosing) return set(handle, { "aria-checked": i === chosen });
    set(handle, { "aria-orientation": "vertical" });
    describe(handle, drawn[i], [0, height_grid[1]], text(drawn[i]));
  });
}

/** Draw the legend, from right to left. @param {Parts} parts @param {Layout} at @param {boolean} shown */
function drawKeyOfColors(parts, { right, top }, shown) {
  parts.legend.replaceChildren();
  let left = right;
  for (const [name, words] of [...(shown ? [["computed", "computed"]] : []), ["own", "yours"]]) {
    const word = svg("text", { class: `${name}-word`, y: top - 20, text: words }, parts.legend);
    left -= word.getComputedTextLength();
    set(word, { x: left });
    svg("rect", { class: name, x: left - 20, y: top - 30, width: 14, height: 11 }, parts.legend);
    left -= 38;
  }
}

// ---- Comparison of the prediction with the truth -------------------------------------------------------------

/** Add number formatters to the constants. */
function withWords(/** @type {Given} */ constants) {
  const { kind, truth, height_grid, percent } = constants;
  const decimals = height_grid[1] >= 20 ? 0 : height_grid[1] >= 2 ? 1 : 2;
  return {
    ...constants,
    text: (/** @type {number} */ number) => (percent ? `${format(100 * number, 0)}\u00a0%` : format(number, decimals)),
    choosing: kind === "winner",
    weighing: kind === "weights",
    winner: indexOfLargest(truth),
  };
}

/**
 * The reader's sketch or choice, depending on the kind of question.
 * @param {Data} data
 * @param {Setting} setting
 * @returns {Numbers}
 */
function compute({ untouched, weighing }, setting) {
  const { sketch = untouched, choice: chosen = -1 } = setting,
    shown = setting.shown === "yes";
  return { sketch, chosen, shown, drawn: weighing && shown ? shares(sketch) : sketch };
}

/** @param {Data} data @param {Numbers} now */
const isPredicted = ({ choosing, untouched }, { sketch, chosen }) =>
  choosing ? chosen >= 0 : sketch.some((height, i) => height !== untouched[i]);

/**
 * The distance between a sketch and the truth: the total variation of weights, or the mean difference.
 * @param {Data} data @param {number[]} sketch
 */
const distance = ({ weighing, truth }, sketch) =>
  weighing
    ? totalVariation(shares(sketch), truth)
    : sketch.reduce((sum, height, i) => sum + Math.abs(height - truth[i]), 0) / truth.length;

/** @param {Data} data @param {Figure["now"]} now */
function state(data, { sketch, chosen, shown }) {
  const { kind, choosing, weighing, names, winner, truth } = data;
  const prediction = choosing ? { choice: names[chosen] ?? null } : { sketch: weighing ? shares(sketch) : sketch };
  const compared = choosing ? { right: chosen === winner } : { off: distance(data, sketch) };
  return { kind, shown, ...prediction, ...(shown && { truth, ...compared }) };
}

/** @param {Data} data @param {Figure["now"]} now */
function sentence(data, now) {
  const { choosing, weighing, names, text } = data,
    { sketch, shown, selection } = now,
    { column } = selection;
  if (!shown && !isPredicted(data, now)) return choosing ? "Nothing chosen yet." : "Nothing drawn yet.";
  if (choosing) return choiceInWords(data, now);
  const mine = weighing ? shares(sketch) : sketch;
  const own = role("estimate", text(mine[column]));
  if (!shown) return `You give ${role("key", names[column])} ${own}${weighing ? " of the weight" : ""}.`;
  return missInWords(data, mine, text(distance(data, sketch)));
}

/** @param {Data} data @param {Numbers} now */
function choiceInWords({ names, truth, winner, answer, text }, { chosen, shown }) {
  if (!shown) return `You chose ${role("key", names[chosen])}.`;
  const verdict = chosen === winner ? "You were right:" : `You chose ${role("key", names[chosen] ?? "nothing")}, but`;
  return `${verdict} ${role("key", names[winner])} is largest, with ${role("weight", text(truth[winner]))}. ${answer}`;
}

/** @param {Data} data @param {number[]} mine @param {string} off */
function missInWords({ weighing, names, truth, answer, text }, mine, off) {
  const misses = mine.map((height, i) => Math.abs(height - truth[i])),
    worst = indexOfLargest(misses);
  const far = weighing ? `${off} of your weight is on wrong columns` : `You are off by ${off} on average`;
  return (
    `${far}, most at ${role("key", names[worst])}: you said ${role("estimate", text(mine[worst]))}, ` +
    `it is ${role("weight", text(truth[worst]))}. ${answer}`
  );
}

// ---- The figure -------------------------------------------------------------------------------------------

/**
 * @typedef {{ sketch?: number[], choice?: number, shown: "no" | "yes" }} Setting
 * @typedef {import("../contract/figure.js").Constants & { kind: "winner" | "weights" | "curve", names: string[],
 *   truth: number[], height_grid: import("../parts/numbers.js").Grid, percent: boolean,
 *   untouched: number[], name_label: string, height_label: string, answer: string,
 *   vectors: { query: number[], keys: number[][] } | null }} Given
 * @typedef {ReturnType<typeof withWords>} Data
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof arrange>} Layout
 * @typedef {{ sketch: number[], chosen: number, shown: boolean, drawn: number[] }} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, {}>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** What pointer and keys do with a column while the answer is hidden. @param {Figure} figure @param {Parts} parts */
function columnActs(figure, { handles }) {
  const { data, setting, select } = figure;
  const current = () => compute(data, setting());
  const change = (/** @type {Partial<Setting>} */ values) => current().shown || figure.change(values);
  const focusOn = (/** @type {number} */ i) => focus(handles.children[i]);
  return {
    current,
    change,
    focusOn,
    setHeight: (/** @type {number} */ i, /** @type {number} */ height) =>
      change({ sketch: current().sketch.with(i, onGrid(height, data.height_grid)) }),
    /** Select a column, and move the focus to it. @param {number} i */
    reach(i) {
      const column = clamp(i, 0, data.names.length - 1);
      select({ column });
      focusOn(column);
    },
    /** Answer with a column. @param {number} i */
    choose(i) {
      change({ choice: i });
      focusOn(i);
    },
  };
}

/**
 * Let the pointer and the keys set the heights of the columns, or choose one.
 * @param {Figure} figure @param {Parts} parts @param {() => Layout} places
 */
function bindGestures(figure, parts, places) {
  const { data, root, stage } = figure,
    { names, height_grid, choosing } = data;
  const { current, change, setHeight, focusOn, reach, choose } = columnActs(figure, parts);
  const columnAt = (/** @type {number} */ pixel) =>
    clamp(Math.floor((pixel - places().left) / places().columnWidth), 0, names.length - 1);
  root.addEventListener("keydown", () => root.classList.remove("by-pointer"), { capture: true });

  /**
   * Return a function that sets the heights of the columns over which the pointer moves.
   * @param {number} first @param {Parameters<import("../parts/drag.js").Grab>[0]} event
   * @returns {ReturnType<import("../parts/drag.js").Grab>}
   */
  function sweepFrom(first, event) {
    // Keep the offset of a drag that begins on the handle.
    const grip = event.target.closest(".column-handle")
      ? places().y(current().sketch[first]) - positionIn(stage, event)[1]
      : 0;
    /** @type {number[] | undefined} */
    let last;
    return (e) => {
      const [x, y] = positionIn(stage, e);
      const next = [columnAt(x), onGrid(places().y.invert(y + grip), height_grid)];
      change({ sketch: sweep(current().sketch, last ?? next, next).map((height) => onGrid(height, height_grid)) });
      if (next[0] !== last?.[0]) figure.select({ column: next[0] });
      last = next;
    };
  }

  /** @type {import("../parts/drag.js").Grab} */
  function grab(event) {
    root.classList.add("by-pointer"); // no focus ring while the pointer is used
    if (current().shown) return undefined;
    const first = columnAt(positionIn(stage, event)[0]);
    if (choosing) {
      focusOn(first);
      return () => change({ choice: first });
    }
    reach(first);
    return sweepFrom(first, event);
  }

  figure.drag(stage, grab);
  arrowKeys(parts.handles, (right, up) => {
    const { column } = figure.selection();
    if (choosing) choose(clamp(current().chosen + right - up, 0, names.length - 1));
    else if (up !== 0) setHeight(column, current().sketch[column] + up * height_grid[2]);
    else reach(column + right);
  });
  if (choosing) {
    parts.handles.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      change({ choice: [...parts.handles.children].indexOf(document.activeElement) });
    });
  }
  const mark = (/** @type {number} */ i) => (i in names ? columnMark(places(), data, current(), i) : undefined);
  showTooltip(figure, {
    find(x, y) {
      const { left, top, bottom } = places();
      return x > left && y > top && y < bottom ? mark(columnAt(x)) : undefined;
    },
    focused: (element) => mark([...parts.handles.children].indexOf(element)),
  });
}

/** @param {Figure} figure */
function view(figure) {
  const { data, root, stage } = figure;
  const parts = elements(stage, data);
  const arranged = memo((/** @type {number} */ width) => arrange(parts, data, width));
  // memoised, because it measures text
  const drawKeyOfColorsAt = memo((/** @type {Layout} */ at, /** @type {boolean} */ shown) =>
    drawKeyOfColors(parts, at, shown),
  );
  /** @type {Layout} */
  let at;

  /** @type {Draw} */
  function draw(now, { width }) {
    at = arranged(width);
    drawColumns(parts, at, data, now, now.drawn);
    drawNumbers(parts, at, data, now, now.drawn);
    drawHands(parts, at, data, now, now.drawn, now.selection.column);
    drawKeyOfColorsAt(at, now.shown);
    parts.axes.classList.toggle("bare", data.weighing && !now.shown); // heights are not normalised yet
    setText(parts.show, now.shown ? "Try again" : "Show the answer");
    parts.show.disabled = !now.shown && !isPredicted(data, now);
    root.classList.toggle("shown", now.shown);
  }

  bindGestures(figure, parts, () => at);
  parts.show.addEventListener("click", () =>
    figure.setting().shown === "yes" ? figure.reset() : figure.change({ shown: "yes" }),
  );

  return draw;
}

export default defineFigure("prediction", {
  hint: ({ choosing, weighing }) =>
    choosing
      ? "Click a column. Keyboard: Tab, then arrows."
      : `Drag the columns, or sweep across them.${weighing ? " Only ratios matter." : ""} Keyboard: Tab, then arrows.`,
  data: withWords,
  selection: { column: 0 }, // the column last moved
  settings: ({ untouched, height_grid }) => ({ sketch: listSetting(untouched, numberOn(height_grid)) }),
  compute,
  state,
  sentence,
  view,
});
