"""Each section's sentence has the binding that its kind requires."""

import json
import math
import re
import subprocess
import sys

import pytest

from tests import conclusion
from tests.conclusion import code_of, decisive, faults
from tools.build import imports
from tools.build.conclusions import ROOT, rows, sentences

BOUND = {"result": {"equation"}, "observation": {"conclusion", "cell"}, "explanation": set(), "signpost": set()}
CONVERTED = tuple(f"0{n}" for n in range(1, 10))  # each sentence is bound to a test as `BOUND` says for its kind
SIGNPOSTS = {"Exercises", "What changed, what stayed", "What is next"}


def cells_of(chapter):
    paths = (ROOT / "chapters").glob(f"*{chapter}*.ipynb")  # the chapter, and its further page
    return [cell for path in paths for cell in json.loads(path.read_text("utf8"))["cells"]]


@pytest.fixture(scope="module")
def found():
    return list(rows())


@pytest.mark.parametrize("row", list(sentences()), ids=lambda row: f"{row['chapter']} {row['section']}")
def test_sentence_has_binding_of_its_kind(row):
    bound = set(row) - {"chapter", "section", "sentence", "kind"}
    assert bound <= BOUND[row["kind"]]
    if row["chapter"] in CONVERTED:
        assert bound == BOUND[row["kind"]]
        assert row["kind"] != "signpost" or row["section"] in SIGNPOSTS
    cells = cells_of(row["chapter"])
    if equation := row.get("equation"):
        assert any(f"({equation})" in "".join(cell["source"]) for cell in cells), equation
    if cell_id := row.get("cell"):
        assert cell_id in [cell["id"] for cell in cells if cell["cell_type"] == "code"]
    if conclusion := row.get("conclusion"):
        assert re.fullmatch(rf"{row['chapter']}:[a-z0-9-]+", conclusion)


def test_result_is_repeated_by_equation_test(found):
    for row in found:
        if row["kind"] == "result" and row["chapter"] in CONVERTED:
            expected = f"expected a test of {row['equation']} with says={row['sentence']!r}"
            assert "test" in row, expected


def test_observation_holds_in_every_swept_case(found):
    for row in found:
        if row["kind"] == "observation":
            result = row["result"]
            assert result, f"{row['name']}: no result is stored, run `make conclusions`"
            assert result["cases"] == math.prod(map(len, row["varies"].values())), row["name"]
            assert result["margin"] > 0 and row["against"], row["name"]
            assert set(row["fails"]) == set(result.get("fails", {})), row["name"]
            assert row["where"] or row["chapter"] not in CONVERTED, f"{row['name']}: say in words what was swept"


def test_observation_lacks_nothing(found):
    lacking = {row["name"]: faults(row) for row in found if row["kind"] == "observation"}
    assert not {name: words for name, words in lacking.items() if words}


def test_result_fails_without_hypotheses(found):
    for row in found:
        if row["kind"] == "result" and row["chapter"] in CONVERTED:
            assert row["without"], f"expected a hypothesis to drop (without=…) from {row['sentence']!r}"
            assert all(words in row["sentence"] for words in row["without"]), row["sentence"]


ROW = {
    "sentence": "In weak noise a narrow window was better.",
    "tested": "it was better by {limit} dB",
    "varies": {"noise": ["0.1", "0.2"], "draw": [str(draw) for draw in range(20)]},
    "names": {"noise": "In weak noise"},
    "control": "no window",
    "decisive": {"in strong noise": ["noise"]},
    "result": {"cases": 40, "caught": 30, "limit": 0.1},
}


@pytest.mark.parametrize(
    "change, words",
    [
        ({}, None),
        ({"varies": ROW["varies"] | {"draw": ["0"]}}, "draw: expected at least 20 values"),
        ({"control": ""}, "expected a stupid rule"),
        ({"result": ROW["result"] | {"caught": None}}, "expected a stupid rule"),
        ({"result": ROW["result"] | {"caught": 20}}, "its control passes in 20 of 40 cases"),
        ({"tested": ""}, "expected {limit} in the tested sentence, because the limit is 0.1"),
        ({"names": {"noise": "in strong noise"}}, "expected the words 'in strong noise' in the sentence"),
        ({"names": {}}, "in strong noise: expected noise among the names"),
        ({"decisive": {"on fur": ["picture", "noise"]}}, None),
    ],
)
def test_faults_lists_what_row_lacks(change, words):
    found = faults(ROW | change)
    assert (words in found[0] and len(found) == 1) if words else found == []


def test_decisive_settings_leave_the_sweep():
    fails = {"odd": {"n": 3, "h": 1}, "both": {"n": 2, "h": 1}}
    assert decisive({"n": [2, 4], "h": [1, 5]}, fails) == {"odd": ["n"], "both": ["n", "h"]}


def test_sentences_do_not_share_tests(found):
    names = [row["name"] for row in found if row["kind"] == "observation"]
    assert len(names) == len(set(names))


SWEPT = """
import pytest

@pytest.mark.conclusion(
    "01:odd", varies={"n": [1, 3]}, against="two", fails={"even": {"n": 2}, "wrong": {"n": 5}}
)
def test_odd(n, holds):
    holds(n % 2, above=0.5, control=0)
"""
SAID = """
import pytest

@pytest.mark.equation(
    "eq:odd", says="An odd number is one below an even number.", given={"n": 3},
    without={"odd": {"n": 4}, "one below": {"n": 5}},
)
def test_odd(n):
    assert n % 2 == 1
"""


def run_pytest(path):
    plugins = ["-p", "tests.conclusion", "-p", "tests.result", "-p", "no:cacheprovider"]
    options = ["-q", *plugins, "-c", str(ROOT / "pyproject.toml")]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options, path], cwd=ROOT, capture_output=True, text=True
    ).stdout


def test_known_failure_must_fail(tmp_path):
    (path := tmp_path / "test_swept.py").write_text(SWEPT)
    shown = run_pytest(path)
    assert "known to fail, but holds by 0.5 , where {'n': '5'}" in shown, shown
    assert "1 failed, 3 passed" in shown


def test_idle_hypothesis_fails_its_test(tmp_path):
    (path := tmp_path / "test_said.py").write_text(SAID)
    shown = run_pytest(path)
    assert "[XPASS(strict)]" in shown and "test_odd[without one below]" in shown, shown
    assert "1 failed, 1 passed, 1 xfailed" in shown


SWEEP = """
import pytest
from lib.sizes import double as twice

SIZES = [4, 6]

@pytest.fixture
def size():
    return 2

@mark("a", where="as it was", n=4)
def test_a(n, size):
    assert twice(n) in SIZES

def test_b(n):
    assert n
"""
LIB = """
HALF, OTHER = 0.5, 7

class Doubler:
    def run(self, n):
        return n / HALF

def double(n):
    '''Two of them.'''
    return Doubler().run(n)

def triple(n):
    return 3 * n
"""


@pytest.mark.parametrize(
    "old, new, counts",
    [
        ("Two of them.", "Twice as many.", False),
        ("def test_b", "# Another one.\ndef test_b", False),
        ("    assert n\n", "    assert n > 1\n", False),
        ("as it was", "as ever", False),
        ("def test_a", "def test_size", False),
        ("return 3 * n", "return n + n + n", False),
        ("OTHER = 0.5, 7", "ANOTHER = 0.5, 7", True),
        ("n=4", "n=6", True),
        ("[4, 6]", "[4, 8]", True),
        ("return 2", "return 3", True),
        ("n / HALF", "2 * n", True),
        ("twice(n) in", "twice(n + 1) in", True),
    ],
)
def test_result_depends_on_code_that_its_test_reaches(tmp_path, monkeypatch, old, new, counts):
    def code(sweep, lib, module="sizes"):
        (folder := tmp_path / module / "lib").mkdir(parents=True)
        (folder / f"{module}.py").write_text(lib)
        (test := folder.parent / "test_it.py").write_text(sweep.replace("lib.sizes", f"lib.{module}"))
        monkeypatch.setattr(imports, "ROOT", folder.parent)
        return code_of("test_size" if "test_size" in sweep else "test_a", test)

    before = code(SWEEP, LIB)
    assert (SWEEP + LIB).count(old) == 1 and code(SWEEP, LIB, "moved") == before
    assert (code(SWEEP.replace(old, new), LIB.replace(old, new), "changed") != before) == counts


def test_expensive_sweep_runs_only_its_closest_case(monkeypatch):
    mark = pytest.mark.conclusion("01:a", varies={"n": [1, 2, 3], "kind": ["even", "uneven"]}).mark
    cases, known = [(n, kind) for n in (1, 2, 3) for kind in ("even", "uneven")], []
    result = {"seconds": 100, "cases": 6, "key": "now", "case": {"n": "2", "kind": "even"}}
    monkeypatch.setattr(conclusion, "stored", lambda: {"01:a": result})
    monkeypatch.setattr(conclusion, "is_known", lambda mark, function: bool(known))
    assert conclusion.quick_cases(mark, None, cases, 1) == {2}
    known.append("the code has not changed")
    assert conclusion.quick_cases(mark, None, cases, 1) == set()
    result["seconds"] = 1
    assert conclusion.quick_cases(mark, None, cases, 1) == {0, 5, 6}
