"""Diffusion: kernel regression on training images, and sampling of an image from noise.

The noisy image is the query. The training images are the keys and the values, and h² = 2σ²:

    log_weights = -squared_distances(noisy, pictures) / (2 * noise_std**2)
    weights     = softmax(log_weights)
    estimate    = average(weights, pictures)

The formula of `score` is due to Robbins (1956) and Miyasawa (1961). `denoise` is the ideal denoiser of Karras,
Aittala, Aila & Laine, "Elucidating the design space of diffusion-based generative models", 2022, arXiv:2206.00364;
the variant that compares patches is from Kamb & Ganguli, "An analytic theory of creativity in convolutional
diffusion models", 2025, arXiv:2412.20292.
"""

import numpy as np

from lib.checks import positive, random_generator, real_array, whole_number
from lib.weights import average, softmax

BLOCK = 256  # images whose differences are in memory at once


def denoise_weights(noisy, pictures, noise_std):
    """Return the weight of each training image in the posterior mean of the clean image.

    Parameters
    ----------
    noisy : (…, H, W) or (…, H, W, C) array
        The query: an image plus noise, in the units of `pictures`; or a batch of them, with leading axes.
    pictures : (n, H, W) or (n, H, W, C) array
        The keys: the training images, in any range.
    noise_std : float > 0
        σ, the standard deviation (not the variance) of the noise in each pixel.

    Returns
    -------
    (…, n) array that sums to 1: the posterior probability of each image under a uniform prior

    Raises
    ------
    ValueError
        If a number exceeds 1e50 in magnitude, because squared distances could overflow.

    Notes
    -----
    Equation eq:denoise_weights of chapter 9: the weights of chapter 1 with h² = 2σ².

    Examples
    --------
    >>> black, white = np.zeros((2, 2)), np.ones((2, 2))
    >>> denoise_weights([[0.0, 1.0], [0.0, 0.0]], [black, white], noise_std=1.0).round(2)
    array([0.73, 0.27])
    """
    noisy, pictures, noise_std = _checked(noisy, pictures, noise_std)
    log_weights = -_squared_distances(noisy, pictures) / (2 * noise_std**2)
    return softmax(log_weights).astype(np.result_type(noisy, pictures), copy=False)


def denoise(noisy, pictures, noise_std, patch_radius=None):
    """Return the posterior mean of the clean image: an average of the training images, or of their patches.

    Parameters
    ----------
    noisy, pictures, noise_std
        As in `denoise_weights`. The images are also the values.
    patch_radius : int ≥ 0, or None
        None compares whole images. With a radius r each pixel has its own weights, which compare the patch of side
        2r + 1 around it with the patches at the same position in all images. Pixels outside the image are ignored.

    Returns
    -------
    array of the shape of `noisy`; float32 if both arrays are float32 or float16, else float64

    Notes
    -----
    Equations eq:denoise and eq:patch_denoise. The estimate minimises the expected squared error if each image
    (each patch) of the set is equally likely. σ → 0 gives the nearest image and σ → ∞ the mean. A radius that
    covers the whole image is equivalent to None.

    Examples
    --------
    >>> black, white = np.zeros((1, 9)), np.ones((1, 9))
    >>> half = np.array([[0.1, 0, 0, 0, 0, 1, 1, 1, 1]])
    >>> denoise(half, [black, white], noise_std=0.1).round()
    array([[0., 0., 0., 0., 0., 0., 0., 0., 0.]])
    >>> denoise(half, [black, white], noise_std=0.1, patch_radius=1).round()
    array([[0., 0., 0., 0., 0., 1., 1., 1., 1.]])
    """
    if patch_radius is not None:
        radius = whole_number("patch_radius", patch_radius, at_least=0)
        noisy, pictures, noise_std = _checked(noisy, pictures, noise_std)
        return _one_by_one(_denoise_patches, noisy, pictures, noise_std, radius).reshape(noisy.shape)
    weights = denoise_weights(noisy, pictures, noise_std)
    pictures = real_array("pictures", pictures)
    estimate = average(weights, pictures.reshape(len(pictures), -1))
    return estimate.reshape(*weights.shape[:-1], *pictures.shape[1:])


def _one_by_one(function, noisy, pictures, *given):
    """Call `function(noisy, pictures, …)` for each image of a batch."""
    batch = noisy.reshape(-1, *pictures.shape[1:])
    return np.stack([function(one, pictures, *given) for one in batch])


def _denoise_patches(noisy, pictures, noise_std, radius):
    """Average each block of images, then average the blocks by their total weights."""
    rows, columns = (np.abs(np.subtract.outer(range(n), range(n))) <= radius for n in noisy.shape[:2])
    colour = (1,) * (noisy.ndim - 2)
    rows, columns = rows.astype(float), columns.astype(float)  # matrices that sum over the patch around a pixel
    estimates, log_totals = [], []
    for start in range(0, len(pictures), BLOCK):
        block = pictures[start : start + BLOCK].astype(float)
        squares = ((noisy - block) ** 2).reshape(*block.shape[:3], -1).sum(axis=-1)
        log_weights = -(rows @ squares @ columns) / (2 * noise_std**2)  # (n, H, W)
        weights = softmax(log_weights, axis=0)
        estimates.append((weights.reshape(*weights.shape, *colour) * block).sum(axis=0))
        log_total = log_weights.max(axis=0) - np.log(weights.max(axis=0))
        log_totals.append(log_total.reshape(*log_total.shape, *colour))
    estimate = (softmax(log_totals, axis=0) * estimates).sum(axis=0)
    return estimate.astype(np.result_type(noisy, pictures), copy=False)


def score(noisy, pictures, noise_std, patch_radius=None):
    """Return the score, the gradient of the log density of noisy images.

    Parameters
    ----------
    noisy, pictures, noise_std, patch_radius
        As in `denoise`.

    Returns
    -------
    array of the shape of `noisy`, in inverse units of the images. With patches it is not the gradient of a
    single density.

    Notes
    -----
    Equation eq:tweedie, solved for the gradient: (denoised − noisy)/σ². Robbins (1956) and Miyasawa (1961); named
    after Tweedie by Efron, "Tweedie's formula and selection bias", 2011, doi:10.1198/jasa.2011.tm11181.

    Examples
    --------
    >>> score([[3.0]], pictures=[[[1.0]]], noise_std=2.0)
    array([[-0.5]])
    """
    denoised = denoise(noisy, pictures, noise_std, patch_radius)
    noisy, _, noise_std = _checked(noisy, pictures, noise_std)
    return (denoised - noisy) / noise_std / noise_std


def noise_levels(n, largest, smallest):
    """Return geometrically decreasing standard deviations.

    Parameters
    ----------
    n : int ≥ 2
    largest, smallest : float > 0
        The first and the last level; the first must be larger.

    Returns
    -------
    (n,) array

    Examples
    --------
    >>> noise_levels(4, 8.0, 1.0)
    array([8., 4., 2., 1.])
    """
    n = whole_number("n", n, at_least=2)
    largest, smallest = positive("largest", largest), positive("smallest", smallest)
    if largest <= smallest:
        raise ValueError(f"largest: expected a level above smallest, {smallest}, got {largest}")
    return np.geomspace(largest, smallest, n)


LEVELS = noise_levels(30, 10.0, 0.08)  # for images in [−1, 1]


def walk(noisy, noise_levels, denoiser):
    """Sample along decreasing noise levels: estimate the clean image, move towards it, and repeat.

    Parameters
    ----------
    noisy : array
        The starting point, an image with noise of the first level, or a batch of them.
    noise_levels : (n_levels,) array
        Decreasing standard deviations, all above 0.
    denoiser : function (noisy, noise_std) → array of the shape of noisy

    Yields
    ------
    noise_std, noisy, denoised
        The level, the image at this level, and the estimate of the clean image. The last estimate is the result.

    Notes
    -----
    Equation eq:walk: Euler steps for dx/dσ = (x − denoised)/σ, the probability flow of Song et al. (2021),
    "Score-based generative modeling through stochastic differential equations", in the form of Karras et al.
    (2022).

    Examples
    --------
    >>> always_seven = lambda noisy, noise_std: np.array([[7.0]])
    >>> [float(noisy[0, 0]) for _, noisy, _ in walk(np.array([[15.0]]), [4.0, 2.0, 1.0], always_seven)]
    [15.0, 11.0, 9.0]
    """
    levels = _falling(noise_levels)
    for level, next_level in zip(levels, [*levels[1:], None], strict=True):
        denoised = denoiser(noisy, level)
        yield level, noisy, denoised
        if next_level is not None:
            noisy = denoised + next_level / level * (noisy - denoised)


def heun_walk(noisy, noise_levels, denoiser):
    """Sample as `walk`, but average the direction at both ends of each step: Heun's method.

    Parameters
    ----------
    noisy, noise_levels, denoiser
        As in `walk`. Each step but the last calls the denoiser twice.

    Yields
    ------
    noise_std, noisy, denoised
        As in `walk`. The last estimate is the result.

    Notes
    -----
    Equation eq:heun: the second-order sampler of Karras et al. (2022), algorithm 1, arXiv:2206.00364.

    Examples
    --------
    >>> always_seven = lambda noisy, noise_std: np.array([[7.0]])
    >>> [float(noisy[0, 0]) for _, noisy, _ in heun_walk(np.array([[15.0]]), [4.0, 2.0, 1.0], always_seven)]
    [15.0, 11.0, 9.0]
    """
    levels = _falling(noise_levels)
    for level, next_level in zip(levels, [*levels[1:], None], strict=True):
        denoised = denoiser(noisy, level)
        yield level, noisy, denoised
        if next_level is not None:
            slope = (noisy - denoised) / level
            there = noisy + (next_level - level) * slope
            slope_there = (there - denoiser(there, next_level)) / next_level
            noisy = noisy + (next_level - level) * (slope + slope_there) / 2


def _falling(noise_levels):
    levels = real_array("noise_levels", noise_levels)
    if levels.ndim != 1 or (levels <= 0).any() or (np.diff(levels) >= 0).any():
        raise ValueError(f"noise_levels: expected falling numbers > 0 of shape (n_levels,), got {noise_levels}")
    return levels


def wiener_filter(pictures):
    """Return the best linear denoiser that mean and covariance of the training images allow.

    Parameters
    ----------
    pictures : (n, H, W) or (n, H, W, C) array with n ≥ 2

    Returns
    -------
    function (noisy, noise_std) → array of the shape of noisy
        It takes one image or a batch of them, and can serve as the denoiser of `walk`.

    Notes
    -----
    Equation eq:wiener: Wiener, "Extrapolation, interpolation, and smoothing of stationary time series", 1949, for
    images that need not be stationary. It is the posterior mean if the images are normally distributed.

    Examples
    --------
    >>> estimate = wiener_filter([[[1.0, -1.0]], [[-1.0, 1.0]]])  # variance 4 along (1, −1), 0 across
    >>> estimate([[3.0, 1.0]], noise_std=2.0).round(6)
    array([[ 0.5, -0.5]])
    """
    pictures = _pictures(pictures)
    if len(pictures) < 2:
        raise ValueError(f"pictures: expected at least two, for a covariance, got {len(pictures)}")
    flat = pictures.reshape(len(pictures), -1).astype(float)
    mean = flat.mean(axis=0)
    variances, directions = np.linalg.eigh(np.atleast_2d(np.cov(flat.T)))
    varies = variances > len(mean) * np.finfo(float).eps * variances.max()  # else 0, up to rounding

    def denoiser(noisy, noise_std):
        noisy, noise_std = _noisy(noisy, pictures), min(positive("noise_std", noise_std), 1e150)
        kept = np.zeros_like(variances)
        kept[varies] = variances[varies] / (variances[varies] + noise_std**2)
        from_mean = noisy.reshape(-1, len(mean)) - mean
        return (mean + from_mean @ directions * kept @ directions.T).reshape(noisy.shape)

    return denoiser


def sample(pictures, rng=None, noise_levels=LEVELS, patch_radius=None, start=None):
    """Sample an image: run `walk` from noise with `denoise`.

    Parameters
    ----------
    pictures : (n, H, W) or (n, H, W, C) array
    rng : numpy.random.Generator, a seed, or None
        Used to draw the start: normal noise times the first level.
    noise_levels : (n_levels,) array
        Decreasing standard deviations. The default, 30 levels from 10 to 0.08, is for images in [−1, 1]. The first
        level should be large compared with the norm of their mean, because the starts scatter around zero, and
        the last small compared with the Euclidean distances between the images.
    patch_radius : int ≥ 0, or None
        As in `denoise`.
    start : array, or None
        The noisy image at the first level, or a batch of them, instead of a random one.

    Returns
    -------
    (H, W) or (H, W, C) array, or of the shape of `start`

    Notes
    -----
    Equation eq:walk.

    Examples
    --------
    >>> stripes = np.array([[[1.0, -1.0]], [[-1.0, 1.0]]])
    >>> sample(stripes, rng=0).round(6)
    array([[ 1., -1.]])
    """
    pictures = _pictures(pictures)
    rng = random_generator("rng", rng)
    if start is None:
        start = real_array("noise_levels", noise_levels).ravel()[0] * rng.standard_normal(pictures.shape[1:])
    start = _noisy(start, pictures, "start")
    denoiser = lambda noisy, noise_std: denoise(noisy, pictures, noise_std, patch_radius)
    *_, (_, _, result) = walk(start, noise_levels, denoiser)
    return result


def _squared_distances(noisy, pictures):
    """Return ‖noisy − image‖² for each image, summed in float64: (…, n)."""
    squares = _one_by_one(_squared_distances_of_one, noisy, pictures)
    return squares.reshape(*noisy.shape[: noisy.ndim - pictures.ndim + 1], len(pictures))


def _squared_distances_of_one(noisy, pictures):
    blocks = [pictures[start : start + BLOCK] for start in range(0, len(pictures), BLOCK)]
    differences = ((block.astype(float) - noisy).reshape(len(block), -1) for block in blocks)
    return np.concatenate([np.einsum("np,np->n", each, each) for each in differences])


def _checked(noisy, pictures, noise_std):
    pictures = _pictures(pictures)
    noisy = _noisy(noisy, pictures)
    return noisy, pictures, min(max(positive("noise_std", noise_std), 1e-100), 1e100)  # finite when squared


def _pictures(pictures):
    pictures = _within_range("pictures", pictures)
    if pictures.ndim not in (3, 4):
        raise ValueError(f"pictures: expected shape (n, H, W) or (n, H, W, C), got {pictures.shape}")
    return pictures


def _noisy(noisy, pictures, name="noisy"):
    noisy = _within_range(name, noisy)
    shape = pictures.shape[1:]
    if noisy.shape[-len(shape) :] != shape:
        raise ValueError(f"{name}: expected the shape of one picture, {shape}, or of a batch, got {noisy.shape}")
    return noisy


def _within_range(name, array):
    array = real_array(name, array)
    largest = float(max(array.max(), -array.min()))
    if largest > 1e50:  # so that no squared distance overflows, even divided by σ²
        raise ValueError(f"{name}: expected numbers within ±1e50, got {largest}")
    return array
