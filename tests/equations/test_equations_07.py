"""Labelled equations of chapter 7, computed as written; those of a single function are marked in tests/lib."""

from math import exp, sinh, sqrt

import numpy as np
import pytest

from lib.filters import bilateral
from lib.random_features import (
    feature_average,
    fourier_features,
    hyperbolic_features,
    iid_frequencies,
    positive_features,
    trigonometric_features,
)
from lib.regression import nadaraya_watson
from tests.standard_errors import assert_within

NODES, WEIGHTS = np.polynomial.hermite_e.hermegauss(80)
WEIGHTS = WEIGHTS / WEIGHTS.sum()  # weights of a standard normal distribution


def normal_mean(function):
    """Return E f(g) for a standard normal g, by quadrature."""
    return float(WEIGHTS @ function(NODES))


PAIRS = [([0.3, 0.4], [0.5, -0.2]), ([1.0, 0.0], [0.8, 0.3]), ([0.6, 0.2], [-0.6, 0.1])]


@pytest.mark.equation("eq:bochner", against="the mean by quadrature, and over 100 000 draws")
@pytest.mark.parametrize("x, y", PAIRS)
def test_gaussian_kernel_is_a_mean_of_cosines(x, y):
    """ωᵀ(x − y) is normal with variance ‖x − y‖²; frequencies drawn by `lib` give the same mean."""
    difference = np.subtract(x, y)
    expected = exp(-(difference @ difference) / 2)
    assert normal_mean(lambda g: np.cos(g * np.linalg.norm(difference))) == pytest.approx(expected, abs=1e-12)
    cosines = np.cos(iid_frequencies(100_000, 2, rng=0) @ difference)
    assert_within(cosines.mean(), expected, cosines.std() / sqrt(100_000))


@pytest.mark.equation("eq:rff_gaussian", against="the formula, entry by entry")
def test_fourier_features_are_cosines_and_sines():
    frequencies, h = iid_frequencies(5, 2, rng=1), 0.7
    x = np.array([0.3, -0.8])
    angles = [sqrt(2) * float(w @ x) / h for w in frequencies]
    expected = [np.cos(a) / sqrt(5) for a in angles] + [np.sin(a) / sqrt(5) for a in angles]
    np.testing.assert_allclose(fourier_features(x, frequencies, h), expected, rtol=1e-12)


@pytest.mark.equation("eq:relative_errors", against="the variance of `lib`'s map by quadrature, for several m")
@pytest.mark.equation("eq:mse_trig", against="the variance of `lib`'s map by quadrature, for several m")
@pytest.mark.equation("eq:mse_positive", against="the variance of `lib`'s map by quadrature, for several m")
@pytest.mark.equation("eq:mse_hyperbolic", against="the variance of `lib`'s map by quadrature, for several m")
@pytest.mark.parametrize("m", [1, 3, 8])
@pytest.mark.parametrize("q, k", PAIRS)
def test_feature_errors_depend_on_difference_or_sum(q, k, m):
    """In one dimension along q ± k, the quadrature nodes are the frequencies of `lib`'s maps.

    The variance of an average of m independent terms is that of one term divided by m.
    """
    q, k = np.array(q), np.array(k)
    total, difference = (q + k) @ (q + k), (q - k) @ (q - k)
    kernel = exp(q @ k)

    def variance(features, along):
        """Return the estimate from one frequency g · along/‖along‖, normal along it, without a part across."""
        both = [features([q, k], g * unit(along)[None]) for g in NODES]
        terms = np.array([a @ b for a, b in both])
        assert WEIGHTS @ terms == pytest.approx(kernel, rel=1e-9)
        return float(WEIGHTS @ terms**2 - (WEIGHTS @ terms) ** 2)

    mse_trig = exp(total - 2 * q @ k) * (1 - exp(-difference)) ** 2 / (2 * m)
    mse_positive = exp(2 * q @ k) * (exp(total) - 1) / m
    mse_hyperbolic = (1 - exp(-total)) / 2 * mse_positive
    assert variance(trigonometric_features, q - k) / m == pytest.approx(mse_trig, rel=1e-9)
    assert variance(positive_features, q + k) / m == pytest.approx(mse_positive, rel=1e-9)
    assert variance(hyperbolic_features, q + k) / m == pytest.approx(mse_hyperbolic, rel=1e-9)
    assert mse_trig / kernel**2 == pytest.approx(2 / m * sinh(difference / 2) ** 2, rel=1e-9)
    assert mse_positive / kernel**2 == pytest.approx((exp(total) - 1) / m, rel=1e-9)

    for features in (trigonometric_features, positive_features, hyperbolic_features):
        frequencies = iid_frequencies(m, 2, rng=3)
        alone = [a @ b for a, b in (features([q, k], w[None]) for w in frequencies)]
        together = features([q, k], frequencies)
        assert together[0] @ together[1] == pytest.approx(np.mean(alone), rel=1e-9)  # an average of m terms


def unit(vector):
    return vector / np.linalg.norm(vector)


@pytest.mark.equation("eq:ratio_bias", against="the mean of 40 000 estimates, as m grows")
def test_ratio_bias_to_first_order():
    """Moments in closed form: E e^{ω·z} = e^{‖z‖²/2}. The prediction improves as m grows."""
    q, values = np.array([0.6, 0.0]), np.array([1.0, 0.0, 0.3])
    keys = np.array([[0.5, 0.1], [-0.6, 0.3], [0.1, -0.4]])
    kernel = np.exp(keys @ q)
    scale = np.exp(-(q @ q + (keys**2).sum(axis=1)) / 2)

    def covariance(i, j):
        z = 2 * q + keys[i] + keys[j]
        return exp(z @ z / 2) * scale[i] * scale[j] - kernel[i] * kernel[j]

    matrix = np.array([[covariance(i, j) for j in range(3)] for i in range(3)])
    exact = kernel @ values / kernel.sum()
    off = []
    for m in (8, 32, 128):
        predicted = (exact * matrix.sum() - values @ matrix.sum(axis=1)) / m / kernel.sum() ** 2
        frequencies = iid_frequencies(40_000 * m, 2, rng=0).reshape(40_000, m, 2)
        log_features = [frequencies @ x - x @ x / 2 for x in (q, *keys)]
        first, *rest = (np.exp(f) for f in log_features)
        estimates = feature_average(first[:, None], np.stack(rest, axis=1), values[:, None])[:, 0, 0]
        error = estimates.std() / sqrt(len(estimates))
        bias = estimates.mean() - exact
        assert abs(bias) > 10 * error
        off.append(abs(bias / predicted - 1))
    assert bias == pytest.approx(predicted, rel=0.1)  # at m = 128
    assert off[2] < off[1] < off[0]


@pytest.mark.equation("eq:bilateral_features", against="`bilateral`, with the nodes of a quadrature")
def test_bilateral_filter_from_grey_level_features():
    rng = np.random.default_rng(0)
    image, h_x, h_y, radius = rng.uniform(size=(7, 11)), 1.5, 0.6, 3
    offsets = np.arange(-radius, radius + 1)
    near = np.exp(-np.add.outer(offsets**2, offsets**2) / h_x**2)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(image, radius, mode="reflect"), (7, 7))

    def from_features(phi):
        """Compute the equation pixel by pixel; `phi` maps a grey level to its features."""
        estimate = np.empty_like(image)
        for pixel, y in np.ndenumerate(image):
            pairs = list(zip(near.ravel(), windows[pixel].ravel(), strict=True))
            above = sum(g * phi(y_j) * y_j for g, y_j in pairs)
            below = sum(g * phi(y_j) for g, y_j in pairs)
            estimate[pixel] = phi(y) @ above / (phi(y) @ below)
        return estimate

    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    root = np.tile(np.sqrt(len(nodes) * weights / weights.sum()), 2)
    by_quadrature = from_features(lambda y: root * fourier_features(np.array([y]), nodes[:, None], h_y))
    np.testing.assert_allclose(by_quadrature, bilateral(image, h_x, h_y, radius), atol=1e-9)


@pytest.mark.equation("eq:places", against="loops over positions and keys, and `feature_average`")
@pytest.mark.equation("eq:shares", against="the softmax, entry by entry, and the plain mean")
@pytest.mark.parametrize("d", [1, 3, 8])
def test_attention_through_inducing_positions(d):
    rng = np.random.default_rng(d)
    queries, keys, values = rng.normal(size=(5, d)) / 2, rng.normal(size=(9, d)) / 2, rng.normal(size=(9, 2))
    places = iid_frequencies(7, d, rng=rng)
    answers, near = [], []
    for place in places:
        bump = [exp(-((place - k) @ (place - k)) / 2) for k in keys]
        answers.append(sum(b * v for b, v in zip(bump, values, strict=True)) / sum(bump))
        near.append(sum(exp(place @ k - k @ k / 2) for k in keys))
    np.testing.assert_allclose(nadaraya_watson(places, keys, values, sqrt(2)), answers, rtol=1e-9)
    features = positive_features(keys, places)
    by_lib = feature_average(positive_features(queries, places), features, values)
    for query, estimate in zip(queries, by_lib, strict=True):
        weights = np.array([exp(place @ query) * z for place, z in zip(places, near, strict=True)])
        np.testing.assert_allclose(weights @ answers / weights.sum(), estimate, rtol=1e-9)

    shares = features / features.sum(axis=1, keepdims=True)
    expected = [[exp(w @ k) / sum(exp(each @ k) for each in places) for w in places] for k in keys]
    np.testing.assert_allclose(shares, expected, rtol=1e-9)
    nobody = positive_features(np.zeros((1, d)), places)
    np.testing.assert_allclose(feature_average(nobody, shares, values)[0], values.mean(axis=0), rtol=1e-9)
    assert not np.allclose(feature_average(nobody, features, values)[0], values.mean(axis=0), rtol=1e-3)
