"""The small transformer compared with PyTorch, its tokens and kernels, and the input that it rejects."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import lib.language_model as language_model
from lib.attention import attention_weights, causal_mask
from lib.language_model import HEAD_KERNELS, load
from lib.random_features import linear_attention
from lib.weights import softmax
from tests.invalid_input import rejects
from tools.train.train_language_model import Transformer, encode, merge, norm, rotate

TEXT = "Then the King said to his daughter, thou hast promised; and the King's daughter wept."


@pytest.fixture(scope="module")
def model():
    return load()


@pytest.fixture(scope="module")
def tokens(model):
    return model.encode(TEXT)


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_encoding_roundtrips_any_text(text):
    model = load()
    tokens = model.encode(text)
    assert tokens.dtype == int and tokens.ndim == 1
    assert model.decode(tokens) == text


def test_encoding_matches_training(model):
    pieces = {}
    expected = encode(TEXT, [tuple(pair) for pair in model.merges.tolist()], pieces)
    np.testing.assert_array_equal(model.encode(TEXT), expected)
    assert merge([1, 2, 1, 2, 3], (1, 2), 9) == [9, 9, 3]
    assert len(model.encode(TEXT)) < len(TEXT) / 2
    assert model.decode([0xC3]) == "\ufffd"  # an incomplete character


def as_torch(model):
    """The original training model with the same parameters."""
    copy = Transformer()
    with torch.no_grad():
        copy.embedding.copy_(torch.tensor(model.embedding))
        for block, stored in zip(copy.blocks, model.blocks, strict=True):
            for name in ("query_map", "key_map", "value_map"):
                getattr(block, name).copy_(torch.tensor(getattr(stored, f"{name}s")).flatten(0, 1))
            block.output_map.copy_(torch.tensor(stored.output_maps.swapaxes(0, 1).reshape(128, 128)))
            block.first_layer.copy_(torch.tensor(stored.first_layer))
            block.second_layer.copy_(torch.tensor(stored.second_layer))
    return copy.eval()


def test_blocks_and_logits_match_torch(model, tokens):
    """Run block by block, and yield queries, keys, values and weights."""
    run, copy = model.run(tokens), as_torch(model)
    with torch.no_grad():
        stream = norm(copy.embedding[torch.from_numpy(tokens)])
        for layer, block in enumerate(copy.blocks):
            x = norm(stream)
            split = lambda y: y.unflatten(-1, (4, 32)).transpose(-2, -3)
            queries, keys, values = (split(x @ m.T) for m in (block.query_map, block.key_map, block.value_map))
            queries, keys = rotate(queries), rotate(keys)
            for mine, theirs in [(run.queries, queries), (run.keys, keys), (run.values, values)]:
                np.testing.assert_allclose(mine[layer], theirs.numpy(), atol=1e-4)
            np.testing.assert_allclose(run.weights[layer], block.weights(queries, keys).numpy(), atol=1e-5)
            stream = block(stream, 0.0)
        logits = copy(torch.from_numpy(tokens)[None])[0]
    np.testing.assert_allclose(run.logits, logits.numpy(), atol=1e-4)


@pytest.mark.parametrize(
    "kernel", [*sorted({*HEAD_KERNELS} - {"position"}), ("position", 2.0), ("performer", 16, 3)]
)
def test_kernel_weights_are_causal_and_sum_to_one(model, tokens, kernel):
    weights = model.run(tokens, {"all": kernel}).weights
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)
    assert (weights >= 0).all() and not np.triu(weights, 1).any()


def test_temperature_scales_scores_and_performer_matches_features(model, tokens):
    kernels = {(0, 0): ("dot product", 2.0), (0, 1): ("gaussian", 2.0), (0, 2): ("performer", 64, 5)}
    run, mask = model.run(tokens, kernels), causal_mask(len(tokens))
    expected = attention_weights(run.queries[0, 0], run.keys[0, 0], 2 * np.sqrt(32), mask)
    np.testing.assert_allclose(run.weights[0, 0], expected, atol=1e-12)
    squares = ((run.queries[0, 1][:, None] - run.keys[0, 1]) ** 2).sum(axis=-1)
    expected = softmax(np.where(mask, -squares / (4 * np.sqrt(32)), -np.inf))
    np.testing.assert_allclose(run.weights[0, 1], expected, atol=1e-12)
    expected = linear_attention(run.queries[0, 2], run.keys[0, 2], np.eye(len(tokens)), 64, causal=True, rng=5)
    np.testing.assert_allclose(run.weights[0, 2], expected, atol=1e-12)


def test_swapping_one_head_keeps_lower_heads(model, tokens):
    trained, swapped = model.run(tokens), model.run(tokens, {(1, 2): "uniform"})
    np.testing.assert_array_equal(swapped.weights[0], trained.weights[0])
    np.testing.assert_array_equal(np.delete(swapped.weights[1], 2, 0), np.delete(trained.weights[1], 2, 0))
    n = len(tokens)
    np.testing.assert_allclose(swapped.weights[1, 2], np.tri(n) / np.arange(1, n + 1)[:, None])
    assert np.abs(swapped.logits - trained.logits).max() > 0
    mixed = model.run(tokens, {"all": "uniform", (0, 0): "dot product"})
    np.testing.assert_array_equal(mixed.weights[0, 0], trained.weights[0, 0])


def test_function_can_be_a_kernel(model, tokens):
    by_name = model.run(tokens, {"all": ("position", 3.0)})
    places = np.arange(len(tokens))
    by_function = model.run(tokens, {"all": lambda q, k: -((places[:, None] - places) ** 2) / 9})
    np.testing.assert_allclose(by_function.logits, by_name.logits, atol=1e-10)


def test_model_is_causal(model, tokens):
    whole = model.run(tokens)
    part = model.run(tokens[:11])
    np.testing.assert_allclose(whole.logits[:11], part.logits, atol=1e-10)
    for kernel in ("gaussian", ("position", 2.0), ("performer", 32, 0)):
        whole, part = (model.run(some, {"all": kernel}).logits for some in (tokens, tokens[:11]))
        np.testing.assert_allclose(whole[:11], part, atol=1e-8)


def test_generate_is_greedy_or_follows_its_seed(model, tokens):
    before = tokens.copy()
    written = model.generate(tokens[:5], 3, temperature=0)
    for i in range(5, 8):
        assert written[i] == model.run(written[:i]).logits[-1].argmax()
    np.testing.assert_array_equal(model.generate(tokens[:5], 3, temperature=1e-310, rng=0), written)
    assert len(model.generate(np.full(256, 32), 1, temperature=0)) == 257  # longer than the context
    first, again, other = (model.generate(tokens[:5], 5, rng=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(first[:5], tokens[:5])
    assert len(first) == 10 and (first != other).any()
    np.testing.assert_array_equal(tokens, before)


def with_kernel(kernel, head="all"):
    return lambda: load().run([1], {head: kernel})


test_invalid_input_is_rejected = rejects(
    ("text", lambda: load().encode(b"bytes")),
    ("text", lambda: load().encode("\ud800")),
    *[("tokens", lambda bad=bad: load().decode(bad)) for bad in ([1024], [-1], ["a"])],
    *[("tokens", lambda bad=bad: load().run(bad)) for bad in ([], np.zeros(257, int), [[1, 2]], [1.5])],
    ("tokens", lambda: load().loss([1])),
    ("tokens", lambda: load().generate([], 1)),
    ("n_tokens", lambda: load().generate([1], -1)),
    ("temperature", lambda: load().generate([1], 1, temperature=-1)),
    ("kernels", lambda: load().run([1], "gaussian")),
    *[("kernel", with_kernel(bad)) for bad in ("cosine", ("position",), ("uniform", 1, 2), lambda q, k: 0.0)],
    ("bandwidth", with_kernel(("position", -1))),
    ("factor", with_kernel(("gaussian", 0))),
    ("n_features", with_kernel(("performer", 0, 0))),
    ("head", with_kernel("uniform", "every")),
    ("head", with_kernel("uniform", (0, -1))),
    ("layer", with_kernel("uniform", (4, 0))),
    ("head", lambda: load().head_logits(load().run([1]), 0, 4)),
    ("x", lambda: language_model.rotate(np.ones((2, 3)))),
    ("positions", lambda: language_model.rotate(np.ones((2, 4)), [1])),
)


def test_merges_accept_any_integer_type(model):
    text = "Once upon a time"
    other = model._replace(merges=model.merges.astype(int))
    np.testing.assert_array_equal(other.encode(text), model.encode(text))
    assert other.decode(model.encode(text)) == text


def test_arrays_of_shared_model_are_read_only(model):
    for array in (model.merges, model.embedding, *model.blocks[0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0
