import { defineFigure, memo } from "../contract/figure.js";
import { boxMullerNoise } from "../methods/noise.js";
import { lines, windowKeys } from "../methods/filters.js";
import { average, keysForShare } from "../methods/weights.js";
import { BEYOND, bandwidthFor, createMethods } from "../methods/years.js";
import { dragLine } from "../parts/divided_photograph.js";
import { createJobs, isSame, resultOf } from "../parts/job.js";
import { clamp } from "../parts/numbers.js";
import { contextOf, dragQuery, inside, paint, unpack, unpackPhotograph, withNoise } from "../parts/photograph.js";
import { html, setText } from "../parts/plot.js";
import { createProblem, InvalidInput } from "../parts/problem.js";
import { pngFile, pngOf, saveFile, saveText, svgOf } from "../parts/save.js";
import { createTakeAway } from "../parts/take_away.js";
import { loadLazy, onNearViewport } from "../parts/workers.js";
import { BOTH_FILE, CLEANED_FILE, codeFor, PICTURE_FILE, WEIGHTS_FILE, weightsCsv } from "./code.js";
import { methodControls, pictureControls } from "./controls.js";
import { drawFrame, elements, layout, paintPart, paintWhole, scaledTo, TILE } from "./drawing.js";
import { boxIn, decibels, noiseStdOf, pixelsIn, planesIn, relative, widened } from "./pixels.js";
import { durationText, noiseText, sentence } from "./text.js";

// The reader's own photograph. The page computes the weights of the query; workers (lazy_worker.js) clean its
// surroundings by all methods, the close-up by the chosen one, and on demand the whole picture.

const CLOSE_UP = { height: 210, width: 250 }, // pixels of the picture
  NOISELESS = 8, // levels of estimated noise, below which a photograph gets noise
  GIVEN_NOISE = "25",
  REST = 60; // milliseconds without a change before a request is sent to a worker

// ---- Settings and constants -------------------------------------------------------------------------------------

/** A row and a column of any picture, `row/column` in the URL. */
const placeSetting = {
  write: (/** @type {number[]} */ [row, column]) => `${row}/${column}`,
  read: (/** @type {string} */ text) => (/^\d{1,5}\/\d{1,5}$/.test(text) ? text.split("/").map(Number) : undefined),
};

/** @param {Given} constants */
function prepare(constants) {
  const { example_noise_std, noise_seed, frequencies, moment, methods, bandwidths } = constants;
  const all = methods.map((method) => ({ ...method, ...bandwidths[method.year] }));
  const given = {
    ...constants,
    frequencies: boxMullerNoise(frequencies.seed, frequencies.count * moment.length),
  };
  const noiseOf = memo((/** @type {number} */ levels) => ({ levels, seed: noise_seed + 1 }));
  return {
    ...constants,
    methods: all,
    noiseOf,
    placeholder: { ...CLOSE_UP, canvas: readable(CLOSE_UP), name: "", notes: [] }, // until the example is here
    noiseStdOf: memo(noiseStdOf),
    bandwidthOf: (/** @type {Method} */ method, /** @type {number} */ noiseStd, /** @type {number} */ strength) =>
      bandwidthFor(method, noiseStd, strength, example_noise_std),
    givenFor: memo(
      (/** @type {number} */ noiseStd, /** @type {number} */ strength, /** @type {Float64Array[]} */ maps) =>
        givenFor({ ...given, maps }, all, noiseStd, strength),
    ),
    queryOf: memo(queryOf),
    psnrOf: memo(psnrOf),
    /** @type {(picture: Picture, view: string, top: number, left: number) => Box} */
    shownOf: memo((picture, view, top, left) =>
      view === "close-up" ? boxIn(picture, [top, left], CLOSE_UP) : boxIn(picture, [0, 0], picture),
    ),
  };
}

/** Create a canvas that is optimised for reading its pixels. @param {Size} size @returns {HTMLCanvasElement} */
function readable(size) {
  const canvas = html("canvas", size);
  canvas.getContext("2d", { willReadFrequently: true });
  return canvas;
}

/** The example, as a picture of 8-bit colours. @param {Packed} packed @param {Data} data @returns {Picture} */
function exampleOf({ photograph }, { example_noise_std: std, noise_seed: seed }) {
  const clean = unpackPhotograph(photograph),
    size = clean.height * clean.width,
    noise = boxMullerNoise(seed, 3 * size);
  const planes = [0, 1, 2].map((c) => noise.subarray(c * size, (c + 1) * size));
  const canvas = readable({ width: clean.width, height: clean.height });
  paint(canvas, withNoise(clean, { ...clean, planes }, std));
  return { canvas, height: clean.height, width: clean.width, name: "example", notes: [] };
}

/**
 * The inputs shared by all methods, and each method's bandwidth for this noise level.
 * @param {Omit<MethodsGiven, "methods"> & { example_noise_std: number }} given @param {Method[]} methods @param
 *   {number} noiseStd @param {number} strength
 * @returns {MethodsGiven}
 */
function givenFor(given, methods, noiseStd, strength) {
  const of = (/** @type {number} */ year) => {
    const method = methodOf(methods, year);
    return bandwidthFor(method, noiseStd, strength, given.example_noise_std) / (year < 2017 ? 1 : method.at);
  };
  /** @type {Record<number, object>} */
  const changes = {
    1964: { bandwidth_space: of(1964) },
    1998: { bandwidth_value: of(1998) },
    2005: { bandwidth_value: of(2005), forgiven: 2 * noiseStd ** 2 },
    2007: { bandwidth_space: of(2007) },
  };
  const { radius, patch_radius, disk, frequencies, maps, moment } = given;
  return {
    ...{ radius, patch_radius, disk, frequencies, maps, moment },
    methods: methods.map(({ year, kernel }) => ({ year, kernel: { ...kernel, ...changes[year] } })),
    temperatures: { 2017: of(2017), 2020: of(2020) },
  };
}

/** @type {(methods: Method[], year: number) => Method} */
const methodOf = (methods, year) => methods.find((each) => each.year === year) ?? methods[0];

/**
 * The weights of a pixel's window, and the colours in it.
 * @param {Picture} picture @param {Noise} noise @param {MethodsGiven} given @param {number} year @param {number}
 *   row @param {number} column
 */
function queryOf(picture, noise, given, year, row, column) {
  const seen = widened(picture, { top: row, left: column, height: 1, width: 1 }, given.radius + BEYOND);
  const { data } = pixelsIn(picture, seen, noise),
    image = planesIn(data, seen.width, { ...seen, top: 0, left: 0 });
  const here = /** @type {[number, number]} */ ([row - seen.top, column - seen.left]);
  const weights = createMethods(image, given)(year, here),
    grid = { ...lines(image, given.radius), radius: given.radius };
  const keys = windowKeys(grid, here),
    colours = grid.lines.map((line) => keys.map((key) => line[key]));
  return {
    weights,
    colours,
    observed: colours.map((plane) => plane[plane.length >> 1]),
    estimate: colours.map((plane) => average(weights, plane)),
    count: keysForShare(weights, 0.9),
  };
}

/**
 * The PSNR of the noisy box and of each cleaned one, in dB, against the photograph before noise was added.
 * @type {(picture: Picture, noise: Noise, box: Box, images: ImageData[]) => number[]}
 */
function psnrOf(picture, noise, box, images) {
  const clean = pixelsIn(picture, box, { ...noise, levels: 0 });
  return [pixelsIn(picture, box, noise), ...images].map((image) => decibels(image.data, clean.data));
}

// ---- Numbers ----------------------------------------------------------------------------------------------------

/** @param {Data} data @param {Setting} setting @param {Answers} answers */
function compute(data, setting, answers) {
  const { picture } = answers,
    year = Number(setting.year),
    noise = data.noiseOf(Number(setting.noise));
  const query = inside(picture, setting.query),
    method = methodOf(data.methods, year);
  const noiseStd = data.noiseStdOf(picture, noise),
    given = data.givenFor(noiseStd, setting.strength, answers.maps);
  const part = boxIn(picture, cornerAround(setting.corner, query), CLOSE_UP);
  const isSmall = part.height === picture.height && part.width === picture.width;
  const tileBox = boxIn(picture, [query[0] - TILE.height / 2, query[1] - TILE.width / 2], TILE),
    shown = data.shownOf(picture, isSmall ? "close-up" : setting.view, part.top, part.left);
  const tiles = tilesOf({ picture, noise, given, query, year, shown, answers });
  return {
    ...{ picture, noise, year, method, query, noiseStd, given, shown, isSmall, tileBox, radius: data.radius },
    methods: data.methods,
    psnr: noise.levels && tiles ? data.psnrOf(picture, noise, tileBox, tiles) : undefined,
    isClose: isSmall || setting.view === "close-up",
    bandwidth: data.bandwidthOf(method, noiseStd, setting.strength),
    ...data.queryOf(picture, noise, given, year, query[0], query[1]),
  };
}

/**
 * The corner of the close-up, moved just so far that it shows the query.
 * @type {(corner: number[], query: number[]) => number[]}
 */
function cornerAround(corner, query) {
  const { height, width } = CLOSE_UP;
  return [height, width].map((length, i) => clamp(corner[i], query[i] - length + 1, query[i]));
}

/** @param {Data} _ @param {Figure["now"]} now */
function state(_, { setting, picture, year, query, bandwidth, noiseStd, estimate, count, shown, psnr }) {
  return {
    ...(psnr && { psnr }),
    ...{ query, year, bandwidth, noise_std: noiseStd, estimate, keys_for_90_percent: count },
    ...{ strength: setting.strength, added_noise: Number(setting.noise), line: setting.line, view: setting.view },
    ...{ height: picture.height, width: picture.width, shown: [shown.top, shown.left, shown.height, shown.width] },
  };
}

// ---- Workers ----------------------------------------------------------------------------------------------------

/** @type {(pixels: Pixels, size: Size) => ImageData} */
const imageWith = (pixels, { width, height }) => new ImageData(pixels, width, height);

/**
 * Ask a worker for cleaned boxes when nothing has changed for `rest` milliseconds, and keep its latest answer as
 * `figure.answer`'s `name`: `{ of, images, seconds }` with the time of each, without images if the reader
 * cancelled. `of` is what the answer depends on.
 * @param {Figure} figure
 * @param {Problem} problem
 * @param {AnswerName} name
 * @param {{ label: string, stage?: HTMLElement, rest?: number, make?: (pixels: Pixels, size: Size) => ImageData |
 *   HTMLCanvasElement }} options
 */
function createCleaner(figure, problem, name, { label, stage = figure.stage, rest = REST, make = imageWith }) {
  const jobs = createJobs({ stage, model: figure.model, signal: figure.signal });
  /** @type {unknown[] | undefined} */
  let asked;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  figure.signal.addEventListener("abort", () => clearTimeout(timer));

  /** @param {unknown[]} of @param {Seen} now @param {Part[]} boxes */
  function run(of, { picture, noise, given }, boxes) {
    const around = boxes.map(({ box }) => widened(picture, box, given.radius + BEYOND));
    const seen = hull(around);
    const message = {
      data: pixelsIn(picture, seen, noise).data,
      size: { height: seen.height, width: seen.width },
      boxes: boxes.map(({ year, box }) => ({ year, box: relative(box, seen) })),
      given,
    };
    resultOf(jobs.run(message, label), problem).then(
      (/** @type {{ pixels: Pixels, seconds: number }[] | null} */ found) => {
        const images = found?.map(({ pixels }, k) => make(pixels, boxes[k].box));
        figure.answer({ [name]: { of, images, seconds: found?.map(({ seconds }) => seconds) } });
      },
    );
  }

  /** @param {unknown[]} of @param {Seen} now @param {Part[]} boxes */
  function ask(of, now, boxes) {
    if (isSame(asked, of)) return;
    drop();
    asked = of;
    timer = setTimeout(() => run(of, now, boxes), rest);
  }

  function drop() {
    asked = undefined;
    clearTimeout(timer);
    jobs.drop();
  }

  return { ask, drop, isAsked: (/** @type {unknown[]} */ of) => isSame(asked, of) };
}

/** The smallest box that contains these boxes. @param {Box[]} boxes @returns {Box} */
function hull(boxes) {
  const top = Math.min(...boxes.map((box) => box.top)),
    left = Math.min(...boxes.map((box) => box.left));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height)),
    right = Math.max(...boxes.map((box) => box.left + box.width));
  return { top, left, height: bottom - top, width: right - left };
}

/** The values on which each answer depends. @type {Record<AnswerName, (now: Seen) => unknown[]>} */
const dependencies = {
  tiles: ({ picture, noise, given, query }) => [picture, noise, given, ...query],
  part: ({ picture, noise, given, year, shown }) => [picture, noise, given, year, shown],
  whole: ({ picture, noise, given, year }) => [picture, noise, given, year],
};

/** Whether an answer belongs to what is drawn. @param {Seen} now @param {AnswerName} name */
const isAnswered = (now, name) => isSame(now.answers[name]?.of, dependencies[name](now));

/** The surroundings of the query as each method cleans them, if they are known. @param {Seen} now */
const tilesOf = (now) => (isAnswered(now, "tiles") ? now.answers.tiles?.images : undefined);

/** What is shown as the chosen method cleans it, if that is known. @param {Seen} now */
const partOf = (now) => (isAnswered(now, "part") ? now.answers.part?.images?.[0] : undefined);

/**
 * A canvas with the whole picture as the chosen method cleans it, if that is known.
 * @param {Seen & { isSmall: boolean }} now
 */
function wholeOf(now) {
  if (!now.isSmall) return isAnswered(now, "whole") ? now.answers.whole?.images?.[0] : undefined;
  const part = partOf(now);
  return part && canvasWith(part.data, part);
}

/** @type {(pixels: Pixels, size: Size) => HTMLCanvasElement} */
function canvasWith(pixels, { width, height }) {
  const canvas = html("canvas", { width, height });
  canvas.getContext("2d").putImageData(imageWith(pixels, { width, height }), 0, 0);
  return canvas;
}

// ---- View -------------------------------------------------------------------------------------------------------

/**
 * The answer of a worker: on what it depends, the images, unless the reader cancelled, and the time that each took.
 * @template Image
 * @typedef {{ of: unknown[], images?: Image[], seconds?: number[] }} Cleaned
 */

/**
 * @typedef {import("./opening.js").Picture} Picture
 * @typedef {import("./opening.js").Size} Size
 * @typedef {import("./pixels.js").Noise} Noise
 * @typedef {import("./lazy_worker.js").Part} Part
 * @typedef {import("../methods/years.js").Box} Box
 * @typedef {import("../methods/years.js").Given} MethodsGiven
 * @typedef {import("../parts/photograph.js").Pixel} Pixel
 * @typedef {import("../parts/divided_photograph.js").Parts} Parts
 * @typedef {ReturnType<typeof createProblem>} Problem
 * @typedef {Uint8ClampedArray<ArrayBuffer>} Pixels RGBA
 * @typedef {{ year: number, name: string, alike: string, kernel: import("../methods/filters.js").Setting }} GivenMethod
 * @typedef {{ symbol: string } & import("../methods/years.js").Bandwidth} GivenBandwidth
 * @typedef {GivenMethod & GivenBandwidth} Method
 * @typedef {{ photograph: Parameters<typeof unpackPhotograph>[0], maps: Parameters<typeof unpack>[0] }} Packed
 * @typedef {"tiles" | "part" | "whole"} AnswerName
 * @typedef {{ picture: Picture, noise: Noise, given: MethodsGiven, query: Pixel, year: number, shown: Box,
 *   answers: Answers }} Seen
 * @typedef {{ picture: Picture, noiseStd: number } | undefined} Noiseless The photograph that got noise, and its
 *   own noise.
 * @typedef {{ query: Pixel, corner: Pixel, year: string, strength: number, noise: string, line: number, view:
 *   string }} Setting
 * @typedef {import("../contract/figure.js").Constants & { methods: GivenMethod[], bandwidths: Record<number,
 *   GivenBandwidth>, example_noise_std: number, noise_seed: number, frequencies: { seed: number, count: number },
 *   moment: number[], radius: number, patch_radius: number, disk: number[][], ranges: { noise: string[], strength:
 *   number[] } }} Given
 * @typedef {ReturnType<typeof prepare>} Data
 * @typedef {{ picture: Picture, example: Picture | undefined, maps: Float64Array[], tiles: Cleaned<ImageData> |
 *   undefined, part: Cleaned<ImageData> | undefined, whole: Cleaned<HTMLCanvasElement> | undefined }} Answers
 * @typedef {ReturnType<typeof compute>} Numbers
 * @typedef {import("../contract/figure.js").Figure<Data, Setting, Numbers, Answers>} Figure
 * @typedef {import("../contract/figure.js").Draw<Figure["now"]>} Draw
 */

/**
 * Create the cleaners of the tiles, the close-up and, on request, the whole photograph.
 * @param {Figure} figure
 * @param {Problem} problem
 * @param {HTMLElement} row
 */
function createCleaners(figure, problem, row) {
  const { data } = figure;
  const askTiles = createCleaner(figure, problem, "tiles", { label: "", stage: html("div") }),
    askPart = createCleaner(figure, problem, "part", { label: "cleaning the close-up" }),
    askWhole = createCleaner(figure, problem, "whole", {
      label: "cleaning the whole photograph",
      stage: row,
      rest: 0,
      make: canvasWith,
    });

  /** @param {Figure["now"]} now */
  function askFor(now) {
    if (!now.answers.example) {
      figure.setPending(true);
      return;
    }
    askTiles.ask(
      dependencies.tiles(now),
      now,
      data.methods.map(({ year }) => ({ year, box: now.tileBox })),
    );
    if (now.isClose) askPart.ask(dependencies.part(now), now, [{ year: now.year, box: now.shown }]);
    if (!askWhole.isAsked(dependencies.whole(now))) askWhole.drop(); // its answer would be of no use any more
    figure.setPending(!isAnswered(now, "tiles") || (now.isClose && !isAnswered(now, "part")));
  }

  return {
    askFor,
    askWhole(/** @type {Figure["now"]} */ now) {
      askWhole.drop();
      askWhole.ask(dependencies.whole(now), now, [{ year: now.year, box: boxIn(now.picture, [0, 0], now.picture) }]);
    },
  };
}

/** @param {Figure} figure */
function view(figure) {
  const { stage, change, root, data } = figure;
  root.classList.add("photograph-figure", "divided-figure");
  const row = html("div", { class: "lf-input" }),
    place = html("div");
  stage.before(row, place);
  const problem = createProblem(place);
  const showPicture = pictureControls(figure, problem, row, (picture) => {
    figure.answer({ picture });
    const middle = /** @type {[number, number]} */ ([picture.height >> 1, picture.width >> 1]);
    const noiseStd = data.noiseStdOf(picture, data.noiseOf(0)),
      isExample = picture === figure.now.answers.example;
    noiseless = !isExample && 255 * noiseStd < NOISELESS ? { picture, noiseStd } : undefined;
    change({ query: middle, corner: centred(middle), noise: noiseless ? GIVEN_NOISE : "0" });
  });
  /** @type {Noiseless} */
  let noiseless;
  const showNoise = noiseBar(stage, () => change({ noise: "0" }));
  const showMethod = methodControls(figure, row),
    parts = elements(stage, data.methods);
  const cleaners = createCleaners(figure, problem, row);
  const showWhole = wholeControls(figure, row, cleaners.askWhole);
  const pixelsOf = memo(pixelsIn);
  const [scaledBefore, scaledAfter] = [memo(scaledTo), memo(scaledTo)];

  /** @type {Draw} */
  function draw(now, { width }) {
    cleaners.askFor(now);
    const at = layout(width, now.shown),
      whole = now.isSmall ? undefined : wholeOf(now),
      part = partOf(now);
    showPicture(now);
    showMethod(now);
    showNoise(now, noiseless);
    showWhole(now, whole);
    if (now.isClose) paintPart(parts.photo, pixelsOf(now.picture, now.shown, now.noise), part, now.setting.line);
    else {
      const size = /** @type {const} */ ([Math.round(2 * at.width), Math.round(2 * at.height)]);
      const before = scaledBefore(now.picture.canvas, ...size);
      paintWhole(parts.photo, before, whole && scaledAfter(whole, ...size), now.setting.line);
    }
    drawFrame(parts, at, now, data.methods);
    const isKnown = now.isClose ? part : whole;
    setText(parts.sides[1], isKnown ? "cleaned" : now.isClose ? "cleaning …" : "not cleaned yet");
    drawTiles(parts, now);
    sayDurations(parts.buttons, now);
  }

  followExample(figure, problem);
  bindGestures(figure, parts);
  bindTakeAway(figure, parts, problem);
  return draw;
}

const centred = (/** @type {number[]} */ [row, column]) => [
  Math.max(row - (CLOSE_UP.height >> 1), 0),
  Math.max(column - (CLOSE_UP.width >> 1), 0),
];

/**
 * Load the example and the trained projections when the figure is near the viewport.
 * @param {Figure} figure
 * @param {Problem} problem
 */
function followExample(figure, problem) {
  async function load() {
    const packed = await loadLazy(figure.model, "example_lazy");
    if (figure.signal.aborted) return;
    const example = exampleOf(packed, figure.data),
      isShown = figure.now.picture === figure.data.placeholder;
    figure.answer({ example, maps: unpack(packed.maps).planes, ...(isShown && { picture: example }) });
  }
  const stop = onNearViewport(figure.root, () => problem.attempt(load));
  figure.signal.addEventListener("abort", stop);
}

/**
 * Draw the neighbourhood of the query: noisy until it is cleaned, and dimmed while it belongs to an earlier state.
 * @param {Parts} parts
 * @param {Figure["now"]} now
 */
function drawTiles(parts, now) {
  const { tiles } = now.answers,
    isCurrent = !!tilesOf(now),
    images = tiles?.of[0] === now.picture ? tiles?.images : undefined;
  const all = images ?? parts.tiles.map(() => pixelsIn(now.picture, now.tileBox, now.noise));
  parts.tiles.forEach((/** @type {HTMLCanvasElement} */ canvas, /** @type {number} */ k) => {
    const image = all[k],
      { width, height } = image;
    canvas.classList.toggle("past", !isCurrent);
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    contextOf(canvas).putImageData(image, 0, 0);
  });
}

/**
 * Create the bar over a photograph to which noise was added. Returns a function that shows it.
 * @param {HTMLElement} stage
 * @param {() => void} remove
 */
function noiseBar(stage, remove) {
  const bar = html("p", { class: "noise-bar", role: "status", hidden: "" });
  stage.before(bar);
  const text = html("span", {}, bar);
  html("button", { type: "button", text: "Remove it" }, bar).addEventListener("click", remove);
  return function show(/** @type {Figure["now"]} */ { picture, noise, psnr }, /** @type {Noiseless} */ noiseless) {
    bar.hidden = !noise.levels || noiseless?.picture !== picture;
    if (noiseless && !bar.hidden) setText(text, noiseText(noiseless.noiseStd, noise.levels, psnr?.[0]));
  };
}

/**
 * Create the buttons of a picture that is larger than the close-up.
 * @param {Figure} figure @param {HTMLElement} row @param {(now: Figure["now"]) => void} clean
 */
function wholeControls(figure, row, clean) {
  const button = (/** @type {() => void} */ act) => {
    const made = html("button", { type: "button", hidden: "" }, row);
    made.addEventListener("click", act);
    return made;
  };
  const toggle = button(() => figure.change({ view: figure.now.isClose ? "whole picture" : "close-up" }));
  const start = button(() => {
    figure.change({ view: "whole picture" });
    clean(figure.now);
  });
  return function show(/** @type {Figure["now"]} */ now, /** @type {HTMLCanvasElement | undefined} */ whole) {
    toggle.hidden = now.isSmall;
    start.hidden = now.isSmall || !!whole;
    setText(toggle, now.isClose ? "Whole photograph" : "Close-up");
    const expected = expectedSeconds(now, now.year);
    setText(start, `Clean the whole photograph${expected ? ` (${expected})` : ""}`);
  };
}

/**
 * How long a method will take for the whole photograph, as text: from the close-up if it is cleaned by this
 * method, else from the method's small image, whose margins make that an upper limit; empty until one of them is
 * known.
 * @param {Figure["now"]} now @param {number} year
 */
function expectedSeconds(now, year) {
  const { part, tiles } = now.answers,
    of = (/** @type {Size} */ { height, width }) => height * width;
  if (year === now.year && now.isClose && part?.seconds && partOf(now))
    return `about ${durationText((part.seconds[0] * of(now.picture)) / of(now.shown))}`;
  const k = now.methods.findIndex((method) => method.year === year);
  return tiles?.seconds ? `at most about ${durationText((tiles.seconds[k] * of(now.picture)) / of(now.tileBox))}` : "";
}

/**
 * Say of each method's small image how long the whole photograph will take.
 * @param {HTMLButtonElement[]} buttons
 * @param {Figure["now"]} now
 */
function sayDurations(buttons, now) {
  now.methods.forEach(({ year }, k) => {
    const expected = now.isSmall ? "" : expectedSeconds(now, year);
    buttons[k].title = expected && `The whole photograph: ${expected}`;
  });
}

/** Let the pointer and the keys move query and line, and choose methods. @param {Figure} figure @param {Parts} parts */
function bindGestures(figure, parts) {
  const { change } = figure;
  const corner = () => [figure.now.shown.top, figure.now.shown.left];
  dragQuery(figure, {
    handle: parts.queryHandle,
    pictures: [parts.grip],
    image: () => figure.now.shown,
    query: () => /** @type {[number, number]} */ (figure.now.query.map((index, i) => index - corner()[i])),
    move(local) {
      const { picture, isClose } = figure.now,
        query = inside(
          picture,
          local.map((index, i) => index + corner()[i]),
        );
      change({ query, corner: isClose ? cornerAround(corner(), query) : centred(query) });
    },
  });
  dragLine(figure, parts, 100);
  parts.buttons.forEach((/** @type {HTMLButtonElement} */ button, /** @type {number} */ k) =>
    button.addEventListener("click", () => change({ year: String(figure.data.methods[k].year) })),
  );
}

/**
 * Offer the pictures, the numbers and the code.
 * @param {Figure} figure
 * @param {Parts} parts
 * @param {Problem} problem
 */
function bindTakeAway(figure, { canvas, photo, tiles }, problem) {
  const title = () => figure.root.querySelector(".lf-sentence")?.textContent ?? "";
  const cleaned = () => {
    const whole = wholeOf(figure.now);
    if (!whole) throw new InvalidInput("Expected a cleaned photograph: press “Clean the whole photograph” and wait.");
    return whole;
  };
  const before = () => {
    const { picture, noise } = figure.now;
    return noise.levels
      ? canvasWith(pixelsIn(picture, boxIn(picture, [0, 0], picture), noise).data, picture)
      : picture.canvas;
  };
  const saveCleaned = async () => saveFile(CLEANED_FILE, await pngFile(cleaned()));
  const savePicture = async () => saveFile(PICTURE_FILE, await pngFile(before()));
  const saveBoth = async () => saveFile(BOTH_FILE, await pngFile(sideBySide(before(), cleaned())));
  createTakeAway(
    figure,
    {
      saves: {
        "Cleaned photograph (PNG)": saveCleaned,
        "Photograph before (PNG)": savePicture,
        "Before and after (PNG)": saveBoth,
        "Weights (CSV)": () => saveText(WEIGHTS_FILE, weightsCsv(figure.now), "text/csv"),
        "Figure (SVG)": () =>
          saveText("your_photo_figure.svg", svgOf(canvas, title(), [photo, ...tiles]), "image/svg+xml"),
        "Figure (PNG)": async () => saveFile("your_photo_figure.png", await pngOf(canvas, [photo, ...tiles])),
      },
      code: () => codeFor(figure.now),
      note: () =>
        "The link (“Share”) holds the settings, not the photograph. The code needs this course's package, and " +
        "“Photograph before (PNG)” in the same folder: the pixels as the page has them, turned upright and with 8 bits.",
    },
    problem,
  );
}

/** Draw two canvases of the same size side by side. @param {HTMLCanvasElement} left @param {HTMLCanvasElement} right */
function sideBySide(left, right) {
  const both = html("canvas", { width: 2 * left.width, height: left.height }),
    context = both.getContext("2d");
  context.drawImage(left, 0, 0);
  context.drawImage(right, left.width, 0);
  return both;
}

export default defineFigure("your-photo", {
  hint: "Drop or paste a photograph. Drag the ring, or the line. Keyboard: Tab, arrows.",
  data: prepare,
  settings: () => ({ query: placeSetting, corner: placeSetting }),
  answers: ({ placeholder, moment }) => ({
    picture: placeholder,
    example: undefined,
    maps: [0, 1].map(() => new Float64Array(moment.length ** 2)),
    ...{ tiles: undefined, part: undefined, whole: undefined },
  }),
  compute,
  state,
  sentence,
  view,
});
