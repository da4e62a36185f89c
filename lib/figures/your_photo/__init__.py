"""The figure for the reader's own photograph, which every method of the course cleans."""

import numpy as np
import traitlets

from lib.checks import pixel_within
from lib.constants import STEERING
from lib.figures.contract import LiveFigure, LivePanel, bundled, lazy_worker
from lib.figures.contract.packing import packed, packed_photograph
from lib.figures.contract.settings import Grid, choice, constant, custom, number
from lib.filters import disk
from lib.images import cat_face
from lib.patch_attention import PATCH_RADIUS, RADIUS
from lib.years import (
    BANDWIDTHS,
    FREQUENCY_SEED,
    METHODS,
    N_FREQUENCIES,
    NOISE_SEED,
    NOISE_STD,
    one_year,
    photograph_maps,
)

STRENGTHS = Grid(0.25, 4, 0.05)
ADDED_NOISE = ["0", "10", "25", "50"]  # standard deviations, in grey levels
VIEWS = ["close-up", "whole picture"]

CAPTION = (
    "All windows have 15 × 15 pixels. The values that are averaged are colours. The bilateral filter and "
    "non-local means take their weights from colours, too; the steering kernel, attention and the Performer take "
    "them from brightness. Attention's projections were trained on three other photographs."
)


class YourPhotoFigure(LiveFigure):
    """A photograph, cleaned right of a line, and six close-ups; `your_photo_figure` builds it."""

    _esm, _css = bundled("your_photo")

    query = custom()  # row, column
    corner = custom(start=[0, 0])  # of the part that the close-up shows
    year_index = choice(names=[str(year) for year in METHODS], name="year")
    strength = number(grid=STRENGTHS)
    noise_index = choice(names=ADDED_NOISE, name="noise")
    line = number(grid=Grid(0, 100, 1))  # percent of the width that stays noisy
    view_index = choice(names=VIEWS, name="view")

    worker_lazy = lazy_worker("your_photo")
    example_lazy = traitlets.Dict().tag(sync=True)  # the example without noise, and W_q and W_k as two planes
    example_noise_std = constant(NOISE_STD)
    methods = constant()
    bandwidths = constant(BANDWIDTHS)
    disk = constant(disk(STEERING["analysis_radius"]).tolist())
    radius = constant(RADIUS)  # of all windows
    patch_radius = constant(PATCH_RADIUS)  # of attention's
    moment = constant()  # of q + k, along the axes of the maps
    noise_seed = constant(NOISE_SEED)
    frequencies = constant({"count": N_FREQUENCIES, "seed": FREQUENCY_SEED})


def your_photo_figure(
    pixel=(71, 37),
    year=2005,
    strength=1.0,
    *,
    line=40,
    question="Which of the six leaves your photograph sharp?",
    caption=CAPTION,
    address="your-photo",
):
    """Let the reader open, drop or paste a photograph, and clean it by the six methods of the course.

    Parameters
    ----------
    pixel : (row, column)
        The query, a pixel of the example: `lib.images.cat_face()` with noise of 28 levels of 255.
    year : int
        The method, one of 1964, 1998, 2005, 2007, 2017, 2020.
    strength : float from 0.25 to 4
        Multiplies the bandwidths that follow from the estimated noise.
    line : int from 0 to 100
        Percent of the photograph's width that stays noisy.
    question, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `YourPhotoFigure`.

    Raises
    ------
    ValueError, TypeError
        For a pixel outside the example and for an unknown year.

    Notes
    -----
    The browser computes everything, images in a worker; nothing is uploaded. The noise is estimated as in
    `lib.years.estimated_noise_std`, and `lib.years.bandwidth` gives each method its bandwidth. Photographs have at
    most 12 megapixels; larger ones are scaled down if the reader agrees.

    Examples
    --------
    >>> figure = your_photo_figure(year=1998, strength=1.5).figure
    >>> figure.year_index, figure.strength, figure.query
    (1, 1.5, [71, 37])
    """
    clean = cat_face()
    *maps, moment = photograph_maps()
    figure = YourPhotoFigure(
        query=list(pixel_within(clean.shape[:2], pixel)),
        year_index=str(one_year(year)),
        strength=strength,
        line=line,
        example_lazy={"photograph": packed_photograph(clean), "maps": packed(np.stack(maps))},
        methods=[
            {"year": each, "name": method.name, "alike": method.alike, "kernel": method.kernel}
            for each, method in METHODS.items()
        ],
        moment=moment.tolist(),
        question=question,
        address=address,
    )
    return LivePanel(figure, caption)
