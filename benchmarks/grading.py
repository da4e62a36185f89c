"""Grade a class over a term: seconds per notebook, the cost of earlier weeks, and the grader's memory.

`python -m benchmarks.grading --students 300 --weeks 1` simulates one week of a large class; `make bench` runs a
small class. Each week adds a zip file in Canvas's format for the next assignment to the folder, and grades the
folder. With `--hostile`, ten students hand in what attacks the grader or the class, and every honest mark is
compared with the one it must get.
"""

import argparse
import copy
import io
import resource
import tempfile
import time
import zipfile
from pathlib import Path

import nbformat

from tools.grading import grade, identity, notebooks, questions, sandbox, tables
from tools.grading.meter import Budget

SPIN = """
import os
for _ in range(60):
    if os.fork() == 0:
        os.setsid()
        while True:
            pass
"""
DEAF = "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))\nwhile True:\n    pass"
SLOW_JSON = '{"metadata": {"x": [' + ",".join(["[{},{}]"] * 3_000_000) + ']}, "cells": []}'


def notebook(assignment, student, is_solved=True, first_answer=None):
    """Return a student's notebook, solved or unchanged, or with code in place of its first answer."""
    made = copy.deepcopy(assignment.solution if is_solved else assignment.student)
    for cell in made.cells:
        if first_answer and cell.id == "question-1-answer":
            cell.source = first_answer
        cell.source = cell.source.replace('student_id = ""', f"student_id = {student!r}")
    return nbformat.writes(made)


def packed(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as target:
        for name, text in files.items():
            target.writestr(name, text)
    return data.getvalue()


def hostile_files(assignment, victim):
    """Return ten files that attack the grader or another student, by the name that a student chose."""
    attack = lambda source, student="eve": notebook(assignment, student, False, source)
    sleeper = attack("import time\ntime.sleep(600)")
    return {
        "blank_lines.ipynb": attack("\n" * 2_500_000),
        "sleepers.zip": packed({f"x_{i}_{i}_n.ipynb": sleeper for i in range(300)}),
        "slow_json.zip": packed({f"x_{i}_{i}_n.ipynb": SLOW_JSON for i in range(8)}),
        "long_id.ipynb": attack("pass", "!" * 100),
        "moodle_name.zip": packed({"Ada_12_assignsubmission_file": "x", "a.ipynb": attack("pass")}),
        "children.ipynb": attack(SPIN),
        "endless.ipynb": attack(DEAF),
        "memory.ipynb": attack("held = [bytearray(2**30) for _ in range(64)]"),
        "large_answer.ipynb": attack("estimate_at_2 = np.zeros(2_000_000)\nbest_bandwidth = abs"),
        "stolen_id.ipynb": attack("pass", victim),
    }  # fmt: skip


def is_solved(i):
    return i % 3 > 0


def hand_in(folder, assignment, n_students, hostile):
    """Write one week's zip as Canvas packs it; the last students hand in the hostile files."""
    with zipfile.ZipFile(folder / f"{assignment.name}.zip", "w", zipfile.ZIP_DEFLATED) as target:
        for i in range(n_students - len(hostile)):
            target.writestr(f"s{i}_{i + 100}_{i + 5000}_work.ipynb", notebook(assignment, f"s{i}", is_solved(i)))
        for i, (name, data) in enumerate(hostile.items(), n_students - len(hostile)):
            target.writestr(f"s{i}_{i + 100}_{i + 5000}_{name}", data)


def write_roster(path, n_students):
    lines = [f"S{i},{i + 100},s{i}" for i in range(n_students)]
    path.write_text("\n".join(["Student,ID,SIS Login ID", *lines]), "utf8")
    return path


def wrong_marks(rows, n_honest):
    """Return what differs from the marks and owners that honest students must get."""
    found = {identity.origin(row.file).number: row for row in rows}
    for i in range(n_honest):
        row, expected = found[str(i + 100)], (f"s{i}", 10 if is_solved(i) else 0, "yes", ())
        if (row.owner, row.points, row.counts, row.remarks) != expected:
            yield f"{row.file}: expected {expected}, got {row.owner, row.points, row.counts, row.remarks}"


class Counted(Budget):
    """A budget that is kept: the kernel charges nobody with processes that a sandbox kills."""

    kept = []

    def __init__(self, *limits):
        super().__init__(*limits)
        self.kept.append(self)


def processor_seconds():
    return time.process_time() + sum(budget.used for budget in Counted.kept)


def term(folder, n_students, n_weeks, is_hostile):
    roster = write_roster(folder.parent / "roster.csv", n_students)
    notebooks.Budget = sandbox.Budget = Counted
    run = lambda: grade.grade_folder(folder, roster_path=roster, report=lambda line: None)[0]
    for week, assignment in enumerate(list(questions.read_assignments().values())[:n_weeks], 1):
        hostile = hostile_files(assignment, "s1") if is_hostile else {}
        hand_in(folder, assignment, n_students, hostile)
        start, used = time.perf_counter(), processor_seconds()
        rows = [row for row in run() if row.file.startswith(assignment.name)]
        seconds, used = time.perf_counter() - start, processor_seconds() - used
        wrong = list(wrong_marks(rows, n_students - len(hostile)))
        print(
            f"week {week}: {seconds:.1f} s by the clock, {used:.1f} s of processor time, "
            f"{used / n_students:.2f} s a student, {len(rows)} rows, {len(wrong)} honest marks wrong",
            *wrong,
            sep="\n  ",
        )
    start = time.perf_counter()
    run()
    print(f"again, nothing new: {time.perf_counter() - start:.1f} s")


def long_tables(n_rows):
    rows = [
        tables.Row(f"{i // 300}.zip/s_{i % 300}_{i}_a.ipynb", "d", f"s{i % 300}", f"{i // 300}")
        for i in range(n_rows)
    ]
    start = time.perf_counter()
    tables.completed(rows)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--students", type=int, default=6)
    parser.add_argument("--weeks", type=int, default=3)
    parser.add_argument("--hostile", action="store_true", help="ten of the students attack")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "class").mkdir()
        term(Path(folder) / "class", chosen.students, chosen.weeks, chosen.hostile)
    for n_rows in (300, 2700):
        print(f"completing {n_rows} rows: {1000 * long_tables(n_rows):.0f} ms")
    print(f"memory of the grader: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main()
