import { average, keysForShare, totalVariation } from "../methods/weights.js";
import { greyPixel } from "../parts/photograph.js";
import { createWorker } from "../parts/workers.js";
import { brushFor } from "./brush.js";
import { openImage, valuesOf, weightsOf, withBandwidth } from "./methods.js";

// The copies that the methods clean, pixel by pixel, in a worker.

/** A photograph as the figure works on it, with its noise. */
export const opened = (clean, noisy, given) => ({
  ...clean,
  clean,
  noisy,
  fixed: openImage(noisy, given),
  brush: brushFor(clean),
  noisyPixels: Uint32Array.from(noisy.planes[0], greyPixel),
});

/** The copies of a photograph at a bandwidth. With another one, all that was cleaned is cleaned anew. */
export function copiesOf(photo, bandwidth) {
  const prepared = withBandwidth(photo.fixed, bandwidth);
  const { methods } = photo.fixed.given;
  const size = photo.height * photo.width;
  return {
    photo,
    bandwidth,
    prepared,
    cleaned: methods.map(() => new Float64Array(size).fill(NaN)),
    pixels: methods.map(() => new Uint32Array(size)), // 0 where nothing has been cleaned
    nCleaned: 0,
  };
}

/** Keep what the methods, in their order, make of the pixels at these places. */
export function keepCleaned(copies, places, estimates) {
  places.forEach((place, i) => {
    estimates[i].forEach((value, k) => {
      copies.cleaned[k][place] = value;
      copies.pixels[k][place] = greyPixel(value);
    });
  });
  copies.nCleaned += places.length;
}

/** What is shown of one query. */
export function resultsOf({ photo: { clean, noisy }, prepared }, query) {
  const [weights, values] = [weightsOf(prepared, query), valuesOf(prepared, query)];
  const each = (find) =>
    Object.fromEntries(prepared.photo.given.methods.map(({ name }) => [name, find(weights[name])]));
  const [observed, truth] = [noisy, clean].map(({ planes: [plane] }) => plane[query[0] * clean.width + query[1]]);
  return {
    weights,
    shown: {
      estimate: each((of) => average(of, values)),
      keys_for_90_percent: each((of) => keysForShare(of, 0.9)),
      noisy: observed,
      clean: truth,
      misplaced: totalVariation(weights.attention, weights.performer),
    },
  };
}

/** How far each method is from the photograph without noise, over what the brush has painted and the worker cleaned. */
export function errorsOf({ photo, cleaned }, mask, methods) {
  const [truth] = photo.clean.planes;
  const found = cleaned.map((plane) => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < mask.length; i += 1) {
      if (!mask[i] || Number.isNaN(plane[i])) continue;
      sum += (plane[i] - truth[i]) ** 2;
      count += 1;
    }
    return { count, error: count ? Math.sqrt(sum / count) : null };
  });
  return {
    brushed: mask.reduce((sum, each) => sum + each, 0),
    cleaned: found[0].count,
    error: Object.fromEntries(methods.map(({ name }, k) => [name, found[k].error])),
  };
}

const AT_ONCE = 48; // pixels: about a frame

/** A worker that cleans pixels, some at a time: those that `wanted()` names when the last ones are done. */
export function cleanerInWorker(code, task) {
  let isBusy = false; // after a fault for ever
  const next = () => {
    const message = isBusy ? undefined : task.wanted();
    if (!message) return;
    isBusy = true;
    worker.post(message);
  };
  const listen = (data) => {
    isBusy = false;
    task.listen(data);
    next();
  };
  const worker = createWorker(code, { listen, fail: task.fail });
  return { next, end: worker.end };
}

/** Some of the painted pixels that nobody has cleaned: the one next to the query and those around it, which share keys. */
export function missing({ cleaned: [plane], photo: { width } }, mask, query) {
  const places = [];
  for (let i = 0; i < mask.length; i += 1) if (mask[i] && Number.isNaN(plane[i])) places.push(i);
  if (places.length <= AT_ONCE) return places;
  const [first] = nearest(places, query, width, 1);
  return nearest(places, [Math.floor(first / width), first % width], width, AT_ONCE);
}

/** So many of the places, those nearest to a pixel. Only the near ones are sorted: thousands may wait. */
function nearest(places, [row, column], width, count) {
  const far = (place) => (Math.floor(place / width) - row) ** 2 + ((place % width) - column) ** 2;
  let near = [];
  for (let reach = 16; near.length < count; reach *= 4) near = places.filter((place) => far(place) <= reach);
  return near.sort((a, b) => far(a) - far(b)).slice(0, count);
}
