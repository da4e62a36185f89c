"""Find the course's Python files that a file or the code of a notebook imports.

The results of a conclusion or a notebook are computed again only if one of these files has changed.
"""

import ast
import functools
import hashlib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNEL = "from tools.build.kernel import plots"  # the kernels that execute notebooks for the site import it
FIGURES = "lib.figures"  # it imports the module NAME when the function NAME_figure is first used


def imported(path):
    """Return the course's Python files that a file imports, directly or indirectly, and the file itself."""
    return {path} | reached(parsed(path), lambda name: [name.rpartition(".")[0], name])


def executed_by(tree):
    """Return the course's Python files that code executes: the modules it imports, with their packages."""
    return reached(tree, with_packages)


def reached(tree, modules_of):
    """Return the files reached by imports; `modules_of` maps an imported name to modules."""
    found, ahead = set(), [tree]
    while ahead:
        names = [module for name in names_imported(ahead.pop()) for module in modules_of(name)]
        new = {file for name in names for file in files_of(name)} - found
        found |= new
        ahead += map(parsed, new)
    return found


def files_of(module):
    """Return the file of one of the course's modules, or an empty list."""
    place = ROOT.joinpath(*module.split("."))
    return [file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file()]


@functools.cache
def parsed(path):
    return ast.parse(path.read_text("utf8"))


@functools.cache
def names_imported(tree):
    """Return the full names that a syntax tree imports; a function of a figure is named by its module."""
    found = []
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
        module = [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
        for name in names:
            name = ".".join([*module, name])
            name = name.removesuffix("_figure") if name.startswith(FIGURES) else name
            is_package = name in (FIGURES, f"{FIGURES}.*")  # which figures it uses cannot be seen
            found += all_figures() if is_package else [name]
    return found


def all_figures():
    return [f"{FIGURES}.{path.parent.name}" for path in ROOT.glob(f"{FIGURES.replace('.', '/')}/*/__init__.py")]


def with_packages(name):
    """Return a module's name and those of the packages that contain it, which are imported before it."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts) + 1)]


def notebook_key(cells):
    """Hash the modules that the code of a notebook's cells executes, without their comments and layout."""
    trees = [tree for source in [KERNEL, *cells] if (tree := tree_of(source))]
    files = set().union(*map(executed_by, trees))
    contents = sorted((file.relative_to(ROOT).as_posix(), content(file)) for file in files)
    return digest(repr(contents))


@functools.cache
def content(path):
    return digest(ast.dump(parsed(path)))


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def tree_of(source):
    """Parse a cell, which may contain IPython's commands. One with a syntax error imports nothing."""
    from IPython.core.inputtransformer2 import TransformerManager  # conclusions do without IPython

    try:
        return ast.parse(TransformerManager().transform_cell(source))
    except SyntaxError:
        return None
