"""A figure in a page of a learning platform or on a slide: an iframe, as teaching/index.md gives it."""

import re

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "teaching" / "index.md").read_text("utf8")
(CODE,) = re.findall(r"^<iframe .*</iframe>$", PAGE, re.MULTILINE)
(SLIDE,) = re.findall(r"^<section>.*</section>$", PAGE, re.MULTILINE)
CANVAS = {"src", "width", "height", "title", "style"}  # of the attributes in `CODE`, those that Canvas keeps
DECK = """<link rel="stylesheet" href="{site}/_static/reveal/reveal.css">
<div class="reveal"><div class="slides"><section>First</section>{slide}<section>Last</section></div></div>
<script src="{site}/_static/reveal/reveal.js"></script>
<script>Reveal.initialize({{ transition: "none" }})</script>"""
SANDBOXES = {
    "plain": "",
    "as Canvas and Moodle": 'sandbox="allow-scripts allow-same-origin"',
    "strict": 'sandbox="allow-scripts"',
}


@pytest.mark.parametrize("sandbox", SANDBOXES.values(), ids=SANDBOXES)
def test_figure_in_iframe_is_live(sandbox, site, other_host, browser):
    code = re.sub(r"https://\S+?(?=/embed/)", site, CODE).replace("></iframe>", f" {sandbox}></iframe>")
    page = browser.new_page(viewport={"width": 900, "height": 800})
    page.goto(other_host)
    page.set_content(code)
    frame = page.frame_locator("iframe")
    figure = frame.locator(".live-figure[data-figure=regression]").first
    figure.scroll_into_view_if_needed()
    before = figure.get_attribute("data-state")
    figure.locator(".query-handle").press("ArrowRight")
    assert figure.get_attribute("data-state") != before
    box, outer = figure.bounding_box(), page.locator("iframe").bounding_box()
    assert outer["x"] <= box["x"] and box["x"] + box["width"] <= outer["x"] + outer["width"]


def test_embed_code_uses_only_attributes_that_canvas_keeps(site, other_host, browser):
    kept = re.sub(r' ([\w-]+)="[^"]*"', lambda found: found[0] if found[1] in CANVAS else "", CODE)
    assert kept == CODE.replace(' loading="lazy"', "")
    page = browser.new_page(viewport={"width": 900, "height": 800})
    page.goto(other_host)
    page.set_content(re.sub(r"https://\S+?(?=/embed/)", site, kept))
    page.frame_locator("iframe").locator(".live-figure[data-state]").wait_for()
    assert page.locator("iframe").bounding_box()["width"] == 784


def test_figure_on_reveal_slide_takes_arrow_keys(site, other_host, browser):
    page = browser.new_page(viewport={"width": 1000, "height": 760})
    page.goto(other_host)
    page.set_content(DECK.format(site=site, slide=re.sub(r"https://\S+?(?=/embed/)", site, SLIDE)))
    page.keyboard.press("ArrowRight")
    figure = page.frame_locator("iframe").locator(".live-figure[data-state]")
    before = figure.get_attribute("data-state")
    figure.locator(".query-handle").press("ArrowRight")
    assert figure.get_attribute("data-state") != before
    assert page.evaluate("Reveal.getIndices().h") == 1
