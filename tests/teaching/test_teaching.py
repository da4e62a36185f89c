"""The teacher's pages are complete, their links open the right page, and their schedules add up."""

import html
import itertools
import re
import zipfile
from xml.etree import ElementTree

import nbformat

from tests.conftest import CHAPTERS, ROOT, each_chapter
from tests.pages import guide_links
from tools.grading.quizzes import GIFT, read_quizzes, write_quizzes

TEACHING = ROOT / "teaching"


@each_chapter
def test_guide_minutes_add_up_and_goals_exist(path):
    text = (TEACHING / f"guide_{path.stem[:2]}.md").read_text("utf8")
    assert sum(int(minutes) for minutes in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)) == 50
    rest = re.search(r"\*\*Ninety minutes\.\*\* (?:Then 40 minutes:|Use the other 40 minutes for)(.*)", text)[1]
    assert sum(int(minutes) for minutes in re.findall(r"\((\d+)\)", rest)) == 40
    assert len(guide_links(f"chapters/{path.stem}")) == 3
    assert len(re.findall(r"^- \*\*", text.split("## Common wrong answers")[1], re.MULTILINE)) >= 4
    cells = nbformat.read(path, as_version=4).cells
    headings = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    for title in re.findall(r'"([^"]+)"', re.search(r"\*\*You may skip\*\* \| (.*) \|", text)[1]):
        assert re.search(rf"^#+ {re.escape(title)}", headings, re.MULTILINE), title
    for number in re.findall(r"[Ee]xercise (\d+\.\d)", text):
        assert f"### Exercise {number}" in headings
    if (ROOT / "assignments" / path.name).exists():  # in the browser, in Colab, and as a file
        assert len(re.findall(rf"(?:main/|path=)assignments/{path.name}", text)) == 3
        row = re.search(
            rf"^\| {int(path.stem[:2])}\. .*$", (TEACHING / "index.md").read_text("utf8"), re.MULTILINE
        )[0]
        assert f"guide_{path.stem[:2]}.md" in row and f"index.html?path=assignments/{path.name}" in row


def test_syllabus_lists_sixteen_sessions_in_order():
    text = (TEACHING / "term.md").read_text("utf8")
    rows = re.findall(r"^\| (\d+) \| (.*) \| .* \|$", text, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 17))
    named = [int(number) for _, what in rows for number in re.findall(r"[Cc]hapter (\d+)", what)]
    numbers = [int(chapter.stem[:2]) for chapter in CHAPTERS]
    assert named == sorted(named) and sorted(set(named)) == numbers
    assert sorted(set(map(int, re.findall(r"quiz (\d+)", text)))) == numbers
    shares = re.findall(r"(\d+) %", text.split("A proposal for the mark")[1].split("\n")[0])
    assert sum(map(int, shares)) == 100


def test_quiz_has_five_questions_with_explained_answers():
    text = (TEACHING / "quizzes.gift").read_text("utf8")
    chapters = re.split(r"^\$CATEGORY: .*/", text, flags=re.MULTILINE)[1:]
    assert len(chapters) == len(CHAPTERS)
    for i, quiz in enumerate(chapters, start=1):
        assert quiz.startswith(f"{i}. ")
        questions = re.findall(r"^::(\d+)\.(\d):: (.+) \{\n((?:  .+\n)+)\}$", quiz, re.MULTILINE)
        assert [(int(chapter), int(number)) for chapter, number, *_ in questions] == [(i, j) for j in range(1, 6)]
        for *_, answers in questions:
            lines = answers.splitlines()
            assert [line[2] for line in lines].count("=") == 1 and len(lines) >= 4
            assert all(re.search(r" #\S", line) for line in lines if line[2] == "~")
            plain = re.sub(r"\\[~=#{}:]", "", "".join(line[3:] for line in lines))
            assert not re.search(r"[~={}]", plain)


def test_position_and_length_of_quiz_answers_do_not_reveal_the_right_one():
    quizzes = [answers for _, asked in read_quizzes(GIFT.read_text("utf8")) for *_, answers in asked]
    positions, longest, shortest = [0] * 4, 0, 0
    for answers in quizzes:
        right = next(i for i, answer in enumerate(answers) if answer.is_right)
        lengths = [len(answer.text) for answer in answers]
        positions[right] += 1
        longest += lengths.index(max(lengths)) == right and lengths.count(max(lengths)) == 1
        shortest += lengths.index(min(lengths)) == right and lengths.count(min(lengths)) == 1
    assert sum(positions) == 45 and max(positions) <= 15 and longest <= 15 and shortest <= 15


def test_quizzes_are_converted_for_canvas(tmp_path):
    paths = list(write_quizzes(tmp_path))
    assert [path.name for path in paths] == [f"quiz_{i}.zip" for i in range(1, len(CHAPTERS) + 1)]
    for path, (title, asked) in zip(paths, read_quizzes(GIFT.read_text("utf8")), strict=True):
        with zipfile.ZipFile(path) as packed:
            (name,) = [
                name for name in packed.namelist() if re.fullmatch(r"(text2qti_assessment_\w+)/\1\.xml", name)
            ]
            text = packed.read(name).decode()
        assert f'title="{title}"' in text
        items = re.findall(r"<item .*?</item>", text, re.DOTALL)
        for item, (_, question, answers) in zip(items, asked, strict=True):
            texts = [
                html.unescape(each) for each in re.findall(r'<mattext texttype="text/html">(.*?)</mattext>', item)
            ]
            texts = [re.sub("<.*?>", "", html.unescape(each)).replace("’", "'") for each in texts]
            assert texts[: 1 + len(answers)] == [question, *(answer.text for answer in answers)]
            assert {answer.reason for answer in answers if answer.reason} <= set(texts)
            (right,) = re.findall(
                r'<varequal respident="response1">(\w+)</varequal>\s*</conditionvar>\s*<setvar', item
            )
            idents = re.findall(r'<response_label ident="(\w+)"', item)
            assert answers[idents.index(right)].is_right


def test_quizzes_are_ungraded_and_state_licence(tmp_path):
    for path in write_quizzes(tmp_path):
        with zipfile.ZipFile(path) as packed:
            assert packed.testzip() is None
            text = "".join(packed.read(name).decode() for name in packed.namelist())
            (meta,) = (name for name in packed.namelist() if name.endswith("assessment_meta.xml"))
            parts = {
                each.tag.partition("}")[2]: each.text for each in ElementTree.fromstring(packed.read(meta)).iter()
            }
        assert re.findall("<quiz_type>(.*?)<", text) == ["practice_quiz"]
        assert {"title", "points_possible", "assignment_overrides"} <= set(parts)
        assert not {"assignment", "assignment_group_identifierref"} & set(parts)  # they would make a column
        assert "CC BY 4.0" in parts["description"]
        assert "CC Attribution - http://creativecommons.org/licenses/by/4.0" in text and "Copyrighted" not in text


def read_by_moodle(text):
    """The categories, and the questions with their answers, as Moodle's `question/format/gift` reads them."""
    for chunk in re.split(r"\n\s*\n", text):
        text = "\n".join(line for line in map(str.strip, chunk.splitlines()) if line[:2] != "//")
        text = re.sub(r"\\([:#={}~n])", lambda each: f"&{ord(each[1])};", text)
        if text.startswith("$CATEGORY:"):
            yield text[10:].strip().split("/"), None
        elif text:
            _, name, text = text.split("::", 2)
            start, end = text.index("{"), text.index("}")
            assert text.endswith("}") and "####" not in text and name
            answers = text[start + 1 : end].strip().replace("=", "~=").split("~")
            assert answers.pop(0) == ""
            pieces = [[part.strip() for part in answer.strip().split("#", 1)] for answer in answers]
            assert not any(
                part[:1] in ("[", "%") for part in [text.strip(), *itertools.chain(*pieces)]
            )  # format, share
            unescaped = lambda part: re.sub(r"&(\d+);", lambda each: chr(int(each[1])), part)
            yield unescaped(text[:start]).strip(), [list(map(unescaped, piece)) for piece in pieces]


def test_moodle_reads_all_questions():
    text = GIFT.read_text("utf8")
    found, expected = list(read_by_moodle(text)), list(read_quizzes(text))
    assert [what[-1] for what, answers in found if answers is None] == [title for title, _ in expected]
    assert len({what[0] for what, answers in found if answers is None}) == 1
    asked = [(text, given) for _, questions in expected for _, text, given in questions]
    for (text, answers), (question, given) in zip([each for each in found if each[1]], asked, strict=True):
        assert text == question and "<" not in text  # Moodle would read it as HTML
        read = [(part.removeprefix("="), part[0] == "=", (*reason, "")[0]) for part, *reason in answers]
        assert read == [(each.text, each.is_right, each.reason) for each in given]
