"""What a figure declares: settings with their ranges and controls, and constants."""

import math
from collections.abc import Callable
from typing import NamedTuple

import ipywidgets
import traitlets

from lib.checks import number_within, one_of, whole_number


class Grid(NamedTuple):
    """The values low, low + step, …, high of a slider; all three are integer multiples of the step.

    Slider, drag and arrow keys use the same grid, because a slider silently snaps off-grid values and its label
    would then disagree with the figure's numbers.

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
        """Return a grid that covers [low, high] with 200 to 2000 values; its step is a power of ten."""
        exponent = math.floor(math.log10((high - low) / 200) + 1e-9)
        first, last = math.floor(low / 10.0**exponent + 1e-6), math.ceil(high / 10.0**exponent - 1e-6)
        return cls(*(round(i * 10.0**exponent, max(0, -exponent)) for i in (first, last, 1)))

    @classmethod
    def up_to(cls, high, step=None):
        """Return a grid of positive numbers: step, 2·step, … up to about `high`."""
        step = cls.over(0.0, high).step if step is None else step
        steps = cls(step, max(step, high), step)
        return steps._replace(high=steps.nearest(high))

    @property
    def decimals(self):
        """The number of decimals of the values."""
        decimals = 0
        while abs((whole := self.step * 10.0**decimals) - round(whole)) > 1e-9 * whole:
            decimals += 1
        return decimals

    def nearest(self, value):
        """Round to the nearest value of the grid, or to its nearer end."""
        index = round((min(max(value, self.low), self.high) - self.low) / self.step)
        return round(self.low + index * self.step, self.decimals)


class Control(NamedTuple):
    """How the reader can set a trait.

    `label` is the label of its slider or menu; without a label only the drawing can change it. `range` is a
    `Grid`, a list of names, or a dict from names to menu texts. `name` is its key in the URL, by default the
    trait's name.
    """

    label: str = ""
    range: Grid | list[str] | dict[str, str] | None = None
    name: str = ""
    widget: Callable | None = None


def number(label="", grid=None, start=0.0, name=""):
    """Declare a trait for a number on a grid."""
    return traitlets.Float(start, allow_none=True).tag(sync=True, control=Control(label, grid, name, _slider))


def choice(label="", names=None, name="", widget=None):
    """Declare a trait for the index of one of several names. Its control is a menu, or `stops`."""
    return traitlets.Int().tag(sync=True, control=Control(label, names, name, widget or _menu))


def custom(name="", start=None):
    """Declare a trait of any other kind, without a slider. The figure's JavaScript defines its URL format."""
    return traitlets.Any(start).tag(sync=True, control=Control(name=name))


def constant(value=None):
    """Declare a trait that does not change, such as the figure's data."""
    return traitlets.Any(value).tag(sync=True, constant=True)


def label():
    """Declare a text that does not change, such as the title of an axis."""
    return traitlets.Unicode().tag(sync=True, constant=True)


def stored(trait, range, value):
    """Validate the value of a setting. Round a number to its grid, and replace a name by its index."""
    if isinstance(range, Grid):
        low, high, step = range
        return range.nearest(number_within(trait, value, low, high, tolerance=step / 2))
    if range and isinstance(value, str):
        return list(range).index(one_of(trait, value, list(range)))
    return whole_number(trait, value, 0, len(range) - 1) if range else value


def described(range):
    """Return the range in the form that JavaScript reads."""
    if isinstance(range, Grid):
        return {"grid": list(range)}
    return {"names": list(range)} if range else {}


def _joined(figure, trait, widget, attribute):
    """Connect a widget to a trait of the figure in the browser."""
    ipywidgets.jslink((figure, trait), (widget, attribute))
    return widget


def _slider(figure, trait, control):
    """Return a slider over the grid."""
    (low, high, step), decimals = control.range, f".{control.range.decimals}f"
    options = {"min": low, "max": high, "step": step, "description": control.label, "readout_format": decimals}
    return _joined(figure, trait, ipywidgets.FloatSlider(value=getattr(figure, trait), **options), "value")


def _menu(figure, trait, control):
    """Return a menu of names; the trait is the index of the selected name."""
    words = list(control.range.values() if isinstance(control.range, dict) else control.range)
    menu = ipywidgets.Dropdown(options=words, index=getattr(figure, trait), description=control.label)
    return _joined(figure, trait, menu, "index")


def stops(figure, trait, control):
    """Return a slider over names; the trait is the index of the selected name."""
    stop = {"options": [(name, i) for i, name in enumerate(control.range)], "index": getattr(figure, trait)}
    return _joined(figure, trait, ipywidgets.SelectionSlider(**stop, description=control.label), "index")
