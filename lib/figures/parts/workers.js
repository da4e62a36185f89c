import { html } from "./plot.js";

// Web workers, to keep the main thread responsive, and lazy loading.

/**
 * Create a worker from code. `listen` receives its messages; `fail` is called on an error.
 * @param {string} code
 * @param {{ listen(data: any): void, fail(): void }} owner
 */
export function createWorker(code, { listen, fail }) {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address);
  worker.onmessage = ({ data }) => listen(data);
  worker.onerror = (event) => {
    event.preventDefault();
    fail();
  };
  return {
    /** @param {any} message @param {Transferable[]} [transferred] */
    post: (message, transferred = []) => worker.postMessage(message, transferred),
    end() {
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
}

/**
 * Create a queue for a worker that responds once to each message: while it computes one, only the latest further
 * message waits. `listen` receives each response together with the `remembered` argument of its `ask`. The worker
 * starts with the first message.
 * @param {string} code
 * @param {{ listen(response: any, remembered: any): void, fail(): void }} owner
 */
export function createQueue(code, { listen, fail }) {
  /** @typedef {{ message: any, remembered: any }} Request */
  /** @type {ReturnType<typeof createWorker> | undefined} */
  let worker;
  /** @type {Request | undefined} */
  let current;
  /** @type {Request | undefined} */
  let waiting;

  function next() {
    [current, waiting] = [waiting, undefined];
    if (current) worker?.post(current.message);
  }

  /** @param {any} response */
  function hear(response) {
    const remembered = current?.remembered;
    next();
    listen(response, remembered);
  }

  return {
    /** @param {any} message @param {any} [remembered] */
    ask(message, remembered) {
      worker ??= createWorker(code, { listen: hear, fail });
      waiting = { message, remembered };
      if (!current) next();
    },
    isBusy: () => current !== undefined,
    end: () => worker?.end(),
  };
}

/**
 * Call `act` once, when this element is less than a screen away from the viewport. Returns a function that cancels the
 * observer.
 * @param {Element} element
 * @param {() => void} act
 */
export function onNearViewport(element, act) {
  const { top, bottom, width } = element.getBoundingClientRect();
  if (width > 0 && top < 2 * innerHeight && bottom > -innerHeight) {
    act();
    return () => {};
  }
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      act();
    },
    { rootMargin: "100% 0px" },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/**
 * Call `act` once, on the first pointer press or focus inside this element. Returns a function that cancels.
 * @param {Element} element
 * @param {() => void} act
 */
export function onFirstInteraction(element, act) {
  const touched = new AbortController();
  const begin = () => {
    touched.abort();
    act();
  };
  for (const touch of ["pointerdown", "focusin"]) {
    element.addEventListener(touch, begin, { capture: true, signal: touched.signal });
  }
  return () => touched.abort();
}

/**
 * Load a script of the site that stores a value for figures under this name, unless the page has it already.
 * @param {string} name
 * @param {string} address
 */
export async function loadPart(name, address) {
  const page = /** @type {any} */ (window);
  page.figureParts ??= {};
  const parts = page.figureParts;
  if (!(name in parts)) {
    await new Promise((resolve, reject) => {
      const script = html("script", { src: address });
      Object.assign(script, { onload: resolve, onerror: reject });
      document.head.append(script);
    });
  }
  return parts[name];
}

/**
 * Get the value of a trait `…_lazy`. With a kernel the trait has the value; on a static page, the URL of a script.
 * @param {{ get(trait: string): unknown }} model
 * @param {string} trait
 */
export async function loadLazy(model, trait) {
  const value = /** @type {any} */ (model.get(trait));
  return value.script ? loadPart(value.lazy, value.script) : value;
}
