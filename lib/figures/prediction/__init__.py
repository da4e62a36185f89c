"""The prediction figure: the reader sketches or chooses an answer, and then compares it with the truth."""

import math

import numpy as np

from lib.checks import flag, listed, one_of, positive, real_array, string_of
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.settings import Grid, choice, constant, custom, label, number

N_STEPS = 50  # number of steps of a column's height


class PredictionFigure(LiveFigure):
    """The reader sketches columns, or chooses among them; `prediction_figure` builds it."""

    _esm, _css = bundled("prediction")

    sketch = custom()
    chosen = number(start=-1, name="choice")  # −1: none
    shown_index = choice(names=["no", "yes"], name="shown")

    kind = constant()
    names = constant()
    truth = constant()
    height_grid = constant()
    untouched = constant()
    percent = constant()
    name_label = label()
    height_label = label()
    answer = label()
    vectors = constant()


def prediction_figure(
    names,
    truth,
    *,
    question,
    answer,
    address,
    kind="weights",
    largest=None,
    percent=False,
    name_label="key",
    height_label="weight",
    vectors=None,
):
    """Ask a question with columns for an answer: the reader predicts, then compares with the truth.

    Parameters
    ----------
    names : sequence of n str
        A short name per column, about six characters at most, shown below it.
    truth : (n,) array
        The right heights, at least 0, computed by the methods of the course. Weights sum to 1.
    answer : str
        The explanation, shown with the truth.
    kind : {"weights", "curve", "winner"}
        Sketch weights, which are normalised by their sum; sketch numbers; or choose the largest column.
    largest : float > 0, optional
        The end of the axis; by default a round number above the truth. For weights it is 1.
    percent : bool
        Show the numbers of a curve in percent. Weights are always in percent.
    name_label, height_label : str
        Titles of the axes.
    vectors : pair of a (2,) and an (n, 2) array, optional
        A query and a key per column, drawn as arrows in a plane beside the columns.
    question, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `PredictionFigure`.

    Raises
    ------
    ValueError, TypeError
        For a truth that is empty, negative, not finite, of a different length than `names` or above `largest`, for
        weights that do not sum to 1, for tied winners, for an unknown kind and for vectors of a different number.

    Examples
    --------
    >>> panel = prediction_figure(
    ...     ["near", "far"], [0.9, 0.1], question="Who wins?", answer="The near one.", address="who", kind="winner"
    ... )
    >>> panel.figure.chosen, panel.figure.truth
    (-1.0, [0.9, 0.1])
    """
    names = [string_of("names", name) for name in listed("names", names)]
    truth = real_array("truth", truth)
    if truth.shape != (len(names),) or truth.min() < 0:
        raise ValueError(f"truth: expected {len(names)} numbers, one per name, at least 0, got {truth}")
    one_of("kind", kind, ("weights", "curve", "winner"))
    if kind == "weights" and not math.isclose(truth.sum(), 1, rel_tol=1e-9):
        raise ValueError(f"truth: expected weights that sum to 1, got {truth.sum()}")
    if kind == "winner" and np.sum(np.isclose(truth, truth.max())) > 1:
        raise ValueError(f"truth: expected one winner, got a tie in {truth}")
    top = _round_above(truth.max()) if largest is None else positive("largest", largest)
    top = 1.0 if kind == "weights" else top
    if top < truth.max():
        raise ValueError(f"largest: expected at least the largest truth, {truth.max()}, got {top}")
    grid = Grid(0.0, top, top / N_STEPS)
    start = grid.nearest(top / len(names) if kind == "weights" else top / 2)
    choosing = kind == "winner"
    figure = PredictionFigure(
        {"sketch": None, "chosen": Grid(-1, len(names) - 1, 1)} if choosing else {},
        sketch=[start] * len(names),
        untouched=[start] * len(names),
        kind=kind,
        names=names,
        truth=truth.tolist(),
        height_grid=list(grid),
        percent=flag("percent", percent) or kind == "weights",
        name_label=name_label,
        height_label=height_label,
        vectors=None if vectors is None else _vectors(vectors, len(names)),
        question=question,
        answer=answer,
        address=address,
    )
    return LivePanel(figure)


def _vectors(vectors, n):
    pair = listed("vectors", vectors, f"a pair of arrays of shapes (2,) and ({n}, 2)", 2)
    query, keys = (real_array("vectors", each) for each in pair)
    if (query.shape, keys.shape) != ((2,), (n, 2)):
        raise ValueError(f"vectors: expected shapes (2,) and ({n}, 2), got {query.shape} and {keys.shape}")
    return {"query": query.tolist(), "keys": keys.tolist()}


def _round_above(number):
    """Round up to the next of 1, 2, 5, 10, 20, … (or these divided by powers of ten)."""
    if number == 0:
        return 1.0
    decade = 10.0 ** math.floor(math.log10(number))
    return next(factor * decade for factor in (1, 2, 5, 10) if factor * decade >= number)
