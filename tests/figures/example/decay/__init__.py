"""The decay figure: how the weight of a key falls with its distance from the query."""

from lib.figures.contract import Grid, LiveFigure, LivePanel, bundled, choice, constant, number


class DecayFigure(LiveFigure):
    """A weight that falls with the distance; `decay_figure` builds it with its controls."""

    _esm, _css = bundled("decay")

    distance = number("distance", Grid(0, 3, 0.01))  # a slider; without a label the drawing alone moves it
    kernel_index = choice("kernel", ["gaussian", "boxcar"], name="kernel")  # a menu; `name` is for the URL
    unit = constant()  # does not change


def decay_figure(
    distance=1.0, *, unit="h", question="How much weight is left at twice the distance?", address="decay"
):
    """Build a live bar whose length is the weight of a key.

    Examples
    --------
    >>> decay_figure(0.123).figure.distance
    0.12
    """
    return LivePanel(DecayFigure(distance=distance, unit=unit, question=question, address=address))
