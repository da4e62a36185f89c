"""What stands outside of an image: its mirror image."""

import numpy as np


def mirrored(array, width):
    """The first two axes of an array mirrored at their ends, `np.pad(mode="reflect")`.

    >>> mirrored(np.array([[1, 2, 3]]), 1)[1].tolist()
    [2, 1, 2, 3, 2]
    """
    return np.pad(array, [(width, width)] * 2 + [(0, 0)] * (np.ndim(array) - 2), mode="reflect")
