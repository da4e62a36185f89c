"""The empirical denoiser: agreement with slow loops, limits, memory use, and rejected input."""

import numpy as np
import pytest

from lib.diffusion import denoise, heun_walk, noise_levels, sample, score, walk, wiener_filter
from tests.invalid_input import rejects
from tests.oracles import peak_memory


@pytest.fixture
def pictures():
    return np.random.default_rng(0).uniform(-1, 1, (7, 5, 3))


@pytest.fixture
def noisy(pictures):
    return pictures[2] + np.random.default_rng(1).normal(size=pictures.shape[1:])


def slow_denoise(noisy, pictures, noise_std, radius):
    """Denoise pixel by pixel and image by image, over the positions of the patch inside the image."""
    height, width = noisy.shape
    estimate = np.empty((height, width))
    for r in range(height):
        for c in range(width):
            squares = np.zeros(len(pictures))
            for i in range(max(r - radius, 0), min(r + radius + 1, height)):
                for j in range(max(c - radius, 0), min(c + radius + 1, width)):
                    squares += [(noisy[i, j] - picture[i, j]) ** 2 for picture in pictures]
            kernel = np.exp((squares.min() - squares) / (2 * noise_std**2))
            estimate[r, c] = np.dot(kernel, pictures[:, r, c]) / np.sum(kernel)
    return estimate


@pytest.mark.equation("eq:patch_denoise", against="loops over pixels, pictures and the pixels of the patch")
@pytest.mark.parametrize("radius", [0, 1, 2, 3])
@pytest.mark.parametrize("noise_std", [0.3, 1.0, 7.0])
def test_patches_are_compared_inside_the_image(pictures, noisy, noise_std, radius):
    expected = slow_denoise(noisy, pictures, noise_std, radius)
    np.testing.assert_allclose(denoise(noisy, pictures, noise_std, radius), expected, atol=1e-13)
    step = (expected - noisy) / noise_std**2
    np.testing.assert_allclose(score(noisy, pictures, noise_std, radius), step, atol=1e-11)


def test_radius_covering_image_equals_no_radius(pictures, noisy):
    whole = denoise(noisy, pictures, 0.8)
    for radius in (4, 1000):
        np.testing.assert_allclose(denoise(noisy, pictures, 0.8, radius), whole, atol=1e-13)
    one_less = denoise(noisy, pictures, 0.8, patch_radius=3)  # the last row is out of reach of the first
    assert np.abs(one_less - whole).max() > 1e-3


@pytest.mark.parametrize("patch_radius", [None, 1])
def test_noise_limits_are_nearest_image_and_mean(pictures, noisy, patch_radius):
    expected = slow_denoise(noisy, pictures, 1e-3, 99 if patch_radius is None else patch_radius)
    for noise_std in (1e-3, 1e-200):
        np.testing.assert_array_equal(denoise(noisy, pictures, noise_std, patch_radius), expected)
    for noise_std in (1e7, 1e300):
        mean = pictures.mean(axis=0)
        np.testing.assert_allclose(denoise(noisy, pictures, noise_std, patch_radius), mean, atol=1e-12)


@pytest.mark.parametrize("patch_radius", [None, 2])
def test_denoised_image_does_not_depend_on_block_size(pictures, patch_radius):
    """More images than fit in a block, with very different weights, give the same as single blocks."""
    rng = np.random.default_rng(2)
    many, noisy = rng.uniform(-1, 1, (1000, 5, 3)), rng.normal(size=(5, 3))
    expected = denoise(noisy, many, 0.4) if patch_radius is None else slow_denoise(noisy, many, 0.4, 2)
    order = rng.permutation(1000)
    np.testing.assert_allclose(denoise(noisy, many[order], 0.4, patch_radius), expected, atol=1e-12)


def test_colour_patches_of_a_batch_share_channels(pictures, noisy):
    alike = lambda x: np.stack([x] * 3, axis=-1)  # three channels alike are one with a third of the variance
    expected = slow_denoise(noisy, pictures, 0.9, 1)
    result = denoise(np.stack([alike(noisy)] * 2), alike(pictures), 0.9 * np.sqrt(3), patch_radius=1)
    np.testing.assert_allclose(result, np.stack([alike(expected)] * 2), atol=1e-12)


def test_batch_is_sampled_like_single_images(pictures):
    start = 10 * np.random.default_rng(6).normal(size=(3, 5, 3))
    together = sample(pictures, start=start)
    np.testing.assert_allclose(together, [sample(pictures, start=one) for one in start], atol=1e-9)


def test_trajectory_ends_at_a_training_image(pictures):
    for seed in range(5):
        result = sample(pictures, rng=seed)
        assert np.abs(result - pictures).max(axis=(1, 2)).min() < 1e-6


def test_start_has_first_noise_level(pictures):
    levels = noise_levels(5, 4.0, 0.5)
    start = 4.0 * np.random.default_rng(8).standard_normal((5, 3))
    kept = start.copy(), pictures.copy(), levels.copy()
    drawn, given = sample(pictures, 8, levels), sample(pictures, noise_levels=levels, start=start)
    np.testing.assert_array_equal(drawn, given)
    for now, before in zip((start, pictures, levels), kept, strict=True):
        np.testing.assert_array_equal(now, before)


def test_dtype_is_preserved(pictures, noisy):
    single = denoise(noisy.astype(np.float32), pictures.astype(np.float32), 0.5)
    assert single.dtype == np.float32 and denoise(noisy, pictures.astype(np.float32), 0.5).dtype == np.float64
    np.testing.assert_allclose(single, denoise(noisy, pictures, 0.5), atol=1e-6)
    assert denoise(noisy.astype(np.float32), pictures.astype(np.float32), 0.5, 1).dtype == np.float32


@pytest.mark.parametrize("patch_radius, allowed", [(None, 0.1), (2, 0.5)])
def test_memory_for_ten_thousand_images_stays_below_limit(patch_radius, allowed):
    many, noisy = np.random.default_rng(0).normal(size=(10_000, 28, 28)), np.zeros((28, 28))
    peak = peak_memory(lambda: denoise(noisy, many, 1.0, patch_radius))
    assert peak < max(allowed * many.nbytes, 8e6 + many.size)  # `many.size`: one byte each, for the NaN check


def test_wiener_filter_handles_extreme_noise_and_batches():
    pictures = np.array([[[1.0, -1.0]], [[-1.0, 1.0]]])
    estimate, noisy = wiener_filter(pictures), np.array([[3.0, 1.0]])
    np.testing.assert_allclose(estimate(noisy, 1e-170), [[1, -1]])
    np.testing.assert_allclose(estimate(noisy, 1e200), [[0, 0]], atol=1e-200)
    np.testing.assert_array_equal(
        estimate(np.stack([noisy, -noisy]), 2.0), [estimate(noisy, 2.0), estimate(-noisy, 2.0)]
    )
    np.testing.assert_allclose(wiener_filter(np.arange(9.0).reshape(9, 1, 1))([[5.0]], 1e-9), 5)
    np.testing.assert_array_equal(wiener_filter(np.ones((9, 1, 1)))([[5.0]], 1.0), 1)


PICTURES, NOISY = np.zeros((7, 5, 3)), np.zeros((5, 3))
test_invalid_input_is_rejected = rejects(
    ("pictures", lambda: denoise(NOISY, PICTURES[0], 1.0)),
    ("noisy", lambda: denoise(NOISY.T, PICTURES, 1.0)),
    ("noise_std", lambda: denoise(NOISY, PICTURES, 0.0)),
    ("noisy", lambda: denoise(NOISY + np.nan, PICTURES, 1.0)),
    ("pictures", lambda: denoise(NOISY, PICTURES + 1e60, 1.0)),
    ("patch_radius", lambda: denoise(NOISY, PICTURES, 1.0, -1)),
    ("noise_levels", lambda: sample(PICTURES, 0, [1.0, 2.0])),
    ("noise_levels", lambda: sample(PICTURES, 0, [1.0, 0.0])),
    ("noise_levels", lambda: list(walk(NOISY, [1.0, 1.0], lambda *_: NOISY))),
    ("noise_levels", lambda: list(heun_walk(NOISY, [1.0, 1.0], lambda *_: NOISY))),
    ("pictures", lambda: wiener_filter(PICTURES[:1])),
    ("noise_std", lambda: wiener_filter(PICTURES)(NOISY, 0.0)),
    ("noisy", lambda: wiener_filter(PICTURES)(NOISY[1:], 1.0)),
    ("start", lambda: sample(PICTURES, start=NOISY[0])),
    ("n", lambda: noise_levels(1, 2.0, 1.0)),
    ("largest", lambda: noise_levels(3, 1.0, 1.0)),
)
