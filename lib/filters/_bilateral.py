"""The bilateral filter: a product of two kernels, or a sum of their log-weights.

    >>> from lib.filters import window_average
    >>> image, h_x, h_y, radius = np.array([[0.0, 0.1, 1.0], [0.0, 0.0, 0.9]]), 1.0, 0.2, 2
    >>> estimate = window_average(image, bilateral_log_kernel(h_x, h_y), radius)
    >>> bool(np.allclose(estimate, bilateral(image, h_x, h_y, radius)))
    True

Tomasi & Manduchi, "Bilateral filtering for gray and color images", ICCV 1998, doi:10.1109/ICCV.1998.710815.
"""

import math

import numpy as np

from lib.checks import LARGEST_RADIUS, image_planes, pixel_within, positive, whole_radius
from lib.constants import RADIUS_PER_BANDWIDTH
from lib.engine.filters import bounded, fast_bilateral
from lib.filters._window import offsets_squared, window_around, window_softmax


def bilateral_log_kernel(h_x, h_y):
    """Return log K of a pixel and its neighbour for `window_average`, equation eq:bilateral_log_weights.

    Returns
    -------
    function (offset, query, key) → −‖offset‖²/h_x² − ‖query − key‖²/h_y²
    """

    def log_kernel(offset, query, key):
        by_space = -(offset @ offset) / h_x**2
        by_value = -(np.atleast_3d(query - key) ** 2).sum(axis=-1) / h_y**2
        return by_space + by_value

    return log_kernel


def bilateral(image, bandwidth_space, bandwidth_value, radius=None):
    """Average each pixel with pixels that are both nearby *and* similar.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255
    bandwidth_space : float > 0
        h_x, in pixels: the weight falls as exp(−‖xᵢ − xⱼ‖²/h_x²), so h_x is √2 times the standard deviation.
    bandwidth_value : float > 0
        h_y, in the units of the image: the weight falls as exp(−‖yᵢ − yⱼ‖²/h_y²), with the Euclidean distance
        between two colours (squared differences are summed over the channels).
    radius : int ≥ 0 or None
        The window is a square of side 2·radius + 1. None means ⌈2.2·h_x⌉, at which the kernel has fallen to 0.008.

    Returns
    -------
    array of the image's shape; float32 for a float32 or float16 image, else float64

    Notes
    -----
    Equation eq:bilateral of chapter 2, with the weights eq:bilateral_weights. Tomasi & Manduchi (1998), sections 2
    and 2.1, doi:10.1109/ICCV.1998.710815, with σ_d = h_x/√2 and σ_r = h_y/√2. The image is mirrored at
    its borders (`np.pad(mode="reflect")`).

    OpenCV's `sigmaSpace` and `sigmaColor`, and scikit-image's `sigma_spatial` and `sigma_color`, are these
    bandwidths divided by √2. See pages/elsewhere.

    Examples
    --------
    A step of height 1 stays sharp, whereas a Gaussian of the same width would blur it:

    >>> step = np.repeat([[0.0, 0.0, 1.0, 1.0]], 4, axis=0)
    >>> bilateral(step, bandwidth_space=3.0, bandwidth_value=0.2)[0].round(3)
    array([0., 0., 1., 1.])
    """
    planes = image_planes(image)
    h_x, h_y, radius = _parameters(planes, bandwidth_space, bandwidth_value, radius)
    return fast_bilateral(image, planes, h_x, h_y, radius)


def bilateral_log_weights(image, pixel, bandwidth_space, bandwidth_value, radius=None):
    """Return the log-weights of the window around one pixel, −‖xᵢ − xⱼ‖²/h_x² − ‖yᵢ − yⱼ‖²/h_y².

    Parameters and errors are those of `bilateral_weights`.

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array, at most 0; 0 at the centre
    """
    planes = image_planes(image)
    h_x, h_y, radius = _parameters(planes, bandwidth_space, bandwidth_value, radius)
    window = window_around(planes, pixel_within(planes.shape[1:], pixel), radius)
    difference = (window - window[:, radius : radius + 1, radius : radius + 1]) / h_y
    return -offsets_squared(radius) / h_x**2 - np.square(difference).sum(axis=0)


def bilateral_weights(image, pixel, bandwidth_space, bandwidth_value, radius=None):
    """Return the weights of the average at one pixel.

    Parameters
    ----------
    image, bandwidth_space, bandwidth_value, radius
        As in `bilateral`.
    pixel : (row, column)
        Inside the image.

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array that sums to 1; the pixel itself is at the centre. Outside the image the
    weights are those of the mirrored pixels.

    Notes
    -----
    Equation eq:bilateral_weights of chapter 2.

    Examples
    --------
    >>> step = np.repeat([[0.0, 0.0, 1.0, 1.0]], 4, axis=0)
    >>> bilateral_weights(step, (1, 1), bandwidth_space=3.0, bandwidth_value=0.5, radius=1).round(3)
    array([[0.15 , 0.168, 0.003],
           [0.168, 0.188, 0.003],
           [0.15 , 0.168, 0.003]])
    """
    return window_softmax(bilateral_log_weights(image, pixel, bandwidth_space, bandwidth_value, radius))


def _parameters(planes, bandwidth_space, bandwidth_value, radius):
    h_x = positive("bandwidth_space", bandwidth_space)
    h_y = positive("bandwidth_value", bandwidth_value)
    if radius is None:
        radius = radius_of(h_x)
    return bounded(h_x, planes.dtype), bounded(h_y, planes.dtype), whole_radius("radius", radius)


def radius_of(h_x):
    """Return ⌈2.2·h_x⌉, a window radius that is large enough for the bandwidth."""
    if RADIUS_PER_BANDWIDTH * h_x > LARGEST_RADIUS:
        expected = f"{RADIUS_PER_BANDWIDTH}·h_x up to {LARGEST_RADIUS}"
        raise ValueError(f"bandwidth_space: expected {expected}, got {h_x}")
    return math.ceil(RADIUS_PER_BANDWIDTH * h_x)
