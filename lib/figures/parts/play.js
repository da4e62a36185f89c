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
 * Let the figure run through changes of settings. A pointer or a key ends it. Readers who want no motion see the last.
 * Returns the button, and what it does for a figure that begins by itself.
 * @param {{ root: HTMLElement, actions: HTMLElement, begin(): void, change(values: object): void,
 *   setPlaying(isPlaying: boolean): void }} figure
 * @param {{ title: string, frames: () => object[], pause: number }} story milliseconds between two frames
 * @param {HTMLElement} parent of the button
 */
export function playButton(figure, { title, frames, pause }, parent = figure.actions) {
  const { root, begin, change, setPlaying } = figure;
  const button = html("button", { type: "button", class: "lf-play", text: "Play", title }, parent);
  let ahead, clock, gestures;

  function stop() {
    clearTimeout(clock);
    gestures?.abort();
    gestures = undefined;
    button.textContent = "Play";
    setPlaying(false);
  }

  function step() {
    const next = root.isConnected && ahead.shift();
    if (!next) return stop();
    change(next);
    clock = setTimeout(step, pause);
  }

  function play(story) {
    begin();
    if (prefersReducedMotion()) return frames().slice(-1).forEach(change);
    gestures = new AbortController();
    const presses = ({ target, key }) => target === button && [undefined, "Enter", " "].includes(key);
    const touched = (event) => presses(event) || stop(); // the button's click stops by itself
    for (const gesture of ["pointerdown", "keydown"]) {
      addEventListener(gesture, touched, { capture: true, signal: gestures.signal });
    }
    ahead = [...story];
    button.textContent = "Stop";
    setPlaying(true);
    step();
  }

  button.addEventListener("click", () => (gestures ? stop() : play(frames())));
  return { button, play };
}
