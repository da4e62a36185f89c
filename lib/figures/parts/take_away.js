// What the reader takes away: files, and the code that reproduces what is shown.

import { html } from "./plot.js";

/**
 * Add a fold below the stage with buttons that save files, and with Python code to copy. Returns the row of buttons.
 * @param {{ stage: HTMLElement, afterDraw(act: () => void): void }} figure
 * @param {{ saves: Record<string, () => unknown>, code: () => string, note: () => string }} what `saves` are the
 *   buttons by name; `code` and `note` are of the drawn state, as text
 * @param {{ attempt(act: () => unknown): Promise<unknown> }} problem
 */
export function createTakeAway({ stage, afterDraw }, { saves, code, note }, problem) {
  const fold = html("details", { class: "lf-fold lf-take-away" });
  stage.after(fold);
  html("summary", { text: "Take it away: figure, numbers, code" }, fold);
  const buttons = html("div", { class: "lf-saves" }, fold);
  for (const [text, save] of Object.entries(saves)) {
    html("button", { type: "button", text }, buttons).addEventListener("click", () => problem.attempt(save));
  }
  const copy = html("button", { type: "button", text: "Copy the code" }, buttons);
  const said = html("p", { class: "lf-note" }, fold);
  const lines = html("code", {}, html("pre", { tabindex: 0, "aria-label": "Python code" }, fold));

  function refresh() {
    if (!fold.open) return;
    lines.textContent = code();
    said.textContent = note();
  }

  copy.addEventListener("click", async () => {
    const copied = await navigator.clipboard?.writeText(code()).then(
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
