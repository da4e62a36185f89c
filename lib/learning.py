"""Learning what counts as alike: W_q and W_k by gradient descent, and the bandwidth the same way.

A kernel method is given its metric; attention finds one. The gradients are written out by hand and short:
`score_gradient` goes back through average and softmax, `projection_gradients` and `bandwidth_gradient` from there
to the maps and to h. Descent is the plainest that works, with momentum.

The tasks of chapter 6: imitate a smoother, average over a period, recall a value by its key.
"""

import math
from typing import NamedTuple

import numpy as np

from lib.checks import boolean_mask, non_negative, points, positive, random_generator, real_array, whole_number
from lib.kernels import log_radial_kernel
from lib.weights import softmax

# ------------------------------------------------------------------------------------------------ gradients


def score_gradient(scores, values, targets):
    """The mean squared error of softmax(scores) values, and its gradient with respect to the scores.

    Parameters
    ----------
    scores : (…, n_queries, n_keys) array
        −inf hides a key; each query needs one that is not hidden.
    values : (…, n_keys, c) array
    targets : (…, n_queries, c) array

    Returns
    -------
    loss : float
    gradient : array of the scores' shape

    Raises
    ------
    ValueError, TypeError
        For arrays that do not match, are empty or hold NaN; also in the next two functions.

    Notes
    -----
    Equation eq:score_gradient of chapter 6: with E the errors and N their number, G = (2/N) E Vᵀ is the gradient
    with respect to the weights A, and ∂L/∂S = A ∘ (G − Σⱼ A ∘ G). Descent raises a score if its value pulls the
    estimate to the target more than the values do on average.

    Examples
    --------
    >>> score_gradient(np.zeros((1, 2)), values=np.array([[0.0], [2.0]]), targets=np.array([[2.0]]))
    (1.0, array([[ 1., -1.]]))
    """
    weights = softmax(scores)
    values, targets = _values_and_targets(weights, values, targets)
    errors = weights @ values - targets
    weight_gradient = 2 / errors.size * errors @ np.swapaxes(values, -1, -2)
    pull = (weights * weight_gradient).sum(axis=-1, keepdims=True)
    return float(np.mean(errors**2)), weights * (weight_gradient - pull)


def _values_and_targets(weights, values, targets):
    """Both as floats, refused where their shapes would broadcast to other errors than one per target."""
    values, targets = real_array("values", values), real_array("targets", targets)
    *batch, n_queries, n_keys = weights.shape
    if values.ndim < 2 or values.shape[-2] != n_keys:
        raise ValueError(f"values: expected shape (…, {n_keys}, c), got {values.shape}")
    shape = (*np.broadcast_shapes(tuple(batch), values.shape[:-2]), n_queries, values.shape[-1])
    if targets.shape != shape:
        raise ValueError(f"targets: expected shape {shape}, got {targets.shape}")
    return values, targets


def projection_gradients(query_map, key_map, query_tokens, key_tokens, values, targets):
    """The mean squared error of attention with W_q and W_k, and its gradients with respect to both.

    Parameters
    ----------
    query_map, key_map : (rank, d_q) and (rank, d_k) arrays
        W_q and W_k.
    query_tokens : (…, n_queries, d_q) array
        Leading axes are batch: many sequences at once.
    key_tokens : (…, n_keys, d_k) array
    values : (…, n_keys, c) array
    targets : (…, n_queries, c) array

    Returns
    -------
    loss : float
    query_gradient, key_gradient : arrays of the maps' shapes

    Notes
    -----
    Equation eq:projection_gradients of chapter 6. Scores depend on the maps through M = W_qᵀW_k/τ alone, with
    the temperature τ = √rank of `lib.attention`: S = T_q M T_kᵀ. So ∂L/∂M = T_qᵀ (∂L/∂S) T_k, and from it
    ∂L/∂W_q = W_k (∂L/∂M)ᵀ/τ and ∂L/∂W_k = W_q (∂L/∂M)/τ.

    Examples
    --------
    >>> token, value = np.array([[1.0], [-1.0]]), np.array([[3.0], [0.0]])
    >>> loss, query_gradient, key_gradient = projection_gradients(
    ...     np.array([[0.0]]), np.array([[1.0]]), token, token, value, targets=value
    ... )
    >>> loss, query_gradient.tolist(), key_gradient.tolist()  # to raise W_q lowers the error
    (2.25, [[-4.5]], [[0.0]])
    """
    temperature = math.sqrt(len(query_map))
    scores = query_tokens @ (query_map.T @ key_map / temperature) @ np.swapaxes(key_tokens, -1, -2)
    loss, score_slope = score_gradient(scores, values, targets)
    pulled_keys = (score_slope @ key_tokens).reshape(-1, key_tokens.shape[-1])
    matrix_slope = query_tokens.reshape(-1, query_tokens.shape[-1]).T @ pulled_keys / temperature
    return loss, key_map @ matrix_slope.T, query_map @ matrix_slope


def bandwidth_gradient(log_bandwidth, queries, keys, values, targets, mask=None):
    """The mean squared error of Gaussian N–W, and its derivative with respect to log h.

    Parameters
    ----------
    log_bandwidth : float
        log h: whatever step is taken, h stays above zero.
    queries, keys : (n_queries,) and (n_keys,), or (n_queries, d) and (n_keys, d) arrays
    values : (n_keys, c) array
    targets : (n_queries, c) array
    mask : (n_queries, n_keys) boolean array or None
        True where the query may see the key. `~np.eye(n, dtype=bool)` leaves each point out of its own estimate;
        without it h shrinks to zero on its own data.

    Returns
    -------
    loss : float
    derivative : float

    Notes
    -----
    Equation eq:bandwidth_gradient of chapter 6: S = −‖q − k‖²/h², so ∂S/∂ log h = −2S.

    Examples
    --------
    >>> x, y = np.array([0.0, 1.0, 2.0]), np.array([[0.0], [1.0], [2.0]])
    >>> loss, derivative = bandwidth_gradient(0.0, x, x, y, y, mask=~np.eye(3, dtype=bool))
    >>> round(loss, 4), derivative > 0  # too large an h
    (0.7314, True)
    """
    scores = log_radial_kernel(queries, keys, math.exp(log_bandwidth))
    seen = scores if mask is None else np.where(boolean_mask("mask", mask), scores, -np.inf)
    loss, score_slope = score_gradient(seen, values, targets)
    return loss, float(-2 * (score_slope * scores).sum())


# -------------------------------------------------------------------------------------------------- descent


class Training(NamedTuple):
    """What a descent leaves behind."""

    parameters: tuple  # after the last step
    losses: np.ndarray  # (n_steps,), each before its step
    snapshots: dict  # step → parameters after so many steps


def descend(gradients, parameters, n_steps, step_size, momentum=0.9, keep=(), on_step=None):
    """Gradient descent with momentum; the step shrinks linearly to zero.

    Parameters
    ----------
    gradients : function (*parameters) → (loss, gradient of the first parameter, of the second, …)
        Called once per step; it may draw new data each time.
    parameters : sequence of arrays or numbers
        Where to start. They are not changed.
    n_steps : int ≥ 1
    step_size : float > 0
    momentum : float in [0, 1)
    keep : sequence of int
        After how many steps to keep the parameters: 0 is the start, n_steps the end.
    on_step : function (step, loss) or None
        Called after each step, from 1 on, with the loss before it: to print, or to draw.

    Returns
    -------
    Training

    Raises
    ------
    ValueError, TypeError
        If the loss leaves the finite numbers, which a smaller step prevents, or an argument is out of range.

    Notes
    -----
    Equation eq:momentum of chapter 6: u ← μ u − η ∂L/∂θ, θ ← θ + u. Source: Polyak (1964), "Some methods of
    speeding up the convergence of iteration methods", doi:10.1016/0041-5553(64)90137-5.

    Examples
    --------
    >>> parabola = lambda x: ((x - 3) ** 2, 2 * (x - 3))
    >>> training = descend(parabola, [0.0], n_steps=100, step_size=0.1)
    >>> round(float(training.parameters[0]), 1)
    3.0
    """
    n_steps, step_size = whole_number("n_steps", n_steps), positive("step_size", step_size)
    if non_negative("momentum", momentum) >= 1:
        raise ValueError(f"momentum: expected a number in [0, 1), got {momentum}")
    parameters = tuple(real_array("parameters", parameter).copy() for parameter in parameters)
    velocities = [np.zeros_like(parameter) for parameter in parameters]
    losses, snapshots = np.empty(n_steps), {0: parameters} if 0 in keep else {}
    for step in range(n_steps):
        losses[step], *slopes = gradients(*parameters)
        if not np.isfinite(losses[step]):
            raise ValueError(f"step_size: expected one small enough to descend, got {step_size} (at step {step})")
        size = step_size * (1 - step / n_steps)
        velocities = [momentum * v - size * slope for v, slope in zip(velocities, slopes, strict=True)]
        parameters = tuple((p + v).astype(p.dtype) for p, v in zip(parameters, velocities, strict=True))
        if step + 1 in keep:
            snapshots[step + 1] = parameters
        if on_step is not None:
            on_step(step + 1, float(losses[step]))
    return Training(parameters, losses, snapshots)


def train_projections(sample, rank, n_steps, step_size, rng, keep=(), on_step=None):
    """Learn W_q and W_k from small random numbers.

    Parameters
    ----------
    sample : function () → Task
        Called once per step. `lambda: task` trains on the same task all along.
    rank : int ≥ 1
        The number of rows of the maps.
    n_steps, step_size, keep, on_step
        As in `descend`.
    rng : numpy.random.Generator, a seed, or None
        Draws the start, of standard deviation 0.1.

    Returns
    -------
    Training, with parameters (W_q, W_k) for `lib.attention.attention` at its default temperature √rank

    Raises
    ------
    ValueError, TypeError
        As `descend`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> tokens = np.eye(5)
    >>> task = Task(tokens, tokens, values=np.arange(5.0)[:, None], targets=np.arange(5.0)[:, None])
    >>> training = train_projections(lambda: task, rank=5, n_steps=200, step_size=1.0, rng=rng)
    >>> bool(training.losses[-1] < 0.01 * training.losses[0])
    True
    """
    rank, rng, task = whole_number("rank", rank), random_generator("rng", rng), sample()
    sizes = task.query_tokens.shape[-1], task.key_tokens.shape[-1]
    maps = [rng.normal(scale=0.1, size=(rank, size)) for size in sizes]
    return descend(
        lambda *maps: projection_gradients(*maps, *sample()), maps, n_steps, step_size, keep=keep, on_step=on_step
    )


# ---------------------------------------------------------------------------------------------------- tasks


class Task(NamedTuple):
    """What to attend to, and what should come of it. Leading axes, where there are any, are batch."""

    query_tokens: np.ndarray  # (…, n_queries, d_q)
    key_tokens: np.ndarray  # (…, n_keys, d_k)
    values: np.ndarray  # (…, n_keys, c)
    targets: np.ndarray  # (…, n_queries, c)


def imitation_task(tokens, bandwidth):
    """Do what a Gaussian smoother does, to every signal.

    Parameters
    ----------
    tokens : (n, d) array
        One for each of the positions 0, 1, …, n − 1, such as their positional encoding.
    bandwidth : float > 0
        h of the smoother, in positions.

    Returns
    -------
    Task: the values are the n unit impulses and the targets the smoother's answers, so that the loss is the mean
    squared difference of the two matrices of weights

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


def periodic_task(tokens, n_signals, rng, period=2 * np.pi, noise_std=0.5):
    """Remove the noise from periodic signals. The next sample of the same phase lies a whole period away.

    Parameters
    ----------
    tokens : (n, d) array
        One for each of the positions 0, 1, …, n − 1.
    n_signals : int ≥ 1
    rng : numpy.random.Generator, a seed, or None
    period : float > 0
        In positions.
    noise_std : float ≥ 0

    Returns
    -------
    Task: the values are the noisy signals, one per column, the targets the clean ones. A signal is a sum of three
    harmonics with random amplitudes and variance 1.

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


def recall_task(rotation, n_sequences, rng, n_pairs=12, noise_std=0.1):
    """Find a stored pair by its key: the question is the key, turned by an unknown rotation and a little noisy.

    Parameters
    ----------
    rotation : (d, d) array
        The same for all sequences; W_qᵀW_k has to find it.
    n_sequences : int ≥ 1
    rng : numpy.random.Generator, a seed, or None
    n_pairs : int ≥ 2
        Keys and values in a sequence, all new: there is nothing to remember but the rotation.
    noise_std : float ≥ 0

    Returns
    -------
    Task with leading axis n_sequences and, for each, as many questions as pairs, in another order

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


def best_bandwidth(queries, keys, values, targets, bandwidths):
    """The Gaussian smoother that comes nearest to the targets: what a kernel can do without learning a metric.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array, or (n_sequences, n_queries, d)
        Where to smooth: positions, or contents.
    keys : (n_keys,) or (n_keys, d) array, or (n_sequences, n_keys, d)
    values : (n_keys, c) array, or (n_sequences, n_keys, c)
    targets : (n_queries, c) array, or (n_sequences, n_queries, c)
    bandwidths : (n,) array of candidates > 0

    Returns
    -------
    bandwidth : float, the best candidate, judged by the targets themselves: no choice from data could do better
    error : float, its mean squared error

    Raises
    ------
    ValueError, TypeError
        For arrays that do not match, are empty or hold NaN or inf.

    Examples
    --------
    >>> x, y = np.array([0.0, 1.0]), np.array([[1.0], [2.0]])
    >>> best_bandwidth(x, x, y, y, bandwidths=[0.1, 10.0])
    (0.1, 0.0)
    """
    values, targets = real_array("values", values), real_array("targets", targets)
    if values.ndim == 2:
        queries, keys = points(queries, keys)
        queries, keys, values, targets = queries[None], keys[None], values[None], targets[None]

    def error(bandwidth):
        pairs = zip(queries, keys, strict=True)
        weights = np.array([softmax(log_radial_kernel(*pair, bandwidth)) for pair in pairs])
        _values_and_targets(weights, values, targets)
        return np.mean((weights @ values - targets) ** 2)

    errors = np.array([error(bandwidth) for bandwidth in bandwidths])
    return float(bandwidths[errors.argmin()]), float(errors.min())
