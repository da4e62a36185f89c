// lib/figures/numbers.js
var clamp = (value, low, high) => Math.min(Math.max(value, low), high);
var decimalsOf = ([, , step]) => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
function onGrid(value, grid2) {
  const [low, high, step] = grid2;
  const index = Math.round((clamp(value, low, high) - low) / step);
  return Number((low + index * step).toFixed(decimalsOf(grid2)));
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

// lib/figures/core.js
var role = (name, words) => `<b class="${name}">${words}</b>`;
var symbolic = (symbol) => symbol.replace(/_(\w)/, "<sub>$1</sub>");
var traitsOf = (model, ...names) => names.map((name) => model.get(name));
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
var numberSetting = (trait, grid2) => ({
  trait,
  write: (value) => String(onGrid(value, grid2)),
  read: (text) => Number.isFinite(parseFloat(text)) ? onGrid(parseFloat(text), grid2) : void 0
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
  let draw, pending, resting, said, mark, ghost;
  let moving = false;
  function redraw() {
    pending = false;
    const width = stage.clientWidth;
    if (width === 0) return;
    const drawn = draw(width, ghost);
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
    if (!inJupyter()) keepAddress(addressWith(address, write()));
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
    observer.observe(bar);
    const life = new AbortController();
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
  return { root, stage, actions, change, redraw, start, begin, rest };
}
var isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
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
    const copied = await written?.then(
      () => true,
      () => false
    );
    button.textContent = copied ? "Copied" : "It is in the address bar";
    setTimeout(() => button.textContent = name, 2e3);
  });
}
function nameSliders(root) {
  const panel2 = root.closest(".live-panel");
  if (!panel2) return void 0;
  const name = () => {
    for (const slider of panel2.querySelectorAll(".widget-slider")) {
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
  const observer = new MutationObserver(name);
  observer.observe(panel2, { childList: true, subtree: true });
  return () => observer.disconnect();
}

// lib/figures/matrices.js
function product(x, map, d) {
  const n = x.length / d, m = map.length / d;
  const all = new Float64Array(n * m);
  const four = m - m % 4, two = n - n % 2;
  for (let j = 0; j < four; j += 4) {
    for (let i = 0; i < two; i += 2) eightSums(x, i * d, map, j * d, d, all, i * m + j, m);
  }
  for (let i = 0; i < n; i += 1) {
    for (let j = i < two ? four : 0; j < m; j += 1) all[i * m + j] = inner(x, i * d, map, j * d, d);
  }
  return all;
}
function eightSums(x, a, map, p, d, all, at, m) {
  const b = a + d, q = p + d, r = q + d, s = r + d, below = at + m;
  let ap = 0, aq = 0, ar = 0, as = 0, bp = 0, bq = 0, br = 0, bs = 0;
  for (let c = 0; c < d; c += 1) {
    const one = x[a + c], other = x[b + c];
    const mp = map[p + c], mq = map[q + c], mr = map[r + c], ms = map[s + c];
    ap += one * mp;
    aq += one * mq;
    ar += one * mr;
    as += one * ms;
    bp += other * mp;
    bq += other * mq;
    br += other * mr;
    bs += other * ms;
  }
  all[at] = ap;
  all[at + 1] = aq;
  all[at + 2] = ar;
  all[at + 3] = as;
  all[below] = bp;
  all[below + 1] = bq;
  all[below + 2] = br;
  all[below + 3] = bs;
}
function inner(x, a, y, b, d) {
  let sum = 0;
  for (let c = 0; c < d; c += 1) sum += x[a + c] * y[b + c];
  return sum;
}
function keyExponents(keys, frequencies, d) {
  const exponents = product(keys, frequencies, d), m = frequencies.length / d;
  for (let j = 0; j * d < keys.length; j += 1) {
    const half = inner(keys, j * d, keys, j * d, d) / 2;
    for (let l = j * m; l < (j + 1) * m; l += 1) exponents[l] -= half;
  }
  return exponents;
}
function weightsOfFeatures(asked, exponents, m) {
  const peaks = new Float64Array(m).fill(-Infinity);
  for (let row = 0; row < exponents.length; row += m) {
    for (let l = 0; l < m; l += 1) peaks[l] = Math.max(peaks[l], exponents[row + l]);
  }
  const queries = new Float64Array(asked.length), keys = new Float64Array(exponents.length);
  for (let row = 0; row < keys.length; row += m) {
    for (let l = 0; l < m; l += 1) keys[row + l] = Math.exp(exponents[row + l] - peaks[l]);
  }
  for (let row = 0; row < asked.length; row += m) {
    let top = -Infinity;
    for (let l = 0; l < m; l += 1) top = Math.max(top, asked[row + l] + peaks[l]);
    for (let l = 0; l < m; l += 1) queries[row + l] = Math.exp(asked[row + l] + peaks[l] - top);
  }
  return product(queries, keys, m);
}

// lib/figures/hands.js
function draggable(element, { grab, release }) {
  let held;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || held) return;
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
function shares(heights) {
  const total = heights.reduce((a, b) => a + b, 0);
  return heights.map((height) => total > 0 ? height / total : 1 / heights.length);
}
var totalVariation = (weights, others) => weights.reduce((sum, weight, i) => sum + Math.abs(weight - others[i]), 0) / 2;
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
function holdQuery({ stage, handle, pictures, image, query, move }) {
  let before, clicked;
  function grab(event) {
    const onCross = event.target === handle;
    const picture = onCross ? pictures[0] : pictures.find((each) => each === event.target);
    if (!picture) return void 0;
    const { left, top, width, height } = picture.getBoundingClientRect();
    const pixel = (e) => [(e.clientY - top) * image.height / height, (e.clientX - left) * image.width / width];
    const [row, column] = pixel(event);
    before = inside(image, query());
    const [down, right] = onCross ? [before[0] + 0.5 - row, before[1] + 0.5 - column] : [0, 0];
    clicked = onCross && [row, column];
    focus(handle);
    return (e) => {
      if (Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY) > 2) clicked = void 0;
      const [r, c] = pixel(e);
      move([r + down, c + right]);
    };
  }
  function release(cancelled) {
    if (cancelled) move(before);
    else if (clicked) move(clicked);
  }
  draggable(stage, { grab, release });
  arrowKeys(handle, (right, up) => {
    const [row, column] = query();
    move([row - up, column + right]);
  });
}

// lib/figures/window.js
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
var SCALE = 255;
var FLAT = 1e-7;
var SENSITIVITY = 0.5;
var REGULARIZATION = 1;
var LUMA = [0.299, 0.587, 0.114];
var PILOT = [-2, -1, 0, 1, 2];
function pilotGradient({ height, width, planes }) {
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const brightness = planes.length === 1 ? planes[0] : planes[0].map((_, i) => sum(LUMA.map((share, c) => share * planes[c][i])));
  const weights = PILOT.map((offset) => Math.exp(-2 * offset * offset));
  const blur = weights.map((weight) => weight / sum(weights));
  const moment = sum(weights.map((weight, k) => weight * PILOT[k] ** 2));
  const slope = weights.map((weight, k) => SCALE * weight * PILOT[k] / moment);
  const grid2 = lines({ height, width, planes: [brightness] }, PILOT.length >> 1);
  const { step } = grid2;
  const derivative = (down, right) => cropped(grid2, tapped(tapped(grid2.lines[0], down, step), right, 1));
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
  const shares2 = diskShares(disk, gradient.step);
  const area = disk.flat().reduce((a, b) => a + b, 0);
  const [rows, mixed, columns] = tensors(gradient, shares2);
  const logScale = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i += 1) {
    const middle = (rows[i] + columns[i]) / 2, difference = (rows[i] - columns[i]) / 2;
    const half = Math.hypot(difference, mixed[i]);
    const [cosine, sine] = half > 0 ? [difference / half, mixed[i] / half] : [1, 0];
    const s1 = Math.sqrt(middle + half);
    let s2 = Math.sqrt(Math.max(middle - half, 0));
    if (s2 < 0.01 * s1) s2 = gradientAlong(Math.atan2(sine, cosine) / 2, i, gradient, shares2);
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
function tensors(gradient, shares2) {
  const {
    first,
    stop,
    lines: [down, right]
  } = gradient;
  const sums = [0, 1, 2].map(() => new Float64Array(stop - first));
  for (const [shift, square] of shares2) {
    for (let i = 0, at = first + shift; i < stop - first; i += 1, at += 1) {
      const a = down[at], b = right[at];
      sums[0][i] += square * a * a;
      sums[1][i] += square * a * b;
      sums[2][i] += square * b * b;
    }
  }
  return sums.map((line) => cropped(gradient, line));
}
function gradientAlong(angle, pixel, { width, step, first, lines: [down, right] }, shares2) {
  const at = first + Math.floor(pixel / width) * step + pixel % width;
  return Math.sqrt(
    shares2.reduce((sum, [shift, square]) => {
      const along = Math.cos(angle) * right[at + shift] - Math.sin(angle) * down[at + shift];
      return sum + square * along * along;
    }, 0)
  );
}
function patchTaps(radius, kind) {
  const offsets = Array.from({ length: 2 * radius + 1 }, (_, k) => k - radius);
  return offsets.map((offset) => kind === "gaussian" ? Math.exp(-2 * (offset / Math.max(radius, 1)) ** 2) : 1);
}
function windowKernel(image, steering, setting) {
  const { position_block, value_block, bandwidth_space, bandwidth_value, radius, patch_radius } = setting;
  const isPatch = value_block === "patch";
  const margin = isPatch ? patch_radius : 0;
  const taps = patchTaps(margin, setting.patch_weights);
  const unit = isPatch ? image.planes.length * taps.reduce((a, b) => a + b, 0) ** 2 : 1;
  const values = lines(image, radius + margin);
  let metric;
  if (position_block === "steering") {
    const [rows, mixed, columns, logScale] = steering.planes;
    const scaled = [rows, mixed, columns].map((plane) => plane.map((c) => c / (2 * bandwidth_space ** 2)));
    metric = lines({ ...steering, planes: [...scaled, logScale] }, radius + margin).lines;
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

// lib/figures/hero.js
var RADIUS = 7;
var SIDE = 2 * RADIUS + 1;
var PATCH_RADIUS = 2;
function windowTokens({ lines: [line], step }, keys) {
  const tokens = [];
  keys.forEach((key, j) => {
    const row = Math.floor(j / SIDE) - RADIUS, column = j % SIDE - RADIUS;
    let norm = 0;
    for (let r = -PATCH_RADIUS; r <= PATCH_RADIUS; r += 1) {
      for (let c = -PATCH_RADIUS; c <= PATCH_RADIUS; c += 1) {
        const value = line[key + r * step + c] - 0.5;
        norm += value * value;
        tokens.push(value);
      }
    }
    const square = row * row + column * column;
    tokens.push(norm / 5, 1, -square / RADIUS ** 2, square === 0 ? 1 : 0);
  });
  return Float64Array.from(tokens);
}
function centred(rows, d) {
  const n = rows.length / d;
  const mean = Array.from({ length: d }, (_, k) => {
    let sum = 0;
    for (let i = k; i < rows.length; i += d) sum += rows[i];
    return sum / n;
  });
  return rows.map((value, i) => value - mean[i % d]);
}
function spreadFrequencies(frequencies, moments) {
  const d = moments.length;
  const variances = moments.map((l) => (3 + 2 * l + Math.sqrt((2 * l + 1) ** 2 + 8 * l)) / 4);
  const logWeights = new Float64Array(frequencies.length / d);
  const spread = frequencies.map((frequency, i) => {
    const variance = variances[i % d];
    logWeights[Math.floor(i / d)] += (Math.log(variance) - (variance - 1) * frequency ** 2) / 2;
    return frequency * Math.sqrt(variance);
  });
  return { frequencies: spread, logWeights };
}
function performerWeights(query, keys, { frequencies, logWeights }) {
  const d = query.length, m = logWeights.length;
  const asked = product(query, frequencies, d).map((projection, l) => projection + logWeights[l]);
  return [...shares([...weightsOfFeatures(asked, keyExponents(keys, frequencies, d), m)])];
}
var HEAD = 40;
var FOOT = 36;
var GAP = 18;
var LEGEND = 20;
var TITLE = 22;
function layout(width, image, count) {
  const longest = Math.max(image.height, image.width);
  const isNarrow = width < 600;
  const across = isNarrow ? 0.57 * width : width < 700 ? 0.28 * width : 2 * longest;
  const scale = across / longest;
  const photo = { x: 0, y: isNarrow ? TITLE : HEAD, scale, width: scale * image.width, height: scale * image.height };
  if (isNarrow) {
    const window3 = { x: across + 14, y: 0, head: TITLE, width: width - across - 14 };
    const side2 = (width - GAP) / 2;
    const start = { width, height: TITLE + across };
    return { isNarrow, photo, window: window3, start, side: side2, panels: grid(width, side2, count, 2, GAP) };
  }
  const room = width - across - 28, side = (room - 2 * GAP) / 3;
  const gap = Math.max(24, HEAD + across + 12 - (HEAD + side + FOOT));
  const panels = grid(room, side, count, 3, gap);
  const window2 = { x: 0, y: panels.places[3].y, head: HEAD, width: Math.min(side, across) };
  return { isNarrow, photo, window: window2, start: { width: across, height: panels.height }, side, panels };
}
function grid(width, side, count, columns, gap) {
  const places = Array.from({ length: count }, (_, i) => ({
    x: i % columns * (side + GAP),
    y: Math.floor(i / columns) * (HEAD + side + FOOT + gap)
  }));
  return { places, width, height: places[count - 1].y + HEAD + side + FOOT + 12 + LEGEND * (columns < 3 ? 2 : 1) };
}
function comparison(parent) {
  const group = svg("g", { class: "comparison" }, parent);
  const [found, truth] = ["found", "true"].map((name) => svg("rect", { class: name, height: 12 }, group));
  const number = svg("text", { class: "number", y: 28 }, group), note = svg("text", { class: "note", y: 28 }, group);
  return function draw({ x, y, width }, value, trueValue) {
    set(group, { transform: translate(x, y) });
    set(found, { width: width / 2, fill: color([value]) });
    set(truth, { x: width / 2, width: width / 2, fill: color([trueValue]) });
    number.textContent = format(value, 3);
    set(note, { x: width });
    const off = value - trueValue;
    note.textContent = `${off < 0 ? "−" : "+"}${Math.abs(off).toFixed(3)}`;
  };
}
function panel(parent, { name, year, title, change, chapter }) {
  const group = svg("g", { class: `method ${name}` }, parent);
  svg("text", { class: "year", y: 14, text: year }, group);
  const link = svg("a", { href: chapter + (inJupyter() ? ".ipynb" : ".html") }, group);
  svg("text", { class: "title", x: 37, y: 14, text: `${title} ›` }, link);
  svg("text", { class: "change", y: 31, text: change }, group);
  const drawWeights = weightMap(group), compare = comparison(group);
  return function draw({ x, y }, side, { weights, count, estimate, truth }) {
    set(group, { transform: translate(x, y) });
    drawWeights(weights, count, { x: 0, y: HEAD, width: side });
    compare({ x: 0, y: HEAD + side + 6, width: side }, estimate, truth);
  };
}
function elements(stage, image, methods) {
  const start = html("div", { class: "start" }, stage);
  const photo = html("canvas", { class: "photo", ...image, "aria-hidden": "true" }, start);
  const canvas = svg("svg", { class: "canvas" }, start);
  const panels = svg("svg", { class: "canvas panels" }, stage);
  const add = (tag, name, parent, attributes) => svg(tag, { class: name, ...attributes }, parent);
  const parts = { start, photo, canvas, panels };
  parts.photoTitle = add("text", "title", canvas, { y: 14, text: "The photograph" });
  parts.photoNote = add("text", "change", canvas, { y: 31, text: "With noise, σ = 25/255" });
  parts.photoPanel = add("svg", "panel", canvas);
  parts.window = add("g", "window", parts.photoPanel);
  parts.frames = ["halo", "frame"].map((name) => add("rect", name, parts.window));
  parts.crosses = ["cross-halo", "cross"].map((name) => add("path", name, parts.photoPanel));
  parts.grip = add("rect", "grip", canvas);
  parts.windowGroup = add("g", "seen", canvas);
  add("text", "title", parts.windowGroup, { y: 14, text: "The keys" });
  parts.windowNote = add("text", "change", parts.windowGroup, { y: 31, text: "15 × 15 noisy pixels" });
  parts.pixels = html("canvas", { class: "pixels", width: SIDE, height: SIDE, "aria-hidden": "true" });
  start.insertBefore(parts.pixels, canvas);
  parts.pixelFrame = add("rect", "ground", parts.windowGroup);
  parts.self = add("rect", "self", parts.windowGroup);
  parts.compare = comparison(parts.windowGroup);
  parts.methods = methods.map((method) => panel(panels, method));
  parts.legend = add("g", "legend", panels);
  parts.queryHandle = html("div", QUERY_HANDLE, start);
  return parts;
}
var SQUARE = "M1 -11h13v13h-13z";
var LEGEND_WORDS = [
  { name: "weight", words: "weight", d: SQUARE },
  { name: "most", words: "90 % of it", d: SQUARE },
  { name: "query", words: "query", d: SQUARE },
  { name: "halves", words: "left: estimate, right: true", d: "M0 -10h18v11h-18zM9 -10v11" }
];
function arrange(root, parts, image, count, width) {
  const at = { ...layout(width, image, count), width };
  const { photo, window: window2, start, panels } = at;
  root.classList.toggle("narrow", at.isNarrow);
  Object.assign(parts.start.style, { width: `${start.width}px`, height: `${start.height}px` });
  resize(parts.canvas, start.width, start.height);
  resize(parts.panels, panels.width, panels.height);
  lay(parts.photo, photo);
  const { x, y, width: wide, height: high } = photo;
  [parts.photoPanel, parts.grip].forEach((each) => set(each, { x, y, width: wide, height: high }));
  [parts.photoNote, parts.windowNote].forEach((note) => set(note, { visibility: at.isNarrow ? "hidden" : "visible" }));
  set(parts.windowGroup, { transform: translate(window2.x, window2.y) });
  set(parts.pixelFrame, { y: window2.head, width: window2.width, height: window2.width });
  const cell = window2.width / SIDE;
  set(parts.self, { x: RADIUS * cell, y: window2.head + RADIUS * cell, width: cell, height: cell });
  lay(parts.pixels, { x: window2.x, y: window2.y + window2.head, width: window2.width, height: window2.width });
  const lowest = panels.height - 4 - (at.isNarrow ? LEGEND : 0);
  const room = { width: panels.width + 14, line: LEGEND };
  legend(parts.legend, LEGEND_WORDS, { y: lowest, gap: 38, letter: 6, label: { x: 24 }, ...room });
  return at;
}
function drawQuery(parts, { photo: { x, y, scale } }, image, [row, column], observed) {
  const corner = translate((column - RADIUS) * scale, (row - RADIUS) * scale);
  const middle = { x: (column + 0.5) * scale, y: (row + 0.5) * scale };
  const { d, hold } = cross((RADIUS + 0.5) * scale);
  set(parts.window, { transform: `${corner} scale(${scale})` });
  parts.frames.forEach((frame) => set(frame, { width: SIDE, height: SIDE }));
  parts.crosses.forEach((each) => set(each, { d, transform: translate(middle.x, middle.y) }));
  lay(parts.queryHandle, { x: x + middle.x - hold, y: y + middle.y - hold, width: 2 * hold, height: 2 * hold });
  describeQuery(parts.queryHandle, image, [row, column], `noisy ${format(observed, 3)}`);
}
function drawWindow(parts, { window: window2 }, values, observed, truth) {
  paint(parts.pixels, { height: SIDE, width: SIDE, planes: [values] });
  parts.compare({ x: 0, y: window2.head + window2.width + 6, width: window2.width }, observed, truth);
}
function sentence(methods, { query: [row, column], noisy, clean, estimate, keys_for_90_percent, misplaced }) {
  const nearestFirst = methods.map(({ name, title }) => ({ name, title })).sort((a, b) => Math.abs(estimate[a.name] - clean) - Math.abs(estimate[b.name] - clean));
  const inWords = ({ name, title }) => `${title}, ${role("estimate", format(estimate[name], 3))}, with 90 % of its weight on ${role("weight", `${keys_for_90_percent[name]} of 225 keys`)}`;
  return `${role("query", `Query: row ${row}, column ${column}`)}, ${role("value", `noisy ${format(noisy, 3)}`)}, true ${format(clean, 3)}. Nearest comes ${inWords(nearestFirst[0])}; farthest is ${inWords(nearestFirst.at(-1))}. The Performer has ${role("weight", percent(misplaced))} of its weight on other keys than attention.`;
}
function dataOf(model) {
  const [clean, noise, maps, frequencies] = traitsOf(model, "clean", "noise", "maps", "frequencies").map(unpack);
  const [noiseStd, moment, methods, bandwidthGrid, disk] = traitsOf(
    model,
    "noise_std",
    "moment",
    "methods",
    "bandwidth_grid",
    "disk"
  );
  const noisy = withNoise(clean, noise, noiseStd), [queryMap, keyMap] = maps.planes;
  return {
    clean,
    noisy,
    queryMap,
    keyMap,
    frequencies: frequencies.planes[0],
    moment,
    methods,
    bandwidthGrid,
    steering: steeringPlanes(noisy, disk),
    grey: lines(noisy, RADIUS + PATCH_RADIUS)
  };
}
function prepared({ noisy, steering, methods, frequencies, moment }, bandwidth) {
  const scaled = ({ bandwidth_space, bandwidth_value, ...kernel }) => ({
    ...kernel,
    bandwidth_space: bandwidth * bandwidth_space,
    bandwidth_value: bandwidth * bandwidth_value
  });
  const windows = methods.filter(({ kernel }) => "radius" in kernel);
  return {
    bandwidth,
    kernels: windows.map(({ name, kernel }) => [name, windowKernel(noisy, steering, scaled(kernel))]),
    spread: spreadFrequencies(
      frequencies,
      moment.map((square) => square / bandwidth ** 2)
    )
  };
}
function weightsOf({ grey, moment, queryMap, keyMap }, { bandwidth, kernels, spread }, pixel, keys) {
  const d = moment.length;
  const ofWindows = kernels.map(([name, kernel]) => [name, softmax(windowLogWeights(kernel, pixel))]);
  const tokens = windowTokens(grey, keys), own = (tokens.length - d) / 2;
  const project = (token, map) => product(token, map, d).map((number) => number / bandwidth);
  const queries = project(tokens.subarray(own, own + d), queryMap);
  const answers = centred(project(tokens, keyMap), d);
  return {
    ...Object.fromEntries(ofWindows),
    attention: softmax([...product(queries, answers, d)]),
    performer: performerWeights(queries, answers, spread)
  };
}
function resultsOf({ clean, noisy, methods }, query, values, weights) {
  const each = (find) => Object.fromEntries(methods.map(({ name }) => [name, find(weights[name])]));
  const [observed, truth] = [noisy, clean].map(({ planes: [plane] }) => plane[query[0] * clean.width + query[1]]);
  return {
    estimate: each((of) => average(of, values)),
    keys_for_90_percent: each((of) => keysForShare(of, 0.9)),
    n_keys: values.length,
    noisy: observed,
    clean: truth,
    misplaced: totalVariation(weights.attention, weights.performer)
  };
}
function render({ model, el }) {
  const data = dataOf(model), { clean, noisy, methods, bandwidthGrid } = data;
  const figure = liveFigure({
    model,
    el,
    name: "hero",
    hint: "Drag the cross, or press on a pixel. Keyboard: Tab, arrow keys; with Shift, ten pixels at a time.",
    settings: { query: pixelSetting("query", clean), bandwidth: numberSetting("bandwidth", bandwidthGrid) }
  });
  figure.root.classList.add("picture-figure");
  const parts = elements(figure.stage, { height: clean.height, width: clean.width }, methods);
  paint(parts.photo, noisy);
  let at, kernels;
  function draw(width) {
    if (width !== at?.width) at = arrange(figure.root, parts, clean, methods.length, width);
    const bandwidth = onGrid(model.get("bandwidth"), bandwidthGrid), query = inside(clean, model.get("query"));
    if (bandwidth !== kernels?.bandwidth) kernels = prepared(data, bandwidth);
    const keys = windowKeys({ ...data.grey, radius: RADIUS }, query), values = keys.map((key) => data.grey.lines[0][key]);
    const weights = weightsOf(data, kernels, query, keys);
    const results = resultsOf(data, query, values, weights), { estimate, keys_for_90_percent } = results;
    methods.forEach(
      ({ name }, i) => parts.methods[i](at.panels.places[i], at.side, {
        weights: weights[name],
        count: keys_for_90_percent[name],
        estimate: estimate[name],
        truth: results.clean
      })
    );
    drawQuery(parts, at, clean, query, results.noisy);
    drawWindow(parts, at, values, results.noisy, results.clean);
    const state = { query, bandwidth, ...results };
    return { state, sentence: sentence(methods, state) };
  }
  holdQuery({
    stage: figure.stage,
    handle: parts.queryHandle,
    pictures: [parts.grip],
    image: clean,
    query: () => model.get("query"),
    move: (pixel) => figure.change({ query: inside(clean, pixel) })
  });
  return figure.start(draw);
}
var hero_default = { render };
export {
  hero_default as default
};
