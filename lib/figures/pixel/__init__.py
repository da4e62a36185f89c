"""The pixel figure: one pixel of a photograph, the pixels that it attends to, and the filtered image."""

from typing import NamedTuple

import numpy as np

from lib.checks import image_planes, number_within, one_of, pixel_within
from lib.constants import STEERING
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.packing import packed
from lib.figures.contract.settings import Control, Grid, choice, constant, custom, number
from lib.filters import PATCH_WEIGHTS, disk
from lib.images import standard_noise

VIEWS = ("noisy", "clean", "filtered")
POSITION_BLOCKS = {"none": "none", "gaussian": "Gaussian", "steering": "steering"}
VALUE_BLOCKS = {"none": "none", "pixel": "pixel", "patch": "patch"}
NOISE_GRID = Grid(0, 50, 1)  # in units of 1/255
LARGEST_SIDE = 256


class Parameter(NamedTuple):
    """A parameter with a slider: the figure's trait, initial value, grid, label and symbol."""

    trait: str
    start: float | None  # None: the radius follows the bandwidth
    grid: Grid
    label: str
    symbol: str


class Method(NamedTuple):
    """A filter: its two blocks and other options, and its parameters by their names in `lib.filters`."""

    options: dict[str, str | bool]
    parameters: dict[str, Parameter]


SPACE, VALUE, RADIUS = Grid(0.3, 6.0, 0.1), Grid(0.02, 1.5, 0.01), Grid(0, 14, 1)
WINDOW_RADIUS = Parameter("radius", None, RADIUS, "window radius", "radius")
PATCH_RADIUS = Parameter("patch_radius", 3, Grid(0, 4, 1), "patch radius", "patch radius")

METHODS = {
    "gaussian": Method(
        {"position_block": "gaussian", "value_block": "none"},
        {"bandwidth": Parameter("bandwidth_space", 1.5, SPACE, "h, in pixels", "h"), "radius": WINDOW_RADIUS},
    ),
    "bilateral": Method(
        {"position_block": "gaussian", "value_block": "pixel"},
        {
            "bandwidth_space": Parameter("bandwidth_space", 2.5, SPACE, "h_x, in pixels", "h_x"),
            "bandwidth_value": Parameter("bandwidth_value", 0.35, VALUE, "h_y, in values", "h_y"),
            "radius": WINDOW_RADIUS,
        },
    ),
    "nonlocal_means": Method(
        {"position_block": "none", "value_block": "patch", "patch_weights": "gaussian", "subtract_noise": True},
        {
            "bandwidth": Parameter("bandwidth_value", 0.09, Grid(0.01, 0.5, 0.01), "h, in values", "h"),
            "patch_radius": PATCH_RADIUS,
            "search_radius": Parameter("radius", 10, Grid(0, 12, 1), "search radius", "search radius"),
        },
    ),
    "lark": Method(
        {"position_block": "steering", "value_block": "none"},
        {
            "bandwidth": Parameter("bandwidth_space", 3.5, Grid(0.3, 10.0, 0.1), "h", "h"),
            "radius": Parameter("radius", 7, Grid(0, 12, 1), "window radius", "radius"),
        },
    ),
    "unified": Method(
        {"position_block": "gaussian", "value_block": "pixel", "patch_weights": "gaussian"},
        {
            "bandwidth_space": Parameter("bandwidth_space", 2.5, Grid(0.3, 10.0, 0.1), "h_x, in pixels", "h_x"),
            "bandwidth_value": Parameter("bandwidth_value", 0.35, VALUE, "h_y, in values", "h_y"),
            "patch_radius": PATCH_RADIUS,
            "radius": Parameter("radius", 7, Grid(0, 12, 1), "window radius", "radius"),
        },
    ),
}


class PixelFigure(LiveFigure):
    """An image, a query pixel and the weights of the pixels around it; `pixel_figure` builds it."""

    _esm, _css = bundled("pixel")

    query = custom()  # row, column
    position_index = choice("position block", name="position")
    value_index = choice("value block", name="value")
    bandwidth_space = number(start=1.0)
    bandwidth_value = number(start=1.0)
    patch_radius = number()
    radius = number(start=None)
    subtract_index = choice("noise floor", name="noise_floor")
    noise_level = number("noise σ · 255", NOISE_GRID, name="noise")
    view_index = choice("left image", list(VIEWS), name="view")

    method = constant()
    blocks = constant()  # position and value block of a method without menus for them
    parameters = constant()  # trait and symbol by name
    patch_weights = constant("gaussian")
    disk = constant(disk(STEERING["analysis_radius"]).tolist())
    clean = constant()
    noise = constant()

    def noisy_image(self):
        """The noisy image at the current noise level: `(H, W)` or `(H, W, C)`, float64, not clipped."""
        return self.clean_image + self.noise_level / 255 * self.standard_noise


def pixel_figure(
    image,
    method="bilateral",
    pixel=None,
    *,
    noise_std=25 / 255,
    rng=None,
    view="noisy",
    question="Which pixels will this one attend to?",
    guesses=None,
    caption="",
    address=None,
    **parameters,
):
    """Show one filter live: drag a query pixel over a noisy image and see the weights of the pixels around it.

    Parameters
    ----------
    image : (H, W) or (H, W, 3) array in [0, 1], or uint8, which is divided by 255
        The image without noise, of at most 256 × 256 pixels; filtering 128 × 128 pixels takes a fraction of a
        second.
    method : {"gaussian", "bilateral", "nonlocal_means", "lark", "unified"}
        "unified" adds menus for the position block and the value block of the metric.
    pixel : (row, column), optional
        The initial query; by default the centre.
    noise_std : float from 0 to 50/255
        σ in the units of the image, rounded to multiples of 1/255; it has a slider.
    rng : numpy.random.Generator, or None for `default_rng(0)`
        The noisy image is `lib.images.add_noise(image, noise_std, rng)`.
    view : {"noisy", "clean", "filtered"}
        What the image on the left shows. The weights are always those of the noisy image.
    address : str, optional
        The figure's name in the page's URL, unique on a page; by default `pixel-` and the method.
    **parameters
        Parameters of the method, named as in `lib.filters` and rounded to the nearest value of their sliders:
        bandwidth and radius ("gaussian"); bandwidth_space, bandwidth_value and radius ("bilateral"); bandwidth,
        patch_radius, search_radius, patch_weights and subtract_noise ("nonlocal_means"; the last says whether 2σ²
        is subtracted from patch distances); bandwidth and radius ("lark", of order 0); position_block ("none",
        "gaussian", "steering"), value_block ("none", "pixel", "patch"), bandwidth_space, bandwidth_value,
        patch_radius, radius and patch_weights ("unified"). A radius of None is ⌈2.2·h_x⌉ and follows the slider.
    question, guesses, caption : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `PixelFigure`.

    Raises
    ------
    ValueError, TypeError
        For an image that is empty, too large, of a different shape or with NaN or inf; for a pixel outside the
        image, an unknown method, block or view, and a parameter that the method does not have or that is out of
        range.

    Notes
    -----
    Equations eq:bilateral_weights of chapter 2, eq:nlm_weights of chapter 3, eq:steering_kernel of chapter 4 and
    eq:unified_kernel of chapter 5, computed in the browser. The tests compare the numbers with those of
    `lib.filters` and `lib.unified`.

    Examples
    --------
    >>> step = np.repeat([[0.2, 0.8]], 4, axis=0).repeat(2, axis=1)
    >>> panel = pixel_figure(step, "bilateral", (1, 1), bandwidth_space=2.0, bandwidth_value=0.3)
    >>> panel.figure.query, panel.figure.bandwidth_value
    ([1, 1], 0.3)
    """
    planes = image_planes(image).astype(np.float64)
    if len(planes) not in (1, 3) or max(planes.shape) > LARGEST_SIDE:
        raise ValueError(f"image: expected (H, W) or (H, W, 3) of at most 256 × 256 pixels, got {np.shape(image)}")
    height, width = planes.shape[1:]
    noise = standard_noise(np.shape(image), rng=0 if rng is None else rng)
    figure = PixelFigure(
        **_traits(one_of("method", method, METHODS), parameters),
        query=list(pixel_within(planes.shape[1:], (height // 2, width // 2) if pixel is None else pixel)),
        noise_level=_on_slider("noise_std", noise_std, NOISE_GRID, unit=255),
        view_index=one_of("view", view, VIEWS),
        method=method,
        clean=packed(planes),
        noise=packed(np.moveaxis(np.atleast_3d(noise), -1, 0)),
        question=question,
        guesses=guesses,
        address=f"pixel-{method.replace('_', '-')}" if address is None else address,
    )
    figure.clean_image = np.moveaxis(planes, 0, -1).reshape(np.shape(image))
    figure.standard_noise = noise
    return LivePanel(figure, caption)


def _traits(method, given):
    """Return the figure's traits for the given parameters of a method, and defaults for all others."""
    options, parameters = METHODS[method]
    free = [name for name in options if method == "unified" or not name.endswith("_block")]
    unknown = [name for name in given if name not in [*parameters, *free]]
    if unknown:
        raise TypeError(f"{unknown[0]}: expected, for {method!r}, one of {', '.join([*parameters, *free])}")
    options = options | {name: given[name] for name in free if name in given}
    numbers = {name: given.get(name, parameter.start) for name, parameter in parameters.items()}
    follows = [name for name, number in numbers.items() if number is None and parameters[name].start is None]
    sliders = {name: parameter for name, parameter in parameters.items() if name not in follows}
    ranges = {p.trait: Control(p.label, p.grid, name) for name, p in sliders.items()}
    if method == "unified":
        ranges |= {"position_index": POSITION_BLOCKS, "value_index": VALUE_BLOCKS}
    if "subtract_noise" in options:
        ranges["subtract_index"] = {"kept": "keep it", "subtracted": "subtract it"}
    return {
        "ranges": ranges,
        "parameters": {name: {"trait": p.trait, "symbol": p.symbol} for name, p in sliders.items()},
        "position_index": _index("position_block", options["position_block"], POSITION_BLOCKS),
        "value_index": _index("value_block", options["value_block"], VALUE_BLOCKS),
        "blocks": {"position": options["position_block"], "value": options["value_block"]},
        "patch_weights": one_of("patch_weights", options.get("patch_weights", "gaussian"), PATCH_WEIGHTS),
        "subtract_index": int(bool(options.get("subtract_noise", False))),
        **{p.trait: _on_slider(name, numbers[name], p.grid) for name, p in sliders.items()},
    }


def _index(name, value, names):
    return list(names).index(one_of(name, value, names))


def _on_slider(name, value, grid, unit=1):
    """Convert to the grid's unit and round to the grid; raise an error outside its range."""
    low, high, step = (each / unit for each in grid)
    return grid.nearest(unit * number_within(name, value, low, high, tolerance=step / 2))
