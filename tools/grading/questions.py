"""Questions of an assignment, read from its master: points, checks and feedback; and how they are scored.

A cell of a master that begins with `# GRADING` says how the answer before it is graded. teaching/own_question.md
explains what may stand in it. It runs in the grader's process alone.
"""

import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import nbformat
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
MASTERS = ROOT / "teaching" / "masters"
GRADING, SALT = "# GRADING", "DRAWN_salt"
SOLUTION = re.compile(r"^[ ]*# BEGIN SOLUTION\n.*?^[ ]*# END SOLUTION\n?", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"^[ ]*# (?:BEGIN|END) SOLUTION\n?", re.MULTILINE)
PROMPT = re.compile(r"^([ ]*)#: (.*\n?)", re.MULTILINE)
CALL_SECONDS = 20  # of work
MOST_VALUES = 1000  # in an answer that is a value


class Part(NamedTuple):
    """One scored part of a question: cases to answer correctly, a check of the answer, or a check of its form."""

    points: float
    function: Callable
    kind: str
    costly: str = ""  # the message if the answer needs too much time or memory

    @property
    def has_cases(self):
        return self.kind == "cases"


class Question(NamedTuple):
    """One question as its `# GRADING` cell describes it."""

    name: str
    cell: str
    answer: str
    is_function: bool
    parts: list
    common_mistakes: list
    right: Callable
    same: Callable
    forbids_lib: bool
    keeps_arguments: bool

    @property
    def points(self):
        return sum(part.points for part in self.parts)

    def agrees(self, got, right, *case):
        """Whether an answer is the right one, or the one that a function gives to a case."""
        right = right(*case) if callable(right) else right
        return is_like(got, right) and truth(lambda: self.same(got, right))

    def owns(self, cell):
        """Whether a cell is the one of this question, by its id or by what it sets."""
        return cell.id == self.cell or self.is_set_in(cell.source)

    def is_set_in(self, source):
        """Whether a cell gives this question's answer."""
        before = r"(?:%++\w++\s++)?+"  # as in: %time answer = …; possessive, so that nothing is tried twice
        assigned = rf"(?:def\s+{self.answer}\b|(?:[\w, ]*,\s*)?{self.answer}\b[\w, :.]*=(?!=))"
        return any(re.match(before + assigned, line.strip()[:500]) for line in source.splitlines())


class Assignment(NamedTuple):
    """An assignment: what students get, the solution, and its questions; its version tells which key made it."""

    name: str
    version: str
    title: str
    questions: list
    student: nbformat.NotebookNode
    solution: nbformat.NotebookNode

    @property
    def points(self):
        return sum(question.points for question in self.questions)


# ---- Reading a master ---------------------------------------------------------------------------------------


def is_like(got, right):
    """Whether an answer has the shape of the right one; a single number may be an array of length 1.

    This comes before any comparison, which may need the memory of a table of all pairs.
    """
    return np.shape(got) == np.shape(right) or np.size(got) == np.size(right) == 1


def close(got, right, rtol=1e-4):
    """Whether two arrays have the same shape and close values; a single number may be an array of length 1.

    A number may be off by `rtol` of itself, and by one millionth of the largest: so much is lost in float32, in
    which PyTorch computes.
    """
    got, right = np.asarray(got, float), np.asarray(right, float)
    if got.size == right.size == 1:
        got, right = got.ravel(), right.ravel()
    rounding = min(rtol, 1e-6) * np.abs(right).max(initial=0)
    return got.shape == right.shape and np.allclose(got, right, rtol=rtol, atol=rounding)


def read_question(name, source, solved):
    """The question that a `# GRADING` cell describes, for the answer in the cell of the solution."""
    solution = MARK.sub("", solved.source)
    parts, mistakes = [], []

    def part(kind):
        def of(points, costly=""):
            return lambda function: parts.append(Part(points, function, kind, costly)) or function

        return of

    names = {
        **{kind: part(kind) for kind in ("cases", "check", "form")},
        "common_mistake": lambda function: mistakes.append(function) or function,
        "close": close,
        "np": np,
    }
    exec(compile(source, f"{GRADING} of {name}", "exec"), names)
    if not isinstance(names.get("answer"), str):
        raise ValueError(f'{name}: expected `answer = "…"`, the name of what students give')
    if any(part.has_cases for part in parts) and "right" not in names:
        raise ValueError(f"{name}: expected a function `right`, which gives the right answer to a case")
    if sum(each.points for each in parts) <= 0:
        raise ValueError(f"{name}: expected parts that give points, @cases(…), @check(…) or @form(…)")
    answer, rtol = names["answer"], names.get("rtol", 1e-4)
    is_function = re.search(rf"^def {answer}\b", solution, re.MULTILINE) is not None
    forbids_lib, keeps = names.get("forbids_lib", False), names.get("keeps_arguments", False)
    if forbids_lib and not is_function:
        raise ValueError(
            f"{name}: expected a function where `forbids_lib` is set, got a value: it can be computed anywhere"
        )
    same = names.get("same", lambda got, right: close(got, right, rtol))
    return Question(
        name, solved.id, answer, is_function, parts, mistakes, names.get("right"), same, forbids_lib, keeps
    )


FORBIDDEN = "\n\nWrite it yourself: do not use `lib` in this answer. You may use it elsewhere, to compare."


def filled(text, **numbers):
    for name, number in numbers.items():
        text = text.replace("{" + name + "}", f"{number:g}")
    return text


def read_assignment(path):
    """The assignment of a master. A `# GRADING` cell belongs to the answer and the text before it."""
    master = nbformat.read(path, as_version=4)
    given, questions, since = [], [], []
    for cell in master.cells:
        cell.source = cell.source.replace(SALT, "0")  # if no key has replaced it
        if not cell.source.startswith(GRADING):
            since.append(cell)
            continue
        name = f"q{len(questions) + 1}"
        answer = next((each for each in since if SOLUTION.search(each.source)), None)
        text = next((each for each in reversed(since) if each.cell_type == "markdown"), None)
        if answer is None or text is None:
            raise ValueError(f"{name}: expected its text, and a cell with `# BEGIN SOLUTION`, before `{GRADING}`")
        question = read_question(name, cell.source, answer)
        questions.append(question)
        text.source = filled(text.source, number=len(questions), points=question.points)
        text.source += FORBIDDEN if question.forbids_lib else ""
        text.metadata |= {"deletable": False, "editable": False}
        given, since = given + since, []
    master.cells = given + since
    first = master.cells[0]
    first.source = filled(
        first.source, questions=len(questions), points=sum(question.points for question in questions)
    )
    master.metadata["assignment"] = Path(path).stem
    title = first.source.splitlines()[0].removeprefix("# ")
    return Assignment(Path(path).stem, master.metadata.get("version", ""), title, questions, *versions(master))


def versions(master):
    """The notebook for students, with `#:` lines in place of the solution, and the solution."""
    student, solution = (nbformat.from_dict(master) for _ in range(2))
    for cell, solved in zip(student.cells, solution.cells, strict=True):
        if SOLUTION.search(cell.source):
            for each in (cell, solved):
                each.metadata["tags"] = ["answer"]
            cell.source = PROMPT.sub(r"\1\2", SOLUTION.sub("", cell.source)).rstrip("\n")
            solved.source = MARK.sub("", PROMPT.sub("", solved.source)).rstrip("\n")
    return student, solution


def read_assignments(folder=None):
    """All assignments of a folder of masters, by name."""
    paths = sorted(Path(folder or MASTERS).glob("*.ipynb"))
    return {path.stem: read_assignment(path) for path in paths}


def read_all(folders):
    """The assignments of several folders of masters: for each name one or more versions."""
    found = {}
    for folder in folders:
        for name, assignment in read_assignments(folder).items():
            found.setdefault(name, []).append(assignment)
    return found


# ---- Scoring ----------------------------------------------------------------------------------------------------


class NoAnswer(Exception):
    """There is nothing to score; says why."""


class TooCostly(NoAnswer):
    """The answer exceeded its limit of time or memory."""


COSTLY = re.compile("memory|took too long", re.IGNORECASE)


class Answer:
    """A submission's answer to one question: a value, or a function that is called in the submission's process."""

    def __init__(self, question, sandbox):
        self.question, self.sandbox = question, sandbox
        self.value = None if question.is_function else self.ask("get")

    def ask(self, do, **request):
        name = self.question.answer
        try:
            value = self.sandbox.ask(do, CALL_SECONDS, name=name, **request)
        except RuntimeError as error:
            is_missing = str(error) == f"KeyError: '{name}'"
            why = f"there is no {name}" if is_missing else f"{name}: {error}"
            raise (TooCostly if COSTLY.search(str(error)) else NoAnswer)(why) from None
        if value is None:
            raise NoAnswer(f"{name} returns None" if self.question.is_function else f"{name} is None")
        return value

    def __call__(self, *arguments):
        if not self.question.is_function:
            return self.value
        return self.ask("call", arguments=arguments, keeps_arguments=self.question.keeps_arguments)

    def checked(self, *arguments):
        """The answer for a check; a ValueError if it does not have the shape of the right one."""
        got = self(*arguments)
        if self.question.right and not is_like(got, right := self.question.right(*arguments)):
            raise ValueError(f"expected the shape {np.shape(right)}, got {np.shape(got)}")
        return got


def with_names(function, named, *first):
    """Call a function with these positional arguments and the keyword arguments that it accepts."""
    wanted = list(inspect.signature(function).parameters)[len(first) :]
    return function(*first, **{name: named[name] for name in wanted})


def is_rounded(got, right):
    """Whether the right numbers were given with too few digits."""
    got, right = np.asarray(got, float), np.asarray(right, float)
    if got.shape != right.shape and not got.size == right.size == 1 or not np.isfinite(got).all():
        return False
    got, right = got.ravel(), right.ravel()
    near = np.abs(got - right).max() <= 0.05 * np.abs(right).max()
    same = lambda digits: np.allclose(got, np.round(right, digits), rtol=1e-12, atol=0)
    return bool(near and any(map(same, range(-12, 9))))


def other_shape(got, right, question):
    """The message for correct numbers in a different shape, or for a wrong shape; empty if the shape is right."""
    got, right = np.asarray(got, float), np.asarray(right, float)
    if got.shape == right.shape or got.size == right.size == 1:
        return ""
    turned = [each.reshape(right.shape) for each in (got, got.T) if each.size == right.size]
    what = "the numbers are right, but the" if any(question.agrees(each, right) for each in turned) else "wrong"
    return f"{what} shape: expected {right.shape}, got {got.shape}"


class Verdict(NamedTuple):
    """The points of one question, and sentences that explain missing points."""

    points: float
    sentences: tuple = ()


UNREACHED = Verdict(0, ("could not be reached: restart, run all cells, and look",))


def truth(action):
    """Whether an action returns True; an error, for example from a wrong shape or type, counts as False."""
    try:
        with np.errstate(all="ignore"):
            return bool(action())
    except (TypeError, ValueError, IndexError):
        return False


def pairs_of(part, question, answer, named):
    """Yield the answer, the right answer and the case, for each case of a part."""
    for case in with_names(part.function, named):
        case = case if isinstance(case, tuple) else (case,)
        yield answer(*case), question.right(*case), case


def sentence(function):
    return inspect.cleandoc(function.__doc__).replace("\n", " ")


def passes(part, question, answer, named, pairs):
    """Return whether a part earns its points; append its cases and answers to `pairs`."""
    if not part.has_cases:
        own = answer.checked if question.is_function else answer.value
        return (question.is_function or np.size(own) <= MOST_VALUES) and truth(
            lambda: with_names(part.function, named, own)
        )
    found = list(pairs_of(part, question, answer, named))
    pairs += found
    return bool(found) and all(question.agrees(got, right) for got, right, _ in found)


def score(question, sandbox, student_id, rng, explains=True):
    """The verdict on one question. Nothing that decides it comes from the submission's process but the answer.

    Without `explains`, known mistakes are not compared, which takes most of the time of a wrong answer.
    """
    named, pairs = {"student_id": student_id, "rng": rng}, []
    passed, failed, errors = [], [], []
    try:
        answer = Answer(question, sandbox)
    except NoAnswer as error:
        return Verdict(0, (str(error),))
    for part in question.parts:
        try:
            (passed if passes(part, question, answer, named, pairs) else failed).append(part)
        except NoAnswer as error:
            errors += [str(error), *([part.costly] if part.costly and isinstance(error, TooCostly) else [])]
    if errors and not pairs:
        return Verdict(sum(part.points for part in passed if part.kind == "check"), (errors[0],))
    known = matched(question, pairs) if explains and (failed or errors) else []
    is_something = known or not (failed or errors) or any(part.has_cases for part in passed)
    points = sum(part.points for part in passed if is_something or part.kind == "check")
    sentences = [*errors, *(known or [*not_finite(pairs), *(sentence(part.function) for part in failed)])]
    return Verdict(points, tuple(dict.fromkeys(sentences)))


def not_finite(pairs):
    """The message for an answer with numbers that are none."""
    if all(np.isfinite(got).all() for got, _, _ in pairs if not isinstance(got, str)):
        return []
    return [
        "some numbers are NaN or infinite: look for 0/0, for the logarithm of 0, and for exp of a large number"
    ]


def exactly_close(got, right):
    """Whether two arrays of one shape are close to nine digits, with NaN at the same places."""
    got, right = np.ravel(got), np.ravel(right)
    both = np.isnan(got) & np.isnan(right)
    return close(np.where(both, 0, got), np.where(both, 0, right), rtol=1e-9)


def matched(question, pairs):
    """The message of the known mistake that gives exactly these answers, if there is one."""
    exactly = question._replace(same=exactly_close)
    for judge in (exactly, question):  # two mistakes may give nearly the same number
        for mistake in question.common_mistakes:
            if pairs and all(judge.agrees(got, mistake, *case) for got, _, case in pairs):
                return [sentence(mistake)]
    wrong = [(got, right) for got, right, _ in pairs if not question.agrees(got, right)]
    shapes = [other_shape(got, right, question) for got, right in wrong if not isinstance(got, str)]
    if any(shapes):
        return [next(filter(None, shapes))]
    if wrong and all(truth(lambda g=got, r=right: is_rounded(g, r)) for got, right in wrong):
        return ["right, but rounded: give all digits, and do not round on the way"]
    return []
