import {
  arrowKeys, average, choiceSetting, decimalsOf, draggable, format, html, keysForShare, liveFigure, numberSetting, onGrid,
  repeat, set, softmax, svg,
} from "./core.js";
import {
  filterInSteps, POSITION_BLOCKS, steeringPlanes, VALUE_BLOCKS, windowKernel, windowKeys, windowLogWeights,
} from "./window.js";

// Left, the image with the query and, painted over its window, the weights. Middle, the same weights enlarged, and what
// comes out. Right, the image that the same average at every pixel gives; it follows when the hand rests.

const LEVELS = 32;  // shades of weight
const REST = 40, SLICE = 8;  // milliseconds: the hand rests after, the filter works at a time
const ARM = 10;  // of the cross, outside the window
const NAMES = { gaussian: "Gaussian blur", bilateral: "Bilateral filter", nonlocal_means: "Non-local means", lark: "Steering kernel" };
const NAMES_OF_BLOCKS = {
  "none none": "Box blur, the mean of the window", "none pixel": "Range-only filter", "none patch": "Non-local means (2005)",
  "gaussian none": "Gaussian blur (N–W, 1964)", "gaussian pixel": "Bilateral filter (1998)",
  "gaussian patch": "Non-local means with a position block",
  "steering none": "Steering kernel (2007)", "steering pixel": "Steering × value, a kernel without a name",
  "steering patch": "Steering × patch, a kernel without a name",
};

const percent = (share) => `${format(100 * share, share < 0.0995 ? 1 : 0)}\u00a0%`;
const place = ({ x, y }) => `translate(${x.toFixed(2)} ${y.toFixed(2)})`;

/** An image or a noise that Python packed as text. */
function unpack({ shape: [channels, height, width], type, data }) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const numbers = type === "uint8" ? Float64Array.from(bytes, (byte) => byte / 255) : new Float64Array(bytes.buffer);
  const size = height * width;
  const planes = Array.from({ length: channels }, (_, c) => numbers.slice(c * size, (c + 1) * size));
  return { height, width, planes };
}

const withNoise = (clean, noise, std) => ({
  ...clean, planes: clean.planes.map((plane, c) => plane.map((value, i) => value + std * noise.planes[c][i])),
});

/** Peak signal-to-noise ratio in decibels, for a peak of 1. */
function psnr(planes, truth) {
  const squares = planes.map((plane, c) => plane.reduce((sum, value, i) => sum + (value - truth[c][i]) ** 2, 0));
  return -10 * Math.log10(squares.reduce((a, b) => a + b, 0) / (planes.length * planes[0].length));
}

const byte = (value) => Math.round(255 * Math.min(Math.max(value, 0), 1));
const color = (values) => `rgb(${[0, 1, 2].map((c) => byte(values[c % values.length])).join(" ")})`;

function paint(canvas, { height, width }, planes) {
  const pixels = new ImageData(width, height);
  for (let i = 0; i < height * width; i += 1) {
    for (let c = 0; c < 3; c += 1) pixels.data[4 * i + c] = byte(planes[c % planes.length][i]);
    pixels.data[4 * i + 3] = 255;
  }
  canvas.getContext("2d").putImageData(pixels, 0, 0);
}

/** Run a generator a few milliseconds at a time, so that hands and frames come first. Returns what stops it. */
function inSlices(generator, done) {
  const { port1, port2 } = new MessageChannel();  // unlike a timer, it is not made to wait
  const step = () => {
    const end = performance.now() + SLICE;
    let next;
    do next = generator.next(); while (!next.done && performance.now() < end);
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

/** The cells of a window, a shade a path: the whole window is a few elements, however many keys it has. */
function shades(weights, side) {
  const largest = Math.max(...weights);
  const paths = Array.from({ length: LEVELS + 1 }, () => "");
  weights.forEach((weight, k) => {
    const level = Math.ceil((LEVELS * weight) / largest - 0.5);
    if (level > 0) paths[level] += `M${k % side} ${Math.floor(k / side)}h1v1h-1z`;
  });
  return paths.slice(1);
}

/** A shade of weight, from 0 to 1: paper to the colour of weights in two thirds, then on towards ink. */
const shade = (level) => ({
  "fill-opacity": Math.min(1.5 * level, 1),
  ...(level > 2 / 3 && { style: `fill: color-mix(in srgb, var(--figure-ink) ${Math.round(150 * level - 100)}%, var(--figure-weight))` }),
});

/** The outline of the heaviest keys. */
function outline(weights, side, count) {
  const heaviest = weights.map((_, k) => k).sort((a, b) => weights[b] - weights[a]).slice(0, count);
  const inside = new Set(heaviest);
  return heaviest.map((k) => {
    const column = k % side, row = Math.floor(k / side);
    return (inside.has(k - side) ? "" : `M${column} ${row}h1`) + (inside.has(k + side) ? "" : `M${column} ${row + 1}h1`)
      + (column > 0 && inside.has(k - 1) ? "" : `M${column} ${row}v1`)
      + (column < side - 1 && inside.has(k + 1) ? "" : `M${column + 1} ${row}v1`);
  }).join("");
}

/** Where things are, in pixels, for a figure of this width and an image of this shape. */
function layout(width, { height: rows, width: columns }) {
  const narrow = width < 600;
  const longest = Math.max(rows, columns);
  const room = narrow ? 0.63 * width : (width + 16) / 3;
  const whole = Math.floor(room / longest) * longest;
  const scale = (whole > 0.94 * room ? whole : room) / longest;  // whole pixels where they fit
  const photo = { x: 0, y: 26, width: scale * columns, height: scale * rows, scale };
  const heatSide = narrow ? (width - 16) / 2 : Math.min(photo.height - 60, width - 2 * photo.width - 32);
  const valuesHeight = 182;  // of three, one under the other
  const lower = photo.y + Math.max(photo.height, valuesHeight) + 36;
  const heat = narrow ? { x: 0, y: lower, side: heatSide } : { x: (width - heatSide) / 2, y: 26, side: heatSide };
  const filteredScale = narrow ? heatSide / longest : scale;
  const filtered = { y: heat.y, width: filteredScale * columns, height: filteredScale * rows, scale: filteredScale };
  filtered.x = width - filtered.width;
  const values = narrow
    ? { x: photo.width + 16, y: 26, across: 0, down: 66, width: width - photo.width - 16 }
    : { x: heat.x, y: heat.y + heat.side + 12, across: heat.side / 3, down: 0, width: heat.side / 3 - 8 };
  const bottom = Math.max(photo.y + photo.height, heat.y + heat.side, filtered.y + filtered.height);
  return { width, height: bottom + 28, photo, heat, filtered, values };
}

/** The elements of the picture, from back to front. */
function elements(stage, { height, width }) {
  const picture = (name) => html("canvas", { class: name, width, height, "aria-hidden": "true" }, stage);
  const photo = picture("photo"), filtered = picture("filtered");
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes, parent = canvas) => svg(tag, { class: name, ...attributes }, parent);
  const parts = { photo, filtered, canvas };
  for (const name of ["photo", "weight", "filtered"]) {
    parts[`${name}Title`] = add("text", `title ${name}`, { y: 16 });
    parts[`${name}Note`] = add("text", "note", { y: 16 });
  }
  parts.photoPanel = add("svg", "panel");
  parts.window = add("g", "window", {}, parts.photoPanel);
  parts.painted = add("g", "shades painted", {}, parts.window);
  parts.halo = add("rect", "halo", {}, parts.window);
  parts.frame = add("rect", "frame", {}, parts.window);
  parts.selves = [add("rect", "self", { width: 1, height: 1 }, parts.window)];
  parts.heat = add("g", "heat");
  parts.ground = add("rect", "ground", {}, parts.heat);
  parts.cells = add("g", "shades", {}, parts.heat);
  parts.lattice = add("path", "lattice", {}, parts.heat);
  parts.most = add("path", "most", {}, parts.heat);
  parts.selves.push(add("rect", "self", { width: 1, height: 1 }, parts.heat));
  parts.grip = add("rect", "grip", {});
  parts.secondGrip = add("rect", "grip", {});
  parts.mark = add("g", "mark");
  for (const name of ["mark-halo", "mark-ring"]) add("circle", name, { r: 6 }, parts.mark);
  parts.values = add("g", "values");
  parts.crosses = ["cross-halo", "cross"].map((name) => add("path", name));
  parts.legend = add("g", "legend");
  // What the hand holds is HTML: Chromium knows no touch-action of shapes.
  parts.queryHandle = html("div", { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query pixel" }, stage);
  return parts;
}

function render({ model, el }) {
  const clean = unpack(model.get("clean")), noise = unpack(model.get("noise"));
  const [method, parameters, views, noiseGrid] = ["method", "parameters", "views", "noise_grid"].map((name) => model.get(name));
  const isGrey = clean.planes.length === 1;
  const blockSettings = {
    unified: { position: choiceSetting("position_index", POSITION_BLOCKS), value: choiceSetting("value_index", VALUE_BLOCKS) },
    nonlocal_means: { noise_floor: choiceSetting("subtract_index", ["kept", "subtracted"]) },
  };
  const figure = liveFigure({
    model, el, name: "pixel",
    hint: "Drag the cross, or press on a pixel. Keyboard: Tab, arrow keys; with Shift, ten pixels at a time.",
    settings: {
      query: {
        trait: "query",
        write: ([row, column]) => `${row}/${column}`,
        read: (text) => (/^\d+\/\d+$/.test(text) ? inside(...text.split("/").map(Number)) : undefined),
      },
      ...Object.fromEntries(Object.entries(parameters).map(([name, { trait, grid }]) => [name, numberSetting(trait, grid)])),
      noise: numberSetting("noise_level", noiseGrid),
      ...blockSettings[method],
      view: choiceSetting("view_index", views),
    },
  });
  const parts = elements(figure.stage, clean);
  let at, before, clicked, noisy, kernel, filtered, stop, shown;

  /** The pixel of the image nearest to this one. */
  function inside(row, column) {
    const within = (index, length) => Math.min(Math.max(Math.floor(index), 0), length - 1);
    return [within(row, clean.height), within(column, clean.width)];
  }

  const numberOf = (trait) => {
    const parameter = Object.values(parameters).find((entry) => entry.trait === trait);
    return parameter ? onGrid(model.get(trait), parameter.grid) : model.get(trait);
  };

  /** What is set now. A radius of null follows the bandwidth. */
  function current() {
    const noise_std = onGrid(model.get("noise_level"), noiseGrid) / 255;
    const bandwidth_space = numberOf("bandwidth_space");
    return {
      position_block: POSITION_BLOCKS[model.get("position_index")],
      value_block: VALUE_BLOCKS[model.get("value_index")],
      patch_weights: model.get("patch_weights"),
      bandwidth_space,
      bandwidth_value: numberOf("bandwidth_value"),
      patch_radius: numberOf("patch_radius"),
      radius: numberOf("radius") ?? Math.ceil(2.2 * bandwidth_space),
      forgiven: model.get("subtract_index") ? 2 * noise_std ** 2 : 0,
      noise_std,
    };
  }

  /** What is published of the setting: the method's own parameters by the names of lib. */
  function published(setting) {
    const own = Object.entries(parameters).map(([name, { trait }]) => [name, setting[trait]]);
    const extra = {
      unified: { position_block: setting.position_block, value_block: setting.value_block },
      nonlocal_means: { subtract_noise: setting.forgiven > 0 || model.get("subtract_index") === 1 },
      gaussian: { radius: setting.radius },
      bilateral: { radius: setting.radius },
    };
    return { method, ...Object.fromEntries(own), ...extra[method], noise_std: setting.noise_std };
  }

  // ---- Computing ----

  /** The noisy image, the kernel on it and, later, the filtered image: anew where the setting asks for it. */
  function prepare(setting) {
    const key = JSON.stringify(setting);
    if (key === kernel?.key) return;
    if (setting.noise_std !== noisy?.std) {
      const image = withNoise(clean, noise, setting.noise_std);
      noisy = { std: setting.noise_std, image, psnr: psnr(image.planes, clean.planes) };
    }
    if (setting.position_block === "steering") noisy.steering ??= steeringPlanes(noisy.image, model.get("disk"));
    kernel = { key, ...windowKernel(noisy.image, noisy.steering, setting) };
    stop?.();
    if (filtered) filtered.psnr = null;
    parts.filtered.classList.add("stale");
    stop = inSlices(filterInSteps(kernel), (planes) => {
      filtered = { planes, psnr: psnr(planes, clean.planes) };
      parts.filtered.classList.remove("stale");
      paint(parts.filtered, clean, planes);
      figure.redraw();
    });
  }

  // ---- Drawing ----

  function draw(width) {
    if (width !== at?.width) arrange(width);
    const setting = current();
    const query = inside(...model.get("query"));
    const view = views[model.get("view_index")];
    prepare(setting);
    const weights = softmax(windowLogWeights(kernel, query));
    const keys = windowKeys(kernel, query);
    const estimate = kernel.lines.map((line) => average(weights, keys.map((key) => line[key])));
    const [observed, truth] = [noisy.image, clean].map(({ planes }) => planes.map((plane) => plane[query[0] * clean.width + query[1]]));
    const keys_for_90_percent = keysForShare(weights, 0.9);
    drawPhotos(view);
    drawWindow(query, weights, keys_for_90_percent);
    drawQuery(query, estimate);
    drawValues([observed, estimate, truth]);
    figure.root.dataset.positionBlock = setting.position_block;
    figure.root.dataset.valueBlock = setting.value_block;
    const numbers = (values) => (isGrey ? values[0] : values);
    return {
      state: {
        query, ...published(setting), view, noisy: numbers(observed), clean: numbers(truth), estimate: numbers(estimate),
        keys_for_90_percent, n_keys: weights.length, noisy_psnr: noisy.psnr, filtered_psnr: filtered?.psnr ?? null,
      },
      sentence: sentence(setting, query, weights, keys_for_90_percent, [observed, estimate, truth]),
    };
  }

  /** What depends on the width alone. */
  function arrange(width) {
    at = layout(width, clean);
    set(parts.canvas, { width, height: at.height, viewBox: `0 0 ${width} ${at.height}` });
    for (const [name, { x, y, width: across, height: down }] of [["photo", at.photo], ["filtered", at.filtered]]) {
      Object.assign(parts[name].style, { left: `${x}px`, top: `${y}px`, width: `${across}px`, height: `${down}px` });
    }
    const { x, y, width: across, height: down } = at.photo;
    set(parts.photoPanel, { x, y, width: across, height: down });
    [[parts.grip, at.photo], [parts.secondGrip, at.filtered]].forEach(([grip, box]) =>
      set(grip, { x: box.x, y: box.y, width: box.width, height: box.height }));
    const titles = { photo: at.photo, weight: { ...at.heat, width: at.heat.side }, filtered: at.filtered };
    for (const [name, box] of Object.entries(titles)) {
      set(parts[`${name}Title`], { x: box.x, y: box.y - 10 });
      set(parts[`${name}Note`], { x: box.x + box.width, y: box.y - 10 });
    }
    parts.weightTitle.textContent = "weight";
    parts.filteredTitle.textContent = "filtered";
    drawLegend();
  }

  /** A row of shapes and their names. */
  function drawLegend() {
    parts.legend.replaceChildren();
    let left = 0;
    for (const [name, shape, attributes, text] of [
      ["query", "path", { d: "M0 -5H5M11 -5H16M8 -13V-8M8 -2V3" }, "query"],
      ["key", "rect", { x: 1, y: -12, width: 14, height: 14 }, "its keys"],
      ["weight", "path", { d: "M1 -12h14v14h-14z" }, "weight"],
      ["most", "path", { d: "M1 -12h14v14h-14z" }, "90\u00a0% of it"],
    ]) {
      const group = svg("g", { class: name, transform: place({ x: left, y: at.height - 5 }) }, parts.legend);
      svg(shape, attributes, group);
      left += 22 + svg("text", { x: 22, text }, group).getComputedTextLength() + 16;
    }
  }

  function drawPhotos(view) {
    const wanted = view === "filtered" && filtered ? filtered.planes : view === "clean" ? clean.planes : noisy.image.planes;
    if (wanted !== shown) paint(parts.photo, clean, wanted);
    shown = wanted;
    const decibels = (value) => (value === null ? "…" : Number.isFinite(value) ? `${format(value, 1)}\u00a0dB` : "");
    if (!filtered) paint(parts.filtered, clean, noisy.image.planes);  // dimmed, until the first result
    parts.photoTitle.textContent = view;
    parts.photoNote.textContent = { clean: "", noisy: decibels(noisy.psnr), filtered: decibels(filtered?.psnr ?? null) }[view];
    parts.filteredNote.textContent = decibels(filtered?.psnr ?? null);
  }

  function drawWindow([row, column], weights, count) {
    const { radius } = kernel, side = 2 * radius + 1;
    const paths = shades(weights, side);
    repeat(parts.painted, "path", LEVELS, (path, k) => set(path, { d: paths[k], "fill-opacity": (k + 1) / LEVELS }));
    repeat(parts.cells, "path", LEVELS, (path, k) => set(path, { d: paths[k], ...shade((k + 1) / LEVELS) }));
    const { scale } = at.photo;
    const corner = { x: (column - radius) * scale, y: (row - radius) * scale };
    set(parts.window, { transform: `${place(corner)} scale(${scale})` });
    set(parts.heat, { transform: `${place(at.heat)} scale(${at.heat.side / side})` });
    [parts.halo, parts.frame, parts.ground].forEach((rect) => set(rect, { width: side, height: side }));
    set(parts.most, { d: outline(weights, side, count) });
    parts.selves.forEach((self) => set(self, { x: radius, y: radius }));
    set(parts.lattice, { d: Array.from({ length: side - 1 }, (_, k) => `M${k + 1} 0v${side}M0 ${k + 1}h${side}`).join("") });
    parts.weightNote.textContent = `up to ${percent(Math.max(...weights))}`;
  }

  function drawQuery([row, column], estimate) {
    const centre = ({ x, y, scale }) => ({ x: x + (column + 0.5) * scale, y: y + (row + 0.5) * scale });
    const { x, y } = centre(at.photo);
    const from = Math.max((kernel.radius + 0.5) * at.photo.scale + 1, 6), to = from + ARM;
    const d = `M${-to} 0H${-from}M${from} 0H${to}M0 ${-to}V${-from}M0 ${from}V${to}`;
    parts.crosses.forEach((cross) => set(cross, { d, transform: place({ x, y }) }));
    const reach = Math.max(to, 22);
    Object.assign(parts.queryHandle.style, { left: `${x - reach}px`, top: `${y - reach}px`, width: `${2 * reach}px`, height: `${2 * reach}px` });
    set(parts.mark, { transform: place(centre(at.filtered)) });
    set(parts.queryHandle, {
      "aria-valuemin": "0", "aria-valuemax": String(clean.height * clean.width - 1), "aria-valuenow": String(row * clean.width + column),
      "aria-valuetext": `row ${row}, column ${column}, estimate ${text(estimate)}`,
    });
  }

  /** Value, estimate and truth: their names, what they look like, and how much they are or how far off. */
  function drawValues(all) {
    const truth = all[2];
    const offBy = (values) => Math.hypot(...values.map((value, c) => value - truth[c]));
    repeat(parts.values, "g", 3, (group, i) => {
      const { x, y, across, down, width } = at.values;
      set(group, { class: ["value", "estimate", "truth"][i], transform: place({ x: x + i * across, y: y + i * down }) });
      if (!group.firstChild) ["text", "rect", "text"].forEach((tag) => svg(tag, {}, group));
      const [name, swatch, number] = group.children;
      name.textContent = ["noisy", "estimate", "true"][i];
      number.textContent = isGrey ? format(all[i][0], 3) : i < 2 ? `${format(offBy(all[i]), 2)} off` : "";
      set(name, { y: 10 });
      set(swatch, { y: 15, width, height: 16, fill: color(all[i]) });
      set(number, { y: 46 });
    });
  }

  const text = (values) => (isGrey ? format(values[0], 3) : `(${values.map((value) => format(value, 2)).join(", ")})`);

  function sentence(setting, [row, column], weights, count, [observed, estimate, truth]) {
    const role = (name, words) => `<b class="${name}">${words}</b>`;
    const name = NAMES[method] ?? NAMES_OF_BLOCKS[`${setting.position_block} ${setting.value_block}`];
    const settings = Object.values(parameters).filter(({ symbol }) => symbol.startsWith("h")).filter(({ trait }) => matters(trait, setting))
      .map(({ symbol, trait, grid }) => `${symbol.replace(/_(.)/, "<sub>$1</sub>")} = ${format(setting[trait], decimalsOf(grid))}`);
    const most = Math.max(...weights), own = weights[weights.length >> 1];
    return `${[name, ...settings].join(", ")}. ${role("query", `Query: row ${row}, column ${column}`)}, ${role("value", `noisy ${text(observed)}`)}. `
      + `It takes 90\u00a0% of its weight from ${role("weight", `${count} of ${weights.length} keys`)}; its own weight is ${role("weight", percent(own))}`
      + `${own < most ? `, the largest ${percent(most)}` : ""}. ${role("estimate", `Estimate ${text(estimate)}`)}, true ${text(truth)}.`;
  }

  /** Whether a number has a part in the kernel that is set. */
  const matters = (trait, { position_block, value_block }) => ({
    bandwidth_space: position_block !== "none", bandwidth_value: value_block !== "none", patch_radius: value_block === "patch",
  })[trait] ?? true;

  // ---- Hands and keys ----

  const moveQuery = (row, column) => figure.change({ query: inside(row, column) });

  /** On the cross, the hand keeps its distance unless it only clicks; elsewhere in a picture the query comes to it. */
  function grab(event) {
    const onCross = event.target === parts.queryHandle;
    if (!onCross && ![parts.grip, parts.secondGrip].includes(event.target)) return undefined;
    const { left, top } = figure.stage.getBoundingClientRect();
    const box = event.target === parts.secondGrip ? at.filtered : at.photo;
    const pixel = (e) => [(e.clientY - top - box.y) / box.scale, (e.clientX - left - box.x) / box.scale];
    const [r, c] = pixel(event);
    const [row, column] = before = inside(...model.get("query"));
    const [down, right] = onCross ? [row + 0.5 - r, column + 0.5 - c] : [0, 0];
    clicked = onCross && [r, c];
    parts.queryHandle.focus({ preventScroll: true });
    return (e) => {
      if (Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY) > 2) clicked = undefined;
      moveQuery(pixel(e)[0] + down, pixel(e)[1] + right);
    };
  }

  function release(cancelled) {
    if (cancelled) moveQuery(...before);
    else if (clicked) moveQuery(...clicked);
  }

  draggable(figure.stage, { grab, release });
  arrowKeys(parts.queryHandle, (right, up) => {
    const [row, column] = model.get("query");
    moveQuery(row - up, column + right);
  });

  const end = figure.start(draw);
  return () => {
    stop?.();
    end();
  };
}

export default { render };
