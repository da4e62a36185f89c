"""Leave-one-out errors of many Gaussian bandwidths on a line, which share sorted keys, boxes and polynomials.

In `gauss_transform`, the moments C_kᵀ v and the polynomials T_a(u) depend on the boxes but not on the bandwidth.
Here they are computed once for all bandwidths between one and four box widths. Since the keys are sorted, the keys
of a box are consecutive, so that the moments are matrix products, and so are the sums of all bandwidths.
"""

import itertools

import numpy as np

from lib.engine.gauss_transform import LARGEST_INDEX, chebyshev, degree, kernel_coefficients, reach
from lib.engine.regression import SMALLEST_MEAN_WEIGHT
from lib.kernels import gaussian
from lib.weights import average, blocks, softmax

FEW_KEYS = 50_000  # up to which the errors are as fast one by one
FEWEST_BOXES, MOST_BOXES = 64, 2**17
BOXES = 2**8  # per matrix product, which is too small for several threads to be worthwhile
BLOCK = 2**13  # number of sums per block and bandwidth, which fit into the cache


def leave_one_out_errors(keys, values, bandwidths):
    """Return the mean squared leave-one-out error of each bandwidth, or None where one by one is as fast.

    Parameters
    ----------
    keys : (n,) array
    values : (n,) or (n, c) array
    bandwidths : (m,) array
    """
    widths = _box_widths(bandwidths, np.ptp(keys))
    farthest, most = np.abs(keys).max() / widths.min(), np.ptp(keys) / widths.min()
    if len(keys) <= FEW_KEYS or most > MOST_BOXES or farthest > LARGEST_INDEX / 2:
        return None
    order = np.argsort(keys)
    values = values[order].reshape(len(keys), -1).astype(np.float64)
    values -= np.median(values, axis=0)
    unit = np.abs(values).max(axis=0)
    unit[unit == 0] = 1
    errors, columns = np.empty(len(bandwidths)), np.vstack([np.ones(len(keys)), (values / unit).T])
    for width in np.unique(widths):
        same = widths == width
        squares = _sums_of_squares(keys[order].astype(np.float64), columns, bandwidths[same], width)
        errors[same] = (squares * unit**2).mean(axis=1) / len(keys)
    return errors


def _box_widths(bandwidths, extent):
    """Return for each bandwidth a power of two: at most the bandwidth, and a small part of the extent."""
    finest = 2.0 ** np.floor(np.log2(extent / FEWEST_BOXES)) if extent else np.inf
    return np.minimum(4.0 ** np.floor(np.log2(bandwidths) / 2), finest)


def _sums_of_squares(keys, columns, bandwidths, width):
    """Return Σ (v − v̂)² of each bandwidth and column, for sorted keys and columns of which the first is 1."""
    order = degree(width / bandwidths.min())
    moments = _moments(keys, columns, width, order)
    seen, near = zip(*(_seen_by_boxes(moments, width / h, len(keys)) for h in bandwidths), strict=True)
    seen, near = np.stack(seen, axis=1), np.stack(near, axis=1)
    squares, unsure = np.zeros((len(bandwidths), len(columns) - 1)), [[] for _ in bandwidths]
    for rows, box, polynomials in _by_box(keys, width, order, BLOCK // len(columns) + 1):
        sums = (seen[box].reshape(-1, order) @ polynomials).reshape(len(bandwidths), len(columns), -1)
        sums -= columns[:, rows]  # each key's own contribution; its kernel is 1
        is_unsure = sums[:, 0] <= SMALLEST_MEAN_WEIGHT * near[box][:, None]
        sums[:, 0][is_unsure] = np.inf
        residuals = columns[1:, rows] - sums[:, 1:] / sums[:, :1]
        residuals.swapaxes(0, 1)[:, is_unsure] = 0
        squares += np.einsum("hcn,hcn->hc", residuals, residuals)
        for i in np.flatnonzero(is_unsure.any(axis=1)):
            unsure[i].append(rows.start + np.flatnonzero(is_unsure[i]))
    for total, h, rows in zip(squares, bandwidths, unsure, strict=True):
        total += _sum_of_squares_by_pairs(keys, columns[1:].T, h, np.concatenate([[], *rows]).astype(int))
    return squares


def _by_box(keys, width, order, block):
    """Yield slices of sorted keys, the index of their box, and their polynomials `(order, n)`."""
    first = np.floor(keys[0] / width)
    for part in blocks(len(keys), block):
        boxes = np.floor(keys[part] / width)
        polynomials = chebyshev(2 * (keys[part] / width - boxes) - 1, order)
        ends = [0, *np.flatnonzero(np.diff(boxes)) + 1, len(boxes)]
        for start, stop in itertools.pairwise(ends):
            rows = slice(part.start + start, part.start + stop)
            yield rows, int(boxes[start] - first), polynomials[:, start:stop]


def _moments(keys, columns, width, order):
    """Compute C_kᵀ v of each box and column, `(order, n_boxes, c)`."""
    n_boxes = 1 + int(np.floor(keys[-1] / width) - np.floor(keys[0] / width))
    moments = np.zeros((n_boxes, order, len(columns)))
    for rows, box, polynomials in _by_box(keys, width, order, BLOCK):
        moments[box] += polynomials @ columns[:, rows].T
    return np.ascontiguousarray(moments.swapaxes(0, 1))


def _seen_by_boxes(moments, width, n_keys):
    """Compute G (C_kᵀ v), `(n_boxes, c, order)`, and the number of keys within reach of each box."""
    order, n_boxes, c = moments.shape
    n = min(reach(n_keys, width), n_boxes - 1)
    kernels = kernel_coefficients(np.arange(-n, n + 1), width, order).swapaxes(0, 1)
    padded = np.pad(moments, ((0, 0), (n, n), (0, 0))).reshape(order, -1)
    seen = np.zeros((order, n_boxes * c))
    for part in blocks(n_boxes * c, c * BOXES):
        for i, kernel in enumerate(kernels):
            seen[:, part] += kernel @ padded[:, part.start + i * c : part.stop + i * c]
    before, box = np.append(0, np.cumsum(moments[0, :, 0])), np.arange(n_boxes)
    near = before[np.minimum(box + n + 1, n_boxes)] - before[np.maximum(box - n, 0)]
    return seen.reshape(order, n_boxes, c).transpose(1, 2, 0), near


def _sum_of_squares_by_pairs(keys, values, bandwidth, rows):
    """Return Σ (v − v̂)² over these rows for values `(n, c)`, each from the weights of the keys near it."""
    gaps = np.concatenate([[np.inf], np.diff(keys), [np.inf]])
    nearest = np.minimum(gaps[rows], gaps[rows + 1])
    radius = np.sqrt(nearest**2 + (np.log(len(keys)) + 40) * bandwidth**2)  # beyond it, weights are below e^−40
    windows = np.searchsorted(keys, [keys[rows] - radius, keys[rows] + radius])
    squares = np.zeros(values.shape[1])
    for row, near in zip(rows, map(slice, *windows), strict=True):
        log_weights = gaussian(((keys[row] - keys[near]) / bandwidth) ** 2)
        log_weights[row - near.start] = -np.inf
        squares += (values[row] - average(softmax(log_weights[None]), values[near])[0]) ** 2
    return squares
