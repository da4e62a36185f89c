"""The sliders below a figure on a page: fingers, typed numbers; and the figure after Back and Forward."""

import pytest

from tests.gestures import middle, said, scroll, state, swipe
from tests.pages import open_ready, until

CHAPTER, FIGURE = "chapters/01_nadaraya_watson", "[data-address=regression]"
PANEL = f".live-panel:has({FIGURE})"
SLIDER = f"{PANEL} .bandwidth"
LINK = "location.hash = 'regression=bandwidth:0.2'"


def bandwidth(page):
    return state(page, FIGURE)["bandwidth"]


def assert_vertical_swipe_scrolls_page(phone, part):
    phone.locator(part).evaluate("slider => slider.scrollIntoView({ block: 'center' })")
    before = state(phone, FIGURE)
    assert scroll(phone, *middle(phone, part), right=3, down=-120) > 50
    assert state(phone, FIGURE) == before


def assert_finger_drags_handle_and_taps_track(phone):
    phone.locator(SLIDER).scroll_into_view_if_needed()
    top = phone.evaluate("scrollY")
    swipe(phone, *middle(phone, f"{SLIDER} .noUi-handle"), right=100, down=8)  # beyond the middle
    until(lambda: bandwidth(phone) > 2.5, phone)
    assert bandwidth(phone) > 2.5 and phone.evaluate("scrollY") == top
    phone.touchscreen.tap(*middle(phone, f"{SLIDER} .noUi-base"))
    until(lambda: 1.6 < bandwidth(phone) < 1.9, phone)
    assert 1.6 < bandwidth(phone) < 1.9, "the middle of 0.01 to 3.5"


def assert_finger_lifts_point(phone):
    point = phone.locator(f"{FIGURE} .hits circle").nth(20)
    point.evaluate("point => point.scrollIntoView({ block: 'center' })")
    height, top = float(point.get_attribute("cy")), phone.evaluate("scrollY")
    box = point.bounding_box()
    swipe(phone, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, right=0, down=-40)
    assert float(point.get_attribute("cy")) == pytest.approx(height - 40, abs=2)
    assert phone.evaluate("scrollY") == top


def test_finger_moves_figure_or_scrolls_page(site, phone):
    open_ready(phone, f"{site}/{CHAPTER}.html")
    for part in (f"{SLIDER} .noUi-base", f"{SLIDER} .noUi-handle", f"{FIGURE} .lf-scrubber"):
        assert_vertical_swipe_scrolls_page(phone, part)
    assert_finger_drags_handle_and_taps_track(phone)
    assert_finger_lifts_point(phone)


TYPED = [
    ("0,3", 0.3, ""),
    ("1.5h", 0.3, "“1.5h” is not a number"),
    ("−1", 0.01, ""),
    ("", 0.01, "“” is not a number"),
]


def assert_typed_number_accepts_point_or_comma(page):
    field = page.locator(f"{SLIDER} .widget-readout")
    for text, value, words in TYPED:
        field.fill(text)
        field.press("Enter")
        note = page.locator(f"{PANEL} .lf-rejected")
        assert (bandwidth(page), float(field.inner_text())) == (value, value), text
        assert (said(page, f"{PANEL} .lf-rejected") if note.count() else "") == words
    field.fill("2,25")
    field.blur()
    until(lambda: bandwidth(page) == 2.25, page)
    assert bandwidth(page) == 2.25 and page.locator(".lf-rejected").count() == 0


def test_history_and_typed_numbers_set_figure(site, page):
    open_ready(page, f"{site}/{CHAPTER}.html")
    default = bandwidth(page)

    def goes_to(move, value):
        move()
        until(lambda: bandwidth(page) == value, page)
        assert bandwidth(page) == value
        # Wait until the page has updated the history entry, which would cancel a navigation that has begun.
        page.evaluate("new Promise((resolve) => setTimeout(() => setTimeout(resolve)))")

    goes_to(lambda: page.evaluate(LINK), 0.2)
    goes_to(lambda: page.evaluate("location.hash = 'the-code'"), 0.2)  # a section's link changes no figure
    goes_to(page.go_back, 0.2)
    goes_to(page.go_back, default)
    goes_to(page.go_forward, 0.2)
    assert_typed_number_accepts_point_or_comma(page)
