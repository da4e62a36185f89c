"""Argument checks of the random features, beside those of `lib.checks`."""

import numpy as np

from lib.checks import broadcast_leading_axes, real_array


def tokens(name, array):
    """Queries, keys or values as floats `(…, n, d)`."""
    array = real_array(name, array)
    if array.ndim < 2:
        raise ValueError(f"{name}: expected shape (…, n, d), got {array.shape}")
    return array


def same_width(names, one, other):
    """Refuse two arrays whose last axes differ."""
    if one.shape[-1] != other.shape[-1]:
        raise ValueError(f"{names}: expected the same d, got {one.shape} and {other.shape}")


def points_and_frequencies(x, frequencies):
    """Points `(…, d)` and frequencies `(n_features, d)`, both in the type of the points."""
    x, frequencies = real_array("x", x), real_array("frequencies", frequencies)
    if x.ndim == 0 or frequencies.ndim != 2 or frequencies.shape[1] != x.shape[-1]:
        raise ValueError(
            f"frequencies: expected (n_features, d) for x of (…, d), got {frequencies.shape} for {x.shape}"
        )
    return x, frequencies.astype(x.dtype, copy=False)


def attention_inputs(queries, keys, values, causal=False, names=("queries", "keys")):
    """All three as `(…, n, d)` of one type; values `(n_keys,)` become one column."""
    queries, keys, values = tokens(names[0], queries), tokens(names[1], keys), real_array("values", values)
    values = values[:, None] if values.ndim == 1 else tokens("values", values)
    same_width(" and ".join(names), queries, keys)
    if keys.shape[-2] != values.shape[-2]:
        raise ValueError(f"{names[1]} and values: expected the same n_keys, got {keys.shape} and {values.shape}")
    if causal and queries.shape[-2] != keys.shape[-2]:
        raise ValueError(
            f"queries and keys: expected the same number if causal, got {queries.shape} and {keys.shape}"
        )
    broadcast_leading_axes(**dict(zip(names, (queries, keys), strict=True)), values=values)
    dtype = np.result_type(queries, keys, values)
    return queries.astype(dtype, copy=False), keys.astype(dtype, copy=False), values.astype(dtype, copy=False)
