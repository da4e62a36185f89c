import { csvOf } from "../parts/save.js";

// What the reader takes away: the weights of the query as CSV, and Python that reproduces what is shown.

export const PICTURE_FILE = "your_photo.png",
  CLEANED_FILE = "your_photo_cleaned.png",
  WEIGHTS_FILE = "your_photo_weights.csv";

const RADIUS = "radius=7";

/** The lines that compute `weights` and `cleaned` of four methods: functions of `lib.filters`. */
const FILTERS = {
  1964: (h) => ["bilateral", `${h}, bandwidth_value=1e100, ${RADIUS}`],
  1998: (h, space) => ["bilateral", `${space}, ${h}, ${RADIUS}`],
  2005: (h, _space, std) => ["nonlocal_means", `${h}, patch_radius=3, search_radius=7, noise_std=${std}`],
  2007: (h) => ["lark", `${h}, ${RADIUS}`],
};

const WINDOWS = [
  "grey = image @ [0.299, 0.587, 0.114]  # weights come from brightness, values are colours",
  "tokens_of, (height, width) = window_tokens(grey), grey.shape",
  'padded = np.pad(image, ((7, 7), (7, 7), (0, 0)), mode="reflect")',
  "windows = np.lib.stride_tricks.sliding_window_view(padded, (15, 15), axis=(0, 1)).reshape(height, width, 3, 225)",
];

const ROWS = [
  "cleaned = np.empty_like(image)",
  "for row in range(height):",
  "    for columns in np.array_split(np.arange(width), -(-width // 50)):  # some at a time, to save memory",
  "        rows = np.full(len(columns), row)",
  "        cleaned[rows, columns] = head(rows, columns, np.swapaxes(windows[rows, columns], 1, 2))[:, 0]",
];

const ATTENTION = (temperature) => [
  ...WINDOWS,
  "query_map, key_map = (each.astype(float) for each in trained_maps())",
  "def head(rows, columns, values):  # averages of the values in the windows of these pixels",
  "    tokens, _ = tokens_of(rows, columns)",
  `    return attention(tokens[:, [MIDDLE]] @ query_map.T, tokens @ key_map.T, values, ${temperature})`,
];

const PERFORMER = (temperature, root) => [
  ...WINDOWS,
  "query_map, key_map, moment = photograph_maps()",
  `scale = (${temperature} / ${root}) ** 0.5`,
  "spread, log_weights = dense_exponential_frequencies(random_frequencies(), np.diag(moment / scale**2))",
  "def head(rows, columns, values):  # averages of the values in the windows of these pixels",
  "    tokens, _ = tokens_of(rows, columns)",
  "    queries = positive_features(tokens[:, [MIDDLE]] @ query_map.T / scale, spread) * np.exp(log_weights)",
  "    keys = positive_features(centre_keys(tokens @ key_map.T / scale), spread)",
  "    return feature_average(queries, keys, values)",
];

const IMPORTS = {
  2017: ["from lib.attention import attention", "from lib.patch_attention import MIDDLE, trained_maps, window_tokens"],
  2020: [
    "from lib.figures.years.methods import random_frequencies",
    "from lib.figures.your_photo.methods import photograph_maps",
    "from lib.patch_attention import MIDDLE, window_tokens",
    "from lib.random_features import centre_keys, dense_exponential_frequencies, feature_average, positive_features",
  ],
};

/** Python code for the drawn state. @param {any} now */
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
  const lines = { 2017: ATTENTION(bandwidth), 2020: PERFORMER(bandwidth, method.at) }[year];
  return [
    ...start,
    ...IMPORTS[year],
    "",
    read,
    ...lines,
    `weights = head(np.array([${row}]), np.array([${column}]), np.eye(225)[None]).reshape(15, 15)  # of the query's window`,
    ...ROWS,
    save,
    "",
  ].join("\n");
}

/** The window of the query: offsets, weights and colours in [0, 1]. */
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
