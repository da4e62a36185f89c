import { arrowKeys, focus } from "./drag.js";
import { decodeBytes } from "../methods/base64.js";
import { clamp } from "./numbers.js";
import { BEFORE, describe, lay, repeat, set, svg, translate } from "./plot.js";
import { N_SHADES, shade, shadedPaths } from "./shades.js";

// Shared by the image figures: images and canvases, a heat map of weights, and dragging the query pixel.

/**
 * @typedef {import("../methods/base64.js").Image} Image
 * @typedef {import("../methods/base64.js").Pixel} Pixel
 * @typedef {import("./plot.js").Box} Box
 */

// ---- Images -----------------------------------------------------------------------------------------------

/** @type {Record<string, Uint8ArrayConstructor | Int16ArrayConstructor | Float64ArrayConstructor>} */
const ARRAYS = { uint8: Uint8Array, int16: Int16Array, float64: Float64Array };

/**
 * Decode an image from Python's text format.
 * @param {{ shape: number[], type: string, unit: number, data: string }} packed
 * @returns {Image}
 */
export function unpack({ shape: [channels, height, width], type, unit, data }) {
  const numbers = Float64Array.from(new ARRAYS[type](decodeBytes(data).buffer), (number) => number / unit);
  const size = height * width;
  const planes = Array.from({ length: channels }, (_, c) => numbers.slice(c * size, (c + 1) * size));
  return { height, width, planes };
}

/**
 * Decode a photograph that `packed_photograph` packed.
 * @param {{ shape: number[], unit: number, data: string }} packed
 * @returns {Image}
 */
export function unpackPhotograph({ shape: [height, width], unit, data }) {
  const bytes = decodeBytes(data),
    size = height * width;
  const [green, red, blue] = [0, 1, 2].map((c) => summed(bytes, c * size, height, width));
  const plane = (/** @type {Int8Array} */ more) => {
    const numbers = new Float64Array(size);
    for (let i = 0; i < size; i += 1) numbers[i] = (green[i] + more[i]) / unit;
    return numbers;
  };
  return { height, width, planes: [red, new Int8Array(size), blue].map(plane) };
}

/**
 * Differences along rows, modulo 256, added up: integers from −128 to 127.
 * @param {ArrayLike<number>} bytes
 * @param {number} first
 * @param {number} height
 * @param {number} width
 */
function summed(bytes, first, height, width) {
  const plane = new Int8Array(height * width);
  for (let i = 0; i < plane.length; i += 1) plane[i] = (i % width ? plane[i - 1] : 0) + bytes[first + i];
  return plane;
}

/** Add noise of this standard deviation. @param {Image} clean @param {Image} noise @param {number} std */
export function withNoise(clean, noise, std) {
  const planes = clean.planes.map((plane, c) => plane.map((value, i) => value + std * noise.planes[c][i]));
  return { ...clean, planes };
}

const byte = (/** @type {number} */ value) => Math.round(255 * clamp(value, 0, 1));
/** Convert a grey level or a colour to CSS. @param {number[]} values */
export const color = (values) => `rgb(${[0, 1, 2].map((c) => byte(values[c % values.length])).join(" ")})`;

/** The context of a canvas that nothing else uses. @param {HTMLCanvasElement} canvas */
export const contextOf = (canvas) => /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

/** @param {HTMLCanvasElement} canvas @param {Image} image */
export function paint(canvas, { height, width, planes }) {
  const pixels = new ImageData(width, height);
  for (let i = 0; i < height * width; i += 1) {
    for (let c = 0; c < 3; c += 1) pixels.data[4 * i + c] = byte(planes[c % planes.length][i]);
    pixels.data[4 * i + 3] = 255;
  }
  contextOf(canvas).putImageData(pixels, 0, 0);
}

/** Convert a grey level to a canvas pixel, packed into one 32-bit integer. @param {number} value */
export const greyPixel = (value) => 0xff000000 + 0x010101 * byte(value);

/**
 * @param {HTMLCanvasElement} canvas
 * @param {{ height: number, width: number }} size
 * @param {Uint32Array<ArrayBuffer>} pixels
 */
export function paintPixels(canvas, { height, width }, pixels) {
  const data = new Uint8ClampedArray(pixels.buffer);
  contextOf(canvas).putImageData(new ImageData(data, width, height), 0, 0);
}

/**
 * Lay out photographs, each with the grip above it that takes the pointer, and the panel over `photo`.
 * @param {Record<string, any>} parts
 * @param {{ photo: Box, [name: string]: Box }} boxes
 */
export function layPhotographs(parts, boxes) {
  for (const [name, box] of Object.entries(boxes)) {
    placeRect(parts.grips[name], box);
    lay(parts[name], box);
  }
  placeRect(parts.panel, boxes.photo);
}

/** @param {Element} rect @param {Box} box */
const placeRect = (rect, { x, y, width, height }) => set(rect, { x, y, width, height });

// ---- Weights ----------------------------------------------------------------------------------------------

/** The cells of a window as one path per shade. @param {number[]} weights @param {number} side */
export function cells(weights, side) {
  const largest = Math.max(...weights);
  return shadedPaths(
    weights.map((weight) => weight / largest),
    (k) => `M${k % side} ${Math.floor(k / side)}h1v1h-1z`,
  );
}

/** The outline of the heaviest keys. @param {number[]} weights @param {number} side @param {number} count */
export function outline(weights, side, count) {
  const heaviest = [...weights.keys()].sort((a, b) => weights[b] - weights[a]).slice(0, count);
  const inside = new Set(heaviest);
  return heaviest
    .map((k) => {
      const column = k % side,
        row = Math.floor(k / side);
      const edge = (/** @type {number} */ neighbour, /** @type {string} */ path) => (inside.has(neighbour) ? "" : path);
      return (
        edge(k - side, `M${column} ${row}h1`) +
        edge(k + side, `M${column} ${row + 1}h1`) +
        edge(column > 0 ? k - 1 : -1, `M${column} ${row}v1`) +
        edge(column < side - 1 ? k + 1 : -1, `M${column + 1} ${row}v1`)
      );
    })
    .join("");
}

/**
 * Create an enlarged window. It returns `draw`, which shades the keys by weight and outlines the heaviest `count` keys,
 * and those of the ghost.
 * @param {Element} parent
 */
export function weightMap(parent) {
  const heat = svg("g", { class: "heat" }, parent);
  const add = (/** @type {string} */ tag, /** @type {string} */ name, /** @type {object} */ attributes = {}) =>
    svg(tag, { class: name, ...attributes }, heat);
  const ground = add("rect", "ground"),
    shades = add("g", "shades"),
    lattice = add("path", "lattice");
  const most = add("path", "most"),
    before = add("path", "ghost"),
    self = add("rect", "self", { width: 1, height: 1 });
  let side = 0;

  /** Update everything that depends only on the size of the window. */
  function arrange() {
    const between = Array.from({ length: side - 1 }, (_, k) => `M${k + 1} 0v${side}M0 ${k + 1}h${side}`);
    set(ground, { width: side, height: side });
    repeat(shades, "path", N_SHADES, (path, k) => set(path, { d: "", ...shade((k + 1) / N_SHADES) }));
    set(lattice, { d: between.join("") });
    set(self, { x: side >> 1, y: side >> 1 });
  }

  /**
   * @param {number[]} weights
   * @param {number} count
   * @param {{ x: number, y: number, width: number }} place
   * @param {{ weights: number[], count: number }} [ghost]
   */
  return function draw(weights, count, { x, y, width }, ghost) {
    if (side !== Math.sqrt(weights.length)) {
      side = Math.sqrt(weights.length);
      arrange();
    }
    set(heat, { transform: `${translate(x, y)} scale(${width / side})` });
    cells(weights, side).forEach((d, k) => shades.children[k].setAttribute("d", d));
    set(most, { d: outline(weights, side, count) });
    if (!ghost) return;
    const other = Math.sqrt(ghost.weights.length);
    set(before, {
      d: outline(ghost.weights, other, ghost.count),
      transform: translate((side - other) / 2, (side - other) / 2),
    });
  };
}

/** The legend entries of an image figure, with a custom entry for the keys. @param {any} keys */
export const legendWith = (keys) => [
  { name: "query", text: "query", d: "M0 -5H5M11 -5H16M8 -13V-8M8 -2V3" },
  keys,
  { name: "weight", text: "weight", d: "M1 -12h14v14h-14z" },
  { name: "most", text: "90\u00a0% of it", d: "M1 -12h14v14h-14z" },
  BEFORE,
];

// ---- The query pixel --------------------------------------------------------------------------------------

const ARM = 10; // length of the cross outside the window

/**
 * The path of the cross around a window of radius `reach` pixels, and the radius of its handle.
 * @param {number} reach
 */
export function cross(reach) {
  const from = Math.max(reach + 1, 6),
    to = from + ARM;
  const d = `M${-to} 0H${-from}M${from} 0H${to}M0 ${-to}V${-from}M0 ${from}V${to}`;
  return { d, hold: Math.max(to, 22) };
}

/**
 * Clamp a point [row, column] to the pixels of the image.
 * @param {{ height: number, width: number }} image
 * @param {number[]} place
 * @returns {Pixel}
 */
export function inside({ height, width }, [row, column]) {
  const within = (/** @type {number} */ index, /** @type {number} */ length) => clamp(Math.floor(index), 0, length - 1);
  return [within(row, height), within(column, width)];
}

/** The setting for a pixel, `row/column` in the URL. @param {{ height: number, width: number }} image */
export const pixelSetting = (image) => ({
  write: (/** @type {Pixel} */ [row, column]) => `${row}/${column}`,
  read: (/** @type {string} */ words) =>
    /^\d+\/\d+$/.test(words) ? inside(image, words.split("/").map(Number)) : undefined,
});

/** Properties of the query's handle, an HTML element because Chromium ignores touch-action on SVG shapes. */
export const QUERY_HANDLE = { class: "query-handle", role: "slider", tabindex: 0, "aria-label": "Query pixel" };

/**
 * @param {Element} handle
 * @param {{ height: number, width: number }} image
 * @param {Pixel} pixel
 * @param {string} estimate
 */
export function describeQuery(handle, { height, width }, [row, column], estimate) {
  describe(handle, row * width + column, [0, height * width - 1], `row ${row}, column ${column}, ${estimate}`);
}

/**
 * Let the pointer and the arrow keys move the query. `pictures` are elements that show the image; the first one also
 * has the cross and its `handle`. A drag on the cross keeps its offset to the pointer; elsewhere, and after a mere
 * click, the query jumps to the pointer.
 * @param {Pick<import("./drag.js").Draggable, "stage" | "drag"> & { setting(): any }} figure
 * @param {{ handle: HTMLElement, pictures: Element[], image: () => { height: number, width: number },
 *   move: (place: number[]) => void, query?: () => Pixel }} drag `query` is the pixel of the image, by default the
 *   setting
 */
export function dragQuery(figure, { handle, pictures, image, move, query = () => figure.setting().query }) {
  /** @type {number[] | undefined} */
  let clicked;

  /** @param {PointerEvent} event */
  function grab(event) {
    const onCross = event.target === handle;
    const picture = onCross ? pictures[0] : pictures.find((each) => each === event.target);
    if (!picture) return undefined;
    const { left, top, width, height } = picture.getBoundingClientRect();
    const size = image();
    const pixel = (/** @type {PointerEvent} */ e) => [
      ((e.clientY - top) * size.height) / height,
      ((e.clientX - left) * size.width) / width,
    ];
    const [row, column] = pixel(event);
    const now = inside(size, query());
    const [down, right] = onCross ? [now[0] + 0.5 - row, now[1] + 0.5 - column] : [0, 0];
    clicked = onCross ? [row, column] : undefined;
    focus(handle);
    return (/** @type {PointerEvent} */ e) => {
      if (Math.hypot(e.clientX - event.clientX, e.clientY - event.clientY) > 2) clicked = undefined;
      const [r, c] = pixel(e);
      move([r + down, c + right]);
    };
  }

  figure.drag(figure.stage, grab, () => {
    if (clicked) move(clicked);
  });
  arrowKeys(handle, (right, up) => {
    const [row, column] = query();
    move([row - up, column + right]);
  });
}
