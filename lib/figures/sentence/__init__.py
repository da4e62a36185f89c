"""The sentence figure: a word of a sentence is the query, and its attention weights shade the others."""

import re
from collections.abc import Mapping

import numpy as np

from lib.checks import real_array, string_of, whole_number
from lib.figures.contract import LiveFigure, LivePanel, bundled
from lib.figures.contract.settings import Grid, constant, custom, number

SLOT = re.compile(r"\[(.+?)\]")


class SentenceFigure(LiveFigure):
    """A sentence with words that are tokens; `sentence_figure` builds it."""

    _esm, _css = bundled("sentence")

    query = number()  # index of a token
    words = custom()  # the tokens, one of the options each

    pieces = constant()  # the text between the tokens
    options = constant()  # the words that can be each token
    query_vectors = constant()  # by word
    key_vectors = constant()
    temperature = constant()


def sentence_figure(sentence, features, query_projection, key_projection, *, query=0, question, address):
    """Show live which words of a sentence a word attends to, with its scores and weights.

    Parameters
    ----------
    sentence : str
        The tokens are in brackets; a bar separates the words that the reader can swap: `"The [animal|bus] is
        [tired]."`
    features : dict from str to sequence of m numbers
        The vector of each word in brackets.
    query_projection, key_projection : (d, m) array
        W_q and W_k.
    query : int
        Index of the token that is the query at first.
    question, address : see `lib.figures`

    Returns
    -------
    LivePanel; its `figure` is the `SentenceFigure`.

    Raises
    ------
    ValueError, TypeError
        For a sentence without tokens, a word without features, and arrays or an index that do not fit.

    Notes
    -----
    The weights are `lib.attention.attention_weights` with τ = √d, equation eq:attention_weights.

    Examples
    --------
    >>> features = {"fox": [1.0], "it": [2.0]}
    >>> asked = {"question": "What is it?", "address": "fox"}
    >>> figure = sentence_figure("A [fox], for [it] runs.", features, [[1.0]], [[3.0]], query=1, **asked).figure
    >>> figure.words, figure.pieces, figure.key_vectors["fox"]
    (['fox', 'it'], ['A ', ', for ', ' runs.'], [3.0])
    """
    options = [slot.split("|") for slot in SLOT.findall(string_of("sentence", sentence))]
    tokens = _vectors(options, features)
    to_query, to_key = (
        real_array("query_projection", query_projection),
        real_array("key_projection", key_projection),
    )
    width = np.shape(next(iter(tokens.values())))
    if to_query.ndim != 2 or to_query.shape != to_key.shape or to_query.shape[1:] != width:
        shapes = f"{to_query.shape} and {to_key.shape}"
        raise ValueError(f"projections: expected two of shape (d, {width[0]}), got {shapes}")
    figure = SentenceFigure(
        {"query": Grid(0, len(options) - 1, 1)},
        query=whole_number("query", query, 0, len(options) - 1),
        words=[slot[0] for slot in options],
        pieces=SLOT.sub("\n", sentence).split("\n"),
        options=options,
        query_vectors={word: (to_query @ token).tolist() for word, token in tokens.items()},
        key_vectors={word: (to_key @ token).tolist() for word, token in tokens.items()},
        temperature=float(np.sqrt(len(to_key))),
        question=question,
        address=address,
    )
    return LivePanel(figure)


def _vectors(options, features):
    """Return the vector of each word in brackets."""
    if not isinstance(features, Mapping):
        raise TypeError(f"features: expected a dict from words to vectors, got {features!r}")
    words = [word for slot in options for word in slot]
    if len(options) < 2 or not features.keys() >= {*words}:
        unknown = sorted({*words} - features.keys())
        raise ValueError(
            f"sentence: expected at least two words in brackets with features, got {unknown or words}"
        )
    vectors = real_array("features", [features[word] for word in words])
    if vectors.ndim != 2:
        raise ValueError(f"features: expected a vector for each word, got shape {vectors.shape[1:]}")
    return dict(zip(words, vectors, strict=True))
