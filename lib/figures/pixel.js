import constants from "../constants.json" with { type: "json" };
import { choiceSetting, liveFigure, numberSetting, role, symbolic } from "./core.js";
import { decimalsOf, format, onGrid, percent } from "./numbers.js";
import {
  cells,
  color,
  cross,
  describeQuery,
  holdQuery,
  inside,
  paint,
  pixelSetting,
  QUERY_HANDLE,
  unpack,
  weightMap,
  withNoise,
} from "./picture.js";
import { growing, playButton } from "./play.js";
import { BEFORE, html, lay, legend, repeat, resize, set, svg, translate } from "./plot.js";
import { reader, tellValues } from "./readout.js";
import { average, keysForShare, N_SHADES, softmax } from "./weights.js";
import {
  filterInSteps,
  POSITION_BLOCKS,
  steeringPlanes,
  VALUE_BLOCKS,
  windowKernel,
  windowKeys,
  windowLogWeights,
} from "./window.js";

// Left, the image with the query and, painted over its window, the weights. Middle, the same weights enlarged, and
// what comes out. Right, the image that the same average gives at every pixel; it follows when the hand rests.

const REST = 40,
  SLICE = 8; // milliseconds: the hand rests after so many, the filter works so many at a time
const NAMES = {
  gaussian: "Gaussian blur",
  bilateral: "Bilateral filter",
  nonlocal_means: "Non-local means",
  lark: "Steering kernel",
};
const COMPOSED = {
  // by position block and value block
  none: { none: "The mean of the window", pixel: "Range-only filter", patch: "Non-local means (2005)" },
  gaussian: {
    none: "Gaussian blur (N–W, 1964)",
    pixel: "Bilateral filter (1998)",
    patch: "Non-local means with position",
  },
  steering: {
    none: "Steering kernel (2007)",
    pixel: "Steering and value, a kernel without a name",
    patch: "Steering and patch, a kernel without a name",
  },
};

const decibels = (value) => (Number.isFinite(value) ? `${format(value, 1)}\u00a0dB` : "");

/** Peak signal-to-noise ratio in decibels, for a peak of 1. */
function psnr(planes, truth) {
  const squares = planes.map((plane, c) => plane.reduce((sum, value, i) => sum + (value - truth[c][i]) ** 2, 0));
  return -10 * Math.log10(squares.reduce((a, b) => a + b, 0) / (planes.length * planes[0].length));
}

/** Run a generator a few milliseconds at a time, so that hands and frames come first. Returns what stops it. */
function inSlices(generator, done) {
  const { port1, port2 } = new MessageChannel(); // unlike a timer, it is not made to wait
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

// ---- The picture ------------------------------------------------------------------------------------------

const TITLE = 26,
  LEGEND = 28,
  VALUE = 48; // heights

/** Where things are, in pixels, for a figure of this width and an image of this shape. */
function layout(width, image) {
  const at = (width < 680 ? narrow : wide)(width, image, Math.max(image.height, image.width));
  const bottom = Math.max(...Object.values(at).map(({ y, height }) => y + height));
  return { ...at, width, bottom, height: bottom + (width < 680 ? 2 : 1) * LEGEND };
}

const box = (x, y, scale, { height, width }) => ({ x, y, scale, width: scale * width, height: scale * height });

/** Three panels in a row. */
function wide(width, image, longest) {
  const room = (width + 16) / 3;
  const whole = Math.floor(room / longest) * longest;
  const side = whole > 0.94 * room ? whole : room; // whole pixels where they nearly fit
  const photo = box(0, TITLE, side / longest, image);
  const filtered = { ...photo, x: width - photo.width };
  const heat = { x: (width - side + 60) / 2, y: TITLE, width: side - 60, height: side - 60 };
  const third = heat.width / 3;
  const values = { x: heat.x, y: TITLE + side - VALUE, height: VALUE, across: third, down: 0, width: third - 8 };
  return { photo, filtered, heat, values };
}

/** The image and the values; below them weights and filtered image. */
function narrow(width, image, longest) {
  const photo = box(0, TITLE, Math.min(0.63 * width, 288) / longest, image);
  const x = photo.width + 16,
    down = VALUE + 18;
  const values = { x, y: TITLE, height: VALUE + 2 * down, across: 0, down, width: Math.min(width - x, 160) };
  const lower = 2 * TITLE + Math.max(photo.height, values.height) + 10;
  const side = Math.min((width - 16) / 2, 288);
  const heat = { x: 0, y: lower, width: side, height: side };
  const filtered = box(width - (side / longest) * image.width, lower, side / longest, image);
  return { photo, filtered, heat, values };
}

/** The elements of the picture, from back to front. */
function elements(stage, { height, width }) {
  const picture = (name) => html("canvas", { class: name, width, height, "aria-hidden": "true" }, stage);
  const photo = picture("photo"),
    filtered = picture("filtered");
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes, parent = canvas) => svg(tag, { class: name, ...attributes }, parent);
  const parts = { photo, filtered, canvas };
  for (const name of ["photo", "weight", "filtered"]) {
    parts[`${name}Title`] = add("text", `title ${name}`, { text: name });
    parts[`${name}Note`] = add("text", "note");
  }
  parts.photoPanel = add("svg", "panel");
  parts.window = add("g", "window", {}, parts.photoPanel);
  parts.painted = add("g", "shades painted", {}, parts.window);
  parts.frames = ["halo", "frame"].map((name) => add("rect", name, {}, parts.window));
  parts.self = add("rect", "self", { width: 1, height: 1 }, parts.window);
  parts.crosses = ["cross-halo", "cross"].map((name) => add("path", name, {}, parts.photoPanel));
  parts.drawWeights = weightMap(canvas);
  parts.grips = { photo: add("rect", "grip"), filtered: add("rect", "grip") };
  parts.mark = add("g", "mark");
  for (const name of ["mark-halo", "mark-ring"]) add("circle", name, { r: 6 }, parts.mark);
  parts.values = add("g", "values");
  parts.ghostSwatch = add("rect", "ghost");
  parts.legend = add("g", "legend");
  parts.queryHandle = html("div", QUERY_HANDLE, stage);
  return parts;
}

const LEGEND_WORDS = [
  { name: "query", words: "query", d: "M0 -5H5M11 -5H16M8 -13V-8M8 -2V3" },
  { name: "key", words: "its keys", d: "M1 -12h14v14h-14z" },
  { name: "weight", words: "weight", d: "M1 -12h14v14h-14z" },
  { name: "most", words: "90\u00a0% of it", d: "M1 -12h14v14h-14z" },
  BEFORE,
];

/** What depends on the width alone. */
function arrange(parts, image, width) {
  const at = layout(width, image);
  resize(parts.canvas, width, at.height);
  for (const name of ["photo", "filtered"]) {
    const { x, y, width: across, height: down } = at[name];
    set(parts.grips[name], { x, y, width: across, height: down });
    lay(parts[name], at[name]);
  }
  const { x, y, width: across, height: down } = at.photo;
  set(parts.photoPanel, { x, y, width: across, height: down });
  const panels = { photo: at.photo, weight: at.heat, filtered: at.filtered };
  for (const [name, { x, y, width: across }] of Object.entries(panels)) {
    set(parts[`${name}Title`], { x, y: y - 10 });
    set(parts[`${name}Note`], { x: x + across, y: y - 10 });
  }
  legend(parts.legend, LEGEND_WORDS, { y: at.bottom + 23, gap: 36, letter: 6.4, width, line: 20 });
  return at;
}

/** The photograph as it is wanted, and the filtered image. Returns what the photograph shows. */
function drawPhotos(parts, { noisy, clean, filtered }, view, shown) {
  const images = { noisy, clean, filtered: filtered.planes ? filtered : noisy };
  if (images[view] !== shown) paint(parts.photo, images[view]);
  if (!filtered.planes) paint(parts.filtered, noisy); // dimmed, until the first result
  parts.photoTitle.textContent = view;
  parts.photoNote.textContent = view === "clean" ? "" : decibels({ noisy, filtered }[view].psnr);
  parts.filteredNote.textContent = decibels(filtered.psnr) || "…";
  return images[view];
}

/** The window's weights, once over the photograph and once enlarged. */
function drawWindow(parts, at, radius, [row, column], weights, count, ghost) {
  const { scale } = at.photo,
    side = 2 * radius + 1;
  const paths = cells(weights, side);
  repeat(parts.painted, "path", N_SHADES, (path, k) => set(path, { d: paths[k], "fill-opacity": (k + 1) / N_SHADES }));
  const corner = translate((column - radius) * scale, (row - radius) * scale);
  set(parts.window, { transform: `${corner} scale(${scale})` });
  parts.frames.forEach((frame) => set(frame, { width: side, height: side }));
  set(parts.self, { x: radius, y: radius });
  parts.drawWeights(weights, count, at.heat, ghost);
  parts.weightNote.textContent = `up to ${percent(Math.max(...weights))}`;
}

function drawQuery(parts, at, image, radius, [row, column], estimate) {
  const centre = ({ x, y, scale }) => [x + (column + 0.5) * scale, y + (row + 0.5) * scale];
  const { d, hold } = cross((radius + 0.5) * at.photo.scale);
  const [x, y] = centre(at.photo),
    [right, down] = centre({ ...at.photo, x: 0, y: 0 });
  parts.crosses.forEach((each) => set(each, { d, transform: translate(right, down) }));
  const [markX, markY] = centre(at.filtered);
  set(parts.mark, { transform: translate(markX, markY) });
  lay(parts.queryHandle, { x: x - hold, y: y - hold, width: 2 * hold, height: 2 * hold });
  describeQuery(parts.queryHandle, image, [row, column], `estimate ${inWords(estimate)}`);
}

/** What was observed, estimated and true: how it looks, and how much it is or, in colour, how far from true. */
function drawValues(parts, at, { noisy, estimate, clean }) {
  const all = [
    ["value", "noisy", noisy],
    ["estimate", "estimate", estimate],
    ["truth", "true", clean],
  ];
  const off = (values) => format(Math.hypot(...values.map((value, c) => value - clean[c])), 2);
  const inColor = (values) => (values === clean ? "" : `${off(values)} off`);
  repeat(parts.values, "g", 3, (group, i) => {
    const { x, y, across, down, width } = at.values;
    const [name, words, values] = all[i];
    if (!group.firstChild) ["text", "rect", "text"].forEach((tag) => svg(tag, {}, group));
    const [label, swatch, number] = group.children;
    set(group, { class: name, transform: translate(x + i * across, y + i * down) });
    set(label, { y: 10 });
    set(swatch, { y: 15, width, height: 16, fill: color(values) });
    set(number, { y: 46 });
    label.textContent = words;
    number.textContent = values.length === 1 ? format(values[0], 3) : inColor(values);
  });
}

/** The estimate as it was, in a corner of what it is now, and in the legend. */
function drawGhost(parts, { values: { x, y, across, down, width } }, estimate) {
  const style = `fill: ${color(estimate)}`;
  set(parts.ghostSwatch, { x: x + across + width - 16, y: y + down + 15, width: 16, height: 16, style });
  parts.legend.querySelector(".was text").textContent = `before: ${inWords(estimate)}`;
}

const inWords = (values) =>
  values.length === 1 ? format(values[0], 3) : `(${values.map((value) => format(value, 2)).join(", ")})`;

function sentence({ method, parameters }, setting, [row, column], weights, count, { noisy, estimate, clean }) {
  const { position_block, value_block } = setting;
  const unused = [position_block === "none" && "bandwidth_space", value_block === "none" && "bandwidth_value"];
  const bandwidths = parameters.filter(([name, { trait }]) => /^bandwidth/.test(name) && !unused.includes(trait));
  const widths = bandwidths.map(
    ([, { symbol, trait, grid }]) => `${symbolic(symbol)} = ${format(setting[trait], decimalsOf(grid))}`,
  );
  const most = Math.max(...weights),
    own = weights[weights.length >> 1];
  return (
    `${[NAMES[method] ?? COMPOSED[position_block][value_block], ...widths].join(", ")}. ` +
    `${role("query", `Query: row ${row}, column ${column}`)}, ${role("value", `noisy ${inWords(noisy)}`)}. ` +
    `It takes 90\u00a0% of its weight from ${role("weight", `${count} of ${weights.length} keys`)}; ` +
    `its own weight is ${role("weight", percent(own))}${own < most ? `, the largest ${percent(most)}` : ""}. ` +
    `${role("estimate", `Estimate ${inWords(estimate)}`)}, true ${inWords(clean)}.`
  );
}

// ---- Values to read ---------------------------------------------------------------------------------------

const shortly = (values) => values.map((value) => format(value, 2)).join(", ");

/** What is known of a pixel, said at a point of the stage. @param {any} now @param {any} place */
function pixelMark({ clean, noisy, filtered, weights, radius, query }, place, x, y) {
  const [row, column] = place;
  const [down, right] = [row - query[0] + radius, column - query[1] + radius],
    side = 2 * radius + 1;
  const valuesOf = ({ planes }) => {
    const [r, c] = inside(clean, place);
    return shortly(planes.map((plane) => plane[r * clean.width + c]));
  };
  const inWindow = Math.min(down, right) >= 0 && Math.max(down, right) < side;
  const weight = inWindow ? `weight ${percent(weights[down * side + right])}, ` : "";
  const result = filtered?.planes ? `, filtered ${valuesOf(filtered)}` : "";
  return { x, y, words: `row ${row}, column ${column}: ${weight}noisy ${valuesOf(noisy)}${result}` };
}

/** Key i of the enlarged window. */
function keyMark(at, now, i) {
  const side = 2 * now.radius + 1,
    { x, y, width } = at.heat;
  const [row, column] = [Math.floor(i / side), i % side];
  const place = [row + now.query[0] - now.radius, column + now.query[1] - now.radius];
  return pixelMark(now, place, x + ((column + 0.5) * width) / side, y + ((row + 0.5) * width) / side);
}

/** What is under the pointer: a pixel of either picture, or a key of the window. */
function markAt(at, now, px, py) {
  const isIn = ({ x, y, width, height }) => px >= x && px < x + width && py >= y && py < y + height;
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

// ---- The setting ------------------------------------------------------------------------------------------

/** What does not change. */
function dataOf(model) {
  const [clean, noise] = ["clean", "noise"].map((name) => unpack(model.get(name)));
  const parameters = Object.entries(model.get("parameters"));
  return {
    clean,
    noise,
    parameters,
    method: model.get("method"),
    views: model.get("views"),
    noiseGrid: model.get("noise_grid"),
  };
}

function settingsOf({ clean, parameters, method, views, noiseGrid }) {
  return {
    query: pixelSetting("query", clean),
    ...Object.fromEntries(parameters.map(([name, { trait, grid }]) => [name, numberSetting(trait, grid)])),
    noise: numberSetting("noise_level", noiseGrid),
    ...(method === "nonlocal_means" && { noise_floor: choiceSetting("subtract_index", ["kept", "subtracted"]) }),
    ...(method === "unified" && {
      position: choiceSetting("position_index", POSITION_BLOCKS),
      value: choiceSetting("value_index", VALUE_BLOCKS),
    }),
    view: choiceSetting("view_index", views),
  };
}

/** What is set now. A radius without a slider follows the bandwidth. */
function currentSetting(model, { parameters, noiseGrid }) {
  const noise_std = onGrid(model.get("noise_level"), noiseGrid) / 255;
  const numbers = Object.fromEntries(parameters.map(([, { trait, grid }]) => [trait, onGrid(model.get(trait), grid)]));
  return {
    position_block: POSITION_BLOCKS[model.get("position_index")],
    value_block: VALUE_BLOCKS[model.get("value_index")],
    patch_weights: model.get("patch_weights"),
    radius: Math.ceil(constants.radius_per_bandwidth * numbers.bandwidth_space),
    ...numbers,
    forgiven: model.get("subtract_index") ? 2 * noise_std ** 2 : 0,
    noise_std,
  };
}

/** The setting in the words of lib. */
function published({ method, parameters }, isSubtracted, setting) {
  const { position_block, value_block, radius, noise_std } = setting;
  return {
    method,
    ...(method !== "nonlocal_means" && { radius }),
    ...Object.fromEntries(parameters.map(([name, { trait }]) => [name, setting[trait]])),
    ...(method === "nonlocal_means" && { subtract_noise: isSubtracted }),
    ...(method === "unified" && { position_block, value_block }),
    noise_std,
  };
}

/** A bandwidth that has a slider and a use, from its smallest to its largest value. */
function framesOf({ parameters }, { position_block, value_block }) {
  const trait = value_block !== "none" ? "bandwidth_value" : position_block !== "none" ? "bandwidth_space" : undefined;
  const found = parameters.find(([, parameter]) => parameter.trait === trait);
  return found ? growing(found[1].grid, 30).map((value) => ({ [trait]: value })) : [];
}

// ---- The figure -------------------------------------------------------------------------------------------

function render({ model, el }) {
  const data = dataOf(model),
    { clean, views } = data;
  const figure = liveFigure({
    model,
    el,
    name: "pixel",
    hint: "Drag the cross, or press on a pixel. Keyboard: Tab, arrow keys; with Shift, ten pixels at a time.",
    settings: settingsOf(data),
  });
  const parts = elements(figure.stage, clean);
  figure.root.classList.add("picture-figure");
  let at, now, noisy, kernel, filtered, stop, shown;

  /** The noisy image, the kernel on it and, later, the filtered image: each anew where the setting asks for it. */
  function prepare(setting) {
    const key = JSON.stringify(setting);
    if (key === kernel?.key) return;
    if (setting.noise_std !== noisy?.std) {
      const image = withNoise(clean, data.noise, setting.noise_std);
      noisy = { ...image, std: setting.noise_std, psnr: psnr(image.planes, clean.planes) };
    }
    if (setting.position_block === "steering") noisy.steering ??= steeringPlanes(noisy, model.get("disk"));
    kernel = { ...windowKernel(noisy, noisy.steering, setting), key };
    filtered = { ...filtered, psnr: null };
    parts.filtered.classList.add("stale");
    stop?.();
    stop = inSlices(filterInSteps(kernel), (planes) => {
      filtered = { ...clean, planes, psnr: psnr(planes, clean.planes) };
      parts.filtered.classList.remove("stale");
      paint(parts.filtered, filtered);
      figure.redraw();
    });
  }

  function draw(width, ghost) {
    if (width !== at?.width) at = arrange(parts, clean, width);
    const setting = currentSetting(model, data),
      query = inside(clean, model.get("query"));
    const view = views[model.get("view_index")];
    prepare(setting);
    const weights = softmax(windowLogWeights(kernel, query)),
      keys = windowKeys(kernel, query);
    const estimate = kernel.lines.map((line) =>
      average(
        weights,
        keys.map((key) => line[key]),
      ),
    );
    const valuesOf = ({ planes }) => planes.map((plane) => plane[query[0] * clean.width + query[1]]);
    const values = { noisy: valuesOf(noisy), estimate, clean: valuesOf(clean) };
    const keys_for_90_percent = keysForShare(weights, 0.9);
    shown = drawPhotos(parts, { noisy, clean, filtered }, view, shown);
    now = { clean, noisy, filtered, weights, radius: kernel.radius, query, estimate, count: keys_for_90_percent };
    drawWindow(parts, at, kernel.radius, query, weights, keys_for_90_percent, ghost);
    if (ghost) drawGhost(parts, at, ghost.estimate);
    drawQuery(parts, at, clean, kernel.radius, query, estimate);
    drawValues(parts, at, values);
    Object.assign(figure.root.dataset, { positionBlock: setting.position_block, valueBlock: setting.value_block });
    const numbers = Object.entries(values).map(([name, channels]) => [
      name,
      channels.length === 1 ? channels[0] : channels,
    ]);
    return {
      state: {
        query,
        ...published(data, model.get("subtract_index") === 1, setting),
        view,
        ...Object.fromEntries(numbers),
        keys_for_90_percent,
        n_keys: weights.length,
        noisy_psnr: noisy.psnr,
        filtered_psnr: filtered.psnr,
      },
      sentence: sentence(data, setting, query, weights, keys_for_90_percent, values),
      mark: now,
    };
  }

  holdQuery({
    stage: figure.stage,
    handle: parts.queryHandle,
    image: clean,
    pictures: [parts.grips.photo, parts.grips.filtered],
    query: () => model.get("query"),
    move: (pixel) => figure.change({ query: inside(clean, pixel) }),
    hold() {
      const query = model.get("query");
      return () => figure.change({ query });
    },
  });

  const keys = reader(figure, {
    label: "Keys of the window",
    count: () => now.weights.length,
    columns: () => 2 * now.radius + 1,
    mark: (i) => keyMark(at, now, i),
  });
  tellValues(figure, {
    find: (x, y) => markAt(at, now, x, y),
    focused: (element) => (element === keys.element ? keys.mark() : undefined),
  });
  playButton(figure, {
    title: "Let the bandwidth grow from its smallest to its largest value",
    pause: 120,
    frames: () => framesOf(data, currentSetting(model, data)),
  });

  const end = figure.start(draw);
  return () => {
    stop?.();
    end();
  };
}

export default { render };
