"""Checks of a page that the site's tests open: what a first visit loads, and its look in light and dark mode."""

import functools
import gzip
from urllib.parse import unquote, urlsplit

from playwright.sync_api import expect

from tests.pages import (
    CHAPTERS,
    CUT,
    FAR,
    LAYOUT_SHIFT,
    LONE,
    is_narrow,
    open_ready,
    until,
    wait_for_files,
)

PAPER = {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 24, 31)"}
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 375, "height": 700}
WEIGHT_LIMIT = 0.6e6  # bytes over the network, gzipped, for a first visit to a page


@functools.cache
def compressed(path):
    return len(gzip.compress(path.read_bytes()))


SHOWN_PLOTS = """() => [...document.querySelectorAll("img.plot")]
  .map((plot) => [plot.src, getComputedStyle(plot)]).filter(([, style]) => style.display !== "none")
  .map(([source, style]) => [source, style.backgroundColor])"""
WIDE_NUMBERS = """() => [...document.querySelectorAll(".widget-readout")]
  .filter((number) => getComputedStyle(number).clipPath === "none") // others are for screen readers alone
  .filter((number) => number.scrollWidth > number.clientWidth).map((number) => number.textContent)"""
SLIDER_NAMES = """() => [...document.querySelectorAll(".noUi-handle")].map((handle) => [
  handle.getAttribute("aria-label"),
  handle.closest(".widget-slider").querySelector(".widget-label").textContent,
])"""


def assert_sliders_are_named(page):
    expect(page.locator(".noUi-handle[aria-label]")).to_have_count(page.locator(".widget-slider").count())
    assert all(name == label and name.strip() for name, label in page.evaluate(SLIDER_NAMES))


UNFOLD = """() => {
  for (const fold of document.querySelectorAll("details:not([open])")) fold.open = true;
}"""


def assert_nothing_is_cut(page):
    """No content is too wide or cut off without a hint, and no line begins with punctuation."""
    until(lambda: page.evaluate(FAR) == 0 and page.evaluate(CUT) == [], page)
    assert page.evaluate(CUT) == [], page.viewport_size
    assert page.evaluate(LONE) == [], page.viewport_size
    assert page.evaluate(WIDE_NUMBERS) == [], "a number is too wide for its box"
    assert is_narrow(page), page.viewport_size


LOST = "(captions) => captions.filter((one) => one.offsetHeight <= 10).map((one) => one.textContent)"
WITHOUT_DRAWING = """(icons) => icons.filter((icon) => !getComputedStyle(icon).getPropertyValue("--icon"))
  .map((icon) => icon.className)"""


def open_light(page, site, built_site, name):
    """Open a page, of which a first visit loads little and moves nothing."""
    fetched = []
    page.on("response", lambda response: response.url.startswith(site) and fetched.append(response.url))
    open_ready(page, f"{site}/{name}.html")
    wait_for_files(page)
    files = {
        built_site / unquote(urlsplit(address).path.removeprefix(f"{urlsplit(site).path}/")) for address in fetched
    }
    sizes = {file: compressed(file) for file in files}
    assert sum(sizes.values()) < WEIGHT_LIMIT, sorted(sizes.items(), key=lambda item: -item[1])[:5]
    assert page.evaluate(LAYOUT_SHIFT) < 0.05  # 0.1 counts as good, 0.25 as poor (web.dev/cls)


def assert_right_in_both_modes(page, name):
    """On a desktop in light, then in dark mode, and last on a phone: each change lays out the whole page again."""
    page.emulate_media(color_scheme="light")
    page.wait_for_selector("html[data-theme=light]", state="attached")
    assert page.locator('i[class*="fa-"]').evaluate_all(WITHOUT_DRAWING) == [], "an icon is missing from icons.mjs"
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == PAPER["light"]
    assert_sliders_are_named(page)
    page.evaluate(UNFOLD)
    assert_nothing_is_cut(page)
    assert page.locator("figcaption").evaluate_all(LOST) == []

    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("html[data-theme=dark]", state="attached")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == PAPER["dark"]
    assert page.locator("figcaption").evaluate_all(LOST) == []
    shown = page.evaluate(SHOWN_PLOTS)
    assert all("-dark.svg" in source for source, _ in shown), "a plot in light colours"
    assert shown or name not in CHAPTERS, "a chapter without a plot"
    assert {paper for _, paper in shown} <= {"rgba(0, 0, 0, 0)"}, "a plot with a white background"

    page.set_viewport_size(PHONE)
    assert_nothing_is_cut(page)
