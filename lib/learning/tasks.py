"""The tasks of chapter 6: imitate a smoother, average over a period, recall a value by its key."""

from typing import NamedTuple

import numpy as np

from lib.checks import non_negative, points, positive, random_generator, real_array, whole_number
from lib.kernels import log_radial_kernel
from lib.learning.gradients import values_and_targets
from lib.weights import softmax


class Task(NamedTuple):
    """The inputs and targets of attention. Any leading axes are batch dimensions."""

    query_tokens: np.ndarray  # (…, n_queries, d_q)
    key_tokens: np.ndarray  # (…, n_keys, d_k)
    values: np.ndarray  # (…, n_keys, c)
    targets: np.ndarray  # (…, n_queries, c)


def imitation_task(tokens, bandwidth):
    """Create the task of imitating a Gaussian smoother on every signal.

    Parameters
    ----------
    tokens : (n, d) array
        One per position 0, 1, …, n − 1, such as its positional encoding.
    bandwidth : float > 0
        Bandwidth h of the smoother, in positions.

    Returns
    -------
    Task: the values are the n unit impulses and the targets the smoother's impulse responses, so the loss is the
    mean squared difference between the two weight matrices

    Examples
    --------
    >>> imitation_task(np.zeros((3, 4)), bandwidth=1.0).targets.round(3)
    array([[0.721, 0.265, 0.013],
           [0.212, 0.576, 0.212],
           [0.013, 0.265, 0.721]])
    """
    tokens = real_array("tokens", tokens)
    positions = np.arange(len(tokens))
    return Task(tokens, tokens, np.eye(len(tokens)), softmax(log_radial_kernel(positions, positions, bandwidth)))


def periodic_task(tokens, n_signals, *, rng=None, period=2 * np.pi, noise_std=0.5):
    """Create the task of denoising periodic signals, whose samples of equal phase are a whole period apart.

    Parameters
    ----------
    tokens : (n, d) array
        One per position 0, 1, …, n − 1.
    n_signals : int ≥ 1
    rng : numpy.random.Generator, a seed, or None
    period : float > 0
        In positions.
    noise_std : float ≥ 0

    Returns
    -------
    Task: the values are the noisy signals, one per column, and the targets the clean ones. A signal is a sum of
    three harmonics with random amplitudes and has variance 1.

    Examples
    --------
    >>> task = periodic_task(np.zeros((50, 4)), n_signals=1000, rng=np.random.default_rng(0))
    >>> noise = task.values - task.targets
    >>> task.targets.shape, round(float(task.targets.var()), 1), round(float(noise.std()), 1)
    ((50, 1000), 1.0, 0.5)
    """
    tokens, rng = real_array("tokens", tokens), random_generator("rng", rng)
    noise_std = non_negative("noise_std", noise_std)
    angles = 2 * np.pi * np.arange(len(tokens))[:, None] * np.arange(1, 4) / positive("period", period)
    waves = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
    clean = waves @ rng.normal(scale=1 / np.sqrt(3), size=(6, whole_number("n_signals", n_signals)))
    return Task(tokens, tokens, clean + noise_std * rng.normal(size=clean.shape), clean)


def recall_task(rotation, n_sequences, *, rng=None, n_pairs=12, noise_std=0.1):
    """Create the task of recalling values by key; a query is a key after an unknown rotation, with noise.

    Parameters
    ----------
    rotation : (d, d) array
        The same for all sequences; W_qᵀW_k has to learn it.
    n_sequences : int ≥ 1
    rng : numpy.random.Generator, a seed, or None
    n_pairs : int ≥ 2
        Key–value pairs per sequence. They are newly drawn each time, so only the rotation can be learned.
    noise_std : float ≥ 0

    Returns
    -------
    Task with leading axis n_sequences; each sequence has as many queries as pairs, in a different order

    Examples
    --------
    >>> task = recall_task(np.eye(3), n_sequences=2, rng=np.random.default_rng(0), n_pairs=5)
    >>> task.query_tokens.shape, task.values.shape
    ((2, 5, 3), (2, 5, 1))
    """
    rotation, rng = real_array("rotation", rotation), random_generator("rng", rng)
    noise_std = non_negative("noise_std", noise_std)
    keys = rng.normal(
        size=(whole_number("n_sequences", n_sequences), whole_number("n_pairs", n_pairs, 2), len(rotation))
    )
    values = rng.normal(size=(*keys.shape[:2], 1))
    order = rng.permuted(np.broadcast_to(np.arange(n_pairs)[:, None], values.shape), axis=1)
    questions = np.take_along_axis(keys, order, axis=1) @ rotation.T
    questions = questions + noise_std * rng.normal(size=keys.shape)
    return Task(questions, keys, values, np.take_along_axis(values, order, axis=1))


def oracle_bandwidth(queries, keys, values, targets, bandwidths):
    """Find the Gaussian smoother closest to the targets, the best that a kernel can do without learning a metric.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array, or (n_sequences, n_queries, d)
        Positions or contents at which to smooth.
    keys : (n_keys,) or (n_keys, d) array, or (n_sequences, n_keys, d)
    values : (n_keys, c) array, or (n_sequences, n_keys, c)
    targets : (n_queries, c) array, or (n_sequences, n_queries, c)
    bandwidths : (n,) array of candidates > 0

    Returns
    -------
    bandwidth : float
        The candidate with the smallest error on the targets themselves, which no data-driven choice can beat.
    error : float
        Its mean squared error.

    Examples
    --------
    >>> x, y = np.array([0.0, 1.0]), np.array([[1.0], [2.0]])
    >>> oracle_bandwidth(x, x, y, y, bandwidths=[0.1, 10.0])
    (0.1, 0.0)
    """
    values, targets = real_array("values", values), real_array("targets", targets)
    if values.ndim == 2:
        queries, keys = points(queries, keys)
        queries, keys, values, targets = queries[None], keys[None], values[None], targets[None]

    def error(bandwidth):
        pairs = zip(queries, keys, strict=True)
        weights = np.array([softmax(log_radial_kernel(*pair, bandwidth)) for pair in pairs])
        values_and_targets(weights, values, targets)
        return np.mean((weights @ values - targets) ** 2)

    errors = np.array([error(bandwidth) for bandwidth in bandwidths])
    return float(bandwidths[errors.argmin()]), float(errors.min())
