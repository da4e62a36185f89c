"""Identities of the course: independent methods that give the same numbers."""

import numpy as np
import pytest

from lib import filters, unified
from lib.attention import attention, attention_weights
from lib.filters import patch_kernel, steering_matrices
from lib.images import add_noise, camera, cat
from lib.patch_attention import nonlocal_means_matrix, patch_attention, patch_attention_weights
from lib.regression import nadaraya_watson, nadaraya_watson_weights
from lib.unified import factor

EXACT = dict(rtol=0, atol=1e-10)
CORNERS_AND_INSIDE = [(0, 0), (0, 30), (40, 36), (21, 17)]


@pytest.fixture(scope="module", params=["grey", "colour"])
def photograph(request):
    """Part of a photograph with prime sides, and noise, in grey and in colour."""
    image = camera()[31:72, 40:77] if request.param == "grey" else cat()[31:72, 40:77]
    return add_noise(image, 0.1, rng=np.random.default_rng(0))


def nonlocal_means_of(patch_weights, noise_std):
    of_unified = lambda image: unified.nonlocal_means_kernel(
        image, 0.1, patch_kernel(2, patch_weights), 5, noise_std=noise_std
    )
    return of_unified, *OF_PATCHES, (0.1, 2, 5, patch_weights, noise_std)


OF_PATCHES = filters.nonlocal_means, filters.nonlocal_means_weights
OF_BILATERAL = filters.bilateral, filters.bilateral_weights, (1.5, 0.3)
OF_LARK = filters.lark, filters.lark_weights, (2.4, 5)
ONE_KERNEL = {
    "bilateral": (lambda image: unified.bilateral_kernel(image, 1.5, 0.3, 4), *OF_BILATERAL),
    "bilateral of patches": (
        lambda image: unified.bilateral_kernel(image, 1.5, 0.3, 4, patch_radius=1),
        *OF_BILATERAL,
    ),
    "nonlocal_means": nonlocal_means_of("gaussian", 0.0),
    "nonlocal_means, uniform": nonlocal_means_of("uniform", 0.1),
    "lark": (lambda image: unified.steering_kernel(image, steering_matrices(image), 2.4, 5), *OF_LARK),
}


@pytest.mark.parametrize("method", ONE_KERNEL)
def test_unified_kernel_gives_the_filters(photograph, method):
    """Chapter 5 itself compares the classical kernel."""
    kernel_of, filtered, weights_of, arguments = ONE_KERNEL[method]
    kernel = kernel_of(photograph)
    np.testing.assert_allclose(unified.smooth(kernel), filtered(photograph, *arguments), **EXACT)
    for pixel in CORNERS_AND_INSIDE:
        expected = weights_of(photograph, pixel, *arguments)
        np.testing.assert_allclose(unified.window_weights(kernel, pixel), expected, **EXACT)


@pytest.mark.equation("eq:equal_norms", against="`nadaraya_watson` on keys of equal norm")
def test_equal_key_norms_make_attention_gaussian():
    rng = np.random.default_rng(1)
    queries, keys, values = rng.normal(size=(5, 3)), rng.normal(size=(7, 3)), rng.normal(size=7)
    h = np.sqrt(2 * np.sqrt(3))
    unit = lambda vectors: 2.5 * vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    same = attention(queries, unit(keys), values) - nadaraya_watson(queries, unit(keys), values, h)
    np.testing.assert_allclose(same, 0, atol=1e-14)
    moved = lambda q, k: np.abs(attention_weights(q, k) - nadaraya_watson_weights(q, k, h)).sum(axis=1) / 2
    np.testing.assert_allclose(moved(queries, unit(keys)), 0, atol=1e-14)
    assert moved(unit(queries), keys).max() > 0.1


@pytest.mark.equation("eq:patch_attention", against="`nonlocal_means`, whole images and windows")
def test_patch_attention_starts_at_nonlocal_means():
    image = add_noise(camera()[31:72, 40:77], 25 / 255, rng=np.random.default_rng(5))
    matrix = nonlocal_means_matrix(0.15)
    maps = factor(np.sqrt(len(matrix)) * matrix, rank=len(matrix))
    expected = filters.nonlocal_means(image, 0.15, patch_radius=2, search_radius=7, patch_weights="uniform")
    np.testing.assert_allclose(patch_attention(image, *maps), expected, **EXACT)
    for pixel in CORNERS_AND_INSIDE:
        expected = filters.nonlocal_means_weights(image, pixel, 0.15, 2, 7, "uniform")
        np.testing.assert_allclose(patch_attention_weights(image, pixel, *maps), expected, **EXACT)
