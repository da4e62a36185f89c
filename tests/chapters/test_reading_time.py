"""The minutes on each chapter's card follow the formula, and the core path fits one sitting."""

import re

import nbformat
import pytest

from tests.conftest import each_chapter
from tools.build.reading_time import minutes_of_text, numerals_per_100_words, reading_time

LIMITS = {"06": 30}  # minutes; 25 for the others


def test_reading_time_formula_and_numerals():
    assert minutes_of_text("word " * 200) == 1
    assert minutes_of_text("$$ x = 1 $$ (eq:a)\n\n![A picture](a.svg)") == pytest.approx(1.5)
    assert minutes_of_text("![A live figure's picture](../figures/live-a.svg)") == 0, "its cell counts"
    assert minutes_of_text("one $x$ two $y$") == pytest.approx(2 / 200 + 2 / 20)
    assert minutes_of_text("```python\na = 1\nb = 2\n```") == pytest.approx(2 / 20)
    prose = "## A section\n\nIn 2005 chapter 3 had {term}`key` 1 and $2$ of `5` and x6.\n\n<details>7</details>"
    card, cell = nbformat.v4.new_markdown_cell("# 8"), nbformat.v4.new_markdown_cell(f"{prose}\n\n| 9 |\n")
    aside = nbformat.v4.new_markdown_cell("## Further: ten\n\n11")
    words = 13  # and one numeral: a year and a chapter's number do not count
    found = numerals_per_100_words(nbformat.v4.new_notebook(cells=[card, cell, aside]))
    assert found == pytest.approx(100 / words)


@each_chapter
def test_card_states_reading_times_and_core_fits_its_limit(path):
    notebook = nbformat.read(path, as_version=4)
    stated = re.search(r"\*\*Time\*\* \| core (\d+) minutes, everything (\d+);", notebook.cells[0].source)
    assert stated, "expected '| **Time** | core N minutes, everything M; …' on the card"
    core, everything = reading_time(notebook)
    assert (int(stated[1]), int(stated[2])) == (round(core), round(everything))
    assert core <= LIMITS.get(path.stem[:2], 25)
    assert numerals_per_100_words(notebook) <= 1.5, "move numbers to tables, figures or collapsible sections"

    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    titles = re.findall(r"^## (.*)", text, re.MULTILINE)
    first = next((i for i, title in enumerate(titles) if title.startswith("Further:")), len(titles))
    assert all(title.startswith("Further:") for title in titles[first:])
    assert "Recap" in titles[:first]
