"""Logarithms of kernels, which measure how alike a query and a key are.

    K(q, k) = exp(−s²), …,   s = ‖q − k‖/h   the distance in bandwidths (eq:kernels)

Each kernel is a function of s², which a matrix product can compute, and returns log K, the log-weight. Products of
kernels are then sums of log-weights, and log-weights are the only input of `lib.weights.softmax`.
"""

import numpy as np

from lib import former_names
from lib.checks import bandwidth_per_axis, floats, one_of, points
from lib.metrics import gram_is_accurate, squared_differences, squared_euclidean


def gaussian(squared_distance):
    """log K = −s². Nadaraya (1964) and Watson (1964) do not fix the kernel; the slides use this one."""
    return -floats("squared_distance", squared_distance)


def _is_inside(squared_distance):
    """Return where s < 1. The threshold is slightly below 1: rounding cannot include a key at distance h."""
    return squared_distance < 1 - np.sqrt(np.finfo(squared_distance.dtype).eps)


def boxcar(squared_distance):
    """log K = 0 where s < 1, else −inf: all keys closer than h have the same weight."""
    squared_distance = floats("squared_distance", squared_distance)
    return np.where(_is_inside(squared_distance), 0.0, -np.inf).astype(squared_distance.dtype)


def triangular(squared_distance):
    """log K = log(1 − s) where s < 1, else −inf."""
    squared_distance = floats("squared_distance", squared_distance)
    with np.errstate(divide="ignore"):
        return np.log(np.where(_is_inside(squared_distance), 1 - np.sqrt(np.maximum(squared_distance, 0)), 0))


def epanechnikov(squared_distance):
    """log K = log(1 − s²) where s < 1, else −inf. Source: Epanechnikov (1969), doi:10.1137/1114019."""
    squared_distance = floats("squared_distance", squared_distance)
    with np.errstate(divide="ignore"):
        return np.log(np.where(_is_inside(squared_distance), 1 - squared_distance, 0))


def constant(squared_distance):
    """log K = 0: all keys have the same weight, at any distance."""
    return np.zeros_like(floats("squared_distance", squared_distance))


def laplacian(squared_distance):
    """log K = −s: not smooth at the query, with heavier tails than the Gaussian."""
    return -np.sqrt(np.maximum(floats("squared_distance", squared_distance), 0))


def cauchy(squared_distance):
    """log K = −log(1 + s²): tails so heavy that distant keys keep some influence."""
    return -np.log1p(np.maximum(floats("squared_distance", squared_distance), 0))


KERNELS = {
    "gaussian": gaussian,
    "boxcar": boxcar,
    "triangular": triangular,
    "epanechnikov": epanechnikov,
    "constant": constant,
    "laplacian": laplacian,
    "cauchy": cauchy,
}

# These are completely monotone functions of s² and therefore positive definite in every dimension:
# Schoenberg (1938), "Metric spaces and completely monotone functions", doi:10.2307/1968466.
POSITIVE_DEFINITE_KERNELS = ("gaussian", "laplacian", "cauchy")


def log_radial_kernel(queries, keys, bandwidth, kernel="gaussian"):
    """Compute the log-weight of every query and key from their distance.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array
    keys : (n_keys,) or (n_keys, d) array
    bandwidth : float > 0, or (d,) array of them
        h, in the units of the keys: the Gaussian is exp(−‖q − k‖²/h²), without a factor of ½. With one bandwidth
        per column of the keys, each difference is divided by its own bandwidth.
    kernel : one of `KERNELS`

    Returns
    -------
    (n_queries, n_keys) float64 array, at most 0; −inf where the kernel is zero.

    Notes
    -----
    Equation eq:kernels of chapter 1.

    Examples
    --------
    >>> log_radial_kernel([0.0], [0.0, 1.0, 4.0], bandwidth=2.0)
    array([[-0.  , -0.25, -4.  ]])
    """
    log_kernel = KERNELS[one_of("kernel", kernel, KERNELS)]
    queries, keys = (x.astype(np.float64, copy=False) for x in points(queries, keys))
    bandwidth = clamp_bandwidth(bandwidth_per_axis(bandwidth, keys.shape[1]), queries, keys)
    return log_kernel(_squared_distance_in_bandwidths(queries, keys, bandwidth, log_kernel))


def _squared_distance_in_bandwidths(queries, keys, bandwidth, log_kernel):
    """Compute s² by a matrix product if that is accurate enough, otherwise from the differences."""
    origin = keys.mean(axis=0)
    reach = max(np.abs((x - origin) / bandwidth).max() for x in (queries, keys))
    if not can_use_gram(log_kernel, reach):
        return squared_differences(queries, keys, bandwidth)
    return np.maximum(squared_euclidean((queries - origin) / bandwidth, (keys - origin) / bandwidth), 0)


def can_use_gram(log_kernel, reach):
    """Return whether distances between points within `reach` bandwidths may be computed from inner products.

    For the other kernels they may not, because a small error of s² becomes a large one at s = 1 or s = 0.
    """
    return log_kernel in (gaussian, constant) and gram_is_accurate(reach)


def clamp_bandwidth(bandwidth, *points):
    """Scale up the bandwidths if squared distances beyond 1e150 bandwidths would overflow.

    This does not change the weights: at far larger bandwidths the nearest key already has all the weight.
    """
    largest = np.max([np.abs(x).max(axis=0) for x in points], axis=0).astype(np.float64)
    with np.errstate(over="ignore"):
        raised = bandwidth * max(1, (1e-150 * largest / bandwidth).max())
    if not np.isfinite(raised).all():
        raise ValueError(f"bandwidth: expected at most 450 powers of ten below the largest point, got {bandwidth}")
    return raised


__getattr__ = former_names.of(__name__)
