import { onSite } from "../contract/url_state.js";
import { clamp, format } from "../parts/numbers.js";
import { cross, describeQuery, paintPixels, QUERY_HANDLE, weightMap } from "../parts/photograph.js";
import { html, lay, legend, resize, set, svg, translate } from "../parts/plot.js";

// The elements, where they are, and how they are drawn.

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
export const cropAround = ({ height, width }, [row, column], crop) =>
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
export function elements(stage, methods, guess) {
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
export function arrange(root, parts, image, width) {
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

export function drawQuery(parts, { photo: { x, y, scale }, crop }, image, [row, column], observed) {
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
export function drawTrail(parts, { photo: { scale } }, { height, width }, mask) {
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
export function paintCopies(parts, { crop }, { photo, pixels: cleaned }, mask, query) {
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
