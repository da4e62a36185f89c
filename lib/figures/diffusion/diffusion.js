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

const settings = ({ levels, shape, defaults }) => ({
  pixel: pixelSetting(/** @type {any} */ (shape)),
  brush: strokeSetting(levels.length * shape.height * shape.width),
  points: listSetting(defaults.points, (numbers) =>
    numbers.length === 2 && numbers.every(Number.isFinite)
      ? numbers.map((value) => onGrid(value, COORDINATE))
      : undefined,
  ),
});

/** Create a group of buttons from entries [text, click handler]. */
function buttonsIn(parent, className, label, entries) {
  const group = html("div", { class: className, role: "group", "aria-label": label }, parent);
  return entries.map(([text, press]) => {
    const button = html("button", { type: "button", text }, group);
    button.addEventListener("click", press);
    return button;
  });
}

/** Compare the patches of a trajectory in a worker, one step at a time; `go` requests the next missing step. */
function patchesInWorker(figure, { code, fail }) {
  const { levels } = figure.data;
  const queue = createQueue(code, { listen, fail: () => fail("compared") });
  let opened;
  function go({ walk, radius }) {
    const step = walk?.steps.length;
    if (!walk || radius === null || step === levels.length) return;
    if (queue.isBusy()) return; // the response triggers a redraw, which calls `go` again
    const noisy = walk.next(),
      { pictures, shape } = walk.known;
    const open = opened === walk.known ? undefined : { pictures, shape };
    opened = walk.known;
    queue.ask({ open, noisy, noiseStd: levels[step], radius }, { walk, step, noisy });
  }
  function listen(guess, { walk, step, noisy }) {
    if (walk.steps.length === step) walk.steps.push({ noisy, guess });
    figure.redraw();
  }
  return { go, end: queue.end };
}

/** The animation after a guess: the whole walk, from this noise on. @returns {import("../contract/reveal.js").Reveal} */
function walkingFrom(noise, names, open) {
  const along = movingAlong("noise", names, WALK);
  return { ...along, open, at: (passed, before, then) => along.at(passed, { ...before, noise }, then) };
}

/** @param {import("./walk.js").Figure} figure */
function view(figure) {
  const { data, root, stage, change, setting } = figure,
    { levels, shape, ranges } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, data);
  const lines = letPointerDraw(figure, parts);
  letPointerMovePoints(figure, parts);
  const patches = patchesInWorker(figure, { code: data.worker_code, fail });
  const arranged = memo((isPlane, width) => (parts.at = arrange(parts, data, isPlane, width)));
  const noiseAt = (step) => ranges.noise[levels.length - 1 - step];

  const tools = html("div", { class: "tools" }, stage);
  const story = {
    title: "Play the steps from noise to an image",
    frames: () => levels.map((_, step) => ({ noise: noiseAt(step) })),
    first: () => figure.now.step % (levels.length - 1), // from the last step, start again
  };
  playButton(figure, story, tools);
  buttonsIn(tools, "start", "Noise", [
    ["New noise", () => change({ start: (setting().start + 1) % 1000, brush: [], noise: noiseAt(0) })],
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

  function fail(what) {
    figure.answer({ problem: `The training images could not be ${what}.` });
  }

  let opened;
  const open = () => (opened ??= loadPictures(figure, () => fail("loaded")));
  figure.reveal = walkingFrom(noiseAt(0), ranges.noise, open);

  /** @type {import("../contract/figure.js").Draw<import("./walk.js").Figure["now"]>} */
  function draw(now, { width }) {
    const { isPlane, known, walk, radius, pixel, isThere } = now;
    const at = arranged(isPlane, width);
    root.classList.toggle("is-plane", isPlane);
    root.classList.toggle("has-patches", radius !== null);
    figure.setPending(!now.answers.problem && !(known && isThere));
    views.forEach((button, k) => set(button, { "aria-pressed": String(now.setting.view === ranges.view[k]) }));
    drawings[2].disabled = !now.setting.brush.length;
    setText(parts.notes.noisy, `σ = ${now.setting.noise}`);
    if (!known) {
      open();
      return;
    }
    setText(parts.notes.list, `${counted(now.count)} ${now.count === 1 ? "carries" : "carry"} 90\u00a0%`);
    if (isPlane) drawPlane(parts, at, now, data.others(known, now.setting.start));
    else {
      drawPictures(parts, at, now, data);
      drawList(parts, at, now, data);
    }
    const { x, y, scale } = at.noisy;
    lay(parts.handle, { x: x + pixel[1] * scale, y: y + pixel[0] * scale, width: scale, height: scale });
    const words = `row ${pixel[0]}, column ${pixel[1]}; press Space to draw`;
    describe(parts.handle, pixel[0] * shape.width + pixel[1], [0, shape.height * shape.width - 1], words);
    patches.go({ walk, radius });
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
  answers: () => ({ known: undefined, problem: "" }), // from the file with the training images
  compute,
  state,
  sentence,
  asks: (_, { isPlane }, offered) => (isPlane ? PLANE : offered),
  keeps: (_, { start }) => ({ start }),
  view,
});
