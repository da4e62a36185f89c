"""Notebooks made with a key: what they have in common with the public ones, and which key grades them."""

import re

import nbformat
import numpy as np
import pytest

from tests.teaching.submissions import ASSIGNMENTS, FIRST, graded, needs_engine, submission
from tools.grading import grade, make_assignments, questions

KEYS = [b"a key of some length", b"another key of some length"]


@pytest.fixture(scope="module")
def sets(tmp_path_factory):
    """The masters of two keys, and the assignments that they make."""
    masters = [make_assignments.make_all(key, tmp_path_factory.mktemp("set")) for key in KEYS]
    return masters, [questions.read_assignments(folder) for folder in masters]


def test_key_salts_assignments_and_examination(sets):
    salts = set()
    for made in sets[1]:
        assert set(made) == {*ASSIGNMENTS, "examination"}
        for assignment in made.values():
            text = "\n".join(cell.source for cell in assignment.student.cells)
            (salt,) = set(re.findall(r"salt=(\d+)", text)) or set(re.findall(r'"nobody", (\d+)\)', text))
            assert int(salt) > 2**20 and "DRAWN" not in text
            salts.add(salt)
    assert len(salts) == 2 * 10  # an assignment's salt reveals nothing about the examination's


def test_public_solutions_do_not_fit_keyed_notebooks(sets, tmp_path, capsys):
    """Each value that depends on the student, for the public notebooks and for those of a key."""

    def printed(folder):
        make_assignments.print_solutions("ada", folder)
        return re.findall(r"^# (\w+): (.*?)(?=\n\n|\Z)", capsys.readouterr().out, re.MULTILINE | re.DOTALL)

    public, drawn = printed(make_assignments.MASTERS), printed(sets[0][0])
    assert len(public) > 20 and len(drawn) > 20
    of = lambda pairs, name: {value for other, value in pairs if other == name}
    asked = [question for assignment in ASSIGNMENTS.values() for question in assignment.questions]
    values = {question.answer for question in asked if not question.is_function}
    assert len(values) == 3
    for name in values:
        assert of(public, name) and not of(public, name) & of(drawn, name), name


def test_notebook_states_version_of_its_key(sets):
    for key, made in zip(KEYS, sets[1], strict=True):
        for assignment in made.values():
            version = make_assignments.version(key)
            assert assignment.version == assignment.student.metadata["version"] == version
            assert f"Version {version}" in assignment.student.cells[0].source
    assert all("version" not in assignment.student.metadata for assignment in ASSIGNMENTS.values())


def plain(notebook, lost=()):
    if "metadata" in lost:
        notebook.metadata = nbformat.NotebookNode()
    if "text" in lost:
        notebook.cells[0].source = "my homework"
    return notebook


@needs_engine
def test_two_keys_are_graded_in_one_run(sets, tmp_path):
    (one, other), (first, second) = sets
    notebooks = {
        "public": submission(ASSIGNMENTS[FIRST].solution, student="a"),
        "first": submission(first[FIRST].solution, student="b"),
        "second": submission(second[FIRST].solution, student="c"),
        "no metadata": plain(submission(second[FIRST].solution, student="d"), ["metadata"]),
        "nothing": plain(submission(second[FIRST].solution, student="e"), ["metadata", "text"]),
    }
    both, _ = graded(tmp_path / "both", notebooks, masters=[one, other])
    assert {name: row.points for name, row in both.items()} == dict.fromkeys(notebooks, 10) | {"public": 0}
    assert re.match("this notebook is made without a key, and this run grades version", both["public"].remarks[0])
    alone, _ = graded(tmp_path / "alone", notebooks, masters=[one])
    mine, theirs = map(make_assignments.version, KEYS)
    end = f", and this run grades version {mine}: use the SECRET=… that made it, or none"
    known = f"this notebook is of version {theirs}{end}"
    unknown = f"this notebook is made with another key{end}"
    for name, sentence in {"second": known, "no metadata": known, "nothing": unknown}.items():
        assert (alone[name].points, alone[name].remarks[-1]) == (0, sentence)
    public, _ = graded(tmp_path / "public", {"first": notebooks["first"]})
    assert (
        public["first"].remarks[0].startswith(f"this notebook is of version {mine}, and this run grades notebooks")
    )


@needs_engine
def test_public_and_keyed_notebooks_are_graded_in_one_run(sets, tmp_path, monkeypatch):
    """A class that changed to a key in mid-term, and an old notebook that nobody has filled in."""
    monkeypatch.setattr(make_assignments, "BUILD", tmp_path)
    key, other = (tmp_path / name for name in ("key", "other"))
    key.write_bytes(KEYS[0]), other.write_bytes(KEYS[1])
    (first, second), public = sets[1], ASSIGNMENTS[FIRST]
    notebooks = {
        "public": submission(public.solution, student="a"),
        "keyed": submission(first[FIRST].solution, student="b"),
        "other": submission(second[FIRST].solution, student="c"),
        "empty": submission(second[FIRST].student, student="d"),
        "no metadata": plain(submission(public.solution, student="e"), ["metadata", "text"]),
    }
    masters = grade.masters_of(f"{key}, public")
    assert [folder.parts[-3:-1] for folder in masters[:1]] + masters[1:] == [
        (f"set-{make_assignments.version(KEYS[0])}", "private"),
        questions.MASTERS,
    ]
    rows, _ = graded(tmp_path / "class", notebooks, masters=masters)
    expected = {"public": 10, "keyed": 10, "other": 0, "empty": 0, "no metadata": 10}
    assert {name: row.points for name, row in rows.items()} == expected
    versions = " ".join(map(make_assignments.version, KEYS))
    assert " ".join([rows["keyed"].version, rows["other"].version]) == versions
    grades = f"grades version {rows['keyed'].version} and notebooks made without a key: "
    assert grades in rows["other"].remarks[0]
    assert {name: row.assignment for name, row in rows.items()} == dict.fromkeys(notebooks, FIRST)
    assert (rows["other"].counts, rows["empty"].counts) == ("yes", "no")
    assert "none of its questions has an answer" in rows["empty"].remarks


def test_set_is_made_from_one_key(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for secret in ("key,public", "public"):
        with pytest.raises(ValueError, match="SECRET: expected one file with a key"):
            make_assignments.main(["--secret", secret])
    assert not list(tmp_path.iterdir())


def test_set_separates_students_notebooks_from_solutions(sets):
    for masters in sets[0]:
        folder = masters.parents[1]
        assert {path.name for path in folder.iterdir()} == {"students", "private"}
        assert {path.stem for path in (folder / "students").iterdir()} == {*ASSIGNMENTS, "examination"}
        assert (folder / "private").stat().st_mode & 0o077 == 0


def test_grading_keeps_edited_notebooks_of_students(tmp_path):
    masters = make_assignments.make_all(KEYS[0], tmp_path)
    notebook = tmp_path / "students" / f"{FIRST}.ipynb"
    notebook.write_text("due on Monday")
    assert make_assignments.make_masters(KEYS[0], tmp_path) == masters
    assert notebook.read_text() == "due on Monday"


def test_printing_solutions_keeps_edited_notebooks_of_students(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(make_assignments, "BUILD", tmp_path)
    (tmp_path / "key").write_bytes(KEYS[0])
    students = tmp_path / f"set-{make_assignments.version(KEYS[0])}" / "students"
    students.mkdir(parents=True)
    (students / f"{FIRST}.ipynb").write_text("due on Monday")
    make_assignments.main(["--secret", str(tmp_path / "key"), "--id", "ada"])
    assert f"# {FIRST}, ada" in capsys.readouterr().out
    assert (students / f"{FIRST}.ipynb").read_text() == "due on Monday"


def test_grading_creates_no_key(tmp_path, capsys):
    (tmp_path / "class").mkdir()
    assert grade.main([str(tmp_path / "class"), "--secret", str(tmp_path / "typo")]) == 1
    assert "SECRET: expected the file with the key that made the notebooks" in capsys.readouterr().err
    assert not (tmp_path / "typo").exists()


def test_salt_changes_the_data():
    from lib.assignments import student_rng

    drawn = [student_rng("ada", 1, salt).normal() for salt in (0, 1, 2)]
    assert len(set(drawn)) == 3 and np.isfinite(drawn).all()
