"""What every live figure is made of: its JavaScript and CSS, sliders on a grid, a panel.

A live figure computes and draws in JavaScript. Python only gives it data and plain ipywidgets sliders, joined by
`jslink`, so the same object works with a kernel and, on a static page, without one.
"""

import base64
import math
import re
from pathlib import Path
from typing import NamedTuple

import anywidget
import ipywidgets
import numpy as np
import traitlets

from lib.images import NOISE_STEPS

BUNDLED = Path(__file__).parent / "bundled"


def bundled(name):
    """The JavaScript and the CSS of a figure, each one file that `make bundle` wrote: what anywidget takes."""
    return tuple((BUNDLED / f"{name}.{kind}").read_text(encoding="utf-8") for kind in ("js", "css"))


class Grid(NamedTuple):
    """The values low, low + step, …, high that a slider can take; all three are whole multiples of the step.

    Slider, drag and arrow keys share one grid: a slider snaps what is off its grid, silently, and then its label
    and the figure's numbers part.

    Examples
    --------
    >>> Grid.over(-0.13, 5.02)
    Grid(low=-0.13, high=5.02, step=0.01)
    >>> Grid.over(-0.13, 5.02).nearest(1.2345)
    1.23
    """

    low: float
    high: float
    step: float

    @classmethod
    def over(cls, low, high):
        """A grid that covers [low, high], its step a power of ten: 200 to 2000 values."""
        exponent = math.floor(math.log10((high - low) / 200) + 1e-9)
        first, last = math.floor(low / 10.0**exponent + 1e-6), math.ceil(high / 10.0**exponent - 1e-6)
        return cls(*(round(i * 10.0**exponent, max(0, -exponent)) for i in (first, last, 1)))

    @classmethod
    def up_to(cls, high, step=None):
        """A grid of positive numbers: one step, two steps, … up to about `high`."""
        step = cls.over(0.0, high).step if step is None else step
        steps = cls(step, high, step)
        return steps._replace(high=steps.nearest(high))

    @property
    def decimals(self):
        """How many decimals the values have."""
        decimals = 0
        while abs((whole := self.step * 10.0**decimals) - round(whole)) > 1e-9 * whole:
            decimals += 1
        return decimals

    def nearest(self, value):
        """The grid's value nearest to this one."""
        index = round((min(max(value, self.low), self.high) - self.low) / self.step)
        return round(self.low + index * self.step, self.decimals)


class LiveFigure(anywidget.AnyWidget):
    """A figure that the reader moves. Subclasses set `_esm, _css = bundled(name)`, traits and `settings`.

    Attributes
    ----------
    question : str
        Asked before the figure is touched.
    address : str
        The figure's name in the page's address (`#name=setting:value`), unique on a page. Once drawn, the figure
        hides the still picture of that name, `live-<address>.svg`.
    settings : tuple of str
        The traits that the reader can change. Reset returns them to what they were at creation.
    """

    question = traitlets.Unicode().tag(sync=True)
    address = traitlets.Unicode().tag(sync=True)
    defaults = traitlets.Dict().tag(sync=True)
    settings = ()

    def __init__(self, **traits):
        super().__init__(**traits)
        if not re.fullmatch("[a-z0-9-]+", self.address):
            raise ValueError(f"address: expected lower-case letters, digits and hyphens, got {self.address!r}")
        self.defaults = {name: getattr(self, name) for name in self.settings}


def as_text(array, kind):
    """The numbers of an array, as ones of this kind, in base64."""
    return base64.b64encode(array.astype(kind).tobytes()).decode("ascii")


def packed(planes):
    """Planes `(channels, height, width)` as text: in whole numbers, where they are whole 255ths or 4096ths."""
    unit, kind = 1, "<f8"
    for steps, integers in [(255, "<u1"), (NOISE_STEPS, "<i2")]:
        whole, limits = np.rint(steps * planes), np.iinfo(integers)
        if (whole / steps == planes).all() and limits.min <= whole.min() and whole.max() <= limits.max:
            unit, kind, planes = steps, integers, whole
            break
    shape, name = list(planes.shape), np.dtype(kind).name
    return {"shape": shape, "type": name, "unit": unit, "data": as_text(planes, kind)}


def slider(figure, trait, grid, label):
    """A plain slider over the grid, joined to a trait of the figure in the browser."""
    control = ipywidgets.FloatSlider(
        value=getattr(figure, trait),
        min=grid.low,
        max=grid.high,
        step=grid.step,
        description=label,
        readout_format=f".{grid.decimals}f",
    )
    ipywidgets.jslink((figure, trait), (control, "value"))
    return control.add_class(trait)


def choice(figure, trait, names, label):
    """A plain menu of names, joined to a trait of the figure that holds the index of the chosen one."""
    control = ipywidgets.Dropdown(options=names, index=getattr(figure, trait), description=label)
    ipywidgets.jslink((figure, trait), (control, "index"))
    return control.add_class(trait)


def choice_slider(figure, trait, names, label):
    """A plain slider over names, joined as the menu of `choice` is."""
    options = [(name, i) for i, name in enumerate(names)]
    control = ipywidgets.SelectionSlider(options=options, index=getattr(figure, trait), description=label)
    ipywidgets.jslink((figure, trait), (control, "index"))
    return control.add_class(trait)


class LivePanel(ipywidgets.VBox):
    """A live figure above its controls and its caption. `figure` is the figure, for use from Python."""

    def __init__(self, figure, controls, caption=""):
        self.figure = figure
        rows = [figure, ipywidgets.HBox(controls).add_class("controls")]
        if caption:
            rows.append(ipywidgets.HTML(caption).add_class("caption"))
        super().__init__(rows)
        self.add_class("live-panel")

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle["text/plain"] = f"Live figure: {self.figure.question} (It needs a browser with JavaScript.)"
        return bundle
