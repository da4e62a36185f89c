"""The plugin that measures the tests of the equations: what it notes, and that it changes no verdict."""

import json
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT
from ledger import Measurement

TESTS = """
import numpy as np
import pytest
from lib.weights import average, softmax


@pytest.mark.equation("eq:one", against="by hand")
@pytest.mark.parametrize("off", [1e-3, -2e-3, 0])
def test_near(off):
    np.testing.assert_allclose(softmax([0, 0]), 0.5 + off, atol=5e-3)


@pytest.mark.equation("eq:one", "eq:two", against="by hand")
def test_three_kinds_of_comparison():
    assert average([0.5, 0.5], [2.0, 6.0]) == pytest.approx(4 + 4e-9, rel=1e-8)
    assert [1.0, 2.0] == pytest.approx([1.0, 2.0])
    np.testing.assert_array_equal([1, 2], [1, 2])


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
    assert run.returncode == 1 and "1 failed, 5 passed" in run.stdout, run.stdout
    return json.loads((folder / "ledger.json").read_text("utf8"))


def test_cases_of_a_test_share_a_row_with_the_largest_deviation(rows):
    near = next(test for test in rows["eq:one"] if test["test"] == "test_near")
    assert near["deviation"] == pytest.approx(2e-3, rel=1e-12) and near["allowed"] == pytest.approx(5e-3, rel=1e-4)
    assert near["cases"] == near["comparisons"] == 3 and near["against"] == "by hand"


def test_comparisons_of_every_kind_are_noted(rows):
    (test,) = rows["eq:two"]
    assert test["deviation"] == pytest.approx(1e-9, rel=1e-6)  # of 4, so relative
    assert test["allowed"] == pytest.approx(1e-8)
    assert test["comparisons"] == 4  # one, two of a list, one of arrays
    assert [row["test"] for row in rows["eq:one"]] == ["test_near", "test_three_kinds_of_comparison"]


def test_functions_of_lib_are_those_that_the_test_calls(rows):
    (test,) = rows["eq:two"]
    path, line = test["functions"]["average"]
    assert list(test["functions"]) == ["average"]  # and not what average calls
    assert path == "lib/weights.py"
    assert (ROOT / path).read_text("utf8").splitlines()[line - 1].startswith("def average(")


def test_a_failing_case_is_noted_and_still_fails(rows):
    (test,) = rows["eq:wrong"]
    assert not test["passed"] and test["cases"] == 2
    assert "eq:one" in rows and all(row["passed"] for row in rows["eq:one"])


@pytest.mark.parametrize(
    "actual, desired, expected",
    [
        (1.5, 1.0, 0.5),
        ([101.0, 1.0], [100.0, 1.0], 0.01),  # relative above 1
        ([np.nan, np.inf, 0.25], [np.nan, np.inf, 0.0], 0.25),
        (["a"], ["a"], 0.0),
        ([[1.0, 2.0]], 1.0, 1.0),
    ],
)
def test_deviation(actual, desired, expected):
    measurement = Measurement(__file__)
    measurement.compare(actual, desired, rtol=0, atol=9)
    measurement.compare(0.0, 0.0, rtol=0, atol=9)
    assert measurement.deviation == pytest.approx(expected)
