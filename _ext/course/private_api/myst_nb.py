"""From the inside of MyST-NB: the state of a page's widgets, the node of a fold, and how lines are counted."""

import json

from myst_nb.sphinx_ import HideCodeCellNode, NbMetadataCollector

__all__ = ["HideCodeCellNode", "STATE", "cell_of", "runs_widgets", "widget_state"]
STATE = "application/vnd.jupyter.widget-state+json"


def cell_of(node):
    """The cell of a notebook, from 0, that a node was made of. MyST-NB counts 10,000 lines per cell, from 1."""
    return node.line // 10_000 - 1


def runs_widgets(env, pagename):
    return bool(NbMetadataCollector.get_js_files(env, pagename))


def widget_state(env, pagename):
    """What MyST-NB writes into a page of its widgets, or an empty state."""
    for _, script in NbMetadataCollector.get_js_files(env, pagename).values():
        if script.get("type") == STATE:
            return json.loads(script["body"])
    return {"state": {}}
