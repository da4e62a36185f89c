"""The window of each pixel, over which all image filters of this package average."""

import itertools

import numpy as np

from lib.borders import mirrored
from lib.weights import average, softmax


def window_average(image, log_kernel, radius, keys=None):
    """Average each pixel over its window: the definition of every filter of this package.

    The filters compute the same faster (`lib.engine.window`); this function stores every window.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array
    log_kernel : function (offset, queries, keys) → (H, W) array
        The log-weights for all pixels (the queries) and their neighbours at one offset (row, column) (the keys).
    radius : int ≥ 0
        The window has side 2·radius + 1.
    keys : (H + 2·radius, W + 2·radius, …) array, or None for the mirrored image
        The arrays that the kernel compares, of any shape per pixel, including a border as wide as the radius.

    Returns
    -------
    array of the image's shape

    Examples
    --------
    >>> alike = lambda offset, query, key: -((key - query) ** 2) / 0.1**2
    >>> window_average(np.array([[0.0, 1.0, 0.0, 1.0, 0.1]]), alike, radius=4).round(2)
    array([[0.02, 1.  , 0.01, 1.  , 0.04]])
    """
    values = mirrored(image, radius)
    keys = values if keys is None else keys
    height, width = image.shape[:2]
    at = lambda array, row, column: array[radius + row :, radius + column :][:height, :width]
    offsets = list(itertools.product(range(-radius, radius + 1), repeat=2))
    log_weights = [log_kernel(np.array(offset), at(keys, 0, 0), at(keys, *offset)) for offset in offsets]
    neighbours = np.stack([np.atleast_3d(at(values, *offset)) for offset in offsets], axis=2)
    weights = softmax(np.stack(log_weights, axis=-1))
    return average(weights[:, :, None], neighbours).reshape(image.shape)


def window_softmax(log_weights):
    """Convert the log-weights of one window, `(side, side)`, to weights that sum to 1."""
    return softmax(log_weights.ravel()).reshape(log_weights.shape)


def window_around(planes, pixel, radius):
    """Return the square window around one pixel, mirrored at the borders: `(channels, side, side)`."""
    padded = np.pad(planes, ((0, 0), (radius, radius), (radius, radius)), mode="reflect")
    row, column = pixel
    return padded[:, row : row + 2 * radius + 1, column : column + 2 * radius + 1]


def offsets_squared(radius):
    """Return ‖offset‖² for the square window: `(side, side)`."""
    squares = np.arange(-radius, radius + 1) ** 2
    return squares[:, None] + squares
