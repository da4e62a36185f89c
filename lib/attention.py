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

from lib.checks import boolean_mask, broadcast_leading_axes, floats, positive, real_array, whole_number
from lib.weights import BLOCK_KEYS, BLOCK_QUERIES, LOG2E, average, float_type, softmax, streamed_average

TINY = 64 * 64  # weights of one sequence: a loop over a batch of these would be slower than all at once


def attention_weights(queries, keys, temperature=None, mask=None, bias=None):
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
    bias : array, broadcast to (…, n_queries, n_keys), or None
        What is added to the log-weights q·k/τ, such as a number for each distance of two words. −inf hides a key.

    Returns
    -------
    (…, n_queries, n_keys) array; rows sum to 1, or to 0 where the mask leaves no key. float32 if queries and keys
    are float32 or float16, else float64.

    Raises
    ------
    ValueError, TypeError
        For arrays that do not match, are empty or hold NaN or inf; a temperature that is not a finite number above
        zero; a mask that is not boolean; a bias with NaN or +inf; inner products over τ beyond float64.

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
    batch = broadcast_leading_axes(queries=queries, keys=keys)
    mask, bias, _ = _over_pairs(mask, bias, (*batch, queries.shape[-2], keys.shape[-2]))
    return _weights(queries, keys, temperature, mask, bias).astype(float_type(queries, keys), copy=False)


def _weights(queries, keys, temperature, mask, bias):
    """The weights in float64: of large keys, float32 would lose the digits of the scores, or overflow."""
    queries, keys = queries.astype(np.float64, copy=False), keys.astype(np.float64, copy=False)
    with np.errstate(over="ignore", invalid="ignore"):
        scores = queries @ np.swapaxes(keys, -1, -2) / temperature
        if mask is not None:
            scores = np.where(mask, scores, 0)  # a hidden key may have any size
        _refuse_overflow(scores)
        if bias is not None:
            scores = scores + (bias - _largest_bias(bias, mask))
    return softmax(scores if mask is None else np.where(mask, scores, -np.inf))


def _largest_bias(bias, mask):
    """The largest bias in each row, of the keys that it may see.

    Less this, a bias gives the same weights, and a huge one no longer swallows the scores.
    """
    if mask is not None:
        bias, mask = np.broadcast_arrays(bias, mask)
    largest = bias.max(axis=-1, keepdims=True, where=True if mask is None else mask, initial=-np.inf)
    return np.where(largest > -np.inf, largest, 0.0).astype(np.float64)


def attention(queries, keys, values, temperature=None, mask=None, bias=None):
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
    bias : array, broadcast to (…, n_queries, n_keys), or None
        As in `attention_weights`.

    Returns
    -------
    (…, n_queries) array for values (n_keys,), else (…, n_queries, c); float32 if all three arrays are
    float32 or float16, else float64. A query that may attend to no key has no estimate: NaN. (PyTorch gives 0
    there, d2l the mean of all values.)

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
    batch = broadcast_leading_axes(queries=queries, keys=keys, values=columns)
    dtype = float_type(queries, keys, values)
    mask, bias, shape = _over_pairs(mask, bias, (*batch, n_queries, n_keys))
    attend = _at_once if _fit_at_once(n_queries, n_keys) else _streamed
    if attend is _at_once and n_queries * n_keys <= TINY:
        estimate = _at_once(queries, keys, columns, temperature, mask, bias)
    else:
        batch = shape[:-2]
        queries, keys, columns = (np.broadcast_to(a, batch + a.shape[-2:]) for a in (queries, keys, columns))
        mask, bias = (None if pairs is None else np.broadcast_to(pairs, shape) for pairs in (mask, bias))
        estimate = np.empty((*batch, n_queries, columns.shape[-1]), dtype)
        for i in np.ndindex(batch):
            pairs = (None if pairs is None else pairs[i] for pairs in (mask, bias))
            estimate[i] = attend(queries[i], keys[i], columns[i], temperature, *pairs)
    return (estimate[..., 0] if values.ndim == 1 else estimate).astype(dtype, copy=False)


def _fit_at_once(n_queries, n_keys):
    """Whether to hold all weights. Few queries are not worth streaming, which first works on all keys."""
    return n_queries <= 16 or n_queries * n_keys <= BLOCK_QUERIES * BLOCK_KEYS


def _at_once(queries, keys, values, temperature, mask, bias):
    """Attention by its definition, with all weights in memory."""
    return average(_weights(queries, keys, temperature, mask, bias), values)


def _streamed(queries, keys, values, temperature, mask, bias):
    """Attention over one sequence, block by block.

    softmax does not change when a number is added to a whole row. So the keys may be centred, which is kind to
    float32, and the Cauchy–Schwarz bound q·k ≤ ‖q‖ max‖k‖ may be subtracted: it stands in for the row's maximum,
    which would take another pass. The bound is one more column of the queries, where the keys have a one. Rows far
    below their bound are done again without it.
    """
    keys = _without_hidden(keys, mask)
    scale = float(LOG2E) / temperature
    with np.errstate(over="ignore", invalid="ignore"):
        centred = keys - keys.mean(axis=0, dtype=np.float64)
        unit = _largest_size(centred)
        centred /= unit  # now no entry is above 1 and none of the queries above the bound: float32 can hold them
        scaled = queries.astype(np.float64) * (scale * unit)
        bound = _norms(scaled) * _norms(centred).max()
    _refuse_overflow(bound)
    # Rounding errs by about eps times the bound: float32 serves while that is small.
    exact_enough = bound.max() * np.finfo(np.float32).eps < 1e-3
    dtype = float_type(queries, keys, values) if exact_enough else np.float64
    queries_and_bound = np.column_stack([scaled.astype(dtype, copy=False), -bound.astype(dtype)])
    keys_and_one = np.column_stack([centred.astype(dtype, copy=False), np.ones(len(keys), dtype)])
    largest_bias = None if bias is None else _largest_bias(bias, mask)

    def biased(scores, rows, columns):
        if bias is None:
            return scores
        with np.errstate(over="ignore"):
            below = np.clip(bias[rows, columns] - largest_bias[rows], np.finfo(scores.dtype).min / 4, 0)
        return scores + (LOG2E * below).astype(scores.dtype)

    def log2_weights(columns, dtype):
        key_side = np.ascontiguousarray(keys_and_one[columns].T, dtype)
        return lambda rows: biased(queries_and_bound[rows].astype(dtype, copy=False) @ key_side, rows, columns)

    def unbounded(columns, dtype):
        key_side = keys[columns].T.astype(dtype)
        return lambda rows: biased(scale * queries[rows].astype(dtype) @ key_side, rows, columns)

    smallest = -2 * bound.max() if bias is None else -np.inf  # q·k ≥ −‖q‖ max‖k‖ too
    return streamed_average(log2_weights, values, len(queries), dtype, mask, unbounded, smallest)


def _without_hidden(keys, mask):
    """The keys, with another in the place of each that nobody sees: padding must not move the mean."""
    if mask is None or mask[-1].all():  # the last query sees all in causal attention
        return keys
    seen = mask.any(axis=0)
    return np.where(seen[:, None], keys, keys[seen.argmax()])


def _norms(a):
    """‖a‖ of each row; the squares neither overflow nor vanish."""
    unit = _largest_size(a)
    a = a / unit
    return unit * np.sqrt(np.einsum("nd,nd->n", a, a))


def _largest_size(a):
    """The largest |element|, or 1 if all are zero."""
    return float(max(a.max(), -a.min())) or 1.0


def _temperature(queries, keys, temperature):
    """τ, for queries and keys that go together."""
    if min(queries.ndim, keys.ndim) < 2 or queries.shape[-1] != keys.shape[-1]:
        shapes = f"{queries.shape} and {keys.shape}"
        raise ValueError(f"queries and keys: expected (…, n_queries, d) and (…, n_keys, d), got {shapes}")
    return math.sqrt(keys.shape[-1]) if temperature is None else positive("temperature", temperature)


def _over_pairs(mask, bias, shape):
    """Mask and bias, checked, and the shape (…, n_queries, n_keys) with their leading axes, batch too.

    What a bias of −inf hides the mask hides, too.
    """
    if mask is not None:
        mask = boolean_mask("mask", mask)
        shape = _with_batch_of("mask", mask, shape)
    if bias is not None:
        bias = floats("bias", bias)
        shape = _with_batch_of("bias", bias, shape)
        if not (bias < np.inf).all():
            raise ValueError("bias: expected numbers below +inf, got NaN or +inf")
        bias = np.atleast_2d(bias)
        if np.isneginf(bias).any():
            mask = (bias > -np.inf) if mask is None else mask & (bias > -np.inf)
    return mask, bias, shape


def _with_batch_of(name, array, shape):
    try:
        result = np.broadcast_shapes(array.shape, shape)
    except ValueError:
        result = ()
    if result[-2:] != shape[-2:]:
        raise ValueError(f"{name}: expected a shape that broadcasts to {shape}, got {array.shape}")
    return result


def _refuse_overflow(scores):
    if not np.isfinite(scores).all():
        expected = "inner products over the temperature within the range of float64"
        raise ValueError(f"queries, keys and temperature: expected {expected}, got larger ones")


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
        W_v. With fewer maps of the keys and values each serves several heads, one after the other (grouped-query
        attention); their number must divide n_heads.
    output_map : (d_out, n_heads·c) array, or None for the identity
        W_o, which mixes the heads.
    temperature : float > 0, or None for √d
    mask : boolean array, broadcast to (…, n_queries, n_keys), or None
        The same for every head, its leading axes those of the batch.

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
    if mask is not None:
        mask = _mask_for_all_heads(mask, queries, keys, values)
    heads = attention(queries, _repeated(keys, queries), _repeated(values, queries), temperature, mask)
    side_by_side = np.swapaxes(heads, -3, -2).reshape(*heads.shape[:-3], heads.shape[-2], -1)
    if output_map is None:
        return side_by_side
    output_map = real_array("output_map", output_map)
    if output_map.ndim != 2 or output_map.shape[1] != side_by_side.shape[-1]:
        raise ValueError(f"output_map: expected shape (d_out, {side_by_side.shape[-1]}), got {output_map.shape}")
    return side_by_side @ output_map.T


def _repeated(array, queries):
    """(…, n_groups, n, d) with each group as often as there are heads in it."""
    n_heads, n_groups = queries.shape[-3], array.shape[-3]
    if n_heads % n_groups:
        raise ValueError(f"maps: expected a number of heads that {n_groups} divides, got {n_heads}")
    return np.repeat(array, n_heads // n_groups, axis=-3)


def _mask_for_all_heads(mask, queries, keys, values):
    """The mask with an axis for the heads; one with leading axes that are not the batch's would make a batch."""
    mask = boolean_mask("mask", mask)
    first_heads = {"queries": queries[..., 0, :, :], "keys": keys[..., 0, :, :], "values": values[..., 0, :, :]}
    batch = broadcast_leading_axes(**first_heads)
    shape = (*batch, queries.shape[-2], keys.shape[-2])
    if _with_batch_of("mask", mask, shape) != shape:
        raise ValueError(
            f"mask: expected the same for every head, a shape that broadcasts to {shape}, got {mask.shape}"
        )
    return mask[..., None, :, :] if mask.ndim > 2 else mask


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
    (dimension/2,) array, base^(−2i/dimension) in radians per position

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
