// The Play button, which animates a figure.

import { prefersReducedMotion } from "./drag.js";
import { onGrid } from "./numbers.js";
import { html } from "./plot.js";

/** About `count` geometrically spaced values of a grid of positive numbers. */
export function growing(grid, count) {
  const [low, high] = grid;
  const values = Array.from({ length: count }, (_, k) => onGrid(low * (high / low) ** (k / (count - 1)), grid));
  return [...new Set(values)];
}

/**
 * Add a button that animates the figure through changes of settings. Any pointer or key press stops it. With reduced
 * motion only the last frame is shown. Returns the button, and `play` for figures that start the animation themselves.
 * @param {{ root: HTMLElement, actions: HTMLElement, begin(): void, change(values: object): void,
 *   setPlaying(isPlaying: boolean): void }} figure
 * @param {{ title: string, frames: () => object[], pause: number }} story `pause` in milliseconds between two frames
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
    const touched = (event) => presses(event) || stop(); // the button has its own click handler
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
