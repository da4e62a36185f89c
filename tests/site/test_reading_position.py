"""Orientation in a long chapter: its figure, its code, the current section, the margin notes."""

import re

import pytest
from playwright.sync_api import expect

from tests.pages import FAR, open_ready, until

LONG = "chapters/01_nadaraya_watson"


# Wait until the intersection observers have been called.
OBSERVED = """() => new Promise((done) => {
  const told = () => setTimeout(done);
  new IntersectionObserver(told).observe(document.querySelector(".opening"));
})"""


def assert_dragged_figure_moves_after_release(page):
    at_head = page.locator(".opening .regression-figure")
    at_head.locator(".pill-label").hover()
    page.mouse.down()
    page.evaluate("document.querySelector('#bias-and-variance').scrollIntoView()")
    page.wait_for_function("document.querySelector('.opening').getBoundingClientRect().bottom < 0")
    page.evaluate(OBSERVED)
    assert at_head.count() == 1, "the figure moved during a drag"
    page.mouse.up()
    page.locator("#move-it .regression-figure").wait_for(state="attached")


def test_opening_figure_moves_and_keeps_state(site, page):
    """Moving a chapter's figure by scrolling, keyboard, link and Back never moves the text."""
    open_ready(page, f"{site}/{LONG}.html")
    figure, at_head = page.locator(".regression-figure").first, page.locator(".opening .regression-figure")
    at_head.wait_for()
    figure.locator(".pill").press("ArrowRight")
    state = figure.get_attribute("data-state")
    height = lambda: page.evaluate("document.querySelector('article').offsetHeight")
    before, in_the_text = height(), page.locator("#move-it .regression-figure")
    for move, there in [
        (page.locator(".opening > p a").click, in_the_text),
        (lambda: page.evaluate("scrollTo(0, 0)"), at_head),
        (lambda: page.evaluate("dispatchEvent(new Event('beforeprint'))"), in_the_text),
        (lambda: page.evaluate("dispatchEvent(new Event('afterprint'))"), at_head),
    ]:
        move()
        there.wait_for()
        assert figure.get_attribute("data-state") == state and height() == pytest.approx(before, abs=2)
        assert page.evaluate("document.activeElement.matches('.pill, body')")
    assert_dragged_figure_moves_after_release(page)


def assert_chapter_header_is_one_row(page):
    for width in (1366, 1280, 992, 600, 375):
        page.set_viewport_size({"width": width, "height": 700})
        assert page.locator(".chapter-head").bounding_box()["height"] < 48, width
        assert re.match(r"1964 · \d\d min\b", page.locator(".chapter-card > summary").inner_text())


@pytest.mark.variant
def test_code_switch_shows_all_and_persists(site, page):
    open_ready(page, f"{site}/{LONG}.html")
    opened = "details.hide[open]"
    assert page.locator(opened).count() == 0
    switch = page.locator(".code-switch")
    switch.focus()
    page.keyboard.press("Enter")
    expect(switch).to_have_text("Hide code")
    assert page.locator(opened).count() > 20
    assert page.locator(f".tag_solution > {opened}").count() == 0, "a solution is visible"
    open_ready(page, f"{site}/chapters/02_bilateral.html")
    assert page.locator(opened).count() > 20
    page.locator(".code-switch").click()
    assert page.locator(opened).count() == 0
    page.reload()
    assert page.locator(opened).count() == 0


@pytest.mark.variant
def test_minutes_left_and_contents_follow_scrolling(site, page):
    open_ready(page, f"{site}/{LONG}.html")
    left = page.locator(".minutes-left")
    expect(left).to_have_text(re.compile(r"^(24|25) min left$"))
    page.locator("#bias-and-variance").evaluate("(section) => section.scrollIntoView()")
    expect(left).to_have_text(re.compile(r"^([5-9]|1\d) min left$"))
    page.locator("#further-many-dimensions").evaluate("(section) => section.scrollIntoView()")
    expect(left).to_have_text("further")
    sections, here = page.locator("#sections"), page.locator("#sections a[aria-current]")
    for goal in ("recap", "the-idea"):
        page.locator("[popovertarget=sections]").click()
        sections.locator(f'a[href="#{goal}"]').click()
        expect(sections).to_be_hidden()
        expect(here).to_have_attribute("href", f"#{goal}")
        page.locator("#the-equation").evaluate("(section) => section.scrollIntoView()")
        expect(here).to_have_attribute("href", "#the-equation")
    page.set_viewport_size({"width": 375, "height": 700})
    last = page.locator(".bd-header-article button:visible").last
    expect(last).to_be_in_viewport(ratio=1)
    assert_chapter_header_is_one_row(page)


def test_off_screen_sections_are_laid_out_eventually(site, page):
    """Off-screen sections are not laid out during loading; they get their final height once the page is idle."""
    page.goto(f"{site}/{LONG}.html", wait_until="commit")
    page.locator("p.thread").wait_for()
    assert page.evaluate("document.documentElement.classList.contains('from-the-top')")
    until(lambda: page.evaluate(FAR) == 0, page)
    assert page.evaluate(FAR) == 0
    assert page.locator("section.laid-out").count() > 8

    place = "#equation-eq-kernels"
    page.goto("about:blank")
    page.goto(f"{site}/{LONG}.html{place}")
    assert page.evaluate(FAR) == 0
    top = page.locator(place).evaluate("(goal) => goal.getBoundingClientRect().top")
    assert 0 <= top < 200


def test_lists_open_without_scripts(site, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site}/{LONG}.html")
    for name, entry in (("pages", "2. The bilateral filter"), ("sections", "Recap")):
        link = page.locator(f"#{name}").get_by_role("link", name=entry, exact=True)
        expect(link).to_be_hidden()
        page.locator(f"[popovertarget={name}]").first.click()
        expect(link).to_be_visible()
        page.keyboard.press("Escape")
    context.close()


def test_margin_notes_have_marks_in_the_text(site, new_page):
    page = new_page(viewport={"width": 1920, "height": 900})
    page.goto(f"{site}/chapters/05_unified_kernel.html")
    note = page.locator("p > small").first
    mark = note.locator("xpath=preceding-sibling::*[1]")
    assert mark.get_attribute("class") == "note-mark" and mark.is_visible()
    assert note.bounding_box()["x"] > mark.bounding_box()["x"] + 100


def test_empty_table_headers_are_hidden(site, page):
    page.goto(f"{site}/teaching/guide_01.html")
    assert page.locator("thead:visible").evaluate_all("(all) => all.every((head) => head.textContent.trim())")
