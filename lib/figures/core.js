// What every live figure shares: the weights of lib/weights.py and lib/kernels.py in JavaScript, and the few
// tools to draw, to drag and to keep the picture, the sliders, the sentence and the address in step.

// ---- Weights: the same lines as in Python -----------------------------------------------------------------

/** Positive weights that sum to 1. Only −∞ gives zeros: there is nothing to attend to. */
export function softmax(logWeights) {
  const largest = logWeights.reduce((a, b) => Math.max(a, b), -Infinity);
  const origin = Number.isFinite(largest) ? largest : 0;
  const weights = logWeights.map((logWeight) => Math.exp(logWeight - origin));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / (total > 0 ? total : 1));
}

/** The weighted average of the values; NaN where no key has weight. */
export function average(weights, values) {
  if (!weights.some((weight) => weight > 0)) return NaN;
  return weights.reduce((sum, weight, i) => sum + weight * values[i], 0);
}

/** Logarithms of kernels, as functions of the squared distance in bandwidths. */
export const LOG_KERNELS = {
  gaussian: (s) => -s,
  boxcar: (s) => (s < 1 - Math.sqrt(Number.EPSILON) ? 0 : -Infinity),  // rounding must not let in a key at h
  triangular: (s) => Math.log(Math.max(1 - Math.sqrt(s), 0)),
  epanechnikov: (s) => Math.log(Math.max(1 - s, 0)),
  constant: () => 0,
};

/** The log-weights of one query and all keys, in one dimension. */
export function logKernel(query, keys, bandwidth, kernel) {
  return keys.map((key) => LOG_KERNELS[kernel]((query - key) ** 2 / bandwidth / bandwidth));
}

/** The smallest number of keys that together carry this share of the weight; 0 where no key has any. */
export function keysForShare(weights, share) {
  const heaviestFirst = [...weights].sort((a, b) => b - a);
  let carried = 0;
  // Ten weights of 0.1 must need nine keys for 90 %, although their sum in binary falls short by a rounding.
  const index = heaviestFirst.findIndex((weight) => (carried += weight) >= share - 1e-12);
  return index + 1;
}

// ---- Numbers ----------------------------------------------------------------------------------------------

/** How many decimals the values of a grid have. */
export const decimalsOf = ([, , step]) => Math.max(0, -Math.floor(Math.log10(step) + 1e-9));

/** The nearest value of a grid [low, high, step], so that slider, drag and arrow keys agree to the last digit. */
export function onGrid(value, grid) {
  const [low, high, step] = grid;
  const index = Math.round((Math.min(Math.max(value, low), high) - low) / step);
  return Number((low + index * step).toFixed(decimalsOf(grid)));
}

/** A number for the eye: fixed decimals, a real minus sign. */
export const format = (value, decimals) => value.toFixed(decimals).replace("-", "−");

/** Round numbers between low and high, about `count` of them. */
export function ticks([low, high], count) {
  const rough = (high - low) / count;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = decade * [1, 2, 5, 10].find((factor) => factor * decade >= rough);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const decimals = decimalsOf([low, high, step]);
  const at = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return at.map((value) => ({ value, text: format(value + 0, decimals) }));
}

/** A straight map from numbers to pixels, and back. */
export function scale([low, high], [from, to]) {
  const toPixel = (value) => from + ((value - low) / (high - low)) * (to - from);
  toPixel.invert = (pixel) => low + ((pixel - from) / (to - from)) * (high - low);
  return toPixel;
}

// ---- Drawing ----------------------------------------------------------------------------------------------

/** A new element; `text` is its content, every other property an attribute. */
export function html(tag, { text, ...attributes } = {}, parent) {
  return furnish(document.createElement(tag), text, attributes, parent);
}

export function svg(tag, { text, ...attributes } = {}, parent) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), text, attributes, parent);
}

function furnish(element, text, attributes, parent) {
  set(element, attributes);
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
}

/** Set attributes. Pixels need no more than hundredths. */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, typeof value === "number" ? Math.round(value * 100) / 100 : value);
  }
}

/** Exactly `count` children of this kind, each brought up to date. */
export function repeat(parent, tag, count, update) {
  while (parent.children.length > count) parent.lastChild.remove();
  while (parent.children.length < count) svg(tag, {}, parent);
  [...parent.children].forEach(update);
}

/** A path through points [x, y]. It breaks where y is NaN: a gap, not an invented value. */
export function path(points) {
  let pen = "M";
  return points.map(([x, y]) => {
    if (Number.isNaN(y)) return (pen = "M"), "";
    const command = `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
    pen = "L";
    return command;
  }).join("");
}

// ---- Hands and keys ---------------------------------------------------------------------------------------

/**
 * Drag with mouse, pen or finger. `grab(event)` says what is held: a function of later pointer events, or
 * nothing. `release(cancelled)` ends it; a finger that turns out to scroll the page cancels.
 */
export function draggable(element, { grab, release }) {
  let move;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || move) return;
    move = grab(event);
    if (!move) return;
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    element.classList.add("dragging");
    move(event);
  });
  element.addEventListener("pointermove", (event) => move?.(event));
  const end = (event) => {
    if (!move) return;
    move = undefined;
    element.classList.remove("dragging");
    release(event.type === "pointercancel");
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}

/** Arrow keys as steps `move(right, up)`: one each, ten with shift; Home and End go all the way. */
export function arrowKeys(element, move) {
  const directions = {
    ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
    Home: [-Infinity, 0], End: [Infinity, 0],
  };
  element.addEventListener("keydown", (event) => {
    if (!(event.key in directions) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();  // some pages turn on arrow keys
    const steps = event.shiftKey ? 10 : 1;
    const [right, up] = directions[event.key];
    move(right * steps, up * steps);
  });
}

// ---- The address: #name=setting:value,setting:value -------------------------------------------------------

const hashParts = () => location.hash.slice(1).split("&").filter(Boolean);

/** The settings that the address holds for the figure of this name, as text. */
export function readAddress(name) {
  const part = hashParts().find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  const pairs = (part.includes(":") ? part : decoded(part)).split(",");  // some programs encode the colons too
  const words = pairs.map((pair) => pair.split(":").map(decoded));
  return Object.fromEntries(words.filter((pair) => pair.length === 2));
}

/** Percent signs read as what they stand for; nothing where they stand for no text. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** The address with these settings; other figures' parts stay, page anchors go. */
export function addressWith(name, settings) {
  const others = hashParts().filter((text) => text.includes("=") && !text.startsWith(`${name}=`));
  const own = Object.entries(settings).map(([setting, value]) => `${setting}:${value}`).join(",");
  const hash = [...others, ...(own ? [`${name}=${own}`] : [])].join("&");
  return location.pathname + location.search + (hash && `#${hash}`);
}

// A setting is a trait of the model in the words of the address; text that makes no sense reads as undefined.

export const numberSetting = (trait, grid) => ({
  trait,
  write: (value) => String(onGrid(value, grid)),
  read: (text) => (Number.isFinite(parseFloat(text)) ? onGrid(parseFloat(text), grid) : undefined),
});

export const choiceSetting = (trait, names) => ({
  trait,
  write: (index) => names[index],
  read: (text) => (names.includes(text) ? names.indexOf(text) : undefined),
});

/** Any text up to so many letters; what separates settings in the address is encoded. */
export const textSetting = (trait, longest) => ({
  trait,
  write: (text) => encodeURIComponent(wellFormed(text)),
  read: (text) => (text && text.length <= longest ? wellFormed(text) : undefined),
});

/** The text without halves of letters, which no encoding can write. */
export const wellFormed = (text) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));

/** Only the numbers that differ from the default: `3/1.25;7/2` moves the fourth and the eighth. */
export const listSetting = (trait, grid, defaults) => ({
  trait,
  write: (list) => list.flatMap((value, i) => (value === defaults[i] ? [] : [`${i}/${value}`])).join(";"),
  read: (text) => {
    const list = [...defaults];
    for (const [i, value] of text.split(";").map((change) => change.split("/").map(Number))) {
      if (i in list && Number.isFinite(value)) list[i] = onGrid(value, grid);
    }
    return list;
  },
});

/** What the reader can change, as traits of the model and as text in the address. */
function settingsOf(model, settings) {
  const entries = Object.entries(settings);
  const change = (values) => {
    Object.entries(values).forEach(([trait, value]) => model.set(trait, value));
    model.save_changes();
  };
  const defaults = () => structuredClone(model.get("defaults"));
  return {
    change,
    traits: entries.map(([, { trait }]) => trait),
    reset: () => change(defaults()),

    /** In words, only what differs from the defaults. */
    write() {
      const start = defaults();
      const words = entries.map(([name, { trait, write }]) => [name, write(model.get(trait)), write(start[trait])]);
      return Object.fromEntries(words.filter(([, now, before]) => now !== before));
    },

    /** The defaults but for these words. Says whether any of them made sense; if none did, nothing changes. */
    read(words) {
      const known = entries.filter(([name]) => name in words);
      const values = known.map(([name, { trait, read }]) => [trait, read(words[name])]);
      const valid = Object.fromEntries(values.filter(([, value]) => value !== undefined));
      const any = Object.keys(valid).length > 0;
      if (any) change({ ...defaults(), ...valid });
      return any;
    },
  };
}

// ---- What comes later -------------------------------------------------------------------------------------

/** Do something once when this element is less than a screen away: now, or when its reader comes near. */
export function whenNear(element, act) {
  const { top, bottom, width } = element.getBoundingClientRect();
  if (width > 0 && top < 2 * innerHeight && bottom > -innerHeight) {
    act();
    return () => {};
  }
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    act();
  }, { rootMargin: "100% 0px" });
  observer.observe(element);
  return () => observer.disconnect();
}

/** The value of a trait `…_later`. With a kernel it is here; a static page names the script that brings it. */
export async function later(model, trait) {
  const value = model.get(trait);
  if (!value.script) return value;
  const parts = (window.figureParts ??= {});
  if (!(value.later in parts)) {
    await new Promise((resolve, reject) => {
      const script = html("script", { src: value.script });
      Object.assign(script, { onload: resolve, onerror: reject });
      document.head.append(script);
    });
  }
  return parts[value.later];
}

// ---- The frame of a live figure ---------------------------------------------------------------------------

/**
 * The frame of a live figure: its question, a stage to draw on, a sentence, Reset and a link to the setting.
 *
 * `settings` holds what the reader can change, by its name in the address. `start(draw)` brings the figure to
 * life: `draw(width)` draws the stage and returns { state, sentence }, what the page publishes in `data-state` and
 * HTML for eye and ear.
 */
export function liveFigure({ model, el, name, hint, settings }) {
  const [address, question] = [model.get("address"), model.get("question")];
  const root = html("div", {
    class: `live-figure ${name}-figure`, "data-figure": name, "data-address": address,
    role: "group", "aria-label": question,
    "data-lm-suppress-shortcuts": "true",  // JupyterLab leaves the arrow keys to the figure
  }, el);
  const bar = html("div", { class: "bar" }, root);
  html("p", { class: "question", text: question }, bar);
  const actions = html("div", { class: "actions" }, bar);
  const stage = html("div", { class: "stage" }, root);
  const sentence = html("p", { class: "sentence", "aria-live": "polite" }, root);
  html("p", { class: "hint", text: hint }, root);
  const { change, traits, reset, write, read } = settingsOf(model, settings);
  let draw, pending, resting, said;

  function redraw() {
    pending = false;
    const width = stage.clientWidth;
    if (width === 0) return;  // not shown yet
    const drawn = draw(width);
    root.dataset.state = JSON.stringify(drawn.state);
    if (drawn.sentence !== said) sentence.innerHTML = said = drawn.sentence;  // or it would be spoken again
  }

  // Several traits may change in one event: draw once, still before the next frame is painted.
  function changed() {
    if (!pending) queueMicrotask(redraw);
    pending = true;
    sentence.setAttribute("aria-busy", "true");
    clearTimeout(resting);
    resting = setTimeout(rest, 250);
  }

  /** When the hand rests, screen readers may speak and the address follows. */
  function rest() {
    sentence.removeAttribute("aria-busy");
    if (!inJupyter()) keepAddress(addressWith(address, write()));
  }

  /** Take the setting from the address, draw it, and bring the figure into view. */
  function takeAddress() {
    if (!read(readAddress(address))) return;
    redraw();
    const reach = () => root.scrollIntoView({ block: root.offsetHeight > 0.8 * innerHeight ? "start" : "center" });
    reach();
    // Figures above may still be drawn and move this one. A reader who has moved on is left alone.
    const moved = new AbortController();
    for (const hand of ["wheel", "pointerdown", "keydown", "touchstart"]) {
      addEventListener(hand, () => moved.abort(), { once: true, passive: true, signal: moved.signal });
    }
    window.figuresShown?.catch(() => {}).then(() => moved.signal.aborted || reach());
  }

  const button = (text, title) => html("button", { type: "button", text, title }, actions);
  button("Reset", "Back to the first setting").addEventListener("click", reset);
  if (!inJupyter()) copyButton(button("Copy link", "Copy a link to this setting"), () => addressWith(address, write()));

  /** Draw from now on, whenever a setting or the width changes. Returns what undoes it. */
  function start(drawStage) {
    draw = drawStage;
    traits.forEach((trait) => model.on(`change:${trait}`, changed));
    redraw();
    takeAddress();
    let unname;
    const observer = new ResizeObserver(() => {
      redraw();
      unname ??= nameSliders(root);
    });
    observer.observe(stage);
    addEventListener("hashchange", takeAddress);
    html("style", { text: `img[src*="live-${address}."] { display: none; }` }, root);  // the still picture has served
    return () => {
      traits.forEach((trait) => model.off(`change:${trait}`, changed));
      observer.disconnect();
      unname?.();
      removeEventListener("hashchange", takeAddress);
      clearTimeout(resting);
    };
  }

  return { root, stage, change, redraw, start };
}

/** In Jupyter a link to a setting would lead nowhere. */
export const inJupyter = () => "jpThemeLight" in document.body.dataset;

function keepAddress(link) {
  try {
    history.replaceState(history.state, "", link);
  } catch {
    // A sandboxed frame may not touch its address. The figure works all the same.
  }
}

function copyButton(button, link) {
  const name = button.textContent;
  button.addEventListener("click", async () => {
    keepAddress(link());
    const written = navigator.clipboard?.writeText(new URL(link(), location.href).href);
    const copied = await written?.then(() => true, () => false);
    button.textContent = copied ? "Copied" : "It is in the address bar";
    setTimeout(() => (button.textContent = name), 2000);
  });
}

/** ipywidgets leaves the handles of its sliders without a name: give each its visible label. */
function nameSliders(root) {
  const panel = root.closest(".live-panel");
  if (!panel) return undefined;
  const name = () => {
    for (const handle of panel.querySelectorAll(".noUi-handle")) {
      const label = handle.closest(".widget-slider")?.querySelector(".widget-label")?.textContent;
      if (label && handle.getAttribute("aria-label") !== label) handle.setAttribute("aria-label", label);
    }
  };
  name();
  const observer = new MutationObserver(name);  // a slider may appear after its figure
  observer.observe(panel, { childList: true, subtree: true });
  return () => observer.disconnect();
}
