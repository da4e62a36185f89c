"""Identifying the owner of a file, the teacher's decisions, and feedback for the platforms."""

import csv
import io
import json
import re
import unicodedata
import zipfile

import openpyxl
import pytest

from tests.axe import run_axe
from tools.grading import decisions, grade, identity, submissions, tables
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
        ("anon_x9Kq2_98_a.ipynb", ("canvas", "x9Kq2", "anon_x9Kq2_98_a.ipynb", 98, False)),
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
    assert found[forgot.file].owner == "grace"  # the platform's id, as the notebook has none
    students = tables.by_student(completed)
    assert students["ada"]["01"].points == 7 and list(students["grace"]) == ["02"]


def test_mistyped_id_belongs_to_the_platforms_student(roster):
    typo = row("hoppergrace_4006_5_a.ipynb", "grase")
    (found,) = tables.completed([typo], roster)
    assert (found.owner, found.counts) == ("grace", "yes")
    assert "this id is not in the roster, and the platform names grace" in found.remarks
    assert "your notebook has the id 'grase', and your teacher knows you as 'grace'" in tables.told(found)
    both = tables.completed([typo, row(CANVAS, "grase")], roster)  # an id on which two have agreed
    assert [each.counts for each in both] == ["no", "no"]


@pytest.mark.parametrize(
    "days, about_first, counted",
    [
        ([("", 3)], {}, 3),  # of all her files
        ([("b.ipynb", 3)], {}, 0),  # the first was in time
        ([("a.ipynb", 1), ("b.ipynb", 3)], {}, 1),
        ([("a.ipynb", 4), ("b.ipynb", 3)], {}, 3),  # the right file came first
        ([("b.ipynb", 3)], {"counts": "no"}, 3),  # nothing was in the first, or the teacher does not count it
        ([("b.ipynb", 3)], {"assignment": "02"}, 3),
    ],
)
def test_late_days_count_from_first_file(roster, days, about_first, counted):
    """A file that was made with a different key has no points, but says when the work was handed in."""
    wrong = Row("lovelaceada_4005_1_a.ipynb", "d", "", "01", remarks=("of version x",), version="x")
    right = row("lovelaceada_4005_2_b.ipynb", "ada")
    decided = [
        decisions.Decision("01.csv", name and f"lovelaceada_4005_{n}_{name}", "ada", "01", "late_days", value)
        for name, value in days
        for n in ("1" if name == "a.ipynb" else "2")
    ]
    found = tables.completed([wrong._replace(**about_first), right], roster, decided)
    assert [each.owner for each in found] == ["ada", "ada"]
    assert tables.late_days(found) == {"ada": counted}
    assert list(tables.by_student(found)["ada"]) == ["01"] and tables.by_student(found)["ada"]["01"].points == 7
    noted = f"{wrong.file} was made with a different key: late days count from the earlier file"
    assert (noted in found[1].remarks) == (not about_first)
    assert tables.why_no_points(found[0]) == tables.OTHER_VERSION


GERMAN = "Klassenliste\n\nNachname;Vorname;Matrikelnummer\nLovelace;Ada;7000\nHopper;Grace;7013\n"


def test_tables_have_the_ids_of_the_roster(tmp_path):
    """A typing error, zeros that a spreadsheet dropped, and a friend's id give no row of their own."""
    (tmp_path / "roster.csv").write_text(GERMAN, "utf8")
    roster = identity.read_roster(tmp_path / "roster.csv", "Matrikelnummer")
    rows = [row(CANVAS, "0070"), row("hoppergrace_4006_5_a.ipynb", "007000", points=10)]
    for typed, expected in (("0070", "7000"), ("007000", "007000")):
        rows[0] = rows[0]._replace(student=typed)
        found = tables.completed(rows, roster)
        tables.write_forms(tmp_path, found, TITLES, roster)
        cells = list(csv.reader(io.StringIO((tmp_path / "grades_canvas.csv").read_text("utf-8-sig"))))
        assert [line[3:] for line in cells[1:]] == [[expected, "", "7"], ["7013", "", ""]]
        assert "your teacher will decide" in (tmp_path / "grades_moodle.csv").read_text("utf8")


def test_conflicting_ids_are_noticed_without_roster():
    rows = [row("x_1_10_a.ipynb", "ada"), row("x_1_11_b.ipynb", "bob", "02"), row("y_2_12_a.ipynb", "cy")]
    assert [each.counts for each in tables.completed(rows)] == ["no", "no", "yes"]
    rows = [row("x_1_10_a.ipynb", "ada"), row("y_2_12_b.ipynb", "ada", "02")]
    assert [each.counts for each in tables.completed(rows)] == ["no", "no"]
    decided = [decisions.Decision("all.csv, line 2", "y_2_12_b.ipynb", "", "", "student", "bob")]
    assert [each.counts for each in tables.completed(rows, decisions=decided)] == ["yes", "yes"]


def test_user_with_many_ids_leaves_other_files_counted():
    honest = [row(f"{name}_{i}_{i}_a.ipynb", name) for i, name in enumerate("abcde")]
    stolen = [row(f"x_66_{60 + i}_a.ipynb", name, points=0) for i, name in enumerate("abcde")]
    found = {each.file: each.counts for each in tables.completed(honest + stolen)}
    assert [found[each.file] for each in honest] == ["yes"] * 5
    assert [found[each.file] for each in stolen] == ["no"] * 5


def test_file_that_does_not_count_leaves_other_files_counted():
    rows = [row("x_1_10_a.ipynb", "ada"), row("y_2_12_b.ipynb", "ada")]
    rule = [decisions.Decision("all.csv, line 2", "y_2_12_b.ipynb", "", "", "counts", "no")]
    assert [each.counts for each in tables.completed(rows, decisions=rule)] == ["yes", "no"]


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


def test_roster_may_be_xlsx_with_a_title(tmp_path):
    book = openpyxl.Workbook()
    for line in (
        ["Kernels, summer"],
        [],
        ["Name", "Username"],
        ["Lovelace, Ada", 7037.0],
        ["", None],
        ["Bob", "b2"],
    ):
        book.active.append(line)
    book.save(tmp_path / "roster.xlsx")
    roster = identity.read_roster(tmp_path / "roster.xlsx")
    assert list(roster.entries) == ["7037", "b2"]
    assert (
        roster.find("007037") == "7037" and roster.find("70370") == ""
    )  # a spreadsheet drops the zeros of a number
    assert roster.of(identity.origin(f"{MOODLE}/a.ipynb")) == "7037"  # in Moodle "Ada Lovelace"


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


def test_missing_files_are_listed_by_assignment(roster):
    """A student with a file of no assignment is in no line, since the file may be any of them."""
    rows = [
        row("a.ipynb", "ada", assignment="01", owner="ada"),
        row("b.ipynb", "bob", assignment="01", owner="bob"),
        row("c.ipynb", "ada", assignment="02", owner="ada"),
        row("d.ipynb", "cyn", assignment="02", owner="cyn"),
        row("e.pdf", "", assignment="", owner="eve"),
    ]
    lines = list(grade.missing_files(rows, roster._replace(entries=dict.fromkeys(("ada", "bob", "cyn", "eve")))))
    assert lines == [
        "01: 1 of the roster handed in nothing: cyn",
        "02: 1 of the roster handed in nothing: bob",
    ]


def test_summary_counts_files_without_points():
    pdf = tables.Row("a.pdf", remarks=("a .pdf file cannot be graded",))
    failed = tables.Row("b.ipynb", remarks=(f"{tables.AGAIN} (OSError: its process did not start)",))
    blank = tables.Row("c.ipynb", assignment="01", counts="no")
    lines = "\n".join(grade.summary([pdf, failed, blank], identity.NOBODY))
    assert "2 files were not graded" in lines and "run the same command once more" in lines
    assert "once more" not in "\n".join(grade.summary([pdf], identity.NOBODY))


def test_canvas_test_student_is_no_student(tmp_path):
    path = tmp_path / "gradebook.csv"
    lines = ("Student,ID,SIS Login ID", "    Points Possible,,", '"Lovelace, Ada",1,ada', '"Student, Test",2,0dfe')
    path.write_text("\n".join(lines), "utf8")
    assert list(identity.read_roster(path).entries) == ["ada"]


def test_missing_roster_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"ROSTER: expected a table of students, got .*none.csv: No such file"):
        identity.read_roster(tmp_path / "none.csv")


DECISIONS = "file,student,what,value,why\n"


@pytest.fixture
def decide(tmp_path):
    """Write decisions about all assignments, or about one, and read them with the sentences on invalid ones."""
    folder = tmp_path / "decisions"
    folder.mkdir(mode=0o700)

    def read(text, name="all", header=DECISIONS):
        (folder / f"{name}.csv").write_text(header + text, "cp1252")
        return decisions.read_decisions(folder, TITLES)

    return read


def test_teacher_decisions_are_applied(decide, roster):
    decide(";grace;late_days;2;\n", "02", DECISIONS.replace(",", ";"))
    read, problems = decide(
        "a.ipynb,,q2,4,right in another way\n"
        "b.ipynb,,student,grace,typed a wrong id\n"
        "draft.ipynb,,counts,no,\n"
        "a.ipynb,,comment,see me,\n"
    )
    assert problems == []
    mine = row("a.ipynb", full={"q1": 3, "q2": 7})
    rows = [mine, row("draft.ipynb"), row("b.ipynb", "ada", "02"), row("c.ipynb", "grace")]
    decided = {each.file: each for each in tables.completed(rows, roster, read)}
    mine = decided["a.ipynb"]
    assert (mine.points, mine.comments) == (7, ("right in another way", "see me")) and mine.questions["q2"] == 4
    theirs = decided["b.ipynb"]
    assert (theirs.owner, theirs.late_days, decided["c.ipynb"].late_days) == ("grace", 2, 0)
    assert tables.late_days(decided.values()) == {"ada": 0, "grace": 2}
    assert "same id" not in str(mine.remarks) and decided["draft.ipynb"].counts == "no"
    assert list(decisions.not_applied(decided.values(), read)) == []


def test_rule_latest_counts_the_submission_with_highest_number(decide):
    rule, _ = decide(",*,counts,latest,\n")
    rows = tables.completed([row("x_1_10_a.ipynb", points=9), row("x_1_12_a-1.ipynb", points=4)], decisions=rule)
    assert tables.by_student(rows)["ada"]["01"].points == 4 and "x_1_12_a-1.ipynb is later" in rows[0].remarks
    unknown = tables.completed([row("one.ipynb"), row("two.ipynb")], decisions=rule)
    assert tables.by_student(unknown) == {} and "same id as two.ipynb" in unknown[0].remarks


@pytest.mark.parametrize(
    "line, message",
    [
        ("\n,,mark,3,", "line 3: expected points, q1, .* got 'mark'"),
        (",,points,many,", "line 2: expected a number, got 'many'"),
        (",,points,-1,", "line 2: expected a number, got '-1'"),
        (",,points,inf,", "line 2: expected a number, got 'inf'"),
        (",,counts,maybe,", "line 2: expected yes, no or latest, got 'maybe'"),
    ],
)
def test_invalid_decision_is_named_and_others_apply(line, message, decide):
    read, (problem,) = decide(f"{line}\n,ada,counts,no,\n")
    assert re.match(f"all.csv, {message}", problem) and [each.what for each in read] == ["counts"]


def test_invalid_decision_table_is_named(decide):
    assert "all.csv, line 1: expected the columns file, student" in decide("", header="a,b\n")[1][0]
    assert "03.csv: expected all.csv or the name of an assignment; is it '0" in decide("", name="03")[1][1]


def test_typo_in_decision_is_named(decide):
    read, _ = decide(
        "one.ipymb,,counts,no,\n,adda,counts,no,\none.ipynb,bob,counts,no,\n,,points,99,\n,,q7,1,\n,ada,q1,3,\n"
    )
    full = {"q1": 3, "q2": 7}
    completed = tables.completed([row("one.ipynb", full=full), row("two.ipynb", "bob", full=full)], decisions=read)
    assert [(each.points, each.counts) for each in completed] == [(7, "yes"), (7, "yes")]
    assert list(decisions.not_applied(completed, read)) == [
        "all.csv, line 2: there is no file 'one.ipymb'; is it 'one.ipynb'?",
        "all.csv, line 3: no file of a student 'adda'; is it 'ada'?",
        "all.csv, line 4: this file, student and assignment do not occur together",
        "all.csv, line 5: one.ipynb: expected 0 to 10, got 99",
        "all.csv, line 6: one.ipynb: there is no q7",
    ]


def test_decision_may_name_file_by_end_of_its_path(decide):
    rows = [row("week 2.zip/x_1_10_a.ipynb"), row("one/b.ipynb", "bob"), row("two/b.ipynb", "cy")]
    read, _ = decide("x_1_10_a.ipynb,,counts,no,\nb.ipynb,,counts,no,\n")
    completed = tables.completed(rows, decisions=read)
    assert {each.file: each.counts for each in completed} == dict(
        zip([each.file for each in rows], ["yes", "yes", "no"][::-1], strict=True)
    )
    assert list(decisions.not_applied(completed, read)) == [
        "all.csv, line 3: 2 files are called 'b.ipynb': give the folder or zip, too"
    ]


def test_rule_latest_does_not_resolve_disputed_owner(decide, roster):
    rule, _ = decide(",*,counts,latest,\n")
    (stolen,) = tables.completed([row("hoppergrace_4006_5_a.ipynb", "ada")], roster, rule)
    assert (stolen.owner, stolen.counts) == ("", "no")
    assert not any(
        "nothing" in line for line in grade.summary([stolen, row(CANVAS)._replace(owner="ada")], roster)
    )


def test_canvas_columns_keep_the_number_of_their_assignment(tmp_path):
    path = tmp_path / "canvas.csv"
    path.write_text("Student,ID,SIS Login ID,One (77),Final (score)\nLovelace Ada,4005,ada,,\n", "utf8")
    roster = identity.read_roster(path)
    tables.write_forms(
        tmp_path, tables.completed([row(CANVAS), row(CANVAS, assignment="02")], roster), TITLES, roster
    )
    assert (tmp_path / "grades_canvas.csv").read_text("utf-8-sig").splitlines()[0].endswith(",One (77),Two")


def test_decisions_others_can_write_are_rejected(decide, tmp_path):
    folder = tmp_path / "decisions"
    assert len(decide(",ada,counts,no,\n")[0]) == 1
    (folder / "all.csv").chmod(0o666)
    folder.chmod(0o755)
    assert decisions.read_decisions(folder) == ([], ["all.csv: expected a file that only you can write"])
    (folder / "all.csv").rename(tmp_path / "moved.csv")
    (folder / "all.csv").symlink_to(tmp_path / "moved.csv")
    assert decisions.read_decisions(folder)[0] == []


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
    assert found == packed | {"ada.html", "bob.html", "cy.html", "%2e.%2fdan%20%3cb%3e.html"}
    with zipfile.ZipFile(tmp_path / "feedback" / "canvas_01.zip") as packed:
        (name,) = packed.namelist()
        assert name == CANVAS  # Canvas looks for the numbers of the student and of the file in the name
        assert "One: 7 of 10 points" in json.loads(packed.read(name))["cells"][0]["source"]
    with zipfile.ZipFile(tmp_path / "feedback" / "moodle_01.zip") as packed:
        assert packed.namelist() == [f"{MOODLE}/feedback.html"]
        assert "q2: wrong" in packed.read(f"{MOODLE}/feedback.html").decode()
    with zipfile.ZipFile(tmp_path / "feedback" / "moodle_02.zip") as packed:
        assert packed.namelist() == ["Ada Lovelace_18_assignsubmission_file_feedback.html"]
    pages = [path.read_text("utf8") for path in (tmp_path / "feedback").glob("*.html")]
    assert len(pages) == 4 and not any("<b>" in page or "<script" in page for page in pages)


@pytest.mark.parametrize("text", ["=1+1", "＝1+1", " =1", "\u200b=1", "﹢1", "-1", "@x", "\t=1", "＠SUM(1)", "⁼1"])
def test_table_cells_are_never_formulas(text):
    assert tables.safe(text).startswith("'")


def test_table_text_is_escaped_and_truncated():
    assert not set(tables.safe("<script>＜script＞﹤b﹥;")) & set("<>＜＞﹤﹥;")
    remarks = tables.shortened(["x" * 90_000] * 500)
    assert len(remarks) == 21 and max(map(len, remarks)) < 310 and remarks[-1] == "and 480 more"


def test_rows_are_visited_a_fixed_number_of_times():
    """The time grows linearly: a term of nine weeks is one folder."""
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


def test_rule_latest_accepts_a_row_without_owner():
    rule = [decisions.Decision("all.csv, line 2", "", "*", "", "counts", "latest")]
    (found,) = tables.completed([Row("x.pdf")], decisions=rule)
    assert found.owner == "" and found.file == "x.pdf"


def test_reason_for_owner_stays_with_teacher():
    rule = [decisions.Decision("all.csv, line 2", "a.ipynb", "", "", "student", "bob", "typed the id of a friend")]
    (found,) = tables.completed([row("a.ipynb")], decisions=rule)
    assert found.owner == "bob" and found.comments == ()


@pytest.mark.parametrize("student", ["!" * 100, "字" * 90, "x" * 100])
def test_feedback_is_written_for_long_ids(student, tmp_path):
    rows = tables.completed([row("one.ipynb", student), row("two.ipynb", f"{student}.")])
    tables.write_feedback(tmp_path, rows, TITLES)
    assert len(list((tmp_path / "feedback").iterdir())) == 2


def test_feedback_is_written_for_bare_moodle_name(tmp_path):
    tables.write_feedback(tmp_path, tables.completed([row("Ada_12_assignsubmission_file")]), TITLES)
    assert {path.name for path in (tmp_path / "feedback").iterdir()} == {"ada.html", "moodle_01.zip"}


def test_zip_named_by_platform_is_not_a_class_zip():
    names = ["a_1_1_n.ipynb", "b_2_2_n.ipynb"]
    assert submissions.is_class(names, "week1.zip") and not submissions.is_class(names, "ada_4005_98_a.zip")


def test_gradescope_export_counts_as_class_zip():
    """Its folders name nobody, and its numbers change from one assignment to the next, as with blind marking."""
    names = [f"assignment_5_export/submission_{i}/my work.ipynb" for i in (8, 9)]
    listed = "assignment_5_export/submission_metadata.yml"
    assert submissions.is_class([*names, listed], "submissions.zip")
    assert not submissions.is_class([*names, "notes.yml"], "submissions.zip")
    rows = tables.completed([row(f"a.zip/{names[0]}", "ada"), row(f"a.zip/{names[1]}", "ada")])
    assert all(any(tables.DECIDE in text for text in each.remarks) for each in rows)
    (alone,) = tables.completed([row(f"a.zip/{names[0]}", "ada")])
    assert tables.UNCHECKED in alone.remarks and (alone.owner, alone.counts) == ("ada", "yes")
    assert tables.feedback_name(alone) == ("", "")


GRACE, DECIDES = "hoppergrace_4006", "your teacher will decide"
NO_NOTEBOOK = "a .pdf file cannot be graded, ask for the .ipynb"


@pytest.mark.parametrize("inside", ["assignment_1_export/submission_7/a.ipynb", "anon_x9Kq2_98_a.ipynb"])
@pytest.mark.parametrize("outside", [f"submissions.zip/{CANVAS.replace('ipynb', 'zip')}", f"a.zip/{MOODLE}/b.zip"])
def test_file_names_inside_zip_do_not_change_the_owner(inside, outside, roster):
    """Ada types the id of grace, in a folder like that of an export without names."""
    assert identity.origin(f"{outside}/{inside}") == identity.origin(outside)
    (found,) = tables.completed([row(f"{outside}/{inside}", "grace")], roster)
    assert found.counts == "no" and tables.DECIDE in found.remarks[-1]


@pytest.mark.parametrize(
    "theirs, sentence",
    [
        ([Row(f"{GRACE}_5_x.pdf", remarks=(NO_NOTEBOOK,))], f"this file was not graded: {NO_NOTEBOOK}"),
        ([row(f"{GRACE}_6_a.zip", "ada")], DECIDES),
        ([row(f"{GRACE}_7_a.txt", "grace"), row(f"{GRACE}_8_b.txt", "grace")], DECIDES),
    ],
)
def test_file_without_points_gets_feedback_and_table_row(theirs, sentence, tmp_path, roster):
    """A PDF, a file whose owner is disputed, two files: each has feedback, which names nobody else."""
    rows = tables.completed([row(CANVAS), *theirs], roster)
    tables.write_feedback(tmp_path, rows, TITLES)
    tables.write_forms(tmp_path, rows, TITLES, roster)
    with zipfile.ZipFile(tmp_path / "feedback" / "canvas_01.zip") as packed:
        assert set(packed.namelist()) == {each.file for each in rows}
        text = packed.read(theirs[0].file)
    if theirs[0].file.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(text)) as inner:
            text = inner.read("feedback.html")
    assert sentence in text.decode() and "lovelace" not in text.decode()
    lines = (tmp_path / "grades_canvas.csv").read_text("utf-8-sig").splitlines()
    assert len(lines) == 3 and "Hopper" in lines[-1] and lines[-1].endswith(",")
    assert "hopper" not in (tmp_path / "feedback" / "ada.html").read_text("utf8")


def test_moodle_groups_are_no_part_of_the_name(tmp_path):
    path = tmp_path / "moodle.csv"
    path.write_text("First name,Surname,Username\nAda,Lovelace,ada\nZoe,Group-Smith,zoe\n")
    found = identity.read_roster(path)
    of = lambda name: found.of(identity.origin(f"{name}_17_assignsubmission_file/a.ipynb"))
    assert (of("Group A-Ada Lovelace"), of("B-1-Zoe Group-Smith"), of("Group A-Bob")) == ("ada", "zoe", "")


@pytest.mark.parametrize(
    "one, other",
    [
        ("anon_x9Kq2_98_a.ipynb", "anon_b1234_99_a.ipynb"),
        ("Participant_17_assignsubmission_file", "Participant_18_assignsubmission_file"),
    ],
)
def test_hidden_names_are_reported_and_ids_compared(one, other):
    """An id that two typed in one assignment is disputed; in two assignments, a student has two numbers."""
    both = tables.completed([row(one), row(other)])
    assert [each.counts for each in both] == ["no", "no"]
    term = tables.completed([row(one), row(other, assignment="02")])
    assert [each.counts for each in term] == ["yes", "yes"]
    assert all(tables.UNCHECKED in each.remarks for each in term)


def test_notebook_of_a_group_counts_once_until_decided(tmp_path, decide):
    """Ada and Grace hand in one notebook with ada's id; the teacher gives the second row to grace."""
    path = tmp_path / "roster.csv"
    path.write_text("First name,Surname,Username\nAda,Lovelace,ada\nGrace,Hopper,grace\n")
    files = [
        f"Group A-{name}_{i}_assignsubmission_file/a.ipynb"
        for i, name in enumerate(("Ada Lovelace", "Grace Hopper"))
    ]
    rows, roster = [row(file) for file in files], identity.read_roster(path)
    assert [each.counts for each in tables.completed(rows, roster)] == ["yes", "no"]
    both = tables.completed(rows, roster, decide(f"{files[1]},,student,grace,group work")[0])
    assert [(each.owner, each.counts) for each in both] == [("ada", "yes"), ("grace", "yes")]
    assert tables.by_student(both).keys() == {"ada", "grace"}


def test_roster_of_names_identifies_by_platform(tmp_path):
    path = tmp_path / "roster.csv"
    path.write_text("Name\nAda Lovelace\n")
    with pytest.raises(ValueError, match="expected a column called one of"):
        identity.read_roster(path)
    roster = identity.read_roster(path, "Name")
    (found,) = tables.completed([row(f"{MOODLE}/a.ipynb", "st1")], roster)
    assert (found.owner, found.counts) == ("ada lovelace", "yes")
    assert "this id is not in the roster, and the platform names ada lovelace" in found.remarks


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_feedback_is_an_accessible_page(scheme, page, tmp_path):
    page.set_viewport_size({"width": 320, "height": 600})
    page.emulate_media(color_scheme=scheme)
    tables.write_feedback(
        tmp_path, tables.completed([row("a.ipynb"), row("b.pdf", assignment="")]), TITLES | {"": ""}
    )
    page.goto((tmp_path / "feedback" / "ada.html").as_uri())
    assert [(one["id"], one["nodes"]) for one in run_axe(page)] == []
    assert page.locator("main h1").count() == 1 and page.locator("main h2").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
