"""Paths and dotted names in comments, docstrings and pages exist."""

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CODE = ("lib", "tests", "tools", "_ext", "benchmarks")
PATH = re.compile(rf"(?<![\w/.-])(?:{'|'.join(CODE)})/[\w./-]*\.(?:py|js|mjs|css|json|wat)\b")
NAME = re.compile(rf"(?<![\w./-])(?:{'|'.join(CODE)})(?:\.(?!js\b)[A-Za-z_]\w*)+")
SUFFIXES = {".py", ".js", ".mjs", ".css", ".md", ".ipynb"}
FILES = [path for folder in (*CODE, "chapters", "pages", "teaching") for path in (ROOT / folder).rglob("*")]
FILES = [path for path in (*FILES, *ROOT.glob("*.md")) if path.suffix in SUFFIXES and "bundled" not in path.parts]
FILES = [path for path in FILES if path.name != "CHANGELOG.md"]  # it may name what was removed


def words_of(path, text):
    """Return what people read: the comments and docstrings of code, or a whole page."""
    if path.suffix == ".py":
        comments = [
            each.string
            for each in tokenize.generate_tokens(io.StringIO(text).readline)
            if each.type == tokenize.COMMENT
        ]
        parts = (ast.Module, ast.ClassDef, ast.FunctionDef)
        documented = [node for node in ast.walk(ast.parse(text)) if isinstance(node, parts)]
        return "\n".join([*comments, *(ast.get_docstring(node) or "" for node in documented)])
    if path.suffix in (".js", ".mjs", ".css"):
        return "\n".join(re.findall(r"//[^\n]*|/\*.*?\*/", text, re.DOTALL))
    return text


def exists(name):
    """Whether a dotted name is a module, a file or in the text of the module with which it begins."""
    parts = name.split(".")
    for n in range(len(parts), 0, -1):
        place = ROOT.joinpath(*parts[:n])
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.exists():
                return n == len(parts) or bool(re.search(rf"\b{parts[n]}\b", file.read_text("utf8")))
    return False


def stale(words):
    paths = [path for path in PATH.findall(words) if not (ROOT / path).exists()]
    return paths + [name for name in NAME.findall(words) if not exists(name)]


def test_mentioned_paths_and_names_exist():
    found = {str(path.relative_to(ROOT)): stale(words_of(path, path.read_text("utf8"))) for path in FILES}
    assert len(found) > 300 and {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    "file, text, found",
    [
        ("a.py", '"""See lib/weight.py and `lib.weights.softmax`."""', ["lib/weight.py"]),
        ("a.py", "code = 'lib/weight.py'  # as lib.weights.soft_max", ["lib.weights.soft_max"]),
        ("a.js", "import './lib/weight.js'; // as tests/oracle.py", ["tests/oracle.py"]),
        ("a.css", "/* as in\n lib/figures/contract/cores.css */", ["lib/figures/contract/cores.css"]),
        ("a.md", "`tools.build.serve`, `tools.build.served`, np.lib.stride_tricks", ["tools.build.served"]),
    ],
)
def test_stale_mention_is_detected(file, text, found):
    assert stale(words_of(Path(file), text)) == found
