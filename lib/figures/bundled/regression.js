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
var LETTER = 7.3;
var widthOfWords = (words, size = 13) => LETTER / 13 * size * words.length;
function layPill({ pill, pillLabel }, words, pixel, end) {
  const width = widthOfWords(words) + 26;
  const x = Math.min(Math.max(pixel - width / 2, 1), end - width);
  set(pill, { x, width });
  set(pillLabel, { x: x + width / 2 });
  pillLabel.textContent = words;
}
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
var sliderOf = (root, name) => root.closest(".live-panel")?.querySelector(`.${name} .noUi-handle`);
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

// lib/figures/methods/weights.js
function softmax(logWeights2) {
  const largest = logWeights2.reduce((a, b) => Math.max(a, b), -Infinity);
  const origin = Number.isFinite(largest) ? largest : 0;
  return normalized(logWeights2.map((logWeight) => Math.exp(logWeight - origin)));
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

// lib/figures/regression/regression.js
var HIT = { mouse: 10, touch: 16 };
function logWeights(query, keys, { kernel, bandwidth, temperature }) {
  if (kernel === "softmax-dot") return keys.map((key) => query * key / temperature);
  return logKernel(query, keys, bandwidth, kernel);
}
function estimate(query, setting) {
  return average(softmax(logWeights(query, setting.keys, setting)), setting.values);
}
function layout(width) {
  const narrow = width < 520;
  const left = 44, right = width - 14, dataTop = 60;
  const dataBottom = dataTop + (narrow ? 210 : clamp(width - 576, 160, 270));
  const weightTop = dataBottom + 38;
  const weightBottom = weightTop + (narrow ? 84 : 74);
  const columns = [];
  for (let pixel = left; pixel <= right; pixel += 1) columns.push(pixel);
  const height = weightBottom + 46;
  return { width, height, narrow, left, right, dataTop, dataBottom, weightTop, weightBottom, columns };
}
function elements(stage, { key_label }) {
  const { canvas, add } = drawing(stage);
  const parts = {
    canvas,
    band: add("rect", "band"),
    axes: add("g", "axes"),
    halos: add("g", "halos"),
    truth: add("path", "truth"),
    ghostCurve: add("path", "ghost"),
    curve: add("path", "curve"),
    dots: add("g", "dots"),
    rug: add("path", "rug"),
    weightPanel: add("svg", "weight-panel"),
    weightTick: add("text", "tick left"),
    reachLine: add("path", "reach-line"),
    reachLabel: add("text", "note"),
    queryLine: add("line", "query-line"),
    ghostDiamond: add("path", "ghost", { d: diamond(8) }),
    answer: add("g", "answer"),
    nothing: add("text", "note nothing", { text: "no key in reach" }),
    reachHandle: add("circle", "reach-handle", { r: 6 }),
    hits: add("g", "hits"),
    queryHandle: add("g", "query-handle", { role: "slider", tabindex: 0, "aria-label": "Query" }),
    keyHandle: add("g", "key-handle", { role: "slider", tabindex: 0 }),
    legend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight", x: 0 }),
    keyTitle: add("text", "title key", { text: key_label })
  };
  parts.answerLine = svg("line", { class: "answer-line" }, parts.answer);
  parts.diamond = svg("path", { class: "diamond", d: diamond(7.5) }, parts.answer);
  parts.answerPill = svg("rect", { class: "answer-pill", x: 0, height: 20, rx: 10 }, parts.answer);
  parts.answerLabel = svg("text", { class: "answer-label" }, parts.answer);
  parts.profile = svg("path", { class: "profile" }, parts.weightPanel);
  parts.stems = svg("path", { class: "stems" }, parts.weightPanel);
  parts.ghostProfile = svg("path", { class: "ghost" }, parts.weightPanel);
  parts.pill = svg("rect", { class: "pill", y: 28, height: 24, rx: 12 }, parts.queryHandle);
  parts.pillLabel = svg("text", { class: "pill-label", y: 44.5 }, parts.queryHandle);
  svg("circle", { class: "ring", r: 10 }, parts.keyHandle);
  return parts;
}
function arrange(parts, data, width) {
  const at = layout(width);
  const x = scale(data.key_grid, [at.left, at.right]), y = scale(data.value_grid, [at.dataBottom, at.dataTop]);
  resize(parts.canvas, width, at.height);
  set(parts.weightPanel, { x: 0, y: at.weightTop, width, height: at.weightBottom - at.weightTop });
  set(parts.weightTick, { x: at.left - 8, y: at.weightTop + 10 });
  set(parts.weightTitle, { y: at.weightTop - 10 });
  set(parts.keyTitle, { x: at.right, y: at.height - 6 });
  set(parts.queryLine, { y1: 52, y2: at.weightBottom });
  const places = { ...at, x, y };
  drawAxes(parts, data, places);
  drawTruth(parts, data, places);
  drawLegend(parts, data, at.narrow);
  return places;
}
function drawAxes(parts, { key_grid, value_grid }, at) {
  const axis = axes(parts.axes);
  for (const { value, text } of ticks(value_grid, at.narrow ? 4 : 5)) axis.level(at, at.y(value), text);
  for (const { value, text } of ticks(key_grid, at.narrow ? 5 : 9)) axis.stop(at.x(value), at.weightBottom, text);
  axis.base(at, at.weightBottom);
  axis.line("grid", at.left, at.weightTop + 6, at.right, at.weightTop + 6);
}
function drawTruth(parts, { truth }, { left, right, y }) {
  const points = truth.map((value, i) => [left + i / (truth.length - 1) * (right - left), y(value)]);
  set(parts.truth, { d: path(points) });
}
function drawLegend(parts, { truth, value_label }, isNarrow) {
  const entries = [
    { name: "value", words: value_label, shape: "circle", cx: 8, cy: -4.5, r: 4 },
    { name: "estimate", words: "estimate", d: "M-8 0H8M0 -5L5 0L0 5L-5 0Z", transform: "translate(8 -4.5)" },
    ...truth.length ? [{ name: "truth", words: "truth", d: "M0 -4.5H17" }] : [],
    BEFORE
  ];
  legend(parts.legend, entries, { y: 14, gap: isNarrow ? 40 : 44, label: { class: "title", x: 22 } });
}
function curveOf({ x, y, columns }, setting) {
  const everySecond = columns.filter((_, i) => i % 2 === 0);
  return path(everySecond.map((pixel) => [pixel, y(estimate(x.invert(pixel), setting))]));
}
function drawData(parts, at, setting) {
  const { x, y, dataBottom } = at, { keys, values } = setting;
  set(parts.curve, { d: curveOf(at, setting) });
  set(parts.rug, { d: keys.map((key) => `M${x(key).toFixed(1)} ${dataBottom + 5}v9`).join("") });
  for (const [group, r] of [
    [parts.halos, 0],
    [parts.dots, 4],
    [parts.hits, HIT.mouse]
  ]) {
    repeat(group, "circle", keys.length, (circle, i) => set(circle, { cx: x(keys[i]), cy: y(values[i]), r }));
  }
}
function drawHalos(parts, { weights, keys_for_90_percent }) {
  const largest = Math.max(...weights), heaviest = [...weights.keys()].sort((a, b) => weights[b] - weights[a]).slice(0, keys_for_90_percent);
  weights.forEach((weight, i) => {
    const radius = Math.sqrt(weight / (largest || 1));
    set(parts.halos.children[i], { r: 13 * radius, class: heaviest.includes(i) ? "counted" : "" });
    set(parts.dots.children[i], { "fill-opacity": radius });
  });
}
function drawWeights(parts, { x, columns, weightTop, weightBottom }, now, ghost) {
  const largest = Math.max(...now.weights, ...ghost?.weights ?? []);
  const top = axisEnd(largest || 1), height = weightBottom - weightTop;
  const z = scale([0, top], [height, 6]);
  parts.weightTick.textContent = roundPercent(top);
  const stems = now.setting.keys.map((key, i) => now.weights[i] > 0 ? stem(x(key), height, z(now.weights[i])) : "");
  set(parts.stems, { d: stems.join("") });
  const above = 2 * top;
  const shape = (mark) => {
    const heights = profile(columns.map(x.invert), mark);
    return path(columns.map((pixel, i) => [pixel, z(Math.min(heights[i], above))]));
  };
  set(parts.profile, { d: shape(now) });
  if (ghost) set(parts.ghostProfile, { d: shape(ghost) });
}
function profile(places, { setting, logs, weights }) {
  const largest = Math.max(...weights), largestLog = logs[weights.indexOf(largest)];
  return logWeights(setting.query, places, setting).map(
    (log) => largest > 0 ? largest * Math.exp(log - largestLog) : NaN
  );
}
var hasReach = (kernel) => kernel !== "softmax-dot" && kernel !== "constant";
function drawReach(parts, { key_grid, bandwidthText }, at, { query, bandwidth, kernel }) {
  const inside = (key) => clamp(at.x(key), at.left, at.right);
  const [low, high] = [inside(query - bandwidth), inside(query + bandwidth)];
  const leftward = query > (key_grid[0] + key_grid[1]) / 2;
  const end = leftward ? low : high;
  const level = at.dataBottom + 26;
  const outer = leftward ? end - 12 : end + 12;
  const fits = leftward ? outer - 60 > at.left : outer + 60 < at.right;
  set(parts.band, { x: low, width: high - low, y: at.dataTop, height: at.weightBottom - at.dataTop });
  set(parts.reachLine, { d: `M${at.x(query)} ${level}H${end}` });
  set(parts.reachHandle, { cx: end, cy: level });
  const labelX = fits ? outer : at.x(query) + (leftward ? 8 : -8);
  set(parts.reachLabel, { x: labelX, y: level + 4, "text-anchor": fits === leftward ? "end" : "start" });
  parts.reachLabel.textContent = bandwidthText(bandwidth);
  const visibility = hasReach(kernel) ? "visible" : "hidden";
  [parts.band, parts.reachLine, parts.reachHandle, parts.reachLabel].forEach((part) => set(part, { visibility }));
}
function drawQuery(parts, { key_grid, keyText, valueText }, at, query, answer) {
  const pixel = at.x(query);
  set(parts.queryLine, { x1: pixel, x2: pixel });
  layPill(parts, `query ${keyText(query)}`, pixel, at.width - 1);
  describe(parts.queryHandle, query, key_grid, keyText(query));
  const nothing = Number.isNaN(answer);
  set(parts.answer, { visibility: nothing ? "hidden" : "visible" });
  const noteX = clamp(pixel, at.left + 52, at.right - 52);
  set(parts.nothing, { visibility: nothing ? "visible" : "hidden", x: noteX, y: (at.dataTop + at.dataBottom) / 2 });
  if (!nothing) drawAnswer(parts, at, pixel, at.y(answer), valueText(answer));
}
function drawAnswer(parts, { left }, pixel, level, text) {
  const width = Math.max(7.3 * text.length + 14, left - 2);
  set(parts.answerLine, { x1: width, x2: pixel, y1: level, y2: level });
  set(parts.diamond, { transform: translate(pixel, level) });
  set(parts.answerPill, { y: level - 10, width });
  set(parts.answerLabel, { x: width / 2, y: level + 4.5 });
  parts.answerLabel.textContent = text;
  makeRoom(parts.axes.querySelectorAll(".left"), level, 16);
}
var pointMark = ({ keyText, valueText }, { x, y }, { setting: { keys, values }, weights }, i) => ({
  x: x(keys[i]),
  y: y(values[i]),
  words: `key ${keyText(keys[i])}, value ${valueText(values[i])}, weight ${percent(weights[i])}`
});
function markAt(data, at, now, [px, py], point) {
  const { keys } = now.setting;
  const beside = keys.map((key) => Math.abs(at.x(key) - px));
  const nearest = beside.indexOf(Math.min(...beside));
  if (point !== void 0) return pointMark(data, at, now, point);
  if (py > at.weightTop) return beside[nearest] < 8 ? { ...pointMark(data, at, now, nearest), y: py } : void 0;
  const answer = estimate(at.x.invert(px), now.setting);
  if (px < at.left || px > at.right || py < at.dataTop || py > at.dataBottom || Number.isNaN(answer)) return void 0;
  return { x: px, y: at.y(answer), words: `at ${data.keyText(at.x.invert(px))}: ${data.valueText(answer)}` };
}
function drawGhost(parts, at, { setting, estimate: estimate2 }) {
  const nothing = Number.isNaN(estimate2);
  set(parts.ghostCurve, { d: curveOf(at, setting) });
  set(parts.ghostDiamond, { d: nothing ? "" : diamond(8) });
  if (!nothing) set(parts.ghostDiamond, { transform: translate(at.x(setting.query), at.y(estimate2)) });
}
function drawChosenKey(parts, { key_grid }, { x, y }, { keys, values }, words, chosen) {
  set(parts.keyHandle, {
    transform: translate(x(keys[chosen]), y(values[chosen])),
    "aria-label": `Point ${chosen + 1} of ${keys.length}. Page Up and Page Down choose another`
  });
  describe(parts.keyHandle, keys[chosen], key_grid, words);
}
function sentence(data, { setting, weights, estimate: estimate2, keys_for_90_percent }) {
  const { query, kernel, bandwidth, temperature, keys } = setting;
  const { keyText, valueText, bandwidthText, temperatureText, kernel_labels } = data;
  const heaviest = indexOfLargest(weights);
  const nearest = keys.reduce((best, key) => Math.abs(key - query) < Math.abs(best - query) ? key : best);
  const seen = weights.filter((weight) => weight > 0);
  const widths = { "softmax-dot": `, ${temperatureText(temperature)}`, constant: "" };
  const width = widths[kernel] ?? `, ${bandwidthText(bandwidth)}`;
  const opening = `${kernel_labels[kernel]}${width}. ${role("query", `Query ${keyText(query)}`)}`;
  if (seen.length === 0) {
    return `${opening} has no key within h: no weights, no estimate, and a gap in the curve.`;
  }
  const closing = role("estimate", `Estimate ${valueText(estimate2)}`);
  const keysOf = (number) => role("weight", `${number} of ${keys.length} keys`);
  const most = role("weight", percent(weights[heaviest]));
  if (seen.every((weight) => weight === seen[0])) {
    return `${opening} weighs ${keysOf(seen.length)} the same, ${most} each. ${closing}.`;
  }
  const heaviestKey = role("key", `key ${keyText(keys[heaviest])}`);
  const passedOver = keys[heaviest] === nearest ? "" : `, not the nearest, ${role("key", keyText(nearest))}`;
  return `${opening} takes 90 % of its weight from ${keysOf(keys_for_90_percent)}; the heaviest is ${heaviestKey} with ${most}${passedOver}. ${closing}.`;
}
var withWords = (facts) => ({
  ...facts,
  keyText: textOn(facts.key_grid),
  valueText: textOn(facts.value_grid),
  bandwidthText: (bandwidth) => `h = ${textOn(facts.ranges.bandwidth)(bandwidth)}`,
  temperatureText: (temperature) => `τ = ${textOn(facts.ranges.temperature)(temperature)}`
});
function compute(_, setting) {
  const logs = logWeights(setting.query, setting.keys, setting), weights = softmax(logs);
  return { logs, weights, estimate: average(weights, setting.values), keys_for_90_percent: keysForShare(weights, 0.9) };
}
function view(figure) {
  const { data, change, setting } = figure, { key_grid, value_grid } = data;
  const parts = elements(figure.stage, data);
  const arranged = memo((width) => arrange(parts, data, width));
  const drawAllButQuery = memo(
    (at2, keys, values, kernel, bandwidth, temperature) => drawData(parts, at2, { keys, values, kernel, bandwidth, temperature })
  );
  const drawGhostAt = memo((at2, ghost) => ghost && drawGhost(parts, at2, ghost));
  let at, chosen = 0;
  function draw(now, { width, ghost }) {
    at = arranged(width);
    const { keys, values, kernel, bandwidth, temperature, query } = now.setting;
    drawAllButQuery(at, keys, values, kernel, bandwidth, temperature);
    drawGhostAt(at, ghost);
    drawHalos(parts, now);
    drawWeights(parts, at, now, ghost);
    drawReach(parts, data, at, now.setting);
    drawQuery(parts, data, at, query, now.estimate);
    drawChosenKey(parts, data, at, now.setting, pointMark(data, at, now, chosen).words, chosen);
    figure.root.dataset.kernel = kernel;
  }
  const movePoint = (i, key, value) => {
    const { keys, values } = setting();
    change({ keys: keys.with(i, onGrid(key, key_grid)), values: values.with(i, onGrid(value, value_grid)) });
  };
  const choose = (point) => {
    chosen = point;
    figure.redraw();
  };
  function pointAt([px, py], radius) {
    const { keys, values } = setting();
    const distances = keys.map((key, i) => Math.hypot(at.x(key) - px, at.y(values[i]) - py));
    const nearest = distances.indexOf(Math.min(...distances));
    return distances[nearest] <= radius ? nearest : void 0;
  }
  function grab(event) {
    const { left, top } = parts.canvas.getBoundingClientRect(), { x, y } = at;
    const pixel = (e) => [e.clientX - left, e.clientY - top];
    const [px, py] = pixel(event);
    const { query, keys, values } = setting();
    if (event.target === parts.reachHandle) {
      const off = event.target.getAttribute("cx") - px;
      const slider = sliderOf(figure.root, "bandwidth");
      if (slider) focus(slider);
      return (e) => change({ bandwidth: Math.abs(x.invert(pixel(e)[0] + off) - query) });
    }
    const onQuery = parts.queryHandle.contains(event.target);
    const point = onQuery ? void 0 : pointAt([px, py], event.pointerType === "touch" ? HIT.touch : HIT.mouse);
    if (point === void 0) {
      focus(parts.queryHandle);
      const off = onQuery ? x(query) - px : 0;
      return (e) => change({ query: x.invert(pixel(e)[0] + off) });
    }
    choose(point);
    focus(parts.keyHandle);
    const [offX, offY] = [x(keys[point]) - px, y(values[point]) - py];
    return (e) => e !== event && movePoint(point, x.invert(pixel(e)[0] + offX), y.invert(pixel(e)[1] + offY));
  }
  figure.drag(parts.canvas, grab);
  arrowKeys(parts.queryHandle, (right, up) => change({ query: setting().query + (right + up) * key_grid[2] }));
  arrowKeys(parts.keyHandle, (right, up) => {
    const { keys, values } = setting();
    movePoint(chosen, keys[chosen] + right * key_grid[2], values[chosen] + up * value_grid[2]);
  });
  pageKeys(parts.keyHandle, (step) => {
    const { keys } = setting();
    const order = keys.map((_, i) => i).sort((a, b) => keys[a] - keys[b]);
    choose(order[(order.indexOf(chosen) + step + order.length) % order.length]);
  });
  tellValues(figure, {
    find: (x, y) => markAt(data, at, figure.now, [x, y], pointAt([x, y], HIT.mouse)),
    focused: (element) => element === parts.keyHandle ? pointMark(data, at, figure.now, chosen) : void 0
  });
  playButton(figure, {
    title: "Let the bandwidth, or the temperature, grow from its smallest to its largest value",
    pause: 60,
    frames() {
      const name = setting().kernel === "softmax-dot" ? "temperature" : "bandwidth";
      return growing(data.ranges[name], 50).map((value) => ({ [name]: value }));
    }
  });
  return draw;
}
var regression_default = defineFigure("regression", {
  hint: "Drag the query, a point or the ring at h. Rims: 90 % of the weight. Keys: Tab, arrows.",
  data: withWords,
  settings: ({ key_grid, value_grid, defaults }) => ({
    keys: listSetting(defaults.data_keys, numberOn(key_grid)),
    values: listSetting(defaults.data_values, numberOn(value_grid))
  }),
  compute,
  state: (_, { setting, estimate: estimate2, keys_for_90_percent }) => ({ ...setting, estimate: estimate2, keys_for_90_percent }),
  sentence,
  view
});
export {
  regression_default as default,
  estimate,
  logWeights
};
