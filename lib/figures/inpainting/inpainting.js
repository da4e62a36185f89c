import { defineFigure, memo } from "../contract/figure.js";
import { openSamples } from "../methods/irregular.js";
import { decodeBytes } from "../methods/base64.js";
import { format, percent, role } from "../parts/numbers.js";
import {
  color,
  cross,
  describeQuery,
  dragQuery,
  inside,
  layPhotographs,
  legendWith,
  paint,
  pixelSetting,
  QUERY_HANDLE,
  unpack,
  weightMap,
} from "../parts/photograph.js";
import { drawing, html, lay, legend, repeat, resize, set, setText, translate } from "../parts/plot.js";
import { keysForShare, normalized } from "../methods/weights.js";
import { mirrored } from "../methods/filters.js";
import { createQueue } from "../parts/workers.js";

// Left: the known pixels with the query and its window. Centre: the window enlarged, with the known pixels and their
// weights in the plane at the query. Right: the image from such planes at every pixel, computed in a worker.

const TITLE = 26,
  LEGEND = 28,
  WHITE = 1; // value of missing pixels

/**
 * Return the layout, in pixels, for this width and image shape.
 * @param {number} width @param {{ height: number, width: number }} image
 */
function layout(width, { height: rows, width: columns }) {
  const isNarrow = width < 640;
  const side = isNarrow ? (width - 16) / 2 : (width - 32) / 3,
    scale = side / Math.max(rows, columns);
  const photo = { x: 0, y: TITLE, width: scale * columns, height: scale * rows, scale };
  const lower = TITLE + photo.height + 34;
  const heat = isNarrow ? { x: 0, y: lower, width: 0.66 * width } : { x: side + 16, y: TITLE, width: side };
  const bottom = heat.y + heat.width;
  const height = bottom + (isNarrow ? 2 : 1) * LEGEND;
  return { photo, filled: { ...photo, x: width - photo.width }, heat, bottom, height };
}

/** @param {HTMLElement} stage @param {{ height: number, width: number }} image */
function elements(stage, { height, width }) {
  const picture = (/** @type {string} */ name) =>
    html("canvas", { class: name, width, height, "aria-hidden": "true" }, stage);
  const [photo, filled] = ["photo", "filled"].map(picture);
  const { canvas, add } = drawing(stage);
  const titles = {
    photo: add("text", "title photo"),
    weight: add("text", "title weight", { text: "weights" }),
    filled: add("text", "title filled"),
  };
  const notes = { weight: add("text", "note"), filled: add("text", "note") };
  const panel = add("svg", "panel");
  const parts = {
    ...{ photo, filled, canvas, titles, notes, panel },
    frames: ["halo", "frame"].map((name) => add("rect", name, {}, panel)),
    crosses: ["cross-halo", "cross"].map((name) => add("path", name, {}, panel)),
    drawWeights: weightMap(canvas),
    samples: add("g", "samples"),
    grips: { photo: add("rect", "grip"), filled: add("rect", "grip") },
    mark: add("g", "mark"),
    legend: add("g", "legend"),
    queryHandle: html("div", QUERY_HANDLE, stage),
  };
  for (const name of ["mark-halo", "mark-ring"]) add("circle", name, { r: 6 }, parts.mark);
  return parts;
}

const LEGEND_WORDS = legendWith({ name: "sample", text: "known pixel", shape: "circle", r: 5, cx: 8, cy: -5 });

/**
 * Update everything that depends only on the width.
 * @param {Parts} parts @param {Image} image @param {number} width
 */
function arrange(parts, image, width) {
  const at = layout(width, image);
  resize(parts.canvas, width, at.height);
  layPhotographs(parts, { photo: at.photo, filled: at.filled });
  const { titles, notes } = parts,
    { photo, heat, filled } = at;
  set(titles.photo, { x: photo.x, y: photo.y - 10 });
  set(titles.weight, { x: heat.x, y: heat.y - 10 });
  set(titles.filled, { x: filled.x, y: filled.y - 10 });
  set(notes.weight, { x: heat.x + heat.width, y: heat.y - 10 });
  set(notes.filled, { x: filled.x + filled.width, y: filled.y - 10 });
  legend(parts.legend, LEGEND_WORDS, { y: at.bottom + 23, gap: 38, width, line: 20 });
  return at;
}

/**
 * Draw the query on both images, and its window enlarged: known pixels as grey dots on the shades of their weights.
 * @param {Parts} parts @param {Layout} at @param {Numbers} now @param {Numbers} [ghost]
 */
function drawQuery(parts, at, { image, samples, radius, query, weights, count, estimate }, ghost) {
  const side = 2 * radius + 1,
    { scale } = at.photo,
    [row, column] = query;
  const [x, y] = [(column + 0.5) * scale, (row + 0.5) * scale];
  const corner = { x: x - (side / 2) * scale, y: y - (side / 2) * scale, width: side * scale, height: side * scale };
  for (const frame of parts.frames) set(frame, corner);
  const { d, hold } = cross((side / 2) * scale);
  for (const each of parts.crosses) set(each, { d, transform: translate(x, y) });
  set(parts.mark, { transform: translate(at.filled.x + x, at.filled.y + y) });
  lay(parts.queryHandle, { x: x - hold, y: at.photo.y + y - hold, width: 2 * hold, height: 2 * hold });
  describeQuery(parts.queryHandle, image, query, `estimate ${format(estimate, 3)}`);

  parts.drawWeights(weights, count, at.heat, ghost);
  setText(parts.notes.weight, `up to ${percent(Math.max(...weights))}`);
  const keys = [...weights.keys()].filter((k) => weights[k] > 0),
    cell = at.heat.width / side;
  repeat(parts.samples, "circle", keys.length, (dot, i) => {
    const [down, right] = [Math.floor(keys[i] / side), keys[i] % side];
    const [r, c] = [mirrored(row + down - radius, image.height), mirrored(column + right - radius, image.width)];
    const [cx, cy] = [at.heat.x + (right + 0.5) * cell, at.heat.y + (down + 0.5) * cell];
    set(dot, { cx, cy, r: 0.27 * cell, style: `fill: ${color([samples.values[r * image.width + c]])}` });
  });
}

const decibels = (/** @type {number | null} */ value) => (value === null ? "…" : `${format(value, 1)}\u00a0dB`);

/** @param {Data} _ @param {Figure["now"]} now */
function sentence(_, { setting, query: [row, column], nKnown, count, estimate, truth, psnr }) {
  const { missing, kernel } = setting;
  const errors = `circles ${decibels(psnr.circles)}, ellipses ${decibels(psnr.ellipses)}`;
  return (
    `${missing}\u00a0% missing, filled in with ${kernel}, h = ${format(setting[kernel], 1)}\u00a0pixels. ` +
    `${role("query", `Query: row ${row}, column ${column}`)}. It puts 90\u00a0% of its weight on ` +
    `${role("weight", `${count} of ${nKnown} known pixels`)}. ` +
    `${role("estimate", `Estimate ${format(estimate, 3)}`)}, true ${format(truth, 3)}. PSNR of missing pixels: ${errors}.`
  );
}

// ---- Computing --------------------------------------------------------------------------------------------

/** Extend the constants by the image and memoised functions for samples and planes. */
function withSamples(/** @type {Given} */ constants) {
  const image = unpack(constants.picture),
    steps = decodeBytes(constants.steps);
  const samplesAt = memo((/** @type {number} */ missing) => {
    const known = Uint8Array.from(steps, (most) => Number(most >= missing));
    return { ...image, known, values: image.planes[0].map((value, i) => (known[i] ? value : WHITE)) };
  });
  const planesOf = memo((/** @type {Samples} */ samples, /** @type {number} */ bandwidth) =>
    openSamples(samples, constants.fit, bandwidth),
  );
  return { ...constants, image, samplesAt, planesOf };
}

/**
 * Peak signal-to-noise ratio of the missing pixels in decibels, for a peak of 1.
 * @param {Float64Array} values
 * @param {Image} image
 * @param {Uint8Array} known
 */
function psnrOf(values, { planes: [truth] }, known) {
  const squares = truth.map((value, i) => (known[i] ? 0 : (values[i] - value) ** 2));
  const nMissing = known.reduce((sum, each) => sum - each, known.length);
  return -10 * Math.log10(squares.reduce((a, b) => a + b, 0) / nMissing);
}

/**
 * The worker's result, if it belongs to these samples and bandwidths.
 * @param {Answers} answers
 * @param {Samples} samples
 * @param {Setting} setting
 */
function filledFor({ filled }, samples, { circles, ellipses }) {
  const isNow =
    filled?.samples === samples && filled.bandwidths.circles === circles && filled.bandwidths.ellipses === ellipses;
  return isNow ? filled : undefined;
}

/** @param {Data} data @param {Setting} setting @param {Answers} answers @returns {Numbers} */
function compute({ image, fit, samplesAt, planesOf }, setting, answers) {
  const { missing, kernel, circles } = setting,
    query = inside(image, setting.query),
    samples = samplesAt(missing);
  const place = query[0] * image.width + query[1];
  const plane = planesOf(samples, circles).planeAt(place, setting[kernel], kernel);
  const /** @type {number[]} */ weights = normalized(plane.weights),
    filled = filledFor(answers, samples, setting);
  return {
    image,
    samples,
    radius: fit.radius,
    query,
    weights,
    estimate: plane.height,
    truth: image.planes[0][place],
    count: keysForShare(weights, 0.9),
    nKnown: weights.filter((weight) => weight > 0).length,
    isFilled: !!filled,
    psnr: filled ? filled.psnr : { circles: null, ellipses: null },
  };
}

/** @type {(data: Data, now: Figure["now"]) => object} */
const state = (_, { setting, query, estimate, truth, count, nKnown, psnr }) => ({
  query,
  missing: setting.missing,
  kernel: setting.kernel,
  bandwidth: setting[setting.kernel],
  circles_bandwidth: setting.circles,
  ellipses_bandwidth: setting.ellipses,
  view: setting.view,
  estimate,
  truth,
  keys_for_90_percent: count,
  n_keys: nKnown,
  circles_psnr: psnr.circles,
  ellipses_psnr: psnr.ellipses,
});

// ---- The figure -------------------------------------------------------------------------------------------

/**
 * @typedef {{ query: Pixel, missing: number, kernel: "circles" | "ellipses", circles: number, ellipses: number,
 *   view: string }} Setting
 * @typedef {import("../parts/photograph.js").Pixel} Pixel
 * @typedef {import("../parts/photograph.js").Image} Image
 * @typedef {Image & { known: Uint8Array, values: Float64Array }} Samples
 * @typedef {ReturnType<typeof elements>} Parts
 * @typedef {ReturnType<typeof layout>} Layout
 * @typedef {import("../contract/figure.js").Constants & { picture: Parameters<typeof unpack>[0], steps: string,
 *   fit: Parameters<typeof openSamples>[1], worker_code: string }} Given
 * @typedef {ReturnType<typeof withSamples>} Data
 * @typedef {{ circles: Float64Array, ellipses: Float64Array, psnr: { circles: number, ellipses: number }, samples:
 *   object,
 *   bandwidths: { circles: number, ellipses: number } }} Filled
 * @typedef {{ filled: Filled | undefined, isBroken: boolean }} Answers
 * @typedef {{ image: Image, samples: Samples, radius: number, query: Pixel,
 *   weights: number[], estimate: number, truth: number, count: number, nKnown: number, isFilled: boolean,
 *   psnr: { circles: number | null, ellipses: number | null } }} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
function view(figure) {
  const { data, root, stage } = figure,
    { image } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, image);
  const arranged = memo((/** @type {number} */ width) => arrange(parts, image, width));
  const paintPhoto = memo((/** @type {Float64Array} */ plane) => paint(parts.photo, { ...image, planes: [plane] }));
  const paintFilled = memo((/** @type {Float64Array} */ plane) => paint(parts.filled, { ...image, planes: [plane] }));
  const filler = createQueue(data.worker_code, {
    listen({ circles, ellipses }, { samples, bandwidths }) {
      const psnr = { circles: psnrOf(circles, image, samples.known), ellipses: psnrOf(ellipses, image, samples.known) };
      figure.answer({ filled: { samples, bandwidths, circles, ellipses, psnr } });
    },
    fail: () => figure.answer({ isBroken: true }),
  });
  const fill = memo((/** @type {Samples} */ samples, /** @type {number} */ circles, /** @type {number} */ ellipses) => {
    const bandwidths = { circles, ellipses };
    filler.ask({ samples, fit: data.fit, bandwidths }, { samples, bandwidths });
  });

  /** @type {Draw} */
  function draw(now, { width, ghost }) {
    const { samples, setting, isFilled, answers } = now,
      isPending = !isFilled && !answers.isBroken,
      { kernel, view } = setting;
    const at = arranged(width);
    fill(samples, setting.circles, setting.ellipses);
    paintPhoto(view === "photograph" ? image.planes[0] : samples.values);
    paintFilled(answers.filled?.[kernel] ?? samples.values);
    parts.filled.classList.toggle("pending", isPending);
    figure.setPending(isPending);
    setText(parts.titles.photo, view === "known" ? "known pixels" : view);
    setText(parts.titles.filled, kernel);
    setText(parts.notes.filled, decibels(now.psnr[kernel]));
    drawQuery(parts, at, now, ghost);
  }

  dragQuery(figure, {
    handle: parts.queryHandle,
    image: () => image,
    pictures: [parts.grips.photo, parts.grips.filled],
    move: (pixel) => figure.change({ query: inside(image, pixel) }),
  });
  figure.signal.addEventListener("abort", filler.end);
  return draw;
}

export default defineFigure("inpainting", {
  hint: "Drag the cross. Keyboard: Tab, arrows. A higher PSNR (dB) is nearer to the photograph.",
  data: withSamples,
  settings: ({ image }) => ({ query: pixelSetting(image) }),
  answers: () => ({ filled: undefined, isBroken: false }), // from the worker
  compute,
  state,
  sentence,
  view,
});
