"""Extract the text of notebooks without Jupyter, for the ledger, the slides and the link previews."""

import re

LABEL = re.compile(r"\$\$\s*\((eq:[^)\s]+)\)")  # the label of a numbered equation


def words_of(notebook):
    """Return the joined Markdown of a notebook's cells, given as JSON or as read by nbformat."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    return "\n".join("".join(cell["source"]) for cell in cells)
