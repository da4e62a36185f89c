"""From the inside of MyST-NB: the state of a page's widgets, and the node of a folded cell."""

import json

from myst_nb.sphinx_ import HideCodeCellNode, NbMetadataCollector

__all__ = ["HideCodeCellNode", "STATE", "runs_widgets", "widget_state"]
STATE = "application/vnd.jupyter.widget-state+json"


def runs_widgets(env, pagename):
    return bool(NbMetadataCollector.get_js_files(env, pagename))


def widget_state(env, pagename):
    """What MyST-NB writes into a page of its widgets, or an empty state."""
    for _, script in NbMetadataCollector.get_js_files(env, pagename).values():
        if script.get("type") == STATE:
            return json.loads(script["body"])
    return {"state": {}}
