"""A chapter when it is opened, on a desktop and, from disk, on a phone.

Loading a chapter is slow, so each test checks everything it can on its page.
"""

import re

import nbformat
import pytest

from tests.conftest import ROOT
from tests.figures.on_page import HEADER, LEAVE_FIGURES, assert_figures_are_right_on_their_page
from tests.pages import (
    CHAPTERS,
    LAYOUT_SHIFT,
    NUMBERED,
    guide_links,
    is_narrow,
    mark_variants,
    open_ready,
    wait_for_files,
)
from tests.pictures import smallest_word
from tests.site.both_modes import UNFOLD, assert_nothing_is_cut, assert_right_in_both_modes, open_light

PHONE = {"viewport": {"width": 375, "height": 700}, "has_touch": True, "is_mobile": True}
SMALLEST_FONT = 11  # pixels on a phone
KEPT = '(room) => parseFloat(getComputedStyle(room).getPropertyValue(innerWidth > 640 ? "--wide" : "--narrow"))'


DRAWN_HERE = "#the-idea .drawn-here"  # a figure that stays at its own cell, in the first section


def assert_room_was_kept(page, place=".opening"):
    """If this fails, run `make pictures`."""
    opening = page.locator(place)
    opening.locator(".live-figure").wait_for()
    room = opening.evaluate("(one) => parseFloat(getComputedStyle(one).gridTemplateRows)")
    assert room == pytest.approx(opening.evaluate(KEPT), abs=40)


def assert_it_opens_with_its_idea_and_its_figure(page, name):
    """The card, the legend and the set-up are collapsed. The figure is within one and a half screens."""
    top = lambda place: page.locator(place).evaluate("(one) => one.getBoundingClientRect().top")
    assert top("#the-idea > h2") < 400
    assert page.evaluate(LAYOUT_SHIFT) < 0.02
    if page.locator(DRAWN_HERE).count():
        assert top(DRAWN_HERE) < 700 and page.locator(".opening").count() == 0
        assert_room_was_kept(page, DRAWN_HERE)
    else:
        assert_room_was_kept(page)
        assert not page.locator(".opening img").is_visible()
        assert top(".opening") < 700
    card = page.locator("details.chapter-card")
    assert not card.locator("table").is_visible()
    card.locator("> summary").click()
    assert card.locator("table").is_visible() and card.locator(".roles").is_visible()
    if page.locator(DRAWN_HERE).count():
        return
    page.locator(".opening > p a").click()
    section = page.locator(page.evaluate("location.hash"))
    section.locator(".live-figure").first.wait_for()


def test_figures_of_own_data_cause_no_layout_shift(built_site, new_page):
    for viewport in ({"width": 1280, "height": 800}, PHONE["viewport"]):
        page = new_page(viewport=viewport)
        open_ready(page, f"{built_site.as_uri()}/pages/your_data.html")
        assert page.evaluate(LAYOUT_SHIFT) < 0.02 and is_narrow(page)
        for section in ("points", "a-photograph", "a-text", "pictures"):
            assert_room_was_kept(page, f"#{section} > h2 ~ .drawn-here")
        page.close()


def explore_links(name):
    cells = nbformat.read(ROOT / f"{name}.ipynb", as_version=4).cells
    (text,) = (cell.source for cell in cells if cell.id == "exercise-3")
    return re.findall(r'<a href="(#[a-z0-9-]+=[^"]+)">', text)


def written_address(page):
    """Return the URL fragment that the figure writes when idle: the setting as it was parsed."""
    page.evaluate(
        "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
    )  # the figure has received the link's setting
    page.wait_for_selector(".lf-sentence[aria-busy]", state="detached")
    return page.evaluate("location.hash")


def assert_links_of_the_explore_exercise_and_the_guide_open_figures(page, name):
    assert {goal for goal, _ in guide_links(name)} == {name} and explore_links(name)
    follow = {setting: None for _, setting in guide_links(name)}
    follow |= {setting: page.locator(f'a[href="{setting}"]') for setting in explore_links(name)}
    for setting, link in follow.items():
        figure = page.locator(f'[data-address="{setting[1:].split("=")[0]}"][data-state]')
        figure.wait_for()
        page.evaluate("history.replaceState(null, '', location.pathname)")
        link.click() if link else page.evaluate("(setting) => { location.hash = setting; }", setting)
        figure.evaluate("(figure) => figure.scrollIntoView()")
        assert set(re.split("[=,]", written_address(page))) == set(re.split("[=,]", setting))


def assert_each_fold_says_what_it_holds(page):
    """The label states the number of lines and the names that they define; a live figure has none."""
    folds = page.locator("details.hide.above-input").evaluate_all("""
      all => all.map((fold) => ["p.collapsed", "pre"].map((part) => fold.querySelector(part).textContent))""")
    assert folds
    for words, code in folds:
        assert int(re.search(r", (\d+) lines?$", words)[1]) == len(code.strip().split("\n")), words
        assert not words.startswith("Show the code,"), "a label names the content of its cell"
        if named := re.match(r"Show the code of (\w+)( and \w+)?,", words):
            assert re.search(rf"^(def|class) {named[1]}\b", code, re.MULTILINE), words
    assert page.locator("div.cell:has(.live-panel) > details").count() == 0


SAMPLED = {NUMBERED[5]}  # the chapter whose first figure stays at its cell


@mark_variants(set(NUMBERED) - SAMPLED, NUMBERED)
def test_chapter_is_right_on_desktop(site, built_site, new_page, name):
    size = {"width": 1280, "height": 900}
    page = new_page(viewport=size, color_scheme="light", reduced_motion="reduce")
    open_light(page, site, built_site, name)
    assert page.locator(".bd-header-article").bounding_box()["height"] <= HEADER
    assert_each_fold_says_what_it_holds(page)
    assert_it_opens_with_its_idea_and_its_figure(page, name)
    assert_each_word_of_each_plot_is_legible(page, built_site, "page")
    assert_right_in_both_modes(page, name)
    page.evaluate(LEAVE_FIGURES)
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(size)
    assert_figures_are_right_on_their_page(page)
    assert_links_of_the_explore_exercise_and_the_guide_open_figures(page, name)


@pytest.mark.parametrize("name", [name for name in CHAPTERS if name not in NUMBERED])
def test_plots_are_legible_at_page_width(built_site, new_page, name):
    """`test_chapter_is_right_on_desktop` checks the chapters."""
    page = new_page(viewport={"width": 1280, "height": 900})
    open_ready(page, (built_site / f"{name}.html").as_uri())
    assert_each_word_of_each_plot_is_legible(page, built_site, "page")


SHOWN = """async () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
  const all = [...document.querySelectorAll("img.plot")];
  const plots = all.filter((plot) => getComputedStyle(plot).display !== "none");
  const laidOut = () => plots.every((plot) => plot.getBoundingClientRect().width);
  while (!laidOut()) await new Promise(requestAnimationFrame);
  return plots.map((plot) => {
    const sources = [...plot.parentElement.querySelectorAll("source")];
    const source = sources.find(({ media }) => matchMedia(media).matches);
    const file = (source?.srcset ?? plot.src).split("/").pop();
    return [file, plot.getBoundingClientRect().width, plot.closest(".tag_picture-first") !== null];
  });
}"""


def assert_each_word_of_each_plot_is_legible(page, built_site, window):
    """A plot before its code has no drawing for a wide page."""
    shown = page.evaluate(SHOWN)
    assert shown
    for file, _, before_its_code in shown:
        kind = "" if before_its_code and window == "page" else f"-{window}"
        assert file.endswith(f"-light{kind}.svg")
    sizes = {file: smallest_word(built_site / "_images" / file, width) for file, width, _ in shown}
    assert {file: size for file, size in sizes.items() if size < SMALLEST_FONT} == {}


def assert_one_drawing_of_six_is_fetched(page, fetched):
    for plot in page.locator("img.plot:visible").all()[:3]:
        plot.scroll_into_view_if_needed()
    wait_for_files(page)
    plots = [address for address in fetched if "-plot" in address]
    assert plots and all(address.endswith("-light-narrow.svg") for address in plots)


@mark_variants(set(CHAPTERS) - set(NUMBERED), CHAPTERS)
def test_chapter_fits_a_phone_and_opens_from_disk(built_site, new_page, name):
    """Wide content would make this browser zoom out."""
    page, fetched = new_page(**PHONE), []
    page.on("request", lambda request: fetched.append(request.url))
    open_ready(page, (built_site / f"{name}.html").as_uri())
    assert is_narrow(page)
    if name in NUMBERED:
        assert_room_was_kept(page, DRAWN_HERE if page.locator(DRAWN_HERE).count() else ".opening")
    assert page.evaluate(LAYOUT_SHIFT) < 0.02
    assert_each_word_of_each_plot_is_legible(page, built_site, "narrow")
    assert_one_drawing_of_six_is_fetched(page, fetched)
    page.evaluate(UNFOLD)
    assert_nothing_is_cut(page)
