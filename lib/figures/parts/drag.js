// Pointer and keyboard input: dragging with mouse, pen or touch, and arrow keys.

/**
 * What can be dragged.
 * @typedef {{ stage: HTMLElement, change(values: object): void, drag(element: HTMLElement, grab: Grab, release?:
 *   () => void): void }} Draggable
 */

/**
 * Return a handler for the pointer events that follow the pointerdown `event`, or undefined.
 * @typedef {(event: any) => ((event: any) => void) | undefined} Grab
 */

/**
 * Return the position of the pointer in an element, in the element's own pixels: slides enlarge figures.
 * @param {Element} element
 * @param {{ clientX: number, clientY: number }} event
 * @returns {[number, number]}
 */
export function positionIn(element, { clientX, clientY }) {
  const { left, top, width } = element.getBoundingClientRect();
  const isScaled = Math.abs(width - element.clientWidth) > 1;
  const scale = isScaled ? width / element.clientWidth : 1;
  return [(clientX - left) / scale, (clientY - top) / scale];
}

const TAP = 10; // a finger that moves by fewer pixels has tapped

/** Whether touch drags this element in every direction. @param {any} element */
const isFree = (element) => getComputedStyle(element).touchAction === "none";

/**
 * Decide what a finger does that is down since `start`: it drags sideways, it taps, or neither, because it scrolls.
 * @param {PointerEvent} start
 * @param {PointerEvent} event
 */
export function intentOf(start, event) {
  const [right, down] = [event.clientX - start.clientX, event.clientY - start.clientY].map(Math.abs);
  if (event.type === "pointerup") return Math.hypot(right, down) < TAP ? "tap" : undefined;
  return right > down ? "drag" : undefined;
}

/**
 * Make an element draggable with mouse, pen or touch. `grab(event)` returns a handler for the following pointer events,
 * or undefined. `release(cancelled)` is called at the end. While one pointer drags, others are ignored.
 *
 * A finger may be about to scroll the page. Unless it is on a part with `touch-action: none`, nothing happens until it
 * moves sideways or taps.
 * @param {HTMLElement} element
 * @param {{ grab: Grab, release(cancelled: boolean): void }} drag
 */
export function draggable(element, { grab, release }) {
  /** @type {{ pointer: number, move: (event: any) => void } | undefined} */
  let dragged;
  /** @type {PointerEvent | undefined} */
  let waiting; // a finger that may scroll
  let isUsed = false; // the latest press began a drag

  /** @param {PointerEvent} event */
  function begin(event) {
    waiting = undefined;
    const move = grab(event);
    isUsed = !!move;
    if (!move) return;
    dragged = { pointer: event.pointerId, move };
    element.setPointerCapture(event.pointerId);
    element.classList.add("lf-dragging");
    move(event);
  }

  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.ctrlKey || dragged || waiting) return; // Ctrl-click opens a menu on macOS
    isUsed = false;
    if (event.pointerType === "touch" && !isFree(event.target)) waiting = event;
    else begin(event);
    if (isUsed) event.preventDefault();
  });
  element.addEventListener("pointermove", (event) => {
    if (event.pointerId === waiting?.pointerId && intentOf(waiting, event) === "drag") begin(waiting);
    if (event.pointerId === dragged?.pointer) dragged.move(event);
  });
  const end = (/** @type {PointerEvent} */ event) => {
    if (event.pointerId === waiting?.pointerId) {
      if (intentOf(waiting, event) === "tap") begin(waiting);
      waiting = undefined;
    }
    if (event.pointerId !== dragged?.pointer) return;
    dragged = undefined;
    element.classList.remove("lf-dragging");
    release(event.type === "pointercancel");
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  // Otherwise a drag whose pointerup never arrives would not end. The part that was touched loses its capture to
  // the element.
  element.addEventListener("lostpointercapture", (event) => event.target === element && end(event));
  // Chromium ignores touch-action on parts of an SVG, so keep the finger from scrolling. After a tap, keep the browser
  // from moving the focus.
  const keep = (/** @type {TouchEvent} */ event) => isUsed && event.cancelable && event.preventDefault();
  element.addEventListener("touchstart", keep, { passive: false });
  element.addEventListener("touchend", keep);
}

/**
 * Call `act` when the reader moves a range input. The browser moves it as soon as a finger is down; wait until the
 * finger moves sideways or is lifted, and move it back if the finger scrolls the page.
 * @param {HTMLInputElement} input
 * @param {() => void} act
 */
export function onRangeInput(input, act) {
  /** @type {PointerEvent | undefined} */
  let waiting;
  let before = input.value;
  /** @param {boolean} isMeant */
  const decide = (isMeant) => {
    if (!waiting) return;
    waiting = undefined;
    if (isMeant) act();
    else input.value = before;
  };
  input.addEventListener("pointerdown", (event) => {
    before = input.value;
    waiting = event.pointerType === "touch" ? event : undefined;
  });
  input.addEventListener("pointermove", (event) => waiting && intentOf(waiting, event) === "drag" && decide(true));
  input.addEventListener("pointerup", () => decide(true));
  input.addEventListener("pointercancel", () => decide(false));
  input.addEventListener("input", () => waiting || act());
}

/**
 * Call `move(right, up)` for arrow keys: one step, or ten with Shift; Home and End pass infinite steps.
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
    event.stopPropagation(); // some pages navigate with arrow keys
    const steps = event.shiftKey ? 10 : 1;
    const [right, up] = directions[event.key];
    move(right * steps, up * steps);
  });
}

/**
 * Call `move` with −1 for Page Up and 1 for Page Down.
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

/** Focus an element, so that the keyboard continues where the pointer started. @param {HTMLElement} element */
export const focus = (element) => element.focus({ preventScroll: true });

/** Whether the reader prefers reduced motion. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Whether the reader has a mouse, and so probably keys. */
export const hasKeys = () => !matchMedia("(hover: none)").matches;
