"""The figure of the front page: one photograph, and the weights of one pixel in six methods, one a year."""

import base64

import numpy as np

from lib.checks import pixel_within, whole_number
from lib.constants import STEERING
from lib.figures.contract import Grid, LiveFigure, LivePanel, bundled, choice, constant, custom, number, stops
from lib.figures.contract.packing import packed, packed_photograph
from lib.filters import disk
from lib.images import DATASETS, cat_face
from lib.patch_attention import PATCH_RADIUS, RADIUS
from lib.years import (
    FREQUENCY_SEED,
    METHODS,
    N_FREQUENCIES,
    NOISE_SEED,
    NOISE_STD,
    grey,
    noisy,
    one_year,
    short_maps,
)

WIDTH = 250  # of the photograph, in pixels

CAPTION = (
    "The noise has a standard deviation of 28 levels of 255. Each method has one bandwidth for the whole "
    "photograph. Attention and the Performer take their weights from brightness, by projections trained on other "
    "photographs; the values that they average are colours. The Performer estimates attention's weights from "
    f"{N_FREQUENCIES} random features."
)


class YearsFigure(LiveFigure):
    """A photograph, noisy left of a line and clean right of it; `years_figure` builds it with its slider."""

    _esm, _css = bundled("years")

    query = custom()  # row, column
    year_index = choice("year", [str(year) for year in METHODS], name="year", widget=stops)
    line = number(grid=Grid(0, WIDTH, 1))  # columns left of it are noisy

    photograph = constant()  # without noise
    copies = constant()  # cleaned, one a year, as addresses of images
    methods = constant()
    noise_std = constant(NOISE_STD)
    disk = constant(disk(STEERING["analysis_radius"]).tolist())
    radius = constant(RADIUS)  # of all windows
    patch_radius = constant(PATCH_RADIUS)  # of attention's
    maps = constant()  # W_q and W_k, as two planes
    moment = constant()  # of q + k, along the axes of the maps
    noise_seed = constant(NOISE_SEED)
    frequencies = constant({"count": N_FREQUENCIES, "seed": FREQUENCY_SEED})


def years_figure(
    pixel=(71, 37), year=1964, line=100, *, question="Which pixels count for the one in the ring?", address="years"
):
    """A live picture of the course: the weights of one pixel from 1964 to 2020, and what each method cleans.

    Parameters
    ----------
    pixel : (row, column)
        The query, a pixel of `lib.images.cat_face()`.
    year : int
        One of 1964, 1998, 2005, 2007, 2017, 2020.
    line : int from 0 to 250
        How many columns of the photograph stay noisy.
    question : str
        Asked above the figure: what should the reader predict before touching it?
    address : str
        The figure's name in the page's address.

    Returns
    -------
    LivePanel; its `figure` is the `YearsFigure`.

    Raises
    ------
    ValueError, TypeError
        For a pixel outside the photograph, another year, and a line beyond the photograph.

    Notes
    -----
    The page draws the noise itself (`lib.noise.box_muller_noise`) and computes the weights of the
    query; the cleaned copies were made by `tools/train/clean_cat.py`. All windows are 15 × 15. The Performer is
    given what chapter 7 knows to help (`short_maps`).

    Examples
    --------
    >>> figure = years_figure(year=2007).figure
    >>> figure.query, figure.year_index
    ([71, 37], 3)
    """
    clean = cat_face()
    *maps, moment = short_maps(grey(noisy(clean)))
    figure = YearsFigure(
        query=list(pixel_within(clean.shape[:2], pixel)),
        year_index=str(one_year(year)),
        line=whole_number("line", line, 0, WIDTH),
        photograph=packed_photograph(clean),
        copies=[_address(DATASETS / f"cat_face_{each}.webp") for each in METHODS],
        methods=[{"year": each} | method._asdict() for each, method in METHODS.items()],
        maps=packed(np.stack(maps)),
        moment=moment.tolist(),
        question=question,
        address=address,
    )
    return LivePanel(figure, CAPTION)


def _address(path):
    return f"data:image/webp;base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"
