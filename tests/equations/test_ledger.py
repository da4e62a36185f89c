"""The ledger: what the plugin records about the equations' tests, and the page built from it."""

import json
import os
import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from _ext.course import ledger_page
from tests.conftest import ROOT
from tests.mutations import mutations, read
from tests.mutations.__main__ import copy_of_the_tree
from tests.standard_errors import assert_within
from tools.build import ledger_rows

TESTS = """
import sys
import numpy as np
import pytest
from tests.standard_errors import assert_within
from lib.weights import average, softmax


@pytest.mark.equation("eq:one", against="by hand")
@pytest.mark.parametrize("off", [1e-3, -2e-3, 0])
def test_near(off):
    np.testing.assert_allclose([np.nan, *softmax([0, 0])], [np.nan, 0.5 + off, 0.5 + off], atol=5e-3)


@pytest.mark.equation("eq:one", "eq:two", against="by hand")
def test_three_kinds_of_comparison():
    assert average([0.5, 0.5], [2.0, 6.0]) == pytest.approx(4 + 4e-9, rel=1e-8)
    assert [1.0, 2.0] == pytest.approx([1.0, 2.0])
    np.testing.assert_array_equal([1, 2], [1, 2])


@pytest.mark.equation("eq:drawn", against="a mean over draws")
@pytest.mark.parametrize("mean", [1.002, 0.997])
def test_drawn(mean):
    assert_within(mean, 1.0, 0.001)


@pytest.mark.equation("eq:wrong")
@pytest.mark.parametrize("expected", [0.5, 0.6])
def test_wrong(expected):
    assert softmax([0, 0])[0] == pytest.approx(expected)


def test_without_an_equation():
    raise AssertionError("not selected")
"""


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ledger")
    (folder / "test_made_up.py").write_text(TESTS)
    plugin = ["-p", "tests.ledger", f"--ledger={folder / 'ledger.json'}", "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", "-q", *plugin, "-m", "equation", "-n", "2", str(folder)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 1 and "1 failed, 7 passed" in run.stdout, run.stdout
    return json.loads((folder / "ledger.json").read_text("utf8"))


def test_ledger_records_measurements(rows):
    """Cases share a row with the largest deviation; averages over draws are separate; failures are recorded."""
    near, three_kinds = rows["eq:one"]
    assert near["deviation"] == pytest.approx(2e-3, rel=1e-12) and near["allowed"] == pytest.approx(5e-3, rel=1e-4)
    assert near["cases"] == near["comparisons"] == 3 and near["against"] == "by hand" and near["passed"]
    assert three_kinds["deviation"] == pytest.approx(1e-9, rel=1e-6)  # divided by 4, the largest desired number
    assert three_kinds["allowed"] == pytest.approx(1e-8) and three_kinds["draws"]["comparisons"] == 0
    assert three_kinds["comparisons"] == 4  # one scalar, two entries of a list, one array
    assert [row["test"] for row in rows["eq:two"]] == [three_kinds["test"]] == ["test_three_kinds_of_comparison"]
    ((name, (path, line)),) = three_kinds["functions"].items()  # and not what `average` calls
    assert (name, path) == ("average", "lib/weights.py")
    assert (ROOT / path).read_text("utf8").splitlines()[line - 1].startswith("def average(")
    (drawn,), (wrong,) = rows["eq:drawn"], rows["eq:wrong"]
    assert drawn["comparisons"] == 0 and drawn["deviation"] == 0
    assert drawn["draws"]["comparisons"] == 2 and drawn["draws"]["allowed"] == 4.5
    assert drawn["draws"]["deviation"] == pytest.approx(0.003) and drawn["draws"]["sigmas"] == pytest.approx(3)
    assert not wrong["passed"] and wrong["cases"] == 2
    assert rows["versions"]["numpy"] == np.__version__ and rows["faults"]["eq:model"]


def test_assert_within_fails_outside_tolerance():
    assert_within(1.0, 1.0 + 4e-3, 1e-3)
    with pytest.raises(AssertionError, match="is not 1.005"):
        assert_within(1.0, 1.0 + 5e-3, 1e-3)


# The page


@pytest.fixture
def warnings(monkeypatch):
    found = []
    monkeypatch.setattr(ledger_page.logger, "warning", lambda text, *parts, **where: found.append(text % parts))
    return found


@pytest.fixture
def course(tmp_path):
    (tmp_path / "chapters").mkdir()
    source = ["# 1. One\n", "$$ a = b $$ (eq:one)\n\n$$ b = c $$ (eq:two_words)"]
    notebook = {"cells": [{"cell_type": "markdown", "source": source}]}
    (tmp_path / "chapters" / "one.ipynb").write_text(json.dumps(notebook))
    return tmp_path


def page_of(course, measured, told=()):
    """Return the ledger's Markdown for some measurements and conclusions."""
    build = course / "_build"
    build.mkdir()
    for name, content in (("ledger", measured), ("conclusions", list(told))):
        (build / f"{name}.json").write_text(json.dumps(content))
    config = SimpleNamespace(html_theme_options={"repository_url": "https://host", "repository_branch": "main"})
    env = SimpleNamespace(note_dependency=str)
    app = SimpleNamespace(confdir=course, outdir=build / "html", config=config, env=env)
    return ledger_page.filled((ROOT / "pages/ledger.md").read_text("utf8"), ledger_page.contents(app))


TEST = {
    "test": "test_that_it_holds", "file": "tests/test_one.py", "line": 3, "against": "by hand", "passed": True,
    "comparisons": 2, "deviation": 2.4e-16, "allowed": 1e-13, "functions": {"f": ["lib/one.py", 7]},
}  # fmt: skip
DRAWS = {"comparisons": 3, "deviation": 4e-4, "sigmas": 2.13, "allowed": 4.5}
BOUND = TEST | {"comparisons": 0, "deviation": 0, "allowed": 0}
OVER_DRAWS = "over draws 4·10⁻⁴, which is 2.1 standard errors"


@pytest.mark.parametrize(
    "tests, found, allowed",
    [
        ([TEST | {"deviation": 9.7e-8, "allowed": 0.023}], "10⁻⁷", "0.02"),
        ([BOUND], "a bound holds", ""),
        ([BOUND, TEST], "2·10⁻¹⁶", "10⁻¹³"),
        ([TEST | {"draws": DRAWS}], f"2·10⁻¹⁶; {OVER_DRAWS}", "10⁻¹³; 4.5 standard errors"),
        ([TEST | {"draws": DRAWS, "comparisons": 0}], OVER_DRAWS, "4.5 standard errors"),
    ],
)
def test_row_states_deviation_and_tolerance(tests, found, allowed):
    row = ledger_rows.equation("eq:one", tests, [])
    assert (row["found"], row["allowed"]) == (found, allowed)


MEASURED = {"versions": {"Python": "3.11", "numpy": "2.4"}, "faults": {}, "eq:one": [TEST], "eq:two_words": [TEST]}
CONCLUSION = {
    "kind": "observation", "chapter": "03", "name": "03:window", "sentence": "It holds.",
    "test": "tests/test_one.py::test_it", "line": 3, "is_current": False,
    "where": "little and more", "varies": {"noise_level": ["1", "2"]}, "against": "the best rival",
    "result": {
        "case": {"noise_level": "2"}, "margin": 0.123, "unit": "dB", "cases": 12, "seconds": 150,
        "fails": {"on fur": -0.5},
    },
}  # fmt: skip
RESULT = {
    "kind": "result", "chapter": "02", "equation": "eq:one", "sentence": "It is so.",
    "test": "test_that_it_holds", "file": "tests/test_one.py", "line": 3,
    "without": ["smooth", "unique"],
}  # fmt: skip


def test_tables_list_equations_and_closest_cases(course, warnings):
    two = [TEST, TEST | {"deviation": 3e-9, "allowed": 1e-8, "against": None}]
    measured = MEASURED | {"eq:two_words": two, "faults": {"eq:one": ["a sign is lost", "√m is m"]}}
    text = page_of(course, measured, [CONCLUSION, RESULT, {"kind": "signpost", "chapter": "04"}])
    place = "(https://host/blob/main/tests/test_one.py#L3)"
    for part in (
        "## [1. One](../chapters/one.ipynb)",
        '<span id="tests-of-two-words"></span>{eq}`eq:two_words`',
        "[`f`](https://host/blob/main/lib/one.py#L7)",
        f"[by hand]{place}; [that it holds]{place}",
        "| 3·10⁻⁹ | 10⁻⁸ |",
        "\nMeasured with Python 3.11, numpy 2.4.\n",
        "| a sign is lost; √m is m |",
        f"### Results of chapter 2\n\n| result | equation | the test that says it | fails without |\n"
        f"|:--|:--|:--|:--|\n| It is so. | {{eq}}`eq:one` | [that it holds]{place} | smooth; unique |\n",
        "### Observations of chapter 3\n",
        '<span id="conclusion-03-window"></span>It holds. | little and more · noise level: 1, 2 (12 cases) | '
        f"[the best rival]{place} | 0.123 dB (noise level 2); measured with an earlier version of the code | "
        "on fur (-0.5 dB) |\n",
    ):
        assert part in text
    assert "chapter 4" not in text and text.count("| – |") == 1 and warnings == []


def test_missing_test_or_result_breaks_the_build(course, warnings):
    without_a_test = {key: value for key, value in MEASURED.items() if key != "eq:two_words"}
    page_of(course, without_a_test, [CONCLUSION | {"result": None}])
    assert warnings == ["eq:two_words: no test ran", "03:window: no result is stored, run `make conclusions`"]


# Mutations


def test_mutations_fit_the_code():
    """`make mutations` checks whether the tests detect the faults."""
    for mutation in mutations():
        mutation.mutated(ROOT)


FAULT = "lib/one.py: the two is lost\n- return 2 * x\n+ return x\neq:one eq:two\n"


def test_invalid_mutation_is_reported_by_name(tmp_path):
    (tmp_path / "lib").mkdir()
    code, faults = tmp_path / "lib" / "one.py", tmp_path / "chapter_01.diff"
    faults.write_text(f"# Faults\n\n{FAULT}")
    (fault,) = read(faults)
    assert fault.labels == ("eq:one", "eq:two")
    code.write_text("def f(x):\n    return 2 * x\n")
    assert fault.mutated(tmp_path) == "def f(x):\n    return x\n"
    for text in ("return 3 * x\n", "return 2 * x\n    return 2 * x\n"):
        code.write_text(text)
        with pytest.raises(ValueError, match=r"the two is lost \(eq:one, eq:two\): expected this line once"):
            fault.mutated(tmp_path)
    faults.write_text(f"# Faults\n\n{FAULT}\n{FAULT.replace('eq:one eq:two', '')}")
    with pytest.raises(ValueError, match="chapter_01.diff: expected file: words"):
        list(read(faults))


@pytest.mark.long
def test_fault_is_detected_by_marked_test():
    """Run in a copy and a separate process, as a worker does."""
    code = """
from tests.mutations import mutations
from tests.mutations.__main__ import unnoticed
fault = next(m for m in mutations() if m.labels == ("eq:psnr",))
same = fault._replace(old="import math", new="import math  # the same")
found = [unnoticed(one, []) for one in (fault, same)]
raise SystemExit(0 if found == [[], ["eq:psnr"]] else f"{found}")
"""
    folder = copy_of_the_tree()
    environment = os.environ | {"PYTHONPATH": str(folder)}
    assert subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment).returncode == 0
    shutil.rmtree(folder)


def test_numbered_equations_link_to_ledger_rows(site, built_site, page):
    for chapter in sorted((ROOT / "chapters").glob("*.ipynb")):
        text = (built_site / "chapters" / f"{chapter.stem}.html").read_text("utf8")
        numbers = re.findall(r'<div class="math [^>]*>\s*<span class="eqno">', text)
        links = re.findall(r'<p class="tested[^"]*"><a ', text)
        assert len(links) == len(numbers) and (numbers or not chapter.stem[0].isdigit())
    page.goto(f"{site}/chapters/01_nadaraya_watson.html")
    page.locator("div.equation > p.tested a:visible").first.click()
    page.wait_for_url("**/ledger.html#tests-of-*")
    rows = page.locator("#the-ledger tbody tr:has(span[id])")
    labels = page.evaluate("[...document.querySelectorAll('#the-ledger tbody span[id]')].map((span) => span.id)")
    assert rows.count() == len(labels) == len(set(labels)) > 90
    assert page.locator("#the-ledger strong", has_text="fails").count() == 0
