"""The published model in its figure, after the reader has opened a file."""

import numpy as np
import pytest

from lib.figures.published_model import SHOWN
from lib.published_model import head_patterns, name_patterns
from lib.weights import softmax
from tools.train import store_published_answers as tool

IS_OPEN = "() => !JSON.parse(document.querySelector('.live-figure').dataset.state).is_example"
PART = 100_000  # bytes


def assert_equals_lib(now, model):
    all_tokens = model.encode(now["text"])
    tokens = all_tokens[-SHOWN:]
    assert now["tokens"] == tokens.tolist() and now["dropped"] == len(all_tokens) - len(tokens)
    assert now["words"] == [model.decode([token]) for token in tokens]
    runs = {"": model.run(tokens, tool.kernels_of(now, now["shape"])), "_trained": model.run(tokens)}
    n, query = len(tokens), now["query"]
    probabilities = {name: softmax(run.logits.astype(float)) for name, run in runs.items()}
    for ending, run in runs.items():
        row = run.weights[now["block"], now["head"], query]
        np.testing.assert_allclose(now[f"weights{ending}"], row, atol=1e-4)
        if n > 1:
            came = probabilities[ending][np.arange(n - 1), tokens[1:]]
            assert now[f"loss{ending}"] == pytest.approx(-np.log(came).mean(), abs=1e-3)
    assert now["names"] == name_patterns(head_patterns(runs[""].weights, tokens)).ravel().tolist()
    found, before = (probabilities[name][query] for name in ("", "_trained"))
    assert [each["probability"] for each in now["next"]] == sorted(
        (each["probability"] for each in now["next"]), reverse=True
    )
    assert now["next"][0]["probability"] == pytest.approx(found.max(), abs=1e-4)
    assert max(each["trained"] for each in now["next"]) == pytest.approx(before.max(), abs=1e-4)
