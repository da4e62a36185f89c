import { denoisePatches } from "../methods/diffusion.js";

// Web worker that compares the patches of all images, so that dragging never blocks. Each message contains a noisy
// image, and the training images if they are new; the response is the best guess.

/** @type {{ pictures: Float64Array[], shape: import("../methods/diffusion.js").Shape }} */
let known;

self.onmessage = ({ data: { open, noisy, noiseStd, radius } }) => {
  if (open) known = open;
  postMessage(denoisePatches(noisy, known.pictures, noiseStd, radius, known.shape));
};
