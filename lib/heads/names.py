"""Names of attention heads, based on their metrics."""

import numpy as np

from lib.checks import flag
from lib.constants import HEAD_NAMES
from lib.heads.metrics import same_token


def name_heads(metrics, repeated=0.0):
    """Describe each head in a word or two, based on its metrics.

    Parameters
    ----------
    metrics : dict of (n_heads,) arrays
        As returned by `measure`.
    repeated : float
        The fraction of queries whose token also occurs elsewhere, as computed by `repeated_fraction`.

    Returns
    -------
    list of str, the first of these names that applies, or "" if none does

    - "first word": more than half of the weight is on the first token
    - "this word", "one back", "two back", …: an overlap above 0.6 with a smoother of a single position
    - "wide": an overlap above 0.5 with uniform attention
    - "same word": if the query's token also occurs elsewhere, 0.3 of the weight is on those positions
    - "near": an overlap above 0.4 with a smoother of several positions, 0.1 more than with uniform attention
    - "fixed query": an overlap above 0.6 with a fixed query

    Notes
    -----
    The thresholds are in `constants.json`. They are arbitrary: a name is a visual aid, not a measurement.

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
    """Return the fraction of positions whose token also occurs at a different visible position.

    Examples
    --------
    >>> float(repeated_fraction([5, 7, 5, 9]))
    0.25
    """
    same = same_token(np.asarray(tokens))
    return (np.tril(same) if flag("causal", causal) else same).any(axis=1).mean()


def _name(numbers, repeated):
    """Return the name of one head."""
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
    """Return the name of an offset from the query, such as "one back" for −1."""
    if offset == 0:
        return "this word"
    count = ["one", "two", "three"][abs(offset) - 1] if abs(offset) <= 3 else str(abs(offset))
    return f"{count} {'back' if offset < 0 else 'ahead'}"
