"""The bilateral filter compared with OpenCV's, and the position of its response to one bright pixel."""

import math

import cv2
import numpy as np
import pytest

from lib.filters import bilateral

ROOT2 = math.sqrt(2)  # OpenCV's sigma is our bandwidth divided by this


def opencv(image, side, sigma_value, sigma_space):
    return cv2.bilateralFilter(image, side, sigma_value, sigma_space, borderType=cv2.BORDER_REFLECT_101)


def test_bilateral_matches_opencv():
    """Grey, with no weight in the corners outside OpenCV's disk; OpenCV's table is accurate to 1e-5."""
    image = np.random.default_rng(0).random((53, 61)).astype(np.float32)
    ours = bilateral(image, ROOT2, 0.3 * ROOT2, radius=6)
    np.testing.assert_allclose(ours, opencv(image, 13, 0.3, 1.0), atol=2e-5)


def centre_of_response(function):
    """Return the centroid of the response to a faint dot, relative to the dot."""
    image = np.zeros((31, 31), np.float32)
    image[15, 15] = 1e-3
    response = function(image)
    offsets = np.mgrid[-15:16, -15:16]
    return (response * offsets).sum(axis=(1, 2)) / response.sum()


@pytest.mark.parametrize(
    "function",
    [lambda image: bilateral(image, 3 * ROOT2, 1e6, radius=6), lambda image: opencv(image, 13, 1e3, 3.0)],
    ids=["ours", "opencv"],
)
def test_impulse_response_is_centred(function):
    np.testing.assert_allclose(centre_of_response(function), 0, atol=1e-4)


def test_impulse_response_of_scikit_image_is_off_centre():
    """Therefore scikit-image is not an oracle here (as of version 0.26)."""
    restoration = pytest.importorskip("skimage.restoration")
    shifted = centre_of_response(
        lambda image: restoration.denoise_bilateral(image, win_size=13, sigma_color=1e3, sigma_spatial=3)
    )
    if np.hypot(*shifted) < 1e-6:
        pytest.skip("the installed scikit-image is centred")
    assert np.hypot(*shifted) > 1
