"""A name for each head, from its metrics."""

import numpy as np

from lib.checks import flag
from lib.constants import HEAD_NAMES
from lib.heads.metrics import same_token


def name_heads(metrics, repeated=0.0):
    """What the metrics say of each head, in a word or two.

    Parameters
    ----------
    metrics : dict of (n_heads,) arrays
        As `measure` gives it.
    repeated : float
        The share of queries whose token stands elsewhere too, as `repeated_fraction` counts it.

    Returns
    -------
    list of str, the first of these that holds, or "" where none does

    - "first word": it gives the first token more than half of its weight
    - "this word", "one back", "two back", …: more than 0.6 of it is a smoother of one position
    - "wide": more than half of it is uniform attention
    - "same word": where its own token stands elsewhere too, 0.3 of its weight lies there
    - "near": more than 0.4 of it is a smoother of some positions, by 0.1 more than of uniform attention
    - "fixed query": more than 0.6 of it asks the same everywhere

    Notes
    -----
    The limits stand in `constants.json`. They are a choice: a name is a help to the eye and no measurement.

    Examples
    --------
    >>> weights = np.eye(20, k=-1)[None] + np.eye(20)[None] * np.eye(20)[0]
    >>> queries, keys = np.ones((2, 1, 20, 4))
    >>> from lib.heads import measure
    >>> name_heads(measure(queries, keys, weights))
    ['one back']
    """
    columns = [np.asarray(column).tolist() for column in metrics.values()]
    return [_name(dict(zip(metrics, row, strict=True)), repeated) for row in zip(*columns, strict=True)]


def repeated_fraction(tokens, causal=True):
    """The share of positions whose token stands at another position that they may see.

    Examples
    --------
    >>> float(repeated_fraction([5, 7, 5, 9]))
    0.25
    """
    same = same_token(np.asarray(tokens))
    return (np.tril(same) if flag("causal", causal) else same).any(axis=1).mean()


def _name(numbers, repeated):
    """The name of one head."""
    at_least, position = HEAD_NAMES, numbers["position_overlap"]
    is_position = position > at_least["position"] and numbers["position_bandwidth"] < at_least["sharp"]
    above_uniform = position - numbers["uniform_overlap"] > at_least["above_uniform"]
    if numbers["first_key"] > at_least["first_key"]:
        return "first word"
    if is_position:
        return _name_of_offset(int(numbers["position_offset"]))
    if numbers["uniform_overlap"] > at_least["uniform"]:
        return "wide"
    if repeated > 0 and numbers["same_token"] > at_least["same_token"] * repeated:
        return "same word"
    if position > at_least["near"] and numbers["position_bandwidth"] < at_least["narrow"] and above_uniform:
        return "near"
    return "fixed query" if numbers["fixed_query_overlap"] > at_least["fixed_query"] else ""


def _name_of_offset(offset):
    """How far from the query a head looks: "one back" for −1."""
    if offset == 0:
        return "this word"
    count = ["one", "two", "three"][abs(offset) - 1] if abs(offset) <= 3 else str(abs(offset))
    return f"{count} {'back' if offset < 0 else 'ahead'}"
