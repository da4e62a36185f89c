"""Exercises: starters are not graded, correct answers pass their check, and plausible wrong ones are rejected.

Each check receives the answers of `answers/chapter_NN.py` after the chapter's statements that it depends on, which
are found by the names it uses. No answer may change the chapter's variables.
"""

import ast
import importlib
import re
import symtable

import matplotlib.pyplot as plt
import nbformat
import numpy as np
import pytest

from tests.conftest import CHAPTERS, ROOT

NOTEBOOKS = {path.stem: path for path in CHAPTERS}
EXERCISES = [
    (chapter, name)
    for chapter, path in NOTEBOOKS.items()
    for name in re.findall(r'"id": "(exercise-\d)-check"', path.read_text("utf8"))
]


def answers(chapter):
    """Import the module with the wrong and the unusual correct answers of a chapter."""
    return importlib.import_module(f"tests.chapters.answers.chapter_{chapter[:2]}")


def arrays(namespace):
    """Copy every array among the chapter's variables."""
    return {name: value.copy() for name, value in namespace.items() if isinstance(value, np.ndarray)}


def tags_of(cell):
    return cell.metadata.get("tags", [])


def code_cells(chapter):
    cells = nbformat.read(NOTEBOOKS[chapter], as_version=4).cells
    return [cell for cell in cells if cell.cell_type == "code" and cell.id != "colab"]


def statements(cells):
    return [ast.unparse(node) for cell in cells for node in ast.parse(cell.source).body]


def names_of(source):
    """Return the names that a piece of code defines, and the names that it expects to be defined."""
    tables = [symtable.symtable(source, "cell", "exec")]
    symbols = tables[0].get_symbols()
    bound = {symbol.get_name() for symbol in symbols if symbol.is_assigned() or symbol.is_imported()}
    used = set()
    while tables:
        table = tables.pop()
        used |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
        tables += table.get_children()
    body = ast.parse(source).body
    # x = x + 1 needs the previous x.
    from_itself = len(body) == 1 and isinstance(body[0], ast.Assign | ast.AugAssign)
    return bound, used - bound | {one.get_name() for one in symbols if from_itself and one.is_referenced()}


def changed(statement):
    """Return the names of the objects that a statement modifies: `name[…] = …`, `name.attribute = …`."""
    for node in ast.walk(ast.parse(statement)):
        if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield from (part.id for part in ast.walk(node.value) if isinstance(part, ast.Name))


def needed(statements, source):
    """Return, in order, the statements that define the names in `source` and, recursively, the names in these."""
    wanted, found = names_of(source)[1], []
    for statement in reversed(statements):
        (bound, used), also = names_of(statement), set(changed(statement))
        if (bound | also) & wanted:
            wanted = wanted - bound | used
            found.insert(0, statement)
    return "\n".join(found)


def run(source, namespace, name):
    exec(compile(source, name, "exec"), namespace)
    plt.close("all")


@pytest.mark.sampled
@pytest.mark.parametrize("chapter, name", EXERCISES, ids=lambda part: part)
def test_check_accepts_correct_and_rejects_wrong_answers(chapter, name, monkeypatch, capsys):
    monkeypatch.chdir(ROOT / "chapters")
    cells, right, wrong = code_cells(chapter), answers(chapter).RIGHT[name], answers(chapter).WRONG[name]
    first = next(i for i, cell in enumerate(cells) if cell.id.startswith(name))
    starter, check = (cell.source for cell in cells[first : first + 2])
    namespace, number = {}, f"Exercise {int(chapter[:2])}.{name[-1]}: "
    run(needed(statements(cells[:first]), f"{starter}\n{check}"), namespace, "before")
    capsys.readouterr()
    run(f"{starter}\n{check}", namespace, "starter and check")
    waiting = capsys.readouterr().out
    silent = [node.lineno for node in ast.walk(ast.parse(check)) if isinstance(node, ast.Assert) and not node.msg]
    assert silent == [] and len(wrong) >= 6 and len(right) >= 2, "asserts without a message, or too few answers"
    assert waiting.startswith(number) and "correct" not in waiting, "an empty answer neither fails nor passes"
    every_answer = "\n".join([*right, *(answer for answer, _ in wrong)])
    solution = statements(cell for cell in cells if cell.id.startswith(name) and "solution" in tags_of(cell))
    run(needed([*statements(cells[:first]), *solution], every_answer), namespace, "solution")
    before = arrays(namespace)
    for answer in right:
        capsys.readouterr()
        run(answer, namespace, "right answer")
        assert f"{number}correct" in capsys.readouterr().out, answer
    for answer, reply in wrong:
        with pytest.raises(AssertionError, match=reply):
            run(answer, namespace, "wrong answer")
    for array, value in before.items():
        np.testing.assert_array_equal(namespace[array], value, err_msg=f"an answer changed {array}")
