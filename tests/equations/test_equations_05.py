"""The labelled equations of chapter 5 about the matrix of all weights."""

import numpy as np
import pytest

from lib import filters, unified
from lib.filters import steering_matrices
from lib.images import add_noise, camera
from lib.unified import augment, block_metric, log_kernel
from lib.weights import average, softmax
from tests.oracles import mirrored


@pytest.fixture(scope="module")
def piece():
    return add_noise(camera()[8:21, 42:53], 0.1, rng=np.random.default_rng(0))  # prime sides: 13 × 11


@pytest.fixture(scope="module")
def tokens(piece):
    return augment(np.argwhere(np.ones(piece.shape)).astype(float), piece.ravel())


@pytest.fixture(scope="module")
def kernel(tokens):
    return np.exp(log_kernel(tokens, tokens, block_metric(np.eye(2) / 2**2, [[1 / 0.35**2]])))


@pytest.fixture(scope="module")
def balanced(kernel):
    r = np.ones(len(kernel))
    for _ in range(200):
        r = np.sqrt(r / (kernel @ r))
    return r[:, None] * kernel * r


@pytest.mark.equation(
    "eq:unified_estimate",
    against="both sums, term by term",
    says="Each of the four methods is a choice of two matrix blocks, one function of the distance, and a prior.",
)
@pytest.mark.parametrize("pixel", [(0, 0), (6, 5), (12, 10)])
def test_estimate_is_window_sum_with_prior(piece, pixel):
    """Steering kernels have every feature: a metric per key, a prior, a window, mirrored borders."""
    radius, h, steering = 2, 2.4, steering_matrices(piece)
    value, metric, numerator, denominator = mirrored(piece), mirrored(steering), 0.0, 0.0
    for d in np.argwhere(np.ones((5, 5))) - radius:
        j = pixel + d
        weight = np.sqrt(np.linalg.det(metric(*j))) * np.exp(-d @ metric(*j) @ d / (2 * h**2))
        numerator, denominator = numerator + weight * value(*j), denominator + weight
    estimate = unified.smooth(unified.steering_kernel(piece, steering, h, radius))
    np.testing.assert_allclose(estimate[pixel], numerator / denominator, rtol=1e-12)


@pytest.mark.equation("eq:filter_matrix", against="the kernel over its row sums")
@pytest.mark.equation(
    "eq:similar_matrix",
    against="the eigenvalues of the symmetric matrix",
    says="If the kernel is symmetric and non-negative, the matrix of weights has real eigenvalues between "
    "−1 and 1.",
)
def test_filter_matrix_has_real_spectrum_in_unit_interval(kernel, tokens):
    row_sums = kernel.sum(axis=1)
    weights, roots = kernel / row_sums[:, None], np.sqrt(row_sums)
    metric = block_metric(np.eye(2) / 2**2, [[1 / 0.35**2]])
    np.testing.assert_allclose(weights, softmax(log_kernel(tokens, tokens, metric)), atol=1e-12)
    np.testing.assert_allclose(weights @ tokens[:, 2], average(weights, tokens[:, 2]), rtol=1e-14)
    symmetric = kernel / np.outer(roots, roots)
    np.testing.assert_allclose(np.diag(1 / roots) @ symmetric @ np.diag(roots), weights, atol=1e-14)
    eigenvalues = np.linalg.eigvals(weights)
    np.testing.assert_allclose(np.sort(eigenvalues.real), np.linalg.eigvalsh(symmetric), atol=1e-11)
    assert abs(eigenvalues.imag).max() < 1e-11
    assert -1e-12 < eigenvalues.real.min() and eigenvalues.real.max() < 1 + 1e-12


@pytest.mark.equation(
    "eq:iterate",
    against="the 4096th power of the matrix",
    says="Applied repeatedly, the weights of a symmetric, positive kernel turn the image into one number, "
    "which need not be its mean.",
)
@pytest.mark.equation(
    "eq:sinkhorn",
    against="the sums after 200 steps",
    says="One factor per pixel balances the weights of a symmetric, positive kernel, and then the "
    "filter keeps the mean of the image.",
)
def test_iteration_converges_to_average_by_row_sums(kernel, balanced, tokens):
    row_sums, values = kernel.sum(axis=1), tokens[:, 2]
    many = np.linalg.matrix_power(kernel / row_sums[:, None], 4096) @ values
    np.testing.assert_allclose(many, row_sums @ values / row_sums.sum(), rtol=1e-10)
    assert abs(many.mean() - values.mean()) > 1e-3
    for axis in (0, 1):
        np.testing.assert_allclose(balanced.sum(axis=axis), 1, rtol=1e-12)
    np.testing.assert_allclose((balanced @ values).mean(), values.mean(), rtol=1e-12)


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
    "eq:passes",
    against="the mean over 4000 draws of the noise",
    says="With given, balanced weights of a positive definite kernel, no pass lowers the squared bias or "
    "raises the variance.",
)
@pytest.mark.parametrize("passes", [1, 2, 5])
def test_passes_add_bias_and_reduce_variance(balanced, passes):
    sigma, rng = 0.1, np.random.default_rng(0)
    clean = camera()[8:21, 42:53].ravel()
    eigenvalues, vectors = np.linalg.eigh(balanced)
    parts = lambda m: np.array(
        [np.sum((1 - eigenvalues**m) ** 2 * (vectors.T @ clean) ** 2), sigma**2 * np.sum(eigenvalues ** (2 * m))]
    )
    draws = clean + sigma * rng.standard_normal((4000, len(clean)))
    errors = np.sum((draws @ np.linalg.matrix_power(balanced, passes).T - clean) ** 2, axis=1)
    assert abs(errors.mean() - parts(passes).sum()) < 4 * errors.std() / np.sqrt(len(errors))
    bias, variance = parts(passes + 1) - parts(passes)
    assert bias > 0 > variance and eigenvalues.min() > -1e-12 and eigenvalues.max() < 1 + 1e-9


@pytest.mark.equation(
    "eq:twicing",
    against="eigenvector by eigenvector, and the errors of both ways",
    says="A second pass and twicing lie on opposite sides of the first pass, so at most one of them "
    "lowers the error.",
)
def test_second_pass_and_twicing_never_both_help(kernel, balanced, tokens):
    values, rng = tokens[:, 2], np.random.default_rng(0)
    eigenvalues, vectors = np.linalg.eigh(balanced)
    by_parts = vectors @ ((1 - (1 - eigenvalues) ** 2) * (vectors.T @ values))
    once = balanced @ values
    np.testing.assert_allclose(once + balanced @ (values - once), by_parts, atol=1e-10)
    np.testing.assert_allclose(2 * once - balanced @ once, by_parts, atol=1e-10)
    rows = kernel / kernel.sum(axis=1, keepdims=True)
    any_weights = softmax(rng.normal(size=rows.shape))
    for matrix in (balanced, rows, any_weights):
        for clean in (camera()[8:21, 42:53].ravel(), rng.random(len(values)), values):
            once = matrix @ values
            errors = [np.sum((z - clean) ** 2) for z in (matrix @ once, once, 2 * once - matrix @ once)]
            assert errors[0] + errors[2] > 2 * errors[1]


@pytest.mark.equation(
    "eq:unified_estimate",
    against="the filters of chapters 1 to 4",
    says="With the matrices, functions and priors of the table, one program gives the results of "
    "all four filters.",
)
def test_one_program_equals_the_four_filters(piece):
    steering = steering_matrices(piece)
    rows = [
        (unified.classical_kernel(piece, 1.1, radius=3), filters.bilateral(piece, 1.1, 1e6, radius=3)),
        (unified.bilateral_kernel(piece, 1.7, 0.3, radius=3), filters.bilateral(piece, 1.7, 0.3, radius=3)),
        (
            unified.nonlocal_means_kernel(piece, 0.1, filters.patch_kernel(1), 3, noise_std=0.05),
            filters.nonlocal_means(piece, 0.1, 1, 3, noise_std=0.05),
        ),
        (unified.steering_kernel(piece, steering, 2.4, radius=3), filters.lark(piece, 2.4, radius=3)),
    ]
    for kernel, expected in rows:
        np.testing.assert_allclose(unified.smooth(kernel), expected, atol=1e-9)


@pytest.mark.equation(
    "eq:two_projections",
    against="the distance pair by pair, and 24 places on a circle",
    says="Under one positive semi-definite matrix no sample is nearer to a sample than the sample itself; "
    "under two projections a different one can be.",
)
def test_two_projections_can_prefer_another_sample():
    phi = 2 * np.pi * np.arange(24) / 24
    circle, turn = np.column_stack([np.cos(phi), np.sin(phi)]), 2 * np.pi * 3 / 24
    W_k = 2 * np.eye(2)
    W_q = 2 * np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    two = log_kernel(circle @ W_q.T, circle @ W_k.T, np.eye(2))
    for i, j in [(0, 0), (3, 7), (20, 23)]:
        assert two[i, j] == pytest.approx(-np.sum((W_q @ circle[i] - W_k @ circle[j]) ** 2), abs=1e-12)
    np.testing.assert_array_equal(two.argmax(axis=1), (np.arange(24) + 3) % 24)
    product = circle @ (W_q.T @ W_k) @ circle.T  # with equal norms the square holds nothing back
    np.testing.assert_allclose(softmax(two), softmax(2 * product), atol=1e-14)
    root = np.random.default_rng(0).normal(size=(5, 2))
    one = log_kernel(circle, circle, root.T @ root)  # any positive semi-definite matrix
    assert (one.max(axis=1) <= np.diag(one) + 1e-12).all()
