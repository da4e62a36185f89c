import { defineFigure } from "../contract/figure.js";
import { onSite } from "../contract/url_state.js";
import { decodeBytes } from "../methods/base64.js";
import { standardNoise } from "../methods/diffusion.js";
import { lines, windowKeys } from "../methods/filters.js";
import { average, keysForShare } from "../methods/weights.js";
import { arrowKeys, focus, prefersReducedMotion } from "../parts/drag.js";
import { clamp, role } from "../parts/numbers.js";
import {
  cells,
  color,
  describeQuery,
  dragQuery,
  inside,
  paint,
  pixelSetting,
  QUERY_HANDLE,
  unpack,
  weightMap,
  withNoise,
} from "../parts/photograph.js";
import { playButton } from "../parts/play.js";
import { describe, drawing, html, lay, repeat, resize, set, translate } from "../parts/plot.js";
import { N_SHADES } from "../parts/shades.js";
import { createMethods } from "./methods.js";

// A photograph, noisy left of a line, and right of it as the method of a year cleans it. The weights of the pixel in the ring
// lie over the photograph and, enlarged, in a loupe. From one year to another copies and weights cross-fade.

// ---- The photograph and its weights -----------------------------------------------------------------------

/** The photograph without noise: `_differences` of the Python module tells how it is packed. */
function unpackPhotograph({ shape: [height, width], unit, data }) {
  const [green, red, blue] = [0, 1, 2].map((c) => summed(decodeBytes(data), c * height * width, height, width));
  const plane = (find) => Float64Array.from(green, (_, i) => find(i) / unit);
  return {
    height,
    width,
    planes: [plane((i) => green[i] + red[i]), plane((i) => green[i]), plane((i) => green[i] + blue[i])],
  };
}

/** Differences along rows, modulo 256, added up: whole numbers from −128 to 127. */
function summed(bytes, first, height, width) {
  const plane = new Int8Array(height * width);
  for (let i = 0; i < plane.length; i += 1) plane[i] = (i % width ? plane[i - 1] : 0) + bytes[first + i];
  return plane;
}

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
  const noise = standardNoise(noise_seed, 3 * size);
  const planes = [0, 1, 2].map((c) => noise.subarray(c * size, (c + 1) * size));
  const noisy = withNoise(clean, { ...clean, planes }, noise_std);
  const given = {
    ...constants,
    maps: unpack(constants.maps).planes,
    frequencies: standardNoise(frequencies.seed, frequencies.count * moment.length),
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
    `<b>${method.year}, ${method.name}.</b> ${method.alike} ` +
    `${role("query", `The pixel in the ring ${swatch(observed)}`)} takes 90\u00a0% of its average ` +
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

/** Where things are, in pixels, for a figure of this width. */
function layout(width, { height: rows, width: columns }) {
  const scale = width / columns;
  return { scale, width, height: rows * scale, loupe: clamp(0.26 * width, 84, 150) };
}

/** The corner of the loupe: at the lower left, unless the query is there. */
function loupeAt({ width, height, loupe }, { x, y }) {
  const gap = 10,
    low = height - loupe - gap;
  const isNear = x < loupe + 4 * gap && y > low - 3 * gap;
  return { x: isNear ? width - loupe - gap : gap, y: low, width: loupe };
}

/** The elements of the picture, from back to front. */
function elements(stage, { height, width }) {
  const photo = html("canvas", { class: "photo colour", width, height, "aria-hidden": "true" }, stage);
  const { canvas, add } = drawing(stage);
  const parts = /** @type {any} */ ({ photo, canvas });
  parts.line = ["line-halo", "line"].map((name) => add("path", name));
  parts.sides = ["noisy", "cleaned"].map((text) => add("text", "side", { y: 22, text }));
  parts.painted = add("g", "shades painted");
  parts.rings = ["ring-halo", "ring"].map((name) => add("circle", name));
  parts.ties = ["tie-halo", "tie"].map((name) => add("path", name));
  parts.knob = add("g", "knob");
  add("circle", "", { r: 15 }, parts.knob);
  add("path", "", { d: "M-4 -5L-9 0L-4 5M4 -5L9 0L4 5" }, parts.knob);
  parts.drawWeights = weightMap(add("g", "loupe"));
  parts.grip = html("div", { class: "grip" }, stage);
  parts.queryHandle = html("div", QUERY_HANDLE, stage);
  const line = { class: "line-handle", role: "slider", tabindex: 0, "aria-label": "Line between noisy and cleaned" };
  parts.lineHandle = html("div", line, stage);
  return parts;
}

function drawLine(parts, { scale, width, height }, columns, line) {
  const x = line * scale;
  parts.line.forEach((each) => set(each, { d: `M${x} 0V${height}` }));
  set(parts.knob, { transform: translate(x, 0.5 * height) });
  lay(parts.lineHandle, { x: x - 16, y: 0, width: 32, height });
  describe(parts.lineHandle, line, [0, columns]);
  const [noisy, cleaned] = parts.sides;
  set(noisy, { x: x - 10, "text-anchor": "end", visibility: x > 60 ? "visible" : "hidden" });
  set(cleaned, { x: x + 10, visibility: width - x > 70 ? "visible" : "hidden" });
}

function drawWindow(parts, at, { query: [row, column], radius, weights, count }) {
  const { scale } = at,
    side = 2 * radius + 1;
  const paths = cells(weights.map(Math.sqrt), side);
  repeat(parts.painted, "path", N_SHADES, (path, k) => set(path, { d: paths[k], "fill-opacity": (k + 1) / N_SHADES }));
  set(parts.painted, {
    transform: `${translate((column - radius) * scale, (row - radius) * scale)} scale(${scale})`,
  });
  const [x, y] = [(column + 0.5) * scale, (row + 0.5) * scale],
    r = Math.max(1.45 * (radius + 0.5) * scale, 16);
  parts.rings.forEach((ring) => set(ring, { cx: x, cy: y, r }));
  const loupe = loupeAt(at, { x, y });
  parts.drawWeights(weights, count, loupe);
  parts.ties.forEach((tie) => set(tie, { d: between({ x, y, r }, loupe) }));
  const hold = Math.max(r, 22);
  lay(parts.queryHandle, { x: x - hold, y: y - hold, width: 2 * hold, height: 2 * hold });
}

/** A line from the ring to the upper edge of the loupe, where there is room for one. */
function between({ x, y, r }, { x: left, y: top, width }) {
  const end = clamp(x, left, left + width);
  const distance = Math.hypot(end - x, top - y);
  if (top < y || distance < r + 4) return "";
  return `M${x + ((end - x) * r) / distance} ${y + ((top - y) * r) / distance}L${end} ${top}`;
}

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

function dragLine(figure, { lineHandle, grip }, { width: columns }) {
  figure.drag(lineHandle, (event) => {
    const { left, width } = grip.getBoundingClientRect();
    const column = (e) => ((e.clientX - left) * columns) / width;
    const off = figure.setting().line - column(event);
    focus(lineHandle);
    return (e) => figure.change({ line: column(e) + off });
  });
  arrowKeys(lineHandle, (right, up) => figure.change({ line: figure.setting().line + (right || up) }));
}

/** @param {import("../contract/figure.js").Figure<any, any, any, any>} figure */
function view(figure) {
  const { data, root, stage } = figure,
    { noisy, methods, copies } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, noisy);
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
  dragLine(figure, parts, noisy);
  const frames = () => methods.map(({ year }) => ({ year: String(year) }));
  playButton(figure, { title: "From 1964 to 2020", frames, hasSlider: true });

  return function draw(drawn, { width }) {
    now = drawn;
    at = layout(width, noisy);
    resize(parts.canvas, at.width, at.height);
    for (const each of [parts.photo, parts.grip]) lay(each, { x: 0, y: 0, width: at.width, height: at.height });
    drawLine(parts, at, noisy.width, now.setting.line);
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
