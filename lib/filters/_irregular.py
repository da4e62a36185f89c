"""Steering kernels for irregularly sampled images: local planes fitted to the available samples.

    >>> positions = np.array([[0.0, 0.5], [1.3, 4.0], [2.0, 1.0], [3.1, 2.2]])  # four irregular samples of a plane
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
    """Fit a plane to scattered samples around a query, with one metric per sample; return its height and slope.

    Parameters
    ----------
    query : (2,) array
        An arbitrary position.
    positions, values, metrics : (n, 2), (n,) and (n, 2, 2) arrays
        The samples, each with its metric C. Identity matrices give circular kernels.
    bandwidth : float > 0
        h in eq:steering_kernel, in pixels if C is the identity.

    Returns
    -------
    height : float
    slope : (2,) array

    Notes
    -----
    Equation eq:steering_order2 of chapter 4, at order 1.
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
    """Fit a plane to the known pixels around every pixel; return its height and slope.

    Two calls fill in missing pixels: the first with circular kernels, the second with ellipses based on the
    slopes.

    Parameters
    ----------
    image : (H, W) array in [0, 1], or uint8, which is divided by 255
        The values at missing pixels are ignored, but must be finite.
    known : (H, W) bool array
        True where the image was sampled.
    bandwidth : float > 0
        h in eq:steering_kernel.
    slope : (H, W, 2) array, or None for circles
        The gradient by row and by column, from which the metrics are computed: the slope from an earlier call.
    radius : int ≥ 1
        The window is a square of side 2·radius + 1.
    analysis_radius, structure_sensitivity, **steering
        As in `steering_matrices`; the defaults are those of the toolbox's example with missing pixels.

    Returns
    -------
    height : (H, W) array
    slope : (H, W, 2) array, in units of the image per pixel
        Both are NaN where the window contains no known pixel.

    Notes
    -----
    Equivalent to `plane_at` at every pixel. Samples and metrics are mirrored at the borders
    (`np.pad(mode="reflect")`).

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
