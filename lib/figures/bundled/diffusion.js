// lib/figures/methods/weights.js
function softmax(logWeights) {
  const largest = logWeights.reduce((a, b) => Math.max(a, b), -Infinity);
  const origin = Number.isFinite(largest) ? largest : 0;
  return normalized(logWeights.map((logWeight) => Math.exp(logWeight - origin)));
}
function normalized(weights) {
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / (total || 1));
}
function keysForShare(weights, share) {
  const heaviestFirst = Float64Array.from(weights).sort().reverse();
  let carried = 0;
  const index = heaviestFirst.findIndex((weight) => {
    carried += weight;
    return carried >= share - 1e-12;
  });
  return index + 1;
}

// lib/figures/methods/diffusion.js
function patchAround({ height, width }, pixel, radius) {
  const [row, column] = [Math.floor(pixel / width), pixel % width];
  const isNear = (_, i) => Math.max(Math.abs(Math.floor(i / width) - row), Math.abs(i % width - column)) <= radius;
  return [...Array(height * width).keys()].filter((i) => isNear(0, i));
}
function denoiseWeights(noisy, pictures, noiseStd, compared) {
  const logWeights = pictures.map((picture) => -squaredDistance(noisy, picture, compared) / (2 * noiseStd ** 2));
  return softmax(logWeights);
}
function squaredDistance(noisy, picture, compared) {
  let sum = 0;
  for (const i of compared) sum += (noisy[i] - picture[i]) ** 2;
  return sum;
}
function averagePicture(weights, pictures) {
  const sum = new Float64Array(pictures[0].length);
  weights.forEach((weight, k) => {
    if (weight > 0) for (let i = 0; i < sum.length; i += 1) sum[i] += weight * pictures[k][i];
  });
  return sum;
}
var stepTowards = (noisy, guess, noiseStd, next) => guess.map((value, i) => value + next / noiseStd * (noisy[i] - value));
function rootMeanSquare(picture, other) {
  let sum = 0;
  for (let i = 0; i < picture.length; i += 1) sum += (picture[i] - other[i]) ** 2;
  return Math.sqrt(sum / picture.length);
}
function nearestTo(guess, pictures) {
  const distances = pictures.map((picture) => rootMeanSquare(guess, picture));
  const distance = Math.min(...distances);
  return { nearest: distances.indexOf(distance), distance };
}
function uniform(counter) {
  let bits = Math.imul(counter, 2654435769);
  bits = Math.imul(bits ^ bits >>> 16, 2246822507);
  bits = Math.imul(bits ^ bits >>> 13, 3266489909);
  return (((bits ^ bits >>> 16) >>> 0) + 0.5) / 2 ** 32;
}
var standardNoise = (seed, size) => Float64Array.from({ length: size }, (_, i) => {
  const counter = 65536 * seed + 2 * i;
  return Math.sqrt(-2 * Math.log(uniform(counter))) * Math.cos(2 * Math.PI * uniform(counter + 1));
});

// lib/figures/former_names.json
var former_names_default = {
  functions: {
    hero_figure: "one_query_figure",
    missing_figure: "inpainting_figure",
    same_figure: "attention_vs_gaussian_figure"
  },
  figures: {
    features: "random-features",
    heads: "head-map",
    missing: "inpainting",
    pairs: "attention-pairs",
    periodic: "attention-periodic",
    "predict-border": "prediction-border",
    "predict-edge": "prediction-edge",
    "predict-error": "prediction-error",
    "predict-far": "prediction-far",
    "predict-norm": "prediction-norm",
    "predict-patch": "prediction-patch",
    "predict-spread": "prediction-spread",
    same: "attention-vs-gaussian"
  },
  settings: {
    "language-model": { layer: "block" }
  }
};

// lib/figures/contract/url_state.js
function hashParts(hash = location.hash) {
  const parts = hash.slice(1).split("&").filter(Boolean);
  return parts.map((part) => {
    const [name] = part.split("=", 1);
    return { name: former_names_default.figures[name] ?? name, settings: part.slice(name.length + 1), hasSettings: part !== name };
  });
}
function readAddress(name, hash = location.hash) {
  const text = hashParts(hash).find((part) => part.name === name && part.hasSettings)?.settings ?? "";
  const pairs = (text.includes(":") ? text : decoded(text)).split(",");
  const words = pairs.map((pair) => pair.split(":").map(decoded)).filter((pair) => pair.length === 2);
  return Object.fromEntries(words.map(([setting, value]) => [former_names_default.settings[name]?.[setting] ?? setting, value]));
}
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
function addressWith(name, settings2) {
  const others = hashParts().filter((part) => part.hasSettings && part.name !== name).map((part) => `${part.name}=${part.settings}`);
  const own = Object.entries(settings2).map(([setting, value]) => `${setting}:${value}`).join(",");
  const hash = [...others, ...own ? [`${name}=${own}`] : []].join("&");
  return location.pathname + location.search + (hash && `#${hash}`);
}
function keepAddress(link) {
  try {
    history.replaceState(history.state, "", link);
  } catch {
  }
}
var onSite = () => "page" in document.body.dataset;

// lib/figures/parts/numbers.js
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
var role = (name, words) => `<b class="${name}">${words}</b>`;
var symbolic = (symbol) => symbol.replace(/_(\w)/, "<sub>$1</sub>");

// lib/figures/parts/plot.js
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
function drawing(stage) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  const add = (tag, name, attributes = {}, parent = canvas) => svg(tag, { class: name, ...attributes }, parent);
  return { canvas, add };
}
function repeatMade(parent, make, count, update) {
  while (parent.children.length > count) parent.lastChild.remove();
  while (parent.children.length < count) make(parent.children.length);
  [...parent.children].forEach(update);
}
var repeat = (parent, tag, count, update) => repeatMade(parent, () => svg(tag, {}, parent), count, update);
var resize = (canvas, width, height) => set(canvas, { width, height, viewBox: `0 0 ${width} ${height}` });
function lay(element, { x, y, width, height }) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}
function describe(handle, now, [low, high], words) {
  set(handle, { "aria-valuemin": String(low), "aria-valuemax": String(high), "aria-valuenow": String(now) });
  if (words !== void 0) set(handle, { "aria-valuetext": words });
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
var LETTER = 7.3;
var letterSize = (element) => Number.parseFloat(getComputedStyle(element).fontSize);
var widthOfWords = (words, size = 13) => LETTER / 13 * size * words.length;

// lib/figures/contract/sliders.js
function nameSliders(root, signal) {
  const panel = root.closest(".live-panel");
  if (!panel) return false;
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
  signal.addEventListener("abort", () => observer.disconnect());
  return true;
}

// lib/figures/contract/frame.js
function frameIn(el, name, address, question, hint) {
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
  const asked = html("p", { class: "question", text: question }, bar);
  const actions = html("div", { class: "actions" }, bar);
  const stage = html("div", { class: "stage" }, root);
  const sentence2 = html("p", { class: "sentence", "aria-live": "polite" }, root);
  holdHeight(sentence2);
  const foot = html("div", { class: "foot" }, root);
  html("p", { class: "hint", text: hint }, foot);
  return { root, bar, asked, actions, stage, sentence: sentence2, foot };
}
function holdHeight(element) {
  let width;
  const grown = new ResizeObserver(() => {
    if (element.clientWidth !== width) element.style.minHeight = "";
    width = element.clientWidth;
    element.style.minHeight = getComputedStyle(element).height;
  });
  grown.observe(element);
}
function widthOf({ root, bar, stage }, signal) {
  let width, isNamed = false;
  const follow = (changed) => {
    const resized = new ResizeObserver(() => {
      const before = width;
      width = stage.clientWidth;
      if (width !== before) changed();
      if (!isNamed) isNamed = nameSliders(root, signal);
    });
    resized.observe(bar);
    signal.addEventListener("abort", () => resized.disconnect());
  };
  return { now: () => width ||= stage.clientWidth, follow };
}

// lib/figures/contract/gesture.js
var REST = 250;
var GLIDE = 300;
function ghostOf(compares = (_now, _before) => true) {
  let ghost, isMoving = false;
  return {
    /** It, where it is worth a look beside what is now. */
    beside: (now) => ghost && compares(now, ghost) ? ghost : void 0,
    begin() {
      isMoving = false;
    },
    /** What changes next is no change of what is drawn. */
    keep() {
      isMoving = true;
    },
    /** The last state drawn, before something changes. */
    before(drawn) {
      if (!isMoving) ghost = drawn;
      isMoving = true;
    },
    forget() {
      ghost = void 0;
      isMoving = false;
    }
  };
}
function speechOf({ root, stage, sentence: sentence2 }, atRest, signal) {
  let said, resting;
  const isPlaying = () => root.classList.contains("playing");
  const speak = () => isPlaying() || stage.classList.contains("stale") || sentence2.removeAttribute("aria-busy");
  const rest = () => {
    resting = void 0;
    if (isPlaying()) return;
    speak();
    atRest();
  };
  signal.addEventListener("abort", () => clearTimeout(resting));
  return {
    rest,
    /** A hand moves. */
    hush() {
      sentence2.setAttribute("aria-busy", "true");
      clearTimeout(resting);
      resting = setTimeout(rest, REST);
    },
    say(words) {
      if (words !== said) sentence2.innerHTML = words;
      said = words;
      if (resting === void 0) speak();
    }
  };
}
function gliderOf(root) {
  let gliding;
  return () => {
    root.classList.add("gliding");
    clearTimeout(gliding);
    gliding = setTimeout(() => root.classList.remove("gliding"), GLIDE);
  };
}

// lib/figures/contract/guesses.js
function guessesIn({ root, asked, actions }, { answers, then }, choose) {
  const first = asked.textContent;
  const group = html("div", { class: "guesses", role: "group" });
  const verdict2 = html("p", { class: "guess-verdict", "aria-live": "polite" });
  actions.before(group, verdict2);
  const chips = answers.map((text) => html("button", { type: "button", text }, group));
  let shown = "", told;
  chips.forEach((chip, i) => chip.addEventListener("click", () => choose({ ...then, guess: answers[i] }, !!shown)));
  function ask(question, isOpen) {
    group.style.visibility = isOpen ? "" : "hidden";
    if (asked.textContent !== question) asked.textContent = question;
    set(root, { "aria-label": question });
    set(group, { "aria-label": `Guess: ${question}` });
  }
  function mark(guess, right) {
    chips.forEach((chip, i) => {
      chip.setAttribute("aria-pressed", String(answers[i] === guess));
      chip.classList.toggle("right", guess !== "" && answers[i] === right);
    });
  }
  function judge(words, isAsAsked, isNone) {
    verdict2.classList.toggle("past", !isAsAsked);
    if (words !== told && (isAsAsked || isNone)) {
      verdict2.innerHTML = words;
      told = words;
    }
    shown = isAsAsked ? words : "";
    return shown;
  }
  return function show(setting, { question = first, right, because, isOpen = true }, moved, free) {
    const { guess } = setting;
    ask(question, isOpen);
    mark(guess, right);
    const isThen = Object.entries(then).every(([name, value]) => setting[name] === value);
    const isAsAsked = isThen && Object.keys(moved).every((name) => name in { ...then, ...free, guess });
    return judge(verdictOn(guess, right, because), isAsAsked, !guess);
  };
}
function verdictOn(guess, right, because) {
  const judged = guess === right ? "You are right:" : `You guessed “${guess}”, and the answer is`;
  return guess && right ? `${judged} “${right}”. ${because} ` : "";
}

// lib/figures/parts/drag.js
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
var isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// lib/figures/contract/links.js
function addButtons({ foot, address, settings: settings2 }, forget) {
  const group = html("div", { class: "actions" }, foot);
  const button = (text, title) => html("button", { type: "button", text, title }, group);
  button("Reset", "Back to the first setting").addEventListener("click", () => {
    settings2.reset();
    forget();
  });
  if (onSite()) {
    copyButton(button("Copy link", "Copy a link to this setting"), () => addressWith(address, settings2.write()));
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
function followAddress({ root, address, settings: settings2, begin: begin2, glide, signal }, forget) {
  function take() {
    if (!settings2.read(readAddress(address))) return;
    forget();
    bringIntoView(root);
  }
  function follow(event) {
    const link = event.target.closest?.(`a[href^="#${address}="]`);
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const [here, there] = [root, link].map((element) => element.getBoundingClientRect());
    if (there.top > here.bottom + innerHeight || there.bottom < here.top - innerHeight) return;
    event.preventDefault();
    begin2();
    glide();
    settings2.read(readAddress(address, link.hash));
    if (!isWhole(root)) root.scrollIntoView({ behavior: isStill() ? "auto" : "smooth" });
  }
  const heed = (event, act) => addEventListener(event, act, { capture: true, signal });
  heed("hashchange", take);
  heed("click", follow);
  heed("pointerdown", begin2);
  heed("focusin", begin2);
  take();
}
function isWhole(root) {
  const [{ top }, { bottom }] = [root, root.closest(".live-panel") ?? root].map((one) => one.getBoundingClientRect());
  const { scrollPaddingTop } = getComputedStyle(document.documentElement), { scrollMarginTop } = getComputedStyle(root);
  return top >= (parseFloat(scrollPaddingTop) || 0) + parseFloat(scrollMarginTop) && bottom <= innerHeight;
}
function bringIntoView(root) {
  const reach = () => root.scrollIntoView();
  reach();
  const moved = new AbortController();
  for (const hand of ["wheel", "pointerdown", "keydown", "touchstart"]) {
    addEventListener(hand, () => moved.abort(), { once: true, passive: true, signal: moved.signal });
  }
  window.figuresShown?.catch(() => {
  }).then(() => moved.signal.aborted || reach());
}

// lib/figures/contract/settings.js
var numberSetting = (grid) => ({
  load: (stored) => onGrid(stored, grid),
  store: (value) => onGrid(value, grid),
  write: (stored) => String(onGrid(stored, grid)),
  read: (text) => Number.isFinite(parseFloat(text)) ? onGrid(parseFloat(text), grid) : void 0
});
var choiceSetting = (names) => ({
  load: (index) => names[Math.min(index, names.length - 1)],
  store: (name) => names.indexOf(name),
  write: (index) => names[index],
  read: (text) => names.includes(text) ? names.indexOf(text) : void 0
});
var guessSetting = (answers) => ({
  write: (answer) => answer ? String(answers.indexOf(answer) + 1) : "",
  read: (text) => answers[Number(text) - 1]
});
var listSetting = (defaults, make) => ({
  write: (list) => {
    const texts = list.map((entry, i) => [i, entry].flat().join("/"));
    return texts.filter((text, i) => text !== [i, defaults[i]].flat().join("/")).join(";");
  },
  read: (text) => {
    const list = [...defaults];
    for (const [i, ...numbers] of text.split(";").map((change) => change.split("/").map(Number))) {
      const entry = i in list ? make(numbers) : void 0;
      if (entry !== void 0) list[i] = entry;
    }
    return list;
  }
});
function settingsOf(model, own) {
  const same = (value) => value;
  const entries = Object.entries(model.get("settings")).map(([name, { trait, grid, names }]) => {
    const kind = own[name] ?? (grid ? numberSetting(grid) : choiceSetting(names));
    return { name, trait, load: same, store: same, ...kind };
  });
  const byName = Object.fromEntries(entries.map((entry) => [entry.name, entry]));
  const traits = entries.map(({ trait }) => trait);
  const defaults = () => structuredClone(model.get("defaults"));
  const restore = (stored) => {
    Object.entries(stored).forEach(([trait, value]) => model.set(trait, value));
    model.save_changes();
  };
  return {
    traits,
    restore,
    /** All traits as they are, to be restored. */
    stored: () => Object.fromEntries(traits.map((trait) => [trait, model.get(trait)])),
    /** All settings by name, as the figure computes with them. */
    now: () => Object.fromEntries(entries.map(({ name, trait, load }) => [name, load(model.get(trait))])),
    change: (values) => restore(
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [byName[name].trait, byName[name].store(value)])
      )
    ),
    reset: () => restore(defaults()),
    /** In words, only what differs from the defaults. */
    write() {
      const start = defaults();
      const words = entries.map(({ name, trait, write }) => [name, write(model.get(trait)), write(start[trait])]);
      return Object.fromEntries(words.filter(([, now, before]) => now !== before));
    },
    /** The defaults but for these words. Says whether any of them made sense; if none did, nothing changes. */
    read(words) {
      const known = entries.filter(({ name }) => name in words);
      const values = known.map(({ name, trait, read }) => [trait, read(words[name])]);
      const valid = Object.fromEntries(values.filter(([, value]) => value !== void 0));
      const any = Object.keys(valid).length > 0;
      if (any) restore({ ...defaults(), ...valid });
      return any;
    }
  };
}

// lib/figures/contract/figure.js
var defineFigure = (name, definition) => ({
  render: ({ model, el }) => begin(model, el, name, definition).end
});
function memo(compute2) {
  let at, found;
  const remembering = (...now) => {
    if (!at || now.some((value, i) => !Object.is(value, at[i]))) found = compute2(...now);
    at = now;
    return found;
  };
  return (
    /** @type {F} */
    remembering
  );
}
function factsOf(model) {
  const facts = model.get("facts").map((name) => [name, model.get(name)]);
  const ranges = Object.entries(model.get("settings")).map(([name, { grid, names }]) => [name, grid ?? names]);
  return { ...Object.fromEntries(facts), ranges: Object.fromEntries(ranges), defaults: model.get("defaults") };
}
function begin(model, el, name, definition) {
  const figure = { ...partsOf(model, el, name, definition), redraw };
  const { root, address, data, settings: settings2, ghost, speech, width, guesses } = figure;
  const verdictOn2 = guesses ? guessing(figure, definition) : (_now) => "";
  const draw = definition.view(figure);
  function redraw() {
    const drawnWidth = width.now();
    if (!drawnWidth) return;
    const setting = settings2.now();
    const now = { setting, ...definition.compute(data, setting) };
    const before = ghost.beside(now);
    draw(now, { width: drawnWidth, ghost: before });
    figure.now = now;
    const guess = guesses && { guess: setting.guess || null };
    root.dataset.state = JSON.stringify({ ...definition.state(data, now), ...guess });
    const verdict2 = verdictOn2(now);
    showGhosts(figure, !!before);
    root.dispatchEvent(new Event("drawn"));
    speech.say(inWords(verdict2, definition.sentence(data, now)));
  }
  function forget() {
    ghost.forget();
    redraw();
    ghost.begin();
  }
  function changing() {
    ghost.before(figure.now);
    speech.hush();
  }
  addButtons(figure, forget);
  followSettings(figure, changing, redraw);
  redraw();
  followAddress(figure, forget);
  width.follow(redraw);
  html("style", { text: `img[src*="live-${address}."] { display: none; }` }, root);
  return figure;
}
function partsOf(model, el, name, { hint, data: prepare = (facts) => facts, settings: own = () => ({}), compares }) {
  const [address, question, guesses] = ["address", "question", "guesses"].map((trait) => model.get(trait));
  const data = prepare(factsOf(model));
  const settings2 = settingsOf(model, { ...own(data, model), ...guesses && { guess: guessSetting(guesses.answers) } });
  const frame = frameIn(el, name, address, question, typeof hint === "string" ? hint : hint(data));
  const life = new AbortController();
  const keep = () => onSite() && keepAddress(addressWith(address, settings2.write()));
  const ghost = ghostOf(compares), speech = speechOf(frame, keep, life.signal);
  return {
    ...frame,
    model,
    address,
    guesses,
    data,
    settings: settings2,
    setting: settings2.now,
    change: settings2.change,
    reset: settings2.reset,
    drag: dragger(settings2),
    now: void 0,
    // what is drawn: the setting and its numbers
    afterGuess: void 0,
    // a figure can play how it comes to what the question is about
    ghost,
    begin: ghost.begin,
    glide: gliderOf(frame.root),
    speech,
    rest: speech.rest,
    width: widthOf(frame, life.signal),
    signal: life.signal,
    end: () => life.abort()
  };
}
function dragger({ stored, restore }) {
  return (element, grab, release = () => {
  }) => {
    let before;
    const grip = (event) => {
      before = stored();
      return grab(event);
    };
    draggable(element, { grab: grip, release: (cancelled) => cancelled ? restore(before) : release() });
  };
}
function guessing(figure, { asks, keeps }) {
  const { guesses, data, settings: settings2, ghost } = figure;
  const kept = (setting) => keeps?.(data, setting);
  const choose = (setting, isAnother) => {
    if (isAnother)
      ghost.keep();
    else ghost.begin();
    figure.glide();
    const stays = kept(settings2.now());
    settings2.reset();
    settings2.change({ ...stays, ...setting });
    figure.afterGuess?.();
  };
  const show = guessesIn(figure, guesses, choose);
  return (now) => show(now.setting, asks?.(data, now, guesses) ?? guesses, settings2.write(), kept(now.setting));
}
function followSettings({ model, settings: { traits }, signal }, changing, changed) {
  let pending = false;
  const tell = () => {
    pending = false;
    changed();
  };
  const hear = () => {
    changing();
    if (!pending) queueMicrotask(tell);
    pending = true;
  };
  traits.forEach((trait) => model.on(`change:${trait}`, hear));
  signal.addEventListener("abort", () => traits.forEach((trait) => model.off(`change:${trait}`, hear)));
}
function showGhosts({ stage }, isThere) {
  const visibility = isThere ? "visible" : "hidden";
  for (const each of stage.querySelectorAll(".ghost, .was")) set(each, { visibility });
}
var inWords = (verdict2, told) => verdict2 ? `<span class="said">${verdict2}</span><span class="told">${told}</span>` : told;

// lib/figures/methods/base64.js
function decodeBytes(text) {
  const characters = atob(text), bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

// lib/figures/parts/shades.js
var N_SHADES = 32;
function shadedPaths(levels, cell, count = N_SHADES) {
  const paths = Array.from({ length: count + 1 }, () => "");
  levels.forEach((level, k) => {
    const shade2 = Math.ceil(count * level - 0.5);
    if (shade2 > 0) paths[shade2] += cell(k);
  });
  return paths.slice(1);
}

// lib/figures/parts/photograph.js
var byte = (value) => Math.round(255 * clamp(value, 0, 1));
var greyPixel = (value) => 4278190080 + 65793 * byte(value);
function paintPixels(canvas, { height, width }, pixels) {
  const data = new Uint8ClampedArray(pixels.buffer);
  canvas.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
}
function inside({ height, width }, [row, column]) {
  const within = (index, length) => clamp(Math.floor(index), 0, length - 1);
  return [within(row, height), within(column, width)];
}
var pixelSetting = (image) => ({
  write: ([row, column]) => `${row}/${column}`,
  read: (words) => /^\d+\/\d+$/.test(words) ? inside(image, words.split("/").map(Number)) : void 0
});

// lib/figures/parts/play.js
function playButton({ root, actions, begin: begin2, change, rest }, { title, frames, pause }) {
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
  function play(story) {
    begin2();
    if (isStill()) return showEnd();
    hands = new AbortController();
    const presses = ({ target, key }) => target === button && [void 0, "Enter", " "].includes(key);
    const touched = (event) => presses(event) || stop();
    for (const hand of ["pointerdown", "keydown"]) {
      addEventListener(hand, touched, { capture: true, signal: hands.signal });
    }
    ahead = [...story];
    button.textContent = "Stop";
    root.classList.add("playing");
    step();
  }
  button.addEventListener("click", () => hands ? stop() : play(frames()));
  return { button, play };
}

// lib/figures/parts/workers.js
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
function whenTouched(element, act) {
  const touched = new AbortController();
  const begin2 = () => {
    touched.abort();
    act();
  };
  for (const touch of ["pointerdown", "focusin"]) {
    element.addEventListener(touch, begin2, { capture: true, signal: touched.signal });
  }
  return () => touched.abort();
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

// lib/figures/diffusion/diffusion.js
var N_SHOWN = 10;
var N_WALKERS = 24;
var SAME = 0.01;
var NEW = 0.1;
var FAINT = 5e-4;
var FINE = 0.5;
var PAUSE = 90;
var REACH = 2.2;
var CELL = 5;
var COORDINATE = (
  /** @type {import("../parts/numbers.js").Grid} */
  [-2, 2, 0.01]
);
var published = (number) => Number(number.toPrecision(10));
var counted = (number) => number.toLocaleString("en-GB");
var brushAt = ({ height, width }, pixel, reach) => {
  const [row, column] = [Math.floor(pixel / width), pixel % width];
  const covered = [];
  for (let y = Math.max(row - reach, 0); y <= Math.min(row + reach, height - 1); y += 1) {
    for (let x = Math.max(column - reach, 0); x <= Math.min(column + reach, width - 1); x += 1) {
      if (Math.hypot(y - row, x - column) <= reach) covered.push(y * width + x);
    }
  }
  return covered;
};
function stroked(noisy, dabs, noiseStd, shape) {
  if (!dabs.length) return noisy;
  const covered = (reach) => new Set(dabs.flatMap((pixel) => brushAt(shape, pixel, reach)));
  const [stroke, around] = [covered(1), covered(3)];
  return noisy.map((value, i) => value + noiseStd * (stroke.has(i) ? 2 : around.has(i) ? -1 : 0));
}
function firstDifference(strokes, others, size) {
  const without = (list, other) => list.filter((stroke) => !other.includes(stroke));
  return Math.floor(Math.min(...without(strokes, others), ...without(others, strokes), Infinity) / size);
}
function walkFrom(known, radius, seed, strokes, levels, before) {
  const { pictures, shape } = known, size = pictures[0].length;
  const isSame = before && before.known === known && before.radius === radius && before.seed === seed;
  const steps = isSame ? before.steps.slice(0, firstDifference(strokes, before.strokes, size)) : [];
  const dabs = (step) => strokes.filter((stroke) => Math.floor(stroke / size) === step).map((stroke) => stroke % size);
  function next() {
    const step = steps.length, last = steps[step - 1];
    const noisy = last ? stepTowards(last.noisy, last.guess, levels[step - 1], levels[step]) : standardNoise(seed, size).map((value) => levels[0] * value);
    return stroked(noisy, dabs(step), levels[step], shape);
  }
  function go(step) {
    while (steps.length <= step) {
      const noisy = next();
      const weights = denoiseWeights(noisy, pictures, levels[steps.length], known.all);
      steps.push({ noisy, weights, guess: averagePicture(weights, pictures) });
    }
  }
  return { known, radius, seed, strokes, steps, next, go };
}
var knownSet = (pictures, shape) => ({ pictures, shape, all: [...pictures[0].keys()] });
async function unpackPictures({ levels, places }, n, shape) {
  const stream = new Blob([decodeBytes(places)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const size = shape.height * shape.width;
  const picture = (_, k) => Float64Array.from(bytes.subarray(k * size, (k + 1) * size), (place) => levels[place]);
  return knownSet(Array.from({ length: n }, picture), shape);
}
function firstView({ scales, pixels, heaviest, weights, ...numbers }, n, shape) {
  const levels = new Int8Array(decodeBytes(pixels).buffer), size = levels.length / scales.length;
  const shown = scales.map(
    (scale, k) => Float64Array.from(levels.subarray(k * size, (k + 1) * size), (x) => scale * x)
  );
  const [noisy, guess, nearest, ...others] = shown;
  const all = Object.assign(Array(n), { [numbers.nearest]: nearest });
  const shares = Array(n);
  heaviest.forEach((index, k) => {
    all[index] = others[k];
    shares[index] = weights[k];
  });
  const known = { pictures: all, shape, all: [...noisy.keys()] };
  return { ...numbers, noisy, guess, heaviest, weights: shares, known, walk: { steps: [] }, isThere: true };
}
function withWalks(facts) {
  const [height, width] = facts.shape;
  let before;
  return {
    ...facts,
    shape: { height, width },
    first: firstView(facts.first, facts.n_pictures, { height, width }),
    known: void 0,
    problem: "",
    pointsOf: memo((points) => knownSet(points, { height: 1, width: 2 })),
    walkOf: memo((known, radius, seed, strokes) => {
      before = walkFrom(known, radius, seed, strokes, facts.levels, before);
      return before;
    }),
    others: memo(
      (known, seed) => Array.from({ length: N_WALKERS }, (_, j) => {
        const walk = walkFrom(known, null, 1e3 * (j + 1) + seed, [], facts.levels);
        walk.go(facts.levels.length - 1);
        return walk;
      })
    ),
    nearest: memo(nearestTo),
    patch: memo(
      (known, pixel, radius) => new Set(radius === null ? known.all : patchAround(known.shape, pixel, radius))
    ),
    patchWeights: memo(
      (noisy, known, noiseStd, radius, pixel) => denoiseWeights(noisy, known.pictures, noiseStd, patchAround(known.shape, pixel, radius))
    )
  };
}
function compute(data, setting) {
  const { levels, ranges, shape } = data;
  const isPlane = setting.view === "points", radius = isPlane || setting.compare === "whole" ? null : Number(setting.compare);
  const step = levels.length - 1 - ranges.noise.indexOf(setting.noise), noiseStd = levels[step];
  const pixel = inside(shape, setting.pixel);
  const known = isPlane ? data.pointsOf(setting.points) : data.known;
  const now = { step, noiseStd, radius, isPlane, pixel, known };
  if (!known) return radius === null && isFirst(data.first, setting, step) ? { ...now, ...data.first } : now;
  const walk = data.walkOf(known, radius, setting.start, isPlane ? NO_STROKES : setting.brush);
  if (radius === null) walk.go(step);
  const { steps } = walk, isThere = steps.length > step;
  const at = steps[Math.min(step, steps.length - 1)] ?? beforeAll(walk);
  const level = levels[clamp(steps.length - 1, 0, step)];
  const weights = at.weights ?? data.patchWeights(at.noisy, known, level, radius, pixel[0] * shape.width + pixel[1]);
  const heaviest = heaviestOf(weights);
  const { nearest, distance } = data.nearest(at.guess, known.pictures);
  return { ...now, walk, isThere, ...at, weights, heaviest, count: keysForShare(weights, 0.9), nearest, distance };
}
function heaviestOf(weights) {
  const least = Float64Array.from(weights).sort().at(-N_SHOWN) ?? 0;
  const keys = [...weights.keys()].filter((k) => weights[k] >= least);
  return keys.sort((a, b) => weights[b] - weights[a] || a - b).slice(0, N_SHOWN);
}
var NO_STROKES = [];
var isFirst = (first, { start, brush }, step) => step === first.step && start === first.start && !brush.length;
var beforeAll = ({ known: { pictures }, next }) => ({
  noisy: next(),
  guess: averagePicture(Array(pictures.length).fill(1 / pictures.length), pictures)
});
var state = (_, { setting, step, noiseStd, radius, pixel, weights, heaviest, count, nearest, distance, isPlane }) => ({
  noise_std: noiseStd,
  step,
  patch_radius: radius,
  view: setting.view,
  start: setting.start,
  pixel,
  strokes: setting.brush,
  ...isPlane && { points: setting.points },
  ...weights && {
    weights: heaviest.map((index) => ({ index, weight: published(weights[index]) })),
    keys_for_90_percent: count,
    nearest,
    distance_to_nearest: published(distance)
  }
});
var nameOf = ({ noun }, { isPlane }) => isPlane ? "point" : noun;
function verdict(data, { nearest, distance, step, isPlane }) {
  const noun = nameOf(data, { isPlane }), number = isPlane ? nearest + 1 : nearest;
  const away = `${format(distance, 2)} from the nearest known ${noun}, number ${number}`;
  if (distance < SAME) return `is number ${number} of the known ${noun}s${isPlane ? "" : ", to the last grey level"}`;
  const isEnd = step === data.levels.length - 1;
  return isEnd ? `is ${away}: ${distance > NEW ? "a new one" : "nearly the same"}` : `is ${away}: a mixture so far`;
}
function sentence(data, now) {
  const { setting, radius, step, weights, count, known, isThere, isPlane } = now;
  if (data.problem) return data.problem;
  if (!known) return `The known ${data.noun}s are on their way.`;
  if (!isThere) return `The patches of ${counted(known.pictures.length)} ${data.noun}s are being compared.`;
  const isEnd = step === data.levels.length - 1, noun = nameOf(data, now);
  const subject = role("estimate", `${isEnd ? "what came out" : "the best guess"}`);
  const noise = `${role("query", `Noise σ = ${setting.noise}`)}, step ${step + 1} of ${data.levels.length}: `;
  return `${noise}${subject} ${verdict(data, now)}. 90 % of the weight${radius === null ? "" : " of the marked patch"} lies on ${role("weight", `${counted(count)} of ${counted(weights.length)}`)} known ${noun}s.${isPlane ? " Arrows point to the best guess at each place." : ""}`;
}
var TITLE = 26;
var ROW = 28;
var GAP = 24;
function layout(width, { height, width: across }) {
  const longest = Math.max(height, across), narrow = width < 620;
  const side = narrow ? Math.min(0.66 * width, 280) : 280;
  const scale = side / longest;
  const box = (x2, y, unit) => ({ x: x2, y, scale: unit, width: unit * across, height: unit * height });
  const noisy = box(0, TITLE, scale);
  const small = Math.min((side - TITLE - 6) / 2, width - side - (narrow ? 14 : GAP)) / longest;
  const x = side + (narrow ? 14 : GAP);
  const guess = box(x, TITLE, small), nearest = box(x, TITLE + side - small * longest, small);
  const right = x + small * longest;
  const list = narrow ? { x: 0, y: side + 2 * TITLE + 18, width, columns: 2, columnWidth: (width - 16) / 2 } : { x: right + GAP, y: TITLE, width: width - right - GAP, columns: 1, columnWidth: width - right - GAP };
  const plane = { x: 0, y: TITLE, width: narrow ? width : right, height: side };
  const bottom = narrow ? list.y + ROW * N_SHOWN / list.columns : TITLE + Math.max(side, ROW * N_SHOWN);
  return { narrow, noisy, guess, nearest, list, plane, side, height: bottom + 6 };
}
function elements(stage, { shape: { height, width } }) {
  const picture = (name) => html("canvas", { class: name, width, height, "aria-hidden": "true" }, stage);
  const pictures = Object.fromEntries(["noisy", "guess", "nearest"].map((name) => [name, picture(`${name} whole`)]));
  const thumbs = Array.from({ length: N_SHOWN }, () => thumbOn(picture("thumb"), { height, width }));
  const { canvas, add } = drawing(stage);
  const title = (name) => add("text", `title ${name}`);
  const parts = {
    ...{ pictures, thumbs, canvas },
    titles: Object.fromEntries(["noisy", "guess", "nearest", "list"].map((name) => [name, title(name)])),
    notes: { noisy: add("text", "note"), list: add("text", "note weight") },
    waiting: add("rect", "waiting", { height: 3 }),
    plane: add("svg", "plane"),
    rows: add("g", "rows"),
    frames: add("g", "frames")
  };
  for (const name of ["density", "arrows", "walks", "walkers", "own", "points"]) {
    parts[name] = svg("g", { class: name }, parts.plane);
  }
  parts.drawing = html("div", { class: "brush-grip", title: "Draw here" }, stage);
  parts.looking = html("div", { class: "pixel-grip" }, stage);
  const handle = { class: "pixel-handle", role: "slider", tabindex: 0, "aria-label": "Brush", "aria-valuenow": 0 };
  parts.handle = html("div", handle, stage);
  parts.handles = html("div", { class: "point-handles" }, stage);
  return parts;
}
function paintPicture(canvas, shape, picture, contrast = 1) {
  const pixels = new Uint32Array(picture.length);
  paintPixels(
    canvas,
    shape,
    pixels.map((_, i) => greyPixel((picture[i] / contrast + 1) / 2))
  );
}
var thumbOn = (canvas, shape) => ({
  canvas,
  paint: memo(
    (picture, patch) => paintPicture(
      canvas,
      shape,
      picture.map((value, i) => patch.has(i) ? value : 0.25 * value - 0.15)
    )
  )
});
function drawPictures(parts, at, { noisy, guess, known, noiseStd, nearest, distance, step, walk, radius, pixel }, data) {
  const { levels, shape } = data;
  paintPicture(parts.pictures.noisy, shape, noisy, Math.hypot(1, 2 * noiseStd));
  if (!known) return;
  paintPicture(parts.pictures.guess, shape, guess);
  paintPicture(parts.pictures.nearest, shape, known.pictures[nearest]);
  const isEnd = step === levels.length - 1;
  const away = distance < SAME ? "the same" : `${format(distance, 2)} away`;
  const done = walk.steps.length / levels.length;
  parts.titles.guess.textContent = isEnd && (radius === null || done === 1) ? "what came out" : "best guess";
  const title = `nearest: ${away}`, room = at.nearest.width + (at.narrow ? 0 : GAP);
  parts.titles.nearest.textContent = widthOfWords(title, at.letter) < room ? title : away;
  set(parts.waiting, { width: radius === null || done === 1 ? 0 : done * at.noisy.width });
  const frame = ({ x, y, scale }) => frameOf(pixel, radius ?? 0, shape, scale, x, y);
  const shown = radius === null ? [] : [at.noisy, at.guess, at.nearest].map(frame);
  repeat(parts.frames, "rect", shown.length, (rect, i) => set(rect, shown[i]));
}
function frameOf([row, column], radius, { height, width }, scale, x, y) {
  const [left, top] = [Math.max(column - radius, 0), Math.max(row - radius, 0)];
  const [right, bottom] = [Math.min(column + radius + 1, width), Math.min(row + radius + 1, height)];
  return { x: x + left * scale, y: y + top * scale, width: (right - left) * scale, height: (bottom - top) * scale };
}
function drawList(parts, { list }, { weights, heaviest, known, isPlane, radius, pixel }, data) {
  const { shape } = data, bar = list.columnWidth - 72 - 54, nRows = N_SHOWN / list.columns, unit = (ROW - 2) / Math.max(shape.height, shape.width);
  const place = (i) => [list.x + Math.floor(i / nRows) * (list.columnWidth + 16), list.y + i % nRows * ROW];
  const patch = data.patch(known, radius === null ? null : pixel[0] * shape.width + pixel[1], radius);
  parts.thumbs.forEach(({ canvas, paint }, i) => {
    canvas.hidden = isPlane || i >= heaviest.length;
    if (canvas.hidden) return;
    const [x, y] = place(i);
    lay(canvas, { x, y, width: unit * shape.width, height: unit * shape.height });
    paint(known.pictures[heaviest[i]], patch);
    canvas.classList.toggle("faint", weights[heaviest[i]] < FAINT);
  });
  repeat(parts.rows, "g", heaviest.length, (group, i) => {
    const [x, y] = place(i), index = heaviest[i];
    group.parts ??= {
      number: svg("text", { class: "number", x: 66, y: 18 }, group),
      bar: svg("rect", { class: "bar", x: 74, y: 6, height: 15 }, group),
      share: svg("text", { class: "share", y: 18 }, group)
    };
    const { number, bar: rect, share } = group.parts;
    set(group, { transform: translate(x, y), class: weights[index] < FAINT ? "faint" : "" });
    number.textContent = isPlane ? `point ${index + 1}` : String(index);
    set(rect, { width: Math.max(bar * weights[index], 1) });
    share.textContent = percent(weights[index]);
    set(share, { x: 74 + Math.max(bar * weights[index], 1) + 6 });
  });
}
function drawPlane(parts, { plane }, now, others) {
  const { width, height } = plane, unit = height / 2 / REACH;
  const map = {
    ...{ width, height },
    toPixels: (point) => [width / 2 + unit * point[0], height / 2 - unit * point[1]],
    toPoint: ([right, down]) => [(right - width / 2) / unit, (height / 2 - down) / unit]
  };
  set(parts.plane, plane);
  drawDensity(parts.density, map, now);
  drawArrows(parts.arrows, map, now);
  drawWalks(parts, map, now.step, [now.walk, ...others]);
  drawPoints(parts, map, plane, now);
}
function cellsOf({ width, height }, cell) {
  const columns = Math.ceil(width / cell);
  const middle = (_, k) => [(k % columns + 0.5) * cell, (Math.floor(k / columns) + 0.5) * cell];
  return Array.from({ length: columns * Math.ceil(height / cell) }, middle);
}
function drawDensity(group, map, { known: { pictures }, noiseStd }) {
  const cells = cellsOf(map, CELL);
  const hill = ([x, y], [first, second]) => Math.exp(-((x - first) ** 2 + (y - second) ** 2) / (2 * noiseStd ** 2));
  const density = cells.map(map.toPoint).map((point) => pictures.reduce((sum, each) => sum + hill(point, each), 0));
  const highest = Math.max(...density);
  const paths = shadedPaths(
    density.map((each) => each / highest),
    (k) => `M${cells[k][0] - CELL / 2} ${cells[k][1] - CELL / 2}h${CELL}v${CELL}h-${CELL}z`
  );
  repeat(group, "path", N_SHADES, (path2, k) => set(path2, { d: paths[k], "fill-opacity": 0.5 * (k + 1) / N_SHADES }));
}
function drawArrows(group, map, { known: { pictures, all }, noiseStd }) {
  const arrows = cellsOf(map, 40).map((place) => {
    const guess = averagePicture(denoiseWeights(map.toPoint(place), pictures, noiseStd, all), pictures);
    return arrow(place, map.toPixels(guess));
  });
  repeat(group, "path", 1, (path2) => set(path2, { d: arrows.join("") }));
}
function arrow([x, y], [toX, toY]) {
  const far = Math.hypot(toX - x, toY - y);
  if (far < 1) return "";
  const length = clamp(0.4 * far, 4, 18) / far;
  const [u, v] = [(toX - x) * length, (toY - y) * length];
  const line = (right, down) => `l${right.toFixed(1)} ${down.toFixed(1)}`;
  const wing = (side) => `${line(-0.35 * u - 0.25 * side * v, -0.35 * v + 0.25 * side * u)}`;
  const tip = `M${(x + u).toFixed(1)} ${(y + v).toFixed(1)}`;
  return `M${x.toFixed(1)} ${y.toFixed(1)}${line(u, v)}${tip}${wing(1)}${tip}${wing(-1)}`;
}
function drawWalks({ walks, walkers }, { toPixels }, step, all) {
  const ways = all.map(({ steps }) => steps.slice(0, step + 1).map(({ noisy }) => toPixels(noisy)));
  const kind = (j) => j ? "other" : "own";
  repeat(walks, "path", all.length, (each, j) => set(each, { d: path(ways[j]), class: kind(j) }));
  repeat(walkers, "circle", all.length, (each, j) => {
    const [cx, cy] = ways[j][step];
    set(each, { cx, cy, r: j ? 3.5 : 6, class: kind(j) });
  });
}
function drawPoints({ points, handles }, { toPixels }, { x, y }, { known: { pictures }, weights }) {
  repeat(points, "circle", pictures.length, (each, k) => {
    const [cx, cy] = toPixels(pictures[k]);
    set(each, { cx, cy, r: 5 + 6 * Math.sqrt(weights[k]) });
  });
  const make = (k) => html("div", { class: "point-handle", role: "slider", tabindex: 0, "aria-label": `Known point ${k + 1}` }, handles);
  repeatMade(handles, make, pictures.length, (handle, k) => {
    const [first, second] = pictures[k], [right, down] = toPixels([first, second]);
    lay(handle, { x: x + right - 16, y: y + down - 16, width: 32, height: 32 });
    describe(handle, first, COORDINATE, `first pixel ${format(first, 2)}, second ${format(second, 2)}`);
  });
}
var strokeSetting = (longest) => ({
  write: (strokes) => strokes.join("."),
  read: (text) => {
    if (!/^\d+(\.\d+)*$/.test(text)) return void 0;
    return [...new Set(text.split(".").map(Number))].filter((stroke) => stroke < longest).slice(0, 3e3);
  }
});
var settings = ({ levels, shape, defaults }) => ({
  pixel: pixelSetting(
    /** @type {any} */
    shape
  ),
  brush: strokeSetting(levels.length * shape.height * shape.width),
  points: listSetting(
    defaults.points,
    (numbers) => numbers.length === 2 && numbers.every(Number.isFinite) ? numbers.map((value) => onGrid(value, COORDINATE)) : void 0
  )
});
function buttonsIn(parent, className, label, entries) {
  const group = html("div", { class: className, role: "group", "aria-label": label }, parent);
  return entries.map(([text, press]) => {
    const button = html("button", { type: "button", text }, group);
    button.addEventListener("click", press);
    return button;
  });
}
var PRESETS = {
  ring: ({ height, width }) => Array.from({ length: 40 }, (_, k) => [
    height * (0.5 + 0.25 * Math.sin(k * Math.PI / 20)),
    width * (0.5 + 0.21 * Math.cos(k * Math.PI / 20))
  ]),
  bar: ({ height, width }) => Array.from({ length: 40 }, (_, k) => [height * (0.2 + 0.015 * k), width / 2])
};
function between([row, column], [toRow, toColumn]) {
  const n = Math.max(Math.abs(toRow - row), Math.abs(toColumn - column), 1);
  return Array.from({ length: n }, (_, k) => [
    Math.round(row + (toRow - row) * (k + 1) / n),
    Math.round(column + (toColumn - column) * (k + 1) / n)
  ]);
}
function letHandsDraw(figure, parts) {
  const { change, setting, data } = figure, { shape } = data, size = shape.height * shape.width;
  let pressed;
  function draw(pixels, step = figure.now.step) {
    const dabs = pixels.map((place) => inside(shape, place)).map(([row, column]) => step * size + row * shape.width + column);
    const kept = setting().brush.filter((stroke) => stroke < (step + 1) * size);
    change({ brush: [.../* @__PURE__ */ new Set([...kept, ...dabs])], pixel: inside(shape, pixels.at(-1)) });
  }
  function grab(event) {
    const target = [parts.drawing, parts.looking].find((each) => each === event.target);
    pressed = void 0;
    if (!target) return void 0;
    const { left, top, width, height } = target.getBoundingClientRect();
    const place = (e) => inside(shape, [(e.clientY - top) * shape.height / height, (e.clientX - left) * shape.width / width]);
    focus(parts.handle);
    if (target === parts.looking) return (e) => change({ pixel: place(e) });
    let from = place(event);
    pressed = from;
    return (e) => {
      if (e === event) return;
      const to = place(e);
      draw(pressed ? [from, ...between(from, to)] : between(from, to));
      [from, pressed] = [to, void 0];
    };
  }
  figure.drag(figure.stage, grab, () => pressed && draw([pressed]));
  arrowKeys(parts.handle, (right, up) => {
    const [row, column] = figure.now.pixel;
    change({ pixel: inside(shape, [row - up, column + right]) });
  });
  parts.handle.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    draw([figure.now.pixel]);
  });
  const drawLine = (line) => () => {
    const isEnd = figure.now.noiseStd < FINE;
    draw(line(shape), isEnd ? 0 : figure.now.step);
    if (isEnd) change({ noise: data.ranges.noise.at(-1) });
  };
  return {
    ring: drawLine(PRESETS.ring),
    bar: drawLine(PRESETS.bar),
    wipe: () => change({ brush: [] })
  };
}
function letHandsMove(figure, parts) {
  const { change, setting } = figure;
  const moved = (k, place) => ({
    points: setting().points.map((point, i) => i === k ? place.map((value) => onGrid(value, COORDINATE)) : point)
  });
  figure.drag(parts.handles, (event) => {
    const k = [...parts.handles.children].indexOf(event.target);
    if (k < 0) return void 0;
    focus(event.target);
    const [first, second] = setting().points[k];
    const unit = parts.at.plane.height / 2 / REACH;
    return (e) => {
      const [right, down] = [e.clientX - event.clientX, e.clientY - event.clientY];
      change(moved(k, [first + right / unit, second - down / unit]));
    };
  });
  parts.handles.addEventListener("focusin", ({ target }) => {
    if (target.heard) return;
    target.heard = true;
    arrowKeys(target, (right, up) => {
      const k = [...parts.handles.children].indexOf(target);
      const [first, second] = setting().points[k];
      change(moved(k, [first + 0.05 * right, second + 0.05 * up]));
    });
  });
}
function patchesInWorker(figure, { code, fail }) {
  const { data } = figure, { levels } = data;
  let worker, asked, known;
  function go({ walk, radius }) {
    if (!walk || radius === null || walk.steps.length === levels.length || asked && asked === walk) return;
    if (asked) return;
    worker ??= workerOf(code, { listen, fail });
    if (known !== walk.known) worker.post({ open: { pictures: walk.known.pictures, shape: walk.known.shape } });
    known = walk.known;
    asked = walk;
    const step = walk.steps.length;
    asked.noisy = walk.next();
    worker.post({ step, noisy: asked.noisy, noiseStd: levels[step], radius });
  }
  function listen({ step, guess }) {
    if (asked.steps.length === step) asked.steps.push({ noisy: asked.noisy, guess });
    asked = void 0;
    figure.redraw();
  }
  return { go, end: () => worker?.end() };
}
function arrange(parts, { shape, noun }, isPlane, width) {
  const at = { ...layout(width, shape), letter: letterSize(parts.titles.nearest) }, { noisy, guess, nearest, list } = at;
  resize(parts.canvas, width, at.height);
  for (const [name, canvas] of Object.entries(parts.pictures)) lay(canvas, at[name]);
  const titled = { noisy, guess, nearest, list };
  for (const [name, { x, y }] of Object.entries(titled)) set(parts.titles[name], { x, y: y - 8 });
  set(parts.notes.noisy, { x: isPlane ? at.plane.width : noisy.width, y: noisy.y - 8 });
  set(parts.notes.list, { x: list.x + list.width, y: list.y - 8 });
  set(parts.waiting, { x: noisy.x, y: noisy.y + noisy.height + 2 });
  lay(parts.drawing, noisy);
  lay(parts.looking, guess);
  const words = isPlane ? { key: "known points", query: ", this walk", other: ", other walks" } : { plain: "noisy picture" };
  const title = Object.entries(words).map(([name, text]) => svg("tspan", { class: name, text }));
  parts.titles.noisy.replaceChildren(...title);
  const averaged = list.width < 240 ? "averaged" : `known ${noun}s, by weight`;
  parts.titles.list.textContent = isPlane ? "the guess averages" : averaged;
  return at;
}
function view(figure) {
  const { data, root, stage, change, setting } = figure, { levels, shape, ranges } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, data);
  const hands = letHandsDraw(figure, parts);
  letHandsMove(figure, parts);
  const patches = patchesInWorker(figure, { code: data.worker_code, fail });
  const arranged = memo((isPlane, width) => parts.at = arrange(parts, data, isPlane, width));
  const noiseAt = (step) => ranges.noise[levels.length - 1 - step];
  const tools = html("div", { class: "tools" }, stage);
  const frames = () => {
    const last = levels.length - 1, from = figure.now.step % last;
    return Array.from({ length: last + 1 - from }, (_, k) => ({ noise: noiseAt(from + k) }));
  };
  const story = { title: "From noise to a picture", frames, pause: PAUSE };
  const { play } = playButton({ ...figure, actions: tools }, story);
  buttonsIn(tools, "start", "Noise", [
    ["New start", () => change({ start: (setting().start + 1) % 1e3, brush: [], noise: noiseAt(0) })]
  ]);
  const drawings = buttonsIn(tools, "strokes", "Draw into the noise", [
    ["Draw a ring", hands.ring],
    ["Draw a bar", hands.bar],
    ["Wipe", hands.wipe]
  ]);
  const views = buttonsIn(
    tools,
    "views",
    "What is drawn",
    ranges.view.map((name) => [name, () => change({ view: name })])
  );
  figure.afterGuess = async () => {
    change({ noise: noiseAt(0) });
    await open();
    figure.redraw();
    play(frames());
  };
  function fail() {
    data.problem = "The known pictures could not be compared here.";
    figure.redraw();
  }
  let opened;
  const open = () => opened ??= fetchPictures();
  async function fetchPictures() {
    try {
      const packed = await later(figure.model, "pictures_later");
      data.known = await unpackPictures(packed, data.n_pictures, shape);
      if (!figure.signal.aborted) figure.redraw();
    } catch {
      fail();
    }
  }
  function draw(now, { width }) {
    const { isPlane, known, walk, radius, pixel, isThere } = now;
    const at = arranged(isPlane, width);
    root.classList.toggle("is-plane", isPlane);
    root.classList.toggle("has-patches", radius !== null);
    stage.classList.toggle("stale", !data.problem && !(known && isThere));
    views.forEach((button, k) => set(button, { "aria-pressed": String(now.setting.view === ranges.view[k]) }));
    drawings[2].disabled = !now.setting.brush.length;
    parts.notes.noisy.textContent = `σ = ${now.setting.noise}`;
    if (!known) {
      open();
      return;
    }
    parts.notes.list.textContent = `${counted(now.count)} ${now.count === 1 ? "carries" : "carry"} 90 %`;
    if (isPlane) drawPlane(parts, at, now, data.others(known, now.setting.start));
    else drawPictures(parts, at, now, data);
    drawList(parts, at, now, data);
    const { x, y, scale } = at.noisy;
    lay(parts.handle, { x: x + pixel[1] * scale, y: y + pixel[0] * scale, width: scale, height: scale });
    const words = `row ${pixel[0]}, column ${pixel[1]}; Space draws here`;
    describe(parts.handle, pixel[0] * shape.width + pixel[1], [0, shape.height * shape.width - 1], words);
    patches.go({ walk, radius });
  }
  const stopWaiting = whenTouched(root, open);
  figure.signal.addEventListener("abort", () => {
    stopWaiting();
    patches.end();
  });
  return draw;
}
var diffusion_default = defineFigure("diffusion", {
  hint: "Draw into the noisy picture, also with arrow keys and Space. The slider leads back to the noise.",
  data: withWalks,
  settings,
  compute,
  state,
  sentence,
  keeps: (_, { start }) => ({ start }),
  view
});
export {
  diffusion_default as default
};
