"""Attention in time linear in the number of tokens: sum over the keys once, read the sums with each query."""

from collections.abc import Callable
from functools import reduce
from typing import NamedTuple

import numpy as np

from lib.checks import broadcast_leading_axes, flag, one_of, positive, real_array, same_width, tokens
from lib.random_features.feature_maps import half_squared_norms, points_and_frequencies
from lib.random_features.frequencies import iid_frequencies, orthogonal_frequencies
from lib.random_features.variance_reduction import dense_exponential_frequencies, pair_moment
from lib.weights import blocks, ratio

BLOCK, CAUSAL_BLOCK = 1024, 128  # tokens at a time; 1024 by 256 features in float32 are 1 MB


def feature_average(query_features, key_features, values):
    """The weighted average with weights φ(q)·φ(k), without ever forming them.

    Parameters
    ----------
    query_features : (…, n_queries, m) array
    key_features : (…, n_keys, m) array
    values : (n_keys,) or (…, n_keys, c) array

    Returns
    -------
    (…, n_queries) array for values (n_keys,), else (…, n_queries, c).

    Raises
    ------
    ValueError, TypeError
        If the shapes do not fit or anything is not finite.

    Notes
    -----
    Equation eq:linear_attention of chapter 7, φ(Q)(φ(K)ᵀV) / φ(Q)(φ(K)ᵀ1). Katharopoulos et al. (2020) for
    any φ; Choromanski et al. (2021) for random features.

    Examples
    --------
    >>> feature_average([[1.0, 2.0]], [[1.0, 0.0], [0.5, 1.0]], [[7.0], [14.0]])
    array([[12.]])
    """
    query_features, key_features, columns = _attention_inputs(
        query_features, key_features, values, names=("query_features", "key_features")
    )
    numerator = query_features @ (key_features.mT @ columns)
    denominator = query_features @ key_features.sum(axis=-2)[..., None]
    return _like(values, ratio(numerator, denominator))


class FeatureMap(NamedTuple):
    """φ as the linear attention computes it: a feature of x is exp(norm_sign · ‖x‖²/2) · exp(exponent) · wave.

    per_frequency : int
        How many features there are per frequency.
    norm_sign : int
        1 or −1.
    exponents_and_waves : function of the projections ω·x, `(…, n, m)`
        The exponents, and the waves or None for ones; a constant factor is left out, since it cancels.
    """

    per_frequency: int
    norm_sign: int
    exponents_and_waves: Callable


PROJECTED_FEATURES = {
    "positive": FeatureMap(1, -1, lambda x: (x, None)),
    "hyperbolic": FeatureMap(2, -1, lambda x: (np.concatenate([x, -x], axis=-1), None)),
    "trigonometric": FeatureMap(
        2, 1, lambda x: (np.zeros_like(x[..., :1]), np.concatenate([np.cos(x), np.sin(x)], axis=-1))
    ),
}
FEATURE_MAPS = (*PROJECTED_FEATURES, "dense_exponential")  # the last spreads the frequencies of the first


def linear_attention(
    queries,
    keys,
    values,
    n_features=256,
    feature_map="positive",
    orthogonal=True,
    causal=False,
    temperature=None,
    rng=None,
    frequencies=None,
):
    """Softmax attention, estimated with random features in time and memory linear in the number of tokens.

    Parameters
    ----------
    queries : (…, n_queries, d) array
        Leading axes are batch and broadcast, as in `numpy.matmul`.
    keys : (…, n_keys, d) array
    values : (n_keys,) or (…, n_keys, c) array
    n_features : int ≥ 1
        The number of frequencies, m. The error falls like 1/√m.
    feature_map : {"positive", "hyperbolic", "trigonometric", "dense_exponential"}
        The last fits the spread of the frequencies to the data, see `dense_exponential_frequencies`.
    orthogonal : bool
        Draw orthogonal frequencies rather than independent ones.
    causal : bool
        Let query i see keys 0 … i only.
    temperature : float > 0, optional
        exp(q·k / temperature); √d by default.
    rng : numpy.random.Generator, int or None
        For the draw of the frequencies.
    frequencies : (m, d) array, optional
        Used instead of a random draw; `n_features`, `orthogonal` and `rng` are then ignored.

    Returns
    -------
    (…, n_queries) array for values (n_keys,), else (…, n_queries, c); float32 if all three arrays are
    float32 or float16, else float64. With `values=np.eye(n_keys)` it is the matrix of estimated weights, whose
    rows sum to 1.

    With positive, hyperbolic and dense-exponential features every estimate is a weighted average with weights
    ≥ 0, however large the queries and keys. With trigonometric features weights can be negative, and so can
    their sum, the denominator: the estimate may then lie far outside the values, and where the denominator is
    exactly 0 it is infinite or NaN, with NumPy's warning. The method is shown as it is.

    Raises
    ------
    ValueError, TypeError
        If shapes do not fit, anything is empty or not finite (also ‖k‖²), a number is not positive, the map is
        unknown, or `causal` comes with a different number of queries and keys or with dense-exponential
        features, whose spread would look ahead.

    Notes
    -----
    Equations eq:linear_attention and, if causal, eq:causal_prefix of chapter 7; Choromanski et al. (2021)
    and Katharopoulos et al. (2020). The estimate of each exp(q·k) is unbiased, their ratio is not.
    Nothing is added to the features. Instead the maximum of each feature over the keys is divided out of the
    keys and given to the queries, and then the maximum of each query out of that query: both cancel exactly,
    and the denominator is at least 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> queries, keys = rng.normal(size=(2, 5, 4)) / 2
    >>> weights = linear_attention(queries, keys, np.eye(5), n_features=100_000, rng=rng)
    >>> scores = np.exp(queries @ keys.T / 2)
    >>> bool(np.allclose(weights, scores / scores.sum(axis=1, keepdims=True), atol=0.01))
    True
    """
    causal, orthogonal = flag("causal", causal), flag("orthogonal", orthogonal)
    queries, keys, columns = _attention_inputs(queries, keys, values, causal)
    one_of("feature_map", feature_map, FEATURE_MAPS)
    if causal and feature_map == "dense_exponential":
        raise ValueError("feature_map: expected one that does not look ahead if causal, got 'dense_exponential'")
    dimension = queries.shape[-1]
    temperature = np.sqrt(dimension) if temperature is None else positive("temperature", temperature)
    queries, keys = (_divided(x, temperature) for x in (queries, keys))
    if frequencies is None:
        draw = orthogonal_frequencies if orthogonal else iid_frequencies
        frequencies = draw(n_features, dimension, rng)
    _, frequencies = points_and_frequencies(queries, frequencies)
    if causal:
        totals = _causal_totals(queries, keys, columns, frequencies, feature_map)
    elif feature_map == "dense_exponential":
        totals = _dense_exponential_totals(queries, keys, columns, frequencies)
    else:
        key_sums = sum_keys(keys, columns, frequencies, feature_map)
        totals = read_sums(queries, key_sums, frequencies, feature_map)
    return _like(values, ratio(totals[..., :-1], totals[..., -1:]))


def _divided(x, temperature):
    """x/√τ, refused where a squared norm overflows."""
    with np.errstate(over="ignore"):
        x = x * float(temperature**-0.5)
        norms = np.einsum("...d,...d->...", x, x)
    if not np.isfinite(norms).all():
        largest = f"entries up to {np.abs(x).max():g}"
        raise ValueError(f"queries and keys over √temperature: expected squared norms in {x.dtype}, got {largest}")
    return x


class KeySums(NamedTuple):
    """All that linear attention remembers of the keys, however many: Σ φ(k) [v, 1]ᵀ, in units of exp(peak).

    peak : (…, 1, m) array
        The largest exponent of each feature over the keys; (…, 1, 1) for trigonometric features.
    sums : (…, m, c + 1) array
        The last column is Σ φ(k).
    """

    peak: np.ndarray
    sums: np.ndarray


def sum_keys(keys, values, frequencies, feature_map="positive"):
    """The sums over the keys, block by block: a map and a reduce.

    The keys may lie in parts on several machines: sum each part there, then `merge_sums` and `read_sums`.
    The three take what `linear_attention` has checked and scaled, and check nothing themselves.

    Parameters
    ----------
    keys : (…, n_keys, d) array
        Already divided by the root of the temperature.
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
    parts = (
        _sum_block(keys[..., rows, :], values[..., rows, :], frequencies, feature_map)
        for rows in blocks(keys.shape[-2], BLOCK)
    )
    return reduce(merge_sums, parts)


def merge_sums(one, other):
    """The sums over two sets of keys from the sums over each, in any order."""
    peak = np.maximum(one.peak, other.peak)
    return KeySums(peak, np.exp(one.peak - peak).mT * one.sums + np.exp(other.peak - peak).mT * other.sums)


def read_sums(queries, key_sums, frequencies, feature_map="positive"):
    """φ(Q)(φ(K)ᵀ[V, 1]): the numerators of linear attention and, in the last column, its denominators.

    Queries `(…, n_queries, d)` already divided by the root of the temperature give `(…, n_queries, c + 1)`.
    Each row comes in units of its own, which the quotient does not feel.
    """
    parts = [
        _query_features(queries[..., rows, :], key_sums.peak, frequencies, feature_map) @ key_sums.sums
        for rows in blocks(queries.shape[-2], BLOCK)
    ]
    return np.concatenate(parts, axis=-2)


def _sum_block(keys, values, frequencies, feature_map):
    exponents, waves = _key_exponents(keys, frequencies, feature_map)
    peak = exponents.max(axis=-2, keepdims=True)
    return KeySums(peak, _exponentiate(exponents, waves, peak).mT @ _with_one(values))


def _dense_exponential_totals(queries, keys, values, frequencies):
    frequencies, log_weights = dense_exponential_frequencies(frequencies, pair_moment(queries, keys))
    frequencies, log_weights = (x.astype(queries.dtype) for x in (frequencies, log_weights))
    peak, sums = sum_keys(keys, values, frequencies)
    return read_sums(queries, KeySums(peak + log_weights[..., None, :], sums), frequencies)


def _causal_totals(queries, keys, values, frequencies, feature_map):
    """Numerators and denominators when query i sees keys 0 … i, block by block."""
    n_features = len(frequencies) * PROJECTED_FEATURES[feature_map].per_frequency
    before = KeySums(np.full((1, 1), -np.inf, keys.dtype), np.zeros((n_features, 1), keys.dtype))  # no keys
    totals, start, size = [], 0, CAUSAL_BLOCK
    while start < keys.shape[-2]:
        block = [x[..., start : start + size, :] for x in (queries, keys, values)]
        block_totals, after = _causal_block(*block, frequencies, feature_map, before)
        size = block_totals.shape[-2]
        if size > 1 and _vanished(block_totals):
            size //= 2
            continue
        totals.append(block_totals)
        before, start, size = after, start + size, min(2 * size, CAUSAL_BLOCK)
    return np.concatenate(totals, axis=-2)


def _causal_block(queries, keys, values, frequencies, feature_map, before):
    """Earlier blocks through their sums, the own block through its lower triangle of weights."""
    exponents, waves = _key_exponents(keys, frequencies, feature_map)
    peak = np.maximum(before.peak, exponents.max(axis=-2, keepdims=True))
    key_features = _exponentiate(exponents, waves, peak)
    query_features = _query_features(queries, peak, frequencies, feature_map)
    earlier, values_and_one = np.exp(before.peak - peak).mT * before.sums, _with_one(values)
    totals = query_features @ earlier + np.tril(query_features @ key_features.mT) @ values_and_one
    return totals, KeySums(peak, earlier + key_features.mT @ values_and_one)


def _vanished(totals):
    """Whether a later key of the block set the peak, and all that an earlier query may see vanished beside it."""
    limits = np.finfo(totals.dtype)
    return np.abs(totals[..., -1]).min() < limits.tiny / limits.eps**2


def _query_features(queries, peak, frequencies, feature_map):
    """φ(q) in units of its own maximum; exp(±‖q‖²/2) is left out, since it cancels."""
    exponents, waves = PROJECTED_FEATURES[feature_map].exponents_and_waves(queries @ frequencies.mT)
    exponents = exponents + peak
    return _exponentiate(exponents, waves, exponents.max(axis=-1, keepdims=True))


def _key_exponents(keys, frequencies, feature_map):
    exponents, waves = PROJECTED_FEATURES[feature_map].exponents_and_waves(keys @ frequencies.mT)
    exponents += PROJECTED_FEATURES[feature_map].norm_sign * half_squared_norms(keys)
    return exponents, waves


def _exponentiate(exponents, waves, shift):
    """exp(exponents − shift) · waves; the exponents are overwritten."""
    exponents -= shift
    np.exp(exponents, out=exponents)
    return exponents if waves is None else exponents * waves


def _like(values, estimate):
    """Values without columns give an estimate without columns."""
    return estimate[..., 0] if np.ndim(values) == 1 else estimate


def _with_one(values):
    return np.concatenate([values, np.ones_like(values[..., :1])], axis=-1)


def _attention_inputs(queries, keys, values, causal=False, names=("queries", "keys")):
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
