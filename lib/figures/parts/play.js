// A button that lets a figure run by itself.

import { prefersReducedMotion } from "./drag.js";
import { onGrid } from "./numbers.js";
import { html } from "./plot.js";

/** About so many values of a grid of positive numbers, each larger by the same factor. */
export function growing(grid, count) {
  const [low, high] = grid;
  const values = Array.from({ length: count }, (_, k) => onGrid(low * (high / low) ** (k / (count - 1)), grid));
  return [...new Set(values)];
}

/**
 * Let the figure run through changes of traits. A touch or a key ends it. Readers who want no motion see the last.
 * Returns the button, and what it does for a figure that begins by itself.
 * @param {any} figure
 * @param {{ title: string, frames: () => object[], pause: number }} story milliseconds between two frames
 */
export function playButton({ root, actions, begin, change, rest }, { title, frames, pause }) {
  const button = html("button", { type: "button", class: "play", text: "Play", title }, actions);
  let ahead, clock, hands;

  function stop() {
    clearTimeout(clock);
    hands?.abort();
    hands = undefined;
    button.textContent = "Play";
    root.classList.remove("playing");
    rest();
  }

  function step() {
    const next = root.isConnected && ahead.shift();
    if (!next) return stop();
    change(next);
    clock = setTimeout(step, pause);
  }

  function showEnd() {
    frames().slice(-1).forEach(change);
    rest();
  }

  function play(story) {
    begin();
    if (prefersReducedMotion()) return showEnd();
    hands = new AbortController();
    const presses = ({ target, key }) => target === button && [undefined, "Enter", " "].includes(key);
    const touched = (event) => presses(event) || stop(); // the button's click stops by itself
    for (const hand of ["pointerdown", "keydown"]) {
      addEventListener(hand, touched, { capture: true, signal: hands.signal });
    }
    ahead = [...story];
    button.textContent = "Stop";
    root.classList.add("playing");
    step();
  }

  button.addEventListener("click", () => (hands ? stop() : play(frames())));
  return { button, play };
}
