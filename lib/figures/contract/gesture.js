// What follows from a gesture: the ghost of how it was, and an announcement when the gesture pauses.

const REST = 250, // milliseconds without a change after which a gesture pauses
  TRANSITION = 300;

/**
 * @template N
 * @typedef {ReturnType<typeof createGhost<N>>} Ghost
 */

/**
 * The state before the present gesture. A gesture begins when the pointer goes down or the focus moves.
 * @template N
 * @param {(now: N, before: N) => boolean} compares
 */
export function createGhost(compares = () => true) {
  /** @type {N | undefined} */
  let ghost;
  let isMoving = false; // the gesture has changed something
  return {
    /** It, where it is worth a look beside what is now. @param {N} now */
    beside: (now) => (ghost && compares(now, ghost) ? ghost : undefined),
    begin() {
      isMoving = false;
    },
    /** What changes next is no change of what is drawn. */
    keep() {
      isMoving = true;
    },
    /** The last state drawn, before something changes. @param {N} drawn */
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
 * Announces to screen readers: each sentence once, when the gesture pauses, nothing plays and no answer is on its way.
 * A gesture that pauses while nothing plays also calls `atRest`.
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
    /** Something changes: announce later. */
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
      if (text !== announced) sentence.innerHTML = text; // or it would be announced again
      announced = text;
      if (resting === undefined) announce();
    },
  };
}

/** What lets a drawing move in a transition, not jump, to a setting that no drag leads it to. @param {Element} root */
export function createTransition(root) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let running;
  return () => {
    root.classList.add("lf-transition");
    clearTimeout(running);
    running = setTimeout(() => root.classList.remove("lf-transition"), TRANSITION);
  };
}
