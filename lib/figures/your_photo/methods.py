"""The noise of a photograph, and bandwidths for it of the methods of `lib.figures.years`."""

import numpy as np

from lib.checks import image_of_shape, positive
from lib.constants import WHITE
from lib.figures.years.methods import NOISE_STD, grey, noisy, short_maps
from lib.images import NORMAL_QUARTILE, cat_face
from lib.patch_attention import N_FEATURES

# Of each bandwidth: its symbol, its value for noise of 28 levels, its powers of the noise and of the strength, and
# its least value. At a lower temperature 512 random features estimate nothing.
BANDWIDTHS = {
    1964: {"symbol": "h_x", "at": 1.7, "noise_power": 1 / 3, "power": 1, "least": 0},
    1998: {"symbol": "h_y", "at": 0.6, "noise_power": 1, "power": 1, "least": 0},
    2005: {"symbol": "h_y", "at": 0.07, "noise_power": 1, "power": 1, "least": 0},
    2007: {"symbol": "h", "at": 5.0, "noise_power": 1 / 3, "power": 1, "least": 0},
    2017: {"symbol": "τ", "at": N_FEATURES**0.5, "noise_power": 2, "power": 2, "least": 0},
    2020: {"symbol": "τ", "at": N_FEATURES**0.5, "noise_power": 2, "power": 2, "least": 0.7},
}
WIDEST = 1024  # pixels of each side from which the noise is estimated


def estimated_noise_std(image):
    """Estimate the standard deviation of the noise in an image, from its finest details.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255
        At least 2 × 2 pixels. Of a large image only the central 1024 × 1024 pixels are used.

    Returns
    -------
    float, in the units of the image

    Notes
    -----
    Donoho & Johnstone, Biometrika 81, 1994, doi:10.1093/biomet/81.3.425: the median of the absolute values of the
    finest wavelet coefficients, divided by 0.6745. Here they are the diagonal Haar coefficients (a − b − c + d)/2
    of disjoint blocks of 2 × 2 pixels, of all channels together. The estimate assumes normal noise that is
    independent between pixels. If a camera has smoothed or compressed the photograph, it is too small.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> estimated_noise_std(0.5 + 0.1 * rng.normal(size=(300, 300))).round(2)
    np.float64(0.1)
    """
    image = image_of_shape("image", image)
    height, width = (min(length, WIDEST) // 2 * 2 for length in image.shape[:2])
    top, left = ((length - size) // 2 for length, size in zip(image.shape[:2], (height, width), strict=True))
    block = image[top : top + height, left : left + width]
    details = (block[::2, ::2] - block[::2, 1::2] - block[1::2, ::2] + block[1::2, 1::2]) / 2
    return np.median(np.abs(details)) / NORMAL_QUARTILE


def bandwidth(year, noise_std, strength=1.0):
    """Return the bandwidth, or temperature, of a year's method for this noise.

    Parameters
    ----------
    year : int, one of `BANDWIDTHS`
    noise_std : float ≥ 0
        In the units of an image in [0, 1]. Less than one level of 255 counts as one level.
    strength : float > 0

    Returns
    -------
    float, rounded to four digits

    Notes
    -----
    Bandwidths for values are proportional to the noise, as the differences between pixels are. In two dimensions
    the error of a local average is least for a bandwidth proportional to the cube root of the noise, by the
    argument of eq:best_bandwidth in chapter 1. A temperature divides squared distances, and is proportional to
    the square.

    Examples
    --------
    >>> bandwidth(2005, 14 / 255)
    0.035
    """
    _, at, noise_power, power, least = BANDWIDTHS[year].values()
    ratio = max(noise_std, 1 / WHITE) / NOISE_STD
    return float(f"{max(at * ratio**noise_power * positive('strength', strength) ** power, least):.4g}")


def photograph_maps():
    """Return the maps and the moment of `short_maps` for the example.

    They give attention the same weights on every photograph. On others the Performer errs more than it had to.
    """
    return short_maps(grey(noisy(cat_face())))
