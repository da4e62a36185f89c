"""Linear attention in blocks of tokens, with feature maps that can neither overflow nor underflow.

`feature_average(φ(queries), φ(keys), values)` is the definition. A feature map is represented by its `parts`, a
function of the projections ω·x and of ‖x‖²/2 that returns exponents and waves, φ = exp(exponent) · wave (see
`lib.random_features.feature_maps`). The largest exponent of each feature over the keys, its peak, is subtracted
from the keys' exponents and added to those of the queries. Then each query's largest exponent is subtracted. Both
cancel in the quotient. The norm of a query also cancels and is omitted.
"""

from functools import reduce
from typing import NamedTuple

import numpy as np

from lib.weights import blocks

BLOCK, CAUSAL_BLOCK = 1024, 128  # tokens at a time; 1024 by 256 features in float32 are 1 MB


class KeySums(NamedTuple):
    """The state of linear attention, of fixed size for any number of keys: Σ φ(k) [v, 1]ᵀ, in units of exp(peak).

    peak : (…, 1, m) array
        The largest exponent of each feature over the keys; (…, 1, 1) for trigonometric features.
    sums : (…, m, c + 1) array
        The last column is Σ φ(k).
    """

    peak: np.ndarray
    sums: np.ndarray


def totals(queries, keys, values_and_one, frequencies, parts, log_weights=0.0):
    """Return numerators and, in the last column, denominators of the averages: `(…, n_queries, c + 1)`.

    `log_weights` contains one log-weight per feature.
    """
    peak, sums = sum_keys(keys, values_and_one, frequencies, parts)
    return read_sums(queries, KeySums(peak + log_weights, sums), frequencies, parts)


def sum_keys(keys, values_and_one, frequencies, parts):
    """Compute the sums over the keys block by block, as a map and a reduce."""
    return reduce(
        merge_sums,
        (
            _sum_block(keys[..., rows, :], values_and_one[..., rows, :], frequencies, parts)
            for rows in blocks(keys.shape[-2], BLOCK)
        ),
    )


def merge_sums(one, other):
    """Merge the sums over two sets of keys; the order does not matter."""
    peak = np.maximum(one.peak, other.peak)
    return KeySums(peak, np.exp(one.peak - peak).mT * one.sums + np.exp(other.peak - peak).mT * other.sums)


def read_sums(queries, key_sums, frequencies, parts):
    """Compute φ(Q)(φ(K)ᵀ[V, 1]) from the sums over the keys block by block; each row has an arbitrary scale."""
    read = [
        _query_features(queries[..., rows, :], key_sums.peak, frequencies, parts) @ key_sums.sums
        for rows in blocks(queries.shape[-2], BLOCK)
    ]
    return np.concatenate(read, axis=-2)


def causal_totals(queries, keys, values_and_one, frequencies, parts, log_weights=0.0):
    """Compute causal `totals` block by block: query i attends to keys 0 … i."""
    features = _query_features(queries[..., :1, :], np.zeros((1, 1), keys.dtype), frequencies, parts)
    before = KeySums(np.full((1, 1), -np.inf, keys.dtype), np.zeros_like(features[..., :1, :].mT))  # no keys
    found, start, size = [], 0, CAUSAL_BLOCK
    while start < keys.shape[-2]:
        block = [x[..., start : start + size, :] for x in (queries, keys, values_and_one)]
        block_totals, after = _causal_block(*block, frequencies, parts, before)
        size = block_totals.shape[-2]
        if size > 1 and _vanished(block_totals):
            size //= 2
            continue
        found.append(block_totals)
        before, start, size = after, start + size, min(2 * size, CAUSAL_BLOCK)
    return np.concatenate(found, axis=-2)


def _sum_block(keys, values_and_one, frequencies, parts):
    exponents, waves = _key_exponents(keys, frequencies, parts)
    peak = exponents.max(axis=-2, keepdims=True)
    return KeySums(peak, _exponentiate(exponents, waves, peak).mT @ values_and_one)


def _causal_block(queries, keys, values_and_one, frequencies, parts, before):
    """Combine the sums of earlier blocks with the lower triangle of this block's weights."""
    exponents, waves = _key_exponents(keys, frequencies, parts)
    peak = np.maximum(before.peak, exponents.max(axis=-2, keepdims=True))
    key_features = _exponentiate(exponents, waves, peak)
    query_features = _query_features(queries, peak, frequencies, parts)
    earlier = np.exp(before.peak - peak).mT * before.sums
    totals = query_features @ earlier + np.tril(query_features @ key_features.mT) @ values_and_one
    return totals, KeySums(peak, earlier + key_features.mT @ values_and_one)


def _vanished(totals):
    """Return whether the peak of a later key in the block makes an earlier query's weights underflow."""
    limits = np.finfo(totals.dtype)
    return np.abs(totals[..., -1]).min() < limits.tiny / limits.eps**2


def _query_features(queries, peak, frequencies, parts):
    """Return φ(q) divided by its maximum, without the factor that depends on the norm."""
    exponents, waves = parts(queries @ frequencies.mT, np.zeros(1, queries.dtype))
    exponents = exponents + peak
    return _exponentiate(exponents, waves, exponents.max(axis=-1, keepdims=True))


def _key_exponents(keys, frequencies, parts):
    return parts(keys @ frequencies.mT, np.einsum("...d,...d->...", keys, keys)[..., None] / 2)


def _exponentiate(exponents, waves, shift):
    """Compute exp(exponents − shift) · waves; the exponents are overwritten."""
    exponents -= shift
    np.exp(exponents, out=exponents)
    return exponents if waves is None else exponents * waves


def with_one(values):
    """Return [v, 1], whose weighted sums are numerator and denominator."""
    return np.concatenate([values, np.ones_like(values[..., :1])], axis=-1)


def causal_products(query_features, key_features, values_and_one):
    """Compute Σ_{j ≤ i} φ(q_i)·φ(k_j) [v_j, 1] for every i block by block: `tril(φ(Q)φ(K)ᵀ) [V, 1]`."""
    earlier = np.zeros_like(key_features[..., :1, :].mT @ values_and_one[..., :1, :])
    found = []
    for rows in blocks(key_features.shape[-2], CAUSAL_BLOCK):
        queries, keys, values = (x[..., rows, :] for x in (query_features, key_features, values_and_one))
        found.append(queries @ earlier + np.tril(queries @ keys.mT) @ values)
        earlier = earlier + keys.mT @ values
    return np.concatenate(found, axis=-2)
