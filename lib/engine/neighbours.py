"""Groups of queries that lie together, each with the keys that have weight for any of them.

The queries are halved, again and again, and each half keeps the keys that it can reach: `streamed_average` has
less to do where the bandwidth is small, in any dimension, for kernels of compact support and for the Gaussian. For
the Gaussian a key within reach is one that is not much further than the nearest key: far queries lose nothing.
"""

import numpy as np

from lib.kernels import gaussian

FEW_QUERIES, FEW_PAIRS = 240, 2**17


def neighbourhoods(queries, keys, bandwidth, kernel, spare, leave_one_out=False):
    """Pairs of index arrays, `(rows, columns)`: some queries, and all keys that matter to them.

    Parameters
    ----------
    queries : (n_queries, d) array
    keys : (n_keys, d) array
    bandwidth : (d,) array
    kernel : function of `lib.kernels`
        The Gaussian, or one of compact support.
    spare : float
        How much smaller than the largest one the logarithm of a weight must be for it not to matter.
    leave_one_out : bool
        Whether a query is a key that has no weight for itself.
    """
    waiting = [(np.arange(len(queries)), np.arange(len(keys)))] if len(queries) else []
    while waiting:
        rows, columns = waiting.pop()
        low, high = queries[rows].min(axis=0), queries[rows].max(axis=0)
        columns = columns[_can_matter(keys[columns], low, high, bandwidth, kernel, spare, int(leave_one_out))]
        if len(columns) == 0:
            continue
        if len(rows) <= FEW_QUERIES or len(rows) * len(columns) <= FEW_PAIRS:
            yield rows, columns
            continue
        along = queries[rows, ((high - low) / bandwidth).argmax()]
        half = len(rows) // 2
        rows = rows[np.argpartition(along, half)]
        waiting += [(rows[:half], columns), (rows[half:], columns)]


def _can_matter(keys, low, high, bandwidth, kernel, spare, n_hidden):
    """Whether a key has weight for a query between the corners `low` and `high`."""
    axes = list(zip(keys.T, low, high, bandwidth, strict=True))
    nearest = sum((np.maximum(np.maximum(a - k, k - b), 0) / h) ** 2 for k, a, b, h in axes)
    if kernel is not gaussian:
        return nearest <= 1 + 1e-9
    farthest = sum((np.maximum(k - a, b - k) / h) ** 2 for k, a, b, h in axes)
    n_hidden = min(n_hidden, len(keys) - 1)
    return nearest <= np.partition(farthest, n_hidden)[n_hidden] * (1 + 1e-9) + spare
