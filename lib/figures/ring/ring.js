import { defineFigure, memo } from "../contract/figure.js";
import { letPointerDraw, strokeSetting } from "../diffusion/brush.js";
import { paintPicture } from "../diffusion/drawing.js";
import { counted, SAME } from "../diffusion/text.js";
import { loadPictures, walkFrom } from "../diffusion/walk.js";
import { decodeBytes } from "../methods/base64.js";
import { nearestTo } from "../methods/diffusion.js";
import { prefersReducedMotion } from "../parts/drag.js";
import { format, role } from "../parts/numbers.js";
import { pixelSetting } from "../parts/photograph.js";
import { describe, drawing, html, lay, resize, set, setText } from "../parts/plot.js";
import { onFirstInteraction } from "../parts/workers.js";
import { createStrip, stateSide } from "./strip.js";

// Left: noise to draw into. Right: the image that results, step by step. Below: a strip of states on the way, any
// of which the reader can show in place of the result.

const GAP = 20,
  TITLE = 24,
  LARGEST = 280,
  AT_ONCE = 3, // steps per frame, unless they take longer than
  BUDGET = 8, // milliseconds
  SAVED = 16; // scale of the saved image

/** @param {Given} constants */
function prepare(constants) {
  const [height, width] = constants.shape,
    { first, strip } = constants,
    size = height * width;
  const levels = Float64Array.from(new Int8Array(decodeBytes(first.pixels).buffer), (level) => level / 127);
  const states = strip.map((_, k) => levels.subarray(k * size, (k + 1) * size));
  const start = { ...first, states, guess: states.at(-1) };
  const noise = { pictures: [new Float64Array(size)], shape: { height, width }, all: [] };
  const noisyOf = memo((/** @type {number} */ seed, /** @type {number[]} */ strokes) =>
    walkFrom(noise, null, seed, strokes, constants.levels).next(),
  );
  return { ...constants, shape: { height, width }, first: start, walkOf: memo(newWalk), noisyOf };
}

/**
 * Begin a trajectory; with reduced motion, compute it to the end.
 * @param {import("../diffusion/walk.js").Known} known @param {number} seed @param {number[]} strokes @param
 *   {number[]} levels
 */
function newWalk(known, seed, strokes, levels) {
  const walk = walkFrom(known, null, seed, strokes, levels);
  walk.go(prefersReducedMotion() ? levels.length - 1 : 0);
  return walk;
}

/**
 * The part of a setting's trajectory that has been computed.
 * @param {Data} data
 * @param {Setting} setting
 * @param {Answers} answers
 * @returns {Numbers}
 */
function compute(data, { start, brush, pixel }, { known }) {
  const { first, levels, strip } = data,
    last = levels.length - 1;
  const noise = { step: 0, noiseStd: levels[0], pixel };
  if (start === first.start && !brush.length) return { ...noise, shown: last, isThere: true, ...first };
  if (!known) return { ...noise, shown: last, isThere: false, states: [], guess: undefined };
  const walk = data.walkOf(known, start, brush, levels),
    { steps } = walk,
    { guess } = steps[steps.length - 1],
    isThere = steps.length > last;
  const now = { ...noise, walk, shown: steps.length - 1, states: strip.map((step) => steps[step]?.guess), guess };
  return isThere ? { ...now, isThere, ...nearestTo(guess, known.pictures) } : { ...now, isThere: false };
}

/**
 * The state that is shown large: the one that the reader chose for this noise and these strokes, or the last.
 * @param {Data} data @param {Figure["now"]} now
 */
function chosenState({ strip }, { setting, selection: { state, start, strokes } }) {
  return start === setting.start && strokes === setting.brush.length ? state : strip.length - 1;
}

/** The step that is shown large. @param {Data} data @param {Figure["now"]} now */
const shownStep = (data, now) => (now.isThere ? data.strip[chosenState(data, now)] : now.shown);

/** @type {(data: Data, now: Figure["now"]) => object} */
const state = (data, now) => publishedState(now, shownStep(data, now));

/** @param {Figure["now"]} now @param {number} step */
const publishedState = ({ setting, isThere, nearest, distance }, step) => ({
  start: setting.start,
  pixel: setting.pixel,
  strokes: setting.brush,
  step,
  ...(isThere && { nearest, distance_to_nearest: Number(distance.toPrecision(10)) }),
});

/** @param {Data} data @param {Figure["now"]} now */
function sentence(data, now) {
  const { answers, isThere, nearest, distance, setting } = now,
    step = shownStep(data, now);
  if (answers.problem) return answers.problem;
  if (!isThere) return "The noise becomes an image.";
  if (step < data.levels.length - 1) return stepInWords(data, step);
  const source = setting.brush.length ? "Your drawing" : "This noise",
    training = digitInWords(data, nearest);
  return distance < SAME
    ? `${source} becomes ${training}.`
    : `${source} becomes a mixture of digits; the nearest is ${training}.`;
}

/** @param {Data} data @param {number} step */
const stepInWords = ({ levels, n_pictures }, step) =>
  `Step ${step + 1} of ${levels.length}: the weighted average of the ${counted(n_pictures)} digits, ` +
  `at noise of standard deviation ${format(levels[step], levels[step] < 1 ? 2 : 1)}.`;

/** @param {Data} data @param {number} nearest */
function digitInWords({ n_pictures, has_digits }, nearest) {
  const number = role("weight", `training digit no. ${nearest} of ${counted(n_pictures)}`),
    digit = nearest % 10; // the training digits are in the repeating order 0, 1, …, 9
  return has_digits ? `${digit === 8 ? "an" : "a"} ${role("estimate", String(digit))}: ${number}` : number;
}

/** @param {HTMLElement} stage @param {Data["shape"]} shape */
function elements(stage, { height, width }) {
  const picture = (/** @type {string} */ name) =>
    html("canvas", { class: name, width, height, "aria-hidden": "true" }, stage);
  const pictures = { noisy: picture("noisy"), guess: picture("guess") };
  const { canvas, add } = drawing(stage);
  const titles = [
    add("text", "title noisy", { text: "draw here" }),
    add("text", "title guess"),
    add("text", "title steps", { text: "from noise to result" }),
  ];
  const grip = html("div", { class: "brush-grip", title: "Draw here" }, stage);
  const handle = html("div", { class: "pixel-handle", role: "slider", tabindex: 0, "aria-label": "Brush" }, stage);
  return { pictures, canvas, titles, drawing: grip, handle };
}

/**
 * Lay out both images above the strip of states, for a width in pixels.
 * @param {ReturnType<typeof elements>} parts
 * @param {Data} data
 * @param {number} width
 */
function arrange(parts, { shape, strip: { length } }, width) {
  const side = Math.min((width - GAP) / 2, LARGEST),
    scale = side / Math.max(shape.height, shape.width);
  const place = (/** @type {number} */ k) => ({
    x: k * (side + GAP),
    y: TITLE,
    width: scale * shape.width,
    height: scale * shape.height,
  });
  const below = TITLE + side + TITLE + 4,
    whole = 2 * side + GAP;
  const strip = { x: 0, y: below, width: whole, height: stateSide(whole, length) };
  resize(parts.canvas, width, below + strip.height + 6);
  [parts.pictures.noisy, parts.pictures.guess].forEach((canvas, k) => lay(canvas, place(k)));
  [place(0), place(1), strip].forEach(({ x, y }, k) => set(parts.titles[k], { x, y: y - 8 }));
  lay(parts.drawing, place(0));
  return { scale, strip };
}

/** Save the result, enlarged. @param {HTMLCanvasElement} canvas */
function save(canvas) {
  const large = html("canvas", { width: SAVED * canvas.width, height: SAVED * canvas.height });
  const context = large.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, 0, 0, large.width, large.height);
  html("a", { href: large.toDataURL(), download: "from-noise.png" }).click();
}

/**
 * Create the buttons. Returns the one that clears the drawing.
 * @param {Figure} figure
 * @param {ReturnType<typeof letPointerDraw>} lines
 * @param {HTMLCanvasElement} result
 */
function createTools({ stage, change, setting }, lines, result) {
  const tools = html("div", { class: "tools", role: "group", "aria-label": "Draw, erase, save" }, stage);
  const press = {
    "Draw a ring": lines.tallRing,
    "New noise": () => change({ start: (setting().start + 1) % 1000, brush: [] }),
    Clear: lines.wipe,
    "Save this image": () => save(result),
  };
  const buttons = Object.entries(press).map(([text, act]) => {
    const button = html("button", { type: "button", text }, tools);
    button.addEventListener("click", act);
    return button;
  });
  return buttons[2];
}

/** Compute the trajectory that is shown, a few steps per frame. @param {Figure} figure */
function createStepper({ data: { levels }, redraw }) {
  /** @type {Walk | undefined} */
  let begun;
  let frame = 0;

  /** Continue a trajectory, from the second frame on: every stroke begins a new one. @param {Walk} walk */
  function goOn(walk) {
    cancelAnimationFrame(frame);
    const isNew = walk !== begun;
    begun = walk;
    frame = requestAnimationFrame(() => {
      if (isNew) return goOn(walk);
      const stop = Math.min(walk.steps.length + AT_ONCE, levels.length),
        end = performance.now() + BUDGET;
      while (walk.steps.length < stop) {
        walk.go(walk.steps.length);
        if (performance.now() > end) break;
      }
      redraw();
    });
  }

  return { goOn, end: () => cancelAnimationFrame(frame) };
}

/**
 * @typedef {{ start: number, brush: number[], pixel: import("../parts/photograph.js").Pixel }} Setting
 * @typedef {import("../contract/figure.js").Constants & { shape: [number, number], levels: number[], strip:
 *   number[], n_pictures: number, has_digits: boolean, first: { pixels: string, start: number, nearest: number,
 *   distance: number } }} Given
 * @typedef {ReturnType<typeof prepare>} Data
 * @typedef {{ known: import("../diffusion/walk.js").Known | undefined, problem: string }} Answers
 * @typedef {import("../diffusion/walk.js").Walk} Walk
 * @typedef {{ step: number, noiseStd: number, pixel: import("../parts/photograph.js").Pixel, shown: number, walk?:
 *   Walk,
 *   states: Float64Array[], guess: Float64Array | undefined }
 *   & ({ isThere: true, nearest: number, distance: number } | { isThere: false, nearest?: undefined, distance?:
 *   undefined })} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
function view(figure) {
  const { data, root, stage, setting } = figure,
    { levels, shape } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, shape);
  const lines = letPointerDraw(figure, parts);
  const showStrip = createStrip(figure, shape, data.strip.length, (state) => {
    const { start, brush } = setting();
    figure.select({ state, start, strokes: brush.length });
  });
  const clear = createTools(figure, lines, parts.pictures.guess);
  /** @type {Promise<void> | undefined} */
  let opened;

  const fail = () => figure.answer({ problem: "The training digits could not be loaded." });
  const open = () => (opened ??= loadPictures(figure, fail));
  const stepper = createStepper(figure);

  /** @type {Draw} */
  function draw(now, { width }) {
    const at = arrange(parts, data, width);
    const k = chosenState(data, now),
      step = shownStep(data, now),
      stepText = `step ${step + 1} of ${levels.length}`;
    setText(parts.titles[1], step < levels.length - 1 && now.isThere ? stepText : "result");
    showStrip(now.states, k, at.strip, stepText);
    const { start, brush, pixel } = now.setting;
    paintPicture(parts.pictures.noisy, shape, data.noisyOf(start, brush), Math.hypot(1, 2 * levels[0]));
    const large = (now.isThere && now.states[k]) || now.guess;
    if (large) paintPicture(parts.pictures.guess, shape, large);
    lay(parts.handle, { x: pixel[1] * at.scale, y: TITLE + pixel[0] * at.scale, width: at.scale, height: at.scale });
    const words = `row ${pixel[0]}, column ${pixel[1]}; press Space to draw`;
    describe(parts.handle, pixel[0] * shape.width + pixel[1], [0, shape.height * shape.width - 1], words);
    clear.disabled = !brush.length;
    figure.setPending(!now.isThere && !now.answers.problem);
    if (now.isThere) return;
    if (now.walk) stepper.goOn(now.walk);
    else open();
  }

  const stopWaiting = onFirstInteraction(root, open);
  figure.signal.addEventListener("abort", () => {
    stopWaiting();
    stepper.end();
  });
  return draw;
}

export default defineFigure("ring", {
  hint: "Draw with mouse or touch, or with arrow keys and Space. Drag along the small images.",
  selection: { state: -1, start: -1, strokes: -1 }, // one of the strip, for this noise and number of strokes
  data: prepare,
  settings: ({ shape }) => ({
    pixel: pixelSetting(shape),
    brush: strokeSetting(shape.height * shape.width),
  }),
  answers: () => ({ known: undefined, problem: "" }), // from the file with the digits
  compute,
  state,
  sentence,
  view,
});
