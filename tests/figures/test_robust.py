"""Hundreds of random drags, keys, resizes, fingers and addresses: a live figure keeps its head.

What is asked of each: no exception (the page's watch fails the test), nothing drawn that is not a number, and
Reset gives the state and the picture of the beginning. The hands are seeded, and nothing waits for a clock.
"""

import numpy as np
import pytest
from hands import settled, state, swipe
from test_every_figure import DRAWN, FIGURES, FOLLOW, WORDS, made

MANY = pytest.param(1000, marks=pytest.mark.long)
KEYS = "ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown Enter Escape Tab Space".split()
KEYS += ["Shift+Tab", "Shift+ArrowRight", "Shift+ArrowDown"]
NAMES = [name for name in FIGURES if name not in ("pairs", "hero", "winner", "language model")]
PICTURE = """() => [...document.querySelectorAll(".stage svg")].map((drawing) => {
  const copy = drawing.cloneNode(true);
  // A ring says which point the keyboard holds, and that is no part of the state.
  const passing = copy.querySelectorAll(".key-handle, .ghost, .was, [visibility=hidden]");
  passing.forEach((element) => element.remove());
  return copy.innerHTML.split('<');
})"""


def resize(page, rng):
    page.set_viewport_size({"width": int(rng.choice([320, 375, 560, 680, 900, 1280])), "height": 800})


def drag(page, rng):
    """Press on a handle or near the figure, and move to wild places; meanwhile something else may come."""
    parts = page.locator("[role=slider]:visible, .hits circle, .stage")
    box = parts.nth(int(rng.integers(parts.count()))).bounding_box()
    across, down = rng.uniform(-0.1, 1.1, 2)
    page.mouse.move(box["x"] + across * box["width"], box["y"] + down * box["height"])
    page.mouse.down()
    for _ in range(2):
        page.mouse.move(*rng.uniform([-300, -300], [1500, 1200]))
    if rng.random() < 0.15:
        resize(page, rng)
    elif rng.random() < 0.15:
        swipe(page, *rng.uniform(0, 600, 2).round(), *rng.uniform(-300, 300, 2).round())
    page.mouse.up()


def press(page, rng):
    focusable = page.locator(".live-figure [tabindex='0']")
    focusable.nth(int(rng.integers(focusable.count()))).focus()
    for key in rng.choice(KEYS, 3):
        page.keyboard.press(key)


def edit_address(page, rng):
    settings = [*page.evaluate("Object.keys(model.get('settings'))"), "__proto__"]
    words = ",".join(f"{name}:{rng.choice(WORDS)}" for name in rng.choice(settings, 2))
    page.evaluate(FOLLOW, f"#{page.locator('.live-figure').get_attribute('data-address')}={words}")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_actions", [40, MANY])
def test_many_gestures(n_actions, name, show, new_page):
    rng = np.random.default_rng(NAMES.index(name))
    page = show(made(name), page=new_page(viewport={"width": 1280, "height": 800}, has_touch=True))
    first, picture = state(page), page.evaluate(PICTURE)
    for act in rng.choice([drag, press, resize, edit_address], n_actions, p=[0.45, 0.43, 0.04, 0.08]):
        act(page, rng)
        assert page.evaluate(DRAWN) == [], act.__name__
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function(
        "document.querySelector('.canvas').clientWidth === document.querySelector('.stage').clientWidth"
    )
    page.get_by_role("button", name="Reset").evaluate("button => button.click()")  # the finger may have zoomed in
    assert settled(page) == first
    pairs = zip(sum(page.evaluate(PICTURE), []), sum(picture, []), strict=True)
    assert [pair for pair in pairs if len(set(pair)) > 1] == []
