"""Random drags, keys, swipes, sizes, URLs, zoom and forced colours: a figure survives them, and Reset undoes them.

`test_every_figure` makes these checks after chosen drags, keys and URLs. `--gestures 1000` runs more random ones.
"""

import numpy as np
import pytest

from tests.figures.contract import DRAWN, FIGURES, FOLLOW, PRESSES, WORDS, made, press
from tests.gestures import settled, swipe

FOCUSABLE = ".live-figure :is([tabindex='0'], button, input, select)"
ZOOM = "factor => { document.documentElement.style.zoom = factor; }"
FRAME = "new Promise((done) => requestAnimationFrame(done))"


def point(page, rng):
    """Return a random position in the visible part of the stage."""
    box, size = page.locator(".lf-stage").bounding_box(), page.viewport_size
    x, y = rng.uniform(box["x"], box["x"] + box["width"]), rng.uniform(box["y"], box["y"] + box["height"])
    return float(np.clip(x, 1, size["width"] - 2)), float(np.clip(y, 1, size["height"] - 2))


def drag(page, rng, _):
    page.mouse.move(*point(page, rng))
    page.mouse.down()
    for _ in range(3):
        page.mouse.move(*point(page, rng))
    page.mouse.up()


def finger(page, rng, _):
    right, down = rng.uniform(-150, 150, 2)
    swipe(page, *point(page, rng), right, down)


def key(page, rng, _):
    parts = [part for part in page.locator(FOCUSABLE).all() if part.is_visible()]
    parts[rng.integers(len(parts))].focus()
    for name in rng.choice(PRESSES, 3):
        page.keyboard.press(("Shift+" if rng.random() < 0.3 else "") + str(name))


def resize(page, rng, _):
    page.set_viewport_size({"width": int(rng.integers(320, 1400)), "height": int(rng.integers(400, 1000))})


def url(page, rng, figure):
    names = [name for name in figure.settings if name != "text" and rng.random() < 0.4]
    words = ",".join(
        f"{name}:{rng.choice([*WORDS, str(rng.normal(0, 3)), str(rng.integers(9))])}" for name in names
    )
    page.evaluate(FOLLOW, f"#{figure.address}={words}")


def zoom(page, rng, _):
    page.evaluate(ZOOM, float(rng.choice([1, 2])))


def forced_colors(page, rng, _):
    page.emulate_media(forced_colors=str(rng.choice(["active", "none"])))


GESTURES = [drag, drag, finger, key, key, resize, url, zoom, forced_colors]


@pytest.mark.long
@pytest.mark.parametrize("name", FIGURES)
def test_random_gestures_draw_numbers_and_reset(name, show, new_page, pytestconfig):
    rng, figure = np.random.default_rng(list(name.encode())), made(name)
    size = {"width": 900, "height": 800}
    page = show(figure, page=new_page(viewport=size, has_touch=True, reduced_motion="reduce"))
    first, done = settled(page), []
    for _ in range(pytestconfig.getoption("gestures")):
        gesture = GESTURES[rng.integers(len(GESTURES))]
        done.append(gesture.__name__)
        gesture(page, rng, figure)
        page.evaluate(FRAME)
        assert page.evaluate(DRAWN) == [], done
    page.evaluate(ZOOM, 1)
    page.set_viewport_size(size)
    press(page, "Reset")
    assert settled(page) == first, done
