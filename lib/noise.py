"""Normal noise that is identical in Python and in the browser, so that a page needs only its seed."""

import numpy as np

from lib.checks import whole_number


def box_muller_noise(seed, shape):
    """Draw normal numbers that are identical in Python and in the browser.

    Parameters
    ----------
    seed : int ≥ 0
    shape : tuple of int

    Returns
    -------
    array of this shape

    Notes
    -----
    The Box–Muller transform of a hashed counter; the hash is the finalizer of Appleby's MurmurHash3.

    Examples
    --------
    >>> box_muller_noise(4, (1, 3)).round(3)
    array([[0.524, 1.659, 0.782]])
    """
    counter = 65536 * whole_number("seed", seed, at_least=0) + 2 * np.arange(np.prod(shape, dtype=int))
    noise = np.sqrt(-2 * np.log(_uniform(counter))) * np.cos(2 * np.pi * _uniform(counter + 1))
    return noise.reshape(shape)


def _uniform(counter):
    """Hash integers to numbers in (0, 1), by mixing the 32 bits of each."""
    bits = counter.astype(np.uint64) * 0x9E3779B9 % 2**32
    bits = (bits ^ bits >> 16) * 0x85EBCA6B % 2**32
    bits = (bits ^ bits >> 13) * 0xC2B2AE35 % 2**32
    return ((bits ^ bits >> 16) + 0.5) / 2**32
