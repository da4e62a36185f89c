"""Local planes through the pixels that are known: against the definition, and against what must hold."""

import numpy as np
import pytest
from oracles import steering_by_svd
from refusals import refused

from lib.filters import lark, local_plane, plane_at

RADIUS, H = 4, 1.7


@pytest.fixture
def image():
    row, column = np.mgrid[:17, :21]
    return 0.5 * (2 * row + column > 27) + 0.01 * column


@pytest.fixture
def known():
    return np.random.default_rng(3).random((17, 21)) < 0.3


def by_definition(image, known, metrics, pixel):
    """`plane_at` with the known samples of the mirrored window."""
    border = [(RADIUS, RADIUS)] * 2
    mirrored = [np.pad(x, [*border, *[(0, 0)] * (x.ndim - 2)], mode="reflect") for x in (image, known, metrics)]
    row, column = pixel
    window = [x[row : row + 2 * RADIUS + 1, column : column + 2 * RADIUS + 1] for x in mirrored]
    values, is_key, C = window
    return plane_at(np.array([RADIUS, RADIUS]), np.argwhere(is_key), values[is_key], C[is_key], H)


PIXELS = [(0, 0), (8, 10), (9, 9), (16, 4), (3, 20)]


@pytest.mark.equation(
    "eq:steering_order2", against="least squares over scattered samples, one place after the other"
)
@pytest.mark.parametrize("steered", [False, True])
def test_every_pixel_has_the_plane_of_the_definition(image, known, steered):
    metrics, slope = np.broadcast_to(np.eye(2), (*image.shape, 2, 2)), None
    if steered:
        slope = 0.3 * np.random.default_rng(1).standard_normal((*image.shape, 2))
        metrics = steering_by_svd(255 * np.moveaxis(slope, -1, 0), radius=4, alpha=0.1)
    height, found = local_plane(image, known, H, slope, RADIUS)
    for pixel in PIXELS:
        expected = by_definition(image, known, metrics, pixel)
        assert height[pixel] == pytest.approx(expected[0], abs=1e-7)
        np.testing.assert_allclose(found[pixel], expected[1], atol=1e-7)


def test_what_stands_at_a_missing_pixel_does_not_matter(image, known):
    other = np.where(known, image, 1 - image)
    for slope in (None, np.ones((*image.shape, 2))):
        for one, two in zip(local_plane(image, known, H, slope), local_plane(other, known, H, slope), strict=True):
            np.testing.assert_array_equal(one, two)


def test_with_all_pixels_known_it_is_the_filter_of_order_1(image):
    """In a symmetric window the pilot's parabola has the slope of a plane."""
    everywhere, metrics = np.ones(image.shape, bool), {"analysis_radius": 3, "structure_sensitivity": 0.5}
    _, slope = local_plane(image, everywhere, 0.5, radius=2)
    height, _ = local_plane(image, everywhere, H, slope, RADIUS, **metrics)
    np.testing.assert_allclose(height, lark(image, H, RADIUS, order=1, **metrics), atol=1e-6)


def test_a_window_without_a_sample_has_no_answer():
    known = np.zeros((15, 15), bool)
    known[0, 0] = True
    height, slope = local_plane(np.full((15, 15), 0.5), known, H, radius=3)
    assert np.isnan(height[10, 10]) and np.isnan(slope[10, 10]).all()
    assert height[1, 1] == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("known", {"known": np.ones((17, 20), bool)}),
        ("known", {"known": np.ones((17, 21))}),
        ("known", {"image": np.zeros((17, 21, 3))}),
        ("slope", {"slope": np.zeros((2, 17, 21))}),
        ("bandwidth", {"bandwidth": 0}),
        ("radius", {"radius": 0}),
    ],
)
def test_bad_input_is_refused(image, known, name, change):
    with refused(name):
        local_plane(**({"image": image, "known": known, "bandwidth": 1.0} | change))
