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
  const words2 = pairs.map((pair) => pair.split(":").map(decoded)).filter((pair) => pair.length === 2);
  return Object.fromEntries(words2.map(([setting, value]) => [former_names_default.settings[name]?.[setting] ?? setting, value]));
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
var indexOfLargest = (numbers) => numbers.indexOf(Math.max(...numbers));
var role = (name, words2) => `<b class="${name}">${words2}</b>`;
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
function describe(handle, now, [low, high], words2) {
  set(handle, { "aria-valuemin": String(low), "aria-valuemax": String(high), "aria-valuenow": String(now) });
  if (words2 !== void 0) set(handle, { "aria-valuetext": words2 });
}
function scale([low, high], [from, to]) {
  const toPixel = (value) => from + (value - low) / (high - low) * (to - from);
  toPixel.invert = (pixel) => low + (pixel - from) / (to - from) * (high - low);
  return toPixel;
}
var translate = (right, down) => `translate(${right.toFixed(2)} ${down.toFixed(2)})`;
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
function legend(group, entries, { x = 0, y, label = { x: 22 }, gap, width = Infinity, line = 0 }) {
  group.replaceChildren();
  let [left, level] = [x, y];
  for (const { name, words: words2, shape = "path", ...attributes } of entries) {
    const entry = svg("g", { class: name }, group);
    svg(shape, attributes, entry);
    const across = gap + svg("text", { ...label, text: words2 }, entry).getComputedTextLength();
    if (left > x && left + across > width) [left, level] = [x, level + line];
    set(entry, { transform: translate(left, level) });
    left += across;
  }
  return level;
}

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
    say(words2) {
      if (words2 !== said) sentence2.innerHTML = words2;
      said = words2;
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
  function judge(words2, isAsAsked, isNone) {
    verdict.classList.toggle("past", !isAsAsked);
    if (words2 !== told && (isAsAsked || isNone)) {
      verdict.innerHTML = words2;
      told = words2;
    }
    shown = isAsAsked ? words2 : "";
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
function pageKeys(element, move) {
  element.addEventListener("keydown", (event) => {
    const step = { PageUp: -1, PageDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(step);
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
      const words2 = entries.map(({ name, trait, write }) => [name, write(model.get(trait)), write(start[trait])]);
      return Object.fromEntries(words2.filter(([, now, before]) => now !== before));
    },
    /** The defaults but for these words. Says whether any of them made sense; if none did, nothing changes. */
    read(words2) {
      const known = entries.filter(({ name }) => name in words2);
      const values = known.map(({ name, trait, read }) => [trait, read(words2[name])]);
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
var decodeDoubles = (text) => new Float64Array(decodeBytes(text).buffer);

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

// lib/constants.json
var ruler = { bandwidths: [0.5, 256, 16], farthest: 8 };

// lib/figures/methods/weights.js
function keysForShare(weights, share) {
  const heaviestFirst = Float64Array.from(weights).sort().reverse();
  let carried = 0;
  const index = heaviestFirst.findIndex((weight) => {
    carried += weight;
    return carried >= share - 1e-12;
  });
  return index + 1;
}

// lib/figures/methods/heads.js
var [NARROWEST, WIDEST, N_BANDWIDTHS] = ruler.bandwidths;
var NO_NAME = "no name";
var MEANINGS = {
  "first word": "on the whole text it rests on the first word (a sink)",
  "this word": "on the whole text it looks at the word itself",
  wide: "on the whole text it spreads its weight nearly evenly",
  "same word": "on the whole text it looks for the same word",
  near: "on the whole text it looks at near words",
  "one question": "on the whole text it prefers the same words, whoever asks",
  [NO_NAME]: "on the whole text it does nothing that has a name here"
};
function meaningOf(name) {
  const [count, way] = name.split(" ");
  return MEANINGS[name] ?? `on the whole text it looks ${count} ${count === "one" ? "piece" : "pieces"} ${way}`;
}

// lib/figures/parts/tokens.js
var CHIP = 22;
var LINE = 40;
var SPACE = 7;
var TOP = 0.55;
var ARC = 0.05;
var LEAST_NUMBER = 95e-4;
var DIGIT = 7.5;
var WIDEST2 = 7;
var shadeOf = (weight) => TOP * Math.sqrt(weight);
function spelled(word) {
  if (word.length > 1 && word[0] === " ") return word.slice(1);
  return { " ": "␣", "\n": "↵" }[word] ?? word.replace(/[\u0000-\u001f\u007f-\u009f]/g, "�");
}
var isPartOfLetter = (word) => word.includes("�");
var quoted = (word) => isPartOfLetter(word) ? "a part of a letter" : `“${spelled(word)}”`;
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
function words(tokens, begins) {
  const all = [];
  tokens.forEach((token, j) => {
    if (j === 0 || begins(token) || tokens[j - 1] === "\n") all.push([]);
    all.at(-1).push(j);
  });
  return all;
}
function wrapped(tokens, measure, { x: left, y: top, width }, begins = (token) => /^[ \n]/.test(token)) {
  const room = width - 18;
  const wide = tokens.map((token) => Math.min(Math.max(measure(spelled(token)) + 6, 12), room));
  const places = [];
  let x = left, y = top;
  const newLine = () => [x, y] = [left, y + LINE];
  for (const word of words(tokens, begins)) {
    const whole2 = word.reduce((sum, j) => sum + wide[j], 0);
    const isSign = tokens[word[0]] === "\n";
    if (x > left && !isSign) x += SPACE;
    if (x > left && !isSign && x + Math.min(whole2, room) > left + room) newLine();
    for (const j of word) {
      if (x > left && x + wide[j] > left + (isSign ? width : room)) newLine();
      places[j] = { x, y, width: wide[j] };
      x += wide[j];
      if (tokens[j].endsWith("\n")) newLine();
    }
  }
  return { places, bottom: (places.at(-1)?.y ?? top) + LINE };
}
var tokenParts = (add) => ({
  arcs: add("g", "arcs"),
  chips: add("g", "chips"),
  strips: add("g", "strips"),
  words: add("g", "words"),
  numbers: add("g", "numbers"),
  queryFrame: add("rect", "query-frame", { rx: 4, height: CHIP })
});
function drawTokens(parts, places, { tokens, query, row, before = row, unseen, hidden = [] }) {
  const hasMoved = row.some((weight, j) => Math.abs(weight - before[j]) > 5e-4);
  repeat(parts.chips, "rect", tokens.length, (rect, j) => {
    const { x, y, width } = places[j];
    set(rect, { x: x + 0.5, y: y + 0.5, width: width - 1, height: CHIP - 1, rx: 3 });
    set(rect, { "fill-opacity": row[j] > 0 ? shadeOf(row[j]) : 0, class: hidden.includes(j) ? "hidden" : "" });
  });
  repeat(parts.strips, "rect", hasMoved ? tokens.length : 0, (rect, j) => {
    const { x, y, width } = places[j];
    set(rect, { x, y: y + CHIP + 1, width, height: 4, "fill-opacity": Math.sqrt(before[j]) });
  });
  repeat(parts.words, "text", tokens.length, (text, j) => {
    const names = [unseen(j) ? "unseen" : "seen", hidden.includes(j) ? "struck" : ""];
    set(text, { x: places[j].x + 3, y: places[j].y + 16, class: names.join(" ").trim() });
    text.textContent = spelled(tokens[j]);
  });
  const told = inNumbers(places, row);
  repeat(parts.numbers, "text", told.length, (text, k) => {
    const { words: words2, middle, y } = told[k];
    set(text, { x: middle, y: y + CHIP + 15 });
    text.textContent = words2;
  });
  drawArcs(parts.arcs, places, query, row);
  const own = places[query];
  set(
    parts.queryFrame,
    own ? { x: own.x, y: own.y, width: own.width, visibility: "visible" } : { visibility: "hidden" }
  );
}
function inNumbers(places, row) {
  const told = [];
  for (const j of [...row.keys()].sort((a, b) => row[b] - row[a])) {
    if (row[j] < LEAST_NUMBER) break;
    const { x, y, width } = places[j], words2 = String(Math.round(100 * row[j])), middle = x + width / 2, half = 2 + DIGIT / 2 * words2.length;
    const touches = (one) => one.y === y && Math.abs(one.middle - middle) < one.half + half;
    if (!told.some(touches)) told.push({ words: words2, middle, y, half });
  }
  return told;
}
function drawArcs(group, places, query, row) {
  const keys = [...row.keys()].filter((j) => j !== query && row[j] >= ARC - 1e-12);
  repeat(group, "path", keys.length, (arc, k) => {
    const weight = row[keys[k]];
    set(arc, { d: arcBetween(places[query], places[keys[k]]), "stroke-width": Math.max(WIDEST2 * weight, 1) });
  });
}
function arcBetween(query, key) {
  const [from, to] = [query, key].map(({ x, width }) => x + width / 2);
  const at = (x, y) => `${format(x, 1)} ${format(y, 1)}`.replaceAll("−", "-");
  if (query.y === key.y) {
    const high = query.y - Math.min(4 + Math.abs(to - from) / 8, 15);
    return `M${at(from, query.y)}C${at(from, high)} ${at(to, high)} ${at(to, key.y)}`;
  }
  const [start, end] = key.y < query.y ? [query.y, key.y + CHIP] : [query.y + CHIP, key.y];
  const middle = (start + end) / 2;
  return `M${at(from, start)}C${at(from, middle)} ${at(to, middle)} ${at(to, end)}`;
}
function tokenAt(places, x, y) {
  const top = places[0].y;
  const height = clamp(top + LINE * Math.floor((y - top) / LINE), top, places.at(-1).y);
  const middle = (j) => places[j].x + places[j].width / 2;
  const inLine = [...places.keys()].filter((j) => places[j].y === height);
  return inLine.reduce(
    (a, b) => Math.abs(middle(b) - x) < Math.abs(middle(a) - x) ? b : a,
    inLine[0] ?? places.length - 1
  );
}
function stepFrom(places, token, right, up) {
  if (right) return clamp(token + right, 0, places.length - 1);
  const { x, y, width } = places[token];
  return tokenAt(places, x + width / 2, y + 1 - LINE * up);
}

// lib/figures/parts/workers.js
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

// lib/figures/head_map/head_map.js
var REACH = 16;
var MARGIN = { left: 40, right: 10, top: 8, bottom: 40 };
var MARKS = ["square", "round", "angled"];
var NOTE = 80;
var NAMES = { "first word": "first word (sink)" };
function withDots(facts) {
  const stories = new Map(Object.entries(facts.examples).map(([words2, dot]) => [dot, words2]));
  const dots = facts.models.flatMap(
    (model, m) => model.heads.map(([block, head], i) => ({
      model: m,
      i,
      block,
      head,
      x: model.place_overlap[i],
      y: model.one_query_overlap[i],
      name: model.names[i],
      isSink: model.first_key[i] > facts.first_key_limit
    }))
  );
  dots.forEach((dot, k) => {
    const name = NAMES[dot.name] ?? (dot.name || NO_NAME), story = stories.get(k);
    dot.told = story && !story.startsWith(name) ? story : name;
  });
  return { ...facts, dots, weights: void 0, problem: "" };
}
function weightsOf(text, unit, n, i) {
  const all = unit === "u1" ? decodeBytes(text) : decodeDoubles(text);
  return [...all.subarray(i * n * n, (i + 1) * n * n)].map((weight) => unit === "u1" ? weight / 100 : weight);
}
function compute(data, setting) {
  const dot = data.dots[setting.dot], model = data.models[dot.model], { n } = model;
  const isHere = data.weights || data.first.dot === setting.dot;
  const weights = data.weights ? data.weights(dot.model, dot.i) : isHere && weightsOf(data.first.weights, model.unit, n, 0);
  const query = setting.query >= n ? model.last : setting.query;
  const row = weights ? weights.slice(query * n, (query + 1) * n) : Array(n).fill(0);
  return { dot, model, query, row, isHere, last: model.last };
}
function state(_data, { setting, dot, model, query, row }) {
  const { block, head, name, i } = dot;
  const numbers = ["place_overlap", "one_query_overlap", "place_bandwidth", "place_offset", "first_key"];
  return {
    dot: setting.dot,
    query,
    model: model.name,
    block,
    head,
    name,
    ...Object.fromEntries(numbers.map((each) => [each, model[each][i]])),
    bandwidth: model.place_bandwidth[i],
    tokens: model.words,
    weights: row,
    estimate: row[indexOfLargest(row)],
    keys_for_90_percent: keysForShare(row, 0.9)
  };
}
var titleOf = (model, { block, head }) => `${model.name}, head ${block}, ${head}`;
function sentence(_data, { dot, model, query, row, isHere }) {
  const { i } = dot, heaviest = indexOfLargest(row);
  const numbers = `places explain ${role("weight", percent(model.place_overlap[i]))} of its weight, one question ${role("weight", percent(model.one_query_overlap[i]))}`;
  const looks = isHere ? ` Here, from ${role("query", quoted(model.words[query]))}, it looks most at ${role("key", quoted(model.words[heaviest]))}, with ${role("weight", percent(row[heaviest]))}.` : "";
  return `${titleOf(model, dot)}, ${dot.told}: ${numbers}.${looks}`;
}
function layout(width) {
  const narrow = width < 560, side = narrow ? width : Math.min(width * 0.52, 400), height = narrow ? 290 : 350;
  const plot = { left: MARGIN.left, right: side - MARGIN.right, top: MARGIN.top, bottom: height - MARGIN.bottom };
  const text = narrow ? { x: 0, y: 0, width } : { x: side + 20, y: 0, width: width - side - 20 };
  return { width, narrow, height, side, plot, text };
}
var circle = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 -${2 * r} 0z`;
var OUTLINES = {
  square: (x, y) => `M${x - 3.5} ${y - 3.5}h7v7h-7z`,
  round: (x, y) => circle(x, y, 3.5),
  angled: (x, y) => `M${x} ${y - 4.5}l4.4 7.6h-8.8z`
};
var cross = (x, y) => `M${x - 3} ${y}h6M${x} ${y - 3}v6`;
var slanted = (x, y) => `M${x - 2} ${y - 2}l4 4m-4 0l4 -4`;
var whole = (pixel) => Math.round(pixel * 10) / 10;
function elements(stage, { models, examples }, change) {
  const { canvas, add } = drawing(stage);
  const parts = {
    canvas,
    axes: add("g", "axes"),
    shuffled: add("path", "shuffled"),
    random: add("path", "random"),
    dots: MARKS.map((mark) => ({ full: add("path", `dot ${mark}`), sinks: add("path", `dot sink ${mark}`) })),
    chosen: add("path", "chosen"),
    title: add("text", "title"),
    does: add("text", "does"),
    meaning: add("text", "meaning"),
    ...tokenParts(add),
    legend: add("g", "legend")
  };
  const slider = { role: "slider", tabindex: 0 };
  const dotHandle = html("div", { class: "dot-handle handle", "aria-label": "Head", ...slider }, stage);
  const queryHandle = html("div", { class: "query-handle handle", "aria-label": "Query", ...slider }, stage);
  const stories = html("div", { class: "stories", role: "group", "aria-label": "Heads with a story" }, stage);
  const told = Object.entries(examples).map(([words2, dot]) => {
    const button = html("button", { type: "button", text: words2 }, stories);
    button.addEventListener("click", () => change({ dot }));
    return { button, dot };
  });
  return { ...parts, dotHandle, queryHandle, stories, told, names: models.map(({ name }) => name) };
}
function drawPlot(parts, at, { dots, random_heads: random, shuffled_heads: shuffled }) {
  const { plot } = at, draw = axes(parts.axes);
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    draw.level(plot, at.y(share), `${100 * share}`);
    draw.stop(at.x(share), plot.bottom, `${100 * share}`);
  }
  draw.label("axis", (plot.left + plot.right) / 2, plot.bottom + 36, "what places explain, in %");
  set(svg("text", { class: "axis", text: "what one question explains, in %" }, parts.axes), {
    transform: `translate(11 ${(plot.top + plot.bottom) / 2}) rotate(-90)`
  });
  const outline = (mark) => (dot) => mark(whole(at.x(dot.x)), whole(at.y(dot.y)));
  const marks = (heads, mark) => heads.map(([x, y]) => mark(whole(at.x(x)), whole(at.y(y)))).join("");
  set(parts.random, { d: marks(random, cross) });
  set(parts.shuffled, { d: marks(shuffled, slanted) });
  parts.dots.forEach(({ full, sinks }, m) => {
    const own = dots.filter(({ model }) => model === m), mark = outline(OUTLINES[MARKS[m]]);
    const path = (some) => some.map(mark).join("");
    set(full, { d: path(own.filter(({ isSink }) => !isSink)) });
    set(sinks, { d: path(own.filter(({ isSink }) => isSink)) });
  });
}
var LEGEND = (names) => [
  ...names.map((words2, m) => ({ name: `dot ${MARKS[m]}`, words: words2, d: OUTLINES[MARKS[m]](8, -4) })),
  { name: "dot sink round", words: NAMES["first word"], d: circle(8, -4, 3.5) },
  { name: "random", words: "random heads", d: cross(8, -4) },
  { name: "shuffled", words: "keys shuffled", d: slanted(8, -4) }
];
function arrange(parts, data, measure, model, width) {
  const at = layout(width);
  const entries = { y: at.height + 14, gap: 34, label: { x: 18 }, width: at.side, line: 20 };
  const lastLine = legend(parts.legend, LEGEND(parts.names), entries);
  const text = at.narrow ? { ...at.text, y: lastLine + 24 } : at.text;
  const lines = wrapped(model.words, measure, { ...text, y: text.y + NOTE });
  const x = scale([0, 1], [at.plot.left, at.plot.right]), y = scale([0, 1], [at.plot.bottom, at.plot.top]);
  lay(parts.stories, { x: text.x, y: lines.bottom + 6, width: text.width, height: 0 });
  parts.stories.style.height = "";
  const height = Math.max(lastLine + 6, lines.bottom + 10 + parts.stories.offsetHeight);
  const arranged = { ...at, text, x, y, lines, height };
  resize(parts.canvas, width, height);
  drawPlot(parts, arranged, data);
  return arranged;
}
function drawHead(parts, at, now) {
  const { dot, model, query, row, setting } = now;
  const [x, y] = [at.x(dot.x), at.y(dot.y)];
  set(parts.chosen, { d: circle(whole(x), whole(y), 8) });
  set(parts.title, { x: at.text.x, y: at.text.y + 14 });
  parts.title.textContent = titleOf(model, dot);
  set(parts.does, { x: at.text.x, y: at.text.y + 33 });
  parts.does.textContent = dot.told;
  set(parts.meaning, { x: at.text.x, y: at.text.y + 51 });
  parts.meaning.textContent = meaningOf(dot.name || NO_NAME).replace("the whole text", "tales");
  drawTokens(parts, at.lines.places, {
    tokens: model.words,
    query,
    row,
    unseen: (j) => model.is_causal && j > query
  });
  for (const { button, dot: own } of parts.told) set(button, { "aria-pressed": String(own === setting.dot) });
}
function layHandles(parts, at, { dot, model, query, setting }, dots) {
  lay(parts.dotHandle, { x: at.x(dot.x) - 12, y: at.y(dot.y) - 12, width: 24, height: 24 });
  describe(parts.dotHandle, setting.dot, [0, dots.length - 1], dotInWords(model, dot));
  lay(parts.queryHandle, { ...at.lines.places[query], height: CHIP });
  describe(parts.queryHandle, query, [0, model.n - 1], `${quoted(model.words[query])}, token ${query} of ${model.n}`);
}
var dotInWords = (model, dot) => `${titleOf(model, dot)}: places ${percent(dot.x)}, one question ${percent(dot.y)}; ${dot.told}`;
function nearestDot(dots, at, x, y) {
  const distance = (dot) => Math.hypot(at.x(dot.x) - x, at.y(dot.y) - y);
  const k = dots.reduce((best, dot, i) => distance(dot) < distance(dots[best]) ? i : best, 0);
  return { k, distance: distance(dots[k]) };
}
function stepAlong(dots, from, axis, steps) {
  const own = [...dots.keys()].filter((k) => dots[k].model === dots[from].model);
  own.sort((a, b) => dots[a][axis] - dots[b][axis] || a - b);
  return own[clamp(own.indexOf(from) + steps, 0, own.length - 1)];
}
var isInPlot = ({ plot }, x, y) => x > plot.left - REACH && x < plot.right + REACH && y > plot.top - REACH && y < plot.bottom + REACH;
var isInWords = ({ text, lines }, x, y) => x >= text.x && y >= text.y + NOTE - 6 && y < lines.bottom;
function handsOn(figure, parts, places) {
  const { data, stage, change } = figure;
  const placeIn = (event) => {
    const { left, top } = stage.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const namely = (token) => token === figure.now.last ? data.ranges.query[1] : token;
  function grab(event) {
    const [x0, y0] = placeIn(event);
    if (event.target.closest(".stories")) return void 0;
    if (isInWords(places(), x0, y0)) {
      focus(parts.queryHandle);
      return (e) => change({ query: namely(tokenAt(places().lines.places, ...placeIn(e))) });
    }
    const isHeld = event.target === parts.dotHandle;
    if (!isHeld && !(isInPlot(places(), x0, y0) && nearestDot(data.dots, places(), x0, y0).distance < REACH))
      return void 0;
    focus(parts.dotHandle);
    return (e) => change({ dot: nearestDot(data.dots, places(), ...placeIn(e)).k });
  }
  figure.drag(stage, grab);
  arrowKeys(parts.dotHandle, (right, up) => {
    const { dot } = figure.setting();
    change({ dot: stepAlong(data.dots, dot, right ? "x" : "y", right || up) });
  });
  pageKeys(parts.dotHandle, (step) => {
    const { model } = data.dots[figure.setting().dot];
    const next = (model + step + data.models.length) % data.models.length;
    change({ dot: data.dots.findIndex((dot) => dot.model === next) });
  });
  arrowKeys(
    parts.queryHandle,
    (right, up) => change({ query: namely(stepFrom(places().lines.places, figure.now.query, right, up)) })
  );
  tellValues(figure, {
    find(x, y) {
      const at = places(), { model, row } = figure.now;
      if (isInWords(at, x, y)) return ofWord(at, model, row, tokenAt(at.lines.places, x, y));
      if (!isInPlot(at, x, y)) return void 0;
      const { k, distance } = nearestDot(data.dots, at, x, y);
      return distance < REACH ? ofDot(at, data, k) : void 0;
    },
    focused: (element) => element === parts.dotHandle ? ofDot(places(), data, figure.setting().dot) : void 0
  });
}
var ofDot = (at, { dots, models }, k) => {
  const dot = dots[k];
  return { x: at.x(dot.x), y: at.y(dot.y) - 6, words: dotInWords(models[dot.model], dot) };
};
var ofWord = (at, { words: words2 }, row, j) => {
  const { x, y, width } = at.lines.places[j];
  return {
    x: x + width / 2,
    y,
    words: `Key ${quoted(words2[j])}, token ${j}: weight ${format(100 * row[j], 0)} %`
  };
};
function view(figure) {
  const { data, root, stage } = figure;
  const parts = elements(stage, data, figure.change), measure = measureIn(stage);
  const arranged = memo((model, width) => arrange(parts, data, measure, model, width));
  let at;
  async function open() {
    try {
      const { models } = await later(figure.model, "weights_later");
      if (figure.signal.aborted) return;
      data.weights = memo((m, i) => weightsOf(models[m], data.models[m].unit, data.models[m].n, i));
    } catch {
      data.problem = "The weights could not be loaded here.";
    }
    figure.redraw();
  }
  const stopWaiting = whenNear(root, open);
  figure.signal.addEventListener("abort", stopWaiting);
  const draw = (now, { width }) => {
    stage.classList.toggle("stale", !now.isHere && !data.problem);
    at = arranged(now.model, width);
    drawHead(parts, at, now);
    if (!now.isHere && data.problem) parts.meaning.textContent = data.problem;
    layHandles(parts, at, now, data.dots);
  };
  handsOn(figure, parts, () => at);
  return draw;
}
var head_map_default = defineFigure("head-map", {
  hint: "Press a dot or a word. Keys: Tab, arrows; Page Up and Down change the model.",
  data: withDots,
  compute,
  state,
  sentence,
  view
});
export {
  head_map_default as default
};
