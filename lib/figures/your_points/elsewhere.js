// A bandwidth as other programs count it: the factors of pages/elsewhere, by which their parameter is multiplied
// for ours.

const GAUSSIAN = {
  "statsmodels: bw": Math.SQRT2,
  "R, npreg: bws": Math.SQRT2,
};

/** Programs with the same method, and the factor of each. @type {Record<string, Record<string, number>>} */
export const FACTORS = {
  gaussian: { ...GAUSSIAN, "R, ksmooth: bandwidth": Math.SQRT2 * 0.3706506, "pandas: std": Math.SQRT2 },
  "local-linear": GAUSSIAN,
  boxcar: { "R, ksmooth with box: bandwidth": 0.5, "scikit-learn: radius": 1 },
  epanechnikov: { "R, npreg with epanechnikov: bws": Math.sqrt(5) },
  nearest: { "scikit-learn: n_neighbors": 1 },
};

/** The step of evenly spaced keys, in which pandas counts; undefined for others. @param {Float64Array} keys */
function stepOf(keys) {
  const step = (keys[keys.length - 1] - keys[0]) / (keys.length - 1);
  const isEven = keys.every((key, i) => Math.abs(key - keys[0] - i * step) < 1e-6 * step);
  return isEven ? step : undefined;
}

/**
 * A sentence with the parameter in other programs; empty where none has the method.
 * @param {string} method
 * @param {number} parameter
 * @param {Float64Array} keys
 */
export function elsewhereText(method, parameter, keys) {
  const known = Object.entries(FACTORS[method] ?? {}).map(([name, factor]) => {
    const unit = name.startsWith("pandas") ? stepOf(keys) : 1;
    return unit && `${name} = ${Number((parameter / factor / unit).toPrecision(6))}`;
  });
  const said = known.filter(Boolean).join("; ");
  return said && `The same in other programs: ${said}.`;
}
