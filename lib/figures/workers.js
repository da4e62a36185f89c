// Work beside the page, so that the hand never waits.

/**
 * A worker of this code. `listen` gets what it posts; `fail` is told of a fault in it.
 * @param {string} code
 * @param {{ listen(data: any): void, fail(): void }} owner
 */
export function workerOf(code, { listen, fail }) {
  const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(address);
  worker.onmessage = ({ data }) => listen(data);
  worker.onerror = (event) => {
    event.preventDefault();
    fail();
  };
  return {
    post: (message) => worker.postMessage(message),
    end() {
      worker.terminate();
      URL.revokeObjectURL(address);
    },
  };
}
