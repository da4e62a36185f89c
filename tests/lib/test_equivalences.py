"""The identities of the story: methods that never import each other, and give the same numbers."""

import numpy as np
import pytest

from lib import filters, unified
from lib.attention import attention, attention_weights
from lib.filters import patch_kernel, steering_matrices
from lib.images import add_noise, camera, cat
from lib.metrics import mahalanobis_factors
from lib.patch_attention import N_PATCH, nonlocal_means_matrix, patch_attention, patch_attention_weights
from lib.regression import nadaraya_watson, nadaraya_watson_weights
from lib.unified import augment, block_metric, carry_norms, factor, norm_carrying_metric

EXACT = dict(rtol=0, atol=1e-10)
CORNERS_AND_INSIDE = [(0, 0), (0, 30), (40, 36), (21, 17)]


@pytest.fixture(scope="module", params=["grey", "colour"])
def photograph(request):
    """Part of a photograph with prime sides, and noise, in grey and in colour."""
    image = camera()[31:72, 40:77] if request.param == "grey" else cat()[31:72, 40:77]
    return add_noise(image, 0.1, np.random.default_rng(0))


# ------------------------------------------------------------- one core, engines that give the same in blocks


def bilateral_by_definition(image, radius):
    square = lambda difference: np.square(difference).reshape(*difference.shape[:2], -1).sum(axis=-1)
    log_kernel = lambda offset, query, key: -(offset @ offset) / 1.5**2 - square(key - query) / 0.3**2
    return filters.window_average(image, log_kernel, radius)


def nonlocal_means_by_definition(image, radius):
    padded = np.atleast_3d(filters.mirrored(image, radius + 1))
    patches = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(0, 1))
    distance = lambda one, other: (patch_kernel(1) * (one - other) ** 2).sum(axis=(-2, -1)).mean(axis=-1)
    log_kernel = lambda offset, query, key: -distance(query, key) / 0.3**2
    return filters.window_average(image, log_kernel, radius, keys=patches)


def lark_by_definition(image, radius):
    log_kernel = lambda d, query, C: np.log(np.linalg.det(C)) / 2 - d @ C @ d / (2 * 2.0**2)
    metrics = filters.mirrored(steering_matrices(image), radius)
    return filters.window_average(image, log_kernel, radius, keys=metrics)


@pytest.mark.parametrize(
    "definition, fast",
    [
        (bilateral_by_definition, lambda image: filters.bilateral(image, 1.5, 0.3, 4)),
        (nonlocal_means_by_definition, lambda image: filters.nonlocal_means(image, 0.3, 1, 4)),
        (lark_by_definition, lambda image: filters.lark(image, 2.0, 4)),
    ],
    ids=["bilateral", "nonlocal_means", "lark"],
)
def test_the_engine_of_the_filters_equals_their_definition(photograph, definition, fast):
    np.testing.assert_allclose(fast(photograph), definition(photograph, 4), **EXACT)


# ------------------------------------------------------------------- one kernel, four methods, one photograph


def test_classical_is_nadaraya_watson_on_positions(photograph):
    """A window that holds the whole kernel: outside, 7.7 bandwidths away, the weight is below 1e-25."""
    h, radius = 1.3, 9
    padded = np.pad(photograph, [(radius, radius)] * 2 + [(0, 0)] * (photograph.ndim - 2), mode="reflect")
    keys = np.argwhere(np.ones(padded.shape[:2])) - radius
    queries = np.argwhere(np.ones(photograph.shape[:2]))
    values = padded.reshape(len(keys), -1)
    expected = nadaraya_watson(queries, keys, values, h).reshape(photograph.shape)
    np.testing.assert_allclose(unified.smooth(unified.classical(photograph, h, radius)), expected, **EXACT)


@pytest.mark.parametrize("patch_radius", [0, 1])
def test_bilateral(photograph, patch_radius):
    kernel = unified.bilateral(photograph, 1.5, 0.3, radius=4, patch_radius=patch_radius)
    np.testing.assert_allclose(unified.smooth(kernel), filters.bilateral(photograph, 1.5, 0.3), **EXACT)
    for pixel in CORNERS_AND_INSIDE:
        expected = filters.bilateral_weights(photograph, pixel, 1.5, 0.3)
        np.testing.assert_allclose(unified.window_weights(kernel, pixel), expected, **EXACT)


@pytest.mark.parametrize("patch_weights", ["gaussian", "uniform"])
@pytest.mark.parametrize("noise_std", [0.0, 0.1])
def test_nonlocal_means(photograph, patch_weights, noise_std):
    arguments = dict(
        bandwidth=0.1, patch_radius=2, search_radius=5, patch_weights=patch_weights, noise_std=noise_std
    )
    kernel = unified.nonlocal_means(photograph, 0.1, patch_kernel(2, patch_weights), 5, noise_std)
    np.testing.assert_allclose(unified.smooth(kernel), filters.nonlocal_means(photograph, **arguments), **EXACT)
    for pixel in CORNERS_AND_INSIDE:
        expected = filters.nonlocal_means_weights(photograph, pixel, **arguments)
        np.testing.assert_allclose(unified.window_weights(kernel, pixel), expected, **EXACT)


def test_lark(photograph):
    kernel = unified.lark(photograph, steering_matrices(photograph), 2.4, radius=5)
    np.testing.assert_allclose(unified.smooth(kernel), filters.lark(photograph, 2.4, radius=5), **EXACT)
    for pixel in CORNERS_AND_INSIDE:
        expected = filters.lark_weights(photograph, pixel, 2.4, radius=5)
        np.testing.assert_allclose(unified.window_weights(kernel, pixel), expected, **EXACT)


# ----------------------------------------------------------------- from Gaussian kernel regression to attention


@pytest.mark.equation("eq:equal_norms", against="`nadaraya_watson` on keys of one norm")
def test_equal_key_norms_are_enough_and_equal_query_norms_are_not():
    rng = np.random.default_rng(1)
    queries, keys, values = rng.normal(size=(5, 3)), rng.normal(size=(7, 3)), rng.normal(size=7)
    h = np.sqrt(2 * np.sqrt(3))
    unit = lambda vectors: 2.5 * vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    same = attention(queries, unit(keys), values) - nadaraya_watson(queries, unit(keys), values, h)
    np.testing.assert_allclose(same, 0, atol=1e-14)
    moved = lambda q, k: np.abs(attention_weights(q, k) - nadaraya_watson_weights(q, k, h)).sum(axis=1) / 2
    np.testing.assert_allclose(moved(queries, unit(keys)), 0, atol=1e-14)
    assert moved(unit(queries), keys).max() > 0.1


# -------------------------------------------------- dot-product attention contains every Gaussian filter exactly


def windows_as_mask(height, width, radius):
    """True where a key of the padded image lies in the window of a pixel."""
    queries = np.argwhere(np.ones((height, width))) + radius
    keys = np.argwhere(np.ones((height + 2 * radius, width + 2 * radius)))
    return abs(queries[:, None] - keys).max(axis=-1) <= radius


@pytest.fixture(scope="module")
def small():
    return add_noise(camera()[60:71, 40:57], 0.1, np.random.default_rng(4))


def attend_with_norms(image, metrics, scales, patch_radius, radius):
    """softmax(t̃ᵢᵀ W_qᵀ W_k t̃ⱼ) over the window, t̃ = [x, patch, norms, 1] of each pixel."""
    margin = radius + patch_radius
    padded = np.pad(image, margin, mode="reflect")
    side = 2 * patch_radius + 1
    patches = np.lib.stride_tricks.sliding_window_view(padded, (side, side))
    positions = np.argwhere(np.ones(patches.shape[:2])) - np.array(patches.shape[:2]) / 2
    tokens = carry_norms(augment(positions, patches.reshape(len(positions), -1)), metrics)
    query_map, key_map = factor(norm_carrying_metric(metrics, scales))
    inside = np.zeros(patches.shape[:2], bool)
    inside[radius:-radius, radius:-radius] = True
    mask = windows_as_mask(*image.shape, radius)
    centre = padded[patch_radius : patch_radius + len(patches), patch_radius : patch_radius + patches.shape[1]]
    mapped = tokens[inside.ravel()] @ query_map.T, tokens @ key_map.T
    return attention(*mapped, centre.ravel(), temperature=1, mask=mask).reshape(image.shape)


@pytest.mark.parametrize("scales", [(1 / 1.5**2, 0), (1 / 1.5**2, 1 / 0.3**2)], ids=["N–W", "bilateral"])
def test_attention_contains_classical_and_bilateral(small, scales):
    """Both from the same tokens: W_q and W_k alone switch the values on."""
    metrics = np.array([block_metric(np.eye(2), [[0.0]]), block_metric(np.zeros((2, 2)), [[1.0]])])
    result = attend_with_norms(small, metrics, scales, patch_radius=0, radius=4)
    h_y = 1e6 if scales[1] == 0 else 0.3
    np.testing.assert_allclose(result, filters.bilateral(small, 1.5, h_y, radius=4), **EXACT)


def test_attention_contains_nonlocal_means(small):
    metric = block_metric(np.zeros((2, 2)), np.diag(patch_kernel(1).ravel()))
    result = attend_with_norms(small, metric, [1 / 0.2**2], patch_radius=1, radius=3)
    expected = filters.nonlocal_means(small, 0.2, patch_radius=1, search_radius=3)
    np.testing.assert_allclose(result, expected, **EXACT)


def test_attention_contains_the_steering_kernel(small):
    """The key brings its own C: as vec C, which meets the query's vec ddᵀ, and log √det C beside it."""
    h, radius = 2.4, 3
    steering = np.pad(steering_matrices(small), [(radius, radius)] * 2 + [(0, 0)] * 2, mode="reflect")
    padded = np.pad(small, radius, mode="reflect")
    keys = np.argwhere(np.ones(padded.shape)) - np.array(padded.shape) / 2
    inside = np.zeros(padded.shape, bool)
    inside[radius:-radius, radius:-radius] = True
    metric = steering.reshape(-1, 2, 2) / (2 * h**2)
    query_side, key_side = mahalanobis_factors(keys[inside.ravel()], keys, metric)
    key_side = np.column_stack([-key_side, np.log(np.linalg.det(steering)).ravel() / 2])
    query_side = np.column_stack([query_side, np.ones(len(query_side))])
    mask = windows_as_mask(*small.shape, radius)
    result = attention(query_side, key_side, padded.ravel(), temperature=1, mask=mask).reshape(small.shape)
    np.testing.assert_allclose(result, filters.lark(small, h, radius=radius), **EXACT)


@pytest.mark.equation("eq:patch_attention", against="`nonlocal_means`, whole images and windows")
def test_patch_attention_begins_at_nonlocal_means():
    image = add_noise(camera()[31:72, 40:77], 25 / 255, np.random.default_rng(5))
    matrix = nonlocal_means_matrix(0.15)
    maps = factor(np.sqrt(len(matrix)) * matrix, rank=len(matrix))
    expected = filters.nonlocal_means(image, 0.15, patch_radius=2, search_radius=7, patch_weights="uniform")
    np.testing.assert_allclose(patch_attention(image, *maps), expected, **EXACT)
    for pixel in CORNERS_AND_INSIDE:
        expected = filters.nonlocal_means_weights(image, pixel, 0.15, 2, 7, "uniform")
        np.testing.assert_allclose(patch_attention_weights(image, pixel, *maps), expected, **EXACT)


def test_the_matrix_of_nonlocal_means_is_that_of_tokens_that_carry_norms():
    expected = norm_carrying_metric(np.eye(N_PATCH) / 5, [5 / (25 * 0.15**2)])
    np.testing.assert_allclose(nonlocal_means_matrix(0.15)[: N_PATCH + 2, : N_PATCH + 2], expected, rtol=1e-12)
    assert not nonlocal_means_matrix(0.15)[N_PATCH + 2 :].any()
