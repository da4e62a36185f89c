// Sums of a smooth kernel in time linear in the keys, on a line, as in lib/engine/gauss_transform.py: between two boxes
// the kernel is a small matrix, K(q, k) = Σ_a Σ_b T_a(u_q) G_ab T_b(u_k), with Chebyshev polynomials T. The same holds
// for any kernel of the difference that is smooth within a box, so the kernel is an argument here.

export const ORDER = 18; // polynomials per box, which is half a bandwidth wide, for any kernel
const SHARE = 0.5;

/**
 * Write T₀(u), T₁(u), … into an array, starting at an index.
 * @param {Float64Array} target
 * @param {number} at
 * @param {number} order
 * @param {number} u
 */
function chebyshev(target, at, order, u) {
  target[at] = 1;
  target[at + 1] = u;
  for (let i = at + 2; i < at + order; i += 1) target[i] = 2 * u * target[i - 1] - target[i - 2];
}

/** @type {Map<number, { nodes: number[], matrix: number[][] }>} */
const transforms = new Map();

/** The nodes of an order, and the matrix that turns values there into coefficients. @param {number} order */
function transformOf(order) {
  let transform = transforms.get(order);
  if (!transform) {
    const angles = Array.from({ length: order }, (_, i) => (Math.PI * (i + 0.5)) / order);
    const matrix = angles.map((_, a) => angles.map((angle) => ((a ? 2 : 1) * Math.cos(a * angle)) / order));
    transform = { nodes: angles.map(Math.cos), matrix };
    transforms.set(order, transform);
  }
  return transform;
}

/**
 * The coefficients G of a kernel whose key is `distance` to the right of the query, between the boxes' centres.
 * @param {(difference: number) => number} kernel
 * @param {number} distance
 * @param {number} width of a box
 * @param {number} order
 */
function coefficients(kernel, distance, width, order) {
  const { nodes, matrix } = transformOf(order);
  const transform = (/** @type {number[]} */ row) =>
    matrix.map((factors) => factors.reduce((sum, factor, i) => sum + factor * row[i], 0));
  const values = nodes.map((q) => nodes.map((k) => kernel(distance + (width * (k - q)) / 2)));
  const alongKeys = values.map(transform);
  const columns = nodes.map((_, b) => transform(alongKeys.map((row) => row[b])));
  const found = new Float64Array(order * order);
  columns.forEach((column, b) => column.forEach((value, a) => (found[a * order + b] = value)));
  return found;
}

/**
 * The coefficients of the derivatives of many polynomials, whose variable changes at a rate.
 * @param {Float64Array} seen
 * @param {number} order
 * @param {number} rate
 */
function derived(seen, order, rate) {
  const found = new Float64Array(seen.length);
  for (let start = 0; start < seen.length; start += order) {
    for (let a = order - 1; a > 0; a -= 1)
      found[start + a - 1] = (a + 1 < order ? found[start + a + 1] : 0) + 2 * a * rate * seen[start + a];
    found[start] /= 2;
  }
  return found;
}

/**
 * The boxes of sorted keys: the index of each box that has a key, and where its keys begin.
 * @param {Float64Array} keys @param {number} width
 */
function boxesOf(keys, width) {
  const /** @type {number[]} */ indices = [],
    /** @type {number[]} */ starts = [];
  keys.forEach((key, i) => {
    const box = Math.floor((key - keys[0]) / width);
    if (box !== indices.at(-1)) {
      indices.push(box);
      starts.push(i);
    }
  });
  return { indices, starts: [...starts, keys.length] };
}

/**
 * Σ_k K(k − q) c_k at all keys q for each column, and its derivatives with respect to q.
 * @param {Float64Array} keys sorted
 * @param {number} bandwidth the distance within which the kernel changes by a factor of about e
 * @param {number} reach the distance beyond which the kernel is negligible
 * @param {(difference: number) => number} kernel
 * @param {{ column: Float64Array, derivatives?: number }[]} parts the columns, and up to which derivative
 * @param {number} [order] of the polynomials
 * @returns {Float64Array[][]} for each column the sums and each derivative
 */
export function smoothSums(keys, bandwidth, reach, kernel, parts, order = ORDER) {
  const width = SHARE * bandwidth;
  const { indices, starts } = boxesOf(keys, width),
    nBoxes = indices.length;
  const polynomials = new Float64Array(keys.length * order);
  for (let b = 0; b < nBoxes; b += 1) {
    for (let i = starts[b]; i < starts[b + 1]; i += 1) {
      const u = (2 * (keys[i] - keys[0])) / width - 2 * indices[b] - 1;
      chebyshev(polynomials, i * order, order, u);
    }
  }
  const steps = Math.min(Math.ceil(reach / width), indices[nBoxes - 1]);
  /** @type {Map<number, Float64Array>} */
  const matrices = new Map();
  const matrixOf = (/** @type {number} */ step) => {
    const matrix = matrices.get(step) ?? coefficients(kernel, step * width, width, order);
    matrices.set(step, matrix);
    return matrix;
  };
  return parts.map(({ column, derivatives = 0 }) => {
    let seen = transfer(momentsOf(column));
    const found = [evaluate(seen)];
    while (found.length <= derivatives) {
      seen = derived(seen, order, 2 / width);
      found.push(evaluate(seen));
    }
    return found;
  });

  /** @param {Float64Array} column */
  function momentsOf(column) {
    const moments = new Float64Array(nBoxes * order);
    for (let b = 0; b < nBoxes; b += 1) {
      for (let i = starts[b]; i < starts[b + 1]; i += 1) {
        for (let a = 0; a < order; a += 1) moments[b * order + a] += column[i] * polynomials[i * order + a];
      }
    }
    return moments;
  }

  /** @param {Float64Array} moments */
  function transfer(moments) {
    const seen = new Float64Array(nBoxes * order);
    let first = 0;
    for (let q = 0; q < nBoxes; q += 1) {
      while (indices[q] - indices[first] > steps) first += 1;
      for (let k = first; k < nBoxes && indices[k] - indices[q] <= steps; k += 1) {
        const matrix = matrixOf(indices[k] - indices[q]);
        for (let a = 0; a < order; a += 1) {
          let sum = 0;
          for (let b = 0; b < order; b += 1) sum += matrix[a * order + b] * moments[k * order + b];
          seen[q * order + a] += sum;
        }
      }
    }
    return seen;
  }

  /** @param {Float64Array} seen */
  function evaluate(seen) {
    const sums = new Float64Array(keys.length);
    for (let b = 0; b < nBoxes; b += 1) {
      for (let i = starts[b]; i < starts[b + 1]; i += 1) {
        for (let a = 0; a < order; a += 1) sums[i] += seen[b * order + a] * polynomials[i * order + a];
      }
    }
    return sums;
  }
}
