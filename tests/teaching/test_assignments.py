"""Assignments: what is made, what is graded, and that nothing a submission does gains points or harms another."""

import copy
import csv
import json
import re
import socket
import subprocess
import sys

import grade
import make_assignments
import nbformat
import numpy as np
import pytest
from attacks import ATTACKS, PROBES
from conftest import ROOT
from grading import confine, exchange, questions, sandbox, tables
from wrong_submissions import WRONG_SUBMISSIONS

from lib.assignments import student_rng

ASSIGNMENTS = questions.read_assignments()
FIRST = "01_nadaraya_watson"
NEEDS_NAMESPACES = "this system offers no namespaces"


def submission(notebook, answers=None, student="ada", **cells):
    """The notebook with other answers (by number of the question) or cells (by id), and an id."""
    notebook = copy.deepcopy(notebook)
    sources = {f"question-{number}-answer": source for number, source in (answers or {}).items()}
    sources |= {name.replace("_", "-"): source for name, source in cells.items()}
    for cell in notebook.cells:
        cell.source = sources.get(cell.id, cell.source)
        cell.source = cell.source.replace('student_id = ""', f'student_id = "{student}"')
    return notebook


def graded(folder, notebooks, seconds=20, **options):
    """Grade notebooks (by name; text stands for a file that is none) in one go: rows by file, and the report."""
    for name, notebook in notebooks.items():
        path = folder / (name if "." in name else f"{name}.ipynb")
        path.parent.mkdir(exist_ok=True)
        path.write_text(notebook if isinstance(notebook, str) else nbformat.writes(notebook), "utf8")
    lines = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grade, "CELL_SECONDS", seconds)
        patch.setattr(questions, "CALL_SECONDS", min(seconds, questions.CALL_SECONDS))
        rows = grade.grade_folder(folder, report=lines.append, **options)
    return {row.file.removesuffix(".ipynb"): row for row in rows}, lines


def lost(row):
    full = {question.name: question.points for question in ASSIGNMENTS[row.assignment].questions}
    return {name: full[name] - points for name, points in row.questions.items() if points != full[name]}


# ---- Solutions, empty notebooks, and plausible mistakes -------------------------------------------------------


@pytest.fixture(scope="module", params=ASSIGNMENTS)
def chapter(request, tmp_path_factory):
    """All submissions to one assignment: its name and their rows."""
    name, notebooks = request.param, {}
    notebooks["solution"] = submission(ASSIGNMENTS[name].solution)
    notebooks["blank"] = submission(ASSIGNMENTS[name].student)
    for i, (answers, _) in enumerate(WRONG_SUBMISSIONS[name]):
        notebooks[f"wrong{i}"] = submission(ASSIGNMENTS[name].solution, answers, student=f"bob{i}")
    return name, graded(tmp_path_factory.mktemp("chapter"), notebooks)[0]


def test_the_solution_scores_full_marks_and_the_blank_zero(chapter):
    name, rows = chapter
    total = ASSIGNMENTS[name].points
    assert (rows["solution"].points, rows["solution"].out_of) == (total, total)
    assert rows["solution"].feedback == ("all correct",)
    assert (rows["blank"].points, rows["blank"].out_of) == (0, total)
    assert list(rows["blank"].questions) == [question.name for question in ASSIGNMENTS[name].questions]
    assert len(rows["blank"].feedback) == len(rows["blank"].questions)  # one sentence each: there is no answer


def test_wrong_submissions_lose_exactly_what_they_should(chapter):
    name, rows = chapter
    assert len(WRONG_SUBMISSIONS[name]) >= 4
    for i, (_, loses) in enumerate(WRONG_SUBMISSIONS[name]):
        assert lost(rows[f"wrong{i}"]) == loses, rows[f"wrong{i}"]


def test_the_feedback_names_the_mistake(chapter):
    name, rows = chapter
    named = {f"{q.name}: {questions.sentence(slip)}" for q in ASSIGNMENTS[name].questions for slip in q.slips}
    named.add("q2: its memory grows with queries times keys: multiply features and values first")
    for i, (_, loses) in enumerate(WRONG_SUBMISSIONS[name]):
        feedback = [text for text in rows[f"wrong{i}"].feedback if "MemoryError: " not in text]
        assert set(feedback) <= named and {text[:2] for text in feedback} == set(loses), rows[f"wrong{i}"]


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_students_have_a_check_for_each_question(name):
    def failures(notebook):
        failed, names = [], {}
        for cell in submission(notebook).cells:
            if cell.cell_type == "code" and cell.id != "colab":
                try:
                    exec(cell.source, names)
                except AssertionError as error:
                    assert cell.id.endswith("-check") and str(error)
                    failed.append(cell.id)
        return failed

    assignment = ASSIGNMENTS[name]
    checks = [f"question-{i + 1}-check" for i in range(len(assignment.questions))]
    assert failures(assignment.solution) == []
    assert failures(assignment.student) == checks


# ---- Right answers in other clothes -----------------------------------------------------------------------------

HONEST = {
    "continued line": {1: "w = np.exp(-((2 - keys) / 0.5)**2)\n"
                          "estimate_at_2 = float(('%r'\n % float(w @ values / w.sum())))"},
    "text": {1: 'print("""\n%s keys\n""" % len(keys))\nw = np.exp(-((2 - keys) / 0.5)**2)\n'
                "estimate_at_2 = w @ values / w.sum()"},
    "magics": {1: "%matplotlib inline\n%config InlineBackend.figure_format = 'retina'\n!pip install numpy\n"
                  "if True:\n    %time w = np.exp(-((2 - keys) / 0.5)**2)\n"
                  "for _ in range(1):\n    %time\n%time estimate_at_2 = w @ values / w.sum()\n%who_knows 3"},
    "display": {1: "from IPython.display import display\ndisplay(keys)\nget_ipython()\n"
                   "import matplotlib.pyplot as plt\nplt.plot(keys, values)\nplt.show()\n"
                   "w = np.exp(-((2 - keys) / 0.5)**2)\nestimate_at_2 = np.float32(w @ values / w.sum())"},
    "list": {1: "w = np.exp(-((2 - keys) / 0.5)**2)\nestimate_at_2 = [w @ values / w.sum()]"},
    "whole cell": {1: "%%time\nw = np.exp(-((2 - keys) / 0.5)**2)\nestimate_at_2 = w @ values / w.sum()"},
    "loop": {2: """
def leave_one_out_error(keys, values, bandwidth):
    total = 0
    for i in range(len(keys)):
        others = np.arange(len(keys)) != i
        w = np.exp(-((keys[i] - keys[others]) / bandwidth)**2)
        total += (values[i] - w @ values[others] / w.sum())**2
    keys[:], values[:] = 0, 0  # what a function does to its arguments is its own affair
    return total / len(keys)
""", 3: """
from lib.regression import leave_one_out_error as theirs
candidates = np.arange(1, 31) / 20
best_bandwidth = candidates[np.argmin([theirs(keys, values, h) for h in candidates])]
"""},
}  # fmt: skip
LOOP = "while True:\n    try:\n        pass\n    except Exception:\n        pass"
ESTIMATE = "w = np.exp(-((2 - keys) / 0.5)**2)\nestimate_at_2 = w @ values / w.sum()"
LATE_LOOP = "def leave_one_out_error(keys, values, bandwidth):\n    while True:\n        pass"
THEIRS = "from lib.regression import leave_one_out_error"
WRAPPED = f"{THEIRS} as theirs\ndef leave_one_out_error(*arguments):\n    return theirs(*arguments)"


def without_metadata(notebook):
    """As platforms send it back that keep neither ids nor metadata."""
    for cell in notebook.cells:
        cell.metadata = nbformat.NotebookNode()
        del cell["id"]
    notebook.metadata = nbformat.NotebookNode()
    notebook.nbformat_minor = 4
    return notebook


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("submissions")


@pytest.fixture(scope="module")
def rows(folder):
    """One folder with everything in it, graded in one go: the rows by file."""
    solution = ASSIGNMENTS[FIRST].solution
    data = next(cell.source for cell in solution.cells if cell.id == "data")
    rng = "from lib import assignments\nx = assignments.regression('sly')"
    notebooks = {
        "crash": submission(solution, {2: "import os\nos._exit(3)"}, "cleo"),
        "error": submission(solution, {1: "1 / 0"}, "dora"),
        "loop": submission(solution, {3: LOOP}, "emma"),
        "late loop": submission(solution, {2: LATE_LOOP}, "eve"),
        "waits": submission(solution, {1: f"import time\ntime.sleep(4)\n{ESTIMATE}"}, "wim"),
        "megabyte": submission(solution, {1: f"{ESTIMATE}\nprint('x' * 1_000_000)"}, "finn"),
        "rounded": submission(solution, {1: f"{ESTIMATE}\nestimate_at_2 = round(estimate_at_2, 1)"}, "gus"),
        "theirs": submission(solution, {2: THEIRS}, "hana"),
        "theirs wrapped": submission(solution, {2: WRAPPED}, "ian"),
        "hard-coded": submission(solution, {2: f"{rng}\nleave_one_out_error = lambda *_: 0.4863"}, "sly"),
        "other data": submission(solution, None, "hugo", data=f"{data}\nkeys = keys + 1"),
        "plain": without_metadata(submission(solution, student="ivy")),
        "formula": submission(solution, student="=HYPERLINK(1)"),
        "nobody": submission(solution, student=""),
        "twin one": submission(solution, student="tom"),
        "twin two": submission(solution, student=" TOM"),
        "late/another": submission(ASSIGNMENTS["02_bilateral"].solution, student="dora"),
        "no notebook": "no notebook",
        "other.ipynb": nbformat.writes(nbformat.v4.new_notebook()),
        "paper.pdf": "%PDF", "all.zip": "PK", "readme.txt": "-2+3",
    }  # fmt: skip
    (folder / "roster.csv").write_text("Username,First name\nDORA,Dora\nzoe,Zoe\nfinn,Finn\n", "utf8")
    found, lines = graded(folder, notebooks, 3, roster_path=folder / "roster.csv")
    return found | {"lines": lines}


@pytest.fixture(scope="module")
def honest(tmp_path_factory):
    notebooks = {name: submission(ASSIGNMENTS[FIRST].solution, answers, name) for name, answers in HONEST.items()}
    return graded(tmp_path_factory.mktemp("honest"), notebooks, 60)[0]


@pytest.mark.parametrize("name", HONEST)
def test_right_answers_lose_nothing_for_their_style(name, honest):
    row = honest[name]
    assert (row.points, row.feedback) == (row.out_of, ("all correct",)), row


def test_an_error_costs_its_question_only(rows):
    row = rows["error"]
    assert lost(row) == {"q1": 3} and "question-1-answer: ZeroDivisionError: division by zero" in row.remarks
    assert row.feedback == ("q1: ZeroDivisionError: division by zero",)


def test_a_crash_an_endless_loop_and_a_megabyte_cost_their_question_only(rows):
    assert (
        lost(rows["crash"]) == {"q2": 4, "q3": 3} and "question-2-answer: it ended Python" in rows["crash"].remarks
    )
    assert lost(rows["loop"]) == {"q3": 3} and any("it took too long" in text for text in rows["loop"].remarks)
    assert lost(rows["late loop"]).keys() == {"q2", "q3"}
    assert rows["megabyte"].points == 10
    assert any(re.fullmatch(r"printed 1\d{6} characters", text) for text in rows["megabyte"].remarks)


def test_time_in_which_a_busy_machine_does_other_things_costs_nothing(rows):
    assert rows["waits"].points == 10 and "question-1-answer" not in str(rows["waits"].remarks)


def test_a_rounded_answer_is_told_so(rows):
    assert rows["rounded"].feedback == ("q1: right, but rounded: give all digits, and do not round on the way",)


@pytest.mark.parametrize("name", ["theirs", "theirs wrapped"])
def test_what_is_to_be_written_is_not_to_be_called(name, rows):
    assert lost(rows[name])["q2"] == 4 and rows[name].questions["q1"] == 3
    assert any("leave_one_out_error of lib is not to be called here" in text for text in rows[name].feedback)


def test_hard_coded_answers_of_a_function_gain_nothing(rows):
    assert lost(rows["hard-coded"])["q2"] == 4


def test_changed_data_are_reported_and_do_not_count(rows):
    assert "changed given cells: data" in rows["other data"].remarks and rows["other data"].points < 10


def test_ids_are_asked_for(rows):
    assert "no student id" in rows["nobody"].remarks and rows["nobody"].points < 10
    assert "same id as twin two.ipynb" in rows["twin one"].remarks
    assert "same id as twin one.ipynb" in rows["twin two"].remarks


def test_each_file_has_a_row_with_the_reason(rows):
    assert rows["plain"].points == 10
    assert "the notebook does not say which assignment it is; its answers do" in rows["plain"].remarks
    reasons = {
        "no notebook": "not a notebook", "other": "of none of the assignments", "paper.pdf": r"a \.pdf cannot",
        "all.zip": "unpack it", "readme.txt": r"a \.txt cannot",
    }  # fmt: skip
    for name, reason in reasons.items():
        assert re.search(reason, rows[name].remarks[0]) and rows[name].points == 0


def table(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_has_a_column_for_each_question_and_no_formula(rows, folder):
    entries = {entry["file"]: entry for entry in table(folder / "grades.csv")}
    assert len(entries) == len(rows) - 1
    error = entries["error.ipynb"]
    assert [error[name] for name in ("student", "points", "out_of", "q1", "q2", "q3")] == [
        "dora",
        "7",
        "10",
        "0",
        "4",
        "3",
    ]
    assert entries["formula.ipynb"]["student"] == "'=HYPERLINK(1)"
    for name in tables.OWN_FILES[:3]:
        text = (folder / name).read_text("utf-8-sig")
        assert not any(
            cell[:1] in tuple("=+-@\t\r\n") for line in csv.reader(text.splitlines()) for cell in line if cell
        )


def test_forms_for_canvas_and_moodle(rows, folder):
    titles = [ASSIGNMENTS[name].title for name in (FIRST, "02_bilateral")]
    canvas = table(folder / "grades_canvas.csv")
    assert list(canvas[0]) == [*tables.CANVAS, *titles]
    dora = next(entry for entry in canvas if entry["SIS Login ID"] == "dora")
    assert [dora[title] for title in titles] == ["7", "10"]
    moodle = {entry["username"]: entry for entry in table(folder / "grades_moodle.csv")}
    assert moodle["DORA"][titles[0]] == "7" and "ZeroDivisionError" in moodle["DORA"][f"{titles[0]} (feedback)"]
    assert "tom" not in {name.strip().lower() for name in moodle}  # two files, one id: the teacher decides


def test_the_roster_tells_unknown_and_missing_ids(rows):
    assert "this id is not in the roster" in rows["crash"].remarks
    assert "this id is not in the roster" not in rows["error"].remarks
    assert "1 of the roster handed in nothing: zoe" in rows["lines"]


def test_a_roster_of_canvas_gives_its_own_columns(tmp_path):
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section\nLovelace Ada,17,s17,ADA,A\nPoints,,,,\n", "utf8"
    )
    read = tables.read_roster(roster)
    row = tables.Row("x", student="ada", assignment=FIRST, points=9)
    tables.write_forms(tmp_path, [row], {FIRST: "One"}, read)
    assert (tmp_path / "grades_canvas.csv").read_text("utf-8-sig").split() == [
        "Student,ID,SIS", "User", "ID,SIS", "Login", "ID,Section,One", "Lovelace", "Ada,17,s17,ADA,A,9",
    ]  # fmt: skip


def test_a_roster_without_ids_is_refused(tmp_path):
    (tmp_path / "roster.csv").write_text("name\nAda\n", "utf8")
    with pytest.raises(ValueError, match="expected a column called one of"):
        tables.read_roster(tmp_path / "roster.csv")


def test_a_stopped_run_goes_on_where_it_was(tmp_path):
    notebooks = {f"s{i}": submission(ASSIGNMENTS[FIRST].student, student=f"s{i}") for i in range(3)}

    def stop_after_one(line):
        raise KeyboardInterrupt(line)

    with pytest.raises(KeyboardInterrupt):
        graded_until(tmp_path, notebooks, stop_after_one)
    assert len(table(tmp_path / "grades.csv")) == 1  # written as it is graded
    journal = tmp_path / "grades.jsonl"
    journal.write_text(journal.read_text("utf8") + '{"file": "cut o', "utf8")
    changed = {"s2": submission(ASSIGNMENTS[FIRST].solution, student="s2")}
    done = len(grade.graded_before(journal))
    rows, lines = graded(tmp_path, changed)
    assert lines[0].startswith(f"{done} of 3 files were graded before") and len(rows) == 3
    assert rows["s2"].points == 10 and len(lines) == 1 + 3 - done


def graded_until(folder, notebooks, report):
    for name, notebook in notebooks.items():
        (folder / f"{name}.ipynb").write_text(nbformat.writes(notebook), "utf8")
    grade.grade_folder(folder, processes=1, report=report)


# ---- Attacks ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def way():
    with sandbox.Course("nowhere") as course:
        return course.way


@pytest.fixture(scope="module")
def courses():
    """The folders that submissions were shown."""
    return []


@pytest.fixture(scope="module")
def attacked(courses, tmp_path_factory):
    """All attacks in one folder, with an honest submission among them; a server that hears who connects."""

    class Recorded(sandbox.Course):
        def __init__(self, hidden):
            super().__init__(hidden)
            courses.append(self.folder)

    blank = ASSIGNMENTS[FIRST].student
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        sources = ATTACKS | {name: source.replace("@PORT@", port) for name, (source, _) in PROBES.items()}
        notebooks = {name: submission(blank, {1: source}, "mallory") for name, source in sources.items()}
        notebooks["zz honest"] = submission(ASSIGNMENTS[FIRST].solution, student="hope")
        notebooks["zz tricks"] = submission(
            ASSIGNMENTS[FIRST].solution,
            {2: f"{ATTACKS['patches NumPy, json and the system']}\n{ATTACKS['traces the harness']}"},
            "hope",
        )
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(grade, "Course", Recorded)
            return graded(tmp_path_factory.mktemp("attacks"), notebooks, 3)[0]


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_gains_nothing(name, attacked):
    assert attacked[name].points == 0 and attacked[name].out_of == 10


@pytest.mark.parametrize("name", PROBES)
def test_what_is_protected_is_out_of_reach(name, attacked, way):
    if way == "none":
        pytest.skip(NEEDS_NAMESPACES)
    assert attacked[name].student == PROBES[name][1]


def test_others_do_not_notice_an_attack(attacked):
    assert attacked["zz honest"].points == 10
    assert attacked["zz tricks"].points <= 10 - 4
    assert len(attacked) == len(ATTACKS) + len(PROBES) + 2


def test_nothing_survives(attacked, courses):
    running = subprocess.run(["ps", "-A", "-o", "args"], capture_output=True, text=True).stdout
    assert len(courses) == 1 and "pytest" in running
    assert [line for line in running.splitlines() if str(courses[0]) in line] == [] and not courses[0].exists()


def test_without_namespaces_the_report_says_so_and_limits_hold(tmp_path, monkeypatch):
    monkeypatch.setattr(confine, "WAYS", ())
    blank = ASSIGNMENTS[FIRST].student
    names = ("kills its parent and its group", "a process that survives")
    notebooks = {name: submission(blank, {1: ATTACKS[name]}, "mallory") for name in names}
    notebooks["honest"] = submission(ASSIGNMENTS[FIRST].solution)
    rows, lines = graded(tmp_path, notebooks, 3)
    assert sandbox.UNPROTECTED in lines
    assert [rows[name].points for name in notebooks] == [0, 0, 10]


def test_a_user_without_rights_makes_namespaces_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setattr(confine, "WAYS", ("user",))
    names = ("solutions and tests on the disk", "other processes", "more than its share of the disk")
    blank = ASSIGNMENTS[FIRST].student
    rows, lines = graded(tmp_path, {name: submission(blank, {1: PROBES[name][0]}, "mallory") for name in names}, 3)
    if sandbox.UNPROTECTED in lines:
        pytest.skip(NEEDS_NAMESPACES)
    assert [rows[name].student for name in names] == [PROBES[name][1] for name in names]


def test_plain_data_are_all_that_is_exchanged():
    given = {"a": (1, 2.5, "text", None), "b": np.arange(6).reshape(2, 3), "c": np.array([np.nan, np.inf, -0.0])}
    again = exchange.decode(exchange.encode(given))
    assert again["a"] == given["a"] and again["b"].dtype == int
    np.testing.assert_array_equal(again["b"], given["b"])
    np.testing.assert_array_equal(again["c"], given["c"])
    deep, huge = b"[" * 10**5 + b"]" * 10**5, b'{"array": "", "whole": false, "shape": [1000000, 1000000]}'
    for data in (b"", b"\xff", b"{", deep, huge, b'{"array": 3}', b'{"array": "AAAA", "whole": 0, "shape": [1]}'):
        with pytest.raises(ValueError, match="expected plain data"):
            exchange.decode(data)


def test_the_rules_for_macos_name_what_is_hidden(tmp_path):
    rules = confine.profile(tmp_path / "course", tmp_path / "work", ROOT, tmp_path)
    assert (
        f'(subpath "{ROOT.resolve()}")' in rules
        and "(deny network*)" in rules
        and rules.count("(") == rules.count(")")
    )


# ---- What is made -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """All assignments, made anew: the folder of what students get."""
    student, private = (tmp_path_factory.mktemp(name) for name in ("student", "private"))
    for master in sorted(make_assignments.MASTERS.glob("*.ipynb")):
        make_assignments.make_assignment(master, student, private)
    return student


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_what_students_get_is_what_the_masters_make(name, made):
    """Run `make assignments` after a change of a master."""
    again = (made / f"{name}.ipynb").read_text("utf8")
    assert (ROOT / "assignments" / f"{name}.ipynb").read_text("utf8") == again
    count, points = len(ASSIGNMENTS[name].questions), ASSIGNMENTS[name].points
    assert f"{count} questions and {points:g} points" in again
    headings = re.findall(r"## Question (\d) \(([\d.]+) points\)", again)
    assert headings == [(str(i + 1), f"{q.points:g}") for i, q in enumerate(ASSIGNMENTS[name].questions)]


def secrets_of(master):
    """Lines of the solutions and of the cells that grade, long enough to be recognised."""
    for cell in nbformat.read(master, as_version=4).cells:
        parts = questions.SOLUTION.findall(cell.source)
        parts += [cell.source] if cell.source.startswith(questions.GRADING) else []
        lines = (line.strip() for part in parts for line in part.splitlines())
        yield from (line for line in lines if len(line) > 25 and not line.startswith(("from ", "def ")))


def test_solutions_are_neither_in_what_students_get_nor_in_the_site(built_site):
    secrets = {line for master in make_assignments.MASTERS.glob("*.ipynb") for line in secrets_of(master)}
    sentences = {line for line in secrets if line.startswith('"""')}
    assert len(secrets) > 200 and len(sentences) > 100
    files = [path for path in built_site.rglob("*") if path.suffix in {".html", ".ipynb", ".js", ".json", ".txt"}]
    for path in [*(ROOT / "assignments").glob("*.ipynb"), *files]:
        text = path.read_text("utf8", errors="replace")
        found = [line for line in sentences if line.strip('"') in text]
        if path.parent.name == "assignments" and path.suffix == ".ipynb":
            sources = "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
            found += [line for line in secrets if line in sources]
        assert found == [], path
    assert not any(path.name == "solution.ipynb" for path in built_site.rglob("*"))


OWN_QUESTION = (ROOT / "teaching" / "own_question.md").read_text("utf8")


def documented_cells():
    """The cells of a question as teaching/own_question.md shows them."""
    text, answer, check, grading = re.findall(r"^```(?:md|python)\n(.*?)^```$", OWN_QUESTION, re.M | re.S)
    kinds = ("markdown", "code", "code", "code")
    names = ("question-4", "question-4-answer", "question-4-check", "question-4-grading")
    for kind, name, source in zip(kinds, names, (text, answer, check, grading), strict=True):
        yield (nbformat.v4.new_markdown_cell if kind == "markdown" else nbformat.v4.new_code_cell)(
            source.rstrip(), id=name
        )


def test_a_question_of_your_own_is_made_and_graded(tmp_path):
    masters, folder, students = (tmp_path / name for name in ("masters", "folder", "students"))
    master = nbformat.read(make_assignments.MASTERS / f"{FIRST}.ipynb", as_version=4)
    master.cells += documented_cells()
    for path in (masters, folder, students):
        path.mkdir()
    (masters / f"{FIRST}.ipynb").write_text(nbformat.writes(master), "utf8")
    made = make_assignments.make_assignment(masters / f"{FIRST}.ipynb", students, tmp_path / "private")
    assert made.points == 12 and "4 questions and 12 points" in (students / f"{FIRST}.ipynb").read_text("utf8")
    assert "## Question 4 (2 points)" in (students / f"{FIRST}.ipynb").read_text("utf8")
    notebooks = {
        "solution": submission(made.solution),
        "blank": submission(made.student),
        "slip": submission(made.solution, {4: "mean_distance = lambda keys: np.abs(keys[:, None] - keys).sum()"}),
    }  # fmt: skip
    rows, _ = graded(folder, notebooks, masters=masters)
    assert (rows["solution"].points, rows["blank"].points, rows["slip"].points) == (12, 0, 10)
    assert rows["slip"].feedback == ("q4: this is the sum of the distances: take their mean",)
    assert "q4" in table(folder / "grades.csv")[0]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("# GRADING\nanswer = 'x'\n@cases(1)\ndef f(): yield 1", "expected a function `right`"),
        ("# GRADING\ndef right(): return 1", "expected `answer = "),
        ("# GRADING\nanswer = 'x'\nright = lambda: 1", "expected parts that give points"),
    ],
)
def test_a_question_that_says_too_little_is_refused(source, message):
    with pytest.raises(ValueError, match=message):
        questions.read_question("q1", source, nbformat.v4.new_code_cell("x = 1"))


NEAR = """# GRADING
answer, rtol = "x", 0.1

@cases(1)
def case():
    yield 1.0

def right(number):
    return 2 * number

@slip
def near(number):
    "near"
    return 1.05 * number

@slip
def exact(number):
    "exact"
    return number
"""


def test_of_two_mistakes_with_nearly_one_number_the_nearer_is_named():
    question = questions.read_question("q1", NEAR, nbformat.v4.new_code_cell("x = 2.0"))
    for given, named in ((1.0, "exact"), (1.04, "near")):
        assert questions.matched(question, [(given, 2.0, (1.0,))], []) == [named]


def test_data_differ_by_student_and_stay():
    one, same, other = (student_rng(name, 1).normal(size=5) for name in ("ada", " Ada ", "bob"))
    np.testing.assert_array_equal(one, same)
    assert not np.allclose(one, other)
    assert not np.allclose(one, student_rng("ada", 2).normal(size=5))


@pytest.mark.parametrize("name", ["", "  "])
def test_an_empty_id_is_refused(name):
    with pytest.raises(ValueError, match="student_id: expected your id"):
        student_rng(name, 1)


@pytest.mark.parametrize("folder", ["nowhere", ""])
def test_a_folder_that_is_none_is_refused(folder, capsys):
    assert grade.main([folder]) == 1
    assert "expected a folder of submissions" in capsys.readouterr().err


def test_the_command_of_the_readme(tmp_path):
    (tmp_path / "paper.pdf").write_text("%PDF", "utf8")
    done = subprocess.run([sys.executable, ROOT / "tools" / "grade.py", tmp_path], capture_output=True, text=True)
    assert done.returncode == 0 and "1 files: " in done.stdout, done.stderr
    assert json.loads((tmp_path / "grades.jsonl").read_text("utf8"))["file"] == "paper.pdf"
