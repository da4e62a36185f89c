"""The published models of chapter 8: the encoder compared with PyTorch, and the stored numbers, measured again."""

import json

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from tools.train import measure_published_model as tool

needs_the_model = pytest.mark.long  # a 170 MB download


@pytest.fixture(scope="module")
def model():
    return tool.load()


@pytest.fixture
def stored():
    return json.loads(tool.STORED.read_text("utf8"))


def same(found, expected, name=""):
    """Compare nested dicts number by number. Of two equally good smoothers, either may be the best."""
    if isinstance(expected, dict):
        assert sorted(found) == sorted(expected), name
        for key in expected:
            if key not in ("position_bandwidth", "position_offset"):
                same(found[key], expected[key], f"{name}/{key}")
    elif isinstance(expected, str) or name.endswith("/tokens"):
        assert found == expected, name
    elif isinstance(expected, list) and isinstance(expected[0], dict):
        for i, pair in enumerate(zip(found, expected, strict=True)):
            same(*pair, f"{name}/{i}")
    else:
        in_percent = name.endswith(("sentence/weights", "said twice/weights"))
        atol = 1 if in_percent else 5 if "/weights/" in name else 5e-3  # others are in thousandths
        found, expected = np.array(found, float), np.array(expected, float)
        np.testing.assert_allclose(found, expected, rtol=0.01, atol=atol, err_msg=name)


@needs_the_model
def test_encoder_stream_matches_torch():
    encoder = tool.load_encoder()
    tokens = np.array(encoder.tokenizer.encode("Once upon a time there was a miller who had a daughter.").ids)
    weights = {name: torch.tensor(array.copy()) for name, array in encoder.arrays.items()}
    of = lambda name: (weights[f"{name}.weight"], weights[f"{name}.bias"])
    x = sum(weights[f"embeddings.{name}_embeddings.weight"][index] for name, index in (
        ("word", torch.tensor(tokens)), ("position", torch.arange(len(tokens))), ("token_type", 0)))  # fmt: skip
    x = F.layer_norm(x, x.shape[-1:], *of("embeddings.LayerNorm"), 1e-12)[None]
    for i in range(encoder.n_blocks):
        name = f"encoder.layer.{i}"
        block = torch.nn.TransformerEncoderLayer(384, 12, 1536, 0, "gelu", 1e-12, batch_first=True).eval()
        parts = [of(f"{name}.attention.self.{part}") for part in ("query", "key", "value")]
        maps, biases = (torch.cat(each) for each in zip(*parts, strict=True))
        state = {"self_attn.in_proj_weight": maps, "self_attn.in_proj_bias": biases}
        for mine, its in {
            "self_attn.out_proj": "attention.output.dense",
            "norm1": "attention.output.LayerNorm",
            "linear1": "intermediate.dense",
            "linear2": "output.dense",
            "norm2": "output.LayerNorm",
        }.items():
            state[f"{mine}.weight"], state[f"{mine}.bias"] = of(f"{name}.{its}")
        block.load_state_dict(state)
        with torch.no_grad():
            x = block(x)
    assert np.abs(encoder.run(tokens).stream).max() > 1
    np.testing.assert_allclose(encoder.run(tokens).stream, x[0].numpy(), atol=1e-4)


@needs_the_model
def test_stored_measurements_are_reproducible(model, stored):
    same(json.loads(json.dumps(tool.rounded(tool.measured(model, tool.load_encoder())))), stored)


def test_stored_measurements_are_complete(stored):
    n = len(stored["sentence"]["tokens"])
    for found, n_heads in ((stored, 270), (stored["encoder"], 72)):
        ruler = np.array(list(found["ruler"].values()), float)
        weights = np.array(found["on the sentence"]["weights"])
        rows = len(found["on the sentence"]["tokens"])
        assert len(found["heads"]) == ruler.shape[1] == n_heads and np.isfinite(ruler).all()
        assert weights.min() >= 0 and weights.max() <= 100
        assert abs(weights.sum() / (100 * rows * n_heads) - 1) < 0.02
    assert len(stored["induction"]) == 270
    for weights in map(np.array, stored["sentence"]["weights"].values()):
        assert weights.shape == (n, n) and not np.triu(weights, 1).any()
        np.testing.assert_allclose(weights.sum(axis=1), 1000, atol=n / 2)
