// lib/constants.json
var brightness = [0.299, 0.587, 0.114];
var grey_levels = 255;
var pilot = { bandwidth: 0.5, radius: 2 };
var steering = { analysis_radius: 5, sensitivity: 0.5, elongation: 1, regularization: 1e-7 };
var brush = { radii_per_side: 15, steps_per_radius: 2 };

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

// lib/figures/contract/sliders.js
function nameSliders(root, signal) {
  const panel2 = root.closest(".live-panel");
  if (!panel2) return false;
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
  const beside = ({ target }) => !root.contains(target);
  const observer = new MutationObserver((changes) => changes.some(beside) && name());
  observer.observe(panel2, { childList: true, subtree: true });
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
  const keep2 = () => onSite() && keepAddress(addressWith(address, settings2.write()));
  const ghost = ghostOf(compares), speech = speechOf(frame, keep2, life.signal);
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

// lib/figures/methods/random_features.js
function product(x, map, d) {
  const n = x.length / d, m = map.length / d;
  const all = new Float64Array(n * m);
  const four = m - m % 4;
  for (let i = 0; i < n; i += 1) {
    for (let j = 0; j < four; j += 4) fourInner(x, i * d, map, j * d, d, all, i * m + j);
    for (let j = four; j < m; j += 1) all[i * m + j] = inner(x, i * d, map, j * d, d);
  }
  return all;
}
function fourInner(x, a, map, p, d, all, at) {
  const q = p + d, r = q + d, s = r + d;
  let [ofP, ofQ, ofR, ofS] = [0, 0, 0, 0];
  for (let c = 0; c < d; c += 1) {
    const number = x[a + c];
    ofP += number * map[p + c];
    ofQ += number * map[q + c];
    ofR += number * map[r + c];
    ofS += number * map[s + c];
  }
  all[at] = ofP;
  all[at + 1] = ofQ;
  all[at + 2] = ofR;
  all[at + 3] = ofS;
}
function inner(x, a, y, b, d) {
  let sum = 0;
  for (let c = 0; c < d; c += 1) sum += x[a + c] * y[b + c];
  return sum;
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
var totalVariation = (weights, others) => weights.reduce((sum, weight, i) => sum + Math.abs(weight - others[i]), 0) / 2;

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

// lib/figures/one_query/methods.js
var KEPT = 4e3;
function ringsOf(radius) {
  const side = 2 * radius + 1;
  const squares = Array.from({ length: side * side }, (_, j) => {
    const [row, column] = [Math.floor(j / side) - radius, j % side - radius];
    return row * row + column * column;
  });
  const rings = [...new Set(squares)];
  return { rings, ringOf: squares.map((square) => rings.indexOf(square)) };
}
function openImage(noisy, given) {
  const { disk, radius, patch_radius } = given;
  const grey = { ...lines(noisy, radius + patch_radius), radius };
  const steering2 = steeringPlanes(noisy, disk);
  return { noisy, given, grey, steering: steering2, centre: meanToken(grey, patch_radius), ...ringsOf(radius) };
}
function withBandwidth(photo, bandwidth) {
  const at = atBandwidth(photo, bandwidth);
  return { photo, at, scratch: scratchFor(photo, at.spread.logWeights.length) };
}
function atBandwidth({ noisy, steering: steering2, given, rings }, bandwidth) {
  const { methods, frequencies, moment, keyMap, radius, patch_radius } = given, { near, self } = placesAfter(patch_radius);
  const scaled = ({ bandwidth_space, bandwidth_value, ...kernel }) => ({
    ...kernel,
    bandwidth_space: bandwidth * bandwidth_space,
    bandwidth_value: bandwidth * bandwidth_value
  });
  const windows = methods.filter(({ kernel }) => "radius" in kernel);
  const d = moment.length;
  const column = (c) => Float64Array.from(moment, (_, row) => keyMap[row * d + c] / bandwidth);
  const [ofNear, ofSelf] = [column(near), column(self)];
  const offsets = rings.map((square) => ofNear.map((n, c) => square ? -square / radius ** 2 * n : ofSelf[c]));
  const spread = spreadFrequencies(
    frequencies,
    moment.map((square) => square / bandwidth ** 2)
  );
  const ofRings = offsets.map((offset) => powers(product(offset, spread.frequencies, d), 150));
  return {
    bandwidth,
    kernels: windows.map(({ name, kernel }) => [name, windowKernel(noisy, steering2, scaled(kernel))]),
    offsets,
    ringFeatures: Float64Array.from(ofRings.flatMap(({ numbers }) => [...numbers])),
    overOfRings: ofRings.map(({ over }) => over),
    spread
  };
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
function placesAfter(patchRadius) {
  const norm = (2 * patchRadius + 1) ** 2;
  return { norm, one: norm + 1, near: norm + 2, self: norm + 3 };
}
function patchToken({ lines: [line], step }, patchRadius, place) {
  const side = 2 * patchRadius + 1, { norm, one, self } = placesAfter(patchRadius);
  const token = new Float64Array(self + 1);
  let sum = 0;
  for (let k = 0; k < norm; k += 1) {
    const [row, column] = [Math.floor(k / side) - patchRadius, k % side - patchRadius];
    token[k] = line[place + row * step + column] - 0.5;
    sum += token[k] ** 2;
  }
  token[norm] = sum / side;
  token[one] = 1;
  return token;
}
function meanToken(grey, patchRadius) {
  const sum = new Float64Array(placesAfter(patchRadius).self + 1);
  let count = 0;
  for (let place = grey.first; place < grey.stop; place += 7, count += 1) {
    patchToken(grey, patchRadius, place).forEach((number, c) => sum[c] += number);
  }
  return sum.map((number) => number / count);
}
function powers(exponents, limit) {
  const over = Math.max(exponents.reduce((a, b) => Math.max(a, b)) - limit, 0);
  return { over, numbers: exponents.map((exponent) => Math.exp(exponent - over)) };
}
function scratchFor({ grey, given: { moment }, rings }, m) {
  const rowOf = new Int32Array(grey.lines[0].length).fill(-1);
  const d = moment.length;
  const room = [KEPT * d, KEPT * m, KEPT, rings.length * m].map((n) => new Float64Array(n));
  const [keys, features, overs, askedOnRings] = room;
  return { rowOf, used: 0, d, m, keys, features, overs, askedOnRings };
}
function storedRows(prepared, places) {
  const { scratch } = prepared;
  if (scratch.used + places.length > KEPT) {
    scratch.rowOf.fill(-1);
    scratch.used = 0;
  }
  for (const place of places) if (scratch.rowOf[place] < 0) keep(prepared, place);
  return places.map((place) => scratch.rowOf[place]);
}
function keep({ photo: { grey, centre, given }, at: { bandwidth, spread }, scratch }, place) {
  const { d, m, used, keys, features, overs, rowOf } = scratch;
  const token = patchToken(grey, given.patch_radius, place).map((number, c) => number - centre[c]);
  const key = product(token, given.keyMap, d).map((number) => number / bandwidth);
  const { over, numbers } = powers(product(key, spread.frequencies, d), 350);
  keys.set(key, used * d);
  features.set(numbers, used * m);
  overs[used] = over;
  rowOf[place] = used;
  scratch.used += 1;
}
function weightsOf(prepared, pixel) {
  const { grey, given } = prepared.photo, { bandwidth, kernels } = prepared.at;
  const places = windowKeys(grey, pixel);
  const token = patchToken(grey, given.patch_radius, places[places.length >> 1]);
  token[placesAfter(given.patch_radius).self] = 1;
  const query = product(token, given.queryMap, token.length).map((number) => number / bandwidth);
  const rows = storedRows(prepared, places);
  const ofWindows = kernels.map(([name, kernel]) => [name, softmax(windowLogWeights(kernel, pixel))]);
  return {
    ...Object.fromEntries(ofWindows),
    attention: softmax(attentionLogWeights(prepared, query, rows)),
    performer: softmax(performerLogWeights(prepared, query, rows))
  };
}
function attentionLogWeights({ photo: { ringOf }, at: { offsets }, scratch: { keys, d } }, query, rows) {
  const ofOffsets = offsets.map((offset) => inner(query, 0, offset, 0, d));
  return rows.map((row, j) => inner(query, 0, keys, row * d, d) + ofOffsets[ringOf[j]]);
}
function performerLogWeights({ photo: { ringOf }, at, scratch }, query, rows) {
  const { offsets, ringFeatures, overOfRings, spread } = at, { d, m, features, overs, askedOnRings } = scratch;
  const { norms, mean } = centred(scratch, offsets, ringOf, rows);
  const fromMean = query.map((number, c) => number - mean[c]);
  const exponents = product(fromMean, spread.frequencies, d).map((exponent, l) => exponent + spread.logWeights[l]);
  const asked = powers(exponents, 200).numbers;
  for (let ring = 0; ring < askedOnRings.length; ring += m) {
    for (let l = 0; l < m; l += 1) askedOnRings[ring + l] = ringFeatures[ring + l] * asked[l];
  }
  return rows.map((row, j) => {
    const sum = inner(features, row * m, askedOnRings, ringOf[j] * m, m);
    return Math.log(sum || Number.MIN_VALUE) + overs[row] + overOfRings[ringOf[j]] - norms[j] / 2;
  });
}
function centred({ keys, d }, offsets, ringOf, rows) {
  const mean = new Float64Array(d), norms = new Float64Array(rows.length);
  for (let j = 0; j < rows.length; j += 1) {
    const offset = offsets[ringOf[j]];
    for (let c = 0; c < d; c += 1) mean[c] += (keys[rows[j] * d + c] + offset[c]) / rows.length;
  }
  for (let j = 0; j < rows.length; j += 1) {
    const offset = offsets[ringOf[j]];
    for (let c = 0; c < d; c += 1) norms[j] += (keys[rows[j] * d + c] + offset[c] - mean[c]) ** 2;
  }
  return { mean, norms };
}
var valuesOf = ({ photo: { grey } }, pixel) => windowKeys(grey, pixel).map((place) => grey.lines[0][place]);

// lib/figures/methods/base64.js
function decodeBytes(text) {
  const characters = atob(text), bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

// lib/figures/parts/shades.js
var N_SHADES = 32;
function shadedPaths(levels2, cell, count = N_SHADES) {
  const paths = Array.from({ length: count + 1 }, () => "");
  levels2.forEach((level, k) => {
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
function paint(canvas, { height, width, planes }) {
  const pixels = new ImageData(width, height);
  for (let i = 0; i < height * width; i += 1) {
    for (let c = 0; c < 3; c += 1) pixels.data[4 * i + c] = byte(planes[c % planes.length][i]);
    pixels.data[4 * i + 3] = 255;
  }
  canvas.getContext("2d").putImageData(pixels, 0, 0);
}
var greyPixel = (value) => 4278190080 + 65793 * byte(value);
function paintPixels(canvas, { height, width }, pixels) {
  const data = new Uint8ClampedArray(pixels.buffer);
  canvas.getContext("2d").putImageData(new ImageData(data, width, height), 0, 0);
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

// lib/figures/one_query/one_query.js
var NO_GUESS = "none";
function brushFor({ height, width }) {
  const { radii_per_side, steps_per_radius } = brush;
  const radius = Math.round(Math.max(height, width) / radii_per_side), step = Math.ceil(radius / steps_per_radius);
  const columns = Math.ceil(width / step), count = columns * Math.ceil(height / step);
  const dabAt = ([row, column]) => Math.floor(row / step) * columns + Math.floor(column / step);
  function along(dabs, from, to) {
    const pixels = Math.max(...from.map((start, k) => Math.abs(to[k] - start)), 1);
    const line = Array.from(
      { length: pixels + 1 },
      (_, i) => dabAt(from.map((start, k) => Math.round(start + (to[k] - start) * i / pixels)))
    );
    return [.../* @__PURE__ */ new Set([...dabs, ...line])];
  }
  function painted(dabs) {
    const mask = new Uint8Array(height * width);
    for (const dab of dabs.filter((each) => each < count)) {
      const row = Math.floor(dab / columns) * step + (step >> 1), column = dab % columns * step + (step >> 1);
      for (let r = Math.max(row - radius, 0); r <= Math.min(row + radius, height - 1); r += 1) {
        const reach = Math.floor(Math.sqrt(radius ** 2 - (r - row) ** 2));
        mask.fill(1, r * width + Math.max(column - reach, 0), r * width + Math.min(column + reach + 1, width));
      }
    }
    return mask;
  }
  return { count, along, painted };
}
var dabSetting = ({ count }) => ({
  write: (dabs) => dabs.join("."),
  read: (text) => {
    const dabs = text === "" ? [] : text.split(".").map(Number);
    return dabs.every((dab) => Number.isInteger(dab) && dab >= 0 && dab < count) ? [...new Set(dabs)] : void 0;
  }
});
var opened = (clean, noisy, given) => ({
  ...clean,
  clean,
  noisy,
  fixed: openImage(noisy, given),
  brush: brushFor(clean),
  noisyPixels: Uint32Array.from(noisy.planes[0], greyPixel)
});
function copiesOf(photo, bandwidth) {
  const prepared = withBandwidth(photo.fixed, bandwidth);
  const { methods } = photo.fixed.given;
  const size = photo.height * photo.width;
  return {
    photo,
    bandwidth,
    prepared,
    cleaned: methods.map(() => new Float64Array(size).fill(NaN)),
    pixels: methods.map(() => new Uint32Array(size)),
    // 0 where nothing has been cleaned
    nCleaned: 0
  };
}
function keepCleaned(copies, places, estimates) {
  places.forEach((place, i) => {
    estimates[i].forEach((value, k) => {
      copies.cleaned[k][place] = value;
      copies.pixels[k][place] = greyPixel(value);
    });
  });
  copies.nCleaned += places.length;
}
function resultsOf({ photo: { clean, noisy }, prepared }, query) {
  const [weights, values] = [weightsOf(prepared, query), valuesOf(prepared, query)];
  const each = (find) => Object.fromEntries(prepared.photo.given.methods.map(({ name }) => [name, find(weights[name])]));
  const [observed, truth] = [noisy, clean].map(({ planes: [plane] }) => plane[query[0] * clean.width + query[1]]);
  return {
    weights,
    shown: {
      estimate: each((of) => average(of, values)),
      keys_for_90_percent: each((of) => keysForShare(of, 0.9)),
      noisy: observed,
      clean: truth,
      misplaced: totalVariation(weights.attention, weights.performer)
    }
  };
}
function errorsOf({ photo, cleaned }, mask, methods) {
  const [truth] = photo.clean.planes;
  const found = cleaned.map((plane) => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < mask.length; i += 1) {
      if (!mask[i] || Number.isNaN(plane[i])) continue;
      sum += (plane[i] - truth[i]) ** 2;
      count += 1;
    }
    return { count, error: count ? Math.sqrt(sum / count) : null };
  });
  return {
    brushed: mask.reduce((sum, each) => sum + each, 0),
    cleaned: found[0].count,
    error: Object.fromEntries(methods.map(({ name }, k) => [name, found[k].error]))
  };
}
var AT_ONCE = 48;
function cleanerInWorker(code, task) {
  let isBusy = false;
  const next = () => {
    const message = isBusy ? void 0 : task.wanted();
    if (!message) return;
    isBusy = true;
    worker.post(message);
  };
  const listen = (data) => {
    isBusy = false;
    task.listen(data);
    next();
  };
  const worker = workerOf(code, { listen, fail: task.fail });
  return { next, end: worker.end };
}
function missing({ cleaned: [plane], photo: { width } }, mask, query) {
  const places = [];
  for (let i = 0; i < mask.length; i += 1) if (mask[i] && Number.isNaN(plane[i])) places.push(i);
  if (places.length <= AT_ONCE) return places;
  const [first] = nearest(places, query, width, 1);
  return nearest(places, [Math.floor(first / width), first % width], width, AT_ONCE);
}
function nearest(places, [row, column], width, count) {
  const far = (place) => (Math.floor(place / width) - row) ** 2 + (place % width - column) ** 2;
  let near = [];
  for (let reach = 16; near.length < count; reach *= 4) near = places.filter((place) => far(place) <= reach);
  return near.sort((a, b) => far(a) - far(b)).slice(0, count);
}
var HEAD = 36;
var GAP = 18;
var TITLE = 20;
var LINE = 19;
var NEAR = 8;
var MAP = 56;
var CROP = 32;
var SQUARE = "M1 -11h13v13h-13z";
var LEGEND_WORDS = [
  { name: "weight", words: "how much a pixel counts", d: SQUARE },
  { name: "most", words: "these count for 90 %", d: SQUARE },
  { name: "query", words: "the pixel in the middle, the query", d: SQUARE }
];
function layout(width, image, count) {
  const isNarrow = width < 700;
  const columns = width < 560 ? 2 : 3;
  const beside = isNarrow ? 0 : NEAR + MAP;
  const side = isNarrow ? (width - (columns - 1) * GAP) / columns : (width - 24 - 2 * GAP - 3 * beside) / 5;
  const longest = isNarrow ? Math.min(0.57 * width, 300) : 1.75 * side;
  const scale = longest / Math.max(image.height, image.width);
  const photo = { x: 0, y: TITLE, scale, width: scale * image.width, height: scale * image.height };
  const row = HEAD + side + (isNarrow ? NEAR + MAP + 14 : 12);
  const places = Array.from({ length: count }, (_, i) => ({
    x: i % columns * (side + beside + GAP),
    y: Math.floor(i / columns) * row
  }));
  const facts = isNarrow ? { x: 0, y: HEAD + side + NEAR } : { x: side + NEAR, y: HEAD };
  const words = Math.ceil(count / columns) * row + 4;
  const across = columns * (side + beside + GAP) - GAP, inRow = across > 590;
  const copies = { width: across, height: words + (inRow ? 1 : LEGEND_WORDS.length) * LINE };
  const aside = isNarrow ? { x: longest + 14, y: TITLE, width: width - longest - 14 } : { x: 0, y: photo.y + photo.height + 10, width: longest };
  const start = isNarrow ? { width, height: TITLE + longest } : { width: longest, height: copies.height };
  const crop = Math.min(CROP, image.height, image.width);
  return { isNarrow, side, crop, photo, places, facts, copies, start, aside, words, inRow };
}
var cropAround = ({ height, width }, [row, column], crop) => [
  [row, height],
  [column, width]
].map(([middle, length]) => clamp(middle - (crop >> 1), 0, length - crop));
function panel(copies, canvas, { name, year, title, change, chapter }, guess) {
  const picture = html("canvas", { class: `copy ${name}`, "aria-hidden": "true" }, copies);
  copies.insertBefore(picture, canvas);
  const group = svg("g", { class: `method ${name}` }, canvas);
  const date = svg("text", { class: "year", text: year }, group);
  const link = svg("a", { href: chapter + (onSite() ? ".html" : ".ipynb") }, group);
  const heading = svg("text", { class: "title", y: 14, text: `${title} ›` }, link);
  svg("text", { class: "change", y: 30, text: change }, group);
  const rim = svg("rect", { class: "rim", y: HEAD }, group);
  const here = svg("rect", { class: "frame" }, svg("svg", { class: "panel", y: HEAD }, group));
  const drawWeights = weightMap(group);
  const number = svg("text", { class: "number" }, group);
  const unit = svg("text", { class: "unit" }, group);
  const mark = svg("text", { class: "mark" }, group);
  const veil = html("button", { type: "button", class: "veil", "aria-label": `This one? ${title}` }, copies);
  html("span", { text: "This one?" }, veil);
  veil.addEventListener("click", () => guess(name));
  return {
    picture,
    veil,
    /** What depends on the width alone. */
    arrange({ x, y }, { side, facts, isNarrow }) {
      set(group, { transform: translate(x, y) });
      const isSmall = side + facts.x < 200;
      set(date, { y: 14, visibility: isSmall ? "hidden" : "visible" });
      set(heading, { x: isSmall ? 0 : 37 });
      const words = isNarrow ? { x: facts.x + MAP + 8, y: facts.y - MAP } : facts;
      [20, 35, 53].forEach((down, k) => set([number, unit, mark][k], { x: words.x, y: words.y + MAP + down }));
      for (const each of [rim, here.parentElement]) set(each, { width: side, height: side });
      for (const each of [picture, veil]) lay(each, { x, y: y + HEAD, width: side, height: side });
    },
    drawQuery({ side, crop, facts }, [row, column], weights, count) {
      const scale = side / crop;
      const size = Math.sqrt(weights.length) * scale;
      set(here, { x: (column + 0.5) * scale - size / 2, y: (row + 0.5) * scale - size / 2, width: size, height: size });
      drawWeights(weights, count, { ...facts, width: MAP });
    },
    say(off, isNearest, isGuess) {
      number.textContent = off === null ? "" : format(255 * off, 1);
      unit.textContent = off === null ? "" : "levels off";
      mark.textContent = isNearest ? "nearest" : isGuess ? "yours" : "";
      group.classList.toggle("nearest", isNearest);
    }
  };
}
function elements(stage, methods, guess) {
  const start = html("div", { class: "start" }, stage);
  const photo = html("canvas", { class: "photo", "aria-hidden": "true" }, start);
  const canvas = svg("svg", { class: "canvas" }, start);
  const copies = html("div", { class: "copies", role: "group", "aria-label": "Guess which copy is nearest" }, stage);
  const copiesCanvas = svg("svg", { class: "canvas panels" }, copies);
  const add = (tag, name, parent, attributes) => svg(tag, { class: name, ...attributes }, parent);
  const parts = { start, photo, canvas, copies, copiesCanvas };
  add("text", "title", canvas, { y: 13, text: "The noisy photograph" });
  parts.photoPanel = add("svg", "panel", canvas);
  parts.trails = ["trail-halo", "trail"].map((name) => add("path", name, parts.photoPanel));
  parts.frames = ["halo", "frame"].map((name) => add("rect", name, parts.photoPanel));
  parts.crosses = ["cross-halo", "cross"].map((name) => add("path", name, parts.photoPanel));
  parts.legend = add("g", "legend", copiesCanvas);
  parts.grip = html("div", { class: "grip" }, start);
  parts.queryHandle = html("div", QUERY_HANDLE, start);
  parts.aside = html("div", { class: "aside" }, start);
  parts.buttons = html("div", { class: "buttons" }, parts.aside);
  parts.own = html("button", { type: "button", text: "Your photograph" }, parts.aside);
  parts.verdict = html("p", { class: "verdict", "aria-hidden": "true" }, parts.aside);
  parts.note = html("p", { class: "note", role: "status" }, parts.aside);
  parts.file = html("input", { type: "file", accept: "image/*", hidden: "", "aria-label": "Your photograph" }, start);
  parts.methods = methods.map((method) => panel(copies, copiesCanvas, method, guess));
  return parts;
}
function arrange(root, parts, image, width) {
  const at = { ...layout(width, image, parts.methods.length), width, image };
  const { photo, start, copies, aside } = at;
  root.classList.toggle("narrow", at.isNarrow);
  root.classList.toggle("fine", Math.max(image.height, image.width) > 128);
  Object.assign(parts.start.style, { width: `${start.width}px`, height: `${start.height}px` });
  resize(parts.canvas, start.width, start.height);
  resize(parts.copiesCanvas, copies.width, copies.height);
  Object.assign(parts.copies.style, { width: `${copies.width}px`, height: `${copies.height}px` });
  const sized = (each, size) => each.width === size.width && each.height === size.height;
  const sizes = parts.methods.map(({ picture }) => [picture, { width: at.crop, height: at.crop }]);
  for (const [each, { width: width2, height }] of [[parts.photo, image], ...sizes]) {
    if (!sized(each, { width: width2, height })) Object.assign(each, { width: width2, height });
  }
  for (const each of [parts.photo, parts.grip]) lay(each, photo);
  set(parts.photoPanel, photo);
  legend(parts.legend, LEGEND_WORDS, { y: at.words + 13, gap: 38, width: at.inRow ? width : 0, line: LINE });
  lay(parts.aside, { ...aside, height: 0 });
  parts.methods.forEach((method, i) => method.arrange(at.places[i], at));
  return at;
}
function drawQuery(parts, { photo: { x, y, scale }, crop }, image, [row, column], observed) {
  const [top, left] = cropAround(image, [row, column], crop);
  const box = { x: left * scale, y: top * scale, width: crop * scale, height: crop * scale };
  const middle = { x: (column + 0.5) * scale, y: (row + 0.5) * scale };
  const { d, hold } = cross(5);
  parts.frames.forEach((frame) => set(frame, box));
  parts.crosses.forEach((each) => set(each, { d, transform: translate(middle.x, middle.y) }));
  lay(parts.queryHandle, { x: x + middle.x - hold, y: y + middle.y - hold, width: 2 * hold, height: 2 * hold });
  describeQuery(parts.queryHandle, image, [row, column], `noisy ${format(observed, 3)}`);
}
function drawTrail(parts, { photo: { scale } }, { height, width }, mask) {
  let d = "";
  const edge = (isOutside, line) => d += isOutside ? line : "";
  for (let i = 0; i < mask.length; i += 1) {
    if (!mask[i]) continue;
    const [row, column] = [Math.floor(i / width), i % width];
    edge(row > 0 && !mask[i - width], `M${column} ${row}h1`);
    edge(row < height - 1 && !mask[i + width], `M${column} ${row + 1}h1`);
    edge(column > 0 && !mask[i - 1], `M${column} ${row}v1`);
    edge(column < width - 1 && !mask[i + 1], `M${column + 1} ${row}v1`);
  }
  parts.trails.forEach((trail) => set(trail, { d, transform: `scale(${scale})` }));
}
function paintCopies(parts, { crop }, { photo, pixels: cleaned }, mask, query) {
  const [top, left] = cropAround(photo, query, crop), size = { height: crop, width: crop };
  parts.methods.forEach(({ picture }, k) => {
    const pixels = Uint32Array.from({ length: crop * crop }, (_, i) => {
      const place = (top + Math.floor(i / crop)) * photo.width + left + i % crop;
      return mask[place] && cleaned[k][place] || photo.noisyPixels[place];
    });
    paintPixels(picture, size, pixels);
  });
}
var ranked = (methods, { cleaned, error }) => cleaned ? [...methods].sort((a, b) => error[a.name] - error[b.name]) : [];
function verdict({ methods }, { setting: { guess }, errors }) {
  if (!guess) return "Six copies, one brush. Which is nearest to the photograph without noise? Press it.";
  const [best] = ranked(methods, errors), own = methods.find(({ name }) => name === guess);
  if (!best) return errors.brushed ? "The six methods are at work." : "Lead the brush over it.";
  const off = ({ name }) => `${format(255 * errors.error[name], 1)} grey levels off`;
  if (own === best) return `You guessed it: ${best.title} is nearest, ${off(best)}.`;
  return `${best.title} is nearest, ${off(best)}.${own ? ` Your guess, ${own.title}, is ${off(own)}.` : ""}`;
}
var levels = (error) => role("estimate", `${format(255 * error, 1)} grey levels`);
function sentence({ methods, radius, isBroken }, { setting: { guess }, query: [row, column], results, errors }) {
  const { keys_for_90_percent } = results.shown, { brushed, cleaned, error } = errors;
  if (isBroken && !cleaned) return "The six methods could not work here.";
  if (!guess)
    return `Each copy shows, enlarged, what lies in the ${role("key", "large frame")}, clean inside the ${role("query", "line of the brush")}. In the ${role("key", "small frame")} are the pixels that are averaged for ${role("query", "the one in the middle")}.`;
  if (!cleaned)
    return brushed ? "The six methods are at work." : "Lead the brush over the photograph: six copies become clean.";
  const order = ranked(methods, { cleaned, error });
  const [best, worst, own] = [order[0], order.at(-1), order.find(({ name }) => name === guess)];
  const judged = !own ? "" : own === best ? "You guessed it. " : `You guessed ${own.title}, which is off by ${levels(error[own.name])}. `;
  const counts = ({ name }) => role("weight", `${keys_for_90_percent[name]} of ${(2 * radius + 1) ** 2} pixels`);
  return `${judged}Under the brush, ${best.title} is nearest to the photograph without noise, off by ${levels(error[best.name])} of 255, and ${worst.title} is farthest, off by ${levels(error[worst.name])}. For ${role("query", `the pixel in row ${row}, column ${column}`)}, 90 % of the weight lies on ${counts(best)} with ${best.title}, and on ${counts(worst)} with ${worst.title}.`;
}
var LONGEST = 256;
var OWN_PHOTOGRAPH = "It stays on this page, in grey and with noise added. Lead the brush over it.";
var normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
async function greyPicture(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((length) => Math.max(Math.round(scale * length), 1));
  const canvas = html("canvas", { width, height });
  const context = canvas.getContext("2d");
  Object.assign(context, { imageSmoothingQuality: "high", fillStyle: "white" });
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  const grey = (_, i) => brightness.reduce((sum, share, c) => sum + share * data[4 * i + c], 0) / 255;
  return { height, width, planes: [Float64Array.from({ length: height * width }, grey)] };
}
function withPhotographs(facts) {
  const { methods, moment, disk, noise_std, radius, patch_radius } = facts;
  const [clean, noise, maps, frequencies] = [facts.clean, facts.noise, facts.maps, facts.frequencies].map(unpack);
  const [queryMap, keyMap] = maps.planes;
  const given = { methods, queryMap, keyMap, frequencies: frequencies.planes[0], moment, disk, radius, patch_radius };
  return {
    ...facts,
    clean,
    given,
    photographs: [opened(clean, withNoise(clean, noise, noise_std), given)],
    copiesOf: memo(copiesOf),
    maskOf: memo((photo, dabs) => photo.brush.painted(dabs)),
    resultsAt: memo((copies, row, column) => resultsOf(copies, [row, column])),
    isBroken: false
    // the worker
  };
}
function settings({ clean, methods }, model) {
  const ofCourse = (kind) => ({ ...kind, write: (stored) => model.get("photo") ? "" : kind.write(stored) });
  const guesses = [NO_GUESS, ...methods.map(({ name }) => name)];
  return {
    query: ofCourse(pixelSetting(clean)),
    brush: ofCourse(dabSetting(brushFor(clean))),
    guess: { write: (name) => name, read: (text) => guesses.includes(text) ? text : void 0 },
    photo: { write: () => "", read: () => void 0 }
  };
}
function compute({ photographs, copiesOf: copiesOf2, maskOf, resultsAt, methods }, setting) {
  const photo = photographs[setting.photo] ?? photographs[0], query = inside(photo, setting.query);
  const copies = copiesOf2(photo, setting.bandwidth), mask = maskOf(photo, setting.brush);
  return { photo, query, copies, mask, results: resultsAt(copies, ...query), errors: errorsOf(copies, mask, methods) };
}
var state = (_, { setting, query, results, errors }) => ({
  query,
  bandwidth: setting.bandwidth,
  guess: setting.guess,
  dabs: setting.brush,
  ...errors,
  ...results.shown
});
function letHandsScrub(figure, parts) {
  const { change, setting } = figure, { path, moves_first, photographs } = figure.data;
  let from;
  const scrub = (pixel) => {
    const { photo } = figure.now, to = inside(photo, pixel);
    change({
      guess: setting().guess || NO_GUESS,
      query: to,
      brush: photo.brush.along(setting().brush, from ?? to, to)
    });
    from = to;
  };
  figure.stage.addEventListener("pointerdown", () => from = void 0, { capture: true });
  figure.stage.addEventListener("keydown", () => from = setting().query, { capture: true });
  const { queryHandle: handle, grip } = parts;
  holdQuery(figure, { handle, pictures: [grip], image: () => figure.now.photo, move: scrub });
  const stroke = (traits) => {
    let brush2 = [];
    return path.map((query, i) => {
      brush2 = photographs[0].brush.along(brush2, path[Math.max(i - 1, 0)], query);
      return { ...traits, photo: 0, query, brush: brush2 };
    });
  };
  const frames = () => stroke({ guess: setting().guess || NO_GUESS });
  const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const isOnItsWay = () => {
    const place = ({ photo, query, brush: brush2 }) => [photo, query, brush2];
    return frames().some((frame) => isSame(place(frame), place(setting())));
  };
  const story = { title: "Lead the brush along the tripod", frames, pause: 32 };
  const { play } = playButton({ ...figure, actions: parts.buttons }, story);
  const isSent = Object.keys(readAddress(figure.model.get("address"))).length > 0;
  const first = setting();
  const isUntouched = () => isSame(setting(), first);
  if (moves_first && onSite() && !isStill() && !isSent) whenLookedAt(figure, () => isUntouched() && play(stroke({})));
  return (guess) => change({ ...isOnItsWay() ? frames().at(-1) : {}, guess });
}
var LOOKED_AT = 1200;
function whenLookedAt({ stage, signal }, act) {
  const waiting = new AbortController();
  let clock;
  const end = () => {
    clearTimeout(clock);
    seen.disconnect();
    waiting.abort();
  };
  const seen = new IntersectionObserver(
    ([{ isIntersecting }]) => {
      clearTimeout(clock);
      if (isIntersecting)
        clock = setTimeout(() => {
          end();
          act();
        }, LOOKED_AT);
    },
    { threshold: 0.6 }
  );
  for (const hand of ["pointerdown", "keydown", "hashchange"]) {
    addEventListener(hand, end, { capture: true, once: true, signal: waiting.signal });
  }
  signal.addEventListener("abort", end);
  seen.observe(stage);
}
function takePhotographs({ change, setting, data }, parts) {
  const { photographs, given, noise_std } = data;
  parts.own.addEventListener("click", () => parts.file.click());
  parts.file.addEventListener("change", async () => {
    const [file] = parts.file.files;
    parts.file.value = "";
    if (!file) return;
    try {
      const clean = await greyPicture(file);
      const noise = { ...clean, planes: [clean.planes[0].map(normal)] };
      photographs.push(opened(clean, withNoise(clean, noise, noise_std), given));
      const query = [clean.height >> 1, clean.width >> 1];
      change({ guess: setting().guess || NO_GUESS, photo: photographs.length - 1, query, brush: [] });
    } catch {
      parts.note.textContent = `Expected a picture, such as a JPEG or a PNG, got ${file.name}.`;
    }
  });
}
function view(figure) {
  const { data, root, stage } = figure, { methods, given, photographs } = data;
  root.classList.add("photograph-figure");
  const parts = elements(stage, methods, (name) => {
    guess(name);
    parts.queryHandle.focus({ preventScroll: true });
  });
  let now, coming;
  const arranged = memo((photo, width) => {
    const at = arrange(root, parts, photo, width);
    paint(parts.photo, photo.noisy);
    parts.note.textContent = photo === photographs[0] ? "" : OWN_PHOTOGRAPH;
    return at;
  });
  const paintCopiesAt = memo((at, copies, mask, query, _nCleaned) => paintCopies(parts, at, copies, mask, query));
  const drawTrailAt = memo((at, photo, mask) => drawTrail(parts, at, photo, mask));
  const drawQueryAt = memo((at, { weights, shown }, query) => {
    drawQuery(parts, at, now.photo, query, shown.noisy);
    const [top, left] = cropAround(now.photo, query, at.crop), here = [query[0] - top, query[1] - left];
    methods.forEach(
      ({ name }, k) => parts.methods[k].drawQuery(at, here, weights[name], shown.keys_for_90_percent[name])
    );
  });
  function draw(drawn, { width }) {
    now = drawn;
    const { photo, copies, mask, errors, results, setting } = now, { guess: guess2 } = setting;
    const at = arranged(photo, width);
    paintCopiesAt(at, copies, mask, now.query, copies.nCleaned);
    drawTrailAt(at, photo, mask);
    drawQueryAt(at, results, now.query);
    root.classList.toggle("veiled", !guess2);
    const [nearest2] = guess2 ? ranked(methods, errors) : [];
    methods.forEach(
      (method, k) => parts.methods[k].say(guess2 ? errors.error[method.name] : null, method === nearest2, method.name === guess2)
    );
    parts.verdict.textContent = verdict(data, now);
    stage.classList.toggle("stale", errors.cleaned < errors.brushed && !data.isBroken);
    cleaner.next();
  }
  const cleaner = cleanerInWorker(data.worker_code, {
    sent: void 0,
    // the photograph that the worker has
    wanted() {
      const { photo, copies, mask, query } = now;
      const pixels = missing(copies, mask, query);
      if (!pixels.length) return void 0;
      const open = this.sent === photo ? void 0 : { noisy: photo.noisy, given };
      this.sent = photo;
      return { run: photographs.indexOf(photo), open, bandwidth: copies.bandwidth, pixels };
    },
    listen({ run, bandwidth, pixels, estimates }) {
      const { copies } = now;
      if (photographs[run] !== copies.photo || bandwidth !== copies.bandwidth) return;
      keepCleaned(copies, pixels, estimates);
      cancelAnimationFrame(coming);
      coming = requestAnimationFrame(figure.redraw);
    },
    fail() {
      data.isBroken = true;
      figure.redraw();
    }
  });
  const guess = letHandsScrub(figure, parts);
  takePhotographs(figure, parts);
  figure.signal.addEventListener("abort", () => {
    cancelAnimationFrame(coming);
    cleaner.end();
  });
  return draw;
}
var one_query_default = defineFigure("one-query", {
  hint: "Lead the brush with mouse or finger. Keyboard: Tab, arrow keys; with Shift, ten pixels at a time.",
  data: withPhotographs,
  settings,
  compute,
  state,
  sentence,
  view
});
export {
  one_query_default as default
};
