"""Names that the course keeps: public functions, figures, equations, pages, headers, Make targets, sections.

    .venv/bin/python -m tests.promises     add new names to promises.json

`tests/tools/test_promises.py` fails if one of them disappears without an entry under "Removed" in CHANGELOG.md.
"""

import json
import re
from importlib import import_module
from inspect import getmodule, isclass, isfunction
from pathlib import Path

import yaml

from _ext.course.site_headers import EVERYWHERE
from tools.build.notebook_text import LABEL, words_of

ROOT = Path(__file__).resolve().parents[1]
STORED = Path(__file__).with_suffix(".json")


def functions(root):
    """Yield the public names of the documented modules, such as `lib.weights.softmax`."""
    for module in re.findall(r"^   (lib\.\w+)$", (root / "pages" / "api.md").read_text("utf8"), re.MULTILINE):
        names = vars(import_module(module))
        listed = names.get("__all__", ())  # names that the module imports lazily
        yield from (f"{module}.{name}" for name in listed)
        for name, value in names.items():
            own = (isfunction(value) or isclass(value)) and getmodule(value).__name__ == module
            if own and name not in listed and not name.startswith("_"):
                yield f"{module}.{name}"


def figures(root):
    return (path.stem for path in root.glob("figures/*.svg"))


def equations(root):
    paths = root.glob("chapters/*.ipynb")
    return (label for path in paths for label in LABEL.findall(words_of(json.loads(path.read_text("utf8")))))


def pages(root):
    toc = yaml.safe_load((root / "_toc.yml").read_text("utf8"))
    return [toc["root"], *re.findall(r"file: (\S+)", (root / "_toc.yml").read_text("utf8"))]


def headers(root):
    return ["Content-Security-Policy", *EVERYWHERE]


def targets(root):
    return re.findall(r'@echo "(make [\w-]+)', (root / "Makefile").read_text("utf8"))


def sections(root):
    """Yield the chapters' sections by the ids of their cells, such as `01_nadaraya_watson#idea`."""
    for path in root.glob("chapters/*.ipynb"):
        for cell in json.loads(path.read_text("utf8"))["cells"]:
            if cell["cell_type"] == "markdown" and re.search(r"^##+ ", "".join(cell["source"]), re.MULTILINE):
                yield f"{path.stem}#{cell['id']}"


KINDS = (functions, figures, equations, pages, headers, targets, sections)


def present(root=ROOT):
    """Return the names that exist now, by kind."""
    return {kind.__name__: sorted(set(kind(root))) for kind in KINDS}


def stored():
    return json.loads(STORED.read_text("utf8"))


def removed(root=ROOT):
    """Return the names in backticks under "Removed" in the changelog."""
    text = (root / "CHANGELOG.md").read_text("utf8")
    parts = re.findall(r"^### Removed\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
    return set(re.findall(r"`([^`]+)`", "\n".join(parts)))


def vanished(promised, there, gone):
    """Return the stored names that neither exist nor are listed as removed."""
    return {kind: lost for kind in promised if (lost := sorted(set(promised[kind]) - set(there[kind]) - gone))}


def kept(promised, there, gone):
    """Return the names to store: all that exist, and the stored ones that are not listed as removed."""
    return {kind: sorted(set(there[kind]) | set(promised.get(kind, [])) - gone) for kind in there}


if __name__ == "__main__":
    before = stored() if STORED.exists() else {}
    STORED.write_text(json.dumps(kept(before, present(), removed()), indent=1, ensure_ascii=False) + "\n", "utf8")
