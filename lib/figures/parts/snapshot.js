// The figure as shown, as an image: its elements with their styles inside an SVG image, which a browser can draw
// on a canvas.

import { html } from "./plot.js";

const OUTSIDE = ".lf-actions, .lf-guesses, .lf-foot, .lf-fold, .tooltip, style, audio, [hidden]"; // not in a picture
const MARGIN = 12;

/** The rules about figures of all style sheets that the page may read; a page from disk may not read linked ones. */
function rules() {
  const all = [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules];
    } catch {
      return [];
    }
  });
  return [...new Set(all.map((rule) => rule.cssText))].filter((text) => /live-(figure|panel)|-figure/.test(text));
}

/** The pixels of a canvas as an image with the same place and look. @param {HTMLCanvasElement} canvas */
function imageOf(canvas) {
  const look = getComputedStyle(canvas);
  const style = [...look].map((name) => `${name}:${look.getPropertyValue(name)}`).join(";");
  return html("img", { src: canvas.toDataURL(), style, alt: "" });
}

/**
 * Copy a figure with what a clone does not contain: canvases, and what the reader has typed or chosen.
 * @param {HTMLElement} root
 */
function copyOf(root) {
  const copy = /** @type {HTMLElement} */ (root.cloneNode(true)),
    pairs = (/** @type {string} */ tag) => [...root.querySelectorAll(tag)].map((one, i) => [one, copies(tag)[i]]);
  const copies = (/** @type {string} */ tag) => copy.querySelectorAll(tag);
  const [canvases, fields, inputs, menus] = ["canvas", "textarea", "input", "select"].map(pairs);
  fields.forEach(([field, its]) => (its.textContent = /** @type {any} */ (field).value));
  inputs.forEach(([input, its]) => its.setAttribute("value", /** @type {any} */ (input).value));
  menus.forEach(([menu, its]) => {
    const { selectedIndex } = /** @type {any} */ (menu);
    its.querySelectorAll("option")[selectedIndex]?.setAttribute("selected", "");
  });
  canvases.forEach(([canvas, its]) => its.replaceWith(imageOf(/** @type {any} */ (canvas))));
  copy.querySelectorAll(OUTSIDE).forEach((element) => element.remove());
  return copy;
}

/** The page's colours as inline variables, because the copy is outside the page. @param {HTMLElement} root */
function colorsOf(root) {
  const look = getComputedStyle(root);
  const names = "query key value weight estimate paper ink muted line".split(" ").map((role) => `--figure-${role}`);
  return names.map((name) => `${name}:${look.getPropertyValue(name)};`).join("");
}

/**
 * Describe the figure as an SVG image: its question, drawing and sentence, without the buttons. Equal figures have
 * equal text.
 * @param {HTMLElement} root
 */
export function describePicture(root) {
  const { width } = root.getBoundingClientRect(),
    paper = getComputedStyle(root).getPropertyValue("--figure-paper").trim();
  const copy = copyOf(root);
  copy.style.cssText = `${colorsOf(root)}--serif:initial;`; // a web font is not available inside an image
  const own = "contain:none;position:absolute;left:0;top:0;margin:0;max-width:none;visibility:visible";
  const panel = html("div", { class: "live-panel", style: `${own};width:${width}px` });
  panel.append(copy);
  (root.closest(".live-panel") ?? root).after(panel);
  const height = panel.offsetHeight;
  panel.remove();
  const page = html("div", { style: `position:absolute;left:${MARGIN}px;top:${MARGIN}px` });
  const look = `${rules().join("\n")} .lf-question::before { content: none !important; }`; // an invitation to drag
  page.append(html("style", { text: look }), panel);
  const size = { width: Math.round(width + 2 * MARGIN), height: height + 2 * MARGIN };
  // Media queries inside an image are about the image's width, so it has the window's.
  const attributes = `xmlns="http://www.w3.org/2000/svg" width="${Math.max(innerWidth, size.width)}" height="${size.height}"`;
  const text = new XMLSerializer().serializeToString(page);
  const content = `<foreignObject width="100%" height="100%">${text}</foreignObject>`;
  return { ...size, paper, text: `<svg ${attributes}>${content}</svg>` };
}

/**
 * Draw such an image on a canvas.
 * @param {ReturnType<typeof describePicture>} picture
 * @param {number} scale
 * @returns {Promise<HTMLCanvasElement>}
 */
export async function drawPicture({ width, height, paper, text }, scale = 1) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = html("canvas", { width: width * scale, height: height * scale }),
    context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = paper;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.drawImage(image, 0, 0);
  return canvas;
}
