"""A fold of code says what is in it and how long it is: else thirty folds of a page have the same line.

MyST-NB takes one line for all folds, or one that an author writes into a cell and keeps in step with its code.

A cell that draws a live figure shows the figure alone.
"""

import re

from docutils import nodes

PLAIN = "Show the code"
NAME = re.compile(r"^(?:def|class) (\w+)", re.MULTILINE)
WIDGET = "application/vnd.jupyter.widget-view+json"


def name_folds(app, doctree):
    for cell in list(doctree.findall(nodes.container)):
        if not cell.get("hide_mode") or cell[0].get("nb_element") != "cell_code_source":
            continue
        if any(part.get("mime_type") == WIDGET for part in cell.findall(nodes.container)):
            cell.pop(0)
        else:
            cell["prompt_show"] = prompt(cell)


def prompt(cell):
    """What the fold of this cell says."""
    source = cell[0].astext().strip()
    lines = source.count("\n") + 1
    words = cell["prompt_show"]
    if words == PLAIN and (names := NAME.findall(source)):
        words += f" of {' and '.join(names[:2])}"
    elif words == PLAIN and next(cell[-1].findall(nodes.image), None):
        words += " of this picture"
    return f"{words}, {lines} line{'' if lines == 1 else 's'}"


def setup(app):
    app.connect("doctree-read", name_folds)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
