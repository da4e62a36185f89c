"""Weighted averages in blocks of queries and keys, without storing the weight matrix.

This also saves the passes over the matrix that find each row's maximum and divide by its sum.
"""

import numpy as np

from lib.weights import blocks, ratio

LOG2E, LN2 = np.log2(np.e), np.log(2)
# A float32 block takes 450 kB and fits into the L2 cache. With a power of two, such as 512 keys, the rows of a
# block would map to the same cache sets, and products would take 10 % longer.
BLOCK_QUERIES, BLOCK_KEYS = 240, 480


class LogWeights:
    """Interface for `streamed_average`: log-weights **in base 2**, that is, natural log-weights times `LOG2E`.

    Powers of 2 are often cheaper than powers of e. An upper bound per row is subtracted, which does not change the
    weights, so the largest log-weight of a row is at most about 0.
    """

    dtype = np.float64  # of the blocks, or float32. Rows that underflow are recomputed in float64
    smallest = -np.inf  # lower bound of the log-weights of `block`; if it is not too low, clipping is skipped

    bound = 0.0  # subtracted from each row by `block`, a number or (n_queries,); in base 2

    def prepare(self, columns, dtype):
        """Precompute what a block of keys needs for all blocks of queries."""
        raise NotImplementedError

    def block(self, rows, columns, prepared):
        """Return the log-weights of some queries and the prepared keys, in a new array that may be overwritten."""
        raise NotImplementedError

    def exact(self, rows, columns):
        """Return float64 log-weights for rows far below their bound; the bound need not be subtracted."""
        return self.block(rows, columns, self.prepare(columns, np.float64))


def streamed_average(log_weights, values, n_queries, visible=None):
    """Compute `average(softmax(log_weights), values)` in blocks, without the whole weight matrix.

    Parameters, return value and notes are those of `average_and_log_sums`.
    """
    return average_and_log_sums(log_weights, values, n_queries, visible)[0]


def average_and_log_sums(log_weights, values, n_queries, visible=None):
    """Compute averages and the log of each row's sum of weights, with which averages can be merged.

    Parameters
    ----------
    log_weights : LogWeights
    values : (n_keys, c) array
    n_queries : int
    visible : (n_queries, n_keys) boolean array, or None for all
        True where a query may attend to a key. A masked key has a weight of exactly zero, and fully masked blocks
        cost nothing.

    Returns
    -------
    estimate : (n_queries, c) float64 array
        NaN where no key has weight.
    log_sums : (n_queries,) float64 array
        Natural log Σ exp(log-weight), before the bound is subtracted; −inf where no key has weight.

    Notes
    -----
    Numerator and denominator are computed by one product with [values, 1]. Using a fixed bound instead of each
    row's maximum saves two passes over the block; the few rows far below the bound are identified by their
    denominator and recomputed with a running maximum.
    """
    n_keys, dtype = len(values), log_weights.dtype
    limits = np.finfo(dtype)
    lowest = limits.minexp + limits.nmant  # 2**lowest times a value is still normal; subnormals are slow
    clipped = n_keys * 2.0**lowest / limits.eps  # clipping to `lowest` adds at most eps times this
    excess = max(0, int(np.frexp(np.abs(values).max())[1]) + n_keys.bit_length() - limits.maxexp + 1)
    values = values * 2.0**-excess  # so that no sum overflows
    values_and_one = np.column_stack([values, np.ones(n_keys)]).astype(dtype, copy=False)
    sums = np.zeros((n_queries, values_and_one.shape[1]))
    row_blocks, column_blocks = blocks(n_queries, BLOCK_QUERIES), blocks(n_keys, BLOCK_KEYS)
    some, every = _seen_by_blocks(visible, row_blocks, column_blocks)
    may_underflow = log_weights.smallest < lowest
    for j, columns in enumerate(column_blocks):
        prepared = log_weights.prepare(columns, dtype)
        for i, rows in enumerate(row_blocks):
            if not some[i, j]:
                continue
            block = log_weights.block(rows, columns, prepared)
            if may_underflow:
                np.clip(block, lowest, limits.maxexp - 1, out=block)  # clipping both sides is 3× as fast
            exp2_in_place(block)
            if not every[i, j]:
                block *= visible[rows, columns]
            sums[rows] += block @ values_and_one[columns]
    if may_underflow and _outweighs(values, visible, clipped):
        clipped = np.inf  # no row may be clipped in this case
    unit = np.broadcast_to(log_weights.bound, n_queries).astype(np.float64)
    underflowed = np.flatnonzero(sums[:, -1] < clipped)
    for rows in blocks(len(underflowed), BLOCK_QUERIES):
        rows = underflowed[rows]
        sums[rows], unit[rows] = _sums_with_running_maximum(log_weights, values, rows, visible)
    with np.errstate(divide="ignore"):
        log_sums = (np.log2(sums[:, -1]) + unit) * LN2
    return ratio(sums[:, :-1], sums[:, -1:]) * 2.0**excess, log_sums


def _seen_by_blocks(visible, row_blocks, column_blocks):
    """Return whether any, and whether all, pairs of each block of rows and block of columns are visible."""
    some, every = np.ones((2, len(row_blocks), len(column_blocks)), bool)
    starts = [columns.start for columns in column_blocks]
    for i, rows in enumerate([] if visible is None else row_blocks):
        block = visible[rows].view(np.uint8)  # read the mask once, in memory order
        seeing = block.sum(axis=0, dtype=np.min_scalar_type(len(block)))
        some[i] = np.logical_or.reduceat(seeing > 0, starts)
        every[i] = np.logical_and.reduceat(seeing == len(block), starts)
    return some, every


def _outweighs(values, visible, weight):
    """Return whether `weight` times the largest value exceeds the smallest, among visible nonzero values."""
    seen = values if visible is None else values[visible.any(axis=0)]
    sizes = np.abs(seen[seen != 0])
    return sizes.size > 0 and weight * sizes.max() > sizes.min()


def _sums_with_running_maximum(log_weights, values, rows, visible):
    largest = np.full((len(rows), 1), -np.inf)
    sums = np.zeros((len(rows), values.shape[1] + 1))
    for columns in blocks(len(values), BLOCK_KEYS):
        block = log_weights.exact(rows, columns)
        if visible is not None:
            block[~visible[rows, columns]] = -np.inf
        larger = np.maximum(largest, block.max(axis=1, keepdims=True))
        origin = np.where(np.isfinite(larger), larger, 0)
        weights = np.exp2(block - origin)
        sums *= np.exp2(largest - origin)
        sums[:, :-1] += weights @ values[columns]
        sums[:, -1] += weights.sum(axis=1)
        largest = larger
    return sums, largest[:, 0]


def has_vector_code(name):
    """Return whether NumPy has a SIMD implementation of this float32 function for this processor."""
    loops = np.lib.introspect.opt_func_info(f"^{name}$", "^float32$").get(name, {})
    return any(not loop["current"].startswith("baseline") for loop in loops.values())


EXP_IS_CHEAPER = has_vector_code("exp") and not has_vector_code("exp2")


def exp2_in_place(exponents):
    """Raise 2 to the power of each element in place, using the cheaper of exp2 and exp.

    With AVX-512, exp2 takes half as long as exp. With only AVX2, NumPy has no SIMD implementation of exp2, and exp
    takes half as long in float32.
    """
    if EXP_IS_CHEAPER and exponents.dtype == np.float32:
        exponents *= LN2.astype(np.float32)
        np.exp(exponents, out=exponents)
    else:
        np.exp2(exponents, out=exponents)
