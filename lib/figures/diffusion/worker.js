import { denoisePatches } from "../methods/diffusion.js";

// Web worker that compares the patches of all images, so that dragging never blocks. The first message contains the
// training images, each later one a noisy image; the response is the best guess.

let pictures, shape;

self.onmessage = ({ data: { open, walk, step, noisy, noiseStd, radius } }) => {
  if (open) ({ pictures, shape } = open);
  else postMessage({ walk, step, guess: denoisePatches(noisy, pictures, noiseStd, radius, shape) });
};
