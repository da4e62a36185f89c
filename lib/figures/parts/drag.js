// Drag with mouse, pen or finger, and move by keys.

/** What moves with the events of a pointer that has gone down at `event`. @typedef {(event: any) => ((event: any) => void) | undefined} Grab */

/**
 * Drag with mouse, pen or finger. `grab(event)` returns what moves with the later pointer events, or nothing.
 * `release(cancelled)` ends it; a finger that turns out to scroll the page cancels. While one pointer drags, others
 * are ignored.
 * @param {HTMLElement} element
 * @param {{ grab: Grab, release(cancelled: boolean): void }} drag
 */
export function draggable(element, { grab, release }) {
  /** @type {{ pointer: number, move: (event: any) => void } | undefined} */
  let dragged;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.ctrlKey || dragged) return; // with Ctrl, macOS opens a menu
    const move = grab(event);
    if (!move) return;
    dragged = { pointer: event.pointerId, move };
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    element.classList.add("lf-dragging");
    move(event);
  });
  element.addEventListener("pointermove", (event) => {
    if (event.pointerId === dragged?.pointer) dragged.move(event);
  });
  const end = (/** @type {PointerEvent} */ event) => {
    if (event.pointerId !== dragged?.pointer) return;
    dragged = undefined;
    element.classList.remove("lf-dragging");
    release(event.type === "pointercancel");
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("lostpointercapture", end); // else a drag whose end was never reported would go on
}

/**
 * Arrow keys as steps `move(right, up)`: one each, ten with shift; Home and End go all the way.
 * @param {HTMLElement} element
 * @param {(right: number, up: number) => void} move
 */
export function arrowKeys(element, move) {
  /** @type {Record<string, [right: number, up: number]>} */
  const directions = {
    ArrowRight: [1, 0],
    ArrowLeft: [-1, 0],
    ArrowUp: [0, 1],
    ArrowDown: [0, -1],
    Home: [-Infinity, 0],
    End: [Infinity, 0],
  };
  element.addEventListener("keydown", (event) => {
    if (!(event.key in directions) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // some pages turn on arrow keys
    const steps = event.shiftKey ? 10 : 1;
    const [right, up] = directions[event.key];
    move(right * steps, up * steps);
  });
}

/**
 * Page Up and Page Down as a step back or ahead among things to drag.
 * @param {HTMLElement} element
 * @param {(step: number) => void} move
 */
export function pageKeys(element, move) {
  element.addEventListener("keydown", (event) => {
    const step = { PageUp: -1, PageDown: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    move(step);
  });
}

/** Focus an element, so that the keyboard goes on where the pointer began. @param {HTMLElement} element */
export const focus = (element) => element.focus({ preventScroll: true });

/** Whether the reader wants no motion. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
