"""Attention in time linear in the number of tokens: sums over the keys are computed once and used by every query.

>>> from lib.random_features import orthogonal_frequencies, positive_features
>>> queries, keys = np.array([[1.0, 0.0], [0.5, 0.2]]), np.array([[0.0, 1.0], [0.3, 0.4], [1.0, 1.0]])
>>> values, frequencies = np.array([7.0, 14.0, 21.0]), orthogonal_frequencies(64, 2, rng=0)
>>> features = [positive_features(x / 2**0.25, frequencies) for x in (queries, keys)]  # temperature √2
>>> estimate = feature_average(*features, values)
>>> bool(np.allclose(estimate, linear_attention(queries, keys, values, frequencies=frequencies)))
True
"""

import numpy as np

from lib import former_names
from lib.checks import boolean_mask, broadcast_leading_axes, flag, one_of, positive, real_array, same_width, tokens
from lib.engine import linear_attention as engine
from lib.engine.linear_attention import KeySums, merge_sums
from lib.random_features.feature_maps import PARTS, points_and_frequencies
from lib.random_features.frequencies import iid_frequencies, orthogonal_frequencies
from lib.random_features.variance_reduction import dense_exponential_frequencies, pair_moment
from lib.weights import ratio

__all__ = ["KeySums", "feature_average", "linear_attention", "merge_sums", "read_sums", "sum_keys"]

FEATURE_MAPS = (*PARTS, "dense_exponential")  # dense_exponential uses positive features with rescaled frequencies


def feature_average(query_features, key_features, values, *, causal=False):
    """Compute the weighted average with weights φ(q)·φ(k) without forming the weights.

    Parameters
    ----------
    query_features : (…, n_queries, m) array
    key_features : (…, n_keys, m) array
    values : (n_keys,) or (…, n_keys, c) array
    causal : bool
        Whether query i attends only to keys 0 … i.

    Returns
    -------
    (…, n_queries) array for values (n_keys,), else (…, n_queries, c).

    Notes
    -----
    Equation eq:linear_attention of chapter 7, φ(Q)(φ(K)ᵀV) / φ(Q)(φ(K)ᵀ1), and if causal, eq:causal_prefix,
    evaluated in blocks. Katharopoulos et al. (2020) for any φ; Choromanski et al. (2021) for random features.

    Examples
    --------
    >>> feature_average([[1.0, 2.0]], [[1.0, 0.0], [0.5, 1.0]], [[7.0], [14.0]])
    array([[12.]])
    """
    query_features, key_features, columns = _attention_inputs(
        query_features, key_features, values, flag("causal", causal), names=("query_features", "key_features")
    )
    if causal:
        totals = engine.causal_products(query_features, key_features, engine.with_one(columns))
        return _like(values, ratio(totals[..., :-1], totals[..., -1:]))
    numerator = query_features @ (key_features.mT @ columns)
    denominator = query_features @ key_features.sum(axis=-2)[..., None]
    return _like(values, ratio(numerator, denominator))


def linear_attention(
    queries,
    keys,
    values,
    n_features=256,
    *,
    feature_map="positive",
    orthogonal=True,
    causal=False,
    temperature=None,
    rng=None,
    frequencies=None,
    key_mask=None,
):
    """Estimate softmax attention with random features, in time and memory linear in the number of tokens.

    Parameters
    ----------
    queries : (…, n_queries, d) array
        Leading axes are batch dimensions and broadcast, as in `numpy.matmul`.
    keys : (…, n_keys, d) array
    values : (n_keys,) or (…, n_keys, c) array
    n_features : int ≥ 1
        The number of frequencies, m. The error falls like 1/√m.
    feature_map : {"positive", "hyperbolic", "trigonometric", "dense_exponential"}
        The last one adapts the spread of the frequencies to the data, see `dense_exponential_frequencies`.
    orthogonal : bool
        Whether to draw orthogonal instead of independent frequencies.
    causal : bool
        Whether query i attends only to keys 0 … i.
    temperature : float > 0, optional
        The kernel is exp(q·k / temperature); √d by default.
    rng : numpy.random.Generator, int or None
        Used to draw the frequencies.
    frequencies : (m, d) array, optional
        Used instead of a random draw; `n_features`, `orthogonal` and `rng` are then ignored.
    key_mask : boolean array, broadcast to (…, n_keys), or None
        True where queries may attend to the key. A masked key, such as padding, has no influence at all. If all
        keys are masked, the estimate is NaN.

    Returns
    -------
    (…, n_queries) array for values (n_keys,), else (…, n_queries, c); float32 if all three arrays are
    float32 or float16, else float64. With `values=np.eye(n_keys)` it is the matrix of estimated weights, whose
    rows sum to 1.

    With positive, hyperbolic and dense-exponential features every estimate is a weighted average with weights
    ≥ 0, however large the queries and keys. With trigonometric features, weights can be negative, and so can
    their sum, the denominator. The estimate may then be far outside the range of the values, and if the
    denominator is exactly 0 it is infinite or NaN, with a NumPy warning. This is a property of the method and is
    not corrected.

    Raises
    ------
    ValueError
        If ‖k‖² overflows, or if `causal` or `key_mask` is combined with dense-exponential features, whose spread
        depends on all keys.

    Notes
    -----
    Equations eq:linear_attention and, if causal, eq:causal_prefix of chapter 7; Choromanski et al. (2021)
    and Katharopoulos et al. (2020). The estimate of each exp(q·k) is unbiased, but their ratio is not.
    For numerical stability no constant is added to the features. Instead, each feature is divided by its maximum
    over the keys and multiplied by it for the queries, and then each query is divided by its own maximum. Both
    factors cancel exactly, and the denominator is at least 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> queries, keys = rng.normal(size=(2, 5, 4)) / 2
    >>> weights = linear_attention(queries, keys, np.eye(5), n_features=100_000, rng=rng)
    >>> scores = np.exp(queries @ keys.T / 2)
    >>> bool(np.allclose(weights, scores / scores.sum(axis=1, keepdims=True), atol=0.01))
    True
    """
    queries, keys, columns = _attention_inputs(queries, keys, values, flag("causal", causal))
    keys, columns_and_one = _without_hidden(keys, engine.with_one(columns), key_mask, queries)
    queries, keys = _over_root_of_temperature(queries, keys, temperature)
    one_of("feature_map", feature_map, FEATURE_MAPS)
    frequencies = _frequencies(frequencies, n_features, flag("orthogonal", orthogonal), rng, queries)
    log_weights, parts = 0.0, PARTS.get(feature_map, PARTS["positive"])
    if feature_map == "dense_exponential":
        frequencies, log_weights = _spread_frequencies(queries, keys, frequencies, causal or key_mask is not None)
    sums_of = engine.causal_totals if causal else engine.totals
    totals = sums_of(queries, keys, columns_and_one, frequencies, parts, log_weights)
    return _like(values, ratio(totals[..., :-1], totals[..., -1:]))


def _without_hidden(keys, values_and_one, key_mask, queries):
    """Give masked keys no weight, and replace each by a visible key so that its norm has no effect either."""
    if key_mask is None:
        return keys, values_and_one
    seen = boolean_mask("key_mask", key_mask)[..., None]
    batch = broadcast_leading_axes(queries=queries, keys=keys, values=values_and_one)
    if seen.shape[-2:] != (keys.shape[-2], 1) or np.broadcast_shapes(seen.shape[:-2], batch) != batch:
        expected = f"a shape that broadcasts to {(*batch, keys.shape[-2])}"
        raise ValueError(f"key_mask: expected {expected}, got {seen.shape[:-1]}")
    shape = np.broadcast_shapes(seen.shape, keys.shape)
    seen = np.broadcast_to(seen, (*shape[:-1], 1))
    first_seen = np.take_along_axis(np.broadcast_to(keys, shape), seen.argmax(axis=-2)[..., None], axis=-2)
    return np.where(seen, keys, first_seen), np.where(seen, values_and_one, 0)


def _over_root_of_temperature(queries, keys, temperature):
    """Divide both by √τ, so that their inner product is q·k/τ; raise an error if a squared norm overflows."""
    temperature = np.sqrt(queries.shape[-1]) if temperature is None else positive("temperature", temperature)
    with np.errstate(over="ignore"):
        queries, keys = (x * float(temperature**-0.5) for x in (queries, keys))
        norms = [np.einsum("...d,...d->...", x, x) for x in (queries, keys)]
    if not all(np.isfinite(each).all() for each in norms):
        largest = f"entries up to {max(np.abs(x).max() for x in (queries, keys)):g}"
        expected = f"squared norms in {queries.dtype}"
        raise ValueError(f"queries and keys over √temperature: expected {expected}, got {largest}")
    return queries, keys


def _frequencies(frequencies, n_features, orthogonal, rng, queries):
    """Return the given frequencies, or draw them, in the dtype of the queries."""
    if frequencies is None:
        draw = orthogonal_frequencies if orthogonal else iid_frequencies
        frequencies = draw(n_features, queries.shape[-1], rng=rng)
    return points_and_frequencies(queries, frequencies)[1]


def _spread_frequencies(queries, keys, frequencies, is_masked):
    """Return the frequencies and log-weights of `dense_exponential_frequencies` for these tokens."""
    if is_masked:
        expected = "one that does not look ahead if causal, nor at hidden keys"
        raise ValueError(f"feature_map: expected {expected}, got 'dense_exponential'")
    frequencies, log_weights = dense_exponential_frequencies(frequencies, pair_moment(queries, keys))
    return frequencies.astype(queries.dtype), log_weights.astype(queries.dtype)[..., None, :]


def sum_keys(keys, values, frequencies, feature_map="positive"):
    """Compute the sums over the keys block by block, as a map and a reduce.

    If the keys are distributed over several machines, sum each part there, then call `merge_sums` and `read_sums`.
    The three functions expect inputs that are validated and scaled as in `linear_attention`.

    Parameters
    ----------
    keys : (…, n_keys, d) array
        Already divided by the square root of the temperature.
    values : (…, n_keys, c) array
    frequencies : (m, d) array
    feature_map : {"positive", "hyperbolic", "trigonometric"}

    Returns
    -------
    KeySums

    Notes
    -----
    Equation eq:causal_prefix of chapter 7; the state of the recurrence in Katharopoulos et al. (2020).

    Examples
    --------
    >>> keys, values = np.array([[0.1], [0.4], [0.3]]), np.array([[1.0], [2.0], [4.0]])
    >>> frequencies = iid_frequencies(100, 1, rng=0)
    >>> first, second = (sum_keys(keys[part], values[part], frequencies) for part in (slice(1), slice(1, None)))
    >>> numerator, denominator = read_sums(np.array([[0.5]]), merge_sums(first, second), frequencies)[0]
    >>> bool(np.isclose(numerator / denominator, linear_attention([[0.5]], keys, values, frequencies=frequencies)))
    True
    """
    return engine.sum_keys(keys, engine.with_one(values), frequencies, PARTS[feature_map])


def read_sums(queries, key_sums, frequencies, feature_map="positive"):
    """Compute φ(Q)(φ(K)ᵀ[V, 1]), the numerators of linear attention and, in the last column, its denominators.

    Queries `(…, n_queries, d)`, already divided by the square root of the temperature, give `(…, n_queries, c +
    1)`. Each row has an arbitrary scale, which cancels in the quotient.
    """
    return engine.read_sums(queries, key_sums, frequencies, PARTS[feature_map])


def _like(values, estimate):
    """Drop the column axis of the estimate if the values are one-dimensional."""
    return estimate[..., 0] if np.ndim(values) == 1 else estimate


def _attention_inputs(queries, keys, values, causal=False, names=("queries", "keys")):
    """Validate and convert all three to `(…, n, d)` of the same dtype; values `(n_keys,)` become one column."""
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


__getattr__ = former_names.of(__name__)
