"""Where in a notebook something stands: without it a warning would name line 60004, and not cell 6, line 4."""

import logging
import re


def cell_of(node):
    """The cell of a notebook, from 0, that a node was made of. MyST-NB counts 10,000 lines per cell, from 1."""
    return node.line // 10_000 - 1


class CellAndLine(logging.Filter):
    """Tells the place of a warning as cell and line."""

    def filter(self, record):
        place = re.fullmatch(r"(.+\.ipynb):(\d+)(\d{4})", getattr(record, "location", None) or "")
        if place:
            record.location = f"{place[1]}, cell {place[2]}, line {max(int(place[3]), 1)}"
        return True


def setup(app):
    for handler in logging.getLogger("sphinx").handlers:
        handler.addFilter(CellAndLine())
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
