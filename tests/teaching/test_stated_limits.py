"""What the page on assignments states about limits, files and folders, compared with the grader."""

import shutil
import subprocess

import pytest

from tests.conftest import ROOT
from tools.grading import attempts, engines, exchange, grade, notebooks, sandbox, submissions

PAGE = " ".join((ROOT / "teaching" / "assigning.md").read_text("utf8").split())
STATED = {  # a passage of the page, and what the grader uses
    "after 20 seconds of processor time": attempts.CELL_SECONDS == 20,
    "the limit by the clock is ten times as long": exchange.PATIENCE == 10,
    "may hold 20 notebooks, take two minutes of processor time, and wait for half a minute": (
        (sandbox.MOST_NOTEBOOKS, notebooks.FILE_SECONDS, notebooks.SLEEP_SECONDS) == (20, 120, 30)
    ),
    "Reading it counts, too, with at most 20 seconds": sandbox.READ_SECONDS == 20,
    "A notebook of more than 64 megabytes is not read": submissions.MOST_FILE_BYTES == 64 * 2**20,
    "two disks of 64 megabytes in memory, and 64 processes": (engines.DISK_MIB, engines.PROCESSES) == (64, 64),
    "all its processes together have 4 gigabytes of memory": engines.MEMORY_GIB == 4,
}


@pytest.mark.parametrize("passage", STATED)
def test_page_states_the_limits_of_the_grader(passage):
    assert passage in PAGE and STATED[passage]


@pytest.mark.parametrize(
    "path", ["key", "class/a.ipynb", "class-grades/grades.csv", "class.zip", "students.xlsx", "_build/set-0/x"]
)
@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
def test_git_ignores_files_of_grading(path, tmp_path):
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    shutil.copy(ROOT / ".gitignore", tmp_path)
    (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / path).touch()
    found = subprocess.run(["git", "status", "--short", "-uall"], cwd=tmp_path, capture_output=True, text=True)
    assert found.stdout.splitlines() == ["?? .gitignore"]


def test_results_are_private_and_copies_removed(tmp_path, monkeypatch):
    """Nothing is left of a run but the folder of results, which nobody else can read."""
    copies = tmp_path / "copies"
    copies.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(copies))
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "a.pdf").write_text("%PDF")
    _, out = grade.grade_folder(tmp_path / "class", report=lambda line: None, protected=False)
    assert out.stat().st_mode & 0o077 == 0 and list(copies.iterdir()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["class", "class-grades", "copies"]
