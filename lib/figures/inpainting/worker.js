import { openSamples } from "../methods/irregular.js";

// Fills in the whole picture beside the page, so that dragging never blocks: once with circles, once with ellipses.

self.onmessage = ({ data: { samples, fit, bandwidths } }) => {
  const { planeAt } = openSamples(samples, fit, bandwidths.circles);
  const filled = (kernel) => Float64Array.from(samples.values, (_, i) => planeAt(i, bandwidths[kernel], kernel).height);
  postMessage({ circles: filled("circles"), ellipses: filled("ellipses") });
};
