"""The published model in JavaScript equals lib.published_model: text, logits, weights, kernels and names."""

import json
import subprocess

import numpy as np
import pytest

from lib.heads import balanced_gaussian, mask_keys
from lib.published_model import head_patterns, load, name_patterns
from lib.random_features import orthogonal_frequencies
from lib.weights import softmax
from tests import gguf
from tests.conftest import ROOT
from tests.published_model import FILE, REFERENCE, TEXTS, needs_the_file
from tools.build.bundle_figures import ESBUILD, define_products


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    out = tmp_path_factory.mktemp("node") / "published_model.mjs"
    source = ROOT / "tests" / "figures" / "published_model.mjs"
    options = ("--bundle", "--platform=node", "--format=esm", "--log-level=warning", f"--outfile={out}")
    subprocess.run([*ESBUILD, source, *options, define_products()], check=True)
    return out


@pytest.fixture(params=["WebAssembly", "JavaScript"])
def answers(request, script):
    def ask(path, *requests):
        command = ["node", script, path, request.param]
        done = subprocess.run(command, input=json.dumps(requests), capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


def tiny(tmp_path, **options):
    path = tmp_path / "tiny.gguf"
    path.write_bytes(gguf.tiny_model(**options))
    return path


def assert_equal(found, run, tokens):
    """The loss of a kernel that depends on all tokens, as at the balanced scale, is that of this run."""
    n, probabilities = len(tokens), softmax(run.logits.astype(float))
    weights = run.weights[:, :, *np.tril_indices(n)]
    np.testing.assert_allclose(np.array(found["weights"]), weights, atol=1e-4)
    np.testing.assert_allclose(np.exp(found["probabilities"]), probabilities[:, :264], atol=1e-4)
    if n > 1:
        came = probabilities[np.arange(n - 1), tokens[1:]]
        assert found["loss"] == pytest.approx(-np.log(came).mean(), abs=1e-3)


@pytest.mark.sampled
@pytest.mark.parametrize("options", [*({"encoding": name} for name in gguf.TYPES), {"is_tied": False}], ids=str)
def test_page_reads_every_encoding_and_untied_matrix(options, answers, tmp_path):
    path = tiny(tmp_path, **options)
    model = load(path)
    tokens = model.encode(TEXTS["code"])
    (found,) = answers(path, {"text": TEXTS["code"], "kernels": {}})
    assert_equal(found["trained"], model.run(tokens), tokens)


def test_page_equals_lib_on_five_texts(answers, tmp_path):
    path = tiny(tmp_path)
    model = load(path)
    requests = [{"text": text, "kernels": {}, "split": 5} for text in TEXTS.values()]
    for found, text in zip(answers(path, *requests), TEXTS.values(), strict=True):
        tokens = model.encode(text)
        run = model.run(tokens)
        assert found["tokens"] == tokens.tolist() and found["decoded"] == text
        assert_equal(found["trained"], run, tokens)
        top = np.argsort(-run.logits, axis=-1, kind="stable")[:, 0]
        assert found["trained"]["top"][::8] == top.tolist()
        names = name_patterns(head_patterns(run.weights, tokens))
        assert found["names"] == names.tolist()


def test_page_tokenizes_as_lib(answers, tmp_path):
    path = tmp_path / "special.gguf"
    path.write_bytes(gguf.with_special_token())
    model = load(path)
    texts = [
        *gguf.SPECIAL_TEXTS,
        "\ufeff's",
        "\x85's",
        "\x1c's",
        "a\u2028 \u3000 b",
        "½² \u0663",
        "the" * 200,
        " " * 300,
    ]
    for found, text in zip(answers(path, *({"text": text, "kernels": {}} for text in texts)), texts, strict=True):
        assert found["tokens"] == model.encode(text).tolist(), text


@needs_the_file
def test_published_tokens_match_reference(answers):
    requests = [{"text": text, "kernels": {}} for text in REFERENCE]
    assert [each["tokens"] for each in answers(FILE, *requests)] == list(REFERENCE.values())


BANDWIDTH = 2.0
FREQUENCIES = orthogonal_frequencies(64, 64, rng=0)
KERNELS = {
    "gaussian": ({"name": "gaussian", "factor": 1}, balanced_gaussian()),
    "position": ({"name": "position", "bandwidth": BANDWIDTH}, ("position", BANDWIDTH)),
    "uniform": ({"name": "uniform"}, "uniform"),
    "mask": ({"name": "mask", "hidden": [1, 3]}, mask_keys([1, 3])),
    "fixed query": ({"name": "fixed query"}, "fixed query"),
    "performer": (
        {"name": "performer", "factor": 1, "frequencies": FREQUENCIES.ravel().tolist()},
        ("performer", 64, 0),
    ),
}


def test_swapped_kernels_equal_lib(answers, tmp_path):
    path = tiny(tmp_path)
    model = load(path)
    tokens = model.encode(TEXTS["tale"])
    cases = [(where, *kernels) for where in ("all", (1, 2)) for kernels in KERNELS.values()]
    named = {"all": "all", (1, 2): "1, 2"}
    requests = [{"text": TEXTS["tale"], "kernels": {named[where]: there}} for where, there, _ in cases]
    for found, (where, _, here) in zip(answers(path, *requests), cases, strict=True):
        assert_equal(found["swapped"], model.run(tokens, {where: here}), tokens)
        assert_equal(found["trained"], model.run(tokens), tokens)


@pytest.mark.parametrize(
    "data, words",
    [
        (b"", "a different kind of file"),
        (b"PK\3\4" + bytes(500), "a different kind of file"),
        (b"GGUF" + bytes(500), "version 0"),
        (gguf.tiny_model()[:5000], "ends too early, after 5000 bytes"),
        (gguf.tiny_model()[:-40], "ends too early"),
        (gguf.tiny_model(architecture="gpt2"), "“llama”, got “gpt2”"),
        (gguf.tiny_model(pre="llama-bpe"), "“smollm”, got “llama-bpe”"),
        (gguf.tiny_model().replace(b"blk.1.ffn_up.weight", b"blk.1.ffn_xx.weight"), "blk.1.ffn_up.weight"),
    ],
)
def test_file_of_other_format_raises_one_error(data, words, answers, tmp_path):
    path = tmp_path / "foreign.gguf"
    path.write_bytes(data)
    assert words in answers(path, {"text": "a", "kernels": {}})["error"]


@pytest.mark.sampled
@pytest.mark.parametrize("name", gguf.UNSUPPORTED)
def test_unsupported_feature_raises_one_error(name, answers, tmp_path):
    path = tmp_path / "unsupported.gguf"
    path.write_bytes(gguf.tiny_model(**gguf.UNSUPPORTED[name]))
    error = answers(path, {"text": "a", "kernels": {}})["error"]
    assert name in error and "Expected" in error


@pytest.mark.long
@needs_the_file
def test_node_runs_published_file_like_lib(answers):
    model = load(FILE)
    request = {"text": TEXTS["numbers"], "kernels": {"16, 0": {"name": "uniform"}}}
    (found,) = answers(FILE, request)
    tokens = model.encode(TEXTS["numbers"])
    assert found["tokens"] == tokens.tolist()
    for name, kernels in {"trained": None, "swapped": {(16, 0): "uniform"}}.items():
        assert_equal(found[name], model.run(tokens, kernels), tokens)
