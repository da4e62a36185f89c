"""`make release` sets the version in every file, and refuses one that the changelog does not describe."""

import shutil
import subprocess
from datetime import date

import pytest

from tests.conftest import ROOT
from tools.edition import release

FILES = ("CHANGELOG.md", "CITATION.cff", "lib/__init__.py")


@pytest.fixture
def copy(tmp_path):
    (tmp_path / "lib").mkdir()
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path / name)
    changelog = tmp_path / "CHANGELOG.md"
    text = changelog.read_text("utf8")
    changelog.write_text(text.replace("## [", "## [98.7.6] (unreleased)\n\n## [", 1), "utf8")
    return tmp_path


def test_version_and_date_are_set_everywhere(copy):
    release.set_version(copy, "98.7.6", date(2031, 2, 3))
    lines = {name: (copy / name).read_text("utf8").splitlines() for name in FILES}
    assert "## [98.7.6] - 2031-02-03" in lines["CHANGELOG.md"]
    assert {"version: 98.7.6", "date-released: 2031-02-03"} <= set(lines["CITATION.cff"])
    assert '__version__ = "98.7.6"' in lines["lib/__init__.py"]


def test_notes_are_the_section_of_the_version():
    changelog = "# Changelog\n\n## [2.0.0] - 2031-02-03\n\n### Added\n- Two.\n\n## [1.0.0] (unreleased)\n- One.\n"
    assert release.notes_of("2.0.0", changelog) == "### Added\n- Two."
    assert release.notes_of("1.0.0", changelog) == "- One."
    with pytest.raises(SystemExit, match="expected a section on 3.0.0"):
        release.notes_of("3.0.0", changelog)


@pytest.mark.parametrize("version", ["98.7", "v98.7.6", "97.0.0"])
def test_version_without_changelog_is_rejected(version, copy):
    with pytest.raises(SystemExit, match="expected"):
        release.set_version(copy, version, date(2031, 2, 3))


def test_release_is_tagged_once(copy):
    subprocess.run(["git", "init", "--quiet", copy], check=True)
    subprocess.run(["git", "add", "--all"], cwd=copy, check=True)
    release.commit(copy, "98.7.6")
    assert release.run("git", "describe", cwd=copy).strip() == "v98.7.6"
    with pytest.raises(SystemExit, match="expected a new one, got 98.7.6"):
        release.commit(copy, "98.7.6")


def test_release_requires_every_check_to_have_passed(tmp_path):
    for name in list(release.CHECKS)[1:]:
        (tmp_path / f"{name}.passed").touch()
    with pytest.raises(SystemExit, match="serve"):
        release.assert_checked(tmp_path)
    (tmp_path / "serve.passed").touch()
    release.assert_checked(tmp_path)


@pytest.mark.long
def test_wheel_of_clone_installs_and_executes_chapter(built_site, tmp_path):
    """A dry run of the present version, without the commit."""
    release.run("git", "clone", "--quiet", ROOT, tmp_path / "course", cwd=tmp_path)
    wheel = release.build_wheel(tmp_path / "course")
    shutil.copy(built_site.parent / "notebooks" / release.NOTEBOOK, tmp_path / "notebook.ipynb")
    release.try_wheel(wheel, wheel.name.split("-")[1], tmp_path)
