"""Numbered equations of chapter 2, evaluated literally; tests/lib covers those of the filter."""

from math import exp, inf, log, log10, sqrt

import numpy as np
import pytest

from lib import images
from lib.filters import bilateral, bilateral_log_weights, bilateral_weights
from lib.regression import nadaraya_watson, nadaraya_watson_weights

H_X, H_Y, RADIUS = 1.7, 0.4, 3


@pytest.fixture
def image():
    """A small noisy image whose sides differ from all other lengths in these tests."""
    return np.random.default_rng(12).random((11, 13))


def window_of(image, row, column):
    """Return positions (down, right) and values of the pixels around a pixel, for a window inside the image."""
    offsets = range(-RADIUS, RADIUS + 1)
    return [((down, right), image[row + down, column + right]) for down in offsets for right in offsets]


@pytest.mark.equation(
    "eq:position_and_value",
    against="`nadaraya_watson` on scaled positions and values",
    says="The bilateral filter is Nadaraya–Watson on position and value, and the target of this regression is "
    "the noisy value itself.",
    given={"compared": [0, 1, 2]},
    without={"position and value": {"compared": [0, 1]}},
)
def test_bilateral_is_nadaraya_watson_on_position_and_value(image, compared):
    points = np.array([(5 + down, 6 + right, y) for (down, right), y in window_of(image, 5, 6)])
    keys, query = points / [H_X, H_X, H_Y], np.array([[5 / H_X, 6 / H_X, image[5, 6] / H_Y]])
    query, keys = query[:, compared], keys[:, compared]
    log_kernel = -((query - keys) ** 2).sum(axis=1)
    expected = bilateral_log_weights(image, (5, 6), H_X, H_Y, RADIUS).ravel()
    np.testing.assert_allclose(log_kernel, expected, atol=1e-13)
    estimate = nadaraya_watson(query, keys, points[:, 2], bandwidth=1)[0]
    assert estimate == pytest.approx(bilateral(image, H_X, H_Y, RADIUS)[5, 6], abs=1e-13)
    target = nadaraya_watson(query, keys, points[:, 2], bandwidth=1e-4)[0]  # what it estimates as h → 0
    assert target == image[5, 6]


@pytest.mark.equation("eq:uphill", against="the slope of the logarithm, by differences")
@pytest.mark.parametrize("pixel", [(5, 6), (3, 9), (7, 4)])
def test_filter_moves_values_uphill_in_density(image, pixel):
    exponent = lambda d, rise: -(d[0] ** 2 + d[1] ** 2) / H_X**2 - rise**2 / H_Y**2
    log_p = lambda y: log(sum(exp(exponent(d, y - y_j)) for d, y_j in window_of(image, *pixel)))
    y = image[pixel]
    slope = (log_p(y + 1e-5) - log_p(y - 1e-5)) / 2e-5
    moved = bilateral(image, H_X, H_Y, RADIUS)[pixel] - y
    assert moved == pytest.approx(H_Y**2 / 2 * slope, abs=1e-9)


@pytest.mark.equation(
    "eq:bilateral_limits",
    against="a Gaussian blur by hand, and the image itself",
    says="As the range bandwidth grows, the filter approaches a blur with the spatial kernel alone; as it "
    "shrinks to zero, the image stays unchanged.",
    given={"huge": 1e7, "tiny": 1e-7},
    without={"As the range bandwidth grows": {"huge": H_Y}, "as it shrinks to zero": {"tiny": H_Y}},
)
def test_bilateral_filter_tends_to_blur_and_to_identity(image, huge, tiny):
    near = [exp(-(down**2 + right**2) / H_X**2) for (down, right), _ in window_of(image, 5, 6)]
    blur = sum(w * y for w, (_, y) in zip(near, window_of(image, 5, 6), strict=True)) / sum(near)
    assert bilateral(image, H_X, huge, RADIUS)[5, 6] == pytest.approx(blur, abs=1e-12)
    np.testing.assert_array_equal(bilateral(image, H_X, tiny, RADIUS), image)
    errors = [abs(bilateral(image, H_X, h_y, RADIUS)[5, 6] - blur) for h_y in (4, 8)]
    assert errors[0] / errors[1] == pytest.approx(4, rel=0.05)  # the error decreases as 1/h_y²


@pytest.mark.equation(
    "eq:bilateral_limits",
    against="the filter of a sum, between its two limits",
    says="The filter's limits are the blur for a huge and the identity for a tiny range bandwidth, and it"
    " is not linear.",
    given={"huge": 1e7, "tiny": 1e-7},
    without={"huge": {"huge": 1.0}, "tiny": {"tiny": 0.2}},
)
def test_filter_is_not_linear(image, huge, tiny):
    other = np.random.default_rng(3).random(image.shape)
    gap = {
        h_y: bilateral(image + other, H_X, h_y) - bilateral(image, H_X, h_y) - bilateral(other, H_X, h_y)
        for h_y in (tiny, H_Y, huge)
    }
    assert np.abs(gap[H_Y]).max() > 0.05 > 1e-9 > max(np.abs(gap[h_y]).max() for h_y in (tiny, huge))


@pytest.mark.equation(
    "eq:bilateral_weights",
    against="pixels in order of distance and of difference",
    says="In the bilateral filter a pixel's weight falls with its distance from the query and with the "
    "difference between their values.",
    given={"h_x": 2.0, "h_y": 0.2},
    without={
        "with its distance from the query": {"h_x": 1e9},
        "with the difference between their values": {"h_y": 1e9},
    },
)
def test_weight_falls_with_distance_and_difference(h_x, h_y):
    row = np.full((7, 7), 0.5)
    row[3] = [0.5, 0.5, 0.5, 0.5, 0.6, 0.5, 0.7]
    weights = bilateral_weights(row, (3, 3), h_x, h_y, RADIUS)[3]
    assert weights[3] > weights[2] > weights[1] > weights[0]  # alike, ever farther
    assert weights[2] > weights[4] and weights[1] == weights[5] and weights[0] > weights[6]  # as far, but unlike


@pytest.mark.equation(
    "eq:bilateral_weights",
    against="nine pixels, one of them beyond an edge",
    says="An edge is no wall: a pixel beyond it gets the same weight as any other pixel that is as near and as "
    "alike.",
    given={"position": 6.0, "value": 0.2},
    without={"as near": {"position": 7.0}, "as alike": {"value": 0.3}},
)
def test_pixels_beyond_an_edge_keep_weight(position, value):
    values = np.array([0.2, 0.2, 0.2, 0.2, 0.8, 0.8, value, 0.8, 0.8])
    positions = np.array([0, 1, 2, 3, 4, 5, position, 7, 8])
    keys = np.column_stack([positions / 2, values / 0.2])
    weights = nadaraya_watson_weights(keys[[3]], keys, 1.0)[0]
    assert weights[6] == pytest.approx(weights[0]) and weights[4] < weights[6] / 5


@pytest.mark.equation(
    "eq:bilateral_weights",
    against="the spatial times the range kernel, scaled to sum 1",
    says="The weights are the spatial kernel, restricted by the range kernel to pixels with values like the "
    "query's.",
    given={"h_y": H_Y},
    without={"restricted by the range kernel": {"h_y": 1e9}},
)
def test_weights_are_spatial_times_range_kernel(image, h_y):
    spatial = bilateral_weights(image, (5, 6), H_X, 1e9, RADIUS).ravel()
    alike = np.array([exp(-((y - image[5, 6]) ** 2) / H_Y**2) for _, y in window_of(image, 5, 6)])
    expected = spatial * alike / np.sum(spatial * alike)
    np.testing.assert_allclose(bilateral_weights(image, (5, 6), H_X, h_y, RADIUS).ravel(), expected, rtol=1e-9)


@pytest.mark.equation(
    "eq:bilateral_log_weights",
    against="the logarithm of each kernel alone",
    says="A spatial and a range kernel multiply, so their log-weights add, and each kernel keeps a bandwidth "
    "of its own.",
    given={"combine": np.multiply, "h_y": H_Y},
    without={"multiply": {"combine": np.add}, "a bandwidth of its own": {"h_y": H_X}},
)
def test_bilateral_log_weights_are_sum_of_two_kernels(image, combine, h_y):
    window = window_of(image, 5, 6)
    near = np.array([exp(-(down**2 + right**2) / H_X**2) for (down, right), _ in window])
    alike = np.array([exp(-((y - image[5, 6]) ** 2) / H_Y**2) for _, y in window])
    log_weights = bilateral_log_weights(image, (5, 6), H_X, h_y, RADIUS).ravel()
    np.testing.assert_allclose(log_weights, np.log(near) + np.log(alike), atol=1e-12)
    np.testing.assert_allclose(log_weights, np.log(combine(near, alike)), atol=1e-12)


def each_channel_alone(image, h_x, h_y):
    return np.stack([bilateral(channel, h_x, h_y) for channel in np.moveaxis(image, -1, 0)], axis=-1)


@pytest.mark.equation(
    "eq:bilateral",
    against="the mixtures of two colours",
    says="If all channels share one set of weights, each result is an average of the colours in the window.",
    given={"method": bilateral},
    without={"If all channels share one set of weights": {"method": each_channel_alone}},
)
def test_shared_weights_average_colours(method):
    first, second = np.array([0.8, 0.35, 0.25]), np.array([0.3, 0.45, 0.7])
    edge = np.array([[first] * 6 + [second] * 6] * 5)
    filtered = method(edge, 2.0, 0.3)
    share = (filtered - first) @ (second - first) / np.sum((second - first) ** 2)
    np.testing.assert_allclose(filtered, first + share[..., None] * (second - first), atol=1e-12)
    assert share.min() >= -1e-12 and share.max() <= 1 + 1e-12


@pytest.mark.equation("eq:psnr", against="the formula, pixel by pixel")
def test_psnr_matches_its_formula(image):
    clean = np.linspace(0, 1, image.size).reshape(image.shape)
    mse = sum((a - b) ** 2 for a, b in zip(image.flat, clean.flat, strict=True)) / image.size
    assert images.psnr(image, clean) == pytest.approx(10 * log10(1 / mse), abs=1e-12)
    assert images.psnr(image, image) == inf


def signal():
    """Return positions and values of a noisy step."""
    rng = np.random.default_rng(13)
    positions = np.arange(29.0)
    return positions, (positions > 13) + 0.1 * rng.normal(size=29)


def bilateral_step(x, y, c, query):
    """Return the right side of eq:fixed_point at one query."""
    near = np.array([exp(-((x[query] - x_j) ** 2) / 9) for x_j in x])
    alike = np.array([exp(-((y_j - c) ** 2) / H_Y**2) for y_j in y])
    return sum(near * alike * y) / sum(near * alike)


def robust_sum(x, y, c, query):
    """Return the sum of eq:robust at one query."""
    rho = lambda u: H_Y**2 * (1 - exp(-(u**2) / H_Y**2))
    return sum(exp(-((x[query] - x_j) ** 2) / 9) * rho(y_j - c) for x_j, y_j in zip(x, y, strict=True))


@pytest.mark.equation("eq:robust", against="slope and values of the sum around a fixed point")
@pytest.mark.parametrize("query", [0, 12, 14])
def test_stationary_points_of_robust_sum_are_fixed_points(query):
    x, y = signal()
    keys = np.column_stack([x / 3, y / H_Y])
    c = y[query]
    for _ in range(500):
        lower = nadaraya_watson([[x[query] / 3, c / H_Y]], keys, y, 1.0)[0]
        assert robust_sum(x, y, lower, query) <= robust_sum(x, y, c, query) + 1e-14
        c = lower
    left, middle, right = (robust_sum(x, y, c + step, query) for step in (-1e-4, 0, 1e-4))
    assert left > middle < right
    assert right - left == pytest.approx(0, abs=1e-11)  # zero slope


@pytest.mark.equation(
    "eq:fixed_point",
    against="the right side, summed over the whole signal",
    says="The bilateral filter is the first step, from the pixel's own value, of an iteration that fits a "
    "constant with a robust loss.",
    given={"start": signal()[1], "steps": 1},
    without={
        "the first step": {"steps": 2},
        "from the pixel's own value": {"start": np.full(29, signal()[1].mean())},
    },
)
def test_first_robust_iteration_is_the_bilateral_filter(start, steps):
    x, y = signal()
    filtered = bilateral(y[None], 3.0, H_Y, radius=9)[0]  # an image with one row
    first_steps = start
    for _ in range(steps):
        first_steps = [bilateral_step(x, y, c, query) for query, c in enumerate(first_steps)]
    np.testing.assert_allclose(filtered[9:20], first_steps[9:20], atol=2e-4)  # the window ends at 3 h_x
    keys = np.column_stack([x / 3, y / H_Y])
    np.testing.assert_allclose(nadaraya_watson(keys, keys, y, 1.0), first_steps, atol=1e-13)


def normal_density(others, own):
    return np.exp(-(others**2) / 2)


@pytest.mark.equation(
    "eq:noise_left",
    against="neighbours at the quantiles of the noise",
    says="On a flat area with independent normal noise and very many neighbours the filter keeps a share 1/(1 "
    "+ h_y²/2σ²) of a pixel's noise.",
    given={"density": normal_density, "n": 2401},
    without={
        "On a flat area": {"density": lambda others, own: sum(normal_density(others - c, own) for c in (-1, 1))},
        "independent": {"density": lambda others, own: normal_density(others - own / 2, own)},
        "normal": {"density": lambda others, own: np.abs(others) < 2},
        "very many neighbours": {"n": 5},
    },
)
@pytest.mark.equation("eq:whole_step", against="a flat area, where nothing of the noise is left")
def test_remaining_share_of_noise_follows_bandwidth_over_noise(density, n):
    """A neighbour counts in proportion to the density of its noise, given that of the pixel, in units of σ."""
    sigma, mean, own, others = 0.1, 0.5, np.linspace(-2, 2, 9), np.linspace(-6, 6, n)
    for h_y in (0.05, 0.2, 0.6):
        weights = nadaraya_watson_weights(sigma * own, sigma * others, h_y) * density(others, own[:, None])
        y, estimate = mean + sigma * own, mean + sigma * (weights @ others) / weights.sum(axis=1)
        share = 1 / (1 + h_y**2 / (2 * sigma**2))
        np.testing.assert_allclose(estimate, mean + share * sigma * own, atol=1e-5)
        whole = y + (1 + 2 * sigma**2 / h_y**2) * (estimate - y)
        np.testing.assert_allclose(whole, mean, atol=1e-4)


@pytest.mark.equation(
    "eq:bilateral_bias",
    against="the filter itself, on a fine grid",
    says="If the slope hardly changes within the kernel, one pass blurs below the slope h_y/(√2 h_x) and "
    "sharpens above it.",
    given={"curvature": -0.3},
    without={"If the slope hardly changes within the kernel": {"curvature": -10.0}},
)
def test_bias_changes_sign_with_slope(curvature):
    slope, h_x = 0.7, 0.03
    x = np.linspace(-0.4, 0.4, 3201)
    y = slope * x + curvature * x**2 / 2
    for r in (0.01, 0.3, 0.5, 0.8, 2.0, 9.0):
        h_y = h_x * slope / sqrt(r)
        keys = np.column_stack([x / h_x, y / h_y])
        shift = nadaraya_watson(keys[1600:1601], keys, y, bandwidth=1.0)[0] - y[1600]
        expected = h_x**2 / 4 * curvature * (1 - 2 * r) / (1 + r) ** 2
        assert shift == pytest.approx(expected, abs=2e-3 * h_x**2 / 4 * abs(curvature))


@pytest.mark.equation("eq:clean_mean", against="the slope of the logarithm of the density of noisy values")
@pytest.mark.parametrize("y", [-1.3, 0.2, 0.9])
def test_mean_clean_value_follows_from_noisy_density(y):
    """For known, equally likely clean values, the posterior mean given y is an average as in chapter 1."""
    clean, sigma = np.array([-1.0, 0.1, 0.3, 2.0]), 0.7
    log_density = lambda y: log(sum(exp(-((y - c) ** 2) / (2 * sigma**2)) for c in clean))
    slope = (log_density(y + 1e-5) - log_density(y - 1e-5)) / 2e-5
    mean = nadaraya_watson([y], clean, clean, sqrt(2) * sigma)[0]
    assert y + sigma**2 * slope == pytest.approx(mean, abs=1e-8)


@pytest.mark.equation("eq:sure", against="the squared error, averaged over sixty draws")
def test_sure_equals_squared_error_on_average():
    """Differentiate with respect to each pixel by finite differences."""
    clean, sigma, gaps = np.add.outer(np.linspace(0, 0.4, 7), np.linspace(0, 0.5, 8)), 0.2, []
    rng = np.random.default_rng(16)
    for _ in range(60):
        y = images.add_noise(clean, sigma, rng=rng)
        filtered, follows = bilateral(y, H_X, H_Y, RADIUS), 0.0
        for pixel in np.ndindex(y.shape):
            moved = y.copy()
            moved[pixel] += 1e-5
            follows += (bilateral(moved, H_X, H_Y, RADIUS)[pixel] - filtered[pixel]) / 1e-5
        sure = np.mean((filtered - y) ** 2) - sigma**2 + 2 * sigma**2 * follows / y.size
        gaps += [sure - np.mean((filtered - clean) ** 2)]
    assert abs(np.mean(gaps)) < 3 * np.std(gaps) / sqrt(60)
    assert np.std(gaps) / sqrt(60) < 0.1 * sigma**2
