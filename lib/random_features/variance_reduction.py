"""The same softmax, better estimated: shorter queries and keys, and frequencies where the data need them."""

import numpy as np

from lib.checks import flag, real_array, same_width, tokens

LARGEST_ENTRY = 1e70  # its fourth power fits float64


def centre_keys(keys, *, queries=None):
    """The keys less one vector, the same for all: softmax attention is unchanged, its estimate improves.

    Parameters
    ----------
    keys : (…, n_keys, d) array
    queries : (…, n_queries, d) array, optional
        With them the vector is the mean of the keys plus the mean of the queries, which makes the mean ‖q + k‖²
        over all pairs smallest. Without them it is the mean of the keys.

    Returns
    -------
    array of the shape of the keys (leading axes broadcast). Its mean over the keys is minus the mean of the
    queries, or zero without queries.

    Notes
    -----
    Equation eq:key_centring of chapter 7. exp(q·(k − c)) = exp(q·k) exp(−q·c), and the last factor is the
    same for all keys, so it cancels in the weights. Any c will do. The error of positive features grows with
    ‖q + k − c‖², whose mean over all pairs is smallest for c = mean of the keys + mean of the queries. The mean
    of the keys alone shortens the keys, but it can lengthen the sums. Causal attention stays exact too, but its
    *estimate* at one position then depends a little on later tokens.

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
    """Stretch the queries and shrink the keys, or the reverse, so that q·k stays and the sums q + k get shorter.

    Parameters
    ----------
    queries : (…, n_queries, d) array
    keys : (…, n_keys, d) array
    about_means : bool
        True balances the spreads around the means. It is the right choice when `centre_keys` with these queries
        follows, because centring takes care of the means. False balances the spreads around the origin.

    Returns
    -------
    queries, keys : arrays of the same shapes (leading axes broadcast) with the same inner products
        Both now have the same second moment, E[qqᵀ] = E[kkᵀ], or with `about_means` the same covariance, unless
        one of them lies in a subspace.

    Raises
    ------
    ValueError
        For entries beyond 1e70.

    Notes
    -----
    q·k = (Tq)·(T⁻¹k) for every symmetric invertible T. T² = S, the solution of S E[qqᵀ] S = E[kkᵀ], makes
    E‖Tq‖² + E‖T⁻¹k‖² smallest. It is the asymmetric part of Likhosherstov et al., "Dense-exponential random
    features", NeurIPS 2023, doi:10.48550/arXiv.2302.00787. With covariances in place of the moments, T makes the
    mean ‖q + k‖² smallest that is left after centring.

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
    """The mean of (q + k)(q + k)ᵀ over all pairs of a query and a key, in linear time.

    Parameters
    ----------
    queries : (…, n_queries, d) array
    keys : (…, n_keys, d) array

    Returns
    -------
    (…, d, d) float64 array. Its trace is the mean ‖q + k‖². The error of positive features grows with the mean of
    exp(‖q + k‖²), which is larger than the exponential of this mean, and can be much larger.

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
    """Spread the frequencies to where the data need them, and the weights that keep the estimate unbiased.

    Parameters
    ----------
    frequencies : (n_features, d) array
        Standard normal, from `orthogonal_frequencies` or another.
    moment : (d, d) or (…, d, d) array
        From `pair_moment`. A multiple of the identity, tr(moment)/d · I, gives the optimal positive random
        features of 2022 instead.

    Returns
    -------
    frequencies : (…, n_features, d) array
        Normal with covariance I − 4A, in the paper's symbols.
    log_weights : (…, n_features) array
        Logarithm of the importance weight of each frequency, density wanted over density drawn:
        exp(q·k) = E[Σ exp(log_weights) φ(q) φ(k)] with φ from `positive_features`.

    Notes
    -----
    exp(q·k) is also a mean over wider frequencies, each with the ratio of the two densities as its weight. For
    one pair the best frequencies lie around q + k, not around 0; over all pairs they should spread as far.
    Along each axis of the moment, with eigenvalue λ, the mean logarithm of the second moment of the estimate
    is smallest for the variance
    1 − 4A = (3 + 2λ + √((2λ + 1)² + 8λ)) / 4, which is 1 for λ = 0 and about λ + 3/2 for large λ.
    Likhosherstov et al., "Chefs' random tables", NeurIPS 2022, doi:10.48550/arXiv.2205.15317 (one A for all
    axes), and "Dense-exponential random features", NeurIPS 2023, doi:10.48550/arXiv.2302.00787 (one per axis).

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
    """E[xxᵀ] or the covariance. A millionth of the mean square is added, so that no axis is without extent."""
    mean_square = np.mean(np.square(x, dtype=np.float64), axis=(-2, -1))[..., None, None]
    from_centre = x - x.mean(axis=-2, keepdims=True, dtype=np.float64) if about_mean else x
    return _second_moment(from_centre) + (1e-6 * mean_square + 1e-30) * np.eye(x.shape[-1])


def _power(matrix, exponent):
    """A power of symmetric positive definite matrices."""
    eigenvalues, axes = np.linalg.eigh(matrix)
    return axes * eigenvalues[..., None, :] ** exponent @ axes.mT
