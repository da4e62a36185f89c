"""Steering kernels against the authors' definition, written as loops, and against their limits."""

import math

import numpy as np
import pytest

from lib import images
from lib.filters import (
    bilateral,
    lark,
    lark_log_weights,
    lark_weights,
    pilot_gradient,
    steering_matrices,
    structure_tensors,
)
from lib.filters.lark import disk
from lib.weights import softmax

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
every_image = pytest.mark.parametrize("name", IMAGES)


def fit_by_least_squares(window, weights, order):
    """The polynomial of this order around the middle of a window: height, slope by row, slope by column."""
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


def steering_by_svd(gradient, radius=5, alpha=0.5, regularization=1.0, structure_regularization=1e-7):
    """The toolbox: the singular values of the K-weighted gradients in a disk, one pixel after the other."""
    kernel = disk(radius)
    padded = np.pad(gradient, [(0, 0), (radius, radius), (radius, radius)], mode="reflect")
    result = np.empty((*gradient.shape[1:], 2, 2))
    for row, column in np.ndindex(*gradient.shape[1:]):
        window = padded[:, row : row + 2 * radius + 1, column : column + 2 * radius + 1] * kernel
        _, (s1, s2), (v1, v2) = np.linalg.svd(window.reshape(2, -1).T, full_matrices=False)
        elongation = (s1 + regularization) / (s2 + regularization)
        scale = ((s1 * s2 + structure_regularization) / kernel.sum()) ** alpha
        result[row, column] = scale * (elongation * np.outer(v1, v1) + np.outer(v2, v2) / elongation)
    return result


def lark_by_loops(image, matrices, h, radius, order):
    """Each pixel: weights √det Cⱼ exp(−dᵀCⱼd/2h²) in its window, then least squares. Height and both slopes."""
    border = [(radius, radius), (radius, radius)]
    padded, metric = np.pad(image, border, mode="reflect"), np.pad(matrices, border + [(0, 0)] * 2, mode="reflect")
    result = np.empty((3, *image.shape))
    for row, column in np.ndindex(*image.shape):
        weights = np.empty((2 * radius + 1, 2 * radius + 1))
        for down in range(-radius, radius + 1):
            for right in range(-radius, radius + 1):
                c = metric[row + radius + down, column + radius + right]
                d = np.array([down, right])
                weights[radius + down, radius + right] = math.sqrt(np.linalg.det(c)) * math.exp(
                    -d @ c @ d / (2 * h**2)
                )
        window = padded[row : row + 2 * radius + 1, column : column + 2 * radius + 1]
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
def test_disk_is_the_area_of_every_pixel_inside_it(radius):
    fine = 400
    position = (np.arange((2 * radius + 1) * fine) + 0.5) / fine - radius - 0.5
    inside = np.add.outer(position**2, position**2) <= radius**2
    sampled = inside.reshape(2 * radius + 1, fine, 2 * radius + 1, fine).mean(axis=(1, 3))
    np.testing.assert_allclose(disk(radius), sampled, atol=2e-4)
    assert disk(radius).sum() == pytest.approx(math.pi * radius**2, rel=1e-13)


@pytest.mark.equation("eq:structure_tensor", against="a loop over pixels and disk, on eight kinds of images")
@every_image
def test_structure_tensor_is_the_sum_over_the_disk(name):
    gradient, radius = gradient_by_least_squares(IMAGES[name]), 2
    padded = np.pad(gradient, [(0, 0), (radius, radius), (radius, radius)], mode="reflect")
    expected = np.zeros((*gradient.shape[1:], 2, 2))
    for row, column in np.ndindex(*gradient.shape[1:]):
        for down, right in np.ndindex(5, 5):
            g = padded[:, row + down, column + right]
            expected[row, column] += disk(radius)[down, right] ** 2 * np.outer(g, g)
    np.testing.assert_allclose(structure_tensors(IMAGES[name], radius), expected, rtol=1e-11, atol=1e-9)


@pytest.mark.equation("eq:steering_matrix", against="the SVD at each pixel, on eight kinds of images")
@every_image
@pytest.mark.parametrize(("radius", "alpha", "regularization"), [(5, 0.5, 1.0), (2, 0.2, 0.1)])
def test_steering_matrices_equal_the_svd_of_every_pixel(name, radius, alpha, regularization):
    """To 1e-9, but for images with one direction of gradients: there s₂ is rounding, in the singular values too.

    Then s₁s₂ is about 1e-10 beside λ″ = 1e-7. Without the second look at s₂ the difference would be larger than C.
    """
    gradient = 255 * np.moveaxis(pilot_gradient(IMAGES[name]), -1, 0)
    options = {"structure_sensitivity": alpha, "elongation_regularization": regularization}
    matrices = steering_matrices(IMAGES[name], radius, **options)
    expected = steering_by_svd(gradient, radius, alpha, regularization)
    size = np.abs(expected).max(axis=(2, 3), keepdims=True)
    exact = name in ("photograph", "small", "constant")
    np.testing.assert_allclose(matrices / size, expected / size, rtol=0, atol=1e-9 if exact else 1e-3)


@every_image
@pytest.mark.parametrize("structure_regularization", [0.01, 0.1, 100])
def test_structure_regularization_is_added_to_the_product_of_the_singular_values(name, structure_regularization):
    gradient = 255 * np.moveaxis(pilot_gradient(IMAGES[name]), -1, 0)
    matrices = steering_matrices(IMAGES[name], structure_regularization=structure_regularization)
    expected = steering_by_svd(gradient, structure_regularization=structure_regularization)
    size = np.abs(expected).max(axis=(2, 3), keepdims=True)
    np.testing.assert_allclose(matrices / size, expected / size, rtol=0, atol=1e-7)


@pytest.mark.parametrize("wrong", [0, -1, math.nan, math.inf])
def test_structure_regularization_is_above_zero(wrong):
    for call in (
        lambda: lark(IMAGES["photograph"], 2.0, structure_regularization=wrong),
        lambda: steering_matrices(IMAGES["photograph"], structure_regularization=wrong),
        lambda: lark_weights(IMAGES["photograph"], (3, 4), 2.0, structure_regularization=wrong),
    ):
        with pytest.raises(ValueError, match="structure_regularization: expected a finite number > 0"):
            call()


def test_every_call_takes_the_structure_regularization():
    image, pixel, h = IMAGES["step"], (6, 7), 2.4
    weights = lark_weights(image, pixel, h, 3, structure_regularization=0.1)
    np.testing.assert_allclose(
        weights, softmax(lark_log_weights(image, pixel, h, 3, structure_regularization=0.1).ravel()).reshape(7, 7)
    )
    assert np.abs(weights - lark_weights(image, pixel, h, 3)).max() > 0.05
    filtered = lark(image, h, 3, structure_regularization=0.1)
    assert filtered[pixel] == pytest.approx(np.sum(weights * image[3:10, 4:11]), abs=1e-12)


@every_image
def test_steering_matrices_are_symmetric_positive_definite(name):
    matrices = steering_matrices(IMAGES[name])
    np.testing.assert_array_equal(matrices[..., 0, 1], matrices[..., 1, 0])
    assert (np.linalg.eigvalsh(matrices) > 0).all()


def test_structure_sensitivity_zero_gives_every_kernel_the_same_area():
    matrices = steering_matrices(IMAGES["photograph"], structure_sensitivity=0)
    np.testing.assert_allclose(np.linalg.det(matrices), 1, rtol=1e-10)


@pytest.mark.parametrize("degrees", [0, 30, 45, 90, 135])
def test_metric_turns_with_the_edge(degrees):
    """C is largest across the edge: its first eigenvector is the edge's normal."""
    row, column = np.mgrid[-20:21, -20:21]
    normal = np.array([math.sin(math.radians(degrees)), math.cos(math.radians(degrees))])
    noise = np.random.default_rng(0).normal(scale=0.01, size=row.shape)
    edge = 1 / (1 + np.exp(-(row * normal[0] + column * normal[1]))) + noise
    values, vectors = np.linalg.eigh(steering_matrices(edge)[20, 20])
    assert values[1] > 10 * values[0]
    assert abs(vectors[:, 1] @ normal) > math.cos(math.radians(2))


@pytest.mark.equation("eq:steering_kernel", against="a double loop, in double and single precision")
@every_image
def test_order_0_equals_its_definition(name):
    image = IMAGES[name]
    expected = lark_by_loops(image, steering_matrices(image), 2.4, 3, 0)[0]
    np.testing.assert_allclose(lark(image, 2.4, radius=3), expected, atol=1e-9)
    np.testing.assert_allclose(lark(image.astype(np.float32), 2.4, radius=3), expected, atol=3e-6)


@pytest.mark.parametrize("noise_std", [0.001, 0.01, 0.05])
@pytest.mark.parametrize("h", [1e-6, 0.05, 0.5, 2.4])
def test_float32_holds_along_slanted_edges(noise_std, h):
    """There dᵀCd is small beside its terms: written as their sum it would be wrong by up to 1e-4 in the result."""
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
def test_order_2_holds_where_the_weight_sits_on_few_keys(make, h):
    image = make(np.random.default_rng(0).random((11, 13)))
    expected = lark_by_loops(image, steering_matrices(image), h, 5, 2)[0]
    np.testing.assert_allclose(lark(image, h, order=2), expected, atol=1e-9)


@pytest.mark.parametrize("order", [1, 2])
def test_further_iterations_filter_the_estimate_with_the_gradient_of_the_fit(order):
    image = IMAGES["photograph"]
    value, *gradient = lark_by_loops(image, steering_matrices(image), 2.0, 3, order)
    second = lark_by_loops(value, steering_by_svd(255 * np.array(gradient)), 2.0, 3, order)[0]
    np.testing.assert_allclose(lark(image, 2.0, radius=3, order=order, n_iterations=2), second, atol=1e-7)


def test_further_iterations_of_order_0_start_again():
    image = IMAGES["photograph"]
    np.testing.assert_allclose(
        lark(image, 2.0, n_iterations=3), lark(lark(lark(image, 2.0), 2.0), 2.0), atol=1e-13
    )


@pytest.mark.parametrize("order", [0, 2])
def test_channels_share_the_weights_of_their_brightness(order):
    image = np.stack([photograph(11, 13, seed) for seed in range(3)], axis=-1)
    filtered = lark(image, 2.0, radius=3, order=order)
    weights = lark_weights(image @ LUMA, (4, 5), 2.0, 3, order)
    np.testing.assert_allclose(filtered[4, 5], np.einsum("ij,ijc->c", weights, image[1:8, 2:9]), atol=1e-12)
    np.testing.assert_allclose(lark_weights(image, (4, 5), 2.0, 3, order), weights, atol=1e-13)
    np.testing.assert_allclose(filtered @ LUMA, lark(image @ LUMA, 2.0, radius=3, order=order), atol=1e-12)


@pytest.mark.parametrize("order", [0, 2])
def test_grey_pictures_in_colour_stay_grey(order):
    grey = IMAGES["photograph"]
    colour = np.repeat(grey[:, :, None], 3, axis=-1)
    expected = lark(grey, 2.0, radius=3, order=order, n_iterations=2)
    for channel in np.moveaxis(lark(colour, 2.0, radius=3, order=order, n_iterations=2), -1, 0):
        np.testing.assert_allclose(channel, expected, atol=1e-9)


@pytest.mark.parametrize("order", [1, 2])
def test_polynomials_of_the_order_are_kept(order):
    """Inside, where no window meets the mirrored border. The steering is that of the polynomial itself."""
    row, column = np.mgrid[-1:1:25j, -1:1:25j]
    image = 0.2 + 0.3 * row - 0.1 * column + (order == 2) * (0.2 * row**2 + 0.4 * row * column - 0.3 * column**2)
    filtered = lark(image, 2.0, radius=4, order=order)
    np.testing.assert_allclose(filtered[4:-4, 4:-4], image[4:-4, 4:-4], atol=1e-8)


def test_round_kernels_of_one_size_are_a_gaussian_blur():
    """α = 0 and λ′ → ∞ make C the identity; the toolbox's h is then 1/√2 of the h in exp(−‖·‖²/h²)."""
    image = IMAGES["photograph"]
    steered = lark(image, 1.5, radius=4, structure_sensitivity=0, elongation_regularization=1e12)
    blurred = bilateral(image, 1.5 * math.sqrt(2), 1e6, radius=4)
    np.testing.assert_allclose(steered, blurred, atol=1e-9)


def test_kernel_belongs_to_the_key():
    """−dᵀCd/2h² + log √det C with the C of the key: seen from the other end the weight differs."""
    image, h = IMAGES["photograph"], 2.0
    matrices = steering_matrices(image)
    d = np.array([1, 2])
    from_key = lambda c: math.log(math.sqrt(np.linalg.det(c))) - d @ c @ d / (2 * h**2)
    there = lark_log_weights(image, (5, 6), h, radius=3)[3 + 1, 3 + 2]
    back = lark_log_weights(image, (6, 8), h, radius=3)[3 - 1, 3 - 2]
    assert there == pytest.approx(from_key(matrices[6, 8]), abs=1e-10)
    assert back == pytest.approx(from_key(matrices[5, 6]), abs=1e-10)
    assert abs(there - back) > 0.1


def test_order_0_weights_are_positive_and_order_2_weights_are_not():
    image = IMAGES["texture"]
    assert (lark_weights(image, (6, 8), 4.0) > 0).all()
    assert lark_weights(image, (6, 8), 4.0, order=2).min() < 0


@pytest.mark.parametrize("order", [0, 1, 2])
def test_narrow_bandwidth_changes_nothing(order):
    image = IMAGES["photograph"]
    np.testing.assert_allclose(lark(image, 1e-3, order=order), image, atol=1e-12)


def test_equivalent_kernel_holds_where_all_other_weights_underflow():
    """At h = ½ and α = 1 the weights beside a pixel on an edge are below the smallest float."""
    image = images.camera()
    filtered = lark(image, 0.5, order=2, structure_sensitivity=1.0)
    padded = np.pad(image, 5, mode="reflect")
    underflowing = 0
    for row, column in np.random.default_rng(0).integers(0, 128, (100, 2)).tolist():
        options = dict(bandwidth=0.5, structure_sensitivity=1.0)
        weights = lark_weights(image, (row, column), order=2, **options)
        assert weights.sum() == pytest.approx(1)
        expected = np.sum(weights * padded[row : row + 11, column : column + 11])
        assert filtered[row, column] == pytest.approx(expected, abs=1e-12)
        underflowing += lark_weights(image, (row, column), **options).max() == 1
    assert underflowing > 5


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", [0, 1, 2])
@pytest.mark.parametrize("regularization", [1e-300, 1e-7, 1e300])
def test_extreme_constants_and_bandwidths_give_numbers(dtype, order, regularization):
    """Without a warning; and the largest sensitivity changes nothing where there is structure."""
    for name in ("photograph", "constant", "step"):
        for sensitivity, h in [(0, 1e-300), (0.5, 1e300), (3, 2.0), (1e5, 1.0)]:
            filtered = lark(
                IMAGES[name].astype(dtype),
                h,
                radius=2,
                order=order,
                structure_sensitivity=sensitivity,
                elongation_regularization=regularization,
                structure_regularization=regularization,
            )
            assert np.isfinite(filtered).all()
    unchanged = lark(IMAGES["photograph"], 1.0, order=order, structure_sensitivity=1e5)
    np.testing.assert_allclose(unchanged, IMAGES["photograph"], atol=1e-12)
