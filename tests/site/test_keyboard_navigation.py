"""A chapter by keyboard and screen reader: the walk of CONTRIBUTING.md, with the text that is announced."""

from types import SimpleNamespace

import pytest

from tests.pages import open_ready

CHAPTER = "chapters/01_nadaraya_watson"
ROLES = {"link", "button", "DisclosureTriangle", "slider", "combobox", "checkbox", "textbox", "radio"}
# Code and formulas that are wider than the text, which depends on the fonts
SCROLLABLE = {("group", "code, scrolls sideways"), ("group", "formula, scrolls sideways")}

# The focused element: its index among the initial elements, whether it belongs to the live figure, whether its
# centre is visible, and whether it has a focus ring.
LOOK = """() => {
  window.places ??= new Map([...document.querySelectorAll("*")].map((one, place) => [one, place]));
  const held = document.activeElement;
  if (held === document.body) return null;
  const [box] = held.getClientRects();
  const mark = held.querySelector(".pill, .ring"); // of a handle in a drawing: it shows the focus instead
  const style = getComputedStyle(mark ?? held);
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return {
    place: places.get(held),
    comes: !!held.closest(".live-panel:has([data-address=regression])"),
    seen: !!top && (held.contains(top) || top.contains(held) || !!held.ownerSVGElement?.contains(top)),
    ring: style.outlineStyle !== "none" || style.boxShadow !== "none"
      || (!!mark?.matches(".ring") && style.stroke !== "none"),
  };
}"""


def words(node, what):
    return node.get(what, {}).get("value", "")


def heard(client):
    """Return the name and the role of the focused element in Chromium's accessibility tree."""
    held = client.send("Runtime.evaluate", {"expression": "document.activeElement"})["result"]["objectId"]
    options = {"objectId": held, "fetchRelatives": False}
    node = client.send("Accessibility.getPartialAXTree", options)["nodes"][0]
    return {"name": words(node, "name").strip(), "role": words(node, "role")}


def stops(page):
    client = page.context.new_cdp_session(page)
    for _ in range(500):
        page.keyboard.press("Tab")
        look = page.evaluate(LOOK)
        for _ in range(40):  # the skip link slides into view
            if look is None or look["seen"]:
                break
            page.wait_for_timeout(50)
            look = page.evaluate(LOOK)
        if look is None:
            return
        yield SimpleNamespace(**look, **heard(client))
    raise AssertionError("the focus never leaves the page")


@pytest.fixture
def chapter(site, page):
    page.emulate_media(reduced_motion="reduce")  # no animations: everything is in its final position
    open_ready(page, f"{site}/{CHAPTER}.html")
    return page


def assert_headings_descend_and_formulas_are_announced_once(chapter):
    headings = chapter.evaluate("""() => [...document.querySelectorAll("article :is(h1, h2, h3, h4, h5, h6)")]
      .filter((one) => one.checkVisibility()).map((one) => Number(one.localName[1]))""")
    assert headings.count(1) == 1 and headings[0] == 1
    assert all(b <= a + 1 for a, b in zip(headings, headings[1:], strict=False)), "a heading level is skipped"
    nodes = chapter.context.new_cdp_session(chapter).send("Accessibility.getFullAXTree")["nodes"]
    heard_formulas = [node for node in nodes if words(node, "role") == "MathMLMath" and not node["ignored"]]
    seen = chapter.evaluate("""() => [...document.querySelectorAll("mjx-container")]
      .filter((one) => one.checkVisibility()).length""")
    assert len(heard_formulas) == seen > 100
    assert all(node["childIds"] for node in heard_formulas)
    assert chapter.locator("mjx-math:not([aria-hidden=true])").count() == 0, "its glyphs would be announced again"


def test_page_is_announced_and_tab_order_is_complete(chapter):
    """The live figure is an exception: it receives focus both at the top and at its position in the text."""
    chapter.locator(".opening .regression-figure").wait_for()
    assert_headings_descend_and_formulas_are_announced_once(chapter)
    walk = list(stops(chapter))
    assert walk[0].name == "Skip to main content"
    places = [stop.place for stop in walk]
    assert len(walk) > 100 and list(dict.fromkeys(places)) == sorted(set(places))
    assert [stop for stop in walk if places.count(stop.place) != 1 + stop.comes] == []
    named = [stop for stop in walk if stop.name and (stop.role in ROLES or (stop.role, stop.name) in SCROLLABLE)]
    assert [stop for stop in walk if not (stop in named and stop.ring and stop.seen)] == []
    sliders = [stop.name for stop in walk if stop.role == "slider" and stop.comes]
    for name in ("Query", "query", "bandwidth h"):
        assert sliders.count(name) == 2


@pytest.mark.variant
def test_enter_skips_to_text_and_toggles_details(chapter):
    for key in ("Tab", "Enter", "Tab"):
        chapter.keyboard.press(key)
    assert chapter.evaluate("!!document.activeElement.closest('#main-content')")
    fold = chapter.locator("article details > summary").first
    fold.focus()
    said = heard(chapter.context.new_cdp_session(chapter))["name"]
    assert said and not said.startswith(("+", "−")), "the marker of a collapsed section is visual only"
    for is_open in (True, False):
        chapter.keyboard.press("Enter")
        assert fold.evaluate("(one) => one.parentElement.open") is is_open
