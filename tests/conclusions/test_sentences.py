"""Each sentence that a chapter concludes is bound to what its kind promises."""

import json
import math
import re

import pytest

from tests.conclusion import constants, taken_from_constants, used
from tools.build.conclusions import ROOT, rows, sentences

KINDS = {"defined": set(), "derived": {"equation"}, "measured": {"conclusion"}, "open": set()}


@pytest.fixture(scope="module")
def found():
    return list(rows())


@pytest.mark.parametrize("row", list(sentences()), ids=lambda row: f"{row['chapter']} {row['section']}")
def test_a_sentence_is_bound_as_its_kind_promises(row):
    assert set(row) == {"chapter", "section", "sentence", "kind"} | KINDS[row["kind"]]
    if equation := row.get("equation"):
        [path] = (ROOT / "chapters").glob(f"{row['chapter']}_*.ipynb")
        cells = json.loads(path.read_text("utf8"))["cells"]
        assert any(f"({equation})" in "".join(cell["source"]) for cell in cells), equation
    if conclusion := row.get("conclusion"):
        assert re.fullmatch(rf"{row['chapter']}:[a-z0-9-]+", conclusion)


def test_a_measured_sentence_has_stood_in_every_case(found):
    for row in found:
        if row["kind"] == "measured":
            assert row["result"], f"{row['name']}: no result is stored, run `make conclusions`"
            assert row["result"]["cases"] == math.prod(map(len, row["varies"].values())), row["name"]
            assert row["result"]["margin"] > 0 and row["against"], row["name"]


def test_no_two_sentences_share_a_test(found):
    names = [row["name"] for row in found if row["kind"] == "measured"]
    assert len(names) == len(set(names))


SWEEP = """
SIZES = [4, 6]

def twice(n):
    '''Two of them.'''
    return 2 * n

def test_a(n):
    assert twice(n) in SIZES

def test_b(n):
    assert n
"""


@pytest.mark.parametrize(
    "old, new, counts",
    [
        ("Two of them.", "Twice as many.", False),
        ("def test_b", "# Another one.\ndef test_b", False),
        ("    assert n\n", "    assert n > 1\n", False),
        ("[4, 6]", "[4, 8]", True),
        ("return 2 * n", "return n + n", True),
        ("twice(n) in", "twice(n + 1) in", True),
    ],
)
def test_a_result_depends_on_the_code_that_its_test_uses(tmp_path, old, new, counts):
    before, after = tmp_path / "before.py", tmp_path / "after.py"
    before.write_text(SWEEP)
    after.write_text(SWEEP.replace(old, new))
    assert SWEEP.count(old) == 1
    assert (used("test_a", before) != used("test_a", after)) == counts


@pytest.mark.parametrize("name, counts", [("GREY_LEVELS", True), ("PHONE_WIDTH", False)])
def test_a_result_depends_on_the_constants_that_its_code_takes(tmp_path, monkeypatch, name, counts):
    (path := tmp_path / "code.py").write_text("from lib.constants import GREY_LEVELS, PILOT\n")
    before = taken_from_constants([path])
    monkeypatch.setattr(constants, name, 7)
    assert (taken_from_constants([path]) != before) == counts
