"""One kernel for sixty years of methods: an augmented variable t = [x; y] and a metric Q.

    K(tᵢ, tⱼ) = exp(−(tᵢ − tⱼ)ᵀ Q (tᵢ − tⱼ)),   Q = [[Q_x, Q_xy], [Q_xyᵀ, Q_y]]

x is where a sample lies, y what it looks like. A method is a choice of the blocks of Q:

| method                   | Q_x              | Q_y                                    |
|--------------------------|------------------|----------------------------------------|
| classical (N–W, 1964)    | I/h²             | 0                                      |
| bilateral (1998)         | I/h_x²           | 1/h_y² for the centre pixel, else 0    |
| non-local means (2005)   | 0                | G/h²                                   |
| steering kernel (2007)   | C of the key     | 0                                      |

Four steps lead on to attention: another positive-definite kernel (`log_kernel(…, kernel=)`), any features for t
(`augment`, `carry_norms`), off-diagonal blocks and a factored Q = W_qᵀ W_k (`block_metric(…, cross_block)`,
`factor`, `log_bilinear_kernel`), and values of another dimension (`attend`'s `value_map`).

Source of the table and the steps: Milanfar, "From kernel regression to attention mechanisms", lecture slides; its
filters: Milanfar (2013), "A tour of modern image filtering", doi:10.1109/MSP.2011.2179329.
"""

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib.checks import one_of, points, positive, real_array, whole_number
from lib.kernels import gaussian
from lib.metrics import squared_mahalanobis
from lib.weights import average, blocks, softmax

# -------------------------------------------------------------------- the augmented variable and its metric


def augment(positions, features):
    """Put where a sample lies and what it looks like into one vector, t = [x; y].

    Parameters
    ----------
    positions : (n,) or (…, n, d_x) array
        x. `(n,)` means d_x = 1.
    features : (n,) or (…, n, d_y) array
        y: a value, a colour, a patch, or any other features. `(n,)` means d_y = 1.

    Returns
    -------
    (…, n, d_x + d_y) array

    Raises
    ------
    ValueError, TypeError
        If the arrays hold different numbers of samples, are empty or hold NaN or inf.

    Notes
    -----
    Equation eq:augmented of chapter 5.

    Examples
    --------
    >>> augment([0.0, 1.0], [[7.0, 8.0], [9.0, 6.0]])
    array([[0., 7., 8.],
           [1., 9., 6.]])
    """
    positions, features = real_array("positions", positions), real_array("features", features)
    positions, features = (a[:, None] if a.ndim == 1 else a for a in (positions, features))
    if positions.shape[:-1] != features.shape[:-1]:
        raise ValueError(
            f"positions and features: expected one row each a sample, got {positions.shape} and {features.shape}"
        )
    return np.concatenate([positions, features], axis=-1)


def block_metric(position_block, feature_block, cross_block=None):
    """The metric Q of the augmented variable from its blocks.

    Parameters
    ----------
    position_block : (d_x, d_x) or (…, d_x, d_x) array
        Q_x. Leading axes are one metric a key.
    feature_block : (d_y, d_y) or (…, d_y, d_y) array
        Q_y.
    cross_block : (d_x, d_y) or (…, d_x, d_y) array, or None for zeros
        Q_xy, above the diagonal; its transpose goes below.

    Returns
    -------
    (d_x + d_y, d_x + d_y) or (…, d_x + d_y, d_x + d_y) array

    Raises
    ------
    ValueError, TypeError
        If the blocks do not fit together, are empty or hold NaN or inf.

    Notes
    -----
    Equation eq:block_metric of chapter 5. With `cross_block=None` this is the slides' block-diagonal Q; step 3
    allows the rest.

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
    leading = np.broadcast_shapes(*(b.shape[:-2] for b in (position_block, feature_block, cross_block)))
    metric = np.zeros((*leading, sum(size), sum(size)))
    x, y = slice(size[0]), slice(size[0], None)
    metric[..., x, x], metric[..., y, y] = position_block, feature_block
    metric[..., x, y], metric[..., y, x] = cross_block, np.swapaxes(cross_block, -1, -2)
    return metric


def _laplacian(squared_distance):
    return -np.sqrt(np.maximum(squared_distance, 0))


def _cauchy(squared_distance):
    return -np.log1p(np.maximum(squared_distance, 0))


# Logarithms of exp(−s), exp(−√s) and 1/(1 + s). As functions of s these are completely monotone, which makes them
# positive definite in every dimension: Schoenberg (1938), "Metric spaces and completely monotone functions",
# doi:10.2307/1968466. Boxcar, triangular and Epanechnikov are not.
POSITIVE_DEFINITE_KERNELS = {"gaussian": gaussian, "laplacian": _laplacian, "cauchy": _cauchy}


def log_kernel(queries, keys, metric, kernel="gaussian"):
    """The log-weights of every query and key under a metric.

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array
        tᵢ
    keys : (n_keys,) or (n_keys, d) array
        tⱼ
    metric : (d, d) or (n_keys, d, d) array
        Q, one for all or one a key. Only its symmetric part, ½(Q + Qᵀ), has an effect.
    kernel : {"gaussian", "laplacian", "cauchy"} or a function of the squared distance
        log K as a function of s = (tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ). The three are positive definite if Q is positive
        semi-definite and the same for all keys; any function of `lib.kernels` will do too.

    Returns
    -------
    (n_queries, n_keys) array

    Raises
    ------
    ValueError, TypeError
        For arrays that do not match, are empty or hold NaN or inf, and an unknown kernel.

    Notes
    -----
    Equation eq:unified_kernel of chapter 5. The Gaussian is the course's −(tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ); the others are
    step 1 towards attention.

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
    if not callable(kernel):
        kernel = POSITIVE_DEFINITE_KERNELS[one_of("kernel", kernel, POSITIVE_DEFINITE_KERNELS)]
    return kernel(squared_mahalanobis(queries, keys, metric))


# ------------------------------------------------------------------------- from the metric to Q/K/V attention


def factor(metric, rank=None):
    """Write a metric as W_qᵀ W_k.

    Parameters
    ----------
    metric : (d, d) array
        Q, of any kind: it need be neither symmetric nor positive.
    rank : int from 1 to d, or None for the rank of Q
        The number of rows kept, those with the largest singular values.

    Returns
    -------
    query_map, key_map : (rank, d) arrays
        W_q and W_k. For a symmetric positive semi-definite Q they are equal; an eigenvalue below zero gives a pair
        of rows of opposite sign.

    Raises
    ------
    ValueError, TypeError
        If the metric is not square, is empty or holds NaN or inf, or the rank is out of range.

    Notes
    -----
    Equation eq:factored of chapter 5, by the singular value decomposition U S Vᵀ: W_q = √S Uᵀ, W_k = √S Vᵀ.
    With fewer rows this is the best approximation of Q of that rank: Eckart & Young (1936),
    doi:10.1007/BF02288367.

    Examples
    --------
    >>> query_map, key_map = factor([[0.0, 2.0], [0.0, 0.0]])
    >>> query_map.shape, bool(np.allclose(query_map.T @ key_map, [[0, 2], [0, 0]]))
    ((1, 2), True)
    """
    metric = real_array("metric", metric)
    if metric.ndim != 2 or metric.shape[0] != metric.shape[1]:
        raise ValueError(f"metric: expected shape (d, d), got {metric.shape}")
    if rank is not None and whole_number("rank", rank) > len(metric):
        raise ValueError(f"rank: expected 1 to {len(metric)}, got {rank}")
    left, sizes, right = np.linalg.svd(metric)
    if rank is None:
        rank = max(1, int((sizes > sizes[0] * len(metric) * np.finfo(metric.dtype).eps).sum()))
    roots = np.sqrt(sizes[:rank, None])
    return roots * left.T[:rank], roots * right[:rank]


def log_bilinear_kernel(queries, keys, query_map, key_map):
    """Log-weights that are inner products of mapped queries and keys, (W_q tᵢ)·(W_k tⱼ).

    Parameters
    ----------
    queries : (n_queries,) or (n_queries, d) array
    keys : (n_keys,) or (n_keys, d) array
    query_map, key_map : (rank, d) arrays
        W_q and W_k.

    Returns
    -------
    (n_queries, n_keys) array

    Raises
    ------
    ValueError, TypeError
        For arrays that do not match, are empty or hold NaN or inf.

    Notes
    -----
    Equation eq:bilinear_kernel of chapter 5. Of −(tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ) = 2tᵢᵀQtⱼ − tᵢᵀQtᵢ − tⱼᵀQtⱼ only the first
    term is left, with 2Q = W_qᵀW_k. The second is the same for all keys and leaves the weights alone; the third is
    a prior on the keys, so the weights are the Gaussian's exactly if all keys have the same tᵀQt, or carry it as a
    feature (`carry_norms`). exp(tᵢᵀMtⱼ) is a kernel in Mercer's sense, on all vectors, exactly if M = W_qᵀW_k is
    symmetric positive semi-definite.

    Examples
    --------
    >>> log_bilinear_kernel([1.0, 2.0], [3.0], query_map=[[1.0]], key_map=[[10.0]])
    array([[30.],
           [60.]])
    """
    queries, keys = points(queries, keys)
    query_map, key_map = real_array("query_map", query_map), real_array("key_map", key_map)
    for name, array in [("query_map", query_map), ("key_map", key_map)]:
        if array.shape != (len(query_map), keys.shape[1]):
            raise ValueError(
                f"{name}: expected shape (rank, {keys.shape[1]}), one rank for both, got {array.shape}"
            )
    return (queries @ query_map.T) @ (keys @ key_map.T).T


def carry_norms(tokens, metrics):
    """Let each token carry its own squared norms, t̃ = [t, tᵀQ₁t, …, tᵀQ_bt, 1].

    Parameters
    ----------
    tokens : (n,) or (n, d) array
        t
    metrics : (d, d) or (b, d, d) array
        Q, or several whose weights are to stay free, such as one a block: one norm is carried for each.

    Returns
    -------
    (n, d + b + 1) array

    Raises
    ------
    ValueError, TypeError
        For arrays that do not match, are empty or hold NaN or inf.

    Notes
    -----
    Equation eq:norm_carrying of chapter 6. With these features the Gaussian kernel is an inner product,
    −(tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ) = t̃ᵢᵀ M t̃ⱼ for the matrix M of `norm_carrying_metric`, whatever the norms.

    Examples
    --------
    >>> carry_norms([[3.0, 4.0]], np.eye(2))
    array([[ 3.,  4., 25.,  1.]])
    """
    tokens, _ = points(tokens, tokens)
    metrics = _stack_of_metrics(metrics, tokens.shape[1])
    norms = np.einsum("nd,bde,ne->nb", tokens, metrics, tokens, optimize=True)
    return np.column_stack([tokens, norms, np.ones(len(tokens))])


def norm_carrying_metric(metrics, scales=None):
    """The matrix M for which t̃ᵢᵀMt̃ⱼ = −Σ_b c_b (tᵢ − tⱼ)ᵀQ_b(tᵢ − tⱼ).

    Parameters
    ----------
    metrics : (d, d) or (b, d, d) array
        The metrics whose norms the tokens carry, as in `carry_norms`.
    scales : (b,) array, or None for ones
        c_b, for instance 1/h_b².

    Returns
    -------
    (d + b + 1, d + b + 1) symmetric array. It is not positive semi-definite: of its two sides, one must carry the
    norm and the other a minus one. So `factor` gives W_q ≠ W_k.

    Raises
    ------
    ValueError, TypeError
        For arrays that do not match, are empty or hold NaN or inf.

    Notes
    -----
    Equation eq:norm_carrying of chapter 6: M = [[Σ c_b(Q_b + Q_bᵀ), 0, 0], [0, 0, −c], [0, −cᵀ, 0]].

    Examples
    --------
    >>> norm_carrying_metric([[1.0]], scales=[0.25])
    array([[ 0.5 ,  0.  ,  0.  ],
           [ 0.  ,  0.  , -0.25],
           [ 0.  , -0.25,  0.  ]])
    """
    metrics = _stack_of_metrics(metrics)
    scales = np.ones(len(metrics)) if scales is None else real_array("scales", scales)
    if scales.shape != metrics.shape[:1]:
        raise ValueError(f"scales: expected shape {metrics.shape[:1]}, one a metric, got {scales.shape}")
    dimension = metrics.shape[-1]
    result = np.zeros((dimension + len(metrics) + 1,) * 2)
    weighted = np.tensordot(scales, metrics, axes=1)
    result[:dimension, :dimension] = weighted + weighted.T
    result[dimension:-1, -1] = result[-1, dimension:-1] = -scales
    return result


def _stack_of_metrics(metrics, dimension=None):
    """Metrics as (b, d, d)."""
    metrics = real_array("metrics", metrics)
    stack = metrics[None] if metrics.ndim == 2 else metrics
    d = stack.shape[-1] if dimension is None else dimension
    if stack.ndim != 3 or stack.shape[1:] != (d, d):
        raise ValueError(f"metrics: expected shape ({d}, {d}) or (b, {d}, {d}), got {metrics.shape}")
    return stack


def attend(query_tokens, key_tokens, query_map, key_map, value_map):
    """Where the four steps end: softmax((W_q tᵢ)·(W_k tⱼ)) averages W_v tⱼ.

    Parameters
    ----------
    query_tokens : (n_queries,) or (n_queries, d) array
    key_tokens : (n_keys,) or (n_keys, d) array
    query_map, key_map : (rank, d) arrays
        W_q and W_k; the slides' Q and K.
    value_map : (c, d) array
        W_v; the slides' V. `[[0, 1]]` reads the value y off t = [x; y]: the scalar regression we came from.

    Returns
    -------
    (n_queries, c) array

    Raises
    ------
    ValueError, TypeError
        For arrays that do not match, are empty or hold NaN or inf.

    Notes
    -----
    Equation eq:four_steps of chapter 5. `lib.attention` has the same with temperature, masks, heads, and streamed.

    Examples
    --------
    >>> tokens = augment([0.0, 1.0], [10.0, 20.0])
    >>> attend(tokens, tokens, query_map=[[0.0, 0.0]], key_map=[[0.0, 0.0]], value_map=[[0.0, 1.0]])
    array([[15.],
           [15.]])
    """
    query_tokens, key_tokens = points(query_tokens, key_tokens)
    value_map = real_array("value_map", value_map)
    if value_map.ndim != 2 or value_map.shape[1] != key_tokens.shape[1]:
        raise ValueError(f"value_map: expected shape (c, {key_tokens.shape[1]}), got {value_map.shape}")
    weights = softmax(log_bilinear_kernel(query_tokens, key_tokens, query_map, key_map))
    return average(weights, key_tokens @ value_map.T)


# ------------------------------------------------------------------------------- the four methods on an image


class ImageKernel(NamedTuple):
    """A method on an image: the augmented variables, the metric, and the window.

    The queries are the image's pixels, the keys those of the image with a mirrored border as wide as the window's
    radius. `smooth` and `window_weights` do the rest, the same for every method.
    """

    queries: np.ndarray  # (H, W, d)
    keys: np.ndarray  # (H + 2·radius, W + 2·radius, d)
    values: np.ndarray  # (H + 2·radius, W + 2·radius, channels)
    metric: np.ndarray  # (d, d), or one a key, (H + 2·radius, W + 2·radius, d, d)
    log_prior: np.ndarray  # (H + 2·radius, W + 2·radius): a log-weight that depends on the key alone
    radius: int
    kernel: object  # as in `log_kernel`


def image_kernel(
    image,
    position_block,
    feature_block,
    radius,
    cross_block=None,
    patch_radius=0,
    log_prior=None,
    kernel="gaussian",
):
    """Any method of the family on an image, also those that have no name.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255
    position_block : (2, 2) or (H, W, 2, 2) array
        Q_x, for x = (row, column) in pixels; one for all or one a key.
    feature_block : (d_y, d_y) array
        Q_y, for y = the patch around the pixel, row by row, each pixel with its C channels:
        d_y = (2·patch_radius + 1)²·C.
    radius : int ≥ 0
        The window has side 2·radius + 1; outside of it a key has no weight. Where Q_x = 0 this is the only thing
        that keeps a method local.
    cross_block : (2, d_y) array, or None for zeros
        Q_xy.
    patch_radius : int ≥ 0
    log_prior : (H, W) array or None
        A log-weight of each pixel as a key.
    kernel : as in `log_kernel`

    Returns
    -------
    ImageKernel

    Raises
    ------
    ValueError, TypeError
        If the blocks do not fit the image and the patch, or anything is empty or holds NaN or inf.

    Notes
    -----
    Equation eq:unified_kernel of chapter 5. Outside, the image, the metrics and the prior are mirrored
    (`np.pad(mode="reflect")`).

    Examples
    --------
    Pixels that look alike, wherever they lie in the window:

    >>> image = np.array([[0.0, 1.0, 0.0, 1.0, 0.1]])
    >>> smooth(image_kernel(image, np.zeros((2, 2)), [[100.0]], radius=4)).round(2)
    array([[0.02, 1.  , 0.01, 1.  , 0.04]])
    """
    image = np.asarray(image)
    image = real_array("image", image / 255 if image.dtype == np.uint8 else image).astype(np.float64, copy=False)
    if image.ndim not in (2, 3):
        raise ValueError(f"image: expected shape (H, W) or (H, W, C), got {image.shape}")
    pixels = np.atleast_3d(image)
    radius, patch_radius = whole_number("radius", radius, 0), whole_number("patch_radius", patch_radius, 0)
    keys = augment(*_positions_and_patches(pixels, radius, patch_radius))
    metric = block_metric(position_block, feature_block, cross_block)
    if metric.shape[-1] != keys.shape[-1] or metric.shape[:-2] not in [(), image.shape[:2]]:
        expected = f"one (2, 2) and one ({keys.shape[-1] - 2}, {keys.shape[-1] - 2}) block, for all or a pixel"
        raise ValueError(f"metric: expected {expected}, got a metric of shape {metric.shape}")
    log_prior = np.zeros(image.shape[:2]) if log_prior is None else real_array("log_prior", log_prior)
    if log_prior.shape != image.shape[:2]:
        raise ValueError(f"log_prior: expected shape {image.shape[:2]}, got {log_prior.shape}")
    inside = tuple(slice(radius, radius + n) for n in image.shape[:2])
    return ImageKernel(
        queries=keys[inside],
        keys=keys,
        values=_mirrored(pixels, radius),
        metric=metric if metric.ndim == 2 else _mirrored(metric, radius),
        log_prior=_mirrored(log_prior, radius),
        radius=radius,
        kernel=kernel,
    )


def _mirrored(array, width):
    """Mirror the first two axes at their ends."""
    return np.pad(array, [(width, width)] * 2 + [(0, 0)] * (array.ndim - 2), mode="reflect")


def _positions_and_patches(pixels, radius, patch_radius):
    """x and y of every pixel of the image and of its mirrored border."""
    side = 2 * patch_radius + 1
    views = sliding_window_view(_mirrored(pixels, radius + patch_radius), (side, side), axis=(0, 1))
    features = np.moveaxis(views, 2, -1).reshape(*views.shape[:2], -1)
    rows, columns = np.indices(features.shape[:2], dtype=np.float64) - radius
    return np.stack([rows, columns], axis=-1), features


def classical(image, bandwidth, radius):
    """N–W on pixel positions, a Gaussian blur: Q_x = I/h², Q_y = 0.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8
    bandwidth : float > 0
        h, in pixels.
    radius : int ≥ 0
        Of the square window.

    Returns
    -------
    ImageKernel, for `smooth` and `window_weights`

    Examples
    --------
    >>> smooth(classical([[0.0, 0.0, 1.0, 1.0]], bandwidth=1.0, radius=1)).round(3)
    array([[0.   , 0.212, 0.788, 1.   ]])
    """
    channels = np.atleast_3d(image).shape[2]
    nothing = np.zeros((channels, channels))
    return image_kernel(image, np.eye(2) / positive("bandwidth", bandwidth) ** 2, nothing, radius)


def bilateral(image, bandwidth_space, bandwidth_value, radius, patch_radius=0):
    """The bilateral filter: Q_x = I/h_x², Q_y = 1/h_y² for the centre of the patch, else 0.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8
    bandwidth_space, bandwidth_value : float > 0
        h_x, in pixels, and h_y, in the units of the image.
    radius : int ≥ 0
        Of the square window.
    patch_radius : int ≥ 0
        The slides keep the whole patch in y, also where Q_y looks at its centre alone. The result is the same for
        every patch.

    Returns
    -------
    ImageKernel, for `smooth` and `window_weights`

    Notes
    -----
    Reproduces `lib.filters.bilateral`.

    Examples
    --------
    >>> smooth(bilateral([[0.0, 0.0, 1.0, 1.0]], bandwidth_space=1.0, bandwidth_value=0.2, radius=1)).round(3)
    array([[0., 0., 1., 1.]])
    """
    centre = np.zeros((2 * patch_radius + 1,) * 2)
    centre[patch_radius, patch_radius] = 1 / positive("bandwidth_value", bandwidth_value) ** 2
    position_block = np.eye(2) / positive("bandwidth_space", bandwidth_space) ** 2
    return image_kernel(image, position_block, _patch_block(image, centre), radius, patch_radius=patch_radius)


def nonlocal_means(image, bandwidth, patch_weights, search_radius, noise_std=0.0):
    """Non-local means: Q_x = 0, Q_y = G/h².

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8
    bandwidth : float > 0
        h, in the units of the image.
    patch_weights : (side, side) array, side odd
        G, as from `lib.filters.patches.patch_kernel`.
    search_radius : int ≥ 0
        Of the square window: Q_x = 0 is local after all.
    noise_std : float ≥ 0
        With noise, log K = −max(s − 2σ²/h², 0) instead of −s: the distance that noise alone makes is forgiven.

    Returns
    -------
    ImageKernel, for `smooth` and `window_weights`

    Notes
    -----
    Reproduces `lib.filters.nonlocal_means`.

    Examples
    --------
    >>> image = [[0.0, 1.0, 0.0, 1.0, 0.1]]
    >>> smooth(nonlocal_means(image, bandwidth=0.1, patch_weights=[[1.0]], search_radius=4)).round(2)
    array([[0.02, 1.  , 0.01, 1.  , 0.04]])
    """
    patch_weights = real_array("patch_weights", patch_weights)
    if patch_weights.ndim != 2 or len(set(patch_weights.shape)) > 1 or len(patch_weights) % 2 == 0:
        raise ValueError(f"patch_weights: expected shape (side, side) with an odd side, got {patch_weights.shape}")
    bandwidth = positive("bandwidth", bandwidth)
    if not 0 <= noise_std < np.inf:
        raise ValueError(f"noise_std: expected a finite number, zero or above, got {noise_std}")
    floor = 2 * (noise_std / bandwidth) ** 2
    return image_kernel(
        image,
        np.zeros((2, 2)),
        _patch_block(image, patch_weights / np.atleast_3d(image).shape[2]) / bandwidth**2,
        search_radius,
        patch_radius=len(patch_weights) // 2,
        kernel=lambda squared_distance: -np.maximum(squared_distance - floor, 0),
    )


def lark(image, steering, bandwidth, radius):
    """The steering kernel: Q_x = C/2h², one a key, and Q_y = 0.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8
    steering : (H, W, 2, 2) array
        C, as from `lib.filters.steering_matrices`.
    bandwidth : float > 0
        h, in pixels, in the steering kernel's own convention exp(−dᵀCd/2h²).
    radius : int ≥ 0
        Of the square window.

    Returns
    -------
    ImageKernel, for `smooth` and `window_weights`

    Raises
    ------
    ValueError, TypeError
        As `image_kernel`, and if a determinant is not above zero.

    Notes
    -----
    Reproduces `lib.filters.lark` of order 0 in one iteration. The kernel's factor √det C belongs to the key alone,
    like a prior: ½ log det C.

    Examples
    --------
    >>> steering = np.broadcast_to(np.diag([0.1, 10.0]), (2, 4, 2, 2))  # across the columns nothing is alike
    >>> smooth(lark([[0.0, 0.0, 1.0, 1.0]] * 2, steering, bandwidth=1.0, radius=1)).round(3)
    array([[0.   , 0.007, 0.993, 1.   ],
           [0.   , 0.007, 0.993, 1.   ]])
    """
    steering = real_array("steering", steering)
    channels = np.atleast_3d(image).shape[2]
    determinant = np.linalg.det(steering)
    if not (determinant > 0).all():
        raise ValueError(f"steering: expected determinants > 0, got {determinant.min()}")
    position_block = steering / (2 * positive("bandwidth", bandwidth) ** 2)
    nothing = np.zeros((channels, channels))
    return image_kernel(image, position_block, nothing, radius, log_prior=np.log(determinant) / 2)


def _patch_block(image, patch_weights):
    """Q_y with these weights of a patch's pixels on its diagonal, the same for each channel."""
    return np.diag(np.repeat(np.ravel(patch_weights), np.atleast_3d(image).shape[2]))


TILE = 16  # pixels a side: queries so near each other share most of their keys


def smooth(image_kernel):
    """Average every pixel of the image over its window.

    Parameters
    ----------
    image_kernel : ImageKernel
        As from `classical`, `bilateral`, `nonlocal_means`, `lark` or `image_kernel`.

    Returns
    -------
    (H, W) or (H, W, C) array

    Notes
    -----
    Equation eq:unified_estimate of chapter 5, in three lines: log-weights, softmax, average. Only windows matter,
    so the image is taken tile by tile with the keys in reach.

    Examples
    --------
    >>> smooth(classical(np.ones((2, 3)), bandwidth=1.0, radius=1))
    array([[1., 1., 1.],
           [1., 1., 1.]])
    """
    height, width = image_kernel.queries.shape[:2]
    estimate = np.empty((height, width, image_kernel.values.shape[-1]))
    for rows in blocks(height, TILE):
        for columns in blocks(width, TILE):
            log_weights, region = _log_weights(image_kernel, rows, columns)
            values = image_kernel.values[region].reshape(log_weights.shape[1], -1)
            estimate[rows, columns] = average(softmax(log_weights), values).reshape(estimate[rows, columns].shape)
    return estimate if estimate.shape[-1] > 1 else estimate[..., 0]


def window_weights(image_kernel, pixel):
    """The weights with which one pixel is averaged.

    Parameters
    ----------
    image_kernel : ImageKernel
    pixel : (row, column)
        Inside the image.

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array that sums to 1, centred on the pixel

    Raises
    ------
    ValueError
        For a pixel outside the image.

    Examples
    --------
    >>> window_weights(classical(np.zeros((3, 3)), bandwidth=1.0, radius=1), (0, 2)).round(3)
    array([[0.045, 0.122, 0.045],
           [0.122, 0.332, 0.122],
           [0.045, 0.122, 0.045]])
    """
    row, column = pixel
    height, width = image_kernel.queries.shape[:2]
    if not (0 <= row < height and 0 <= column < width):
        raise ValueError(f"pixel: expected (row, column) inside {height} × {width} pixels, got ({row}, {column})")
    log_weights, _ = _log_weights(image_kernel, slice(row, row + 1), slice(column, column + 1))
    return softmax(log_weights).reshape((2 * image_kernel.radius + 1,) * 2)


def _log_weights(image_kernel, rows, columns):
    """Log-weights of a tile of queries and all keys in reach, and where in the padded image these lie."""
    reach = 2 * image_kernel.radius
    region = slice(rows.start, rows.stop + reach), slice(columns.start, columns.stop + reach)
    dimension = image_kernel.keys.shape[-1]
    metric = image_kernel.metric
    log_weights = log_kernel(
        image_kernel.queries[rows, columns].reshape(-1, dimension),
        image_kernel.keys[region].reshape(-1, dimension),
        metric if metric.ndim == 2 else metric[region].reshape(-1, dimension, dimension),
        image_kernel.kernel,
    )
    log_weights += image_kernel.log_prior[region].ravel()
    down, right = (_in_window(side.stop - side.start, reach) for side in (rows, columns))
    log_weights[~np.kron(down, right)] = -np.inf
    return log_weights, region


def _in_window(n_queries, reach):
    """Which of n_queries + reach keys on a line each query sees, from its own index on."""
    offset = np.arange(n_queries + reach) - np.arange(n_queries)[:, None]
    return (offset >= 0) & (offset <= reach)
