"""Attention compared with its formula and PyTorch, and its properties."""

import math

import numpy as np
import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from lib.attention import attention, attention_weights, causal_mask, multi_head_attention, positional_encoding
from lib.weights import average, softmax
from tests.invalid_input import rejected, rejects
from tests.oracles import dense_attention_weights, peak_memory


def example(n_queries=5, n_keys=7, c=2, dtype=np.float64):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape).astype(dtype) for shape in ((n_queries, 3), (n_keys, 3), (n_keys, c))]


def long_example(dtype=np.float64):
    """Prime lengths with more pairs than one block, so that they are streamed."""
    return example(n_queries=521, n_keys=1031, dtype=dtype)


@pytest.fixture
def stream(monkeypatch):
    """Stream even the smallest example, starting with this call."""

    def all_is_much():
        for limit in ("FEW_QUERIES", "FEW_PAIRS"):
            monkeypatch.setattr(f"lib.engine.attention.{limit}", 0)

    return all_is_much


@pytest.mark.equation("eq:attention", "eq:attention_weights", against="the dense formula, in long double")
@pytest.mark.parametrize("temperature", [None, 0.7])
@pytest.mark.parametrize("masked", [False, True])
def test_attention_equals_its_definition(temperature, masked):
    queries, keys, values = example()
    mask = np.tril(np.ones((5, 7), bool), k=1) if masked else None
    bias = np.where(mask, 0.0, -np.inf) if masked else 0.0
    weights = dense_attention_weights(queries, keys, temperature or math.sqrt(3), bias)
    np.testing.assert_allclose(attention_weights(queries, keys, temperature, mask), weights, rtol=1e-13)
    np.testing.assert_allclose(attention(queries, keys, values, temperature, mask), weights @ values, rtol=1e-13)


@pytest.mark.parametrize("dtype, tolerance", [(np.float64, 1e-12), (np.float32, 2e-6)])
@pytest.mark.parametrize("scale", [1.0, 1e-3, 2.0, 5.0, 40.0, 1e4, 1e60])
def test_streaming_equals_readable_form(dtype, tolerance, scale):
    """Covers several blocks of queries and keys, with a mask and a bias, including rows that are recomputed."""
    (queries, keys, values), rng = long_example(dtype), np.random.default_rng(1)
    mask, bias = rng.random((521, 1031)) < 0.3, rng.normal(size=(521, 1031)).astype(dtype)
    scale = min(scale, 1e20) if dtype == np.float32 else scale
    arrays = queries * dtype(scale), keys * dtype(scale), values
    estimate = attention(*arrays, mask=mask, bias=bias)
    assert estimate.dtype == dtype
    exact = [a.astype(np.float64) for a in arrays]
    expected = average(attention_weights(*exact[:2], mask=mask, bias=bias), exact[2])
    np.testing.assert_allclose(estimate, expected, atol=tolerance if scale == 1 else 1e-4)


@pytest.mark.parametrize("shape", [(), (1031,), (1, 1031), (521, 1)])
def test_mask_and_bias_broadcast_when_streamed(shape):
    (queries, keys, values), rng = long_example(), np.random.default_rng(2)
    given = {"mask": np.asarray(rng.random(shape) < 0.7), "bias": np.asarray(rng.normal(size=shape))}
    for name, array in given.items():
        expected = average(attention_weights(queries, keys, **{name: array}), values)
        np.testing.assert_allclose(attention(queries, keys, values, **{name: array}), expected, atol=1e-12)


@pytest.mark.parametrize(
    "dtype, query_size, key_size, temperature",
    [
        (np.float32, 1e25, 1e25, 1e50),
        (np.float32, 1e-20, 1e-20, 1e-40),
        (np.float32, 1e-35, 1e35, 1.0),
        (np.float64, 1.0, 1e-165, 1e-165),
        (np.float64, 1e200, 1e-200, 1.0),
    ],
)
def test_streaming_survives_any_temperature(stream, dtype, query_size, key_size, temperature):
    queries, keys, values = example(n_queries=19, n_keys=23)
    expected = attention(queries, keys, values, temperature=1.0)
    stream()
    queries, keys = (query_size * queries).astype(dtype), (key_size * keys).astype(dtype)
    result = attention(queries, keys, values.astype(dtype), temperature=temperature)
    np.testing.assert_allclose(result, expected, rtol=0, atol=5e-6 if dtype == np.float32 else 1e-13)


@pytest.mark.parametrize("batch, n_queries, n_keys", [((), 3001, 3001), ((50,), 16, 9001), ((50,), 17, 9001)])
def test_attention_memory_stays_below_one_byte_per_pair(batch, n_queries, n_keys):
    _, keys, values = example(n_keys=n_keys, dtype=np.float32)
    queries, mask = np.ones((*batch, n_queries, 3), np.float32), np.tri(n_queries, n_keys, dtype=bool)
    peak = peak_memory(lambda: attention(queries, keys, values, mask=mask if n_queries == n_keys else None))
    assert peak < math.prod(batch) * n_queries * n_keys / (1 if batch else 2)  # less than a byte per pair


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("size", [1.0, 50.0, 1e5])
@pytest.mark.parametrize("shape", [(5, 7), (1, 7), (5, 1), (2, 1, 7), ()])
def test_masked_and_biased_attention_matches_oracle(stream, dtype, size, shape):
    rng = np.random.default_rng(14)
    queries, keys, values = (rng.normal(size=s).astype(dtype) for s in [(5, 3), (7, 3), (7, 2)])
    bias, mask = (size * rng.normal(size=shape)).astype(dtype), rng.random((5, 7)) < 0.7
    bias = np.where(rng.random(shape) < 0.2, -np.inf, bias)
    rounding = 1e-5 if dtype == np.float32 else max(1, size) * 1e-12
    log_weights = queries.astype(float) @ keys.T / np.sqrt(3) + np.where(mask, bias, -np.inf)
    expected = average(softmax(log_weights), values)
    np.testing.assert_allclose(attention(queries, keys, values, mask=mask, bias=bias), expected, 0, rounding)
    stream()
    streamed = attention(queries, keys, values, mask=mask, bias=bias)
    assert streamed.dtype == dtype
    np.testing.assert_allclose(streamed, expected, rtol=0, atol=rounding)
    if shape == (5, 7):  # keys with a bias of −inf have no influence
        values[np.isneginf(bias).all(axis=0) | ~mask.any(axis=0)] = 1e30
        np.testing.assert_array_equal(attention(queries, keys, values, mask=mask, bias=bias), streamed)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("streamed", [False, True])
def test_huge_bias_keeps_scores(stream, streamed, dtype):
    """The smallest number of the type masks keys; in a whole row it does not prefer any."""
    queries, keys, values = example(dtype=dtype)
    mask = np.random.default_rng(15).random((5, 7)) < 0.6
    mask[1], mask[2] = False, True
    bias = np.where(mask, 0, np.finfo(dtype).min).astype(dtype)
    expected = attention(queries, keys, values, mask=mask)
    expected[1] = attention(queries[1:2], keys, values)[0]
    if streamed:
        stream()
    np.testing.assert_allclose(attention(queries, keys, values, bias=bias), expected, atol=1e-6)
    above = np.where(mask, 0, 1e308)  # masked entries may have any bias
    np.testing.assert_allclose(
        attention(queries, keys, values, mask=mask, bias=above)[2:], expected[2:], atol=1e-6
    )


@pytest.mark.parametrize("padding", [1e6, 1e12, 1e100, 1e308])
@pytest.mark.parametrize("make", [example, long_example])
def test_fully_masked_key_has_no_influence(make, padding):
    """A huge bias must not reduce the others' precision, although streaming centres and bounds all keys."""
    queries, keys, values = make()
    visible = np.tile(np.arange(len(keys)) < len(keys) - 3, (len(queries), 1))
    keys[-3:], values[-3:] = padding, padding
    expected = average(attention_weights(queries, keys[:-3]), values[:-3])
    for hidden in ({"mask": visible}, {"bias": np.where(visible, 0, -np.inf)}):
        np.testing.assert_allclose(attention(queries, keys, values, **hidden), expected, rtol=0, atol=1e-13)


@pytest.mark.parametrize("n_keys", [7, 600_011])
def test_fully_masked_query_has_no_estimate(n_keys):
    queries, keys, values = example(n_keys=n_keys, n_queries=2)
    mask = np.ones((2, n_keys), bool)
    mask[1] = False
    result = attention(queries, keys, values, mask=mask)
    assert np.isfinite(result[0]).all() and np.isnan(result[1]).all()
    np.testing.assert_array_equal(attention_weights(queries, keys, mask=mask)[1], 0)


def test_mask_axes_are_queries_and_keys():
    """Also in a batch of as many elements as queries, where (batch, keys) has the same shape."""
    rng = np.random.default_rng(6)
    tokens, mask = rng.normal(size=(4, 4, 3)), rng.random((4, 4)) < 0.6
    mask[:, 0] = True
    each = [attention(element, element, element, mask=mask) for element in tokens]
    np.testing.assert_allclose(attention(tokens, tokens, tokens, mask=mask), each, rtol=1e-14)
    padded = [attention(element, element, element, mask=row) for element, row in zip(tokens, mask, strict=True)]
    np.testing.assert_allclose(attention(tokens, tokens, tokens, mask=mask[:, None]), padded, rtol=1e-14)
    assert not np.allclose(each, padded)


def test_padding_without_its_axis_is_rejected():
    tokens = np.ones((3, 4, 2))
    with pytest.raises(ValueError, match=r"mask: expected .* got \(3, 4\); padding .* is padding\[:, None\]"):
        attention(tokens, tokens, tokens, mask=np.ones((3, 4), bool))


@pytest.mark.parametrize(
    "query_batch, key_batch, value_batch, mask_shape",
    [
        ((2, 3), (2, 3), (2, 3), (7,)),
        ((2, 1), (3,), (3,), (5, 7)),
        ((), (3,), (2, 1), (2, 1, 5, 7)),
        ((3,), (), (), (5, 1)),
    ],
)
def test_leading_axes_broadcast(stream, query_batch, key_batch, value_batch, mask_shape):
    rng = np.random.default_rng(2)
    queries, keys = rng.normal(size=(*query_batch, 5, 3)), rng.normal(size=(*key_batch, 7, 3))
    values, mask = rng.normal(size=(*value_batch, 7, 2)), rng.random(mask_shape) < 0.8
    results = [attention(queries, keys, values, mask=mask)]
    stream()
    results.append(attention(queries, keys, values, mask=mask))
    batch = np.broadcast_shapes(query_batch, key_batch, value_batch)
    visible = np.broadcast_to(mask, (*batch, 5, 7))
    for result in results:
        assert result.shape == (*batch, 5, 2)
        for i in np.ndindex(batch):
            parts = [np.broadcast_to(a, batch + a.shape[-2:])[i] for a in (queries, keys, values)]
            with np.errstate(divide="ignore"):
                expected = average(softmax(parts[0] @ parts[1].T / np.sqrt(3) + np.log(visible[i])), parts[2])
            np.testing.assert_allclose(result[i], expected, atol=1e-13)


@pytest.mark.equation("eq:multi_head", against="PyTorch's multi-head attention")
@pytest.mark.parametrize("n_groups", [4, 2])
def test_multi_head_attention_matches_torch(n_groups):
    """If there are fewer key and value projections than query projections, they are shared in order."""
    rng = np.random.default_rng(17)
    tokens = [rng.normal(size=(2, n, d)) for n, d in [(5, 11), (7, 13), (7, 2)]]
    maps = [rng.normal(size=(n, 3, d)) for n, d in [(4, 11), (n_groups, 13), (n_groups, 2)]]
    output_map, mask = rng.normal(size=(6, 12)), rng.random((2, 5, 7)) < 0.7
    mask[..., 0] = True
    result = multi_head_attention(*tokens, *maps, output_map=output_map, temperature=1.5, mask=mask)
    heads = [torch.from_numpy(x[:, None] @ m.mT) for x, m in zip(tokens, maps, strict=True)]
    of_torch = scaled_dot_product_attention(
        *heads, torch.from_numpy(mask[:, None]), scale=1 / 1.5, enable_gqa=True
    )
    expected = of_torch.transpose(1, 2).reshape(2, 5, 12).numpy() @ output_map.T
    np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-12)


def test_projection_biases_match_torch():
    """The layout of torch.nn.MultiheadAttention; its mask is the opposite."""
    with torch.random.fork_rng():
        torch.manual_seed(0)
        layer = torch.nn.MultiheadAttention(12, 3, bias=True, batch_first=True, dtype=torch.float64)
        tokens = torch.randn(2, 7, 12, dtype=torch.float64)
        torch.nn.init.normal_(layer.in_proj_bias)
        torch.nn.init.normal_(layer.out_proj.bias)
    mask = causal_mask(7)
    with torch.no_grad():
        expected, weights = layer(
            tokens, tokens, tokens, attn_mask=torch.from_numpy(~mask), average_attn_weights=False
        )
    maps, biases = (array.detach().numpy() for array in (layer.in_proj_weight, layer.in_proj_bias))
    given = dict(zip(("query_bias", "key_bias", "value_bias"), biases.reshape(3, 3, 4), strict=True))
    output = {"output_map": layer.out_proj.weight, "output_bias": layer.out_proj.bias}
    output = {name: array.detach().numpy() for name, array in output.items()}
    inputs = [tokens.numpy()] * 3 + list(maps.reshape(3, 3, 4, 12))
    result, own_weights = multi_head_attention(*inputs, **given, **output, mask=mask, return_weights=True)
    np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(own_weights, weights, rtol=1e-9, atol=1e-12)
    for name in (*given, "output_bias"):
        without = multi_head_attention(*inputs, **(given | output | {name: None}), mask=mask)
        assert (name == "key_bias") == np.allclose(without, result)  # which shifts all scores of a query equally
        with pytest.raises(ValueError, match=r"bias.*: expected shape .*, got \(5,\)"):
            multi_head_attention(*inputs, **(given | output | {name: np.zeros(5)}), mask=mask)


@pytest.mark.parametrize("by_torch", [False, True], ids=["own softmax", "PyTorch"])
@pytest.mark.parametrize("n_groups", [4, 2])
def test_each_head_has_its_own_mask_and_bias(n_groups, by_torch):
    """A bias per head as in ALiBi, compared with PyTorch, optionally with the weights."""
    rng = np.random.default_rng(18)
    tokens = [rng.normal(size=(2, n, d)) for n, d in [(5, 11), (7, 13), (7, 2)]]
    maps = [rng.normal(size=(n, 3, d)) for n, d in [(4, 11), (n_groups, 13), (n_groups, 2)]]
    distance = np.abs(np.arange(2, 7)[:, None] - np.arange(7))
    bias, mask = -distance * 2.0 ** -np.arange(1, 5)[None, :, None, None], rng.random((2, 4, 5, 7)) < 0.7
    mask[..., 0] = True
    result, weights = multi_head_attention(*tokens, *maps, mask=mask, bias=bias, return_weights=True)
    heads = [x[:, None] @ m.mT for x, m in zip(tokens, maps, strict=True)]
    if by_torch:
        together = torch.from_numpy(np.where(mask, bias, -np.inf))
        expected = scaled_dot_product_attention(*map(torch.from_numpy, heads), together, enable_gqa=True).numpy()
    else:
        expected = weights @ np.repeat(heads[2], 4 // n_groups, axis=1)
        np.testing.assert_allclose(weights.sum(axis=-1), 1)
        assert not weights[~mask].any()
    np.testing.assert_allclose(result, expected.swapaxes(1, 2).reshape(2, 5, 12), rtol=1e-9, atol=1e-12)


@pytest.mark.equation("eq:causal_mask", against="PyTorch's attention with a cache")
@pytest.mark.parametrize("n_keys", [3, 7])
def test_fewer_queries_than_keys_are_the_last_positions(n_keys):
    queries, keys, values = example(n_queries=3, n_keys=n_keys)
    in_torch = torch.ones(3, n_keys).tril(n_keys - 3).bool()
    expected = scaled_dot_product_attention(*map(torch.from_numpy, (queries, keys, values)), in_torch)
    np.testing.assert_allclose(attention(queries, keys, values, mask=causal_mask(3, n_keys)), expected, rtol=1e-12)


@pytest.mark.parametrize("window", [1, 3, 20])
def test_causal_window_keeps_the_last_keys(window):
    position, key = np.arange(4, 7)[:, None], np.arange(7)
    expected = (key <= position) & (key > position - window)
    np.testing.assert_array_equal(causal_mask(3, 7, window=window), expected)


def attend(**change):
    return attention(**(dict(queries=np.ones((5, 3)), keys=np.ones((7, 3)), values=np.ones(7)) | change))


def by_heads(*maps, **options):
    return multi_head_attention(*[np.ones((7, 5))] * 3, *maps, **options)


MAPS = np.ones((3, 2, 3, 5))  # query, key, value; two heads


test_invalid_input_is_rejected = pytest.mark.filterwarnings(
    "ignore:overflow"
)(
    rejects(
        ("queries", lambda: attend(queries=np.ones(3))),
        ("queries", lambda: attend(queries=np.ones((2, 5, 3)), keys=np.ones((3, 7, 3)))),
        ("values", lambda: attend(queries=np.ones((2, 5, 3)), values=np.ones((3, 7, 2)))),
        ("temperature", lambda: attend(temperature=1e-320)),
        ("temperature", lambda: attend(queries=np.full((5, 3), 1e200), keys=np.full((7, 3), 1e200))),
        ("mask", lambda: attend(queries=np.ones((2, 5, 3)), mask=np.ones((3, 5, 7), bool))),
        ("mask", lambda: attend(mask=np.ones((5, 7)))),
        ("bias", lambda: attend(bias=np.inf)),
        ("n", lambda: causal_mask(0)),
        ("n_keys", lambda: causal_mask(3, 2)),
        ("window", lambda: causal_mask(3, window=0)),
        ("n_positions", lambda: positional_encoding(0, 4)),
        ("dimension", lambda: positional_encoding(5, 3)),
        ("maps", lambda: by_heads(*np.ones((3, 3, 5)))),
        ("maps", lambda: by_heads(*np.ones((3, 2, 3, 4)))),
        ("output_map", lambda: by_heads(*MAPS, output_map=np.ones((2, 5)))),
        ("mask", lambda: by_heads(*MAPS, mask=np.ones((3, 7, 7), bool))),  # three masks for two heads
        ("mask", lambda: by_heads(*MAPS, mask=np.ones((2, 2, 7, 7), bool))),  # a batch, unlike the tokens
        ("bias", lambda: by_heads(*MAPS, bias=np.ones((3, 7, 7)))),
        ("return_weights", lambda: by_heads(*MAPS, return_weights=1)),
        ("maps", lambda: by_heads(np.ones((3, 3, 5)), *MAPS[1:])),
    )
)


@pytest.mark.filterwarnings("ignore:overflow")
def test_overflowing_scores_are_rejected_when_streamed(stream):
    stream()
    with rejected("temperature"):
        attend(temperature=1e-320)
