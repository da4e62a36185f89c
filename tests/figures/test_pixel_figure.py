"""The pixel figure in a browser: weights, estimates and filtered images compared with `lib`, input, appearance."""

import itertools
import json

import numpy as np
import pytest

from lib import filters
from lib.figures import Guesses, pixel_figure
from lib.figures.pixel import POSITION_BLOCKS, VALUE_BLOCKS
from lib.heads import keys_for_90_percent
from lib.images import add_noise, camera, cat, psnr
from lib.unified import image_kernel, smooth, window_weights
from tests.figures.contract import assert_fits
from tests.gestures import SET, after_keys, change, choose, drag, has_focus, middle, said, settled, state, touching
from tests.pictures import as_bytes, assert_map_shows, pixels_of
from tests.without_page import states

FLAT = 1e150  # a bandwidth at which a Gaussian is constant
METHODS = {  # functions of `lib`, and the page's names for their arguments
    "gaussian": (filters.bilateral_weights, filters.bilateral, "bandwidth", "flat", "radius"),
    "bilateral": (filters.bilateral_weights, filters.bilateral, "bandwidth_space", "bandwidth_value", "radius"),
    "nonlocal_means": (
        filters.nonlocal_means_weights,
        filters.nonlocal_means,
        "bandwidth",
        "patch_radius",
        "search_radius",
    ),
    "lark": (filters.lark_weights, filters.lark, "bandwidth", "radius"),
}


def photograph(height=41, width=37):
    """An edge, a line, a texture and a ramp: a small image with prime sides."""
    row, column = np.mgrid[:height, :width]
    image = np.where(row + column < 40, 0.2, 0.7) + 0.1 * np.sin(row / 2) * (column > 20) + 0.004 * column
    image[np.abs(row - 2 * column + 20) < 2] = 0.9
    return image


def example(method="bilateral", pixel=(20, 17), image=None, **changes):
    return pixel_figure(photograph() if image is None else image, method, pixel, **changes).figure


def weights_and_filtered(noisy, now):
    weights_of, filter_of, *names = METHODS[now["method"]]
    numbers = [FLAT if name == "flat" else now[name] for name in names]
    forgiven = {"noise_std": now["noise_std"]} if now.get("subtract_noise") else {}
    return weights_of(noisy, now["query"], *numbers, **forgiven), filter_of(noisy, *numbers, **forgiven)


def assert_matches_lib(figure, now):
    noisy = figure.clean_image + now["noise_std"] * figure.standard_noise
    weights, filtered = weights_and_filtered(noisy, now)
    np.testing.assert_allclose(now["estimate"], filtered[*now["query"]], rtol=0, atol=1e-9)
    assert now["keys_for_90_percent"] == keys_for_90_percent(weights.reshape(1, -1))
    assert now["n_keys"] == weights.size
    row, column = now["query"]
    np.testing.assert_array_equal(now["noisy"], noisy[row, column])
    np.testing.assert_array_equal(now["clean"], figure.clean_image[row, column])
    if now["filtered_psnr"] is not None:
        expected = psnr(filtered, figure.clean_image)
        assert now["filtered_psnr"] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("image", [photograph(), cat()[:31, :29], (255 * photograph()).astype(np.uint8)])
def test_noisy_image_matches_the_chapter(image):
    figure = pixel_figure(image, noise_std=20 / 255, rng=np.random.default_rng(5)).figure
    np.testing.assert_array_equal(figure.noisy_image(), add_noise(image, 20 / 255, rng=np.random.default_rng(5)))


BORDERS_AND_INSIDE = [(0, 0), (0, 36), (40, 0), (40, 36), (1, 18), (20, 35), (20, 17), (13, 29)]
SETTINGS = {
    "gaussian": [{"bandwidth_space": h} for h in [0.3, 1.7, 6.0]],
    "bilateral": [
        {"bandwidth_space": h, "bandwidth_value": v} for h in [0.3, 2.5, 6.0] for v in [0.02, 0.35, 1.5]
    ],
    "nonlocal_means": [
        {"bandwidth_value": h, "patch_radius": p, "radius": r, "subtract_index": s}
        for h, p, r, s in [(0.09, 3, 10, 1), (0.2, 1, 4, 0), (0.05, 0, 12, 1), (0.5, 4, 1, 0), (0.1, 2, 0, 1)]
    ],
    "lark": [{"bandwidth_space": h, "radius": r} for h, r in [(3.5, 7), (0.5, 2), (10.0, 12), (2.0, 0)]],
}


@pytest.mark.parametrize("image", [photograph(), cat()[40:81, 20:57]], ids=["grey", "colour"])
@pytest.mark.parametrize("method", SETTINGS)
def test_estimate_and_filtered_image_match_lib(method, image, show):
    """`test_numbers_without_a_page_match_lib` combines all settings and pixels."""
    figure = example(method, image=image, noise_std=20 / 255)
    page = show(figure)
    now = state(page)
    assert now["noisy_psnr"] == pytest.approx(psnr(figure.noisy_image(), image), abs=1e-9)
    assert now["filtered_psnr"] is not None
    assert_matches_lib(figure, now)
    for setting, (row, column) in zip(SETTINGS[method], BORDERS_AND_INSIDE, strict=False):
        now = change(page, **setting, query=[row, column])
        assert now["query"] == [row, column] and now["method"] == method
        assert_matches_lib(figure, now)


def unified_of_lib(image, setting):
    position, value, radius = setting["position_block"], setting["value_block"], setting["radius"]
    patch_radius, h_x, h_y = setting["patch_radius"], setting["bandwidth_space"], setting["bandwidth_value"]
    steering, channels = filters.steering_matrices(image), np.atleast_3d(image).shape[2]
    metric = {"none": np.zeros((2, 2)), "gaussian": np.eye(2) / h_x**2, "steering": steering / (2 * h_x**2)}[
        position
    ]
    centre = np.zeros((2 * patch_radius + 1,) * 2)
    centre[patch_radius, patch_radius] = channels  # a colour distance is a sum, a patch distance a mean
    inside = {
        "none": 0 * centre,
        "pixel": centre,
        "patch": filters.patch_kernel(patch_radius, setting["patch_weights"]),
    }
    feature_block = np.diag(np.repeat(inside[value], channels)) / (channels * h_y**2)
    prior = np.log(np.linalg.det(steering)) / 2 if position == "steering" else None
    return image_kernel(image, metric, feature_block, radius, patch_radius=patch_radius, log_prior=prior)


@pytest.mark.parametrize(
    "image, kind, patch_radius, radius",
    [
        (photograph(17, 13), "gaussian", 1, 4),
        (cat()[60:73, 50:61], "uniform", 2, 3),
        (photograph(3, 5), "uniform", 1, 4),
    ],
    ids=["grey", "colour", "smaller than a window"],
)
def test_two_block_kernels_match_unified_kernel(image, kind, patch_radius, radius, show):
    numbers = {"patch_radius": patch_radius, "radius": radius, "bandwidth_space": 2.3, "bandwidth_value": 0.2}
    figure = example("unified", (1, 1), image, patch_weights=kind, noise_std=20 / 255, **numbers)
    page, noisy, (height, width) = show(figure), figure.noisy_image(), image.shape[:2]
    for (i, position), (j, value) in itertools.product(enumerate(POSITION_BLOCKS), enumerate(VALUE_BLOCKS)):
        kernel = unified_of_lib(
            noisy, {"position_block": position, "value_block": value, "patch_weights": kind, **numbers}
        )
        filtered = smooth(kernel)
        for pixel in [(0, 0), (0, width - 1), (height - 1, 3), (height // 2, 4), (1, 1)]:
            now = choose(page, position_index=i, value_index=j, query=list(pixel))
            assert (now["position_block"], now["value_block"]) == (position, value)
            np.testing.assert_allclose(now["estimate"], filtered[pixel], rtol=0, atol=1e-9)
            assert now["keys_for_90_percent"] == keys_for_90_percent(window_weights(kernel, pixel).reshape(1, -1))
        assert now["filtered_psnr"] == pytest.approx(psnr(filtered, image), abs=1e-9)


CROPS = """() => {
  const bytes = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const grey = (canvas) => [canvas.width, [...bytes(canvas)].filter((_, i) => i % 4 === 0)];
  return [...document.querySelectorAll("canvas.crop, canvas.filtered")].map(grey);
}"""


def test_sentence_and_values_match_state_and_url(show):
    """The neighbourhood of the query is magnified as observed, filtered and true."""
    page = show()
    page.mouse.click(*middle(page, ".ground"))  # nothing moves
    now = state(page)
    assert now["query"] == [20, 17]
    shown = [f"{now[name]:.3f}".replace("-", "−") for name in ("noisy", "estimate", "clean")]
    noisy, estimate, true = shown
    count = f"{now['keys_for_90_percent']} of 169 keys"
    told = ["Bilateral filter, hx = 2.5, hy = 0.35", "row 20, column 17", count]
    for words in [*told, f"noisy {noisy}", f"Estimate {estimate}", f"true {true}"]:
        assert words in said(page)
    texts = page.locator(".values text").all_text_contents()
    assert (texts[::2], texts[1::2]) == (["noisy", "estimate", "true"], shown)
    filtered, noisy, estimate, true = (np.array(grey).reshape(-1, width) for width, grey in page.evaluate(CROPS))
    assert noisy.shape == estimate.shape == true.shape == (9, 9)
    for crop, name in [(noisy, "noisy"), (estimate, "estimate"), (true, "clean")]:
        assert crop[4, 4] == round(255 * min(max(now[name], 0), 1))
    around = filtered[16:25, 13:22]
    assert np.abs(around - estimate).max() <= 1 and np.abs(around - noisy).max() > 10
    address = "#pixel-unified=position:none,value:patch,bandwidth_space:3.1,query:99/2"
    page = show(example("unified"), address=address)
    now = state(page)
    assert (now["position_block"], now["value_block"], now["bandwidth_space"]) == ("none", "patch", 3.1)
    assert now["query"] == [40, 2] and "Non-local means" in said(page)
    now = change(page, position_index=2, value_index=1)
    assert (now["position_block"], now["value_block"]) == ("steering", "pixel")
    assert "without a name" in said(page)


@pytest.mark.parametrize("image", [photograph(), cat()[40:81, 20:57]], ids=["grey", "colour"])
def test_canvases_show_images_and_cells_show_weights(image, show):
    """An outline surrounds the keys with ninety percent of the weight."""
    figure = example(image=image, bandwidth_space=1.0)
    page, noisy = show(figure), figure.noisy_image()
    weights, filtered = weights_and_filtered(noisy, state(page))
    assert_map_shows(page, ".heat", weights, state(page)["keys_for_90_percent"])
    np.testing.assert_array_equal(pixels_of(page, "canvas.photo"), as_bytes(noisy))
    np.testing.assert_allclose(pixels_of(page, "canvas.filtered"), as_bytes(filtered), atol=1)
    for view, expected in [(1, image), (2, filtered), (0, noisy)]:
        now = change(page, view_index=view)
        assert now["view"] == page.locator(".title.photo").text_content() == ["noisy", "clean", "filtered"][view]
        np.testing.assert_allclose(pixels_of(page, "canvas.photo"), as_bytes(expected), atol=1)
    assert page.locator("canvas.photo").evaluate("c => getComputedStyle(c).imageRendering") == "pixelated"


@pytest.mark.variant
def test_images_of_every_shape_do_not_overlap(show, new_page):
    page = new_page(viewport={"width": 1280, "height": 800})
    for image in [camera(), photograph(), photograph(31, 61), cat()[:40, :30]]:
        show(example("nonlocal_means", (3, 5), image=image), page=page)
        for width in (744, 640, 375):
            assert_fits(page, width)
            assert touching(page, "canvas.photo", ".ground", "canvas.filtered", ".values", ".legend") == []


def test_filtered_image_follows_latest_parameters(show):
    figure = example("bilateral", image=camera())
    page = show(figure)
    first = state(page)
    moved = change(page, query=[3, 4])
    assert moved["filtered_psnr"] == first["filtered_psnr"] and page.locator("[data-pending]").count() == 0
    changed, kept = page.evaluate(
        f"""async () => {{
          const filtered = document.querySelector("canvas.filtered"), before = filtered.toDataURL();
          const state = await ({SET})({{ bandwidth_value: 1.2 }});
          return [state, filtered.matches(".pending") && filtered.toDataURL() === before];
        }}"""
    )
    assert kept  # dimmed until the new one is ready
    assert json.loads(changed)["filtered_psnr"] is None
    assert_matches_lib(figure, json.loads(changed))
    assert_matches_lib(figure, settled(page))
    for noise_level in [10, 20, 30]:
        page.evaluate(SET, {"noise_level": noise_level})
        page.wait_for_timeout(80)  # the worker is filtering
    assert settled(page)["noise_std"] == 30 / 255
    assert_matches_lib(figure, state(page))
    filtered = weights_and_filtered(figure.clean_image + 30 / 255 * figure.standard_noise, state(page))[1]
    np.testing.assert_allclose(pixels_of(page, "canvas.filtered"), as_bytes(filtered), atol=1)


QUESTIONS = [  # method, setting of the question, its name and values in `data-state`, label of the scrubber
    ("lark", {"noise": 20}, "noise_std", [value / 255 for value in (25, 24, 23, 22, 21, 20)], "noise"),
    ("nonlocal_means", {"patch_radius": 0}, "patch_radius", [3, 2, 1, 0], "patch radius"),
    ("bilateral", {"bandwidth_value": 0.38}, "bandwidth_value", [0.35, 0.36, 0.37, 0.38], "bandwidth"),
    ("unified", {"position": "steering"}, "position_block", ["gaussian", "steering"], "position"),
]


@pytest.mark.parametrize("method, then, name, values, label", QUESTIONS)
def test_play_changes_the_setting_that_the_question_names(method, then, name, values, label, show, page):
    guesses = Guesses(["a", "b"], right="a", then=then, because="So.")
    show(example(method, (9, 9), photograph(19, 17), question="What if?", guesses=guesses))
    scrubber = page.get_by_role("slider", name=f"Frame of Play: {label}")
    assert page.locator(".lf-scrubbed").inner_text() == label
    scrubber.press("Home")
    seen = [settled(page)[name]]
    for place in range(2, len(values) + 1):
        scrubber.press("ArrowRight")
        seen.append(settled(page)[name])
        assert scrubber.get_attribute("aria-valuetext") == f"{place} of {len(values)}"
    assert seen == values


def test_play_shows_filtered_images_undimmed(show, page):
    guesses = Guesses(["a", "b"], right="a", then={"noise": 0}, because="So.")
    show(example("lark", (9, 9), photograph(19, 17), question="What if?", guesses=guesses))
    page.add_style_tag(content="canvas { transition: none !important }")  # it may still fade in from before Play
    page.evaluate("""() => {
      const filtered = document.querySelector("canvas.filtered"), seen = (window.seen = []);
      const look = () => requestAnimationFrame(() => {
        const shown = [getComputedStyle(filtered).opacity, filtered.toDataURL()];
        if (document.querySelector("[data-playing]")) seen.push(shown);
        look();
      });
      look();
    }""")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function("new Set(window.seen.map(([, image]) => image)).size >= 2")  # filtered during Play
    page.get_by_role("button", name="Stop").click()
    assert {opacity for opacity, _ in page.evaluate("seen")} == {"1"}


def test_noise_of_zero_keeps_name_and_ghost_covers_no_crop(show, page):
    show(example())
    before = f"before: {state(page)['estimate']:.3f}"
    choose(page, noise_level=0)
    assert page.locator(".title.photo").text_content() == "noisy, σ = 0"
    assert page.locator(".legend .was text").text_content() == before
    ghosts = [each for each in page.locator("svg.canvas .ghost").all() if each.is_visible()]
    crops = [crop.bounding_box() for crop in page.locator("canvas.crop").all()]
    assert ghosts and all(
        ghost["x"] + ghost["width"] < crop["x"]
        or crop["x"] + crop["width"] < ghost["x"]
        or ghost["y"] + ghost["height"] < crop["y"]
        for ghost in (each.bounding_box() for each in ghosts)
        for crop in crops
    )


@pytest.mark.parametrize("method", SETTINGS)
def test_numbers_without_a_page_match_lib(method):
    figure = example(method, noise_std=20 / 255)
    settings = itertools.product(SETTINGS[method], BORDERS_AND_INSIDE)
    for now in states(figure, *({**setting, "query": list(query)} for setting, query in settings)):
        assert_matches_lib(figure, now)


HEIGHT, WIDTH = 41, 37
WINDOW = 13  # pixels across


def scale_of(page):
    return page.locator("canvas.photo").bounding_box()["width"] / WIDTH


def test_mouse_and_arrow_keys_move_query_cross(show):
    figure, keys = example(), "ArrowRight ArrowUp ArrowLeft ArrowDown Shift+ArrowDown".split()
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
    assert_matches_lib(figure, settled(page))
    page.get_by_role("button", name="Reset").click()
    drag(page, ".query-handle", 9 * scale_of(page), -5 * scale_of(page))
    assert settled(page)["query"] == [15, 26]
    assert_matches_lib(figure, settled(page))
    drag(page, ".query-handle", 900, 900)
    assert state(page)["query"] == [40, 36]
    drag(page, ".query-handle", 1, 0)  # less than one pixel of the image
    assert state(page)["query"] == [40, 36]
    for picture in ("canvas.photo", "canvas.filtered"):
        box = page.locator(picture).bounding_box()
        page.mouse.click(box["x"] + box["width"] * 4.5 / WIDTH, box["y"] + box["height"] * 33.5 / HEIGHT)
        assert state(page)["query"] == [33, 4]
        assert has_focus(page, ".query-handle")
        x, y = middle(page, ".query-handle")  # a click beside the lines of the cross, but inside its box
        page.mouse.click(x + 2 * scale_of(page), y - 3 * scale_of(page))
        assert state(page)["query"] == [30, 6]
