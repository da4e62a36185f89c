"""Random features compared with their closed forms, slow loops from the papers, and exact attention."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.attention import attention, causal_mask
from lib.engine import linear_attention as engine
from lib.random_features import (
    balance,
    centre_keys,
    dense_exponential_frequencies,
    feature_average,
    fourier_features,
    hyperbolic_features,
    iid_frequencies,
    linear_attention,
    merge_sums,
    orthogonal_frequencies,
    pair_moment,
    positive_features,
    read_sums,
    simplex_frequencies,
    sum_keys,
    trigonometric_features,
)
from tests.invalid_input import rejects
from tests.oracles import peak_memory
from tests.standard_errors import assert_within

MAPS = {
    "positive": positive_features,
    "hyperbolic": hyperbolic_features,
    "trigonometric": trigonometric_features,
}
DRAWS = {"iid": iid_frequencies, "orthogonal": orthogonal_frequencies, "simplex": simplex_frequencies}
CASES = [*[(name, causal) for name in MAPS for causal in (False, True)], ("dense_exponential", False)]


def tokens(n_queries=11, n_keys=13, dimension=5, n_columns=3, scale=1.0):
    rng = np.random.default_rng(0)
    queries = scale * rng.normal(size=(n_queries, dimension))
    keys = scale * rng.normal(size=(n_keys, dimension))
    return queries, keys, rng.normal(size=(n_keys, n_columns))


FORMULAS = {  # h and f of section 2.3 and Lemma 1 of Choromanski et al. (2021)
    "trigonometric": (0.5, [math.cos, math.sin]),
    "positive": (-0.5, [math.exp]),
    "hyperbolic": (-0.5, [math.exp, lambda u: math.exp(-u)]),
}


def paper_features(feature_map, x, frequencies):
    """Compute one vector at a time, as in eq. (5) there."""
    h, functions = FORMULAS[feature_map]
    n_terms = len(frequencies) * (2 if feature_map == "hyperbolic" else 1)
    norm = math.exp(h * sum(v * v for v in x)) / math.sqrt(n_terms)
    return [norm * f(sum(a * b for a, b in zip(w, x, strict=True))) for f in functions for w in frequencies]


def paper_attention(queries, keys, values, frequencies, feature_map, causal=False):
    """Loop over queries and keys, without rearranging or stabilising anything."""
    root = queries.shape[-1] ** 0.25
    key_features = [paper_features(feature_map, k / root, frequencies) for k in keys]
    estimates = []
    for i, query in enumerate(queries):
        features = paper_features(feature_map, query / root, frequencies)
        seen = range(i + 1) if causal else range(len(keys))
        weights = [sum(a * b for a, b in zip(features, key_features[j], strict=True)) for j in seen]
        estimates.append(sum(w * values[j] for w, j in zip(weights, seen, strict=True)) / sum(weights))
    return np.array(estimates)


def kernel_estimates(feature_map, x, y, frequencies, n_features):
    """Return independent estimates of exp(x·y), each from the next n_features frequencies."""
    one_feature = MAPS[feature_map]([x, y], frequencies) * math.sqrt(len(frequencies))
    products = one_feature[0] * one_feature[1]
    per_frequency = products.reshape(-1, len(frequencies)).sum(axis=0)
    return per_frequency.reshape(-1, n_features).mean(axis=1)


def mean_and_error(samples):
    return samples.mean(), samples.std(ddof=1) / math.sqrt(len(samples))


@pytest.mark.parametrize("draw", DRAWS.values())
@pytest.mark.parametrize("n_features", [1, 5, 7, 23])
def test_frequencies_have_requested_shape_and_follow_rng(draw, n_features):
    frequencies = draw(n_features, 7, rng=np.random.default_rng(3))
    assert frequencies.shape == (n_features, 7)
    assert np.array_equal(frequencies, draw(n_features, 7, rng=3))
    assert not np.isclose(frequencies, draw(n_features, 7, rng=4)).any()
    assert draw(n_features, 7).shape == (n_features, 7)


def test_simplex_directions_have_equal_angles():
    frequencies = simplex_frequencies(7, 7, rng=0)
    directions = frequencies / np.linalg.norm(frequencies, axis=1, keepdims=True)
    cosines = (directions @ directions.T)[~np.eye(7, dtype=bool)]
    assert cosines == pytest.approx(-1 / 6, abs=1e-12)


@pytest.mark.equation("eq:trig_features", against="the formula, entry by entry")
@pytest.mark.equation("eq:positive_features", against="the formula, entry by entry")
@pytest.mark.equation("eq:hyperbolic_features", against="the formula, entry by entry")
@pytest.mark.parametrize("feature_map", MAPS)
def test_feature_maps_match_paper(feature_map):
    x, _, _ = tokens(dimension=5)
    frequencies = iid_frequencies(7, 5, rng=1)
    expected = [paper_features(feature_map, row, frequencies) for row in x]
    assert MAPS[feature_map](x, frequencies) == pytest.approx(np.array(expected), rel=1e-12)
    assert MAPS[feature_map](x[2], frequencies) == pytest.approx(np.array(expected[2]), rel=1e-12)
    batch = np.stack([x, 2 * x])
    assert np.array_equal(MAPS[feature_map](batch, frequencies)[0], MAPS[feature_map](x, frequencies))


@pytest.mark.parametrize("coupling", DRAWS)
@pytest.mark.parametrize("feature_map", MAPS)
def test_kernel_estimates_are_unbiased_in_every_direction(feature_map, coupling):
    """Pairs with q = k reveal preferred directions most clearly."""
    frequencies = DRAWS[coupling](4 * 30_000, 4, rng=6)
    random = np.random.default_rng(5).normal(size=(4, 4))
    for direction in [*np.eye(4), *(random / np.linalg.norm(random, axis=1, keepdims=True))]:
        for x, y in [(0.7 * direction, 0.7 * direction), (0.9 * direction, -0.4 * direction[::-1])]:
            exact = math.exp(x @ y)
            mean, error = mean_and_error(kernel_estimates(feature_map, x, y, frequencies, 4))
            assert_within(mean, exact, error)  # trigonometric features are exact for q = k
            assert error < 0.01 * exact  # otherwise the line above could not fail


@pytest.mark.equation("eq:orthogonal", against="right angles, χ² lengths, and the kernel along each axis")
def test_orthogonal_frequencies_are_isotropic():
    """The kernel is checked along the axes, where QR routines leave artefacts."""
    frequencies = orthogonal_frequencies(4 * 30_000, 4, rng=6)
    each_block = frequencies.reshape(-1, 4, 4)
    products = each_block @ each_block.mT
    squares = np.einsum("bll->bl", products)
    np.testing.assert_allclose(products - squares[:, :, None] * np.eye(4), 0, atol=1e-12)
    assert_within(squares.mean(), 4, squares.std() / math.sqrt(squares.size))
    second = squares**2  # E χ⁴ = d (d + 2)
    assert_within(second.mean(), 24, second.std() / math.sqrt(second.size))
    for x in 0.7 * np.eye(4):
        mean, error = mean_and_error(kernel_estimates("positive", x, x, frequencies, 4))
        assert_within(mean, math.exp(0.49), error)


PAIRS = [  # chosen to keep the fourth moments small, which determine the error of a sample variance
    ([0.4, -0.3, 0.2], [0.3, 0.1, -0.2]),
    ([0.5, 0.0, 0.1], [0.4, 0.2, 0.0]),
    ([0.6, 0.1, -0.3], [-0.4, 0.2, 0.5]),
]


@pytest.mark.equation(
    "eq:orthogonal_gap",
    against="a closed form, and the variance of 60 000 estimates",
    says="For positive features, q ≠ −k and two to d frequencies, orthogonal ones have a smaller error than "
    "independent ones.",
    given={"moved": lambda x, y: np.array(y)},
    without={"q ≠ −k": {"moved": lambda x, y: -np.array(x)}},
)
@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_orthogonal_frequencies_reduce_variance(x, y, moved):
    """Theorem 2, eq. (10), of Choromanski et al. (2021) in the arXiv version, for positive features.

    The sum of two orthogonal frequencies has a uniform direction and a squared length χ² with 2d degrees, so
    E exp((ω₁ + ω₂)·z) is Kummer's function M(d, d/2, ‖z‖²/2), here with d = 3 and as many features.
    """
    x, y = np.array(x), moved(x, y)
    z_squared = (x + y) @ (x + y)
    terms = [1.0]
    for k in range(60):
        terms.append(terms[-1] * (3 + k) / (1.5 + k) * (z_squared / 2) / (k + 1))
    gap = (1 - 1 / 3) * math.exp(-x @ x - y @ y) * (math.exp(z_squared) - sum(terms))
    bound = 2 * 2 / (3 * 5) * (math.exp(x @ y) - math.exp(-(x @ x + y @ y) / 2)) ** 2
    assert 0 < bound <= gap < (1 - 1 / 3) * math.exp(2 * x @ y)
    samples = kernel_estimates("positive", x, y, orthogonal_frequencies(3 * 60_000, 3, rng=8), 3)
    variance, error = mean_and_error((samples - samples.mean()) ** 2)
    assert_within(variance, math.exp(2 * x @ y) * (math.exp(z_squared) - 1) / 3 - gap, error)


MEANS = [(query, key) for query in (-0.8, 0.3) for key in (-0.5, 0.5)]  # both signs


@pytest.mark.equation("eq:key_centring", against="exact attention before and after")
@pytest.mark.parametrize(("query_mean", "key_mean"), MEANS)
def test_centring_the_keys_leaves_softmax_attention_unchanged(query_mean, key_mean):
    queries, keys, values = tokens(n_queries=13)
    queries, keys = queries + query_mean, keys + key_mean
    assert centre_keys(keys).mean(axis=0) == pytest.approx(0, abs=1e-14)
    for mask in (None, causal_mask(13)):
        expected = attention(queries, keys, values, mask=mask)
        for moved in (centre_keys(keys), centre_keys(keys, queries=queries)):
            assert attention(queries, moved, values, mask=mask) == pytest.approx(expected, rel=1e-9)


@pytest.mark.equation("eq:best_centre", against="the mean over all pairs, for centres in all directions")
@pytest.mark.parametrize(("query_mean", "key_mean"), MEANS)
def test_sum_of_means_is_the_best_centre(query_mean, key_mean):
    """A step in any direction increases the mean ‖q + k − c‖² by its squared length."""
    queries, keys, _ = tokens(n_queries=7, dimension=3)
    queries, keys = queries + query_mean, keys + key_mean
    centred = centre_keys(keys, queries=queries)
    mean_square_sum = lambda queries, keys: np.mean([(q + k) @ (q + k) for q in queries for k in keys])
    np.testing.assert_allclose(keys - centred, np.tile(keys.mean(axis=0) + queries.mean(axis=0), (13, 1)))
    best = mean_square_sum(queries, centred)
    for step in np.concatenate([np.eye(3), -np.eye(3)]) * 0.1:
        assert mean_square_sum(queries, centred - step) == pytest.approx(best + 0.01, rel=1e-12)
    assert best < mean_square_sum(queries, centre_keys(keys))  # the keys' own mean is not optimal


@pytest.mark.parametrize("about_means", [False, True])
def test_balancing_preserves_inner_products(about_means):
    rng = np.random.default_rng(0)
    queries = rng.normal(size=(2, 1, 31, 5)) * np.linspace(3, 0.1, 5) + 0.7
    turn = np.linalg.qr(rng.normal(size=(5, 5)))[0]
    keys = rng.normal(size=(3, 37, 5)) * np.linspace(0.2, 2, 5) @ turn - 0.4
    balanced_queries, balanced_keys = balance(queries, keys, about_means=about_means)
    assert balanced_queries.shape == (2, 3, 31, 5) and balanced_keys.shape == (2, 3, 37, 5)
    assert balanced_queries @ balanced_keys.mT == pytest.approx(queries @ keys.mT, abs=1e-9)
    centred = [x - about_means * x.mean(axis=-2, keepdims=True) for x in (balanced_queries, balanced_keys)]
    moments = [x.mT @ x / x.shape[-2] for x in centred]
    assert moments[0] == pytest.approx(moments[1], rel=1e-3, abs=2e-3)


def test_means_of_many_tokens_are_accurate_in_single_precision():
    """NumPy adds sequentially along this axis, which would lose the small numbers in float32."""
    keys = np.full((10**6, 2), 5.9e-8, np.float32)
    keys[0] = 1
    for queries, centre in [(None, 1), (keys, 2)]:
        centred = centre_keys(keys, queries=queries)
        assert centred.dtype == np.float32
        np.testing.assert_allclose(keys[1] - centred[1], centre * keys.mean(axis=0, dtype=float), rtol=1e-4)


@pytest.mark.parametrize("factor", [0.0, 1e-6, 1e6])
def test_balancing_survives_degenerate_queries(factor):
    _, keys, _ = tokens()
    queries = factor * np.ones((3, 5))
    balanced_queries, balanced_keys = balance(queries, keys)
    assert balanced_queries @ balanced_keys.T == pytest.approx(queries @ keys.T, rel=1e-6)


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(engine, "BLOCK", 4)
    monkeypatch.setattr(engine, "CAUSAL_BLOCK", 4)


@pytest.mark.equation("eq:linear_attention", against="the formula, by loops over queries and keys")
@pytest.mark.equation("eq:causal_prefix", against="a slow loop over earlier keys")
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("feature_map", MAPS)
def test_linear_attention_matches_paper(feature_map, causal, small_blocks):
    queries, keys, values = tokens(n_queries=13 if causal else 11)
    frequencies = orthogonal_frequencies(7, 5, rng=1)
    expected = paper_attention(queries, keys, values, frequencies, feature_map, causal)
    options = {"feature_map": feature_map, "frequencies": frequencies, "causal": causal}
    assert linear_attention(queries, keys, values, **options) == pytest.approx(expected, rel=1e-9, abs=1e-12)
    if not causal:
        features = [MAPS[feature_map](x / 5**0.25, frequencies) for x in (queries, keys)]
        assert feature_average(*features, values) == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_dense_exponential_attention_matches_paper(small_blocks):
    """f(ω, x) = D exp(ωᵀAω + ωᵀBx − ‖x‖²/2), A diagonal, B = (I − 4A)^½ Uᵀ, D = det(I − 4A)^¼."""
    queries, keys, values = tokens()
    frequencies = orthogonal_frequencies(7, 5, rng=1)
    scaled = [x / 5**0.25 for x in (queries, keys)]
    lam, axes = np.linalg.eigh(np.mean([np.outer(q + k, q + k) for q in scaled[0] for k in scaled[1]], axis=0))
    a = (1 - 2 * lam - np.sqrt((2 * lam + 1) ** 2 + 8 * lam)) / 16
    b = np.diag(np.sqrt(1 - 4 * a)) @ axes.T
    feature = lambda w, v: np.prod(1 - 4 * a) ** 0.25 * np.exp(w @ (a * w) + w @ b @ v - v @ v / 2)
    features = [[[feature(w, v) for w in frequencies] for v in x] for x in scaled]
    weights = np.array(features[0]) @ np.array(features[1]).T
    expected = weights @ values / weights.sum(axis=1, keepdims=True)
    options = {"feature_map": "dense_exponential", "frequencies": frequencies}
    assert linear_attention(queries, keys, values, **options) == pytest.approx(expected, rel=1e-9)
    huge = 1e78 * np.eye(2)
    assert np.isfinite(linear_attention(huge, huge, np.eye(2), feature_map="dense_exponential", rng=0)).all()


@pytest.mark.equation("eq:causal_prefix", against="the lower triangle of all weights")
@pytest.mark.parametrize("n", [5, 300])
def test_causal_feature_average_is_the_lower_triangle(n):
    rng = np.random.default_rng(12)
    query_features, key_features, values = rng.random((2, n, 7)), rng.random((n, 7)), rng.normal(size=(2, n, 3))
    weights = np.tril(query_features @ key_features.T)
    expected = weights / weights.sum(axis=-1, keepdims=True) @ values
    np.testing.assert_allclose(
        feature_average(query_features, key_features, values, causal=True), expected, rtol=0, atol=1e-12
    )


@pytest.mark.parametrize("feature_map, causal", [case for case in CASES if case[0] != "dense_exponential"])
def test_masked_key_has_no_influence(feature_map, causal, small_blocks):
    """Padding of two sequences: each equals the result of its own keys, whatever the padding contains."""
    queries, keys, values = tokens(n_queries=13)
    queries, keys, lengths = np.stack([queries, 2 * queries]), np.stack([keys, -keys]), (9, 13)
    key_mask = np.arange(13) < np.array(lengths)[:, None]
    keys[0, 9:], options = 1e3, {"feature_map": feature_map, "frequencies": iid_frequencies(20, 5, rng=1)}
    result = linear_attention(queries, keys, values, key_mask=key_mask, causal=causal, **options)
    for i, n in enumerate(lengths):
        n_queries = n if causal else 13
        alone = queries[i, :n_queries], keys[i, :n], values[:n]
        expected = linear_attention(*alone, causal=causal, **options)
        np.testing.assert_allclose(result[i, :n_queries], expected, rtol=1e-9, atol=1e-12)
    key_mask[1] = False
    result = linear_attention(queries, keys, values, key_mask=key_mask, **options)
    assert np.isnan(result[1]).all() and not np.isnan(result[0]).any()


def test_key_mask_broadcasts_over_a_batch():
    tokens, seen = np.random.default_rng(2).normal(size=(2, 3, 4)), np.array([True, True, False])
    options = {"frequencies": np.random.default_rng(3).normal(size=(8, 4))}
    expected = linear_attention(tokens, tokens[:, :2], tokens[:, :2], **options)
    np.testing.assert_allclose(linear_attention(tokens, tokens, tokens, key_mask=seen, **options), expected)


def test_partial_sums_merge_in_any_order():
    queries, keys, values = tokens(n_keys=29, scale=2)
    frequencies = orthogonal_frequencies(7, 5, rng=1)
    whole = read_sums(queries, sum_keys(keys, values, frequencies), frequencies)
    parts = [sum_keys(keys[rows], values[rows], frequencies) for rows in np.split(np.arange(29), [3, 4, 17])]
    merged = merge_sums(merge_sums(parts[3], parts[0]), merge_sums(parts[2], parts[1]))
    assert read_sums(queries, merged, frequencies) == pytest.approx(whole, rel=1e-12)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_leading_axes_broadcast_as_in_matmul(data):
    batch = data.draw(st.lists(st.integers(1, 3), max_size=3))
    shapes = [[data.draw(st.sampled_from([1, size])) for size in batch] for _ in range(3)]
    shapes = [shape[data.draw(st.integers(0, len(shape))) :] for shape in shapes]
    causal = data.draw(st.booleans())
    feature_map = data.draw(st.sampled_from(list(MAPS) if causal else [*MAPS, "dense_exponential"]))
    rng = np.random.default_rng(0)
    queries = rng.normal(size=(*shapes[0], 7 if causal else 5, 3))
    keys, values = rng.normal(size=(*shapes[1], 7, 3)), rng.normal(size=(*shapes[2], 7, 2))
    options = {"feature_map": feature_map, "causal": causal, "frequencies": orthogonal_frequencies(6, 3, rng=rng)}
    estimate = linear_attention(queries, keys, values, **options)
    leading = np.broadcast_shapes(*map(tuple, shapes))
    assert estimate.shape == (*leading, queries.shape[-2], 2)
    wide = [np.broadcast_to(x, (*leading, *x.shape[-2:])) for x in (queries, keys, values)]
    for index in np.ndindex(leading):
        single = linear_attention(*(x[index] for x in wide), **options)
        assert estimate[index] == pytest.approx(single, rel=1e-9, abs=1e-9)


def test_draws_follow_rng_and_coupling():
    queries, keys, values = tokens()
    for orthogonal, draw in [(True, orthogonal_frequencies), (False, iid_frequencies)]:
        options = {"n_features": 11, "orthogonal": orthogonal}
        drawn = linear_attention(queries, keys, values, rng=np.random.default_rng(5), **options)
        frequencies = draw(11, 5, rng=np.random.default_rng(5))
        given_ones = linear_attention(queries, keys, values, frequencies=frequencies, n_features=3)
        assert np.array_equal(drawn, given_ones)
        assert not np.isclose(drawn, linear_attention(queries, keys, values, rng=6, **options)).any()
        assert linear_attention(queries, keys, values, **options).shape == drawn.shape


def test_trigonometric_weights_can_sum_to_zero():
    """cos 0 + cos π: no estimate exists, and NumPy warns."""
    arrays = [[0.0, 0.0]], [[0.0, 1.0], [1.0, 0.0]], [[2.0], [3.0]]
    options = {"feature_map": "trigonometric", "frequencies": [[np.pi, 0.0]], "temperature": 1}
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        estimate = linear_attention(*arrays, **options)
    assert not np.isfinite(estimate).any()


def logarithmic_attention(queries, keys, values, frequencies, causal):
    """Compute positive features in the log domain, one query at a time, which cannot overflow or underflow."""
    log_queries = queries @ frequencies.T
    log_keys = keys @ frequencies.T - (keys**2).sum(axis=1, keepdims=True) / 2
    estimates = []
    for i, log_query in enumerate(log_queries):
        terms = log_query + log_keys[: i + 1 if causal else None]
        weights = np.exp(terms - terms.max()).sum(axis=1)
        estimates.append(weights @ values[: len(weights)] / weights.sum())
    return np.array(estimates)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("norm", [10.0, 1e3, 1e6])
def test_large_norms_match_log_domain(norm, causal):
    queries, keys, values = tokens(n_queries=151, n_keys=151)
    queries, keys = (norm * x / np.linalg.norm(x, axis=1, keepdims=True) for x in (queries, keys))
    keys *= np.linspace(0.5, 1.5, 151)[::-1, None]  # later keys weigh more, the hard case if causal
    frequencies = iid_frequencies(7, 5, rng=0)
    estimate = linear_attention(queries, keys, values, causal=causal, temperature=1, frequencies=frequencies)
    expected = logarithmic_attention(queries, keys, values, frequencies, causal)
    assert estimate == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(("feature_map", "causal"), CASES)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("norm", [1e3, 1e7])
def test_large_norms_stay_finite(feature_map, dtype, causal, norm):
    queries, keys, values = (x.astype(dtype) for x in tokens(n_queries=151, n_keys=151))
    queries, keys = (norm * x / np.linalg.norm(x, axis=1, keepdims=True) for x in (queries, keys))
    estimate = linear_attention(queries, keys, values, feature_map=feature_map, causal=causal, rng=0)
    assert estimate.dtype == dtype and np.isfinite(estimate).all()
    if feature_map != "trigonometric":
        slack = 1e-5
        assert (estimate >= values.min(axis=0) - slack).all() and (estimate <= values.max(axis=0) + slack).all()


@pytest.mark.parametrize("feature_map", ["positive", "trigonometric"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_huge_later_key_keeps_earlier_estimates(feature_map, dtype):
    """The key with all the weight is last; the queries before it must not divide 0 by 0."""
    queries, keys, values = (x.astype(dtype) for x in tokens(n_queries=11, n_keys=11, dimension=2))
    frequencies = iid_frequencies(5, 2, rng=0)
    options = {"feature_map": feature_map, "frequencies": frequencies, "causal": True}
    expected = linear_attention(queries[:10], keys[:10], values[:10], **options)
    keys[10] = 60 * frequencies[0]
    assert linear_attention(queries, keys, values, **options)[:10] == pytest.approx(expected, rel=1e-3)


def test_causal_float32_is_accurate():
    arrays = tokens(n_queries=1013, n_keys=1013, dimension=16)
    singles = [x.astype(np.float32) for x in arrays]
    options = {"causal": True, "frequencies": orthogonal_frequencies(64, 16, rng=0)}
    double, single = linear_attention(*arrays, **options), linear_attention(*singles, **options)
    assert single.dtype == np.float32 and np.abs(single - double).max() < 2e-5
    for feature_map in [*MAPS.values(), lambda x, w: fourier_features(x, w, 1.5)]:
        assert feature_map(singles[0], options["frequencies"]).dtype == np.float32


@pytest.mark.parametrize("causal", [False, True])
def test_memory_of_linear_attention_is_linear_in_tokens(causal):
    """Twice the tokens take at most twice the memory, and far less than a matrix of weights."""
    peaks = []
    for n in (4096, 8192):
        queries, keys, values = (x.astype(np.float32) for x in tokens(n, n, 16, 16))
        frequencies = orthogonal_frequencies(64, 16, rng=0)
        attend = partial(linear_attention, queries, keys, values, causal=causal, frequencies=frequencies)
        peaks.append(peak_memory(attend))
    assert peaks[1] < 2.1 * peaks[0] and peaks[1] < 8192**2 * 4 / 50


ONES = np.ones((3, 2), np.float32)


def attend(n_queries=3, n_keys=5, **change):
    arguments = {"queries": np.ones((n_queries, 2)), "keys": np.ones((n_keys, 2)), "values": np.ones((n_keys, 1))}
    return linear_attention(**(arguments | change))


test_invalid_input_is_rejected = rejects(
    ("queries", lambda: attend(queries=np.ones(2))),
    ("keys and values", lambda: attend(values=np.ones(4))),
    ("values", lambda: attend(queries=np.ones((2, 3, 2)), keys=np.ones((3, 5, 2)))),
    ("n_features", lambda: attend(n_features=0)),
    ("temperature", lambda: attend(keys=ONES, queries=ONES, values=ONES, temperature=1e-80)),
    ("feature_map", lambda: attend(feature_map="relu")),
    ("feature_map", lambda: attend(n_queries=5, causal=True, feature_map="dense_exponential")),
    ("frequencies", lambda: attend(frequencies=np.ones((7, 3)))),
    ("key_mask", lambda: attend(key_mask=np.ones(5))),
    ("key_mask", lambda: attend(key_mask=np.ones(4, bool))),
    ("key_mask", lambda: attend(key_mask=np.ones((2, 5), bool))),
    ("feature_map", lambda: attend(key_mask=np.ones(5, bool), feature_map="dense_exponential")),
    ("queries and keys", lambda: attend(causal=True)),
    ("n_features", lambda: iid_frequencies(0, 3)),
    ("dimension", lambda: orthogonal_frequencies(3, 1.5)),
    ("dimension", lambda: simplex_frequencies(3, 1)),
    ("frequencies", lambda: positive_features(np.ones((3, 2)), np.ones((4, 3)))),
    ("bandwidth", lambda: fourier_features(np.ones((3, 2)), np.ones((4, 2)), bandwidth=0)),
    ("keys", lambda: centre_keys(np.ones(3))),
    ("key_features and values", lambda: feature_average(np.ones((3, 2)), np.ones((4, 2)), np.ones((5, 1)))),
    ("queries and keys", lambda: balance(np.ones((3, 2)), np.ones((3, 4)))),
    ("queries and keys", lambda: pair_moment(np.ones((3, 2)), np.ones((3, 4)))),
    ("frequencies and moment", lambda: dense_exponential_frequencies(np.ones((3, 2)), np.eye(3))),
)


def test_keys_with_overflowing_norm_are_rejected():
    with pytest.raises(
        ValueError, match="^queries and keys over √temperature: expected squared norms in float64, got"
    ):
        attend(keys=np.full((5, 2), 1e200))
