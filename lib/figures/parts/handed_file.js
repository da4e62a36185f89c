// A file that one page of the site hands to another one in the same tab. The browser keeps it until it is taken.

const NAME = "handed file";

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const resultOf = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @template T @param {(files: IDBObjectStore) => IDBRequest<T>} act */
async function inStore(act) {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(NAME);
  const database = await resultOf(opening);
  try {
    return await resultOf(act(database.transaction(NAME, "readwrite").objectStore(NAME)));
  } finally {
    database.close();
  }
}

/**
 * Store a file for another page. Fails if the browser stores nothing, for example for pages from disk.
 * @param {File} file
 */
export async function handOver(file) {
  await inStore((files) => files.put(file, NAME));
  sessionStorage.setItem(NAME, file.name);
}

/** The file that the previous page handed over, once. @returns {Promise<File | undefined>} */
export async function takeHanded() {
  try {
    if (sessionStorage.getItem(NAME) === null) return undefined;
    sessionStorage.removeItem(NAME);
    const file = await inStore((files) => files.get(NAME));
    await inStore((files) => files.delete(NAME));
    return file;
  } catch {
    return undefined; // the reader opens it again
  }
}
