"""Non-local means where pixels are missing: against double loops, and against limits."""

import numpy as np
import pytest

from lib.filters import masked_nonlocal_means, nonlocal_means, patch_kernel
from tests.invalid_input import rejects

H, RADIUS, SEARCH = 0.2, 1, 2


@pytest.fixture
def image():
    return np.random.default_rng(0).random((9, 11))


@pytest.fixture
def known():
    return np.random.default_rng(1).random((9, 11)) < 0.5


def by_loops(image, known, pixel):
    """The estimate at one pixel, one key and one pixel of the patch after the other."""
    border, G = RADIUS + SEARCH, patch_kernel(RADIUS)
    y, m = (np.pad(x, border, mode="reflect") for x in (image, known))
    i, total, weights = np.add(pixel, border), 0.0, 0.0
    for offset in np.ndindex(2 * SEARCH + 1, 2 * SEARCH + 1):
        j, distance, shared = i + offset - SEARCH, 0.0, 0.0
        for at in np.ndindex(G.shape):
            a, b = tuple(i + at - RADIUS), tuple(j + at - RADIUS)
            if m[a] and m[b]:
                distance += G[at] * (y[a] - y[b]) ** 2
                shared += G[at]
        if m[tuple(j)] and shared:
            weight = np.exp(-distance / shared / H**2)
            total, weights = total + weight * y[tuple(j)], weights + weight
    return total / weights if weights else np.nan


@pytest.mark.equation("eq:masked_distance", against="double loops over keys and over the pixels of patches")
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_masked_nonlocal_means_follows_its_definition(image, share):
    known = np.random.default_rng(1).random(image.shape) < share
    filled = masked_nonlocal_means(np.where(known, image, 7.0), known, H, RADIUS, SEARCH)
    expected = [by_loops(image, known, pixel) for pixel in np.ndindex(image.shape)]
    np.testing.assert_allclose(filled.ravel(), expected, atol=1e-12)


def test_masked_patches_equal_nonlocal_means_without_mask(image):
    filled = masked_nonlocal_means(image, np.ones(image.shape, bool), H, RADIUS, SEARCH)
    np.testing.assert_allclose(filled, nonlocal_means(image, H, RADIUS, SEARCH), atol=1e-12)


def test_pixel_without_comparable_key_is_nan(image):
    known = np.zeros(image.shape, bool)
    known[0, 0] = True
    filled = masked_nonlocal_means(image, known, H, RADIUS, SEARCH)
    assert np.isnan(filled[8, 10]) and filled[0, 0] == image[0, 0]


KNOWN = np.ones((4, 4), bool)
test_invalid_input_is_rejected = rejects(
    ("known", lambda: masked_nonlocal_means(np.zeros((4, 4)), KNOWN[1:], H)),
    ("known", lambda: masked_nonlocal_means(np.zeros((4, 4)), 1.0 * KNOWN, H)),
    ("known", lambda: masked_nonlocal_means(np.zeros((4, 4, 3)), KNOWN, H)),
    ("bandwidth", lambda: masked_nonlocal_means(np.zeros((4, 4)), KNOWN, 0)),
    ("patch_radius", lambda: masked_nonlocal_means(np.zeros((4, 4)), KNOWN, H, 1.5)),
    ("search_radius", lambda: masked_nonlocal_means(np.zeros((4, 4)), KNOWN, H, 1, -1)),
)
