"""The ground floor: log-weights become weights that sum to 1, and weights average values.

Every method of the course ends in these two lines; only its log-weights differ.

    weights  = softmax(log_weights)
    estimate = average(weights, values)

`streamed_average` computes both at once, block by block, and never holds the whole matrix.
"""

import numpy as np

from lib.checks import broadcast_leading_axes, floats, real_array, whole_number

LOG2E = np.log2(np.e)
# A float32 block is 450 kB and stays in the second-level cache. With a power of two, such as 512 keys, the rows of
# a block would share their place in the cache, and their products take a tenth longer.
BLOCK_QUERIES, BLOCK_KEYS = 240, 480
LN2 = np.log(2)


def softmax(log_weights, axis=-1):
    """Positive weights that sum to 1 along an axis.

    Parameters
    ----------
    log_weights : array
        Logarithms of the unnormalised weights, usually `(n_queries, n_keys)`. −inf is a weight of zero.
    axis : int
        The axis of the keys.

    Returns
    -------
    array of the same shape, in [0, 1]. A row of only −inf gives zeros: there is nothing to attend to.

    Raises
    ------
    ValueError, TypeError
        If a log-weight is NaN or +inf or not real, or there are none.

    Notes
    -----
    Equation eq:softmax of chapter 1. The largest log-weight is subtracted first, which cancels in the
    ratio, so neither overflow nor 0/0 can occur.

    Examples
    --------
    >>> softmax([0.0, np.log(3.0)])
    array([0.25, 0.75])
    """
    log_weights = floats("log_weights", log_weights)
    axis = whole_number("axis", axis, -log_weights.ndim, log_weights.ndim - 1) if log_weights.ndim else None
    if log_weights.size == 0 or axis is None:
        raise ValueError(f"log_weights: expected at least one key, got shape {log_weights.shape}")
    largest = log_weights.max(axis=axis, keepdims=True)
    if not (largest < np.inf).all():
        raise ValueError("log_weights: expected numbers below +inf, got NaN or +inf")
    with np.errstate(over="ignore"):  # a difference below the range is a weight of zero
        weights = np.exp(log_weights - np.where(np.isfinite(largest), largest, 0))
    total = weights.sum(axis=axis, keepdims=True, dtype=np.float64).astype(weights.dtype)
    return weights / np.where(total > 0, total, 1)


def average(weights, values):
    """The weighted average of the values: one estimate per query.

    Parameters
    ----------
    weights : (n_queries, n_keys) or (…, n_queries, n_keys) array
        Rows that sum to 1, as from `softmax`.
    values : (n_keys,) or (n_keys, c) or (…, n_keys, c) array
        What is averaged; leading axes are batch and go with those of the weights.

    Returns
    -------
    (n_queries,) or (n_queries, c) or (…, n_queries, c) array
        A row of zeros gives NaN: where no key has weight there is no estimate.

    Raises
    ------
    ValueError, TypeError
        If the number of keys differs, or an array is empty, not real, or holds NaN or inf.

    Notes
    -----
    Equation eq:average of chapter 1.

    Examples
    --------
    >>> average([[0.25, 0.75], [0.0, 0.0]], [4.0, 8.0])
    array([ 7., nan])
    """
    weights, values = real_array("weights", weights), real_array("values", values)
    key_axis = 0 if values.ndim == 1 else -2
    if weights.ndim == 0 or values.ndim == 0 or weights.shape[-1] != values.shape[key_axis]:
        raise ValueError(
            "weights and values: expected (…, n_queries, n_keys) and (n_keys,) or (…, n_keys, c), "
            f"got {weights.shape} and {values.shape}"
        )
    if values.ndim > 2:
        broadcast_leading_axes(weights=weights, values=values)
    dtype = np.result_type(weights, values)  # one type for both: matmul itself is slow to convert
    weights, values = weights.astype(dtype, copy=False), values.astype(dtype, copy=False)
    estimate = weights @ values
    unseen = ~weights.any(axis=-1)
    return np.where(unseen if values.ndim == 1 else unseen[..., None], np.nan, estimate)[()]


def float_type(*arrays):
    """float32 if every array is, else float64. (`lib.checks` has made float32 of float16.)"""
    return np.float32 if all(np.asarray(a).dtype == np.float32 for a in arrays) else np.float64


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


def blocks(length, size):
    """Slices of at most `size` that cover `length`."""
    return [slice(start, min(start + size, length)) for start in range(0, length, size)]


def streamed_average(log2_weights, values, n_queries, dtype, visible=None, unbounded=None, smallest=-np.inf):
    """`average(softmax(log_weights), values)` in blocks, without the whole matrix of weights.

    Parameters
    ----------
    log2_weights : function (columns, dtype) → function (rows) → (n_rows, n_columns) array
        The log-weights of some queries and some keys **in base 2** (natural ones times `LOG2E`), since two to the
        power is often cheaper than e to the power. The first call prepares a block of keys, the second answers for
        a block of queries with a new array, which is overwritten here. Subtract an upper bound per row, so that
        the largest log-weight is at most about 0.
    values : (n_keys, c) array
    n_queries : int
    dtype : float32 or float64
        The type of the blocks. Rows that underflow are done again in float64.
    visible : (n_queries, n_keys) boolean array, or None for all
        Which keys a query may see. A hidden key has a weight of exactly zero, and blocks that are wholly hidden
        cost nothing.
    unbounded : function like `log2_weights`, or None for the same
        For the rows that underflow. It need not subtract a bound, which would cost digits where it is large.
    smallest : float
        No log-weight of `log2_weights` lies below this. If their weights are all normal numbers of the dtype, a
        pass over each block is saved.

    Returns
    -------
    (n_queries, c) float64 array; NaN where no key has weight.

    Notes
    -----
    Numerator and denominator come from one product with [values, 1]. A fixed bound instead of each row's own
    maximum saves two passes over the block; the few rows far below the bound are found by their denominator
    and repeated with a running maximum.
    """
    n_keys, limits = len(values), np.finfo(dtype)
    lowest = limits.minexp + limits.nmant  # 2**lowest times a value is still a normal number; others are slow
    clipped = n_keys * 2.0**lowest / limits.eps  # log-weights are raised to `lowest`: at most eps times this
    excess = max(0, int(np.frexp(np.abs(values).max())[1]) + n_keys.bit_length() - limits.maxexp + 1)
    values = values * 2.0**-excess  # so that no sum of them overflows
    values_and_one = np.column_stack([values, np.ones(n_keys)]).astype(dtype, copy=False)
    sums = np.zeros((n_queries, values_and_one.shape[1]))
    row_blocks, column_blocks = blocks(n_queries, BLOCK_QUERIES), blocks(n_keys, BLOCK_KEYS)
    some, every = _seen_by_blocks(visible, row_blocks, column_blocks)
    for j, columns in enumerate(column_blocks):
        block_of = log2_weights(columns, dtype)
        for i, rows in enumerate(row_blocks):
            if not some[i, j]:
                continue
            block = block_of(rows)
            if smallest < lowest:
                np.clip(block, lowest, limits.maxexp - 1, out=block)  # on both sides: faster than on one
            exp2_in_place(block)
            if not every[i, j]:
                block *= visible[rows, columns]
            sums[rows] += block @ values_and_one[columns]
    if smallest < lowest and _outweighs(values, visible, clipped):
        clipped = np.inf  # then no row may be clipped
    underflowed = np.flatnonzero(sums[:, -1] < clipped)
    for rows in blocks(len(underflowed), BLOCK_QUERIES):
        sums[underflowed[rows]] = _sums_with_running_maximum(
            unbounded or log2_weights, values, underflowed[rows], visible
        )
    total = sums[:, -1:]
    estimate = np.divide(sums[:, :-1], total, out=np.full_like(sums[:, :-1], np.nan), where=total > 0)
    estimate *= 2.0**excess
    return estimate


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


def _sums_with_running_maximum(log2_weights, values, rows, visible):
    largest = np.full((len(rows), 1), -np.inf)
    sums = np.zeros((len(rows), values.shape[1] + 1))
    for columns in blocks(len(values), BLOCK_KEYS):
        block = log2_weights(columns, np.float64)(rows)
        if visible is not None:
            block[~visible[rows, columns]] = -np.inf
        larger = np.maximum(largest, block.max(axis=1, keepdims=True))
        origin = np.where(np.isfinite(larger), larger, 0)
        weights = np.exp2(block - origin)
        sums *= np.exp2(largest - origin)
        sums[:, :-1] += weights @ values[columns]
        sums[:, -1] += weights.sum(axis=1)
        largest = larger
    return sums
