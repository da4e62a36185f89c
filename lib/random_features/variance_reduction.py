"""Variance reduction for softmax features: smaller ‖q + k‖, and frequencies adapted to the data."""

import numpy as np

from lib.checks import flag, real_array, same_width, tokens

LARGEST_ENTRY = 1e70  # its fourth power is within the range of float64


def centre_keys(keys, *, queries=None):
    """Subtract the same vector from all keys: softmax attention does not change, but its estimate improves.

    Parameters
    ----------
    keys : (…, n_keys, d) array
    queries : (…, n_queries, d) array, optional
        If given, the vector is the mean of the keys plus the mean of the queries, which minimises the mean of
        ‖q + k‖² over all pairs. Otherwise it is the mean of the keys.

    Returns
    -------
    array of the shape of the keys (leading axes broadcast). Its mean over the keys is minus the mean of the
    queries, or zero if no queries are given.

    Notes
    -----
    Equation eq:key_centring of chapter 7. exp(q·(k − c)) = exp(q·k) exp(−q·c), and the last factor is the
    same for all keys, so it cancels in the weights for any c. The error of positive features grows with
    ‖q + k − c‖², whose mean over all pairs is smallest for c = mean of the keys + mean of the queries. Subtracting
    only the mean of the keys shortens the keys but can increase ‖q + k‖. Causal attention also does not change,
    but its *estimate* at one position then depends slightly on later tokens.

    Examples
    --------
    >>> centre_keys([[1.0, 5.0], [3.0, 7.0]])
    array([[-1., -1.],
           [ 1.,  1.]])
    >>> centre_keys([[1.0, 5.0], [3.0, 7.0]], queries=[[4.0, 0.0]])
    array([[-5., -1.],
           [-3.,  1.]])
    """
    keys = tokens("keys", keys)
    centre, dtype = keys.mean(axis=-2, keepdims=True, dtype=np.float64), keys.dtype
    if queries is not None:
        queries = tokens("queries", queries)
        same_width("queries and keys", queries, keys)
        dtype, queries = np.result_type(queries, keys), queries.astype(np.float64, copy=False)
        centre = centre + queries.mean(axis=-2, keepdims=True)
    centre = centre.astype(dtype, copy=False)
    return keys - centre


def balance(queries, keys, *, about_means=False):
    """Rescale queries and keys by inverse transformations, which preserve q·k and reduce ‖q + k‖.

    Parameters
    ----------
    queries : (…, n_queries, d) array
    keys : (…, n_keys, d) array
    about_means : bool
        True balances the spreads around the means, which is the right choice before `centre_keys` with these
        queries, because centring removes the means. False balances the spreads around the origin.

    Returns
    -------
    queries, keys : arrays of the same shapes (leading axes broadcast) with the same inner products
        Their second moments are equal, E[qqᵀ] = E[kkᵀ], or with `about_means` their covariances, unless one of
        them is confined to a subspace.

    Raises
    ------
    ValueError
        If an entry exceeds 1e70 in magnitude.

    Notes
    -----
    q·k = (Tq)·(T⁻¹k) for every symmetric invertible T. T² = S, the solution of S E[qqᵀ] S = E[kkᵀ],
    minimises E‖Tq‖² + E‖T⁻¹k‖². It is the asymmetric part of Likhosherstov et al., "Dense-exponential random
    features", NeurIPS 2023, doi:10.48550/arXiv.2302.00787. With covariances instead of second moments, T minimises
    the mean of ‖q + k‖² after centring.

    Examples
    --------
    >>> queries, keys = balance([[4.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [0.0, 9.0]])
    >>> queries.round(3)
    array([[2., 0.],
           [0., 3.]])
    >>> keys.round(3)
    array([[2., 0.],
           [0., 3.]])
    """
    queries, keys = tokens("queries", queries), tokens("keys", keys)
    same_width("queries and keys", queries, keys)
    about_means = flag("about_means", about_means)
    largest = max(np.abs(queries).max(), np.abs(keys).max())
    if largest > LARGEST_ENTRY:
        raise ValueError(f"queries and keys: expected entries up to {LARGEST_ENTRY:g}, got {largest:g}")
    query_moment, key_moment = _spread(queries, about_means), _spread(keys, about_means)
    root = _power(query_moment, 0.5)
    inverse_root = _power(query_moment, -0.5)
    square = inverse_root @ _power(root @ key_moment @ root, 0.5) @ inverse_root  # S
    return (
        queries @ _power(square, 0.5).astype(queries.dtype),
        keys @ _power(square, -0.5).astype(keys.dtype),
    )


def pair_moment(queries, keys):
    """Compute the mean of (q + k)(q + k)ᵀ over all pairs of a query and a key, in linear time.

    Parameters
    ----------
    queries : (…, n_queries, d) array
    keys : (…, n_keys, d) array

    Returns
    -------
    (…, d, d) float64 array. Its trace is the mean of ‖q + k‖². The error of positive features grows with the mean
    of exp(‖q + k‖²), which is larger, possibly much larger, than the exponential of this mean.

    Examples
    --------
    >>> pair_moment([[1.0, 0.0]], [[0.0, 1.0], [0.0, 3.0]])
    array([[1., 2.],
           [2., 5.]])
    """
    queries, keys = tokens("queries", queries), tokens("keys", keys)
    same_width("queries and keys", queries, keys)
    query_mean, key_mean = (x.mean(axis=-2, dtype=np.float64) for x in (queries, keys))
    cross = query_mean[..., :, None] * key_mean[..., None, :]
    return _second_moment(queries) + _second_moment(keys) + cross + cross.mT


def dense_exponential_frequencies(frequencies, moment):
    """Adapt the spread of the frequencies to the data, with weights that keep the estimate unbiased.

    Parameters
    ----------
    frequencies : (n_features, d) array
        Standard normal, from `orthogonal_frequencies` or a similar function.
    moment : (d, d) or (…, d, d) array
        From `pair_moment`. With a multiple of the identity, tr(moment)/d · I, the result is the optimal positive
        random features of 2022.

    Returns
    -------
    frequencies : (…, n_features, d) array
        Normal with covariance I − 4A, in the paper's notation.
    log_weights : (…, n_features) array
        Logarithm of the importance weight of each frequency, target density over sampling density:
        exp(q·k) = E[Σ exp(log_weights) φ(q) φ(k)] with φ from `positive_features`.

    Notes
    -----
    exp(q·k) is also a mean over frequencies of larger variance, each weighted by the ratio of the two densities.
    For one pair the best frequencies are centred at q + k, not at 0; for all pairs their spread should match.
    Along each axis of the moment, with eigenvalue λ, the mean logarithm of the second moment of the estimate is
    smallest for the variance 1 − 4A = (3 + 2λ + √((2λ + 1)² + 8λ)) / 4, which is 1 for λ = 0 and about λ + 3/2 for
    large λ. Likhosherstov et al., "Chefs' random tables", NeurIPS 2022, doi:10.48550/arXiv.2205.15317 (one A for
    all axes), and "Dense-exponential random features", NeurIPS 2023, doi:10.48550/arXiv.2302.00787 (one per axis).

    Examples
    --------
    >>> spread, log_weights = dense_exponential_frequencies([[1.0]], [[1.0]])
    >>> print(f"{spread[0, 0] ** 2:.4f} {log_weights[0]:.4f}")
    2.2808 -0.2281
    """
    frequencies, moment = real_array("frequencies", frequencies), real_array("moment", moment)
    if moment.ndim < 2 or frequencies.ndim != 2 or moment.shape[-2:] != (frequencies.shape[1],) * 2:
        raise ValueError(
            f"frequencies and moment: expected (m, d) and (…, d, d), got {frequencies.shape} and {moment.shape}"
        )
    eigenvalues, axes = np.linalg.eigh(moment)
    eigenvalues = np.maximum(eigenvalues, 0)[..., None, :]
    variances = (3 + 2 * eigenvalues + np.hypot(2 * eigenvalues + 1, np.sqrt(8 * eigenvalues))) / 4
    log_weights = (np.log(variances) - (variances - 1) * frequencies**2).sum(axis=-1) / 2
    return (frequencies * np.sqrt(variances)) @ axes.mT, log_weights


def _second_moment(x):
    x = x.astype(np.float64, copy=False)
    return x.mT @ x / x.shape[-2]


def _spread(x, about_mean):
    """Return E[xxᵀ] or the covariance, with 10⁻⁶ of the mean square added to avoid singular matrices."""
    mean_square = np.mean(np.square(x, dtype=np.float64), axis=(-2, -1))[..., None, None]
    from_centre = x - x.mean(axis=-2, keepdims=True, dtype=np.float64) if about_mean else x
    return _second_moment(from_centre) + (1e-6 * mean_square + 1e-30) * np.eye(x.shape[-1])


def _power(matrix, exponent):
    """Compute a power of symmetric positive definite matrices."""
    eigenvalues, axes = np.linalg.eigh(matrix)
    return axes * eigenvalues[..., None, :] ** exponent @ axes.mT
