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

// lib/constants.json
var grey_levels = 255;
var pilot = { bandwidth: 0.5, radius: 2 };
var steering = { analysis_radius: 5, sensitivity: 0.5, elongation: 1, regularization: 1e-7 };

// lib/figures/methods/filters.js
function mirrored(index, length) {
  const period = Math.max(2 * (length - 1), 1);
  const folded = Math.abs(index) % period;
  return Math.min(folded, period - folded) % length;
}
var { sensitivity: SENSITIVITY, elongation: REGULARIZATION, regularization: FLAT } = steering;
var PILOT = Array.from({ length: 2 * pilot.radius + 1 }, (_, k) => k - pilot.radius);
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

// lib/figures/methods/irregular.js
var LEAST = 0.8 * -1022 * Math.LN2;
var RIDGE = 1 + 1e-10;
var CIRCLE = [1, 0, 1, 0];
function openSamples({ height, width, values, known }, { radius, disk, sensitivity }, bandwidth) {
  const reach = disk.length >> 1, area = disk.flat().reduce((a, b) => a + b, 0);
  const slopes = [], metrics = [];
  const border = Math.max(radius, reach);
  const folded = (length) => Int32Array.from({ length: length + 2 * border }, (_, i) => mirrored(i - border, length));
  const [rowAt, columnAt] = [folded(height), folded(width)];
  function around(place, reach2, see) {
    const row = Math.floor(place / width), column = place - row * width;
    for (let down = -reach2; down <= reach2; down += 1) {
      const first = width * rowAt[row + down + border];
      for (let right = -reach2; right <= reach2; right += 1) see(first + columnAt[column + right + border], down, right);
    }
  }
  const slopeAt = (place) => slopes[place] ??= planeAt(place, bandwidth, circle).slope;
  function metricAt(place) {
    const gradients = [];
    let [rows, mixed, columns] = [0, 0, 0];
    around(place, reach, (near, down, right) => {
      const share = disk[down + reach][right + reach];
      if (share === 0) return;
      const slope = slopeAt(near), a = grey_levels * share * slope[0], b = grey_levels * share * slope[1];
      gradients.push([a, b]);
      rows += a * a;
      mixed += a * b;
      columns += b * b;
    });
    const along = (angle) => Math.hypot(...gradients.map(([a, b]) => Math.cos(angle) * b - Math.sin(angle) * a));
    return steeringMatrix([rows, mixed, columns], along, area, sensitivity);
  }
  const circle = () => CIRCLE, ellipse = (place) => metrics[place] ??= metricAt(place);
  function planeAt(place, h, metric) {
    const weights = [];
    let [cc, cr, c, rr, r, n, vc, vr, v] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
    around(place, radius, (key, row, column) => {
      if (!known[key]) return weights.push(0);
      const matrix = metric(key);
      const squared = matrix[0] * row * row + 2 * matrix[1] * row * column + matrix[2] * column * column;
      const weight = Math.exp(Math.max(matrix[3] - squared / (2 * h * h), LEAST));
      weights.push(weight);
      cc += weight * column * column;
      cr += weight * column * row;
      c += weight * column;
      rr += weight * row * row;
      r += weight * row;
      n += weight;
      vc += weight * column * values[key];
      vr += weight * row * values[key];
      v += weight * values[key];
    });
    return { ...solved([cc, cr, c, rr, r, n], [vc, vr, v]), weights };
  }
  return { planeAt: (place, h, kernel) => planeAt(place, h, kernel === "circles" ? circle : ellipse) };
}
function solved([cc, cr, c, rr, r, n], [vc, vr, v]) {
  const column = cc * RIDGE;
  const [row, rowOne, rowValue] = [rr * RIDGE - cr / column * cr, r - cr / column * c, vr - cr / column * vc];
  const [one, oneValue] = [n - c / column * c, v - c / column * vc];
  const height = (oneValue - rowOne / row * rowValue) / (one - rowOne / row * rowOne);
  const down = (rowValue - rowOne * height) / row;
  return { height, slope: [down, (vc - cr * down - c * height) / column] };
}

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

// lib/figures/methods/weights.js
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

// lib/figures/inpainting/inpainting.js
var TITLE = 26;
var LEGEND = 28;
var WHITE = 1;
function layout(width, { height: rows, width: columns }) {
  const isNarrow = width < 640;
  const side = isNarrow ? (width - 16) / 2 : (width - 32) / 3, scale = side / Math.max(rows, columns);
  const photo = { x: 0, y: TITLE, width: scale * columns, height: scale * rows, scale };
  const lower = TITLE + photo.height + 34;
  const heat = isNarrow ? { x: 0, y: lower, width: 0.66 * width } : { x: side + 16, y: TITLE, width: side };
  const bottom = heat.y + heat.width;
  const height = bottom + (isNarrow ? 2 : 1) * LEGEND;
  return { photo, filled: { ...photo, x: width - photo.width }, heat, bottom, height };
}
function elements(stage, { height, width }) {
  const picture = (name) => html("canvas", { class: name, width, height, "aria-hidden": "true" }, stage);
  const [photo, filled] = ["photo", "filled"].map(picture);
  const { canvas, add } = drawing(stage);
  const parts = { photo, filled, canvas };
  for (const name of ["photo", "weight", "filled"]) parts[`${name}Title`] = add("text", `title ${name}`);
  for (const name of ["weight", "filled"]) parts[`${name}Note`] = add("text", "note");
  parts.weightTitle.textContent = "weights";
  parts.panel = add("svg", "panel");
  parts.frames = ["halo", "frame"].map((name) => add("rect", name, {}, parts.panel));
  parts.crosses = ["cross-halo", "cross"].map((name) => add("path", name, {}, parts.panel));
  parts.drawWeights = weightMap(canvas);
  parts.samples = add("g", "samples");
  parts.grips = { photo: add("rect", "grip"), filled: add("rect", "grip") };
  parts.mark = add("g", "mark");
  for (const name of ["mark-halo", "mark-ring"]) add("circle", name, { r: 6 }, parts.mark);
  parts.legend = add("g", "legend");
  parts.queryHandle = html("div", QUERY_HANDLE, stage);
  return parts;
}
var LEGEND_WORDS = legendWith({ name: "sample", words: "known pixel", shape: "circle", r: 5, cx: 8, cy: -5 });
function arrange(parts, image, width) {
  const at = layout(width, image);
  resize(parts.canvas, width, at.height);
  for (const name of ["photo", "filled"]) {
    const { x: x2, y: y2, width: across2, height: down2 } = at[name];
    set(parts.grips[name], { x: x2, y: y2, width: across2, height: down2 });
    lay(parts[name], at[name]);
  }
  const { x, y, width: across, height: down } = at.photo;
  set(parts.panel, { x, y, width: across, height: down });
  for (const [name, box] of Object.entries({ photo: at.photo, weight: at.heat, filled: at.filled })) {
    set(parts[`${name}Title`], { x: box.x, y: box.y - 10 });
    if (name !== "photo") set(parts[`${name}Note`], { x: box.x + box.width, y: box.y - 10 });
  }
  legend(parts.legend, LEGEND_WORDS, { y: at.bottom + 23, gap: 38, width, line: 20 });
  return at;
}
function drawQuery(parts, at, { image, samples, radius, query, weights, count, estimate }, ghost) {
  const side = 2 * radius + 1, { scale } = at.photo, [row, column] = query;
  const [x, y] = [(column + 0.5) * scale, (row + 0.5) * scale];
  const corner = { x: x - side / 2 * scale, y: y - side / 2 * scale, width: side * scale, height: side * scale };
  for (const frame of parts.frames) set(frame, corner);
  const { d, hold } = cross(side / 2 * scale);
  for (const each of parts.crosses) set(each, { d, transform: translate(x, y) });
  set(parts.mark, { transform: translate(at.filled.x + x, at.filled.y + y) });
  lay(parts.queryHandle, { x: x - hold, y: at.photo.y + y - hold, width: 2 * hold, height: 2 * hold });
  describeQuery(parts.queryHandle, image, query, `estimate ${format(estimate, 3)}`);
  parts.drawWeights(weights, count, at.heat, ghost);
  parts.weightNote.textContent = `up to ${percent(Math.max(...weights))}`;
  const keys = [...weights.keys()].filter((k) => weights[k] > 0), cell = at.heat.width / side;
  repeat(parts.samples, "circle", keys.length, (dot, i) => {
    const [down, right] = [Math.floor(keys[i] / side), keys[i] % side];
    const [r, c] = [mirrored(row + down - radius, image.height), mirrored(column + right - radius, image.width)];
    const [cx, cy] = [at.heat.x + (right + 0.5) * cell, at.heat.y + (down + 0.5) * cell];
    set(dot, { cx, cy, r: 0.27 * cell, style: `fill: ${color([samples.values[r * image.width + c]])}` });
  });
}
var decibels = (value) => value === null ? "…" : `${format(value, 1)} dB`;
function sentence(_, { setting, query: [row, column], nKnown, count, estimate, truth, psnr }) {
  const { missing, kernel } = setting;
  const errors = `circles ${decibels(psnr.circles)}, ellipses ${decibels(psnr.ellipses)}`;
  return `${missing} % missing, filled in with ${kernel}, h = ${format(setting[kernel], 1)}. ${role("query", `Query: row ${row}, column ${column}`)}. It takes 90 % of its weight from ${role("weight", `${count} of ${nKnown} known pixels`)}. ${role("estimate", `Estimate ${format(estimate, 3)}`)}, true ${format(truth, 3)}. Missing pixels: ${errors}.`;
}
function withSamples(facts) {
  const image = unpack(facts.picture), steps = decodeBytes(facts.steps);
  const samplesAt = memo((missing) => {
    const known = Uint8Array.from(steps, (most) => Number(most >= missing));
    return { ...image, known, values: image.planes[0].map((value, i) => known[i] ? value : WHITE) };
  });
  const planesOf = memo((samples, bandwidth) => openSamples(samples, facts.fit, bandwidth));
  return { ...facts, image, samplesAt, planesOf, filled: void 0 };
}
function psnrOf(values, { planes: [truth] }, known) {
  const squares = truth.map((value, i) => known[i] ? 0 : (values[i] - value) ** 2);
  const nMissing = known.reduce((sum, each) => sum - each, known.length);
  return -10 * Math.log10(squares.reduce((a, b) => a + b, 0) / nMissing);
}
function compute({ image, fit, samplesAt, planesOf }, setting) {
  const { missing, kernel, circles } = setting, query = inside(image, setting.query), samples = samplesAt(missing);
  const place = query[0] * image.width + query[1];
  const plane = planesOf(samples, circles).planeAt(place, setting[kernel], kernel);
  const weights = normalized(plane.weights);
  return {
    image,
    samples,
    radius: fit.radius,
    query,
    weights,
    estimate: plane.height,
    truth: image.planes[0][place],
    count: keysForShare(weights, 0.9),
    nKnown: weights.filter((weight) => weight > 0).length,
    psnr: { circles: null, ellipses: null }
    // until the worker has answered
  };
}
var state = (_, { setting, query, estimate, truth, count, nKnown, psnr }) => ({
  query,
  missing: setting.missing,
  kernel: setting.kernel,
  bandwidth: setting[setting.kernel],
  circles_bandwidth: setting.circles,
  ellipses_bandwidth: setting.ellipses,
  view: setting.view,
  estimate,
  truth,
  keys_for_90_percent: count,
  n_keys: nKnown,
  circles_psnr: psnr.circles,
  ellipses_psnr: psnr.ellipses
});
function fillerInWorker({ worker_code, fit }, { listen, fail }) {
  let worker, asked, wanted;
  function go() {
    if (asked || !wanted) return;
    [asked, wanted] = [wanted, void 0];
    worker.post({ samples: asked.samples, fit, bandwidths: asked.bandwidths });
  }
  function answer(filled) {
    const order = asked;
    asked = void 0;
    listen(order, filled);
    go();
  }
  const want = memo((samples, circles, ellipses) => {
    worker ??= workerOf(worker_code, { listen: answer, fail });
    wanted = { samples, bandwidths: { circles, ellipses } };
    go();
    return wanted ?? asked;
  });
  return { want, end: () => worker?.end() };
}
function view(figure) {
  const { data, root, stage } = figure, { image } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, image);
  const arranged = memo((width) => arrange(parts, image, width));
  const paintPhoto = memo((plane) => paint(parts.photo, { ...image, planes: [plane] }));
  const paintFilled = memo((plane) => paint(parts.filled, { ...image, planes: [plane] }));
  const filler = fillerInWorker(data, {
    listen(order, { circles, ellipses }) {
      const psnr = { circles, ellipses };
      for (const name of ["circles", "ellipses"]) psnr[name] = psnrOf(psnr[name], image, order.samples.known);
      data.filled = { order, circles, ellipses, psnr };
      figure.redraw();
    },
    fail() {
      data.isBroken = true;
      figure.redraw();
    }
  });
  function draw(now, { width, ghost }) {
    const { samples, setting } = now, { kernel, view: view2 } = setting;
    const at = arranged(width);
    const order = filler.want(samples, setting.circles, setting.ellipses);
    const isHere = data.filled?.order === order;
    if (isHere) now.psnr = data.filled.psnr;
    paintPhoto(view2 === "photograph" ? image.planes[0] : samples.values);
    paintFilled(data.filled?.[kernel] ?? samples.values);
    parts.filled.classList.toggle("stale", !isHere && !data.isBroken);
    stage.classList.toggle("stale", !isHere && !data.isBroken);
    parts.photoTitle.textContent = view2 === "known" ? "known pixels" : view2;
    parts.filledTitle.textContent = kernel;
    parts.filledNote.textContent = decibels(now.psnr[kernel]);
    drawQuery(parts, at, now, ghost);
  }
  holdQuery(figure, {
    handle: parts.queryHandle,
    image: () => image,
    pictures: [parts.grips.photo, parts.grips.filled],
    move: (pixel) => figure.change({ query: inside(image, pixel) })
  });
  figure.signal.addEventListener("abort", filler.end);
  return draw;
}
var inpainting_default = defineFigure("inpainting", {
  hint: "Drag the cross. Keyboard: Tab, arrows. More dB: nearer to the photograph.",
  data: withSamples,
  settings: ({ image }) => ({ query: pixelSetting(image) }),
  compute,
  state,
  sentence,
  view
});
export {
  inpainting_default as default
};
