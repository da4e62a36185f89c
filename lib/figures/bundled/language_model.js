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
function describe(handle2, now, [low, high], words) {
  set(handle2, { "aria-valuemin": String(low), "aria-valuemax": String(high), "aria-valuenow": String(now) });
  if (words !== void 0) set(handle2, { "aria-valuetext": words });
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
var textSetting = (trait, longest) => ({
  trait,
  write: (text) => encodeURIComponent(wellFormed(text)),
  read: (text) => text && text.length <= longest ? wellFormed(text) : void 0
});
var wellFormed = (text) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
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
function whenNear(element, act) {
  const { top, bottom, width } = element.getBoundingClientRect();
  if (width > 0 && top < 2 * innerHeight && bottom > -innerHeight) {
    act();
    return () => {
    };
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      act();
    },
    { rootMargin: "100% 0px" }
  );
  observer.observe(element);
  return () => observer.disconnect();
}
async function later(model, trait) {
  const value = model.get(trait);
  if (!value.script) return value;
  const page = (
    /** @type {any} */
    window
  );
  page.figureParts ??= {};
  const parts = page.figureParts;
  if (!(value.later in parts)) {
    await new Promise((resolve, reject) => {
      const script = html("script", { src: value.script });
      Object.assign(script, { onload: resolve, onerror: reject });
      document.head.append(script);
    });
  }
  return parts[value.later];
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
  const sentence = html("p", { class: "sentence", "aria-live": "polite" }, root);
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
    sentence.innerHTML = said;
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
    sentence.setAttribute("aria-busy", "true");
    clearTimeout(resting);
    resting = setTimeout(rest, 250);
  }
  function rest() {
    if (root.classList.contains("playing")) return;
    sentence.removeAttribute("aria-busy");
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
      slider.querySelectorAll(".noUi-handle").forEach((handle2) => set(handle2, { "aria-label": label }));
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
    const shade = Math.ceil(count * level - 0.5);
    if (shade > 0) paths[shade] += cell(k);
  });
  return paths.slice(1);
}

// lib/figures/workers.js
function workerOf(code, { listen, fail }) {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address);
  worker.onmessage = ({ data }) => listen(data);
  worker.onerror = (event) => {
    event.preventDefault();
    fail();
  };
  return {
    post: (message) => worker.postMessage(message),
    end() {
      worker.terminate();
      URL.revokeObjectURL(address);
    }
  };
}

// lib/figures/language_model.js
var N_CELL_SHADES = 24;
var TOP = 0.55;
var CHIP = 24;
var LINE = 48;
var BAR = 22;
var TITLE = 30;
var CELL = 20;
var WRITE_PAUSE = 350;
var MOST_WRITTEN = 60;
var { n_next: N_NEXT, place_bandwidth: PLACE_BANDWIDTH } = constants_default;
var escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
var shadeOf = (weight) => TOP * Math.sqrt(weight);
function spelled(word) {
  if (word.length > 1 && word[0] === " ") return word.slice(1);
  return { " ": "␣", "\n": "↵" }[word] ?? word.replace(/[\u0000-\u001f\u007f-\u009f]/g, "�");
}
var asNext = (word) => /^[A-Za-z]/.test(word) ? `…${word}` : spelled(word);
var quoted = (word) => word.includes("�") ? "a part of a letter" : `“${spelled(word)}”`;
function expectation(logits, row, size, words, following) {
  const own = logits.subarray(row * size, (row + 1) * size);
  const top = own.reduce((a, b) => Math.max(a, b));
  const exps = own.map((logit) => Math.exp(logit - top)), total = exps.reduce((a, b) => a + b);
  const likeliest = [...exps.keys()].sort((a, b) => exps[b] - exps[a] || a - b).slice(0, N_NEXT);
  return {
    next: likeliest.map((token) => ({ word: words[token], probability: exps[token] / total })),
    follows: following === void 0 ? null : exps[following] / total
  };
}
function viewOf({ setting, tokens, words, dropped, swapped, trained }, query, vocabulary) {
  const n = tokens.length, last = Math.min(query, n - 1);
  const shown = ({ logits, weights, loss }) => ({
    rows: weights.map((heads) => heads.map((all) => [...all.subarray(last * n, (last + 1) * n)])),
    probabilities: expectation(logits, last, vocabulary.length, vocabulary, tokens[last + 1]),
    loss: Number.isNaN(loss) ? null : loss
  });
  if (n === 0) return { setting: { ...setting, query: 0 }, tokens, words, dropped };
  return {
    setting: { ...setting, query: last },
    tokens,
    words,
    dropped,
    swapped: shown(swapped),
    trained: shown(trained)
  };
}
function modelInWorker(code, stored, { listen, fail }) {
  let vocabulary, waiting, isBusy = true;
  const next = () => {
    isBusy = waiting !== void 0;
    if (isBusy) worker.post({ setting: waiting });
    waiting = void 0;
  };
  const hear = (data) => {
    vocabulary ??= data.vocabulary;
    next();
    if (data.result) listen(data.result, vocabulary);
  };
  const worker = workerOf(code, { listen: hear, fail });
  worker.post({ open: stored });
  return {
    ask(setting) {
      waiting = setting;
      if (!isBusy) next();
    },
    end: worker.end
  };
}
function layout(width) {
  const narrow = width < 560;
  const next = { width: narrow ? width : 236 };
  const words = { x: 0, y: TITLE, width: narrow ? width : width - next.width - 28 };
  const heads = { x: narrow ? 22 : 60, gap: narrow ? 6 : 10 };
  return { width, narrow, next, words, heads };
}
function wrapped(words, measure, { x: left, y: top, width }) {
  let x = left, y = top;
  const places = words.map((word) => {
    const wide = Math.min(Math.max(measure(spelled(word)) + 6, 12), width - 18);
    const gap = x === left ? 0 : /^[ \n]/.test(word) ? 4 : 1;
    const room = word === "\n" ? width : width - 18;
    if (x + gap + wide > left + room) [x, y] = [left, y + LINE];
    else x += gap;
    const own = { x, y, width: wide };
    x += wide;
    if (word.endsWith("\n")) [x, y] = [left, y + LINE];
    return own;
  });
  return { places, bottom: (places.at(-1)?.y ?? top) + LINE };
}
var handle = (name, label, stage) => html("div", { class: `${name}-handle handle`, role: "slider", tabindex: 0, "aria-label": label }, stage);
function elements(stage) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes, parent = canvas) => svg(tag, { class: name, ...attributes }, parent);
  const parts = {
    canvas,
    wordsTitle: add("text", "title weight-title", { y: 14 }),
    chips: add("g", "chips"),
    strips: add("g", "strips"),
    words: add("g", "words"),
    numbers: add("g", "numbers"),
    queryFrame: add("rect", "query-frame", { rx: 4, height: CHIP }),
    empty: add("text", "empty", { text: "Write a sentence above." }),
    next: add("g", "next"),
    headsTitle: add("text", "title heads-title", { text: "All heads at a glance" }),
    headNames: add("g", "head-names"),
    grounds: add("g", "grounds"),
    cells: add("g", "cells"),
    queryMarks: add("path", "query-marks"),
    headFrame: add("rect", "head-frame", { rx: 2 }),
    legend: add("g", "legend")
  };
  parts.note = html("p", { class: "note" }, stage);
  parts.queryHandle = handle("query", "Query", stage);
  parts.keyHandle = handle("look", "Key to read", stage);
  parts.headHandle = handle("head", "Layer and head", stage);
  return parts;
}
function writingPlace(stage, longest) {
  const group = html("div", { class: "writing" });
  stage.before(group);
  const label = html("label", { text: "Your text" }, group);
  const field = html("textarea", { rows: 3, maxlength: longest, spellcheck: "false", autocomplete: "off" }, label);
  const button = html(
    "button",
    { type: "button", class: "write", text: "Write on", title: "Append the likeliest next word, one at a time" },
    group
  );
  return { field, button };
}
function measureIn(element) {
  const context = document.createElement("canvas").getContext("2d");
  const known = /* @__PURE__ */ new Map();
  return (text) => {
    if (!known.has(text)) {
      context.font = `16px ${getComputedStyle(element).fontFamily}`;
      known.set(text, context.measureText(text).width);
    }
    return known.get(text);
  };
}
function drawWords(parts, at, { words, setting, swapped, trained }) {
  const { query, layer, head } = setting;
  const row = swapped?.rows[layer][head] ?? [], before = trained?.rows[layer][head] ?? [];
  const isSwapped2 = row.some((weight, j) => Math.abs(weight - before[j]) > 5e-4);
  const { places } = at.lines;
  repeat(
    parts.chips,
    "rect",
    words.length,
    (rect, j) => set(rect, {
      x: places[j].x,
      y: places[j].y,
      width: places[j].width,
      height: CHIP,
      rx: 4,
      "fill-opacity": row[j] > 0 ? shadeOf(row[j]) : 0
    })
  );
  repeat(
    parts.strips,
    "rect",
    isSwapped2 ? words.length : 0,
    (rect, j) => set(rect, {
      x: places[j].x,
      y: places[j].y + CHIP + 1,
      width: places[j].width,
      height: 4,
      "fill-opacity": Math.sqrt(before[j])
    })
  );
  repeat(parts.words, "text", words.length, (text, j) => {
    set(text, { x: places[j].x + 3, y: places[j].y + 17, class: j > query ? "unseen" : "seen" });
    text.textContent = spelled(words[j]);
  });
  repeat(parts.numbers, "text", words.length, (text, j) => {
    const isShown = row[j] >= 95e-4 && places[j].width >= 13;
    set(text, {
      x: places[j].x + places[j].width / 2,
      y: places[j].y + CHIP + 16,
      visibility: isShown ? "visible" : "hidden"
    });
    text.textContent = isShown ? String(Math.round(100 * row[j])) : "";
  });
  const own = places[query];
  set(
    parts.queryFrame,
    own ? { x: own.x, y: own.y, width: own.width, visibility: "visible" } : { visibility: "hidden" }
  );
  set(parts.empty, { x: 0, y: at.words.y + 17, visibility: words.length ? "hidden" : "visible" });
  parts.wordsTitle.textContent = `Weights of layer ${layer}, head ${head}, in %`;
}
function drawNext(parts, at, { swapped, trained, words, setting }, names) {
  const { x, y, width } = at.next;
  set(parts.next, { transform: translate(x, y) });
  const lists = swapped ? [
    ["As trained", trained],
    [names.swapped, swapped]
  ] : [];
  const largest = Math.max(
    ...lists.flatMap(([, { probabilities }]) => probabilities.next.map(({ probability }) => probability))
  );
  const left = 86, room = width - left - 44;
  repeat(parts.next, "g", lists.length, (group, k) => {
    if (!group.firstChild) ["text", "g"].forEach((tag) => svg(tag, {}, group));
    const [title, bars] = group.children, [name, { probabilities }] = lists[k];
    set(group, { class: k ? "swapped" : "trained", transform: translate(0, k * (TITLE + N_NEXT * BAR + 6)) });
    set(title, { class: "title", y: 14 });
    title.textContent = k ? name : `After ${quoted(words[setting.query])}, as trained`;
    repeat(bars, "g", probabilities.next.length, (bar, i) => {
      if (!bar.firstChild) ["text", "rect", "text"].forEach((tag) => svg(tag, {}, bar));
      const [word, rect, number] = bar.children, { word: token, probability } = probabilities.next[i];
      const wide = Math.max(room * probability / largest, 1);
      set(bar, { transform: translate(0, TITLE - 6 + i * BAR) });
      set(word, { class: "word", x: left - 6, y: 14 });
      set(rect, { x: left, y: 4, width: wide, height: 12 });
      set(number, { class: "number", x: left + wide + 5, y: 14 });
      word.textContent = asNext(token).slice(0, 10);
      number.textContent = percent(probability);
    });
  });
}
function drawHeads(parts, at, { swapped, words, setting }) {
  const { cellWidth, cellOf, nLayers, nHeads } = at.heads, n = Math.max(words.length, 1), step = cellWidth / n;
  const boxes = Array.from({ length: nLayers * nHeads }, (_, i) => cellOf(Math.floor(i / nHeads), i % nHeads));
  const weights = swapped ? swapped.rows.flat(2) : [];
  const wide = step.toFixed(2);
  const cell = (k) => {
    const { x: x2, y: y2 } = boxes[Math.floor(k / n)];
    return `M${(x2 + k % n * step).toFixed(2)} ${y2.toFixed(2)}h${wide}v${CELL}h-${wide}z`;
  };
  const paths = shadedPaths(weights.map(Math.sqrt), cell, N_CELL_SHADES);
  repeat(parts.grounds, "rect", boxes.length, (rect, i) => set(rect, { ...boxes[i], width: cellWidth, height: CELL }));
  repeat(
    parts.cells,
    "path",
    paths.length,
    (path, level) => set(path, { d: paths[level], "fill-opacity": (level + 1) / N_CELL_SHADES })
  );
  const mark = (setting.query + 0.5) * step;
  set(parts.queryMarks, {
    d: words.length ? boxes.map(({ x: x2, y: y2 }) => `M${(x2 + mark).toFixed(1)} ${y2 + CELL}v4`).join("") : ""
  });
  const { x, y } = cellOf(setting.layer, setting.head);
  set(parts.headFrame, { x: x - 2, y: y - 2, width: cellWidth + 4, height: CELL + 4 });
}
function drawNames(parts, at) {
  const { cellOf, cellWidth, nLayers, nHeads, y } = at.heads;
  set(parts.headsTitle, { y: y - 28 });
  parts.headNames.replaceChildren();
  const name = (x, top, text, kind) => svg("text", { class: `tick ${kind}`, x, y: top, text }, parts.headNames);
  for (let head = 0; head < nHeads; head += 1)
    name(cellOf(0, head).x + cellWidth / 2, y - 8, at.narrow ? head : `head ${head}`, "across");
  for (let layer = 0; layer < nLayers; layer += 1)
    name(cellOf(layer, 0).x - 8, cellOf(layer, 0).y + 14, at.narrow ? layer : `layer ${layer}`, "left");
  legend(parts.legend, LEGEND_WORDS, { y: at.height - 6, gap: 40, letter: 6.6 });
}
var LEGEND_WORDS = [
  { name: "query", words: "query", shape: "rect", x: 1, y: -11, width: 14, height: 13, rx: 3 },
  { name: "weight", words: "weight", shape: "rect", x: 0, y: -12, width: 16, height: 15, rx: 3 },
  { name: "before", words: "as trained", shape: "rect", x: 0, y: -6, width: 16, height: 4 }
];
function tuning({ kernel, temperature, features }) {
  if (kernel === "place") return ` with h = ${format(PLACE_BANDWIDTH * Math.sqrt(temperature), 2)}`;
  const many = kernel === "performer" ? ` with ${features} features` : "";
  return many + (kernel === "uniform" || temperature === 1 ? "" : ` at τ = ${format(temperature, 1)} √d`);
}
function sentenceOf({ setting, words, dropped, swapped, trained }, isSwapped2, kernelName, shown) {
  if (!words.length) return "There is no word yet. Write a sentence.";
  const { query, layer, head } = setting, row = swapped.rows[layer][head];
  const count = keysForShare(row, 0.9), heaviest = row.indexOf(Math.max(...row));
  const told = dropped ? `The text is longer: these are its last ${shown} tokens. ` : "";
  const where = !isSwapped2 ? "as trained" : `${kernelName}${tuning(setting)}, used by ${setting.scope}`;
  const [best] = swapped.probabilities.next, [usual] = trained.probabilities.next;
  const next = `${role("estimate", `Next comes ${escaped(quoted(best.word))} with ${percent(best.probability)}`)}` + (isSwapped2 ? `; as trained, ${escaped(quoted(usual.word))} with ${percent(usual.probability)}` : "");
  const { follows } = swapped.probabilities;
  const really = follows == null ? "" : `. What really follows, ${escaped(quoted(words[query + 1]))}, has ${percent(follows)}`;
  const loss = swapped.loss == null ? "" : ` Loss: ${format(swapped.loss, 2)} nats per token${isSwapped2 ? `, as trained ${format(trained.loss, 2)}` : ""}.`;
  return `${told}${role("query", `Query ${escaped(quoted(words[query]))}, token ${query}`)}; layer ${layer}, head ${head}, ${escaped(where)}. It takes 90 % of its weight from ${role("weight", `${count} of ${query + 1} keys`)}; the heaviest is ${role("key", escaped(quoted(words[heaviest])))}, token ${heaviest}, with ${role("weight", percent(row[heaviest]))}. ${next}${really}.${loss}`;
}
function stateOf({ setting, tokens, words, dropped, swapped, trained }, d) {
  const { temperature, kernel, layer, head } = setting;
  const bandwidth = kernel === "place" ? PLACE_BANDWIDTH * Math.sqrt(temperature) : Math.sqrt(2 * Math.sqrt(d) * temperature);
  if (!swapped) {
    const nothing = {
      weights: [],
      next: [],
      next_trained: [],
      loss: null,
      loss_trained: null,
      estimate: null,
      keys_for_90_percent: 0
    };
    return { ...setting, tokens, words, dropped, bandwidth, ...nothing };
  }
  const row = swapped.rows[layer][head];
  return {
    ...setting,
    tokens,
    words,
    dropped,
    bandwidth,
    weights: row,
    weights_trained: trained.rows[layer][head],
    next: swapped.probabilities.next,
    next_trained: trained.probabilities.next,
    follows: swapped.probabilities.follows,
    follows_trained: trained.probabilities.follows,
    loss: swapped.loss,
    loss_trained: trained.loss,
    estimate: swapped.probabilities.next[0].probability,
    keys_for_90_percent: keysForShare(row, 0.9)
  };
}
function keyToRead({ words, swapped, setting: { layer, head } }, looked) {
  return looked?.token < words.length ? looked.token : indexOfLargest(swapped?.rows[layer][head] ?? [0]);
}
function keyInWords({ setting, words, swapped, trained }, j) {
  const { query, layer, head } = setting;
  if (j > query) return `${quoted(words[j])}, token ${j}, comes after the query, which cannot see it`;
  const [now, before] = [swapped, trained].map(({ rows }) => percent(rows[layer][head][j]));
  return `Key ${quoted(words[j])}, token ${j}: weight ${now}${isSwapped(setting) ? `, as trained ${before}` : ""}`;
}
function headInWords({ setting, words, swapped }, layer, head) {
  const row = swapped.rows[layer][head], heaviest = indexOfLargest(row);
  return `Layer ${layer}, head ${head}: ${keysForShare(row, 0.9)} of ${setting.query + 1} keys carry 90 %, ${quoted(words[heaviest])} the most, ${percent(row[heaviest])}`;
}
function noteOf(view, looked) {
  if (looked?.token < view.words.length) return keyInWords(view, looked.token);
  if (looked?.layer !== void 0 && view.words.length) return headInWords(view, looked.layer, looked.head);
  return "Point at a word or at a head to read its weights.";
}
function layHandles(parts, at, view, key) {
  const {
    setting: { query, layer, head },
    words,
    swapped
  } = view, { nLayers, nHeads, cellOf, cellWidth } = at.heads;
  const overWord = (handle2, j) => {
    lay(handle2, words.length ? { ...at.lines.places[j], height: CHIP } : { x: 0, y: 0, width: 0, height: 0 });
    handle2.style.display = words.length ? "" : "none";
  };
  overWord(parts.queryHandle, query);
  overWord(parts.keyHandle, key);
  const { x, y } = cellOf(layer, head);
  lay(parts.headHandle, { x: x - 4, y: y - 4, width: cellWidth + 8, height: CELL + 8 });
  const headWords = swapped ? headInWords(view, layer, head) : `layer ${layer}, head ${head}`;
  describe(parts.headHandle, layer * nHeads + head, [0, nLayers * nHeads - 1], headWords);
  if (!words.length) return;
  const last = words.length - 1;
  describe(parts.queryHandle, query, [0, last], `${quoted(words[query])}, token ${query} of ${words.length}`);
  describe(parts.keyHandle, key, [0, last], keyInWords(view, key));
}
function arrange(parts, { nLayers, nHeads }, measure, words, width) {
  const { narrow, ...plan } = layout(width);
  const lines = wrapped(words, measure, plan.words);
  const next = { ...plan.next, x: narrow ? 0 : width - plan.next.width, y: narrow ? lines.bottom + 6 : 0 };
  const { x, gap } = plan.heads, y = Math.max(lines.bottom, next.y + 2 * (TITLE + N_NEXT * BAR + 6)) + 52;
  const cellWidth = (width - x - 3 - gap * (nHeads - 1)) / nHeads;
  const cellOf = (layer, head) => ({ x: x + head * (cellWidth + gap), y: y + layer * (CELL + 12) });
  const heads = { x, y, cellWidth, cellOf, nLayers, nHeads, gap };
  const at = { ...plan, narrow, lines, next, heads, of: words, height: y + nLayers * (CELL + 12) + 26 };
  resize(parts.canvas, width, at.height);
  drawNames(parts, at);
  return at;
}
function tokenAt({ lines: { places }, words }, x, y) {
  const line = words.y + LINE * Math.floor((y - words.y) / LINE);
  const height = clamp(line, places[0].y, places.at(-1).y);
  const middle = (j) => places[j].x + places[j].width / 2;
  const inLine = [...places.keys()].filter((j) => places[j].y === height);
  return inLine.reduce(
    (a, b) => Math.abs(middle(b) - x) < Math.abs(middle(a) - x) ? b : a,
    inLine[0] ?? places.length - 1
  );
}
function stepFrom(at, token, right, up) {
  const { places } = at.lines;
  if (right) return clamp(token + right, 0, places.length - 1);
  const { x, y, width } = places[token];
  return tokenAt(at, x + width / 2, y + 1 - LINE * up);
}
function headAt({ heads: { x: left, y: top, cellWidth, gap, nLayers, nHeads } }, x, y) {
  return {
    layer: onGrid(Math.floor((y - top + 6) / (CELL + 12)), [0, nLayers - 1, 1]),
    head: onGrid(Math.floor((x - left + gap / 2) / (cellWidth + gap)), [0, nHeads - 1, 1])
  };
}
function whereIs(at, stage, event) {
  const { left, top } = stage.getBoundingClientRect(), { heads, words, lines } = at;
  const x = event.clientX - left, y = event.clientY - top;
  const inWords = at.of.length && y >= words.y - 6 && y < lines.bottom && x <= words.width + 6;
  const inHeads = y >= heads.y - 6 && y < heads.y + heads.nLayers * (CELL + 12) && x >= heads.x - 6;
  return { x, y, where: inWords ? "words" : inHeads ? "heads" : void 0 };
}
function writer(button, { shown, append, begin }) {
  let isWriting = false, written = 0, pause;
  const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  function stop() {
    isWriting = false;
    clearTimeout(pause);
    button.textContent = "Write on";
  }
  function start() {
    [isWriting, written, pause] = [true, 0, void 0];
    if (!isCalm()) button.textContent = "Stop";
    begin();
  }
  function writeOne() {
    const token = shown().swapped?.probabilities.next.find(({ word }) => !word.includes("�"));
    if (!token || document.hidden || !append(token.word)) return stop();
    written += 1;
    if (isCalm() || written === MOST_WRITTEN) stop();
  }
  function goOn() {
    const { setting, words } = shown();
    if (!isWriting || setting.query < words.length - 1) return;
    clearTimeout(pause);
    pause = setTimeout(writeOne, written ? WRITE_PAUSE : 0);
  }
  button.addEventListener("click", () => isWriting ? stop() : start());
  return { stop, goOn };
}
function dataOf(model) {
  const [kernels, kernelNames, scopes, features, temperatureGrid, shown, longest, first] = traitsOf(
    model,
    "kernels",
    "kernel_names",
    "scopes",
    "features",
    "temperature_grid",
    "shown",
    "longest_text",
    "first"
  );
  const nLayers = first.swapped.rows.length, nHeads = first.swapped.rows[0].length;
  return { kernels, kernelNames, scopes, features, temperatureGrid, shown, longest, first, nLayers, nHeads };
}
function settingsOf2({ kernels, scopes, features, temperatureGrid, shown, longest, nLayers, nHeads }) {
  return {
    text: textSetting("text", longest),
    query: numberSetting("query", [0, shown - 1, 1]),
    layer: numberSetting("layer", [0, nLayers - 1, 1]),
    head: numberSetting("head", [0, nHeads - 1, 1]),
    kernel: choiceSetting("kernel_index", kernels),
    scope: choiceSetting("scope_index", scopes),
    temperature: numberSetting("temperature", temperatureGrid),
    features: choiceSetting("features_index", features.map(String))
  };
}
function currentSetting(model, { kernels, scopes, features, temperatureGrid, shown, nLayers, nHeads }) {
  const number = (trait, highest) => onGrid(model.get(trait), [0, highest, 1]);
  return {
    text: model.get("text"),
    query: number("query", shown - 1),
    layer: number("layer", nLayers - 1),
    head: number("head", nHeads - 1),
    kernel: kernels[model.get("kernel_index")],
    scope: scopes[model.get("scope_index")],
    temperature: onGrid(model.get("temperature"), temperatureGrid),
    features: features[model.get("features_index")]
  };
}
var TRAINED = "dot product";
var isSwapped = ({ kernel, temperature }) => kernel !== TRAINED || temperature !== 1;
function runOf(setting) {
  const { text, kernel, temperature, scope, features: m, layer, head } = setting;
  if (!isSwapped(setting)) return JSON.stringify([text]);
  const where = scope === "this head" && [layer, head];
  return JSON.stringify([text, kernel, temperature, where, kernel === "performer" && m]);
}
function viewFor(wanted, { answer, vocabulary, first, view }) {
  const run = runOf(wanted);
  if (answer) {
    const isNow = runOf(answer.setting) === run, setting = isNow ? wanted : answer.setting;
    return { isNow, view: viewOf({ ...answer, setting }, wanted.query, vocabulary) };
  }
  const isFirst = runOf(first.setting) === run && Math.min(wanted.query, first.words.length - 1) === first.setting.query;
  return { isNow: false, view: isFirst ? { ...first, setting: { ...wanted, query: first.setting.query } } : view };
}
function handsOn(figure, parts, model, data, { now, looked, lookAt }) {
  const namely = (token) => token === now().view.words.length - 1 ? data.shown - 1 : token;
  let before;
  function grab(event) {
    const { where } = whereIs(now().at, figure.stage, event);
    if (!where) return void 0;
    before = { query: model.get("query"), layer: model.get("layer"), head: model.get("head") };
    focus(where === "words" ? parts.queryHandle : parts.headHandle);
    return (e) => {
      const { x, y } = whereIs(now().at, figure.stage, e);
      figure.change(where === "words" ? { query: namely(tokenAt(now().at, x, y)) } : headAt(now().at, x, y));
    };
  }
  function point(event) {
    const { x, y, where } = whereIs(now().at, figure.stage, event);
    lookAt(
      where === "words" ? { token: tokenAt(now().at, x, y) } : where === "heads" ? headAt(now().at, x, y) : void 0
    );
  }
  draggable(figure.stage, { grab, release: (cancelled) => cancelled && figure.change(before) });
  figure.stage.addEventListener("pointermove", point);
  figure.stage.addEventListener("pointerleave", () => lookAt(void 0));
  arrowKeys(parts.queryHandle, (right, up) => {
    if (now().view.words.length)
      figure.change({ query: namely(stepFrom(now().at, now().view.setting.query, right, up)) });
  });
  arrowKeys(parts.keyHandle, (right, up) => {
    if (!now().view.words.length) return;
    lookAt({ token: stepFrom(now().at, keyToRead(now().view, looked()), right, up) });
    layHandles(parts, now().at, now().view, keyToRead(now().view, looked()));
  });
  arrowKeys(parts.headHandle, (right, up) => {
    const { layer, head } = currentSetting(model, data);
    figure.change({ layer: clamp(layer - up, 0, data.nLayers - 1), head: clamp(head + right, 0, data.nHeads - 1) });
  });
  parts.keyHandle.addEventListener("focus", () => lookAt({ token: keyToRead(now().view, looked()) }));
  parts.headHandle.addEventListener(
    "focus",
    () => lookAt({ layer: now().view.setting.layer, head: now().view.setting.head })
  );
}
function render({ model, el }) {
  const data = dataOf(model), { kernels, kernelNames, shown, longest, first } = data;
  const figure = liveFigure({
    model,
    el,
    name: "language-model",
    hint: "Press on a word, or drag across the words; press on a head below. Keyboard: Tab, then arrow keys, Home and End.",
    settings: settingsOf2(data)
  });
  const { field, button } = writingPlace(figure.stage, longest);
  const parts = elements(figure.stage), measure = measureIn(figure.stage), last = shown - 1;
  let at, worker, answer, vocabulary, asked, looked, view = first, problem = "";
  const isStale = () => figure.stage.classList.contains("stale");
  const writing = writer(button, {
    shown: () => view,
    begin: () => view.setting.query < view.words.length - 1 ? figure.change({ query: last }) : figure.redraw(),
    append(word) {
      const text = model.get("text") + word, hasRoom = text.length <= longest;
      if (hasRoom) figure.change({ text, query: last });
      return hasRoom;
    }
  });
  async function open() {
    figure.stage.classList.add("stale");
    try {
      const stored = await later(model, "model_later");
      if (figure.signal.aborted) return;
      worker = modelInWorker(model.get("worker_code"), stored, { listen, fail });
      figure.redraw();
    } catch {
      fail();
    }
  }
  function listen(result, words) {
    [answer, vocabulary] = [result, words];
    figure.redraw();
  }
  function fail() {
    problem = "The model could not be loaded here.";
    figure.stage.classList.remove("stale");
    writing.stop();
    drawNote();
  }
  function draw(width) {
    const wanted = currentSetting(model, data), run = runOf(wanted);
    const found = viewFor(wanted, { answer, vocabulary, first, view });
    view = found.view;
    if (found.isNow) asked = void 0;
    else if (worker && asked !== run) worker.ask(wanted);
    if (worker && !found.isNow) asked = run;
    if (worker) figure.stage.classList.toggle("stale", !found.isNow && !problem);
    if (wellFormed(field.value) !== wanted.text) field.value = wanted.text;
    if (at?.width !== width || at.of !== view.words) at = arrange(parts, data, measure, view.words, width);
    const swapped = isSwapped(view.setting), kernelName = kernelNames[kernels.indexOf(view.setting.kernel)];
    drawWords(parts, at, view);
    drawNext(parts, at, view, { swapped: swapped ? `With ${kernelName}` : "Swapped: nothing yet" });
    drawHeads(parts, at, view);
    layHandles(parts, at, view, keyToRead(view, looked));
    drawNote();
    if (found.isNow) writing.goOn();
    const state = stateOf(view, model.get("head_dimension"));
    return { state, sentence: sentenceOf(view, swapped, kernelName, shown) };
  }
  function drawNote() {
    const waits = !vocabulary && isStale();
    parts.note.textContent = problem || (waits ? "The model is loading …" : noteOf(view, looked));
  }
  function lookAt(place) {
    looked = place;
    drawNote();
  }
  const touched = (event) => event.target !== button && writing.stop();
  figure.root.addEventListener("pointerdown", touched, { capture: true });
  figure.root.addEventListener("keydown", touched, { capture: true });
  field.addEventListener("input", () => figure.change({ text: wellFormed(field.value), query: last }));
  handsOn(figure, parts, model, data, { now: () => ({ at, view }), looked: () => looked, lookAt });
  const end = figure.start(draw);
  const stopWaiting = whenNear(figure.root, open);
  return () => {
    writing.stop();
    stopWaiting();
    worker?.end();
    end();
  };
}
var language_model_default = { render };
export {
  language_model_default as default
};
