"""The language model at work: a sentence, a query word, sixteen heads, and kernels that can be exchanged."""

from functools import cache

import numpy as np
import traitlets

from lib.checks import one_of, positive, whole_number
from lib.constants import N_NEXT, PLACE_BANDWIDTH
from lib.figures.base import BUNDLED, Grid, LiveFigure, LivePanel, as_text, bundled, choice, fact, free, number
from lib.language_model import MODEL, PIECES, ROTARY_BASE, load
from lib.random_features import orthogonal_frequencies
from lib.weights import softmax

SENTENCE = (
    "There was once a King who had a beautiful daughter. One day the King said to the miller, Bring me your "
    "daughter. Then the miller said to the"
)
KERNELS = {
    "dot product": "dot product (as trained)",
    "gaussian": "Gaussian",
    "place": "places (1964)",
    "uniform": "equal weights",
    "performer": "Performer",
}
SCOPES = ("this head", "all heads")
FEATURES = (16, 64, 256)
TEMPERATURE = Grid(0.1, 4.0, 0.1)  # times τ = √d
SHOWN = 64  # tokens; of a longer text the figure shows and runs the last ones
LONGEST_TEXT = 1000  # letters, UTF-16 units


class LanguageModelFigure(LiveFigure):
    """A text, a query word, a head and its kernel; `language_model_figure` builds it with its controls."""

    _esm, _css = bundled("language_model")

    text = free()
    query = number(grid=Grid(0, SHOWN - 1, 1))  # a token that is shown; beyond the last means the last
    kernel_index = choice("kernel", KERNELS, name="kernel")
    scope_index = choice("used by", list(SCOPES), name="scope")
    temperature = number("τ = √d ×", TEMPERATURE, start=1.0)
    features_index = choice("features m", list(map(str, FEATURES)), name="features")
    layer = choice("layer")
    head = choice("head")

    first = fact()  # what is shown until the model is there
    model_later = traitlets.Dict().tag(sync=True)  # a static page fetches it when its reader comes near
    worker_code = fact()
    kernel_names = fact(KERNELS)
    head_dimension = fact()
    shown = fact(SHOWN)
    longest_text = fact(LONGEST_TEXT)


def language_model_figure(
    text=SENTENCE,
    query=None,
    *,
    layer=1,
    head=0,
    kernel="dot product",
    scope="this head",
    temperature=1.0,
    n_features=64,
    question="Which earlier words will this one look at, and what does the model expect next?",
    caption="",
    address="language-model",
):
    """A live look into the language model: write a text, choose a word, a head and a kernel.

    Parameters
    ----------
    text : str
        Of a text of more than 64 tokens the figure shows, and the model reads, the last 64.
    query : int, or None for the last
        The token, counted from 0, whose weights over the earlier tokens are shown.
    layer, head : int
        Which head is shown large, counted from 0 as in `LanguageModel.run`.
    kernel : {"dot product", "gaussian", "place", "uniform", "performer"}
    scope : {"this head", "all heads"}
        Where the kernel is put in place of the trained one.
    temperature : float > 0
        What τ = √d is multiplied by, from 0.1 to 4. For "place" the bandwidth is h = 2·√temperature.
    n_features : {16, 64, 256}
        The Performer's m; its frequencies are those of `("performer", m, 0)`.
    question : str
        Asked above the figure.
    caption : str
        HTML below the controls.
    address : str
        The figure's name in the page's address.

    Returns
    -------
    LivePanel; its `figure` is the `LanguageModelFigure`.

    Raises
    ------
    ValueError, TypeError
        For a text that is empty, longer than 1000 letters or no text, and settings out of range.

    Notes
    -----
    The browser runs the model itself (`transformer.js`); tests hold its numbers to those of `lib.language_model`.
    On a static page the model's weights are fetched when the reader comes near.

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
    n_layers, n_heads = len(model.blocks), len(model.blocks[0].query_maps)
    setting = {
        "text": text,
        "query": len(tokens) - 1 if query is None else whole_number("query", query, 0, len(tokens) - 1),
        "layer": whole_number("layer", layer, 0, n_layers - 1),
        "head": whole_number("head", head, 0, n_heads - 1),
        "kernel": one_of("kernel", kernel, KERNELS),
        "scope": one_of("scope", scope, SCOPES),
        "temperature": TEMPERATURE.nearest(positive("temperature", temperature)),
        "features": n_features,
    }
    if n_features not in FEATURES:
        raise ValueError(f"n_features: expected one of {', '.join(map(str, FEATURES))}, got {n_features!r}")
    figure = LanguageModelFigure(
        {"layer": [str(i) for i in range(n_layers)], "head": [str(i) for i in range(n_heads)]},
        **{name: setting[name] for name in ("text", "layer", "head", "temperature")},
        query=SHOWN - 1 if query is None else setting["query"],
        kernel_index=kernel,
        scope_index=scope,
        features_index=str(n_features),
        first=first_view(model, tokens, setting),
        head_dimension=model.blocks[0].query_maps.shape[1],
        model_later=packed_model(),
        worker_code=worker_code(),
        question=question,
        address=address,
    )
    return LivePanel(figure, caption)


def swapped_kernels(setting):
    """The `kernels` that `LanguageModel.run` takes, for a setting of the figure."""
    factor = setting["temperature"]
    kernel = {
        "dot product": ("dot product", factor),
        "gaussian": ("gaussian", factor),
        "place": ("place", PLACE_BANDWIDTH * factor**0.5),
        "uniform": "uniform",
        "performer": ("performer", setting["features"], 0, factor),
    }[setting["kernel"]]
    return {"all" if setting["scope"] == "all heads" else (setting["layer"], setting["head"]): kernel}


def first_view(model, tokens, setting):
    """What the figure shows at first: the query's row of weights per head, the next words, the losses."""
    n, query = len(tokens), setting["query"]
    views = {}
    for name, kernels in [("swapped", swapped_kernels(setting)), ("trained", None)]:
        run = model.run(tokens, kernels)
        views[name] = {
            "rows": run.weights[:, :, query].round(6).tolist(),
            "probabilities": _likeliest(model, softmax(run.logits[query]), tokens[query + 1 : query + 2]),
            "loss": model.loss(tokens, kernels) if n > 1 else None,
        }
    words = [model.decode([token]) for token in tokens]
    dropped = len(model.encode(setting["text"])) - n
    return {"setting": setting, "tokens": tokens.tolist(), "words": words, "dropped": dropped, **views}


def _likeliest(model, probabilities, following):
    """The likeliest next words, and the probability of the one that follows, if one does."""
    tokens = np.argsort(-probabilities, kind="stable")[:N_NEXT]
    return {
        "next": [{"word": model.decode([t]), "probability": float(probabilities[t])} for t in tokens],
        "follows": float(probabilities[following[0]]) if len(following) else None,
    }


@cache
def packed_model():
    """The stored weights, the vocabulary and the Performer's frequencies, as text."""
    with np.load(MODEL) as stored:
        names = [name for name in stored if f"{name}_scale" in stored]
        maps = {
            name: {"data": as_text(stored[name], "i1"), "scale": as_text(stored[f"{name}_scale"], "<f4")}
            for name in names
        }
        merges, (n_layers, n_heads, d, width) = stored["merges"].tolist(), stored["query_maps"].shape
    frequencies = {m: as_text(orthogonal_frequencies(m, d, 0), "<f4") for m in FEATURES}
    return {
        "maps": maps,
        "merges": merges,
        "pieces": PIECES.pattern,
        "n_layers": n_layers,
        "n_heads": n_heads,
        "width": width,
        "rotary_base": ROTARY_BASE,
        "shown": SHOWN,
        "frequencies": {str(m): text for m, text in frequencies.items()},
    }


@cache
def worker_code():
    """The script of the worker: the transformer and what answers the page."""
    return (BUNDLED / "language_model_worker.js").read_text(encoding="utf-8")
