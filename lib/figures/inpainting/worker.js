import { openSamples } from "../methods/irregular.js";

// Web worker that fills in the whole image, once with circles and once with ellipses, so that dragging never blocks.

self.onmessage = ({ data: { samples, fit, bandwidths } }) => {
  const { planeAt } = openSamples(samples, fit, bandwidths.circles);
  const filled = (/** @type {"circles" | "ellipses"} */ kernel) =>
    Float64Array.from(samples.values, (_, i) => planeAt(i, bandwidths[kernel], kernel).height);
  postMessage({ circles: filled("circles"), ellipses: filled("ellipses") });
};
