"""Private APIs of dependencies that the site uses; each test shows what breaks without one."""

import json
import re
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest

from _ext.course.private_api.anywidget import figure_of, patient_script
from _ext.course.private_api.jupyter_cache import Cache, key_on_code_and_imports
from _ext.course.private_api.myst_nb import STATE, cell_of
from lib.data import noisy_sine
from lib.figures import regression_figure
from tests.conftest import ROOT
from tools.build.page_files import exchange


def test_exchange_requires_text_to_occur_once():
    assert exchange("a place", "place", "word", "a text") == "a word"
    for text in ("nothing", "place and place"):
        with pytest.raises(ValueError, match=r"expected 'place' once in a text, got it [02] times"):
            exchange(text, "place", "word", "a text")


def test_notebook_cache_ignores_captions():
    key_on_code_and_imports()
    cell = lambda source="1 + 1", **metadata: nbformat.v4.new_code_cell(source, metadata=metadata)
    name = lambda *cells: Cache.create_hashed_notebook(None, nbformat.v4.new_notebook(cells=list(cells)))[1]
    captioned = cell(mystnb={"figure": {"caption": "A sum."}}, slide={"notes": "Ask first."})
    assert name(captioned, nbformat.v4.new_markdown_cell("Text.")) == name(cell())
    assert len({name(cell()), name(cell("1 + 2")), name(cell(tags=["raises-exception"]))}) == 3


def test_anywidget_is_patched_for_shared_code_and_timeout():
    """Otherwise each page would contain the code of its figures, and slow machines would give up on them."""
    keys, values, _ = noisy_sine(5, rng=np.random.default_rng(0))
    panel = regression_figure(keys, values, 1.5, 0.7)
    assert figure_of(panel.figure.get_state()) == "regression" and not figure_of(panel.get_state())
    assert "AbortSignal.timeout(6e4)" in patient_script()


def test_page_has_one_widget_state(built_site):
    """Otherwise figures would not become interactive."""
    states = [(built_site / f"{name}.html").read_text("utf8").count(STATE) for name in ("intro", "pages/glossary")]
    assert states == [1, 0]


def test_sphinx_numbers_reach_notebooks(built_site):
    """Otherwise equation and figure numbers in Colab would differ from the site's."""
    page = (built_site / "chapters" / "02_bilateral.html").read_text("utf8")
    notebook = (built_site.parent / "notebooks" / "chapters" / "02_bilateral.ipynb").read_text("utf8")
    for shown, written in [
        (r'class="eqno">\((2\.\d+)\)', r"\\tag\{(2\.\d+)\}"),
        (r">Fig\. (2\.\d+) <", r"\*\*Fig\. (2\.\d+)\.\*\*"),
    ]:
        assert re.findall(shown, page) == re.findall(written, notebook) != []


def test_slide_belongs_to_section_of_its_cell(built_site):
    """Otherwise a slide would show different paragraphs from those its notes describe."""
    lines = SimpleNamespace(line=60004), SimpleNamespace(line=120000)
    assert [cell_of(node) for node in lines] == [5, 11]
    deck = (built_site / "slides" / "01.html").read_text("utf8")
    assert re.search(r'class="slide-idea" aria-label="The idea">\s*<h2 class="heading">', deck)


# Output of the templates and the theme together


@pytest.mark.parametrize("name", ["intro", "chapters/01_nadaraya_watson", "search", "pages/references"])
def test_templates_complete_the_theme(built_site, name):
    page = (built_site / f"{name}.html").read_text("utf8")
    assert f'<body data-page="{name}"' in page and page.count("prefers-color-scheme: dark") == 1
    for wrong in ('aria-label="Toggle hidden content"', "doc-biblioentry", "searchindex.js", "fontawesome.js"):
        assert wrong not in page
    scripts = re.findall(r"<script [^>]*src=[^>]*>", page)
    assert [tag for tag in scripts if "defer" not in tag and "documentation_options" not in tag] == []
    assert re.findall(r'<span class="(?:n|p|w)">', page) == []
    assert page.count("<summary><span") == 0, "a collapsible entry of the contents has a label"


def test_style_sheet_of_the_theme_has_no_icons(built_site):
    sheet = (built_site / "_static" / "styles" / "pydata-sphinx-theme.css").read_text("utf8")
    assert ":before{content:" in sheet and not re.search(r'\.fa-[a-z-]+:before\{content:"', sheet)


def test_chapter_has_slides_and_run_buttons(site, page):
    page.goto(f"{site}/chapters/01_nadaraya_watson.html")
    assert page.get_by_role("link", name="Slides").get_attribute("href") == "../slides/01.html"
    assert page.locator(".dropdown-launch-buttons a").count() == 3


def test_icons_are_drawn(site, page):
    page.goto(f"{site}/pages/glossary.html")
    icon = page.locator("i.fa-magnifying-glass:visible").first
    assert icon.evaluate("one => getComputedStyle(one, '::before').maskImage").startswith('url("data:image/svg')


def test_theme_does_not_measure_code_blocks(site, page):
    page.goto(f"{site}/chapters/01_nadaraya_watson.html")
    page.wait_for_load_state("load")
    assert page.evaluate("document.readyState") == "complete" and page.locator('pre[tabindex="-1"]').count() == 0


# Names of the theme, ipywidgets and JupyterLite in style sheets and scripts

NAMES = ROOT / "_ext" / "course" / "assets" / "private_api"
RUNTIME = ROOT / "node_modules" / "@jupyter-widgets"


def text_of(folder, pattern):
    return "".join(path.read_text("utf8", "replace") for path in sorted(Path(folder).glob(pattern)))


def names_of(dependency):
    selectors = json.loads((NAMES / f"{dependency}.json").read_text("utf8")).values()
    variables = re.findall(r"(--(?:pst|mystnb|jp)[\w-]+):", (NAMES / f"{dependency}.css").read_text("utf8"))
    return {selector.lstrip(".#") for selector in selectors} | set(variables)


def test_styled_selectors_exist_in_the_theme(built_site):
    """Otherwise a chapter would have the theme's own fonts, a wide column, and no progress bar."""
    pages = "".join(
        (built_site / f"{name}.html").read_text("utf8") for name in ("intro", "chapters/03_nonlocal_means")
    )
    theme = "".join(
        text_of(files(package), f"**/*.{ending}")
        for package in ("pydata_sphinx_theme", "sphinx_book_theme", "myst_nb")
        for ending in ("css", "js", "html")
    )
    assert {name for name in names_of("theme") if name not in pages + theme} == set()


def test_private_names_of_ipywidgets_exist(built_site):
    """Otherwise sliders would have no accessible name or touch area, or figures would not be drawn."""
    contract = ROOT / "lib" / "figures" / "contract"
    own = "".join((contract / name).read_text("utf8") for name in ("widgets.css", "sliders.js"))
    names = names_of("ipywidgets") | set(re.findall(r"\.((?:noUi|widget|jupyter)-[\w-]+)", own))
    runtime = text_of(built_site / "_static" / "widgets", "widgets.*")
    assert len(names) > 15 and {name for name in names if name not in runtime} == set()
    manager = text_of(RUNTIME / "base-manager" / "lib", "manager-base.js")
    assert all(f"this.{name}(" in manager for name in ("_create_comm", "_get_comm_info", "loadClass"))
    assert "readout_overflow() {" in text_of(RUNTIME / "controls" / "lib", "widget_int.js")


@pytest.mark.parametrize(
    "folder, places",
    [("_ext/course/assets", set()), ("lib/figures/*", {"widgets.css", "sliders.js", "years.css"})],
)
def test_private_names_are_defined_once(folder, places):
    """Otherwise an upgrade of the theme or ipywidgets would require searching all style sheets and scripts."""
    paths = [path for pattern in ("*.css", "*.js") for path in ROOT.glob(f"{folder}/{pattern}")]
    paths = [path for path in paths if path.parent.name != "bundled"]
    name = re.compile(r"[.#](bd|pst|noUi|widget)-(?!view)|--pst-|--jp-widgets")
    assert {path.name for path in paths if name.search(path.read_text("utf8"))} == places


def test_private_names_of_jupyterlite_exist(built_site):
    """Otherwise the browser edition would not show whether Python is ready, or link back to the site."""
    lite = built_site / "lite"
    started = text_of(lite, "*.js") + text_of(lite, "notebooks/*.html") + text_of(lite, "build/*.js")
    for name in ("_JUPYTERLAB", "litePluginSettings", "jupyter-config-data", "jp-NotebookLogo", '"main"'):
        assert name in started, name
