"""Kernels of a head, the first of the three lines: log-weights `(n, n)` of queries and keys `(n, d)`."""

from functools import partial
from inspect import signature

import numpy as np

from lib import former_names
from lib.checks import positive, random_generator, whole_number
from lib.kernels import log_radial_kernel
from lib.random_features import linear_attention


def dot_product(queries, keys, factor=1.0):
    """Return q·k/τ with τ = factor · √d, the kernel with which the model was trained (eq:head_scores)."""
    return queries @ keys.T / (_temperature(keys) * factor)


def gaussian_of_distance(queries, keys, factor=1.0):
    """Return −‖q − k‖²/h² with h² = 2τ: `dot_product` without the factor exp(‖k‖²/h²) (eq:gaussian_head)."""
    return log_radial_kernel(queries, keys, bandwidth=np.sqrt(2 * (_temperature(keys) * factor)))


def gaussian_of_position(queries, keys, bandwidth):
    """Return −(i − j)²/h² for the token positions i and j, the kernel smoother of 1964 (eq:place_head)."""
    positions = np.arange(len(keys), dtype=float)
    return log_radial_kernel(positions, positions, bandwidth)


def uniform(queries, keys):
    """Return the same log-weight for every key."""
    return np.zeros((len(queries), len(keys)))


def performer(queries, keys, n_features=256, rng=None, factor=1.0):
    """Return the log-weights estimated by causal positive orthogonal random features (chapter 7).

    If `rng` is a seed, every head uses the same frequencies in every call.
    """
    options = {"causal": True, "temperature": _temperature(keys) * factor, "rng": rng}
    weights = linear_attention(queries, keys, np.eye(len(keys)), n_features, **options)
    with np.errstate(divide="ignore"):
        return np.log(weights)


HEAD_KERNELS = {
    "dot product": dot_product,
    "gaussian": gaussian_of_distance,
    "position": gaussian_of_position,
    "uniform": uniform,
    "performer": performer,
}
CHECKS = {"factor": positive, "bandwidth": positive, "n_features": whole_number, "rng": random_generator}


def _temperature(keys):
    return np.sqrt(keys.shape[-1])


def log_kernel_of(kernel):
    """Return the function (queries, keys) → log-weights for a name, a tuple of name and numbers, or a function."""
    if callable(kernel):
        return partial(_checked_log_weights, kernel)
    name, *numbers = kernel if isinstance(kernel, tuple) and kernel else (kernel,)
    name = former_names.current("HEAD_KERNELS", name) if isinstance(name, str) else name
    if not isinstance(name, str) or name not in HEAD_KERNELS:
        raise ValueError(f"kernel: expected one of {', '.join(HEAD_KERNELS)}, got {kernel!r}")
    parameters = signature(HEAD_KERNELS[name])
    try:
        bound = parameters.bind(None, None, *numbers)
    except TypeError:
        raise ValueError(f"kernel: expected {name} and its numbers, {parameters}, got {kernel!r}") from None
    for parameter, number in list(bound.arguments.items())[2:]:
        CHECKS[parameter](parameter, number)
    return partial(HEAD_KERNELS[name], **dict(list(bound.arguments.items())[2:]))


def _checked_log_weights(kernel, queries, keys):
    """Call a custom kernel and validate its log-weights."""
    log_weights, expected = np.asarray(kernel(queries, keys), float), (len(queries), len(keys))
    if log_weights.shape != expected:
        raise ValueError(f"kernel: expected log-weights of shape {expected}, got {log_weights.shape}")
    if not log_weights.max() < np.inf:
        raise ValueError("kernel: expected log-weights below +inf, got NaN or +inf")
    return log_weights
