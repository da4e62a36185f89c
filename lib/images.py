"""Test images, noise to add to them, and a measure of the error that remains after filtering."""

import math
from pathlib import Path

import numpy as np

from lib import former_names
from lib.checks import flag, image_of_shape, non_negative, random_generator, whole_number
from lib.checks import image as as_image

DATASETS = Path(__file__).parent / "datasets"
DIGIT_LEVELS = 16
NORMAL_QUARTILE = 0.6744897501960817  # the median of |z| for a standard normal z
NOISE_STEPS = 4096  # per standard deviation; a number fits into two bytes on a page


def camera():
    """Load a grey photograph of a photographer with a tripod: edges, a flat sky, the texture of grass, thin lines.

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
    """Load a colour photograph of Chelsea the cat: fur, whiskers, round edges.

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


def cat_face():
    """The face of the same cat from nearer, in colour: an eye and its rim, fur, whiskers.

    Returns
    -------
    (210, 250, 3) array in [0, 1]: red, green, blue, in 64 levels

    Notes
    -----
    Photograph by Stéfan van der Walt, who released it under CC0. Part of `skimage.data.chelsea()`.

    Examples
    --------
    >>> cat_face().shape
    (210, 250, 3)
    """
    return _load("cat_face.png")


def step(size=64):
    """Create a vertical edge in the centre: 0.25 on the left, 0.75 on the right.

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
    size = whole_number("size", size)
    return np.tile(np.where(np.arange(size) < size // 2, 0.25, 0.75), (size, 1))


def ramp(size=64):
    """Create a horizontal ramp from 0 on the left to 1 on the right.

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
    size = whole_number("size", size)
    return np.tile(np.linspace(0, 1, size), (size, 1))


def texture(size=64, period=8):
    """Create diagonal waves that repeat exactly every `period` pixels down and to the right.

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
    size, period = whole_number("size", size), whole_number("period", period, at_least=3)
    row, column = np.mgrid[:size, :size]
    return 0.5 + 0.3 * np.sin(2 * np.pi * (row + 2 * column) / period)


def digits(unseen=False):
    """Load handwritten digits, white on black, in the repeating order 0, 1, …, 9.

    Parameters
    ----------
    unseen : bool
        False returns the training set of chapter 9, a thousand digits; True returns two hundred others.

    Returns
    -------
    (1000, 28, 28) or (200, 28, 28) float32 array in [−1, 1], of 16 grey levels

    Notes
    -----
    From MNIST, by Yann LeCun and Corinna Cortes, licence CC BY-SA 3.0; see `lib/datasets/README.md`.

    Examples
    --------
    >>> digits().shape, digits(unseen=True).shape
    ((1000, 28, 28), (200, 28, 28))
    """
    with np.load(DATASETS / "digits.npz") as sets:
        levels = sets["unseen" if flag("unseen", unseen) else "known"]
    return (2 * levels / np.float32(DIGIT_LEVELS - 1) - 1).astype(np.float32)


def blossoms(n, *, size=28, rng=None):
    """Draw closed curves, white on black: circles with two to six petals.

    Parameters
    ----------
    n : int ≥ 1
    size : int ≥ 1
    rng : numpy.random.Generator, a seed, or None
        Determines position, size, number of petals, and their depth and direction.

    Returns
    -------
    (n, size, size) float32 array in [−1, 1]

    Notes
    -----
    All curves differ and their number is unlimited, so chapter 9 uses them as a control for the digits.

    Examples
    --------
    >>> blossoms(5).shape
    (5, 28, 28)
    """
    n, rng, size = whole_number("n", n), random_generator("rng", rng), whole_number("size", size)
    column = lambda low, high: rng.uniform(low, high, (n, 1, 1))
    place = (np.arange(size) + 0.5) / size - 0.5
    down, right = place[:, None] - column(-0.08, 0.08), place - column(-0.08, 0.08)
    angle = np.arctan2(down, right) + column(0, 2 * np.pi)
    petals = rng.integers(2, 7, (n, 1, 1))
    radius = column(0.18, 0.27) * (1 + column(0.1, 0.4) * np.cos(petals * angle))
    distance = size * np.abs(np.hypot(down, right) - radius)  # from each pixel to the curve, in pixels
    return (1 - 2 * np.clip(distance - 0.5, 0, 1)).astype(np.float32)


def brick_wall(height=256, width=256):
    """Draw a brick gable under a clear sky, in grey: repeating texture, straight and round edges, smooth regions.

    Parameters
    ----------
    height, width : int ≥ 1
        In pixels. The bricks have a fixed size, so a larger image contains more of them.

    Returns
    -------
    (height, width) array in [0, 1]

    Notes
    -----
    The image is synthetic, so it contains no camera noise. A brick including its mortar takes 16 columns and 8
    rows. Each course of bricks is offset by 8 columns from the one above, so the pattern of the mortar repeats 8
    pixels down and 8 pixels to the right. The bricks have many different tones. The round window gets brighter
    towards its centre. Edges are blurred over one pixel, as by a lens.

    Examples
    --------
    >>> wall = brick_wall()
    >>> wall.shape
    (256, 256)
    >>> round(float(wall[:20].std()), 3), round(float(wall[-40:].std()), 3)  # the sky, the bricks
    (0.006, 0.172)
    """
    height, width = whole_number("height", height), whole_number("width", width)
    row, column = np.mgrid[:height, :width].astype(np.float64)
    sky = 0.92 - 0.25 * row / height
    under_the_roof = row - 0.1 * height - 0.5 * np.abs(column - 0.5 * width)
    radius = 0.14 * min(height, width)
    from_the_window = np.hypot(row - 0.52 * height, column - 0.5 * width)
    window = 0.85 - 0.6 * (from_the_window / radius) ** 2
    wall = _blend(sky, _bricks(row, column), under_the_roof)
    return np.clip(_blend(wall, window, radius - from_the_window), 0, 1)


def _bricks(row, column, brick_height=8, brick_width=16, mortar=0.75):
    course, down = np.divmod(row, brick_height)
    brick, across = np.divmod(column + course * brick_width / 2, brick_width)
    tone = 0.15 + 0.35 * ((0.618 * course + 0.414 * brick) % 1)
    from_above, from_the_left = (
        np.minimum(down, brick_height - 1 - down),
        np.minimum(across, brick_width - 1 - across),
    )
    return _blend(mortar, tone, np.minimum(from_above, from_the_left) - 0.25)


def _blend(outside, inside, depth):
    """Blend from `outside` at a depth of −½ pixel or less to `inside` at ½ pixel or more."""
    share = np.clip(depth + 0.5, 0, 1)
    return (1 - share) * outside + share * inside


def standard_noise(shape, *, rng=None):
    """Draw independent standard normal numbers, rounded to multiples of 1/4096.

    Parameters
    ----------
    shape : tuple of int
    rng : numpy.random.Generator, a seed, or None

    Returns
    -------
    float64 array

    Examples
    --------
    >>> standard_noise((2,), rng=0) * 4096
    array([ 515., -541.])
    """
    return np.rint(NOISE_STEPS * random_generator("rng", rng).standard_normal(shape)) / NOISE_STEPS


def add_noise(image, noise_std, *, rng=None):
    """Add independent Gaussian noise to every pixel and channel of an image.

    Parameters
    ----------
    image : array in [0, 1], or uint8, which is divided by 255
    noise_std : float ≥ 0
        The standard deviation of the noise, in the units of the image.
    rng : numpy.random.Generator, a seed, or None

    Returns
    -------
    array of the same shape, the image plus `noise_std` times `standard_noise`. It is not clipped to [0, 1],
    because the mean of the clipped noise would not be zero.

    Examples
    --------
    >>> noisy = add_noise(camera(), 0.1, rng=0)
    >>> round(psnr(noisy, camera()), 1)
    20.0
    """
    image, noise_std = as_image("image", image), non_negative("noise_std", noise_std)
    if noise_std > float(np.finfo(image.dtype).max) / 1e3:
        raise ValueError(f"noise_std: expected noise within the range of {image.dtype}, got {noise_std}")
    return image + (noise_std * standard_noise(image.shape, rng=rng)).astype(image.dtype)


def estimate_noise_std(image):
    """Estimate the standard deviation of the noise in a photograph from the photograph alone.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1] of at least 2 × 2 pixels, or uint8, which is divided by 255
        Channels that are the same everywhere, such as an opaque alpha channel, are left out.

    Returns
    -------
    float, for independent Gaussian noise that is the same everywhere. Fine texture counts as noise, and
    compressed or filtered images have a different kind of noise.

    Notes
    -----
    Half the mixed second difference over 2 × 2 pixels has the variance of the noise. It vanishes where the image
    is a ramp, and its median magnitude is robust to edges. Source: Donoho & Johnstone (1994), "Ideal spatial
    adaptation by wavelet shrinkage", doi:10.1093/biomet/81.3.425; the wavelet here is Haar's.

    Examples
    --------
    >>> round(estimate_noise_std(add_noise(camera(), 0.1, rng=0)), 3)
    0.103
    """
    image = image_of_shape("image", image)
    if min(image.shape[:2]) < 2:
        raise ValueError(f"image: expected at least 2 × 2 pixels, got shape {image.shape}")
    if image.ndim == 3 and (varies := np.ptp(image, axis=(0, 1)) > 0).any():
        image = image[..., varies]
    detail = np.diff(np.diff(image.astype(np.float64), axis=0), axis=1) / 2
    return float(np.median(np.abs(detail)) / NORMAL_QUARTILE)


def psnr(estimate, reference):
    """Compute the peak signal-to-noise ratio of an estimate, for images in [0, 1].

    Parameters
    ----------
    estimate, reference : arrays of the same shape in [0, 1], or uint8, which is divided by 255

    Returns
    -------
    float, in decibels: −10 log₁₀ of the mean squared error; inf if the error is zero

    Notes
    -----
    Equation eq:psnr of chapter 2.

    Examples
    --------
    >>> psnr(np.full((2, 2), 0.6), np.full((2, 2), 0.5))
    20.0
    """
    estimate, reference = as_image("estimate", estimate), as_image("reference", reference)
    if estimate.shape != reference.shape:
        raise ValueError(f"estimate: expected the reference's shape {reference.shape}, got {estimate.shape}")
    error = float(np.mean((estimate.astype(np.float64) - reference) ** 2))
    return -10 * math.log10(error) if error else math.inf


def _load(name):
    from matplotlib.image import imread  # here, since it takes half a second, and most assignments load no image

    return np.rint(255 * imread(DATASETS / name).astype(np.float64)) / 255


__getattr__ = former_names.of(__name__)
