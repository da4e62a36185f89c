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
    says="If the metric is invertible, compression keeps its shape and raises its size to the power α.",
    given={"slant": 0.5},
    without={"If the metric is invertible": {"slant": 0.0}},
)
@pytest.mark.parametrize("alpha", [0.0, 0.3, 0.5, 1.0])
def test_metric_without_constants_is_rescaled_structure_tensor(image, alpha, slant):
    """Without its rows' differences, the image has gradients in one direction only."""
    image = image if slant else np.tile(image[0], (23, 1))
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
    given={"matrices_of": filters.steering_matrices},
    without={"of a steering matrix": {"matrices_of": filters.structure_tensors}},
)
def test_half_axes_of_ellipse_have_distance_h(image, matrices_of):
    """From the centre, h/√(γϱ) along u₁ and h√(ϱ/γ) along u₂ are on the ellipse dᵀC d = h²."""
    tensors, matrices = filters.structure_tensors(image), matrices_of(image)
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
    given={"power": 0.5},
    without={"With the determinant": {"power": 0.0}},
)
@pytest.mark.parametrize("h", [2.0, 3.0])
@pytest.mark.parametrize("elongation", [20.0, 60.0])
def test_steering_kernel_area_equals_circle_area(h, elongation, power):
    """On a ramp all steering matrices are equal; the sum over pixels approximates a smooth integral."""
    image = np.pad(images.ramp(21), 90, mode="reflect", reflect_type="odd")
    options = {"elongation_regularization": elongation, "structure_regularization": 8.0}
    C = filters.steering_matrices(image, **options)[100, 100]
    assert C[1, 1] > 5 * C[0, 0] and np.linalg.det(C) < 0.5
    log_weights = filters.lark_log_weights(image, (100, 100), h, radius=80, **options)
    log_weights += (power - 0.5) * np.log(np.linalg.det(C))
    assert np.exp(log_weights).sum() == pytest.approx(2 * pi * h**2, rel=1e-6)


@pytest.mark.equation(
    "eq:gradient_noise",
    against="the exact mean over noise of ±σ, pixel by pixel",
    says="Inside the image, independent noise of equal variance adds, on average, the same floor to the "
    "structure tensor in all directions.",
    given={"pixel": (11, 13), "pattern": [1], "scale": np.ones(23)},
    without={
        "Inside the image": {"pixel": (0, 13)},
        "independent": {"pattern": [0.6, 0.8]},
        "of equal variance": {"scale": np.repeat([1.0, 2.0], [11, 12])},
    },
)
def test_noise_adds_multiple_of_identity_to_tensor(image, pixel, pattern, scale):
    """The expectation is exact: ±σ at one pixel at a time, since independent pixels add up."""
    sigma, (row, column) = 0.1, pixel
    clean = filters.structure_tensors(image)[pixel]
    lifted = np.zeros((2, 2))
    rows = range(max(row - 7, 0), row + 8)  # within 5 pixels of the disk plus 2 of the gradient
    for noisy_row, noisy_column in product(rows, range(column - 9, column + 9)):
        noise = np.zeros_like(image)
        noise[noisy_row, noisy_column : noisy_column + len(pattern)] = sigma * scale[noisy_row] * np.array(pattern)
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
    given={"bend": 0.0},
    without={"If the image is a plane": {"bend": 0.001}},
)
@pytest.mark.parametrize("slope", [(0.0, 0.02), (0.03, -0.01)])
def test_bilateral_exponent_on_plane_is_a_metric(slope, bend):
    """The metric is I/h_x² + g gᵀ/h_y²."""
    h_x, h_y, g = 2.5, 0.1, np.array(slope)
    plane = 0.4 + np.einsum("a,aij->ij", g, np.mgrid[:17, :19])
    plane += bend * (np.arange(19) - 9) ** 2
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
    given={"power": 2},
    without={"weighted by squared coverage": {"power": 1}},
)
@pytest.mark.parametrize("d", [(1.0, 0.0), (0.3, -2.0)])
def test_squared_slopes_sum_to_a_quadratic_form(image, d, power):
    share, (row, column) = filters.disk(5), (11, 13)
    gradients = 255 * filters.pilot_gradient(image)[row - 5 : row + 6, column - 5 : column + 6]
    total = sum(share[k] ** power * (gradients[k] @ d) ** 2 for k in np.ndindex(11, 11)) / share.sum()
    M = filters.structure_tensors(image)[row, column] / (pi * 5**2)
    assert np.array(d) @ M @ d == pytest.approx(total, rel=1e-9)


@pytest.mark.equation(
    "eq:steering_matrix",
    against="the structure tensor over the area, and a constant image",
    says="The steering matrix is the structure tensor divided by the disk’s area, compressed in size and "
    "regularised.",
    given={"area": filters.disk(5).sum(), "alpha": 0.5, "constants": {}},
    without={
        "divided by the disk’s area": {"area": 1},
        "compressed in size": {"alpha": 1.0},
        "regularised": {"constants": {"elongation_regularization": 1e-12, "structure_regularization": 1e-12}},
    },
)
def test_steering_matrix_is_the_regularised_tensor(image, area, alpha, constants):
    M = filters.structure_tensors(image) / area
    bare = {"elongation_regularization": 1e-12, "structure_regularization": 1e-12}
    uncompressed = filters.steering_matrices(image, structure_sensitivity=1.0, **bare)
    np.testing.assert_allclose(uncompressed, M, rtol=1e-9, atol=1e-9 * M.max())
    compressed = filters.steering_matrices(image, structure_sensitivity=alpha, **constants)
    size = np.sqrt(np.linalg.det(M))
    np.testing.assert_allclose(np.sqrt(np.linalg.det(compressed)), np.sqrt(size), rtol=1e-3)
    assert (np.linalg.cond(compressed) < (1 - 1e-9) * np.linalg.cond(M)).all()  # λ′ makes kernels rounder
    constant = filters.steering_matrices(np.full((5, 5), 0.4))
    assert np.isfinite(constant).all() and (np.linalg.eigvalsh(constant) > 0).all()


@pytest.mark.equation(
    "eq:half_axes",
    against="lengths of the ellipse in many directions",
    says="The long axis of the ellipse belongs to the small eigenvalue of C.",
    given={"of": np.array},
    without={"of C": {"of": np.linalg.inv}},
)
def test_long_axis_belongs_to_the_small_eigenvalue(image, of):
    C = filters.steering_matrices(image)[11, 13]
    angles = np.linspace(0, pi, 3601)
    directions = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    lengths = H / np.sqrt(np.einsum("na,ab,nb->n", directions, C, directions))
    of_small, of_large = np.linalg.eigh(of(C))[1].T
    assert abs(directions[np.argmax(lengths)] @ of_small) > 1 - 1e-6
    assert abs(directions[np.argmin(lengths)] @ of_large) > 1 - 1e-6


@pytest.mark.equation(
    "eq:steering_kernel",
    against="the metric of the key, one pair after the other",
    says="Each key has its own metric, so the kernel is not symmetric, and the weights of a query can bend.",
    given={"image_of": np.array},
    without={
        "its own metric": {"image_of": lambda image: np.pad(images.ramp(11), 6, mode="edge") + 0 * image[0, 0]}
    },
)
def test_each_key_measures_with_its_own_metric(image, image_of):
    """Without bending, the weights on both sides of the query would be the same."""
    image = image_of(image)
    C, h = filters.steering_matrices(image), 2.0
    i, j = (11, 13), (9, 12)
    d = np.subtract(j, i)
    there = filters.lark_log_weights(image, i, h, radius=3)[tuple(d + 3)]
    back = filters.lark_log_weights(image, j, h, radius=3)[tuple(3 - d)]
    for found, key in ((there, j), (back, i)):
        assert found == pytest.approx(np.log(np.linalg.det(C[key])) / 2 - d @ C[key] @ d / (2 * h**2), rel=1e-9)
    assert abs(there - back) > 0.1
    log_weights = filters.lark_log_weights(image, i, h, radius=3)
    assert np.abs(log_weights - log_weights[::-1, ::-1]).max() > 0.1


@pytest.mark.equation(
    "eq:steering_kernel",
    against="the formula, pair by pair",
    says="The steering kernel is a Gaussian in the metric of the key, times the square root of its determinant.",
    given={"of": "key", "power": 0.5},
    without={"of the key": {"of": "query"}, "times the square root of its determinant": {"power": 0.0}},
)
def test_steering_kernel_is_gaussian_times_root_of_determinant(image, of, power):
    C, i, h = filters.steering_matrices(image), (11, 13), 2.0
    log_weights = filters.lark_log_weights(image, i, h, radius=3)
    for d in product(range(-3, 4), repeat=2):
        own = C[i] if of == "query" else C[i[0] + d[0], i[1] + d[1]]
        expected = power * np.log(np.linalg.det(own)) - d @ own @ d / (2 * h**2)
        assert log_weights[d[0] + 3, d[1] + 3] == pytest.approx(expected, rel=1e-9)


def shared_metric(h, radius):
    """The metric of a ramp, which is the same at all pixels, and the weights of its central pixel."""
    ramp = np.pad(images.ramp(21), 60, mode="reflect", reflect_type="odd")
    options = {"structure_sensitivity": 0.0, "elongation_regularization": 60.0}
    C = filters.steering_matrices(ramp, **options)[70, 70]
    return C, filters.lark_weights(ramp, (70, 70), h, radius=radius, **options)


def many_metrics(h, radius):
    noisy = images.add_noise(np.full((141, 141), 0.5), 0.1, rng=np.random.default_rng(0))
    return filters.steering_matrices(noisy)[70, 70], filters.lark_weights(noisy, (70, 70), h, radius=radius)


@pytest.mark.equation(
    "eq:steering_bias",
    against="a quadratic surface, averaged with the filter's weights",
    says="If keys share one metric and the image is quadratic in a wide window, an average’s bias comes from "
    "curvature, not from slope.",
    given={"weights_of": shared_metric, "bend": 0.0, "radius": 40},
    without={
        "keys share one metric": {"weights_of": many_metrics},
        "the image is quadratic": {"bend": 1e-4},
        "in a wide window": {"radius": 1},
    },
)
@pytest.mark.parametrize("slope", [(0.0, 0.0), (3.0, -7.0)])
@pytest.mark.parametrize("H", [[[0.02, 0.0], [0.0, 0.0]], [[0.01, -0.03], [-0.03, 0.05]]])
def test_bias_of_shared_metric_is_half_h_squared_trace(slope, H, weights_of, bend, radius):
    C, weights = weights_of(4.0, radius)
    d = np.stack(np.mgrid[-radius : radius + 1, -radius : radius + 1], axis=-1)
    surface = d @ slope + np.einsum("...a,ab,...b->...", d, H, d) / 2 + bend * d[..., 0] ** 4
    assert np.sum(weights * surface) == pytest.approx(4.0**2 / 2 * np.trace(np.linalg.inv(C) @ H), rel=1e-5)
