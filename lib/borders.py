"""Boundary handling of images: mirroring."""

import numpy as np


def mirrored(array, width):
    """Pad the first two axes of an array by mirroring, as `np.pad(mode="reflect")`.

    >>> mirrored(np.array([[1, 2, 3]]), 1)[1].tolist()
    [2, 1, 2, 3, 2]
    """
    return np.pad(array, [(width, width)] * 2 + [(0, 0)] * (np.ndim(array) - 2), mode="reflect")
