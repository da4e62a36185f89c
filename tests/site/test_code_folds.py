"""What the line of a fold says about the code in it."""

import pytest
from code_folds import prompt
from docutils import nodes


def fold(source, *shown, words="Show the code", hide_mode="input"):
    """The line of a folded cell with this code, and with these parts as its output."""
    cell = nodes.container(hide_mode=hide_mode, prompt_show=words)
    cell += nodes.container("", nodes.literal_block(source, source), nb_element="cell_code_source")
    if shown:
        cell += nodes.container("", *shown, nb_element="cell_code_output")
    return prompt(cell)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1\ny = 2", "Show the code, 2 lines"),
        ("assert x == 1", "Show the check, 1 line"),
        ("def rms(x):\n    return x", "Show the code of rms, 2 lines"),
        ("def a():\n    pass\nclass B:\n    pass\ndef c():\n    pass", "Show the code of a and B, 6 lines"),
        ("import math\nfrom lib import data", "Show the imports, 2 lines"),
        ("import math\ndef rms(x):\n    return x", "Show the imports and rms, 3 lines"),
        (
            "# Every search radius, each at its best.\nx = 1",
            "Show the code: every search radius, each at its best, 2 lines",
        ),
        ("# PSNR of both\nx = 1", "Show the code: PSNR of both, 2 lines"),
    ],
)
def test_a_fold_says_what_its_code_is(source, words):
    assert fold(source) == words


def test_a_fold_says_what_stands_below_it():
    rms = "def rms(x):\n    return x"
    for shown, words in ((nodes.image(), "picture"), (nodes.table(), "table"), (nodes.literal_block(), "numbers")):
        this = "these numbers" if words == "numbers" else f"this {words}"
        assert fold("draw()", shown) == f"Show the code of {this}, 1 line"
        assert fold(rms, shown) == f"Show the code of {this} and rms, 2 lines"
    assert fold("draw()", nodes.image(), hide_mode="all") == "Show the code, 1 line", "nothing stands below it"


def test_a_check_says_what_it_needs_or_what_its_comment_says():
    assert fold("assert x", words="How we know") == "How we know, 1 line"
    assert fold("def row(x):\n    return x", words="How we know") == "How we know, with row, 2 lines"
    assert fold("# Two draws\nassert x", words="How we know") == "How we know: two draws, 2 lines"


def test_an_authors_words_stay():
    assert fold("# A comment\nx = 1", words="Show the search") == "Show the search, 2 lines"
