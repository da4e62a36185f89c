"""The tables and files that grading writes: all of it for the teacher; what Canvas and Moodle import; feedback."""

import csv
import hashlib
import html
import io
import json
import os
import re
import unicodedata
import zipfile
from collections import Counter, defaultdict
from typing import NamedTuple

from tools.grading.decisions import decided, resolved
from tools.grading.identity import NOBODY, key, origin, without_zeros

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOST_TEXTS, MOST_CHARACTERS = 20, 300  # per file, for remarks and for feedback; characters of each text
LONGEST_NAME = 80  # characters of a feedback file's name before a hash takes the place of the rest
MOODLE_START = re.compile(r".*?_\d+_[a-z]+_[a-z]+_?", re.IGNORECASE)
DECIDE = "decide whose it is"
OTHER_VERSION = (
    "this notebook is not the version that was handed out, so it was not graded: copy your answers into that one"
)
UNCHECKED = "the platform does not say whose this is: the id in the notebook was not checked"
AGAIN = "could not be graded, and will be tried again"
NO_MARKUP = str.maketrans("<>＜＞﹤﹥", "‹›‹›‹›")


class Row(NamedTuple):
    """A submission: a notebook, or a file without one. The fields after `feedback` are set by each run."""

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
    version: str = ""
    full: dict = {}  # noqa: RUF012, the points that each question can have
    answers: dict = {}  # noqa: RUF012, the text of the cells that give each answer

    @property
    def is_graded(self):
        """Whether the file has points; a notebook made with a different key has only an assignment."""
        return self.out_of > 0


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
        if source and row.student and not row.owner and row.counts != "no":
            users[group_of(source, row)].add(source.user)
            typed[source.user].add(key(row.student))
    for row in rows:
        source = sources[row.file]
        row = row._replace(remarks=(*row.remarks, "late, says the platform")) if source and source.is_late else row
        if row.student and source and not roster.of(source) and (roster.entries or source.is_blind):
            row = row._replace(remarks=(*row.remarks, UNCHECKED))
        mine, theirs = roster.find(row.student) if row.student else "", roster.of(source)
        is_mixed = row.student and row.counts != "no" and is_shared(source, row, users, typed)
        if row.owner:  # as the teacher decided
            yield row
        elif mine and theirs and mine != theirs:
            yield disputed(row, f"the platform names {theirs} ({source.name}), the notebook {mine}")
        elif is_mixed and not (mine and theirs):
            yield disputed(row, f"{source.name} ({source.number}) and {row.student} do not always come together")
        elif roster.entries and row.student and not mine:
            yield mistyped(row, theirs)
        else:
            yield row._replace(owner=mine or theirs or key(row.student))


def is_shared(source, row, users, typed):
    """Whether a user has typed two ids, or shares one with a user who typed no other.

    Two Moodle users may have the same name, so there only the second is known. A user who typed several ids puts
    nobody else's file in doubt.
    """
    if source is None:
        return False
    has_many = lambda user: user[0] == "canvas" and len(typed[user]) > 1
    others = users[group_of(source, row)] - {source.user}
    return has_many(source.user) or any(not has_many(user) for user in others)


def group_of(source, row):
    """Where an id belongs to one user: in a platform, or in one assignment if the platform hides names."""
    return source.platform, key(row.student), row.assignment if source.is_blind else ""


def mistyped(row, theirs):
    """A row whose id is not in the roster: it is that of the student whom the platform names, if it names one."""
    known = f", and the platform names {theirs}" if theirs else ""
    row = row._replace(remarks=(*row.remarks, f"this id is not in the roster{known}"))
    own = [f"your notebook has the id {row.student!r}, and your teacher knows you as {theirs!r}"] if theirs else []
    return row._replace(owner=theirs or key(row.student), comments=(*row.comments, *own))


def disputed(row, why):
    return row._replace(counts="no", remarks=(*row.remarks, f"{why}: {DECIDE}"))


def with_twins(rows):
    """Add a remark to counting rows with the same id in the same assignment."""
    own = defaultdict(list)
    for row in rows:
        if row.owner and row.is_graded and row.counts != "no":
            own[row.owner, row.assignment].append(row)
    for row in rows:
        twins = own[row.owner, row.assignment] if row.is_graded and row.counts != "no" else []
        latest = latest_of(twins) if twins and row.counts == "latest" else None
        if latest is None:
            yield beside(row, [each for each in twins[:5] if each is not row], len(twins) - 1)
        elif latest is row:
            yield row
        else:
            yield row._replace(counts="no", remarks=(*row.remarks, f"{latest.file} is later"))


def with_first_files(rows):
    """Count late days from a student's earlier file, if that was made with a different key."""
    first = defaultdict(list)
    for row in rows:
        if row.owner and row.assignment and not row.is_graded and row.counts != "no":
            first[row.owner, row.assignment].append(row)
    for row in rows:
        if others := first[row.owner, row.assignment] if row.is_graded else []:
            days = min(each.late_days for each in [row, *others])
            why = f"{others[0].file} was made with a different key: late days count from the earlier file"
            row = row._replace(late_days=days, remarks=(*row.remarks, why))
        yield row


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
    decisions = list(resolved(decisions, rows))
    rows = [claimed(row, [each for each in decisions if each.what == "student"]) for row in rows]
    rows = [left_out(row, [each for each in decisions if each.what == "counts"]) for row in rows]
    rest = [each for each in decisions if each.what != "student"]
    rows = [decided(row, rest) for row in identified(rows, roster)]
    return list(with_first_files(list(with_twins(rows))))


def claimed(row, decisions):
    """Assign a row to the student that the teacher named."""
    for each in decisions:
        if each.is_about(row):
            row = row._replace(owner=key(each.value))  # the reason is for the teacher, not for the student
    return row


def left_out(row, decisions):
    """Mark a row that the teacher excludes, before its id is compared with other rows."""
    said = [each.value for each in decisions if each.is_about(row)]
    return row._replace(counts="no") if said[-1:] == ["no"] else row


# ---- What is written ------------------------------------------------------------------------------------------


def write_grades(folder, rows):
    """grades.csv: each file, with one column for each question."""
    names = sorted({name for row in rows for name in row.questions}, key=lambda name: (len(name), name))
    start, end = (
        ("file", "student", "assignment", "version", "points", "out_of"),
        ("late_days", "counts", "remarks", "feedback"),
    )
    write_csv(folder / "grades.csv", (*start, *names, *end), [
        (row.file, shown_id(row), row.assignment, row.version, float(row.points), float(row.out_of),
         *(float(row.questions[name]) if name in row.questions else "" for name in names),
         float(row.late_days) if row.late_days else "", row.counts, " | ".join(row.remarks),
         " | ".join((*row.feedback, *row.comments)))
        for row in rows
    ])  # fmt: skip


def shown_id(row):
    """The id as the student typed it, unless it is empty or someone else's."""
    is_own = without_zeros(key(row.student)) == without_zeros(row.owner)
    return row.student if not row.owner or is_own else row.owner


def by_student(rows):
    """For each id, its one row for each assignment; ids that occur twice in an assignment are left out."""
    found = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if row.owner and row.is_graded and row.counts != "no":
            found[row.owner][row.assignment].append(row)
    single = {who: {name: own[0] for name, own in given.items() if len(own) == 1} for who, given in found.items()}
    return {who: given for who, given in single.items() if given}


def counted(rows):
    """The identities of the rows whose points count."""
    return {id(row) for given in by_student(rows).values() for row in given.values()}


def write_forms(folder, rows, titles, roster):
    """grades_canvas.csv and grades_moodle.csv: one row for each student, one column for each assignment.

    What is not graded, or does not count yet, has no points, and a sentence.
    """
    students, waiting = by_student(rows), without_points(rows, roster)
    names = sorted({name for given in students.values() for name in given})
    canvas, moodle = [], []
    for who in {**students, **waiting}:
        given, entry = students.get(who, {}), roster.entries.get(who, {})
        student = next((shown_id(row) for row in given.values() if row.student), who)
        known = [entry.get(column.lower(), "") for column in CANVAS]
        points = [float(given[name].points) if name in given else "" for name in names]
        why = {name: why_no_points(row) for name, row in waiting.get(who, [])}
        feedback = [" | ".join(told(given[name])) if name in given else why.get(name, "") for name in names]
        canvas.append([*(known if any(known) else ("", "", "", student, "")), *points])
        pairs = zip(points, feedback, strict=True)
        moodle.append([entry.get("username", student), *(cell for pair in pairs for cell in pair)])
    columns = [titles[name] for name in names]
    in_canvas = [roster.columns.get(key(column), column) for column in columns]
    write_csv(folder / "grades_canvas.csv", [*CANVAS, *in_canvas], canvas)
    pairs = [(column, f"{column} (feedback)") for column in columns]
    write_csv(folder / "grades_moodle.csv", ["username", *(cell for pair in pairs for cell in pair)], moodle)


def without_points(rows, roster=NOBODY):
    """For each id, the rows that give it no points (yet), with the assignment that they probably belong to.

    A row without an owner is told to the student whom the platform names.
    """
    single, found, beside = counted(rows), defaultdict(list), assignments_beside(rows)
    for row in rows:
        typed = row.student and (roster.find(row.student) or key(row.student))
        if id(row) not in single and (who := row.owner or roster.of(origin(row.file)) or typed):
            found[who].append((row.assignment or beside.get(place(row), ""), row))
    return found


def place(row):
    """Return the folder or zip in which the platform put a file, or None if the platform gave it no name."""
    source = origin(row.file)
    return row.file.partition(source.part)[0] if source else None


def assignments_beside(rows):
    """The assignment of each folder or zip that holds only one."""
    found = defaultdict(set)
    for row in rows:
        if row.assignment:
            found[place(row)].add(row.assignment)
    return {where: next(iter(names)) for where, names in found.items() if where is not None and len(names) == 1}


def why_no_points(row):
    """The sentence for a student on a file that gives no points. It names nobody else."""
    if not row.assignment:
        return f"this file was not graded: {next(iter(row.remarks), 'it is no notebook')}"
    if not row.is_graded:
        return OTHER_VERSION
    if any(DECIDE in text for text in row.remarks):
        return "the id in this notebook is not that of the account that handed it in: your teacher will decide"
    if row.counts == "no":
        return " | ".join(row.comments) or "this file does not count"
    return "you have handed in several files for this assignment: your teacher will decide which one counts"


def told(row):
    late = [f"late days used: {row.late_days:g}"] if row.late_days else []
    return [*row.feedback, *row.comments, *late]


# ---- Feedback -------------------------------------------------------------------------------------------------

PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Feedback</title>
<style>body {{ font: 1.1rem/1.5 sans-serif; margin: 1rem auto; max-width: 42rem; padding: 0 1rem }}</style>
<main>
<h1>Feedback</h1>
{}</main>
</html>
"""


def feedback_lines(row, titles, has_points):
    """The heading and the lines of a student's feedback on one file."""
    if not has_points:
        return f"{row.file.rpartition('/')[2]}: no points", [why_no_points(row)]
    points = [f"{name}: {points:g} points" for name, points in row.questions.items()]
    return f"{titles[row.assignment]}: {row.points:g} of {row.out_of:g} points", [*points, *told(row)]


def feedback_page(parts):
    """The page with some headings and lines."""
    items = lambda lines: "".join(f"<li>{html.escape(cleaned(line))}</li>\n" for line in lines)
    part = lambda head, lines: f"<h2>{html.escape(cleaned(head))}</h2>\n<ul>\n{items(lines)}</ul>\n"
    return PAGE.format("".join(part(head, lines) for head, lines in parts))


def feedback_name(row):
    """The platform, and the name in its zip, of the feedback on a row that the platform has named."""
    source = origin(row.file)
    if source is None or source.platform == "gradescope":  # which takes no feedback from files
        return "", ""
    if source.platform == "canvas":  # Canvas identifies the student by the two numbers in the name
        return "canvas", source.part
    start = f"{source.part}/" if f"{source.part}/" in row.file else MOODLE_START.match(source.part)[0]
    return "moodle", f"{start}feedback.html"


def in_form_of(name, parts):
    """The feedback as the kind of file that its name promises: Canvas keeps the name of what was handed in."""
    if name.lower().endswith(".ipynb"):
        return as_notebook("\n".join(line for head, lines in parts for line in (head, "", *lines)))
    if not name.lower().endswith(".zip"):
        return feedback_page(parts)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as target:
        target.writestr("feedback.html", feedback_page(parts))
    return packed.getvalue()


def as_notebook(text):
    """A notebook that shows a text."""
    lines = "".join(f"    {cleaned(line)}\n" for line in text.splitlines())
    cell = {"cell_type": "markdown", "id": "feedback", "metadata": {}, "source": lines}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def write_feedback(folder, rows, titles):
    """feedback/: a page for each student; and a zip for each platform and assignment, to upload there."""
    folder, students, packed = folder / "feedback", defaultdict(list), defaultdict(lambda: defaultdict(list))
    folder.mkdir(mode=0o700, exist_ok=True)
    beside, single = assignments_beside(rows), counted(rows)
    for row in rows:
        part, who = feedback_lines(row, titles, id(row) in single), row.owner or (row.student and key(row.student))
        platform, inside = feedback_name(row)
        if who and not any(DECIDE in text for text in row.remarks):
            students[who].append(part)
        if platform:
            name = row.assignment or beside.get(place(row), "other")
            packed[f"{platform}_{name}.zip"][inside].append(part)
    for who, parts in students.items():
        (folder / f"{file_name(who)}.html").write_text(feedback_page(parts), "utf8")
    for name, files in packed.items():
        with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as target:
            for inside, parts in files.items():
                target.writestr(inside, in_form_of(inside, parts))


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
