// lib/figures/core.js
function softmax(logWeights) {
  const largest = logWeights.reduce((a, b) => Math.max(a, b), -Infinity);
  const origin = Number.isFinite(largest) ? largest : 0;
  const weights = logWeights.map((logWeight) => Math.exp(logWeight - origin));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / (total > 0 ? total : 1));
}
function average(weights, values) {
  if (!weights.some((weight) => weight > 0)) return NaN;
  return weights.reduce((sum, weight, i) => sum + weight * values[i], 0);
}
function keysForShare(weights, share) {
  const heaviestFirst = [...weights].sort((a, b) => b - a);
  let carried = 0;
  const index = heaviestFirst.findIndex((weight) => (carried += weight) >= share - 1e-12);
  return index + 1;
}
var decimalsOf = ([, , step]) => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
function onGrid(value, grid) {
  const [low, high, step] = grid;
  const index = Math.round((Math.min(Math.max(value, low), high) - low) / step);
  return Number((low + index * step).toFixed(decimalsOf(grid)));
}
var format = (value, decimals) => value.toFixed(decimals).replace("-", "−");
function ticks([low, high], count) {
  const rough = (high - low) / count;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = decade * [1, 2, 5, 10].find((factor) => factor * decade >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const decimals = decimalsOf([low, high, step]);
  const at = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return at.map((value) => ({ value, text: format(value + 0, decimals) }));
}
function scale([low, high], [from, to]) {
  const toPixel = (value) => from + (value - low) / (high - low) * (to - from);
  toPixel.invert = (pixel) => low + (pixel - from) / (to - from) * (high - low);
  return toPixel;
}
function html(tag, { text, ...attributes } = {}, parent) {
  return furnish(document.createElement(tag), text, attributes, parent);
}
function svg(tag, { text, ...attributes } = {}, parent) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), text, attributes, parent);
}
function furnish(element, text, attributes, parent) {
  set(element, attributes);
  if (text !== void 0) element.textContent = text;
  parent?.append(element);
  return element;
}
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, typeof value === "number" ? Math.round(value * 100) / 100 : value);
  }
}
function repeat(parent, tag, count, update) {
  while (parent.children.length > count) parent.lastChild.remove();
  while (parent.children.length < count) svg(tag, {}, parent);
  [...parent.children].forEach(update);
}
function path(points) {
  let pen = "M";
  return points.map(([x, y]) => {
    if (Number.isNaN(y)) return pen = "M", "";
    const command = `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = "L";
    return command;
  }).join("");
}
function draggable(element, { grab, release }) {
  let move;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || move) return;
    move = grab(event);
    if (!move) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    element.classList.add("dragging");
    move(event);
  });
  element.addEventListener("pointermove", (event) => move?.(event));
  const end = (event) => {
    if (!move) return;
    move = void 0;
    element.classList.remove("dragging");
    release(event.type === "pointercancel");
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}
function arrowKeys(element, move) {
  const directions = {
    ArrowRight: [1, 0],
    ArrowLeft: [-1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
    Home: [-Infinity, 0],
    End: [Infinity, 0]
  };
  element.addEventListener("keydown", (event) => {
    if (!(event.key in directions) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const steps = event.shiftKey ? 10 : 1;
    const [right, up] = directions[event.key];
    move(right * steps, up * steps);
  });
}
var hashParts = () => location.hash.slice(1).split("&").filter(Boolean);
function readAddress(name) {
  const part = hashParts().find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const pairs = (part.includes(":") ? part : decoded(part)).split(",");
  const words = pairs.map((pair) => pair.split(":").map(decoded));
  return Object.fromEntries(words.filter((pair) => pair.length === 2));
}
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
function addressWith(name, settings) {
  const others = hashParts().filter((text) => text.includes("=") && !text.startsWith(`${name}=`));
  const own = Object.entries(settings).map(([setting, value]) => `${setting}:${value}`).join(",");
  const hash = [...others, ...own ? [`${name}=${own}`] : []].join("&");
  return location.pathname + location.search + (hash && `#${hash}`);
}
var numberSetting = (trait, grid) => ({
  trait,
  write: (value) => String(onGrid(value, grid)),
  read: (text) => Number.isFinite(parseFloat(text)) ? onGrid(parseFloat(text), grid) : void 0
});
var choiceSetting = (trait, names) => ({
  trait,
  write: (index) => names[index],
  read: (text) => names.includes(text) ? names.indexOf(text) : void 0
});
function settingsOf(model, settings) {
  const entries = Object.entries(settings);
  const change = (values) => {
    Object.entries(values).forEach(([trait, value]) => model.set(trait, value));
    model.save_changes();
  };
  const defaults = () => structuredClone(model.get("defaults"));
  return {
    change,
    traits: entries.map(([, { trait }]) => trait),
    reset: () => change(defaults()),
    /** In words, only what differs from the defaults. */
    write() {
      const start = defaults();
      const words = entries.map(([name, { trait, write }]) => [name, write(model.get(trait)), write(start[trait])]);
      return Object.fromEntries(words.filter(([, now, before]) => now !== before));
    },
    /** The defaults but for these words. Says whether any of them made sense; if none did, nothing changes. */
    read(words) {
      const known = entries.filter(([name]) => name in words);
      const values = known.map(([name, { trait, read }]) => [trait, read(words[name])]);
      const valid = Object.fromEntries(values.filter(([, value]) => value !== void 0));
      const any = Object.keys(valid).length > 0;
      if (any) change({ ...defaults(), ...valid });
      return any;
    }
  };
}
function liveFigure({ model, el, name, hint, settings }) {
  const [address, question] = [model.get("address"), model.get("question")];
  const root = html("div", {
    class: `live-figure ${name}-figure`,
    "data-figure": name,
    "data-address": address,
    role: "group",
    "aria-label": question,
    "data-lm-suppress-shortcuts": "true"
    // JupyterLab leaves the arrow keys to the figure
  }, el);
  const bar = html("div", { class: "bar" }, root);
  html("p", { class: "question", text: question }, bar);
  const actions = html("div", { class: "actions" }, bar);
  const stage = html("div", { class: "stage" }, root);
  const sentence = html("p", { class: "sentence", "aria-live": "polite" }, root);
  html("p", { class: "hint", text: hint }, root);
  const { change, traits, reset, write, read } = settingsOf(model, settings);
  let draw, pending, resting, said;
  function redraw() {
    pending = false;
    const width = stage.clientWidth;
    if (width === 0) return;
    const drawn = draw(width);
    root.dataset.state = JSON.stringify(drawn.state);
    if (drawn.sentence !== said) sentence.innerHTML = said = drawn.sentence;
  }
  function changed() {
    if (!pending) queueMicrotask(redraw);
    pending = true;
    sentence.setAttribute("aria-busy", "true");
    clearTimeout(resting);
    resting = setTimeout(rest, 250);
  }
  function rest() {
    sentence.removeAttribute("aria-busy");
    if (!inJupyter()) keepAddress(addressWith(address, write()));
  }
  function takeAddress() {
    if (!read(readAddress(address))) return;
    redraw();
    const reach = () => root.scrollIntoView({ block: root.offsetHeight > 0.8 * innerHeight ? "start" : "center" });
    reach();
    const moved = new AbortController();
    for (const hand of ["wheel", "pointerdown", "keydown", "touchstart"]) {
      addEventListener(hand, () => moved.abort(), { once: true, passive: true, signal: moved.signal });
    }
    window.figuresShown?.catch(() => {
    }).then(() => moved.signal.aborted || reach());
  }
  const button = (text, title) => html("button", { type: "button", text, title }, actions);
  button("Reset", "Back to the first setting").addEventListener("click", reset);
  if (!inJupyter()) copyButton(button("Copy link", "Copy a link to this setting"), () => addressWith(address, write()));
  function start(drawStage) {
    draw = drawStage;
    traits.forEach((trait) => model.on(`change:${trait}`, changed));
    redraw();
    takeAddress();
    let unname;
    const observer = new ResizeObserver(() => {
      redraw();
      unname ??= nameSliders(root);
    });
    observer.observe(stage);
    addEventListener("hashchange", takeAddress);
    html("style", { text: `img[src*="live-${address}."] { display: none; }` }, root);
    return () => {
      traits.forEach((trait) => model.off(`change:${trait}`, changed));
      observer.disconnect();
      unname?.();
      removeEventListener("hashchange", takeAddress);
      clearTimeout(resting);
    };
  }
  return { root, stage, change, redraw, start };
}
var inJupyter = () => "jpThemeLight" in document.body.dataset;
function keepAddress(link) {
  try {
    history.replaceState(history.state, "", link);
  } catch {
  }
}
function copyButton(button, link) {
  const name = button.textContent;
  button.addEventListener("click", async () => {
    keepAddress(link());
    const written = navigator.clipboard?.writeText(new URL(link(), location.href).href);
    const copied = await written?.then(() => true, () => false);
    button.textContent = copied ? "Copied" : "It is in the address bar";
    setTimeout(() => button.textContent = name, 2e3);
  });
}
function nameSliders(root) {
  const panel = root.closest(".live-panel");
  if (!panel) return void 0;
  const name = () => {
    for (const handle of panel.querySelectorAll(".noUi-handle")) {
      const label = handle.closest(".widget-slider")?.querySelector(".widget-label")?.textContent;
      if (label && handle.getAttribute("aria-label") !== label) handle.setAttribute("aria-label", label);
    }
  };
  name();
  const observer = new MutationObserver(name);
  observer.observe(panel, { childList: true, subtree: true });
  return () => observer.disconnect();
}

// lib/figures/attention.js
var LEVELS = 32;
var DIAMOND = "M0 -6.5L6.5 0L0 6.5L-6.5 0Z";
var percent = (share) => `${format(100 * share, share < 0.0995 ? 1 : 0)} %`;
var place = (x, y) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
function rowLogWeights(query, keys, temperature, visible) {
  return keys.map((key, j) => visible(j) ? query.reduce((sum, x, c) => sum + x * key[c], 0) / temperature : -Infinity);
}
function mappedPairs(token, frequencies, stretches, back) {
  return frequencies.flatMap((frequency, p) => {
    const [sine, cosine] = [Math.sin(frequency * back), Math.cos(frequency * back)];
    const [s, c] = [token[2 * p], token[2 * p + 1]];
    return [stretches[p] * (s * cosine - c * sine), stretches[p] * (c * cosine + s * sine)];
  });
}
function shades(matrix, largest) {
  const paths = Array.from({ length: LEVELS + 1 }, () => "");
  matrix.forEach((row, i) => row.forEach((weight, j) => {
    const level = Math.ceil(LEVELS * Math.min(weight / largest, 1) - 0.5);
    if (level > 0) paths[level] += `M${j} ${i}h1v1h-1z`;
  }));
  return paths.slice(1);
}
function typicalLargest(matrix) {
  const largest = matrix.map((row) => Math.max(...row)).sort((a, b) => a - b);
  return largest[Math.floor(largest.length / 2)];
}
var shade = (level) => ({
  "fill-opacity": Math.min(1.5 * level, 1),
  style: level > 2 / 3 ? `fill: color-mix(in srgb, var(--figure-ink) ${Math.round(150 * level - 100)}%, var(--figure-weight))` : ""
});
function layout(width) {
  const narrow = width < 560;
  const matrix = { x: 40, y: 30, side: narrow ? width - 54 : Math.min(0.46 * width, 330) };
  const left = narrow ? 44 : matrix.x + matrix.side + 70;
  const top = narrow ? matrix.y + matrix.side + 84 : matrix.y;
  const height = narrow ? 230 : matrix.side;
  const values = { top, bottom: top + 0.52 * height };
  const weights = { top: values.bottom + 34, bottom: top + height };
  return { width, narrow, matrix, left, right: width - 12, values, weights, height: weights.bottom + 46 };
}
function elements(stage) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes, parent = canvas) => svg(tag, { class: name, ...attributes }, parent);
  const parts = {
    canvas,
    matrixTitle: add("text", "title query-title", { text: "query" }),
    matrixKeyTitle: add("text", "title key", { text: "key" }),
    matrix: add("svg", "matrix"),
    frame: add("rect", "frame"),
    axes: add("g", "axes"),
    rowFrame: add("rect", "row-frame"),
    rowPill: add("rect", "row-pill", { height: 20, rx: 10, width: 32, x: 0 }),
    rowLabel: add("text", "row-label", { x: 16 }),
    targets: add("path", "targets"),
    dots: add("g", "value-dots"),
    curve: add("path", "curve"),
    queryLine: add("line", "query-line"),
    reference: add("path", "reference"),
    stems: add("path", "stems"),
    diamond: add("path", "diamond", { d: DIAMOND }),
    nothing: add("text", "note nothing", { text: "no key to attend to" }),
    weightTick: add("text", "tick left"),
    legend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight" }),
    keyTitle: add("text", "title key", { text: "key" })
  };
  parts.cells = add("g", "cells", {}, parts.matrix);
  parts.queryHandle = html("div", { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query", "aria-orientation": "vertical" }, stage);
  return parts;
}
function render({ model, el }) {
  const [queryGrid, temperatureGrid, masks, labels, values, targets, reference] = ["query_grid", "temperature_grid", "masks", "frame_labels", "data_values", "targets", "reference"].map((name) => model.get(name));
  const { queries: allQueries, keys: allKeys } = model.get("frames");
  const frameName = model.get("frame_name");
  const [frequencies, stretchGrid, backGrid] = ["frequencies", "stretch_grid", "back_grid"].map((name) => model.get(name));
  const hasMaps = frequencies.length > 0;
  const frameGrid = [0, labels.length - 1, 1];
  const [nQueries, nKeys] = [allQueries[0].length, allKeys[0].length];
  const sameLength = nQueries === nKeys;
  const figure = liveFigure({
    model,
    el,
    name: "attention",
    hint: labels.length > 1 ? `Press on a row, or drag it. Keyboard: Tab, then up and down choose the row, left and right the ${frameName}.` : "Press on a row, or drag it. Keyboard: Tab, then up and down.",
    settings: {
      query: numberSetting("query", queryGrid),
      [frameName]: choiceSetting("frame_index", labels),
      temperature: numberSetting("temperature", temperatureGrid),
      mask: choiceSetting("mask_index", masks),
      ...hasMaps && {
        wq1: numberSetting("query_fast", stretchGrid),
        wq2: numberSetting("query_slow", stretchGrid),
        wk1: numberSetting("key_fast", stretchGrid),
        wk2: numberSetting("key_slow", stretchGrid),
        back: numberSetting("look_back", backGrid)
      }
    }
  });
  const parts = elements(figure.stage);
  const valueText = (value) => format(value, 2);
  let at, x, y, before, computed, drawn;
  function currentMaps() {
    if (!hasMaps) return {};
    const stretches = (...traits) => traits.map((trait) => onGrid(model.get(trait), stretchGrid));
    return {
      query_stretches: stretches("query_fast", "query_slow"),
      key_stretches: stretches("key_fast", "key_slow"),
      look_back: onGrid(model.get("look_back"), backGrid)
    };
  }
  function current() {
    return {
      ...currentMaps(),
      query: onGrid(model.get("query"), queryGrid),
      frame_index: Math.min(model.get("frame_index"), labels.length - 1),
      temperature: onGrid(model.get("temperature"), temperatureGrid),
      mask: sameLength ? masks[model.get("mask_index")] : "none"
    };
  }
  function compute({ temperature, mask, query_stretches, key_stretches, look_back }) {
    const name = JSON.stringify([temperature, mask, query_stretches, key_stretches, look_back]);
    if (computed?.name === name) return computed;
    const visible = (i) => mask === "causal" ? (j) => j <= i : () => true;
    const map = (token, stretches, back) => hasMaps ? mappedPairs(token, frequencies, stretches, back) : token;
    const matrices = allQueries.map((queries, frame) => {
      const keys = allKeys[frame].map((token) => map(token, key_stretches, 0));
      return queries.map((token, i) => softmax(rowLogWeights(map(token, query_stretches, look_back), keys, temperature, visible(i))));
    });
    return computed = { name, matrices, darkest: Math.max(...matrices.map(typicalLargest)) };
  }
  function draw(width) {
    if (width !== at?.width) put(width);
    const setting = current();
    const { name, matrices, darkest } = compute(setting);
    const weights = matrices[setting.frame_index];
    const estimates = weights.map((each) => average(each, values));
    const unmoved = `${width} ${setting.frame_index} ${name}`;
    if (drawn !== unmoved) drawMatrix(weights, estimates, darkest);
    drawn = unmoved;
    const row = weights[setting.query], answer = estimates[setting.query];
    const apart = reference.length ? reference[setting.query].reduce((sum, w, j) => sum + Math.abs(w - row[j]), 0) / 2 : void 0;
    drawRow(setting.query, row, answer);
    const heaviest = row.indexOf(Math.max(...row));
    const keys_for_90_percent = keysForShare(row, 0.9);
    const { frame_index, ...published } = setting;
    return {
      state: {
        ...published,
        [frameName]: labels[frame_index],
        estimate: answer,
        keys_for_90_percent,
        heaviest_key: heaviest,
        ...apart !== void 0 && { total_variation: apart }
      },
      sentence: sentence(setting, row, answer, heaviest, keys_for_90_percent, apart)
    };
  }
  function put(width) {
    at = layout(width);
    const { matrix } = at;
    set(parts.canvas, { width, height: at.height, viewBox: `0 0 ${width} ${at.height}` });
    const place2 = { x: matrix.x, y: matrix.y, width: matrix.side, height: matrix.side };
    set(parts.matrix, { ...place2, viewBox: `0 0 ${nKeys} ${nQueries}`, preserveAspectRatio: "none" });
    set(parts.frame, place2);
    set(parts.matrixTitle, { x: 0, y: 18 });
    set(parts.matrixKeyTitle, { x: matrix.x + matrix.side, y: matrix.y + matrix.side + 34 });
    set(parts.keyTitle, { x: at.right, y: at.weights.bottom + 36 });
    set(parts.weightTitle, { x: at.left - 44, y: at.weights.top - 8 });
    set(parts.weightTick, { x: at.left - 8, y: at.weights.top + 10 });
    x = scale([0, nKeys - 1 || 1], [at.left + 4, at.right - 4]);
    const shown = [...values, ...targets];
    const margin = 0.1 * (Math.max(...shown) - Math.min(...shown)) || 1;
    at.valueRange = [Math.min(...shown) - margin, Math.max(...shown) + margin];
    y = scale(at.valueRange, [at.values.bottom, at.values.top]);
    drawAxes();
    drawLegend();
    repeat(parts.dots, "circle", nKeys, (dot, j) => set(dot, { cx: x(j), cy: y(values[j]), r: nKeys > 30 && at.narrow ? 2.5 : 3.5 }));
    set(parts.targets, { d: path(sameLength ? targets.map((target, i) => [x(i), y(target)]) : []) });
  }
  function drawAxes() {
    parts.axes.replaceChildren();
    const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 }, parts.axes);
    const label = (name, x2, y2, text) => svg("text", { class: name, x: x2, y: y2, text }, parts.axes);
    const { matrix } = at;
    const whole = (count, n) => ticks([0, n - 1], count).filter(({ value }) => Number.isInteger(value));
    for (const { value, text } of whole(5, nKeys)) {
      label("tick", matrix.x + matrix.side * (value + 0.5) / nKeys, matrix.y + matrix.side + 17, text);
      line("base", x(value), at.weights.bottom, x(value), at.weights.bottom + 5);
      label("tick", x(value), at.weights.bottom + 19, text);
    }
    for (const { value, text } of whole(5, nQueries)) {
      label("tick left row", matrix.x - 7, matrix.y + matrix.side * (value + 0.5) / nQueries + 4, text);
    }
    for (const { value, text } of ticks(at.valueRange, 4)) {
      line("grid", at.left, y(value), at.right, y(value));
      label("tick left", at.left - 8, y(value) + 4, text);
    }
    line("base", at.left, at.weights.bottom, at.right, at.weights.bottom);
  }
  function drawLegend() {
    parts.legend.replaceChildren();
    let left = at.left;
    const entry = (name, shape, attributes, text) => {
      const group = svg("g", { class: name, transform: place(left, at.values.top - 12) }, parts.legend);
      svg(shape, attributes, group);
      svg("text", { class: "title", x: 22, text }, group);
      left += 22 + 7.3 * text.length + 14;
    };
    entry("value", "circle", { cx: 8, cy: -4.5, r: 4 }, "value");
    entry("estimate", "path", { d: "M0 -4.5H16" }, "estimate");
    if (targets.length) entry("target", "path", { d: "M0 -4.5H17" }, model.get("target_label"));
  }
  function drawMatrix(weights, estimates, darkest) {
    const paths = shades(weights, darkest);
    repeat(parts.cells, "path", paths.length, (cell, level) => set(cell, { d: paths[level], ...shade((level + 1) / LEVELS) }));
    set(parts.curve, { d: sameLength ? path(estimates.map((estimate, i) => [x(i), y(estimate)])) : "" });
  }
  function drawRow(query, row, answer) {
    const { matrix } = at;
    const height = matrix.side / nQueries, middle = matrix.y + (query + 0.5) * height;
    const frame = Math.max(height, 3);
    set(parts.rowFrame, { x: matrix.x - 1, width: matrix.side + 2, y: middle - frame / 2, height: frame });
    set(parts.rowPill, { y: middle - 10 });
    set(parts.rowLabel, { y: middle + 4.5 });
    parts.rowLabel.textContent = String(query);
    for (const tick of parts.axes.querySelectorAll(".row")) {
      set(tick, { visibility: Math.abs(tick.getAttribute("y") - 4 - middle) < 17 ? "hidden" : "visible" });
    }
    const grip = Math.max(height, 32);
    Object.assign(parts.queryHandle.style, { left: "0", top: `${middle - grip / 2}px`, width: `${matrix.x + matrix.side}px`, height: `${grip}px` });
    set(parts.queryHandle, { "aria-valuemin": "0", "aria-valuemax": String(nQueries - 1), "aria-valuenow": String(query) });
    const compared = reference.length ? reference[query] : [];
    const top = [1, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01].findLast((level) => level >= (Math.max(...row, ...compared) || 1));
    const z = scale([0, top], [at.weights.bottom, at.weights.top + 6]);
    parts.weightTick.textContent = percent(top).replace(".0", "");
    set(parts.stems, { d: row.map((weight, j) => weight > 0 ? `M${x(j).toFixed(1)} ${at.weights.bottom}V${z(weight).toFixed(1)}` : "").join("") });
    parts.stems.style.strokeWidth = `${Math.min(Math.max(0.5 * (x(1) - x(0)), 2), 8)}px`;
    set(parts.reference, { d: path(compared.map((weight, j) => [x(j), z(weight)])) });
    set(parts.queryLine, {
      x1: x(query),
      x2: x(query),
      y1: at.values.top,
      y2: at.weights.bottom,
      visibility: sameLength ? "visible" : "hidden"
    });
    const nothing = Number.isNaN(answer);
    set(parts.nothing, { visibility: nothing ? "visible" : "hidden", x: (at.left + at.right) / 2, y: (at.values.top + at.values.bottom) / 2 });
    set(parts.diamond, {
      visibility: nothing ? "hidden" : "visible",
      ...!nothing && { transform: place(sameLength ? x(query) : at.left, y(answer)) }
    });
  }
  function sentence({ query, frame_index, temperature, mask, query_stretches, key_stretches, look_back }, row, answer, heaviest, count, apart) {
    const role = (name, words) => `<b class="${name}">${words}</b>`;
    const list = (stretches) => `(${stretches.map((each) => format(each, 1)).join(", ")})`;
    const maps = hasMaps ? `W_q ${list(query_stretches)}, W_k ${list(key_stretches)}, looks back ${format(look_back, 0)}, ` : "";
    const shown = maps + (labels.length > 1 ? `${frameName} ${labels[frame_index]}, ` : "");
    const opening = `${shown}τ = ${format(temperature, 2)}${mask === "none" ? "" : `, ${mask} mask`}. ${role("query", `Query ${query}`)}`;
    const capital = opening[0].toUpperCase() + opening.slice(1);
    const many = count === 1 ? "1 key" : `${count} of ${row.filter((weight) => weight > 0).length} keys`;
    const closing = apart === void 0 ? "" : ` ${role("weight", percent(apart))} of the weight differs from the dotted line.`;
    return `${capital} takes 90 % of its weight from ${role("weight", many)}; the heaviest is ${role("key", `key ${heaviest}`)} with ${role("weight", percent(row[heaviest]))}. ${role("estimate", `Estimate ${valueText(answer)}`)}.${closing}`;
  }
  const moveQuery = (query) => figure.change({ query: onGrid(query, queryGrid) });
  function grab(event) {
    const { left, top } = figure.stage.getBoundingClientRect();
    const { matrix } = at;
    const rowAt = (e) => Math.floor((e.clientY - top - matrix.y) / matrix.side * nQueries);
    const across = event.clientX - left, down = event.clientY - top;
    const onMatrix = across <= matrix.x + matrix.side && down >= matrix.y && down <= matrix.y + matrix.side;
    if (!onMatrix && event.target !== parts.queryHandle) return void 0;
    before = current().query;
    parts.queryHandle.focus({ preventScroll: true });
    return (e) => moveQuery(rowAt(e));
  }
  draggable(figure.stage, { grab, release: (cancelled) => cancelled && figure.change({ query: before }) });
  arrowKeys(parts.queryHandle, (right, up) => {
    const { query, frame_index } = current();
    if (!Number.isFinite(right)) return moveQuery(right < 0 ? 0 : nQueries - 1);
    figure.change({
      query: onGrid(query - up, queryGrid),
      frame_index: labels.length > 1 ? onGrid(frame_index + Math.sign(right), frameGrid) : 0
    });
  });
  return figure.start(draw);
}
var attention_default = { render };
export {
  attention_default as default,
  mappedPairs,
  rowLogWeights
};
