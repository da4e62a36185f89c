"""The figure of the front page: a noisy photograph, a brush, and six copies that six methods clean."""

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lib.checks import image_planes, pixel_within
from lib.constants import BRUSH
<<<<<<< HEAD
from lib.figures.contract import (
    Grid,
    LiveFigure,
    LivePanel,
    bundled,
    bundled_worker,
    constant,
    custom,
    number,
    packed,
)
from lib.filters.lark import disk
=======
from lib.figures.contract import BUNDLED, Grid, LiveFigure, LivePanel, bundled, fact, free, number, packed
from lib.filters import disk
>>>>>>> w-library
from lib.images import NOISE_STEPS, standard_noise
from lib.patch_attention import MIDDLE, N_FEATURES, PATCH_RADIUS, RADIUS, trained_maps, window_tokens
from lib.random_features import balance, centre_keys, orthogonal_frequencies, pair_moment

NOISE_STD = 25 / 255  # for which the maps of `lib.patch_attention` are trained
BANDWIDTH = Grid(0.5, 3.0, 0.1)
N_FREQUENCIES, N_WINDOWS = 512, 100  # windows from which the Performer's coordinates are computed


class Method(NamedTuple):
    """One panel: its year, its name, what changed in that year, where it is told, and its kernel's two blocks."""

    year: int
    title: str
    change: str
    chapter: str
    kernel: dict[str, str | float]


def _window(position_block, value_block, **numbers):
    blocks = {"position_block": position_block, "value_block": value_block, "radius": RADIUS}
    zeros = {"bandwidth_space": 1, "bandwidth_value": 1, "patch_radius": 0, "forgiven": 0}
    return zeros | blocks | numbers


METHODS = {
    "nadaraya_watson": Method(
        1964,
        "Nadaraya–Watson",
        "Nearness counts",
        "chapters/01_nadaraya_watson",
        _window("gaussian", "none", bandwidth_space=1.0),
    ),
    "bilateral": Method(
        1998,
        "Bilateral",
        "And a like value",
        "chapters/02_bilateral",
        _window("gaussian", "pixel", bandwidth_space=1.5, bandwidth_value=0.4),
    ),
    "nonlocal_means": Method(
        2005,
        "Non-local means",
        "Patches, not places",
        "chapters/03_nonlocal_means",
        _window(
            "none",
            "patch",
            bandwidth_value=0.09,
            patch_radius=3,
            patch_weights="gaussian",
            forgiven=2 * NOISE_STD**2,
        ),
    ),
    "lark": Method(
        2007,
        "Steering kernel",
        "Nearness along the edge",
        "chapters/04_lark",
        _window("steering", "none", bandwidth_space=3.5),
    ),
    "attention": Method(2017, "Attention", "Likeness is learned", "chapters/06_attention", {}),
    "performer": Method(2020, "Performer", "Attention, estimated", "chapters/07_performer", {}),
}

CAPTION = (
    "The number beside a copy is its typical distance from the photograph without noise, where the brush has "
    "been, in grey levels of 255. Each method has the bandwidth that is best on the whole photograph; the "
    f"Performer has attention's, which it estimates from {N_FREQUENCIES} random features, too few here. Attention "
    "was trained on other photographs. The slider widens or narrows every method's reach, its bandwidth."
)


class OneQueryFigure(LiveFigure):
    """A noisy image, a brush, six cleaned copies; `one_query_figure` builds it with its slider."""

    _esm, _css = bundled("one_query")

    query = custom()  # row, column
    bandwidth = number("reach ×", BANDWIDTH, start=1.0)  # times each method's own
    dabs = custom("brush")  # where the brush has been, as cells of its grid
    guess = custom(start="")  # a method's name, "none" of a reader who did not want to guess
    photo = custom(start=0)  # this image, or one that the reader opened, counted from 1

    path = constant()  # where Play leads the brush, pixel by pixel
    moves_first = constant()
    methods = constant()
    noise_std = constant(NOISE_STD)
    disk = constant(disk(5).tolist())
    clean = constant()
    noise = constant()
    radius = constant(RADIUS)  # of all windows
    patch_radius = constant(PATCH_RADIUS)  # of attention's
    maps = constant()  # W_q and W_k, as two planes
    frequencies = constant()
    moment = constant()  # of q + k, along the axes of the maps
    worker_code = constant()


def one_query_figure(
    image,
    pixel=None,
    *,
    path=(),
    moves_first=False,
    rng=None,
    question="Which of six methods will clean it best?",
    address="one-query",
):
    """A live picture of the course: scrub a noisy photograph, and six copies become clean, each by its own method.

    Parameters
    ----------
    image : (H, W) array in [0, 1], or uint8, which is divided by 255
        The image without noise, of up to 256 × 256 pixels. The figure adds noise of standard deviation 25/255.
    pixel : (row, column), optional
        The query, where the brush is; by default in the middle.
    path : list of (row, column)
        Corners of the way on which the brush has come to the pixel, and on which Play leads it again.
    moves_first : bool
        Whether the brush takes this way once by itself, on a page of the course, when a reader has looked at the
        figure for a second and touched nothing.
    rng : numpy.random.Generator, or None for `default_rng(0)`
        The noisy image is `lib.images.add_noise(image, 25 / 255, rng)`; then come the Performer's frequencies.
    question : str
        Asked above the figure: what should the reader predict before touching it?
    address : str
        The figure's name in the page's address.

    Returns
    -------
    LivePanel; its `figure` is the `OneQueryFigure`.

    Raises
    ------
    ValueError, TypeError
        For an image that is empty, larger, of another shape or with NaN or inf; for a pixel or a corner
        outside the image.

    Notes
    -----
    How far a copy is from the image is told when the reader has guessed which is nearest, or scrubs. The weights
    of the query follow in the same frame; a worker beside the page cleans what the brush has painted. A
    photograph that the reader opens stays in the page.

    All windows are 15 × 15. The one slider multiplies the bandwidth of each method, which `METHODS` holds; the
    temperature of attention, a squared bandwidth (h² = 2τ), it multiplies by its square. The weights are those of
    `lib.regression`, `lib.filters` and `lib.patch_attention` with its trained maps. The Performer is given what
    chapter 7 knows to help: keys less their mean, lengths balanced and frequencies spread to fit the image
    (`short_maps`, `lib.random_features.dense_exponential_frequencies`).

    Examples
    --------
    >>> panel = one_query_figure(np.full((20, 20), 0.5), (7, 9))
    >>> panel.figure.query, panel.figure.bandwidth
    ([7, 9], 1.0)
    """
    planes = image_planes(image).astype(np.float64)
    if len(planes) != 1 or max(planes.shape) > 256:
        raise ValueError(f"image: expected (H, W) of at most 256 × 256 pixels, got {np.shape(image)}")
    rng = np.random.default_rng(0) if rng is None else rng
    noise = standard_noise(planes.shape[1:], rng)
    frequencies = orthogonal_frequencies(N_FREQUENCIES, N_FEATURES, rng)
    middle = planes.shape[1] // 2, planes.shape[2] // 2
    noisy = planes[0] + NOISE_STD * noise
    *maps, moment = short_maps(noisy)
    query = pixel_within(planes.shape[1:], middle if pixel is None else pixel)
    way = _pixels_between([*(pixel_within(noisy.shape, corner) for corner in path), query])
    figure = OneQueryFigure(
        query=list(query),
        path=way,
        moves_first=moves_first,
        dabs=_dabs(noisy.shape, way),
        worker_code=bundled_worker("one_query"),
        methods=[{"name": name} | method._asdict() for name, method in METHODS.items()],
        clean=packed(planes),
        noise=packed(noise[None]),
        maps=packed(np.stack(maps)),
        frequencies=packed(np.rint(NOISE_STEPS * frequencies[None]) / NOISE_STEPS),
        moment=moment.tolist(),
        question=question,
        address=address,
    )
    figure.clean_image, figure.noisy_image = planes[0], noisy
    return LivePanel(figure, CAPTION)


def _pixels_between(corners):
    """The pixels on the straight lines from corner to corner."""
    pixels = [list(map(int, corners[0]))]
    for start, end in pairwise(np.array(corners)):
        n = max(np.abs(end - start).max(), 1)
        pixels += [(start + (end - start) * i / n).round().astype(int).tolist() for i in range(1, n + 1)]
    return pixels


def _dabs(shape, pixels):
    """The cells of the brush's grid that these pixels lie in, as `brushFor` of one_query.js counts them."""
    step = math.ceil(round(max(shape) / BRUSH["radii_per_side"]) / BRUSH["steps_per_radius"])
    columns = math.ceil(shape[1] / step)
    return list(dict.fromkeys(row // step * columns + column // step for row, column in pixels))


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
