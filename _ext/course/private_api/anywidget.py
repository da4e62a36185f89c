"""Private API of anywidget: how a state names its class, and the script for pages without a kernel."""

from importlib.resources import files

from tools.build.page_files import exchange

# Milliseconds after which anywidget gives up on a figure. A page of eight figures needs longer on a slow machine.
TWO_SECONDS = "AbortSignal.timeout(2e3)"


def figure_of(state):
    """Return the live figure that a state belongs to, `regression` for `lib.figures.regression.…`, or None."""
    room, _, figure = state.get("_anywidget_id", "").rpartition(".")[0].rpartition(".")
    return figure if room == "lib.figures" else ""


def patient_script():
    """Return anywidget's AMD module with a timeout of one minute per figure."""
    script = (files("anywidget") / "nbextension" / "index.js").read_text("utf8")
    return exchange(script, TWO_SECONDS, "AbortSignal.timeout(6e4)", "anywidget")
