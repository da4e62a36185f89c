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
var LOG_KERNELS = {
  gaussian: (s) => -s,
  boxcar: (s) => s < 1 - Math.sqrt(Number.EPSILON) ? 0 : -Infinity,
  // rounding must not let in a key at h
  triangular: (s) => Math.log(Math.max(1 - Math.sqrt(s), 0)),
  epanechnikov: (s) => Math.log(Math.max(1 - s, 0)),
  constant: () => 0
};
function logKernel(query, keys, bandwidth, kernel) {
  return keys.map((key) => LOG_KERNELS[kernel]((query - key) ** 2 / bandwidth / bandwidth));
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

// lib/figures/same.js
var DEGREE = Math.PI / 180;
var HALO = 13;
var DIAMOND = "M0 -6.5L6.5 0L0 6.5L-6.5 0Z";
var METHODS = ["gaussian", "attention"];
var percent = (share) => `${format(100 * share, share < 0.0995 ? 1 : 0)} %`;
var polar = (angle, length) => [length * Math.cos(angle * DEGREE), length * Math.sin(angle * DEGREE)];
var angleOf = ([x, y]) => (Math.atan2(y, x) / DEGREE % 360 + 360) % 360;
var place = (x, y) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
var vectorsSetting = (trait, defaults) => ({
  trait,
  write: (list) => list.flatMap(([x, y], k) => x === defaults[k][0] && y === defaults[k][1] ? [] : [`${k}/${x}/${y}`]).join(";"),
  read: (text) => {
    const list = [...defaults];
    for (const [k, x, y] of text.split(";").map((change) => change.split("/").map(Number))) {
      if (k in list && Math.hypot(x, y) > 0) list[k] = [x, y];
    }
    return list;
  }
});
function keysAt(spread, keys) {
  const norms = keys.map(([x, y]) => Math.hypot(x, y));
  const mean = norms.reduce((a, b) => a + b, 0) / norms.length;
  return keys.map(([x, y], i) => {
    const factor = (mean + spread * (norms[i] - mean)) / norms[i];
    return [factor * x, factor * y];
  });
}
function gaussianLogWeights(query, keys, bandwidth) {
  return logKernel(0, keys.map(([x, y]) => Math.hypot(query[0] - x, query[1] - y)), bandwidth, "gaussian");
}
function dotLogWeights([x, y], keys, temperature) {
  return keys.map((key) => (x * key[0] + y * key[1]) / temperature);
}
var totalVariation = (a, b) => a.reduce((sum, weight, i) => sum + Math.abs(weight - b[i]), 0) / 2;
function layout(width) {
  const narrow = width < 520;
  const half = (width - 16) / 2;
  const side = Math.min(half, 300);
  const planes = METHODS.map((_, i) => ({ x: i * (half + 16) + (half - side) / 2, y: 44, side }));
  const apart = { y: 44 + side + 34, left: 44, right: width - 14 };
  const zero = apart.y + 24 + (narrow ? 62 : 74);
  const bar = narrow ? 56 : 68;
  const values = { top: zero + bar + 34, bottom: zero + bar + 34 + (narrow ? 70 : 84) };
  return { width, narrow, planes, apart, zero, bar, values, height: values.bottom + 44 };
}
function elements(stage, nKeys) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes, parent = canvas) => svg(tag, { class: name, ...attributes }, parent);
  const planes = METHODS.map((method) => {
    const group = add("g", `plane ${method}`);
    return {
      group,
      title: add("text", "title", { y: -28 }, group),
      note: add("text", "note", { y: -10 }, group),
      frame: add("rect", "frame", {}, group),
      clip: add("svg", "inside", {}, group)
    };
  });
  for (const plane of planes) {
    plane.reach = add("circle", "reach", {}, plane.clip);
    plane.ring = add("circle", "mean-norm", {}, plane.clip);
    plane.axes = add("path", "grid", {}, plane.clip);
    plane.halos = add("g", "halos", {}, plane.clip);
    plane.dots = add("g", "keys", {}, plane.clip);
    plane.turn = add("path", "turn", {}, plane.clip);
    plane.arrow = add("path", "arrow", {}, plane.clip);
    plane.asked = add("circle", "asked", { r: 6 }, plane.clip);
    plane.query = add("circle", "query-dot", { r: 6 }, plane.clip);
  }
  const parts = { canvas, planes, apartTitle: add("text", "title", { x: 0 }), apartText: add("text", "apart-text") };
  parts.apartTrack = add("rect", "apart-track", { height: 8, rx: 4 });
  parts.apartBar = add("rect", "apart-bar", { height: 8, rx: 4 });
  parts.axes = add("g", "axes");
  parts.queryLine = add("line", "query-line");
  parts.bars = add("g", "bars");
  parts.barTitles = METHODS.map((method) => add("text", `note bar-${method}`));
  parts.valueTitle = add("text", "title value", { x: 0, text: "value" });
  parts.dots = add("g", "value-dots");
  parts.answers = METHODS.map((method) => add("path", `answer ${method}`, { d: DIAMOND }));
  parts.keyTitle = add("text", "title key", { text: "angle of the key, in degrees" });
  const keyHandle = (attributes) => html("div", { class: "key-handle", ...attributes }, stage);
  parts.keyHandles = METHODS.map(() => Array.from({ length: nKeys }, () => keyHandle({ "aria-hidden": "true" })));
  parts.chosenKey = keyHandle({ role: "slider", tabindex: 0 });
  parts.handles = METHODS.map((method, i) => html("div", {
    class: `query-handle ${method}`,
    ...i === 0 ? { role: "slider", tabindex: 0, "aria-label": "Query" } : { "aria-hidden": "true" }
  }, stage));
  return parts;
}
function render({ model, el }) {
  const [angleGrid, lengthGrid, bandwidthGrid, spreadGrid, rotationGrid] = ["angle", "length", "bandwidth", "spread", "rotation"].map((name) => model.get(`${name}_grid`));
  const figure = liveFigure({
    model,
    el,
    name: "same",
    hint: "Drag the query or a key in either plane. Keyboard: Tab, then left and right turn it, up and down change its length; on a key, Page Up and Page Down choose another.",
    settings: {
      angle: numberSetting("query_angle", angleGrid),
      length: numberSetting("query_length", lengthGrid),
      bandwidth: numberSetting("bandwidth", bandwidthGrid),
      spread: numberSetting("spread", spreadGrid),
      rotation: numberSetting("rotation", rotationGrid),
      keys: vectorsSetting("full_spread_keys", model.get("defaults").full_spread_keys)
    }
  });
  const values = model.get("data_values");
  const parts = elements(figure.stage, values.length);
  const lowest = Math.min(...values), highest = Math.max(...values);
  const margin = 0.12 * (highest - lowest) || 1;
  const valueRange = [lowest - margin, highest + margin];
  const valueText = (value) => format(value, 2);
  let at, before, chosen = 0;
  function current() {
    const number = (trait, grid) => onGrid(model.get(trait), grid);
    const query_angle = number("query_angle", angleGrid), query_length = number("query_length", lengthGrid);
    const bandwidth = number("bandwidth", bandwidthGrid), rotation = number("rotation", rotationGrid);
    const spread = number("spread", spreadGrid);
    const query = polar(query_angle, query_length);
    const asked = rotation === 0 ? query : polar(query_angle + rotation, query_length);
    const keys = keysAt(spread, model.get("full_spread_keys"));
    return { query, query_angle, query_length, bandwidth, temperature: bandwidth ** 2 / 2, spread, rotation, asked, keys };
  }
  function draw(width) {
    if (width !== at?.width) put(width);
    const setting = current();
    const weights = [
      softmax(gaussianLogWeights(setting.query, setting.keys, setting.bandwidth)),
      softmax(dotLogWeights(setting.asked, setting.keys, setting.temperature))
    ];
    const answers = weights.map((each) => average(each, values));
    const apart = totalVariation(...weights);
    parts.planes.forEach((plane, i) => drawPlane(plane, i, setting, weights[i]));
    drawApart(apart);
    drawBars(setting, weights);
    drawAnswers(setting, answers);
    drawChosenKey(setting.keys);
    const { asked, ...published } = setting;
    return {
      state: {
        ...published,
        values,
        total_variation: apart,
        estimate: answers[1],
        keys_for_90_percent: keysForShare(weights[1], 0.9),
        gaussian_estimate: answers[0],
        gaussian_keys_for_90_percent: keysForShare(weights[0], 0.9)
      },
      sentence: sentence(setting, weights, answers, apart)
    };
  }
  function put(width) {
    at = layout(width);
    set(parts.canvas, { width, height: at.height, viewBox: `0 0 ${width} ${at.height}` });
    at.toPixel = scale([0, lengthGrid[1]], [0, at.planes[0].side / 2 - 4]);
    at.x = scale([0, 360], [at.apart.left, at.apart.right]);
    at.y = scale(valueRange, [at.values.bottom, at.values.top]);
    const titles = at.narrow ? ["Gaussian", "Softmax of dots"] : ["Gaussian kernel", "Softmax of dot products"];
    parts.planes.forEach((plane, i) => {
      const { x, y, side } = at.planes[i];
      set(plane.group, { transform: place(x, y) });
      plane.title.textContent = titles[i];
      set(plane.frame, { width: side, height: side, rx: 6 });
      set(plane.clip, { width: side, height: side, viewBox: `${-side / 2} ${-side / 2} ${side} ${side}` });
      set(plane.axes, { d: `M${-side / 2} 0H${side / 2}M0 ${-side / 2}V${side / 2}` });
    });
    set(parts.apartTitle, { y: at.apart.y - 10 });
    set(parts.apartText, { y: at.apart.y - 10, x: at.apart.right });
    for (const part of [parts.apartTrack, parts.apartBar]) set(part, { x: 0, y: at.apart.y });
    set(parts.apartTrack, { width: at.apart.right });
    set(parts.barTitles[0], { x: at.apart.right, y: at.zero - at.bar - 2 });
    set(parts.barTitles[1], { x: at.apart.right, y: at.zero + at.bar + 12 });
    parts.barTitles.forEach((part, i) => part.textContent = `weight, ${["Gaussian", "softmax of dot products"][i]}`);
    set(parts.valueTitle, { y: at.values.top - 10 });
    set(parts.keyTitle, { x: at.apart.right, y: at.height - 6 });
    set(parts.queryLine, { y1: at.zero - at.bar, y2: at.values.bottom });
    drawAxes();
  }
  function drawAxes() {
    parts.axes.replaceChildren();
    const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 }, parts.axes);
    const label = (name, x, y, text) => svg("text", { class: name, x, y, text }, parts.axes);
    const { left, right } = at.apart;
    line("base", left, at.zero, right, at.zero);
    line("base", left, at.values.bottom, right, at.values.bottom);
    for (const { value, text } of ticks(valueRange, 3)) {
      line("grid", left, at.y(value), right, at.y(value));
      label("tick left", left - 8, at.y(value) + 4, text);
    }
    for (const angle of [0, 90, 180, 270, 360]) {
      line("base", at.x(angle), at.values.bottom, at.x(angle), at.values.bottom + 5);
      label("tick", at.x(angle), at.values.bottom + 19, String(angle));
    }
  }
  function drawPlane(plane, i, { query, asked, bandwidth, rotation, query_angle, query_length, keys }, weights) {
    const pixel = ([x2, y2]) => [at.toPixel(x2), -at.toPixel(y2)];
    const largest = Math.max(...weights);
    const [qx, qy] = pixel(query), [ax, ay] = pixel(asked);
    const meanNorm = keys.reduce((sum, [x2, y2]) => sum + Math.hypot(x2, y2), 0) / keys.length;
    const isAttention = i === 1, turned = isAttention && rotation !== 0;
    plane.note.textContent = isAttention ? `τ = h²/2 = ${format(bandwidth ** 2 / 2, 2 * decimalsOf(bandwidthGrid) > 3 ? 3 : 2)}` : `h = ${format(bandwidth, decimalsOf(bandwidthGrid))}`;
    set(plane.ring, { r: at.toPixel(meanNorm) });
    set(plane.reach, { cx: qx, cy: qy, r: at.toPixel(bandwidth), visibility: isAttention ? "hidden" : "visible" });
    repeat(plane.halos, "circle", keys.length, (circle, k) => {
      const [cx, cy] = pixel(keys[k]);
      set(circle, { cx, cy, r: HALO * Math.sqrt(weights[k] / largest) });
    });
    repeat(plane.dots, "circle", keys.length, (circle, k) => {
      const [cx, cy] = pixel(keys[k]);
      set(circle, { cx, cy, r: at.narrow ? 2.5 : 3.5 });
    });
    set(plane.arrow, { d: `M0 0L${ax.toFixed(1)} ${ay.toFixed(1)}`, visibility: isAttention ? "visible" : "hidden" });
    set(plane.asked, { cx: ax, cy: ay, visibility: turned ? "visible" : "hidden" });
    const radius = at.toPixel(query_length);
    const [x1, y1] = pixel(polar(query_angle + rotation, query_length));
    set(plane.turn, {
      d: `M${qx.toFixed(1)} ${qy.toFixed(1)}A${radius.toFixed(1)} ${radius.toFixed(1)} 0 0 ${rotation > 0 ? 0 : 1} ${x1.toFixed(1)} ${y1.toFixed(1)}`,
      visibility: turned ? "visible" : "hidden"
    });
    set(plane.query, { cx: qx, cy: qy, class: turned ? "query-dot left-behind" : "query-dot" });
    const handle = parts.handles[i], { x, y, side } = at.planes[i];
    handle.style.left = `${x + side / 2 + qx - 22}px`;
    handle.style.top = `${y + side / 2 + qy - 22}px`;
    parts.keyHandles[i].forEach((each, k) => {
      const [kx, ky] = pixel(keys[k]);
      Object.assign(each.style, { left: `${x + side / 2 + kx - 12}px`, top: `${y + side / 2 + ky - 12}px` });
    });
    if (i === 0) {
      set(handle, {
        "aria-valuemin": String(angleGrid[0]),
        "aria-valuemax": String(angleGrid[1]),
        "aria-valuenow": String(query_angle),
        "aria-valuetext": `${query_angle} degrees, length ${format(query_length, decimalsOf(lengthGrid))}`
      });
    }
  }
  function drawChosenKey(keys) {
    const angle = Math.round(angleOf(keys[chosen])) % 360, length = format(Math.hypot(...keys[chosen]), 2);
    Object.assign(parts.chosenKey.style, { left: parts.keyHandles[0][chosen].style.left, top: parts.keyHandles[0][chosen].style.top });
    set(parts.chosenKey, {
      "aria-label": `Key ${chosen + 1} of ${keys.length}. Page Up and Page Down choose another`,
      "aria-valuemin": "0",
      "aria-valuemax": "359",
      "aria-valuenow": String(angle),
      "aria-valuetext": `${angle} degrees, length ${length}`
    });
  }
  function drawApart(apart) {
    parts.apartTitle.textContent = at.narrow ? "How far apart" : "How far apart, in total variation";
    parts.apartText.textContent = apart < 1e-12 ? "0: the same" : apart < 5e-4 ? "less than 0.001" : format(apart, 3);
    set(parts.apartBar, { width: apart < 1e-12 ? 0 : Math.max(apart * at.apart.right, 2) });
  }
  function drawBars({ keys, query_angle }, weights) {
    const top = Math.max(...weights.flat());
    const width = at.narrow ? 4 : 6;
    const x = keys.map((key) => at.x(angleOf(key)));
    repeat(parts.bars, "path", 2 * keys.length, (bar, i) => {
      const method = i < keys.length ? 0 : 1, k = i % keys.length;
      const height = weights[method][k] / top * (at.bar - 6) * (method === 0 ? -1 : 1);
      set(bar, { class: METHODS[method], d: `M${(x[k] - width / 2).toFixed(1)} ${at.zero}v${height.toFixed(2)}h${width}v${(-height).toFixed(2)}z` });
    });
    set(parts.queryLine, { x1: at.x(query_angle), x2: at.x(query_angle) });
  }
  function drawAnswers({ keys, query_angle }, answers) {
    repeat(parts.dots, "circle", keys.length, (dot, k) => set(dot, { cx: at.x(angleOf(keys[k])), cy: at.y(values[k]), r: 3.5 }));
    answers.forEach((answer, i) => set(parts.answers[i], { transform: place(at.x(query_angle), at.y(answer)) }));
  }
  function sentence({ query_angle, query_length, bandwidth, spread, rotation }, weights, answers, apart) {
    const role = (name, words) => `<b class="${name}">${words}</b>`;
    const heaviest = weights.map((each) => percent(Math.max(...each)));
    const opening = `${role("query", `Query at ${query_angle}°`)}, length ${format(query_length, decimalsOf(lengthGrid))}; h = ${format(bandwidth, decimalsOf(bandwidthGrid))}, τ = h²/2; norms ${spread === 0 ? "equal" : `spread by ${format(spread, 2)}`}, ${rotation === 0 ? "W_q = W_k" : `W_q turns by ${format(rotation, 0)}°`}.`;
    if (apart < 1e-12) {
      return `${opening} The weights are ${role("weight", "the same")}: heaviest ${heaviest[0]}, ${role("estimate", `estimate ${valueText(answers[0])}`)}.`;
    }
    return `${opening} ${role("weight", `${percent(apart)} of the weight`)} lies elsewhere: heaviest ${heaviest[0]} and ${heaviest[1]}, ${role("estimate", `estimates ${valueText(answers[0])} and ${valueText(answers[1])}`)}.`;
  }
  const turnTo = (angle) => onGrid((Math.round(angle) % 360 + 360) % 360, angleGrid);
  const moveTo = ([x, y]) => figure.change({
    ...Math.hypot(x, y) > lengthGrid[2] / 2 && { query_angle: turnTo(angleOf([x, y])) },
    // at the origin it keeps its angle
    query_length: onGrid(Math.hypot(x, y), lengthGrid)
  });
  function moveKey(k, [x, y]) {
    const { spread, keys } = current();
    const length = Math.hypot(x, y), longest = lengthGrid[1];
    if (length < longest / 50) return;
    const shrink = Math.min(1, longest / length);
    const rounded = (vector) => vector.map((number) => Number(number.toFixed(3)));
    const others = spread === 1 ? model.get("full_spread_keys") : keys.map(rounded);
    figure.change({ full_spread_keys: others.with(k, rounded([shrink * x, shrink * y])), spread: 1 });
  }
  const choose = (k) => {
    chosen = k;
    figure.redraw();
  };
  function keyOf(handle) {
    if (handle === parts.chosenKey) return chosen;
    return Math.max(...parts.keyHandles.map((handles) => handles.indexOf(handle)));
  }
  function grab(event) {
    const { left, top } = figure.stage.getBoundingClientRect();
    const pixel = (e) => [e.clientX - left, e.clientY - top];
    const [px, py] = pixel(event);
    const held = parts.handles.indexOf(event.target);
    const inside = ({ x: x2, y: y2, side: side2 }) => px >= x2 && px <= x2 + side2 && py >= y2 && py <= y2 + side2;
    const i = held >= 0 ? held : at.planes.findIndex(inside);
    if (i < 0) return void 0;
    const { query, query_angle, query_length, spread, keys } = current();
    before = { query_angle, query_length, spread, full_spread_keys: model.get("full_spread_keys") };
    const { x, y, side } = at.planes[i];
    const toPlane = ([px2, py2]) => [at.toPixel.invert(px2 - x - side / 2), -at.toPixel.invert(py2 - y - side / 2)];
    const start = toPlane([px, py]);
    const key = keyOf(event.target);
    if (key >= 0) {
      choose(key);
      parts.chosenKey.focus({ preventScroll: true });
      const away = [keys[key][0] - start[0], keys[key][1] - start[1]];
      return (e) => {
        if (e === event) return;
        const [u, v] = toPlane(pixel(e));
        moveKey(key, [u + away[0], v + away[1]]);
      };
    }
    const off = held >= 0 ? [query[0] - start[0], query[1] - start[1]] : [0, 0];
    parts.handles[0].focus({ preventScroll: true });
    return (e) => {
      if (held >= 0 && e === event) return;
      const [u, v] = toPlane(pixel(e));
      moveTo([u + off[0], v + off[1]]);
    };
  }
  draggable(figure.stage, { grab, release: (cancelled) => cancelled && figure.change(before) });
  arrowKeys(parts.handles[0], (right, up) => {
    const { query_angle, query_length } = current();
    const angle = Number.isFinite(right) ? turnTo(query_angle - right) : right < 0 ? angleGrid[0] : angleGrid[1];
    figure.change({ query_angle: angle, query_length: onGrid(query_length + up * lengthGrid[2], lengthGrid) });
  });
  arrowKeys(parts.chosenKey, (right, up) => {
    if (!Number.isFinite(right)) return;
    const key = current().keys[chosen];
    moveKey(chosen, polar(angleOf(key) - right, Math.hypot(...key) + up * lengthGrid[2]));
  });
  parts.chosenKey.addEventListener("keydown", (event) => {
    const step = { PageUp: -1, PageDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    choose((chosen + step + values.length) % values.length);
  });
  return figure.start(draw);
}
var same_default = { render };
export {
  same_default as default,
  dotLogWeights,
  gaussianLogWeights,
  keysAt,
  totalVariation
};
