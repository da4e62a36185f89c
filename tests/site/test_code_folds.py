"""Labels of collapsed code."""

import pytest
from docutils import nodes

from _ext.course.code_folds import prompt

CODE, KNOWN = "Show the code", "How we know"


def fold(source, *shown, words=CODE, hide_mode="input"):
    """Return the label of a collapsed cell with this code and these outputs."""
    cell = nodes.container(hide_mode=hide_mode, prompt_show=words)
    cell += nodes.container("", nodes.literal_block(source, source), nb_element="cell_code_source")
    if shown:
        cell += nodes.container("", *shown, nb_element="cell_code_output")
    return prompt(cell)


@pytest.mark.parametrize(
    ("words", "source", "said"),
    [
        (CODE, "x = 1\ny = 2", f"{CODE}, 2 lines"),
        (CODE, "assert x == 1", "Show the check, 1 line"),
        (CODE, "def rms(x):\n    return x", f"{CODE} of rms, 2 lines"),
        (CODE, "def a():\n    pass\nclass B:\n    pass\ndef c():\n    pass", f"{CODE} of a and B, 6 lines"),
        (CODE, "import math\nfrom lib import data", "Show the imports, 2 lines"),
        (CODE, "import math\ndef rms(x):\n    return x", "Show the imports and rms, 3 lines"),
        (CODE, "# Every radius, each at its best.\nx = 1", f"{CODE}: every radius, each at its best, 2 lines"),
        (CODE, "# PSNR of both\nx = 1", f"{CODE}: PSNR of both, 2 lines"),
        (KNOWN, "assert x", f"{KNOWN}, 1 line"),
        (KNOWN, "def row(x):\n    return x", f"{KNOWN}, with row, 2 lines"),
        (KNOWN, "# Two draws\nassert x", f"{KNOWN}: two draws, 2 lines"),
        ("Show the search", "# A comment\nx = 1", "Show the search, 2 lines"),  # the author's label is kept
    ],
)
def test_label_describes_the_code(words, source, said):
    assert fold(source, words=words) == said


def test_label_describes_the_output():
    rms = "def rms(x):\n    return x"
    for shown, words in ((nodes.image(), "picture"), (nodes.table(), "table"), (nodes.literal_block(), "numbers")):
        this = "these numbers" if words == "numbers" else f"this {words}"
        assert fold("draw()", shown) == f"Show the code of {this}, 1 line"
        assert fold(rms, shown) == f"Show the code of {this} and rms, 2 lines"
    assert fold("draw()", nodes.image(), hide_mode="all") == "Show the code, 1 line", "no output is shown below it"
