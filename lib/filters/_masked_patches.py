"""Non-local means where pixels are missing: patches are compared where both are known.

Criminisi, Pérez & Toyama, "Region filling and object removal by exemplar-based image inpainting", IEEE
Transactions on Image Processing 13 (9), 2004, doi:10.1109/TIP.2004.833105, compare patches on their known pixels
and copy the best one; here all of them are averaged, as in non-local means.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib.checks import image_planes, positive, whole_radius
from lib.filters._patches import patch_taps
from lib.weights import softmax


def masked_nonlocal_means(image, known, bandwidth, patch_radius=3, search_radius=10):
    """Average the known pixels of the search window, weighted by patch similarity on pixels known in both.

    Parameters
    ----------
    image : (H, W) array in [0, 1], or uint8, which is divided by 255
        The value of a missing pixel does not matter, as long as it is a finite number.
    known : (H, W) bool array
        True where the image was sampled.
    bandwidth : float > 0
        h, in the units of the image.
    patch_radius, search_radius : int ≥ 0
        Patches and the search window are squares of side 2·radius + 1.

    Returns
    -------
    (H, W) float64 array; NaN where no known pixel has a patch that shares a known pixel with the query's

    Notes
    -----
    Equation eq:masked_distance of chapter 4, with the Gaussian patch weights of `patch_kernel`. It keeps two
    numbers for each pixel and each key of its window.

    Examples
    --------
    Stripes come back from their twins:

    >>> stripes = np.tile([0.2, 0.8], (12, 6))
    >>> known = np.random.default_rng(0).random((12, 12)) < 0.5
    >>> filled = masked_nonlocal_means(stripes, known, bandwidth=0.05, search_radius=4)
    >>> bool(np.allclose(filled, stripes))
    True
    """
    planes, known = image_planes(image).astype(np.float64), np.asarray(known)
    if len(planes) != 1 or known.dtype != bool or known.shape != planes.shape[1:]:
        raise ValueError(
            f"known: expected bools for a grey image, got {known.dtype} {known.shape} for {np.shape(image)}"
        )
    h, search = positive("bandwidth", bandwidth), whole_radius("search_radius", search_radius)
    radius = whole_radius("patch_radius", patch_radius)
    taps, side = patch_taps(radius, "gaussian"), 2 * search + 1
    image, known = (np.pad(plane, radius + search, mode="reflect") for plane in (planes[0], known))
    from_pixels = lambda plane: sliding_window_view(plane, np.subtract(plane.shape, 2 * search))  # (side, side, …)
    of_keys, key_is_known = from_pixels(image), from_pixels(known)
    query, query_is_known = of_keys[search, search], key_is_known[search, search]

    log_weights, values = np.empty((2, side**2, *planes[0].shape))
    for i, offset in enumerate(np.ndindex(side, side)):
        both = key_is_known[offset] & query_is_known
        distance, shared = _mean_over_patch((of_keys[offset] - query) ** 2, both, taps)
        is_key = _centers(key_is_known[offset], radius) & (shared > 0)
        log_weights[i] = np.where(is_key, -distance / h**2, -np.inf)
        values[i] = _centers(of_keys[offset], radius)
    weights = softmax(log_weights, axis=0)
    return np.where(weights.any(axis=0), np.sum(weights * values, axis=0), np.nan)


def _mean_over_patch(plane, mask, taps):
    """The weighted mean over each patch of what the mask leaves, and the weight that it leaves."""
    over_patch = lambda x: sliding_window_view(sliding_window_view(x, len(taps), 0) @ taps, len(taps), 1) @ taps
    shared = over_patch(mask.astype(float))
    return over_patch(mask * plane) / np.where(shared > 0, shared, 1), shared


def _centers(plane, radius):
    height, width = plane.shape
    return plane[radius : height - radius, radius : width - radius]
