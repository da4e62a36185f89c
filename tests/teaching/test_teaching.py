"""The teacher's pages: complete, with links that open what they say, and plans that add up."""

import re

import nbformat

from tests.conftest import CHAPTERS, ROOT, each_chapter
from tests.pages import guide_links

TEACHING = ROOT / "teaching"


@each_chapter
def test_each_chapter_has_a_guide_whose_minutes_add_up_and_whose_goals_exist(path):
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


def test_the_syllabus_has_sixteen_sessions_in_the_order_of_the_chapters():
    text = (TEACHING / "term.md").read_text("utf8")
    rows = re.findall(r"^\| (\d+) \| (.*) \| .* \|$", text, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 17))
    named = [int(number) for _, what in rows for number in re.findall(r"[Cc]hapter (\d)", what)]
    numbers = [int(chapter.stem[:2]) for chapter in CHAPTERS]
    assert named == sorted(named) and sorted(set(named)) == numbers
    assert sorted(set(map(int, re.findall(r"quiz (\d)", text)))) == numbers
    shares = re.findall(r"(\d+) %", text.split("A proposal for the mark")[1].split("\n")[0])
    assert sum(map(int, shares)) == 100


def test_each_quiz_has_five_questions_with_one_right_answer_and_reasons():
    text = (TEACHING / "quizzes.gift").read_text("utf8")
    chapters = re.split(r"^\$CATEGORY: .*/", text, flags=re.MULTILINE)[1:]
    assert len(chapters) == len(CHAPTERS)
    for i, quiz in enumerate(chapters, start=1):
        assert quiz.startswith(f"{i}. ")
        questions = re.findall(r"^::(\d)\.(\d):: (.+) \{\n((?:  .+\n)+)\}$", quiz, re.MULTILINE)
        assert [(int(chapter), int(number)) for chapter, number, *_ in questions] == [(i, j) for j in range(1, 6)]
        for *_, answers in questions:
            lines = answers.splitlines()
            assert [line[2] for line in lines].count("=") == 1 and len(lines) >= 4
            assert all(re.search(r" #\S", line) for line in lines if line[2] == "~")
            plain = re.sub(r"\\[~=#{}:]", "", "".join(line[3:] for line in lines))
            assert not re.search(r"[~={}]", plain)
