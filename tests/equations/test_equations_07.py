"""Numbered equations of chapter 7, evaluated literally; tests/lib covers those of a single function."""

from math import exp, sinh, sqrt

import numpy as np
import pytest
from numpy.polynomial.chebyshev import chebvander

from lib.engine.gauss_transform import kernel_coefficients
from lib.filters import bilateral
from lib.random_features import (
    balance,
    centre_keys,
    dense_exponential_frequencies,
    feature_average,
    fourier_features,
    hyperbolic_features,
    iid_frequencies,
    orthogonal_frequencies,
    positive_features,
    trigonometric_features,
)
from lib.regression import nadaraya_watson
from lib.weights import softmax
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


def positive_features_of_gaussian(x, frequencies, h):
    """Exponentials in place of cosines; the factor turns their kernel into the Gaussian one."""
    scaled = np.sqrt(2) * np.asarray(x) / h
    return positive_features(scaled, frequencies) * np.exp(-(scaled**2) / 2)


@pytest.mark.equation(
    "eq:rff_gaussian",
    against="the kernel, over many draws, near and far",
    says="Random cosines estimate the Gaussian kernel without bias, but their error does not shrink where the "
    "kernel does.",
    given={"features": fourier_features},
    without={"cosines": {"features": positive_features_of_gaussian}},
)
def test_fourier_feature_error_does_not_shrink_with_kernel(features):
    near, far, h = np.array([0.4]), np.array([4.0]), 0.9
    draws = [features([[0.0], near, far], iid_frequencies(16, 1, rng=i), h) for i in range(4000)]
    estimates = np.array([(zero @ at_near, zero @ at_far) for zero, at_near, at_far in draws])
    for found, x in zip(estimates.T, (near, far), strict=True):
        assert_within(found.mean(), exp(-((x[0] / h) ** 2)), found.std() / sqrt(4000))
    assert exp(-((far[0] / h) ** 2)) < 1e-8 and estimates[:, 1].std() > 0.9 * estimates[:, 0].std()


@pytest.mark.equation("eq:rff_gaussian", against="the formula, entry by entry")
def test_fourier_features_are_cosines_and_sines():
    frequencies, h = iid_frequencies(5, 2, rng=1), 0.7
    x = np.array([0.3, -0.8])
    angles = [sqrt(2) * float(w @ x) / h for w in frequencies]
    expected = [np.cos(a) / sqrt(5) for a in angles] + [np.sin(a) / sqrt(5) for a in angles]
    np.testing.assert_allclose(fourier_features(x, frequencies, h), expected, rtol=1e-12)


@pytest.mark.equation(
    "eq:relative_errors",
    against="variances of other pairs with the same sum",
    says="With independent positive features, the relative root-mean-square error of one kernel value depends on "
    "‖q + k‖² alone and grows exponentially with it.",
    given={"plus": positive_features},
    without={"positive": {"plus": trigonometric_features}},
)
@pytest.mark.equation(
    "eq:relative_errors",
    against="variances by quadrature, for pairs with equal sums or differences",
    says="With independent frequencies, the relative error of trigonometric features depends on the difference of "
    "query and key, that of positive features on their sum.",
    given={"size": lambda q, k: exp(2 * q @ k)},
    without={"relative": {"size": lambda q, k: 1}},
)
@pytest.mark.equation(
    "eq:relative_errors",
    against="both maps by quadrature, where the score is zero or more",
    says="From equally many independent frequencies, trigonometric features have the smaller error for each "
    "pair of nonzero vectors with a score of zero or more.",
    given={"n_trig": 1, "least_score": 0},
    without={"equally many": {"n_trig": 0.05}, "a score of zero or more": {"least_score": -1}},
)
@pytest.mark.equation(
    "eq:relative_errors",
    against="the largest errors of both maps on the unit circle",
    says="With independent frequencies and vectors of norm 1, the relative error of both maps is bounded.",
    given={"norm": 1},
    without={"norm 1": {"norm": 1.5}},
)
@pytest.mark.equation(
    "eq:mse_hyperbolic",
    against="twice as many positive features, by quadrature",
    says="With independent frequencies and q ≠ −k, hyperbolic features have less error per feature than positive "
    "ones.",
    given={"pairs": PAIRS},
    without={"q ≠ −k": {"pairs": [([0.3, 0.4], [-0.3, -0.4])]}},
)
@pytest.mark.equation(
    "eq:mse_trig",
    against="the features that opposite vectors of growing norm need",
    says="The number of independent trigonometric features that a small error for all pairs needs grows "
    "exponentially with the squared norms.",
    given={"direction": -1},
    without={"for all pairs": {"direction": 1}},
)
def test_relative_errors_match_quadrature(plus, size, n_trig, least_score, norm, pairs, direction):
    def relative(features, q, k):
        """The relative variance of one feature; it depends on one direction, along which the nodes lie."""
        q, k = np.array(q), np.array(k)
        along = q - k if features is trigonometric_features else q + k
        length = np.linalg.norm(along)
        direction = along / length if length else np.eye(len(q))[0]
        terms = np.array([a @ b for a, b in (features([q, k], g * direction[None]) for g in NODES)])
        return (float(WEIGHTS @ terms**2) - exp(2 * q @ k)) / size(q, k)

    shift = np.array([0.4, -0.1])
    for q, k in (np.array(pair) for pair in pairs):
        same_sum, same_difference = (q + shift, k - shift), (q + shift, k + shift)
        positive, trig = relative(plus, q, k), relative(trigonometric_features, q, k)
        assert relative(plus, *same_sum) == pytest.approx(positive, rel=1e-8, abs=1e-12)
        assert relative(trigonometric_features, *same_difference) == pytest.approx(trig, rel=1e-8)
        if q @ k >= least_score:
            assert trig / n_trig < positive
        assert relative(hyperbolic_features, q, k) < positive / 2 - 1e-9
    for x in (0.5, 1.0, 1.5):
        pair = [x, 0.0], [x, 0.0]
        assert relative(positive_features, *pair) == pytest.approx(exp(4 * x * x) - 1, rel=1e-6)
    angles = np.linspace(0, np.pi, 9)
    on_circle = [([norm, 0.0], [norm * np.cos(a), norm * np.sin(a)]) for a in angles]
    assert max(relative(positive_features, *pair) for pair in on_circle) <= exp(4) - 1 + 1e-6
    assert max(relative(trigonometric_features, *pair) for pair in on_circle) <= 2 * sinh(2) ** 2 + 1e-6
    for x in (1.0, 1.3, 1.6):  # opposite vectors: the squared error of one feature is almost e^{2x²}/2
        squared = relative(trigonometric_features, [x, 0.0], [direction * x, 0.0]) * exp(-2 * x**2)
        assert squared == pytest.approx(exp(2 * x**2) * (1 - exp(-4 * x**2)) ** 2 / 2, rel=1e-6)


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


@pytest.mark.equation(
    "eq:ratio_bias",
    against="the mean of 40 000 estimates, as m grows",
    says="The ratio of two unbiased estimates is in general biased, by a term of order 1/m once m is large enough "
    "for the expansion.",
    given={"numbers": (8, 32, 128)},
    without={"once m is large enough": {"numbers": (1, 2, 3)}},
)
def test_ratio_bias_to_first_order(numbers):
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
    for m in numbers:
        predicted = (exact * matrix.sum() - values @ matrix.sum(axis=1)) / m / kernel.sum() ** 2
        frequencies = iid_frequencies(40_000 * m, 2, rng=0).reshape(40_000, m, 2)
        log_features = [frequencies @ x - x @ x / 2 for x in (q, *keys)]
        first, *rest = (np.exp(f) for f in log_features)
        estimates = feature_average(first[:, None], np.stack(rest, axis=1), values[:, None])[:, 0, 0]
        error = estimates.std() / sqrt(len(estimates))
        bias = estimates.mean() - exact
        assert abs(bias) > 10 * error
        off.append(abs(bias / predicted - 1))
    assert bias == pytest.approx(predicted, rel=0.1)  # of the largest m
    assert off[2] < off[1] < off[0]


@pytest.mark.equation(
    "eq:bilateral_features",
    against="`bilateral`, with the nodes of a quadrature",
    says="If the inner product of features is the range kernel, the bilateral filter is a ratio of sums of "
    "spatial blurs.",
    given={"n_nodes": 20},
    without={"is the range kernel": {"n_nodes": 3}},
)
def test_bilateral_filter_from_grey_level_features(n_nodes):
    """Few nodes give a different kernel."""
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

    nodes, weights = np.polynomial.hermite_e.hermegauss(n_nodes)
    root = np.tile(np.sqrt(len(nodes) * weights / weights.sum()), 2)
    by_quadrature = from_features(lambda y: root * fourier_features(np.array([y]), nodes[:, None], h_y))
    np.testing.assert_allclose(by_quadrature, bilateral(image, h_x, h_y, radius), atol=1e-9)


@pytest.mark.equation(
    "eq:places",
    against="loops over positions and keys, and `feature_average`",
    says="With positive features, the estimate is attention over the random frequencies, whose values are "
    "Nadaraya–Watson estimates.",
    given={"feature_map": positive_features},
    without={"positive features": {"feature_map": hyperbolic_features}},
)
@pytest.mark.equation(
    "eq:shares",
    against="the softmax, entry by entry, and the plain mean",
    says="If the positive features of each key are divided by their sum, a query of length zero gets the plain "
    "mean exactly.",
    given={"divisor": lambda features: features.sum(axis=1, keepdims=True), "length": 0},
    without={
        "divided by their sum": {"divisor": lambda features: 1},
        "of length zero": {"length": 1},
    },
)
@pytest.mark.parametrize("d", [1, 3, 8])
def test_attention_through_inducing_positions_matches_formula(d, feature_map, divisor, length):
    rng = np.random.default_rng(d)
    queries, keys, values = rng.normal(size=(5, d)) / 2, rng.normal(size=(9, d)) / 2, rng.normal(size=(9, 2))
    places = iid_frequencies(7, d, rng=rng)
    answers, near = [], []
    for place in places:
        bump = [exp(-((place - k) @ (place - k)) / 2) for k in keys]
        answers.append(sum(b * v for b, v in zip(bump, values, strict=True)) / sum(bump))
        near.append(sum(exp(place @ k - k @ k / 2) for k in keys))
    np.testing.assert_allclose(nadaraya_watson(places, keys, values, sqrt(2)), answers, rtol=1e-9)
    features = feature_map(keys, places)
    by_lib = feature_average(feature_map(queries, places), features, values)
    for query, estimate in zip(queries, by_lib, strict=True):
        weights = np.array([exp(place @ query) * z for place, z in zip(places, near, strict=True)])
        np.testing.assert_allclose(weights @ answers / weights.sum(), estimate, rtol=1e-9)

    normalised = features / divisor(features)
    short = positive_features(length * np.eye(d)[:1], places)
    np.testing.assert_allclose(feature_average(short, normalised, values)[0], values.mean(axis=0), rtol=1e-9)
    expected = [[exp(w @ k) / sum(exp(each @ k) for each in places) for w in places] for k in keys]
    np.testing.assert_allclose(normalised, expected, rtol=1e-9)


@pytest.mark.equation(
    "eq:linear_attention",
    against="the weights as a matrix, and one pass over keys",
    says="If the kernel is an inner product of features, the sums over the keys are computed once, and each query "
    "only reads them.",
    given={"kernel_of": lambda q, k: q @ k.T},
    without={"an inner product of features": {"kernel_of": lambda q, k: np.exp(q @ k.T)}},
)
@pytest.mark.equation(
    "eq:linear_attention",
    against="both orders, and the rank with and without a mask",
    says="Moving the brackets changes no estimate, and without a mask the rank of the weights is at most the "
    "number of features.",
    given={"mask": np.copy},
    without={"without a mask": {"mask": np.tril}},
)
@pytest.mark.equation(
    "eq:linear_attention",
    against="sums over chunks in another order",
    says="The sums over the keys can be added over chunks in any order, so the chunks may lie on different "
    "machines.",
    given={"of_chunk": lambda sums: sums},
    without={"The sums": {"of_chunk": lambda sums: sums / sums[:, -1:]}},
)
@pytest.mark.equation(
    "eq:linear_attention",
    against="features with numbers subtracted in the exponent",
    says="A number subtracted in the exponent cancels if it belongs to a query, or to a feature and is added "
    "back to the queries.",
    given={"of_key": np.ones(60), "back": 1},
    without={
        "belongs to a query": {"of_key": np.arange(1, 61)},
        "is added back to the queries": {"back": 0},
    },
)
def test_sums_over_keys_are_all_that_queries_need(kernel_of, mask, of_chunk, of_key, back):
    rng = np.random.default_rng(0)
    q, k, values = rng.uniform(0.1, 1, (40, 5)), rng.uniform(0.1, 1, (60, 5)), rng.normal(size=(60, 2))
    kernel = kernel_of(q, k)
    expected = kernel @ values / kernel.sum(axis=1, keepdims=True)
    with_one, sums = np.column_stack([values, np.ones(60)]), np.zeros((5, 3))
    for chunk in (slice(40, 60), slice(0, 15), slice(15, 40)):
        sums += of_chunk(k[chunk].T @ with_one[chunk])
    totals = q @ sums
    np.testing.assert_allclose(totals[:, :2] / totals[:, 2:], expected, rtol=1e-12)
    np.testing.assert_allclose(feature_average(q, k, values), expected, rtol=1e-12)
    weights = kernel / kernel.sum(axis=1, keepdims=True)
    assert np.linalg.matrix_rank(mask(weights)) <= 5

    of_query, of_feature = np.exp(rng.normal(size=(40, 1))), np.exp(rng.normal(size=5))
    shifted = q / of_query * of_feature**back, k / of_feature / of_key[:, None]
    np.testing.assert_allclose(feature_average(*shifted, values), expected, rtol=1e-12)


@pytest.mark.equation(
    "eq:causal_prefix",
    against="the masked matrix, and the size of the state",
    says="Causal attention with features adds one term per token to its sums, so its state keeps a fixed size.",
    given={"score_of": lambda q, k: q @ k.T},
    without={"with features": {"score_of": lambda q, k: np.exp(q @ k.T)}},
)
def test_causal_state_grows_by_one_term(score_of):
    rng = np.random.default_rng(1)
    q, k, values = rng.uniform(0.1, 1, (30, 4)), rng.uniform(0.1, 1, (30, 4)), rng.normal(size=(30, 2))
    weights = np.tril(score_of(q, k))
    expected = weights @ values / weights.sum(axis=1, keepdims=True)
    state, total = np.zeros((4, 2)), np.zeros(4)
    for i in range(30):
        state, total = state + np.outer(k[i], values[i]), total + k[i]
        np.testing.assert_allclose(q[i] @ state / (q[i] @ total), expected[i], rtol=1e-12)
    np.testing.assert_allclose(feature_average(q, k, values, causal=True), expected, rtol=1e-10)


@pytest.mark.equation(
    "eq:positive_features",
    against="the mean over many draws, and the range of the values",
    says="Positive random features estimate the exponential kernel without bias, and the average with these "
    "weights stays inside the range of the values.",
    given={"feature_map": positive_features},
    without={"Positive": {"feature_map": trigonometric_features}},
)
def test_positive_features_are_unbiased_and_keep_the_range(feature_map):
    rng = np.random.default_rng(2)
    queries, keys, values = rng.normal(size=(20, 3)), rng.normal(size=(30, 3)), rng.normal(size=(30, 1))
    for seed in range(20):
        frequencies = iid_frequencies(2, 3, rng=seed)
        found = feature_average(*(feature_map(x, frequencies) for x in (queries, keys)), values)
        assert values.min() <= found.min() and found.max() <= values.max()
    features = feature_map([queries[0] / 2, keys[0] / 2], iid_frequencies(200_000, 3, rng=0)) * sqrt(200_000)
    products = features[0] * features[1]
    assert_within(products.mean(), exp(queries[0] @ keys[0] / 4), products.std() / sqrt(200_000))


@pytest.mark.equation(
    "eq:key_centring",
    against="exact attention before and after",
    says="Balancing the axes, subtracting one vector from all keys, and moving the mean query into a factor "
    "per key change no weight.",
    given={"apart": 0},
    without={"one vector": {"apart": 1}},
)
def test_balance_centre_and_factor_change_no_weight(apart):
    """The vectors that are subtracted from the keys are `apart` by random vectors."""
    rng = np.random.default_rng(3)
    q, k = 0.3 + rng.normal(size=(9, 4)) * [2, 1, 0.5, 0.2], rng.normal(size=(13, 4)) * [0.2, 0.4, 1, 2] - 0.5
    weights = softmax(q @ k.T)
    q, k = balance(q, k, about_means=True)
    centred, mean_query = centre_keys(k) - apart * rng.normal(size=k.shape), q.mean(axis=0)
    np.testing.assert_allclose(softmax(q @ centred.T), weights, rtol=1e-9)
    np.testing.assert_allclose(softmax((q - mean_query) @ centred.T + k @ mean_query), weights, rtol=1e-9)
    np.testing.assert_allclose(np.cov(q.T, bias=True), np.cov(k.T, bias=True), atol=1e-4)


@pytest.mark.equation(
    "eq:best_centre",
    against="other centres, over all pairs",
    says="Of all vectors subtracted from the keys, the sum of the mean query and the mean key makes the mean "
    "‖q + k‖² smallest.",
    given={"share": 1},
    without={"the mean query and": {"share": 0}},
)
def test_sum_of_both_means_is_the_best_centre(share):
    rng = np.random.default_rng(4)
    q, k = rng.normal(size=(9, 3)) + 1, rng.normal(size=(13, 3)) - 0.7
    mean_of = lambda keys: float(np.mean(np.sum((q[:, None] + keys) ** 2, axis=-1)))
    best = mean_of(k - (share * q.mean(axis=0) + k.mean(axis=0)))
    assert all(mean_of(k - c) > best for c in rng.normal(size=(200, 3)))
    assert mean_of(centre_keys(k, queries=q)) == pytest.approx(best, rel=1e-12)


@pytest.mark.equation(
    "eq:box_features",
    against="the kernel, and the matrix of `lib.engine`",
    says="In one dimension the Gaussian kernel is, up to rounding, a matrix between sixteen Chebyshev features "
    "per bandwidth of the range.",
    given={"n": 16},
    without={"sixteen": {"n": 6}},
)
@pytest.mark.parametrize("h, width", [(0.1, 0.1), (0.3, 0.15)])
def test_gaussian_between_boxes_factors_through_small_matrix(h, width, n):
    n_boxes = 7
    x = np.random.default_rng(5).uniform(0, n_boxes * width, (2, 60))
    steps = np.subtract.outer(np.arange(n_boxes), np.arange(n_boxes)).T  # a key lies so many boxes further on
    of_steps = kernel_coefficients(np.arange(1 - n_boxes, n_boxes), width / h, n)  # (n, n_steps, n)
    G = of_steps[:, steps + n_boxes - 1].transpose(1, 0, 2, 3).reshape(n_boxes * n, n_boxes * n)
    boxes = np.floor(x / width).astype(int)
    C = np.zeros((2, 60, n_boxes, n))
    for side in range(2):
        C[side, np.arange(60), boxes[side]] = chebvander(2 * (x[side] / width - boxes[side]) - 1, n - 1)
    C_q, C_k = C.reshape(2, 60, -1)
    np.testing.assert_allclose(C_q @ G @ C_k.T, np.exp(-(np.subtract.outer(*x) ** 2) / h**2), atol=1e-12)
    nodes = np.cos(np.pi * (np.arange(n) + 0.5) / n)
    T = np.kron(np.eye(n_boxes), np.linalg.inv(chebvander(nodes, n - 1)))
    node = width * (np.arange(n_boxes)[:, None] + (nodes + 1) / 2).ravel()
    np.testing.assert_allclose(G, T @ np.exp(-(np.subtract.outer(node, node) ** 2) / h**2) @ T.T, atol=1e-12)


@pytest.mark.equation(
    "eq:linear_part",
    against="the mean over many draws and directions, also in part blocks",
    says="For keys of random direction, the kernel's linear part has relative squared error (d + 1)/m with "
    "independent frequencies, 2/m in orthogonal blocks.",
    given={"along": 0},
    without={"of random direction": {"along": 1e6}},
)
@pytest.mark.parametrize(
    "draw_of, m, expected",
    [
        (iid_frequencies, 4, 5 / 4),
        (iid_frequencies, 7, 5 / 7),
        (orthogonal_frequencies, 4, 2 / 4),
        (orthogonal_frequencies, 8, 2 / 8),
        (orthogonal_frequencies, 3, (4 + 2 - 3) / 3),
        (orthogonal_frequencies, 6, (2 * 4 + 2 * (4 + 2 - 2)) / 36),
    ],
)
def test_linear_part_depends_on_features_per_dimension(draw_of, m, expected, along):
    """d = 4, and all vectors have norm 1. `along` moves the keys to the direction of the query."""
    rng = np.random.default_rng(0)
    query = np.eye(4)[0]
    keys = rng.normal(size=(10_000, 4)) + along * query
    keys /= np.linalg.norm(keys, axis=1, keepdims=True)
    draws = np.array([draw_of(m, 4, rng=rng) for _ in keys])  # (10 000, m, 4)
    products = np.mean((draws @ query) * np.einsum("nmd,nd->nm", draws, keys), axis=1)
    squares = (products - keys @ query) ** 2 / np.mean((keys @ query) ** 2)
    assert_within(squares.mean(), expected, squares.std() / sqrt(len(keys)))


@pytest.mark.equation("eq:optimal_frequencies", against="the kernel by quadrature, and other variances")
@pytest.mark.parametrize("moment", [0.1, 0.8, 3.0])
def test_wider_frequencies_are_unbiased_and_optimal(moment):
    """In one dimension; the mean logarithm of the second moment is over pairs with (q + k)² = `moment`."""
    spread, log_weights = dense_exponential_frequencies([[1.0]], [[moment]])
    variance = float(spread[0, 0] ** 2)
    root = sqrt((2 * moment + 1) ** 2 + 8 * moment)
    assert variance == pytest.approx((3 + 2 * moment + root) / 4, rel=1e-12)

    def terms(z, v, power=1):
        """The estimate of e^{qk} from a frequency √v g, up to a factor of the pair, with z = q + k."""
        log = np.log(v) / 2 - (1 - 1 / v) * v * NODES**2 / 2 + np.sqrt(v) * NODES * z
        return float(WEIGHTS @ np.exp(power * log))

    q, k = 0.4, 0.5
    assert exp(-(q * q + k * k) / 2) * terms(q + k, variance) == pytest.approx(exp(q * k), rel=1e-9)
    of_lib = log_weights[0] + spread[0, 0] * (q + k) - (q * q + k * k) / 2  # the frequency at g = 1
    by_hand = np.log(variance) / 2 - (variance - 1) / 2 + sqrt(variance) * (q + k) - (q * q + k * k) / 2
    assert of_lib == pytest.approx(by_hand, rel=1e-12)
    mean_log = lambda v: np.mean([np.log(terms(z, v, 2)) for z in sqrt(moment) * np.array([-1, 1])])
    assert mean_log(variance) < min(mean_log(0.9 * variance), mean_log(1.1 * variance), mean_log(1.0))
