"""The figure of the front page: one photograph, and the weights of one pixel with the method of each year."""

import base64

import numpy as np

from lib.checks import one_of, pixel_within
from lib.constants import STEERING
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.packing import first_reading, packed, packed_photograph
from lib.figures.contract.settings import choice, constant, custom, stops
from lib.filters import disk
from lib.images import DATASETS, cat_face
from lib.patch_attention import PATCH_RADIUS, RADIUS
from lib.years import (
    METHODS,
    NOISE_SEED,
    NOISE_STD,
    grey,
    noisy,
    short_maps,
)

DRIFT = (-15, 32)  # rows and columns that the lens drifts once, from the rim of the eye over its pupil and back

TERMS = {  # year → its name below the slider, and what its line of code says
    1964: ("Regression", "-distance²/h²"),
    1998: ("Bilateral", "-distance²/h_x² - colour_difference²/h_y²"),
    2005: ("Patches", "-patch_difference²/h²"),
    2007: ("Steering", "-distance_along_edge²/h²"),
    2017: ("Attention", "query · key / τ"),
}

WORDS = "words"  # the last stop: a head of a language model, with the line of code of 2017

CAPTION = (
    "<details><summary>How it was computed</summary>"
    "The noise has a standard deviation of 28 levels of 255. Each method has one bandwidth for the whole "
    "photograph. In 2005, what noise alone adds to the difference of two patches is subtracted; in 2007, each key "
    "measures the distance by its own edge, and keys on strong edges weigh more. Attention takes its weights from "
    "brightness, by projections trained on other photographs; the values that it averages are colours.</details>"
)


class YearsFigure(LiveFigure):
    """A noisy photograph, cleaned inside a ring; `years_figure` builds it with its slider."""

    _esm, _css = bundled("years")

    query = custom()  # row, column
    year_index = choice("year", [*map(str, TERMS), WORDS], name="year", widget=stops)
    clean_index = choice(names=["lens", "everything"], name="clean")  # what is cleaned

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
    drift = constant(list(DRIFT))
    sentence = constant()  # the words of the last stop, and the weights of the last of them


def years_figure(
    pixel=(71, 37),
    year=1964,
    clean="lens",
    *,
    question="Which pixels count for the one framed in red?",
    address="years",
):
    """A live picture of the course: the weights of one pixel over the years, and what each method cleans.

    Parameters
    ----------
    pixel : (row, column)
        The query, a pixel of `lib.images.cat_face()`.
    year : int or "words"
        One of 1964, 1998, 2005, 2007, 2017, or the last stop, where a sentence takes the place of the photograph.
    clean : {"lens", "everything"}
        Whether the photograph is cleaned inside the ring only.
    question, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `YearsFigure`.

    Raises
    ------
    ValueError, TypeError
        For a pixel outside the photograph, another year, and another name of what is cleaned.

    Notes
    -----
    The page draws the noise itself (`lib.noise.box_muller_noise`) and computes the weights of the query; the
    cleaned copies were made by `tools/train/clean_cat.py`. All windows are 15 × 15. At the last stop, words and
    their weights are those of `lib.figures.contract.packing.first_reading`.

    Examples
    --------
    >>> figure = years_figure(year=2007).figure
    >>> figure.query, figure.year_index
    ([71, 37], 3)
    """
    if np.ndim(year) or year not in [*TERMS, WORDS]:
        raise ValueError(f"year: expected one of {', '.join(map(str, TERMS))}, {WORDS!r}, got {year!r}")
    photograph = cat_face()
    *maps, moment = short_maps(grey(noisy(photograph)))
    figure = YearsFigure(
        query=list(pixel_within(photograph.shape[:2], pixel)),
        year_index=str(year),
        clean_index=one_of("clean", clean, ("lens", "everything")),
        photograph=packed_photograph(photograph),
        copies=[_address(DATASETS / f"cat_face_{each}.webp") for each in TERMS],
        methods=[_method(each) for each in TERMS],
        maps=packed(np.stack(maps)),
        moment=moment.tolist(),
        sentence=_sentence(),
        question=question,
        address=address,
    )
    return LivePanel(figure, CAPTION)


def _sentence():
    words, rows = first_reading()
    return {"words": words, "weights": rows[-1], "short": "A model", "chapter": "chapters/08_language_model"}


def _method(year):
    short, term = TERMS[year]
    return {"year": year, "short": short, "term": term} | METHODS[year]._asdict()


def _address(path):
    return f"data:image/webp;base64,{base64.b64encode(path.read_bytes()).decode('ascii')}"
