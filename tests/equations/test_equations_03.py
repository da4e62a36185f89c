"""Each labelled equation of chapter 3, computed as written, against the code."""

from itertools import product
from math import exp, sqrt

import numpy as np
import pytest

from lib import filters
from lib.metrics import squared_euclidean, squared_mahalanobis
from lib.regression import nadaraya_watson
from lib.weights import average, softmax

KINDS = ("gaussian", "uniform")


@pytest.fixture
def image():
    return np.random.default_rng(7).random((11, 13))


def square(radius):
    """Return the offsets (row, column) of a square window, row by row."""
    return list(product(range(-radius, radius + 1), repeat=2))


def patch_distance(image, i, j, radius, kind="gaussian"):
    """Return d² as the sum over the offsets k. Both patches must be inside the image."""
    fall = 2 / max(radius, 1) ** 2 if kind == "gaussian" else 0  # standard deviation radius/2
    G = {(r, c): np.exp(-fall * (r * r + c * c)) for r, c in square(radius)}
    return sum(
        G[r, c] / sum(G.values()) * (image[i[0] + r, i[1] + c] - image[j[0] + r, j[1] + c]) ** 2
        for r, c in square(radius)
    )


@pytest.mark.equation("eq:nlm_distance", against="the sum over the patch, term by term")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("radius", [0, 1, 2])
def test_patch_distance_is_a_weighted_mean_square(image, kind, radius):
    log_weights = filters.nonlocal_means_log_weights(image, (5, 6), 1.0, radius, 3, kind).ravel()
    expected = [-patch_distance(image, (5, 6), (5 + r, 6 + c), radius, kind) for r, c in square(3)]
    np.testing.assert_allclose(log_weights, expected, atol=1e-14)
    assert filters.patch_kernel(radius, kind).sum() == pytest.approx(1, abs=1e-14)


@pytest.mark.equation(
    "eq:nlm_metric",
    against="`nadaraya_watson` on scaled patches",
    says="The formula is Nadaraya–Watson regression with scaled patches as keys and their centre pixels as "
    "values.",
    given={"scale": np.sqrt, "value": 12},
    without={"scaled patches": {"scale": np.ones_like}, "their centre pixels": {"value": 0}},
)
@pytest.mark.parametrize("kind", KINDS)
def test_nonlocal_means_is_nadaraya_watson_on_scaled_patches(image, kind, scale, value):
    """Every pixel is a key here: without a search window, the weights are those of all pairs of patches."""
    h, G = 0.3, filters.patch_kernel(2, kind)
    flat = filters.patches(image, 2).reshape(image.size, -1)
    scaled = flat * scale(G).ravel()
    metric = np.diag(G.ravel()) / h**2
    distance = squared_mahalanobis(flat, flat, metric)
    by_weights = average(softmax(-distance), image.ravel())
    np.testing.assert_allclose(nadaraya_watson(scaled, scaled, flat[:, value], h), by_weights, atol=1e-12)
    np.testing.assert_allclose(squared_euclidean(scaled, scaled) / h**2, distance, atol=1e-11)


@pytest.mark.equation(
    "eq:nlm_distance",
    against="equal patches, near and far",
    says="In non-local means two pixels are alike if the patches around them agree, however far apart they are.",
    given={"copied": 1},
    without={"the patches around them agree": {"copied": 0}},
)
def test_distance_depends_only_on_patches(copied):
    image, r = np.random.default_rng(5).random((21, 21)), copied
    for row, column in ((10, 14), (3, 3), (17, 4)):
        image[row - r : row + r + 1, column - r : column + r + 1] = image[10 - r : 11 + r, 10 - r : 11 + r]
    log_weights = filters.nonlocal_means_log_weights(image, (10, 10), 0.3, 1, 9)
    alike = [log_weights[row - 1, column - 1] for row, column in ((10, 14), (3, 3), (17, 4))]
    assert alike == [0, 0, 0] and np.sum(log_weights == 0) == 4  # including the pixel itself


@pytest.mark.equation(
    "eq:nlm_weights",
    against="the sum over all pairs of patches",
    says="The function of chapter 1 computes this filter if its keys are scaled patches and every pixel may "
    "be a key.",
    given={"scale": np.sqrt, "among": slice(None)},
    without={"scaled patches": {"scale": np.ones_like}, "every pixel may be a key": {"among": slice(70)}},
)
def test_nadaraya_watson_computes_nonlocal_means(image, scale, among):
    scaled = scale(filters.patch_kernel(1)) * filters.patches(image, 1)
    keys, values = scaled.reshape(image.size, -1), image.ravel()
    pixels = list(np.ndindex(image.shape))
    for query in (0, 60, 142):
        kernel = [
            exp(-patch_distance(np.pad(image, 1, mode="reflect"), _next(pixels[query]), _next(j), 1) / 0.3**2)
            for j in pixels
        ]
        expected = np.dot(kernel, values) / np.sum(kernel)
        found = nadaraya_watson(keys[[query]], keys[among], values[among], 0.3)[0]
        assert found == pytest.approx(expected, rel=1e-10)


def _next(pixel):
    """Return a pixel's index in an image with a border of one pixel."""
    return pixel[0] + 1, pixel[1] + 1


@pytest.mark.equation(
    "eq:nlm_weights",
    against="the same keys in a different order",
    says="Position does not matter: if all keys are shuffled together with their values, no estimate changes.",
    given={"of_values": 2},
    without={"together with their values": {"of_values": 3}},
)
def test_order_of_the_keys_does_not_matter(image, of_values):
    keys = (np.sqrt(filters.patch_kernel(1)) * filters.patches(image, 1)).reshape(image.size, -1)
    order, values_order = (np.random.default_rng(seed).permutation(image.size) for seed in (2, of_values))
    shuffled = nadaraya_watson(keys, keys[order], image.ravel()[values_order], 0.3)
    np.testing.assert_allclose(shuffled, nadaraya_watson(keys, keys, image.ravel(), 0.3), atol=1e-12)


@pytest.mark.equation("eq:error_parts", against="both parts and the three mean squares, from the clean image")
def test_error_is_content_error_plus_remaining_noise(image):
    noise = np.random.default_rng(8).normal(scale=0.2, size=image.shape)
    noisy = image + noise
    estimate = filters.nonlocal_means(noisy, 0.3, 1, 3)
    errors, contents, remainders = [], [], []
    for pixel in product(range(3, 8), range(3, 10)):
        window = tuple(slice(x - 3, x + 4) for x in pixel)
        weights = filters.nonlocal_means_weights(noisy, pixel, 0.3, 1, 3)
        contents.append(np.sum(weights * image[window]) - image[pixel])
        remainders.append(np.sum(weights * noise[window]))
        errors.append(estimate[pixel] - image[pixel])
        assert errors[-1] == pytest.approx(contents[-1] + remainders[-1], abs=1e-14)
    mean_squares = [np.mean(np.square(x)) for x in (errors, contents, remainders)]
    third = 2 * np.mean(np.multiply(contents, remainders))
    assert mean_squares[0] == pytest.approx(mean_squares[1] + mean_squares[2] + third, rel=1e-12)
    assert abs(third) > 0.01 * mean_squares[0]  # large enough that omitting it would fail the test


def independent_normal(rng, shape):
    return rng.standard_normal(shape)


def level(rng, n_keys):
    return np.zeros((n_keys, 1))


@pytest.mark.equation(
    "eq:nlm_noise_left",
    against="`nadaraya_watson` on 40 000 independent patches of noise",
    says="On a flat image with independent normal noise, very many keys and no floor subtracted, a pixel "
    "keeps 1/(1 + h²/2G₀σ²) of its noise, with central weight G₀.",
    given={"content": level, "noise": independent_normal, "n_keys": 40_000, "floor": 0},
    without={
        "flat": {"content": lambda rng, n_keys: 2 * rng.standard_normal((n_keys, 1))},
        "independent": {
            "noise": lambda rng, shape: np.repeat(rng.standard_normal((shape[0], 1)), shape[1], axis=1)
        },
        "normal": {"noise": lambda rng, shape: rng.choice([-1.0, 1.0], shape)},
        "very many keys": {"n_keys": 10},
        "no floor subtracted": {"floor": 2},
    },
)
def test_patch_regression_keeps_noise_unless_centre_is_omitted(content, noise, n_keys, floor):
    rng = np.random.default_rng(4)
    for radius in (0, 1, 3):
        G = filters.patch_kernel(radius).ravel()
        keys = noise(rng, (n_keys, G.size)) + content(rng, n_keys)
        queries, middle = noise(rng, (100, G.size)), G.size // 2
        share = 1 / (1 + 1 / (2 * G[middle]))
        assert kept_share(queries, keys, G, floor) == pytest.approx(share, abs=0.02)
        if radius:
            holed = np.where(np.arange(G.size) == middle, 0, G)
            assert kept_share(queries, keys, holed / holed.sum(), floor) == pytest.approx(0, abs=0.01)


def kept_share(queries, keys, G, floor):
    """Return the slope of the estimate over the query's own value, at h = σ = 1."""
    distance = squared_euclidean(queries * np.sqrt(G), keys * np.sqrt(G))
    estimates = softmax(-np.maximum(distance - floor, 0)) @ keys[:, G.size // 2]
    own = queries[:, G.size // 2]
    return estimates @ own / (own @ own)


def balanced_signs(n):
    """Return n columns of ±1 in which each sign, and each pair's four combinations, occur equally often."""
    signs = np.ones((1, 1))
    while len(signs) < n + 1:
        signs = np.kron(signs, [[1, 1], [1, -1]])
    return signs[1 : n + 1].T


def distance_in_lib(image, i, j, kind):
    """Return d² of two pixels at most four rows and columns apart, for patches of radius 1."""
    offset = tuple(np.subtract(j, i) + 4)
    return -filters.nonlocal_means_log_weights(image, i, 1.0, 1, 4, kind)[offset]


@pytest.mark.equation(
    "eq:nlm_noise_floor",
    against="the mean over balanced patterns of noise",
    says="Inside the image, independent noise of equal variance raises every expected patch distance by twice "
    "that variance, except a pixel's distance to itself.",
    given={"here": (4, 4), "there": (7, 8), "signs": balanced_signs(11 * 13), "scale": np.ones((11, 13))},
    without={
        "Inside the image": {"here": (0, 4), "there": (2, 4)},
        "independent": {"signs": np.repeat([[1], [-1]], 11 * 13, axis=1)},
        "of equal variance": {"scale": np.linspace(0.5, 1.5, 11 * 13).reshape(11, 13)},
        "except a pixel's distance to itself": {"there": (4, 4)},
    },
)
@pytest.mark.parametrize("kind", KINDS)
def test_noise_raises_distances_by_twice_its_variance(image, kind, here, there, signs, scale):
    """The expectation is exact, because a distance is a polynomial of degree 2 in the noise.

    Its mean is the exact one if each pixel's two signs, and each pair's four combinations, occur equally often. At
    the border a patch is mirrored, so some of its differences contain the same noise.
    """
    sigma = 0.2
    clean = np.pad(image, 1, mode="reflect")
    noises = [np.pad(noise, 1, mode="reflect") for noise in sigma * scale * signs.reshape(-1, *image.shape)]
    pairs = [(_next(here), _next(there)), (_next(here), _next((here[0], here[1] + 1)))]  # apart, and overlapping
    for pair in pairs:
        with_noise = [distance_in_lib(clean + noise, *pair, kind) for noise in noises]
        expected = patch_distance(clean, *pair, 1, kind) + 2 * sigma**2
        assert np.mean(with_noise) == pytest.approx(expected, abs=1e-12)
    assert distance_in_lib(clean + noises[0], *[_next(here)] * 2, kind) == 0


@pytest.mark.equation("eq:nlm_forgiving", against="the formula, by a double loop")
@pytest.mark.parametrize("sigma", [0.0, 0.15, 2.0])
def test_floor_is_subtracted_down_to_zero(image, sigma):
    log_weights = filters.nonlocal_means_log_weights(image, (5, 6), 0.3, 1, 3, noise_std=sigma).ravel()
    distances = [patch_distance(image, (5, 6), (5 + r, 6 + c), 1) for r, c in square(3)]
    expected = [-max(distance - 2 * sigma**2, 0) / 0.3**2 for distance in distances]
    np.testing.assert_allclose(log_weights, expected, atol=1e-13)


@pytest.mark.equation(
    "eq:nlm_forgiving",
    against="a number subtracted from every distance",
    says="Subtracting the same number from every distance changes no weight; the floor has an effect only "
    "because the maximum keeps each distance nonnegative.",
    given={"subtracted": np.full(49, 0.005), "floor": 0.005},
    without={
        "the same number": {"subtracted": np.linspace(0, 0.005, 49)},
        "because the maximum": {"floor": -np.inf},
    },
)
def test_floor_subtracted_from_all_distances_cancels(image, subtracted, floor):
    """The noise floor is 0.005; a maximum with −∞ keeps no distance nonnegative."""
    h = 0.4
    distance = -filters.nonlocal_means_log_weights(image, (5, 6), 1.0, 1, 3).ravel()
    plain = softmax(-distance / h**2)
    np.testing.assert_allclose(softmax(-(distance - subtracted) / h**2), plain, rtol=1e-12)
    cut = softmax(-np.maximum(distance - 0.005, floor - 0.005) / h**2)
    assert cut[24] < 0.99 * plain[24] and distance[24] == 0
    by_lib = filters.nonlocal_means_weights(image, (5, 6), h, 1, 3, noise_std=0.05).ravel()
    np.testing.assert_allclose(cut, by_lib, rtol=1e-12)


@pytest.mark.equation(
    "eq:own_weight",
    against="both sides, summed over the window",
    says="As long as no distance is below the floor, subtracting it lowers a pixel's self-weight to that of "
    "an average twin.",
    given={"sigma": 0.05},
    without={"As long as no distance is below the floor": {"sigma": 0.3}},
)
def test_subtracting_from_others_lowers_self_weight(image, sigma):
    h = 0.4
    distance = -filters.nonlocal_means_log_weights(image, (5, 6), 1.0, 1, 3).ravel()
    others = np.delete(distance, 24)
    assert distance[24] == 0
    left = 1 / (1 + sum(exp(-(d - 2 * sigma**2) / h**2) for d in others))
    twin = exp(-2 * sigma**2 / h**2)
    right = twin / (twin + sum(exp(-d / h**2) for d in others))
    own = filters.nonlocal_means_weights(image, (5, 6), h, 1, 3, noise_std=sigma)[3, 3]
    assert own == pytest.approx(left, rel=1e-12) == pytest.approx(right, rel=1e-12)


@pytest.mark.equation("eq:range_only", against="the bilateral filter with a huge h_x")
@pytest.mark.parametrize("shape", [(11, 13), (11, 13, 3)])
def test_one_pixel_patch_is_range_only_bilateral(shape):
    """In colour, averaging over the channels compensates for √channels in the bandwidth."""
    image = np.random.default_rng(9).random(shape)
    h_y = 0.3 * sqrt(shape[2] if len(shape) == 3 else 1)
    log_weights = filters.nonlocal_means_log_weights(image, (2, 12), 0.3, patch_radius=0, search_radius=4)
    np.testing.assert_allclose(
        log_weights, filters.bilateral_log_weights(image, (2, 12), 1e9, h_y, radius=4), atol=1e-12
    )
    one_pixel = filters.nonlocal_means(image, 0.3, patch_radius=0, search_radius=4)
    np.testing.assert_allclose(one_pixel, filters.bilateral(image, 1e9, h_y, radius=4), atol=1e-12)


@pytest.mark.equation("eq:outvoted", against="one bright pixel among 440 equal ones, without noise")
@pytest.mark.parametrize("patch_radius, tolerance", [(0, 1e-9), (3, 0.03)])
@pytest.mark.parametrize("ratio", [0.5, 1.0, 1.5])
def test_lone_pixel_keeps_share_against_rivals(patch_radius, tolerance, ratio):
    """With larger patches, rivals near the bright pixel are a little less alike."""
    h, image = 0.1, np.zeros((41, 41))
    image[20, 20] = np.sqrt(ratio * h**2 * np.log(440) / filters.patch_kernel(patch_radius).max())
    kept = filters.nonlocal_means(image, h, patch_radius, 10)[20, 20] / image[20, 20]
    assert kept == pytest.approx(1 / (1 + 440 * np.exp(-ratio * np.log(440))), abs=tolerance)
