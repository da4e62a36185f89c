"""Identifying the owner of a file, the teacher's decisions, and feedback for the platforms."""

import csv
import json
import unicodedata
import zipfile

import openpyxl
import pytest

from tools.grading import decisions, identity, submissions, tables
from tools.grading.tables import Row

CANVAS, MOODLE = "lovelaceada_4005_98765_a1.ipynb", "Ada Lovelace_17_assignsubmission_file_"
ROWS = [["Student", "ID", "SIS Login ID"], ["Lovelace, Ada", "4005", "ada"], ["Hopper, Grace", "4006", "grace"]]
TITLES = {"01": "One", "02": "Two"}


def row(file, student="ada", assignment="01", points=7.0, **more):
    return Row(file, "d", student, assignment, points, 10, {"q1": 3, "q2": points - 3}, (), ("q2: wrong",), **more)


@pytest.fixture
def roster(tmp_path):
    path = tmp_path / "canvas.csv"
    with open(path, "w", newline="", encoding="utf8") as file:
        csv.writer(file).writerows(ROWS)
    return identity.read_roster(path)


@pytest.mark.parametrize(
    "path, expected",
    [
        (CANVAS, ("canvas", "4005", CANVAS, 98765, False)),
        (f"week 1.zip/{CANVAS}", ("canvas", "4005", CANVAS, 98765, False)),
        (
            "lovelaceada_LATE_4005_98765_a1-2.ipynb",
            ("canvas", "4005", "lovelaceada_LATE_4005_98765_a1-2.ipynb", 98765, True),
        ),
        (f"{MOODLE}/a_1_2_b.ipynb", ("moodle", "17", MOODLE, 0, False)),
        (f"{MOODLE}a1.ipynb", ("moodle", "17", f"{MOODLE}a1.ipynb", 0, False)),
        ("Ada Lovelace_17_assignsubmission_file/a.zip/b.ipynb", ("moodle", "17", MOODLE[:-1], 0, False)),
        ("assignment_1_final.ipynb", None),
        ("week_2_3/x.ipynb", None),
    ],
)
def test_path_gives_platform_identity(path, expected):
    found = identity.origin(path)
    assert expected is None if found is None else (found[0], found[1], *found[3:]) == expected


def test_file_with_foreign_id_counts_for_nobody(roster):
    mine, stolen = row(CANVAS, "ada"), row("hoppergrace_4006_5_a.ipynb", "ada", points=10)
    forgot = row("hoppergrace_4006_6_b.ipynb", "", "02", points=2)
    completed = tables.completed([mine, stolen, forgot], roster)
    found = {each.file: each for each in completed}
    assert found[CANVAS].owner == "ada" and found[CANVAS].counts == "yes"
    assert found[stolen.file].counts == "no" and "names grace (hoppergrace), the notebook ada" in str(
        found[stolen.file].remarks
    )
    assert found[forgot.file].owner == "grace"  # the platform knows
    students = tables.by_student(completed)
    assert students["ada"]["01"].points == 7 and list(students["grace"]) == ["02"]


def test_conflicting_ids_are_noticed_without_roster():
    rows = [row("x_1_10_a.ipynb", "ada"), row("x_1_11_b.ipynb", "bob", "02"), row("y_2_12_a.ipynb", "cy")]
    assert [each.counts for each in tables.completed(rows)] == ["no", "no", "yes"]
    rows = [row("x_1_10_a.ipynb", "ada"), row("y_2_12_b.ipynb", "ada", "02")]
    assert [each.counts for each in tables.completed(rows)] == ["no", "no"]
    decided = [decisions.Decision(2, "y_2_12_b.ipynb", "", "", "student", "bob")]
    assert [each.counts for each in tables.completed(rows, decisions=decided)] == ["yes", "yes"]


def test_moodle_participant_numbers_differ_between_assignments(tmp_path):
    rows = [row(f"{MOODLE}/a.ipynb"), row(f"{MOODLE.replace('17', '90')}/b.ipynb", assignment="02")]
    rows += [row(CANVAS, assignment="03")]  # a different platform has its own numbers
    assert [each.counts for each in tables.completed(rows)] == ["yes"] * 3
    path = tmp_path / "moodle.csv"
    path.write_text(
        "Identifier,First name,Surname,ID,Username\nParticipant 17,Grace,Hopper,17,g\n,Ada,Lovelace,,ada\n"
    )
    found = identity.read_roster(path)
    assert found.of(identity.origin(f"{MOODLE}/a.ipynb")) == "ada"  # the name first
    assert found.of(identity.origin("x_17_3_a.ipynb")) == "g" and found.of(identity.origin("x_18_3_a.ipynb")) == ""


def test_ids_are_compared_in_normalised_unicode(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("username\nJosé\n", "utf8")
    found = identity.read_roster(path).find(unicodedata.normalize("NFD", " JOSÉ "))
    assert found == "josé"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_roster_exports_are_read_in_all_encodings(encoding, delimiter, tmp_path):
    path = tmp_path / "roster.csv"
    lines = [["Name", "Matrikelnummer"], ["Müller", "0012"], ["Žižek" if encoding != "cp1252" else "Weiß", "13"]]
    path.write_text("\r\n".join(delimiter.join(line) for line in lines) + "\r\n", encoding)
    roster = identity.read_roster(path, "matrikelnummer")
    assert list(roster.entries) == ["0012", "13"] and roster.entries["0012"]["name"] == "Müller"


def test_roster_may_be_xlsx(tmp_path):
    book = openpyxl.Workbook()
    for line in (["Name", "Username"], ["Ada", 1001.0], ["", None], ["Bob", "b2"]):
        book.active.append(line)
    book.save(tmp_path / "roster.xlsx")
    assert list(identity.read_roster(tmp_path / "roster.xlsx").entries) == ["1001", "b2"]


@pytest.mark.parametrize(
    "text, message",
    [
        ("name\nAda\n", r"roster.csv, line 1: expected a column called one of student, .* got name"),
        ("username\nada\nbob\nADA\n", r"roster.csv, line 4: expected each id once, got 'ada' again \(line 2\)"),
        (
            "username,x\n,1\n",
            r"roster.csv, line 2: expected the id of a student in the column 'username', got none",
        ),
        ("PK\x03\x04", r"roster.csv: expected a spreadsheet \(.xlsx\), got BadZipFile"),
    ],
)
def test_unusable_roster_error_gives_file_and_line(text, message, tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text(text, "utf8")
    with pytest.raises(ValueError, match=message):
        identity.read_roster(path)


def test_teacher_decisions_are_applied(tmp_path, roster):
    path = tmp_path / "class-decisions.csv"
    path.write_text(
        "file;student;assignment;what;value;why\n"
        "a.ipynb;;;q2;4;right in another way\n"
        ";grace;01;late_days;2;\n"
        "b.ipynb;;;student;grace;typed a wrong id\n"
        "draft.ipynb;;;counts;no;\n"
        "a.ipynb;;;comment;see me;\n",
        "cp1252",
    )
    rows = [row("a.ipynb"), row("draft.ipynb"), row("b.ipynb", "ada")]
    decided = {each.file: each for each in tables.completed(rows, roster, decisions.read_decisions(path))}
    mine = decided["a.ipynb"]
    assert (mine.points, mine.comments) == (7, ("right in another way", "see me")) and mine.questions["q2"] == 4
    assert (decided["b.ipynb"].owner, decided["b.ipynb"].late_days) == ("grace", 2)
    assert tables.late_days(decided.values()) == {"ada": 0, "grace": 2}
    assert "same id" not in str(mine.remarks) and decided["draft.ipynb"].counts == "no"


def test_latest_numbered_submission_counts(tmp_path):
    path = tmp_path / "class-decisions.csv"
    path.write_text("file,student,assignment,what,value\n,*,,counts,latest\n")
    rule = decisions.read_decisions(path)
    rows = tables.completed([row("x_1_10_a.ipynb", points=9), row("x_1_12_a-1.ipynb", points=4)], decisions=rule)
    assert tables.by_student(rows)["ada"]["01"].points == 4 and "x_1_12_a-1.ipynb is later" in rows[0].remarks
    unknown = tables.completed([row("one.ipynb"), row("two.ipynb")], decisions=rule)
    assert tables.by_student(unknown) == {} and "same id as two.ipynb" in unknown[0].remarks


@pytest.mark.parametrize(
    "text, message",
    [
        ("a,b\n", "line 1: expected the columns file, student"),
        ("file,student,assignment,what,value\n\n,,,mark,3\n", "line 3: expected points, q1, .* got 'mark'"),
        ("file,student,assignment,what,value\n,,,points,many\n", "line 2: expected a number, got 'many'"),
        (
            "file,student,assignment,what,value\n,,,counts,maybe\n",
            "line 2: expected yes, no or latest, got 'maybe'",
        ),
    ],
)
def test_invalid_decision_error_gives_line(text, message, tmp_path):
    path = tmp_path / "class-decisions.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        decisions.read_decisions(path)


def test_feedback_zips_match_platform_formats(tmp_path):
    rows = [
        row(CANVAS),
        row(f"w.zip/{MOODLE}/a1.ipynb", "bob"),
        row(f"{MOODLE.replace('17', '18')}a1.ipynb", "cy", "02"),
    ]
    rows = [*rows, row("by mail.ipynb", "../dan <b>", comments=("<script>",))]
    tables.write_feedback(tmp_path, tables.completed(rows), TITLES)
    found = {path.name for path in (tmp_path / "feedback").iterdir()}
    packed = {"canvas_01.zip", "moodle_01.zip", "moodle_02.zip"}
    assert found == packed | {"ada.txt", "bob.txt", "cy.txt", "%2e.%2fdan%20%3cb%3e.txt"}
    with zipfile.ZipFile(tmp_path / "feedback" / "canvas_01.zip") as packed:
        (name,) = packed.namelist()
        assert name == CANVAS  # Canvas looks for the numbers of the student and of the file in the name
        assert "One: 7 of 10 points" in json.loads(packed.read(name))["cells"][0]["source"]
    with zipfile.ZipFile(tmp_path / "feedback" / "moodle_01.zip") as packed:
        assert packed.namelist() == [f"{MOODLE}/feedback.txt"]
        assert "q2: wrong" in packed.read(f"{MOODLE}/feedback.txt").decode()
    with zipfile.ZipFile(tmp_path / "feedback" / "moodle_02.zip") as packed:
        assert packed.namelist() == ["Ada Lovelace_18_assignsubmission_file_feedback.txt"]
    assert not any("<" in path.read_text("utf8") for path in (tmp_path / "feedback").glob("*.txt"))


@pytest.mark.parametrize("text", ["=1+1", "＝1+1", " =1", "\u200b=1", "﹢1", "-1", "@x", "\t=1", "＠SUM(1)", "⁼1"])
def test_table_cells_are_never_formulas(text):
    assert tables.safe(text).startswith("'")


def test_table_text_is_escaped_and_truncated():
    assert not set(tables.safe("<script>＜script＞﹤b﹥;")) & set("<>＜＞﹤﹥;")
    remarks = tables.shortened(["x" * 90_000] * 500)
    assert len(remarks) == 21 and max(map(len, remarks)) < 310 and remarks[-1] == "and 480 more"


def test_completing_many_rows_is_not_quadratic():
    """Each row is visited a fixed number of times: a term of nine weeks is one folder."""
    visits = 0

    class Counted(Row):
        def __getattribute__(self, name):
            nonlocal visits
            visits += 1
            return super().__getattribute__(name)

    counts = []
    for n in (100, 400):
        visits = 0
        tables.completed([Counted(*row(f"s_{i}_{i}_a.ipynb", f"s{i}")) for i in range(n)])
        counts.append(visits)
    assert counts[1] < 5 * counts[0]


def test_latest_with_an_ownerless_row_is_completed():
    rule = [decisions.Decision(2, "", "*", "", "counts", "latest")]
    (found,) = tables.completed([Row("x.pdf")], decisions=rule)
    assert found.owner == "" and found.file == "x.pdf"


def test_reason_for_owner_stays_with_teacher():
    rule = [decisions.Decision(2, "a.ipynb", "", "", "student", "bob", "typed the id of a friend")]
    (found,) = tables.completed([row("a.ipynb")], decisions=rule)
    assert found.owner == "bob" and found.comments == ()


@pytest.mark.parametrize("student", ["!" * 100, "字" * 90, "x" * 100])
def test_feedback_is_written_for_long_ids(student, tmp_path):
    rows = tables.completed([row("one.ipynb", student), row("two.ipynb", f"{student}.")])
    tables.write_feedback(tmp_path, rows, TITLES)
    assert len(list((tmp_path / "feedback").iterdir())) == 2


def test_feedback_is_written_for_bare_moodle_name(tmp_path):
    tables.write_feedback(tmp_path, tables.completed([row("Ada_12_assignsubmission_file")]), TITLES)
    assert {path.name for path in (tmp_path / "feedback").iterdir()} == {"ada.txt", "moodle_01.zip"}


def test_zip_named_by_platform_holds_no_class():
    names = ["a_1_1_n.ipynb", "b_2_2_n.ipynb"]
    assert submissions.is_class(names, "week1.zip") and not submissions.is_class(names, "ada_4005_98_a.zip")
