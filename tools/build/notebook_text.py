"""What notebooks say, as text: the ledger, the slides and the cards of links read chapters without Jupyter."""

import re

LABEL = re.compile(r"\$\$\s*\((eq:[^)\s]+)\)")  # of a numbered equation


def words_of(notebook):
    """The Markdown of a notebook's cells, joined. It is given as JSON or nbformat reads it."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    return "\n".join("".join(cell["source"]) for cell in cells)
