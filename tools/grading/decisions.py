"""The teacher's decisions: small tables in the folder of results, which every run applies.

`class-grades/decisions/02_bilateral.csv` is about one assignment. `all.csv` is about all of them, and about files
that are no notebook. Each line is one decision:

    file,student,what,value,why
    ada.ipynb,,q2,3,right in another way
    ,ada,late_days,2,
    4005_98_a.ipynb,,student,st1006,typed the id of a friend
    draft.ipynb,,counts,no,
    ,*,counts,latest,

An empty cell, or `*`, stands for all. The end of a path names a file if no other file has it. `latest` chooses
among the files that count. Later lines overrule earlier ones, and an assignment's own table overrules `all.csv`. A
line that cannot be applied is reported, and changes nothing.
"""

import difflib
import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from tools.grading.identity import key, table_of

COLUMNS = ("file", "student", "what", "value", "why")
EVERY, ALL = ("", "*"), "all"
WHAT = re.compile(r"points|q\d+|late_days|student|counts|comment")


class Decision(NamedTuple):
    """One line of a table; the assignment is empty in the table about all."""

    where: str
    file: str
    student: str
    assignment: str
    what: str
    value: object
    why: str = ""

    def is_about(self, row):
        """Whether the decision applies to a row."""
        student = key(row.owner or row.student)
        pairs = ((self.file, row.file), (key(self.student), student), (self.assignment, row.assignment))
        return all(wanted in (*EVERY, given) for wanted, given in pairs)

    def most(self, row):
        """The largest number of points that the row can have; None if there is no such question."""
        return row.out_of if self.what == "points" else row.full.get(self.what)

    def fits(self, row):
        """Whether the value is possible in a row."""
        if self.what != "points" and not self.what.startswith("q"):
            return True
        return self.most(row) is not None and 0 <= self.value <= self.most(row)


# ---- Reading ----------------------------------------------------------------------------------------------------


def read_decisions(folder, names=()):
    """The decisions in the tables of a folder, and sentences on what cannot be applied.

    Only tables that the user alone can write are read.
    """
    found, problems = [], []
    for path in sorted(Path(folder).glob("*.csv"), key=lambda path: (path.stem != ALL, path.stem)):
        try:
            if path.stem not in (ALL, *names):
                near = like(path.stem, names)
                raise ValueError(f"{path.name}: expected all.csv or the name of an assignment{near}")
            for line in own_lines(path):
                try:
                    found.append(decision(path, *line))
                except ValueError as error:
                    problems.append(str(error))
        except (ValueError, OSError) as error:
            problems.append(str(error))
    return found, problems


def own_lines(path):
    """The lines of a table with the names of their cells; a ValueError if someone else can write it."""
    status, is_open = path.lstat(), path.parent.stat().st_mode & 0o011
    mine = stat.S_ISREG(status.st_mode) and status.st_uid == os.getuid()
    if not mine or path.parent.stat().st_mode & 0o022 or is_open and status.st_mode & 0o022:
        raise ValueError(f"{path.name}: expected a file that only you can write")
    lines = table_of(path)
    header = [cell.strip().lower() for cell in next(lines, (1, []))[1]]
    if not set(COLUMNS[:4]) <= set(header):
        expected, got = ", ".join(COLUMNS), ", ".join(header)[:200]
        raise ValueError(f"{path.name}, line 1: expected the columns {expected}, got {got}")
    return [(line, dict(zip(header, cells, strict=False))) for line, cells in lines]


def decision(path, line, cells):
    """Parse one decision; a ValueError says where and why this fails."""
    where, cells = f"{path.name}, line {line}", {name: cells.get(name, "").strip() for name in COLUMNS}
    what, value = cells["what"], cells["value"]
    if not WHAT.fullmatch(what):
        raise ValueError(f"{where}: expected points, q1, late_days, student, counts or comment, got {what!r}")
    if what == "counts" and value not in ("yes", "no", "latest"):
        raise ValueError(f"{where}: expected yes, no or latest, got {value!r}")
    if what in ("points", "late_days") or what.startswith("q"):
        cells["value"] = number(value, where)
    return Decision(where, assignment="" if path.stem == ALL else path.stem, **cells)


def number(value, where):
    try:
        found = float(value.replace(",", "."))
    except ValueError:
        found = float("nan")
    if not 0 <= found < 1000:
        raise ValueError(f"{where}: expected a number, got {value!r}")
    return found


def like(name, names):
    """The nearest of some names, as the end of a sentence."""
    near = difflib.get_close_matches(name, list(names), 1, 0.5)
    return f"; is it {near[0]!r}?" if near else ""


def start_tables(folder, names):
    """Write an empty table for each of some assignments that has none, and the one about all."""
    folder.mkdir(mode=0o700, exist_ok=True)
    for name in (ALL, *names):
        path = folder / f"{name}.csv"
        if not path.exists():
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(handle, "w", encoding="utf8") as file:
                print(*COLUMNS, sep=",", file=file)


# ---- Applying ---------------------------------------------------------------------------------------------------


def resolved(decisions, rows):
    """The decisions with the whole path of each file that they call by its end."""
    paths = {row.file for row in rows}
    for each in decisions:
        found = [path for path in paths if each.file and path.endswith(f"/{each.file}")]
        yield each._replace(file=found[0]) if len(found) == 1 and each.file not in paths else each


def decided(row, decisions):
    """Apply the teacher's decisions to a row."""
    for each in decisions:
        if each.is_about(row) and each.fits(row):
            row = applied(row, each)
    return row


def applied(row, decision):
    what, value = decision.what, decision.value
    if what == "points":
        row = row._replace(points=value)
    elif what.startswith("q"):
        points = row.points - row.questions.get(what, 0) + value
        row = row._replace(points=points, questions={**row.questions, what: value})
    elif what == "late_days" or what == "counts" and (value, row.counts) != ("latest", "no"):
        row = row._replace(**{what: value})
    comment = value if what == "comment" else decision.why
    return row._replace(comments=(*row.comments, *filter(None, [comment])))


def not_applied(rows, decisions):
    """A sentence on each decision that fits no row: a file, a student or a question that is not there."""
    files, students = {row.file for row in rows}, {key(row.owner or row.student) for row in rows}
    for each in resolved(decisions, rows):
        about = [row for row in rows if each.is_about(row)]
        if each.file not in (*EVERY, *files):
            n_same = sum(path.endswith(f"/{each.file}") for path in files)
            known = f"{n_same} files are called {each.file!r}: give the folder or zip, too"
            missing = f"there is no file {each.file!r}{like(each.file, files)}"
            yield f"{each.where}: {known if n_same else missing}"
        elif key(each.student) not in (*EVERY, *students):
            yield f"{each.where}: no file of a student {each.student!r}{like(key(each.student), students)}"
        elif not about:
            yield f"{each.where}: this file, student and assignment do not occur together"
        elif misfits := [row for row in about if not each.fits(row)]:
            most = each.most(misfits[0])
            missing, wrong = f"there is no {each.what}", f"expected 0 to {most or 0:g}, got {each.value:g}"
            yield f"{each.where}: {misfits[0].file}: {missing if most is None else wrong}"
