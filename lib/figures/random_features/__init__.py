"""The random-features figure: exact weights, estimated weights, and the error as features are added."""

import numpy as np

from lib.checks import one_of, one_of_numbers, positive, real_array, whole_number
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.packing import as_text
from lib.figures.contract.settings import Grid, choice, constant, label, number, stops
from lib.random_features import iid_frequencies, orthogonal_frequencies

MAPS = ("positive", "trigonometric", "hyperbolic")
COUPLINGS = {"orthogonal": orthogonal_frequencies, "iid": iid_frequencies}
COUNTS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256)
N_DRAWS = 8


class RandomFeaturesFigure(LiveFigure):
    """Tokens, one of them the query, and random frequencies; `random_features_figure` builds it."""

    _esm, _css = bundled("random_features")

    query = number("query")
    count_index = choice("frequencies m", list(map(str, COUNTS)), name="features", widget=stops)
    norm = number("norm")
    map_index = choice("feature map", list(MAPS), name="map")
    coupling_index = choice("coupling", list(COUPLINGS), name="coupling")
    draw = number(grid=Grid(1, N_DRAWS, 1), start=1)

    directions = constant()  # tokens of unit norm
    values = constant()
    frequencies = constant()
    token_label = label()
    value_label = label()


def random_features_figure(
    tokens,
    values,
    query=None,
    n_features=16,
    *,
    norm=1.5,
    feature_map="positive",
    coupling="orthogonal",
    draw=1,
    largest_norm=4.0,
    token_label="token",
    value_label="value",
    question="With four times as many frequencies, how much closer are the weights?",
    guesses=None,
    caption="",
    address="random-features",
):
    """Show attention from random features live: the weights of one token, exact and estimated.

    Parameters
    ----------
    tokens : (n, d) array
        Both queries and keys. Only their directions are used: a slider gives all of them the same norm.
    values : (n,) array
    query : int, optional
        The initial query; by default at a third of the tokens.
    n_features : int
        m, one of 1, 2, 3, 4, 6, 8, 12, …, 256.
    norm : float > 0
        ‖q‖ = ‖k‖, rounded to the slider's grid. Scores are q·k/√d.
    feature_map : {"positive", "trigonometric", "hyperbolic"}
    coupling : {"orthogonal", "iid"}
    draw : int from 1 to 8
        Seed of the frequencies: the first `n_features` of `orthogonal_frequencies(256, d, rng=draw)`, or of
        `iid_frequencies(256, d, rng=draw)`, in single precision to reduce the size of the page.
    largest_norm : float > 0
        The end of the slider for the norm.
    token_label, value_label : str
        Titles of the axes.
    question, guesses, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `RandomFeaturesFigure`.

    Raises
    ------
    ValueError, TypeError
        For arrays that are empty, do not match or contain NaN or inf, a token that is zero, fewer than two tokens,
        an unknown map or coupling, and numbers out of range.

    Notes
    -----
    Equation eq:linear_attention of chapter 7, computed in the browser; the tests compare the numbers with those of
    `lib.random_features.linear_attention`. The error is the share of weight on wrong keys, ½ Σ|ŵ − w|.

    Examples
    --------
    >>> panel = random_features_figure(np.eye(3), [1.0, 2.0, 4.0], n_features=64)
    >>> panel.figure.query, COUNTS[panel.figure.count_index]
    (1.0, 64)
    """
    tokens, values = real_array("tokens", tokens), real_array("values", values)
    if tokens.ndim != 2 or len(tokens) < 2 or values.shape != (len(tokens),):
        raise ValueError(
            f"tokens and values: expected (n, d) and (n,) with n ≥ 2, got {tokens.shape} and {values.shape}"
        )
    norms = np.linalg.norm(tokens, axis=1)
    if norms.min() == 0:
        raise ValueError(f"tokens: expected a direction each, got zeros in row {norms.argmin()}")
    query = whole_number("query", len(tokens) // 3 if query is None else query, at_least=0)
    if query >= len(tokens):
        raise ValueError(f"query: expected a token from 0 to {len(tokens) - 1}, got {query}")
    if whole_number("draw", draw) > N_DRAWS:
        raise ValueError(f"draw: expected a number from 1 to {N_DRAWS}, got {draw}")
    norm_grid = Grid.up_to(positive("largest_norm", largest_norm), 0.1)
    if positive("norm", norm) > norm_grid.high:
        raise ValueError(f"norm: expected a number up to {norm_grid.high}, got {norm}")
    figure = RandomFeaturesFigure(
        ranges={"query": Grid(0, len(tokens) - 1, 1), "norm": norm_grid},
        query=query,
        count_index=str(one_of_numbers("n_features", n_features, COUNTS)),
        norm=norm,
        map_index=one_of("feature_map", feature_map, MAPS),
        coupling_index=one_of("coupling", coupling, COUPLINGS),
        draw=draw,
        directions=(tokens / norms[:, None]).astype(np.float64).tolist(),
        values=values.tolist(),
        frequencies=_packed_frequencies(tokens.shape[1]),
        token_label=token_label,
        value_label=value_label,
        question=question,
        guesses=guesses,
        address=address,
    )
    return LivePanel(figure, caption)


def _packed_frequencies(dimension):
    """Encode all draws, `(couplings, draws, features, d)`, as text."""
    draws = np.array(
        [[couple(COUNTS[-1], dimension, rng=i + 1) for i in range(N_DRAWS)] for couple in COUPLINGS.values()]
    )
    return {"shape": list(draws.shape), "data": as_text(draws, "<f4")}
