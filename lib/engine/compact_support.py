"""Sums of compactly supported kernels on a line in O(n log n) time: sorted keys and running sums of their moments.

Such a kernel is a polynomial in the distance up to one bandwidth, K = Σ_j a_j |k − q|^j for |k − q| < h. Its sums
are therefore sums of powers of k − q over the keys to the left and to the right of the query. Running sums over
all keys would lose digits, because the sum over a short window would be a difference between two large numbers.
Therefore the line is divided into boxes as wide as the bandwidth, and the running sums start again in each box,
with moments about its centre. The window of a query in box b covers the end of box b − 1, all of box b and the
start of box b + 1.

Source: Seifert, Brockmann, Engel & Gasser (1994), "Fast algorithms for nonparametric curve estimation",
doi:10.1080/10618600.1994.10474640, for updating moments about a local centre.
"""

import itertools
from math import comb

import numpy as np

from lib.kernels import boxcar, epanechnikov, triangular
from lib.weights import blocks

BLOCK = 2**14

POLYNOMIALS = {boxcar: (1,), triangular: (1, -1), epanechnikov: (1, 0, -1)}  # a_j


def window_moments(queries, keys, columns, bandwidth, kernel, powers, edge=1.0):
    """Compute Σ_k K(q, k) ((k − q)/h)^power c_k for each power and each column c.

    Parameters
    ----------
    queries : (n_queries,) array
    keys : (n_keys,) array
    columns : (c, n_keys) array
        The first contains weights ≥ 0.
    bandwidth : float
    kernel : function of `lib.kernels` with compact support
    powers : list of ints
    edge : float
        The radius of the support, in bandwidths.

    Returns
    -------
    moments : (len(powers), c, n_queries) array
    near : (n_queries,) array
        The first column summed over the three boxes. The error of a moment is a few rounding errors of this sum if
        the column is at most 1.
    """
    coefficients = POLYNOMIALS[kernel]
    highest = max(powers) + len(coefficients) - 1
    moments, near = np.zeros((len(powers), len(columns), len(queries))), np.empty(len(queries))
    order, origin = np.argsort(keys), keys[len(keys) // 2]
    keys = (keys[order] - origin) / bandwidth
    for c, column in enumerate(columns):
        running = _running_sums(keys, column, order, highest)
        for block in blocks(len(queries), BLOCK):
            rows = block.start + np.argsort(queries[block])  # searching for sorted numbers is faster
            left, right, total = _two_sides((queries[rows] - origin) / bandwidth, keys, running, edge)
            for i, power in enumerate(powers):
                for j, a in enumerate(coefficients):
                    moments[i, c, rows] += a * (right[j + power] + (-1) ** j * left[j + power])
            if c == 0:
                near[rows] = total
    return moments, near


def _running_sums(keys, column, order, highest):
    """Sum uʳ c from the left end of each box to each key, `(highest + 1, n_keys)`; u is 0 at the box's centre."""
    sums = np.empty((highest + 1, len(keys)))
    np.take(column, order, out=sums[0], mode="clip")  # this mode avoids a buffered copy
    ends = np.searchsorted(keys, np.arange(np.floor(keys[0]) + 1, np.floor(keys[-1]) + 1))
    for start, stop in itertools.pairwise(np.unique([0, *ends, len(keys)])):
        box, u = sums[:, start:stop], keys[start:stop] - (np.floor(keys[start]) + 0.5)
        for r in range(highest):
            np.multiply(box[r], u, out=box[r + 1])
        for row in box:
            np.cumsum(row, out=row)
    return sums


def _two_sides(queries, keys, running, edge):
    """Sum (k − q)ʳ c over the keys within `edge` left and right of each query, and c over the three boxes."""
    boxes = np.floor(queries)
    borders = [np.searchsorted(keys, boxes + b) for b in (-1, 0, 1, 2)]
    first = np.searchsorted(keys, queries - edge, side="right")
    here, last = np.searchsorted(keys, [queries, queries + edge])

    def up_to(index, b):
        """Return the sums from the left end of the b-th of the three boxes up to a key, clipped to this box."""
        index = np.clip(index, borders[b], borders[b + 1])
        return np.where(index > borders[b], running[:, index - 1], 0)

    def about_query(sums, b):
        shift = boxes + (b - 0.5) - queries
        terms = [[comb(r, s) * shift ** (r - s) * sums[s] for s in range(r + 1)] for r in range(len(sums))]
        return np.array([np.sum(term, axis=0) for term in terms])

    all_of = [up_to(borders[b + 1], b) for b in range(3)]
    left = about_query(all_of[0] - up_to(first, 0), 0) + about_query(up_to(here, 1), 1)
    right = about_query(all_of[1] - up_to(here, 1), 1) + about_query(up_to(last, 2), 2)
    return left, right, np.sum(all_of, axis=0)[0]
