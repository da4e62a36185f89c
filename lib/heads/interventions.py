"""Kernels for `lib.language_model` that ablate one ability of a head."""

import numpy as np

from lib.checks import positive, whole_number


def mask_keys(positions):
    """Return a kernel that masks the keys at some positions. A token can still attend to itself.

    Parameters
    ----------
    positions : sequence of int, at least 0
        Positions after the last token mask nothing.

    Returns
    -------
    function (queries, keys) → (n, n) log-weights

    Raises
    ------
    TypeError, ValueError
        If a position is not an integer, or is negative.

    Examples
    --------
    >>> from lib.language_model import load
    >>> model = load()
    >>> tokens = model.encode("The King said to the frog")
    >>> model.run(tokens, {(0, 1): mask_keys([1])}).weights[0, 1, 2:, 1].any()
    np.False_
    """
    positions = [whole_number("positions", position, at_least=0) for position in positions]

    def kernel(queries, keys):
        scores = queries @ keys.T / np.sqrt(keys.shape[-1])
        hidden = np.isin(np.arange(len(keys)), positions) & ~np.eye(len(keys), dtype=bool)
        return np.where(hidden, -np.inf, scores)

    return kernel


def fixed_query(query, rotate):
    """Return a kernel that uses the same query at every position.

    Parameters
    ----------
    query : (d,) array
        The query before rotation.
    rotate : function (x, positions) → x
        As in `measure`; for a model without rotary positions, `lambda x, positions: x`.

    Returns
    -------
    function (queries, keys) → (n, n) log-weights
    """
    return lambda queries, keys: (
        rotate(np.broadcast_to(query, queries.shape), np.arange(len(queries))) @ keys.T / np.sqrt(keys.shape[-1])
    )


def balanced_gaussian(scale=1.0):
    """Return a Gaussian kernel of the same queries and keys at a multiple of the balanced scale.

    With `scale` s the root mean square of the keys is s times that of the queries; s → 0 gives the head itself.
    """
    scale = positive("scale", scale)

    def kernel(queries, keys):
        ratio = np.sqrt((keys**2).mean() / (queries**2).mean())
        penalty = scale * (keys**2).sum(axis=-1) / (2 * ratio)
        return (queries @ keys.T - penalty) / np.sqrt(keys.shape[-1])

    return kernel
