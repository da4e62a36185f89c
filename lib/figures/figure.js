// What every live figure is. A figure says what it computes, draws and tells; from that and from the settings that
// Python declares follow its frame, address, reset, links, ghost and speech.

import { addressWith, keepAddress, onSite, readAddress } from "./address.js";
import { draggable, isStill } from "./hands.js";
import { html, set } from "./plot.js";
import { guessSetting, settingsOf } from "./settings.js";
import { nameSliders } from "./sliders.js";

/**
 * @typedef {ReturnType<typeof begin>} Figure What `view` is given.
 *
 * @typedef {object} Definition
 * @property {string | ((data: any) => string)} hint how to move the figure
 * @property {(facts: any) => any} [data] what does not change, from Python's facts and `ranges`: each setting's grid or names
 * @property {(data: any, model: import("./settings.js").Model) => Record<string, import("./settings.js").Kind>} [settings] those that are neither number nor choice
 * @property {(data: any, setting: any) => any} compute the numbers of a setting
 * @property {(data: any, now: any) => object} state what the page publishes of `now`, the setting and its numbers
 * @property {(data: any, now: any) => string} sentence the same in words, as HTML
 * @property {(data: any, now: any, guesses: any) => any} [asks] where the reader can change what is asked about: of the
 *   guesses that Python offers, what is as follows now. `question` is another one, `right` may not be known, and where
 *   `isOpen` is false there is nothing to guess
 * @property {(now: any, before: any) => boolean} [compares] whether `before` the present gesture is worth a look beside `now`
 * @property {(data: any, setting: any) => object} [keeps] what of a setting stays when the reader guesses
 * @property {(figure: any) => (now: any, drawing: { width: number, ghost: any }) => void} view makes the elements and
 *   lets hands move them. It returns what draws `now`, and in elements of the class `ghost` how it was before the
 *   present gesture.
 */

/** A module for anywidget. @param {string} name @param {Definition} definition */
export const defineFigure = (name, definition) => ({
  render: ({ model, el }) => begin(model, el, name, definition).end,
});

/**
 * `compute` of the newest arguments; called again only when one of them is another.
 * @template {(...now: any[]) => any} F
 * @param {F} compute
 * @returns {F}
 */
export function memo(compute) {
  let at, found;
  const remembering = (...now) => {
    if (!at || now.some((value, i) => !Object.is(value, at[i]))) found = compute(...now);
    at = now;
    return found;
  };
  return /** @type {F} */ (remembering);
}

/** What stands below a text stays where it is: the text keeps the greatest height that it has had at this width. */
function holdHeight(element) {
  let width;
  const grown = new ResizeObserver(() => {
    if (element.clientWidth !== width) element.style.minHeight = "";
    width = element.clientWidth;
    element.style.minHeight = getComputedStyle(element).height;
  });
  grown.observe(element);
}

/** The elements around a figure: its question, a stage to draw on, a sentence, a hint. */
function frameIn(el, name, address, question, hint) {
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
  const asked = html("p", { class: "question", text: question }, bar);
  const actions = html("div", { class: "actions" }, bar);
  const stage = html("div", { class: "stage" }, root);
  const sentence = html("p", { class: "sentence", "aria-live": "polite" }, root);
  holdHeight(sentence);
  const foot = html("div", { class: "foot" }, root);
  html("p", { class: "hint", text: hint }, foot);
  return { root, bar, asked, actions, stage, sentence, foot };
}

/**
 * Buttons with answers to the figure's question, of which one is right. What became of a guess stands in the place of
 * the figure's sentence, or on a phone, where that is far below, under the buttons.
 * @param {any} frame @param {any} offered @param {(guess: object) => void} choose
 */
function guessesIn({ root, asked, actions }, { answers, then }, choose) {
  const first = asked.textContent;
  const group = html("div", { class: "guesses", role: "group" });
  const verdict = html("p", { class: "guess-verdict", "aria-live": "polite" });
  actions.before(group, verdict);
  const chips = answers.map((text) => html("button", { type: "button", text }, group));
  chips.forEach((chip, i) => chip.addEventListener("click", () => choose({ ...then, guess: answers[i] })));
  let told;
  return {
    /**
     * Show the question and the guess. Returns what became of it, as HTML, while no setting has `moved` but those that
     * are asked about or `free`.
     */
    show(setting, { question = first, right, because, isOpen = true }, moved, free) {
      const { guess } = setting;
      group.style.visibility = isOpen ? "" : "hidden"; // nothing below moves
      if (asked.textContent !== question) asked.textContent = question;
      set(root, { "aria-label": question });
      set(group, { "aria-label": `Guess: ${question}` });
      chips.forEach((chip, i) => {
        chip.setAttribute("aria-pressed", String(answers[i] === guess));
        chip.classList.toggle("right", guess !== "" && answers[i] === right);
      });
      const judged = guess === right ? "You are right:" : `You guessed “${guess}”, and the answer is`;
      const words = guess && right ? `${judged} “${right}”. ${because} ` : "";
      const isThen = Object.entries(then).every(([name, value]) => setting[name] === value);
      const isAsAsked = isThen && Object.keys(moved).every((name) => name in { ...then, ...free, guess });
      verdict.classList.toggle("past", !isAsAsked); // it keeps its room: what a hand holds must not move
      if (words !== told && (isAsAsked || !guess)) {
        verdict.innerHTML = words;
        told = words;
      }
      return isAsAsked ? words : "";
    },
  };
}

/** The state before the present gesture. A gesture begins when a hand comes down or the focus moves. */
function ghostOf(compares = (_now, _before) => true) {
  let ghost,
    isMoving = false; // the gesture has changed something
  return {
    /** It, where it is worth a look beside what is now. */
    beside: (now) => (ghost && compares(now, ghost) ? ghost : undefined),
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
      ghost = undefined;
      isMoving = false;
    },
  };
}

/** What screen readers hear: each sentence once, when the hand rests. */
function speechOf(element) {
  let said;
  return {
    hush: () => element.setAttribute("aria-busy", "true"),
    speak: () => element.removeAttribute("aria-busy"),
    say(sentence) {
      if (sentence !== said) element.innerHTML = sentence; // or it would be spoken again
      said = sentence;
    },
  };
}

/** Lets a drawing glide, not jump, to a setting that no hand leads it to. */
function glidingOf(root) {
  let gliding;
  return {
    glide() {
      root.classList.add("gliding");
      clearTimeout(gliding);
      gliding = setTimeout(() => root.classList.remove("gliding"), GLIDE);
    },
    endGlide: () => clearTimeout(gliding),
  };
}

const REST = 250, // milliseconds after which a hand rests
  GLIDE = 300;

/** @param {import("./settings.js").Model} model @param {Element} el @param {string} name @param {Definition} definition */
function begin(model, el, name, { hint, data: prepare = (facts) => facts, settings: own = () => ({}), ...definition }) {
  const address = model.get("address"),
    question = model.get("question"),
    data = prepare(factsOf(model)),
    offered = model.get("guesses"),
    settings = settingsOf(model, { ...own(data, model), ...(offered && { guess: guessSetting(offered.answers) }) });
  const words = typeof hint === "string" ? hint : hint(data);
  const frame = frameIn(el, name, address, question, words);
  const { root, bar, actions, stage, sentence, foot } = frame;
  const life = new AbortController(); // ends when the figure is taken away
  const ghost = ghostOf(definition.compares),
    speech = speechOf(sentence),
    { glide, endGlide } = glidingOf(root);
  let draw, drawnWidth, pending, resting, said; // of a guess

  function redraw() {
    pending = false;
    drawnWidth ||= stage.clientWidth; // measured once: to ask after each change would lay the page out each time
    if (!drawnWidth) return; // not shown
    const setting = settings.now();
    const now = { setting, ...definition.compute(data, setting) };
    const before = ghost.beside(now);
    draw(now, { width: drawnWidth, ghost: before });
    figure.now = now;
    root.dataset.state = JSON.stringify({
      ...definition.state(data, now),
      ...(guesses && { guess: setting.guess || null }),
    });
    const asked = offered && (definition.asks?.(data, now, offered) ?? offered);
    said = guesses?.show(setting, asked, settings.write(), definition.keeps?.(data, setting)) ?? "";
    const visibility = before ? "visible" : "hidden";
    for (const each of stage.querySelectorAll(".ghost, .was")) set(each, { visibility });
    root.dispatchEvent(new Event("drawn"));
    const told = definition.sentence(data, now);
    speech.say(said ? `<span class="said">${said}</span><span class="told">${told}</span>` : told);
    if (resting === undefined && isSettled()) speech.speak();
  }

  // Several traits may change in one event: draw once, still before the next frame is painted.
  function changed() {
    ghost.before(figure.now);
    if (!pending) queueMicrotask(redraw);
    pending = true;
    speech.hush();
    clearTimeout(resting);
    resting = setTimeout(rest, REST);
  }

  /** Whether what is drawn stays: nothing plays, and no answer is on its way. */
  const isSettled = () => !root.classList.contains("playing") && !stage.classList.contains("stale");

  /** When the hand rests, screen readers may speak, once the answer is there, and the address follows. */
  function rest() {
    resting = undefined;
    if (root.classList.contains("playing")) return;
    if (isSettled()) speech.speak();
    if (onSite()) keepAddress(addressWith(address, settings.write()));
  }

  /** A guess: from the first setting to the one that the question asks about. */
  function guessed(setting) {
    if (said)
      ghost.keep(); // another guess about what is shown already
    else ghost.begin();
    glide();
    const kept = definition.keeps?.(data, settings.now());
    settings.reset();
    settings.change({ ...kept, ...setting });
    figure.afterGuess?.();
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
    now: undefined, // what is drawn: the setting and its numbers
    afterGuess: undefined, // a figure can play how it comes to what the question is about
    /** Let hands move what `grab(event)` says, `release` it, and take back what a cancelled gesture did. */
    drag(element, grab, release = () => {}) {
      let before;
      const grip = (event) => {
        before = settings.stored();
        return grab(event);
      };
      draggable(element, { grab: grip, release: (cancelled) => (cancelled ? settings.restore(before) : release()) });
    },
    end() {
      settings.traits.forEach((trait) => model.off(`change:${trait}`, changed));
      life.abort();
      clearTimeout(resting);
      endGlide();
    },
  };

  addButtons(foot, address, settings, forget);
  const guesses = offered && guessesIn(frame, offered, guessed);
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
    if (!isNamed) isNamed = nameSliders(root, life.signal); // when the figure has come to its place
  });
  resized.observe(bar); // as wide as the stage, and its height does not follow from what is drawn
  life.signal.addEventListener("abort", () => resized.disconnect());
  html("style", { text: `img[src*="live-${address}."] { display: none; }` }, root); // the still picture has served
  return figure;
}

/** What Python says of a figure that does not change, and each setting's grid or names as `ranges`. */
function factsOf(model) {
  const facts = model.get("facts").map((name) => [name, model.get(name)]);
  const ranges = Object.entries(model.get("settings")).map(([name, { grid, names }]) => [name, grid ?? names]);
  return { ...Object.fromEntries(facts), ranges: Object.fromEntries(ranges), defaults: model.get("defaults") };
}

// ---- Reset and links --------------------------------------------------------------------------------------

/** Below the figure: a newcomer needs neither. */
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
      () => false,
    );
    button.textContent = copied ? "Copied" : "It is in the address bar";
    setTimeout(() => (button.textContent = name), 2000);
  });
}

/** Take the setting from the address, now and when it changes, and from links beside the figure. */
function followAddress(root, address, settings, { forget, begin, glideTo }, signal) {
  function take() {
    if (!settings.read(readAddress(address))) return;
    forget();
    bringIntoView(root);
  }

  /** A link in the text beside the figure sets it, and its reader stays. From farther away it leads here. */
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
  heed("pointerdown", begin);
  heed("focusin", begin);
  take();
}

/** Whether a figure and its sliders are in sight. */
function isWhole(root) {
  const [{ top }, { bottom }] = [root, root.closest(".live-panel") ?? root].map((one) => one.getBoundingClientRect());
  const { scrollPaddingTop } = getComputedStyle(document.documentElement), // of a page with a header
    { scrollMarginTop } = getComputedStyle(root);
  return top >= (parseFloat(scrollPaddingTop) || 0) + parseFloat(scrollMarginTop) && bottom <= innerHeight;
}

function bringIntoView(root) {
  const reach = () => root.scrollIntoView();
  reach();
  // Figures above may still be drawn and move this one. A reader who has moved on is left alone.
  const moved = new AbortController();
  for (const hand of ["wheel", "pointerdown", "keydown", "touchstart"]) {
    addEventListener(hand, () => moved.abort(), { once: true, passive: true, signal: moved.signal });
  }
  /** @type {any} */ (window).figuresShown?.catch(() => {}).then(() => moved.signal.aborted || reach());
}
