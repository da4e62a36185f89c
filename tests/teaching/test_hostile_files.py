"""One file never stops a class: limits are counted per file and affect no other file."""

import time

import nbformat
import pytest

from tests.teaching.submissions import ASSIGNMENTS, FIRST, graded, needs_engine, shared_course, submission
from tests.teaching.test_grading import zipped
from tools.grading import attempts, meter, notebooks, sandbox
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


def test_blank_lines_are_read_in_linear_time():
    """Quadratic matching takes minutes of processor time here, and linear matching a tenth of a second."""
    cell = Cell("data", "code", "\n" * 200_000 + " " * 200_000 + "student_id" + " " * 200_000, ())
    started = time.process_time()
    notebooks.edited_cells(Submission("x", "", FIRST, "", (cell,)), ASSIGNMENTS[FIRST])
    assert notebooks.version_of(Submission("x", "", "None", "", (cell,))) is None
    assert any(question.is_set_in(cell.source) for question in ASSIGNMENTS[FIRST].questions) is False
    assert time.process_time() - started < 20


@needs_engine
def test_children_are_charged_to_their_own_file(course):
    budget = meter.Budget(work=3, asleep=600)
    with sandbox.Sandbox(course, budget) as process:
        process.ask("run", 60, source="")
        with pytest.raises(sandbox.ProcessDied, match="s of work: an endless loop"):
            process.ask("run", 600, source=SPINS)
    assert budget.used >= 3 and not budget.left


@needs_engine
def test_sleep_is_limited_and_no_work(course):
    budget = meter.Budget(work=600, asleep=600)
    with sandbox.Sandbox(course, budget) as process:
        process.ask("run", 60, source="")
        with pytest.raises(sandbox.ProcessDied, match=meter.ASLEEP):
            process.ask("run", 2, source="import time\ntime.sleep(600)")
    assert budget.slept >= 2 and budget.left


def test_waiting_for_a_processor_is_no_sleep(monkeypatch):
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
def test_first_sandbox_ends_before_the_second(course, monkeypatch):
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
def test_forged_class_zip_is_one_students_file(tmp_path):
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


def test_enormous_files_are_not_read(tmp_path):
    """A sparse file takes no disk, and took minutes to hash."""
    with open(tmp_path / "huge.ipynb", "wb") as file:
        file.truncate(2**40)
    with open(tmp_path / "huge.zip", "wb") as file:
        file.truncate(2**40)
    assert [each.why for each in files_below(tmp_path)] == ["more than 64 megabytes", "more than 4096 megabytes"]
