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
    post: (message, transferred = []) => worker.postMessage(message, transferred),
    end() {
      worker.terminate();
      URL.revokeObjectURL(address);
    },
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
 * Get the value of a trait `…_lazy`. With a kernel the trait has the value; on a static page, the URL of a script.
 * @param {{ get(trait: string): unknown }} model
 * @param {string} trait
 */
export async function loadLazy(model, trait) {
  const value = /** @type {any} */ (model.get(trait));
  if (!value.script) return value;
  const page = /** @type {any} */ (window);
  page.figureParts ??= {};
  const parts = page.figureParts;
  if (!(value.lazy in parts)) {
    await new Promise((resolve, reject) => {
      const script = html("script", { src: value.script });
      Object.assign(script, { onload: resolve, onerror: reject });
      document.head.append(script);
    });
  }
  return parts[value.lazy];
}
