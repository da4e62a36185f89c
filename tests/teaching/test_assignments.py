"""Assignments: how they are made from masters, and how solutions, mistakes and idle answers score."""

import functools
import inspect
import pickle
import re
import types

import nbformat
import numpy as np
import pytest

from lib.assignments import student_rng
from lib.regression import leave_one_out_error
from tests.conftest import ROOT
from tests.teaching.submissions import ASSIGNMENTS, FIRST, Ran, graded, lost, needs_engine, submission, table
from tests.teaching.wrong_submissions import KEPT, RIGHT_SUBMISSIONS, WRONG_SUBMISSIONS
from tools.grading import make_assignments, notebooks, questions

each_assignment = pytest.mark.parametrize("name", ASSIGNMENTS)


def like(other, right):
    return other if np.shape(other) == right.shape else np.zeros_like(right)


IDLE = [  # answers of someone who has not read the question: the right answer's shape, and what was given
    lambda right, *given: np.zeros_like(right),
    lambda right, *given: np.ones_like(right),
    lambda right, *given: np.full_like(right, 1 / (right.shape or (1,))[-1]),
    lambda right, *given: like(np.eye(*right.shape[:2]) if right.ndim else 0, right),
    lambda right, *given: like(given[0], right),
    lambda right, *given: like(given[-1], right),
]


class Answering:
    """Return an answer built from the right one and the arguments, in place of a submission's process."""

    def __init__(self, question, answer):
        self.question, self.answer = question, answer

    def ask(self, do, seconds, arguments=None, **_):
        if arguments is None:
            part = next(part for part in self.question.parts if part.has_cases)
            (arguments,) = questions.with_names(part.function, {"student_id": "ada", "rng": None})
        given = arguments if isinstance(arguments, tuple) else (arguments,)
        return self.answer(np.asarray(self.question.right(*given), float), *given)


def verdict(question, answer):
    return questions.score(question, Answering(question, answer), "ada", np.random.default_rng(1))


def remembering(function):
    found = functools.cache(lambda case: function(*pickle.loads(case)))
    return functools.wraps(function)(lambda *case: found(pickle.dumps(case)))


@each_assignment
def test_idle_and_mistaken_answers_get_expected_points(name):
    for question in ASSIGNMENTS[name].questions:
        mistakes = [remembering(mistake) for mistake in question.common_mistakes]
        question = question._replace(right=remembering(question.right), common_mistakes=mistakes)
        for i, idle in enumerate(IDLE):
            found = verdict(question, idle)
            assert found.points == 0 and found.sentences, (question.name, i, found)
        kept = KEPT.get(name, {}).get(question.name, {})
        assert len({questions.sentence(mistake) for mistake in mistakes}) == len(mistakes)
        for mistake in mistakes:
            found = verdict(question, lambda right, *given, mistake=mistake: mistake(*given))
            expected = kept.get(mistake.__name__, 0), (questions.sentence(mistake),)
            assert (found.points, found.sentences) == expected, (question.name, mistake.__name__)


@pytest.fixture(scope="module", params=ASSIGNMENTS)
def chapter(request, tmp_path_factory):
    name, solution = request.param, ASSIGNMENTS[request.param].solution
    notebooks = {"solution": submission(solution), "blank": submission(ASSIGNMENTS[name].student)}
    for i, (answers, _) in enumerate(WRONG_SUBMISSIONS.get(name, [])):
        notebooks[f"wrong{i}"] = submission(solution, answers, student=f"bob{i}")
    if name in RIGHT_SUBMISSIONS:
        notebooks["right"] = submission(solution, RIGHT_SUBMISSIONS[name], student="eve")
    seconds = 4 if name == "07_performer" else 20  # where two answers exceed the time limit
    return name, graded(tmp_path_factory.mktemp("chapter"), notebooks, seconds)[0]


UNKNOWN = {
    "q2: its memory or its time grows with queries times keys: multiply features and values first",
    "q2: wrong: divide by the same sum without the values, and add nothing to it",
    "q1: wrong for some numbers of words or dimensions: check √d, and the mask",
    "q3: not the fraction: half the sum of absolute differences, at the balanced scale, as a mean over the words",
    "q2: wrong for many tokens: divide by the same sum without the values",
    "q1: head_weights: it changes its arguments: work on a copy",
    "q1: wrong for some numbers of words, or of coordinates: check √d, and the mask",
    "q1: these are not the weights of your head",
}


@pytest.mark.sampled
@needs_engine
def test_solutions_blanks_and_mistakes_score_as_documented(chapter):
    name, rows = chapter
    total = ASSIGNMENTS[name].points
    for file in ("solution", "right"):
        if file in rows:
            assert (rows[file].points, rows[file].out_of, rows[file].feedback) == (total, total, ("all correct",))
    assert (rows["blank"].points, rows["blank"].out_of) == (0, total)
    assert list(rows["blank"].questions) == [question.name for question in ASSIGNMENTS[name].questions]
    assert len(rows["blank"].feedback) == len(rows["blank"].questions)  # one sentence each: there is no answer
    known = {
        f"{q.name}: {questions.sentence(each)}" for q in ASSIGNMENTS[name].questions for each in q.common_mistakes
    }
    for i, (_, loses) in enumerate(WRONG_SUBMISSIONS.get(name, [])):
        row = rows[f"wrong{i}"]
        told = [text for text in row.feedback if not re.search("MemoryError: |TookTooLong: ", text)]
        assert lost(row) == loses, row
        assert set(told) <= known | UNKNOWN and {text[:2] for text in told} == set(loses), row


@each_assignment
def test_students_have_a_check_for_each_question(name):
    def failures(notebook):
        failed, names = [], {}
        for cell in submission(notebook).cells:
            if cell.cell_type == "code" and cell.id != "colab":
                try:
                    exec(cell.source, names)
                except AssertionError as error:
                    assert cell.id.endswith("-check") and str(error)
                    failed.append(cell.id)
        return failed

    assignment = ASSIGNMENTS[name]
    checks = [f"question-{i + 1}-check" for i in range(len(assignment.questions))]
    assert failures(assignment.solution) == []
    assert failures(assignment.student) == checks


class InFloat32(Ran):
    """Return the solution's answers in float32, in which PyTorch computes."""

    def ask(self, do, seconds, name, arguments, **_):
        as_float32 = lambda given: np.asarray(given, np.float32) if isinstance(given, np.ndarray) else given
        return np.asarray(self.names[name](*map(as_float32, arguments)), float)


@each_assignment
def test_solutions_in_float32_score_full_marks(name):
    solution = InFloat32(ASSIGNMENTS[name].solution)
    for question in filter(lambda each: each.is_function, ASSIGNMENTS[name].questions):
        found = questions.score(question, solution, "ada", np.random.default_rng(1))
        assert found.points == question.points, (question.name, found)


@each_assignment
def test_values_score_little_and_functions_get_random_data(name):
    assignment = ASSIGNMENTS[name]
    values = [question for question in assignment.questions if not question.is_function]
    assert assignment.points == 10 and sum(question.points for question in values) <= 2
    for question in assignment.questions:
        drawn = [part for part in question.parts if "rng" in inspect.signature(part.function).parameters]
        assert not question.is_function or drawn, question.name
        assert question.is_function or not question.forbids_lib


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    student, private = (tmp_path_factory.mktemp(name) for name in ("student", "private"))
    for master in sorted(make_assignments.MASTERS.glob("*.ipynb")):
        make_assignments.make_assignment(master, student, private)
    return student


@each_assignment
def test_assignments_match_masters(name, made):
    """Run `make assignments` after a change of a master."""
    kept = (ROOT / "assignments" / f"{name}.ipynb").read_text("utf8")
    assert (made / f"{name}.ipynb").read_text("utf8") == kept
    assert f"{len(ASSIGNMENTS[name].questions)} questions and {ASSIGNMENTS[name].points:g} points" in kept
    headings = [f"## Question {q.name[1:]} ({q.points:g} points)" for q in ASSIGNMENTS[name].questions]
    assert re.findall(r"## Question \d \(.* points\)", kept) == headings


def secrets_of(master):
    """Lines of the solutions and of the cells that grade, long enough to be recognised."""
    for cell in nbformat.read(master, as_version=4).cells:
        parts = questions.SOLUTION.findall(cell.source)
        parts += [cell.source] if cell.source.startswith(questions.GRADING) else []
        lines = (line.strip() for part in parts for line in part.splitlines())
        yield from (line for line in lines if len(line) > 25 and not line.startswith(("from ", "def ")))


def test_assignments_and_site_contain_no_solutions(built_site):
    secrets = {line for master in make_assignments.MASTERS.glob("*.ipynb") for line in secrets_of(master)}
    sentences = {line for line in secrets if line.startswith('"""')}
    assert len(secrets) > 200 and len(sentences) > 100
    files = [path for path in built_site.rglob("*") if path.suffix in {".html", ".ipynb", ".js", ".json", ".txt"}]
    for path in [*(ROOT / "assignments").glob("*.ipynb"), *files]:
        text = path.read_text("utf8", errors="replace")
        found = [line for line in sentences if line.strip('"') in text]
        if path.parent.name == "assignments" and path.suffix == ".ipynb":
            sources = "\n".join(cell.source for cell in nbformat.reads(text, as_version=4).cells)
            found += [line for line in secrets if line in sources]
        assert found == [], path
    assert not any(path.name == "solution.ipynb" for path in built_site.rglob("*"))


OWN_QUESTION = (ROOT / "teaching" / "own_question.md").read_text("utf8")


def documented_cells():
    text, *codes = re.findall(r"^```(?:md|python)\n(.*?)^```$", OWN_QUESTION, re.M | re.S)
    yield nbformat.v4.new_markdown_cell(text.rstrip(), id="question-4")
    for name, source in zip(("answer", "check", "grading"), codes, strict=True):
        yield nbformat.v4.new_code_cell(source.rstrip(), id=f"question-4-{name}")


@needs_engine
def test_documented_custom_question_is_graded(tmp_path):
    masters, folder, students = (tmp_path / name for name in ("masters", "folder", "students"))
    master = nbformat.read(make_assignments.MASTERS / f"{FIRST}.ipynb", as_version=4)
    master.cells += documented_cells()
    for path in (masters, folder, students):
        path.mkdir()
    (masters / f"{FIRST}.ipynb").write_text(nbformat.writes(master), "utf8")
    made = make_assignments.make_assignment(masters / f"{FIRST}.ipynb", students, tmp_path / "private")
    assert made.points == 12 and "4 questions and 12 points" in (students / f"{FIRST}.ipynb").read_text("utf8")
    assert "## Question 4 (2 points)" in (students / f"{FIRST}.ipynb").read_text("utf8")
    notebooks = {
        "solution": submission(made.solution),
        "blank": submission(made.student),
        "mistake": submission(made.solution, {4: "mean_distance = lambda k: np.abs(k[:, None] - k).sum()"}),
    }  # fmt: skip
    rows, _ = graded(folder, notebooks, masters=[masters])
    assert (rows["solution"].points, rows["blank"].points, rows["mistake"].points) == (12, 0, 10)
    assert rows["mistake"].feedback == ("q4: this is the sum of the distances: take their mean",)
    assert "q4" in table(tmp_path / "folder-grades" / "grades.csv")[0]


NEAR = """# GRADING
answer, rtol = "x", 0.1
@cases(1)
def case(): yield 1.0
def right(number): return 2 * number
@common_mistake
def near(number):
    "near"
    return 1.05 * number
@common_mistake
def exact(number):
    "exact"
    return number
"""


def test_feedback_names_nearest_of_two_similar_mistakes():
    read = lambda source: questions.read_question("q1", source, nbformat.v4.new_code_cell("x = 2.0"))
    for given, named in ((1.0, "exact"), (1.04, "near")):
        assert questions.matched(read(NEAR), [(given, 2.0, (1.0,))]) == [named]
    for line, message in [
        ("def right(number): return 2 * number", "expected a function `right`"),
        ('answer, rtol = "x", 0.1', "expected `answer = "),
        ("@cases(1)", "expected parts that give points"),
    ]:
        with pytest.raises(ValueError, match=message):
            read(NEAR.replace(f"{line}\n", ""))


def test_data_differ_by_student_and_question():
    drawn = [student_rng(name, salt).normal() for name, salt in [("ada", 1), ("bob", 1), ("ada", 2)]]
    assert len(set(drawn)) == 3
    with pytest.raises(ValueError, match="student_id: expected your id"):
        student_rng("  ", 1)


def test_answer_of_wrong_shape_is_not_compared():
    """What compares it may need a table of all pairs: 12,000 numbers, as a triangle, took 2.4 GB."""
    seen, question = [], ASSIGNMENTS["08_language_model"].questions[0]
    question = question._replace(same=lambda got, right: seen.append(np.shape(got)) or True)
    found = verdict(question, lambda right, *given: np.zeros(500))
    assert (found.points, seen) == (0, [])
    assert verdict(question, lambda right, *given: right).points == question.points and seen


def test_best_bandwidth_of_the_master_is_that_of_lib():
    """The master computes the errors of all candidates at once, which takes a tenth of the time."""
    question, rng = ASSIGNMENTS[FIRST].questions[2], np.random.default_rng(1)
    candidates = np.arange(10, 301) / 200
    for n in (5, 30, 60):
        keys, values = np.sort(rng.uniform(0, 40 / n, n)), rng.normal(size=n)
        errors = [leave_one_out_error(keys, values, h) for h in candidates]
        assert question.right(keys, values) == candidates[np.argmin(errors)]


def test_mistakes_are_not_compared_before_the_verdict_is_final():
    question = ASSIGNMENTS[FIRST].questions[0]
    compared = []
    question = question._replace(common_mistakes=[lambda *data: compared.append(data)])
    wrong = types.SimpleNamespace(ask=lambda do, seconds, **request: np.float64(100))
    for explains in (False, True):
        found = questions.score(question, wrong, "ada", np.random.default_rng(0), explains)
        assert found.points == 0 and found.sentences and bool(compared) == explains


def test_id_line_is_left_out_of_compared_lines():
    assert notebooks.lines_of("\n\n student_id: str = 1\nx") == {"x"}


@each_assignment
def test_check_reports_success_and_requires_an_id(name, capsys):
    names, printed = {}, 0
    for cell in ASSIGNMENTS[name].solution.cells:
        if cell.id.endswith("1-check"):
            with pytest.raises(AssertionError, match="write your id"):
                exec(cell.source, names)
        elif cell.cell_type == "code" and cell.id != "colab":
            exec(cell.source, names)
            printed += cell.id.endswith("-check")
    assert capsys.readouterr().out.count("This check passes.") == printed > 1
