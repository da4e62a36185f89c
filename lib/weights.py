"""The steps shared by all methods: normalise log-weights to weights that sum to 1, and average values with them.

Every method of the course ends with these two lines; only its log-weights differ.

    weights  = softmax(log_weights)
    estimate = average(weights, values)

A row of weights depends only on its own query. Many queries can therefore be processed `by_rows`, without storing
the whole matrix. `trusted_softmax` and `trusted_average` do the same for float arrays that are already validated.
"""

import numpy as np

from lib.checks import broadcast_leading_axes, floats, real_array, whole_number


def softmax(log_weights, axis=-1):
    """Normalise log-weights to positive weights that sum to 1 along an axis.

    Parameters
    ----------
    log_weights : array
        Logarithms of the unnormalised weights, usually `(n_queries, n_keys)`. −inf is a weight of zero.
    axis : int
        The axis of the keys.

    Returns
    -------
    array of the same shape, in [0, 1]. A row of only −inf gives zeros, because there is nothing to attend to.

    Raises
    ------
    ValueError
        If a log-weight is NaN or +inf.

    Notes
    -----
    Equation eq:softmax of chapter 1. The largest log-weight is subtracted first. It cancels in the ratio
    and prevents both overflow and 0/0.

    Examples
    --------
    >>> softmax([0.0, np.log(3.0)])
    array([0.25, 0.75])
    """
    log_weights = floats("log_weights", log_weights)
    axis = whole_number("axis", axis, -log_weights.ndim, log_weights.ndim - 1) if log_weights.ndim else None
    if log_weights.size == 0 or axis is None:
        raise ValueError(f"log_weights: expected at least one key, got shape {log_weights.shape}")
    if not log_weights.max() < np.inf:
        raise ValueError("log_weights: expected numbers below +inf, got NaN or +inf")
    return trusted_softmax(log_weights, axis)


def trusted_softmax(log_weights, axis=-1):
    """Compute `softmax` of floats below +inf without validation."""
    largest = log_weights.max(axis=axis, keepdims=True)
    with np.errstate(over="ignore"):  # a difference of −inf gives a weight of zero
        weights = np.exp(log_weights - np.where(np.isfinite(largest), largest, 0))
    total = weights.sum(axis=axis, keepdims=True, dtype=np.float64).astype(weights.dtype)
    return weights / np.where(total > 0, total, 1)


def average(weights, values):
    """Compute the weighted average of the values, one estimate per query.

    Parameters
    ----------
    weights : (n_queries, n_keys) or (…, n_queries, n_keys) array
        Rows that sum to 1, as from `softmax`.
    values : (n_keys,) or (n_keys, c) or (…, n_keys, c) array
        The values to average; leading axes are batch dimensions and broadcast with those of the weights.

    Returns
    -------
    (n_queries,) or (n_queries, c) or (…, n_queries, c) array
        A row of zeros gives NaN, because there is no estimate if no key has weight.

    Notes
    -----
    Equation eq:average of chapter 1.

    Examples
    --------
    >>> average([[0.25, 0.75], [0.0, 0.0]], [4.0, 8.0])
    array([ 7., nan])
    """
    weights, values = real_array("weights", weights), real_array("values", values)
    key_axis = 0 if values.ndim == 1 else -2
    if weights.ndim == 0 or values.ndim == 0 or weights.shape[-1] != values.shape[key_axis]:
        raise ValueError(
            "weights and values: expected (…, n_queries, n_keys) and (n_keys,) or (…, n_keys, c), "
            f"got {weights.shape} and {values.shape}"
        )
    if values.ndim > 2:
        broadcast_leading_axes(weights=weights, values=values)
    return trusted_average(weights, values)


def trusted_average(weights, values):
    """Compute `average` of float arrays of matching shapes without validation."""
    dtype = np.result_type(weights, values)  # the same type for both, because matmul converts slowly
    weights, values = weights.astype(dtype, copy=False), values.astype(dtype, copy=False)
    estimate = weights @ values
    unseen = ~weights.any(axis=-1)
    return np.where(unseen if values.ndim == 1 else unseen[..., None], np.nan, estimate)[()]


def ratio(weighted_sum, weight_sum):
    """Return Σ w·y / Σ w, the average of methods that accumulate both sums without storing the weights.

    Parameters
    ----------
    weighted_sum, weight_sum : arrays that broadcast

    Returns
    -------
    array; 0/0 gives NaN, as in `average` if no key has weight.

    Examples
    --------
    >>> ratio(np.array([7.0, 0.0]), np.array([2.0, 0.0]))
    array([3.5, nan])
    """
    with np.errstate(invalid="ignore"):
        return weighted_sum / weight_sum


def blocks(length, size):
    """Return slices of length at most `size` that cover `range(length)`.

    Examples
    --------
    >>> blocks(5, 2)
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    return [slice(start, min(start + size, length)) for start in range(0, length, size)]


def by_rows(n_rows, estimate, rows_at_once=240):
    """Call `estimate(rows)` block by block and concatenate, so that memory does not grow with n_queries × n_keys.

    Examples
    --------
    >>> queries, keys, values = np.zeros(1000), np.arange(3.0), np.arange(3.0)
    >>> by_rows(1000, lambda rows: average(softmax(-np.subtract.outer(queries[rows], keys) ** 2), values)).shape
    (1000,)
    """
    return np.concatenate([estimate(rows) for rows in blocks(n_rows, rows_at_once)])
