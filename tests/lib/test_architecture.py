"""Imports run downwards: weights, metrics ← kernels ← methods ← figures. Methods never import each other."""

import ast

import pytest
from conftest import ROOT

LIB = ROOT / "lib"
ALLOWED_OUTSIDE = {"numpy", "matplotlib", "ipywidgets", "anywidget", "traitlets", "IPython", "matplotlib_inline"}
GROUND = {"checks", "constants", "weights", "metrics"}
KERNELS = {"kernels"}
METHODS = {"regression", "filters", "unified", "attention", "learning", "patch_attention", "random_features"}
MODELS = {"diffusion", "heads", "language_model"}  # made of methods
HELPERS = {"assignments", "data", "images", "plotting", "peers"}  # data and panels: they compute no method


def room(path):
    """The first name below lib/, so that lib/filters/lark.py is in the room `filters`."""
    return path.relative_to(LIB).with_suffix("").parts[0]


def imports(path):
    """Modules imported when the file is imported (not those inside a function)."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import; write the whole name"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def rooms_below(this):
    if this in GROUND:
        return GROUND
    if this in KERNELS:
        return GROUND
    if this in METHODS:
        return GROUND | KERNELS | {this}
    if this in MODELS:
        return GROUND | KERNELS | METHODS | {this}
    if this in HELPERS:
        return {"checks", "constants", this}
    return GROUND | KERNELS | METHODS | MODELS | HELPERS | {this}


FILES = sorted(path for path in LIB.rglob("*.py") if path != LIB / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LIB)))
def test_imports_run_downwards(path):
    this = room(path)
    assert this in GROUND | KERNELS | METHODS | MODELS | HELPERS | {"figures"}, f"{this}: no place yet"
    for name in imports(path):
        top, *rest = name.split(".")
        if top == "lib":
            assert rest[0] in rooms_below(this), f"lib.{this} imports lib.{rest[0]}, which is not below it"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LIB)))
def test_lib_needs_only_what_runs_in_a_browser(path):
    import sys

    if room(path) == "peers":
        pytest.skip("the loader of d2l exists to import what lib does not need")
    outside = {name.split(".")[0] for name in imports(path)} - {"lib"} - set(sys.stdlib_module_names)
    assert outside <= ALLOWED_OUTSIDE, f"{path.name} imports {outside - ALLOWED_OUTSIDE}"


def test_only_the_ground_floor_normalises():
    """Nobody else calls exp and divides by a sum: `softmax` and the two streamed engines do."""
    for path in FILES:
        if room(path) in {"weights", "filters", "random_features", "figures"}:
            continue
        text = path.read_text()
        assert "np.exp(" not in text or "sum(" not in text, f"{path.name} seems to normalise for itself"
