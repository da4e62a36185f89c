"""The head map: all heads of three models, by how well position alone and a fixed query explain their weights."""

import json
from functools import cache

import numpy as np
import traitlets

from lib import data
from lib.checks import listed, one_of, whole_number
from lib.constants import HEAD_NAMES
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.packing import as_text
from lib.figures.contract.settings import Grid, constant, number
from lib.heads import measure, name_heads, repeated_fraction
from lib.language_model import load, rotate

MODELS = ("this model", "SmolLM2", "MiniLM")
LONGEST = 63  # a position beyond all sentences means the last word
POSITIONS = ("position_overlap", "fixed_query_overlap")
NUMBERS = (*POSITIONS, "position_bandwidth", "position_offset", "uniform_overlap", "first_key", "same_token")
WINDOW = 256  # tokens of two tales, on which the metrics of this model's heads are computed


CAPTION = (
    "One fixed query explains the share of a head’s weight that does not change if every word uses the head’s "
    "mean query."
)


class HeadMapFigure(LiveFigure):
    """A dot per head, and the weights of the selected head on a sentence; `head_map_figure` builds it."""

    _esm, _css = bundled("head_map")

    dot = number()  # all heads in one list, model after model
    query = number(grid=Grid(0, LONGEST, 1))  # a token of the sentence; the largest value means the last word

    models = constant()
    random_heads = constant()  # the two overlaps of each
    shuffled_heads = constant()  # the two overlaps of SmolLM2's heads with shuffled keys
    examples = constant()  # featured heads: description and dot
    first = constant()  # the weights of the initial dot
    weights_lazy = traitlets.Dict().tag(sync=True)  # on a static page, fetched near the viewport
    first_key_limit = constant(HEAD_NAMES["first_key"])


def head_map_figure(
    head=("SmolLM2", 18, 6),
    query=None,
    *,
    guesses=None,
    question="Which heads are position-only smoothers?",
    caption=CAPTION,
    address="head-map",
):
    """Show a map of all heads of three models. Selecting a dot shows the weights of that head on a sentence.

    Parameters
    ----------
    head : (model, block, head)
        The model is "this model", "SmolLM2" or "MiniLM"; block and head are counted from 0.
    query : int, or None for the last word
        The query token of the sentence.
    question, guesses, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `HeadMapFigure`.

    Raises
    ------
    ValueError, TypeError
        For a model or a head that does not exist.

    Notes
    -----
    The metrics of this model are computed when the figure is created; those of the others were stored by
    `tools/train/measure_published_model.py`.

    Examples
    --------
    >>> figure = head_map_figure(("this model", 2, 2)).figure
    >>> figure.models[0]["names"][int(figure.dot)]
    'one back'
    """
    models = measured_models()
    dot = _dot_of(models, *listed("head", head, "(model, block, head)", 3))
    model, i = _where(models, dot)
    last = model["n"] - 1
    figure = HeadMapFigure(
        {"dot": Grid(0, sum(len(each["heads"]) for each in models) - 1, 1)},
        guesses=guesses,
        dot=dot,
        query=LONGEST if query is None else whole_number("query", query, 0, last),
        models=[{name: value for name, value in each.items() if name != "weights"} for each in models],
        random_heads=_baseline("random head"),
        shuffled_heads=_baseline("shuffled head"),
        examples=described_heads(models),
        first={"dot": dot, "weights": _as_text(model["weights"][i : i + 1], model["unit"])},
        weights_lazy={"models": [_as_text(each["weights"], each["unit"]) for each in models]},
        question=question,
        address=address,
    )
    return LivePanel(figure, caption)


@cache
def measured_models():
    """Return the metrics of all heads of the three models, their names, and their weights on the sentence.

    Returns
    -------
    list of dicts; `weights` are (n_heads, n, n) arrays, zero for masked keys
    """
    stored = _stored()
    others = ("SmolLM2", stored, True), ("MiniLM", stored["encoder"], False)
    return [_this_model(), *(_published(*each) for each in others)]


@cache
def _stored():
    return json.loads((data.DATASETS / "published_model.json").read_text("utf8"))


def _baseline(name):
    """Return the two overlaps of each baseline head."""
    return list(zip(*(_stored()["baselines"][name][each] for each in POSITIONS), strict=True))


def _this_model():
    model = load()
    passage = model.encode(data.two_tales())[:WINDOW]
    queries, keys = (_in_one_list(each) for each in model.run(passage)[2:4])
    ruler = measure(queries, keys, tokens=passage, rotate=rotate)
    tokens = model.encode("".join(_stored()["on the sentence"]["tokens"]))
    words = [model.decode([token]) for token in tokens]
    heads = [[block, head] for block in range(len(model.blocks)) for head in range(len(model.blocks[0][0]))]
    weights = _in_one_list(model.run(tokens).weights)
    return _as_constants(
        MODELS[0], heads, ruler, repeated_fraction(passage), words, weights, "<f8", is_causal=True
    )


def _published(name, found, is_causal):
    ruler = {each: np.array(numbers) for each, numbers in found["ruler"].items()}
    tokens = found["on the sentence"]["tokens"]
    n = len(tokens)
    weights = np.zeros((len(found["heads"]), n, n))
    seen = np.tril_indices(n) if is_causal else np.indices((n, n)).reshape(2, -1)
    weights[:, *seen] = np.array(found["on the sentence"]["weights"]) / 100
    words = tokens if is_causal else [_spelled(token) for token in tokens]
    return _as_constants(name, found["heads"], ruler, found["said again"], words, weights, "u1", is_causal)


def _spelled(token):
    """Convert a WordPiece token to the other models' format: a leading space unless it continues a word."""
    return token[2:] if token.startswith("##") else token if token.startswith("[") else f" {token}"


def _as_constants(name, heads, ruler, again, words, weights, unit, is_causal):
    last = len(words) - 1
    return {
        "name": name,
        "heads": heads,
        "names": name_heads(ruler, again),
        "words": words,
        "n": len(words),
        "last": last if words[last] != "[SEP]" else last - 1,
        "is_causal": is_causal,
        "unit": unit,
        "weights": weights,
        **{each: np.asarray(ruler[each]).tolist() for each in NUMBERS},
    }


def described_heads(models):
    """Return the dots of the featured heads, by description."""
    this, smol, encoder = models
    first = {model["name"]: sum(len(each["heads"]) for each in models[:i]) for i, model in enumerate(models)}
    back = [p * (o == -1) for p, o in zip(this["position_overlap"], this["position_offset"], strict=True)]
    fixed = [
        q * (name == "fixed query" and f < 0.1)
        for q, name, f in zip(smol["fixed_query_overlap"], smol["names"], smol["first_key"], strict=True)
    ]
    return {
        "finds what followed (induction head)": first["SmolLM2"] + int(np.argmax(_stored()["induction"])),
        "first word (sink)": first["SmolLM2"] + int(np.argmax(smol["first_key"])),
        "fixed query": first["SmolLM2"] + int(np.argmax(fixed)),
        "same word": first["MiniLM"] + int(np.argmax(encoder["same_token"])),
        "one back (this model)": first["this model"] + int(np.argmax(back)),
        "one back (MiniLM)": first["MiniLM"] + int(np.argmax(encoder["position_overlap"])),
    }


def _in_one_list(array):
    """Merge the axes of blocks and heads."""
    return array.reshape(-1, *array.shape[2:])


def _dot_of(models, name, block, head):
    """Return the index of a head in the list of all heads."""
    at = MODELS.index(one_of("model", name, MODELS))
    if [block, head] not in models[at]["heads"]:
        raise ValueError(f"head: expected block and head of {name}, got {block}, {head}")
    return sum(len(model["heads"]) for model in models[:at]) + models[at]["heads"].index([block, head])


def _where(models, dot):
    """Return the model of a dot, and the index of the head in that model."""
    return [(model, i) for model in models for i in range(len(model["heads"]))][dot]


def _as_text(weights, unit):
    """Encode weights as integer percentages, or unchanged."""
    return as_text(np.rint(100 * weights) if unit == "u1" else weights, unit)
