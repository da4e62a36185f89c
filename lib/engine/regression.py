"""Nadaraya–Watson without the weight matrix, `average(softmax(log_radial_kernel(…)), values)`, and local lines.

The sums Σ K v and Σ K are computed in time linear in queries and keys (`linear_time`) if that is cheaper, and used
where their error is known to be small. For all other queries they are computed in blocks (`streaming`) from nearby
keys.
"""

import numpy as np

from lib.checks import float_type
from lib.engine.compact_support import POLYNOMIALS
from lib.engine.linear_time import FEW_PAIRS, MOST_AXES, fraction_in_reach, linear_time_moments
from lib.engine.neighbours import neighbourhoods
from lib.engine.streaming import LOG2E, LogWeights, average_and_log_sums
from lib.kernels import KERNELS, can_use_gram, clamp_bandwidth, gaussian, log_radial_kernel
from lib.metrics import gram_is_accurate, squared_differences
from lib.weights import blocks, ratio, softmax

SMALLEST_MEAN_WEIGHT = 5e-4  # of the summed keys; below it, sums have lost too many digits
GRAM_ERROR = 1e-11  # of a squared distance in bandwidths; groups of near points stay below it
MOST_WEIGHTS = 2**20  # in memory at once
MOST_IN_REACH = 0.3  # of all pairs; above it, grouping queries saves no time


def regression(queries, keys, values, bandwidth, kernel="gaussian", leave_one_out=False):
    """Return the estimates for points `(n, d)`, values `(n_keys,)` or `(n_keys, c)` and bandwidths `(d,)`.

    As in all functions of this module, the arguments are already validated.
    `leave_one_out` excludes the key with the same index as the query.
    """
    estimate, _ = regression_and_log_sums(queries, keys, values, bandwidth, kernel, leave_one_out)
    return estimate.astype(float_type(queries, keys, values), copy=False)


def regression_and_log_sums(queries, keys, values, bandwidth, kernel="gaussian", leave_one_out=False):
    """Return float64 estimates and log Σ K of each query, with which estimates from parts of keys are merged."""
    columns = values.reshape(len(keys), -1)
    distances = _Distances(queries, keys, bandwidth, kernel, float_type(queries, keys, values))
    estimate, log_sums, unsure = _by_sums(distances, columns, leave_one_out)
    spare = np.log(len(keys)) + _log_range(columns) if len(unsure) else 0
    for rows, near in distances.neighbourhoods(unsure, spare, leave_one_out):
        log_weights = distances.between(rows, near, leave_one_out)
        found = average_and_log_sums(log_weights, columns[near], len(log_weights.queries))
        estimate[rows], log_sums[rows] = found
    return estimate.reshape(len(queries), *values.shape[1:]), log_sums


def _by_sums(distances, values, leave_one_out=False):
    """Return linear-time estimates `(n_queries, c)`, log Σ K, and the queries that are not yet estimated."""
    n_queries, d = distances.queries.shape
    sums_of = distances.linear_time_moments([(0,) * d])
    if sums_of is None:
        nothing = np.full((n_queries, values.shape[1]), np.nan), np.full(n_queries, -np.inf)
        return *nothing, np.arange(n_queries)
    origin, unit, columns = _centred(values)
    (sums,), near = sums_of(columns)
    if leave_one_out:
        _take_out_own(sums, columns)
    unsure = sums[0] <= SMALLEST_MEAN_WEIGHT * near
    sums[0, unsure] = np.nan
    estimate = 2 * (origin / 2 + unit * ratio(sums[1:], sums[0]).T)
    sums[0, unsure] = 0
    with np.errstate(divide="ignore"):
        return estimate, np.log(sums[0]), np.flatnonzero(unsure)


def _take_out_own(sums, columns):
    """Subtract each key's own contribution from the sums at the keys; its kernel is 1."""
    for total, own in zip(sums, columns, strict=True):
        total -= own


def _centred(values):
    """Return a value as origin, half the largest distance from it, and columns: ones and values from −1 to 1."""
    origin = np.partition(values, len(values) // 2, axis=0)[len(values) // 2].astype(np.float64)
    columns = values.T / 2 - origin[:, None] / 2
    unit = np.abs(columns).max(axis=1)
    unit[unit == 0] = 1
    columns /= unit[:, None]
    return origin, unit, [np.broadcast_to(1.0, len(values)), *columns]


def _log_range(values):
    """Return the log ratio of the largest value to the rounding error of the smallest nonzero value."""
    sizes = np.abs(values[values != 0]).astype(np.float64)
    return 40 + (np.log(sizes.max()) - np.log(sizes.min()) if len(sizes) else 0)


def degrees_of_freedom(keys, bandwidth, kernel="gaussian"):
    """Return the trace of the weight matrix, the sum of the self-weights of the keys."""
    distances = _Distances(keys, keys, bandwidth, kernel, np.float64)
    weights, unsure = np.empty(len(keys)), np.arange(len(keys))
    if (sums_of := distances.linear_time_moments([(0,) * keys.shape[1]])) is not None:
        ((total,),), near = sums_of(np.ones((1, len(keys))))
        weights, unsure = ratio(1, total), np.flatnonzero(total <= SMALLEST_MEAN_WEIGHT * near)  # total ≥ 1
    for group, near in distances.neighbourhoods(unsure, np.log(len(keys)) + 40):
        rows, columns = np.arange(len(keys))[group], np.arange(len(keys))[near]
        for block in blocks(len(rows), 1 + MOST_WEIGHTS // len(columns)):
            of_keys = softmax(log_radial_kernel(keys[rows[block]], keys[columns], bandwidth, kernel))
            own = np.searchsorted(columns, rows[block])
            weights[rows[block]] = of_keys[np.arange(len(own)), own]
    return float(weights.sum())


def local_lines(queries, keys, values, bandwidth, kernel="gaussian", leave_one_out=False):
    """Fit local lines at the queries from linear-time sums, for values `(n_keys, c)`.

    The moments are computed about the query, in bandwidths, which preserves their digits. The sums are used only
    if the weighted keys are well spread along every axis and not nearly collinear or coplanar.

    Returns
    -------
    heights : (n_queries, c) array
    slopes : (n_queries, d, c) array
    unsure : (n,) int array
        The queries without a line so far.
    """
    (n_queries, d), c = queries.shape, values.shape[1]
    heights, slopes = np.full((n_queries, c), np.nan), np.full((n_queries, d, c), np.nan)
    distances = _Distances(queries, keys, bandwidth, kernel, np.float64)
    axes = np.eye(d, dtype=int)
    squares = [(a, b) for a in range(d) for b in range(a, d)]
    powers = [(0,) * d, *(tuple(axes[a]) for a in range(d)), *(tuple(axes[a] + axes[b]) for a, b in squares)]
    if (sums_of := distances.linear_time_moments(powers)) is None:
        return heights, slopes, np.arange(n_queries)
    origin, unit, columns = _centred(values)
    moments, near = sums_of(columns)
    if leave_one_out:
        _take_out_own(moments[0], columns)
    extent = np.minimum(1, np.ptp(keys, axis=0) / distances.bandwidth)
    for rows in blocks(n_queries, MOST_WEIGHTS // 16):
        heights[rows], slopes[rows] = _lines(moments[..., rows], near[rows], squares, extent)
    slopes *= 2 * unit / distances.bandwidth[:, None]
    return 2 * (origin / 2 + unit * heights), slopes, np.flatnonzero(np.isnan(heights[:, 0]))


def _lines(moments, near, squares, extent):
    """Return the weighted least-squares lines at the queries; NaN where the moments are too inaccurate."""
    d, (_, n_columns, n_queries) = len(extent), moments.shape
    sure = moments[0, 0] > 10 * SMALLEST_MEAN_WEIGHT * near
    mean = ratio(moments, np.where(sure, moments[0, 0], np.nan))
    mean_key, mean_value = mean[1 : 1 + d, 0], mean[0, 1:]
    covariance = np.empty((n_queries, d, d))
    for (a, b), square in zip(squares, mean[1 + d :, 0], strict=True):
        covariance[:, a, b] = covariance[:, b, a] = square - mean_key[a] * mean_key[b]
    with_values = (mean[1 : 1 + d, 1:] - mean_key[:, None] * mean_value).transpose(2, 0, 1)
    sure &= _well_spread(covariance, extent)
    slopes = np.full((n_queries, d, n_columns - 1), np.nan)
    slopes[sure] = np.linalg.solve(covariance[sure], with_values[sure])
    return mean_value.T - np.einsum("aq,qac->qc", mean_key, slopes), slopes


def _well_spread(covariance, extent):
    """Return whether keys spread along every axis relative to the extent and are not nearly collinear."""
    variance = np.diagonal(covariance, axis1=1, axis2=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        apart = np.linalg.det(covariance) / variance.prod(axis=1)
    return (variance > 0.02 * extent**2).all(axis=1) & (apart > 0.02)


class _Distances(LogWeights):
    """Base-2 log K of the squared distances in bandwidths, by a matrix product or axis by axis."""

    def __init__(self, queries, keys, bandwidth, kernel, dtype):
        self.queries, self.keys = queries, keys
        self.kernel_name, self.kernel = kernel, KERNELS[kernel]
        self.bandwidth = clamp_bandwidth(bandwidth, queries, keys)
        # For the Gaussian, base 2 only changes the unit of distance: e^(−s²) = 2^(−(s √log₂e)²).
        self.unit = self.bandwidth / np.sqrt(LOG2E) if self.kernel is gaussian else self.bandwidth
        self.sign = -1 if self.kernel is gaussian else 1
        self.origin = keys.mean(axis=0, dtype=np.float64)
        extent = np.maximum(keys.max(axis=0) - self.origin, self.origin - keys.min(axis=0))
        reach = (extent / self.unit).max()
        by_product = can_use_gram(self.kernel, reach) and gram_is_accurate(reach, error=GRAM_ERROR)
        self.by_product = len(self.unit) > 1 and by_product
        in_range = 1e-30 < self.unit.min() and self.unit.max() < 1e30
        self.dtype = dtype if in_range and gram_is_accurate(reach, np.float32, 1e-3) else np.float64

    def linear_time_moments(self, powers):
        """Return a function that sums columns in linear time, or None if that is not cheaper."""
        edge = np.sqrt(1 - np.sqrt(np.finfo(self.dtype).eps))  # of kernels with compact support, as in lib.kernels
        return linear_time_moments(*self._in_double(), self.bandwidth, self.kernel, powers, edge)

    def neighbourhoods(self, rows, spare, leave_one_out=False):
        """Yield index pairs: groups of these queries, and the keys near them. Queries without keys are skipped."""
        queries, keys = self._in_double()
        if len(rows) == len(queries) and not self._is_worth_grouping(queries, keys):
            yield slice(None), slice(None)
            return
        for group, near in neighbourhoods(queries[rows], keys, self.bandwidth, self.kernel, spare, leave_one_out):
            yield rows[group], near

    def _is_worth_grouping(self, queries, keys):
        falls_quickly = self.kernel is gaussian or self.kernel in POLYNOMIALS
        if not falls_quickly or len(self.unit) > MOST_AXES or len(queries) * len(keys) <= FEW_PAIRS:
            return False
        return fraction_in_reach(queries, keys, self.bandwidth, self.kernel) < MOST_IN_REACH

    def _in_double(self):
        return self.queries.astype(np.float64, copy=False), self.keys.astype(np.float64, copy=False)

    def between(self, rows, near, leave_one_out=False):
        """Return the log-weights of some queries and keys only."""
        part = self.queries[rows], self.keys[near], self.bandwidth, self.kernel_name, self.dtype
        index = np.arange(len(self.keys))
        return _WithoutOwnKey(*part, index[rows], index[near]) if leave_one_out else _Distances(*part)

    def _in_units(self, points, dtype):
        points = points.astype(dtype, copy=False)
        return (points - self.origin.astype(dtype)) / self.unit.astype(dtype) if self.by_product else points

    def prepare(self, columns, dtype):
        keys = self._in_units(self.keys[columns], dtype)
        if not self.by_product:
            return keys
        return self.sign * np.column_stack([keys, np.ones_like(keys[:, 0]), (keys**2).sum(axis=1)]).T

    def block(self, rows, columns, prepared):
        queries = self._in_units(self.queries[rows], prepared.dtype)
        if self.by_product:
            norms = np.einsum("ij,ij->i", queries, queries)
            distances = np.column_stack([-2 * queries, norms, np.ones_like(norms)]) @ prepared
        else:
            distances = squared_differences(queries, prepared, self.unit, self.sign)
        return distances if self.kernel is gaussian else prepared.dtype.type(LOG2E) * self.kernel(distances)


class _WithoutOwnKey(_Distances):
    """Log-weights that are −inf between a query and itself."""

    def __init__(self, queries, keys, bandwidth, kernel, dtype, query_names, key_names):
        super().__init__(queries, keys, bandwidth, kernel, dtype)
        self.query_names, self.key_names = query_names, key_names

    def block(self, rows, columns, prepared):
        block = super().block(rows, columns, prepared)
        block[self.query_names[rows, None] == self.key_names[columns]] = -np.inf
        return block
