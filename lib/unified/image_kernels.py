"""The unified kernel on images: the methods of chapters 1 to 4, and any other choice of the blocks of Q."""

from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib.borders import mirrored
from lib.checks import image_of_shape, non_negative, pixel_within, positive, real_array, whole_number
from lib.metrics import squared_mahalanobis
from lib.unified.kernel import augment, block_metric, kernel_function
from lib.weights import average, blocks, softmax


class ImageKernel(NamedTuple):
    """A method applied to an image: the augmented variables, the metric and the window.

    The queries are the pixels of the image; the keys also include a mirrored border as wide as the window's
    radius. `smooth` and `window_weights` do the rest in the same way for every method.
    """

    queries: np.ndarray  # (H, W, d)
    keys: np.ndarray  # (H + 2·radius, W + 2·radius, d)
    values: np.ndarray  # (H + 2·radius, W + 2·radius, channels)
    position_block: np.ndarray  # (2, 2), or one per key, (H + 2·radius, W + 2·radius, 2, 2)
    feature_block: np.ndarray  # (d_y, d_y), or one per key
    cross_block: np.ndarray | None  # (2, d_y), or one per key; None for zeros
    log_prior: np.ndarray  # (H + 2·radius, W + 2·radius): a log-weight that depends only on the key
    radius: int
    kernel: object  # as in `log_kernel`


def image_kernel(
    image,
    position_block,
    feature_block,
    radius,
    *,
    cross_block=None,
    patch_radius=0,
    log_prior=None,
    kernel="gaussian",
):
    """Create the kernel of any method of the family on an image, including methods without a name.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255
    position_block : (2, 2) or (H, W, 2, 2) array
        Q_x, for x = (row, column) in pixels; one for all keys or one per key.
    feature_block : (d_y, d_y) or (H, W, d_y, d_y) array
        Q_y, for y = the patch around the pixel, row by row, each pixel with its C channels:
        d_y = (2·patch_radius + 1)²·C.
    radius : int ≥ 0
        The window has side 2·radius + 1; keys outside it have no weight. If Q_x = 0, only the window makes the
        method local.
    cross_block : (2, d_y) or (H, W, 2, d_y) array, or None for zeros
        Q_xy.
    patch_radius : int ≥ 0
    log_prior : (H, W) array or None
        A log-weight of each pixel as a key.
    kernel : as in `log_kernel`

    Returns
    -------
    ImageKernel

    Notes
    -----
    Equation eq:unified_kernel of chapter 5. The image, the metrics and the prior are mirrored at the
    borders (`np.pad(mode="reflect")`).

    Examples
    --------
    Average similar pixels anywhere in the window:

    >>> image = np.array([[0.0, 1.0, 0.0, 1.0, 0.1]])
    >>> smooth(image_kernel(image, np.zeros((2, 2)), [[100.0]], radius=4)).round(2)
    array([[0.02, 1.  , 0.01, 1.  , 0.04]])
    """
    pixels = _pixels(image)
    size = pixels.shape[:2]
    radius, patch_radius = whole_number("radius", radius, 0), whole_number("patch_radius", patch_radius, 0)
    keys = augment(*_positions_and_patches(pixels, radius, patch_radius))
    parts = {"position_block": position_block, "feature_block": feature_block, "cross_block": cross_block}
    parts = {name: block if block is None else real_array(name, block) for name, block in parts.items()}
    log_prior = np.zeros(size) if log_prior is None else real_array("log_prior", log_prior)
    _refuse_misfits(parts, log_prior, size, keys.shape[-1] - 2)
    inside = tuple(slice(radius, radius + n) for n in size)
    return ImageKernel(
        queries=keys[inside],
        keys=keys,
        values=mirrored(pixels, radius),
        **{name: block if np.ndim(block) < 3 else mirrored(block, radius) for name, block in parts.items()},
        log_prior=mirrored(log_prior, radius),
        radius=radius,
        kernel=kernel,
    )


def _pixels(image):
    """Convert an image to a float64 array (H, W, C)."""
    return np.atleast_3d(image_of_shape("image", image).astype(np.float64, copy=False))


def _refuse_misfits(parts, log_prior, size, d_y):
    """Raise an error unless blocks and prior fit an image of this size and features of dimension d_y."""
    for name, shape in {"position_block": (2, 2), "feature_block": (d_y, d_y), "cross_block": (2, d_y)}.items():
        block = parts[name]
        if block is not None and block.shape not in [shape, (*size, *shape)]:
            raise ValueError(f"{name}: expected shape {shape} or {(*size, *shape)}, got {block.shape}")
    if log_prior.shape != size:
        raise ValueError(f"log_prior: expected shape {size}, got {log_prior.shape}")


def _positions_and_patches(pixels, radius, patch_radius):
    """Return x and y for every pixel of the image and its mirrored border."""
    side = 2 * patch_radius + 1
    views = sliding_window_view(mirrored(pixels, radius + patch_radius), (side, side), axis=(0, 1))
    features = np.moveaxis(views, 2, -1).reshape(*views.shape[:2], -1)
    rows, columns = np.indices(features.shape[:2], dtype=np.float64) - radius
    return np.stack([rows, columns], axis=-1), features


def classical_kernel(image, bandwidth, radius):
    """Create the kernel of N–W on pixel positions, a Gaussian blur: Q_x = I/h², Q_y = 0.

    Parameters
    ----------
    image, radius : as in `image_kernel`
    bandwidth : float > 0
        h, in pixels.

    Returns
    -------
    ImageKernel, for `smooth` and `window_weights`

    Examples
    --------
    >>> smooth(classical_kernel([[0.0, 0.0, 1.0, 1.0]], bandwidth=1.0, radius=1)).round(3)
    array([[0.   , 0.212, 0.788, 1.   ]])
    """
    position_block = np.eye(2) / _bandwidth("bandwidth", bandwidth) ** 2
    return image_kernel(image, position_block, _patch_block(image, 0), radius)


def bilateral_kernel(image, bandwidth_space, bandwidth_value, radius, *, patch_radius=0):
    """Create the kernel of the bilateral filter: Q_x = I/h_x², Q_y = 1/h_y² for the centre of the patch, else 0.

    Parameters
    ----------
    image, radius : as in `image_kernel`
    bandwidth_space, bandwidth_value : float > 0
        h_x, in pixels, and h_y, in the units of the image.
    patch_radius : int ≥ 0
        The slides include the whole patch in y, although Q_y depends only on its centre. The result does not
        depend on the radius.

    Returns
    -------
    ImageKernel, for `smooth` and `window_weights`

    Notes
    -----
    Reproduces `lib.filters.bilateral`.

    Examples
    --------
    >>> image = [[0.0, 0.0, 1.0, 1.0]]
    >>> smooth(bilateral_kernel(image, bandwidth_space=1.0, bandwidth_value=0.2, radius=1)).round(3)
    array([[0., 0., 1., 1.]])
    """
    patch_radius = whole_number("patch_radius", patch_radius, 0)
    centre = np.zeros((2 * patch_radius + 1,) * 2)
    centre[patch_radius, patch_radius] = 1 / _bandwidth("bandwidth_value", bandwidth_value) ** 2
    position_block = np.eye(2) / _bandwidth("bandwidth_space", bandwidth_space) ** 2
    return image_kernel(image, position_block, _patch_block(image, centre), radius, patch_radius=patch_radius)


def nonlocal_means_kernel(image, bandwidth, patch_kernel, search_radius, *, noise_std=0.0):
    """Create the kernel of non-local means: Q_x = 0, Q_y = G/h².

    Parameters
    ----------
    image : as in `image_kernel`
    bandwidth : float > 0
        h, in the units of the image.
    patch_kernel : (side, side) array, side odd
        G, as from `lib.filters.patch_kernel`.
    search_radius : int ≥ 0
        The window's radius, which makes the method local even though Q_x = 0.
    noise_std : float ≥ 0
        If positive, log K = −max(s² − 2σ²/h², 0) instead of −s²: the distance due to noise alone is subtracted.

    Returns
    -------
    ImageKernel, for `smooth` and `window_weights`

    Notes
    -----
    Reproduces `lib.filters.nonlocal_means`.

    Examples
    --------
    >>> image = [[0.0, 1.0, 0.0, 1.0, 0.1]]
    >>> smooth(nonlocal_means_kernel(image, bandwidth=0.1, patch_kernel=[[1.0]], search_radius=4)).round(2)
    array([[0.02, 1.  , 0.01, 1.  , 0.04]])
    """
    patch_kernel = real_array("patch_kernel", patch_kernel)
    if patch_kernel.ndim != 2 or len(set(patch_kernel.shape)) > 1 or len(patch_kernel) % 2 == 0:
        raise ValueError(f"patch_kernel: expected shape (side, side) with an odd side, got {patch_kernel.shape}")
    bandwidth = _bandwidth("bandwidth", bandwidth)
    noise = non_negative("noise_std", noise_std) / bandwidth
    floor = 2 * noise * noise
    return image_kernel(
        image,
        np.zeros((2, 2)),
        _patch_block(image, patch_kernel / _pixels(image).shape[2]) / bandwidth**2,
        search_radius,
        patch_radius=len(patch_kernel) // 2,
        kernel=partial(_forgiving, floor=floor),
    )


def _forgiving(squared_distance, floor):
    return -np.maximum(squared_distance - floor, 0)


def steering_kernel(image, steering, bandwidth, radius):
    """Create the steering kernel: Q_x = C/2h², one per key, and Q_y = 0.

    Parameters
    ----------
    image, radius : as in `image_kernel`
    steering : (H, W, 2, 2) array
        C, as from `lib.filters.steering_matrices`.
    bandwidth : float > 0
        The authors' h: the kernel is exp(−dᵀCd/(2h²)), with a factor of 2.

    Returns
    -------
    ImageKernel, for `smooth` and `window_weights`

    Raises
    ------
    ValueError
        If a determinant is not positive.

    Notes
    -----
    Reproduces `lib.filters.lark` of order 0 with one iteration. The kernel's factor √det C depends only on the
    key, like a prior: ½ log det C.

    Examples
    --------
    >>> steering = np.broadcast_to(np.diag([0.1, 10.0]), (2, 4, 2, 2))  # a narrow kernel across the columns
    >>> smooth(steering_kernel([[0.0, 0.0, 1.0, 1.0]] * 2, steering, bandwidth=1.0, radius=1)).round(3)
    array([[0.   , 0.007, 0.993, 1.   ],
           [0.   , 0.007, 0.993, 1.   ]])
    """
    steering = real_array("steering", steering)
    if steering.shape[2:] != (2, 2):
        raise ValueError(f"steering: expected shape (H, W, 2, 2), got {steering.shape}")
    determinant = np.linalg.det(steering)
    if not (determinant > 0).all():
        raise ValueError(f"steering: expected determinants > 0, got {determinant.min()}")
    position_block = steering / (2 * _bandwidth("bandwidth", bandwidth) ** 2)
    return image_kernel(image, position_block, _patch_block(image, 0), radius, log_prior=np.log(determinant) / 2)


def _bandwidth(name, bandwidth):
    """Clamp h so that 1/h² stays within float64; beyond these limits the weights no longer change."""
    return min(max(positive(name, bandwidth), 1e-100), 1e100)


def _patch_block(image, patch_weights):
    """Return a diagonal Q_y with these weights for the pixels of a patch, repeated for each channel."""
    return np.diag(np.repeat(np.ravel(patch_weights), _pixels(image).shape[2]))


TILE = 16  # pixels per side; queries this close share most of their keys


def smooth(image_kernel):
    """Average every pixel of the image over its window.

    Parameters
    ----------
    image_kernel : ImageKernel
        As returned by `image_kernel` and the four functions after it.

    Returns
    -------
    (H, W) or (H, W, C) array

    Notes
    -----
    Equation eq:unified_estimate of chapter 5, in three lines: log-weights, softmax, average. Because weights are
    confined to windows, the image is processed tile by tile with the keys in reach.

    Examples
    --------
    >>> smooth(classical_kernel(np.ones((2, 3)), bandwidth=1.0, radius=1))
    array([[1., 1., 1.],
           [1., 1., 1.]])
    """
    height, width = _image_kernel(image_kernel).queries.shape[:2]
    estimate = np.empty((height, width, image_kernel.values.shape[-1]))
    for rows in blocks(height, TILE):
        for columns in blocks(width, TILE):
            log_weights, region = _log_weights(image_kernel, rows, columns)
            values = image_kernel.values[region].reshape(log_weights.shape[1], -1)
            estimate[rows, columns] = average(softmax(log_weights), values).reshape(estimate[rows, columns].shape)
    return estimate if estimate.shape[-1] > 1 else estimate[..., 0]


def window_weights(image_kernel, pixel):
    """Return the weights of the average at one pixel.

    Parameters
    ----------
    image_kernel : ImageKernel
    pixel : (row, column)
        Inside the image.

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array that sums to 1, centred on the pixel

    Examples
    --------
    >>> window_weights(classical_kernel(np.zeros((3, 3)), bandwidth=1.0, radius=1), (0, 2)).round(3)
    array([[0.045, 0.122, 0.045],
           [0.122, 0.332, 0.122],
           [0.045, 0.122, 0.045]])
    """
    row, column = pixel_within(_image_kernel(image_kernel).queries.shape[:2], pixel)
    log_weights, _ = _log_weights(image_kernel, slice(row, row + 1), slice(column, column + 1))
    return softmax(log_weights).reshape((2 * image_kernel.radius + 1,) * 2)


def _image_kernel(image_kernel):
    if not isinstance(image_kernel, ImageKernel):
        raise TypeError(
            f"image_kernel: expected an ImageKernel, as of classical_kernel(…), got {type(image_kernel)}"
        )
    return image_kernel


def _log_weights(image_kernel, rows, columns):
    """Return the log-weights of a tile of queries and all keys in reach, and the region of these keys."""
    reach = 2 * image_kernel.radius
    region = slice(rows.start, rows.stop + reach), slice(columns.start, columns.stop + reach)
    dimension = image_kernel.keys.shape[-1]
    queries = image_kernel.queries[rows, columns].reshape(-1, dimension)
    keys = image_kernel.keys[region].reshape(-1, dimension)
    log_weights = kernel_function(image_kernel.kernel)(_squared_distances(image_kernel, queries, keys, region))
    log_weights = log_weights + image_kernel.log_prior[region].ravel()
    down, right = (_in_window(side.stop - side.start, reach) for side in (rows, columns))
    log_weights[~np.kron(down, right)] = -np.inf
    return log_weights, region


def _squared_distances(image_kernel, queries, keys, region):
    """Compute (tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ), without a cross block as the sum of position and feature distances."""
    of_keys = (image_kernel.position_block, image_kernel.feature_block, image_kernel.cross_block)
    position, feature, cross = (
        block if block is None or block.ndim == 2 else block[region].reshape(-1, *block.shape[-2:])
        for block in of_keys
    )
    if cross is not None:
        return squared_mahalanobis(queries, keys, block_metric(position, feature, cross))
    x, y = slice(2), slice(2, None)
    by_position = squared_mahalanobis(queries[:, x], keys[:, x], position)
    return by_position + squared_mahalanobis(queries[:, y], keys[:, y], feature)


def _in_window(n_queries, reach):
    """Return which of n_queries + reach keys on a line are in each query's window, starting at its own index."""
    offset = np.arange(n_queries + reach) - np.arange(n_queries)[:, None]
    return (offset >= 0) & (offset <= reach)
