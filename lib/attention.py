"""Attention: the weighted average whose log-weights are inner products.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d) V

Queries, keys and values are rows. With h² = 2√d, q·k/√d = −‖q − k‖²/h² + ‖q‖²/h² + ‖k‖²/h². The query's norm is
the same for all keys and cancels; the key's does not. So these are the weights of Gaussian N–W with a prior
exp(‖k‖²/h²) on the keys: identical if the keys have equal norms, and not in general.

Vaswani et al. (2017), "Attention is all you need", doi:10.48550/arXiv.1706.03762; before it Bahdanau, Cho & Bengio
(2015), "Neural machine translation by jointly learning to align and translate", doi:10.48550/arXiv.1409.0473.
"""

import math

import numpy as np

from lib.checks import positive, real_array, whole_number
from lib.weights import BLOCK_KEYS, BLOCK_QUERIES, LOG2E, average, float_type, softmax, streamed_average


def attention_weights(queries, keys, temperature=None, mask=None):
    """The weight that each query gives to each key.

    Parameters
    ----------
    queries : (…, n_queries, d) array
    keys : (…, n_keys, d) array
        Leading axes are batch and follow the rules of broadcasting, here and in what follows.
    temperature : float > 0, or None for √d
        τ, what inner products are divided by. The variance of q·k is d for independent entries of variance 1: √d
        brings it back to 1.
    mask : boolean array, broadcast to (…, n_queries, n_keys), or None
        True where the query may attend to the key.

    Returns
    -------
    (…, n_queries, n_keys) array; rows sum to 1, or to 0 where the mask leaves no key. float32 if queries and keys
    are, else float64.

    Raises
    ------
    ValueError, TypeError
        For arrays that do not match, are empty or hold NaN or inf; a temperature that is not a finite number above
        zero; a mask that is not boolean.

    Notes
    -----
    Equation eq:attention_weights of chapter 6.

    Examples
    --------
    >>> attention_weights([[1.0]], [[0.0], [np.log(3.0)]])
    array([[0.25, 0.75]])
    """
    queries, keys = real_array("queries", queries), real_array("keys", keys)
    temperature = _temperature(queries, keys, temperature)
    _batch(queries=queries, keys=keys)
    return _weights(queries, keys, temperature, mask).astype(float_type(queries, keys), copy=False)


def _weights(queries, keys, temperature, mask):
    """The weights in float64: of large keys, float32 would lose the digits of the scores, or overflow."""
    scores = np.matmul(queries, np.swapaxes(keys, -1, -2), dtype=np.float64) / temperature
    if mask is not None:
        scores = np.where(_broadcast_mask(mask, scores.shape), scores, -np.inf)
    return softmax(scores)


def attention(queries, keys, values, temperature=None, mask=None):
    """Average the values with weights softmax(q·k/τ).

    Parameters
    ----------
    queries : (…, n_queries, d) array
    keys : (…, n_keys, d) array
    values : (n_keys,) or (…, n_keys, c) array
    temperature : float > 0, or None for √d
        τ, as in `attention_weights`.
    mask : boolean array, broadcast to (…, n_queries, n_keys), or None
        True where the query may attend to the key. A hidden key has no influence at all.

    Returns
    -------
    (…, n_queries) array for values (n_keys,), else (…, n_queries, c); float32 if all three arrays are, else
    float64. A query that may attend to no key has no estimate: NaN. (PyTorch gives 0 there, d2l the mean of all
    values.)

    Raises
    ------
    ValueError, TypeError
        As `attention_weights`, and for values that do not match the keys.

    Notes
    -----
    Equation eq:attention of chapter 6: `average(attention_weights(…), values)`. Long sequences are streamed: the
    memory does not grow with n_queries × n_keys.

    Examples
    --------
    >>> attention([[1.0]], [[0.0], [np.log(3.0)]], [4.0, 8.0])
    array([7.])
    >>> attention([[1.0]], [[0.0], [9.0]], [4.0, 8.0], mask=[[True, False]])
    array([4.])
    """
    queries, keys = real_array("queries", queries), real_array("keys", keys)
    values = real_array("values", values)
    temperature = _temperature(queries, keys, temperature)
    n_queries, n_keys = queries.shape[-2], keys.shape[-2]
    columns = values[:, None] if values.ndim == 1 else values
    if columns.ndim == 0 or columns.shape[-2] != n_keys:
        raise ValueError(f"values: expected shape ({n_keys},) or (…, {n_keys}, c), got {values.shape}")
    batch, dtype = _batch(queries=queries, keys=keys, values=columns), float_type(queries, keys, values)
    if n_queries * n_keys <= BLOCK_QUERIES * BLOCK_KEYS:
        estimate = average(_weights(queries, keys, temperature, mask), columns)
    else:
        if mask is not None:
            mask = _broadcast_mask(mask, (*batch, n_queries, n_keys))
            batch = mask.shape[:-2]
        queries, keys, columns = (np.broadcast_to(a, batch + a.shape[-2:]) for a in (queries, keys, columns))
        estimate = np.empty((*batch, n_queries, columns.shape[-1]), dtype)
        for i in np.ndindex(batch):
            visible = None if mask is None else mask[i]
            estimate[i] = _streamed(queries[i], keys[i], columns[i], temperature, visible)
    return (estimate[..., 0] if values.ndim == 1 else estimate).astype(dtype, copy=False)


def _streamed(queries, keys, values, temperature, mask):
    """Attention over one sequence, block by block.

    softmax does not change when a number is added to a whole row. So the keys may be centred, which is kind to
    float32, and the Cauchy–Schwarz bound q·k ≤ ‖q‖ max‖k‖ may be subtracted: it stands in for the row's maximum,
    which would take another pass. The bound is one more column of the queries, where the keys have a one.
    """
    if mask is not None:  # a key that nobody sees, such as padding, must not move the mean or raise the bound
        seen = mask.any(axis=0)
        keys = np.where(seen[:, None], keys, keys[seen.argmax()])
    keys = keys - keys.mean(axis=0, dtype=np.float64).astype(keys.dtype)
    norms = [np.sqrt(np.einsum("nd,nd->n", a, a, dtype=np.float64)) for a in (queries, keys)]
    bound = norms[0] * (norms[1].max() * LOG2E / temperature)
    if not np.isfinite(bound).all():
        raise ValueError("queries and keys: expected inner products within the range of float64, got larger ones")
    # Rounding errs by about eps times the bound: float32 serves while that is small.
    exact_enough = bound.max() * np.finfo(np.float32).eps < 1e-3
    dtype = float_type(queries, keys, values) if exact_enough else np.float64
    scaled = queries.astype(dtype, copy=False) * dtype(LOG2E / temperature)
    queries_and_bound = np.column_stack([scaled, -bound.astype(dtype)])
    keys_and_one = np.column_stack([keys.astype(dtype, copy=False), np.ones(len(keys), dtype)])

    def log2_weights(columns, dtype):
        key_side = np.ascontiguousarray(keys_and_one[columns].T, dtype)
        return lambda rows: queries_and_bound[rows].astype(dtype, copy=False) @ key_side

    return streamed_average(log2_weights, values, len(queries), dtype, mask)


def _temperature(queries, keys, temperature):
    """τ, for queries and keys that go together."""
    if min(queries.ndim, keys.ndim) < 2 or queries.shape[-1] != keys.shape[-1]:
        shapes = f"{queries.shape} and {keys.shape}"
        raise ValueError(f"queries and keys: expected (…, n_queries, d) and (…, n_keys, d), got {shapes}")
    return math.sqrt(keys.shape[-1]) if temperature is None else positive("temperature", temperature)


def _batch(**arrays):
    """The leading axes of all arrays together."""
    try:
        return np.broadcast_shapes(*(array.shape[:-2] for array in arrays.values()))
    except ValueError:
        shapes = ", ".join(str(array.shape) for array in arrays.values())
        raise ValueError(f"{', '.join(arrays)}: expected leading axes that broadcast, got {shapes}") from None


def _broadcast_mask(mask, shape):
    """The mask as (…, n_queries, n_keys); its own leading axes are batch too."""
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise TypeError(f"mask: expected booleans, True where a query may attend, got dtype {mask.dtype}")
    try:
        result = np.broadcast_to(mask, np.broadcast_shapes(mask.shape, shape))
    except ValueError:
        result = None
    if result is None or result.shape[-2:] != shape[-2:]:
        raise ValueError(f"mask: expected a shape that broadcasts to {shape}, got {mask.shape}")
    return result


def causal_mask(n):
    """Which keys a query may see when none may look ahead: key j ≤ query i.

    Parameters
    ----------
    n : int ≥ 1

    Returns
    -------
    (n, n) boolean array

    Raises
    ------
    ValueError, TypeError
        If n is not a whole number above zero.

    Notes
    -----
    Equation eq:causal_mask of chapter 6.

    Examples
    --------
    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    """
    return np.tri(whole_number("n", n), dtype=bool)


def multi_head_attention(
    queries, keys, values, query_maps, key_maps, value_maps, output_map=None, temperature=None, mask=None
):
    """Several attentions side by side, each with its own maps: several kernels at once.

    Parameters
    ----------
    queries : (…, n_queries, d_q) array
    keys : (…, n_keys, d_k) array
    values : (…, n_keys, d_v) array
    query_maps : (n_heads, d, d_q) array
        W_q of each head.
    key_maps : (n_heads, d, d_k) array
        W_k
    value_maps : (n_heads, c, d_v) array
        W_v
    output_map : (d_out, n_heads·c) array, or None for the identity
        W_o, which mixes the heads.
    temperature : float > 0, or None for √d
    mask : boolean array, broadcast to (…, n_queries, n_keys), or None
        The same for every head.

    Returns
    -------
    (…, n_queries, n_heads·c) array, the heads' estimates next to each other, or (…, n_queries, d_out)

    Raises
    ------
    ValueError, TypeError
        For arrays that do not match, are empty or hold NaN or inf, and as `attention`.

    Notes
    -----
    Equation eq:multi_head of chapter 6. Source: Vaswani et al. (2017), section 3.2.2. A framework that stores all
    heads in one matrix (n_heads·d, d_q) has the same numbers: `matrix.reshape(n_heads, d, d_q)`.

    Examples
    --------
    >>> tokens, identity = np.array([[0.0], [1.0]]), np.ones((1, 1, 1))
    >>> bool(np.all(multi_head_attention(tokens, tokens, tokens, identity, identity, identity)
    ...             == attention(tokens, tokens, tokens)))
    True
    """
    queries, keys, values = (
        _map_heads(name, array, maps)
        for name, array, maps in [
            ("queries", queries, query_maps),
            ("keys", keys, key_maps),
            ("values", values, value_maps),
        ]
    )
    mask = None if mask is None else np.asarray(mask)
    if mask is not None and mask.ndim > 2:
        mask = mask[..., None, :, :]
    heads = attention(queries, keys, values, temperature, mask)
    side_by_side = np.swapaxes(heads, -3, -2).reshape(*heads.shape[:-3], heads.shape[-2], -1)
    if output_map is None:
        return side_by_side
    output_map = real_array("output_map", output_map)
    if output_map.ndim != 2 or output_map.shape[1] != side_by_side.shape[-1]:
        raise ValueError(f"output_map: expected shape (d_out, {side_by_side.shape[-1]}), got {output_map.shape}")
    return side_by_side @ output_map.T


def _map_heads(name, array, maps):
    """(…, n, d_in) and (n_heads, d_out, d_in) to (…, n_heads, n, d_out)."""
    array, maps = real_array(name, array), real_array(f"maps of the {name}", maps)
    if array.ndim < 2 or maps.ndim != 3 or array.shape[-1] != maps.shape[-1]:
        raise ValueError(
            f"{name} and their maps: expected (…, n, d) and (n_heads, d_out, d), "
            f"got {array.shape} and {maps.shape}"
        )
    return array[..., None, :, :] @ np.swapaxes(maps, -1, -2)


def encoding_frequencies(dimension, base=10_000.0):
    """The frequencies ω of the positional encoding, from 1 down towards 1/base.

    Parameters
    ----------
    dimension : int ≥ 2, even
    base : float > 0

    Returns
    -------
    (dimension/2,) array, base^(−2i/dimension) in radians a position

    Examples
    --------
    >>> encoding_frequencies(4)
    array([1.  , 0.01])
    """
    dimension = whole_number("dimension", dimension)
    if dimension % 2:
        raise ValueError(f"dimension: expected an even number, a sine and a cosine each, got {dimension}")
    return positive("base", base) ** (-np.arange(0, dimension, 2) / dimension)


def positional_encoding(n_positions, dimension, base=10_000.0):
    """Sines and cosines of the positions 0, 1, …, n − 1.

    Parameters
    ----------
    n_positions : int ≥ 1
    dimension : int ≥ 2, even
    base : float > 0
        The paper's 10 000; smaller for short sequences.

    Returns
    -------
    (n_positions, dimension) array: sin ωp in the even columns, cos ωp in the odd ones

    Raises
    ------
    ValueError, TypeError
        If n_positions is below 1, or the dimension odd or below 2.

    Notes
    -----
    Chapter 6, beside eq:pe_inner_product. Source: Vaswani et al. (2017), section 3.5. The inner
    product depends on the distance alone, PE(i)·PE(j) = Σ_ω cos ω(i − j) (eq:pe_inner_product): attention on
    encodings is smoothing with a kernel that is the same everywhere.

    Examples
    --------
    >>> positional_encoding(2, 2).round(3)
    array([[0.   , 1.   ],
           [0.841, 0.54 ]])
    """
    angles = np.arange(whole_number("n_positions", n_positions))[:, None] * encoding_frequencies(dimension, base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n_positions, dimension)
