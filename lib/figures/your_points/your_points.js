import { defineFigure, memo } from "../contract/figure.js";
import { keysForShare } from "../methods/weights.js";
import { bestOf, candidatesFor, parameterOf, slopeOf, weightsAt } from "../methods/regression.js";
import { arrowKeys, focus, pageKeys } from "../parts/drag.js";
import { createAsker } from "../parts/job.js";
import { clamp } from "../parts/numbers.js";
import { html, set, setText } from "../parts/plot.js";
import { createProblem, InvalidInput } from "../parts/problem.js";
import { pngOf, saveFile, saveText, svgOf } from "../parts/save.js";
import { createTakeAway } from "../parts/take_away.js";
import { showTooltip } from "../parts/tooltip.js";
import { codeFor, estimatorCodeFor, CURVE_FILE, curveCsv, POINTS_FILE, pointsCsv } from "./code.js";
import { dataControls, methodControls } from "./controls.js";
import { arrange, drawFit, drawLow, drawNear, drawPoint, drawQuery, elements, widened } from "./drawing.js";
import { elsewhereText } from "./elsewhere.js";
import { BEYOND, criteriaOf, criterionOf, fitOf, middleOf, queriesOver, sigmaOf, TWO_SIDED } from "./fit.js";
import { drawOthers, labelAt } from "./others.js";
import { createPredictions } from "./predictions.js";
import { dateText, doubtedIn, numberText, sentence } from "./text.js";
import { checkedPoints } from "./table.js";

// The reader's own points, by every method of the course that estimates a curve. Few points are computed in the page,
// many in a worker (lazy_worker.js).

const FEW_POINTS = 300, // points; with more, a worker compares the candidates
  SOME = 3000, // points; with more, a worker computes the curve
  IN_STATE = 200, // most points that `data-state` lists
  IN_URL = 60, // most points that the URL lists
  LONGEST_URL = 2000, // characters
  LONGEST_NAME = 25, // characters of a column's name, as the table shortens it
  STEPS = 100; // presses of an arrow key that move the query from the smallest key to the largest

// ---- Settings ---------------------------------------------------------------------------------------------------

/** A number above `least`, or null to let the figure choose. @param {number} least */
const numberOrNull = (least) => ({
  write: (/** @type {number | null} */ value) => (value === null ? "" : String(value)),
  read: (/** @type {string} */ text) =>
    text.trim() && Number.isFinite(Number(text)) && Number(text) > least ? Number(text) : undefined,
});

/**
 * Points in the URL: the name of an example, or the points themselves if they are few, `0/1.5;1/2.25`, with names of
 * their columns, `0/1.5;1/2.25|t|u`. Before them, d says that the keys are dates, and v that the values are.
 * @param {Examples} examples
 */
const pointsSetting = (examples) => ({
  write: (/** @type {Points} */ points) =>
    Object.keys(examples).find((name) => isExample(examples[name], points)) ?? textOfPoints(points),
  read(/** @type {string} */ text) {
    if (Object.hasOwn(examples, text)) return examples[text];
    const [listed, ...names] = text.split("|"),
      [key_label = "x", value_label = "y"] = names.map((name) => name.slice(0, LONGEST_NAME)),
      about = { key_label, value_label, dates: listed.startsWith("d"), value_dates: /^d?v/.test(listed) };
    const pairs = listed
      .replace(/^d?v?/, "")
      .split(";")
      .map((pair) => pair.split("/").map(Number));
    const isValid =
      pairs.length <= IN_URL && pairs.every((pair) => pair.length === 2 && pair.every((one) => Math.abs(one) <= 1e100));
    try {
      return isValid ? checkedPoints(fromPairs(pairs, about)) : undefined;
    } catch {
      return undefined;
    }
  },
});

/** @param {Points} example @param {Points} points */
const isExample = (example, { keys, values }) =>
  example.keys.length === keys.length &&
  example.keys.every((key, i) => key === keys[i] && example.values[i] === values[i]);

/** The points as text for the URL; empty if they are too many. @param {Points} points */
function textOfPoints({ keys, values, key_label, value_label, dates, value_dates }) {
  if (keys.length > IN_URL) return "";
  const names = [key_label, value_label].map((name) => `|${name.replaceAll("|", "/")}`),
    flags = (dates ? "d" : "") + (value_dates ? "v" : "");
  const text = flags + keys.map((key, i) => `${key}/${values[i]}`).join(";") + names.join("");
  return text.length <= LONGEST_URL ? text : "";
}

/** @param {number[][]} pairs @param {About} about @returns {Points} */
function fromPairs(pairs, about) {
  const sorted = [...pairs].sort(([a], [b]) => a - b);
  return { ...about, keys: sorted.map(([key]) => key), values: sorted.map(([, value]) => value) };
}

// ---- Numbers ----------------------------------------------------------------------------------------------------

/** Functions that remember their latest result. @param {Given} constants */
const withMemory = (constants) => ({
  ...constants,
  dataOf: memo((/** @type {Points} */ { keys, values }) => ({
    keys: Float64Array.from(keys),
    values: Float64Array.from(values),
  })),
  textsOf: memo((/** @type {Points} */ points) => {
    const [keys, values] = [points.keys, points.values].map((all) =>
      widened([Math.min(...ends(all)), Math.max(...ends(all))], 0.04),
    );
    const keyText = points.dates ? dateText(keys) : trimmed(numberText(keys));
    const halfText = numberText(values),
      valueText = points.value_dates ? dateText(values) : halfText;
    const inDays = (/** @type {number} */ half) => `${halfText(half)} days`;
    return { keyText, valueText, halfText: points.value_dates ? inDays : halfText };
  }),
  candidatesOf: memo(candidatesFor),
  scoresAt: memo(criteriaOf),
  sigmaOf: memo(sigmaOf),
  fitAt: memo(fitOf),
  weightedAt: memo((/** @type {Columns} */ data, /** @type {Float64Array} */ shares) => ({ ...data, shares })),
});

/** Without zeros at the end of decimals. @param {Write} write @returns {Write} */
const trimmed = (write) => (value) =>
  write(value)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");

/** The smallest and the largest of many numbers. @param {number[]} numbers */
const ends = (numbers) =>
  numbers.reduce(([low, high], number) => [Math.min(low, number), Math.max(high, number)], [Infinity, -Infinity]);

/** @param {Data} constants @param {Setting} setting @param {Answers} answers */
function compute(constants, setting, answers) {
  const { points, method, by, compare, robust } = setting,
    data = constants.dataOf(points),
    n = data.keys.length;
  const candidates = constants.candidatesOf(data, method),
    name = parameterOf(method);
  const reach = by === BEYOND ? (setting.reach ?? spacingOf(data)) : 0,
    scores =
      n <= FEW_POINTS || !name
        ? constants.scoresAt(data, method, candidates, reach)
        : answers.scoresFor(data, method, reach);
  const parameter = name ? parameterFor(setting, name, candidates, scores) : NaN;
  const low = data.keys[0],
    high = data.keys[n - 1];
  const query = clamp(setting.query ?? low + (high - low) / 3, low, high),
    isRobust = robust === "yes";
  const fit =
    n <= SOME ? constants.fitAt(data, method, parameter, isRobust) : answers.fitFor(data, method, parameter, isRobust);
  const weighted = fit?.shares ? constants.weightedAt(data, fit.shares) : data,
    row = weightsAt(query, weighted, method, parameter),
    sigma = constants.sigmaOf(data, !!fit?.shares);
  const [estimate, norm] = averaged(row, data.values);
  return {
    ...constants.textsOf(points),
    ...{ points, data, candidates, name, reach, scores, parameter, query, row, estimate, fit, weighted, sigma },
    slope: slopeOf(row, data),
    half: TWO_SIDED * sigma * norm,
    others: compare === "yes" ? answers.curvesFor(data, criterionOf(by), isRobust, reach) : {},
    keys_for_90_percent: keysForShare(row.weights.map(Math.abs), 0.9 * sumOf(row.weights.map(Math.abs))),
  };
}

/**
 * The parameter that the reader or a criterion has chosen.
 * @param {Setting} setting @param {ParameterName} name @param {number[]} candidates @param {Scores | null |
 *   undefined} scores
 */
function parameterFor(setting, name, candidates, scores) {
  const asked = setting.by === "hand" ? setting[name] : scores && bestOf(candidates, scores[setting.by]);
  const parameter = clamp(asked ?? middleOf(candidates), candidates[0], candidates[candidates.length - 1]);
  return name === "neighbours" ? Math.round(parameter) : parameter;
}

const sumOf = (/** @type {Float64Array} */ numbers) => numbers.reduce((a, b) => a + b, 0);

/** The mean distance of neighbouring keys. @param {Columns} data */
const spacingOf = ({ keys }) => Number(((keys[keys.length - 1] - keys[0]) / (keys.length - 1)).toPrecision(3));

/**
 * Σ wᵢ vᵢ and ‖w‖; NaN without any weight.
 * @param {import("../methods/regression.js").Row} row
 * @param {Float64Array} values
 */
function averaged({ first, weights }, values) {
  const squares = weights.reduce((sum, weight) => sum + weight ** 2, 0);
  const estimate = weights.reduce((sum, weight, i) => sum + weight * values[first + i], 0);
  return squares > 0 ? [estimate, Math.sqrt(squares)] : [NaN, NaN];
}

/** The parameter of each method, null for one without. @param {import("./fit.js").Curves} curves */
const parametersOf = (curves) =>
  Object.fromEntries(Object.entries(curves).map(([method, { parameter }]) => [method, parameter || null]));

/** @param {Data} _constants @param {Figure["now"]} now */
function state(_constants, now) {
  const {
      setting,
      name,
      parameter,
      query,
      estimate,
      half,
      slope,
      data,
      sigma,
      fit,
      scores,
      others,
      keys_for_90_percent,
    } = now,
    { method, by, panel, compare, points } = setting,
    isShort = data.keys.length <= IN_STATE;
  return {
    ...{ query, method, by, panel, estimate, half, keys_for_90_percent },
    ...(name && { [name]: parameter }),
    ...(slope !== undefined && { slope }),
    ...(now.reach && { reach: now.reach }),
    n_keys: data.keys.length,
    noise: sigma,
    has_scores: !!scores,
    ...(fit?.shares && { doubted: doubtedIn(fit.shares) }),
    ...(compare === "yes" && { others: parametersOf(others ?? {}) }),
    ...(isShort && { keys: points.keys, values: points.values }),
  };
}

// ---- View -------------------------------------------------------------------------------------------------------

/**
 * Ask workers for what the page does not compute itself, and keep their latest answers; null is the answer if the
 * reader cancels.
 * @param {Figure} figure @param {Problem} problem
 */
function workers(figure, problem) {
  const askScores = createAsker(figure, problem, "scoresFor"),
    askFit = createAsker(figure, problem, "fitFor"),
    askCurves = createAsker(figure, problem, "curvesFor");
  const methods = Object.keys(figure.data.method_labels);

  return function askFor(/** @type {Figure["now"]} */ now) {
    const { data, setting, candidates, parameter, reach, scores, fit, others } = now,
      { method, by, robust } = setting;
    const wantsScores = scores === undefined,
      wantsFit = fit === undefined && (by === "hand" || !wantsScores);
    const scored = () => ({ data, method, candidates, reach });
    askScores(wantsScores ? [data, method, reach] : undefined, scored, "comparing candidates");
    const isRobust = robust === "yes",
      fitted = () => ({ data, method, parameter, isRobust });
    askFit(wantsFit ? [data, method, parameter, isRobust] : undefined, fitted, "fitting the curve");
    const criterion = criterionOf(by),
      wantsCurves = others === undefined && !wantsFit && !wantsScores;
    const compared = () => ({ data, compared: { methods, criterion, isRobust, reach } });
    askCurves(wantsCurves ? [data, criterion, isRobust, reach] : undefined, compared, "comparing methods");
    figure.setPending(fit === undefined || wantsScores || wantsCurves);
  };
}

/**
 * @typedef {import("./drawing.js").Parts} Parts
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {import("./drawing.js").ParameterAt} ParameterAt
 * @typedef {import("./fit.js").Scores} Scores
 * @typedef {import("./others.js").Label} Label
 * @typedef {import("./text.js").Write} Write
 * @typedef {import("../methods/regression.js").ParameterName} ParameterName
 * @typedef {ReturnType<typeof createProblem>} Problem
 * @typedef {{ key_label: string, value_label: string, dates: boolean, value_dates: boolean }} About points
 * @typedef {About & { keys: number[], values: number[] }} Points
 * @typedef {Record<string, Points & { question?: string }>} Examples
 * @typedef {import("./fit.js").Data} Columns
 * @typedef {{ query: number | null, method: string, bandwidth: number | null, neighbours: number | null,
 *   temperature: number | null, reach: number | null, by: string, panel: "errors" | "weights" | "residuals",
 *   compare: string, robust: string, points: Points }} Setting
 * @typedef {import("../contract/figure.js").Constants & { examples: Examples, method_labels: Record<string,
 *   string>, by_labels: Record<string, string>, panel_labels: Record<string, string> }} Given
 * @typedef {ReturnType<typeof withMemory>} Data
 * @typedef {{ scoresFor: (data: Columns, method: string, reach: number) => Scores | null | undefined, fitFor:
 *   (data: Columns, method: string, parameter: number, isRobust: boolean) => import("./fit.js").Fit | null |
 *   undefined, curvesFor: (data: Columns, criterion: string, isRobust: boolean, reach: number) =>
 *   import("./fit.js").Curves | null | undefined }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
function view(figure) {
  const { stage, change, setting } = figure;
  const rows = [0, 1].map(() => html("div", { class: "lf-input" })),
    place = html("div");
  stage.before(...rows, place);
  const problem = createProblem(place);
  const showData = dataControls(figure, problem, rows[0], (points) =>
    change({
      points,
      query: null,
      bandwidth: null,
      neighbours: null,
      temperature: null,
      reach: null,
      ...(setting().by === "hand" && { by: "leave-one-out" }),
    }),
  );
  const showMethod = methodControls(figure, rows[1]);
  const parts = elements(stage);
  const askFor = workers(figure, problem);
  const ask = asking(figure);
  const arranged = memo(
    (
      /** @type {number} */ width,
      /** @type {Points} */ points,
      /** @type {Columns} */ data,
      /** @type {boolean} */ hasLabels,
    ) => arrange(parts, width, points, data, hasLabels),
  );
  let /** @type {Layout} */ at, /** @type {ParameterAt} */ valueAt, /** @type {Label[]} */ labels;
  let /** @type {Columns} */ fitted, // the points whose curve is drawn, until the next one is computed
    chosen = 0;

  /** @type {Draw} */
  function draw(now, { width }) {
    askFor(now);
    at = arranged(width, now.points, now.data, now.setting.compare === "yes");
    chosen = Math.min(chosen, now.data.keys.length - 1);
    showData(now.points);
    ask(now.points);
    showMethod(now);
    if (now.fit || now.fit === null || fitted !== now.data) drawFit(parts, at, now.fit, queriesOver(now.data.keys));
    fitted = now.data;
    labels = drawOthers(parts, at, now, figure.data.method_labels);
    drawNear(parts, at, now);
    drawQuery(parts, at, now);
    valueAt = drawLow(parts, at, now);
    drawPoint(parts, at, now, chosen);
  }

  const edit = editing(figure, problem, { chosen: () => chosen, choose: (i) => (chosen = i) });
  bindGestures(figure, parts, {
    places: () => at,
    valueAt: () => valueAt,
    labels: () => labels,
    chosen: () => chosen,
    edit,
  });
  editButtons(figure, rows[0], edit);
  bindTakeAway(figure, parts, problem);
  return draw;
}

/**
 * Returns a function that asks the question of an example, and for other points the figure's own.
 * @param {Figure} figure
 */
function asking({ root, model, data: { examples } }) {
  const place = root.querySelector(".lf-question");
  return function ask(/** @type {Points} */ points) {
    const example = Object.values(examples).find((each) => isExample(each, points)),
      question = example?.question ?? String(model.get("question"));
    if (!place || place.textContent === question) return;
    setText(place, question);
    set(root, { "aria-label": question });
  };
}

/**
 * Add and remove points.
 * @param {Figure} figure @param {Problem} problem @param {{ chosen: () => number, choose: (i: number) => void }} ring
 */
function editing({ change, setting, redraw }, problem, { chosen, choose }) {
  const pairs = () => setting().points.keys.map((key, i) => [key, setting().points.values[i]]);
  const replace = (/** @type {number[][]} */ list) =>
    problem.attempt(() => change({ points: checkedPoints(fromPairs(list, aboutOf(setting().points))) }));
  return {
    select(/** @type {number} */ i) {
      choose(i);
      redraw();
    },
    add: (/** @type {number} */ key, /** @type {number} */ value) => replace([...pairs(), [key, value]]),
    remove: () => replace(pairs().filter((_pair, i) => i !== chosen())),
  };
}

/** @param {Points} points @returns {About} */
const aboutOf = ({ key_label, value_label, dates, value_dates }) => ({ key_label, value_label, dates, value_dates });

/**
 * The point nearest to a pixel, if it is within reach.
 * @type {(points: Figure["now"]["data"], places: Layout, pixel: number[], radius: number) => number | undefined}
 */
function nearestPoint({ keys, values }, { x, y }, [px, py], radius) {
  let /** @type {number | undefined} */ best,
    distance = radius;
  for (let i = 0; i < keys.length; i += 1) {
    const away = Math.hypot(x(keys[i]) - px, y(values[i]) - py);
    if (away <= distance) [best, distance] = [i, away];
  }
  return best;
}

/** The candidate with the smallest ratio to a value. @param {number[]} candidates @param {number} value */
const nearestCandidate = (candidates, value) =>
  candidates.reduce((best, each) =>
    Math.abs(Math.log(each / value)) < Math.abs(Math.log(best / value)) ? each : best,
  );

/** A query in the range of the sorted keys, with a few digits. @param {number} key @param {ArrayLike<number>} keys */
function inRange(key, keys) {
  const [low, high] = [keys[0], keys[keys.length - 1]];
  const unit = 10 ** Math.floor(Math.log10((high - low) / 1000));
  const rounded = Math.abs(key) < 1e15 * unit ? Number((Math.round(key / unit) * unit).toPrecision(12)) : key;
  return clamp(rounded, low, high);
}

/**
 * Create the buttons that add and remove points.
 * @param {Figure} figure
 * @param {HTMLElement} row
 * @param {ReturnType<typeof editing>} edit
 */
function editButtons(figure, row, edit) {
  /** @param {string} text @param {string} title @param {() => void} act */
  const button = (text, title, act) =>
    html("button", { type: "button", text, title }, row).addEventListener("click", act);
  button("Add a point", "At the query and the estimate; or double-click in the drawing", () => {
    const { query, estimate } = figure.now;
    if (!Number.isNaN(estimate)) edit.add(query, estimate);
  });
  button("Remove the ringed point", "The point that was clicked last", edit.remove);
}

/**
 * Let the pointer and the keys move the query, choose the parameter in the curve of errors, and edit points.
 * @param {Figure} figure @param {Parts} parts
 * @param {{ places: () => Layout, valueAt: () => ParameterAt, labels: () => Label[], chosen: () => number,
 *   edit: ReturnType<typeof editing> }} drawn
 */
function bindGestures(figure, parts, { places, valueAt, labels, chosen, edit }) {
  const { change, drag } = figure;
  const pixelOf = (/** @type {PointerEvent} */ event) => {
    const { left, top } = parts.canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const data = () => figure.now.data;

  const pointAt = (/** @type {number[]} */ pixel, /** @type {number} */ radius) =>
    nearestPoint(data(), places(), pixel, radius);
  const within = (/** @type {number} */ key) => inRange(key, data().keys);

  /** @type {import("../parts/drag.js").Grab} */
  function grab(event) {
    const [px, py] = pixelOf(event),
      { x, dataBottom } = places(),
      { name, candidates } = figure.now;
    const parameterAt = valueAt(),
      label = labelAt(labels(), places(), [px, py]);
    if (label) {
      change({ method: label.method });
      return () => {};
    }
    if (py > dataBottom + 30 && parameterAt) {
      return (e) => change({ by: "hand", [name]: nearestCandidate(candidates, parameterAt(pixelOf(e)[0])) });
    }
    if (py > dataBottom + 30) return undefined;
    const onQuery = parts.queryHandle.contains(event.target),
      point = onQuery ? undefined : pointAt([px, py], event.pointerType === "touch" ? 16 : 6);
    if (point !== undefined) {
      edit.select(point);
      focus(parts.pointHandle);
      return () => {};
    }
    focus(parts.queryHandle);
    const off = onQuery ? x(figure.now.query) - px : 0;
    return (e) => change({ query: within(x.invert(pixelOf(e)[0] + off)) });
  }

  drag(parts.canvas, grab);
  parts.canvas.addEventListener("dblclick", (/** @type {PointerEvent} */ event) => {
    const [px, py] = pixelOf(event),
      { x, y, dataTop, dataBottom } = places();
    if (py > dataTop && py < dataBottom && pointAt([px, py], 6) === undefined)
      edit.add(within(x.invert(px)), y.invert(py));
  });
  arrowKeys(parts.queryHandle, (right, up) => {
    const { keys } = data(),
      step = (keys[keys.length - 1] - keys[0]) / STEPS;
    change({ query: within(figure.now.query + clamp(right + up, -STEPS, STEPS) * step) });
  });
  const step = (/** @type {number} */ by) => edit.select((chosen() + by + data().keys.length) % data().keys.length);
  pageKeys(parts.pointHandle, step);
  arrowKeys(parts.pointHandle, (right, up) => edit.select(clamp(chosen() + right + up, 0, data().keys.length - 1)));
  parts.pointHandle.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Delete" && event.key !== "Backspace") return;
    event.preventDefault();
    edit.remove();
  });
  const markOf = (/** @type {number} */ i) => {
    const { keyText, valueText } = figure.now,
      { keys, values } = data(),
      { x, y } = places();
    return { x: x(keys[i]), y: y(values[i]), text: `${keyText(keys[i])}: ${valueText(values[i])}` };
  };
  showTooltip(figure, {
    find(x, y) {
      const point = pointAt([x, y], 8);
      return point === undefined ? labelAt(labels(), places(), [x, y]) : markOf(point);
    },
    focused: (element) => (element === parts.pointHandle ? markOf(chosen()) : undefined),
  });
}

/** Offer the picture, the numbers and the code. @param {Figure} figure @param {Parts} parts @param {Problem} problem */
function bindTakeAway(figure, { canvas }, problem) {
  const title = () => figure.root.querySelector(".lf-sentence")?.textContent ?? "";
  const fitted = () => {
    const { fit } = figure.now;
    if (!fit) throw new InvalidInput("The curve is still being computed.");
    return { ...figure.now, fit };
  };
  const buttons = createTakeAway(
    figure,
    {
      saves: {
        "Figure (SVG)": () => saveText("your_points.svg", svgOf(canvas, title()), "image/svg+xml"),
        "Figure (PNG)": async () => saveFile("your_points.png", await pngOf(canvas)),
        "Points (CSV)": () => saveText(POINTS_FILE, pointsCsv(fitted()), "text/csv"),
        "Curve (CSV)": () => saveText(CURVE_FILE, curveCsv(fitted()), "text/csv"),
      },
      code: () => codeFor(figure.now),
      forms: { "scikit-learn": () => estimatorCodeFor(figure.now) },
      note: () => noteOn(figure.data.examples, figure.now),
    },
    problem,
  );
  createPredictions(figure, buttons);
}

/**
 * Say what “Share” holds, and what the parameter is in other programs.
 * @param {Examples} examples
 * @param {Figure["now"]} now
 */
function noteOn(examples, { points, setting, parameter, data }) {
  const text = pointsSetting(examples).write(points);
  const link = text
    ? "The link (“Share”) holds the settings and the points, with the names of their columns."
    : `The link (“Share”) holds the settings only, because the points are more than ${IN_URL} or too long for a URL: send the CSV file with it.`;
  const code = "The code needs NumPy, and “Points (CSV)” in the same folder.";
  return [link, code, elsewhereText(setting.method, parameter, data.keys)].filter(Boolean).join(" ");
}

export default defineFigure("your-points", {
  hint: "Drop or paste a table. Drag the query or, in the lower panel, the bandwidth. Keyboard: Tab, arrows.",
  data: withMemory,
  settings: ({ examples }) => ({
    query: numberOrNull(-Infinity),
    ...Object.fromEntries(["bandwidth", "neighbours", "temperature", "reach"].map((name) => [name, numberOrNull(0)])),
    points: pointsSetting(examples),
  }),
  answers: () => ({ scoresFor: () => undefined, fitFor: () => undefined, curvesFor: () => undefined }),
  compute,
  state,
  sentence,
  view,
});
