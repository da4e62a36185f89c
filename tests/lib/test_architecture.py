"""Module dependencies: imports point to lower layers, engines are private, one layer normalises weights."""

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest

from tools.build.sources import SHARED, sources

ROOT = Path(__file__).parents[2]
GROUND = {
    "lib.borders",
    "lib.checks",
    "lib.constants",
    "lib.former_names",
    "lib.weights",
    "lib.metrics",
    "lib.noise",
}
KERNELS = {"lib.kernels"}
ENGINE = {"lib.engine"}  # faster implementations of the same results
METHODS = {"lib.regression", "lib.filters", "lib.unified", "lib.attention", "lib.learning"}
METHODS |= {"lib.patch_attention", "lib.random_features"}
MODELS = {"lib.denoising_network", "lib.diffusion", "lib.heads", "lib.language_model"}  # built from the methods
PUBLISHED = {"lib.published_model"}  # swaps the kernels of the course's own model
HELPERS = {"lib.data", "lib.images", "lib.plotting"}  # data and panels: they do not implement methods
YEARS = {"lib.years"}  # six methods on one photograph
PRACTICE = {"lib.assignments"}
FRAMEWORK = {"lib.figures.contract"}
SCRIPTS = ROOT / "lib" / "figures"
FIGURE = {f"lib.figures.{path.parent.name}" for path in SCRIPTS.glob("*/__init__.py")} - FRAMEWORK
FIGURES = {"lib.figures"} | FIGURE | FRAMEWORK
DISTRIBUTED = {"lib.distributed"}  # the methods on chunks, with Dask; optional
ESTIMATORS = {"lib.estimators"}  # kernel regression in scikit-learn's form; optional
SHOWN = GROUND | KERNELS | METHODS | MODELS | PUBLISHED | HELPERS | YEARS  # by figures
PUBLIC = {"lib"} | SHOWN | PRACTICE | FIGURES | DISTRIBUTED | ESTIMATORS
FLOORS = [  # packages, and what they may import besides themselves; benchmarks and tests are never imported
    ({"lib"}, set()),
    (GROUND, GROUND),
    (KERNELS, GROUND),
    (ENGINE, GROUND | KERNELS),
    (METHODS, GROUND | KERNELS | ENGINE),
    (MODELS, GROUND | KERNELS | METHODS),
    (PUBLISHED, GROUND | KERNELS | METHODS | MODELS),
    (HELPERS, {"lib.checks", "lib.constants", "lib.former_names"}),
    (PRACTICE, {"lib.data", "lib.images"}),
    (DISTRIBUTED, GROUND | KERNELS | METHODS | ENGINE),
    (ESTIMATORS, GROUND | KERNELS | METHODS | ENGINE),
    (YEARS, GROUND | METHODS | {"lib.images"}),
    (FRAMEWORK, SHOWN),
    *(({figure}, SHOWN | FRAMEWORK) for figure in FIGURE),  # not a different figure
    ({"lib.figures"}, FIGURE | FRAMEWORK),
    ({"tools"}, PUBLIC),
    ({"_ext", "teaching"}, PUBLIC | {"tools"}),
    ({"benchmarks"}, PUBLIC | ENGINE | {"tools"}),
    ({"tests"}, PUBLIC | ENGINE | {"tools", "_ext"}),
]
MAY_IMPORT = {room: below | {room} for rooms, below in FLOORS for room in rooms}
FILES = [path for room in MAY_IMPORT if "." not in room for path in sorted((ROOT / room).rglob("*.py"))]
ALLOWED_OUTSIDE = {"numpy", "matplotlib", "ipywidgets", "anywidget", "traitlets", "IPython", "matplotlib_inline"}


def room_of(path):
    top, *rest = path.relative_to(ROOT).with_suffix("").parts
    names = [name for name in rest if name != "__init__"][: 2 if rest[:1] == ["figures"] else 1]
    return ".".join([top, *names]) if top == "lib" else top


def imports(code):
    """Return the modules that code imports, and the imported names, as `module.name`."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{alias.name}" for alias in node.names)


def room_reached(name, root=ROOT):
    """Return the package of a module with this full name, or None if it is not part of the course."""
    parts = name.split(".")
    for place in (root.joinpath(*parts[:n]) for n in range(len(parts), 0, -1)):
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.exists():
                return room_of(file)
    return parts[0] if parts[0] in MAY_IMPORT else None


def wrong_imports(path, code):
    """Return forbidden imports: packages of higher layers and, in `lib`, neighbours by relative import."""
    allowed = MAY_IMPORT.get(room_of(path), set())
    for name in imports(code):
        is_relative = name.startswith(".")
        room = None if is_relative else room_reached(name)
        if is_relative and room_of(path).startswith("lib.") or room and room not in allowed:
            yield name


def test_imports_point_to_lower_layers():
    assert {room_of(path) for path in FILES} == MAY_IMPORT.keys(), "a package without a layer, or vice versa"
    found = {str(path.relative_to(ROOT)): list(wrong_imports(path, path.read_text("utf8"))) for path in FILES}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "file, code",
    [
        ("lib/kernels.py", "from lib.regression import nadaraya_watson"),
        ("lib/kernels.py", "from .weights import softmax"),
        ("lib/heads.py", "import lib.engine.streaming"),
        ("lib/heads.py", "from lib.distributed import attention"),
        ("lib/data.py", "def f():\n    from lib import unified, checks"),
        ("lib/weights.py", "import tools.build.serve"),
        ("lib/figures/ring/__init__.py", "from lib.figures.diffusion import RADII"),
        ("lib/figures/contract/packing.py", "from lib.figures.ring import SEED"),
        ("lib/figures/ring/__init__.py", "from lib.figures import diffusion_figure"),
        ("lib/years.py", "from lib.figures.contract.packing import packed"),
        ("_ext/course/drawings.py", "from tests.oracles import exact"),
        ("_ext/course/drawings.py", "from lib.engine import window"),
        ("tools/grading/grade.py", "from tests.mutations import mutations"),
        ("tools/grading/grade.py", "import benchmarks.attention"),
        ("tools/grading/grade.py", "from _ext.course.slides import number"),
        ("benchmarks/filters.py", "from _ext.course import setup"),
        ("tests/lib/test_checks.py", "from benchmarks import filters"),
    ],
)
def test_upward_import_is_detected(file, code):
    assert len(list(wrong_imports(ROOT / file, code))) == 1


def test_test_files_import_no_other_test_file():
    """What several of them use is in a file of its own."""
    is_test = lambda name: any(part.startswith("test_") for part in name.split(".")[1:])
    found = {
        path.relative_to(ROOT).as_posix(): [
            name for name in imports(path.read_text("utf8")) if name.startswith("tests.") and is_test(name)
        ]
        for path in sorted((ROOT / "tests").rglob("*.py"))
    }
    assert {path: names for path, names in found.items() if names} == {}


LAYERS = [
    "methods",
    "parts",
    "contract",
]  # of the figures' JavaScript and CSS, lowest layer first; each figure has its own layer above them
BUILT_ON = {"ring": "diffusion"}  # a figure that reuses the drawing and sampling of a larger one
IMPORTED = re.compile(r"""(?:\bfrom|\bimport|@import)\s*\(?\s*["'](\.{1,2}/[^"']+)["']""")


def layer_of(path):
    """Return the layer of a figure's script; the figure itself, and any other script, is the top layer."""
    folder = path.relative_to(SCRIPTS).parts[0] if path.is_relative_to(SCRIPTS) else ""
    return LAYERS.index(folder) if folder in LAYERS else len(LAYERS)


def wrong_script_imports(path, code):
    """Return imports of a script or a style sheet from higher layers, or from the folder of a different figure."""
    for name in IMPORTED.findall(code):
        target = (path.parent / name).resolve()
        is_data = target.suffix == ".json" and target.is_relative_to(ROOT / "lib")
        is_near = target.parent.name in (path.parent.name, BUILT_ON.get(path.parent.name))
        if not (is_data or is_near or layer_of(target) < layer_of(path)):
            yield name


def test_figure_scripts_import_lower_layers():
    paths = [
        path for kind in ("*/*.js", "*/*.css") for path in SCRIPTS.glob(kind) if path.parent.name != "bundled"
    ]
    assert {path.parent.name for path in paths} > set(LAYERS)
    found = {
        str(path.relative_to(ROOT)): list(wrong_script_imports(path, path.read_text("utf8"))) for path in paths
    }
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize(
    "file, code",
    [
        ("methods/weights.js", 'import { clamp } from "../parts/numbers.js";'),
        ("methods/weights.js", '/** @param {import("../contract/settings.js").Kind} kind */'),
        ("parts/plot.js", 'import { memo } from "../contract/figure.js";'),
        ("parts/tokens.css", '@import "../contract/core.css";'),
        ("contract/figure.js", 'import {\n  estimate,\n} from "../regression/regression.js";'),
        ("pixel/pixel.js", 'import { sweep } from "../prediction/prediction.js";'),
        ("pixel/pixel.js", 'const other = await import("../../../tools/book.js");'),
    ],
)
def test_upward_script_import_is_detected(file, code):
    assert len(list(wrong_script_imports(SCRIPTS / file, code))) == 1


OF_LIB = [path for path in FILES if room_of(path).startswith("lib.")]
each_file_of_lib = pytest.mark.parametrize("path", OF_LIB, ids=lambda path: str(path.relative_to(ROOT)))


@each_file_of_lib
def test_lib_dependencies_run_in_browser(path):
    if room_of(path) in DISTRIBUTED | ESTIMATORS:
        pytest.skip("optional modules import packages that lib does not need")
    outside = {name.split(".")[0] for name in imports(path.read_text("utf8"))}
    assert outside - {"lib"} - set(sys.stdlib_module_names) <= ALLOWED_OUTSIDE


SUMS = {"sum", "nansum", "fsum", "einsum", "tensordot", "trace", "add.reduce", "add.reduceat"}


def is_sum(node):
    """Return whether a node is a sum: `x.sum(…)`, `np.einsum(…)`, `np.add.reduce(…)`, `x @ np.ones(…)`."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return "ones" in ast.unparse(node)
    called = ast.unparse(node.func).split(".") if isinstance(node, ast.Call) else []
    ends = {".".join(called[-n:]) for n in (1, 2)}
    return bool(ends & SUMS) or bool(ends & {"dot", "matmul"}) and "ones" in ast.unparse(node)


def contains_sum(node):
    return any(map(is_sum, ast.walk(node)))


def names_in(*nodes):
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def divisions_by_sums(code):
    """Return the lines of a module that divide by a sum, including sums with a name or accumulated in a loop."""
    module, found = ast.parse(code), set()
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    module.body = [node for node in module.body if not isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for scope in (module, *functions):
        named, divided = set(), []
        for node in ast.walk(scope):
            match node:
                case ast.Assign(targets=targets, value=value) if contains_sum(value):
                    named |= names_in(*targets)
                case ast.AnnAssign(target=target) | ast.NamedExpr(target=target) if contains_sum(node):
                    named |= names_in(target)
                case ast.AugAssign(op=ast.Add(), target=ast.Name(id=name)):
                    named.add(name)
                case ast.AugAssign(op=ast.Div(), value=divisor) | ast.BinOp(op=ast.Div(), right=divisor):
                    divided.append((node.lineno, divisor))
                case ast.Call(func=ast.Attribute(attr="divide" | "true_divide"), args=[_, divisor, *_]):
                    divided.append((node.lineno, divisor))
        found |= {line for line, divisor in divided if contains_sum(divisor) or names_in(divisor) & named}
    return sorted(found)


@pytest.mark.parametrize(
    "code, lines",
    [
        ("weights = np.exp(x)\nweights / weights.sum()", [2]),
        ("def f(w):\n    total = np.sum(w, axis=1)\n    w /= total[:, None]", [3]),
        ("total = 0\nfor w in weights:\n    total += w\nnp.divide(y, total)", [4]),
        ("def f(w):\n    n, total = 3, np.einsum('qk->q', w)\n    return w / total[:, None]", [3]),
        ("w / np.add.reduce(w, axis=1)", [1]),
        ("total: float = np.nansum(w)\nw / (1 + total)", [2]),
        ("total = w @ np.ones((len(keys), 1))\ny / total", [2]),
        ("y / np.dot(w, np.ones(7))", [1]),
        ("weights.sum() / 2\nx / np.sqrt(2)\nx / x.mean()", []),
    ],
)
def test_normalisation_is_detected(code, lines):
    assert divisions_by_sums(code) == lines


@each_file_of_lib
def test_only_lowest_layer_normalises(path):
    """Only `softmax`, and `ratio` for methods that accumulate both sums, may divide by a sum of weights."""
    assert room_of(path) == "lib.weights" or divisions_by_sums(path.read_text("utf8")) == []


@pytest.mark.parametrize("product", ["ledger", "conclusions"])
def test_products_made_beside_the_bundles_do_not_depend_on_them(product):
    """Otherwise the second build on a fresh machine would repeat the first."""
    rule = next(line for line in (ROOT / "Makefile").read_text("utf8").split("\n") if f"deps,{product})" in line)
    assert "$(BUNDLED)" not in rule
    assert [path for path in sources(product, ROOT) if "bundled" in path.parts] == []


def test_files_of_the_ledger_import_no_figure():
    """On a fresh machine the equations are measured before the figures' bundles are made."""
    files = [path for path in sources("ledger", ROOT) if path.suffix == ".py" and "tests" in path.parts]
    top = {path.name: [ast.unparse(node) for node in ast.parse(path.read_text("utf8")).body] for path in files}
    first = {name: [line for line in lines if line.startswith(("from lib.figures", "import lib.figures"))]
             for name, lines in top.items()}  # fmt: skip
    assert len(files) > 20 and {name: lines for name, lines in first.items() if lines} == {}


def test_site_depends_on_tools_it_imports():
    """Directly, or through another tool."""
    tools = {f"tools.build.{path.stem}": path for path in (ROOT / "tools" / "build").glob("*.py")}
    needed, looked_at = set(), [path for path in FILES if room_of(path) == "_ext"]
    while looked_at:
        found = {name for path in looked_at for name in imports(path.read_text("utf8"))}
        names = tools.keys() & {part for name in found for part in (name, name.rpartition(".")[0])}
        looked_at = [tools[name] for name in names - needed]
        needed |= names
    assert needed == {f"tools.build.{name}" for name in SHARED}


def test_imports_are_absolute():
    """Imports start at the root, because a module found in two ways is loaded twice."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["tool"]["pytest"]["ini_options"]
    assert settings["pythonpath"] == ["."]
    sandboxed = {"tools/grading/run_submission.py", "tests/teaching/test_grading.py"}  # run without the tools
    files = {path.relative_to(ROOT).as_posix(): path for path in [*FILES, *ROOT.glob("tests/**/*.mjs")]}
    changed = re.compile(r"^\s*sys\.path(?:\[|\.)", re.MULTILINE)
    assert {name for name, path in files.items() if changed.search(path.read_text("utf8"))} <= sandboxed
