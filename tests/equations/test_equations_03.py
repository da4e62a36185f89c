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
    G = filters.patch_kernel(radius, kind)
    return sum(
        G[radius + r, radius + c] * (image[i[0] + r, i[1] + c] - image[j[0] + r, j[1] + c]) ** 2
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
)
@pytest.mark.parametrize("kind", KINDS)
def test_nonlocal_means_is_nadaraya_watson_on_scaled_patches(image, kind):
    """Every pixel is a key here: without a search window, the weights are those of all pairs of patches."""
    h, G = 0.3, filters.patch_kernel(2, kind)
    flat = filters.patches(image, 2).reshape(image.size, -1)
    scaled = flat * np.sqrt(G).ravel()
    metric = np.diag(G.ravel()) / h**2
    distance = squared_mahalanobis(flat, flat, metric)
    np.testing.assert_allclose(squared_euclidean(scaled, scaled) / h**2, distance, atol=1e-11)
    by_weights = average(softmax(-distance), image.ravel())
    np.testing.assert_allclose(nadaraya_watson(scaled, scaled, image.ravel(), h), by_weights, atol=1e-12)


@pytest.mark.equation(
    "eq:nlm_distance",
    against="equal patches, near and far",
    says="In non-local means two pixels are alike if the patches around them agree, however far apart they are.",
)
def test_distance_depends_only_on_patches():
    image = np.random.default_rng(5).random((21, 21))
    for row, column in ((10, 14), (3, 3), (17, 4)):
        image[row - 1 : row + 2, column - 1 : column + 2] = image[9:12, 9:12]
    log_weights = filters.nonlocal_means_log_weights(image, (10, 10), 0.3, 1, 9)
    alike = [log_weights[row - 1, column - 1] for row, column in ((10, 14), (3, 3), (17, 4))]
    assert alike == [0, 0, 0] and np.sum(log_weights == 0) == 4  # including the pixel itself


@pytest.mark.equation(
    "eq:nlm_weights",
    against="the sum over all pairs of patches",
    says="The function of chapter 1 computes this filter if its keys are scaled patches and every pixel may "
    "be a key.",
)
def test_nadaraya_watson_computes_nonlocal_means(image):
    scaled = np.sqrt(filters.patch_kernel(1)) * filters.patches(image, 1)
    keys, values = scaled.reshape(image.size, -1), image.ravel()
    pixels = list(np.ndindex(image.shape))
    for query in (0, 60, 142):
        kernel = [
            exp(-patch_distance(np.pad(image, 1, mode="reflect"), _next(pixels[query]), _next(j), 1) / 0.3**2)
            for j in pixels
        ]
        expected = np.dot(kernel, values) / np.sum(kernel)
        assert nadaraya_watson(keys[[query]], keys, values, 0.3)[0] == pytest.approx(expected, rel=1e-10)


def _next(pixel):
    """Return a pixel's index in an image with a border of one pixel."""
    return pixel[0] + 1, pixel[1] + 1


@pytest.mark.equation(
    "eq:nlm_weights",
    against="the same keys in a different order",
    says="Position does not matter: if all keys are shuffled together with their values, no estimate changes.",
)
def test_order_of_the_keys_does_not_matter(image):
    keys = (np.sqrt(filters.patch_kernel(1)) * filters.patches(image, 1)).reshape(image.size, -1)
    order = np.random.default_rng(2).permutation(image.size)
    shuffled = nadaraya_watson(keys, keys[order], image.ravel()[order], 0.3)
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


@pytest.mark.equation(
    "eq:nlm_noise_left",
    against="`nadaraya_watson` on 40 000 independent patches of noise",
    says="On a flat image with independent normal noise, very many keys and no floor subtracted, a pixel "
    "keeps 1/(1 + h²/2G₀σ²) of its noise, with central weight G₀.",
)
@pytest.mark.parametrize(("radius", "share"), [(0, 0.667), (1, 0.553), (3, 0.128)])
def test_patch_regression_keeps_noise_unless_centre_is_omitted(radius, share):
    rng, G = np.random.default_rng(4), filters.patch_kernel(radius).ravel()
    keys, queries = rng.standard_normal((40_000, G.size)), rng.standard_normal((100, G.size))
    middle = G.size // 2
    assert 1 / (1 + 1 / (2 * G[middle])) == pytest.approx(share, abs=5e-4)

    def kept(G):
        estimates = nadaraya_watson(queries * np.sqrt(G), keys * np.sqrt(G), keys[:, middle], 1.0)
        own = queries[:, middle]
        return estimates @ own / (own @ own)

    assert kept(G) == pytest.approx(share, abs=0.02)
    if radius:
        holed = np.where(np.arange(G.size) == middle, 0, G)
        assert kept(holed / holed.sum()) == pytest.approx(0, abs=0.01)


@pytest.mark.equation(
    "eq:nlm_noise_floor",
    against="the mean over balanced patterns of noise",
    says="Inside the image, independent noise of equal variance raises every expected patch distance by twice "
    "that variance, except a pixel's distance to itself.",
)
@pytest.mark.parametrize("there", [(4, 5), (7, 8)], ids=["overlapping", "apart"])
@pytest.mark.parametrize("kind", KINDS)
def test_noise_raises_distances_by_twice_its_variance(image, kind, there):
    """The expectation is exact, for noise of ±σ with signs from the columns of a Hadamard matrix.

    A distance is a polynomial of degree 2 in the noise, so its mean is exact if each pixel's two signs, and each
    pair's four combinations, occur equally often.
    """
    sigma, here = 0.2, (4, 4)
    signs = np.ones((1, 1))
    while len(signs) < image.size + 1:
        signs = np.kron(signs, [[1, 1], [1, -1]])
    noises = sigma * signs[1 : image.size + 1].T.reshape(-1, *image.shape)
    with_noise = [patch_distance(image + noise, here, there, 1, kind) for noise in noises]
    without = patch_distance(image, here, there, 1, kind)
    assert np.mean(with_noise) == pytest.approx(without + 2 * sigma**2, abs=1e-12)
    assert max(patch_distance(image + noise, here, here, 1, kind) for noise in noises) == 0


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
)
def test_floor_subtracted_from_all_distances_cancels(image):
    sigma, h = 0.05, 0.4
    distance = -filters.nonlocal_means_log_weights(image, (5, 6), 1.0, 1, 3).ravel()
    np.testing.assert_allclose(softmax(-(distance - 2 * sigma**2) / h**2), softmax(-distance / h**2), rtol=1e-12)
    forgiving = filters.nonlocal_means_weights(image, (5, 6), h, 1, 3, noise_std=sigma).ravel()
    assert forgiving[24] < softmax(-distance / h**2)[24] and distance[24] == 0


@pytest.mark.equation(
    "eq:own_weight",
    against="both sides, summed over the window",
    says="As long as no distance is below the floor, subtracting it lowers a pixel's self-weight to that of "
    "an average twin.",
)
def test_subtracting_from_others_lowers_self_weight(image):
    sigma, h = 0.05, 0.4  # small enough that no distance falls below the floor
    distance = -filters.nonlocal_means_log_weights(image, (5, 6), 1.0, 1, 3).ravel()
    others = np.delete(distance, 24)
    assert others.min() > 2 * sigma**2 and distance[24] == 0
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
