"""The unified kernel: the metric compared with loops, its special cases, and the four methods as double loops."""

from functools import partial

import numpy as np
import pytest

from lib import unified
from lib.kernels import KERNELS
from lib.metrics import mahalanobis_factors
from lib.unified import (
    POSITIVE_DEFINITE_KERNELS,
    attend,
    augment,
    block_metric,
    carry_norms,
    factor,
    log_bilinear_kernel,
    log_kernel,
    norm_carrying_metric,
)
from lib.weights import softmax
from tests.invalid_input import rejects
from tests.oracles import mirrored, peak_memory, window_by_loops


def example(n_queries=5, n_keys=7, d=3):
    """Queries, keys, a metric that is neither symmetric nor positive, and one such metric per key."""
    rng = np.random.default_rng(0)
    shapes = (n_queries, d), (n_keys, d), (d, d), (n_keys, d, d)
    return [rng.normal(size=shape) for shape in shapes]


def positive_metric(d=3):
    root = np.random.default_rng(0).normal(size=(d, d))
    return root @ root.T


def squared_mahalanobis_by_loops(queries, keys, metric):
    distances = np.empty((len(queries), len(keys)))
    for i, query in enumerate(queries):
        for j, key in enumerate(keys):
            difference = query - key
            distances[i, j] = difference @ (metric if metric.ndim == 2 else metric[j]) @ difference
    return distances


@pytest.mark.equation("eq:unified_kernel", against="a double loop, with and without an offset")
@pytest.mark.parametrize("which", [2, 3], ids=["one for all", "one per key"])
@pytest.mark.parametrize("offset, rounding", [(0, 1e-13), (-9.7, 1e-11), (2.0**20, 1e-8)])
def test_log_kernel_is_minus_the_distance(which, offset, rounding):
    queries, keys, *_ = arguments = example()
    expected = -squared_mahalanobis_by_loops(queries, keys, arguments[which])
    result = log_kernel(queries + offset, keys + offset, arguments[which])
    np.testing.assert_allclose(result, expected, rtol=0, atol=rounding)


@pytest.mark.equation("eq:mahalanobis_factors", against="a double loop")
@pytest.mark.parametrize("which, length", [(2, 5), (3, 13)])
def test_mahalanobis_factors_multiply_to_squared_distance(which, length):
    queries, keys, *_ = arguments = example()
    query_side, key_side = mahalanobis_factors(queries, keys, arguments[which])
    assert query_side.shape == (5, length) and key_side.shape == (7, length)
    expected = squared_mahalanobis_by_loops(queries, keys, arguments[which])
    np.testing.assert_allclose(query_side @ key_side.T, expected, atol=1e-12)


def test_memory_excludes_pairwise_differences():
    queries, keys, metric, _ = example(n_queries=307, n_keys=311, d=101)
    assert peak_memory(lambda: log_kernel(queries, keys, metric)) < 307 * 311 * 8 * 101 / 10


def test_augment_accepts_grids_and_numbers():
    positions, features = np.arange(14.0).reshape(7, 2), np.arange(21.0).reshape(7, 3)
    assert augment(positions.reshape(7, 1, 2), features.reshape(7, 1, 3)).shape == (7, 1, 5)
    assert augment(np.arange(7), np.arange(7)).shape == (7, 2)


@pytest.mark.equation("eq:block_metric", against="the sum over blocks, point by point")
def test_block_metric_is_sum_over_blocks():
    """tᵀQt = xᵀQ_x x + yᵀQ_y y + 2xᵀQ_xy y, the last only with off-diagonal blocks: step 1."""
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(7, 2)), rng.normal(size=(7, 3))
    q_x, q_y, q_xy = rng.normal(size=(2, 2)), rng.normal(size=(3, 3)), rng.normal(size=(2, 3))
    for metric, cross in [(block_metric(q_x, q_y), 0 * q_xy), (block_metric(q_x, q_y, q_xy), q_xy)]:
        for xi, yi, t in zip(x, y, augment(x, y), strict=True):
            np.testing.assert_allclose(t @ metric @ t, xi @ q_x @ xi + yi @ q_y @ yi + 2 * xi @ cross @ yi)
    np.testing.assert_array_equal(block_metric(q_x, q_y, 0 * q_xy), block_metric(q_x, q_y))


def test_blocks_may_differ_per_key():
    rng = np.random.default_rng(2)
    q_x, q_y = rng.normal(size=(5, 7, 2, 2)), rng.normal(size=(3, 3))
    metric = block_metric(q_x, q_y, np.zeros((2, 3)))
    assert metric.shape == (5, 7, 5, 5)
    np.testing.assert_array_equal(metric[3, 4], block_metric(q_x[3, 4], q_y))


@pytest.mark.equation(
    "eq:rkhs",
    against="the smallest eigenvalue, if it is negative",
    says="A symmetric kernel is an inner product of features if and only if it is positive semi-definite.",
    given={"floor": 0.0, "prior": 0.0},
    without={"symmetric": {"prior": 0.5}, "if and only if it is positive semi-definite": {"floor": 1.0}},
)
@pytest.mark.parametrize("name", POSITIVE_DEFINITE_KERNELS)
@pytest.mark.parametrize("d", [1, 5])
def test_step_1_kernels_are_positive_definite(name, d, floor, prior):
    """Above a noise floor of the mean squared distance they are not, and with a prior they are not symmetric."""
    points = np.random.default_rng(4).normal(size=(41, d))
    squares = -log_kernel(points, points, 3 * positive_metric(d))
    of_square = KERNELS[name](np.maximum(squares - floor * squares.mean(), 0))
    kernel = np.exp(of_square + prior * points[:, 0])
    least = np.linalg.eigvalsh((kernel + kernel.T) / 2).min()
    assert min(least, 0) == pytest.approx(0, abs=1e-10)
    values, vectors = np.linalg.eigh((kernel + kernel.T) / 2)
    features = vectors * np.sqrt(np.maximum(values, 0))  # Φ, one row a sample
    np.testing.assert_allclose(features @ features.T, kernel, atol=1e-10)


def test_log_kernel_matches_gaussian_laplacian_and_cauchy():
    queries, keys, *_ = example()
    metric = positive_metric()
    s = squared_mahalanobis_by_loops(queries, keys, metric)
    kernels = {"gaussian": np.exp(-s), "laplacian": np.exp(-np.sqrt(s)), "cauchy": 1 / (1 + s)}
    for name, expected in kernels.items():
        np.testing.assert_allclose(np.exp(log_kernel(queries, keys, metric, name)), expected, atol=1e-12)
    np.testing.assert_array_equal(log_kernel(queries, keys, metric, "gaussian"), log_kernel(queries, keys, metric))
    assert np.isfinite(log_kernel(queries, queries, metric, "laplacian")).all()


@pytest.mark.equation("eq:norm_carrying", against="a double loop, on random vectors")
def test_step_2_norm_features_linearise_the_gaussian():
    """t̃ᵢᵀMt̃ⱼ = −(tᵢ − tⱼ)ᵀQ(tᵢ − tⱼ) for any norms and any Q."""
    queries, keys, metric, _ = example()
    expected = -squared_mahalanobis_by_loops(queries, keys, metric)
    carried = carry_norms(queries, metric) @ norm_carrying_metric(metric) @ carry_norms(keys, metric).T
    np.testing.assert_allclose(carried, expected, atol=1e-12)


@pytest.mark.equation("eq:bilinear_kernel", against="the product of the two projections")
@pytest.mark.parametrize(
    "kind, metric",
    [
        ("any", example()[2]),
        ("positive", positive_metric()),
        ("norm-carrying", norm_carrying_metric(positive_metric(), [2.0])),
        ("zero", np.zeros((3, 3))),
    ],
)
def test_step_3_factor_reproduces_the_metric(kind, metric):
    query_map, key_map = factor(metric)
    np.testing.assert_allclose(query_map.T @ key_map, metric, atol=1e-13)
    if kind == "positive":
        np.testing.assert_allclose(query_map, key_map, atol=1e-12)
    if kind == "norm-carrying":  # requires W_q ≠ W_k
        opposite = np.allclose(query_map, -key_map, atol=1e-9) or np.allclose(query_map, key_map, atol=1e-9)
        assert not opposite


def test_step_3_low_rank_factor_is_optimal():
    metric = example(d=7)[2]
    for rank in (1, 4, 7):
        query_map, key_map = factor(metric, rank)
        assert query_map.shape == key_map.shape == (rank, 7)
        error = np.linalg.norm(metric - query_map.T @ key_map)
        np.testing.assert_allclose(error, np.linalg.norm(np.linalg.svd(metric)[1][rank:]), atol=1e-12)
    low = np.outer(np.arange(7.0), np.ones(7))
    assert factor(low)[0].shape == (1, 7)


@pytest.mark.equation("eq:bilinear_kernel", against="the Gaussian's weights")
def test_step_3_includes_gaussian_with_equal_norms():
    """For keys of equal tᵀQt, 2Q = W_qᵀW_k gives the Gaussian's weights; otherwise up to the prior exp(tᵀQt)."""
    queries, keys, *_ = example()
    metric = positive_metric()
    maps = factor(2 * metric)
    norms = np.einsum("nd,de,ne->n", keys, metric, keys)
    expected = softmax(log_kernel(queries, keys, metric))
    assert abs(softmax(log_bilinear_kernel(queries, keys, *maps)) - expected).max() > 0.1
    np.testing.assert_allclose(softmax(log_bilinear_kernel(queries, keys, *maps) - norms), expected, atol=1e-13)
    equal = keys / np.sqrt(norms)[:, None]
    expected = softmax(log_kernel(queries, equal, metric))
    np.testing.assert_allclose(softmax(log_bilinear_kernel(queries, equal, *maps)), expected, atol=1e-13)


@pytest.mark.equation(
    "eq:five_steps",
    against="both sums as written, and mapped values",
    says="Attention averages projected values, weighted by the exponential of a product of "
    "projected queries and keys.",
    given={"read": [0.0, 1.0], "function": np.exp, "score": np.dot},
    without={
        "projected values": {"read": [1.0, 1.0]},
        "the exponential": {"function": np.cosh},
        "a product": {"score": lambda query, key: -np.sum((query - key) ** 2) / 2},
    },
)
def test_step_4_includes_scalar_regression(read, function, score):
    """W_v = [0 1] reads y off t = [x; y]; any W_v commutes with the average."""
    rng = np.random.default_rng(6)
    tokens, maps = augment(rng.normal(size=7), rng.normal(size=7)), rng.normal(size=(2, 3, 2))
    kernel = function([[score(maps[0] @ query, maps[1] @ key) for key in tokens] for query in tokens])
    result = attend(tokens, tokens, *maps, value_map=[[0.0, 1.0]])
    np.testing.assert_allclose(result[:, 0], kernel @ (tokens @ read) / kernel.sum(axis=1), atol=1e-13)
    value_map = rng.normal(size=(5, 2))
    result = attend(tokens[:3], tokens, *maps, value_map)
    assert result.shape == (3, 5)
    np.testing.assert_allclose(result, attend(tokens[:3], tokens, *maps, np.eye(2)) @ value_map.T, atol=1e-13)


@pytest.fixture(params=[(7, 5), (5, 7, 3), (1, 3), (2, 11)], ids=str)
def image(request):
    return np.random.default_rng(8).random(request.param)


def test_off_diagonal_metric_matches_loops(image):
    """Off-diagonal blocks: a metric in which brightness can compensate for position."""
    channels = np.atleast_3d(image).shape[2]
    metric, prior = positive_metric(2 + channels), np.random.default_rng(11).normal(size=image.shape[:2])
    q_x, q_y, q_xy = metric[:2, :2], metric[2:, 2:], metric[:2, 2:]
    value, log_prior = mirrored(image), mirrored(prior)

    def log_weight(pixel, key, offset):
        t = np.array([*offset, *np.atleast_1d(value(*key) - value(*pixel))])
        return log_prior(*key) - np.sqrt(t @ metric @ t)

    kernel = unified.image_kernel(image, q_x, q_y, 2, cross_block=q_xy, log_prior=prior, kernel="laplacian")
    np.testing.assert_allclose(unified.smooth(kernel), window_by_loops(image, 2, log_weight), atol=1e-7)


@pytest.mark.parametrize("tile", [1, 3, 64])
def test_smoothing_by_tiles_equals_whole_image(monkeypatch, image, tile):
    kernel = unified.bilateral_kernel(image, 1.3, 0.4, 3)
    expected = unified.smooth(kernel)
    monkeypatch.setattr(unified.image_kernels, "TILE", tile)
    np.testing.assert_allclose(unified.smooth(kernel), expected, atol=1e-13)


PRESETS = {
    "classical": lambda image, h: unified.classical_kernel(image, h, 2),
    "bilateral, space": lambda image, h: unified.bilateral_kernel(image, h, 0.2, 2),
    "bilateral, value": lambda image, h: unified.bilateral_kernel(image, 2.0, h, 2),
    "nonlocal_means": lambda image, h: unified.nonlocal_means_kernel(image, h, np.ones((3, 3)), 2),
    "lark": lambda image, h: unified.steering_kernel(
        image, np.tile(np.diag([0.1, 10.0]), (*image.shape[:2], 1, 1)), h, 2
    ),
}


@pytest.mark.parametrize("preset", PRESETS.values(), ids=PRESETS.keys())
def test_extreme_bandwidths_return_pixel_or_have_no_effect(preset):
    """A tiny bandwidth gives the pixel itself, and a huge one has no effect."""
    image = np.random.default_rng(14).random((7, 5))
    np.testing.assert_allclose(unified.smooth(preset(image, 1e-300)), image, atol=1e-14)
    without_effect = unified.smooth(preset(image, 1e10))
    np.testing.assert_allclose(unified.smooth(preset(image, 1e300)), without_effect, atol=1e-14)


X, Y, FLAT = np.ones((3, 2)), np.ones((4, 2)), np.ones((3, 3))


test_invalid_input_is_rejected = rejects(
    ("features", lambda: augment(X, Y)),
    ("positions", lambda: augment(1.0, 2.0)),
    ("position_block", lambda: block_metric(np.ones((2, 3)), np.eye(2))),
    ("cross_block", lambda: block_metric(np.eye(2), np.eye(3), np.ones((3, 2)))),
    ("blocks", lambda: block_metric(np.ones((3, 2, 2)), np.ones((4, 1, 1)))),
    ("metric", lambda: log_kernel(X, Y, np.eye(3))),
    ("metric", lambda: log_kernel(X, Y, np.ones((3, 2, 2)))),
    ("kernel", lambda: log_kernel(X, Y, np.eye(2), "sinc")),
    ("metric", lambda: factor(np.ones((2, 3)))),
    ("rank", lambda: factor(np.eye(3), rank=4)),
    ("key_map", lambda: log_bilinear_kernel(X, Y, np.ones((5, 2)), np.ones((4, 2)))),
    ("query_map", lambda: log_bilinear_kernel(X, Y, np.ones((5, 3)), np.ones((5, 3)))),
    ("metrics", lambda: carry_norms(X, np.ones((1, 1, 2, 2)))),
    ("metrics", lambda: norm_carrying_metric(np.ones((2, 3)))),
    ("scales", lambda: norm_carrying_metric(np.eye(2), scales=[1.0, 2.0])),
    ("value_map", lambda: attend(X, Y, np.eye(2), np.eye(2), np.ones((1, 3)))),
    ("bandwidth", lambda: unified.classical_kernel(FLAT, 0.0, 1)),
    ("radius", lambda: unified.classical_kernel(FLAT, 1.0, -1)),
    ("patch_radius", lambda: unified.bilateral_kernel(FLAT, 1.0, 1.0, 1, patch_radius=-1)),
    ("patch_kernel", lambda: unified.nonlocal_means_kernel(FLAT, 1.0, np.ones((3, 5)), 1)),
    ("noise_std", lambda: unified.nonlocal_means_kernel(FLAT, 1.0, FLAT, 1, noise_std=-0.1)),
    *[("steering", partial(unified.steering_kernel, FLAT, C, 1.0, 1)) for C in (np.zeros((3, 3, 2, 2)), FLAT)],
    ("position_block", lambda: unified.steering_kernel(FLAT, np.tile(np.eye(2), (4, 3, 1, 1)), 1.0, 1)),
    ("feature_block", lambda: unified.image_kernel(FLAT, np.eye(2), np.eye(2), 1)),
    ("log_prior", lambda: unified.image_kernel(FLAT, np.eye(2), np.eye(1), 1, log_prior=np.ones((2, 3)))),
)
