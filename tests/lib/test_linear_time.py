"""Linear-time regression compared with all pairs, and with the formulas in long double."""

import contextlib

import numpy as np
import pytest

from lib.engine import linear_time, many_bandwidths, neighbours, regression
from lib.engine.compact_support import POLYNOMIALS, window_moments
from lib.engine.gauss_transform import gaussian_moments
from lib.kernels import KERNELS
from lib.regression import (
    candidate_bandwidths,
    corrected_aic,
    leave_one_out_error,
    leave_one_out_estimates,
    local_linear,
    nadaraya_watson,
)
from tests.oracles import dense_leave_one_out, dense_regression, dense_regression_weights, peak_memory


@contextlib.contextmanager
def constants(**changed):
    """Set different constants for the choice between sums and pairs."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in changed.items():
            for module in (linear_time, neighbours, regression):
                patch.setattr(module, name, value, raising=False)
        yield


ALL_PAIRS = {"FEW_PAIRS": 10**12}
SUMS = {"FEW_PAIRS": 0, "PAIR": 1.0}
GROUPS = {"FEW_PAIRS": 0, "PAIR": 0.0, "GROUP": 0.0, "MOST_IN_REACH": 1.1, "FEW_QUERIES": 20}


def moments_by_pairs(queries, keys, columns, bandwidth, kernel, powers):
    """Return (n_powers, c, n_queries) in long double, from all pairs."""
    offset = (keys.astype(np.longdouble) - queries[:, None]) / bandwidth
    with np.errstate(divide="ignore"):
        weights = np.exp(kernel((offset**2).sum(axis=-1)))
    return np.array([np.array(columns) @ (weights * (offset**power).prod(axis=-1)).T for power in powers])


@pytest.mark.equation("eq:nadaraya_watson", "eq:local_linear", against="the sums over all pairs, in long double")
@pytest.mark.parametrize(
    "powers, width",
    [([(0,), (1,), (2,)], 0.3), ([(0,), (2,)], 3.0), ([(0, 0), (1, 0), (1, 1), (0, 2)], 1.0), ([(0, 0, 0)], 3.0)],
)
def test_gaussian_moments_equal_sums_over_all_pairs(powers, width):
    rng, d = np.random.default_rng(1), len(powers[0])
    keys, queries = rng.uniform(size=(211, d)), rng.uniform(size=(101, d)) * 1.2
    columns, bandwidth = [np.ones(211), rng.normal(size=211)], np.array([0.3, 0.2, 0.5])[:d]
    widths = 2.0 ** np.floor(np.log2(width * bandwidth))
    moments, near = gaussian_moments(queries, keys, columns, bandwidth, powers, widths)
    gaussian = lambda squared_distance: -squared_distance
    expected = moments_by_pairs(queries, keys, columns, bandwidth, gaussian, powers)
    assert np.abs(moments - expected).max() < 1e-12
    within = (np.abs(queries[:, None] - keys) / bandwidth < 6).all(axis=-1).sum(axis=1)
    assert (within <= near).all() and (near <= 211).all()


@pytest.mark.equation("eq:nadaraya_watson", "eq:local_linear", against="the sums over all pairs, in long double")
@pytest.mark.parametrize("kernel", POLYNOMIALS, ids=lambda kernel: kernel.__name__)
def test_window_moments_equal_sums_over_all_pairs(kernel):
    rng = np.random.default_rng(2)
    keys, queries = rng.normal(size=300), np.append(rng.normal(size=100) * 1.2, [-40.0, 40.0])
    keys[:100] = keys[100:200]
    columns = [np.ones(300), rng.normal(size=300)]
    moments, _ = window_moments(queries, keys, columns, 0.4, kernel, [0, 1, 2])
    pairs = moments_by_pairs(queries[:, None], keys[:, None], columns, 0.4, kernel, [0, 1, 2])
    np.testing.assert_allclose(moments, pairs.astype(float), atol=1e-11)


def hostile_points(rng, n, d):
    """Yield points on grids, in clusters, with heavy tails and with repetitions."""
    draw = [
        lambda: rng.uniform(size=(n, d)),
        lambda: rng.normal(size=(n, d)),
        lambda: rng.standard_cauchy(size=(n, d)),
        lambda: rng.integers(0, 20, size=(n, d)) / 10,
        lambda: np.exp(3 * rng.normal(size=(n, d))),
        lambda: 1e-3 * rng.normal(size=(n, d)) + rng.integers(0, 3, size=(n, 1)),
        lambda: np.repeat(rng.normal(size=(n // 4 + 1, d)), 4, axis=0)[:n],
    ]
    points = draw[rng.integers(len(draw))]()
    if rng.random() < 0.2:
        points[0] = 10 ** rng.uniform(2, 14)
    return points


def hostile_values(rng, n):
    values = rng.normal(size=n) if rng.random() < 0.5 else rng.normal(size=(n, 2))
    change = [
        lambda: values,
        lambda: values * 10.0 ** rng.uniform(-150, 150),
        lambda: values + 10.0 ** rng.uniform(0, 5),
        lambda: np.where(rng.random(values.shape) < 0.02, 1e12 * values, values),
        lambda: np.round(values),
    ]
    return change[rng.integers(len(change))]()


def hostile_task(seed):
    """Yield queries, keys, values, bandwidth, kernel, and whether each key is left out of its own estimate."""
    rng = np.random.default_rng(seed)
    n, m, d = int(10 ** rng.uniform(1.5, 3.2)), int(10 ** rng.uniform(1.5, 2.6)), rng.choice([1, 1, 1, 2, 2, 3])
    keys = hostile_points(rng, n, d)
    spread = np.median(np.abs(keys - np.median(keys, axis=0))) or 1.0
    queries = keys[rng.integers(0, n, m)] + spread * 10 ** rng.uniform(-3, 3) * rng.normal(size=(m, d))
    bandwidth = spread * 10 ** rng.uniform(-3, 3) * 10 ** (rng.uniform(-0.5, 0.5, d) * rng.integers(2))
    offset, unit = rng.choice([0, 0, 1]) * 10 ** rng.uniform(0, 9), 10 ** (rng.uniform(-30, 30) * rng.integers(2))
    arrays = [(x + offset) * unit for x in (queries, keys)] + [hostile_values(rng, n)]
    if rng.random() < 0.15 and all(np.abs(x).max() < 1e15 for x in arrays):
        arrays = [x.astype(np.float32) for x in arrays]
    kernel = rng.choice(["gaussian"] * 4 + ["boxcar", "triangular", "epanechnikov"]).item()
    return *arrays, bandwidth * unit, kernel, rng.random() < 0.4


def check_hostile_task(seed, **way):
    queries, keys, values, bandwidth, kernel, leave_one_out = hostile_task(seed)
    task = (keys if leave_one_out else queries, keys, values, bandwidth, kernel, leave_one_out)
    with constants(**ALL_PAIRS):
        expected = regression.regression(*task)
    with constants(**way):
        result = regression.regression(*task)
    assert result.dtype == expected.dtype == values.dtype
    np.testing.assert_array_equal(np.isnan(result), np.isnan(expected))
    exact = values.astype(float)
    tolerance = 1e-10 * (np.ptp(exact) or 1) + 1e-14 * np.abs(exact).max()
    if values.dtype == np.float32:  # pairs also use single precision
        tolerance = 1e-3 * np.abs(exact).max() + 1e-44
    assert np.nanmax(np.abs(result - expected), initial=0) <= tolerance


def check_hostile_tasks(seeds):
    for seed in seeds:
        way = [SUMS, GROUPS, {"FEW_PAIRS": 2**12}][seed % 3]
        try:
            check_hostile_task(seed, **way)
        except Exception as error:
            raise AssertionError(f"check_hostile_task({seed}, **{way}): {error!r}") from error


@pytest.mark.equation("eq:nadaraya_watson", "eq:leave_one_out", against="all pairs, for hostile data")
def test_fast_sums_match_pairs_on_hard_data():
    check_hostile_tasks(range(120))


@pytest.mark.long
@pytest.mark.parametrize("part", range(10))
def test_fast_sums_match_pairs_in_long_sweep_of_hard_data(part):
    check_hostile_tasks(range(1000 + 500 * part, 1500 + 500 * part))


@pytest.fixture
def cloud():
    """Yield unordered queries, keys and values in one and two dimensions, including distant ones."""
    rng = np.random.default_rng(5)
    keys = np.append(rng.normal(size=(700, 2)), [[9.0, 9.0], [1e6, 0]], axis=0)
    queries = np.append(rng.normal(size=(80, 2)) * 2, [[30.0, -20.0], [1e7, 0], [-1e12, 1]], axis=0)
    return queries, keys, np.sin(3 * keys[:, 0]) + rng.normal(size=len(keys))


@pytest.mark.equation(
    "eq:nadaraya_watson", "eq:leave_one_out", "eq:corrected_aic", against="the formulas, in long double"
)
@pytest.mark.parametrize("way", [SUMS, GROUPS], ids=["sums", "groups"])
@pytest.mark.parametrize("kernel", ["gaussian", *(kernel.__name__ for kernel in POLYNOMIALS)])
@pytest.mark.parametrize("d", [1, 2])
def test_both_linear_time_algorithms_match_dense_formulas(cloud, d, kernel, way):
    queries, keys, values = cloud[0][:, :d], cloud[1][:, :d], cloud[2]
    freedom = np.trace(dense_regression_weights(keys, keys, 0.3, kernel))
    fit = np.log(np.mean((values - dense_regression(keys, keys, values, 0.3, kernel)) ** 2))
    with constants(**way):
        estimate = nadaraya_watson(queries, keys, values, 0.3, kernel)
        left_out = leave_one_out_estimates(keys, values, 0.3, kernel)
        score = corrected_aic(keys, values, 0.3, kernel)
    expected = dense_regression(queries, keys, values, 0.3, kernel)
    np.testing.assert_allclose(estimate, expected.astype(float), atol=1e-10)
    np.testing.assert_allclose(left_out, dense_leave_one_out(keys, values, 0.3, kernel).astype(float), atol=1e-10)
    assert score == pytest.approx(float(fit + (702 + freedom) / (700 - freedom)), rel=1e-9)


KEYS_ON_A_LINE = {
    "uniform": lambda rng: rng.uniform(size=900),
    "far from zero": lambda rng: 1e9 + rng.uniform(size=900),
    "isolated": lambda rng: np.append(rng.normal(size=898), [-60.0, 400.0]),
    "heavy tails": lambda rng: rng.standard_cauchy(900),
    "repeated": lambda rng: rng.integers(0, 40, 900) / 7,
    "all equal": lambda rng: np.full(900, 3.0),
}


@pytest.mark.equation("eq:leave_one_out_error", against="one bandwidth after the other, from all pairs")
@pytest.mark.parametrize("name", KEYS_ON_A_LINE)
def test_errors_of_many_bandwidths_equal_those_of_each(name, monkeypatch):
    monkeypatch.setattr(many_bandwidths, "FEW_KEYS", 0)
    rng = np.random.default_rng(8)
    keys = KEYS_ON_A_LINE[name](rng)
    values = np.stack([np.sin(5 * keys) + 0.1 * rng.normal(size=900), 1e6 + rng.normal(size=900)], axis=1)
    bandwidths = candidate_bandwidths(keys, 10)
    for of_values in (values, values[:, 0], np.full(900, 0.1)):
        with constants(**ALL_PAIRS):
            expected = [leave_one_out_error(keys, of_values, h) for h in bandwidths]
        errors = many_bandwidths.leave_one_out_errors(keys, of_values, bandwidths)
        np.testing.assert_allclose(errors, expected, rtol=1e-9, atol=1e-25)


@pytest.mark.equation("eq:local_linear", against="its definition, one query after the other")
@pytest.mark.parametrize("bandwidth", [0.02, 0.3, 3.0, 1e4])
@pytest.mark.parametrize("kernel", ["gaussian", *(kernel.__name__ for kernel in POLYNOMIALS)])
@pytest.mark.parametrize("d", [1, 2])
def test_local_linear_sums_match_definition(cloud, d, kernel, bandwidth):
    queries, keys, values = cloud[0][:, :d], cloud[1][:, :d], cloud[2]
    queries, keys = queries[np.abs(queries).max(axis=1) < 10], keys[:700]
    with constants(**ALL_PAIRS):
        expected = local_linear(queries, keys, values[:700], bandwidth, kernel)
    with constants(**SUMS):
        result = local_linear(queries, keys, values[:700], bandwidth, kernel)
    np.testing.assert_allclose(result, expected, rtol=1e-8, atol=1e-9)


def test_fast_sums_keep_constants_and_ignore_key_order(cloud):
    queries, keys, values = cloud
    order = np.random.default_rng(6).permutation(len(keys))
    with constants(**SUMS):
        np.testing.assert_allclose(nadaraya_watson(queries, keys, np.full(702, 0.1), 0.3), 0.1, rtol=1e-15)
        sorted_ones = nadaraya_watson(queries, keys, values, 0.3)
        shuffled = nadaraya_watson(queries, keys[order], values[order], 0.3)
    np.testing.assert_allclose(shuffled, sorted_ones, atol=1e-12)


def is_linear(n_queries, n_keys, d, bandwidth, kernel="gaussian"):
    rng, powers = np.random.default_rng(0), [(0,) * d]
    points = rng.uniform(size=(n_queries, d)), rng.uniform(size=(n_keys, d))
    return linear_time.linear_time_moments(*points, np.full(d, bandwidth), KERNELS[kernel], powers) is not None


def test_linear_time_is_chosen_when_faster():
    for bandwidth in (0.01, 0.1, 10.0, 1e3):
        assert is_linear(20_000, 20_000, 1, bandwidth)
    assert is_linear(20_000, 20_000, 2, 0.2) and is_linear(20_000, 20_000, 1, 0.1, "epanechnikov")
    assert not is_linear(100, 100, 1, 0.1) and not is_linear(20_000, 20_000, 1, 1e-7)
    assert not is_linear(5, 20_000, 2, 0.1) and not is_linear(20_000, 20_000, 2, 0.2, "epanechnikov")
    assert not any(is_linear(20_000, 20_000, 1, 0.1, kernel) for kernel in ("constant", "laplacian", "cauchy"))


MILLION = 10**6


MUCH = [pytest.param(*case, marks=pytest.mark.long) for case in (("epanechnikov", 1), ("gaussian", 2))]


@pytest.mark.parametrize("kernel, d", [("gaussian", 1), *MUCH])
def test_million_keys_need_little_memory(kernel, d):
    rng = np.random.default_rng(3)
    queries, keys, values = rng.normal(size=(MILLION, d)), rng.normal(size=(MILLION, d)), rng.normal(size=MILLION)
    assert peak_memory(lambda: nadaraya_watson(queries, keys, values, 0.3, kernel)) <= 108e6  # 8e6 for the result
