"""Data of the assignments: one draw per student, so that answers differ while the questions stay.

A teacher's key gives each set of notebooks a `salt` of its own: then the data of the public ones are of no use.
"""

import unicodedata

import numpy as np

from lib.data import two_tales
from lib.images import digits


def student_rng(student_id, chapter, salt=0):
    """The random generator of one student and chapter.

    Capitals, spaces around the id, and the way in which its accents are encoded do not count.

    Raises
    ------
    ValueError
        For an empty id.

    Examples
    --------
    >>> int(student_rng("Ada", 1).integers(100)) == int(student_rng(" ada ", 1).integers(100))
    True
    """
    name = unicodedata.normalize("NFC", str(student_id)).strip().casefold()
    if not name:
        raise ValueError(f"student_id: expected your id, got {student_id!r}")
    return np.random.default_rng([chapter, *name.encode(), *([salt] if salt else [])])


def regression(student_id, salt=0):
    """Chapter 1: 60 sorted keys on [0, 5] and noisy values, `(60,)` each."""
    rng = student_rng(student_id, 1, salt)
    keys = np.sort(rng.uniform(0, 5, 60))
    return keys, rng.uniform(1, 3) * np.sin(keys + rng.uniform(0, 3)) + keys + rng.normal(scale=0.7, size=60)


def noisy_step(student_id, salt=0):
    """Chapter 2: 80 noisy pixels with an edge, the standard deviation of the noise, a pixel by the edge."""
    rng = student_rng(student_id, 2, salt)
    edge, sigma = int(rng.integers(30, 50)), float(rng.integers(4, 9) / 100)
    row = np.where(np.arange(80) < edge, 0.25, 0.75) + rng.normal(scale=sigma, size=80)
    return row, sigma, edge - 2


def noisy_stripes(student_id, salt=0):
    """Chapter 3: a 32 × 32 image of stripes with noise, the noise's standard deviation, and two pixels."""
    rng = student_rng(student_id, 3, salt)
    row, column = np.mgrid[:32, :32]
    sigma = float(rng.integers(5, 12) / 100)
    clean = 0.5 + 0.25 * np.sin(row * rng.uniform(0.5, 1) + column * rng.uniform(-0.5, 0.5))
    pixels = [tuple(int(i) for i in rng.integers(6, 26, 2)) for _ in range(2)]
    return clean + rng.normal(scale=sigma, size=(32, 32)), sigma, *pixels


def gradients(student_id, salt=0):
    """Chapter 4: 81 gradients (down, right) near an edge with noise, `(81, 2)`."""
    rng = student_rng(student_id, 4, salt)
    angle = np.radians(rng.uniform(100, 170))  # the direction of the edge; gradients stand across it
    across = np.array([np.cos(angle), -np.sin(angle)])
    return rng.normal(size=(81, 1)) * 20 * across + rng.normal(scale=3, size=(81, 2))


def small_patch(student_id, salt=0):
    """Chapter 5: positions `(49, 2)` and grey values `(49, 1)` of a 7 × 7 piece of an image."""
    rng = student_rng(student_id, 5, salt)
    positions = np.argwhere(np.ones((7, 7))).astype(float)
    values = np.where(positions @ rng.normal(size=2) > 0.5, 0.7, 0.3) + rng.normal(scale=0.1, size=49)
    return positions, values[:, None]


def tokens(student_id, salt=0):
    """Chapter 6: queries and keys `(11, d)`, values `(11, 2)`; d is the student's own."""
    rng = student_rng(student_id, 6, salt)
    dimension = int(rng.choice([3, 5, 7, 13]))
    return rng.normal(size=(11, dimension)), rng.normal(size=(11, dimension)), rng.normal(size=(11, 2))


def short_tokens(student_id, salt=0):
    """Chapter 7: queries and keys `(17, 4)`, values `(17, 2)`, and frequencies `(64, 4)`."""
    rng = student_rng(student_id, 7, salt)
    queries, keys = 0.6 * rng.normal(size=(2, 17, 4))
    return queries, keys, rng.normal(size=(17, 2)), rng.normal(size=(64, 4))


def passage(student_id, salt=0):
    """Chapter 8: 40 words of tales that the model never saw, and one of its heads: a text, a block, a head."""
    rng = student_rng(student_id, 8, salt)
    words = two_tales().split()
    start = int(rng.integers(len(words) - 40))
    return " ".join(words[start : start + 40]), int(rng.integers(4)), int(rng.integers(4))


def digits_and_noise(student_id, salt=0):
    """Chapter 9: 100 known digits `(100, 28, 28)`, another one, and noise of standard deviation 1."""
    rng = student_rng(student_id, 9, salt)
    known = digits()[rng.choice(1000, 100, replace=False)].astype(float)
    return known, digits(unseen=True)[rng.integers(200)].astype(float), rng.normal(size=(28, 28))
