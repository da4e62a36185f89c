"""From the inside of anywidget: how a state names its class, and the script for pages without a kernel."""

from importlib.resources import files

from tools.build.page_files import exchange

# After these anywidget gives up on a figure. A page of eight figures needs longer on a slow machine.
TWO_SECONDS = "AbortSignal.timeout(2e3)"


def figure_of(state):
    """The name of the live figure whose state this is, `regression` for `lib.figures.regression.…`, or nothing."""
    room, _, figure = state.get("_anywidget_id", "").rpartition(".")[0].rpartition(".")
    return figure if room == "lib.figures" else ""


def patient_script():
    """anywidget's AMD module, which waits a minute for a figure."""
    script = (files("anywidget") / "nbextension" / "index.js").read_text("utf8")
    return exchange(script, TWO_SECONDS, "AbortSignal.timeout(6e4)", "anywidget")
