"""Slow and obvious answers that several tests share."""

import math

import numpy as np

from lib.filters.lark import disk

DEFINITIONS = {
    "gaussian": lambda u: math.exp(-(u**2)),
    "boxcar": lambda u: 1.0 if u < 1 else 0.0,
    "triangular": lambda u: max(1 - u, 0),
    "epanechnikov": lambda u: max(1 - u**2, 0),
    "constant": lambda u: 1.0,
}


def numerical_gradient(function, array, step=1e-6):
    """Central differences, one number at a time."""
    slope = np.empty_like(array)
    for index in np.ndindex(array.shape):
        up, down = array.copy(), array.copy()
        up[index] += step
        down[index] -= step
        slope[index] = (function(up) - function(down)) / (2 * step)
    return slope


def steering_by_svd(gradient, radius=5, alpha=0.5, regularization=1.0, structure_regularization=1e-7):
    """The toolbox: the singular values of the K-weighted gradients in a disk, one pixel after the other."""
    kernel = disk(radius)
    padded = np.pad(gradient, [(0, 0), (radius, radius), (radius, radius)], mode="reflect")
    result = np.empty((*gradient.shape[1:], 2, 2))
    for row, column in np.ndindex(*gradient.shape[1:]):
        window = padded[:, row : row + 2 * radius + 1, column : column + 2 * radius + 1] * kernel
        _, (s1, s2), (v1, v2) = np.linalg.svd(window.reshape(2, -1).T, full_matrices=False)
        elongation = (s1 + regularization) / (s2 + regularization)
        scale = ((s1 * s2 + structure_regularization) / kernel.sum()) ** alpha
        result[row, column] = scale * (elongation * np.outer(v1, v1) + np.outer(v2, v2) / elongation)
    return result


def window_by_loops(image, radius, log_weight):
    """Σ K yⱼ / Σ K for every pixel over its mirrored window, with `log_weight(pixel, key, offset)`.

    `pixel` lies in the image, `key` may lie beyond its border. A `mirrored` array shows what stands there.
    """
    values, estimate = mirrored(image), np.empty(image.shape)
    for pixel in np.ndindex(image.shape[:2]):
        offsets = [(i - radius, j - radius) for i, j in np.ndindex(2 * radius + 1, 2 * radius + 1)]
        keys = [(pixel[0] + down, pixel[1] + right) for down, right in offsets]
        logs = np.array([log_weight(pixel, *each) for each in zip(keys, np.array(offsets), strict=True)])
        weights = np.exp(logs - logs.max())
        estimate[pixel] = sum(w * values(*key) for w, key in zip(weights, keys, strict=True)) / weights.sum()
    return estimate


def mirrored(array):
    """A function of (row, column), any whole numbers, as np.pad(mode="reflect") shows the array there."""

    def at(index, length):
        period = max(2 * (length - 1), 1)
        return min(index % period, -index % period)

    height, width = array.shape[:2]
    return lambda row, column: array[at(row, height), at(column, width)].astype(float)
