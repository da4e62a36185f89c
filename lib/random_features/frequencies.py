"""Random frequencies: standard normal vectors that are independent, orthogonal or simplex-coupled."""

import numpy as np

from lib.checks import random_generator, whole_number


def iid_frequencies(n_features, dimension, *, rng=None):
    """Draw independent standard normal frequencies.

    Parameters
    ----------
    n_features : int ≥ 1
        m in the paper.
    dimension : int ≥ 1
        d, the number of components of a query or key.
    rng : numpy.random.Generator, a seed, or None

    Returns
    -------
    (n_features, dimension) array.

    Notes
    -----
    Equation eq:rff_gaussian of chapter 7: the frequencies of Rahimi & Recht (2007) for the Gaussian kernel.

    Examples
    --------
    >>> iid_frequencies(256, 64, rng=0).shape
    (256, 64)
    """
    return random_generator("rng", rng).standard_normal(
        (whole_number("n_features", n_features), whole_number("dimension", dimension))
    )


def orthogonal_frequencies(n_features, dimension, *, rng=None):
    """Draw frequencies that are orthogonal in blocks of d; each is marginally standard normal.

    Parameters
    ----------
    n_features, dimension, rng
        As in `iid_frequencies`.

    Returns
    -------
    (n_features, dimension) array. Rows 0 … d−1 are orthogonal, so are rows d … 2d−1, and so on; the blocks are
    independent.

    Notes
    -----
    Equation eq:orthogonal of chapter 7; Choromanski et al. (2021), section 2.4. Directions are the rows of a
    uniformly random rotation, and lengths are those of normal vectors (χ with d degrees of freedom). Each
    frequency therefore keeps its distribution and every estimate its mean, but the directions no longer
    cluster. This lowers the variance of positive features for every d, by at least eq:orthogonal_gap.

    Examples
    --------
    >>> frequencies = orthogonal_frequencies(2, 2, rng=0)
    >>> bool(np.isclose(frequencies[0] @ frequencies[1], 0))
    True
    """
    return _blocks_of_directions(n_features, dimension, rng, lambda rotations: rotations)


def simplex_frequencies(n_features, dimension, *, rng=None):
    """Draw frequencies that point, in blocks of d, to the vertices of a randomly rotated simplex.

    Parameters
    ----------
    n_features, dimension, rng
        As in `iid_frequencies`, with dimension ≥ 2.

    Returns
    -------
    (n_features, dimension) array. Each row is marginally standard normal; within a block the cosine between any
    two is −1/(d − 1), the smallest value possible for d directions.

    Notes
    -----
    Reid, Choromanski, Likhosherstov & Weller, "Simplex random features", ICML 2023,
    doi:10.48550/arXiv.2301.13856. The rows of a rotation, centred and scaled to unit length, are such
    vertices. The method is designed for positive features.

    Examples
    --------
    >>> first, second = simplex_frequencies(2, 2, rng=0)
    >>> cosine = first @ second / np.linalg.norm(first) / np.linalg.norm(second)
    >>> round(float(cosine), 12)
    -1.0
    """
    dimension = whole_number("dimension", dimension, at_least=2)
    stretch = np.sqrt(dimension / (dimension - 1))
    return _blocks_of_directions(
        n_features, dimension, rng, lambda rotations: stretch * (rotations - rotations.mean(axis=1, keepdims=True))
    )


def _blocks_of_directions(n_features, dimension, rng, arrange):
    n_features, dimension = whole_number("n_features", n_features), whole_number("dimension", dimension)
    rng = random_generator("rng", rng)
    n_blocks = -(-n_features // dimension)
    directions = arrange(_rotations(n_blocks, dimension, rng)).reshape(-1, dimension)[:n_features]
    lengths = np.sqrt(rng.chisquare(dimension, size=(n_features, 1)))
    return lengths * directions


def _rotations(n, dimension, rng):
    """Draw uniformly distributed orthogonal matrices.

    QR alone is not uniform: the signs depend on LAPACK's algorithm, so some directions are more likely than
    others and the estimates are biased. Making the diagonal of R positive fixes this (Mezzadri, "How to
    generate random matrices from the classical compact groups", Notices of the AMS 54 (5), 2007).
    """
    q, r = np.linalg.qr(rng.standard_normal((n, dimension, dimension)))
    return q * np.sign(np.diagonal(r, axis1=-2, axis2=-1))[:, None, :]
