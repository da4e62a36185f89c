"""The noise of a photograph, and bandwidths for it of the methods of `lib.figures.years`."""

from lib.checks import positive
from lib.constants import WHITE
from lib.figures.years.methods import NOISE_STD, grey, noisy, short_maps
from lib.images import cat_face, estimate_noise_std
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
    """Return `lib.images.estimate_noise_std` of the image, of a large one of its central 1024 × 1024 pixels.

    Examples
    --------
    >>> round(estimated_noise_std(noisy(cat_face())), 2), round(NOISE_STD, 2)
    (0.11, 0.11)
    """
    rows, columns = (slice(max(length - WIDEST, 0) // 2, (length + WIDEST) // 2) for length in image.shape[:2])
    return estimate_noise_std(image[rows, columns])


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
