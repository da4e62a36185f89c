import { defineFigure, memo } from "../contract/figure.js";
import { averagePicture, denoiseWeights, nearestTo, patchAround } from "../methods/diffusion.js";
import { keysForShare } from "../methods/weights.js";
import { arrowKeys, focus } from "../parts/drag.js";
import { Cancelled, createAsker, createJobs } from "../parts/job.js";
import { percent } from "../parts/numbers.js";
import { inside } from "../parts/photograph.js";
import { html, svg } from "../parts/plot.js";
import { createProblem } from "../parts/problem.js";
import { saveFile, saveText, svgOf } from "../parts/save.js";
import { createTakeAway } from "../parts/take_away.js";
import { showTooltip } from "../parts/tooltip.js";
import { codeFor, npyOf, RESULT_FILE, SET_FILE, shapeOf, WEIGHTS_FILE, weightsCsv } from "./code.js";
import { noiseControls, setControls, taskControls } from "./controls.js";
import { arrange, drawList, drawPictures, drawTitles, elements, N_SHOWN } from "./drawing.js";
import { sheetPng } from "./paint.js";
import { createSheet } from "./sheet.js";
import { sentence, state } from "./text.js";
import { FEWEST, MOST_PICTURES, joined, SHAPES, trainingSet, unpackSet } from "./training_set.js";
import { costOf, startOf, walkOf } from "./walk.js";

// The reader's own pictures as the training set of chapter 9: a walk from noise, or a noisy picture and its estimate.
// Short walks are computed in the page; long ones, and the reading of files, in a worker (lazy_worker.js).

const CHEAP = 2e7, // operations of a walk in the page
  N_RESULTS = 12,
  COLUMNS = 6; // of the sheet of results

// ---- Settings ---------------------------------------------------------------------------------------------------

const pictureSetting = {
  write: String,
  read: (/** @type {string} */ text) =>
    /^\d{1,4}$/.test(text) && Number(text) < MOST_PICTURES ? Number(text) : undefined,
};

const removedSetting = {
  write: (/** @type {number[]} */ removed) => removed.join("."),
  read: (/** @type {string} */ text) => {
    if (!/^\d{1,4}(\.\d{1,4})*$/.test(text)) return undefined;
    return [...new Set(text.split(".").map(Number))].filter((k) => k < MOST_PICTURES).sort((a, b) => a - b);
  },
};

const pixelSetting = {
  write: (/** @type {Pixel | null} */ pixel) => pixel?.join("/") ?? "", // null is the centre
  read: (/** @type {string} */ text) =>
    /^\d{1,3}\/\d{1,3}$/.test(text) ? inside(SHAPES.grey, text.split("/").map(Number)) : undefined,
};

const pixelIn = (/** @type {Shape} */ shape, /** @type {Pixel | null} */ pixel) =>
  inside(shape, pixel ?? [shape.height / 2, shape.width / 2]);

// ---- Numbers ----------------------------------------------------------------------------------------------------

/** Return the constants with functions that remember their latest result. @param {Given} constants */
function withMemory(constants) {
  /** @type {Record<string, PictureSet>} */
  const unpackedSets = {}; // a cache: an example is unpacked when it is first shown
  return {
    ...constants,
    exampleOf: (/** @type {string} */ name) => (unpackedSets[name] ??= unpackSet(constants.examples[name])),
    knownOf: memo((/** @type {PictureSet} */ whole, /** @type {Kind} */ kind, /** @type {number[]} */ removed) => {
      const kept = Array.from({ length: whole.n }, (_, k) => k).filter((k) => !removed.includes(k));
      return trainingSet(whole, kind, kept.length < FEWEST ? [...Array(whole.n).keys()] : kept);
    }),
    jobOf: memo(jobOf),
    walkAt: memo((/** @type {Job} */ job, /** @type {number} */ seed) => walkOf(job, seed)),
    weightsAt: /** @type {(noisy: Float64Array, job: Job, noiseStd: number, pixel: number) => number[]} */ (
      memo((noisy, job, noiseStd, pixel) => denoiseWeights(noisy, job.pictures, noiseStd, comparedAt(job, pixel)))
    ),
    nearestAt: memo(nearestTo),
  };
}

/**
 * Return what is to be computed: a walk over the levels, or the estimate of a picture with noise of one level.
 * @type {(known: Known, task: Task, picture: number, levels: number[], radius: number | null) => Job}
 */
function jobOf(known, task, picture, levels, radius) {
  const keys = [...known.pictures.keys()].filter((k) => task !== "unknown" || k !== picture);
  const pictures = keys.map((k) => known.pictures[k]);
  return { pictures, shape: known.shape, levels, radius, clean: task === "walk" ? undefined : known.pictures[picture] };
}

/** The numbers of an array that are compared: all, or those of a patch. @param {Job} job @param {number} pixel */
function comparedAt({ shape, radius }, pixel) {
  const { height, width, channels } = shape;
  const pixels = radius === null ? [...Array(height * width).keys()] : patchAround(shape, pixel, radius);
  return pixels.flatMap((i) => Array.from({ length: channels }, (_, c) => i * channels + c));
}

const levelOf = memo((/** @type {number} */ level) => [level]); // the same array for the same level

/** @param {Data} data @param {Setting} setting @param {Answers} answers */
function compute(data, setting, answers) {
  const { kind, removed, start } = setting,
    isWalk = setting.task in data.levels,
    task = isWalk ? "walk" : /** @type {Task} */ (setting.task);
  const own = setting.set === "own" ? answers.own : undefined,
    setName = setting.set === "own" && !own ? Object.keys(data.examples)[0] : setting.set;
  const known = data.knownOf(own ?? data.exampleOf(setName), kind, removed);
  const picture = Math.min(setting.picture, known.kept.length - 1),
    radius = setting.compare === "whole" ? null : Number(setting.compare);
  const place = data.ranges.noise.indexOf(setting.noise),
    last = data.ranges.noise.length - 1;
  const levels = isWalk ? data.levels[setting.task] : levelOf(data.levels["walk-30"][last - place]);
  const step = isWalk ? Math.round(((levels.length - 1) * (last - place)) / last) : 0;
  const job = data.jobOf(known, task, isWalk ? 0 : picture, levels, radius);
  const walk = costOf(job) <= CHEAP ? data.walkAt(job, start) : answers.walkFor(job, start);
  const pixel = pixelIn(known.shape, setting.pixel);
  const now = {
    setName,
    task,
    known,
    picture,
    radius,
    levels,
    step,
    job,
    walk,
    pixel,
    noiseStd: levels[step],
    isEnd: place === 0,
  };
  return { ...now, ...numbersAt(data, now, start) };
}

/**
 * The estimate, the weights behind it, and the nearest picture.
 * @param {Data} data
 * @param {{ known: Known, picture: number, job: Job, walk: Step[] | null | undefined, step: number, levels:
 *   number[], pixel: Pixel }} now
 * @param {number} start
 */
function numbersAt(data, { known, picture, job, walk, step, levels, pixel }, start) {
  const { noisy, guess } = walk ? walk[step] : beforeAll(job, start);
  const keys = [...known.pictures.keys()].filter((k) => job.pictures.length === known.pictures.length || k !== picture);
  const level = levels[walk ? step : 0],
    weights = data.weightsAt(noisy, job, level, pixel[0] * known.shape.width + pixel[1]);
  const sorted = [...weights.keys()].sort((a, b) => weights[b] - weights[a] || a - b),
    count = keysForShare(weights, 0.9);
  const { nearest, distance } = data.nearestAt(guess, job.pictures);
  const weightOf = (/** @type {number} */ k) =>
    keys.includes(k) ? percent(weights[keys.indexOf(k)]) : "none, because it is left out";
  return {
    ...{ noisy, guess, keys, weights, count, distance, weightOf },
    nearest: keys[nearest],
    heaviest: sorted.slice(0, N_SHOWN),
    heaviest90: sorted.slice(0, count),
  };
}

/** Before the walk is computed: the noise, and the mean of all pictures. */
const beforeAll = memo((/** @type {Job} */ job, /** @type {number} */ start) => {
  const { pictures } = job;
  return {
    noisy: startOf(job, start),
    guess: averagePicture(
      pictures.map(() => 1 / pictures.length),
      pictures,
    ),
  };
});

// ---- View -------------------------------------------------------------------------------------------------------

/**
 * A job in the form that the worker reads.
 * @param {Job} job
 * @param {number[]} seeds
 * @returns {{ walk: import("./lazy_worker.js").Asked }}
 */
function messageOf({ pictures, ...job }, seeds) {
  const bytes = joined(pictures.map((picture) => Uint8Array.from(picture, (level) => Math.round(127.5 * (level + 1)))));
  return { walk: { ...job, bytes, seeds } };
}

/**
 * Ask the worker for walks that the page does not compute itself; null is the answer if the reader cancels.
 * @param {Figure} figure
 * @param {Problem} problem
 */
function walker(figure, problem) {
  const ask = createAsker(figure, problem, "walkFor");
  return function askFor(/** @type {Figure["now"]} */ { job, walk, setting: { start } }) {
    figure.setPending(walk === undefined);
    const count = job.pictures.length.toLocaleString("en-GB");
    ask(walk === undefined ? [job, start] : undefined, () => messageOf(job, [start]), `comparing ${count} images`);
  };
}

/**
 * Wait for a job; undefined if it was cancelled.
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T | undefined>}
 */
const unlessCancelled = (promise) =>
  promise.catch((error) => {
    if (!(error instanceof Cancelled)) throw error;
    return undefined;
  });

/**
 * @typedef {import("../parts/photograph.js").Pixel} Pixel
 * @typedef {import("./training_set.js").Kind} Kind
 * @typedef {import("./training_set.js").Known} Known
 * @typedef {import("./training_set.js").PictureSet} PictureSet
 * @typedef {import("./training_set.js").Shape} Shape
 * @typedef {import("./walk.js").Job} Job
 * @typedef {import("./walk.js").Step} Step
 * @typedef {import("./drawing.js").Parts} Parts
 * @typedef {ReturnType<typeof createSheet>} Sheet
 * @typedef {ReturnType<typeof createProblem>} Problem
 * @typedef {"walk" | "denoise" | "unknown"} Task
 * @typedef {{ set: string, kind: Kind, task: string, compare: string, noise: string, start: number, picture:
 *   number, pixel: Pixel | null, removed: number[] }} Setting
 * @typedef {Record<string, string>} Labels
 * @typedef {import("../contract/figure.js").Constants & { examples: Record<string,
 *   import("./training_set.js").Example>, levels: Record<string, number[]>, kind_labels: Labels, task_labels:
 *   Labels, compare_labels: Labels, ranges: { noise: string[] } }} Given
 * @typedef {ReturnType<typeof withMemory>} Data
 * @typedef {{ own: PictureSet | undefined, walkFor: (job: Job, seed: number) => Step[] | null | undefined }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
function view(figure) {
  const { root, stage } = figure;
  const rows = [0, 1, 2].map(() => html("div", { class: "lf-input" })),
    place = html("div");
  stage.before(...rows, place);
  const problem = createProblem(place),
    jobs = createJobs(figure); // reading, and the sheet of results
  const read = (/** @type {import("./read.js").Content[]} */ files) =>
    unlessCancelled(jobs.run({ files }, `reading ${files.length.toLocaleString("en-GB")} files`));
  const sets = setControls(figure, problem, rows[0], read),
    showTask = taskControls(figure, rows[1]),
    showNoise = noiseControls(figure, rows[2]);
  const parts = elements(stage),
    sheet = createSheet(figure, sets),
    arranged = memo((/** @type {number} */ width) => arrange(parts, width)),
    askFor = walker(figure, problem);
  bindPixel(figure, parts, sheet);
  bindTakeAway(figure, parts, { jobs, problem });
  showTooltip(figure, sheet);

  /** @type {Draw} */
  function draw(now, { width }) {
    askFor(now);
    root.classList.toggle("has-patches", now.radius !== null);
    const at = arranged(width);
    sets.show(now);
    showTask(now);
    showNoise(now);
    sheet.draw(now, at.sheet);
    drawTitles(parts, at, now);
    drawPictures(parts, at, now);
    drawList(parts, at, now);
  }

  return draw;
}

/**
 * Let the pointer and the keys choose a picture in the sheet, and the patch.
 * @param {Figure} figure
 * @param {Parts} parts
 * @param {Sheet} sheet
 */
function bindPixel({ change, drag, stage, ...figure }, { grips, handle }, sheet) {
  const shape = () => SHAPES[figure.setting().kind];
  drag(stage, (event) => {
    const grip = grips.find((each) => each === event.target);
    if (!grip) return sheet.grab(event);
    const { left, top, width, height } = grip.getBoundingClientRect();
    focus(handle);
    return (/** @type {PointerEvent} */ { clientX, clientY }) => {
      const { height: rows, width: columns } = shape();
      change({ pixel: inside(shape(), [((clientY - top) * rows) / height, ((clientX - left) * columns) / width]) });
    };
  });
  arrowKeys(handle, (right, up) => {
    const [row, column] = pixelIn(shape(), figure.setting().pixel);
    change({ pixel: inside(shape(), [row - up, column + right]) });
  });
}

/**
 * Offer the pictures, the numbers and the code.
 * @param {Figure} figure @param {Parts} parts @param {{ jobs: ReturnType<typeof createJobs>, problem: Problem }} with
 */
function bindTakeAway(figure, parts, { jobs, problem }) {
  const shapeNow = () => figure.now.known.shape;
  async function saveResults() {
    const { job, known, setting } = figure.now;
    const seeds = Array.from({ length: N_RESULTS }, (_, k) => (setting.start + k) % 1000);
    /** @type {Float64Array[] | undefined} */
    const guesses = await unlessCancelled(jobs.run(messageOf(job, seeds), `computing ${N_RESULTS} results`));
    if (!guesses) return;
    const nearest = guesses.map((guess) => job.pictures[nearestTo(guess, job.pictures).nearest]);
    const halves = [0, COLUMNS].flatMap((k) => [guesses.slice(k, k + COLUMNS), nearest.slice(k, k + COLUMNS)]);
    saveFile("your_results.png", await sheetPng(halves.flat(), known.shape, COLUMNS));
  }
  const saves = {
    "Result (PNG)": async () => saveFile("your_result.png", await sheetPng([figure.now.guess], shapeNow(), 1, 16)),
    [`${N_RESULTS} results (PNG)`]: saveResults,
    "Figure (SVG)": () => saveText("your_pictures.svg", drawingOf(figure, parts), "image/svg+xml"),
    "Result (NPY)": () => saveFile(RESULT_FILE, npyOf(figure.now.guess, shapeOf(shapeNow()))),
    "Weights (CSV)": () => saveText(WEIGHTS_FILE, weightsCsv(figure.now), "text/csv"),
    "Pictures (NPY)": () => {
      const { bytes, kept, shape } = figure.now.known;
      saveFile(SET_FILE, npyOf(bytes, [kept.length, ...shapeOf(shape)]));
    },
  };
  createTakeAway(figure, { saves, code: () => codeFor(figure.now), note: () => NOTE }, problem);
}

const NOTE =
  "The link (“Share”) holds the settings and which images were removed, not the pictures: send them with it. " +
  `The code needs this course's package and “Pictures (NPY)” in the same folder. The sheet of ${N_RESULTS} results ` +
  "shows the nearest training image below each.";

/** The drawing with its pictures as SVG. @param {Figure} figure @param {Parts} parts */
function drawingOf({ root, stage }, { canvas: drawing }) {
  const { left, top } = drawing.getBoundingClientRect();
  const group = svg("g");
  for (const canvas of stage.querySelectorAll("canvas")) {
    const box = canvas.getBoundingClientRect();
    if (!box.width) continue;
    const opacity = getComputedStyle(canvas).opacity,
      { width, height } = box;
    const place = { x: box.left - left, y: box.top - top, width, height, opacity, "image-rendering": "pixelated" };
    const frame = svg(
      "svg",
      { ...place, height: Math.min(height, canvas.closest(".sheet")?.clientHeight ?? height) },
      group,
    );
    svg("image", { href: canvas.toDataURL(), width, height }, frame);
  }
  drawing.prepend(group);
  const text = svgOf(drawing, root.querySelector(".lf-sentence")?.textContent ?? "");
  group.remove();
  return text;
}

export default defineFigure("your-pictures", {
  hint: "Drop pictures, a folder or a zip. Click an image to ring it; Delete removes it. Keyboard: Tab, arrows.",
  data: withMemory,
  settings: () => ({ picture: pictureSetting, removed: removedSetting, pixel: pixelSetting }),
  answers: () => ({ own: undefined, walkFor: () => undefined }),
  compute,
  state,
  sentence,
  view,
});
