"""The images of the course, noise to add to them, and a measure of what a filter has removed."""

import math
from pathlib import Path

import numpy as np
from matplotlib.image import imread

from lib.checks import non_negative, real_array

DATASETS = Path(__file__).parent / "datasets"
NOISE_STEPS = 4096  # of a standard deviation: fine enough for anyone, and two bytes a number on the way to a page


def camera():
    """A photographer behind his tripod, in grey: edges, a flat sky, the texture of grass, thin lines.

    Returns
    -------
    (128, 128) array in [0, 1]

    Notes
    -----
    Photograph by Lav Varshney, who released it under CC0. Part of `skimage.data.camera()`, at half its size.

    Examples
    --------
    >>> camera().shape
    (128, 128)
    """
    return _load("camera.png")


def cat():
    """Chelsea the cat, in colour: fur, whiskers, round edges.

    Returns
    -------
    (128, 128, 3) array in [0, 1]: red, green, blue

    Notes
    -----
    Photograph by Stéfan van der Walt, who released it under CC0. Part of `skimage.data.chelsea()`, at half its
    size.

    Examples
    --------
    >>> cat().shape
    (128, 128, 3)
    """
    return _load("cat.png")


def step(size=64):
    """A vertical edge in the middle: 0.25 on the left, 0.75 on the right.

    Parameters
    ----------
    size : int ≥ 1

    Returns
    -------
    (size, size) array

    Examples
    --------
    >>> step(4)[0]
    array([0.25, 0.25, 0.75, 0.75])
    """
    return np.tile(np.where(np.arange(size) < size // 2, 0.25, 0.75), (size, 1))


def ramp(size=64):
    """A slope from 0 at the left to 1 at the right.

    Parameters
    ----------
    size : int ≥ 1

    Returns
    -------
    (size, size) array

    Examples
    --------
    >>> ramp(5)[0]
    array([0.  , 0.25, 0.5 , 0.75, 1.  ])
    """
    return np.tile(np.linspace(0, 1, size), (size, 1))


def texture(size=64, period=8):
    """Slanted waves that repeat exactly after `period` pixels down and `period` pixels to the right.

    Parameters
    ----------
    size : int ≥ 1
    period : int ≥ 3
        In pixels.

    Returns
    -------
    (size, size) array in [0.2, 0.8]

    Examples
    --------
    >>> waves = texture(16, period=8)
    >>> bool(np.allclose(waves[:8, :8], waves[8:, 8:]))
    True
    """
    row, column = np.mgrid[:size, :size]
    return 0.5 + 0.3 * np.sin(2 * np.pi * (row + 2 * column) / period)


def standard_noise(shape, rng):
    """Independent standard normal numbers, rounded to whole 4096ths.

    Parameters
    ----------
    shape : tuple of int
    rng : numpy.random.Generator

    Returns
    -------
    float64 array

    Examples
    --------
    >>> standard_noise((2,), np.random.default_rng(0)) * 4096
    array([ 515., -541.])
    """
    return np.rint(NOISE_STEPS * rng.standard_normal(shape)) / NOISE_STEPS


def add_noise(image, noise_std, rng):
    """The image with independent Gaussian noise on every number.

    Parameters
    ----------
    image : array in [0, 1], or uint8, which is divided by 255
    noise_std : float ≥ 0
        The standard deviation of the noise, in the units of the image.
    rng : numpy.random.Generator

    Returns
    -------
    array of the same shape, `noise_std` times `standard_noise` more; not clipped to [0, 1], which would give the
    noise a mean

    Raises
    ------
    ValueError, TypeError
        For an image that is empty, not real or not finite; for a noise_std that is negative or not finite.

    Examples
    --------
    >>> noisy = add_noise(camera(), 0.1, np.random.default_rng(0))
    >>> round(psnr(noisy, camera()), 1)
    20.0
    """
    image, noise_std = _as_float("image", image), non_negative("noise_std", noise_std)
    return image + (noise_std * standard_noise(image.shape, rng)).astype(image.dtype)


def psnr(estimate, reference):
    """Peak signal-to-noise ratio of an estimate, for images in [0, 1].

    Parameters
    ----------
    estimate, reference : arrays of one shape in [0, 1], or uint8, which is divided by 255

    Returns
    -------
    float, in decibels: −10 log₁₀ of the mean squared error; inf where there is none

    Raises
    ------
    ValueError, TypeError
        For images of different shapes, empty, not real or not finite.

    Notes
    -----
    Equation eq:psnr of chapter 2.

    Examples
    --------
    >>> psnr(np.full((2, 2), 0.6), np.full((2, 2), 0.5))
    20.0
    """
    estimate, reference = _as_float("estimate", estimate), _as_float("reference", reference)
    if estimate.shape != reference.shape:
        raise ValueError(f"estimate: expected the reference's shape {reference.shape}, got {estimate.shape}")
    error = float(np.mean((estimate.astype(np.float64) - reference) ** 2))
    return -10 * math.log10(error) if error else math.inf


def _load(name):
    return np.rint(255 * imread(DATASETS / name).astype(np.float64)) / 255


def _as_float(name, image):
    image = np.asarray(image)
    return real_array(name, image / 255 if image.dtype == np.uint8 else image)
