// lib/constants.json
var constants_default = {
  brightness: [0.299, 0.587, 0.114],
  grey_levels: 255,
  pilot: { bandwidth: 0.5, radius: 2 },
  steering: { analysis_radius: 5, sensitivity: 0.5, elongation: 1, regularization: 1e-7 },
  radius_per_bandwidth: 2.2,
  norm_epsilon: 1e-6,
  rotary_base: 1e4,
  place_bandwidth: 2,
  n_next: 5,
  brush: { radii_per_side: 15, steps_per_radius: 2 },
  phone_width: 640
};

// lib/figures/address.js
var hashParts = (hash = location.hash) => hash.slice(1).split("&").filter(Boolean);
function readAddress(name, hash = location.hash) {
  const part = hashParts(hash).find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const pairs = (part.includes(":") ? part : decoded(part)).split(",");
  const words = pairs.map((pair) => pair.split(":").map(decoded));
  return Object.fromEntries(words.filter((pair) => pair.length === 2));
}
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
function addressWith(name, settings) {
  const others = hashParts().filter((text) => text.includes("=") && !text.startsWith(`${name}=`));
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

// lib/figures/hands.js
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

// lib/figures/numbers.js
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
var role = (name, words) => `<b class="${name}">${words}</b>`;
var symbolic = (symbol) => symbol.replace(/_(\w)/, "<sub>$1</sub>");

// lib/figures/plot.js
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
function repeat(parent, tag, count, update) {
  while (parent.children.length > count) parent.lastChild.remove();
  while (parent.children.length < count) svg(tag, {}, parent);
  [...parent.children].forEach(update);
}
var repeatGroups = (parent, count, build, update) => repeat(parent, "g", count, (group, i) => {
  group.parts ??= build(group);
  update(group.parts, i, group);
});
var resize = (canvas, width, height) => set(canvas, { width, height, viewBox: `0 0 ${width} ${height}` });
function lay(element, { x, y, width, height }) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}
function describe(handle2, now, [low, high], words) {
  set(handle2, { "aria-valuemin": String(low), "aria-valuemax": String(high), "aria-valuenow": String(now) });
  if (words !== void 0) set(handle2, { "aria-valuetext": words });
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
}

// lib/figures/settings.js
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

// lib/figures/sliders.js
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

// lib/figures/figure.js
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
  html("p", { class: "question", text: question }, bar);
  const actions = html("div", { class: "actions" }, bar);
  const stage = html("div", { class: "stage" }, root);
  const sentence2 = html("p", { class: "sentence", "aria-live": "polite" }, root);
  const foot = html("div", { class: "foot" }, root);
  html("p", { class: "hint", text: hint }, foot);
  return { root, bar, actions, stage, sentence: sentence2, foot };
}
function guessesIn(actions, question, { answers, right, then, because }, choose) {
  const group = html("div", { class: "guesses", role: "group", "aria-label": `Guess: ${question}` });
  actions.before(group);
  const chips = answers.map((text) => html("button", { type: "button", text }, group));
  chips.forEach((chip, i) => chip.addEventListener("click", () => choose({ ...then, guess: answers[i] })));
  return {
    show(guess) {
      chips.forEach((chip, i) => {
        chip.setAttribute("aria-pressed", String(answers[i] === guess));
        chip.classList.toggle("right", guess !== "" && answers[i] === right);
      });
    },
    /** What became of the guess, while the figure is as the question has it. */
    said(setting) {
      const { guess } = setting;
      if (!guess || Object.entries(then).some(([name, value]) => setting[name] !== value)) return "";
      const judged = guess === right ? "You are right:" : `You guessed “${guess}”, and the answer is`;
      return `${judged} “${right}”. ${because} `;
    }
  };
}
function ghostOf() {
  let ghost, isMoving = false;
  return {
    now: () => ghost,
    begin() {
      isMoving = false;
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
function speechOf(element) {
  let said;
  return {
    hush: () => element.setAttribute("aria-busy", "true"),
    speak: () => element.removeAttribute("aria-busy"),
    say(sentence2) {
      if (sentence2 !== said) element.innerHTML = sentence2;
      said = sentence2;
    }
  };
}
var REST = 250;
var GLIDE = 300;
function begin(model, el, name, { hint, data: prepare = (facts) => facts, settings: own = () => ({}), ...definition }) {
  const address = model.get("address"), question = model.get("question"), data = prepare(factsOf(model)), offered = model.get("guesses"), settings = settingsOf(model, { ...own(data, model), ...offered && { guess: guessSetting(offered.answers) } });
  const words = typeof hint === "string" ? hint : hint(data);
  const { root, bar, actions, stage, sentence: sentence2, foot } = frameIn(el, name, address, question, words);
  const ghost = ghostOf(), speech = speechOf(sentence2);
  const life = new AbortController();
  let draw, drawnWidth, pending, resting, gliding;
  function redraw() {
    pending = false;
    drawnWidth ||= stage.clientWidth;
    if (!drawnWidth) return;
    const setting = settings.now();
    const now = { setting, ...definition.compute(data, setting) };
    draw(now, { width: drawnWidth, ghost: ghost.now() });
    figure.now = now;
    root.dataset.state = JSON.stringify({
      ...definition.state(data, now),
      ...guesses && { guess: setting.guess || null }
    });
    guesses?.show(setting.guess);
    const visibility = ghost.now() ? "visible" : "hidden";
    for (const each of stage.querySelectorAll(".ghost, .was")) set(each, { visibility });
    root.dispatchEvent(new Event("drawn"));
    speech.say((guesses?.said(setting) ?? "") + definition.sentence(data, now));
  }
  function changed() {
    ghost.before(figure.now);
    if (!pending) queueMicrotask(redraw);
    pending = true;
    speech.hush();
    clearTimeout(resting);
    resting = setTimeout(rest, REST);
  }
  function rest() {
    if (root.classList.contains("playing")) return;
    speech.speak();
    if (onSite()) keepAddress(addressWith(address, settings.write()));
  }
  function glide() {
    root.classList.add("gliding");
    clearTimeout(gliding);
    gliding = setTimeout(() => root.classList.remove("gliding"), GLIDE);
  }
  function guessed(setting) {
    ghost.begin();
    glide();
    settings.reset();
    settings.change(setting);
  }
  function forget() {
    ghost.forget();
    redraw();
    ghost.begin();
  }
  const figure = {
    root,
    stage,
    actions,
    data,
    model,
    redraw,
    rest,
    begin: ghost.begin,
    change: settings.change,
    reset: settings.reset,
    setting: settings.now,
    signal: life.signal,
    now: void 0,
    // what is drawn: the setting and its numbers
    /** Let hands move what `grab(event)` says, `release` it, and take back what a cancelled gesture did. */
    drag(element, grab, release = () => {
    }) {
      let before;
      const grip = (event) => {
        before = settings.stored();
        return grab(event);
      };
      draggable(element, { grab: grip, release: (cancelled) => cancelled ? settings.restore(before) : release() });
    },
    end() {
      settings.traits.forEach((trait) => model.off(`change:${trait}`, changed));
      life.abort();
      clearTimeout(resting);
      clearTimeout(gliding);
    }
  };
  addButtons(foot, address, settings, forget);
  const guesses = offered && guessesIn(actions, question, offered, guessed);
  draw = definition.view(figure);
  settings.traits.forEach((trait) => model.on(`change:${trait}`, changed));
  redraw();
  const glideTo = () => {
    ghost.begin();
    glide();
  };
  followAddress(root, address, settings, { forget, begin: ghost.begin, glideTo }, life.signal);
  let isNamed = false;
  const resized = new ResizeObserver(() => {
    const width = stage.clientWidth;
    if (width !== drawnWidth) {
      drawnWidth = width;
      redraw();
    }
    if (!isNamed) isNamed = nameSliders(root, life.signal);
  });
  resized.observe(bar);
  life.signal.addEventListener("abort", () => resized.disconnect());
  html("style", { text: `img[src*="live-${address}."] { display: none; }` }, root);
  return figure;
}
function factsOf(model) {
  const facts = model.get("facts").map((name) => [name, model.get(name)]);
  const ranges = Object.entries(model.get("settings")).map(([name, { grid, names }]) => [name, grid ?? names]);
  return { ...Object.fromEntries(facts), ranges: Object.fromEntries(ranges), defaults: model.get("defaults") };
}
function addButtons(foot, address, settings, forget) {
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
function followAddress(root, address, settings, { forget, begin: begin2, glideTo }, signal) {
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
    glideTo();
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

// lib/figures/weights.js
function softmax(logWeights) {
  const largest = logWeights.reduce((a, b) => Math.max(a, b), -Infinity);
  const origin = Number.isFinite(largest) ? largest : 0;
  return normalized(logWeights.map((logWeight) => Math.exp(logWeight - origin)));
}
function normalized(weights) {
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / (total || 1));
}
function keysForShare(weights, share) {
  const heaviestFirst = [...weights].sort((a, b) => b - a);
  let carried = 0;
  const index = heaviestFirst.findIndex((weight) => {
    carried += weight;
    return carried >= share - 1e-12;
  });
  return index + 1;
}
var N_SHADES = 32;
function shadedPaths(levels, cell, count = N_SHADES) {
  const paths = Array.from({ length: count + 1 }, () => "");
  levels.forEach((level, k) => {
    const shade = Math.ceil(count * level - 0.5);
    if (shade > 0) paths[shade] += cell(k);
  });
  return paths.slice(1);
}

// lib/figures/workers.js
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

// lib/figures/language_model.js
var N_CELL_SHADES = 24;
var TOP = 0.55;
var CHIP = 24;
var LINE = 48;
var BAR = 22;
var TITLE = 30;
var CELL = 20;
var WRITE_PAUSE = 350;
var MOST_WRITTEN = 60;
var { n_next: N_NEXT, place_bandwidth: PLACE_BANDWIDTH } = constants_default;
var escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
var shadeOf = (weight) => TOP * Math.sqrt(weight);
function spelled(word) {
  if (word.length > 1 && word[0] === " ") return word.slice(1);
  return { " ": "␣", "\n": "↵" }[word] ?? word.replace(/[\u0000-\u001f\u007f-\u009f]/g, "�");
}
var asNext = (word) => /^[A-Za-z]/.test(word) ? `…${word}` : spelled(word);
var quoted = (word) => word.includes("�") ? "a part of a letter" : `“${spelled(word)}”`;
function expectation(logits, row, size, words, following) {
  const probabilities = softmax(logits.subarray(row * size, (row + 1) * size));
  const likeliest = [...probabilities.keys()].sort((a, b) => probabilities[b] - probabilities[a] || a - b);
  return {
    next: likeliest.slice(0, N_NEXT).map((token) => ({ word: words[token], probability: probabilities[token] })),
    follows: following === void 0 ? null : probabilities[following]
  };
}
function viewOf({ setting, tokens, words, dropped, swapped, trained }, query, vocabulary) {
  const n = tokens.length, last = Math.min(query, n - 1);
  const shown = ({ logits, weights, loss }) => ({
    rows: weights.map((heads) => heads.map((all) => [...all.subarray(last * n, (last + 1) * n)])),
    probabilities: expectation(logits, last, vocabulary.length, vocabulary, tokens[last + 1]),
    loss: Number.isNaN(loss) ? null : loss
  });
  if (n === 0) return { setting: { ...setting, query: 0 }, tokens, words, dropped };
  return {
    setting: { ...setting, query: last },
    tokens,
    words,
    dropped,
    swapped: shown(swapped),
    trained: shown(trained)
  };
}
function modelInWorker(code, stored, { listen, fail }) {
  let vocabulary, waiting, isBusy = true;
  const next = () => {
    isBusy = waiting !== void 0;
    if (isBusy) worker.post({ setting: waiting });
    waiting = void 0;
  };
  const hear = (data) => {
    vocabulary ??= data.vocabulary;
    next();
    if (data.result) listen(data.result, vocabulary);
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
function layout(width) {
  const narrow = width < 560;
  const next = { width: narrow ? width : 236 };
  const words = { x: 0, y: TITLE, width: narrow ? width : width - next.width - 28 };
  const heads = { x: narrow ? 22 : 60, gap: narrow ? 6 : 10 };
  return { width, narrow, next, words, heads };
}
function wrapped(words, measure, { x: left, y: top, width }) {
  let x = left, y = top;
  const places = words.map((word) => {
    const wide = Math.min(Math.max(measure(spelled(word)) + 6, 12), width - 18);
    const gap = x === left ? 0 : /^[ \n]/.test(word) ? 4 : 1;
    const room = word === "\n" ? width : width - 18;
    if (x + gap + wide > left + room) [x, y] = [left, y + LINE];
    else x += gap;
    const own = { x, y, width: wide };
    x += wide;
    if (word.endsWith("\n")) [x, y] = [left, y + LINE];
    return own;
  });
  return { places, bottom: (places.at(-1)?.y ?? top) + LINE };
}
var handle = (name, label, stage) => html("div", { class: `${name}-handle handle`, role: "slider", tabindex: 0, "aria-label": label }, stage);
function elements(stage) {
  const { canvas, add } = drawing(stage);
  const parts = {
    canvas,
    wordsTitle: add("text", "title weight-title", { y: 14 }),
    chips: add("g", "chips"),
    strips: add("g", "strips"),
    words: add("g", "words"),
    numbers: add("g", "numbers"),
    queryFrame: add("rect", "query-frame", { rx: 4, height: CHIP }),
    empty: add("text", "empty", { text: "Write a sentence above." }),
    next: add("g", "next"),
    headsTitle: add("text", "title heads-title", { text: "All heads at a glance" }),
    headNames: add("g", "head-names"),
    grounds: add("g", "grounds"),
    cells: add("g", "cells"),
    queryMarks: add("path", "query-marks"),
    headFrame: add("rect", "head-frame", { rx: 2 }),
    legend: add("g", "legend")
  };
  parts.note = html("p", { class: "note" }, stage);
  parts.queryHandle = handle("query", "Query", stage);
  parts.keyHandle = handle("look", "Key to read", stage);
  parts.headHandle = handle("head", "Layer and head", stage);
  return parts;
}
function writingPlace(stage, longest) {
  const group = html("div", { class: "writing" });
  stage.before(group);
  const label = html("label", { text: "Your text" }, group);
  const field = html("textarea", { rows: 3, maxlength: longest, spellcheck: "false", autocomplete: "off" }, label);
  const button = html(
    "button",
    { type: "button", class: "write", text: "Write on", title: "Append the likeliest next word, one at a time" },
    group
  );
  return { field, button };
}
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
function drawWords(parts, at, { words, setting, swapped, trained }) {
  const { query, layer, head } = setting;
  const row = swapped?.rows[layer][head] ?? [], before = trained?.rows[layer][head] ?? [];
  const hasMoved = row.some((weight, j) => Math.abs(weight - before[j]) > 5e-4);
  const { places } = at.lines;
  repeat(
    parts.chips,
    "rect",
    words.length,
    (rect, j) => set(rect, {
      x: places[j].x,
      y: places[j].y,
      width: places[j].width,
      height: CHIP,
      rx: 4,
      "fill-opacity": row[j] > 0 ? shadeOf(row[j]) : 0
    })
  );
  repeat(
    parts.strips,
    "rect",
    hasMoved ? words.length : 0,
    (rect, j) => set(rect, {
      x: places[j].x,
      y: places[j].y + CHIP + 1,
      width: places[j].width,
      height: 4,
      "fill-opacity": Math.sqrt(before[j])
    })
  );
  repeat(parts.words, "text", words.length, (text, j) => {
    set(text, { x: places[j].x + 3, y: places[j].y + 17, class: j > query ? "unseen" : "seen" });
    text.textContent = spelled(words[j]);
  });
  repeat(parts.numbers, "text", words.length, (text, j) => {
    const isShown = row[j] >= 95e-4 && places[j].width >= 13;
    set(text, {
      x: places[j].x + places[j].width / 2,
      y: places[j].y + CHIP + 16,
      visibility: isShown ? "visible" : "hidden"
    });
    text.textContent = isShown ? String(Math.round(100 * row[j])) : "";
  });
  const own = places[query];
  set(
    parts.queryFrame,
    own ? { x: own.x, y: own.y, width: own.width, visibility: "visible" } : { visibility: "hidden" }
  );
  set(parts.empty, { x: 0, y: at.words.y + 17, visibility: words.length ? "hidden" : "visible" });
  parts.wordsTitle.textContent = `Weights of layer ${layer}, head ${head}, in %`;
}
function drawNext(parts, at, { swapped, trained, words, setting }, swappedName) {
  const { x, y, width } = at.next;
  set(parts.next, { transform: translate(x, y) });
  const lists = swapped ? [
    ["As trained", trained],
    [swappedName, swapped]
  ] : [];
  const largest = Math.max(
    ...lists.flatMap(([, { probabilities }]) => probabilities.next.map(({ probability }) => probability))
  );
  const left = 86, room = width - left - 44;
  const buildList = (group) => ({ title: svg("text", { class: "title", y: 14 }, group), bars: svg("g", {}, group) });
  const buildBar = (group) => ({
    word: svg("text", { class: "word", x: left - 6, y: 14 }, group),
    bar: svg("rect", { x: left, y: 4, height: 12 }, group),
    number: svg("text", { class: "number", y: 14 }, group)
  });
  repeatGroups(parts.next, lists.length, buildList, ({ title, bars }, k, list) => {
    const [name, { probabilities }] = lists[k];
    set(list, { class: k ? "swapped" : "trained", transform: translate(0, k * (TITLE + N_NEXT * BAR + 6)) });
    title.textContent = k ? name : `After ${quoted(words[setting.query])}, as trained`;
    repeatGroups(bars, probabilities.next.length, buildBar, ({ word, bar, number }, i, group) => {
      const { word: token, probability } = probabilities.next[i];
      const wide = Math.max(room * probability / largest, 1);
      set(group, { transform: translate(0, TITLE - 6 + i * BAR) });
      set(bar, { width: wide });
      set(number, { x: left + wide + 5 });
      word.textContent = asNext(token).slice(0, 10);
      number.textContent = percent(probability);
    });
  });
}
function drawHeads(parts, at, { swapped, words, setting }) {
  const { cellWidth, cellOf, nLayers, nHeads } = at.heads, n = Math.max(words.length, 1), step = cellWidth / n;
  const boxes = Array.from({ length: nLayers * nHeads }, (_, i) => cellOf(Math.floor(i / nHeads), i % nHeads));
  const weights = swapped ? swapped.rows.flat(2) : [];
  const wide = step.toFixed(2);
  const cell = (k) => {
    const { x: x2, y: y2 } = boxes[Math.floor(k / n)];
    return `M${(x2 + k % n * step).toFixed(2)} ${y2.toFixed(2)}h${wide}v${CELL}h-${wide}z`;
  };
  const paths = shadedPaths(weights.map(Math.sqrt), cell, N_CELL_SHADES);
  repeat(parts.grounds, "rect", boxes.length, (rect, i) => set(rect, { ...boxes[i], width: cellWidth, height: CELL }));
  repeat(
    parts.cells,
    "path",
    paths.length,
    (path, level) => set(path, { d: paths[level], "fill-opacity": (level + 1) / N_CELL_SHADES })
  );
  const mark = (setting.query + 0.5) * step;
  set(parts.queryMarks, {
    d: words.length ? boxes.map(({ x: x2, y: y2 }) => `M${(x2 + mark).toFixed(1)} ${y2 + CELL}v4`).join("") : ""
  });
  const { x, y } = cellOf(setting.layer, setting.head);
  set(parts.headFrame, { x: x - 2, y: y - 2, width: cellWidth + 4, height: CELL + 4 });
}
function drawNames(parts, at) {
  const { cellOf, cellWidth, nLayers, nHeads, y } = at.heads;
  set(parts.headsTitle, { y: y - 28 });
  parts.headNames.replaceChildren();
  const name = (x, top, text, kind) => svg("text", { class: `tick ${kind}`, x, y: top, text }, parts.headNames);
  for (let head = 0; head < nHeads; head += 1)
    name(cellOf(0, head).x + cellWidth / 2, y - 8, at.narrow ? head : `head ${head}`, "across");
  for (let layer = 0; layer < nLayers; layer += 1)
    name(cellOf(layer, 0).x - 8, cellOf(layer, 0).y + 14, at.narrow ? layer : `layer ${layer}`, "left");
  legend(parts.legend, LEGEND_WORDS, { y: at.height - 6, gap: 40 });
}
var LEGEND_WORDS = [
  { name: "query", words: "query", shape: "rect", x: 1, y: -11, width: 14, height: 13, rx: 3 },
  { name: "weight", words: "weight", shape: "rect", x: 0, y: -12, width: 16, height: 15, rx: 3 },
  { name: "before", words: "as trained", shape: "rect", x: 0, y: -6, width: 16, height: 4 }
];
function tuning({ kernel, temperature, features }) {
  if (kernel === "place") return ` with h = ${format(PLACE_BANDWIDTH * Math.sqrt(temperature), 2)}`;
  const many = kernel === "performer" ? ` with ${features} features` : "";
  return many + (kernel === "uniform" || temperature === 1 ? "" : ` at τ = ${format(temperature, 1)} √d`);
}
function sentence({ kernel_names, shown }, { view: { setting, words, dropped, swapped, trained } }) {
  if (!words.length) return "There is no word yet. Write a sentence.";
  const { query, layer, head } = setting, row = swapped.rows[layer][head];
  const count = keysForShare(row, 0.9), heaviest = row.indexOf(Math.max(...row));
  const isNew = isSwapped(setting);
  const told = dropped ? `The text is longer: these are its last ${shown} tokens. ` : "";
  const where = !isNew ? "as trained" : `${kernel_names[setting.kernel]}${tuning(setting)}, used by ${setting.scope}`;
  const [best] = swapped.probabilities.next, [usual] = trained.probabilities.next;
  const next = `${role("estimate", `Next comes ${escaped(quoted(best.word))} with ${percent(best.probability)}`)}` + (isNew ? `; as trained, ${escaped(quoted(usual.word))} with ${percent(usual.probability)}` : "");
  const { follows } = swapped.probabilities;
  const really = follows == null ? "" : `. What really follows, ${escaped(quoted(words[query + 1]))}, has ${percent(follows)}`;
  const loss = swapped.loss == null ? "" : ` Loss: ${format(swapped.loss, 2)} nats per token${isNew ? `, as trained ${format(trained.loss, 2)}` : ""}.`;
  return `${told}${role("query", `Query ${escaped(quoted(words[query]))}, token ${query}`)}; layer ${layer}, head ${head}, ${escaped(where)}. It takes 90 % of its weight from ${role("weight", `${count} of ${query + 1} keys`)}; the heaviest is ${role("key", escaped(quoted(words[heaviest])))}, token ${heaviest}, with ${role("weight", percent(row[heaviest]))}. ${next}${really}.${loss}`;
}
function state({ head_dimension: d }, { view: { setting, tokens, words, dropped, swapped, trained } }) {
  const { temperature, kernel, layer, head } = setting;
  const bandwidth = kernel === "place" ? PLACE_BANDWIDTH * Math.sqrt(temperature) : Math.sqrt(2 * Math.sqrt(d) * temperature);
  if (!swapped) {
    const nothing = {
      weights: [],
      next: [],
      next_trained: [],
      loss: null,
      loss_trained: null,
      estimate: null,
      keys_for_90_percent: 0
    };
    return { ...setting, tokens, words, dropped, bandwidth, ...nothing };
  }
  const row = swapped.rows[layer][head];
  return {
    ...setting,
    tokens,
    words,
    dropped,
    bandwidth,
    weights: row,
    weights_trained: trained.rows[layer][head],
    next: swapped.probabilities.next,
    next_trained: trained.probabilities.next,
    follows: swapped.probabilities.follows,
    follows_trained: trained.probabilities.follows,
    loss: swapped.loss,
    loss_trained: trained.loss,
    estimate: swapped.probabilities.next[0].probability,
    keys_for_90_percent: keysForShare(row, 0.9)
  };
}
function keyToRead({ words, swapped, setting: { layer, head } }, looked) {
  return looked?.token < words.length ? looked.token : indexOfLargest(swapped?.rows[layer][head] ?? [0]);
}
function keyInWords({ setting, words, swapped, trained }, j) {
  const { query, layer, head } = setting;
  if (j > query) return `${quoted(words[j])}, token ${j}, comes after the query, which cannot see it`;
  const [now, before] = [swapped, trained].map(({ rows }) => percent(rows[layer][head][j]));
  return `Key ${quoted(words[j])}, token ${j}: weight ${now}${isSwapped(setting) ? `, as trained ${before}` : ""}`;
}
function headInWords({ setting, words, swapped }, layer, head) {
  const row = swapped.rows[layer][head], heaviest = indexOfLargest(row);
  return `Layer ${layer}, head ${head}: ${keysForShare(row, 0.9)} of ${setting.query + 1} keys carry 90 %, ${quoted(words[heaviest])} the most, ${percent(row[heaviest])}`;
}
function noteOf(view2, looked) {
  if (looked?.token < view2.words.length) return keyInWords(view2, looked.token);
  if (looked?.layer !== void 0 && view2.words.length) return headInWords(view2, looked.layer, looked.head);
  return "Point at a word or at a head to read its weights.";
}
function layHandles(parts, at, view2, key) {
  const {
    setting: { query, layer, head },
    words,
    swapped
  } = view2, { nLayers, nHeads, cellOf, cellWidth } = at.heads;
  const overWord = (handle2, j) => {
    lay(handle2, words.length ? { ...at.lines.places[j], height: CHIP } : { x: 0, y: 0, width: 0, height: 0 });
    handle2.style.display = words.length ? "" : "none";
  };
  overWord(parts.queryHandle, query);
  overWord(parts.keyHandle, key);
  const { x, y } = cellOf(layer, head);
  lay(parts.headHandle, { x: x - 4, y: y - 4, width: cellWidth + 8, height: CELL + 8 });
  const headWords = swapped ? headInWords(view2, layer, head) : `layer ${layer}, head ${head}`;
  describe(parts.headHandle, layer * nHeads + head, [0, nLayers * nHeads - 1], headWords);
  if (!words.length) return;
  const last = words.length - 1;
  describe(parts.queryHandle, query, [0, last], `${quoted(words[query])}, token ${query} of ${words.length}`);
  describe(parts.keyHandle, key, [0, last], keyInWords(view2, key));
}
function arrange(parts, { nLayers, nHeads }, measure, words, width) {
  const { narrow, ...plan } = layout(width);
  const lines = wrapped(words, measure, plan.words);
  const next = { ...plan.next, x: narrow ? 0 : width - plan.next.width, y: narrow ? lines.bottom + 6 : 0 };
  const { x, gap } = plan.heads, y = Math.max(lines.bottom, next.y + 2 * (TITLE + N_NEXT * BAR + 6)) + 52;
  const cellWidth = (width - x - 3 - gap * (nHeads - 1)) / nHeads;
  const cellOf = (layer, head) => ({ x: x + head * (cellWidth + gap), y: y + layer * (CELL + 12) });
  const heads = { x, y, cellWidth, cellOf, nLayers, nHeads, gap };
  const at = { ...plan, narrow, lines, next, heads, of: words, height: y + nLayers * (CELL + 12) + 26 };
  resize(parts.canvas, width, at.height);
  drawNames(parts, at);
  return at;
}
function tokenAt({ lines: { places }, words }, x, y) {
  const line = words.y + LINE * Math.floor((y - words.y) / LINE);
  const height = clamp(line, places[0].y, places.at(-1).y);
  const middle = (j) => places[j].x + places[j].width / 2;
  const inLine = [...places.keys()].filter((j) => places[j].y === height);
  return inLine.reduce(
    (a, b) => Math.abs(middle(b) - x) < Math.abs(middle(a) - x) ? b : a,
    inLine[0] ?? places.length - 1
  );
}
function stepFrom(at, token, right, up) {
  const { places } = at.lines;
  if (right) return clamp(token + right, 0, places.length - 1);
  const { x, y, width } = places[token];
  return tokenAt(at, x + width / 2, y + 1 - LINE * up);
}
function headAt({ heads: { x: left, y: top, cellWidth, gap, nLayers, nHeads } }, x, y) {
  return {
    layer: onGrid(Math.floor((y - top + 6) / (CELL + 12)), [0, nLayers - 1, 1]),
    head: onGrid(Math.floor((x - left + gap / 2) / (cellWidth + gap)), [0, nHeads - 1, 1])
  };
}
function whereIs(at, stage, event) {
  const { left, top } = stage.getBoundingClientRect(), { heads, words, lines } = at;
  const x = event.clientX - left, y = event.clientY - top;
  const inWords = at.of.length && y >= words.y - 6 && y < lines.bottom && x <= words.width + 6;
  const inHeads = y >= heads.y - 6 && y < heads.y + heads.nLayers * (CELL + 12) && x >= heads.x - 6;
  return { x, y, where: inWords ? "words" : inHeads ? "heads" : void 0 };
}
function writer(button, { shown, append, begin: begin2 }) {
  let isWriting = false, written = 0, pause;
  function stop() {
    isWriting = false;
    clearTimeout(pause);
    button.textContent = "Write on";
  }
  function start() {
    [isWriting, written, pause] = [true, 0, void 0];
    if (!isStill()) button.textContent = "Stop";
    begin2();
  }
  function writeOne() {
    const token = shown().swapped?.probabilities.next.find(({ word }) => !word.includes("�"));
    if (!token || document.hidden || !append(token.word)) return stop();
    written += 1;
    if (isStill() || written === MOST_WRITTEN) stop();
  }
  function goOn() {
    const { setting, words } = shown();
    if (!isWriting || setting.query < words.length - 1) return;
    clearTimeout(pause);
    pause = setTimeout(writeOne, written ? WRITE_PAUSE : 0);
  }
  button.addEventListener("click", () => isWriting ? stop() : start());
  return { stop, goOn };
}
function withAnswers(facts) {
  const { rows } = facts.first.swapped;
  return {
    ...facts,
    nLayers: rows.length,
    nHeads: rows[0].length,
    view: facts.first,
    // what is shown
    answer: void 0,
    vocabulary: void 0
  };
}
var wantedBy = ({ layer, head, features, ...setting }) => ({
  ...setting,
  layer: Number(layer),
  head: Number(head),
  features: Number(features)
});
function compute(data, setting) {
  const wanted = wantedBy(setting);
  const { isNow, view: view2 } = viewFor(wanted, data);
  data.view = view2;
  return { wanted, isNow, view: view2 };
}
var TRAINED = "dot product";
var isSwapped = ({ kernel, temperature }) => kernel !== TRAINED || temperature !== 1;
function runOf(setting) {
  const { text, kernel, temperature, scope, features: m, layer, head } = setting;
  if (!isSwapped(setting)) return JSON.stringify([text]);
  const where = scope === "this head" && [layer, head];
  return JSON.stringify([text, kernel, temperature, where, kernel === "performer" && m]);
}
function viewFor(wanted, { answer, vocabulary, first, view: view2 }) {
  const run = runOf(wanted);
  if (answer) {
    const isNow = runOf(answer.setting) === run, setting = isNow ? wanted : answer.setting;
    return { isNow, view: viewOf({ ...answer, setting }, wanted.query, vocabulary) };
  }
  const isFirst = runOf(first.setting) === run && Math.min(wanted.query, first.words.length - 1) === first.setting.query;
  return { isNow: false, view: isFirst ? { ...first, setting: { ...wanted, query: first.setting.query } } : view2 };
}
function handsOn(figure, parts, { places, looked, lookAt }) {
  const { data, stage, change } = figure;
  const namely = (token) => token === data.view.words.length - 1 ? data.shown - 1 : token;
  const inWords = ({ layer, head }) => ({ layer: String(layer), head: String(head) });
  function grab(event) {
    const { where } = whereIs(places(), stage, event);
    if (!where) return void 0;
    focus(where === "words" ? parts.queryHandle : parts.headHandle);
    return (e) => {
      const { x, y } = whereIs(places(), stage, e);
      change(where === "words" ? { query: namely(tokenAt(places(), x, y)) } : inWords(headAt(places(), x, y)));
    };
  }
  function point(event) {
    const { x, y, where } = whereIs(places(), stage, event);
    lookAt(
      where === "words" ? { token: tokenAt(places(), x, y) } : where === "heads" ? headAt(places(), x, y) : void 0
    );
  }
  figure.drag(stage, grab);
  stage.addEventListener("pointermove", point);
  stage.addEventListener("pointerleave", () => lookAt(void 0));
  arrowKeys(parts.queryHandle, (right, up) => {
    const { words, setting } = data.view;
    if (words.length) change({ query: namely(stepFrom(places(), setting.query, right, up)) });
  });
  arrowKeys(parts.keyHandle, (right, up) => {
    if (!data.view.words.length) return;
    lookAt({ token: stepFrom(places(), keyToRead(data.view, looked()), right, up) });
    layHandles(parts, places(), data.view, keyToRead(data.view, looked()));
  });
  arrowKeys(parts.headHandle, (right, up) => {
    const { layer, head } = wantedBy(figure.setting());
    change(inWords({ layer: clamp(layer - up, 0, data.nLayers - 1), head: clamp(head + right, 0, data.nHeads - 1) }));
  });
  parts.keyHandle.addEventListener("focus", () => lookAt({ token: keyToRead(data.view, looked()) }));
  parts.headHandle.addEventListener("focus", () => {
    const { layer, head } = data.view.setting;
    lookAt({ layer, head });
  });
}
function view(figure) {
  const { data, root, stage, change } = figure, { kernel_names, shown, longest_text } = data;
  const { field, button } = writingPlace(stage, longest_text);
  const parts = elements(stage), measure = measureIn(stage), last = shown - 1;
  const arranged = memo((words, width) => arrange(parts, data, measure, words, width));
  let at, worker, asked, looked, problem = "";
  const writing = writer(button, {
    shown: () => data.view,
    begin: () => data.view.setting.query < data.view.words.length - 1 ? change({ query: last }) : figure.redraw(),
    append(word) {
      const text = figure.setting().text + word, hasRoom = text.length <= longest_text;
      if (hasRoom) change({ text, query: last });
      return hasRoom;
    }
  });
  async function open() {
    stage.classList.add("stale");
    try {
      const stored = await later(figure.model, "model_later");
      if (figure.signal.aborted) return;
      worker = modelInWorker(data.worker_code, stored, { listen, fail });
      figure.redraw();
    } catch {
      fail();
    }
  }
  function listen(result, words) {
    [data.answer, data.vocabulary] = [result, words];
    figure.redraw();
  }
  function fail() {
    problem = "The model could not be loaded here.";
    stage.classList.remove("stale");
    writing.stop();
    drawNote();
  }
  function askFor(wanted, isNow) {
    const run = isNow ? void 0 : runOf(wanted);
    if (!isNow && asked !== run) worker.ask(wanted);
    asked = run;
    stage.classList.toggle("stale", !isNow && !problem);
  }
  function draw({ wanted, isNow, view: view2 }, { width }) {
    if (worker) askFor(wanted, isNow);
    if (wellFormed(field.value) !== wanted.text) field.value = wanted.text;
    at = arranged(view2.words, width);
    drawWords(parts, at, view2);
    drawNext(
      parts,
      at,
      view2,
      isSwapped(view2.setting) ? `With ${kernel_names[view2.setting.kernel]}` : "Swapped: nothing yet"
    );
    drawHeads(parts, at, view2);
    layHandles(parts, at, view2, keyToRead(view2, looked));
    drawNote();
    if (isNow) writing.goOn();
  }
  function drawNote() {
    const waits = !data.vocabulary && stage.classList.contains("stale");
    parts.note.textContent = problem || (waits ? "The model is loading …" : noteOf(data.view, looked));
  }
  function lookAt(place) {
    looked = place;
    drawNote();
  }
  const touched = (event) => event.target !== button && writing.stop();
  root.addEventListener("pointerdown", touched, { capture: true });
  root.addEventListener("keydown", touched, { capture: true });
  field.addEventListener("input", () => change({ text: wellFormed(field.value), query: last }));
  handsOn(figure, parts, { places: () => at, looked: () => looked, lookAt });
  const stopWaiting = whenNear(root, open);
  figure.signal.addEventListener("abort", () => {
    writing.stop();
    stopWaiting();
    worker?.end();
  });
  return draw;
}
var language_model_default = defineFigure("language-model", {
  hint: "Press on a word, or drag across the words; press on a head below. Keyboard: Tab, then arrow keys, Home and End.",
  data: withAnswers,
  settings: ({ longest_text }) => ({ text: textSetting(longest_text) }),
  compute,
  state,
  sentence,
  view
});
export {
  language_model_default as default
};
