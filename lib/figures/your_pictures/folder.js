import { hideOverlay, isOnSite } from "../parts/page_drop.js";
import { html } from "../parts/plot.js";

// Folders from the reader: opened with a button, or dropped on the figure or its page. `file_input.js` takes
// single files.

/** @typedef {{ file: File, path: string }} Found */

/**
 * Add a button that opens a folder; the figure also takes folders that are dropped on it or its page. `take(files)`
 * gets all files in them, with their paths.
 * @param {{ root: HTMLElement, signal: AbortSignal }} figure
 * @param {(files: Found[] | Promise<Found[]>) => unknown} take
 * @param {Element} parent
 */
export function createFolderInput({ root, signal }, take, parent) {
  const button = html("button", { type: "button", text: "Open a folder" }, parent);
  const picker = html("input", { type: "file", hidden: "", "aria-label": "Open a folder", tabindex: -1 }, parent);
  picker.webkitdirectory = true;
  button.addEventListener("click", () => picker.click());
  picker.addEventListener("change", async () => {
    const files = [...picker.files].map((/** @type {File} */ file) => ({
      file,
      path: file.webkitRelativePath || file.name,
    }));
    if (files.length) await take(files);
    picker.value = "";
  });
  /** Take a drop with a folder in it, before a figure takes it as files. @param {DragEvent} event */
  function drop(event) {
    const entries = [...(event.dataTransfer?.items ?? [])].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
    if (!entries.some(({ isDirectory }) => isDirectory)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    hideOverlay();
    root.classList.remove("lf-drop");
    root.scrollIntoView({ block: "nearest" });
    take(Promise.all(entries.map(filesIn)).then((all) => all.flat()));
  }
  (isOnSite(root) ? window : root).addEventListener("drop", /** @type {EventListener} */ (drop), {
    capture: true,
    signal,
  }); // before the document
}

/** All files in a dropped folder and the folders in it. @param {FileSystemEntry} entry @returns {Promise<Found[]>} */
async function filesIn(entry) {
  if (entry.isFile) {
    /** @type {File} */
    const file = await new Promise((resolve, reject) =>
      /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject),
    );
    return [{ file, path: entry.fullPath.slice(1) }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader(),
    inside = /** @type {FileSystemEntry[]} */ ([]);
  /** @returns {Promise<FileSystemEntry[]>} */
  const next = () => new Promise((resolve, reject) => reader.readEntries(resolve, reject));
  for (let some = await next(); some.length; some = await next()) inside.push(...some); // a hundred at a time
  return (await Promise.all(inside.map(filesIn))).flat();
}
