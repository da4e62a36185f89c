"""Base classes of the live figures, and their JavaScript and CSS bundles.

A live figure computes and draws in JavaScript. Python only passes constants and plain ipywidgets sliders,
connected by `jslink`, so the same object works both with a kernel and on a static page. The connection is in the
browser: as long as no page shows the figure, setting a slider in Python does not change the figure's trait, so set
the trait itself. A figure declares its settings and constants as traits of its class (`settings.py`). From this
declaration come the sliders, and the URL state, reset and links of `figure.js`.
"""

import re
from pathlib import Path
from typing import NamedTuple

import anywidget
import ipywidgets
import traitlets

from lib.checks import string_of
from lib.figures.contract.settings import Control, custom, described, stored

BUNDLED = Path(__file__).parents[1] / "bundled"


def bundled(name, endings=(".js", ".css")):
    """Read the script and the style sheet of a figure, as written by `make bundle`."""
    try:
        return tuple((BUNDLED / f"{name}{ending}").read_text(encoding="utf-8") for ending in endings)
    except FileNotFoundError as error:
        ways = "run `make bundle`, or install from the branch `notebooks`, which does not need Node"
        missing = Path(error.filename).name
        raise FileNotFoundError(f"lib/figures/bundled: expected {missing}, got no such file; {ways}") from None


def bundled_worker(name):
    """Read the web worker script of a figure."""
    return bundled(name, ["_worker.js"])[0]


def lazy_worker(name):
    """Declare the trait `worker_lazy`: the script of a web worker that a static page fetches on first use."""
    return traitlets.Unicode(bundled(name, ["_lazy_worker.js"])[0]).tag(sync=True)


class Guesses(NamedTuple):
    """Possible answers to a figure's question. Choosing one sets the figure to the state that is asked about.

    `then` is that state, keyed by the settings' names in the URL; `because` explains the right answer.
    """

    answers: list[str]
    right: str
    then: dict[str, float | str]
    because: str


class LiveFigure(anywidget.AnyWidget):
    """Base class of interactive figures. A subclass sets `_esm, _css = bundled(name)` and declares its traits.

    Parameters
    ----------
    ranges : dict
        Ranges, or whole `Control`s, of traits for which this figure differs from its class. Numbers and choices
        without a range, or with `None` here, are not settings of this figure.
    **traits
        Initial values. Numbers are rounded to their grid; a choice is given by name or by index.

    Attributes
    ----------
    question : str
        Shown above the figure.
    guesses : dict or None
        The fields of `Guesses`, if there are any.
    address : str
        The figure's name in the page's URL (`#name=setting:value`), unique on a page. Once drawn, the figure hides
        the still image of that name, `live-<address>.svg`.
    settings : dict
        Maps the URL name of each setting to its trait, and its grid or names. Reset restores the initial values,
        `defaults`.
    constants : list of str
        Names of the traits that do not change.
    """

    question = traitlets.Unicode().tag(sync=True)
    address = traitlets.Unicode().tag(sync=True)
    settings = traitlets.Dict().tag(sync=True)
    defaults = traitlets.Dict().tag(sync=True)
    constants = traitlets.List().tag(sync=True)
    guesses = traitlets.Dict(default_value=None, allow_none=True).tag(sync=True)
    guessed = custom("guess", start="")
    declared = {"guessed": Control(name="guess")}  # trait → Control, in the order of the sliders

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        members = {name: member for name, member in vars(cls).items() if isinstance(member, traitlets.TraitType)}
        controls = {name: member.metadata.get("control") for name, member in members.items()}
        cls.declared = cls.declared | {name: control for name, control in controls.items() if control}

    def __init__(self, ranges=(), guesses=None, **traits):
        asks = {"guessed": None} if guesses is None else {}
        self.controls = dict(self._offered(dict(ranges) | asks))
        texts = {name for name, trait in self.class_traits().items() if isinstance(trait, traitlets.Unicode)}
        for name in sorted(texts & traits.keys()):
            string_of(name, traits[name])
        set_now = self.controls.keys() & traits.keys()
        settings = {name: stored(name, self.controls[name].range, traits[name]) for name in set_now}
        super().__init__(**traits | settings)
        if not re.fullmatch("[a-z0-9-]+", self.address):
            raise ValueError(f"address: expected lower-case letters, digits and hyphens, got {self.address!r}")
        self.settings = {
            control.name or trait: {"trait": trait, **described(control.range)}
            for trait, control in self.controls.items()
        }
        if guesses is not None:
            self.guesses = self._checked(guesses)._asdict()
        self.defaults = {trait: getattr(self, trait) for trait in self.controls}
        self.constants = sorted(self.traits(constant=True))

    def _offered(self, ranges):
        """Yield the trait and the control of each setting of this figure."""
        for trait, control in self.declared.items():
            own = ranges.get(trait, control.range)
            whole = (
                own._replace(widget=control.widget) if isinstance(own, Control) else control._replace(range=own)
            )
            if whole.range is not None or not (control.widget or trait in ranges):
                yield trait, whole

    def _checked(self, guesses):
        if not isinstance(guesses, Guesses):
            raise TypeError(f"guesses: expected lib.figures.Guesses or None, got {guesses!r}")
        if guesses.right not in guesses.answers:
            raise ValueError(f"guesses: expected the right one of {guesses.answers}, got {guesses.right!r}")
        if unknown := guesses.then.keys() - self.settings:
            raise ValueError(f"guesses: expected settings of {sorted(self.settings)}, got {min(unknown)!r}")
        return guesses

    def widgets(self):
        """Return a slider or menu for each setting that has a label."""
        return [
            control.widget(self, trait, control).add_class(trait)
            for trait, control in self.controls.items()
            if control.label
        ]


class LivePanel(ipywidgets.VBox):
    """A live figure with its controls and caption below. `figure` is the figure itself, for use from Python.

    The controls of the traits in `extra` are shown only when the reader ticks a box. Controls and figure are
    connected in the browser (`jslink`), so as long as no page shows the panel, setting a control in Python
    does not change the figure: set the figure's trait.
    """

    def __init__(self, figure, caption="", extra=()):
        self.figure = figure
        controls = figure.widgets()
        if hidden := [control.add_class("extra") for control in controls if {*extra} & {*control._dom_classes}]:
            unfold = ipywidgets.Checkbox(description="more settings", indent=False).add_class("unfold")
            controls = [*(control for control in controls if control not in hidden), unfold, *hidden]
        rows = [figure, ipywidgets.HBox(controls).add_class("controls")]
        if string_of("caption", caption):
            rows.append(ipywidgets.HTML(caption).add_class("caption"))
        super().__init__(rows)
        self.add_class("live-panel")

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        bundle["text/plain"] = f"Live figure: {self.figure.question} (It needs a browser with JavaScript.)"
        return bundle
