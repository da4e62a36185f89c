"""Labelled equations of chapter 4, computed as written; those of the filter are marked in tests/lib."""

from itertools import product
from math import pi, sqrt

import numpy as np
import pytest

from lib import filters, images
from lib.filters import disk

H = 2.4


@pytest.fixture
def image():
    """A small noisy slanted edge, of which no side equals another length in these tests."""
    row, column = np.mgrid[:23, :29]
    return 0.5 * (2 * row + column > 37) + np.random.default_rng(4).normal(scale=0.05, size=(23, 29))


@pytest.mark.equation("eq:compressed_metric", against="the mean outer product of gradients, added in a loop")
@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0])
def test_metric_without_constants_is_rescaled_structure_tensor(image, alpha):
    share = disk(5)
    none = {"elongation_regularization": 1e-12, "structure_regularization": 1e-12}
    matrices = filters.steering_matrices(image, structure_sensitivity=alpha, **none)
    for row, column in [(7, 9), (11, 13), (15, 20)]:
        gradients = 255 * filters.pilot_gradient(image)[row - 5 : row + 6, column - 5 : column + 6]
        M = sum(share[k] ** 2 * np.outer(gradients[k], gradients[k]) for k in np.ndindex(11, 11)) / share.sum()
        size = sqrt(np.linalg.det(M))
        np.testing.assert_allclose(matrices[row, column], size**alpha * M / size, rtol=1e-9)
        assert sqrt(np.linalg.det(matrices[row, column])) == pytest.approx(size**alpha, rel=1e-9)


@pytest.mark.equation("eq:half_axes", against="the ellipse, at the ends of both axes")
def test_half_axes_end_at_distance_h(image):
    """From the middle, h/√(γϱ) along u₁ and h√(ϱ/γ) along u₂ lie on the ellipse dᵀC d = h²."""
    tensors, matrices = filters.structure_tensors(image), filters.steering_matrices(image)
    for pixel in [(0, 0), (11, 13), (22, 5)]:
        (small, large), vectors = np.linalg.eigh(tensors[pixel])
        elongation = (sqrt(large) + 1) / (sqrt(small) + 1)
        scale = sqrt(np.linalg.det(matrices[pixel]))
        across = H / sqrt(scale * elongation) * vectors[:, 1]
        along = H * sqrt(elongation / scale) * vectors[:, 0]
        for d in (across, along):
            assert d @ matrices[pixel] @ d == pytest.approx(H**2, rel=1e-9)
        assert np.linalg.norm(across) < np.linalg.norm(along)


@pytest.mark.equation("eq:kernel_area", against="the sum over a wide window, on a ramp")
@pytest.mark.parametrize("h", [4.0, 6.0])
def test_steering_kernel_area_equals_circle_area(h):
    """On a ramp all steering matrices are alike; the sum over pixels stands for the integral of a smooth bump."""
    image = np.pad(images.ramp(21), 60, mode="reflect", reflect_type="odd")
    options = {"structure_sensitivity": 0.0, "elongation_regularization": 60.0}
    C = filters.steering_matrices(image, **options)[70, 70]
    assert C[1, 1] > 2 * C[0, 0] and np.linalg.det(C) == pytest.approx(1)
    log_weights = filters.lark_log_weights(image, (70, 70), h, radius=50, **options)
    assert np.exp(log_weights).sum() == pytest.approx(2 * pi * h**2, rel=1e-6)


@pytest.mark.equation("eq:gradient_noise", against="the exact mean over noise of ±σ, pixel by pixel")
def test_noise_adds_multiple_of_identity_to_tensor(image):
    """The expectation, exactly: ±σ at one pixel after the other, since independent pixels do not mix."""
    sigma, pixel = 0.1, (11, 13)
    clean = filters.structure_tensors(image)[pixel]
    lifted = np.zeros((2, 2))
    for noisy_pixel in product(range(4, 19), range(6, 21)):  # within 5 pixels of the disk plus 2 of the gradient
        noise = np.zeros_like(image)
        noise[noisy_pixel] = sigma
        both = [filters.structure_tensors(image + sign * noise)[pixel] for sign in (1, -1)]
        lifted += np.mean(both, axis=0) - clean
    offsets = np.arange(-2, 3)
    w = np.exp(-2.0 * offsets**2)  # of the pilot's fit, h = ½: its slope along one axis, its mean along the other
    nu = np.sum((w * offsets) ** 2) / np.sum(w * offsets**2) ** 2 * np.sum(w**2) / np.sum(w) ** 2
    assert nu == pytest.approx(0.314, abs=5e-4)
    floor = nu * (255 * sigma) ** 2 * np.sum(disk(5) ** 2) * np.eye(2)
    np.testing.assert_allclose(lifted, floor, rtol=1e-6, atol=1e-6 * floor[0, 0])


@pytest.mark.equation("eq:bilateral_metric", against="the quadratic form, pixel by pixel")
@pytest.mark.parametrize("slope", [(0.0, 0.02), (0.03, -0.01)])
def test_bilateral_exponent_on_plane_is_a_metric(slope):
    """The metric is I/h_x² + g gᵀ/h_y²."""
    h_x, h_y, g = 2.5, 0.1, np.array(slope)
    plane = 0.4 + np.einsum("a,aij->ij", g, np.mgrid[:17, :19])
    log_weights = filters.bilateral_log_weights(plane, (8, 9), h_x, h_y, radius=5)
    for down, right in product(range(-5, 6), repeat=2):
        d = np.array([down, right])
        expected = d @ (np.eye(2) / h_x**2 + np.outer(g, g) / h_y**2) @ d
        assert -log_weights[5 + down, 5 + right] == pytest.approx(expected, abs=1e-12)
