import { defineFigure } from "../contract/figure.js";
import { onSite } from "../contract/url_state.js";
import { boxMullerNoise } from "../methods/noise.js";
import { lines, windowKeys } from "../methods/filters.js";
import { average, keysForShare } from "../methods/weights.js";
import { createMethods } from "../methods/years.js";
import { prefersReducedMotion } from "../parts/drag.js";
import { dividedElements, dragLine, drawLine, drawWindow, photographAt } from "../parts/divided_photograph.js";
import { clamp, role } from "../parts/numbers.js";
import {
  color,
  describeQuery,
  dragQuery,
  inside,
  paint,
  pixelSetting,
  unpack,
  unpackPhotograph,
  withNoise,
} from "../parts/photograph.js";
import { playButton } from "../parts/play.js";
import { html, lay, resize, set } from "../parts/plot.js";

// A photograph, noisy left of a line, and right of it as the method of a year cleans it. The weights of the pixel in the ring
// lie over the photograph and, enlarged, in a loupe. From one year to another copies and weights cross-fade.

// ---- The photograph and its weights -----------------------------------------------------------------------

/** Weights of the newest query, by year: each is computed once. */
function cached(weightsOf) {
  let at,
    found = {};
  return (year, query) => {
    if (String(query) !== at) [at, found] = [String(query), {}];
    found[year] ??= weightsOf(year, query);
    return found[year];
  };
}

function prepare(constants) {
  const { photograph, noise_std, noise_seed, moment, radius, frequencies, methods } = constants;
  const clean = unpackPhotograph(photograph),
    size = clean.height * clean.width;
  const noise = boxMullerNoise(noise_seed, 3 * size);
  const planes = [0, 1, 2].map((c) => noise.subarray(c * size, (c + 1) * size));
  const noisy = withNoise(clean, { ...clean, planes }, noise_std);
  const given = {
    ...constants,
    maps: unpack(constants.maps).planes,
    frequencies: boxMullerNoise(frequencies.seed, frequencies.count * moment.length),
  };
  return {
    ...constants,
    noisy,
    grid: { ...lines(noisy, radius), radius },
    methodOf: (year) => methods.find((method) => method.year === Number(year)),
    weightsAt: cached(createMethods(noisy, given)),
  };
}

function compute({ noisy, grid, methodOf, weightsAt }, setting) {
  const query = inside(noisy, setting.query),
    method = methodOf(setting.year);
  const weights = weightsAt(method.year, query);
  const keys = windowKeys(grid, query);
  const estimate = grid.lines.map((line) =>
    average(
      weights,
      keys.map((key) => line[key]),
    ),
  );
  return { query, method, weights, estimate, count: keysForShare(weights, 0.9) };
}

const state = (_, { query, method, setting, estimate, count }) => ({
  query,
  year: method.year,
  line: setting.line,
  estimate,
  keys_for_90_percent: count,
});

const swatch = (values) => `<i class="swatch" style="background: ${color(values)}"></i>`;

function sentence({ noisy }, { query: [row, column], method, weights, estimate, count }) {
  const observed = noisy.planes.map((plane) => plane[row * noisy.width + column]);
  const chapter = `<a href="${method.chapter}${onSite() ? ".html" : ".ipynb"}">Chapter ${Number(method.chapter.match(/\d+/)[0])}</a>`;
  return (
    `<b>${method.name}.</b> ${method.alike} ` +
    `${role("query", `The pixel in the <span class="with-swatch">ring ${swatch(observed)}</span>`)} takes 90\u00a0% of its average ` +
    `${role("estimate", swatch(estimate))} from ${role("weight", `${count} of ${weights.length} pixels`)}. ${chapter}`
  );
}

// ---- From year to year ------------------------------------------------------------------------------------

const MORPH = 450; // milliseconds

/**
 * The share of each year in what is seen. `towards(year)` begins to move all of it there. For each frame it calls `passes`,
 * and `arrives` for the last.
 * @param {number} count of years
 * @param {{ passes(): void, arrives(): void }} figure
 */
function createMorph(count, { passes, arrives }) {
  let shares, target, frame;
  const only = (year) => Array.from({ length: count }, (_, k) => Number(k === year));
  function towards(year) {
    if (year === target) return;
    const from = shares,
      begun = performance.now(),
      end = only(year);
    target = year;
    cancelAnimationFrame(frame);
    if (!from || prefersReducedMotion()) {
      shares = end;
      return;
    }
    const step = (now) => {
      const passed = clamp((now - begun) / MORPH, 0, 1);
      const eased = passed * passed * (3 - 2 * passed);
      shares = passed < 1 ? from.map((share, k) => share + eased * (end[k] - share)) : end;
      if (passed === 1) return arrives();
      passes();
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  }
  return {
    towards,
    shares: () => shares,
    isMoving: () => !shares[target] || shares[target] < 1,
    end: () => cancelAnimationFrame(frame),
  };
}

/** The weights of several years, mixed by their shares. */
function mixed({ methods, weightsAt }, shares, query) {
  const seen = methods.filter((_, k) => shares[k] > 0).map(({ year }) => weightsAt(year, query));
  const parts = shares.filter((share) => share > 0);
  return seen[0].map((_, j) => parts.reduce((sum, share, k) => sum + share * seen[k][j], 0));
}

// ---- The picture ------------------------------------------------------------------------------------------

/** The noisy photograph, and right of the line its copies, each with its share. */
function compose(canvas, noisy, copies, shares, line) {
  const context = canvas.getContext("2d"),
    { width, height } = canvas;
  context.globalAlpha = 1;
  context.drawImage(noisy, 0, 0);
  if (line === width) return;
  let seen = 0;
  copies.forEach((copy, k) => {
    if (!shares[k] || !copy.complete) return;
    seen += shares[k];
    context.globalAlpha = shares[k] / seen;
    context.drawImage(copy, line, 0, width - line, height, line, 0, width - line, height);
  });
}

/** The years below the photograph, to press. */
function yearButtons({ stage, change }, methods) {
  const group = html("div", { class: "years", role: "group", "aria-label": "Years" });
  stage.after(group);
  const buttons = methods.map(({ year, name }, k) => {
    const style = `left: ${(100 * k) / (methods.length - 1)}%`;
    const button = html("button", { type: "button", text: String(year), style }, group);
    html("small", { text: name.replace("-", "\u2011") }, button); // no line ends within a word
    button.addEventListener("click", () => change({ year: String(year) }));
    return button;
  });
  return (now) => buttons.forEach((button, k) => set(button, { "aria-pressed": String(methods[k].year === now) }));
}

/** @param {import("../contract/figure.js").Figure<any, any, any, any>} figure */
function view(figure) {
  const { data, root, stage } = figure,
    { noisy, methods, copies } = data;
  root.classList.add("photograph-figure", "divided-figure");
  const parts = dividedElements(stage, noisy);
  const pressYear = yearButtons(figure, methods);
  const still = html("canvas", { width: noisy.width, height: noisy.height });
  paint(still, noisy);
  const pictures = copies.map((src) => Object.assign(new Image(), { src }));
  const morph = createMorph(methods.length, { passes: () => drawMorph(), arrives: figure.redraw });
  let now, at;

  /** What moves while the year changes. */
  function drawMorph() {
    const shares = morph.shares(),
      isMoving = morph.isMoving();
    compose(parts.photo, still, pictures, shares, now.setting.line);
    const weights = isMoving ? mixed(data, shares, now.query) : now.weights;
    drawWindow(parts, at, { ...now, radius: data.radius, weights, count: keysForShare(weights, 0.9) });
    figure.setPending(isMoving || !pictures.every((each) => each.complete));
  }

  for (const each of pictures) {
    const isLoaded = () => now && !figure.signal.aborted && figure.redraw();
    each.decode().then(isLoaded, isLoaded);
  }
  figure.signal.addEventListener("abort", morph.end);

  dragQuery(figure, {
    handle: parts.queryHandle,
    pictures: [parts.grip],
    image: () => noisy,
    move: (place) => figure.change({ query: inside(noisy, place) }),
  });
  dragLine(figure, parts, noisy.width);
  const frames = () => methods.map(({ year }) => ({ year: String(year) }));
  playButton(figure, { title: "From 1964 to 2020", frames, hasSlider: true });

  return function draw(drawn, { width }) {
    now = drawn;
    at = photographAt(width, noisy);
    resize(parts.canvas, at.width, at.height);
    for (const each of [parts.photo, parts.grip]) lay(each, { x: 0, y: 0, width: at.width, height: at.height });
    drawLine(parts, at, now.setting.line, noisy.width);
    describeQuery(parts.queryHandle, noisy, now.query, `average of ${now.count} pixels`);
    pressYear(now.method.year);
    morph.towards(methods.indexOf(now.method));
    drawMorph();
  };
}

export default defineFigure("years", {
  hint: "Drag the ring, or the line. Keyboard: Tab, arrow keys.",
  data: prepare,
  settings: ({ noisy }) => ({ query: pixelSetting(noisy) }),
  compute,
  state,
  sentence,
  view,
});
