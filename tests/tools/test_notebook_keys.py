"""Which edits execute a notebook again: those of its code and of the modules that it imports, and no others."""

import json
from types import SimpleNamespace

import pytest

from _ext.course import execute_ahead
from tools.build import imports

LAZY = "def __getattr__(name):\n    return 1\n"
COURSE = {
    "tools/build/kernel/plots.py": "import lib.style",
    "lib/style.py": "size = 1",
    "lib/base.py": "base = 1",
    "lib/unused.py": "unused = 1",
    "lib/figures/__init__.py": LAZY,
    "lib/figures/bar/__init__.py": "from lib import base",
    "lib/figures/ring/__init__.py": "ring = 1",
}
USES_BAR = ["import numpy as np\nfrom lib.figures import bar_figure", "%matplotlib inline\nbar_figure()"]


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Return `course(**edits)`: write a small course with edited files."""
    monkeypatch.setattr(imports, "ROOT", tmp_path)

    def write(edits=()):
        for name, text in {**COURSE, **dict(edits)}.items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, "utf8")
        forget()

    yield write
    forget()


def forget():
    imports.parsed.cache_clear()
    imports.content.cache_clear()


def executes_again(course, cells, name, text):
    course()
    before = imports.notebook_key(cells)
    course({name: text})
    return imports.notebook_key(cells) != before


@pytest.mark.parametrize(
    "name, again",
    [("lib/figures/bar/__init__.py", True), ("lib/base.py", True), ("lib/figures/__init__.py", True),
     ("lib/style.py", True), ("lib/figures/ring/__init__.py", False), ("lib/unused.py", False)],
)  # fmt: skip
def test_only_imported_module_executes_notebook_again(course, name, again):
    assert executes_again(course, USES_BAR, name, COURSE[name] + "\nedited = 2\n") == again
    assert not executes_again(course, USES_BAR, name, "# a comment\n" + COURSE[name])


@pytest.mark.parametrize("cell", ["from lib import figures", "import lib.figures", "from lib.figures import *"])
def test_whole_figures_package_counts_every_figure(course, cell):
    assert executes_again(course, [cell], "lib/figures/ring/__init__.py", "ring = 2")


def test_unfinished_cell_does_not_stop_the_build(course):
    assert executes_again(course, ["for", "from lib import base"], "lib/base.py", "base = 2")


def test_page_of_changed_import_is_read_again(course, tmp_path):
    course()
    for name, source in {"bar": ["from lib.figures import bar_figure"], "plain": ["1 + 1"]}.items():
        cells = [{"cell_type": "code", "source": source}, {"cell_type": "markdown", "source": ["# Text"]}]
        (tmp_path / f"{name}.ipynb").write_text(json.dumps({"cells": cells}), "utf8")
    env = SimpleNamespace(found_docs=["bar", "page", "plain"])
    env.doc2path = lambda page: tmp_path / f"{page}.{'md' if page == 'page' else 'ipynb'}"
    read = lambda: execute_ahead.pages_to_read(None, env, set(), set(), set())
    assert read() == ["bar", "plain"] and read() == []
    course({"lib/base.py": "base = 2"})
    assert read() == ["bar"]
