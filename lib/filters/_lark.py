"""Steering kernels: the metric follows the edges of the image.

    >>> from lib.filters import mirrored, window_average
    >>> image, h, radius = np.tile([0.0, 0.1, 0.9, 1.0], (4, 1)), 2.0, 1
    >>> C = mirrored(steering_matrices(image), radius)  # one metric per key
    >>> estimate = window_average(image, steering_log_kernel(h), radius, keys=C)
    >>> bool(np.allclose(estimate, lark(image, h, radius)))
    True

Takeda, Farsiu & Milanfar, "Kernel regression for image processing and reconstruction", IEEE Transactions on Image
Processing 16 (2), 2007, doi:10.1109/TIP.2006.888330; parameters and details as in the authors' Matlab toolbox,
whose constants are for grey levels from 0 to 255. The name LARK, locally adaptive regression kernel, is due to
Seo & Milanfar (2009–10).
"""

import numpy as np

from lib.checks import image_planes, non_negative, pixel_within, positive, real_array, whole_number, whole_radius
from lib.constants import STEERING, WHITE
from lib.engine.filters import bounded
from lib.engine.steering import (
    Steering,
    brightness,
    closed_form_matrices,
    equivalent_kernel,
    fast_lark,
    fields_of,
    log_weights_of,
    plane_gradient,
    tensors,
)
from lib.filters._window import window_around, window_softmax

DISK = STEERING["analysis_radius"]  # the defaults are those of the authors' toolbox
DEFAULTS = {
    "structure_sensitivity": STEERING["sensitivity"],
    "elongation_regularization": STEERING["elongation"],
    "structure_regularization": STEERING["regularization"],
}


def steering_matrix(gradients, shares, **steering):
    """Compute C, the metric of one pixel, from the gradients around it.

    Parameters
    ----------
    gradients : (n, 2) array
        By row and by column, on a scale of 0 to 255.
    shares : (n,) array
        a, the fraction of each gradient's pixel inside the disk, as from `disk`.
    **steering
        As in `steering_matrices`.

    Returns
    -------
    (2, 2) array

    Notes
    -----
    This implements equation eq:steering_matrix of chapter 4 literally. `steering_matrices` computes C for every
    pixel without an SVD per pixel.

    Examples
    --------
    >>> across = np.array([[0.0, 1.0], [0.0, 3.0]])  # two gradients, both along the columns
    >>> steering_matrix(across, np.ones(2), structure_regularization=1.0).round(3)
    array([[0.17 , 0.   ],
           [0.   , 2.943]])
    """
    gradients, shares = real_array("gradients", gradients), real_array("shares", shares)
    if shares.ndim != 1 or gradients.shape != (len(shares), 2):
        shapes = f"{gradients.shape} and {shares.shape}"
        raise ValueError(f"gradients and shares: expected shapes (n, 2) and (n,), got {shapes}")
    if not (shares >= 0).all() or not shares.any():
        raise ValueError(f"shares: expected numbers ≥ 0, not all of them 0, got {shares}")
    alpha, lambda_1, lambda_2 = _constants(**steering)
    rows = np.vstack([shares[:, None] * gradients, np.zeros((1, 2))])  # two singular values for one gradient, too
    _, (s1, s2), (u1, u2) = np.linalg.svd(rows, full_matrices=False)
    elongation = (s1 + lambda_1) / (s2 + lambda_1)
    scale = ((s1 * s2 + lambda_2) / np.linalg.norm(shares, ord=1)) ** alpha
    return scale * (elongation * np.outer(u1, u1) + np.outer(u2, u2) / elongation)


def steering_log_kernel(h):
    """Return log K of a pixel and its neighbour for `window_average`, equation eq:steering_kernel.

    Returns
    -------
    function (offset, query, key) → log √det C − dᵀC d/(2h²), where d is the offset and C belongs to the key
    """

    def log_kernel(offset, query, key):
        d, C = offset, key
        return np.log(np.linalg.det(C)) / 2 - d @ C @ d / (2 * h**2)

    return log_kernel


def lark(image, bandwidth, radius=5, order=0, n_iterations=1, *, analysis_radius=DISK, **steering):
    """Average each pixel with its neighbours, using kernels elongated along each neighbour's edge.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255
    bandwidth : float > 0
        The toolbox's h: the weight falls as exp(−dᵀC d/(2h²)), with a factor of 2, so the kernel's semi-axes are
        h/√λ pixels for the eigenvalues λ of C. In the course's convention, exp(−‖·‖²/h²), h is √2 times larger.
    radius : int ≥ 0
        The window is a square of side 2·radius + 1. The toolbox uses 10 for denoising.
    order : {0, 1, 2}
        0 averages; 1 and 2 fit a plane or a quadratic to the window by weighted least squares and return its value
        at the centre.
    n_iterations : int ≥ 1
        Each further iteration filters the previous estimate again, with steering matrices computed from its
        gradient.
    analysis_radius, **steering
        As in `steering_matrices`; they determine the matrices C.

    Returns
    -------
    array of the image's shape; float32 for a float32 or float16 image, else float64

    Notes
    -----
    Equations eq:steering_kernel and, for order 2, eq:steering_order2 of chapter 4: the weight of key j for
    pixel i is wᵢⱼ = √det Cⱼ · exp(−dᵀCⱼ d/(2h²)) with d = xⱼ − xᵢ. C belongs to the key, so the weights are
    not symmetric. Takeda, Farsiu & Milanfar (2007), doi:10.1109/TIP.2006.888330. All channels of a colour
    image share the weights, as in the toolbox. For order 0 the next gradient comes from `pilot_gradient`, for
    orders 1 and 2 from the fit. Image and steering matrices are mirrored at the borders
    (`np.pad(mode="reflect")`).

    Examples
    --------
    A fit of order 2 reproduces a parabola, but an average does not:

    >>> parabola = np.tile(np.linspace(-1, 1, 21) ** 2, (21, 1))
    >>> lark(parabola, bandwidth=2.0, order=2)[10, 10] < 1e-9 < lark(parabola, bandwidth=2.0)[10, 10]
    np.True_
    """
    planes, steering = image_planes(image), steering_of(analysis_radius, **steering)
    h, radius, order = _parameters(planes, bandwidth, radius, order)
    n_iterations = whole_number("n_iterations", n_iterations, at_most=1000)
    return fast_lark(image, planes, steering, h, radius, order, n_iterations)


def lark_log_weights(image, pixel, bandwidth, radius=5, *, analysis_radius=DISK, **steering):
    """Return the log-weights of the window around one pixel, log √det Cⱼ − dᵀCⱼ d/(2h²), with C at the key j.

    Parameters and errors are those of `lark_weights`.

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array
    """
    planes, steering = image_planes(image), steering_of(analysis_radius, **steering)
    h, radius, _ = _parameters(planes, bandwidth, radius, order=0)
    return _log_weights(planes, pixel_within(planes.shape[1:], pixel), h, radius, steering)


def _log_weights(planes, pixel, h, radius, steering):
    matrices, scale = closed_form_matrices(plane_gradient(brightness(planes)), steering)
    return log_weights_of(window_around(fields_of(matrices, scale, h, np.float64), pixel, radius))


def lark_weights(image, pixel, bandwidth, radius=5, order=0, *, analysis_radius=DISK, **steering):
    """Return the weights of the average at one pixel, in the first iteration.

    Parameters
    ----------
    image, bandwidth, radius, order, analysis_radius, **steering
        As in `lark`.
    pixel : (row, column)
        Inside the image.

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array that sums to 1; the pixel itself is at the centre. For orders 1 and 2 these
    are the weights that the fit implicitly gives to the values, the *equivalent kernel*, some of which are
    negative. Outside the image the weights are those of the mirrored pixels.

    Notes
    -----
    Equations eq:steering_kernel and eq:steering_order2 of chapter 4.

    Examples
    --------
    Next to a noisy vertical edge the weights are distributed along it:

    >>> noise = np.random.default_rng(0).normal(scale=0.05, size=(16, 16))
    >>> step = np.repeat([0.0, 1.0], 8) + noise
    >>> lark_weights(step, (8, 7), bandwidth=2.0, radius=1).round(2)
    array([[0. , 0.3, 0. ],
           [0. , 0.4, 0. ],
           [0. , 0.3, 0. ]])
    """
    planes, steering = image_planes(image), steering_of(analysis_radius, **steering)
    h, radius, order = _parameters(planes, bandwidth, radius, order)
    log_weights = _log_weights(planes, pixel_within(planes.shape[1:], pixel), h, radius, steering)
    return window_softmax(log_weights) if order == 0 else equivalent_kernel(log_weights, order)


def steering_matrices(image, analysis_radius=DISK, **steering):
    """Compute C, the metric of the steering kernel, at every pixel.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255; C is 1 or 3
    analysis_radius : int ≥ 1
        C is computed from the gradients in a disk of this radius; the toolbox's wsize is 2·analysis_radius + 1.
    structure_sensitivity : float ≥ 0
        α: how strongly the kernel shrinks where there is structure; with 0 all kernels have the same area.
    elongation_regularization : float > 0
        λ′: larger values give rounder kernels that are less affected by noise.
    structure_regularization : float > 0
        λ″, in squared grey levels: keeps the kernel finite where the gradients vanish or are all parallel. The
        toolbox hard-codes 10⁻⁷. Larger values give smaller kernels at perfect edges and in flat regions.

    Returns
    -------
    (H, W, 2, 2) float64 array, symmetric and positive definite; its rows and columns correspond to the (row,
    column) directions

    Notes
    -----
    Equation eq:steering_matrix of chapter 4, as in `steering_matrix`. Let s₁ ≥ s₂ and u₁, u₂ be the singular
    values and right singular vectors of the matrix whose rows are the gradients in the disk, each multiplied by
    its pixel's fraction a inside the disk (the squares are the eigenvalues of eq:structure_tensor). Then

        C = γ (ϱ u₁u₁ᵀ + u₂u₂ᵀ/ϱ),   ϱ = (s₁ + λ′)/(s₂ + λ′),   γ = ((s₁s₂ + λ″)/Σa)^α,   √det C = γ.

    With λ′ = λ″ = 0 and α = 1 this is T/Σa for the tensor T of `structure_tensors`; a different α changes the size
    of that matrix but not its shape (eq:compressed_metric).

    Gradients are computed by `pilot_gradient` on a scale of 0 to 255; for a colour image, from its brightness.
    They are mirrored at the borders. γ and ϱ are limited to the range from 10⁻⁹⁰ to 10⁹⁰.

    Examples
    --------
    At a vertical edge, C is large across the edge and small along it:

    >>> noise = np.random.default_rng(0).normal(scale=0.05, size=(16, 16))
    >>> step = np.repeat([0.0, 1.0], 8) + noise
    >>> steering_matrices(step)[8, 7].round(2)
    array([[  2.34,  -0.48],
           [ -0.48, 186.17]])
    """
    planes, steering = image_planes(image), steering_of(analysis_radius, **steering)
    matrices, _ = closed_form_matrices(plane_gradient(brightness(planes)), steering)
    return np.ascontiguousarray(np.moveaxis(matrices, (0, 1), (-2, -1)))


def structure_tensors(image, analysis_radius=DISK):
    """Compute Σ a² g gᵀ over the gradients g around every pixel; a is the fraction of g's pixel inside the disk.

    Parameters and errors are those of `steering_matrices`.

    Returns
    -------
    (H, W, 2, 2) float64 array, symmetric and positive semi-definite, for gradients on a scale of 0 to 255

    Notes
    -----
    Equation eq:structure_tensor of chapter 4. Its eigenvalues are the squares of the singular values s₁, s₂ in
    `steering_matrices`, its eigenvectors u₁, u₂.

    Examples
    --------
    >>> ramp = np.tile(np.arange(32) / 255, (32, 1))
    >>> np.abs(structure_tensors(ramp, analysis_radius=1)[16, 16]).round(3)
    array([[0.   , 0.   ],
           [0.   , 1.859]])
    """
    radius = whole_radius("analysis_radius", analysis_radius, at_least=1)
    rows, mixed, columns = tensors(plane_gradient(brightness(image_planes(image))), disk(radius))
    return np.stack([np.stack([rows, mixed], axis=-1), np.stack([mixed, columns], axis=-1)], axis=-2)


def pilot_gradient(image):
    """Estimate the gradient at every pixel by fitting a quadratic to the 5 × 5 pixels around it.

    Parameters
    ----------
    image : (H, W) or (H, W, C) array in [0, 1], or uint8, which is divided by 255

    Returns
    -------
    (H, W, 2) float64 array: by row and by column, in units of the image per pixel; for a colour image, the
    gradient of its brightness

    Notes
    -----
    Kernel regression of order 2 with weights exp(−‖offset‖²/(2·0.5²)), as in the toolbox. In a symmetric
    window the even terms of the quadratic do not affect the gradient, and the fit is separable:
    Σ w(o) o y / Σ w(o) o² along one axis and the weighted average along the other.

    Examples
    --------
    >>> pilot_gradient(np.arange(25.0).reshape(5, 5))[2, 2].round(6)
    array([5., 1.])
    """
    return np.moveaxis(plane_gradient(brightness(image_planes(image))), 0, -1) / WHITE


def disk(radius):
    """Return the fraction of each pixel that is covered by a disk around the centre pixel.

    Parameters
    ----------
    radius : int ≥ 1

    Returns
    -------
    (2·radius + 1, 2·radius + 1) array in [0, 1] whose sum is π·radius²

    Examples
    --------
    >>> disk(1).round(3)
    array([[0.079, 0.457, 0.079],
           [0.457, 1.   , 0.457],
           [0.079, 0.457, 0.079]])
    """
    offsets = np.abs(np.arange(-radius, radius + 1))
    near, far = np.minimum(offsets[:, None], offsets), np.maximum(offsets[:, None], offsets)
    start, stop = np.maximum(near - 0.5, 0), near + 0.5
    # Where the circle, at height √(R² − t²) above the axis of `near`, crosses the pixel's top and bottom.
    top, bottom = (np.clip(np.sqrt(np.maximum(radius**2 - (far + s) ** 2, 0)), start, stop) for s in (0.5, -0.5))
    below_circle = lambda t: (t * np.sqrt(radius**2 - t**2) + radius**2 * np.arcsin(t / radius)) / 2
    area = top - start + below_circle(bottom) - below_circle(top) - (far - 0.5) * (bottom - top)
    return np.where(near == 0, 2, 1) * area


def _constants(**steering):
    """Return α, λ′ and λ″ from keyword arguments."""
    if unknown := steering.keys() - DEFAULTS.keys():
        raise TypeError(f"steering: expected {', '.join(DEFAULTS)}, got {', '.join(sorted(unknown))}")
    checks = non_negative, positive, positive
    return [check(name, steering.get(name, DEFAULTS[name])) for check, name in zip(checks, DEFAULTS, strict=True)]


def steering_of(analysis_radius, **steering):
    return Steering(disk(whole_radius("analysis_radius", analysis_radius, at_least=1)), *_constants(**steering))


def _parameters(planes, bandwidth, radius, order):
    h = positive("bandwidth", bandwidth)
    order = whole_number("order", order, at_least=0, at_most=2)
    return bounded(h, planes.dtype), whole_radius("radius", radius, at_least=order), order
