"""Sums of Gaussians in time linear in queries and keys: between two boxes the kernel is a small matrix.

The line is divided into boxes. For a query in one box and a key in another the Gaussian is smooth. Up to rounding
it is therefore a polynomial in their positions within the boxes:

    K(q, k) = Σ_a Σ_b  T_a(u_q) G_ab T_b(u_k),        K ≈ C_q G C_kᵀ

with Chebyshev polynomials T and a matrix G that depends only on the number of boxes between the two. The product
can then be evaluated from the right: Σ_k K(q, k) v is C_q (G (C_kᵀ v)). `_moments` sums the keys of each box,
`_seen_along` transfers these moments to the boxes within reach, and `_evaluate` evaluates the result of its box
for each query. In d dimensions K is a product, and G is applied axis by axis. The kernel times a power of k − q is
just as smooth, which gives the moments about the query that local linear regression needs.

Two details preserve accuracy and time. The width of a box is a power of two, so the position inside a box is exact
at any distance from zero. Only rows and columns of boxes that contain a point are stored, so distant points cost
nothing.

Sources: Greengard & Strain (1991), "The fast Gauss transform", doi:10.1137/0912004. Fong & Darve (2009), "The
black-box fast multipole method", doi:10.1016/j.jcp.2009.08.031, for the interpolation.
"""

import itertools
import math

import numpy as np

from lib.weights import blocks

ERROR = 1e-15  # absolute error of the kernel, whose maximum is 1
BLOCK = 2**14  # number of points per block, whose polynomials fit into the cache
LARGEST_INDEX = 2.0**52  # of a box; the next index is still a distinct float


class Boxes:
    """The non-empty boxes along one axis."""

    def __init__(self, x, width):
        self.width = width
        boxes = self._floor(x)
        self.low = boxes.min()
        span = boxes.max() - self.low + 1
        self.lookup = None
        if span <= max(len(x), BLOCK):  # a lookup table is faster than a search
            is_held = np.zeros(int(span), bool)
            is_held[(boxes - self.low).astype(np.intp)] = True
            self.indices, self.lookup = self.low + np.flatnonzero(is_held), np.cumsum(is_held) - 1
        else:
            self.indices = np.unique(boxes)

    def _floor(self, x):
        return np.floor(x / self.width)

    def __len__(self):
        return len(self.indices)

    def locate(self, x):
        """Return the index in `indices` of each point's box, and its position in the box, from −1 to 1."""
        x = x / self.width
        boxes = np.floor(x)
        position = 2 * (x - boxes) - 1
        if self.lookup is None:
            return np.searchsorted(self.indices, boxes), position
        return self.lookup[(boxes - self.low).astype(np.intp)], position


def gaussian_moments(queries, keys, columns, bandwidth, powers, widths):
    """Compute Σ_k K(q, k) Π_a ((k_a − q_a)/h_a)^power_a c_k for each column c and each tuple of powers.

    Parameters
    ----------
    queries : (n_queries, d) array
    keys : (n_keys, d) array
    columns : list of (n_keys,) arrays
        The first contains weights ≥ 0.
    bandwidth : (d,) array
    powers : list of tuples of d ints
    widths : (d,) array of powers of two

    Returns
    -------
    moments : (len(powers), c, n_queries) array
    near : (n_queries,) array
        The first column summed over the keys within reach. The error of a moment is at most about ERROR times this
        sum if the column is at most 1.
    """
    axes = [
        Axis(q, k, h, width, max(power[i] for power in powers))
        for i, (q, k, h, width) in enumerate(zip(queries.T, keys.T, bandwidth, widths, strict=True))
    ]
    sums = _evaluate(queries, axes, _seen_by_queries(axes, _moments(keys, axes, columns), powers))
    return sums[1:].reshape(len(powers), len(columns), -1), sums[0]


class Axis:
    """The boxes along one axis, the number of polynomials in each, and the reach of a key in boxes."""

    def __init__(self, queries, keys, bandwidth, width, highest_power=0):
        self.asking, self.held = Boxes(queries, width), Boxes(keys, width)
        self.width = width / bandwidth
        self.order = degree(self.width) + highest_power
        n = reach(len(keys), self.width)
        self.steps = np.arange(-n, n + 1)


def degree(width):
    """Return the number of polynomials per axis for boxes of this width in bandwidths.

    The interpolation error is at most (width/4)ⁿ · max|K⁽ⁿ⁾| · 2/n!, and |K⁽ⁿ⁾| ≤ 1.09 √(2ⁿ n!).

    >>> degree(0.5)
    14
    """
    error = 4.0
    for n in itertools.count(1):
        error *= width / math.sqrt(8 * n)
        if error <= ERROR:
            return n


def reach(n_keys, width):
    """Return the reach in boxes; all keys further away together have a weight below ERROR."""
    return math.ceil(math.sqrt(math.log(n_keys / ERROR)) / width)


def kernel_coefficients(steps, width, n, power=0):
    """Return G, the Chebyshev coefficients `(n, n_steps, n)` of e^(−δ²) δ^power for a key `steps` boxes away.

    >>> G = kernel_coefficients(np.array([0, 3]), 0.5, 14)[:, 1]
    >>> left, right = chebyshev(np.array([-1.0, 1.0]), 14).T
    >>> abs(float(right @ G @ left - np.exp(-1.0))) < 1e-14
    True
    """
    angles = np.pi * (np.arange(n) + 0.5) / n
    nodes = np.cos(angles)
    difference = width * (steps[:, None, None] + (nodes - nodes[:, None]) / 2)
    transform = 2 / n * np.cos(np.arange(n)[:, None] * angles)
    transform[0] /= 2
    coefficients = transform @ (np.exp(-(difference**2)) * difference**power) @ transform.T
    return np.ascontiguousarray(coefficients.swapaxes(0, 1))


def chebyshev(x, n):
    """Evaluate T₀(x) … T_(n−1)(x), `(n, len(x))`."""
    polynomials = np.ones((n, len(x)))
    if n > 1:
        polynomials[1] = x
    for i in range(2, n):
        np.multiply(2 * x, polynomials[i - 1], out=polynomials[i])
        polynomials[i] -= polynomials[i - 2]
    return polynomials


def _located(points, all_boxes, orders):
    """Yield blocks of points with the grid index of each point's box and the polynomials per axis."""
    size = [len(boxes) for boxes in all_boxes]
    for part in blocks(len(points), max(BLOCK, math.prod(size))):
        places, positions = zip(*map(Boxes.locate, all_boxes, points[part].T), strict=True)
        polynomials = [chebyshev(x, n) for x, n in zip(positions, orders, strict=True)]
        yield part, np.ravel_multi_index(places, size), polynomials


def _moments(keys, axes, columns):
    """Compute C_kᵀ v, the moments of each box: `(c, *orders, *boxes)`."""
    orders, boxes = [axis.order for axis in axes], [axis.held for axis in axes]
    size = [len(along) for along in boxes]
    moments = np.zeros((len(columns), *orders, math.prod(size)))
    for part, place, polynomials in _located(keys, boxes, orders):
        for total, column in zip(moments, columns, strict=True):
            _accumulate(total, place, column[part], polynomials)
    return moments.reshape(len(columns), *orders, *size)


def _accumulate(total, place, weights, polynomials):
    """Add Σ T_a(u) T_b(u′) … v to each box, axis by axis."""
    if not polynomials:
        total += np.bincount(place, weights, len(total))
        return
    for part, polynomial in zip(total, polynomials[0], strict=True):
        _accumulate(part, place, weights * polynomial, polynomials[1:])


def _seen_by_queries(axes, moments, powers):
    """Compute G (C_kᵀ v), unweighted for the first column and for each power and column: `(*orders, n_boxes)`."""
    first_order = (0, *(slice(1) for _ in axes))
    seen = [_seen_along_axes(axes, moments[first_order], [np.ones((1, len(axis.steps), 1)) for axis in axes])]
    for power in powers:
        kernels = [kernel_coefficients(a.steps, a.width, a.order, p) for a, p in zip(axes, power, strict=True)]
        seen += [_seen_along_axes(axes, column, kernels) for column in moments]
    return seen


def _seen_along_axes(axes, moments, kernels):
    """Transfer moments from the keys' boxes to the queries' boxes, axis by axis."""
    d = len(axes)
    for i, (axis, kernel) in enumerate(zip(axes, kernels, strict=True)):
        moments = np.ascontiguousarray(np.moveaxis(moments, (d + i, i), (0, 1)))
        moments = np.moveaxis(_seen_along(axis, moments, kernel), (0, 1), (d + i, i))
    return moments.reshape(*moments.shape[:d], -1)


def _seen_along(axis, moments, kernel):
    """Transfer moments `(n_boxes, n, …)` along one axis with a kernel `(n, n_steps, n)`."""
    n, rest = moments.shape[1], moments.shape[2:]
    moments = moments.reshape(len(moments), n, -1)
    held, asking, steps = axis.held.indices, axis.asking.indices, axis.steps
    seen = np.empty((len(asking), n, moments.shape[2]))
    first, stop = np.searchsorted(held, asking + steps[[0, -1], None] + [[0], [1]])
    for i, near in enumerate(map(slice, first, stop)):
        step = (held[near] - asking[i]).astype(np.intp) - steps[0]
        of_steps = kernel[:, step].reshape(n, len(step) * n)
        seen[i] = of_steps @ moments[near].reshape(len(step) * n, -1 if len(step) else moments.shape[2])
    return seen.reshape(len(asking), n, *rest)


def _evaluate(queries, axes, seen):
    """Compute C_q (G C_kᵀ v) by evaluating the polynomials of each query's box: `(len(seen), n_queries)`."""
    sums = np.empty((len(seen), len(queries)))
    orders, boxes = [axis.order for axis in axes], [axis.asking for axis in axes]
    for part, place, polynomials in _located(queries, boxes, orders):
        for total, coefficients in zip(sums, seen, strict=True):
            total[part] = _read(coefficients, place, polynomials)
    return sums


def _read(coefficients, place, polynomials):
    """Compute Σ T_a(u) T_b(u′) … L_ab…, axis by axis."""
    if not polynomials:
        return coefficients[place]
    total = 0
    for polynomial, part in zip(polynomials[0], coefficients, strict=False):  # a count has only one coefficient
        total = total + polynomial * _read(part, place, polynomials[1:])
    return total
