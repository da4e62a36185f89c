"""The rooms of the house: imports run downwards, and need only what runs in a browser."""

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIB = ROOT / "lib"
GROUND = {"checks", "constants", "weights", "metrics"}
KERNELS = {"kernels"}
ENGINE = {"engine"}  # the same numbers sooner
METHODS = {"regression", "filters", "unified", "attention", "learning", "patch_attention", "random_features"}
MODELS = {"denoising_network", "diffusion", "heads", "language_model"}  # made of methods
HELPERS = {"data", "images", "plotting", "peers"}  # data and panels: they compute no method
PRACTICE = {"assignments"}  # draws from the data
FIGURES = {"figures"}
BELOW = [  # the rooms of a floor, and what they may import beside themselves
    (GROUND, GROUND),
    (KERNELS, GROUND),
    (ENGINE, GROUND | KERNELS),
    (METHODS, GROUND | KERNELS | ENGINE),
    (MODELS, GROUND | KERNELS | METHODS),
    (HELPERS, {"checks", "constants"}),
    (PRACTICE, {"data", "images"}),
    (FIGURES, GROUND | KERNELS | METHODS | MODELS | HELPERS),
]
MAY_IMPORT = {room: below | {room} for rooms, below in BELOW for room in rooms}
ALLOWED_OUTSIDE = {"numpy", "matplotlib", "ipywidgets", "anywidget", "traitlets", "IPython", "matplotlib_inline"}


def imports(path):
    """The modules that a file imports, each with the names that it takes from it, as `module.name`."""
    for node in ast.walk(ast.parse(path.read_text("utf8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'' if node.level else node.module}.{alias.name}" for alias in node.names)


@pytest.mark.parametrize("path", sorted(LIB.rglob("*.py")), ids=lambda path: str(path.relative_to(LIB)))
def test_imports_run_downwards_and_outside_to_what_runs_in_a_browser(path):
    room = path.relative_to(LIB).parts[0].removesuffix(".py")
    for top, *rest in (name.split(".") for name in imports(path)):
        if top == "lib":
            assert rest[0] in MAY_IMPORT[room], f"lib.{room} imports lib.{rest[0]}, not below it"
        elif room != "peers":  # which loads what lib does not need
            assert top in sys.stdlib_module_names or top in ALLOWED_OUTSIDE, f"{path.name} imports {top}"
