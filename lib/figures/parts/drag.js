// Hands and keys: what is held moves, with mouse, pen, finger or arrow keys.

/**
 * Drag with mouse, pen or finger. `grab(event)` says what is held: a function of later pointer events, or nothing.
 * `release(cancelled)` ends it; a finger that turns out to scroll the page cancels. While one finger holds, others
 * hold nothing.
 * @param {HTMLElement} element
 * @param {{ grab(event: any): ((event: any) => void) | undefined, release(cancelled: boolean): void }} hand
 */
export function draggable(element, { grab, release }) {
  /** @type {{ pointer: number, move: (event: any) => void } | undefined} */
  let held;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.ctrlKey || held) return; // with Ctrl, macOS opens a menu
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
    held = undefined;
    element.classList.remove("dragging");
    release(event.type === "pointercancel");
  };
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("lostpointercapture", end); // or a hold whose end was never told would stay
}

/**
 * Arrow keys as steps `move(right, up)`: one each, ten with shift; Home and End go all the way.
 * @param {HTMLElement} element
 * @param {(right: number, up: number) => void} move
 */
export function arrowKeys(element, move) {
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
 * Page Up and Page Down as a step back or ahead among things to hold.
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

/** Hold an element, so that the keyboard goes on where the pointer began. @param {HTMLElement} element */
export const focus = (element) => element.focus({ preventScroll: true });

/** Whether the reader wants no motion. */
export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
