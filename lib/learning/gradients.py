"""Hand-written gradients of the mean squared error with respect to scores, projections and the bandwidth."""

import math

import numpy as np

from lib.checks import boolean_mask, real_array
from lib.kernels import log_radial_kernel
from lib.weights import softmax


def score_gradient(scores, values, targets):
    """Compute the mean squared error of softmax(scores) · values, and its gradient with respect to the scores.

    Parameters
    ----------
    scores : (…, n_queries, n_keys) array
        −inf masks a key; each query needs at least one unmasked key.
    values : (…, n_keys, c) array
    targets : (…, n_queries, c) array

    Returns
    -------
    loss : float
    gradient : array of the scores' shape

    Notes
    -----
    Equation eq:score_gradient of chapter 6: with E the errors and N their number, G = (2/N) E Vᵀ is the gradient
    with respect to the weights A, and ∂L/∂S = A ∘ (G − Σⱼ A ∘ G). Gradient descent raises a score if its value
    moves the estimate towards the target more than the average value does.

    Examples
    --------
    >>> score_gradient(np.zeros((1, 2)), values=np.array([[0.0], [2.0]]), targets=np.array([[2.0]]))
    (1.0, array([[ 1., -1.]]))
    """
    weights = softmax(scores)
    values, targets = values_and_targets(weights, values, targets)
    errors = weights @ values - targets
    weight_gradient = 2 / errors.size * errors @ np.swapaxes(values, -1, -2)
    pull = (weights * weight_gradient).sum(axis=-1, keepdims=True)
    return float(np.mean(errors**2)), weights * (weight_gradient - pull)


def values_and_targets(weights, values, targets):
    """Validate values and targets; raise an error if broadcasting would not give one error per target."""
    values, targets = real_array("values", values), real_array("targets", targets)
    *batch, n_queries, n_keys = weights.shape
    if values.ndim < 2 or values.shape[-2] != n_keys:
        raise ValueError(f"values: expected shape (…, {n_keys}, c), got {values.shape}")
    shape = (*np.broadcast_shapes(tuple(batch), values.shape[:-2]), n_queries, values.shape[-1])
    if targets.shape != shape:
        raise ValueError(f"targets: expected shape {shape}, got {targets.shape}")
    return values, targets


def projection_gradients(query_map, key_map, query_tokens, key_tokens, values, targets):
    """Compute the mean squared error of attention with W_q and W_k, and its gradients with respect to both.

    Parameters
    ----------
    query_map, key_map : (rank, d_q) and (rank, d_k) arrays
        W_q and W_k.
    query_tokens : (…, n_queries, d_q) array
        Leading axes are batch dimensions, for several sequences at once.
    key_tokens : (…, n_keys, d_k) array
    values : (…, n_keys, c) array
    targets : (…, n_queries, c) array

    Returns
    -------
    loss : float
    query_gradient, key_gradient : arrays of the projections' shapes

    Notes
    -----
    Equation eq:projection_gradients of chapter 6. Scores depend on the projections only through M = W_qᵀW_k/τ,
    with the temperature τ = √rank of `lib.attention`: S = T_q M T_kᵀ. So ∂L/∂M = T_qᵀ (∂L/∂S) T_k, and from it
    ∂L/∂W_q = W_k (∂L/∂M)ᵀ/τ and ∂L/∂W_k = W_q (∂L/∂M)/τ.

    Examples
    --------
    >>> token, value = np.array([[1.0], [-1.0]]), np.array([[3.0], [0.0]])
    >>> loss, query_gradient, key_gradient = projection_gradients(
    ...     np.array([[0.0]]), np.array([[1.0]]), token, token, value, targets=value
    ... )
    >>> loss, query_gradient.tolist(), key_gradient.tolist()  # raising W_q lowers the error
    (2.25, [[-4.5]], [[0.0]])
    """
    temperature = math.sqrt(len(query_map))
    scores = query_tokens @ (query_map.T @ key_map / temperature) @ np.swapaxes(key_tokens, -1, -2)
    loss, score_slope = score_gradient(scores, values, targets)
    pulled_keys = (score_slope @ key_tokens).reshape(-1, key_tokens.shape[-1])
    matrix_slope = query_tokens.reshape(-1, query_tokens.shape[-1]).T @ pulled_keys / temperature
    return loss, key_map @ matrix_slope.T, query_map @ matrix_slope


def bandwidth_gradient(log_bandwidth, queries, keys, values, targets, *, mask=None):
    """Compute the mean squared error of Gaussian N–W, and its derivative with respect to log h.

    Parameters
    ----------
    log_bandwidth : float
        log h, so that h stays positive after every step.
    queries, keys : (n_queries,) and (n_keys,), or (n_queries, d) and (n_keys, d) arrays
    values : (n_keys, c) array
    targets : (n_queries, c) array
    mask : (n_queries, n_keys) boolean array or None
        True where the query may attend to the key. `~np.eye(n, dtype=bool)` excludes each point from its own
        estimate; without a mask, h converges to zero if the queries are the keys.

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
    >>> round(loss, 4), derivative > 0  # h is too large
    (0.7314, True)
    """
    scores = log_radial_kernel(queries, keys, math.exp(log_bandwidth))
    seen = scores if mask is None else np.where(boolean_mask("mask", mask), scores, -np.inf)
    loss, score_slope = score_gradient(seen, values, targets)
    return loss, float(-2 * (score_slope * scores).sum())
