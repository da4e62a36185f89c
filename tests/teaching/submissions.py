"""Build and grade notebooks as students submit them; tests with the mark `grading` need an engine."""

import atexit
import contextlib
import copy
import csv
import functools
import io
import shutil
import zipfile

import nbformat
import numpy as np
import pytest

from tools.grading import attempts, engines, exchange, grade, questions, sandbox

ASSIGNMENTS = questions.read_assignments()
FIRST = "01_nadaraya_watson"


needs_engine = pytest.mark.grading


@functools.cache
def shared_course():
    """The folders that submissions see, and the engine, made once for all tests; None without an engine."""
    course = sandbox.Course(protected=False)
    atexit.register(course.__exit__)
    return course if shutil.which("bwrap") and course.works(engines.bubblewrap([sandbox.ROOT])) else None


def has_engine():
    """Whether bubblewrap works here, as the grader finds out. An image for containers takes minutes."""
    return shared_course() is not None


def edited(source, answer):
    """The answer, or the source with replacements, given as pairs (old, new)."""
    if isinstance(answer, str):
        return answer
    for passage, other in answer:
        assert source.count(passage) == 1, f"expected one {passage!r} in:\n{source}"
        source = source.replace(passage, other)
    return source


def submission(notebook, answers=None, student="ada", **cells):
    """The notebook with other answers (by number of the question) or cells (by id), and an id."""
    notebook = copy.deepcopy(notebook)
    sources = {f"question-{number}-answer": answer for number, answer in (answers or {}).items()}
    sources |= {name.replace("_", "-"): source for name, source in cells.items()}
    for cell in notebook.cells:
        cell.source = edited(cell.source, sources.get(cell.id, cell.source))
        cell.source = cell.source.replace('student_id = ""', f'student_id = "{student}"')
    return notebook


class Ran:
    """Answer like a submission's process, from a notebook that was run here without its checks."""

    def __init__(self, notebook):
        self.names = {}
        for cell in notebook.cells:
            if cell.cell_type == "code" and not cell.id.endswith("-check") and cell.id != "colab":
                exec(cell.source.replace('student_id = ""', 'student_id = "ada"'), self.names)

    def with_answer(self, source):
        """The same notebook after one more cell."""
        other = copy.copy(self)
        other.names = dict(self.names)
        exec(source, other.names)
        return other

    def ask(self, do, seconds, name, arguments=None, **_):
        value = self.names[name]
        with np.errstate(all="ignore"):
            return exchange.plain(value if arguments is None else value(*copy.deepcopy(arguments)))


def put(folder, notebooks):
    """Write notebooks by name; text or bytes make a file that is not a notebook."""
    for name, notebook in notebooks.items():
        path = folder / (name if "." in name else f"{name}.ipynb")
        path.parent.mkdir(exist_ok=True)
        text = notebook if isinstance(notebook, (str, bytes)) else nbformat.writes(notebook)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def graded(folder, notebooks, seconds=20, **options):
    """Grade a folder with these notebooks in one go: rows by file, and the report.

    An answer may use a second for each call: right ones need milliseconds, and endless ones then end soon.
    """
    put(folder, notebooks)
    lines = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grade, "Course", lambda *_: contextlib.nullcontext(shared_course()))
        patch.setattr(attempts, "CELL_SECONDS", seconds)
        patch.setattr(questions, "CALL_SECONDS", 1 if seconds < 10 else questions.CALL_SECONDS)
        patch.setattr(sandbox, "GRACE_SECONDS", 2)
        rows, _ = grade.grade_folder(folder, report=lines.append, **options)
    return {row.file.removesuffix(".ipynb"): row for row in rows}, lines


def lost(row):
    full = {question.name: question.points for question in ASSIGNMENTS[row.assignment].questions}
    return {name: full[name] - points for name, points in row.questions.items() if points != full[name]}


def table(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def zipped(**files):
    """A zip of these files; the text after `->` is the target of a link."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as target:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name.replace("_slash_", "/").replace("_dot_", "."))
            if isinstance(content, str) and content.startswith("->"):
                entry.external_attr, content = 0o120777 << 16, content[2:]
            target.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return packed.getvalue()
