"""The sliders below the live figures, which ipywidgets draws, on the built pages; and hands with two fingers."""

from hands import middle, state
from pages import open_ready, until
from test_figures import example

FIRST = "chapters/01_nadaraya_watson"


def test_a_slider_is_held_beside_its_handle_and_keeps_its_colours(site, page):
    open_ready(page, f"{site}/{FIRST}.html")
    handle = page.locator(".live-panel .bandwidth .noUi-handle").first
    handle.scroll_into_view_if_needed()
    x, y = middle(page, ".live-panel .bandwidth .noUi-handle")
    for right, down in [(0, 0), (20, 0), (-20, 0), (0, 15), (0, -15)]:
        assert page.evaluate(
            "([x, y]) => !!document.elementFromPoint(x, y).closest('.bandwidth .noUi-handle')",
            [x + right, y + down],
        ), (right, down)
    border = handle.evaluate("(handle) => getComputedStyle(handle).borderColor")
    handle.hover()
    read = "(handle) => [getComputedStyle(handle).borderColor, getComputedStyle(handle).backgroundColor]"
    until(lambda: handle.evaluate(read) == [border, border], page)
    assert handle.evaluate(read) == [border, border]
    page.emulate_media(forced_colors="active")
    track, ground = page.evaluate(
        """() => [".live-panel .noUi-connects", "body"]
          .map((selector) => getComputedStyle(document.querySelector(selector)).backgroundColor)"""
    )
    assert track != ground and not track.startswith("rgba"), "a colour that hides what is behind it"


def test_a_finger_beside_a_button_presses_it_and_a_second_one_does_not_take_over(new_page, show):
    page = show(example(), page=new_page(viewport={"width": 700, "height": 800}, has_touch=True))
    box = page.locator(".actions button").first.bounding_box()
    assert box["height"] >= 24
    for y in (box["y"] - 7, box["y"] + box["height"] + 7):
        at = [box["x"] + box["width"] / 2, y]
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).textContent", at) == "Play"
    x, y = middle(page, ".pill")
    touches = page.context.new_cdp_session(page)

    def touch(kind, *points):
        at = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        touches.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    touch("touchStart", (x, y))
    touch("touchMove", (x + 60, y))
    held = state(page)["query"]
    assert held > 1.6
    touch("touchStart", (x + 60, y), (x + 200, y + 2))
    touch("touchMove", (x + 60, y), (x + 240, y + 2))
    assert state(page)["query"] == held
    touch("touchMove", (x + 60, y))  # the second finger is lifted
    touch("touchMove", (x + 75, y))
    touch("touchMove", (x + 90, y))
    assert state(page)["query"] > held
    touch("touchEnd")
