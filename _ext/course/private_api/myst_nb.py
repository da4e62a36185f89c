"""Private API of MyST-NB: the state of a page's widgets, the node of a collapsed cell, and line numbers."""

import json

from myst_nb.sphinx_ import HideCodeCellNode, NbMetadataCollector

__all__ = ["HideCodeCellNode", "STATE", "cell_of", "runs_widgets", "widget_state"]
STATE = "application/vnd.jupyter.widget-state+json"


def cell_of(node):
    """Return the index of the cell that a node comes from. MyST-NB counts 10,000 lines per cell, from 1."""
    return node.line // 10_000 - 1


def runs_widgets(env, pagename):
    return bool(NbMetadataCollector.get_js_files(env, pagename))


def widget_state(env, pagename):
    """Return the widget state that MyST-NB writes into a page, or an empty state."""
    for _, script in NbMetadataCollector.get_js_files(env, pagename).values():
        if script.get("type") == STATE:
            return json.loads(script["body"])
    return {"state": {}}
