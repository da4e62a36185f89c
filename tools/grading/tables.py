"""The tables and files that grading writes: all of it for the teacher; what Canvas and Moodle import; feedback."""

import csv
import hashlib
import json
import os
import re
import unicodedata
import zipfile
from collections import Counter, defaultdict
from typing import NamedTuple

from tools.grading.decisions import decided
from tools.grading.identity import NOBODY, key, origin

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOST_TEXTS, MOST_CHARACTERS = 20, 300  # per file, for remarks and for feedback; characters of each text
LONGEST_NAME = 80  # characters of a feedback file's name before a hash takes the place of the rest
MOODLE_START = re.compile(r".*?_\d+_[a-z]+_[a-z]+_?", re.IGNORECASE)
NO_MARKUP = str.maketrans("<>＜＞﹤﹥", "‹›‹›‹›")


class Row(NamedTuple):
    """One submitted notebook, or a file without any. The fields after `feedback` are set by each run."""

    file: str
    digest: str = ""
    student: str = ""
    assignment: str = ""
    points: float = 0
    out_of: float = 0
    questions: dict = {}  # noqa: RUF012, it is never changed
    remarks: tuple = ()
    feedback: tuple = ()
    owner: str = ""  # the id that the roster knows
    counts: str = "yes"
    late_days: float = 0
    comments: tuple = ()


def shortened(texts):
    """Limit the number of texts and the length of each."""
    texts = [cut(cleaned(text)) for text in texts]
    more = [f"and {len(texts) - MOST_TEXTS} more"] if len(texts) > MOST_TEXTS else []
    return (*texts[:MOST_TEXTS], *more)


def cut(text):
    return text if len(text) <= MOST_CHARACTERS else f"{text[:MOST_CHARACTERS]} …"


def cleaned(text):
    """Remove markup and unprintable characters from a text."""
    return "".join(each for each in text.translate(NO_MARKUP) if each.isprintable())


def safe(cell):
    """Escape a cell so that no spreadsheet reads it as a formula or splits it at a semicolon."""
    if isinstance(cell, float):
        return f"{cell:g}"
    text = cleaned(str(cell)).replace(";", ",")
    start = unicodedata.normalize("NFKC", text.lstrip())[:1]
    return f"'{text}" if start in tuple("=+-@|%") else text


def write_csv(path, header, rows):
    """Write a table atomically. The byte order mark tells spreadsheets that it is UTF-8."""
    part = path.with_name(f".{path.name}")
    with open(part, "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([safe(cell) for cell in row] for row in [header, *rows])
    os.replace(part, path)


# ---- The owner of each row, and which rows count ------------------------------------------------------------


def identified(rows, roster=NOBODY):
    """The rows with their owners. If platform and notebook disagree, the row has no owner and a remark."""
    sources = {row.file: origin(row.file) for row in rows}
    users, typed = defaultdict(set), defaultdict(set)
    for row in rows:
        source = sources[row.file]
        if source and row.student and not row.owner:
            users[source.platform, key(row.student)].add(source.user)
            typed[source.user].add(key(row.student))
    for row in rows:
        source = sources[row.file]
        row = row._replace(remarks=(*row.remarks, "late, says the platform")) if source and source.is_late else row
        mine, theirs = roster.find(row.student) if row.student else "", roster.of(source)
        is_mixed = source and row.student and is_shared(source, key(row.student), users, typed)
        if row.owner:  # as the teacher decided
            yield row
        elif mine and theirs and mine != theirs:
            yield disputed(row, f"the platform names {theirs} ({source.name}), the notebook {mine}")
        elif is_mixed and not (mine and theirs):
            yield disputed(row, f"{source.name} ({source.number}) and {row.student} do not always come together")
        elif roster.entries and row.student and not mine:
            known = f", and the platform names {theirs}" if theirs else ""
            row = row._replace(remarks=(*row.remarks, f"this id is not in the roster{known}"))
            yield row._replace(counts="no") if theirs else row._replace(owner=key(row.student))
        else:
            yield row._replace(owner=mine or theirs or key(row.student))


def is_shared(source, student, users, typed):
    """Whether two users share an id, or one user has two; two Moodle users may have the same name."""
    return len(users[source.platform, student]) > 1 or source.platform == "canvas" and len(typed[source.user]) > 1


def disputed(row, why):
    return row._replace(counts="no", remarks=(*row.remarks, f"{why}: decide whose it is"))


def with_twins(rows):
    """Add a remark to counting rows with the same id in the same assignment."""
    own = defaultdict(list)
    for row in rows:
        if row.owner and row.counts != "no":
            own[row.owner, row.assignment].append(row)
    for row in rows:
        twins = own[row.owner, row.assignment] if row.counts != "no" else []
        latest = latest_of(twins) if twins and row.counts == "latest" else None
        if latest is None:
            yield beside(row, [each for each in twins[:5] if each is not row], len(twins) - 1)
        elif latest is row:
            yield row
        else:
            yield row._replace(counts="no", remarks=(*row.remarks, f"{latest.file} is later"))


def beside(row, twins, count):
    """Add a remark to a row that names some of its duplicates and their number."""
    names = ", ".join(each.file for each in twins[:3]) + (f" and {count - 3} more" if count > 3 else "")
    return row._replace(remarks=(*row.remarks, f"same id as {names}")) if twins else row


def latest_of(twins):
    """The row that was submitted last, if the platform's names show it."""
    order = [attachment(each) for each in twins]
    return twins[order.index(max(order))] if all(order) and len(set(order)) == len(order) else None


def attachment(row):
    source = origin(row.file)
    return source.attachment if source else 0


def completed(rows, roster=NOBODY, decisions=()):
    """Complete the rows of all files from the roster, the platform's names and the teacher's decisions."""
    rows = sorted(rows, key=lambda row: (row.file, row.digest))
    rows = [claimed(row, [each for each in decisions if each.what == "student"]) for row in rows]
    rest = [each for each in decisions if each.what != "student"]
    return list(with_twins([decided(row, rest) for row in identified(rows, roster)]))


def claimed(row, decisions):
    """Assign a row to the student that the teacher named."""
    for each in decisions:
        if each.is_about(row):
            row = row._replace(owner=key(each.value))  # the reason is for the teacher, not for the student
    return row


# ---- What is written ------------------------------------------------------------------------------------------


def write_grades(folder, rows):
    """grades.csv: each file, with one column for each question."""
    names = sorted({name for row in rows for name in row.questions}, key=lambda name: (len(name), name))
    start, end = (
        ("file", "student", "assignment", "points", "out_of"),
        ("late_days", "counts", "remarks", "feedback"),
    )
    write_csv(folder / "grades.csv", (*start, *names, *end), [
        (row.file, shown_id(row), row.assignment, float(row.points), float(row.out_of),
         *(float(row.questions[name]) if name in row.questions else "" for name in names),
         float(row.late_days) if row.late_days else "", row.counts, " | ".join(row.remarks),
         " | ".join((*row.feedback, *row.comments)))
        for row in rows
    ])  # fmt: skip


def shown_id(row):
    """The id as the student typed it, unless it is empty or someone else's."""
    return row.student if not row.owner or key(row.student) == row.owner else row.owner


def by_student(rows):
    """For each id, its one row for each assignment; ids that occur twice in an assignment are left out."""
    found = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.owner and row.assignment and row.counts != "no":
            found[row.owner][row.assignment].append(row)
    single = {who: {name: own[0] for name, own in given.items() if len(own) == 1} for who, given in found.items()}
    return {who: given for who, given in single.items() if given}


def write_forms(folder, rows, titles, roster):
    """grades_canvas.csv and grades_moodle.csv: one row for each student, one column for each assignment."""
    students = by_student(rows)
    names = sorted({name for given in students.values() for name in given})
    canvas, moodle = [], []
    for who, given in students.items():
        entry = roster.entries.get(who, {})
        student = next(iter(given.values())).student or who
        known = [entry.get(column.lower(), "") for column in CANVAS]
        points = [float(given[name].points) if name in given else "" for name in names]
        feedback = [" | ".join(told(given[name])) if name in given else "" for name in names]
        canvas.append([*(known if any(known) else ("", "", "", student, "")), *points])
        pairs = zip(points, feedback, strict=True)
        moodle.append([entry.get("username", student), *(cell for pair in pairs for cell in pair)])
    columns = [titles[name] for name in names]
    write_csv(folder / "grades_canvas.csv", [*CANVAS, *columns], canvas)
    pairs = [(column, f"{column} (feedback)") for column in columns]
    write_csv(folder / "grades_moodle.csv", ["username", *(cell for pair in pairs for cell in pair)], moodle)


def told(row):
    late = [f"late days used: {row.late_days:g}"] if row.late_days else []
    return [*row.feedback, *row.comments, *late]


# ---- Feedback -------------------------------------------------------------------------------------------------


def feedback_text(row, titles):
    """The feedback text of one student on one assignment."""
    points = [f"{name}: {points:g} points" for name, points in row.questions.items()]
    head = f"{titles[row.assignment]}: {row.points:g} of {row.out_of:g} points"
    return "\n".join([head, "", *points, "", *map(cleaned, told(row))]) + "\n"


def feedback_name(row):
    """The platform, and the name in its zip, of the feedback on a row that the platform has named."""
    source = origin(row.file)
    if source is None:
        return "", ""
    if source.platform == "canvas":  # Canvas identifies the student by the two numbers in the name
        return "canvas", source.part
    start = f"{source.part}/" if f"{source.part}/" in row.file else MOODLE_START.match(source.part)[0]
    return "moodle", f"{start}feedback.txt"


def as_notebook(text):
    """A notebook that shows a text: Canvas gives the feedback the name of the notebook that was handed in."""
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    cell = {"cell_type": "markdown", "id": "feedback", "metadata": {}, "source": lines}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def write_feedback(folder, rows, titles):
    """feedback/: a file for each student; and a zip for each platform and assignment, to upload there."""
    folder, packed = folder / "feedback", defaultdict(dict)
    folder.mkdir(mode=0o700, exist_ok=True)
    for who, given in by_student(rows).items():
        texts = {name: feedback_text(row, titles) for name, row in sorted(given.items())}
        (folder / f"{file_name(who)}.txt").write_text("\n".join(texts.values()), "utf8")
        for name, row in given.items():
            platform, inside = feedback_name(row)
            if platform:
                text = as_notebook(texts[name]) if inside.endswith(".ipynb") else texts[name]
                packed[f"{platform}_{name}.zip"][inside] = text
    for name, files in packed.items():
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as target:
            for inside, text in files.items():
                target.writestr(inside, text)


def file_name(student):
    """A file name for an id: a leading dot, and characters other than letters and digits, become numbers.

    A long one ends with a hash of the whole id, since a file system limits the bytes of a name.
    """
    is_safe = lambda i, each: each.isascii() and each.isalnum() or each in "-_@" or (each == "." and i)
    name = "".join(each if is_safe(i, each) else f"%{ord(each):x}" for i, each in enumerate(student))
    if len(name) <= LONGEST_NAME:
        return name
    return f"{name[:LONGEST_NAME]}-{hashlib.sha256(student.encode('utf8', 'replace')).hexdigest()[:16]}"


def late_days(rows):
    """How many late days each student has used."""
    return Counter({who: sum(row.late_days for row in given.values()) for who, given in by_student(rows).items()})
