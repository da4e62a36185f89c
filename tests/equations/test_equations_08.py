"""The equations of chapter 8, each against loops over tokens and numbers."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from lib.attention import attention_weights, causal_mask
from lib.heads import BANDWIDTHS, OFFSETS, balanced_gaussian, copying, measure
from lib.language_model import HEAD_KERNELS, head_weights, load, norm, rotate, sample
from lib.weights import average, softmax

TEXT = "The King's daughter ran to the well, and the frog sat by the well."


@pytest.fixture(scope="module")
def model():
    return load()


@pytest.fixture(scope="module")
def tokens(model):
    return model.encode(TEXT)


def rms_norm(row):
    return row / math.sqrt(math.fsum(row * row) / len(row) + 1e-6)


def turned(vector, place):
    """Rotate pair by pair with complex numbers: a rotation by an angle is a product with e^{i·angle}."""
    half = len(vector) // 2
    result = np.empty_like(vector)
    for a in range(half):
        z = complex(vector[a], vector[a + half]) * np.exp(1j * place * 10000 ** (-2 * a / len(vector)))
        result[a], result[a + half] = z.real, z.imag
    return result


def head_by_loops(block, head, stream, n_seen=lambda i, n: i + 1):
    """Return scores and the head's output, token by token; query i sees the first `n_seen(i, n)` tokens."""
    x = [rms_norm(row) for row in stream]
    queries = [turned(block.query_maps[head] @ row, i) for i, row in enumerate(x)]
    keys = [turned(block.key_maps[head] @ row, j) for j, row in enumerate(x)]
    values = [block.value_maps[head] @ row for row in x]
    scores = [
        [queries[i] @ keys[j] / math.sqrt(len(keys[j])) for j in range(n_seen(i, len(x)))] for i in range(len(x))
    ]
    outputs = []
    for row in scores:
        kernel = [math.exp(score) for score in row]
        mean = sum(k * v for k, v in zip(kernel, values, strict=False)) / math.fsum(kernel)
        outputs.append(block.output_maps[head] @ mean)
    return scores, np.array(outputs)


@pytest.mark.equation("eq:head_scores", against="a double loop, rotated by complex numbers")
@pytest.mark.equation(
    "eq:head_weights",
    against="a double loop over the earlier words",
    says="A head averages the projected values of the current and earlier positions by softmax weights, "
    "and adds the projected average to the stream.",
    given={"n_seen": lambda i, n: i + 1, "kernel": "dot product"},
    without={
        "current and earlier positions": {"n_seen": lambda i, n: n},
        "softmax weights": {"kernel": "uniform"},
    },
)
def test_head_scores_weights_and_output(model, tokens, n_seen, kernel):
    run, block = model.run(tokens, {"all": kernel}), model.blocks[0]
    for head in range(4):
        scores, outputs = head_by_loops(block, head, norm(model.embedding[tokens]), n_seen)
        found = run.queries[0, head] @ run.keys[0, head].T / math.sqrt(32)
        for i, row in enumerate(scores):
            np.testing.assert_allclose(found[i, : len(row)], row, rtol=1e-9, atol=1e-9)
            expected = np.exp(np.array(row) - max(row))
            np.testing.assert_allclose(run.weights[0, head, i, : len(row)], expected / expected.sum(), atol=1e-10)
        mine = average(run.weights[0, head], run.values[0, head]) @ block.output_maps[head].T
        np.testing.assert_allclose(mine, outputs, atol=1e-9)


@pytest.mark.equation(
    "eq:head_weights",
    against="the keys and values of the shorter text",
    says="With a causal mask, appending a token changes no key and no value of an earlier one, so a program "
    "can store them.",
    given={"mask": causal_mask},
    without={"With a causal mask": {"mask": lambda n: np.ones((n, n), bool)}},
)
def test_appending_token_keeps_earlier_keys_and_values(model, tokens, mask):
    whole, part = keys_and_values(model, tokens, mask), keys_and_values(model, tokens[:-3], mask)
    np.testing.assert_allclose(np.array(whole)[:, :, :-3], part, atol=1e-9)


def keys_and_values(model, tokens, mask):
    """Return the keys and values of all heads, from heads with this mask."""
    stream, found = norm(model.embedding[tokens]), []
    for block in model.blocks:
        queries, keys, values, _ = block.heads(stream, [HEAD_KERNELS["dot product"]] * 4)
        found += [keys, values]
        weights = [attention_weights(*each, mask=mask(len(tokens))) for each in zip(queries, keys, strict=True)]
        stream = stream + ((np.array(weights) @ values) @ block.output_maps.mT).sum(axis=0)
        stream = stream + block.feed_forward(stream)
    return found


@pytest.mark.equation("eq:norm", against="the sum of squares, number by number")
def test_norm_divides_each_row_by_its_rms():
    rows = np.random.default_rng(0).normal(size=(5, 7)) * [[1e-4], [0.1], [1], [10], [1e4]]
    np.testing.assert_allclose(norm(rows), [rms_norm(row) for row in rows], rtol=1e-12)


@pytest.mark.equation(
    "eq:stream",
    against="loops over words, heads and hidden units",
    says="Each part of a block reads the residual stream and adds to it, and the feed-forward network does so "
    "for each position separately.",
    given={"part": "feed-forward network"},
    without={"the feed-forward network": {"part": "heads"}},
)
def test_residual_stream_matches_loops_and_is_causal(model, tokens, part):
    """Compute the whole model by loops, for a few tokens; then change all positions but the last."""
    tokens = tokens[:6]
    stream = np.array([rms_norm(row) for row in model.embedding[tokens]])
    for block in model.blocks:
        stream = stream + sum(head_by_loops(block, head, stream)[1] for head in range(4))
        added = []
        for row in stream:
            hidden = [max(0.0, unit) ** 2 for unit in block.first_layer @ rms_norm(row)]
            added.append(block.second_layer @ np.array(hidden))
        stream = stream + np.array(added)
    logits = np.array([model.embedding @ rms_norm(row) for row in stream])
    np.testing.assert_allclose(model.run(tokens).logits, logits, atol=1e-8)
    changed = np.concatenate([np.random.default_rng(3).normal(size=(5, 128)), stream[5:]])
    if part == "heads":
        added = [sum(head_by_loops(block, head, each)[1] for head in range(4)) for each in (stream, changed)]
    else:
        added = [block.feed_forward(each) for each in (stream, changed)]
    np.testing.assert_allclose(added[0][-1], added[1][-1], atol=1e-9)


@pytest.mark.equation("eq:memories", against="a loop over keys and their values")
def test_feed_forward_sums_values_of_matching_keys(model):
    block, x = model.blocks[1], np.random.default_rng(2).normal(size=(3, 128))
    for row, found in zip(x, block.feed_forward(x), strict=True):
        expected = np.zeros(128)
        for key, value in zip(block.first_layer, block.second_layer.T, strict=True):
            expected += max(0.0, math.fsum(key * rms_norm(row))) ** 2 * value
        np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.equation("eq:next_word", against="exponentials and their sum, over the whole vocabulary")
def test_next_word_probabilities_are_softmax_of_logits(model, tokens):
    """In a model of one block whose feed-forward network adds nothing, so that the stream is known."""
    block = model.blocks[0]._replace(second_layer=np.zeros_like(model.blocks[0].second_layer))
    model = model._replace(blocks=(block,))
    stream = norm(model.embedding[tokens])
    stream = stream + sum(head_by_loops(block, head, stream)[1] for head in range(4))
    kernel = [math.exp(math.fsum(row * rms_norm(stream[-1]))) for row in model.embedding]
    expected = [each / math.fsum(kernel) for each in kernel]
    np.testing.assert_allclose(softmax(model.run(tokens).logits[-1]), expected, rtol=1e-9)
    assert model.generate(tokens, 1, temperature=0)[-1] == int(np.argmax(expected))


@pytest.mark.equation("eq:surprise", against="the probabilities of the actual words, one by one")
def test_loss_is_mean_surprise(model, tokens):
    surprises = []
    for i in range(1, len(tokens)):
        probabilities = softmax(model.run(tokens[:i]).logits[-1])
        surprises.append(-math.log(probabilities[tokens[i]]))
    assert model.loss(tokens) == pytest.approx(math.fsum(surprises) / len(surprises), rel=1e-9)


@pytest.mark.equation("eq:rotary", against="complex numbers, pair by pair")
@pytest.mark.parametrize("dimension", [2, 6, 14])
def test_rotary_embedding_matches_rotation_by_hand(dimension):
    x = np.random.default_rng(dimension).normal(size=(11, dimension))
    np.testing.assert_allclose(rotate(x), [turned(row, i) for i, row in enumerate(x)], atol=1e-12)


@pytest.mark.equation(
    "eq:rotary_shift",
    against="many pairs of positions with the same difference",
    says="If queries and keys are rotated by their positions, the score of two given vectors depends on the "
    "difference of the positions alone.",
    given={"rotate_keys": rotate},
    without={"and keys": {"rotate_keys": lambda keys, positions: keys}},
)
def test_rotary_scores_depend_only_on_difference(rotate_keys):
    u, v = np.random.default_rng(1).normal(size=(2, 1, 10))
    for steps in (-7, 0, 1, 13):
        expected = (u @ rotate(v, [steps]).T).item()
        for start in (0, 3, 100, 1000):
            found = rotate(u, [start]) @ rotate_keys(v, [start + steps]).T
            assert found.item() == pytest.approx(expected, abs=1e-9)
        other = rotate(u, [5]) @ rotate(v, [5 + steps + 1]).T
        assert abs(other.item() - expected) > 1e-3


@pytest.mark.equation("eq:gaussian_head", against="squared distances, number by number")
def test_gaussian_head_kernel_matches_squared_distances():
    queries, keys = np.random.default_rng(2).normal(size=(2, 7, 6))
    root = math.sqrt(6)
    for i in range(7):
        for j in range(7):
            distance = math.fsum((queries[i] - keys[j]) ** 2)
            log_weight = HEAD_KERNELS["gaussian"](queries, keys)[i, j]
            assert log_weight == pytest.approx(-distance / (2 * root))
            norms = queries[i] @ queries[i] + keys[j] @ keys[j]
            assert log_weight == pytest.approx(queries[i] @ keys[j] / root - norms / (2 * root))


@pytest.mark.equation("eq:same_head", against="every pair of words, for c from 1/50 to 50")
@pytest.mark.parametrize("c", [0.02, 0.7, 3.0, 50.0])
def test_rescaled_projections_give_same_weights(c):
    rng = np.random.default_rng(5)
    x, query_maps, key_maps = rng.normal(size=(12, 9)), *rng.normal(size=(2, 2, 6, 9))
    first, other = ((x @ (factor * query_maps).mT, x @ (key_maps / factor).mT) for factor in (1.0, c))
    np.testing.assert_allclose(other[0] @ other[1].mT, first[0] @ first[1].mT, rtol=1e-9)
    np.testing.assert_allclose(attention_weights(*other), attention_weights(*first), atol=1e-12)
    expected, found = measure(*first), measure(*other)
    for name in expected:
        np.testing.assert_allclose(found[name], expected[name], rtol=1e-9, err_msg=name)


@pytest.mark.equation("eq:balanced_gaussian", against="squared distances after the scaling, number by number")
def test_balanced_scale_equalises_mean_squares():
    rng = np.random.default_rng(6)
    queries, keys = 3 * rng.normal(size=(8, 6)), rng.normal(size=(8, 6))
    mean = lambda rows: math.fsum(math.fsum(row * row) for row in rows) / len(rows)
    c = math.sqrt(math.sqrt(mean(keys) / mean(queries)))
    assert mean(c * queries) == pytest.approx(mean(keys / c))
    weights = head_weights(queries, keys, balanced_gaussian())
    for i in range(8):
        exponents = [math.fsum((c * queries[i] - key / c) ** 2) / (2 * math.sqrt(6)) for key in keys[: i + 1]]
        kernel = np.exp(-np.array(exponents))
        np.testing.assert_allclose(weights[i, : i + 1], kernel / math.fsum(kernel), rtol=1e-9)
    moved = np.abs(weights - head_weights(queries, keys, HEAD_KERNELS["dot product"])).sum(axis=1).mean() / 2
    assert measure(queries[None], keys[None])["distance_to_gaussian"] == pytest.approx(moved)


@pytest.mark.equation("eq:key_bias", against="exponentials and their sums without the bias")
def test_key_bias_changes_nothing():
    queries, keys = np.random.default_rng(7).normal(size=(2, 6, 4))
    bias = np.array([1.5, -2.0, 0.5, 1.0])
    for query, row in zip(queries, attention_weights(queries, keys + bias), strict=True):
        kernel = [math.exp(query @ key / 2) for key in keys]
        np.testing.assert_allclose(row, np.array(kernel) / math.fsum(kernel), rtol=1e-9)
    shifted = attention_weights(queries + bias, keys)  # a bias of the queries does matter
    assert np.abs(shifted - attention_weights(queries, keys)).max() > 0.1


@pytest.mark.equation("eq:copying", against="the eigenvalues of the large matrix, token by token")
def test_copying_eigenvalues_match_matrix_of_all_tokens():
    rng = np.random.default_rng(8)
    table = rng.normal(size=(30, 7))
    for value_map, output_map in [(rng.normal(size=(3, 7)), rng.normal(size=(7, 3))) for _ in range(4)]:
        raised = [[table[t] @ (output_map @ (value_map @ table[seen])) for seen in range(30)] for t in range(30)]
        eigenvalues = np.linalg.eigvals(raised)
        expected = math.fsum(eigenvalues.real) / math.fsum(abs(eigenvalues))
        assert copying(value_map, output_map, table) == pytest.approx(expected)
    assert copying(value_map, value_map.T, table) == pytest.approx(1)


@pytest.mark.equation("eq:place_head", against="every bandwidth and offset of the metric, with double loops")
def test_best_position_only_smoother_matches_search():
    rng = np.random.default_rng(9)
    queries, keys = 2 * rng.normal(size=(2, 1, 7, 4))
    weights, best = attention_weights(queries, keys, mask=causal_mask(7))[0], 0.0
    for offset in OFFSETS:
        for h in BANDWIDTHS if offset <= 0 else ():
            overlap = 0.0
            for i in range(7):
                exponents = [-(((j - i - offset) / h) ** 2) for j in range(i + 1)]
                kernel = [math.exp(each - max(exponents)) for each in exponents]
                overlap += sum(min(weights[i, j], kernel[j] / math.fsum(kernel)) for j in range(i + 1)) / 7
            best = max(best, overlap)
    assert measure(queries, keys)["position_overlap"] == pytest.approx(best)
    smoother = head_weights(queries[0], keys[0], lambda q, k: HEAD_KERNELS["position"](q, k, 2.5))
    for i, row in enumerate(smoother):
        kernel = np.exp([-((i - j) ** 2) / 2.5**2 for j in range(i + 1)])
        np.testing.assert_allclose(row[: i + 1], kernel / kernel.sum(), rtol=1e-12)


@pytest.mark.equation(
    "eq:head_logits",
    against="a double loop over words and the vocabulary",
    says="On the direct path, without the last norm, a head's output raises each token's logit by its "
    "inner product with the token's embedding.",
    given={"later": lambda block, x: x, "last": lambda x: x},
    without={
        "On the direct path": {"later": lambda block, x: x + block.feed_forward(x)},
        "without the last norm": {"last": norm},
    },
)
def test_head_logits_equal_change_of_logits(model, tokens, later, last):
    run, block, stream = model.run(tokens), model.blocks[0], norm(model.embedding[tokens])
    logits = lambda x: last(later(block, x)) @ model.embedding.T
    output = average(run.weights[0, 2], run.values[0, 2]) @ block.output_maps[2].T
    raised = logits(stream + output) - logits(stream)
    np.testing.assert_allclose(raised, model.head_logits(run, 0, 2), atol=1e-9)
    for block, head, place in ((3, 1, 5), (0, 2, 8), (0, 3, 1), (2, 0, 11)):
        mean = sum(run.weights[block, head, place, j] * run.values[block, head, j] for j in range(place + 1))
        added = np.array([math.fsum(row * mean) for row in model.blocks[block].output_maps[head]])
        expected = [math.fsum(model.embedding[word] * added) for word in range(0, 1024, 31)]
        np.testing.assert_allclose(model.head_logits(run, block, head)[place, ::31], expected, atol=1e-10)


@pytest.mark.equation(
    "eq:sampling",
    against="the probabilities that are drawn from, and 4000 draws",
    says="The sampling temperature divides the final logits, so on a given text it changes no head; as it "
    "approaches zero, the most probable token, if unique, is chosen.",
    given={"small": 1e-3, "lead": 1.0},
    without={"as it approaches zero": {"small": 1.0}, "if unique": {"lead": 0.0}},
)
@pytest.mark.parametrize("temperature", [0.5, 1.0, 2.0, 3.0])
def test_sampling_follows_probabilities_at_its_temperature(temperature, small, lead):
    logits, rng = np.array([2.0, 1.0, 0.0, -1.0]), np.random.default_rng(4)
    shares = np.bincount([sample(logits, temperature, rng) for _ in range(4000)], minlength=4) / 4000
    kernel = np.exp(logits / temperature)
    expected = kernel / kernel.sum()
    assert (np.abs(shares - expected) < 4 * np.sqrt(expected * (1 - expected) / 4000)).all()
    given = []
    draw = SimpleNamespace(choice=lambda n, p: given.append(p) or 3)
    assert sample(logits, temperature, draw) == 3
    np.testing.assert_allclose(given[0], expected, rtol=1e-12)
    assert sample(logits, 0, rng) == 0
    ahead = np.array([1.0 + lead, 1.0, 0.0, -1.0])
    assert all(sample(ahead, small, rng) == 0 for _ in range(100))
