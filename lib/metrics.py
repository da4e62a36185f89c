"""Squared distances between queries and keys."""

import numpy as np


def squared_euclidean(queries, keys):
    """‖q − k‖² for every query and key, by ‖q‖² − 2 q·k + ‖k‖².

    Parameters
    ----------
    queries : (n_queries, d) array
    keys : (n_keys, d) array

    Returns
    -------
    (n_queries, n_keys) array. For d > 1 rounding may leave a distance of zero slightly negative.

    Notes
    -----
    Equation eq:squared_distance of chapter 1. In one dimension the difference is squared directly. Otherwise the
    three terms are one matrix product, [−2q, ‖q‖², 1] · [k, 1, ‖k‖²], with queries and keys first moved to the
    keys' mean: large numbers that nearly cancel would lose their digits.

    Examples
    --------
    >>> squared_euclidean(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0], [1.0, 0.0]]))
    array([[25.,  1.]])
    """
    origin = keys.mean(axis=0)
    return squared_distances_to(keys - origin)(queries - origin)


def squared_distances_to(keys):
    """The function queries → `squared_euclidean(queries, keys)`, for keys that are asked more than once.

    The caller centres queries and keys.
    """
    if keys.shape[1] == 1:
        row = np.ascontiguousarray(keys.T)

        def squared_differences(queries):
            difference = queries - row
            return np.multiply(difference, difference, out=difference)

        return squared_differences

    key_side = np.column_stack([keys, np.ones_like(keys[:, 0]), (keys**2).sum(axis=1)]).T

    def product(queries):
        squared_norms = np.einsum("ij,ij->i", queries, queries)
        return np.column_stack([-2 * queries, squared_norms, np.ones_like(squared_norms)]) @ key_side

    return product
