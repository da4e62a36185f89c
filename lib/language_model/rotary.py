"""Rotary position encoding."""

import numpy as np

from lib.checks import positive, real_array
from lib.constants import ROTARY_BASE


def rotate(x, positions=None, *, base=ROTARY_BASE):
    """Rotate pairs of coordinates of queries or keys by angles proportional to their positions.

    Parameters
    ----------
    x : (…, n, d) array, d even
        Coordinates a and a + d/2 form a pair.
    positions : (n,) array, or None for 0, 1, …, n − 1
    base : float > 0

    Returns
    -------
    (…, n, d) array: pair a at position p is rotated by the angle p·ω_a, with ω_a = base^(−2a/d)

    Notes
    -----
    Equation eq:rotary of chapter 8; Su et al. (2021). The inner product of a rotated query and a rotated key
    depends on their positions only through the difference.

    Examples
    --------
    >>> query, key = [[1.0, 2.0]], [[3.0, 1.0]]
    >>> early, late = (rotate(query, [p]) @ rotate(key, [p - 5]).T for p in (5, 105))
    >>> bool(np.allclose(early, late))
    True
    """
    x = real_array("x", x)
    if x.ndim < 2 or x.shape[-1] % 2:
        raise ValueError(f"x: expected shape (…, n, d) with d even, got {x.shape}")
    positions = np.arange(x.shape[-2]) if positions is None else real_array("positions", positions)
    if positions.shape != x.shape[-2:-1]:
        raise ValueError(f"positions: expected one per row, shape ({x.shape[-2]},), got {positions.shape}")
    return rotated(x, positions, positive("base", base))


def rotated(x, positions, base=ROTARY_BASE):
    """Compute `rotate` without validation."""
    first, second = np.split(x, 2, axis=-1)
    frequencies = base ** (-np.arange(first.shape[-1]) / first.shape[-1])
    angles = positions[:, None] * frequencies
    cosine, sine = np.cos(angles), np.sin(angles)
    return np.concatenate([first * cosine - second * sine, first * sine + second * cosine], axis=-1)
