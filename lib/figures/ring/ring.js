import { defineFigure, memo } from "../contract/figure.js";
import { letPointerDraw, strokeSetting } from "../diffusion/brush.js";
import { paintPicture } from "../diffusion/drawing.js";
import { counted, SAME } from "../diffusion/text.js";
import { unpackPictures, walkFrom } from "../diffusion/walk.js";
import { decodeBytes } from "../methods/base64.js";
import { nearestTo } from "../methods/diffusion.js";
import { prefersReducedMotion } from "../parts/drag.js";
import { role } from "../parts/numbers.js";
import { pixelSetting } from "../parts/photograph.js";
import { describe, drawing, html, lay, resize, set } from "../parts/plot.js";
import { loadLazy, onFirstInteraction } from "../parts/workers.js";

// Left: noise to draw into. Right: the image that results, step by step.

const GAP = 20,
  TITLE = 24,
  LARGEST = 280,
  AT_ONCE = 3, // steps per frame, unless they take longer than
  BUDGET = 8, // milliseconds
  SAVED = 16; // scale of the saved image

function prepare(constants) {
  const [height, width] = constants.shape,
    { first } = constants;
  const guess = Float64Array.from(new Int8Array(decodeBytes(first.pixels).buffer), (level) => level / 127);
  return { ...constants, shape: { height, width }, first: { ...first, guess }, walkOf: memo(newWalk) };
}

/** Begin a trajectory; with reduced motion, compute it to the end. */
function newWalk(known, seed, strokes, levels) {
  const walk = walkFrom(known, null, seed, strokes, levels);
  walk.go(prefersReducedMotion() ? levels.length - 1 : 0);
  return walk;
}

/** The trajectory of a setting as far as it is computed. */
function compute(data, { start, brush, pixel }, { known }) {
  const { first, levels } = data,
    last = levels.length - 1;
  const noise = { step: 0, noiseStd: levels[0], pixel };
  if (start === first.start && !brush.length) return { ...noise, shown: last, isThere: true, ...first };
  if (!known) return { ...noise, shown: last, isThere: false, ...first, guess: undefined };
  const walk = data.walkOf(known, start, brush, levels),
    { steps } = walk,
    { guess } = steps.at(-1),
    isThere = steps.length > last;
  return { ...noise, walk, shown: steps.length - 1, isThere, guess, ...(isThere && nearestTo(guess, known.pictures)) };
}

const state = (_, { setting, shown, isThere, nearest, distance }) => ({
  start: setting.start,
  pixel: setting.pixel,
  strokes: setting.brush,
  step: shown,
  ...(isThere && { nearest, distance_to_nearest: Number(distance.toPrecision(10)) }),
});

function sentence({ n_pictures }, { answers, isThere, nearest, distance, setting }) {
  if (answers.problem) return answers.problem;
  if (!isThere) return "The noise becomes an image.";
  const source = setting.brush.length ? "Your drawing" : "This noise";
  const number = role("weight", `training digit no. ${nearest} of ${counted(n_pictures)}`);
  return distance < SAME
    ? `${source} becomes ${number}.`
    : `${source} becomes a mixture of digits; the nearest is ${number}.`;
}

function elements(stage, { height, width }) {
  const picture = (name) => html("canvas", { class: name, width, height, "aria-hidden": "true" }, stage);
  const pictures = { noisy: picture("noisy"), guess: picture("guess") };
  const { canvas, add } = drawing(stage);
  const titles = [add("text", "title noisy", { text: "draw here" }), add("text", "title guess", { text: "result" })];
  const grip = html("div", { class: "brush-grip", title: "Draw here" }, stage);
  const handle = html("div", { class: "pixel-handle", role: "slider", tabindex: 0, "aria-label": "Brush" }, stage);
  return { pictures, canvas, titles, drawing: grip, handle };
}

/** Save the result, enlarged. */
function save(canvas) {
  const large = html("canvas", { width: SAVED * canvas.width, height: SAVED * canvas.height });
  const context = large.getContext("2d");
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, 0, 0, large.width, large.height);
  html("a", { href: large.toDataURL(), download: "from-noise.png" }).click();
}

/** @param {import("../contract/figure.js").Figure<any, any, any, any>} figure */
function view(figure) {
  const { data, root, stage, change, setting } = figure,
    { levels, shape } = data,
    size = shape.height * shape.width;
  root.classList.add("photograph-figure");
  const parts = elements(stage, shape);
  const lines = letPointerDraw(figure, parts);
  const tools = html("div", { class: "tools", role: "group", "aria-label": "Draw, erase, save" }, stage);
  const press = {
    "Draw a ring": lines.ring,
    "New noise": () => change({ start: (setting().start + 1) % 1000, brush: [] }),
    Clear: lines.wipe,
    "Save this image": () => save(parts.pictures.guess),
  };
  const buttons = Object.entries(press).map(([text, act]) => {
    const button = html("button", { type: "button", text }, tools);
    button.addEventListener("click", act);
    return button;
  });
  let opened, frame;

  const open = () => (opened ??= fetchPictures());
  async function fetchPictures() {
    try {
      const packed = await loadLazy(figure.model, "pictures_lazy");
      const known = await unpackPictures(packed, data.n_pictures, shape);
      if (!figure.signal.aborted) figure.answer({ known });
    } catch {
      figure.answer({ problem: "The training digits could not be loaded." });
    }
  }

  /** Compute a few steps of the trajectory per frame. */
  function goOn(walk) {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const stop = Math.min(walk.steps.length + AT_ONCE, levels.length),
        end = performance.now() + BUDGET;
      while (walk.steps.length < stop) {
        walk.go(walk.steps.length);
        if (performance.now() > end) break;
      }
      figure.redraw();
    });
  }

  function draw(now, { width }) {
    const side = Math.min((width - GAP) / 2, LARGEST),
      scale = side / Math.max(shape.height, shape.width);
    const place = (k) => ({ x: k * (side + GAP), y: TITLE, width: scale * shape.width, height: scale * shape.height });
    resize(parts.canvas, width, TITLE + side + 8);
    [parts.pictures.noisy, parts.pictures.guess].forEach((canvas, k) => lay(canvas, place(k)));
    parts.titles.forEach((title, k) => set(title, { x: place(k).x, y: TITLE - 8 }));
    lay(parts.drawing, place(0));
    const { start, brush, pixel } = now.setting;
    const noisy = walkFrom({ pictures: [{ length: size }], shape }, null, start, brush, levels).next();
    paintPicture(parts.pictures.noisy, shape, noisy, Math.hypot(1, 2 * levels[0]));
    if (now.guess) paintPicture(parts.pictures.guess, shape, now.guess);
    lay(parts.handle, { x: pixel[1] * scale, y: TITLE + pixel[0] * scale, width: scale, height: scale });
    const words = `row ${pixel[0]}, column ${pixel[1]}; press Space to draw`;
    describe(parts.handle, pixel[0] * shape.width + pixel[1], [0, size - 1], words);
    buttons[2].disabled = !brush.length;
    figure.setPending(!now.isThere && !now.answers.problem);
    if (now.isThere) return;
    if (now.walk) goOn(now.walk);
    else open();
  }

  const stopWaiting = onFirstInteraction(root, open);
  figure.signal.addEventListener("abort", () => {
    stopWaiting();
    cancelAnimationFrame(frame);
  });
  return draw;
}

export default defineFigure("ring", {
  hint: "Draw with mouse or touch, or with arrow keys and Space.",
  data: prepare,
  settings: ({ shape }) => ({
    pixel: pixelSetting(/** @type {any} */ (shape)),
    brush: strokeSetting(shape.height * shape.width),
  }),
  answers: () => ({ known: undefined, problem: "" }), // from the file with the digits
  compute,
  state,
  sentence,
  view,
});
