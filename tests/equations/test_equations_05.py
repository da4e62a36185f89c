"""The labelled equations of chapter 5: the table of methods, steps to attention, the matrix of all weights."""

import numpy as np
import pytest

from lib import filters, unified
from lib.filters import patch_kernel, steering_matrices
from lib.images import add_noise, camera
from lib.unified import augment, block_metric, log_bilinear_kernel, log_kernel
from lib.weights import average, softmax
from tests.oracles import mirrored
from tests.standard_errors import assert_within


@pytest.fixture(scope="module")
def piece():
    return add_noise(camera()[8:21, 42:53], 0.1, rng=np.random.default_rng(0))  # prime sides: 13 × 11


@pytest.fixture(scope="module")
def clean():
    return camera()[8:21, 42:53].ravel()


METRIC = block_metric(np.eye(2) / 2**2, [[1 / 0.35**2]])


def tokens_of(values):
    """Positions and values of the 13 × 11 pixels."""
    return augment(np.argwhere(np.ones((13, 11))).astype(float), values)


@pytest.fixture(scope="module")
def tokens(piece):
    return tokens_of(piece.ravel())


def kernel_of(tokens):
    return np.exp(log_kernel(tokens, tokens, METRIC))


@pytest.fixture(scope="module")
def kernel(tokens):
    return kernel_of(tokens)


def by_rows(kernel):
    return kernel / kernel.sum(axis=1, keepdims=True)


def balanced(kernel):
    r = np.ones(len(kernel))
    for _ in range(100):
        r = np.sqrt(r / (kernel @ r))
    return r[:, None] * kernel * r


def larger_below(kernel):
    """The kernel, no longer symmetric: a query has more similar keys below it."""
    return kernel * np.where(np.tri(len(kernel)), 3, 1)


def box(kernel):
    """The mean of a pixel and its two neighbours in a row."""
    return sum(np.roll(np.eye(len(kernel)), shift, axis=1) for shift in (-1, 0, 1))


# The table of methods


def rows_of_the_table(piece):
    """Q_x, Q_y of 3 × 3 pixels, the noise floor, the prior, and the filter of a chapter."""
    C, h = steering_matrices(piece), 2.4
    none, centre, G = np.zeros(9), 1.0 * (np.arange(9) == 4), patch_kernel(1).ravel()
    return [
        (np.eye(2) / 1.1**2, none, 0, 1, filters.bilateral(piece, 1.1, 1e6, radius=3)),
        (np.eye(2) / 1.7**2, centre / 0.3**2, 0, 1, filters.bilateral(piece, 1.7, 0.3, radius=3)),
        (0 * np.eye(2), G / 0.1**2, 0.5, 1, filters.nonlocal_means(piece, 0.1, 1, 3, noise_std=0.05)),
        (C / (2 * h**2), none, 0, np.sqrt(np.linalg.det(C)), filters.lark(piece, h, radius=3)),
    ]


@pytest.mark.equation(
    "eq:unified_kernel",
    against="the filters of chapters 1 to 4",
    says="Up to a window, a floor and a prior, each of the four methods is defined by the matrix of a distance "
    "between vectors of position and features.",
    given={"dropped": "nothing"},
    without={
        "a window": {"dropped": "window"},
        "a floor": {"dropped": "function"},
        "a prior": {"dropped": "prior"},
        "and features": {"dropped": "features"},
    },
)
@pytest.mark.equation(
    "eq:unified_estimate",
    against="the filters of chapters 1 to 4",
    says="Each of the four methods is a choice of two matrix blocks, one function of the distance, and a prior.",
    without={
        "two matrix blocks": {"dropped": "features"},
        "one function of the distance": {"dropped": "function"},
        "and a prior": {"dropped": "prior"},
    },
)
def test_four_filters_are_rows_of_the_table(piece, dropped):
    """Position and 3 × 3 pixels of each key in the window, under the metric of the key."""
    radius, value = 5 if dropped == "window" else 3, mirrored(piece)
    y_of = lambda key: [value(*key + d) for d in np.argwhere(np.ones((3, 3))) - 1]
    for Q_x, Q_y, floor, prior, expected in rows_of_the_table(piece):
        Q_x, prior = np.broadcast_to(Q_x, (13, 11, 2, 2)), np.broadcast_to(prior, (13, 11))
        for query in np.array([(0, 0), (6, 5), (12, 10)]):
            keys = query + np.argwhere(np.ones(2 * (2 * radius + 1,))) - radius
            t_i, t_j = (augment(x, [y_of(key) for key in x]) for x in (query[None], keys))
            metrics = [block_metric(mirrored(Q_x)(*key), np.diag(Q_y) * (dropped != "features")) for key in keys]
            psi = np.maximum(-log_kernel(t_i, t_j, np.array(metrics)) - floor * (dropped != "function"), 0)
            pi = [mirrored(prior)(*key) for key in keys] if dropped != "prior" else np.ones(len(keys))
            estimate = average(softmax(np.log(pi) - psi), np.array([value(*key) for key in keys]))
            np.testing.assert_allclose(estimate, expected[tuple(query)], rtol=1e-9)


@pytest.mark.equation(
    "eq:unified_estimate",
    against="the filters of chapters 1 to 4",
    says="With the matrices, functions and priors of the table, one program gives the results of "
    "all four filters.",
    given={"dropped": "nothing"},
    without={
        "the matrices": {"dropped": "matrices"},
        "functions": {"dropped": "functions"},
        "and priors": {"dropped": "priors"},
    },
)
def test_program_of_chapter_equals_the_four_filters(piece, dropped):
    metrics = steering_matrices(piece) if dropped != "matrices" else np.tile(np.eye(2), (13, 11, 1, 1))
    steered = unified.steering_kernel(piece, metrics, 2.4, radius=3)
    steered = steered._replace(log_prior=steered.log_prior * (dropped != "priors"))
    noise_std = 0.05 * (dropped != "functions")
    rows = [
        (unified.classical_kernel(piece, 1.1, radius=3), filters.bilateral(piece, 1.1, 1e6, radius=3)),
        (unified.bilateral_kernel(piece, 1.7, 0.3, radius=3), filters.bilateral(piece, 1.7, 0.3, radius=3)),
        (
            unified.nonlocal_means_kernel(piece, 0.1, patch_kernel(1), 3, noise_std=noise_std),
            filters.nonlocal_means(piece, 0.1, 1, 3, noise_std=0.05),
        ),
        (steered, filters.lark(piece, 2.4, radius=3)),
    ]
    for kernel, expected in rows:
        np.testing.assert_allclose(unified.smooth(kernel), expected, atol=1e-9)


# Steps to attention


@pytest.mark.equation("eq:symmetric_part", against="random matrices, term by term")
def test_quadratic_form_depends_on_symmetric_part():
    rng = np.random.default_rng(0)
    queries, keys, metric = rng.normal(size=(5, 4)), rng.normal(size=(7, 4)), rng.normal(size=(4, 4))
    by_square = log_kernel(queries, keys, metric)
    np.testing.assert_allclose(by_square, log_kernel(queries, keys, (metric + metric.T) / 2), atol=1e-12)
    delta = queries[2] - keys[3]
    np.testing.assert_allclose(by_square[2, 3], -delta @ ((metric + metric.T) / 2) @ delta, rtol=1e-12)
    antisymmetric = metric - metric.T
    assert abs(log_kernel(queries, keys, antisymmetric)).max() < 1e-12
    assert abs(queries @ antisymmetric @ keys.T).max() > 1  # unlike a quadratic form, a product depends on it


@pytest.mark.equation("eq:tilted_metric", against="values compared after subtracting the slope")
def test_off_diagonal_block_accounts_for_slope(piece):
    g, h_x, h_y, radius = np.array([0.02, -0.05]), 1.7, 0.3, 2
    position_block = np.eye(2) / h_x**2 + np.outer(g, g) / h_y**2
    kernel = unified.image_kernel(piece, position_block, [[1 / h_y**2]], radius, cross_block=-g[:, None] / h_y**2)
    value = mirrored(piece)
    for pixel in [(0, 0), (6, 5), (12, 10)]:
        weights = np.empty((5, 5))
        for place in np.ndindex(5, 5):
            step = np.subtract(place, radius)
            rise = value(*(pixel + step)) - piece[pixel] - g @ step
            weights[place] = np.exp(-step @ step / h_x**2 - rise**2 / h_y**2)
        np.testing.assert_allclose(unified.window_weights(kernel, pixel), weights / weights.sum(), atol=1e-12)


@pytest.mark.equation(
    "eq:two_projections",
    against="the distance pair by pair, and 24 places on a circle",
    says="Under one positive semi-definite matrix no sample is nearer to a sample than the sample itself; "
    "under two projections a different one can be.",
    given={"sign": 1, "ahead": 3},
    without={"positive semi-definite": {"sign": -1}, "two projections": {"ahead": 0}},
)
def test_two_projections_can_prefer_another_sample(sign, ahead):
    phi = 2 * np.pi * np.arange(24) / 24
    circle, turn = np.column_stack([np.cos(phi), np.sin(phi)]), 2 * np.pi * ahead / 24
    W_k = 2 * np.eye(2)
    W_q = 2 * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    two = log_kernel(circle @ W_q.T, circle @ W_k.T, np.eye(2))
    for i, j in [(0, 0), (3, 7), (20, 23)]:
        assert two[i, j] == pytest.approx(-np.sum((W_q @ circle[i] - W_k @ circle[j]) ** 2), abs=1e-12)
    product = circle @ (W_q.T @ W_k) @ circle.T  # with equal norms the square holds nothing back
    np.testing.assert_allclose(softmax(two), softmax(2 * product), atol=1e-14)
    nearest = two.argmax(axis=1)
    assert (nearest == (np.arange(24) + ahead) % 24).all() and (nearest != np.arange(24)).all()
    root = np.random.default_rng(0).normal(size=(2, 2))
    one = log_kernel(circle, circle, root.T @ np.diag([1, sign]) @ root)
    assert (one.max(axis=1) <= np.diag(one) + 1e-12).all()


@pytest.mark.equation(
    "eq:bilinear_kernel",
    against="the Gaussian kernel of the projections",
    says="The softmax of products of projections weights keys like a Gaussian kernel with a prior that grows "
    "with the norm of the projected key.",
    given={"sign": 1, "of": "projection"},
    without={
        "with a prior": {"sign": 0},
        "that grows": {"sign": -1},
        "of the projected key": {"of": "key"},
    },
)
def test_product_is_gaussian_with_prior_of_the_norm(sign, of):
    rng = np.random.default_rng(0)
    queries, keys, maps = rng.normal(size=(5, 3)), rng.normal(size=(7, 3)), rng.normal(size=(2, 4, 3))
    q, k = queries @ maps[0].T, keys @ maps[1].T
    log_prior = sign * np.sum((k if of == "projection" else keys) ** 2, axis=1) / 2
    expected = softmax(log_kernel(q, k, np.eye(4) / 2) + log_prior)
    np.testing.assert_allclose(softmax(log_bilinear_kernel(queries, keys, *maps)), expected, atol=1e-13)


# Further sections


@pytest.mark.equation(
    "eq:mahalanobis_factors",
    against="the distance, pair by pair",
    says="If the matrix is symmetric, a squared distance is an inner product of two augmented vectors, one "
    "of the query and one of the key.",
    given={"skew": 0.0},
    without={"If the matrix is symmetric": {"skew": 0.5}},
)
def test_squared_distance_is_inner_product_of_two_vectors(skew):
    rng = np.random.default_rng(0)
    queries, keys, Q = rng.normal(size=(5, 3)), rng.normal(size=(7, 3)), rng.normal(size=(3, 3))
    Q = Q + Q.T + skew * (Q - Q.T)
    for i, j in np.ndindex(5, 7):
        of_query = np.array([*(-2 * Q @ queries[i]), queries[i] @ Q @ queries[i], 1])
        of_key = np.array([*keys[j], 1, keys[j] @ Q @ keys[j]])
        difference = queries[i] - keys[j]
        assert of_query @ of_key == pytest.approx(difference @ Q @ difference, abs=1e-12)


@pytest.mark.equation("eq:filter_matrix", against="the kernel over its row sums")
def test_filter_matrix_is_softmax_and_average(kernel, tokens):
    differences = tokens[:, None] - tokens
    weights = by_rows(np.exp(-np.einsum("ijd,de,ije->ij", differences, METRIC, differences)))
    np.testing.assert_allclose(weights, by_rows(kernel), atol=1e-12)
    np.testing.assert_allclose(weights, softmax(log_kernel(tokens, tokens, METRIC)), atol=1e-12)
    np.testing.assert_allclose(weights @ tokens[:, 2], average(weights, tokens[:, 2]), rtol=1e-14)


@pytest.mark.equation(
    "eq:similar_matrix",
    against="the eigenvalues of the symmetric matrix",
    says="If the kernel is symmetric and non-negative, the matrix of weights has real eigenvalues between "
    "−1 and 1.",
    given={"change": np.array},
    without={
        "symmetric": {"change": larger_below},
        "non-negative": {"change": lambda kernel: 2 * np.eye(len(kernel)) - balanced(kernel)},
    },
)
def test_filter_matrix_has_real_spectrum_in_unit_interval(kernel, change):
    for K in (change(kernel), change(box(kernel))):
        weights, roots = by_rows(K), np.sqrt(K.sum(axis=1))
        symmetric = K / np.outer(roots, roots)
        np.testing.assert_allclose(np.diag(1 / roots) @ symmetric @ np.diag(roots), weights, atol=1e-14)
        eigenvalues = np.linalg.eigvals(weights)
        np.testing.assert_allclose(np.sort(eigenvalues.real), np.linalg.eigvalsh(symmetric), atol=1e-10)
        assert abs(eigenvalues.imag).max() < 1e-10 and abs(eigenvalues.real).max() < 1 + 1e-12


def in_two_parts(kernel):
    """The kernel without the weights between the first half of the pixels and the second."""
    first = np.arange(len(kernel)) < len(kernel) // 2
    return kernel * (first[:, None] == first)


@pytest.mark.equation(
    "eq:iterate",
    against="the 4096th power of the matrix",
    says="Applied repeatedly, the weights of a symmetric, positive kernel turn the image into one number, "
    "its average weighted by row sums.",
    given={"change": np.array, "power": 1},
    without={
        "symmetric": {"change": larger_below},
        "positive": {"change": in_two_parts},
        "weighted by row sums": {"power": 0},
    },
)
def test_iteration_converges_to_average_by_row_sums(kernel, tokens, change, power):
    kernel, values = change(kernel), tokens[:, 2]
    many = np.linalg.matrix_power(by_rows(kernel), 4096) @ values
    np.testing.assert_allclose(many, np.average(values, weights=kernel.sum(axis=1) ** power), rtol=1e-10)
    assert abs(many.mean() - values.mean()) > 1e-3


def of_one_pixel(kernel):
    """The kernel without the weights between all pixels but the first one."""
    first = np.arange(len(kernel)) == 0
    return kernel * (first[:, None] | first)


@pytest.mark.equation(
    "eq:sinkhorn",
    against="the sums after 100 steps",
    says="One factor per pixel balances the weights of a symmetric, positive kernel, and then the "
    "filter keeps the mean of the image.",
    given={"change": np.array},
    without={"symmetric": {"change": larger_below}, "positive": {"change": of_one_pixel}},
)
def test_balanced_weights_keep_the_mean(kernel, tokens, change):
    weights, values = balanced(change(kernel)), tokens[:, 2]
    for axis in (0, 1):
        np.testing.assert_allclose(weights.sum(axis=axis), 1, rtol=1e-12)
    np.testing.assert_allclose((weights @ values).mean(), values.mean(), rtol=1e-12)


def of_the_draw(kernel, noisy):
    return kernel_of(tokens_of(noisy))


@pytest.mark.equation(
    "eq:passes",
    against="the mean over 200 draws of the noise",
    says="With given, balanced weights of a positive definite kernel, no pass lowers the squared bias or "
    "raises the variance.",
    given={"kernel_for": lambda kernel, noisy: kernel, "normalised": balanced},
    without={
        "given": {"kernel_for": of_the_draw},
        "balanced": {"normalised": by_rows},
        "positive definite": {"kernel_for": lambda kernel, noisy: box(kernel)},
    },
)
def test_passes_add_bias_and_reduce_variance(kernel, clean, kernel_for, normalised):
    """By how much the squared bias of any image grows is a quadratic form, which has no negative eigenvalue."""
    sigma, power = 0.1, np.linalg.matrix_power
    draws = clean + sigma * np.random.default_rng(0).standard_normal((200, len(clean)))
    B = normalised(kernel_for(kernel, clean))
    for m in (1, 2, 5):
        lost = [np.eye(len(B)) - power(B, passes) for passes in (m, m + 1)]
        assert np.linalg.eigvalsh(lost[1].T @ lost[1] - lost[0].T @ lost[0]).min() > -1e-12
        assert np.sum(power(B, m + 1) ** 2) < np.sum(power(B, m) ** 2)
    eigenvalues, vectors = np.linalg.eigh(B)
    weights = [normalised(kernel_for(kernel, noisy)) for noisy in draws]
    for m in (1, 2, 5):
        bias = np.sum((1 - eigenvalues**m) ** 2 * (vectors.T @ clean) ** 2)
        variance = sigma**2 * np.sum(eigenvalues ** (2 * m))
        estimates = np.array([power(W, m) @ noisy for W, noisy in zip(weights, draws, strict=True)])
        errors = np.sum((estimates - clean) ** 2, axis=1)
        assert_within(errors.mean(), bias + variance, errors.std() / np.sqrt(len(errors)))


@pytest.mark.equation(
    "eq:twicing",
    against="eigenvector by eigenvector, and the errors of both ways",
    says="A second pass and twicing lie on opposite sides of the first pass, so at most one of them "
    "lowers the error.",
    given={"ways": ("second pass", "twicing"), "of": "first pass"},
    without={
        "A second pass": {"ways": ("twicing", "twicing")},
        "twicing": {"ways": ("second pass", "third pass")},
        "of the first pass": {"of": "image"},
    },
)
def test_second_pass_and_twicing_never_both_help(kernel, tokens, clean, ways, of):
    values, rng = tokens[:, 2], np.random.default_rng(0)
    B, once = balanced(kernel), balanced(kernel) @ values
    eigenvalues, vectors = np.linalg.eigh(B)
    by_parts = vectors @ ((1 - (1 - eigenvalues) ** 2) * (vectors.T @ values))
    np.testing.assert_allclose(once + B @ (values - once), by_parts, atol=1e-10)
    np.testing.assert_allclose(2 * once - B @ once, by_parts, atol=1e-10)
    any_weights = softmax(rng.normal(size=kernel.shape))
    for matrix in (B, by_rows(kernel), any_weights):
        once, twice = matrix @ values, matrix @ (matrix @ values)
        ends = {"second pass": twice, "third pass": matrix @ twice, "twicing": 2 * once - twice}
        for true in (clean, rng.random(len(values)), values):
            error = lambda estimate, true=true: np.sum((estimate - true) ** 2)
            before = error(once if of == "first pass" else values)
            assert sum(error(ends[way]) for way in ways) > 2 * before
