"""Logarithms of kernels, as functions of the squared distance in bandwidths, s = ‖q − k‖²/h².

A kernel says how alike a query and a key are. The course works with its logarithm, the log-weight: where
kernels multiply, log-weights add, and `lib.weights.softmax` needs nothing else.
"""

import numpy as np

from lib.checks import bandwidth_per_axis, floats, one_of, points
from lib.metrics import product_keeps_digits, squared_differences, squared_euclidean


def gaussian(squared_distance):
    """log K = −s. Source: Nadaraya (1964) and Watson (1964) leave the kernel open; this is the slides' one."""
    squared_distance = floats("squared_distance", squared_distance)
    return -squared_distance


def boxcar(squared_distance):
    """log K = 0 where s < 1, else −inf: every key nearer than h counts the same.

    A key at distance h is outside, and rounding must not let it in: "nearer" means by more than rounding.
    """
    squared_distance = floats("squared_distance", squared_distance)
    edge = 1 - np.sqrt(np.finfo(squared_distance.dtype).eps)
    return np.where(squared_distance < edge, 0.0, -np.inf).astype(squared_distance.dtype)


def triangular(squared_distance):
    """log K = log(1 − √s) where s < 1, else −inf."""
    squared_distance = floats("squared_distance", squared_distance)
    with np.errstate(divide="ignore"):
        return np.log(np.maximum(1 - np.sqrt(np.maximum(squared_distance, 0)), 0))


def epanechnikov(squared_distance):
    """log K = log(1 − s) where s < 1, else −inf. Source: Epanechnikov (1969), doi:10.1137/1114019."""
    squared_distance = floats("squared_distance", squared_distance)
    with np.errstate(divide="ignore"):
        return np.log(np.maximum(1 - squared_distance, 0))


def constant(squared_distance):
    """log K = 0: every key counts the same, however far."""
    squared_distance = floats("squared_distance", squared_distance)
    return np.zeros_like(squared_distance)


KERNELS = {
    "gaussian": gaussian,
    "boxcar": boxcar,
    "triangular": triangular,
    "epanechnikov": epanechnikov,
    "constant": constant,
}


def log_kernel(queries, keys, bandwidth, kernel="gaussian"):
    """The log-weights of every query and key.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array
    keys : (n_keys,) or (n_keys, d) array
    bandwidth : float > 0, or (d,) array of them
        h, in the units of the keys: the Gaussian is exp(−‖q − k‖²/h²), with no ½; the others end at distance h.
        With one bandwidth per column of the keys each difference is divided by its own.
    kernel : {"gaussian", "boxcar", "triangular", "epanechnikov", "constant"}

    Returns
    -------
    (n_queries, n_keys) float64 array, at most 0; −inf where the kernel is zero.

    Raises
    ------
    ValueError, TypeError
        For a bandwidth that is not a finite number above zero, an unknown kernel, arrays that do not match, are
        empty or hold NaN or inf.

    Notes
    -----
    Equation eq:kernels of chapter 1.

    Examples
    --------
    >>> log_kernel([0.0], [0.0, 1.0, 4.0], bandwidth=2.0)
    array([[-0.  , -0.25, -4.  ]])
    """
    queries, keys = (x.astype(np.float64, copy=False) for x in points(queries, keys))
    bandwidth = resolvable(bandwidth_per_axis(bandwidth, keys.shape[1]), queries, keys)
    function = KERNELS[one_of("kernel", kernel, KERNELS)]
    origin = keys.mean(axis=0)
    reach = max(np.abs((x - origin) / bandwidth).max() for x in (queries, keys))
    if product_serves(function, reach):
        squared_distance = squared_euclidean((queries - origin) / bandwidth, (keys - origin) / bandwidth)
    else:
        squared_distance = squared_differences(queries, keys, bandwidth)
    return function(np.maximum(squared_distance, 0))


def product_serves(kernel, reach):
    """Whether the distances of points within `reach` bandwidths may come from one product.

    Not for the kernels that end: at s = 1 or at s = 0 a small error of s becomes a large one.
    """
    return kernel in (gaussian, constant) and product_keeps_digits(reach)


def resolvable(bandwidth, *points):
    """The bandwidths, raised by one factor where squares of more than 1e150 of them would overflow.

    The nearest key has all the weight long before.
    """
    largest = np.max([np.abs(x).max(axis=0) for x in points], axis=0).astype(np.float64)
    with np.errstate(over="ignore"):
        raised = bandwidth * max(1, (1e-150 * largest / bandwidth).max())
    if not np.isfinite(raised).all():
        raise ValueError(f"bandwidth: expected at most 450 powers of ten below the largest point, got {bandwidth}")
    return raised
