"""Non-local means against its definition, its limits, its noise floor and a peer."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.filters import (
    nonlocal_means,
    nonlocal_means_log_weights,
    nonlocal_means_weights,
    patch_kernel,
)


def patch_distance(padded, first, second, kernel):
    """The G-weighted mean over patch and channels of squared differences, around two pixels of a padded image."""
    radius = len(kernel) // 2
    patch = lambda row, column: padded[row - radius : row + radius + 1, column - radius : column + radius + 1]
    squares = (patch(*first) - patch(*second)) ** 2
    return (kernel * (squares if squares.ndim == 2 else squares.mean(axis=-1))).sum()


def nonlocal_means_by_loops(image, bandwidth, patch_radius, search_radius, kernel, noise_std=0.0):
    height, width = image.shape[:2]
    reach = patch_radius + search_radius
    padded = np.pad(image, [(reach, reach)] * 2 + [(0, 0)] * (image.ndim - 2), mode="reflect")
    result = np.empty(image.shape)
    for row in range(height):
        for column in range(width):
            numerator, denominator = 0.0, 0.0
            here = row + reach, column + reach
            for down in range(-search_radius, search_radius + 1):
                for right in range(-search_radius, search_radius + 1):
                    there = here[0] + down, here[1] + right
                    distance = patch_distance(padded, here, there, kernel)
                    weight = math.exp(-max(distance - 2 * noise_std**2, 0) / bandwidth**2)
                    numerator = numerator + weight * padded[there]
                    denominator += weight
            result[row, column] = numerator / denominator
    return result


def kernel_by_loops(radius, kind):
    """G of the definition: a Gaussian of standard deviation radius/2, or all equal, that sums to 1."""
    side = range(-radius, radius + 1)
    if kind == "uniform":
        weights = [[1.0 for _ in side] for _ in side]
    else:
        weights = [
            [math.exp(-(r**2 + c**2) / (2 * (radius / 2) ** 2)) if radius else 1.0 for c in side] for r in side
        ]
    return np.array(weights) / math.fsum(map(math.fsum, weights))


def noise(*shape, seed=0):
    return np.random.default_rng(seed).random(shape)


@pytest.mark.equation("eq:nlm_weights", against="a double loop, in double and single precision")
@pytest.mark.parametrize("shape", [(7, 11), (5, 7, 3), (1, 6), (2, 3, 2)])
@pytest.mark.parametrize("kind", ["gaussian", "uniform"])
@pytest.mark.parametrize(("patch_radius", "search_radius"), [(1, 2), (2, 1), (3, 4), (0, 2), (2, 0)])
def test_equals_its_definition(shape, kind, patch_radius, search_radius):
    image, kernel = noise(*shape), kernel_by_loops(patch_radius, kind)
    for std in (0.0, 0.1):
        arguments = 0.3, patch_radius, search_radius, kind, std
        expected = nonlocal_means_by_loops(image, 0.3, patch_radius, search_radius, kernel, std)
        np.testing.assert_allclose(nonlocal_means(image, *arguments), expected, atol=1e-13)
        single = nonlocal_means(image.astype(np.float32), *arguments)
        np.testing.assert_allclose(single, expected, atol=1e-6)


@pytest.mark.equation("eq:nlm_distance", against="the sum over the patch, at a border")
@pytest.mark.parametrize("shape", [(9, 11), (9, 11, 3)])
@pytest.mark.parametrize("kind", ["gaussian", "uniform"])
def test_log_weights_are_patch_distances(shape, kind):
    image, h, std = noise(*shape), 0.4, 0.2
    padded = np.pad(image, [(3, 3)] * 2 + [(0, 0)] * (len(shape) - 2), mode="reflect")
    log_weights = nonlocal_means_log_weights(image, (4, 1), h, 2, 1, kind, std)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            there = 7 + down, 4 + right
            distance = patch_distance(padded, (7, 4), there, kernel_by_loops(2, kind))
            expected = -max(distance - 2 * std**2, 0) / h**2
            assert log_weights[down + 1, right + 1] == pytest.approx(expected, abs=1e-13)


@pytest.mark.parametrize("kind", ["gaussian", "uniform"])
@pytest.mark.parametrize("radius", [0, 1, 2, 5])
def test_patch_kernel_equals_its_definition(radius, kind):
    np.testing.assert_allclose(patch_kernel(radius, kind), kernel_by_loops(radius, kind), rtol=1e-13)


@pytest.mark.equation("eq:nlm_noise_floor", against="the mean of 600 distances, within 4 standard errors")
@pytest.mark.parametrize("kind", ["gaussian", "uniform"])
@pytest.mark.parametrize("channels", [1, 3])
def test_noise_alone_makes_patches_differ_by_twice_its_variance(kind, channels):
    """E d² = 2σ², measured over many independent pairs against the standard error of their mean."""
    std, distances = 0.1, []
    for seed in range(300):
        image = np.random.default_rng(seed).normal(scale=std, size=(17, 17, channels))
        log_weights = nonlocal_means_log_weights(
            image, (8, 8), 1.0, patch_radius=1, search_radius=3, patch_weights=kind
        )
        distances += [-log_weights[0, 0], -log_weights[6, 6]]
    mean, error = np.mean(distances), np.std(distances) / math.sqrt(len(distances))
    assert abs(mean - 2 * std**2) < 4 * error and error < 0.05 * mean


def test_subtracting_the_noise_floor_makes_equal_patches_equal():
    image = 0.5 + np.random.default_rng(0).normal(scale=0.05, size=(25, 25))
    kept = nonlocal_means_weights(image, (12, 12), 0.02, noise_std=0.0)
    shared = nonlocal_means_weights(image, (12, 12), 0.02, noise_std=0.08)
    np.testing.assert_allclose(shared, 1 / 21**2, rtol=1e-12)  # every distance is below 2 · 0.08²
    assert kept.max() > 0.9  # the pixel listens to itself alone


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_endless_noise_makes_all_patches_alike(dtype):
    image = noise(9, 9).astype(dtype)
    for std in (1e30, 1e200):
        result = nonlocal_means(image, 0.3, 1, 2, noise_std=std)
        np.testing.assert_allclose(result, nonlocal_means(image, 1e6, 1, 2), atol=1e-6)
        weights = nonlocal_means_weights(image, (4, 4), 0.3, 1, 2, noise_std=std)
        np.testing.assert_allclose(weights, 1 / 25, rtol=1e-6)


def test_own_weight_is_the_largest_and_its_log_is_zero():
    log_weights = nonlocal_means_log_weights(noise(15, 15), (7, 7), 0.3)
    assert log_weights[10, 10] == 0 and (np.delete(log_weights.ravel(), 10 * 21 + 10) < 0).all()


def test_wide_bandwidth_is_the_mean_of_the_search_window():
    image = noise(13, 17)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(image, 2, mode="reflect"), (5, 5))
    np.testing.assert_allclose(nonlocal_means(image, 1e6, search_radius=2), windows.mean(axis=(2, 3)), atol=1e-11)


def test_narrow_bandwidth_and_no_search_change_nothing():
    image = noise(13, 17)
    np.testing.assert_array_equal(nonlocal_means(image, 1e-4), image)
    np.testing.assert_array_equal(nonlocal_means(image, 0.3, search_radius=0), image)


def test_position_does_not_matter_inside_the_search_window():
    """On a periodic image all pixels of one phase get the same weight, whatever their distance."""
    image = np.tile(noise(3, 3), (9, 9))
    weights = nonlocal_means_weights(image, (13, 13), 0.3, patch_radius=1, search_radius=6)
    np.testing.assert_allclose(weights[::3, ::3], weights.max(), rtol=1e-12)
    assert weights[6, 7] < 0.9 * weights.max()


@settings(deadline=None, max_examples=10)
@given(
    st.integers(1, 6),
    st.integers(1, 6),
    st.integers(0, 3),
    st.integers(0, 3),
    st.sampled_from(["gaussian", "uniform"]),
)
def test_equals_its_definition_at_any_size(height, width, patch_radius, search_radius, kind):
    image, kernel = noise(height, width, seed=height), kernel_by_loops(patch_radius, kind)
    expected = nonlocal_means_by_loops(image, 0.25, patch_radius, search_radius, kernel)
    np.testing.assert_allclose(
        nonlocal_means(image, 0.25, patch_radius, search_radius, kind), expected, atol=1e-12
    )
