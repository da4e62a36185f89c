"""The built site: every page in a browser, every link, every URL, and the extension that builds it."""

import importlib.metadata
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import nbformat
import pytest

from _ext.course.notebook_edition import BRANCH
from lib.constants import PALETTE
from tests.conftest import ROOT
from tests.pages import (
    CHAPTERS,
    NUMBERED,
    PAGES,
    TOC,
    mark_variants,
    open_ready,
    violations,
    wait_for_layout,
)
from tests.site.both_modes import DESKTOP, PAPER, UNFOLD, assert_right_in_both_modes, open_light
from tools.build.addresses import repository_address
from tools.edition import set_url

# Loading a chapter is slow, so a test checks everything it can on each page that it opens.

OF_A_KIND = {name for name in PAGES if name.startswith(("pages/api/", "pages/windows", "teaching/"))}
OF_A_KIND -= {"pages/api/filters", "teaching/guide_01", "teaching/written_exam"}
KINDS = {"intro", "genindex", "chapters/01_nadaraya_watson", "teaching/guide_01"}
KINDS |= {
    f"pages/{name}" for name in ("api/filters", "elsewhere", "glossary", "methods", "notation", "references")
}


def assert_accessible_in_both_modes(page):
    page.evaluate(UNFOLD)
    assert violations(page) == []
    page.emulate_media(color_scheme="light")
    page.wait_for_selector("html[data-theme=light]", state="attached")
    assert violations(page, ["color-contrast"]) == []


@mark_variants(OF_A_KIND, [name for name in PAGES if name not in NUMBERED])
def test_page_is_right_in_light_and_dark_mode(site, built_site, new_page, name):
    """`test_chapter_is_right_on_desktop` checks the chapters."""
    page = new_page(viewport=DESKTOP, color_scheme="light", reduced_motion="reduce")
    open_light(page, site, built_site, name)
    assert_right_in_both_modes(page, name)
    if name in KINDS:
        page.set_viewport_size(DESKTOP)
        assert_accessible_in_both_modes(page)


@mark_variants(set(PAGES) - {NUMBERED[0]}, [name for name in PAGES if name in NUMBERED or name not in KINDS])
def test_page_is_accessible_in_both_modes(site, new_page, name):
    """`test_page_is_right_in_light_and_dark_mode` includes one page of each other kind."""
    page = new_page(viewport=DESKTOP, color_scheme="dark", reduced_motion="reduce")
    open_ready(page, f"{site}/{name}.html")
    assert_accessible_in_both_modes(page)


def test_theme_works_without_localstorage(site, unwatched):
    refuse = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('not allowed') } })"
    unwatched.add_init_script(refuse)
    unwatched.emulate_media(color_scheme="dark")
    unwatched.goto(f"{site}/pages/notation.html")
    assert unwatched.evaluate("document.documentElement.dataset.theme") == "dark"


def test_theme_switch_changes_page_and_persists(site, page):
    page.emulate_media(color_scheme="light")
    page.goto(f"{site}/pages/notation.html")
    for _ in range(3):  # auto, light, dark, in the theme's order
        page.locator(".theme-switch-button:visible").first.click()
        if page.evaluate("document.documentElement.dataset.theme") == "dark":
            break
    page.goto(f"{site}/pages/glossary.html")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == PAPER["dark"]


def test_failing_figure_does_not_affect_others(built_site, browser):
    page = browser.new_page()
    text = (built_site / "chapters/02_bilateral.html").read_text("utf8")
    broken = re.sub(r'"model_id": ?"[^"]*"', '"model_id": "gone"', text, count=1)
    assert broken != text
    page.route("**/02_bilateral.html", lambda route: route.fulfill(body=broken, content_type="text/html"))
    page.goto((built_site / "chapters/02_bilateral.html").as_uri())
    page.wait_for_selector(".pixel-figure[data-state]")
    page.close()


def test_scrollable_elements_are_focusable_without_figure_files(built_site, browser):
    page = browser.new_page()
    page.route("**/_static/figures/*.js", lambda route: route.abort())
    page.goto((built_site / "chapters/02_bilateral.html").as_uri())
    wait_for_layout(page)
    page.close()


def test_page_has_mode_colours_without_theme_script(site, new_page):
    page = new_page(color_scheme="dark")
    page.route("**/pydata-sphinx-theme.js*", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(f"{site}/pages/notation.html")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == PAPER["dark"]


def test_missing_page_links_home(site, browser):
    page = browser.new_page()
    assert page.goto(f"{site}/chapters/nothing/at/all.html").status == 404
    page.wait_for_function("() => document.querySelector('#home').getAttribute('href') !== '.'")
    page.click("#home")
    page.wait_for_url(f"{site}/{TOC['root']}.html")
    page.close()


def color_of(page, part):
    color = page.locator(part).first.evaluate("(one) => getComputedStyle(one).color")
    return tuple(map(int, re.findall(r"\d+", color)))


def test_page_has_one_search_and_coloured_formulas(site, page):
    open_ready(page, f"{site}/pages/notation.html")
    assert page.locator(".search-button__button:visible").count() == 1
    for role in ("query", "key", "weight"):
        expected = tuple(bytes.fromhex(PALETTE["light"][role].removeprefix("#")))
        assert color_of(page, f"mjx-container .{role}") == expected


def test_dark_page_prints_on_white_without_navigation(site, new_page):
    page = new_page(viewport=DESKTOP, color_scheme="dark")
    page.goto(f"{site}/{NUMBERED[0]}.html")
    page.emulate_media(media="print")
    for part in ("#pages", ".bd-header-article", ".prev-next-footer", "#sections"):
        assert not page.locator(part).first.is_visible(), part
    assert page.locator("h1:visible").count() == 1
    for part in ("h1", "p", "pre span", "td"):
        assert max(color_of(page, f"article {part}")) < 100, part


WIDGETS = re.compile(r'<script type="application/vnd.jupyter.widget-state\+json">(.*?)</script>', re.DOTALL)


def settings_of_figures(text):
    """Return the settings of each live figure of a page, by the figure's address."""
    models = [model["state"] for found in WIDGETS.findall(text) for model in json.loads(found)["state"].values()]
    return {state["address"]: state["settings"] for state in models if state.get("address")}


def allows(setting, value):
    """Return whether a setting of a figure has this value: one of its names, or a number on its range."""
    if "grid" in setting:
        return setting["grid"][0] <= float(value) <= setting["grid"][1]
    return value in setting.get("names", [value])


class Links(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.targets, self.names = [], {""}
        self.figures = settings_of_figures(text)
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.targets += [attributes[key] for key in ("href", "src") if attributes.get(key)]
        self.names |= {attributes[key] for key in ("id", "name") if attributes.get(key)}

    def leads_to(self, place):
        """Return whether the page has this target: an ID, or settings of one of its live figures."""
        address, _, settings = place.partition("=")
        if not settings or address not in self.figures:
            return place in self.names
        known, chosen = self.figures[address], [setting.split(":") for setting in settings.split(",")]
        return all(name in known and allows(known[name], value) for name, value in chosen)


@pytest.fixture(scope="module")
def links(built_site):
    others = {built_site / "_static", built_site / "lite"}
    pages = [path for path in built_site.rglob("*.html") if not others & set(path.parents)]
    return {path: Links(path.read_text("utf8")) for path in pages}


def test_links_resolve(links, built_site):
    broken = []
    for path, target in ((path, urlsplit(target)) for path, page in links.items() for target in page.targets):
        goal = (path.parent / unquote(target.path)).resolve() if target.path else path
        is_there = goal.is_relative_to(built_site) and goal.exists()
        if goal in links:
            is_there &= links[goal].leads_to(unquote(target.fragment))
        if not (target.scheme or target.netloc or is_there):
            broken.append(f"{path.name}: {target.geturl()}")
    assert broken == []


def test_nothing_loads_from_other_hosts(built_site):
    loading = r"""(?:<(?:script|img|iframe|source)\b[^>]*\bsrc="|<link\b[^>]*\bhref="|url\(["']?)(?:https?:)?//"""
    for path in [*built_site.rglob("*.html"), *built_site.rglob("*.css")]:
        assert not re.search(loading, path.read_text("utf8")), path


def test_style_sheet_uses_has_selector_for_panels_only():
    """A rule such as `section:has(.live-panel)` would style the whole page again at each step of a drag."""
    sheet = (ROOT / "_ext" / "course" / "assets" / "course.css").read_text("utf8")
    selectors = re.findall(r"([^\s{},]*):has\(((?:[^()]|\([^()]*\))*)\)", sheet)
    assert [outer for outer, inner in selectors if re.search(r"nth-child|\.live-", inner)] == [".live-panel:not("]


def test_sixteen_head_table_fits_small_desktop(site, new_page):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{site}/chapters/08_language_model.html")
    table = page.locator(".pst-scrollable-table-container:has(table.columns-9)").first
    table.evaluate("(one) => { one.closest('details').open = true; }")
    table.locator("td").first.wait_for()
    assert table.evaluate("(one) => one.scrollWidth <= one.clientWidth")


def test_computed_tables_are_html_tables(built_site):
    pages = {path.name: path.read_text("utf8") for path in (built_site / "chapters").glob("*.html")}
    assert [name for name, text in pages.items() if re.search(r"^<p>\|.*\|$", text, re.MULTILINE)] == []


def foreign_addresses(text, address):
    """Yield launch links and mentions of the repository with a different URL."""
    owner, name = address.removeprefix("https://github.com/").split("/")
    launch = r"mybinder\.org/v2/gh/|colab\.research\.google\.com/github/|git\+https://github\.com/|git clone https://github\.com/"
    found = re.findall(rf"(?:{launch})([\w.-]+/[\w.-]+)", text)
    found += re.findall(rf"github\.com[/:]([\w.-]+/{re.escape(name)})\b", text)
    return [address for address in found if address.removesuffix(".git") != f"{owner}/{name}"]


def test_documents_and_notebooks_state_configured_url():
    paths = [path for path in set_url.course_files() if path != Path(__file__).resolve()]
    wrong = {path.name: foreign_addresses(path.read_text("utf8"), set_url.configured_address()) for path in paths}
    assert {name: found for name, found in wrong.items() if found} == {}


def test_launch_buttons_open_plain_notebooks(links, built_site):
    address = repository_address(set_url.configured_address())
    owner_and_name = address.removeprefix("https://github.com/")
    notebooks = [name for name in PAGES if (ROOT / f"{name}.ipynb").exists()]
    assert set(CHAPTERS) <= set(notebooks)
    for name in notebooks:
        page = built_site / f"{name}.html"
        assert foreign_addresses(page.read_text("utf8"), address) == []
        up = "../" * name.count("/")
        for target in (
            f"{up}lite/notebooks/index.html?path={name}.ipynb",
            f"https://mybinder.org/v2/gh/{owner_and_name}/{BRANCH}?urlpath=lab/tree/{name}.ipynb",
            f"https://colab.research.google.com/github/{owner_and_name}/blob/{BRANCH}/{name}.ipynb",
        ):
            assert target in links[page].targets
        assert (built_site / "lite" / "files" / f"{name}.ipynb").exists()


def test_notebooks_share_the_colab_cell():
    """On Colab only the notebook is present: it installs the package, and d2l without Jupyter, which is there."""
    d2l = (ROOT / "requirements-d2l.txt").read_text("utf8").splitlines()[-1]
    (cell,) = {first_code(path) for name in ("", "chapters/", "pages/") for path in ROOT.glob(f"{name}*.ipynb")}
    installed = re.findall(r"^    %pip install --quiet (.*)$", cell, re.MULTILINE)
    assert installed == [f"git+{set_url.configured_address()}@{BRANCH}", f"--no-deps {d2l}"]


def test_d2l_requirements_pin_no_package():
    """Newer releases require NumPy of 2023, so that `pip install` fails on Python 3.12."""
    needs = importlib.metadata.requires("d2l") if importlib.util.find_spec("d2l") else pytest.skip("needs d2l")
    assert needs and not [each for each in needs if "==" in each]


def first_code(path):
    return next(cell.source for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code")


@pytest.mark.parametrize("files", [[], ["lib/others.py"], ["lib.py"], ["lib/__init__.py", "lib/weights.py"]])
def test_colab_cell_installs_package_if_missing(tmp_path, files):
    """A different package called lib must not prevent the installation, and must not stay imported."""
    words = "    print('fetched', 'lib' in sys.modules)"
    cell = re.sub(r"^    %pip .*", words, first_code(ROOT / "intro.ipynb"), flags=re.MULTILINE)
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "-S", "-c", cell]  # without installed packages
    done = subprocess.run(command, cwd=tmp_path, env=alone, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ("" if "lib/weights.py" in files else "fetched False\nfetched False\n")


@pytest.fixture
def copy_of_course(tmp_path, monkeypatch):
    for path in set_url.course_files():
        target = tmp_path / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, target)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    monkeypatch.setattr(set_url, "ROOT", tmp_path)
    return tmp_path


def test_set_url_changes_every_file(copy_of_course):
    old = set_url.configured_address().removeprefix("https://github.com/")
    set_url.set_address("https://github.com/someone/somewhere.git")
    assert set_url.configured_address() == "https://github.com/someone/somewhere"
    assert [path for path in set_url.course_files() if old in path.read_text("utf8")] == []
    readme = (copy_of_course / "README.md").read_text("utf8")
    assert "git clone https://github.com/someone/somewhere\ncd somewhere\n" in readme


@pytest.mark.parametrize("address", ["", "https://gitlab.com/a/b", "https://github.com/a"])
def test_unlaunchable_url_is_rejected(address):
    with pytest.raises(ValueError, match="expected https://github.com/owner/name"):
        set_url.set_address(address)


def test_malformed_url_keeps_figure_working(site, page):
    page.goto(f"{site}/chapters/01_nadaraya_watson.html#regression=%")
    page.locator('[data-address="regression"][data-state]').wait_for()
