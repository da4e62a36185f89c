"""Hundreds of random drags, keys, resizes, fingers and addresses: a live figure keeps its head.

What is asked of each: no exception (the page's watch fails the test), nothing drawn that is not a number, and
Reset gives the state and the picture of the beginning. The hands are seeded, and nothing waits for a clock.
"""

import numpy as np
import pytest
from hands import state
from test_every_figure import DRAWN, FIGURES, WORDS

MANY = pytest.param(1000, marks=pytest.mark.long)
WIDTHS = [320, 375, 560, 680, 900, 1280]
KEYS = "ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown Enter Escape Tab".split()
KEYS += [" ", "Shift+Tab", "Shift+ArrowRight", "Shift+ArrowDown"]
NAMES = [name for name in FIGURES if name not in ("pairs", "hero", "winner", "language model")]

PICTURE = """() => [...document.querySelectorAll(".stage svg")].map((drawing) => {
  const copy = drawing.cloneNode(true);
  // A ring says which point the keyboard holds, and that is no part of the state.
  const passing = copy.querySelectorAll(".key-handle, .ghost, .was, [visibility=hidden]");
  passing.forEach((element) => element.remove());
  return copy.innerHTML.split('<');
})"""


def drag(page, rng):
    """Press somewhere in the figure, near it or on a handle, and move to wild places."""
    box = page.locator(".stage").bounding_box()
    handles = page.locator("[role=slider], .hits circle")
    start = rng.uniform([-20, -20], [box["width"] + 20, box["height"] + 20])
    if rng.random() < 0.5 and handles.count():
        over = handles.nth(int(rng.integers(handles.count()))).bounding_box() or box
        start = [over["x"] - box["x"] + over["width"] / 2, over["y"] - box["y"] + over["height"] / 2]
    page.mouse.move(box["x"] + start[0], box["y"] + start[1])
    page.mouse.down()
    for _ in range(2):
        page.mouse.move(*rng.uniform([-300, -300], [1500, 1200]))
    if rng.random() < 0.15:
        resize(page, rng)
    if rng.random() < 0.15:
        touch(page, rng)
    page.mouse.up()


def press(page, rng):
    focusable = page.locator(".live-figure [tabindex='0']")
    focusable.nth(int(rng.integers(focusable.count()))).focus()
    for key in rng.choice(KEYS, 3):
        page.keyboard.press(key)


def resize(page, rng):
    page.set_viewport_size({"width": int(rng.choice(WIDTHS)), "height": 800})


def touch(page, rng):
    """A finger presses, moves and leaves anywhere, while the mouse may hold something."""
    client = page.context.new_cdp_session(page)
    for kind in ("touchStart", "touchMove", "touchEnd"):
        places = rng.uniform(0, 600, (2, 2)).round()
        fingers = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(places)]
        client.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if kind == "touchEnd" else fingers}
        )
    client.detach()


def edit_address(page, rng):
    """Somebody writes into the address, and goes back and forward."""
    settings = [*page.evaluate("Object.keys(model.get('settings'))"), "__proto__"]
    words = ",".join(f"{name}:{rng.choice(WORDS)}" for name in rng.choice(settings, 2))
    name = page.locator(".live-figure").get_attribute("data-address")
    page.evaluate("(hash) => { location.hash = hash; }", f"#{name}={words}")
    page.evaluate("(steps) => steps.forEach((step) => history.go(step))", [-1, 1][: int(rng.integers(3))])


def reset(page):
    """Reset at the first width, when whatever was on its way has come."""
    page.mouse.up()
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function(
        "document.querySelector('.canvas').clientWidth === document.querySelector('.stage').clientWidth"
    )
    page.evaluate("history.replaceState(null, '', location.pathname)")
    page.get_by_role("button", name="Reset").evaluate("button => button.click()")  # the finger may have zoomed in
    page.wait_for_selector(".stale", state="detached")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_actions", [40, MANY])
def test_many_gestures(n_actions, name, show, new_page):
    rng = np.random.default_rng(NAMES.index(name))
    page = show(FIGURES[name].make(), page=new_page(viewport={"width": 1280, "height": 800}, has_touch=True))
    first, picture = state(page), page.evaluate(PICTURE)
    for _ in range(n_actions):
        action = rng.choice(["drag", "key", "resize", "address"], p=[0.45, 0.43, 0.04, 0.08])
        if action == "drag":
            drag(page, rng)
        elif action == "key":
            press(page, rng)
        elif action == "resize":
            resize(page, rng)
        else:
            edit_address(page, rng)
        assert page.evaluate(DRAWN) == [], action
    reset(page)
    assert state(page) == first
    changes = [
        pair for pair in zip(sum(page.evaluate(PICTURE), []), sum(picture, []), strict=True) if len(set(pair)) > 1
    ]
    assert changes == []
