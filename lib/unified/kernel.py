"""The augmented variable t = [x; y], the block metric Q, and the kernel exp(−(tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ))."""

import numpy as np

from lib.checks import one_of, points, real_array
from lib.kernels import KERNELS
from lib.metrics import squared_mahalanobis


def augment(positions, features):
    """Combine position and features of each sample into a vector t = [x; y].

    Parameters
    ----------
    positions : (n,) or (…, n, d_x) array
        x. `(n,)` means d_x = 1.
    features : (n,) or (…, n, d_y) array
        y: a value, a colour, a patch, or any other features. `(n,)` means d_y = 1.

    Returns
    -------
    (…, n, d_x + d_y) array

    Notes
    -----
    The vector t in eq:block_metric of chapter 5.

    Examples
    --------
    >>> augment([0.0, 1.0], [[7.0, 8.0], [9.0, 6.0]])
    array([[0., 7., 8.],
           [1., 9., 6.]])
    """
    positions, features = real_array("positions", positions), real_array("features", features)
    positions, features = (a[:, None] if a.ndim == 1 else a for a in (positions, features))
    if positions.ndim == 0 or positions.shape[:-1] != features.shape[:-1]:
        raise ValueError(
            f"positions and features: expected one row per sample, got {positions.shape} and {features.shape}"
        )
    return np.concatenate([positions, features], axis=-1)


def block_metric(position_block, feature_block, cross_block=None):
    """Assemble the metric Q of the augmented variable from its blocks.

    Parameters
    ----------
    position_block : (d_x, d_x) or (…, d_x, d_x) array
        Q_x. A leading axis gives one metric per key.
    feature_block : (d_y, d_y) or (…, d_y, d_y) array
        Q_y.
    cross_block : (d_x, d_y) or (…, d_x, d_y) array, or None for zeros
        Q_xy, above the diagonal; its transpose is placed below.

    Returns
    -------
    (d_x + d_y, d_x + d_y) or (…, d_x + d_y, d_x + d_y) array

    Notes
    -----
    Equation eq:block_metric of chapter 5. With `cross_block=None` this is the slides' block-diagonal Q; step 1
    adds the off-diagonal blocks.

    Examples
    --------
    >>> block_metric([[4.0]], np.diag([1.0, 2.0]))
    array([[4., 0., 0.],
           [0., 1., 0.],
           [0., 0., 2.]])
    """
    position_block = real_array("position_block", position_block)
    feature_block = real_array("feature_block", feature_block)
    for name, block in [("position_block", position_block), ("feature_block", feature_block)]:
        if block.ndim < 2 or block.shape[-1] != block.shape[-2]:
            raise ValueError(f"{name}: expected shape (…, d, d), got {block.shape}")
    size = position_block.shape[-1], feature_block.shape[-1]
    cross_block = np.zeros(size) if cross_block is None else real_array("cross_block", cross_block)
    if cross_block.shape[-2:] != size:
        raise ValueError(f"cross_block: expected shape (…, {size[0]}, {size[1]}), got {cross_block.shape}")
    shapes = [block.shape for block in (position_block, feature_block, cross_block)]
    try:
        leading = np.broadcast_shapes(*(shape[:-2] for shape in shapes))
    except ValueError:
        raise ValueError(f"blocks: expected leading axes that broadcast, got shapes {shapes}") from None
    metric = np.zeros((*leading, sum(size), sum(size)))
    x, y = slice(size[0]), slice(size[0], None)
    metric[..., x, x], metric[..., y, y] = position_block, feature_block
    metric[..., x, y], metric[..., y, x] = cross_block, np.swapaxes(cross_block, -1, -2)
    return metric


def log_kernel(queries, keys, metric, kernel="gaussian"):
    """Compute the log-weights of every query and key under a metric.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array
        tᵢ
    keys : (n_keys,) or (n_keys, d) array
        tⱼ
    metric : (d, d) or (n_keys, d, d) array
        Q, one for all keys or one per key. Only its symmetric part, ½(Q + Qᵀ), has an effect.
    kernel : one of `lib.kernels.KERNELS`, or a function of the squared distance
        log K as a function of s² = (tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ). `POSITIVE_DEFINITE_KERNELS` names those that are positive
        definite if Q is positive semi-definite and the same for all keys.

    Returns
    -------
    (n_queries, n_keys) array

    Notes
    -----
    Equation eq:unified_kernel of chapter 5. The Gaussian is the course's −(tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ).

    Examples
    --------
    >>> metric = block_metric([[1.0]], [[4.0]])
    >>> log_kernel(augment([0.0], [0.0]), augment([0.0, 2.0], [0.0, 0.5]), metric)
    array([[-0., -5.]])
    """
    queries, keys = (x.astype(np.float64, copy=False) for x in points(queries, keys))
    metric = real_array("metric", metric).astype(np.float64, copy=False)
    square = keys.shape[1:] * 2
    if metric.shape not in [square, (len(keys), *square)]:
        raise ValueError(f"metric: expected shape {square} or {(len(keys), *square)}, got {metric.shape}")
    return kernel_function(kernel)(squared_mahalanobis(queries, keys, metric))


def kernel_function(kernel):
    """Return log K as a function of the squared distance; look it up if a name is given."""
    return kernel if callable(kernel) else KERNELS[one_of("kernel", kernel, KERNELS)]
