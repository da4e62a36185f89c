"""A fold of code says what is in it and how long it is: else thirty folds of a page have the same line.

MyST-NB takes one line for all folds, or one that an author writes into a cell and keeps in step with its code.

A cell that draws a live figure shows the figure alone.
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
    """What the fold of this cell says."""
    source = cell[0].astext().strip()
    lines = source.count("\n") + 1
    words = cell["prompt_show"]
    if words in (PLAIN, KNOWN):
        words = content(words, source, cell)
    return f"{words}, {lines} line{'' if lines == 1 else 's'}"


def content(words, source, cell):
    """The words of a cell whose author wrote none: from its first line, what it shows, and what it defines."""
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
    """The words of a comment as they stand after a colon."""
    text = comment.lstrip("# ").rstrip(".")
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def listed(items):
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


SHOWN = ((nodes.image, "this picture"), (nodes.table, "this table"), (nodes.literal_block, "these numbers"))


def what_is_shown(cell):
    """What stands below the fold, and is not folded with its code."""
    if cell["hide_mode"] != "input" or len(cell) == 1:
        return None
    return next((words for kind, words in SHOWN if next(cell[-1].findall(kind), None)), None)
