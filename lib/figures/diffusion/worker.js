import { denoisePatches } from "../methods/diffusion.js";

// Compares the patches of all pictures beside the page, so that dragging never blocks. First come the pictures, then
// noisy ones, a step of the walk at a time; each is answered with the best guess.

let pictures, shape;

self.onmessage = ({ data: { open, walk, step, noisy, noiseStd, radius } }) => {
  if (open) ({ pictures, shape } = open);
  else postMessage({ walk, step, guess: denoisePatches(noisy, pictures, noiseStd, radius, shape) });
};
