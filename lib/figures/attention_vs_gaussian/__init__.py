"""The figure "the same or not?": Gaussian regression and attention, with one query and the same keys."""

import math

import numpy as np

from lib.checks import positive, real_array
from lib.figures.contract import Grid, LiveFigure, LivePanel, bundled, constant, custom, number

ANGLES = Grid(0, 359, 1)  # degrees, once round
ROTATIONS = Grid(-180, 180, 1)
SPREADS = Grid(0, 1, 0.01)


class AttentionVsGaussianFigure(LiveFigure):
    """Keys in the plane, a query, and two rows of weights; built by `attention_vs_gaussian_figure`."""

    _esm, _css = bundled("attention_vs_gaussian")

    query_angle = number(grid=ANGLES, name="angle")  # the hand and arrow keys turn the query in the picture
    query_length = number(name="length")
    bandwidth = number("bandwidth h")
    spread = number("norm spread", SPREADS)
    rotation = number("turn by W_q", ROTATIONS)
    full_spread_keys = custom("keys")  # as given; the spread brings their norms to the mean

    values = constant()


def attention_vs_gaussian_figure(
    keys,
    values,
    query=(1.0, 0.0),
    bandwidth=1.0,
    *,
    spread=0.0,
    rotation=0.0,
    question="The keys' norms begin to differ: which of the two will turn to the long keys?",
    guesses=None,
    caption="",
    address="attention-vs-gaussian",
):
    """A live comparison of Gaussian Nadaraya–Watson and softmax attention in the plane.

    Parameters
    ----------
    keys : (n, 2) array
        The keys at spread 1. At spread s their norms are m + s·(norm − m), with m the mean norm; at 0 all are m.
        The reader can drag each key: then all stay as they are shown, and the spread becomes 1.
    values : (n,) array
        They stay with their keys, whatever the spread.
    query : (2,) array
        Rounded to whole degrees and to the grid of lengths.
    bandwidth : float > 0
        h; the temperature of attention is tied to it, h² = 2τ.
    spread : float in [0, 1]
        How much the norms of the keys differ.
    rotation : float in [-180, 180]
        Degrees by which W_q turns the query; W_k is the identity. At 0 the two maps are equal.
    question : str
        Asked above the figure.
    guesses : Guesses, optional
        Answers to the question, of which the reader chooses one.
    caption : str
        HTML below the controls.
    address : str
        The figure's name in the page's address.

    Returns
    -------
    LivePanel; its `figure` is the `AttentionVsGaussianFigure`.

    Raises
    ------
    ValueError, TypeError
        For arrays that are empty, do not match or hold NaN or inf, a key of length zero, and numbers out of range.

    Notes
    -----
    Equations eq:gaussian_factorisation and eq:equal_norms of chapter 6, computed in the browser; tests hold the
    numbers to those of `lib.attention` and `lib.regression`.

    Examples
    --------
    >>> panel = attention_vs_gaussian_figure([[1.0, 0.0], [0.0, 2.0]], [3.0, 4.0], query=(0.0, 1.2), bandwidth=0.8)
    >>> panel.figure.query_angle, panel.figure.query_length, panel.figure.bandwidth
    (90.0, 1.2, 0.8)
    """
    keys, values, query = (
        real_array(name, array) for name, array in [("keys", keys), ("values", values), ("query", query)]
    )
    if keys.ndim != 2 or keys.shape[1] != 2 or values.shape != keys.shape[:1] or query.shape != (2,):
        shapes = f"{keys.shape}, {values.shape} and {query.shape}"
        raise ValueError(f"keys, values and query: expected shapes (n, 2), (n,) and (2,), got {shapes}")
    norms = np.hypot(*keys.T)
    if norms.min() == 0:
        raise ValueError("keys: expected lengths above zero, got a key (0, 0)")
    longest = 1.15 * max(norms.max(), np.hypot(*query))
    length_grid = Grid.over(0, longest)._replace(step=10 * Grid.over(0, longest).step)
    length_grid = length_grid._replace(high=length_grid.nearest(longest))
    bandwidth_grid = Grid.up_to(max(3 * norms.mean(), 2 * positive("bandwidth", bandwidth)))
    for name, given, grid in [("spread", spread, SPREADS), ("rotation", rotation, ROTATIONS)]:
        if not grid.low <= given <= grid.high:
            raise ValueError(f"{name}: expected a number in [{grid.low}, {grid.high}], got {given}")
    figure = AttentionVsGaussianFigure(
        {"query_length": length_grid, "bandwidth": bandwidth_grid},
        query_angle=float(round(math.degrees(math.atan2(query[1], query[0])))) % 360,
        query_length=np.hypot(*query),
        bandwidth=bandwidth,
        spread=spread,
        rotation=rotation,
        full_spread_keys=keys.astype(np.float64).tolist(),
        values=values.astype(np.float64).tolist(),
        question=question,
        guesses=guesses,
        address=address,
    )
    return LivePanel(figure, caption)
