"""Figures of a photograph: the cross on the query pixel, and moving it by pointer and keyboard."""

import pytest

from tests.figures import test_pixel_figure
from tests.gestures import after_keys, change, drag, has_focus, middle, settled, state

HEIGHT, WIDTH = 41, 37
WINDOW = 13  # pixels across


def scale_of(page):
    return page.locator("canvas.photo").bounding_box()["width"] / WIDTH


def test_mouse_and_arrow_keys_move_query_cross(show):
    figure, keys = test_pixel_figure.example(), "ArrowRight ArrowUp ArrowLeft ArrowDown Shift+ArrowDown".split()
    page = show(figure)
    change(page, query=[8, 30])
    photo, scale = page.locator("canvas.photo").bounding_box(), scale_of(page)
    centre = photo["x"] + 30.5 * scale, photo["y"] + 8.5 * scale
    assert middle(page, ".query-handle") == pytest.approx(centre, abs=0.1)
    assert middle(page, ".cross") == pytest.approx(centre, abs=0.6)
    assert page.locator(".frame").bounding_box()["width"] == pytest.approx(WINDOW * scale, abs=3)
    page.get_by_role("button", name="Reset").click()
    queries = [now["query"] for now in after_keys(page, ".query-handle", *keys, "Home", "End", *keys[::4])]
    assert queries[:4] == [[20, 18], [19, 18], [19, 17], [20, 17]]
    assert queries[4:] == [[30, 17], [30, 0], [30, 36], [30, 36], [40, 36]]
    handle = page.locator(".query-handle")
    assert handle.get_attribute("aria-valuetext").startswith("row 40, column 36, ")
    assert [handle.get_attribute(f"aria-value{end}") for end in ("now", "max")] == 2 * [str(HEIGHT * WIDTH - 1)]
    test_pixel_figure.assert_matches_lib(figure, settled(page))
    page.get_by_role("button", name="Reset").click()
    drag(page, ".query-handle", 9 * scale_of(page), -5 * scale_of(page))
    assert settled(page)["query"] == [15, 26]
    test_pixel_figure.assert_matches_lib(figure, settled(page))
    drag(page, ".query-handle", 900, 900)
    assert state(page)["query"] == [40, 36]
    drag(page, ".query-handle", 1, 0)  # less than one pixel of the image
    assert state(page)["query"] == [40, 36]
    for picture in ("canvas.photo", "canvas.filtered"):
        box = page.locator(picture).bounding_box()
        page.mouse.click(box["x"] + box["width"] * 4.5 / WIDTH, box["y"] + box["height"] * 33.5 / HEIGHT)
        assert state(page)["query"] == [33, 4]
        assert has_focus(page, ".query-handle")
        x, y = middle(page, ".query-handle")  # also inside the cross
        page.mouse.click(x + 2 * scale_of(page), y - 3 * scale_of(page))
        assert state(page)["query"] == [30, 6]
