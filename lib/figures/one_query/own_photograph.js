import { brightness as SHARES } from "../../constants.json";
import { withNoise } from "../parts/photograph.js";
import { html } from "../parts/plot.js";
import { opened } from "./copies.js";

// A photograph of the reader's own, which stays on the page.

// A noisy photograph and a brush. Where it scrubs, six copies become clean, each by its own method. A copy shows what lies around
// the brush, enlarged, and beside it the weights that the method gives the pixels around the query. How far each is from the
// photograph without noise is told when the reader has guessed, or scrubs.

export const NO_GUESS = "none";

const LONGEST = 256; // pixels a side

export const OWN_PHOTOGRAPH = "It stays on this page, in grey and with noise added. Lead the brush over it.";

/** Normal numbers, by Box and Muller. */
const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());

/** The picture in a file, in grey and small, or an error. It goes nowhere else. @param {File} file */
async function greyPicture(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  const [width, height] = [bitmap.width, bitmap.height].map((length) => Math.max(Math.round(scale * length), 1));
  const canvas = html("canvas", { width, height });
  const context = canvas.getContext("2d");
  Object.assign(context, { imageSmoothingQuality: "high", fillStyle: "white" });
  context.fillRect(0, 0, width, height);
  context.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  const { data } = context.getImageData(0, 0, width, height);
  const grey = (_, i) => SHARES.reduce((sum, share, c) => sum + share * data[4 * i + c], 0) / 255;
  return { height, width, planes: [Float64Array.from({ length: height * width }, grey)] };
}

/** A photograph that the reader opens. It goes nowhere else. */
export function takePhotographs({ change, setting, data }, parts) {
  const { photographs, given, noise_std } = data;
  parts.own.addEventListener("click", () => parts.file.click());
  parts.file.addEventListener("change", async () => {
    const [file] = parts.file.files;
    parts.file.value = "";
    if (!file) return;
    try {
      const clean = await greyPicture(file);
      const noise = { ...clean, planes: [clean.planes[0].map(normal)] };
      photographs.push(opened(clean, withNoise(clean, noise, noise_std), given));
      const query = [clean.height >> 1, clean.width >> 1];
      change({ guess: setting().guess || NO_GUESS, photo: photographs.length - 1, query, brush: [] });
    } catch {
      parts.note.textContent = `Expected a picture, such as a JPEG or a PNG, got ${file.name}.`;
    }
  });
}
