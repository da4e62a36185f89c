"""Squared distances between queries and keys: Euclidean and Mahalanobis."""

import numpy as np


def squared_euclidean(queries, keys):
    """Compute ‖q − k‖² for every query and key as ‖q‖² − 2 q·k + ‖k‖².

    Parameters
    ----------
    queries : (n_queries, d) array
    keys : (n_keys, d) array

    Returns
    -------
    (n_queries, n_keys) array. For d > 1 a distance of zero may be slightly negative because of rounding.

    Notes
    -----
    Equation eq:squared_distance of chapter 1. In one dimension the difference is squared directly. Otherwise the
    three terms are one matrix product, [−2q, ‖q‖², 1] · [k, 1, ‖k‖²]. The keys' mean is subtracted first, because
    large numbers that nearly cancel would lose digits.

    Examples
    --------
    >>> squared_euclidean(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [1.0, 0.0]]))
    array([[25.,  1.]])
    """
    origin = keys.mean(axis=0)
    queries, keys = queries - origin, keys - origin
    if keys.shape[1] == 1:
        return (queries - keys[:, 0]) ** 2
    query_norms, key_norms = (np.einsum("ij,ij->i", x, x) for x in (queries, keys))
    query_side = np.column_stack([-2 * queries, query_norms, np.ones_like(query_norms)])
    return query_side @ np.column_stack([keys, np.ones_like(key_norms), key_norms]).T


def squared_differences(queries, keys, bandwidth, factor=1):
    """Compute factor · Σ ((q − k)/h)² axis by axis, with one bandwidth h per axis: `(n_queries, n_keys)`.

    This is slower than the matrix product but loses no digits, however widely the keys spread. Points are first
    divided by a power of two, which is exact.

    >>> squared_differences(np.array([[0.0, 1.0]]), np.array([[3.0, 1e9], [3.0, 9.0]]), np.array([1.0, 2.0]))[0, 1]
    np.float64(25.0)
    """
    power = 2.0 ** -np.clip(np.floor(np.log2(bandwidth)), -1000, 1000)
    weights = (factor * (bandwidth * power) ** -2).astype(keys.dtype)
    power, total = power.astype(keys.dtype), None
    for query, key, weight in zip((queries * power).T, (keys * power).T, weights, strict=True):
        difference = query[:, None] - key
        square = np.multiply(difference, weight * difference, out=difference)
        total = square if total is None else np.add(total, square, out=total)
    return total


def gram_is_accurate(reach, dtype=np.float64, error=1e-9):
    """Return whether ‖q‖² − 2 q·k + ‖k‖² is accurate within `reach` bandwidths; its error is eps · reach²."""
    return reach < np.sqrt(error / np.finfo(dtype).eps)


def squared_mahalanobis(queries, keys, metric):
    """Compute (q − k)ᵀ Q (q − k) for every query and key, without an array of all differences.

    Parameters
    ----------
    queries : (n_queries, d) array
    keys : (n_keys, d) array
    metric : (d, d) or (n_keys, d, d) array
        Q, one for all keys or one per key. Only its symmetric part ½(Q + Qᵀ) affects the result.

    Returns
    -------
    (n_queries, n_keys) array. A distance of zero may be slightly negative because of rounding; with a
    metric that is not positive semi-definite, distances can be negative by any amount.

    Notes
    -----
    The squared distance of eq:unified_kernel of chapter 5. Source: Mahalanobis (1936), "On the generalised
    distance in statistics", Proceedings of the National Institute of Sciences of India 2 (1), 49–55.

    Examples
    --------
    >>> along_the_first_axis = np.array([[4.0, 0.0], [0.0, 1.0]])
    >>> squared_mahalanobis(np.zeros((1, 2)), np.array([[1.0, 0.0], [0.0, 1.0]]), along_the_first_axis)
    array([[4., 1.]])
    """
    origin = keys.mean(axis=0)  # large numbers that nearly cancel would lose digits
    query_side, key_side = mahalanobis_factors(queries - origin, keys - origin, metric)
    return query_side @ key_side.T


def mahalanobis_factors(queries, keys, metric):
    """Return two arrays whose inner products are the squared distances, `query_side @ key_side.T`.

    Parameters
    ----------
    queries, keys, metric : as in `squared_mahalanobis`

    Returns
    -------
    query_side : (n_queries, m) array
    key_side : (n_keys, m) array
        m is d + 2 for one metric and d² + d + 1 for one per key.

    Notes
    -----
    Equation eq:mahalanobis_factors of chapter 5. With one metric,
    (q − k)ᵀQ(q − k) = ⟨[−(Q + Qᵀ)q, qᵀQq, 1], [k, 1, kᵀQk]⟩; with one per key the metric is part of the key's
    vector, ⟨[vec qqᵀ, −q, 1], [vec Q, (Q + Qᵀ)k, kᵀQk]⟩. A distance is an inner product of longer vectors.

    Examples
    --------
    >>> query_side, key_side = mahalanobis_factors(np.array([[3.0]]), np.array([[1.0]]), np.array([[2.0]]))
    >>> query_side.tolist(), key_side.tolist()
    ([[-12.0, 18.0, 1.0]], [[1.0, 1.0, 2.0]])
    """
    symmetric = metric + np.swapaxes(metric, -1, -2)
    if metric.ndim == 2:
        query_norms = np.einsum("id,id->i", queries @ metric, queries)
        key_norms = np.einsum("id,id->i", keys @ metric, keys)
        query_side = np.column_stack([-queries @ symmetric, query_norms, np.ones(len(queries))])
        return query_side, np.column_stack([keys, np.ones(len(keys)), key_norms])
    outer = (queries[:, :, None] * queries[:, None, :]).reshape(len(queries), -1)
    images = np.einsum("jde,je->jd", symmetric, keys)
    key_norms = np.einsum("id,id->i", images, keys) / 2
    query_side = np.column_stack([outer, -queries, np.ones(len(queries))])
    return query_side, np.column_stack([metric.reshape(len(keys), -1), images, key_norms])
