// Files that are dropped anywhere on a page of the course's site: the figure for their kind takes them. A notebook has
// drops of its own; there, only the figure itself takes files.

import { html } from "./plot.js";

/** @typedef {"table" | "text" | "photograph" | "pictures"} Kind */

/** @type {Record<string, string>} */
const WORDS = { table: "a table", photograph: "a photograph", text: "a text", pictures: "pictures" };
const PICTURE = /\.(jpe?g|png|gif|webp|avif|bmp|hei[cf]|tiff?|svg|dng|cr[23]|nef|arw)$/i,
  PROSE = /\.(md|rtf|docx?|odt|pdf)$/i,
  UNSURE = /\.(txt|text)$|^[^.]*$/i,
  HEAD = 4096; // bytes, which tell a table from prose
const COLORS = ["--figure-paper", "--figure-ink", "--figure-query", "--figure-font"];

const isPicture = (/** @type {File} */ { name, type }) => type.startsWith("image/") || PICTURE.test(name);
const isZip = (/** @type {File} */ { name }) => /\.zip$/i.test(name);

/** Whether files are for one of the two figures of pictures. @param {File[]} files */
const arePictures = (files) => isZip(files[0]) || files.every(isPicture);

/**
 * Return the kind of dropped files, judged by name, type and first bytes.
 * @param {File[]} files
 * @returns {Promise<Kind>}
 */
export async function kindOf(files) {
  const [file] = files;
  if (arePictures(files)) return files.length > 1 || isZip(file) ? "pictures" : "photograph";
  if (PROSE.test(file.name)) return "text";
  if (!UNSURE.test(file.name)) return "table";
  const head = await file.slice(0, HEAD).text(),
    count = (/** @type {RegExp} */ pattern) => head.match(pattern)?.length ?? 0;
  return count(/\p{L}/gu) > count(/\d/g) ? "text" : "table";
}

const figuresThatTake = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-takes]")]);

/**
 * The figure that takes files of a kind: the one for it, one for the same family, or the only one.
 * @param {Kind} kind
 */
function figureFor(kind) {
  const families = [
      ["photograph", "pictures"],
      ["table", "text"],
    ],
    family = families.find((kinds) => kinds.includes(kind)) ?? [];
  const all = figuresThatTake(),
    of = (/** @type {string[]} */ kinds) => all.find(({ dataset }) => kinds.includes(dataset.takes ?? ""));
  return of([kind]) ?? of(family) ?? all[0];
}

/**
 * Whether files that are dropped on a figure are of its kind, or nearly: then it takes them itself.
 * @param {Element} figure
 * @param {File[]} files
 */
const isForIt = (figure, files) =>
  arePictures(files) === ["photograph", "pictures"].includes(figure.getAttribute("data-takes") ?? "");

/** Whether a figure is on a page of the site, all of which takes files. @param {HTMLElement} root */
export const isOnSite = (root) => !!root.closest("main, article");

/**
 * Let a figure take files of its kind from anywhere on its page.
 * @param {{ root: HTMLElement, signal: AbortSignal }} figure
 * @param {Kind} kind
 * @param {(files: File[]) => unknown} receive
 */
export function takeFromPage({ root, signal }, kind, receive) {
  root.dataset.takes = kind;
  if (!isOnSite(root)) return;
  const listen = (/** @type {string} */ name, /** @type {(event: any) => void} */ act) =>
    document.addEventListener(name, act, { capture: true, signal });

  listen("dragover", (/** @type {DragEvent} */ event) => {
    if (!event.dataTransfer?.types.includes("Files")) return; // text that is moved on the page
    event.preventDefault(); // otherwise the browser opens the file
    showOverlay(root);
  });
  listen("dragleave", (/** @type {DragEvent} */ { relatedTarget }) => relatedTarget || hideOverlay());
  listen("drop", async (/** @type {DragEvent} */ event) => {
    hideOverlay();
    const files = [...(event.dataTransfer?.files ?? [])],
      under = /** @type {Element} */ (event.target).closest?.("[data-takes]");
    if (!files.length || (under && isForIt(under, files))) return;
    event.preventDefault();
    event.stopPropagation(); // the figure under the pointer is for other files
    if (figureFor(await kindOf(files)) !== root) return;
    root.scrollIntoView({ block: "nearest" });
    receive(files);
  });
}

/** Say over the page what it takes. Every figure of the page asks for it; there is one. @param {HTMLElement} root */
function showOverlay(root) {
  if (document.querySelector(".lf-drop-page")) return;
  const words = figuresThatTake().map(({ dataset }) => WORDS[dataset.takes ?? ""]),
    last = words.pop();
  const text = `Drop ${words.length ? `${words.join(", ")} or ${last}` : last} anywhere`;
  const overlay = html("div", { class: "lf-drop-page", "aria-hidden": "true", text }, document.body),
    style = getComputedStyle(root);
  for (const name of COLORS) overlay.style.setProperty(name, style.getPropertyValue(name));
}

export function hideOverlay() {
  document.querySelector(".lf-drop-page")?.remove();
}
