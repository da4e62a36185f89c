"""Store what the published model's figure shows before the reader has downloaded the model.

    .venv/bin/python -m tools.train.store_published_answers        # a minute, after `make published-model`

Each button of the figure (`questions` in `lib.figures.published_model`) is a setting. Its answer contains the
tokens, the names of the heads, the likely next tokens and the losses; the weights of all heads for the last token,
and those of the selected head for all tokens, in 255ths. `published_model.json` has those of all heads on the
sentence as trained.
"""

import json

import numpy as np

from lib import data, published_model
from lib.constants import N_NEXT, POSITION_BANDWIDTH
from lib.figures.contract.packing import as_text
from lib.figures.published_model import COPYING, N_FEATURES, SENTENCE, questions
from lib.heads import balanced_gaussian, mask_keys
from lib.published_model import head_patterns, name_patterns
from lib.weights import softmax
from tools.build.published_model import CACHE, MODEL

STORED = data.DATASETS / "published_answers.json"


def kernels_of(setting, shape):
    """Convert a setting of the figure to the argument `kernels` of `PublishedModel.run`."""
    kernel = {
        "dot product": "dot product",
        "gaussian": balanced_gaussian(),
        "position": ("position", POSITION_BANDWIDTH),
        "uniform": "uniform",
        "fixed query": "fixed query",
        "performer": ("performer", N_FEATURES, 0),
        "mask": mask_keys(setting["hidden"]),
    }[setting["kernel"]]
    heads = {
        "this head": [(setting["block"], setting["head"])],
        "its block": [(setting["block"], head) for head in range(shape[1])],
        "all heads": ["all"],
        "six copying heads": COPYING,
    }[setting["scope"]]
    return dict.fromkeys(heads, kernel)


def next_tokens(now, before):
    """Return the likeliest tokens now, half of which are those before, in descending order."""
    first, usual = (np.argsort(-row, kind="stable")[:N_NEXT].tolist() for row in (now, before))
    half = N_NEXT // 2
    tokens = list(dict.fromkeys([*first[:half], *usual[:half], *first]))[:N_NEXT]
    return sorted(tokens, key=lambda token: -now[token])


def answer(model, setting):
    """Return the stored answer to one setting of the figure."""
    tokens, shape = model.encode(setting["text"]), (len(model.blocks), model.n_heads)
    runs = [model.run(tokens, kernels) for kernels in (kernels_of(setting, shape), None)]
    now, before = (softmax(run.logits.astype(float)) for run in runs)
    weights = np.rint(255 * runs[0].weights)
    at = np.arange(len(tokens) - 1)
    own = weights[setting["block"], setting["head"]][np.tril_indices(len(tokens))]
    of_tokens = lambda p, q: [
        [model.decode([token]), round(p[token], 4), round(q[token], 4)] for token in next_tokens(p, q)
    ]
    return {
        "setting": setting,
        "tokens": tokens.tolist(),
        "words": [model.decode([token]) for token in tokens],
        "names": name_patterns(head_patterns(runs[0].weights, tokens)).ravel().tolist(),
        "next": [of_tokens(*rows) for rows in zip(now, before, strict=True)],
        "losses": (-np.log(now[at, tokens[1:]])).round(4).tolist(),
        "losses_trained": (-np.log(before[at, tokens[1:]])).round(4).tolist(),
        "last": as_text(weights[:, :, -1].reshape(-1, len(tokens)), "u1"),
        "own": as_text(own, "u1"),
    }


def strongest_heads():
    """Return the six strongest induction heads that `measure_published_model` found."""
    measured = json.loads((data.DATASETS / "published_model.json").read_text("utf8"))
    return measured["knock out"]["strongest"]


def settings():
    """Return the settings of the buttons, without those that only examine a different head of the same run."""
    start = {"text": SENTENCE, "kernel": "dot product", "scope": "this head", "hidden": []}
    chosen = {}
    for each in questions().values():
        setting = start | each
        is_trained = setting["kernel"] == "dot product"
        chosen.setdefault((setting["text"], "trained" if is_trained else json.dumps(setting)), setting)
    return list(chosen.values())


def main():
    model = published_model.load(CACHE / MODEL)
    answers = [answer(model, setting) for setting in settings()]
    STORED.write_text(json.dumps(answers, ensure_ascii=False, separators=(",", ":")) + "\n", "utf8")


if __name__ == "__main__":
    main()
