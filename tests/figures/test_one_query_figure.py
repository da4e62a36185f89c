"""The front page's figure in a real browser: six methods beside `lib`'s, hands, keys, looks."""

import base64
import functools
import io
import json
import math
import re

import numpy as np
import pytest
from PIL import Image

from lib.figures import one_query_figure
from lib.figures.one_query import METHODS, NOISE_STD, short_maps
from lib.filters import bilateral, bilateral_weights, lark, lark_weights, nonlocal_means, nonlocal_means_weights
from lib.heads import keys_for_90_percent
from lib.images import add_noise, camera
from lib.patch_attention import MIDDLE, patch_attention, patch_attention_weights, trained_maps, window_tokens
from lib.random_features import centre_keys, dense_exponential_frequencies, feature_average, positive_features
from lib.regression import nadaraya_watson_weights
from lib.weights import average
from tests.figures.test_every_figure import assert_fits
from tests.gestures import change, choose, drag, has_focus, middle, press, said, settled, state, swipe, touching
from tests.pictures import as_bytes, assert_map_shows, pixels_of

HEIGHT, WIDTH = 41, 37
RADIUS = 7


def example(pixel=(20, 17), path=()):
    return one_query_figure(camera()[80 : 80 + HEIGHT, 50 : 50 + WIDTH], pixel, path=path).figure


def front_figure(moves_first=False):
    path = [(12, 60), (44, 58), (96, 58)]
    return one_query_figure(camera()[16:120, :104], (74, 58), path=path, moves_first=moves_first).figure


@pytest.fixture(scope="module")
def figure():
    return example()


STILL = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}  # the brush stays where it is


def weights_of_lib(figure, pixel, times=1.0):
    """The weights `(225,)` of every method, for bandwidths so many times as wide."""
    noisy, numbers = figure.noisy_image, {name: method.kernel for name, method in METHODS.items()}
    offsets = np.indices((2 * RADIUS + 1,) * 2).reshape(2, -1).T - float(RADIUS)
    space = lambda name: times * numbers[name]["bandwidth_space"]
    value = lambda name: times * numbers[name]["bandwidth_value"]
    maps = (each.astype(float) / times for each in trained_maps())
    forgiving = {"noise_std": NOISE_STD}
    weights = {
        "nadaraya_watson": nadaraya_watson_weights(np.zeros((1, 2)), offsets, space("nadaraya_watson")),
        "bilateral": bilateral_weights(noisy, pixel, space("bilateral"), value("bilateral"), RADIUS),
        "nonlocal_means": nonlocal_means_weights(noisy, pixel, value("nonlocal_means"), 3, RADIUS, **forgiving),
        "lark": lark_weights(noisy, pixel, space("lark"), RADIUS),
        "attention": patch_attention_weights(noisy, pixel, *maps),
        "performer": performer_weights(figure, pixel, times),
    }
    return {name: each.ravel() for name, each in weights.items()}


@functools.cache
def performer(figure):
    packed = figure.frequencies
    numbers = np.frombuffer(base64.b64decode(packed["data"]), "<i2") / packed["unit"]
    noisy = figure.noisy_image
    return *short_maps(noisy), window_tokens(noisy), numbers.reshape(packed["shape"][1:])


def performer_weights(figure, pixel, times):
    query_map, key_map, moment, tokens_around, frequencies = performer(figure)
    (tokens,), _ = tokens_around(*np.array(pixel)[:, None])
    queries, keys = tokens[[MIDDLE]] @ query_map.T / times, centre_keys(tokens @ key_map.T / times)
    spread, log_weights = dense_exponential_frequencies(frequencies, np.diag(moment) / times**2)
    query_features = positive_features(queries, spread) * np.exp(log_weights)
    return feature_average(query_features, positive_features(keys, spread), np.eye(len(keys)))


def window_of(figure, pixel):
    row, column = pixel
    padded = np.pad(figure.noisy_image, RADIUS, mode="reflect")
    return padded[row : row + 2 * RADIUS + 1, column : column + 2 * RADIUS + 1]


def cropped(image, query):
    """What a copy shows: 32 × 32 pixels around the query, or as many as there are."""
    side = min(32, *image.shape[:2])
    top, left = (min(max(q - side // 2, 0), n - side) for q, n in zip(query, image.shape, strict=False))
    return image[top : top + side, left : left + side]


def painted(figure, dabs):
    """Where the brush has been, from the numbers of its dabs: disks around the middles of a grid's cells."""
    height, width = figure.clean_image.shape
    radius = round(max(height, width) / 15)
    step = math.ceil(radius / 2)
    rows, columns = np.indices((height, width))
    mask = np.zeros((height, width), bool)
    for dab in dabs:
        row, column = (each * step + step // 2 for each in divmod(dab, math.ceil(width / step)))
        mask |= (rows - row) ** 2 + (columns - column) ** 2 <= radius**2
    return mask


def estimates_of_lib(figure, mask, times):
    pixels = list(map(tuple, np.argwhere(mask)))
    weights = (weights_of_lib(figure, pixel, times) for pixel in pixels)
    values = (window_of(figure, pixel).ravel() for pixel in pixels)
    return np.array([[average(each, v) for each in w.values()] for w, v in zip(weights, values, strict=True)])


def assert_matches_lib(figure, now):
    weights = weights_of_lib(figure, now["query"], now["bandwidth"])
    assert list(now["estimate"]) == list(weights) == list(METHODS)
    for name, each in weights.items():
        expected = average(each, window_of(figure, now["query"]).ravel())
        assert now["estimate"][name] == pytest.approx(expected, abs=1e-9), name
        assert now["keys_for_90_percent"][name] == keys_for_90_percent(each[None]), name
    row, column = now["query"]
    assert now["noisy"] == figure.noisy_image[row, column]
    assert now["clean"] == figure.clean_image[row, column]
    misplaced = np.abs(weights["attention"] - weights["performer"]).sum() / 2
    assert now["misplaced"] == pytest.approx(misplaced, abs=1e-9)


def test_noisy_image_is_the_one_that_a_chapter_makes_and_all_travels_light():
    figure = one_query_figure(camera()[:31, :29], rng=np.random.default_rng(5)).figure
    expected = add_noise(camera()[:31, :29], 25 / 255, rng=np.random.default_rng(5))
    np.testing.assert_array_equal(figure.noisy_image, expected)
    front = front_figure()
    assert len(json.dumps([front.clean, front.noise, front.frequencies, front.maps])) < 120_000


def test_estimates_and_what_the_brush_cleans_equal_lib(figure, show):
    page, found = show(), {}
    for times in (0.5, 0.7, 1.0, 1.9, 3.0):
        for row, column in [(0, 36), (20, 17), (33, 5)] + (times == 1) * [(0, 0), (40, 0), (40, 36), (1, 18)]:
            now = change(page, bandwidth=times, query=[row, column])
            assert (now["query"], now["bandwidth"]) == ([row, column], times)
            assert_matches_lib(figure, now)
        found[times] = now["keys_for_90_percent"]
    for name in METHODS:
        assert found[0.5][name] < found[3.0][name], f"the bandwidth widens {name}"
    np.testing.assert_array_equal(pixels_of(page, "canvas.photo"), as_bytes(figure.noisy_image))
    change(page, dabs=[])
    for query in [(0, 0), (23, 30), (40, 36)]:
        change(page, query=list(query))  # the copies show what lies around it
        noisy = cropped(as_bytes(figure.noisy_image), query)
        np.testing.assert_array_equal(pixels_of(page, "canvas.copy.lark"), noisy)
    for times, dabs in [(0.5, [0]), (1.0, [25, 26]), (3.0, [180])]:  # a corner, a stroke, the right border
        now = choose(page, bandwidth=times, dabs=dabs)
        mask = painted(figure, now["dabs"])
        assert now["brushed"] == now["cleaned"] == mask.sum()
        estimates, truth = estimates_of_lib(figure, mask, times), figure.clean_image[mask]
        for (name, error), each in zip(now["error"].items(), estimates.T, strict=True):
            assert error == pytest.approx(np.sqrt(np.mean((each - truth) ** 2)), abs=1e-9), name
            shown = np.round(255 * np.clip(figure.noisy_image, 0, 1))
            shown[mask] = 255 * np.clip(each, 0, 1)
            copy = pixels_of(page, f"canvas.copy.{name}")
            np.testing.assert_allclose(copy, cropped(shown, now["query"])[..., None] * np.ones(3), atol=0.5 + 1e-6)


def test_every_method_has_its_best_bandwidth_on_the_whole_photograph():
    """As the caption says. Attention may have no better temperature either."""
    figure = front_figure()
    noisy, kernel = figure.noisy_image, {name: method.kernel for name, method in METHODS.items()}
    space, value = (lambda name, block=b: kernel[name][f"bandwidth_{block}"] for b in ("space", "value"))
    h_x, h_y, maps = space("bilateral"), value("bilateral"), [each.astype(float) for each in trained_maps()]
    forgiving = {"patch_radius": 3, "search_radius": RADIUS, "noise_std": NOISE_STD}
    cleaned = {
        "nadaraya_watson": lambda t: bilateral(noisy, t * space("nadaraya_watson"), 1e6, RADIUS),
        "bilateral": lambda t: bilateral(noisy, t * h_x, h_y, RADIUS),
        "bilateral value": lambda t: bilateral(noisy, h_x, t * h_y, RADIUS),
        "nonlocal_means": lambda t: nonlocal_means(noisy, t * value("nonlocal_means"), **forgiving),
        "lark": lambda t: lark(noisy, t * space("lark"), RADIUS),
        "attention": lambda t: patch_attention(noisy, *(each / t for each in maps)),
    }
    for name, clean in cleaned.items():
        errors = [np.sqrt(np.mean((clean(times) - figure.clean_image) ** 2)) for times in (0.8, 1, 1.25)]
        assert min(errors) == errors[1], (name, errors)


def test_how_far_the_copies_are_is_told_after_a_guess(show):
    page = show()
    veils = page.locator(".veil")
    assert [veil.is_visible() for veil in veils.all()] == 6 * [True]
    for told in ("number", "unit", "mark"):
        assert page.locator(f".method .{told}").all_text_contents() == 6 * [""]
    assert not re.search(r"\d", said(page)) and "Which is nearest" in said(page, ".verdict")
    veils.nth(list(METHODS).index("lark")).press("Enter")
    now = state(page)
    assert now["guess"] == "lark"
    veils.first.wait_for(state="hidden")  # they fade
    ranked = sorted(METHODS, key=now["error"].get)
    marks = ["nearest" if name == ranked[0] else "yours" if name == "lark" else "" for name in METHODS]
    assert page.locator(".method .mark").all_text_contents() == marks
    assert page.locator(f".method.nearest.{ranked[0]}").count() == 1
    numbers = [f"{255 * error:.1f}" for error in now["error"].values()]
    assert page.locator(".method .number").all_text_contents() == numbers
    assert has_focus(page, ".query-handle")
    off = {name: f"{255 * error:.1f} grey levels" for name, error in now["error"].items()}
    best, worst = (METHODS[name].title for name in (ranked[0], ranked[-1]))
    for words in (
        f"{best} is nearest to the photograph without noise, off by {off[ranked[0]]}",
        f"{worst} is farthest, off by {off[ranked[-1]]}",
        f"You guessed {METHODS['lark'].title}, which is off by {off['lark']}.",
        f"column 17, 90 % of the weight lies on {now['keys_for_90_percent'][ranked[0]]} of 225 pixels with {best}",
    ):
        assert words in said(page)
    for name in METHODS:
        change(page, guess=name)
        verdict = said(page, ".verdict")
        assert f"{best} is nearest, {off[ranked[0]]} off" in verdict
        assert verdict.startswith("You guessed it: ") == (name == ranked[0])
        assert name == ranked[0] or f"Your guess, {METHODS[name].title}, is {off[name]} off." in verdict


def test_a_drag_tells_without_a_guess_its_stroke_has_no_gap_and_maps_show_its_weights(figure, show):
    """And an outline ninety per cent of them."""
    page = show()
    before = state(page)
    scale = page.locator("canvas.photo").bounding_box()["width"] / WIDTH
    drag(page, ".query-handle", 9 * scale, -5 * scale)
    line = [(20 - round(5 * i / 9), 17 + i) for i in range(10)]
    assert painted(figure, state(page)["dabs"])[tuple(np.transpose(line))].all()
    now = settled(page)
    assert now["guess"] == "none" and now["cleaned"] > before["cleaned"]
    page.locator(".veil").first.wait_for(state="hidden")
    assert page.locator(".method.nearest .mark").text_content() == "nearest"
    page.mouse.click(*middle(page, ".method.lark .ground"))
    assert state(page)["query"] == now["query"], "a press on a map changes nothing"
    for name, weights in weights_of_lib(figure, now["query"]).items():
        assert_map_shows(page, f".method.{name}", weights.reshape(15, 15), int(keys_for_90_percent(weights[None])))


def test_panels_leave_room_for_each_other(show):
    page = show(example((8, 30)))
    copy = page.locator("canvas.copy.lark").bounding_box()  # rows 0 to 31, columns 5 to 36
    there = copy["x"] + copy["width"] * 25.5 / 32, copy["y"] + copy["width"] * 8.5 / 32
    assert middle(page, ".method.lark .frame") == pytest.approx(there, abs=0.6)
    for width in (744, 620, 320, 375):
        assert_fits(page, width)
        assert touching(page, "canvas.photo", ".legend", ".lf-play", ".verdict", "canvas.copy") == []
    corners = [page.locator(f"canvas.copy.{name}").bounding_box() for name in METHODS]
    assert [len({round(box[side]) for box in corners}) for side in "xy"] == [2, 3], "two columns on a phone"


@pytest.mark.parametrize("guess", ["", "nadaraya_watson"])
def test_brush_takes_its_way_once_by_itself_and_a_guess_on_the_way_is_about_all_of_it(guess, show, page):
    page.clock.install()
    show(front_figure(moves_first=True))
    for _ in range(300):  # it looks whether the figure is in sight, in real time
        if page.locator("[data-playing]").count():
            break
        page.clock.run_for(200)
    assert 0 < len(state(page)["dabs"]) < len(front_figure().dabs)
    if guess:
        page.locator(".veil").first.click()
    else:
        page.clock.run_for(60_000)
        assert page.locator(".veil").first.is_visible(), "nobody has guessed yet"
    now = state(page)
    assert (now["query"], now["dabs"], now["guess"]) == ([74, 58], front_figure().dabs, guess)
    assert page.locator("[data-playing]").count() == 0


def test_brush_waits_where_a_hand_was_or_no_motion_is_wanted(show, new_page):
    for options, touch in [(STILL, False), ({}, True)]:
        page = new_page(**options)
        page.clock.install()
        show(front_figure(moves_first=True), page=page)
        if touch:
            page.evaluate("dispatchEvent(new PointerEvent('pointerdown'))")
        before = state(page)["dabs"]
        page.clock.run_for(5000)
        assert state(page)["dabs"] == before


def test_a_photograph_of_ones_own_is_cleaned_and_leaves_with_reset(show):
    page = show()
    before = state(page)
    chooser = page.locator("input[type=file]")
    chooser.set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"no picture"})
    page.wait_for_function("document.querySelector('.note').textContent !== ''")
    assert page.locator(".note").inner_text() == "Expected a picture, such as a JPEG or a PNG, got notes.txt."
    assert state(page) == before
    image = Image.new("RGB", (400, 200), (40, 60, 20))  # half dark, half light
    image.paste((220, 200, 240), (200, 0, 400, 200))
    image.save(png := io.BytesIO(), "PNG")
    chooser.set_input_files({"name": "mine.png", "mimeType": "image/png", "buffer": png.getvalue()})
    page.wait_for_selector(".fine")
    assert pixels_of(page, "canvas.photo").shape == (128, 256, 3)
    assert "stays on this page" in page.locator(".note").inner_text()
    assert (state(page)["query"], state(page)["guess"], state(page)["dabs"]) == ([64, 128], "none", [])
    drag(page, ".query-handle", 40, 0)
    now = settled(page)
    assert now["cleaned"] > 400
    assert now["error"]["nonlocal_means"] < NOISE_STD / 3 and abs(now["clean"] - 0.8) < 0.1
    assert "brush" not in page.evaluate("location.hash")
    assert press(page, "Reset") == before


def test_front_page_shows_what_lib_says_and_leads_to_the_chapters(site, new_page):
    figure, page = front_figure(), new_page(**STILL)
    page.goto(f"{site}/intro.html")
    page.wait_for_selector(".one-query-figure[data-state]")
    before = settled(page)
    assert before["query"] == [74, 58]
    assert_matches_lib(figure, before)
    error = before["error"]  # as the page says; and the figure would teach nothing if the copies were alike
    assert min(error, key=error.get) == "attention"
    assert NOISE_STD > error["performer"] > error["nadaraya_watson"] > 1.3 * error["attention"]
    page.locator(".query-handle").scroll_into_view_if_needed()
    drag(page, ".query-handle", -60, -40)
    now = settled(page)
    assert all(now["estimate"][name] != before["estimate"][name] for name in METHODS)
    assert_matches_lib(figure, now)
    links = page.locator(".method a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert links == [f"{method.chapter}.html" for method in METHODS.values()]
    page.locator(".method.nonlocal_means a").click()
    page.wait_for_url("**/chapters/03_nonlocal_means.html")


def test_query_stays_in_view_on_the_page(site, phone):
    phone.goto(f"{site}/intro.html")
    phone.wait_for_selector(".one-query-figure[data-state]")
    phone.locator("canvas.performer").scroll_into_view_if_needed()
    handle, query = phone.locator(".query-handle").bounding_box(), state(phone)["query"]
    assert 0 <= handle["y"] and handle["y"] + handle["height"] <= 500
    x, y = middle(phone, ".query-handle")
    assert phone.evaluate("([x, y]) => document.elementFromPoint(x, y).className", [x, y]) == "query-handle"
    header, photo = (phone.locator(part).bounding_box() for part in (".bd-header-article", "canvas.photo"))
    assert header["y"] == 0 and header["height"] <= photo["y"]
    swipe(phone, x, y, right=-30, down=0)
    assert state(phone)["query"] != query
