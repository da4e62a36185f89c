"""The course with its oldest supported versions. All other tests use the newest, from requirements-dev.txt."""

import os
import re
import subprocess
import tomllib

import pytest
import yaml

import lib
from tests.conftest import ROOT, locked_make
from tests.needs import PACKAGE
from tools.edition import upgrade

OLDEST = ROOT / "_build" / "oldest"
OF_EXTRAS = ["tests/lib/test_distributed.py", "tests/lib/test_estimators.py"]
# Old packages use features that newer ones deprecate; we cannot change that. Playwright, which
# helpers of the browser's tests import, is not installed.
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "default::DeprecationWarning", "-m", "not long")
PYTEST += ("--doctest-ignore-import-errors",)
CHAPTERS = sorted((ROOT / "chapters").glob("*.ipynb"))


@pytest.fixture(scope="module")
def oldest():
    """Return the programs' folder of an environment with the oldest versions, creating it if necessary."""
    locked_make("_build/oldest/.packages")
    return OLDEST / "bin"


def run(*command):
    environment = os.environ | {"MPLBACKEND": "agg"}
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-3000:]
    return done.stdout


def test_oldest_versions_match_package_metadata():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
    text = (ROOT / "requirements-oldest.txt").read_text("utf8")
    for requirement in sum(project["optional-dependencies"].values(), project["dependencies"]):
        name, lowest = map(re.escape, requirement.split(">="))  # no upper bound
        assert re.search(rf"^{name}=={lowest}(\.0)?(?![.\d])", text, re.MULTILINE), requirement


@pytest.mark.long
def test_lib_passes_on_oldest_versions(oldest):
    said = run(oldest / "python", *PYTEST, "--portable", *PACKAGE, "lib")
    assert int(re.search(r"(\d+) passed", said)[1]) > 500


@pytest.mark.long
def test_extras_pass_on_oldest_versions(oldest):
    said = run(oldest / "python", *PYTEST, *OF_EXTRAS)
    assert int(re.search(r"(\d+) passed", said)[1]) > 100


@pytest.mark.long
@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_chapter_runs_on_oldest_versions(oldest, path):
    run(oldest / "jupyter-execute", path)


def test_upgrade_changes_only_the_named_pin():
    text = "# The notebooks\nnumpy==2.4.6\nmatplotlib==3.11.2  # why\n"
    raised = upgrade.raise_pins(text, {"numpy": "2.5.0", "matplotlib": "3.11.2", "scipy": "9"})
    assert raised == "# The notebooks\nnumpy==2.5.0\nmatplotlib==3.11.2  # why\n"


def test_pins_are_valid_constraints():
    """tools/grading/Containerfile passes them to pip as constraints, which must not name extras."""
    assert re.findall(r"^[\w.-]+\[.*", (ROOT / "requirements-dev.txt").read_text("utf8"), re.MULTILINE) == []


def test_version_agrees_with_changelog_and_citation():
    changelog = (ROOT / "CHANGELOG.md").read_text("utf8")
    newest, date = re.search(r"^## \[([\d.]+)\] - (\d{4}-\d\d-\d\d)$", changelog, re.MULTILINE).groups()
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf8"))
    assert newest == citation["version"] == lib.__version__ and date == str(citation["date-released"])
