"""The decay figure: how the weight of a key falls with its distance from the query."""

from lib.checks import non_negative, string_of
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.settings import Grid, choice, constant, number

FARTHEST = 3


class DecayFigure(LiveFigure):
    """A weight that falls with the distance; `decay_figure` builds it with its controls."""

    _esm, _css = bundled("decay")

    distance = number("distance", Grid(0, FARTHEST, 0.01))  # a slider; without a label the drawing alone moves it
    kernel_index = choice("kernel", ["gaussian", "boxcar"], name="kernel")  # a menu; `name` is for the URL
    unit = constant()  # does not change


def decay_figure(
    distance=1.0, *, unit="h", question="How much weight is left at twice the distance?", address="decay"
):
    """Build a live bar whose length is the weight of a key.

    Parameters
    ----------
    distance : float from 0 to 3
        The distance of the key from the query, rounded to hundredths.
    unit : str
        Unit of the distance.
    question : str
        Question shown above the figure.
    address : str
        The figure's name in the page's URL, unique on a page.

    Returns
    -------
    LivePanel; its `figure` is the `DecayFigure`.

    Raises
    ------
    ValueError, TypeError
        For a distance out of range, or a unit that is no string.

    Examples
    --------
    >>> decay_figure(0.123).figure.distance
    0.12
    """
    if non_negative("distance", distance) > FARTHEST:
        raise ValueError(f"distance: expected a number from 0 to {FARTHEST}, got {distance}")
    unit = string_of("unit", unit)
    return LivePanel(DecayFigure(distance=distance, unit=unit, question=question, address=address))
