import { estimatesOf, openImage, withBandwidth } from "./methods.js";

// Cleans pixels beside the page, so that dragging never blocks. First comes an image with what the methods know, then
// bandwidths and pixels; each is answered with what the six methods make of them.

let image, prepared;

self.onmessage = ({ data: { run, open, bandwidth, pixels } }) => {
  if (open) [image, prepared] = [openImage(open.noisy, open.given), undefined];
  if (bandwidth !== prepared?.at.bandwidth) prepared = withBandwidth(image, bandwidth);
  const { width } = image.noisy;
  const estimates = pixels.map((place) => estimatesOf(prepared, [Math.floor(place / width), place % width]));
  postMessage({ run, bandwidth, pixels, estimates });
};
