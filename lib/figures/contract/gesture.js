// What a gesture of the reader brings with it: the ghost of how it was, and speech when dragging pauses.

const REST = 250, // milliseconds after which a hand rests
  GLIDE = 300;

/** The state before the present gesture. A gesture begins when a hand comes down or the focus moves. */
export function createGhost(compares = (_now, _before) => true) {
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

/**
 * What screen readers hear: each sentence once, when dragging pauses and nothing plays. A hand that rests also calls
 * `atRest`. They wait for an answer that is on its way.
 */
export function createAnnouncer({ root, stage, sentence }, atRest, signal) {
  let said, resting;
  const isPlaying = () => root.classList.contains("playing");
  const speak = () => isPlaying() || stage.classList.contains("stale") || sentence.removeAttribute("aria-busy");
  const rest = () => {
    resting = undefined;
    if (isPlaying()) return;
    speak();
    atRest();
  };
  signal.addEventListener("abort", () => clearTimeout(resting));
  return {
    rest,
    /** A hand moves. */
    hush() {
      sentence.setAttribute("aria-busy", "true");
      clearTimeout(resting);
      resting = setTimeout(rest, REST);
    },
    say(words) {
      if (words !== said) sentence.innerHTML = words; // or it would be spoken again
      said = words;
      if (resting === undefined) speak();
    },
  };
}

/** What lets a drawing glide, not jump, to a setting that no hand leads it to. */
export function createTransition(root) {
  let gliding;
  return () => {
    root.classList.add("gliding");
    clearTimeout(gliding);
    gliding = setTimeout(() => root.classList.remove("gliding"), GLIDE);
  };
}
