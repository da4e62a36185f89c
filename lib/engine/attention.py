"""Blockwise attention over a sequence: `average(softmax(q·k/τ), values)` without the weight matrix."""

import math
from functools import partial

import numpy as np

from lib.checks import float_type, refuse_overflow
from lib.engine.streaming import LOG2E, LogWeights, average_and_log_sums

FEW_QUERIES, FEW_PAIRS, FEW_IN_A_BATCH = 16, 2**17, 2**20  # number of weights held in memory at once


def attend_for(shape, attend):
    """Choose an implementation for weights of shape (…, n_queries, n_keys).

    Small weights use `attend`, which stores them all. Large batches are processed sequence by sequence, and long
    sequences are streamed.
    """
    few = shape[-2] <= FEW_QUERIES or shape[-2] * shape[-1] <= FEW_PAIRS
    if few and math.prod(shape) <= FEW_IN_A_BATCH:
        return attend
    return partial(_sequence_by_sequence, attend if few else streamed_attention)


def _sequence_by_sequence(attend, queries, keys, values, temperature, mask, bias):
    """Call `attend` for each sequence of a batch."""
    given = {name: array for name, array in (("mask", mask), ("bias", bias)) if array is not None}
    size = queries.shape[-2], keys.shape[-2]
    over_pairs = [np.broadcast_to(array, (*array.shape[:-2], *size)) for array in given.values()]
    one = lambda q, k, v, *pairs: attend(q, k, v, temperature, **dict(zip(given, pairs, strict=True)))
    signature = "(n,d),(m,d),(m,c)" + ",(n,m)" * len(given) + "->(n,c)"
    return np.vectorize(one, signature=signature)(queries, keys, values, *over_pairs)


def streamed_attention(queries, keys, values, temperature, mask=None, bias=None):
    """Return estimates `(n_queries, c)` for queries `(n_queries, d)`, keys `(n_keys, d)` and values `(n_keys, c)`.

    `mask` and `bias` are `(n_queries, n_keys)` or None, as validated by `lib.attention`.
    """
    return attention_and_log_sums(queries, keys, values, temperature, mask, bias)[0]


def attention_and_log_sums(queries, keys, values, temperature, mask=None, bias=None):
    """Return the estimates of `streamed_attention` and log Σ exp(q·k/τ + bias) for each query."""
    log_weights = _InnerProducts(queries, keys, temperature, mask, bias, float_type(queries, keys, values))
    return average_and_log_sums(log_weights, values, len(queries), mask)


class _InnerProducts(LogWeights):
    """Log-weights q·k/τ + bias, minus an upper bound.

    softmax does not change if a constant is added to a whole row. Therefore the keys can be centred, which
    improves accuracy in float32, and the Cauchy–Schwarz bound q·k ≤ ‖q‖ max‖k‖ can be subtracted. It replaces the
    row's maximum, which would require an extra pass. The bound is an additional column of the queries, multiplied
    by a constant 1 in the keys. Rows far below their bound are recomputed without it.
    """

    def __init__(self, queries, keys, temperature, mask, bias, dtype):
        self.queries, self.keys, self.bias = queries, _without_hidden(keys, mask), bias
        self.scale = float(LOG2E) / temperature
        with np.errstate(over="ignore", invalid="ignore"):
            mean = self.keys.mean(axis=0, dtype=np.float64)
            centred = self.keys - mean
            unit = _largest_size(centred)
            centred /= unit  # entries are at most 1 and queries at most the bound, so float32 can represent them
            scaled = queries.astype(np.float64) * (self.scale * unit)
            bound = _norms(scaled) * _norms(centred).max()
            of_mean = self.scale * (queries.astype(np.float64) @ mean)
        refuse_overflow(bound)
        # The rounding error is about eps times the bound; float32 is accurate enough if that is small.
        self.dtype = dtype = dtype if bound.max() * np.finfo(np.float32).eps < 1e-3 else np.float64
        bound = bound.astype(dtype)
        self.bound = bound + of_mean
        self.queries_and_bound = np.column_stack([scaled.astype(dtype, copy=False), -bound])
        self.keys_and_one = np.column_stack([centred.astype(dtype, copy=False), np.ones(len(keys), dtype)])
        self.smallest = -2 * bound.max() if bias is None else -np.inf  # because q·k ≥ −‖q‖ max‖k‖

    def prepare(self, columns, dtype):
        return np.ascontiguousarray(self.keys_and_one[columns].T, dtype)

    def block(self, rows, columns, prepared):
        queries = self.queries_and_bound[rows].astype(prepared.dtype, copy=False)
        return self._biased(queries @ prepared, rows, columns)

    def exact(self, rows, columns):
        queries, keys = self.queries[rows].astype(np.float64), self.keys[columns].T.astype(np.float64)
        return self._biased(self.scale * queries @ keys, rows, columns)

    def _biased(self, scores, rows, columns):
        if self.bias is None:
            return scores
        with np.errstate(over="ignore"):
            below = np.clip(self.bias[rows, columns], np.finfo(scores.dtype).min / 4, 0)
        return scores + (LOG2E * below).astype(scores.dtype)


def _without_hidden(keys, mask):
    """Replace each fully masked key by a visible one, so that padding does not affect the mean."""
    if mask is None or mask[-1].all():  # in causal attention the last query sees all keys
        return keys
    seen = mask.any(axis=0)
    return np.where(seen[:, None], keys, keys[seen.argmax()])


def _norms(a):
    """Return ‖a‖ of each row, without overflow or underflow of the squares."""
    unit = _largest_size(a)
    a = a / unit
    return unit * np.sqrt(np.einsum("nd,nd->n", a, a))


def _largest_size(a):
    """Return the largest |element|, or 1 if all are zero."""
    return float(max(a.max(), -a.min())) or 1.0
