"""The bilateral filter against its definition, its limits and its peers."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.filters import bilateral, bilateral_log_weights, bilateral_weights, nonlocal_means


def euclidean(difference):
    return math.sqrt(sum(float(d) ** 2 for d in np.atleast_1d(difference)))


def bilateral_by_loops(image, bandwidth_space, bandwidth_value, radius, distance=euclidean, disk=False):
    """Tomasi & Manduchi's definition: for every pixel, over its window, one key after the other."""
    height, width = image.shape[:2]
    border = [(radius, radius)] * 2 + [(0, 0)] * (image.ndim - 2)
    padded = np.pad(image.astype(np.float64), border, mode="reflect")
    result = np.empty(image.shape)
    for row in range(height):
        for column in range(width):
            query = padded[row + radius, column + radius]
            numerator, denominator = 0.0, 0.0
            for down in range(-radius, radius + 1):
                for right in range(-radius, radius + 1):
                    if disk and math.hypot(down, right) > radius:
                        continue
                    key = padded[row + radius + down, column + radius + right]
                    near = math.exp(-(down**2 + right**2) / bandwidth_space**2)
                    alike = math.exp(-(distance(key - query) ** 2) / bandwidth_value**2)
                    numerator = numerator + near * alike * key
                    denominator = denominator + near * alike
            result[row, column] = numerator / denominator
    return result


def noise(*shape, seed=0):
    return np.random.default_rng(seed).random(shape)


@pytest.mark.equation("eq:bilateral", against="a double loop, in double and single precision")
@pytest.mark.parametrize("shape", [(11, 17), (5, 7, 3), (1, 13), (2, 3, 5)])
@pytest.mark.parametrize(("h_x", "h_y", "radius"), [(2.0, 0.3, 3), (1.5, 0.05, 1), (4.0, 1.0, 6)])
def test_equals_its_definition(shape, h_x, h_y, radius):
    image = noise(*shape)
    expected = bilateral_by_loops(image, h_x, h_y, radius)
    np.testing.assert_allclose(bilateral(image, h_x, h_y, radius), expected, atol=1e-13)
    single = bilateral(image.astype(np.float32), h_x, h_y, radius)
    np.testing.assert_allclose(single, bilateral_by_loops(image.astype(np.float32), h_x, h_y, radius), atol=1e-6)


@pytest.mark.equation("eq:bilateral_weights", against="a double loop, at a border")
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


def test_wide_value_bandwidth_is_a_gaussian_blur():
    image, h_x, radius = noise(29, 31), 2.5, 6
    taps = np.exp(-(np.arange(-radius, radius + 1) ** 2) / h_x**2)
    taps /= taps.sum()
    padded = np.pad(image, radius, mode="reflect")
    rows = np.apply_along_axis(np.convolve, 0, padded, taps, mode="valid")
    blurred = np.apply_along_axis(np.convolve, 1, rows, taps, mode="valid")
    np.testing.assert_allclose(bilateral(image, h_x, 1e6, radius), blurred, atol=1e-11)


def test_narrow_value_bandwidth_changes_nothing():
    image = noise(29, 31, 3)
    np.testing.assert_array_equal(bilateral(image, 2.0, 1e-4), image)
    np.testing.assert_array_equal(bilateral(image.astype(np.float32), 2.0, 1e-6), image.astype(np.float32))


@pytest.mark.parametrize("shape", [(13, 11), (13, 11, 1)])
def test_wide_space_bandwidth_is_nonlocal_means_of_single_pixels(shape):
    image = noise(*shape)
    same = nonlocal_means(image, 0.2, patch_radius=0, search_radius=4)
    np.testing.assert_allclose(bilateral(image, 1e9, 0.2, radius=4), same, atol=1e-13)


def test_weights_are_of_a_symmetric_kernel_but_not_symmetric():
    """Nine pixels, away from the mirrored border: K is symmetric; W, which is K over its row sums, is not."""
    image = noise(9, 9)
    inside = [(row, column) for row in range(3, 6) for column in range(3, 6)]
    kernel, weights = np.empty((9, 9)), np.empty((9, 9))
    for i, (row, column) in enumerate(inside):
        part = slice(5 - row, 8 - row), slice(5 - column, 8 - column)  # of a window of radius 2
        kernel[i] = np.exp(bilateral_log_weights(image, (row, column), 2.0, 0.5, 2))[part].ravel()
        weights[i] = bilateral_weights(image, (row, column), 2.0, 0.5, 2)[part].ravel()
    np.testing.assert_allclose(kernel, kernel.T, rtol=1e-13)
    assert np.abs(weights - weights.T).max() > 0.01


def test_filter_is_not_linear():
    image = noise(9, 9)
    assert np.abs(bilateral(2 * image, 2.0, 0.3) - 2 * bilateral(image, 2.0, 0.3)).max() > 0.01
    np.testing.assert_allclose(bilateral(2 * image, 2.0, 0.6), 2 * bilateral(image, 2.0, 0.3), atol=1e-13)


@settings(deadline=None, max_examples=20)
@given(st.integers(1, 9), st.integers(1, 9), st.integers(0, 4), st.floats(0.3, 5), st.floats(0.02, 3))
def test_equals_its_definition_at_any_size(height, width, radius, h_x, h_y):
    image = noise(height, width, seed=height)
    expected = bilateral_by_loops(image, h_x, h_y, radius)
    np.testing.assert_allclose(bilateral(image, h_x, h_y, radius), expected, atol=1e-12)


# Peers. OpenCV averages over a disk and measures colours by the sum of absolute differences; its float version
# reads the kernel from a table, with an error of about 1e-5.
def test_opencv_equals_its_own_definition():
    image = noise(13, 17, 3).astype(np.float32)
    theirs = cv2.bilateralFilter(image, 7, 0.3, 2.0, borderType=cv2.BORDER_REFLECT_101)
    absolute = lambda difference: float(np.abs(difference).sum())
    root2 = math.sqrt(2)
    expected = bilateral_by_loops(image, 2.0 * root2, 0.3 * root2, 3, distance=absolute, disk=True)
    np.testing.assert_allclose(theirs, expected, atol=2e-5)


def test_equals_opencv_where_the_definitions_meet():
    """Grey, and so narrow in space that the corners outside the disk have no weight."""
    image = noise(53, 61).astype(np.float32)
    theirs = cv2.bilateralFilter(image, 13, 0.3, 1.0, borderType=cv2.BORDER_REFLECT_101)
    ours = bilateral(image, math.sqrt(2), 0.3 * math.sqrt(2), radius=6)
    np.testing.assert_allclose(ours, theirs, atol=2e-5)


def impulse_centre(function):
    """Where the response to a faint dot has its centre of gravity, relative to the dot."""
    image = np.zeros((31, 31))
    image[15, 15] = 1e-3
    response = function(image)
    row, column = np.mgrid[-15:16, -15:16]
    return (response * row).sum() / response.sum(), (response * column).sum() / response.sum()


def test_impulse_response_is_centred_and_symmetric():
    function = lambda image: bilateral(image, 3.0 * math.sqrt(2), 1e6, radius=3)
    np.testing.assert_allclose(impulse_centre(function), 0, atol=1e-12)
    image = np.zeros((15, 15))
    image[7, 7] = 1
    response = function(image)
    np.testing.assert_allclose(response, response[::-1, ::-1], atol=1e-15)
    np.testing.assert_allclose(response, response.T, atol=1e-15)


def test_scikit_image_is_no_oracle_its_impulse_response_is_off_centre():
    """Its table of spatial weights is built with one stride and read with another (seen in version 0.26)."""
    restoration = pytest.importorskip("skimage.restoration")
    function = lambda image: restoration.denoise_bilateral(image, win_size=13, sigma_color=1e3, sigma_spatial=3)
    row, column = impulse_centre(function)
    if math.hypot(row, column) < 1e-6:
        pytest.skip("the installed scikit-image is centred")
    assert math.hypot(row, column) > 1
