// The ghost of the state before a gesture, and the announcement when the gesture pauses.

const REST = 250, // milliseconds without a change after which a gesture pauses
  TRANSITION = 300;

/**
 * @template N
 * @typedef {ReturnType<typeof createGhost<N>>} Ghost
 */

/**
 * Keep the state before the current gesture. A gesture begins when the pointer goes down or the focus moves.
 * @template N
 * @param {(now: N, before: N) => boolean} compares
 */
export function createGhost(compares = () => true) {
  /** @type {N | undefined} */
  let ghost;
  let isMoving = false; // the gesture has changed something
  return {
    /** Return the ghost if it is comparable with the current state. @param {N} now */
    beside: (now) => (ghost && compares(now, ghost) ? ghost : undefined),
    begin() {
      isMoving = false;
    },
    /** Treat the next change as part of the current gesture: keep the ghost. */
    keep() {
      isMoving = true;
    },
    /** Record the drawn state before something changes. @param {N} drawn */
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

/**
 * Announce the sentence to screen readers, once, when the gesture pauses, no animation plays and no answer is pending.
 * Also call `atRest` when a gesture pauses while no animation plays.
 * @param {HTMLElement} sentence
 * @param {() => void} atRest
 * @param {AbortSignal} signal
 */
export function createAnnouncer(sentence, atRest, signal) {
  /** @type {string | undefined} */
  let announced;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let resting;
  /** @type {Set<"answer" | "play">} */
  const waitsFor = new Set();
  const announce = () => waitsFor.size || sentence.removeAttribute("aria-busy");
  const rest = () => {
    resting = undefined;
    if (waitsFor.has("play")) return;
    announce();
    atRest();
  };
  signal.addEventListener("abort", () => clearTimeout(resting));
  return {
    /** Postpone the announcement because something changes. */
    wait() {
      sentence.setAttribute("aria-busy", "true");
      clearTimeout(resting);
      resting = setTimeout(rest, REST);
    },
    /** @param {"answer" | "play"} reason @param {boolean} isOn */
    waitFor(reason, isOn) {
      const was = waitsFor.has(reason);
      if (isOn) waitsFor.add(reason);
      else waitsFor.delete(reason);
      if (reason === "play" && was && !isOn) rest();
    },
    /** @param {string} text as HTML */
    say(text) {
      if (text !== announced) sentence.innerHTML = text; // an unchanged text would otherwise be announced again
      announced = text;
      if (resting === undefined) announce();
    },
  };
}

/** Return a function that animates the next change, for changes other than dragging. @param {Element} root */
export function createTransition(root) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let running;
  return () => {
    root.classList.add("lf-transition");
    clearTimeout(running);
    running = setTimeout(() => root.classList.remove("lf-transition"), TRANSITION);
  };
}
