"""Grade a class over a term: seconds per notebook, the cost of earlier weeks, and the grader's memory.

`python benchmarks/grading.py --students 300 --weeks 1` simulates one week of a large class; `make bench` runs a
small class. Each week adds a zip file in Canvas's format for the next assignment to the folder, and grades the
folder.
"""

import argparse
import copy
import resource
import tempfile
import time
import zipfile
from pathlib import Path

import nbformat

from tools.grading import grade, questions, tables


def notebook(assignment, student, i):
    """Return a student's notebook: two of three are solved, the others unchanged."""
    made = copy.deepcopy(assignment.solution if i % 3 else assignment.student)
    for cell in made.cells:
        cell.source = cell.source.replace('student_id = ""', f'student_id = "{student}"')
    return nbformat.writes(made)


def hand_in(folder, assignment, n_students):
    with zipfile.ZipFile(folder / f"{assignment.name}.zip", "w", zipfile.ZIP_DEFLATED) as target:
        for i in range(n_students):
            target.writestr(f"student{i}_{i + 100}_{i + 5000}_work.ipynb", notebook(assignment, f"s{i}", i))


def term(folder, n_students, n_weeks):
    for week, assignment in enumerate(list(questions.read_assignments().values())[:n_weeks], 1):
        hand_in(folder, assignment, n_students)
        start = time.perf_counter()
        rows, _ = grade.grade_folder(folder, report=lambda line: None)
        seconds = time.perf_counter() - start
        full = sum(row.points == row.out_of for row in rows)
        print(
            f"week {week}: {seconds:.1f} s, {seconds / n_students:.2f} s a notebook, {len(rows)} rows, {full} full"
        )
    start = time.perf_counter()
    grade.grade_folder(folder, report=lambda line: None)
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
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "class").mkdir()
        term(Path(folder) / "class", chosen.students, chosen.weeks)
    for n_rows in (300, 2700):
        print(f"completing {n_rows} rows: {1000 * long_tables(n_rows):.0f} ms")
    print(f"memory of the grader: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main()
