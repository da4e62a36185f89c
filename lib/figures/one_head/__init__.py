"""The one-head figure: point at a word, and the words that one trained head attends to are shaded.

After the last word stands the one that the whole model expects next; a click appends it.
"""

import traitlets

from lib.figures.contract import LiveFigure, LivePanel, bundled, lazy_worker
from lib.figures.contract.packing import BLOCK, HEAD, SENTENCE, first_reading, packed_model
from lib.figures.contract.settings import Grid, constant, custom, number
from lib.language_model import load
from lib.weights import softmax

SHOWN = 64  # tokens; longer texts are truncated to their last 64 tokens
LONGEST_TEXT = 600  # UTF-16 code units

CAPTION = (
    "<details><summary>How it was computed</summary>"
    "One of the sixteen attention heads of a small language model, trained on fairy tales. Each word sees only "
    "itself and the words before it. The model splits words that it does not know into pieces. The dashed word is "
    "the most likely next one according to the whole model, which is loaded (1.4 MB) when you click it or type. "
    "What you type is processed in this browser, and nothing is sent.</details>"
)


class OneHeadFigure(LiveFigure):
    """A text and a query word; `one_head_figure` builds it."""

    _esm, _css = bundled("one_head")

    text = custom()
    query = number(grid=Grid(0, SHOWN - 1, 1), start=SHOWN - 1)  # larger values mean the last token

    first = constant()  # the words of the initial text, their weights, and the likeliest word after each
    model_lazy = traitlets.Dict().tag(sync=True)  # on a static page, fetched when the reader types or appends
    worker_lazy = lazy_worker("one_head")
    place = constant({"block": BLOCK, "head": HEAD})
    longest_text = constant(LONGEST_TEXT)
    shown = constant(SHOWN)


def one_head_figure(*, question="Which words does a word attend to?", address="one-head"):
    """Show live which words a word attends to in one head, and which word the model expects after it.

    Parameters
    ----------
    question, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `OneHeadFigure`.

    Notes
    -----
    The weights are `LanguageModel.run(tokens).weights[0, 1]` of the last 64 tokens, equation eq:head_weights. The
    next word is the token with the largest of `softmax(run.logits)`, equation eq:next_word. For texts other than
    the initial one the browser runs the model (`methods/language_model.js`), the same file as in chapter 8.

    Examples
    --------
    >>> first = one_head_figure().figure.first
    >>> len(first["words"]), first["words"][-1], first["next"][-1]["word"]
    (36, ' the', ' King')
    """
    words, rows = first_reading()
    figure = OneHeadFigure(
        text=SENTENCE,
        first={"words": words, "rows": rows, "next": _next_words()},
        model_lazy=packed_model() | {"shown": SHOWN},
        question=question,
        address=address,
    )
    return LivePanel(figure, CAPTION)


def _next_words():
    """Return the most likely word after each word of the initial text, with its probability."""
    model = load()
    rows = softmax(model.run(model.encode(SENTENCE)).logits)
    likeliest = rows.argmax(axis=1)
    return [
        {"word": model.decode([token]), "probability": round(float(row[token]), 6)}
        for row, token in zip(rows, likeliest, strict=True)
    ]
