"""The bilateral filter compared with its definition and its limits; `test_filters_opencv.py` compares OpenCV."""

import numpy as np
import pytest

from lib.filters import bilateral, bilateral_log_kernel, bilateral_log_weights, bilateral_weights, window_average
from tests.oracles import dense_bilateral


def noise(*shape):
    return np.random.default_rng(0).random(shape)


@pytest.mark.equation("eq:bilateral", against="the sums over the window, in long double")
@pytest.mark.parametrize("shape", [(7, 11), (2, 5, 3), (1, 4)])
@pytest.mark.parametrize(("h_x", "h_y", "radius"), [(1.5, 0.05, 1), (4.0, 1.0, 6)])
def test_bilateral_filter_equals_its_definition(shape, h_x, h_y, radius):
    image = noise(*shape)
    for dtype, rounding in (np.float64, 1e-13), (np.float32, 1e-6):
        arguments = image.astype(dtype), h_x, h_y, radius
        np.testing.assert_allclose(bilateral(*arguments), dense_bilateral(*arguments), atol=rounding)
    definition = window_average(image, bilateral_log_kernel(h_x, h_y), radius)
    np.testing.assert_allclose(definition, bilateral(image, h_x, h_y, radius), atol=1e-13)


@pytest.mark.equation("eq:bilateral_log_weights", "eq:bilateral_weights", against="a double loop, at a border")
@pytest.mark.parametrize("shape", [(11, 17), (5, 7, 3)])
def test_weights_equal_their_definition(shape):
    image, radius, (row, column) = noise(*shape), 2, (1, 4)
    expected = np.zeros((5, 5))
    for down in range(-2, 3):
        for right in range(-2, 3):
            key = image[abs(row + down), column + right]  # row −1 is mirrored onto row 1
            squared_value = (np.atleast_1d(key - image[row, column]) ** 2).sum()
            expected[down + 2, right + 2] = -(down**2 + right**2) / 1.7**2 - squared_value / 0.4**2
    log_weights = bilateral_log_weights(image, (row, column), 1.7, 0.4, radius)
    np.testing.assert_allclose(log_weights, expected, atol=1e-12)
    weights = np.exp(expected) / np.exp(expected).sum()
    np.testing.assert_allclose(bilateral_weights(image, (row, column), 1.7, 0.4, radius), weights, atol=1e-14)


@pytest.mark.parametrize(("h_x", "radius"), [(0.1, 1), (1.0, 3), (2.0, 5), (3.4, 8)])
def test_radius_of_the_window_grows_with_the_bandwidth(h_x, radius):
    image = noise(23, 19)
    np.testing.assert_array_equal(bilateral(image, h_x, 0.3), bilateral(image, h_x, 0.3, radius=radius))
    assert bilateral_weights(image, (3, 3), h_x, 0.3).shape == (2 * radius + 1, 2 * radius + 1)
