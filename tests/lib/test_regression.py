"""Kernel regression compared with slow loops and statsmodels, its limits and its identities."""

from functools import partial

import numpy as np
import pytest
from statsmodels.nonparametric.kernel_regression import KernelReg

from lib.kernels import KERNELS
from lib.regression import (
    choose_bandwidth,
    corrected_aic,
    leave_one_out_error,
    leave_one_out_estimates,
    local_linear,
    nadaraya_watson,
    nadaraya_watson_weights,
)
from lib.weights import average
from tests.invalid_input import rejected, rejects
from tests.oracles import dense_leave_one_out, dense_regression, dense_regression_weights, peak_memory


@pytest.fixture
def sample():
    rng = np.random.default_rng(7)
    return rng.normal(size=(11, 3)), rng.normal(size=(47, 3)), rng.normal(size=(47, 2))


@pytest.mark.equation("eq:nadaraya_watson", "eq:average", against="the dense formula, in long double")
@pytest.mark.parametrize("kernel", KERNELS)
def test_nadaraya_watson_equals_its_definition(sample, kernel):
    queries, keys, values = sample
    expected = dense_regression(queries, keys, values, 1.3, kernel)
    result = nadaraya_watson(queries, keys, values, 1.3, kernel)
    np.testing.assert_allclose(result, expected, atol=1e-12)
    of_weights = average(nadaraya_watson_weights(queries, keys, 1.3, kernel), values)
    np.testing.assert_allclose(of_weights, expected, atol=1e-12)


@pytest.mark.parametrize("kernel", ["boxcar", "triangular", "epanechnikov"])
def test_compact_kernel_excludes_keys_at_the_bandwidth(kernel):
    """Keys on a decimal grid are exactly at distance h, up to rounding."""
    queries = keys = np.arange(1871, 1971) / 10
    values = np.random.default_rng(11).normal(size=100)
    weight = nadaraya_watson_weights(queries, keys, 0.3, kernel)
    assert (weight > 1e-9).sum(axis=1).max() == 5
    np.testing.assert_allclose(
        nadaraya_watson(queries, keys, values, 0.3, kernel), average(weight, values), atol=1e-9
    )


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("bandwidth", [1e-4, 1e-160, 5e-324])
def test_tiny_bandwidth_gives_nearest_neighbour(sample, bandwidth, dtype):
    queries, keys, values = (x.astype(dtype) for x in sample)
    result = nadaraya_watson(queries, keys, values, bandwidth)
    nearest = ((queries[:, None] - keys) ** 2).sum(axis=-1).argmin(axis=1)
    np.testing.assert_allclose(result, values[nearest], rtol=1e-6)


@pytest.mark.parametrize(
    "dtype, distance",
    [(np.float32, 1e8), (np.float32, 1e30), *((float, 10.0**power) for power in (5, 8, 12, 30, 300))],
)
@pytest.mark.parametrize("dimension", [1, 2, 3, 8])
def test_far_query_uses_the_nearest_extreme_key(dtype, distance, dimension):
    rng = np.random.default_rng(11)
    keys, directions = (rng.normal(size=(n, dimension)).astype(dtype) for n in (30, 40))
    values, farthest = np.arange(30, dtype=dtype), (directions @ keys.T).argmax(axis=1)
    queries = dtype(distance) * directions
    np.testing.assert_array_equal(nadaraya_watson(queries, keys, values, 0.5), values[farthest])
    np.testing.assert_array_equal(nadaraya_watson_weights(queries, keys, 0.5) @ values, values[farthest])


@pytest.mark.parametrize("kernel", KERNELS)
def test_bandwidth_per_column_rescales_columns(sample, kernel):
    queries, keys, values = sample
    bandwidth, values = np.array([1.0, 2.0, 5.0]), values[:, 0]
    for function in (nadaraya_watson, local_linear):
        expected = function(queries / bandwidth, keys / bandwidth, values, 1.0, kernel)
        np.testing.assert_allclose(function(queries, keys, values, bandwidth, kernel), expected, atol=1e-9)
    expected = leave_one_out_error(keys / bandwidth, values, 1.0, kernel)
    assert leave_one_out_error(keys, values, bandwidth, kernel) == pytest.approx(expected, nan_ok=True)


normal, uniform = np.random.default_rng(9).normal, np.random.default_rng(9).uniform
MEMORY = {  # function → arguments, and the bytes allowed; the matrices would need 72, 48 and 288 MB
    nadaraya_watson: ((normal(size=(300, 8)), normal(size=(30_000, 8)), normal(size=30_000), 1.0), 8e6),
    local_linear: ((uniform(size=300), uniform(size=20_000), normal(size=20_000), 0.1), 1.8e8),
    corrected_aic: ((uniform(size=6000), normal(size=6000), 0.01), 8e7),
}


@pytest.mark.parametrize("function", MEMORY)
def test_memory_stays_below_the_weight_matrix(function):
    arguments, allowed = MEMORY[function]
    assert peak_memory(lambda: function(*arguments)) <= allowed


@pytest.mark.equation(
    "eq:leave_one_out", "eq:leave_one_out_error", against="the dense formula without its diagonal"
)
@pytest.mark.parametrize("kernel", KERNELS)
def test_leave_one_out_matches_removing_each_key(sample, kernel):
    _, keys, values = sample
    expected = dense_leave_one_out(keys, values, 2.5, kernel)
    np.testing.assert_allclose(leave_one_out_estimates(keys, values, 2.5, kernel), expected, atol=1e-12)
    error = np.mean(np.square(values - expected))
    assert leave_one_out_error(keys, values, 2.5, kernel) == pytest.approx(error, rel=1e-11, nan_ok=True)


@pytest.mark.parametrize(
    "criterion, score", [("leave_one_out", leave_one_out_error), ("corrected_aic", corrected_aic)]
)
def test_choose_bandwidth_minimises_the_score(criterion, score):
    rng = np.random.default_rng(10)
    keys = np.sort(rng.uniform(0, 5, 80))
    values = np.sin(keys) + rng.normal(size=80) * 0.3
    candidates = np.array([1e-4, 0.1, 0.5, 2.0, 9.0])
    scores = [score(keys, values, h, "epanechnikov") for h in candidates]
    assert not np.isfinite(scores[0]) and scores[0] != min(scores[1:])
    chosen = choose_bandwidth(keys, values, candidates, "epanechnikov", criterion=criterion)
    assert chosen == candidates[np.nanargmin(scores)]
    if criterion == "leave_one_out":
        assert choose_bandwidth(keys, values, candidates, "epanechnikov") == chosen
    with rejected("bandwidths"):
        choose_bandwidth(keys, values, [1e-9], "boxcar", criterion=criterion)


@pytest.mark.equation("eq:corrected_aic", against="the formula, with each key's self-weight")
@pytest.mark.parametrize("kernel", KERNELS)
def test_corrected_aic_matches_formula(sample, kernel):
    _, keys, values = sample
    values, weights = values[:, 0], dense_regression_weights(keys, keys, 2.5, kernel)
    freedom = np.trace(weights)
    expected = np.log(np.mean(np.square(values - weights @ values))) + (47 + freedom) / (47 - freedom - 2)
    assert corrected_aic(keys, values, 2.5, kernel) == pytest.approx(expected, rel=1e-8)


def test_corrected_aic_has_its_limits_at_extreme_bandwidths(sample):
    _, keys, values = sample
    assert corrected_aic(keys, values[:, 0], 1e-9) == np.inf  # no degrees of freedom remain
    assert corrected_aic(keys, np.zeros(47), 1.0) == -np.inf
    two_groups = [-0.2, -1.6, -0.5, -0.4]  # the trace is 2 up to rounding, so n − trace − 2 is 0
    assert corrected_aic(two_groups, [0.0, 1, 2, 0], 0.78, "boxcar") == np.inf
    wide = np.log(np.var(values[:, 0])) + 48 / 44  # one degree of freedom, the mean
    assert corrected_aic(keys, values[:, 0], 1e8) == pytest.approx(wide, rel=1e-10)
    single = corrected_aic(keys.astype(np.float32), values[:, 0].astype(np.float32), 1.0)
    assert single == pytest.approx(corrected_aic(keys, values[:, 0], 1.0), abs=1e-4)


@pytest.mark.filterwarnings("ignore:After 0.17:FutureWarning")  # statsmodels announces a change of its seed
@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_local_linear_is_exact_on_planes(sample, dimension, kernel):
    queries, keys, values = sample
    queries, keys, slope = queries[:, :dimension], keys[:, :dimension], np.array([2.0, -3.0])[:dimension]
    exact = local_linear(queries, keys, keys @ slope + 1, 2.0, kernel)
    np.testing.assert_allclose(exact, queries @ slope + 1, rtol=1e-8)
    if kernel == "gaussian":
        bw = np.full(dimension, 0.9 / np.sqrt(2))
        expected = KernelReg(values[:, 0], keys, "c" * dimension, "ll", bw=bw).fit(queries)[0]
        np.testing.assert_allclose(local_linear(queries, keys, values[:, 0], 0.9), expected, rtol=1e-6)


def test_local_linear_with_one_key_is_constant():
    """In single precision far from zero, with a distant key without weight, and for any unit per axis."""
    result = local_linear([0.1, 50.0], [0.0, 1.0], [3.0, 8.0], 0.5, "boxcar")
    np.testing.assert_array_equal(result, [3, np.nan])
    np.testing.assert_allclose(local_linear([0.1], [0.0, 1.0], [3.0, 8.0], 1e-3), 3, atol=1e-6)
    x = np.linspace(1000, 1001, 101, dtype=np.float32)
    np.testing.assert_allclose(local_linear(x[[0, -1]], x, 3 * (x - 1000), 0.1), [0, 3], atol=1e-3)
    keys, values = np.append(np.arange(11.0), 1e13), np.append(2 * np.arange(11.0), 0)
    np.testing.assert_allclose(local_linear([0.0, 10.0], keys, values, 1.0), [0, 20], atol=1e-9)
    keys, unit = np.random.default_rng(0).random((200, 2)), np.array([1, 1e-6])
    np.testing.assert_allclose(local_linear([[0.0, 0.0]], keys * unit, keys.sum(axis=1), 0.3 * unit), 0, atol=1e-9)


def test_local_linear_is_exact_where_one_key_dominates():
    keys = np.array([0.0, 1.1, 2.3, 3.7, 40.0])
    queries = np.linspace(0, 31, 156)  # beyond, the other weights are zero in double precision
    np.testing.assert_allclose(local_linear(queries, keys, keys + 100, 0.988), queries + 100, rtol=1e-12)
    same = [0.0, 0.3, 0.1 + 0.2]  # the last two are equal up to rounding, so they define no slope
    np.testing.assert_allclose(local_linear([0.5], same, [9.0, 1.0, 2.0], 0.01), 1.5)


def test_local_linear_keeps_digits_with_few_keys():
    """Four effective keys in three dimensions, nearly in a plane, with values on a plane."""
    rng = np.random.default_rng(0)
    keys = rng.normal(size=(4, 3))
    keys[3] = keys[:3].mean(axis=0) + 1e-5 * rng.normal(size=3)
    values = keys @ [1.0, -2.0, 0.5] + 3
    query = keys[:1] + 0.1
    np.testing.assert_allclose(local_linear(query, keys, values, 2.0), query @ [1.0, -2.0, 0.5] + 3, rtol=1e-9)


@pytest.fixture(params=[False, True], ids=["by pairs", "by sums"])
def way(request, monkeypatch):
    """Both algorithms for local-linear regression."""
    if request.param:
        monkeypatch.setattr("lib.engine.linear_time.FEW_PAIRS", 0)
        monkeypatch.setattr("lib.engine.linear_time.PAIR", 1.0)


@pytest.mark.filterwarnings("ignore:After 0.17:FutureWarning")  # statsmodels announces a change of its seed
@pytest.mark.parametrize("dimension", [1, 2])
def test_local_linear_slopes_match_statsmodels(sample, dimension, way):
    """Several columns of values equal as many separate fits."""
    queries, keys, values = sample
    queries, keys, bandwidth = queries[:, :dimension], keys[:, :dimension], np.array([1.4, 2.0])[:dimension]
    heights, slopes = local_linear(queries, keys, values, bandwidth, return_slopes=True)
    assert heights.shape == (11, 2) and slopes.shape == (11, dimension, 2)
    errors = []
    for column in (0, 1):
        bw = bandwidth / np.sqrt(2)
        model = KernelReg(values[:, column], keys, "c" * dimension, "ll", bw=bw)
        np.testing.assert_allclose(heights[:, column], model.fit(queries)[0], rtol=1e-6)
        np.testing.assert_allclose(slopes[..., column], model.fit(queries)[1], rtol=1e-6)
        errors.append(model.cv_loo(bw, model.est["ll"]))
        error = leave_one_out_error(keys, values[:, column], bandwidth, order=1)
        assert error == pytest.approx(errors[-1], rel=1e-6)
    assert leave_one_out_error(keys, values, bandwidth, order=1) == pytest.approx(np.mean(errors), rel=1e-6)


@pytest.mark.parametrize("candidates", [[3.0, 0.5, 1.0], [0.5, 3.0, 1.0]])
def test_choose_bandwidth_returns_first_of_equals(candidates):
    assert choose_bandwidth(np.arange(5.0), np.zeros(5), candidates) == candidates[0]


def test_choose_bandwidth_takes_bandwidth_per_axis_and_local_linear(sample):
    _, keys, values = sample
    candidates = np.array([[0.5, 2.0, 9.0], [2.0, 0.5, 9.0], [2.0, 2.0, 2.0], [1e-9, 1, 1]])
    chosen = {order: choose_bandwidth(keys, keys[:, 0] ** 2, candidates, order=order) for order in (0, 1)}
    for order, bandwidth in chosen.items():
        scores = [leave_one_out_error(keys, keys[:, 0] ** 2, h, order=order) for h in candidates]
        np.testing.assert_array_equal(bandwidth, candidates[np.argmin(scores)])
    line = np.linspace(0, 1, 30)
    assert choose_bandwidth(line, line, [0.1, 1.0]) == 0.1  # a narrow average, for the bias at the ends
    assert choose_bandwidth(line, line + np.sin(99 * line), [0.1, 1.0], order=1) == 1.0


PAIR = [0.0, 1.0]


test_invalid_input_is_rejected = rejects(
    *[("values", partial(local_linear, [0.0], PAIR, bad, 1.0)) for bad in ([1.0], np.zeros((2, 1, 1)), 2.0)],
    ("keys", lambda: leave_one_out_error([0.0], [1.0], 1.0)),
    ("keys", lambda: corrected_aic([0.0, 1.0, 2.0], [1.0, 5.0, 2.0], 1.0)),
    ("values", lambda: corrected_aic(np.zeros(47), np.zeros((47, 2)), 1.0)),
    ("criterion", lambda: choose_bandwidth(PAIR, PAIR, [1.0], criterion="aic")),
    *[("bandwidths", partial(choose_bandwidth, PAIR, PAIR, bad)) for bad in ([0.0, 1.0], [[[0.5]]])],
    ("bandwidth", lambda: choose_bandwidth(PAIR, PAIR, [[0.5, 1.0]])),
    ("order", lambda: choose_bandwidth(PAIR, PAIR, [1.0], order=2)),
    ("criterion", lambda: choose_bandwidth(PAIR, PAIR, [1.0], criterion="corrected_aic", order=1)),
    ("return_slopes", lambda: local_linear(PAIR, PAIR, PAIR, 1.0, return_slopes=1)),
)
