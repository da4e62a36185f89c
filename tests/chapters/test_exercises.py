"""Exercises: the starter is left alone, right answers pass their check, and plausible wrong ones are refused.

A check must say what is wrong. Each is fed the answers of `answers/chapter_NN.py` after those cells of its chapter
that it needs, found by the names it uses; `test_chapters` runs the solutions once more with everything
before them. No answer may change the chapter's variables.
"""

import ast
import importlib
import re
import symtable

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest
from conftest import ROOT

NOTEBOOKS = {path.stem: path for path in sorted((ROOT / "chapters").glob("[0-9]*.ipynb"))}
EXERCISES = [(chapter, name) for chapter in NOTEBOOKS for name in ("exercise-1", "exercise-2", "exercise-3")]


def answers(chapter):
    """The module with the wrong and the unusual right answers to a chapter's exercises."""
    return importlib.import_module(f"answers.chapter_{chapter[:2]}")


def arrays(namespace):
    """A copy of every array among the chapter's variables."""
    return {name: value.copy() for name, value in namespace.items() if isinstance(value, np.ndarray)}


def code_cells(chapter):
    cells = nbformat.read(NOTEBOOKS[chapter], as_version=4).cells
    return [cell for cell in cells if cell.cell_type == "code" and cell.id != "colab"]


def names_of(source):
    """Names that a cell gives a meaning, and names whose meaning it takes from the cells before it."""
    tables = [symtable.symtable(source, "cell", "exec")]
    bound = {
        symbol.get_name() for symbol in tables[0].get_symbols() if symbol.is_assigned() or symbol.is_imported()
    }
    used = set()
    while tables:
        table = tables.pop()
        used |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
        tables += table.get_children()
    return bound, used - bound


def cells_needed(cells, source):
    """The cells, in order, that give a meaning to the names in `source`, and to the names in those cells."""
    wanted, needed = names_of(source)[1], []
    for cell in reversed(cells):
        bound, used = names_of(cell.source)
        if bound & wanted:
            wanted = wanted - bound | used
            needed.insert(0, cell)
    return needed


def run(source, namespace, name):
    exec(compile(source, name, "exec"), namespace)
    plt.close("all")


@pytest.fixture
def exercise(request, monkeypatch):
    """(starter, check, solution), the cells of an exercise, and a namespace in which the check is ready."""
    chapter, name = request.param
    monkeypatch.chdir(ROOT / "chapters")
    cells = code_cells(chapter)
    first = next(i for i, cell in enumerate(cells) if cell.id.startswith(name))
    starter, check = cells[first : first + 2]
    (solution,) = (
        cell for cell in cells if cell.id.startswith(name) and "solution" in cell.metadata.get("tags", [])
    )
    before, namespace = cells[:first], {}
    for cell in cells_needed(before, "\n".join([starter.source, check.source, solution.source])):
        run(cell.source, namespace, cell.id)
    return (starter, check, solution), namespace


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda pair: "-".join(pair), indirect=True)
def test_check_waits_accepts_the_solution_and_refuses_wrong_answers(exercise, request, capsys):
    (starter, check, solution), namespace = exercise
    chapter, name = request.node.callspec.params["exercise"]
    number = f"Exercise {int(chapter[:2])}.{name[-1]}: "
    capsys.readouterr()
    run(starter.source, namespace, starter.id)
    run(check.source, namespace, check.id)
    waiting = capsys.readouterr().out
    assert waiting.startswith(number) and "correct" not in waiting, "an empty answer neither fails nor passes"
    run(solution.source, namespace, solution.id)
    assert f"{number}correct" in capsys.readouterr().out
    before = arrays(namespace)
    for answer in answers(chapter).RIGHT.get(name, []):
        capsys.readouterr()
        run(answer, namespace, "right answer")
        assert f"{number}correct" in capsys.readouterr().out, answer
    for answer, reply in answers(chapter).WRONG[name]:
        with pytest.raises(AssertionError, match=reply):
            run(answer, namespace, "wrong answer")
    for array, value in before.items():
        np.testing.assert_array_equal(namespace[array], value, err_msg=f"an answer changed {array}")


@pytest.mark.parametrize("chapter", NOTEBOOKS)
def test_every_exercise_has_six_wrong_answers_and_two_unusual_right_ones(chapter):
    for name in ("exercise-1", "exercise-2", "exercise-3"):
        assert len(answers(chapter).WRONG[name]) >= 6, name
        assert len(answers(chapter).RIGHT[name]) >= 2, name


@pytest.mark.parametrize("chapter", NOTEBOOKS)
def test_every_assert_of_a_check_says_something(chapter):
    for cell in code_cells(chapter):
        if re.search(r"^def check_", cell.source, re.MULTILINE):
            silent = [
                node.lineno
                for node in ast.walk(ast.parse(cell.source))
                if isinstance(node, ast.Assert) and not node.msg
            ]
            assert silent == [], f"{cell.id}: asserts without a message"


@pytest.mark.parametrize("chapter", NOTEBOOKS)
def test_exercises_are_numbered_with_kind_time_and_difficulty(chapter):
    text = NOTEBOOKS[chapter].read_text("utf8")
    titles = re.findall(r"### Exercise (\d+)\.(\d) \((\w+) · (\d+) min · [●○]{3}\)", text)
    assert [(int(c), int(n)) for c, n, *_ in titles] == [(int(chapter[:2]), n) for n in (1, 2, 3)]
    assert [kind for _, _, kind, _ in titles] == ["derive", "code", "explore"]
    assert re.search(r"### Exercise \d+\.\d \(\w+ · \d+ min · ●●●\)", text), "one exercise is hard"
    assert re.search(r"of your own", text), "one exercise is on the reader's own data or picture"
