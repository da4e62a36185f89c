// lib/constants.json
var constants_default = {
  brightness: [0.299, 0.587, 0.114],
  grey_levels: 255,
  pilot: { bandwidth: 0.5, radius: 2 },
  steering: { analysis_radius: 5, sensitivity: 0.5, elongation: 1, regularization: 1e-7 },
  radius_per_bandwidth: 2.2,
  norm_epsilon: 1e-6,
  rotary_base: 1e4,
  place_bandwidth: 2,
  n_next: 5,
  brush: { radii_per_side: 15, steps_per_radius: 2 },
  phone_width: 640
};

// lib/figures/numbers.js
var clamp = (value, low, high) => Math.min(Math.max(value, low), high);
function decimalsOf([, , step]) {
  const off = (number) => Math.abs(number - Math.round(number));
  let decimals = 0;
  while (off(step * 10 ** decimals) > 1e-9 * step * 10 ** decimals) decimals += 1;
  return decimals;
}
function onGrid(value, grid) {
  const [low, high, step] = grid;
  const index = Math.round((clamp(value, low, high) - low) / step);
  return Number((low + index * step).toFixed(decimalsOf(grid)));
}
var format = (value, decimals) => value.toFixed(decimals).replace("-", "−");
var percent = (share) => `${format(100 * share, Math.abs(share) < 0.0995 ? 1 : 0)} %`;
function bytesOf(text) {
  const letters = atob(text), bytes = new Uint8Array(letters.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = letters.charCodeAt(i);
  return bytes;
}

// lib/figures/plot.js
function html(tag, properties, parent) {
  return furnish(document.createElement(tag), properties, parent);
}
function svg(tag, properties, parent) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, parent);
}
function furnish(element, properties = {}, parent = void 0) {
  const { text, ...attributes } = properties;
  set(element, attributes);
  if (text !== void 0) element.textContent = text;
  parent?.append(element);
  return element;
}
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, typeof value === "number" ? String(Math.round(value * 100) / 100) : value);
  }
}
function repeat(parent, tag, count, update) {
  while (parent.children.length > count) parent.lastChild.remove();
  while (parent.children.length < count) svg(tag, {}, parent);
  [...parent.children].forEach(update);
}
var resize = (canvas, width, height) => set(canvas, { width, height, viewBox: `0 0 ${width} ${height}` });
function lay(element, { x, y, width, height }) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}
function describe(handle, now, [low, high], words) {
  set(handle, { "aria-valuemin": String(low), "aria-valuemax": String(high), "aria-valuenow": String(now) });
  if (words !== void 0) set(handle, { "aria-valuetext": words });
}
var translate = (right, down) => `translate(${right.toFixed(2)} ${down.toFixed(2)})`;
var LETTER = 7.3;
function legend(group, entries, { x = 0, y, label = { x: 22 }, gap, letter = LETTER, width = Infinity, line = 0 }) {
  group.replaceChildren();
  let [left, level] = [x, y];
  for (const { name, words, shape = "path", ...attributes } of entries) {
    const across = gap + letter * words.length;
    if (left + across > width) [left, level] = [x, level + line];
    const entry = svg("g", { class: name, transform: translate(left, level) }, group);
    svg(shape, attributes, entry);
    svg("text", { ...label, text: words }, entry);
    left += across;
  }
}
var BEFORE = { name: "was", words: "before", d: "M0 -4.5H17" };

// lib/figures/core.js
var role = (name, words) => `<b class="${name}">${words}</b>`;
var symbolic = (symbol) => symbol.replace(/_(\w)/, "<sub>$1</sub>");
var hashParts = (hash = location.hash) => hash.slice(1).split("&").filter(Boolean);
function readAddress(name, hash = location.hash) {
  const part = hashParts(hash).find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
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
  const root = html(
    "div",
    {
      class: `live-figure ${name}-figure`,
      "data-figure": name,
      "data-address": address,
      role: "group",
      "aria-label": question,
      "data-lm-suppress-shortcuts": "true"
      // JupyterLab leaves the arrow keys to the figure
    },
    el
  );
  const bar = html("div", { class: "bar" }, root);
  html("p", { class: "question", text: question }, bar);
  const actions = html("div", { class: "actions" }, bar);
  const stage = html("div", { class: "stage" }, root);
  const sentence2 = html("p", { class: "sentence", "aria-live": "polite" }, root);
  html("p", { class: "hint", text: hint }, root);
  const { change, traits, reset, write, read } = settingsOf(model, settings);
  let draw, drawnWidth, drawnGhost, pending, resting, said, mark, ghost;
  let moving = false;
  const life = new AbortController();
  function redraw() {
    pending = false;
    const width = stage.clientWidth;
    const isNewGhost = ghost && (ghost !== drawnGhost || width !== drawnWidth);
    [drawnGhost, drawnWidth] = [ghost, width];
    if (width === 0) return;
    const drawn = draw(width, ghost, isNewGhost);
    mark = drawn.mark;
    root.dataset.state = JSON.stringify(drawn.state);
    const visibility = ghost ? "visible" : "hidden";
    for (const each of stage.querySelectorAll(".ghost, .was")) set(each, { visibility });
    root.dispatchEvent(new Event("drawn"));
    if (drawn.sentence === said) return;
    said = drawn.sentence;
    sentence2.innerHTML = said;
  }
  const begin = () => {
    moving = false;
  };
  function forget() {
    ghost = void 0;
    redraw();
    begin();
  }
  function changed() {
    if (!moving) ghost = mark;
    moving = true;
    if (!pending) queueMicrotask(redraw);
    pending = true;
    sentence2.setAttribute("aria-busy", "true");
    clearTimeout(resting);
    resting = setTimeout(rest, 250);
  }
  function rest() {
    if (root.classList.contains("playing")) return;
    sentence2.removeAttribute("aria-busy");
    if (onSite()) keepAddress(addressWith(address, write()));
  }
  function takeAddress() {
    if (!read(readAddress(address))) return;
    forget();
    const reach = () => root.scrollIntoView({ block: root.offsetHeight > 0.8 * innerHeight ? "start" : "center" });
    reach();
    const moved = new AbortController();
    for (const hand of ["wheel", "pointerdown", "keydown", "touchstart"]) {
      addEventListener(hand, () => moved.abort(), { once: true, passive: true, signal: moved.signal });
    }
    window.figuresShown?.catch(() => {
    }).then(() => moved.signal.aborted || reach());
  }
  function follow(event) {
    const link = event.target.closest?.(`a[href^="#${address}="]`);
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const [here, there] = [root, link].map((element) => element.getBoundingClientRect());
    if (there.top > here.bottom + innerHeight || there.bottom < here.top - innerHeight) return;
    event.preventDefault();
    begin();
    read(readAddress(address, link.hash));
    root.scrollIntoView({ block: "nearest", behavior: isStill() ? "auto" : "smooth" });
  }
  const button = (text, title) => html("button", { type: "button", text, title }, actions);
  button("Reset", "Back to the first setting").addEventListener("click", () => {
    reset();
    forget();
  });
  if (onSite()) copyButton(button("Copy link", "Copy a link to this setting"), () => addressWith(address, write()));
  function start(drawStage) {
    draw = drawStage;
    traits.forEach((trait) => model.on(`change:${trait}`, changed));
    redraw();
    takeAddress();
    let unname;
    const observer = new ResizeObserver(() => {
      if (stage.clientWidth !== drawnWidth) redraw();
      unname ??= nameSliders(root);
    });
    observer.observe(bar);
    const heed = (event, act) => addEventListener(event, act, { capture: true, signal: life.signal });
    heed("hashchange", takeAddress);
    heed("click", follow);
    heed("pointerdown", begin);
    heed("focusin", begin);
    html("style", { text: `img[src*="live-${address}."] { display: none; }` }, root);
    return () => {
      traits.forEach((trait) => model.off(`change:${trait}`, changed));
      observer.disconnect();
      unname?.();
      life.abort();
      clearTimeout(resting);
    };
  }
  return { root, stage, actions, change, redraw, start, begin, rest, signal: life.signal };
}
var isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
var onSite = () => "page" in document.body.dataset;
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
    const copied = await written?.then(
      () => true,
      () => false
    );
    button.textContent = copied ? "Copied" : "It is in the address bar";
    setTimeout(() => button.textContent = name, 2e3);
  });
}
function nameSliders(root) {
  const panel = root.closest(".live-panel");
  if (!panel) return void 0;
  const name = () => {
    for (const slider of panel.querySelectorAll(".widget-slider")) {
      const shown = slider.querySelector(".widget-label");
      if (/_\w/.test(shown?.textContent)) shown.innerHTML = symbolic(shown.textContent);
      const label = shown?.textContent;
      if (!label) continue;
      slider.querySelectorAll(".noUi-handle").forEach((handle) => set(handle, { "aria-label": label }));
      const typed = { role: "textbox", "aria-label": `${label}: type a number` };
      slider.querySelectorAll(".widget-readout").forEach((readout) => set(readout, typed));
    }
  };
  name();
  const beside = ({ target }) => !root.contains(target);
  const observer = new MutationObserver((changes) => changes.some(beside) && name());
  observer.observe(panel, { childList: true, subtree: true });
  return () => observer.disconnect();
}

// lib/figures/hands.js
function draggable(element, { grab, release }) {
  let held;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.ctrlKey || held) return;
    const move = grab(event);
    if (!move) return;
    held = { pointer: event.pointerId, move };
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    element.classList.add("dragging");
    move(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (event.pointerId === held?.pointer) held.move(event);
  });
  const end = (event) => {
    if (event.pointerId !== held?.pointer) return;
    held = void 0;
    element.classList.remove("dragging");
    release(event.type === "pointercancel");
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("lostpointercapture", end);
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
var focus = (element) => element.focus({ preventScroll: true });

// lib/figures/weights.js
function softmax(logWeights) {
  const largest = logWeights.reduce((a, b) => Math.max(a, b), -Infinity);
  const origin = Number.isFinite(largest) ? largest : 0;
  return normalized(logWeights.map((logWeight) => Math.exp(logWeight - origin)));
}
function normalized(weights) {
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
  const index = heaviestFirst.findIndex((weight) => {
    carried += weight;
    return carried >= share - 1e-12;
  });
  return index + 1;
}
var N_SHADES = 32;
function shadedPaths(levels, cell, count = N_SHADES) {
  const paths = Array.from({ length: count + 1 }, () => "");
  levels.forEach((level, k) => {
    const shade2 = Math.ceil(count * level - 0.5);
    if (shade2 > 0) paths[shade2] += cell(k);
  });
  return paths.slice(1);
}
function shade(level) {
  const ink = Math.round(150 * level - 100);
  const style = `fill: color-mix(in srgb, var(--figure-ink) ${ink}%, var(--figure-weight))`;
  return { "fill-opacity": Math.min(1.5 * level, 1), ...ink > 0 && { style } };
}

// lib/figures/picture.js
var ARRAYS = { uint8: Uint8Array, int16: Int16Array, float64: Float64Array };
function unpack({ shape: [channels, height, width], type, unit, data }) {
  const numbers = Float64Array.from(new ARRAYS[type](bytesOf(data).buffer), (number) => number / unit);
  const size = height * width;
  const planes = Array.from({ length: channels }, (_, c) => numbers.slice(c * size, (c + 1) * size));
  return { height, width, planes };
}
function withNoise(clean, noise, std) {
  const planes = clean.planes.map((plane, c) => plane.map((value, i) => value + std * noise.planes[c][i]));
  return { ...clean, planes };
}
var byte = (value) => Math.round(255 * clamp(value, 0, 1));
var color = (values) => `rgb(${[0, 1, 2].map((c) => byte(values[c % values.length])).join(" ")})`;
function paint(canvas, { height, width, planes }) {
  const pixels = new ImageData(width, height);
  for (let i = 0; i < height * width; i += 1) {
    for (let c = 0; c < 3; c += 1) pixels.data[4 * i + c] = byte(planes[c % planes.length][i]);
    pixels.data[4 * i + 3] = 255;
  }
  canvas.getContext("2d").putImageData(pixels, 0, 0);
}
function cells(weights, side) {
  const largest = Math.max(...weights);
  return shadedPaths(
    weights.map((weight) => weight / largest),
    (k) => `M${k % side} ${Math.floor(k / side)}h1v1h-1z`
  );
}
function outline(weights, side, count) {
  const heaviest = [...weights.keys()].sort((a, b) => weights[b] - weights[a]).slice(0, count);
  const inside2 = new Set(heaviest);
  return heaviest.map((k) => {
    const column = k % side, row = Math.floor(k / side);
    const edge = (neighbour, path) => inside2.has(neighbour) ? "" : path;
    return edge(k - side, `M${column} ${row}h1`) + edge(k + side, `M${column} ${row + 1}h1`) + edge(column > 0 ? k - 1 : -1, `M${column} ${row}v1`) + edge(column < side - 1 ? k + 1 : -1, `M${column + 1} ${row}v1`);
  }).join("");
}
function weightMap(parent) {
  const heat = svg("g", { class: "heat" }, parent);
  const add = (tag, name, attributes) => svg(tag, { class: name, ...attributes }, heat);
  const ground = add("rect", "ground"), shades = add("g", "shades"), lattice = add("path", "lattice");
  const most = add("path", "most"), before = add("path", "ghost"), self = add("rect", "self", { width: 1, height: 1 });
  let side;
  function arrange2() {
    const between = Array.from({ length: side - 1 }, (_, k) => `M${k + 1} 0v${side}M0 ${k + 1}h${side}`);
    set(ground, { width: side, height: side });
    repeat(shades, "path", N_SHADES, (path, k) => set(path, { d: "", ...shade((k + 1) / N_SHADES) }));
    set(lattice, { d: between.join("") });
    set(self, { x: side >> 1, y: side >> 1 });
  }
  return function draw(weights, count, { x, y, width }, ghost) {
    if (side !== Math.sqrt(weights.length)) {
      side = Math.sqrt(weights.length);
      arrange2();
    }
    set(heat, { transform: `${translate(x, y)} scale(${width / side})` });
    cells(weights, side).forEach((d, k) => shades.children[k].setAttribute("d", d));
    set(most, { d: outline(weights, side, count) });
    if (!ghost) return;
    const other = Math.sqrt(ghost.weights.length);
    set(before, {
      d: outline(ghost.weights, other, ghost.count),
      transform: translate((side - other) / 2, (side - other) / 2)
    });
  };
}
var ARM = 10;
function cross(reach) {
  const from = Math.max(reach + 1, 6), to = from + ARM;
  const d = `M${-to} 0H${-from}M${from} 0H${to}M0 ${-to}V${-from}M0 ${from}V${to}`;
  return { d, hold: Math.max(to, 22) };
}
function inside({ height, width }, [row, column]) {
  const within = (index, length) => clamp(Math.floor(index), 0, length - 1);
  return [within(row, height), within(column, width)];
}
var pixelSetting = (trait, image) => ({
  trait,
  write: ([row, column]) => `${row}/${column}`,
  read: (words) => /^\d+\/\d+$/.test(words) ? inside(image, words.split("/").map(Number)) : void 0
});
var QUERY_HANDLE = { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query pixel" };
function describeQuery(handle, { height, width }, [row, column], estimate) {
  describe(handle, row * width + column, [0, height * width - 1], `row ${row}, column ${column}, ${estimate}`);
}
function holdQuery({ stage, handle, pictures, image, query, move, hold }) {
  let undo, clicked;
  function grab(event) {
    const onCross = event.target === handle;
    const picture = onCross ? pictures[0] : pictures.find((each) => each === event.target);
    if (!picture) return void 0;
    const { left, top, width, height } = picture.getBoundingClientRect();
    const pixel = (e) => [(e.clientY - top) * image.height / height, (e.clientX - left) * image.width / width];
    const [row, column] = pixel(event);
    undo = hold();
    const now = inside(image, query());
    const [down, right] = onCross ? [now[0] + 0.5 - row, now[1] + 0.5 - column] : [0, 0];
    clicked = onCross && [row, column];
    focus(handle);
    return (e) => {
      if (Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY) > 2) clicked = void 0;
      const [r, c] = pixel(e);
      move([r + down, c + right]);
    };
  }
  function release(cancelled) {
    if (cancelled) undo();
    else if (clicked) move(clicked);
  }
  draggable(stage, { grab, release });
  arrowKeys(handle, (right, up) => {
    const [row, column] = query();
    move([row - up, column + right]);
  });
}

// lib/figures/play.js
function growing(grid, count) {
  const [low, high] = grid;
  const values = Array.from({ length: count }, (_, k) => onGrid(low * (high / low) ** (k / (count - 1)), grid));
  return [...new Set(values)];
}
function playButton({ root, actions, begin, change, rest }, { title, frames, pause }) {
  const button = html("button", { type: "button", class: "play", text: "Play", title }, actions);
  let ahead, clock, hands;
  function stop() {
    clearTimeout(clock);
    hands?.abort();
    hands = void 0;
    button.textContent = "Play";
    root.classList.remove("playing");
    rest();
  }
  function step() {
    const next = root.isConnected && ahead.shift();
    if (!next) return stop();
    change(next);
    clock = setTimeout(step, pause);
  }
  function showEnd() {
    frames().slice(-1).forEach(change);
    rest();
  }
  button.addEventListener("click", () => {
    if (hands) return stop();
    begin();
    if (isStill()) return showEnd();
    hands = new AbortController();
    const presses = ({ target, key }) => target === button && [void 0, "Enter", " "].includes(key);
    const touched = (event) => presses(event) || stop();
    for (const hand of ["pointerdown", "keydown"]) {
      addEventListener(hand, touched, { capture: true, signal: hands.signal });
    }
    ahead = frames();
    button.textContent = "Stop";
    root.classList.add("playing");
    step();
  });
}

// lib/figures/readout.js
function tellValues({ root, stage, signal }, { find, focused = () => void 0 }) {
  const note = html("div", { class: "readout", "aria-hidden": "true", hidden: "" }, stage);
  let pointer, byKeys;
  function show(mark) {
    note.hidden = !mark;
    if (!mark) return;
    note.textContent = mark.words;
    const half = note.offsetWidth / 2;
    const left = clamp(mark.x, half, Math.max(half, stage.clientWidth - half)) - half;
    const above = mark.y - note.offsetHeight - 10;
    Object.assign(note.style, { left: `${left}px`, top: `${above < 0 ? mark.y + 12 : above}px` });
  }
  function refresh() {
    const element = document.activeElement;
    const held = stage.contains(element) && element.matches(":focus-visible") && focused(element);
    const under = pointer && find(pointer.x, pointer.y);
    show(byKeys ? held || under : under || held);
  }
  function point(event) {
    const { left, top } = stage.getBoundingClientRect();
    const isTap = event.pointerType === "touch" && event.type === "pointerdown";
    byKeys = false;
    pointer = isTap || event.buttons === 0 ? { x: event.clientX - left, y: event.clientY - top } : void 0;
    refresh();
  }
  function leave(event) {
    if (event.pointerType === "touch") return;
    pointer = void 0;
    refresh();
  }
  function press() {
    byKeys = true;
    setTimeout(refresh);
  }
  stage.addEventListener("pointermove", point);
  stage.addEventListener("pointerdown", point);
  stage.addEventListener("pointerleave", leave);
  for (const event of ["focusin", "focusout"]) stage.addEventListener(event, press);
  root.addEventListener("drawn", () => note.hidden || refresh());
  const dismiss = (event) => event.key === "Escape" && show(void 0);
  document.addEventListener("keydown", dismiss, { signal });
}
function reader({ root, stage, redraw }, { label, count, mark, columns = () => -1 }) {
  const element = html("div", { class: "reader", role: "slider", tabindex: 0, "aria-label": label }, stage);
  let place = 0;
  root.addEventListener("drawn", () => {
    place = clamp(place, 0, count() - 1);
    const { x, y, words } = mark(place);
    Object.assign(element.style, { left: `${x}px`, top: `${y}px` });
    describe(element, place, [0, count() - 1], words);
  });
  arrowKeys(element, (right, up) => {
    place = clamp(place + right - up * columns(), 0, count() - 1);
    redraw();
  });
  return { element, mark: () => mark(place) };
}

// lib/figures/window.js
var POSITION_BLOCKS = ["none", "gaussian", "steering"];
var VALUE_BLOCKS = ["none", "pixel", "patch"];
function mirrored(index, length) {
  const period = Math.max(2 * (length - 1), 1);
  const folded = Math.abs(index) % period;
  return Math.min(folded, period - folded) % length;
}
function lines({ height, width, planes }, border) {
  const step = width + 2 * border;
  const rows = Array.from({ length: height + 2 * border }, (_, r) => width * mirrored(r - border, height));
  const columns = Array.from({ length: step }, (_, c) => mirrored(c - border, width));
  const first = border * step + border;
  return {
    height,
    width,
    step,
    first,
    stop: first + (height - 1) * step + width,
    lines: planes.map(
      (plane) => Float64Array.from(
        { length: rows.length * step },
        (_, i) => plane[rows[Math.floor(i / step)] + columns[i % step]]
      )
    )
  };
}
function cropped({ height, width, step }, line) {
  const plane = new Float64Array(height * width);
  for (let r = 0; r < height; r += 1) plane.set(line.subarray(r * step, r * step + width), r * width);
  return plane;
}
var { brightness: SHARES, grey_levels: SCALE, pilot, steering } = constants_default;
var { sensitivity: SENSITIVITY, elongation: REGULARIZATION, regularization: FLAT } = steering;
var PILOT = Array.from({ length: 2 * pilot.radius + 1 }, (_, k) => k - pilot.radius);
function pilotGradient({ height, width, planes }) {
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const brightness = planes.length === 1 ? planes[0] : planes[0].map((_, i) => sum(SHARES.map((share, c) => share * planes[c][i])));
  const weights = PILOT.map((offset) => Math.exp(-((offset / pilot.bandwidth) ** 2) / 2));
  const blur = weights.map((weight) => weight / sum(weights));
  const moment = sum(weights.map((weight, k) => weight * PILOT[k] ** 2));
  const slope = weights.map((weight, k) => SCALE * weight * PILOT[k] / moment);
  const grid = lines({ height, width, planes: [brightness] }, PILOT.length >> 1);
  const { step } = grid;
  const derivative = (down, right) => cropped(grid, tapped(tapped(grid.lines[0], down, step), right, 1));
  return { height, width, planes: [derivative(slope, blur), derivative(blur, slope)] };
}
function tapped(line, taps, step) {
  const sums = new Float64Array(line.length - (taps.length - 1) * step);
  taps.forEach((tap, k) => {
    for (let i = 0; i < sums.length; i += 1) sums[i] += tap * line[i + k * step];
  });
  return sums;
}
function steeringPlanes(image, disk) {
  const gradient = lines(pilotGradient(image), disk.length >> 1);
  const shares = diskShares(disk, gradient.step);
  const area = disk.flat().reduce((a, b) => a + b, 0);
  const [rows, mixed, columns] = tensors(gradient, shares);
  const logScale = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) {
    const middle = (rows[i] + columns[i]) / 2, difference = (rows[i] - columns[i]) / 2;
    const half = Math.hypot(difference, mixed[i]);
    const [cosine, sine] = half > 0 ? [difference / half, mixed[i] / half] : [1, 0];
    const s1 = Math.sqrt(middle + half);
    let s2 = Math.sqrt(Math.max(middle - half, 0));
    if (s2 < 0.01 * s1) s2 = gradientAlong(Math.atan2(sine, cosine) / 2, i, gradient, shares);
    const scale = ((s1 * s2 + FLAT) / area) ** SENSITIVITY;
    const elongation = (s1 + REGULARIZATION) / (s2 + REGULARIZATION);
    const both = scale * (elongation + 1 / elongation) / 2, long = scale * (elongation - 1 / elongation) / 2;
    [rows[i], mixed[i], columns[i]] = [both + long * cosine, long * sine, both - long * cosine];
    logScale[i] = Math.log(scale);
  }
  return { height: image.height, width: image.width, planes: [rows, mixed, columns, logScale] };
}
function diskShares(disk, step) {
  const radius = disk.length >> 1;
  const all = disk.flatMap((row, r) => row.map((share, c) => [(r - radius) * step + c - radius, share ** 2]));
  return all.filter(([, square]) => square > 0);
}
function tensors(gradient, shares) {
  const {
    first,
    stop,
    lines: [down, right]
  } = gradient;
  const sums = [0, 1, 2].map(() => new Float64Array(stop - first));
  for (const [shift, square] of shares) {
    for (let i = 0, at = first + shift; i < stop - first; i += 1, at += 1) {
      const a = down[at], b = right[at];
      sums[0][i] += square * a * a;
      sums[1][i] += square * a * b;
      sums[2][i] += square * b * b;
    }
  }
  return sums.map((line) => cropped(gradient, line));
}
function gradientAlong(angle, pixel, { width, step, first, lines: [down, right] }, shares) {
  const at = first + Math.floor(pixel / width) * step + pixel % width;
  return Math.sqrt(
    shares.reduce((sum, [shift, square]) => {
      const along = Math.cos(angle) * right[at + shift] - Math.sin(angle) * down[at + shift];
      return sum + square * along * along;
    }, 0)
  );
}
function patchTaps(radius, kind) {
  const offsets = Array.from({ length: 2 * radius + 1 }, (_, k) => k - radius);
  return offsets.map((offset) => kind === "gaussian" ? Math.exp(-2 * (offset / Math.max(radius, 1)) ** 2) : 1);
}
function windowKernel(image, steering2, setting) {
  const { position_block, value_block, bandwidth_space, bandwidth_value, radius, patch_radius } = setting;
  const isPatch = value_block === "patch";
  const margin = isPatch ? patch_radius : 0;
  const taps = patchTaps(margin, setting.patch_weights);
  const unit = isPatch ? image.planes.length * taps.reduce((a, b) => a + b, 0) ** 2 : 1;
  const values = lines(image, radius + margin);
  let metric;
  if (position_block === "steering") {
    const [rows, mixed, columns, logScale] = steering2.planes;
    const scaled = [rows, mixed, columns].map((plane) => plane.map((c) => c / (2 * bandwidth_space ** 2)));
    metric = lines({ ...steering2, planes: [...scaled, logScale] }, radius + margin).lines;
  }
  return {
    ...values,
    radius,
    margin,
    taps,
    metric,
    perPixel: position_block === "gaussian" ? 1 / bandwidth_space ** 2 : 0,
    perValue: value_block === "none" ? 0 : 1 / (unit * bandwidth_value ** 2),
    floor: isPatch ? setting.forgiven / bandwidth_value ** 2 : 0
  };
}
function positionPart({ metric, perPixel }, key, row, column) {
  if (!metric) return -perPixel * (row * row + column * column);
  const [rows, mixed, columns, logScale] = metric;
  return logScale[key] - (rows[key] * row * row + 2 * mixed[key] * row * column + columns[key] * column * column);
}
function patchDistance({ lines: channels, step, margin, taps }, query, key) {
  let distance = 0;
  for (const line of channels) {
    for (let r = 0; r < taps.length; r += 1) {
      for (let c = 0; c < taps.length; c += 1) {
        const k = (r - margin) * step + c - margin;
        distance += taps[r] * taps[c] * (line[query + k] - line[key + k]) ** 2;
      }
    }
  }
  return distance;
}
function windowKeys({ first, step, radius }, [row, column]) {
  const side = 2 * radius + 1;
  const corner = first + (row - radius) * step + column - radius;
  return Array.from({ length: side * side }, (_, k) => corner + Math.floor(k / side) * step + k % side);
}
function windowLogWeights(kernel, pixel) {
  const { radius, perValue, floor } = kernel;
  const side = 2 * radius + 1;
  const keys = windowKeys(kernel, pixel);
  const query = keys[keys.length >> 1];
  return keys.map(
    (key, k) => positionPart(kernel, key, Math.floor(k / side) - radius, k % side - radius) - (perValue && Math.max(perValue * patchDistance(kernel, query, key) - floor, 0))
  );
}
function* filterInSteps(kernel) {
  const { lines: channels, first, stop, step, radius, metric } = kernel;
  const line = () => new Float64Array(channels[0].length);
  const weightSum = line(), sums = channels.map(line);
  const values = line(), spare = line(), forward = line();
  const backward = metric ? line() : forward;
  exponentiate(kernel, [0, 0], first, stop - first, values, forward);
  addAll(weightSum, sums, first, forward, channels, first, stop - first);
  for (const [row, column] of halfWindow(radius)) {
    const shift = row * step + column, begin = first - shift, count = stop - begin;
    valueParts(kernel, begin, shift, count, values, spare);
    exponentiate(kernel, [row, column], first, count, values, forward);
    if (metric) exponentiate(kernel, [row, column], begin, count, values, backward);
    addAll(weightSum, sums, begin, forward, channels, first, count);
    addAll(weightSum, sums, first, backward, channels, begin, count);
    yield;
  }
  const average2 = (sum) => sum.map((total, i) => total / weightSum[i]).subarray(first);
  return sums.map((sum) => cropped(kernel, average2(sum)));
}
function addAll(weightSum, sums, queries, weights, channels, keys, count) {
  for (let k = 0; k < count; k += 1) weightSum[queries + k] += weights[k];
  for (let c = 0; c < sums.length; c += 1) addProducts(sums[c], queries, weights, channels[c], keys, count);
}
function addProducts(sum, queries, weights, values, keys, count) {
  for (let k = 0; k < count; k += 1) sum[queries + k] += weights[k] * values[keys + k];
}
function exponentiate({ metric, perPixel }, [row, column], keys, count, values, weights) {
  const rowSquare = row * row, product = 2 * row * column, columnSquare = column * column;
  if (!metric) {
    const near = -perPixel * (rowSquare + columnSquare);
    for (let k = 0; k < count; k += 1) weights[k] = Math.exp(near - values[k]);
    return;
  }
  const [rows, mixed, columns, logScale] = metric;
  for (let k = 0, j = keys; k < count; k += 1, j += 1) {
    const steered = rowSquare * rows[j] + product * mixed[j] + columnSquare * columns[j];
    weights[k] = Math.exp(logScale[j] - steered - values[k]);
  }
}
function valueParts({ lines: channels, step, margin, taps, perValue, floor }, begin, shift, count, parts, spare) {
  if (!perValue) return;
  const reach = margin * (step + 1), wide2 = count + 2 * reach;
  parts.fill(0, 0, wide2);
  for (let c = 0; c < channels.length; c += 1) addSquares(parts, channels[c], begin - reach, shift, wide2);
  if (margin > 0) {
    symmetricSum(parts, taps, step, spare, count + 2 * margin);
    symmetricSum(spare, taps, 1, parts, count);
  }
  for (let k = 0; k < count; k += 1) parts[k] = Math.max(perValue * parts[k] - floor, 0);
}
function addSquares(sum, line, begin, shift, count) {
  for (let k = 0, i = begin; k < count; k += 1, i += 1) {
    const difference = line[i + shift] - line[i];
    sum[k] += difference * difference;
  }
}
function symmetricSum(line, taps, step, out, count) {
  const radius = taps.length >> 1;
  const pair = (k) => k < radius ? [taps[k], k * step, (2 * radius - k) * step] : [0, 0, 0];
  addThreePairs(taps[radius], line, radius * step, line, pair(0), pair(1), pair(2), out, count);
  for (let k = 3; k < radius; k += 3) addThreePairs(1, out, 0, line, pair(k), pair(k + 1), pair(k + 2), out, count);
}
function addThreePairs(m, middle, m0, line, [a, a1, a2], [b, b1, b2], [c, c1, c2], out, count) {
  for (let i = 0; i < count; i += 1) {
    out[i] = m * middle[i + m0] + a * (line[i + a1] + line[i + a2]) + b * (line[i + b1] + line[i + b2]) + c * (line[i + c1] + line[i + c2]);
  }
}
function halfWindow(radius) {
  const side = Array.from({ length: 2 * radius + 1 }, (_, k) => k - radius);
  const offsets = side.flatMap((row) => side.map((column) => [row, column]));
  return offsets.filter(([row, column]) => row > 0 || row === 0 && column > 0);
}

// lib/figures/pixel.js
var REST = 40;
var SLICE = 8;
var NAMES = {
  gaussian: "Gaussian blur",
  bilateral: "Bilateral filter",
  nonlocal_means: "Non-local means",
  lark: "Steering kernel"
};
var COMPOSED = {
  // by position block and value block
  none: { none: "The mean of the window", pixel: "Range-only filter", patch: "Non-local means (2005)" },
  gaussian: {
    none: "Gaussian blur (N–W, 1964)",
    pixel: "Bilateral filter (1998)",
    patch: "Non-local means with position"
  },
  steering: {
    none: "Steering kernel (2007)",
    pixel: "Steering and value, a kernel without a name",
    patch: "Steering and patch, a kernel without a name"
  }
};
var decibels = (value) => Number.isFinite(value) ? `${format(value, 1)} dB` : "";
function psnr(planes, truth) {
  const squares = planes.map((plane, c) => plane.reduce((sum, value, i) => sum + (value - truth[c][i]) ** 2, 0));
  return -10 * Math.log10(squares.reduce((a, b) => a + b, 0) / (planes.length * planes[0].length));
}
function inSlices(generator, done) {
  const { port1, port2 } = new MessageChannel();
  const step = () => {
    const end = performance.now() + SLICE;
    let next;
    do
      next = generator.next();
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
var TITLE = 26;
var LEGEND = 28;
var VALUE = 48;
function layout(width, image) {
  const at = (width < 680 ? narrow : wide)(width, image, Math.max(image.height, image.width));
  const bottom = Math.max(...Object.values(at).map(({ y, height }) => y + height));
  return { ...at, width, bottom, height: bottom + (width < 680 ? 2 : 1) * LEGEND };
}
var box = (x, y, scale, { height, width }) => ({ x, y, scale, width: scale * width, height: scale * height });
function wide(width, image, longest) {
  const room = (width + 16) / 3;
  const whole = Math.floor(room / longest) * longest;
  const side = whole > 0.94 * room ? whole : room;
  const photo = box(0, TITLE, side / longest, image);
  const filtered = { ...photo, x: width - photo.width };
  const heat = { x: (width - side + 60) / 2, y: TITLE, width: side - 60, height: side - 60 };
  const third = heat.width / 3;
  const values = { x: heat.x, y: TITLE + side - VALUE, height: VALUE, across: third, down: 0, width: third - 8 };
  return { photo, filtered, heat, values };
}
function narrow(width, image, longest) {
  const photo = box(0, TITLE, Math.min(0.63 * width, 288) / longest, image);
  const x = photo.width + 16, down = VALUE + 18;
  const values = { x, y: TITLE, height: VALUE + 2 * down, across: 0, down, width: Math.min(width - x, 160) };
  const lower = 2 * TITLE + Math.max(photo.height, values.height) + 10;
  const side = Math.min((width - 16) / 2, 288);
  const heat = { x: 0, y: lower, width: side, height: side };
  const filtered = box(width - side / longest * image.width, lower, side / longest, image);
  return { photo, filtered, heat, values };
}
function elements(stage, { height, width }) {
  const picture = (name) => html("canvas", { class: name, width, height, "aria-hidden": "true" }, stage);
  const photo = picture("photo"), filtered = picture("filtered");
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
var LEGEND_WORDS = [
  { name: "query", words: "query", d: "M0 -5H5M11 -5H16M8 -13V-8M8 -2V3" },
  { name: "key", words: "its keys", d: "M1 -12h14v14h-14z" },
  { name: "weight", words: "weight", d: "M1 -12h14v14h-14z" },
  { name: "most", words: "90 % of it", d: "M1 -12h14v14h-14z" },
  BEFORE
];
function arrange(parts, image, width) {
  const at = layout(width, image);
  resize(parts.canvas, width, at.height);
  for (const name of ["photo", "filtered"]) {
    const { x: x2, y: y2, width: across2, height: down2 } = at[name];
    set(parts.grips[name], { x: x2, y: y2, width: across2, height: down2 });
    lay(parts[name], at[name]);
  }
  const { x, y, width: across, height: down } = at.photo;
  set(parts.photoPanel, { x, y, width: across, height: down });
  const panels = { photo: at.photo, weight: at.heat, filtered: at.filtered };
  for (const [name, { x: x2, y: y2, width: across2 }] of Object.entries(panels)) {
    set(parts[`${name}Title`], { x: x2, y: y2 - 10 });
    set(parts[`${name}Note`], { x: x2 + across2, y: y2 - 10 });
  }
  legend(parts.legend, LEGEND_WORDS, { y: at.bottom + 23, gap: 36, letter: 6.4, width, line: 20 });
  return at;
}
function drawPhotos(parts, { noisy, clean, filtered }, view, shown) {
  const images = { noisy, clean, filtered: filtered.planes ? filtered : noisy };
  if (images[view] !== shown) paint(parts.photo, images[view]);
  if (!filtered.planes) paint(parts.filtered, noisy);
  parts.photoTitle.textContent = view;
  parts.photoNote.textContent = view === "clean" ? "" : decibels({ noisy, filtered }[view].psnr);
  parts.filteredNote.textContent = decibels(filtered.psnr) || "…";
  return images[view];
}
function drawWindow(parts, at, radius, [row, column], weights, count, ghost) {
  const { scale } = at.photo, side = 2 * radius + 1;
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
  const centre = ({ x: x2, y: y2, scale }) => [x2 + (column + 0.5) * scale, y2 + (row + 0.5) * scale];
  const { d, hold } = cross((radius + 0.5) * at.photo.scale);
  const [x, y] = centre(at.photo), [right, down] = centre({ ...at.photo, x: 0, y: 0 });
  parts.crosses.forEach((each) => set(each, { d, transform: translate(right, down) }));
  const [markX, markY] = centre(at.filtered);
  set(parts.mark, { transform: translate(markX, markY) });
  lay(parts.queryHandle, { x: x - hold, y: y - hold, width: 2 * hold, height: 2 * hold });
  describeQuery(parts.queryHandle, image, [row, column], `estimate ${inWords(estimate)}`);
}
function drawValues(parts, at, { noisy, estimate, clean }) {
  const all = [
    ["value", "noisy", noisy],
    ["estimate", "estimate", estimate],
    ["truth", "true", clean]
  ];
  const off = (values) => format(Math.hypot(...values.map((value, c) => value - clean[c])), 2);
  const inColor = (values) => values === clean ? "" : `${off(values)} off`;
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
function drawGhost(parts, { values: { x, y, across, down, width } }, estimate) {
  const style = `fill: ${color(estimate)}`;
  set(parts.ghostSwatch, { x: x + across + width - 16, y: y + down + 15, width: 16, height: 16, style });
  parts.legend.querySelector(".was text").textContent = `before: ${inWords(estimate)}`;
}
var inWords = (values) => values.length === 1 ? format(values[0], 3) : `(${values.map((value) => format(value, 2)).join(", ")})`;
function sentence({ method, parameters }, setting, [row, column], weights, count, { noisy, estimate, clean }) {
  const { position_block, value_block } = setting;
  const unused = [position_block === "none" && "bandwidth_space", value_block === "none" && "bandwidth_value"];
  const bandwidths = parameters.filter(([name, { trait }]) => /^bandwidth/.test(name) && !unused.includes(trait));
  const widths = bandwidths.map(
    ([, { symbol, trait, grid }]) => `${symbolic(symbol)} = ${format(setting[trait], decimalsOf(grid))}`
  );
  const most = Math.max(...weights), own = weights[weights.length >> 1];
  return `${[NAMES[method] ?? COMPOSED[position_block][value_block], ...widths].join(", ")}. ${role("query", `Query: row ${row}, column ${column}`)}, ${role("value", `noisy ${inWords(noisy)}`)}. It takes 90 % of its weight from ${role("weight", `${count} of ${weights.length} keys`)}; its own weight is ${role("weight", percent(own))}${own < most ? `, the largest ${percent(most)}` : ""}. ${role("estimate", `Estimate ${inWords(estimate)}`)}, true ${inWords(clean)}.`;
}
var shortly = (values) => values.map((value) => format(value, 2)).join(", ");
function pixelMark({ clean, noisy, filtered, weights, radius, query }, place, x, y) {
  const [row, column] = place;
  const [down, right] = [row - query[0] + radius, column - query[1] + radius], side = 2 * radius + 1;
  const valuesOf = ({ planes }) => {
    const [r, c] = inside(clean, place);
    return shortly(planes.map((plane) => plane[r * clean.width + c]));
  };
  const inWindow = Math.min(down, right) >= 0 && Math.max(down, right) < side;
  const weight = inWindow ? `weight ${percent(weights[down * side + right])}, ` : "";
  const result = filtered?.planes ? `, filtered ${valuesOf(filtered)}` : "";
  return { x, y, words: `row ${row}, column ${column}: ${weight}noisy ${valuesOf(noisy)}${result}` };
}
function keyMark(at, now, i) {
  const side = 2 * now.radius + 1, { x, y, width } = at.heat;
  const [row, column] = [Math.floor(i / side), i % side];
  const place = [row + now.query[0] - now.radius, column + now.query[1] - now.radius];
  return pixelMark(now, place, x + (column + 0.5) * width / side, y + (row + 0.5) * width / side);
}
function markAt(at, now, px, py) {
  const isIn = ({ x, y, width, height }) => px >= x && px < x + width && py >= y && py < y + height;
  const picture = [at.photo, at.filtered].find(isIn);
  if (picture) {
    const place = [(py - picture.y) / picture.scale, (px - picture.x) / picture.scale];
    return pixelMark(now, inside(now.clean, place), px, py);
  }
  if (!isIn(at.heat)) return void 0;
  const side = 2 * now.radius + 1;
  const [row, column] = [py - at.heat.y, px - at.heat.x].map((pixels) => Math.floor(pixels / at.heat.width * side));
  return keyMark(at, now, row * side + column);
}
function dataOf(model) {
  const [clean, noise] = ["clean", "noise"].map((name) => unpack(model.get(name)));
  const parameters = Object.entries(model.get("parameters"));
  return {
    clean,
    noise,
    parameters,
    method: model.get("method"),
    views: model.get("views"),
    noiseGrid: model.get("noise_grid")
  };
}
function settingsOf2({ clean, parameters, method, views, noiseGrid }) {
  return {
    query: pixelSetting("query", clean),
    ...Object.fromEntries(parameters.map(([name, { trait, grid }]) => [name, numberSetting(trait, grid)])),
    noise: numberSetting("noise_level", noiseGrid),
    ...method === "nonlocal_means" && { noise_floor: choiceSetting("subtract_index", ["kept", "subtracted"]) },
    ...method === "unified" && {
      position: choiceSetting("position_index", POSITION_BLOCKS),
      value: choiceSetting("value_index", VALUE_BLOCKS)
    },
    view: choiceSetting("view_index", views)
  };
}
function currentSetting(model, { parameters, noiseGrid }) {
  const noise_std = onGrid(model.get("noise_level"), noiseGrid) / 255;
  const numbers = Object.fromEntries(parameters.map(([, { trait, grid }]) => [trait, onGrid(model.get(trait), grid)]));
  return {
    position_block: POSITION_BLOCKS[model.get("position_index")],
    value_block: VALUE_BLOCKS[model.get("value_index")],
    patch_weights: model.get("patch_weights"),
    radius: Math.ceil(constants_default.radius_per_bandwidth * numbers.bandwidth_space),
    ...numbers,
    forgiven: model.get("subtract_index") ? 2 * noise_std ** 2 : 0,
    noise_std
  };
}
function published({ method, parameters }, isSubtracted, setting) {
  const { position_block, value_block, radius, noise_std } = setting;
  return {
    method,
    ...method !== "nonlocal_means" && { radius },
    ...Object.fromEntries(parameters.map(([name, { trait }]) => [name, setting[trait]])),
    ...method === "nonlocal_means" && { subtract_noise: isSubtracted },
    ...method === "unified" && { position_block, value_block },
    noise_std
  };
}
function framesOf({ parameters }, { position_block, value_block }) {
  const trait = value_block !== "none" ? "bandwidth_value" : position_block !== "none" ? "bandwidth_space" : void 0;
  const found = parameters.find(([, parameter]) => parameter.trait === trait);
  return found ? growing(found[1].grid, 30).map((value) => ({ [trait]: value })) : [];
}
function render({ model, el }) {
  const data = dataOf(model), { clean, views } = data;
  const figure = liveFigure({
    model,
    el,
    name: "pixel",
    hint: "Drag the cross, or press on a pixel. Keyboard: Tab, arrow keys; with Shift, ten pixels at a time.",
    settings: settingsOf2(data)
  });
  const parts = elements(figure.stage, clean);
  figure.root.classList.add("picture-figure");
  let at, now, noisy, kernel, filtered, stop, shown;
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
    const setting = currentSetting(model, data), query = inside(clean, model.get("query"));
    const view = views[model.get("view_index")];
    prepare(setting);
    const weights = softmax(windowLogWeights(kernel, query)), keys2 = windowKeys(kernel, query);
    const estimate = kernel.lines.map(
      (line) => average(
        weights,
        keys2.map((key) => line[key])
      )
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
      channels.length === 1 ? channels[0] : channels
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
        filtered_psnr: filtered.psnr
      },
      sentence: sentence(data, setting, query, weights, keys_for_90_percent, values),
      mark: now
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
    }
  });
  const keys = reader(figure, {
    label: "Keys of the window",
    count: () => now.weights.length,
    columns: () => 2 * now.radius + 1,
    mark: (i) => keyMark(at, now, i)
  });
  tellValues(figure, {
    find: (x, y) => markAt(at, now, x, y),
    focused: (element) => element === keys.element ? keys.mark() : void 0
  });
  playButton(figure, {
    title: "Let the bandwidth grow from its smallest to its largest value",
    pause: 120,
    frames: () => framesOf(data, currentSetting(model, data))
  });
  const end = figure.start(draw);
  return () => {
    stop?.();
    end();
  };
}
var pixel_default = { render };
export {
  pixel_default as default
};
