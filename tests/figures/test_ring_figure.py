"""The front page's drawing figure: its result equals the trajectory of `lib.diffusion`; input and saved files."""

import io

import numpy as np
import pytest
from PIL import Image
from scipy.ndimage import label

from lib.diffusion import LEVELS, denoise, walk
from lib.figures import ring_figure
from lib.figures.ring import STRIP
from lib.images import digits
from lib.noise import box_muller_noise
from tests.gestures import after_keys, choose, drag, middle, press, said, settled, state
from tests.pictures import pixels_of

PICTURES, LAST = digits()[:60], len(LEVELS) - 1


def example():
    return ring_figure(PICTURES).figure


def outcome(now):
    """What each step of the walk makes of the noise of a state with its strokes."""
    (height, width), strokes = PICTURES.shape[1:], now["strokes"]
    rows, columns = np.indices((height, width))
    noisy = LEVELS[0] * box_muller_noise(now["start"], (height, width))
    distances = [np.hypot(rows - stroke // width, columns - stroke % width) for stroke in strokes]
    nearest = np.min(distances, axis=0) if strokes else np.full((height, width), np.inf)
    noisy = noisy + LEVELS[0] * np.where(nearest <= 1, 2, np.where(nearest <= 3, -1, 0))
    steps = walk(noisy, LEVELS, lambda each, noise_std: denoise(each, PICTURES, noise_std))
    return [guess for _, _, guess in steps]


def assert_matches_lib(page, now):
    guess = outcome(now)[-1]
    distances = np.sqrt(((PICTURES - guess) ** 2).mean(axis=(1, 2)))
    assert (now["step"], now["nearest"]) == (LAST, distances.argmin())
    assert now["distance_to_nearest"] == pytest.approx(distances.min(), abs=1e-9)
    np.testing.assert_allclose(pixels_of(page, "canvas.guess")[..., 0], 127.5 * (guess + 1), atol=1.01)


def test_result_of_ring_matches_walk_of_lib(show, page):
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


def assert_strip_shows(page, now):
    """The small images are the best guesses of eight steps, and the chosen one is also the large one."""
    guesses = outcome(now)
    for k, step in enumerate(STRIP):
        small = pixels_of(page, f".strip canvas:nth-child({k + 1})")[..., 0]
        np.testing.assert_allclose(small, 127.5 * (guesses[step] + 1), atol=1.01)
    np.testing.assert_allclose(
        pixels_of(page, "canvas.guess")[..., 0], 127.5 * (guesses[now["step"]] + 1), atol=1.01
    )


def test_strip_steps_through_the_walk(show, page):
    show(example())
    first = settled(page)
    assert_strip_shows(page, first)
    strip = page.locator(".strip")
    assert strip.get_attribute("aria-valuetext") == "step 30 of 30"
    x, y = middle(page, ".strip canvas:nth-child(3)")
    page.mouse.click(x, y)
    assert settled(page)["step"] == STRIP[2]
    assert_strip_shows(page, state(page))
    noise = f"noise of standard deviation {LEVELS[STRIP[2]]:.1f}"
    assert said(page) == f"Step {STRIP[2] + 1} of 30: the weighted average of the 60 digits, at {noise}."
    states = after_keys(page, ".strip", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowRight")
    assert [now["step"] for now in states] == [STRIP[k] for k in (1, 0, 0, 1)]
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(*middle(page, ".strip canvas:nth-child(6)"))
    page.mouse.up()
    assert state(page)["step"] == STRIP[5]
    drawn = press(page, "Draw a ring")
    assert drawn["step"] == LAST, "a new walk shows its result"
    assert_strip_shows(page, drawn)


def test_sentence_names_the_digit(show, page):
    show(ring_figure().figure)
    settled(page)
    ring = press(page, "Draw a ring")
    assert (
        said(page)
        == f"Your drawing becomes a {ring['nearest'] % 10}: training digit no. {ring['nearest']} of 1,000."
    )
    known = digits()
    assert ring["nearest"] % 10 == 0 and label(known[ring["nearest"]] > -0.5)[1] == 1, "a clean zero"
    means = np.array([known[k::10].mean(axis=0) for k in range(10)])
    nearest = [np.abs(means - known[k]).sum(axis=(1, 2)).argmin() for k in range(1000)]
    assert np.mean(nearest == np.arange(1000) % 10) > 0.5, "the order of the digits tells which they are"


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
