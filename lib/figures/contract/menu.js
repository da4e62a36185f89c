// A button that opens a menu of actions.

import { html } from "../parts/plot.js";

/**
 * What an action may use: `copy` copies a text, or shows it selected where the browser forbids this, and says so;
 * `place` holds the button.
 * @typedef {{ copy(text: string): Promise<string>, place: HTMLElement }} Tools
 *
 * An action by name. It returns what to say when it is done.
 * @typedef {[name: string, act: (tools: Tools) => Promise<string>]} Item
 */

const SAID = 2000; // milliseconds for which the button says what was done

/** @type {Record<string, (place: number, count: number) => number>} */
const MOVES = {
  ArrowDown: (place, count) => (place + 1) % count,
  ArrowUp: (place, count) => (place + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/**
 * Add the button. Escape, Tab and a press outside close the menu; the focus returns to the button.
 * @param {HTMLElement} group
 * @param {string} name
 * @param {Item[]} items
 */
export function createMenu(group, name, items) {
  const place = html("div", { class: "lf-menu-place" }, group);
  const opens = { "aria-haspopup": "menu", "aria-expanded": "false" };
  const button = html("button", { type: "button", text: name, ...opens }, place);
  const status = html("span", { class: "lf-said", role: "status" }, place);
  const menu = html("div", { class: "lf-menu", role: "menu", "aria-label": name, hidden: "" }, place);
  const tools = { copy: (/** @type {string} */ text) => copyText(text, place, button), place };
  let open = new AbortController();

  function close() {
    open.abort();
    menu.hidden = true;
    button.setAttribute("aria-expanded", "false");
  }

  function show() {
    if (!menu.hidden) return close();
    menu.hidden = false;
    button.setAttribute("aria-expanded", "true");
    align(menu);
    menu.firstElementChild.focus();
    open = new AbortController();
    const outside = (/** @type {Event} */ event) => event.composedPath().includes(place) || close();
    addEventListener("pointerdown", outside, { capture: true, signal: open.signal });
  }

  /** @param {Item[1]} act */
  async function run(act) {
    close();
    button.focus();
    const said = await act(tools).catch(() => "That failed");
    [button, status].forEach((element) => (element.textContent = said));
    setTimeout(() => {
      button.textContent = name;
      status.textContent = "";
    }, SAID);
  }

  button.addEventListener("click", show);
  for (const [text, act] of items) {
    const item = html("button", { type: "button", role: "menuitem", tabindex: -1, text }, menu);
    item.addEventListener("click", () => run(act));
  }
  menu.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const choices = [...menu.children];
    if (event.key === "Tab") return close();
    if (event.key in MOVES) choices[MOVES[event.key](choices.indexOf(event.target), choices.length)].focus();
    else if (event.key === "Escape") {
      close();
      button.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation(); // slides use the same keys to turn the page
  });
}

/** Open a menu to the left where there is no room at the right. @param {HTMLElement} menu */
export function align(menu) {
  menu.classList.remove("lf-leftwards");
  menu.classList.toggle("lf-leftwards", menu.getBoundingClientRect().right > document.documentElement.clientWidth - 8);
}

/**
 * Copy a text. Where the browser forbids it, as in many frames, show the text selected, until the field loses the
 * focus.
 * @param {string} text
 * @param {HTMLElement} place
 * @param {HTMLElement} button which then gets the focus
 */
async function copyText(text, place, button) {
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (copied) return "Copied";
  const label = "Press Ctrl+C, or ⌘C, to copy";
  const field = html("textarea", { class: "lf-menu lf-copied", readonly: "", rows: 4, "aria-label": label }, place);
  field.value = text;
  align(field);
  field.select();
  field.addEventListener("blur", () => field.remove());
  field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    event.stopPropagation();
    if (event.key === "Escape") button.focus();
  });
  return label;
}
