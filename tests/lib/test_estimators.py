"""The scikit-learn estimator equals `lib.regression` and slow loops, and passes scikit-learn's own checks."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import TransformedTargetRegressor
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from lib import regression
from lib.engine import many_bandwidths
from lib.estimators import KernelRegression
from lib.kernels import KERNELS

MODELS = {
    "default": KernelRegression(),
    "aicc": KernelRegression(bandwidth="aicc"),
    "number": KernelRegression(bandwidth=0.5),
    "line": KernelRegression(bandwidth=0.5, degree=1),
}
SKIPPED = {"check_array_api_input"}  # lib computes with NumPy only


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize("name", MODELS)
def test_estimator_passes_checks_of_scikit_learn(name):
    results = check_estimator(MODELS[name])  # raises an error for a check that fails
    assert {result["check_name"] for result in results if result["status"] != "passed"} <= SKIPPED
    assert len(results) > 40


@pytest.fixture(params=[1, 2], ids=["line", "plane"])
def data(request):
    rng = np.random.default_rng(5)
    X = rng.uniform(0, 5, (60, request.param))
    return X, np.sin(X).sum(axis=1) + 0.2 * rng.normal(size=60)


QUERIES = np.random.default_rng(6).uniform(-0.5, 5.5, (20, 2))


@pytest.mark.parametrize("kernel", KERNELS)
def test_degree_zero_equals_nadaraya_watson(data, kernel):
    X, y = data
    queries = QUERIES[:, : X.shape[1]]
    model = KernelRegression(kernel, bandwidth=1.5).fit(X, y)
    expected = regression.nadaraya_watson(queries, X, y, 1.5, kernel)
    np.testing.assert_array_equal(model.predict(queries), expected)


def test_degree_one_equals_local_linear(data):
    X, y = data
    queries = QUERIES[:, : X.shape[1]]
    model = KernelRegression(bandwidth=[0.8, 1.5][: X.shape[1]], degree=1).fit(X, y)
    expected = regression.local_linear(queries, X, y, [0.8, 1.5][: X.shape[1]])
    np.testing.assert_array_equal(model.predict(queries), expected)


@pytest.mark.parametrize("degree", [0, 1])
def test_leave_one_out_equals_choose_bandwidth(data, degree):
    X, y = data
    expected = regression.choose_bandwidth(X, y, order=degree)
    np.testing.assert_array_equal(KernelRegression(degree=degree).fit(X, y).bandwidth_, expected)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_bandwidth_of_many_rows_equals_choose_bandwidth(dtype, monkeypatch):
    monkeypatch.setattr(many_bandwidths, "FEW_KEYS", 0)
    rng = np.random.default_rng(7)
    x = rng.normal(size=600).astype(dtype)
    y = (np.sin(3 * x) + 0.2 * rng.normal(size=600)).astype(dtype)
    assert KernelRegression().fit(x[:, None], y).bandwidth_ == regression.choose_bandwidth(x, y)


def test_aicc_equals_choose_bandwidth(data):
    X, y = data
    model = KernelRegression(bandwidth="aicc").fit(X, y)
    np.testing.assert_array_equal(model.bandwidth_, regression.choose_bandwidth(X, y, criterion="corrected_aic"))
    expected = regression.corrected_aic(X, y, model.bandwidth_)
    np.testing.assert_allclose(model._corrected_aic(), expected, rtol=1e-12)


def hat_matrix(model, queries):
    """The estimates of every unit vector: the weights by definition."""
    n = len(model.X_)
    unit = clone(model).set_params(bandwidth=model.bandwidth_)
    return unit.fit(model.X_, np.eye(n), sample_weight=model.sample_weight_).predict(queries)


@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
@pytest.mark.parametrize("degree", [0, 1])
@pytest.mark.parametrize("weighted", [False, True])
def test_std_follows_from_weights_and_residuals(data, kernel, degree, weighted):
    X, y = data
    counts = np.random.default_rng(1).integers(1, 4, len(X)).astype(float) if weighted else np.ones(len(X))
    model = KernelRegression(kernel, bandwidth=1.5 if kernel == "gaussian" else 3.0, degree=degree)
    model.fit(X, y, sample_weight=counts if weighted else None)
    hat = hat_matrix(model, X)
    residuals = y - hat @ y
    freedom = hat.trace()
    variance = counts @ residuals**2 / (counts.sum() - freedom)
    np.testing.assert_allclose(model.effective_degrees_of_freedom_, freedom, rtol=1e-9)
    np.testing.assert_allclose(model.residual_variance_, variance, rtol=1e-9)
    estimate, std = model.predict(X, return_std=True)
    np.testing.assert_allclose(estimate, hat @ y, rtol=1e-9)
    np.testing.assert_allclose(std, np.sqrt(variance * (hat**2 / counts).sum(axis=1)), rtol=1e-9)


@pytest.mark.parametrize("bandwidth", ["leave-one-out", 0.7])
@pytest.mark.parametrize("degree", [0, 1])
@pytest.mark.parametrize("kernel", ["gaussian", "epanechnikov"])
def test_sample_weight_counts_equal_rows(bandwidth, degree, kernel):
    rng = np.random.default_rng(2)
    X, counts = rng.uniform(0, 5, (40, 1)), rng.integers(0, 4, 40)
    y = np.sin(X[:, 0]) + 0.3 * rng.normal(size=40)
    counted = KernelRegression(kernel, bandwidth, degree).fit(X, y, sample_weight=counts)
    repeated = KernelRegression(kernel, bandwidth, degree).fit(X.repeat(counts, axis=0), y.repeat(counts))
    for name in ("_leave_one_out_error", "_corrected_aic"):
        np.testing.assert_allclose(getattr(counted, name)(), getattr(repeated, name)(), rtol=1e-7)
    inside = np.linspace(X[counts > 0].min(), X[counts > 0].max(), 30)[:, None]
    of_both = [np.array(model.predict(inside, return_std=True)) for model in (counted, repeated)]
    np.testing.assert_allclose(*of_both, rtol=1e-6)


def test_fractional_weights_leave_out_whole_rows():
    rng = np.random.default_rng(3)
    X, share = rng.uniform(0, 5, (30, 1)), rng.uniform(0.1, 1, 30)
    y = np.sin(X[:, 0])
    model = KernelRegression(bandwidth=0.6).fit(X, y, sample_weight=share)
    others = np.exp(-(((X - X.T) / 0.6) ** 2)) * share
    np.fill_diagonal(others, 0)
    expected = others @ y / others.sum(axis=1)
    np.testing.assert_allclose(model._leave_one_out_estimates(), expected, rtol=1e-10)


def test_predictions_stay_finite_far_from_weighted_rows():
    model = KernelRegression(bandwidth=0.01).fit([[0.0], [1.0], [2.0]], [1.0, 2.0, 3.0], sample_weight=[3, 2, 1])
    np.testing.assert_allclose(model.predict([[1000.0], [-50.0]]), [3, 1])
    np.testing.assert_allclose(model._leave_one_out_estimates(), [1, 2, 2])


def test_several_outputs_are_estimated_separately(data):
    X, y = data
    both = KernelRegression(bandwidth=0.7).fit(X, np.column_stack([y, y**2]))
    estimates, std = both.predict(X[:5], return_std=True)
    for column, values in enumerate((y, y**2)):
        alone = KernelRegression(bandwidth=0.7).fit(X, values).predict(X[:5], return_std=True)
        np.testing.assert_allclose([estimates[:, column], std[:, column]], alone)


def test_estimates_of_float32_are_float32():
    X = np.linspace(0, 1, 20, dtype=np.float32)[:, None]
    assert KernelRegression(bandwidth=0.1).fit(X, X[:, 0]).predict(X).dtype == np.float32


def test_estimator_works_in_pipelines_and_searches(data):
    X, y = data
    pipeline = make_pipeline(StandardScaler(), KernelRegression())
    grid = {"kernelregression__bandwidth": [0.1, 0.5, "leave-one-out"], "kernelregression__degree": [0, 1]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.5
    assert cross_val_score(TransformedTargetRegressor(KernelRegression()), X, y, cv=3).mean() > 0.5
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(again.predict(X), search.predict(X))


def test_estimator_rejects_other_feature_names():
    pandas = pytest.importorskip("pandas")
    X = pandas.DataFrame({"length": [0.0, 1.0, 2.0], "width": [1.0, 0.0, 2.0]})
    model = KernelRegression(bandwidth=1.0).fit(X, [0.0, 1.0, 2.0])
    assert model.feature_names_in_.tolist() == ["length", "width"]
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(X[["width", "length"]])


@pytest.mark.parametrize(
    "parameters, expected",
    [
        ({"bandwidth": 0}, "bandwidth: expected"),
        ({"bandwidth": "plugin"}, "bandwidth: expected .*leave-one-out.*got 'plugin'"),
        ({"bandwidth": [1.0, 2.0]}, "bandwidth: expected"),
        ({"kernel": "normal"}, "kernel: expected .*got 'normal'"),
        ({"degree": 2}, "degree: expected an integer from 0 to 1, got 2"),
    ],
)
def test_invalid_parameters_are_rejected_in_fit(parameters, expected):
    with pytest.raises(ValueError, match=expected):
        KernelRegression(**parameters).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])


def test_variance_is_rejected_when_fit_interpolates():
    model = KernelRegression(bandwidth=1e-6).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="fewer degrees of freedom than observations .*got 3 of 3"):
        model.predict([[0.5]], return_std=True)
    with pytest.raises(ValueError, match="X: expected data for which leave-one-out is defined"):
        KernelRegression("boxcar").fit([[0.0], [1.0]], [1.0, 2.0], sample_weight=[1, 0])


def test_candidates_span_spacing_to_twice_the_range():
    candidates = regression.candidate_bandwidths(np.linspace(3, 8, 400))
    assert candidates.shape == (50,)
    np.testing.assert_allclose(candidates[[0, -1]], [5 / 800, 10])
    flat = regression.candidate_bandwidths(np.column_stack([np.zeros(9), np.arange(9.0)]))
    assert (flat > 0).all() and flat.shape == (50, 2)
