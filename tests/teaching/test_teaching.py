"""The teacher's pages: complete, with links that open what they say, and plans that add up."""

import re

import nbformat
from conftest import CHAPTERS, ROOT, each_chapter
from pages import guide_links

TEACHING = ROOT / "teaching"
STORY = "The chapter in five sentences"
PARTS = (
    "Fifty minutes",
    "Three questions at the figure",
    "Common wrong answers, and what to say",
    "The assignment",
)


def guide(chapter):
    return (TEACHING / f"guide_{chapter.stem[:2]}.md").read_text("utf8")


@each_chapter
def test_each_chapter_has_a_guide(path):
    text = guide(path)
    parts = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert [part for part in parts if part != STORY] == list(PARTS)
    if STORY in parts:
        story = text.split(f"## {STORY}\n")[1].split("\n## ")[0]
        assert re.findall(r"^(\d)\. .*[.?]$", story, re.MULTILINE) == list("12345")
    assert sum(int(minutes) for minutes in re.findall(r"^\| (\d+) \|", text, re.MULTILINE)) == 50
    assert "**Ninety minutes.** Then 40 minutes:" in text
    rest = text.split("**Ninety minutes.**")[1].split("\n")[0]
    assert sum(int(minutes) for minutes in re.findall(r"\((\d+)\)", rest)) == 40
    assert len(guide_links(f"chapters/{path.stem}")) == 3
    assert len(re.findall(r"^- \*\*", text.split(PARTS[2])[1], re.MULTILINE)) >= 4
    for row in ("**Time**", "**They need**", "**You may skip**"):
        assert row in text


@each_chapter
def test_sections_and_exercises_that_a_guide_names_exist(path):
    headings = "\n".join(
        cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "markdown"
    )
    skip = re.search(r"\*\*You may skip\*\* \| (.*) \|", guide(path))[1]
    for title in re.findall(r'"([^"]+)"', skip):
        assert re.search(rf"^#+ {re.escape(title)}", headings, re.MULTILINE), title
    for number in re.findall(r"[Ee]xercise (\d+\.\d)", guide(path)):
        assert f"### Exercise {number}" in headings


def test_a_guide_links_the_assignment_of_its_chapter():
    """In the browser, in Colab, and as a file; test_site.py holds the addresses."""
    given = [chapter for chapter in CHAPTERS if (ROOT / "assignments" / chapter.name).exists()]
    assert len(given) >= 7
    for chapter in given:
        assert len(re.findall(rf"(?:main/|path=)assignments/{chapter.name}", guide(chapter))) == 3


def test_the_table_links_each_assignment():
    table = re.findall(r"^\| (\d+)\. .*$", (TEACHING / "index.md").read_text("utf8"), re.MULTILINE)
    assert table == [str(int(chapter.stem[:2])) for chapter in CHAPTERS]
    for path in (ROOT / "assignments").glob("*.ipynb"):
        link = f'<a href="../lite/notebooks/index.html?path=assignments/{path.name}">assignment</a> |'
        row = next(line for line in (TEACHING / "index.md").read_text("utf8").splitlines() if path.name in line)
        assert row.endswith(link) and f"guide_{path.stem[:2]}.md" in row


def test_every_teaching_page_is_in_the_contents():
    contents = (ROOT / "_toc.yml").read_text("utf8")
    assert [path.stem for path in TEACHING.glob("*.md") if f"teaching/{path.stem}\n" not in contents] == []


# ---- A term ----------------------------------------------------------------------------------------------------


def test_the_syllabus_has_sixteen_sessions_in_the_order_of_the_chapters():
    text = (TEACHING / "term.md").read_text("utf8")
    rows = re.findall(r"^\| (\d+) \| (.*) \| .* \|$", text, re.MULTILINE)
    assert [int(number) for number, _ in rows] == list(range(1, 17))
    named = [int(number) for _, what in rows for number in re.findall(r"[Cc]hapter (\d)", what)]
    assert named == sorted(named) and set(named) == set(range(1, 10))
    for chapter in CHAPTERS:
        assert int(chapter.stem[:2]) in named
    assert set(re.findall(r"quiz (\d)", text)) == {str(i) for i in range(1, 10)}
    shares = [
        int(share) for share in re.findall(r"(\d+) %", text.split("A proposal for the mark")[1].split("\n")[0])
    ]
    assert sum(shares) == 100


def test_each_quiz_has_five_questions_with_one_right_answer_and_reasons():
    text = (TEACHING / "quizzes.gift").read_text("utf8")
    chapters = re.split(r"^\$CATEGORY: .*/", text, flags=re.MULTILINE)[1:]
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
    assert len(chapters) == len(CHAPTERS)
