"""The points of stored answers: values of another student, and functions that look up a student's data."""

import inspect
import re

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.teaching.submissions import ASSIGNMENTS
from tools.grading import questions
from tools.grading.exchange import encode

ME = "ada"


def own_cases(question):
    """The arguments of a question's calls that every student knows beforehand, since only the id decides them."""
    named = {"student_id": ME, "rng": np.random.default_rng(0)}
    for part in question.parts:
        names = inspect.signature(part.function).parameters
        if part.has_cases and "rng" not in names:
            for case in questions.with_names(part.function, named):
                yield case if isinstance(case, tuple) else (case,)


class Pasted:
    """Answers without a method: a stored one to known arguments, else one of the same form."""

    def __init__(self, question, form):
        self.question, self.form = question, form
        self.stored = {encode(case): self.right(case) for case in own_cases(question)}

    def right(self, case):
        return self.question.right(*case) if callable(self.question.right) else self.question.right

    def ask(self, do, seconds, name, arguments=(), **_):
        if do == "get":
            return next(iter(self.stored.values()))
        case = tuple(arguments)
        return self.stored[encode(case)] if encode(case) in self.stored else self.form(np.shape(self.right(case)))


FORMS = np.zeros, lambda shape: np.full(shape, 1 / (shape or (1,))[-1])  # nothing, and equal weights


def earned(question):
    """The most that pasted answers to a question earn."""
    score = lambda form: questions.score(question, Pasted(question, form), ME, np.random.default_rng(1)).points
    return max(map(score, FORMS))


def test_page_states_share_of_pasted_answers():
    page = " ".join((ROOT / "teaching" / "assigning.md").read_text("utf8").split())
    stated = re.search(r"earn ([\d, ]+) and (\d) of ten points in the nine assignments", page)
    numbers = [*map(int, stated[1].split(",")), int(stated[2])]
    assert numbers == [sum(map(earned, assignment.questions)) for assignment in ASSIGNMENTS.values()]
    assert f"Together these are {sum(numbers)} of 90" in page


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_questions_about_values_give_at_most_two_points(name):
    assert sum(each.points for each in ASSIGNMENTS[name].questions if not each.is_function) <= 2


def test_pasted_answers_earn_nothing_for_new_cases():
    """The negative control: with no stored answer, nothing is left."""
    (question,) = (each for each in ASSIGNMENTS["02_bilateral"].questions if each.name == "q2")
    nothing = Pasted(question, np.zeros)
    nothing.stored = {}
    assert questions.score(question, nothing, ME, np.random.default_rng(1)).points == 0
