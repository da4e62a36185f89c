"""Non-local means: two pixels are alike if the patches around them are; their distance does not matter.

    >>> from lib.filters import mirrored, window_average
    >>> image, h, patch_radius, search_radius = np.eye(5), 0.5, 1, 2
    >>> patches = sliding_window_view(mirrored(image, patch_radius + search_radius), (3, 3))
    >>> log_kernel = nonlocal_means_log_kernel(h, patch_kernel(patch_radius))
    >>> estimate = window_average(image, log_kernel, search_radius, keys=patches)
    >>> bool(np.allclose(estimate, nonlocal_means(image, h, patch_radius, search_radius)))
    True

Buades, Coll & Morel, "A non-local algorithm for image denoising", CVPR 2005, doi:10.1109/CVPR.2005.38.
Buades, Coll & Morel, "Non-local means denoising", Image Processing On Line 1 (2011),
doi:10.5201/ipol.2011.bcm_nlm.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib.checks import image_planes, non_negative, one_of, pixel_within, positive, whole_radius
from lib.engine.filters import bounded, fast_nonlocal_means, in_base_two, value_range
from lib.filters._patches import PATCH_WEIGHTS, patch_kernel, patch_taps
from lib.filters._window import window_around, window_softmax


def nonlocal_means_log_kernel(h, patch_kernel, noise_std=0.0):
    """Return log K of two patches `(…, side, side)` for `window_average`, equation eq:nlm_forgiving.

    Returns
    -------
    function (offset, query, key) → −max(d² − 2σ², 0)/h², where d² is the mean squared difference weighted by G
    """

    def log_kernel(offset, query, key):
        distance = (patch_kernel * (query - key) ** 2).sum(axis=(-2, -1))
        return -np.maximum(distance - 2 * noise_std**2, 0) / h**2

    return log_kernel


def nonlocal_means(image, bandwidth, patch_radius=3, search_radius=10, patch_weights="gaussian", noise_std=0.0):
    """Average each pixel with pixels whose surroundings are similar.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255
    bandwidth : float > 0
        h, in the units of the image: the weight falls as exp(−d²/h²), with the patch distance d² defined below.
    patch_radius : int ≥ 0
        A patch is a square of side 2·patch_radius + 1; a radius of 0 compares single pixels.
    search_radius : int ≥ 0
        The search window is a square of side 2·search_radius + 1.
    patch_weights : {"gaussian", "uniform"}
        G, the weights inside a patch, which sum to 1: a Gaussian of standard deviation patch_radius/2, or
        uniform.
    noise_std : float ≥ 0
        σ, the standard deviation of the noise, in the units of the image. Two patches that differ
        only by noise have a distance of 2σ² on average, which is subtracted:
        d² = max(Σₖ Gₖ (yᵢ₊ₖ − yⱼ₊ₖ)² − 2σ², 0). For colour images the squared differences are averaged over the
        channels.

    Returns
    -------
    array of the image's shape; float32 for a float32 or float16 image, else float64

    Notes
    -----
    Equations eq:nlm_distance, eq:nlm_weights and eq:nlm_forgiving of chapter 3. Buades, Coll & Morel (2005),
    doi:10.1109/CVPR.2005.38; the subtraction and the mean over the channels follow their paper of 2011,
    doi:10.5201/ipol.2011.bcm_nlm. Before normalisation a pixel's self-weight is 1, the largest. The centre of the
    patch is also compared, so in flat regions a pixel keeps a fraction of its own noise, eq:nlm_noise_left. The
    image is mirrored at its borders (`np.pad(mode="reflect")`).

    In scikit-image, `h=` is the bandwidth, `sigma=` is `noise_std`, `patch_size=` is 2·patch_radius + 1 and
    `patch_distance=` is `search_radius`; colour (`channel_axis=`) is recognised by a third axis. OpenCV's `h` is
    255 times ours. See pages/elsewhere, also for what `fast_mode` changes.

    Examples
    --------
    No patch is similar to that of the outlier, so it does not change; the other pixels are averaged:

    >>> image = np.full((9, 9), 0.5)
    >>> image[4, 4] = 1.0
    >>> nonlocal_means(image, bandwidth=0.05, patch_radius=1, search_radius=3)[4, 3:6].round(3)
    array([0.5, 1. , 0.5])
    """
    planes, h, patch_radius, search_radius = _parameters(
        image, bandwidth, patch_radius, search_radius, patch_weights
    )
    taps, noise = patch_taps(patch_radius, patch_weights), _noise_floor(noise_std, in_base_two(h), planes.dtype)
    return fast_nonlocal_means(image, planes, h, taps, search_radius, noise)


def nonlocal_means_log_weights(
    image, pixel, bandwidth, patch_radius=3, search_radius=10, patch_weights="gaussian", noise_std=0.0
):
    """Return the log-weights of the search window around one pixel, −max(d² − 2σ², 0)/h².

    Parameters and errors are those of `nonlocal_means_weights`.

    Returns
    -------
    (2·search_radius + 1, 2·search_radius + 1) array, at most 0; 0 at the centre
    """
    planes, h, patch_radius, search_radius = _parameters(
        image, bandwidth, patch_radius, search_radius, patch_weights
    )
    noise = _noise_floor(noise_std, h, planes.dtype)
    window = window_around(planes, pixel_within(planes.shape[1:], pixel), search_radius + patch_radius) / h
    patches = sliding_window_view(window, (2 * patch_radius + 1,) * 2, axis=(1, 2))
    squares = (patches - patches[:, search_radius, search_radius, None, None]) ** 2
    distance = np.einsum("crsij,ij->rs", squares, patch_kernel(patch_radius, patch_weights)) / len(planes)
    return -np.maximum(distance - noise, 0)


def nonlocal_means_weights(
    image, pixel, bandwidth, patch_radius=3, search_radius=10, patch_weights="gaussian", noise_std=0.0
):
    """Return the weights of the average at one pixel.

    Parameters
    ----------
    image, bandwidth, patch_radius, search_radius, patch_weights, noise_std
        As in `nonlocal_means`.
    pixel : (row, column)
        Inside the image.

    Returns
    -------
    (2·search_radius + 1, 2·search_radius + 1) array that sums to 1; the pixel itself is at the centre. Outside the
    image the weights are those of the mirrored pixels.

    Notes
    -----
    Equation eq:nlm_weights of chapter 3.

    Examples
    --------
    On stripes, all columns of the same phase as the pixel share the weight, at any distance:

    >>> stripes = np.tile([0.0, 0.5, 1.0], (9, 3))
    >>> nonlocal_means_weights(stripes, (4, 4), bandwidth=0.2, patch_radius=1, search_radius=3)[0].round(3)
    array([0.048, 0.   , 0.   , 0.048, 0.   , 0.   , 0.048])
    """
    return window_softmax(
        nonlocal_means_log_weights(image, pixel, bandwidth, patch_radius, search_radius, patch_weights, noise_std)
    )


def _noise_floor(noise_std, h, dtype):
    """Return 2σ²/h², the distance due to noise alone; infinity on overflow, when all patches are alike."""
    with np.errstate(over="ignore"):
        return (2 * np.square(non_negative("noise_std", noise_std) / h)).astype(dtype)


def _parameters(image, bandwidth, patch_radius, search_radius, patch_weights):
    planes = image_planes(image)
    h = bounded(positive("bandwidth", bandwidth), planes.dtype, value_range(planes))
    one_of("patch_weights", patch_weights, PATCH_WEIGHTS)
    patch_radius = whole_radius("patch_radius", patch_radius)
    return planes, h, patch_radius, whole_radius("search_radius", search_radius)
