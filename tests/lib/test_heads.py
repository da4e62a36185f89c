"""Metrics of attention heads: loops, known heads, invariance to scale, and the input that they reject."""

import numpy as np
import pytest

from lib.attention import attention_weights, causal_mask
from lib.heads import BANDWIDTHS, baselines, fixed_query, mask_keys, measure
from lib.kernels import log_radial_kernel
from lib.language_model import head_weights, load, rotate
from lib.weights import softmax
from tests.invalid_input import rejects

N, D = 40, 6


@pytest.fixture(scope="module")
def arrays():
    rng = np.random.default_rng(0)
    return 1.5 * rng.normal(size=(3, N, D)) + rng.normal(size=(3, 1, D)), rng.normal(size=(3, N, D))


def by_loops(queries, keys, causal):
    """Compute some metrics of one head, query by query."""
    (_, d), found = queries.shape, []
    c = (np.mean(keys**2) / np.mean(queries**2)) ** 0.25  # the balanced scale
    lengths = np.linalg.norm(keys, axis=1)
    for i, q in enumerate(queries):
        k = keys[: i + 1] if causal else keys
        scores = {
            "own": k @ q,
            "gaussian": -((c * q - k / c) ** 2).sum(axis=1) / 2,
            "equal norms": k @ q / lengths[: len(k)] * lengths.mean(),
            "one query": k @ queries.mean(axis=0),
            "uniform": np.zeros(len(k)),
        }
        kernels = {name: np.exp(each / np.sqrt(d)) for name, each in scores.items()}
        weights = {name: kernel / kernel.sum() for name, kernel in kernels.items()}
        own = weights["own"]
        moved = {name: np.abs(own - others).sum() / 2 for name, others in weights.items()}
        count = 1 + np.sum(np.cumsum(np.sort(own)[::-1]) < 0.9)
        overlaps = 1 - moved["uniform"], 1 - moved["one query"]
        found.append([count, moved["gaussian"], moved["equal norms"], *overlaps, own[0]])
    return np.mean(found, axis=0)


@pytest.mark.parametrize("causal", [True, False])
def test_head_metrics_match_loops(arrays, causal):
    found = measure(*arrays, causal=causal)
    overlaps = "distance_to_gaussian equal_norms uniform_overlap fixed_query_overlap"
    names = ["keys_for_90_percent", *overlaps.split(), "first_key"]
    for head in range(3):
        expected = by_loops(arrays[0][head], arrays[1][head], causal)
        np.testing.assert_allclose([found[name][head] for name in names], expected, rtol=1e-9)


@pytest.mark.parametrize("offset, bandwidth", [(0, 0.5), (-1, 0.5), (-3, BANDWIDTHS[4]), (2, 0.5)])
def test_shifted_position_smoother_is_recovered(arrays, offset, bandwidth):
    places = np.arange(N, dtype=float)
    causal = offset <= 0
    seen = causal_mask(N) if causal else np.ones((N, N), bool)
    weights = softmax(np.where(seen, log_radial_kernel(places + offset, places, bandwidth), -np.inf))
    found = measure(*arrays, np.broadcast_to(weights, (3, N, N)), causal=causal)
    assert (found["position_offset"] == offset).all() and (found["position_overlap"] > 0.999).all()
    np.testing.assert_allclose(found["position_bandwidth"], bandwidth)


def test_fixed_query_head_is_recovered_with_rotary_positions(arrays):
    queries, keys = arrays
    same = np.broadcast_to(queries[:, :1], queries.shape)
    np.testing.assert_allclose(measure(same, keys)["fixed_query_overlap"], 1)
    turned = rotate(same)
    np.testing.assert_allclose(measure(turned, rotate(keys), rotate=rotate)["fixed_query_overlap"], 1)
    assert (measure(turned, rotate(keys))["fixed_query_overlap"] < 0.95).all()


def test_same_token_head_is_recovered(arrays):
    tokens = np.array([1, 2, 1, 1, 3])
    weights = np.tri(5) / np.arange(1, 6)[:, None]
    queries, keys = (x[:1, :5] for x in arrays)
    found = measure(queries, keys, weights[None], tokens=tokens)
    assert found["same_token"] == pytest.approx((1 / 3 + 2 / 4) / 5)


def test_baselines_are_uninformative(arrays):
    queries, keys = arrays
    null = baselines(queries, keys, rng=1)
    assert (null["equal weights"]["uniform_overlap"] == 1).all()
    own, shuffled = measure(queries, keys), null["shuffled head"]
    np.testing.assert_allclose(shuffled["key_norm_variation"], own["key_norm_variation"])
    assert np.abs(shuffled["keys_for_90_percent"] - own["keys_for_90_percent"]).max() > 1e-3
    local = -np.abs(np.subtract.outer(np.arange(N), np.arange(N)) - 1.0)  # attends to the previous token
    left, sizes, right = np.linalg.svd(np.where(causal_mask(N), local, -N))
    head = (left * sizes)[None] * np.sqrt(N), right.T[None]
    assert measure(*head)["position_overlap"] > 2 * baselines(*head)["shuffled head"]["position_overlap"]
    drawn = null["random head"]
    assert np.abs(drawn["keys_for_90_percent"] - own["keys_for_90_percent"]).max() > 1e-3
    again = baselines(queries, keys, rng=1)["random head"]
    np.testing.assert_array_equal(drawn["position_overlap"], again["position_overlap"])


def test_masked_keys_have_zero_weight(arrays):
    queries, keys = arrays[0][0], arrays[1][0]
    as_trained = attention_weights(queries, keys, mask=causal_mask(N))
    weights = head_weights(queries, keys, mask_keys([0, 4]))
    assert not weights[5:, [0, 4]].any() and weights[0, 0] == 1 and weights[4, 4] > 0
    rest = [j for j in range(N) if j not in (0, 4)]
    expected = as_trained[9:, rest] / as_trained[9:, rest].sum(axis=1, keepdims=True)
    np.testing.assert_allclose(weights[9:, rest], expected, atol=1e-12)


def test_fixed_query_is_used_at_every_position():
    model = load()
    tokens = model.encode("Then the King said to his daughter")
    query = np.random.default_rng(1).normal(size=32)
    run = model.run(tokens, {(0, 1): fixed_query(query, rotate)})
    for i in range(len(tokens)):
        scores = rotate(query[None], [i]) @ run.keys[0, 1, : i + 1].T / np.sqrt(32)
        np.testing.assert_allclose(run.weights[0, 1, i, : i + 1], softmax(scores)[0], atol=1e-12)


def ruler(**change):
    return measure(**{"queries": np.ones((1, 4, 2)), "keys": np.ones((1, 4, 2))} | change)


test_invalid_input_is_rejected = rejects(
    ("queries", lambda: ruler(queries=np.ones((4, 2)))),
    ("keys", lambda: ruler(keys=np.ones((1, 3, 2)))),
    ("keys", lambda: ruler(keys=np.zeros((1, 4, 2)))),
    ("weights", lambda: ruler(weights=np.ones((4, 4)))),
    ("tokens", lambda: ruler(tokens=[1, 2])),
    ("causal", lambda: ruler(causal="no")),
    ("positions", lambda: mask_keys([-1])),
    ("positions", lambda: mask_keys([0.5])),
)
