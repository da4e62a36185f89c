"""The tables that grading writes: all of it for the teacher, and the forms that Canvas and Moodle import."""

import csv
import os
from typing import NamedTuple

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
ID_COLUMNS = ("student", "sis login id", "username", "sis user id", "id number", "email address", "email", "id")


class Row(NamedTuple):
    """One file that was handed in."""

    file: str
    digest: str = ""
    student: str = ""
    assignment: str = ""
    points: float = 0
    out_of: float = 0
    questions: dict = {}  # noqa: RUF012, it is never changed
    remarks: tuple = ()
    feedback: tuple = ()


def key(student):
    """An id without what does not count: capitals, and spaces around it."""
    return student.strip().lower()


def safe(cell):
    """A cell that no spreadsheet takes for a formula, and that none splits at a semicolon."""
    text = f"{cell:g}" if isinstance(cell, float) else str(cell).replace(";", ",")
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else text


def write_csv(path, header, rows):
    """Write a whole table or nothing of it. The mark at its start tells spreadsheets that it is UTF-8."""
    part = path.with_name(f".{path.name}")
    with open(part, "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([safe(cell) for cell in row] for row in [header, *rows])
    os.replace(part, path)


def with_twins(rows):
    """The rows, with a remark on those that carry the same id in the same assignment."""

    def twins(row):
        same = lambda other: (key(other.student), other.assignment) == (key(row.student), row.assignment)
        return [other.file for other in rows if other is not row and row.student and same(other)]

    def remarked(row):
        found = twins(row)
        names = ", ".join(found[:3]) + (f" and {len(found) - 3} more" if len(found) > 3 else "")
        return row._replace(remarks=(*row.remarks, f"same id as {names}")) if found else row

    return [remarked(row) for row in rows]


def write_grades(folder, rows):
    """grades.csv: each file, with one column for each question."""
    names = sorted({name for row in rows for name in row.questions}, key=lambda name: (len(name), name))
    header = ("file", "student", "assignment", "points", "out_of", *names, "remarks", "feedback")
    write_csv(folder / "grades.csv", header, [
        (row.file, row.student, row.assignment, float(row.points), float(row.out_of),
         *(float(row.questions[name]) if name in row.questions else "" for name in names),
         "; ".join(row.remarks), " | ".join(row.feedback))
        for row in rows
    ])  # fmt: skip


def by_student(rows):
    """For each id, its one row for each assignment; ids that occur twice in an assignment are left out."""
    found = {}
    for row in rows:
        if row.student:
            found.setdefault(key(row.student), {}).setdefault(row.assignment, []).append(row)
    single = {who: {name: own[0] for name, own in given.items() if len(own) == 1} for who, given in found.items()}
    return {who: given for who, given in single.items() if given}


def write_forms(folder, rows, titles, roster):
    """grades_canvas.csv and grades_moodle.csv: one row for each student, one column for each assignment."""
    students = by_student(rows)
    names = sorted({name for given in students.values() for name in given})
    canvas, moodle = [], []
    for who, given in students.items():
        entry = roster.get(who, {})
        student = next(iter(given.values())).student
        known = [entry.get(column.lower(), "") for column in CANVAS]
        points = [float(given[name].points) if name in given else "" for name in names]
        feedback = [" | ".join(given[name].feedback) if name in given else "" for name in names]
        canvas.append([*(known if any(known) else ("", "", "", student, "")), *points])
        pairs = zip(points, feedback, strict=True)
        moodle.append([entry.get("username", student), *(cell for pair in pairs for cell in pair)])
    columns = [titles[name] for name in names]
    write_csv(folder / "grades_canvas.csv", [*CANVAS, *columns], canvas)
    pairs = [(column, f"{column} (feedback)") for column in columns]
    write_csv(folder / "grades_moodle.csv", ["username", *(cell for pair in pairs for cell in pair)], moodle)


def read_roster(path):
    """The students of a table with a column of ids, such as the gradebook that Canvas or Moodle exports."""
    with open(path, newline="", encoding="utf-8-sig") as file:
        entries = [
            {str(name).strip().lower(): (cell or "").strip() for name, cell in row.items()}
            for row in csv.DictReader(file)
        ]
    columns = entries[0] if entries else {}
    # In an export of Canvas, "Student" is a name and "SIS Login ID" the id.
    order = ID_COLUMNS[1:] if "sis login id" in columns else ID_COLUMNS
    column = next((name for name in order if name in columns), None)
    if column is None:
        raise ValueError(f"{path}: expected a column called one of {', '.join(ID_COLUMNS)}")
    return {key(entry[column]): entry for entry in entries if entry[column]}
