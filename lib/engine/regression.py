"""Nadaraya–Watson by blocks: `average(softmax(log_kernel(…)), values)` without the matrix of weights."""

import numpy as np

from lib.checks import bandwidth_per_axis, float_type, one_of
from lib.engine.streaming import LOG2E, LogWeights, streamed_average
from lib.kernels import KERNELS, gaussian
from lib.kernels import can_use_gram as product_serves
from lib.kernels import clamp_bandwidth as resolvable
from lib.metrics import gram_is_accurate as product_keeps_digits
from lib.metrics import squared_differences


def streamed_regression(queries, keys, values, bandwidth, kernel="gaussian", leave_one_out=False):
    """The estimates for checked points `(n, d)` and values `(n_keys,)` or `(n_keys, c)`.

    `leave_one_out` gives a query that is a key, the one with its own index, no weight of that key.
    """
    dtype = float_type(queries, keys, values)
    log_weights = (_WithoutOwnKey if leave_one_out else _Distances)(queries, keys, bandwidth, kernel, dtype)
    estimate = streamed_average(log_weights, values.reshape(len(keys), -1), len(queries))
    return estimate.reshape(len(queries), *values.shape[1:]).astype(dtype, copy=False)


class _Distances(LogWeights):
    """log K of the squared distances in bandwidths, by one product or axis by axis."""

    def __init__(self, queries, keys, bandwidth, kernel, dtype):
        self.queries, self.keys = queries, keys
        self.kernel = KERNELS[one_of("kernel", kernel, KERNELS)]
        bandwidth = resolvable(bandwidth_per_axis(bandwidth, keys.shape[1]), queries, keys)
        # For the Gaussian, base 2 is only a change of unit: 2^(−s) is e^(−s) for distances √log₂e times longer.
        self.unit = bandwidth / np.sqrt(LOG2E) if self.kernel is gaussian else bandwidth
        self.sign = -1 if self.kernel is gaussian else 1
        self.origin = keys.mean(axis=0, dtype=np.float64)
        extent = np.maximum(keys.max(axis=0) - self.origin, self.origin - keys.min(axis=0))
        reach = (extent / self.unit).max()
        self.by_product = len(self.unit) > 1 and product_serves(self.kernel, reach)
        in_range = 1e-30 < self.unit.min() and self.unit.max() < 1e30
        self.dtype = dtype if in_range and product_keeps_digits(reach, np.float32, 1e-3) else np.float64

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
    """The same, with −inf where a query meets itself."""

    def block(self, rows, columns, prepared):
        block = super().block(rows, columns, prepared)
        index = np.arange(len(self.keys))
        block[index[rows, None] == index[columns]] = -np.inf
        return block
