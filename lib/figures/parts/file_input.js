// Files from the reader: opened with a button, dropped on the figure or its page, or pasted into it. Nothing leaves the
// browser.

import { takeFromPage } from "./page_drop.js";
import { html } from "./plot.js";
import { InvalidInput } from "./problem.js";

/**
 * @typedef {object} FileInput
 * @property {string} label of the button
 * @property {string} accept file types, as in `<input accept>`
 * @property {number} largest size of all files together, in bytes
 * @property {number} [most] number of files, by default one
 * @property {import("./page_drop.js").Kind} [kind] of the files that it takes from anywhere on the page
 * @property {(files: File[]) => unknown} take reads the files; it may throw `InvalidInput`. Pasted or dropped text
 *   is a file as well
 */

export const LARGEST_PHOTOGRAPH = 100e6; // bytes

/** Write a size in bytes for a sentence. @param {number} bytes */
export const sizeText = (bytes) =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)}\u00a0kB` : `${Math.ceil(bytes / 1e5) / 10}\u00a0MB`;

/** Check number and size before anything is read. @param {File[]} files @param {FileInput} input */
function checked(files, { largest, most = 1 }) {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (files.length > most) {
    throw new InvalidInput(`Expected ${most === 1 ? "one file" : `at most ${most} files`}, got ${files.length}.`);
  }
  if (size > largest) throw new InvalidInput(`Expected at most ${sizeText(largest)}, got ${sizeText(size)}.`);
  if (size === 0) throw new InvalidInput("Expected a file with content, got an empty one.");
  return files;
}

/**
 * The files, or the text, of a drop or a paste; none if it has neither.
 * @param {DataTransfer | null} data
 * @returns {File[]}
 */
function filesOf(data) {
  const files = [...(data?.files ?? [])];
  const text = files.length ? "" : data?.getData("text/plain");
  return text ? [new File([text], "pasted text", { type: "text/plain" })] : files;
}

/**
 * Add a button that opens files; the figure also takes files and text that are dropped or pasted on it. Text that is
 * pasted into a text field stays there. Returns the button.
 * @param {{ root: HTMLElement, signal: AbortSignal }} figure
 * @param {FileInput} input
 * @param {{ attempt(act: () => unknown): Promise<unknown> }} problem
 * @param {Element} parent
 */
export function createFileInput({ root, signal }, input, problem, parent) {
  const { label, accept, most = 1, kind, take } = input;
  const button = html("button", { type: "button", text: label }, parent);
  const picker = html("input", { type: "file", accept, hidden: "", "aria-label": label, tabindex: -1 }, parent);
  picker.multiple = most > 1;
  /** @param {File[]} files */
  const receive = (files) => problem.attempt(() => take(checked(files, input)));
  button.addEventListener("click", () => picker.click());
  picker.addEventListener("change", async () => {
    if (picker.files.length) await receive([...picker.files]);
    picker.value = ""; // so that the same file can be opened again
  });

  if (kind) takeFromPage({ root, signal }, kind, receive);

  /** @param {boolean} isOver */
  const mark = (isOver) => root.classList.toggle("lf-drop", isOver);
  const isOutside = (/** @type {DragEvent} */ { relatedTarget }) => !root.contains(/** @type {Node} */ (relatedTarget));
  const options = { signal };
  root.addEventListener(
    "dragover",
    (event) => {
      event.preventDefault(); // otherwise the browser opens the file
      mark(true);
    },
    options,
  );
  root.addEventListener("dragleave", (event) => isOutside(event) && mark(false), options);
  root.addEventListener(
    "drop",
    (event) => {
      event.preventDefault();
      mark(false);
      receive(filesOf(event.dataTransfer));
    },
    options,
  );
  root.addEventListener(
    "paste",
    (event) => {
      const files = filesOf(event.clipboardData);
      if (!files.length || /** @type {Element} */ (event.target).closest("textarea, input")) return;
      event.preventDefault();
      receive(files);
    },
    options,
  );
  return button;
}
