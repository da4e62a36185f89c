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
var roundPercent = (share) => percent(share).replace(".0", "");
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
function withMargin(numbers, share) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const margin = share * (high - low) || 1;
  return [low - margin, high + margin];
}
var ENDS = [1, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01];
var axisEnd = (largest, ends = ENDS) => ends.findLast((end) => end >= largest);
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
var totalVariation = (weights, others) => weights.reduce((sum, weight, i) => sum + Math.abs(weight - others[i]), 0) / 2;

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

// lib/figures/attention/attention.js
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
function weightsOf({ frames: { queries, keys }, frequencies }, temperature, mask, wq1, wq2, wk1, wk2, back) {
  const visible = (i) => mask === "causal" ? (j) => j <= i : () => true;
  const map = (token, stretches, turn) => wq1 === void 0 ? token : mappedPairs(token, frequencies, stretches, turn);
  const matrices = queries.map((tokens, frame) => {
    const mapped = keys[frame].map((token) => map(token, [wk1, wk2], 0));
    return tokens.map(
      (token, i) => softmax(rowLogWeights(map(token, [wq1, wq2], back), mapped, temperature, visible(i)))
    );
  });
  return { matrices, darkest: Math.max(...matrices.map(typicalLargest)) };
}
function typicalLargest(matrix) {
  const largest = matrix.map((row) => Math.max(...row)).sort((a, b) => a - b);
  return largest[Math.floor(largest.length / 2)];
}
function withWeights(facts) {
  const [{ length: nQueries }] = facts.frames.queries, [{ length: nKeys }] = facts.frames.keys;
  return {
    ...facts,
    nQueries,
    nKeys,
    sameLength: nQueries === nKeys,
    weightsOf: memo((...setting) => weightsOf(facts, ...setting))
  };
}
function compute({ values, reference, frame_labels, frame_name, weightsOf: weightsOf2 }, setting) {
  const { query, temperature, mask = "none", wq1, wq2, wk1, wk2, back } = setting;
  const frame = Math.max(frame_labels.indexOf(setting[frame_name]), 0);
  const { matrices, darkest } = weightsOf2(temperature, mask, wq1, wq2, wk1, wk2, back);
  const matrix = matrices[frame], row = matrix[query];
  const estimates = matrix.map((each) => average(each, values));
  return {
    query,
    frame,
    mask,
    matrix,
    darkest,
    row,
    estimates,
    results: {
      estimate: estimates[query],
      keys_for_90_percent: keysForShare(row, 0.9),
      heaviest_key: indexOfLargest(row),
      ...reference.length && { total_variation: totalVariation(reference[query], row) }
    }
  };
}
function state({ frame_name, frame_labels, frequencies }, { setting, frame, mask, results }) {
  const { query, temperature, wq1, wq2, wk1, wk2, back } = setting;
  const maps = { query_stretches: [wq1, wq2], key_stretches: [wk1, wk2], look_back: back };
  return {
    ...frequencies.length && maps,
    query,
    temperature,
    mask,
    [frame_name]: frame_labels[frame],
    ...results
  };
}
function layout(width) {
  const narrow = width < 560;
  const matrix = { x: 40, y: 30, side: narrow ? width - 54 : clamp(width - 524, 200, 330) };
  const left = narrow ? 44 : matrix.x + matrix.side + 70;
  const top = narrow ? matrix.y + matrix.side + 84 : matrix.y;
  const height = narrow ? 230 : matrix.side;
  const values = { top, bottom: top + 0.52 * height };
  const weights = { top: values.bottom + 34, bottom: top + height };
  return { width, narrow, matrix, left, right: width - 12, values, weights, height: weights.bottom + 46 };
}
function elements(stage) {
  const { canvas, add } = drawing(stage);
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
function drawLegend(parts, { targets, target_label }, { left, values, narrow }) {
  const line = { d: "M0 -4.5H17" };
  const entries = [
    { name: "value", words: "value", shape: "circle", cx: 8, cy: -4.5, r: 4 },
    { name: "estimate", words: "estimate", d: "M0 -4.5H16" },
    ...targets.length ? [{ name: "target", words: target_label, ...line }] : [],
    BEFORE
  ];
  legend(parts.legend, entries, {
    x: narrow ? 0 : left,
    y: values.top - 12,
    gap: 30,
    label: { class: "title", x: 22 }
  });
}
function drawMatrix(parts, { nKeys, values, sameLength }, { x, y }, matrix, darkest) {
  const estimates = matrix.map((row) => average(row, values));
  const levels = matrix.flat().map((weight) => Math.min(weight / darkest, 1));
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
function sentence({ frequencies, frame_labels, frame_name }, { setting, frame, mask, row, results }) {
  const { query, temperature, wq1, wq2, wk1, wk2, back } = setting, { estimate, keys_for_90_percent, heaviest_key, total_variation } = results;
  const list = (...stretches) => `(${stretches.map((each) => format(each, 1)).join(", ")})`;
  const maps = frequencies.length ? `${symbolic("W_q")} ${list(wq1, wq2)}, ${symbolic("W_k")} ${list(wk1, wk2)}, looks back ${format(back, 0)}, ` : "";
  const shown = maps + (frame_labels.length > 1 ? `${frame_name} ${frame_labels[frame]}, ` : "");
  const opening = `${shown}τ = ${format(temperature, 2)}${mask === "none" ? "" : `, ${mask} mask`}. ${role("query", `Query ${query}`)}`;
  const capital = opening[0].toUpperCase() + opening.slice(1);
  const seen = row.filter((weight) => weight > 0).length;
  const many = keys_for_90_percent === 1 ? "1 key" : `${keys_for_90_percent} of ${seen} keys`;
  const closing = total_variation === void 0 ? "" : ` ${role("weight", percent(total_variation))} of the weight differs from the dotted line.`;
  return `${capital} takes 90 % of its weight from ${role("weight", many)}; the heaviest is ${role("key", `key ${heaviest_key}`)} with ${role("weight", percent(row[heaviest_key]))}. ${role("estimate", `Estimate ${format(estimate, 2)}`)}.${closing}`;
}
function view(figure) {
  const { data, change, setting, stage } = figure, { frame_labels, frame_name, reference, nQueries } = data;
  const parts = elements(stage);
  const arranged = memo((width) => arrange(parts, data, width));
  const drawMatrixAt = memo((at2, matrix, darkest) => drawMatrix(parts, data, at2, matrix, darkest));
  const drawGhostAt = memo((at2, ghost) => ghost && drawGhost(parts, data, at2, ghost));
  let at;
  function draw({ query, matrix, darkest, row, estimates }, { width, ghost }) {
    at = arranged(width);
    drawMatrixAt(at, matrix, darkest);
    drawGhostAt(at, ghost);
    drawRowFrame(parts, data, at, query);
    drawWeights(parts, at, row, reference.length ? reference[query] : [], ghost?.row);
    drawAnswer(parts, data, at, query, estimates[query]);
  }
  function grab(event) {
    const { left, top } = stage.getBoundingClientRect(), { matrix } = at;
    const rowAt = (e) => Math.floor((e.clientY - top - matrix.y) / matrix.side * nQueries);
    const across = event.clientX - left, down = event.clientY - top;
    const onMatrix = across <= matrix.x + matrix.side && down >= matrix.y && down <= matrix.y + matrix.side;
    if (!onMatrix && event.target !== parts.queryHandle) return void 0;
    focus(parts.queryHandle);
    return (e) => change({ query: rowAt(e) });
  }
  figure.drag(stage, grab);
  arrowKeys(parts.queryHandle, (right, up) => {
    if (!Number.isFinite(right)) return change({ query: right < 0 ? 0 : nQueries - 1 });
    const frame = clamp(figure.now.frame + Math.sign(right), 0, frame_labels.length - 1);
    change({
      query: setting().query - up,
      ...frame_labels.length > 1 && { [frame_name]: frame_labels[frame] }
    });
  });
  const mark = (j) => keyMark(data, at, figure.now, j);
  const keys = reader(figure, { label: "Keys of the query", count: () => data.nKeys, mark });
  tellValues(figure, {
    find: (x, y) => markAt(data, at, figure.now, x, y),
    focused: (element) => element === keys.element ? keys.mark() : void 0
  });
  if (frame_name === "step") {
    const frames = () => frame_labels.map((label) => ({ [frame_name]: label }));
    playButton(figure, { title: "Train: show the steps one after the other", pause: 700, frames });
  }
  return draw;
}
var attention_default = defineFigure("attention", {
  hint: ({ frame_labels, frame_name }) => frame_labels.length > 1 ? `Press on a row, or drag it. Keyboard: Tab, then up and down choose the row, left and right the ${frame_name}.` : "Press on a row, or drag it. Keyboard: Tab, then up and down.",
  data: withWeights,
  compute,
  state,
  sentence,
  view
});
export {
  attention_default as default,
  mappedPairs,
  rowLogWeights
};
