"""The decks are built from the chapters' own cells, with notes, timing and live figures."""

import re
from html import unescape

import nbformat
import pytest
from playwright.sync_api import expect

from tests.axe import run_axe
from tests.conftest import CHAPTERS
from tests.gestures import drag, state
from tests.pictures import smallest_word


def slides_of(path, deck="minutes"):
    cells = nbformat.read(path, as_version=4).cells
    return [cell for cell in cells if "slide" in cell.metadata.get("tags", []) and deck in cell.metadata["slide"]]


WITH_LONG = [path for path in CHAPTERS if slides_of(path, "long")]
DECKS = [(path, "minutes") for path in CHAPTERS] + [(path, "long") for path in WITH_LONG]


def address(path, deck):
    return f"slides/{path.stem[:2]}{'-long' * (deck == 'long')}.html"


@pytest.mark.parametrize("path, deck", DECKS, ids=lambda one: getattr(one, "stem", one))
def test_deck_has_its_cells_timing_and_link(path, deck, built_site):
    page = (built_site / address(path, deck)).read_text("utf8")
    cells = slides_of(path, deck)
    least, most = {"minutes": (8, 12), "long": (45, 60)}[deck]
    assert least <= sum(cell.metadata["slide"][deck] for cell in cells) <= most
    for cell in cells:
        assert len(cell.metadata["slide"]["notes"].split()) > 4
        seconds = round(60 * cell.metadata["slide"][deck])
        assert f'<section data-timing="{seconds}" class="slide-{cell.id}" aria-label=' in page
    assert "<details" not in page, "nobody unfolds a slide"
    assert page.count("<section data-timing") == page.count('<aside class="notes">') == len(cells)
    figures = [cell for cell in cells if re.search(r"^\w+_figure\(", cell.source, re.MULTILINE)]
    assert page.count("application/vnd.jupyter.widget-view+json") == len(figures) > 0
    linked = {"minutes": f"chapters/{path.stem}.html", "long": "teaching/index.html"}[deck]
    assert f'href="../{address(path, deck)}"' in (built_site / linked).read_text("utf8")
    if deck == "long":  # it extends the short deck
        assert {cell.id for cell in slides_of(path)} < {cell.id for cell in cells}
        short = unescape((built_site / address(path, "minutes")).read_text("utf8"))
        for cell in slides_of(path):
            assert cell.metadata["slide"]["more"] in unescape(page) and cell.metadata["slide"]["more"] not in short


def test_slides_have_notes_timer_and_live_figures(site, page):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{site}/slides/01.html")
    page.wait_for_selector(".reveal.ready")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.locator(".slide-equation mjx-container").count()
    current = lambda: page.evaluate("Reveal.getIndices().h")
    settings = [cell.metadata["slide"] for cell in slides_of(CHAPTERS[0])]
    with page.context.expect_page() as opened:
        page.keyboard.press("s")
    notes = opened.value
    expect(notes.locator(".notes-text")).to_have_text(settings[0]["notes"])
    page.keyboard.press("ArrowRight")
    expect(notes.locator(".notes-text")).to_have_text(settings[1]["notes"])
    end = round(60 * (settings[0]["minutes"] + settings[1]["minutes"]))
    expect(notes.locator(".notes-time")).to_contain_text(f"Slide 2 of {len(settings)}")
    expect(notes.locator(".notes-time")).to_contain_text(f"ends at {end // 60}:{end % 60:02}")
    notes.keyboard.press("ArrowRight")  # slides are advanced from the speaker window
    expect(notes.locator(".notes-text")).to_have_text(settings[2]["notes"])
    assert current() == 2
    notes.close()
    names = [cell.id for cell in slides_of(CHAPTERS[0])]
    page.evaluate(f"Reveal.slide({names.index('live-figure')})")
    page.wait_for_selector(".present .regression-figure[data-state]")
    drag(page, ".present .pill", 100)
    after = state(page, ".present .regression-figure")
    assert after["query"] > 2
    box = page.locator(".present .regression-figure .canvas").bounding_box()
    line = page.locator(".present .query-line").bounding_box()
    left, both = 1.25 * 44, 1.25 * 58  # the margins, enlarged
    assert line["x"] == pytest.approx(box["x"] + left + (after["query"] + 1) / 7 * (box["width"] - both), abs=8)
    page.locator(".present .regression-figure .query-handle").focus()
    page.keyboard.press("ArrowRight")
    assert state(page, ".present .regression-figure")["query"] == pytest.approx(after["query"] + 0.01)
    assert current() == names.index("live-figure"), "the arrow keys belong to the figure"
    page.locator(".way-back").click()
    assert re.search(r"/chapters/01_nadaraya_watson\.html", page.url)


def test_deck_has_headings_and_landmarks(site, page):
    page.goto(f"{site}/slides/01.html")
    page.wait_for_selector(".reveal.ready")
    assert page.locator("main").get_attribute("role") is None  # Reveal says "application"
    assert page.locator("main h1:visible").count() == 1
    assert run_axe(page) == []
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("region", name="The idea").get_by_role("heading", level=2)).to_have_text("The idea")


MEASURED = """() => {
  const deck = document.querySelector(".slides"), slide = deck.querySelector("section.present");
  const seen = (word) => word.checkVisibility({ visibilityProperty: true }) && word.getClientRects().length;
  const says = (word) => word.matches("select")
    || [...word.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  const content = slide.querySelectorAll(":not(option, style, mjx-container *, .notes, svg[aria-hidden] *)");
  const words = [...content, ...document.querySelectorAll(".way-back, .slide-number a")]
    .filter((word) => seen(word) && says(word) && word.getBoundingClientRect().width > 2);
  const pixels = (word) => {
    const panel = word.closest(".live-panel"), font = parseFloat(getComputedStyle(word).fontSize);
    return panel ? (font * panel.getBoundingClientRect().width) / panel.offsetWidth : font;
  };
  const boxes = words.filter((word) => word.closest(".live-panel")).map((word) => {
    const range = document.createRange();
    range.selectNodeContents(word);
    return [word, range.getBoundingClientRect()];
  });
  const meet = (a, b) => [Math.min(a.right, b.right) - Math.max(a.left, b.left),
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
  return {
    over: [deck.scrollHeight - deck.clientHeight, slide.scrollWidth - slide.clientWidth],
    small: words.filter((word) => pixels(word) < 19.9).map((word) => word.textContent), // a panel has whole pixels
    outside: boxes.filter(([, a]) => Math.min(a.left, a.top, innerWidth - a.right, innerHeight - a.bottom) < -1)
      .map(([word]) => word.textContent),
    cut: words.filter((word) => word.matches(".widget-label, .widget-readout"))
      .filter((word) => word.scrollWidth > word.clientWidth + 1).map((word) => word.textContent),
    touching: boxes.flatMap(([word, a], i) => boxes.slice(i + 1).flatMap(([other, b]) => {
      const [across, down] = meet(a, b);
      const paragraph = word.closest("p, label");
      const isOneText = word.contains(other) || (paragraph && paragraph === other.closest("p, label"));
      return isOneText || across <= 2 || down <= 4 ? [] : [`${word.textContent} | ${other.textContent}`];
    })),
    plots: [...slide.querySelectorAll("img.plot")].filter(seen)
      .map((plot) => [plot.src.split("/").pop(), plot.clientWidth, plot.clientHeight]),
  };
}"""


IN_TEST_ALL = [pytest.param(path, marks=pytest.mark.long) for path in CHAPTERS[2:]]  # the decks look alike


@pytest.mark.parametrize("path", [*CHAPTERS[:2], *IN_TEST_ALL], ids=lambda path: path.stem)
def test_slides_do_not_overflow_and_are_legible(path, site, built_site, new_page):
    deck = "long" if path in WITH_LONG else "minutes"  # the long deck contains the short one
    page = new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
    page.goto(f"{site}/{address(path, deck)}")
    page.locator(".reveal.ready").wait_for()
    for number, cell in enumerate(slides_of(path, deck)):
        page.evaluate(f"Reveal.slide({number})")
        if page.locator(".present .live-panel").count():
            page.locator(".present .live-figure[data-state]").wait_for()
        measured = page.evaluate(MEASURED)
        assert max(measured["over"]) <= 0, cell.id
        for fault in ("small", "outside", "cut", "touching"):
            assert measured[fault] == [], f"{fault}: {cell.id}"
        for file, width, height in measured["plots"]:
            assert smallest_word(built_site / "_images" / file, width, height) >= 16, cell.id
