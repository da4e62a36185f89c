// What the reader takes away: files, and the code that reproduces what is shown.

import { html } from "./plot.js";

/**
 * Add a fold below the stage with buttons that save files, and with Python code to copy. Returns the row of buttons.
 * @param {{ stage: HTMLElement, afterDraw(act: () => void): void }} figure
 * @param {{ saves: Record<string, () => unknown>, code: () => string, note: () => string, forms?: Record<string,
 *   () => string> }} what
 *   `saves` are the buttons by name; `code`, in NumPy, and `note` are of the drawn state, as text; `forms` are the
 *   code in
 *   other libraries by name, empty where there is none
 * @param {{ attempt(act: () => unknown): Promise<unknown> }} problem
 */
export function createTakeAway({ stage, afterDraw }, { saves, code, note, forms = {} }, problem) {
  const fold = html("details", { class: "lf-fold lf-take-away" });
  stage.after(fold);
  html("summary", { text: "Take it away: figure, numbers, code" }, fold);
  const buttons = html("div", { class: "lf-saves" }, fold);
  for (const [text, save] of Object.entries(saves)) {
    html("button", { type: "button", text }, buttons).addEventListener("click", () => problem.attempt(save));
  }
  const copy = html("button", { type: "button", text: "Copy the code" }, buttons);
  const said = html("p", { class: "lf-note" }, fold);
  const all = /** @type {Record<string, () => string>} */ ({ NumPy: code, ...forms }),
    choices = html("div", { class: "lf-saves lf-forms", role: "group", "aria-label": "Code for" }, fold);
  let form = "NumPy";
  const textOf = () => all[form]() || code();
  for (const name of Object.keys(forms).length ? Object.keys(all) : []) {
    html("button", { type: "button", text: name }, choices).addEventListener("click", () => {
      form = name;
      refresh();
    });
  }
  const lines = html("code", {}, html("pre", { tabindex: 0, "aria-label": "Python code" }, fold));

  function refresh() {
    if (!fold.open) return;
    lines.textContent = textOf();
    for (const button of choices.children) {
      const own = all[button.textContent]();
      button.hidden = !own;
      button.setAttribute("aria-pressed", String(own === lines.textContent));
    }
    said.textContent = note();
  }

  copy.addEventListener("click", async () => {
    const copied = await navigator.clipboard?.writeText(textOf()).then(
      () => true,
      () => false,
    );
    if (!copied) getSelection()?.selectAllChildren(lines);
    copy.textContent = copied ? "Copied" : "Selected: press Ctrl+C";
    setTimeout(() => (copy.textContent = "Copy the code"), 2000);
  });
  fold.addEventListener("toggle", refresh);
  afterDraw(refresh);
  return buttons;
}
