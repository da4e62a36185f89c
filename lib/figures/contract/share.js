// What a reader can take from any figure: a link to its setting, code that embeds it, and a picture.

import { pngFile, saveFile } from "../parts/save.js";
import { describePicture, drawPicture } from "../parts/snapshot.js";
import { createMenu } from "./menu.js";
import { onSite, replaceUrl, stateText, urlWith } from "./url_state.js";

/**
 * @typedef {object} Shared
 * @property {HTMLElement} root
 * @property {string} address
 * @property {string} question
 * @property {import("./settings.js").Settings} settings
 * @property {(width: number) => number} heightAt height of the figure and its sliders in a panel of this width
 */

const WIDTH = 760, // of a figure on its own page, without the padding
  PADDING = 12;

/** Whether this page may not save files: a frame that is sandboxed, and so has no origin. */
const isSandboxed = () => self.origin === "null" && location.protocol !== "file:";

/** The site's root as a URL, if this is a page of a site, and not opened from disk. */
function siteRoot() {
  const root = document.documentElement.dataset.content_root; // of every page of the site
  return root && onSite() && /^https?:$/.test(location.protocol) ? new URL(root, location.href) : undefined;
}

/** @param {string} text */
const attribute = (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

/** An `<iframe>` of the figure's own page, in its present state. @param {Shared} figure @param {URL} root */
function embedCode({ address, question, settings, heightAt }, root) {
  const page = new URL(`embed/${address}.html`, root),
    height = Math.ceil(heightAt(WIDTH)) + 2 * PADDING;
  page.hash = stateText(address, settings.write());
  const size = `width="${WIDTH + 2 * PADDING}" height="${height}" style="border: 0; max-width: 100%"`;
  return `<iframe src="${attribute(page.href)}" title="${attribute(question)}" ${size} loading="lazy"></iframe>`;
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

/** Add the button Share with what works on this page. @param {HTMLElement} group @param {Shared} figure */
export function addShare(group, figure) {
  const { address, settings } = figure,
    root = siteRoot();
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
  if (root) items.push(["Copy embed code", ({ copy }) => copy(embedCode(figure, root))]);
  if (!isSandboxed()) items.push(["Save picture", () => savePicture(figure)]);
  if (items.length) createMenu(group, "Share", items);
}
