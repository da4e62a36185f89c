"""Numbered equations of chapter 4, evaluated literally; tests/lib covers those of the filter."""

from itertools import product
from math import pi, sqrt

import numpy as np
import pytest

from lib import filters, images
from lib.filters import disk

H = 2.4


@pytest.fixture
def image():
    """A small noisy slanted edge whose sides differ from all other lengths in these tests."""
    row, column = np.mgrid[:23, :29]
    return 0.5 * (2 * row + column > 37) + np.random.default_rng(4).normal(scale=0.05, size=(23, 29))


@pytest.mark.equation(
    "eq:compressed_metric",
    against="the mean outer product of gradients, added in a loop",
    says="Compression keeps the shape of the metric and raises its size to the power α.",
)
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


@pytest.mark.equation(
    "eq:half_axes",
    against="the ellipse, at the ends of both axes",
    says="The ellipse of a steering matrix has the half-axes h/√(γϱ) across the edge and h√(ϱ/γ) along it.",
)
def test_half_axes_end_at_distance_h(image):
    """From the centre, h/√(γϱ) along u₁ and h√(ϱ/γ) along u₂ are on the ellipse dᵀC d = h²."""
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


@pytest.mark.equation(
    "eq:kernel_area",
    against="the sum over a wide window, on a ramp",
    says="With the determinant, the area under the kernel of each key is the same, whatever the "
    "shape of its ellipse.",
)
@pytest.mark.parametrize("h", [4.0, 6.0])
def test_steering_kernel_area_equals_circle_area(h):
    """On a ramp all steering matrices are equal; the sum over pixels approximates a smooth integral."""
    image = np.pad(images.ramp(21), 60, mode="reflect", reflect_type="odd")
    options = {"structure_sensitivity": 0.0, "elongation_regularization": 60.0}
    C = filters.steering_matrices(image, **options)[70, 70]
    assert C[1, 1] > 2 * C[0, 0] and np.linalg.det(C) == pytest.approx(1)
    log_weights = filters.lark_log_weights(image, (70, 70), h, radius=50, **options)
    assert np.exp(log_weights).sum() == pytest.approx(2 * pi * h**2, rel=1e-6)


@pytest.mark.equation(
    "eq:gradient_noise",
    against="the exact mean over noise of ±σ, pixel by pixel",
    says="Inside the image, independent noise of equal variance adds, on average, the same floor to the "
    "structure tensor in all directions.",
)
def test_noise_adds_multiple_of_identity_to_tensor(image):
    """The expectation is exact: ±σ at one pixel at a time, since independent pixels add up."""
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


@pytest.mark.equation(
    "eq:bilateral_metric",
    against="the quadratic form, pixel by pixel",
    says="If the image is a plane, the exponent of the bilateral filter is a quadratic form whose matrix "
    "contains the gradient.",
)
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


@pytest.mark.equation(
    "eq:structure_tensor",
    against="squared slopes, added in a loop",
    says="Squared slopes in a disk, weighted by squared coverage over its area, sum to a quadratic form: the "
    "structure tensor over that area.",
)
@pytest.mark.parametrize("d", [(1.0, 0.0), (0.3, -2.0)])
def test_squared_slopes_sum_to_a_quadratic_form(image, d):
    share, (row, column) = filters.disk(5), (11, 13)
    gradients = 255 * filters.pilot_gradient(image)[row - 5 : row + 6, column - 5 : column + 6]
    total = sum((share[k] * gradients[k] @ d) ** 2 for k in np.ndindex(11, 11)) / share.sum()
    M = filters.structure_tensors(image)[row, column] / (pi * 5**2)
    assert np.array(d) @ M @ d == pytest.approx(total, rel=1e-9)


@pytest.mark.equation(
    "eq:steering_matrix",
    against="the structure tensor over the area, and a constant image",
    says="The steering matrix is the structure tensor divided by the disk’s area, compressed in size and "
    "regularised.",
)
def test_steering_matrix_is_the_regularised_tensor(image):
    M = filters.structure_tensors(image) / filters.disk(5).sum()
    bare = {"elongation_regularization": 1e-12, "structure_regularization": 1e-12}
    uncompressed = filters.steering_matrices(image, structure_sensitivity=1.0, **bare)
    np.testing.assert_allclose(uncompressed, M, rtol=1e-9, atol=1e-9 * M.max())
    compressed, size = filters.steering_matrices(image), np.sqrt(np.linalg.det(M))
    np.testing.assert_allclose(np.sqrt(np.linalg.det(compressed)), np.sqrt(size), rtol=1e-3)
    assert (np.linalg.cond(compressed) < np.linalg.cond(M)).all()  # λ′ makes kernels rounder
    constant = filters.steering_matrices(np.full((5, 5), 0.4))
    assert np.isfinite(constant).all() and (np.linalg.eigvalsh(constant) > 0).all()


@pytest.mark.equation(
    "eq:half_axes",
    against="lengths of the ellipse in many directions",
    says="The long axis of the ellipse belongs to the small eigenvalue of C.",
)
def test_long_axis_belongs_to_the_small_eigenvalue(image):
    C = filters.steering_matrices(image)[11, 13]
    angles = np.linspace(0, pi, 3601)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    lengths = H / np.sqrt(np.einsum("na,ab,nb->n", directions, C, directions))
    _, (of_small, of_large) = np.linalg.eigh(C)[0], np.linalg.eigh(C)[1].T
    assert abs(directions[np.argmax(lengths)] @ of_small) > 1 - 1e-6
    assert abs(directions[np.argmin(lengths)] @ of_large) > 1 - 1e-6


@pytest.mark.equation(
    "eq:steering_kernel",
    against="the metric of the key, one pair after the other",
    says="Each key has its own metric, so the kernel is not symmetric, and the weights of a query can bend.",
)
def test_each_key_measures_with_its_own_metric(image):
    C, h = filters.steering_matrices(image), 2.0
    i, j = (11, 13), (9, 12)
    d = np.subtract(j, i)
    there = filters.lark_log_weights(image, i, h, radius=3)[tuple(d + 3)]
    back = filters.lark_log_weights(image, j, h, radius=3)[tuple(3 - d)]
    for found, key in ((there, j), (back, i)):
        assert found == pytest.approx(np.log(np.linalg.det(C[key])) / 2 - d @ C[key] @ d / (2 * h**2), rel=1e-9)
    assert abs(there - back) > 0.1


@pytest.mark.equation(
    "eq:steering_bias",
    against="a quadratic surface, averaged with the filter's weights",
    says="If keys share one metric and the image is quadratic in a wide window, an average’s bias comes from "
    "curvature, not from slope.",
)
@pytest.mark.parametrize("slope", [(0.0, 0.0), (3.0, -7.0)])
@pytest.mark.parametrize("H", [[[0.02, 0.0], [0.0, 0.0]], [[0.01, -0.03], [-0.03, 0.05]]])
def test_bias_of_shared_metric_is_half_h_squared_trace(slope, H):
    """On a ramp all steering matrices are equal; their weights average a different surface."""
    h, radius, ramp = 4.0, 40, np.pad(images.ramp(21), 60, mode="reflect", reflect_type="odd")
    options = {"structure_sensitivity": 0.0, "elongation_regularization": 60.0}
    C = filters.steering_matrices(ramp, **options)[70, 70]
    weights = filters.lark_weights(ramp, (70, 70), h, radius=radius, **options)
    d = np.stack(np.mgrid[-radius : radius + 1, -radius : radius + 1], axis=-1)
    surface = d @ slope + np.einsum("...a,ab,...b->...", d, H, d) / 2
    bias = h**2 / 2 * np.trace(np.linalg.inv(C) @ H)
    assert np.sum(weights * surface) == pytest.approx(bias, rel=1e-5)
    nearer = filters.lark_weights(ramp, (70, 70), h, radius=1, **options)  # not a wide window
    assert np.sum(nearer * surface[39:42, 39:42]) != pytest.approx(bias, rel=0.1)
