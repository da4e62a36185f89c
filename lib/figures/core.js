// What every live figure is: a frame around a drawing, which keeps picture, sliders, sentence and address in step.

import { onGrid } from "./numbers.js";
import { html, set } from "./plot.js";

/**
 * What Jupyter gives a figure: traits, some shared with sliders.
 * @typedef {{ get(trait: string): any, set(trait: string, value: any): void, save_changes(): void,
 *   on(event: string, act: () => void): void, off(event: string, act: () => void): void }} Model
 *
 * What the reader can change: a trait in the words of the address. Text that makes no sense reads as undefined.
 * @typedef {{ trait: string, write(value: any): string, read(text: string): any }} Setting
 */

/** Words in the colour of a role, as HTML for the sentence. @type {(name: string, words: string) => string} */
export const role = (name, words) => `<b class="${name}">${words}</b>`;

/** A symbol such as h_x with its subscript, as HTML. @param {string} symbol */
export const symbolic = (symbol) => symbol.replace(/_(\w)/, "<sub>$1</sub>");

/** The values of several traits. @param {Model} model @param {string[]} names */
export const traitsOf = (model, ...names) => names.map((name) => model.get(name));

// ---- The address: #name=setting:value,setting:value -------------------------------------------------------

const hashParts = (hash = location.hash) => hash.slice(1).split("&").filter(Boolean);

/** The settings that the address, or a link, holds for the figure of this name, as text. */
export function readAddress(name, hash = location.hash) {
  const part =
    hashParts(hash)
      .find((text) => text.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? "";
  const pairs = (part.includes(":") ? part : decoded(part)).split(","); // some programs encode the colons too
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
  const own = Object.entries(settings)
    .map(([setting, value]) => `${setting}:${value}`)
    .join(",");
  const hash = [...others, ...(own ? [`${name}=${own}`] : [])].join("&");
  return location.pathname + location.search + (hash && `#${hash}`);
}

// ---- Settings ---------------------------------------------------------------------------------------------

/** @param {string} trait @param {import("./numbers.js").Grid} grid @returns {Setting} */
export const numberSetting = (trait, grid) => ({
  trait,
  write: (value) => String(onGrid(value, grid)),
  read: (text) => (Number.isFinite(parseFloat(text)) ? onGrid(parseFloat(text), grid) : undefined),
});

/** @param {string} trait @param {string[]} names @returns {Setting} */
export const choiceSetting = (trait, names) => ({
  trait,
  write: (index) => names[index],
  read: (text) => (names.includes(text) ? names.indexOf(text) : undefined),
});

/**
 * Any text up to so many letters; what separates settings in the address is encoded.
 * @param {string} trait
 * @param {number} longest
 * @returns {Setting}
 */
export const textSetting = (trait, longest) => ({
  trait,
  write: (text) => encodeURIComponent(wellFormed(text)),
  read: (text) => (text && text.length <= longest ? wellFormed(text) : undefined),
});

/** The text without halves of letters, which no encoding can write. */
export const wellFormed = (text) =>
  new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));

/**
 * Only the entries of a list that differ from the default, by their places: `3/1.25;7/2` moves the fourth and the
 * eighth. An entry is a row of numbers; `make` turns such a row into an entry, or into undefined.
 * @param {string} trait
 * @param {any[]} defaults
 * @param {(numbers: number[]) => any} make
 * @returns {Setting}
 */
export const listSetting = (trait, defaults, make) => ({
  trait,
  write: (list) => {
    const texts = list.map((entry, i) => [i, entry].flat().join("/"));
    return texts.filter((text, i) => text !== [i, defaults[i]].flat().join("/")).join(";");
  },
  read: (text) => {
    const list = [...defaults];
    for (const [i, ...numbers] of text.split(";").map((change) => change.split("/").map(Number))) {
      const entry = i in list ? make(numbers) : undefined;
      if (entry !== undefined) list[i] = entry;
    }
    return list;
  },
});

/** Entries of one number of a grid. @param {import("./numbers.js").Grid} grid */
export const numberOn =
  (grid) =>
  ([value]) =>
    Number.isFinite(value) ? onGrid(value, grid) : undefined;

/**
 * What the reader can change, as traits of the model and as text in the address.
 * @param {Model} model
 * @param {Record<string, Setting>} settings
 */
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

/**
 * Do something once when this element is less than a screen away: now, or when its reader comes near. Returns what
 * gives up waiting.
 * @param {Element} element
 * @param {() => void} act
 */
export function whenNear(element, act) {
  const { top, bottom, width } = element.getBoundingClientRect();
  if (width > 0 && top < 2 * innerHeight && bottom > -innerHeight) {
    act();
    return () => {};
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      act();
    },
    { rootMargin: "100% 0px" },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/**
 * The value of a trait `…_later`. With a kernel it is here; a static page names the script that brings it.
 * @param {Model} model
 * @param {string} trait
 */
export async function later(model, trait) {
  const value = model.get(trait);
  if (!value.script) return value;
  const page = /** @type {any} */ (window);
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

// ---- The frame of a live figure ---------------------------------------------------------------------------

/**
 * The frame of a live figure: its question, a stage to draw on, a sentence, Reset and a link to the setting.
 *
 * `settings` holds what the reader can change, by its name in the address. `start(draw)` brings the figure to
 * life: `draw(width, ghost, isNewGhost)` draws the stage and returns { state, sentence, mark }: what the page publishes
 * in `data-state`, HTML for eye and ear, and what to remember. The mark from before the present gesture comes back as
 * `ghost`, to be drawn in elements of the class `ghost`; `isNewGhost` says whether that is still to be done. A gesture
 * begins when a hand comes down or the focus moves.
 * @param {{ model: Model, el: Element, name: string, hint: string, settings: Record<string, Setting> }} figure
 */
export function liveFigure({ model, el, name, hint, settings }) {
  const [address, question] = [model.get("address"), model.get("question")];
  const root = html(
    "div",
    {
      class: `live-figure ${name}-figure`,
      "data-figure": name,
      "data-address": address,
      role: "group",
      "aria-label": question,
      "data-lm-suppress-shortcuts": "true", // JupyterLab leaves the arrow keys to the figure
    },
    el,
  );
  const bar = html("div", { class: "bar" }, root);
  html("p", { class: "question", text: question }, bar);
  const actions = html("div", { class: "actions" }, bar);
  const stage = html("div", { class: "stage" }, root);
  const sentence = html("p", { class: "sentence", "aria-live": "polite" }, root);
  html("p", { class: "hint", text: hint }, root);
  const { change, traits, reset, write, read } = settingsOf(model, settings);
  let draw, drawnWidth, drawnGhost, pending, resting, said, mark, ghost;
  let moving = false; // a gesture has changed something
  const life = new AbortController(); // ends when the figure is taken away

  function redraw() {
    pending = false;
    const width = stage.clientWidth;
    const isNewGhost = ghost && (ghost !== drawnGhost || width !== drawnWidth);
    [drawnGhost, drawnWidth] = [ghost, width];
    if (width === 0) return; // not shown
    const drawn = draw(width, ghost, isNewGhost);
    mark = drawn.mark;
    root.dataset.state = JSON.stringify(drawn.state);
    const visibility = ghost ? "visible" : "hidden";
    for (const each of stage.querySelectorAll(".ghost, .was")) set(each, { visibility });
    root.dispatchEvent(new Event("drawn"));
    if (drawn.sentence === said) return; // or it would be spoken again
    said = drawn.sentence;
    sentence.innerHTML = said;
  }

  /** From here on changes belong to a new gesture. */
  const begin = () => {
    moving = false;
  };

  function forget() {
    ghost = undefined;
    redraw();
    begin();
  }

  // Several traits may change in one event: draw once, still before the next frame is painted.
  function changed() {
    if (!moving) ghost = mark;
    moving = true;
    if (!pending) queueMicrotask(redraw);
    pending = true;
    sentence.setAttribute("aria-busy", "true");
    clearTimeout(resting);
    resting = setTimeout(rest, 250);
  }

  /** When the hand rests, screen readers may speak and the address follows. */
  function rest() {
    if (root.classList.contains("playing")) return;
    sentence.removeAttribute("aria-busy");
    if (onSite()) keepAddress(addressWith(address, write()));
  }

  /** Take the setting from the address, draw it, and bring the figure into view. */
  function takeAddress() {
    if (!read(readAddress(address))) return;
    forget();
    const reach = () => root.scrollIntoView({ block: root.offsetHeight > 0.8 * innerHeight ? "start" : "center" });
    reach();
    // Figures above may still be drawn and move this one. A reader who has moved on is left alone.
    const moved = new AbortController();
    for (const hand of ["wheel", "pointerdown", "keydown", "touchstart"]) {
      addEventListener(hand, () => moved.abort(), { once: true, passive: true, signal: moved.signal });
    }
    /** @type {any} */ (window).figuresShown?.catch(() => {}).then(() => moved.signal.aborted || reach());
  }

  /** A link in the text beside the figure sets it, and its reader stays. From farther away it leads here. */
  function follow(event) {
    const link = event.target.closest?.(`a[href^="#${address}="]`);
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const [here, there] = [root, link].map((element) => element.getBoundingClientRect());
    if (there.top > here.bottom + innerHeight || there.bottom < here.top - innerHeight) return;
    event.preventDefault();
    begin();
    read(readAddress(address, link.hash));
    root.scrollIntoView({ block: "nearest", behavior: isStill() ? "auto" : "smooth" });
  }

  const button = (text, title) => html("button", { type: "button", text, title }, actions);
  button("Reset", "Back to the first setting").addEventListener("click", () => {
    reset();
    forget();
  });
  if (onSite()) copyButton(button("Copy link", "Copy a link to this setting"), () => addressWith(address, write()));

  /** Draw from now on, whenever a setting or the width changes. Returns what undoes it. */
  function start(drawStage) {
    draw = drawStage;
    traits.forEach((trait) => model.on(`change:${trait}`, changed));
    redraw();
    takeAddress();
    let unname;
    const observer = new ResizeObserver(() => {
      if (stage.clientWidth !== drawnWidth) redraw();
      unname ??= nameSliders(root);
    });
    observer.observe(bar); // as wide as the stage, and its height does not follow from what is drawn
    const heed = (event, act) => addEventListener(event, act, { capture: true, signal: life.signal });
    heed("hashchange", takeAddress);
    heed("click", follow);
    heed("pointerdown", begin);
    heed("focusin", begin);
    html("style", { text: `img[src*="live-${address}."] { display: none; }` }, root); // the still picture has served
    return () => {
      traits.forEach((trait) => model.off(`change:${trait}`, changed));
      observer.disconnect();
      unname?.();
      life.abort();
      clearTimeout(resting);
    };
  }

  return { root, stage, actions, change, redraw, start, begin, rest, signal: life.signal };
}

/** Whether the reader wants no motion. */
export const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether this is a page of the course. From a notebook, in Jupyter, Colab or VS Code, a link to a setting leads nowhere. */
export const onSite = () => "page" in document.body.dataset;

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
    const copied = await written?.then(
      () => true,
      () => false,
    );
    button.textContent = copied ? "Copied" : "It is in the address bar";
    setTimeout(() => (button.textContent = name), 2000);
  });
}

/** ipywidgets leaves the handles of its sliders, and their numbers to type over, without a name: each gets its label. */
function nameSliders(root) {
  const panel = root.closest(".live-panel");
  if (!panel) return undefined;
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
  const observer = new MutationObserver((changes) => changes.some(beside) && name()); // a slider may appear after its figure
  observer.observe(panel, { childList: true, subtree: true });
  return () => observer.disconnect();
}
