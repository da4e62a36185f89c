"""The figure of the front page that one draws into: what comes out beside `lib.diffusion`'s walk, hands, files."""

import io

import numpy as np
import pytest
from PIL import Image

from lib.diffusion import LEVELS, denoise, walk
from lib.figures import ring_figure
from lib.images import digits
from lib.noise import box_muller_noise
from tests.gestures import choose, drag, press, said, settled, state
from tests.pictures import pixels_of

PICTURES, LAST = digits()[:60], len(LEVELS) - 1


def example():
    return ring_figure(PICTURES).figure


def outcome(now):
    """What the walk makes of the noise of a state with its strokes."""
    (height, width), strokes = PICTURES.shape[1:], now["strokes"]
    rows, columns = np.indices((height, width))
    noisy = LEVELS[0] * box_muller_noise(now["start"], (height, width))
    distances = [np.hypot(rows - stroke // width, columns - stroke % width) for stroke in strokes]
    nearest = np.min(distances, axis=0) if strokes else np.full((height, width), np.inf)
    noisy = noisy + LEVELS[0] * np.where(nearest <= 1, 2, np.where(nearest <= 3, -1, 0))
    *_, (_, _, guess) = walk(noisy, LEVELS, lambda each, noise_std: denoise(each, PICTURES, noise_std))
    return guess


def assert_matches_lib(page, now):
    guess = outcome(now)
    distances = np.sqrt(((PICTURES - guess) ** 2).mean(axis=(1, 2)))
    assert (now["step"], now["nearest"]) == (LAST, distances.argmin())
    assert now["distance_to_nearest"] == pytest.approx(distances.min(), abs=1e-9)
    np.testing.assert_allclose(pixels_of(page, "canvas.guess")[..., 0], 127.5 * (guess + 1), atol=1.01)


def test_what_comes_out_is_what_lib_walks_to(show, page):
    show(example())
    assert_matches_lib(page, settled(page))
    ring = press(page, "Draw a ring")
    assert len(ring["strokes"]) > 20
    assert_matches_lib(page, ring)
    drag(page, ".brush-grip", 50, 30)
    drawn = settled(page)
    assert len(drawn["strokes"]) > len(ring["strokes"])
    assert_matches_lib(page, drawn)
    assert said(page).startswith("Your drawing becomes")
    assert press(page, "Clear")["strokes"] == [] and page.get_by_role("button", name="Clear").is_disabled()
    other = press(page, "New noise")
    assert other["start"] == 3 and said(page).startswith("This noise becomes")
    assert_matches_lib(page, other)


def test_image_emerges_in_steps_unless_motion_is_reduced(show, page, new_page):
    show(example())
    choose(page, seed=5)
    page.evaluate("""() => {
      window.steps = [];
      const figure = document.querySelector(".live-figure");
      new MutationObserver(() => steps.push(JSON.parse(figure.dataset.state).step))
        .observe(figure, { attributeFilter: ["data-state"] });
    }""")
    press(page, "New noise")
    steps = page.evaluate("steps")
    assert steps == sorted(steps) and len(set(steps)) > 8 and steps[-1] == LAST
    calm = show(example(), page=new_page(reduced_motion="reduce"))
    press(calm, "New noise")
    assert press(calm, "New noise")["step"] == LAST == state(calm)["step"]


def test_picture_is_saved_enlarged(show, page):
    show(example())
    with page.expect_download() as download:
        page.get_by_role("button", name="Save this image").click()
    assert download.value.suggested_filename == "from-noise.png"
    saved = np.asarray(Image.open(io.BytesIO(download.value.path().read_bytes())).convert("RGB"))
    np.testing.assert_allclose(saved[8::16, 8::16].astype(int), pixels_of(page, "canvas.guess"), atol=1)


def test_failed_digit_download_is_reported(show, page):
    figure = example()
    figure.pictures_lazy = {"lazy": "abc", "script": "data:text/javascript,0"}
    show(figure)
    page.get_by_role("button", name="Draw a ring").click()
    page.locator(".lf-sentence").get_by_text("could not be loaded").wait_for()
    settled(page)
