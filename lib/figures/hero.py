"""The figure of the front page: one pixel of a photograph, and the weights of its neighbours by six methods."""

from typing import NamedTuple

import numpy as np
import traitlets

from lib.figures.base import Grid, LiveFigure, LivePanel, bundled, packed, slider
from lib.filters.arguments import image_planes, pixel_of
from lib.filters.lark import disk
from lib.images import NOISE_STEPS, standard_noise
from lib.patch_attention import MIDDLE, N_FEATURES, RADIUS, trained_maps, window_tokens
from lib.random_features import balance, centre_keys, orthogonal_frequencies, pair_moment

NOISE_STD = 25 / 255  # for which the maps of `lib.patch_attention` are trained
BANDWIDTH = Grid(0.3, 3.0, 0.1)
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
        "Gaussian N–W",
        "Nearness counts",
        "chapters/01_nadaraya_watson",
        _window("gaussian", "none", bandwidth_space=2.0),
    ),
    "bilateral": Method(
        1998,
        "Bilateral",
        "So does a like value",
        "chapters/02_bilateral",
        _window("gaussian", "pixel", bandwidth_space=2.5, bandwidth_value=0.35),
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
        _window("steering", "none", bandwidth_space=7.0),
    ),
    "attention": Method(2017, "Attention", "Likeness is learned", "chapters/06_attention", {}),
    "performer": Method(2020, "Performer", "The same, in linear time", "chapters/07_performer", {}),
}

CAPTION = (
    "The slider multiplies the bandwidths of all six methods, and so the temperature of attention, which is a "
    "bandwidth squared, by its square. At 1.0 they are, in the order of the panels: h = "
    "{nadaraya_watson[bandwidth_space]:g} pixels; h<sub>x</sub> = {bilateral[bandwidth_space]:g} pixels, "
    "h<sub>y</sub> = {bilateral[bandwidth_value]:g}; h = {nonlocal_means[bandwidth_value]:g}; h = "
    "{lark[bandwidth_space]:g}; τ = √{n_features}, twice. The noise is 25/255. Attention was trained on other "
    "photographs; the Performer estimates it from {n_frequencies} random features."
).format(
    n_features=N_FEATURES, n_frequencies=N_FREQUENCIES, **{name: method.kernel for name, method in METHODS.items()}
)


class HeroFigure(LiveFigure):
    """A noisy image, a query pixel, six maps of weights; `hero_figure` builds it with its slider."""

    _esm, _css = bundled("hero")
    settings = ("query", "bandwidth")

    query = traitlets.List(traitlets.Int()).tag(sync=True)  # row, column
    bandwidth = traitlets.Float(1.0).tag(sync=True)  # times each method's own

    methods = traitlets.List().tag(sync=True)
    bandwidth_grid = traitlets.List(traitlets.Float(), list(BANDWIDTH)).tag(sync=True)
    noise_std = traitlets.Float(NOISE_STD).tag(sync=True)
    disk = traitlets.List(default_value=disk(5).tolist()).tag(sync=True)
    clean = traitlets.Dict().tag(sync=True)
    noise = traitlets.Dict().tag(sync=True)
    maps = traitlets.Dict().tag(sync=True)  # W_q and W_k, as two planes
    frequencies = traitlets.Dict().tag(sync=True)
    moment = traitlets.List(traitlets.Float()).tag(sync=True)  # of q + k, along the axes of the maps


def hero_figure(
    image,
    pixel=None,
    *,
    rng=None,
    question="Which pixels will this one listen to?",
    address="one-query",
):
    """A live picture of the course: drag one pixel, and the weights of six methods follow in the same frame.

    Parameters
    ----------
    image : (H, W) array in [0, 1], or uint8, which is divided by 255
        The image without noise, of up to 256 × 256 pixels. The figure adds noise of standard deviation 25/255.
    pixel : (row, column), optional
        Where the query begins; by default in the middle.
    rng : numpy.random.Generator, or None for `default_rng(0)`
        The noisy image is `lib.images.add_noise(image, 25 / 255, rng)`; then come the Performer's frequencies.
    question : str
        Asked above the figure: what should the reader predict before touching it?
    address : str
        The figure's name in the page's address.

    Returns
    -------
    LivePanel; its `figure` is the `HeroFigure`.

    Raises
    ------
    ValueError, TypeError
        For an image that is empty, larger, of another shape or with NaN or inf; for a pixel outside the image.

    Notes
    -----
    All windows are 15 × 15. The one slider multiplies the bandwidth of each method, which `METHODS` holds; the
    temperature of attention, a squared bandwidth (h² = 2τ), it multiplies by its square. The weights are those of
    `lib.regression`, `lib.filters` and `lib.patch_attention` with its trained maps. The Performer is given what
    chapter 7 knows to help: keys less their mean, lengths balanced and frequencies spread to fit the image
    (`short_maps`, `lib.random_features.dense_exponential_frequencies`).

    Examples
    --------
    >>> panel = hero_figure(np.full((20, 20), 0.5), (7, 9))
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
    figure = HeroFigure(
        query=list(pixel_of(planes, middle if pixel is None else pixel)),
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
    return LivePanel(figure, [slider(figure, "bandwidth", BANDWIDTH, "bandwidths ×")], CAPTION)


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
    Equations eq:key_centring and, for the axes, eq:oprf of chapter 7. The maps are read off the vectors of some
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
