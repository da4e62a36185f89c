"""Requirements of all image filters: correct weights, every kind of image, little memory, one clear error."""

from functools import partial

import numpy as np
import pytest

from lib import filters
from lib.engine import window
from tests.invalid_input import rejected
from tests.oracles import peak_memory

# Each filter with small windows, and the function that returns one pixel's weights for the same parameters
CASES = {
    "bilateral": (filters.bilateral, filters.bilateral_weights, dict(bandwidth_space=2.0, bandwidth_value=0.3)),
    "nonlocal_means": (
        filters.nonlocal_means,
        filters.nonlocal_means_weights,
        dict(bandwidth=0.2, patch_radius=1, search_radius=3, noise_std=0.05),
    ),
    "nonlocal_means uniform": (
        filters.nonlocal_means,
        filters.nonlocal_means_weights,
        dict(bandwidth=0.2, patch_radius=2, search_radius=2, patch_weights="uniform"),
    ),
    "lark": (filters.lark, filters.lark_weights, dict(bandwidth=2.0, radius=3, structure_regularization=0.1)),
    "lark order 1": (filters.lark, filters.lark_weights, dict(bandwidth=2.0, radius=3, order=1)),
    "lark order 2": (filters.lark, filters.lark_weights, dict(bandwidth=2.0, radius=3, order=2)),
}
FILTERS = {name: partial(function, **parameters) for name, (function, _, parameters) in CASES.items()}
every_filter = pytest.mark.parametrize("name", CASES)


def photograph(*shape):
    """A noisy edge with a slope, on which every filter has an effect."""
    rng = np.random.default_rng(0)
    row, column = np.mgrid[: shape[0], : shape[1]]
    image = 0.5 * (row + 2 * column > shape[1]) + 0.3 * row / shape[0] + 0.1
    if len(shape) == 3:
        image = image[:, :, None] * np.linspace(0.5, 1, shape[2])
    return image + rng.normal(scale=0.05, size=shape)


def windows(image, radius):
    """Return every window of the mirrored image, `(H, W, [C,] side, side)`."""
    border = [(radius, radius)] * 2 + [(0, 0)] * (image.ndim - 2)
    padded = np.pad(image, border, mode="reflect")
    return np.lib.stride_tricks.sliding_window_view(padded, (2 * radius + 1,) * 2, axis=(0, 1))


@every_filter
@pytest.mark.parametrize("shape", [(7, 11), (7, 11, 3)])
def test_pixel_weights_match_the_filter(name, shape):
    function, weights_of, parameters = CASES[name]
    image = photograph(*shape)
    filtered = function(image, **parameters)
    for pixel in np.ndindex(7, 11):
        weights = weights_of(image, pixel, **parameters)
        estimate = (windows(image, len(weights) // 2)[pixel] * weights).sum(axis=(-2, -1))
        np.testing.assert_allclose(estimate, filtered[pixel], rtol=0, atol=1e-12)
        assert weights.sum() == pytest.approx(1, abs=1e-12)


@every_filter
@pytest.mark.parametrize(
    "shape", [(5, 7), (5, 7, 1), (5, 7, 3), (1, 7), (7, 1), (1, 1), (2, 2), (4, 6), (1, 1, 3)]
)
def test_result_has_the_shape_of_the_image(name, shape):
    image = photograph(*shape)
    filtered = FILTERS[name](image)
    assert filtered.shape == shape and filtered.dtype == np.float64 and np.isfinite(filtered).all()
    if len(shape) == 3 and shape[2] == 1:
        np.testing.assert_array_equal(filtered[:, :, 0], FILTERS[name](image[:, :, 0]))


@every_filter
@pytest.mark.parametrize("shape", [(31, 37), (31, 37, 3)])
def test_float32_stays_float32_and_is_accurate(name, shape):
    image = photograph(*shape).astype(np.float32)
    filtered = FILTERS[name](image)
    assert filtered.dtype == np.float32
    np.testing.assert_allclose(filtered, FILTERS[name](image.astype(np.float64)), atol=1e-6)


@every_filter
def test_filters_give_same_result_for_any_memory_order_and_lists(name):
    image = photograph(7, 11)
    expected = FILTERS[name](image)
    strided = np.repeat(image, 2, axis=1)[:, ::2]
    for same in (image, np.asfortranarray(image), strided, image.tolist(), image.astype(">f8")):
        np.testing.assert_allclose(FILTERS[name](same), expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize(
    "filter_",
    [
        lambda image, h: filters.bilateral(image, 2.0, h),
        lambda image, h: filters.bilateral(image, h, 0.3, radius=2),
        lambda image, h: filters.nonlocal_means(image, h, search_radius=2),
        lambda image, h: filters.lark(image, h, radius=2),
        lambda image, h: filters.lark(image, h, radius=2, order=2),
    ],
    ids=["value", "space", "patch", "lark", "lark 2"],
)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_results_are_finite_for_bandwidths_of_every_magnitude(filter_, dtype):
    image = photograph(7, 11).astype(dtype)
    np.testing.assert_allclose(filter_(image, 1e-300), image, atol=1e-7)
    np.testing.assert_allclose(filter_(image, 1e300), filter_(image, 1e10), atol=1e-6)


def with_radius(name, size):
    """Return the filter, its weights and its parameters with a window of this radius."""
    function, weights_of, parameters = CASES[name]
    radius = "search_radius" if function is filters.nonlocal_means else "radius"
    return function, weights_of, parameters | {radius: size}


@every_filter
@pytest.mark.parametrize("size", [3, 30])
def test_windows_larger_than_the_image_follow_the_definition(name, size):
    function, weights_of, parameters = with_radius(name, size)
    image = photograph(3, 2)
    weights = weights_of(image, (1, 1), **parameters)
    assert weights.shape == (2 * size + 1, 2 * size + 1)
    estimate = (windows(image, size)[1, 1] * weights).sum()
    assert function(image, **parameters)[1, 1] == pytest.approx(estimate, abs=1e-11)


LARGE = ["bilateral", "nonlocal_means", "lark", "lark order 2"]


@pytest.mark.parametrize("name", LARGE)
def test_memory_stays_below_image_times_window(name):
    (function, _, parameters), image = with_radius(name, 10), photograph(256, 256)
    assert peak_memory(lambda: function(image, **parameters)) < 21**2 * image.nbytes / 6


@every_filter
@pytest.mark.parametrize("channels", [(), (3,)])
@pytest.mark.parametrize("limit, small", [("BLOCK_BYTES", 1000), ("BAND_PIXELS", 1)])
def test_filter_equals_its_result_in_blocks_and_bands(name, channels, limit, small, monkeypatch):
    image = photograph(250 if limit == "BAND_PIXELS" else 23, 7, *channels)
    whole = FILTERS[name](image)
    monkeypatch.setattr(window, limit, small)
    np.testing.assert_allclose(FILTERS[name](image), whole, rtol=0, atol=1e-12)


def test_iterated_filter_equals_its_result_in_bands(monkeypatch):
    image = photograph(600, 7)
    lark = partial(filters.lark, image, 2.0, radius=3, order=2, n_iterations=3)
    whole = lark()
    monkeypatch.setattr(window, "BAND_PIXELS", 1)
    np.testing.assert_allclose(lark(), whole, rtol=0, atol=1e-10)


@pytest.mark.parametrize("name", LARGE)
def test_large_photograph_needs_little_memory(name, monkeypatch):
    monkeypatch.setattr(window, "BAND_PIXELS", 100 * 100)
    image = photograph(1000, 100).astype(np.float32)
    part, whole = (peak_memory(partial(FILTERS[name], each)) for each in (image[:400], image))
    assert whole < part + 2 * image.nbytes


@pytest.mark.parametrize(
    "case, name, values",
    [
        ("bilateral", "image", [np.zeros(5), np.zeros((2, 2, 2, 2)), 0.5]),
        ("bilateral", "image", [np.zeros((5, 5, 0)), np.zeros((9, 9, 9))]),  # no channel, a volume
        ("nonlocal_means", "image", [np.zeros((3, 7, 11)), np.zeros((7, 11, 5))]),  # channels first, too many
        ("bilateral", "bandwidth_space", [0, 1e6]),  # the last asks for a window of 4 million pixels' side
        ("bilateral", "bandwidth_value", [0]),
        ("bilateral", "radius", [-1, 1001, 1.5]),
        ("nonlocal_means", "bandwidth", [0]),
        ("nonlocal_means", "patch_radius", [-1]),
        ("nonlocal_means", "search_radius", [-1]),
        ("nonlocal_means", "noise_std", [-0.1]),
        ("nonlocal_means", "patch_weights", ["round"]),
        ("lark", "image", [np.zeros((5, 5, 2)), np.zeros((5, 5, 4))]),
        ("lark", "bandwidth", [0]),
        ("lark", "radius", [-1]),
        ("lark", "elongation_regularization", [0]),
        ("lark", "structure_regularization", [0]),
        ("lark", "structure_sensitivity", [-0.1]),
        ("lark", "analysis_radius", [0]),
        ("lark", "order", [3, -1, 1.0]),
        ("lark", "n_iterations", [0, 1.5]),
        ("lark order 2", "radius", [1]),
    ],
)
def test_invalid_input_is_rejected(case, name, values):
    function, weights_of, parameters = CASES[case]
    for value in values:
        arguments = {"image": photograph(7, 11), **parameters, name: value}
        with rejected(name):
            function(**arguments)
        if name != "n_iterations":
            with rejected(name):
                weights_of(pixel=(1, 1), **arguments)


@pytest.mark.parametrize(
    "name, radii, whole",
    [
        ("nonlocal_means", dict(patch_radius=2, search_radius=64), np.int8),
        ("lark", dict(radius=3, analysis_radius=5), np.int8),
        ("lark", dict(radius=3, analysis_radius=5), np.uint8),
    ],
)
def test_radii_may_be_numpy_integers(name, radii, whole, monkeypatch):
    """A small integer type would overflow in the sides of windows and the rows of a band."""
    monkeypatch.setattr(window, "BAND_PIXELS", 1)
    function, weights_of, parameters = CASES[name]
    of_numpy = parameters | {key: whole(radius) for key, radius in radii.items()}
    image = photograph(2, 40)
    np.testing.assert_array_equal(function(image, **of_numpy), function(image, **parameters | radii))
    expected = weights_of(image, (1, 4), **parameters | radii)
    np.testing.assert_array_equal(weights_of(image, (1, 4), **of_numpy), expected)


@pytest.mark.parametrize("shape", [(5, 7), (5, 7, 3)])
def test_patches_are_windows_of_the_mirrored_image(shape):
    image = photograph(*shape)
    expected = np.moveaxis(windows(np.atleast_3d(image), 2), 2, -1).reshape(5, 7, 5, 5, *shape[2:])
    np.testing.assert_array_equal(filters.patches(image, 2), expected)
