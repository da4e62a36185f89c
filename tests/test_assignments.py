"""Assignments: what is made, what is graded, and that nothing a submission does harms another."""

import copy
import csv
import json
import re
import zipfile

import grade
import make_assignments
import nbformat
import numpy as np
import pytest
import set_repository
from conftest import ROOT
from wrong_submissions import WRONG_SUBMISSIONS

from lib.assignments import student_rng

MASTERS = {path.stem: path for path in sorted(make_assignments.MASTERS.glob("*.ipynb"))}
FIRST = "01_nadaraya_watson"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """All assignments, made anew: the folders of what students get and of what they do not."""
    student, private = (tmp_path_factory.mktemp(name) for name in ("student", "private"))
    for master in MASTERS.values():
        make_assignments.make_assignment(master, student, private)
    return student, private


def submission(notebook, answers=None, student="ada", **cells):
    """The notebook with other answers (by number of the question) or cells (by id), and an id."""
    notebook = copy.deepcopy(notebook)
    sources = {f"question-{number}-answer": source for number, source in (answers or {}).items()}
    sources |= {name.replace("_", "-"): source for name, source in cells.items()}
    for cell in notebook.cells:
        cell.source = sources.get(cell.id, cell.source)
        cell.source = cell.source.replace('student_id = ""', f'student_id = "{student}"')
    return notebook


LOOP = "while True:\n    try:\n        pass\n    except Exception:\n        pass"
TRICKS = "np.allclose = np.isclose = lambda *arguments, **options: True\nestimate_at_2 = values[0]"


@pytest.fixture(scope="module")
def graded(made, tmp_path_factory):
    """One folder with everything in it, graded in one go: the rows by file, and what was reported."""
    student, private = made
    folder = tmp_path_factory.mktemp("submissions")
    notebooks = {}
    for name in MASTERS:
        solution = nbformat.read(private / name / "solution.ipynb", as_version=4)
        notebooks[f"{name}-solution"] = submission(solution)
        notebooks[f"{name}-blank"] = submission(nbformat.read(student / f"{name}.ipynb", as_version=4))
        for i, (answers, _) in enumerate(WRONG_SUBMISSIONS[name], 1):
            notebooks[f"{name}-wrong-{i}"] = submission(solution, answers, student=f"bob{i}")
    solution = nbformat.read(private / FIRST / "solution.ipynb", as_version=4)
    blank = nbformat.read(student / f"{FIRST}.ipynb", as_version=4)
    notebooks |= {
        "crash": submission(solution, {2: "import os\nos._exit(3)"}, "cleo"),
        "error": submission(solution, {1: "1 / 0"}, "dora"),
        "loop": submission(solution, {3: LOOP}, "emma"),
        "megabyte": submission(solution, {1: solution.cells[4].source + "\nprint('x' * 1_000_000)"}, "finn"),
        "tricks": submission(blank, {1: TRICKS}, "gail"),
        "other-data": submission(solution, None, "hugo", data=solution.cells[2].source + "\nkeys = keys + 1"),
        "nobody": submission(solution, student=""),
        "twin": submission(solution, student="ADA"),
        "moodle/no notebook": None,
    }
    for name, notebook in notebooks.items():
        path = folder / f"{name}.ipynb"
        path.parent.mkdir(exist_ok=True)
        path.write_text("no notebook" if notebook is None else json.dumps(notebook), "utf8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grade, "PACKAGES", private)
        patch.setattr(grade, "CELL_SECONDS", 5)
        lines = []
        rows = grade.grade_folder(folder, report=lines.append)
    return {row.file.removesuffix(".ipynb"): row for row in rows}, lines, folder


def points(row):
    return {name: float(number) for name, number in (part.split(":") for part in row.questions.split())}


@pytest.mark.parametrize("name", MASTERS)
def test_the_solution_scores_full_marks_and_the_blank_zero(name, graded):
    rows, _, _ = graded
    best, blank = rows[f"{name}-solution"], rows[f"{name}-blank"]
    assert (best.points, best.out_of, best.feedback) == (10, 10, "all correct")
    assert (blank.points, blank.out_of) == (0, 10)
    assert {name for name, _ in points(blank).items()} == {"q1", "q2", "q3"}


@pytest.mark.parametrize(
    ("name", "number"),
    [(name, i) for name, submissions in WRONG_SUBMISSIONS.items() for i in range(1, len(submissions) + 1)],
)
def test_wrong_submissions_lose_exactly_what_they_should(name, number, graded):
    rows, _, _ = graded
    full, row = points(rows[f"{name}-solution"]), rows[f"{name}-wrong-{number}"]
    loses = WRONG_SUBMISSIONS[name][number - 1][1]
    assert {q: full[q] - points(row)[q] for q in full if points(row)[q] != full[q]} == loses, row
    assert all(f"{question}: " in row.feedback for question in loses)


def test_an_error_costs_its_question_only(graded):
    row = graded[0]["error"]
    assert points(row) == {"q1": 0, "q2": 4, "q3": 3}
    assert "question-1-answer: ZeroDivisionError" in row.remarks


def test_a_crash_an_endless_loop_and_a_megabyte_are_reported_on_their_rows(graded):
    rows, _, _ = graded
    assert rows["crash"].points == 0 and "it ended Python (code 3)" in rows["crash"].remarks
    assert points(rows["loop"]) == {"q1": 3, "q2": 4, "q3": 0}
    assert "question-3-answer: TookTooLong: stopped after" in rows["loop"].remarks
    assert rows["megabyte"].points == 10 and "printed 1000001 characters" in rows["megabyte"].remarks


def test_tampering_with_the_tests_is_undone_and_reported(graded):
    row = graded[0]["tricks"]
    assert row.points == 1  # for a number within the range
    assert "changed numpy.allclose, numpy.isclose, put back" in row.remarks


def test_changed_data_are_reported_and_do_not_count(graded):
    row = graded[0]["other-data"]
    assert "changed given cells: data" in row.remarks and row.points < 10


def test_ids_are_asked_for(graded):
    rows, _, _ = graded
    assert "no student id" in rows["nobody"].remarks and rows["nobody"].points < 10
    assert "same id as" in rows["twin"].remarks and f"{FIRST}-solution.ipynb" in rows["twin"].remarks
    assert "not a notebook of an assignment" in rows["moodle/no notebook"].remarks


def test_progress_and_table(graded):
    rows, lines, folder = graded
    assert [line.split("/")[0] for line in lines] == [str(i + 1) for i in range(len(rows))]
    with open(folder / "grades.csv", encoding="utf-8-sig", newline="") as file:
        table = list(csv.DictReader(file))
    assert len(table) == len(rows) and {row["out_of"] for row in table} == {"10", "0"}


def test_what_students_get_is_what_the_masters_make(made):
    """Run `make assignments` after a change of a master."""
    for name in MASTERS:
        assert (ROOT / "assignments" / f"{name}.ipynb").read_text("utf8") == (made[0] / f"{name}.ipynb").read_text(
            "utf8"
        )


def solutions_of(master):
    """The lines between the marks of a solution that are long enough to be recognised."""
    for cell in nbformat.read(master, as_version=4).cells:
        for part in re.findall(r"# BEGIN SOLUTION.*?\n(.*?)# END SOLUTION", cell.source, re.DOTALL):
            yield from (line.strip() for line in part.splitlines() if len(line.strip()) > 25)


def test_solutions_are_neither_in_what_students_get_nor_in_the_site(made, built_site):
    secrets = {line for master in MASTERS.values() for line in solutions_of(master)}
    messages = {
        message
        for name in MASTERS
        for tests in [zipfile.ZipFile(made[1] / name / "autograder.zip")]
        for file in tests.namelist()
        if file.startswith("tests/")
        for message in re.findall(r'failure_message="(.*?)"', tests.read(file).decode())
    }
    assert len(secrets) > 25 and len(messages) > 25
    files = [path for path in built_site.rglob("*") if path.suffix in {".html", ".ipynb", ".js", ".json", ".txt"}]
    for path in [*(ROOT / "assignments").glob("*.ipynb"), *files]:
        text = path.read_text("utf8", errors="replace")
        found = [line for line in messages if line in text]
        if path.suffix == ".ipynb":
            sources = "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
            if path.parent.name == "assignments":
                found += [line for line in secrets if line in sources]
        assert found == [], path
    assert not any(path.name in {"autograder.zip", "solution.ipynb"} for path in built_site.rglob("*"))


def test_data_differ_by_student_and_stay(made):
    one, same, other = (student_rng(name, 1).normal(size=5) for name in ("ada", " Ada ", "bob"))
    np.testing.assert_array_equal(one, same)
    assert not np.allclose(one, other)
    assert not np.allclose(one, student_rng("ada", 2).normal(size=5))


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_id_is_refused(name):
    with pytest.raises(ValueError, match="student_id: expected your id"):
        student_rng(name, 1)


def test_graders_that_know_otter_can_use_the_package(made):
    with zipfile.ZipFile(made[1] / FIRST / "autograder.zip") as package:
        assert {"run_autograder", "otter_config.json", "tests/q1.py"} <= set(package.namelist())
        assert set_repository.configured_address() in package.read("environment.yml").decode()


def test_a_folder_that_is_none_is_refused(capsys):
    assert grade.main(["nowhere"]) == 1
    assert "expected a folder of submissions" in capsys.readouterr().err
