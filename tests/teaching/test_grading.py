"""Grading a folder: unusual but honest submissions, files of all kinds, attacks, and signed tables."""

import contextlib
import csv
import io
import json
import os
import re
import shutil
import socket
import subprocess
import tracemalloc
import zipfile
from functools import partial

import nbformat
import numpy as np
import pytest

from tests.conftest import ROOT
from tests.teaching.attacks import ATTACKS, BYPASSES, PROBES
from tests.teaching.submissions import (
    ASSIGNMENTS,
    FIRST,
    graded,
    lost,
    needs_engine,
    put,
    shared_course,
    submission,
    table,
    zipped,
)
from tools.grading import (
    attempts,
    engines,
    exchange,
    grade,
    identity,
    meter,
    notebooks,
    questions,
    results,
    sandbox,
    tables,
)

pytestmark = needs_engine
SOLUTION, BLANK = ASSIGNMENTS[FIRST].solution, ASSIGNMENTS[FIRST].student
ESTIMATE = "w = np.exp(-((2 - keys) / 0.5)**2)\nestimate_at_2 = w @ values / w.sum()"
WEIGHTS = """def bilateral_weights(row, pixel):
    positions = np.arange(len(row))
    kernel = np.exp(-(((positions - pixel) / 3) ** 2) - ((row - row[pixel]) / 0.2) ** 2)
    weights = kernel / kernel.sum()
    return weights"""

HONEST = """
x = ('%r'
 % float(keys[0]))
print('''
%s keys
''' % len(keys))
%matplotlib inline
%config InlineBackend.figure_format = 'retina'
!pip install numpy
%pip install numpy
if True:
    %time w = np.exp(-((2 - keys) / 0.5)**2)
%time
%who_knows 3
files = !ls /
files[0].upper(), files.n, files.s

from IPython.display import display
display(keys)
get_ipython()
import matplotlib.pyplot as plt
plt.plot(keys, values)
plt.show()

import sys
sys.stdout.encoding, sys.stdout.isatty()
sys.stdout.writelines(['a'])
print('x', file=sys.stderr, flush=True)
import doctest
doctest.testmod()

import getpass, os
open(os.path.expanduser('~/notes'), 'w').write(getpass.getuser())
"""
PACKAGES = "import scipy, pandas, matplotlib, sympy, sklearn, skimage, torch"  # what the text of a notebook names
PROCESSES = """
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(8) as pool:
    list(pool.map(abs, range(50)))
def square(x):
    return x * x
import multiprocessing
with multiprocessing.Pool(2) as pool:
    assert pool.map(square, [1, 2]) == [1, 4]
"""
TENSOR = """
import torch
estimate_at_2 = torch.tensor(float(estimate_at_2), dtype=torch.float64, requires_grad=True)
"""
LOOP_2 = """
def leave_one_out_error(keys, values, bandwidth):
    total = 0
    for i in range(len(keys)):
        others = np.arange(len(keys)) != i
        w = np.exp(-((keys[i] - keys[others]) / bandwidth)**2)
        total += (values[i] - w @ values[others] / w.sum())**2
    keys[:], values[:] = 0, 0  # a function may modify its arguments
    return total / len(keys)
"""
THEIRS_3 = """
from lib.regression import leave_one_out_error as theirs
candidates = np.arange(10, 301) / 200
def best_bandwidth(keys, values):
    return candidates[np.argmin([theirs(keys, values, h) for h in candidates])]
"""
COMPARED = """
import tqdm_that_is_not_here
from lib import plotting
from lib.regression import *
from lib.regression import leave_one_out_error as theirs
try:
    their_error = theirs(keys, values, 0.5)
except ValueError:
    raise
print("lib says", their_error, "{:.3f}".format(their_error))
fig, ax = plotting.plt.subplots()
their_errors = [theirs(keys, values, h) for h in (0.2, 0.5)]
"""
DATA = next(cell.source for cell in SOLUTION.cells if cell.id == "data")


def without_metadata(notebook):
    """The notebook without cell ids and metadata, which some platforms drop."""
    for cell in notebook.cells:
        cell.metadata = nbformat.NotebookNode()
        del cell["id"]
    notebook.metadata = nbformat.NotebookNode()
    notebook.nbformat_minor = 4
    return notebook


def with_outputs(notebook, megabytes):
    output = nbformat.v4.new_output("stream", text="x" * 2**20)
    next(cell for cell in notebook.cells if cell.cell_type == "code").outputs = [output] * megabytes
    return notebook


def split(notebook, name):
    """The notebook with a cell split before its last line, and a new cell in between."""
    i = next(i for i, cell in enumerate(notebook.cells) if cell.id == name)
    first, last = notebook.cells[i].source.rsplit("\n", 1)
    notebook.cells[i].source = first
    notebook.cells[i + 1 : i + 1] = [nbformat.v4.new_code_cell(text) for text in ("import matplotlib", last)]
    return notebook


def as_ada(student="ada", **cells):
    return submission(SOLUTION, student=student, **cells)


def with_id(line):
    return as_ada(data=DATA.replace('student_id = ""', line))


def written(student):
    return nbformat.writes(as_ada(student))


TEXT = written("encoding")
BOMB = '{"metadata": {"x": [' + ",".join(["[{},{}]"] * 3_000_000) + ']}, "cells": []}'
LEAVE_ONE_OUT = next(cell.source for cell in SOLUTION.cells if cell.id == "question-2-answer")
FULL = {  # each gets ten points and none of these remarks
    "compared": submission(SOLUTION, {2: COMPARED + LEAVE_ONE_OUT}, "cora", data=f"import tqdm_none\n{DATA}"),
    "split": split(as_ada("sam"), "data"),
    "cr": as_ada("cr", data=DATA.replace("\n", "\r")),
    "honest": submission(SOLUTION, {1: f"{HONEST}{PROCESSES}{ESTIMATE}", 2: LOOP_2, 3: THEIRS_3}, "hope"),
    "list": submission(SOLUTION, {1: f"%%time\n{ESTIMATE}\nestimate_at_2 = [np.float32(estimate_at_2)]"}, "lisa"),
    "tensor": submission(SOLUTION, {1: f"{PACKAGES}\n{ESTIMATE}{TENSOR}"}, "tess"),
    "number": with_id("student_id = 1234567"),
    "no blanks": with_id("student_id='b'"),
    "typed": with_id("student_id: str = 'c'"),
    "windows": as_ada("w", data=DATA.replace("\n", "\r\n")),
    "heavy": with_outputs(as_ada("heavy"), 20),
    "plain": without_metadata(as_ada("ivy")),
    "mark.ipynb": "\ufeff" + TEXT, "wide.ipynb": TEXT.encode("utf-16"),
    "latin.ipynb": TEXT.encode("cp1252", "replace"),
    "text.ipynb.txt": TEXT, "data.ipynb.json": TEXT, "nothing": TEXT,
    "two.zip": zipped(a_dot_ipynb=written("z1"), _in_slash_b_dot_ipynb=written("z2")),
    "class.zip": zipped(inner_dot_zip=zipped(c_dot_ipynb=written("z3")), plot_dot_png=b"PNG"),
}  # fmt: skip
REASONS = {  # files without points, and their remarks
    "none.ipynb": ("no notebook", "not a notebook"),
    "null.ipynb": ("null", "not a notebook"),
    "void.ipynb": ("", "an empty file"),
    "page.ipynb": ("<!DOCTYPE html>", "a web page"),
    "merge.ipynb": ("<<<<<<< HEAD", "an unfinished merge"),
    "old.ipynb": ('{"worksheets": [], "nbformat": 3}', "before 2015"),
    "other.ipynb": (nbformat.writes(nbformat.v4.new_notebook()), "of none of the assignments"),
    "bomb.ipynb": (BOMB, "too large|none of"),
    "cells.ipynb": (json.dumps({"cells": [{"cell_type": "code", "source": "1"}] * 600}), "more than 500 cells"),
    "long.ipynb": (json.dumps({"cells": [{"source": "x" * 6 * 2**20}]}), "more than 5 megabytes"),
    "huge.ipynb": (b'{"x": "' + b"x" * 52 * 2**20 + b'"}', "more than 50 megabytes"),
    "text.docx": (b"PK\x03\x04", r"a \.docx file cannot be graded"),
    "paper.pdf": ("%PDF", r"a \.pdf file cannot be graded"),
    "all.zip": (b"PK\x03\x04", "a damaged zip"),
    "all.rar": ("Rar!", "unpack it, or pack it as a zip"),
    "links.zip": (zipped(x_dot_ipynb="->../../../etc/passwd"), "a link, and not a file"),
    "none.zip": (zipped(a_dot_png=b"PNG"), "a zip without a notebook"),
    "deep.zip": (zipped(a_dot_zip=zipped(b_dot_zip=zipped(c_dot_ipynb=b"{}"))), "a zip in a zip in a zip"),
}  # fmt: skip
LOOP = "while True:\n    try:\n        pass\n    except Exception:\n        pass"
LATE_LOOP = "def leave_one_out_error(keys, values, bandwidth):\n    while True:\n        pass"
MOODLE = "Zoe Müller_17_assignsubmission_file_"
FIXED = "from lib import assignments\nx = assignments.regression('sly')\nleave_one_out_error = lambda *_: 0.4863"
ODD = {  # the points that it loses, and its message
    "error": ({1: "1 / 0"}, {"q1": 2}, "q1: ZeroDivisionError: division by zero"),
    "crash": ({2: "import os\nos._exit(3)"}, {"q2": 4, "q3": 4}, "question-2-answer: it ended Python"),
    "loop": ({3: LOOP}, {"q3": 4}, "q3: TookTooLong: it was stopped, because it took too long"),
    "late loop": ({2: LATE_LOOP}, {"q2": 4, "q3": 4}, "it was stopped, because it took too long"),
    "asks": ({1: f"n = input()\n{ESTIMATE}"}, {"q1": 2}, "write the value into the cell"),
    "renamed": ({2: "def loo(*data):\n    return 0"}, {"q2": 4, "q3": 4}, "there is no leave_one_out_error"),
    "fixed": ({2: FIXED}, {"q2": 4, "q3": 4}, "wrong on your own data"),
    "pair": ({1: f"{ESTIMATE}\nestimate_at_2 = 2 * [estimate_at_2]"}, {"q1": 2}, r"wrong shape: expected \(1,\)"),
}  # fmt: skip


def grade_oddities(folder):
    """Grade one file for each unusual case. Return its folder, and the rows by file with the lines of the run."""
    notebooks = {f"odd {name}": submission(SOLUTION, answers, name) for name, (answers, *_) in ODD.items()}
    notebooks |= {name: content for name, (content, _) in REASONS.items()}
    bilateral = ASSIGNMENTS["02_bilateral"].solution
    notebooks |= {
        "column": submission(bilateral, {1: f"{WEIGHTS}[:, None]"}, "column"),
        "four digits": submission(bilateral, {1: f"{WEIGHTS}.round(4)"}, "d"),
        "waits": submission(SOLUTION, {1: f"import time\ntime.sleep(1)\n{ESTIMATE}"}, "wim"),
        "lovelaceada_4005_98_a.ipynb": as_ada("finn"),
        "hoppergrace_LATE_4006_99_a.ipynb": as_ada("finn"),
        f"{MOODLE}/a.ipynb": as_ada("mo"),
        "markup": submission(SOLUTION, {1: 'raise ValueError("<script>＝1+1")'}, "＝1+1"),
        "book": submission(SOLUTION, {1: "raise ValueError('x' * 10**6)"}, "long"),
        "empty": submission(BLANK, student="empty"),
        "accents": as_ada("Jose\u0301"),
        "megabyte": submission(SOLUTION, {1: f"{ESTIMATE}\nprint('x' * 1_000_000)"}, "finn"),
        "other data": submission(SOLUTION, None, "hugo", data=DATA.replace("keys, values =", "values, keys =")),
        "formula": submission(SOLUTION, student="=HYPERLINK(1)"),
        "semicolon": submission(SOLUTION, student="a;=1+1"),
        "nobody": submission(SOLUTION, student=""),
        "true": with_id("student_id = True"),
        "twin one": submission(SOLUTION, student="tom"),
        "twin two": submission(SOLUTION, student=" TOM"),
        "late/another": submission(bilateral, student="error"),
    }
    (folder / "roster.csv").write_text("Username,First name\nERROR,Dora\nzoe,Zoe\nfinn,Finn\n", "utf8")
    os.symlink(ROOT / "teaching", folder / "linked")
    os.symlink(ROOT / "tools" / "grade.py", folder / "link.ipynb")
    os.mkfifo(folder / "pipe.ipynb")
    with open(os.path.join(os.fsencode(folder), b"M\xfcller\x1b.ipynb"), "w") as file:
        file.write(nbformat.writes(as_ada("latin")))
    found, lines = graded(folder, notebooks, 2, roster_path=folder / "roster.csv")
    return folder, found | {"lines": lines}


@pytest.fixture(scope="module")
def folder_and_rows(computed_once, tmp_path_factory):
    return computed_once("oddities", lambda: grade_oddities(tmp_path_factory.mktemp("submissions")))


@pytest.fixture(scope="module")
def folder(folder_and_rows):
    return folder_and_rows[0]


@pytest.fixture(scope="module")
def rows(folder_and_rows):
    return folder_and_rows[1]


def grade_full(target):
    put(target, {name: FULL[name] for name in FULL if name != "nothing"})
    (target / "nothing").write_text(TEXT, "utf8")
    return graded(target, {}, 60)[0]


@pytest.fixture(scope="module")
def full(computed_once, tmp_path_factory):
    return computed_once("full", lambda: grade_full(tmp_path_factory.mktemp("full")))


@pytest.mark.variant
def test_unusual_but_correct_notebooks_lose_no_points(full):
    assert len(full) == len(FULL) + 1  # one of the files is a zip with two notebooks
    for row in full.values():
        assert (row.points, row.feedback) == (10, ("all correct",)), row
        assert not re.search("changed given cells|no id", str(row.remarks)), row
    assert (full["number"].student, full["two.zip/a"].student) == ("1234567", "z1")
    assert "the notebook does not say which assignment it is; its answers do" in full["plain"].remarks


@pytest.mark.parametrize("name", ODD)
def test_faulty_cell_loses_only_its_question(name, rows):
    row, (_, loses, sentence) = rows[f"odd {name}"], ODD[name]
    assert lost(row) == loses and re.search(sentence, str(row.remarks + row.feedback)), row


@pytest.mark.parametrize("name", REASONS)
def test_ungraded_files_have_rows_with_reasons(name, rows):
    found = [row for file, row in rows.items() if file != "lines" and row.file.startswith(name)]
    assert len(found) == 1 and found[0].points == 0
    assert re.search(REASONS[name][1], found[0].remarks[0]), found


@pytest.mark.variant
def test_unreadable_zip_entry_leaves_others_graded(tmp_path):
    bomb = zipped(**{f"{i}_dot_ipynb": BOMB for i in range(6)})
    path = tmp_path / "class.zip"
    path.write_bytes(zipped(a_dot_zip=bomb, b_slash_b_dot_ipynb=TEXT, c_dot_zip=bomb))
    with sandbox.Course() as course, open(path, "rb") as file:
        reader = course.path / "read_submission.py"
        reader.write_text(re.sub(r"(?<=^ENTRY_SECONDS = )\d+", "1", reader.read_text(), flags=re.MULTILINE))
        found = course.read(file, ".zip")
    assert [(each["inside"], each.get("why")) for each in found] == [
        ("a.zip", "too large to be read"),
        ("b/b.ipynb", None),
        ("c.zip", "too large to be read"),
    ]


def test_remarks_and_feedback_state_their_reasons(rows):
    assert rows["link"].remarks == rows["linked"].remarks == ("a link, and not a file",)
    assert rows["pipe"].remarks == ("no regular file",)
    assert rows[r"M\udcfcller\x1b"].points == 10  # any name is graded
    shape = "q1: the numbers are right, but the shape: expected (80,), got (80, 1)"
    assert rows["column"].feedback == (shape,) and lost(rows["column"]) == {"q1": 3}
    assert re.match("q1: right, but rounded", *rows["four digits"].feedback)
    assert rows["waits"].points == 10
    assert any(re.fullmatch(r"printed 1\d{6} characters", text) for text in rows["megabyte"].remarks)
    assert "changed given cells: data" in rows["other data"].remarks and rows["other data"].points < 10
    assert notebooks.NO_ID in rows["true"].remarks and rows["true"].points < 10
    assert notebooks.NO_ID in rows["nobody"].remarks and rows["nobody"].points == 10
    assert rows["nobody"].feedback == ("all correct", notebooks.WRITE_ID)
    assert "same id as twin two.ipynb" in rows["twin one"].remarks
    assert "this id is not in the roster" in rows["odd crash"].remarks
    assert "this id is not in the roster" not in rows["odd error"].remarks
    assert any(line.endswith("of the roster handed in nothing: zoe") for line in rows["lines"])


def test_tables_have_expected_columns_and_no_formulas(rows, folder):
    out = folder.with_name(f"{folder.name}-grades")
    entries = {entry["file"]: entry for entry in table(out / "grades.csv")}
    assert len(entries) == len(rows) - 1
    error = [entries["odd error.ipynb"][name] for name in ("student", "points", "out_of", "q1", "q2", "q3")]
    assert error == ["error", "8", "10", "0", "4", "4"]
    assert entries["formula.ipynb"]["student"] == "'=HYPERLINK(1)"
    for name in ("grades.csv", "grades_canvas.csv", "grades_moodle.csv"):
        text = (out / name).read_text("utf-8-sig")
        cells = [cell for line in csv.reader(text.splitlines()) for cell in line if cell]
        assert not any(cell[:1] in tuple("=+-@\t\r\n") or ";" in cell for cell in cells)

    titles = [ASSIGNMENTS[name].title for name in (FIRST, "02_bilateral")]
    canvas = table(out / "grades_canvas.csv")
    assert list(canvas[0]) == [*tables.CANVAS, *titles]
    one = next(entry for entry in canvas if entry["SIS Login ID"] == "error")
    assert [one[title] for title in titles] == ["8", "10"]
    moodle = {entry["username"]: entry for entry in table(out / "grades_moodle.csv")}
    assert moodle["ERROR"][titles[0]] == "8" and "ZeroDivisionError" in moodle["ERROR"][f"{titles[0]} (feedback)"]
    tom = next(entry for name, entry in moodle.items() if name.strip().lower() == "tom")
    assert tom[titles[0]] == ""  # two files, one id: the teacher decides


def test_canvas_roster_keeps_columns_and_needs_ids(tmp_path):
    roster = tmp_path / "roster.csv"
    header = "Student,ID,SIS User ID,SIS Login ID,Section"
    roster.write_text(f"{header}\nLovelace Ada,17,s17,ADA,A\nPoints,,,,\n", "utf8")
    row = tables.Row("x", student="ada", assignment=FIRST, points=9, out_of=10)
    (row,) = tables.completed([row], found := identity.read_roster(roster))
    tables.write_forms(tmp_path, [row], {FIRST: "One"}, found)
    written = (tmp_path / "grades_canvas.csv").read_text("utf-8-sig").splitlines()
    assert written == [f"{header},One", "Lovelace Ada,17,s17,ADA,A,9"]

    roster.write_text("name\nAda\n", "utf8")
    with pytest.raises(ValueError, match="expected a column called one of"):
        identity.read_roster(roster)


def test_stopped_run_resumes_without_regrading(tmp_path, capsys):
    folder = tmp_path / "class"
    put(folder, {f"s{i}": submission(BLANK, student=f"s{i}") for i in range(3)})

    def stop_after_one(line):
        if line.startswith("1/"):
            raise KeyboardInterrupt(line)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grade, "grade_folder", partial(grade.grade_folder, processes=1, report=stop_after_one))
        assert grade.main([str(folder)]) == 130
    assert capsys.readouterr().err == "Stopped. The same command resumes from here.\n"
    out = tmp_path / "class-grades"
    assert len(table(out / "grades.csv")) == 1  # written as it is graded
    with open(out / "grades.jsonl", "a") as journal:
        journal.write('{"file": "cut o')
    put(folder, {"s2": submission(SOLUTION, student="s2")})
    done = len(results.Results(out, folder).before()[0])
    rows, lines = graded(folder, {})
    lines = [line for line in lines if not line.startswith("Read")]  # their number depends on the machine
    assert lines[1].startswith(f"{done} of 3 were graded before") and len(rows) == 3
    assert rows["s2"].points == 10 and len(lines) == 2 + 3 - done
    assert re.search(r"less than a minute left|\d+ min left", lines[2]) or done == 2
    assert sorted(path.name for path in folder.iterdir()) == ["s0.ipynb", "s1.ipynb", "s2.ipynb"]


def test_only_rows_signed_here_are_reused(tmp_path):
    folder, out = tmp_path / "class", tmp_path / "class-grades"
    put(folder, {"mallory": submission(BLANK, student="mallory")})
    honest, _ = graded(folder, {})
    forged = tables.Row(**honest["mallory"]._asdict())._replace(points=10)
    text = json.dumps(forged._asdict())
    for place in (folder / "grades.jsonl", out / "grades.jsonl"):
        place.write_text(f"{'0' * 64} {text}\n{text}\n", "utf8")
    rows, _ = graded(folder, {})
    assert rows["mallory"].points == 0
    assert rows["grades.jsonl"].remarks == ("a .jsonl file cannot be graded, ask for the .ipynb",)


def test_results_avoid_symlinks_and_submission_folder(tmp_path, capsys):
    folder, home = tmp_path / "class", tmp_path / "home"
    linked, inner, others = (home.with_name("out") / name for name in ("linked", "inner", "others"))
    for place in (folder, home, inner, others):
        place.mkdir(parents=True)
    linked.symlink_to(home)
    (inner / ".grades.csv").symlink_to(home / "profile")
    others.chmod(0o777)
    refused = {linked: "got a link", inner: "got a link", others: "only you can write"}
    refused |= dict.fromkeys((folder, folder / "inside", tmp_path), "apart from the submissions")
    commands = [([str(folder), "--out", str(place)], words) for place, words in refused.items()]
    for command, words in [*commands, ([""], "a folder of submissions"), (["nowhere"], "got 'nowhere'")]:
        assert grade.main(command) == 1
        assert words in capsys.readouterr().err
    assert list(home.iterdir()) == list(folder.iterdir()) == []


def test_documented_command_grades_a_folder(tmp_path):
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "paper.pdf").write_text("%PDF", "utf8")
    command = ["make", "--no-print-directory", "grade", f"FOLDER={tmp_path / 'class'}", f"OUT={tmp_path / 'mine'}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0 and "1 rows: " in done.stdout, done.stderr
    assert table(tmp_path / "mine" / "grades.csv")[0]["file"] == "paper.pdf"


def test_grading_requires_engine_unless_unprotected(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(engines, "candidates", lambda hidden: ())
    put(tmp_path / "class", {"honest": as_ada()})
    assert grade.main([str(tmp_path / "class")]) == 1
    assert "Install bubblewrap" in capsys.readouterr().err
    assert grade.main([str(tmp_path / "class"), "--unprotected"]) == 0
    assert "Nothing is isolated" in capsys.readouterr().out
    assert table(tmp_path / "class-grades" / "grades.csv")[0]["points"] == "10"


@pytest.mark.parametrize("program", ["podman", "docker"])
def test_container_is_isolated_and_limited(program):
    command = engines.container(program).command("/course", "name", 60_007)
    for option in ("--network=none", "--read-only", "--cap-drop=ALL", "--user=60007:60007", "--pids-limit=64"):
        assert option in command
    assert command.index(engines.IMAGE) > max(i for i, part in enumerate(command) if part.startswith("--volume"))
    assert [part for part in command if part.startswith("--volume")] == ["--volume=/course:/course:ro"]


def grade_attacks(folder):
    """Grade all attacks in one folder, with honest submissions among them; a server records connections."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = str(server.getsockname()[1])
        sources = ATTACKS | {name: source.replace("@PORT@", port) for (name, _), source in PROBES.items()}
        notebooks = {name: submission(BLANK, {1: source}, "mallory") for name, source in sources.items()}
        notebooks |= {name: submission(BLANK, answers, "sly") for name, (answers, _, _) in BYPASSES.items()}
        notebooks["zz honest"] = submission(SOLUTION, {1: f"{PROCESSES}{ESTIMATE}"}, student="hope")
        return graded(folder, notebooks, 2)[0]


@pytest.fixture(scope="module")
def attacked(computed_once, tmp_path_factory):
    return computed_once("attacks", lambda: grade_attacks(tmp_path_factory.mktemp("attacks")))


def running():
    return subprocess.run(["ps", "-A", "-o", "args"], capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", [*ATTACKS, *BYPASSES])
def test_attacks_gain_nothing_and_disturb_nobody(name, attacked):
    _, points, sentence = BYPASSES.get(name, (None, 0, ""))
    assert (attacked[name].points, attacked[name].out_of) == (points, 10)
    assert re.search(sentence, str(attacked[name])), attacked[name]
    assert attacked["zz honest"].points == 10
    assert "pytest" in running() and "survivor-of-grading" not in running()


def test_lib_is_reachable_where_allowed():
    """So the test above can fail: with the whole package in the sandbox, most of them do."""
    answers, _, _ = BYPASSES["all ways at once"]
    with sandbox.Sandbox(shared_course(), meter.Budget(60, 60)) as whole:
        whole.ask("run", 60, source="import numpy as np")
        with pytest.raises(RuntimeError, match="SystemExit: reached") as found:
            whole.ask("run", 60, source=answers[2].replace("student_id", "ignored"))
        ways = whole.ask("run", 60, source="n_ways = float(len(ways))") or whole.ask("get", 20, name="n_ways")
    assert "reached []" not in str(found.value) and ways > 10


@pytest.mark.variant
def test_using_lib_outside_answers_loses_no_points(tmp_path):
    """Chapter 8: the first cell runs the model, which calls what question 1 asks to write."""
    solved = ASSIGNMENTS["08_language_model"].solution
    data = next(cell.source for cell in solved.cells if cell.id == "data")
    own = next(cell.source for cell in solved.cells if cell.id == "question-1-answer")
    compared = (
        "from lib.attention import attention_weights\ntheirs = attention_weights(queries, keys)\nprint(theirs)\n"
    )
    notebooks = {
        "imports": submission(
            solved, student="a", data=f"import matplotlib.pyplot as plt\n{data}\nplt.imshow(queries)"
        ),
        "compares": submission(solved, {1: compared + own}, student="b"),
        "split": split(submission(solved, student="c"), "data"),
        "calls": submission(
            solved, {1: "from lib.attention import attention_weights as head_weights"}, student="d"
        ),
    }
    rows, _ = graded(tmp_path, notebooks)
    assert [rows[name].points for name in ("imports", "compares", "split")] == [10, 10, 10]
    assert lost(rows["calls"]) == {"q1": 4, "q3": 4}
    assert "attention_weights may not be used in this answer: write it yourself" in str(rows["calls"].feedback)


SLEEPS = "import time\ntime.sleep(60)"


def test_failing_file_does_not_stop_the_run(tmp_path, monkeypatch):
    """Entries of one name, more notebooks than a student has, and notebooks that sleep."""
    monkeypatch.setattr(notebooks, "SLEEP_SECONDS", 5)
    twins, sleeping = io.BytesIO(), submission(SOLUTION, {1: SLEEPS}, "sam")
    with zipfile.ZipFile(twins, "w") as packed, pytest.warns(UserWarning, match="Duplicate name"):
        for _ in range(3):
            packed.writestr("a.ipynb", written("twin"))
    names = {f"{i:03}_dot_ipynb": b"{}" for i in range(30)}
    files = {
        "twins.zip": twins.getvalue(),
        "many.zip": zipped(**names),
        "sleep.zip": zipped(a_dot_ipynb=nbformat.writes(sleeping), b_dot_ipynb=nbformat.writes(sleeping)),
        "honest": as_ada("hope"),
    }
    rows, lines = graded(tmp_path, files)
    assert rows["honest"].points == 10
    assert {"twins.zip/a", "twins.zip/a.ipynb (2)", "twins.zip/a.ipynb (3)"} <= set(rows)
    assert sum(name.startswith("many.zip") for name in rows) == 21
    assert any("more than 20 notebooks" in str(row.remarks) for row in rows.values())
    sleepers = [row for name, row in rows.items() if name.startswith("sleep.zip")]
    assert len(sleepers) == 2 and any(attempts.OUT_OF_TIME in str(row.remarks) for row in sleepers)
    assert next(i for i, line in enumerate(lines) if "honest" in line) < len(lines) - 1


def test_answer_converted_to_text_is_reported(tmp_path):
    notebook = as_ada()
    next(cell for cell in notebook.cells if cell.id == "question-2-answer").cell_type = "markdown"
    rows, _ = graded(tmp_path, {"text": notebook})
    assert "q2: the cell of leave_one_out_error is text (Markdown): make it a code cell" in rows["text"].feedback


@pytest.mark.parametrize("name, written", PROBES)
def test_protected_files_are_unreachable(name, written, attacked):
    assert attacked[name].student == written


USER = 1234


@pytest.mark.skipif(os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can become someone else")
def test_submissions_are_isolated_for_unprivileged_user(tmp_path_factory):
    """The engine of a user, started by root for one, since Python may lie where only root reads."""
    survivors = "a process that survives", "kills its parent and its group"
    sources = PROBES | {("", name): ATTACKS[name] for name in survivors}
    python = shutil.which("python3", path="/usr/bin")
    if python is None:
        pytest.skip("no Python that another user may start")
    with sandbox.Course() as course:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(os, "geteuid", lambda: USER)
            patch.setattr(engines, "python_folders", lambda: ["/usr/lib", "/usr/lib64", "/usr/bin"])
            command = engines.bubblewrap([]).command(course.path, "name", 0)
        start = command.index("sh")
        step_down = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        command = [*step_down, *command[start:-3], python, "-c"]
        if subprocess.run([*command, ""], capture_output=True).returncode:
            pytest.skip("a user may make no namespaces here")
        for (name, written), source in sources.items():
            source = source.replace("@PORT@", "9").replace("np.__file__", "os.__file__")
            source = f"import sys\nsys.path.append('/course')\nstudent_id = ''\n{source}\nprint(student_id)"
            done = subprocess.run([*command, source], capture_output=True, text=True, cwd="/tmp", timeout=60)
            assert not name or done.stdout.strip() == written, (name, done.stderr)
    assert "survivor-of-grading" not in running()


def test_exchange_accepts_only_plain_data():
    given = {"a": (1, 2.5, "text", None), "b": np.arange(6).reshape(2, 3), "c": np.array([np.nan, np.inf, -0.0])}
    again = exchange.decode(exchange.encode(given))
    assert again["a"] == given["a"] and again["b"].dtype == int
    np.testing.assert_array_equal(again["b"], given["b"])
    np.testing.assert_array_equal(again["c"], given["c"])
    for value in (None, "text", np.arange(6.0).reshape(2, 3), np.float64(2.5)):
        found, head = exchange.decode_reply(exchange.encode_reply(value, printed=3))
        assert head["printed"] == 3
        np.testing.assert_array_equal(found, value)
    deep, huge = b"[" * 10**5 + b"]" * 10**5, b'{"kind": "array", "shape": [1000000, 1000000]}'
    heads = (b"", b"\xff", b"{", deep[:4000], huge, b'{"kind": "array", "shape": "a"}', b'{"kind": []}', b"[]")
    for data in (b"", b"\0", *(exchange.HEAD_LENGTH.pack(len(head)) + head + b"12345678" for head in heads[:-2])):
        with pytest.raises(ValueError, match="expected plain data"):
            exchange.decode_reply(data)
    with pytest.raises(ValueError, match="expected plain data"):
        exchange.decode(deep)
    tracemalloc.start()
    for body in (b'{"":0},' * 2_000_000, b"[" * exchange.MOST_ARRAY, b"\0" * exchange.MOST_ARRAY):
        head = b'{"kind": "array", "shape": [-1]}'
        for data in (exchange.HEAD_LENGTH.pack(65535) + body, exchange.HEAD_LENGTH.pack(len(head)) + head + body):
            with contextlib.suppress(ValueError):
                exchange.decode_reply(data)
    assert tracemalloc.get_traced_memory()[1] < 100 * 2**20  # of which the replies themselves are half
    tracemalloc.stop()
    # Numbers are close by their own size, and not by an absolute one.
    assert questions.close([1e-12, 1.0], [1e-12 + 1e-15, 1.0]) and not questions.close(2e-9, 1e-9)
    assert questions.close(1 + 1e-5, 1) and not questions.close(1 + 1e-3, 1)
    assert not questions.is_rounded([0.123456, 1e-9], [0.123457, 2e-9])
    assert questions.is_rounded([0.12, 0.99], [0.1234, 0.987])
