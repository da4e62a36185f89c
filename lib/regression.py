"""Kernel regression: Nadaraya (1964) and Watson (1964), and what goes with it.

Nadaraya, "On estimating regression", doi:10.1137/1109020.
Watson, "Smooth regression analysis", Sankhyā A 26 (4), 359–372.
"""

import numpy as np

from lib.checks import as_points, bandwidth_per_axis, one_of, points, real_array, values_for
from lib.kernels import KERNELS, SMOOTH, gaussian, log_kernel, resolvable
from lib.metrics import distances_in_units, product_keeps_digits
from lib.weights import BLOCK_QUERIES, LOG2E, blocks, float_type, softmax, streamed_average


def nadaraya_watson_weights(queries, keys, bandwidth, kernel="gaussian"):
    """The weight that each query gives to each key.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array
    keys : (n_keys,) or (n_keys, d) array
    bandwidth : float > 0, or (d,) array of them
        h, in the units of the keys: K = exp(−‖q − k‖²/h²). With one bandwidth per column of the keys each
        difference is divided by its own.
    kernel : {"gaussian", "boxcar", "triangular", "epanechnikov", "constant"}

    Returns
    -------
    (n_queries, n_keys) array; rows sum to 1, or to 0 where no key is within reach.

    Raises
    ------
    ValueError, TypeError
        As `lib.kernels.log_kernel`.

    Notes
    -----
    Equation eq:weights of chapter 1.

    Examples
    --------
    >>> nadaraya_watson_weights([0.0], [-1.0, 0.5, 0.9], bandwidth=1.0, kernel="boxcar")
    array([[0. , 0.5, 0.5]])
    """
    queries, keys = points(queries, keys)
    queries = _in_sight(queries, keys, bandwidth)
    return softmax(log_kernel(queries, keys, bandwidth, kernel))


def _in_sight(queries, keys, bandwidth):
    """Queries so far away that rounding would make all keys one come nearer, straight towards the keys' mean."""
    bandwidth = bandwidth_per_axis(bandwidth, keys.shape[1]).max()
    origin = keys.mean(axis=0, dtype=np.float64)
    with np.errstate(over="ignore"):
        extent = (keys.max(axis=0) - keys.min(axis=0)).max()
        farthest = min(1e10 * (bandwidth + extent), np.finfo(np.float64).max)
        distance = np.abs(queries - origin).max(axis=1, keepdims=True)
        nearer = origin + (queries - origin) * (farthest / np.maximum(distance, farthest))
    return np.where(distance > farthest, nearer, queries).astype(queries.dtype)


def nadaraya_watson(queries, keys, values, bandwidth, kernel="gaussian"):
    """Estimate a regression function at the queries by a weighted average of the values.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array
        Where to estimate.
    keys : (n_keys,) or (n_keys, d) array
        Where the function was observed.
    values : (n_keys,) or (n_keys, c) array
        What was observed there.
    bandwidth : float > 0, or (d,) array of them
        h, in the units of the keys: K = exp(−‖q − k‖²/h²). With one bandwidth per column of the keys each
        difference is divided by its own.
    kernel : {"gaussian", "boxcar", "triangular", "epanechnikov", "constant"}

    Returns
    -------
    (n_queries,) or (n_queries, c) array. NaN where no key is within reach of a kernel that ends.
    float32 if all three arrays are float32 or float16, else float64.

    Raises
    ------
    ValueError, TypeError
        As `lib.kernels.log_kernel`, and for values that do not match the keys.

    Notes
    -----
    Equation eq:nadaraya_watson of chapter 1: `average(softmax(log_kernel(…)), values)`, streamed, so that the
    memory does not grow with n_queries × n_keys. A query far from all keys, or a tiny bandwidth, gives the
    nearest key's value, never 0/0.

    Examples
    --------
    >>> nadaraya_watson([1.0, 9.0], keys=[0.0, 2.0], values=[10.0, 20.0], bandwidth=1.0)
    array([15., 20.])
    """
    queries, keys = points(queries, keys)
    values = values_for(keys, values)
    queries = _in_sight(queries, keys, bandwidth)
    log2_weights, dtype = _log2_weights(queries, keys, values, bandwidth, kernel)
    estimate = streamed_average(log2_weights, values.reshape(len(keys), -1), len(queries), dtype)
    return estimate.reshape(len(queries), *values.shape[1:]).astype(float_type(queries, keys, values), copy=False)


def _log2_weights(queries, keys, values, bandwidth, kernel):
    """The function that `streamed_average` asks for blocks, and the type it should ask for."""
    function = KERNELS[one_of("kernel", kernel, KERNELS)]
    bandwidth = resolvable(bandwidth_per_axis(bandwidth, keys.shape[1]), queries, keys)
    # For the Gaussian, base 2 is only a change of unit: 2^(−s) is e^(−s) for distances √log₂e times longer.
    unit = bandwidth / np.sqrt(LOG2E) if function is gaussian else bandwidth
    origin = keys.mean(axis=0, dtype=np.float64)
    reach = (np.maximum(keys.max(axis=0) - origin, origin - keys.min(axis=0)) / unit).max()
    sign = -1 if function is gaussian else 1
    by_product = function in SMOOTH and product_keeps_digits(reach)
    in_units, distances_to = distances_in_units(unit, origin, sign, by_product)

    def log2_weights(columns, dtype):
        distances = distances_to(in_units(keys[columns].astype(dtype, copy=False)))
        of = lambda rows: distances(in_units(queries[rows].astype(dtype, copy=False)))
        return of if function is gaussian else lambda rows: dtype(LOG2E) * function(of(rows))

    exact_enough = product_keeps_digits(reach, np.float32, 1e-3) and 1e-30 < unit.min() and unit.max() < 1e30
    return log2_weights, float_type(queries, keys, values) if exact_enough else np.float64


def leave_one_out_estimates(keys, values, bandwidth, kernel="gaussian"):
    """Estimate each key's value from all the other keys.

    Parameters and errors as `nadaraya_watson`; at least two keys.

    Returns
    -------
    (n_keys,) or (n_keys, c) array; NaN where no other key is within reach.

    Notes
    -----
    Equation eq:leave_one_out of chapter 1. One pass serves all n fits, since leaving a key out is giving it the
    log-weight −inf. This equals the shortcut (ŷᵢ − wᵢᵢ yᵢ)/(1 − wᵢᵢ) and, unlike it, survives wᵢᵢ = 1.

    Examples
    --------
    >>> leave_one_out_estimates([0.0, 1.0, 2.0], [5.0, 6.0, 9.0], bandwidth=10.0, kernel="constant")
    array([7.5, 7. , 5.5])
    """
    keys = as_points("keys", keys)
    values = values_for(keys, values)
    if len(keys) < 2:
        raise ValueError(f"keys: expected at least two, so that one can be left out, got {len(keys)}")
    log2_weights, dtype = _log2_weights(keys, keys, values, bandwidth, kernel)
    index = np.arange(len(keys))

    def without_own_key(columns, dtype):
        block_of = log2_weights(columns, dtype)
        return lambda rows: np.where(index[rows, None] == index[columns], -np.inf, block_of(rows))

    estimate = streamed_average(without_own_key, values.reshape(len(keys), -1), len(keys), dtype)
    return estimate.reshape(values.shape).astype(float_type(keys, values), copy=False)


def leave_one_out_error(keys, values, bandwidth, kernel="gaussian"):
    """The mean squared error of predicting each value from all the others.

    Parameters and errors as `nadaraya_watson`; at least two keys.

    Returns
    -------
    float, in squared units of the values. NaN if some key has no other within reach.

    Notes
    -----
    Equation eq:leave_one_out_error of chapter 1.

    Examples
    --------
    >>> leave_one_out_error([0.0, 1.0, 2.0], [5.0, 6.0, 9.0], bandwidth=10.0, kernel="constant")
    6.5
    """
    residuals = real_array("values", values) - leave_one_out_estimates(keys, values, bandwidth, kernel)
    return float(np.mean(residuals.astype(np.float64) ** 2))


def corrected_aic(keys, values, bandwidth, kernel="gaussian"):
    """The corrected Akaike information criterion, AICc: the logarithm of the training error plus a price.

    Parameters
    ----------
    keys, bandwidth, kernel : as `nadaraya_watson`
    values : (n_keys,) array

    Returns
    -------
    float; smaller is better. +inf where the estimate spends n − 2 or more degrees of freedom, and so cannot be
    judged. −inf where it goes through every value and spends fewer.

    Raises
    ------
    ValueError, TypeError
        As `nadaraya_watson`, and for values that are not `(n_keys,)` and for fewer than four keys.

    Notes
    -----
    Equation eq:corrected_aic of chapter 1. The degrees of freedom are the sum of the weights that each key gives
    to itself. Memory does not grow with n². Source: Hurvich, Simonoff & Tsai (1998), "Smoothing parameter
    selection in nonparametric regression using an improved Akaike information criterion",
    doi:10.1111/1467-9868.00125.

    Examples
    --------
    >>> corrected_aic(np.arange(8.0), [1.0, 3.0] * 4, bandwidth=1.0, kernel="constant")
    1.8
    """
    keys = as_points("keys", keys)
    values = _one_value_per_key(keys, values)
    n_keys = len(keys)
    if n_keys < 4:
        raise ValueError(f"keys: expected at least four for AICc, got {n_keys}")
    freedom = _degrees_of_freedom(keys, bandwidth, kernel)
    if freedom >= n_keys - 2:
        return np.inf
    residuals = values - nadaraya_watson(keys, keys, values, bandwidth, kernel)
    with np.errstate(divide="ignore"):
        fit = np.log(np.mean(residuals.astype(np.float64) ** 2))
    return float(fit + 1 + 2 * (freedom + 1) / (n_keys - freedom - 2))


def _degrees_of_freedom(keys, bandwidth, kernel):
    """The sum over the keys of the weight that a key gives to itself, in blocks of rows."""
    total = 0.0
    for rows in blocks(len(keys), BLOCK_QUERIES):
        weights = nadaraya_watson_weights(keys[rows], keys, bandwidth, kernel)
        total += np.trace(weights, offset=rows.start)
    return float(total)


def _one_value_per_key(keys, values):
    """Values `(n_keys,)`; columns are refused."""
    values = values_for(keys, values)
    if values.ndim != 1:
        raise ValueError(f"values: expected shape ({len(keys)},), got {values.shape}")
    return values


CRITERIA = {"leave_one_out": leave_one_out_error, "corrected_aic": corrected_aic}


def choose_bandwidth(keys, values, bandwidths, kernel="gaussian", criterion="leave_one_out"):
    """The bandwidth with the smallest leave-one-out error, or with the smallest AICc.

    Parameters
    ----------
    keys, values, kernel : as `nadaraya_watson`; for AICc values `(n_keys,)`
    bandwidths : (n,) array of candidates > 0
    criterion : {"leave_one_out", "corrected_aic"}

    Returns
    -------
    float, one of the candidates; of equals the first. A candidate that the criterion cannot judge is passed over.
    For leave-one-out it leaves some key without neighbours; for AICc it spends n − 2 degrees of freedom or more.

    Raises
    ------
    ValueError
        If the criterion can judge no candidate, and as `nadaraya_watson`.

    Examples
    --------
    >>> x = np.linspace(0, 3, 40)
    >>> choose_bandwidth(x, np.sin(x), bandwidths=[0.1, 1.0, 10.0])
    0.1
    >>> choose_bandwidth(x, np.sin(x), bandwidths=[0.01, 0.1, 1.0], criterion="corrected_aic")
    0.1
    """
    bandwidths = np.atleast_1d(real_array("bandwidths", bandwidths))
    if bandwidths.ndim > 1 or not (bandwidths > 0).all():
        raise ValueError(f"bandwidths: expected candidates > 0 of shape (n,), got {bandwidths}")
    judge = CRITERIA[one_of("criterion", criterion, CRITERIA)]
    scores = np.array([judge(keys, values, h, kernel) for h in bandwidths])
    scores[np.isnan(scores)] = np.inf
    if np.isposinf(scores).all():
        raise ValueError(f"bandwidths: expected one that reaches every key's neighbour, got {bandwidths}")
    return float(bandwidths[np.argmin(scores)])


def local_linear(queries, keys, values, bandwidth, kernel="gaussian"):
    """Fit a weighted straight line around each query and read it off there.

    Parameters, returns and errors as `nadaraya_watson`, with values `(n_keys,)`. The memory does not grow with
    n_queries × n_keys.

    Notes
    -----
    Equation eq:local_linear of chapter 1: ȳ + βᵀ(q − k̄), with the weighted means k̄, ȳ and the weighted
    least-squares slope β. Where all the weight is on one key the slope is taken as zero. Source: Fan (1992),
    "Design-adaptive nonparametric regression", doi:10.1080/01621459.1992.10476255.

    Examples
    --------
    >>> local_linear([0.0, 5.0], keys=[0.0, 1.0, 2.0], values=[1.0, 3.0, 5.0], bandwidth=1.0).round(9)
    array([ 1., 11.])
    """
    queries, keys = points(queries, keys)
    values = _one_value_per_key(keys, values)
    dtype = float_type(queries, keys, values)
    queries, keys = queries.astype(np.float64, copy=False), keys.astype(np.float64, copy=False)
    estimates = np.empty(len(queries))
    for rows in blocks(len(queries), BLOCK_QUERIES):
        weights = nadaraya_watson_weights(queries[rows], keys, bandwidth, kernel)
        lines = [_line(query, keys, values, weight) for query, weight in zip(queries[rows], weights, strict=True)]
        estimates[rows] = lines
    return estimates.astype(dtype, copy=False)


def _line(query, keys, values, weight):
    """The height at the query of the line through the keys with these weights; NaN without any weight."""
    if not weight.any():
        return np.nan
    mean_key, mean_value = weight @ keys, weight @ values
    from_mean = keys - mean_key
    covariance = (weight[:, None] * from_mean).T @ from_mean
    spread = np.sqrt(covariance.diagonal())  # the unit of each axis, so that the slope does not depend on ours
    rounding = 1e3 * np.finfo(float).eps * (weight @ np.abs(keys))
    spread[spread <= rounding] = np.inf  # all the weight is in one place: no slope
    correlation = covariance / np.outer(spread, spread)
    from_values = from_mean.T @ (weight * (values - mean_value)) / spread
    slope = np.linalg.pinv(correlation, rcond=1e-12, hermitian=True) @ from_values / spread
    return mean_value + slope @ (query - mean_key)
