"""Steering matrices from all channels: against one SVD per pixel, and where brightness is blind."""

import numpy as np
import pytest

from lib import images
from lib.constants import BRIGHTNESS
from lib.filters import (
    color_steering_matrices,
    color_structure_tensors,
    disk,
    pilot_gradient,
    steering_matrices,
    structure_tensors,
)
from tests.oracles import steering_by_svd


@pytest.fixture
def image():
    return np.random.default_rng(0).random((14, 15, 3))


def equal_brightness():
    """An upright edge between two colors of the same brightness."""
    red, blue = np.array([0.8, 0.3, 0.3]), np.array([0.3, 0.0, 0.75])
    blue[1] = (red - blue) @ BRIGHTNESS / BRIGHTNESS[1]
    return np.where(np.arange(24)[:, None] < 12, red, blue) * np.ones((24, 1, 1))


@pytest.mark.equation(
    "eq:color_tensor",
    against="outer products in loops over the disk and the channels",
    says="The mean of the channels’ structure tensors vanishes along a direction only if no channel "
    "changes along it.",
    given={"tensors_of": color_structure_tensors},
    without={
        "The mean of the channels’ structure tensors": {
            "tensors_of": lambda image, radius: structure_tensors(image.mean(axis=2), radius)
        }
    },
)
def test_color_tensor_is_the_mean_over_channels(image, tensors_of):
    share, tensors = disk(2), tensors_of(image, 2)
    gradients = 255 * np.stack([pilot_gradient(image[..., c]) for c in range(3)])
    for row, column in [(5, 7), (7, 4), (8, 9)]:
        expected = np.zeros((2, 2))
        for channel in range(3):
            for down, right in np.ndindex(5, 5):
                g = gradients[channel, row + down - 2, column + right - 2]
                expected += share[down, right] ** 2 * np.outer(g, g) / 3
        np.testing.assert_allclose(tensors[row, column], expected, rtol=1e-9)
    d = np.array([0.3, -2.0])
    of_channels = [d @ structure_tensors(image[..., c], 2)[7, 4] @ d for c in range(3)]
    assert min(of_channels) > 0 and d @ tensors[7, 4] @ d == pytest.approx(np.mean(of_channels))  # nothing cancels


def test_grey_image_equals_its_single_channel(image):
    grey = image[..., 0]
    constants = {"structure_sensitivity": 0.3, "elongation_regularization": 2.0}
    in_color = color_steering_matrices(np.stack([grey] * 3, axis=-1), analysis_radius=3, **constants)
    expected = steering_by_svd(255 * np.moveaxis(pilot_gradient(grey), -1, 0), 3, **constants)
    np.testing.assert_allclose(in_color, expected, rtol=1e-6, atol=1e-9)


def test_color_steering_detects_edge_of_equal_brightness():
    edge = images.add_noise(equal_brightness(), 2 / 255, rng=np.random.default_rng(0))
    in_color, of_brightness = (
        np.linalg.eigvalsh(f(edge)[12, 12]) for f in (color_steering_matrices, steering_matrices)
    )
    assert in_color[1] / in_color[0] > 100 and of_brightness[1] / of_brightness[0] < 2
