"""A pytest plugin that records what the tests of the chapters' equations measured.

    python -m pytest -p tests.ledger --ledger=ledger.json -m equation tests

For each label of `@pytest.mark.equation`, it records the tests, what they compare with (`against=`), the functions
of `lib` that they call, and the largest deviation of any comparison. Averages over random draws, compared with
`standard_errors.assert_within`, are recorded separately, with their deviation in standard errors. The file also
contains the package versions and the faults of `tests/mutations`. `pages/ledger.md` shows it.

`--equations=eq:one,eq:two` runs only the tests that are marked with one of these labels.
"""

import json
import platform
import sys
from functools import wraps
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest

from tests.mutations import mutations

ROOT = Path(__file__).resolve().parents[1]
LIB = f"{ROOT / 'lib'}/"
# Packages that the results are compared with, by their names on PyPI.
MEASURED = ("numpy", "scipy", "torch", "scikit-learn", "scikit-image", "statsmodels", "opencv-python-headless")
NO_DRAWS = {"comparisons": 0, "deviation": 0.0, "sigmas": 0.0, "allowed": 0.0}


class Measurement:
    """The comparisons of one test run, and the functions of `lib` called from the test's file."""

    def __init__(self, path):
        self.path = str(path)
        self.comparisons, self.deviation, self.allowed = 0, 0.0, 0.0
        self.draws = dict(NO_DRAWS)
        self.functions = {}

    def compare(self, actual, desired, rtol, atol):
        """Record max |actual − desired|, relative to the largest desired number if that exceeds 1."""
        actual, desired = np.broadcast_arrays(np.asarray(actual), np.asarray(desired))
        if not np.issubdtype(np.result_type(actual, desired), np.number):
            return
        both = np.isfinite(actual) & np.isfinite(desired)
        if not both.any():
            return
        size = np.abs(desired[both]).max()
        deviation = np.abs(actual[both] - desired[both]).max() / max(1, size)
        allowed = (atol + rtol * size) / max(1, size)
        self.comparisons += 1
        if (deviation, allowed) > (self.deviation, self.allowed):
            self.deviation, self.allowed = float(deviation), float(allowed)

    def compare_draws(self, mean, expected, error, allowed):
        """Record an average over random draws: its deviation, relative as above and in standard errors."""
        self.draws["comparisons"] += 1
        self.draws["deviation"] = max(self.draws["deviation"], abs(mean - expected) / max(1, abs(expected)))
        self.draws["sigmas"] = max(self.draws["sigmas"], abs(mean - expected) / error if error > 1e-12 else 0.0)
        self.draws["allowed"] = max(self.draws["allowed"], allowed)

    def found(self):
        names = ("comparisons", "deviation", "allowed", "draws", "functions")
        return {name: getattr(self, name) for name in names}

    def profile(self, frame, event, argument):
        """Profile hook: record the test file's calls into `lib`."""
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(LIB) and frame.f_back is not None:
            public = not code.co_qualname.startswith("_") and "<" not in code.co_qualname
            if public and frame.f_back.f_code.co_filename == self.path:
                module = code.co_filename.removeprefix(f"{ROOT}/")
                self.functions[code.co_qualname] = [module, code.co_firstlineno]

    def install(self, patch):
        """Wrap the comparison functions that tests use, so that each successful comparison is recorded."""
        Approx, testing = type(pytest.approx(1.0)), np.testing
        equals, allclose, array_equal = Approx.__eq__, testing.assert_allclose, testing.assert_array_equal

        @wraps(equals)
        def noted_equals(approx, actual):
            passed = equals(approx, actual)
            if passed and np.ndim(actual) == 0:
                self.compare(actual, approx.expected, 0, approx.tolerance)
            return passed

        @wraps(allclose)
        def noted_allclose(actual, desired, rtol=1e-7, atol=0, **options):
            allclose(actual, desired, rtol=rtol, atol=atol, **options)
            self.compare(actual, desired, rtol, atol)

        @wraps(array_equal)
        def noted_array_equal(actual, desired, **options):
            array_equal(actual, desired, **options)
            self.compare(actual, desired, 0, 0)

        patch.setattr(Approx, "__eq__", noted_equals)
        patch.setattr(testing, "assert_allclose", noted_allclose)
        patch.setattr(testing, "assert_array_equal", noted_array_equal)
        if "tests.standard_errors" in sys.modules:  # only if a test has imported it
            patch.setattr(sys.modules["tests.standard_errors"], "LISTENERS", [self.compare_draws])


def pytest_addoption(parser):
    parser.addoption("--ledger", help="write the measurements of the equations' tests to this file")
    parser.addoption("--equations", help="run only the tests marked with one of these comma-separated labels")


def pytest_collection_modifyitems(config, items):
    if wanted := config.getoption("--equations"):
        wanted = set(wanted.split(","))
        marked = [i for i in items if any(wanted & set(mark.args) for mark in i.iter_markers("equation"))]
        config.hook.pytest_deselected(items=[item for item in items if item not in marked])
        items[:] = marked


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    marks = list(item.iter_markers("equation"))
    if not marks or item.get_closest_marker("xfail"):  # a hypothesis is dropped there (tests/result.py)
        return (yield)
    measurement = Measurement(item.path)
    with pytest.MonkeyPatch.context() as patch:
        measurement.install(patch)
        sys.setprofile(measurement.profile)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            file, line, _ = item.location
            place = {"test": item.originalname, "file": Path(file).as_posix(), "line": line + 1}
            found = {**place, **measurement.found()}
            for label, against in {(label, mark.kwargs.get("against")) for mark in marks for label in mark.args}:
                item.user_properties.append(("ledger", {"label": label, "against": against, **found}))


def versions():
    """Return the versions of Python and the packages, by name."""
    return {"Python": platform.python_version()} | {name: version(name) for name in MEASURED}


def faults():
    """Return the descriptions of each label's mutations: faults that its tests must detect."""
    words = {}
    for mutation in mutations():
        for label in mutation.labels:
            words.setdefault(label, []).append(mutation.words)
    return words


class Ledger:
    """Collect the reports of all worker processes and write the file at the end."""

    def __init__(self, path):
        self.path, self.rows = Path(path), {}

    def pytest_runtest_logreport(self, report):
        for name, found in report.user_properties:
            if name == "ledger" and report.when == "call":
                self.enter(found, report.passed)

    def enter(self, found, passed):
        """Merge the cases of a test: keep the largest deviation, and mark it failed if any case failed."""
        tests = self.rows.setdefault(found["label"], {})
        empty = dict(found, passed=True, cases=0, comparisons=0, draws=dict(NO_DRAWS))
        entry = tests.setdefault(f"{found['file']}::{found['test']}", empty)
        entry["passed"] &= passed
        entry["cases"] += 1
        entry["comparisons"] += found["comparisons"]
        entry["functions"] |= found["functions"]
        entry["draws"]["comparisons"] += found["draws"]["comparisons"]
        for name in ("deviation", "sigmas", "allowed"):
            entry["draws"][name] = max(entry["draws"][name], found["draws"][name])
        if (found["deviation"], found["allowed"]) > (entry["deviation"], entry["allowed"]):
            entry |= {"deviation": found["deviation"], "allowed": found["allowed"]}

    def pytest_sessionfinish(self):
        rows = {label: [tests[name] for name in sorted(tests)] for label, tests in sorted(self.rows.items())}
        written = {"versions": versions(), "faults": faults()} | rows
        self.path.write_text(json.dumps(written, indent=1, ensure_ascii=False), "utf8")


def pytest_configure(config):
    path = config.getoption("--ledger")
    if path and not hasattr(config, "workerinput"):  # with xdist, only the main process writes
        config.pluginmanager.register(Ledger(path), "ledger-file")
