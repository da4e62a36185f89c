"""Attention: the weighted average whose log-weights are inner products.

    Attention(Q, K, V) = softmax(Q Kᵀ / √d) V

    >>> from lib.weights import average, softmax
    >>> queries, keys, values = np.array([[1.0]]), np.array([[0.0], [np.log(3.0)]]), np.array([4.0, 8.0])
    >>> log_weights = queries @ keys.T / np.sqrt(keys.shape[1])
    >>> average(softmax(log_weights), values)
    array([7.])

Queries, keys and values are rows. With h² = 2√d, q·k/√d = −‖q − k‖²/h² + ‖q‖²/h² + ‖k‖²/h². The query's norm is
the same for all keys and cancels; the key's does not. So these are the weights of Gaussian N–W with a prior
exp(‖k‖²/h²) on the keys: identical if the keys have equal norms, and not in general.

Vaswani et al. (2017), "Attention is all you need", doi:10.48550/arXiv.1706.03762; before it Bahdanau, Cho & Bengio
(2015), "Neural machine translation by jointly learning to align and translate", doi:10.48550/arXiv.1409.0473.
"""

import math

import numpy as np

from lib.checks import (
    boolean_mask,
    broadcast_leading_axes,
    flag,
    float_type,
    floats,
    positive,
    real_array,
    refuse_overflow,
    whole_number,
)
from lib.engine.attention import attend_for
from lib.weights import trusted_average, trusted_softmax


def attention_weights(queries, keys, temperature=None, mask=None, *, bias=None):
    """Return the weight that each query gives to each key.

    Parameters
    ----------
    queries : (…, n_queries, d) array
    keys : (…, n_keys, d) array
        Leading axes are batch dimensions and broadcast, here and for the other arrays.
    temperature : float > 0, or None for √d
        τ, by which the inner products are divided. For independent entries of variance 1, q·k has variance d;
        dividing by √d brings it back to 1.
    mask : boolean array, broadcast to (…, n_queries, n_keys), or None
        True where the query may attend to the key. Two axes are always (n_queries, n_keys), whatever the size of
        the batch: padding of shape (batch, n_keys) is `padding[:, None]`.
    bias : array, broadcast to (…, n_queries, n_keys), or None
        Added to the log-weights q·k/τ, for example a value for each distance between two tokens. −inf masks a key.

    Returns
    -------
    (…, n_queries, n_keys) array; rows sum to 1, or to 0 where the mask leaves no key. float32 if queries and keys
    are float32 or float16, else float64.

    Raises
    ------
    ValueError
        If inner products divided by τ exceed the range of float64.

    Notes
    -----
    Equation eq:attention_weights of chapter 6.

    Examples
    --------
    >>> attention_weights([[1.0]], [[0.0], [np.log(3.0)]])
    array([[0.25, 0.75]])
    """
    queries, keys, temperature = _queries_and_keys(queries, keys, temperature)
    batch = broadcast_leading_axes(queries=queries, keys=keys)
    mask, bias, _ = _mask_and_bias(mask, bias, (*batch, queries.shape[-2], keys.shape[-2]))
    weights = trusted_softmax(_log_weights(queries, keys, temperature, mask, bias))
    return weights.astype(float_type(queries, keys), copy=False)


def _log_weights(queries, keys, temperature, mask=None, bias=None):
    """q·k/τ + bias, and −∞ where masked; in float64, because large scores would lose digits in float32."""
    with np.errstate(over="ignore", invalid="ignore"):
        scores = queries.astype(np.float64, copy=False) @ keys.astype(np.float64, copy=False).mT / temperature
    if mask is not None:
        scores = np.where(mask, scores, 0)  # a masked key may be arbitrarily large
    refuse_overflow(scores)
    if bias is not None:
        scores = scores + bias
    return scores if mask is None else np.where(mask, scores, -np.inf)


def attention(queries, keys, values, temperature=None, mask=None, *, bias=None):
    """Average the values with weights softmax(q·k/τ).

    Parameters
    ----------
    queries : (…, n_queries, d) array
    keys : (…, n_keys, d) array
    values : (n_keys,) or (…, n_keys, c) array
    temperature : float > 0, or None for √d
        τ, as in `attention_weights`.
    mask : boolean array, broadcast to (…, n_queries, n_keys), or None
        True where the query may attend to the key; its axes are those of `attention_weights`. A masked key has no
        influence at all.
    bias : array, broadcast to (…, n_queries, n_keys), or None
        As in `attention_weights`.

    Returns
    -------
    (…, n_queries) array for values (n_keys,), else (…, n_queries, c); float32 if all three arrays are
    float32 or float16, else float64. A query that may attend to no key has no estimate: NaN. (PyTorch returns
    0 in this case, d2l the mean of all values.)

    Notes
    -----
    Equation eq:attention of chapter 6: `average(attention_weights(…), values)`. Long sequences are streamed, so
    memory does not grow with n_queries × n_keys.

    PyTorch's and JAX's `scale=` is 1/temperature, and `is_causal=True` is `mask=causal_mask(n)`. See
    pages/elsewhere.

    Examples
    --------
    >>> attention([[1.0]], [[0.0], [np.log(3.0)]], [4.0, 8.0])
    array([7.])
    >>> attention([[1.0]], [[0.0], [9.0]], [4.0, 8.0], mask=[[True, False]])
    array([4.])
    """
    queries, keys, temperature = _queries_and_keys(queries, keys, temperature)
    values, columns = _values_and_columns(values, keys.shape[-2])
    batch = broadcast_leading_axes(queries=queries, keys=keys, values=columns)
    mask, bias, shape = _mask_and_bias(mask, bias, (*batch, queries.shape[-2], keys.shape[-2]))
    estimate = attend_for(shape, _attend)(queries, keys, columns, temperature, mask, bias)
    estimate = estimate[..., 0] if values.ndim == 1 else estimate
    return estimate.astype(float_type(queries, keys, values), copy=False)


def _attend(queries, keys, values, temperature, mask=None, bias=None):
    """Compute attention by its definition, with all weights in memory."""
    return trusted_average(trusted_softmax(_log_weights(queries, keys, temperature, mask, bias)), values)


def _queries_and_keys(queries, keys, temperature):
    """Validate queries and keys, and return them with τ."""
    queries, keys = real_array("queries", queries), real_array("keys", keys)
    if min(queries.ndim, keys.ndim) < 2 or queries.shape[-1] != keys.shape[-1]:
        shapes = f"{queries.shape} and {keys.shape}"
        raise ValueError(f"queries and keys: expected (…, n_queries, d) and (…, n_keys, d), got {shapes}")
    temperature = math.sqrt(keys.shape[-1]) if temperature is None else positive("temperature", temperature)
    return queries, keys, temperature


def _values_and_columns(values, n_keys):
    """Return the values as given, and reshaped to `(…, n_keys, c)`."""
    values = real_array("values", values)
    columns = values[:, None] if values.ndim == 1 else values
    if columns.ndim == 0 or columns.shape[-2] != n_keys:
        raise ValueError(f"values: expected shape ({n_keys},) or (…, {n_keys}, c), got {values.shape}")
    return values, columns


def _mask_and_bias(mask, bias, shape):
    """Validate mask and bias; also return the shape (…, n_queries, n_keys), broadcast with their leading axes.

    The mask also excludes every key with a bias of −inf.
    """
    if mask is not None:
        mask = boolean_mask("mask", mask)
        shape = _with_batch_of("mask", mask, shape)
    if bias is None:
        return mask, None, shape
    bias = floats("bias", bias)
    shape = _with_batch_of("bias", bias, shape)
    if not (bias < np.inf).all():
        raise ValueError("bias: expected numbers below +inf, got NaN or +inf")
    bias = np.atleast_2d(bias).astype(np.float64, copy=False)
    if np.isneginf(bias).any():
        mask = (bias > -np.inf) if mask is None else mask & (bias > -np.inf)
    return mask, _below_its_largest(bias, mask), shape


def _below_its_largest(bias, mask):
    """Subtract the largest unmasked bias of each row: the weights do not change, and scores keep their digits."""
    seen = bias if mask is None else np.where(mask, bias, -np.inf)
    largest = seen.max(axis=-1, keepdims=True)
    with np.errstate(over="ignore"):
        return bias - np.where(largest > -np.inf, largest, 0.0)


def _with_batch_of(name, array, shape):
    try:
        result = np.broadcast_shapes(array.shape, shape)
    except ValueError:
        result = ()
    if result[-2:] != shape[-2:]:
        hint = ""
        if name == "mask" and len(shape) > 2 and array.shape == (shape[0], shape[-1]):
            hint = "; padding of shape (batch, n_keys) is padding[:, None]"
        raise ValueError(f"{name}: expected a shape that broadcasts to {shape}, got {array.shape}{hint}")
    return result


def causal_mask(n, n_keys=None, *, window=None):
    """Return the causal mask: query i may attend to key j if j ≤ i, counted from the end.

    Parameters
    ----------
    n : int ≥ 1
        The number of queries.
    n_keys : int ≥ n, or None for n
        With more keys than queries, the queries are the last n positions, as with a KV cache.
    window : int ≥ 1, or None for all
        The number of most recent keys to which a query attends, including its own.

    Returns
    -------
    (n, n_keys) boolean array

    Notes
    -----
    Equation eq:causal_mask of chapter 6. Source of the window: Beltagy, Peters & Cohan (2020), "Longformer",
    doi:10.48550/arXiv.2004.05150.

    Examples
    --------
    >>> causal_mask(3).astype(int)
    array([[1, 0, 0],
           [1, 1, 0],
           [1, 1, 1]])
    >>> causal_mask(2, 4, window=2).astype(int)
    array([[0, 1, 1, 0],
           [0, 0, 1, 1]])
    """
    n = whole_number("n", n)
    n_earlier = 0 if n_keys is None else whole_number("n_keys", n_keys, at_least=n) - n
    mask = np.tri(n, n + n_earlier, n_earlier, dtype=bool)
    if window is not None:
        mask &= ~np.tri(n, n + n_earlier, n_earlier - whole_number("window", window), dtype=bool)
    return mask


def multi_head_attention(
    queries,
    keys,
    values,
    query_maps,
    key_maps,
    value_maps,
    *,
    query_bias=None,
    key_bias=None,
    value_bias=None,
    output_map=None,
    output_bias=None,
    temperature=None,
    mask=None,
    bias=None,
    return_weights=False,
):
    """Compute several attention heads in parallel, each with its own projections: several kernels at once.

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
        W_v. With fewer key and value projections than heads, each is shared by several consecutive heads
        (grouped-query attention); their number must divide n_heads.
    query_bias, key_bias, value_bias : arrays like the projections without their last axis, or None for 0
        Added to the projected tokens, as in GPT-2: (n_heads, d) for the queries.
    output_map : (d_out, n_heads·c) array, or None for the identity
        W_o, which mixes the heads.
    output_bias : (d_out,) array, or None for 0
    temperature : float > 0, or None for √d
    mask : boolean array, broadcast to (…, n_queries, n_keys) or to (…, n_heads, n_queries, n_keys), or None
        A mask for all heads, whose leading axes are those of the batch; or one per head, with all batch axes
        (of length 1 to broadcast) and a head axis.
    bias : array, with the same shapes, or None
        Added to the log-weights, as in `attention_weights`: per head, for example, a slope times the
        distance between two positions (ALiBi: Press, Smith & Lewis 2022, doi:10.48550/arXiv.2108.12409).
    return_weights : bool
        Whether to return the weights as well.

    Returns
    -------
    (…, n_queries, n_heads·c) array, the concatenated estimates of the heads, or (…, n_queries, d_out).
    If `return_weights`, a tuple of this array and the weights, (…, n_heads, n_queries, n_keys).

    Notes
    -----
    Equation eq:multi_head of chapter 6. Source: Vaswani et al. (2017), section 3.2.2. Frameworks that store all
    heads in one matrix (n_heads·d, d_q) use the same layout: `matrix.reshape(n_heads, d, d_q)`.
    PyTorch's `in_proj_weight` and `in_proj_bias` contain the queries', keys' and values' in this order; its
    `MultiheadAttention` masks where `attn_mask` is True, which is the opposite of ours. See pages/elsewhere.

    Examples
    --------
    >>> tokens, identity = np.array([[0.0], [1.0]]), np.ones((1, 1, 1))
    >>> bool(np.all(multi_head_attention(tokens, tokens, tokens, identity, identity, identity)
    ...             == attention(tokens, tokens, tokens)))
    True
    """
    queries = _map_heads("queries", queries, query_maps, query_bias)
    keys = _repeated(_map_heads("keys", keys, key_maps, key_bias), queries)
    values = _repeated(_map_heads("values", values, value_maps, value_bias), queries)
    mask, bias = _for_heads("mask", mask, queries, keys, values), _for_heads("bias", bias, queries, keys, values)
    heads = attention(queries, keys, values, temperature, mask, bias=bias)
    side_by_side = np.swapaxes(heads, -3, -2).reshape(*heads.shape[:-3], heads.shape[-2], -1)
    estimate = _mixed(side_by_side, output_map)
    if output_bias is not None:
        estimate = estimate + _bias("output_bias", output_bias, estimate.shape[-1:])
    if not flag("return_weights", return_weights):
        return estimate
    return estimate, attention_weights(queries, keys, temperature, mask, bias=bias)


def _mixed(side_by_side, output_map):
    """Multiply the heads' estimates by W_o, if given."""
    if output_map is None:
        return side_by_side
    output_map = real_array("output_map", output_map)
    if output_map.ndim != 2 or output_map.shape[1] != side_by_side.shape[-1]:
        raise ValueError(f"output_map: expected shape (d_out, {side_by_side.shape[-1]}), got {output_map.shape}")
    return side_by_side @ output_map.T


def _bias(name, bias, shape):
    bias = real_array(name, bias)
    if bias.shape != shape:
        raise ValueError(f"{name}: expected shape {shape}, got {bias.shape}")
    return bias


def _repeated(array, queries):
    """Repeat each group of (…, n_groups, n, d) once per head in the group."""
    n_heads, n_groups = queries.shape[-3], array.shape[-3]
    if n_heads % n_groups:
        raise ValueError(f"maps: expected a number of heads that {n_groups} divides, got {n_heads}")
    return np.repeat(array, n_heads // n_groups, axis=-3)


def _for_heads(name, array, queries, keys, values):
    """Add a head axis to a mask or bias; leading axes that do not match the batch are an error."""
    if array is None:
        return None
    array = boolean_mask(name, array) if name == "mask" else floats(name, array)
    first_heads = {"queries": queries[..., 0, :, :], "keys": keys[..., 0, :, :], "values": values[..., 0, :, :]}
    batch, size = broadcast_leading_axes(**first_heads), (queries.shape[-2], keys.shape[-2])
    per_head = array.ndim == len(batch) + 3
    shape = (*batch, queries.shape[-3], *size) if per_head else (*batch, *size)
    if _with_batch_of(name, array, shape) != shape:
        raise ValueError(f"{name}: expected a shape that broadcasts to {shape}, got {array.shape}")
    return array[..., None, :, :] if array.ndim > 2 and not per_head else array


def _map_heads(name, array, maps, bias):
    """Project (…, n, d_in) with (n_heads, d_out, d_in) to (…, n_heads, n, d_out), and add the bias."""
    array, maps = real_array(name, array), real_array(f"maps of the {name}", maps)
    if array.ndim < 2 or maps.ndim != 3 or array.shape[-1] != maps.shape[-1]:
        raise ValueError(
            f"{name} and their maps: expected (…, n, d) and (n_heads, d_out, d), "
            f"got {array.shape} and {maps.shape}"
        )
    projected = array[..., None, :, :] @ np.swapaxes(maps, -1, -2)
    return projected if bias is None else projected + _bias(f"bias of the {name}", bias, maps.shape[:2])[:, None]


def encoding_frequencies(dimension, base=10_000.0):
    """Return the frequencies ω of the positional encoding, which fall from 1 towards 1/base.

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


def positional_encoding(n_positions, dimension, *, base=10_000.0):
    """Return sines and cosines of the positions 0, 1, …, n − 1.

    Parameters
    ----------
    n_positions : int ≥ 1
    dimension : int ≥ 2, even
    base : float > 0
        10 000 in the paper; choose a smaller base for short sequences.

    Returns
    -------
    (n_positions, dimension) array: sin ωp in the even columns, cos ωp in the odd ones

    Notes
    -----
    See eq:pe_inner_product in chapter 6. Source: Vaswani et al. (2017), section 3.5. The inner
    product depends only on the distance, PE(i)·PE(j) = Σ_ω cos ω(i − j) (eq:pe_inner_product), so attention on
    encodings is smoothing with a shift-invariant kernel.

    Examples
    --------
    >>> positional_encoding(2, 2).round(3)
    array([[0.   , 1.   ],
           [0.841, 0.54 ]])
    """
    angles = np.arange(whole_number("n_positions", n_positions))[:, None] * encoding_frequencies(dimension, base)
    return np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(n_positions, dimension)
