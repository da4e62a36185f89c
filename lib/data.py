"""Load and generate the one-dimensional data sets of the chapters."""

from pathlib import Path

import numpy as np

from lib.checks import random_generator, whole_number

DATASETS = Path(__file__).parent / "datasets"


def noisy_sine(n_keys=40, *, rng=None):
    """Draw noisy samples of f(x) = 2 sin x + x on [0, 5], the example of Dive into Deep Learning.

    Parameters
    ----------
    n_keys : int ≥ 1
    rng : numpy.random.Generator, a seed, or None

    Returns
    -------
    keys : (n_keys,) sorted array, uniform on [0, 5]
    values : (n_keys,) array, f(keys) plus standard normal noise
    truth : the function f

    Notes
    -----
    Source: Zhang, Lipton, Li & Smola, "Dive into Deep Learning", section "Attention Pooling by Similarity".

    Examples
    --------
    >>> keys, values, truth = noisy_sine(rng=0)
    >>> keys.shape, float(truth(np.pi / 2)) == 2 + np.pi / 2
    ((40,), True)
    """
    n_keys, rng, truth = whole_number("n_keys", n_keys), random_generator("rng", rng), _rising_sine
    keys = np.sort(rng.uniform(0, 5, n_keys))
    return keys, truth(keys) + rng.normal(size=n_keys), truth


def _rising_sine(x):
    return 2 * np.sin(x) + x


def two_sines(n_keys=50):
    """Sample a sum of two sines, without noise, at evenly spaced positions on [0, 1].

    Returns
    -------
    keys : (n_keys,) array
    values : (n_keys,) array, sin 2πx + ½ sin 6πx

    Notes
    -----
    Chapters 1 and 6 use these points to compare kernel smoothing with attention.

    Examples
    --------
    >>> keys, values = two_sines()
    >>> len(keys), float(keys[0]), float(keys[-1])
    (50, 0.0, 1.0)
    """
    keys = np.linspace(0, 1, whole_number("n_keys", n_keys))
    return keys, np.sin(2 * np.pi * keys) + np.sin(6 * np.pi * keys) / 2


def nile():
    """Load the annual flow of the Nile at Aswan, 1871–1970.

    Returns
    -------
    years : (100,) array
    flow : (100,) array, in 10⁸ m³ a year

    Notes
    -----
    Source: Cobb (1978), "The problem of the Nile", Biometrika 65 (2), doi:10.1093/biomet/65.2.243, as
    distributed with statsmodels, which states that the data are in the public domain. The level drops near 1898.

    Examples
    --------
    >>> years, flow = nile()
    >>> float(years[0]), float(flow[0])
    (1871.0, 1120.0)
    """
    years, flow = np.loadtxt(DATASETS / "nile.csv", delimiter=",", skiprows=1, unpack=True)
    return years, flow


def two_tales():
    """Load two tales that are not in the training set of chapter 8's language model.

    Returns
    -------
    str, about 6,400 characters

    Notes
    -----
    "The Crystal Ball" and "The Golden Key" from *Household Tales* by the Brothers Grimm, translated by Margaret
    Hunt (1884), as in Project Gutenberg's eBook 5314; in the public domain.

    Examples
    --------
    >>> two_tales()[:32]
    'There was once an enchantress, w'
    """
    return (DATASETS / "two_tales.txt").read_text(encoding="utf-8")
