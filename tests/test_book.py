"""The chapters and the pages around them as one book: one table, one set of words, one list of sources."""

import json
import re

import pytest
from conftest import ROOT

CHAPTERS = sorted((ROOT / "chapters").glob("0*.ipynb"))


def markdown(path):
    """The text of a page, or of a notebook's Markdown cells."""
    text = path.read_text("utf8")
    if path.suffix == ".md":
        return text
    cells = (cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "markdown")
    return "\n\n".join("".join(cell["source"]) for cell in cells)


def table_of_methods(path):
    return re.search(r"^\| chapter \| query .*\n\|[:|-]+\|\n((?:\|.*\n?)+)", markdown(path), re.MULTILINE)[
        0
    ].splitlines()


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_the_table_of_methods_grows_by_a_row_a_chapter(path):
    """methods.md has the table; a chapter repeats its first rows, so that it reads well wherever it is opened."""
    number = int(path.stem[:2])
    whole, part = table_of_methods(ROOT / "methods.md"), table_of_methods(path)
    assert part == whole[: 2 + number]
    assert part[-1].startswith(f"| {number}. ")
