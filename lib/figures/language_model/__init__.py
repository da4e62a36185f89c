"""The language model at work: a sentence, a query word, sixteen heads, and kernels that can be exchanged."""

from functools import cache

import numpy as np
import traitlets

from lib.checks import one_of, positive, whole_number
from lib.constants import N_NEXT, POSITION_BANDWIDTH, ROTARY_BASE
from lib.figures.contract import (
    Grid,
    LiveFigure,
    LivePanel,
    as_text,
    bundled,
    bundled_worker,
    choice,
    constant,
    custom,
    number,
)
from lib.heads import balanced_gaussian, mask_keys, measure, name_heads, repeated_fraction
from lib.language_model import MODEL, PIECES, load, rotate
from lib.random_features import orthogonal_frequencies
from lib.weights import softmax

SENTENCE = (
    "There was once a King who had a beautiful daughter. One day the King said to the miller, Bring me your "
    "daughter. Then the miller said to the"
)
KERNELS = {
    "dot product": "dot product",
    "gaussian": "Gaussian",
    "place": "places (1964)",
    "uniform": "equal weights",
    "performer": "Performer",
    "hide": "words hidden",
}
SCOPES = ("this head", "the other heads", "all heads")
FEATURES = (16, 64, 256)
SAMPLING = ("0", "0.7", "1.5")  # T of the next word
N_ADDED = 3  # words that a head raises most
TEMPERATURE = Grid(0.1, 4.0, 0.1)  # times τ = √d
SHOWN = 64  # tokens; of a longer text the figure shows and runs the last ones
LONGEST_TEXT = 1000  # letters, UTF-16 units


class LanguageModelFigure(LiveFigure):
    """A text, a query word, a head and its kernel; `language_model_figure` builds it with its controls."""

    _esm, _css = bundled("language_model")

    text = custom()
    query = number(grid=Grid(0, SHOWN - 1, 1))  # a token that is shown; beyond the last means the last
    kernel_index = choice(names=list(KERNELS), name="kernel")
    scope_index = choice(names=list(SCOPES), name="scope")
    temperature = number(grid=TEMPERATURE, start=1.0)
    features_index = choice(names=list(map(str, FEATURES)), name="features")
    hidden = custom()  # places that a head does not see, for the kernel "hide"
    block = choice()
    head = choice()
    sampling_index = choice(names=list(SAMPLING), name="sampling")

    first = constant()  # what is shown until the model is there
    model_lazy = traitlets.Dict().tag(sync=True)  # a static page fetches it when its reader touches the figure
    worker_code = constant()
    kernel_names = constant(KERNELS)
    head_dimension = constant()
    shown = constant(SHOWN)
    longest_text = constant(LONGEST_TEXT)


def language_model_figure(
    text=SENTENCE,
    query=None,
    *,
    block=1,
    head=0,
    kernel="dot product",
    scope="this head",
    temperature=1.0,
    n_features=64,
    hidden=(),
    guesses=None,
    question="Which earlier words will this one look at, and what does the model expect next?",
    caption="",
    address="language-model",
):
    """A live look into the language model: write a text, choose a word, a head, and what the heads may look at.

    Parameters
    ----------
    text : str
        Of a text of more than 64 tokens the figure shows, and the model reads, the last 64.
    query : int, or None for the last
        The token, counted from 0, whose weights over the earlier tokens are shown.
    block, head : int
        Which head is shown large, counted from 0 as in `LanguageModel.run`.
    kernel : {"dot product", "gaussian", "place", "uniform", "performer", "hide"}
        "gaussian" is that of the same queries and keys at the balanced scale, eq:balanced_gaussian.
    scope : {"this head", "the other heads", "all heads"}
        Where the kernel is put in place of the trained one.
    temperature : float > 0
        What τ = √d is multiplied by, from 0.1 to 4. For "place" the bandwidth is h = 2·√temperature. It is not the
        temperature of sampling, which the reader sets beside "Write on".
    n_features : {16, 64, 256}
        The Performer's m; its frequencies are those of `("performer", m, 0)`.
    hidden : sequence of int
        The tokens that heads with the kernel "hide" do not see.
    guesses : lib.figures.Guesses or None
        Three answers to what becomes of the likeliest next word: it is less likely, more likely, or another one
        comes first. For another text the figure finds the right one by itself.
    question : str
        Question shown above the figure.
    caption : str
        HTML below the controls.
    address : str
        The figure's name in the page's URL.

    Returns
    -------
    LivePanel; its `figure` is the `LanguageModelFigure`.

    Raises
    ------
    ValueError, TypeError
        For a text that is empty, longer than 1000 letters or no text, and settings out of range.

    Notes
    -----
    The browser runs the model itself (`methods/language_model.js`); tests hold its numbers to those of
    `lib.language_model`. On a static page the model's weights are fetched when the reader first touches the
    figure.

    Examples
    --------
    >>> panel = language_model_figure("Once upon a time there was a", kernel="gaussian")
    >>> list(KERNELS)[panel.figure.kernel_index]
    'gaussian'
    """
    model = load()
    tokens = model.encode(text)[-SHOWN:]
    if not 0 < len(tokens) or len(text.encode("utf-16-le")) > 2 * LONGEST_TEXT:
        raise ValueError(f"text: expected 1 to {LONGEST_TEXT} letters, got {len(text)}")
    n_blocks, n_heads = len(model.blocks), len(model.blocks[0].query_maps)
    setting = {
        "text": text,
        "query": len(tokens) - 1 if query is None else whole_number("query", query, 0, len(tokens) - 1),
        "block": whole_number("block", block, 0, n_blocks - 1),
        "head": whole_number("head", head, 0, n_heads - 1),
        "kernel": one_of("kernel", kernel, KERNELS),
        "scope": one_of("scope", scope, SCOPES),
        "temperature": TEMPERATURE.nearest(positive("temperature", temperature)),
        "features": n_features,
        "hidden": [whole_number("hidden", each, 0, len(tokens) - 1) for each in hidden],
        "sampling": SAMPLING[0],
    }
    if n_features not in FEATURES:
        raise ValueError(f"n_features: expected one of {', '.join(map(str, FEATURES))}, got {n_features!r}")
    figure = LanguageModelFigure(
        {"block": [str(i) for i in range(n_blocks)], "head": [str(i) for i in range(n_heads)]},
        guesses=guesses,
        **{name: setting[name] for name in ("text", "block", "head", "temperature", "hidden")},
        query=SHOWN - 1 if query is None else setting["query"],
        kernel_index=kernel,
        scope_index=scope,
        features_index=str(n_features),
        first=first_view(model, tokens, setting),
        head_dimension=model.blocks[0].query_maps.shape[1],
        model_lazy=packed_model(),
        worker_code=bundled_worker("language_model"),
        question=question,
        address=address,
    )
    return LivePanel(figure, caption)


def swapped_kernels(setting):
    """The `kernels` that `LanguageModel.run` takes, for a setting of the figure."""
    factor, own = setting["temperature"], (setting["block"], setting["head"])
    kernel = {
        "dot product": ("dot product", factor),
        "gaussian": lambda queries, keys: balanced_gaussian()(queries, keys / factor),
        "place": ("position", POSITION_BANDWIDTH * factor**0.5),
        "uniform": "uniform",
        "performer": ("performer", setting["features"], 0, factor),
        "hide": mask_keys(setting["hidden"]),
    }[setting["kernel"]]
    return {
        "this head": {own: kernel},
        "the other heads": {"all": kernel, own: "dot product"},
        "all heads": {"all": kernel},
    }[setting["scope"]]


def first_view(model, tokens, setting):
    """What the figure shows at first: the query's row of weights per head, its names, what it adds, next words."""
    n, query = len(tokens), setting["query"]
    runs = {"swapped": model.run(tokens, swapped_kernels(setting)), "trained": model.run(tokens)}
    now, trained = (softmax(run.logits[query]) for run in runs.values())
    views = {}
    for (name, run), kernels in zip(runs.items(), (swapped_kernels(setting), None), strict=True):
        views[name] = {
            "rows": run.weights[:, :, query].tolist(),
            "loss": model.loss(tokens, kernels) if n > 1 else None,
        }
    if np.allclose(runs["swapped"].logits, runs["trained"].logits):
        del views["trained"]  # it is the same
    following = tokens[query + 1 : query + 2].tolist()
    return {
        "setting": setting,
        "tokens": tokens.tolist(),
        "words": [model.decode([token]) for token in tokens],
        "dropped": len(model.encode(setting["text"])) - n,
        "names": names_of(runs["swapped"], tokens),
        "adds": [[added(model, runs["swapped"], at, h, query) for h in range(len(block.query_maps))]
                 for at, block in enumerate(model.blocks)],
        "next": expected(model, now, trained),
        "follows": [float(p[following[0]]) for p in (now, trained)] if following else None,
        **views,
    }  # fmt: skip


def names_of(run, tokens):
    """What the ruler says of each head on this text: names by block and head."""
    joined = [array.reshape(-1, *array.shape[2:]) for array in (run.queries, run.keys, run.weights)]
    names = name_heads(measure(*joined, tokens=tokens, rotate=rotate), repeated_fraction(tokens))
    return np.reshape(names, run.weights.shape[:2]).tolist()


def added(model, run, block, head, query):
    """The words that a head's output alone raises most, and by how much."""
    logits = model.head_logits(run, block, head)[query]
    return [{"word": model.decode([t]), "logit": float(logits[t])} for t in _largest(logits)[:N_ADDED]]


def expected(model, now, trained):
    """The next words that are shown, each with two probabilities: half from each list, then more of now."""
    half = N_NEXT // 2
    likeliest = [*_largest(now)[:half], *_largest(trained)[:half], *_largest(now)[half:N_NEXT]]
    shown = list(dict.fromkeys(map(int, likeliest)))[:N_NEXT]
    shown.sort(key=lambda t: (-now[t], t))
    return [{"word": model.decode([t]), "probability": float(now[t]), "trained": float(trained[t])} for t in shown]


def _largest(numbers):
    return np.argsort(-numbers, kind="stable")


@cache
def packed_model():
    """The stored weights, the vocabulary and the Performer's frequencies, as text."""
    with np.load(MODEL) as stored:
        names = [name for name in stored if f"{name}_scale" in stored]
        maps = {
            name: {"data": as_text(stored[name], "i1"), "scale": as_text(stored[f"{name}_scale"], "<f4")}
            for name in names
        }
        merges, (n_blocks, n_heads, d, width) = stored["merges"].tolist(), stored["query_maps"].shape
    frequencies = {m: as_text(orthogonal_frequencies(m, d, rng=0), "<f8") for m in FEATURES}
    return {
        "maps": maps,
        "merges": merges,
        "pieces": PIECES.pattern,
        "n_blocks": n_blocks,
        "n_heads": n_heads,
        "width": width,
        "rotary_base": ROTARY_BASE,
        "shown": SHOWN,
        "frequencies": {str(m): text for m, text in frequencies.items()},
    }
