// Recording a figure as an animated GIF. The page loads this script when the reader asks for one, and starts it a
// second time as the worker that encodes the images: a script without exports, because a page from disk starts no
// other worker. All browsers and slide programs show a GIF.

import { createGif, paletteOf } from "../parts/gif.js";
import { html } from "../parts/plot.js";
import { describePicture, drawPicture } from "../parts/snapshot.js";
import { createWorker } from "../parts/workers.js";
import { align } from "./menu.js";

const RATE = 15, // images per second
  PLAYED = 6500, // milliseconds
  END = 1500, // for which the last image stays
  LARGEST = 2e6, // bytes
  SAMPLE = 6; // images, from which colours and size are chosen

/** @typedef {Record<string, unknown>} Values of settings, by name */
/** @typedef {import("../parts/gif.js").Pixels} Pixels */

/**
 * Record the figure while it passes through `story`, and show the progress in `place`; `code` is this script.
 * Returns null if the reader cancels.
 * @param {{ root: HTMLElement, settings: import("./settings.js").Settings, setPlaying(isPlaying: boolean): void }}
 *   figure
 * @param {Values[]} story
 * @param {HTMLElement} place
 * @param {string} code
 * @returns {Promise<Blob | null>}
 */
async function record({ root, settings, setPlaying }, story, place, code) {
  const before = settings.stored(),
    progress = createProgress(place, root);
  setPlaying(true);
  try {
    const most = Math.round((PLAYED / 1000) * RATE);
    settings.change(story[story.length - 1]);
    await nextPaint();
    const takesLong = root.hasAttribute("data-pending"); // then show only what Play shows
    const images = imagesOf(story, takesLong ? Math.min(story.length, most) : most);
    for (let scale = 1; ; scale *= 0.8) {
      const file = await recordAt(scale, images, { root, settings, progress, code });
      if (!file || file.size <= LARGEST) return file;
    }
  } finally {
    progress.end();
    settings.restore(before);
    setPlaying(false);
  }
}

/**
 * The settings of each image with its duration. Numbers move evenly between the story's settings.
 * @param {Values[]} story
 * @param {number} count
 */
function imagesOf(story, count) {
  /** @type {{ values: Values, duration: number }[]} */
  const images = [];
  for (let i = 0; i < count; i += 1) {
    const place = (i / Math.max(count - 1, 1)) * (story.length - 1),
      duration = PLAYED / count;
    const values = between(story[Math.floor(place)], story[Math.ceil(place)], place % 1);
    const last = images.at(-1);
    if (last && JSON.stringify(last.values) === JSON.stringify(values)) last.duration += duration;
    else images.push({ values, duration });
  }
  images[images.length - 1].duration += END;
  return images;
}

/** @param {Values} one @param {Values} next @param {number} share */
const between = (one, next, share) =>
  Object.fromEntries(
    Object.entries(one).map(([name, value]) => {
      const end = next[name];
      return [name, typeof value === "number" && typeof end === "number" ? value + share * (end - value) : value];
    }),
  );

/**
 * @param {number} first the largest scale
 * @param {ReturnType<typeof imagesOf>} images
 * @param {{ root: HTMLElement, settings: import("./settings.js").Settings, progress: ReturnType<typeof createProgress>,
 *   code: string }} how
 */
async function recordAt(first, images, { root, settings, progress, code }) {
  const encoder = createEncoder(code);
  /** @param {Values} values @param {{ width: number, height: number } | undefined} size @param {number} scale */
  async function pixelsAt(values, size, scale) {
    settings.change(values);
    return pixelsOf(await drawPicture(await settled(root), scale), size);
  }
  try {
    const chosen = Array.from(
      { length: SAMPLE },
      (_, k) => images[Math.round((k * (images.length - 1)) / (SAMPLE - 1))],
    );
    /** @type {Pixels[]} */
    const sample = [];
    for (const { values } of chosen) {
      if (progress.isCancelled()) return null;
      sample.push(await pixelsAt(values, sample[0], first));
    }
    const bytes = await encoder.ask({ sample });
    const scale = first * Math.min(1, Math.sqrt((0.9 * LARGEST * SAMPLE) / (bytes * images.length)));
    const size = scaled(sample[0], scale / first);
    await encoder.ask({ size });
    for (const [i, { values, duration }] of images.entries()) {
      if (progress.isCancelled()) return null;
      progress.show(i / images.length);
      const pixels = await pixelsAt(values, size, scale);
      await encoder.ask({ pixels, duration }, [pixels.data.buffer]);
    }
    return await encoder.ask({ isLast: true });
  } finally {
    encoder.end();
  }
}

/** @param {{ width: number, height: number }} size @param {number} scale */
const scaled = ({ width, height }, scale) => ({ width: Math.floor(width * scale), height: Math.floor(height * scale) });

const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Wait until the figure has its results and has stopped moving. @param {HTMLElement} root */
async function settled(root) {
  let text;
  for (;;) {
    await nextPaint();
    if (root.hasAttribute("data-pending")) continue;
    const picture = describePicture(root);
    if (picture.text === text) return picture;
    text = picture.text;
  }
}

/**
 * The pixels of a canvas. A figure grows when its sentence gets longer; all images have the size of the first.
 * @param {HTMLCanvasElement} canvas
 * @param {{ width: number, height: number }} [size]
 */
function pixelsOf(canvas, size = canvas) {
  const page = html("canvas", { width: size.width, height: size.height }),
    context = page.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0, canvas.width, 1, 0, 0, size.width, size.height); // the paper
  context.drawImage(canvas, 0, 0);
  const { width, height, data } = context.getImageData(0, 0, size.width, size.height);
  return { width, height, data };
}

/**
 * A progress bar with Cancel. Whatever the reader does to the figure cancels as well.
 * @param {HTMLElement} place
 * @param {HTMLElement} root
 */
function createProgress(place, root) {
  const box = html("div", { class: "lf-menu lf-recording" }, place);
  const bar = html("progress", { max: 1, "aria-label": "Recording" }, box);
  const button = html("button", { type: "button", text: "Cancel" }, box);
  align(box);
  const life = new AbortController();
  const others = /** @type {NodeListOf<HTMLButtonElement>} */ (place.querySelectorAll(":scope > button"));
  const lock = (/** @type {boolean} */ isLocked) => others.forEach((other) => (other.disabled = isLocked));
  let isCancelled = false;
  const cancel = () => (isCancelled = true);
  const outside = (/** @type {Event} */ { target }) => box.contains(/** @type {Node} */ (target)) || cancel();
  button.addEventListener("click", cancel);
  for (const gesture of ["pointerdown", "keydown"])
    (root.closest(".live-panel") ?? root).addEventListener(gesture, outside, { capture: true, signal: life.signal });
  lock(true);
  button.focus();
  return {
    isCancelled: () => isCancelled || !root.isConnected,
    show: (/** @type {number} */ passed) => (bar.value = passed),
    end() {
      life.abort();
      lock(false);
      others[0]?.focus();
      box.remove();
    },
  };
}

// ---- The worker -------------------------------------------------------------------------------------------

/** Start the worker. `ask` sends it a message and resolves with its answer. @param {string} code */
function createEncoder(code) {
  /** @type {{ listen(data: any): void, fail(): void }} */
  let waiting;
  const worker = createWorker(code, { listen: (data) => waiting.listen(data), fail: () => waiting.fail() });
  return {
    /** @param {Message} message @param {Transferable[]} [transferred] @returns {Promise<any>} */
    ask: (message, transferred) =>
      new Promise((listen, fail) => {
        waiting = { listen, fail };
        worker.post(message, transferred);
      }),
    end: worker.end,
  };
}

/**
 * @typedef {{ sample?: Pixels[], size?: { width: number, height: number }, pixels?: Pixels, duration?: number,
 *   isLast?: boolean }} Message
 */

/** Answer the page's messages: a sample of images with their size in bytes, and the last message with the file. */
function encode() {
  /** @type {number[][]} */
  let palette;
  /** @type {ReturnType<typeof createGif>} */
  let gif;
  /** @param {Message} message */
  function answer({ sample, size, pixels, duration = 0, isLast }) {
    if (sample) {
      palette = paletteOf(sample);
      const trial = createGif(sample[0].width, sample[0].height, palette);
      sample.forEach((each) => trial.add(each, 0));
      return trial.size();
    }
    if (size) gif = createGif(size.width, size.height, palette);
    if (pixels) gif.add(pixels, duration);
    return isLast ? gif.file() : true;
  }
  self.onmessage = ({ data }) => postMessage(answer(data));
}

if (typeof document === "undefined") encode();
else Object.assign(window, { recordFigure: record });
