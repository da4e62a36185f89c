"""Each chapter runs in a clean kernel without warnings, follows the template, and has tests for its equations.

The build runs each chapter the same way and stops at an error or a warning. `make chapters` skips the site.
"""

import ast
import asyncio
import re
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from tests.conftest import ROOT, each_chapter
from tests.mutations import mutations
from tools.build.notebook_text import LABEL
from tools.build.reading_time import LIVE

FOURTH = {
    2: [("2.4", "code")],
    7: [("7.4", "code")],
    9: [("9.4", "explore")],
}  # the last is on an image of the reader's own
NOTEBOOKS = sorted((ROOT / "chapters").glob("*.ipynb"))
WARNINGS_ARE_ERRORS = (
    '--IPKernelApp.exec_lines=import warnings; warnings.simplefilter("error");'
    'warnings.filterwarnings("ignore", module="tornado")'  # a kernel that starts on Python 3.12 or 3.13
)

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def is_further(path):
    """Whether a page continues a chapter, whose exercises are in the chapter itself."""
    return path.stem.startswith("further")


def cells(path, kind):
    return [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == kind]


@pytest.mark.long
@each_notebook
def test_chapter_runs_in_clean_kernel_without_warnings(path):
    notebook = nbformat.read(path, as_version=4)
    options = {"timeout": 1200, "kernel_name": "python3", "extra_arguments": [WARNINGS_ARE_ERRORS]}
    client = NotebookClient(notebook, **options, resources={"metadata": {"path": path.parent}})
    with ThreadPoolExecutor(1) as thread:  # a browser fixture may own this thread's event loop
        thread.submit(asyncio.run, client.async_execute()).result()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    complaints = [output["text"] for output in outputs if output.get("name") == "stderr"]
    assert complaints == []


@pytest.mark.parametrize("source", ["1 / 0", "import warnings; warnings.warn('beware')"])
def test_build_kernel_stops_at_errors_and_warnings(source, built_site, monkeypatch):
    monkeypatch.setenv("IPYTHONDIR", str(built_site.parent / "ipython"))
    cells = [nbformat.v4.new_code_cell(source)]
    client = NotebookClient(nbformat.v4.new_notebook(cells=cells), kernel_name="python3")
    with ThreadPoolExecutor(1) as thread, pytest.raises(CellExecutionError):
        thread.submit(asyncio.run, client.async_execute()).result()


@each_notebook
def test_built_chapter_shows_output_and_accepts_solutions(path, built_site):
    page = (built_site / "chapters" / f"{path.stem}.html").read_text("utf8")
    that_print = [cell for cell in cells(path, "code") if re.search(r"^print\(", cell.source, re.MULTILINE)]
    assert page.count("output stream") >= len(that_print) > 0
    assert "output stderr" not in page and "output traceback" not in page
    exercises = re.findall(r"### (Exercise \w\.\d) \(", path.read_text("utf8"))
    assert is_further(path) or len(exercises) >= 3
    assert all(f"{exercise}: correct" in page for exercise in exercises)


@each_notebook
def test_notebook_has_no_outputs_and_readable_ids(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    for cell in notebook.cells:
        assert re.fullmatch(r"(?![0-9a-f]{8}$)[a-z][a-z0-9-]*[a-z0-9]", cell.id), f"no id of words: {cell.id!r}"
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None, cell.id
    tags = [set(cell.metadata.get("tags", [])) for cell in cells(path, "code")]
    assert is_further(path) or any("exercise" in each for each in tags)
    assert all("hide-cell" in each for each in tags if "solution" in each)


@each_notebook
def test_every_image_has_alt_text(path):
    for cell in cells(path, "markdown"):
        told = re.findall(r'!\[([^\]]*)\]|<img\b[^>]*?alt="([^"]*)"', cell.source)
        assert all(len("".join(words).split()) > 3 for words in told), f"{cell.id}: expected a description"
        assert len(re.findall(r"<img\b", cell.source)) == len(re.findall(r"<img\b[^>]*?alt=", cell.source)), (
            cell.id
        )
    for cell in cells(path, "code"):
        if re.search(r"plt\.subplots|plt\.figure", cell.source) and not is_definition(cell.source):
            words = cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")
            assert len(words.split()) > 3, f"{cell.id}: expected mystnb.image.alt in the metadata, got {words!r}"


def is_definition(source):
    """A cell that only defines functions for other cells draws nothing itself."""
    return all(isinstance(node, ast.FunctionDef | ast.Import | ast.ImportFrom) for node in ast.parse(source).body)


@each_chapter
def test_chapter_sections_have_sentences_and_exercises_have_labels(path):
    told, sentences = [], {}
    for cell in cells(path, "markdown"):
        told += re.findall(r"^###? (?!Exercise \d)(.+)$", cell.source, re.MULTILINE)
        sentences |= cell.metadata.get("sentences", {})
    assert sorted(sentences) == sorted(told)
    for heading, told in sentences.items():
        sentence = told if isinstance(told, str) else told["sentence"]
        assert 6 <= len(sentence.split()) <= 28 and sentence.endswith("."), heading
    text = path.read_text("utf8")
    titles = re.findall(r"### Exercise (\d+\.\d) \((\w+) · \d+ min · [●○]{3}\)", text)
    number = int(path.stem[:2])
    three = [(f"{number}.1", "derive"), (f"{number}.2", "code"), (f"{number}.3", "explore")]
    assert titles == three + FOURTH.get(number, [])
    assert re.search(r"### Exercise \d+\.\d \(\w+ · \d+ min · ●●●\)", text), "one exercise is hard"
    assert "of your own" in text, "one exercise is on the reader's own data or picture"


def markers():
    """Return the markers that bind tests to equations, read from the source so that selecting tests hides none."""
    for path in (ROOT / "tests").rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("mark.equation"):
                yield node


def test_every_labelled_equation_has_test_and_mutation():
    sources = [cell.source for path in NOTEBOOKS for cell in cells(path, "markdown")]
    stated = [label for source in sources for label in LABEL.findall(source)]
    assert len(stated) == len(set(stated)), "duplicate label"
    tested = {argument.value for marker in markers() for argument in marker.args}
    assert tested ^ set(stated) == set(), "equations without a test, or markers without an equation"
    mutated = {label for mutation in mutations() for label in mutation.labels}
    assert mutated ^ set(stated) == set(), "equations without a mutation, or mutations without an equation"
    for marker in markers():
        against = next((keyword.value.value for keyword in marker.keywords if keyword.arg == "against"), "")
        assert 1 < len(against.split()) < 12, ast.unparse(marker)


def has_mark(cell):
    """Whether a mark on the page opens this cell. The header holds the imports; a live figure hides its code."""
    is_folded = {"hide-input", "hide-cell"} & set(cell.metadata.get("tags", []))
    return bool(is_folded) and cell.id != "imports" and not LIVE.search(cell.source)


@pytest.mark.parametrize("path", NOTEBOOKS[:5], ids=lambda path: path.stem)
def test_page_has_few_folds_and_no_raw_output_before_exercises(path):
    """At most eight folds of text, eight marks of code, and no raw output: code that prints is evidence."""
    notebook = nbformat.read(path, as_version=4)
    exercises = next(i for i, cell in enumerate(notebook.cells) if cell.source.startswith("## Exercises"))
    before = notebook.cells[:exercises]
    assert sum(cell.source.count("<details>") for cell in before if cell.cell_type == "markdown") <= 8
    assert len([cell.id for cell in before if has_mark(cell)]) <= 8
    for cell in notebook.cells:
        shown = cell.cell_type == "code" and not {"hide-cell", "solution"} & set(cell.metadata.get("tags", []))
        is_check = cell.id.endswith("-check")  # of an exercise: its verdict is printed
        if shown and not is_check:
            assert not re.search(r"^(    )?print\((?!f\"Drawn with lib)", cell.source, re.MULTILINE), cell.id


@pytest.mark.parametrize("path", NOTEBOOKS[:9], ids=lambda path: path.stem)
def test_one_figure_fills_the_screen_with_short_caption(path):
    cells = nbformat.read(path, as_version=4).cells
    further = next(i for i, cell in enumerate(cells) if cell.source.startswith("## Further"))
    figures = [cell.metadata.get("mystnb", {}).get("figure", {}) for cell in cells[:further]]
    (caption,) = [figure["caption"] for figure in figures if figure.get("classes") == "rest"]
    sentence, explanation = caption.split("\n\n")
    assert len(sentence.split()) <= 20 and sentence.count(".") == 1 and explanation
