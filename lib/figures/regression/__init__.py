"""The regression figure: Nadaraya–Watson regression with a movable query, keys and bandwidth."""

import numpy as np

from lib.checks import finite_number, listed, one_of, positive, real_array
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.settings import Grid, choice, constant, custom, label, number

KERNEL_LABELS = {
    "gaussian": "Gaussian kernel",
    "boxcar": "Boxcar kernel",
    "triangular": "Triangular kernel",
    "epanechnikov": "Epanechnikov kernel",
    "constant": "Constant kernel",
    "softmax-dot": "Softmax of dot products",
}


class RegressionFigure(LiveFigure):
    """Keys, values, a query and its weights; `regression_figure` builds it."""

    _esm, _css = bundled("regression")

    query = number("query")
    bandwidth = number("bandwidth h")
    temperature = number("temperature τ")
    kernel_index = choice("kernel", list(KERNEL_LABELS), name="kernel")
    data_keys = custom("keys")  # not `keys`, which ipywidgets uses for the names of traits
    data_values = custom("values")

    kernel_labels = constant(KERNEL_LABELS)
    key_grid = constant()
    value_grid = constant()
    key_label = label()
    value_label = label()
    truth = constant()


def regression_figure(
    keys,
    values,
    query=None,
    bandwidth=None,
    kernel="gaussian",
    *,
    temperature=None,
    truth=None,
    key_range=None,
    value_range=None,
    key_label="key",
    value_label="value",
    question="Which keys will win when the bandwidth doubles?",
    guesses=None,
    caption="",
    address="regression",
):
    """Show kernel regression live: drag the query, the points or the bandwidth, and see the weights.

    Parameters
    ----------
    keys : (n,) array
        Locations of the observations.
    values : (n,) array
        Observed values.
    query : float, optional
        Where to estimate; by default at a third of the range of the keys. Like the next two, it is rounded to the
        nearest value of its slider.
    bandwidth : float > 0, optional
        h in the units of the keys; by default a tenth of their range.
    kernel : str
        "gaussian", "boxcar", "triangular", "epanechnikov" or "constant", as in `lib.kernels`; or
        "softmax-dot": weights softmax(q k / temperature).
    temperature : float > 0, optional
        τ of "softmax-dot", in squared units of the keys.
    truth : function of an (m,) array, optional
        The true regression function, drawn as a dashed line.
    key_range, value_range : (low, high), optional
        The ranges of the axes; by default the range of the data with a margin. The query moves within `key_range`.
    key_label, value_label : str
        Titles of the axes.
    question, guesses, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `RegressionFigure`.

    Raises
    ------
    ValueError, TypeError
        For arrays that are empty, not one-dimensional, of different lengths or contain NaN or inf, for an unknown
        kernel, and for a query, bandwidth or data outside their ranges.

    Notes
    -----
    Equations eq:weights and eq:nadaraya_watson of chapter 1, computed in the browser. The tests compare the
    numbers with those of `lib.regression`.

    Examples
    --------
    >>> panel = regression_figure([0.0, 1.0, 2.0], [1.0, 3.0, 2.0], query=0.5, bandwidth=0.4)
    >>> panel.figure.query, panel.figure.bandwidth
    (0.5, 0.4)
    """
    keys, values = (real_array(name, array) for name, array in [("keys", keys), ("values", values)])
    if keys.ndim != 1 or values.shape != keys.shape:
        raise ValueError(
            f"keys and values: expected two arrays of shape (n,), got {keys.shape} and {values.shape}"
        )
    one_of("kernel", kernel, KERNEL_LABELS)
    key_grid = _axis("keys", keys, key_range)
    sampled = keys[:0] if truth is None else _sampled(truth, np.linspace(key_grid.low, key_grid.high, 201))
    value_grid = _axis("values", np.concatenate([values, sampled]), value_range)
    query = keys.min() + np.ptp(keys) / 3 if query is None else query
    bandwidth = (np.ptp(keys) or 1) / 10 if bandwidth is None else positive("bandwidth", bandwidth)
    bandwidth_grid = Grid.up_to(max((key_grid.high - key_grid.low) / 2, 2 * bandwidth), key_grid.step)
    product = max(abs(key_grid.low), abs(key_grid.high)) ** 2
    temperature = product / 10 if temperature is None else positive("temperature", temperature)
    temperature_grid = Grid.up_to(max(product, 2 * temperature))
    figure = RegressionFigure(
        ranges={"query": key_grid, "bandwidth": bandwidth_grid, "temperature": temperature_grid},
        query=query,
        bandwidth=bandwidth,
        temperature=temperature,
        kernel_index=kernel,
        data_keys=keys.tolist(),
        data_values=values.tolist(),
        truth=sampled.tolist(),
        key_grid=list(key_grid),
        value_grid=list(value_grid),
        key_label=key_label,
        value_label=value_label,
        question=question,
        guesses=guesses,
        address=address,
    )
    return LivePanel(figure, caption)


def _sampled(truth, places):
    """Return the values of the true function at these places."""
    if not callable(truth):
        raise TypeError(f"truth: expected a function or None, got {truth!r}")
    sampled = real_array("truth", truth(places))
    if sampled.shape != places.shape:
        raise ValueError(f"truth: expected a function of {places.shape} keys, got values {sampled.shape}")
    return sampled


def _axis(name, data, limits):
    """Return the grid of an axis: the given limits, or the range of the data with a margin."""
    argument = f"{name.removesuffix('s')}_range"
    if limits is None:
        margin = 0.05 * np.ptp(data) or 1.0
        limits = data.min() - margin, data.max() + margin
    low, high = (finite_number(argument, limit) for limit in listed(argument, limits, "limits (low, high)", 2))
    if not (low <= data.min() and data.max() <= high and low < high):
        raise ValueError(f"{name}: expected all in [{low}, {high}], got {data.min()} to {data.max()}")
    return Grid.over(low, high)
