"""The published model of chapter 8: its output compared with PyTorch's, and its stored numbers, measured again."""

import json

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from lib import data
from tools.train import measure_published_model as tool

needs_the_model = pytest.mark.long  # a 170 MB download


@pytest.fixture(scope="module")
def model():
    return tool.load()


@pytest.fixture
def stored():
    return json.loads(tool.STORED.read_text("utf8"))


def torch_logits(tokens):
    """Run the same file with PyTorch's functions: shared keys, gains and the file's order of coordinates."""
    arrays, settings = tool.tensors(tool.download())
    weights = {name: torch.tensor(array) for name, array in arrays.items()}
    epsilon, base = settings["llama.attention.layer_norm_rms_epsilon"], settings["llama.rope.freq_base"]
    angles = torch.arange(len(tokens))[:, None] * base ** (-torch.arange(0, 64, 2, dtype=torch.float64) / 64)
    turn = torch.polar(torch.ones_like(angles), angles)

    def turned(x):
        pairs = torch.view_as_complex(x.double().unflatten(-1, (32, 2)).contiguous())
        return torch.view_as_real(pairs * turn).flatten(-2).float()

    x = weights["token_embd.weight"][torch.tensor(tokens)]
    for i in range(settings["llama.block_count"]):
        of = lambda name, i=i: weights[f"blk.{i}.{name}.weight"]
        h = F.rms_norm(x, x.shape[-1:], of("attn_norm"), epsilon)
        q, k, v = ((h @ of(f"attn_{part}").T).unflatten(-1, (-1, 64)).transpose(0, 1)[None] for part in "qkv")
        heads = F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True, enable_gqa=True)
        x = x + heads[0].transpose(0, 1).flatten(1) @ of("attn_output").T
        h = F.rms_norm(x, x.shape[-1:], of("ffn_norm"), epsilon)
        x = x + (F.silu(h @ of("ffn_gate").T) * (h @ of("ffn_up").T)) @ of("ffn_down").T
    x = F.rms_norm(x, x.shape[-1:], weights["output_norm.weight"], epsilon)
    return (x @ weights["token_embd.weight"].T).numpy()


@needs_the_model
def test_logits_match_torch(model):
    tokens = model.encode(data.two_tales())[:100]
    logits = model.run(tokens).logits
    assert np.ptp(logits) > 20
    np.testing.assert_allclose(logits, torch_logits(tokens), atol=1e-3)


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
