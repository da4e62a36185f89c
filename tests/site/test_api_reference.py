"""Reference pages: every public name of the modules, described by its docstring."""

import re
from importlib import import_module
from inspect import getmodule, isclass, isfunction

import pytest

from tests.conftest import ROOT

MODULES = re.findall(r"^   (lib\.\w+)$", (ROOT / "pages" / "api.md").read_text("utf8"), re.MULTILINE)


@pytest.fixture(scope="module")
def pages(built_site):
    return {name: (built_site / "pages" / "api" / f"{name[4:]}.html").read_text("utf8") for name in MODULES}


@pytest.mark.parametrize("name", MODULES)
def test_page_lists_every_public_name(name, pages):
    module = import_module(name)
    made = [
        each
        for each, value in vars(module).items()
        if (isfunction(value) or isclass(value)) and not each.startswith("_")
        if (module.__name__ == getmodule(value).__name__) or each in getattr(module, "__all__", ())
    ]
    assert made and [each for each in made if f'id="{name}.{each}"' not in pages[name]] == []
    assert "Alias for field" not in pages[name]


def test_page_lists_every_imported_module():
    texts = [path.read_text("utf8") for path in (ROOT / "chapters").glob("*.ipynb")]
    imported = {module for text in texts for module in re.findall(r"from (lib\.\w+) import", text)}
    several = re.findall(r"from lib import ([\w, ]+)", "\n".join(texts))
    imported |= {f"lib.{part.split()[0]}" for names in several for part in names.split(", ")}
    assert imported - set(MODULES) <= {"lib.checks"}


def test_built_pages_link_equations_without_raw_markup(built_site, pages):
    listing = (built_site / "pages" / "api.html").read_text("utf8")
    for name, page in pages.items():
        assert f'href="api/{name[4:]}.html#module-{name}"' in listing
        text = re.sub(r"<(a|pre|script|style)\b.*?</\1>|<[^>]*>", "", page, flags=re.DOTALL)
        assert not re.search(r"\beq:\w|\bdoi:10|----|`|\*\*\w+\*\*", text), name
    together = "".join(pages.values())
    assert len(re.findall(r'href="\.\./\.\./chapters/\w+\.html#equation-eq-', together)) > 30
    assert together.count("&gt;&gt;&gt; ") > 80
    for heading in ("Parameters", "Returns", "Examples"):
        assert len(re.findall(rf"<(?:dt|p)[^>]*>{heading}\b", together)) > 50, heading
    assert 'href="https://doi.org/10.' in together
