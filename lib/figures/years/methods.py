"""The methods of the front page, one a year: the weights of a pixel's window and the photograph that they clean.

All windows are 15 × 15. The values that are averaged are colours. Weights come from colours up to 2005, and from
brightness in 2007 (the gradient), 2017 and 2020 (the patches).
"""

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib import filters
from lib.attention import attention as full_attention
from lib.checks import image_planes
from lib.constants import BRIGHTNESS
from lib.figures.diffusion import box_muller_noise
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


class Method(NamedTuple):
    """A method's name, what *alike* means in it, the chapter that derives it, its kernel's parameters."""

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
        "Near, measured along the edges.",
        "chapters/04_lark",
        _window("steering", "none", bandwidth_space=5.0),
    ),
    2017: Method("Attention", "What training has made alike.", "chapters/06_attention", {}),
    2020: Method("Performer", "As in 2017, estimated.", "chapters/07_performer", {}),
}


def noisy(clean):
    """A colour image `(H, W, 3)` with noise of standard deviation `NOISE_STD`, which the page draws too."""
    planes = box_muller_noise(NOISE_SEED, (clean.shape[2], *clean.shape[:2]))
    return clean + NOISE_STD * np.moveaxis(planes, 0, -1)


def grey(image):
    """Return the brightness of a colour image."""
    return np.tensordot(BRIGHTNESS, image_planes(image), axes=1)


def weights(image, pixel, year):
    """The weights that a year's method gives the window of one pixel.

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
    kernel = METHODS[year].kernel
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
            return _one(attention(image), pixel)
        case 2020:
            return _one(performer(image), pixel)


def _one(averages, pixel):
    """The weights of one pixel: averages of the identity."""
    return averages(*np.array(pixel)[:, None], np.eye(SIDE**2)[None]).reshape(SIDE, SIDE)


def cleaned(image, year):
    """Denoise the image `(H, W, 3)` with the method of a year. The last two methods are slow."""
    kernel = METHODS[year].kernel
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
    averages, (height, width, _) = {2017: attention, 2020: performer}[year](image), image.shape
    padded = np.pad(image, ((RADIUS, RADIUS), (RADIUS, RADIUS), (0, 0)), mode="reflect")
    windows = sliding_window_view(padded, (SIDE, SIDE), axis=(0, 1)).reshape(height, width, 3, -1)
    estimate = np.empty_like(image)
    for rows, columns in zip(*map(blocks, np.indices((height, width))), strict=True):
        estimate[rows, columns] = averages(rows, columns, np.swapaxes(windows[rows, columns], 1, 2))
    return estimate


def blocks(indices, size=10):
    """Some indices at a time: their features stay in the processor's cache."""
    return np.array_split(indices.ravel(), -(-indices.size // size))


def attention(image):
    """One trained head on patches of brightness: the function (rows, columns, values) → averages of the values.

    The values `(n, 225, c)` are those of the windows around n pixels; the identity gives the weights.
    """
    tokens_around = window_tokens(grey(image))
    query_map, key_map = (each.astype(np.float64) for each in trained_maps())

    def averages(rows, columns, values):
        tokens, _ = tokens_around(rows, columns)
        return full_attention(tokens[:, [MIDDLE]] @ query_map.T, tokens @ key_map.T, values)[:, 0]

    return averages


def performer(image):
    """The same, estimated from random features: keys less their mean, features spread to fit the image."""
    tokens_around = window_tokens(grey(image))
    query_map, key_map, moment = short_maps(grey(image))
    frequencies, log_weights = dense_exponential_frequencies(random_frequencies(), np.diag(moment))

    def averages(rows, columns, values):
        tokens, _ = tokens_around(rows, columns)
        queries = positive_features(tokens[:, [MIDDLE]] @ query_map.T, frequencies) * np.exp(log_weights)
        keys = positive_features(centre_keys(tokens @ key_map.T), frequencies)
        return feature_average(queries, keys, values)[:, 0]

    return averages


def random_frequencies():
    """The Performer's frequencies `(512, 29)`, independent normal numbers that the page draws too."""
    return box_muller_noise(FREQUENCY_SEED, (N_FREQUENCIES, N_FEATURES))


def short_maps(image):
    """The trained W_q and W_k in coordinates where random features err less; their scores stay the same.

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
    Equation eq:key_centring of chapter 7. The maps are read off the vectors of some
    windows, which any others of the image are combinations of.
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
    """The matrix that takes each row of `vectors` to that of `images`."""
    return np.linalg.lstsq(vectors, images)[0].T
