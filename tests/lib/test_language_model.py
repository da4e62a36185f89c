"""The small transformer against PyTorch, its tokens, its kernels, and what it refuses."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from train_language_model import Transformer, encode, merge, norm, rotate

import lib.language_model as language_model
from lib.attention import attention_weights, causal_mask
from lib.language_model import KERNELS, head_weights, load
from lib.random_features import linear_attention
from lib.weights import average, softmax

TEXT = "Then the King said to his daughter, thou hast promised; and the King's daughter wept."


@pytest.fixture(scope="module")
def model():
    return load()


@pytest.fixture(scope="module")
def tokens(model):
    return model.encode(TEXT)


def as_torch(model):
    """The same weights in the transformer that was trained."""
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


# ---- Tokens ----------------------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=200)
@given(st.text())
def test_any_text_comes_back(text):
    model = load()
    tokens = model.encode(text)
    assert tokens.dtype == int and tokens.ndim == 1
    assert model.decode(tokens) == text


@pytest.mark.parametrize("text", ["", " ", "\n\n", "naïve café", "雪だるま ☃", "🧙‍♂️ said", "a\x00b", "x" * 300])
def test_unusual_texts_come_back(model, text):
    assert model.decode(model.encode(text)) == text


def test_encoding_is_what_training_used(model):
    pieces = {}
    assert (
        model.encode(TEXT).tolist()
        == encode(TEXT, [tuple(pair) for pair in model.merges.tolist()], pieces).tolist()
    )
    assert merge([1, 2, 1, 2, 3], (1, 2), 9) == [9, 9, 3]
    assert len(model.encode(TEXT)) < len(TEXT) / 2


def test_half_a_letter_is_shown_as_such(model):
    assert model.decode(model.encode("é")[:1][:0]) == ""
    assert model.decode([0xC3]) == "�"


# ---- The same as in PyTorch ------------------------------------------------------------------------------------


def test_logits_equal_those_of_torch(model, tokens):
    with torch.no_grad():
        expected = as_torch(model)(torch.from_numpy(tokens)[None])[0].numpy()
    np.testing.assert_allclose(model.run(tokens).logits, expected, atol=1e-4)


def test_parts_equal_those_of_torch(model, tokens):
    """Block by block: queries, keys, values and weights."""
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


def test_loss_is_torch_cross_entropy(model, tokens):
    logits = torch.from_numpy(model.run(tokens[:-1]).logits)
    expected = torch.nn.functional.cross_entropy(logits, torch.from_numpy(tokens[1:])).item()
    assert model.loss(tokens) == pytest.approx(expected, abs=1e-9)


# ---- Kernels ---------------------------------------------------------------------------------------------------


def test_weights_as_trained_are_attention_under_the_causal_mask(model, tokens):
    run, n = model.run(tokens), len(tokens)
    np.testing.assert_allclose(
        run.weights, attention_weights(run.queries, run.keys, mask=causal_mask(n)), atol=1e-12
    )


@pytest.mark.parametrize("kernel", [*KERNELS, ("place", 2.0), ("performer", 16, 3), ("gaussian", 0.5)])
def test_weights_of_every_kernel_are_causal_and_sum_to_one(model, tokens, kernel):
    if kernel == "place":
        kernel = ("place", 1.0)
    weights = model.run(tokens, {"all": kernel}).weights
    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=1e-12)
    assert (weights >= 0).all() and not np.triu(weights, 1).any()


def test_the_gaussian_differs_by_the_norms_of_the_keys_alone(model, tokens):
    run = model.run(tokens, {(0, 0): "gaussian"})
    queries, keys, mask = run.queries[0, 0], run.keys[0, 0], causal_mask(len(tokens))
    scores = queries @ keys.T / np.sqrt(32) - (keys**2).sum(axis=1) / (2 * np.sqrt(32))
    np.testing.assert_allclose(run.weights[0, 0], softmax(np.where(mask, scores, -np.inf)), atol=1e-12)


def test_the_performer_is_chapter_seven(model, tokens):
    run = model.run(tokens, {(0, 2): ("performer", 64, 5)})
    expected = linear_attention(run.queries[0, 2], run.keys[0, 2], np.eye(len(tokens)), 64, causal=True, rng=5)
    np.testing.assert_allclose(run.weights[0, 2], expected, atol=1e-12)


def test_many_features_approach_the_dot_product():
    rng = np.random.default_rng(0)
    queries, keys = rng.normal(size=(2, 7, 4)) / 2
    exact = head_weights(queries, keys, KERNELS["dot product"])
    close = head_weights(queries, keys, lambda q, k: KERNELS["performer"](q, k, 100_000, 0))
    np.testing.assert_allclose(close, exact, atol=0.01)


def test_temperatures_are_factors(model, tokens):
    run = model.run(tokens, {(0, 0): ("dot product", 2.0), (0, 1): ("gaussian", 2.0)})
    mask, n = causal_mask(len(tokens)), len(tokens)
    expected = attention_weights(run.queries[0, 0], run.keys[0, 0], 2 * np.sqrt(32), mask)
    np.testing.assert_allclose(run.weights[0, 0], expected, atol=1e-12)
    squares = ((run.queries[0, 1][:, None] - run.keys[0, 1]) ** 2).sum(axis=-1)
    expected = softmax(np.where(mask, -squares / (4 * np.sqrt(32)), -np.inf))
    np.testing.assert_allclose(run.weights[0, 1], expected, atol=1e-12)
    assert n == len(run.logits)


def test_one_head_is_swapped_and_the_others_below_it_are_not(model, tokens):
    trained, swapped = model.run(tokens), model.run(tokens, {(1, 2): "uniform"})
    np.testing.assert_array_equal(swapped.weights[0], trained.weights[0])
    np.testing.assert_array_equal(np.delete(swapped.weights[1], 2, 0), np.delete(trained.weights[1], 2, 0))
    n = len(tokens)
    np.testing.assert_allclose(swapped.weights[1, 2], np.tri(n) / np.arange(1, n + 1)[:, None])
    assert np.abs(swapped.logits - trained.logits).max() > 0


def test_a_head_of_its_own_goes_before_all(model, tokens):
    mixed = model.run(tokens, {"all": "uniform", (0, 0): "dot product"})
    np.testing.assert_array_equal(mixed.weights[0, 0], model.run(tokens).weights[0, 0])


def test_a_function_is_a_kernel(model, tokens):
    by_name = model.run(tokens, {"all": ("place", 3.0)})
    places = np.arange(len(tokens))
    by_function = model.run(tokens, {"all": lambda q, k: -((places[:, None] - places) ** 2) / 9})
    np.testing.assert_allclose(by_function.logits, by_name.logits, atol=1e-10)


def test_later_words_change_nothing_earlier(model, tokens):
    whole = model.run(tokens)
    part = model.run(tokens[:11])
    np.testing.assert_allclose(whole.logits[:11], part.logits, atol=1e-10)
    for kernel in ("gaussian", ("place", 2.0), ("performer", 32, 0)):
        whole, part = (model.run(some, {"all": kernel}).logits for some in (tokens, tokens[:11]))
        np.testing.assert_allclose(whole[:11], part, atol=1e-8)


# ---- Writing, and what a head says -----------------------------------------------------------------------------


def test_greedy_writing_takes_the_likeliest(model, tokens):
    written = model.generate(tokens[:5], 3, temperature=0)
    for i in range(5, 8):
        assert written[i] == model.run(written[:i]).logits[-1].argmax()
    np.testing.assert_array_equal(model.generate(tokens[:5], 3, temperature=1e-310, rng=0), written)


def test_writing_repeats_with_its_seed_and_only_appends(model, tokens):
    first, again, other = (model.generate(tokens, 9, rng=seed) for seed in (3, 3, 4))
    np.testing.assert_array_equal(first, again)
    np.testing.assert_array_equal(first[: len(tokens)], tokens)
    assert len(first) == len(tokens) + 9 and (first != other).any()


def test_writing_goes_on_past_the_context(model):
    assert len(model.generate(np.full(255, 32), 3, temperature=0)) == 258


def test_head_logits_are_the_average_through_both_maps(model, tokens):
    run = model.run(tokens)
    said = model.head_logits(run, 2, 1)
    estimate = average(run.weights[2, 1], run.values[2, 1])[4]
    np.testing.assert_allclose(said[4], model.embedding @ (model.blocks[2].output_maps[1] @ estimate), atol=1e-10)


# ---- What is refused -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda m: m.encode(b"bytes"), TypeError, "text: expected a str"),
        (lambda m: m.encode("\ud800"), ValueError, "text: expected what UTF-8 can write"),
        (lambda m: m.decode([1024]), ValueError, "tokens: expected numbers from 0 to 1023"),
        (lambda m: m.decode([-1]), ValueError, "tokens: expected numbers from 0 to 1023"),
        (lambda m: m.decode(np.ma.masked_array([65, 66], [0, 1])), TypeError, "tokens: expected an array without"),
        (lambda m: m.decode([[1], [1, 2]]), ValueError, "tokens: expected rows of one length"),
        (lambda m: m.decode(["a"]), TypeError, "tokens: expected whole numbers"),
        (lambda m: m.run([]), ValueError, "tokens: expected 1 to 256 of them, got 0"),
        (lambda m: m.run(np.zeros(257, int)), ValueError, "tokens: expected 1 to 256 of them, got 257"),
        (lambda m: m.run([[1, 2]]), TypeError, "tokens: expected whole numbers of shape"),
        (lambda m: m.run([1.5]), TypeError, "tokens: expected whole numbers"),
        (lambda m: m.run([True]), TypeError, "tokens: expected whole numbers"),
        (lambda m: m.run([1], "gaussian"), TypeError, "kernels: expected a dict"),
        (lambda m: m.run([1], {"all": "cosine"}), ValueError, "kernel: expected one of dot product"),
        (lambda m: m.run([1], {"all": ("place", -1)}), ValueError, "bandwidth"),
        (lambda m: m.run([1], {"all": ("place",)}), ValueError, "kernel: expected"),
        (lambda m: m.run([1], {"all": ("uniform", 1, 2)}), ValueError, "kernel: expected"),
        (lambda m: m.run([1], {"all": ("gaussian", 0)}), ValueError, "temperature factor"),
        (lambda m: m.run([1], {"all": ("performer", 0, 0)}), ValueError, "n_features"),
        (lambda m: m.run([1], {"all": None}), ValueError, "kernel: expected one of"),
        (lambda m: m.run([1], {"every": "uniform"}), ValueError, "head: expected"),
        (lambda m: m.run([1], {(4, 0): "uniform"}), ValueError, "layer: expected a whole number from 0 to 3"),
        (lambda m: m.run([1], {(0, -1): "uniform"}), ValueError, "head: expected a whole number from 0 to 3"),
        (lambda m: m.run([1], {0: "uniform"}), ValueError, "head: expected"),
        (lambda m: m.run([1], {"all": lambda q, k: 0.0}), ValueError, "kernel: expected log-weights of shape"),
        (lambda m: m.loss([1]), ValueError, "tokens: expected 2 to 257 of them, got 1"),
        (lambda m: m.generate([], 1), ValueError, "tokens: expected"),
        (lambda m: m.generate([1], -1), ValueError, "n_tokens"),
        (lambda m: m.generate([1], 1, temperature=-1), ValueError, "temperature"),
        (lambda m: m.generate([1], 1, temperature=np.nan), ValueError, "temperature"),
        (lambda m: m.head_logits(m.run([1]), 0, 4), ValueError, "head: expected a whole number from 0 to 3"),
        (lambda m: language_model.rotate(np.ones((2, 3))), ValueError, "x: expected shape"),
        (lambda m: language_model.rotate(np.ones((2, 4)), [1]), ValueError, "places: expected one per row"),
    ],
)  # fmt: skip
def test_bad_input_gets_one_clear_error(model, call, error, words):
    with pytest.raises(error, match=words):
        call(model)


def test_nothing_changes_its_arguments(model, tokens):
    before, kernels = tokens.copy(), {"all": "uniform", (0, 0): "gaussian"}
    model.run(tokens, kernels)
    model.generate(tokens, 2, rng=0, kernels=kernels)
    np.testing.assert_array_equal(tokens, before)
    assert kernels == {"all": "uniform", (0, 0): "gaussian"}


def test_merges_of_any_integer_type_give_the_same_tokens(model):
    text = "Once upon a time"
    other = model._replace(merges=model.merges.astype(int))
    np.testing.assert_array_equal(other.encode(text), model.encode(text))
    assert other.decode(model.encode(text)) == text


def test_the_model_that_all_share_is_read_only(model):
    for array in (model.merges, model.embedding, *model.blocks[0]):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_the_stored_file_is_small():
    assert language_model.MODEL.stat().st_size <= 1_300_000
