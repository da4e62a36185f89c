"""One file never stops a class: limits are counted per file and affect no other file."""

import ast
import io
import itertools
import re
import time
from pathlib import Path

import nbformat
import pytest

from tests.teaching.submissions import ASSIGNMENTS, FIRST, graded, needs_engine, shared_course, submission, zipped
from tools.grading import (
    attempts,
    folder,
    identity,
    meter,
    notebooks,
    questions,
    read_submission,
    sandbox,
    tables,
)
from tools.grading.submissions import Cell, Submission, files_below

SOLUTION = ASSIGNMENTS[FIRST].solution
SPINS = """
import os, time
for _ in range(4):
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
time.sleep(600)
"""


@pytest.fixture(scope="module")
def course():
    return shared_course()


# What the patterns of the modules that run outside a sandbox are applied to. A new pattern needs a line here.
READ_BY_PATTERNS = {
    "text": {"notebooks.VERSION", "questions.COSTLY", "questions.is_set_in"},
    "names": {"identity.MOODLE", "identity.CANVAS", "identity.ANONYMOUS", "identity.GRADESCOPE"}
    | {"tables.MOODLE_START"},
    "the teacher's": {"questions.SOLUTION", "questions.MARK", "questions.PROMPT", "questions.read_question"}
    | {"decisions.WHAT", "identity.names_of", "identity.read_roster"},
}


def patterns_in(path):
    """The names of the patterns in a module, or of the functions that contain them."""
    for node in ast.parse(path.read_text("utf8")).body:
        calls = [each.func for each in ast.walk(node) if isinstance(each, ast.Call)]
        if any(isinstance(call, ast.Attribute) and ast.unparse(call.value) == "re" for call in calls):
            functions = [each for each in ast.walk(node) if isinstance(each, ast.FunctionDef)]
            inner = [each.name for each in functions if re.search(r"\bre\.\w+\(", ast.unparse(each))]
            yield from (f"{path.stem}.{name}" for name in inner or [ast.unparse(node.targets[0])])


def test_every_pattern_is_listed_by_what_it_reads():
    outside = {*folder.DECIDE, "decisions", "grade", "identity", "results", "review", "tables"}
    outside -= {"read_submission", "run_submission", "forbidden", "exchange"}
    paths = [Path(folder.__file__).with_name(f"{name}.py") for name in outside]
    found = {name for path in paths for name in patterns_in(path)}
    assert found == set().union(*READ_BY_PATTERNS.values())


def pumped(length):
    """Texts of two or three repeated pieces, on which a pattern with ambiguous repetitions backtracks."""
    answer = ASSIGNMENTS[FIRST].questions[0].answer
    pieces = (" ", "\n", ",", "_", "%", "1", "a", "/", "Version 0", f"{answer}, ", "a_1_", "%a ")
    for pair in itertools.product(pieces, repeat=2):
        yield "".join(piece * (length // 2 // len(piece)) for piece in pair)
    yield from (f"%a{' ' * (length // 2)}{piece * (length // 2 // len(piece))}" for piece in pieces)
    yield from (f"{piece * (length // len(piece))}\0" for piece in pieces)


def read_as_text(text):
    question, *_ = ASSIGNMENTS[FIRST].questions
    cell = Cell("data", "markdown", text, ())
    notebooks.edited_cells(Submission("x", "", FIRST, "", (cell,)), ASSIGNMENTS[FIRST])
    assert notebooks.version_of(Submission("x", "", "None", "", (cell,))) is None
    assert not question.is_set_in(text) and not questions.COSTLY.search(text)


def read_as_lines(text):
    question, *_ = ASSIGNMENTS[FIRST].questions
    assert not question.is_set_in("\n".join([text.replace("\n", " ")] * 1000))


def read_as_names(text):
    for name in [f"{text}.ipynb", f"x_1_assignsubmission_{text}", f"x_1_1_{text}", f"{text}/{text}"] * 10:
        identity.origin(name)
        tables.MOODLE_START.match(name)


@pytest.mark.parametrize(
    "read, length", [(read_as_text, 100_000), (read_as_lines, 500), (read_as_names, read_submission.MOST_NAME)]
)
def test_patterns_read_text_of_students_in_linear_time(read, length):
    """Linear matching takes a tenth of a second of processor time for each text, quadratic matching seconds."""
    for text in pumped(length):
        started = time.process_time()
        read(text)
        assert time.process_time() - started < 2, text[:: length // 20]


@needs_engine
def test_work_of_child_processes_counts_for_their_file(course):
    budget = meter.Budget(work=3, asleep=600)
    with sandbox.Sandbox(course, budget) as process:
        process.ask("run", 60, source="")
        with pytest.raises(sandbox.ProcessDied, match="s of work: an endless loop"):
            process.ask("run", 600, source=SPINS)
    assert budget.used >= 3 and not budget.left


@needs_engine
def test_sleep_is_limited_and_does_not_count_as_work(course):
    budget = meter.Budget(work=600, asleep=600)
    with sandbox.Sandbox(course, budget) as process:
        process.ask("run", 60, source="")
        with pytest.raises(sandbox.ProcessDied, match=meter.ASLEEP):
            process.ask("run", 2, source="import time\ntime.sleep(600)")
    assert budget.slept >= 2 and budget.left


def test_waiting_for_processor_does_not_count_as_sleep(monkeypatch):
    """A process that waits for a core on a busy machine is charged nothing."""
    now = 0
    monkeypatch.setattr(meter, "usage", lambda pid: (0.0, True))
    monkeypatch.setattr(meter.time, "monotonic", lambda: now)
    budget = meter.Budget(100, 1)
    busy = meter.Meter(1, budget, is_visible=True)
    now = 100
    busy.sample()
    assert budget.used == budget.slept == 0 and budget.left == 100
    now = 200
    monkeypatch.setattr(meter, "usage", lambda pid: (0.0, False))
    busy.sample()
    assert budget.slept == 100 and budget.left == 0


@needs_engine
def test_sandbox_with_lib_ends_before_the_next(course, monkeypatch):
    """So nothing can be passed from a run with `lib` to one without it."""
    alive, most = set(), []

    class Counted(sandbox.Sandbox):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            alive.add(self)
            most.append((len(alive), self.process.pid))

        def close(self):
            super().close()
            alive.discard(self)

    monkeypatch.setattr(attempts, "Sandbox", Counted)
    with_lib = (
        "from lib.regression import nadaraya_watson\nestimate_at_2 = nadaraya_watson([2.0], keys, values, 0.5)[0]"
    )
    found = submission(SOLUTION, {1: with_lib})
    cells = tuple(
        Cell(each.id, each.cell_type, each.source, tuple(each.metadata.get("tags", ()))) for each in found.cells
    )
    run = attempts.Run(Submission("x", "", FIRST, "", cells), ASSIGNMENTS[FIRST], course, meter.Budget(120, 30))
    run.grade()
    assert [count for count, _ in most] == [1, 1] and not alive
    assert sum(verdict.points for verdict in run.verdicts.values()) == 10


@needs_engine
def test_forged_class_zip_counts_as_file_of_one_student(tmp_path):
    """Names like the platform's inside a zip that lies in a shared folder void no limit."""
    packed = zipped(**{f"x_{i}_{i}_n_dot_ipynb": b"{}" for i in range(30)})
    rows, _ = graded(tmp_path, {"forged.zip": packed, "honest": submission(SOLUTION)})
    forged = [row for name, row in rows.items() if name.startswith("forged.zip")]
    assert len(forged) == sandbox.MOST_NOTEBOOKS + 1 and rows["honest"].points == 10
    assert sum("one student's zip" in str(row.remarks) for row in forged) == 1


@needs_engine
def test_reading_a_file_is_limited(course, tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "READ_SECONDS", 0)
    text = nbformat.writes(submission(SOLUTION)).encode()
    path = tmp_path / "slow.zip"
    path.write_bytes(zipped(a_dot_ipynb=text, b_dot_ipynb=text))
    with open(path, "rb") as file:
        assert course.read(file, ".zip")[-1:] == sandbox.TOO_SLOW
    with open(path, "rb") as file:
        assert len(course.read(file, ".zip", lambda names: True)) == 2


def test_long_names_in_nested_zips_are_shortened():
    """A zip of feedback cannot hold a longer name than 65,535 bytes; unprintable characters become six each."""
    inner = zipped(**{"x_1_2_" + "\u202e" * 20_000 + "_dot_ipynb": b"{}"})
    ((_, read),) = read_submission.entries(io.BytesIO(zipped(in_dot_zip=inner)), ".zip")
    (found,) = read()
    assert len(found["inside"]) <= 2 * read_submission.MOST_NAME


def test_enormous_files_are_not_read(tmp_path):
    """A sparse file takes no disk, and took minutes to hash."""
    with open(tmp_path / "huge.ipynb", "wb") as file:
        file.truncate(2**40)
    with open(tmp_path / "huge.zip", "wb") as file:
        file.truncate(2**40)
    assert [each.why for each in files_below(tmp_path)] == ["more than 64 megabytes", "more than 4096 megabytes"]
