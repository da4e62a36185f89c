import { csvOf } from "../parts/save.js";

// What the reader takes away: the weights of the query as CSV, and Python that reproduces what is shown.

export const PICTURE_FILE = "your_photo.png",
  CLEANED_FILE = "your_photo_cleaned.png",
  BOTH_FILE = "your_photo_before_and_after.png",
  WEIGHTS_FILE = "your_photo_weights.csv";

const RADIUS = "radius=7";

/**
 * The lines that compute `weights` and `cleaned` of four methods: functions of `lib.filters`.
 * @type {Record<number, (h: number, space: number, std: number) => [name: string, numbers: string]>}
 */
const FILTERS = {
  1964: (h) => ["bilateral", `${h}, bandwidth_value=1e100, ${RADIUS}`],
  1998: (h, space) => ["bilateral", `${space}, ${h}, ${RADIUS}`],
  2005: (h, _space, std) => ["nonlocal_means", `${h}, patch_radius=3, search_radius=7, noise_std=${std}`],
  2007: (h) => ["lark", `${h}, ${RADIUS}`],
};

/**
 * The same of the trained head, and of its estimate with projections that were prepared for the example.
 * @type {Record<number, { name: string, given: string }>}
 */
const HEADS = {
  2017: { name: "attention", given: "" },
  2020: { name: "performer", given: ", photograph_maps()" },
};

/** Python code for the drawn state. @param {import("./your_photo.js").Figure["now"]} now */
export function codeFor({ year, bandwidth, noiseStd, query: [row, column], method }) {
  const read = `image = np.asarray(Image.open("${PICTURE_FILE}").convert("RGB")) / 255`;
  const save = `Image.fromarray(np.rint(255 * cleaned.clip(0, 1)).astype(np.uint8)).save("${CLEANED_FILE}")`;
  const start = ["import numpy as np", "from PIL import Image"];
  if (year in FILTERS) {
    const [name, numbers] = FILTERS[year](bandwidth, method.kernel.bandwidth_space, noiseStd);
    return [
      ...start,
      `from lib.filters import ${name}, ${name}_weights`,
      "",
      read,
      `cleaned = ${name}(image, ${numbers})`,
      `weights = ${name}_weights(image, (${row}, ${column}), ${numbers})  # of the query's window`,
      save,
      "",
    ].join("\n");
  }
  const { name, given } = HEADS[year];
  return [
    ...start,
    `from lib.years import clean_by, ${name}${given && ", photograph_maps"}, window_weights`,
    "",
    read,
    `head = ${name}(image, ${bandwidth}${given})  # averages of the windows around pixels`,
    "cleaned = clean_by(head, image)",
    `weights = window_weights(head, (${row}, ${column}))  # of the query's window`,
    save,
    "",
  ].join("\n");
}

/**
 * The window of the query: offsets, weights and colours in [0, 1].
 * @param {{ weights: number[], colours: number[][] }} now
 */
export function weightsCsv({ weights, colours }) {
  const side = Math.sqrt(weights.length),
    radius = side >> 1;
  const rows = weights.map((weight, k) => [
    Math.floor(k / side) - radius,
    (k % side) - radius,
    weight,
    ...colours.map((plane) => plane[k]),
  ]);
  return csvOf([["rows down", "columns right", "weight", "red", "green", "blue"], ...rows]);
}
