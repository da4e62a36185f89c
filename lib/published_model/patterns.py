"""What a head does on one text: the share of its weight on five kinds of keys."""

import numpy as np

from lib.checks import as_array, real_array

PATTERNS = {  # by priority: many heads attend to the first token and have a second pattern
    "induction": "the token that followed the same token earlier (induction)",
    "same": "the same token earlier",
    "previous": "the previous token",
    "first": "the first token (a sink)",
    "broad": "all tokens nearly equally",
}
LEAST = {"induction": 0.3, "same": 0.3, "previous": 0.3, "first": 0.5, "broad": 0.5}  # shares that give a name


def head_patterns(weights, tokens):
    """Compute for each head the mean share of its weight on four kinds of keys, and the overlap with uniform.

    Parameters
    ----------
    weights : (…, n, n) array
        Causal weights, as from `PublishedModel.run`.
    tokens : (n,) sequence of int

    Returns
    -------
    dict of (…,) arrays in [0, 1], by the names of `PATTERNS`
        A share is averaged over the queries that have such a key, and is 0 without one. Queries 0 and 1 are left
        out, because their only earlier key is the first token.

    Examples
    --------
    >>> previous = np.eye(4, k=-1)
    >>> previous[0, 0] = 1
    >>> head_patterns(previous, [5, 6, 7, 8])["previous"]
    np.float64(1.0)
    """
    weights, tokens = real_array("weights", weights), as_array("tokens", tokens)
    n = len(tokens)
    if weights.shape[-2:] != (n, n):
        raise ValueError(f"weights: expected shape (…, {n}, {n}), got {weights.shape}")
    query, key = np.indices((n, n))
    same = (tokens[:, None] == tokens) & (key < query)
    followed = np.zeros_like(same)
    followed[:, 1:] = same[:, :-1]  # a key after an earlier occurrence; it may be the query itself
    followed &= key < query
    same &= key > 0  # the first token is a sink, even if it is repeated
    kinds = {"first": key == 0, "previous": key == query - 1, "induction": followed, "same": same}
    shares = {name: _share(weights, kind & (query > 1)) for name, kind in kinds.items()}
    uniform = np.tri(n) / (query + 1)
    overlap = np.minimum(weights, uniform).sum(axis=-1)[..., 2:]
    return shares | {"broad": overlap.mean(axis=-1) if n > 2 else np.zeros(weights.shape[:-2])}


def _share(weights, kind):
    """Return the mean weight on keys of a kind, over the queries that have one."""
    queries = kind.any(axis=-1)
    on_kind = (weights * kind).sum(axis=-1)[..., queries]
    return on_kind.mean(axis=-1) if queries.any() else np.zeros(weights.shape[:-2])


def name_patterns(shares):
    """Name each head after the first of `PATTERNS` whose share is large: 0.3, and 0.5 for "first" and "broad".

    Parameters
    ----------
    shares : dict of (…,) arrays
        As from `head_patterns`.

    Returns
    -------
    (…,) array of str; an empty string if no share is large

    Examples
    --------
    >>> name_patterns({"induction": 0.1, "same": 0.0, "previous": 0.4, "first": 0.6, "broad": 0.2})
    np.str_('previous')
    """
    names = np.array([*PATTERNS, ""])
    reached = [np.greater_equal(shares[name], LEAST[name]) for name in PATTERNS]
    return names[np.stack([*reached, np.ones_like(reached[0])]).argmax(axis=0)]
