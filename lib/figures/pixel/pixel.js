import { radius_per_bandwidth as RADIUS_PER_BANDWIDTH } from "../../constants.json";
import { defineFigure, memo } from "../contract/figure.js";
import { framesBetween, MOVING_NUMBERS } from "../contract/reveal.js";
import { filterInSteps, steeringPlanes, windowKernel, windowKeys, windowLogWeights } from "../methods/filters.js";
import { average, keysForShare, softmax } from "../methods/weights.js";
import { format, percent, role, symbolic, textOn } from "../parts/numbers.js";
import { dragQuery, inside, pixelSetting, unpack, withNoise } from "../parts/photograph.js";
import { growing, playButton } from "../parts/play.js";
import { createValueSlider, showTooltip } from "../parts/tooltip.js";
import { arrange, drawPhotos, drawQuery, drawValues, drawWindow, elements, inWords, nameGhost } from "./drawing.js";

// Left: the image with the query, and the weights painted over its window. Centre: the same weights enlarged, and
// below them the noisy, estimated and true surroundings of the query. Right: the filtered image, updated when dragging
// pauses.

const REST = 40,
  SLICE = 8; // milliseconds: a drag without movement counts as paused; the filter runs in slices

/** @type {Record<string, string>} */
const NAMES = {
  gaussian: "Gaussian blur",
  bilateral: "Bilateral filter",
  nonlocal_means: "Non-local means",
  lark: "Steering kernel",
};

/** @type {Record<string, Record<string, string>>} */
const COMPOSED = {
  // by position block and value block
  none: { none: "Mean of the window", pixel: "Range-only filter", patch: "Non-local means (2005)" },
  gaussian: {
    none: "Gaussian blur (N–W, 1964)",
    pixel: "Bilateral filter (1998)",
    patch: "Non-local means with position",
  },
  steering: {
    none: "Steering kernel (2007)",
    pixel: "Steering and range, a kernel without a name",
    patch: "Steering and patch, a kernel without a name",
  },
};

/**
 * Peak signal-to-noise ratio in decibels, for a peak of 1.
 * @param {Float64Array[]} planes @param {Float64Array[]} truth
 */
function psnr(planes, truth) {
  const squares = planes.map((plane, c) => plane.reduce((sum, value, i) => sum + (value - truth[c][i]) ** 2, 0));
  return -10 * Math.log10(squares.reduce((a, b) => a + b, 0) / (planes.length * planes[0].length));
}

/**
 * Run a generator in slices, so that pointer events and frames are handled first. Returns a function that stops it.
 * @template T @param {Generator<unknown, T, void>} generator @param {(value: T) => void} done
 */
function inSlices(generator, done) {
  const { port1, port2 } = new MessageChannel(); // unlike timers, messages are not throttled
  const step = () => {
    const end = performance.now() + SLICE;
    let next;
    do next = generator.next();
    while (!next.done && performance.now() < end);
    if (!next.done) return port2.postMessage(null);
    port1.close();
    done(next.value);
  };
  port1.onmessage = step;
  const timer = setTimeout(step, REST);
  return () => {
    clearTimeout(timer);
    port1.close();
  };
}

/** @param {Data} data @param {Figure["now"]} now */
function sentence({ method, parameters, ranges }, { setting, blocks, query: [row, column], weights, count, values }) {
  const { position_block, value_block } = blocks,
    { noisy, estimate, clean } = values;
  const unused = [position_block === "none" && "bandwidth_space", value_block === "none" && "bandwidth_value"];
  const bandwidths = Object.entries(parameters).filter(
    ([name, { trait }]) => /^bandwidth/.test(name) && !unused.includes(trait),
  );
  const widths = bandwidths.map(([name, { symbol }]) => `${symbolic(symbol)} = ${textOn(ranges[name])(setting[name])}`);
  const most = Math.max(...weights),
    own = weights[weights.length >> 1];
  return (
    `${[NAMES[method] ?? COMPOSED[position_block][value_block], ...widths].join(", ")}. ` +
    `${role("query", `Query: row ${row}, column ${column}`)}, ${role("value", `noisy ${inWords(noisy)}`)}. ` +
    `It puts 90\u00a0% of its weight on ${role("weight", `${count} of ${weights.length} keys`)}; ` +
    `its self-weight is ${role("weight", percent(own))}${own < most ? `, the largest weight ${percent(most)}` : ""}. ` +
    `${role("estimate", `Estimate ${inWords(estimate)}`)}, true ${inWords(clean)}.`
  );
}

const shortly = (/** @type {number[]} */ values) => values.map((value) => format(value, 2)).join(", ");

/**
 * The mark of a pixel, at a point of the stage.
 * @param {Numbers} now
 * @param {number[]} place
 * @param {number} x
 * @param {number} y
 */
function pixelMark({ clean, noisy, filtered, weights, radius, query }, place, x, y) {
  const [row, column] = place;
  const [down, right] = [row - query[0] + radius, column - query[1] + radius],
    side = 2 * radius + 1;
  const valuesOf = (/** @type {Float64Array[]} */ planes) => {
    const [r, c] = inside(clean, place);
    return shortly(planes.map((plane) => plane[r * clean.width + c]));
  };
  const inWindow = Math.min(down, right) >= 0 && Math.max(down, right) < side;
  const weight = inWindow ? `weight ${percent(weights[down * side + right])}, ` : "";
  const result = filtered.planes ? `, filtered ${valuesOf(filtered.planes)}` : "";
  return { x, y, text: `row ${row}, column ${column}: ${weight}noisy ${valuesOf(noisy.planes)}${result}` };
}

/** The mark of key i of the enlarged window. @param {Layout} at @param {Numbers} now @param {number} i */
function keyMark(at, now, i) {
  const side = 2 * now.radius + 1,
    { x, y, width } = at.heat;
  const [row, column] = [Math.floor(i / side), i % side];
  const place = [row + now.query[0] - now.radius, column + now.query[1] - now.radius];
  return pixelMark(now, place, x + ((column + 0.5) * width) / side, y + ((row + 0.5) * width) / side);
}

/**
 * Find the mark under the pointer: a pixel of either image, or a key of the window.
 * @param {Layout} at @param {Numbers} now @param {number} px @param {number} py
 */
function markAt(at, now, px, py) {
  const isIn = (/** @type {import("../parts/plot.js").Box} */ { x, y, width, height }) =>
    px >= x && px < x + width && py >= y && py < y + height;
  const picture = [at.photo, at.filtered].find(isIn);
  if (picture) {
    const place = [(py - picture.y) / picture.scale, (px - picture.x) / picture.scale];
    return pixelMark(now, inside(now.clean, place), px, py);
  }
  if (!isIn(at.heat)) return undefined;
  const side = 2 * now.radius + 1;
  const [row, column] = [py - at.heat.y, px - at.heat.x].map((pixels) => Math.floor((pixels / at.heat.width) * side));
  return keyMark(at, now, row * side + column);
}

/**
 * Extend the constants by memoised images and kernels. The filtered image is an answer, set when dragging pauses.
 * @param {Given} constants
 */
function withImages(constants) {
  const [clean, noise] = [constants.clean, constants.noise].map(unpack);
  const noisyAt = memo((/** @type {number} */ std) => {
    const image = withNoise(clean, noise, std);
    return { ...image, std, psnr: psnr(image.planes, clean.planes) };
  });
  const steeringOf = memo((/** @type {Image} */ noisy) => steeringPlanes(noisy, constants.disk));
  /** @type {(noisy: Image, position_block: string, value_block: string, patch_weights: string, forgiven: number,
   *   ...numbers: number[]) => Kernel} */
  const kernelOf = memo((noisy, position_block, value_block, patch_weights, forgiven, ...numbers) => {
    const [bandwidth_space, bandwidth_value, patch_radius, radius] = numbers;
    const steering = position_block === "steering" ? steeringOf(noisy) : undefined;
    const setting = { position_block, value_block, patch_weights, forgiven };
    return windowKernel(noisy, steering, { ...setting, bandwidth_space, bandwidth_value, patch_radius, radius });
  });
  return { ...constants, clean, noisyAt, kernelOf };
}

/**
 * The two blocks of the metric: from the menus, or from the method.
 * @param {Given | Data} data
 * @param {Partial<Setting>} setting
 */
const blocksOf = ({ blocks }, { position = blocks.position, value = blocks.value }) => ({
  position_block: position,
  value_block: value,
});

/** @param {Data} data @param {Setting} setting @param {Answers} answers */
function compute(data, setting, answers) {
  const { clean, parameters, patch_weights, noisyAt, kernelOf } = data;
  const blocks = blocksOf(data, setting),
    noisy = noisyAt(setting.noise / 255),
    query = inside(clean, setting.query);
  const forgiven = setting.noise_floor === "subtracted" ? 2 * noisy.std ** 2 : 0;
  const given = Object.fromEntries(Object.entries(parameters).map(([name, { trait }]) => [trait, setting[name]]));
  const { bandwidth_space, bandwidth_value, patch_radius } = given;
  const { radius = Math.ceil(RADIUS_PER_BANDWIDTH * bandwidth_space) } = given; // without a slider
  const { position_block, value_block } = blocks;
  const numbers = [bandwidth_space, bandwidth_value, patch_radius, radius];
  const kernel = kernelOf(noisy, position_block, value_block, patch_weights, forgiven, ...numbers);
  const /** @type {number[]} */ weights = softmax(windowLogWeights(kernel, query)),
    keys = windowKeys(kernel, query);
  const averageOf = (/** @type {Float64Array} */ line) => {
    const values = keys.map((key) => line[key]);
    return average(weights, values);
  };
  const estimate = kernel.lines.map(averageOf);
  const valuesOf = (/** @type {Image} */ { planes }) => planes.map((plane) => plane[query[0] * clean.width + query[1]]);
  const values = { noisy: valuesOf(noisy), estimate, clean: valuesOf(clean) };
  const count = keysForShare(weights, 0.9);
  const filtered = answers.kernel === kernel ? answers.filtered : { ...answers.filtered, psnr: null };
  return { clean, noisy, filtered, blocks, kernel, radius, query, weights, estimate, values, count };
}

/** The published state, with the names of lib. @param {Data} data @param {Figure["now"]} now */
function state({ method, parameters }, { setting, noisy, filtered, blocks, radius, query, weights, values, count }) {
  const numbers = Object.entries(values).map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
  return {
    query,
    method,
    ...(method !== "nonlocal_means" && { radius }),
    ...Object.fromEntries(Object.keys(parameters).map((name) => [name, setting[name]])),
    ...(method === "nonlocal_means" && { subtract_noise: setting.noise_floor === "subtracted" }),
    ...(method === "unified" && blocks),
    noise_std: noisy.std,
    view: setting.view,
    ...Object.fromEntries(numbers),
    keys_for_90_percent: count,
    n_keys: weights.length,
    noisy_psnr: noisy.psnr,
    filtered_psnr: filtered.psnr,
  };
}

/** Play shows what the question asks; without one, it increases the bandwidth. @param {Figure} figure */
function storyOf({ data, first, model, setting }) {
  const guesses = /** @type {import("../contract/guesses.js").Guesses | null} */ (model.get("guesses"));
  if (guesses)
    return {
      title: "Play the change that the question describes",
      frames: () => framesBetween(data.ranges, first(), guesses.then),
    };
  return {
    title: "Increase the bandwidth from its smallest to its largest value",
    frames: () => framesOf(data, blocksOf(data, setting())),
  };
}

/**
 * Animation frames for a bandwidth that is in use, from its smallest to its largest value.
 * @param {Data} data @param {ReturnType<typeof blocksOf>} blocks
 */
function framesOf({ parameters, ranges }, { position_block, value_block }) {
  const trait = value_block !== "none" ? "bandwidth_value" : position_block !== "none" ? "bandwidth_space" : undefined;
  const name = Object.keys(parameters).find((each) => parameters[each].trait === trait);
  return name ? growing(ranges[name], 30).map((value) => ({ [name]: value })) : [];
}

/**
 * @typedef {Parameters<typeof unpack>[0]} Packed
 * @typedef {import("../parts/photograph.js").Image} Image
 * @typedef {import("../methods/filters.js").Kernel} Kernel
 * @typedef {import("./drawing.js").Layout} Layout
 * @typedef {import("./drawing.js").Shown} Shown
 * @typedef {Record<string, any> & { query: import("../parts/photograph.js").Pixel, noise: number, view: string,
 *   position?: string, value?: string, noise_floor?: string }} Setting
 * @typedef {import("../contract/figure.js").Constants & { clean: Packed, noise: Packed, disk: number[][], method:
 *   string, patch_weights: string, blocks: { position: string, value: string }, parameters: Record<string, {
 *   trait: string, symbol: string }>, ranges: Record<string, import("../parts/numbers.js").Grid> }} Given
 * @typedef {ReturnType<typeof withImages>} Data
 * @typedef {{ kernel: object | undefined, filtered: Partial<Image> & { psnr: number | null } }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/** @param {Figure} figure */
export function view(figure) {
  const { data, root, stage } = figure,
    { clean } = data;
  const parts = elements(stage, clean);
  root.classList.add("photograph-figure");
  figure.reveal = MOVING_NUMBERS;
  const arranged = memo((/** @type {number} */ width) => arrange(parts, clean, width));
  /** @type {(noisy: Numbers["noisy"], filtered: Numbers["filtered"], shown: Shown, view: string) => void} */
  const drawPhotosOf = memo((noisy, filtered, shown, view) => drawPhotos(parts, { noisy, filtered }, shown, view));
  let /** @type {Layout} */ at,
    /** @type {Kernel | undefined} */ latest, // the latest kernel with which the image is filtered
    isFiltering = false,
    stop = () => {};

  /**
   * Filter the image with this kernel when dragging pauses. Until then the previous result is shown dimmed. An
   * animation does not pause, so it skips kernels until the image is filtered.
   * @param {Kernel} kernel
   */
  function filter(kernel) {
    if (kernel === latest || (isFiltering && root.hasAttribute("data-playing"))) return;
    stop();
    latest = kernel;
    isFiltering = true;
    stop = inSlices(filterInSteps(kernel), (planes) => {
      isFiltering = false;
      figure.answer({ kernel, filtered: { ...clean, planes, psnr: psnr(planes, clean.planes) } });
    });
  }

  /** @type {Draw} */
  function draw(now, { width, ghost }) {
    const { query, radius, weights, count, setting, blocks } = now;
    at = arranged(width);
    filter(now.kernel);
    parts.filtered.classList.toggle("pending", now.filtered.psnr === null);
    figure.setPending(now.filtered.psnr === null);
    /** @type {Record<string, Shown>} */
    const images = { noisy: now.noisy, clean, filtered: now.noisy };
    if (now.filtered.planes) images.filtered = /** @type {Shown} */ (now.filtered);
    drawPhotosOf(now.noisy, now.filtered, images[setting.view], setting.view);
    drawWindow(parts, at, radius, query, weights, count, ghost);
    if (ghost) nameGhost(parts, ghost.estimate);
    drawQuery(parts, at, clean, radius, query, now.estimate);
    drawValues(parts, at, now);
    Object.assign(root.dataset, { positionBlock: blocks.position_block, valueBlock: blocks.value_block });
  }

  dragQuery(figure, {
    handle: parts.queryHandle,
    image: () => clean,
    pictures: [parts.grips.photo, parts.grips.filtered],
    move: (pixel) => figure.change({ query: inside(clean, pixel) }),
  });

  const keys = createValueSlider(figure, {
    label: "Keys of the window",
    count: () => figure.now.weights.length,
    columns: () => 2 * figure.now.radius + 1,
    mark: (i) => keyMark(at, figure.now, i),
  });
  showTooltip(figure, {
    find: (x, y) => markAt(at, figure.now, x, y),
    focused: (element) => (element === keys.element ? keys.mark() : undefined),
  });
  playButton(figure, storyOf(figure));
  figure.signal.addEventListener("abort", () => stop());
  return draw;
}

export default defineFigure("pixel", {
  hint: "Drag the cross. Keyboard: Tab, arrows. 0 is black, 1 white. Higher PSNR (dB): nearer to clean.",
  data: withImages,
  settings: ({ clean }) => ({ query: pixelSetting(clean) }),
  answers: () => ({ kernel: undefined, filtered: { psnr: null } }),
  compute,
  // Weights of different pixels are not comparable.
  compares: (now, before) => String(now.query) === String(before.query),
  state,
  sentence,
  view,
});
