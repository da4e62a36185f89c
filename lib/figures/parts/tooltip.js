// Tooltips for the hovered or focused element.

import { arrowKeys, positionIn } from "./drag.js";
import { clamp } from "./numbers.js";
import { describe, html, setText } from "./plot.js";

/** @typedef {{ x: number, y: number, text: string }} Mark A position in the stage, and the text of its tooltip. */

/**
 * Show tooltips. `find(x, y)` returns the mark under the pointer, `focused(element)` the mark of the focused element;
 * both may return undefined. Screen readers get the text from the element itself. Escape hides the tooltip.
 * @param {{ stage: HTMLElement, signal: AbortSignal, afterDraw(act: () => void): void }} figure
 * @param {{ find(x: number, y: number): Mark | undefined, focused?(element: Element): Mark | undefined }} marks
 */
export function showTooltip({ stage, signal, afterDraw }, { find, focused = () => undefined }) {
  const tooltip = html("div", { class: "tooltip", "aria-hidden": "true", hidden: "" }, stage);
  /** @type {{ x: number, y: number } | undefined} */
  let pointer;
  let byKeys = false;

  /** @param {Mark | undefined | false} mark */
  function show(mark) {
    tooltip.hidden = !mark;
    if (!mark) return;
    setText(tooltip, mark.text);
    const half = tooltip.offsetWidth / 2;
    const left = clamp(mark.x, half, Math.max(half, stage.clientWidth - half)) - half;
    const above = mark.y - tooltip.offsetHeight - 10;
    Object.assign(tooltip.style, { left: `${left}px`, top: `${above < 0 ? mark.y + 12 : above}px` });
  }

  /** Update the tooltip for the pointer or the focus, whichever moved last. */
  function refresh() {
    const element = document.activeElement;
    const onFocus = element && stage.contains(element) && element.matches(":focus-visible") && focused(element);
    const under = pointer && find(pointer.x, pointer.y);
    show((byKeys ? onFocus || under : under || onFocus) || undefined);
  }

  /** Track the pointer: a mouse while no button is pressed, touch when it taps. @param {PointerEvent} event */
  function point(event) {
    const isTap = event.pointerType === "touch" && event.type === "pointerdown";
    byKeys = false;
    pointer = undefined;
    if (event.buttons !== 0 && !isTap) return show(undefined); // no layout reads during a drag
    const [x, y] = positionIn(stage, event);
    pointer = { x, y };
    refresh();
  }

  /** @param {PointerEvent} event */
  function leave(event) {
    if (event.pointerType === "touch") return; // touch fires pointerleave after every tap
    pointer = undefined;
    refresh();
  }

  function press() {
    byKeys = true;
    setTimeout(refresh); // after the focus has moved
  }

  stage.addEventListener("pointermove", point);
  stage.addEventListener("pointerdown", point);
  stage.addEventListener("pointerleave", leave);
  for (const event of ["focusin", "focusout"]) stage.addEventListener(event, press);
  afterDraw(() => tooltip.hidden || refresh());
  const dismiss = (/** @type {KeyboardEvent} */ event) => event.key === "Escape" && show(undefined);
  document.addEventListener("keydown", dismiss, { signal }); // the focus may be outside the stage
}

/**
 * Create a focusable element to read values with the arrow keys: `mark(i)` for i below `count()`, in rows of
 * `columns()` or in one row. Returns the element and its mark.
 * @param {{ stage: HTMLElement, redraw(): void, afterDraw(act: () => void): void }} figure
 * @param {{ label: string, count: () => number, mark: (i: number) => Mark, columns?: () => number }} values
 */
export function createValueSlider({ stage, redraw, afterDraw }, { label, count, mark, columns = () => -1 }) {
  const element = html("div", { class: "value-slider", role: "slider", tabindex: 0, "aria-label": label }, stage);
  let place = 0;
  afterDraw(() => {
    place = clamp(place, 0, count() - 1);
    const { x, y, text } = mark(place);
    Object.assign(element.style, { left: `${x}px`, top: `${y}px` });
    describe(element, place, [0, count() - 1], text);
  });
  arrowKeys(element, (right, up) => {
    place = clamp(place + right - up * columns(), 0, count() - 1);
    redraw();
  });
  return { element, mark: () => mark(place) };
}
