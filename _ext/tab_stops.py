"""Cuts out of the theme's script what measures all code of a page when it has loaded and after each change.

That lays out the whole page before the first figure is drawn, and again 300 ms after each move of a figure. What
is wider than the page `course.js` lets the keyboard reach.
"""

import re
from pathlib import Path

import pydata_sphinx_theme

NAME = "scripts/pydata-sphinx-theme.js"
SOURCE = Path(pydata_sphinx_theme.__file__).parent / "theme" / "pydata_sphinx_theme" / "static" / NAME
TAB_STOPS = re.compile(
    r'function (\w)\(\)\{const e=\(\)=>\{document\.querySelectorAll\(\["pre",.*?childList:!0\}\),e\(\)\}'
)


def cut(app, exception):
    if exception or app.builder.format != "html":
        return
    script, found = TAB_STOPS.subn(r"function \1(){}", SOURCE.read_text("utf8"))
    if found != 1:
        raise ValueError(f"expected the theme's script to set tab stops in one place, got {found}")
    (Path(app.outdir) / "_static" / NAME).write_text(script, "utf8")


def setup(app):
    app.connect("build-finished", cut)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
