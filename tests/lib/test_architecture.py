"""The rooms of the house: imports run downwards, the engine stays behind the methods, one floor normalises."""

import ast
import sys
from pathlib import Path

import pytest
from sources import SHARED

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


def files(*folders):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def imports(path):
    """The modules that a file imports, each with the names that it takes from it, as `module.name`."""
    for node in ast.walk(ast.parse(path.read_text("utf8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'' if node.level else node.module}.{alias.name}" for alias in node.names)


def room(path):
    return path.relative_to(LIB).parts[0].removesuffix(".py")


def shown(path):
    return str(path.relative_to(ROOT))


FILES = [path for path in files("lib") if path != LIB / "__init__.py"]
each_file_of_lib = pytest.mark.parametrize("path", FILES, ids=shown)


@each_file_of_lib
def test_imports_run_downwards(path):
    assert room(path) in MAY_IMPORT, f"{room(path)}: no place yet"
    for name in imports(path):
        top, *rest = name.split(".")
        assert top, f"{path}: relative import; write the whole name"
        if top == "lib":
            assert rest[0] in MAY_IMPORT[room(path)], f"lib.{room(path)} imports lib.{rest[0]}, not below it"


@each_file_of_lib
def test_lib_needs_only_what_runs_in_a_browser(path):
    if room(path) == "peers":
        pytest.skip("the loader of d2l exists to import what lib does not need")
    outside = {name.split(".")[0] for name in imports(path)} - {"lib"} - set(sys.stdlib_module_names)
    assert outside <= ALLOWED_OUTSIDE, f"{path.name} imports {outside - ALLOWED_OUTSIDE}"


def sums(node):
    """Whether an expression contains a sum: `x.sum(…)`, `np.sum(…)`, `sum(…)`."""
    called = (part.func for part in ast.walk(node) if isinstance(part, ast.Call))
    return any("sum" in (getattr(function, "attr", None), getattr(function, "id", None)) for function in called)


def divisions_by_sums(code):
    """The lines of a module that divide by a sum, also by one that got a name or was added up in a loop."""
    found = []
    for scope in ast.walk(ast.parse(code)):
        if not isinstance(scope, (ast.FunctionDef, ast.Module)):
            continue
        parts = list(ast.walk(scope))
        named = {
            target.id
            for part in parts
            if (isinstance(part, ast.Assign) and sums(part.value))
            or (isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Add))
            for target in (part.targets if isinstance(part, ast.Assign) else [part.target])
            if isinstance(target, ast.Name)
        }
        for part in parts:
            divisor = None
            if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Div):
                divisor = part.right
            elif isinstance(part, ast.AugAssign) and isinstance(part.op, ast.Div):
                divisor = part.value
            elif isinstance(part, ast.Call) and getattr(part.func, "attr", "") in ("divide", "true_divide"):
                divisor = part.args[1]
            names = {name.id for name in ast.walk(divisor) if isinstance(name, ast.Name)} if divisor else set()
            if divisor is not None and (sums(divisor) or names & named):
                found.append(part.lineno)
    return sorted(set(found))


@pytest.mark.parametrize(
    "code, lines",
    [
        ("weights = np.exp(x)\nweights / weights.sum()", [2]),
        ("def f(w):\n    total = np.sum(w, axis=1)\n    w /= total[:, None]", [3]),
        ("total = 0\nfor w in weights:\n    total += w\nnp.divide(y, total)", [4]),
        ("weights.sum() / 2\nx / np.sqrt(2)", []),
    ],
)
def test_the_guard_sees_who_normalises(code, lines):
    assert divisions_by_sums(code) == lines


@pytest.mark.parametrize("path", [path for path in FILES if room(path) != "weights"], ids=shown)
def test_only_the_ground_floor_normalises(path):
    """`softmax`, and `ratio` for methods that add up both sums: nobody else divides by a sum of weights."""
    assert divisions_by_sums(path.read_text("utf8")) == []


def test_nobody_imports_the_tests_and_they_alone_look_into_the_engine():
    closed = {path.stem for path in (ROOT / "tests").glob("*.py")} | {"tests", "lib.engine"}
    found = ((path, name) for path in files("tools", "_ext", "benchmarks") for name in imports(path))
    assert [(path, name) for path, name in found if any(f"{name}.".startswith(f"{one}.") for one in closed)] == []


def test_the_site_may_import_the_tools_and_not_the_other_way_round():
    extensions = {path.stem for path in (ROOT / "_ext").glob("*.py")} | {"borrowed"}
    for path in files("tools"):
        assert not extensions & {name.split(".")[0] for name in imports(path)}, path


def test_the_site_is_made_again_when_a_tool_changes_that_it_imports():
    """Directly, or through another tool."""
    tools = {path.stem: path for path in (ROOT / "tools").glob("*.py")}
    needed, looked_at = set(), files("_ext")
    while looked_at:
        found = {name.split(".")[0] for path in looked_at for name in imports(path)} & tools.keys() - needed
        needed, looked_at = needed | found, [tools[name] for name in found]
    assert needed == set(SHARED)
