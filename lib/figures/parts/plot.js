// Drawing: HTML and SVG elements, scales, axes, legends and marks.

import { clamp, decimalsOf, format } from "./numbers.js";

/** @typedef {{ x: number, y: number, width: number, height: number }} Box In pixels. */
/** @typedef {((value: number) => number) & { invert(pixel: number): number }} Scale From numbers to pixels. */

// ---- Elements ---------------------------------------------------------------------------------------------

/**
 * Create an HTML element; `text` is its content, every other property an attribute.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {Element} [parent]
 * @returns {any}
 */
export function html(tag, properties, parent) {
  return furnish(document.createElement(tag), properties, parent);
}

/**
 * Create an SVG element in the same way.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {Element} [parent]
 * @returns {any}
 */
export function svg(tag, properties, parent) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, parent);
}

/** @param {Element} element @param {Record<string, any>} [properties] @param {Element} [parent] */
function furnish(element, properties = {}, parent) {
  const { text, ...attributes } = properties;
  set(element, attributes);
  if (text !== undefined) element.textContent = text;
  parent?.append(element);
  return element;
}

/**
 * Set the attributes that change: an equal value would be drawn again. Numbers are rounded to hundredths of a pixel.
 * @param {Element} element
 * @param {Record<string, any>} attributes
 */
export function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(typeof value === "number" ? Math.round(value * 100) / 100 : value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

/**
 * Replace the text of an element if it changes: an equal text would be laid out again.
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Text as HTML. @param {string} text */
export const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/**
 * Create a handle that the keyboard reaches.
 * @param {string} name
 * @param {string} label
 * @param {Element} stage
 */
export const createHandle = (name, label, stage) =>
  html("div", { class: `${name}-handle handle`, role: "slider", tabindex: 0, "aria-label": label }, stage);

/**
 * Create an SVG drawing on the stage, and a function that adds elements to it.
 * @param {Element} stage
 */
export function drawing(stage) {
  const canvas = svg("svg", { class: "canvas" }, stage);
  /** @param {string} tag @param {string} name @param {Record<string, any>} [attributes] @param {Element} [parent] */
  const add = (tag, name, attributes = {}, parent = canvas) => svg(tag, { class: name, ...attributes }, parent);
  return { canvas, add };
}

/**
 * Create an SVG drawing on the stage with the parts that `build` adds, from back to front, and return them by name.
 * @template Parts
 * @param {Element} stage
 * @param {(add: ReturnType<typeof drawing>["add"]) => Parts} build
 */
export function drawParts(stage, build) {
  const { canvas, add } = drawing(stage);
  return { canvas, ...build(add) };
}

/**
 * Keep exactly `count` children and update each; `make(index)` appends a child.
 * @param {Element} parent
 * @param {(index: number) => void} make
 * @param {number} count
 * @param {(child: any, index: number) => void} update
 */
export function repeatMade(parent, make, count, update) {
  while (parent.children.length > count) parent.lastElementChild?.remove();
  while (parent.children.length < count) make(parent.children.length);
  [...parent.children].forEach(update);
}

/**
 * Call `repeatMade` for SVG elements with this tag.
 * @param {Element} parent
 * @param {string} tag
 * @param {number} count
 * @param {(child: any, index: number) => void} update
 */
export const repeat = (parent, tag, count, update) => repeatMade(parent, () => svg(tag, {}, parent), count, update);

/**
 * Keep exactly `count` groups with the same parts: `build(group)` creates the parts of a new group by name, and
 * `update` updates them.
 * @param {Element} parent
 * @param {number} count
 * @param {(group: any) => any} build
 * @param {(parts: any, index: number, group: any) => void} update
 */
export const repeatGroups = (parent, count, build, update) =>
  repeat(parent, "g", count, (group, i) => {
    group.parts ??= build(group);
    update(group.parts, i, group);
  });

/** Set the size of a drawing. @param {Element} canvas @param {number} width @param {number} height */
export const resize = (canvas, width, height) => set(canvas, { width, height, viewBox: `0 0 ${width} ${height}` });

/** Position an HTML element over the drawing. @param {HTMLElement} element @param {Box} box */
export function lay(element, { x, y, width, height }) {
  Object.assign(element.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` });
}

/**
 * Set the values of a slider for screen readers.
 * @param {Element} handle
 * @param {number} now
 * @param {number[]} range lowest and highest value
 * @param {string} [text]
 */
export function describe(handle, now, [low, high], text) {
  set(handle, { "aria-valuemin": String(low), "aria-valuemax": String(high), "aria-valuenow": String(now) });
  if (text !== undefined) set(handle, { "aria-valuetext": text });
}

// ---- From numbers to pixels -------------------------------------------------------------------------------

/**
 * A linear scale from numbers to pixels, with its inverse.
 * @param {number[]} numbers
 * @param {number[]} pixels
 * @returns {Scale}
 */
export function scale([low, high], [from, to]) {
  const toPixel = (/** @type {number} */ value) => from + ((value - low) / (high - low)) * (to - from);
  toPixel.invert = (/** @type {number} */ pixel) => low + ((pixel - from) / (to - from)) * (high - low);
  return toPixel;
}

/** About `count` round numbers between low and high. @param {number[]} range @param {number} count */
export function ticks([low, high], count) {
  const rough = (high - low) / count;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = decade * ([1, 2, 5].find((factor) => factor * decade >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  const decimals = decimalsOf([low, high, step]);
  const at = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return at.map((value) => ({ value, text: format(value + 0, decimals) }));
}

/**
 * The range of the numbers, with a margin on both sides that is a share of its length.
 * @param {number[]} numbers
 * @param {number} share
 */
export function withMargin(numbers, share) {
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const margin = share * (high - low) || 1;
  return [low - margin, high + margin];
}

const ENDS = [1, 0.5, 0.3, 0.2, 0.1, 0.05, 0.03, 0.02, 0.01];

/** Round up the largest weight to the end of an axis. @param {number} largest */
export const axisEnd = (largest, ends = ENDS) => ends.findLast((end) => end >= largest) ?? ends[0];

// ---- Marks ------------------------------------------------------------------------------------------------

/** @param {number} right @param {number} down */
export const translate = (right, down) => `translate(${right.toFixed(2)} ${down.toFixed(2)})`;

/** A path through points [x, y], with gaps where y is NaN. @param {number[][]} points */
export function path(points) {
  let pen = "M";
  return points
    .map(([x, y]) => {
      const command = Number.isNaN(y) ? "" : `${pen}${x.toFixed(1)} ${y.toFixed(1)}`;
      pen = command ? "L" : "M";
      return command;
    })
    .join("");
}

/** The path of a vertical line. @type {(x: number, from: number, to: number) => string} */
export const stem = (x, from, to) => `M${x.toFixed(1)} ${from.toFixed(1)}V${to.toFixed(1)}`;

/** The path of a diamond around the origin, the mark of an estimate. @param {number} radius */
export const diamond = (radius) => `M0 -${radius}L${radius} 0L0 ${radius}L-${radius} 0Z`;

const LETTER = 7.3; // mean width of a character at a font size of 13 pixels

/**
 * What was measured on elements of a drawing of some width.
 * @type {WeakMap<SVGElement, { width: ?string, value: number }>}
 */
const measured = new WeakMap();

/**
 * Measure an element once for each width of its drawing, because this forces a layout. Zero, of a hidden element,
 * is not kept.
 * @param {SVGElement} element
 * @param {() => number} measure
 */
function onceAtWidth(element, measure) {
  const width = element.ownerSVGElement?.getAttribute("width") ?? null,
    known = measured.get(element);
  if (known?.width === width) return known.value;
  const value = measure();
  if (value) measured.set(element, { width, value });
  return value;
}

/** The font size of a text in pixels; it is larger on slides. @param {SVGElement} text */
export const fontSize = (text) => onceAtWidth(text, () => Number.parseFloat(getComputedStyle(text).fontSize));

/** The approximate width of a text at a font size. @type {(text: string, size?: number) => number} */
export const textWidth = (text, size = 13) => (LETTER / 13) * size * text.length;

/**
 * Place a pill with a text at a pixel, shifted if necessary to stay within [0, end].
 * @param {{ pill: Element, pillLabel: SVGElement }} parts
 * @param {string} text
 * @param {number} pixel
 * @param {number} end
 */
export function layPill({ pill, pillLabel }, text, pixel, end) {
  const width = textWidth(text, fontSize(pillLabel)) + 26;
  const x = Math.min(Math.max(pixel - width / 2, 1), end - width);
  set(pill, { x, width });
  set(pillLabel, { x: x + width / 2 });
  setText(pillLabel, text);
}

/**
 * Hide the tick labels that a label at this height would overlap.
 * @param {Iterable<Element>} labels
 * @param {number} height
 * @param {number} room
 */
export function hideTicksNear(labels, height, room) {
  for (const tick of labels) {
    set(tick, { visibility: Math.abs(Number(tick.getAttribute("y")) - 4 - height) < room ? "hidden" : "visible" });
  }
}

// ---- Axes and legends -------------------------------------------------------------------------------------

/**
 * Clear the axes, and return functions that draw lines and labels.
 * @param {Element} group
 */
export function axes(group) {
  group.replaceChildren();
  /** @param {string} name @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
  const line = (name, x1, y1, x2, y2) => svg("line", { class: name, x1, y1, x2, y2 }, group);
  /** @param {string} name @param {number} x @param {number} y @param {string} text */
  const label = (name, x, y, text) => svg("text", { class: name, x, y, text }, group);
  return {
    line,
    label,
    /**
     * A horizontal grid line across the panel, with its number on the left.
     * @param {{ left: number, right: number, gap?: number }} panel
     * @param {number} y
     * @param {string} text
     */
    level({ left, right, gap = 8 }, y, text, kind = "grid") {
      line(kind, left, y, right, y);
      label("tick left", left - gap, y + 4, text);
    },
    /**
     * A tick on the axis below the panel, with its number.
     * @param {number} x
     * @param {number} bottom
     * @param {string} text
     */
    stop(x, bottom, text) {
      line("base", x, bottom, x, bottom + 5);
      label("tick", x, bottom + 19, text);
    },
    /** The axis below the panel. @param {{ left: number, right: number }} panel @param {number} y */
    base: ({ left, right }, y) => line("base", left, y, right, y),
  };
}

/**
 * Redraw a legend: a row of shapes with names. An entry is { name, text, shape, …attributes of the shape }.
 * @param {Element} group
 * @param {{ name: string, text: string, shape?: string, [attribute: string]: any }[]} entries
 * @param {{ x?: number, y: number, label?: object, gap: number, width?: number, line?: number }} place
 * `label` contains attributes of the names; the width of an entry is `gap` plus its text. An entry that would extend
 * beyond `width` starts a new line. Returns the y coordinate of the last line.
 */
export function legend(group, entries, { x = 0, y, label = { x: 22 }, gap, width = Infinity, line = 0 }) {
  addEntries(group, entries, label);
  let [left, level] = [x, y];
  for (const entry of group.children) {
    const text = /** @type {SVGTextElement} */ (entry.lastElementChild);
    const across = gap + onceAtWidth(text, () => text.getComputedTextLength());
    if (left > x && left + across > width) [left, level] = [x, level + line];
    set(entry, { transform: translate(left, level) });
    left += across;
  }
  return level;
}

/** The entries that a legend shows, as text. @type {WeakMap<Element, string>} */
const shownBy = new WeakMap();

/**
 * Replace the entries of a legend, unless it shows them already: a drag would lay out new text in every frame.
 * @param {Element} group
 * @param {{ name: string, text: string, shape?: string, [attribute: string]: any }[]} entries
 * @param {object} label
 */
function addEntries(group, entries, label) {
  const shown = JSON.stringify([entries, label]);
  if (shownBy.get(group) === shown) return;
  shownBy.set(group, shown);
  group.replaceChildren();
  for (const { name, text, shape = "path", ...attributes } of entries) {
    const entry = svg("g", { class: name }, group);
    svg(shape, attributes, entry);
    svg("text", { ...label, text }, entry);
  }
}

/** The legend entry for the ghost, visible only when there is one. */
export const BEFORE = { name: "was", text: "before", d: "M0 -4.5H17" };

/** Clip extreme pixels to a range that renderers handle; they are still outside the panel. */
export const clipped = (/** @type {number} */ pixel) => clamp(pixel, -1e4, 1e4);
