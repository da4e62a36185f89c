"""Numbered equations of chapter 6, evaluated literally; tests/lib covers the others."""

from math import cos, exp, sin, sqrt, tanh

import numpy as np
import pytest

from lib import patch_attention as patches
from lib.attention import (
    attention,
    attention_weights,
    causal_mask,
    encoding_frequencies,
    multi_head_attention,
    positional_encoding,
)
from lib.images import add_noise, camera
from lib.kernels import log_radial_kernel
from lib.learning import projection_gradients, score_gradient
from lib.regression import nadaraya_watson_weights
from lib.unified import carry_norms, factor, norm_carrying_metric
from lib.weights import average, softmax
from tests.oracles import numerical_gradient
from tests.reference_d2l import load_d2l

RNG = np.random.default_rng(6)
QUERIES, KEYS, VALUES = RNG.normal(size=(5, 3)), RNG.normal(size=(7, 3)), RNG.normal(size=(7, 2))
TAU = sqrt(3)
H = sqrt(2 * TAU)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def minus_squared_distance(a, b):
    return -dot(a - b, a - b)


def softmax_by_hand(scores):
    kernel = [exp(score) for score in scores]
    return np.array(kernel) / sum(kernel)


@pytest.mark.equation(
    "eq:attention_weights",
    against="the softmax, row by row",
    says="Attention weights are the softmax of scaled inner products of a query and keys; without a mask "
    "they are positive and sum to 1.",
    given={"mask": None, "score": dot},
    without={"without a mask": {"mask": causal_mask(7)}, "inner products": {"score": minus_squared_distance}},
)
@pytest.mark.equation(
    "eq:attention",
    against="the three lines of chapter 1",
    says="Attention averages the values with the softmax of scaled inner products as weights; only the "
    "score differs from chapter 1.",
    given={"tau": TAU},
    without={"scaled": {"tau": 1}},
)
def test_attention_is_softmax_and_average_of_inner_products(mask, score, tau):
    rng = np.random.default_rng(12)
    tokens, maps = rng.normal(size=(7, 4)), rng.normal(size=(2, 3, 4))
    queries, keys = (tokens @ W.T for W in maps)
    weights = attention_weights(queries, keys, mask=mask)
    assert (weights > 0).all()
    np.testing.assert_allclose(weights.sum(axis=1), 1, rtol=1e-14)
    for i in range(7):
        expected = softmax_by_hand([score(maps[0] @ tokens[i], maps[1] @ t) / tau for t in tokens])
        np.testing.assert_allclose(weights[i], expected, rtol=1e-12)
    np.testing.assert_allclose(attention(queries, keys, VALUES), average(softmax(queries @ keys.T / tau), VALUES))


@pytest.mark.equation(
    "eq:attention",
    against="five lines, and blocks of keys that are merged",
    says="Five lines compute attention; processing blocks of keys with a running maximum gives the same "
    "numbers without the whole matrix.",
    given={"shrinks": 1},
    without={"with a running maximum": {"shrinks": 0}},
)
def test_blocks_with_running_maximum_equal_five_lines(shrinks):
    """For each query: the largest score so far, the sum of the kernel and that of the kernel times the values."""
    rng = np.random.default_rng(8)
    queries, keys, values = rng.normal(size=(11, 3)), rng.normal(size=(53, 3)), rng.normal(size=(53, 2))
    scores = queries @ keys.T / TAU
    A = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected = A / A.sum(axis=1, keepdims=True) @ values
    largest, total, weighted = np.full((11, 1), -np.inf), np.zeros((11, 1)), np.zeros((11, 2))
    for start in range(0, 53, 10):
        block = scores[:, start : start + 10]
        higher = np.maximum(largest, block.max(axis=1, keepdims=True))
        kernel, shrink = np.exp(block - higher), np.exp(largest - higher) ** shrinks
        total = shrink * total + kernel.sum(axis=1, keepdims=True)
        weighted, largest = shrink * weighted + kernel @ values[start : start + 10], higher
    np.testing.assert_allclose(weighted / total, expected, rtol=1e-12)
    np.testing.assert_allclose(attention(queries, keys, values), expected, rtol=1e-12)


@pytest.mark.equation(
    "eq:gaussian_factorisation",
    against="the product, pair by pair",
    says="The Gaussian kernel is the exponential of an inner product times one factor of the query and one of "
    "the key.",
    given={"kernel": "gaussian"},
    without={"Gaussian": {"kernel": "epanechnikov"}},
)
def test_gaussian_has_three_factors(kernel):
    for q in QUERIES:
        for k in KEYS:
            product = exp(-dot(q, q) / H**2) * exp(dot(q, k) / TAU) * exp(-dot(k, k) / H**2)
            assert exp(-dot(q - k, q - k) / H**2) == pytest.approx(product, rel=1e-12)
            found = np.exp(log_radial_kernel(q[None], k[None], H, kernel)).item()
            assert found == pytest.approx(product, rel=1e-12)


@pytest.mark.equation(
    "eq:equal_norms",
    against="Gaussian weights, for keys of equal and of different norms",
    says="If all keys have equal norms, attention and the Gaussian kernel with h² = 2τ give equal weights.",
    given={"norms": 1.7, "h": H},
    without={
        "If all keys have equal norms": {"norms": np.linspace(1, 2, 7)[:, None]},
        "with h² = 2τ": {"h": sqrt(TAU)},
    },
)
@pytest.mark.equation(
    "eq:key_prior",
    against="ratios of two weights",
    says="Compared with the Gaussian kernel with h² = 2τ, attention shifts the ratio of two keys' weights "
    "towards the key of larger norm.",
    given={"width": H},
    without={"Compared with the Gaussian kernel with h² = 2τ": {"width": 3 * H}},
)
def test_attention_favours_the_longer_of_two_keys(norms, h, width):
    equal = norms * KEYS / np.linalg.norm(KEYS, axis=1, keepdims=True)
    gaussian = nadaraya_watson_weights(QUERIES, equal, h)
    np.testing.assert_allclose(attention_weights(QUERIES, equal), gaussian, rtol=1e-12)
    raised = attention_weights(QUERIES, KEYS) / nadaraya_watson_weights(QUERIES, KEYS, width)
    by_norm = np.argsort(np.linalg.norm(KEYS, axis=1))
    assert (np.diff(raised[:, by_norm], axis=1) > 0).all()


@pytest.mark.equation("eq:key_prior", against="the right side, by loops")
def test_attention_has_prior_on_keys():
    for i, q in enumerate(QUERIES):
        scores = [-dot(q - k, q - k) / H**2 + dot(k, k) / H**2 for k in KEYS]
        np.testing.assert_allclose(attention_weights(QUERIES, KEYS)[i], softmax_by_hand(scores), rtol=1e-12)


@pytest.mark.equation(
    "eq:score_variance",
    against="the variance of 100 000 draws",
    says="If the entries of query and key are independent with mean 0 and variance 1, the score divided by √d "
    "has variance 1.",
    given={"shared": 0, "mean": 0, "scale": 1},
    without={
        "independent": {"shared": 1},
        "mean 0": {"mean": 1},
        "variance 1": {"scale": 2},
    },
)
@pytest.mark.parametrize("d", [3, 31])
@pytest.mark.parametrize("draw", ["normal", "uniform"])
def test_scores_have_variance_d_and_one_after_scaling(d, draw, shared, mean, scale):
    rng = np.random.default_rng(d)
    draws = [rng.normal(size=(100_000, d)), rng.normal(size=(100_000, d))]
    if draw == "uniform":  # no normal distribution is required
        draws = [rng.uniform(-sqrt(3), sqrt(3), size=(100_000, d)) for _ in range(2)]
    if shared:  # one common entry in each vector
        draws = [np.repeat(each[:, :1], d, axis=1) for each in draws]
    draws = [scale * each + mean for each in draws]
    products = (draws[0] * draws[1]).sum(axis=1)
    assert products.var() == pytest.approx(d, rel=0.03)
    assert (products / sqrt(d)).var() == pytest.approx(1, rel=0.03)
    # The code also divides by √d: a key of zeros has the score 0, so the log odds of the other key are its score.
    keys = np.stack([draws[1], np.zeros_like(draws[1])], axis=1)
    weights = attention_weights(draws[0][:, None], keys)[:, 0]
    assert np.log(weights[:, 0] / weights[:, 1]).var() == pytest.approx(1, rel=0.03)


@pytest.mark.equation("eq:query_gradient", against="finite differences")
@pytest.mark.parametrize("tau", [0.7, TAU])
def test_query_gradient_is_weighted_covariance(tau):
    for q in QUERIES:
        weights = softmax_by_hand([dot(q, k) / tau for k in KEYS])
        mean, centre = weights @ VALUES, weights @ KEYS
        products = [np.outer(v - mean, k - centre) for v, k in zip(VALUES, KEYS, strict=True)]
        slope = np.tensordot(weights, products, axes=1) / tau
        for c in range(2):
            estimate = lambda x, c=c: attention(x[None], KEYS, VALUES, temperature=tau)[0, c]
            np.testing.assert_allclose(slope[c], numerical_gradient(estimate, q), atol=1e-8)


@pytest.mark.equation("eq:token_kernel", against="eigenvalues of the kernel matrix")
def test_token_kernel_is_mercer_for_symmetric_positive_projections():
    rng = np.random.default_rng(7)
    tokens, W = rng.normal(size=(23, 3)), rng.normal(size=(2, 3))
    kernel = np.exp(tokens @ (W.T @ W) @ tokens.T / TAU)
    weights = attention_weights(tokens @ W.T, tokens @ W.T, temperature=TAU)
    np.testing.assert_allclose(weights, kernel / kernel.sum(axis=1, keepdims=True), rtol=1e-12)
    assert np.linalg.eigvalsh(kernel)[0] > -1e-12 * np.linalg.norm(kernel)
    for M in (W.T @ W - 0.3 * np.eye(3), -np.eye(3)):
        least, u = (part[..., 0] for part in np.linalg.eigh(M))
        assert least < 0
        pair = np.array([u, -u])
        eigenvalue = np.linalg.eigvalsh(np.exp(pair @ M @ pair.T / TAU))[0]
        assert eigenvalue == pytest.approx(exp(least / TAU) - exp(-least / TAU)) and eigenvalue < 0
    # For tokens that carry their norms, an M with a negative eigenvalue gives the Gaussian, which is positive
    # definite.
    carried, M = carry_norms(tokens, np.eye(3)), norm_carrying_metric(np.eye(3), [1 / H**2])
    gaussian = np.exp(carried @ M @ carried.T)
    distances = ((tokens[:, None] - tokens) ** 2).sum(axis=-1)
    np.testing.assert_allclose(gaussian, np.exp(-distances / H**2), rtol=1e-10)
    assert np.linalg.eigvalsh(M)[0] == pytest.approx(-1 / H**2) and np.linalg.eigvalsh(gaussian)[0] > -1e-13
    skew = np.exp(tokens @ np.roll(np.eye(3), 1, axis=0) @ tokens.T)
    assert not np.allclose(skew, skew.T)


@pytest.mark.equation("eq:pe_inner_product", against="the formulas, row by row")
@pytest.mark.parametrize("base", [100, 10_000])
def test_position_encodings_match_sines_and_cosines(base):
    encoding = positional_encoding(11, 6, base=base)
    omega = [base ** (-2 * m / 6) for m in range(3)]
    np.testing.assert_allclose(encoding_frequencies(6, base), omega)
    for i in range(11):
        expected = [wave(w * i) for w in omega for wave in (sin, cos)]
        np.testing.assert_allclose(encoding[i], expected, atol=1e-14)
        assert np.linalg.norm(encoding[i]) == pytest.approx(sqrt(3))
        for j in range(11):
            assert encoding[i] @ encoding[j] == pytest.approx(sum(cos(w * (i - j)) for w in omega), abs=1e-13)


@pytest.mark.equation(
    "eq:added_positions",
    against="attention on the sums, block by block",
    says="If positions are added to the tokens, the score has four blocks: content–content, content–position, "
    "position–content and position–position.",
    given={"combine": np.add},
    without={"are added to": {"combine": np.multiply}},
)
def test_added_positions_give_four_blocks(combine):
    rng = np.random.default_rng(13)
    contents, maps = rng.normal(size=(7, 4)), rng.normal(size=(2, 3, 4))
    places = positional_encoding(7, 4)
    M = maps[0].T @ maps[1] / TAU
    queries, keys = (combine(contents, places) @ each.T for each in maps)
    for i in range(7):
        x, p = contents[i], places[i]
        pairs = zip(contents, places, strict=True)
        scores = [x @ M @ x_j + x @ M @ p_j + p @ M @ x_j + p @ M @ p_j for x_j, p_j in pairs]
        np.testing.assert_allclose(attention_weights(queries, keys)[i], softmax_by_hand(scores), rtol=1e-11)


@pytest.mark.equation(
    "eq:imitation",
    against="the cosine's next term, and Gaussian weights",
    says="The weighted cosine of the slow pair equals a Gaussian score up to a constant and the cosine's terms "
    "from the fourth order on.",
    given={"fast": 1},
    without={"of the slow pair": {"fast": 10}},
)
@pytest.mark.parametrize("h, omega", [(5, 0.1), (3, 0.1), (12, 0.02)])
def test_cosine_scores_approximate_a_gaussian(h, omega, fast):
    positions = np.arange(50)
    distance = positions[:, None] - positions
    beta = 2 / (h * omega) ** 2
    error = np.abs(beta * np.cos(fast * omega * distance) - (beta - distance**2 / h**2))
    remainder = beta * (omega * distance) ** 4 / 24  # the cosine's next term
    assert (error <= remainder + 1e-12).all()
    weights = softmax(beta * np.cos(omega * distance))
    apart = np.abs(weights - nadaraya_watson_weights(positions, positions, h)).sum(axis=1).max() / 2
    assert apart == pytest.approx(0, abs=0.03)


@pytest.mark.equation("eq:causal_mask", against="softmax over the keys that are visible")
def test_causal_mask_hides_later_keys():
    keys = KEYS[:5]
    for i, q in enumerate(QUERIES):
        visible = softmax_by_hand([dot(q, k) / TAU for k in keys[: i + 1]])
        weights = attention_weights(QUERIES, keys, mask=causal_mask(5))[i]
        np.testing.assert_allclose(weights, [*visible, *[0] * (4 - i)], atol=1e-14)


@pytest.mark.equation("eq:patch_tokens", "eq:patch_attention", against="the formula, by loops over a window")
def test_patch_attention_matches_loops():
    image = add_noise(camera()[31:48, 40:59], 0.1, rng=np.random.default_rng(9))
    W_q, W_k = (m.astype(np.float64) for m in patches.trained_maps())
    padded, (row, column) = np.pad(image, 9, mode="reflect"), (5, 8)
    tokens, values = [], []
    for down in range(-7, 8):
        for right in range(-7, 8):
            y, x = row + down + 9, column + right + 9
            p = padded[y - 2 : y + 3, x - 2 : x + 3].ravel() - 0.5
            here = float(down == right == 0)
            tokens += [[*p, dot(p, p) / 5, 1, -(down**2 + right**2) / 7**2, here]]
            values += [padded[y, x]]
    query = W_q @ tokens[112]
    weights = softmax_by_hand([dot(query, W_k @ t) / sqrt(29) for t in np.array(tokens)])
    estimate = patches.patch_attention(image, W_q, W_k)[row, column]
    assert estimate == pytest.approx(dot(weights, values), abs=1e-10)
    found = patches.patch_attention_weights(image, (row, column), W_q, W_k)
    np.testing.assert_allclose(found.ravel(), weights, atol=1e-10)


@pytest.mark.equation(
    "eq:additive",
    against="d2l's AdditiveAttention",
    says="The additive score of d2l is a small network of query and key; softmax and average are the same "
    "as in attention.",
    given={"activation": tanh},
    without={"a small network": {"activation": float}},
)
@pytest.mark.peers
def test_additive_attention_is_softmax_of_mlp(activation):
    import torch

    d2l = load_d2l()
    torch.manual_seed(0)
    peer = d2l.AdditiveAttention(num_hiddens=4, dropout=0).double().eval()
    with torch.no_grad():
        result = peer(*(torch.tensor(a)[None] for a in (QUERIES, KEYS, VALUES)), None)[0]
    W_q, W_k, u = (getattr(peer, name).weight.detach().numpy() for name in ("W_q", "W_k", "w_v"))
    for i, q in enumerate(QUERIES):
        scores = [dot(u[0], [activation(x) for x in W_q @ q + W_k @ k]) for k in KEYS]
        np.testing.assert_allclose(result[i], softmax_by_hand(scores) @ VALUES, atol=1e-12)
        np.testing.assert_allclose(result[i], average(softmax(scores), VALUES), atol=1e-12)


@pytest.mark.equation(
    "eq:score_gradient",
    against="the error after a small step of one score",
    says="By its gradient, the score of a key should rise if the key's value pulls the estimate towards the "
    "target more than the average value does.",
    given={"compared": 1},
    without={"more than the average value does": {"compared": 0}},
)
def test_gradient_raises_scores_of_helpful_values(compared):
    """With one number per estimate, −G_ij says how much the error falls as value j gets more weight."""
    rng = np.random.default_rng(9)
    scores, values, targets = rng.normal(size=(5, 7)), rng.normal(size=(7, 1)), rng.normal(size=(5, 1))
    _, slope = score_gradient(scores, values, targets)
    weights = softmax(scores)
    error = weights @ values - targets
    helps = -error * values.T  # how much the error falls when this value gets more weight
    on_average = np.sum(weights * helps, axis=1, keepdims=True)
    assert ((slope < 0) == (helps > compared * on_average)).all() and (slope < 0).any() and (slope > 0).any()


@pytest.mark.equation(
    "eq:projection_gradients",
    against="finite differences, and two products of matrices",
    says="Two more matrix products turn the gradient with respect to the scores into the gradients of both "
    "projections.",
    given={"of_score": lambda scores, slope: slope},
    without={"with respect to the scores": {"of_score": lambda scores, slope: slope * softmax(scores)}},
)
def test_projection_gradients_are_matrix_products(of_score):
    rng = np.random.default_rng(10)
    maps, query_tokens, key_tokens = rng.normal(size=(2, 2, 3)), rng.normal(size=(5, 3)), rng.normal(size=(7, 3))
    values, targets = rng.normal(size=(7, 2)), rng.normal(size=(5, 2))
    _, by_query, by_key = projection_gradients(*maps, query_tokens, key_tokens, values, targets)
    tau = sqrt(2)
    scores = query_tokens @ maps[0].T @ maps[1] @ key_tokens.T / tau
    slope = of_score(scores, score_gradient(scores, values, targets)[1])
    by_matrix = query_tokens.T @ slope @ key_tokens
    np.testing.assert_allclose(by_query, maps[1] @ by_matrix.T / tau, rtol=1e-10)
    np.testing.assert_allclose(by_key, maps[0] @ by_matrix / tau, rtol=1e-10)
    loss = lambda W: projection_gradients(W, maps[1], query_tokens, key_tokens, values, targets)[0]
    np.testing.assert_allclose(by_query, numerical_gradient(loss, maps[0]), atol=1e-8)


@pytest.mark.equation(
    "eq:multi_head",
    against="each head by itself, without the masked key",
    says="The output matrix can subtract the average of one head from that of another, and a masked key gets no "
    "weight.",
    given={"masked": 3},
    without={"a masked key": {"masked": 4}},
)
def test_output_map_subtracts_heads_and_masked_keys_have_no_weight(masked):
    rng = np.random.default_rng(11)
    tokens, maps = rng.normal(size=(7, 4)), rng.normal(size=(3, 2, 2, 4))
    mask = np.ones((7, 7), bool)
    mask[:, masked] = False
    seen = np.delete(np.arange(7), 3)
    heads = [
        attention(tokens @ W_q.T, tokens[seen] @ W_k.T, tokens[seen] @ W_v.T)
        for W_q, W_k, W_v in zip(*maps, strict=True)
    ]
    minus = np.hstack([np.eye(2), -np.eye(2)])
    found = multi_head_attention(tokens, tokens, tokens, *maps, output_map=minus, mask=mask)
    np.testing.assert_allclose(found, heads[0] - heads[1], atol=1e-12)


@pytest.mark.equation(
    "eq:norm_carrying",
    against="Gaussian weights of several bandwidths, on keys of different norms",
    says="If tokens carry their squared norm and a constant 1, a Gaussian score of any bandwidth is an "
    "inner product of two projections.",
    given={"kept": [1, 1, 1, 1, 1]},
    without={"their squared norm": {"kept": [1, 1, 1, 0, 1]}, "a constant 1": {"kept": [1, 1, 1, 1, 0]}},
)
@pytest.mark.parametrize("h", [0.3, 1.0, 4.0])
def test_norm_carrying_tokens_give_gaussian_weights(h, kept):
    W_q, W_k = factor(norm_carrying_metric(np.eye(3), [1 / h**2]))
    queries, keys = (carry_norms(x, np.eye(3)) * kept for x in (QUERIES, KEYS))
    scores = (queries @ W_q.T) @ (keys @ W_k.T).T
    np.testing.assert_allclose(scores, log_radial_kernel(QUERIES, KEYS, h), atol=1e-10)
    found = attention_weights(queries @ W_q.T, keys @ W_k.T, temperature=1)
    np.testing.assert_allclose(found, nadaraya_watson_weights(QUERIES, KEYS, h), rtol=1e-9)
