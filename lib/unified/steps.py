"""From the metric to queries, keys and values: Q = W_qᵀW_k, tokens with their norms, values of any dimension."""

import numpy as np

from lib.checks import as_points, points, real_array, whole_number
from lib.weights import average, softmax


def factor(metric, rank=None):
    """Factor a metric as W_qᵀ W_k.

    Parameters
    ----------
    metric : (d, d) array
        Q, which need not be symmetric or positive semi-definite.
    rank : int from 1 to d, or None for the rank of Q
        The number of rows to keep, those with the largest singular values.

    Returns
    -------
    query_map, key_map : (rank, d) arrays
        W_q and W_k. For a symmetric positive semi-definite Q they are equal; an eigenvalue below zero gives a pair
        of rows of opposite sign.

    Notes
    -----
    M = W_qᵀW_k in eq:bilinear_kernel of chapter 5, from the singular value decomposition U S Vᵀ: W_q = √S Uᵀ,
    W_k = √S Vᵀ. With fewer rows this is the best approximation of Q of that rank: Eckart & Young (1936),
    doi:10.1007/BF02288367.

    Examples
    --------
    >>> query_map, key_map = factor([[0.0, 2.0], [0.0, 0.0]])
    >>> query_map.shape, bool(np.allclose(query_map.T @ key_map, [[0, 2], [0, 0]]))
    ((1, 2), True)
    """
    metric = real_array("metric", metric)
    if metric.ndim != 2 or metric.shape[0] != metric.shape[1]:
        raise ValueError(f"metric: expected shape (d, d), got {metric.shape}")
    if rank is not None and whole_number("rank", rank) > len(metric):
        raise ValueError(f"rank: expected 1 to {len(metric)}, got {rank}")
    left, sizes, right = np.linalg.svd(metric)
    if rank is None:
        rank = max(1, int((sizes > sizes[0] * len(metric) * np.finfo(metric.dtype).eps).sum()))
    roots = np.sqrt(sizes[:rank, None])
    return roots * left.T[:rank], roots * right[:rank]


def log_bilinear_kernel(queries, keys, query_map, key_map):
    """Compute log-weights as inner products of projected queries and keys, (W_q tᵢ)·(W_k tⱼ).

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array
    keys : (n_keys,) or (n_keys, d) array
    query_map, key_map : (rank, d) arrays
        W_q and W_k.

    Returns
    -------
    (n_queries, n_keys) array

    Notes
    -----
    Equation eq:bilinear_kernel of chapter 5. Of −(tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ) = 2tᵢᵀQtⱼ − tᵢᵀQtᵢ − tⱼᵀQtⱼ only the first
    term remains, with 2Q = W_qᵀW_k. The second is the same for all keys and does not affect the weights. The third
    is a prior on the keys, so the weights equal those of the Gaussian if and only if all keys have the same tᵀQt,
    or carry it as a feature (`carry_norms`). exp(tᵢᵀMtⱼ) is a Mercer kernel on all vectors if and only if M =
    W_qᵀW_k is symmetric positive semi-definite.

    Examples
    --------
    >>> log_bilinear_kernel([1.0, 2.0], [3.0], query_map=[[1.0]], key_map=[[10.0]])
    array([[30.],
           [60.]])
    """
    queries, keys = points(queries, keys)
    query_map, key_map = real_array("query_map", query_map), real_array("key_map", key_map)
    for name, array in [("query_map", query_map), ("key_map", key_map)]:
        if array.shape != (*query_map.shape[:1], keys.shape[1]):
            raise ValueError(
                f"{name}: expected shape (rank, {keys.shape[1]}), one rank for both, got {array.shape}"
            )
    return (queries @ query_map.T) @ (keys @ key_map.T).T


def carry_norms(tokens, metrics):
    """Append to each token its squared norms and a constant 1, t̃ = [t, tᵀQ₁t, …, tᵀQ_bt, 1].

    Parameters
    ----------
    tokens : (n,) or (n, d) array
        t
    metrics : (d, d) or (b, d, d) array
        Q, or several metrics with separate weights, such as one per block; one norm is appended for each.

    Returns
    -------
    (n, d + b + 1) array

    Notes
    -----
    Equation eq:norm_carrying of chapter 6. With these features the Gaussian kernel is an inner product,
    −(tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ) = t̃ᵢᵀ M t̃ⱼ for the matrix M of `norm_carrying_metric`, for any norms.

    Examples
    --------
    >>> carry_norms([[3.0, 4.0]], np.eye(2))
    array([[ 3.,  4., 25.,  1.]])
    """
    tokens = as_points("tokens", tokens)
    metrics = _stack_of_metrics(metrics, tokens.shape[1])
    norms = np.einsum("nd,bde,ne->nb", tokens, metrics, tokens, optimize=True)
    return np.column_stack([tokens, norms, np.ones(len(tokens))])


def norm_carrying_metric(metrics, scales=None):
    """Return the matrix M such that t̃ᵢᵀMt̃ⱼ = −Σ_b c_b (tᵢ − tⱼ)ᵀQ_b(tᵢ − tⱼ).

    Parameters
    ----------
    metrics : (d, d) or (b, d, d) array
        The metrics of the appended norms, as in `carry_norms`.
    scales : (b,) array, or None for ones
        c_b, for example 1/h_b².

    Returns
    -------
    (d + b + 1, d + b + 1) symmetric array. It is not positive semi-definite, because it pairs the norm of one
    token with minus the constant of the other. Therefore `factor` returns W_q ≠ W_k.

    Notes
    -----
    Equation eq:norm_carrying of chapter 6: M = [[Σ c_b(Q_b + Q_bᵀ), 0, 0], [0, 0, −c], [0, −cᵀ, 0]].

    Examples
    --------
    >>> norm_carrying_metric([[1.0]], scales=[0.25])
    array([[ 0.5 ,  0.  ,  0.  ],
           [ 0.  ,  0.  , -0.25],
           [ 0.  , -0.25,  0.  ]])
    """
    metrics = _stack_of_metrics(metrics)
    scales = np.ones(len(metrics)) if scales is None else real_array("scales", scales)
    if scales.shape != metrics.shape[:1]:
        raise ValueError(f"scales: expected shape {metrics.shape[:1]}, one per metric, got {scales.shape}")
    dimension = metrics.shape[-1]
    result = np.zeros((dimension + len(metrics) + 1,) * 2)
    weighted = np.tensordot(scales, metrics, axes=1)
    result[:dimension, :dimension] = weighted + weighted.T
    result[dimension:-1, -1] = result[-1, dimension:-1] = -scales
    return result


def _stack_of_metrics(metrics, dimension=None):
    """Validate metrics and return them as (b, d, d)."""
    metrics = real_array("metrics", metrics)
    d = "d" if dimension is None else dimension
    if metrics.ndim not in (2, 3) or metrics.shape[-2:] != (dimension or metrics.shape[-1],) * 2:
        raise ValueError(f"metrics: expected shape ({d}, {d}) or (b, {d}, {d}), got {metrics.shape}")
    return metrics.reshape(-1, *metrics.shape[-2:])


def attend(query_tokens, key_tokens, query_map, key_map, value_map):
    """Compute attention, the result of the five steps: average W_v tⱼ with weights softmax((W_q tᵢ)·(W_k tⱼ)).

    Parameters
    ----------
    query_tokens : (n_queries,) or (n_queries, d) array
    key_tokens : (n_keys,) or (n_keys, d) array
    query_map, key_map : (rank, d) arrays
        W_q and W_k; the slides' Q and K.
    value_map : (c, d) array
        W_v; the slides' V. `[[0, 1]]` selects the value y of t = [x; y], as in scalar regression.

    Returns
    -------
    (n_queries, c) array

    Notes
    -----
    Equation eq:five_steps of chapter 5. `lib.attention` adds temperature, masks, heads and streaming.

    Examples
    --------
    >>> tokens = np.array([[0.0, 10.0], [1.0, 20.0]])  # t = [x; y]
    >>> attend(tokens, tokens, query_map=[[0.0, 0.0]], key_map=[[0.0, 0.0]], value_map=[[0.0, 1.0]])
    array([[15.],
           [15.]])
    """
    query_tokens, key_tokens = points(query_tokens, key_tokens, names=("query_tokens", "key_tokens"))
    value_map = real_array("value_map", value_map)
    if value_map.ndim != 2 or value_map.shape[1] != key_tokens.shape[1]:
        raise ValueError(f"value_map: expected shape (c, {key_tokens.shape[1]}), got {value_map.shape}")
    weights = softmax(log_bilinear_kernel(query_tokens, key_tokens, query_map, key_map))
    return average(weights, key_tokens @ value_map.T)
