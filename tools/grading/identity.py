"""Identify who submitted a file from the platform's file name, the typed id and the roster."""

import csv
import io
import re
import unicodedata
import zipfile
from collections import defaultdict
from typing import NamedTuple

# Column names of ids, in order of preference, unless a column is chosen by name; lines among which the header is.
ID_COLUMNS = ("student", "sis login id", "username", "sis user id", "id number", "email address", "email", "id")
MOST_TITLE_LINES = 10
# Column names of names, in the languages of frequent school software.
FIRST_NAME = ("first name", "given name", "firstname", "vorname", "prénom", "nombre", "nome", "voornaam")
LAST_NAME = ("surname", "last name", "family name", "lastname", "nachname", "familienname", "nom", "apellidos")
LAST_NAME += ("cognome", "achternaam")
FULL_NAME = ("full name", "student", "name", "student name", "nom complet", "nombre completo")
TEST_STUDENT = "Student, Test"  # in the gradebook of each Canvas course with a student view
NUMBER_COLUMNS = {"canvas": "id", "moodle": "identifier"}  # 4005; Participant 4005
ENCODINGS = ("utf-8-sig", "utf-16", "cp1252")

# Patterns of download names: a folder or the start of a name (Moodle), the start of a name (Canvas). With blind
# marking, Moodle calls everyone "Participant"; with anonymous grading, Canvas has five characters for a number.
MOODLE = re.compile(r"(?P<name>[^_/]+)_(?P<number>\d+)_assign(?:submission|feedback)_[a-z]+(?:_[^/]*)?")
CANVAS = re.compile(r"(?P<name>[^_/]+)_(?P<late>LATE_)?(?P<number>\d+)_(?P<attachment>\d+)_[^/]+", re.IGNORECASE)
ANONYMOUS = re.compile(
    r"(?P<name>anon)_(?P<late>LATE_)?(?P<number>\w{5})_(?:LATE_)?(?P<attachment>\d+)_[^/]+", re.IGNORECASE
)
# Gradescope's export has a folder for each hand-in, and a file that lists them.
GRADESCOPE = re.compile(r"(?P<before>(?:.*/)?)assignment_\d+_export/(?P<part>submission_(?P<number>\d+))/.+")
LISTED = "submission_metadata.yml"
BLIND = ("anon", "participant", "submission")


def key(student):
    """Normalise an id: letter case, surrounding spaces and the encoding of accents do not matter."""
    return unicodedata.normalize("NFC", student).strip().casefold()


# ---- The platform's file names --------------------------------------------------------------------------------


class Origin(NamedTuple):
    """The platform that named a file, the student's number on it, and the part of the path that contains both."""

    platform: str
    number: str
    name: str
    part: str
    attachment: int = 0  # of Canvas; a later hand-in has a larger one
    is_late: bool = False

    @property
    def user(self):
        """The part that all files of a student share: Moodle renumbers participants in each assignment."""
        return self.platform, self.number if self.platform == "canvas" or self.is_blind else key(self.name)

    @property
    def is_blind(self):
        """Whether the platform hides the name; its number then differs between assignments."""
        return key(self.name) in BLIND


def origin(file):
    """The origin according to a file's path, or None."""
    export = GRADESCOPE.fullmatch(file)
    for part in (export["before"] if export else file).split("/"):  # a name before it is the platform's own
        if found := MOODLE.fullmatch(part):
            return Origin("moodle", found["number"], found["name"], part)
        if found := ANONYMOUS.fullmatch(part) or CANVAS.fullmatch(part):
            return Origin(
                "canvas", found["number"], found["name"], part, int(found["attachment"]), bool(found["late"])
            )
    return Origin("gradescope", export["number"], "submission", export["part"]) if export else None


# ---- The roster -----------------------------------------------------------------------------------------------


class Roster(NamedTuple):
    """The students in a table: the row of each id, and other keys that identify a student."""

    entries: dict
    by_other_id: dict
    by_number: dict
    by_name: dict
    columns: dict  # the header of each graded assignment in Canvas, by its title

    def find(self, student):
        """The id that matches what a student typed, or an empty string."""
        typed = key(student)
        return typed if typed in self.entries else self.by_other_id.get(without_zeros(typed), "")

    def of(self, source):
        """The id of the student named by the platform, or an empty string."""
        if source is None:
            return ""
        number = self.by_number.get((source.platform, source.number), "")
        words = source.name.split("-")  # Moodle puts the group before the name: "Group A-Ada Lovelace"
        called = (self.by_name.get(key("-".join(words[i:]))) for i in range(len(words)))
        name = next(filter(None, called), "")
        return number or name if source.platform == "canvas" else name or number


NOBODY = Roster({}, {}, {}, {}, {})


def without_zeros(student):
    """An id without leading zeros, which spreadsheets drop from a number."""
    return student.lstrip("0") or student if student.isdecimal() else student


def unique(pairs):
    """Map each unambiguous name to its id."""
    found = defaultdict(set)
    for name, value in pairs:
        if name:
            found[name].add(value)
    return {name: next(iter(values)) for name, values in found.items() if len(values) == 1}


def names_of(entry):
    """The names that platforms derive from a student's row."""
    called = lambda columns: next(filter(None, map(entry.get, columns)), "")
    first, last = called(FIRST_NAME), called(LAST_NAME)
    full = [entry.get(column, "") for column in FULL_NAME]
    yield from (f"{first} {last}".strip(), *full)
    yield from (f"{given} {family}" for family, comma, given in (each.partition(", ") for each in full) if comma)
    yield re.sub(r"\W", "", entry.get("student", "") or f"{last}{first}")  # as in Canvas file names


def read_roster(path, column=""):
    """Read the students from a table, such as the gradebook that Canvas or Moodle exports, or any spreadsheet.

    Raises ValueError, with the file and the line, for what is no table, has no column of ids, or an id twice.
    """
    try:
        lines = list(table_of(path))
    except OSError as error:
        raise ValueError(f"ROSTER: expected a table of students, got {path}: {error.strerror}") from None
    wanted = (column.strip().lower(),) if column else ID_COLUMNS
    names = [[cell.strip().lower() for cell in cells] for _, cells in lines[:MOST_TITLE_LINES]]
    start = next((i for i, header in enumerate(names) if set(wanted) & set(header)), None)  # after a title
    if start is None:
        expected = f"{column!r}" if column else f"one of {', '.join(ID_COLUMNS)}; or name yours with COLUMN=…"
        got = ", ".join(names[0])[:200] if names else ""
        raise ValueError(f"{path}, line 1: expected a column called {expected}, got {got}")
    (_, shown), header, lines = lines[start], names[start], lines[start + 1 :]
    own = wanted[0] if column else id_column(header)
    entries, seen = {}, {}
    for number, cells in lines:
        entry = {name: cell.strip() for name, cell in zip(header, cells, strict=False)}
        is_test = entry.get("student") == TEST_STUDENT and "sis login id" in header
        student = "" if is_test else key(entry.get(own, ""))
        if student in entries:
            raise ValueError(
                f"{path}, line {number}: expected each id once, got {student!r} again (line {seen[student]})"
            )
        if student:
            entries[student], seen[student] = entry, number
    if not entries:
        raise ValueError(f"{path}, line 2: expected the id of a student in the column {own!r}, got none")
    ids = [(key(entry.get(name, "")), who) for who, entry in entries.items() for name in ID_COLUMNS[1:-1]]
    ids = [(without_zeros(other), who) for other, who in [*ids, *((who, who) for who in entries)]]
    numbers = (
        ((platform, found[0]), who)
        for who, entry in entries.items()
        for platform, name in NUMBER_COLUMNS.items()
        if (found := re.search(r"\d+$", entry.get(name, "")))
    )
    called = ((key(name), who) for who, entry in entries.items() for name in set(names_of(entry)))
    columns = {key(re.sub(r" \(\d+\)$", "", cell)): cell for cell in shown if cell.endswith(")")}
    return Roster(entries, unique(ids), unique(numbers), unique(called), columns)


def id_column(header):
    """The column of ids. In an export of Canvas, "Student" is a name and "SIS Login ID" the id."""
    order = ID_COLUMNS[1:] if "sis login id" in header else ID_COLUMNS
    return next((name for name in order if name in header), "")


def table_of(path):
    """The numbered lines of a table as lists of text: .xlsx, or text in an encoding that spreadsheets write."""
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(b"PK"):
        return spreadsheet(path, data)
    is_wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ENCODINGS[1:2] if is_wide else (ENCODINGS[0], ENCODINGS[2]):
        try:
            text = data.decode(encoding)
            break
        except UnicodeDecodeError:
            continue
    else:
        raise ValueError(f"{path}: expected a table in UTF-8, UTF-16 or cp1252, got something else")
    start = "\n".join(text.split("\n", MOST_TITLE_LINES)[:MOST_TITLE_LINES])
    delimiter = max(",;\t", key=start.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return ((reader.line_num, cells) for cells in reader if any(cells))


def spreadsheet(path, data):
    """The numbered lines of the first sheet of an .xlsx file."""
    from openpyxl import load_workbook

    try:
        sheet = load_workbook(io.BytesIO(data), read_only=True, data_only=True).worksheets[0]
    except (zipfile.BadZipFile, KeyError, ValueError, IndexError) as error:
        raise ValueError(f"{path}: expected a spreadsheet (.xlsx), got {type(error).__name__}") from None
    lines = (["" if cell is None else as_text(cell) for cell in row] for row in sheet.iter_rows(values_only=True))
    return ((number, cells) for number, cells in enumerate(lines, 1) if any(cells))


def as_text(cell):
    """A spreadsheet cell as displayed; spreadsheets store ids that consist of digits as numbers."""
    return f"{cell:.0f}" if isinstance(cell, float) and cell.is_integer() else str(cell)
