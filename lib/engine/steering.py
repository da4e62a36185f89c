"""Steering kernels for all pixels at once: closed-form matrices, and estimates from moments."""

from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from lib.constants import BRIGHTNESS, PILOT, WHITE
from lib.engine.streaming import LOG2E
from lib.engine.window import Strip, in_bands, local_polynomial, raw_weights, window_moments
from lib.weights import blocks, softmax

LARGEST = 1e90  # above this, or below its inverse, a kernel covers a single pixel or the whole window


class Steering(NamedTuple):
    """Parameters that turn gradients into a metric, in the notation of eq:steering_matrix."""

    shares: np.ndarray  # (side, side): a, the fraction of each pixel inside the disk
    alpha: float
    lambda_1: float
    lambda_2: float

    @property
    def radius(self):
        """Return the disk's radius in pixels."""
        return len(self.shares) // 2


def closed_form_matrices(gradient, steering):
    """Compute C, `(2, 2, height, width)`, and √det C, `(height, width)`, from the gradient `(2, height, width)`.

    The result equals `lib.filters.steering_matrix` at every pixel, but needs no SVD per pixel, because the
    eigenvalues and eigenvectors of 2 × 2 matrices have a closed form.
    """
    rows, mixed, columns = tensors(gradient, steering.shares)
    middle, half = (rows + columns) / 2, np.hypot((rows - columns) / 2, mixed)
    # Cosine and sine of twice the angle of u₁.
    cosine = np.divide((rows - columns) / 2, half, out=np.ones_like(half), where=half > 0)
    sine = np.divide(mixed, half, out=np.zeros_like(half), where=half > 0)
    s1, s2 = np.sqrt(middle + half), np.sqrt(np.maximum(middle - half, 0))
    s2 = _with_lost_digits(s2, s1, cosine, sine, gradient, steering.shares)
    area = np.pi * steering.radius**2  # the sum of the shares
    log_scale = steering.alpha * np.log((s1 * s2 + steering.lambda_2) / area)
    scale = np.exp(np.clip(log_scale, -np.log(LARGEST), np.log(LARGEST)))
    stretch = np.minimum((s1 + steering.lambda_1) / (s2 + steering.lambda_1), LARGEST)
    # u₁ = (cos θ, sin θ), u₂ = (−sin θ, cos θ); cos² θ = (1 + cos 2θ)/2, cos θ sin θ = sin 2θ/2.
    c11 = scale * (stretch * (1 + cosine) + (1 - cosine) / stretch) / 2
    c12 = scale * (stretch - 1 / stretch) * sine / 2
    c22 = scale * (stretch * (1 - cosine) + (1 + cosine) / stretch) / 2
    return np.array([[c11, c12], [c12, c22]]), scale


def _with_lost_digits(s2, s1, cosine, sine, gradient, shares):
    """Recompute s₂ from the gradients, s₂² = Σ a² (u₂·g)², where it lost digits because it is far below s₁."""
    lost = np.argwhere(s2 < 1e-2 * s1)
    radius = len(shares) // 2
    padded = np.pad(gradient, ((0, 0), (radius, radius), (radius, radius)), mode="reflect")
    windows = sliding_window_view(padded, shares.shape, axis=(1, 2))
    for some in blocks(len(lost), 1024):
        pixels = tuple(lost[some].T)
        angle = np.arctan2(sine[pixels], cosine[pixels]) / 2
        u2 = np.array([-np.sin(angle), np.cos(angle)])
        along = np.einsum("dnij,dn->nij", windows[:, *pixels], u2)
        s2[pixels] = np.sqrt(np.einsum("nij,nij,ij->n", along, along, shares**2))
    return s2


def tensors(gradient, shares):
    """Compute Σ a² g₁², Σ a² g₁g₂ and Σ a² g₂² over the window around every pixel: `(3, height, width)`."""
    strip = Strip(*gradient.shape[1:], padding=len(shares) // 2)
    lines = strip.flatten(gradient[[0, 0, 1]] * gradient[[0, 1, 1]])
    total = np.zeros((3, strip.stop - strip.first))
    for share in np.unique(shares[shares > 0]):
        ring = np.zeros_like(total)
        for row, column in np.argwhere(shares == share) - strip.padding:
            shift = strip.shift(row, column)
            ring += lines[:, strip.first + shift : strip.stop + shift]
        total += share**2 * ring
    return strip.crop(total)


def plane_gradient(plane):
    """Return the gradient `(2, height, width)` of a plane from 0 to 255, as in `lib.filters.pilot_gradient`."""
    offsets = np.arange(-PILOT["radius"], PILOT["radius"] + 1)
    blur = softmax(-(offsets**2) / (2 * PILOT["bandwidth"] ** 2))
    slope = blur * offsets / (blur @ offsets**2)
    padded = WHITE * np.pad(plane.astype(np.float64), PILOT["radius"], mode="reflect")
    along = lambda array, taps, axis: sliding_window_view(array, len(taps), axis=axis) @ taps
    return np.array([along(along(padded, slope, 0), blur, 1), along(along(padded, blur, 0), slope, 1)])


def fast_lark(image, planes, steering, h, radius, order, n_iterations):
    """Run all iterations of `lib.filters.lark`.

    The first iteration uses `plane_gradient`; for order 0, so do all others. For orders 1 and 2 the gradient of
    each later iteration comes from the previous fit.
    """

    def filtered(planes):
        estimate, gradient = planes if order == 0 else planes.astype(np.float64), None
        for _ in range(n_iterations):
            gradient = plane_gradient(brightness(estimate)) if gradient is None else gradient
            matrices, scale = closed_form_matrices(gradient, steering)
            estimate, gradient = estimate_once(estimate, matrices, scale, h, radius, order)
        return estimate

    reach = n_iterations * (PILOT["radius"] + steering.radius + radius)
    return in_bands(filtered, image, planes, reach)


def estimate_once(planes, matrices, scale, h, radius, order, known=None):
    """Run one iteration; return the estimate and its brightness gradient from 0 to 255 (None for order 0).

    If `known`, `(height, width)`, is given, only pixels where it is true are keys.
    """
    fields, results = fields_of(matrices, scale, h, planes.dtype), []
    strip = Strip(*planes.shape[1:], padding=radius)
    for moments in window_moments(strip, planes, fields, _log2_weights, radius, order, known):
        results.append(local_polynomial(*moments, order))
    values, gradients = zip(*results, strict=True)
    estimate = strip.crop(np.concatenate(values, axis=-1))
    if order == 0:
        return estimate, None
    gradient = strip.crop(np.concatenate(gradients, axis=-1))
    return estimate, np.stack([brightness(component) for component in WHITE * gradient])


def _log2_weights(offset, fields):
    """Return log √det C − dᵀC d/(2h²) in base 2 from the `fields_of` of the keys."""
    row, column = offset
    slanted = np.array([row, column], fields.dtype) @ fields[:2]
    log_weights = np.array([-(column**2), 1], fields.dtype) @ fields[2:]
    log_weights -= np.square(slanted, out=slanted)
    return log_weights


def log_weights_of(window):
    """Return log √det C − dᵀC d/(2h²) of the keys in a window, `(side, side)`, from their `fields_of`."""
    (a, b, e, log_scale), radius = window, window.shape[-1] // 2
    row, column = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    return (log_scale - (a * row + b * column) ** 2 - e * column**2) / LOG2E


def equivalent_kernel(log_weights, order):
    """Return the weights of the fit's value at the centre: its response to a unit impulse at each key."""
    weights, radius = raw_weights(LOG2E * log_weights), len(log_weights) // 2
    row, column = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    powers = {(a, b): weights * row**a * column**b for a in range(2 * order + 1) for b in range(2 * order + 1 - a)}
    weight_moments = {power: weighted.sum(keepdims=True).ravel() for power, weighted in powers.items()}
    value_moments = {power: weighted.reshape(-1, 1) for power, weighted in powers.items()}
    return local_polynomial(weight_moments, value_moments, order)[0].reshape(weights.shape)


def fields_of(matrices, scale, h, dtype):
    """Return the fields that determine the weight of a key, in base 2: a, b, e and log √det C.

    dᵀC d/(2h²) = (a·row + b·column)² + e·column² is a sum of squares, so rounding cannot make it negative. The sum
    of the three terms of dᵀC d could become negative if the kernel is long and diagonal. Kernels too small for
    these squares are slightly enlarged, but even then no other pixel has any weight.
    """
    a, unit = np.sqrt(matrices[0, 0]), np.sqrt(2 / LOG2E) * h
    root = np.array([a, matrices[0, 1] / a, scale / a]) / unit
    root *= np.minimum(1, np.sqrt(np.finfo(dtype).max) / 1e4 / np.abs(root).max(axis=0))
    return np.array([*root[:2], root[2] ** 2, LOG2E * np.log(scale)]).astype(dtype)


def brightness(planes):
    """Return the brightness as one plane: colours weighted by `BRIGHTNESS`, or the single channel."""
    if len(planes) not in (1, 3):
        raise ValueError(f"image: expected 1 or 3 channels, got {len(planes)}")
    return planes[0] if len(planes) == 1 else np.tensordot(BRIGHTNESS, planes, axes=1)
