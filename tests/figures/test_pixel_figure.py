"""The pixel figure in a real browser: weights, estimates, filtered images beside `lib`'s, hands, keys, looks."""

import itertools
import json
import re
import subprocess

import numpy as np
import pytest
from bundle_figures import ESBUILD
from conftest import ROOT
from hands import SET, change, middle, state, touching
from make_pictures import still_pictures
from pictures import as_bytes, pixels_of
from test_every_figure import assert_fits

from lib.figures import pixel_figure
from lib.figures.pixel import POSITION_BLOCKS, VALUE_BLOCKS
from lib.filters import (
    bilateral,
    bilateral_weights,
    lark,
    lark_log_weights,
    lark_weights,
    nonlocal_means,
    nonlocal_means_weights,
    patch_kernel,
    steering_matrices,
)
from lib.filters.lark import disk
from lib.images import add_noise, camera, cat, psnr
from lib.unified import image_kernel, smooth, window_weights
from lib.weights import softmax

FLAT = 1e150  # a bandwidth at which a Gaussian is constant


def photograph(height=41, width=37):
    """An edge, a line, a texture and a ramp, small and of prime sides."""
    row, column = np.mgrid[:height, :width]
    image = np.where(row + column < 40, 0.2, 0.7) + 0.1 * np.sin(row / 2) * (column > 20) + 0.004 * column
    image[np.abs(row - 2 * column + 20) < 2] = 0.9
    return image


def example(method="bilateral", pixel=(20, 17), image=None, **changes):
    return pixel_figure(photograph() if image is None else image, method, pixel, **changes).figure


def estimate_of_lib(noisy, now):
    """Weights and estimate of `lib.filters` for a state that the page has published."""
    pixel, sigma = now["query"], now["noise_std"]
    if now["method"] == "gaussian":
        weights = bilateral_weights(noisy, pixel, now["bandwidth"], FLAT, now["radius"])
    elif now["method"] == "bilateral":
        weights = bilateral_weights(noisy, pixel, now["bandwidth_space"], now["bandwidth_value"], now["radius"])
    elif now["method"] == "nonlocal_means":
        forgiven = sigma if now["subtract_noise"] else 0
        radii = now["patch_radius"], now["search_radius"]
        weights = nonlocal_means_weights(noisy, pixel, now["bandwidth"], *radii, noise_std=forgiven)
    else:
        weights = lark_weights(noisy, pixel, now["bandwidth"], now["radius"])
    radius = len(weights) // 2
    border = [(radius, radius)] * 2 + [(0, 0)] * (noisy.ndim - 2)
    row, column = pixel
    window = np.pad(noisy, border, mode="reflect")[row : row + len(weights), column : column + len(weights)]
    return weights, np.tensordot(weights, window, axes=2)


def filter_of_lib(noisy, now):
    """The filtered image of `lib.filters` for a state that the page has published."""
    if now["method"] == "gaussian":
        return bilateral(noisy, now["bandwidth"], FLAT, now["radius"])
    if now["method"] == "bilateral":
        return bilateral(noisy, now["bandwidth_space"], now["bandwidth_value"], now["radius"])
    if now["method"] == "nonlocal_means":
        sigma = now["noise_std"] if now["subtract_noise"] else 0
        return nonlocal_means(noisy, now["bandwidth"], now["patch_radius"], now["search_radius"], noise_std=sigma)
    return lark(noisy, now["bandwidth"], now["radius"])


def assert_matches_lib(figure, now):
    noisy = figure.clean_image + now["noise_std"] * figure.standard_noise
    weights, estimate = estimate_of_lib(noisy, now)
    np.testing.assert_allclose(now["estimate"], estimate, rtol=0, atol=1e-9)
    carried = np.cumsum(np.sort(weights.ravel())[::-1])
    assert now["keys_for_90_percent"] == np.argmax(carried >= 0.9 - 1e-12) + 1
    assert now["n_keys"] == weights.size
    row, column = now["query"]
    np.testing.assert_array_equal(now["noisy"], noisy[row, column])
    np.testing.assert_array_equal(now["clean"], figure.clean_image[row, column])
    if now["filtered_psnr"] is not None:
        expected = psnr(filter_of_lib(noisy, now), figure.clean_image)
        assert now["filtered_psnr"] == pytest.approx(expected, abs=1e-9)


# ---- The Python half --------------------------------------------------------------------------------------


def test_radius_has_a_slider_only_if_it_does_not_follow_the_bandwidth():
    assert "radius" not in example(bandwidth_space=2.0).parameters
    assert example(bandwidth_space=2.0).radius is None
    assert "radius" in example(radius=4).parameters


@pytest.mark.parametrize("image", [photograph(), cat()[:31, :29], (255 * photograph()).astype(np.uint8)])
def test_noisy_image_is_the_one_that_a_chapter_makes(image):
    figure = pixel_figure(image, noise_std=20 / 255, rng=np.random.default_rng(5)).figure
    np.testing.assert_array_equal(figure.noisy_image(), add_noise(image, 20 / 255, np.random.default_rng(5)))


def test_photograph_and_noise_travel_in_a_byte_or_two_a_number():
    figure = pixel_figure(camera()).figure
    assert (figure.clean["type"], figure.noise["type"]) == ("uint8", "int16")
    assert len(json.dumps([figure.clean, figure.noise])) < 66_000
    assert pixel_figure(photograph() / 3).figure.clean["type"] == "float64"


@pytest.mark.parametrize(
    "arguments, error, message",
    [
        ({"image": np.zeros((2, 2, 2))}, ValueError, r"image: expected .*\(2, 2, 2\)"),
        ({"image": np.zeros((2, 300))}, ValueError, "at most 256"),
        ({"image": np.full((2, 2), np.nan)}, ValueError, "image: expected finite"),
        ({"image": np.zeros((3, 3), int)}, TypeError, "image: expected floats"),
        ({"method": "median"}, ValueError, "method: expected one of gaussian"),
        ({"pixel": (41, 0)}, ValueError, "pixel: expected"),
        ({"pixel": (1.5, 0)}, TypeError, "pixel: expected"),
        ({"bandwidth": 2.0}, TypeError, "bandwidth: expected, for 'bilateral', one of bandwidth_space"),
        ({"value_block": "none"}, TypeError, "value_block: expected, for 'bilateral'"),
        ({"bandwidth_space": 0}, ValueError, "bandwidth_space: expected a number from 0.3 to 6"),
        ({"bandwidth_space": np.nan}, ValueError, "bandwidth_space: expected"),
        ({"bandwidth_space": None}, TypeError, "bandwidth_space: expected one number"),
        ({"bandwidth_value": "wide"}, TypeError, "bandwidth_value: expected one number"),
        ({"radius": 99}, ValueError, "radius: expected a number from 0 to 14"),
        ({"noise_std": 0.5}, ValueError, "noise_std: expected a number from 0 to 0.196"),
        ({"view": "sharp"}, ValueError, "view: expected one of noisy"),
        ({"address": "two words"}, ValueError, "address: expected"),
        ({"method": "unified", "position_block": "bent"}, ValueError, "position_block: expected one of none"),
        ({"method": "nonlocal_means", "patch_weights": "round"}, ValueError, "patch_weights: expected"),
    ],
)
def test_bad_arguments_are_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        pixel_figure(**{"image": photograph(), **arguments})


# ---- The numbers ------------------------------------------------------------------------------------------

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
def test_estimate_equals_that_of_lib(method, image, show):
    figure = example(method, image=image)
    page = show(figure)
    for setting in SETTINGS[method]:
        for row, column in BORDERS_AND_INSIDE:
            now = change(page, **setting, query=[row, column])
            assert now["query"] == [row, column] and now["method"] == method
            assert_matches_lib(figure, now)


@pytest.mark.parametrize("method", SETTINGS)
def test_filtered_image_is_that_of_lib(method, show):
    """By its distance from the image without noise, in decibels to 1e-9."""
    figure = example(method, noise_std=20 / 255)
    page = show(figure)
    now = state(page)
    assert now["noisy_psnr"] == pytest.approx(psnr(figure.noisy_image(), photograph()), abs=1e-9)
    assert_matches_lib(figure, now)


WINDOW = """async ([source, image, disk, settings, pixels]) => {
  const window = await import(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const planes = image.planes.map((plane) => Float64Array.from(plane.flat()));
  const grid = { height: image.planes[0].length, width: image.planes[0][0].length, planes };
  const steering = window.steeringPlanes(grid, disk);
  const results = settings.map((setting) => {
    const kernel = window.windowKernel(grid, steering, setting);
    const steps = window.filterInSteps(kernel);
    let next;
    do next = steps.next(); while (!next.done);
    const logWeights = pixels.map((pixel) => window.windowLogWeights(kernel, pixel));
    return { logWeights, filtered: next.value.map((plane) => [...plane]) };
  });
  return { steering: steering.planes.map((plane) => [...plane]), results };
}"""


@pytest.fixture
def in_javascript(page):
    """What lib/figures/window.js makes of an image: steering planes, log-weights of pixels, filtered images."""

    def run(image, settings=(), pixels=()):
        command = [*ESBUILD, "lib/figures/window.js", "--bundle", "--format=esm"]
        source = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, encoding="utf8").stdout
        planes = np.moveaxis(np.atleast_3d(image), -1, 0).tolist()
        arguments = [source, {"planes": planes}, disk(5).tolist(), list(settings), [list(p) for p in pixels]]
        return page.evaluate(WINDOW, arguments)

    return run


def noisy_photograph(*shape):
    return add_noise(photograph(*shape), 0.1, np.random.default_rng(1))


@pytest.mark.parametrize(
    "image",
    [
        noisy_photograph(),
        photograph(),  # without noise s₂ is nearly zero, and its square has lost its digits
        np.tile(np.where(np.arange(23) < 11, 0.25, 0.75), (17, 1)),
        np.full((13, 11), 0.5),
        add_noise(cat()[:19, :23], 0.1, np.random.default_rng(2)),
        noisy_photograph(3, 5),
        np.array([[0.3]]),
    ],
    ids=["noisy", "clean", "step", "constant", "colour", "small", "one pixel"],
)
def test_steering_planes_equal_the_matrices_of_lib(image, in_javascript, request):
    expected = steering_matrices(image)
    rows, mixed, columns, log_scale = np.array(in_javascript(image)["steering"]).reshape(4, *image.shape[:2])
    found = np.stack([np.stack([rows, mixed], -1), np.stack([mixed, columns], -1)], -2)
    size = np.abs(expected).max(axis=(2, 3), keepdims=True)
    # Along a straight edge without noise s₂ is rounding alone, which λ″ = 10⁻⁷ does not quite hide.
    tolerance = 1e-4 if request.node.callspec.id in ("clean", "step") else 1e-9
    np.testing.assert_allclose(found / size, expected / size, rtol=0, atol=tolerance)
    np.testing.assert_allclose(log_scale, np.log(np.linalg.det(expected)) / 2, rtol=0, atol=10 * tolerance)


def unified_of_lib(image, setting):
    """The kernel of `lib.unified` with these blocks."""
    position, value, radius = setting["position_block"], setting["value_block"], setting["radius"]
    patch_radius, h_x, h_y = setting["patch_radius"], setting["bandwidth_space"], setting["bandwidth_value"]
    steering, channels = steering_matrices(image), np.atleast_3d(image).shape[2]
    position_block = {
        "none": np.zeros((2, 2)),
        "gaussian": np.eye(2) / h_x**2,
        "steering": steering / (2 * h_x**2),
    }
    centre = np.zeros((2 * patch_radius + 1,) * 2)
    centre[patch_radius, patch_radius] = channels  # a colour distance is a sum, a patch distance a mean
    inside = {"none": 0 * centre, "pixel": centre, "patch": patch_kernel(patch_radius, setting["patch_weights"])}
    feature_block = np.diag(np.repeat(inside[value], channels)) / (channels * h_y**2)
    prior = np.log(np.linalg.det(steering)) / 2 if position == "steering" else None
    return image_kernel(
        image, position_block[position], feature_block, radius, patch_radius=patch_radius, log_prior=prior
    )


@pytest.mark.parametrize("image", [noisy_photograph(17, 13), cat()[60:73, 50:61]], ids=["grey", "colour"])
def test_any_two_blocks_equal_those_of_the_unified_kernel(image, in_javascript):
    pixels = [(0, 0), (0, 10), (12, 5), (6, 6), (7, 1)]
    common = {"bandwidth_space": 2.3, "bandwidth_value": 0.2, "forgiven": 0}
    patches = [(1, "gaussian", 4), (2, "uniform", 3)]
    settings = [
        {
            "position_block": position,
            "value_block": value,
            "patch_radius": patch,
            "patch_weights": kind,
            "radius": r,
        }
        | common
        for position, value in itertools.product(POSITION_BLOCKS, VALUE_BLOCKS)
        for patch, kind, r in patches
    ]
    for setting, found in zip(settings, in_javascript(image, settings, pixels)["results"], strict=True):
        kernel = unified_of_lib(image, setting)
        for pixel, logs in zip(pixels, found["logWeights"], strict=True):
            weights = softmax(np.array(logs))
            expected = window_weights(kernel, pixel).ravel()
            np.testing.assert_allclose(weights, expected, atol=1e-9, err_msg=str(setting))
        filtered = np.moveaxis(np.reshape(found["filtered"], (-1, *image.shape[:2])), 0, -1).reshape(image.shape)
        np.testing.assert_allclose(filtered, smooth(kernel), rtol=0, atol=1e-9, err_msg=str(setting))


def test_window_larger_than_the_image_mirrors_it_as_lib_does(in_javascript):
    common = {"bandwidth_space": 3.0, "bandwidth_value": 0.3, "patch_weights": "gaussian", "radius": 6}
    settings = [
        {**common, "position_block": "gaussian", "value_block": "pixel", "patch_radius": 0, "forgiven": 0},
        {**common, "position_block": "none", "value_block": "patch", "patch_radius": 2, "forgiven": 0.02},
        {**common, "position_block": "steering", "value_block": "none", "patch_radius": 0, "forgiven": 0},
    ]
    for shape in [(1, 1), (1, 7), (2, 3), (5, 4)]:
        image = np.random.default_rng(4).random(shape)
        one, two, three = in_javascript(image, settings, [(0, 0)])["results"]
        for result, expected, tolerance in [
            (one, bilateral(image, 3.0, 0.3, 6), 1e-9),
            (two, nonlocal_means(image, 0.3, 2, 6, noise_std=0.1), 1e-9),
            (three, lark(image, 3.0, 6), 1e-5),  # a single row is a straight edge without noise
        ]:
            np.testing.assert_allclose(result["filtered"][0], expected.ravel(), rtol=0, atol=tolerance)
        expected = lark_log_weights(image, (0, 0), 3.0, 6).ravel()
        np.testing.assert_allclose(three["logWeights"][0], expected, atol=1e-4)


def test_unified_figure_composes_methods(show):
    figure = example("unified", position_block="none", value_block="patch", bandwidth_value=0.12, radius=9)
    page = show(figure)
    expected = nonlocal_means_weights(figure.noisy_image(), (20, 17), 0.12, 3, 9)
    carried = np.cumsum(np.sort(expected.ravel())[::-1])
    assert state(page)["keys_for_90_percent"] == np.argmax(carried >= 0.9 - 1e-12) + 1
    assert "Non-local means" in page.locator(".sentence").inner_text()
    now = change(page, position_index=2, value_index=1)
    assert (now["position_block"], now["value_block"]) == ("steering", "pixel")
    assert "without a name" in page.locator(".sentence").inner_text()
    assert page.locator(".live-figure").get_attribute("data-value-block") == "pixel"


# ---- What is seen and said --------------------------------------------------------------------------------


def test_sentence_says_what_the_state_holds(show):
    page = show()
    sentence = page.locator("[aria-live=polite]").inner_text().replace("\u00a0", " ")
    now = state(page)
    count = f"{now['keys_for_90_percent']} of 169 keys"
    for words in ["Bilateral filter, hx = 2.5, hy = 0.35", "row 20, column 17", count]:
        assert words in sentence
    for words, name in [("noisy", "noisy"), ("Estimate", "estimate"), ("true", "clean")]:
        assert f"{words} {now[name]:.3f}".replace("-", "\u2212") in sentence


def test_values_are_shown_beside_the_weights(show):
    page = show()
    now = state(page)
    texts = page.locator(".values text").all_text_contents()
    assert texts[::2] == ["noisy", "estimate", "true"]
    assert texts[1::2] == [f"{now[name]:.3f}".replace("-", "−") for name in ["noisy", "estimate", "clean"]]


CROPS = """() => {
  const bytes = (canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const grey = (canvas) => [canvas.width, [...bytes(canvas)].filter((_, i) => i % 4 === 0)];
  return [...document.querySelectorAll("canvas.crop, canvas.filtered")].map(grey);
}"""


def test_the_surroundings_of_the_query_are_enlarged_as_observed_filtered_and_true(show):
    page = show()
    now = state(page)
    row, column = now["query"]
    filtered, *crops = (np.array(grey).reshape(-1, width) for width, grey in page.evaluate(CROPS))
    noisy, estimate, true = crops
    assert noisy.shape == estimate.shape == true.shape == (9, 9)
    for crop, name in [(noisy, "noisy"), (estimate, "estimate"), (true, "clean")]:
        assert crop[4, 4] == round(255 * min(max(now[name], 0), 1))
    around = filtered[row - 4 : row + 5, column - 4 : column + 5]
    assert np.abs(around - estimate).max() <= 1 and np.abs(around - noisy).max() > 10


@pytest.mark.parametrize("image", [photograph(), cat()[40:81, 20:57]], ids=["grey", "colour"])
def test_pictures_hold_the_images(image, show):
    figure = example(image=image)
    page = show(figure)
    noisy = figure.noisy_image()
    filtered = filter_of_lib(noisy, state(page))
    np.testing.assert_array_equal(pixels_of(page, "canvas.photo"), as_bytes(noisy))
    np.testing.assert_allclose(pixels_of(page, "canvas.filtered"), as_bytes(filtered), atol=1)
    for view, expected in [(1, image), (2, filtered), (0, noisy)]:
        now = change(page, view_index=view)
        assert now["view"] == page.locator(".title.photo").text_content() == ["noisy", "clean", "filtered"][view]
        np.testing.assert_allclose(pixels_of(page, "canvas.photo"), as_bytes(expected), atol=1)
    assert page.locator("canvas.photo").evaluate("c => getComputedStyle(c).imageRendering") == "pixelated"


def test_cells_show_the_weights_and_their_outline_ninety_per_cent(show):
    """The enlarged window, read back from the page: one cell a key, its shade its weight."""
    figure = example(bandwidth_space=1.0)
    page = show(figure)
    weights, _ = estimate_of_lib(figure.noisy_image(), state(page))
    level = np.zeros_like(weights)
    paths = page.locator(".heat .shades path").all()
    for k, d in enumerate(path.get_attribute("d") for path in paths):
        for column, row in re.findall(r"M(\d+) (\d+)h1v1h-1z", d):
            level[int(row), int(column)] = (k + 1) / 32
    np.testing.assert_allclose(level, weights / weights.max(), atol=0.5 / 32 + 1e-9)
    heaviest = weights >= np.sort(weights.ravel())[-state(page)["keys_for_90_percent"]]
    padded = np.pad(heaviest, 1)
    edges = np.abs(np.diff(padded.astype(int), axis=0)).sum() + np.abs(np.diff(padded.astype(int), axis=1)).sum()
    assert page.locator(".heat .most").get_attribute("d").count("M") == edges


def test_pictures_of_every_shape_leave_room_for_each_other(show, new_page):
    page = new_page(viewport={"width": 1280, "height": 800})
    for image in [camera(), photograph(), photograph(31, 61), cat()[:40, :30]]:
        show(example("nonlocal_means", (3, 5), image=image), page=page)
        for width in (744, 640, 375):
            assert_fits(page, width)
            assert touching(page, "canvas.photo", ".ground", "canvas.filtered", ".values", ".legend") == []
        assert len(still_pictures(page)["pixel-nonlocal-means"]) < 150_000


# ---- Hands ------------------------------------------------------------------------------------------------


def test_press_beside_the_pictures_changes_nothing(show):
    page = show()
    page.mouse.click(*middle(page, ".ground"))
    assert state(page)["query"] == [20, 17]


# ---- Reset, address, and what follows when the hand rests -------------------------------------------------


def test_address_of_the_unified_figure_names_its_blocks(show):
    page = show(example("unified"), address="#pixel-unified=position:steering,value:none,bandwidth_space:3.1")
    now = state(page)
    assert (now["position_block"], now["value_block"], now["bandwidth_space"]) == ("steering", "none", 3.1)


@pytest.mark.parametrize(
    "address, query",
    list({"query:9": [20, 17], "query:a/b": [20, 17], "query:99/2": [40, 2], "noise:x": [20, 17]}.items()),
)
def test_address_out_of_range_or_without_sense(address, query, show):
    assert state(show(address=f"#pixel-bilateral={address}"))["query"] == query


def test_filtered_image_follows_a_parameter_and_ignores_the_query(show):
    figure = example(image=camera())
    page = show(figure)
    before = pixels_of(page, "canvas.filtered")
    first = state(page)
    moved = change(page, query=[3, 4])
    assert moved["filtered_psnr"] == first["filtered_psnr"] and page.locator(".stale").count() == 0
    changed, kept = page.evaluate(
        f"""async () => {{
          const filtered = document.querySelector("canvas.filtered"), before = filtered.toDataURL();
          const state = await ({SET})({{ bandwidth_value: 1.2 }});
          return [state, filtered.matches(".stale") && filtered.toDataURL() === before];
        }}"""
    )
    assert kept  # dimmed, until the new one is there
    assert json.loads(changed)["filtered_psnr"] is None
    assert_matches_lib(figure, json.loads(changed))
    page.wait_for_function("!document.querySelector('.stale')")
    assert_matches_lib(figure, state(page))
    assert (pixels_of(page, "canvas.filtered") != before).any()


def test_quick_changes_end_in_the_last_setting(show):
    figure = example("nonlocal_means", image=camera())
    page = show(figure)
    for noise_level in [10, 20, 30]:
        page.evaluate(SET, {"noise_level": noise_level})
        page.wait_for_timeout(80)  # the filter is at work
    page.wait_for_function("!document.querySelector('.stale')")
    now = state(page)
    assert now["noise_std"] == 30 / 255
    assert_matches_lib(figure, now)
