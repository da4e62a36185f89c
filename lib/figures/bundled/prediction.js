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
var indexOfLargest = (numbers) => numbers.indexOf(Math.max(...numbers));
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
var numberOn = (grid) => ([value]) => Number.isFinite(value) ? onGrid(value, grid) : void 0;
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

// lib/figures/methods/weights.js
function shares(heights) {
  const total = heights.reduce((a, b) => a + b, 0);
  return heights.map((height) => total > 0 ? height / total : 1 / heights.length);
}
var totalVariation = (weights, others) => weights.reduce((sum, weight, i) => sum + Math.abs(weight - others[i]), 0) / 2;

// lib/figures/prediction/prediction.js
var FINGER = 44;
function sweep(heights, [from, start], [to, end]) {
  const swept = [...heights];
  const steps = Math.abs(to - from);
  for (let k = 1; k <= steps; k += 1) swept[from + Math.sign(to - from) * k] = start + (end - start) * k / steps;
  swept[to] = end;
  return swept;
}
function layout(width) {
  const left = 46, right = width - 6, top = 34, bottom = 214;
  return { width, left, right, top, bottom, height: bottom + 48 };
}
function elements(stage, { choosing, name_label, height_label }) {
  const { canvas, add } = drawing(stage);
  const parts = {
    canvas,
    axes: add("g", "axes"),
    truths: add("g", "truths"),
    sketches: add("g", "sketches"),
    numbers: add("g", "numbers"),
    names: add("g", "names"),
    heightTitle: add("text", "title weight", { text: height_label, x: 0, y: 14 }),
    nameTitle: add("text", "title key", { text: name_label }),
    legend: add("g", "legend")
  };
  const group = choosing ? { role: "radiogroup", "aria-label": "Your choice" } : { role: "group", "aria-label": "Your sketch" };
  const hands = html("div", { class: "hands", ...group }, stage);
  const show = html("button", { type: "button", class: "show" });
  stage.after(show);
  return { ...parts, hands, show };
}
function arrange(parts, { names, height_grid, text }, width) {
  const at = layout(width), { left, right, bottom } = at;
  const y = scale([0, height_grid[1]], [bottom, at.top]);
  const columnWidth = (right - left) / names.length, columnLeft = (i) => left + i * columnWidth;
  resize(parts.canvas, width, at.height);
  set(parts.nameTitle, { x: right, y: at.height - 6 });
  const axis = axes(parts.axes);
  for (const { value } of ticks([0, height_grid[1]], 4))
    axis.level(at, y(value), text(value), value === 0 ? "base" : "grid");
  repeat(parts.names, "text", names.length, (label, i) => {
    set(label, { class: "tick", x: columnLeft(i) + columnWidth / 2, y: bottom + 18 });
    label.textContent = names[i];
  });
  return { ...at, y, columnWidth, columnLeft };
}
function drawColumns(parts, at, { choosing, names, truth, height_grid }, { chosen, shown }, drawn) {
  const { y, columnWidth, columnLeft, bottom } = at;
  const wide = Math.min(columnWidth - 4, 56), x = (i) => columnLeft(i) + (columnWidth - wide) / 2;
  const column = (i, height) => ({ x: x(i), width: wide, y: y(height), height: bottom - y(height) });
  repeat(parts.truths, "rect", shown ? names.length : 0, (rect, i) => set(rect, column(i, truth[i])));
  repeat(parts.sketches, "path", names.length, (line, i) => {
    const top = y(choosing ? height_grid[1] : drawn[i]).toFixed(1), right = (x(i) + wide).toFixed(1);
    const d = `M${x(i).toFixed(1)} ${bottom}V${top}H${right}V${bottom}${choosing ? "z" : ""}`;
    set(line, { class: choosing && i !== chosen ? "empty" : "own", d });
  });
}
function drawNumbers(parts, at, { kind, choosing, names, truth, text }, { shown }, drawn) {
  const numbered = shown || kind === "curve";
  repeat(parts.numbers, "text", numbered ? names.length : 0, (label, i) => {
    const height = shown ? truth[i] : drawn[i], own = at.y(drawn[i]);
    let y = at.y(height) - 6;
    const isHit = shown && !choosing && own > y - 14 && own < y + 4;
    if (isHit) y = own - 6;
    set(label, { class: shown ? "truth" : "mine", x: at.columnLeft(i) + at.columnWidth / 2, y });
    label.textContent = at.columnWidth < 40 ? text(height).replace(" %", "") : text(height);
  });
}
function columnMark(at, { choosing, weighing, names, truth, text }, { sketch, shown }, i) {
  const own = choosing ? [] : [`yours ${text((weighing ? shares(sketch) : sketch)[i])}`];
  const all = [...own, ...shown ? [`computed ${text(truth[i])}`] : []];
  if (all.length === 0) return void 0;
  const top = Math.min(at.y(choosing ? truth[i] : sketch[i]), at.bottom - 20);
  return { x: at.columnLeft(i) + at.columnWidth / 2, y: top, words: `${names[i]}: ${all.join(", ")}` };
}
function drawHands(parts, at, { choosing, names, height_grid, text }, { chosen, shown }, drawn, column) {
  const make = () => html("div", { class: "hand", role: choosing ? "radio" : "slider" }, parts.hands);
  const reachable = choosing ? Math.max(chosen, 0) : column;
  repeatMade(parts.hands, make, names.length, (hand, i) => {
    const y = choosing ? at.top : at.y(drawn[i]) - FINGER / 2;
    const height = choosing ? at.bottom + 24 - at.top : FINGER;
    lay(hand, { x: at.columnLeft(i), y, width: at.columnWidth, height });
    set(hand, { tabindex: i === reachable ? 0 : -1, "aria-label": names[i], "aria-disabled": shown });
    if (choosing) return set(hand, { "aria-checked": i === chosen });
    set(hand, { "aria-orientation": "vertical" });
    describe(hand, drawn[i], [0, height_grid[1]], text(drawn[i]));
  });
}
function drawKeyOfColors(parts, { right }, shown) {
  parts.legend.replaceChildren();
  let left = right;
  for (const [name, words] of [...shown ? [["computed", "computed"]] : [], ["own", "yours"]]) {
    const word = svg("text", { class: `${name}-word`, y: 14, text: words }, parts.legend);
    left -= word.getComputedTextLength();
    set(word, { x: left });
    svg("rect", { class: name, x: left - 20, y: 4, width: 14, height: 11 }, parts.legend);
    left -= 38;
  }
}
function withWords(facts) {
  const { kind, truth, height_grid, percent } = facts;
  const decimals = height_grid[1] >= 20 ? 0 : height_grid[1] >= 2 ? 1 : 2;
  return {
    ...facts,
    text: (number) => percent ? `${format(100 * number, 0)} %` : format(number, decimals),
    choosing: kind === "winner",
    weighing: kind === "weights",
    winner: indexOfLargest(truth)
  };
}
function compute({ untouched, weighing }, setting) {
  const { sketch = untouched, choice: chosen = -1 } = setting, shown = setting.shown === "yes";
  return { sketch, chosen, shown, drawn: weighing && shown ? shares(sketch) : sketch };
}
var isPredicted = ({ choosing, untouched }, { sketch, chosen }) => choosing ? chosen >= 0 : sketch.some((height, i) => height !== untouched[i]);
var distance = ({ weighing, truth }, sketch) => weighing ? totalVariation(shares(sketch), truth) : sketch.reduce((sum, height, i) => sum + Math.abs(height - truth[i]), 0) / truth.length;
function state(data, { sketch, chosen, shown }) {
  const { kind, choosing, weighing, names, winner, truth } = data;
  const prediction = choosing ? { choice: names[chosen] ?? null } : { sketch: weighing ? shares(sketch) : sketch };
  const compared = choosing ? { right: chosen === winner } : { off: distance(data, sketch) };
  return { kind, shown, ...prediction, ...shown && { truth, ...compared } };
}
function sentence(data, now) {
  const { choosing, weighing, names, text, column } = data, { sketch, shown } = now;
  if (!shown && !isPredicted(data, now)) return choosing ? "Nothing chosen yet." : "Nothing drawn yet.";
  if (choosing) return choiceInWords(data, now);
  const mine = weighing ? shares(sketch) : sketch;
  const own = role("estimate", text(mine[column]));
  if (!shown) return `You give ${role("key", names[column])} ${own}${weighing ? " of all you give" : ""}.`;
  return missInWords(data, mine, text(distance(data, sketch)));
}
function choiceInWords({ names, truth, winner, answer, text }, { chosen, shown }) {
  if (!shown) return `You chose ${role("key", names[chosen])}.`;
  const verdict = chosen === winner ? "You were right:" : `You chose ${role("key", names[chosen] ?? "nothing")}, but`;
  return `${verdict} ${role("key", names[winner])} it is, with ${role("weight", text(truth[winner]))}. ${answer}`;
}
function missInWords({ weighing, names, truth, answer, text }, mine, off) {
  const misses = mine.map((height, i) => Math.abs(height - truth[i])), worst = indexOfLargest(misses);
  const far = weighing ? `${off} of your weight lies in wrong places` : `You are off by ${off} on average`;
  return `${far}, most at ${role("key", names[worst])}: you said ${role("estimate", text(mine[worst]))}, it is ${role("weight", text(truth[worst]))}. ${answer}`;
}
function view(figure) {
  const { data, root, stage } = figure, { names, height_grid, choosing } = data;
  const parts = elements(stage, data);
  const arranged = memo((width) => arrange(parts, data, width));
  const drawKeyOfColorsAt = memo((at2, shown) => drawKeyOfColors(parts, at2, shown));
  const current = () => compute(data, figure.setting());
  let at;
  function draw(now, { width }) {
    at = arranged(width);
    drawColumns(parts, at, data, now, now.drawn);
    drawNumbers(parts, at, data, now, now.drawn);
    drawHands(parts, at, data, now, now.drawn, data.column);
    drawKeyOfColorsAt(at, now.shown);
    parts.axes.classList.toggle("bare", data.weighing && !now.shown);
    parts.show.textContent = now.shown ? "Try again" : "Show the answer";
    parts.show.disabled = !now.shown && !isPredicted(data, now);
    root.classList.toggle("shown", now.shown);
  }
  const columnAt = (pixel) => clamp(Math.floor((pixel - at.left) / at.columnWidth), 0, names.length - 1);
  const change = (values) => current().shown || figure.change(values);
  const setHeight = (i, height) => change({ sketch: current().sketch.with(i, onGrid(height, height_grid)) });
  const focusOn = (i) => focus(parts.hands.children[i]);
  function reach(i) {
    data.column = clamp(i, 0, names.length - 1);
    figure.redraw();
    focusOn(data.column);
  }
  root.addEventListener("keydown", () => root.classList.remove("by-hand"), { capture: true });
  function grab(event) {
    root.classList.add("by-hand");
    if (current().shown) return void 0;
    const { left, top } = stage.getBoundingClientRect();
    const first = columnAt(event.clientX - left);
    if (choosing) {
      focusOn(first);
      return () => change({ choice: first });
    }
    reach(first);
    const grip = event.target.closest(".hand") ? at.y(current().sketch[first]) - (event.clientY - top) : 0;
    let last;
    return (e) => {
      const next = [columnAt(e.clientX - left), onGrid(at.y.invert(e.clientY - top + grip), height_grid)];
      change({ sketch: sweep(current().sketch, last ?? next, next).map((height) => onGrid(height, height_grid)) });
      [data.column, last] = [next[0], next];
    };
  }
  function choose(i) {
    change({ choice: i });
    focusOn(i);
  }
  figure.drag(stage, grab);
  arrowKeys(parts.hands, (right, up) => {
    const { column } = data;
    if (choosing) choose(clamp(current().chosen + right - up, 0, names.length - 1));
    else if (up !== 0) setHeight(column, current().sketch[column] + up * height_grid[2]);
    else reach(column + right);
  });
  if (choosing) {
    parts.hands.addEventListener("keydown", (event) => {
      if (event.key !== " ") return;
      event.preventDefault();
      change({ choice: [...parts.hands.children].indexOf(document.activeElement) });
    });
  }
  parts.show.addEventListener("click", () => current().shown ? figure.reset() : figure.change({ shown: "yes" }));
  const mark = (i) => i in names ? columnMark(at, data, current(), i) : void 0;
  tellValues(figure, {
    find: (x, y) => x > at.left && y > at.top && y < at.bottom ? mark(columnAt(x)) : void 0,
    focused: (element) => mark([...parts.hands.children].indexOf(element))
  });
  return draw;
}
var prediction_default = defineFigure("prediction", {
  hint: ({ choosing, weighing }) => choosing ? "Press on a column. Keyboard: Tab, then arrows." : `Pull the columns, or sweep across them.${weighing ? " Only their ratios count." : ""} Keyboard: Tab, then arrows.`,
  data: (facts) => ({ ...withWords(facts), column: 0 }),
  // the one that hands and keys hold
  settings: ({ untouched, height_grid }) => ({ sketch: listSetting(untouched, numberOn(height_grid)) }),
  compute,
  state,
  sentence,
  view
});
export {
  prediction_default as default,
  sweep
};
