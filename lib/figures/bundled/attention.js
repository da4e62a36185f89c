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
var roundPercent = (share) => percent(share).replace(".0", "");
var indexOfLargest = (numbers) => numbers.indexOf(Math.max(...numbers));

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
function scale([low, high], [from, to]) {
  const toPixel = (value) => from + (value - low) / (high - low) * (to - from);
  toPixel.invert = (pixel) => low + (pixel - from) / (to - from) * (high - low);
  return toPixel;
}
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
function withMargin(numbers, share) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const margin = share * (high - low) || 1;
  return [low - margin, high + margin];
}
var translate = (right, down) => `translate(${right.toFixed(2)} ${down.toFixed(2)})`;
function path(points) {
  let pen = "M";
  return points.map(([x, y]) => {
    const command = Number.isNaN(y) ? "" : `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = command ? "L" : "M";
    return command;
  }).join("");
}
var stem = (x, from, to) => `M${x.toFixed(1)} ${from.toFixed(1)}V${to.toFixed(1)}`;
var diamond = (radius) => `M0 -${radius}L${radius} 0L0 ${radius}L-${radius} 0Z`;
var LETTER = 7.3;
function makeRoom(labels, height, room) {
  for (const tick of labels) {
    set(tick, { visibility: Math.abs(tick.getAttribute("y") - 4 - height) < room ? "hidden" : "visible" });
  }
}
function axes(group) {
  group.replaceChildren();
  const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 }, group);
  const label = (name, x, y, text) => svg("text", { class: name, x, y, text }, group);
  return {
    line,
    label,
    /** A level across the panel, with its number at the left. */
    level({ left, right, gap = 8 }, y, text, kind = "grid") {
      line(kind, left, y, right, y);
      label("tick left", left - gap, y + 4, text);
    },
    /** A place on the axis below the panel, with its number. */
    stop(x, bottom, text) {
      line("base", x, bottom, x, bottom + 5);
      label("tick", x, bottom + 19, text);
    },
    /** The axis below the panel. */
    base: ({ left, right }, y) => line("base", left, y, right, y)
  };
}
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

// lib/figures/play.js
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
var totalVariation = (weights, others) => weights.reduce((sum, weight, i) => sum + Math.abs(weight - others[i]), 0) / 2;
var ENDS = [1, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01];
var axisEnd = (largest, ends = ENDS) => ends.findLast((end) => end >= largest);
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

// lib/figures/attention.js
function rowLogWeights(query, keys, temperature, visible) {
  return keys.map(
    (key, j) => visible(j) ? query.reduce((sum, x, c) => sum + x * key[c], 0) / temperature : -Infinity
  );
}
function mappedPairs(token, frequencies, stretches, back) {
  return frequencies.flatMap((frequency, p) => {
    const [sine, cosine] = [Math.sin(frequency * back), Math.cos(frequency * back)];
    const [s, c] = [token[2 * p], token[2 * p + 1]];
    return [stretches[p] * (s * cosine - c * sine), stretches[p] * (c * cosine + s * sine)];
  });
}
function weightsOf({ queries, keys, frequencies }, setting) {
  const { temperature, mask, query_stretches, key_stretches, look_back } = setting;
  const visible = (i) => mask === "causal" ? (j) => j <= i : () => true;
  const map = (token, stretches, back) => stretches ? mappedPairs(token, frequencies, stretches, back) : token;
  const matrices = queries.map((tokens, frame) => {
    const mapped = keys[frame].map((token) => map(token, key_stretches, 0));
    return tokens.map(
      (token, i) => softmax(rowLogWeights(map(token, query_stretches, look_back), mapped, temperature, visible(i)))
    );
  });
  return { matrices, darkest: Math.max(...matrices.map(typicalLargest)) };
}
function typicalLargest(matrix) {
  const largest = matrix.map((row) => Math.max(...row)).sort((a, b) => a - b);
  return largest[Math.floor(largest.length / 2)];
}
function dataOf(model) {
  const [queryGrid, temperatureGrid, stretchGrid, backGrid, frequencies] = traitsOf(
    model,
    "query_grid",
    "temperature_grid",
    "stretch_grid",
    "back_grid",
    "frequencies"
  );
  const [frameName, labels, masks, values, targets, reference] = traitsOf(
    model,
    "frame_name",
    "frame_labels",
    "masks",
    "data_values",
    "targets",
    "reference"
  );
  const { queries, keys } = model.get("frames");
  const [nQueries, nKeys] = [queries[0].length, keys[0].length];
  return {
    queryGrid,
    temperatureGrid,
    stretchGrid,
    backGrid,
    frequencies,
    frameName,
    labels,
    masks,
    values,
    targets,
    reference,
    queries,
    keys,
    nQueries,
    nKeys,
    hasMaps: frequencies.length > 0,
    sameLength: nQueries === nKeys,
    targetLabel: model.get("target_label")
  };
}
function settingsOf2({ queryGrid, temperatureGrid, stretchGrid, backGrid, frameName, labels, masks, hasMaps }) {
  return {
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
  };
}
function currentSetting(model, { queryGrid, temperatureGrid, stretchGrid, backGrid, labels, masks, hasMaps, sameLength }) {
  const stretches = (...names) => traitsOf(model, ...names).map((value) => onGrid(value, stretchGrid));
  return {
    ...hasMaps && {
      query_stretches: stretches("query_fast", "query_slow"),
      key_stretches: stretches("key_fast", "key_slow"),
      look_back: onGrid(model.get("look_back"), backGrid)
    },
    query: onGrid(model.get("query"), queryGrid),
    frame_index: Math.min(model.get("frame_index"), labels.length - 1),
    temperature: onGrid(model.get("temperature"), temperatureGrid),
    mask: sameLength ? masks[model.get("mask_index")] : "none"
  };
}
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
    ghostCurve: add("path", "ghost"),
    curve: add("path", "curve"),
    queryLine: add("line", "query-line"),
    reference: add("path", "reference"),
    stems: add("path", "stems"),
    ghostRow: add("path", "ghost"),
    ghostDiamond: add("path", "ghost"),
    diamond: add("path", "diamond", { d: diamond(6.5) }),
    nothing: add("text", "note nothing", { text: "no key to attend to" }),
    weightTick: add("text", "tick left"),
    legend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight" }),
    keyTitle: add("text", "title key", { text: "key" })
  };
  parts.cells = add("g", "cells", {}, parts.matrix);
  parts.queryHandle = html(
    "div",
    { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query", "aria-orientation": "vertical" },
    stage
  );
  return parts;
}
function arrange(parts, data, width) {
  const { values, targets, nQueries, nKeys, sameLength } = data;
  const at = layout(width), { matrix } = at;
  const valueRange = withMargin([...values, ...targets], 0.1);
  const x = scale([0, nKeys - 1 || 1], [at.left + 4, at.right - 4]);
  const y = scale(valueRange, [at.values.bottom, at.values.top]);
  resize(parts.canvas, width, at.height);
  const place = { x: matrix.x, y: matrix.y, width: matrix.side, height: matrix.side };
  set(parts.matrix, { ...place, viewBox: `0 0 ${nKeys} ${nQueries}`, preserveAspectRatio: "none" });
  set(parts.frame, place);
  set(parts.matrixTitle, { x: 0, y: 18 });
  set(parts.matrixKeyTitle, { x: matrix.x + matrix.side, y: matrix.y + matrix.side + 34 });
  set(parts.keyTitle, { x: at.right, y: at.weights.bottom + 36 });
  set(parts.weightTitle, { x: at.left - 44, y: at.weights.top - 8 });
  set(parts.weightTick, { x: at.left - 8, y: at.weights.top + 10 });
  const places = { ...at, x, y, valueRange };
  drawAxes(parts, data, places);
  drawLegend(parts, data, at);
  const r = nKeys > 30 && at.narrow ? 2.5 : 3.5;
  repeat(parts.dots, "circle", nKeys, (dot, j) => set(dot, { cx: x(j), cy: y(values[j]), r }));
  set(parts.targets, { d: path(sameLength ? targets.map((target, i) => [x(i), y(target)]) : []) });
  return places;
}
function drawAxes(parts, { nQueries, nKeys }, { matrix, weights, left, right, x, y, valueRange }) {
  const axis = axes(parts.axes);
  const whole = (n) => ticks([0, n - 1], 5).filter(({ value }) => Number.isInteger(value));
  for (const { value, text } of whole(nKeys)) {
    axis.label("tick", matrix.x + matrix.side * (value + 0.5) / nKeys, matrix.y + matrix.side + 17, text);
    axis.stop(x(value), weights.bottom, text);
  }
  for (const { value, text } of whole(nQueries)) {
    axis.label("tick left row", matrix.x - 7, matrix.y + matrix.side * (value + 0.5) / nQueries + 4, text);
  }
  for (const { value, text } of ticks(valueRange, 4)) axis.level({ left, right }, y(value), text);
  axis.base({ left, right }, weights.bottom);
}
function drawLegend(parts, { targets, targetLabel }, { left, values, narrow }) {
  const line = { d: "M0 -4.5H17" };
  const entries = [
    { name: "value", words: "value", shape: "circle", cx: 8, cy: -4.5, r: 4 },
    { name: "estimate", words: "estimate", d: "M0 -4.5H16" },
    ...targets.length ? [{ name: "target", words: targetLabel, ...line }] : [],
    BEFORE
  ];
  legend(parts.legend, entries, {
    x: narrow ? 0 : left,
    y: values.top - 12,
    gap: 36,
    label: { class: "title", x: 22 }
  });
}
function drawMatrix(parts, { nKeys, sameLength }, { x, y }, weights, estimates, darkest) {
  const levels = weights.flat().map((weight) => Math.min(weight / darkest, 1));
  const paths = shadedPaths(levels, (k) => `M${k % nKeys} ${Math.floor(k / nKeys)}h1v1h-1z`);
  repeat(parts.cells, "path", N_SHADES, (cell, k) => set(cell, { d: paths[k], ...shade((k + 1) / N_SHADES) }));
  set(parts.curve, { d: sameLength ? path(estimates.map((estimate, i) => [x(i), y(estimate)])) : "" });
}
function drawRowFrame(parts, { nQueries }, { matrix }, query) {
  const height = matrix.side / nQueries, middle = matrix.y + (query + 0.5) * height;
  const frame = Math.max(height, 3);
  set(parts.rowFrame, { x: matrix.x - 1, width: matrix.side + 2, y: middle - frame / 2, height: frame });
  set(parts.rowPill, { y: middle - 10 });
  set(parts.rowLabel, { y: middle + 4.5 });
  parts.rowLabel.textContent = String(query);
  makeRoom(parts.axes.querySelectorAll(".row"), middle, 17);
  const grip = Math.max(height, 32);
  lay(parts.queryHandle, { x: 0, y: middle - grip / 2, width: matrix.x + matrix.side, height: grip });
  describe(parts.queryHandle, query, [0, nQueries - 1]);
}
function drawWeights(parts, { weights, x }, row, compared, before = []) {
  const top = axisEnd(Math.max(...row, ...compared, ...before) || 1);
  const z = scale([0, top], [weights.bottom, weights.top + 6]);
  parts.weightTick.textContent = roundPercent(top);
  set(parts.stems, { d: row.map((weight, j) => weight > 0 ? stem(x(j), weights.bottom, z(weight)) : "").join("") });
  parts.stems.style.strokeWidth = `${clamp(0.5 * (x(1) - x(0)), 2, 8)}px`;
  const profile = (each) => path(each.map((weight, j) => [x(j), z(weight)]));
  set(parts.reference, { d: profile(compared) });
  set(parts.ghostRow, { d: profile(before) });
}
function drawGhost(parts, { sameLength }, { x, y, left }, { query, estimates }) {
  const nothing = Number.isNaN(estimates[query]);
  set(parts.ghostCurve, { d: sameLength ? path(estimates.map((estimate, i) => [x(i), y(estimate)])) : "" });
  set(parts.ghostDiamond, { d: nothing ? "" : diamond(7.5) });
  if (!nothing) set(parts.ghostDiamond, { transform: translate(sameLength ? x(query) : left, y(estimates[query])) });
}
var keyMark = ({ values }, { x, y }, { row }, j) => ({
  x: x(j),
  y: y(values[j]),
  words: `key ${j}: weight ${percent(row[j])}, value ${format(values[j], 2)}`
});
function markAt(data, at, now, px, py) {
  const { matrix, left, right, values, weights, x } = at, { nQueries, nKeys } = data;
  const [i, j] = [
    Math.floor((py - matrix.y) / matrix.side * nQueries),
    Math.floor((px - matrix.x) / matrix.side * nKeys)
  ];
  if (i in now.matrix && j in now.matrix[i]) {
    return { x: px, y: py, words: `query ${i}, key ${j}: weight ${percent(now.matrix[i][j])}` };
  }
  const key = Math.round(x.invert(px));
  if (px < left || px > right || py < values.top || py > weights.bottom || !(key in now.row)) return void 0;
  const mark = keyMark(data, at, now, key);
  return py > values.bottom ? { ...mark, y: py } : mark;
}
function drawAnswer(parts, { sameLength }, { values, weights, left, right, x, y }, query, answer) {
  const visibility = sameLength ? "visible" : "hidden";
  set(parts.queryLine, { x1: x(query), x2: x(query), y1: values.top, y2: weights.bottom, visibility });
  const middle = { x: (left + right) / 2, y: (values.top + values.bottom) / 2 };
  if (Number.isNaN(answer)) {
    set(parts.nothing, { visibility: "visible", ...middle });
    set(parts.diamond, { visibility: "hidden" });
  } else {
    set(parts.nothing, { visibility: "hidden", ...middle });
    set(parts.diamond, { visibility: "visible", transform: translate(sameLength ? x(query) : left, y(answer)) });
  }
}
function sentence({ hasMaps, labels, frameName }, setting, row, { estimate, keys_for_90_percent, heaviest_key, total_variation }) {
  const { query, frame_index, temperature, mask, query_stretches, key_stretches, look_back } = setting;
  const list = (stretches) => `(${stretches.map((each) => format(each, 1)).join(", ")})`;
  const maps = hasMaps ? `${symbolic("W_q")} ${list(query_stretches)}, ${symbolic("W_k")} ${list(key_stretches)}, looks back ${format(look_back, 0)}, ` : "";
  const shown = maps + (labels.length > 1 ? `${frameName} ${labels[frame_index]}, ` : "");
  const opening = `${shown}τ = ${format(temperature, 2)}${mask === "none" ? "" : `, ${mask} mask`}. ${role("query", `Query ${query}`)}`;
  const capital = opening[0].toUpperCase() + opening.slice(1);
  const seen = row.filter((weight) => weight > 0).length;
  const many = keys_for_90_percent === 1 ? "1 key" : `${keys_for_90_percent} of ${seen} keys`;
  const closing = total_variation === void 0 ? "" : ` ${role("weight", percent(total_variation))} of the weight differs from the dotted line.`;
  return `${capital} takes 90 % of its weight from ${role("weight", many)}; the heaviest is ${role("key", `key ${heaviest_key}`)} with ${role("weight", percent(row[heaviest_key]))}. ${role("estimate", `Estimate ${format(estimate, 2)}`)}.${closing}`;
}
var hintOf = ({ labels, frameName }) => labels.length > 1 ? `Press on a row, or drag it. Keyboard: Tab, then up and down choose the row, left and right the ${frameName}.` : "Press on a row, or drag it. Keyboard: Tab, then up and down.";
function render({ model, el }) {
  const data = dataOf(model), { values, reference, labels, frameName } = data;
  const figure = liveFigure({ model, el, name: "attention", hint: hintOf(data), settings: settingsOf2(data) });
  const parts = elements(figure.stage);
  const current = () => currentSetting(model, data);
  let at, now, before, computed, drawn;
  function compute({ query, frame_index, ...setting }) {
    const name = JSON.stringify(setting);
    if (computed?.name !== name) computed = { name, ...weightsOf(data, setting) };
    return computed;
  }
  function draw(width, ghost, isNewGhost) {
    if (width !== at?.width) at = arrange(parts, data, width);
    const setting = current(), { query } = setting, { frame_index, ...published } = setting;
    const { name, matrices, darkest } = compute(setting);
    const weights = matrices[frame_index], row = weights[query];
    const estimates = weights.map((each) => average(each, values));
    const unmoved = `${width} ${frame_index} ${name}`;
    if (drawn !== unmoved) drawMatrix(parts, data, at, weights, estimates, darkest);
    if (isNewGhost) drawGhost(parts, data, at, ghost);
    drawn = unmoved;
    now = { query, matrix: weights, row, estimates };
    drawRowFrame(parts, data, at, query);
    drawWeights(parts, at, row, reference.length ? reference[query] : [], ghost?.row);
    drawAnswer(parts, data, at, query, estimates[query]);
    const results = {
      estimate: estimates[query],
      keys_for_90_percent: keysForShare(row, 0.9),
      heaviest_key: indexOfLargest(row),
      ...reference.length && { total_variation: totalVariation(reference[query], row) }
    };
    return {
      state: { ...published, [frameName]: labels[frame_index], ...results },
      sentence: sentence(data, setting, row, results),
      mark: now
    };
  }
  const moveQuery = (query) => figure.change({ query: onGrid(query, data.queryGrid) });
  function grab(event) {
    const { left, top } = figure.stage.getBoundingClientRect(), { matrix } = at;
    const rowAt = (e) => Math.floor((e.clientY - top - matrix.y) / matrix.side * data.nQueries);
    const across = event.clientX - left, down = event.clientY - top;
    const onMatrix = across <= matrix.x + matrix.side && down >= matrix.y && down <= matrix.y + matrix.side;
    if (!onMatrix && event.target !== parts.queryHandle) return void 0;
    before = current().query;
    focus(parts.queryHandle);
    return (e) => moveQuery(rowAt(e));
  }
  draggable(figure.stage, { grab, release: (cancelled) => cancelled && figure.change({ query: before }) });
  arrowKeys(parts.queryHandle, (right, up) => {
    const { query, frame_index } = current();
    if (!Number.isFinite(right)) return moveQuery(right < 0 ? 0 : data.nQueries - 1);
    figure.change({
      query: onGrid(query - up, data.queryGrid),
      frame_index: labels.length > 1 ? onGrid(frame_index + Math.sign(right), [0, labels.length - 1, 1]) : 0
    });
  });
  const mark = (j) => keyMark(data, at, now, j);
  const keys = reader(figure, { label: "Keys of the query", count: () => data.nKeys, mark });
  tellValues(figure, {
    find: (x, y) => markAt(data, at, now, x, y),
    focused: (element) => element === keys.element ? keys.mark() : void 0
  });
  if (frameName === "step") {
    const frames = () => labels.map((_, frame_index) => ({ frame_index }));
    playButton(figure, { title: "Train: show the steps one after the other", pause: 700, frames });
  }
  return figure.start(draw);
}
var attention_default = { render };
export {
  attention_default as default,
  mappedPairs,
  rowLogWeights
};
