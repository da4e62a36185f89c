"""A pytest plugin that marks what each test needs beyond the package, and reports what was not tested.

Tests get the mark `browser` or `site` from their fixtures; a test that imports a package that `lib` does not need
is marked `peers`. `--portable` runs tests without such needs, for the oldest versions and the browser's Python. It
leaves out files that import such a package at their top, because they cannot even be read there.

Where a browser, the sandbox and the peers must be here (`must_be_here`), a test fails if it is skipped for want of
one: "expected a browser, found none" or "could not import". Elsewhere, the output ends with what was not tested.
"""

import ast
import functools
import sys
from collections import Counter
from pathlib import Path

import pytest

from tools.build.imports import names_imported, parsed, reached, with_packages
from tools.build.system_packages import must_be_here

PORTABLE = {"lib", "tests", "tools", "pytest", "hypothesis", "numpy", "matplotlib", "ipywidgets", "anywidget"}
PORTABLE |= {"traitlets", "IPython"}  # which ipywidgets needs
PORTABLE |= sys.stdlib_module_names - {"subprocess"}  # the browser's Python starts no process
PACKAGE = ["tests/lib", "tests/equations", "tests/conclusions", "tests/figures"]  # folders with tests of `lib`
OF_FIXTURES = {"browser": "browser", "built_site": "site"}  # fixture → mark
SHARED = Path(__file__).with_name("conftest.py")  # it imports a browser only when a test uses one


def packages(path):
    """Return the packages imported when a test file is read, also by the helpers and tools that it uses."""
    helpers = reached(
        parsed(path), lambda name: with_packages(name) if name.startswith(("tests", "tools")) else []
    )
    return set().union(*map(own_packages, {path} | helpers - {SHARED}))


@functools.cache
def own_packages(path):
    """Return the packages that the first level of a file imports."""
    top = [node for node in parsed(path).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return {name.partition(".")[0] for name in names_imported(ast.Module(top, []))}


@functools.cache
def is_portable(path):
    return packages(path) <= PORTABLE


def pytest_addoption(parser):
    parser.addoption("--portable", action="store_true", help="run the tests that need only what lib needs")


def pytest_ignore_collect(collection_path, config):
    if config.getoption("portable") and collection_path.match("test_*.py"):
        return True if not is_portable(collection_path) else None


@pytest.hookimpl(tryfirst=True)  # before `-m` selects
def pytest_collection_modifyitems(config, items):
    for item in items:
        for fixture, mark in OF_FIXTURES.items():
            if fixture in getattr(item, "fixturenames", ()):
                item.add_marker(mark)
    if config.getoption("portable"):
        left_out = [item for item in items if {*OF_FIXTURES.values(), "peers"} & marks_of(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def marks_of(item):
    return {mark.name for mark in item.iter_markers()}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if name := package_missing(item, call):
        report.outcome, report.longrepr = "skipped", (str(item.path), None, f"Skipped: could not import {name!r}")
    if report.skipped and not hasattr(report, "wasxfail") and must_run(item, report.longrepr[2]):
        report.outcome, report.longrepr = "failed", f"expected this test to run here: {report.longrepr[2]}"
    return report


def package_missing(item, call):
    """Return the package for want of which a portable test ended; those of `PORTABLE` must be here."""
    if item.config.getoption("portable") and call.excinfo and call.excinfo.errisinstance(ModuleNotFoundError):
        name = call.excinfo.value.name.partition(".")[0]
        return name if name not in PORTABLE else None


def must_run(item, reason):
    """Return whether a test was skipped for want of something that must be here."""
    is_wanting = "found none" in reason or "could not import" in reason
    return is_wanting and must_be_here() and not item.config.getoption("portable")


def pytest_terminal_summary(terminalreporter):
    skipped = terminalreporter.stats.get("skipped", [])
    for reason, count in Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped).items():
        terminalreporter.write_line(f"Not tested here, {count} {'tests' if count > 1 else 'test'}: {reason}")
