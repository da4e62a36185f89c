"""The figure for the reader's own text, which the course's language model reads."""

import numpy as np
import traitlets

from lib.checks import one_of, string_of, whole_number
from lib.constants import N_NEXT
from lib.figures.contract import LiveFigure, LivePanel, bundled, lazy_worker
from lib.figures.contract.packing import SENTENCE, packed_model
from lib.figures.contract.settings import choice, constant, custom
from lib.language_model import load
from lib.weights import softmax

EXAMPLES = {
    "a tale": SENTENCE,
    "a sonnet (Shakespeare, 1609)": """Let me not to the marriage of true minds
Admit impediments. Love is not love
Which alters when it alteration finds,
Or bends with the remover to remove:
O no; it is an ever-fixed mark,
That looks on tempests, and is never shaken;
It is the star to every wandering bark,
Whose worth's unknown, although his height be taken.
Love's not Time's fool, though rosy lips and cheeks
Within his bending sickle's compass come;
Love alters not with his brief hours and weeks,
But bears it out even to the edge of doom.
If this be error and upon me proved,
I never writ, nor no man ever loved.""",
    "a German poem (Heine, 1824)": """Ich weiß nicht, was soll es bedeuten,
daß ich so traurig bin;
ein Märchen aus alten Zeiten,
das kommt mir nicht aus dem Sinn.""",
}
SHADES = {"weights": "weights", "losses": "losses"}
LONGEST = 10_000  # bytes in UTF-8; a page has about 3,000
IN_URL = 300  # characters


class YourTextFigure(LiveFigure):
    """A text, a token and a head; `your_text_figure` builds it."""

    _esm, _css = bundled("your_text")

    text = custom()
    query = custom()  # index of a token; None and larger values mean the last
    block = choice()
    head = choice()
    shade_index = choice(names=list(SHADES), name="shade")

    first = constant()  # the view shown until the model is loaded
    model_lazy = traitlets.Dict().tag(sync=True)  # on a static page, fetched on the first interaction
    worker_lazy = lazy_worker("your_text")
    context = constant()
    n_vocabulary = constant()
    examples = constant(EXAMPLES)
    shade_labels = constant(SHADES)
    longest = constant(LONGEST)
    in_url = constant(IN_URL)


def your_text_figure(
    text=SENTENCE,
    query=None,
    *,
    block=1,
    head=0,
    shade="weights",
    question="What do the heads attend to, and what surprises the model?",
    caption="",
    address="your-text",
):
    """Let the reader type, paste or open a text, which the language model of the course reads.

    Parameters
    ----------
    text : str
        The text to begin with: at most 256 tokens, the model's context. The reader's may have 10,000 bytes.
    query : int, or None for the last
        The token, counted from 0, whose weights over the earlier tokens are shown.
    block, head : int
        The selected head, counted from 0 as in `LanguageModel.run`.
    shade : {"weights", "losses"}
        Whether the tokens are shaded by the weights of the head or by their losses.
    question, caption, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `YourTextFigure`.

    Raises
    ------
    ValueError, TypeError
        For a text without a character that is not blank, or of more than 256 tokens, and settings out of range.

    Notes
    -----
    The browser runs the model in a worker; nothing is uploaded. A text longer than the context is read in windows
    of 256 tokens that overlap by half, so that each token but the first 128 sees at least 128 earlier ones.

    Examples
    --------
    >>> panel = your_text_figure("The King and his daughter", block=3, head=2)
    >>> panel.figure.first["words"]
    ['The', ' King', ' and', ' his', ' daughter']
    """
    model = load()
    tokens = model.encode(string_of("text", text))
    if not text.strip() or len(tokens) > model.context:
        raise ValueError(f"text: expected 1 to {model.context} tokens that are not all blank, got {len(tokens)}")
    n_blocks, n_heads = len(model.blocks), len(model.blocks[0].query_maps)
    last = len(tokens) - 1
    shown = last if query is None else whole_number("query", query, 0, last)
    figure = YourTextFigure(
        {"block": [str(i) for i in range(n_blocks)], "head": [str(i) for i in range(n_heads)]},
        text=text,
        query=query,
        block=whole_number("block", block, 0, n_blocks - 1),
        head=whole_number("head", head, 0, n_heads - 1),
        shade_index=one_of("shade", shade, SHADES),
        first={"text": text, "query": shown, **first_view(model, tokens, shown)},
        model_lazy=packed_model(),
        context=model.context,
        n_vocabulary=len(model.embedding),
        question=question,
        address=address,
    )
    return LivePanel(figure, caption)


def first_view(model, tokens, query):
    """Compute the initial view: the tokens, one row of weights per head, the next words and all losses."""
    run = model.run(tokens)
    probabilities = softmax(run.logits)
    likeliest = np.argsort(-probabilities[query], kind="stable")[:N_NEXT]
    return {
        "words": [model.decode([token]) for token in tokens],
        "rows": run.weights[:, :, query].tolist(),
        "next": [{"word": model.decode([t]), "probability": float(probabilities[query, t])} for t in likeliest],
        "following": (-np.log(probabilities[np.arange(len(tokens) - 1), tokens[1:]])).tolist(),
    }
