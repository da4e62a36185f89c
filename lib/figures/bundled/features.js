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

// lib/figures/features.js
var SHARES = [0.01, 0.1, 1];
var LARGEST_SHARE = 4;
var LEVELS = [1, 0.7, 0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01];
var DIAMOND = "M0 -7.5L7.5 0L0 7.5L-7.5 0Z";
var shift = (right, down) => `translate(${right.toFixed(1)} ${down.toFixed(1)})`;
var percent = (share) => `${format(100 * share, Math.abs(share) < 0.0995 ? 1 : 0)} %`;
var FEATURE_MAPS = {
  positive: { sign: -1, functions: [Math.exp] },
  hyperbolic: { sign: -1, functions: [Math.exp, (u) => Math.exp(-u)] },
  trigonometric: { sign: 1, functions: [Math.cos, Math.sin] }
};
function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += a[i] * b[i];
  return sum;
}
function featuresOf(tokens, frequencies, map) {
  const { sign, functions } = FEATURE_MAPS[map];
  const factors = tokens.map((token) => Math.exp(sign * dot(token, token) / 2));
  return functions.map((f) => frequencies.map((frequency) => {
    const row = new Float64Array(tokens.length);
    for (let j = 0; j < row.length; j += 1) row[j] = factors[j] * f(dot(frequency, tokens[j]));
    return row;
  }));
}
function estimatedWeights(features, query, counts) {
  const sums = new Float64Array(features[0][0].length);
  let used = 0;
  return counts.map((count) => {
    for (; used < count; used += 1) {
      for (const feature of features) {
        const row = feature[used], own = row[query];
        for (let j = 0; j < sums.length; j += 1) sums[j] += own * row[j];
      }
    }
    const total = sums.reduce((a, b) => a + b, 0);
    return Array.from(sums, (sum) => sum / total);
  });
}
function exactWeights(tokens, query) {
  return softmax(tokens.map((token) => dot(tokens[query], token)));
}
var misplaced = (weights, exact) => weights.reduce((sum, weight, j) => sum + Math.abs(weight - exact[j]), 0) / 2;
function unpack({ shape: [couplings, draws, count, dimension], data }) {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const numbers = new Float64Array(bytes.buffer);
  const list = (length, make) => Array.from({ length }, (_, i) => make(i));
  return list(couplings, (c) => list(draws, (d) => list(count, (l) => {
    const first = ((c * draws + d) * count + l) * dimension;
    return numbers.subarray(first, first + dimension);
  })));
}
function layout(width) {
  const narrow = width < 560;
  const left = 44, dataTop = 60;
  const right = narrow ? width - 14 : Math.round(width * 0.61);
  const dataBottom = dataTop + (narrow ? 150 : 170);
  const weightTop = dataBottom + 38;
  const weightBottom = weightTop + (narrow ? 120 : 130);
  const errorLeft = narrow ? left : right + 70;
  const errorTop = narrow ? weightBottom + 84 : dataTop;
  const errorBottom = narrow ? errorTop + 150 : weightBottom;
  const height = errorBottom + 46;
  return {
    width,
    height,
    narrow,
    left,
    right,
    dataTop,
    dataBottom,
    weightTop,
    weightBottom,
    errorLeft,
    errorRight: width - 14,
    errorTop,
    errorBottom
  };
}
function elements(stage, tokenLabel) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes) => svg(tag, { class: name, ...attributes }, canvas);
  const parts = {
    canvas,
    axes: add("g", "axes"),
    dataPanel: add("svg", "panel"),
    weightPanel: add("svg", "panel"),
    errorPanel: add("svg", "panel"),
    weightTicks: add("g", "weight-ticks"),
    alikeLabel: add("text", "note", { text: "all keys alike" }),
    queryLine: add("line", "query-line"),
    answer: add("g", "answer"),
    queryHandle: add("g", "query-handle", { role: "slider", tabindex: 0, "aria-label": "Query" }),
    countHandle: add("g", "count-handle", { role: "slider", tabindex: 0, "aria-label": "Number of frequencies" }),
    legend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight", x: 0 }),
    tokenTitle: add("text", "title key", { text: tokenLabel }),
    errorTitle: add("text", "title weight", { text: "weight on wrong keys" }),
    countTitle: add("text", "title axis", { text: "number of frequencies" })
  };
  const inside = (panel, tag, name) => svg(tag, { class: name }, parts[panel]);
  parts.exactCurve = inside("dataPanel", "path", "exact");
  parts.curve = inside("dataPanel", "path", "curve");
  parts.dots = inside("dataPanel", "g", "dots");
  parts.zero = inside("weightPanel", "line", "base");
  parts.stems = inside("weightPanel", "path", "stems");
  parts.exactHalo = inside("weightPanel", "path", "exact-halo");
  parts.exactWeights = inside("weightPanel", "path", "exact");
  parts.otherDraws = inside("errorPanel", "path", "other-draws");
  parts.alike = inside("errorPanel", "line", "alike");
  parts.thisDraw = inside("errorPanel", "path", "this-draw");
  parts.exactDiamond = svg("path", { class: "exact-diamond", d: DIAMOND }, parts.answer);
  parts.diamond = svg("path", { class: "diamond", d: DIAMOND }, parts.answer);
  parts.pill = svg("rect", { class: "pill", y: 28, height: 24, rx: 12 }, parts.queryHandle);
  parts.pillLabel = svg("text", { class: "pill-label", y: 44.5 }, parts.queryHandle);
  parts.countLine = svg("line", { class: "count-line" }, parts.countHandle);
  parts.countDot = svg("circle", { class: "count-dot", r: 7 }, parts.countHandle);
  parts.countLabel = svg("text", { class: "count-label" }, parts.countHandle);
  return parts;
}
function render({ model, el }) {
  const [tokenGrid, normGrid] = ["token_grid", "norm_grid"].map((name) => model.get(name));
  const [maps, couplings, counts] = ["feature_maps", "couplings", "counts"].map((name) => model.get(name));
  const directions = model.get("directions"), values = model.get("data_values");
  const frequencies = unpack(model.get("frequencies"));
  const drawGrid = [1, frequencies[0].length, 1];
  const everyToken = values.map((_, i) => i);
  const figure = liveFigure({
    model,
    el,
    name: "features",
    hint: "Drag the query, or the point on the curve of errors. Keyboard: Tab, then arrows.",
    settings: {
      query: numberSetting("query", tokenGrid),
      features: choiceSetting("count_index", counts.map(String)),
      norm: numberSetting("norm", normGrid),
      map: choiceSetting("map_index", maps),
      coupling: choiceSetting("coupling_index", couplings),
      draw: numberSetting("draw", drawGrid)
    }
  });
  const parts = elements(figure.stage, model.get("token_label"));
  let at, x, y, xError, yError, computed = {}, drawnData, before;
  const again = html("button", { type: "button", text: "Draw again", title: "Other random frequencies" });
  again.addEventListener("click", () => figure.change({ draw: current().draw % drawGrid[1] + 1 }));
  figure.root.querySelector(".actions").prepend(again);
  const current = () => ({
    query: onGrid(model.get("query"), tokenGrid),
    n_features: counts[model.get("count_index")],
    map: maps[model.get("map_index")],
    coupling: couplings[model.get("coupling_index")],
    norm: onGrid(model.get("norm"), normGrid),
    draw: onGrid(model.get("draw"), drawGrid)
  });
  function compute({ norm, map, coupling }) {
    const name = [norm, map, coupling].join();
    if (computed.name !== name) {
      const root = directions[0].length ** 0.25;
      const tokens = directions.map((direction) => direction.map((entry) => norm * entry / root));
      const features = frequencies[couplings.indexOf(coupling)].map((draw2) => featuresOf(tokens, draw2, map));
      const exact = everyToken.map((query) => exactWeights(tokens, query));
      computed = { name, features, exact, exactCurve: exact.map((weights) => average(weights, values)) };
    }
    return computed;
  }
  function draw(width) {
    if (width !== at?.width) place(width);
    const setting = current();
    const { features, exact, exactCurve } = compute(setting);
    const rows = features.map((feature) => estimatedWeights(feature, setting.query, counts));
    const weights = rows[setting.draw - 1][model.get("count_index")];
    const exactRow = exact[setting.query];
    const errors = rows.map((row) => row.map((each) => misplaced(each, exactRow)));
    const results = {
      estimate: average(weights, values),
      exact_estimate: exactCurve[setting.query],
      error: misplaced(weights, exactRow),
      error_of_equal_weights: misplaced(exactRow.map(() => 1 / exactRow.length), exactRow),
      keys_for_90_percent: keysForShare(weights, 0.9),
      exact_keys_for_90_percent: keysForShare(exactRow, 0.9)
    };
    const unmoved = JSON.stringify([width, { ...setting, query: void 0 }]);
    if (unmoved !== drawnData) drawCurves(setting, features[setting.draw - 1], exactCurve);
    drawnData = unmoved;
    drawWeights(weights, exactRow);
    drawErrors(errors, setting, results);
    drawQuery(setting, results);
    return { state: { ...setting, ...results }, sentence: sentence(setting, results, weights) };
  }
  function place(width) {
    at = layout(width);
    const low = Math.min(...values), high = Math.max(...values), margin = 0.12 * (high - low || 1);
    x = scale(tokenGrid, [at.left, at.right]);
    y = scale([low - margin, high + margin], [at.dataBottom, at.dataTop]);
    const decades = scale([Math.log(counts[0]), Math.log(counts.at(-1))], [at.errorLeft, at.errorRight]);
    const shares = scale([Math.log(SHARES[0]), Math.log(LARGEST_SHARE)], [at.errorBottom, at.errorTop]);
    xError = Object.assign((count) => decades(Math.log(count)), { invert: (pixel) => Math.exp(decades.invert(pixel)) });
    yError = (share) => shares(Math.log(Math.max(share, SHARES[0] / 2)));
    set(parts.canvas, { width, height: at.height, viewBox: `0 0 ${width} ${at.height}` });
    const panel = (name, left, top, right, bottom) => set(parts[name], {
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
      viewBox: `${left} ${top} ${right - left} ${bottom - top}`
    });
    panel("dataPanel", at.left - 6, at.dataTop, at.right + 6, at.dataBottom);
    panel("weightPanel", at.left - 6, at.weightTop, at.right + 6, at.weightBottom);
    panel("errorPanel", at.errorLeft, at.errorTop, at.errorRight, at.errorBottom);
    set(parts.weightTitle, { y: at.weightTop - 10 });
    set(parts.tokenTitle, { x: at.right, y: at.weightBottom + 40 });
    set(parts.errorTitle, { x: at.narrow ? 0 : at.errorLeft - 34, y: at.errorTop - 14 });
    set(parts.countTitle, { x: at.errorRight, y: at.errorBottom + 40 });
    set(parts.queryLine, { y1: 52, y2: at.weightBottom });
    drawAxes();
    drawLegend();
  }
  function drawAxes() {
    parts.axes.replaceChildren();
    const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 }, parts.axes);
    const label = (name, x2, y2, text) => svg("text", { class: name, x: x2, y: y2, text }, parts.axes);
    for (const { value, text } of ticks([y.invert(at.dataBottom), y.invert(at.dataTop)], 4)) {
      line("grid", at.left, y(value), at.right, y(value));
      label("tick left", at.left - 10, y(value) + 4, text);
    }
    for (const { value, text } of ticks(tokenGrid, 6)) {
      line("base", x(value), at.weightBottom, x(value), at.weightBottom + 5);
      label("tick", x(value), at.weightBottom + 19, text);
    }
    for (const share of SHARES) {
      line("grid", at.errorLeft, yError(share), at.errorRight, yError(share));
      label("tick left", at.errorLeft - 6, yError(share) + 4, percent(share).replace(".0", ""));
    }
    for (const count of counts.filter((each) => Number.isInteger(Math.log2(each) / 2))) {
      line("base", xError(count), at.errorBottom, xError(count), at.errorBottom + 5);
      label("tick", xError(count), at.errorBottom + 19, String(count));
    }
    line("base", at.errorLeft, at.errorBottom, at.errorRight, at.errorBottom);
    line("base", at.left, at.weightBottom, at.right, at.weightBottom);
  }
  function drawLegend() {
    parts.legend.replaceChildren();
    let left = 0;
    const entry = (name, shape, attributes, text) => {
      const group = svg("g", { class: name, transform: shift(left, 14) }, parts.legend);
      svg(shape, attributes, group);
      svg("text", { class: "title", x: 22, text }, group);
      left += 22 + 7.3 * text.length + 18;
    };
    entry("value", "circle", { cx: 8, cy: -4.5, r: 3.5 }, model.get("value_label"));
    entry("estimate", "path", { d: "M0 -4.5H17" }, "from features");
    entry("reference", "path", { d: "M0 -4.5H17" }, "exact");
  }
  function drawCurves({ n_features }, features, exactCurve) {
    const estimates = everyToken.map((query) => average(estimatedWeights(features, query, [n_features])[0], values));
    const curve = (each) => path(everyToken.map((i) => [x(i), clipped(y(each[i]))]));
    set(parts.curve, { d: curve(estimates) });
    set(parts.exactCurve, { d: curve(exactCurve) });
    repeat(parts.dots, "circle", values.length, (circle, i) => set(circle, { cx: x(i), cy: y(values[i]), r: 3 }));
  }
  const clipped = (pixel) => Math.min(Math.max(pixel, -1e4), 1e4);
  function drawWeights(weights, exact) {
    const level = (size) => LEVELS.findLast((each) => each >= Math.min(size, 1));
    const top = level(Math.max(...weights, ...exact));
    const least = Math.min(...weights);
    const low = least < -1e-12 ? -level(-least) : 0;
    const z = scale([low, top], [at.weightBottom, at.weightTop + 6]);
    const stem = (weight, j) => `M${x(j).toFixed(1)} ${z(0).toFixed(1)}V${clipped(z(weight)).toFixed(1)}`;
    set(parts.stems, { d: weights.map(stem).join("") });
    const exactPath = path(exact.map((weight, j) => [x(j), z(weight)]));
    [parts.exactHalo, parts.exactWeights].forEach((part) => set(part, { d: exactPath }));
    set(parts.zero, { x1: at.left, x2: at.right, y1: z(0), y2: z(0) });
    const marks = [top, 0, low].filter((mark, i, all) => all.indexOf(mark) === i);
    repeat(parts.weightTicks, "text", marks.length, (text, i) => {
      set(text, { class: "tick left", x: at.left - 10, y: z(marks[i]) + 4 });
      text.textContent = percent(marks[i]).replace(".0", "");
    });
  }
  function drawErrors(errors, { n_features, draw: draw2 }, { error, error_of_equal_weights: alike }) {
    const curve = (each) => path(each.map((share, i) => [xError(counts[i]), clipped(yError(share))]));
    set(parts.thisDraw, { d: curve(errors[draw2 - 1]) });
    set(parts.otherDraws, { d: errors.filter((_, i) => i !== draw2 - 1).map(curve).join("") });
    set(parts.alike, { x1: at.errorLeft, x2: at.errorRight, y1: yError(alike), y2: yError(alike) });
    set(parts.alikeLabel, { x: at.errorRight, y: yError(alike) - 6 });
    const [px, py] = [xError(n_features), Math.max(yError(error), at.errorTop)];
    set(parts.countLine, { x1: px, x2: px, y1: py, y2: at.errorBottom });
    set(parts.countDot, { cx: px, cy: py });
    const leftward = px > (at.errorLeft + at.errorRight) / 2;
    set(parts.countLabel, {
      x: px + (leftward ? -8 : 8),
      y: at.errorBottom - 9,
      "text-anchor": leftward ? "end" : "start"
    });
    parts.countLabel.textContent = `m = ${n_features}`;
    set(parts.countHandle, {
      "aria-valuemin": "0",
      "aria-valuemax": String(counts.length - 1),
      "aria-valuenow": String(counts.indexOf(n_features)),
      "aria-valuetext": `${n_features} frequencies, ${percent(error)} of the weight on wrong keys`
    });
  }
  function drawQuery({ query }, { estimate, exact_estimate }) {
    const pixel = x(query);
    const text = `query ${query}`;
    const width = 7.3 * text.length + 26;
    const pillX = Math.min(Math.max(pixel - width / 2, 1), at.right - width + 12);
    set(parts.queryLine, { x1: pixel, x2: pixel });
    set(parts.pill, { x: pillX, width });
    set(parts.pillLabel, { x: pillX + width / 2 });
    parts.pillLabel.textContent = text;
    set(parts.queryHandle, {
      "aria-valuemin": String(tokenGrid[0]),
      "aria-valuemax": String(tokenGrid[1]),
      "aria-valuenow": String(query),
      "aria-valuetext": `${query}, estimate ${format(estimate, 2)}, exactly ${format(exact_estimate, 2)}`
    });
    const inPanel = (value) => Math.min(Math.max(y(value), at.dataTop), at.dataBottom);
    set(parts.diamond, { transform: shift(pixel, inPanel(estimate)) });
    set(parts.exactDiamond, { transform: shift(pixel, inPanel(exact_estimate)) });
  }
  function sentence({ query, n_features, map, coupling, norm, draw: draw2 }, results, weights) {
    const role = (name, words) => `<b class="${name}">${words}</b>`;
    const kind = map[0].toUpperCase() + map.slice(1);
    const share = role("weight", percent(results.error));
    const negative = weights.filter((weight) => weight < 0).length;
    const below = negative ? ` ${role("weight", `${negative} weights are negative.`)}` : "";
    return `${kind} features of ${n_features} ${coupling} frequencies, draw ${draw2} of ${drawGrid[1]}, norm ${format(norm, 1)}. ${role("query", `Query ${query}`)} has ${share} of its weight on wrong keys; were all keys alike, it would have ${percent(results.error_of_equal_weights)}.${below} 90 % lie on ${role("weight", `${results.keys_for_90_percent} of ${values.length} keys`)}, exactly on ${results.exact_keys_for_90_percent}. ${role("estimate", `Estimate ${format(results.estimate, 2)}`)}, exactly ${format(results.exact_estimate, 2)}.`;
  }
  const moveQuery = (query) => figure.change({ query: onGrid(query, tokenGrid) });
  const choose = (index) => figure.change({ count_index: Math.min(Math.max(index, 0), counts.length - 1) });
  const nearestCount = (count) => {
    const apart = counts.map((each) => Math.abs(Math.log(each / count)));
    return apart.indexOf(Math.min(...apart));
  };
  function grab(event) {
    const { left, top } = parts.canvas.getBoundingClientRect();
    const column = (e) => e.clientX - left;
    before = { query: model.get("query"), count_index: model.get("count_index") };
    const beside = at.narrow ? event.clientY - top > at.weightBottom + 30 : column(event) > at.right + 30;
    if (beside || parts.countHandle.contains(event.target)) {
      parts.countHandle.focus({ preventScroll: true });
      return (e) => choose(nearestCount(xError.invert(column(e))));
    }
    parts.queryHandle.focus({ preventScroll: true });
    const off = parts.queryHandle.contains(event.target) ? x(current().query) - column(event) : 0;
    return (e) => moveQuery(x.invert(column(e) + off));
  }
  draggable(parts.canvas, { grab, release: (cancelled) => cancelled && figure.change(before) });
  arrowKeys(parts.queryHandle, (right, up) => moveQuery(current().query + right + up));
  arrowKeys(parts.countHandle, (right, up) => choose(model.get("count_index") + right + up));
  return figure.start(draw);
}
var features_default = { render };
export {
  FEATURE_MAPS,
  features_default as default,
  estimatedWeights,
  exactWeights,
  featuresOf,
  misplaced
};
