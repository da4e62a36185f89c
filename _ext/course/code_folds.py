"""Label each collapsed code cell with its content and length, so that the labels of a page differ.

MyST-NB has one label for all cells, or one per cell that an author must keep in step with the code.

A cell that draws a live figure shows only the figure.
"""

import re

from docutils import nodes

PLAIN, KNOWN = "Show the code", "How we know"
IMPORT = re.compile(r"import |from ")
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
    """Return the label of this cell."""
    source = cell[0].astext().strip()
    lines = source.count("\n") + 1
    words = cell["prompt_show"]
    if words in (PLAIN, KNOWN):
        words = content(words, source, cell)
    return f"{words}, {lines} line{'' if lines == 1 else 's'}"


def content(words, source, cell):
    """Describe a cell without an author's label: from its first line, what it shows, and what it defines."""
    names = NAME.findall(source)[:2]
    if source.startswith("# "):
        return f"{words}: {as_part(source.splitlines()[0])}"
    if words == KNOWN:
        return f"{words}, with {listed(names)}" if names else words
    if IMPORT.match(source):
        return f"Show the {listed(['imports', *names])}"
    if shown := what_is_shown(cell):
        return f"{words} of {listed([shown, *names])}"
    if names:
        return f"{words} of {listed(names)}"
    return "Show the check" if "assert" in source else words


def as_part(comment):
    """Return the text of a comment in the form it takes after a colon."""
    text = comment.lstrip("# ").rstrip(".")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def listed(items):
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


SHOWN = ((nodes.image, "this picture"), (nodes.table, "this table"), (nodes.literal_block, "these numbers"))


def what_is_shown(cell):
    """Return the outputs, which are shown below the collapsed code."""
    if cell["hide_mode"] != "input" or len(cell) == 1:
        return None
    return next((words for kind, words in SHOWN if next(cell[-1].findall(kind), None)), None)
