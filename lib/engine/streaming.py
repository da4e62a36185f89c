"""The average with weights that are never all there, by blocks of queries and of keys.

It saves the matrix of weights, and the passes over it that look for each row's maximum and divide by its sum.
"""

import numpy as np

from lib.weights import blocks, ratio

LOG2E, LN2 = np.log2(np.e), np.log(2)
# A float32 block is 450 kB and stays in the second-level cache. With a power of two, such as 512 keys, the rows of
# a block would share their place in the cache, and their products take a tenth longer.
BLOCK_QUERIES, BLOCK_KEYS = 240, 480


class LogWeights:
    """What `streamed_average` asks for: log-weights **in base 2**, natural ones times `LOG2E`.

    Two to the power is often cheaper than e to the power. An upper bound per row is subtracted, which changes no
    weight, so that the largest log-weight of a row is at most about 0.
    """

    dtype = np.float64  # of the blocks: float32, or float64. Rows that underflow are done again in float64
    smallest = (
        -np.inf
    )  # no log-weight of `block` lies below this; where it is near, a pass over each block is saved

    bound = 0.0  # what `block` subtracts from each row, one number or (n_queries,); in base 2

    def prepare(self, columns, dtype):
        """What a block of keys needs once, for all blocks of queries."""
        raise NotImplementedError

    def block(self, rows, columns, prepared):
        """The log-weights of some queries and the prepared keys, in a new array that may be overwritten."""
        raise NotImplementedError

    def exact(self, rows, columns):
        """The same in float64, for rows far below their bound; here the bound need not be subtracted."""
        return self.block(rows, columns, self.prepare(columns, np.float64))


def streamed_average(log_weights, values, n_queries, visible=None):
    """`average(softmax(log_weights), values)` in blocks, without the whole matrix of weights.

    Parameters, returns and notes as `average_and_log_sums`.
    """
    return average_and_log_sums(log_weights, values, n_queries, visible)[0]


def average_and_log_sums(log_weights, values, n_queries, visible=None):
    """The same, and the logarithm of the sum of each row's weights: with it, averages can be averaged in turn.

    Parameters
    ----------
    log_weights : LogWeights
    values : (n_keys, c) array
    n_queries : int
    visible : (n_queries, n_keys) boolean array, or None for all
        Which keys a query may see. A hidden key has a weight of exactly zero, and blocks that are wholly hidden
        cost nothing.

    Returns
    -------
    estimate : (n_queries, c) float64 array
        NaN where no key has weight.
    log_sums : (n_queries,) float64 array
        log Σ exp(log-weight), natural, of the log-weights without their bound; −inf where no key has weight.

    Notes
    -----
    Numerator and denominator come from one product with [values, 1]. A fixed bound instead of each row's own
    maximum saves two passes over the block; the few rows far below the bound are found by their denominator
    and repeated with a running maximum.
    """
    n_keys, dtype = len(values), log_weights.dtype
    limits = np.finfo(dtype)
    lowest = limits.minexp + limits.nmant  # 2**lowest times a value is still a normal number; others are slow
    clipped = n_keys * 2.0**lowest / limits.eps  # log-weights are raised to `lowest`: at most eps times this
    excess = max(0, int(np.frexp(np.abs(values).max())[1]) + n_keys.bit_length() - limits.maxexp + 1)
    values = values * 2.0**-excess  # so that no sum of them overflows
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
                np.clip(block, lowest, limits.maxexp - 1, out=block)  # on both sides: a third of one side's time
            exp2_in_place(block)
            if not every[i, j]:
                block *= visible[rows, columns]
            sums[rows] += block @ values_and_one[columns]
    if may_underflow and _outweighs(values, visible, clipped):
        clipped = np.inf  # then no row may be clipped
    unit = np.broadcast_to(log_weights.bound, n_queries).astype(np.float64)
    underflowed = np.flatnonzero(sums[:, -1] < clipped)
    for rows in blocks(len(underflowed), BLOCK_QUERIES):
        rows = underflowed[rows]
        sums[rows], unit[rows] = _sums_with_running_maximum(log_weights, values, rows, visible)
    with np.errstate(divide="ignore"):
        log_sums = (np.log2(sums[:, -1]) + unit) * LN2
    return ratio(sums[:, :-1], sums[:, -1:]) * 2.0**excess, log_sums


def _seen_by_blocks(visible, row_blocks, column_blocks):
    """Whether some query of each block of rows sees some key of each block of columns, and whether all see all."""
    some, every = np.ones((2, len(row_blocks), len(column_blocks)), bool)
    starts = [columns.start for columns in column_blocks]
    for i, rows in enumerate([] if visible is None else row_blocks):
        block = visible[rows].view(np.uint8)  # the mask is read once, in the order in which it lies in memory
        seeing = block.sum(axis=0, dtype=np.min_scalar_type(len(block)))
        some[i] = np.logical_or.reduceat(seeing > 0, starts)
        every[i] = np.logical_and.reduceat(seeing == len(block), starts)
    return some, every


def _outweighs(values, visible, weight):
    """Whether this weight times the largest value outweighs the smallest one, zeros and what nobody sees aside."""
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
    """Whether NumPy computes this function in float32 with the vector instructions of this processor."""
    loops = np.lib.introspect.opt_func_info(f"^{name}$", "^float32$").get(name, {})
    return any(not loop["current"].startswith("baseline") for loop in loops.values())


EXP_IS_CHEAPER = has_vector_code("exp") and not has_vector_code("exp2")


def exp2_in_place(exponents):
    """2 to the power of each element, in the array itself, by the cheaper of exp2 and exp.

    With AVX-512 exp2 costs half of exp. With AVX2 alone NumPy has no vector code for it, and exp costs half of
    exp2 in float32.
    """
    if EXP_IS_CHEAPER and exponents.dtype == np.float32:
        exponents *= LN2.astype(np.float32)
        np.exp(exponents, out=exponents)
    else:
        np.exp2(exponents, out=exponents)
