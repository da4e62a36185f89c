"""The teacher's decisions: a small table beside the submissions, which every run applies.

`class-decisions.csv` stands beside the folder `class`. Each of its lines is one decision:

    file,student,assignment,what,value,why
    ada.ipynb,,,q2,3,right in another way
    ,ada,01_nadaraya_watson,late_days,2,
    4005_98_a.ipynb,,,student,st1006,typed the id of a friend
    draft.ipynb,,,counts,no,
    ,*,,counts,latest,

An empty cell, or `*`, stands for all. Later lines overrule earlier ones.
"""

import re
from typing import NamedTuple

from tools.grading.identity import key, table_of

COLUMNS = ("file", "student", "assignment", "what", "value", "why")
WHAT = re.compile(r"points|q\d+|late_days|student|counts|comment")


class Decision(NamedTuple):
    """One line of the table."""

    line: int
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
        return all(wanted in ("", "*", given) for wanted, given in pairs)


def read_decisions(path):
    """The decisions in a table, if it exists. A ValueError gives the file and line of an invalid one."""
    if not path.exists():
        return []
    lines = table_of(path)
    header = [cell.strip().lower() for cell in next(lines, (1, []))[1]]
    if not set(COLUMNS[:5]) <= set(header):
        raise ValueError(
            f"{path}, line 1: expected the columns {', '.join(COLUMNS)}, got {', '.join(header)[:200]}"
        )
    return [decision(path, line, dict(zip(header, cells, strict=False))) for line, cells in lines]


def decision(path, line, cells):
    cells = {name: cells.get(name, "").strip() for name in COLUMNS}
    what, value = cells["what"], cells["value"]
    if not WHAT.fullmatch(what):
        raise ValueError(
            f"{path}, line {line}: expected points, q1, late_days, student, counts or comment, got {what!r}"
        )
    if what == "counts" and value not in ("yes", "no", "latest"):
        raise ValueError(f"{path}, line {line}: expected yes, no or latest, got {value!r}")
    if what in ("points", "late_days") or what.startswith("q"):
        try:
            cells["value"] = float(value.replace(",", "."))
        except ValueError:
            raise ValueError(f"{path}, line {line}: expected a number, got {value!r}") from None
    return Decision(line, **cells)


def decided(row, decisions):
    """Apply the teacher's decisions to a row."""
    for each in decisions:
        if not each.is_about(row):
            continue
        if each.what == "points":
            row = row._replace(points=each.value)
        elif each.what.startswith("q"):
            points = row.points - row.questions.get(each.what, 0) + each.value
            row = row._replace(points=points, questions={**row.questions, each.what: each.value})
        elif each.what == "counts":
            row = row._replace(counts=each.value)
        elif each.what == "late_days":
            row = row._replace(late_days=each.value)
        comment = each.value if each.what == "comment" else each.why
        row = row._replace(comments=(*row.comments, *filter(None, [comment])))
    return row
