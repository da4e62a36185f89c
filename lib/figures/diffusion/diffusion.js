import { defineFigure, memo } from "../contract/figure.js";
import { movingAlong } from "../contract/reveal.js";
import { listSetting } from "../contract/settings.js";
import { onGrid } from "../parts/numbers.js";
import { pixelSetting } from "../parts/photograph.js";
import { playButton } from "../parts/play.js";
import { describe, html, lay, set, setText } from "../parts/plot.js";
import { createQueue, onFirstInteraction } from "../parts/workers.js";
import { letPointerDraw, strokeSetting } from "./brush.js";
import { arrange, drawList, drawPictures, elements } from "./drawing.js";
import { COORDINATE, drawPlane, letPointerMovePoints } from "./plane.js";
import { counted, sentence, state } from "./text.js";
import { compute, loadPictures, withWalks } from "./walk.js";

// From left to right: the noisy image, into which the reader can draw, the best guess (the posterior mean), the nearest
// training image, and the training images with the largest weights. Points in a plane are images of two pixels: the
// same numbers, drawn as a scatter plot.

/** In the plane there is nothing to guess. */
const PLANE = { question: "With points in a plane, where does each walk end?", isOpen: false };

const WALK = 4000; // milliseconds from noise to an image after a guess

/** @param {import("./walk.js").Data} data */
const settings = ({ levels, shape, defaults }) => ({
  pixel: pixelSetting(shape),
  brush: strokeSetting(levels.length * shape.height * shape.width),
  points: listSetting(/** @type {number[][]} */ (defaults.points), (numbers) =>
    numbers.length === 2 && numbers.every(Number.isFinite)
      ? numbers.map((value) => onGrid(value, COORDINATE))
      : undefined,
  ),
});

/**
 * Create a group of buttons from entries [text, click handler].
 * @param {HTMLElement} parent @param {string} className @param {string} label @param {[string, () => void][]} entries
 */
function buttonsIn(parent, className, label, entries) {
  const group = html("div", { class: className, role: "group", "aria-label": label }, parent);
  return entries.map(([text, press]) => {
    const button = html("button", { type: "button", text }, group);
    button.addEventListener("click", press);
    return button;
  });
}

/**
 * Compare the patches of a trajectory in a worker, one step at a time; `go` requests the next missing step.
 * @param {Figure} figure
 * @param {(what: string) => void} fail
 */
function patchesInWorker({ data: { levels, worker_code }, answer }, fail) {
  const queue = createQueue(worker_code, { listen, fail: () => fail("compared") });
  /** @type {import("./walk.js").Known | undefined} */
  let opened;
  /** @param {Walk} walk */
  function go(walk) {
    const { known, radius, steps } = walk;
    if (radius === null || steps.length === levels.length) return;
    if (queue.isBusy()) return; // the answer redraws, which calls `go` again
    const noisy = walk.next(),
      { pictures, shape } = known;
    const open = opened === known ? undefined : { pictures, shape };
    opened = known;
    queue.ask({ open, noisy, noiseStd: levels[steps.length], radius }, { walk, noisy });
  }
  /** @param {Float64Array} guess @param {{ walk: Walk, noisy: Float64Array }} asked */
  function listen(guess, { walk, noisy }) {
    answer({ compared: { ...walk, steps: [...walk.steps, { noisy, guess }] } });
  }
  return { go, end: queue.end };
}

/**
 * The animation after a guess: the whole walk, from this noise on.
 * @param {string} noise @param {string[]} names @param {() => Promise<void>} open
 * @returns {import("../contract/reveal.js").Reveal}
 */
function walkingFrom(noise, names, open) {
  const along = movingAlong("noise", names, WALK);
  return { ...along, open, at: (passed, before, then) => along.at(passed, { ...before, noise }, then) };
}

/**
 * @typedef {import("./walk.js").Figure} Figure
 * @typedef {import("./walk.js").Walk} Walk
 * @typedef {import("./drawing.js").Layout} Layout
 */

/** The noise before a step. @param {Figure["data"]} data @param {number} step */
const noiseAt = ({ levels, ranges }, step) => ranges.noise[levels.length - 1 - step];

/** Create Play and the groups of buttons. @param {Figure} figure @param {ReturnType<typeof letPointerDraw>} lines */
function createTools(figure, lines) {
  const { data, stage, change, setting } = figure,
    { levels, ranges } = data;
  const tools = html("div", { class: "tools" }, stage);
  const story = {
    title: "Play the steps from noise to an image",
    frames: () => levels.map((_, step) => ({ noise: noiseAt(data, step) })),
    first: () => figure.now.step % (levels.length - 1), // from the last step, start again
  };
  playButton(figure, story, tools);
  buttonsIn(tools, "start", "Noise", [
    ["New noise", () => change({ start: (setting().start + 1) % 1000, brush: [], noise: noiseAt(data, 0) })],
  ]);
  const drawings = buttonsIn(tools, "strokes", "Draw into the noise", [
    ["Draw a ring", lines.ring],
    ["Draw a bar", lines.bar],
    ["Clear", lines.wipe],
  ]);
  const views = buttonsIn(
    tools,
    "views",
    "View",
    ranges.view.map((name) => [name, () => change({ view: name })]),
  );
  return { clear: drawings[2], views };
}

/** @param {Figure} figure */
function view(figure) {
  const { data, root, stage } = figure,
    { shape, ranges } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, data);
  const lines = letPointerDraw(figure, parts);
  /** @type {Layout} */
  let at;
  letPointerMovePoints(figure, parts, () => at.plane.height);
  const patches = patchesInWorker(figure, fail);
  const arranged = memo((/** @type {boolean} */ isPlane, /** @type {number} */ width) =>
    arrange(parts, data, isPlane, width),
  );
  const tools = createTools(figure, lines);

  /** @param {string} what */
  function fail(what) {
    figure.answer({ problem: `The training images could not be ${what}.` });
  }

  /** @type {Promise<void> | undefined} */
  let opened;
  const open = () => (opened ??= loadPictures(figure, () => fail("loaded")));
  figure.reveal = walkingFrom(noiseAt(data, 0), ranges.noise, open);

  /** @type {import("../contract/figure.js").Draw<Figure["now"]>} */
  function draw(now, { width }) {
    const { isPlane, found, radius, pixel } = now;
    at = arranged(isPlane, width);
    root.classList.toggle("is-plane", isPlane);
    root.classList.toggle("has-patches", radius !== null);
    figure.setPending(!now.answers.problem && !found?.isThere);
    tools.views.forEach((button, k) => set(button, { "aria-pressed": String(now.setting.view === ranges.view[k]) }));
    tools.clear.disabled = !now.setting.brush.length;
    setText(parts.notes.noisy, `σ = ${now.setting.noise}`);
    if (!found) {
      open();
      return;
    }
    setText(parts.notes.list, `${counted(found.count)} ${found.count === 1 ? "carries" : "carry"} 90\u00a0%`);
    if (isPlane) drawPlane(parts, at.plane, now, found, data.others(found.known, now.setting.start));
    else {
      drawPictures(parts, at, now, found, data);
      drawList(parts, at, now, found, data);
    }
    const { x, y, scale } = at.noisy;
    lay(parts.handle, { x: x + pixel[1] * scale, y: y + pixel[0] * scale, width: scale, height: scale });
    const words = `row ${pixel[0]}, column ${pixel[1]}; press Space to draw`;
    describe(parts.handle, pixel[0] * shape.width + pixel[1], [0, shape.height * shape.width - 1], words);
    patches.go(found.walk);
  }

  const stopWaiting = onFirstInteraction(root, open);
  figure.signal.addEventListener("abort", () => {
    stopWaiting();
    patches.end();
  });
  return draw;
}

export default defineFigure("diffusion", {
  hint: (_, now) =>
    now?.isPlane
      ? "Drag the points, also with arrow keys. The slider goes back to the noise."
      : "Draw into the noisy image, also with arrow keys and Space. The slider goes back to the noise.",
  data: withWalks,
  settings,
  // `known` is filled when the training images are loaded, and `compared` when the worker answers
  answers: () => ({ known: undefined, compared: undefined, problem: "" }),
  compute,
  state,
  sentence,
  asks: (_, { isPlane }, offered) => (isPlane ? PLANE : offered),
  keeps: (_, { start }) => ({ start }),
  view,
});
