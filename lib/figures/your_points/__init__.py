"""The figure for the reader's own points, which go through every method that estimates a curve."""

import numpy as np

from lib import data
from lib.checks import finite_number, flag, one_of, positive, real_array, string_of
from lib.figures.contract import LiveFigure, LivePanel, bundled, lazy_worker
from lib.figures.contract.settings import choice, constant, custom

METHODS = {
    "gaussian": "Gaussian kernel",
    "boxcar": "Boxcar kernel",
    "triangular": "Triangular kernel",
    "epanechnikov": "Epanechnikov kernel",
    "constant": "Constant kernel",
    "local-linear": "Local linear",
    "nearest": "Nearest neighbours",
    "attention": "Attention on positional encodings",
}
CRITERIA = {"leave-one-out": "leave-one-out", "AICc": "AICc", "hand": "hand"}
CRITERIA |= {"leave-neighbours-out": "leave neighbours out"}
PANELS = {"errors": "curve of errors", "weights": "weights", "residuals": "residuals"}
PARAMETERS = {"constant": None, "nearest": "neighbours", "attention": "temperature"}  # of others, the bandwidth
FEWEST = 4  # points, since AICc needs that many


class YourPointsFigure(LiveFigure):
    """Points, a method and its parameter; `your_points_figure` builds it."""

    _esm, _css = bundled("your_points")

    query = custom()
    method_index = choice(names=list(METHODS), name="method")
    bandwidth = custom()
    neighbours = custom()
    temperature = custom()
    by_index = choice(names=list(CRITERIA), name="by")
    reach = custom()
    panel_index = choice(names=list(PANELS), name="panel")
    compare_index = choice(names=["no", "yes"], name="compare")
    robust_index = choice(names=["no", "yes"], name="robust")
    points = custom()

    worker_lazy = lazy_worker("your_points")
    examples = constant()
    method_labels = constant(METHODS)
    by_labels = constant(CRITERIA)
    panel_labels = constant(PANELS)


def your_points_figure(
    keys=None,
    values=None,
    method="gaussian",
    parameter=None,
    *,
    by="leave-one-out",
    reach=None,
    query=None,
    panel="errors",
    compare=False,
    robust=False,
    key_label="key",
    value_label="value",
    question=None,
    caption="",
    address="your-points",
):
    """Let the reader open, paste or edit points, and estimate a curve through them by every method of the course.

    Parameters
    ----------
    keys, values : (n,) arrays, optional
        The points to begin with, at least four; by default the annual flow of the Nile, `lib.data.nile`. The
        other example is `lib.data.noisy_sine`.
    method : str
        A kernel of chapter 1; "local-linear" with the Gaussian kernel; "nearest", the mean of the m nearest keys
        and of those as near as the last of them; or "attention" on encodings of 16 numbers, with base 100, that
        give the range of the keys the positions 0 to 49.
    parameter : float > 0, optional
        The bandwidth h in the units of the keys, the number m of neighbours, or the temperature τ. It replaces
        the choice by a criterion.
    by : {"leave-one-out", "AICc", "leave-neighbours-out", "hand"}
        How the parameter is chosen among up to 61 candidates. "leave-neighbours-out" predicts each value from the
        keys that are farther away than `reach`.
    reach : float > 0, optional
        How far errors are correlated, in the units of the keys; by default the mean distance of neighbouring keys.
    query : float, optional
        Where to estimate; by default at a third of the range of the keys.
    panel : {"errors", "weights", "residuals"}
        What the lower panel shows.
    compare : bool
        Whether the curves of the other methods are drawn too, as thin lines; a criterion chooses the parameter of
        each.
    robust : bool
        Whether points with large residuals count less. The kernel's weight of each point is multiplied by
        exp(−r²/h²), as in eq:robust of chapter 2, with its residual r, h = 4.43 times the median size of r, and an
        exponent of at most 30; three times, the fit is repeated, as in LOWESS. σ is then the median difference of
        neighbouring values, divided by 0.6745 √2. The criterion that chooses the parameter is not robust.
    key_label, value_label : str
        Titles of the axes.
    question : str, optional
        Question shown above the figure; by default one for each example, and one for the reader's own points.
    caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `YourPointsFigure`.

    Raises
    ------
    ValueError, TypeError
        For fewer than four points, arrays of different lengths or with NaN or inf, keys that are all equal, and
        unknown names.

    Notes
    -----
    The browser computes everything, more than a few hundred points in a worker; nothing is uploaded. The band is
    eq:band of chapter 1: 1.96 σ ‖w‖ around the estimate, for independent noise of the same variance, with σ from
    differences of neighbouring values. It covers the mean of the estimate, not its bias.

    Examples
    --------
    >>> panel = your_points_figure([0.0, 1.0, 2.0, 4.0], [1.0, 3.0, 2.0, 5.0], "local-linear", 0.5)
    >>> panel.figure.bandwidth, panel.figure.points["keys"]
    (0.5, [0.0, 1.0, 2.0, 4.0])
    """
    examples = {"nile": _points(*data.nile(), "year", "flow in 10⁸ m³")}
    examples["sine"] = _points(*data.noisy_sine(rng=np.random.default_rng(3))[:2], "key", "value")
    if question is None:
        question = "Which bandwidth finds your curve?"
        examples["nile"]["question"] = "When did the Nile fall?"
        examples["sine"]["question"] = "Which bandwidth finds the sine?"
    if keys is not None or values is not None:
        examples = {"start": _points(keys, values, key_label, value_label), **examples}
    name = PARAMETERS.get(one_of("method", method, METHODS), "bandwidth")
    chosen = {} if parameter is None or name is None else {name: float(positive("parameter", parameter))}
    figure = YourPointsFigure(
        query=None if query is None else finite_number("query", query),
        method_index=method,
        by_index="hand" if chosen else one_of("by", by, CRITERIA),
        reach=None if reach is None else float(positive("reach", reach)),
        panel_index=one_of("panel", panel, PANELS),
        compare_index=int(flag("compare", compare)),
        robust_index=int(flag("robust", robust)),
        points=next(iter(examples.values())),
        examples=examples,
        question=question,
        address=address,
        **chosen,
    )
    return LivePanel(figure, caption)


def _points(keys, values, key_label, value_label):
    """Return validated points, sorted by key, in the form that JavaScript reads."""
    keys, values = real_array("keys", keys), real_array("values", values)
    if keys.ndim != 1 or values.shape != keys.shape or len(keys) < FEWEST:
        raise ValueError(
            f"keys and values: expected two arrays of shape (n,) with n of {FEWEST} or more, "
            f"got {keys.shape} and {values.shape}"
        )
    if np.ptp(keys) == 0:
        raise ValueError(f"keys: expected different numbers, got {keys[0]} in every place")
    order = np.argsort(keys, kind="stable")
    return {
        "keys": keys[order].tolist(),
        "values": values[order].tolist(),
        "key_label": string_of("key_label", key_label),
        "value_label": string_of("value_label", value_label),
        "dates": False,
    }
