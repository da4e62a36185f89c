"""Non-local means compared with its definition, its limits and its noise floor."""

import math

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

from lib.filters import (
    mirrored,
    nonlocal_means,
    nonlocal_means_log_kernel,
    nonlocal_means_weights,
    window_average,
)
from tests.oracles import window_by_loops


def nonlocal_means_by_loops(image, bandwidth, search_radius, kernel, noise_std=0.0):
    """Compute distances as the G-weighted mean of squared differences over patch and channels."""
    side, reach = len(kernel), len(kernel) // 2 + search_radius
    padded = np.pad(image, [(reach, reach)] * 2 + [(0, 0)] * (image.ndim - 2), mode="reflect")

    def patch(row, column):
        row, column = row + search_radius, column + search_radius
        return padded[row : row + side, column : column + side].reshape(side, side, -1)

    def log_weight(pixel, key, offset):
        distance = (kernel * np.mean((patch(*pixel) - patch(*key)) ** 2, axis=-1)).sum()
        return -max(distance - 2 * noise_std**2, 0) / bandwidth**2

    return window_by_loops(image, search_radius, log_weight)


def kernel_by_loops(radius, kind):
    """Return G of the definition: a Gaussian of standard deviation radius/2, or uniform, with sum 1."""
    flat = kind == "uniform" or radius == 0
    weight = lambda r, c: 1.0 if flat else math.exp(-(r**2 + c**2) / (2 * (radius / 2) ** 2))
    side = range(-radius, radius + 1)
    weights = np.array([[weight(r, c) for c in side] for r in side])
    return weights / weights.sum()


def noise(*shape):
    return np.random.default_rng(0).random(shape)


@pytest.mark.equation("eq:nlm_weights", against="a double loop, in double and single precision")
@pytest.mark.parametrize("shape", [(7, 11), (2, 3, 2), (1, 4)])
@pytest.mark.parametrize("kind", ["gaussian", "uniform"])
@pytest.mark.parametrize(("patch_radius", "search_radius"), [(1, 2), (0, 2), (2, 0)])
def test_nonlocal_means_equals_its_definition(shape, kind, patch_radius, search_radius):
    image, kernel = noise(*shape), kernel_by_loops(patch_radius, kind)
    for std in (0.0, 0.1):
        arguments = 0.3, patch_radius, search_radius, kind, std
        expected = nonlocal_means_by_loops(image, 0.3, search_radius, kernel, std)
        np.testing.assert_allclose(nonlocal_means(image, *arguments), expected, atol=1e-13)
        if image.ndim == 2:
            patches = sliding_window_view(mirrored(image, patch_radius + search_radius), kernel.shape)
            log_kernel = nonlocal_means_log_kernel(0.3, kernel, noise_std=std)
            definition = window_average(image, log_kernel, search_radius, keys=patches)
            np.testing.assert_allclose(definition, expected, atol=1e-13)
        weights = nonlocal_means_weights(image, (0, 0), *arguments)
        corner = np.pad(image, [(search_radius,) * 2] * 2 + [(0, 0)] * (image.ndim - 2), mode="reflect")
        around = corner[: len(weights), : len(weights)]
        np.testing.assert_allclose(np.tensordot(weights, around), expected[0, 0], atol=1e-13)
        single = nonlocal_means(image.astype(np.float32), *arguments)
        np.testing.assert_allclose(single, expected, atol=1e-6)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_infinite_noise_gives_uniform_weights(dtype):
    image = noise(9, 9).astype(dtype)
    for std in (1e30, 1e200):
        result = nonlocal_means(image, 0.3, 1, 2, noise_std=std)
        np.testing.assert_allclose(result, nonlocal_means(image, 1e6, 1, 2), atol=1e-6)
        weights = nonlocal_means_weights(image, (4, 4), 0.3, 1, 2, noise_std=std)
        np.testing.assert_allclose(weights, 1 / 25, rtol=1e-6)


@pytest.mark.parametrize("bandwidth", [1e-9, 0.3, 1e9])
@pytest.mark.parametrize("dtype, scale", [(np.float32, 1e30), (np.float64, 1e200)])
def test_nonlocal_means_scales_with_huge_values(dtype, scale, bandwidth):
    image = np.random.default_rng(4).random((13, 11)).astype(dtype)
    estimate = nonlocal_means((image * scale).astype(dtype), bandwidth * scale, 1, 3) / scale
    np.testing.assert_allclose(estimate, nonlocal_means(image, bandwidth, 1, 3), rtol=1e-5)
