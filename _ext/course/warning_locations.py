"""Give a notebook's warnings a location that authors can use: cell 6, line 4 instead of line 60004."""

import logging
import re


class CellAndLine(logging.Filter):
    """Rewrite the location of a warning as cell and line."""

    def filter(self, record):
        place = re.fullmatch(r"(.+\.ipynb):(\d+)(\d{4})", getattr(record, "location", None) or "")
        if place:
            record.location = f"{place[1]}, cell {place[2]}, line {max(int(place[3]), 1)}"
        return True


def install():
    for handler in logging.getLogger("sphinx").handlers:
        handler.addFilter(CellAndLine())
