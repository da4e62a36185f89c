"""The page that shows a class: filters, answers beside the expected ones, the keyboard, hostile text."""

import json
import re

import pytest

from tests.axe import run_axe
from tests.teaching.submissions import ASSIGNMENTS, FIRST
from tools.grading import review
from tools.grading.submissions import Cell
from tools.grading.tables import Row

HOSTILE = """</script><script>document.title = "taken"</script><img src=x onerror="document.title = 'taken'">"""
ANSWER = f"estimate_at_2 = 1 < 2 and '{HOSTILE}'"
VERSIONS = {name: [assignment] for name, assignment in ASSIGNMENTS.items()}


def row(student, points, **fields):
    names = ("q1", "q2", "q3")
    full, given = dict(zip(names, (2, 4, 4), strict=True)), dict(zip(names, (points - 8, 4, 4), strict=True))
    known = {"assignment": FIRST, "points": points, "out_of": 10, "questions": given, "full": full}
    return Row(f"{student}.ipynb", student=student, **{**known, **fields})


def answered(source):
    return review.answers_in([Cell("question-1-answer", "code", source, [])], ASSIGNMENTS[FIRST])


ROWS = [
    row("ada", 10, feedback=("all correct",), answers=answered("estimate_at_2 = 3")),
    row("mallory", 8, feedback=("q1: wrong", f"q1: {HOSTILE}"), remarks=(HOSTILE,), answers=answered(ANSWER)),
    Row("paper.pdf", remarks=("a .pdf file cannot be graded",), counts="no"),
]


@pytest.fixture
def opened(page, tmp_path):
    review.write_review(tmp_path, ROWS, VERSIONS)
    assert (tmp_path / "review.html").stat().st_mode & 0o077 == 0
    page.goto((tmp_path / "review.html").as_uri())
    return page


@pytest.mark.browser
def test_review_shows_answers_beside_expected_ones(opened):
    opened.get_by_role("button", name="mallory").press("Enter")
    heading = opened.get_by_role("heading", level=2)
    assert heading.evaluate("element => element === document.activeElement")
    answer, expected = opened.locator("#detail pre").all_inner_texts()[:2]
    assert answer == ANSWER
    solved = next(cell.source for cell in ASSIGNMENTS[FIRST].solution.cells if cell.id == "question-1-answer")
    assert expected.split() == solved.split()
    assert opened.locator("#detail h3").all_inner_texts()[0] == "q1: 0 of 2 points"
    opened.get_by_role("button", name="Back to the table").press("Enter")
    assert opened.get_by_role("button", name="mallory").evaluate("element => element === document.activeElement")


@pytest.mark.browser
def test_review_runs_nothing_that_students_wrote(opened):
    opened.get_by_role("button", name="mallory").click()
    assert opened.title() == "Review of a class" and opened.locator("img").count() == 0
    assert opened.locator("script").count() == 2


@pytest.mark.browser
@pytest.mark.parametrize(
    "choice, shown",
    [("kind=lost", ["mallory"]), ("kind=undecided", ["no id"]), (f"assignment={FIRST}", ["ada", "mallory"])],
)
def test_review_filters_its_table(choice, shown, opened):
    name, _, value = choice.partition("=")
    opened.locator(f"[name={name}]").select_option(value)
    assert opened.locator("tbody button").all_inner_texts() == shown
    assert opened.locator("#count").inner_text() == f"{len(shown)} of 3 files"
    opened.locator("[name=text]").fill("nowhere")
    assert opened.locator("tbody button").count() == 0


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_review_is_accessible(scheme, opened):
    opened.emulate_media(color_scheme=scheme)
    opened.get_by_role("button", name="mallory").click()
    assert [(one["id"], one["nodes"]) for one in run_axe(opened)] == []


@pytest.mark.browser
def test_review_fits_a_phone(opened):
    opened.set_viewport_size({"width": 320, "height": 600})
    opened.get_by_role("button", name="mallory").click()
    assert opened.evaluate("document.documentElement.scrollWidth") <= 320


def test_review_keeps_data_free_of_markup():
    data = re.search(r'id="data">(.*?)</script>', review.page(ROWS, VERSIONS), re.DOTALL)[1]
    assert "<" not in data and json.loads(data)["rows"][1]["answers"]["q1"] == ANSWER


@pytest.mark.parametrize(
    "source, shown", [("a\tb", "a   b"), ("x = 1\u202e", "x = 1"), ("y" * 6000, "y" * 5000 + "\n…")]
)
def test_review_shows_printable_text(source, shown):
    assert review.printable(source) == shown
