"""Gradient descent with momentum, and the training of one head's projections with it."""

from typing import NamedTuple

import numpy as np

from lib.checks import non_negative, positive, random_generator, real_array, whole_number
from lib.learning.gradients import projection_gradients


class Training(NamedTuple):
    """The result of a gradient descent."""

    parameters: tuple  # after the last step
    losses: np.ndarray  # (n_steps,), each computed before its step
    snapshots: dict  # number of steps → parameters after them


def descend(gradients, parameters, n_steps, step_size, *, momentum=0.9, keep=(), on_step=None):
    """Minimise by gradient descent with momentum; the step size decreases linearly to zero.

    Parameters
    ----------
    gradients : function (*parameters) → (loss, gradient of the first parameter, of the second, …)
        Called once per step; it may draw new data in each call.
    parameters : sequence of arrays or numbers
        The starting point. They are not modified.
    n_steps : int ≥ 1
    step_size : float > 0
    momentum : float in [0, 1)
    keep : sequence of int
        Numbers of steps after which to store the parameters: 0 is the start, n_steps the end.
    on_step : function (step, loss) or None
        Called after each step, counted from 1, with the loss before it, for example to print or plot it.

    Returns
    -------
    Training

    Raises
    ------
    ValueError
        If the loss becomes infinite or NaN, which a smaller step size prevents.

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


def train_projections(sample, rank, n_steps, step_size, *, rng=None, keep=(), on_step=None):
    """Train W_q and W_k, starting from small random numbers.

    Parameters
    ----------
    sample : function () → Task
        Called once per step. `lambda: task` always trains on the same task.
    rank : int ≥ 1
        The number of rows of the projections.
    n_steps, step_size, keep, on_step
        As in `descend`.
    rng : numpy.random.Generator, a seed, or None
        Used to draw the starting point, with standard deviation 0.1.

    Returns
    -------
    Training, with parameters (W_q, W_k) for `lib.attention.attention` at its default temperature √rank

    Examples
    --------
    >>> from lib.learning import Task
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
