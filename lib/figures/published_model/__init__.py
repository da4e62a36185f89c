"""The published model, live: SmolLM2 in the browser, its heads on any text, and kernels that can be swapped."""

import json
from functools import cache

import numpy as np
import traitlets

from lib import data
from lib.checks import one_of, whole_number
from lib.constants import N_NEXT, POSITION_BANDWIDTH
from lib.figures.contract import LiveFigure, LivePanel, bundled, bundled_worker
from lib.figures.contract.packing import as_text
from lib.figures.contract.settings import Grid, choice, constant, custom, number
from lib.published_model import PATTERNS, head_patterns, name_patterns
from lib.random_features import orthogonal_frequencies

SENTENCE = "In the well lived a frog called Pimpel Quorr. The King's daughter often asked where Pimpel"
GERMAN = "Im Brunnen wohnte ein Frosch, der hieß Pimpel Quorr. Die Königstochter fragte oft, wo Pimpel"
CODE = "def frog(pimpel, quorr):\n    return pimpel + quorr\n\nprint(frog(pimpel,"
TWICE = " ".join(["violin copper Tuesday lagoon seven garlic orbit hammer velvet penguin"] * 2)
KERNEL_LABELS = {
    "dot product": "as trained",
    "gaussian": "Gaussian",
    "position": "position only",
    "uniform": "uniform",
    "fixed query": "one fixed query",
    "performer": "64 random features",
    "mask": "masked words",
}
SCOPES = ("this head", "its block", "all heads", "six copying heads")
COPYING = [(18, 6), (17, 3), (17, 4), (17, 5), (18, 7), (23, 2)]  # the strongest induction heads, strongest first
PARTNER = (16, 0)  # the previous-token head that the first of them needs
SHOWN = 256  # tokens; longer texts are truncated to their last 256 tokens
LONGEST_TEXT, LONGEST_LINK = 10_000, 300  # characters of a text, and of a text in the URL
HEADS = Grid(0, 99, 1)  # more than SmolLM2 has, for other files
N_FEATURES, DIMENSION = 64, 64


class PublishedModelFigure(LiveFigure):
    """A text, a query, a head and its kernel; `published_model_figure` builds it."""

    _esm, _css = bundled("published_model")

    text = custom()
    query = number(grid=Grid(0, SHOWN - 1, 1))  # index of a token; larger values mean the last token
    block = number(grid=HEADS)
    head = number(grid=HEADS)
    kernel_index = choice(names=list(KERNEL_LABELS), name="kernel")
    scope_index = choice(names=list(SCOPES), name="scope")
    hidden = custom()  # positions of masked tokens, for the kernel "mask"

    example = constant()  # the stored view, until the model is open
    example_lazy = traitlets.Dict().tag(sync=True)  # weights and answers, on a static page fetched lazily
    frequencies_lazy = traitlets.Dict().tag(sync=True)
    questions = constant()
    copying = constant(COPYING)
    worker_code = constant()
    kernel_names = constant(KERNEL_LABELS)
    patterns = constant(PATTERNS)
    position_bandwidth = constant(POSITION_BANDWIDTH)
    shown = constant(SHOWN)
    n_next = constant(N_NEXT)
    dimension = constant(DIMENSION)
    longest_text = constant(LONGEST_TEXT)
    longest_link = constant(LONGEST_LINK)
    size = constant(98)  # MB of the file
    memory = constant([200, 450])  # MB in Chromium: for a sentence; for `SHOWN` tokens, all kernels swapped


def published_model_figure(
    block=COPYING[0][0],
    head=COPYING[0][1],
    query=None,
    *,
    kernel="dot product",
    scope="this head",
    guesses=None,
    question="What does each head of a published model attend to?",
    caption="",
    address="published-model",
):
    """Show SmolLM2 live: write a text, select one of its 270 heads, and swap kernels.

    Parameters
    ----------
    block, head : int
        The selected head, counted from 0.
    query : int, or None for the last token
        The token whose weights over the earlier tokens are shown.
    kernel : {"dot product", "gaussian", "position", "uniform", "fixed query", "performer", "mask"}
        "gaussian" is at the balanced scale, eq:balanced_gaussian.
    scope : {"this head", "its block", "all heads", "six copying heads"}
        The heads in which the kernel replaces the trained one.
    question, guesses, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `PublishedModelFigure`.

    Raises
    ------
    ValueError, TypeError
        For settings out of range.

    Notes
    -----
    The figure first shows the stored answers to its buttons. A text or kernel of the reader's own needs the model:
    a click downloads the file of 98 MB that `make published-model` added to the site, or opens a GGUF file from
    disk. The browser then runs the equations of `lib.published_model` (`methods/published_model.js`), and no text
    leaves it.

    Examples
    --------
    >>> figure = published_model_figure().figure
    >>> figure.example["names"][18 * 9 + 6]
    'induction'
    """
    n = len(example()["words"])
    figure = PublishedModelFigure(
        guesses=guesses,
        text=SENTENCE,
        query=SHOWN - 1 if query is None else whole_number("query", query, 0, n - 1),
        block=whole_number("block", block, 0, example()["shape"][0] - 1),
        head=whole_number("head", head, 0, example()["shape"][1] - 1),
        kernel_index=one_of("kernel", kernel, KERNEL_LABELS),
        scope_index=one_of("scope", scope, SCOPES),
        hidden=[],
        example={name: value for name, value in example().items() if name != "weights"}
        | {"first": {"head": [block, head], "weights": example()["weights"][block * 9 + head].tolist()}},
        example_lazy={"weights": as_text(example()["weights"], "u1"), "answers": answers()},
        frequencies_lazy={"frequencies": as_text(orthogonal_frequencies(N_FEATURES, DIMENSION, rng=0), "<f8")},
        questions=[[name, setting] for name, setting in questions().items()],  # a page sorts the keys of a dict
        worker_code=bundled_worker("published_model"),
        question=question,
        address=address,
    )
    return LivePanel(figure, caption)


@cache
def example():
    """Return what `tools/train/measure_published_model.py` stored: words, weights in percent, and patterns."""
    stored = json.loads((data.DATASETS / "published_model.json").read_text("utf8"))
    words, packed = stored["on the sentence"]["tokens"], np.array(stored["on the sentence"]["weights"])
    n = len(words)
    weights = np.zeros((len(packed), n, n))
    weights[:, *np.tril_indices(n)] = packed / 100
    names = name_patterns(head_patterns(weights, words))
    first = next(each for each in answers() if each["setting"]["kernel"] == "dot product")
    return {
        "text": "".join(words),
        "words": words,
        "shape": [1 + max(each) for each in zip(*stored["heads"], strict=True)],
        "names": names.tolist(),
        "tokens": first["tokens"],
        "next": first["next"][-1:],  # after the last token
        "losses": first["losses"],
        "weights": packed,
    }


@cache
def answers():
    """Return what `tools/train/store_published_answers.py` stored: the answers to the questions."""
    return json.loads((data.DATASETS / "published_answers.json").read_text("utf8"))


def questions():
    """Return experiments, by their button: settings that differ from those of the stored example."""
    block, head = COPYING[0]
    partner_block, partner_head = PARTNER
    copying, partner = {"block": block, "head": head}, {"block": partner_block, "head": partner_head}
    return {
        "without the six copying heads": copying | {"kernel": "uniform", "scope": "six copying heads"},
        "copying head": copying,
        "without it": copying | {"kernel": "uniform"},
        "its partner": partner,
        "without partner": partner | {"kernel": "uniform"},
        "words twice": copying | {"text": TWICE},
        "German": copying | {"text": GERMAN},
        "code": copying | {"text": CODE},
        "position alone": copying | {"kernel": "position", "scope": "all heads"},
    }
