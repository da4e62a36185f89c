import { brightness as SHARES, brush as BRUSH } from "../../constants.json";
import { onSite, readState } from "../contract/url_state.js";
import { defineFigure, memo } from "../contract/figure.js";
import { prefersReducedMotion } from "../parts/drag.js";
import { openImage, valuesOf, weightsOf, withBandwidth } from "./methods.js";
import { clamp, format, role } from "../parts/numbers.js";
import {
  cross,
  describeQuery,
  greyPixel,
  dragQuery,
  inside,
  paint,
  paintPixels,
  pixelSetting,
  QUERY_HANDLE,
  unpack,
  weightMap,
  withNoise,
} from "../parts/photograph.js";
import { playButton } from "../parts/play.js";
import { html, lay, legend, resize, set, svg, translate } from "../parts/plot.js";
import { average, keysForShare, totalVariation } from "../methods/weights.js";
import { createWorker } from "../parts/workers.js";

// A noisy photograph and a brush. Where it scrubs, six copies become clean, each by its own method. A copy shows what lies around
// the brush, enlarged, and beside it the weights that the method gives the pixels around the query. How far each is from the
// photograph without noise is told when the reader has guessed, or scrubs.

const NO_GUESS = "none";

// ---- The brush --------------------------------------------------------------------------------------------

/** A brush for an image: it paints disks whose middles lie on a grid, so that few numbers say what is painted. */
function brushFor({ height, width }) {
  const { radii_per_side, steps_per_radius } = BRUSH;
  const radius = Math.round(Math.max(height, width) / radii_per_side),
    step = Math.ceil(radius / steps_per_radius);
  const columns = Math.ceil(width / step),
    count = columns * Math.ceil(height / step);
  const dabAt = ([row, column]) => Math.floor(row / step) * columns + Math.floor(column / step);

  /** The dabs, and those along the line from one pixel to another. */
  function along(dabs, from, to) {
    const pixels = Math.max(...from.map((start, k) => Math.abs(to[k] - start)), 1);
    const line = Array.from({ length: pixels + 1 }, (_, i) =>
      dabAt(from.map((start, k) => Math.round(start + ((to[k] - start) * i) / pixels))),
    );
    return [...new Set([...dabs, ...line])];
  }

  /** 1 where a pixel is painted. */
  function painted(dabs) {
    const mask = new Uint8Array(height * width);
    for (const dab of dabs.filter((each) => each < count)) {
      const row = Math.floor(dab / columns) * step + (step >> 1),
        column = (dab % columns) * step + (step >> 1);
      for (let r = Math.max(row - radius, 0); r <= Math.min(row + radius, height - 1); r += 1) {
        const reach = Math.floor(Math.sqrt(radius ** 2 - (r - row) ** 2));
        mask.fill(1, r * width + Math.max(column - reach, 0), r * width + Math.min(column + reach + 1, width));
      }
    }
    return mask;
  }

  return { count, along, painted };
}

/** Dabs in the address, by their numbers. */
const dabSetting = ({ count }) => ({
  write: (dabs) => dabs.join("."),
  read: (text) => {
    const dabs = text === "" ? [] : text.split(".").map(Number);
    return dabs.every((dab) => Number.isInteger(dab) && dab >= 0 && dab < count) ? [...new Set(dabs)] : undefined;
  },
});

// ---- What is seen of a photograph -------------------------------------------------------------------------

/** A photograph as the figure works on it, with its noise. */
const opened = (clean, noisy, given) => ({
  ...clean,
  clean,
  noisy,
  fixed: openImage(noisy, given),
  brush: brushFor(clean),
  noisyPixels: Uint32Array.from(noisy.planes[0], greyPixel),
});

/** The copies of a photograph at a bandwidth. With another one, all that was cleaned is cleaned anew. */
function copiesOf(photo, bandwidth) {
  const prepared = withBandwidth(photo.fixed, bandwidth);
  const { methods } = photo.fixed.given;
  const size = photo.height * photo.width;
  return {
    photo,
    bandwidth,
    prepared,
    cleaned: methods.map(() => new Float64Array(size).fill(NaN)),
    pixels: methods.map(() => new Uint32Array(size)), // 0 where nothing has been cleaned
    nCleaned: 0,
  };
}

/** Keep what the methods, in their order, make of the pixels at these places. */
function keepCleaned(copies, places, estimates) {
  places.forEach((place, i) => {
    estimates[i].forEach((value, k) => {
      copies.cleaned[k][place] = value;
      copies.pixels[k][place] = greyPixel(value);
    });
  });
  copies.nCleaned += places.length;
}

/** What is shown of one query. */
function resultsOf({ photo: { clean, noisy }, prepared }, query) {
  const [weights, values] = [weightsOf(prepared, query), valuesOf(prepared, query)];
  const each = (find) =>
    Object.fromEntries(prepared.photo.given.methods.map(({ name }) => [name, find(weights[name])]));
  const [observed, truth] = [noisy, clean].map(({ planes: [plane] }) => plane[query[0] * clean.width + query[1]]);
  return {
    weights,
    shown: {
      estimate: each((of) => average(of, values)),
      keys_for_90_percent: each((of) => keysForShare(of, 0.9)),
      noisy: observed,
      clean: truth,
      misplaced: totalVariation(weights.attention, weights.performer),
    },
  };
}

/** How far each method is from the photograph without noise, over what the brush has painted and the worker cleaned. */
function errorsOf({ photo, cleaned }, mask, methods) {
  const [truth] = photo.clean.planes;
  const found = cleaned.map((plane) => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < mask.length; i += 1) {
      if (!mask[i] || Number.isNaN(plane[i])) continue;
      sum += (plane[i] - truth[i]) ** 2;
      count += 1;
    }
    return { count, error: count ? Math.sqrt(sum / count) : null };
  });
  return {
    brushed: mask.reduce((sum, each) => sum + each, 0),
    cleaned: found[0].count,
    error: Object.fromEntries(methods.map(({ name }, k) => [name, found[k].error])),
  };
}

// ---- The worker -------------------------------------------------------------------------------------------

const AT_ONCE = 48; // pixels: about a frame

/** A worker that cleans pixels, some at a time: those that `wanted()` names when the last ones are done. */
function cleanerInWorker(code, task) {
  let isBusy = false; // after a fault for ever
  const next = () => {
    const message = isBusy ? undefined : task.wanted();
    if (!message) return;
    isBusy = true;
    worker.post(message);
  };
  const listen = (data) => {
    isBusy = false;
    task.listen(data);
    next();
  };
  const worker = createWorker(code, { listen, fail: task.fail });
  return { next, end: worker.end };
}

/** Some of the painted pixels that nobody has cleaned: the one next to the query and those around it, which share keys. */
function missing({ cleaned: [plane], photo: { width } }, mask, query) {
  const places = [];
  for (let i = 0; i < mask.length; i += 1) if (mask[i] && Number.isNaN(plane[i])) places.push(i);
  if (places.length <= AT_ONCE) return places;
  const [first] = nearest(places, query, width, 1);
  return nearest(places, [Math.floor(first / width), first % width], width, AT_ONCE);
}

/** So many of the places, those nearest to a pixel. Only the near ones are sorted: thousands may wait. */
function nearest(places, [row, column], width, count) {
  const far = (place) => (Math.floor(place / width) - row) ** 2 + ((place % width) - column) ** 2;
  let near = [];
  for (let reach = 16; near.length < count; reach *= 4) near = places.filter((place) => far(place) <= reach);
  return near.sort((a, b) => far(a) - far(b)).slice(0, count);
}

// ---- The picture ------------------------------------------------------------------------------------------

const HEAD = 36,
  GAP = 18,
  TITLE = 20,
  LINE = 19,
  NEAR = 8, // between a copy and what stands beside it
  MAP = 56, // for the weights
  CROP = 32; // pixels of the photograph that a copy shows

const SQUARE = "M1 -11h13v13h-13z";
const LEGEND_WORDS = [
  { name: "weight", text: "how much a pixel counts", d: SQUARE },
  { name: "most", text: "these count for 90\u00a0%", d: SQUARE },
  { name: "query", text: "the pixel in the middle, the query", d: SQUARE },
];

/** Where things are, in pixels, for a figure of this width: constants beside each copy, on narrow screens below it. */
function layout(width, image, count) {
  const isNarrow = width < 700;
  const columns = width < 560 ? 2 : 3;
  const beside = isNarrow ? 0 : NEAR + MAP;
  const side = isNarrow ? (width - (columns - 1) * GAP) / columns : (width - 24 - 2 * GAP - 3 * beside) / 5;
  const longest = isNarrow ? Math.min(0.57 * width, 300) : 1.75 * side;
  const scale = longest / Math.max(image.height, image.width);
  const photo = { x: 0, y: TITLE, scale, width: scale * image.width, height: scale * image.height };
  const row = HEAD + side + (isNarrow ? NEAR + MAP + 14 : 12);
  const places = Array.from({ length: count }, (_, i) => ({
    x: (i % columns) * (side + beside + GAP),
    y: Math.floor(i / columns) * row,
  }));
  const constants = isNarrow ? { x: 0, y: HEAD + side + NEAR } : { x: side + NEAR, y: HEAD };
  const words = Math.ceil(count / columns) * row + 4;
  const across = columns * (side + beside + GAP) - GAP,
    inRow = across > 590; // else each word of the legend on a line of its own
  const copies = { width: across, height: words + (inRow ? 1 : LEGEND_WORDS.length) * LINE };
  const aside = isNarrow
    ? { x: longest + 14, y: TITLE, width: width - longest - 14 }
    : { x: 0, y: photo.y + photo.height + 10, width: longest };
  const start = isNarrow ? { width, height: TITLE + longest } : { width: longest, height: copies.height };
  const crop = Math.min(CROP, image.height, image.width);
  return { isNarrow, side, crop, photo, places, constants, copies, start, aside, words, inRow };
}

/** The first row and column of what the copies show: the query stands in the middle, or as near to it as the border lets it. */
const cropAround = ({ height, width }, [row, column], crop) =>
  [
    [row, height],
    [column, width],
  ].map(([middle, length]) => clamp(middle - (crop >> 1), 0, length - crop));

/** A method's copy: year, name, which leads to its chapter, what changed; beside it the weights and how far off it is. */
function panel(copies, canvas, { name, year, title, change, chapter }, guess) {
  const picture = html("canvas", { class: `copy ${name}`, "aria-hidden": "true" }, copies);
  copies.insertBefore(picture, canvas);
  const group = svg("g", { class: `method ${name}` }, canvas);
  const date = svg("text", { class: "year", text: year }, group);
  const link = svg("a", { href: chapter + (onSite() ? ".html" : ".ipynb") }, group);
  const heading = svg("text", { class: "title", y: 14, text: `${title}\u00a0›` }, link);
  svg("text", { class: "change", y: 30, text: change }, group);
  const rim = svg("rect", { class: "rim", y: HEAD }, group);
  const here = svg("rect", { class: "frame" }, svg("svg", { class: "panel", y: HEAD }, group));
  const drawWeights = weightMap(group);
  const number = svg("text", { class: "number" }, group);
  const unit = svg("text", { class: "unit" }, group);
  const mark = svg("text", { class: "mark" }, group);
  const veil = html("button", { type: "button", class: "veil", "aria-label": `This one? ${title}` }, copies);
  html("span", { text: "This one?" }, veil);
  veil.addEventListener("click", () => guess(name));
  return {
    picture,
    veil,
    /** What depends on the width alone. */
    arrange({ x, y }, { side, constants, isNarrow }) {
      set(group, { transform: translate(x, y) });
      const isSmall = side + constants.x < 200;
      set(date, { y: 14, visibility: isSmall ? "hidden" : "visible" });
      set(heading, { x: isSmall ? 0 : 37 });
      const words = isNarrow ? { x: constants.x + MAP + 8, y: constants.y - MAP } : constants;
      [20, 35, 53].forEach((down, k) => set([number, unit, mark][k], { x: words.x, y: words.y + MAP + down }));
      for (const each of [rim, here.parentElement]) set(each, { width: side, height: side });
      for (const each of [picture, veil]) lay(each, { x, y: y + HEAD, width: side, height: side });
    },
    drawQuery({ side, crop, constants }, [row, column], weights, count) {
      const scale = side / crop;
      const size = Math.sqrt(weights.length) * scale; // of the window
      set(here, { x: (column + 0.5) * scale - size / 2, y: (row + 0.5) * scale - size / 2, width: size, height: size });
      drawWeights(weights, count, { ...constants, width: MAP });
    },
    say(off, isNearest, isGuess) {
      number.textContent = off === null ? "" : format(255 * off, 1);
      unit.textContent = off === null ? "" : "levels off";
      mark.textContent = isNearest ? "nearest" : isGuess ? "yours" : "";
      group.classList.toggle("nearest", isNearest);
    },
  };
}

/** The elements of the picture. */
function elements(stage, methods, guess) {
  const start = html("div", { class: "start" }, stage);
  const photo = html("canvas", { class: "photo", "aria-hidden": "true" }, start);
  const canvas = svg("svg", { class: "canvas" }, start);
  const copies = html("div", { class: "copies", role: "group", "aria-label": "Guess which copy is nearest" }, stage);
  const copiesCanvas = svg("svg", { class: "canvas panels" }, copies);
  const add = (tag, name, parent, attributes) => svg(tag, { class: name, ...attributes }, parent);
  const parts = { start, photo, canvas, copies, copiesCanvas };
  add("text", "title", canvas, { y: 13, text: "The noisy photograph" });
  parts.photoPanel = add("svg", "panel", canvas);
  parts.trails = ["trail-halo", "trail"].map((name) => add("path", name, parts.photoPanel));
  parts.frames = ["halo", "frame"].map((name) => add("rect", name, parts.photoPanel));
  parts.crosses = ["cross-halo", "cross"].map((name) => add("path", name, parts.photoPanel));
  parts.legend = add("g", "legend", copiesCanvas);
  parts.grip = html("div", { class: "grip" }, start);
  parts.queryHandle = html("div", QUERY_HANDLE, start);
  parts.aside = html("div", { class: "aside" }, start);
  parts.buttons = html("div", { class: "buttons" }, parts.aside); // for Play
  parts.own = html("button", { type: "button", text: "Your photograph" }, parts.aside);
  parts.verdict = html("p", { class: "verdict", "aria-hidden": "true" }, parts.aside); // the sentence says it, too
  parts.note = html("p", { class: "note", role: "status" }, parts.aside);
  parts.file = html("input", { type: "file", accept: "image/*", hidden: "", "aria-label": "Your photograph" }, start);
  parts.methods = methods.map((method) => panel(copies, copiesCanvas, method, guess));
  return parts;
}

/** What depends on the width and the photograph alone. */
function arrange(root, parts, image, width) {
  const at = { ...layout(width, image, parts.methods.length), width, image };
  const { photo, start, copies, aside } = at;
  root.classList.toggle("narrow", at.isNarrow);
  root.classList.toggle("fine", Math.max(image.height, image.width) > 128);
  Object.assign(parts.start.style, { width: `${start.width}px`, height: `${start.height}px` });
  resize(parts.canvas, start.width, start.height);
  resize(parts.copiesCanvas, copies.width, copies.height);
  Object.assign(parts.copies.style, { width: `${copies.width}px`, height: `${copies.height}px` });
  const sized = (each, size) => each.width === size.width && each.height === size.height;
  const sizes = parts.methods.map(({ picture }) => [picture, { width: at.crop, height: at.crop }]);
  for (const [each, { width, height }] of [[parts.photo, image], ...sizes]) {
    if (!sized(each, { width, height })) Object.assign(each, { width, height });
  }
  for (const each of [parts.photo, parts.grip]) lay(each, photo);
  set(parts.photoPanel, photo);
  legend(parts.legend, LEGEND_WORDS, { y: at.words + 13, gap: 38, width: at.inRow ? width : 0, line: LINE });
  lay(parts.aside, { ...aside, height: 0 });
  parts.methods.forEach((method, i) => method.arrange(at.places[i], at));
  return at;
}

function drawQuery(parts, { photo: { x, y, scale }, crop }, image, [row, column], observed) {
  const [top, left] = cropAround(image, [row, column], crop);
  const box = { x: left * scale, y: top * scale, width: crop * scale, height: crop * scale };
  const middle = { x: (column + 0.5) * scale, y: (row + 0.5) * scale };
  const { d, hold } = cross(5);
  parts.frames.forEach((frame) => set(frame, box));
  parts.crosses.forEach((each) => set(each, { d, transform: translate(middle.x, middle.y) }));
  lay(parts.queryHandle, { x: x + middle.x - hold, y: y + middle.y - hold, width: 2 * hold, height: 2 * hold });
  describeQuery(parts.queryHandle, image, [row, column], `noisy ${format(observed, 3)}`);
}

/** Around what the brush has painted. */
function drawTrail(parts, { photo: { scale } }, { height, width }, mask) {
  let d = "";
  const edge = (isOutside, line) => (d += isOutside ? line : "");
  for (let i = 0; i < mask.length; i += 1) {
    if (!mask[i]) continue;
    const [row, column] = [Math.floor(i / width), i % width];
    edge(row > 0 && !mask[i - width], `M${column} ${row}h1`);
    edge(row < height - 1 && !mask[i + width], `M${column} ${row + 1}h1`);
    edge(column > 0 && !mask[i - 1], `M${column} ${row}v1`);
    edge(column < width - 1 && !mask[i + 1], `M${column + 1} ${row}v1`);
  }
  parts.trails.forEach((trail) => set(trail, { d, transform: `scale(${scale})` }));
}

/** The copies, around the query: noisy, and clean where the brush was. */
function paintCopies(parts, { crop }, { photo, pixels: cleaned }, mask, query) {
  const [top, left] = cropAround(photo, query, crop),
    size = { height: crop, width: crop };
  parts.methods.forEach(({ picture }, k) => {
    const pixels = Uint32Array.from({ length: crop * crop }, (_, i) => {
      const place = (top + Math.floor(i / crop)) * photo.width + left + (i % crop);
      return (mask[place] && cleaned[k][place]) || photo.noisyPixels[place];
    });
    paintPixels(picture, size, pixels);
  });
}

/** The methods, the nearest to the photograph without noise first, once pixels have been cleaned. */
const ranked = (methods, { cleaned, error }) =>
  cleaned ? [...methods].sort((a, b) => error[a.name] - error[b.name]) : [];

/** In few words, beside the photograph. */
function verdict({ methods }, { setting: { guess }, errors }) {
  if (!guess) return "Six copies, one brush. Which is nearest to the photograph without noise? Press it.";
  const [best] = ranked(methods, errors),
    own = methods.find(({ name }) => name === guess);
  if (!best) return errors.brushed ? "The six methods are at work." : "Lead the brush over it.";
  const off = ({ name }) => `${format(255 * errors.error[name], 1)}\u00a0grey levels off`;
  if (own === best) return `You guessed it: ${best.title} is nearest, ${off(best)}.`;
  return `${best.title} is nearest, ${off(best)}.${own ? ` Your guess, ${own.title}, is ${off(own)}.` : ""}`;
}

const levels = (error) => role("estimate", `${format(255 * error, 1)}\u00a0grey levels`);

function sentence({ methods, radius, isBroken }, { setting: { guess }, query: [row, column], results, errors }) {
  const { keys_for_90_percent } = results.shown,
    { brushed, cleaned, error } = errors;
  if (isBroken && !cleaned) return "The six methods could not work here.";
  if (!guess)
    return (
      `Each copy shows, enlarged, what lies in the ${role("key", "large frame")}, clean inside the ${role("query", "line of the brush")}. ` +
      `In the ${role("key", "small frame")} are the pixels that are averaged for ${role("query", "the one in the middle")}.`
    );
  if (!cleaned)
    return brushed ? "The six methods are at work." : "Lead the brush over the photograph: six copies become clean.";
  const order = ranked(methods, { cleaned, error });
  const [best, worst, own] = [order[0], order.at(-1), order.find(({ name }) => name === guess)];
  const judged = !own
    ? ""
    : own === best
      ? "You guessed it. "
      : `You guessed ${own.title}, which is off by ${levels(error[own.name])}. `;
  const counts = ({ name }) => role("weight", `${keys_for_90_percent[name]} of ${(2 * radius + 1) ** 2} pixels`);
  return (
    `${judged}Under the brush, ${best.title} is nearest to the photograph without noise, off by ` +
    `${levels(error[best.name])} of 255, and ${worst.title} is farthest, off by ${levels(error[worst.name])}. For ` +
    `${role("query", `the pixel in row ${row}, column ${column}`)}, 90\u00a0% of the weight lies on ` +
    `${counts(best)} with ${best.title}, and on ${counts(worst)} with ${worst.title}.`
  );
}

// ---- A photograph of one's own ----------------------------------------------------------------------------

const LONGEST = 256,
  OWN_PHOTOGRAPH = "It stays on this page, in grey and with noise added. Lead the brush over it.";

/** Normal numbers, by Box and Muller. */
const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

/** The picture in a file, in grey and small, or an error. It goes nowhere else. @param {File} file */
async function greyPicture(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((length) => Math.max(Math.round(scale * length), 1));
  const canvas = html("canvas", { width, height });
  const context = canvas.getContext("2d");
  Object.assign(context, { imageSmoothingQuality: "high", fillStyle: "white" });
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  const grey = (_, i) => SHARES.reduce((sum, share, c) => sum + share * data[4 * i + c], 0) / 255;
  return { height, width, planes: [Float64Array.from({ length: height * width }, grey)] };
}

// ---- The figure -------------------------------------------------------------------------------------------

/** The course's photograph and the reader's own, what the methods know, and what follows from a setting. */
function withPhotographs(constants) {
  const { methods, moment, disk, noise_std, radius, patch_radius } = constants;
  const [clean, noise, maps, frequencies] = [
    constants.clean,
    constants.noise,
    constants.maps,
    constants.frequencies,
  ].map(unpack);
  const [queryMap, keyMap] = maps.planes;
  const given = { methods, queryMap, keyMap, frequencies: frequencies.planes[0], moment, disk, radius, patch_radius };
  return {
    ...constants,
    clean,
    given,
    photographs: [opened(clean, withNoise(clean, noise, noise_std), given)],
    copiesOf: memo(copiesOf),
    maskOf: memo((photo, dabs) => photo.brush.painted(dabs)),
    resultsAt: memo((copies, row, column) => resultsOf(copies, [row, column])),
    isBroken: false, // the worker
  };
}

/** What the address can say. Of a photograph of one's own it says nothing. */
function settings({ clean, methods }, model) {
  const ofCourse = (kind) => ({ ...kind, write: (stored) => (model.get("photo") ? "" : kind.write(stored)) });
  const guesses = [NO_GUESS, ...methods.map(({ name }) => name)];
  return {
    query: ofCourse(pixelSetting(clean)),
    brush: ofCourse(dabSetting(brushFor(clean))),
    guess: { write: (name) => name, read: (text) => (guesses.includes(text) ? text : undefined) },
    photo: { write: () => "", read: () => undefined },
  };
}

function compute({ photographs, copiesOf, maskOf, resultsAt, methods }, setting) {
  const photo = photographs[setting.photo] ?? photographs[0],
    query = inside(photo, setting.query);
  const copies = copiesOf(photo, setting.bandwidth),
    mask = maskOf(photo, setting.brush);
  return { photo, query, copies, mask, results: resultsAt(copies, ...query), errors: errorsOf(copies, mask, methods) };
}

const state = (_, { setting, query, results, errors }) => ({
  query,
  bandwidth: setting.bandwidth,
  guess: setting.guess,
  dabs: setting.brush,
  ...errors,
  ...results.shown,
});

/** What pointer, keys and Play do. */
function letHandsScrub(figure, parts) {
  const { change, setting } = figure,
    { path, moves_first, photographs } = figure.data;
  let from; // where the brush was; a new stroke begins where the pointer goes down
  const scrub = (pixel) => {
    const { photo } = figure.now,
      to = inside(photo, pixel);
    change({
      guess: setting().guess || NO_GUESS,
      query: to,
      brush: photo.brush.along(setting().brush, from ?? to, to),
    });
    from = to;
  };
  figure.stage.addEventListener("pointerdown", () => (from = undefined), { capture: true });
  figure.stage.addEventListener("keydown", () => (from = setting().query), { capture: true });
  const { queryHandle: handle, grip } = parts;
  dragQuery(figure, { handle, pictures: [grip], image: () => figure.now.photo, move: scrub });

  const stroke = (traits) => {
    let brush = [];
    return path.map((query, i) => {
      brush = photographs[0].brush.along(brush, path[Math.max(i - 1, 0)], query);
      return { ...traits, photo: 0, query, brush };
    });
  };
  const frames = () => stroke({ guess: setting().guess || NO_GUESS });
  const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const isOnItsWay = () => {
    const place = ({ photo, query, brush }) => [photo, query, brush];
    return frames().some((frame) => isSame(place(frame), place(setting())));
  };
  const story = { title: "Lead the brush along the tripod", frames, pause: 32 };
  const { play } = playButton({ ...figure, actions: parts.buttons }, story);
  const isSent = Object.keys(readState(figure.model.get("address"))).length > 0; // a setting that somebody chose
  const first = setting();
  const isUntouched = () => isSame(setting(), first);
  if (moves_first && onSite() && !prefersReducedMotion() && !isSent)
    whenLookedAt(figure, () => isUntouched() && play(stroke({})));
  /** A guess is about the whole way: a brush that is on it comes to its end. */
  return (guess) => change({ ...(isOnItsWay() ? frames().at(-1) : {}), guess });
}

const LOOKED_AT = 1200; // milliseconds

/** Once, when the figure has been in view for a while and nobody has touched anything. */
function whenLookedAt({ stage, signal }, act) {
  const waiting = new AbortController();
  let clock;
  const end = () => {
    clearTimeout(clock);
    seen.disconnect();
    waiting.abort();
  };
  const seen = new IntersectionObserver(
    ([{ isIntersecting }]) => {
      clearTimeout(clock);
      if (isIntersecting)
        clock = setTimeout(() => {
          end();
          act();
        }, LOOKED_AT);
    },
    { threshold: 0.6 },
  );
  for (const hand of ["pointerdown", "keydown", "hashchange"]) {
    addEventListener(hand, end, { capture: true, once: true, signal: waiting.signal });
  }
  signal.addEventListener("abort", end);
  seen.observe(stage);
}

/** A photograph that the reader opens. It goes nowhere else. */
function takePhotographs({ change, setting, data }, parts) {
  const { photographs, given, noise_std } = data;
  parts.own.addEventListener("click", () => parts.file.click());
  parts.file.addEventListener("change", async () => {
    const [file] = parts.file.files;
    parts.file.value = "";
    if (!file) return;
    try {
      const clean = await greyPicture(file);
      const noise = { ...clean, planes: [clean.planes[0].map(normal)] };
      photographs.push(opened(clean, withNoise(clean, noise, noise_std), given));
      const query = [clean.height >> 1, clean.width >> 1];
      change({ guess: setting().guess || NO_GUESS, photo: photographs.length - 1, query, brush: [] });
    } catch {
      parts.note.textContent = `Expected a picture, such as a JPEG or a PNG, got ${file.name}.`;
    }
  });
}

function view(figure) {
  const { data, root, stage } = figure,
    { methods, given, photographs } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, methods, (name) => {
    guess(name);
    parts.queryHandle.focus({ preventScroll: true });
  });
  let now, coming; // a frame that will show what the worker has sent

  const arranged = memo((photo, width) => {
    const at = arrange(root, parts, photo, width);
    paint(parts.photo, photo.noisy);
    parts.note.textContent = photo === photographs[0] ? "" : OWN_PHOTOGRAPH;
    return at;
  });
  // What the worker sends changes neither the trail nor the weights.
  const paintCopiesAt = memo((at, copies, mask, query, _nCleaned) => paintCopies(parts, at, copies, mask, query));
  const drawTrailAt = memo((at, photo, mask) => drawTrail(parts, at, photo, mask));
  const drawQueryAt = memo((at, { weights, shown }, query) => {
    drawQuery(parts, at, now.photo, query, shown.noisy);
    const [top, left] = cropAround(now.photo, query, at.crop),
      here = [query[0] - top, query[1] - left];
    methods.forEach(({ name }, k) =>
      parts.methods[k].drawQuery(at, here, weights[name], shown.keys_for_90_percent[name]),
    );
  });

  function draw(drawn, { width }) {
    now = drawn;
    const { photo, copies, mask, errors, results, setting } = now,
      { guess } = setting;
    const at = arranged(photo, width);
    paintCopiesAt(at, copies, mask, now.query, copies.nCleaned);
    drawTrailAt(at, photo, mask);
    drawQueryAt(at, results, now.query);
    root.classList.toggle("veiled", !guess);
    const [nearest] = guess ? ranked(methods, errors) : [];
    methods.forEach((method, k) =>
      parts.methods[k].say(guess ? errors.error[method.name] : null, method === nearest, method.name === guess),
    );
    parts.verdict.textContent = verdict(data, now);
    stage.classList.toggle("stale", errors.cleaned < errors.brushed && !data.isBroken);
    cleaner.next();
  }

  const cleaner = cleanerInWorker(data.worker_code, {
    sent: undefined, // the photograph that the worker has
    wanted() {
      const { photo, copies, mask, query } = now;
      const pixels = missing(copies, mask, query);
      if (!pixels.length) return undefined;
      const open = this.sent === photo ? undefined : { noisy: photo.noisy, given };
      this.sent = photo;
      return { run: photographs.indexOf(photo), open, bandwidth: copies.bandwidth, pixels };
    },
    listen({ run, bandwidth, pixels, estimates }) {
      const { copies } = now;
      if (photographs[run] !== copies.photo || bandwidth !== copies.bandwidth) return;
      keepCleaned(copies, pixels, estimates);
      cancelAnimationFrame(coming);
      coming = requestAnimationFrame(figure.redraw);
    },
    fail() {
      data.isBroken = true;
      figure.redraw();
    },
  });
  const guess = letHandsScrub(figure, parts);
  takePhotographs(figure, parts);
  figure.signal.addEventListener("abort", () => {
    cancelAnimationFrame(coming);
    cleaner.end();
  });
  return draw;
}

export default defineFigure("one-query", {
  hint: "Lead the brush with mouse or finger. Keyboard: Tab, arrow keys; with Shift, ten pixels at a time.",
  data: withPhotographs,
  settings,
  compute,
  state,
  sentence,
  view,
});
