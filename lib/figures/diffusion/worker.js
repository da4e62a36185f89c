import { denoisePatches } from "../methods/diffusion.js";

// Web worker that compares the patches of all images, so that dragging never blocks. Each message contains a noisy image,
// and the training images if they are new; the response is the best guess.

let pictures, shape;

self.onmessage = ({ data: { open, noisy, noiseStd, radius } }) => {
  if (open) ({ pictures, shape } = open);
  postMessage(denoisePatches(noisy, pictures, noiseStd, radius, shape));
};
