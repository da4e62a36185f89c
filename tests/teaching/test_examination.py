"""Examinations are drawn by a key, solved by their solutions, and ask for nothing that the package contains."""

import ast
import re

import nbformat
import numpy as np
import pytest

from lib.attention import attention_weights
from lib.regression import nadaraya_watson, nadaraya_watson_weights
from tests.axe import run_axe
from tests.conftest import ROOT
from tests.teaching.submissions import Ran
from tools.grading import make_assignments, papers, questions

(MASTER,) = make_assignments.VARIANTS.glob("*.ipynb")
KEY = b"a key of some length %d"


def drawn(key, folder):
    """The master that a key draws."""
    master = make_assignments.draw(nbformat.read(MASTER, as_version=4), key, MASTER.stem)
    make_assignments.write(master, folder / MASTER.name)
    return folder / MASTER.name


def points(assignment, ran):
    rng = np.random.default_rng(3)
    return [questions.score(question, ran, "ada", rng).points for question in assignment.questions]


@pytest.fixture(scope="module")
def examinations(tmp_path_factory):
    count = sum(cell.id.endswith("-answer") for cell in nbformat.read(MASTER, as_version=4).cells)
    found = []
    for i in range(100):
        found.append(questions.read_assignment(drawn(KEY % i, tmp_path_factory.mktemp("examination"))))
        if len({question.answer for each in found for question in each.questions}) == count:
            return found
    raise AssertionError("100 keys did not draw each variant")


def test_solutions_and_blanks_are_scored_correctly(examinations):
    for assignment in examinations:
        solved, blank = Ran(assignment.solution), Ran(assignment.student)
        assert points(assignment, solved) == [question.points for question in assignment.questions]
        assert sum(points(assignment, blank)) == 0
        for cell in assignment.student.cells:
            if cell.id.endswith("-check"):
                exec(cell.source, solved.names)
                with pytest.raises(AssertionError, match="has no answer yet"):
                    exec(cell.source, blank.names)


def test_examination_installs_nothing(examinations):
    """It works without a network; an assignment installs the package where it is missing."""
    sources = lambda assignment: "".join(cell.source for cell in assignment.student.cells)
    assert not any("%pip" in sources(each) for each in examinations)
    assert all("%pip install" in sources(each) for each in questions.read_assignments().values())


def test_mistakes_differ_from_right_answer(examinations):
    for question in (question for assignment in examinations for question in assignment.questions):
        given = [{"student_id": name, "rng": np.random.default_rng(5)} for name in ("ada", "bob", "cy", "dan")]
        parts = [(part, named) for part in question.parts for named in given]
        cases = [case for part, named in parts for case in questions.with_names(part.function, named)]
        cases = [case if isinstance(case, tuple) else (case,) for case in cases]
        assert len(question.common_mistakes) >= 2
        for mistake in question.common_mistakes:
            assert not all(question.agrees(mistake(*case), question.right, *case) for case in cases), (
                mistake.__name__
            )


def test_package_contains_no_requested_function(examinations):
    trees = [ast.parse(path.read_text("utf8")) for path in (ROOT / "lib").rglob("*.py")]
    names = {node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    assert "nadaraya_watson" in names
    assert not names & {question.answer for assignment in examinations for question in assignment.questions}


def test_key_is_created_once_and_determines_draws(tmp_path):
    ids = [cell.id for cell in nbformat.read(MASTER, as_version=4).cells]
    assert all(re.sub(r"a-grading$", "b-grading", each) in ids for each in ids), "only one variant"
    draw = lambda key: make_assignments.draw(nbformat.read(MASTER, as_version=4), key, MASTER.stem)
    sources = ("\n".join(cell.source for cell in draw(key).cells) for key in (b"one", b"one", b"other"))
    one, same, other = sources
    assert one == same != other and "DRAWN" not in one and "# NUMBERS" not in one
    salt, other_salt = ({*re.findall(r"student_rng\(.*, (\d+)\)", found)} for found in (one, other))
    assert len(salt) == len(other_salt) == 1 and salt != other_salt
    key = make_assignments.read_key(tmp_path / "key")
    assert make_assignments.read_key(tmp_path / "key") == key and len(key) == 64
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0
    (tmp_path / "key").write_text("short\n")
    with pytest.raises(ValueError, match="at least 16 characters, got 5"):
        make_assignments.read_key(tmp_path / "key")


def test_solutions_of_one_student_are_printed(examinations, tmp_path):
    master = drawn(KEY % 0, tmp_path)
    printed, other = ("\n".join(make_assignments.solutions_for(name, master)) for name in ("ada", "bob"))
    assert all(question.answer in printed for question in examinations[0].questions)
    assert printed != other and "BEGIN SOLUTION" not in printed
    last = examinations[0].questions[-1].answer
    value = Ran(examinations[0].solution).names[last]
    assert float(re.search(rf"# {last}: ([\d.]+)", printed)[1]) == pytest.approx(value, rel=1e-6)


def test_written_examination_has_sixty_points():
    assert papers.SITE_PAGE.read_text("utf8") == make_assignments.practice_page(), "run `make assignments`"
    versions = [make_assignments.draw_paper(KEY % i) for i in range(20)]
    for asked, solved in versions:
        assert "«" not in asked + solved and "Solution" not in asked
        whole = [int(points) for points in re.findall(r"^## Question \d \((\d+) points\)", asked, re.MULTILINE)]
        assert whole == [10] * 6
        for question in asked.split("## ")[1:]:
            assert sum(int(points) for points in re.findall(r" \((\d)\)$", question, re.MULTILINE)) == 10
        values = np.array(re.findall(r"values are (\d+), (\d+) and (\d+)", asked)[0], float)
        query, h, d = (
            float(re.search(p, asked)[1]) for p in (r"the query is (\d)", r"h = (\d)", r"for \$d = (\d+)")
        )
        assert f"The estimate is {nadaraya_watson([query], [0.0, 1, 3], values, h)[0]:.2f}." in solved
        bandwidth, keys = np.sqrt(2 * np.sqrt(d)), np.eye(int(d))[:2]
        assert f"= {bandwidth:.2f}$" in solved
        same = nadaraya_watson_weights(keys[:1], keys, bandwidth)
        np.testing.assert_allclose(attention_weights(keys[:1], keys), same)
    assert len(set(versions)) > 15


@pytest.fixture
def written(tmp_path):
    papers.write_papers(tmp_path, "0123abcd", make_assignments.draw_paper(KEY % 0))
    return tmp_path


@pytest.mark.browser
def test_written_examination_is_an_accessible_page(written, page):
    """Headings, landmarks, formulas as MathML, both modes; on a phone no question is wider than the page."""
    page.set_viewport_size({"width": 320, "height": 600})
    for name in ("written", "written_solutions"):
        page.goto((written / f"{name}.html").as_uri())
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert [(one["id"], one["nodes"]) for one in run_axe(page)] == []
        assert page.locator("main h2").all_inner_texts() == [f"Question {i} (10 points)" for i in range(1, 7)]
        assert page.locator("math").count() > 20 and "$" not in page.inner_text("body")
        assert name != "written" or page.evaluate("document.documentElement.scrollWidth") <= 320
    assert "Version 0123abcd" in page.inner_text("header")


def test_questions_contain_no_solutions(written):
    asked, solved = ((written / f"{name}.html").read_text("utf8") for name in ("written", "written_solutions"))
    answers = set(re.findall(r"<li>.*?</li>", solved, re.DOTALL))
    assert len(answers) == 19 and not any(answer in asked for answer in answers)
    with pytest.raises(ValueError, match="expected a formula, got"):
        papers.as_html([r"$\\frac{1}{$"])
