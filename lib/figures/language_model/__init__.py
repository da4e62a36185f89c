"""The language model figure: a sentence, a query word, sixteen heads, and kernels that can be swapped."""

import numpy as np
import traitlets

from lib import former_names
from lib.checks import flag, listed, one_of, one_of_numbers, string_of, whole_number
from lib.constants import N_NEXT, POSITION_BANDWIDTH
from lib.figures.contract import LiveFigure, LivePanel, bundled, bundled_worker
from lib.figures.contract.packing import FEATURES, SENTENCE, packed_model
from lib.figures.contract.settings import Grid, choice, constant, custom, number, stored
from lib.heads import balanced_gaussian, mask_keys, measure, name_heads, repeated_fraction
from lib.language_model import load, rotate
from lib.weights import softmax

KERNEL_LABELS = {
    "dot product": "dot product",
    "gaussian": "Gaussian",
    "position": "position only",
    "uniform": "uniform",
    "performer": "Performer",
    "mask": "masked words",
}
SCOPES = ("this head", "the other heads", "all heads")
SAMPLING = ("0", "0.7", "1.5")  # sampling temperature T
N_ADDED = 3  # number of words shown that a head raises most
TEMPERATURE = Grid(0.1, 4.0, 0.1)  # factor of τ = √d
SHOWN = 64  # tokens; longer texts are truncated to their last 64 tokens
LONGEST_TEXT = 1000  # UTF-16 code units


class LanguageModelFigure(LiveFigure):
    """The widget with a text, a query word, a head and its kernel; built by `language_model_figure`."""

    _esm, _css = bundled("language_model")

    text = custom()
    query = number(grid=Grid(0, SHOWN - 1, 1))  # index of a token; larger values mean the last token
    kernel_index = choice(names=list(KERNEL_LABELS), name="kernel")
    scope_index = choice(names=list(SCOPES), name="scope")
    temperature = number(grid=TEMPERATURE, start=1.0)
    features_index = choice(names=list(map(str, FEATURES)), name="features")
    hidden = custom()  # positions of masked tokens, for the kernel "mask"
    block = choice()
    head = choice()
    sampling_index = choice(names=list(SAMPLING), name="sampling")

    first = constant()  # the view shown until the model is loaded
    model_lazy = traitlets.Dict().tag(sync=True)  # on a static page, fetched on the first interaction
    worker_code = constant()
    kernel_names = constant(KERNEL_LABELS)
    head_dimension = constant()
    shown = constant(SHOWN)
    longest_text = constant(LONGEST_TEXT)
    unfolded = constant(True)  # whether the heads and the kernels are shown at first


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
    unfolded=True,
    guesses=None,
    question="Which earlier words will this one attend to, and what does the model predict next?",
    caption="",
    address="language-model",
):
    """Show the language model live: write a text, select a word and a head, and swap the kernels of the heads.

    Parameters
    ----------
    text : str
        A text of more than 64 tokens is truncated to its last 64.
    query : int, or None for the last
        The token, counted from 0, whose weights over the earlier tokens are shown.
    block, head : int
        The selected head, counted from 0 as in `LanguageModel.run`.
    kernel : {"dot product", "gaussian", "position", "uniform", "performer", "mask"}
        "gaussian" uses the same queries and keys at the balanced scale, eq:balanced_gaussian.
    scope : {"this head", "the other heads", "all heads"}
        The heads in which the kernel replaces the trained one.
    temperature : float > 0
        Factor of τ = √d, from 0.1 to 4. For "position" the bandwidth is h = 2·√temperature. The sampling
        temperature is a separate setting, beside the button "Continue".
    n_features : {16, 64, 256}
        m of the Performer; its frequencies are those of `("performer", m, 0)`.
    hidden : sequence of int
        The tokens that are masked in heads with the kernel "mask".
    unfolded : bool
        False begins with the text, the arcs and the next words, also after a guess. A button or a link then
        unfolds the heads, their kernels and the loss.
    guesses : lib.figures.Guesses or None
        Three answers about the most likely next word: it becomes less likely, more likely, or a different word
        comes first. For other texts the figure computes the right answer itself.
    question, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `LanguageModelFigure`.

    Raises
    ------
    ValueError, TypeError
        For a text that is empty, longer than 1000 characters or not a string, and settings out of range.

    Notes
    -----
    The browser runs the model (`methods/language_model.js`); the tests compare its numbers with those of
    `lib.language_model`. On a static page the model's weights are fetched on the first interaction.

    Examples
    --------
    >>> panel = language_model_figure("Once upon a time there was a", kernel="gaussian")
    >>> list(KERNEL_LABELS)[panel.figure.kernel_index]
    'gaussian'
    """
    model = load()
    tokens = model.encode(string_of("text", text))[-SHOWN:]
    if not 0 < len(tokens) or len(text.encode("utf-16-le")) > 2 * LONGEST_TEXT:
        raise ValueError(f"text: expected 1 to {LONGEST_TEXT} characters, got {len(text)}")
    n_blocks, n_heads = len(model.blocks), len(model.blocks[0].query_maps)
    kernel = former_names.current("language_model_figure", string_of("kernel", kernel))
    setting = {
        "text": text,
        "query": len(tokens) - 1 if query is None else whole_number("query", query, 0, len(tokens) - 1),
        "block": whole_number("block", block, 0, n_blocks - 1),
        "head": whole_number("head", head, 0, n_heads - 1),
        "kernel": one_of("kernel", kernel, KERNEL_LABELS),
        "scope": one_of("scope", scope, SCOPES),
        "temperature": stored("temperature", TEMPERATURE, temperature),
        "features": one_of_numbers("n_features", n_features, FEATURES),
        "hidden": [whole_number("hidden", each, 0, len(tokens) - 1) for each in listed("hidden", hidden)],
        "sampling": SAMPLING[0],
    }
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
        model_lazy=packed_model() | {"shown": SHOWN},
        worker_code=bundled_worker("language_model"),
        question=question,
        address=address,
        unfolded=flag("unfolded", unfolded),
    )
    return LivePanel(figure, caption)


def swapped_kernels(setting):
    """Convert a setting of the figure to the argument `kernels` of `LanguageModel.run`."""
    factor, own = setting["temperature"], (setting["block"], setting["head"])
    kernel = {
        "dot product": ("dot product", factor),
        "gaussian": lambda queries, keys: balanced_gaussian()(queries, keys / factor),
        "position": ("position", POSITION_BANDWIDTH * factor**0.5),
        "uniform": "uniform",
        "performer": ("performer", setting["features"], 0, factor),
        "mask": mask_keys(setting["hidden"]),
    }[setting["kernel"]]
    return {
        "this head": {own: kernel},
        "the other heads": {"all": kernel, own: "dot product"},
        "all heads": {"all": kernel},
    }[setting["scope"]]


def first_view(model, tokens, setting):
    """Compute the initial view: the query's weights, name and output words of each head, and the next words."""
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
        del views["trained"]  # identical to the swapped view
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
    """Return the names of all heads on this text, by block and head."""
    joined = [array.reshape(-1, *array.shape[2:]) for array in (run.queries, run.keys, run.weights)]
    names = name_heads(measure(*joined, tokens=tokens, rotate=rotate), repeated_fraction(tokens))
    return np.reshape(names, run.weights.shape[:2]).tolist()


def added(model, run, block, head, query):
    """Return the tokens whose logits a head's output raises most, and by how much."""
    logits = model.head_logits(run, block, head)[query]
    return [{"word": model.decode([t]), "logit": float(logits[t])} for t in _largest(logits)[:N_ADDED]]


def expected(model, now, trained):
    """Select the next words to show: half from the current top words, half from those as trained, then more."""
    half = N_NEXT // 2
    likeliest = [*_largest(now)[:half], *_largest(trained)[:half], *_largest(now)[half:N_NEXT]]
    shown = list(dict.fromkeys(map(int, likeliest)))[:N_NEXT]
    shown.sort(key=lambda t: (-now[t], t))
    return [{"word": model.decode([t]), "probability": float(now[t]), "trained": float(trained[t])} for t in shown]


def _largest(numbers):
    return np.argsort(-numbers, kind="stable")
