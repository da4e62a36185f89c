"""Compute Σ K(q, k) c for all queries in time linear in queries and keys, if that is cheaper than all pairs.

`benchmarks/linear_time.py` measures the costs, in seconds on one core; only their ratios matter.
"""

import math

import numpy as np

from lib.engine.compact_support import POLYNOMIALS, window_moments
from lib.engine.gauss_transform import LARGEST_INDEX, Boxes, degree, gaussian_moments, reach
from lib.kernels import gaussian

PAIR, GROUP = 2.7e-9, 3e-7  # per query and key in reach; per query for grouping
TERM, PRODUCT, BOX = 4e-9, 5e-11, 1.2e-5  # per point and polynomial; per multiplication; per box and axis
SORT, WINDOW = 6e-7, 1e-7  # per point; per point and moment
WIDTHS = 0.125, 0.25, 0.5, 1.0, 2.0, 4.0  # largest widths of a box, in bandwidths
LARGEST_GRID = 2**20  # numbers
LARGEST_RATIO = 1e6  # of the extent to the bandwidth for sorted sums, which round positions
FEW_PAIRS, MOST_AXES = 2**18, 3


def linear_time_moments(queries, keys, bandwidth, kernel, powers, edge=1.0):
    """Return a function of columns, like `gaussian_moments` and `window_moments`, or None if pairs are cheaper.

    Parameters
    ----------
    queries, keys : (n, d) float64 arrays
    bandwidth : (d,) array
    kernel : function of `lib.kernels`
    powers : list of tuples of d ints
    edge : float
        The radius of a compactly supported kernel, in bandwidths.
    """
    n_pairs, d = len(queries) * len(keys), len(bandwidth)
    if n_pairs <= FEW_PAIRS or d > MOST_AXES or not (kernel is gaussian or kernel in POLYNOMIALS and d == 1):
        return None
    pairs = PAIR * n_pairs * fraction_in_reach(queries, keys, bandwidth, kernel) + GROUP * len(queries)
    n_sums = 2 * len(powers)
    if kernel is gaussian:
        seconds, widths = _cheapest_boxes(queries, keys, bandwidth, n_sums)
        moments = lambda columns: gaussian_moments(queries, keys, columns, bandwidth, powers, widths)
    else:
        seconds = _seconds_for_windows(queries, keys, bandwidth, n_sums)
        along = queries[:, 0], keys[:, 0]
        of_kernel = bandwidth[0], kernel, [power for (power,) in powers], edge
        moments = lambda columns: window_moments(*along, columns, *of_kernel)
    return moments if seconds < pairs else None


def fraction_in_reach(queries, keys, bandwidth, kernel):
    """Estimate from a sample the fraction of pairs that are close enough to have weight."""
    queries, keys = queries[:: len(queries) // 128 + 1], keys[:: len(keys) // 1024 + 1]
    limit = math.sqrt(40) if kernel is gaussian else 1.0
    near = [np.abs(q[:, None] - k) < limit * h for q, k, h in zip(queries.T, keys.T, bandwidth, strict=True)]
    return np.logical_and.reduce(near).mean()


def _seconds_for_windows(queries, keys, bandwidth, n_sums):
    """Estimate the seconds for sorted sums; infinity if positions would be rounded."""
    lowest, highest = min(queries.min(), keys.min()), max(queries.max(), keys.max())
    if highest / bandwidth - lowest / bandwidth > LARGEST_RATIO:
        return math.inf
    return (SORT + n_sums * WINDOW) * (len(queries) + len(keys)) + BOX * len(Boxes(keys[:, 0], bandwidth[0]))


def _cheapest_boxes(queries, keys, bandwidth, n_sums):
    """Return the estimated seconds for moments with the cheapest box widths, and these widths."""
    best = math.inf, None
    lowest = np.minimum(queries.min(axis=0), keys.min(axis=0))
    highest = np.maximum(queries.max(axis=0), keys.max(axis=0))
    extent = highest - lowest
    bandwidth_or_extent = np.where(extent > 0, np.minimum(bandwidth, extent), bandwidth)
    finest, *_ = widths = [2.0 ** np.floor(np.log2(w * bandwidth_or_extent)) for w in WIDTHS]
    if np.abs([lowest / finest, highest / finest]).max() >= LARGEST_INDEX:
        return best
    boxes = [[Boxes(x, width) for x, width in zip(points.T, finest, strict=True)] for points in (queries, keys)]
    for width in widths:
        asking, held = [[_coarser(b, w) for b, w in zip(each, width, strict=True)] for each in boxes]
        seconds, largest = _seconds_for_boxes(len(queries) + len(keys), asking, held, width / bandwidth, n_sums)
        if largest <= LARGEST_GRID and seconds < best[0]:
            best = seconds, width
    return best


def _seconds_for_boxes(n_points, asking, held, ratios, n_sums):
    """Return the estimated seconds for these numbers of boxes per axis, and the size of the largest array."""
    orders = [degree(ratio) for ratio in ratios]
    seconds = n_sums * TERM * n_points * math.prod(orders)
    sizes = [n * b for n, b in zip(orders, held, strict=True)]
    largest = math.prod(sizes)
    for axis, ratio in enumerate(ratios):
        near = min(held[axis], 2 * reach(n_points, ratio) + 1)
        sizes[axis] = orders[axis] * asking[axis]
        seconds += n_sums * (BOX * asking[axis] + PRODUCT * math.prod(sizes) * near * orders[axis])
        largest = max(largest, math.prod(sizes))
    return seconds, largest


def _coarser(boxes, width):
    """Return the number of non-empty boxes of this width."""
    steps = np.diff(np.floor(boxes.indices * (boxes.width / width)))
    return 1 + int(np.count_nonzero(steps))  # in a browser, a product of NumPy's counts overflows
