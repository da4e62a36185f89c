"""The front page, its map of the chapters, and what a link to a page shows elsewhere."""

import re
from html import unescape

import nbformat
import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from lib import language_model
from lib.constants import PALETTE
from lib.figures.language_model import SENTENCE
from tests.conftest import ROOT
from tests.gestures import touching
from tests.pages import NUMBERED, PAGES, wait_for_files
from tools.build.addresses import pages_address, repository_address
from tools.edition import set_url

ROW = re.compile(
    r"^\| (\d) \| \[([^\]]+)\]\(([^)]+)\.ipynb\) \| (\d{4}) \| ([^|]+) \| (\d+) \|([^|]*)\| "
    r"!\[([^\]]+)\]\(([^)]+)\) \|$",
    re.MULTILINE,
)


def words_of(name):
    cells = nbformat.read(ROOT / f"{name}.ipynb", as_version=4).cells
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")


@pytest.fixture(scope="module")
def rows():
    return ROW.findall(words_of("intro"))


def test_map_has_every_chapter_in_order_and_says_what_it_says_of_itself(rows):
    assert [name for _, _, name, *_ in rows] == NUMBERED
    for number, title, name, _, _, minutes, after, *_ in rows:
        words = words_of(name)
        assert words.startswith(f"# {number}. {title}\n")
        assert f"\n| **Time** | core {minutes} minutes," in words, name
        before = re.search(r"\n\| \*\*You need\*\* \|.*chapters? ([\d, and]+)", words)
        assert set(re.findall(r"\d", before[1] if before else "")) <= set(re.findall(r"\d", after)), name


@pytest.mark.parametrize("name", [name for name in PAGES if name != "genindex"])  # Sphinx writes that one
def test_a_link_to_a_page_shows_its_title_words_and_the_picture(built_site, name):
    page = (built_site / f"{name}.html").read_text("utf8")
    tags = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)"', page)
    found = {name: unescape(content) for name, content in tags}
    pages = pages_address(repository_address(set_url.configured_address()))
    assert found["og:url"] == f"{pages}{name}.html"
    own = f"card-{name.rpartition('/')[2]}.png" if re.search(r"/\d\d_", name) else "card.png"
    assert found["og:image"] == f"{pages}_static/{own}"
    assert found["og:title"] and "<" not in found["og:title"]
    assert len(found["og:description"]) <= 200


def test_pictures_have_the_size_that_networks_ask_for(built_site, rows):
    paths = list((built_site / "_static").glob("card*.png"))
    assert len(paths) == len(rows) + 1
    for path in paths:
        with Image.open(path) as picture:
            assert picture.size == (1200, 630)
        assert path.stat().st_size < 300_000


PICTURE = "img[src*='live-one-query']"


def test_front_page_without_scripts_shows_the_picture_and_nothing_over_it(site, browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/intro.html")
    parts = ("article h1", PICTURE, "p:has-text('All six are')")
    boxes = [page.locator(part).first.bounding_box() for part in parts]
    context.close()
    svg = (ROOT / "figures" / "live-one-query.svg").read_text("utf8")
    width, height = map(float, re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', svg).groups())
    assert boxes[1]["width"] > 900
    assert boxes[1]["height"] / boxes[1]["width"] == pytest.approx(height / width, rel=0.01), "its own proportions"
    assert all(above["y"] + above["height"] <= below["y"] for above, below in zip(boxes, boxes[1:], strict=False))


MOVED = """() => new Promise((resolve) => {
  const ofFigure = (entry) => entry.sources.some(({ node }) => node?.closest?.(".live-panel"));
  const sum = (entries) => entries.filter(ofFigure).reduce((total, entry) => total + entry.value, 0);
  new PerformanceObserver((list) => resolve(sum(list.getEntries())))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => resolve(0), 500);
})"""


def opened(page, site):
    """Open the front page, where nothing moves when the figure takes the place of its picture."""
    page.goto(f"{site}/intro.html")
    page.wait_for_selector(".one-query-figure[data-state]")
    assert len(page.locator(PICTURE).get_attribute("alt").split()) > 20
    assert page.locator(PICTURE).is_hidden()
    wait_for_files(page)
    assert page.evaluate(MOVED) < 0.02


def test_on_a_desk_chapters_stand_side_by_side_each_with_its_picture_by_day_and_by_night(rows, site, page):
    assert [path for *_, path in rows] == [f"figures/chapter-{number}.svg" for number, *_ in rows]
    assert len({alt for *_, alt, _ in rows}) == len(rows)
    opened(page, site)
    for mode in ("light", "dark"):
        page.emulate_media(color_scheme=mode)
        page.wait_for_selector(f"html[data-theme={mode}]", state="attached")
        shown = page.locator("#the-chapters svg[role=img]:visible").all()
        assert [image.get_attribute("aria-label") for image in shown] == [alt for *_, alt, _ in rows]
        drawn_in = [image.evaluate("one => getComputedStyle(one).fill") for image in shown]
        color = tuple(bytes.fromhex(PALETTE[mode]["weight"].removeprefix("#")))
        assert set(drawn_in) == {f"rgb{color}"}
    first, second = (page.locator("#the-chapters svg:visible").nth(k).bounding_box() for k in (0, 1))
    assert first["y"] == second["y"] and first["x"] + first["width"] < second["x"]


def test_the_row_of_chapters_says_what_the_table_says(rows):
    item = re.compile(r"^- \[!\[\]\((\S+)\) \*(\d+) · (\d{4})\* \*\*(.+)\*\*\]\((\S+)\.ipynb\)$", re.MULTILINE)
    expected = [(path, number, year, title, name) for number, title, name, year, *_, path in rows]
    assert item.findall(words_of("intro")) == expected


@pytest.mark.parametrize("width, columns", [(1366, 9), (375, 3)])
def test_the_row_of_chapters_lies_right_under_the_figure(rows, site, new_page, width, columns):
    page = new_page(viewport={"width": width, "height": 641}, reduced_motion="reduce")
    opened(page, site)
    links = page.locator(".row-of-chapters a")
    assert links.all_inner_texts() == [f"{number} · {year}\n{title}" for number, title, _, year, *_ in rows]
    assert [link.get_attribute("href") for link in links.all()] == [f"{name}.html" for _, _, name, *_ in rows]
    assert page.locator(".row-of-chapters svg[aria-hidden]").count() == len(rows)
    boxes = [link.bounding_box() for link in links.all()]
    assert len({box["x"] for box in boxes}) == columns and len({box["y"] for box in boxes}) == len(rows) / columns
    below = lambda place: page.locator(place).evaluate("(one) => one.getBoundingClientRect().bottom")
    assert 0 < page.locator(".row-of-chapters > p").bounding_box()["y"] - below(".live-panel") < 90
    assert boxes[0]["y"] < below(".live-panel") + 170


def test_a_chapter_has_one_year(rows, built_site):
    for _, _, name, year, *_ in rows:
        assert f'class="chapter-card"><summary>{year} · ' in (built_site / f"{name}.html").read_text("utf8")


def test_what_it_is_where_to_start_and_the_copies_fit_one_screen(site, new_page):
    page = new_page(viewport={"width": 1366, "height": 641})  # of a laptop with 1366 × 768
    opened(page, site)
    start = page.get_by_role("link", name="Start chapter 1")
    for_attention = page.get_by_role("link", name="6", exact=True)
    figure = [page.locator(part) for part in (".lf-play", "canvas.performer")]
    seen = [page.locator("article h1"), start, for_attention, *figure]
    page.locator(".veil").nth(2).click()
    verdict = page.locator(".verdict")
    expect(verdict).to_contain_text("is nearest")
    for box in (each.bounding_box() for each in [*seen, verdict]):
        assert 0 <= box["y"] and box["y"] + box["height"] <= 641
    assert start.get_attribute("href").endswith("chapters/01_nadaraya_watson.html")
    for width in (1366, 1280, 1180):
        page.set_viewport_size({"width": width, "height": 641})
        wait_for_files(page)
        beside = page.locator("li:has-text('You need derivatives')").bounding_box()
        titles = page.locator(".one-query-figure .title").evaluate_all(
            "(all) => all.map((one) => one.getBoundingClientRect().top).sort((a, b) => a - b)"
        )
        assert beside["y"] + beside["height"] <= titles[1], width  # the first is the photograph's, at the left


def test_on_a_phone_title_photograph_and_verdict_fit_one_screen_and_no_titles_collide(site, new_page):
    page = new_page(viewport={"width": 375, "height": 667}, reduced_motion="reduce")
    opened(page, site)
    assert page.locator("article h1").bounding_box()["height"] < 80, "two lines"
    for part in ("article h1", "li:has-text('Here for attention')", "canvas.photo", ".lf-play", ".verdict"):
        box = page.locator(part).bounding_box()
        assert 0 <= box["y"] and box["y"] + box["height"] <= 667, part
    titles = page.locator(".one-query-figure .title")
    for width in (375, 720):  # 720 pixels are a screen of 1440 at 200 %
        page.set_viewport_size({"width": width, "height": 640})
        wait_for_files(page)
        assert titles.count() == 7 and touching(page, ".one-query-figure .title") == []
        assert all(box["x"] + box["width"] <= width for box in (title.bounding_box() for title in titles.all()))


def test_a_word_under_the_pointer_shades_those_that_the_head_looks_at(site, page):
    model = language_model.load()
    tokens = model.encode(SENTENCE)
    weights = model.run(tokens).weights[0, 1]
    page.goto(f"{site}/intro.html")
    words = page.locator("p.words span")
    assert words.all_text_contents() == [model.decode([token]) for token in tokens]
    shares = "all => all.map((one) => parseFloat(one.style.getPropertyValue('--share')))"
    page.locator("p.words .query").wait_for()
    for query, look in [(-1, None), (4, words.nth(4).hover), (-1, lambda: page.mouse.move(5, 5))]:
        if look:
            look()
        assert page.locator("p.words .query").count() == 1
        np.testing.assert_allclose(words.evaluate_all(shares), 100 * weights[query], atol=0.5)
