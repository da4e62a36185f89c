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
var clipped = (pixel) => clamp(pixel, -1e4, 1e4);

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

// lib/figures/methods/random_features.js
function inner(x, a, y, b, d) {
  let sum = 0;
  for (let c = 0; c < d; c += 1) sum += x[a + c] * y[b + c];
  return sum;
}

// lib/figures/methods/base64.js
function decodeBytes(text) {
  const characters = atob(text), bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = characters.charCodeAt(i);
  return bytes;
}
var decodeFloats = (text) => Float64Array.from(new Float32Array(decodeBytes(text).buffer));

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

// lib/figures/random_features/random_features.js
var SHARES = [0.01, 0.1, 1];
var ERROR_ENDS = [1.2, 2, 4];
var LEAST_SHARE = 5e-3;
var FINE_ENDS = [1, 0.7, 0.5, 0.3, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01];
var FEATURE_MAPS = {
  positive: { sign: -1, functions: [Math.exp] },
  hyperbolic: { sign: -1, functions: [Math.exp, (u) => Math.exp(-u)] },
  trigonometric: { sign: 1, functions: [Math.cos, Math.sin] }
};
function featuresOf(tokens, frequencies, map) {
  const { sign, functions } = FEATURE_MAPS[map];
  const factors = tokens.map((token) => Math.exp(sign * inner(token, 0, token, 0, token.length) / 2));
  return functions.map(
    (f) => frequencies.map((frequency) => {
      const row = new Float64Array(tokens.length);
      for (let j = 0; j < row.length; j += 1)
        row[j] = factors[j] * f(inner(frequency, 0, tokens[j], 0, frequency.length));
      return row;
    })
  );
}
function weightsAfter(features, query, counts) {
  const sums = new Float64Array(features[0][0].length);
  let used = 0;
  return counts.map((count) => {
    for (; used < count; used += 1) {
      for (const feature of features) {
        const row = feature[used], own = row[query];
        for (let j = 0; j < sums.length; j += 1) sums[j] += own * row[j];
      }
    }
    return normalized([...sums]);
  });
}
function exactWeights(tokens, query) {
  return softmax(tokens.map((token) => inner(tokens[query], 0, token, 0, token.length)));
}
function frequenciesOf({ shape: [couplings, draws, count, dimension], data }) {
  const numbers = decodeFloats(data);
  const list = (length, make) => Array.from({ length }, (_, i) => make(i));
  return list(
    couplings,
    (c) => list(
      draws,
      (d) => list(count, (l) => {
        const first = ((c * draws + d) * count + l) * dimension;
        return numbers.subarray(first, first + dimension);
      })
    )
  );
}
function layout(width) {
  const narrow = width < 560;
  const left = 44, dataTop = 56;
  const right = narrow ? width - 14 : Math.round(width * 0.61);
  const tall = clamp(0.5 * width - 284, 92, 170);
  const dataBottom = dataTop + (narrow ? 130 : tall);
  const weightTop = dataBottom + 36;
  const weightBottom = weightTop + (narrow ? 130 : tall);
  const errorLeft = narrow ? left : right + 70;
  const errorTop = narrow ? weightBottom + 80 : dataTop;
  const errorBottom = narrow ? errorTop + 140 : weightBottom;
  const height = errorBottom + 46;
  return {
    width,
    height,
    narrow,
    left,
    right,
    dataTop,
    dataBottom,
    weightTop,
    weightBottom,
    errorLeft,
    errorRight: width - 14,
    errorTop,
    errorBottom
  };
}
var HATCH = `hatch-${Math.random().toString(36).slice(2)}`;
function elements(stage, { token_label }) {
  const { canvas, add } = drawing(stage);
  const hatch = svg("pattern", { id: HATCH, width: 5, height: 5, patternUnits: "userSpaceOnUse" }, add("defs", ""));
  svg("path", { class: "hatch", d: "M-1 6L6 -1M-1 1L1 -1M4 6L6 4" }, hatch);
  const parts = {
    canvas,
    axes: add("g", "axes"),
    dataPanel: add("svg", "panel"),
    weightPanel: add("svg", "panel"),
    errorPanel: add("svg", "panel"),
    weightTicks: add("g", "weight-ticks"),
    alikeLabel: add("text", "note alike-label", { text: "all keys alike" }),
    queryLine: add("line", "query-line"),
    answer: add("g", "answer"),
    queryHandle: add("g", "query-handle", { role: "slider", tabindex: 0, "aria-label": "Query" }),
    countHandle: add("g", "count-handle", { role: "slider", tabindex: 0, "aria-label": "Number of frequencies" }),
    legend: add("g", "legend"),
    weightLegend: add("g", "legend"),
    weightTitle: add("text", "title weight", { text: "weight", x: 0 }),
    tokenTitle: add("text", "title key", { text: token_label }),
    errorTitle: add("text", "title weight", { text: "weight on wrong keys" }),
    countTitle: add("text", "title axis", { text: "number of frequencies" })
  };
  const inside = (panel, tag, name) => svg(tag, { class: name }, parts[panel]);
  parts.exactCurve = inside("dataPanel", "path", "exact");
  parts.ghostCurve = inside("dataPanel", "path", "ghost");
  parts.curve = inside("dataPanel", "path", "curve");
  parts.dots = inside("dataPanel", "g", "dots");
  parts.zero = inside("weightPanel", "line", "base");
  parts.columns = inside("weightPanel", "path", "columns");
  parts.wrong = inside("weightPanel", "path", "wrong");
  set(parts.wrong, { fill: `url(#${HATCH})` });
  parts.exactWeights = inside("weightPanel", "path", "exact-weights");
  parts.ghostWeights = inside("weightPanel", "path", "ghost");
  parts.otherDraws = inside("errorPanel", "path", "other-draws");
  parts.alike = inside("errorPanel", "line", "alike");
  parts.thisDraw = inside("errorPanel", "path", "this-draw");
  parts.ghostDiamond = svg("path", { class: "ghost" }, parts.answer);
  parts.exactDiamond = svg("path", { class: "exact-diamond", d: diamond(7.5) }, parts.answer);
  parts.diamond = svg("path", { class: "diamond", d: diamond(7.5) }, parts.answer);
  parts.pill = svg("rect", { class: "pill", y: 28, height: 24, rx: 12 }, parts.queryHandle);
  parts.pillLabel = svg("text", { class: "pill-label", y: 44.5 }, parts.queryHandle);
  parts.countLine = svg("line", { class: "count-line" }, parts.countHandle);
  parts.countDot = svg("circle", { class: "count-dot", r: 7 }, parts.countHandle);
  parts.countLabel = svg("text", { class: "count-label" }, parts.countHandle);
  return parts;
}
function arrange(parts, { values, ranges: { query: tokenGrid }, counts, value_label }, width, end) {
  const at = layout(width);
  const x = scale(tokenGrid, [at.left, at.right]);
  const y = scale(withMargin(values, 0.12), [at.dataBottom, at.dataTop]);
  const decades = scale([Math.log(counts[0]), Math.log(counts.at(-1))], [at.errorLeft, at.errorRight]);
  const errors = scale([Math.log(LEAST_SHARE), Math.log(end)], [at.errorBottom, at.errorTop]);
  const xError = Object.assign((count) => decades(Math.log(count)), {
    invert: (pixel) => Math.exp(decades.invert(pixel))
  });
  const yError = (share) => errors(Math.log(Math.max(share, LEAST_SHARE / 2)));
  resize(parts.canvas, width, at.height);
  const panel = (name, left, top, right, bottom) => set(parts[name], {
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
    viewBox: `${left} ${top} ${right - left} ${bottom - top}`
  });
  panel("dataPanel", at.left - 6, at.dataTop, at.right + 6, at.dataBottom);
  panel("weightPanel", at.left - 6, at.weightTop, at.right + 6, at.weightBottom);
  panel("errorPanel", at.errorLeft, at.errorTop - 2, at.errorRight, at.errorBottom);
  set(parts.weightTitle, { y: at.weightTop - 10 });
  set(parts.tokenTitle, { x: at.right, y: at.weightBottom + 40 });
  set(parts.errorTitle, { x: at.narrow ? 0 : at.errorLeft - 34, y: at.errorTop - 14 });
  set(parts.countTitle, { x: at.errorRight, y: at.errorBottom + 40 });
  set(parts.queryLine, { y1: 52, y2: at.weightBottom });
  const places = { ...at, x, y, xError, yError };
  drawAxes(parts, tokenGrid, counts, places);
  const weightLegend = { x: 64, y: at.weightTop - 10, gap: at.narrow ? 24 : 34, label: { class: "note", x: 20 } };
  legend(parts.weightLegend, WEIGHT_LEGEND, weightLegend);
  legend(parts.legend, legendOf(value_label), { y: 14, gap: at.narrow ? 28 : 40, label: { class: "title", x: 22 } });
  return places;
}
var legendOf = (valueLabel) => [
  { name: "value", words: valueLabel, shape: "circle", cx: 8, cy: -4.5, r: 3.5 },
  { name: "estimate", words: "from features", d: "M0 -4.5H17" },
  { name: "reference", words: "exact", d: "M0 -4.5H17" },
  BEFORE
];
var SWATCH = "M0 -10h14v11h-14z";
var WEIGHT_LEGEND = [
  { name: "from-features", words: "from features", d: SWATCH },
  { name: "outline", words: "exact", d: SWATCH },
  { name: "on-wrong", words: "on wrong keys", d: SWATCH, fill: `url(#${HATCH})` }
];
function drawAxes(parts, tokenGrid, counts, at) {
  const { x, y, xError, yError } = at, errorPanel = { left: at.errorLeft, right: at.errorRight, gap: 6 };
  const axis = axes(parts.axes);
  for (const { value, text } of ticks([y.invert(at.dataBottom), y.invert(at.dataTop)], 4)) {
    axis.level({ left: at.left, right: at.right, gap: 10 }, y(value), text);
  }
  for (const { value, text } of ticks(tokenGrid, 6)) axis.stop(x(value), at.weightBottom, text);
  for (const share of SHARES) axis.level(errorPanel, yError(share), roundPercent(share));
  for (const count of counts.filter((each) => Number.isInteger(Math.log2(each) / 2))) {
    axis.stop(xError(count), at.errorBottom, String(count));
  }
  axis.base(errorPanel, at.errorBottom);
  axis.base(at, at.weightBottom);
}
var curveOf = ({ x, y }, estimates) => path(estimates.map((estimate, i) => [x(i), clipped(y(estimate))]));
function drawCurves(parts, at, values, estimates, exact) {
  const { x, y } = at;
  set(parts.curve, { d: curveOf(at, estimates) });
  set(parts.exactCurve, { d: curveOf(at, exact) });
  repeat(parts.dots, "circle", values.length, (circle, i) => set(circle, { cx: x(i), cy: y(values[i]), r: 3 }));
}
function drawWeights(parts, { x, left, right, weightTop, weightBottom }, weights, exact, before = []) {
  const level = (size) => axisEnd(Math.min(size, 1), FINE_ENDS);
  const top = level(Math.max(...weights, ...exact, ...before));
  const least = Math.min(...weights, ...before);
  const low = least < -1e-12 ? -level(-least) : 0;
  const z = scale([low, top], [weightBottom, weightTop + 6]);
  const half = (x(1) - x(0)) / 2, edge = (j) => Math.max(x(j) - half, left - 6).toFixed(1), y = (weight) => clipped(z(weight)).toFixed(1);
  const steps = (each) => each.map((weight, j) => `${j === 0 ? "M" : "L"}${edge(j)} ${y(weight)}H${edge(j + 1)}`).join("");
  const stretch = (j, from, to) => `M${edge(j)} ${y(from)}H${edge(j + 1)}V${y(to)}H${edge(j)}z`;
  set(parts.columns, { d: weights.map((weight, j) => stretch(j, 0, weight)).join("") });
  set(parts.wrong, { d: weights.map((weight, j) => stretch(j, weight, exact[j])).join("") });
  set(parts.exactWeights, { d: steps(exact) });
  set(parts.ghostWeights, { d: steps(before) });
  set(parts.zero, { x1: left, x2: right, y1: z(0), y2: z(0) });
  const marks = [top, 0, low].filter((mark, i, all) => all.indexOf(mark) === i);
  repeat(parts.weightTicks, "text", marks.length, (text, i) => {
    set(text, { class: "tick left", x: left - 10, y: z(marks[i]) + 4 });
    text.textContent = roundPercent(marks[i]);
  });
}
function drawErrors(parts, at, counts, errors, draw, n_features, { error, error_of_equal_weights: alike }) {
  const { xError, yError, errorLeft, errorRight, errorTop, errorBottom } = at;
  const curve = (each) => path(each.map((share, i) => [xError(counts[i]), clipped(yError(share))]));
  set(parts.thisDraw, { d: curve(errors[draw - 1]) });
  set(parts.otherDraws, {
    d: errors.filter((_, i) => i !== draw - 1).map(curve).join("")
  });
  set(parts.alike, { x1: errorLeft, x2: errorRight, y1: yError(alike), y2: yError(alike) });
  set(parts.alikeLabel, { x: errorRight, y: yError(alike) - 6 });
  const [px, py] = [xError(n_features), Math.max(yError(error), errorTop)];
  set(parts.countLine, { x1: px, x2: px, y1: py, y2: errorBottom });
  set(parts.countDot, { cx: px, cy: py });
  const leftward = px > (errorLeft + errorRight) / 2;
  const x = px + (leftward ? -8 : 8);
  set(parts.countLabel, { x, y: errorBottom - 9, "text-anchor": leftward ? "end" : "start" });
  parts.countLabel.textContent = `m = ${n_features}`;
  const words = `${n_features} frequencies, ${percent(error)} of the weight on wrong keys`;
  describe(parts.countHandle, counts.indexOf(n_features), [0, counts.length - 1], words);
}
function drawGhost(parts, at, { setting: { query }, estimates, results: { estimate } }) {
  set(parts.ghostCurve, { d: curveOf(at, estimates) });
  const level = clamp(at.y(estimate), at.dataTop, at.dataBottom);
  set(parts.ghostDiamond, { d: diamond(8), transform: translate(at.x(query), level) });
}
var tokenMark = ({ values }, at, { weights, exact, estimates }, j) => ({
  x: at.x(j),
  y: clamp(at.y(estimates[j]), at.dataTop, at.dataBottom),
  words: `${j}: weight ${percent(weights[j])}, exactly ${percent(exact[j])}; value ${format(values[j], 2)}, estimate ${format(estimates[j], 2)}`
});
function markAt(data, at, now, px, py, nearestCount) {
  if (px > at.errorLeft && py > at.errorTop && py < at.errorBottom && px < at.errorRight + 6) {
    const i = nearestCount(at.xError.invert(px));
    const words = `m = ${data.counts[i]}: ${percent(now.ownErrors[i])} on wrong keys`;
    return { x: at.xError(data.counts[i]), y: Math.max(at.yError(now.ownErrors[i]), at.errorTop), words };
  }
  const token = Math.round(at.x.invert(px));
  if (px < at.left - 6 || !(token in now.weights) || py < at.dataTop || py > at.weightBottom) return void 0;
  const mark = tokenMark(data, at, now, token);
  return py > at.dataBottom ? { ...mark, y: py } : mark;
}
function drawQuery(parts, at, { ranges }, query, { estimate, exact_estimate }) {
  const pixel = at.x(query);
  set(parts.queryLine, { x1: pixel, x2: pixel });
  layPill(parts, `query ${query}`, pixel, at.right + 12);
  const words = `${query}, estimate ${format(estimate, 2)}, exactly ${format(exact_estimate, 2)}`;
  describe(parts.queryHandle, query, ranges.query, words);
  const inPanel = (value) => clamp(at.y(value), at.dataTop, at.dataBottom);
  set(parts.diamond, { transform: translate(pixel, inPanel(estimate)) });
  set(parts.exactDiamond, { transform: translate(pixel, inPanel(exact_estimate)) });
}
function sentence({ values, ranges }, { setting, count, results, weights }) {
  const { query, map, coupling, norm, draw } = setting;
  const features = [`1 ${map} feature`, `2 ${map} features`][FEATURE_MAPS[map].functions.length - 1];
  const share = role("weight", percent(results.error));
  const negative = weights.filter((weight) => weight < 0).length;
  const below = negative ? ` ${role("weight", `${negative} weights are negative.`)}` : "";
  return `${count} ${coupling} frequencies, ${features} each, draw ${draw} of ${ranges.draw[1]}, norm ${format(norm, 1)}. ${role("query", `Query ${query}`)} has ${share} of its weight on wrong keys.${below} 90 % lie on ${role("weight", `${results.keys_for_90_percent} of ${values.length} keys`)}, exactly on ${results.exact_keys_for_90_percent}. ${role("estimate", `Estimate ${format(results.estimate, 2)}`)}, exactly ${format(results.exact_estimate, 2)}.`;
}
function withFeatures(facts) {
  const { directions, values, ranges } = facts, frequencies = frequenciesOf(facts.frequencies);
  const root = directions[0].length ** 0.25;
  const ofKind = memo((norm, map, coupling) => {
    const tokens = directions.map((direction) => direction.map((entry) => norm * entry / root));
    const features = frequencies[ranges.coupling.indexOf(coupling)].map((draw) => featuresOf(tokens, draw, map));
    const exact = tokens.map((_, query) => exactWeights(tokens, query));
    return { features, exact, exactCurve: exact.map((weights) => average(weights, values)) };
  });
  const estimatesOf = memo(
    (features, count) => values.map((_, i) => average(weightsAfter(features, i, [count])[0], values))
  );
  return { ...facts, counts: ranges.features.map(Number), ofKind, estimatesOf };
}
var resultsOf = (values, weights, exact) => ({
  estimate: average(weights, values),
  exact_estimate: average(exact, values),
  error: totalVariation(weights, exact),
  error_of_equal_weights: totalVariation(
    exact.map(() => 1 / exact.length),
    exact
  ),
  keys_for_90_percent: keysForShare(weights, 0.9),
  exact_keys_for_90_percent: keysForShare(exact, 0.9)
});
function compute({ counts, values, ofKind, estimatesOf }, { query, features: m, norm, map, coupling, draw }) {
  const { features, exact: all, exactCurve } = ofKind(norm, map, coupling), exact = all[query], count = Number(m);
  const rows = features.map((feature) => weightsAfter(feature, query, counts));
  const errors = rows.map((row) => row.map((each) => totalVariation(each, exact)));
  const weights = rows[draw - 1][counts.indexOf(count)], estimates = estimatesOf(features[draw - 1], count);
  const results = resultsOf(values, weights, exact);
  return { count, weights, exact, exactCurve, estimates, errors, ownErrors: errors[draw - 1], results };
}
function view(figure) {
  const { data, change, setting } = figure, { counts, values, ranges } = data;
  const parts = elements(figure.stage, data);
  const arranged = memo((width, end) => arrange(parts, data, width, end));
  const drawCurvesAt = memo((at2, estimates, exactCurve) => drawCurves(parts, at2, values, estimates, exactCurve));
  const drawGhostAt = memo((at2, ghost) => ghost && drawGhost(parts, at2, ghost));
  let at;
  const again = html("button", { type: "button", text: "Draw again", title: "Other random frequencies" });
  again.addEventListener("click", () => change({ draw: setting().draw % ranges.draw[1] + 1 }));
  figure.actions.prepend(again);
  function draw(now, { width, ghost }) {
    const largest = Math.max(...now.errors.flat());
    at = arranged(width, ERROR_ENDS.find((end) => largest <= end) ?? ERROR_ENDS.at(-1));
    drawCurvesAt(at, now.estimates, now.exactCurve);
    drawGhostAt(at, ghost);
    drawWeights(parts, at, now.weights, now.exact, ghost?.weights);
    drawErrors(parts, at, counts, now.errors, now.setting.draw, now.count, now.results);
    drawQuery(parts, at, data, now.setting.query, now.results);
  }
  const choose = (index) => change({ features: ranges.features[clamp(index, 0, counts.length - 1)] });
  const nearestCount = (count) => {
    const apart = counts.map((each) => Math.abs(Math.log(each / count)));
    return apart.indexOf(Math.min(...apart));
  };
  function grab(event) {
    const { left, top } = parts.canvas.getBoundingClientRect(), { x, xError } = at;
    const column = (e) => e.clientX - left;
    const beside = at.narrow ? event.clientY - top > at.weightBottom + 30 : column(event) > at.right + 30;
    if (beside || parts.countHandle.contains(event.target)) {
      focus(parts.countHandle);
      return (e) => choose(nearestCount(xError.invert(column(e))));
    }
    focus(parts.queryHandle);
    const off = parts.queryHandle.contains(event.target) ? x(setting().query) - column(event) : 0;
    return (e) => change({ query: x.invert(column(e) + off) });
  }
  figure.drag(parts.canvas, grab);
  arrowKeys(parts.queryHandle, (right, up) => change({ query: setting().query + right + up }));
  arrowKeys(parts.countHandle, (right, up) => choose(ranges.features.indexOf(setting().features) + right + up));
  const mark = (j) => tokenMark(data, at, figure.now, j);
  const tokens = reader(figure, { label: "Keys of the query", count: () => values.length, mark });
  tellValues(figure, {
    find: (x, y) => markAt(data, at, figure.now, x, y, nearestCount),
    focused: (element) => element === tokens.element ? tokens.mark() : void 0
  });
  const frames = () => ranges.features.map((features) => ({ features }));
  playButton(figure, { title: "Add features: from 1 frequency to 256", pause: 300, frames });
  return draw;
}
var random_features_default = defineFigure("random-features", {
  hint: "Drag the query, or the point on the curve of errors. Keyboard: Tab, then arrows.",
  data: withFeatures,
  compute,
  state(_, { setting: { features, ...setting }, count, results }) {
    return { ...setting, n_features: count, ...results };
  },
  sentence,
  view
});
export {
  FEATURE_MAPS,
  random_features_default as default,
  exactWeights,
  featuresOf,
  weightsAfter
};
