"""The one-head figure: point at a word, and the words that one trained head attends to are shaded."""

import numpy as np
import traitlets

from lib.constants import ROTARY_BASE
from lib.figures.contract import Grid, LiveFigure, LivePanel, bundled, constant, custom, number
from lib.figures.contract.packing import BLOCK, HEAD, SENTENCE, first_reading, packed_projection
from lib.language_model import MODEL, PIECES

SHOWN = 64  # tokens
LONGEST_TEXT = 300  # UTF-16 code units

CAPTION = (
    "One of the sixteen attention heads of a small language model, trained on fairy tales. Each word sees only "
    "itself and the words before it. The model splits words that it does not know into pieces. What you type is "
    "processed in this browser, and nothing is sent."
)


class OneHeadFigure(LiveFigure):
    """A text and a query word; `one_head_figure` builds it."""

    _esm, _css = bundled("one_head")

    text = custom()
    query = number(grid=Grid(0, SHOWN - 1, 1), start=SHOWN - 1)  # larger values mean the last token

    first = constant()  # the words of the initial text and their weights
    head_lazy = traitlets.Dict().tag(sync=True)  # on a static page, fetched when the reader types
    longest_text = constant(LONGEST_TEXT)
    shown = constant(SHOWN)


def one_head_figure(*, question="Which words does a word attend to?", address="one-head"):
    """Show live which words a word of the reader's text attends to, in one head of the language model.

    Parameters
    ----------
    question : str
        Question shown above the figure.
    address : str
        The figure's name in the page's URL.

    Returns
    -------
    LivePanel; its `figure` is the `OneHeadFigure`.

    Notes
    -----
    The weights are `LanguageModel.run(tokens).weights[0, 1]` of the first 64 tokens, equation eq:head_weights. In
    the first block they need the embedding and two projections only, a seventh of the model.

    Examples
    --------
    >>> words = one_head_figure().figure.first["words"]
    >>> len(words), words[-1]
    (36, ' the')
    """
    words, rows = first_reading()
    first = {"words": words, "rows": rows}
    figure = OneHeadFigure(
        text=SENTENCE, first=first, head_lazy=_packed_head(), question=question, address=address
    )
    return LivePanel(figure, CAPTION)


def _packed_head():
    """Encode as text what the weights of the head need: vocabulary, embedding, and projections."""
    with np.load(MODEL) as stored:
        places = {"embedding": (), "query_maps": (BLOCK, HEAD), "key_maps": (BLOCK, HEAD)}
        maps = {name: packed_projection(stored, name, at) for name, at in places.items()}
        return {
            **{"maps": maps, "merges": stored["merges"].tolist(), "pieces": PIECES.pattern},
            **{"width": stored["embedding"].shape[1], "rotary_base": ROTARY_BASE},
        }
