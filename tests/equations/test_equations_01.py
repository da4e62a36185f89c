"""Numbered equations of chapter 1, evaluated literally; tests/lib covers the others."""

from itertools import product
from math import exp, pi, sqrt

import numpy as np
import pytest

from lib.data import noisy_sine
from lib.kernels import KERNELS, log_radial_kernel
from lib.metrics import squared_euclidean
from lib.regression import leave_one_out_estimates, local_linear, nadaraya_watson, nadaraya_watson_weights
from lib.weights import average, softmax
from tests.reference_d2l import load_d2l


@pytest.fixture
def sample():
    """Three queries and seven keys with values, unevenly spaced, on a line."""
    rng = np.random.default_rng(11)
    return rng.uniform(-1, 4, 3), rng.uniform(0, 3, 7), rng.normal(size=7)


def gaussian(query, key, h):
    return exp(-((query - key) ** 2) / h**2)


def every_pattern():
    """All 2⁷ patterns of seven signs, which are independent and have mean zero."""
    return np.array(list(product([-1, 1], repeat=7)))


@pytest.mark.equation("eq:model", against="the formula, with the same draws")
def test_toy_data_follow_the_model():
    keys, values, truth = noisy_sine(13, rng=np.random.default_rng(5))
    rng = np.random.default_rng(5)
    expected_keys = np.sort(rng.uniform(0, 5, 13))
    np.testing.assert_array_equal(keys, expected_keys)
    np.testing.assert_allclose(values, 2 * np.sin(expected_keys) + expected_keys + rng.normal(size=13))
    assert truth(pi / 6) == 2 * np.sin(pi / 6) + pi / 6


@pytest.mark.equation("eq:squared_distance", against="the expansion, pair by pair")
@pytest.mark.parametrize("d", [1, 3])
def test_squared_distance_expands(d):
    rng = np.random.default_rng(2)
    queries, keys = rng.normal(size=(5, d)), rng.normal(size=(7, d))
    distances = squared_euclidean(queries, keys)
    for (i, q), (j, k) in product(enumerate(queries), enumerate(keys)):
        assert distances[i, j] == pytest.approx(q @ q - 2 * q @ k + k @ k, abs=1e-13)


@pytest.mark.equation("eq:softmax", against="the formula, entry by entry")
def test_softmax_exponentiates_and_normalises():
    log_weights = [-2.0, 0.5, 3.0]
    total = sum(exp(x) for x in log_weights)
    np.testing.assert_allclose(softmax(log_weights), [exp(x) / total for x in log_weights], rtol=1e-14)


@pytest.mark.equation("eq:weights", against="softmax of the distances, pair by pair")
def test_weights_are_the_softmax_of_log_kernels(sample):
    queries, keys, _ = sample
    weights = nadaraya_watson_weights(queries, keys, 0.8)
    for q, row in zip(queries, weights, strict=True):
        np.testing.assert_allclose(row, softmax([-((q - k) ** 2) / 0.8**2 for k in keys]), rtol=1e-12)


@pytest.mark.equation(
    "eq:weights",
    against="queries ever farther from nine keys",
    says="Far outside the data on a line, nearly all of a Gaussian's weight goes to the nearest key, if it is "
    "unique.",
    given={"keys": np.arange(9) / 2},
    without={"if it is unique": {"keys": np.append(np.arange(9) / 2, 4)}},
)
@pytest.mark.parametrize("h", [0.5, 1.0, 3.0])
def test_far_query_gives_all_weight_to_nearest_key(keys, h):
    shares = nadaraya_watson_weights([5, 6, 10, 30, 100], keys, h)[:, -1]
    assert (np.diff(shares) >= 0).all() and shares[-1] > 1 - 1e-4


@pytest.mark.equation(
    "eq:weights",
    against="the sums of the largest weights, at sixty bandwidths",
    says="A wider Gaussian never needs fewer keys to carry 90 % of its weight, but its estimate may rise or fall.",
    given={"widths": np.geomspace(0.05, 30, 60)},
    without={"A wider": {"widths": np.geomspace(30, 0.05, 60)}},
)
def test_wider_gaussian_spreads_its_weight(sample, widths):
    """The sum of the m largest weights never increases with h, for any m, that is, the weights majorise."""
    queries, keys, values = sample
    weights = np.array([nadaraya_watson_weights(queries, keys, h) for h in widths])
    largest = np.cumsum(np.sort(weights, axis=2)[:, :, ::-1], axis=2)
    assert (np.diff(largest, axis=0) <= 1e-12).all()
    moves = np.diff(weights @ values, axis=0)
    assert (moves > 0.001).any() and (moves < -0.001).any()


@pytest.mark.equation(
    "eq:weights",
    against="other values at the same keys",
    says="The weights of a position-only kernel do not depend on the values, so it averages across a step like "
    "anywhere else.",
    given={"h_y": np.inf},
    without={"position-only": {"h_y": 0.5}},
)
def test_weights_do_not_depend_on_values(h_y):
    """The columns of the weight matrix are the estimates for unit values, which determine all others."""
    keys = np.arange(20.0)
    weights = nadaraya_watson(keys, keys, np.eye(20), 3.0)
    np.testing.assert_allclose(weights, nadaraya_watson_weights(keys, keys, 3.0), atol=1e-15)
    step, slope = (keys > 9.5).astype(float), keys
    for values in (step, slope):
        with_value = np.column_stack([keys / 3, values / h_y])  # positions only, if h_y is infinite
        np.testing.assert_allclose(
            nadaraya_watson(with_value, with_value, values, 1.0), weights @ values, atol=1e-13
        )
    assert weights[9] @ step > 0.4  # almost half of the weight lies beyond the step


@pytest.mark.equation(
    "eq:weights",
    against="the weights of other queries, moved",
    says="On evenly spaced positions, all queries away from the boundary have the same Gaussian weights as a "
    "function of distance, whatever the values are.",
    given={"positions": np.linspace(0, 1, 50), "asked": range(15, 35)},
    without={
        "On evenly spaced positions": {"positions": np.linspace(0, 1, 50) ** 2},
        "away from the boundary": {"asked": range(10, 35)},
    },
)
def test_queries_away_from_boundary_have_equal_symmetric_weights(positions, asked):
    weights = nadaraya_watson_weights(positions, positions, 0.1)
    for query in asked:
        bell = weights[query, query - 10 : query + 11]
        np.testing.assert_allclose(bell, weights[25, 15:36], rtol=1e-3)
        np.testing.assert_allclose(bell, bell[::-1], rtol=1e-9)


@pytest.mark.equation(
    "eq:average",
    against="the three steps, for each kernel",
    says="Every Nadaraya–Watson estimate takes three steps, log-weights, softmax and average, and the "
    "kernel enters only the first.",
    given={"method": nadaraya_watson},
    without={"Nadaraya–Watson": {"method": local_linear}},
)
def test_estimate_takes_three_steps(sample, method):
    """A softmax has no negative weights, so the local line does not take these steps."""
    queries, keys, values = sample
    for kernel in KERNELS:
        log_weights = log_radial_kernel(queries, keys, 5.0, kernel)
        estimate = average(softmax(log_weights), values)
        np.testing.assert_allclose(estimate, method(queries, keys, values, 5.0, kernel), rtol=1e-12)


@pytest.mark.equation(
    "eq:average",
    against="very small and very large bandwidths",
    says="As a Gaussian's bandwidth shrinks, the estimate approaches the nearest key's value, if that key is "
    "unique; as it grows, the estimate approaches the mean of all values.",
    given={"repeats": 1},
    without={"if that key is unique": {"repeats": 2}},
)
def test_estimate_ranges_from_nearest_value_to_mean(sample, repeats):
    queries, keys, values = sample
    nearest = np.abs(queries[:, None] - keys).argmin(axis=1)
    expected = values[nearest]
    keys, values = np.tile(keys, repeats), np.concatenate([values, *[values + 1] * (repeats - 1)])
    np.testing.assert_allclose(nadaraya_watson(queries, keys, values, 1e-3), expected, rtol=1e-12)
    np.testing.assert_allclose(nadaraya_watson(queries, keys, values, 1e6), values.mean(), rtol=1e-9)


@pytest.mark.equation(
    "eq:nadaraya_watson",
    against="the sums over the keys, in order of distance",
    says="We estimate an unknown value by an average of the measured values, weighted by a kernel that falls with "
    "the distance from the query.",
    given={"score": lambda q, keys: -((q - keys) ** 2) / 0.8**2},
    without={"that falls with the distance": {"score": lambda q, keys: q * keys}},
)
def test_nearer_measurements_get_more_weight(sample, score):
    queries, keys, values = sample
    for q in queries:
        kernel = np.exp(score(q, keys))
        estimate = average(softmax(score(q, keys))[None], values)[0]
        assert estimate == pytest.approx(sum(kernel * values) / sum(kernel), rel=1e-12)
        assert values.min() <= estimate <= values.max()
        assert (np.diff(kernel[np.argsort(np.abs(q - keys))]) < 0).all()
        np.testing.assert_allclose(estimate, nadaraya_watson([q], keys, values, 0.8)[0], rtol=1e-12)


@pytest.mark.equation(
    "eq:nadaraya_watson",
    against="the weight of each class, summed",
    says="The estimate is linear in the values, so for one-hot values the same function returns each class's "
    "share of the weight.",
    given={"encode": lambda labels: np.eye(3)[labels]},
    without={"one-hot": {"encode": lambda labels: np.column_stack([labels] * 3)}},
)
def test_one_hot_values_give_class_weights(sample, encode):
    queries, keys, values = sample
    labels = np.array([0, 1, 2, 0, 1, 0, 2])
    weights = nadaraya_watson_weights(queries, keys, 0.8)
    shares = nadaraya_watson(queries, keys, encode(labels), 0.8)
    np.testing.assert_allclose(shares, [[row[labels == c].sum() for c in range(3)] for row in weights], rtol=1e-12)
    both = nadaraya_watson(queries, keys, 2 * values + 3 * keys, 0.8)
    np.testing.assert_allclose(both, 2 * (weights @ values) + 3 * (weights @ keys), rtol=1e-12)


@pytest.mark.equation(
    "eq:kernels",
    against="the deck of d2l, by d2l itself",
    says="If h = √2 σ for its Gaussians, the deck's eight estimates computed by d2l equal those of this chapter's "
    "kernels to rounding.",
    given={"bandwidth": lambda sigma: sqrt(2) * sigma},
    without={"If h = √2 σ": {"bandwidth": lambda sigma: sigma}},
)
@pytest.mark.peers
def test_kernels_match_d2l(bandwidth):
    d2l = load_d2l()
    keys, values, _ = noisy_sine()
    queries = np.arange(0, 5, 0.1)
    x = d2l.reshape(d2l.tensor(keys), (-1, 1)) - d2l.reshape(d2l.tensor(queries), (1, -1))
    deck = [
        ("boxcar", 1, (d2l.abs(x) < 1).double()),
        ("constant", 1, 1 + 0 * x),
        ("triangular", 1, (1 - d2l.abs(x)).clip(min=0)),
        *(("gaussian", bandwidth(s), d2l.exp(-(x**2) / (2 * s**2))) for s in (0.1, 0.2, 0.5, 1)),
    ]
    for kernel, h, k in deck:
        fit = d2l.numpy(d2l.tensor(values) @ (k / d2l.reduce_sum(k, 0)))
        np.testing.assert_allclose(nadaraya_watson(queries, keys, values, h, kernel), fit, atol=1e-12)


@pytest.mark.equation(
    "eq:local_constant",
    against="the vertex of the parabola in c",
    says="The weighted average is the constant that fits best around the query, by least squares weighted "
    "with the kernel.",
    given={"loss": np.square},
    without={"by least squares": {"loss": np.abs}},
)
@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_estimate_is_the_best_local_constant(sample, kernel, loss):
    """The weighted sum of squares is a parabola in c, and three of its points give its vertex."""
    _, keys, values = sample
    for q in (0.5, 1.5, 2.5):
        K = np.exp(log_radial_kernel([q], keys, 1.2, kernel))[0]
        left, middle, right = (float(np.sum(K * loss(values - c))) for c in (-1, 0, 1))
        vertex = (left - right) / (2 * (left - 2 * middle + right))
        assert nadaraya_watson([q], keys, values, 1.2, kernel)[0] == pytest.approx(vertex, abs=1e-12)


@pytest.mark.equation(
    "eq:density",
    against="the integrals, on a fine grid",
    says="The mean of small bumps of area one on the data points is itself a density and estimates the unknown "
    "density.",
    given={"area": 1.0, "shift": 0.0},
    without={"of area one": {"area": 2.0}},
)
@pytest.mark.equation(
    "eq:plug_in",
    against="the integrals, on a fine grid",
    says="For symmetric bumps, the conditional mean of the estimated densities is the Nadaraya–Watson average, "
    "whatever the bandwidth of the values.",
    without={"symmetric": {"shift": 0.5}},
)
@pytest.mark.parametrize("g", [0.2, 2.0])
def test_estimate_is_conditional_mean_of_density_estimate(sample, g, area, shift):
    queries, keys, values = sample
    h, grid = 0.8, np.linspace(-30, 30, 60_001)
    step = grid[1] - grid[0]

    def bump(u, width):
        return area * np.exp(-((u - shift) ** 2) / width**2) / (sqrt(pi) * width)

    assert bump(grid, g).sum() * step == pytest.approx(1, abs=1e-9)
    assert sum(bump(grid - k, h) for k in keys).sum() * step / 7 == pytest.approx(1, abs=1e-9)
    for q, estimate in zip(queries, nadaraya_watson(queries, keys, values, h), strict=True):
        joint = sum(bump(q - k, h) * bump(grid - v, g) for k, v in zip(keys, values, strict=True)) / 7
        marginal = sum(bump(q - k, h) for k in keys) / 7
        assert joint.sum() * step == pytest.approx(marginal, rel=1e-9)  # over the values: the marginal density
        assert (grid * joint).sum() * step / marginal == pytest.approx(estimate, rel=1e-9, abs=1e-9)


@pytest.mark.equation(
    "eq:bias_variance",
    against="the mean over all 2⁷ patterns of noise",
    says="For independent noise of equal variance, the mean squared error is squared bias plus variance, and a "
    "wider Gaussian never has more variance.",
    given={"signs": every_pattern(), "scale": np.ones(7), "claimed": 0.6},
    without={
        "independent": {"signs": np.array([[1] * 7, [-1] * 7])},
        "of equal variance": {"scale": np.array([0.1, 2, 0.1, 2, 0.1, 2, 0.1])},
    },
)
@pytest.mark.equation(
    "eq:band",
    against="all 2⁷ patterns of noise, and 20 000 normal draws",
    says="For a known σ and independent normal errors, the band covers the mean of an estimate 95 % of the "
    "time; it ignores the bias.",
    without={"known σ": {"claimed": 0.3}},
)
def test_error_is_squared_bias_plus_variance(sample, signs, scale, claimed):
    """The expectation is exact: noise of ±σ with equally likely signs, over all 2⁷ patterns.

    The band's half-width is 1.96 standard deviations of the estimate; it covers the estimate's mean, not the
    truth.
    """
    queries, keys, _ = sample
    sigma, f = 0.6, np.cos
    kernel = np.array([[gaussian(q, k, 0.8) for k in keys] for q in queries])
    weights = kernel / kernel.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(nadaraya_watson_weights(queries, keys, 0.8), weights, rtol=1e-12)
    variance = sigma**2 * np.sum(weights**2, axis=1)
    noise = sigma * scale * signs
    estimates = nadaraya_watson(queries, keys, (f(keys) + noise).T, 0.8)  # (n_queries, 128)
    error = np.mean((estimates - f(queries)[:, None]) ** 2, axis=1)
    bias = weights @ f(keys) - f(queries)
    np.testing.assert_allclose(error, bias**2 + variance, rtol=1e-12)
    half_widths = 1.96 * claimed / sigma * np.sqrt(variance)
    np.testing.assert_allclose(half_widths, 1.96 * estimates.std(axis=1), rtol=1e-12)
    widths = np.geomspace(0.05, 20, 40)
    variances = [np.sum(nadaraya_watson_weights(queries, keys, h) ** 2, axis=1) for h in widths]
    assert (np.diff(variances, axis=0) <= 1e-15).all()
    noise = sigma * np.random.default_rng(0).normal(size=(20_000, 7))
    drawn = nadaraya_watson(queries, keys, (f(keys) + noise).T, 0.8)
    for q, half, middle, row in zip(queries, half_widths, weights @ f(keys), drawn, strict=True):
        assert np.mean(np.abs(row - middle) < half) == pytest.approx(0.95, abs=0.005)
        assert np.mean(np.abs(row - f(q)) < half) < 0.955


@pytest.mark.equation(
    "eq:boundary_bias",
    against="estimates on 20 001 keys, as h shrinks",
    says="For a smooth curve, many evenly spaced keys and small h, a Gaussian's bias is of order h² in the "
    "interior, but order h at a sloping boundary.",
    given={"f": np.exp},
    without={"a smooth curve": {"f": lambda x: np.exp(x) + np.abs(x - 1)}},
)
def test_bias_order_in_interior_and_at_boundary(f):
    """f = exp is its own first and second derivative. The approximation gets better as h shrinks."""
    keys = np.linspace(0, 2, 20_001)
    predictions = {0: lambda h: h / sqrt(pi), 1: lambda h: h**2 / 4 * exp(1), 2: lambda h: -h / sqrt(pi) * exp(2)}
    for query, predicted in predictions.items():
        bias = {h: nadaraya_watson([query], keys, f(keys), h)[0] - f(query) for h in (0.1, 0.05, 0.025)}
        assert bias[0.025] == pytest.approx(predicted(0.025), rel=0.02)
        off = [abs(b / predicted(h) - 1) for h, b in bias.items()]
        assert off[0] > off[1] > off[2]


def keys_with(density):
    """Return 20 001 keys on [0, 2] at the quantiles of a density."""
    grid = np.linspace(0, 2, 100_001)
    share = np.cumsum(density(grid))
    return np.interp((np.arange(20_001) + 0.5) / 20_001, share / share[-1], grid)


def even(x):
    return 1 + 0 * x


@pytest.mark.equation("eq:design_bias", against="estimates on 20 001 keys of three densities, as h shrinks")
@pytest.mark.parametrize(
    "density, slope_over_density",
    [(even, 0.0), (lambda x: np.exp(1.5 * x), 1.5), (lambda x: np.exp(-3 * x), -3.0)],
    ids=["even", "denser right", "denser left"],
)
def test_bias_follows_the_slope_of_key_density(density, slope_over_density):
    """For p = exp(a x) the ratio p′/p is a; f = sin 2x has f′ = 2 cos 2x, f″ = −4 sin 2x."""
    q, f, off = 0.9, lambda x: np.sin(2 * x), []
    keys = keys_with(density)
    for h in (0.16, 0.08, 0.04):
        predicted = h**2 / 4 * (-4 * f(q) + 2 * 2 * np.cos(2 * q) * slope_over_density)
        bias = nadaraya_watson([q], keys, f(keys), h)[0] - f(q)
        off.append(abs(bias / predicted - 1))
    assert off[0] > off[1] > off[2] and off[2] < 0.03


@pytest.mark.equation("eq:local_variance", against="the sum of squared weights among 20 001 keys")
@pytest.mark.parametrize("query, factor", [(1.0, 1), (0.0, 2), (2.0, 2)], ids=["inside", "left end", "right end"])
def test_variance_is_inverse_to_keys_in_reach(query, factor):
    """Even keys on [0, 2] have the density ½. At an end the variance is twice as large."""
    h = 0.05
    weights = nadaraya_watson_weights([query], keys_with(even), h)[0]
    assert weights @ weights == pytest.approx(factor / (sqrt(2 * pi) * 20_001 * h * 0.5), rel=0.01)


@pytest.mark.equation(
    "eq:best_bandwidth",
    against="the smallest error over many bandwidths",
    says="In the interior, if the second-order bias is not zero at the query, the best bandwidth shrinks "
    "like n^(−1/5) and in general depends on the query.",
    given={"f": lambda x: np.sin(2 * x)},
    without={"if the second-order bias is not zero": {"f": lambda x: 0.9 + 2 * (x - 0.9)}},
)
@pytest.mark.parametrize("sigma", [0.5, 2.0])
def test_best_bandwidth_balances_bias_and_variance(sigma, f):
    """There the squared bias is a quarter of the variance. f = sin 2x at 0.9, evenly spaced keys, density ½."""
    q, keys = 0.9, keys_with(even)

    def best_at(q, n):
        return (4 * sigma**2 / (sqrt(2 * pi) * n * 0.5 * (4 * f(q)) ** 2)) ** 0.2

    predicted = best_at(q, 20_001)
    assert best_at(q, 32 * 20_001) == pytest.approx(predicted / 2) and best_at(0.3, 20_001) > 1.1 * predicted
    candidates = predicted * np.geomspace(0.7, 1.4, 71)
    weights = np.concatenate([nadaraya_watson_weights([q], keys, h) for h in candidates])
    biases, variances = weights @ f(keys) - f(q), sigma**2 * np.sum(weights**2, axis=1)
    best = np.argmin(biases**2 + variances)
    assert candidates[best] == pytest.approx(predicted, rel=0.02)
    assert biases[best] ** 2 == pytest.approx(variances[best] / 4, rel=0.15)


def jagged(x):
    """Two jumps and a cusp."""
    return np.where(x < 0.3, 1.0, np.where(x < 0.6, 3.0, 0.0)) - np.sqrt(np.abs(x - 0.8)) * (x > 0.6)


@pytest.mark.equation(
    "eq:stone",
    against="its mean squared error as random keys are added",
    says="For independent draws of finite variance, the mean squared error averaged over the keys' distribution "
    "vanishes for any curve if the reach shrinks but holds ever more keys.",
    given={
        "exponent": -1 / 3,
        "noise": np.random.Generator.standard_normal,
        "repeats": 1,
        "queries": np.linspace(0.005, 0.995, 100),
    },
    without={
        "independent": {"repeats": 100_000},
        "of finite variance": {"noise": np.random.Generator.standard_cauchy},
        "averaged over the keys' distribution": {"queries": np.array([0.3])},  # at a jump
        "the reach shrinks": {"exponent": 0},
        "holds ever more keys": {"exponent": -1},
    },
)
def test_error_vanishes_without_smoothness(exponent, noise, repeats, queries):
    """As the reach is n^exponent, it holds n^(1 + exponent) keys. Repeated noise is one draw for many keys."""
    errors = []
    for n in (100, 1000, 10_000, 100_000):
        rng = np.random.default_rng(n)
        keys, h = rng.uniform(size=n), 0.05 * (n / 100) ** exponent
        values = jagged(keys) + np.repeat(noise(rng, size=-(-n // repeats)), repeats)[:n]
        estimate = nadaraya_watson(queries, keys, values, h)
        errors += [np.mean((estimate - jagged(queries)) ** 2)]
    assert errors == sorted(errors, reverse=True) and errors[-1] < 0.05 * errors[0]
    kernel = np.exp(-(((0.5 - keys) / h) ** 2))
    assert nadaraya_watson([0.5], keys, values, h)[0] == pytest.approx(kernel @ values / kernel.sum(), rel=1e-9)


@pytest.mark.equation("eq:local_linear", against="the formula, and weighted least squares")
def test_local_linear_is_a_weighted_line(sample):
    queries, keys, values = sample
    for q, estimate in zip(queries, local_linear(queries, keys, values, 0.8), strict=True):
        w = nadaraya_watson_weights([q], keys, 0.8)[0]
        k_bar, v_bar = np.sum(w * keys), np.sum(w * values)
        beta = np.sum(w * (keys - k_bar) * (values - v_bar)) / np.sum(w * (keys - k_bar) ** 2)
        assert estimate == pytest.approx(v_bar + beta * (q - k_bar), rel=1e-10)
        design = np.column_stack([np.ones(7), keys - q]) * np.sqrt(w)[:, None]
        assert estimate == pytest.approx(np.linalg.lstsq(design, values * np.sqrt(w))[0][0], rel=1e-8)


@pytest.mark.equation("eq:shortcut", against="n fits, each without one key")
@pytest.mark.parametrize("kernel", ["gaussian", "triangular", "constant"])
def test_one_fit_gives_all_leave_one_out_estimates(sample, kernel):
    _, keys, values = sample
    weights = nadaraya_watson_weights(keys, keys, 1.5, kernel)
    own = np.diag(weights)
    assert own.max() < 1  # each key has a neighbour
    residuals = (values - weights @ values) / (1 - own)
    left_out = leave_one_out_estimates(keys, values, 1.5, kernel)
    np.testing.assert_allclose(values - left_out, residuals, rtol=1e-10, atol=1e-12)
