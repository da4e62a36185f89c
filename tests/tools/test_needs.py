"""Marks for what tests need, and the treatment of skipped tests."""

import subprocess
import sys

from tests import needs
from tests.conftest import ROOT

SKIPPED = "import pytest\n\ndef test_one():\n    pytest.skip('{reason}')\n"
WANTING = "expected a browser, found none"


def run(tmp_path, test, *options):
    (tmp_path / "test_it.py").write_text(test)
    command = [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-p", "no:cacheprovider", *options]
    done = subprocess.run([*command, "-p", "tests.needs", tmp_path], cwd=ROOT, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_skipped_test_fails_where_its_requirement_must_exist(tmp_path, monkeypatch):
    monkeypatch.setenv("CI", "true")
    status, said = run(tmp_path, SKIPPED.format(reason=WANTING))
    assert status == 1 and f"expected this test to run here: Skipped: {WANTING}" in said


def test_missing_peer_fails_unless_only_portable_tests_run(tmp_path, monkeypatch):
    monkeypatch.setenv("CI", "true")
    test = "import pytest\n\ndef test_one():\n    pytest.importorskip('no_such_package')\n"
    assert [run(tmp_path, test, *options)[0] for options in ([], ["--portable"])] == [1, 0]
    imported_late = "def test_one():\n    import no_such_package.part\n"
    status, said = run(tmp_path, imported_late, "--portable")
    assert status == 0 and said.splitlines()[-2] == "Not tested here, 1 test: could not import 'no_such_package'"
    assert run(tmp_path, "def test_one():\n    import lib.no_such_module\n", "--portable")[0] == 1


def test_other_skips_are_listed_at_the_end(tmp_path):
    status, said = run(tmp_path, SKIPPED.format(reason="nothing is here"))
    assert status == 0 and said.splitlines()[-2] == "Not tested here, 1 test: nothing is here"


def test_imports_and_fixtures_decide_what_is_portable(tmp_path):
    test = "def test_one(browser):\n    pass\n\ndef test_two():\n    pass\n"
    for options in (["--portable"], ["-m", "not browser"]):
        status, said = run(tmp_path, test, *options)
        assert status == 0 and "1 passed, 1 deselected" in said
    assert run(tmp_path, f"import torch\n{test}", "--portable")[0] == 5, "no test is collected"


def test_plugin_marks_this_test_run(request):
    assert request.config.pluginmanager.has_plugin("tests.needs")


def test_known_files_are_portable_or_not():
    portable = {path.stem for path in ROOT.glob("tests/*/test_*.py") if needs.is_portable(path)}
    assert {
        "test_regression",
        "test_distributed",
        "test_every_figure",
        "test_pixel_figure",
        "test_pdf",
    } & portable == set()
    assert {"test_kernels", "test_equations_06", "test_former_names"} <= portable
