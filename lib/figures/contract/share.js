// What a reader can take from any figure: a link to its setting, code that embeds it, a picture, an animation, and
// a page that needs no site.

import { escaped } from "../parts/plot.js";
import { pngFile, saveFile } from "../parts/save.js";
import { describePicture, drawPicture } from "../parts/snapshot.js";
import { loadPart } from "../parts/workers.js";
import { createMenu } from "./menu.js";
import { onSite, replaceUrl, stateText, urlWith } from "./url_state.js";

/**
 * @typedef {object} Shared
 * @property {HTMLElement} root
 * @property {string} address
 * @property {string} question
 * @property {import("./settings.js").Settings} settings
 * @property {(() => Record<string, unknown>[]) | undefined} story the settings that an animation passes through
 * @property {(isPlaying: boolean) => void} setPlaying
 * @property {(width: number) => number} heightAt height of the figure and its sliders in a panel of this width
 */

const WIDTH = 760, // of a figure on its own page, without the padding
  PADDING = 12;

/** Whether this page may not save files: a frame that is sandboxed, and so has no origin. */
const isSandboxed = () => self.origin === "null" && location.protocol !== "file:";

/** The site's root as a URL, if this is a page of a site. */
function siteRoot() {
  const root = document.documentElement.dataset.content_root; // of every page of the site
  return root && onSite() ? new URL(root, location.href) : undefined;
}

/** An `<iframe>` of the figure's own page, in its present state. @param {Shared} figure @param {URL} root */
function embedCode({ address, question, settings, heightAt }, root) {
  const page = new URL(`embed/${address}.html`, root),
    height = Math.ceil(heightAt(WIDTH)) + 2 * PADDING;
  page.hash = stateText(address, settings.write());
  const size = `width="${WIDTH + 2 * PADDING}" height="${height}" style="border: 0; max-width: 100%"`;
  return `<iframe src="${escaped(page.href)}" title="${escaped(question)}" ${size} loading="lazy"></iframe>`;
}

/** @param {Shared} figure */
async function savePicture({ root, address }) {
  const picture = describePicture(root);
  try {
    saveFile(`${address}.png`, await pngFile(await drawPicture(picture, 2)));
  } catch {
    saveFile(`${address}.svg`, new Blob([picture.text], { type: "image/svg+xml" })); // some browsers keep pixels secret
  }
  return "Saved";
}

/** @param {string} code */
const moduleOf = (code) => import(URL.createObjectURL(new Blob([code], { type: "text/javascript" })));

const RECORDER = "contract_lazy_worker.js";

/**
 * Save the figure's animation as a GIF.
 * @param {Shared} figure
 * @param {Record<string, unknown>[]} story
 * @param {URL} root
 * @param {HTMLElement} place
 */
async function saveAnimation(figure, story, root, place) {
  const code = await loadPart(RECORDER, new URL(`_static/figures/${RECORDER}`, root).href);
  await moduleOf(code);
  if (!story.length) return "Nothing moves here";
  const file = await /** @type {any} */ (window).recordFigure(figure, story, place, code);
  if (file) saveFile(`${figure.address}.gif`, file);
  return file ? "Saved" : "Cancelled";
}

/**
 * Whether the reader opens files in this figure, which neither a link nor a saved page would contain.
 * @param {HTMLElement} root
 */
const opensFiles = (root) => !!root.querySelector(".lf-input, .opener");

/** Save the figure's own page with its present state as one file. @param {Shared} figure @param {URL} root */
async function savePage({ address, settings }, root) {
  const [code] = await Promise.all([
    loadPart("embed.js", new URL("_static/figures/embed.js", root).href),
    loadPart(`embed/${address}`, new URL(`_static/embed/${address}.js`, root).href),
  ]);
  const { wholePage } = await moduleOf(code);
  const page = await wholePage(address, settings.stored(), root);
  saveFile(`${address}.html`, new Blob([page], { type: "text/html" }));
  return "Saved";
}

/** Add the button Share with what works on this page. @param {HTMLElement} group @param {Shared} figure */
export function addShare(group, figure) {
  const { address, settings, story } = figure,
    site = siteRoot();
  const link = () => urlWith(address, settings.write());
  /** @type {import("./menu.js").Item[]} */
  const items = [];
  if (onSite())
    items.push([
      "Copy link",
      ({ copy }) => {
        replaceUrl(link());
        return copy(new URL(link(), location.href).href);
      },
    ]);
  if (site?.protocol.startsWith("http")) items.push(["Copy embed code", ({ copy }) => copy(embedCode(figure, site))]);
  if (!isSandboxed()) {
    items.push(["Save picture", () => savePicture(figure)]);
    if (site && story) items.push(["Save animation", ({ place }) => saveAnimation(figure, story(), site, place)]);
    if (site && !opensFiles(figure.root)) items.push(["Save as HTML", () => savePage(figure, site)]);
  }
  if (items.length) createMenu(group, "Share", items);
}
