"""Image patches and the weights inside a patch."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib.checks import image_planes, one_of, whole_radius
from lib.weights import softmax

PATCH_WEIGHTS = ("gaussian", "uniform")


def patches(image, radius):
    """Return the square patch around every pixel.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255
    radius : int ≥ 0
        A patch has side 2·radius + 1.

    Returns
    -------
    (H, W, side, side) or (H, W, side, side, C) array, mirrored at the borders; read-only.

    Examples
    --------
    >>> patches(np.array([[0.1, 0.2, 0.3]]), 1)[0, 0]
    array([[0.2, 0.1, 0.2],
           [0.2, 0.1, 0.2],
           [0.2, 0.1, 0.2]])
    """
    planes, radius = image_planes(image), whole_radius("radius", radius)
    padded = np.pad(planes, ((0, 0), (radius, radius), (radius, radius)), mode="reflect")
    views = sliding_window_view(padded, (2 * radius + 1, 2 * radius + 1), axis=(1, 2))
    return views[0] if np.ndim(image) == 2 else np.moveaxis(views, 0, -1)


def patch_kernel(radius, kind="gaussian"):
    """Return G, the weight of each pixel in the distance between two patches; it sums to 1.

    Parameters
    ----------
    radius : int ≥ 0
    kind : {"gaussian", "uniform"}
        A Gaussian of standard deviation radius/2, or uniform weights.

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array

    Notes
    -----
    This is G in equation eq:nlm_distance. The Gaussian is exp(−‖offset‖²/h²) with h² = radius²/2.

    Examples
    --------
    >>> patch_kernel(1, "uniform").round(3)
    array([[0.111, 0.111, 0.111],
           [0.111, 0.111, 0.111],
           [0.111, 0.111, 0.111]])
    """
    taps = patch_taps(whole_radius("radius", radius), one_of("kind", kind, PATCH_WEIGHTS))
    return np.outer(taps, taps)


def patch_taps(radius, kind):
    """Return one factor of the separable G: the weights along a row or column of the patch."""
    offsets = np.arange(-radius, radius + 1)
    return softmax(-2 * (offsets / max(radius, 1)) ** 2 if kind == "gaussian" else np.zeros(len(offsets)))
