"""The page of the package: every public name of its modules, described by its docstring, without an import."""

import re
from importlib import import_module
from inspect import getmodule, isclass, isfunction, signature

import api_reference
import make_lite
import pytest
from conftest import ROOT

MODULES = api_reference.PLACE.findall((ROOT / "pages" / "api.md").read_text("utf8"))


@pytest.mark.parametrize("name", MODULES)
def test_the_page_has_every_public_name_of_a_module(name):
    module = import_module(name)
    made = [
        each
        for each, value in vars(module).items()
        if (isfunction(value) or isclass(value)) and not each.startswith("_")
        if (module.__name__ == getmodule(value).__name__) or each in getattr(module, "__all__", ())
    ]
    nodes = {node.name: node for node in api_reference.definitions(ROOT, name)}
    assert made and set(made) <= set(nodes)
    assert all(callable(getattr(module, each)) for each in nodes)  # more, where a function is wrapped
    for each, node in nodes.items():
        shown, value = api_reference.signature(node), getattr(module, each)
        if isfunction(value):
            assert re.findall(r"(\w+)(?=[,=)]|$)", shown.partition("(")[2]) or not signature(value).parameters
            assert all(parameter in shown for parameter in signature(value).parameters), shown


def test_every_module_that_a_chapter_imports_is_on_the_page():
    texts = [path.read_text("utf8") for path in (ROOT / "chapters").glob("*.ipynb")]
    imported = {module for text in texts for module in re.findall(r"from (lib\.\w+) import", text)}
    several = re.findall(r"from lib import ([\w, ]+)", "\n".join(texts))
    imported |= {f"lib.{part.split()[0]}" for names in several for part in names.split(", ")}
    assert imported - set(MODULES) <= {"lib.checks", "lib.peers"}


def test_the_built_pages_lead_to_equations_and_have_no_raw_markup(built_site):
    listing = (built_site / "pages" / "api.html").read_text("utf8")
    pages = {name: (built_site / "pages" / "api" / f"{name[4:]}.html").read_text("utf8") for name in MODULES}
    for name, page in pages.items():
        assert f'href="api/{name[4:]}.html"' in listing
        assert "{eq}" not in page and "&lt;!-- lib" not in page and "----" not in re.sub(r"<!--.*?-->", "", page)
        for node in api_reference.definitions(ROOT, name):
            assert f'id="{name.replace(".", "-").replace("_", "-")}-{node.name.replace("_", "-").lower()}"' in page
    together = "".join(pages.values())
    assert len(re.findall(r'href="\.\./\.\./chapters/\w+\.html#equation-eq-', together)) > 30
    assert together.count("&gt;&gt;&gt; ") > 80
    assert together.count("<strong>Parameters</strong>") > 80 and "<strong>Examples</strong>" in together
    assert (
        len(
            re.findall(
                r'<li><p><strong><code class="[^"]*"><span class="pre">\w+</span></code></strong>: ', together
            )
        )
        > 200
    )
    assert 'href="https://doi.org/10.' in together


def test_the_version_has_one_source():
    import lib

    assert re.fullmatch(r"\d+\.\d+\.\d+", lib.__version__)
    assert make_lite.version().split()[0] == lib.__version__
