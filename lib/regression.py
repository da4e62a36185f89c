"""Kernel regression by Nadaraya (1964) and Watson (1964), bandwidth selection and local linear regression.

    >>> from lib.weights import average, softmax
    >>> queries, keys, values = np.array([1.0, 9.0]), np.array([0.0, 2.0]), np.array([10.0, 20.0])
    >>> log_weights = log_radial_kernel(queries, keys, bandwidth=1.0)  # how alike are a query and a key?
    >>> weights = softmax(log_weights)  # positive; a row sums to 1
    >>> average(weights, values)
    array([15., 20.])

`nadaraya_watson` computes the same without the weight matrix, using `lib.engine.regression`.

Nadaraya, "On estimating regression", doi:10.1137/1109020.
Watson, "Smooth regression analysis", Sankhyā A 26 (4), 359–372.
"""

from functools import partial

import numpy as np

from lib.checks import (
    as_points,
    bandwidth_per_axis,
    flag,
    float_type,
    one_of,
    points,
    real_array,
    values_for,
    whole_number,
)
from lib.engine.regression import degrees_of_freedom, local_lines, regression
from lib.kernels import KERNELS, log_radial_kernel
from lib.weights import blocks, softmax

ROUNDING = 1e3 * np.finfo(float).eps  # of a key; others that are nearer are equal to it


def nadaraya_watson_weights(queries, keys, bandwidth, kernel="gaussian"):
    """Return the weight that each query gives to each key.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array
    keys : (n_keys,) or (n_keys, d) array
    bandwidth : float > 0, or (d,) array of them
        h, in the units of the keys: K = exp(−‖q − k‖²/h²). With one bandwidth per column of the keys, each
        difference is divided by its own bandwidth.
    kernel : one of `lib.kernels.KERNELS`

    Returns
    -------
    (n_queries, n_keys) array; rows sum to 1, or to 0 if no key is within reach.

    Raises
    ------
    ValueError, TypeError
        As in `lib.kernels.log_radial_kernel`.

    Notes
    -----
    Equation eq:weights of chapter 1.

    Examples
    --------
    >>> nadaraya_watson_weights([0.0], [-1.0, 0.5, 0.9], bandwidth=1.0, kernel="boxcar")
    array([[0. , 0.5, 0.5]])
    """
    queries, keys = points(queries, keys)
    queries = _clamp_far_queries(queries, keys, bandwidth_per_axis(bandwidth, keys.shape[1]))
    return softmax(log_radial_kernel(queries, keys, bandwidth, kernel))


def nadaraya_watson(queries, keys, values, bandwidth, kernel="gaussian"):
    """Estimate a regression function at the queries by a weighted average of the values.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array
        The points at which to estimate.
    keys : (n_keys,) or (n_keys, d) array
        The points at which the function was observed.
    values : (n_keys,) or (n_keys, c) array
        The observations at the keys.
    bandwidth : float > 0, or (d,) array of them
        h, in the units of the keys: K = exp(−‖q − k‖²/h²). With one bandwidth per column of the keys, each
        difference is divided by its own bandwidth.
    kernel : one of `lib.kernels.KERNELS`

    Returns
    -------
    (n_queries,) or (n_queries, c) array. NaN where no key is within reach of a compactly supported kernel.
    float32 if all three arrays are float32 or float16, else float64.

    Raises
    ------
    ValueError, TypeError
        As in `lib.kernels.log_radial_kernel`, and if the values do not match the keys.

    Notes
    -----
    Equation eq:nadaraya_watson of chapter 1: `average(softmax(log_radial_kernel(…)), values)`, without storing the
    weights. The time is linear in n_queries + n_keys for the Gaussian in up to three dimensions and for compactly
    supported kernels in one dimension. For a query far from all keys, or a tiny bandwidth, the estimate is the
    nearest key's value, never 0/0.

    Other programs measure the bandwidth differently: statsmodels' `bw` and a `sigma` are h/√2, scikit-learn's
    `gamma` is 1/h². See pages/elsewhere.

    Examples
    --------
    >>> nadaraya_watson([1.0, 9.0], keys=[0.0, 2.0], values=[10.0, 20.0], bandwidth=1.0)
    array([15., 20.])

    Observations with weights w, for example means of w observations each, are represented by two columns:

    >>> counts, values = np.array([3.0, 1.0]), np.array([10.0, 20.0])
    >>> sums = nadaraya_watson([1.0], [0.0, 2.0], np.column_stack([counts * values, counts]), bandwidth=1.0)
    >>> sums[:, 0] / sums[:, 1]
    array([12.5])
    """
    queries, keys = points(queries, keys)
    values, of_kernel = values_for(keys, values), _validated(keys, bandwidth, kernel)
    return regression(_clamp_far_queries(queries, keys, of_kernel[0]), keys, values, *of_kernel)


def _validated(keys, bandwidth, kernel):
    """Return the bandwidth of each column of the keys, `(d,)`, and the kernel's name."""
    return bandwidth_per_axis(bandwidth, keys.shape[1]), one_of("kernel", kernel, KERNELS)


def _clamp_far_queries(queries, keys, bandwidth):
    """Move very distant queries towards the keys' mean, because rounding would make all distances equal."""
    origin = keys.mean(axis=0, dtype=np.float64)
    with np.errstate(over="ignore"):
        extent = (keys.max(axis=0) - keys.min(axis=0)).max()
        farthest = min(1e10 * (bandwidth.max() + extent), np.finfo(np.float64).max)
        if max(np.abs(corner - origin).max() for corner in (queries.min(axis=0), queries.max(axis=0))) <= farthest:
            return queries
        distance = np.abs(queries - origin).max(axis=1, keepdims=True)
        nearer = origin + (queries - origin) * (farthest / np.maximum(distance, farthest))
    return np.where(distance > farthest, nearer, queries).astype(queries.dtype)


def leave_one_out_estimates(keys, values, bandwidth, kernel="gaussian", *, order=0):
    """Estimate each key's value from all other keys.

    Parameters and errors are those of `nadaraya_watson`; there must be at least two keys.

    order : {0, 1}
        0 averages like `nadaraya_watson`; 1 fits a line like `local_linear`.

    Returns
    -------
    (n_keys,) or (n_keys, c) array; NaN where no other key is within reach.

    Notes
    -----
    Equation eq:leave_one_out of chapter 1. All n fits take a single pass, because leaving a key out means giving
    it a log-weight of −inf. This equals the shortcut (ŷᵢ − wᵢᵢ yᵢ)/(1 − wᵢᵢ) but also works for wᵢᵢ = 1.

    Examples
    --------
    >>> leave_one_out_estimates([0.0, 1.0, 2.0], [5.0, 6.0, 9.0], bandwidth=10.0, kernel="constant")
    array([7.5, 7. , 5.5])
    """
    keys = as_points("keys", keys)
    values = values_for(keys, values)
    if len(keys) < 2:
        raise ValueError(f"keys: expected at least two, so that one can be left out, got {len(keys)}")
    of_kernel = _validated(keys, bandwidth, kernel)
    if whole_number("order", order, 0, 1):
        return _local_lines(keys, keys, values, *of_kernel, leave_one_out=True)[0]
    return regression(keys, keys, values, *of_kernel, leave_one_out=True)


def leave_one_out_error(keys, values, bandwidth, kernel="gaussian", *, order=0):
    """Compute the mean squared error of predicting each value from all others.

    Parameters and errors are those of `leave_one_out_estimates`.

    Returns
    -------
    float, in squared units of the values. NaN if a key has no other key within reach.

    Notes
    -----
    Equation eq:leave_one_out_error of chapter 1.

    Examples
    --------
    >>> leave_one_out_error([0.0, 1.0, 2.0], [5.0, 6.0, 9.0], bandwidth=10.0, kernel="constant")
    6.5
    """
    residuals = real_array("values", values) - leave_one_out_estimates(
        keys, values, bandwidth, kernel, order=order
    )
    return float(np.mean(residuals.astype(np.float64) ** 2))


def corrected_aic(keys, values, bandwidth, kernel="gaussian"):
    """Compute the corrected Akaike information criterion, AICc: the log of the training error plus a penalty.

    Parameters
    ----------
    keys, bandwidth, kernel : as in `nadaraya_watson`
    values : (n_keys,) array

    Returns
    -------
    float; smaller is better. +inf if the estimate has n − 2 or more degrees of freedom, for which AICc is not
    defined. −inf if it interpolates all values with fewer degrees of freedom.

    Raises
    ------
    ValueError, TypeError
        As in `nadaraya_watson`, and if values are not `(n_keys,)` or there are fewer than four keys.

    Notes
    -----
    Equation eq:corrected_aic of chapter 1. The degrees of freedom are the sum of the self-weights of the keys.
    Memory does not grow with n². Source: Hurvich, Simonoff & Tsai (1998), "Smoothing parameter
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
    of_kernel = _validated(keys, bandwidth, kernel)
    freedom = degrees_of_freedom(keys, *of_kernel)
    if freedom > (n_keys - 2) * (1 - ROUNDING):
        return np.inf
    residuals = values - regression(keys, keys, values, *of_kernel)
    with np.errstate(divide="ignore"):
        fit = np.log(np.mean(residuals.astype(np.float64) ** 2))
    return float(fit + 1 + 2 * (freedom + 1) / (n_keys - freedom - 2))


def _one_value_per_key(keys, values):
    """Validate values of shape `(n_keys,)`."""
    values = values_for(keys, values)
    if values.ndim != 1:
        raise ValueError(f"values: expected shape ({len(keys)},), got {values.shape}")
    return values


CRITERIA = {"leave_one_out": leave_one_out_error, "corrected_aic": corrected_aic}


def candidate_bandwidths(keys, n_candidates=50):
    """Return bandwidths to choose from, in geometric steps from the keys' spacing to twice their range.

    Parameters
    ----------
    keys : (n_keys,) or (n_keys, d) array
    n_candidates : int ≥ 2

    Returns
    -------
    (n_candidates,) array, or (n_candidates, d) for more than one axis, where each candidate has the same ratio of
    bandwidth to range on all axes. The smallest is at least 1/10,000 of the range.

    Examples
    --------
    >>> candidate_bandwidths(np.linspace(0, 5, 200), n_candidates=3)
    array([ 0.0125    ,  0.35355339, 10.        ])
    >>> candidate_bandwidths([[0.0, 0.0], [1.0, 10.0]], n_candidates=2)
    array([[ 0.05,  0.5 ],
           [ 2.  , 20.  ]])
    """
    keys = as_points("keys", keys)
    n_keys, d = keys.shape
    extent = np.ptp(keys, axis=0).astype(np.float64)
    extent[extent == 0] = 1
    finest = np.clip(2 * n_keys, 200, 10_000) ** (1 / d) * np.sqrt(d)
    ratios = np.geomspace(1 / finest, 2, whole_number("n_candidates", n_candidates, 2))
    return ratios * extent[0] if d == 1 else ratios[:, None] * extent


def choose_bandwidth(keys, values, bandwidths=None, kernel="gaussian", criterion="leave_one_out", *, order=0):
    """Choose the bandwidth with the smallest leave-one-out error or the smallest AICc.

    Parameters
    ----------
    keys, values, kernel : as in `nadaraya_watson`; for AICc, values must be `(n_keys,)`
    bandwidths : (n,) array of candidates > 0, or (n, d) array of candidates with one bandwidth per axis
        By default `candidate_bandwidths(keys)`.
    criterion : {"leave_one_out", "corrected_aic"}
    order : {0, 1}
        0 to choose a bandwidth for `nadaraya_watson`, 1 for `local_linear` (only with leave-one-out).

    Returns
    -------
    float or (d,) array, one of the candidates; the first in case of ties. Candidates for which the criterion is
    undefined are skipped: for leave-one-out, those that leave a key without neighbours; for AICc, those with n − 2
    or more degrees of freedom.

    Raises
    ------
    ValueError
        If the criterion is undefined for all candidates, and as in `nadaraya_watson`.

    Notes
    -----
    Equations eq:leave_one_out_error and eq:corrected_aic of chapter 1, which are `bw="cv_ls"` and `bw="aic"` of
    statsmodels; a `bw` there is h/√2. See pages/elsewhere.

    Examples
    --------
    >>> x = np.linspace(0, 3, 40)
    >>> choose_bandwidth(x, np.sin(x), bandwidths=[0.1, 1.0, 10.0])
    0.1
    >>> choose_bandwidth(x, np.sin(x), bandwidths=[0.01, 0.1, 1.0], criterion="corrected_aic")
    0.1
    """
    bandwidths = candidate_bandwidths(keys) if bandwidths is None else bandwidths
    bandwidths = np.atleast_1d(real_array("bandwidths", bandwidths))
    if bandwidths.ndim > 2 or not (bandwidths > 0).all():
        raise ValueError(f"bandwidths: expected candidates > 0 of shape (n,) or (n, d), got {bandwidths}")
    judge = CRITERIA[one_of("criterion", criterion, CRITERIA)]
    if whole_number("order", order, 0, 1):
        one_of("criterion", criterion, ["leave_one_out"])
        judge = partial(judge, order=order)
    scores = np.array([judge(keys, values, h, kernel) for h in bandwidths])
    scores[np.isnan(scores)] = np.inf
    if np.isposinf(scores).all():
        raise ValueError(f"bandwidths: expected one that reaches every key's neighbour, got {bandwidths}")
    best = bandwidths[np.argmin(scores)]
    return best if bandwidths.ndim == 2 else float(best)


def local_linear(queries, keys, values, bandwidth, kernel="gaussian", *, return_slopes=False):
    """Fit a weighted straight line around each query and evaluate it there.

    Parameters and errors are those of `nadaraya_watson`. Memory does not grow with n_queries × n_keys.

    return_slopes : bool
        Whether to return the slopes as well.

    Returns
    -------
    (n_queries,) or (n_queries, c) array, as in `nadaraya_watson`. If `return_slopes`, a tuple of this array and
    the slopes β, (n_queries, d) or (n_queries, d, c).

    Notes
    -----
    Equation eq:local_linear of chapter 1: ȳ + βᵀ(q − k̄), with the weighted means k̄, ȳ and the weighted
    least-squares slope β. If all the weight is on one key, the slope is defined as zero. Source: Fan (1992),
    "Design-adaptive nonparametric regression", doi:10.1080/01621459.1992.10476255.

    Examples
    --------
    >>> local_linear([0.0, 5.0], keys=[0.0, 1.0, 2.0], values=[1.0, 3.0, 5.0], bandwidth=1.0).round(9)
    array([ 1., 11.])
    """
    queries, keys = points(queries, keys)
    values, of_kernel = values_for(keys, values), _validated(keys, bandwidth, kernel)
    lines = _local_lines(queries, keys, values, *of_kernel)
    return lines if flag("return_slopes", return_slopes) else lines[0]


def _local_lines(queries, keys, values, bandwidth, kernel, leave_one_out=False):
    """Return heights and slopes of the lines at the queries; `leave_one_out` excludes each key's own value."""
    dtype, columns = float_type(queries, keys, values), values.reshape(len(keys), -1)
    queries, keys = queries.astype(np.float64, copy=False), keys.astype(np.float64, copy=False)
    heights, slopes, unsure = local_lines(queries, keys, columns, bandwidth, kernel, leave_one_out)
    for part in blocks(len(unsure), 240):
        rows = unsure[part]
        log_weights = log_radial_kernel(
            _clamp_far_queries(queries[rows], keys, bandwidth), keys, bandwidth, kernel
        )
        if leave_one_out:
            log_weights[np.arange(len(rows)), rows] = -np.inf
        for row, weight in zip(rows, softmax(log_weights), strict=True):
            heights[row], slopes[row] = _line(queries[row], keys, columns, weight)
    shapes = values.shape[1:], (keys.shape[1], *values.shape[1:])
    return tuple(
        x.reshape(len(queries), *shape).astype(dtype, copy=False)
        for x, shape in zip((heights, slopes), shapes, strict=True)
    )


def _line(query, keys, values, weight):
    """Return height at the query and slope of the weighted least-squares line, or NaN without any weight.

    Positions are taken from the heaviest key, which preserves their digits where it has nearly all the weight.
    """
    if not weight.any():
        return np.nan, np.nan
    origin = keys[np.argmax(weight)]
    keys, query = _from_origin(keys, origin), query - origin
    mean_key, mean_value = weight @ keys, weight @ values
    root = np.sqrt(weight)[:, None]
    of_keys, of_values = root * (keys - mean_key), root * (values - mean_value)
    spread = np.linalg.norm(of_keys, axis=0)  # scale of each axis, which makes the slope invariant to units
    spread[spread == 0] = np.inf  # all the weight is at one point, so the slope is 0
    slope = np.linalg.lstsq(of_keys / spread, of_values, rcond=1e-10)[0] / spread[:, None]
    return mean_value + (query - mean_key) @ slope, slope


def _from_origin(keys, origin):
    """Return the keys' positions relative to one of them; 0 where they are equal up to rounding."""
    relative = keys - origin
    relative[np.abs(relative) <= ROUNDING * np.abs(keys)] = 0
    return relative
