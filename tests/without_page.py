"""Compute what a live figure says in Node, without a browser: its state, its sentence and its link."""

import json
import subprocess

from lib.figures.contract import BUNDLED
from tests.conftest import ROOT

RUN = ("node", ROOT / "tests" / "describe.mjs")
CODE = ("_esm", "_css", "worker_code", "worker_lazy")  # traits that a figure does not compute with


def answers_of(figure, changes, links=()):
    """Return what a figure computes for changes of its traits, and the traits that links set."""
    stored = {name: getattr(figure, name) for name in figure.traits(sync=True) if name[0] != "_"}
    traits = {
        name: value for name, value in stored.items() if name not in (*CODE, "layout", "tabbable", "tooltip")
    }
    script = BUNDLED / f"{type(figure).__module__.split('.')[2]}.js"
    request = {"script": str(script), "traits": traits, "changes": changes, "links": links}
    done = subprocess.run(RUN, input=json.dumps(request), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def described(figure, *changes):
    """Return the state, sentence and link of the initial traits, and after each change of them.

    The state is what a page publishes in `data-state`. Results of workers are missing.
    """
    return answers_of(figure, list(changes))["described"]


def states(figure, *changes):
    """Return the states after changes of the initial traits."""
    return [each["state"] for each in described(figure, *changes)[1:]]


def opened(figure, *links):
    """Return the traits of the settings to which each link sets a figure."""
    return answers_of(figure, [], list(links))["opened"]
