"""Six methods from 1964 to 2020 on one photograph: the weights of a pixel's window, and the cleaned photograph.

All windows are 15 × 15. The values that are averaged are colours. Weights come from colours up to 2005, and from
brightness in 2007 (the gradient), 2017 and 2020 (the patches). The front page shows the methods with the
bandwidths of `METHODS`; for the reader's own photograph, `bandwidth` derives them from the estimated noise.
"""

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib import filters
from lib.attention import attention as full_attention
from lib.checks import image_of_shape, image_planes, pixel_within, positive
from lib.constants import BRIGHTNESS, WHITE
from lib.images import cat_face, estimate_noise_std
from lib.noise import box_muller_noise
from lib.patch_attention import MIDDLE, N_FEATURES, RADIUS, SIDE, trained_maps, window_tokens
from lib.random_features import (
    balance,
    centre_keys,
    dense_exponential_frequencies,
    feature_average,
    pair_moment,
    positive_features,
)
from lib.regression import nadaraya_watson_weights

NOISE_STD = 28 / 255
N_FREQUENCIES, N_WINDOWS = 512, 100  # windows from which the Performer's coordinates are computed
NOISE_SEED, FREQUENCY_SEED = 1, 64  # far apart: a photograph takes the numbers of several seeds
WIDEST = 1024  # pixels of each side from which the noise is estimated
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


class Method(NamedTuple):
    """A method: its name, its notion of *alike*, the chapter that derives it, and its kernel's parameters."""

    name: str
    alike: str
    chapter: str
    kernel: dict[str, str | float]


def _window(position_block, value_block, **numbers):
    blocks = {"position_block": position_block, "value_block": value_block, "radius": RADIUS}
    return {"bandwidth_space": 1, "bandwidth_value": 1, "patch_radius": 0, "forgiven": 0} | blocks | numbers


METHODS = {
    1964: Method(
        "Nadaraya–Watson",
        "Alike means near.",
        "chapters/01_nadaraya_watson",
        _window("gaussian", "none", bandwidth_space=1.7),
    ),
    1998: Method(
        "Bilateral filter",
        "Near, and of a similar colour.",
        "chapters/02_bilateral",
        _window("gaussian", "pixel", bandwidth_space=2.2, bandwidth_value=0.6),
    ),
    2005: Method(
        "Non-local means",
        "With similar surroundings.",
        "chapters/03_nonlocal_means",
        _window(
            "none",
            "patch",
            bandwidth_value=0.07,
            patch_radius=3,
            patch_weights="gaussian",
            forgiven=2 * NOISE_STD**2,
        ),
    ),
    2007: Method(
        "Steering kernel",
        "Near, and more so along edges.",
        "chapters/04_lark",
        _window("steering", "none", bandwidth_space=5.0),
    ),
    2017: Method("Attention", "What training has made alike.", "chapters/06_attention", {}),
    2020: Method("Performer", "As in 2017, estimated.", "chapters/07_performer", {}),
}


def one_year(year):
    """Check that a year is one of `METHODS`, and return it.

    >>> one_year(1999)
    Traceback (most recent call last):
    ...
    ValueError: year: expected one of 1964, 1998, 2005, 2007, 2017, 2020, got 1999
    """
    if np.ndim(year) or year not in list(METHODS):
        raise ValueError(f"year: expected one of {', '.join(map(str, METHODS))}, got {year!r}")
    return year


def noisy(clean):
    """Return a colour image `(H, W, 3)` with noise of standard deviation `NOISE_STD`, which the page draws too."""
    planes = box_muller_noise(NOISE_SEED, (clean.shape[2], *clean.shape[:2]))
    return clean + NOISE_STD * np.moveaxis(planes, 0, -1)


def grey(image):
    """Return the brightness of a colour image."""
    return np.tensordot(BRIGHTNESS, image_planes(image), axes=1)


def weights(image, pixel, year):
    """Return the weights that a year's method gives the window of one pixel.

    Parameters
    ----------
    image : (H, W, 3) array
    pixel : (row, column)
    year : int, one of `METHODS`

    Returns
    -------
    (15, 15) array that sums to 1

    Examples
    --------
    >>> image = noisy(np.full((20, 20, 3), 0.5))
    >>> [weights(image, (9, 9), year).shape for year in (1964, 2020)]
    [(15, 15), (15, 15)]
    """
    image, kernel = _colour_image(image), METHODS[one_year(year)].kernel
    pixel = pixel_within(image.shape[:2], pixel)
    space, value = (kernel.get(f"bandwidth_{of}") for of in ("space", "value"))
    match year:
        case 1964:
            offsets = np.indices((SIDE, SIDE)).reshape(2, -1).T - float(RADIUS)
            return nadaraya_watson_weights(np.zeros((1, 2)), offsets, space).reshape(SIDE, SIDE)
        case 1998:
            return filters.bilateral_weights(image, pixel, space, value, RADIUS)
        case 2005:
            patch_radius = kernel["patch_radius"]
            return filters.nonlocal_means_weights(image, pixel, value, patch_radius, RADIUS, noise_std=NOISE_STD)
        case 2007:
            return filters.lark_weights(image, pixel, space, RADIUS)
        case 2017:
            return window_weights(attention(image), pixel)
        case 2020:
            return window_weights(performer(image), pixel)


def _colour_image(image):
    """Validate an image `(H, W, 3)` and return it as floats."""
    image = image_of_shape("image", image)
    if image.shape[2:] != (3,):
        raise ValueError(f"image: expected shape (H, W, 3), got {image.shape}")
    return image


def cleaned(image, year):
    """Denoise an image with the method of a year.

    Parameters
    ----------
    image : (H, W, 3) array
    year : int, one of `METHODS`
        The last two methods take seconds even for a small photograph.

    Returns
    -------
    (H, W, 3) array

    Examples
    --------
    >>> image = noisy(np.full((20, 20, 3), 0.5))
    >>> [float(each.std().round(2)) for each in (image, cleaned(image, 1964))]
    [0.11, 0.03]
    """
    image, kernel = _colour_image(image), METHODS[one_year(year)].kernel
    space, value = (kernel.get(f"bandwidth_{of}") for of in ("space", "value"))
    match year:
        case 1964:
            return filters.bilateral(image, space, 1e100, RADIUS)
        case 1998:
            return filters.bilateral(image, space, value, RADIUS)
        case 2005:
            return filters.nonlocal_means(image, value, kernel["patch_radius"], RADIUS, noise_std=NOISE_STD)
        case 2007:
            return filters.lark(image, space, RADIUS)
    return clean_by({2017: attention, 2020: performer}[year](image), image)


def window_weights(head, pixel):
    """Return the weights `(15, 15)` that a head (`attention`, `performer`) gives the window of one pixel.

    They are the averages of the identity matrix.
    """
    return head(*np.array(pixel)[:, None], np.eye(SIDE**2)[None]).reshape(SIDE, SIDE)


def clean_by(head, image):
    """Replace each pixel of an image by the average over its window.

    Parameters
    ----------
    head : function (rows, columns, values) → averages
        As returned by `attention` and `performer` of this image.
    image : (H, W, 3) array

    Returns
    -------
    (H, W, 3) array

    Examples
    --------
    >>> image = noisy(np.full((9, 12, 3), 0.5))
    >>> clean_by(attention(image), image).shape
    (9, 12, 3)
    """
    image = _colour_image(image)
    height, width, _ = image.shape
    padded = np.pad(image, ((RADIUS, RADIUS), (RADIUS, RADIUS), (0, 0)), mode="reflect")
    windows = sliding_window_view(padded, (SIDE, SIDE), axis=(0, 1)).reshape(height, width, 3, -1)
    estimate = np.empty(image.shape)
    for rows, columns in zip(*map(_blocks, np.indices((height, width))), strict=True):
        estimate[rows, columns] = head(rows, columns, np.swapaxes(windows[rows, columns], 1, 2))
    return estimate


def _blocks(indices, size=10):
    """Split indices into blocks: their features stay in the processor's cache."""
    return np.array_split(indices.ravel(), -(-indices.size // size))


def attention(image, temperature=N_FEATURES**0.5):
    """Return one trained head on the patches of an image, as a function (rows, columns, values) → averages.

    Parameters
    ----------
    image : (H, W, 3) array
        Queries and keys come from its brightness.
    temperature : float > 0
        τ of eq:attention_weights in chapter 6, by default √29.

    Returns
    -------
    function that returns averages `(n, c)`
        Rows and columns `(n,)` are those of n pixels, and the values `(n, 225, c)` those of their windows.

    Examples
    --------
    >>> head = attention(noisy(cat_face()), temperature=8.0)
    >>> float(window_weights(head, (71, 37)).sum().round(12))
    1.0
    """
    tokens_around, temperature = window_tokens(grey(_colour_image(image))), positive("temperature", temperature)
    query_map, key_map = (each.astype(np.float64) for each in trained_maps())

    def averages(rows, columns, values):
        tokens, _ = tokens_around(rows, columns)
        queries, keys = tokens[:, [MIDDLE]] @ query_map.T, tokens @ key_map.T
        return full_attention(queries, keys, values, temperature)[:, 0]

    return averages


def performer(image, temperature=N_FEATURES**0.5, maps=None):
    """Return the estimate of `attention` from 512 random features, with centred keys.

    Parameters
    ----------
    image : (H, W, 3) array
    temperature : float > 0
    maps : tuple, optional
        The result of `short_maps`, by default for the brightness of this image. It fixes the features' spread.

    Returns
    -------
    function, as that of `attention`

    Examples
    --------
    >>> head = performer(noisy(cat_face()), maps=photograph_maps())
    >>> float(window_weights(head, (71, 37)).sum().round(12))
    1.0
    """
    tokens_around = window_tokens(grey(_colour_image(image)))
    scale = np.sqrt(positive("temperature", temperature) / N_FEATURES**0.5)
    query_map, key_map, moment = short_maps(grey(image)) if maps is None else maps
    frequencies, log_weights = dense_exponential_frequencies(random_frequencies(), np.diag(moment / scale**2))

    def averages(rows, columns, values):
        tokens, _ = tokens_around(rows, columns)
        asking, answering = tokens[:, [MIDDLE]] @ query_map.T, tokens @ key_map.T
        queries = positive_features(asking / scale, frequencies) * np.exp(log_weights)
        keys = positive_features(centre_keys(answering / scale), frequencies)
        return feature_average(queries, keys, values)[:, 0]

    return averages


def random_frequencies():
    """Return the Performer's frequencies `(512, 29)`, independent normal numbers that the page draws too."""
    return box_muller_noise(FREQUENCY_SEED, (N_FREQUENCIES, N_FEATURES))


def short_maps(image):
    """Return the trained W_q and W_k in coordinates where random features err less; their scores stay the same.

    Parameters
    ----------
    image : (H, W) array
        The image in whose windows attention will be estimated.

    Returns
    -------
    query_map, key_map : (29, 29) arrays
        The scores (W_q t̃ᵢ)·(W_k t̃ⱼ) differ from those of the trained maps at temperature √29 by a number that a
        query adds to all its keys. The weights are the same.
    moment : (29,) array
        The mean of (q + k)² along each coordinate, over windows of the image, each with its keys centred.

    Notes
    -----
    Equation eq:key_centring of chapter 7. The maps are fitted to the tokens of 100 windows, which span all tokens.
    """
    rows, columns = (np.random.default_rng(0).integers(0, n, N_WINDOWS) for n in image.shape)
    tokens, _ = window_tokens(image)(rows, columns)
    asking, answering = tokens[:, [MIDDLE]], centre_keys(tokens)
    query_map, key_map = (each.astype(np.float64) / N_FEATURES**0.25 for each in trained_maps())
    queries, keys = balance(*(_flat(t @ m.T) for t, m in [(asking, query_map), (answering, key_map)]))
    windows = (each.reshape(N_WINDOWS, -1, N_FEATURES) for each in (queries, keys))
    moment, axes = np.linalg.eigh(pair_moment(*windows).mean(axis=0))
    return _linear_map(_flat(asking), queries @ axes), _linear_map(_flat(answering), keys @ axes), moment


def _flat(vectors):
    return vectors.reshape(-1, N_FEATURES)


def _linear_map(vectors, images):
    """Return the matrix that takes each row of `vectors` to that of `images`."""
    return np.linalg.lstsq(vectors, images)[0].T


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
    >>> bandwidth(2005, 14 / 255), bandwidth(2020, 0)  # proportional to the noise; the least temperature
    (0.035, 0.7)
    """
    _, at, noise_power, power, least = BANDWIDTHS[one_year(year)].values()
    ratio = max(noise_std, 1 / WHITE) / NOISE_STD
    return float(f"{max(at * ratio**noise_power * positive('strength', strength) ** power, least):.4g}")


def photograph_maps():
    """Return the maps and the moment of `short_maps` for the example.

    They give attention the same weights on every photograph. On others the Performer errs more than it had to.
    """
    return short_maps(grey(noisy(cat_face())))
