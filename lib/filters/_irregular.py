"""Steering kernels where most pixels are missing: a local plane through the samples that there are.

    >>> positions = np.array([[0.0, 0.5], [1.3, 4.0], [2.0, 1.0], [3.1, 2.2]])  # anywhere, four samples of a plane
    >>> values, circles = 2 + positions @ [0.3, -0.1], np.tile(np.eye(2), (4, 1, 1))
    >>> height, slope = plane_at(np.array([1.0, 2.0]), positions, values, circles, bandwidth=1.5)
    >>> float(height.round(6)), slope.round(6)
    (2.1, array([ 0.3, -0.1]))

Takeda, Farsiu & Milanfar, "Kernel regression for image processing and reconstruction", IEEE Transactions on Image
Processing 16 (2), 2007, doi:10.1109/TIP.2006.888330.
"""

import numpy as np

from lib.checks import image_planes, positive, whole_radius
from lib.constants import WHITE
from lib.engine.steering import closed_form_matrices, estimate_once
from lib.filters._lark import steering_of
from lib.weights import softmax


def plane_at(query, positions, values, metrics, bandwidth):
    """Height and slope, at one place, of the plane through scattered samples, each with a metric of its own.

    Parameters
    ----------
    query : (2,) array
        A place, anywhere.
    positions, values, metrics : (n, 2), (n,) and (n, 2, 2) arrays
        The samples, each with its metric C. Identity matrices make circles of all kernels.
    bandwidth : float > 0
        The h of eq:steering_kernel, in pixels where C is the identity.

    Returns
    -------
    height : float
    slope : (2,) array

    Notes
    -----
    Equation eq:steering_order2 of chapter 4, of order 1.
    """
    d = positions - query
    log_weights = np.log(np.linalg.det(metrics)) / 2 - np.einsum("na,nab,nb->n", d, metrics, d) / (
        2 * bandwidth**2
    )
    root = np.sqrt(softmax(log_weights))
    design = np.column_stack([np.ones(len(d)), d])
    (height, *slope), *_ = np.linalg.lstsq(root[:, None] * design, root * values)
    return height, np.array(slope)


def local_plane(
    image, known, bandwidth, slope=None, *, radius=8, analysis_radius=4, structure_sensitivity=0.1, **steering
):
    """Height and slope, at every pixel, of the plane through the known pixels around it.

    Called twice, it fills in missing pixels: first with circles, then with ellipses that are made of the slopes.

    Parameters
    ----------
    image : (H, W) array in [0, 1], or uint8, which is divided by 255
        What stands at a missing pixel does not matter, as long as it is a finite number.
    known : (H, W) bool array
        True where the image was sampled.
    bandwidth : float > 0
        The h of eq:steering_kernel.
    slope : (H, W, 2) array, or None for circles
        The gradient, by row and by column, that makes the metrics: the slope that an earlier call found.
    radius : int ≥ 1
        The window is a square of side 2·radius + 1.
    analysis_radius, structure_sensitivity, **steering
        As `steering_matrices`; the defaults are those of the toolbox's example with missing pixels.

    Returns
    -------
    height : (H, W) array
    slope : (H, W, 2) array, in units of the image per pixel
        Both NaN where the window holds no known pixel.

    Notes
    -----
    `plane_at` for every pixel. Outside, samples and metrics are mirrored (`np.pad(mode="reflect")`).

    Examples
    --------
    >>> known = np.random.default_rng(0).random((24, 24)) < 0.3
    >>> ramp = np.tile(np.linspace(0, 1, 24), (24, 1))
    >>> height, slope = local_plane(ramp, known, bandwidth=2.0, radius=5)
    >>> bool(np.allclose(height[5:-5, 5:-5], ramp[5:-5, 5:-5]))
    True
    """
    steering = steering_of(analysis_radius, structure_sensitivity=structure_sensitivity, **steering)
    planes, known = image_planes(image).astype(np.float64), np.asarray(known)
    if len(planes) != 1 or known.dtype != bool or known.shape != planes.shape[1:]:
        raise ValueError(
            f"known: expected bools for a grey image, got {known.dtype} {known.shape} for {np.shape(image)}"
        )
    if slope is None:
        matrices, scale = np.multiply.outer(np.eye(2), np.ones(known.shape)), np.ones(known.shape)
    else:
        if np.shape(slope) != (*known.shape, 2):
            raise ValueError(f"slope: expected the shape {(*known.shape, 2)}, got {np.shape(slope)}")
        gradient = WHITE * np.moveaxis(np.asarray(slope, np.float64), -1, 0)
        matrices, scale = closed_form_matrices(gradient, steering)
    radius = whole_radius("radius", radius, at_least=1)
    bandwidth = positive("bandwidth", bandwidth)
    with np.errstate(invalid="ignore", divide="ignore"):  # a window without a known pixel gives NaN
        height, gradient = estimate_once(planes, matrices, scale, bandwidth, radius, 1, known)
    return height[0], np.moveaxis(gradient, 0, -1) / WHITE
