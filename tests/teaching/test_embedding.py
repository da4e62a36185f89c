"""A figure in a page of a learning platform: an iframe, as teaching/index.md gives it, plain and sandboxed."""

import re

import pytest

from tests.conftest import ROOT

PAGE = (ROOT / "teaching" / "index.md").read_text("utf8")
(CODE,) = re.findall(r"^<iframe .*</iframe>$", PAGE, re.MULTILINE)
SANDBOXES = {
    "plain": "",
    "as Canvas and Moodle": 'sandbox="allow-scripts allow-same-origin"',
    "strict": 'sandbox="allow-scripts"',
}


@pytest.mark.parametrize("sandbox", SANDBOXES.values(), ids=SANDBOXES)
def test_figure_in_iframe_is_live(sandbox, site, browser):
    code = re.sub(r"https://\S+?(?=/embed/)", site, CODE).replace("></iframe>", f" {sandbox}></iframe>")
    page = browser.new_page(viewport={"width": 900, "height": 800})
    page.set_content(code)
    frame = page.frame_locator("iframe")
    figure = frame.locator(".live-figure[data-figure=regression]").first
    figure.scroll_into_view_if_needed()
    before = figure.get_attribute("data-state")
    figure.locator(".query-handle").press("ArrowRight")
    assert figure.get_attribute("data-state") != before
    box, outer = figure.bounding_box(), page.locator("iframe").bounding_box()
    assert outer["x"] <= box["x"] and box["x"] + box["width"] <= outer["x"] + outer["width"]
