import { BASE, DIMENSION, POSITIONS } from "../methods/regression.js";
import { LARGEST_EXPONENT, NORMAL_MEDIAN, REPEATS, SCALE, SMALLEST_SCALE } from "../methods/robust.js";
import { csvOf } from "../parts/save.js";
import { N_QUERIES, queriesOver, TWO_SIDED } from "./fit.js";

// What the reader takes away: the numbers as CSV, and lines of NumPy that reproduce them.

/**
 * @typedef {import("./your_points.js").Figure["now"]} Now
 * @typedef {Now & { fit: import("./fit.js").Fit }} Fitted
 */

export const POINTS_FILE = "your_points.csv",
  CURVE_FILE = "your_points_curve.csv";

const softmax = (/** @type {string} */ log) => [
  `log_weights = ${log}`,
  "weights = np.exp(log_weights - log_weights.max(axis=1, keepdims=True))",
];

/** A kernel of the distance s in bandwidths that ends at 1. @param {number} h @param {string} kernel */
const inside = (h, kernel) => [
  `s = d / ${h}`,
  `weights = np.where(s**2 < 1 - 1.4901161e-8, ${kernel}, 0.0)  # despite rounding, none at distance h`,
];

/**
 * The lines that compute the weights before they are normalised; `d` holds keys − queries.
 * @type {Record<string, (parameter: number) => string[]>}
 */
const KERNEL_CODE = {
  gaussian: (h) => softmax(`-((d / ${h}) ** 2)`),
  "local-linear": (h) => softmax(`-((d / ${h}) ** 2)`),
  boxcar: (h) => inside(h, "1.0"),
  triangular: (h) => inside(h, "1 - np.abs(s)"),
  epanechnikov: (h) => inside(h, "1 - s**2"),
  constant: () => ["weights = np.ones_like(d)"],
  nearest: (m) => [
    `reach = np.sort(np.abs(d), axis=1)[:, [${m - 1}]] * (1 + 1e-9)  # of the ${m} nearest, with ties`,
    "weights = np.where(np.abs(d) <= reach, 1.0, 0.0)",
  ],
  attention: (temperature) => [
    `omega = ${BASE}.0 ** (-np.arange(0, ${DIMENSION}, 2) / ${DIMENSION})  # the encoding's frequencies`,
    `angles = lambda x: ${POSITIONS - 1} * (x[:, None] - keys[0]) / (keys[-1] - keys[0]) * omega`,
    "encode = lambda x: np.hstack([np.sin(angles(x)), np.cos(angles(x))])",
    ...softmax(`encode(queries) @ encode(keys).T / ${temperature}`),
  ],
};

const LINE = [
  "heaviest = keys[weights.argmax(axis=1)][:, None]",
  "k = keys - heaviest  # positions from the heaviest key, which preserves their digits",
  "k[np.abs(k) <= 1e3 * np.finfo(float).eps * np.abs(keys)] = 0  # equal up to rounding",
  "mean = (weights * k).sum(axis=1, keepdims=True)",
  "spread = (weights * (k - mean) ** 2).sum(axis=1, keepdims=True)",
  "spread[spread == 0] = np.inf  # all the weight at one point: slope 0",
  "slope_weights = weights * (k - mean) / spread",
  "weights = weights + (queries[:, None] - heaviest - mean) * slope_weights  # a weighted line",
  "slopes = slope_weights @ values",
];

/** The lines that read the points and place the queries. @param {Now["points"]} points @param {number} query */
const opening = (points, query) => [
  `keys, values = np.loadtxt("${POINTS_FILE}", delimiter=",", skiprows=1, usecols=(0, 1), unpack=True, encoding="utf-8")${points.dates ? "  # dates as days since 1970-01-01" : ""}`,
  `queries = np.append(np.linspace(keys[0], keys[-1], ${N_QUERIES}), ${query})  # the curve, and the query`,
];

/** The lines that compute how much each point counts, from the residuals. */
const ROBUSTNESS = [
  "residuals = np.abs(values - estimates)",
  `h_y = ${SCALE} * max(np.median(residuals), ${SMALLEST_SCALE} * (np.ptp(values) or 1))`,
  `robustness = np.exp(-np.minimum((residuals / h_y) ** 2, ${LARGEST_EXPONENT}))  # outliers count less`,
];

const indented = (/** @type {string[]} */ lines) => lines.map((line) => `    ${line}`);

/**
 * Repeat the lines of a fit, first at the keys, then at the queries.
 * @param {string[]} kernel
 * @param {string[]} rest
 */
const repeated = (kernel, rest) => [
  "robustness = np.ones_like(keys)",
  `for at in [keys] * ${REPEATS} + [queries]:  # fit the keys, then the curve`,
  ...indented([...kernel, "weights = weights * robustness", ...rest].map((line) => line.replace(/\bqueries\b/g, "at"))),
  "    if at is queries:",
  "        break",
  ...indented(ROBUSTNESS),
];

/** Python code for the drawn state. @param {Now} now */
export function codeFor({ setting: { method, by, robust }, parameter, scores, query, points }) {
  const chosen = by === "hand" || !parameter || !scores ? "" : `  # ${parameter} was chosen by ${by}`;
  const kernel = [`d = keys - queries[:, None]${chosen}`, ...KERNEL_CODE[method](parameter)];
  const average = [
    "weights = weights / weights.sum(axis=1, keepdims=True)",
    ...(method === "local-linear" ? LINE : []),
    "estimates = weights @ values",
  ];
  const noise =
    robust === "yes"
      ? `np.median(np.abs(np.diff(values))) / ${NORMAL_MEDIAN} / np.sqrt(2)`
      : "np.sqrt(np.mean(np.diff(values) ** 2) / 2)";
  return [
    "import numpy as np",
    "",
    ...opening(points, query),
    ...(robust === "yes" ? repeated(kernel, average) : [...kernel, ...average]),
    `noise = ${noise}  # if independent, of the same variance everywhere`,
    `band = ${TWO_SIDED} * noise * np.sqrt((weights**2).sum(axis=1))`,
    `print(f"at {queries[-1]}: {estimates[-1]} ± {band[-1]}${method === "local-linear" ? ", slope {slopes[-1]}" : ""}")`,
    "",
  ].join("\n");
}

/** The degrees of the methods that the estimator has. @type {Record<string, number>} */
const DEGREES = { "local-linear": 1, gaussian: 0, boxcar: 0, triangular: 0, epanechnikov: 0, constant: 0 };

const REFIT = [
  `for _ in range(${REPEATS}):`,
  ...indented([
    "estimates = model.predict(keys[:, None])",
    ...ROBUSTNESS,
    "model.fit(keys[:, None], values, sample_weight=robustness)",
  ]),
];

/**
 * The same estimates by the course's scikit-learn estimator; empty for a method that it does not have.
 * @param {Now} now
 */
export function estimatorCodeFor({ setting: { method, by, robust }, parameter, scores, query, points }) {
  if (!(method in DEGREES)) return "";
  const kernel = DEGREES[method] ? "gaussian" : method,
    bandwidth = method === "constant" ? 1 : parameter;
  const chosen = by === "hand" || method === "constant" || !scores ? "" : `  # chosen by ${by}`;
  return [
    "import numpy as np",
    "from lib.estimators import KernelRegression  # of this course; needs scikit-learn",
    "",
    ...opening(points, query),
    `model = KernelRegression(kernel="${kernel}", bandwidth=${bandwidth}, degree=${DEGREES[method]})${chosen}`,
    "model.fit(keys[:, None], values)",
    ...(robust === "yes" ? REFIT : []),
    "estimates = model.predict(queries[:, None])",
    'print(f"at {queries[-1]}: {estimates[-1]}")',
    "",
  ].join("\n");
}

/** The points with their fitted values and residuals. @param {Fitted} now */
export function pointsCsv({ points, data, fit }) {
  const { fitted, shares } = fit;
  const rows = Array.from(data.keys, (key, i) => [
    ...[key, data.values[i], fitted[i], data.values[i] - fitted[i]],
    ...(shares ? [shares[i]] : []),
  ]);
  return csvOf([
    [points.key_label, points.value_label, "fitted", "residual", ...(shares ? ["robustness"] : [])],
    ...rows,
  ]);
}

/** The curve with its band and slope, and those of the other methods that are drawn. @param {Fitted} now */
export function curveCsv({ points, data, setting, others, fit: { estimates, halves, slopes } }) {
  const compared = Object.entries(others ?? {}).filter(([method]) => method !== setting.method);
  const rows = Array.from(queriesOver(data.keys), (query, i) => [
    query,
    estimates[i],
    estimates[i] - halves[i],
    estimates[i] + halves[i],
    ...(slopes ? [slopes[i]] : []),
    ...compared.map(([_, curve]) => curve.estimates[i]),
  ]);
  const names = ["estimate", "low", "high", ...(slopes ? ["slope"] : []), ...compared.map(([method]) => method)];
  return csvOf([[points.key_label, ...names], ...rows]);
}
