"""Grading again after a change of the course: which notebooks are graded again, and which marks would change."""

import nbformat
import pytest

from tests.teaching.submissions import ASSIGNMENTS, FIRST, graded, needs_engine, submission, table
from tools.grading import folder, questions

CODE = '"""A module."""\n\n\ndef f(x):\n    """Double a number."""\n    return 2 * x  # twice\n'
REWORDED = '"""A module, in other words."""\ndef f(x):\n    # once more\n    return (2\n        * x)\n'


def project(root, code=CODE, data=b"1"):
    """A project with one module, one data file, and a grader without code."""
    for path in ("lib/datasets", "tools/grading"):
        (root / path).mkdir(parents=True, exist_ok=True)
    for name in folder.DECIDE:
        (root / "tools" / "grading" / f"{name}.py").write_text("", "utf8")
    (root / "lib" / "a.py").write_text(code, "utf8")
    (root / "lib" / "datasets" / "a.bin").write_bytes(data)
    return folder.rules([], root)


def test_comments_and_docstrings_change_no_rule(tmp_path):
    assert project(tmp_path) == project(tmp_path, REWORDED)


@pytest.mark.parametrize("code, data", [(CODE.replace("2 *", "3 *"), b"1"), (CODE, b"2")], ids=["code", "data"])
def test_code_and_data_change_the_rules(code, data, tmp_path):
    assert project(tmp_path) != project(tmp_path, code, data)


def test_rules_name_existing_files():
    assert all((questions.ROOT / "tools" / "grading" / f"{name}.py").is_file() for name in folder.DECIDE)
    assert len(folder.rules([questions.MASTERS])) == 32


def changed_master(target, *passages):
    """A folder with the first master, in which passages of its grading are replaced."""
    master = nbformat.read(questions.MASTERS / f"{FIRST}.ipynb", as_version=4)
    for cell in master.cells:
        for old, new in passages:
            cell.source = cell.source.replace(old, new)
    target.mkdir()
    nbformat.write(master, target / f"{FIRST}.ipynb")
    return [target]


@needs_engine
def test_changed_marks_are_listed_before_they_change(tmp_path):
    masters = changed_master(tmp_path / "before")
    stricter = changed_master(tmp_path / "after", ("@form(1)\ndef in_range", "@form(0.5)\ndef in_range"))
    notebooks = {"full": submission(ASSIGNMENTS[FIRST].solution), "blank": submission(ASSIGNMENTS[FIRST].student)}
    out, marks = tmp_path / "class-grades", {"full.ipynb": "10", "blank.ipynb": "0"}
    shown = lambda: {entry["file"]: entry["points"] for entry in table(out / "grades.csv")}
    (tmp_path / "class").mkdir()
    graded(tmp_path / "class", notebooks, masters=masters)
    line = "full.ipynb: 10 to 9.5 points (q1 2 to 1.5)"
    for _ in range(2):  # a list changes nothing, so it can be made again
        _, lines = graded(tmp_path / "class", {}, masters=stricter, compare=True)
        assert lines[-2:] == ["1 marks would change, because the rules have:", line] and shown() == marks
    _, lines = graded(tmp_path / "class", {}, masters=stricter)
    assert line in lines and "2 of 2 were graded before, and have not changed since." in lines
    assert shown() == marks | {"full.ipynb": "9.5"}
    _, lines = graded(tmp_path / "class", {}, masters=stricter, compare=True)
    assert lines[-1] == "No mark would change."
