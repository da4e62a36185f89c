"""Groups of nearby queries, each with the keys that have weight for at least one of them.

The queries are bisected recursively, and each half keeps the keys within its reach. For small bandwidths this
saves work in `streamed_average`, in any dimension, for the Gaussian and for compactly supported kernels. For the
Gaussian, a key is within reach if it is not much further away than the nearest key, so distant queries lose
nothing.
"""

import numpy as np

from lib.kernels import gaussian

FEW_QUERIES, FEW_PAIRS = 240, 2**17


def neighbourhoods(queries, keys, bandwidth, kernel, spare, leave_one_out=False):
    """Yield pairs of index arrays `(rows, columns)`: a group of queries, and all keys with weight for them.

    Parameters
    ----------
    queries : (n_queries, d) array
    keys : (n_keys, d) array
    bandwidth : (d,) array
    kernel : function of `lib.kernels`
        The Gaussian, or one of compact support.
    spare : float
        The difference to the largest log-weight beyond which a weight is negligible.
    leave_one_out : bool
        Whether the queries are the keys and have no self-weight.
    """
    waiting = [(np.arange(len(queries)), np.arange(len(keys)))] if len(queries) else []
    while waiting:
        rows, columns = waiting.pop()
        low, high = queries[rows].min(axis=0), queries[rows].max(axis=0)
        columns = columns[_can_matter(keys, columns, low, high, bandwidth, kernel, spare, int(leave_one_out))]
        if len(columns) == 0:
            continue
        if len(rows) <= FEW_QUERIES or len(rows) * len(columns) <= FEW_PAIRS:
            yield rows, columns
            continue
        along = queries[rows, ((high - low) / bandwidth).argmax()]
        half = len(rows) // 2
        rows = rows[np.argpartition(along, half)]
        waiting += [(rows[:half], columns), (rows[half:], columns)]


def _can_matter(keys, columns, low, high, bandwidth, kernel, spare, n_hidden):
    """Return which of these keys can have weight for a query between the corners `low` and `high`."""
    nearest, farthest = np.zeros(len(columns)), np.zeros(len(columns))
    for along, a, b, h in zip(keys.T, low, high, bandwidth, strict=True):
        key = along[columns]
        nearest += _squared(np.maximum(np.maximum(a - key, key - b), 0), h)
        farthest += _squared(np.maximum(key - a, b - key), h)
    if kernel is not gaussian:
        return nearest <= 1 + 1e-9
    n_hidden = min(n_hidden, len(columns) - 1)
    farthest.partition(n_hidden)
    return nearest <= farthest[n_hidden] * (1 + 1e-9) + spare


def _squared(distance, bandwidth):
    """The squared distance in bandwidths, in its own memory."""
    distance /= bandwidth
    return np.square(distance, out=distance)
