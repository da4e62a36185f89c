"""Slow and obvious answers, and tasks, that several tests share."""

import math

import numpy as np

from lib.learning import Task

DEFINITIONS = {
    "gaussian": lambda u: math.exp(-(u**2)),
    "boxcar": lambda u: 1.0 if u < 1 else 0.0,
    "triangular": lambda u: max(1 - u, 0),
    "epanechnikov": lambda u: max(1 - u**2, 0),
    "constant": lambda u: 1.0,
}


def random_task(*batch, n_queries=3, n_keys=5, d_q=2, d_k=7, c=2, seed=0):
    rng = np.random.default_rng(seed)
    shapes = (n_queries, d_q), (n_keys, d_k), (n_keys, c), (n_queries, c)
    return Task(*(rng.normal(size=(*batch, *shape)) for shape in shapes))


def numerical_gradient(function, array, step=1e-6):
    """Central differences, one number at a time."""
    slope = np.empty_like(array)
    for index in np.ndindex(array.shape):
        up, down = array.copy(), array.copy()
        up[index] += step
        down[index] -= step
        slope[index] = (function(up) - function(down)) / (2 * step)
    return slope
