"""The figure of chapter 9 in a browser: numbers compared with `lib`, drawing, guesses, patches, points."""

import re

import numpy as np
import pytest

from lib.diffusion import LEVELS, denoise, denoise_weights
from lib.figures import Guesses, diffusion_figure
from lib.figures.diffusion import NOISE, POINTS, RADII
from lib.heads import keys_for_90_percent
from lib.images import blossoms, digits
from lib.noise import box_muller_noise
from tests.figures.contract import assert_fits
from tests.gestures import choose, drag, middle, press, said, settled, state, swipe
from tests.without_page import described

PICTURES = digits()[:60]
LAST = len(LEVELS) - 1


def example(**changes):
    return diffusion_figure(changes.pop("pictures", PICTURES), **changes).figure


def at_step(page, step, **traits):
    return choose(page, noise_index=LAST - step, **traits)


def covered(shape, pixels, reach):
    """Return the pixels within a distance of these, as indices into a flattened image."""
    rows, columns = np.indices(shape)
    near = [np.hypot(rows - p // shape[1], columns - p % shape[1]) <= reach for p in pixels]
    return np.logical_or.reduce(near)


def walked(now, pictures):
    shape, radius = pictures.shape[1:], now["patch_radius"]
    size, noisy = np.prod(shape), LEVELS[0] * box_muller_noise(now["start"], shape)
    for step in range(now["step"] + 1):
        dabs = [stroke % size for stroke in now["strokes"] if stroke // size == step]
        if dabs and now["view"] == "pictures":
            stroke, around = covered(shape, dabs, 1), covered(shape, dabs, 3)
            noisy = noisy + LEVELS[step] * np.where(stroke, 2, np.where(around, -1, 0))
        guess = denoise(noisy, pictures, LEVELS[step], radius)
        if step < now["step"]:
            noisy = guess + LEVELS[step + 1] / LEVELS[step] * (noisy - guess)
    return noisy, guess


def assert_matches_lib(now, pictures):
    noisy, guess = walked(now, pictures)
    (row, column), radius = now["pixel"], 99 if now["patch_radius"] is None else now["patch_radius"]
    patch = np.s_[max(row - radius, 0) : row + radius + 1, max(column - radius, 0) : column + radius + 1]
    weights = denoise_weights(noisy[patch], pictures[:, *patch], LEVELS[now["step"]])
    shown = now["weights"]
    assert len(shown) == min(10, len(pictures))
    for heaviest in (np.sort(weights)[::-1][: len(shown)], weights[[each["index"] for each in shown]]):
        np.testing.assert_allclose([each["weight"] for each in shown], heaviest, atol=1e-9)
    assert now["keys_for_90_percent"] == keys_for_90_percent(weights[None])
    distances = np.sqrt(((pictures - guess) ** 2).mean(axis=(1, 2)))
    assert distances[now["nearest"]] == pytest.approx(distances.min(), abs=1e-9)
    assert now["distance_to_nearest"] == pytest.approx(distances.min(), abs=1e-9)
    assert now["noise_std"] == pytest.approx(LEVELS[now["step"]])


def test_controls_start_at_the_arguments():
    noise, radius = diffusion_figure(PICTURES, 1.0, patch_radius=4, seed=9).children[1].children
    assert (noise.index, radius.index) == (int(abs(LEVELS[::-1] - 1).argmin()), RADII.index("4"))
    assert (noise.options[0], noise.options[-1]) == (("0.08", 0), ("10", LAST)) and len(set(NOISE)) == len(LEVELS)


def test_noise_is_normal_and_differs_per_start():
    from scipy.stats import kstest  # a second of importing

    noise = np.stack([box_muller_noise(seed, (28, 28)).ravel() for seed in range(100)])
    assert kstest(noise.ravel(), "norm").pvalue > 0.001
    assert abs(np.corrcoef(noise)[np.triu_indices(100, 1)]).max() < 5 / 28


def test_numbers_match_lib_and_click_shows_patch_source(show):
    page = show(example())
    for radius in (None, 1, 3, 9):
        index = 0 if radius is None else RADII.index(str(radius))
        for step, seed, pixel in [(0, 2, [14, 14]), (7, 3, [0, 27]), (15, 3, [20, 9]), (LAST, 4, [13, 12])]:
            now = at_step(page, step, seed=seed, pixel=pixel, compare_index=index)
            assert (now["step"], now["start"], now["pixel"], now["patch_radius"]) == (step, seed, pixel, radius)
            assert_matches_lib(now, PICTURES)
    before = at_step(page, 12, compare_index=RADII.index("2"))
    box = page.locator(".pixel-grip").bounding_box()
    page.mouse.click(box["x"] + 0.25 * box["width"] + 1, box["y"] + 0.5 * box["height"] + 1)
    now = settled(page)
    assert now["pixel"] == [14, 7] and now["weights"] != before["weights"] and now["strokes"] == []
    page.keyboard.press("ArrowUp")
    assert settled(page)["pixel"] == [13, 7]
    assert_matches_lib(state(page), PICTURES)
    assert page.locator(".frames rect").count() == 3


@pytest.mark.variant
def test_whole_images_memorise_but_patches_generate(show, page):
    show(example(pictures=None))
    now = at_step(page, LAST)
    assert now["distance_to_nearest"] < 1e-6 and now["keys_for_90_percent"] == 1
    assert "to the last grey level" in said(page)
    assert_matches_lib(now, digits())
    now = at_step(page, LAST, compare_index=RADII.index("6"))
    assert now["distance_to_nearest"] > 0.1 and "a new one" in said(page)


def test_custom_images_are_rounded_to_256_levels(show, page):
    pictures = blossoms(30, size=20, rng=0)[:, :17]
    figure = example(pictures=pictures, noun="blossom")
    assert len(np.unique(figure.pictures)) <= 256 and abs(figure.pictures - pictures).max() < 1 / 255 + 1e-6
    show(figure)
    assert_matches_lib(at_step(page, 9), figure.pictures)
    assert_matches_lib(choose(page, compare_index=RADII.index("2")), figure.pictures)
    assert "blossoms" in said(page)


def test_stroke_in_the_noise_changes_the_result(show, page):
    show(example())
    ends = {}
    for name in ("Draw a ring", "Draw a bar"):
        page.get_by_role("button", name="Clear").evaluate("button => button.click()")
        at_step(page, 2)
        now = press(page, name)
        assert {stroke // 784 for stroke in now["strokes"]} == {2}
        assert_matches_lib(now, PICTURES)
        ends[name] = at_step(page, LAST)
        assert_matches_lib(ends[name], PICTURES)
    digit = {name: now["nearest"] % 10 for name, now in ends.items()}  # the first training digit is a 0, and so on
    assert digit == {"Draw a ring": 0, "Draw a bar": 1}
    assert press(page, "Clear")["strokes"] == [] and page.get_by_role("button", name="Clear").is_disabled()
    for step, kept in [(8, {8}), (9, {8, 9}), (4, {4})]:  # later strokes are removed
        at_step(page, step)
        now = press(page, "Draw a bar")
        assert {stroke // 784 for stroke in now["strokes"]} == kept
        assert_matches_lib(now, PICTURES)
    at_step(page, 2, compare_index=RADII.index("3"))
    press(page, "Draw a ring")  # strokes are sent to the worker, too
    assert_matches_lib(at_step(page, 6), PICTURES)


def test_mouse_touch_and_keyboard_draw(show, page, phone):
    show(example())
    at_step(page, 3)
    box = page.locator(".brush-grip").bounding_box()
    drag(page, ".brush-grip", 60, 0)
    pixels = sorted(stroke - 3 * 784 for stroke in state(page)["strokes"])
    assert pixels == [14 * 28 + column for column in range(14, 14 + round(60 / box["width"] * 28) + 1)]
    assert state(page)["pixel"] == [14, pixels[-1] % 28]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    assert 3 * 784 + 15 * 28 + pixels[-1] % 28 in state(page)["strokes"]
    assert_matches_lib(state(page), PICTURES)
    show(example(), page=phone)
    at_step(phone, 1)
    swipe(phone, *middle(phone, ".brush-grip"), right=0, down=50)
    assert len(settled(phone)["strokes"]) >= 5
    assert_matches_lib(state(phone), PICTURES)


@pytest.mark.parametrize("words", ["a new one", "one of the known"])
def test_guess_plays_trajectory_and_states_answer(words, show, new_page, page):
    then = {"view": "pictures", "compare": "whole", "noise": NOISE[0]}
    guesses = Guesses(
        ["a new one", "one of the known"], "one of the known", then, because="It has all the weight."
    )
    asking = lambda: example(patch_radius=3, guesses=guesses)
    calm = show(asking(), page=new_page(reduced_motion="reduce"))
    page.clock.install(time=0)
    show(asking())
    page.clock.pause_at(10_000_000)
    for played in (calm, page):
        assert settled(played)["guess"] is None
        played.get_by_role("group", name=re.compile("^Guess")).get_by_role("button", name=words).click()
    page.wait_for_selector("[data-playing]")
    settled(page)  # the walk waits for the images, which are unpacked in real time
    assert state(page)["step"] == 0 and said(page, ".verdict").strip() == ""
    page.clock.run_for(60_000)
    for played in (calm, page):
        now = settled(played)
        assert (now["step"], now["guess"], now["patch_radius"], now["view"]) == (LAST, words, None, "pictures")
        told = "You are right: " if words in guesses.right else f"You guessed “{words}”, and the answer is "
        assert said(played, ".verdict").startswith(f"{told}“one of the known”. It has all the weight.")
        assert played.get_by_role("button", name=words).get_attribute("aria-pressed") == "true"


RECORD = """() => {
  const figure = document.querySelector(".live-figure"), seen = (window.seen = []);
  const record = () => seen.push([JSON.parse(figure.dataset.state).step, figure.matches(".lf-judged")]);
  new MutationObserver(record).observe(figure, { attributeFilter: ["data-state"] });
}"""


def test_guess_plays_trajectory_once_until_verdict(show, page):
    guesses = Guesses(["new", "known"], "known", {"compare": "whole", "noise": NOISE[0]}, because="So.")
    show(example(guesses=guesses))
    page.evaluate(RECORD)
    page.get_by_role("button", name="new", exact=True).click()
    page.wait_for_selector(".lf-judged")
    page.wait_for_selector("[data-playing]", state="detached")
    page.wait_for_timeout(300)
    steps, judged = zip(*page.evaluate("seen"), strict=True)
    assert list(steps[steps.index(0) :]) == sorted(steps[steps.index(0) :]) and steps[-1] == LAST
    assert len(set(steps)) > 5 and not any(
        is_judged for step, is_judged in zip(steps, judged, strict=True) if step < LAST
    )


def test_play_restarts_and_new_start_differs(show, new_page):
    page, nearest = show(example(), page=new_page()), set()
    at_step(page, LAST)
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(
        "(end) => JSON.parse(document.querySelector('.live-figure').dataset.state).step < end", arg=LAST
    )
    page.get_by_role("button", name="Stop").click()
    for start in (3, 4, 5):
        at_step(page, 20)
        now = press(page, "New noise")
        assert (now["start"], now["step"], now["strokes"]) == (start, 0, [])
        nearest.add(at_step(page, LAST)["nearest"])
    assert len(nearest) > 1


def test_points_are_two_pixel_images(show, page):
    show(example(view="points"))
    for step in (0, 14, 20, LAST):
        now = at_step(page, step)
        assert now["points"] == POINTS
        assert_matches_lib(now, np.array(POINTS)[:, None, :])
    before = at_step(page, 18)
    drag(page, ".point-handle:nth-child(2)", 60, -30)
    now = state(page)
    moved = [k for k, point in enumerate(now["points"]) if point != before["points"][k]]
    assert moved == [1] and now["points"][1][0] > POINTS[1][0] and now["points"][1][1] > POINTS[1][1]
    assert_matches_lib(now, np.array(now["points"])[:, None, :])
    page.keyboard.press("ArrowLeft")
    assert state(page)["points"][1][0] == pytest.approx(now["points"][1][0] - 0.05)
    assert_matches_lib(press(page, "pictures"), PICTURES)
    # At high noise every arrow points to the mean of the points, at low noise to the nearest point.
    show(example(view="points", points=[[-1.5, 0.0], [1.5, 0.0]]))
    directions = {}
    for step in (3, LAST):
        at_step(page, step)
        arrows = page.locator(".arrows path").get_attribute("d")
        starts = re.findall(r"M(-?[\d.]+) (-?[\d.]+)l(-?[\d.]+) (-?[\d.]+)", arrows)[::3]  # without their heads
        width, height = (float(page.locator("svg.plane").get_attribute(side)) for side in ("width", "height"))
        directions[step] = [((float(x) - width / 2) / (height / 4.4), float(right)) for x, _, right, _ in starts]
    assert all(x * right < 0 for x, right in directions[3] if abs(x) > 0.7)
    inner = [(x, right) for x, right in directions[LAST] if 0.3 < abs(x) < 1]
    assert inner and all(x * right > 0 for x, right in inner)


def test_points_use_whole_stage_and_own_question(show, page):
    guesses = Guesses(["new", "known"], "known", {"view": "pictures", "noise": NOISE[0]}, because="So.")
    show(example(question="Which digit?", guesses=guesses))
    hint, chips = said(page, ".lf-hint"), page.get_by_role("button", name="new", exact=True)
    press(page, "points")
    assert "points in a plane" in said(page, ".lf-question") and "Drag the points" in said(page, ".lf-hint")
    assert not chips.is_visible()
    assert not any(
        page.locator(f".canvas {part}").is_visible() for part in (".rows", ".title.list", ".note.weight")
    )
    room = page.locator(".lf-stage").bounding_box()["width"]
    assert float(page.locator("svg.plane").get_attribute("width")) == pytest.approx(room, abs=1)
    press(page, "pictures")
    assert (said(page, ".lf-question"), said(page, ".lf-hint")) == ("Which digit?", hint) and chips.is_visible()
    show(example(view="points"))
    assert_fits(page, 375)


def test_distance_in_title_fits_on_a_phone(show, page):
    show(diffusion_figure(digits()).figure)
    at_step(page, 7)
    assert_fits(page, 375)
    assert page.locator(".title.nearest").text_content().startswith("RMS 0.")


def test_numbers_match_lib_before_images_are_loaded():
    (first,) = described(example())
    assert_matches_lib(first["state"], PICTURES)
