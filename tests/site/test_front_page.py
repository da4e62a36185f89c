"""The front page, its map of the chapters, and what a link to a page shows elsewhere."""

import re
from html import unescape

import nbformat
import pytest
import set_repository
from conftest import ROOT
from pages import CHAPTERS, PAGES
from PIL import Image

ROW = re.compile(
    r"^\| (\d) \| \[([^\]]+)\]\(([^)]+)\.ipynb\) \| (\d{4}) \| ([^|]+) \| (\d+) \|([^|]*)\|$", re.MULTILINE
)


def words_of(name):
    cells = nbformat.read(ROOT / f"{name}.ipynb", as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


def card(name, row):
    """What the card at the top of a chapter says."""
    return re.search(rf"^\| {re.escape(row)} \| (.*) \|$", words_of(name), re.MULTILINE)[1]


@pytest.fixture(scope="module")
def rows():
    return ROW.findall(words_of("intro"))


def test_map_has_every_chapter_in_order(rows):
    numbered = [name for name in CHAPTERS if re.search(r"/\d\d_", name)]
    assert [name for _, _, name, *_ in rows] == numbered
    assert [int(number) for number, *_ in rows] == list(range(1, len(numbered) + 1))


def test_map_says_what_the_chapters_say_of_themselves(rows):
    for number, title, name, _, _, minutes, after in rows:
        assert words_of(name).startswith(f"# {number}. {title}\n")
        assert card(name, "**Time**").startswith(f"core {minutes} minutes,"), name
        before = re.search(r"chapters? ([\d, and]+)", card(name, "**You need**"))
        assert set(re.findall(r"\d", before[1] if before else "")) <= set(re.findall(r"\d", after)), name


def properties(page):
    tags = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', page)
    return {name: unescape(content) for name, content in tags}


@pytest.mark.parametrize("name", [name for name in PAGES if name != "genindex"])  # Sphinx writes that one
def test_a_link_to_a_page_shows_its_title_words_and_the_picture(built_site, name):
    found = properties((built_site / f"{name}.html").read_text("utf8"))
    owner, repository = set_repository.configured_address().removeprefix("https://github.com/").split("/")
    pages = f"https://{owner.lower()}.github.io/{repository}/"
    assert found["og:url"] == f"{pages}{name}.html"
    assert found["og:image"] == f"{pages}_static/card.png"
    assert found["og:title"] and "<" not in found["og:title"]
    assert len(found["og:description"]) <= 200


def test_front_page_describes_itself(built_site):
    found = properties((built_site / "intro.html").read_text("utf8"))
    assert found["og:title"] == "From kernel regression to attention"
    assert found["og:description"].startswith("Clean a noisy pixel")
    assert found["og:type"] == "website"


def test_picture_has_the_size_that_networks_ask_for(built_site):
    path = built_site / "_static" / "card.png"
    with Image.open(path) as picture:
        assert picture.size == (1200, 630)
    assert path.stat().st_size < 300_000


PICTURE = "img[src*='live-one-query']"


def test_front_page_has_a_picture_until_the_figure_is_drawn(site, new_page):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{site}/intro.html")
    page.wait_for_selector(".hero-figure[data-state]")
    assert len(page.locator(PICTURE).get_attribute("alt").split()) > 20
    assert page.locator(PICTURE).is_hidden()


def test_front_page_without_scripts_shows_the_picture_and_nothing_over_it(site, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/intro.html")
    boxes = [
        page.locator(part).first.bounding_box() for part in ("article h1", PICTURE, "p:has-text('All six are')")
    ]
    context.close()
    assert boxes[1]["width"] > 700 and boxes[1]["height"] > 450
    for above, below in zip(boxes, boxes[1:], strict=False):
        assert above["y"] + above["height"] <= below["y"]


@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_moves_when_the_figure_takes_the_place_of_its_picture(width, site, new_page):
    page = new_page(viewport={"width": width, "height": 800})
    page.goto(f"{site}/intro.html")
    page.wait_for_selector(".hero-figure[data-state]")
    page.wait_for_load_state("networkidle")
    moved = page.evaluate("""() => new Promise((resolve) => {
      const ofFigure = (entry) => entry.sources.some(({ node }) => node?.closest?.(".live-panel"));
      const sum = (entries) => entries.filter(ofFigure).reduce((total, entry) => total + entry.value, 0);
      new PerformanceObserver((list) => resolve(sum(list.getEntries())))
        .observe({ type: "layout-shift", buffered: true });
      setTimeout(() => resolve(0), 500);
    })""")
    assert moved < 0.05


def test_thesis_and_figure_fit_one_screen(site, new_page):
    page = new_page(viewport={"width": 1280, "height": 800})
    page.goto(f"{site}/intro.html")
    page.wait_for_selector(".hero-figure[data-state]")
    bottom = max(
        page.locator(".hero-figure .number").all(), key=lambda each: each.bounding_box()["y"]
    ).bounding_box()
    assert bottom["y"] + bottom["height"] < 800
