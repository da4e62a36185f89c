// lib/constants.json
var brightness = [0.299, 0.587, 0.114];
var grey_levels = 255;
var pilot = { bandwidth: 0.5, radius: 2 };
var steering = { analysis_radius: 5, sensitivity: 0.5, elongation: 1, regularization: 1e-7 };
var radius_per_bandwidth = 2.2;

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
function addressWith(name, settings) {
  const others = hashParts().filter((part) => part.hasSettings && part.name !== name).map((part) => `${part.name}=${part.settings}`);
  const own = Object.entries(settings).map(([setting, value]) => `${setting}:${value}`).join(",");
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
var textOn = (grid) => (value) => format(value, decimalsOf(grid));

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
function legend(group, entries, { x = 0, y, label = { x: 22 }, gap, width = Infinity, line = 0 }) {
  group.replaceChildren();
  let [left, level] = [x, y];
  for (const { name, words, shape = "path", ...attributes } of entries) {
    const entry = svg("g", { class: name }, group);
    svg(shape, attributes, entry);
    const across = gap + svg("text", { ...label, text: words }, entry).getComputedTextLength();
    if (left > x && left + across > width) [left, level] = [x, level + line];
    set(entry, { transform: translate(left, level) });
    left += across;
  }
  return level;
}
var BEFORE = { name: "was", words: "before", d: "M0 -4.5H17" };

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
  const verdict = html("p", { class: "guess-verdict", "aria-live": "polite" });
  actions.before(group, verdict);
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
    verdict.classList.toggle("past", !isAsAsked);
    if (words !== told && (isAsAsked || isNone)) {
      verdict.innerHTML = words;
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
function addButtons({ foot, address, settings }, forget) {
  const group = html("div", { class: "actions" }, foot);
  const button = (text, title) => html("button", { type: "button", text, title }, group);
  button("Reset", "Back to the first setting").addEventListener("click", () => {
    settings.reset();
    forget();
  });
  if (onSite()) {
    copyButton(button("Copy link", "Copy a link to this setting"), () => addressWith(address, settings.write()));
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
function followAddress({ root, address, settings, begin: begin2, glide, signal }, forget) {
  function take() {
    if (!settings.read(readAddress(address))) return;
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
    settings.read(readAddress(address, link.hash));
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
  const { root, address, data, settings, ghost, speech, width, guesses } = figure;
  const verdictOn2 = guesses ? guessing(figure, definition) : (_now) => "";
  const draw = definition.view(figure);
  function redraw() {
    const drawnWidth = width.now();
    if (!drawnWidth) return;
    const setting = settings.now();
    const now = { setting, ...definition.compute(data, setting) };
    const before = ghost.beside(now);
    draw(now, { width: drawnWidth, ghost: before });
    figure.now = now;
    const guess = guesses && { guess: setting.guess || null };
    root.dataset.state = JSON.stringify({ ...definition.state(data, now), ...guess });
    const verdict = verdictOn2(now);
    showGhosts(figure, !!before);
    root.dispatchEvent(new Event("drawn"));
    speech.say(inWords(verdict, definition.sentence(data, now)));
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
  const settings = settingsOf(model, { ...own(data, model), ...guesses && { guess: guessSetting(guesses.answers) } });
  const frame = frameIn(el, name, address, question, typeof hint === "string" ? hint : hint(data));
  const life = new AbortController();
  const keep = () => onSite() && keepAddress(addressWith(address, settings.write()));
  const ghost = ghostOf(compares), speech = speechOf(frame, keep, life.signal);
  return {
    ...frame,
    model,
    address,
    guesses,
    data,
    settings,
    setting: settings.now,
    change: settings.change,
    reset: settings.reset,
    drag: dragger(settings),
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
  const { guesses, data, settings, ghost } = figure;
  const kept = (setting) => keeps?.(data, setting);
  const choose = (setting, isAnother) => {
    if (isAnother)
      ghost.keep();
    else ghost.begin();
    figure.glide();
    const stays = kept(settings.now());
    settings.reset();
    settings.change({ ...stays, ...setting });
    figure.afterGuess?.();
  };
  const show = guessesIn(figure, guesses, choose);
  return (now) => show(now.setting, asks?.(data, now, guesses) ?? guesses, settings.write(), kept(now.setting));
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
var inWords = (verdict, told) => verdict ? `<span class="said">${verdict}</span><span class="told">${told}</span>` : told;

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
function shade(level) {
  const ink = Math.round(150 * level - 100);
  const style = `fill: color-mix(in srgb, var(--figure-ink) ${ink}%, var(--figure-weight))`;
  return { "fill-opacity": Math.min(1.5 * level, 1), ...ink > 0 && { style } };
}

// lib/figures/parts/photograph.js
var ARRAYS = { uint8: Uint8Array, int16: Int16Array, float64: Float64Array };
function unpack({ shape: [channels, height, width], type, unit, data }) {
  const numbers = Float64Array.from(new ARRAYS[type](decodeBytes(data).buffer), (number) => number / unit);
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
var legendWith = (keys) => [
  { name: "query", words: "query", d: "M0 -5H5M11 -5H16M8 -13V-8M8 -2V3" },
  keys,
  { name: "weight", words: "weight", d: "M1 -12h14v14h-14z" },
  { name: "most", words: "90 % of it", d: "M1 -12h14v14h-14z" },
  BEFORE
];
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
var pixelSetting = (image) => ({
  write: ([row, column]) => `${row}/${column}`,
  read: (words) => /^\d+\/\d+$/.test(words) ? inside(image, words.split("/").map(Number)) : void 0
});
var QUERY_HANDLE = { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query pixel" };
function describeQuery(handle, { height, width }, [row, column], estimate) {
  describe(handle, row * width + column, [0, height * width - 1], `row ${row}, column ${column}, ${estimate}`);
}
function holdQuery(figure, { handle, pictures, image, move }) {
  const query = () => figure.setting().query;
  let clicked;
  function grab(event) {
    const onCross = event.target === handle;
    const picture = onCross ? pictures[0] : pictures.find((each) => each === event.target);
    if (!picture) return void 0;
    const { left, top, width, height } = picture.getBoundingClientRect();
    const size = image();
    const pixel = (e) => [(e.clientY - top) * size.height / height, (e.clientX - left) * size.width / width];
    const [row, column] = pixel(event);
    const now = inside(size, query());
    const [down, right] = onCross ? [now[0] + 0.5 - row, now[1] + 0.5 - column] : [0, 0];
    clicked = onCross && [row, column];
    focus(handle);
    return (e) => {
      if (Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY) > 2) clicked = void 0;
      const [r, c] = pixel(e);
      move([r + down, c + right]);
    };
  }
  figure.drag(figure.stage, grab, () => clicked && move(clicked));
  arrowKeys(handle, (right, up) => {
    const [row, column] = query();
    move([row - up, column + right]);
  });
}

// lib/figures/parts/play.js
function growing(grid, count) {
  const [low, high] = grid;
  const values = Array.from({ length: count }, (_, k) => onGrid(low * (high / low) ** (k / (count - 1)), grid));
  return [...new Set(values)];
}
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

// lib/figures/parts/tooltip.js
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
    const isTap = event.pointerType === "touch" && event.type === "pointerdown";
    byKeys = false;
    pointer = void 0;
    if (event.buttons !== 0 && !isTap) return show(void 0);
    const { left, top } = stage.getBoundingClientRect();
    pointer = { x: event.clientX - left, y: event.clientY - top };
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
function average(weights, values) {
  if (!weights.some((weight) => weight > 0)) return NaN;
  return weights.reduce((sum, weight, i) => sum + weight * values[i], 0);
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

// lib/figures/methods/filters.js
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
var { sensitivity: SENSITIVITY, elongation: REGULARIZATION, regularization: FLAT } = steering;
var PILOT = Array.from({ length: 2 * pilot.radius + 1 }, (_, k) => k - pilot.radius);
function pilotGradient({ height, width, planes }) {
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
  const brightness2 = planes.length === 1 ? planes[0] : planes[0].map((_, i) => sum(brightness.map((share, c) => share * planes[c][i])));
  const weights = PILOT.map((offset) => Math.exp(-((offset / pilot.bandwidth) ** 2) / 2));
  const blur = weights.map((weight) => weight / sum(weights));
  const moment = sum(weights.map((weight, k) => weight * PILOT[k] ** 2));
  const slope = weights.map((weight, k) => grey_levels * weight * PILOT[k] / moment);
  const grid = lines({ height, width, planes: [brightness2] }, PILOT.length >> 1);
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
    const along = (angle) => gradientAlong(angle, i, gradient, shares);
    [rows[i], mixed[i], columns[i], logScale[i]] = steeringMatrix([rows[i], mixed[i], columns[i]], along, area);
  }
  return { height: image.height, width: image.width, planes: [rows, mixed, columns, logScale] };
}
function steeringMatrix([row, mixed, column], along, area, sensitivity = SENSITIVITY) {
  const middle = (row + column) / 2, difference = (row - column) / 2;
  const half = Math.hypot(difference, mixed);
  const [cosine, sine] = half > 0 ? [difference / half, mixed / half] : [1, 0];
  const s1 = Math.sqrt(middle + half);
  let s2 = Math.sqrt(Math.max(middle - half, 0));
  if (s2 < 0.01 * s1) s2 = along(Math.atan2(sine, cosine) / 2);
  const scale = ((s1 * s2 + FLAT) / area) ** sensitivity;
  const elongation = (s1 + REGULARIZATION) / (s2 + REGULARIZATION);
  const both = scale * (elongation + 1 / elongation) / 2, long = scale * (elongation - 1 / elongation) / 2;
  return [both + long * cosine, long * sine, both - long * cosine, Math.log(scale)];
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
    const shift = row * step + column, begin2 = first - shift, count = stop - begin2;
    valueParts(kernel, begin2, shift, count, values, spare);
    exponentiate(kernel, [row, column], first, count, values, forward);
    if (metric) exponentiate(kernel, [row, column], begin2, count, values, backward);
    addAll(weightSum, sums, begin2, forward, channels, first, count);
    addAll(weightSum, sums, first, backward, channels, begin2, count);
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
function valueParts({ lines: channels, step, margin, taps, perValue, floor }, begin2, shift, count, parts, spare) {
  if (!perValue) return;
  const reach = margin * (step + 1), wide2 = count + 2 * reach;
  parts.fill(0, 0, wide2);
  for (let c = 0; c < channels.length; c += 1) addSquares(parts, channels[c], begin2 - reach, shift, wide2);
  if (margin > 0) {
    symmetricSum(parts, taps, step, spare, count + 2 * margin);
    symmetricSum(spare, taps, 1, parts, count);
  }
  for (let k = 0; k < count; k += 1) parts[k] = Math.max(perValue * parts[k] - floor, 0);
}
function addSquares(sum, line, begin2, shift, count) {
  for (let k = 0, i = begin2; k < count; k += 1, i += 1) {
    const difference = line[i + shift] - line[i];
    sum[k] += difference * difference;
  }
}
function symmetricSum(line, taps, step, out, count) {
  const radius = taps.length >> 1;
  for (let i = 0; i < count; i += 1) out[i] = taps[radius] * line[i + radius * step];
  for (let k = 0; k < radius; k += 1) addPair(taps[k], line, k * step, (2 * radius - k) * step, out, count);
}
function addPair(tap, line, one, other, out, count) {
  for (let i = 0; i < count; i += 1) out[i] += tap * (line[i + one] + line[i + other]);
}
function halfWindow(radius) {
  const side = Array.from({ length: 2 * radius + 1 }, (_, k) => k - radius);
  const offsets = side.flatMap((row) => side.map((column) => [row, column]));
  return offsets.filter(([row, column]) => row > 0 || row === 0 && column > 0);
}

// lib/figures/pixel/pixel.js
var REST2 = 40;
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
  const timer = setTimeout(step, REST2);
  return () => {
    clearTimeout(timer);
    port1.close();
  };
}
var TITLE = 26;
var LEGEND = 28;
var NAME = 16;
var CROP = 9;
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
  const below = 26;
  const across = Math.min(side / 3, 0.09 * width), crop = across - 8;
  const down = crop + 2 * NAME, heatSide = side + below - down - 12;
  const heat = { x: (width - heatSide) / 2, y: TITLE, width: heatSide, height: heatSide };
  const x = (width - 3 * across + 8) / 2;
  const values = { x, y: TITLE + heatSide + 12, height: down, across, down: 0, width: crop, number: [0, down - 2] };
  return { photo, filtered, heat, values };
}
function narrow(width, image, longest) {
  const photo = box(0, TITLE, Math.min(0.63 * width, 288) / longest, image);
  const x = photo.width + 16, down = photo.height / 3, crop = Math.max(down - NAME - 8, 40);
  const values = {
    x,
    y: TITLE,
    height: 3 * down,
    across: 0,
    down,
    width: crop,
    number: [crop + 6, NAME + crop / 2 + 4]
  };
  const lower = 2 * TITLE + Math.max(photo.height, values.height) + 10;
  const side = Math.min((width - 16) / 2, 288);
  const heat = { x: 0, y: lower, width: side, height: side };
  const filtered = box(width - side / longest * image.width, lower, side / longest, image);
  return { photo, filtered, heat, values };
}
function elements(stage, { height, width }) {
  const picture = (name, side) => html("canvas", { class: name, width: side ?? width, height: side ?? height, "aria-hidden": "true" }, stage);
  const photo = picture("photo"), filtered = picture("filtered");
  const { canvas, add } = drawing(stage);
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
  const values = add("g", "values");
  parts.values = ["value noisy", "estimate estimate", "truth true"].map((words) => {
    const [name, text] = words.split(" "), group = add("g", name, {}, values);
    add("text", "", { y: 10, text }, group);
    return {
      group,
      crop: stage.insertBefore(picture("crop", CROP), canvas),
      frame: add("rect", "crop-frame", { y: NAME }, group),
      self: add("rect", "self", {}, group),
      number: add("text", "", {}, group)
    };
  });
  parts.ghostSwatch = add("rect", "ghost");
  parts.legend = add("g", "legend");
  parts.queryHandle = html("div", QUERY_HANDLE, stage);
  return parts;
}
var LEGEND_WORDS = legendWith({ name: "key", words: "its keys", d: "M1 -12h14v14h-14z" });
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
  legend(parts.legend, LEGEND_WORDS, { y: at.bottom + 23, gap: 38, width, line: 20 });
  return at;
}
function drawPhotos(parts, { noisy, filtered }, shown, view2) {
  paint(parts.photo, shown);
  paint(parts.filtered, filtered.planes ? filtered : noisy);
  parts.photoTitle.textContent = view2 === "noisy" && !noisy.std ? "without noise" : view2;
  parts.photoNote.textContent = decibels(shown.psnr);
  parts.filteredNote.textContent = decibels(filtered.psnr) || "…";
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
  describeQuery(parts.queryHandle, image, [row, column], `estimate ${inWords2(estimate)}`);
}
function cropAround(image, [row, column], own) {
  const planes = image.planes.map(
    (plane, c) => Float64Array.from({ length: CROP * CROP }, (_, i) => {
      const place = [row + Math.floor(i / CROP) - (CROP >> 1), column + i % CROP - (CROP >> 1)];
      const [r, k] = inside(image, place);
      return r === row && k === column ? own[c] : plane[r * image.width + k];
    })
  );
  return { height: CROP, width: CROP, planes };
}
function drawValues(parts, at, { noisy: noisyImage, filtered, clean: cleanImage, query, values }) {
  const { noisy, estimate, clean } = values, { x, y, across, down, width, number: numberAt } = at.values;
  const images = [noisyImage, filtered.planes ? filtered : noisyImage, cleanImage];
  const off = (values2) => format(Math.hypot(...values2.map((value, c) => value - clean[c])), 2);
  const inColor = (values2) => values2 === clean ? "" : `${off(values2)} off`;
  [noisy, estimate, clean].forEach((values2, i) => {
    const { group, crop, frame, self, number } = parts.values[i];
    const place = { x: x + i * across, y: y + i * down }, cell = width / CROP;
    set(group, { transform: translate(place.x, place.y) });
    lay(crop, { x: place.x, y: place.y + NAME, width, height: width });
    paint(crop, cropAround(images[i], query, values2));
    set(frame, { width, height: width });
    set(self, { x: (CROP >> 1) * cell, y: NAME + (CROP >> 1) * cell, width: cell, height: cell });
    set(number, { x: numberAt[0], y: numberAt[1] });
    number.textContent = values2.length === 1 ? format(values2[0], 3) : inColor(values2);
  });
  parts.values[1].crop.classList.toggle("stale", filtered.psnr === null);
}
function drawGhost(parts, { values: { x, y, across, down, width } }, estimate) {
  const style = `fill: ${color(estimate)}`;
  set(parts.ghostSwatch, { x: x + across + width - 16, y: y + down + NAME, width: 16, height: 16, style });
  parts.legend.querySelector(".was text").textContent = `before: ${inWords2(estimate)}`;
}
var inWords2 = (values) => values.length === 1 ? format(values[0], 3) : `(${values.map((value) => format(value, 2)).join(", ")})`;
function sentence({ method, parameters, ranges }, { setting, blocks, query: [row, column], weights, count, values }) {
  const { position_block, value_block } = blocks, { noisy, estimate, clean } = values;
  const unused = [position_block === "none" && "bandwidth_space", value_block === "none" && "bandwidth_value"];
  const bandwidths = Object.entries(parameters).filter(
    ([name, { trait }]) => /^bandwidth/.test(name) && !unused.includes(trait)
  );
  const widths = bandwidths.map(([name, { symbol }]) => `${symbolic(symbol)} = ${textOn(ranges[name])(setting[name])}`);
  const most = Math.max(...weights), own = weights[weights.length >> 1];
  return `${[NAMES[method] ?? COMPOSED[position_block][value_block], ...widths].join(", ")}. ${role("query", `Query: row ${row}, column ${column}`)}, ${role("value", `noisy ${inWords2(noisy)}`)}. It takes 90 % of its weight from ${role("weight", `${count} of ${weights.length} keys`)}; its own weight is ${role("weight", percent(own))}${own < most ? `, the largest ${percent(most)}` : ""}. ${role("estimate", `Estimate ${inWords2(estimate)}`)}, true ${inWords2(clean)}.`;
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
function withImages(facts) {
  const [clean, noise] = [facts.clean, facts.noise].map(unpack);
  const noisyAt = memo((std) => {
    const image = withNoise(clean, noise, std);
    return { ...image, std, psnr: psnr(image.planes, clean.planes) };
  });
  const steeringOf = memo((noisy) => steeringPlanes(noisy, facts.disk));
  const kernelOf = memo((noisy, position_block, value_block, patch_weights, forgiven, ...numbers) => {
    const [bandwidth_space, bandwidth_value, patch_radius, radius] = numbers;
    const steering2 = position_block === "steering" ? steeringOf(noisy) : void 0;
    const setting = { position_block, value_block, patch_weights, forgiven };
    return windowKernel(noisy, steering2, { ...setting, bandwidth_space, bandwidth_value, patch_radius, radius });
  });
  return { ...facts, clean, noisyAt, kernelOf, filtered: { psnr: null } };
}
var blocksOf = ({ blocks }, { position = blocks.position, value = blocks.value }) => ({
  position_block: position,
  value_block: value
});
function compute(data, setting) {
  const { clean, parameters, patch_weights, noisyAt, kernelOf, filtered } = data;
  const blocks = blocksOf(data, setting), noisy = noisyAt(setting.noise / 255), query = inside(clean, setting.query);
  const forgiven = setting.noise_floor === "subtracted" ? 2 * noisy.std ** 2 : 0;
  const given = Object.fromEntries(Object.entries(parameters).map(([name, { trait }]) => [trait, setting[name]]));
  const { bandwidth_space, bandwidth_value, patch_radius } = given;
  const { radius = Math.ceil(radius_per_bandwidth * bandwidth_space) } = given;
  const { position_block, value_block } = blocks;
  const numbers = [bandwidth_space, bandwidth_value, patch_radius, radius];
  const kernel = kernelOf(noisy, position_block, value_block, patch_weights, forgiven, ...numbers);
  const weights = softmax(windowLogWeights(kernel, query)), keys = windowKeys(kernel, query);
  const averageOf = (line) => {
    const values2 = keys.map((key) => line[key]);
    return average(weights, values2);
  };
  const estimate = kernel.lines.map(averageOf);
  const valuesOf = ({ planes }) => planes.map((plane) => plane[query[0] * clean.width + query[1]]);
  const values = { noisy: valuesOf(noisy), estimate, clean: valuesOf(clean) };
  const count = keysForShare(weights, 0.9);
  return { clean, noisy, filtered, blocks, kernel, radius, query, weights, estimate, values, count };
}
function state({ method, parameters }, { setting, noisy, filtered, blocks, radius, query, weights, values, count }) {
  const numbers = Object.entries(values).map(([name, all]) => [name, all.length === 1 ? all[0] : all]);
  return {
    query,
    method,
    ...method !== "nonlocal_means" && { radius },
    ...Object.fromEntries(Object.keys(parameters).map((name) => [name, setting[name]])),
    ...method === "nonlocal_means" && { subtract_noise: setting.noise_floor === "subtracted" },
    ...method === "unified" && blocks,
    noise_std: noisy.std,
    view: setting.view,
    ...Object.fromEntries(numbers),
    keys_for_90_percent: count,
    n_keys: weights.length,
    noisy_psnr: noisy.psnr,
    filtered_psnr: filtered.psnr
  };
}
function framesOf({ parameters, ranges }, { position_block, value_block }) {
  const trait = value_block !== "none" ? "bandwidth_value" : position_block !== "none" ? "bandwidth_space" : void 0;
  const name = Object.keys(parameters).find((each) => parameters[each].trait === trait);
  return name ? growing(ranges[name], 30).map((value) => ({ [name]: value })) : [];
}
function view(figure) {
  const { data, root, stage } = figure, { clean } = data;
  const parts = elements(stage, clean);
  root.classList.add("photograph-figure");
  const arranged = memo((width) => arrange(parts, clean, width));
  const drawPhotosOf = memo((noisy, filtered, shown, view2) => drawPhotos(parts, { noisy, filtered }, shown, view2));
  let at, stop = () => {
  };
  const filter = memo((kernel) => {
    stop();
    data.filtered = { ...data.filtered, psnr: null };
    parts.filtered.classList.add("stale");
    stop = inSlices(filterInSteps(kernel), (planes) => {
      data.filtered = { ...clean, planes, psnr: psnr(planes, clean.planes) };
      parts.filtered.classList.remove("stale");
      figure.redraw();
    });
  });
  function draw(now, { width, ghost }) {
    const { query, radius, weights, count, setting, blocks } = now;
    at = arranged(width);
    filter(now.kernel);
    now.filtered = data.filtered;
    const images = { noisy: now.noisy, clean, filtered: now.filtered.planes ? now.filtered : now.noisy };
    drawPhotosOf(now.noisy, now.filtered, images[setting.view], setting.view);
    drawWindow(parts, at, radius, query, weights, count, ghost);
    if (ghost) drawGhost(parts, at, ghost.estimate);
    drawQuery(parts, at, clean, radius, query, now.estimate);
    drawValues(parts, at, now);
    Object.assign(root.dataset, { positionBlock: blocks.position_block, valueBlock: blocks.value_block });
  }
  holdQuery(figure, {
    handle: parts.queryHandle,
    image: () => clean,
    pictures: [parts.grips.photo, parts.grips.filtered],
    move: (pixel) => figure.change({ query: inside(clean, pixel) })
  });
  const keys = reader(figure, {
    label: "Keys of the window",
    count: () => figure.now.weights.length,
    columns: () => 2 * figure.now.radius + 1,
    mark: (i) => keyMark(at, figure.now, i)
  });
  tellValues(figure, {
    find: (x, y) => markAt(at, figure.now, x, y),
    focused: (element) => element === keys.element ? keys.mark() : void 0
  });
  playButton(figure, {
    title: "Let the bandwidth grow from its smallest to its largest value",
    pause: 120,
    frames: () => framesOf(data, blocksOf(data, figure.setting()))
  });
  figure.signal.addEventListener("abort", () => stop());
  return draw;
}
var pixel_default = defineFigure("pixel", {
  hint: "Drag the cross. Keys: Tab, arrows. 0 is black, 1 white. More dB: nearer to clean.",
  data: withImages,
  settings: ({ clean }) => ({ query: pixelSetting(clean) }),
  compute,
  // What another pixel had is no measure for this one.
  compares: (now, before) => String(now.query) === String(before.query),
  state,
  sentence,
  view
});
export {
  pixel_default as default
};
