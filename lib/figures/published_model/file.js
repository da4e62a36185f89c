// The file of the published model: its parts from the course's site, or a file from disk. The parts stay in the
// browser's cache until the reader deletes them.

const STORE = "published-model",
  FOLDER = "published_model/";

/** An error whose message is written for the reader. */
export class Problem extends Error {}

/** The URL of the folder with the parts: at the root of the site. */
const folder = () => new URL(`${document.documentElement.dataset.content_root ?? "./"}${FOLDER}`, document.baseURI);

/** The browser's cache; undefined where a browser has or allows none, as in a private window or on a page from disk. */
async function store() {
  try {
    return await caches.open(STORE);
  } catch {
    return undefined;
  }
}

const listUrl = () => new URL("parts.json", folder());

/** How many of the parts are stored: "none", "some" or "all". */
export async function storedParts() {
  try {
    const list = (await caches.has(STORE)) && (await caches.match(listUrl(), { cacheName: STORE }));
    if (!list) return "none";
    const { parts } = await list.json(),
      known = await (await caches.open(STORE)).keys();
    return known.length > parts.length ? "all" : "some"; // the list is stored, too
  } catch {
    return "none";
  }
}

export async function deleteStored() {
  try {
    await caches.delete(STORE);
  } catch {
    // nothing is stored
  }
}

const lost = (/** @type {Cache | undefined} */ cache) =>
  new Problem(`The connection was lost. Try again${cache ? ": the parts that arrived are stored" : ""}.`);

const isAbort = (/** @type {unknown} */ error) => error instanceof Error && error.name === "AbortError";

/** @param {Cache | undefined} cache @param {URL} url @param {AbortSignal} signal */
async function fetched(cache, url, signal) {
  try {
    return await fetch(url, { signal });
  } catch (error) {
    throw isAbort(error) ? error : lost(cache);
  }
}

/**
 * The list of the parts, from the site or, without a connection, from the cache.
 * @param {Cache | undefined} cache
 * @param {AbortSignal} signal
 * @returns {Promise<{ size: number, parts: string[] }>}
 */
async function listed(cache, signal) {
  const url = listUrl();
  const response = await fetched(cache, url, signal).catch(async (error) => {
    const known = await cache?.match(url);
    if (known) return known;
    throw error;
  });
  if (!response.ok)
    throw new Problem(
      "This copy of the course does not contain the model. “make published-model” adds it, or open a GGUF file from disk.",
    );
  await keep(cache, url, response.clone());
  return response.json();
}

/**
 * Store a response, if the browser has space for it.
 * @param {Cache | undefined} cache
 * @param {URL} url
 * @param {Response} response
 */
async function keep(cache, url, response) {
  try {
    await cache?.put(url, response);
  } catch {
    await cache?.delete(url).catch(() => {});
  }
}

/** Allocate the memory for the file. @param {number} size */
function space(size) {
  try {
    return new Uint8Array(size);
  } catch {
    throw new Problem("There is too little memory in this browser to open the model.");
  }
}

/**
 * Read one part, from the cache or the site; `take` receives its chunks.
 * @param {Cache | undefined} cache @param {URL} url @param {AbortSignal} signal @param {(chunk: Uint8Array) =>
 *   void} take
 */
async function readPart(cache, url, signal, take) {
  const known = await cache?.match(url),
    response = known ?? (await fetched(cache, url, signal));
  if (!response.ok) throw new Problem("A part of the model is missing from this copy of the course.");
  const stored = known ? undefined : keep(cache, url, response.clone());
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) {
      signal.throwIfAborted();
      take(step.value);
    }
  } catch (error) {
    throw isAbort(error) || error instanceof Problem ? error : lost(cache);
  }
  await stored;
}

/**
 * Download the file, or read it from the cache. `progress` receives the share that has arrived.
 * @param {AbortSignal} signal
 * @param {(share: number) => void} progress
 */
export async function download(signal, progress) {
  const cache = await store(),
    { size, parts } = await listed(cache, signal),
    all = space(size);
  let at = 0;
  const take = (/** @type {Uint8Array} */ chunk) => {
    if (at + chunk.length > size) throw new Problem("The model's parts are not those that were listed.");
    all.set(chunk, at);
    at += chunk.length;
    progress(at / size);
  };
  for (const name of parts) await readPart(cache, new URL(name, folder()), signal, take);
  if (at < size) {
    await deleteStored();
    throw new Problem("The model ended too early. Try again.");
  }
  return all.buffer;
}

/** Read a file from disk. @param {File} file */
export async function fromDisk(file) {
  try {
    return await file.arrayBuffer();
  } catch {
    throw new Problem("The file could not be read, or there is too little memory for it.");
  }
}
