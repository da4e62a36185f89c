"""The attention-vs-Gaussian figure: kernel regression and attention with the same query and keys."""

import math

import numpy as np

from lib.checks import positive, real_array
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.settings import Grid, constant, custom, number

ANGLES = Grid(0, 359, 1)  # degrees
ROTATIONS = Grid(-180, 180, 1)
SPREADS = Grid(0, 1, 0.01)


class AttentionVsGaussianFigure(LiveFigure):
    """Keys in the plane, a query, and two rows of weights; `attention_vs_gaussian_figure` builds it."""

    _esm, _css = bundled("attention_vs_gaussian")

    query_angle = number(grid=ANGLES, name="angle")  # set by dragging and arrow keys, without a slider
    query_length = number(name="length")
    bandwidth = number("bandwidth h")
    spread = number("norm spread", SPREADS)
    rotation = number("rotation by W_q", ROTATIONS)
    full_spread_keys = custom("keys")  # at spread 1; a smaller spread moves their norms towards the mean

    values = constant()


def attention_vs_gaussian_figure(
    keys,
    values,
    query=(1.0, 0.0),
    bandwidth=1.0,
    *,
    spread=0.0,
    rotation=0.0,
    question="The norms of the keys begin to differ. Which of the two will favour long keys?",
    guesses=None,
    caption="",
    address="attention-vs-gaussian",
):
    """Compare Gaussian Nadaraya–Watson and softmax attention in the plane.

    Parameters
    ----------
    keys : (n, 2) array
        The keys at spread 1. At spread s their norms are m + s·(norm − m), where m is the mean norm; at spread 0
        all norms equal m. When the reader drags a key, all keys stay where they are and the spread becomes 1.
    values : (n,) array
        One number per key, independent of the spread.
    query : (2,) array
        Rounded to whole degrees and to the grid of lengths.
    bandwidth : float > 0
        h. The temperature of attention follows from it: h² = 2τ.
    spread : float in [0, 1]
        How much the norms of the keys differ.
    rotation : float in [-180, 180]
        Angle in degrees by which W_q rotates the query. W_k is the identity, so at 0 the projections are equal.
    question, guesses, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `AttentionVsGaussianFigure`.

    Raises
    ------
    ValueError, TypeError
        For arrays that are empty, do not match or contain NaN or inf, a key of length zero, and numbers out of
        range.

    Notes
    -----
    Equations eq:gaussian_factorisation and eq:equal_norms of chapter 6, computed in the browser. The tests compare
    the numbers with those of `lib.attention` and `lib.regression`.

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
