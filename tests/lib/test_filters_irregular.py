"""Local planes through the known pixels, compared with the definition and with known properties."""

import numpy as np
import pytest

from lib.filters import local_plane, plane_at
from tests.invalid_input import rejects
from tests.oracles import steering_by_svd

RADIUS, H = 4, 1.7


@pytest.fixture
def image():
    row, column = np.mgrid[:17, :21]
    return 0.5 * (2 * row + column > 27) + 0.01 * column


@pytest.fixture
def known():
    return np.random.default_rng(3).random((17, 21)) < 0.3


def by_definition(image, known, metrics, pixel):
    """Return `plane_at` with the known samples of the mirrored window."""
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
def test_local_planes_match_definition(image, known, steered):
    metrics, slope = np.broadcast_to(np.eye(2), (*image.shape, 2, 2)), None
    if steered:
        slope = 0.3 * np.random.default_rng(1).standard_normal((*image.shape, 2))
        metrics = steering_by_svd(255 * np.moveaxis(slope, -1, 0), radius=4, structure_sensitivity=0.1)
    height, found = local_plane(image, known, H, slope, radius=RADIUS)
    for pixel in PIXELS:
        expected = by_definition(image, known, metrics, pixel)
        assert height[pixel] == pytest.approx(expected[0], abs=1e-7)
        np.testing.assert_allclose(found[pixel], expected[1], atol=1e-7)


def test_window_without_samples_gives_nan():
    known = np.zeros((15, 15), bool)
    known[0, 0] = True
    height, slope = local_plane(np.full((15, 15), 0.5), known, H, radius=3)
    assert np.isnan(height[10, 10]) and np.isnan(slope[10, 10]).all()
    assert height[1, 1] == pytest.approx(0.5)


def plane(**change):
    arguments = {"image": np.zeros((17, 21)), "known": np.ones((17, 21), bool), "bandwidth": 1.0}
    return local_plane(**arguments | change)


test_invalid_input_is_rejected = rejects(
    ("known", lambda: plane(known=np.ones((17, 20), bool))),
    ("known", lambda: plane(known=np.ones((17, 21)))),
    ("known", lambda: plane(image=np.zeros((17, 21, 3)))),
    ("slope", lambda: plane(slope=np.zeros((2, 17, 21)))),
    ("radius", lambda: plane(radius=0)),
)
