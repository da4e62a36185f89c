"""Where in a notebook a warning stands: without it authors would read of line 60004, and not of cell 6, line 4."""

import logging
import re


class CellAndLine(logging.Filter):
    """Tells the place of a warning as cell and line."""

    def filter(self, record):
        place = re.fullmatch(r"(.+\.ipynb):(\d+)(\d{4})", getattr(record, "location", None) or "")
        if place:
            record.location = f"{place[1]}, cell {place[2]}, line {max(int(place[3]), 1)}"
        return True


def install():
    for handler in logging.getLogger("sphinx").handlers:
        handler.addFilter(CellAndLine())
