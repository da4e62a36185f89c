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
var diamond = (radius) => `M0 -${radius}L${radius} 0L0 ${radius}L-${radius} 0Z`;
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
  const heaviestFirst = Float64Array.from(weights).sort().reverse();
  let carried = 0;
  const index = heaviestFirst.findIndex((weight) => {
    carried += weight;
    return carried >= share - 1e-12;
  });
  return index + 1;
}
var totalVariation = (weights, others) => weights.reduce((sum, weight, i) => sum + Math.abs(weight - others[i]), 0) / 2;

// lib/figures/attention_vs_gaussian/attention_vs_gaussian.js
var DEGREE = Math.PI / 180;
var METHODS = ["gaussian", "attention"];
var COLUMN = { gaussian: 7, attention: 11 };
var polar = (angle, length) => [length * Math.cos(angle * DEGREE), length * Math.sin(angle * DEGREE)];
var angleOf = ([x, y]) => (Math.atan2(y, x) / DEGREE % 360 + 360) % 360;
function keysAt(spread, keys) {
  const norms = keys.map(([x, y]) => Math.hypot(x, y));
  const mean = norms.reduce((a, b) => a + b, 0) / norms.length;
  return keys.map(([x, y], i) => {
    const factor = (mean + spread * (norms[i] - mean)) / norms[i];
    return [factor * x, factor * y];
  });
}
function gaussianLogWeights(query, keys, bandwidth) {
  return logKernel(
    0,
    keys.map(([x, y]) => Math.hypot(query[0] - x, query[1] - y)),
    bandwidth,
    "gaussian"
  );
}
function dotLogWeights([x, y], keys, temperature) {
  return keys.map((key) => (x * key[0] + y * key[1]) / temperature);
}
function layout(width) {
  const isBeside = width >= 600;
  const side = isBeside ? clamp(width - 468, 240, 400) : Math.min(width, 340);
  const plane = { x: isBeside ? 0 : (width - side) / 2, y: 0, side };
  const axis = { left: (isBeside ? side + 36 : 0) + 44, right: width - 14 };
  const top = isBeside ? 0 : side + 10;
  const apart = { y: top + 74, left: axis.left - 44, right: axis.right };
  const values = { top: top + 116, bottom: Math.max(top + 186, side - 46) };
  return { width, plane, axis, lines: [top + 13, top + 33], apart, values, height: values.bottom + 46 };
}
function elements(stage, nKeys) {
  const { canvas, add } = drawing(stage);
  const group = add("g", "plane"), frame = add("rect", "frame", {}, group), clip = add("svg", "inside", {}, group), free = add("svg", "columns", {}, group);
  const inside = (tag, name, attributes) => add(tag, name, attributes, clip);
  const plane = {
    group,
    frame,
    clip,
    free,
    reach: inside("circle", "reach"),
    ring: inside("circle", "mean-norm"),
    axes: inside("path", "grid"),
    bars: METHODS.map((method) => add("g", `bars ${method}`, {}, free)),
    ghostBars: add("path", "ghost", {}, free),
    dots: add("g", "keys", {}, free),
    turn: add("path", "turn", {}, free),
    arrow: add("path", "arrow", {}, free),
    asked: add("circle", "asked", { r: 6 }, free),
    query: add("circle", "query-dot", { r: 6 }, free)
  };
  const parts = {
    canvas,
    plane,
    lines: METHODS.map((method) => {
      const line = add("g", `line ${method}`);
      add("rect", "", { y: -10, width: COLUMN[method], height: 12, x: 8 - COLUMN[method] / 2 }, line);
      add("path", `answer ${method}`, { d: diamond(6.5), transform: translate(28, -4) }, line);
      return { line, words: add("text", "", { x: 42 }, line) };
    }),
    apartTitle: add("text", "title", { text: "Weight on other keys" }),
    apartText: add("text", "apart-text"),
    apartTrack: add("rect", "apart-track", { height: 8, rx: 4 }),
    apartBar: add("rect", "apart-bar", { height: 8, rx: 4 }),
    axes: add("g", "axes"),
    queryLine: add("line", "query-line"),
    valueTitle: add("text", "title value", { text: "value" }),
    dots: add("g", "value-dots"),
    ghostAnswers: add("path", "ghost"),
    legend: add("g", "legend was"),
    answers: METHODS.map((method) => add("path", `answer ${method}`, { d: diamond(6.5) })),
    keyTitle: add("text", "title key", { text: "angle of the key, in degrees" })
  };
  return { ...parts, ...handlesIn(stage, nKeys) };
}
function handlesIn(stage, nKeys) {
  const reachable = { role: "slider", tabindex: 0 };
  const keyHandle = (attributes) => html("div", { class: "key-handle", ...attributes }, stage);
  return {
    keyHandles: Array.from({ length: nKeys }, () => keyHandle({ "aria-hidden": "true" })),
    chosenKey: keyHandle(reachable),
    handle: html("div", { class: "query-handle", ...reachable, "aria-label": "Query" }, stage)
  };
}
function arrange(parts, { ranges, valueRange }, width) {
  const at = layout(width), { plane, apart, axis, values } = at, { side } = plane;
  const toPixel = scale([0, ranges.length[1]], [0, 0.41 * side]);
  const x = scale([0, 360], [axis.left, axis.right]), y = scale(valueRange, [values.bottom, values.top]);
  resize(parts.canvas, width, at.height);
  arrangePlane(parts.plane, plane);
  parts.lines.forEach(({ line }, i) => set(line, { transform: translate(apart.left, at.lines[i]) }));
  set(parts.apartTitle, { x: apart.left, y: apart.y - 8 });
  set(parts.apartText, { x: apart.right, y: apart.y - 8 });
  for (const part of [parts.apartTrack, parts.apartBar]) set(part, { x: apart.left, y: apart.y });
  set(parts.apartTrack, { width: apart.right - apart.left });
  set(parts.valueTitle, { x: apart.left, y: values.top - 10 });
  legend(parts.legend, [BEFORE], { x: axis.left + 16, y: values.top - 10, gap: 0 });
  set(parts.keyTitle, { x: axis.right, y: values.bottom + 38 });
  set(parts.queryLine, { y1: values.top, y2: values.bottom });
  const places = { ...at, toPixel, tallest: 0.16 * side, x, y };
  drawAxes(parts, valueRange, places);
  return places;
}
function arrangePlane(parts, { x, y, side }) {
  const box = { width: side, height: side, viewBox: `${-side / 2} ${-side / 2} ${side} ${side}` };
  set(parts.group, { transform: translate(x, y) });
  set(parts.frame, { width: side, height: side, rx: 6 });
  for (const part of [parts.clip, parts.free]) set(part, box);
  set(parts.axes, { d: `M${-side / 2} 0H${side / 2}M0 ${-side / 2}V${side / 2}` });
}
function drawAxes(parts, valueRange, { axis, values, x, y }) {
  const drawn = axes(parts.axes);
  drawn.base(axis, values.bottom);
  for (const { value, text } of ticks(valueRange, 3)) drawn.level(axis, y(value), text);
  for (const angle of [0, 90, 180, 270, 360]) drawn.stop(x(angle), values.bottom, String(angle));
}
var planePixel = ({ toPixel }, [x, y]) => [toPixel(x), -toPixel(y)];
function drawPlane({ plane, lines }, at, { ranges }, now) {
  const { query, keys } = now, { bandwidth } = now.setting, { toPixel } = at;
  const pixels = keys.map((key) => planePixel(at, key));
  const meanNorm = keys.reduce((sum, key) => sum + Math.hypot(...key), 0) / keys.length;
  const decimals = decimalsOf(ranges.bandwidth), [cx, cy] = planePixel(at, query);
  const temperature = format(bandwidth ** 2 / 2, 2 * decimals > 3 ? 3 : 2);
  lines[0].words.textContent = `Gaussian kernel, h = ${format(bandwidth, decimals)}`;
  lines[1].words.textContent = `softmax of dot products, τ = h²/2 = ${temperature}`;
  set(plane.ring, { r: toPixel(meanNorm) });
  set(plane.reach, { cx, cy, r: toPixel(bandwidth) });
  repeat(plane.dots, "circle", keys.length, (circle, k) => set(circle, { cx: pixels[k][0], cy: pixels[k][1], r: 3 }));
  drawTurn(plane, at, now);
}
function drawTurn(plane, at, { query, asked, setting: { angle, length, rotation } }) {
  const turned = rotation !== 0, visibility = turned ? "visible" : "hidden";
  const point = ([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [qx, qy] = planePixel(at, query), [ax, ay] = planePixel(at, asked);
  const radius = at.toPixel(length).toFixed(1);
  const end = planePixel(at, polar(angle + rotation, length));
  set(plane.arrow, { d: `M0 0L${point([ax, ay])}` });
  set(plane.asked, { cx: ax, cy: ay, visibility });
  set(plane.turn, {
    d: `M${point([qx, qy])}A${radius} ${radius} 0 0 ${rotation > 0 ? 0 : 1} ${point(end)}`,
    visibility
  });
  set(plane.query, { cx: qx, cy: qy, class: turned ? "query-dot left-behind" : "query-dot" });
}
function layHandles(parts, at, { ranges }, { query, keys, setting }, chosen) {
  const { x, y, side } = at.plane;
  const over = (handle, vector, reach) => {
    const [right, down] = planePixel(at, vector);
    Object.assign(handle.style, { left: `${x + side / 2 + right - reach}px`, top: `${y + side / 2 + down - reach}px` });
  };
  over(parts.handle, query, 22);
  parts.keyHandles.forEach((handle, k) => over(handle, keys[k], 12));
  const words = `${setting.angle} degrees, length ${format(setting.length, decimalsOf(ranges.length))}`;
  describe(parts.handle, setting.angle, ranges.angle, words);
  over(parts.chosenKey, keys[chosen], 12);
  const angle = Math.round(angleOf(keys[chosen])) % 360, length = format(Math.hypot(...keys[chosen]), 2);
  set(parts.chosenKey, { "aria-label": `Key ${chosen + 1} of ${keys.length}. Page Up and Page Down choose another` });
  describe(parts.chosenKey, angle, [0, 359], `${angle} degrees, length ${length}`);
}
function drawApart(parts, { apart: { left, right } }, apart) {
  parts.apartText.textContent = apart < 1e-12 ? "0 %: the same" : percent(apart);
  set(parts.apartBar, { width: apart < 1e-12 ? 0 : Math.max(apart * (right - left), 2) });
}
function columnPath(at, key, width, share) {
  const [px, py] = planePixel(at, key), norm = Math.hypot(px, py);
  const [ux, uy] = [px / norm, py / norm], [wx, wy] = [-uy * width, ux * width], [hx, hy] = [ux * share * at.tallest, uy * share * at.tallest];
  const move = (...numbers) => numbers.map((number) => number.toFixed(2)).join(" ");
  return `M${move(px - wx / 2, py - wy / 2)}l${move(hx, hy)}l${move(wx, wy)}l${move(-hx, -hy)}z`;
}
function drawBars(parts, at, { keys, weights, setting }, ghost) {
  const { bars, ghostBars } = parts.plane;
  const top = Math.max(...weights.flat(), ...ghost?.weights.flat() ?? []);
  METHODS.forEach(
    (method, i) => repeat(
      bars[i],
      "path",
      keys.length,
      (bar, k) => set(bar, { d: columnPath(at, keys[k], COLUMN[method], weights[i][k] / top) })
    )
  );
  set(parts.queryLine, { x1: at.x(setting.angle), x2: at.x(setting.angle) });
  if (!ghost) return;
  const before = ghost.weights.flatMap(
    (row, i) => row.map((weight, k) => columnPath(at, ghost.keys[k], COLUMN[METHODS[i]] + 4, weight / top))
  );
  const answers = ghost.answers.map((answer) => {
    const [x, y] = [at.x(ghost.setting.angle), at.y(answer)].map((pixel) => pixel.toFixed(1));
    return `M${x} ${y}m0 -7.5l7.5 7.5l-7.5 7.5l-7.5 -7.5z`;
  });
  set(ghostBars, { d: before.join("") });
  set(parts.ghostAnswers, { d: answers.join("") });
}
function keyMark(at, values, { keys, weights }, k) {
  const { x, y, side } = at.plane, [right, down] = planePixel(at, keys[k]);
  const [gaussian, attention] = weights.map((row) => percent(row[k]));
  const place = `key at ${Math.round(angleOf(keys[k])) % 360}°, length ${format(Math.hypot(...keys[k]), 2)}`;
  const words = `${place}: Gaussian ${gaussian}, softmax ${attention}, value ${format(values[k], 2)}`;
  return { x: x + side / 2 + right, y: y + side / 2 + down, words };
}
function markAt(at, values, now, px, py) {
  const beside = now.keys.map((key) => Math.abs(at.x(angleOf(key)) - px));
  const nearest = beside.indexOf(Math.min(...beside));
  if (py > at.values.top - 10 && px > at.axis.left - 10) {
    return py < at.values.bottom && beside[nearest] < 10 ? { ...keyMark(at, values, now, nearest), x: px, y: py } : void 0;
  }
  return now.keys.map((_, k) => keyMark(at, values, now, k)).find(({ x, y }) => Math.hypot(x - px, y - py) < 10);
}
function drawAnswers(parts, at, values, { keys, setting, answers }) {
  const x = (k) => at.x(angleOf(keys[k]));
  repeat(parts.dots, "circle", keys.length, (dot, k) => set(dot, { cx: x(k), cy: at.y(values[k]), r: 3.5 }));
  answers.forEach((answer, i) => set(parts.answers[i], { transform: translate(at.x(setting.angle), at.y(answer)) }));
}
var normsInWords = (spread) => ({ 0: "norms equal", 1: "the keys’ own norms" })[spread] ?? `${percent(spread)} of the norms’ spread`;
function sentence({ ranges }, { setting, weights, answers, apart }) {
  const { angle, length, bandwidth, spread, rotation } = setting;
  const heaviest = weights.map((each) => percent(Math.max(...each)));
  const [first, second] = answers.map((answer) => format(answer, 2));
  const opening = `${role("query", `Query at ${angle}°`)}, length ${format(length, decimalsOf(ranges.length))}; h = ${format(bandwidth, decimalsOf(ranges.bandwidth))}, τ = h²/2; ${normsInWords(spread)}, ${rotation === 0 ? `${symbolic("W_q")} = ${symbolic("W_k")}` : `${symbolic("W_q")} turns by ${format(rotation, 0)}°`}.`;
  if (apart < 1e-12) {
    return `${opening} The weights are ${role("weight", "the same")}: heaviest ${heaviest[0]}, ${role("estimate", `estimate ${first}`)}.`;
  }
  return `${opening} ${role("weight", `${percent(apart)} of the dot products’ weight`)} lies on other keys than the Gaussian’s: heaviest ${heaviest[0]} and ${heaviest[1]}, ${role("estimate", `estimates ${first} and ${second}`)}.`;
}
var isLengthOfKey = (length, [, longest]) => length > longest / 1e4 && length < 1.01 * longest;
function compute({ values }, { angle, length, bandwidth, spread, rotation, keys: given }) {
  const query = polar(angle, length);
  const asked = rotation === 0 ? query : polar(angle + rotation, length);
  const keys = keysAt(spread, given), temperature = bandwidth ** 2 / 2;
  const weights = [
    softmax(gaussianLogWeights(query, keys, bandwidth)),
    softmax(dotLogWeights(asked, keys, temperature))
  ];
  const answers = weights.map((each) => average(each, values));
  return { query, asked, keys, temperature, weights, answers, apart: totalVariation(weights[0], weights[1]) };
}
function state({ values }, { setting, query, keys, temperature, weights, answers, apart }) {
  const { angle, length, bandwidth, spread, rotation } = setting;
  return {
    query,
    query_angle: angle,
    query_length: length,
    bandwidth,
    temperature,
    spread,
    rotation,
    keys,
    values,
    total_variation: apart,
    estimate: answers[1],
    keys_for_90_percent: keysForShare(weights[1], 0.9),
    gaussian_estimate: answers[0],
    gaussian_keys_for_90_percent: keysForShare(weights[0], 0.9)
  };
}
function movedKey({ setting: { spread, keys: given }, keys }, k, [x, y], longest) {
  const length = Math.hypot(x, y);
  if (length < longest / 50) return {};
  const shrink = Math.min(1, longest / length);
  const rounded = (vector) => vector.map((number) => Number(number.toFixed(3)));
  const others = spread === 1 ? given : keys.map(rounded);
  return { keys: others.with(k, rounded([shrink * x, shrink * y])), spread: 1 };
}
function view(figure) {
  const { data, change, setting, stage } = figure, { values } = data, { angle: angleGrid, length: lengthGrid, spread: spreadGrid } = data.ranges;
  const parts = elements(stage, values.length);
  const arranged = memo((width) => arrange(parts, data, width));
  let at, chosen = 0;
  function draw(now, { width, ghost }) {
    at = arranged(width);
    drawPlane(parts, at, data, now);
    drawApart(parts, at, now.apart);
    drawBars(parts, at, now, ghost);
    drawAnswers(parts, at, values, now);
    layHandles(parts, at, data, now, chosen);
  }
  const turned = (angle) => (Math.round(angle) % 360 + 360) % 360;
  const moveTo = (vector) => change({
    // At the origin it keeps its angle.
    ...Math.hypot(...vector) > lengthGrid[2] / 2 && { angle: turned(angleOf(vector)) },
    length: Math.hypot(...vector)
  });
  const moveKey = (k, place) => {
    const now = setting();
    change(movedKey({ setting: now, keys: keysAt(now.spread, now.keys) }, k, place, lengthGrid[1]));
  };
  const choose = (k) => {
    chosen = k;
    figure.redraw();
  };
  function grab(event) {
    const { left, top } = stage.getBoundingClientRect();
    const [px, py] = [event.clientX - left, event.clientY - top];
    const { x, y, side } = at.plane, { query, keys } = figure.now;
    const held = event.target === parts.handle;
    if (!held && !(px >= x && px <= x + side && py >= y && py <= y + side)) return void 0;
    const vectorAt = (e) => [
      at.toPixel.invert(e.clientX - left - x - side / 2),
      -at.toPixel.invert(e.clientY - top - y - side / 2)
    ];
    const key = event.target === parts.chosenKey ? chosen : parts.keyHandles.indexOf(event.target), start = vectorAt(event);
    const grip = key >= 0 ? keys[key] : held ? query : start;
    if (key >= 0) choose(key);
    focus(key >= 0 ? parts.chosenKey : parts.handle);
    return (e) => {
      if (e === event && (key >= 0 || held)) return;
      const [u, v] = vectorAt(e);
      const moved = [u + grip[0] - start[0], v + grip[1] - start[1]];
      if (key >= 0) moveKey(key, moved);
      else moveTo(moved);
    };
  }
  figure.drag(stage, grab);
  arrowKeys(parts.handle, (right, up) => {
    const { angle, length } = setting();
    const turn = Number.isFinite(right) ? turned(angle - right) : right < 0 ? angleGrid[0] : angleGrid[1];
    change({ angle: turn, length: length + up * lengthGrid[2] });
  });
  arrowKeys(parts.chosenKey, (right, up) => {
    if (!Number.isFinite(right)) return;
    const { spread, keys } = setting(), key = keysAt(spread, keys)[chosen];
    moveKey(chosen, polar(angleOf(key) - right, Math.hypot(...key) + up * lengthGrid[2]));
  });
  pageKeys(parts.chosenKey, (step) => choose((chosen + step + values.length) % values.length));
  tellValues(figure, {
    find: (x, y) => markAt(at, values, figure.now, x, y),
    focused: (element) => element === parts.chosenKey ? keyMark(at, values, figure.now, chosen) : void 0
  });
  const [low, high] = spreadGrid;
  playButton(figure, {
    title: "Let the norms of the keys spread",
    pause: 60,
    frames: () => Array.from({ length: 51 }, (_, k) => ({ spread: onGrid(low + k / 50 * (high - low), spreadGrid) }))
  });
  return draw;
}
var attention_vs_gaussian_default = defineFigure("attention-vs-gaussian", {
  hint: "Drag the query, whose disc reaches as far as h, or a key. Keyboard: Tab, arrows, Page Up and Down.",
  data: (facts) => ({ ...facts, valueRange: withMargin(facts.values, 0.12) }),
  settings: ({ ranges, defaults }) => ({
    keys: listSetting(
      defaults.full_spread_keys,
      ([x, y]) => isLengthOfKey(Math.hypot(x, y), ranges.length) ? [x, y] : void 0
    )
  }),
  compute,
  state,
  sentence,
  view
});
export {
  attention_vs_gaussian_default as default,
  dotLogWeights,
  gaussianLogWeights,
  keysAt
};
