// lib/figures/core.js
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
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    act();
  }, { rootMargin: "100% 0px" });
  observer.observe(element);
  return () => observer.disconnect();
}
async function later(model, trait) {
  const value = model.get(trait);
  if (!value.script) return value;
  const parts = window.figureParts ??= {};
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
    for (const handle2 of panel.querySelectorAll(".noUi-handle")) {
      const label = handle2.closest(".widget-slider")?.querySelector(".widget-label")?.textContent;
      if (label && handle2.getAttribute("aria-label") !== label) handle2.setAttribute("aria-label", label);
    }
  };
  name();
  const observer = new MutationObserver(name);
  observer.observe(panel, { childList: true, subtree: true });
  return () => observer.disconnect();
}

// lib/figures/language_model.js
var LEVELS = 24;
var TOP = 0.55;
var CHIP = 24;
var LINE = 48;
var BAR = 22;
var TITLE = 30;
var CELL = 20;
var WRITE_PAUSE = 350;
var MOST_WRITTEN = 60;
var N_NEXT = 5;
var percent = (share) => `${format(100 * share, share < 0.0995 ? 1 : 0)} %`;
var place = (x, y) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
var role = (name, words) => `<b class="${name}">${words}</b>`;
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
  return { setting: { ...setting, query: last }, tokens, words, dropped, swapped: shown(swapped), trained: shown(trained) };
}
function modelInWorker(code, stored, { listen, fail }) {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address);
  let vocabulary, waiting, isBusy = true;
  const next = () => {
    isBusy = waiting !== void 0;
    if (isBusy) worker.postMessage({ setting: waiting });
    waiting = void 0;
  };
  worker.onmessage = ({ data }) => {
    vocabulary ??= data.vocabulary;
    next();
    if (data.result) listen(data.result, vocabulary);
  };
  worker.onerror = (event) => {
    event.preventDefault();
    fail();
  };
  worker.postMessage({ open: stored });
  return {
    ask(setting) {
      waiting = setting;
      if (!isBusy) next();
    },
    end() {
      worker.terminate();
      URL.revokeObjectURL(address);
    }
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
  const field = html("textarea", { rows: 2, maxlength: longest, spellcheck: "false", autocomplete: "off" }, label);
  const button = html("button", { type: "button", class: "write", text: "Write on", title: "Append the likeliest next word, one at a time" }, group);
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
function shadedPaths(rectangles) {
  const paths = Array.from({ length: LEVELS + 1 }, () => "");
  for (const { x, y, width, height, weight } of rectangles) {
    const level = Math.ceil(LEVELS * Math.sqrt(weight) - 0.5);
    if (level > 0) paths[level] += `M${x.toFixed(2)} ${y.toFixed(2)}h${width.toFixed(2)}v${height}h${(-width).toFixed(2)}z`;
  }
  return paths.slice(1);
}
function drawWords(parts, at, { words, setting, swapped, trained }) {
  const { query, layer, head } = setting;
  const row = swapped?.rows[layer][head] ?? [], before = trained?.rows[layer][head] ?? [];
  const isSwapped = row.some((weight, j) => Math.abs(weight - before[j]) > 5e-4);
  const { places } = at.lines;
  repeat(parts.chips, "rect", words.length, (rect, j) => set(rect, {
    x: places[j].x,
    y: places[j].y,
    width: places[j].width,
    height: CHIP,
    rx: 4,
    "fill-opacity": row[j] > 0 ? shadeOf(row[j]) : 0
  }));
  repeat(parts.strips, "rect", isSwapped ? words.length : 0, (rect, j) => set(rect, {
    x: places[j].x,
    y: places[j].y + CHIP + 1,
    width: places[j].width,
    height: 4,
    "fill-opacity": Math.sqrt(before[j])
  }));
  repeat(parts.words, "text", words.length, (text, j) => {
    set(text, { x: places[j].x + 3, y: places[j].y + 17, class: j > query ? "unseen" : "seen" });
    text.textContent = spelled(words[j]);
  });
  repeat(parts.numbers, "text", words.length, (text, j) => {
    const isShown = row[j] >= 95e-4 && places[j].width >= 13;
    set(text, { x: places[j].x + places[j].width / 2, y: places[j].y + CHIP + 16, visibility: isShown ? "visible" : "hidden" });
    text.textContent = isShown ? String(Math.round(100 * row[j])) : "";
  });
  const own = places[query];
  set(parts.queryFrame, own ? { x: own.x, y: own.y, width: own.width, visibility: "visible" } : { visibility: "hidden" });
  set(parts.empty, { x: 0, y: at.words.y + 17, visibility: words.length ? "hidden" : "visible" });
  parts.wordsTitle.textContent = `Weights of layer ${layer}, head ${head}, in %`;
}
function drawNext(parts, at, { swapped, trained, words, setting }, names) {
  const { x, y, width } = at.next;
  set(parts.next, { transform: place(x, y) });
  const lists = swapped ? [["As trained", trained], [names.swapped, swapped]] : [];
  const largest = Math.max(...lists.flatMap(([, { probabilities }]) => probabilities.next.map(({ probability }) => probability)));
  const left = 86, room = width - left - 44;
  repeat(parts.next, "g", lists.length, (group, k) => {
    if (!group.firstChild) ["text", "g"].forEach((tag) => svg(tag, {}, group));
    const [title, bars] = group.children, [name, { probabilities }] = lists[k];
    set(group, { class: k ? "swapped" : "trained", transform: place(0, k * (TITLE + N_NEXT * BAR + 6)) });
    set(title, { class: "title", y: 14 });
    title.textContent = k ? name : `After ${quoted(words[setting.query])}, as trained`;
    repeat(bars, "g", probabilities.next.length, (bar, i) => {
      if (!bar.firstChild) ["text", "rect", "text"].forEach((tag) => svg(tag, {}, bar));
      const [word, rect, number] = bar.children, { word: token, probability } = probabilities.next[i];
      const wide = Math.max(room * probability / largest, 1);
      set(bar, { transform: place(0, TITLE - 6 + i * BAR) });
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
  const boxes = [], rectangles = [];
  for (let layer = 0; layer < nLayers; layer += 1) {
    for (let head = 0; head < nHeads; head += 1) {
      const { x: x2, y: y2 } = cellOf(layer, head);
      boxes.push({ x: x2, y: y2 });
      swapped?.rows[layer][head].forEach((weight, j) => rectangles.push({ x: x2 + j * step, y: y2, width: step, height: CELL, weight }));
    }
  }
  const paths = shadedPaths(rectangles);
  repeat(parts.grounds, "rect", boxes.length, (rect, i) => set(rect, { ...boxes[i], width: cellWidth, height: CELL }));
  repeat(parts.cells, "path", paths.length, (path, level) => set(path, { d: paths[level], "fill-opacity": (level + 1) / LEVELS }));
  const mark = (setting.query + 0.5) * step;
  set(parts.queryMarks, { d: words.length ? boxes.map(({ x: x2, y: y2 }) => `M${(x2 + mark).toFixed(1)} ${y2 + CELL}v4`).join("") : "" });
  const { x, y } = cellOf(setting.layer, setting.head);
  set(parts.headFrame, { x: x - 2, y: y - 2, width: cellWidth + 4, height: CELL + 4 });
}
function drawNames(parts, at) {
  const { cellOf, cellWidth, nLayers, nHeads, y } = at.heads;
  set(parts.headsTitle, { y: y - 28 });
  parts.headNames.replaceChildren();
  const name = (x2, top, text, kind) => svg("text", { class: `tick ${kind}`, x: x2, y: top, text }, parts.headNames);
  for (let head = 0; head < nHeads; head += 1) name(cellOf(0, head).x + cellWidth / 2, y - 8, at.narrow ? head : `head ${head}`, "across");
  for (let layer = 0; layer < nLayers; layer += 1) name(cellOf(layer, 0).x - 8, cellOf(layer, 0).y + 14, at.narrow ? layer : `layer ${layer}`, "left");
  parts.legend.replaceChildren();
  let x = 0;
  for (const [kind, shape, attributes, words] of [
    ["query", "rect", { x: 1, y: -11, width: 14, height: 13, rx: 3 }, "query"],
    ["weight", "rect", { x: 0, y: -12, width: 16, height: 15, rx: 3 }, "weight"],
    ["before", "rect", { x: 0, y: -6, width: 16, height: 4 }, "as trained"]
  ]) {
    const group = svg("g", { class: kind, transform: place(x, at.height - 6) }, parts.legend);
    svg(shape, attributes, group);
    svg("text", { x: 22, text: words }, group);
    x += 40 + 6.6 * words.length;
  }
}
function tuning({ kernel, temperature, features }) {
  if (kernel === "place") return ` with h = ${format(2 * Math.sqrt(temperature), 2)}`;
  const many = kernel === "performer" ? ` with ${features} features` : "";
  return many + (kernel === "uniform" || temperature === 1 ? "" : ` at τ = ${format(temperature, 1)} √d`);
}
function sentenceOf({ setting, words, dropped, swapped, trained }, isSwapped, kernelName, shown) {
  if (!words.length) return "There is no word yet. Write a sentence.";
  const { query, layer, head } = setting, row = swapped.rows[layer][head];
  const count = keysForShare(row, 0.9), heaviest = row.indexOf(Math.max(...row));
  const told = dropped ? `The text is longer: these are its last ${shown} tokens. ` : "";
  const where = !isSwapped ? "as trained" : `${kernelName}${tuning(setting)}, used by ${setting.scope}`;
  const [best] = swapped.probabilities.next, [usual] = trained.probabilities.next;
  const next = `${role("estimate", `Next comes ${escaped(quoted(best.word))} with ${percent(best.probability)}`)}` + (isSwapped ? `; as trained, ${escaped(quoted(usual.word))} with ${percent(usual.probability)}` : "");
  const { follows } = swapped.probabilities;
  const really = follows === null ? "" : `. What really follows, ${escaped(quoted(words[query + 1]))}, has ${percent(follows)}`;
  const loss = swapped.loss === null ? "" : ` Loss: ${format(swapped.loss, 2)} nats per token${isSwapped ? `, as trained ${format(trained.loss, 2)}` : ""}.`;
  return `${told}${role("query", `Query ${escaped(quoted(words[query]))}, token ${query}`)}; layer ${layer}, head ${head}, ${escaped(where)}. It takes 90 % of its weight from ${role("weight", `${count} of ${query + 1} keys`)}; the heaviest is ${role("key", escaped(quoted(words[heaviest])))}, token ${heaviest}, with ${role("weight", percent(row[heaviest]))}. ${next}${really}.${loss}`;
}
function stateOf({ setting, tokens, words, dropped, swapped, trained }, d) {
  const { temperature, kernel, layer, head } = setting;
  const bandwidth = kernel === "place" ? 2 * Math.sqrt(temperature) : Math.sqrt(2 * Math.sqrt(d) * temperature);
  if (!swapped) {
    const nothing = { weights: [], next: [], next_trained: [], loss: null, loss_trained: null, estimate: null, keys_for_90_percent: 0 };
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
function render({ model, el }) {
  const [kernels, kernelNames, scopes, features, temperatureGrid, shown, longest, first] = [
    "kernels",
    "kernel_names",
    "scopes",
    "features",
    "temperature_grid",
    "shown",
    "longest_text",
    "first"
  ].map((name) => model.get(name));
  const nLayers = first.swapped.rows.length, nHeads = first.swapped.rows[0].length;
  const queryGrid = [0, shown - 1, 1], layerGrid = [0, nLayers - 1, 1], headGrid = [0, nHeads - 1, 1];
  const figure = liveFigure({
    model,
    el,
    name: "language-model",
    hint: "Press on a word, or drag across the words; press on a head below. Keyboard: Tab, then arrow keys, Home and End.",
    settings: {
      text: textSetting("text", longest),
      query: numberSetting("query", queryGrid),
      layer: numberSetting("layer", layerGrid),
      head: numberSetting("head", headGrid),
      kernel: choiceSetting("kernel_index", kernels),
      scope: choiceSetting("scope_index", scopes),
      temperature: numberSetting("temperature", temperatureGrid),
      features: choiceSetting("features_index", features.map(String))
    }
  });
  const { field, button } = writingPlace(figure.stage, longest);
  const parts = elements(figure.stage), measure = measureIn(figure.stage);
  let at, worker, answer, vocabulary, asked, view = first, looked, problem = "";
  let written = 0, pause;
  const last = shown - 1;
  let stopWaiting = () => {
  };
  function current() {
    return {
      text: model.get("text"),
      query: onGrid(model.get("query"), queryGrid),
      layer: onGrid(model.get("layer"), layerGrid),
      head: onGrid(model.get("head"), headGrid),
      kernel: kernels[model.get("kernel_index")],
      scope: scopes[model.get("scope_index")],
      temperature: onGrid(model.get("temperature"), temperatureGrid),
      features: features[model.get("features_index")]
    };
  }
  const isSwapped = ({ kernel, temperature }) => kernel !== kernels[0] || temperature !== 1;
  function runOf(setting) {
    const { text, kernel, temperature, scope, features: m, layer, head } = setting;
    if (!isSwapped(setting)) return JSON.stringify([text]);
    return JSON.stringify([text, kernel, temperature, scope === scopes[0] && [layer, head], kernel === "performer" && m]);
  }
  async function open() {
    figure.stage.classList.add("stale");
    try {
      const stored = await later(model, "model_later");
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
    stopWriting();
    drawNote();
  }
  function look(wanted) {
    const run = runOf(wanted);
    if (answer) {
      const isWanted = runOf(answer.setting) === run;
      view = viewOf({ ...answer, setting: isWanted ? wanted : answer.setting }, wanted.query, vocabulary);
      return isWanted;
    }
    const isFirst = runOf(first.setting) === run && Math.min(wanted.query, first.words.length - 1) === first.setting.query;
    if (isFirst) view = { ...first, setting: { ...wanted, query: first.setting.query } };
    return false;
  }
  function ask(wanted) {
    if (!worker || asked === runOf(wanted)) return;
    asked = runOf(wanted);
    worker.ask(wanted);
  }
  function draw(width) {
    const wanted = current(), isNow = look(wanted);
    if (isNow) asked = void 0;
    else ask(wanted);
    if (worker) figure.stage.classList.toggle("stale", !isNow && !problem);
    if (wellFormed(field.value) !== wanted.text) field.value = wanted.text;
    arrange(width);
    const swapped = isSwapped(view.setting), kernelName = kernelNames[kernels.indexOf(view.setting.kernel)];
    drawWords(parts, at, view);
    drawNext(parts, at, view, { swapped: swapped ? `With ${kernelName}` : "Swapped: nothing yet" });
    drawHeads(parts, at, view);
    layHandles();
    drawNote();
    if (isNow) continueWriting();
    return {
      state: stateOf(view, model.get("head_dimension")),
      sentence: sentenceOf(view, swapped, kernelName, shown)
    };
  }
  function arrange(width) {
    if (at?.width === width && at.of === view.words) return;
    at = { ...layout(width), of: view.words };
    at.lines = wrapped(view.words, measure, at.words);
    at.next = { ...at.next, x: at.narrow ? 0 : width - at.next.width, y: at.narrow ? at.lines.bottom + 6 : 0 };
    const nextBottom = at.next.y + 2 * (TITLE + N_NEXT * BAR + 6);
    const { x, gap } = at.heads, y = Math.max(at.lines.bottom, nextBottom) + 52;
    const cellWidth = (width - x - 3 - gap * (nHeads - 1)) / nHeads;
    const cellOf = (layer, head) => ({ x: x + head * (cellWidth + gap), y: y + layer * (CELL + 12) });
    at.heads = { x, y, cellWidth, cellOf, nLayers, nHeads, gap };
    at.height = y + nLayers * (CELL + 12) + 26;
    set(parts.canvas, { width, height: at.height, viewBox: `0 0 ${width} ${at.height}` });
    drawNames(parts, at);
  }
  function lay(element, { x, y, width, height }, isShown = true) {
    Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px`, display: isShown ? "" : "none" });
  }
  function layHandles() {
    const { setting, words, swapped } = view, { places } = at.lines;
    const chip = (j) => words.length ? { ...places[j], height: CHIP } : { x: 0, y: 0, width: 0, height: 0 };
    const describe = (element, now, highest, text) => set(element, { "aria-valuemin": "0", "aria-valuemax": String(highest), "aria-valuenow": String(now), "aria-valuetext": text });
    const key = keyToRead(), { layer, head } = setting;
    lay(parts.queryHandle, chip(setting.query), words.length);
    lay(parts.keyHandle, chip(key), words.length);
    const cell = at.heads.cellOf(layer, head);
    lay(parts.headHandle, { x: cell.x - 4, y: cell.y - 4, width: at.heads.cellWidth + 8, height: CELL + 8 });
    describe(parts.headHandle, layer * nHeads + head, nLayers * nHeads - 1, swapped ? headInWords(layer, head) : `layer ${layer}, head ${head}`);
    if (!words.length) return;
    describe(parts.queryHandle, setting.query, words.length - 1, `${quoted(words[setting.query])}, token ${setting.query} of ${words.length}`);
    describe(parts.keyHandle, key, words.length - 1, keyInWords(key));
  }
  function keyToRead() {
    if (looked?.token < view.words.length) return looked.token;
    const row = view.swapped?.rows[view.setting.layer][view.setting.head] ?? [0];
    return row.indexOf(Math.max(...row));
  }
  function keyInWords(j) {
    const { setting: { query, layer, head }, words, swapped, trained } = view;
    if (j > query) return `${quoted(words[j])}, token ${j}, comes after the query, which cannot see it`;
    const [now, before2] = [swapped, trained].map(({ rows }) => percent(rows[layer][head][j]));
    return `Key ${quoted(words[j])}, token ${j}: weight ${now}${isSwapped(view.setting) ? `, as trained ${before2}` : ""}`;
  }
  function headInWords(layer, head) {
    const row = view.swapped.rows[layer][head], heaviest = row.indexOf(Math.max(...row));
    return `Layer ${layer}, head ${head}: ${keysForShare(row, 0.9)} of ${view.setting.query + 1} keys carry 90 %, ${quoted(view.words[heaviest])} the most, ${percent(row[heaviest])}`;
  }
  function drawNote() {
    const isReading = looked?.token < view.words.length || looked?.layer !== void 0 && view.words.length > 0;
    const waits = !vocabulary && figure.stage.classList.contains("stale");
    parts.note.textContent = problem || (waits ? "The model is loading …" : !isReading ? "Point at a word or at a head to read its weights." : looked.token === void 0 ? headInWords(looked.layer, looked.head) : keyInWords(looked.token));
  }
  let isWriting = false;
  const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  function stopWriting() {
    isWriting = false;
    clearTimeout(pause);
    button.textContent = "Write on";
  }
  function startWriting() {
    [isWriting, written, pause] = [true, 0, void 0];
    if (!isCalm()) button.textContent = "Stop";
    if (view.setting.query < view.words.length - 1) figure.change({ query: last });
    else figure.redraw();
  }
  function continueWriting() {
    if (!isWriting || view.setting.query < view.words.length - 1) return;
    clearTimeout(pause);
    pause = setTimeout(writeOne, written ? WRITE_PAUSE : 0);
  }
  function writeOne() {
    const token = view.swapped?.probabilities.next.find(({ word }) => !word.includes("�"));
    const text = token && model.get("text") + token.word;
    if (!token || text.length > longest || document.hidden) return stopWriting();
    written += 1;
    figure.change({ text, query: last });
    if (isCalm() || written === MOST_WRITTEN) stopWriting();
  }
  button.addEventListener("click", () => isWriting ? stopWriting() : startWriting());
  const touched = (event) => event.target !== button && stopWriting();
  figure.root.addEventListener("pointerdown", touched, { capture: true });
  figure.root.addEventListener("keydown", touched, { capture: true });
  field.addEventListener("input", () => figure.change({ text: wellFormed(field.value), query: last }));
  function tokenAt(x, y) {
    const { places } = at.lines, line = at.words.y + LINE * Math.floor((y - at.words.y) / LINE);
    const height = Math.min(Math.max(line, places[0].y), places.at(-1).y);
    const middle = (j) => places[j].x + places[j].width / 2;
    const inLine = [...places.keys()].filter((j) => places[j].y === height);
    return inLine.reduce((a, b) => Math.abs(middle(b) - x) < Math.abs(middle(a) - x) ? b : a, inLine[0] ?? places.length - 1);
  }
  const namely = (token) => token === view.words.length - 1 ? last : token;
  function headAt(x, y) {
    const { x: left, y: top, cellWidth, gap } = at.heads;
    return {
      layer: onGrid(Math.floor((y - top + 6) / (CELL + 12)), layerGrid),
      head: onGrid(Math.floor((x - left + gap / 2) / (cellWidth + gap)), headGrid)
    };
  }
  function whereIs(event) {
    const { left, top } = figure.stage.getBoundingClientRect();
    const x = event.clientX - left, y = event.clientY - top;
    const inWords = view.words.length && y >= at.words.y - 6 && y < at.lines.bottom && x <= at.words.width + 6;
    const inHeads = y >= at.heads.y - 6 && y < at.heads.y + nLayers * (CELL + 12) && x >= at.heads.x - 6;
    return { x, y, where: inWords ? "words" : inHeads ? "heads" : void 0 };
  }
  let before;
  function grab(event) {
    const { where } = whereIs(event);
    if (!where) return void 0;
    before = { query: model.get("query"), layer: model.get("layer"), head: model.get("head") };
    (where === "words" ? parts.queryHandle : parts.headHandle).focus({ preventScroll: true });
    return (e) => {
      const { x, y } = whereIs(e);
      figure.change(where === "words" ? { query: namely(tokenAt(x, y)) } : headAt(x, y));
    };
  }
  function point(event) {
    const { x, y, where } = whereIs(event);
    looked = where === "words" ? { token: tokenAt(x, y) } : where === "heads" ? headAt(x, y) : void 0;
    drawNote();
  }
  draggable(figure.stage, { grab, release: (cancelled) => cancelled && figure.change(before) });
  figure.stage.addEventListener("pointermove", point);
  figure.stage.addEventListener("pointerleave", () => {
    looked = void 0;
    drawNote();
  });
  function stepFrom(token, right, up) {
    const { places } = at.lines;
    if (right) return Math.min(Math.max(token + right, 0), places.length - 1);
    const { x, y, width } = places[token];
    return tokenAt(x + width / 2, y + 1 - LINE * up);
  }
  arrowKeys(parts.queryHandle, (right, up) => view.words.length && figure.change({ query: namely(stepFrom(view.setting.query, right, up)) }));
  arrowKeys(parts.keyHandle, (right, up) => {
    if (!view.words.length) return;
    looked = { token: stepFrom(keyToRead(), right, up) };
    layHandles();
    drawNote();
  });
  arrowKeys(parts.headHandle, (right, up) => {
    const { layer, head } = current();
    figure.change({ layer: onGrid(layer - up, layerGrid), head: onGrid(Math.min(Math.max(head + right, 0), nHeads - 1), headGrid) });
  });
  parts.keyHandle.addEventListener("focus", () => {
    looked = { token: keyToRead() };
    drawNote();
  });
  parts.headHandle.addEventListener("focus", () => {
    looked = { layer: view.setting.layer, head: view.setting.head };
    drawNote();
  });
  const end = figure.start(draw);
  stopWaiting = whenNear(figure.root, open);
  return () => {
    stopWriting();
    stopWaiting();
    worker?.end();
    end();
  };
}
var language_model_default = { render };
export {
  language_model_default as default
};
