// Files for the reader: the drawing as SVG or PNG, and numbers as CSV.

import { html } from "./plot.js";

/** Save a file under this name. @param {string} name @param {Blob} content */
export function saveFile(name, content) {
  const address = URL.createObjectURL(content);
  html("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // some browsers read it after the click
}

/** @param {string} name @param {string} text @param {string} type */
export const saveText = (name, text, type = "text/plain") => saveFile(name, new Blob([text], { type }));

/** Write rows as CSV. Numbers keep all digits; NaN is an empty field. @param {unknown[][]} rows */
export function csvOf(rows) {
  const field = (/** @type {unknown} */ value) => {
    const text = Number.isNaN(value) ? "" : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => `${row.map(field).join(",")}\n`).join("");
}

const LOOK = (
  "display visibility opacity fill fill-opacity stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap " +
  "stroke-linejoin paint-order vector-effect shape-rendering font-family font-size font-weight font-variant-numeric " +
  "text-anchor text-decoration-line"
).split(" ");

/**
 * Copy an element with its computed style, so that it needs no style sheet.
 * @param {Element} element
 * @returns {Element}
 */
function standalone(element) {
  const copy = /** @type {SVGElement} */ (element.cloneNode(true)),
    copies = [copy, ...copy.querySelectorAll("*")];
  [element, ...element.querySelectorAll("*")].forEach((each, i) => {
    const style = getComputedStyle(each);
    copies[i].setAttribute("style", LOOK.map((name) => `${name}:${style.getPropertyValue(name)}`).join(";"));
    for (const name of ["class", "role", "tabindex"]) copies[i].removeAttribute(name);
  });
  return copy;
}

/** A canvas that lies under the drawing, as an image of it. @param {HTMLCanvasElement} canvas */
function imageOf(canvas) {
  const { left, top, width, height } = canvas.style,
    image = document.createElementNS("http://www.w3.org/2000/svg", "image");
  const place = { x: left || "0", y: top || "0", width, height, preserveAspectRatio: "none" };
  const style = `image-rendering: ${getComputedStyle(canvas).imageRendering}`;
  Object.entries({ ...place, style, href: canvas.toDataURL() }).forEach(([name, value]) =>
    image.setAttribute(name, value),
  );
  return image;
}

/**
 * The text of a drawing as an SVG file that needs nothing else; `title` is read by screen readers.
 * @param {SVGSVGElement} drawing
 * @param {string} title
 * @param {HTMLCanvasElement[]} canvases that lie under the drawing
 */
export function svgOf(drawing, title, canvases = []) {
  const { width, height } = drawing.viewBox.baseVal,
    make = (/** @type {string} */ name) => document.createElementNS("http://www.w3.org/2000/svg", name);
  const copy = standalone(drawing),
    paper = make("rect"),
    heading = make("title");
  const color = getComputedStyle(drawing).getPropertyValue("--figure-paper");
  Object.entries({ width, height, fill: color }).forEach(([name, value]) => paper.setAttribute(name, String(value)));
  heading.textContent = title;
  copy.prepend(heading, paper, ...canvases.map(imageOf));
  return new XMLSerializer().serializeToString(copy);
}

/**
 * Return the drawing as a PNG, by default in twice the resolution.
 * @param {SVGSVGElement} drawing
 * @param {HTMLCanvasElement[]} canvases that lie under the drawing
 * @returns {Promise<Blob>}
 */
export async function pngOf(drawing, canvases = [], scale = 2) {
  const { width, height } = drawing.viewBox.baseVal;
  const picture = new Image(width, height);
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgOf(drawing, "", canvases))}`;
  await picture.decode();
  const canvas = html("canvas", { width: scale * width, height: scale * height });
  canvas.getContext("2d").drawImage(picture, 0, 0, scale * width, scale * height);
  return pngFile(canvas);
}

/** The pixels of a canvas as a PNG file. @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
export const pngFile = (canvas) =>
  new Promise((resolve, reject) =>
    canvas.toBlob((file) => (file ? resolve(file) : reject(new Error("expected a smaller picture"))), "image/png"),
  );
