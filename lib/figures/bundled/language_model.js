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
var repeatGroups = (parent, count, build, update) => repeat(parent, "g", count, (group, i) => {
  group.parts ??= build(group);
  update(group.parts, i, group);
});
var resize = (canvas, width, height) => set(canvas, { width, height, viewBox: `0 0 ${width} ${height}` });
function lay(element, { x, y, width, height }) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}
function describe(handle2, now, [low, high], words2) {
  set(handle2, { "aria-valuemin": String(low), "aria-valuemax": String(high), "aria-valuenow": String(now) });
  if (words2 !== void 0) set(handle2, { "aria-valuetext": words2 });
}
var translate = (right, down) => `translate(${right.toFixed(2)} ${down.toFixed(2)})`;
var letterSize = (element) => Number.parseFloat(getComputedStyle(element).fontSize);
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
      slider.querySelectorAll(".noUi-handle").forEach((handle2) => set(handle2, { "aria-label": label }));
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
var focus = (element) => element.focus({ preventScroll: true });
var isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

// lib/figures/contract/links.js
function addButtons({ foot, address, settings }, forget) {
  const group = html("div", { class: "actions" }, foot);
  const button2 = (text, title) => html("button", { type: "button", text, title }, group);
  button2("Reset", "Back to the first setting").addEventListener("click", () => {
    settings.reset();
    forget();
  });
  if (onSite()) {
    copyButton(button2("Copy link", "Copy a link to this setting"), () => addressWith(address, settings.write()));
  }
}
function copyButton(button2, link) {
  const name = button2.textContent;
  button2.addEventListener("click", async () => {
    keepAddress(link());
    const written = navigator.clipboard?.writeText(new URL(link(), location.href).href);
    const copied = await written?.then(
      () => true,
      () => false
    );
    button2.textContent = copied ? "Copied" : "It is in the address bar";
    setTimeout(() => button2.textContent = name, 2e3);
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
var textSetting = (longest) => ({
  write: (text) => encodeURIComponent(wellFormed(text)),
  read: (text) => text && text.length <= longest ? wellFormed(text) : void 0
});
var wellFormed = (text) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
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
function guessing(figure, { asks: asks2, keeps: keeps2 }) {
  const { guesses, data, settings, ghost } = figure;
  const kept = (setting) => keeps2?.(data, setting);
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
  return (now) => show(now.setting, asks2?.(data, now, guesses) ?? guesses, settings.write(), kept(now.setting));
}
function followSettings({ model, settings: { traits }, signal }, changing, changed) {
  let pending = false;
  const tell2 = () => {
    pending = false;
    changed();
  };
  const hear = () => {
    changing();
    if (!pending) queueMicrotask(tell2);
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
var place_bandwidth = 2;
var n_next = 6;
var ruler = { bandwidths: [0.5, 256, 16], farthest: 8 };

// lib/figures/methods/weights.js
function softmax(logWeights) {
  const largest2 = logWeights.reduce((a, b) => Math.max(a, b), -Infinity);
  const origin = Number.isFinite(largest2) ? largest2 : 0;
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

// lib/figures/methods/language_model.js
function headLogits({ embedding, output_maps: maps, width }, estimates, place, head, d) {
  const added = new Float64Array(width);
  for (let c = 0; c < width; c += 1)
    added[c] = inner(maps, c * width + head * d, estimates, place * width + head * d, d);
  return product(added, embedding, width);
}

// lib/figures/language_model/view.js
var N_ADDED = 3;
var N_MARKED = 3;
var FEW = 4;
var SHORT = 3;
var DARK = 5;
var DIGITS = 10;
var TRAINED = "dot product";
var AS_TRAINED = { kernel: TRAINED, scope: "this head", temperature: 1, hidden: [] };
var isSwapped = ({ kernel, temperature, hidden }) => kernel === "hide" ? hidden.length > 0 : kernel !== TRAINED || temperature !== 1;
var hasTemperature = ({ kernel }) => kernel !== "uniform" && kernel !== "hide";
var largest = (numbers) => [...numbers.keys()].sort((a, b) => numbers[b] - numbers[a] || a - b);
function expectation(now, trained, words2) {
  const half = n_next / 2, first = largest(now);
  const likeliest = [...first.slice(0, half), ...largest(trained).slice(0, half), ...first.slice(half, n_next)];
  const shown = [...new Set(likeliest)].slice(0, n_next).sort((a, b) => now[b] - now[a] || a - b);
  return shown.map((token) => ({ word: words2[token], probability: now[token], trained: trained[token] }));
}
var probabilitiesAt = (logits, row, size) => softmax(logits.subarray(row * size, (row + 1) * size));
var likeliestAt = (logits, row, { words: { length: size } }) => indexOfLargest(logits.subarray(row * size, (row + 1) * size));
var likeliestAsTrained = (next) => next.reduce((best, each) => each.trained > best.trained ? each : best);
function raisedBy({ estimates, weights }, { embedding, width, maps }, place, { block, head }) {
  const parts = { embedding, output_maps: maps[block], width };
  return headLogits(parts, estimates[block], place, head, width / weights[block].length);
}
function additions(run, table, place, at) {
  const logits = raisedBy(run, table, place, at);
  return largest(logits).slice(0, N_ADDED).map((token) => ({ word: table.words[token], logit: logits[token] }));
}
function viewOf({ setting, tokens, words: words2, dropped, names, swapped, trained }, query, table) {
  const n = tokens.length, last = Math.min(query, n - 1);
  if (n === 0) return { setting: { ...setting, query: 0 }, tokens, words: words2, dropped };
  const shown = ({ weights, loss }) => ({
    rows: weights.map((heads) => heads.map((all) => [...all.subarray(last * n, (last + 1) * n)])),
    loss: Number.isNaN(loss) ? null : loss
  });
  const size = table.words.length, both = [swapped, trained].map(({ logits }) => probabilitiesAt(logits, last, size));
  const following = tokens[last + 1], { block, head } = setting;
  const adds = additions(swapped, table, last, setting);
  return {
    setting: { ...setting, query: last },
    tokens,
    words: words2,
    dropped,
    names,
    adds: { [block]: { [head]: adds } },
    next: expectation(...both, table.words),
    follows: following === void 0 ? null : both.map((probabilities) => probabilities[following]),
    swapped: shown(swapped),
    trained: shown(trained)
  };
}
var published = (value) => JSON.parse(JSON.stringify(value, (_, each) => typeof each === "number" ? Number(each.toFixed(DIGITS)) : each));
function state({ head_dimension: d }, { view: view2 }) {
  const { setting, tokens, words: words2, dropped, names, adds, next = [], follows, swapped, trained } = view2;
  const { temperature, kernel, block, head } = setting;
  const bandwidth = kernel === "place" ? place_bandwidth * Math.sqrt(temperature) : Math.sqrt(2 * Math.sqrt(d) * temperature);
  const known = { ...setting, tokens, words: words2, dropped, bandwidth, next };
  if (!swapped) return { ...known, weights: [], names: [], loss: null, estimate: null, keys_for_90_percent: 0 };
  const row = swapped.rows[block][head];
  return published({
    ...known,
    names,
    narrowest: narrowest(swapped.rows),
    adds: adds[block]?.[head],
    weights: row,
    weights_trained: trained.rows[block][head],
    follows: follows?.[0],
    follows_trained: follows?.[1],
    loss: swapped.loss,
    loss_trained: trained.loss,
    estimate: next[0].probability,
    keys_for_90_percent: keysForShare(row, 0.9)
  });
}
var NAMES = { place: "near", uniform: "wide" };
function nameOf({ setting: { kernel, scope, block, head }, names }, i, k) {
  if (!names) return "";
  const isSet = scope === "all heads" || i === block && k === head;
  return isSet && NAMES[kernel] || names[i][k] || NO_NAME;
}
function doesAsNamed({ setting: { query }, tokens, swapped }, block, head, name) {
  const row = swapped.rows[block][head], most = indexOfLargest(row), sum = (places) => places.reduce((all, j) => all + row[j], 0);
  const [count, way] = name.split(" ");
  if (way === "back") return most === query - BACK[count];
  const rules = {
    "first word": () => most === 0,
    "this word": () => most === query,
    wide: () => isWide(row, query) || query <= SHORT && row[most] < 0.5 || query === 0,
    "same word": () => most !== query && tokens[most] === tokens[query],
    near: () => query - most <= FEW && sum([...row.keys()].slice(Math.max(query - FEW, 0), query + 1)) > 0.5
  };
  return rules[name]?.() ?? true;
}
var BACK = { one: 1, two: 2, three: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8 };
function tellingHead({ tokens, trained }, table) {
  const n = tokens.length, place = n - 1;
  const likeliest = likeliestAt(trained.logits, place, table);
  const heads = trained.weights.flatMap(
    (all, block2) => all.map((weights, head2) => ({ block: block2, head: head2, keys: keysForShare(weights.subarray(place * n), 0.9) }))
  );
  const limit = Math.max(FEW, Math.min(...heads.map(({ keys }) => keys)));
  const ranked = heads.filter(({ keys }) => keys <= limit).map((at) => {
    const logits = raisedBy(trained, table, place, at);
    return { ...at, rank: logits.filter((logit) => logit > logits[likeliest]).length };
  });
  const { block, head } = ranked.sort((a, b) => a.rank - b.rank || a.keys - b.keys)[0];
  return { block: String(block), head: String(head) };
}
var entropy = (row) => row.reduce((sum, weight) => weight > 0 ? sum - weight * Math.log(weight) : sum, 0);
function narrowest(rows) {
  const all = rows.flat().map(entropy), mean = all.reduce((a, b) => a + b, 0) / all.length;
  const fewer = [...all.keys()].filter((k) => all[k] < mean - 1e-6);
  return fewer.sort((a, b) => all[a] - all[b] || a - b).slice(0, N_MARKED);
}
var isWide = (row, query) => query > SHORT && Math.max(...row) < 0.5 && 2 * keysForShare(row, 0.9) > query + 1;
function darkWords({ setting: { query, block, head }, trained }) {
  const shares = (trained?.rows[block][head] ?? []).slice(0, query).map((weight) => Math.round(100 * weight));
  const least = Math.min(DARK, Math.max(...shares, 1));
  return [...shares.keys()].filter((j) => shares[j] >= least);
}
function keyToRead({ words: words2, swapped, setting: { block, head } }, looked) {
  return looked < words2.length ? looked : indexOfLargest(swapped?.rows[block][head] ?? [0]);
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
var asNext = (word) => /^[A-Za-z]/.test(word) ? `…${word}` : spelled(word);
var quotedNext = (word) => isPartOfLetter(word) ? quoted(word) : `“${asNext(word)}”`;
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
    const whole = word.reduce((sum, j) => sum + wide[j], 0);
    const isSign = tokens[word[0]] === "\n";
    if (x > left && !isSign) x += SPACE;
    if (x > left && !isSign && x + Math.min(whole, room) > left + room) newLine();
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

// lib/figures/language_model/text.js
var escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
var capital = (words2) => words2[0].toUpperCase() + words2.slice(1);
var placeBandwidth = ({ temperature }) => `h = ${format(place_bandwidth * Math.sqrt(temperature), 2)}`;
function tuning({ kernel, temperature, features }) {
  if (kernel === "place") return ` with ${placeBandwidth({ temperature })}`;
  const many = kernel === "performer" ? ` with ${features} features` : "";
  return many + (!hasTemperature({ kernel }) || temperature === 1 ? "" : ` at τ = ${format(temperature, 1)} √d`);
}
function changeInWords(setting, words2, kernelNames) {
  if (!isSwapped(setting)) return "";
  const { kernel, scope, hidden, query } = setting;
  const own = hidden.filter((j) => j < words2.length).map((j) => escaped(quoted(words2[j]))), which = own.length > 3 ? `${own.length} words` : own.join(", ");
  const itself = kernel === "hide" && hidden.includes(query) ? "; a word always sees itself" : "";
  const what = kernel === "hide" ? `${which} hidden from` : `${escaped(kernelNames[kernel])}${tuning(setting)} in`;
  return `Now ${what} ${scope}${itself}. `;
}
function sentence({ kernel_names, shown, chosen }, { view: view2 }) {
  const { setting, words: words2, dropped, next, follows, swapped } = view2;
  if (!words2.length) return "There is no word yet. Write a sentence.";
  const { query, block, head } = setting, row = swapped.rows[block][head];
  const told = (dropped ? `The text is longer: these are its last ${shown} tokens. ` : "") + (words2.some(isPartOfLetter) ? "This model has read English tales only; of other letters it sees bytes. " : "");
  const looks = `${role("query", `From ${escaped(quoted(words2[query]))}`)}, head ${block}, ${head} looks ${keysInWords(row, query, words2)}. ${capital(doesInWords(view2, block, head))}. ` + (isChosen(chosen, view2) ? "It was chosen: it looks at few words. " : "");
  const really = follows == null ? "" : `; what follows, ${escaped(quotedNext(words2[query + 1]))}, has ${percent(follows[0])}`;
  return `${told}${changeInWords(setting, words2, kernel_names)}${looks}${nextInWords(next, setting)}${really}.${elsewhere(swapped, setting)}`;
}
function doesInWords(view2, block, head) {
  const name = nameOf(view2, block, head);
  return `${meaningOf(name)}${doesAsNamed(view2, block, head, name) ? "" : ", but not here"}`;
}
function isChosen(chosen, { setting, words: words2, swapped }) {
  const { text, block, head, query } = setting;
  const isShown = chosen?.text === text && chosen.block === String(block) && chosen.head === String(head);
  const isAsChosen = query === words2.length - 1 && !isSwapped(setting);
  return isShown && isAsChosen && !isWide(swapped.rows[block][head], query);
}
function nextInWords(next, setting) {
  const [first] = next, before = likeliestAsTrained(next);
  const now = role("estimate", `Next comes ${escaped(quotedNext(first.word))} with ${percent(first.probability)}`);
  if (!isSwapped(setting)) return now;
  if (first === before) return `${now}, as trained with ${percent(first.trained)}`;
  const fell = `with ${percent(before.trained)}, now ${percent(before.probability)}`;
  return `${now}; as trained it is ${escaped(quotedNext(before.word))} ${fell}`;
}
function keysInWords(row, query, words2) {
  const seen = row.slice(0, query + 1);
  if (query && Math.max(...seen) - Math.min(...seen) < 1e-9) return `at all ${query + 1} pieces alike`;
  const back = (j) => j === query ? "itself" : `${query - j} back`;
  const key = (j) => `${role("key", escaped(quoted(words2[j])))} (${role("weight", percent(row[j]))}, ${back(j)})`;
  const [first, second] = largest(row);
  const both = row[second] >= 0.1 ? ` and ${key(second)}` : "";
  return `${isWide(row, query) ? "nearly everywhere, most" : "most"} at ${key(first)}${both}`;
}
function elsewhere({ rows }, setting) {
  if (isSwapped(setting)) return "";
  const { query, block, head } = setting;
  const marked = narrowest(rows).map((k) => [Math.floor(k / rows[0].length), k % rows[0].length].join(", "));
  return isWide(rows[block][head], query) && marked.length ? ` Head ${marked[0]} looks at fewer words: press on it.` : "";
}
function fateOf({ next }, [lessLikely, moreLikely, another]) {
  const [first] = next, before = likeliestAsTrained(next);
  const fell = `${escaped(quotedNext(before.word))} has ${percent(before.probability)}, as trained ${percent(before.trained)}.`;
  if (first !== before) return { right: another, because: `${escaped(quotedNext(first.word))} is first, and ${fell}` };
  if (first.probability === first.trained) return {};
  return { right: first.probability < first.trained ? lessLikely : moreLikely, because: fell };
}
function asks(data, { wanted, isNow, view: view2 }, { answers, then, ...offered }) {
  if (wanted.text === data.defaults.text) return offered;
  if (!data.answer || data.answer.setting.text !== wanted.text) return data.asked ?? offered;
  const { tokens, trained } = data.answer, last = tokens.length - 1;
  if (last < 0) return { question: "Write a sentence. What will come next?", isOpen: false };
  if (data.asked?.text !== wanted.text) {
    const word = data.table.words[likeliestAt(trained.logits, last, data.table)];
    data.asked = {
      text: wanted.text,
      question: `${quotedNext(word)} comes next. What if all heads only looked at places?`
    };
  }
  const isAsAsked = Object.entries(then).every(([name, value]) => wanted[name] === value);
  if (isAsAsked && isNow && view2.setting.query === last) Object.assign(data.asked, fateOf(view2, answers));
  return data.asked;
}
function keyInWords({ setting, words: words2, swapped, trained }, j) {
  const { query, block, head } = setting;
  if (j > query) return `${quoted(words2[j])}, token ${j}, comes after the query, which cannot see it`;
  const [now, before] = [swapped, trained].map(({ rows }) => percent(rows[block][head][j]));
  return `Key ${quoted(words2[j])}, token ${j}: weight ${now}${isSwapped(setting) ? `, as trained ${before}` : ""}`;
}
function headInWords(view2, block, head) {
  const { setting, words: words2, swapped } = view2, row = swapped.rows[block][head], heaviest = indexOfLargest(row);
  const most = `most from ${quoted(words2[setting.query])} at ${quoted(words2[heaviest])}, ${percent(row[heaviest])}`;
  return `Head ${block}, ${head} looks ${most}; ${doesInWords(view2, block, head)}`;
}

// lib/figures/language_model/tools.js
var WRITE_PAUSE = 350;
var MOST_WRITTEN = 60;
var button = (text, parent, properties = {}) => html("button", { type: "button", text, ...properties }, parent);
var OWN_KEYS = { "data-lm-suppress-shortcuts": "true" };
function menu(label, words2, parent, chosen) {
  const row = html("label", { class: "menu", text: label }, parent);
  const select = html("select", OWN_KEYS, row);
  Object.entries(words2).forEach(([name, text]) => html("option", { value: name, text }, select));
  select.addEventListener("change", () => chosen(select.value));
  return { row, select };
}
var SAMPLES = { 0: "the likeliest, T = 0", 0.7: "drawn at T = 0.7", 1.5: "drawn at T = 1.5" };
function writingPlace(stage, { longest_text: longest, ranges }, change) {
  const group = html("div", { class: "writing" });
  stage.before(group);
  const words2 = { "aria-label": "Your text", placeholder: "Write a sentence" };
  const field = html(
    "textarea",
    { ...words2, rows: 2, maxlength: longest, spellcheck: "false", autocomplete: "off" },
    group
  );
  const beside = html("div", {}, group);
  const write = button("Write on", beside, { class: "write", title: "Append next words at the end, one at a time" });
  const samples = Object.fromEntries(ranges.sampling.map((T) => [T, SAMPLES[T]]));
  const { select } = menu("", samples, beside, (sampling) => change({ sampling }));
  set(select, { "aria-label": "next word" });
  return { field, write, sampling: select };
}
var KERNEL = "How alike a query and a key are: the first of a head's three lines. The Gaussian is at the balanced scale.";
var SLIDERS = {
  scores: {
    name: "τ in heads",
    title: "All scores of a head are divided by τ. A smaller τ leaves weight to fewer words. The heads learned with √d."
  },
  place: {
    name: "h in heads",
    title: "The bandwidth h says how many pieces back a head looks. A smaller h looks at nearer words."
  }
};
function toolsIn(stage, { kernel_names, ranges }, { change, darkWords: darkWords2 }) {
  const tools = html("div", { class: "tools", role: "group", "aria-label": "What the heads may look at" }, stage);
  const named = (names) => Object.fromEntries(names.map((name) => [name, name]));
  const places = button("", tools);
  const hide = button("", tools);
  const kernel = menu(
    "kernel",
    kernel_names,
    tools,
    (name) => change({ kernel: name, ...name === "hide" && { hidden: darkWords2() } })
  );
  const scope = menu("used by", named(ranges.scope), tools, (name) => change({ scope: name }));
  const row = html("label", { class: "menu" }, tools);
  const rowName = html("span", {}, row);
  const [min, max, step] = ranges.temperature;
  const slider = html("input", { ...OWN_KEYS, type: "range", min, max, step }, row);
  const number = html("output", {}, row);
  const each = html("label", { class: "menu each", title: "Else a press on a word moves the query to it" }, tools);
  const hides = html("input", { type: "checkbox" }, each);
  html("span", { text: "a press on a word hides or shows it" }, each);
  set(kernel.row, { title: KERNEL });
  const features = menu("features", named(ranges.features), tools, (name) => change({ features: name }));
  const onlyPlaces = { ...AS_TRAINED, kernel: "place", scope: "all heads" };
  const isPlaces = ({ kernel: name, scope: where }) => name === "place" && where === "all heads";
  let now;
  slider.addEventListener("input", () => change({ temperature: Number(slider.value) }));
  places.addEventListener("click", () => change(isPlaces(now) ? AS_TRAINED : onlyPlaces));
  hide.addEventListener(
    "click",
    () => change(now.kernel === "hide" ? AS_TRAINED : { ...AS_TRAINED, kernel: "hide", hidden: darkWords2() })
  );
  function show(setting) {
    now = setting;
    kernel.select.value = setting.kernel;
    scope.select.value = setting.scope;
    features.select.value = String(setting.features);
    slider.value = setting.temperature;
    number.textContent = setting.kernel === "place" ? placeBandwidth(setting) : `${format(setting.temperature, 1)} √d`;
    slider.setAttribute("aria-valuetext", number.textContent);
    const { name, title } = SLIDERS[setting.kernel === "place" ? "place" : "scores"];
    rowName.textContent = name;
    set(slider, { "aria-label": name });
    for (const one of [row, slider]) set(one, { title });
    row.hidden = !hasTemperature(setting);
    each.hidden = setting.kernel !== "hide";
    features.row.hidden = setting.kernel !== "performer";
    places.classList.toggle("on", isPlaces(setting));
    places.textContent = isPlaces(setting) ? "All heads as trained again" : "Let all heads look only at places";
    hide.classList.toggle("on", setting.kernel === "hide");
    hide.textContent = setting.kernel === "hide" ? "Show the words again" : "Hide the words it looks at most";
    const isTrained = setting.kernel === TRAINED;
    hide.disabled = setting.kernel !== "hide" && !(isTrained && darkWords2().length);
    hide.title = hide.disabled ? isTrained ? "It looks only at itself" : "Of heads as trained only" : "";
  }
  return { element: tools, show, hides: () => now.kernel === "hide" && hides.checked };
}
function drawnWord(data, T) {
  const { view: view2, answer, table } = data;
  if (T === 0 || !answer) return view2.next?.find(({ word }) => !isPartOfLetter(word))?.word;
  const size = table.words.length, last = answer.tokens.length - 1;
  const logits = answer.swapped.logits.subarray(last * size, (last + 1) * size);
  const weights = softmax(logits.map((logit, token) => isPartOfLetter(table.words[token]) ? -Infinity : logit / T));
  let left = Math.random();
  const drawn = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return table.words[drawn < 0 ? indexOfLargest([...weights]) : drawn];
}
function writer(button2, { view: view2, draw, append, begin: begin2, end }) {
  let isWriting = false, written = 0, pause;
  function stop() {
    if (isWriting) end();
    isWriting = false;
    clearTimeout(pause);
    button2.textContent = "Write on";
  }
  function start() {
    [isWriting, written, pause] = [true, 0, void 0];
    if (!isStill()) button2.textContent = "Stop";
    begin2();
  }
  function writeOne() {
    const word = draw();
    if (!word || document.hidden || !append(word)) return stop();
    written += 1;
    if (isStill() || written === MOST_WRITTEN) stop();
  }
  function goOn() {
    const { setting, words: words2 } = view2();
    if (!isWriting || setting.query < words2.length - 1) return;
    clearTimeout(pause);
    pause = setTimeout(writeOne, written ? WRITE_PAUSE : 0);
  }
  button2.addEventListener("click", () => isWriting ? stop() : start());
  return { stop, goOn };
}

// lib/figures/parts/shades.js
var N_SHADES = 32;
function shadedPaths(levels, cell, count = N_SHADES) {
  const paths = Array.from({ length: count + 1 }, () => "");
  levels.forEach((level, k) => {
    const shade = Math.ceil(count * level - 0.5);
    if (shade > 0) paths[shade] += cell(k);
  });
  return paths.slice(1);
}

// lib/figures/language_model/drawing.js
var N_CELL_SHADES = 16;
var TITLE = 22;
var ARCS = 10;
var BAR = 24;
var CELL = 12;
var HEAD_ROW = 28;
var LEGEND_ROW = 20;
function layout(width) {
  const narrow = width < 560;
  const side = { width: narrow ? width : 264 };
  const words2 = { x: 0, y: TITLE + ARCS, width: narrow ? width : width - side.width - 20 };
  const heads = { x: narrow ? 16 : 52, gap: narrow ? 6 : 10, width: words2.width };
  return { width, narrow, side, words: words2, heads };
}
function arrange(parts, tools, { nBlocks, nHeads }, measure, words2, width, drawn) {
  const { narrow, ...plan } = layout(width);
  const lines = wrapped(words2, measure, plan.words), addsLine = lines.bottom;
  const { x, gap } = plan.heads, larger = letterSize(parts.adds) / 13, row = HEAD_ROW * larger, y = addsLine + 34 + 24 * larger;
  const cellWidth = (plan.heads.width - x - 4 - gap * (nHeads - 1)) / nHeads;
  const cellOf = (block, head) => ({ x: x + head * (cellWidth + gap), y: y + block * row });
  const heads = { x, y, cellWidth, cellOf, nBlocks, nHeads, gap, larger, row, width: plan.heads.width };
  const legendLine = y + nBlocks * row + 10, lastLine = drawLegend(parts, { y: legendLine, width: plan.heads.width }, drawn);
  const headsBottom = narrow ? Math.max(lastLine, legendLine + LEGEND_ROW) + 8 : lastLine + 6;
  const side = { ...plan.side, x: narrow ? 0 : width - plan.side.width, y: narrow ? headsBottom + 8 : 0 };
  const nextBottom = side.y + TITLE + n_next * BAR + 22;
  lay(tools, { x: side.x, y: nextBottom, width: side.width, height: 0 });
  tools.style.height = "";
  const height = Math.max(headsBottom, nextBottom + tools.offsetHeight);
  const at = { ...plan, narrow, lines, addsLine, side, heads, of: words2, height };
  resize(parts.canvas, width, at.height);
  drawNames(parts, at);
  return at;
}
function headAt({ heads: { x: left, y: top, cellWidth, gap, row, nBlocks, nHeads } }, x, y) {
  return {
    block: onGrid(Math.floor((y - top + 6) / row), [0, nBlocks - 1, 1]),
    head: onGrid(Math.floor((x - left + gap / 2) / (cellWidth + gap)), [0, nHeads - 1, 1])
  };
}
function partAt({ heads, words: words2, lines, of }, x, y) {
  const isInWords = of.length && y >= words2.y - 6 && y < lines.bottom && x <= words2.width + 6;
  const right = heads.x + heads.nHeads * (heads.cellWidth + heads.gap);
  const isInHeads = y >= heads.y - 6 && y < heads.y + heads.nBlocks * heads.row && x >= heads.x - 6 && x < right;
  return isInWords ? "words" : isInHeads ? "heads" : void 0;
}
function placeOf(stage, event) {
  const { left, top } = stage.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}
var handle = (name, label, stage) => html("div", { class: `${name}-handle handle`, role: "slider", tabindex: 0, "aria-label": label }, stage);
function elements(stage) {
  const { canvas, add } = drawing(stage);
  const parts = {
    canvas,
    wordsTitle: add("text", "title weight-title", { y: 14 }),
    ...tokenParts(add),
    empty: add("text", "empty", { text: "Write a sentence above." }),
    adds: add("text", "adds"),
    nextTitle: add("text", "title next-title"),
    next: add("g", "next"),
    loss: add("text", "loss"),
    headsTitle: add("text", "title heads-title"),
    headNames: add("g", "head-names"),
    grounds: add("g", "grounds"),
    cells: add("g", "cells"),
    names: add("g", "names"),
    marks: add("g", "marks"),
    queryMarks: add("path", "query-marks"),
    headFrame: add("rect", "head-frame", { rx: 2 }),
    legend: add("g", "legend")
  };
  const queryHandle = handle("query", "Query", stage), keyHandle = handle("look", "Key to read", stage), headHandle = handle("head", "Block and head", stage);
  const buttons = html("div", { class: "next-buttons", role: "group", "aria-label": "Append a next word" }, stage);
  const note = html("p", { class: "note" }, stage);
  return { ...parts, queryHandle, keyHandle, headHandle, buttons, note };
}
var brief = (word) => {
  if (isPartOfLetter(word)) return "“�”";
  return word.length > 14 ? `${quoted(word).slice(0, 13)}…”` : quoted(word);
};
function drawWords(parts, at, { words: words2, setting, swapped, trained }) {
  const { query, block, head } = setting;
  const row = swapped?.rows[block][head] ?? [];
  drawTokens(parts, at.lines.places, {
    tokens: words2,
    query,
    row,
    before: trained?.rows[block][head],
    unseen: (j) => j > query,
    hidden: setting.kernel === "hide" ? setting.hidden.filter((j) => j !== query) : []
    // a word sees itself
  });
  set(parts.empty, { x: 0, y: at.words.y + 17, visibility: words2.length ? "hidden" : "visible" });
  const from = words2.length ? ` from ${brief(words2[query])}` : "";
  const share = at.narrow ? "in %" : "% of weight";
  parts.wordsTitle.textContent = `Head ${block}, ${head} looks${from} at (${share})`;
}
function drawAdds(parts, at, { setting: { block, head }, adds }) {
  const added = adds?.[block]?.[head];
  set(parts.adds, { x: 0, y: at.addsLine + 14 });
  parts.adds.replaceChildren();
  const say = (text, kind) => svg("tspan", { class: kind, text }, parts.adds);
  if (!added) return;
  say(at.narrow ? "alone it favours " : "alone, it favours as next word ", "plain");
  added.forEach(({ word }, i) => {
    if (i) say(", ", "plain");
    say(quotedNext(word), "word");
  });
}
function drawNext(parts, at, { next = [], words: words2, setting, swapped, trained }) {
  const { x, y, width } = at.side, isPaired = isSwapped(setting);
  const most = Math.max(...next.map((each) => Math.max(each.probability, isPaired ? each.trained : 0)));
  const left = 86, room = width - left - (isPaired ? 88 : 50);
  const wide = (probability) => Math.max(room * probability / most, 1);
  set(parts.nextTitle, { x, y: y + 14 });
  titled(parts.nextTitle, next.length ? `What comes after ${brief(words2[setting.query])}` : "", PIECES);
  set(parts.next, { transform: translate(x, y + TITLE - 2) });
  const build = (group) => ({
    word: svg("text", { class: "word", x: left - 6, y: 16 }, group),
    before: svg("rect", { class: "before", x: left, y: 4, height: 7 }, group),
    bar: svg("rect", { class: "now", x: left }, group),
    number: svg("text", { class: "number", y: 16 }, group)
  });
  repeatGroups(parts.next, next.length, build, ({ word, before, bar, number }, i, group) => {
    const { word: token, probability, trained: usual2 } = next[i];
    set(group, { transform: translate(0, i * BAR) });
    set(bar, { width: wide(probability), y: isPaired ? 12 : 5, height: isPaired ? 7 : 14 });
    set(before, { width: wide(usual2), visibility: isPaired ? "visible" : "hidden" });
    set(number, { x: left + wide(isPaired ? Math.max(usual2, probability) : probability) + 5 });
    word.textContent = asNext(token).slice(0, 10);
    number.textContent = isPaired ? `${percent(usual2).replace(/\s?%/, "")} → ${percent(probability)}` : percent(probability);
  });
  set(parts.loss, { x, y: y + TITLE + next.length * BAR + 12 });
  const usual = isPaired ? `, as trained ${format(trained?.loss ?? 0, 2)}` : "";
  const loss = swapped?.loss == null ? "" : `Loss ${format(swapped.loss, 2)} nats${isPaired ? "" : " per token"}${usual}`;
  titled(parts.loss, loss, LOSS);
}
var PIECES = "The vocabulary has pieces: one may be a whole word, the beginning of a word, or with “…” the rest of one.";
var LOSS = "The mean surprise: −ln of the chance that the model gave to each next piece of this text. 0 is no surprise.";
function titled(element, text, title) {
  element.textContent = text;
  if (text) svg("title", { text: title }, element);
}
function layButtons(parts, at, { next = [], words: words2, setting }, append) {
  const isCut = setting.query < words2.length - 1;
  const from = isCut ? `Cut the text after ${quoted(words2[setting.query])} and append` : "Append";
  const { x, y, width } = at.side;
  const make = (i) => button("", parts.buttons, { class: "next-word" }).addEventListener("click", () => append(i));
  repeatMade(parts.buttons, make, next.length, (each, i) => {
    lay(each, { x, y: y + TITLE - 2 + i * BAR, width, height: BAR });
    const name = `${from} ${quotedNext(next[i].word)}`;
    set(each, { "aria-label": name, title: name });
    each.disabled = isPartOfLetter(next[i].word);
  });
}
function drawHeads(parts, at, view2) {
  const { swapped, words: words2, setting } = view2, { cellWidth, cellOf, nBlocks, nHeads, larger } = at.heads, n = Math.max(words2.length, 1), step = cellWidth / n;
  const boxes = Array.from({ length: nBlocks * nHeads }, (_, i) => cellOf(Math.floor(i / nHeads), i % nHeads));
  const weights = swapped ? swapped.rows.flat(2) : [];
  const wide = step.toFixed(1);
  const cell = (k) => {
    const { x: x2, y: y2 } = boxes[Math.floor(k / n)];
    return `M${(x2 + k % n * step).toFixed(1)} ${y2}h${wide}v${CELL}h-${wide}z`;
  };
  const paths = shadedPaths(weights.map(Math.sqrt), cell, N_CELL_SHADES);
  repeat(parts.grounds, "rect", boxes.length, (rect, i) => set(rect, { ...boxes[i], width: cellWidth, height: CELL }));
  repeat(
    parts.cells,
    "path",
    paths.length,
    (path, level) => set(path, { d: paths[level], "fill-opacity": (level + 1) / N_CELL_SHADES })
  );
  const marked = swapped ? narrowest(swapped.rows) : [];
  repeat(parts.names, "text", boxes.length, (text, i) => {
    const isMarked = marked.includes(i);
    set(text, {
      x: boxes[i].x + (isMarked ? 11 : 0),
      y: boxes[i].y + CELL + 11 * larger,
      class: isMarked ? "marked" : ""
    });
    const name = nameOf(view2, Math.floor(i / nHeads), i % nHeads);
    text.textContent = at.narrow ? name.replace("one ", "1 ") : name;
  });
  repeat(parts.marks, "circle", marked.length, (circle, k) => {
    const { x: x2, y: y2 } = boxes[marked[k]];
    set(circle, { cx: x2 + 4, cy: y2 + CELL + 7 * larger, r: 3.5 });
  });
  const mark = (setting.query + 0.5) * step;
  set(parts.queryMarks, {
    d: words2.length ? boxes.map(({ x: x2, y: y2 }) => `M${(x2 + mark).toFixed(1)} ${y2 + CELL}v4`).join("") : ""
  });
  const { x, y } = cellOf(setting.block, setting.head);
  set(parts.headFrame, { x: x - 2, y: y - 2, width: cellWidth + 4, height: CELL + 4 });
}
function drawNames(parts, at) {
  const { cellOf, cellWidth, nBlocks, nHeads, larger, y } = at.heads;
  set(parts.headsTitle, { x: 0, y: y - 24 * larger });
  const where = at.narrow ? "" : " on the whole text";
  parts.headsTitle.textContent = `All ${nBlocks * nHeads} heads (block, head): what each does${where}`;
  parts.headNames.replaceChildren();
  const name = (x, top, text, kind) => svg("text", { class: `tick ${kind}`, x, y: top, text }, parts.headNames);
  for (let head = 0; head < nHeads; head += 1) name(cellOf(0, head).x + cellWidth / 2, y - 8, `head ${head}`, "across");
  for (let block = 0; block < nBlocks; block += 1)
    name(cellOf(block, 0).x - 7, cellOf(block, 0).y + 11, at.narrow ? block : `block ${block}`, "left");
}
var LEGEND = [
  { name: "query", words: "query", shape: "rect", x: 1, y: -11, width: 14, height: 13, rx: 3 },
  { name: "weight", words: "weight", shape: "rect", x: 0, y: -12, width: 16, height: 15, rx: 3 },
  { name: "before", words: "as trained", shape: "rect", x: 0, y: -6, width: 16, height: 4 },
  { name: "marked", words: "fewest words from here", shape: "circle", cx: 9, cy: -4, r: 3.5 }
];
var drawnOf = ({ setting, swapped }) => ["query", "weight", isSwapped(setting) && "before", swapped && narrowest(swapped.rows).length && "marked"].filter(Boolean).join(" ");
function drawLegend(parts, { y, width }, drawn) {
  const names = drawn.split(" ");
  const entries = LEGEND.filter(({ name }) => names.includes(name));
  return legend(parts.legend, entries, { y, gap: 36, width, line: LEGEND_ROW });
}
function layHandles(parts, at, view2, key) {
  const {
    setting: { query, block, head },
    words: words2,
    swapped
  } = view2, { nBlocks, nHeads, cellOf, cellWidth } = at.heads;
  const overWord = (handle2, j) => {
    lay(handle2, words2.length ? { ...at.lines.places[j], height: CHIP } : { x: 0, y: 0, width: 0, height: 0 });
    handle2.style.display = words2.length ? "" : "none";
  };
  overWord(parts.queryHandle, query);
  overWord(parts.keyHandle, key);
  const { x, y } = cellOf(block, head);
  lay(parts.headHandle, { x: x - 4, y: y - 4, width: cellWidth + 8, height: CELL + 8 });
  const headWords = swapped ? headInWords(view2, block, head) : `head ${block}, ${head}`;
  describe(parts.headHandle, block * nHeads + head, [0, nBlocks * nHeads - 1], headWords);
  if (!words2.length) return;
  const last = words2.length - 1;
  describe(parts.queryHandle, query, [0, last], `${quoted(words2[query])}, token ${query} of ${words2.length}`);
  describe(parts.keyHandle, key, [0, last], keyInWords(view2, key));
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

// lib/figures/language_model/language_model.js
var CHOICE_PAUSE = 200;
function withAnswers(facts) {
  const { rows } = facts.first.swapped;
  const first = { ...facts.first, trained: facts.first.trained ?? facts.first.swapped };
  return {
    ...facts,
    first,
    nBlocks: rows.length,
    nHeads: rows[0].length,
    view: first,
    // what is shown
    answer: void 0,
    table: void 0,
    // of tokens: their words and their embeddings
    chosen: void 0
    // the head that is shown of a new text, while its reader has chosen none
  };
}
var wantedBy = ({ block, head, features, ...setting }) => ({
  ...setting,
  block: Number(block),
  head: Number(head),
  features: Number(features)
});
function compute(data, setting) {
  const wanted = wantedBy(setting);
  const { isNow, view: view2 } = viewFor(wanted, data);
  data.view = view2;
  return { wanted, isNow, view: view2 };
}
function runOf(setting) {
  const { text, kernel, temperature, scope, features: m, hidden, block, head } = setting;
  if (!isSwapped(setting)) return JSON.stringify([text]);
  const where = scope === "all heads" ? scope : [scope, block, head];
  const own = { performer: m, hide: hidden }[kernel];
  return JSON.stringify([text, kernel, hasTemperature(setting) && temperature, where, own]);
}
function viewFor(wanted, { answer, table, first, view: view2 }) {
  const run = runOf(wanted);
  if (answer) {
    const isNow = runOf(answer.setting) === run, setting = isNow ? wanted : answer.setting;
    return { isNow, view: viewOf({ ...answer, setting }, wanted.query, table) };
  }
  const isFirst = runOf(first.setting) === run && Math.min(wanted.query, first.words.length - 1) === first.setting.query;
  return { isNow: isFirst, view: isFirst ? { ...first, setting: { ...wanted, query: first.setting.query } } : view2 };
}
var placesSetting = (shown) => ({
  write: (places) => places.join("."),
  read: (text) => {
    const places = text.split(".").map(Number);
    return places.every((place) => Number.isInteger(place) && place >= 0 && place < shown) ? places : void 0;
  }
});
function textAsFarAs({ setting: { text, query }, tokens, words: words2 }, table) {
  const rest = words2.slice(query + 1).join("");
  if (!isPartOfLetter(rest) || !table) return text.slice(0, text.length - rest.length);
  const bytes = new TextEncoder().encode(text), cut = tokens.slice(query + 1).reduce((sum, token) => sum + table.lengths[token], 0);
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, bytes.length - cut), { stream: true });
}
var keeps = ({ defaults, shown }, { text, block, head }) => text === defaults.text ? {} : { text, block, head, query: shown - 1 };
function modelInWorker(code, stored, { listen, fail }) {
  let table, waiting, isBusy = true;
  const next = () => {
    isBusy = waiting !== void 0;
    if (isBusy) worker.post({ setting: waiting });
    waiting = void 0;
  };
  const hear = (data) => {
    table ??= data.table;
    next();
    if (data.result) listen(data.result, table);
  };
  const worker = workerOf(code, { listen: hear, fail });
  worker.post({ open: stored });
  return {
    ask(setting) {
      waiting = setting;
      if (!isBusy) next();
    },
    end: worker.end
  };
}
function modelOf(figure, { showProblem }) {
  const { data, stage } = figure;
  let worker, isComing = false, asked;
  async function open() {
    if (isComing) return;
    isComing = true;
    figure.redraw();
    try {
      const stored = await later(figure.model, "model_later");
      if (figure.signal.aborted) return;
      worker = modelInWorker(data.worker_code, stored, { listen, fail });
      figure.redraw();
    } catch {
      fail();
    }
  }
  function listen(result, table) {
    [data.answer, data.table] = [result, table];
    figure.redraw();
  }
  function fail() {
    showProblem("The model could not be loaded here.");
    figure.redraw();
  }
  const stopWaiting = whenTouched(figure.root, open);
  figure.signal.addEventListener("abort", () => {
    stopWaiting();
    worker?.end();
  });
  return {
    open,
    isComing: () => isComing && !data.answer,
    /** Ask for what is wanted, if it is not shown; then the figure is stale. */
    askFor(wanted, isNow, problem) {
      if (!isNow && !isComing) return void open();
      const isReady = isNow && (data.answer || !isComing);
      const run = isReady ? void 0 : runOf(wanted);
      if (worker && run !== void 0 && asked !== run) worker.ask(wanted);
      if (worker) asked = run;
      stage.classList.toggle("stale", !isReady && !problem);
    }
  };
}
function headChooser({ data, redraw, change, setting, signal }) {
  let isOwn = false, isDue = false, pause;
  function choose() {
    isDue = !isOwn && !signal.aborted;
    if (isDue) redraw();
  }
  return {
    choose,
    own() {
      isOwn = true;
      isDue = false;
      data.chosen = void 0;
    },
    /** Letters were typed: choose when they rest. */
    typed(isAnother) {
      isOwn &&= !isAnother;
      isDue = false;
      clearTimeout(pause);
      pause = setTimeout(choose, CHOICE_PAUSE);
    },
    /** A setting was drawn. Where one head has a kernel of its own, it stays. */
    drawn(isNow) {
      if (!isDue || !isNow || !data.answer) return;
      isDue = false;
      const mayMove = !isSwapped(setting()) || setting().scope === "all heads";
      if (!mayMove || !data.answer.tokens.length) return;
      const found = tellingHead(data.answer, data.table);
      data.chosen = { ...found, text: setting().text };
      change(found);
    }
  };
}
function handsOn(figure, parts, { places, looked, lookAt, toggle, hides, own }) {
  const { data, stage, change } = figure;
  let pressed;
  const namely = (token) => token === data.view.words.length - 1 ? data.shown - 1 : token;
  const inWords2 = ({ block, head }) => ({ block: String(block), head: String(head) });
  function grab(event) {
    const at = places(), [x0, y0] = placeOf(stage, event);
    const where = partAt(at, x0, y0);
    if (!where || event.target.closest(".tools, .next-buttons")) return void 0;
    pressed = where === "words" && (event.shiftKey || hides()) ? tokenAt(at.lines.places, x0, y0) : void 0;
    if (pressed !== void 0) return () => {
    };
    focus(where === "words" ? parts.queryHandle : parts.headHandle);
    if (where === "heads") own();
    return (e) => {
      const [x, y] = placeOf(stage, e);
      if (!data.view.words.length) return;
      change(
        where === "words" ? { query: namely(tokenAt(places().lines.places, x, y)) } : inWords2(headAt(places(), x, y))
      );
    };
  }
  figure.drag(stage, grab, () => pressed !== void 0 && toggle(pressed));
  arrowKeys(parts.queryHandle, (right, up) => {
    const { words: words2, setting } = data.view;
    if (words2.length) change({ query: namely(stepFrom(places().lines.places, setting.query, right, up)) });
  });
  arrowKeys(parts.keyHandle, (right, up) => {
    if (!data.view.words.length) return;
    lookAt(stepFrom(places().lines.places, keyToRead(data.view, looked()), right, up));
  });
  parts.keyHandle.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    toggle(keyToRead(data.view, looked()));
  });
  arrowKeys(parts.headHandle, (right, up) => {
    const { block, head } = wantedBy(figure.setting());
    own();
    change(inWords2({ block: clamp(block - up, 0, data.nBlocks - 1), head: clamp(head + right, 0, data.nHeads - 1) }));
  });
}
function tell(figure, parts, { places, looked }) {
  const { data } = figure;
  const overWord = (j) => {
    const { x, y, width } = places().lines.places[j];
    return { x: x + width / 2, y, words: keyInWords(data.view, j) };
  };
  const overHead = ({ block, head }) => {
    const { x, y } = places().heads.cellOf(block, head);
    return { x: x + places().heads.cellWidth / 2, y, words: headInWords(data.view, block, head) };
  };
  tellValues(figure, {
    find(x, y) {
      const where = data.view.words.length && partAt(places(), x, y);
      if (where === "words") return overWord(tokenAt(places().lines.places, x, y));
      const { block, head } = data.view.setting, one = where === "heads" ? headAt(places(), x, y) : void 0;
      return one && (one.block !== block || one.head !== head) ? overHead(one) : void 0;
    },
    focused: (element) => data.view.words.length && element === parts.keyHandle ? overWord(keyToRead(data.view, looked())) : void 0
  });
}
function view(figure) {
  const { data, root, stage, change } = figure, { shown, longest_text } = data, last = shown - 1;
  const { field, write, sampling } = writingPlace(stage, data, change);
  const parts = elements(stage), measure = measureIn(stage);
  const tools = toolsIn(stage, data, { change, darkWords: () => darkWords(data.view) });
  const arranged = memo(
    (words2, width, drawn, _tools) => arrange(parts, tools.element, data, measure, words2, width, drawn)
  );
  const choice = headChooser(figure);
  let at, looked, problem = "";
  const rewrite = (text, more = {}) => change({ text, query: last, ..."guess" in figure.setting() && { guess: "" }, ...more });
  function append(word, before = figure.setting().text) {
    const text = before + word, hasRoom = text.length <= longest_text;
    if (hasRoom) rewrite(text);
    return hasRoom;
  }
  function press(i) {
    const { next, setting } = data.view, { text } = figure.setting();
    append(next[i].word, setting.text === text ? textAsFarAs(data.view, data.table) : text);
    choice.choose();
  }
  function toggle(token) {
    const { kernel, hidden } = figure.setting(), now = kernel === "hide" ? hidden : [];
    const others = now.filter((each) => each !== token);
    change({ kernel: "hide", hidden: now.includes(token) ? others : [...others, token].sort((a, b) => a - b) });
  }
  const writing = writer(write, {
    view: () => data.view,
    draw: () => drawnWord(data, Number(figure.setting().sampling)),
    append,
    begin: () => data.view.setting.query < data.view.words.length - 1 ? change({ query: last }) : figure.redraw(),
    end: choice.choose
  });
  const model = modelOf(figure, {
    showProblem(words2) {
      problem = words2;
      writing.stop();
    }
  });
  function drawNote() {
    parts.note.textContent = problem || (model.isComing() ? "The model is loading …" : "");
  }
  function draw({ wanted, isNow, view: view2 }, { width }) {
    model.askFor(wanted, isNow, problem);
    if (wellFormed(field.value) !== wanted.text) {
      const isLonger = field.value !== "" && wanted.text.startsWith(field.value);
      field.value = wanted.text;
      if (isLonger) field.scrollTop = field.scrollHeight;
    }
    sampling.value = wanted.sampling;
    tools.show(wanted);
    at = arranged(view2.words, width, drawnOf(view2), tools.element.offsetHeight);
    drawWords(parts, at, view2);
    drawAdds(parts, at, view2);
    drawNext(parts, at, view2);
    layButtons(parts, at, view2, press);
    drawHeads(parts, at, view2);
    layHandles(parts, at, view2, keyToRead(view2, looked));
    drawNote();
    if (isNow && data.answer) writing.goOn();
    choice.drawn(isNow);
  }
  const touched = (event) => event.target !== write && writing.stop();
  root.addEventListener("pointerdown", touched, { capture: true });
  root.addEventListener("keydown", touched, { capture: true });
  field.addEventListener("input", () => {
    const text = wellFormed(field.value), { text: before, guess } = figure.setting();
    const isAnother = !text.startsWith(before);
    rewrite(text, isAnother && (guess ? AS_TRAINED : { hidden: [] }));
    choice.typed(isAnother);
  });
  const lookAt = (key) => {
    looked = key;
    figure.redraw();
  };
  handsOn(figure, parts, {
    places: () => at,
    looked: () => looked,
    lookAt,
    toggle,
    hides: tools.hides,
    own: choice.own
  });
  tell(figure, parts, { places: () => at, looked: () => looked });
  figure.signal.addEventListener("abort", writing.stop);
  return draw;
}
var hasKeys = () => !matchMedia("(hover: none)").matches;
var language_model_default = defineFigure("language-model", {
  hint: () => `Press a word, head or next word (“…ly” joins). ` + (hasKeys() ? "Shift hides. Keys: Tab, arrows, Enter." : "To hide one: “Hide …”, then tick."),
  data: withAnswers,
  settings: ({ longest_text, shown }) => ({ text: textSetting(longest_text), hidden: placesSetting(shown) }),
  compute,
  state,
  sentence,
  asks,
  keeps,
  view
});
export {
  language_model_default as default
};
