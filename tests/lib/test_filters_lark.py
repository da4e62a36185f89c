"""Steering kernels compared with the authors' definition, written as loops, and with their limits."""

import math

import numpy as np
import pytest

from lib import images
from lib.filters import (
    disk,
    lark,
    lark_weights,
    pilot_gradient,
    steering_log_kernel,
    steering_matrices,
    steering_matrix,
    structure_tensors,
    window_average,
)
from tests.oracles import mirrored, steering_by_svd

LUMA = np.array([0.299, 0.587, 0.114])


def photograph(height, width, seed=0):
    """A noisy slanted edge on a slope."""
    row, column = np.mgrid[:height, :width]
    clean = 0.5 * (2 * row + column > height) + 0.01 * column
    return clean + np.random.default_rng(seed).normal(scale=0.05, size=(height, width))


IMAGES = {
    "photograph": photograph(13, 17),
    "one row": photograph(1, 17),
    "small": photograph(3, 2),
    "constant": np.full((11, 11), 0.4),
    "step": np.repeat([0.0, 1.0], 8) + np.zeros((13, 1)),
    "diagonal step": (np.add.outer(np.arange(13), np.arange(17)) > 14) * 1.0,
    "diagonal ramp": np.add.outer(np.arange(13), np.arange(17)) / 30,
    "texture": np.sin(np.add.outer(1.3 * np.arange(13), 0.4 * np.arange(17))) / 2 + 0.5,
}
CONSTANTS = "structure_sensitivity", "elongation_regularization", "structure_regularization"
every_image = pytest.mark.parametrize("name", IMAGES)


def fit_by_least_squares(window, weights, order):
    """Return the polynomial terms around the centre of a window: height, slope by row, slope by column."""
    radius = len(window) // 2
    row, column = (grid.ravel() for grid in np.mgrid[-radius : radius + 1, -radius : radius + 1])
    monomials = [np.ones_like(row), row, column, row**2, row * column, column**2]
    design = np.column_stack(monomials[: {0: 1, 1: 3, 2: 6}[order]])
    root = np.sqrt(weights.ravel())
    solution, *_ = np.linalg.lstsq(root[:, None] * design, root * window.ravel(), rcond=None)
    return np.pad(solution, (0, 3))[:3]


def gradient_by_least_squares(image):
    """The toolbox's pilot: order 2, h = 0.5, 5 × 5, on grey levels from 0 to 255."""
    padded = 255 * np.pad(image, 2, mode="reflect")
    distance = np.add.outer(np.arange(-2, 3) ** 2, np.arange(-2, 3) ** 2)
    weights, gradient = np.exp(-distance / (2 * 0.5**2)), np.empty((2, *image.shape))
    for row, column in np.ndindex(*image.shape):
        gradient[:, row, column] = fit_by_least_squares(padded[row : row + 5, column : column + 5], weights, 2)[1:]
    return gradient


def lark_by_loops(image, matrices, h, radius, order):
    """Fit each pixel by least squares with weights √det Cⱼ exp(−dᵀCⱼd/2h²); return height and both slopes."""
    value, metric, result = mirrored(image), mirrored(matrices), np.empty((3, *image.shape))
    offsets = np.moveaxis(np.mgrid[-radius : radius + 1, -radius : radius + 1], 0, -1)
    for row, column in np.ndindex(*image.shape):
        window, weights = np.empty((2, 2 * radius + 1, 2 * radius + 1))
        for place in np.ndindex(weights.shape):
            d = offsets[place]
            c, window[place] = metric(row + d[0], column + d[1]), value(row + d[0], column + d[1])
            weights[place] = math.sqrt(np.linalg.det(c)) * math.exp(-d @ c @ d / (2 * h**2))
        if order == 0:
            result[:, row, column] = (weights * window).sum() / weights.sum(), 0, 0
        else:
            result[:, row, column] = fit_by_least_squares(window, weights, order)
    return result


@every_image
def test_pilot_gradient_is_a_least_squares_fit(name):
    expected = gradient_by_least_squares(IMAGES[name]) / 255
    np.testing.assert_allclose(pilot_gradient(IMAGES[name]), np.moveaxis(expected, 0, -1), atol=1e-12)


@pytest.mark.parametrize("radius", [1, 2, 3, 5])
def test_disk_weights_are_pixel_areas_inside_it(radius):
    fine = 400
    position = (np.arange((2 * radius + 1) * fine) + 0.5) / fine - radius - 0.5
    inside = np.add.outer(position**2, position**2) <= radius**2
    sampled = inside.reshape(2 * radius + 1, fine, 2 * radius + 1, fine).mean(axis=(1, 3))
    np.testing.assert_allclose(disk(radius), sampled, atol=2e-4)
    assert disk(radius).sum() == pytest.approx(math.pi * radius**2, rel=1e-13)


@pytest.mark.equation("eq:structure_tensor", against="a loop over pixels and disk, on eight kinds of images")
@every_image
def test_structure_tensor_is_sum_over_disk(name):
    gradient, radius = gradient_by_least_squares(IMAGES[name]), 2
    padded = np.pad(gradient, [(0, 0), (radius, radius), (radius, radius)], mode="reflect")
    expected = np.zeros((*gradient.shape[1:], 2, 2))
    for row, column in np.ndindex(*gradient.shape[1:]):
        for down, right in np.ndindex(5, 5):
            g = padded[:, row + down, column + right]
            expected[row, column] += disk(radius)[down, right] ** 2 * np.outer(g, g)
    np.testing.assert_allclose(structure_tensors(IMAGES[name], radius), expected, rtol=1e-11, atol=1e-9)


@pytest.mark.equation(
    "eq:steering_matrix",
    against="the SVD at each pixel, on eight kinds of images",
    says="One singular value decomposition of the gradients in a disk gives the steering matrix.",
    given={"grow": 0},
    without={"in a disk": {"grow": 1}},
)
@every_image
@pytest.mark.parametrize("constants", [(5, 0.5, 1, 1e-7), (2, 0.2, 0.1, 1e-7), (5, 0.5, 1, 0.01), (5, 0.5, 1, 99)])
def test_steering_matrices_match_svd(name, constants, grow):
    """To 1e-9, except for images with one gradient direction, where s₂ is rounding error also in the SVD.

    Then s₁s₂ is about 1e-10, and λ″ = 1e-7. Without the refinement of s₂ the difference would exceed C.
    """
    gradient = 255 * np.moveaxis(pilot_gradient(IMAGES[name]), -1, 0)
    radius, named = constants[0], dict(zip(CONSTANTS, constants[1:], strict=True))
    matrices = steering_matrices(IMAGES[name], radius, **named)
    expected = steering_by_svd(gradient, radius + grow, **named)
    size = np.abs(expected).max(axis=(2, 3), keepdims=True)
    rounding = 1e-7 if constants[3] > 1e-7 else 1e-3
    exact = name in ("photograph", "small", "constant")
    np.testing.assert_allclose(matrices / size, expected / size, rtol=0, atol=1e-9 if exact else rounding)
    np.testing.assert_array_equal(matrices[..., 0, 1], matrices[..., 1, 0])


@pytest.mark.equation("eq:steering_kernel", against="a double loop, in double and single precision")
@every_image
def test_order_0_equals_its_definition(name):
    image = IMAGES[name]
    expected = lark_by_loops(image, steering_matrices(image), 2.4, 3, 0)[0]
    np.testing.assert_allclose(lark(image, 2.4, radius=3), expected, atol=1e-9)
    np.testing.assert_allclose(lark(image.astype(np.float32), 2.4, radius=3), expected, atol=3e-6)
    metrics = np.pad(steering_matrices(image), [(3, 3), (3, 3), (0, 0), (0, 0)], mode="reflect")
    definition = window_average(image, steering_log_kernel(2.4), 3, keys=metrics)
    np.testing.assert_allclose(definition, expected, atol=1e-9)


@pytest.mark.equation("eq:steering_matrix", against="the closed form of two gradients at a right angle")
def test_steering_matrix_of_two_gradients_is_diagonal():
    """With s₁ = 3 along the columns and s₂ = 1 along the rows: γ = (3 + λ″)^α/2^α and ϱ = (3 + λ′)/(1 + λ′)."""
    matrix = steering_matrix(
        [[0.0, 3.0], [1.0, 0.0]], [1.0, 1.0], **dict(zip(CONSTANTS, (0.7, 2, 5), strict=True))
    )
    scale, elongation = (8 / 2) ** 0.7, 5 / 3
    np.testing.assert_allclose(matrix, np.diag([scale / elongation, scale * elongation]), rtol=1e-14)


@pytest.mark.parametrize("noise_std", [0.001, 0.01, 0.05])
@pytest.mark.parametrize("h", [1e-6, 0.05, 0.5, 2.4])
def test_float32_is_accurate_along_slanted_edges(noise_std, h):
    """There dᵀCd is much smaller than its terms: computed as their sum, the result would be off by up to 1e-4."""
    noise = np.random.default_rng(0).normal(scale=noise_std, size=(41, 37))
    image = ((np.add.outer(np.arange(41), np.arange(37)) > 40) + noise).astype(np.float32)
    np.testing.assert_allclose(lark(image, h), lark(image.astype(np.float64), h), atol=1e-6)


@pytest.mark.equation("eq:steering_order2", against="weighted least squares at each pixel")
@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("name", ["photograph", "small", "constant", "texture"])
def test_orders_1_and_2_equal_least_squares(name, order):
    image = IMAGES[name]
    expected = lark_by_loops(image, steering_matrices(image), 2.4, 3, order)[0]
    np.testing.assert_allclose(lark(image, 2.4, radius=3, order=order), expected, atol=1e-7)


@pytest.mark.parametrize("h", [0.3, 1.0, 2.4])
@pytest.mark.parametrize("make", [np.rint, np.asarray], ids=["binary", "uniform"])
def test_order_2_is_stable_with_few_weighted_keys(make, h):
    image = make(np.random.default_rng(0).random((11, 13)))
    expected = lark_by_loops(image, steering_matrices(image), h, 5, 2)[0]
    np.testing.assert_allclose(lark(image, h, order=2), expected, atol=1e-9)


@pytest.mark.parametrize("order", [1, 2])
def test_iterations_use_gradient_of_previous_fit(order):
    image = IMAGES["photograph"]
    value, *gradient = lark_by_loops(image, steering_matrices(image), 2.0, 3, order)
    second = lark_by_loops(value, steering_by_svd(255 * np.array(gradient)), 2.0, 3, order)[0]
    np.testing.assert_allclose(lark(image, 2.0, radius=3, order=order, n_iterations=2), second, atol=1e-7)
    again = lark(lark(image, 2.0), 2.0)  # order 0 has no gradient and starts over
    np.testing.assert_allclose(lark(image, 2.0, n_iterations=2), again, atol=1e-13)


@pytest.mark.parametrize("order", [0, 2])
def test_channels_share_luminance_weights(order):
    image = np.stack([photograph(11, 13, seed) for seed in range(3)], axis=-1)
    filtered = lark(image, 2.0, radius=3, order=order)
    weights = lark_weights(image @ LUMA, (4, 5), 2.0, 3, order)
    np.testing.assert_allclose(filtered[4, 5], np.einsum("ij,ijc->c", weights, image[1:8, 2:9]), atol=1e-12)
    np.testing.assert_allclose(lark_weights(image, (4, 5), 2.0, 3, order), weights, atol=1e-13)
    for passes in (1, 2):
        filtered, expected = (lark(x, 2.0, 3, order, passes) for x in (image, image @ LUMA))
        np.testing.assert_allclose(filtered @ LUMA, expected, atol=1e-9)


def test_equivalent_kernel_survives_underflow():
    """At h = ½ and α = 1 the weights of a pixel's neighbours on an edge are below the smallest float."""
    image = images.camera()[40:88, 40:88]
    options, padded, underflowing = (
        {"bandwidth": 0.5, "structure_sensitivity": 1.0},
        np.pad(image, 5, "reflect"),
        0,
    )
    filtered = lark(image, order=2, **options)
    for row, column in np.random.default_rng(0).integers(0, 48, (60, 2)).tolist():
        weights = lark_weights(image, (row, column), order=2, **options)
        expected = np.sum(weights * padded[row : row + 11, column : column + 11])
        assert filtered[row, column] == pytest.approx(expected, abs=1e-12) and weights.sum() == pytest.approx(1)
        underflowing += lark_weights(image, (row, column), **options).max() == 1
    assert underflowing > 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("regularization", [1e-300, 1e-7, 1e300])
def test_extreme_constants_and_bandwidths_stay_finite(dtype, order, regularization):
    """No warnings; and the largest sensitivity changes nothing where there is structure."""
    for name in ("photograph", "constant", "step"):
        for sensitivity, h in [(0, 1e-300), (0.5, 1e300), (3, 2.0), (1e5, 1.0)]:
            constants = dict(zip(CONSTANTS, (sensitivity, regularization, regularization), strict=True))
            assert np.isfinite(lark(IMAGES[name].astype(dtype), h, 2, order, **constants)).all()
    unchanged = lark(IMAGES["photograph"], 1.0, order=order, structure_sensitivity=1e5)
    np.testing.assert_allclose(unchanged, IMAGES["photograph"], atol=1e-12)


def test_steering_matrix_ignores_gradients_of_zero_share():
    across, nothing = np.array([[0.0, 3.0]]), np.zeros((1, 2))
    alone = steering_matrix(across, np.ones(1))
    np.testing.assert_allclose(alone, steering_matrix(np.vstack([across, nothing]), np.array([1.0, 0.0])))
    with pytest.raises(ValueError, match="shares: expected numbers ≥ 0, not all of them 0"):
        steering_matrix(across, np.zeros(1))
